"""What bots think with in Bad Bones: careful defenders play on for a while, and the own board counts."""

from __future__ import annotations

from math import exp

from companion.engine.action import Seat
from companion.engine.mind import Mind
from companion.games.bad_bones.agenda import BadBones
from companion.games.bad_bones.bots import worth
from companion.games.bad_bones.view import view

EVEN = 0.0
"""The careful defender's worth of a board that may stand or fall."""
STEEP = 20.0


def value(state: BadBones, seat: Seat) -> float:
    """1 for a game that is won; before the end what the careful defender thinks of the own board."""
    if state.result is not None:
        return 1.0 if seat in state.result.winners else 0.0
    return 1.0 / (1.0 + exp((EVEN - worth(view(state, seat), seat)) / STEEP))


MIND = Mind(
    value=value,
    horizon=10,
    budget={"good": 120, "strong": 400},
    tells=("tower-hit", "house-burnt", "slain", "felled", "fell"),
)
