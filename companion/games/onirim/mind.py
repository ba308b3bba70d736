"""What bots think with in Onirim: the careful dreamer of `bots.py` over the position, and what it is worth.

The numbers are those of the careful dreamer; its doors, plans and keys are counted by colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

from companion.engine.action import Action, Seat
from companion.engine.mind import Mind
from companion.games.onirim.agenda import Onirim
from companion.games.onirim.bots import (
    FIVE_CARDS,
    GIVEN_DOOR,
    KEY_IN_ROW,
    KEY_WORTH,
    LAST_CARDS,
    NEW_HAND,
    PATIENCE,
    PROPHECY,
    SECOND_PLAN,
    SPARE_KEY_WORTH,
    WAIT,
)
from companion.games.onirim.pieces import COLOUR, DOOR_OF, HALLS, IS_KEY, KEY, KEY_OF, NIGHTMARE, SYMBOL
from companion.games.onirim.position import run_length
from companion.games.onirim.verbs import DECLINE, LEAVE, TAKE
from companion.games.onirim.view import disguise

LOST_SHARE = 0.25
"""What a lost game with all Doors but one would be worth: it tells more than that it was lost."""


class Dreamer:
    """What a seat knows of the position, counted once for a decision."""

    __slots__ = ("chance", "held", "last", "row_colour", "run", "wanted")

    def __init__(self, state: Onirim, seat: Seat, *, with_shared: bool = True) -> None:
        held = [0] * HALLS
        for card in state.hands[seat]:
            held[card] += 1
        if with_shared:
            for card in state.shared:
                held[card] += 1
        self.held = held
        row = state.rows[seat]
        self.last, self.row_colour = (SYMBOL[row[-1]], COLOUR[row[-1]]) if row else (-1, -1)
        self.run = run_length(row) % 3 if row else 0
        full = 2 if state.players == 1 else 1
        self.wanted = [full - n for n in state.doors[4 * seat : 4 * seat + 4]]
        counts = state.deck.counts
        unseen = sum(counts) or 1
        self.chance = [max((counts[3 * c] + counts[3 * c + 1]) / unseen, 0.01) for c in range(4)]

    def worth(self) -> float:
        """What the position promises, in Doors."""
        held = self.held
        plans, total = [], 0.0
        for colour, wanted in enumerate(self.wanted):
            base = 3 * colour
            keys = held[base + KEY]
            if keys:
                total += KEY_WORTH * min(keys, wanted) + SPARE_KEY_WORTH * max(0, keys - wanted)
            if wanted > 0:
                run = self.run if self.row_colour == colour else 0
                turns, missing = _plan(held[base], held[base + 1], keys, self.last, 3 - run)
                plans.append(PATIENCE ** (turns + missing / self.chance[colour] * WAIT))
        plans.sort(reverse=True)
        share = 1.0
        for plan in plans[:3]:
            total += plan * share
            share *= SECOND_PLAN
        return total

    def after(self, card: int) -> float:
        """The worth of the position without a card in hand."""
        held = self.held
        if not held[card]:
            return self.worth()
        held[card] -= 1
        worth = self.worth()
        held[card] += 1
        return worth

    def after_gain(self, card: int) -> float:
        """The worth of the position with one more card in hand."""
        self.held[card] += 1
        worth = self.worth()
        self.held[card] -= 1
        return worth


@cache
def _plan(suns: int, moons: int, keys: int, last: int, most: int) -> tuple[float, int]:
    """How many turns a series takes beside waiting, and how many of its cards are still missing."""
    length, used = _longest((suns, moons, keys), last, most)
    return most + KEY_IN_ROW * used, most - length


@cache
def _longest(held: tuple[int, int, int], last: int, most: int) -> tuple[int, int]:
    """The longest start of a series that can be laid at once, and the Keys it uses."""
    best = (0, 0)
    for symbol in range(3) if most else ():
        if not held[symbol] or symbol == last:
            continue
        suns, moons, keys = (n - (symbol == i) for i, n in enumerate(held))
        length, used = _longest((suns, moons, keys), symbol, most - 1)
        found = (length + 1, used + (symbol == KEY))
        if (found[0], -found[1]) > (best[0], -best[1]):
            best = found
    return best


def policy(state: Onirim, seat: Seat, rng: Random) -> Action:
    """The careful dreamer's choice."""
    step = state.todo[-1][0]
    if step == "choose":
        return _choose(state, seat)
    if step == "search":
        colour = COLOUR[state.rows[seat][-1]]
        return DECLINE if _is_second(state, seat, colour) else TAKE
    actions = state.actions(seat)
    if step == "door":
        return LEAVE if _is_second(state, seat, COLOUR[state.busy]) else actions[-1]
    if step == "foresee":
        return _foresee(state, seat)
    if step == "pay":
        return _pay(state, seat, actions)
    if step in ("draft", "swap"):
        return _trade(state, seat, actions)
    return next((one for one in actions if one.verb == "foretell" and one.args[0] == NIGHTMARE), actions[0])


def _is_second(state: Onirim, seat: Seat, colour: int) -> bool:
    """Whether two players would have a Door of that colour that helps nobody."""
    return state.players == 2 and state.doors[4 * seat + colour] > 0


