"""Boards as tables made once: cells are whole numbers, sets of cells are bit masks.

`Grid` serves boards of squares, with or without edges that join; `Graph` serves maps of places.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping

from companion.engine.action import Cell

NORTH, EAST, SOUTH, WEST = range(4)
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""The step of each direction as (column, row)."""


def opposite(direction: int) -> int:
    """The direction back."""
    return direction ^ 2


def cells_of(mask: int) -> Iterator[Cell]:
    """Lists the cells of a mask, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(cells: Iterable[Cell]) -> int:
    """Makes the mask of some cells."""
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


class Grid:
    """A board of squares, numbered row by row from the upper left.

    `beside[cell][direction]` is the neighbour, or -1 beyond the edge; `rays[cell][direction]` lists the cells
    that a straight look meets, nearest first (on a torus once around, without the cell itself).

    >>> torus = Grid(6, 6, torus=True)
    >>> torus.names[torus.beside[torus.cell("a1")][WEST]]
    'f1'
    """

    __slots__ = ("beside", "beside_mask", "height", "names", "rays", "torus", "width")

    def __init__(self, width: int, height: int, *, torus: bool = False) -> None:
        self.width, self.height, self.torus = width, height, torus
        self.names = tuple(f"{chr(97 + x)}{y + 1}" for y in range(height) for x in range(width))
        every = range(width * height)
        self.beside = tuple(tuple(self._step(cell, d) for d in range(4)) for cell in every)
        self.beside_mask = tuple(mask_of(c for c in self.beside[cell] if c >= 0) for cell in every)
        self.rays = tuple(tuple(self._ray(cell, d) for d in range(4)) for cell in every)

    def cell(self, name: str) -> Cell:
        """Finds a cell by its name, `c3` for the third column and the third row."""
        return self.names.index(name)

    def _step(self, cell: Cell, direction: int) -> Cell:
        dx, dy = STEPS[direction]
        x, y = cell % self.width + dx, cell // self.width + dy
        if self.torus:
            x, y = x % self.width, y % self.height
        elif not (0 <= x < self.width and 0 <= y < self.height):
            return -1
        return y * self.width + x

    def _ray(self, cell: Cell, direction: int) -> tuple[Cell, ...]:
        ray: list[Cell] = []
        at = self.beside[cell][direction]
        while at not in (-1, cell):
            ray.append(at)
            at = self.beside[at][direction]
        return tuple(ray)


class Graph:
    """A map of places joined by ways: neighbours and shortest distances as tables.

    >>> house = Graph({"hall": ["attic", "cellar"], "attic": [], "cellar": []})
    >>> house.distance[house.place("attic")][house.place("cellar")]
    2
    """

    __slots__ = ("beside", "beside_mask", "distance", "names")

    def __init__(self, ways: Mapping[str, Iterable[str]]) -> None:
        self.names = tuple(ways)
        index = {name: i for i, name in enumerate(self.names)}
        near: list[set[int]] = [set() for _ in self.names]
        for name, others in ways.items():
            for other in others:
                near[index[name]].add(index[other])
                near[index[other]].add(index[name])
        self.beside = tuple(tuple(sorted(cells)) for cells in near)
        self.beside_mask = tuple(mask_of(cells) for cells in self.beside)
        self.distance = tuple(self._distances(start) for start in range(len(self.names)))

    def place(self, name: str) -> Cell:
        """Finds a place by its name."""
        return self.names.index(name)

    def _distances(self, start: Cell) -> tuple[int, ...]:
        """Distances from `start`, -1 where no way leads."""
        found = [-1] * len(self.names)
        found[start] = 0
        waiting = deque([start])
        while waiting:
            at = waiting.popleft()
            for other in self.beside[at]:
                if found[other] < 0:
                    found[other] = found[at] + 1
                    waiting.append(other)
        return tuple(found)
