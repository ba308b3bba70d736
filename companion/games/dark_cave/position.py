"""The position of a game in the Dark Cave: what is where, and what is still to be done.

What happens next is an agenda, `todo`, whose last entry comes first. An entry that needs somebody's decision
or chance waits there; `rules.DarkCave` carries out the others at once. So whatever interrupts a move (a lost
card, an axe, a goal that is turned) is one more entry on top.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from operator import getitem
from typing import Self

from companion.engine.action import Action, Cell, Seat
from companion.engine.options import Options, Value
from companion.engine.pool import Pool
from companion.engine.state import Event, Need, Refusal, State, only
from companion.games.dark_cave import pieces
from companion.games.dark_cave.cards import CLOSED, Cards, load
from companion.games.dark_cave.cave import Cave, Place
from companion.games.dark_cave.spread import (
    BORDER,
    CELL,
    COORDINATES,
    ENTRANCE,
    NAMES,
    ON_TABLE,
    border_sides,
    on_table,
)

CARDS = load()

(
    SIDE,  # chance: which clan plays with 3 or 4 players
    CLAN,  # chance: the clan card of a seat
    FIGURE,  # a seat takes its dwarf
    FIRST,  # chance: who begins
    DEAL,  # chance: a card of a level for a seat
    PLAY,  # phase 1
    CREEP,  # the active player moves a creature
    MOVE,  # phase 2
    DRAW,  # phase 3
    TURN_END,
    LOSE,  # chance: a random hand card of a seat
    ASK,  # a seat may drive a creature off
    HIT,  # a creature attacks seats (mask)
    LOOK,  # chance: what secret information shows
    REVEAL,  # chance: a goal is turned, entered from a side
    FIT,  # the active player turns a goal that fits both ways
    LEAVE,  # a seat's dwarf is at the exit
    OPEN,  # chance: a clan card is turned face up
    ANNOUNCE,  # chance: whether one side is out as a whole
    VOTE,  # a seat is asked to end the game early
    PICK,  # a seat draws a card from the hand of another, unseen
    VEIN,  # a seat may take the nugget of a vein
    OVER,
) = range(23)

Entry = tuple[int, int, int]

NOWHERE = -1
"""Where a dwarf is that has left the cave, and a creature that is not on the table."""
NO_WEB = -2
"""The border of a web that is not on the table."""
NO_WEBS = [NO_WEB] * 3
HIDDEN = -1
"""An identity, or a goal, that the companion does not know yet."""
RAT, LINDWORM, GOBLIN = range(3)


ALONE = tuple(only(seat) for seat in range(pieces.MAX_PLAYERS))
"""The audience of one player's secret, by seat."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of a game, as the rules use them."""

    players: int
    digital: bool
    """Whether the companion deals hands and goals; real cards are counted, and checked when shown."""
    digital_clans: bool
    clan: str
    first: int
    entrance: int
    """The side of the entrance card that is up: 0 or 1."""
    half_turn: bool
    by_ladder: bool
    ladder_card: bool
    """Whether ladders are climbed from everywhere on their card."""
    axe_same_turn: bool
    attack_on_placement: bool
    creature_first: bool
    finish_turn: bool
    early_end: bool


@cache
def _settings(given: tuple[tuple[str, Value], ...]) -> Settings:
    options = dict(given)
    return Settings(
        players=int(options["players"]),
        digital=options["deck"] == "digital",
        digital_clans=options["clans"] == "digital",
        clan=str(options["clan"]),
        first=int(options["first"]),
        entrance=pieces.SIDES.index(str(options["entrance"])),
        half_turn=bool(options["allow_half_turn"]),
        by_ladder=bool(options["ladder_counts_for_placement"]),
        ladder_card=options["ladder_from"] == "card",
        axe_same_turn=bool(options["axe_same_turn"]),
        attack_on_placement=bool(options["attack_on_placement"]),
        creature_first=bool(options["creature_before_exit"]),
        finish_turn=bool(options["finish_turn_on_last_card"]),
        early_end=bool(options["early_end"]),
    )


def no(code: str, rule: str, *cells: Cell) -> Refusal:
    """A refusal; cells beyond the table area are left out."""
    return Refusal(code, on_table(*cells), rule)


