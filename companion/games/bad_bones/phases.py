"""What the phases of a round share: everybody acts at once, each on his own board, and when all are done the
boards are uncovered together (BB-ROUND-02).

A phase is one step that waits for the seats of `busy`. Inside it a board may wait for a choice of its own: a
step that the board holds (`Field.ask`), with a row in the same table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.engine.action import Action, Seat
from companion.engine.agenda import Step, StepRule, draws, need, waits
from companion.engine.state import Event, Need, Refusal, no
from companion.games.bad_bones.field import Ask
from companion.games.bad_bones.position import BOARD_PHASES, Position
from companion.games.bad_bones.verbs import REVEAL

VERBS_OF = {"hero": ("step",), "trap": ("lay", "lift", "wait"), "march": ("march", "auto")}
"""What a seat does in each phase, before any choice inside it."""


def board_phase(phase: str, lists: Callable[[Position, Seat], list[Action]]) -> StepRule:
    """The row of a phase in which everybody acts at once."""
    verbs = VERBS_OF[phase]

    def who_acts(state: Position, step: Step) -> tuple[Need, ...]:
        for field in state.fields:
            if field.ask is not None:
                return _needs(state, verbs)
        return need(verbs, *state.busy)

    def list_phase(state: Position, seat: Seat) -> list[Action]:
        ask = state.fields[seat].ask
        return lists(state, seat) if ask is None else _list_choice(state, ask)

    return waits(needs=who_acts, lists=list_phase, phase=phase)


def _needs(state: Position, verbs: tuple[str, ...]) -> tuple[Need, ...]:
    """Who must act where a board waits for a choice of its own."""
    found: tuple[Need, ...] = ()
    for seat in state.busy:
        ask = state.fields[seat].ask
        if ask is None:
            found += need(verbs, seat)
        else:
            rule = state.steps[ask.verb]
            found += rule.needs[seat] if rule.place else rule.needs(state, ask)
    return found


def _list_choice(state: Position, ask: Ask) -> list[Action]:
    lists = state.steps[ask.verb].lists
    assert lists is not None
    return lists(state, ask.seat, *ask[1:])


def open_boards(state: Position, seats: Sequence[Seat]) -> None:
    """Lets these seats work on their boards, under cover where others must not see it yet."""
    state.busy = tuple(seats)
    state.shown = state.fields[:] if state.mode.sealed else None


def finish(state: Position, seat: Seat) -> None:
    """Notes that a seat has done its part; after the last one the boards are uncovered."""
    i = state.busy.index(seat)
    state.busy = state.busy[:i] + state.busy[i + 1 :]
    if not state.busy:
        (name,) = state.take()
        if state.mode.sealed:
            state.push((f"uncover-{name}",))


# Uncovering --------------------------------------------------------------------------------------


def can_reveal(state: Position, seat: Seat, phase: int) -> Refusal | None:
    return None if BOARD_PHASES[phase] == state.phase() else no("not-now", "BB-ROUND-02")


def do_reveal(state: Position, seat: Seat, phase: int) -> list[Event]:
    """BB-ROUND-02."""
    state.take()
    return []


def uncovering(phase: str) -> StepRule:
    """The row in which the boards of a phase are uncovered."""
    only = (REVEAL[phase], 1)
    return draws("reveal", outcomes=lambda state: [only], phase=phase)
