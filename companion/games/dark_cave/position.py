"""The position of a game in the Dark Cave: what is where, and what is still to be done.

What changes in nearly every turn is a list; what changes rarely is a tuple, replaced as a whole, so that a
copy may share it. Each pool of unseen cards is a value too: who changes one makes another. The cave is copied
when it is changed, if another position holds it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import TypeVar

from companion.engine.action import Action, Cell, Seat
from companion.engine.agenda import Step
from companion.engine.fields import Fields
from companion.engine.options import Options
from companion.engine.pool import Pool
from companion.engine.state import Event, State, only
from companion.games.dark_cave import pieces
from companion.games.dark_cave.cards import CARDS, Cards
from companion.games.dark_cave.cave import NOWHERE, Cave, Place, is_closed, place_at
from companion.games.dark_cave.settings import settings_of
from companion.games.dark_cave.spread import BORDER, CELL, ENTRANCE, NAMES, border_sides

Item = TypeVar("Item")

NO_WEB = -2
"""The border of a web that is not on the table."""
NO_WEBS = (NO_WEB,) * 3
HIDDEN = -1
"""An identity, or a goal, that the companion does not know yet."""
ALONE = tuple(only(seat) for seat in range(pieces.MAX_PLAYERS))
"""The audience of one player's secret, by seat."""
_NOBODY: frozenset[Seat] = frozenset()


