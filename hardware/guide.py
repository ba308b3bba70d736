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
    scaled,
    svg,
    svg_page,
)
from companion.engine.layout import Board, built
from companion.games import REGISTRY, load
from hardware.ledmap import cells
from hardware.making import CLIP_MM, frame_mm, leds_drawing
from hardware.printing import marker_drawing
from hardware.showcase import BOARD
from hardware.wiring import LightSettings, led_map_for

PICTURES = Path(__file__).with_name("pictures")
CAMERAS: Mapping[str, tuple[float, float]] = {
    "Pi Camera 3": (66.0, 41.0),
    "Pi Camera 2": (62.2, 48.8),
    "Pi Camera 3 wide": (102.0, 67.0),
    "usual webcam": (70.0, 43.0),
}
"""How wide and how high cameras see, in degrees, by their data sheets; webcams differ."""
_INK, _GREY, _SHADE, _WOOD, _FLAME = "#26221d", "#8a8378", "#a39c90", "#b08a5a", "#e0762c"


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
        flat, title = game.board(game.resolve({})), game.texts.say("game.title", "en")
        laid = {title: flat, **{f"{title}, {name}": built(flat, name) for name, _ in flat.builds}}
        for words, board in laid.items():
            wide, high = frame_mm(board)
            tall = " | ".join(str(stand_mm(board, camera)) for camera in CAMERAS)
            rows.append(f"| {words} | {wide:.0f} × {high:.0f} | {tall} |")
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


def rails_board() -> Board:
    """The Night Cage for up to four players, laid for rails."""
    game = load("night_cage")
    return built(game.board(game.resolve({})), "rails")


_Seen = Callable[[float, float, float], tuple[float, float]]
"""Where a point of the table, in mm with its height, is in a drawing."""


