"""A Nightmare was drawn: it is paid with a Key, a Door, five cards of the deck, or the whole hand."""

from __future__ import annotations

from companion.engine.action import Action, Seat
from companion.engine.state import Event, Refusal, no
from companion.games.onirim.draw import can_draw, is_complete
from companion.games.onirim.pieces import CARDS, DOORS, HALLS, IS_KEY
from companion.games.onirim.position import Position
from companion.games.onirim.verbs import (
    MILL,
    PAY_DECK,
    PAY_DOOR,
    PAY_DOOR_PARTNER,
    PAY_HAND,
    PAY_KEY,
    PAY_KEY_SHARED,
    SHOW,
)

MILLED = 5
"""How many cards of the deck pay for a Nightmare."""


def paid(state: Position, events: list[Event]) -> None:
    """ON-NIGHT-10, ON-NIGHT-11: the Nightmare itself is discarded."""
    state.discard.append(state.busy)
    state.busy = -1


def list_pay(state: Position, seat: Seat, player: Seat) -> list[Action]:
    actions = [PAY_DECK, PAY_HAND]
    actions += [PAY_KEY[card] for card in state.holding(seat) if IS_KEY[card]]
    actions += [PAY_KEY_SHARED[card] for card in set(state.shared) if IS_KEY[card]]
    actions += [PAY_DOOR[door] for door in DOORS if state.doors[4 * seat + door - HALLS]]
    if state.any_door and state.players == 2:
        actions += [PAY_DOOR_PARTNER[door] for door in DOORS if state.doors[4 * (1 - seat) + door - HALLS]]
    return actions


# With a Key ------------------------------------------------------------------------------------


def can_pay_key(state: Position, seat: Seat, card: int, *shared: int) -> Refusal | None:
    """ON-NIGHT-02."""
    if not IS_KEY[card] or state.missing(seat, card, shared) is not None:
        return no("no-key", "ON-NIGHT-02", card=CARDS[card])
    return None


def do_pay_key(state: Position, seat: Seat, card: int, *shared: int) -> list[Event]:
    state.answer()
    state.push(("paid",))
    state.give(seat, card, shared)
    state.discard.append(card)
    return [Event("paid-key", {"seat": seat, "card": CARDS[card]})]


# With a Door -----------------------------------------------------------------------------------


def can_pay_door(state: Position, seat: Seat, card: int, *owner: int) -> Refusal | None:
    """ON-NIGHT-03, ON-2P-18."""
    if owner and (len(owner) > 1 or state.players == 1 or not state.any_door):
        return no("not-your-door", "ON-2P-18")
    whose = 1 - seat if owner else seat
    if card not in DOORS or not state.doors[4 * whose + card - HALLS]:
        return no("no-door", "ON-NIGHT-03", card=CARDS[card])
    return None


def do_pay_door(state: Position, seat: Seat, card: int, *owner: int) -> list[Event]:
    state.answer()
    state.push(("paid",))
    state.doors[4 * (1 - seat if owner else seat) + card - HALLS] -= 1
    state.limbo += (card,)
    return [Event("paid-door", {"seat": seat, "card": CARDS[card]})]


# With cards of the deck ------------------------------------------------------------------------


def can_pay_deck(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_pay_deck(state: Position, seat: Seat) -> list[Event]:
    """ON-NIGHT-04, ON-NIGHT-06, ON-NIGHT-13."""
    state.answer()
    state.push(("paid",))
    n = min(MILLED, state.deck.size)
    if n:
        state.push(("mill", n))
    return [Event("paid-deck", {"seat": seat, "n": n})]


def can_mill(state: Position, seat: Seat, card: int) -> Refusal | None:
    return can_draw(state, seat, card)


def do_mill(state: Position, seat: Seat, card: int) -> list[Event]:
    """ON-NIGHT-04 to -06."""
    _, left = state.take()
    state.deck.take(card)
    if left > 1:
        state.push(("mill", left - 1))
    if card >= HALLS:
        return [state.set_aside(card)]
    state.discard.append(card)
    return [Event("milled", {"card": CARDS[card]})]


def mills(state: Position, left: int) -> list[tuple[Action, int]]:
    outcomes = state.deck.outcomes(MILL)
    if state.unseen_hands and not state.has_halls():
        return [(action, ways) for action, ways in outcomes if action.args[0] >= HALLS]
    return outcomes


# With the whole hand ---------------------------------------------------------------------------


def can_pay_hand(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_pay_hand(state: Position, seat: Seat) -> list[Event]:
    """ON-NIGHT-07, ON-NIGHT-13, ON-2P-15."""
    state.answer()
    state.push(("draw-anew", seat), ("paid",))
    lost = state.hands[seat] + state.shared
    state.discard += lost
    state.hands[seat] = state.shared = ()
    if state.unseen[seat]:
        state.push(("show", seat))
    return [Event("paid-hand", {"seat": seat, "cards": [CARDS[card] for card in lost]})]


def can_show(state: Position, seat: Seat, card: int) -> Refusal | None:
    """ON-INV-01: a card that was never seen must still be among the unseen ones."""
    return state.missing(seat, card, ())


def do_show(state: Position, seat: Seat, card: int) -> list[Event]:
    """ON-2P-15 for cards that the companion has not seen: they are shown as they are discarded."""
    state.give(seat, card, ())
    state.discard.append(card)
    state.drawn = ()
    if not state.unseen[seat]:
        state.answer()
    return [Event("discarded", {"seat": seat, "card": CARDS[card]})]


def list_show(state: Position, seat: Seat, player: Seat) -> list[Action]:
    return [SHOW[card] for card in state.holding(seat)]


def draw_anew(state: Position, events: list[Event], seat: Seat) -> None:
    """Draws a new hand; an empty deck loses the game (ON-NIGHT-09)."""
    if is_complete(state, seat):
        return
    if state.deck.size:
        state.todo += ("draw-anew", seat), ("redraw", seat)
    else:
        events.append(state.end("lost", (), "ON-NIGHT-09"))
