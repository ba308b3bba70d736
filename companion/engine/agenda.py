"""The steps of the turn machine: what is still to be done, who decides, and what runs by itself.

A position (`State`) keeps its pending steps in `todo`, a list whose last entry comes first. A step is a small
tuple: its name, then the facts that it needs. The game's table `steps` says what each name means:

- `runs`: the rules do it by themselves. It may push more steps: an interruption goes on top, at any depth.
- `waits`: one seat, or several at once, must act with certain verbs; `lists` lists what they may do.
- `draws`: chance decides; `outcomes` lists what can come.

A decision's `do_<verb>` takes its step off the list with `take` when it has answered it, pushes what follows
and returns its events; `apply` then runs what needs nobody and notes in `waiting` who must act next. The
game is over when `result` is set.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

from companion.engine.action import TABLE, Action, Seat
from companion.engine.event import Need

MOST_SEATS = 16
Step = tuple[Any, ...]
"""A pending step: its name, then the facts that it needs. Never changed in place."""


class StepRule(NamedTuple):
    """A row of a game's table of steps; made by `runs`, `waits` or `draws`."""

    run: Callable[..., None] | None = None
    """`run(state, events, *facts)` does the step and appends what happened."""
    place: int = 0
    """Where in the step the seat stands that must act; 0: `needs` finds it out; -1: chance."""
    needs: Any = None
    """Who must act while the step is on top: `needs[seat]`, `needs(state, step)`, or `needs` itself."""
    lists: Callable[..., list[Action]] | None = None
    """`lists(state, seat, *facts)`: what a seat may do."""
    outcomes: Callable[..., list[tuple[Action, int]]] | None = None
    """`outcomes(state, *facts)`: what chance can bring, each with its number of ways."""
    phase: str = ""
    """The name of the phase for people."""


@cache
def need(verbs: tuple[str, ...], *seats: Seat) -> tuple[Need, ...]:
    """The needs of seats that may all do the same; made once."""
    return tuple(Need(seat, verbs) for seat in seats)


def runs(run: Callable[..., None]) -> StepRule:
    """A step that the rules do by themselves."""
    return StepRule(run=run)


def waits(
    *verbs: str,
    lists: Callable[..., list[Action]],
    seat: Callable[..., Seat] | int = 1,
    needs: Callable[..., tuple[Need, ...]] | None = None,
    phase: str = "",
) -> StepRule:
    """A step that waits for a seat with these verbs.

    `seat` says where in the step the seat stands, or finds it as `seat(state, *facts)`. Several seats at
    once, or other verbs for each, come from `needs(state, step)` instead.
    """
    if needs is not None:
        return StepRule(needs=needs, lists=lists, phase=phase)
    each = tuple(need(verbs, one) for one in range(MOST_SEATS))
    if isinstance(seat, int):
        return StepRule(place=seat, needs=each, lists=lists, phase=phase)
    find = seat
    return StepRule(needs=lambda state, step: each[find(state, *step[1:])], lists=lists, phase=phase)


def draws(
    *verbs: str,
    outcomes: Callable[..., list[tuple[Action, int]]],
    needs: Callable[..., tuple[Need, ...]] | None = None,
    phase: str = "",
) -> StepRule:
    """A step that waits for chance: a draw, a roll, a shuffle; `needs` where its verbs depend on more."""
    if needs is not None:
        return StepRule(needs=needs, outcomes=outcomes, phase=phase)
    return StepRule(place=-1, needs=need(verbs, TABLE), outcomes=outcomes, phase=phase)


def choices(*actions: Action) -> Callable[..., list[Action]]:
    """Lists the same actions whenever the step comes."""
    fixed: Sequence[Action] = actions
    return lambda state, seat, *facts: list(fixed)
