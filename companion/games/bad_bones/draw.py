"""Phase IV: skeletons are drawn from the bag and enter the forest; the same goes for the first ones."""

from __future__ import annotations

from functools import cache

from companion.engine.action import Action, Seat
from companion.engine.state import Event, Refusal, no
from companion.games.bad_bones.pieces import (
    DRAWS,
    FIELD,
    INWARD,
    NECROMANCER,
    PLACES,
    RED,
    STARTING_SKELETONS,
)
from companion.games.bad_bones.position import Position
from companion.games.bad_bones.printed import ABILITY, KIND_NAMES, ORDINARY, PRINTED, SYMBOL, TYPE
from companion.games.bad_bones.tokens import PLACE_OF, token
from companion.games.bad_bones.verbs import DRAW

_ENTERED = tuple(
    tuple(
        token(spot, kind, INWARD[(spot - FIELD) // 5])
        for kind, spot in enumerate(side.spots[t] for t in TYPE)
    )
    for side in (PRINTED.standard, PRINTED.coop)
)
"""A token of each kind on its forest spot, ready and tip inward, on the standard and the cooperative side."""


def can_draw(state: Position, seat: Seat, kind: int) -> Refusal | None:
    """BB-NEW-08, and in set-up BB-SETUP-08, -09, BB-COOP-06, BB-CMD-04."""
    if kind >= len(state.bag.counts) or not state.bag.can_be_next(kind):
        return no("not-drawn", "BB-NEW-08")
    rule = _rule_against(state, kind) if state.todo[-1][0] == "deal" else ""
    return no("put-back", rule) if rule else None


def _rule_against(state: Position, kind: int) -> str:
    """The rule by which a token drawn in set-up goes back, or ""."""
    if ABILITY[kind] and state.mode.redraw_commanders:
        return "BB-CMD-04"
    if SYMBOL[kind] not in _barred_symbols(state):
        return ""
    if state.mode.coop:
        return "BB-COOP-06"
    return "BB-SETUP-08" if SYMBOL[kind] == RED else "BB-SETUP-09"


def _barred_symbols(state: Position) -> tuple[int, ...]:
    """The symbols that go back when the seat draws them in set-up (BB-SETUP-08, -09).

    One of each symbol is wanted; the three that a necromancer brings come on top of them.
    """
    barred = () if state.mode.coop else (RED,)
    return barred + state.symbols if state.mode.distinct and not state.extra else barred


@cache
def _draws_without(symbols: tuple[int, ...], kinds: int) -> tuple[tuple[int, Action], ...]:
    return tuple((kind, DRAW[kind]) for kind in range(kinds) if SYMBOL[kind] not in symbols)


def do_draw(state: Position, seat: Seat, kind: int) -> list[Event]:
    """Puts a drawn token on the cemetery of the seat that draws (BB-NEW-01, BB-CMD-07…09)."""
    is_deal = state.todo[-1][0] == "deal"
    state.bag.take(kind)
    state.cemetery[state.seat] += (kind,)
    state.draws -= 1
    if state.extra:
        state.extra -= 1
    elif is_deal:
        state.symbols += (SYMBOL[kind],)
    events = [Event("drew", {"seat": state.seat, "skeleton": KIND_NAMES[kind]})]
    if ABILITY[kind] == NECROMANCER:
        state.draws += DRAWS
        if is_deal:
            state.extra += DRAWS
        events.append(Event("necromancer", {"seat": state.seat, "n": DRAWS, "skeleton": KIND_NAMES[kind]}))
    if not state.draws or not state.bag.size:
        _next_seat(state, is_deal)
    return events


def _next_seat(state: Position, is_deal: bool) -> None:
    """Seat by seat from the first, until the bag is empty (BB-NEW-07)."""
    if is_deal:
        state.seat += 1
        state.draws = STARTING_SKELETONS
        state.symbols = ()
        if state.seat == state.mode.players:
            state.seat = 0
            state.take()
        return
    if not state.draws:
        state.seat += 1
        state.draws = DRAWS
    if state.seat == state.mode.players or not state.bag.size:
        state.take()


def deals(state: Position) -> list[tuple[Action, int]]:
    """What stays with the seat when it draws in set-up."""
    left = state.bag.counts
    kinds = ORDINARY if state.mode.redraw_commanders else len(left)
    wanted = _draws_without(_barred_symbols(state), kinds)
    return [(action, left[kind]) for kind, action in wanted if left[kind]]


def draws(state: Position) -> list[tuple[Action, int]]:
    return state.bag.outcomes(DRAW)


def begin_draw(state: Position, events: list[Event]) -> None:
    """BB-NEW-01, BB-NEW-07."""
    state.seat = 0
    state.draws = DRAWS
    if state.bag.size:
        state.push(("draw",))


def enter(state: Position, events: list[Event]) -> None:
    """Every cemetery empties into the forest around its own board (BB-NEW-02…05)."""
    entered_as = _ENTERED[state.mode.coop]
    for seat in range(state.mode.players):
        kinds = state.cemetery[seat]
        if not kinds:
            continue
        field = state.own(seat)
        entered = [entered_as[kind] for kind in kinds]
        state.cemetery[seat] = ()
        field.tokens = sorted(field.tokens + entered)
        cells = [seat * PLACES + PLACE_OF[skeleton] for skeleton in entered]
        names = [KIND_NAMES[kind] for kind in kinds]
        events.append(Event("entered", {"seat": seat, "skeletons": names, "cells": cells}))
