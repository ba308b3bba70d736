"""What the owner of a box may check and correct: counts, effects, numbers, ways and names.

An effect is one that the rules know: that of a card which we describe. Its numbers may differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import combinations
from typing import Any

from companion.engine.facts import (
    BOOK,
    UNCHECKED,
    Fact,
    FactValue,
    Said,
    choice,
    name_of,
    number,
    text,
    yes_no,
)
from companion.games.whisper.readings import Json

MOST = 9
"""No box holds more cards of a kind."""
BY_ID = frozenset({"s11", "s12", "s17", "s18", "adrenaline", "amulet"})
"""Skills and items that the rules know by name: they have their own effect, and no other card has it."""
_HOW_MANY = ("How many are in the box?", "Сколько их в коробке?")
_DOES = ("What does it do?", "Что она делает?")
_DECKS = {
    "equipment": ("How many in the equipment deck?", "Сколько в колоде экипировки?"),
    "search": ("How many in the search deck?", "Сколько в колоде поиска?"),
    "start": ("How many among the starting items?", "Сколько среди стартовых предметов?"),
}
_NUMBERS: Mapping[str, Said] = {
    "n": ("the number in its text", "число в её тексте"),
    "min": ("at least so many steps", "не меньше стольких шагов"),
    "max": ("at most so many steps", "не больше стольких шагов"),
    "range": ("how far it reaches", "на сколько локаций действует"),
    "pay": ("cards to pay", "сколько карт платят"),
}
_SPECIAL: Mapping[str, Said] = {
    "radio": ("the radio", "передатчик"),
    "info_source": ("the information source", "источник информации"),
    "spirits": ("the spirits' abode", "обитель духов"),
    "tool_store": ("the tool store", "склад инструментов"),
}
_STEPS: Mapping[str, Said] = {
    "at_info": ("at the information source", "у источника информации"),
    "at_tools": ("at the tool store", "у склада инструментов"),
    "at_spirits": ("at the spirits' abode", "в обители духов"),
    "at_radio": ("at the radio", "у передатчика"),
    "at_secret_exit": ("at the secret exit", "у потайного выхода"),
    "at_killer": ("with the killer", "рядом с убийцей"),
    "all_together": ("all in one place", "все в одной локации"),
    "all_apart": ("all in different places", "все в разных локациях"),
}


def facts(raw: Json) -> Iterator[Fact]:
    """The facts of the box, over the data files."""
    yield from _killer_cards(raw)
    yield from _killers(raw)
    yield from _items(raw)
    yield from _survivors(raw)
    yield from _skills(raw)
    yield from _plans(raw)
    yield from _map(raw)
    yield from _dice(raw)


def _origin(entry: Json, field: str) -> str:
    source = entry.get("src", "")
    if isinstance(source, Mapping):
        source = source.get(field, "")
    return BOOK if "RB" in str(source) else UNCHECKED


def _about(entry: Json) -> Said:
    return entry["en"], entry["ru"]


def _name(base: str, entry: Json) -> Fact:
    def put(value: str) -> None:
        entry["en"] = entry["ru"] = value

    return name_of(f"{base}.name", _about(entry), put)


def _words(base: str, entry: Json) -> Fact:
    def put(value: FactValue) -> None:
        entry["text_en"] = entry["text_ru"] = value

    ask = ("Its words on your copy", "Слова на вашей копии")
    return text(f"{base}.words", _about(entry), ask, put, 300)


def _effect(
    base: str, entry: Json, entries: Sequence[Json], parts: Sequence[str], about: Said, origin: str
) -> Fact:
    """Which of the known effects an entry has: those parts of another entry are taken over."""
    known = {
        other["id"]: deepcopy({part: other[part] for part in parts if part in other}) for other in entries
    }
    choices = [(other["id"], (other["text_en"], other["text_ru"])) for other in entries]

    def put(value: str) -> None:
        if value != entry["id"]:
            for part in parts:
                entry.pop(part, None)
            entry.update(deepcopy(known[value]))

    return choice(f"{base}.effect", entry["id"], about, _DOES, origin, choices, put)


def _exchangeable(entry: Json, known: Sequence[Json]) -> list[Json]:
    """The entries whose effect an entry may have."""
    if entry["id"] in BY_ID:
        return [one for one in known if one["id"] == entry["id"]]
    return [one for one in known if one["id"] not in BY_ID]


def _numbers(base: str, effects: Any, entry: Json, about: Said, origin: str) -> Iterator[Fact]:
    """The numbers of an effect; the text of its card names the ones that the owner has changed."""
    for i, (holder, key) in enumerate(_numbers_in(effects), 1):
        yield _numeral(f"{base}.effect.{i}", holder, key, entry, about, origin)


def _numeral(name: str, holder: Json, key: str, entry: Json, about: Said, origin: str) -> Fact:
    said = _NUMBERS[key]
    old = holder[key]

    def put(value: FactValue) -> None:
        holder[key] = value
        if value != old:
            entry["text_en"] += f" ({said[0]}: {value})"
            entry["text_ru"] += f" ({said[1]}: {value})"

    low = -3 if old < 0 else 0  # the same under every reading
    high = {"range": 5, "min": 2}.get(key, 6)
    ask = (said[0].capitalize(), said[1].capitalize())
    return Fact(name, "number", old, about, ask, origin, put, low, high)


def _numbers_in(effects: Any) -> Iterator[tuple[Json, str]]:
    if isinstance(effects, list):
        for one in effects:
            yield from _numbers_in(one)
    elif isinstance(effects, dict):
        for key, value in effects.items():
            if key in _NUMBERS and isinstance(value, int) and not isinstance(value, bool):
                yield effects, key
            elif isinstance(value, dict | list):
                yield from _numbers_in(value)


# The parts of the box ---------------------------------------------------------------------------------


def _killer_cards(raw: Json) -> Iterator[Fact]:
    entries = raw["killer_cards"]["cards"]
    known = deepcopy(entries)
    for entry in entries:
        base, about = f"killer_cards.{entry['id']}", _about(entry)
        yield _name(base, entry)
        if not entry["locked"]:
            yield number(f"{base}.count", entry, "count", about, _HOW_MANY, _origin(entry, "count"), 0, MOST)
        cost = ("Cards to discard first (-1: all)", "Сколько карт сбросить сначала (-1: все)")
        yield number(f"{base}.cost", entry, "cost", about, cost, _origin(entry, "cost"), -1, 4)
        origin = _origin(entry, "effects")
        own = [one for one in known if one["killer"] == entry["killer"]]
        parts = ("effects", "modes", "timing", "text_en", "text_ru")
        yield _effect(base, entry, own, parts, about, origin)
        yield from _numbers(base, [entry["effects"], entry.get("modes", [])], entry, about, origin)
        yield _words(base, entry)


def _killers(raw: Json) -> Iterator[Fact]:
    for entry in raw["killers"]["killers"]:
        base, about = f"killers.{entry['id']}", _about(entry)
        yield _name(base, entry)
        ask = ("Strength at the beginning", "Сила в начале")
        origin = _origin(entry, "start_strength")
        yield number(f"{base}.strength", entry, "start_strength", about, ask, origin, 1, 10)
        for level in entry["levels"]:
            numbers = _numbers_in(level["effects"])
            for i, (holder, key) in enumerate(numbers, 1):
                said = _NUMBERS[key]
                ask = (f"Level {level['level']}: {said[0]}", f"Уровень {level['level']}: {said[1]}")
                one = _numeral(f"{base}.level{level['level']}_{i}", holder, key, level, about, UNCHECKED)
                yield one._replace(ask=ask, origin=_origin(entry, "levels"))


def _items(raw: Json) -> Iterator[Fact]:
    entries = raw["items"]["items"]
    known = deepcopy(entries)
    for entry in entries:
        base, about = f"items.{entry['id']}", _about(entry)
        yield _name(base, entry)
        for deck, ask in _DECKS.items():
            # Two keys lie in the equipment deck (WW-SETUP), and the last search card is one.
            low = int(entry["id"] == "key" and deck == "search")
            if entry["id"] != "key" or deck == "search":
                origin = _origin(entry, "count")
                yield number(f"{base}.{deck}", entry["count"], deck, about, ask, origin, low, MOST)
        noisy = ("Is there noise when it is drawn?", "Шум при взятии?")
        yield yes_no(f"{base}.noisy", entry, "noise_icon", about, noisy, _origin(entry, "noise_icon"))
        if entry["id"] == "key":
            continue
        kept = ("Is it kept after use (∞)?", "Остаётся после применения (∞)?")
        yield yes_no(f"{base}.kept", entry, "infinite", about, kept, _origin(entry, "effects"))
        weapon = ("Is it a weapon?", "Это оружие?")
        yield yes_no(f"{base}.weapon", entry, "weapon", about, weapon, _origin(entry, "effects"))
        origin = _origin(entry, "effects")
        others = _exchangeable(entry, [one for one in known if one["id"] != "key"])
        yield _effect(base, entry, others, ("uses", "effects", "mods", "text_en", "text_ru"), about, origin)
        yield from _numbers(base, [entry.get("effects", []), entry.get("mods", [])], entry, about, origin)
        yield _words(base, entry)


def _survivors(raw: Json) -> Iterator[Fact]:
    for entry in raw["survivors"]["survivors"]:
        base, about = f"survivors.{entry['id']}", _about(entry)
        yield _name(base, entry)
        origin = _origin(entry, "advantages")
        for power in entry["advantages"]:
            numbers = [*_numbers_in(power.get("effects", [])), *_numbers_in(power.get("mods", []))]
            for i, (holder, key) in enumerate(numbers, 1):
                said = _NUMBERS[key]
                one = _numeral(f"{base}.{power['id']}_{i}", holder, key, power, about, origin)
                ask = (f"{power['en']}: {said[0]}", f"{power['ru']}: {said[1]}")
                if "inventory_limit" in str(holder):
                    one = one._replace(put=_slots(entry, holder), low=1)
                yield one._replace(ask=ask)


def _slots(entry: Json, mod: Json) -> Any:
    def put(value: FactValue) -> None:
        mod["n"] = entry["inventory_limit"] = value

    return put


def _skills(raw: Json) -> Iterator[Fact]:
    entries = raw["skills"]["skills"]
    known = deepcopy(entries)
    parts = ("kind", "once", "per_round", "effects", "trigger", "trigger_more", "mods", "text_en", "text_ru")
    for entry in entries:
        base, about = f"skills.{entry['id']}", _about(entry)
        yield _name(base, entry)
        origin = _origin(entry, "effects")
        others = _exchangeable(entry, [one for one in known if one["side"] == entry["side"]])
        yield _effect(base, entry, others, parts, about, origin)
        numbers = [entry.get("effects", []), entry.get("trigger_more", []), entry.get("mods", [])]
        yield from _numbers(base, numbers, entry, about, origin)
        yield _words(base, entry)


def _plans(raw: Json) -> Iterator[Fact]:
    entries = raw["plans"]["plans"]
    known = deepcopy(entries)
    for entry in entries:
        base, about = f"plans.{entry['id']}", _about(entry)
        yield _name(base, entry)
        for i in range(len(entry["steps"])):
            ask = (f"Step {i + 1}", f"Шаг {i + 1}")
            origin = _origin(entry, "steps")
            steps, at = entry["steps"], i

            def put(value: FactValue, steps: list[FactValue] = steps, at: int = at) -> None:
                steps[at] = value

            yield choice(f"{base}.step{i + 1}", steps[i], about, ask, origin, tuple(_STEPS.items()), put)
        yield _effect(
            base, entry, known, ("abilities", "text_en", "text_ru"), about, _origin(entry, "abilities")
        )
        yield _words(base, entry)


def _map(raw: Json) -> Iterator[Fact]:
    world = raw["map"]
    rooms = {place["id"]: place for place in world["locations"]}
    for place in rooms.values():
        yield _name(f"places.{place['id']}", place)
    house = (world["en"], world["ru"])
    pairs = tuple((f"{a}-{b}", (f"{a} – {b}", f"{a} – {b}")) for a, b in combinations(sorted(rooms), 2))
    for kind, entries in (("passages", world["passages"]), ("open_links", world["open_links"])):
        for i, way in enumerate(entries, 1):
            ask = (
                (f"White passage {i} joins", f"Белый проход {i} соединяет")
                if kind == "passages"
                else (f"Dotted line {i} joins", f"Пунктир {i} соединяет")
            )
            pair = "-".join(sorted((way["a"], way["b"])))
            yield choice(f"{kind}.{i}", pair, house, ask, _origin(way, ""), pairs, _joining(way, rooms))
    for name, said in _SPECIAL.items():
        ask = (f"Where is {said[0]}?", f"Где {said[1]}?")
        choices = tuple((code, _about(place)) for code, place in rooms.items())

        def put(value: FactValue, name: str = name) -> None:
            world["special"][name] = value

        yield choice(f"special.{name}", world["special"][name], house, ask, UNCHECKED, choices, put)


def _joining(way: Json, rooms: Mapping[str, Json]) -> Any:
    def put(value: str) -> None:
        a, b = value.split("-")
        if {a, b} != {way["a"], way["b"]}:
            way.update(a=a, b=b)
            ends = rooms[a]["pos"], rooms[b]["pos"]
            way["pos"] = [(ends[0][axis] + ends[1][axis]) / 2 for axis in (0, 1)]

    return put


def _dice(raw: Json) -> Iterator[Fact]:
    faces = raw["dice"]["faces"]
    for i in range(len(faces)):
        ask = (f"Side {i + 1} shows", f"Грань {i + 1}")
        yield number(f"dice.die.{i + 1}", faces, i, ("The die", "Кубик"), ask, _origin(raw["dice"], ""), 0, 3)
