"""What bots think with in The Night Cage: careful prisoners play on; positions are valued between turns."""

from __future__ import annotations

from math import exp

from companion.engine.action import Seat
from companion.engine.mind import Mind
from companion.games.night_cage.bots import value as careful_value
from companion.games.night_cage.position import Position
from companion.games.night_cage.view import view

EVEN = 100.0
"""The careful prisoner's worth of a position that may be won or lost."""
STEEP = 15.0
"""By how much that worth must rise to make a good chance of an even one."""


def value(state: Position, seat: Seat) -> float:
    """1 for an escape; before the end what the careful prisoner thinks of the position."""
    if state.result is not None:
        return 1.0 if state.result.winners else 0.0
    return 1.0 / (1.0 + exp((EVEN - careful_value(view(state, seat))) / STEEP))


def is_quiet(state: Position) -> bool:
    """Asked only where a turn begins: within one a draw or an attack may still be due."""
    return bool(state.todo[-1][0] == "act")


MIND = Mind(
    value=value,
    horizon=16,
    is_quiet=is_quiet,
    budget={"good": 700, "strong": 2_800},
    tells=("hit", "fell", "took-key", "swept", "flickers"),
)
