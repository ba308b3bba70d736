"""Pits: who falls, beside which line, and the Pit Fiends that open them."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine.action import Cell, Seat
from companion.engine.agenda import choices
from companion.engine.grid import cells_of
from companion.engine.state import Event, Refusal
from companion.games.night_cage.position import Position
from companion.games.night_cage.tiles import IS_PIT
from companion.games.night_cage.verbs import COLUMN, ROW


def drop(state: Position, events: list[Event], fallers: Sequence[int], woken: tuple[Cell, ...]) -> None:
    """NC-FALL-01..04, -15, -19: pawns leave the board; lines are chosen, then attacks, then the sweep."""
    state.todo.append(("sweep",))
    if woken:
        state.todo.append(("attack", woken))
    state.todo += [("fall", prisoner, state.cells[prisoner]) for prisoner in reversed(fallers)]
    for prisoner in fallers:
        leave_board(state, events, prisoner)


def leave_board(state: Position, events: list[Event], prisoner: int) -> None:
    """A pawn falls through its cell."""
    events.append(Event("fell", {"prisoner": state.name(prisoner), "cell": state.cells[prisoner]}))
    state.cells[prisoner] = -1


def seen_falling(state: Position, fallers: Sequence[int]) -> tuple[Cell, ...]:
    """NC-FALL-16: the monsters that see somebody who is about to fall through no doing of its own."""
    return tuple(
        monster
        for prisoner in fallers
        if state.rules.any_fall_out_of_los_triggers or prisoner == state.turn
        for monster in state.watching(state.cells[prisoner])
    )


def can_fall(state: Position, seat: Seat, line: int) -> Refusal | None:
    return None


def do_fall(state: Position, seat: Seat, line: int) -> list[Event]:
    """NC-FALL-03: beside the row or the column of the pit."""
    _, prisoner, cell = state.take()
    size = state.torus.size
    state.lines[prisoner] = size + cell % size if line else cell // size
    return [Event("falling", {"prisoner": state.name(prisoner), "line": ("row", "column")[line]})]


list_fall = choices(ROW, COLUMN)


def fiend(
    state: Position, events: list[Event], cell: Cell, seen: tuple[Cell, ...] = (), stepped: int = -1
) -> None:
    """NC-ADV-21..28, -31: the diagonals and the Fiend itself become pits.

    Who has just stepped onto it counts as seen only where it came from.
    """
    flipped = [c for c in cells_of(state.torus.diagonals[cell] & state.laid) if not IS_PIT[state.tiles[c]]]
    fallers = [p for p in state.in_order() if state.cells[p] == cell or state.cells[p] in flipped]
    seen += seen_falling(state, [p for p in fallers if p != stepped])
    for flip in (*flipped, cell):
        state.flip(flip)
    events.append(Event("fiend", {"cell": cell, "cells": flipped}))
    drop(state, events, fallers, seen)
