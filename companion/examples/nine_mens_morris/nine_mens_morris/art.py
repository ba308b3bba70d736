"""The men and the board as we draw them: one drawing serves printer, virtual camera and browser."""

from __future__ import annotations

from companion.engine.drawing import Disc, Drawing, Shape, Stroke, ring
from companion.engine.layout import Board
from nine_mens_morris.layout import MAN_MM
from nine_mens_morris.pieces import LINES, MEN, SIDES

_WOOD = {"white": ("#efe3c8", "#b08a55"), "black": ("#2a2420", "#8a6b4a")}
"""The colour of a man, and of the rings turned into it."""


def draw(face: str) -> Drawing:
    """Draws a man by the name of its face."""
    wood, groove = _WOOD[face]
    shapes: list[Shape] = [Disc(0, 0, MAN_MM / 2, wood)]
    shapes += [ring(share * MAN_MM / 2, 1.4, groove) for share in (0.85, 0.5)]
    return Drawing(MAN_MM, MAN_MM, tuple(shapes))


def ground(board: Board) -> Drawing:
    """What is printed on the board beneath its places: the lines, in mm from its middle."""
    at = {place.name: (place.x - board.width / 2, place.y - board.height / 2) for place in board.places}
    lines = tuple(Stroke(tuple(at[point] for point in line), 1.2, "#7a6a55") for line in LINES)
    return Drawing(board.width, board.height, lines)


KIT = tuple((side, None, MEN) for side in SIDES)
"""What to print: front, back if it has one, and how many."""
