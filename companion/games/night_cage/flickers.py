"""The last flickers: what goes when no tile is left, and when no way out is left."""

from __future__ import annotations

from companion.engine.action import Action, Cell, Seat
from companion.engine.grid import cells_of
from companion.engine.state import Event, Refusal, no
from companion.games.night_cage.position import Position
from companion.games.night_cage.tiles import IS_GATE, IS_PIT
from companion.games.night_cage.verbs import REMOVE, SUSTAIN


def begin_flickers(state: Position, events: list[Event]) -> None:
    """NC-FLICKER-01: once, when the stack is empty."""
    if not state.flickers:
        state.flickers = True
        events.append(Event("flickers", {}))


def flicker(state: Position) -> None:
    """NC-FLICKER-03..09, NC-END-06: a tile goes at the end of a turn, or nerve keeps it; or all is lost."""
    is_anybody_left = bool(state.occupied_mask())
    if _removable(state) or (is_anybody_left and state.can_spend(state.turn)):
        state.push(("flicker", state.turn))
    elif is_anybody_left:
        state.finish("swallowed", "NC-END-06")


def _removable(state: Position) -> int:
    """NC-FLICKER-05, -06: lit tiles on which nobody stands."""
    free = state.laid & ~state.occupied_mask() & ~state.dirge
    lit = state.lit_mask()
    return free & (lit | state.keepers if state.rules.flicker_unlit_keeper_removable else lit)


def can_remove(state: Position, seat: Seat, cell: Cell) -> Refusal | None:
    if _removable(state) >> cell & 1:
        return None
    if cell in state.cells:
        return no("occupied", "NC-FLICKER-05", cell)
    return no("not-removable", "NC-FLICKER-06", cell)


def do_remove(state: Position, seat: Seat, cell: Cell) -> list[Event]:
    """NC-FLICKER-03, -13, -15."""
    state.take()
    state.clear(cell)
    return [Event("removed", {"cell": cell})]


def can_sustain(state: Position, seat: Seat) -> Refusal | None:
    if state.can_spend(state.turn):
        return None
    return no("nerve-is-fresh", "NC-NERVE-04") if state.gained else no("no-nerve", "NC-NERVE-11")


def do_sustain(state: Position, seat: Seat) -> list[Event]:
    """NC-FLICKER-08."""
    state.take()
    state.nerve[state.turn] -= 1
    return [Event("sustained", {"prisoner": state.name(state.turn)})]


def list_flicker(state: Position, seat: Seat, prisoner: int) -> list[Action]:
    listed = [REMOVE[cell] for cell in cells_of(_removable(state))]
    return [*listed, SUSTAIN] if state.can_spend(prisoner) else listed


def is_cut_off(state: Position) -> bool:
    """NC-END-08: whether nobody can win any more on the tiles that are left; late but never wrong.

    While somebody falls the landing decides, so nothing is said then.
    """
    if -1 in state.cells:
        return False
    floods = [_flood(state, cell) for cell in set(state.cells)]
    shared, reached = floods[0], 0
    for flood in floods:
        shared &= flood
        reached |= flood
    if not any(IS_GATE[state.tiles[cell]] for cell in cells_of(shared)):
        return True
    return state.keys.bit_count() + state.key_sources(reached) < state.rules.prisoners


def _flood(state: Position, start: Cell) -> int:
    """The cells that can be reached on foot, or by falling into a pit of a line without bare cells."""
    reached, waiting = 1 << start, [start]
    while waiting:
        near = _next_to(state, waiting.pop()) & ~reached
        reached |= near
        waiting.extend(cells_of(near))
    return reached


def _next_to(state: Position, here: Cell) -> int:
    near = 0
    if IS_PIT[state.tiles[here]]:
        for line in state.torus.lines:
            if line >> here & 1 and not line & ~state.laid:
                near |= line
    else:
        for cell in state.torus.grid.beside[here]:
            if state.are_joined(here, cell):
                near |= 1 << cell
    return near
