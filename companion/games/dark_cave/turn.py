"""The turn: what happens at its beginning, and who comes next."""

from __future__ import annotations

from functools import cache

from companion.engine.action import Seat
from companion.engine.state import Event
from companion.games.dark_cave import pieces
from companion.games.dark_cave.attacks import remove_creature
from companion.games.dark_cave.position import Position
from companion.games.dark_cave.webs import weaken_web


def begin_turn(state: Position, seat: Seat, events: list[Event]) -> None:
    """The upkeep of a turn; without hand cards the turn is skipped (DC-TURN-06 to DC-TURN-08)."""
    state.turn = seat
    state.steps_left, state.moved = 0, False
    state.fresh_axe, state.proposed = -1, False
    state.barred = seat in state.lying
    events.append(_began(seat))
    if state.barred:
        state.lying -= {seat}
        events.append(Event("stood-up", {"seat": seat}))
    if state.front[seat]:
        _tidy_front(state, seat, events)
    if state.hands[seat]:
        state.todo += _TURN[seat]
    else:
        state.push(("end-turn",))
        events.append(Event("skipped", {"seat": seat}))


def _tidy_front(state: Position, seat: Seat, events: list[Event]) -> None:
    """The own creatures leave and the own webs change (DC-CRE-11, DC-WEB-06)."""
    for creature, holder in enumerate(state.holders):
        if holder == seat:
            remove_creature(state, creature, events)
    for kind in state.front[seat]:
        if kind in state.cards.web_symbol:
            weaken_web(state, state.cards.web_symbol[kind], events)


def end_turn(state: Position, events: list[Event]) -> None:
    """The next player follows, unless no hand card is left (DC-END-01, DC-END-04, DC-END-05)."""
    if any(state.hands):
        begin_turn(state, (state.turn + 1) % state.settings.players, events)
    else:
        state.finish("DC-END-01" if state.deck_level() < 0 else "DC-END-05", events)


@cache
def _began(seat: Seat) -> Event:
    return Event("turn", {"seat": seat})


_TURN = tuple((("end-turn",), ("play", seat)) for seat in range(pieces.MAX_PLAYERS))
"""What a turn consists of, the last first; phases 2 and 3 follow from what is played (DC-TURN-01)."""
