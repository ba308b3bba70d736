"""Items change hands: gifts and exchanges of survivors at one place, and what the dead carried."""

from __future__ import annotations

from companion.engine.action import Action, Seat
from companion.engine.state import Event, Refusal, no
from companion.games.whisper.parts import DEAD, IN
from companion.games.whisper.pieces import IN_PLAY, ITEMS, KEY
from companion.games.whisper.position import NO_ITEM, Position
from companion.games.whisper.verbs import action


def can_give(state: Position, seat: Seat, giver: int, item: int, taker: int) -> Refusal | None:
    i, j = state.slot(giver), state.slot(taker)
    problem = _no_trade(state, seat, i, item, j)
    if problem is None and not _has_room(state, j, item):
        return no("full", "WW-TRADE-04")
    return problem


def do_give(state: Position, seat: Seat, giver: int, item: int, taker: int) -> list[Event]:
    i, j = state.slot(giver), state.slot(taker)
    if state.setup.solo:
        state.push(("agree", j, i, item, NO_ITEM))
        return [_traded(state, "offered", i, item, j)]
    return _pass(state, i, item, j)


def can_swap(state: Position, seat: Seat, giver: int, item: int, taker: int, back: int) -> Refusal | None:
    i, j = state.slot(giver), state.slot(taker)
    problem = _no_trade(state, seat, i, item, j)
    if problem is not None:
        return problem
    if state.setup.solo and state.setup.private:
        return no("unseen-items", "WW-VAR2-15")
    if back == item or not (KEY in (item, back) or _are_full(state, i, j)):
        return no("give-instead", "WW-TRADE-04")
    if back == KEY and not _trades_keys(state):
        return no("keys-stay", "WW-TRADE-05")
    if not _holds(state, j, back):
        return no("no-item", "WW-TRADE-01", item=ITEMS[back])
    if KEY in (item, back) and not (_has_room(state, i, back) and _has_room(state, j, item)):
        return no("full", "WW-TRADE-04")
    return None


def do_swap(state: Position, seat: Seat, giver: int, item: int, taker: int, back: int) -> list[Event]:
    i, j = state.slot(giver), state.slot(taker)
    if state.setup.solo:
        state.push(("agree", j, i, item, back))
        return [_traded(state, "offered", i, item, j)]
    return _swap(state, i, item, j, back)


