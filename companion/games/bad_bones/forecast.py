"""What the next march will do to a board, skeleton by skeleton, and what an action would change about it."""

from __future__ import annotations

from typing import Any

from companion.engine.action import Seat
from companion.engine.game import View
from companion.games.bad_bones.field import Field
from companion.games.bad_bones.modes import ModeRules
from companion.games.bad_bones.paths import ENDS, GOAL, STAYS, TOWER, MovePath, follow
from companion.games.bad_bones.pieces import (
    DIRECTIONS,
    EMPEROR,
    PEACEMAKER,
    PLACES,
    SAPPER,
)
from companion.games.bad_bones.printed import ABILITY
from companion.games.bad_bones.squads import company
from companion.games.bad_bones.tokens import FACING_OF, KIND_OF, PLACE_OF, READY, STATUS_OF

Forecast = list[dict[str, Any]]
ALL = 9
"""More floors or houses than anybody has."""


def forecast(mode: ModeRules, field: Field, seat: Seat, marching_to: int) -> Forecast:
    """What the next march does to every skeleton of a board, in the default order, as `fates` tells it."""
    if field.memo is not None and field.memo[0] == marching_to:
        found: Forecast = field.memo[1]
        return found
    base = seat * PLACES
    entries: Forecast = []
    for skeleton in sorted(field.tokens):
        if STATUS_OF[skeleton] == READY:
            path = follow(mode, field, seat, company(field, skeleton), (), marching_to)
            entries.append(_describe(path, base, KIND_OF[skeleton]))
        else:
            facing = DIRECTIONS[FACING_OF[skeleton]]
            to = base + PLACE_OF[skeleton]
            entries.append({"path": [], "end": ENDS[STAYS], "to": to, "turned": facing})
    field.memo = (marching_to, entries)
    return entries


def _describe(path: MovePath, base: int, kind: int) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "path": [base + place for place in path.cells[1:]],
        "end": "" if path.ask is not None else ENDS[path.end],
        "to": base + path.place if path.place >= 0 else -1,
        "turned": DIRECTIONS[path.facing],
    }
    damage = {SAPPER: 2, PEACEMAKER: 0, EMPEROR: ALL}.get(ABILITY[kind], 1)
    if path.ask is not None:
        entry["choice"] = path.ask.verb
    elif path.end == TOWER:
        entry["floors"] = damage
    elif path.end == GOAL:
        entry["houses"] = damage
    return entry


def fates(view: View, seat: Seat) -> list[dict[str, Any]]:
    """Every skeleton of a board with what the next march brings it.

    `path` are the cells it enters, `end` is what its move comes to, `to` and `turned` where it then stands
    and faces, `choice` the owner's decision that it waits for (then `end` is empty), `floors` and `houses`
    what it will destroy; the emperor destroys all.
    """
    return [
        {"cell": cell, "skeleton": kind, "facing": facing, "choice": "", "floors": 0, "houses": 0} | entry
        for (cell, kind, facing, *_), entry in zip(
            view["skeletons"][seat], view["forecast"][seat], strict=True
        )
    ]


def changes(before: View, after: View, seat: Seat) -> list[dict[str, Any]]:
    """What an action would change about the next march on a board: the skeletons that fare differently.

    Each entry is the new fate, with the old one as `before`; a skeleton that is gone has only `before`.
    """
    old = fates(before, seat)
    found = []
    for entry in fates(after, seat):
        if entry in old:
            old.remove(entry)
        else:
            found.append(entry)
    paired = []
    for entry in found:
        who = (entry["cell"], entry["skeleton"])
        same = next((other for other in old if (other["cell"], other["skeleton"]) == who), None)
        if same is not None:
            old.remove(same)
        paired.append(entry | {"before": same})
    return paired + [{"before": entry} for entry in old]
