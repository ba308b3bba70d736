"""A tile on a cell as one number, its *code*: kind, quarter turns and which side is up.

An empty cell has the code `EMPTY`. Everything that the rules ask about a tile is a table indexed by its code;
no other module knows how a code is packed.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.engine.grid import opposite
from companion.games.night_cage.pieces import (
    CRUMBLING,
    DIRGE,
    GATE,
    KEEPER,
    KEY,
    MONSTERS,
    NAMES,
    OMEN,
    OPENINGS,
    SPENT_KEY,
    TURNS,
    WATCHFUL,
)

EMPTY = 255
_PIT = 64
_SIDES = (0, _PIT)


def code_of(kind: int, turn: int = 0, *, pit: bool = False) -> int:
    """The code of a tile after some quarter turns clockwise; a pit lies on its face."""
    return kind << 2 | turn | (_PIT if pit else 0)


DIRGE_PIT = code_of(DIRGE, pit=True)
"""One of the nine cells under the Dirge when it has become a pit."""

FACE_UP = tuple(tuple(code_of(kind, turn) for turn in range(4)) for kind in range(len(NAMES)))
"""`FACE_UP[kind][turn]`: the code of a tile that is laid."""
_CODES = [code for turns in FACE_UP for code in turns]


def _table(default: int, values: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    table = [default] * 256
    for code, value in values:
        table[code] = value
    return tuple(table)


def _is(kinds: Iterable[int]) -> tuple[int, ...]:
    """Which codes are face-up tiles of these kinds."""
    return _table(0, [(code_of(kind, turn), 1) for kind in kinds for turn in range(4)])


# Which tile it is ------------------------------------------------------------------------------

KIND = _table(-1, [(code | side, code >> 2) for code in _CODES for side in _SIDES])
"""The kind of the tile, whichever side is up; -1 for none."""

FACE = _table(-1, [(code, code >> 2) for code in _CODES])
"""The kind that is seen: -1 for a pit and for none."""

TURN = _table(0, [(code | side, code & 3) for code in _CODES for side in _SIDES])
"""The quarter turns of the tile."""

FLIPPED = _table(EMPTY, [(code | side, code | _PIT) for code in _CODES for side in _SIDES])
"""The code of the tile when it has become a pit."""

IS_PIT = _table(0, [(code | _PIT, 1) for code in _CODES])
CRUMBLES = _is(CRUMBLING)
IS_MONSTER = _is(MONSTERS)
IS_WATCHFUL = _is(WATCHFUL)
IS_KEEPER = _is({KEEPER})
IS_GATE = _is({GATE})
HAS_KEY = _is({KEY, KEEPER})
"""Face-up tiles that can still give a key."""

IS_PRECIOUS = _is({GATE, KEY, KEEPER})
"""Face-up tiles of which the prisoners may run out."""

REAR = _table(-1, [(code_of(KEEPER, turn), turn) for turn in range(4)])
"""The direction to which a Keeper turns its rear; -1 for all others."""

SORTED_AS = tuple(KEY if kind == SPENT_KEY else kind for kind in range(len(NAMES)))
"""The heap of the discard board to which a kind goes."""

# Where it is open ------------------------------------------------------------------------------

ALL_OPEN = 15
DIRECTIONS = tuple(tuple(d for d in range(4) if sides >> d & 1) for sides in range(16))
"""The directions of a mask of sides."""

SEEN = _table(
    0,
    [(code, sum(1 << (side + code & 3) for side in OPENINGS[FACE[code]])) for code in _CODES],
)
"""The open sides of a tile that lies face up, as a mask of directions: sight passes there."""

OPEN = _table(0, [(code | side, ALL_OPEN if side else SEEN[code]) for code in _CODES for side in _SIDES])
"""The open sides for light and for steps: a pit is open all round."""

WAYS = tuple(DIRECTIONS[sides] for sides in OPEN)
"""The directions in which one can step off a tile."""

ENTERS = tuple(tuple(sides >> opposite(direction) & 1 for sides in OPEN) for direction in range(4))
"""`ENTERS[direction][code]`: whether a step in that direction finds a way into the tile."""

BLOCKS = tuple(
    tuple(
        "wall" if not enters else "monster" if IS_MONSTER[code] and REAR[code] != opposite(direction) else ""
        for code, enters in enumerate(ENTERS[direction])
    )
    for direction in range(4)
)
"""`BLOCKS[direction][code]`: what the tile has against a step onto it; a Keeper lets in from behind."""

LOOKS = tuple(
    tuple(d for d in DIRECTIONS[sides] if d != rear) for sides, rear in zip(SEEN, REAR, strict=True)
)
"""The directions in which a monster looks: a Keeper never to its rear."""

# How it may be laid ----------------------------------------------------------------------------

CONNECTING = tuple(
    tuple(tuple(turn for turn in range(turns) if SEEN[code_of(kind, turn)] >> side & 1) for side in range(4))
    for kind, turns in enumerate(TURNS)
)
"""`CONNECTING[kind][side]`: the turns in which a tile of that kind is open towards that side."""

FACING = tuple(
    tuple((side,) if kind in (KEEPER, OMEN) else CONNECTING[kind][opposite(side)] for side in range(4))
    for kind in range(len(NAMES))
)
"""`FACING[kind][direction]`: the turns of a tile laid in that direction from the prisoner it is lit for."""

# How sight passes ------------------------------------------------------------------------------

Passing = tuple[tuple[int, ...], ...]
WALL, ENDS, GOES_ON = range(3)


def _passing(monsters_block: bool) -> Passing:
    """What a look that travels in each direction does at a code: `WALL`, `ENDS` there or `GOES_ON`."""

    def steps(direction: int) -> tuple[int, ...]:
        table = []
        for code, sides in enumerate(SEEN):
            enters = sides >> opposite(direction) & 1
            leaves = sides >> direction & 1 and not (monsters_block and IS_MONSTER[code])
            table.append(WALL if not enters else GOES_ON if leaves else ENDS)
        return tuple(table)

    return tuple(steps(direction) for direction in range(4))


PASSING = (_passing(False), _passing(True))
"""Which tables sight uses: monsters let it pass, or stop it by the switch `monster_blocks_ray`."""
