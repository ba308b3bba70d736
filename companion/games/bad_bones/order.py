"""Whether the order of moves matters (ledger 5.4.6): then the owner is asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from companion.engine.action import Seat
from companion.games.bad_bones.field import Field
from companion.games.bad_bones.modes import ModeRules
from companion.games.bad_bones.paths import GOAL, SLAIN, STANDS, TOWER, paths, wakes
from companion.games.bad_bones.pieces import EMPEROR, FIELD, INSTRUCTOR, PEACEMAKER, PLACES, WAKES_A_WEAPON
from companion.games.bad_bones.printed import ABILITY, ORDINARY
from companion.games.bad_bones.squads import squad
from companion.games.bad_bones.tokens import FACING_OF, KIND_OF, PLACE_OF, READY, STATUS_OF

HOUSES_PLACE = PLACES
"""Stands for the village or the capital among the places where skeletons meet."""


class Meeting(NamedTuple):
    """The unmoved skeletons that may come to one place in this march."""

    place: int
    crew: set[int]
    number: int
    """How many they are; equal tokens are one in `crew`."""

    def has(self, ability: int) -> bool:
        """Says whether one of them has an ability."""
        return any(ABILITY[KIND_OF[skeleton]] == ability for skeleton in self.crew)


def order_matters_for(mode: ModeRules, field: Field, seat: Seat, marching_to: int) -> set[int]:
    """The unmoved skeletons whose order can change what happens; the rest may go at any time.

    It errs on the side of asking. Order counts for squads, for a weapon that may become usable, for a
    cooperative tower that several may reach, for a peacemaker among others at a tower, ruin or village, and
    for the emperor among others at the hero.
    """
    armed = _is_armed(mode, field)
    if not (mode.commanders or armed or mode.coop):
        return set()
    ready = [skeleton for skeleton in field.tokens if STATUS_OF[skeleton] == READY]
    needed = max(1, WAKES_A_WEAPON - len(field.slain))
    armed = armed and len(ready) >= needed
    led = mode.commanders and any(KIND_OF[skeleton] >= ORDINARY for skeleton in ready)
    if len(ready) < 2 or not (led or armed or mode.coop):
        return set()
    instructors = [one for one in ready if ABILITY[KIND_OF[one]] == INSTRUCTOR] if led else []
    squads = [group for group in [squad(field, one) for one in instructors] if len(group) > 1]
    groups = [*((skeleton,) for skeleton in ready), *squads]
    meetings = _meetings(mode, field, seat, groups, ready, marching_to)
    if armed and any(meeting.place == field.hero and meeting.number >= needed for meeting in meetings):
        return set(ready)
    rebuilds = mode.coop and any(_may_rebuild(mode, field, meeting) for meeting in meetings)
    found = {skeleton for group in squads for skeleton in group}
    for meeting in meetings:
        if _matters_at(mode, field, meeting, rebuilds):
            found |= meeting.crew
            found.update(skeleton for skeleton in ready if PLACE_OF[skeleton] == meeting.place)
    return found


def _meetings(
    mode: ModeRules,
    field: Field,
    seat: Seat,
    groups: Iterable[tuple[int, ...]],
    ready: list[int],
    marching_to: int,
) -> list[Meeting]:
    """Who may come to each tower, the hero, a ruin, the village or capital."""
    crews: dict[int, set[int]] = {}
    near, plain, traps = wakes(mode, field), mode.side.plain, field.traps
    known: dict[tuple[int, int], set[int]] = {}
    for group in groups:
        # Where a group comes depends only on where its leader stands and faces.
        start, facing = begin = PLACE_OF[group[0]], FACING_OF[group[0]]
        step = plain[start][facing]
        if step is not None and not near[step[0]] and (start >= FIELD or not traps[start]):
            continue  # only a step onto a plain cell
        if begin not in known:
            known[begin] = _meets(mode, field, seat, group, marching_to)
        for place in known[begin]:
            crews.setdefault(place, set()).update(group)
    return [
        Meeting(place, crew, sum([skeleton in crew for skeleton in ready])) for place, crew in crews.items()
    ]


def _meets(mode: ModeRules, field: Field, seat: Seat, group: tuple[int, ...], marching_to: int) -> set[int]:
    """The places where a group may meet a tower, the hero, a ruin, the village or capital."""
    found = set()
    for path in paths(mode, field, seat, group, marching_to):
        if path.end == GOAL:
            found.add(HOUSES_PLACE)
        elif path.end in (TOWER, SLAIN) or (path.end == STANDS and path.place in mode.side.towers):
            found.add(path.place)
    return found


def _is_armed(mode: ModeRules, field: Field) -> bool:
    """Says whether the hero may use a weapon; in a tower of the standard side he destroys nobody."""
    if field.weapon < 0 or field.hero < 0 or field.used:
        return False
    return mode.coop or field.hero not in field.towers


def _may_rebuild(mode: ModeRules, field: Field, meeting: Meeting) -> bool:
    """Says whether a peacemaker may rebuild a cooperative tower, now or after another has broken it."""
    if meeting.place not in mode.side.towers or not meeting.has(PEACEMAKER):
        return False
    return meeting.number > 1 or meeting.place not in field.towers


def _matters_at(mode: ModeRules, field: Field, meeting: Meeting, rebuilds: bool) -> bool:
    """Says whether the order of those who meet somewhere can change what happens."""
    several, is_tower = meeting.number > 1, meeting.place in field.towers
    if meeting.place == field.hero and not is_tower:
        return several and meeting.has(EMPEROR)
    if mode.coop and is_tower:
        return several or rebuilds
    return meeting.has(PEACEMAKER) and (several or (rebuilds and meeting.place != HOUSES_PLACE))
