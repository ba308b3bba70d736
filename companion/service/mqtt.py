"""The house listens: public facts of the table on an MQTT broker, and the other tables that are there.

Off unless the config says so. `home_facts.py` says what is told. Home Assistant finds the table by one
retained message (device discovery). Every state is retained and whole: the newest one is enough, nothing
needs a queue, and a broker that dies or hangs costs the table nothing. Events are told once, as they happen.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
import threading
from collections.abc import Mapping
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import category

from companion.engine.action import PUBLIC
from companion.engine.errors import ConfigError
from companion.engine.text import LANGUAGES
from companion.service.home_commands import COMMANDS, HomeCommands
from companion.service.home_facts import NOTHING, ROOM, Facts, discovery, events, facts, moment, topics
from companion.settings.config import MqttSettings, section
from companion.settings.state_file import StateFile, demand_file, json_object, read_bounded
from companion.table.session import Session, Update
from companion.table.table import WAKE, Mailbox, Table

log = logging.getLogger(__name__)

KEEPALIVE_S = 20
PATIENCE_S = 5.0
"""How long leaving a broker may take."""
SLOWEST_S = 60
"""The longest pause between two tries to reach a broker."""
MOST_TABLES = 64
LOG_ERROR = 8
"""The level at which the client says that something went wrong."""
MOST_BYTES = 4096
NAME_LETTERS, WORD_LETTERS = 60, 120
"""The longest name of a table, and the longest word about its game, that are shown."""
STATE: Mapping[str, type] = {
    "name": str,
    "game": str,
    "mood": str,
    "playing": bool,
    "players": int,
    "brightness": int,
    "rgb_color": list,
}
"""What a table tells beside the words in each language."""
WORDS = ("title", "phase", "turn", "result")
TABLE_ID = re.compile(r"[\w-]{1,64}")


class MqttState:
    """What the next start needs: this table's id, and the broker that holds retained messages of it."""

    def __init__(self, path: Path) -> None:
        self._file = state_file(path)
        kept = self._file.load()
        self.table_id, self.stale_broker = kept or (f"gloam-{secrets.token_hex(5)}", None)

    def keep(self, left: MqttSettings | None) -> None:
        """Notes the broker that holds retained messages from now on."""
        self.stale_broker = left
        kept = {"id": self.table_id, "left": None if left is None else asdict(left)}
        self._file.save(json.dumps(kept).encode("utf-8"))


def state_file(path: Path) -> StateFile[tuple[str, MqttSettings | None]]:
    """The file of an `MqttState`."""
    return StateFile(path, _read_file_of_state)


def _read_file_of_state(content: bytes) -> tuple[str, MqttSettings | None]:
    kept = json_object(content)
    if not TABLE_ID.fullmatch(kept["id"]):
        raise ValueError("it names no table")
    if kept["left"] is None:
        return kept["id"], None
    left, wrong = section("mqtt", MqttSettings, kept["left"])
    if wrong:
        raise ValueError(wrong[0][1])
    return kept["id"], left


# What is heard ---------------------------------------------------------------------------------


class Seen(NamedTuple):
    """A table of the club as the broker shows it."""

    id: str
    name: str
    is_there: bool
    facts: Facts


def read_state(payload: bytes) -> Facts | None:
    """What another table tells, or None where it is no such thing: anybody may write to a broker.

    Only what the overview shows comes out, and nothing of it is longer than a page can hold.
    """
    if len(payload) > MOST_BYTES:
        return None
    try:
        told = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict) or any(type(told.get(key)) is not kind for key, kind in STATE.items()):
        return None
    if told["mood"] not in ROOM or not _is_colour(told["rgb_color"]):
        return None
    if not 0 <= told["players"] < 100 or not 0 <= told["brightness"] < 256:
        return None
    heard = {key: told[key] for key in STATE}
    for key in ("name", "game"):
        heard[key] = clean_text(told[key], NAME_LETTERS)
    for language in LANGUAGES:
        words = told.get(language)
        if not isinstance(words, dict) or any(type(words.get(key)) is not str for key in WORDS):
            return None
        heard[language] = {key: clean_text(words[key], WORD_LETTERS) for key in WORDS}
    return heard