class Position(State):
    """Everything on and around the table."""

    declared = Fields(
        shared=(
            *("settings", "cards", "goal_cells", "veins", "supply"),
            *("colours", "identity", "opened", "clan_left", "clan_seen", "figures", "announced", "left"),
            *("goal_at", "goal_seen", "webs", "web_left", "creatures", "behind", "holders"),
            *("turn", "lying", "barred", "steps_left", "moved", "fresh_axe", "proposed"),
        ),
        sliced=("pools", "hands", "front", "discards", "at", "gold"),
        lent=("cave",),
        derived=("ways",),
        forgotten={"drawable": "{}"},
    )
    __slots__ = declared.names

    turn_rule = "DC-TURN-01"
    over_rule = "DC-INV-09"

    def __init__(self, options: Options, cards: Cards = CARDS) -> None:
        self.settings = settings_of(options)
        self.cards = cards
        n = self.settings.players
        self._lay_out(n)
        self.pools = [
            Pool(cards.counts[cards.first[i] : cards.first[i + 1]], hidden=pieces.BOXED) for i in range(3)
        ]
        """The unseen cards by level: deck, box, and in a physical game whatever only its holder saw."""
        self.drawable: dict[int, dict[int, tuple[Action, int]]] = {}
        """By level, what chance may draw: each kind's action and number, worked out when first asked for."""
        self.hands: list[tuple[int, ...]] = [()] * n
        """Kinds of cards, sorted; in a physical game only backs."""
        self.front: list[tuple[int, ...]] = [()] * n
        """The cards that lie before each seat."""
        self.discards = bytearray(len(cards.names))
        """How many cards of each kind are discarded."""
        self._name_clans(n)
        self.turn: Seat = 0
        self.barred = False
        """Whether the active dwarf has just been set upright."""
        self.steps_left = 0
        """Steps left in phase 2."""
        self.moved = False
        self.fresh_axe: Seat = -1
        """Before whom an axe was laid this turn."""
        self.proposed = False
        """Whether the active player has asked to end the game."""
        self.ways: Collection[Place] = ()
        """Where the next step of the active dwarf leads."""
        self.result = None
        self.todo = [("begin",)]
        self.settle([])

    def _lay_out(self, n: int) -> None:
        """What lies on the table: cards, dwarves, gold."""
        far = pieces.goal_distance(n)
        self.goal_cells = tuple(CELL[x, y] for y in (-far, far) for x in (-far, far))
        start = self.cards.starts[self.settings.entrance]
        self.cave = _empty_cave(
            self.cards, start, self.goal_cells, self.settings.by_ladder, self.settings.ladder_card
        ).lend()
        self.goal_at: tuple[int, ...] = (HIDDEN,) * 4
        self.goal_seen: tuple[frozenset[Seat], ...] = (_NOBODY,) * 4
        """Who has looked at each goal."""
        self.at: list[Place] = [place_at(ENTRANCE, self.cards.shapes[start].segments[0])] * n
        self.lying = _NOBODY
        self.gold = [pieces.NUGGETS_EACH] * n
        self.supply = pieces.NUGGETS - pieces.NUGGETS_EACH * n
        self.veins: Mapping[Cell, int] = {}
        self.webs: tuple[int, ...] = NO_WEBS
        """The border where each web lies."""
        self.web_left: tuple[int, ...] = (0,) * 3
        """The number that each web shows."""
        self.creatures: tuple[Place, ...] = (NOWHERE,) * 3
        self.behind: tuple[Place, ...] = (NOWHERE,) * 3
        """Where a creature on a face-down goal came from."""
        self.holders: tuple[Seat, ...] = (-1,) * 3
        """Before whom the card of each creature lies."""

    def _name_clans(self, n: int) -> None:
        """Who is who: nobody knows yet."""
        self.colours: tuple[int, ...] = (HIDDEN,) * n
        self.identity: tuple[int, ...] = (HIDDEN,) * n
        self.opened = _NOBODY
        """The seats whose clan card lies face up."""
        clan = pieces.CLANS.index(self.settings.clan) if self.settings.clan in pieces.CLANS else 0
        self.clan_left = tuple(pieces.clan_pool(n, clan))
        """Clan cards not known to be anybody's: dealt from, then set aside."""
        self.clan_seen = (_NOBODY,) * n
        """Who has looked at the clan card of each seat."""
        self.figures: tuple[int, ...] = (-1,) * n
        self.left: tuple[Seat, ...] = ()
        """Who left the cave, in order."""
        self.announced = -1
        """The clan that was announced to be out as a whole."""

    # What is where -------------------------------------------------------------------------------

    def pending(self) -> Step:
        """The step on top; nothing is pending after the end."""
        return self.todo[-1] if self.todo else ("over",)

    def in_turn_order(self) -> list[Seat]:
        """The seats clockwise, beginning with the active one (DC-SETUP-26)."""
        n = self.settings.players
        return [(self.turn + i) % n for i in range(n)]

    def deck_level(self) -> int:
        """The level of the top card of the draw deck, counted from 0, or -1 (DC-SETUP-23)."""
        for level, pool in enumerate(self.pools):
            if pool.size:
                return level
        return -1

    def has_boots(self, seat: Seat) -> bool:
        return not self.cards.boots.isdisjoint(self.front[seat])

    def axes(self, seat: Seat) -> int:
        """How many axes lie before a seat."""
        return [self.cards.deed[kind] for kind in self.front[seat]].count("axe")

    def usable_axes(self, seat: Seat) -> int:
        """How many axes a seat may use now: not the one laid this turn (DC-AXE-10)."""
        if not self.front[seat]:
            return 0
        fresh = self.fresh_axe == seat and not self.settings.axe_same_turn
        return self.axes(seat) - fresh

    def is_in_cave(self, seat: Seat) -> bool:
        return self.at[seat] != NOWHERE

    def works_for(self, seat: Seat) -> int:
        """The clan that a seat works for, of a known identity (DC-CLAN-01)."""
        return pieces.side_of(self.colours[seat], self.identity[seat])

    def set_aside(self) -> list[str]:
        """The clan cards set aside (DC-SETUP-13)."""
        return [pieces.CLAN_CARDS[card] for card, left in enumerate(self.clan_left) for _ in range(left)]

    def next_places(self, place: Place, back: Place = NOWHERE) -> Collection[Place]:
        """Where one step leads; from a face-down goal only back (DC-MOVE-08, DC-CRE-13)."""
        cave, webs = self.cave, self.webs
        if is_closed(place):
            border = cave.near(place).get(back)
            return [] if border is None or border in webs else [back]
        if webs == NO_WEBS:
            return cave.near(place)
        return [other for other, border in cave.near(place).items() if border not in webs]

    # What changes them ---------------------------------------------------------------------------

    def lay_front(self, seat: Seat, kind: int) -> None:
        """Lays a card before a seat."""
        self.front[seat] = (*self.front[seat], kind)

    def drop_front(self, seat: Seat, kind: int) -> None:
        """Discards a card that lies before a seat (DC-ACT-04)."""
        cards = self.front[seat]
        i = cards.index(kind)
        self.front[seat] = cards[:i] + cards[i + 1 :]
        self.discards[kind] += 1

    def use_axe(self, seat: Seat) -> None:
        """Discards the axe that lies longest before a seat (DC-AXE-02)."""
        self.drop_front(seat, next(kind for kind in self.front[seat] if self.cards.deed[kind] == "axe"))

    def finish(self, rule: str, events: list[Event]) -> None:
        """Ends the game: all clan cards are opened, then the gold is counted (DC-SCORE-01)."""
        events.append(Event("ended", {"rule": rule}))
        closed = [seat for seat in range(self.settings.players) if seat not in self.opened]
        self.todo.clear()
        self.push(*(("open", seat) for seat in closed), ("count", rule))

    # Invariants ----------------------------------------------------------------------------------

    def check(self) -> None:
        """DC-INV-01 to DC-INV-08."""
        self._check_cards()
        gold = self.supply + sum(self.gold) + sum(self.veins.values())
        assert gold == pieces.NUGGETS, gold
        assert self.supply >= 0 and min(self.gold) >= 0
        self._check_borders()
        self._check_figures()
        self._check_front()
        for cell in self.goal_cells:
            shape = self.cave.laid.get(cell)
            assert (shape is None) == (cell in self.cave.closed), NAMES[cell]
            assert shape is None or self.cards.shapes[shape].name in self.cards.goal_names
        known = sum(identity != HIDDEN for identity in self.identity)
        assert sum(self.clan_left) + known == sum(pieces.clan_pool(self.settings.players, 0)), self.clan_left

    def _check_cards(self) -> None:
        seen = list(self.discards)
        for kinds in (*self.hands, *self.front):
            for kind in kinds:
                seen[kind] += 1
        for shape in self.cave.laid.values():
            if shape < self.cards.tunnel_shapes:
                seen[self.cards.kind_of_shape[shape]] += 1
        for level, pool in enumerate(self.pools):
            first = self.cards.first[level]
            for i, count in enumerate(pool.counts):
                assert count >= 0 and seen[first + i] + count == self.cards.counts[first + i], (
                    self.cards.names[first + i]
                )
            assert sum(pool.counts) == pool.size + pool.hidden
            assert pool.hidden == pieces.BOXED + seen[self.cards.unknown + level], level

    def _check_borders(self) -> None:
        laid = self.cave.laid
        for cell in laid:
            for d in (1, 2):
                _, _, other = border_sides(BORDER[cell][d])
                if other in laid and not {cell, other} & set(self.goal_cells):
                    agree = (d in self.cave.card(cell).sides) == ((d + 2) % 4 in self.cave.card(other).sides)
                    assert agree, (NAMES[cell], NAMES[other])

    def _check_figures(self) -> None:
        for seat, place in enumerate(self.at):
            assert (place == NOWHERE) == (seat in self.left), seat
            assert place == NOWHERE or (self.cave.is_place(place) and not is_closed(place)), seat
        for creature, place in enumerate(self.creatures):
            name = pieces.CREATURES[creature]
            cards = [
                seat for seat, kinds in enumerate(self.front) for k in kinds if self.cards.deed[k] == name
            ]
            assert cards == ([] if place == NOWHERE else [self.holders[creature]]), name
            assert place == NOWHERE or self.cave.is_place(place), name

    def _check_front(self) -> None:
        for seat, cards in enumerate(self.front):
            assert sum(self.cards.deed[kind] == "boots" for kind in cards) <= 1, seat
        on_board = [border for border in self.webs if border != NO_WEB]
        assert len(set(on_board)) == len(on_board), self.webs
        for symbol, name in enumerate(pieces.SYMBOLS):
            owners = sum(cards.count(self.cards.kind_of.get(f"web-{name}", -1)) for cards in self.front)
            assert owners == (self.webs[symbol] != NO_WEB), name
            assert (self.web_left[symbol] in (1, 2)) == (self.webs[symbol] != NO_WEB), name


def replaced(items: tuple[Item, ...], i: int, item: Item) -> tuple[Item, ...]:
    """The items with another one in one place."""
    return (*items[:i], item, *items[i + 1 :])


@cache
def _empty_cave(
    cards: Cards, start: int, goals: tuple[Cell, ...], by_ladder: bool, ladder_card: bool
) -> Cave:
    return Cave(cards, {ENTRANCE: start}, goals, by_ladder, ladder_card)
