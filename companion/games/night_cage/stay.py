"""Staying: gains nerve for a burned tile; in the dark it costs nerve, or happens to who is stuck."""

from __future__ import annotations

from companion.engine.action import Seat
from companion.engine.state import Event, Refusal, no
from companion.games.night_cage.falling import drop
from companion.games.night_cage.move import list_ways
from companion.games.night_cage.pieces import MONSTERS, NERVE_LIMIT, OMEN
from companion.games.night_cage.position import Position
from companion.games.night_cage.replace import swap_places
from companion.games.night_cage.tiles import CRUMBLES
from companion.games.night_cage.verbs import MOVE

_AFTER_STAYING = ("end",), ("light",), ("collapse",)


def can_stay(state: Position, seat: Seat) -> Refusal | None:
    here = state.cells[state.turn]
    return None if state.is_lit(state.turn) else no("candle-out", "NC-STAY-16", here)


def do_stay(state: Position, seat: Seat) -> list[Event]:
    """NC-STAY-01..03, -19..21: gains nerve, burns a tile, and the turn is over."""
    prisoner = state.turn
    events = _wait(state, "stayed")
    if state.nerve[prisoner] < NERVE_LIMIT:
        state.nerve[prisoner] += 1
        state.gained = True
    if state.stack:
        state.push(("draw-stay", prisoner, -1))
    return events


def can_rest(state: Position, seat: Seat) -> Refusal | None:
    here = state.cells[state.turn]
    if state.is_lit(state.turn):
        return no("candle-burns", "NC-NERVE-08", here)
    return None if state.can_spend(state.turn) else no("no-nerve", "NC-STAY-16", here)


def do_rest(state: Position, seat: Seat) -> list[Event]:
    """NC-STAY-16: stays in the dark for a token."""
    state.nerve[state.turn] -= 1
    return _wait(state, "rested")


def can_idle(state: Position, seat: Seat) -> Refusal | None:
    """NC-STAY-18: only who is dark, stuck and without nerve."""
    here = state.cells[state.turn]
    if state.is_lit(state.turn):
        return no("candle-burns", "NC-STAY-17", here)
    if state.nerve[state.turn] or list_ways(state, state.turn, MOVE, False):
        return no("must-move", "NC-STAY-18", here)
    return None


def do_idle(state: Position, seat: Seat) -> list[Event]:
    return _wait(state, "idled")


def _wait(state: Position, kind: str) -> list[Event]:
    state.take()
    state.todo += _AFTER_STAYING
    return [Event(kind, {"prisoner": state.name(state.turn)})]


def collapse(state: Position, events: list[Event]) -> None:
    """NC-STAY-14, -15, NC-PIT-03: a crumbling tile gives way under who stays on it."""
    here = state.cells[state.turn]
    if here >= 0 and CRUMBLES[state.tiles[here]]:
        seen = state.watching(here)
        state.crumble(here, events)
        drop(state, events, [state.turn], seen)


def reveal(state: Position, prisoner: int, kind: int) -> None:
    """NC-STAY-03, -04, -12: a monster comes onto the board, any other tile burns."""
    if kind in MONSTERS and swap_places(state, prisoner):
        state.push(("swap", prisoner, kind))
    elif kind == OMEN:
        state.hold(prisoner)
        state.push(("foretell",))
    else:
        state.burn_up(kind)
