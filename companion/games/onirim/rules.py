"""The rules of Onirim for one and two players.

The position holds no deck order: the deck is a `Pool` of cards not seen, and what is on top is decided when
it is turned up. Only a Prophecy makes a part of the order known.
"""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import ClassVar

from companion.action import TABLE, Action, Seat, Verb, Words
from companion.games.onirim.pieces import (
    CARDS,
    COLOUR,
    COUNTS,
    DOOR_OF,
    DOORS,
    HALLS,
    HAND,
    IS_KEY,
    KEY_OF,
    NIGHTMARE,
    PERSONAL,
    SHARED,
    SYMBOL,
)
from companion.options import Options
from companion.pool import Pool
from companion.state import Event, Need, Outcome, Refusal, State, all_but, only

# Steps of the turn machine (ledger section 4) --------------------------------------------------

(
    START,  # all cards are to be shuffled
    DEAL,  # cards are taken until the first hand is complete
    DRAFT,  # two players share out eight cards
    CHOOSE,  # phase 1: play or discard
    SEARCH,  # a series is complete: take a Door from the deck?
    SWAP,  # two players: exchange a card after discarding
    LOOK,  # a Prophecy turns cards up for one player
    FORESEE,  # that player discards one and orders the rest
    DRAW,  # phase 2: the top card is turned up
    DOOR,  # a Door was drawn: open it with a Key?
    PAY,  # a Nightmare was drawn: pay
    MILL,  # five cards are turned up for a Nightmare
    SHOW,  # cards that the companion never saw are shown as they are discarded
    REDRAW,  # a new hand is taken for a Nightmare
    SHUFFLE,  # the deck is to be shuffled; `after` says what follows
    OVER,
) = range(16)

PHASES = (
    *("setup", "setup", "draft", "play", "search", "swap", "prophecy", "prophecy"),
    *("draw", "door", "nightmare", "nightmare", "nightmare", "nightmare", "shuffle", "over"),
)
"""The name of each step for people."""

_VERBS: dict[int, tuple[str, ...]] = {
    DRAFT: ("pick",),
    CHOOSE: ("play", "discard", "concede"),
    SEARCH: ("take", "decline"),
    SWAP: ("swap", "keep"),
    FORESEE: ("foresee",),
    DOOR: ("open", "leave"),
    PAY: ("pay-key", "pay-door", "pay-deck", "pay-hand"),
    SHOW: ("show",),
}
_CHANCE = {
    START: "shuffle",
    SHUFFLE: "shuffle",
    DEAL: "draw",
    DRAW: "draw",
    REDRAW: "draw",
    LOOK: "look",
    MILL: "mill",
}
_NEEDS = {(step, seat): (Need(seat, verbs),) for step, verbs in _VERBS.items() for seat in range(2)} | {
    (step, seat): (Need(TABLE, (verb,)),) for step, verb in _CHANCE.items() for seat in range(2)
}
_UNSEEN_NEED = {
    DRAW: (Need(TABLE, ("draw", "draw-unseen")),),
    REDRAW: (Need(TABLE, ("draw", "draw-unseen")),),
}
_FORETELL = {seat: (Need(seat, ("foretell",)),) for seat in range(2)}

CARD = Words("card", CARDS)
_PLACE = Words("place", ("shared",))
_OWNER = Words("owner", ("partner",))
FROM_SHARED = 0

