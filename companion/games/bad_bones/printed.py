"""What is printed on the pieces: symbols, arrows, stars and prices, read from `printed.json`.

The Russian rulebook shows much of this only in pictures, so the owner of a box may correct the file. Every
value there names its source. A mistake is a `ConfigError` that names the file, the entry and what is allowed.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple

from companion.engine.errors import ConfigError
from companion.engine.facts import Fact, Values, settle
from companion.games.bad_bones.box import facts
from companion.games.bad_bones.owner import VALUES
from companion.games.bad_bones.pieces import (
    ABILITIES,
    COMMANDERS,
    DIRECTION_LETTERS,
    EDGES,
    FIELD,
    INWARD,
    MAX_PLAYERS,
    NEXT,
    SYMBOLS,
    TRAPS,
    TREASURE,
    TYPE_EDGES,
    TYPES,
    WEAPONS,
    spot,
)

FILE = Path(__file__).with_name("printed.json")
SOURCES = ("rulebook", "public", "placeholder", "owner")
EXITS = ("left neighbour", "right neighbour", "any opponent", "village", "capital")
TO_LEFT, TO_RIGHT, TO_ANY, TO_VILLAGE, TO_CAPITAL = range(5)


class Side(NamedTuple):
    """One side of the players' boards as tables."""

    towers: tuple[int, ...]
    exits: tuple[int, int, int, int]
    """What lies beyond the field, by direction of travel."""
    spots: tuple[int, ...]
    """The forest spot of each type."""
    arrows: tuple[int, ...]
    """The facing after entering a plain cell, by `cell * 4 + direction`."""
    plain: tuple[tuple[tuple[int, int] | None, ...], ...]
    """Cell and facing after a step onto a plain cell, by place and direction; None beyond the field."""


class Kind(NamedTuple):
    """One kind of skeleton token."""

    name: str
    type: int
    ability: int
    copies: int


class Printed(NamedTuple):
    """Everything read from the file."""

    standard: Side
    coop: Side
    shapes: tuple[str, ...]
    kinds: tuple[Kind, ...]
    copies: tuple[int, ...]
    """Trap tiles in the box."""
    stars: tuple[tuple[int, int], ...]
    prices: tuple[int, ...]
    """Of the traps, then of the weapons."""
    market: tuple[tuple[int, ...], ...]
    """Trap tiles on offer, by number of players - 1 and trap."""
    coins: int
    coop_coins: int


class _Entry:
    """A part of the file that knows its own name, for messages."""

    def __init__(self, file: str, name: str, value: Any) -> None:
        self.file, self.name, self.value = file, name, value

    def wrong(self, expected: str) -> ConfigError:
        return ConfigError(f"{self.file}: {self.name} is {self.value!r}; expected {expected}")

    def fields(self, required: Collection[str]) -> dict[str, _Entry]:
        if not isinstance(self.value, dict):
            raise self.wrong(f"an object with {', '.join(required)}")
        for key in self.value:
            if key not in required:
                raise ConfigError(
                    f"{self.file}: {self.name} has an unknown entry {key!r}; known: {', '.join(required)}"
                )
        for key in required:
            if key not in self.value:
                raise ConfigError(f"{self.file}: {self.name} lacks {key!r}")
        return {key: _Entry(self.file, f"{self.name}.{key}", self.value[key]) for key in required}

    def items(self) -> list[_Entry]:
        if not isinstance(self.value, list):
            raise self.wrong("a list")
        return [_Entry(self.file, f"{self.name}[{i}]", one) for i, one in enumerate(self.value)]

    def sourced(self) -> _Entry:
        """The value of an entry that also names its source."""
        parts = self.fields(("value", "source"))
        parts["source"].one_of(SOURCES)
        return parts["value"]

    def one_of(self, allowed: Collection[str]) -> str:
        if self.value not in allowed:
            raise self.wrong(f"one of {', '.join(allowed)}")
        return str(self.value)

    def number(self, low: int = 0) -> int:
        if not isinstance(self.value, int) or isinstance(self.value, bool) or self.value < low:
            raise self.wrong(f"a whole number of at least {low}")
        return self.value

    def cell(self) -> int:
        match self.value:
            case [int(column), int(row)] if 1 <= column <= 5 and 1 <= row <= 5:
                return (row - 1) * 5 + column - 1
        raise self.wrong("[column, row], each from 1 to 5")


