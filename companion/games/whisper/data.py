"""The eight data files of the box, checked and compiled.

The rulebook prints few cards, so cards, skills and plans live in JSON files beside this module, and the owner
of a box may correct them (`box`). Loading checks counts, references and connectivity and refuses with the
file, the entry, the value and what is allowed. Where public sources disagree, an entry names the other
reading; `readings` makes a switch of each. What the owner has checked is not subject to a reading.

Effects are compiled into tuples `(op, *arguments)` that the rules run.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from companion.engine.errors import ConfigError
from companion.engine.facts import Fact, Values, settle
from companion.games.whisper.box import facts
from companion.games.whisper.owner import VALUES
from companion.games.whisper.readings import READINGS, Json

HERE = Path(__file__).parent
FILES = ("map", "killers", "killer_cards", "survivors", "items", "dice", "skills", "plans")
DECKS = ("equipment", "search", "start")
TIMINGS = ("fast", "boost", "plan", "attack")
"""When a killer card is played: instant step, main step, planning step, an attack."""

FEWEST_CARDS, FEWEST_ITEMS = 8, (12, 6, 2)
"""The smallest decks that the rules can deal from: of a killer; of equipment, search and starting items."""

Effect = tuple[Any, ...]
Effects = tuple[Effect, ...]


class KillerBoard(NamedTuple):
    """A killer board."""

    id: str
    strength: int
    locked: int
    """The card that a level unlocks."""
    gains: tuple[Effects, ...]
    """What reaching each level does once; index 0 is level 1."""
    triggers: tuple[tuple[int, str, Effects], ...]
    """What stays active from a level on: level, trigger, effects."""


class Card(NamedTuple):
    """A kind of killer card."""

    id: str
    killer: int
    copies: int
    timings: frozenset[str]
    cost: int
    """Other cards to discard; -1 stands for all of them."""
    locked: bool
    effects: Mapping[str, Effects]
    """The effects in each timing."""


class Use(NamedTuple):
    """One way in which a survivor can use something: an item, an advantage, a skill, a plan."""

    timing: str
    """special (the main action) | extra | defence | reaction | a trigger"""
    effects: Effects
    at: str = ""
    """A special place where it must be used."""
    pays: tuple[int, int] | None = None
    """An item and how many of it are discarded for it."""
    once: bool = False


class Item(NamedTuple):
    """A kind of item card."""

    id: str
    copies: tuple[int, int, int]
    """Cards in the equipment deck, in the search deck, among the start items."""
    noisy: bool
    endless: bool
    weapon: bool
    owner: str
    needs: int
    """The item that must be with it to defend, or -1."""
    uses: tuple[Use, ...]
    mods: tuple[Json, ...]
    action: Use | None
    """The use that is an action of its own, if there is one."""


class SurvivorBoard(NamedTuple):
    """A survivor board."""

    id: str
    colour: str
    slots: int
    start: tuple[int, ...]
    advantages: tuple[str, ...]
    mods: tuple[Json, ...]


class Skill(NamedTuple):
    """A skill card of variant 1."""

    id: str
    side: str
    kind: str
    once: bool
    per_round: bool
    triggers: tuple[tuple[str, Effects], ...]
    """What happens when; set-up effects have the trigger "setup"."""
    mods: tuple[Json, ...]
    action: Use | None
    """How it is used as an action of its own, if it is."""


class Plan(NamedTuple):
    """A plan card of variant 3."""

    id: str
    steps: tuple[str, ...]
    uses: tuple[Use, ...]
    done: Effects
    """What accomplishing it does at once."""
    wins: tuple[Json, ...]
    mods: tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class Box:
    """Everything printed on cards and boards, under one set of readings."""

    locations: tuple[str, ...]
    zones: tuple[tuple[int, ...], ...]
    passages: tuple[tuple[int, int], ...]
    dotted: tuple[tuple[int, int], ...]
    secret: tuple[tuple[int, int], ...]
    special: Mapping[str, tuple[int, ...]]
    survivors_start: int
    killer_start: int
    killers: tuple[KillerBoard, ...]
    cards: tuple[Card, ...]
    survivors: tuple[SurvivorBoard, ...]
    items: tuple[Item, ...]
    faces: tuple[int, ...]
    dice: int
    skills: tuple[Skill, ...]
    difficulty: Mapping[str, tuple[int, int, int, int]]
    plans: tuple[Plan, ...]
    advantages: Mapping[str, Use]
    """The advantages that are actions; Sophia's says which item makes it an extra one."""
    eased_by: Mapping[str, int]


