"""The killer asks, the team answers truthfully; he searches his own location (ledger WW-SENSE)."""

from __future__ import annotations

from companion.engine.action import Action, Cell, Seat
from companion.engine.agenda import Step
from companion.engine.grid import cells_of
from companion.engine.state import Event, Refusal, no
from companion.games.whisper.data import Effect
from companion.games.whisper.harm import chosen, told_place
from companion.games.whisper.parts import NOBODY
from companion.games.whisper.pieces import ADJACENT_PAIRS, PAIRS, WITHIN, ZONE, ZONES
from companion.games.whisper.position import Position
from companion.games.whisper.skills import own_triggers
from companion.games.whisper.verbs import each


def op_sense(state: Position, events: list[Event], effect: Effect, about: int, source: int) -> None:
    scope = effect[1]
    if scope == "zone":
        state.push(("ask",))
    elif scope == "adjacent_pair":
        state.push(("ask-pair",))
    elif scope == "range":
        _sense(state, WITHIN[effect[2]][state.killer.at])
    elif state.house.noisy():
        state.push(("ask-noise",))


def can_ask(state: Position, seat: Seat, zone: int) -> Refusal | None:
    return None


def do_ask(state: Position, seat: Seat, zone: int) -> list[Event]:
    state.take()
    _sense(state, ZONE[zone])
    return [Event("asked-zone", {"zone": ZONES[zone], "cells": list(cells_of(ZONE[zone]))})]


def can_ask_pair(state: Position, seat: Seat, pair: int) -> Refusal | None:
    if ADJACENT_PAIRS >> pair & 1:
        return None
    return no("not-adjacent", "WW-MAP-03", *PAIRS[pair])


def do_ask_pair(state: Position, seat: Seat, pair: int) -> list[Event]:
    state.take()
    a, b = PAIRS[pair]
    _sense(state, 1 << a | 1 << b)
    return [Event("asked-places", {"cells": [a, b]})]


def can_ask_noise(state: Position, seat: Seat, at: Cell) -> Refusal | None:
    return None if state.house.noisy() >> at & 1 else no("no-noise", "WW-NOISE-11", at)


def do_ask_noise(state: Position, seat: Seat, at: Cell) -> list[Event]:
    state.take()
    _sense(state, 1 << at)
    return [Event("asked-places", {"cells": [at]})]


def list_ask_noise(state: Position, seat: Seat) -> list[Action]:
    return list(each("ask-noise", state.house.noisy()))


def _sense(state: Position, area: int) -> None:
    ask_team(state, ("answer", area), area, sensed(state, area))


def sensed(state: Position, area: int) -> int:
    """Whom a SENSE names: everybody there but those it never names (WW-SENSE-02 to 06)."""
    return state.those(area) & ~_immune(state)


def _immune(state: Position) -> int:
    return sum(1 << i for i in range(len(state.cast)) if state.has_mod(i, "sense_immune"))


def answer(state: Position, events: list[Event], area: int) -> None:
    """The team answers truthfully with names, not places (WW-SENSE-02, 07)."""
    named = sensed(state, area)
    state.killer.asked, state.killer.named = area, named
    events.append(Event("sensed", {"cells": list(cells_of(area)), "survivors": state.names(named)}))
    if state.clues is not None:
        state.clues = state.clues.answered(area, named, _immune(state))
    if named:
        called = own_triggers(state, "sense_hit")
        state.push(*(("run", effects, NOBODY, skill) for skill, effects in called))


def op_expose(state: Position, events: list[Event], effect: Effect, about: int, source: int) -> None:
    who = chosen(state, effect, about)
    ask_team(state, ("exposed", who), -1, who)


def exposed(state: Position, events: list[Event], who: int) -> None:
    """Survivors tell their exact location; no SENSE, so nobody is left out (WW-CARD-13)."""
    if not who:
        events.append(Event("nobody-exposed", {}))
    for i in cells_of(who):
        events.append(Event("exposed", {"survivor": state.name(i), "cell": state.team[i].place}))
        told_place(state, i)


def can_search(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_search(state: Position, seat: Seat) -> list[Event]:
    left = state.take()[1] - 1
    if left:
        state.push(("main", left))
    state.push(("seek", False))
    return []


def op_search(state: Position, events: list[Event], effect: Effect, about: int, source: int) -> None:
    state.push(("seek", False))


def seek(state: Position, events: list[Event], from_reveal: bool) -> None:
    """SEARCH of the killer's own location (WW-CLASH-01)."""
    here = 1 << state.killer.at
    ask_team(state, ("names", from_reveal), here, state.those(here))


def ask_team(state: Position, then: Step, area: int, names: int) -> None:
    """Lets the team confirm what the companion is about to tell (WW-COMM-11)."""
    state.push(then)
    if state.setup.confirm:
        state.push(("confirm", max(state.first, 0), area, names))


def can_confirm(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_confirm(state: Position, seat: Seat) -> list[Event]:
    state.take()
    return []