def clean_text(text: str, letters: int) -> str:
    """A text from elsewhere without control characters and halves of characters, not too long.

    >>> clean_text("Long\\u202e table\\ud800", 8)
    'Long tab'
    """
    return "".join(c for c in text if category(c)[0] != "C")[:letters]


def _is_colour(value: list[Any]) -> bool:
    return len(value) == 3 and all(type(part) is int and 0 <= part <= 255 for part in value)


class MqttBridge:
    """Tells a broker about the table as long as it runs, and hears of the club's other tables."""

    def __init__(
        self,
        table: Table,
        settings: MqttSettings,
        memory: MqttState,
        language: str = "en",
        commands: HomeCommands | None = None,
    ) -> None:
        """`commands` does what the house asks; it is heard only where the settings allow that."""
        self.settings = settings
        self._commands = commands if settings.commands else None
        self.topics = topics(memory.table_id, settings.club, settings.prefix)
        self._where = f"{settings.host}:{settings.port}"
        self._table = table
        self._language = language
        self._memory = memory
        self._client = _client(settings, memory.table_id)
        self._lock = threading.Lock()
        self._state = b""
        self._told = b""
        self._moment = NOTHING
        self._is_up = self._is_begun = False
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
        # What a message leads to may fail; the thread that listens goes on.
        client.suppress_exceptions = True
        client.on_log = self._logged
        client.loop_start()
        self._thread.start()
        self._is_begun = True

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
        if self._is_begun and not self._stopped.is_set():
            for thread in (self._thread, self._client._thread):
                if thread is None or not thread.is_alive():
                    return f"a thread that tells {self._where} has ended: start the table again"
        return self._trouble

    def tables(self) -> list[Seen]:
        """The tables of the club, by name."""
        with self._lock:
            return sorted(self._tables.values(), key=lambda seen: (seen.name, seen.id))

    # Following the table -----------------------------------------------------------------------

    def _run(self) -> None:
        mailbox, waits = self._mailbox, False
        update: Update | None = None
        while not self._stopped.is_set():
            session = self._table.session
            if session is not mailbox.session or mailbox.updates.is_closed:
                mailbox.follow(session, PUBLIC)
                update = None
            try:
                self._tell_events(session, update)
                waits = not self._tell(session)
            except Exception as error:  # one position that cannot be told silences no evening
                log.exception("the broker was not told")
                self._trouble = f"the table cannot be told to {self._where}: {type(error).__name__}"
            update = mailbox.updates.get(0.2 if waits else None)

    def _tell(self, session: Session | None) -> bool:
        """Tells how it is now; False where that must wait because the broker reads too slowly."""
        if session is None:
            now, version = facts(None, {}, {}), -1
        else:
            update = session.update(PUBLIC)
            now, version = facts(session.game, session.options, update.view), update.version
        if self._commands is not None:
            now |= self._commands.states(version)
        with self._lock:
            self._state = _bytes({"name": self.settings.name, **now})
            if self._state == self._told or not self._is_up:
                return True
            if self._client.want_write():
                return False
            self._publish(self.topics.state, self._state)
            self._told = self._state
            return True

    def _tell_events(self, session: Session | None, update: Update | None) -> None:
        """Tells what an update has brought; what happens while no broker listens is told to nobody."""
        if session is None:
            now = NOTHING
        else:
            newest = update if update is not None and update is not WAKE else session.update(PUBLIC)
            now = moment(session.number, session.game, session.options, newest)
        happened, self._moment = events(self._moment, now), now
        with self._lock:
            for event in happened if self._is_up else ():
                self._client.publish(self.topics.event, _bytes(event), qos=0)

    def _publish(self, topic: str, payload: bytes) -> None:
        # Sent once: what is lost with a connection is told anew with the next one.
        self._client.publish(topic, payload, qos=0, retain=True)

    # Called by the client's thread -------------------------------------------------------------

    def _connected(self, client: Any, userdata: Any, flags: Any, reason: Any, properties: Any) -> None:
        if reason.is_failure:
            self._trouble = f"{self._where} refuses us: {reason}"
            return
        self._trouble = ""
        if self._memory.stale_broker != self.settings:
            self._memory.keep(self.settings)
        with self._lock:
            self._tables.clear()
            group = self.topics.group
            client.subscribe([(f"{group}/+/state", 0), (f"{group}/+/available", 0)])
            can_ask = self._commands is not None
            if can_ask:
                client.subscribe([(f"{self.topics.commands}/{one}", 0) for one in COMMANDS])
            words = discovery(self.settings.name, self.topics, self._language, commands=can_ask)
            self._publish(self.topics.config, _bytes(words))
            self._publish(self.topics.available, b"online")
            if self._state:
                self._publish(self.topics.state, self._state)
            self._told, self._is_up = self._state, True

    def _logged(self, client: Any, userdata: Any, level: int, words: str) -> None:
        if level == LOG_ERROR:
            log.warning("mqtt: %s", words[:200])

    def _disconnected(self, client: Any, userdata: Any, flags: Any, reason: Any, properties: Any) -> None:
        with self._lock:
            self._told, self._is_up = b"", False
        if not self._trouble:
            self._trouble = f"{self._where} is gone; it is tried again"

    def _heard(self, client: Any, userdata: Any, message: Any) -> None:
        if message.topic.startswith(f"{self.topics.commands}/"):
            if self._commands is not None and not message.retain:  # what was asked long ago is over
                self._commands.take(message.topic.rpartition("/")[2], message.payload)
                self._mailbox.wake()
            return
        table_id, _, what = message.topic.removeprefix(f"{self.topics.group}/").partition("/")
        if not TABLE_ID.fullmatch(table_id):
            return
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
                self._tables[table_id] = seen._replace(name=told["name"], facts=told)


