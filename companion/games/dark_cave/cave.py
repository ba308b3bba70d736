"""The network of tunnels: what lies where, what is joined to the entrance, where a card may be laid.

A `Cave` never changes: laying or removing a card makes a new one, so states share it. A *place* is a segment
of a laid card, as the number `cell << 4 | segment`; a goal card that lies face down is the one place
`cell << 4 | CLOSED`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import NamedTuple

from companion.action import Cell
from companion.games.dark_cave.cards import CLOSED, DEAD, FREE, LIVE, WALL, Cards, Shape
from companion.games.dark_cave.spread import BESIDE, BORDER, COORDINATES, ENTRANCE, NO_BORDER, on_table
from companion.state import Reason

Place = int


class Cave:
    """Laid cards, the face-down goals, and what follows from them.

    `live[cell]` holds the open sides of a card that are joined to the entrance. `sites` lists the empty cells
    beside laid cards; a site has two bits per side: `FREE`, `WALL`, `DEAD` (open but cut off) or `LIVE`.
    `fitting[cell]` holds the shapes that may be laid on a site, as bits; sites where none may are left out.
    """

    __slots__ = (
        "_joints",
        "_near",
        "by_ladder",
        "cards",
        "closed",
        "exits",
        "fitting",
        "holes",
        "ladders",
        "laid",
        "live",
        "sites",
    )

    def __init__(
        self, cards: Cards, laid: Mapping[Cell, int], closed: Iterable[Cell], by_ladder: bool = True
    ) -> None:
        self.cards = cards
        self.laid = dict(laid)
        self.closed = frozenset(closed)
        self.by_ladder = by_ladder
        """Whether ladders count as joining to the entrance (D-DC-07)."""
        self.ladders = tuple(
            cell << 4 | s for cell, shape in self.laid.items() for s in cards.shapes[shape].ladders
        )
        self.holes = tuple(
            cell << 4 | s for cell, shape in self.laid.items() for s in cards.shapes[shape].holes
        )
        self.exits = frozenset(
            cell << 4 | s
            for cell, shape in self.laid.items()
            for s, feature in cards.shapes[shape].feature.items()
            if feature == "exit"
        )
        self.live = self._trace()
        self.sites = self._survey()
        self.fitting = {cell: fits for cell, site in self.sites.items() if (fits := cards.fits(site))}
        self._near: dict[Place, tuple[tuple[Place, int], ...]] = {}
        self._joints: tuple[int, ...] | None = None

    # Changes, as new caves -----------------------------------------------------------------------

    def lay(self, cell: Cell, shape: int) -> Cave:
        """The cave with one more tunnel card, which `why_not` has allowed."""
        card = self.cards.shapes[shape]
        site, beside = self.sites.get(cell, 0), BESIDE[cell]
        live = card.ladder_mask if self.by_ladder else 0
        for d in range(4):
            if site >> 2 * d & 3 == LIVE:
                live |= card.joined[d]
        for d in range(4):
            if live >> d & 1 and site >> 2 * d & 3 == DEAD:
                # A part that was cut off comes back: everything may change.
                return Cave(self.cards, {**self.laid, cell: shape}, self.closed, self.by_ladder)
        new = Cave.__new__(Cave)
        new.cards, new.closed, new.by_ladder = self.cards, self.closed, self.by_ladder
        new.laid = {**self.laid, cell: shape}
        new.live = {**self.live, cell: live} if live else self.live
        new.ladders = self.ladders + tuple(cell << 4 | s for s in card.ladders)
        new.holes = self.holes + tuple(cell << 4 | s for s in card.holes)
        new.exits = self.exits
        sites, fitting = self.sites.copy(), self.fitting.copy()
        sites.pop(cell, None)
        fitting.pop(cell, None)
        for d in range(4):
            other = beside[d]
            if other not in self.laid and other not in self.closed:
                meets = WALL if not card.mask >> d & 1 else LIVE if live >> d & 1 else DEAD
                sites[other] = sites.get(other, 0) | meets << 2 * (d ^ 2)
                fits = self.cards.fits(sites[other])
                if fits:
                    fitting[other] = fits
                else:
                    fitting.pop(other, None)
        new.sites, new.fitting = sites, fitting
        new._near = self._near.copy()
        for other in beside:
            if other in self.laid:
                for s in self.cards.shapes[self.laid[other]].segments:
                    new._near.pop(other << 4 | s, None)
            elif other in self.closed:
                new._near.pop(other << 4 | CLOSED, None)
        if card.ladders:
            for place in self.ladders:
                new._near.pop(place, None)
        new._joints = None
        return new

    def remove(self, cell: Cell) -> Cave:
        """The cave after a rockfall."""
        laid = self.laid.copy()
        del laid[cell]
        return Cave(self.cards, laid, self.closed, self.by_ladder)

    def reveal(self, cell: Cell, shape: int) -> Cave:
        """The cave with a goal card turned face up."""
        return Cave(self.cards, {**self.laid, cell: shape}, self.closed - {cell}, self.by_ladder)

    # What is joined ------------------------------------------------------------------------------

    def _trace(self) -> dict[Cell, int]:
        laid, shapes = self.laid, self.cards.shapes
        live: dict[Cell, int] = {}
        waiting = [(ENTRANCE, shapes[laid[ENTRANCE]].mask)]
        climbed = not self.by_ladder
        while waiting:
            cell, mask = waiting.pop()
            had = live.get(cell, 0)
            new = mask & ~had
            if not new:
                continue
            live[cell] = had | mask
            for d in range(4):
                if new >> d & 1:
                    other = BESIDE[cell][d]
                    if other in laid:
                        joined = shapes[laid[other]].joined[d ^ 2]
                        if joined:
                            waiting.append((other, joined))
            if not climbed and shapes[laid[cell]].ladder_mask & mask:
                climbed = True
                waiting += [(c, shapes[s].ladder_mask) for c, s in laid.items() if shapes[s].ladder_mask]
        return live

    def _survey(self) -> dict[Cell, int]:
        sites: dict[Cell, int] = {}
        for cell in self.laid:
            for other in BESIDE[cell]:
                if other not in self.laid and other not in self.closed and other not in sites:
                    sites[other] = sum(self._meets(other, d) << 2 * d for d in range(4))
        return sites

    def _meets(self, cell: Cell, direction: int) -> int:
        other = BESIDE[cell][direction]
        shape = self.laid.get(other)
        if shape is None:
            return FREE
        if not self.cards.shapes[shape].mask >> (direction ^ 2) & 1:
            return WALL
        return LIVE if self.live.get(other, 0) >> (direction ^ 2) & 1 else DEAD

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

    def near(self, place: Place) -> tuple[tuple[Place, int], ...]:
        """The neighbouring places, each with the border crossed or `NO_BORDER` (DC-MOVE-03, DC-LAD-01)."""
        found = self._near.get(place)
        if found is None:
            found = self._near[place] = tuple(self._neighbours(place))
        return found

    def _neighbours(self, place: Place) -> Iterable[tuple[Place, int]]:
        cell, segment = place >> 4, place & 15
        laid, shapes, beside = self.laid, self.cards.shapes, BESIDE[cell]
        if segment == CLOSED:
            for d in range(4):
                shape = laid.get(beside[d])
                if shape is not None and shapes[shape].segment[d ^ 2] >= 0:
                    yield beside[d] << 4 | shapes[shape].segment[d ^ 2], BORDER[cell][d]
            return
        card = shapes[laid[cell]]
        for s in card.links[segment]:
            yield cell << 4 | s, NO_BORDER
        climbs = place in self.ladders
        for d in card.exits[segment]:
            other = beside[d]
            shape = laid.get(other)
            if shape is not None:
                s = shapes[shape].segment[d ^ 2]
                if s >= 0 and not (climbs and other << 4 | s in self.ladders):
                    yield other << 4 | s, BORDER[cell][d]
            elif other in self.closed:
                yield other << 4 | CLOSED, BORDER[cell][d]
        if climbs:
            for ladder in self.ladders:
                if ladder != place:
                    yield ladder, NO_BORDER

    def web_places(self) -> tuple[int, ...]:
        """The borders where a web may lie: joints of two cards, open ends of tunnel cards (DC-WEB-02)."""
        if self._joints is None:
            found = []
            for cell, shape in self.laid.items():
                card, is_tunnel = self.cards.shapes[shape], shape < self.cards.tunnel_shapes
                for d in range(4):
                    if card.mask >> d & 1:
                        behind = self.laid.get(BESIDE[cell][d])
                        if behind is None:
                            joint = is_tunnel
                        else:
                            # A joint of two cards is listed once, from its west or north.
                            joint = d in (1, 2) and self.cards.shapes[behind].mask >> (d ^ 2) & 1 == 1
                        if joint:
                            found.append(BORDER[cell][d])
            self._joints = tuple(found)
        return self._joints

    def why_not(self, cell: Cell, shape: int) -> Reason | None:
        """The first reason against laying a card there, or None (DC-PLACE-01 to DC-PLACE-12)."""
        if self.fitting.get(cell, 0) >> self.cards.canonical(shape) & 1:
            return None
        site = self.sites.get(cell)
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
            for other, border in cave.near(place):
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
