"""How far a figure can get, and what the way costs."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

from companion.games.dark_cave.cave import Cave, Place, is_closed


class Way(NamedTuple):
    """How to get somewhere: the steps, what it costs, and the places on the way, the last one included."""

    steps: int
    cards: int
    gold: int
    path: tuple[Place, ...]


def reach(
    cave: Cave,
    start: Place,
    steps: int,
    *,
    webs: Container[int] = (),
    stops: Container[Place] = (),
    cards: int = 0,
    gold: int = 0,
    back: Place = -1,
) -> dict[Place, Way]:
    """Finds every place that a figure can get to, by the way that costs least, then by the shortest.

    `cards` and `gold` are what it can lose on bridges and in passages; its movement ends at `stops` and on a
    goal that lies face down. `back` is the only way on from such a goal for a creature that stands there.
    """
    best: dict[Place, tuple[int, int, int, int]] = {}
    found: dict[Place, Way] = {}
    came: dict[tuple[Place, int, int], tuple[Place, ...]] = {(start, 0, 0): ()}
    front = dict(came)
    for step in range(1, steps + 1):
        reached: dict[tuple[Place, int, int], tuple[Place, ...]] = {}
        for (place, lost_cards, lost_gold), path in front.items():
            if path and (place in stops or is_closed(place)):
                continue
            for other, border in cave.near(place).items():
                if border in webs or (is_closed(place) and other != back):
                    continue
                feature = cave.feature(other)
                more_cards = lost_cards + (feature == "bridge" and lost_cards < cards)
                more_gold = lost_gold + (feature == "passage" and lost_gold < gold)
                key = (other, more_cards, more_gold)
                if key not in came:
                    reached[key] = came[key] = (*path, other)
                    value = (more_cards + more_gold, step, more_gold, more_cards)
                    if other != start and (other not in best or value < best[other]):
                        best[other] = value
                        found[other] = Way(step, more_cards, more_gold, (*path, other))
        front = reached
    return found
