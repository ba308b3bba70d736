"""The killer's cards: drawing, milling, the limit of his hand (ledger WW-DRAW)."""

from __future__ import annotations

from companion.engine.action import Action, Seat
from companion.engine.grid import cells_of
from companion.engine.state import Event, Refusal, no
from companion.games.whisper.data import Effect
from companion.games.whisper.pieces import CARDS, HAND_LIMIT
from companion.games.whisper.position import KILLER_ONLY, Position
from companion.games.whisper.verbs import ACTION


def draw(state: Position, events: list[Event], n: int) -> None:
    """The killer draws cards."""
    _from_deck(state, "draw", "drawing", n)


def mill(state: Position, events: list[Event], n: int) -> None:
    """The killer loses cards of the deck."""
    _from_deck(state, "mill", "milling", n)


def _from_deck(state: Position, name: str, one: str, n: int) -> None:
    """Takes cards one by one; a deck that is empty when needed brings a level (WW-DRAW-03, 04)."""
    if not n:
        return
    if state.killer.deck_size:
        state.todo.append((one, n))
    elif state.killer.spent:
        state.push(("level-up", True), (name, n))


def can_draw(state: Position, seat: Seat, card: int) -> Refusal | None:
    return None if state.killer.deck[card] else no("not-drawn", "WW-DRAW-03", card=CARDS[card])


def do_draw(state: Position, seat: Seat, card: int) -> list[Event]:
    """The hand never exceeds five: what is drawn beyond is discarded at once (WW-DRAW-02)."""
    _take_top(state, "draw", card)
    killer = state.killer
    is_full = len(killer.hand) >= HAND_LIMIT
    if is_full and not _chooses_overflow(state):
        killer.spent += (card,)
        return [Event("overflowed", {"card": CARDS[card]}, KILLER_ONLY)]
    killer.hand.append(card)
    if is_full:
        state.push(("discard",))
    return [Event("drew", {"card": CARDS[card]}, KILLER_ONLY)]


def _chooses_overflow(state: Position) -> bool:
    skills = (state.box.skills[skill] for skill in cells_of(state.killer.skills))
    return any(mod["mod"] == "overflow_choice" for skill in skills for mod in skill.mods)


def can_mill(state: Position, seat: Seat, card: int) -> Refusal | None:
    return can_draw(state, seat, card)


def do_mill(state: Position, seat: Seat, card: int) -> list[Event]:
    _take_top(state, "mill", card)
    state.killer.spent += (card,)
    return [Event("milled", {"card": CARDS[card]}, KILLER_ONLY)]


def _take_top(state: Position, name: str, card: int) -> None:
    left = state.take()[1] - 1
    state.killer.deck[card] -= 1
    state.killer.deck_size -= 1
    if left:
        state.todo.append((name, left))
    if state.setup.on_empty and not state.killer.deck_size:
        state.push(("level-up", True))


def can_discard(state: Position, seat: Seat, card: int) -> Refusal | None:
    return None if card in state.killer.hand else no("not-in-hand", "WW-DRAW-06", card=CARDS[card])


def do_discard(state: Position, seat: Seat, card: int) -> list[Event]:
    state.take()
    state.killer.hand.remove(card)
    state.killer.spent += (card,)
    return [Event("discarded", {"card": CARDS[card]}, KILLER_ONLY)]


def list_discard(state: Position, seat: Seat) -> list[Action]:
    return [ACTION["discard", card] for card in set(state.killer.hand)]


def reshuffle(state: Position, events: list[Event]) -> None:
    """The discard pile becomes the deck; its order is not kept (WW-LEVEL-03, 11)."""
    killer = state.killer
    for card in killer.spent:
        killer.deck[card] += 1
    killer.deck_size += len(killer.spent)
    killer.spent = ()
    events.append(Event("reshuffled", {}, KILLER_ONLY))


def op_draw(state: Position, events: list[Event], effect: Effect, about: int, source: int) -> None:
    events.append(Event("killer-draws", {"n": effect[1]}))
    state.push(("draw", effect[1]))


def op_start_hand(state: Position, events: list[Event], effect: Effect, about: int, source: int) -> None:
    """A skill changes the start hand: more cards are drawn, or some go back into the deck."""
    if effect[1] > 0:
        state.push(("draw", effect[1]))
    for _ in range(min(-effect[1], len(state.killer.hand))):
        state.killer.deck[state.killer.hand.pop()] += 1
        state.killer.deck_size += 1


def draws(state: Position, n: int) -> list[tuple[Action, int]]:
    """The cards that can be drawn."""
    return [(ACTION["draw", card], left) for card, left in enumerate(state.killer.deck) if left]


def mills(state: Position, n: int) -> list[tuple[Action, int]]:
    """The cards that can be milled."""
    return [(ACTION["mill", card], left) for card, left in enumerate(state.killer.deck) if left]