def document_of(file: Path = FILE) -> Any:
    """The content of the file."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise ConfigError(f"{file.name}: line {error.lineno} is not JSON: {error.msg}") from error


def open_box(values: Values) -> tuple[Fact, ...]:
    """The facts of the box with these values; raises `ConfigError` for what cannot be played."""
    document = document_of()
    found = settle(facts(document), values)
    compiled(document)
    return found


def read(file: Path = FILE) -> Printed:
    """Reads and checks the file."""
    return compiled(document_of(file), file.name)


def compiled(document: Any, name: str = FILE.name) -> Printed:
    """Checks the content of the file and makes it into tables."""
    parts = {key: part for key, part in document.items() if key != "names"}
    top = _Entry(name, "the file", parts).fields(
        ("note", "sides", "symbols", "copies_of_each_type", "commanders", "traps", "weapons", "market")
    )
    sides = top["sides"].fields(("standard", "coop"))
    traps = [top["traps"].fields(TRAPS)[name] for name in TRAPS]
    facts = [trap.fields(("copies", "stars", "price")) for trap in traps]
    weapons = [top["weapons"].fields(WEAPONS)[name].fields(("price",))["price"].sourced() for name in WEAPONS]
    stars = [fact["stars"].fields(("front", "back")) for fact in facts]
    copies = tuple(fact["copies"].sourced().number() for fact in facts)
    return Printed(
        standard=_side(sides["standard"], "TO_VILLAGE"),
        coop=_side(sides["coop"], "TO_CAPITAL"),
        shapes=_shapes(top["symbols"]),
        kinds=_kinds(top["copies_of_each_type"].sourced().number(1), top["commanders"]),
        copies=copies,
        stars=tuple((s["front"].sourced().number(), s["back"].sourced().number()) for s in stars),
        prices=(
            *(fact["price"].sourced().number() for fact in facts),
            *(price.number() for price in weapons),
        ),
        market=_market(top["market"], copies),
        coins=_budget(top["market"], "coins_each"),
        coop_coins=_budget(top["market"], "coins_each_coop"),
    )


MARKET_FIELDS = ("tiles", "coins_each", "coins_each_coop")


def _budget(market: _Entry, name: str) -> int:
    return market.fields(MARKET_FIELDS)[name].sourced().number()


def _market(market: _Entry, copies: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    names = [name for trap, name in enumerate(TRAPS) if trap != TREASURE]
    rows = market.fields(MARKET_FIELDS)["tiles"].fields(names)
    columns = [[0] * len(TRAPS) for _ in range(MAX_PLAYERS)]
    for name in names:
        row = rows[name].sourced()
        numbers = [entry.number() for entry in row.items()]
        limit = copies[TRAPS.index(name)]
        if len(numbers) != MAX_PLAYERS or max(numbers) > limit:
            raise row.wrong(f"{MAX_PLAYERS} numbers of at most {limit}, the tiles in the box")
        for players, number in enumerate(numbers):
            columns[players][TRAPS.index(name)] = number
    return tuple(map(tuple, columns))


def _shapes(symbols: _Entry) -> tuple[str, ...]:
    shapes = {}
    for entry in symbols.items():
        parts = entry.fields(("code", "colour", "shape"))
        parts["colour"].sourced()
        shapes[parts["code"].one_of(SYMBOLS)] = str(parts["shape"].sourced().value)
    if len(shapes) != len(SYMBOLS):
        raise symbols.wrong(f"each of {', '.join(SYMBOLS)} once")
    return tuple(shapes[code] for code in SYMBOLS)


def _kinds(copies: int, commanders: _Entry) -> tuple[Kind, ...]:
    kinds = [Kind(name, i, 0, copies) for i, name in enumerate(TYPES)]
    counts = dict.fromkeys(COMMANDERS, 0)
    names: dict[str, int] = {}
    for entry in commanders.items():
        parts = entry.fields(("ability", "type", "source"))
        ability, token = parts["ability"].one_of(tuple(COMMANDERS)), parts["type"].one_of(TYPES)
        parts["source"].one_of(SOURCES)
        counts[ability] += 1
        name = f"{ability}-{token}"
        names[name] = names.get(name, 0) + 1
        if names[name] > 1:
            name = f"{name}-{names[name]}"
        kinds.append(Kind(name, TYPES.index(token), ABILITIES.index(ability), 1))
    if counts != COMMANDERS:
        raise ConfigError(f"{commanders.file}: {commanders.name} counts {counts}; expected {COMMANDERS}")
    return tuple(kinds)


def _side(side: _Entry, goal: str) -> Side:
    parts = side.fields(("towers", "edges", "arrows", "ruin_arrows"))
    towers = tuple(entry.cell() for entry in parts["towers"].sourced().items())
    edges = parts["edges"].fields(EDGES)
    middle = "bottom" if goal == "TO_CAPITAL" else "top"
    exits, spots = [0] * 4, [0] * len(TYPES)
    for edge, name in enumerate(EDGES):
        fields = edges[name].fields(("symbols", "on_exit"))
        exits[(INWARD[edge] + 2) % 4] = EXITS.index(fields["on_exit"].sourced().one_of(EXITS))
        symbols = fields["symbols"].sourced()
        if not symbols.value:
            continue
        if sorted(map(str, symbols.value)) != sorted(SYMBOLS):
            raise symbols.wrong(f"each of {', '.join(SYMBOLS)} once")
        letter = "T" if name == middle else name[0].upper()
        if letter not in TYPE_EDGES:
            raise symbols.wrong("no symbols: the other middle edge has no forest")
        for i, symbol in enumerate(symbols.value):
            spots[TYPES.index(symbol + letter)] = spot(edge, i)
    if 0 in spots:
        raise ConfigError(f"{side.file}: {side.name}.edges must have forest on left, right and {middle}")
    arrows = _arrows(parts["arrows"], parts["ruin_arrows"], towers)
    plain = tuple(
        tuple((cell, arrows[cell * 4 + d]) if cell >= 0 else None for d, cell in enumerate(beyond))
        for beyond in NEXT
    )
    return Side(towers, (exits[0], exits[1], exits[2], exits[3]), tuple(spots), arrows, plain)


def _arrows(always: _Entry, under_ruins: _Entry, towers: tuple[int, ...]) -> tuple[int, ...]:
    table = [direction for _ in range(FIELD) for direction in range(4)]
    seen: set[tuple[int, int]] = set()
    for entry, ruin in [(e, False) for e in always.items()] + [(e, True) for e in under_ruins.items()]:
        parts = entry.fields(("cell", "in", "out", "enabled", "source", "in_source"))
        cell = parts["cell"].cell()
        into = DIRECTION_LETTERS.index(parts["in"].one_of(tuple(DIRECTION_LETTERS)))
        out = DIRECTION_LETTERS.index(parts["out"].one_of(tuple(DIRECTION_LETTERS)))
        parts["source"].one_of(SOURCES)
        parts["in_source"].one_of(SOURCES)
        if not isinstance(parts["enabled"].value, bool):
            raise parts["enabled"].wrong("true or false")
        if (into + out) % 2 == 0:
            raise parts["out"].wrong(f"a direction across {DIRECTION_LETTERS[into]}: the arrows are bent")
        if (cell in towers) != ruin:
            raise parts["cell"].wrong("a tower's cell" if ruin else "a cell without a tower")
        if not parts["enabled"].value:
            continue
        if (cell, into) in seen:
            raise entry.wrong("at most one arrow per cell and incoming direction")
        seen.add((cell, into))
        table[cell * 4 + into] = out
    return tuple(table)


DOCUMENT = document_of()
"""The content of the file, with what the owner of the box has entered."""
FACTS = settle(facts(DOCUMENT), VALUES)
PRINTED = compiled(DOCUMENT)
KINDS = PRINTED.kinds
KIND_NAMES = tuple(kind.name for kind in KINDS)
ORDINARY = len(TYPES)
TYPE = tuple(kind.type for kind in KINDS)
SYMBOL = tuple(kind.type // len(TYPE_EDGES) for kind in KINDS)
ABILITY = tuple(kind.ability for kind in KINDS)
