"""Phase II: everybody lays a trap, lifts one, or waits."""

from __future__ import annotations

from functools import cache

from companion.engine.action import Action, Cell, Seat
from companion.engine.grid import cells_of, mask_of
from companion.engine.state import Event, Refusal, no
from companion.games.bad_bones.arrivals import release
from companion.games.bad_bones.field import Field
from companion.games.bad_bones.march import go_on
from companion.games.bad_bones.paths import scatter_options
from companion.games.bad_bones.pieces import (
    BESIDE,
    CRATER,
    DRAGON,
    DYNAMITE,
    FIELD,
    FORM_TRAP,
    FORMS,
    PALISADE,
    PLACES,
    TOWARDS,
    TRAP_OF,
    TRAPS,
    TREASURE,
    code_of,
)
from companion.games.bad_bones.position import Position
from companion.games.bad_bones.printed import KIND_NAMES
from companion.games.bad_bones.tokens import KIND_OF, PLACE_OF, turned
from companion.games.bad_bones.verbs import LIFT, WAIT, lays

_PALISADES = tuple(code for code, trap in enumerate(TRAP_OF) if trap == PALISADE)
_LAID_ON_SKELETONS = (DRAGON, DYNAMITE)


@cache
def _without(towers: frozenset[int]) -> int:
    """The cells without a tower, as a mask."""
    return mask_of(cell for cell in range(FIELD) if cell not in towers)


def list_trap(state: Position, seat: Seat) -> list[Action]:
    field, supply = state.fields[seat], state.supply(seat)
    tiles, skeletons = field.trap_mask(), field.skeleton_mask()
    bare = _without(field.towers) & ~tiles
    free = bare & ~skeletons
    found = [WAIT]
    for form, trap in enumerate(FORM_TRAP):
        if supply[trap]:
            cells = bare if trap in _LAID_ON_SKELETONS else free
            if trap == DRAGON and tiles:
                cells &= ~_shut_in(state, field, bare & skeletons)
            found += lays(seat, form, cells)
    if tiles:
        base = seat * PLACES
        found += [LIFT[base + cell] for cell in cells_of(tiles) if field.traps[cell] != CRATER]
    return found


def _shut_in(state: Position, field: Field, cells: int) -> int:
    """Those of the cells from which nobody could flee a dragon, as a mask (BB-BOOK-08)."""
    # Without a palisade everybody can flee.
    if not any(code in field.traps for code in _PALISADES):
        return 0
    return mask_of([cell for cell in cells_of(cells) if _is_shut_in(state, field, cell)])


def _is_shut_in(state: Position, field: Field, cell: int) -> bool:
    return not scatter_options(state.mode, field, cell, (), scared=True)


def can_wait(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_wait(state: Position, seat: Seat) -> list[Event]:
    state.tell(seat, "waited", {"seat": seat})
    return go_on(state, seat, state.fields[seat], 0)


# Laying ------------------------------------------------------------------------------------------


def can_lay(state: Position, seat: Seat, form: int, cell: Cell) -> Refusal | None:
    """BB-TRAP-03, -04, -22."""
    field, trap, place = state.fields[seat], FORM_TRAP[form], cell % PLACES
    if cell // PLACES != seat or place >= FIELD:
        return no("not-on-own-field", "BB-TRAP-04", *state.on_table(cell))
    if not state.supply(seat)[trap]:
        if trap in state.lifted:
            return no("just-lifted", "BB-COOP-11", cell)
        return no("none-in-supply", "BB-TRAP-22", cell)
    if place in field.towers:
        return no("tower-there", "BB-TOWER-06", cell)
    if field.traps[place] == CRATER:
        return no("crater-there", "BB-DYNAMITE-06", cell)
    if field.traps[place]:
        return no("trap-there", "BB-TRAP-03", cell)
    return _can_lay_on_skeletons(state, field, trap, cell) if field.on(place) else None


def _can_lay_on_skeletons(state: Position, field: Field, trap: int, cell: Cell) -> Refusal | None:
    """BB-TRAP-03, BB-BOOK-08."""
    if trap not in _LAID_ON_SKELETONS:
        return no("skeletons-there", "BB-TRAP-03", cell)
    if trap == DRAGON and _is_shut_in(state, field, cell % PLACES):
        return no("nowhere-to-flee", "BB-BOOK-08", cell)
    return None


def do_lay(state: Position, seat: Seat, form: int, cell: Cell) -> list[Event]:
    field = state.own(seat)
    trap, place = FORM_TRAP[form], cell % PLACES
    here = sorted(field.on(place))
    state.supply(seat)[trap] -= 1
    field.traps[place] = code_of(form, bool(here))
    state.tell(seat, "laid", {"seat": seat, "trap": FORMS[form], "cell": cell})
    if trap == TREASURE:
        _lure(state, seat, field, place)
    elif here and trap == DYNAMITE:
        _blow_up(state, seat, field, cell, here)
    elif here:
        field.fresh = frozenset((place,))
        field.queue = tuple(here)
    return go_on(state, seat, field, 0)


def _lure(state: Position, seat: Seat, field: Field, place: int) -> None:
    """The neighbours of a new treasure turn to it at once (BB-TREASURE-01…03)."""
    near = set()
    for i, skeleton in enumerate(field.tokens):
        beside = PLACE_OF[skeleton]
        if beside in BESIDE[place]:
            field.tokens[i] = turned(skeleton, TOWARDS[beside, place])
            near.add(seat * PLACES + beside)
    if near:
        state.tell(seat, "lured", {"seat": seat, "cells": sorted(near), "cell": seat * PLACES + place})


def _blow_up(state: Position, seat: Seat, field: Field, cell: Cell, here: list[int]) -> None:
    """Dynamite laid on skeletons destroys them at once (BB-DYNAMITE)."""
    field.tokens = [skeleton for skeleton in field.tokens if PLACE_OF[skeleton] != cell % PLACES]
    for skeleton in here:
        release(seat, field, KIND_OF[skeleton])
    names = [KIND_NAMES[KIND_OF[skeleton]] for skeleton in here]
    state.tell(seat, "exploded", {"seat": seat, "cell": cell, "skeletons": names})


# Lifting -----------------------------------------------------------------------------------------


def can_lift(state: Position, seat: Seat, cell: Cell) -> Refusal | None:
    """BB-TRAP-08, BB-TRAP-12."""
    place = cell % PLACES
    if cell // PLACES != seat or place >= FIELD:
        return no("not-on-own-field", "BB-TRAP-08", *state.on_table(cell))
    if state.fields[seat].traps[place] == CRATER:
        return no("crater-stays", "BB-TRAP-12", cell)
    if not state.fields[seat].traps[place]:
        return no("no-trap", "BB-TRAP-08", cell)
    return None


def do_lift(state: Position, seat: Seat, cell: Cell) -> list[Event]:
    """BB-TRAP-08, BB-COOP-11: what is lifted together cannot be laid in the same phase."""
    field = state.own(seat)
    trap = TRAP_OF[field.traps[cell % PLACES]]
    field.traps[cell % PLACES] = 0
    if state.mode.coop:
        state.lifted += (trap,)
    else:
        field.supply[trap] += 1
    state.tell(seat, "lifted", {"seat": seat, "trap": TRAPS[trap], "cell": cell})
    return go_on(state, seat, field, 0)
