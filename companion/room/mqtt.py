"""The house listens: public facts of the table on an MQTT broker, and the other tables that are there.

Off unless the config says so. What is told is made from the public view and its scene alone, so it holds
nothing that a stranger at the table could not see; names of people are not told either. Home Assistant finds
the table by one retained message (device discovery). Every message is retained and whole: the newest one is
enough, nothing needs a queue, and a broker that dies or hangs costs the table nothing.
"""

from __future__ import annotations

import json
import re
import secrets
import threading
from collections.abc import Mapping
from dataclasses import asdict
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from companion.action import PUBLIC, TABLE
from companion.config import MqttSettings, write_whole
from companion.errors import ConfigError
from companion.game import Game, View
from companion.options import Options
from companion.session import Session
from companion.text import LANGUAGES
from web.frames import seat_label
from web.table import Mailbox, Table

Facts = dict[str, Any]

KEEPALIVE_S = 20
PATIENCE_S = 5.0
"""How long leaving a broker may take."""
SLOWEST_S = 60
"""The longest pause between two tries to reach a broker."""
MOST_TABLES = 64
MOST_BYTES = 4096

ROOM: Mapping[str, tuple[tuple[int, int, int], int]] = {
    "idle": ((255, 214, 170), 255),
    "calm": ((255, 150, 60), 120),
    "tense": ((255, 60, 20), 90),
    "last-light": ((255, 110, 30), 25),
    "won": ((255, 210, 90), 230),
    "lost": ((70, 30, 140), 40),
}
"""What light suits the room: a colour and a brightness up to 255 for each mood of the table."""


class Topics(NamedTuple):
    """Where a table is told of."""

    group: str
    """All tables of a club are below it."""
    table_id: str

    @property
    def config(self) -> str:
        return f"homeassistant/device/{self.table_id}/config"

    @property
    def state(self) -> str:
        return f"{self.group}/{self.table_id}/state"

    @property
    def available(self) -> str:
        return f"{self.group}/{self.table_id}/available"

    def all(self) -> set[str]:
        return {self.config, self.state, self.available}


def topics(table_id: str, club: str) -> Topics:
    """The topics of a table; a club's name may hold anything.

    >>> topics("gloam-1", "Café № 3").state
    'gloam/Café---3/gloam-1/state'
    """
    return Topics("gloam/" + (re.sub(r"[^\w-]", "-", club) or "home"), table_id)


