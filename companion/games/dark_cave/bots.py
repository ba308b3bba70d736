"""A careful dwarf: digs towards the nearest goal that can be the exit, walks cheaply, annoys its rivals.

A place is worth what is still missing from there: steps to walk, cards to build, nuggets and cards to pay. A
card is worth what it takes off that. The dwarf looks at its view alone, as a person would.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush

from companion.engine.action import Action, Cell
from companion.engine.game import Turn, View
from companion.engine.grid import opposite
from companion.games.dark_cave import pieces
from companion.games.dark_cave.cards import CARDS
from companion.games.dark_cave.cave import NOWHERE, Cave, Place, cell_at, is_closed, place_at, segment_at
from companion.games.dark_cave.reach import reach
from companion.games.dark_cave.sites import SIDES_OF
from companion.games.dark_cave.spread import BESIDE, border_at, distance
from companion.games.dark_cave.view import CELL_NAMED, cave_of, place_named

BUILD = 3.0
"""What a card that must still be laid is worth, in steps."""
TOLL = {"bridge": 0.7, "passage": 1.5}
FAR = 99.0
CREATURE = 4.0
"""How much a dwarf without an axe fears a creature."""
VEIN = 2.0
PLAIN_CARD = 0.3
"""The value of a card in the hand that does nothing special."""


class RoutePlan:
    """What a player can work out from the own view."""

    def __init__(self, turn: Turn) -> None:
        self.view, self.seat = turn.view, turn.seat
        self.me = turn.view["dwarves"][turn.seat]
        self.place = place_named(self.me["at"])
        self.cave = cave_of(turn.view)
        self.targets = _targets(turn.view)
        self.missing = _missing(self.cave, self.targets)
        self.dwarves = {seat: place_named(dwarf["at"]) for seat, dwarf in enumerate(turn.view["dwarves"])}

    def worth(self, place: Place) -> float:
        """What is still missing from a place; little is good."""
        if is_closed(place):
            return 0.0 if cell_at(place) in self.targets else FAR
        return self.missing.get(place, FAR)

    def rivals(self) -> set[Place]:
        """Where dwarves stand that do not seem to work for the same clan."""
        mine = _side(self.me)
        return {
            place
            for seat, place in self.dwarves.items()
            if seat != self.seat and place != NOWHERE and _side(self.view["dwarves"][seat]) != mine
        }


def careful(turn: Turn) -> Action:
    """Chooses an action for any phase of the game."""
    choose = _PHASES.get(turn.view["phase"])
    return turn.actions[0] if choose is None else choose(turn)


# Phase 1 -------------------------------------------------------------------------------------------------


def _play(turn: Turn) -> Action:
    plan = RoutePlan(turn)
    if plan.place == NOWHERE:
        return _burn(turn)
    from_here = _walked(plan.cave, plan.place)
    scores = {action: _score(plan, from_here, action) for action in turn.actions}
    best = max(turn.actions, key=scores.__getitem__)
    if scores[best] > PLAIN_CARD:
        return best
    return _throw_away(turn, scores)


def _score(plan: RoutePlan, from_here: dict[Place, float], action: Action) -> float:
    """How much an action helps, in steps."""
    verb, args = action
    if verb == "lay":
        return _gain(plan, from_here, args[1], CARDS.shape[args[0]] + args[2] // 2)
    if verb in ("boots", "axe"):
        own = 6.0 if verb == "boots" else 2.0
        return own if args[1] == plan.seat else -own
    if verb == "spy-goal":
        is_useful = len(plan.targets) > 1 and args[1] in plan.targets
        return 5.0 - distance(cell_at(plan.place), args[1]) / 8 if is_useful else -1.0
    if verb in ("call", "rouse"):
        return _hunt(plan, args)
    return -1.0


def _gain(plan: RoutePlan, from_here: dict[Place, float], cell: Cell, shape: int) -> float:
    """How much nearer to a target a card laid there brings the own dwarf."""
    card = CARDS.shapes[shape]
    best = FAR
    for d in range(4):
        s, neighbour = card.segment[d], BESIDE[cell][d]
        if s < 0 or neighbour not in plan.cave.laid:
            continue
        behind = plan.cave.card(neighbour).segment[opposite(d)]
        walked = from_here.get(place_at(neighbour, behind), FAR) + 1
        for out in range(4):
            if out == d or out not in SIDES_OF[card.joined[d]] or BESIDE[cell][out] in plan.cave.laid:
                continue
            beyond = BESIDE[cell][out]
            crossing = 0 if card.segment[out] == s else 1 if card.segment[out] in card.links[s] else 2
            best = min(best, walked + crossing + _to_build(beyond, plan.targets))
    return plan.worth(plan.place) - best


def _hunt(plan: RoutePlan, args: tuple[int, ...]) -> float:
    """How many rivals a creature can get at."""
    creature = pieces.CREATURES.index(CARDS.deed[args[0]])
    is_new = len(args) > 1
    start = place_at(args[1], args[2]) if is_new else place_named(plan.view["creatures"][creature]["at"])
    if is_closed(start):
        return -1.0
    found = _prey(plan, start, pieces.CREATURE_STEPS[creature])
    return max((n for _, n in found), default=-1.0) * 1.2


def _prey(plan: RoutePlan, start: Place, steps: int) -> list[tuple[Place, float]]:
    stops = {place for place in plan.dwarves.values() if place != NOWHERE}
    ways = reach(plan.cave, start, steps, webs=_webs(plan.view), stops=stops)
    rivals = plan.rivals()
    here = list(plan.dwarves.values())
    return [
        (place, here.count(place) - (4.0 if place == plan.place else 0.0))
        for place in ways
        if place in rivals
    ]


def _throw_away(turn: Turn, scores: dict[Action, float]) -> Action:
    """Discards what helps least: two cards when both are useless."""
    worth: dict[int, float] = {}
    for action, score in scores.items():
        if action.args and action.verb not in ("pass", "cut"):
            worth[action.args[0]] = max(worth.get(action.args[0], 0.0), score, PLAIN_CARD)
    passes = [action for action in turn.actions if action.verb == "pass"]

    def cost(action: Action) -> float:
        return sum(worth.get(kind, 0.0) for kind in action.args) - 0.2 * len(action.args)

    return min(passes, key=cost)


def _burn(turn: Turn) -> Action:
    """Outside the cave: uses the cards up, so that the water comes for those inside."""
    return max((a for a in turn.actions if a.verb == "pass"), key=lambda action: len(action.args))


# Moving --------------------------------------------------------------------------------------------------


def _move(turn: Turn) -> Action:
    plan = RoutePlan(turn)
    veins = {vein["spot"] for vein in turn.view["veins"] if vein["gold"]}
    creatures = {place_named(creature["at"]) for creature in turn.view["creatures"]}
    axes = sum(CARDS.deed[CARDS.kind_of[name]] == "axe" for name in plan.me["front"])
    armed = axes > (turn.view["fresh_axe"] == turn.seat)

    def cost(way: View) -> float:
        place = place_named(way["at"])
        loss = TOLL["bridge"] * way["cards"] + TOLL["passage"] * way["gold"]
        danger = CREATURE if place in creatures and not armed else 0.0
        return plan.worth(place) + float(loss) + danger - (VEIN if way["at"].split(".")[0] in veins else 0.0)

    ways = sorted(turn.view["reach"], key=lambda way: (cost(way), way["steps"]))
    if ways and cost(ways[0]) < plan.worth(plan.place):
        return _first_step("step", ways[0])
    return next((a for a in turn.actions if a.verb == "cut"), Action("stay"))


def _creep(turn: Turn) -> Action:
    """Sends a creature to where it hits most rivals."""
    plan = RoutePlan(turn)
    rivals, here = plan.rivals(), list(plan.dwarves.values())
    prey = [
        way
        for way in turn.view["reach"]
        if place_named(way["at"]) in rivals and place_named(way["at"]) != plan.place
    ]
    if not prey:
        return Action("halt")
    return _first_step(
        "crawl", max(prey, key=lambda way: (here.count(place_named(way["at"])), -way["steps"]))
    )


def _first_step(verb: str, way: View) -> Action:
    place = place_named(way["path"][0])
    return Action(verb, (cell_at(place), segment_at(place)))


def _strike(turn: Turn) -> Action:
    return Action("strike")


def _gather(turn: Turn) -> Action:
    return Action("gather")


def _play_on(turn: Turn) -> Action:
    return Action("decline")


_PHASES: dict[str, Callable[[Turn], Action]] = {
    "play": _play,
    "move": _move,
    "creep": _creep,
    "ask": _strike,
    "vote": _play_on,
    "vein": _gather,
}


# What a view tells ---------------------------------------------------------------------------------------


def _side(dwarf: View) -> str:
    """The clan that a dwarf seems to work for: by its open card, else by its colour."""
    card = dwarf["card"]
    if not card.endswith("-saboteur"):
        return str(dwarf["clan"])
    return "blue" if dwarf["clan"] == "yellow" else "yellow"


def _targets(view: View) -> set[Cell]:
    """The goals that can be the exit, as far as the viewer knows."""
    for goal in view["goals"]:
        if goal["card"] == "G-EXIT":
            return {CELL_NAMED[goal["spot"]]}
    return {CELL_NAMED[goal["spot"]] for goal in view["goals"] if not goal["card"]}


def _webs(view: View) -> set[int]:
    return {border_at(CELL_NAMED[web["spot"]], web["side"] == "south") for web in view["webs"]}


def _to_build(cell: Cell, targets: set[Cell]) -> float:
    """What is missing from an open end that leads to a cell."""
    if cell in targets:
        return 1.0
    return 2.0 + BUILD * min((distance(cell, target) for target in targets), default=FAR)


def _missing(cave: Cave, targets: set[Cell]) -> dict[Place, float]:
    """What is missing from every place: steps and tolls to the exit, or to where building must go on."""
    heap: list[tuple[float, Place]] = []
    for place in cave.exits:
        heappush(heap, (0.0, place))
    for cell, shape in cave.laid.items():
        card = CARDS.shapes[shape]
        for d in cave.live_sides(cell):
            beyond = BESIDE[cell][d]
            if beyond not in cave.laid and (beyond in targets or beyond not in cave.closed):
                heappush(heap, (_to_build(beyond, targets), place_at(cell, card.segment[d])))
    found: dict[Place, float] = {}
    while heap:
        missing, place = heappop(heap)
        if place in found:
            continue
        found[place] = missing
        toll = 1.0 + TOLL.get(cave.feature(place), 0.0)
        for other in cave.near(place):
            if other not in found and not is_closed(other):
                heappush(heap, (missing + toll, other))
    return found


def _walked(cave: Cave, start: Place) -> dict[Place, float]:
    """Steps and tolls from one place to all others."""
    heap, found = [(0.0, start)], dict[Place, float]()
    while heap:
        walked, place = heappop(heap)
        if place in found:
            continue
        found[place] = walked
        for other in cave.near(place):
            if other not in found and not is_closed(other):
                heappush(heap, (walked + 1.0 + TOLL.get(cave.feature(other), 0.0), other))
    return found
