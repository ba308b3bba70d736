"""The position of a game of Onirim: where every card is, and what is still to be done.

It holds no deck order: the deck is a `Pool` of cards not seen, and what is on top is decided when it is
turned up. Only a Prophecy makes a part of the order known.
"""

from __future__ import annotations

from itertools import pairwise

from companion.engine.action import Seat
from companion.engine.agenda import Step
from companion.engine.fields import Fields
from companion.engine.options import Options
from companion.engine.pool import Pool
from companion.engine.state import Event, Outcome, Refusal, State, all_but, no, only
from companion.games.onirim.pieces import (
    CARDS,
    COLOUR,
    COUNTS,
    DOORS,
    HALLS,
    HAND,
    PERSONAL,
    SHARED,
    SYMBOL,
)

_DOORS = frozenset(DOORS)


class Position(State):
    """Every card, and who must do what next."""

    declared = Fields(
        shared=(
            *("players", "is_open", "unseen_hands", "any_door", "duplicate_to_limbo", "swap_last", "first"),
            *("drawn", "shared", "display", "limbo", "looked", "busy", "seer", "seat", "turn"),
        ),
        sliced=("hands", "unseen", "rows", "doors", "discard"),
        copied=("deck",),
    )
    __slots__ = declared.names

    turn_rule = "ON-TURN-01"
    over_rule = "ON-INV-07"

    def __init__(self, options: Options) -> None:
        self.players = int(options["players"])
        self.is_open = options["openness"] == "open" or self.players == 1
        self.unseen_hands = self.players == 2 and options["hands"] == "unseen"
        self.any_door = bool(options["nightmare_door_any_player"])
        self.duplicate_to_limbo = options["coop_duplicate_door"] == "limbo"
        self.swap_last = options["swap_order"] == "after"
        """Whether the exchange of two players comes after the Prophecy (ON-BOOK-03)."""
        self.first: Seat = int(options["begins"] == "p2") if self.players == 2 else 0
        self.deck = Pool(COUNTS)
        self.hands: list[tuple[int, ...]] = [()] * self.players
        """Cards in each hand in the order of their arrival; with two players the personal resource."""
        self.drawn: tuple[int, ...] = ()
        """Cards that came into an open hand since a player last acted: until then they may lie open."""
        self.unseen = [0] * self.players
        """Personal cards that the companion has not seen, per seat."""
        self.shared: tuple[int, ...] = ()
        self.display: tuple[int, ...] = ()
        self.rows: list[tuple[int, ...]] = [()] * self.players
        self.doors = [0] * (4 * self.players)
        """Doors in front of the players: four colours per seat."""
        self.limbo: tuple[int, ...] = ()
        self.discard: list[int] = []
        self.looked: tuple[int, ...] = ()
        self.busy = -1
        """The Door or Nightmare that is being resolved, or -1."""
        self.seer: Seat = 0
        """The seat that knows the known part of the deck."""
        self.seat: Seat = int(options["picks_first"] == "p2") if self.players == 2 else 0
        self.turn = 0
        self.result: Outcome | None = None
        self.todo = [("turn",), ("deal",), ("begin", True)]
        self.settle([])

    # What is where -----------------------------------------------------------------------------

    def is_unwinnable(self) -> bool:
        """ON-PRO-11: a discarded Door cannot come back."""
        return not _DOORS.isdisjoint(self.discard)

    def personal(self, seat: Seat) -> int:
        """How many cards are in the personal hand, seen or not."""
        return len(self.hands[seat]) + self.unseen[seat]

    def fills_personal(self, seat: Seat) -> bool:
        """ON-2P-13: personal places are filled before shared ones."""
        return len(self.hands[seat]) + self.unseen[seat] < (HAND if self.players == 1 else PERSONAL)

    def has_halls(self) -> bool:
        """Whether a Labyrinth card can still come from the deck."""
        return not self.deck.hidden or sum(self.deck.counts[:HALLS]) > self.deck.hidden

    def holding(self, seat: Seat) -> set[int]:
        """The kinds of cards that the personal hand can give."""
        kinds = set(self.hands[seat])
        if self.unseen[seat]:
            kinds.update(card for card in range(HALLS) if self.deck.counts[card])
        return kinds

    def missing(self, seat: Seat, card: int, shared: tuple[int, ...]) -> Refusal | None:
        """Says why the seat cannot give up this card; one never seen may be any that is still unseen."""
        if card < HALLS:
            if shared:
                if len(shared) == 1 and card in self.shared:
                    return None
            elif card in self.hands[seat] or (self.unseen[seat] and self.deck.counts[card]):
                return None
        return no("no-such-card", "ON-TURN-02", card=CARDS[card])

    # What changes them -------------------------------------------------------------------------

    def answer(self) -> Step:
        """Takes a step that a player has answered off the list; cards just drawn may lie open no more."""
        self.drawn = ()
        return self.todo.pop()

    def give(self, seat: Seat, card: int, shared: tuple[int, ...]) -> None:
        """Takes a card out of the hand, or out of the shared resource."""
        if shared:
            self.shared = without(self.shared, card)
        elif card in self.hands[seat]:
            self.hands[seat] = without(self.hands[seat], card)
        else:
            self.deck.show(card)
            self.unseen[seat] -= 1

    def set_aside(self, card: int) -> Event:
        """Puts a card into Limbo until the deck is shuffled."""
        self.limbo += (card,)
        return Event("set-aside", {"card": CARDS[card]})

    def own(self, seat: Seat, door: int) -> list[Event]:
        """ON-2P-17, ON-2P-21, ON-END-01, ON-END-02, ON-END-05, ON-2P-19, ON-2P-20."""
        place = 4 * seat + door - HALLS
        if self.doors[place] and self.players == 2 and self.duplicate_to_limbo:
            return [self.set_aside(door)]
        self.doors[place] += 1
        events = [Event("door-gained", {"seat": seat, "door": CARDS[door]})]
        if self.players == 1:
            if sum(self.doors) == 8:
                events.append(self.end("won", (0,), "ON-END-01"))
        elif all(self.doors):
            events.append(self.end("won", (0, 1), "ON-2P-19"))
        return events

    def secret(self, kind: str, seat: Seat, card: int) -> list[Event]:
        """An event about a card that only the active player may see, unless hands are open."""
        facts = {"seat": seat, "card": CARDS[card]}
        if self.is_open:
            return [Event(kind, facts)]
        return [Event(kind, facts, only(seat)), Event(f"{kind}-hidden", {"seat": seat}, all_but(2, seat))]

    def end(self, code: str, winners: tuple[Seat, ...], rule: str) -> Event:
        """Ends the game."""
        self.result = Outcome(code, winners, rule)
        return Event(code, {"turns": self.turn, "doors": sum(self.doors)})

    # Invariants --------------------------------------------------------------------------------

    def check(self) -> None:
        """ON-INV-01 to -06, ON-TURN-04, ON-2P-26."""
        found = self.deck.counts[:]
        zones = [*self.hands, self.shared, self.display, *self.rows, self.limbo, self.discard, self.looked]
        for zone in zones:
            for card in zone:
                found[card] += 1
        for place, n in enumerate(self.doors):
            found[HALLS + place % 4] += n
        if self.busy >= 0:
            found[self.busy] += 1
        assert found == list(COUNTS), found
        assert sum(self.deck.counts) == self.deck.size + self.deck.hidden
        assert self.deck.hidden == sum(self.unseen)
        assert all(self.deck.known.count(card) <= self.deck.counts[card] for card in self.deck.known)
        for row in self.rows:
            assert all(SYMBOL[a] != SYMBOL[b] for a, b in pairwise(row)), row
        for zone in [*self.hands, self.shared, self.display, *self.rows]:
            assert all(card < HALLS for card in zone), zone
        assert all(card >= HALLS for card in self.limbo), self.limbo
        if self.phase() == "play":
            assert not self.limbo
            full = HAND if self.players == 1 else PERSONAL
            assert all(self.personal(seat) == full for seat in range(self.players))
            assert len(self.shared) == (0 if self.players == 1 else SHARED)


def run_length(row: tuple[int, ...]) -> int:
    """Counts the cards of one colour at the end of a row (ON-SER-03, ON-SER-04)."""
    run = 0
    for card in reversed(row):
        if COLOUR[card] != COLOUR[row[-1]]:
            break
        run += 1
    return run


def without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    """The cards less one of this kind."""
    i = cards.index(card)
    return cards[:i] + cards[i + 1 :]
