"""Landing: a prisoner who fell comes down in its row or column when its turn begins."""

from __future__ import annotations

from companion.engine.action import Action, Cell, Seat
from companion.engine.grid import cells_of
from companion.engine.state import Event, Refusal, no
from companion.games.night_cage.arrival import arrive
from companion.games.night_cage.position import Position
from companion.games.night_cage.tiles import EMPTY, IS_GATE, IS_MONSTER
from companion.games.night_cage.verbs import LAND


def look_for_landing(state: Position, events: list[Event]) -> None:
    """NC-FALL-06, -13: the prisoner lands where it likes, or is lost where there is no place."""
    if _landing_cells(state, state.turn):
        state.todo.append(("land", state.turn))
    else:
        state.finish("lost-in-the-fall", "NC-END-05")


def _landing_cells(state: Position, prisoner: int) -> list[Cell]:
    line = state.lines[prisoner]
    bare = state.bare(line)
    if bare:
        return list(cells_of(bare))
    return [
        cell
        for cell in cells_of(state.torus.lines[line] & state.laid)
        if cell not in state.cells or IS_GATE[state.tiles[cell]]
    ]


def can_land(state: Position, seat: Seat, cell: Cell) -> Refusal | None:
    line = state.lines[state.turn]
    if not state.torus.lines[line] >> cell & 1:
        return no("other-line", "NC-FALL-03", cell)
    bare = state.bare(line)
    if bare:
        return None if bare >> cell & 1 else no("cell-taken", "NC-FALL-06", cell)
    return None if cell in _landing_cells(state, state.turn) else no("occupied", "NC-FALL-13", cell)


def do_land(state: Position, seat: Seat, cell: Cell) -> list[Event]:
    state.take()
    events: list[Event] = []
    if state.tiles[cell] == EMPTY:
        state.todo.append(("draw-land", state.turn, cell))
    else:
        come_down(state, events, state.turn, cell)
    return events


def list_land(state: Position, seat: Seat, prisoner: int) -> list[Action]:
    return [LAND[cell] for cell in _landing_cells(state, prisoner)]


def come_down(state: Position, events: list[Event], prisoner: int, cell: Cell) -> None:
    """NC-FALL-07..12, -18, -20: lands, is attacked before it lights, and then goes on with its turn."""
    state.lines[prisoner] = -1
    if IS_MONSTER[state.tiles[cell]] and not state.rules.turn_continues_after_landing_on_monster:
        state.take()
        state.push(("end",))
    state.todo.append(("light",))
    events.append(Event("landed", {"prisoner": state.name(prisoner), "cell": cell}))
    arrive(state, events, prisoner, cell, watched=state.rules.landing_in_los_triggers)
