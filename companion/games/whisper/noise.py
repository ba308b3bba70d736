"""Noise: made in secret, told in the report (ledger WW-NOISE, WW-FIRE)."""

from __future__ import annotations

from companion.engine.action import Cell, Seat
from companion.engine.grid import cells_of
from companion.engine.state import Event, Refusal
from companion.games.whisper.position import Position


def make_noise(state: Position, at: Cell, i: int, causes: tuple[str, ...], events: list[Event]) -> None:
    """Puts a noise token, secret until the report, unless the cause is silent (WW-NOISE-02, 07, 13)."""
    if causes and is_silent(state, i, causes):
        return
    state.house.pending |= 1 << at
    events.append(Event("made-noise", {"cell": at}, state.team_only()))


def is_silent(state: Position, i: int, causes: tuple[str, ...]) -> bool:
    """Says whether a survivor makes no noise by one of these causes (WW-NOISE-13)."""
    for mod in state.team[i].mods.get("silent", ()):
        if not set(mod["on"]).isdisjoint(causes):
            condition = mod.get("if")
            if condition is None or state.is_near(i, 1 if condition == "killer_within_1" else 0):
                return True
    return False


def to_report(state: Position, events: list[Event]) -> None:
    """Step E; in variant 2 the holder of the token reports (WW-VAR2-06)."""
    state.push(("reporting", max(state.first, 0)))


def can_report(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_report(state: Position, seat: Seat) -> list[Event]:
    """Tells the killer the complete set of noisy locations, or the firecracker (WW-NOISE-08, WW-FIRE)."""
    state.take()
    house = state.house
    pending, house.pending = house.pending, 0
    if house.cracker_set:
        house.cracker = state.killer.known
        return [Event("firecracker", {"cell": house.cracker})]
    house.noise |= pending
    if state.clues is not None:
        state.clues = state.clues.reported(pending, house.barred)
    cells = list(cells_of(house.noise))
    return [Event("noise-reported" if cells else "silence-reported", {"cells": cells})]
