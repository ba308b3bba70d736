"""Attacks: who is woken, who is hit, what burns, and what an attack leaves behind.

An attack is one event on one picture of the board: its hits become steps, and the board changes only in the
aftermath, when all of them are paid.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine.action import Cell, Seat
from companion.engine.agenda import Step, choices
from companion.engine.grid import cells_of, opposite
from companion.engine.state import Event, Refusal
from companion.games.night_cage.keys import get_key, heirs
from companion.games.night_cage.pieces import BLOCKABLE, KEEPER, MELEE_BURN, NAMES, RANGED_BURN
from companion.games.night_cage.position import Position
from companion.games.night_cage.tiles import KIND, REAR
from companion.games.night_cage.verbs import BLOCK, SUFFER


def attack(state: Position, events: list[Event], woken: Sequence[Cell]) -> None:
    """NC-MON-16..18, NC-CHAIN: closes the chain reaction on this board and lines up the hits."""
    order = tuple(_chain(state, woken))
    areas = {}
    for monster in order:
        north, east, south, west = state.reach(monster)
        areas[monster] = north | east | south | west
        tile, cells = NAMES[KIND[state.tiles[monster]]], list(cells_of(areas[monster]))
        paths = [path for path in state.attack_paths(monster) if path]
        events.append(Event("attacked", {"tile": tile, "cell": monster, "cells": cells, "paths": paths}))
    state.strike = order
    hits = [
        ("hit", prisoner, KIND[state.tiles[monster]], at == monster)
        for prisoner in state.in_order()
        if (at := state.cells[prisoner]) >= 0
        for monster in order
        if at == monster or areas[monster] >> at & 1
    ]
    state.todo += [("aftermath", order), *reversed(hits)]


def _chain(state: Position, woken: Sequence[Cell]) -> list[Cell]:
    """NC-CHAIN-01..03, -08: the monsters that attack, in the order in which they were woken."""
    order = [monster for monster in dict.fromkeys(woken) if state.monsters >> monster & 1]
    for monster in order:  # grows while it is read
        north, east, south, west = reach = state.reach(monster)
        for other in cells_of(state.monsters & (north | east | south | west)):
            if other not in order and _is_roused(state, other, reach):
                order.append(other)
    return order


def _is_roused(state: Position, monster: Cell, reach: Sequence[int]) -> bool:
    """NC-ADV-12: a Keeper does not feel what comes from its rear."""
    rear = REAR[state.tiles[monster]]
    return any(area >> monster & 1 and opposite(way) != rear for way, area in enumerate(reach))


# Hits ------------------------------------------------------------------------------------------


def hit(state: Position, events: list[Event], prisoner: int, kind: int, melee: bool) -> None:
    """NC-HIT-01..08, NC-NERVE-09: the candle goes out, tiles burn, the victim may block."""
    n = MELEE_BURN[kind] if melee else RANGED_BURN[kind]
    state.candles &= ~(1 << prisoner)
    told = {"prisoner": state.name(prisoner), "tile": NAMES[kind], "n": n, "cell": state.cells[prisoner]}
    events.append(Event("hit", told))
    if n == BLOCKABLE and state.can_spend(prisoner):
        state.push(("block", prisoner, kind))
    else:
        burn(state, prisoner, n)


def burn(state: Position, prisoner: int, n: int) -> None:
    """NC-HIT-03: burns tiles of the stack, as far as it goes."""
    if n and state.stack:
        state.todo.append(("draw-burn", prisoner, n))


def can_block(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_block(state: Position, seat: Seat) -> list[Event]:
    """NC-NERVE-09: a token of nerve saves one tile."""
    prisoner = state.take()[1]
    state.nerve[prisoner] -= 1
    burn(state, prisoner, BLOCKABLE - 1)
    return [Event("blocked", {"prisoner": state.name(prisoner)})]


def can_suffer(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_suffer(state: Position, seat: Seat) -> list[Event]:
    burn(state, state.take()[1], BLOCKABLE)
    return []


list_block = choices(BLOCK, SUFFER)


# Aftermath -------------------------------------------------------------------------------------


def aftermath(state: Position, events: list[Event], attackers: tuple[Cell, ...]) -> None:
    """NC-HIT-11, NC-ADV-20: attackers leave, Keepers underfoot open, the dark sweeps, then scrambles."""
    state.strike = ()
    fleeing = [
        prisoner
        for prisoner in state.in_order()
        if (at := state.cells[prisoner]) >= 0 and (at in attackers or state.keepers >> at & 1)
    ]
    gone = [monster for monster in attackers if KIND[state.tiles[monster]] != KEEPER]
    for monster in gone:
        state.clear(monster)
    if gone:
        events.append(Event("vanished", {"cells": gone}))
    trodden = [state.cells[prisoner] for prisoner in fleeing]
    opened = [cell for cell in dict.fromkeys(trodden) if state.keepers >> cell & 1]
    givers = [giver for cell in opened for giver in _givers(state, cell)]
    follow: list[Step] = [("handover", prisoner) for prisoner in reversed(givers)]
    follow += [("unlock", cell) for cell in opened]
    if attackers:
        follow.append(("sweep",))
    follow += [("scrambling", prisoner) for prisoner in fleeing]
    if state.held is not None:
        follow.append(("foretell",))
    state.push(*follow)


def _givers(state: Position, keeper: Cell) -> list[int]:
    """NC-ADV-19: who may give its key away before a Keeper opens, if nobody there lacks one."""
    there = [prisoner for prisoner in state.in_order() if state.cells[prisoner] == keeper]
    if not all(map(state.has_key, there)):
        return []
    return [prisoner for prisoner in there if heirs(state, prisoner)][:1]


def unlock(state: Position, events: list[Event], cell: Cell) -> None:
    """NC-ADV-16, -17: a Keeper's key goes to who stands there without one; the tile becomes a pit."""
    takers = [p for p in state.in_order() if state.cells[p] == cell and not state.has_key(p)]
    state.flip(cell, key_taken=bool(takers))
    events.append(Event("opened", {"cell": cell}))
    if takers:
        get_key(state, takers[0], events)
