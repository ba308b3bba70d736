"""Scrambling: who stood on a monster flees from what is left of it, or falls."""

from __future__ import annotations

from companion.engine.action import Action, Cell, Seat
from companion.engine.state import Event, Refusal, no
from companion.games.night_cage.arrival import arrive, obstacle
from companion.games.night_cage.falling import drop
from companion.games.night_cage.position import Position
from companion.games.night_cage.tiles import EMPTY
from companion.games.night_cage.verbs import SCRAMBLE

_RULES = {"wall": "NC-SCR-02", "no-tile-left": "NC-SCR-04"}


def look_for_escape(state: Position, events: list[Event], prisoner: int) -> None:
    """NC-SCR-01, -06: who stood on a monster must leave, or falls."""
    if state.cells[prisoner] < 0:
        return
    if _escapes(state, prisoner):
        state.push(("scramble", prisoner))
    else:
        drop(state, events, [prisoner], ())


def _escapes(state: Position, prisoner: int) -> list[Cell]:
    """NC-SCR-02..04: in every direction, onto bare cells too."""
    here = state.cells[prisoner]
    beside = enumerate(state.torus.grid.beside[here])
    return [cell for direction, cell in beside if not obstacle(state, here, direction, True)]


def can_scramble(state: Position, seat: Seat, to: Cell) -> Refusal | None:
    here = state.cells[state.todo[-1][1]]
    direction = state.torus.direction(here, to)
    if direction < 0:
        return no("not-adjacent", "NC-SCR-01", here, to)
    found = obstacle(state, here, direction, True)
    return no(found, _RULES.get(found, "NC-SCR-03"), here, to) if found else None


def do_scramble(state: Position, seat: Seat, to: Cell) -> list[Event]:
    prisoner = state.take()[1]
    events: list[Event] = []
    if state.tiles[to] == EMPTY:
        state.push(("draw-scramble", prisoner, to))
    else:
        flee(state, events, prisoner, to)
    return events


def list_scramble(state: Position, seat: Seat, prisoner: int) -> list[Action]:
    return [SCRAMBLE[cell] for cell in _escapes(state, prisoner)]


def flee(state: Position, events: list[Event], prisoner: int, to: Cell) -> None:
    """NC-SCR-05, -07: steps off; the cell left does not count, its tile is gone or a pit."""
    here = state.cells[prisoner]
    events.append(Event("scrambled", {"prisoner": state.name(prisoner), "from_cell": here, "cell": to}))
    direction = state.torus.direction(here, to)
    arrive(state, events, prisoner, to, (), direction, watched=state.rules.scramble_triggers)
