"""The eight weapons (BB-WEAPON): each is a verb that may be used after three kills, or declined."""

from __future__ import annotations

from collections.abc import Callable

from companion.engine.action import Action, Cell, Seat
from companion.engine.agenda import need
from companion.engine.state import Event, Need, Refusal, no
from companion.games.bad_bones.arrivals import release
from companion.games.bad_bones.field import Ask, Field
from companion.games.bad_bones.hero import can_step, move_hero
from companion.games.bad_bones.march import go_on
from companion.games.bad_bones.pieces import AROUND, BESIDE, FIELD, INSTRUCTOR, PLACES, WEAPONS
from companion.games.bad_bones.position import Position
from companion.games.bad_bones.printed import ABILITY, KIND_NAMES, SYMBOL
from companion.games.bad_bones.squads import mend
from companion.games.bad_bones.tokens import (
    KIND_OF,
    PLACE_OF,
    SKELETON_WORDS,
    frozen,
    meant_by,
    moved,
    turned,
    word_of,
)
from companion.games.bad_bones.verbs import COLOUR_NAMES, DECLINE, FACE

_VERBS = ("shoot", "freeze", "banish", "teleport", "strike", "hew", "fling", "aim")
"""The verb that uses each weapon."""


def weapon_verb(state: Position, seat: Seat) -> str:
    """The verb that uses the weapon of a seat."""
    verb = _VERBS[state.fields[seat].weapon]
    return "freeze-all" if verb == "freeze" and state.mode.pegasus else verb


def who_may_use(state: Position, ask: Ask) -> tuple[Need, ...]:
    return need((weapon_verb(state, ask.seat), "decline"), ask.seat)


# What a weapon could be used on, allowed or not ----------------------------------------------------

_Aims = list[tuple[int, ...]]


def _any_skeleton(state: Position, seat: Seat) -> _Aims:
    tokens = [skeleton for skeleton in state.fields[seat].tokens if PLACE_OF[skeleton] < FIELD]
    words = {(seat * PLACES + PLACE_OF[one], word_of(one, state.marching_to)) for one in tokens}
    return [*sorted(words)]


def _any_cell(state: Position, seat: Seat) -> _Aims:
    return [(seat * PLACES + cell,) for cell in range(FIELD)]


def _around(state: Position, seat: Seat) -> _Aims:
    return [(seat * PLACES + cell,) for cell in AROUND[state.fields[seat].hero]]


def _from_and_to(state: Position, seat: Seat) -> _Aims:
    around = _around(state, seat)
    return [cell + to for cell in around for to in around]


def _any_seat(state: Position, seat: Seat) -> _Aims:
    return [(target,) for target in range(state.mode.players)]


def _any_symbol(state: Position, seat: Seat) -> _Aims:
    return [(symbol,) for symbol in range(len(COLOUR_NAMES))]


def _no_aim(state: Position, seat: Seat) -> _Aims:
    return [()]


_AIMS: dict[str, Callable[[Position, Seat], _Aims]] = {
    "shoot": _any_skeleton,
    "freeze": _any_cell,
    "freeze-all": _no_aim,
    "banish": _any_seat,
    "teleport": _any_cell,
    "strike": _around,
    "hew": _any_symbol,
    "fling": _from_and_to,
    "aim": _around,
}


def list_weapon(state: Position, seat: Seat, *asked: object) -> list[Action]:
    """Every use that the weapon has now, and declining it."""
    verb = weapon_verb(state, seat)
    uses = [Action(verb, aim) for aim in _AIMS[verb](state, seat)]
    return [*(use for use in uses if state.refusal(seat, use) is None), DECLINE]


# Using and declining -----------------------------------------------------------------------------


