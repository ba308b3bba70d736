"""Where draws, rolls and shuffles come from.

Rules never draw: they say what chance may bring (`State.outcomes`), and one of these picks, or waits for
the table to tell. The rules cannot see which.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from itertools import accumulate
from operator import itemgetter
from random import Random
from typing import Protocol

from companion.engine.action import Action, Notation

Outcomes = list[tuple[Action, int]]
_WAYS = itemgetter(1)


class Chance(Protocol):
    """Decides what chance brings."""

    def pick(self, outcomes: Outcomes) -> Action | None:
        """Picks one of the outcomes, or returns None to wait for the table."""


class Shuffled:
    """A digital deck: picks with a seeded generator, each outcome by its number of ways."""

    def __init__(self, seed: int | None = None) -> None:
        self._rng = Random(seed)

    def pick(self, outcomes: Outcomes) -> Action | None:
        return weighted(outcomes, self._rng)


class AtTable:
    """A physical deck: the camera or a tap tells."""

    def pick(self, outcomes: Outcomes) -> Action | None:
        return None


class Scripted:
    """Chance that was written down, for tests; waits when the script is over.

    A line that cannot happen now is an error of the script, not a reason to pick another.
    """

    def __init__(self, notation: Notation, lines: Iterable[str]) -> None:
        self._script = [notation.parse(line) for line in lines]

    def pick(self, outcomes: Outcomes) -> Action | None:
        if not self._script:
            return None
        action = self._script.pop(0)
        assert any(action == possible for possible, _ in outcomes), f"{action} cannot happen now: {outcomes}"
        return action


class PerVerb:
    """Different sources for different kinds of chance: dice by camera, cards digital."""

    def __init__(self, sources: Mapping[str, Chance], rest: Chance) -> None:
        self._sources = dict(sources)
        self._rest = rest

    def pick(self, outcomes: Outcomes) -> Action | None:
        by_verb: dict[str, Outcomes] = {}
        for outcome in outcomes:
            by_verb.setdefault(outcome[0].verb, []).append(outcome)
        for verb, group in by_verb.items():
            action = self._sources.get(verb, self._rest).pick(group)
            if action is not None:
                return action
        return None


def weighted(outcomes: Outcomes, rng: Random) -> Action:
    """Picks one outcome, each as likely as its number of ways."""
    if len(outcomes) == 1:
        return outcomes[0][0]
    sums = list(accumulate(map(_WAYS, outcomes)))
    assert sums and sums[-1], "chance is due but nothing can happen"
    return outcomes[bisect_right(sums, int(rng.random() * sums[-1]))][0]
