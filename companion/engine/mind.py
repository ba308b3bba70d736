"""What a game brings for its bots to think with: a quick player, a value of positions, what may be hidden."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from companion.engine.action import Action, Seat
from companion.engine.state import State

Policy = Callable[[Any, Seat, Random], Action]
"""Plays one action quickly, over the state; looks at nothing that the seat may not know."""


def share_of_outcome(state: State, seat: Seat) -> float:
    """What a game that is over was worth: 1 for its winners; a game that goes on is worth a half."""
    if state.result is None:
        return 0.5
    return 1.0 if seat in state.result.winners else 0.0


def no_shortlist(state: Any, seat: Seat, actions: Sequence[Action]) -> Sequence[Action]:
    """Takes all actions as they come."""
    return actions


@dataclass(frozen=True, slots=True)
class Mind:
    """How bots think in a game. What is left out: they then play to the end, by the careful bot."""

    policy: Policy | None = None
    """The quick player by which positions are played on; None: the game's careful bot, by its view."""
    value: Callable[[Any, Seat], float] = share_of_outcome
    """What a position is worth to a seat, from 0 (lost) to 1 (won): about its chance to win."""
    sample: Callable[[Any, Seat, Random], State] | None = None
    """A position that the seat may take for the true one: depends on what the seat knows and on the generator
    alone, never on what is hidden. None: the game's `disguise`."""
    shortlist: Callable[[Any, Seat, Sequence[Action]], Sequence[Action]] = no_shortlist
    """The actions that are worth a thought, the most promising first."""
    horizon: int = 100_000
    """After how many actions a try is ended and its position valued."""
    is_quiet: Callable[[Any], bool] = lambda state: True
    """Whether a position may be valued: a try goes on until one is met."""
    widest: int = 24
    """How many actions are compared at most."""
    margin: float = 0.5
    """By how many standard errors another action must be better than that of the quick player."""
    budget: Mapping[str, int] = field(default_factory=lambda: {"good": 1_000, "strong": 6_000})
    """How many actions are tried out for one decision, by strength."""
    tells: tuple[str, ...] = ()
    """The kinds of events that hints give as reasons; their texts are `hint.KIND`."""
