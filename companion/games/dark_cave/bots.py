"""A careful dwarf."""

from __future__ import annotations

from companion.action import Action
from companion.game import Turn


def careful(turn: Turn) -> Action:
    return turn.actions[0]