PLAY = tuple(Action("play", (card,)) for card in range(HALLS))
PLAY_SHARED = tuple(Action("play", (card, FROM_SHARED)) for card in range(HALLS))
DISCARD = tuple(Action("discard", (card,)) for card in range(HALLS))
DISCARD_SHARED = tuple(Action("discard", (card, FROM_SHARED)) for card in range(HALLS))
SHOW_CARD = tuple(Action("show", (card,)) for card in range(HALLS))
PICK = tuple(Action("pick", (card,)) for card in range(HALLS))
PAY_KEY = tuple(Action("pay-key", (card,)) for card in range(HALLS))
PAY_KEY_SHARED = tuple(Action("pay-key", (card, FROM_SHARED)) for card in range(HALLS))
PAY_DOOR = tuple(Action("pay-door", (card,)) for card in range(NIGHTMARE))
PAY_DOOR_PARTNER = tuple(Action("pay-door", (card, 0)) for card in range(NIGHTMARE))
FORETELL = tuple(Action("foretell", (card,)) for card in range(NIGHTMARE + 1))
CONCEDE, TAKE, DECLINE, KEEP = Action("concede"), Action("take"), Action("decline"), Action("keep")
OPEN, OPEN_SHARED, LEAVE = Action("open"), Action("open", (FROM_SHARED,)), Action("leave")
PAY_DECK, PAY_HAND = Action("pay-deck"), Action("pay-hand")
DRAW_CARD = tuple(Action("draw", (card,)) for card in range(NIGHTMARE + 1))
LOOK_CARD = tuple(Action("look", (card,)) for card in range(NIGHTMARE + 1))
MILL_CARD = tuple(Action("mill", (card,)) for card in range(NIGHTMARE + 1))
SHUFFLED, DRAW_UNSEEN = Action("shuffle"), Action("draw-unseen")
_TURNED_UP = {DEAL: DRAW_CARD, DRAW: DRAW_CARD, REDRAW: DRAW_CARD, LOOK: LOOK_CARD, MILL: MILL_CARD}