# What the files may say -------------------------------------------------------------------------

_OPS: dict[str, tuple[str, ...]] = {
    "move": ("min", "max"),
    "fear": ("who", "range", "n"),
    "draw": ("n",),
    "choice": ("options",),
    "may": ("pay", "do"),
    "stealth": ("min", "max"),
    "search": (),
    "sense": ("scope", "range"),
    "expose": ("who",),
    "wound": ("who", "range", "kind"),
    "kill": ("who", "range"),
    "barricade": ("where", "n"),
    "strength": ("n", "until"),
    "unlock": ("card",),
    "retime": ("card", "timing"),
    "repeat": ("while", "do"),
    "on_reveal": ("do",),
    "start_hand": ("n",),
    "set_level": ("n",),
    "skip_turn": ("n",),
    "cancel_encounter": (),
    "end_turn": (),
    "passage": (),
    "noise": ("at",),
    "firecracker": (),
    "heal": ("who", "clear_fear"),
    "clear_fear": ("who", "n"),
    "unbarricade": ("where", "n"),
    "repair": ("n", "anywhere"),
    "place": ("token", "at"),
    "defence": ("n",),
    "recover": ("from", "items", "n"),
    "draw_search": ("n", "who"),
    "take_from_deck": ("deck", "item"),
    "gain_key": ("from",),
    "killer_draw": ("n",),
    "killer_mill": ("n",),
    "prevent_wound": ("kind",),
    "group_move": ("who", "min", "max"),
    "leave_encounter": ("who", "move"),
    "cancel_noise": (),
    "keep_both": (),
}
"""Every primitive with its arguments, in the order of the compiled tuple."""
_OPTIONAL: dict[tuple[str, str], Any] = {
    ("fear", "range"): 0,
    ("wound", "range"): 0,
    ("kill", "range"): 0,
    ("sense", "range"): 0,
    ("heal", "clear_fear"): False,
    ("repair", "anywhere"): False,
    ("clear_fear", "n"): 0,
    ("barricade", "n"): 0,
}
_WORDS: dict[str, frozenset[str]] = {
    "who": frozenset(
        [
            "self",
            "all",
            "here",
            "range",
            "path",
            "encounter",
            "feared",
            "sensed",
            "panicked",
            "choose_any",
            "target_here",
            "other_here",
            "others_here",
            "others_all",
            "others_encounter",
        ]
    ),
    "at": frozenset(["here", "adjacent", "any", "destination", "spirits", "plan_marker", "survivors"]),
    "where": frozenset(("here", "here_all", "any")),
    "scope": frozenset(("zone", "adjacent_pair", "range", "noisy_location")),
    "until": frozenset(("permanent", "turn_end", "attack_end")),
    "kind": frozenset(("direct", "encounter")),
    "timing": frozenset(TIMINGS),
    "token": frozenset(("trap", "plan_marker")),
    "while": frozenset(("no_encounter_and_barricade_removed",)),
    "deck": frozenset(("equipment",)),
    "from": frozenset(("discard", "search_bottom")),
}
MODS = frozenset(
    [
        "sense_immune",
        "silent",
        "inventory_limit",
        "toolbox_repair",
        "defence_no_item",
        "secret_exit_escape",
        "item_defence",
        "main_move_max",
        "flee_max",
        "auto_success",
        "overflow_choice",
        "repair_bonus",
        "passages_linked",
        "defence_by_discard",
    ]
)
TRIGGERS = frozenset(
    [
        "encounter_start",
        "encounter_named",
        "panic",
        "reveal_encounter",
        "main_move",
        "after_flee",
        "equip_noise",
        "equip_drawn",
        "defence_item",
        "turn_start",
        "turn_start_open",
        "turn_end_quiet",
        "sense_hit",
        "wound_dealt",
    ]
)
WINS = frozenset(
    [
        "killer_search_marker_empty",
        "defence_margin_at_marker",
        "start_together_adjacent_killer_no_encounter",
        "defence_success_at_spirits",
        "start_all_at_spirits_with_items",
    ]
)
_ORDER = ("strength", "unlock", "retime")
"""The order of the effects of a new level (WW-LEVEL-04); all others follow."""


