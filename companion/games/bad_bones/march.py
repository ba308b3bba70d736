"""How a skeleton moves: the one place where a step is worked out (ledger 5.2).

`course` only looks: it follows one move over arrows, walls and springs to its end and names what is triggered
on the way, or the choice that the owner must make first. The march, the scattering by a dragon, the forecast
and the question whether order matters all read the same course.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine.action import Seat
from companion.games.bad_bones.field import READY, Ask, Field
from companion.games.bad_bones.pieces import (
    BESIDE,
    BOUNCE,
    CATAPULT,
    CRATER,
    DRAGON,
    DYNAMITE,
    EMPEROR,
    FIELD,
    FORM_OF,
    HEARSE,
    INWARD,
    MAZE,
    MAZE_COLOUR,
    NEXT,
    PALISADE,
    PEACEMAKER,
    PORTAL,
    SABOTEUR,
    SPRING,
    TOWARDS,
    TRAP_OF,
    TREASURE,
    TREASURE_CODE,
    WALL,
)
from companion.games.bad_bones.printed import ABILITY, ORDINARY, TO_ANY, TO_LEFT, TO_RIGHT, TYPE
from companion.games.bad_bones.squads import squad
from companion.games.bad_bones.terms import Terms

(STANDS, STAYS, TOWER, GOAL, LEFT, THROWN, LOADED, SLAIN, BLOWN, IMPALED, RETURNED) = range(11)
ENDS = (
    "stands",
    "stays",
    "tower",
    "goal",
    "gone",
    "thrown",
    "loaded",
    "slain",
    "blown-up",
    "impaled",
    "returned",
)
"""What a move can come to; `goal` is the village or the capital, `gone` somebody's cemetery."""


HOUSES_PLACE = 63
"""Stands for the village or the capital among the places where skeletons meet."""


class Course:
    """Where one move leads: its path, what it triggers, and its end or the choice that it waits for."""

    __slots__ = ("ask", "end", "facing", "hits", "path", "place", "targets", "victims", "wrecked")

    def __init__(self, start: int) -> None:
        self.path = [start]
        self.hits = 0
        """Cells whose trap is triggered."""
        self.wrecked = 0
        """Cells whose trap is run into, triggered or not (BB-CMD-32)."""
        self.end = STANDS
        self.place = start
        self.facing = 0
        self.targets: tuple[Seat, ...] = ()
        """Who receives each skeleton of the group."""
        self.victims: tuple[int, ...] = ()
        """Those of a squad that a cooperative tower stopped."""
        self.ask: Ask | None = None


WAKING = bytes(code != 0 and code != CRATER for code in range(256))


def wakes(terms: Terms, field: Field) -> bytearray:
    """By cell, whether entering is more than standing on a plain cell: towers, ruins, hero, tiles, lure."""
    near = field.traps.translate(WAKING)
    for tower in terms.side.towers:
        near[tower] = 1
    if field.hero >= 0:
        near[field.hero] = 1
    treasure = field.treasure()
    if treasure >= 0:
        for cell in BESIDE[treasure]:
            near[cell] = 1
    return near


