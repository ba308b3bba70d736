"""What may be known of The Night Cage: everything but the order of the stack, so all viewers see the same."""

from __future__ import annotations

from math import comb
from random import Random
from typing import Any

from companion.engine.action import Viewer
from companion.engine.game import View, shared_view
from companion.engine.grid import cells_of
from companion.games.night_cage.pieces import (
    GATE,
    KEEPER,
    KEY,
    KEY_TOKENS,
    MONSTERS,
    NAMES,
    NERVE_TOKENS,
)
from companion.games.night_cage.position import Position
from companion.games.night_cage.preview import FORESEEN, forecast
from companion.games.night_cage.tiles import DIRGE_PIT, EMPTY, IS_PIT, KIND, TURN, code_of

WANTED = {"monster": MONSTERS, "gate": frozenset({GATE}), "key": frozenset({KEY, KEEPER})}
LOW = 8
"""A stack with fewer tiles is running out."""


def view(state: Position, viewer: Viewer) -> View:
    """Builds what everybody at the table may know."""
    seen = shared_view("night_cage", state) | on_table(state, viewer)
    seen |= {
        "phase": state.phase(),
        "turn": state.name(state.turn),
        "decides": _decides(state),
        "sight": [
            {"cell": m, "paths": [list(cells_of(mask)) for mask in state.looks(m)]}
            for m in cells_of(state.monsters)
        ],
        "strike": [{"cell": m, "paths": state.attack_paths(m)} for m in state.strike],
        "stack": state.stack,
        "unseen": {
            name: state.top[kind] + state.rest[kind]
            for kind, name in enumerate(NAMES[: len(state.discard)])
            if state.top[kind] + state.rest[kind]
        },
        "surroundings": state.surroundings,
        "odds": _odds(state),
        "discard": {NAMES[kind]: n for kind, n in enumerate(state.discard) if n},
        "supply": {
            "keys": KEY_TOKENS - state.keys.bit_count(),
            "nerve": NERVE_TOKENS - sum(state.nerve),
        },
        "gates": state.gates,
        "keys": state.sources,
        "omens": state.omens,
        "flickers": state.flickers,
        "silent": state.rules.silent,
        "talk": _talk(state) if state.rules.silent else [],
        "choices": _choices(state),
        "covers": _covers(state),
        "forecasts": _forecasts(state),
        "warnings": _warnings(state),
    }
    return seen


def on_table(state: Position, viewer: Viewer) -> View:
    """The part of the view that lies on the table."""
    return {
        "size": state.torus.size,
        "prisoners": [_prisoner(state, prisoner) for prisoner in range(state.rules.prisoners)],
        "tiles": [tile_word(code) for code in state.tiles],
        "drawn": _drawn(state),
        "burnt": [NAMES[kind] for kind in state.burnt],
    }


def _decides(state: Position) -> str:
    """The prisoner for whom somebody decides now."""
    if state.result is not None or state.is_chance():
        return ""
    return state.name(state.todo[-1][1])


def _drawn(state: Position) -> str:
    """The tile that was drawn and is to be placed now."""
    place = {"put": 3, "swap": 2}.get(state.phase())
    return "" if place is None else NAMES[state.todo[-1][place]]


def tile_word(code: int) -> str:
    """What lies on a cell, as people see it: nothing, a pit, or a tile and its turn."""
    if code == EMPTY:
        return ""
    if code == DIRGE_PIT:
        return "dirge"
    return "pit" if IS_PIT[code] else f"{NAMES[KIND[code]]} {90 * TURN[code]}"


def code_from(word: str) -> int:
    """The code of a tile as a view shows it. A pit hides its kind; which it is makes no difference to light.

    >>> tile_word(code_from("tee 90"))
    'tee 90'
    """
    if not word:
        return EMPTY
    if word == "dirge":
        return DIRGE_PIT
    if word == "pit":
        return code_of(0, pit=True)
    name, turn = word.split()
    return code_of(NAMES.index(name), int(turn) // 90)


def _prisoner(state: Position, prisoner: int) -> dict[str, Any]:
    cell = state.cells[prisoner]
    return {
        "name": state.name(prisoner),
        "seat": state.seats[prisoner],
        "cell": cell if cell >= 0 else None,
        "line": state.lines[prisoner] if state.lines[prisoner] >= 0 else None,
        "candle": state.is_lit(prisoner),
        "key": state.has_key(prisoner),
        "nerve": state.nerve[prisoner],
        "lights": list(cells_of(state.lit_by(prisoner))),
    }


def at_least_one(left: int, wanted: int, draws: int) -> float:
    """The chance that some of the wanted tiles come with the next draws.

    >>> round(at_least_one(66, 12, 1), 3)
    0.182
    """
    draws = min(draws, left)
    return 1 - comb(left - wanted, draws) / comb(left, draws) if draws > 0 else 0.0


def _odds(state: Position) -> dict[str, list[float]]:
    """The chances of a monster, a gate, a key in the next one and the next three tiles."""
    rest, surroundings = state.rest, state.surroundings
    return {
        name: [
            round(at_least_one(sum(rest), sum(rest[k] for k in kinds), n - surroundings), 3) for n in (1, 3)
        ]
        for name, kinds in WANTED.items()
    }


def _talk(state: Position) -> list[list[str]]:
    """NC-DIFF-05: who may talk with whom."""
    return [
        [state.name(prisoner), state.name(other)]
        for prisoner in range(state.rules.prisoners)
        for other in state.joined_prisoners(prisoner)
        if other > prisoner
    ]


def _acting(state: Position) -> int:
    return state.needs()[0].seat if state.needs() else -1


def _choices(state: Position) -> list[list[Any]]:
    """The cells among which somebody chooses now, with the verb."""
    if state.result is not None or state.is_chance():
        return []
    cells = {(a.verb, a.args[0]): None for a in state.actions(_acting(state)) if _takes_cell(state, a.verb)}
    return [[verb, cell] for verb, cell in cells]


def _covers(state: Position) -> list[list[Any]]:
    """NC-BOSS-16: the ways to lay the Dirge, for trying them out: upper left cell, turn, cells."""
    if state.phase() != "dirge":
        return []
    ways = (action.args for action in state.actions(_acting(state)))
    return [[cell, turn, list(cells_of(state.rules.placements[cell, turn]))] for cell, turn in ways]


def _takes_cell(state: Position, verb: str) -> bool:
    kinds = state.notation.verbs[verb].kinds
    return bool(kinds) and kinds[0].name == "cell"


def _forecasts(state: Position) -> list[dict[str, Any]]:
    if state.phase() not in ("act", "again"):
        return []
    return [forecast(state, action) for action in state.actions(_acting(state)) if action.verb in FORESEEN]


def _warnings(state: Position) -> list[str]:
    """What everybody should keep in mind; each has a text `why.CODE`."""
    found = {
        "last-gate": state.gates == 1,
        "keys-just-enough": state.sources == state.rules.prisoners,
        "stack-low": 0 < state.stack < LOW,
        "fall-without-end": not state.stack and -1 in state.cells,
    }
    return [code for code, holds in found.items() if holds and state.result is None]


def disguise(state: Position, viewer: Viewer, rng: Random) -> Position:
    """Nothing is hidden: the order of the stack is not even stored."""
    return state.copy()
