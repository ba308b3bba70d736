"""What a house is told of the table: states and events, and how Home Assistant finds and shows them.

Everything is made from the public view and its scene, so it holds nothing that a stranger at the table could
not see; names of people are not told either. Words are in the reader's language. Keys are not: automations
are written against keys, which stay the same in every language and whatever the table is called.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, NamedTuple

from companion.engine.action import TABLE
from companion.engine.game import Game, View
from companion.engine.options import Options
from companion.engine.text import LANGUAGES
from companion.service.home_commands import BRIGHTEST, DIMMEST
from companion.table.labels import seat_label
from companion.table.session import Update

Facts = dict[str, Any]

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
    prefix: str = "homeassistant"
    """Where Home Assistant looks for devices."""

    @property
    def config(self) -> str:
        return f"{self.prefix}/device/{self.table_id}/config"

    @property
    def state(self) -> str:
        return f"{self.group}/{self.table_id}/state"

    @property
    def available(self) -> str:
        return f"{self.group}/{self.table_id}/available"

    @property
    def event(self) -> str:
        return f"{self.group}/{self.table_id}/event"

    @property
    def commands(self) -> str:
        return f"{self.group}/{self.table_id}/set"

    def all(self) -> set[str]:
        """Those whose messages are retained; an event is over when it was told."""
        return {self.config, self.state, self.available}


def topics(table_id: str, club: str, prefix: str = "homeassistant") -> Topics:
    """The topics of a table; a club's name and the prefix may hold anything.

    >>> topics("gloam-1", "Café № 3").state
    'gloam/Café---3/gloam-1/state'
    """
    return Topics(
        "gloam/" + (re.sub(r"[^\w-]", "-", club) or "home"), table_id, re.sub(r"[^\w/-]", "-", prefix)
    )


# States ----------------------------------------------------------------------------------------


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
        "key": _keys(game, options, view),
        **{language: _words(game, options, view, language) for language in LANGUAGES},
    }


def _acting(game: Game, options: Options, view: View) -> list[str]:
    """The seats that must act, as the rules name them."""
    seats = game.seats(options)
    return [seats[seat] for seat in sorted({seat for seat, _ in view["needs"] if seat != TABLE})]


def _keys(game: Game | None, options: Options, view: View) -> dict[str, str]:
    if game is None:
        return {"game": "", "phase": "", "turn": "", "result": ""}
    outcome = view["outcome"]
    return {
        "game": game.key,
        "phase": str(view.get("phase") or "") if outcome is None else "",
        "turn": ",".join(_acting(game, options, view)),
        "result": "" if outcome is None else outcome["code"],
    }


def _words(game: Game | None, options: Options, view: View, language: str) -> dict[str, str]:
    if game is None:
        return {"title": "", "phase": "", "turn": "", "result": ""}
    outcome, texts = view["outcome"], game.texts
    phase = f"phase.{view.get('phase')}"
    return {
        "title": texts.say("game.title", language),
        "phase": texts.say(phase, language) if outcome is None and phase in texts else "",
        "turn": ", ".join(seat_label(game, seat, language) for seat in _acting(game, options, view)),
        "result": "" if outcome is None else texts.say(f"outcome.{outcome['code']}", language),
    }


# Events ----------------------------------------------------------------------------------------

EVENTS = ("started", "turn", "attack", "ended")
"""What a house may react to at the moment when it happens."""


class Moment(NamedTuple):
    """What events are told by: which game it is, who must act, what is attacked, how it ended."""

    number: int
    turn: str
    attacked: tuple[int, ...]
    result: str
    version: int = 0


NOTHING = Moment(0, "", (), "")


def moment(number: int, game: Game | None, options: Options, update: Update) -> Moment:
    """The moment that an update for the public brings: attacks are those whose cues it plays."""
    if game is None:
        return NOTHING
    keys = _keys(game, options, update.view)
    ways = [way for timed in update.cues if timed.cue.light == "attack" for way in timed.cue.ways]
    attacked = sorted({cell for way in ways for cell in way})
    return Moment(number, keys["turn"], tuple(attacked), keys["result"], update.version)


def events(before: Moment, now: Moment) -> list[Facts]:
    """What has happened between two moments, each as Home Assistant's event entity takes it."""
    if not now.number:
        return []
    happened: list[Facts] = []
    if now.number != before.number:
        before = Moment(now.number, "", (), "")
        happened.append({"event_type": "started"})
    if now.attacked and now.version != before.version:
        happened.append({"event_type": "attack", "places": len(now.attacked)})
    if now.turn and now.turn != before.turn:
        happened.append({"event_type": "turn", "seat": now.turn})
    if now.result and not before.result:
        happened.append({"event_type": "ended", "result": now.result})
    return happened


