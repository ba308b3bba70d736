"""Gold: veins and their nuggets, and nuggets that are lost."""

from __future__ import annotations

from companion.engine.action import Action, Cell, Seat
from companion.engine.state import Event, Refusal
from companion.games.dark_cave.cave import cell_at
from companion.games.dark_cave.position import Position
from companion.games.dark_cave.spread import spot
from companion.games.dark_cave.verbs import GATHER, LEAVE_IT


def add_vein(state: Position, cell: Cell, events: list[Event]) -> None:
    """Puts the nugget on a vein that has just been laid (DC-GOLD-01)."""
    gold = state.cave.card(cell).gold
    if gold and state.supply:
        gold = min(gold, state.supply)
        state.veins = {**state.veins, cell: gold}
        state.supply -= gold
        events.append(Event("vein-found", {"gold": gold, **spot(cell)}))


def bury_vein(state: Position, cell: Cell, events: list[Event]) -> None:
    """Returns the nugget of a vein that falls (DC-ROCK-06)."""
    gold = state.veins.get(cell, 0)
    state.veins = {other: left for other, left in state.veins.items() if other != cell}
    if gold:
        state.supply += gold
        events.append(Event("vein-buried", {"gold": gold, **spot(cell)}))


def end_walk(state: Position, seat: Seat) -> None:
    """Who moved and stands on a vein may take its nugget (DC-GOLD-02 to DC-GOLD-07, DC-BOOK-03)."""
    if state.veins and state.moved and state.veins.get(cell_at(state.at[seat])):
        state.push(("vein", seat))


def can_gather(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_gather(state: Position, seat: Seat) -> list[Event]:
    """A player takes the nugget of a vein and shows the clan card (DC-GOLD-05)."""
    state.take()
    cell = cell_at(state.at[seat])
    state.veins = {**state.veins, cell: state.veins[cell] - 1}
    state.gold[seat] += 1
    if seat not in state.opened:
        state.push(("open", seat))
    return [Event("gold-taken", {"seat": seat, **spot(cell)})]


def can_leave_it(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_leave_it(state: Position, seat: Seat) -> list[Event]:
    """A player leaves the nugget, and the clan card face down (DC-BOOK-03)."""
    state.take()
    return [Event("gold-left", {"seat": seat, **spot(cell_at(state.at[seat]))})]


def list_vein(state: Position, seat: Seat, player: Seat) -> list[Action]:
    return [GATHER, LEAVE_IT]


def lose_nugget(state: Position, seat: Seat, to: str, events: list[Event]) -> None:
    """A nugget goes back to the supply, if there is one (DC-ARCH-03, DC-GOB-03)."""
    if state.gold[seat]:
        state.gold[seat] -= 1
        state.supply += 1
        events.append(Event("nugget-lost", {"seat": seat, "to": to}))
