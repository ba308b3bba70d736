"""The equipment step: a survivor draws two cards and keeps one (ledger WW-EQUIP)."""

from __future__ import annotations

from companion.engine.action import Action, Seat
from companion.engine.grid import cells_of
from companion.engine.state import Event, Refusal, no
from companion.games.whisper.noise import is_silent, make_noise
from companion.games.whisper.parts import IN
from companion.games.whisper.pieces import BOTH, HUSH, ITEMS, SKILLS
from companion.games.whisper.position import Position
from companion.games.whisper.search import take_item
from companion.games.whisper.verbs import ACTION, KEEP_BOTH, LEAVE
from companion.games.whisper.victory import deck_out, pass_token


def equipping(state: Position, events: list[Event]) -> None:
    """Begins the equipment step (WW-EQUIP-02, 03)."""
    if not state.stock.equipment_size:
        if state.house.rescue < 0:
            deck_out(state, events)
        return
    if state.setup.solo:
        _equip(state, state.first, events)
    else:
        state.push(("receive",))


def can_equip(state: Position, seat: Seat, who: int) -> Refusal | None:
    i = state.slot(who)
    if i < 0 or state.team[i].fate != IN:
        return no("not-in-play", "WW-SETUP-02")
    return None


def do_equip(state: Position, seat: Seat, who: int) -> list[Event]:
    i = state.slot(who)
    events: list[Event] = []
    if state.take()[0] == "share":
        state.push(("find", i))
    else:
        _equip(state, i, events)
    return events


def _equip(state: Position, i: int, events: list[Event]) -> None:
    events.append(Event("equipping", {"survivor": state.name(i)}, state.team_only()))
    state.stock.drawn = ()
    state.push(*(("unpacking", i) for _ in range(min(2, state.stock.equipment_size))), ("unpacked", i))


def can_unpack(state: Position, seat: Seat, item: int) -> Refusal | None:
    return None if state.stock.equipment[item] else no("not-drawn", "WW-EQUIP-05", item=ITEMS[item])


def do_unpack(state: Position, seat: Seat, item: int) -> list[Event]:
    i = state.take()[1]
    state.stock.take_equipment(item)
    state.stock.drawn += (item,)
    blanks = {"survivor": state.name(i), "item": ITEMS[item]}
    return [Event("unpacked", blanks, state.team_only(i))]


def unpacked(state: Position, events: list[Event], i: int) -> None:
    """Looks at the drawn cards: noise first, then the choice (WW-EQUIP-05, 07)."""
    noisy = any(state.box.items[item].noisy for item in state.stock.drawn)
    if state.setup.solo:
        state.push(("pass-token",))
    state.push(("drawn", i))
    if noisy and not is_silent(state, i, ("equip",)):
        if state.has_skill(i, HUSH):
            state.push(("hush", i))
        else:
            make_noise(state, state.team[i].place, i, (), events)


def can_keep_both(state: Position, seat: Seat) -> Refusal | None:
    if not state.has_skill(state.todo[-1][1], BOTH):
        return no("not-yours", "WW-VAR1-11", thing=SKILLS[BOTH])
    return None if len(state.stock.drawn) == 2 else no("one-card", "WW-EQUIP-06")


def do_keep_both(state: Position, seat: Seat) -> list[Event]:
    i = state.take()[1]
    state.skills_used |= 1 << BOTH
    events: list[Event] = []
    both, state.stock.drawn = state.stock.drawn, ()
    for item in both:
        take_item(state, i, item, events)
    for _ in range(state.todo.count(("shed", i)) - 1):
        state.todo.remove(("shed", i))
    return events


def hand_on_token(state: Position, events: list[Event]) -> None:
    """Variant 2: after the equipment the token moves on (WW-VAR2-05)."""
    pass_token(state, events)


def list_drawn(state: Position, seat: Seat, i: int) -> list[Action]:
    found = [ACTION["keep", item] for item in set(state.stock.drawn)]
    found.append(LEAVE)
    if len(state.stock.drawn) == 2 and state.has_skill(i, BOTH):
        found.append(KEEP_BOTH)
    return found


def list_receive(state: Position, seat: Seat, *facts: int) -> list[Action]:
    return [ACTION["equip", state.cast[i]] for i in cells_of(state.living())]


def unpacks(state: Position, i: int) -> list[tuple[Action, int]]:
    """The equipment cards that can be drawn."""
    return [(ACTION["unpack", item], n) for item, n in enumerate(state.stock.equipment) if n]
