"""A careful defender: reckons where every skeleton is going, and when it will be there."""

from __future__ import annotations

from typing import Any

from companion.action import Action
from companion.game import Turn, View
from companion.games.bad_bones.forecast import fates
from companion.games.bad_bones.pieces import DIRECTIONS, FIELD, ITEMS, NEXT, PLACES
from companion.games.bad_bones.printed import PRINTED, TO_ANY

FLOOR, HOUSE, SKELETON, TILE, FATAL = 10.0, 8.0, 1.2, 0.7, 60.0
"""What things are worth; fatal is the loss of the last floor or house."""
LATENESS = (0.5, 0.25, 0.12, 0.06)
"""What is left of a threat that strikes in the second, third … march from now."""
BEHIND_A_TRAP = 0.4
"""What is left of a threat that has a trap before it."""
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
            total -= FATAL
        ways = Ways(view, one)
        total -= sum(ways.danger(fate) for fate in fates(view, one))
    return total


class Ways:
    """Where the skeletons of a board are going, as a player sees it without reckoning every trap."""

    def __init__(self, view: View, seat: int) -> None:
        self.side = PRINTED.coop if view["coop"] else PRINTED.standard
        self.tiles = {cell % PLACES for cell, *_ in view["traps"][seat]}
        self.towers = {cell % PLACES for cell in view["towers"][seat]}
        hero = view["hero"][seat]
        self.hero = hero % PLACES if hero >= 0 else -1
        houses = view["capital"] if view["coop"] else view["houses"][seat]
        floor = FATAL if view["floors"][seat] <= 1 else FLOOR + 8.0 / view["floors"][seat]
        self.price = (floor, FATAL if houses <= 1 else HOUSE + 8.0 / houses)

    def danger(self, fate: dict[str, Any]) -> float:
        """What a skeleton threatens, the less the later it comes and the nearer the hero is."""
        if fate["floors"] or fate["houses"]:
            floors, houses = int(fate["floors"]), int(fate["houses"])
            return SKELETON + self.price[0] * floors + self.price[1] * houses
        if fate["end"] not in ("stands", "stays", "returned"):
            return 0.0
        place, facing = fate["to"] % PLACES, DIRECTIONS.index(fate["turned"])
        guard = self._guard(place)
        for late in LATENESS:
            if place < FIELD and NEXT[place][facing] < 0:
                outside = self.side.exits[facing] > TO_ANY
                return SKELETON + (self.price[1] * late * guard if outside else -0.8)
            after = self.side.plain[place * 4 + facing]
            place, facing = after >> 2, after & 3
            if place in self.towers:
                return SKELETON + self.price[0] * late * guard
            if place in self.tiles:
                guard *= BEHIND_A_TRAP
        return SKELETON * guard

    def _guard(self, place: int) -> float:
        """How much the hero's nearness leaves of a threat."""
        if self.hero < 0 or place >= FIELD:
            return 1.0
        far = max(abs(self.hero % 5 - place % 5), abs(self.hero // 5 - place // 5))
        return (0.3, 0.4, 0.7, 0.9)[min(far, 3)]