class Memory:
    """What must be known at the next start: who we are, and at which broker we left something."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.table_id = f"gloam-{secrets.token_hex(5)}"
        self.left: MqttSettings | None = None
        try:
            kept = json.loads(path.read_text("utf-8"))
            left = kept["left"] and MqttSettings(**kept["left"])
            self.table_id, self.left = str(kept["id"]), left
        except (OSError, ValueError, TypeError, KeyError):
            return  # the first start, or a spoilt file: begun anew

    def keep(self, left: MqttSettings | None) -> None:
        """Notes where we leave something from now on."""
        self.left = left
        kept = {"id": self.table_id, "left": None if left is None else asdict(left)}
        write_whole(self._path, json.dumps(kept))


SENSORS: Mapping[str, tuple[tuple[str, str], str, str]] = {
    "game": (("Game", "Игра"), "mdi:cards", "{language}.title or '—'"),
    "phase": (("Phase", "Фаза"), "mdi:format-list-numbered", "{language}.phase or '—'"),
    "turn": (("Turn", "Ход"), "mdi:account-clock", "{language}.turn or '—'"),
    "result": (("Result", "Итог"), "mdi:flag-checkered", "{language}.result or '—'"),
    "players": (("Players", "Игроки"), "mdi:account-group", "players"),
    "mood": (("Mood", "Настроение"), "mdi:candle", "mood"),
    "room": (("Room light", "Свет в комнате"), "mdi:lightbulb", "rgb_color | join(',')"),
}
"""What Home Assistant shows: names, an icon, and where the value is in a state."""


# What is told ----------------------------------------------------------------------------------


def facts(game: Game | None, options: Options, view: View) -> Facts:
    """What the house may know of a game, from its public view."""
    if game is None:
        mood, players, playing = "idle", 0, False
    else:
        mood = game.scene(view).mood or "calm"
        players, playing = len(game.seats(options)), view["outcome"] is None
    colour, brightness = ROOM[mood]
    return {
        "game": "" if game is None else game.key,
        "playing": playing,
        "players": players,
        "mood": mood,
        "rgb_color": list(colour),
        "brightness": brightness,
        **{language: _words(game, options, view, language) for language in LANGUAGES},
    }


def _words(game: Game | None, options: Options, view: View, language: str) -> dict[str, str]:
    if game is None:
        return {"title": "", "phase": "", "turn": "", "result": ""}
    outcome, texts = view["outcome"], game.texts
    phase = f"phase.{view.get('phase')}"
    seats = game.seats(options)
    acting = sorted({seat for seat, _ in view["needs"] if seat != TABLE})
    return {
        "title": texts.say("game.title", language),
        "phase": texts.say(phase, language) if outcome is None and phase in texts else "",
        "turn": ", ".join(seat_label(game, seats[seat], language) for seat in acting),
        "result": "" if outcome is None else texts.say(f"outcome.{outcome['code']}", language),
    }


def discovery(name: str, where: Topics, language: str = "en") -> Facts:
    """What Home Assistant needs to know to show the table as one device."""
    i, release = LANGUAGES.index(language), version("gloam")
    components: Facts = {
        key: {
            "platform": "sensor",
            "name": names[i],
            "icon": icon,
            "value_template": f"{{{{ value_json.{path.format(language=language)} }}}}",
        }
        for key, (names, icon, path) in SENSORS.items()
    }
    components["mood"] |= {"device_class": "enum", "options": list(ROOM)}
    components["playing"] = {
        "platform": "binary_sensor",
        "name": ("Playing", "Идёт игра")[i],
        "device_class": "running",
        "value_template": "{{ 'ON' if value_json.playing else 'OFF' }}",
    }
    components["room"] |= {
        "json_attributes_topic": where.state,
        "json_attributes_template": (
            "{{ {'rgb_color': value_json.rgb_color, 'brightness': value_json.brightness} | tojson }}"
        ),
    }
    for key, component in components.items():
        component["unique_id"] = f"{where.table_id}-{key}"
    return {
        "device": {
            "identifiers": [where.table_id],
            "name": name,
            "manufacturer": "Gloam",
            "model": "table that plays along",
            "sw_version": release,
        },
        "origin": {"name": "gloam", "sw_version": release},
        "components": components,
        "state_topic": where.state,
        "availability": [{"topic": where.available}],
    }


# What is heard ---------------------------------------------------------------------------------


class Seen(NamedTuple):
    """A table of the club as the broker shows it."""

    id: str
    name: str
    is_there: bool
    facts: Facts


def read_state(payload: bytes) -> Facts | None:
    """What another table tells, or None where it is no such thing: anybody may write to a broker."""
    if len(payload) > MOST_BYTES:
        return None
    try:
        told = json.loads(payload)
    except ValueError:
        return None
    wanted = {"name": str, "playing": bool, "players": int, "mood": str, "rgb_color": list}
    if not isinstance(told, dict) or any(not isinstance(told.get(key), kind) for key, kind in wanted.items()):
        return None
    if told["mood"] not in ROOM or not _is_colour(told["rgb_color"]):
        return None
    for language in LANGUAGES:
        words = told.get(language)
        if not isinstance(words, dict):
            return None
        if not all(isinstance(words.get(key), str) for key in ("title", "phase", "turn", "result")):
            return None
    return told


def _is_colour(value: list[Any]) -> bool:
    return len(value) == 3 and all(type(part) is int and 0 <= part <= 255 for part in value)


class Herald:
    """Tells a broker about the table as long as it runs, and hears of the club's other tables."""

    def __init__(self, table: Table, settings: MqttSettings, memory: Memory, language: str = "en") -> None:
        self.settings = settings
        self.topics = topics(memory.table_id, settings.club)
        self._where = f"{settings.host}:{settings.port}"
        self._table = table
        self._language = language
        self._memory = memory
        self._client = _client(settings, memory.table_id)
        self._lock = threading.Lock()
        self._state = b""
        self._told = b""
        self._is_up = False
        self._trouble = f"no answer from {self._where} yet"
        self._tables: dict[str, Seen] = {}
        self._stopped = threading.Event()
        self._mailbox: Mailbox = table.listen()
        self._thread = threading.Thread(target=self._run, name="herald", daemon=True)

    def start(self) -> None:
        """Begins; returns at once, whether the broker is there or not."""
        client = self._client
        client.will_set(self.topics.available, "offline", qos=1, retain=True)
        client.on_connect = self._connected
        client.on_disconnect = self._disconnected
        client.on_message = self._heard
        client.connect_async(self.settings.host, self.settings.port, KEEPALIVE_S)
        client.loop_start()
        self._thread.start()

    def stop(self) -> None:
        """Says goodbye: the table stays known, as one that is not there."""
        self._stopped.set()
        self._mailbox.wake()
        self._thread.join(PATIENCE_S)
        if self._client.is_connected():
            said = self._client.publish(self.topics.available, "offline", qos=1, retain=True)
            said.wait_for_publish(PATIENCE_S)
        self._client.disconnect()
        self._client.loop_stop()
        self._table.leave(self._mailbox)

    @property
    def trouble(self) -> str:
        """Why the broker is not told anything, in one sentence; empty when all is well."""
        return self._trouble

    def tables(self) -> list[Seen]:
        """The tables of the club, by name."""
        with self._lock:
            return sorted(self._tables.values(), key=lambda seen: (seen.name, seen.id))

    # Following the table -----------------------------------------------------------------------

    def _run(self) -> None:
        mailbox, waits = self._mailbox, False
        while not self._stopped.is_set():
            session = self._table.session
            if session is not mailbox.session or mailbox.updates.is_closed:
                mailbox.follow(session, PUBLIC)
            waits = not self._tell(session)
            mailbox.updates.get(0.2 if waits else None)

    def _tell(self, session: Session | None) -> bool:
        """Tells how it is now; False where that must wait because the broker reads too slowly."""
        if session is None:
            now = facts(None, {}, {})
        else:
            now = facts(session.game, session.options, session.update(PUBLIC).view)
        with self._lock:
            self._state = _bytes({"name": self.settings.name, **now})
            if self._state == self._told or not self._is_up:
                return True
            if self._client.want_write():
                return False
            self._publish(self.topics.state, self._state)
            self._told = self._state
            return True

    def _publish(self, topic: str, payload: bytes) -> None:
        # Sent once: what is lost with a connection is told anew with the next one.
        self._client.publish(topic, payload, qos=0, retain=True)

    # Called by the client's thread -------------------------------------------------------------

    def _connected(self, client: Any, userdata: Any, flags: Any, reason: Any, properties: Any) -> None:
        if reason.is_failure:
            self._trouble = f"{self._where} refuses us: {reason}"
            return
        self._trouble = ""
        if self._memory.left != self.settings:
            self._memory.keep(self.settings)
        with self._lock:
            self._tables.clear()
            group = self.topics.group
            client.subscribe([(f"{group}/+/state", 0), (f"{group}/+/available", 0)])
            words = discovery(self.settings.name, self.topics, self._language)
            self._publish(self.topics.config, _bytes(words))
            self._publish(self.topics.available, b"online")
            if self._state:
                self._publish(self.topics.state, self._state)
            self._told, self._is_up = self._state, True

    def _disconnected(self, client: Any, userdata: Any, flags: Any, reason: Any, properties: Any) -> None:
        with self._lock:
            self._told, self._is_up = b"", False
        if not self._trouble:
            self._trouble = f"{self._where} is gone; it is tried again"

    def _heard(self, client: Any, userdata: Any, message: Any) -> None:
        table_id, _, what = message.topic.removeprefix(f"{self.topics.group}/").partition("/")
        with self._lock:
            seen = self._tables.get(table_id, Seen(table_id, "", False, {}))
            if not message.payload:
                self._tables.pop(table_id, None)
                return
            if table_id not in self._tables and len(self._tables) >= MOST_TABLES:
                return
            if what == "available":
                self._tables[table_id] = seen._replace(is_there=message.payload == b"online")
            elif (told := read_state(message.payload)) is not None:
                self._tables[table_id] = seen._replace(name=told["name"][:60], facts=told)


