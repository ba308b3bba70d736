"""The verbs of The Night Cage and their actions, made once."""

from __future__ import annotations

from companion.engine.action import Action, Verb, Words
from companion.games.night_cage.pieces import KINDS, NAMES, PRISONERS
from companion.games.night_cage.torus import BOARDS, Torus


def verbs_on(torus: Torus) -> dict[str, Verb]:
    """The verbs on a board of one size: they differ in the names of the cells."""
    cell = Words("cell", torus.grid.names)
    turn = Words("turn", ("0", "90", "180", "270"))
    prisoner = Words("prisoner", PRISONERS)
    return {
        "start": Verb(cell, turn),
        "draw": Verb(Words("tile", NAMES[:KINDS]), reveals=True),
        "put": Verb(cell, turn),
        "stay": Verb(),
        "move": Verb(cell),
        "again": Verb(cell),
        "charge": Verb(cell),
        "rest": Verb(),
        "idle": Verb(),
        "end": Verb(),
        "give": Verb(prisoner),
        "receive": Verb(prisoner),
        "keep": Verb(),
        "block": Verb(),
        "suffer": Verb(),
        "fall": Verb(Words("line", ("row", "column"))),
        "land": Verb(cell),
        "replace": Verb(cell),
        "scramble": Verb(cell),
        "cover": Verb(cell, turn),
        "remove": Verb(cell),
        "sustain": Verb(),
        "concede": Verb(held=True),
    }


_CELLS = range(max(BOARDS) ** 2)


def _each(verb: str, values: range = _CELLS) -> tuple[Action, ...]:
    return tuple(Action(verb, (value,)) for value in values)


def _each_turn(verb: str) -> tuple[tuple[Action, ...], ...]:
    return tuple(tuple(Action(verb, (cell, turn)) for turn in range(4)) for cell in _CELLS)


START, PUT, COVER = _each_turn("start"), _each_turn("put"), _each_turn("cover")
MOVE, AGAIN, CHARGE, SCRAMBLE = _each("move"), _each("again"), _each("charge"), _each("scramble")
LAND, REPLACE, REMOVE = _each("land"), _each("replace"), _each("remove")
DRAW = _each("draw", range(KINDS))
GIVE, RECEIVE = _each("give", range(len(PRISONERS))), _each("receive", range(len(PRISONERS)))
ROW, COLUMN = _each("fall", range(2))
STAY, REST, IDLE, END, KEEP = Action("stay"), Action("rest"), Action("idle"), Action("end"), Action("keep")
BLOCK, SUFFER, SUSTAIN, CONCEDE = Action("block"), Action("suffer"), Action("sustain"), Action("concede")
