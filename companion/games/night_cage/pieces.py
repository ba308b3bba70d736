"""The pieces of The Night Cage: tiles with their openings, counts per set-up, colours."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from companion.engine.errors import ConfigError
from companion.engine.facts import UNCHECKED, Fact, FactValue, Values, settle
from companion.engine.grid import EAST, NORTH, SOUTH, WEST
from companion.games.night_cage.owner import VALUES

(
    START,
    STRAIGHT,
    TEE,
    CRACKED_TEE,
    CROSS,
    KEY,
    GATE,
    WAX,
    KEEPER,
    FIEND,
    PATHLESS,
    OMEN,
    SPENT_KEY,
    DIRGE,
) = range(14)

NAMES = (
    "start",
    "straight",
    "tee",
    "cracked-tee",
    "cross",
    "key",
    "gate",
    "wax",
    "keeper",
    "fiend",
    "pathless",
    "omen",
    "spent-key",
    "dirge",
)
"""A key tile whose key was taken is a kind of its own here; on the discard board it is a key tile."""

KINDS = OMEN + 1
"""The kinds of square tiles in the box come first."""

IN_BOX = (5, 10, 30, 2, 12, 8, 4, 13, 7, 3, 3, 5)

PRISONERS = ("red", "blue", "green", "yellow", "purple")
NERVE_LIMIT = 2
NERVE_TOKENS = 14
KEY_TOKENS = 5

_ALL = (NORTH, EAST, SOUTH, WEST)
OPENINGS = (
    (SOUTH, WEST),
    (EAST, WEST),
    (NORTH, EAST, SOUTH),
    (NORTH, EAST, SOUTH),
    _ALL,
    _ALL,
    _ALL,
    _ALL,
    _ALL,
    _ALL,
    _ALL,
    (SOUTH,),
    _ALL,
    (),
)
"""The open sides of each kind as the discard board draws it. A Keeper's rear points north there."""

TURNS = (4, 2, 4, 4, 1, 1, 1, 1, 4, 1, 1, 4, 1, 1)
"""How many quarter turns of each kind differ."""

CRUMBLING = frozenset({START, STRAIGHT, CRACKED_TEE, KEY, SPENT_KEY})
MONSTERS = frozenset({WAX, KEEPER, FIEND, PATHLESS, OMEN})
WATCHFUL = frozenset({WAX, KEEPER, PATHLESS})
"""Monsters that have a line of sight and attack."""

RANGED_BURN = {WAX: 3, KEEPER: 1, PATHLESS: 5}
MELEE_BURN = {WAX: 3, KEEPER: 3, PATHLESS: 5, DIRGE: 3}
BLOCKABLE = 3
"""The size of a penalty, in tiles, that a token of nerve lessens by one."""


class SetUp(NamedTuple):
    """What lies in the stack: the counts of the upper pack and of the rest, by kind."""

    top: tuple[int, ...]
    rest: tuple[int, ...]

    @property
    def total(self) -> int:
        return sum(self.top) + sum(self.rest)


def set_up(
    prisoners: int,
    *,
    advanced: bool = False,
    keys: int = 0,
    gates: int = 4,
    cracked_tees: bool = False,
    fiends: int = 2,
    wax_in_advanced_5: int = 2,
    pathless: int = 0,
    dirge: bool = False,
) -> SetUp:
    """Counts the stack of a set-up; `keys` adds or takes away sources of keys."""
    five = prisoners == 5
    total = [0] * KINDS
    total[TEE], total[CROSS], total[STRAIGHT], total[GATE] = 30, 12, 10, gates
    sources = (7 if five else 6) + keys
    if advanced:
        total[KEEPER], total[FIEND] = sources, fiends
        total[WAX] = wax_in_advanced_5 if five else 4
    else:
        total[KEY] = sources
        total[WAX] = 10 if five else 12
    if cracked_tees:
        total[TEE] -= 2
        total[CRACKED_TEE] = 2
    total[PATHLESS] = pathless
    total[OMEN] = 2 if dirge else 0
    top = [0] * KINDS
    top[TEE], top[CROSS], top[STRAIGHT] = (5, 3, 2) if five else (4, 2, 2)
    return SetUp(tuple(top), tuple(all_ - upper for all_, upper in zip(total, top, strict=True)))


SQUARE = ("###", "###", "###")
"""The outline of the Dirge where players agree on a plain one."""

OUTLINE_FILE = Path(__file__).with_name("dirge.json")


def read_outline(path: Path = OUTLINE_FILE) -> tuple[str, ...]:
    """Reads the outline of the Dirge; raises `ConfigError` for one that cannot be."""
    try:
        outline = json.loads(path.read_text(encoding="utf-8"))["outline"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{path.name}: cannot read the entry 'outline': {error!r}") from None
    rows = tuple(outline) if isinstance(outline, list) else ()
    if not rows or not all(isinstance(row, str) and set(row) <= set("#.") for row in rows):
        raise ConfigError(f"{path.name}: 'outline' is {outline!r}; allowed: a list of rows of '#' and '.'")
    if fault := _fault(rows):
        raise ConfigError(f"{path.name}: 'outline' is {outline!r}; allowed: {fault}")
    return rows


def _fault(rows: tuple[str, ...]) -> str:
    if "".join(rows).count("#") != 9 or len({len(row) for row in rows}) != 1:
        return "rows of one length with nine '#'"
    return "at most six rows and columns" if max(len(rows), len(rows[0])) > 6 else ""


def facts(box: dict[str, tuple[str, ...]]) -> Iterator[Fact]:
    """What the owner of the box may check and correct: the outline of the Dirge."""

    def put(value: FactValue) -> None:
        rows = [row for row in str(value).split("/") if "#" in row]
        columns = [i for i in range(max(map(len, rows), default=0)) if any(row[i] == "#" for row in rows)]
        box["outline"] = tuple("".join(row[i] for i in columns) for row in rows)

    about = ("The Dirge", "Плакальщик")
    ask = (
        "Tap the nine cells that the token covers",
        "Отметьте девять клеток, которые накрывает жетон",
    )
    yield Fact("dirge.outline", "cells", "/".join(box["outline"]), about, ask, UNCHECKED, put)


def open_box(values: Values) -> tuple[Fact, ...]:
    """The facts of the box with these values; raises `ConfigError` for what cannot be played."""
    box = {"outline": read_outline()}
    found = settle(facts(box), values)
    if fault := _fault(box["outline"]):
        raise ConfigError(f"dirge.outline is {'/'.join(box['outline'])!r}; allowed: {fault}")
    return found


_BOX = {"outline": read_outline()}
FACTS = settle(facts(_BOX), VALUES)
OUTLINE = _BOX["outline"]
"""The outline of the Dirge in this box."""