# Discovery -------------------------------------------------------------------------------------


class Sensor(NamedTuple):
    """One entity: its names, its icon, and where its value stands in a state."""

    names: tuple[str, str]
    icon: str
    path: str
    is_for_programs: bool = False
    """Whether it holds a key that never changes with the language: for automations, not for a dashboard."""


SENSORS: Mapping[str, Sensor] = {
    "game": Sensor(("Game", "Игра"), "mdi:cards", "{language}.title"),
    "phase": Sensor(("Phase", "Фаза"), "mdi:format-list-numbered", "{language}.phase"),
    "turn": Sensor(("Turn", "Ход"), "mdi:account-clock", "{language}.turn"),
    "result": Sensor(("Result", "Итог"), "mdi:flag-checkered", "{language}.result"),
    "players": Sensor(("Players", "Игроки"), "mdi:account-group", "players"),
    "mood": Sensor(("Mood", "Настроение"), "mdi:candle", "mood"),
    "room": Sensor(("Room light", "Свет в комнате"), "mdi:lightbulb", "rgb_color | join(',')"),
    "game_key": Sensor(("Game (key)", "Игра (ключ)"), "mdi:key", "key.game", True),
    "phase_key": Sensor(("Phase (key)", "Фаза (ключ)"), "mdi:key", "key.phase", True),
    "turn_key": Sensor(("Turn (key)", "Ход (ключ)"), "mdi:key", "key.turn", True),
    "result_key": Sensor(("Result (key)", "Итог (ключ)"), "mdi:key", "key.result", True),
}
UNKNOWN = "None"
"""What Home Assistant takes for: nothing is known."""


CONTROLS: Mapping[str, tuple[tuple[str, str], Facts]] = {
    "light_level": (
        ("Light level", "Яркость света"),
        {
            "platform": "number",
            "icon": "mdi:brightness-6",
            "unit_of_measurement": "%",
            "min": DIMMEST,
            "max": BRIGHTEST,
            "step": 5,
            "value_template": "{{ value_json.light_level }}",
        },
    ),
    "pause": (
        ("Pause", "Пауза"),
        {
            "platform": "switch",
            "icon": "mdi:pause-circle",
            "value_template": "{{ 'ON' if value_json.pause else 'OFF' }}",
        },
    ),
    "next_game": (("Remind of the next game", "Напомнить о следующей игре"), {"platform": "button"}),
}
"""What a house may ask for: their names, and how Home Assistant shows them."""


def discovery(name: str, where: Topics, language: str = "en", *, commands: bool = False) -> Facts:
    """What Home Assistant needs to know to show the table as one device, and with `commands` to ask of it."""
    release = version("gloam")
    components: Facts = {key: _sensor(sensor, language) for key, sensor in SENSORS.items()}
    components["mood"] |= {"device_class": "enum", "options": list(ROOM)}
    components["playing"] = {
        "platform": "binary_sensor",
        "name": ("Playing", "Идёт игра")[LANGUAGES.index(language)],
        "device_class": "running",
        "value_template": "{{ 'ON' if value_json.playing else 'OFF' }}",
    }
    components["room"] |= {
        "json_attributes_topic": where.state,
        "json_attributes_template": (
            "{{ {'rgb_color': value_json.rgb_color, 'brightness': value_json.brightness} | tojson }}"
        ),
    }
    components["event"] = {
        "platform": "event",
        "name": ("Event", "Событие")[LANGUAGES.index(language)],
        "icon": "mdi:flash",
        "event_types": list(EVENTS),
        "state_topic": where.event,
    }
    for key, (names, shown) in CONTROLS.items() if commands else ():
        own = {"name": names[LANGUAGES.index(language)], "command_topic": f"{where.commands}/{key}"}
        components[key] = {**shown, **own}
    for key, component in components.items():
        component["unique_id"] = f"{where.table_id}-{key}"
        # Without this the id would be made from the name, and so from the language.
        component["default_entity_id"] = f"{component['platform']}.{where.table_id.replace('-', '_')}_{key}"
    if not commands:
        # Home Assistant takes away what has nothing but a platform.
        components |= {key: {"platform": shown["platform"]} for key, (_, shown) in CONTROLS.items()}
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


def _sensor(sensor: Sensor, language: str) -> Facts:
    path = sensor.path.format(language=language)
    told: Facts = {
        "platform": "sensor",
        "name": sensor.names[LANGUAGES.index(language)],
        "icon": sensor.icon,
        "value_template": f"{{{{ value_json.{path} or '{UNKNOWN}' }}}}",
    }
    return told | {"entity_category": "diagnostic"} if sensor.is_for_programs else told
