"""Positions of Onirim written as small texts, and lines of play."""

from __future__ import annotations

from collections import Counter

from companion.engine.action import TABLE
from companion.engine.state import Event, Refusal
from companion.games.onirim import GAME
from companion.games.onirim.agenda import Onirim
from companion.games.onirim.pieces import CARDS, COUNTS, HALLS

CHOOSE, DRAW, SHUFFLE = "choose", "draw", "shuffle"
"""Where in a turn a position is: before the choice, before drawing, before the shuffle that ends it."""
CODE = {name: kind for kind, name in enumerate(CARDS)}


def cards(text: str) -> list[int]:
    return [CODE[word] for word in text.split()]


def names(found) -> str:
    return " ".join(CARDS[card] for card in found)


def game(**options) -> Onirim:
    """A fresh game before its first shuffle."""
    return GAME.start(GAME.resolve(options))


def position(
    hand: str = "",
    *,
    partner: str = "",
    shared: str = "",
    row: str = "",
    partner_row: str = "",
    doors: str = "",
    partner_doors: str = "",
    limbo: str = "",
    discard: str = "",
    deck: str | None = None,
    step: str = CHOOSE,
    seat: int = 0,
    **options,
) -> Onirim:
    """A position in mid-game. Cards not named are in the deck, or discarded where the deck is given."""
    two = bool(partner or shared)
    state = game(players=2 if two else 1, **options)
    state.hands[seat] = tuple(cards(hand))
    state.rows[seat] = tuple(cards(row))
    if two:
        state.hands[1 - seat] = tuple(cards(partner))
        state.rows[1 - seat] = tuple(cards(partner_row))
        state.shared = tuple(cards(shared))
    for owner, text in ((seat, doors), (1 - seat, partner_doors)):
        for door in cards(text):
            state.doors[4 * owner + door - HALLS] += 1
    state.limbo = tuple(cards(limbo))
    state.discard = cards(discard)
    named = Counter(
        cards(" ".join((hand, partner, shared, row, partner_row, doors, partner_doors, limbo, discard)))
    )
    rest = [n - named[kind] for kind, n in enumerate(COUNTS)]
    assert min(rest) >= 0, "a card is named more often than it exists"
    if deck is None:
        state.deck.counts = rest
    else:
        exact = Counter(cards(deck))
        state.deck.counts = [exact[kind] for kind in range(len(CARDS))]
        for kind, n in enumerate(rest):
            state.discard += [kind] * (n - exact[kind])
    state.deck.size = sum(state.deck.counts)
    state.seat, state.turn = seat, seat + 1
    state.todo = [("turn",), ("tidy",)]
    if step != SHUFFLE:
        state.todo.append(("refill", seat))
    if step == CHOOSE:
        state.todo.append(("choose", seat))
    state.settle([])
    if step == CHOOSE and not limbo:
        state.check()
    return state


def run(state: Onirim, *lines: str) -> list[Event]:
    """Plays lines as `p1: play Rs` or, for the table, `draw Bs`; checks the invariants after each."""
    events: list[Event] = []
    for line in lines:
        who, colon, text = line.partition(": ")
        seat = int(who[1:]) - 1 if colon else TABLE
        events += state.apply(seat, state.notation.parse(text if colon else line))
        state.check()
    return events


def each(verb: str, text: str) -> list[str]:
    """The table's lines for several cards in turn."""
    return [f"{verb} {card}" for card in text.split()]


def legal(state: Onirim, seat: int | None = None) -> set[str]:
    """The actions of the player whose turn it is, in notation."""
    return {state.notation.text(action) for action in state.actions(state.seat if seat is None else seat)}


def refused(state: Onirim, seat: int, text: str) -> Refusal:
    refusal = state.refusal(seat, state.notation.parse(text))
    assert refusal is not None, f"{text} is allowed"
    return refusal


def needs(state: Onirim) -> str:
    """Who must act with what, as `table: draw`."""
    return "; ".join(
        f"{'table' if need.seat == TABLE else f'p{need.seat + 1}'}: {' '.join(need.verbs)}"
        for need in state.needs()
    )


def kinds(events: list[Event]) -> list[str]:
    return [event.kind for event in events]
