"""Phase 2: cards are drawn until the hand is complete; a Door may be opened with its Key."""

from __future__ import annotations

from companion.engine.action import TABLE, Action, Seat
from companion.engine.agenda import Step, need
from companion.engine.state import Event, Need, Refusal, no
from companion.games.onirim.pieces import CARDS, COLOUR, HALLS, HAND, KEY_OF, NIGHTMARE, PERSONAL, SHARED
from companion.games.onirim.position import Position
from companion.games.onirim.setup import dealt
from companion.games.onirim.verbs import DRAW, DRAW_UNSEEN, LEAVE, OPEN, OPEN_SHARED

_DRAW_AND_REFILL = tuple((("refill", seat), ("draw", seat)) for seat in range(2))
_SEEN = need(("draw",), TABLE)
_MAY_STAY_UNSEEN = need(("draw", "draw-unseen"), TABLE)


def is_complete(state: Position, seat: Seat) -> bool:
    """ON-DRAW-01, -11, -12: asked after every card."""
    held = len(state.hands[seat]) + state.unseen[seat]
    return held >= HAND if state.players == 1 else held >= PERSONAL and len(state.shared) >= SHARED


def refill(state: Position, events: list[Event], seat: Seat) -> None:
    """Draws until the hand is complete; an empty deck loses the game (ON-END-04)."""
    if is_complete(state, seat):
        return
    if state.deck.size:
        state.todo += _DRAW_AND_REFILL[seat]
    else:
        events.append(state.end("lost", (), "ON-END-04"))


def tidy(state: Position, events: list[Event]) -> None:
    """ON-SHUF-01, ON-SHUF-02: at the end of a turn Limbo goes back into the deck."""
    if state.limbo:
        state.push(("shuffle", True))


def can_draw(state: Position, seat: Seat, card: int) -> Refusal | None:
    """ON-INV-01: only what is still unseen can turn up. ON-2P-14: a hand that is kept unseen stays so."""
    if not state.deck.can_be_next(card) or (card < HALLS and not state.has_halls()):
        return no("not-drawn", "ON-INV-01")
    if card < HALLS and state.unseen_hands:
        step = state.todo[-1]
        if step[0] in ("draw", "redraw") and _is_kept_unseen(state, step[1]):
            return no("kept-unseen", "ON-2P-14")
    return None


def _is_kept_unseen(state: Position, seat: Seat) -> bool:
    """Whether the next Labyrinth card goes to a hand that the companion only counts."""
    return state.unseen_hands and state.fills_personal(seat)


def do_draw(state: Position, seat: Seat, card: int) -> list[Event]:
    """ON-DRAW-01 to -13, ON-NIGHT-07 to -09, ON-2P-13, ON-2P-16."""
    step = state.take()
    state.deck.take(card)
    if step[0] == "deal":
        return dealt(state, card)
    player: Seat = step[1]
    if card < HALLS:
        return gain(state, player, card)
    if step[0] == "redraw":
        return [state.set_aside(card)]
    if card == NIGHTMARE:
        state.busy = card
        state.push(("pay", player))
        return [Event("nightmare", {"seat": player})]
    return _meet_door(state, player, card)


def gain(state: Position, seat: Seat, card: int) -> list[Event]:
    """ON-DRAW-02, ON-2P-13, ON-2P-14."""
    if state.fills_personal(seat):
        state.hands[seat] += (card,)
        if state.is_open:
            state.drawn += (card,)
        return state.secret("drew", seat, card)
    state.shared += (card,)
    return [Event("drew-shared", {"seat": seat, "card": CARDS[card]})]


def can_draw_unseen(state: Position, seat: Seat) -> Refusal | None:
    return None if state.has_halls() else no("not-drawn", "ON-INV-01")


def do_draw_unseen(state: Position, seat: Seat) -> list[Event]:
    """ON-2P-14: a card for the personal resource, kept from the companion too."""
    player = state.take()[1]
    state.deck.take_unseen()
    state.unseen[player] += 1
    return [Event("drew-hidden", {"seat": player})]


def who_draws(state: Position, step: Step) -> tuple[Need, ...]:
    """The table; a card for a hand that is kept unseen is only counted."""
    return _MAY_STAY_UNSEEN if _is_kept_unseen(state, step[1]) else _SEEN


def draws(state: Position, seat: Seat = -1) -> list[tuple[Action, int]]:
    """What the top card can be."""
    outcomes = state.deck.outcomes(DRAW)
    if not state.unseen_hands:
        return outcomes
    is_kept_unseen = seat >= 0 and _is_kept_unseen(state, seat)
    halls = sum(state.deck.counts[:HALLS]) - state.deck.hidden
    if is_kept_unseen or not halls:
        outcomes = [(action, ways) for action, ways in outcomes if action.args[0] >= HALLS]
    if is_kept_unseen and halls:
        outcomes.append((DRAW_UNSEEN, halls))
    return outcomes


# A Door was drawn ------------------------------------------------------------------------------


def _meet_door(state: Position, seat: Seat, door: int) -> list[Event]:
    """ON-DRAW-03, ON-DRAW-04. With hidden hands the question is always asked: not asking would tell."""
    key = KEY_OF[COLOUR[door]]
    event = Event("door-drawn", {"seat": seat, "door": CARDS[door]})
    if state.is_open and not state.unseen[seat] and key not in state.hands[seat] and key not in state.shared:
        return [event, state.set_aside(door)]
    state.busy = door
    state.push(("door", seat))
    return [event]


def can_open(state: Position, seat: Seat, *shared: int) -> Refusal | None:
    """ON-DRAW-03, ON-DRAW-05, ON-2P-12."""
    key = KEY_OF[COLOUR[state.busy]]
    if state.missing(seat, key, shared) is not None:
        return no("no-key", "ON-DRAW-05", card=CARDS[key])
    return None


def do_open(state: Position, seat: Seat, *shared: int) -> list[Event]:
    """ON-DRAW-03, ON-DRAW-06, ON-DRAW-07."""
    state.answer()
    door, state.busy = state.busy, -1
    key = KEY_OF[COLOUR[door]]
    state.give(seat, key, shared)
    state.discard.append(key)
    return [
        Event("opened", {"seat": seat, "key": CARDS[key], "door": CARDS[door]}),
        *state.own(seat, door),
    ]


def can_leave(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_leave(state: Position, seat: Seat) -> list[Event]:
    """ON-DRAW-04."""
    state.answer()
    door, state.busy = state.busy, -1
    return [state.set_aside(door)]


def list_door(state: Position, seat: Seat, player: Seat) -> list[Action]:
    key = KEY_OF[COLOUR[state.busy]]
    actions = [LEAVE]
    if key in state.shared:
        actions.append(OPEN_SHARED)
    if key in state.holding(seat):
        actions.append(OPEN)
    return actions
