"""Before the first turn: the deck is shuffled, a hand is dealt, two players share out eight cards."""

from __future__ import annotations

from companion.engine.action import Action, Seat
from companion.engine.state import Event, Refusal, no
from companion.games.onirim.pieces import CARDS, HALLS, HAND, PERSONAL, SHARED
from companion.games.onirim.position import Position, without
from companion.games.onirim.verbs import PICK, SHUFFLE


def can_shuffle(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_shuffle(state: Position, seat: Seat) -> list[Event]:
    """ON-SETUP-01, ON-SETUP-06, ON-SER-02, ON-SHUF-01, ON-SHUF-03, ON-LIMBO-02."""
    _, takes_limbo = state.take()
    returned: tuple[int, ...] = ()
    # A search shuffles in the middle of a turn: Limbo stays where it is.
    if takes_limbo:
        returned, state.limbo = state.limbo, ()
        for card in returned:
            state.deck.put_back(card)
    state.deck.shuffle()
    return [Event("shuffled", {"cards": [CARDS[card] for card in returned]})]


def shuffles(state: Position, takes_limbo: bool) -> list[tuple[Action, int]]:
    return [(SHUFFLE, 1)]


def dealt(state: Position, card: int) -> list[Event]:
    """ON-SETUP-02 to -06, ON-2P-01: a card of the first hand, or of the eight that two share out."""
    if card >= HALLS:
        state.push(("deal",))
        return [state.set_aside(card)]
    if state.players == 1:
        state.hands[0] += (card,)
        state.drawn += (card,)
        is_complete = len(state.hands[0]) == HAND
    else:
        state.display += (card,)
        is_complete = len(state.display) == 2 * PERSONAL + SHARED
    if not is_complete:
        state.push(("deal",))
        return [Event("dealt", {"card": CARDS[card]})]
    if state.players == 2:
        state.push(("draft", state.seat))
    if state.limbo:
        state.push(("shuffle", True))
    return [Event("dealt", {"card": CARDS[card]})]


def can_pick(state: Position, seat: Seat, card: int) -> Refusal | None:
    if card not in state.display:
        return no("no-such-card", "ON-2P-02")
    return None


def do_pick(state: Position, seat: Seat, card: int) -> list[Event]:
    """ON-2P-02 to -04."""
    state.answer()
    state.display = without(state.display, card)
    state.hands[seat] += (card,)
    state.seat = 1 - seat
    if len(state.display) == SHARED:
        state.shared, state.display = state.display, ()
    else:
        state.push(("draft", 1 - seat))
    return [Event("picked", {"seat": seat, "card": CARDS[card]})]


def list_draft(state: Position, seat: Seat, picker: Seat) -> list[Action]:
    return [PICK[card] for card in set(state.display)]
