"""The main actions of a survivor: move, calm down, clear a barricade, repair the radio, search."""

from __future__ import annotations

from companion.engine.action import Cell, Seat
from companion.engine.state import Event, Refusal, no
from companion.games.whisper.noise import make_noise
from companion.games.whisper.pieces import (
    FIRST_PASSAGE,
    GEARS,
    PASSAGES,
    RADIO,
    RESCUE,
    SEARCHABLE,
    TOUCHING,
    reach,
)
from companion.games.whisper.position import Position
from companion.games.whisper.skills import call_skills


def no_main(state: Position) -> Refusal | None:
    """Why the main action cannot be taken: it is one a turn (WW-TURN-04)."""
    return no("main-action-done", "WW-TURN-04") if state.main_done else None


# Moving ----------------------------------------------------------------------------------------


def can_move(state: Position, seat: Seat, to: Cell) -> Refusal | None:
    return no_main(state) or no_walk(state, state.active, to, 1, main_steps(state, state.active))


def do_move(state: Position, seat: Seat, to: Cell) -> list[Event]:
    i = state.active
    state.main_done = True
    events: list[Event] = []
    step(state, i, to, events)
    call_skills(state, i, "main_move")
    return events


def main_steps(state: Position, i: int) -> int:
    """How far main action 1 goes (WW-MOVE-02)."""
    return 2 + state.mod(i, "main_move_max")


def no_walk(state: Position, i: int, to: Cell, low: int, high: int) -> Refusal | None:
    """Why a survivor cannot walk to a place, if so (WW-MOVE-02, 03, 05)."""
    here = state.team[i].place
    found = reach(state.house.barricades, here, low, high)
    if found >> to & 1:
        return None
    if not found:
        return no("walled-in", "WW-MOVE-05", here)
    if reach(0, here, low, high) >> to & 1:
        return no("barricade", "WW-MOVE-03", here, to)
    return no("too-far", "WW-MOVE-02", here, to)


def step(state: Position, i: int, to: Cell, events: list[Event]) -> None:
    """Moves a survivor in secret."""
    blanks = {"survivor": state.name(i), "from_cell": state.team[i].place, "cell": to}
    events.append(Event("moved", blanks, state.team_only()))
    state.stand(i, to)


# Calming down ----------------------------------------------------------------------------------


def can_calm(state: Position, seat: Seat) -> Refusal | None:
    return no_main(state)


def do_calm(state: Position, seat: Seat) -> list[Event]:
    state.main_done = True
    events: list[Event] = []
    lose_fear(state, state.active, 0, events)
    return events


def lose_fear(state: Position, i: int, n: int, events: list[Event]) -> None:
    """Takes fear tokens away, all of them for n = 0; the roof shows it (WW-FEAR-03, 04)."""
    fear = state.team[i].fear
    if fear:
        left = max(0, fear - n) if n else 0
        state.change(i, fear=left)
        events.append(Event("calmed", {"survivor": state.name(i), "n": left}))


# Barricades ------------------------------------------------------------------------------------


def can_clear(state: Position, seat: Seat, passage: int) -> Refusal | None:
    if state.main_done:
        return no_main(state)
    here = state.team[state.active].place
    if not TOUCHING[here] >> passage & 1:
        return no("not-here", "WW-BARR-09", here, FIRST_PASSAGE + passage)
    if not state.house.barricades >> passage & 1:
        return no("no-barricade", "WW-BARR-09", FIRST_PASSAGE + passage)
    return None


def do_clear(state: Position, seat: Seat, passage: int) -> list[Event]:
    state.main_done = True
    events: list[Event] = []
    unbar(state, passage, events)
    return events


def unbar(state: Position, passage: int, events: list[Event]) -> None:
    """Removes a barricade from both boards; everybody is told at once (WW-BARR-10, WW-COMM-07)."""
    state.house.barricades &= ~(1 << passage)
    events.append(Event("barricade-removed", {"passage": PASSAGES[passage], "cell": FIRST_PASSAGE + passage}))
    if not state.killer_turn and state.clues is not None:
        state.house.barred &= state.house.barricades
        state.clues = state.clues.way_opened(state.house.barred)


# The radio -------------------------------------------------------------------------------------


def can_repair(state: Position, seat: Seat) -> Refusal | None:
    return no_main(state) or no_repair(state, False)


def no_repair(state: Position, anywhere: bool) -> Refusal | None:
    """Why the radio cannot be repaired now, if so (WW-RADIO-01 to 03, 12)."""
    here = state.team[state.active].place
    if not anywhere and here != RADIO:
        return no("no-radio", "WW-RADIO-01", here, RADIO)
    if state.house.gears >= GEARS:
        return no("radio-works", "WW-RADIO-12", RADIO)
    if here == state.open_at():
        return no("killer-here", "WW-RADIO-02", here)
    if state.house.repaired:
        return no("repaired", "WW-RADIO-03", RADIO)
    return None


def do_repair(state: Position, seat: Seat) -> list[Event]:
    state.main_done = True
    events: list[Event] = []
    place_gears(state, 1, state.active, ("repair",), events)
    return events


def place_gears(state: Position, n: int, i: int, causes: tuple[str, ...] | None, events: list[Event]) -> None:
    """Puts gears on their cells, noise after it, rewards in variant 2 (WW-RADIO-04 to 09).

    A radio of one's own, built anywhere, makes no noise at the radio's place: `causes` is None.
    """
    placed = min(GEARS - state.house.gears, n + state.mod(i, "repair_bonus"))
    state.house.gears += placed
    state.house.repaired = True
    blanks = {"survivor": state.name(i), "placed": placed, "n": state.house.gears}
    events.append(Event("repaired", blanks, state.team_only()))
    if causes is not None:
        make_noise(state, RADIO, i, causes, events)
    if state.house.gears == GEARS and state.house.rescue < 0:
        state.house.rescue = RESCUE
        events.append(Event("rescue-called", {"n": RESCUE}))
    if state.setup.solo:
        state.push(*[("find", i)] * placed)


# Searching a room ------------------------------------------------------------------------------


def can_rummage(state: Position, seat: Seat) -> Refusal | None:
    here = state.team[state.active].place
    if state.main_done:
        return no_main(state)
    if not SEARCHABLE >> here & 1:
        return no("nothing-to-search", "WW-FIND-01", here)
    if here == state.open_at():
        return no("killer-here", "WW-FIND-02", here)
    if not state.stock.search_left():
        return no("search-deck-empty", "WW-FIND-03", here)
    return None


def do_rummage(state: Position, seat: Seat) -> list[Event]:
    state.main_done = True
    state.push(("find", state.active))
    blanks = {"survivor": state.name(state.active), "cell": state.team[state.active].place}
    return [Event("searched-room", blanks, state.team_only())]
