"""The market of the advanced game, before the first round (BB-ADV).

Rivals buy in turn, clockwise and back again: `buyer` calls the next one who can buy anything. A team shares
one purse, and everybody may buy until all have passed.
"""

from __future__ import annotations

from companion.engine.action import Action, Seat
from companion.engine.agenda import Step, need
from companion.engine.state import Event, Need, Refusal, no
from companion.games.bad_bones.pieces import ITEMS, TRAPS, TREASURE
from companion.games.bad_bones.position import Position
from companion.games.bad_bones.printed import PRINTED
from companion.games.bad_bones.verbs import BUY, FIRST, PASS

_DEAREST = max(PRINTED.prices)
_FOR_COINS = tuple(
    tuple(
        tuple(item for item in items if PRINTED.prices[item] <= coins and item != TREASURE)
        for coins in range(_DEAREST + 1)
    )
    for items in (range(len(ITEMS)), range(len(TRAPS)))
)
"""What a number of coins could pay, for a seat without a weapon and for one that has one."""


def open_market(state: Position, events: list[Event]) -> None:
    """BB-ADV-01, BB-ADV-05."""
    mode = state.mode
    if not mode.advanced:
        return
    state.push(("close-market",))
    if mode.coop:
        state.busy = tuple(range(mode.players))
        state.push(("buyers",))
    elif mode.players > 1:
        state.push(("first",))
    else:
        state.push(("buyer", 0, 0, ()))


def can_first(state: Position, seat: Seat, first: Seat) -> Refusal | None:
    return None if first < state.mode.players else no("no-such-seat", "BB-ADV-05")


def do_first(state: Position, seat: Seat, first: Seat) -> list[Event]:
    """BB-ADV-05."""
    state.take()
    state.push(("buyer", first, 0, ()))
    return [Event("began", {"seat": first})]


def firsts(state: Position) -> list[tuple[Action, int]]:
    return [(FIRST[seat], 1) for seat in range(state.mode.players)]


# Who buys ----------------------------------------------------------------------------------------


def call_buyer(
    state: Position, events: list[Event], first: Seat, turn: int, passed: tuple[Seat, ...]
) -> None:
    """Finds the next rival who can buy; who cannot passes by himself (BB-ADV-08).

    `turn` counts the turns of the market, `passed` are those who passed in this lap: when all did it closes.
    """
    players = state.mode.players
    while len(passed) < players:
        if turn % players == 0:
            passed = ()
        seat = state.seat = _whose_turn(first, turn, players)
        if can_buy_something(state, seat):
            state.push(("buy", seat, first, turn, passed))
            return
        turn, passed = turn + 1, (*passed, seat)


def _whose_turn(first: Seat, turn: int, players: int) -> Seat:
    """Clockwise, then back, and so on (BB-ADV-06)."""
    lap, i = divmod(turn, players)
    return (first + (players - 1 - i if lap % 2 else i)) % players


def call_buyers(state: Position, events: list[Event]) -> None:
    """Those of a team who can still buy; without any the market closes (BB-COOP-27)."""
    state.busy = tuple([seat for seat in state.busy if can_buy_something(state, seat)])
    if state.busy:
        state.push(("buy-together",))


def who_buys(state: Position, step: Step) -> tuple[Need, ...]:
    return need(("buy", "pass"), *state.busy)


def _next_turn(state: Position, passes: bool) -> None:
    step = state.take()
    if step[0] == "buy-together":
        state.push(("buyers",))
        return
    _, seat, first, turn, passed = step
    state.push(("buyer", first, turn + 1, (*passed, seat) if passes else passed))


def close_market(state: Position, events: list[Event]) -> None:
    """What was not bought goes to the box (BB-ADV-11)."""
    for trap, left in enumerate(state.offer[: len(TRAPS)]):
        state.box[trap] += left
    state.offer = (0,) * len(ITEMS)
    events.append(Event("market-closed", {}))


# Buying ------------------------------------------------------------------------------------------


def _purse(state: Position, seat: Seat) -> int:
    """The index of the coins that a seat spends: one purse for a team (BB-COOP-27)."""
    return 0 if state.mode.coop else seat


def _within_means(state: Position, seat: Seat) -> tuple[int, ...]:
    """What a seat could pay; with a weapon it wants no other."""
    coins = state.coins[_purse(state, seat)]
    return _FOR_COINS[state.fields[seat].weapon >= 0][min(coins, _DEAREST)]


def can_buy_something(state: Position, seat: Seat) -> bool:
    return any(state.offer[item] for item in _within_means(state, seat))


def list_buy(state: Position, seat: Seat, *turn: object) -> list[Action]:
    offer = state.offer
    return [*[BUY[item] for item in _within_means(state, seat) if offer[item]], PASS]


def can_buy(state: Position, seat: Seat, item: int) -> Refusal | None:
    """BB-ADV-02, -07 to -09, BB-COOP-28."""
    if item == TREASURE:
        return no("not-for-sale", "BB-ADV-02")
    if item >= len(TRAPS) and state.fields[seat].weapon >= 0:
        return no("has-weapon", "BB-COOP-28" if state.mode.coop else "BB-ADV-09")
    if not state.offer[item]:
        return no("sold-out", "BB-ADV-07")
    price = PRINTED.prices[item]
    if price > state.coins[_purse(state, seat)]:
        return no("too-dear", "BB-ADV-08", n=price)
    return None


def do_buy(state: Position, seat: Seat, item: int) -> list[Event]:
    price = PRINTED.prices[item]
    state.coins[_purse(state, seat)] -= price
    state.offer = (*state.offer[:item], state.offer[item] - 1, *state.offer[item + 1 :])
    if item >= len(TRAPS):
        state.own(seat).weapon = item - len(TRAPS)
    elif state.mode.coop:
        state.common[item] += 1
    else:
        state.own(seat).supply[item] += 1
    if state.mode.coop:
        state.busy = tuple(range(state.mode.players))
    _next_turn(state, passes=False)
    return [Event("bought", {"seat": seat, "item": ITEMS[item], "n": price})]


def can_pass(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_pass(state: Position, seat: Seat) -> list[Event]:
    """BB-ADV-08, BB-COOP-27."""
    state.busy = tuple([other for other in state.busy if other != seat])
    _next_turn(state, passes=True)
    return [Event("passed", {"seat": seat})]
