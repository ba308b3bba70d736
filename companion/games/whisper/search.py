"""Cards of the search deck, and how a survivor takes or leaves a card (ledger WW-FIND)."""

from __future__ import annotations

from companion.engine.action import Action, Seat
from companion.engine.state import Event, Refusal, no
from companion.games.whisper.noise import make_noise
from companion.games.whisper.parts import without
from companion.games.whisper.pieces import ITEMS, KEY
from companion.games.whisper.position import Position
from companion.games.whisper.verbs import ACTION, LEAVE


def find(state: Position, events: list[Event], i: int) -> None:
    """Turns up a search card if there is one; the deck is never refilled (WW-FIND-03)."""
    if state.stock.search_left():
        state.push(("finding", i))


def can_find(state: Position, seat: Seat, item: int) -> Refusal | None:
    if state.stock.search_size:
        return None if state.stock.search[item] else no("not-drawn", "WW-FIND-04", item=ITEMS[item])
    return None if item == KEY else no("not-drawn", "WW-FIND-10", item=ITEMS[item])


def do_find(state: Position, seat: Seat, item: int) -> list[Event]:
    i = state.take()[1]
    if state.stock.search_size:
        state.stock.take_search(item)
    else:
        state.stock.bottom = False
    state.stock.drawn = (item,)
    events = [Event("found", {"survivor": state.name(i), "item": ITEMS[item]}, state.team_only(i))]
    if state.box.items[item].noisy:
        make_noise(state, state.team[i].place, i, ("search",), events)
    state.push(("found", i))
    return events


def can_keep(state: Position, seat: Seat, item: int) -> Refusal | None:
    return None if item in state.stock.drawn else no("not-drawn", "WW-EQUIP-05", item=ITEMS[item])


def do_keep(state: Position, seat: Seat, item: int) -> list[Event]:
    i = state.take()[1]
    state.stock.drawn = without(state.stock.drawn, item)
    events: list[Event] = []
    _put_down_rest(state, i, events)
    take_item(state, i, item, events)
    return events


def can_leave(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_leave(state: Position, seat: Seat) -> list[Event]:
    i = state.take()[1]
    events: list[Event] = []
    _put_down_rest(state, i, events)
    return events


def can_shed(state: Position, seat: Seat, item: int) -> Refusal | None:
    held = item in state.team[state.todo[-1][1]].bag
    return None if held else no("no-item", "WW-FIND-07", item=ITEMS[item])


def do_shed(state: Position, seat: Seat, item: int) -> list[Event]:
    i = state.todo[-1][1]
    state.throw_away(i, item)
    if len(state.team[i].bag) <= state.slots(i):
        state.take()
    blanks = {"survivor": state.name(i), "item": ITEMS[item]}
    return [Event("left", blanks, state.team_only(i if state.setup.private else -1))]


def _put_down_rest(state: Position, i: int, events: list[Event]) -> None:
    """Puts what was turned up and is not kept on the discard pile."""
    stock = state.stock
    for item in stock.drawn:
        events.append(Event("left", {"survivor": state.name(i), "item": ITEMS[item]}, state.team_only(i)))
    stock.pile += stock.drawn
    stock.drawn = ()


def take_item(state: Position, i: int, item: int, events: list[Event]) -> None:
    """Gives a card to a survivor; a key goes to the roof and takes no slot (WW-FIND-05 to 07)."""
    if item == KEY:
        gain_key(state, i, events)
        return
    state.hold(i, item)
    audience = state.team_only(i) if state.setup.private else state.team_only()
    events.append(Event("kept", {"survivor": state.name(i), "item": ITEMS[item]}, audience))
    if len(state.team[i].bag) > state.slots(i):
        state.push(("shed", i))


def gain_key(state: Position, i: int, events: list[Event]) -> None:
    """Puts a key on the roof; in variant 2 its finder keeps it."""
    if state.setup.solo:
        state.change(i, keys=state.team[i].keys + 1)
        blanks = {"survivor": state.name(i), "n": state.team[i].keys}
        events.append(Event("key-hidden", blanks, state.team_only()))
        return
    state.keys += 1
    events.append(Event("key-placed", {"n": state.keys}))


def list_found(state: Position, seat: Seat, i: int) -> list[Action]:
    return [ACTION["keep", state.stock.drawn[0]], LEAVE]


def list_shed(state: Position, seat: Seat, i: int) -> list[Action]:
    return [ACTION["shed", item] for item in set(state.team[i].bag)]


def finds(state: Position, i: int) -> list[tuple[Action, int]]:
    """The search cards that can be turned up; the key at the bottom comes last (WW-FIND-10)."""
    if not state.stock.search_size:
        return [(ACTION["find", KEY], 1)]
    return [(ACTION["find", item], n) for item, n in enumerate(state.stock.search) if n]
