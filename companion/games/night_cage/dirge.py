"""The Dirge: a token that covers nine cells, hurts who stands there and becomes a great pit."""

from __future__ import annotations

from companion.engine.action import Action, Cell, Seat
from companion.engine.grid import cells_of
from companion.engine.state import Event, Refusal, no
from companion.games.night_cage.falling import leave_board, seen_falling
from companion.games.night_cage.pieces import DIRGE
from companion.games.night_cage.position import Position
from companion.games.night_cage.tiles import DIRGE_PIT
from companion.games.night_cage.verbs import COVER


def can_cover(state: Position, seat: Seat, cell: Cell, turn: int) -> Refusal | None:
    omen = state.todo[-1][2]
    covered = state.rules.placements.get((cell, turn))
    if covered is None:
        return no("off-board", "NC-BOSS-16", cell)
    return None if covered >> omen & 1 else no("omen-bare", "NC-BOSS-16", cell, omen)


def do_cover(state: Position, seat: Seat, cell: Cell, turn: int) -> list[Event]:
    """NC-BOSS-16..20: the Dirge comes down."""
    state.take()
    mask = state.rules.placements[cell, turn]
    covered = [p for p in state.in_order() if state.cells[p] >= 0 and mask >> state.cells[p] & 1]
    # Monsters under the token are gone before those outside attack.
    state.push(("dirge-settles", mask, seen_falling(state, covered)))
    for prisoner in reversed(covered):
        state.push(("hit", prisoner, DIRGE, True), ("drop", prisoner))
    return [Event("dirge", {"cells": list(cells_of(mask))})]


def list_dirge(state: Position, seat: Seat, prisoner: int, omen: Cell) -> list[Action]:
    return [COVER[cell][turn] for (cell, turn), mask in state.rules.placements.items() if mask >> omen & 1]


def drop_covered(state: Position, events: list[Event], prisoner: int) -> None:
    """NC-BOSS-18: a covered prisoner falls; the sweep waits until the token has settled."""
    state.push(("fall", prisoner, state.cells[prisoner]))
    leave_board(state, events, prisoner)


def settle_dirge(state: Position, events: list[Event], mask: int, seen: tuple[Cell, ...]) -> None:
    """NC-BOSS-19, -20: what lies under the token is gone, the token is a pit."""
    for cell in cells_of(mask & state.laid):
        state.clear(cell)
    for cell in cells_of(mask):
        state.tiles[cell] = DIRGE_PIT
    state.laid |= mask
    state.dirge = mask
    events.append(Event("dirge-settled", {"cells": list(cells_of(mask))}))
    state.push(("sweep",))
    if seen:
        state.push(("attack", seen))
