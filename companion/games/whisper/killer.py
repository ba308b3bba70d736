"""The killer's turn: its steps, cards and their price (ledger section 5.3)."""

from __future__ import annotations

from companion.engine.action import Action, Seat
from companion.engine.state import Event, Refusal, all_but, no
from companion.games.whisper.data import Effects
from companion.games.whisper.levels import level_steps
from companion.games.whisper.parts import NOBODY
from companion.games.whisper.pieces import BASIC_ACTIONS, BESIDE, CARDS, DRAW
from companion.games.whisper.position import KILLER_ONLY, KILLER_SEAT, Position
from companion.games.whisper.verbs import ACTION, NEXT, SEARCH, each

_TIMING = {"instant": "fast", "main": "boost", "planning": "plan", "strike": "attack"}
"""The timing of the cards that belong to each step."""
_TURN = (
    *(("round",), ("killer-draw",)),
    *(("end-skills",), ("planning",), ("main", BASIC_ACTIONS), ("instant",), ("start-skills",)),
)
"""What the killer's turn consists of, the last first; an encounter drops all but the first two."""


def begin_turn(state: Position, events: list[Event]) -> None:
    """Lays out the steps of the turn (WW-KILLER-01); the last two survive an encounter (WW-CLASH-18)."""
    killer = state.killer
    state.killer_turn = True
    killer.opened, killer.fought = not killer.hidden, False
    if killer.skip:
        killer.skip -= 1
        killer.quiet = True
        events.append(Event("killer-waited", {}))
        state.push(("round",))
        return
    events.append(Event("killer-began", {}))
    assert not state.todo, "the killer's turn is the last step of a round"
    state.todo += _TURN
    if killer.hidden:
        state.push(("reveal",))


def end_turn(state: Position, events: list[Event]) -> None:
    """Ends the turn with three cards (WW-DRAW-01); the bonuses of the turn are over after it."""
    state.killer.quiet = not state.killer.fought
    state.fight = state.fight._replace(met=0, attacked=0)
    events.append(Event("killer-draws", {"n": DRAW}))
    state.push(("draw", DRAW))


# Revealing himself ----------------------------------------------------------------------------


def can_reveal(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_reveal(state: Position, seat: Seat) -> list[Event]:
    """He appears; what was stored for it happens, then he searches (WW-REVEAL-01 to 04)."""
    state.take()
    killer = state.killer
    killer.hidden, killer.known, killer.stealth_card = False, killer.at, -1
    stored, killer.stored = killer.stored, ()
    state.push(("run", stored, NOBODY, NOBODY), ("seek", True))
    return [Event("revealed", {"cell": killer.at})]


def can_next(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_next(state: Position, seat: Seat) -> list[Event]:
    state.take()
    return []


# Cards and their price ------------------------------------------------------------------------


def is_timed(state: Position, card: int, timing: str) -> bool:
    """Says whether a card belongs to a step; a level may have changed it (WW-KILLER-09, WW-CARD-09)."""
    if state.killer.retimed >> card & 1:
        return timing == "fast"
    return timing in state.box.cards[card].timings


def cost(state: Position, card: int) -> int:
    """How many other cards a card costs (WW-COST-01)."""
    printed = state.box.cards[card].cost
    return printed if printed >= 0 else max(0, len(state.killer.hand) - 1)


def can_play(state: Position, seat: Seat, card: int) -> Refusal | None:
    step = state.todo[-1][0]
    if card not in state.killer.hand:
        return no("not-in-hand", "WW-CARD-01", card=CARDS[card])
    if not is_timed(state, card, _TIMING[step]):
        return no("wrong-step", "WW-KILLER-09", card=CARDS[card])
    if step == "main" and state.todo[-1][1] < BASIC_ACTIONS:
        return no("acted-already", "WW-KILLER-03", card=CARDS[card])
    if len(state.killer.hand) - 1 < cost(state, card):
        return no("cannot-pay", "WW-COST-02", card=CARDS[card], n=cost(state, card))
    return None


def do_play(state: Position, seat: Seat, card: int) -> list[Event]:
    """Pays for the card, then its effects, then what a level adds to it (WW-CARD-01, WW-COST-02)."""
    killer = state.killer
    price = cost(state, card)
    step = state.todo[-1][0]
    if step != "instant":
        state.take()
    killer.hand.remove(card)
    killer.playing = card
    state.push(
        *([("pay", price)] if price else []),
        ("run", _effects(state, card, step), NOBODY, NOBODY),
        *level_steps(state, f"after_card:{CARDS[card]}"),
        ("played",),
    )
    event = Event("played", {"card": CARDS[card], "cost": price})
    if state.box.cards[card].cost >= 0 or state.setup.tell_hand:
        return [event]
    # What all the other cards are worth would tell how many are in the hand (AMB-39).
    told = Event("played-for-all", {"card": CARDS[card]}, all_but(state.setup.players, KILLER_SEAT))
    return [event._replace(audience=KILLER_ONLY), told]


def _effects(state: Position, card: int, step: str) -> Effects:
    """What a card does when it is played in a step."""
    timing = "fast" if state.killer.retimed >> card & 1 else _TIMING[step]
    effects = state.box.cards[card].effects
    return effects[timing] if timing in effects else next(iter(effects.values()))


def played(state: Position, events: list[Event]) -> None:
    """The played card goes on top of the discard pile (WW-CARD-06, WW-COST-04)."""
    if state.killer.playing >= 0:
        state.killer.spent += (state.killer.playing,)
        state.killer.playing = -1


def can_pay(state: Position, seat: Seat, card: int) -> Refusal | None:
    return None if card in state.killer.hand else no("not-in-hand", "WW-COST-02", card=CARDS[card])


def do_pay(state: Position, seat: Seat, card: int) -> list[Event]:
    left = state.take()[1] - 1
    state.killer.hand.remove(card)
    state.killer.spent += (card,)
    if left:
        state.push(("pay", left))
    return [Event("paid", {"card": CARDS[card]}, KILLER_ONLY)]


def list_pay(state: Position, seat: Seat, n: int) -> list[Action]:
    return [ACTION["pay", card] for card in set(state.killer.hand)]


# The steps of the turn ------------------------------------------------------------------------


def drop_turn(state: Position) -> None:
    """Drops every step of the turn but the draw and the card being played (WW-CLASH-18, WW-CARD-04)."""
    del state.todo[2:]
    state.push(("played",))


def _playable(state: Position, step: str) -> list[Action]:
    timing, left = _TIMING[step], len(state.killer.hand) - 1
    return [
        ACTION["play", card]
        for card in set(state.killer.hand)
        if is_timed(state, card, timing) and left >= cost(state, card)
    ]


def list_instant(state: Position, seat: Seat) -> list[Action]:
    return [*_playable(state, "instant"), NEXT]


def list_main(state: Position, seat: Seat, left: int) -> list[Action]:
    cards = _playable(state, "main") if left == BASIC_ACTIONS else []
    return [*cards, *each("go", BESIDE[state.killer.at]), SEARCH, NEXT]


def list_planning(state: Position, seat: Seat) -> list[Action]:
    return [*_playable(state, "planning"), NEXT]


def list_strike(state: Position, seat: Seat) -> list[Action]:
    return [*_playable(state, "strike"), NEXT]