def clear_retained(memory: MqttState, settings: MqttSettings) -> str:
    """Clears retained messages at a broker that is no longer used; says what could not be done, or nothing.

    Called at each start: a broker that is off now is asked again at the next one.
    """
    old = memory.stale_broker
    if old is None:
        return ""
    if settings.enabled and _place(old) == _place(settings):
        return ""
    where = topics(memory.table_id, old.club, old.prefix)
    left = where.all()
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
    # First what shows the table: nobody is to read a state that is empty.
    for topic in sorted(left, key=lambda topic: topic != where.config):
        client.publish(topic, b"", qos=1, retain=True)
    client.loop_start()
    done.wait(PATIENCE_S)
    client.disconnect()
    client.loop_stop()
    if left:
        return f"{still}: it does not confirm"
    memory.keep(None)
    return ""


def _place(settings: MqttSettings) -> tuple[object, ...]:
    """Where retained messages are."""
    return settings.host, settings.port, settings.club, settings.prefix


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
    if settings.tls:
        try:
            demand_file(settings.ca_file)
            client.tls_set(settings.ca_file or None)
        except (OSError, ValueError) as error:
            raise ConfigError(f"[mqtt] ca_file = {settings.ca_file!r}: {error}") from error
    if settings.user:
        client.username_pw_set(settings.user, _password(settings.password_file))
    return client


def _password(path: str) -> str | None:
    if not path:
        return None
    try:
        return read_bounded(Path(path), MOST_BYTES).decode("utf-8").strip()
    except UnicodeDecodeError as error:
        raise ConfigError(f"[mqtt] password_file = {path!r}: this is no text") from error
    except OSError as error:
        raise ConfigError(f"[mqtt] password_file = {path!r}: {error.strerror}") from error
    except ValueError as error:
        raise ConfigError(f"[mqtt] password_file = {path!r}: {error}") from error


def _bytes(told: Facts) -> bytes:
    return json.dumps(told, ensure_ascii=False, sort_keys=True).encode()
