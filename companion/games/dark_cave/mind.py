"""What bots think with in The Dark Cave: careful dwarves play on to the end; the share of points counts."""

from __future__ import annotations

from companion.engine.action import Seat
from companion.engine.mind import Mind
from companion.games.dark_cave.agenda import DarkCave

WIN = 0.5
"""How much it counts to have won, beside the share of all points."""


def value(state: DarkCave, seat: Seat) -> float:
    """Half for the win, half for the share of all points."""
    result = state.result
    if result is None:
        return 0.5
    total = sum(result.points)
    share = result.points[seat] / total if total else 1 / len(result.points)
    return WIN * (seat in result.winners) + (1 - WIN) * share


MIND = Mind(
    value=value,
    budget={"good": 1_500, "strong": 4_500},
    tells=("gold-taken", "attacked", "vein-found", "nugget-lost", "left"),
)
