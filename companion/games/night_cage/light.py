"""The light step: the dark sweeps, tiles are drawn for bare lit cells, candles are lit again."""

from __future__ import annotations

from companion.engine.grid import cells_of
from companion.engine.state import Event
from companion.games.night_cage.pieces import PRISONERS
from companion.games.night_cage.position import Position
from companion.games.night_cage.tiles import EMPTY

_EVERYBODY = tuple(frozenset(range(n)) for n in range(len(PRISONERS) + 1))


def light(state: Position, events: list[Event]) -> None:
    """NC-TURN-04 step 6, NC-LIGHT-18: the active player draws for everybody who lights a bare cell."""
    state.todo.append(("shine", _EVERYBODY[state.rules.prisoners]))
    sweep(state, events)


def sweep(state: Position, events: list[Event]) -> None:
    """NC-LIGHT-09: what lies in the dark leaves the game."""
    gone = state.dark_mask()
    if gone & state.dirge:
        gone &= ~state.dirge
        if not state.lit_mask() & state.dirge:
            _lift_dirge(state, events)
    if gone:
        swept = list(cells_of(gone))
        for cell in swept:
            state.clear(cell)
        events.append(Event("swept", {"cells": swept}))


def _lift_dirge(state: Position, events: list[Event]) -> None:
    """NC-BOSS-21: the great pit leaves as a whole."""
    cells = list(cells_of(state.dirge))
    for cell in cells:
        state.tiles[cell] = EMPTY
    state.laid &= ~state.dirge
    state.dirge = 0
    events.append(Event("dirge-left", {"cells": cells}))


def shine(state: Position, events: list[Event], fillers: frozenset[int]) -> None:
    """NC-LIGHT-11..15, NC-CANDLE-05..13: draws for one bare lit cell after the other, then relights."""
    if state.stack:
        cells, tiles, candles, bare = state.cells, state.tiles, state.candles, ~state.laid
        light_of = state.torus.light
        for prisoner in state.in_order():
            cell = cells[prisoner]
            # As `Position.faced`, written out: this is asked more often than anything else.
            is_lighting = cell >= 0 and candles >> prisoner & 1 and prisoner in fillers
            if is_lighting and light_of[cell][tiles[cell]] & bare:
                state.todo += ("shine", fillers), ("draw-fill", prisoner, -1)
                return
    # Nothing is left to sweep (NC-LIGHT-10): what was drawn is lit, and falls sweep by themselves.
    relit = _relit(state)
    if relit >= 0:
        state.candles |= 1 << relit
        events.append(Event("relit", {"prisoner": state.name(relit), "cell": state.cells[relit]}))
        state.push(("shine", fillers | {relit}))


def _relit(state: Position) -> int:
    """The first dark prisoner who gets light from a connected one, or -1."""
    candles = state.candles
    if candles.bit_count() in (0, state.rules.prisoners):
        return -1
    for prisoner in state.in_order():
        if not candles >> prisoner & 1:
            for other in state.joined_prisoners(prisoner):
                if _may_light(state, other, prisoner):
                    return prisoner
    return -1


def _may_light(state: Position, lighter: int, dark: int) -> bool:
    """NC-BOOK-01: in the turn of one of the two, or by the switch at any time."""
    own_turn = state.turn in (lighter, dark)
    return state.is_lit(lighter) and (own_turn or state.rules.relight_state_based)
