"""Where things lie, in millimetres: what is printed, what the camera looks for, where a lamp shines."""

from __future__ import annotations

from companion.engine.game import View
from companion.engine.layout import Board, Face, Layout, Piece, Place, frame
from companion.engine.options import Options
from nine_mens_morris.pieces import POINTS, SIDES

FRAME = 16
"""The number of the printed frame: one that no other game on the shelf has."""
STEP_MM, EDGE_MM = 45.0, 25.0
"""From one column to the next, and from the outer line to the board's edge."""
PLACE_MM, MAN_MM = 34.0, 28.0
BOARD_MM = 6 * STEP_MM + 2 * EDGE_MM


def _place(point: str) -> Place:
    """A point called `c5` lies in the third column and, counted from below, in the fifth row."""
    x, y = EDGE_MM + STEP_MM * "abcdefg".index(point[0]), EDGE_MM + STEP_MM * (7 - int(point[1]))
    return Place(point, x, y, PLACE_MM, PLACE_MM)


BOARD = Board(
    name="nine_mens_morris",
    width=BOARD_MM,
    height=BOARD_MM,
    places=tuple(map(_place, POINTS)),
    faces=tuple(Face(side, "token", MAN_MM, MAN_MM) for side in SIDES),
    markers=frame(FRAME, BOARD_MM, BOARD_MM),
)


def board(options: Options) -> Board:
    """The board; options do not change it."""
    return BOARD


def layout(view: View) -> Layout:
    """What the camera should see: a man on each point that has one. Men off the board lie anywhere."""
    return {cell: (Piece(side),) for cell, side in enumerate(view["men"]) if side}
