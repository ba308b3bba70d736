"""Hints: the best things that a seat could do now, how good each is, and what speaks for and against it.

Made by the player that thinks for every seat (`search.py`), so from what the asking seat knows alone. The
reasons are what came up soon in its tries: kinds of events that the game names in `Mind.tells`.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from companion.engine.action import TABLE, Action, Seat
from companion.engine.game import Game
from companion.engine.search import FEWEST_TRIES, HINTS, Budget, Prospect, candidates, think
from companion.engine.state import State

REASONS = 2
"""How many reasons a hint gives at most."""
TOLD = 0.1
"""By what share of the tries two candidates must differ in something for it to be a reason."""
STRENGTH = "strong"


class Told(NamedTuple):
    """Something that comes up soon: in how many of 100 tries, and in how many with the other candidate."""

    kind: str
    times: int
    otherwise: int


class Hint(NamedTuple):
    """One thing that a seat could do."""

    action: Action
    chances: int
    """The prospects, of 100: `Mind.value` of what comes of it."""
    is_close: bool
    """Whether the tries cannot tell it from the best."""
    is_guess: bool
    """Whether there was so little time that the prospects are not to be told."""
    reasons: tuple[Told, ...]


def is_asked(game: Game, state: State, seat: Seat) -> bool:
    """Says whether a seat must decide something; nobody waits for notes."""
    return seat != TABLE and any(
        need.seat == seat and not game.notes.issuperset(need.verbs) for need in state.needs()
    )


def hints(game: Game, state: State, seat: Seat, rng: Random, seconds: float) -> list[Hint]:
    """The best that a seat could do, the best first; empty where there is nothing to choose."""
    if not is_asked(game, state, seat) or len(candidates(game, state, seat)) < 2:
        return []
    found = think(game, state, seat, rng, Budget(game.mind.budget[STRENGTH], seconds))
    most = max(one.tries for one in found)
    # Those that were dropped early met fewer positions: their means are not to be compared.
    best = sorted((one for one in found if one.tries == most), key=lambda one: -one.value)[:HINTS]
    return [_hint(game, one, best) for one in best]


def _hint(game: Game, one: Prospect, best: Sequence[Prospect]) -> Hint:
    first = best[0]
    other = first if one is not first else best[1] if len(best) > 1 else first
    gap = first.value - one.value
    is_guess = one.tries < FEWEST_TRIES
    return Hint(
        one.action,
        round(100 * one.value),
        one is not first and (is_guess or gap <= max(one.error, first.error)),
        is_guess,
        () if is_guess else _reasons(game, one, other),
    )


def _reasons(game: Game, one: Prospect, other: Prospect) -> tuple[Told, ...]:
    """In what a candidate differs most from another."""
    told = []
    for kind in game.mind.tells:
        share, reference = (each.tells[kind] / max(1, each.tries) for each in (one, other))
        if abs(share - reference) >= TOLD:
            told.append((abs(share - reference), Told(kind, round(100 * share), round(100 * reference))))
    told.sort(key=lambda each: -each[0])
    return tuple(each for _, each in told[:REASONS])
