"""How a skeleton moves: the one place where a step is worked out (ledger 5.2).

`follow` only looks: it follows one move over arrows, walls and springs to its end and names what is triggered
on the way, or the choice that the owner must make first. The march, the scattering by a dragon, the forecast
and the question whether order matters all read the same path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.engine.action import Seat
from companion.games.bad_bones.field import Ask, Field
from companion.games.bad_bones.modes import ModeRules
from companion.games.bad_bones.pieces import (
    BESIDE,
    BOUNCE,
    CATAPULT,
    CRATER,
    DRAGON,
    DYNAMITE,
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
    SPRING,
    TOWARDS,
    TRAP_OF,
    TREASURE,
    TREASURE_CODE,
    WALL,
)
from companion.games.bad_bones.printed import ABILITY, TO_ANY, TO_LEFT, TO_RIGHT, TYPE
from companion.games.bad_bones.tokens import FACING_OF, KIND_OF, PLACE_OF

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

OVER = -2
"""In place of the next cell: the move has come to its end, or waits for a choice."""
_TRAP_THAT_ACTS = tuple(-1 if code == CRATER else trap for code, trap in enumerate(TRAP_OF))
"""The trap that a tile is for one who enters: a crater is none."""


class MovePath:
    """Where one move leads: its cells, what it triggers, and its end or the choice that it waits for."""

    end = STANDS
    hits: tuple[int, ...] = ()
    """Cells whose trap is triggered."""
    wrecked: tuple[int, ...] = ()
    """Cells whose trap is run into, triggered or not (BB-CMD-32)."""
    targets: tuple[Seat, ...] = ()
    """Who receives each skeleton of the group."""
    victims: tuple[int, ...] = ()
    """Those of a squad that a cooperative tower stopped."""
    ask: Ask | None = None

    # On the way:
    flying = False
    """Whether a spring has thrown the group through the air."""
    fleeing = False
    """Whether a dragon has scattered the group and arrows do not turn it."""
    seen: tuple[tuple[int, int, bool], ...] = ()
    """The cells with a trap that were entered, each with direction and `flying`."""
    scattered: tuple[tuple[int, int], ...] = ()
    """The dragons' cells, each with the direction of the flight."""

    def __init__(
        self, mode: ModeRules, field: Field, seat: Seat, group: tuple[int, ...], answers: tuple[int, ...]
    ) -> None:
        self.mode, self.field = mode, field
        self.seat, self.group = seat, group
        self.place = PLACE_OF[group[0]]
        self.facing = self.direction = FACING_OF[group[0]]
        self.cells = [self.place]
        self.answers = iter(answers)
        self.treasure = field.traps.find(TREASURE_CODE)

    def stand(self, cell: int, facing: int) -> int:
        """Ends the move on a cell."""
        self.place, self.facing = cell, facing
        return OVER

    def end_at(self, cell: int, end: int) -> int:
        """Ends the move in another way."""
        self.place, self.end = cell, end
        return OVER

    def wait_for(self, verb: str, options: tuple[int, ...], cell: int) -> int:
        """Breaks the move off until its owner has chosen."""
        self.ask = Ask(verb, self.seat, options, cell)
        return OVER

    def choose(self, options: tuple[int, ...]) -> int:
        """The only option, or what the owner has chosen; -1 when he must be asked."""
        return options[0] if len(options) == 1 else next(self.answers, -1)


def follow(
    mode: ModeRules,
    field: Field,
    seat: Seat,
    group: tuple[int, ...],
    answers: tuple[int, ...],
    marching_to: int,
    scared: bool = False,
) -> MovePath:
    """Follows the move of a group, its leader first (BB-MOVE-10, -11).

    `scared` starts on a dragon that was laid on the group. `answers` are the choices made so far.
    """
    path = MovePath(mode, field, seat, group, answers)
    start = path.place
    if scared:
        cell = _scatter(path, start, scared=True)
    elif start < FIELD and MAZE_COLOUR.get(field.traps[start]) == marching_to:
        cell = path.end_at(start, STAYS)  # BB-MAZE-03
    else:
        cell = NEXT[start][path.direction]
    while cell != OVER:
        cell = _enter(path, cell)
    return path