def forget(memory: Memory, settings: MqttSettings) -> str:
    """Takes away what was left at a broker that is no longer wanted; says what could not be done, or nothing.

    Called at each start: a broker that is off now is asked again at the next one.
    """
    old = memory.left
    if old is None:
        return ""
    if settings.enabled and (old.host, old.port, old.club) == (settings.host, settings.port, settings.club):
        return ""
    left = topics(memory.table_id, old.club).all()
    done = threading.Event()

    def published(client: Any, userdata: Any, number: int, reason: Any, properties: Any) -> None:
        left.pop()
        if not left:
            done.set()

    still = f"{old.host}:{old.port} still shows this table"
    try:
        client = _client(old, memory.table_id)
        client.on_publish = published
        client.connect(old.host, old.port, KEEPALIVE_S)
    except (ConfigError, OSError) as error:
        return f"{still}: {error}"
    for topic in tuple(left):
        client.publish(topic, b"", qos=1, retain=True)
    client.loop_start()
    done.wait(PATIENCE_S)
    client.disconnect()
    client.loop_stop()
    if left:
        return f"{still}: it does not confirm"
    memory.keep(None)
    return ""


def _client(settings: MqttSettings, table_id: str) -> Any:
    if not settings.host:
        raise ConfigError('[mqtt] enabled = true needs the broker\'s address:  host = "192.168.1.2"')
    try:
        paho = import_module("paho.mqtt.client")
    except ImportError as error:
        raise ConfigError("[mqtt] needs the package paho-mqtt: pip install 'gloam[mqtt]'") from error
    client = paho.Client(paho.CallbackAPIVersion.VERSION2, table_id)
    client.connect_timeout = PATIENCE_S
    client.reconnect_delay_set(1, SLOWEST_S)
    if settings.user:
        client.username_pw_set(settings.user, _password(settings.password_file))
    return client


def _password(path: str) -> str | None:
    if not path:
        return None
    try:
        return Path(path).read_text("utf-8").strip()
    except OSError as error:
        raise ConfigError(f"[mqtt] password_file = {path!r}: {error.strerror}") from error


def _bytes(told: Facts) -> bytes:
    return json.dumps(told, ensure_ascii=False, sort_keys=True).encode()