@cache
def spot(cell: Cell) -> Mapping[str, int | str]:
    """How events name a cell: its place on the table (-1 beyond it) and its coordinates."""
    return {"cell": cell if cell < ON_TABLE else -1, "spot": NAMES[cell]}


class Position(State):
    """Everything on and around the table."""

    __slots__ = (
        "_drawable",
        "_is_cave_shared",
        "announced",
        "at",
        "barred",
        "behind",
        "cards",
        "cave",
        "clan_left",
        "clan_seen",
        "colours",
        "crawl",
        "creatures",
        "discards",
        "drawer",
        "due",
        "ended_by",
        "figures",
        "fresh_axe",
        "front",
        "goal_at",
        "goal_cells",
        "goal_seen",
        "gold",
        "hands",
        "holders",
        "identity",
        "left",
        "lying",
        "moved",
        "opened",
        "pools",
        "proposed",
        "settings",
        "steps",
        "supply",
        "todo",
        "turn",
        "veins",
        "waiting",
        "ways",
        "web_left",
        "webs",
    )

    def __init__(self, options: Options, cards: Cards = CARDS) -> None:
        self.settings = _settings(tuple(options.items()))
        self.cards = cards
        n, far = self.settings.players, pieces.goal_distance(self.settings.players)
        self.goal_cells = tuple(CELL[x, y] for y in (-far, far) for x in (-far, far))
        start = cards.starts[self.settings.entrance]
        self.cave = _empty_cave(
            cards, start, self.goal_cells, self.settings.by_ladder, self.settings.ladder_card
        )
        self._is_cave_shared = True
        self._drawable: dict[int, dict[int, tuple[Action, int]]] = {}
        """By level, what chance may draw: each kind's action and number, worked out when first asked for."""
        self.pools = [
            Pool(cards.counts[cards.first[i] : cards.first[i + 1]], hidden=pieces.BOXED) for i in range(3)
        ]
        """The unseen cards by level: deck, box, and in a physical game whatever only its holder saw."""
        self.hands: list[tuple[int, ...]] = [()] * n
        """Kinds of cards, sorted; in a physical game only backs."""
        self.front: list[tuple[int, ...]] = [()] * n
        self.discards = [0] * len(cards.names)
        self.colours = [HIDDEN] * n
        self.identity = [HIDDEN] * n
        self.opened = 0
        """The seats whose clan card lies face up, as bits."""
        clan = pieces.CLANS.index(self.settings.clan) if self.settings.clan in pieces.CLANS else 0
        self.clan_left = pieces.clan_pool(n, clan)
        """Clan cards not known to be anybody's: dealt from, then set aside."""
        self.figures = [-1] * n
        self.at: list[Place] = [ENTRANCE << 4 | cards.shapes[start].segments[0]] * n
        self.gold = [pieces.NUGGETS_EACH] * n
        self.supply = pieces.NUGGETS - pieces.NUGGETS_EACH * n
        self.veins: dict[Cell, int] = {}
        self.lying = 0
        self.barred = False
        """Whether the active dwarf has just been set upright."""
        self.steps = -1
        """Steps left in phase 2, -1 before it."""
        self.moved = False
        self.crawl = 0
        """Steps that the active creature has left."""
        self.fresh_axe: Seat = -1
        """Before whom an axe was laid this turn."""
        self.webs = [NO_WEB] * 3
        self.web_left = [0] * 3
        self.creatures: list[Place] = [NOWHERE] * 3
        self.behind: list[Place] = [NOWHERE] * 3
        """Where a creature on a face-down goal came from."""
        self.holders: list[Seat] = [-1] * 3
        self.turn: Seat = 0
        self.due = 0
        self.drawer: Seat = 0
        self.left: list[Seat] = []
        """Who left the cave, in order."""
        self.goal_at = [HIDDEN] * 4
        self.goal_seen = [0] * 4
        self.clan_seen = [0] * n
        """Who has looked at the clan card of a seat, as bits."""
        self.proposed = False
        self.announced = -1
        """The clan all of whose dwarves are said to be out, -1 for none."""
        self.ended_by = ""
        self.todo: list[Entry] = []
        self.waiting: tuple[Need, ...] = ()
        """Who must act, as `run` found it."""
        self.ways: Collection[Place] = ()
        """Where the next step of the active dwarf leads, as `run` found it."""

    def copy(self) -> Self:
        other = type(self).__new__(type(self))
        other.settings, other.cards, other.goal_cells = self.settings, self.cards, self.goal_cells
        other.cave = self.cave
        self._is_cave_shared = other._is_cave_shared = True
        other._drawable = {}
        other.pools = [pool.copy() for pool in self.pools]
        other.hands = self.hands[:]
        other.front = self.front[:]
        other.discards = self.discards[:]
        other.colours = self.colours[:]
        other.identity = self.identity[:]
        other.opened = self.opened
        other.clan_left = self.clan_left[:]
        other.figures = self.figures[:]
        other.at = self.at[:]
        other.gold = self.gold[:]
        other.supply = self.supply
        other.veins = self.veins.copy()
        other.lying = self.lying
        other.barred = self.barred
        other.steps = self.steps
        other.moved = self.moved
        other.crawl = self.crawl
        other.fresh_axe = self.fresh_axe
        other.webs = self.webs[:]
        other.web_left = self.web_left[:]
        other.creatures = self.creatures[:]
        other.behind = self.behind[:]
        other.holders = self.holders[:]
        other.turn = self.turn
        other.due = self.due
        other.drawer = self.drawer
        other.left = self.left[:]
        other.goal_at = self.goal_at[:]
        other.goal_seen = self.goal_seen[:]
        other.clan_seen = self.clan_seen[:]
        other.proposed = self.proposed
        other.announced = self.announced
        other.ended_by = self.ended_by
        other.todo = self.todo[:]
        other.waiting = self.waiting
        other.ways = self.ways
        return other

    # The agenda ----------------------------------------------------------------------------------

    def push(self, code: int, a: int = 0, b: int = 0) -> None:
        """Puts something to be done before everything else."""
        self.todo.append((code, a, b))

    def run(self, events: list[Event]) -> list[Event]:
        """Carries out the agenda until somebody or chance must decide; returns the events."""
        raise NotImplementedError

    def finish(self, rule: str, events: list[Event]) -> None:
        """Ends the game: all clan cards are opened, then the gold is counted (DC-SCORE-01)."""
        self.ended_by = rule
        events.append(Event("ended", {"rule": rule}))
        self.todo = [(OVER, 0, 0)]
        for seat in reversed(range(self.settings.players)):
            if not self.opened >> seat & 1:
                self.push(OPEN, seat)

    # Questions -----------------------------------------------------------------------------------

    def is_over(self) -> bool:
        return self.todo[-1][0] == OVER

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
        return self.colours[seat] ^ self.identity[seat]

    def next_places(self, place: Place, back: Place = NOWHERE) -> Collection[Place]:
        """Where one step leads; from a face-down goal only back (DC-MOVE-08, DC-CRE-13)."""
        cave, webs = self.cave, self.webs
        if place & 15 == CLOSED:
            border = cave.near(place).get(back)
            return [] if border is None or border in webs else [back]
        if webs == NO_WEBS:
            return cave.near(place)
        return [other for other, border in cave.near(place).items() if border not in webs]

    def cuts(self, seat: Seat) -> list[int]:
        """The webs that a seat may cut now."""
        return self.cuttable(seat) if self.webs != NO_WEBS and self.usable_axes(seat) else []

    def cuttable(self, seat: Seat) -> list[int]:
        """The webs that a dwarf stands beside (DC-AXE-05)."""
        place = self.at[seat]
        if place == NOWHERE:
            return []
        cell = place >> 4
        borders = [BORDER[cell][d] for d in self.cave.card(cell).exits[place & 15]]
        return [border for border in self.webs if border in borders]

    # Cards that change places ----------------------------------------------------------------------

    def why_not_held(self, seat: Seat, kind: int) -> Refusal | None:
        """Why a seat cannot show this card, or None: it holds it, or may hold it as far as anybody knows."""
        if kind >= self.cards.unknown:
            return no("unknown-card", "DC-ACT-01")
        hand = self.hands[seat]
        if self.settings.digital:
            return None if kind in hand else no("not-in-hand", "DC-TURN-02")
        level = self.cards.level[kind]
        if self.cards.unknown + level not in hand:
            return no("not-in-hand", "DC-HID-01")
        if not self.pools[level].counts[kind - self.cards.first[level]]:
            return no("not-drawn", "DC-INV-01")
        return None

    def show(self, seat: Seat, kind: int) -> None:
        """Takes a card out of a hand, in the sight of all."""
        if self.settings.digital:
            self._take(seat, kind)
        else:
            level = self.cards.level[kind]
            self._take(seat, self.cards.unknown + level)
            self.pools[level].show(kind - self.cards.first[level])

    def discard_from_hand(self, seat: Seat, kind: int) -> None:
        """Puts a hand card on the discard pile, face down and unseen."""
        self._take(seat, kind)
        self.discards[kind] += 1

    def _take(self, seat: Seat, kind: int) -> None:
        hand = list(self.hands[seat])
        hand.remove(kind)
        self.hands[seat] = tuple(hand)

    def own_cave(self) -> Cave:
        """The cave, for changing it: a copy while other states share it."""
        if self._is_cave_shared:
            self.cave = self.cave.copy()
            self._is_cave_shared = False
        return self.cave

    def drawable(self, level: int) -> list[tuple[Action, int]]:
        """What chance may draw of a level, each action with the number left."""
        found = self._drawable.get(level)
        if found is None:
            draws = map(getitem, self.cards.draws[level], self.pools[level].counts)
            found = self._drawable[level] = {i: draw for i, draw in enumerate(draws) if draw is not None}
        return list(found.values())

    def give(self, seat: Seat, kind: int) -> None:
        """Adds a drawn card to a hand and takes it from the deck."""
        level = self.cards.level[kind]
        if kind >= self.cards.unknown:
            self.pools[level].take_unseen()
        else:
            pool, i = self.pools[level], kind - self.cards.first[level]
            pool.take(i)
            drawable = self._drawable.get(level)
            if drawable is not None:
                left = self.cards.draws[level][i][pool.counts[i]]
                if left is None:
                    del drawable[i]
                else:
                    drawable[i] = left
        hand = list(self.hands[seat])
        insort(hand, kind)
        self.hands[seat] = tuple(hand)

    def drop_front(self, seat: Seat, kind: int) -> None:
        """Discards a card that lies before a seat (DC-ACT-04)."""
        cards = self.front[seat]
        i = cards.index(kind)
        self.front[seat] = cards[:i] + cards[i + 1 :]
        self.discards[kind] += 1

    def lay_front(self, seat: Seat, kind: int) -> None:
        self.front[seat] = (*self.front[seat], kind)

    def use_axe(self, seat: Seat) -> None:
        """Discards the axe that lies longest before a seat (DC-AXE-02)."""
        self.drop_front(seat, next(kind for kind in self.front[seat] if self.cards.deed[kind] == "axe"))

    def remove_web(self, symbol: int, events: list[Event]) -> None:
        """Returns a web to the supply and discards its card (DC-WEB-09)."""
        kind = self.cards.kind_of[f"web-{pieces.SYMBOLS[symbol]}"]
        owner = next(seat for seat, cards in enumerate(self.front) if kind in cards)
        self.drop_front(owner, kind)
        events.append(Event("web-removed", {"web": pieces.SYMBOLS[symbol], **web_spot(self.webs[symbol])}))
        self.webs[symbol] = NO_WEB
        self.web_left[symbol] = 0

    def weaken_web(self, symbol: int, events: list[Event]) -> None:
        """Turns a web from 2 to 1, or removes it when it shows 1 (DC-WEB-06, DC-WEB-07, DC-AXE-03)."""
        if self.web_left[symbol] == 1:
            self.remove_web(symbol, events)
        else:
            self.web_left[symbol] = 1
            events.append(Event("web-turned", {"web": pieces.SYMBOLS[symbol], **web_spot(self.webs[symbol])}))

    def remove_creature(self, creature: int, events: list[Event]) -> None:
        """Takes a creature off the table and discards its card (DC-CRE-11, DC-AXE-07)."""
        self.drop_creature_card(creature)
        events.append(
            Event(
                "creature-left",
                {"creature": pieces.CREATURES[creature], **spot(self.creatures[creature] >> 4)},
            )
        )
        self.creatures[creature] = NOWHERE
        self.behind[creature] = NOWHERE

    def drop_creature_card(self, creature: int) -> None:
        """Discards the card by which a creature is in play."""
        holder = self.holders[creature]
        name = pieces.CREATURES[creature]
        self.drop_front(holder, next(k for k in self.front[holder] if self.cards.deed[k] == name))
        self.holders[creature] = -1

    # Invariants ------------------------------------------------------------------------------------

    def check(self) -> None:
        """Asserts DC-INV-01 to DC-INV-08."""
        self._check_cards()
        gold = self.supply + sum(self.gold) + sum(self.veins.values())
        assert gold == pieces.NUGGETS, gold
        assert self.supply >= 0 and min(self.gold) >= 0
        self._check_borders()
        self._check_figures()
        for seat, cards in enumerate(self.front):
            assert sum(self.cards.deed[kind] == "boots" for kind in cards) <= 1, seat
        on_board = [border for border in self.webs if border != NO_WEB]
        assert len(set(on_board)) == len(on_board), self.webs
        for symbol, name in enumerate(pieces.SYMBOLS):
            owners = sum(cards.count(self.cards.kind_of.get(f"web-{name}", -1)) for cards in self.front)
            assert owners == (self.webs[symbol] != NO_WEB), name
            assert (self.web_left[symbol] in (1, 2)) == (self.webs[symbol] != NO_WEB), name
        for cell in self.goal_cells:
            shape = self.cave.laid.get(cell)
            assert (shape is None) == (cell in self.cave.closed), NAMES[cell]
            assert shape is None or self.cards.shapes[shape].name in self.cards.goal_names
        clans = sum(self.clan_left) + sum(1 for seat, i in enumerate(self.identity) if i != HIDDEN)
        assert clans == sum(pieces.clan_pool(self.settings.players, 0)), self.clan_left

    def _check_cards(self) -> None:
        seen = [0] * len(self.cards.names)
        for kinds in (*self.hands, *self.front):
            for kind in kinds:
                seen[kind] += 1
        for shape in self.cave.laid.values():
            if shape < self.cards.tunnel_shapes:
                seen[self.cards.kind_of_shape[shape & ~1]] += 1
        for kind, count in enumerate(self.discards):
            seen[kind] += count
        for level, pool in enumerate(self.pools):
            first = self.cards.first[level]
            for i, count in enumerate(pool.counts):
                assert count >= 0 and seen[first + i] + count == self.cards.counts[first + i], (
                    self.cards.names[first + i]
                )
            assert sum(pool.counts) == pool.size + pool.hidden
            assert pool.hidden == pieces.BOXED + seen[self.cards.unknown + level], level

    def _check_borders(self) -> None:
        laid, shapes = self.cave.laid, self.cards.shapes
        for cell, shape in laid.items():
            for d in (1, 2):
                _, _, other = border_sides(BORDER[cell][d])
                if other in laid and not {cell, other} & set(self.goal_cells):
                    agree = shapes[shape].mask >> d & 1 == shapes[laid[other]].mask >> (d ^ 2) & 1
                    assert agree, (NAMES[cell], NAMES[other])

    def _check_figures(self) -> None:
        for seat, place in enumerate(self.at):
            assert (place == NOWHERE) == (seat in self.left), seat
            assert place == NOWHERE or (self.cave.is_place(place) and place & 15 != CLOSED), seat
        for creature, place in enumerate(self.creatures):
            name = pieces.CREATURES[creature]
            cards = [
                seat for seat, kinds in enumerate(self.front) for k in kinds if self.cards.deed[k] == name
            ]
            assert cards == ([] if place == NOWHERE else [self.holders[creature]]), name
            assert place == NOWHERE or self.cave.is_place(place), name


@cache
def _empty_cave(
    cards: Cards, start: int, goals: tuple[Cell, ...], by_ladder: bool, ladder_card: bool
) -> Cave:
    return Cave(cards, {ENTRANCE: start}, goals, by_ladder, ladder_card)


def web_spot(border: int) -> dict[str, int | str | list[int]]:
    """How events name a border: the cells on the table on both sides, and the words of the notation."""
    cell, direction, other = border_sides(border)
    return {
        "cells": list(on_table(cell, other)),
        "spot": NAMES[cell],
        "side": "east" if direction == 1 else "south",
    }


def distance(one: Cell, other: Cell) -> int:
    """How many cards two cells are apart, across and along."""
    (x, y), (u, v) = COORDINATES[one], COORDINATES[other]
    return abs(x - u) + abs(y - v)
