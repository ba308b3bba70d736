"""The network of tunnels: what lies where, what is joined to the entrance, where a card may be laid.

States share a `Cave` until one of them changes it: that one then has a copy of its own (see `own_cave`). A
goal card that is turned makes a new cave. A *place* is a segment of a laid card, as the number
`cell << 4 | segment`; a goal card that lies face down is the one place `cell << 4 | CLOSED`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import NamedTuple

from companion.engine.action import Cell
from companion.engine.grid import EAST, SOUTH
from companion.engine.state import Reason
from companion.games.dark_cave.cards import CLOSED, DEAD, FREE, LIVE, MARKS, WALL, Cards, Shape
from companion.games.dark_cave.spread import BESIDE, BORDER, COORDINATES, ENTRANCE, NO_BORDER, on_table

Place = int
Near = Mapping[Place, int]
"""The neighbours of a place, each with the border crossed or `NO_BORDER`."""

ONWARD = (EAST, SOUTH)
SIDES_OF = tuple(tuple(d for d in range(4) if mask >> d & 1) for mask in range(16))
LIVE_SIDES = tuple(tuple(d for d in range(4) if site >> 2 * d & 3 == LIVE) for site in range(256))
"""The sides of a site that are joined to the entrance."""
DEAD_SIDES = tuple(sum(1 << d for d in range(4) if site >> 2 * d & 3 == DEAD) for site in range(256))
"""The sides of a site that are open but cut off, as bits."""


class Cave:
    """Laid cards, the face-down goals, and what follows from them.

    `live[cell]` holds the open sides of a card that are joined to the entrance. `sites` lists the empty cells
    beside laid cards; a site has two bits per side: `FREE`, `WALL`, `DEAD` (open but cut off) or `LIVE`.
    `fitting` lists the sites that some card fits, each with its `Cards.ways`.
    """

    __slots__ = (
        "_joints",
        "_near",
        "_ways",
        "by_ladder",
        "cards",
        "closed",
        "exits",
        "feet",
        "fitting",
        "holes",
        "ladder_card",
        "ladders",
        "laid",
        "live",
        "sites",
    )

    def __init__(
        self,
        cards: Cards,
        laid: Mapping[Cell, int],
        closed: Iterable[Cell],
        by_ladder: bool = True,
        ladder_card: bool = True,
    ) -> None:
        self.cards = cards
        self.laid = dict(laid)
        self.closed = frozenset(closed)
        self.by_ladder = by_ladder
        """Whether ladders count as joining to the entrance (D-DC-07)."""
        self.ladder_card = ladder_card
        """Whether ladders are climbed from everywhere on their card (DC-BOOK-02)."""
        self._ways = cards.ways[by_ladder]
        features = [
            (feature, cell << 4 | s)
            for cell, shape in self.laid.items()
            for s, feature in cards.shapes[shape].feature.items()
        ]
        self.ladders = tuple([place for feature, place in features if feature == "ladder"])
        self.feet = tuple([foot for cell, shape in self.laid.items() for foot in self._feet(cell, shape)])
        """Where ladders are climbed from."""
        self.holes = tuple([place for feature, place in features if feature == "hole"])
        self.exits = frozenset([place for feature, place in features if feature == "exit"])
        self.live = self._trace({}, ENTRANCE, self.card(ENTRANCE).mask)
        self._survey()
        self._near: dict[Place, Near] = {}
        self._joints: tuple[int, ...] | None = None

    # Changes -------------------------------------------------------------------------------------

    def copy(self) -> Cave:
        """Returns an independent copy."""
        new = Cave.__new__(Cave)
        new.cards, new.closed, new.by_ladder = self.cards, self.closed, self.by_ladder
        new.ladder_card, new._ways, new.feet = self.ladder_card, self._ways, self.feet
        new.exits, new.ladders, new.holes, new._joints = self.exits, self.ladders, self.holes, self._joints
        new.laid, new.live, new._near = self.laid.copy(), self.live.copy(), self._near.copy()
        new.sites, new.fitting = self.sites.copy(), self.fitting.copy()
        return new

    def lay(self, cell: Cell, shape: int) -> None:
        """Adds a tunnel card, which `why_not` has allowed."""
        cards, laid, closed = self.cards, self.laid, self.closed
        card, site = cards.shapes[shape], self.sites.get(cell, 0)
        live = card.ladder_mask if self.by_ladder else 0
        for d in LIVE_SIDES[site]:
            live |= card.joined[d]
        laid[cell] = shape
        if live:
            self.live[cell] = live
        sites, near = self.sites, self._near
        self._joints = None
        is_return = live & DEAD_SIDES[site]
        del sites[cell], self.fitting[cell]
        marks = MARKS[card.mask << 4 | live]
        for d, other in enumerate(BESIDE[cell]):
            if other in laid:
                # Only the segment that faces the new card changes; behind a wall it is -1, which is no place.
                near.pop(other << 4 | cards.shapes[laid[other]].segment[d ^ 2], None)
            elif other in closed:
                near.pop(other << 4 | CLOSED, None)
            else:
                self._mark(other, sites.get(other, 0) | marks[d])
        if card.ladders:
            for place in self.feet:
                near.pop(place, None)
            self.ladders += tuple(cell << 4 | s for s in card.ladders)
            self.feet += self._feet(cell, shape)
        if card.holes:
            self.holes += tuple(cell << 4 | s for s in card.holes)
        if is_return:
            # A part that was cut off comes back.
            del self.live[cell]
            self.live = self._trace(self.live, cell, live)
            self._survey()

    def remove(self, cell: Cell) -> None:
        """Takes a card away after a rockfall."""
        laid, near, shapes = self.laid, self._near, self.cards.shapes
        card = shapes[laid[cell]]
        for s in card.segments:
            for other in self.near(cell << 4 | s):
                near.pop(other, None)
            near.pop(cell << 4 | s, None)
        del laid[cell]
        self._joints = None
        if card.ladders:
            for place in self.feet:
                near.pop(place, None)
            self.ladders = tuple([place for place in self.ladders if place >> 4 != cell])
            self.feet = tuple([place for place in self.feet if place >> 4 != cell])
        if card.holes:
            self.holes = tuple([place for place in self.holes if place >> 4 != cell])
        live = self.live.pop(cell, 0)
        joints = sum(BESIDE[cell][d] in laid for d in SIDES_OF[live])
        if joints > 1 or card.ladders:
            # Something may have been joined to the entrance through this card.
            self.live = self._trace({}, ENTRANCE, self.card(ENTRANCE).mask)
            self._survey()
            return
        site = 0
        for d, other in enumerate(BESIDE[cell]):
            if other in laid:
                site |= MARKS[shapes[laid[other]].mask << 4 | self.live.get(other, 0)][d ^ 2]
            elif other in self.sites:
                self._mark(other, self.sites[other] & ~(3 << 2 * (d ^ 2)))
        self._mark(cell, site)

    def _mark(self, cell: Cell, site: int) -> None:
        """Notes what meets the sides of an empty cell; nothing does where no card lies beside it."""
        if site:
            self.sites[cell] = site
        else:
            self.sites.pop(cell, None)
        ways = self._ways[site]
        if ways:
            self.fitting[cell] = ways
        else:
            self.fitting.pop(cell, None)

    def reveal(self, cell: Cell, shape: int) -> Cave:
        """The cave with a goal card turned face up."""
        laid = {**self.laid, cell: shape}
        return Cave(self.cards, laid, self.closed - {cell}, self.by_ladder, self.ladder_card)

    # What is joined ------------------------------------------------------------------------------

    def _trace(self, known: Mapping[Cell, int], start: Cell, sides: int) -> dict[Cell, int]:
        """What is joined to the entrance: all that was, and what these sides of a card lead to."""
        laid, shapes = self.laid, self.cards.shapes
        live = dict(known)
        waiting = [(start, sides)]
        climbed = not self.by_ladder
        while waiting:
            cell, mask = waiting.pop()
            had = live.get(cell, 0)
            new = mask & ~had
            if not new:
                continue
            live[cell] = had | mask
            beside = BESIDE[cell]
            for d in SIDES_OF[new]:
                other = beside[d]
                if other in laid:
                    joined = shapes[laid[other]].joined[d ^ 2]
                    if joined & ~live.get(other, 0):
                        waiting.append((other, joined))
            if not climbed and shapes[laid[cell]].ladder_mask & mask:
                climbed = True
                waiting += [(c, shapes[s].ladder_mask) for c, s in laid.items() if shapes[s].ladder_mask]
        return live

    def _feet(self, cell: Cell, shape: int) -> tuple[Place, ...]:
        """Where the ladders of a card are climbed from: the tunnel that they stand in, or they alone."""
        card = self.cards.shapes[shape]
        return tuple([cell << 4 | s for s in (card.ladder_tunnel if self.ladder_card else card.ladders)])

    def _survey(self) -> None:
        """Finds `sites` and `fitting` anew."""
        cards, live = self.cards, self.live
        sites: dict[Cell, int] = {}
        for cell, shape in self.laid.items():
            marks = MARKS[cards.shapes[shape].mask << 4 | live.get(cell, 0)]
            for d, other in enumerate(BESIDE[cell]):
                sites[other] = sites.get(other, 0) | marks[d]
        for cell in (*self.laid, *self.closed):
            sites.pop(cell, None)
        self.sites = sites
        self.fitting = {cell: ways for cell, site in sites.items() if (ways := self._ways[site])}

    # Questions -----------------------------------------------------------------------------------

    def card(self, cell: Cell) -> Shape:
        """The card that lies there."""
        return self.cards.shapes[self.laid[cell]]

    def feature(self, place: Place) -> str:
        """The feature of a place, or ""."""
        shape = self.laid.get(place >> 4)
        return "" if shape is None else self.cards.shapes[shape].feature.get(place & 15, "")

    def is_place(self, place: Place) -> bool:
        """Says whether figures can stand there."""
        cell, segment = place >> 4, place & 15
        if segment == CLOSED:
            return cell in self.closed
        return cell in self.laid and segment in self.card(cell).links

    def near(self, place: Place) -> Near:
        """The neighbouring places (DC-MOVE-03, DC-LAD-01)."""
        near = self._near.get(place)
        return self._look_around(place) if near is None else near

    def _look_around(self, place: Place) -> Near:
        cell, segment = place >> 4, place & 15
        laid, shapes, beside = self.laid, self.cards.shapes, BESIDE[cell]
        found: dict[Place, int] = {}
        exits: Iterable[int] = range(4)
        if segment != CLOSED:
            card = shapes[laid[cell]]
            for s in card.links[segment]:
                found[cell << 4 | s] = NO_BORDER
            exits = card.exits[segment]
        climbs = place in self.feet
        for d in exits:
            other = beside[d]
            if other in laid:
                s = shapes[laid[other]].segment[d ^ 2]
                if s >= 0 and not (climbs and other << 4 | s in self.ladders):
                    found[other << 4 | s] = BORDER[cell][d]
            elif other in self.closed and segment != CLOSED:
                found[other << 4 | CLOSED] = BORDER[cell][d]
        if climbs:
            for ladder in self.ladders:
                if ladder >> 4 != cell:
                    found[ladder] = NO_BORDER
        self._near[place] = found
        return found

    def web_places(self) -> tuple[int, ...]:
        """The borders where a web may lie: joints of two cards, open ends of tunnel cards (DC-WEB-02)."""
        if self._joints is None:
            laid, shapes, tunnels = self.laid, self.cards.shapes, self.cards.tunnel_shapes
            found = []
            for cell, shape in laid.items():
                beside, borders = BESIDE[cell], BORDER[cell]
                for d in shapes[shape].sides:
                    behind = laid.get(beside[d])
                    if behind is None:
                        if shape < tunnels:
                            found.append(borders[d])
                    # A joint of two cards is listed once, from its west or north.
                    elif d in ONWARD and shapes[behind].segment[d ^ 2] >= 0:
                        found.append(borders[d])
            self._joints = tuple(found)
        return self._joints

    def why_not(self, cell: Cell, shape: int) -> Reason | None:
        """The first reason against laying a card there, or None (DC-PLACE-01 to DC-PLACE-12)."""
        site = self.sites.get(cell)
        if site is not None and self.cards.fits[self.by_ladder][site] >> shape & 1:
            return None
        if cell in self.closed:
            return Reason("goal-cell", on_table(cell), "DC-PLACE-01")
        if cell in self.laid:
            return Reason("taken", on_table(cell), "DC-PLACE-01")
        if site is None:
            return self._apart(cell)
        mask, beside = self.cards.shapes[shape].mask, BESIDE[cell]
        meets = [site >> 2 * d & 3 for d in range(4)]
        clash = [beside[d] for d in range(4) if meets[d] != FREE and mask >> d & 1 != (meets[d] != WALL)]
        if clash:
            return Reason("edges-differ", on_table(cell, *clash), "DC-PLACE-07")
        dead = [beside[d] for d in range(4) if meets[d] == DEAD]
        if not dead:
            return Reason("no-joint", on_table(cell), "DC-PLACE-10")
        other_tunnel = [c for c in dead if self.live.get(c)]
        if other_tunnel:
            return Reason("other-tunnel", on_table(cell, *other_tunnel), "DC-PLACE-11")
        return Reason("cut-off", on_table(cell, *dead), "DC-PLACE-09")

    def _apart(self, cell: Cell) -> Reason:
        goals = [c for c in BESIDE[cell] if c in self.closed]
        if goals:
            return Reason("only-goal", on_table(cell, *goals), "DC-PLACE-03")
        x, y = COORDINATES[cell]
        corners = [c for c in self.laid if {abs(COORDINATES[c][0] - x), abs(COORDINATES[c][1] - y)} == {1}]
        if corners:
            return Reason("only-corner", on_table(cell, *corners), "DC-PLACE-04")
        return Reason("touches-nothing", on_table(cell), "DC-PLACE-02")


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
            if path and (place in stops or place & 15 == CLOSED):
                continue
            for other, border in cave.near(place).items():
                if border in webs or (place & 15 == CLOSED and other != back):
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