def _choose(state: Onirim, seat: Seat) -> Action:
    dreamer = Dreamer(state, seat)
    counts = state.deck.counts
    prophecy = PROPHECY * min(state.deck.size, 5) / 5
    best, most = None, -1.0
    for action in state.actions(seat):
        if action.verb == "discard":
            card = action.args[0]
            found = dreamer.after(card) + (prophecy if IS_KEY[card] else 0.0)
        elif action.verb == "play":
            found = _played(dreamer, action.args[0], counts)
        else:
            continue
        if found > most:
            best, most = action, found
    assert best is not None
    return best


def _played(dreamer: Dreamer, card: int, counts: Sequence[int]) -> float:
    """The worth after a card was laid in the row."""
    colour = COLOUR[card]
    before = dreamer.last, dreamer.row_colour, dreamer.run
    run = dreamer.run + 1 if colour == dreamer.row_colour else 1
    gained = run == 3 and dreamer.wanted[colour] > 0 and counts[DOOR_OF[colour]] > 0
    dreamer.last, dreamer.row_colour, dreamer.run = SYMBOL[card], colour, run % 3
    dreamer.wanted[colour] -= gained
    worth = gained + dreamer.after(card)
    dreamer.wanted[colour] += gained
    dreamer.last, dreamer.row_colour, dreamer.run = before
    return worth


def _trade(state: Onirim, seat: Seat, actions: Sequence[Action]) -> Action:
    """Takes the card with which the own ones are worth most; shared ones count all the same."""
    dreamer = Dreamer(state, seat, with_shared=False)

    def worth(action: Action) -> float:
        if action.verb == "pick":
            return dreamer.after_gain(action.args[0])
        if action.verb != "swap":
            return dreamer.worth()
        given, taken = action.args
        if not dreamer.held[given]:
            return dreamer.after_gain(taken)
        dreamer.held[given] -= 1
        found = dreamer.after_gain(taken)
        dreamer.held[given] += 1
        return found

    return max(actions, key=worth)


def _foresee(state: Onirim, seat: Seat) -> Action:
    """Throws a Nightmare away, else the card that helps least; then Doors that can be opened, help, harm."""
    dreamer = Dreamer(state, seat)
    base = dreamer.worth()

    def helps(card: int) -> float:
        if card == NIGHTMARE:
            return -2.0
        if card >= HALLS:
            colour = card - HALLS
            return 3.0 if dreamer.wanted[colour] > 0 and dreamer.held[KEY_OF[colour]] else -0.5
        return dreamer.after_gain(card) - base

    cards = list(state.looked)
    lost = min(cards, key=lambda card: 9.0 if HALLS <= card < NIGHTMARE else helps(card))
    cards.remove(lost)
    return Action("foresee", (lost, *sorted(cards, key=helps, reverse=True)))


def _pay(state: Onirim, seat: Seat, actions: Sequence[Action]) -> Action:
    """Pays a Nightmare with what is worth least."""
    dreamer = Dreamer(state, seat)
    base = dreamer.worth()
    scarce = 4.0 if state.deck.size < LAST_CARDS else 0.0

    def cost(action: Action) -> float:
        if action.verb == "pay-key":
            return base - dreamer.after(action.args[0])
        if action.verb == "pay-door":
            return GIVEN_DOOR
        if action.verb == "pay-deck":
            return FIVE_CARDS + scarce
        return base - NEW_HAND + scarce

    return min(actions, key=cost)


def value(state: Onirim, seat: Seat) -> float:
    """1 for a game that is won; a lost one counts by its Doors."""
    if state.result is not None and state.result.winners:
        return 1.0
    missing = sum(1 for n in state.doors if not n) if state.players == 2 else 8 - sum(state.doors)
    return LOST_SHARE * (1.0 - missing / 8) ** 2


def sample(state: Onirim, seat: Seat, rng: Random) -> Onirim:
    """Deals what the seat does not know, and puts the deck into an order, so that all tries meet the same."""
    other = disguise(state, seat, rng)
    deck = other.deck
    if not other.unseen_hands:
        rest = [card for card, n in enumerate(deck.counts) for _ in range(n - deck.known.count(card))]
        rng.shuffle(rest)
        deck.known += rest
    return other


def shortlist(state: Onirim, seat: Seat, actions: Sequence[Action]) -> Sequence[Action]:
    """Of the many orders of a Prophecy those that differ in what is lost and in what comes next."""
    if len(actions) <= MIND_WIDEST or actions[0].verb != "foresee":
        return actions
    usual = policy(state, seat, Random(0)).args
    lost = list(dict.fromkeys(usual))
    found = []
    for card in lost:
        rest = list(usual)
        rest.remove(card)
        for first in dict.fromkeys(rest):
            order = rest.copy()
            order.remove(first)
            found.append(Action("foresee", (card, first, *order)))
    return found


MIND_WIDEST = 24
MIND = Mind(
    policy=policy,
    value=value,
    sample=sample,
    shortlist=shortlist,
    widest=MIND_WIDEST,
    budget={"good": 3_000, "strong": 14_000},
    tells=("door-gained", "nightmare", "prophecy", "paid-hand", "paid-door"),
)
