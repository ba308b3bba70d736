"""After the game: the moves that cost most, beside what a careful player would have done there.

Only the decisions in which a careful player would have done something else are looked at, each by what its
seat knew then.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import monotonic
from typing import NamedTuple

from companion.engine.action import TABLE, Action, Seat
from companion.engine.search import Budget, candidates, compare, policy_of, sample
from companion.engine.state import State
from companion.table.session import Session

MOST = 3
EACH_S = 0.25
ALL_S = 6.0
LEAST = 5
"""A move that cost less of 100 is not told: the tries are too few to be sure of it."""


class Cost(NamedTuple):
    """A move and what it cost."""

    step: int
    """How many actions of the game stood after it."""
    seat: Seat
    action: Action
    better: Action
    chances: int
    otherwise: int


class _Decision(NamedTuple):
    step: int
    state: State
    seat: Seat
    action: Action


def costs(session: Session, clock: Callable[[], float] = monotonic) -> list[Cost]:
    """The moves of a finished game that cost most, in their order."""
    ends_at = clock() + ALL_S
    found: list[Cost] = []
    decisions = _doubtful(session)
    Random(session.number).shuffle(decisions)
    for one in decisions:
        if clock() > ends_at:
            break
        budget = Budget(session.game.mind.budget["good"], EACH_S)
        both = compare(session.game, one.state, one.seat, one.action, Random(one.step), budget)
        if both is not None:
            chosen, better = both
            chances, otherwise = round(100 * chosen.value), round(100 * better.value)
            if otherwise - chances >= LEAST and better.value - chosen.value > chosen.error:
                found.append(Cost(one.step, one.seat, one.action, better.action, chances, otherwise))
    found.sort(key=lambda one: one.chances - one.otherwise)
    return sorted(found[:MOST])


def _doubtful(session: Session) -> list[_Decision]:
    """The decisions in which a careful player might have done something else."""
    game, found = session.game, []
    policy = policy_of(game)
    state = game.start(session.options)
    for step, (seat, text) in enumerate(session.lines(), 1):
        action = state.notation.parse(text)
        if seat != TABLE and action.verb not in game.notes and len(candidates(game, state, seat)) > 1:
            rng = Random(step)
            if policy(sample(game, state, seat, rng), seat, rng) != action:
                found.append(_Decision(step, state.copy(), seat, action))
        state.apply(seat, action)
    return found
