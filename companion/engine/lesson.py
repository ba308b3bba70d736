"""A first game that teaches itself: a known set-up, and what to say at the moment when it is needed.

A game declares its lesson in its folder (`lesson.py`). The lesson is an ordinary game from its set-up on:
nothing is forced, any legal move may be tried and taken back. Each step names one rule of the ledger and the
moment at which it is wanted; which steps fit is asked of what the learner may know, so nothing is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.engine.action import Cell, Seat
from companion.engine.options import Value
from companion.engine.text import LANGUAGES


class LessonMoment(NamedTuple):
    """What a learner may know at one moment."""

    view: dict[str, Any]
    seat: Seat
    heard: frozenset[str]
    """The kinds of events that the learner has heard of in this game."""


When = Callable[[LessonMoment], bool]
Where = Callable[[LessonMoment], Sequence[Cell]]


def asked(*verbs: str) -> When:
    """When the learner may do one of these."""

    def is_so(moment: LessonMoment) -> bool:
        return any(
            who == moment.seat and not set(verbs).isdisjoint(shown) for who, shown in moment.view["needs"]
        )

    return is_so


def happened(*kinds: str) -> When:
    """When one of these events has happened."""
    return lambda moment: not moment.heard.isdisjoint(kinds)


def always(moment: LessonMoment) -> bool:
    """From the beginning on."""
    return True


def nowhere(moment: LessonMoment) -> Sequence[Cell]:
    """Nothing is lit."""
    return ()


class LessonStep(NamedTuple):
    """One rule, said once, when it is needed."""

    rule: str
    """The rule of the ledger that it teaches."""
    text: tuple[str, str]
    """What is said, and why it is so, in English and Russian."""
    when: When = always
    cells: Where = nowhere
    """The places that are lit meanwhile."""


class Lesson(NamedTuple):
    """The first game of a game."""

    options: Mapping[str, Value]
    seed: int
    """From it chance is dealt: the set-up is known."""
    learners: tuple[str, ...]
    """The seats that people take; bots play the others."""
    minutes: int
    """About how long it takes, in all."""
    steps: tuple[LessonStep, ...]

    def said(self, language: str) -> list[list[str]]:
        """All that is said, each with its rule: the rules in short."""
        return [[step.rule, step.text[LANGUAGES.index(language)]] for step in self.steps]

    def fitting(self, moment: LessonMoment) -> list[tuple[int, LessonStep]]:
        """The steps that fit a moment, with their numbers, in the order in which they are to be said."""
        return [(number, step) for number, step in enumerate(self.steps) if step.when(moment)]
