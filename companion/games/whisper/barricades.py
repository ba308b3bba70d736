"""The killer raises barricades (ledger WW-BARR)."""

from __future__ import annotations

from companion.engine.action import Action, Seat
from companion.engine.grid import cells_of
from companion.engine.state import Event, Refusal, no
from companion.games.whisper.data import Effect
from companion.games.whisper.pieces import FIRST_PASSAGE, PASSAGES, TOUCHING
from companion.games.whisper.position import Position
from companion.games.whisper.verbs import each


def op_barricade(state: Position, events: list[Event], effect: Effect, about: int, source: int) -> None:
    """Places barricades here, on all passages here, or anywhere (WW-BARR-02 to 08)."""
    here = TOUCHING[state.killer.at]
    where, n = effect[1], effect[2]
    if where == "here_all":
        missing = cells_of(here & ~state.house.barricades)
        state.push(*(("raise", passage, here) for passage in missing))
    elif where == "any" or here:
        state.push(("block", here if where == "here" else (1 << len(PASSAGES)) - 1, n, 0))


def can_block(state: Position, seat: Seat, passage: int) -> Refusal | None:
    if state.todo[-1][1] >> passage & 1:
        return None
    return no("not-here", "WW-BARR-07", state.killer.at, FIRST_PASSAGE + passage)


def do_block(state: Position, seat: Seat, passage: int) -> list[Event]:
    _, allowed, n, kept = state.take()
    kept |= 1 << passage
    if n > 1:
        state.push(("block", allowed, n - 1, kept))
    state.push(("raise", passage, kept))
    return []


def list_block(state: Position, seat: Seat, allowed: int, n: int, kept: int) -> list[Action]:
    return list(each("block", allowed))


def raise_one(state: Position, events: list[Event], passage: int, kept: int) -> None:
    """Puts one barricade; with no token left one from elsewhere is used (WW-BARR-04, 05)."""
    blanks = {"passage": PASSAGES[passage], "cell": FIRST_PASSAGE + passage}
    if state.house.barricades >> passage & 1:
        events.append(Event("barricade-stands", blanks))
    elif state.house.supply():
        state.house.barricades |= 1 << passage
        events.append(Event("barricaded", blanks))
    elif state.house.barricades & ~kept:
        state.push(("reuse", passage, kept))


def can_reuse(state: Position, seat: Seat, passage: int) -> Refusal | None:
    if (state.house.barricades & ~state.todo[-1][2]) >> passage & 1:
        return None
    return no("not-to-reuse", "WW-BARR-05", FIRST_PASSAGE + passage)


def do_reuse(state: Position, seat: Seat, passage: int) -> list[Event]:
    _, new, kept = state.take()
    state.house.barricades &= ~(1 << passage)
    state.push(("raise", new, kept))
    blanks = {"passage": PASSAGES[passage], "cell": FIRST_PASSAGE + passage}
    return [Event("barricade-taken", blanks)]


def list_reuse(state: Position, seat: Seat, new: int, kept: int) -> list[Action]:
    return list(each("reuse", state.house.barricades & ~kept))