class Onirim(State):
    """A game of Onirim in progress."""

    __slots__ = (
        "after",
        "any_door",
        "busy",
        "deck",
        "discard",
        "display",
        "doors",
        "drawn",
        "duplicate_to_limbo",
        "hands",
        "is_open",
        "limbo",
        "looked",
        "players",
        "result",
        "rows",
        "seat",
        "seer",
        "shared",
        "step",
        "to_mill",
        "turn",
        "unseen",
        "unseen_hands",
    )

    verbs: ClassVar = {
        "shuffle": Verb(),
        "draw": Verb(CARD),
        "draw-unseen": Verb(),
        "look": Verb(CARD),
        "mill": Verb(CARD),
        "pick": Verb(CARD),
        "play": Verb(CARD, rest=_PLACE),
        "discard": Verb(CARD, rest=_PLACE),
        "concede": Verb(),
        "take": Verb(),
        "decline": Verb(),
        "swap": Verb(CARD, CARD),
        "keep": Verb(),
        "foresee": Verb(CARD, rest=CARD),
        "foretell": Verb(CARD, reveals=True),
        "open": Verb(rest=_PLACE),
        "leave": Verb(),
        "pay-key": Verb(CARD, rest=_PLACE),
        "pay-door": Verb(CARD, rest=_OWNER),
        "pay-deck": Verb(),
        "pay-hand": Verb(reveals=True),
        "show": Verb(CARD),
    }
    turn_rule = "ON-TURN-01"
    over_rule = "ON-INV-07"

    def __init__(self, options: Options) -> None:
        self.players = int(options["players"])
        self.is_open = options["openness"] == "open" or self.players == 1
        self.unseen_hands = self.players == 2 and options["hands"] == "unseen"
        self.any_door = bool(options["nightmare_door_any_player"])
        self.duplicate_to_limbo = options["coop_duplicate_door"] == "limbo"
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
        """The one card that is being resolved, or -1."""
        self.to_mill = 0
        self.seer = -1
        """The seat that knows the known part of the deck."""
        self.seat: Seat = 0
        self.step = START
        self.after = DEAL
        self.turn = 0
        self.result: Outcome | None = None

    def copy(self) -> Onirim:
        other = Onirim.__new__(Onirim)
        other.players = self.players
        other.is_open = self.is_open
        other.unseen_hands = self.unseen_hands
        other.any_door = self.any_door
        other.duplicate_to_limbo = self.duplicate_to_limbo
        other.deck = self.deck.copy()
        other.hands = self.hands[:]
        other.drawn = self.drawn
        other.unseen = self.unseen[:]
        other.shared = self.shared
        other.display = self.display
        other.rows = self.rows[:]
        other.doors = self.doors[:]
        other.limbo = self.limbo
        other.discard = self.discard[:]
        other.looked = self.looked
        other.busy = self.busy
        other.to_mill = self.to_mill
        other.seer = self.seer
        other.seat = self.seat
        other.step = self.step
        other.after = self.after
        other.turn = self.turn
        other.result = self.result
        return other

    def apply(self, seat: Seat, action: Action) -> list[Event]:
        events = super().apply(seat, action)
        if seat != TABLE:
            self.drawn = ()
        return events

    # Who must act ------------------------------------------------------------------------------

    def needs(self) -> tuple[Need, ...]:
        step = self.step
        if step == OVER:
            return ()
        if self.unseen_hands:
            if step in _UNSEEN_NEED and self._fills_personal():
                return _UNSEEN_NEED[step]
            if step == FORESEE:
                return _FORETELL[self.seat]
        return _NEEDS[step, self.seat]

    def outcomes(self) -> list[tuple[Action, int]]:
        step = self.step
        draws = _TURNED_UP.get(step)
        if draws is None:
            return [(SHUFFLED, 1)] if step in (START, SHUFFLE) else []
        outcomes = self.deck.outcomes(draws)
        if not self.unseen_hands:
            return outcomes
        if not self._halls_in_deck():
            return [(action, ways) for action, ways in outcomes if action.args[0] >= HALLS]
        if step in _UNSEEN_NEED and self._fills_personal():
            halls = sum(self.deck.counts[:HALLS]) - self.deck.hidden
            outcomes.append((DRAW_UNSEEN, halls))
        return outcomes

    def outcome(self) -> Outcome | None:
        return self.result

    def actions(self, seat: Seat) -> list[Action]:
        if seat == TABLE:
            return [action for action, _ in self.outcomes()]
        if seat != self.seat or self.step not in _VERBS:
            return []
        return _LISTS[self.step](self)

    # Chance ------------------------------------------------------------------------------------

    def can_shuffle(self, seat: Seat) -> Refusal | None:
        return None

    def do_shuffle(self, seat: Seat) -> list[Event]:
        """ON-SETUP-01, ON-SETUP-06, ON-SER-02, ON-SHUF-01, ON-SHUF-03, ON-LIMBO-02."""
        returned: tuple[int, ...] = ()
        # A search shuffles in the middle of a turn: Limbo stays where it is.
        if self.after != DRAW:
            returned, self.limbo = self.limbo, ()
            for card in returned:
                self.deck.put_back(card)
        self.deck.shuffle()
        self.seer = -1
        event = Event("shuffled", {"cards": [CARDS[card] for card in returned]})
        if self.after == DRAW:
            return [event, *self._refill()]
        if self.after == CHOOSE:
            self._next_turn()
        else:
            self.step = self.after
        return [event]

    def can_draw(self, seat: Seat, card: int) -> Refusal | None:
        """ON-INV-01: only what is still unseen can turn up."""
        if not self.deck.can_be_next(card) or (card < HALLS and not self._halls_in_deck()):
            return Refusal("not-drawn", (), "ON-INV-01")
        return None

    def do_draw(self, seat: Seat, card: int) -> list[Event]:
        """ON-DRAW-01 to -13, ON-NIGHT-07 to -09, ON-2P-13, ON-2P-16."""
        self.deck.take(card)
        if self.step == DEAL:
            return self._deal(card)
        if card < HALLS:
            return self._gain(card) + self._refill()
        if self.step == REDRAW:
            self.limbo += (card,)
            return [Event("set-aside", {"card": CARDS[card]}), *self._refill()]
        if card == NIGHTMARE:
            self.busy, self.step = card, PAY
            return [Event("nightmare", {"seat": self.seat})]
        return self._meet_door(card)

    def can_draw_unseen(self, seat: Seat) -> Refusal | None:
        if not self._halls_in_deck():
            return Refusal("not-drawn", (), "ON-INV-01")
        return None

    def do_draw_unseen(self, seat: Seat) -> list[Event]:
        """ON-2P-14: a card for the personal resource, kept from the companion too."""
        self.deck.take_unseen()
        self.unseen[self.seat] += 1
        return [Event("drew-hidden", {"seat": self.seat}), *self._refill()]

    def can_look(self, seat: Seat, card: int) -> Refusal | None:
        return self.can_draw(seat, card)

    def do_look(self, seat: Seat, card: int) -> list[Event]:
        """ON-PRO-01, ON-PRO-06, ON-PRO-07."""
        self.deck.take(card)
        self.looked += (card,)
        if len(self.looked) == 5 or not self.deck.size:
            self.step = FORESEE
        return self._secret("looked", {"seat": self.seat, "card": CARDS[card]})

    def can_mill(self, seat: Seat, card: int) -> Refusal | None:
        return self.can_draw(seat, card)

    def do_mill(self, seat: Seat, card: int) -> list[Event]:
        """ON-NIGHT-04 to -06."""
        self.deck.take(card)
        self.to_mill -= 1
        if card < HALLS:
            self.discard.append(card)
            events = [Event("milled", {"card": CARDS[card]})]
        else:
            self.limbo += (card,)
            events = [Event("set-aside", {"card": CARDS[card]})]
        return events if self.to_mill else events + self._paid()

    # The draft (two players) -------------------------------------------------------------------

    def can_pick(self, seat: Seat, card: int) -> Refusal | None:
        if card not in self.display:
            return Refusal("no-such-card", (), "ON-2P-02")
        return None

    def do_pick(self, seat: Seat, card: int) -> list[Event]:
        """ON-2P-02 to -04."""
        self.display = _without(self.display, card)
        self.hands[seat] += (card,)
        self.seat = 1 - seat
        if len(self.display) == SHARED:
            self.shared, self.display = self.display, ()
            self._next_turn()
        return [Event("picked", {"seat": seat, "card": CARDS[card]})]

    # Phase 1 -----------------------------------------------------------------------------------

    def can_play(self, seat: Seat, card: int, *shared: int) -> Refusal | None:
        """ON-PLAY-03 to -08, ON-2P-06 to -08."""
        missing = self._missing(seat, card, shared)
        if missing is not None:
            return missing
        row = self.rows[seat]
        if row and SYMBOL[row[-1]] == SYMBOL[card]:
            return Refusal("same-symbol", (), "ON-PLAY-03", {"card": CARDS[card], "last": CARDS[row[-1]]})
        return None

    def do_play(self, seat: Seat, card: int, *shared: int) -> list[Event]:
        """ON-PLAY-01, ON-PLAY-10, ON-SER-01, ON-SER-05, ON-SER-07, ON-SER-12."""
        self._give(seat, card, shared)
        row = self.rows[seat] = (*self.rows[seat], card)
        run = run_length(row)
        events = [Event("played", {"seat": seat, "card": CARDS[card], "run": run})]
        if run % 3 == 0:
            if self.deck.counts[DOOR_OF[COLOUR[card]]]:
                self.step = SEARCH
                return events
            events.append(Event("no-door-left", {"seat": seat, "door": CARDS[DOOR_OF[COLOUR[card]]]}))
        return events + self._refill()

    def can_take(self, seat: Seat) -> Refusal | None:
        return None

    def do_take(self, seat: Seat) -> list[Event]:
        """ON-SER-01, ON-SER-02, ON-SER-09, ON-SER-10, ON-END-01 to -03."""
        door = DOOR_OF[COLOUR[self.rows[seat][-1]]]
        self.deck.counts[door] -= 1
        self.deck.size -= 1
        self.deck.shuffle()
        events = self._own(seat, door)
        if self.step != OVER:
            self.step, self.after = SHUFFLE, DRAW
        return events

    def can_decline(self, seat: Seat) -> Refusal | None:
        return None

    def do_decline(self, seat: Seat) -> list[Event]:
        """ON-SER-06, ON-SER-08."""
        return [Event("declined", {"seat": seat}), *self._refill()]

    def can_discard(self, seat: Seat, card: int, *shared: int) -> Refusal | None:
        return self._missing(seat, card, shared)

    def do_discard(self, seat: Seat, card: int, *shared: int) -> list[Event]:
        """ON-DISC-01 to -06, ON-2P-09 to -11."""
        self._give(seat, card, shared)
        self.discard.append(card)
        events = [Event("discarded", {"seat": seat, "card": CARDS[card]})]
        if self.players == 2 and self.shared and self._personal(seat):
            self.step = SWAP
            return events
        return events + self._prophesy()

    def can_concede(self, seat: Seat) -> Refusal | None:
        """ON-PRO-11: giving up is offered once the game cannot be won."""
        if not self.is_unwinnable():
            return Refusal("still-winnable", (), "ON-PRO-11")
        return None

    def do_concede(self, seat: Seat) -> list[Event]:
        return self._end("conceded", (), "ON-PRO-11")

    def can_swap(self, seat: Seat, own: int, common: int) -> Refusal | None:
        """ON-2P-09 to -11."""
        missing = self._missing(seat, own, ())
        if missing is not None:
            return missing
        if common not in self.shared:
            return Refusal("no-such-card", (), "ON-2P-09", {"card": CARDS[common]})
        return None

    def do_swap(self, seat: Seat, own: int, common: int) -> list[Event]:
        self._give(seat, own, ())
        self.shared = (*_without(self.shared, common), own)
        self.hands[seat] += (common,)
        event = Event("swapped", {"seat": seat, "given": CARDS[own], "taken": CARDS[common]})
        return [event, *self._prophesy()]

    def can_keep(self, seat: Seat) -> Refusal | None:
        return None

    def do_keep(self, seat: Seat) -> list[Event]:
        return [Event("kept", {"seat": seat}), *self._prophesy()]

    def can_foresee(self, seat: Seat, *cards: int) -> Refusal | None:
        """ON-PRO-02, ON-PRO-03."""
        if sorted(cards) != sorted(self.looked):
            return Refusal("not-those-cards", (), "ON-PRO-03", {"cards": [CARDS[c] for c in self.looked]})
        return None

    def do_foresee(self, seat: Seat, *cards: int) -> list[Event]:
        """ON-PRO-02 to -05, ON-PRO-10, ON-PRO-11: discards the first card, the rest go back top first."""
        lost, *order = cards
        deck = self.deck
        self.looked = ()
        self.discard.append(lost)
        for card in order:
            deck.put_back(card)
        deck.known = order
        self.seer = seat
        return self._foreseen(seat, lost)

    def can_foretell(self, seat: Seat, card: int) -> Refusal | None:
        """ON-PRO-02 where the companion does not see the cards: only the discarded one is shown."""
        if not self.deck.counts[card]:
            return Refusal("not-drawn", (), "ON-INV-01")
        return None

    def do_foretell(self, seat: Seat, card: int) -> list[Event]:
        self.deck.counts[card] -= 1
        self.deck.size -= 1
        self.discard.append(card)
        return self._foreseen(seat, card)

    # Phase 2 -----------------------------------------------------------------------------------

    def can_open(self, seat: Seat, *shared: int) -> Refusal | None:
        """ON-DRAW-03, ON-DRAW-05, ON-2P-12."""
        key = KEY_OF[COLOUR[self.busy]]
        if self._missing(seat, key, shared) is not None:
            return Refusal("no-key", (), "ON-DRAW-05", {"card": CARDS[key]})
        return None

    def do_open(self, seat: Seat, *shared: int) -> list[Event]:
        """ON-DRAW-03, ON-DRAW-06, ON-DRAW-07."""
        door, self.busy = self.busy, -1
        key = KEY_OF[COLOUR[door]]
        self._give(seat, key, shared)
        self.discard.append(key)
        events = [
            Event("opened", {"seat": seat, "key": CARDS[key], "door": CARDS[door]}),
            *self._own(seat, door),
        ]
        return events if self.step == OVER else events + self._refill()

    def can_leave(self, seat: Seat) -> Refusal | None:
        return None

    def do_leave(self, seat: Seat) -> list[Event]:
        """ON-DRAW-04."""
        door, self.busy = self.busy, -1
        self.limbo += (door,)
        return [Event("set-aside", {"card": CARDS[door]}), *self._refill()]

    def can_pay_key(self, seat: Seat, card: int, *shared: int) -> Refusal | None:
        """ON-NIGHT-02."""
        if not IS_KEY[card] or self._missing(seat, card, shared) is not None:
            return Refusal("no-key", (), "ON-NIGHT-02", {"card": CARDS[card]})
        return None

    def do_pay_key(self, seat: Seat, card: int, *shared: int) -> list[Event]:
        self._give(seat, card, shared)
        self.discard.append(card)
        return [Event("paid-key", {"seat": seat, "card": CARDS[card]}), *self._paid()]

    def can_pay_door(self, seat: Seat, card: int, *owner: int) -> Refusal | None:
        """ON-NIGHT-03, ON-2P-18."""
        if owner and (len(owner) > 1 or self.players == 1 or not self.any_door):
            return Refusal("not-your-door", (), "ON-2P-18")
        whose = 1 - seat if owner else seat
        if card not in DOORS or not self.doors[4 * whose + card - HALLS]:
            return Refusal("no-door", (), "ON-NIGHT-03", {"card": CARDS[card]})
        return None

    def do_pay_door(self, seat: Seat, card: int, *owner: int) -> list[Event]:
        self.doors[4 * (1 - seat if owner else seat) + card - HALLS] -= 1
        self.limbo += (card,)
        return [Event("paid-door", {"seat": seat, "card": CARDS[card]}), *self._paid()]

    def can_pay_deck(self, seat: Seat) -> Refusal | None:
        return None

    def do_pay_deck(self, seat: Seat) -> list[Event]:
        """ON-NIGHT-04, ON-NIGHT-06, ON-NIGHT-13."""
        self.to_mill = min(5, self.deck.size)
        events = [Event("paid-deck", {"seat": seat, "n": self.to_mill})]
        if self.to_mill:
            self.step = MILL
            return events
        return events + self._paid()

    def can_pay_hand(self, seat: Seat) -> Refusal | None:
        return None

    def do_pay_hand(self, seat: Seat) -> list[Event]:
        """ON-NIGHT-07, ON-NIGHT-13, ON-2P-15."""
        lost = self.hands[seat] + self.shared
        self.discard += lost
        self.hands[seat] = self.shared = ()
        event = Event("paid-hand", {"seat": seat, "cards": [CARDS[card] for card in lost]})
        if self.unseen[seat]:
            self.step = SHOW
            return [event]
        self.step = REDRAW
        return [event, *self._refill()]

    def can_show(self, seat: Seat, card: int) -> Refusal | None:
        """ON-INV-01: a card that was never seen must still be among the unseen ones."""
        return self._missing(seat, card, ())

    def do_show(self, seat: Seat, card: int) -> list[Event]:
        """ON-2P-15 for cards that the companion has not seen: they are shown as they are discarded."""
        self._give(seat, card, ())
        self.discard.append(card)
        event = Event("discarded", {"seat": seat, "card": CARDS[card]})
        if self.unseen[seat]:
            return [event]
        self.step = REDRAW
        return [event, *self._refill()]

    # Between the steps -------------------------------------------------------------------------

    def is_unwinnable(self) -> bool:
        """ON-PRO-11: a discarded Door cannot come back."""
        return any(card in DOORS for card in self.discard)

    def _personal(self, seat: Seat) -> int:
        return len(self.hands[seat]) + self.unseen[seat]

    def _fills_personal(self) -> bool:
        """ON-2P-13: personal places are filled before shared ones."""
        return self._personal(self.seat) < (HAND if self.players == 1 else PERSONAL)

    def _halls_in_deck(self) -> bool:
        return not self.deck.hidden or sum(self.deck.counts[:HALLS]) > self.deck.hidden

    def _missing(self, seat: Seat, card: int, shared: tuple[int, ...]) -> Refusal | None:
        """Says why the seat cannot give up this card; one never seen may be any that is still unseen."""
        if card < HALLS:
            if shared:
                if len(shared) == 1 and card in self.shared:
                    return None
            elif card in self.hands[seat] or (self.unseen[seat] and self.deck.counts[card]):
                return None
        return Refusal("no-such-card", (), "ON-TURN-02", {"card": CARDS[card]})

    def _give(self, seat: Seat, card: int, shared: tuple[int, ...]) -> None:
        """Takes a card out of the hand."""
        if shared:
            self.shared = _without(self.shared, card)
        elif card in self.hands[seat]:
            self.hands[seat] = _without(self.hands[seat], card)
        else:
            self.deck.show(card)
            self.unseen[seat] -= 1

    def _secret(self, kind: str, facts: dict[str, object]) -> list[Event]:
        """An event about a card that only the active player may see, unless hands are open."""
        if self.is_open:
            return [Event(kind, facts)]
        seat = self.seat
        return [Event(kind, facts, only(seat)), Event(f"{kind}-hidden", {"seat": seat}, all_but(2, seat))]

    def _deal(self, card: int) -> list[Event]:
        """ON-SETUP-02 to -06, ON-2P-01."""
        if card >= HALLS:
            self.limbo += (card,)
            return [Event("set-aside", {"card": CARDS[card]})]
        if self.players == 1:
            self.hands[0] += (card,)
            self.drawn += (card,)
            is_complete = len(self.hands[0]) == HAND
        else:
            self.display += (card,)
            is_complete = len(self.display) == 2 * PERSONAL + SHARED
        if is_complete:
            follows = CHOOSE if self.players == 1 else DRAFT
            if self.limbo:
                self.step, self.after = SHUFFLE, follows
            elif follows == CHOOSE:
                self._next_turn()
            else:
                self.step = DRAFT
        return [Event("dealt", {"card": CARDS[card]})]

    def _gain(self, card: int) -> list[Event]:
        """ON-DRAW-02, ON-2P-13, ON-2P-14."""
        seat = self.seat
        if self._fills_personal():
            self.hands[seat] += (card,)
            if self.is_open:
                self.drawn += (card,)
            return self._secret("drew", {"seat": seat, "card": CARDS[card]})
        self.shared += (card,)
        return [Event("drew-shared", {"seat": seat, "card": CARDS[card]})]

    def _meet_door(self, door: int) -> list[Event]:
        """ON-DRAW-03, ON-DRAW-04. With hidden hands the question is always asked: not asking would tell."""
        seat = self.seat
        key = KEY_OF[COLOUR[door]]
        event = Event("door-drawn", {"seat": seat, "door": CARDS[door]})
        if self.is_open and not self.unseen[seat] and key not in self.hands[seat] and key not in self.shared:
            self.limbo += (door,)
            return [event, Event("set-aside", {"card": CARDS[door]}), *self._refill()]
        self.busy, self.step = door, DOOR
        return [event]

    def _own(self, seat: Seat, door: int) -> list[Event]:
        """ON-2P-17, ON-2P-21, ON-END-01, ON-END-02, ON-END-05, ON-2P-19, ON-2P-20."""
        place = 4 * seat + door - HALLS
        if self.doors[place] and self.players == 2 and self.duplicate_to_limbo:
            self.limbo += (door,)
            return [Event("set-aside", {"card": CARDS[door]})]
        self.doors[place] += 1
        events = [Event("door-gained", {"seat": seat, "door": CARDS[door]})]
        if self.players == 1:
            if sum(self.doors) == 8:
                return events + self._end("won", (0,), "ON-END-01")
        elif all(self.doors):
            return events + self._end("won", (0, 1), "ON-2P-19")
        return events

    def _prophesy(self) -> list[Event]:
        """ON-DISC-02, ON-DISC-03, ON-PRO-08, ON-PRO-09."""
        if not IS_KEY[self.discard[-1]] or not self.deck.size:
            return self._refill()
        self.step = FORESEE if self.unseen_hands else LOOK
        return [Event("prophecy", {"seat": self.seat, "n": min(5, self.deck.size)})]

    def _foreseen(self, seat: Seat, lost: int) -> list[Event]:
        events = [Event("foresaw", {"seat": seat, "card": CARDS[lost]})]
        if lost in DOORS:
            events.append(Event("unwinnable", {"door": CARDS[lost]}))
        return events + self._refill()

    def _paid(self) -> list[Event]:
        """ON-NIGHT-10, ON-NIGHT-11."""
        self.discard.append(self.busy)
        self.busy = -1
        self.step = DRAW
        return self._refill()

    def _refill(self) -> list[Event]:
        """Asks after every card whether the hand is complete (ON-DRAW-01, -11, -12); then ON-SHUF-01, -02."""
        if self._fills_personal() or (self.players == 2 and len(self.shared) < SHARED):
            if not self.deck.size:
                return self._end("lost", (), "ON-NIGHT-09" if self.step == REDRAW else "ON-END-04")
            if self.step != REDRAW:
                self.step = DRAW
            return []
        if self.step == REDRAW:
            return self._paid()
        if self.limbo:
            self.step, self.after = SHUFFLE, CHOOSE
        else:
            self._next_turn()
        return []

    def _next_turn(self) -> None:
        """ON-TURN-05, ON-2P-23."""
        self.seat = self.turn % self.players
        self.turn += 1
        self.step = CHOOSE

    def _end(self, code: str, winners: tuple[Seat, ...], rule: str) -> list[Event]:
        self.step = OVER
        self.result = Outcome(code, winners, rule)
        return [Event(code, {"turns": self.turn, "doors": sum(self.doors)})]

    # What may be done --------------------------------------------------------------------------

    def _holding(self, seat: Seat) -> set[int]:
        """The kinds of cards that the personal hand can give."""
        kinds = set(self.hands[seat])
        if self.unseen[seat]:
            kinds.update(card for card in range(HALLS) if self.deck.counts[card])
        return kinds

    def _list_draft(self) -> list[Action]:
        return [PICK[card] for card in set(self.display)]

    def _list_choose(self) -> list[Action]:
        row = self.rows[self.seat]
        last = SYMBOL[row[-1]] if row else -1
        actions = []
        for card in self._holding(self.seat):
            actions.append(DISCARD[card])
            if SYMBOL[card] != last:
                actions.append(PLAY[card])
        for card in set(self.shared):
            actions.append(DISCARD_SHARED[card])
            if SYMBOL[card] != last:
                actions.append(PLAY_SHARED[card])
        if self.is_unwinnable():
            actions.append(CONCEDE)
        return actions

    def _list_search(self) -> list[Action]:
        return [TAKE, DECLINE]

    def _list_swap(self) -> list[Action]:
        own = self._holding(self.seat)
        return [KEEP, *(Action("swap", (mine, common)) for mine in own for common in set(self.shared))]

    def _list_foresee(self) -> list[Action]:
        if self.unseen_hands:
            return [FORETELL[card] for card, left in enumerate(self.deck.counts) if left]
        return [Action("foresee", order) for order in sorted(set(permutations(self.looked)))]

    def _list_door(self) -> list[Action]:
        key = KEY_OF[COLOUR[self.busy]]
        actions = [LEAVE]
        if key in self.shared:
            actions.append(OPEN_SHARED)
        if key in self._holding(self.seat):
            actions.append(OPEN)
        return actions

    def _list_pay(self) -> list[Action]:
        seat = self.seat
        actions = [PAY_DECK, PAY_HAND]
        actions += [PAY_KEY[card] for card in self._holding(seat) if IS_KEY[card]]
        actions += [PAY_KEY_SHARED[card] for card in set(self.shared) if IS_KEY[card]]
        actions += [PAY_DOOR[door] for door in DOORS if self.doors[4 * seat + door - HALLS]]
        if self.any_door and self.players == 2:
            actions += [PAY_DOOR_PARTNER[door] for door in DOORS if self.doors[4 * (1 - seat) + door - HALLS]]
        return actions

    def _list_show(self) -> list[Action]:
        return [SHOW_CARD[card] for card in self._holding(self.seat)]

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
        if self.step == CHOOSE:
            assert not self.limbo
            assert all(
                self._personal(s) == (HAND if self.players == 1 else PERSONAL) for s in range(self.players)
            )
            assert len(self.shared) == (0 if self.players == 1 else SHARED)


_LISTS = {
    DRAFT: Onirim._list_draft,
    CHOOSE: Onirim._list_choose,
    SEARCH: Onirim._list_search,
    SWAP: Onirim._list_swap,
    FORESEE: Onirim._list_foresee,
    DOOR: Onirim._list_door,
    PAY: Onirim._list_pay,
    SHOW: Onirim._list_show,
}


def run_length(row: tuple[int, ...]) -> int:
    """Counts the cards of one colour at the end of a row (ON-SER-03, ON-SER-04)."""
    run = 0
    for card in reversed(row):
        if COLOUR[card] != COLOUR[row[-1]]:
            break
        run += 1
    return run


def _without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    i = cards.index(card)
    return cards[:i] + cards[i + 1 :]
