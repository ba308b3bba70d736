"""Moving: a step, another one for nerve, a charge at a monster."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine.action import Action, Cell, Seat
from companion.engine.state import Event, Refusal, no
from companion.games.night_cage.arrival import arrive, obstacle
from companion.games.night_cage.position import Position
from companion.games.night_cage.tiles import EMPTY, WAYS
from companion.games.night_cage.verbs import CHARGE

OBSTACLES = {
    "not-adjacent": "NC-BOARD-03",
    "wall": "NC-TILE-03",
    "unlit": "NC-MOVE-05",
    "no-tile-left": "NC-MOVE-07",
    "occupied": "NC-MOVE-02",
    "monster": "NC-MOVE-03",
}
"""What stops a step, and the rule that says so."""
_AFTER_A_STEP = ("more",), ("light",)


def list_ways(state: Position, prisoner: int, steps: Sequence[Action], charges: bool) -> list[Action]:
    """The steps that a prisoner can take, and its charges if it can pay for one."""
    here, is_blind = state.cells[prisoner], not state.is_lit(prisoner)
    beside = state.torus.grid.beside[here]
    listed = []
    for direction in WAYS[state.tiles[here]]:
        found = obstacle(state, here, direction, is_blind)
        if not found:
            listed.append(steps[beside[direction]])
        elif charges and found == "monster":
            listed.append(CHARGE[beside[direction]])
    return listed


def _obstacle_to(state: Position, to: Cell) -> str:
    """What stops the active prisoner on its way to a cell."""
    here = state.cells[state.turn]
    direction = state.torus.direction(here, to)
    if direction < 0:
        return "not-adjacent"
    if direction not in WAYS[state.tiles[here]]:
        return "wall"
    return obstacle(state, here, direction, not state.is_lit(state.turn))


def can_move(state: Position, seat: Seat, to: Cell) -> Refusal | None:
    """NC-MOVE-01..06."""
    found = _obstacle_to(state, to)
    return no(found, OBSTACLES[found], state.cells[state.turn], to) if found else None


def do_move(state: Position, seat: Seat, to: Cell) -> list[Event]:
    return _set_out(state, to, price=0)


def can_again(state: Position, seat: Seat, to: Cell) -> Refusal | None:
    if not state.can_spend(state.turn):
        return no("no-nerve", "NC-NERVE-06", state.cells[state.turn])
    return can_move(state, seat, to)


def do_again(state: Position, seat: Seat, to: Cell) -> list[Event]:
    return _set_out(state, to, price=1)


def _charge_price(state: Position) -> int:
    """NC-NERVE-15: a charge as an extra move costs both tokens."""
    return 2 if state.todo[-1][0] == "again" else 1


def can_charge(state: Position, seat: Seat, to: Cell) -> Refusal | None:
    here = state.cells[state.turn]
    if state.nerve[state.turn] < _charge_price(state) or state.gained:
        return no("no-nerve", "NC-NERVE-10", here)
    found = _obstacle_to(state, to)
    if found == "monster":
        return None
    return no(found, OBSTACLES[found], here, to) if found else no("no-charge", "NC-NERVE-16", here, to)


def do_charge(state: Position, seat: Seat, to: Cell) -> list[Event]:
    return _set_out(state, to, price=_charge_price(state))


def _set_out(state: Position, to: Cell, *, price: int) -> list[Event]:
    """NC-MOVE-07: onto a tile, or onto what is drawn for a bare cell in the dark."""
    state.todo.pop()
    state.nerve[state.turn] -= price
    events: list[Event] = []
    if state.tiles[to] == EMPTY:
        state.todo.append(("draw-blind", state.turn, to))
    else:
        go(state, events, state.turn, to)
    return events


def go(state: Position, events: list[Event], prisoner: int, to: Cell) -> None:
    """NC-MOVE-11, -12, NC-MON-09: leaves a tile, which may crumble, and arrives on the next."""
    state.todo += _AFTER_A_STEP
    here = state.cells[prisoner]
    seen = state.watching(here)
    events.append(Event("moved", {"prisoner": state.name(prisoner), "from_cell": here, "cell": to}))
    state.crumble(here, events)
    arrive(state, events, prisoner, to, seen, state.torus.direction(here, to))
