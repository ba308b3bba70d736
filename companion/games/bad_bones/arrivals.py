"""What skeletons do where they arrive: fall to the hero, break towers, burn houses, or stand there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.engine.action import Seat
from companion.games.bad_bones.field import BAG, BOX, CONQUERED, NO_TOWER, NO_VILLAGE, STANDING, Ask, Field
from companion.games.bad_bones.paths import (
    BLOWN,
    ENDS,
    GOAL,
    IMPALED,
    LEFT,
    LOADED,
    RETURNED,
    SLAIN,
    STANDS,
    STAYS,
    THROWN,
    TOWER,
    MovePath,
)
from companion.games.bad_bones.pieces import (
    CEMETERY,
    EMPEROR,
    GHOST,
    INSTRUCTOR,
    PEACEMAKER,
    PLACES,
    SABOTEUR,
    SAPPER,
    WAKES_A_WEAPON,
)
from companion.games.bad_bones.position import Position
from companion.games.bad_bones.printed import ABILITY, KIND_NAMES
from companion.games.bad_bones.squads import form, mend
from companion.games.bad_bones.tokens import DONE, KIND_OF, token


def release(seat: Seat, field: Field, kind: int) -> None:
    """Returns a destroyed skeleton to the bag; a ghost haunts its own cemetery (BB-CMD-20, -22)."""
    field.out.append((seat if ABILITY[kind] == GHOST else BAG, kind))


def strike(state: Position, seat: Seat, field: Field, kinds: list[int], counts: bool) -> None:
    """The hero destroys skeletons (BB-HERO-06, -09); the emperor takes him along (BB-CMD-16, -18)."""
    cell = seat * PLACES + field.hero
    for kind in kinds:
        if ABILITY[kind] == EMPEROR:
            field.out.append((BOX, kind))
            field.hero = -1
        elif counts:
            field.slain.append(kind)
        else:
            release(seat, field, kind)
    if kinds:
        names = [KIND_NAMES[kind] for kind in kinds]
        state.tell(seat, "slain", {"seat": seat, "cell": cell, "skeletons": names, "n": len(names)})
    if field.hero < 0:
        state.tell(seat, "hero-lost", {"seat": seat, "cell": cell})


def arm(state: Position, seat: Seat, field: Field, slain_before: int) -> bool:
    """Asks about the weapon if the last kill made it usable (BB-WEAPON-01…03, -05).

    The choice notes the first of those whose destruction counts.
    """
    if field.weapon < 0 or field.used or field.hero < 0 or len(field.slain) == slain_before:
        return False
    first = slain_before if state.mode.count_per_move else 0
    if len(field.slain) - first < WAKES_A_WEAPON:
        return False
    field.ask = Ask("weapon", seat, (first,))
    return True


# Towers and houses -------------------------------------------------------------------------------


def hit_tower(state: Position, seat: Seat, field: Field, kind: int, cell: int) -> None:
    """A skeleton reaches a standing tower (BB-TOWER, BB-COOP-13, BB-CMD-05…15)."""
    ability, mode = ABILITY[kind], state.mode
    release(seat, field, kind)
    where = {"seat": seat, "cell": seat * PLACES + cell, "skeleton": KIND_NAMES[kind]}
    if ability == EMPEROR:
        field.fallen = CONQUERED
        state.tell(seat, "emperor-won", where)
        return
    if ability == PEACEMAKER:
        if not mode.coop and field.floors < mode.floors:
            field.floors += 1
            state.tell(seat, "tower-repaired", where | {"floors": field.floors})
        else:
            state.tell(seat, "peacemaker-left", where)
        return
    if mode.coop:
        field.towers -= {cell}
        field.floors -= 1
    else:
        field.floors = max(0, field.floors - (2 if ability == SAPPER else 1))
    state.tell(seat, "tower-hit", where | {"floors": field.floors})
    if field.floors == 0 and field.fallen == STANDING:
        field.fallen = NO_TOWER
        state.tell(seat, "fell", {"seat": seat, "cell": seat * PLACES + cell, "how": "no-tower"})


def hit_goal(state: Position, seat: Seat, field: Field, kind: int) -> None:
    """A skeleton reaches the village or the capital (BB-VILLAGE, BB-COOP-19, BB-CMD-05…15)."""
    ability, coop = ABILITY[kind], state.mode.coop
    release(seat, field, kind)
    where = {"seat": seat, "skeleton": KIND_NAMES[kind], "cell": seat * PLACES + CEMETERY}
    if ability == EMPEROR:
        field.fallen = CONQUERED
        state.tell(seat, "emperor-won", where)
        return
    houses = state.capital if coop else field.houses
    if ability == PEACEMAKER:
        if houses == state.mode.houses:
            state.tell(seat, "peacemaker-left", where)
            return
        houses += 1
        state.tell(seat, "house-repaired", where | {"houses": houses})
    else:
        houses = max(0, houses - (2 if ability == SAPPER else 1))
        state.tell(seat, "house-burnt", where | {"houses": houses})
    if coop:
        state.capital = houses
        state.capital_lost |= houses == 0
        return
    field.houses = houses
    if houses == 0 and field.fallen == STANDING:
        field.fallen = NO_VILLAGE
        state.tell(seat, "fell", {"seat": seat, "cell": seat * PLACES + CEMETERY, "how": "no-village"})


# The end of a move -------------------------------------------------------------------------------


def carry(state: Position, field: Field, path: MovePath, is_march: bool) -> None:
    """Carries out a move that has come to its end, in the march or away from a new dragon."""
    seat, group = path.seat, path.group
    for skeleton in group:
        field.tokens.remove(skeleton)
    if path.hits:
        field.hits = field.hits.union(path.hits)
    kinds = [KIND_OF[skeleton] for skeleton in group]
    if is_march and path.wrecked:
        _sabotage(field, kinds, path.wrecked)
    base = seat * PLACES
    names = [KIND_NAMES[kind] for kind in kinds]
    walked: dict[str, Any] = {
        "seat": seat,
        "skeletons": names,
        "cells": [base + place for place in path.cells],
        "end": ENDS[path.end],
    }
    state.tell(seat, "walked", walked)
    if path.targets:
        state.tell(seat, "sent", {"seat": seat, "skeletons": names, "to_seats": list(path.targets)})
    if field.squads:
        mend(field)
    _ARRIVE[path.end](state, field, kinds, path, is_march)


def _sabotage(field: Field, kinds: list[int], cells: tuple[int, ...]) -> None:
    """BB-CMD-32: notes which traps saboteurs ran into."""
    saboteurs = [kind for kind in kinds if ABILITY[kind] == SABOTEUR]
    if saboteurs:
        field.wrecked = field.wrecked.union(cells)
        field.met = field.met.union(saboteurs)


def _stand(state: Position, field: Field, kinds: list[int], path: MovePath, is_march: bool) -> None:
    if not _rebuilds(state, path.seat, field, kinds, path.place):
        put(field, kinds, path.place, path.facing)


def _rebuilds(state: Position, seat: Seat, field: Field, kinds: list[int], cell: int) -> bool:
    """A peacemaker who enters an empty ruin rebuilds it; then his companions meet it (BB-CMD-12)."""
    if not state.mode.coop or cell not in state.mode.side.towers:
        return False
    if field.traps[cell] or field.hero == cell or field.on(cell) or len(kinds) > 1:
        return False
    if ABILITY[kinds[0]] != PEACEMAKER:
        return False
    field.towers |= {cell}
    field.floors += 1
    release(seat, field, kinds[0])
    where = {"seat": seat, "cell": seat * PLACES + cell, "skeleton": KIND_NAMES[kinds[0]]}
    state.tell(seat, "tower-repaired", where | {"floors": field.floors})
    return True


def put(field: Field, kinds: list[int], place: int, facing: int) -> None:
    """Puts those who have moved together on a place."""
    field.tokens += [token(place, kind, facing, DONE) for kind in kinds]
    if field.squads or ABILITY[kinds[0]] == INSTRUCTOR:
        form(field, kinds)


def _stay(state: Position, field: Field, kinds: list[int], path: MovePath, is_march: bool) -> None:
    put(field, kinds, path.place, path.facing)


def _reach_tower(state: Position, field: Field, kinds: list[int], path: MovePath, is_march: bool) -> None:
    """BB-TOWER, BB-COOP-13…15: all hit the tower; a cooperative one stops only some of a squad."""
    seat = path.seat
    if not state.mode.coop:
        for kind in kinds:
            hit_tower(state, seat, field, kind, path.place)
        return
    rest = kinds[:]
    for kind in path.victims:
        rest.remove(kind)
        hit_tower(state, seat, field, kind, path.place)
    if rest and field.hero == path.place:
        strike(state, seat, field, rest, is_march)
    elif rest:
        put(field, rest, path.place, path.facing)


def _reach_goal(state: Position, field: Field, kinds: list[int], path: MovePath, is_march: bool) -> None:
    for kind in kinds:
        hit_goal(state, path.seat, field, kind)


def _fall(state: Position, field: Field, kinds: list[int], path: MovePath, is_march: bool) -> None:
    strike(state, path.seat, field, kinds, is_march)


def _perish(state: Position, field: Field, kinds: list[int], path: MovePath, is_march: bool) -> None:
    for kind in kinds:
        release(path.seat, field, kind)


def _leave(state: Position, field: Field, kinds: list[int], path: MovePath, is_march: bool) -> None:
    field.out.extend(zip(path.targets, kinds, strict=True))


def _fly(state: Position, field: Field, kinds: list[int], path: MovePath, is_march: bool) -> None:
    """BB-CATAPULT-02: a catapult or hearse serves one opponent in a phase."""
    (target,) = path.targets
    field.targets[path.place] = target
    field.out.extend((target, kind) for kind in kinds)


_ARRIVE: dict[int, Callable[[Position, Field, list[int], MovePath, bool], None]] = {
    STANDS: _stand,
    STAYS: _stay,
    TOWER: _reach_tower,
    GOAL: _reach_goal,
    LEFT: _leave,
    THROWN: _fly,
    LOADED: _fly,
    SLAIN: _fall,
    BLOWN: _perish,
    IMPALED: _perish,
    RETURNED: _stay,
}
"""What each end of a move does to those who moved."""
