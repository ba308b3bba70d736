"""A round: heroes, traps, march, draw; and how the game ends after it (BB-ROUND, BB-SOLO, BB-COOP)."""

from __future__ import annotations

from companion.engine.action import Action, Seat
from companion.engine.state import Event, Outcome, Refusal
from companion.games.bad_bones.march import begin_march
from companion.games.bad_bones.phases import open_boards
from companion.games.bad_bones.position import Position
from companion.games.bad_bones.score import is_lost, outcome_of_fall, points
from companion.games.bad_bones.verbs import PURSUE, REST
from companion.games.bad_bones.wear import settle_boards, settle_march

_HEROES = (("heroes-done",), ("heroes",))
_TRAPS = (("traps-done",), ("traps",))
_DRAW = (("end-round",), ("enter",), ("begin-draw",))
"""What a phase consists of, the last first."""


def begin_round(state: Position, events: list[Event]) -> None:
    """Phase I, for those whom the emperor has left a hero (BB-CMD-19)."""
    events.append(Event("round-began", {"n": state.round}))
    open_boards(state, [seat for seat, field in enumerate(state.fields) if field.hero >= 0])
    state.todo += _HEROES if state.busy else _HEROES[:1]


def end_heroes(state: Position, events: list[Event]) -> None:
    """Phase I is over: phase II begins."""
    settle_boards(state, events)
    open_boards(state, range(state.mode.players))
    state.todo += _TRAPS


def end_traps(state: Position, events: list[Event]) -> None:
    """Phase II is over: what was lifted together may be laid again, and phase III begins."""
    settle_boards(state, events)
    if state.mode.coop:
        for trap in state.lifted:
            state.common[trap] += 1
        state.lifted = ()
    begin_march(state, events)


def end_march(state: Position, events: list[Event], is_own: bool) -> None:
    """Phase III is over: phase IV, unless somebody fell; in the heroic end nobody draws (BB-SOLO-09)."""
    settle_march(state, events, is_own)
    if is_lost(state):
        events.append(state.end(outcome_of_fall(state)))
        return
    state.todo += _DRAW[:2] if state.heroic else _DRAW


def end_round(state: Position, events: list[Event]) -> None:
    """Step V: the round marker moves on; the defence may have held (BB-SOLO-07, BB-COOP-23)."""
    mode = state.mode
    if state.heroic:
        if not any(state.cemetery) and not any(field.tokens for field in state.fields):
            events.append(state.end(Outcome("heroic", (0,), "BB-SOLO-09", (points(state.fields[0]),))))
            return
    elif mode.rounds and state.round >= mode.rounds:
        if mode.coop:
            events.append(state.end(Outcome("capital-held", tuple(range(mode.players)), "BB-COOP-23")))
        else:
            events.append(Event("held", {"n": state.round}))
            state.push(("rest", 0))
        return
    state.round += 1
    state.push(("round",))


# The defence of one has held ---------------------------------------------------------------------


def can_rest(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_rest(state: Position, seat: Seat) -> list[Event]:
    """BB-SOLO-07."""
    return [state.end(Outcome("held", (0,), "BB-SOLO-07", (points(state.fields[0]),)))]


def can_pursue(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_pursue(state: Position, seat: Seat) -> list[Event]:
    """Goes on without draws until no skeleton is left (BB-SOLO-09)."""
    state.take()
    state.heroic = True
    state.push(("end-round",))
    return [Event("pursued", {"seat": seat})]


def list_rest(state: Position, seat: Seat, player: Seat) -> list[Action]:
    return [REST, PURSUE]
