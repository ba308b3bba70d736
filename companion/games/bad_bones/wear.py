"""The end of a phase on all boards: traps wear, treasure is stolen, what was sent arrives (ledger 5.1)."""

from __future__ import annotations

from companion.engine.action import Seat
from companion.engine.state import Event
from companion.games.bad_bones.field import BAG, BOX, Field
from companion.games.bad_bones.pieces import (
    CRATER,
    DYNAMITE,
    FORM_OF,
    GHOST,
    HEARSE,
    IS_WORN,
    PLACES,
    TRAP_OF,
    TRAPS,
    TREASURE,
    code_of,
)
from companion.games.bad_bones.position import OTHERS, Position
from companion.games.bad_bones.printed import ABILITY
from companion.games.bad_bones.squads import mend
from companion.games.bad_bones.tokens import KIND_OF, rested, stopped


def settle_boards(state: Position, events: list[Event]) -> None:
    """Ends the choice of heroes or traps on all boards."""
    _uncover(state, events, is_open=False)
    if any(field.is_touched() for field in state.fields):
        state.fields = [field.copy() for field in state.fields]
        for seat, field in enumerate(state.fields):
            _wear(state, seat, field, events)
        _clear_boards(state)


def settle_march(state: Position, events: list[Event], is_own: bool) -> None:
    """Ends a march on all boards; `is_own` says that this same action has taken them to change them."""
    _uncover(state, events, is_open=not any(field.asked for field in state.fields))
    if not is_own:
        state.fields = [field.copy() for field in state.fields]
    for seat, field in enumerate(state.fields):
        _sabotage(state, seat, field, events)
        _steal(state, seat, field, events)
        _wear(state, seat, field, events)
    _clear_boards(state)
    for field in state.fields:
        field.tokens = rested(field.tokens)
    state.marching_to = 1 - state.marching_to


def break_off(state: Position, seat: Seat, is_march: bool) -> list[Event]:
    """Ends a phase at once, in the middle of it: what the others have done under cover is not played.

    Everything else stays as it lies, the unmoved tokens unmoved (BB-BOOK-09).
    """
    if state.shown is not None:
        state.fields = [field if i == seat else state.shown[i] for i, field in enumerate(state.fields)]
        state.told = [facts if i == seat else () for i, facts in enumerate(state.told)]
    events: list[Event] = []
    is_open = is_march and not any(field.asked for field in state.fields)
    _uncover(state, events, is_open)
    state.fields = [field.copy() for field in state.fields]
    _clear_boards(state)
    if is_march:
        state.marching_to = 1 - state.marching_to
        for field in state.fields:
            field.tokens = stopped(field.tokens)
    return events


def _uncover(state: Position, events: list[Event], is_open: bool) -> None:
    """Tells everybody what the others did under cover; an `is_open` march had nothing to choose."""
    if state.shown is not None:
        for seat, facts in enumerate(state.told):
            audience = None if is_open else OTHERS[state.mode.players][seat]
            events += [Event(kind, data, audience) for kind, data in facts]
    state.shown = None
    state.told = [()] * state.mode.players


def _clear_boards(state: Position) -> None:
    """What was sent away or slain arrives where it goes, and the deeds of the phase are forgotten."""
    for seat, field in enumerate(state.fields):
        if field.slain:
            field.out += [(seat if ABILITY[kind] == GHOST else BAG, kind) for kind in field.slain]
        for where, kind in field.out:
            if where == BAG:
                state.bag.put_back(kind)
            elif where == BOX:
                state.boxed.append(kind)
            else:
                state.cemetery[where] += (kind,)
        field.clear()


def _sabotage(state: Position, seat: Seat, field: Field, events: list[Event]) -> None:
    """Traps that a saboteur ran into are removed, and he returns to the bag (BB-CMD-32…35)."""
    if not field.met:
        return
    for cell in sorted(field.wrecked):
        trap = TRAP_OF[field.traps[cell]]
        if trap == DYNAMITE:
            continue
        field.traps[cell] = 0
        field.hits -= {cell}
        state.box[trap] += 1
        events.append(Event("sabotaged", {"seat": seat, "cell": seat * PLACES + cell, "trap": TRAPS[trap]}))
    field.tokens = [skeleton for skeleton in field.tokens if KIND_OF[skeleton] not in field.met]
    field.slain = [kind for kind in field.slain if kind not in field.met]
    mend(field)
    away = [(where, kind) for where, kind in field.out if kind not in field.met]
    field.out = away + [(BAG, kind) for kind in sorted(field.met)]


def _steal(state: Position, seat: Seat, field: Field, events: list[Event]) -> None:
    """Skeletons on the treasure steal it; beside a hero there none would stand (BB-TREASURE-08)."""
    cell = field.treasure()
    if cell >= 0 and field.on(cell):
        field.traps[cell] = 0
        state.box[TREASURE] += 1
        events.append(Event("stolen", {"seat": seat, "cell": seat * PLACES + cell}))


def _wear(state: Position, seat: Seat, field: Field, events: list[Event]) -> None:
    """Every triggered trap wears one step, the hearse moves on (BB-TRAP-15…17, BB-HEARSE-03)."""
    for cell in sorted(field.hits - field.fresh) if field.hits else ():
        code = field.traps[cell]
        trap = TRAP_OF[code]
        where = {"seat": seat, "cell": seat * PLACES + cell, "trap": TRAPS[trap]}
        if trap == HEARSE:
            field.traps[cell] = 0
            target = field.targets[cell]
            state.supply(target)[HEARSE] += 1
            events.append(Event("hearse-left", where | {"to_seat": target}))
        elif trap == DYNAMITE:
            field.traps[cell] = CRATER
            events.append(Event("cratered", where))
        elif IS_WORN[code]:
            field.traps[cell] = 0
            state.box[trap] += 1
            events.append(Event("destroyed", where))
        else:
            field.traps[cell] = code_of(FORM_OF[code], worn=True)
            events.append(Event("worn", where))
