"""A tile makes way for a monster: one that was burned by staying, or a burned Omen."""

from __future__ import annotations

from companion.engine.action import Action, Cell, Seat
from companion.engine.state import Event, Refusal, no
from companion.games.night_cage.attack import attack
from companion.games.night_cage.falling import fiend
from companion.games.night_cage.pieces import FIEND, KEEPER, NAMES, OMEN
from companion.games.night_cage.position import Position
from companion.games.night_cage.tiles import DIRGE_PIT, EMPTY, FACE_UP, IS_MONSTER
from companion.games.night_cage.verbs import REPLACE


def swap_places(state: Position, prisoner: int) -> list[Cell]:
    """NC-STAY-04..06: the connected tiles, those without a monster if there are any."""
    here = state.cells[prisoner]
    joined = [cell for cell in state.torus.grid.beside[here] if _is_replaceable(state, here, cell)]
    return [cell for cell in joined if not IS_MONSTER[state.tiles[cell]]] or joined


def _is_replaceable(state: Position, here: Cell, cell: Cell) -> bool:
    return state.tiles[cell] != DIRGE_PIT and here != cell and state.are_joined(here, cell)


def foretell(state: Position, events: list[Event]) -> None:
    """NC-BOSS-13: the second Omen, burned, comes onto the board beside its victim."""
    if state.held is not None:
        prisoner, cell = state.held
        here = state.cells[prisoner]
        state.push(("omen", prisoner, here if here >= 0 else cell))


def _omen_places(state: Position, here: Cell) -> list[Cell]:
    """The adjacent tiles that the Omen may replace; bare cells only where there is no tile."""
    beside = state.torus.grid.beside[here]
    return [c for c in beside if state.tiles[c] not in (EMPTY, DIRGE_PIT)] or [
        c for c in beside if state.tiles[c] == EMPTY
    ]


def can_replace(state: Position, seat: Seat, cell: Cell) -> Refusal | None:
    name, prisoner, fact = state.todo[-1]
    if name == "omen":
        return None if cell in _omen_places(state, fact) else no("not-adjacent", "NC-BOSS-13", fact, cell)
    if cell in swap_places(state, prisoner):
        return None
    here = state.cells[prisoner]
    if _is_replaceable(state, here, cell):
        return no("monster", "NC-STAY-05", here, cell)
    return no("not-connected", "NC-STAY-04", here, cell)


def do_replace(state: Position, seat: Seat, cell: Cell) -> list[Event]:
    """NC-STAY-07, -22: the monster that comes faces the prisoner; Fiends and Omens act at once."""
    name, prisoner, fact = state.take()
    if name == "omen":
        here, kind, state.held = fact, OMEN, None
    else:
        here, kind = state.cells[prisoner], fact
    if state.tiles[cell] != EMPTY:
        state.clear(cell)
    turn = state.torus.direction(here, cell) if kind in (KEEPER, OMEN) else 0
    state.lay(cell, FACE_UP[kind][turn])
    events = [Event("replaced", {"cell": cell, "tile": NAMES[kind]})]
    if kind == FIEND:
        fiend(state, events, cell)
    elif kind == OMEN:
        state.push(("dirge", prisoner, cell))
    elif cell in state.cells:
        attack(state, events, (cell,))
    return events


def list_swap(state: Position, seat: Seat, prisoner: int, kind: int) -> list[Action]:
    return [REPLACE[cell] for cell in swap_places(state, prisoner)]


def list_omen(state: Position, seat: Seat, prisoner: int, here: Cell) -> list[Action]:
    return [REPLACE[cell] for cell in _omen_places(state, here)]
