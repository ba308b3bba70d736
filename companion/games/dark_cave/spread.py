"""Where cards can lie: an unlimited spread in practice, numbered so that the table's places come first.

The cards lie on coordinates `x,y` with the entrance at `0,0`, x to the east and y to the south. 50 tunnel
cards and four goals cannot lead further than `REACH` from the entrance, so no rule ever meets an edge. Cells
below `ON_TABLE` are the places of the camera's table area (13 × 13 cards); only the rules know the others.
"""

from __future__ import annotations

from companion.engine.action import Cell
from companion.engine.grid import EAST, NORTH, SOUTH, STEPS, WEST

TABLE_REACH = 6
"""The table area reaches so many cards from the entrance: two further than the goals of the wide spread."""
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
ENTRANCE: Cell = CELL[0, 0]

BESIDE: tuple[tuple[Cell, ...], ...] = tuple(
    tuple(CELL.get((x + dx, y + dy), -1) for dx, dy in STEPS) for x, y in COORDINATES
)

NO_BORDER = -1
BORDER: tuple[tuple[int, ...], ...] = tuple(
    (2 * beside[NORTH] + 1, 2 * cell, 2 * cell + 1, 2 * beside[WEST]) for cell, beside in enumerate(BESIDE)
)
"""`BORDER[cell][direction]`: twice the cell to its west or north, plus 1 if it is that cell's south side."""


def border_sides(border: int) -> tuple[Cell, int, Cell]:
    """The cell to the west or north of a border, the direction from there, and the cell behind."""
    cell, direction = border >> 1, SOUTH if border & 1 else EAST
    return cell, direction, BESIDE[cell][direction]


def on_table(*cells: Cell) -> tuple[Cell, ...]:
    """Those of the cells that the table area has."""
    return tuple(cell for cell in cells if 0 <= cell < ON_TABLE)
