"""Draws the pictures of the build guide: `python -m hardware.guide` writes them into `hardware/pictures`.

They are made from what the program itself uses: the boards and their markers, the LED map, a camera's angles.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import radians, tan
from pathlib import Path

from companion.engine.drawing import (
    Area,
    Disc,
    Drawing,
    Shape,
    Stroke,
    Word,
    arrow,
    box,
    line,
    placed,
    svg,
    svg_page,
)
from companion.engine.layout import Board
from companion.games import REGISTRY, load
from hardware.ledmap import cells
from hardware.printing import marker_drawing
from hardware.showcase import BOARD

PICTURES = Path(__file__).with_name("pictures")
CAMERAS: Mapping[str, tuple[float, float]] = {
    "Pi Camera 3": (66.0, 41.0),
    "Pi Camera 2": (62.2, 48.8),
    "Pi Camera 3 wide": (102.0, 67.0),
    "usual webcam": (70.0, 43.0),
}
"""How wide and how high cameras see, in degrees, by their data sheets; webcams differ."""
_INK, _GREY, _WOOD, _FLAME = "#26221d", "#8a8378", "#b08a5a", "#e0762c"


def frame_mm(board: Board) -> tuple[float, float]:
    """The size of a board with its markers."""
    left, top = (min(marker[i] for marker in board.markers) for i in (1, 2))
    right = max(marker.x + marker.size for marker in board.markers)
    bottom = max(marker.y + marker.size for marker in board.markers)
    return right - left, bottom - top


def stand_mm(board: Board, camera: str) -> int:
    """How high a camera hangs to see a whole frame, with a tenth to spare; rounded up to a centimetre.

    Its long side lies along the frame's.

    >>> stand_mm(load("night_cage").board(load("night_cage").resolve({})), "Pi Camera 3")
    840
    """
    reach = [
        1.1 * size / 2 / tan(radians(angle) / 2)
        for size, angle in zip(sorted(frame_mm(board), reverse=True), CAMERAS[camera], strict=True)
    ]
    return -10 * int(-max(reach) // 10)


def heights() -> str:
    """The table of the guide: frames and the heights of the camera over them, in mm."""
    rows = [f"| frame | size | {' | '.join(CAMERAS)} |", "|---|---|" + "---|" * len(CAMERAS)]
    for key in REGISTRY:
        game = load(key)
        board = game.board(game.resolve({}))
        wide, high = frame_mm(board)
        tall = " | ".join(str(stand_mm(board, camera)) for camera in CAMERAS)
        rows.append(f"| {game.texts.say('game.title', 'en')} | {wide:.0f} × {high:.0f} | {tall} |")
    return "\n".join(rows)


def frame_picture() -> Drawing:
    """The Night Cage's frame with the board in it, and which way is up."""
    game = load("night_cage")
    board = game.board(game.resolve({}))
    scale, (wide, high) = 0.3, frame_mm(board)
    shapes: list[Shape] = [box(wide + 60, high + 110, "#ffffff"), box(board.width, board.height, "#efe6d2")]
    for place in board.places:
        shapes += placed([_outline(place.width, place.height)], *_middle(board, place.x, place.y))
    for marker in board.markers:
        at = _middle(board, marker.x + marker.size / 2, marker.y + marker.size / 2)
        shapes += placed(marker_drawing(marker).shapes, *at)
        shapes.append(Word(str(marker.id), at[0], at[1] + (-24 if at[1] < 0 else 24), 8, _GREY))
    shapes += _measure(-wide / 2, high / 2 + 42, wide / 2, high / 2 + 42, f"{wide:.0f} mm")
    return _scaled(Drawing(wide + 60, high + 110, tuple(shapes)), scale)


