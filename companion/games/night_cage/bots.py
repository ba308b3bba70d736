"""Bots for The Night Cage."""

from __future__ import annotations

from companion.action import Action
from companion.game import Turn


def careful(turn: Turn) -> Action:
    """Plays."""
    return turn.rng.choice(turn.actions)
