"""Where cards can lie: an unlimited spread in practice, numbered so that the table's places come first.

The cards lie on coordinates `x,y` with the entrance at `0,0`, x to the east and y to the south. 50 tunnel
cards and four goals cannot lead further than `REACH` from the entrance, so no rule ever meets an edge. Cells
below `ON_TABLE` are the places of the camera's table area (13 × 13 cards); only the rules know the others.

A *border* is where two cells meet: twice the cell to its west or north, plus 1 if it is that cell's south
side.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from companion.engine import state as engine
from companion.engine.action import Cell
from companion.engine.grid import EAST, NORTH, SOUTH, STEPS, WEST
from companion.engine.state import Refusal

TABLE_REACH = 6
"""How many cards the table area reaches from the entrance: two further than the goals of the wide spread."""
REACH = 56

_inner = range(-TABLE_REACH, TABLE_REACH + 1)
_outer = range(-REACH, REACH + 1)
COORDINATES: tuple[tuple[int, int], ...] = (
    *((x, y) for y in _inner for x in _inner),
    *((x, y) for y in _outer for x in _outer if x not in _inner or y not in _inner),
)
CELL = {xy: cell for cell, xy in enumerate(COORDINATES)}
NAMES = tuple(f"{x},{y}" for x, y in COORDINATES)
ON_TABLE = len(_inner) ** 2
PRINTED = tuple(f"{chr(ord('A') + x + TABLE_REACH)}{y + TABLE_REACH + 1}" for x, y in COORDINATES[:ON_TABLE])
"""What people call the places of the table area: by the letters and numbers at the edges of the picture."""
ENTRANCE: Cell = CELL[0, 0]

BESIDE: tuple[tuple[Cell, ...], ...] = tuple(
    tuple(CELL.get((x + dx, y + dy), -1) for dx, dy in STEPS) for x, y in COORDINATES
)

NO_BORDER = -1
BORDER: tuple[tuple[int, ...], ...] = tuple(
    (2 * beside[NORTH] + 1, 2 * cell, 2 * cell + 1, 2 * beside[WEST]) for cell, beside in enumerate(BESIDE)
)
"""`BORDER[cell][direction]`: the border there."""


def border_at(cell: Cell, side: int) -> int:
    """The border on the east side (0) or the south side (1) of a cell."""
    return 2 * cell + side


def border_words(border: int) -> tuple[Cell, int]:
    """A border as the notation writes it: the cell to its west or north, and the side."""
    return border >> 1, border & 1


def border_sides(border: int) -> tuple[Cell, int, Cell]:
    """The cell to the west or north of a border, the direction from there, and the cell behind."""
    cell, side = border_words(border)
    direction = SOUTH if side else EAST
    return cell, direction, BESIDE[cell][direction]


def on_table(*cells: Cell) -> tuple[Cell, ...]:
    """Those of the cells that the table area has."""
    return tuple(cell for cell in cells if 0 <= cell < ON_TABLE)


def no(code: str, rule: str, *cells: Cell) -> Refusal:
    """A refusal; cells beyond the table area are left out."""
    return engine.no(code, rule, *on_table(*cells))


@cache
def spot(cell: Cell) -> Mapping[str, int | str]:
    """How events name a cell: its place on the table (-1 beyond it) and its coordinates."""
    return {"cell": cell if cell < ON_TABLE else -1, "spot": NAMES[cell]}


def web_spot(border: int) -> dict[str, int | str | list[int]]:
    """How events name a border: the cells on the table on both sides, and the words of the notation."""
    cell, direction, other = border_sides(border)
    return {
        "cells": list(on_table(cell, other)),
        "spot": NAMES[cell],
        "side": "east" if direction == EAST else "south",
    }


def distance(one: Cell, other: Cell) -> int:
    """How many cards two cells are apart, across and along."""
    (x, y), (u, v) = COORDINATES[one], COORDINATES[other]
    return abs(x - u) + abs(y - v)
