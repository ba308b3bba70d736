"""Before the first turn: every prisoner chooses where it starts and lights its surroundings."""

from __future__ import annotations

from itertools import chain, compress

from companion.engine.action import Action, Cell, Seat
from companion.engine.state import Event, Refusal, no
from companion.games.night_cage.pieces import START as START_TILE
from companion.games.night_cage.position import Position
from companion.games.night_cage.tiles import EMPTY, FACE_UP
from companion.games.night_cage.verbs import START


def can_start(state: Position, seat: Seat, cell: Cell, turn: int) -> Refusal | None:
    """NC-SETUP-17, -21, -22: any empty cell, any turn."""
    return None if state.tiles[cell] == EMPTY else no("cell-taken", "NC-SETUP-17", cell)


def do_start(state: Position, seat: Seat, cell: Cell, turn: int) -> list[Event]:
    """NC-SETUP-17..23: draws for its own cells alone."""
    _, prisoner = state.take()
    state.turn = prisoner
    state.lay(cell, FACE_UP[START_TILE][turn])
    state.cells[prisoner] = cell
    state.push(("shine", frozenset({prisoner})))
    return [Event("started", {"prisoner": state.name(prisoner), "cell": cell, "turn": turn * 90})]


def list_start(state: Position, seat: Seat, prisoner: int) -> list[Action]:
    return list(chain.from_iterable(compress(START, map(EMPTY.__eq__, state.tiles))))