def _block(
    seen: _Seen, low: tuple[float, float, float], high: tuple[float, float, float], top: str
) -> list[Shape]:
    """A box with its front, its right side and its top, between two corners of the table."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    front = tuple(seen(*at) for at in ((x0, y1, z0), (x1, y1, z0), (x1, y1, z1), (x0, y1, z1)))
    right = tuple(seen(*at) for at in ((x1, y1, z0), (x1, y0, z0), (x1, y0, z1), (x1, y1, z1)))
    above = tuple(seen(*at) for at in ((x0, y0, z1), (x1, y0, z1), (x1, y1, z1), (x0, y1, z1)))
    sides = ((front, _SHADE), (right, _GREY), (above, top))
    return [one for way, fill in sides for one in (Area(way, fill), Stroke((*way, way[0]), 0.7, _INK))]


def _note(words: str, at: tuple[float, float], to: tuple[float, float]) -> list[Shape]:
    """Words with a line from their nearer end, or from their middle, to what they speak of."""
    half, (across, down) = len(words) * 3.8 + 4, (to[0] - at[0], to[1] - at[1])
    if abs(across) > half:
        start = at[0] + (half if across > 0 else -half), at[1]
    else:
        start = at[0], at[1] + (9 if down > 0 else -9)
    return [line(*start, *to, 0.9, _INK), Disc(*to, 2.2, _FLAME), Word(words, *at, 11, _INK)]


def rails_picture() -> Drawing:
    """What lies where, from the chair: base board, rails, rows of tiles, a pawn, the camera above."""
    board = rails_board()

    def seen(x: float, y: float, z: float = 0.0) -> tuple[float, float]:
        """A point of the table as an eye sees it that sits before its lower edge."""
        scale = 900.0 / (900.0 + (board.height - y) * 0.6)
        return (x - board.width / 2) * scale, 250.0 - (board.height - y) * 0.72 * scale - z * scale

    shapes: list[Shape] = [box(980, 820, "#ffffff")]
    shapes += _block(seen, (-30, -30, -4), (board.width + 30, board.height + 30, 0), _WOOD)
    for marker in board.markers:
        corners = tuple(seen(x, y) for x, y in marker.corners())
        shapes += [Area(corners, "#ffffff"), Stroke((*corners, corners[0]), 0.8, _INK)]
        (x, y), half = marker.middle(), marker.size * 0.36
        shapes.append(Area(tuple(seen(x + dx * half, y + dy * half) for dx, dy in _AROUND), _INK))
    for place in board.places:
        if place.zone == "fall":
            w, h = place.width / 2 - 3, place.height / 2 - 3
            ring = tuple(seen(place.x + dx * w, place.y + dy * h) for dx, dy in _AROUND)
            shapes.append(Stroke((*ring, ring[0]), 0.6, "#8a6a40"))
    candle = board.places[board.lanes[2].cells[2]]
    for lane in board.lanes:
        for cell in lane.cells:
            p = board.places[cell]
            top = "#efe6d2" if (cell + cell // 6) % 3 else "#d9cdb4"
            shapes += _block(seen, (p.x - 31, p.y - 31, 0), (p.x + 31, p.y + 31, 2), top)
        left, right = lane.x - lane.width / 2 - CLIP_MM, lane.x + lane.width / 2 + CLIP_MM
        upper, lower = lane.y - lane.height / 2, lane.y + lane.height / 2
        shapes += _block(seen, (left, upper, 0), (right, lower, 8), "#f4ead0")
        for cell in lane.cells:
            p = board.places[cell]
            if abs(p.x - candle.x) + abs(p.y - candle.y) < 80:
                ring = (
                    (p.x - 30, upper + 2),
                    (p.x + 30, upper + 2),
                    (p.x + 30, lower - 2),
                    (p.x - 30, lower - 2),
                )
                shapes.append(Area(tuple(seen(*at, 8.0) for at in ring), _FLAME))
        if candle in [board.places[cell] for cell in lane.cells]:
            x, y = candle.x, candle.y
            shapes += _block(seen, (x - 11, y - 11, 2), (x + 11, y + 11, 28), "#b03030")
    lane, far = board.lanes[-1], board.lanes[0]
    camera = seen(board.width / 2, board.height / 2, 390)
    shapes += placed([box(54, 30, _INK), Disc(0, 17, 9, "#2f62ad")], *camera)
    shapes += _note(
        "the camera, straight above the middle", (camera[0] + 220, camera[1]), (camera[0] + 27, camera[1])
    )
    tile = board.places[lane.cells[1]]
    row = board.places[far.cells[-1]]
    shapes += _note("tiles, edge to edge in their row", (-270, 330), seen(tile.x, tile.y, 2))
    shapes += _note("the rail of the row above it", (60, 330), seen(lane.x + 60, lane.y, 8))
    shapes += _note("a clip at each end", (330, 330), seen(lane.x + lane.width / 2 + CLIP_MM / 2, lane.y, 8))
    shapes += _note("12 mm between rows", (340, -120), seen(far.x + far.width / 2 - 20, far.y, 8))
    shapes += _note("the frame's markers", (-330, -160), seen(*board.markers[0].middle()))
    shapes += _note("a pawn and its candle's light", (-325, -100), seen(candle.x - 5, candle.y, 24))
    shapes += _note("the reserve and what burns", (372, 30), seen(board.width - 38, row.y + 230, 0))
    shapes.append(Word("base board of 4 mm, as large as the frame", 0, 372, 11, _INK))
    return _scaled(Drawing(980, 820, tuple(shapes)), 0.22)


_AROUND = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def layers_picture() -> Drawing:
    """One rail drawn asunder: what lies above what, with the lengths that matter."""

    def seen(x: float, y: float, z: float) -> tuple[float, float]:
        return (x + 0.45 * -y) * 2.0 - 190, (0.5 * y - z) * 2.0 + 25

    shapes: list[Shape] = [box(1080, 520, "#ffffff")]

    def layer(low: tuple[float, float, float], high: tuple[float, float, float], top: str) -> None:
        shapes.extend(_block(seen, low, high, top))

    layer((0, -40, -45), (200, 90, -41), _WOOD)
    for x in (0.0, 185.0):
        layer((x, 63.5, -26), (x + 15, 80, -24), "#c9c3b8")
        layer((x, 63.5, -24), (x + 15, 65.5, -17), "#c9c3b8")
        layer((x, 78, -24), (x + 15, 80, -17), "#c9c3b8")
    layer((0, 65.7, -4), (200, 77.7, -2), "#dfe3e6")
    layer((0, 65.7, -2), (200, 66.7, 4), "#dfe3e6")
    layer((0, 66.7, 14), (200, 76.7, 15), "#f2f2f2")
    for i in range(12):
        x = 8.3 + 16.67 * i
        layer((x - 2.5, 69.2, 15), (x + 2.5, 74.2, 16.5), _FLAME)
    layer((0, 76.7, -2), (200, 77.7, 4), "#dfe3e6")
    layer((0, 65.7, 32), (200, 77.7, 33), "#fdf6e3")
    layer((0, 0, 44), (63.5, 63.5, 46), "#efe6d2")
    layer((63.5, 0, 44), (127, 63.5, 46), "#d9cdb4")
    layer((84, 21, 52), (106, 43, 54), "#b9b9c4")
    layer((84, 21, 62), (106, 43, 84), "#b03030")
    hole = tuple(seen(31.75 + 4 * dx, 31.75 + 4 * dy, -41) for dx, dy in _AROUND)
    shapes.append(Stroke((*hole, hole[0]), 1.2, _INK))
    notes = [
        ("a pawn", (310, -225), (104, 30, 80)),
        ("disc magnet 8 × 2 mm in its foot", (310, -185), (105, 32, 53)),
        ("tiles, 63.5 mm, 2 mm thick", (-310, -225), (25, 20, 46)),
        ("opal cover", (330, -65), (196, 72, 33)),
        ("strip with an LED every 16.67 mm", (360, -30), (192, 72, 15)),
        ("aluminium profile, 12 mm wide", (390, 75), (199, 72, 0)),
        ("clip, screwed on beside the last tile", (395, 105), (197, 78, -22)),
        ("base board, 4 mm", (370, 135), (195, 86, -41)),
        ("below it, in the middle of each place: a reed switch", (-240, 235), (31.75, 31.75, -41)),
    ]
    for words, at, spot in notes:
        shapes += _note(words, at, seen(*spot))
    return _scaled(Drawing(1080, 520, tuple(shapes)), 0.2)


def rails_leds_picture() -> Drawing:
    """The rails of The Night Cage with the number of every LED, as the driver counts them."""
    board = rails_board()
    return scaled(leds_drawing(board, led_map_for(LightSettings(map="rails"), board)), 0.4)


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
    "rails.svg": rails_picture,
    "layers.svg": layers_picture,
    "rails_leds.svg": rails_leds_picture,
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