def can_decline(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_decline(state: Position, seat: Seat) -> list[Event]:
    field, since = state.own(seat), len(state.told[seat])
    field.ask = None
    return go_on(state, seat, field, since)


def _begin_use(state: Position, seat: Seat) -> tuple[Field, int]:
    """Takes the board to use the weapon on it; what happens now is told from the number returned."""
    field, since = state.own(seat), len(state.told[seat])
    state.tell(seat, "weapon-used", {"seat": seat, "weapon": WEAPONS[field.weapon]})
    return field, since


def _end_use(state: Position, seat: Seat, field: Field, since: int) -> list[Event]:
    field.used = True
    field.ask = None
    return go_on(state, seat, field, since)


def _fell(state: Position, seat: Seat, field: Field, cell: Cell, skeletons: list[int]) -> None:
    """Destroys skeletons by a weapon: no chain follows (BB-WEAPON-07)."""
    for skeleton in skeletons:
        field.tokens.remove(skeleton)
        release(seat, field, KIND_OF[skeleton])
    mend(field)
    names = [KIND_NAMES[KIND_OF[skeleton]] for skeleton in skeletons]
    state.tell(seat, "felled", {"seat": seat, "cell": cell, "skeletons": names})


# Crossbow ----------------------------------------------------------------------------------------


def can_shoot(state: Position, seat: Seat, cell: Cell, word: int) -> Refusal | None:
    """BB-WEAPON-06, -09."""
    if cell // PLACES != seat or cell % PLACES >= FIELD:
        return no("not-on-own-field", "BB-WEAPON-06", *state.on_table(cell))
    if meant_by(cell % PLACES, word, state.marching_to) not in state.fields[seat].tokens:
        return no("no-such-skeleton", "BB-WEAPON-09", cell, token=SKELETON_WORDS[word])
    return None


def do_shoot(state: Position, seat: Seat, cell: Cell, word: int) -> list[Event]:
    field, since = _begin_use(state, seat)
    _fell(state, seat, field, cell, [meant_by(cell % PLACES, word, state.marching_to)])
    return _end_use(state, seat, field, since)


# Wands -------------------------------------------------------------------------------------------


def can_freeze(state: Position, seat: Seat, cell: Cell) -> Refusal | None:
    """BB-WEAPON-06, -10."""
    if cell // PLACES != seat or cell % PLACES >= FIELD:
        return no("not-on-own-field", "BB-WEAPON-06", *state.on_table(cell))
    if not state.fields[seat].on(cell % PLACES):
        return no("no-skeletons", "BB-WEAPON-10", cell)
    return None


def do_freeze(state: Position, seat: Seat, cell: Cell) -> list[Event]:
    return _freeze(state, seat, range(cell % PLACES, cell % PLACES + 1))


def can_freeze_all(state: Position, seat: Seat) -> Refusal | None:
    """BB-WEAPON-10."""
    if not any(PLACE_OF[skeleton] < FIELD for skeleton in state.fields[seat].tokens):
        return no("no-skeletons", "BB-WEAPON-10")
    return None


def do_freeze_all(state: Position, seat: Seat) -> list[Event]:
    return _freeze(state, seat, range(FIELD))


def _freeze(state: Position, seat: Seat, places: range) -> list[Event]:
    """Unmoved ones skip this march, moved ones the next (BB-WEAPON-11, -12)."""
    field, since = _begin_use(state, seat)
    field.tokens = [frozen(one) if PLACE_OF[one] in places else one for one in field.tokens]
    cells = [seat * PLACES + place for place in places if field.on(place)]
    state.tell(seat, "frozen", {"seat": seat, "cells": cells})
    return _end_use(state, seat, field, since)


def can_banish(state: Position, seat: Seat, target: Seat) -> Refusal | None:
    """BB-WEAPON-13."""
    return None if target in state.mode.others[seat] else no("no-such-target", "BB-WEAPON-13")


def do_banish(state: Position, seat: Seat, target: Seat) -> list[Event]:
    """Sends those whose destruction woke the wand; who falls later goes to the bag (BB-BOOK-04)."""
    field, since = _begin_use(state, seat)
    assert field.ask is not None
    (first,) = field.ask.options
    field.out.extend((target, kind) for kind in field.slain[first:])
    del field.slain[first:]
    state.tell(seat, "banished", {"seat": seat, "to_seat": target})
    return _end_use(state, seat, field, since)


def can_teleport(state: Position, seat: Seat, cell: Cell) -> Refusal | None:
    """BB-WEAPON-14."""
    field, place = state.fields[seat], cell % PLACES
    if cell // PLACES != seat or place >= FIELD:
        return no("not-on-own-field", "BB-WEAPON-14", *state.on_table(cell))
    if place == field.hero:
        return no("already-there", "BB-WEAPON-14", cell)
    if place in field.towers or (state.mode.pegasus and not field.on(place)):
        return None
    return no("no-standing-tower", "BB-WEAPON-14", cell)


def do_teleport(state: Position, seat: Seat, cell: Cell) -> list[Event]:
    field, since = _begin_use(state, seat)
    field.hero = cell % PLACES
    state.tell(seat, "teleported", {"seat": seat, "cell": cell})
    return _end_use(state, seat, field, since)


# Blades ------------------------------------------------------------------------------------------


def can_strike(state: Position, seat: Seat, cell: Cell) -> Refusal | None:
    return can_step(state, seat, cell)


def do_strike(state: Position, seat: Seat, cell: Cell) -> list[Event]:
    field, since = _begin_use(state, seat)
    move_hero(state, seat, field, cell, counts=False)
    return _end_use(state, seat, field, since)


def _hewn(field: Field, symbol: int) -> list[int]:
    """The skeletons beside the hero that bear a symbol."""
    beside = BESIDE[field.hero]
    return [one for one in field.tokens if PLACE_OF[one] in beside and SYMBOL[KIND_OF[one]] == symbol]


def can_hew(state: Position, seat: Seat, symbol: int) -> Refusal | None:
    """BB-WEAPON-17."""
    field = state.fields[seat]
    if not _hewn(field, symbol):
        return no("no-such-symbol", "BB-WEAPON-17", *(seat * PLACES + cell for cell in BESIDE[field.hero]))
    return None


def do_hew(state: Position, seat: Seat, symbol: int) -> list[Event]:
    field, since = _begin_use(state, seat)
    _fell(state, seat, field, seat * PLACES + field.hero, _hewn(field, symbol))
    return _end_use(state, seat, field, since)


# Flail and rapier --------------------------------------------------------------------------------


def _can_reach(state: Position, seat: Seat, cell: Cell, rule: str) -> Refusal | None:
    """Why the skeletons of a cell are not within reach of the hero."""
    field = state.fields[seat]
    if cell // PLACES != seat or cell % PLACES not in AROUND[field.hero]:
        return no("not-around-hero", rule, *state.on_table(cell))
    if not field.on(cell % PLACES):
        return no("no-skeletons", rule, cell)
    return None


def can_fling(state: Position, seat: Seat, cell: Cell, to: Cell) -> Refusal | None:
    """BB-WEAPON-18, -19."""
    refusal = _can_reach(state, seat, cell, "BB-WEAPON-18")
    if refusal is not None:
        return refusal
    field, place = state.fields[seat], to % PLACES
    if to // PLACES != seat or place not in AROUND[field.hero] or to == cell:
        return no("not-around-hero", "BB-WEAPON-18", *state.on_table(to))
    if field.traps[place] or place in field.towers or (state.mode.flail_empty and field.on(place)):
        return no("not-empty", "BB-WEAPON-19", to)
    return None


def do_fling(state: Position, seat: Seat, cell: Cell, to: Cell) -> list[Event]:
    field, since = _begin_use(state, seat)
    start = cell % PLACES
    field.tokens = [moved(one, to % PLACES) if PLACE_OF[one] == start else one for one in field.tokens]
    state.tell(seat, "flung", {"seat": seat, "cell": cell, "to_cell": to})
    return _end_use(state, seat, field, since)


def can_aim(state: Position, seat: Seat, cell: Cell) -> Refusal | None:
    return _can_reach(state, seat, cell, "BB-WEAPON-20")


def do_aim(state: Position, seat: Seat, cell: Cell) -> list[Event]:
    """Names the cell; then its skeletons are turned, all one way (BB-WEAPON-20, BB-BOOK-06).

    The German edition turns one by one whom no instructor leads.
    """
    field, since = _begin_use(state, seat)
    found = sorted(field.on(cell % PLACES))
    is_led = any(ABILITY[KIND_OF[skeleton]] == INSTRUCTOR for skeleton in found)
    field.queue = tuple(found) if state.mode.rapier_turns_each and not is_led else ()
    field.ask = Ask("face", seat, cell=cell % PLACES)
    return go_on(state, seat, field, since)


def can_face(state: Position, seat: Seat, direction: int) -> Refusal | None:
    return None


def do_face(state: Position, seat: Seat, direction: int) -> list[Event]:
    field, since = state.own(seat), len(state.told[seat])
    assert field.ask is not None
    cell = field.ask.cell
    found = [field.queue[0]] if field.queue else field.on(cell)
    field.queue = field.queue[1:]
    for skeleton in found:
        field.tokens.remove(skeleton)
        field.tokens.append(turned(skeleton, direction))
    names = [KIND_NAMES[KIND_OF[skeleton]] for skeleton in found]
    state.tell(seat, "turned", {"seat": seat, "cell": seat * PLACES + cell, "skeletons": names})
    if field.queue:
        return go_on(state, seat, field, since)
    return _end_use(state, seat, field, since)


def list_face(state: Position, seat: Seat, *asked: object) -> list[Action]:
    return list(FACE)
