"""The two boards of The Night Cage, whose edges join: light and lines of sight as tables made once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from companion.engine.action import Cell
from companion.engine.grid import Grid, mask_of
from companion.games.night_cage.tiles import DIRECTIONS, GOES_ON, OPEN, WALL, Passing


class Torus:
    """The tables of one board size.

    `light[cell][code]` is the mask that a candle lights on a tile there; `cross[cell]` is its row and column,
    `halves` the part of it that lies nearer in each direction; `towards[cell][neighbour]` is a direction;
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
        self.light = tuple(map(self._light, cells))
        self.diagonals = tuple(
            mask_of(
                other
                for other in cells
                if other != cell and abs(other % size - cell % size) == abs(other // size - cell // size)
            )
            for cell in cells
        )

    def _light(self, cell: Cell) -> tuple[int, ...]:
        beside = self.grid.beside[cell]
        masks = [mask_of([cell, *(beside[direction] for direction in sides)]) for sides in DIRECTIONS]
        return tuple(masks[sides] for sides in OPEN)

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


def sight(
    tiles: Sequence[int], rays: tuple[tuple[Cell, ...], ...], looks: tuple[int, ...], passing: Passing
) -> Sequence[int]:
    """The cells that a look along `rays` reaches, one mask per direction; it begins in those of `looks`."""
    found = [0, 0, 0, 0]
    for direction in looks:
        steps, mask = passing[direction], 0
        for cell in rays[direction]:
            step = steps[tiles[cell]]
            if step != WALL:
                mask |= 1 << cell
            if step != GOES_ON:
                break
        found[direction] = mask
    return found