def can_agree(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_agree(state: Position, seat: Seat) -> list[Event]:
    _, j, i, item, back = state.take()
    return _pass(state, i, item, j) if back == NO_ITEM else _swap(state, i, item, j, back)


def can_refuse(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_refuse(state: Position, seat: Seat) -> list[Event]:
    _, j, i, item, _ = state.take()
    return [_traded(state, "turned-down", i, item, j)]


def _is_exchange_time(state: Position) -> bool:
    """WW-BOOK-03: the exchange comes before anybody acts, unless agreed otherwise."""
    return state.setup.exchange_anytime or not (state.acted or state.active >= 0)


def _trades_keys(state: Position) -> bool:
    """WW-BOOK-05: an own key is an item card too; in the base game keys lie on the roof."""
    return state.setup.solo and state.setup.trade_keys


def _holds(state: Position, i: int, item: int) -> bool:
    return bool(state.team[i].keys) if item == KEY else item in state.team[i].bag


def _has_room(state: Position, i: int, item: int) -> bool:
    """Keys take no slot."""
    return item == KEY or len(state.team[i].bag) < state.slots(i)


def _no_trade(state: Position, seat: Seat, i: int, item: int, j: int) -> Refusal | None:
    if i < 0 or j < 0 or i == j or state.team[i].fate != IN or state.team[j].fate != IN:
        return no("not-in-play", "WW-SETUP-02")
    if state.setup.solo and seat != 1 + i:
        return no("not-your-survivor", "WW-VAR2-01")
    if not _is_exchange_time(state):
        return no("exchange-over", "WW-BOOK-03")
    if item == KEY and not _trades_keys(state):
        return no("keys-stay", "WW-TRADE-05")
    if not _holds(state, i, item):
        return no("no-item", "WW-TRADE-01", item=ITEMS[item])
    if state.team[i].place != state.team[j].place:
        return no("apart", "WW-TRADE-01", state.team[i].place, state.team[j].place)
    return None


def _pass(state: Position, i: int, item: int, j: int) -> list[Event]:
    if item == KEY:
        state.change(i, keys=state.team[i].keys - 1)
        state.change(j, keys=state.team[j].keys + 1)
    else:
        state.give_up(i, item)
        state.hold(j, item)
    return [_traded(state, "gave", i, item, j)]


def _traded(state: Position, kind: str, i: int, item: int, j: int) -> Event:
    blanks = {"survivor": state.name(i), "item": ITEMS[item], "other": state.name(j)}
    audience = frozenset((1 + i, 1 + j)) if state.setup.solo and state.setup.private else state.team_only()
    return Event(kind, blanks, audience)


def _are_full(state: Position, i: int, j: int) -> bool:
    return len(state.team[i].bag) >= state.slots(i) and len(state.team[j].bag) >= state.slots(j)


def _swap(state: Position, i: int, item: int, j: int, back: int) -> list[Event]:
    return _pass(state, i, item, j) + _pass(state, j, back, i)


def can_loot(state: Position, seat: Seat, dead: int, item: int) -> Refusal | None:
    i, j = state.active, state.slot(dead)
    if j < 0 or state.team[j].fate != DEAD:
        return no("not-dead", "WW-VAR2-14")
    if state.team[i].place != state.team[j].place:
        return no("apart", "WW-VAR2-14", state.team[i].place, state.team[j].place)
    if not _holds(state, j, item):
        return no("no-item", "WW-VAR2-14", item=ITEMS[item])
    return None


def do_loot(state: Position, seat: Seat, dead: int, item: int) -> list[Event]:
    """WW-VAR2-14, WW-BOOK-04: above the limit the survivor chooses what to keep."""
    i, j = state.active, state.slot(dead)
    _pass(state, j, item, i)
    if len(state.team[i].bag) > state.slots(i):
        state.push(("shed", i))
    blanks = {"survivor": state.name(i), "item": ITEMS[item], "other": state.name(j)}
    return [Event("looted", blanks, state.team_only())]


def loots(state: Position, i: int) -> list[Action]:
    """What a survivor may take from the dead at the same place."""
    return [
        action("loot", state.cast[j], item)
        for j in range(IN_PLAY)
        if state.team[j].fate == DEAD and state.team[j].place == state.team[i].place
        for item in {*state.team[j].bag, *([KEY] if state.team[j].keys else [])}
    ]


def trades(state: Position, seat: Seat) -> list[Action]:
    """All exchanges that may be made now (WW-TRADE-01 to 04)."""
    found: list[Action] = []
    team = state.team
    if not _is_exchange_time(state) or len({survivor.place for survivor in team}) == IN_PLAY:
        return found
    for i in (seat - 1,) if state.setup.solo else range(IN_PLAY):
        giver = team[i]
        own = _goods(state, i)
        if giver.fate == IN and own:
            for j in range(IN_PLAY):
                if giver.place == team[j].place and i != j and team[j].fate == IN:
                    found += _trades_between(state, seat, i, own, j)
    return found


def _goods(state: Position, i: int) -> set[int]:
    """The kinds of cards that a survivor could exchange."""
    return {*state.team[i].bag, *([KEY] if state.team[i].keys and _trades_keys(state) else [])}


def _trades_between(state: Position, seat: Seat, i: int, own: set[int], j: int) -> list[Action]:
    giver, taker = state.cast[i], state.cast[j]
    found = [action("give", giver, item, taker) for item in own if _has_room(state, j, item)]
    if state.setup.solo and state.setup.private:
        return found
    keys = KEY in own or (_trades_keys(state) and bool(state.team[j].keys))
    if not keys and not _are_full(state, i, j):
        return found
    return found + [
        action("swap", giver, item, taker, back)
        for item in own
        for back in _goods(state, j)
        if can_swap(state, seat, giver, item, taker, back) is None
    ]
