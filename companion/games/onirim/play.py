"""Phase 1: play a card and complete a series, or discard one; two players may swap after discarding."""

from __future__ import annotations

from companion.engine.action import Action, Seat
from companion.engine.state import Event, Refusal, no
from companion.games.onirim.pieces import CARDS, COLOUR, DOOR_OF, SYMBOL
from companion.games.onirim.position import Position, run_length, without
from companion.games.onirim.verbs import (
    CONCEDE,
    DECLINE,
    DISCARD,
    DISCARD_SHARED,
    KEEP,
    PLAY,
    PLAY_SHARED,
    TAKE,
)

_TURN = tuple((("turn",), ("tidy",), ("refill", seat), ("choose", seat)) for seat in range(2))
"""What a turn consists of, the last first."""


def begin_turn(state: Position, events: list[Event]) -> None:
    """ON-TURN-05, ON-2P-23, ON-BOOK-02: play or discard, refill the hand, shuffle Limbo in, and so on."""
    seat = state.seat = (state.first + state.turn) % state.players
    state.turn += 1
    state.todo += _TURN[seat]


# Playing ---------------------------------------------------------------------------------------


def can_play(state: Position, seat: Seat, card: int, *shared: int) -> Refusal | None:
    """ON-PLAY-03 to -08, ON-2P-06 to -08."""
    missing = state.missing(seat, card, shared)
    if missing is not None:
        return missing
    row = state.rows[seat]
    if row and SYMBOL[row[-1]] == SYMBOL[card]:
        return no("same-symbol", "ON-PLAY-03", card=CARDS[card], last=CARDS[row[-1]])
    return None


def do_play(state: Position, seat: Seat, card: int, *shared: int) -> list[Event]:
    """ON-PLAY-01, ON-PLAY-10, ON-SER-01, ON-SER-05, ON-SER-07, ON-SER-12."""
    state.answer()
    state.give(seat, card, shared)
    row = state.rows[seat] = (*state.rows[seat], card)
    run = run_length(row)
    events = [Event("played", {"seat": seat, "card": CARDS[card], "run": run})]
    if run % 3 == 0:
        door = DOOR_OF[COLOUR[card]]
        if state.deck.counts[door]:
            state.push(("search", seat))
        else:
            events.append(Event("no-door-left", {"seat": seat, "door": CARDS[door]}))
    return events


def list_choose(state: Position, seat: Seat, player: Seat) -> list[Action]:
    row = state.rows[seat]
    last = SYMBOL[row[-1]] if row else -1
    actions = []
    for card in state.holding(seat):
        actions.append(DISCARD[card])
        if SYMBOL[card] != last:
            actions.append(PLAY[card])
    for card in set(state.shared):
        actions.append(DISCARD_SHARED[card])
        if SYMBOL[card] != last:
            actions.append(PLAY_SHARED[card])
    if state.is_unwinnable():
        actions.append(CONCEDE)
    return actions


def can_concede(state: Position, seat: Seat) -> Refusal | None:
    """ON-PRO-11: giving up is offered once the game cannot be won."""
    return None if state.is_unwinnable() else no("still-winnable", "ON-PRO-11")


def do_concede(state: Position, seat: Seat) -> list[Event]:
    return [state.end("conceded", (), "ON-PRO-11")]


# A series is complete: a Door may be taken from the deck ---------------------------------------


def can_take(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_take(state: Position, seat: Seat) -> list[Event]:
    """ON-SER-01, ON-SER-02, ON-SER-09, ON-SER-10, ON-END-01 to -03."""
    state.answer()
    door = DOOR_OF[COLOUR[state.rows[seat][-1]]]
    state.deck.counts[door] -= 1
    state.deck.size -= 1
    state.deck.shuffle()
    state.push(("shuffle", False))
    return state.own(seat, door)


def can_decline(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_decline(state: Position, seat: Seat) -> list[Event]:
    """ON-SER-06, ON-SER-08."""
    state.answer()
    return [Event("declined", {"seat": seat})]


def list_search(state: Position, seat: Seat, player: Seat) -> list[Action]:
    return [TAKE, DECLINE]


# Discarding ------------------------------------------------------------------------------------


def can_discard(state: Position, seat: Seat, card: int, *shared: int) -> Refusal | None:
    return state.missing(seat, card, shared)


def do_discard(state: Position, seat: Seat, card: int, *shared: int) -> list[Event]:
    """ON-DISC-01 to -06, ON-BOOK-03: two players may exchange a card before or after the Prophecy."""
    state.answer()
    state.give(seat, card, shared)
    state.discard.append(card)
    prophecy, exchange = ("prophesy", seat, card), ("offer-swap", seat)
    if state.players == 1:
        state.push(prophecy)
    elif state.swap_last:
        state.push(prophecy, exchange)
    else:
        state.push(exchange, prophecy)
    return [Event("discarded", {"seat": seat, "card": CARDS[card]})]


def offer_swap(state: Position, events: list[Event], seat: Seat) -> None:
    """ON-2P-09 to -11."""
    if state.shared and state.personal(seat):
        state.push(("swap", seat))


def can_swap(state: Position, seat: Seat, own: int, common: int) -> Refusal | None:
    """ON-2P-09 to -11."""
    missing = state.missing(seat, own, ())
    if missing is not None:
        return missing
    if common not in state.shared:
        return no("no-such-card", "ON-2P-09", card=CARDS[common])
    return None


def do_swap(state: Position, seat: Seat, own: int, common: int) -> list[Event]:
    state.answer()
    state.give(seat, own, ())
    state.shared = (*without(state.shared, common), own)
    state.hands[seat] += (common,)
    return [Event("swapped", {"seat": seat, "given": CARDS[own], "taken": CARDS[common]})]


def can_keep(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_keep(state: Position, seat: Seat) -> list[Event]:
    state.answer()
    return [Event("kept", {"seat": seat})]


def list_swap(state: Position, seat: Seat, player: Seat) -> list[Action]:
    common = set(state.shared)
    return [KEEP, *(Action("swap", (mine, other)) for mine in state.holding(seat) for other in common)]
