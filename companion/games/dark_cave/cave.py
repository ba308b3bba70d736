"""The network of tunnels: what lies where, what is joined to the entrance, where a card may be laid.

Positions share a cave until one of them changes it: `lay`, `remove` and `reveal` return the changed cave,
which is another one if somebody else holds it (`lend`). A *place* is a segment of a laid card, packed with
its cell into one number by `place_at`; a goal card that lies face down is one place, whose segment is
`CLOSED`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.engine.action import Cell
from companion.engine.fields import Copyable, Fields
from companion.engine.grid import EAST, SOUTH
from companion.engine.state import Refusal
from companion.games.dark_cave.cards import CLOSED, Cards, Shape
from companion.games.dark_cave.sites import (
    DEAD,
    DEAD_SIDES,
    FREE,
    LIVE_SIDES,
    MARKS,
    MEETS,
    SIDES_OF,
    WALL,
    cleared,
)
from companion.games.dark_cave.spread import BESIDE, BORDER, COORDINATES, ENTRANCE, NO_BORDER, no

Place = int
Near = Mapping[Place, int]
"""The neighbours of a place, each with the border crossed or `NO_BORDER`."""

NOWHERE: Place = -1
"""Where a dwarf is that has left the cave, and a creature that is not on the table."""
ONWARD = (EAST, SOUTH)
_NONE: frozenset[Place] = frozenset()


def place_at(cell: Cell, segment: int) -> Place:
    """The place of a segment of the card on a cell."""
    return cell << 4 | segment


def cell_at(place: Place) -> Cell:
    """The cell of a place; -1 for `NOWHERE`."""
    return place >> 4


def segment_at(place: Place) -> int:
    """The segment of a place."""
    return place & 15


def is_closed(place: Place) -> bool:
    """Says whether the place is a goal card that lies face down."""
    return place & 15 == CLOSED


class Cave(Copyable):
    """Laid cards, the face-down goals, and what follows from them.

    `live[cell]` holds the open sides of a card that are joined to the entrance, as a mask. `sites` lists the
    empty cells beside laid cards; `fitting` those that some card fits, each with its `Cards.ways`.
    """

    declared = Fields(
        shared=("cards", "closed", "by_ladder", "ladder_card"),
        copied=("laid",),
        derived=(
            *("live", "sites", "fitting", "features", "ladders", "feet", "holes", "exits"),
            *("_ways", "_near", "_joints", "_lead_out", "_sealed"),
        ),
        forgotten={"_is_lent": "False"},
    )
    __slots__ = declared.names

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
        self.features: Mapping[Place, str] = {
            cell << 4 | s: feature
            for cell, shape in self.laid.items()
            for s, feature in cards.shapes[shape].feature.items()
        }
        """What is special about a place, where anything is."""
        features = self.features.items()
        self.ladders = tuple([place for place, feature in features if feature == "ladder"])
        self.feet = tuple([foot for cell, shape in self.laid.items() for foot in self._feet(cell, shape)])
        """Where ladders are climbed from."""
        self.holes = tuple([place for place, feature in features if feature == "hole"])
        self.exits = frozenset([place for place, feature in features if feature == "exit"])
        self.live = self._trace({}, ENTRANCE, self.card(ENTRANCE).mask)
        self._survey()
        self._near: dict[Place, Near] = {}
        self._joints: tuple[int, ...] | None = None
        self._lead_out = self.exits
        """Places from which a way is known to lead out; from `_sealed` ones none does."""
        self._sealed = _NONE
        self._is_lent = False

    def lend(self) -> Cave:
        """Lets one more position hold the cave: who changes it from now on takes a copy."""
        self._is_lent = True
        return self

    # Changes -------------------------------------------------------------------------------------

    def _changing(self) -> Cave:
        """The cave to change: a copy if anybody else holds this one."""
        new = self
        if self._is_lent:
            new = self.copy()
            new.live, new.sites = self.live.copy(), self.sites.copy()
            new.fitting, new._near = self.fitting.copy(), self._near.copy()
        new._joints, new._sealed = None, _NONE
        return new

    def lay(self, cell: Cell, shape: int) -> Cave:
        """The cave with one more tunnel card, which `why_not` has allowed."""
        new = self._changing()
        card, site = new.cards.shapes[shape], new.sites[cell]
        live = card.ladder_mask if new.by_ladder else 0
        for d in LIVE_SIDES[site]:
            live |= card.joined[d]
        new.laid[cell] = shape
        if live:
            new.live[cell] = live
        new._meet(cell, MARKS[card.mask][live])
        if card.feature:
            new.features = {**self.features, **{cell << 4 | s: f for s, f in card.feature.items()}}
            new._raise_ladders(cell, shape)
            new.holes += tuple(cell << 4 | s for s in card.holes)
        if live & DEAD_SIDES[site]:
            # A part that was cut off comes back.
            del new.live[cell]
            new.live = new._trace(new.live, cell, live)
            new._survey()
        return new

    def _meet(self, cell: Cell, marks: tuple[int, ...]) -> None:
        """Brings what lies beside a new card up to date."""
        laid, near, sites = self.laid, self._near, self.sites
        shapes = self.cards.shapes
        del sites[cell], self.fitting[cell]
        for d, other in enumerate(BESIDE[cell]):
            if other in laid:
                # Only the segment that faces the new card changes; behind a wall it is -1, which is no place.
                near.pop(other << 4 | shapes[laid[other]].segment[d ^ 2], None)
            elif other in self.closed:
                near.pop(other << 4 | CLOSED, None)
            else:
                self._mark(other, sites.get(other, 0) | marks[d])

    def _raise_ladders(self, cell: Cell, shape: int) -> None:
        """Adds the ladders of a new card: all others lead there."""
        ladders = self.cards.shapes[shape].ladders
        for place in self.feet if ladders else ():
            self._near.pop(place, None)
        self.ladders += tuple(cell << 4 | s for s in ladders)
        self.feet += self._feet(cell, shape)

    def remove(self, cell: Cell) -> Cave:
        """The cave after a rockfall that took a card away."""
        new = self._changing()
        new._lead_out = new.exits
        card = new.card(cell)
        new._part(cell, card)
        del new.laid[cell]
        new.features = {place: f for place, f in self.features.items() if place >> 4 != cell}
        if card.ladders:
            for place in new.feet:
                new._near.pop(place, None)
            new.ladders, new.feet = _elsewhere(new.ladders, cell), _elsewhere(new.feet, cell)
        new.holes = _elsewhere(new.holes, cell)
        live = new.live.pop(cell, 0)
        joints = sum(BESIDE[cell][d] in new.laid for d in SIDES_OF[live])
        if joints > 1 or card.ladders:
            # Something may have been joined to the entrance through this card.
            new.live = new._trace({}, ENTRANCE, new.card(ENTRANCE).mask)
            new._survey()
        else:
            new._vacate(cell)
        return new

    def _part(self, cell: Cell, card: Shape) -> None:
        """Forgets the neighbours of a card that falls, and that it was theirs."""
        near = self._near
        for s in card.segments:
            for other in self.near(cell << 4 | s):
                near.pop(other, None)
            near.pop(cell << 4 | s, None)

    def _vacate(self, cell: Cell) -> None:
        """Makes a site of a cell whose card fell, from which nothing else hung."""
        site = 0
        for d, other in enumerate(BESIDE[cell]):
            if other in self.laid:
                site |= MARKS[self.card(other).mask][self.live.get(other, 0)][d ^ 2]
            elif other in self.sites:
                self._mark(other, cleared(self.sites[other], d ^ 2))
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
            marks = MARKS[cards.shapes[shape].mask][live.get(cell, 0)]
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
        return self.features.get(place, "")

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

    def reaches_goals(self) -> bool:
        """Says whether a tunnel anywhere ends at a goal that lies face down."""
        return any(self.near(place_at(cell, CLOSED)) for cell in self.closed)

    def leads_out(self, place: Place) -> bool:
        """Says whether tunnels lead to the exit, or to a goal that may be it while nobody has found it."""
        if place not in self._lead_out and place not in self._sealed:
            found = {place}
            if self._explore(found):
                self._lead_out |= found
            else:
                self._sealed |= found
        return place in self._lead_out

    def _explore(self, found: set[Place]) -> bool:
        """Adds what hangs together with a place, until a way out is found."""
        waiting = list(found)
        while waiting:
            for other in self.near(waiting.pop()):
                if other in self._lead_out:
                    return True
                if other & 15 == CLOSED:
                    if not self.exits:
                        return True
                elif other not in found:
                    found.add(other)
                    waiting.append(other)
        return False

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

    def live_sides(self, cell: Cell) -> tuple[int, ...]:
        """The open sides of a card that are joined to the entrance."""
        return SIDES_OF[self.live.get(cell, 0)]

    def is_beside_live(self, cell: Cell) -> bool:
        """Says whether an empty cell meets a tunnel that is joined to the entrance."""
        return bool(LIVE_SIDES[self.sites.get(cell, 0)])

    def why_not(self, cell: Cell, shape: int) -> Refusal | None:
        """The first reason against laying a card there, or None (DC-PLACE-01 to DC-PLACE-12)."""
        site = self.sites.get(cell)
        if site is not None and self.cards.does_fit(shape, site, self.by_ladder):
            return None
        if cell in self.closed:
            return no("goal-cell", "DC-PLACE-01", cell)
        if cell in self.laid:
            return no("taken", "DC-PLACE-01", cell)
        return (
            self._why_apart(cell) if site is None else self._why_unfit(cell, site, self.cards.shapes[shape])
        )

    def _why_unfit(self, cell: Cell, site: int, card: Shape) -> Refusal:
        beside, meets = BESIDE[cell], MEETS[site]
        clash = [beside[d] for d in range(4) if meets[d] != FREE and (d in card.sides) != (meets[d] != WALL)]
        if clash:
            return no("edges-differ", "DC-PLACE-07", cell, *clash)
        dead = [beside[d] for d in range(4) if meets[d] == DEAD]
        if not dead:
            return no("no-joint", "DC-PLACE-10", cell)
        other_tunnel = [c for c in dead if self.live.get(c)]
        if other_tunnel:
            return no("other-tunnel", "DC-PLACE-11", cell, *other_tunnel)
        return no("cut-off", "DC-PLACE-09", cell, *dead)

    def _why_apart(self, cell: Cell) -> Refusal:
        goals = [c for c in BESIDE[cell] if c in self.closed]
        if goals:
            return no("only-goal", "DC-PLACE-03", cell, *goals)
        x, y = COORDINATES[cell]
        corners = [c for c in self.laid if {abs(COORDINATES[c][0] - x), abs(COORDINATES[c][1] - y)} == {1}]
        if corners:
            return no("only-corner", "DC-PLACE-04", cell, *corners)
        return no("touches-nothing", "DC-PLACE-02", cell)


def _elsewhere(places: Iterable[Place], cell: Cell) -> tuple[Place, ...]:
    """The places that are not on a cell."""
    return tuple([place for place in places if place >> 4 != cell])
