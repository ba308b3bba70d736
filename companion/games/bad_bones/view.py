"""What each viewer may know, and states that look the same to a viewer.

Everything on the table is open, except what the other players have done in a phase that is not yet uncovered:
until then their boards look as they did when the phase began.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from companion.engine.action import Seat, Viewer
from companion.engine.game import View, shared_view
from companion.games.bad_bones.agenda import BadBones
from companion.games.bad_bones.field import Field
from companion.games.bad_bones.forecast import forecast
from companion.games.bad_bones.march import go_on
from companion.games.bad_bones.phases import VERBS_OF
from companion.games.bad_bones.pieces import (
    COLOURS,
    DIRECTIONS,
    FORM_OF,
    FORMS,
    IS_WORN,
    PLACES,
    TRAPS,
    WEAPONS,
)
from companion.games.bad_bones.printed import KIND_NAMES
from companion.games.bad_bones.score import points
from companion.games.bad_bones.tokens import FACING_OF, KIND_OF, PLACE_OF, READY, STATUS_OF, face_of

CAMERA: Viewer = -3
"""The camera looks at the real boards, where a hero stands as soon as somebody has put it there."""


def view(state: BadBones, viewer: Viewer) -> View:
    """Builds what the viewer may know."""
    mode = state.mode
    seen = shared_view("bad_bones", state) | on_table(state, viewer)
    seen["needs"] = [[seat, verbs] for seat, verbs in _needs(state, viewer)]
    fields = seen_fields(state, viewer)
    seen |= {
        "phase": state.phase(),
        "round": state.round,
        "rounds": mode.rounds,
        "heroic": state.heroic,
        "phase_board": "green" if mode.rounds else "normal",
        "board_side": "coop" if mode.coop else "standard",
        "seat": state.seat,
        "draws": state.draws,
        "bag": state.bag.size,
        "left": {KIND_NAMES[kind]: n for kind, n in enumerate(state.bag.counts) if n},
        "common": _tiles(state.common),
        "lifted": _tiles([state.lifted.count(trap) for trap in range(len(TRAPS))]),
        "offer": _tiles(state.offer[: len(TRAPS)]),
        "weapons_offered": [
            name for name, left in zip(WEAPONS, state.offer[len(TRAPS) :], strict=True) if left
        ],
        "coins": state.coins[:],
    }
    boards = [_board(state, seat, field, _is_open(state, viewer, seat)) for seat, field in enumerate(fields)]
    return seen | {key: [one[key] for one in boards] for key in boards[0]}


def on_table(state: BadBones, viewer: Viewer) -> View:
    """The part of the view that lies on the boards."""
    boards = [_on_board(state, seat, field) for seat, field in enumerate(seen_fields(state, viewer))]
    return {
        "players": state.mode.players,
        "coop": state.mode.coop,
        "marker": COLOURS[state.marker()],
        "capital": state.capital,
    } | {key: [one[key] for one in boards] for key in boards[0]}


def _is_open(state: BadBones, viewer: Viewer, seat: Seat) -> bool:
    """Says whether the viewer sees what a seat is doing in this phase."""
    return state.shown is None or viewer in (seat, CAMERA)


def seen_fields(state: BadBones, viewer: Viewer) -> list[Field]:
    """The boards as the viewer sees them."""
    return [
        state.fields[seat] if state.shown is None or _is_open(state, viewer, seat) else state.shown[seat]
        for seat in range(state.mode.players)
    ]


def _needs(state: BadBones, viewer: Viewer) -> list[tuple[Seat, list[str]]]:
    """Who must act; what a covered player still has to choose is his own business."""
    return [
        (need.seat, list(need.verbs))
        if need.seat < 0 or _is_open(state, viewer, need.seat)
        else (need.seat, list(VERBS_OF[state.phase()]))
        for need in state.needs()
    ]


def _tiles(numbers: Sequence[int]) -> dict[str, int]:
    return {TRAPS[trap]: n for trap, n in enumerate(numbers) if n}


def _on_board(state: BadBones, seat: Seat, field: Field) -> dict[str, Any]:
    """What lies on one player's board, by key."""
    base = seat * PLACES
    to = state.marching_to
    return {
        "hero": base + field.hero if field.hero >= 0 else -1,
        "towers": [base + cell for cell in state.mode.side.towers if cell in field.towers],
        "floors": field.floors,
        "houses": field.houses,
        "cemetery": [KIND_NAMES[kind] for kind in state.cemetery[seat]],
        "skeletons": [
            [
                base + PLACE_OF[one],
                KIND_NAMES[KIND_OF[one]],
                DIRECTIONS[FACING_OF[one]],
                COLOURS[face_of(one, to)],
                STATUS_OF[one] == READY,
            ]
            for one in sorted(field.tokens)
        ],
        "traps": [
            [base + cell, FORMS[FORM_OF[code]], IS_WORN[code]]
            for cell, code in enumerate(field.traps)
            if code
        ],
    }


def _board(state: BadBones, seat: Seat, field: Field, is_open: bool) -> dict[str, Any]:
    """The rest of one player's part of the view, by key."""
    base = seat * PLACES
    ask = field.ask if is_open else None
    return {
        "fallen": ("", "tower", "village", "emperor")[field.fallen],
        "points": points(field),
        "weapon": WEAPONS[field.weapon] if field.weapon >= 0 else "",
        "supply": _tiles(field.supply),
        "triggered": [base + cell for cell in sorted(field.hits)],
        "slain": len(field.slain),
        "squads": {
            KIND_NAMES[leader]: [KIND_NAMES[kind] for kind in followers]
            for leader, followers in field.squads.items()
        },
        "sent": [[where, KIND_NAMES[kind]] for where, kind in field.out],
        "ask": None if ask is None else {"verb": ask.verb, "cell": base + ask.cell if ask.cell >= 0 else -1},
        "forecast": forecast(state.mode, field, seat, state.marching_to),
    }


def disguise(state: BadBones, viewer: Viewer, rng: Random) -> BadBones:
    """Lets those who have finished the phase under cover have done something else."""
    other = state.copy()
    if state.shown is None:
        return other
    for seat in range(state.mode.players):
        if _is_open(state, viewer, seat) or seat in state.busy or not _chose(state, seat):
            continue
        other.fields[seat] = state.shown[seat]
        other.told[seat] = ()
        other.busy = tuple(sorted((*other.busy, seat)))
        other.todo[-1] = (other.todo[-1][0].removeprefix("uncover-"),)
        if state.phase() == "march":
            go_on(other, seat, other.own(seat), 0)
        other.settle([])
        while seat in other.busy:
            other.apply(seat, rng.choice(other.actions(seat)))
    return other


def _chose(state: BadBones, seat: Seat) -> bool:
    """Says whether the seat had anything to choose in this phase."""
    return state.phase() != "march" or state.fields[seat].asked
