"""On the way to a tile: what stops a step, and what awaits who arrives."""

from __future__ import annotations

from companion.engine.action import Cell
from companion.engine.grid import opposite
from companion.engine.state import Event
from companion.games.night_cage.attack import attack
from companion.games.night_cage.falling import drop, fiend
from companion.games.night_cage.keys import take_key
from companion.games.night_cage.pieces import FIEND, KEEPER, OMEN
from companion.games.night_cage.position import Position
from companion.games.night_cage.tiles import BLOCKS, EMPTY, FACE, IS_GATE, IS_PIT, IS_WATCHFUL, REAR


def obstacle(state: Position, here: Cell, direction: int, is_blind: bool) -> str:
    """NC-MOVE-01..06, NC-SCR-02..04: what stops a step out of a cell; `is_blind`: onto bare cells too."""
    to = state.torus.grid.beside[here][direction]
    code = state.tiles[to]
    if code == EMPTY:
        if not is_blind:
            return "unlit"
        if to in state.cells:
            return "occupied"
        return "" if state.stack else "no-tile-left"
    block = BLOCKS[direction][code]
    if block != "wall" and to in state.cells and not IS_GATE[code]:
        return "occupied"
    return block


def arrive(
    state: Position,
    events: list[Event],
    prisoner: int,
    to: Cell,
    seen: tuple[Cell, ...] = (),
    direction: int = -1,
    *,
    watched: bool = True,
) -> None:
    """Puts a prisoner on a tile and lets follow what must: victory, fall, key, attacks.

    `seen` are the monsters that saw it leave, `direction` the way it came (-1: from above); `watched` says
    whether monsters attack who comes into their sight.
    """
    state.cells[prisoner] = to
    if state.win():
        return
    code = state.tiles[to]
    if IS_PIT[code]:
        drop(state, events, [prisoner], seen)
        return
    kind = FACE[code]
    if kind == FIEND:
        fiend(state, events, to, seen, stepped=prisoner if direction >= 0 else -1)
        return
    woken = seen
    if IS_WATCHFUL[code] and (direction < 0 or REAR[code] != opposite(direction)):
        woken += (to,)
    if watched:
        woken += state.watching(to)
    if kind == OMEN:
        state.push(("dirge", prisoner, to))
    if prisoner == state.turn:
        take_key(state, prisoner, events)
    if woken or kind == KEEPER:
        attack(state, events, woken)
