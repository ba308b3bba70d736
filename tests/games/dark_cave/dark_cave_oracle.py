"""A second model of tunnels, reach and gold, written from the rulebook for the tests alone: slow and obvious.

It reads the drawings of `cards.json` itself, follows a game by the words of its actions, and says after each
of them what must be so: where tunnel cards may be laid, where figures may step and how far they get at what
cost, how goals may lie, and who has how much gold. Of the game it asks only what is not its subject: whose
turn it is, hands, webs, axes, and whether an attack is still undecided.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

from companion.games import dark_cave

SOURCE = json.loads(Path(dark_cave.__file__).with_name("cards.json").read_text("utf-8"))
DRAWINGS: dict[str, Mapping[str, Any]] = {
    entry["id"]: entry
    for entry in (*SOURCE["tunnels"], *SOURCE["goals"], SOURCE["start"], SOURCE["start_back"])
}
STEP = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
BACK = {"N": "S", "S": "N", "E": "W", "W": "E"}
CREATURE_STEPS = {"rat": 3, "lindworm": 4, "goblin": 5}
UNDECIDED = ("ask", "pick", "lose")
"""Phases in which an attack may still be to come."""

Spot = tuple[int, int]


class Place(NamedTuple):
    """A segment of the card on a spot; "closed" is a goal card that lies face down."""

    spot: Spot
    segment: str


class Lying(NamedTuple):
    """A card as it lies."""

    name: str
    is_turned: bool

    @cache  # noqa: B019 (a few dozen small values)
    def edges(self) -> dict[str, str]:
        """The segment at each open side."""
        edges = DRAWINGS[self.name]["edges"]
        return {BACK[side] if self.is_turned else side: segment for side, segment in edges.items()}

    def links(self) -> list[list[str]]:
        return list(DRAWINGS[self.name]["links"])

    def feature(self, segment: str) -> str:
        return str(DRAWINGS[self.name]["features"].get(segment, ""))

    def segments_with(self, feature: str) -> list[str]:
        return [s for s, f in DRAWINGS[self.name]["features"].items() if f == feature]

    @cache  # noqa: B019 (a few dozen small values)
    def tunnel_of(self, segment: str) -> set[str]:
        """All segments of the card that hang together with one."""
        found = {segment}
        for _ in self.links():
            for link in self.links():
                if found & set(link):
                    found |= set(link)
        return found


@cache
def looks_the_same_turned(name: str) -> bool:
    """Whether a card cannot be told from itself turned by half."""
    drawing, up, half = DRAWINGS[name], Lying(name, False), Lying(name, True)
    for names in permutations(drawing["segments"]):
        renamed = dict(zip(drawing["segments"], names, strict=True))
        if (
            {side: renamed[s] for side, s in up.edges().items()} == half.edges()
            and {frozenset(renamed[s] for s in link) for link in up.links()}
            == set(map(frozenset, up.links()))
            and {renamed[s]: f for s, f in drawing["features"].items()} == drawing["features"]
        ):
            return True
    return False


def beside(spot: Spot, side: str) -> Spot:
    return spot[0] + STEP[side][0], spot[1] + STEP[side][1]


def read_spot(text: str) -> Spot:
    x, y = text.split(",")
    return int(x), int(y)


def read_place(text: str) -> Place | None:
    if not text:
        return None
    spot, segment = text.split(".")
    return Place(read_spot(spot), segment)


class Network:
    """The laid cards, the goals that lie face down, and how segments hang together."""

    def __init__(self, laid: dict[Spot, Lying], closed: set[Spot], options: Mapping[str, Any]) -> None:
        self.laid = laid
        self.closed = closed
        self.options = options

    def places_with(self, feature: str) -> set[Place]:
        return {
            Place(spot, segment)
            for spot, card in self.laid.items()
            for segment in card.segments_with(feature)
        }

    def on_card(self, place: Place) -> Iterator[Place]:
        """Across a dotted line."""
        for link in self.laid[place.spot].links():
            if place.segment in link:
                yield Place(place.spot, link[1] if link[0] == place.segment else link[0])

    def across(self, place: Place) -> Iterator[tuple[Place, frozenset[Spot]]]:
        """Over a border where both cards are open, with its two spots; a face-down goal is always open."""
        for side, segment in self.laid[place.spot].edges().items():
            other = beside(place.spot, side)
            if segment != place.segment:
                continue
            border = frozenset((place.spot, other))
            if other in self.closed:
                yield Place(other, "closed"), border
            elif other in self.laid and BACK[side] in self.laid[other].edges():
                yield Place(other, self.laid[other].edges()[BACK[side]]), border

    def by_ladder(self, place: Place) -> Iterator[Place]:
        """«С этой карточки на любую другую карточку с лестницей»; or, if so agreed, from the ladder alone."""
        card = self.laid[place.spot]
        ladders = card.segments_with("ladder")
        near = card.tunnel_of(place.segment) if self.options["ladder_from"] == "card" else {place.segment}
        if near & set(ladders):
            yield from (other for other in self.places_with("ladder") if other.spot != place.spot)

    def steps(self, place: Place, webs: set[frozenset[Spot]]) -> set[Place]:
        """Where one step leads; webs stop nobody on a card or on a ladder."""
        crossed = {other for other, border in self.across(place) if border not in webs}
        return crossed | set(self.on_card(place)) | set(self.by_ladder(place))

    def joined(self) -> set[Place]:
        """All that is joined to the entrance."""
        found = {Place((0, 0), segment) for segment in DRAWINGS[self.laid[0, 0].name]["segments"]}
        waiting = list(found)
        while waiting:
            place = waiting.pop()
            near = {other for other, _ in self.across(place)} | set(self.on_card(place))
            if self.options["ladder_counts_for_placement"]:
                near |= set(self.by_ladder(place))
            new = {other for other in near if other.segment != "closed"} - found
            found |= new
            waiting += new
        return found

    def joints(self, spot: Spot, card: Lying) -> set[Place] | None:
        """The segments that a card laid there is joined to; None where a tunnel would meet a wall."""
        found = set()
        for side in STEP:
            other = beside(spot, side)
            if other in self.laid:
                here, there = side in card.edges(), BACK[side] in self.laid[other].edges()
                if here != there:
                    return None
                if here:
                    found.add(Place(other, self.laid[other].edges()[BACK[side]]))
        return found

    def lays(self, name: str) -> set[tuple[Spot, int]]:
        """Where a card may be laid, and how turned: side to side, with an unbroken way to the entrance."""
        turns = [0]
        if self.options["allow_half_turn"] and not looks_the_same_turned(name):
            turns.append(180)
        joined, found = self.joined(), set()
        spots = {beside(spot, side) for spot in self.laid for side in STEP} - set(self.laid) - self.closed
        for spot in spots:
            for turn in turns:
                card = Lying(name, turn == 180)
                joints = self.joints(spot, card)
                if joints and card.segments_with("ladder"):
                    # The card's own ladder may be the way.
                    larger = Network({**self.laid, spot: card}, self.closed, self.options)
                    joints &= larger.joined()
                elif joints:
                    joints &= joined
                if joints:
                    found.add((spot, turn))
        return found

    def goal_turns(self, spot: Spot, name: str, came_from: Spot) -> set[int]:
        """How a goal may lie: it continues the tunnel of the dwarf, and fits all others if it can."""
        turns = (0,) if looks_the_same_turned(name) else (0, 180)
        going_on, fitting = set(), set()
        for turn in turns:
            edges = Lying(name, turn == 180).edges()
            if any(beside(spot, side) == came_from for side in edges):
                going_on.add(turn)
                if self.joints(spot, Lying(name, turn == 180)) is not None:
                    fitting.add(turn)
        return fitting or going_on


class Purse(NamedTuple):
    """What a figure can lose on its way."""

    cards: int = 0
    gold: int = 0


def reach(
    network: Network, start: Place, steps: int, webs: set[frozenset[Spot]], ends: set[Place], purse: Purse
) -> dict[Place, tuple[int, int]]:
    """Every place a figure can get to, with the least it must lose and the fewest steps for that."""
    best: dict[Place, tuple[int, int]] = {}
    now = {(start, purse)}
    for step in range(1, steps + 1):
        after = set()
        for place, left in now:
            for other in network.steps(place, webs):
                feature = "" if other.segment == "closed" else network.laid[other.spot].feature(other.segment)
                cards = left.cards - (feature == "bridge" and left.cards > 0)
                gold = left.gold - (feature == "passage" and left.gold > 0)
                cost = (purse.cards - cards) + (purse.gold - gold)
                if other != start:
                    best[other] = min(best.get(other, (99, 99)), (cost, step))
                if other not in ends and other.segment != "closed":
                    after.add((other, Purse(cards, gold)))
        now = after
    return best


class Shadow:
    """Follows a game by the words of its actions and keeps its own books."""

    def __init__(self, options: Mapping[str, Any], view: Mapping[str, Any]) -> None:
        self.options = options
        start = SOURCE["start" if options["entrance"] == "front" else "start_back"]
        far = 4 if options["players"] <= 5 else 3
        goals = {(x, y) for x in (-far, far) for y in (-far, far)}
        self.network = Network({(0, 0): Lying(start["id"], False)}, goals, options)
        self.at: list[Place | None] = [Place((0, 0), start["segments"][0])] * options["players"]
        self.gold = [3] * options["players"]
        self.supply = 46 - 3 * options["players"]
        self.veins: dict[Spot, int] = {}
        self.left: list[int] = []
        self.creatures: dict[str, Place | None] = dict.fromkeys(CREATURE_STEPS)
        self.behind: dict[str, Place] = {}
        """Where a creature on a face-down goal came from."""
        self.moving = ""
        self.crawls = 0
        self.attacks: list[tuple[str, list[int]]] = []
        self.leaving: list[int] = []
        self.goal: tuple[Spot, str] = ((0, 0), "")
        self.view = view
        self._begin(view)

    def _begin(self, view: Mapping[str, Any]) -> None:
        self.turn = view["turn"]
        self.barred = bool(self.view["dwarves"][self.turn]["lying"])
        self.steps: int | None = None
        self.moved = self.stayed = self.was_offered = False

    # What the actions do -----------------------------------------------------------------------

    def follow(self, words: str, facts: list[tuple[str, Mapping[str, Any]]], view: Mapping[str, Any]) -> None:
        """Plays an action; of the game's events, `facts`, only turns, axes and creatures matter."""
        verb, *rest = words.split()
        act = getattr(self, f"_do_{verb}", None)
        if act is not None:
            act(*rest)
        for kind, fact in facts:
            if kind == "struck":
                self.attacks = [attack for attack in self.attacks if attack[0] != fact["creature"]]
        if view["phase"] not in UNDECIDED:
            self._resolve()
        for kind, fact in facts:
            if kind == "creature-left":
                self.creatures[fact["creature"]] = None
        if view["phase"] == "over":
            self._drown()
        elif any(kind == "turn" for kind, _ in facts):
            self._begin(view)
        self.view = view

    def _do_lay(self, card: str, spot: str, turn: str) -> None:
        self._put(read_spot(spot), Lying(card, turn == "180"))

    def _put(self, spot: Spot, card: Lying) -> None:
        """«Немедленно возьмите 1 жетон золотого самородка из общего запаса»."""
        self.network.laid[spot] = card
        if card.segments_with("gold") and self.supply:
            self.veins[spot] = 1
            self.supply -= 1

    def _do_rockfall(self, card: str, spot: str) -> None:
        del self.network.laid[read_spot(spot)]
        self.supply += self.veins.pop(read_spot(spot), 0)

    def _do_call(self, card: str, spot: str, segment: str) -> None:
        self._do_rouse(card)
        place = self.creatures[self.moving] = Place(read_spot(spot), segment)
        if self.options["attack_on_placement"]:
            self._attack(self.moving, place)

    def _do_rouse(self, card: str) -> None:
        self.moving = card.split("-")[0]
        self.crawls = CREATURE_STEPS[self.moving]

    def _do_crawl(self, spot: str, segment: str) -> None:
        here = self.creatures[self.moving]
        assert here is not None
        place = self.creatures[self.moving] = Place(read_spot(spot), segment)
        self.crawls -= 1
        if segment == "closed":
            self.behind[self.moving] = here
        self._attack(self.moving, place)

    def _attack(self, creature: str, place: Place) -> None:
        victims = [seat for seat, at in enumerate(self.at) if at == place]
        if victims:
            self.attacks.append((creature, victims))

    def _do_step(self, spot: str, segment: str) -> None:
        here = self.at[self.turn]
        assert self.steps is not None and here is not None
        self.steps -= 1
        self.moved = True
        if segment == "closed":
            self.steps = 0
            self.goal = (read_spot(spot), "")
        else:
            self._enter(Place(read_spot(spot), segment))

    def _enter(self, place: Place) -> None:
        self.at[self.turn] = place
        feature = self.network.laid[place.spot].feature(place.segment)
        if feature == "passage":
            self._lose(self.turn)
        if feature == "exit":
            self.leaving.append(self.turn)
        if feature != "exit" or self.options["creature_before_exit"]:
            met = [creature for creature, at in self.creatures.items() if at == place]
            self.attacks += [(creature, [self.turn]) for creature in met]
            if met:
                self.steps = 0

    def _do_stay(self) -> None:
        self.stayed = True

    def _do_reveal(self, goal: str) -> None:
        self.goal = (self.goal[0], goal)
        turns = self.turns_of_goal()
        if len(turns) == 1:
            self._do_fit(str(*turns))

    def turns_of_goal(self) -> set[int]:
        here = self.at[self.turn]
        assert here is not None
        return self.network.goal_turns(*self.goal, here.spot)

    def _do_fit(self, turn: str) -> None:
        """The goal is turned up; figures on it stand on its first segment."""
        here, (spot, name) = self.at[self.turn], self.goal
        assert here is not None
        card = Lying(name, turn == "180")
        self.network.closed.discard(spot)
        self._put(spot, card)
        [segment] = [s for side, s in card.edges().items() if beside(spot, side) == here.spot]
        for creature, at in self.creatures.items():
            if at == Place(spot, "closed"):
                self.creatures[creature] = Place(spot, segment)
        self._enter(Place(spot, segment))

    def _do_gather(self) -> None:
        here = self.at[self.turn]
        assert here is not None and self.veins[here.spot]
        self.veins[here.spot] -= 1
        self.gold[self.turn] += 1

    def _lose(self, seat: int) -> None:
        if self.gold[seat]:
            self.gold[seat] -= 1
            self.supply += 1

    def _resolve(self) -> None:
        """Nobody is asked any more: goblins rob, and who is at the exit is out."""
        for creature, victims in self.attacks:
            for seat in victims if creature == "goblin" else ():
                self._lose(seat)
        for seat in self.leaving:
            self.at[seat] = None
            self.left.append(seat)
        self.attacks, self.leaving = [], []

    def _drown(self) -> None:
        for seat, at in enumerate(self.at):
            if at is not None:
                self.supply += self.gold[seat]
                self.gold[seat] = 0

    # What must be so ---------------------------------------------------------------------------

    def webs(self) -> set[frozenset[Spot]]:
        spots = [(read_spot(web["spot"]), "E" if web["side"] == "east" else "S") for web in self.view["webs"]]
        return {frozenset((spot, beside(spot, side))) for spot, side in spots}

    def check(self, actions: list[str], hand: list[str] | None) -> None:
        """Compares the books with what the game shows, and its list of actions with the rulebook's."""
        view = self.view
        assert {
            read_spot(c["spot"]): (c["card"], c["turn"] == 180) for c in view["laid"]
        } == self.network.laid
        assert [read_place(dwarf["at"]) for dwarf in view["dwarves"]] == self.at
        assert {c["creature"]: read_place(c["at"]) for c in view["creatures"]} == self.creatures
        assert [dwarf["gold"] for dwarf in view["dwarves"]] == self.gold
        assert view["supply"] == self.supply
        assert {read_spot(vein["spot"]): vein["gold"] for vein in view["veins"]} == self.veins
        assert view["left"] == self.left
        check = getattr(self, f"_check_{view['phase']}", None)
        if check is not None:
            check(actions, hand)

    def _check_play(self, actions: list[str], hand: list[str]) -> None:
        cards = {card for card in hand if card in DRAWINGS}
        lays = {(card, spot, turn) for card in cards for spot, turn in self.network.lays(card)}
        assert {(c, read_spot(s), int(t)) for c, s, t in _said("lay", actions)} == lays
        holes = self.network.places_with("hole")
        idle = {card for card in hand if self.creatures.get(card.split("-")[0], "") is None}
        called = {(card, Place(read_spot(s), segment)) for card, s, segment in _said("call", actions)}
        assert called == {(card, hole) for card in idle for hole in holes}
        held = {place.spot for place in (*self.at, *self.creatures.values()) if place is not None}
        tunnels = {spot for spot, card in self.network.laid.items() if card.name.startswith("T")} - held
        falls = {(card, read_spot(spot)) for card, spot in _said("rockfall", actions)}
        assert falls == {(card, spot) for card in hand if card.startswith("rockfall") for spot in tunnels}

    def _set_out(self) -> None:
        """Three steps, four with boots; none for who lies, has just been set upright, or is out."""
        dwarf = self.view["dwarves"][self.turn]
        boots = any(card.startswith("boots") for card in dwarf["front"])
        can_walk = not self.barred and not dwarf["lying"] and self.at[self.turn] is not None
        self.steps = (3 + boots) if can_walk else 0

    def _ways(self) -> set[Place]:
        here = self.at[self.turn]
        if self.steps is None:
            self._set_out()
        return self.network.steps(here, self.webs()) if here is not None and self.steps else set()

    def _check_move(self, actions: list[str], hand: list[str]) -> None:
        assert {Place(read_spot(s), segment) for s, segment in _said("step", actions)} == self._ways()
        here = self.at[self.turn]
        assert self.steps == self.view["steps"]
        ends = self.network.places_with("exit") | {at for at in self.creatures.values() if at is not None}
        purse = Purse(len(self.view["dwarves"][self.turn]["backs"]), self.gold[self.turn])
        expected = {} if here is None else reach(self.network, here, self.steps, self.webs(), ends, purse)
        assert self._shown_reach() == expected

    def _shown_reach(self) -> dict[Place | None, tuple[int, int]]:
        return {
            read_place(way["at"]): (way["cards"] + way["gold"], way["steps"]) for way in self.view["reach"]
        }

    def _check_creep(self, actions: list[str], hand: list[str]) -> None:
        here = self.creatures[self.moving]
        assert here is not None and self.view["steps"] == self.crawls
        ends = {at for at in self.at if at is not None}
        ways: set[Place] = set()
        expected: dict[Place, tuple[int, int]] = {}
        if here.segment != "closed":
            ways = self.network.steps(here, self.webs())
            expected = reach(self.network, here, self.crawls, self.webs(), ends, Purse())
        elif frozenset((here.spot, self.behind[self.moving].spot)) not in self.webs():
            # It cannot turn the goal up: the only way is back, and on from there.
            back = self.behind[self.moving]
            ways, expected = {back}, {back: (0, 1)}
            if back not in ends:
                onward = reach(self.network, back, self.crawls - 1, self.webs(), ends, Purse())
                expected |= {place: (cost, n + 1) for place, (cost, n) in onward.items() if place != here}
        assert {Place(read_spot(s), segment) for s, segment in _said("crawl", actions)} == ways
        assert self._shown_reach() == expected

    def _check_fit(self, actions: list[str], hand: list[str]) -> None:
        turns = self.turns_of_goal()
        assert len(turns) > 1 and {int(turn) for [turn] in _said("fit", actions)} == turns

    def _check_vein(self, actions: list[str], hand: list[str]) -> None:
        here = self.at[self.turn]
        assert self.moved and here is not None and self.veins[here.spot]
        self.was_offered = True

    def _check_draw(self, actions: list[str], hand: list[str]) -> None:
        """Nobody is passed over: who could go on was asked, who stands on a vein was offered its nugget."""
        here = self.at[self.turn]
        assert self.stayed or not self._ways()
        if self.moved and here is not None and not self.was_offered:
            assert not self.veins.get(here.spot)

    def _check_over(self, actions: list[str], hand: list[str]) -> None:
        """Gold that was saved × dwarves who work for the rivals; first out decides a tie."""
        sides = []
        for dwarf in self.view["dwarves"]:
            clan, _, identity = dwarf["card"].partition("-")
            rivals = "blue" if clan == "yellow" else "yellow"
            sides.append(clan if identity == "loyal" else rivals)
        value = {
            clan: sum(self.gold[seat] for seat in self.left if sides[seat] == clan)
            * sum(side != clan for side in sides)
            for clan in ("yellow", "blue")
        }
        if value["yellow"] == value["blue"]:
            winner = sides[self.left[0]] if self.left else ""
        else:
            winner = max(value, key=lambda clan: value[clan])
        won = [seat for seat, side in enumerate(sides) if side == winner]
        assert list(self.view["outcome"]["winners"]) == won
        assert {row["value"] for row in self.view["treasure"]} == set(value.values())


def _said(verb: str, actions: list[str]) -> list[list[str]]:
    """The words after a verb, of all actions with it."""
    return [line.split()[1:] for line in actions if line.split()[0] == verb]
