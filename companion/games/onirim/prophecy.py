"""The Prophecy: a discarded Key shows the top of the deck; one card is lost, the rest are put in order."""

from __future__ import annotations

from itertools import permutations

from companion.engine.action import Action, Seat
from companion.engine.state import Event, Refusal, no
from companion.games.onirim.draw import can_draw
from companion.games.onirim.pieces import CARDS, DOORS, HALLS, IS_KEY
from companion.games.onirim.position import Position
from companion.games.onirim.verbs import FORETELL, LOOK

SEEN = 5
"""How many cards a Prophecy turns up."""


def prophesy(state: Position, events: list[Event], seat: Seat, discarded: int) -> None:
    """ON-DISC-02, ON-DISC-03, ON-PRO-08, ON-PRO-09."""
    if IS_KEY[discarded] and state.deck.size:
        events.append(Event("prophecy", {"seat": seat, "n": min(SEEN, state.deck.size)}))
        state.push(("foretell", seat) if state.unseen_hands else ("look", seat))


def can_look(state: Position, seat: Seat, card: int) -> Refusal | None:
    return can_draw(state, seat, card)


def do_look(state: Position, seat: Seat, card: int) -> list[Event]:
    """ON-PRO-01, ON-PRO-06, ON-PRO-07."""
    _, seer = state.take()
    state.deck.take(card)
    state.looked += (card,)
    is_complete = len(state.looked) == SEEN or not state.deck.size
    state.push(("foresee", seer) if is_complete else ("look", seer))
    return state.secret("looked", seer, card)


def looks(state: Position, seer: Seat) -> list[tuple[Action, int]]:
    return state.deck.outcomes(LOOK)


def can_foresee(state: Position, seat: Seat, *cards: int) -> Refusal | None:
    """ON-PRO-02, ON-PRO-03."""
    if sorted(cards) != sorted(state.looked):
        return no("not-those-cards", "ON-PRO-03", cards=[CARDS[card] for card in state.looked])
    return None


def do_foresee(state: Position, seat: Seat, *cards: int) -> list[Event]:
    """ON-PRO-02 to -05, ON-PRO-10, ON-PRO-11: discards the first card, the rest go back top first."""
    state.answer()
    lost, *order = cards
    state.looked = ()
    state.discard.append(lost)
    for card in order:
        state.deck.put_back(card)
    state.deck.known = order
    state.seer = seat
    return _foreseen(seat, lost)


def list_foresee(state: Position, seat: Seat, seer: Seat) -> list[Action]:
    return [Action("foresee", order) for order in sorted(set(permutations(state.looked)))]


def can_foretell(state: Position, seat: Seat, card: int) -> Refusal | None:
    """ON-PRO-02 where the companion does not see the cards: only the discarded one is shown."""
    return None if _may_be_seen(state, card) else no("not-drawn", "ON-INV-01")


def _may_be_seen(state: Position, card: int) -> bool:
    """Whether the deck can hold the card: the last unseen Labyrinth cards may all be in hands."""
    return state.deck.counts[card] > 0 and (card >= HALLS or state.has_halls())


def do_foretell(state: Position, seat: Seat, card: int) -> list[Event]:
    state.answer()
    state.deck.counts[card] -= 1
    state.deck.size -= 1
    state.discard.append(card)
    return _foreseen(seat, card)


def list_foretell(state: Position, seat: Seat, seer: Seat) -> list[Action]:
    return [FORETELL[card] for card in range(len(CARDS)) if _may_be_seen(state, card)]


def _foreseen(seat: Seat, lost: int) -> list[Event]:
    events = [Event("foresaw", {"seat": seat, "card": CARDS[lost]})]
    if lost in DOORS:
        events.append(Event("unwinnable", {"door": CARDS[lost]}))
    return events