# Loading ----------------------------------------------------------------------------------------


def shipped(folder: Path = HERE) -> Json:
    """Reads the eight files as they are."""
    raw: Json = {}
    for name in FILES:
        path = folder / f"{name}.json"
        try:
            raw[name] = json.loads(path.read_text("utf-8"))
        except OSError as error:
            raise ConfigError(f"{path.name}: cannot be read: {error.strerror}") from error
        except ValueError as error:
            raise ConfigError(f"{path.name}: {error}") from error
    return raw


def read(values: Values = VALUES) -> Json:
    """The content of the files with what the owner has entered."""
    raw = shipped()
    settle(facts(raw), values)
    return raw


def open_box(values: Values) -> tuple[Fact, ...]:
    """The facts of the box with these values; raises `ConfigError` for what cannot be played."""
    raw = shipped()
    found = settle(facts(raw), values)
    _Compiler(raw).box()
    return found


FACTS = settle(facts(shipped()), VALUES)
"""What the owner may check, as it is in this box."""


@lru_cache(maxsize=32)
def load(readings: frozenset[str] = frozenset(), folder: Path = HERE) -> Box:
    """Loads the box under the given other readings; raises `ConfigError` for what cannot be played."""
    raw = shipped(folder)
    for name in sorted(readings):
        for change in READINGS[name][1]:
            change(raw)
    if VALUES:
        settle(facts(raw), VALUES, strict=not readings)
    try:
        return _Compiler(raw).box()
    except KeyError as error:
        raise ConfigError(f"a data file lacks the entry {error}") from error