def stand_picture() -> Drawing:
    """The camera over the table, from the side."""
    game = load("night_cage")
    board = game.board(game.resolve({}))
    height, (wide, _) = stand_mm(board, "Pi Camera 3"), frame_mm(board)
    ground, top = height / 2.0, -height / 2.0
    shapes: list[Shape] = [
        box(1100, height + 280, "#ffffff"),
        *placed([box(960, 24, _WOOD)], y=ground + 12),
        *placed([box(wide, 8, "#efe6d2")], y=ground - 4),
        *(placed([box(24, 10, _INK)], x, ground - 5)[0] for x in (-wide / 2 + 12, wide / 2 - 12)),
        # The clamp, the mast and the arm.
        *placed([box(40, 70, _GREY)], -455, ground + 18),
        line(-455, ground, -455, top - 20, 14, _GREY),
        line(-455, top - 20, 0, top - 20, 12, _GREY),
        *placed([box(56, 34, _INK), *placed([Disc(0, 20, 11, "#2f62ad")])], 0, top - 4),
        # What the camera sees.
        Area(((0, top + 16), (wide / 2 + 30, ground - 8), (-wide / 2 - 30, ground - 8)), "#fbf0d8"),
        Stroke(((wide / 2 + 30, ground - 8), (0, top + 16), (-wide / 2 - 30, ground - 8)), 2, _FLAME),
        *(Disc(x, ground - 14, 7, _FLAME) for x in (-180, -60, 60, 180)),
        *_measure(500, top + 16, 500, ground, f"{height} mm"),
        *_measure(-wide / 2, ground + 60, wide / 2, ground + 60, f"{wide:.0f} mm"),
        Word("the camera looks straight down at the middle", 0, top - 60, 15, _INK),
        Word("a clamp at the edge where nobody sits", -290, ground + 105, 15, _INK),
        Word("no lamp that mirrors in the board", 0, ground - 120, 13, _GREY),
    ]
    return _scaled(Drawing(1100, height + 280, tuple(shapes)), 0.16)


def leds_picture() -> Drawing:
    """The strip under a board of 6 × 6: where it begins, and the number of each LED."""
    strip = cells(BOARD)
    shapes: list[Shape] = [box(BOARD.width + 60, BOARD.height + 60, "#ffffff")]
    for place in BOARD.places:
        at = _middle(BOARD, place.x, place.y)
        shapes += placed(
            [box(place.width, place.height, "#efe6d2"), _outline(place.width, place.height)], *at
        )
        shapes.append(Word(place.name, at[0] - 22, at[1] - 24, 7, _GREY))
    way = tuple(_middle(BOARD, led.x, led.y) for led in strip.leds)
    shapes.append(Stroke(way, 3, _FLAME))
    shapes += placed(arrow(_FLAME), way[0][0] - 28, way[0][1], 12, turn=90)
    for i, (x, y) in enumerate(way):
        shapes += [Disc(x, y, 12, "#ffffff"), Disc(x, y, 10.5, _FLAME), Word(str(i), x, y, 7, "#ffffff")]
    return _scaled(Drawing(BOARD.width + 60, BOARD.height + 60, tuple(shapes)), 0.3)


DRAWN: Mapping[str, Callable[[], Drawing]] = {
    "frame.svg": frame_picture,
    "stand.svg": stand_picture,
    "leds.svg": leds_picture,
}


def picture(name: str) -> str:
    """One picture as a whole SVG document."""
    drawing = DRAWN[name]()
    return svg_page(drawing.width, drawing.height, svg(drawing))


def main() -> None:
    """Writes all pictures and prints the table of heights."""
    for name in DRAWN:
        (PICTURES / name).write_text(picture(name), "utf-8")
    print(heights())


def _middle(board: Board, x: float, y: float) -> tuple[float, float]:
    return x - board.width / 2, y - board.height / 2


def _outline(width: float, height: float) -> Stroke:
    w, h = width / 2, height / 2
    return Stroke(((-w, -h), (w, -h), (w, h), (-w, h), (-w, -h)), 1, _GREY)


def _measure(x0: float, y0: float, x1: float, y1: float, words: str) -> list[Shape]:
    """A line with ends and its length."""
    ends = ((0, 8), (0, -8)) if y0 == y1 else ((8, 0), (-8, 0))
    shapes: list[Shape] = [line(x0, y0, x1, y1, 1.5, _INK)]
    for x, y in ((x0, y0), (x1, y1)):
        shapes.append(line(x + ends[0][0], y + ends[0][1], x + ends[1][0], y + ends[1][1], 1.5, _INK))
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    ground = placed([box(11 * len(words), 22, "#ffffff")], *middle)
    return [*shapes, *ground, Word(words, *middle, 13, _INK)]


def _scaled(drawing: Drawing, scale: float) -> Drawing:
    shapes = tuple(placed(drawing.shapes, scale=scale))
    return Drawing(drawing.width * scale, drawing.height * scale, shapes)


if __name__ == "__main__":
    main()