def _enter(path: MovePath, cell: int) -> int:
    """Enters a cell: what is met there first decides; returns the next cell, or `OVER`."""
    if cell < 0:
        return _leave(path)
    path.cells.append(cell)
    field, direction = path.field, path.direction
    trap = _TRAP_THAT_ACTS[field.traps[cell]]
    if trap == PALISADE:
        return _run_into_palisade(path, cell)
    if cell in field.towers:
        return _meet_tower(path, cell)
    if cell == field.hero:
        return path.end_at(cell, SLAIN)
    if path.seen and (cell, direction, path.flying) in path.seen:
        return path.stand(cell, direction)
    lured = TOWARDS.get((cell, path.treasure), -1)
    if lured >= 0 and (trap < 0 or path.mode.lure_beats_traps):
        return path.stand(cell, lured)
    if trap < 0:
        return path.stand(cell, direction if path.fleeing else path.mode.side.arrows[cell * 4 + direction])
    path.seen += ((cell, direction, path.flying),)
    path.wrecked += (cell,)
    if trap in (TREASURE, MAZE):
        return path.stand(cell, lured if lured >= 0 else direction)
    path.hits += (cell,)
    return _TRIGGERED[trap](path, cell)


def _leave(path: MovePath) -> int:
    """Leaves the field by the edge that the move crosses (BB-FOREST, BB-VILLAGE, BB-COOP-19, -20)."""
    mode, seat = path.mode, path.seat
    path.facing = path.direction
    beyond = mode.side.exits[path.direction]
    if beyond > TO_ANY:
        return path.end_at(-1, GOAL)
    if beyond == TO_LEFT:
        path.targets = (mode.left[seat],) * len(path.group)
    elif beyond == TO_RIGHT:
        path.targets = (mode.right[seat],) * len(path.group)
    else:
        options = mode.edges[seat]
        for _ in path.group:
            target = path.choose(options)
            if target < 0:
                path.wait_for("send", options, path.cells[-1])
                break
            path.targets += (target,)
    return path.end_at(-1, LEFT)


def _run_into_palisade(path: MovePath, cell: int) -> int:
    """Who walks is held where he started, who flies is impaled (BB-PALISADE, BB-SPRING)."""
    path.hits += (cell,)
    path.wrecked += (cell,)
    return path.end_at(path.place, IMPALED if path.flying else STAYS)


def _meet_tower(path: MovePath, cell: int) -> int:
    """A cooperative tower stops one skeleton at a time until it falls (BB-COOP-13…15).

    The rest of a squad goes on into what the fallen tower leaves: the hero, the lure or the ruin's arrow.
    """
    path.end_at(cell, TOWER)
    if not path.mode.coop:
        return OVER
    left = [KIND_OF[skeleton] for skeleton in path.group]
    stands = True
    while stands and left:
        kinds = tuple(sorted(set(left)))
        kind = path.choose(kinds)
        if kind < 0:
            return path.wait_for("give-up", kinds, cell)
        left.remove(kind)
        path.victims += (kind,)
        stands = ABILITY[kind] == PEACEMAKER
    path.facing = TOWARDS.get((cell, path.treasure), path.mode.side.arrows[cell * 4 + path.direction])
    return OVER


# Traps that act on one who enters: each returns the next cell, or `OVER` ---------------------------


def _bounce(path: MovePath, cell: int) -> int:
    """BB-WALL-01, BB-WALL-02."""
    path.direction = BOUNCE[FORM_OF[path.field.traps[cell]]][path.direction]
    path.flying = path.fleeing = False
    return NEXT[cell][path.direction]


def _spring(path: MovePath, cell: int) -> int:
    """BB-SPRING-01: over the next cell, onto the one behind it."""
    over = NEXT[cell][path.direction]
    path.flying, path.fleeing = True, False
    return NEXT[over][path.direction] if over >= 0 else -1