class _Compiler:
    """Checks one set of files while it compiles them; `where` names the place for messages."""

    def __init__(self, raw: Json) -> None:
        self.raw = raw
        self.places = self._ids("map", raw["map"]["locations"])
        self.items = self._ids("items", raw["items"]["items"])
        self.killers = self._ids("killers", raw["killers"]["killers"])
        self.cards = self._ids("killer_cards", raw["killer_cards"]["cards"])

    def box(self) -> Box:
        """Compiles everything."""
        world = self.raw["map"]
        self._map(world)
        survivors, advantages, eased = self._survivors()
        return Box(
            locations=tuple(self.places),
            zones=tuple(
                tuple(i for i, place in enumerate(world["locations"]) if place["zone"] == zone["id"])
                for zone in world["zones"]
            ),
            passages=self._edges(world["passages"], "passages"),
            dotted=self._edges(world["open_links"], "open_links"),
            secret=self._edges(world["secret_passages"], "secret_passages"),
            special={
                name: tuple(self._place(f"map special.{name}", code) for code in _listed(codes))
                for name, codes in world["special"].items()
            },
            survivors_start=self._place("map start.survivors", world["start"]["survivors"]),
            killer_start=self._place("map start.killer", world["start"]["killer"]),
            killers=tuple(self._killer(entry) for entry in self.raw["killers"]["killers"]),
            cards=self._cards(),
            survivors=survivors,
            items=self._items(),
            faces=self._faces(),
            dice=self.raw["dice"]["count"],
            skills=self._skills(),
            difficulty={
                name: (row["survivor_draw"], row["survivor_keep"], row["killer_draw"], row["killer_keep"])
                for name, row in self.raw["skills"]["difficulty"].items()
            },
            plans=self._plans(),
            advantages=advantages,
            eased_by=eased,
        )

    # The parts ---------------------------------------------------------------------------------

    def _map(self, world: Json) -> None:
        zones = [place["zone"] for place in world["locations"]]
        for zone in world["zones"]:
            _count(f"map zone {zone['id']}: locations", zones.count(zone["id"]), 5)
        _count("map locations", len(self.places), 15)
        _count("map passages", len(world["passages"]), 17)
        _count("map open_links", len(world["open_links"]), 3)
        _count("map secret_passages", len(world["secret_passages"]), 2)
        near: dict[int, set[int]] = {i: set() for i in range(len(self.places))}
        ways = self._edges(world["passages"], "passages")
        for a, b in (*ways, *self._edges(world["open_links"], "open_links")):
            near[a].add(b)
            near[b].add(a)
        found, waiting = {0}, [0]
        while waiting:
            for other in near[waiting.pop()] - found:
                found.add(other)
                waiting.append(other)
        if len(found) < len(self.places):
            cut = ", ".join(code for code, i in self.places.items() if i not in found)
            raise ConfigError(f"map: no way leads from {next(iter(self.places))} to {cut}")

    def _edges(self, edges: Iterable[Json], what: str) -> tuple[tuple[int, int], ...]:
        pairs = []
        for edge in edges:
            where = f"map {what} {edge.get('id', edge.get('symbol'))}"
            pair = (self._place(where, edge["a"]), self._place(where, edge["b"]))
            if pair[0] == pair[1] or pair in pairs or pair[::-1] in pairs:
                raise ConfigError(f"{where}: must join two locations that nothing else in its list joins")
            pairs.append(pair)
        return tuple(pairs)

    def _killer(self, entry: Json) -> KillerBoard:
        where = f"killers {entry['id']}"
        levels = entry["levels"]
        if [level["level"] for level in levels] != [1, 2, 3, 4, 5]:
            raise ConfigError(f"{where}: levels must be 1, 2, 3, 4, 5")
        gains: list[Effects] = []
        triggers = []
        for level in levels:
            effects = self._effects(f"{where} level {level['level']}", level["effects"])
            if "trigger" in level:
                self._trigger(f"{where} level {level['level']}", level["trigger"])
                triggers.append((level["level"], level["trigger"], effects))
                effects = ()
            gains.append(
                tuple(sorted(effects, key=lambda e: _ORDER.index(e[0]) if e[0] in _ORDER else len(_ORDER)))
            )
        locked = self._of(where, "locked_card", entry["locked_card"], self.cards)
        if not any(("unlock", locked) == effect for effects in gains for effect in effects):
            raise ConfigError(f"{where}: no level unlocks {entry['locked_card']}")
        return KillerBoard(entry["id"], entry["start_strength"], locked, tuple(gains), tuple(triggers))

    def _cards(self) -> tuple[Card, ...]:
        cards = []
        for entry in self.raw["killer_cards"]["cards"]:
            where = f"killer_cards {entry['id']}"
            timings = frozenset(
                self._word(f"{where}: timing", t, frozenset(TIMINGS)) for t in entry["timing"]
            )
            modes = entry.get("modes", dict.fromkeys(timings, entry["effects"]))
            if set(modes) != timings:
                raise ConfigError(f"{where}: modes {sorted(modes)} must be its timings {sorted(timings)}")
            cards.append(
                Card(
                    entry["id"],
                    self._of(where, "killer", entry["killer"], self.killers),
                    entry["count"],
                    timings,
                    self._number(f"{where}: cost", entry["cost"], -1, 12),
                    entry["locked"],
                    {mode: self._effects(where, effects) for mode, effects in modes.items()},
                )
            )
        for name, killer in self.killers.items():
            own = [card for card in cards if card.killer == killer]
            _at_least(f"killer_cards of {name}", sum(card.copies for card in own), FEWEST_CARDS)
            locked = [card.id for card in own if card.locked for _ in range(card.copies)]
            if locked != [self.raw["killers"]["killers"][killer]["locked_card"]]:
                raise ConfigError(f"killer_cards of {name}: exactly its locked_card is locked, not {locked}")
        return tuple(cards)

    def _items(self) -> tuple[Item, ...]:
        items = []
        for entry in self.raw["items"]["items"]:
            where = f"items {entry['id']}"
            needs = -1
            uses = []
            for window in entry["uses"]:
                name, _, other = window.partition("_with:")
                if other:
                    needs = self._of(where, "uses", other, self.items)
                allowed = frozenset(("special", "extra", "defence", "reaction", "passive", "key"))
                self._word(f"{where}: uses", name, allowed)
                if name in entry.get("effects", {}):
                    uses.append(Use(name, self._effects(where, entry["effects"][name])))
            items.append(
                Item(
                    entry["id"],
                    tuple(self._number(f"{where}: count", entry["count"][d], 0, 45) for d in DECKS),  # type: ignore[arg-type]
                    entry["noise_icon"],
                    entry["infinite"],
                    entry["weapon"],
                    entry.get("owner", ""),
                    needs,
                    tuple(uses),
                    self._mods(where, entry.get("mods", ())),
                    _action(uses),
                )
            )
        for deck, (name, fewest) in enumerate(zip(DECKS, FEWEST_ITEMS, strict=True)):
            _at_least(f"items in the {name} deck", sum(item.copies[deck] for item in items), fewest)
        key = items[self.items["key"]]
        _count("items: keys in the equipment deck", key.copies[0], 2)
        if not key.copies[1]:
            raise ConfigError("items key: count.search must be at least 1: the last search card is a key")
        return tuple(items)

    def _survivors(self) -> tuple[tuple[SurvivorBoard, ...], dict[str, Use], dict[str, int]]:
        survivors = []
        actions: dict[str, Use] = {}
        eased: dict[str, int] = {}
        entries = self.raw["survivors"]["survivors"]
        self._ids("survivors", entries)
        _count("survivors", len(entries), 5)
        _count("survivors: different base_colour", len({e["base_colour"] for e in entries}), 5)
        for entry in entries:
            where = f"survivors {entry['id']}"
            mods: list[Json] = []
            for advantage in entry["advantages"]:
                mods += self._mods(where, advantage.get("mods", ()))
                if advantage["kind"] == "special":
                    actions[advantage["id"]] = Use("special", self._effects(where, advantage["effects"]))
                if "extra_if_item" in advantage:
                    eased[advantage["id"]] = self._of(
                        where, "extra_if_item", advantage["extra_if_item"], self.items
                    )
            start = tuple(self._of(where, "start_items", item, self.items) for item in entry["start_items"])
            survivors.append(
                SurvivorBoard(
                    entry["id"],
                    entry["base_colour"],
                    entry["inventory_limit"],
                    start,
                    tuple(advantage["id"] for advantage in entry["advantages"]),
                    tuple(mods),
                )
            )
        return tuple(survivors), actions, eased

    def _faces(self) -> tuple[int, ...]:
        faces = self.raw["dice"]["faces"]
        _count("dice faces", len(faces), 6)
        _count("dice count", self.raw["dice"]["count"], 4)
        return tuple(self._number("dice faces", face, 0, 9) for face in faces)

    def _skills(self) -> tuple[Skill, ...]:
        skills = []
        self._ids("skills", self.raw["skills"]["skills"])
        kinds = frozenset(("special", "extra", "passive", "trigger", "setup"))
        for entry in self.raw["skills"]["skills"]:
            where = f"skills {entry['id']}"
            kind = self._word(f"{where}: kind", entry["kind"], kinds)
            self._word(f"{where}: side", entry["side"], frozenset(("survivor", "killer")))
            triggers = []
            effects = self._effects(where, entry.get("effects", ()))
            if effects:
                trigger = entry.get("trigger", kind)
                if kind in ("passive", "trigger"):
                    self._trigger(where, trigger)
                triggers.append((trigger, effects))
            for more in entry.get("trigger_more", ()):
                self._trigger(where, more["trigger"])
                triggers.append((more["trigger"], self._effects(where, more["effects"])))
            skills.append(
                Skill(
                    entry["id"],
                    entry["side"],
                    kind,
                    entry["once"],
                    bool(entry.get("per_round")),
                    tuple(triggers),
                    self._mods(where, entry.get("mods", ())),
                    _action([Use(name, effects, once=entry["once"]) for name, effects in triggers]),
                )
            )
        for side in ("survivor", "killer"):
            _count(f"skills of a {side}", sum(skill.side == side for skill in skills), 20)
        return tuple(skills)

    def _plans(self) -> tuple[Plan, ...]:
        plans = []
        entries = self.raw["plans"]["plans"]
        self._ids("plans", entries)
        _count("plans", len(entries), 16)
        _count("plans dealt", self.raw["plans"]["dealt"], 2)
        for entry in entries:
            where = f"plans {entry['id']}"
            uses: list[Use] = []
            done: Effects = ()
            wins: list[Json] = []
            mods: list[Json] = []
            for ability in entry["abilities"]:
                effects = self._effects(where, ability.get("effects", ()))
                mods += self._mods(where, ability.get("mods", ()))
                if ability["kind"] == "win":
                    self._word(f"{where}: cond", ability["cond"], WINS)
                    wins.append(ability)
                elif ability["kind"] == "on_complete":
                    done = effects
                elif ability["kind"] in ("special", "extra"):
                    pay = ability.get("pay_item")
                    pays = (self._of(where, "pay_item", pay["item"], self.items), pay["n"]) if pay else None
                    uses.append(
                        Use(ability["kind"], effects, ability.get("at", ""), pays, ability.get("once", False))
                    )
            steps = tuple(
                self._word(f"{where}: steps", step, frozenset(self.raw["plans"]["steps_legend"]))
                for step in entry["steps"]
            )
            plans.append(Plan(entry["id"], steps, tuple(uses), done, tuple(wins), tuple(mods)))
        return tuple(plans)

    # Small checks ------------------------------------------------------------------------------

    def _effects(self, where: str, effects: Iterable[Json]) -> Effects:
        return tuple(self._effect(where, effect) for effect in effects)

    def _effect(self, where: str, effect: Json) -> Effect:
        op = self._word(f"{where}: op", effect.get("op", ""), frozenset(_OPS))
        unknown = set(effect) - {"op", *_OPS[op]}
        if unknown:
            raise ConfigError(f"{where}: {op} takes {', '.join(_OPS[op]) or 'nothing'}, not {unknown.pop()}")
        if effect.get("min", 0) > effect.get("max", effect.get("min", 0)):
            raise ConfigError(f"{where}: {op}.max is {effect['max']}; allowed: at least {effect['min']}")
        return (op, *(self._argument(where, op, name, effect) for name in _OPS[op]))

    def _argument(self, where: str, op: str, name: str, effect: Json) -> Any:
        if name not in effect:
            if (op, name) not in _OPTIONAL or (name == "range" and "range" in effect.values()):
                raise ConfigError(f"{where}: {op} lacks {name}")
            return _OPTIONAL[op, name]
        value = effect[name]
        if name == "do":
            return self._effects(where, value)
        if name == "options":
            return tuple(self._effects(where, option) for option in value)
        if name in ("item", "card"):
            return self._of(where, name, value, self.items if name == "item" else self.cards)
        if name == "items":
            return tuple(self._of(where, name, item, self.items) for item in value)
        if name == "move":
            return (value["min"], value["max"])
        if name in _WORDS:
            return self._word(f"{where}: {op}.{name}", value, _WORDS[name])
        if isinstance(value, bool):
            return value
        return self._number(f"{where}: {op}.{name}", value, -10, 10)

    def _mods(self, where: str, mods: Iterable[Json]) -> tuple[Json, ...]:
        for mod in mods:
            self._word(f"{where}: mod", mod.get("mod", ""), MODS)
        return tuple(mods)

    def _trigger(self, where: str, trigger: str) -> None:
        head, colon, tail = trigger.partition(":")
        if head == "after_card" and colon:
            self._of(where, "trigger", tail, self.cards)
        elif not (head == "level_up" and colon):
            self._word(f"{where}: trigger", trigger, TRIGGERS)

    def _place(self, where: str, code: str) -> int:
        return self._of(where, "location", code, self.places)

    def _ids(self, file: str, entries: list[Json]) -> dict[str, int]:
        ids = {entry["id"]: i for i, entry in enumerate(entries)}
        if len(ids) < len(entries):
            names = [entry["id"] for entry in entries]
            twice = next(name for name in names if names.count(name) > 1)
            raise ConfigError(f"{file}: the id {twice!r} stands twice")
        return ids

    def _of(self, where: str, key: str, name: str, known: Mapping[str, int]) -> int:
        if name not in known:
            raise ConfigError(f"{where}: {key} {name!r} is unknown; known: {', '.join(known)}")
        return known[name]

    def _word(self, where: str, word: Any, allowed: frozenset[str]) -> str:
        if word not in allowed:
            raise ConfigError(f"{where} {word!r} is not allowed; choose one of {', '.join(sorted(allowed))}")
        return str(word)

    def _number(self, where: str, value: Any, low: int, high: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise ConfigError(f"{where} must be a whole number from {low} to {high}, not {value!r}")
        return value


def _action(uses: Iterable[Use]) -> Use | None:
    """The first use that a survivor chooses as an action."""
    return next((use for use in uses if use.timing in ("special", "extra")), None)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _at_least(what: str, found: int, fewest: int) -> None:
    if found < fewest:
        raise ConfigError(f"{what}: there must be at least {fewest}, not {found}")


def _count(what: str, found: int, wanted: int) -> None:
    if found != wanted:
        raise ConfigError(f"{what}: there must be {wanted}, not {found}")
