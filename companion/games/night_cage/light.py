"""Light and line of sight on the torus, as tables made once.

A tile on a cell is one number, its *code*: kind, quarter turns and which side is up. An empty cell has the
code `EMPTY`. Everything that the rules ask about a tile is a table indexed by its code.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from companion.engine.action import Cell
from companion.engine.grid import Grid, mask_of
from companion.games.night_cage.pieces import (
    CRUMBLING,
    DIRGE,
    GATE,
    KEEPER,
    KEY,
    MONSTERS,
    NAMES,
    OPENINGS,
    SPENT_KEY,
    TURNS,
)

EMPTY = 255
PIT = 64
"""Added to the code of a tile that lies on its face: only the pit on its back is seen."""


def code_of(kind: int, turn: int = 0, *, pit: bool = False) -> int:
    """The code of a tile after so many quarter turns clockwise."""
    return kind << 2 | turn | (PIT if pit else 0)


DIRGE_PIT = code_of(DIRGE, pit=True)
"""One of the nine cells under the Dirge when it has become a pit."""

ALL_OPEN = 15
_CODES = [code_of(kind, turn) for kind in range(len(NAMES)) for turn in range(4)]


def _table(default: int, values: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    table = [default] * 256
    for code, value in values:
        table[code] = value
    return tuple(table)


KIND = _table(-1, [(code | side, code >> 2) for code in _CODES for side in (0, PIT)])
"""The kind of the tile, whichever side is up; -1 for none."""

SEEN = _table(
    0,
    [
        (code, sum(1 << (side + code & 3) for side in OPENINGS[code >> 2]))
        for code in _CODES
        if code >> 2 != DIRGE
    ],
)
"""The open sides of a tile that lies face up, as a mask of directions: sight passes there."""

OPEN = _table(0, [(code | side, ALL_OPEN if side else SEEN[code]) for code in _CODES for side in (0, PIT)])
"""The open sides for light and for steps: a pit is open all round."""

LOOKS = _table(
    0, [(code, SEEN[code] & ~(1 << (code & 3)) if code >> 2 == KEEPER else SEEN[code]) for code in _CODES]
)
"""The sides to which a monster looks: a Keeper never to its rear."""

CRUMBLES = _table(0, [(code, 1) for code in _CODES if code >> 2 in CRUMBLING])
IS_MONSTER = _table(0, [(code, 1) for code in _CODES if code >> 2 in MONSTERS])
IS_GATE = _table(0, [(code, 1) for code in _CODES if code >> 2 == GATE])
HAS_KEY = _table(0, [(code, 1) for code in _CODES if code >> 2 in (KEY, KEEPER)])
"""Face-up tiles that can still give a key."""

IS_PRECIOUS = tuple(gate | key for gate, key in zip(IS_GATE, HAS_KEY, strict=True))
"""Face-up tiles of which the prisoners may run out."""

SORTED_AS = tuple(KEY if kind == SPENT_KEY else kind for kind in range(len(NAMES)))
"""The heap of the discard board to which a kind goes."""

CONNECTING = tuple(
    tuple(tuple(turn for turn in range(turns) if SEEN[code_of(kind, turn)] >> side & 1) for side in range(4))
    for kind, turns in enumerate(TURNS)
)
"""`CONNECTING[kind][side]`: the turns in which a tile of that kind is open towards that side."""

Passing = tuple[tuple[int, ...], ...]


def _passing(monsters_block: bool) -> Passing:
    """What a look that travels in each direction finds on a code: 0 wall, 1 enters, 2 goes on."""

    def steps(direction: int) -> tuple[int, ...]:
        table = []
        for code, sides in enumerate(SEEN):
            enters = sides >> (direction ^ 2) & 1
            goes_on = sides >> direction & 1 and not (monsters_block and IS_MONSTER[code])
            table.append(2 if enters and goes_on else enters)
        return tuple(table)

    return tuple(steps(direction) for direction in range(4))


PASSING = (_passing(False), _passing(True))
"""Which tables sight uses: monsters let it pass, or stop it by the switch `monster_blocks_ray`."""


class Torus:
    """The tables of one board size.

    `light[cell][openings]` is the mask that a candle lights; `cross[cell]` is its row and column, `halves`
    the part of it that lies nearer in each direction; `towards[cell][neighbour]` is a direction;
    `diagonals[cell]` ends at the edges; `lines` are the rows, then the columns.
    """

    __slots__ = ("bit", "cross", "diagonals", "grid", "halves", "light", "lines", "size", "towards")

    def __init__(self, size: int) -> None:
        self.size = size
        self.grid = Grid(size, size, torus=True)
        cells = range(size * size)
        self.towards = tuple({near: d for d, near in enumerate(beside)} for beside in self.grid.beside)
        self.bit = tuple(1 << cell for cell in cells)
        rows = [mask_of(range(row * size, row * size + size)) for row in range(size)]
        columns = [mask_of(range(column, size * size, size)) for column in range(size)]
        self.lines = (*rows, *columns)
        self.cross = tuple(rows[cell // size] | columns[cell % size] for cell in cells)
        self.halves = tuple(
            tuple(mask_of(ray[: size // 2]) for ray in self.grid.rays[cell]) for cell in cells
        )
        self.light = tuple(
            tuple(
                1 << cell | mask_of(self.grid.beside[cell][d] for d in range(4) if openings >> d & 1)
                for openings in range(16)
            )
            for cell in cells
        )
        self.diagonals = tuple(
            mask_of(
                other
                for other in cells
                if other != cell and abs(other % size - cell % size) == abs(other // size - cell // size)
            )
            for cell in cells
        )

    def direction(self, start: Cell, to: Cell) -> int:
        """The direction of a neighbour, or -1 for a cell that is not beside `start`."""
        return self.towards[start].get(to, -1)

    @cache  # noqa: B019 (there are two boards, and they live as long as the program)
    def placements(self, outline: tuple[str, ...]) -> dict[tuple[Cell, int], int]:
        """Every way to lay a token on the board: (upper left cell, quarter turns) and the mask it covers."""
        size = self.size
        found: dict[tuple[Cell, int], int] = {}
        rows = outline
        for turn in range(4):
            for top in range(size - len(rows) + 1):
                for left in range(size - len(rows[0]) + 1):
                    mask = mask_of(
                        (top + y) * size + left + x
                        for y, row in enumerate(rows)
                        for x, mark in enumerate(row)
                        if mark == "#"
                    )
                    if mask not in found.values():
                        found[top * size + left, turn] = mask
            rows = tuple("".join(column) for column in zip(*reversed(rows), strict=True))
        return found


BOARDS = {size: Torus(size) for size in (6, 7)}


DIRECTIONS = tuple(tuple(d for d in range(4) if sides >> d & 1) for sides in range(16))


def sight(
    tiles: Sequence[int], rays: tuple[tuple[Cell, ...], ...], sides: int, passing: Passing
) -> Sequence[int]:
    """The cells that a look along `rays` reaches, one mask per direction; `sides` are where it starts."""
    found = [0, 0, 0, 0]
    for direction in DIRECTIONS[sides]:
        steps, mask = passing[direction], 0
        for cell in rays[direction]:
            step = steps[tiles[cell]]
            if step:
                mask |= 1 << cell
            if step < 2:
                break
        found[direction] = mask
    return found
