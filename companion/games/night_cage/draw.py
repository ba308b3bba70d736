"""Drawing: a tile comes off the stack, to be laid where it was drawn for, or to burn."""

from __future__ import annotations

from companion.engine.action import Action, Cell, Seat
from companion.engine.agenda import Step
from companion.engine.state import Event, Refusal, no
from companion.games.night_cage.attack import burn
from companion.games.night_cage.falling import fiend
from companion.games.night_cage.landing import come_down
from companion.games.night_cage.move import go
from companion.games.night_cage.pieces import FIEND, KEEPER, NAMES, OMEN, TURNS
from companion.games.night_cage.position import Position
from companion.games.night_cage.scramble import flee
from companion.games.night_cage.stay import reveal
from companion.games.night_cage.tiles import EMPTY, FACE_UP, FACING
from companion.games.night_cage.verbs import DRAW, PUT

FILL, STAY, BURN, LAND, BLIND, SCRAMBLE = "fill", "stay", "burn", "land", "blind", "scramble"
"""Why a tile is drawn."""
_WHY = {f"draw-{why}": why for why in (FILL, STAY, BURN, LAND, BLIND, SCRAMBLE)}
"""The reason of each step that draws."""

_CELL_RULES = {LAND: "NC-FALL-06", BLIND: "NC-MOVE-07", SCRAMBLE: "NC-SCR-04"}
"""What says that a tile is laid on the cell it was drawn for."""
_ENTRIES = {LAND: come_down, BLIND: go, SCRAMBLE: flee}
"""How the prisoner comes onto a tile that was laid for it."""


def can_draw(state: Position, seat: Seat, kind: int) -> Refusal | None:
    """NC-TILE-09, NC-SETUP-23: the top tile is one of those that can still be there."""
    pack = state.top if state.surroundings else state.rest
    return None if pack[kind] else no("not-drawn", "NC-TILE-09")


def do_draw(state: Position, seat: Seat, kind: int) -> list[Event]:
    name, prisoner, at = step = state.todo.pop()
    why = _WHY[name]
    if state.surroundings:
        state.top = state.top[:]
        state.top[kind] -= 1
        state.surroundings -= 1
    else:
        state.rest[kind] -= 1
    state.stack -= 1
    events = [Event("drew", {"tile": NAMES[kind], "why": why, "n": state.stack})]
    if kind == OMEN:
        state.omens += 1
        if state.omens == 1:
            _lay_aside(state, events, step)
            return events
    if why == STAY:
        reveal(state, prisoner, kind)
    elif why == BURN:
        if kind == OMEN:
            state.hold(prisoner)
        else:
            state.burn_up(kind)
        burn(state, prisoner, at - 1)
    else:
        state.burnt = ()
        state.todo.append(("put", state.turn if why == FILL else prisoner, why, kind, prisoner, at))
    return events


def _lay_aside(state: Position, events: list[Event], step: Step) -> None:
    """NC-BOSS-11: the first Omen lies beside the board and another tile is drawn in its place."""
    events.append(Event("omen-aside", {}))
    name, prisoner, _ = step
    if state.stack:
        state.push(step)
    elif name == "draw-land":
        state.finish("lost-in-the-fall", "NC-END-05")
    elif name == "draw-scramble":
        state.push(("scrambling", prisoner))
    elif name == "draw-blind":
        state.push(("more",) if state.moved else ("choose",))


def draws(state: Position, prisoner: int, at: int) -> list[tuple[Action, int]]:
    """What the top tile can be."""
    pack = state.top if state.surroundings else state.rest
    return [(DRAW[kind], n) for kind, n in enumerate(pack) if n]


# Laying it -------------------------------------------------------------------------------------


def can_put(state: Position, seat: Seat, cell: Cell, turn: int) -> Refusal | None:
    _, _, why, kind, prisoner, at = state.todo[-1]
    here = state.cells[prisoner]
    if why == FILL:
        if not state.faced(prisoner) >> cell & 1:
            if state.tiles[cell] != EMPTY:
                return no("cell-taken", "NC-LIGHT-12", cell)
            return no("cell-dark", "NC-LIGHT-11", cell, here)
    elif cell != at:
        return no("cell-chosen", _CELL_RULES[why], cell, at)
    if why != LAND and turn in FACING[kind][state.torus.towards[here][cell]]:
        return None
    if turn >= TURNS[kind]:
        return no("same-turn", "NC-TILE-01", cell)
    if why == LAND:
        return None
    if kind == KEEPER:
        return no("mouth-away", "NC-ADV-06", cell, here)
    return no("not-connected", "NC-TILE-10", cell, here)


def do_put(state: Position, seat: Seat, cell: Cell, turn: int) -> list[Event]:
    _, _, why, kind, prisoner, _ = state.todo.pop()
    state.lay(cell, FACE_UP[kind][turn])
    events = [Event("put", {"tile": NAMES[kind], "cell": cell, "turn": turn * 90})]
    if why != FILL:
        _ENTRIES[why](state, events, prisoner, cell)
    elif kind == FIEND:
        fiend(state, events, cell)
    elif kind == OMEN:
        state.push(("dirge", state.turn, cell))
    elif state.stack and state.faced(prisoner):
        # As `shine` will find, which waits below.
        state.todo.append(("draw-fill", prisoner, -1))
    return events


def list_put(
    state: Position, seat: Seat, decider: int, why: str, kind: int, prisoner: int, at: Cell
) -> list[Action]:
    if why == LAND:
        return list(PUT[at][: TURNS[kind]])
    wanted = state.faced(prisoner) if why == FILL else state.torus.bit[at]
    return [
        PUT[cell][turn]
        for direction, cell in enumerate(state.torus.grid.beside[state.cells[prisoner]])
        if wanted >> cell & 1
        for turn in FACING[kind][direction]
    ]
