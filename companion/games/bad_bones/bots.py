"""A careful defender: reckons where every skeleton is going, and when it will be there."""

from __future__ import annotations

from typing import Any

from companion.engine.action import Action
from companion.engine.game import Turn, View
from companion.games.bad_bones.forecast import fates
from companion.games.bad_bones.pieces import AROUND, DIRECTIONS, FIELD, ITEMS, NEXT, PLACES
from companion.games.bad_bones.printed import PRINTED, TO_ANY

FLOOR, HOUSE, SKELETON, TILE, FATAL = 10.0, 8.0, 1.2, 0.7, 60.0
"""What things are worth; fatal is the loss of the last floor or house."""
LATENESS = (1.0, 0.5, 0.25, 0.12, 0.06)
"""What is left of a threat that strikes in the first, second … march from now."""
FORESIGHT = 3
"""How many moves of the hero are thought ahead."""
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
    """Takes the action after which the own board looks best."""
    if turn.view["phase"] == "market":
        return _shop(turn)
    if len(turn.actions) == 1:
        return turn.actions[0]
    best, best_worth = turn.actions[0], float("-inf")
    for action in turn.actions:
        after = turn.look(action)
        if after is None:
            continue
        found = worth(after, turn.seat) + turn.rng.random() * 0.01
        if action.verb == "pursue":
            found -= 1.0
        if found > best_worth:
            best, best_worth = action, found
    return best


def _shop(turn: Turn) -> Action:
    have = turn.view["common"] if turn.view["coop"] else turn.view["supply"][turn.seat]
    buys = {ITEMS[action.args[0]]: action for action in turn.actions if action.verb == "buy"}
    wanted = [item for item in WANTED if item in buys]
    if not wanted:
        return turn.actions[-1]
    return buys[min(wanted, key=lambda item: (have.get(item, 0), WANTED.index(item)))]


def worth(view: View, seat: int) -> float:
    """How safe a seat is: what stands, less what will fall soon.

    The other boards are left out, together too: nobody changes them (BB-ROUND-05).
    """
    supply = view["common"] if view["coop"] else view["supply"][seat]
    total: float = TILE * (sum(supply.values()) + len(view["traps"][seat]))
    total += FLOOR * view["floors"][seat] + HOUSE * (
        view["capital"] if view["coop"] else view["houses"][seat]
    )
    if view["fallen"][seat]:
        total -= FATAL
    return total - Outlook(view, seat).danger()


class Outlook:
    """What the skeletons of a board threaten in the coming marches, less what the hero can still prevent.

    The next march is told by the forecast; after it skeletons are thought to walk on as on a bare board.
    Marches are counted from 1; the hero's path is searched `FORESIGHT` moves deep.
    """

    def __init__(self, view: View, seat: int) -> None:
        self.side = PRINTED.coop if view["coop"] else PRINTED.standard
        self.fates = fates(view, seat)
        self.tiles = {cell % PLACES for cell, *_ in view["traps"][seat]}
        self.towers = {cell % PLACES for cell in view["towers"][seat]}
        hero = view["hero"][seat]
        self.hero = hero % PLACES if hero >= 0 else -1
        houses = view["capital"] if view["coop"] else view["houses"][seat]
        floor = FATAL if view["floors"][seat] <= 1 else FLOOR + 8.0 / view["floors"][seat]
        self.price = (floor, FATAL if houses <= 1 else HOUSE + 8.0 / houses)
        has_moved = view["phase"] in ("trap", "march") or (
            view["phase"] == "hero" and all(one != seat for one, _ in view["needs"])
        )
        self.first_move = 2 if has_moved else 1
        """The march before which the hero moves next."""
        left = view["rounds"] - view["round"] + (view["phase"] not in ("draw", "rest"))
        self.marches = min(len(LATENESS), left) if view["rounds"] else len(LATENESS)
        """How many marches are still worth a thought."""

    def danger(self) -> float:
        threats: list[float] = []
        reached: dict[tuple[int, int], int] = {}
        """By march and cell the skeletons, as bits, that a hero there meets before or in that march."""
        for fate in self.fates:
            threat, places = self._course(fate)
            bit = 1 << len(threats)
            threats.append(SKELETON + threat)
            for march, place in enumerate(places):
                for when in (march, march + 1):
                    reached[when, place] = reached.get((when, place), 0) | bit
        saved = 0.0
        if self.hero >= 0:
            saved = self._saved(threats, reached, self.hero, self.first_move, (1 << len(threats)) - 1, {})
        return sum(threats) - saved

    def _course(self, fate: dict[str, Any]) -> tuple[float, list[int]]:
        """What a skeleton threatens, the less the later it comes, and its places after 0, 1, 2 … marches."""
        places = [fate["cell"] % PLACES]
        if fate["floors"] or fate["houses"]:
            return self.price[0] * int(fate["floors"]) + self.price[1] * int(fate["houses"]), places
        place, facing, share = fate["to"] % PLACES, DIRECTIONS.index(fate["turned"]), 1.0
        if fate["end"] == "slain" and self.first_move == 1:
            # The forecast leaves the hero where he stands, but he must move on first.
            after = self.side.plain[places[0]][DIRECTIONS.index(fate["facing"])]
            assert after is not None
            place, facing = after
        elif fate["end"] not in ("stands", "stays", "returned"):
            return -SKELETON, []
        for late in LATENESS[1 : self.marches]:
            places.append(place)
            if place < FIELD and NEXT[place][facing] < 0:
                return (self.price[1] * late * share if self.side.exits[facing] > TO_ANY else -0.8), places
            after = self.side.plain[place][facing]
            assert after is not None
            place, facing = after
            if place in self.towers:
                return self.price[0] * late * share, places
            if place in self.tiles:
                share *= BEHIND_A_TRAP
        return 0.0, places

    def _saved(
        self,
        threats: list[float],
        reached: dict[tuple[int, int], int],
        hero: int,
        march: int,
        standing: int,
        known: dict[tuple[int, int, int], float],
    ) -> float:
        """What the hero's best moves from here on prevent."""
        if march >= self.first_move + FORESIGHT or march > self.marches:
            return 0.0
        key = hero, march, standing
        if key not in known:
            best = 0.0
            for cell in AROUND[hero]:
                met = reached.get((march, cell), 0) & standing
                worth = sum(threat for i, threat in enumerate(threats) if met >> i & 1) if met else 0.0
                worth += self._saved(threats, reached, cell, march + 1, standing & ~met, known)
                best = max(best, worth)
            known[key] = best
        return known[key]
