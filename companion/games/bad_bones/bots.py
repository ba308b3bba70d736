"""A careful defender: looks one march ahead and keeps skeletons away from tower and houses."""

from __future__ import annotations

from typing import Any

from companion.action import Action
from companion.game import Turn, View
from companion.games.bad_bones.forecast import fates
from companion.games.bad_bones.pieces import DIRECTIONS, FIELD, ITEMS, NEXT, PLACES
from companion.games.bad_bones.printed import PRINTED, TO_ANY

FLOOR, HOUSE, SKELETON, TILE = 10.0, 8.0, 1.2, 0.7
STEPS_AHEAD = 5
WANTED = (
    "dragon",
    "catapult",
    "wall",
    "dynamite",
    "catapult",
    "crossbow",
    "portal",
    "wall",
    "hearse",
    "palisade",
    "spring",
    "maze",
)
"""What to buy, the most useful first."""


def careful(turn: Turn) -> Action:
    """Takes the action after which the own board (together: all boards) looks best."""
    if turn.view["phase"] == "market":
        return _shop(turn)
    if len(turn.actions) == 1:
        return turn.actions[0]
    best, best_worth = turn.actions[0], float("-inf")
    for action in turn.actions:
        after = turn.look(action)
        if after is None:
            continue
        worth = _worth(after, turn.seat) + turn.rng.random() * 0.01
        if action.verb == "pursue":
            worth -= 1.0
        if worth > best_worth:
            best, best_worth = action, worth
    return best


def _shop(turn: Turn) -> Action:
    have = turn.view["common"] if turn.view["coop"] else turn.view["supply"][turn.seat]
    buys = {ITEMS[action.args[0]]: action for action in turn.actions if action.verb == "buy"}
    wanted = [item for item in WANTED if item in buys]
    if not wanted:
        return turn.actions[-1]
    return buys[min(wanted, key=lambda item: (have.get(item, 0), WANTED.index(item)))]


def _worth(view: View, seat: int) -> float:
    """How safe a seat is: what stands, less what will fall soon."""
    seats = range(view["players"]) if view["coop"] else (seat,)
    supply = view["common"] if view["coop"] else view["supply"][seat]
    total: float = TILE * sum(supply.values()) + (HOUSE * view["capital"] if view["coop"] else 0.0)
    for one in seats:
        total += FLOOR * view["floors"][one] + HOUSE * view["houses"][one] + TILE * len(view["traps"][one])
        if view["fallen"][one]:
            total -= 100.0
        total -= sum(_danger(view, entry, one) for entry in fates(view, one))
    return total


def _danger(view: View, entry: dict[str, Any], seat: int) -> float:
    """What a skeleton threatens: at once, or on its way over plain cells after the next march."""
    left = view["capital"] if view["coop"] else view["houses"][seat]
    floors = view["floors"][seat]
    for harm, standing, worth in ((entry["floors"], floors, FLOOR), (entry["houses"], left, HOUSE)):
        if harm:
            return SKELETON + worth * min(int(harm), 3) + (40.0 if standing <= harm else 0.0)
    if entry["end"] not in ("stands", "stays", "returned"):
        return 0.0
    side = PRINTED.coop if view["coop"] else PRINTED.standard
    place, facing = entry["to"] % PLACES, DIRECTIONS.index(entry["turned"])
    tiles = {cell % PLACES for cell, *_ in view["traps"][seat]}
    towers = {cell % PLACES for cell in view["towers"][seat]}
    for step in range(2, STEPS_AHEAD):
        if place < FIELD and NEXT[place][facing] < 0:
            return SKELETON + (HOUSE / step if side.exits[facing] > TO_ANY else -0.5)
        after = side.plain[place * 4 + facing]
        place, facing = after >> 2, after & 3
        if place in towers:
            return SKELETON + FLOOR / step
        if place in tiles:
            return SKELETON * 0.5
    return SKELETON
