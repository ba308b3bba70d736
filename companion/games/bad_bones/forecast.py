"""What the next march will do to a board, skeleton by skeleton, and what an action would change about it."""

from __future__ import annotations

from typing import Any

from companion.engine.action import Seat
from companion.engine.game import View
from companion.games.bad_bones.field import READY, Field
from companion.games.bad_bones.march import ENDS, GOAL, STAYS, TOWER, Course, course
from companion.games.bad_bones.pieces import (
    DIRECTIONS,
    EMPEROR,
    PEACEMAKER,
    PLACES,
    SAPPER,
)
from companion.games.bad_bones.printed import ABILITY
from companion.games.bad_bones.squads import company
from companion.games.bad_bones.terms import Terms

Forecast = list[dict[str, Any]]
ALL = 9
"""More floors or houses than anybody has."""


def forecast(terms: Terms, field: Field, seat: Seat, marching_to: int) -> Forecast:
    """What the next march does to every skeleton of a board, in the default order, as `fates` tells it."""
    if field.memo is not None and field.memo[0] == marching_to:
        found: Forecast = field.memo[1]
        return found
    base = seat * PLACES
    entries: Forecast = []
    for skeleton in sorted(field.tokens):
        place = skeleton >> 10
        if skeleton & 3 == READY:
            way = course(terms, field, seat, company(field, skeleton), (), marching_to)
            entries.append(_describe(way, base, skeleton >> 4 & 63))
        else:
            facing = DIRECTIONS[skeleton >> 2 & 3]
            entries.append({"path": [], "end": ENDS[STAYS], "to": base + place, "turned": facing})
    field.memo = (marching_to, entries)
    return entries


def _describe(way: Course, base: int, kind: int) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "path": [base + place for place in way.path[1:]],
        "end": "" if way.ask is not None else ENDS[way.end],
        "to": base + way.place if way.place >= 0 else -1,
        "turned": DIRECTIONS[way.facing],
    }
    damage = {SAPPER: 2, PEACEMAKER: 0, EMPEROR: ALL}.get(ABILITY[kind], 1)
    if way.ask is not None:
        entry["choice"] = way.ask.verb
    elif way.end == TOWER:
        entry["floors"] = damage
    elif way.end == GOAL:
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