def _scatter(path: MovePath, cell: int, scared: bool = False) -> int:
    """BB-DRAGON-01 to -14: the owner chooses where those on a dragon flee to."""
    options = scatter_options(path.mode, path.field, cell, path.scattered, scared)
    if not options:
        path.facing = FACING_OF[path.group[0]]
        return path.end_at(path.place, STAYS)
    direction = path.choose(options)
    if direction < 0:
        path.place = cell
        return path.wait_for("scatter", options, cell)
    path.scattered += ((cell, direction),)
    path.direction = direction
    path.flying, path.fleeing = False, not path.mode.arrows_turn_scattered
    return NEXT[cell][direction]


def _explode(path: MovePath, cell: int) -> int:
    """BB-DYNAMITE-01."""
    return path.end_at(cell, BLOWN)


def _return(path: MovePath, cell: int) -> int:
    """BB-PORTAL-01: back to the forest spot of the leader."""
    spot = path.mode.side.spots[TYPE[KIND_OF[path.group[0]]]]
    path.facing = INWARD[(spot - FIELD) // 5]
    return path.end_at(spot, RETURNED)


def _throw(path: MovePath, cell: int) -> int:
    return _aim(path, cell, THROWN)


def _load(path: MovePath, cell: int) -> int:
    return _aim(path, cell, LOADED)


def _aim(path: MovePath, cell: int, end: int) -> int:
    """Finds the one opponent that this catapult or hearse serves in this phase (BB-CATAPULT-02)."""
    options = path.mode.others[path.seat]
    target = path.field.targets.get(cell, -1)
    if target < 0:
        target = path.choose(options)
    if target < 0:
        path.wait_for("send", options, cell)
    path.targets = (target,)
    return path.end_at(cell, end)


_TRIGGERED: dict[int, Callable[[MovePath, int], int]] = {
    WALL: _bounce,
    CATAPULT: _throw,
    DRAGON: _scatter,
    HEARSE: _load,
    DYNAMITE: _explode,
    PORTAL: _return,
    SPRING: _spring,
}
"""What each trap does to one who enters its cell."""


def scatter_options(
    mode: ModeRules, field: Field, cell: int, scattered: tuple[tuple[int, int], ...], scared: bool = False
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
            if mode.side.exits[direction] > TO_ANY:
                continue
        elif TRAP_OF[field.traps[other]] == PALISADE:
            continue
        if scared and other >= 0 and is_barred(mode, field, other, direction):
            continue
        options.append(direction)
    return tuple(options)


def is_barred(mode: ModeRules, field: Field, cell: int, direction: int) -> bool:
    """Says whether walls lead who enters a cell against a palisade, which leaves them where they were."""
    traps, treasure = field.traps, field.treasure()
    seen = set()
    while cell >= 0 and TRAP_OF[traps[cell]] == WALL and (cell, direction) not in seen:
        if field.hero == cell or (mode.lure_beats_traps and (cell, treasure) in TOWARDS):
            return False
        seen.add((cell, direction))
        direction = BOUNCE[FORM_OF[traps[cell]]][direction]
        cell = NEXT[cell][direction]
    return cell >= 0 and TRAP_OF[traps[cell]] == PALISADE


def paths(
    mode: ModeRules, field: Field, seat: Seat, group: tuple[int, ...], marching_to: int
) -> Iterator[MovePath]:
    """Every path that the owner's choices allow; who receives a skeleton makes no difference here."""
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        answers = waiting.pop()
        path = follow(mode, field, seat, group, answers, marching_to)
        if path.ask is None:
            yield path
            continue
        options = path.ask.options[:1] if path.ask.verb == "send" else path.ask.options
        waiting.extend((*answers, option) for option in options)


_WAKING = bytes(code != 0 and code != CRATER for code in range(256))


def wakes(mode: ModeRules, field: Field) -> bytearray:
    """By cell, whether entering is more than standing on a plain cell: towers, ruins, hero, tiles, lure."""
    near = field.traps.translate(_WAKING)
    for tower in mode.side.towers:
        near[tower] = 1
    if field.hero >= 0:
        near[field.hero] = 1
    treasure = field.treasure()
    if treasure >= 0:
        for cell in BESIDE[treasure]:
            near[cell] = 1
    return near