def course(
    terms: Terms,
    field: Field,
    seat: Seat,
    group: tuple[int, ...],
    answers: tuple[int, ...],
    marching_to: int,
    scared: bool = False,
) -> Course:
    """Follows the move of a group, its leader first (BB-MOVE-10, -11).

    `scared` starts on a dragon that was laid on the group. `answers` are the choices made so far.
    """
    leader = group[0]
    start, direction = leader >> 10, leader >> 2 & 3
    way = Course(start)
    way.facing = direction
    traps = field.traps
    given = iter(answers)
    treasure = traps.find(TREASURE_CODE)
    seen: list[tuple[int, int, bool]] = []
    scattered: list[tuple[int, int]] = []
    flying = fleeing = False
    cell = start
    if not scared:
        if start < FIELD and TRAP_OF[traps[start]] == MAZE and MAZE_COLOUR[traps[start]] == marching_to:
            way.end = STAYS  # BB-MAZE-03
            return way
        cell = NEXT[start][direction]
    while True:
        if cell < 0:
            return _leave(terms, seat, group, way, direction, given)
        if not scared:
            way.path.append(cell)
        trap = TRAP_OF[traps[cell]] if traps[cell] != CRATER else -1
        if not scared:
            if trap == PALISADE:
                way.hits |= 1 << cell
                way.wrecked |= 1 << cell
                way.end = IMPALED if flying else STAYS
                return way
            if field.towers >> cell & 1:
                way.place, way.end = cell, TOWER
                if terms.coop:
                    _meet_tower(terms, field, group, way, direction, given)
                return way
            if field.hero == cell:
                way.place, way.end = cell, SLAIN
                return way
            if (cell, direction, flying) in seen:
                return _stand(way, cell, direction)
            lured = TOWARDS.get((cell, treasure), -1) if treasure >= 0 else -1
            if lured >= 0 and (trap < 0 or terms.lure_beats_traps):
                return _stand(way, cell, lured)
            if trap < 0:
                turned = direction if fleeing else terms.side.arrows[cell * 4 + direction]
                return _stand(way, cell, turned)
            seen.append((cell, direction, flying))
            way.wrecked |= 1 << cell
            if trap in (TREASURE, MAZE):
                return _stand(way, cell, lured if lured >= 0 else direction)
            way.hits |= 1 << cell
        if trap == WALL:
            direction = BOUNCE[FORM_OF[traps[cell]]][direction]
            cell = NEXT[cell][direction]
            flying = fleeing = False
        elif trap == SPRING:
            over = NEXT[cell][direction]
            cell = NEXT[over][direction] if over >= 0 else -1
            flying, fleeing = True, False
        elif trap == DRAGON:
            options = scatter_options(terms, field, cell, scattered, scared)
            if not options:
                way.end, way.facing = STAYS, leader >> 2 & 3
                return way
            choice = options[0] if len(options) == 1 else next(given, -1)
            if choice < 0:
                way.place, way.ask = cell, Ask("scatter", options, cell)
                return way
            direction = choice
            scattered.append((cell, direction))
            cell = NEXT[cell][direction]
            flying, fleeing = False, not terms.arrows_turn_scattered
            scared = False
        else:
            way.place = cell
            if trap == DYNAMITE:
                way.end = BLOWN
            elif trap == PORTAL:
                way.end = RETURNED
                way.place = terms.side.spots[TYPE[leader >> 4 & 63]]
                way.facing = INWARD[(way.place - FIELD) // 5]
            else:
                assert trap in (CATAPULT, HEARSE)
                way.end = THROWN if trap == CATAPULT else LOADED
                _aim(terms, field, seat, way, cell, given)
            return way


def _stand(way: Course, cell: int, facing: int) -> Course:
    way.end, way.place, way.facing = STANDS, cell, facing
    return way


def _leave(
    terms: Terms, seat: Seat, group: tuple[int, ...], way: Course, direction: int, given: Iterator[int]
) -> Course:
    """Leaves the field by the edge that the move crosses (BB-FOREST, BB-VILLAGE, BB-COOP-19, -20)."""
    way.place, way.facing, way.end = -1, direction, LEFT
    beyond = terms.side.exits[direction]
    if beyond == TO_LEFT:
        way.targets = (terms.left[seat],) * len(group)
    elif beyond == TO_RIGHT:
        way.targets = (terms.right[seat],) * len(group)
    elif beyond == TO_ANY:
        options = terms.edges[seat]
        for _ in group:
            target = options[0] if len(options) == 1 else next(given, -1)
            if target < 0:
                way.ask = Ask("send", options, way.path[-1])
                break
            way.targets += (target,)
    else:
        way.end = GOAL
    return way


def _aim(terms: Terms, field: Field, seat: Seat, way: Course, cell: int, given: Iterator[int]) -> None:
    """Finds the one opponent that this catapult or hearse serves in this phase (BB-CATAPULT-02)."""
    options = terms.others[seat]
    target = field.targets.get(cell, -1)
    if target < 0:
        target = options[0] if len(options) == 1 else next(given, -1)
    if target < 0:
        way.ask = Ask("send", options, cell)
    way.targets = (target,)


def _meet_tower(
    terms: Terms,
    field: Field,
    group: tuple[int, ...],
    way: Course,
    direction: int,
    given: Iterator[int],
) -> None:
    """A cooperative tower stops one skeleton at a time until it falls (BB-COOP-13…15).

    The rest of a squad goes on into what the fallen tower leaves: the hero, the lure or the ruin's arrow.
    """
    left = [skeleton >> 4 & 63 for skeleton in group]
    stands = True
    while stands and left:
        kinds = tuple(sorted(set(left)))
        kind = kinds[0] if len(kinds) == 1 else next(given, -1)
        if kind < 0:
            way.ask = Ask("give-up", kinds, way.place)
            return
        left.remove(kind)
        way.victims += (kind,)
        stands = ABILITY[kind] == PEACEMAKER
    treasure = field.treasure()
    lured = TOWARDS.get((way.place, treasure), -1)
    way.facing = lured if lured >= 0 else terms.side.arrows[way.place * 4 + direction]


def scatter_options(
    terms: Terms, field: Field, cell: int, scattered: list[tuple[int, int]], scared: bool = False
) -> tuple[int, ...]:
    """The directions into which a dragon may scatter (BB-DRAGON-04, -05, -14).

    A palisade behind a wall would leave the `scared` on the dragon's own cell, so they go elsewhere
    (BB-BOOK-08).
    """
    options = []
    for direction, other in enumerate(NEXT[cell]):
        if (cell, direction) in scattered:
            continue
        if other < 0:
            if terms.side.exits[direction] > TO_ANY:
                continue
        elif TRAP_OF[field.traps[other]] == PALISADE:
            continue
        if scared and other >= 0 and is_barred(terms, field, other, direction):
            continue
        options.append(direction)
    return tuple(options)


def is_barred(terms: Terms, field: Field, cell: int, direction: int) -> bool:
    """Says whether walls lead who enters a cell against a palisade, which leaves them where they were."""
    traps, treasure = field.traps, field.treasure()
    seen = set()
    while cell >= 0 and TRAP_OF[traps[cell]] == WALL and (cell, direction) not in seen:
        if field.hero == cell or (terms.lure_beats_traps and (cell, treasure) in TOWARDS):
            return False
        seen.add((cell, direction))
        direction = BOUNCE[FORM_OF[traps[cell]]][direction]
        cell = NEXT[cell][direction]
    return cell >= 0 and TRAP_OF[traps[cell]] == PALISADE


def courses(
    terms: Terms, field: Field, seat: Seat, group: tuple[int, ...], marching_to: int
) -> Iterator[Course]:
    """Every course that the owner's choices allow; who receives a skeleton makes no difference here."""
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        answers = waiting.pop()
        way = course(terms, field, seat, group, answers, marching_to)
        if way.ask is None:
            yield way
            continue
        options = way.ask.options[:1] if way.ask.verb == "send" else way.ask.options
        waiting.extend((*answers, option) for option in options)


def contested(terms: Terms, field: Field, seat: Seat, marching_to: int) -> set[int]:
    """The unmoved skeletons whose order can change what happens (ledger 5.4.6); the rest may go at any time.

    It errs on the side of asking. Order counts for squads, for a weapon that may become usable, for a
    cooperative tower that several may reach, for a peacemaker among others at a tower, ruin or village, and
    for the emperor among others at the hero.
    """
    armed = field.weapon >= 0 and field.hero >= 0 and not field.used
    if not (terms.commanders or armed or terms.coop):
        return set()
    ready = [skeleton for skeleton in field.tokens if skeleton & 3 == READY]
    chiefs = terms.commanders and any((skeleton >> 4 & 63) >= ORDINARY for skeleton in ready)
    if len(ready) < 2 or not (chiefs or armed or terms.coop):
        return set()
    result: set[int] = set()
    crowds: list[tuple[int, ...]] = [(skeleton,) for skeleton in ready]
    if chiefs:
        for skeleton in ready:
            group = squad(field, skeleton)
            if len(group) > 1:
                result.update(group)
                crowds.append(group)
    meetings: dict[int, set[int]] = {}
    near = wakes(terms, field)
    for crowd in crowds:
        for place in _meets(terms, field, seat, crowd, marching_to, near):
            meetings.setdefault(place, set()).update(crowd)
    counts = {place: sum(skeleton in group for skeleton in ready) for place, group in meetings.items()}
    hero = field.hero
    if armed and not (field.towers >> hero & 1 and not terms.coop):
        needed = 1 if len(field.slain) >= 3 else 3 - len(field.slain)
        if counts.get(hero, 0) >= needed:
            return set(ready)
    menders = {skeleton for skeleton in ready if ABILITY[skeleton >> 4 & 63] == PEACEMAKER}
    repairs = terms.coop and any(
        crew & menders and (counts[place] > 1 or not field.towers >> place & 1)
        for place, crew in meetings.items()
        if terms.side.tower_mask >> place & 1
    )
    for place, crew in meetings.items():
        abilities = {ABILITY[skeleton >> 4 & 63] for skeleton in crew}
        several = counts[place] > 1
        if field.hero == place and not field.towers >> place & 1:
            matters = several and EMPEROR in abilities
        elif terms.coop and field.towers >> place & 1:
            matters = several or repairs
        else:
            matters = PEACEMAKER in abilities and (several or (repairs and place < FIELD))
        if matters:
            result |= crew
            result.update(skeleton for skeleton in ready if skeleton >> 10 == place)
    return result


def _meets(
    terms: Terms, field: Field, seat: Seat, crowd: tuple[int, ...], marching_to: int, near: bytearray
) -> set[int]:
    """The places where the crowd may meet a tower, the hero, a ruin, the village or capital."""
    leader = crowd[0]
    start = leader >> 10
    if not (start < FIELD and field.traps[start]):
        plain = terms.side.plain[start * 4 + (leader >> 2 & 3)]
        if plain >= 0 and not near[plain >> 2]:
            return set()
    places = set()
    for way in courses(terms, field, seat, crowd, marching_to):
        if way.end == GOAL:
            places.add(HOUSES_PLACE)
        elif way.end in (TOWER, SLAIN) or (way.end == STANDS and terms.side.tower_mask >> way.place & 1):
            places.add(way.place)
    return places


def saboteurs(group: tuple[int, ...]) -> int:
    """The saboteurs of a group, as a mask of kinds."""
    mask = 0
    for skeleton in group:
        if ABILITY[skeleton >> 4 & 63] == SABOTEUR:
            mask |= 1 << (skeleton >> 4 & 63)
    return mask
