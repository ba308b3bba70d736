"""What the next march will do to a board, skeleton by skeleton, and what an action would change about it."""

from __future__ import annotations

from typing import Any

from companion.action import Seat
from companion.game import View
from companion.games.bad_bones.field import READY, Field
from companion.games.bad_bones.march import ENDS, GOAL, STAYS, TOWER, Course, course, squad
from companion.games.bad_bones.pieces import (
    DIRECTIONS,
    EMPEROR,
    FIELD,
    INSTRUCTOR,
    PEACEMAKER,
    PLACES,
    SAPPER,
)
from companion.games.bad_bones.printed import ABILITY, KIND_NAMES
from companion.games.bad_bones.terms import Terms

Forecast = list[dict[str, Any]]


def forecast(terms: Terms, field: Field, seat: Seat, marching_to: int) -> Forecast:
    """Where every skeleton of a board will be after the next march, in the default order.

    `end` is what its move comes to, `choice` the owner's decision that it waits for (then `end` is empty),
    `floors` and `houses` what it will destroy; the emperor destroys all.
    """
    if field.memo is not None and field.memo[0] == marching_to:
        found: Forecast = field.memo[1]
        return found
    leaders = {
        skeleton >> 10: skeleton
        for skeleton in sorted(field.tokens, reverse=True)
        if ABILITY[skeleton >> 4 & 63] == INSTRUCTOR and skeleton & 3 == READY and skeleton >> 10 < FIELD
    }
    base = seat * PLACES
    entries: Forecast = []
    for skeleton in sorted(field.tokens):
        place, kind, facing = skeleton >> 10, skeleton >> 4 & 63, skeleton >> 2 & 3
        entry: dict[str, Any] = {
            "cell": base + place,
            "skeleton": KIND_NAMES[kind],
            "facing": DIRECTIONS[facing],
            "path": [base + place],
            "end": ENDS[STAYS],
            "to": base + place,
            "turned": DIRECTIONS[facing],
            "choice": "",
            "floors": 0,
            "houses": 0,
        }
        if skeleton & 3 == READY:
            leader = leaders.get(place, skeleton)
            way = course(terms, field, seat, squad(field, leader), (), marching_to)
            _describe(entry, way, base, kind)
        entries.append(entry)
    field.memo = (marching_to, entries)
    return entries


def _describe(entry: dict[str, Any], way: Course, base: int, kind: int) -> None:
    entry["path"] = [base + place for place in way.path]
    entry["to"] = base + way.place if way.place >= 0 else -1
    entry["turned"] = DIRECTIONS[way.facing]
    if way.ask is not None:
        entry["end"], entry["choice"] = "", way.ask.verb
        return
    entry["end"] = ENDS[way.end]
    damage = {SAPPER: 2, PEACEMAKER: 0, EMPEROR: 9}.get(ABILITY[kind], 1)
    if way.end == TOWER:
        entry["floors"] = damage
    elif way.end == GOAL:
        entry["houses"] = damage


def changes(before: View, after: View, seat: Seat) -> list[dict[str, Any]]:
    """What an action would change about the next march on a board: the skeletons that fare differently.

    Each entry is the new forecast, with the old one as `before`; a skeleton that is gone has only `before`.
    """
    old = list(before["boards"][seat]["forecast"])
    found = []
    for entry in after["boards"][seat]["forecast"]:
        if entry in old:
            old.remove(entry)
        else:
            found.append(entry)
    paired = []
    for entry in found:
        same = next(
            (o for o in old if (o["cell"], o["skeleton"]) == (entry["cell"], entry["skeleton"])), None
        )
        if same is not None:
            old.remove(same)
        paired.append(entry | {"before": same})
    return paired + [{"before": entry} for entry in old]
