"""The kinds of arguments in the notation, the verbs, and ready-made actions for fast listing."""

from __future__ import annotations

from companion.engine.action import Action, Verb, Words
from companion.games.bad_bones.pieces import (
    AROUND,
    CELL_NAMES,
    DIRECTIONS,
    FORMS,
    ITEMS,
    MAX_PLAYERS,
    PLACES,
)
from companion.games.bad_bones.printed import KIND_NAMES
from companion.games.bad_bones.tokens import SKELETON_WORDS

COLOUR_NAMES = ("green", "blue", "red", "yellow", "purple")
COVERED = ("hero", "trap", "march")
"""The phases whose choices are uncovered together."""

CELL = Words("cell", CELL_NAMES)
SKELETON = Words("skeleton", KIND_NAMES)
TOKEN = Words("token", SKELETON_WORDS)
SEAT = Words("seat", (f"p{i + 1}" for i in range(MAX_PLAYERS)))
TRAP_FORM = Words("trap", FORMS)
DIRECTION = Words("direction", DIRECTIONS)
ITEM = Words("item", ITEMS)
COLOUR = Words("symbol", COLOUR_NAMES)
PHASE = Words("phase", COVERED)

VERBS = {
    "draw": Verb(SKELETON, reveals=True),
    "first": Verb(SEAT, reveals=True),
    "reveal": Verb(PHASE, reveals=True),
    "post": Verb(CELL),
    "buy": Verb(ITEM),
    "pass": Verb(),
    "step": Verb(CELL),
    "lay": Verb(TRAP_FORM, CELL),
    "lift": Verb(CELL),
    "wait": Verb(),
    "march": Verb(CELL, TOKEN),
    "auto": Verb(),
    "scatter": Verb(DIRECTION),
    "send": Verb(SEAT),
    "give-up": Verb(SKELETON),
    "decline": Verb(),
    "shoot": Verb(CELL, TOKEN),
    "freeze": Verb(CELL),
    "freeze-all": Verb(),
    "banish": Verb(SEAT),
    "teleport": Verb(CELL),
    "strike": Verb(CELL),
    "hew": Verb(COLOUR),
    "fling": Verb(CELL, CELL),
    "aim": Verb(CELL),
    "face": Verb(DIRECTION),
    "rest": Verb(),
    "pursue": Verb(),
}


def _each(verb: str, n: int) -> tuple[Action, ...]:
    return tuple(Action(verb, (i,)) for i in range(n))


DRAW = _each("draw", len(KIND_NAMES))
FIRST = _each("first", MAX_PLAYERS)
REVEAL = {name: Action("reveal", (i,)) for i, name in enumerate(COVERED)}
BUY = _each("buy", len(ITEMS))
STEPS_FROM = tuple(
    tuple(tuple(Action("step", (seat * PLACES + cell,)) for cell in around) for around in AROUND)
    for seat in range(MAX_PLAYERS)
)
"""The steps of a hero, by seat and cell."""
LIFT = _each("lift", len(CELL_NAMES))
SCATTER = _each("scatter", 4)
SEND = _each("send", MAX_PLAYERS)
GIVE_UP = _each("give-up", len(KIND_NAMES))
FACE = _each("face", 4)


def _lay_rows(seat: int, form: int) -> tuple[tuple[tuple[Action, ...], ...], ...]:
    """The ways to lay a trap on some cells of each row, by the mask of those cells."""
    first = seat * PLACES
    return tuple(
        tuple(
            tuple(Action("lay", (form, first + row * 5 + i)) for i in range(5) if mask >> i & 1)
            for mask in range(32)
        )
        for row in range(5)
    )


_LAY_ROWS = tuple(tuple(_lay_rows(seat, form) for form in range(len(FORMS))) for seat in range(MAX_PLAYERS))


def lays(seat: int, form: int, cells: int) -> list[Action]:
    """The ways to lay a trap on some cells, given as a mask."""
    a, b, c, d, e = _LAY_ROWS[seat][form]
    return [
        *a[cells & 31],
        *b[cells >> 5 & 31],
        *c[cells >> 10 & 31],
        *d[cells >> 15 & 31],
        *e[cells >> 20 & 31],
    ]


PASS, WAIT, AUTO, DECLINE = Action("pass"), Action("wait"), Action("auto"), Action("decline")
REST, PURSUE = Action("rest"), Action("pursue")
