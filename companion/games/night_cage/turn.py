"""The frame of a turn: landing, choosing, going on, the last flickers, the next prisoner."""

from __future__ import annotations

from companion.engine.action import Action, Seat
from companion.engine.state import Event, Refusal, no
from companion.games.night_cage.flickers import begin_flickers, flicker, is_cut_off
from companion.games.night_cage.keys import list_passes, take_key
from companion.games.night_cage.move import list_ways
from companion.games.night_cage.pieces import PRISONERS
from companion.games.night_cage.position import ORDER, Position
from companion.games.night_cage.verbs import AGAIN, CONCEDE, END, IDLE, MOVE, REST, STAY

_TURN_OF = tuple(Event("turn", {"prisoner": prisoner}) for prisoner in PRISONERS)


def begin_turn(state: Position, events: list[Event], prisoner: int) -> None:
    """NC-TURN-01, -04: a prisoner's turn begins, with its landing if it falls."""
    state.turn = prisoner
    state.gained = state.moved = False
    state.key_from = ORDER[state.rules.prisoners][0]
    events.append(_TURN_OF[state.rules.colours[prisoner]])
    if state.cells[prisoner] < 0:
        state.push(("landing",), ("choose",))
    else:
        choose(state, events)


def choose(state: Position, events: list[Event]) -> None:
    """NC-TURN-02, -05: the active prisoner acts, unless it fell again."""
    if state.cells[state.turn] < 0:
        state.push(("end",))
    else:
        take_key(state, state.turn, events)
        state.todo.append(("act", state.turn))


def list_act(state: Position, seat: Seat, prisoner: int) -> list[Action]:
    nerve = state.nerve[prisoner]
    ways = list_ways(state, prisoner, MOVE, nerve > 0)
    if state.is_lit(prisoner):
        listed = [STAY, *ways]
    elif nerve:
        listed = [*ways, REST]
    else:
        listed = ways or [IDLE]
    if state.keys:
        listed += list_passes(state, prisoner)
    if can_concede(state, seat) is None:
        listed.append(CONCEDE)
    return listed


def can_concede(state: Position, seat: Seat) -> Refusal | None:
    """NC-END-09: when the light is gone, or at any turn where the players have agreed on it."""
    return None if state.flickers or state.rules.concede_any_turn else no("too-early", "NC-END-09")


def do_concede(state: Position, seat: Seat) -> list[Event]:
    state.finish("conceded", "NC-END-09")
    return []


def go_on(state: Position, events: list[Event]) -> None:
    """NC-NERVE-06, -07: after a move the prisoner may go on, or pass keys; else nobody is asked."""
    state.moved = True
    prisoner = state.turn
    if state.cells[prisoner] >= 0 and list_again(state, state.seats[prisoner], prisoner) != [END]:
        state.todo.append(("again", prisoner))
    else:
        end(state, events)


def list_again(state: Position, seat: Seat, prisoner: int) -> list[Action]:
    listed = [END]
    if state.can_spend(prisoner):
        listed += list_ways(state, prisoner, AGAIN, state.nerve[prisoner] > 1)
    if state.keys:
        listed += list_passes(state, prisoner)
    return listed


def can_end(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_end(state: Position, seat: Seat) -> list[Event]:
    state.take()
    state.push(("end",))
    return []


def end(state: Position, events: list[Event]) -> None:
    """NC-FLICKER-01..09: in the last flickers a tile goes at the end of every turn."""
    if not state.stack and state.rules.flicker_same_turn:
        begin_flickers(state, events)
    if state.flickers:
        state.push(("close",))
        flicker(state)
    else:
        close(state, events)


def close(state: Position, events: list[Event]) -> None:
    """NC-TURN-08, NC-END-07: the turn is over."""
    if not state.stack:
        begin_flickers(state, events)
        if is_cut_off(state):
            state.finish("cut-off", "NC-END-07")
            return
    last = state.rules.prisoners - 1
    if state.rules.people == 3 and state.turn == last:
        state.seats = state.controllers((state.seats[-1] + 1) % 3)
        events.append(Event("marker", {"seat": state.seats[-1]}))
    begin_turn(state, events, state.turn + 1 if state.turn < last else 0)
