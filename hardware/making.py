"""What a maker cuts, drills, prints and buys for a build of lights: `gloam print parts GAME --map rails`.

All of it comes from the very LED map that the driver uses: a drawing at 1:1 with the number of every LED, a
list of them, a drawing for drilling the switches' holes, a list of parts with lengths, cost and current, and
solids for a 3D printer.
"""

from __future__ import annotations

import csv
import io
import struct
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import ceil, hypot
from pathlib import Path
from typing import NamedTuple

from companion.engine.drawing import Disc, Drawing, Shape, Stroke, Word, line, placed, svg, svg_page
from companion.engine.layout import RAIL_MM, RIM_MM, WALL_MM, Board
from hardware.ledmap import PITCH_MM, SCREENS, LedMap, white_ma

RULER_MM = 100.0
MARGIN_MM = 15.0
USUAL_BRIGHTNESS = 0.2
"""How bright all LEDs together are on an ordinary evening, against all of them white."""
CLIP_MM = 15.0
"""The length of a clip: it holds an end of a rail that reaches so far beyond its lane, where no tile lies."""
CLIP_WALL_MM, CLIP_SLACK_MM = 2.0, 0.3
OPAL_MM = 0.8
"""The sheet over the halo's lattice: 3 mm of acrylic would keep half of the light, and let a sixth of it out
of the neighbour's rim."""
LATTICE_MM = 12.0
WIRE_SLACK_MM = 20.0
"""How much longer a wire between two LEDs is than the way, to be soldered at both ends."""
SUPPLIES_A = (2, 3, 4, 5, 8, 10, 15, 20, 30)
_INK, _GREY, _CUT, _FLAME = "#26221d", "#8a8378", "#c02020", "#e0762c"


class PartRow(NamedTuple):
    """A row of the list of parts: how many of what, how long each, what all of them cost, in euros."""

    number: int
    what: str
    length_mm: float | None
    euros: float


# Lists ---------------------------------------------------------------------------------------------


def supply_a(led_map: LedMap) -> int:
    """The supply that gives what a bright evening asks for: half of all white, by the usual sizes."""
    needed = white_ma(len(led_map.leds), 0.5) / 1000
    return next((size for size in SUPPLIES_A if size >= needed), SUPPLIES_A[-1])


def current_rows(led_map: LedMap) -> list[tuple[str, float]]:
    """What the LEDs of a map draw, in amperes."""
    leds = len(led_map.leds)
    return [
        ("all white, full", white_ma(leds) / 1000),
        ("all white at brightness 0.5", white_ma(leds, 0.5) / 1000),
        ("an ordinary evening (0.2)", white_ma(leds, USUAL_BRIGHTNESS) / 1000),
    ]


def parts(board: Board, led_map: LedMap, profile: int = 0) -> list[PartRow]:
    """What to buy for a board with these lights; `profile` as for `ledmap.rails`."""
    if led_map.build in SCREENS:
        return _screen(board, led_map.build)
    leds, amperes = len(led_map.leds), supply_a(led_map)
    rows = [PartRow(1, f"WS2812B strip, 60 LEDs a metre: {leds} LEDs", leds * PITCH_MM, 0.07 * leds)]
    if led_map.build not in ("rails", "around"):
        length = wire_mm(led_map)
        rows.append(PartRow(1, "wire of three poles, from LED to LED", length, 0.0008 * length))
    if led_map.build == "rails":
        length = max(width for _, _, width in rails_of(board, led_map)) + 2 * CLIP_MM
        rails, clips = len(board.lanes), len(clips_of(board, led_map))
        if profile:
            length, rails = profile * PITCH_MM + 2 * CLIP_MM, leds // profile
        outside = f"{RAIL_MM:.0f} mm wide outside, 10 mm or more inside"
        rows += [
            PartRow(rails, f"aluminium profile, {outside}, opal cover", length, 3.5 * rails),
            PartRow(clips, "clip, printed (clip.stl)", None, 0.1 * clips),
            PartRow(rails - 1, "strip connector with 150 mm of wire, three poles", None, 0.8 * (rails - 1)),
        ]
    elif led_map.build == "halo":
        (across, down), (wide, high) = lattice_size(board), frame_mm(board)
        rows += [
            PartRow(4, "quarter of the lattice, printed (lattice.stl)", None, 16.0),
            PartRow(1, f"opal sheet {OPAL_MM} mm, {across:.0f} × {down:.0f} mm", None, 8.0),
            PartRow(
                1, f"board {LATTICE_MM:.0f} mm, {wide:.0f} × {high:.0f} mm, with a hole for it", None, 10.0
            ),
        ]
    rows += [
        PartRow(1, f"5 V supply, {amperes} A, screw terminals", None, 8.0 + 2.0 * amperes),
        PartRow(1, f"fuse {amperes} A with holder", None, 3.0),
        PartRow(1, "74AHCT125, resistor 330 Ω, capacitor 1000 µF / 6.3 V", None, 4.0),
        PartRow(1, "Raspberry Pi Pico with a USB cable", None, 8.0),
    ]
    return rows


def _screen(board: Board, build: str) -> list[PartRow]:
    """What to buy where a screen draws the light."""
    if build == "projector":
        return [
            PartRow(1, "projector, 1920 × 1080, 200 lm or more", None, 150.0),
            PartRow(1, "arm or shelf that holds it above the table", None, 30.0),
        ]
    wide, high = frame_mm(board)
    # Its picture is 16 × 9; an inch of its diagonal is 22.1 mm across and 12.5 mm down.
    inches = ceil(min(max(wide / 22.1, high / 12.5), max(high / 22.1, wide / 12.5)))
    return [
        PartRow(1, f"television, {inches} inches or more, lying on its back", None, 5.0 * inches),
        PartRow(1, f"glass 4 mm on feet above it, {wide:.0f} × {high:.0f} mm", None, 25.0),
    ]


def frame_mm(board: Board) -> tuple[float, float]:
    """The size of a board with its markers."""
    left, top = (min(marker[i] for marker in board.markers) for i in (1, 2))
    right = max(marker.x + marker.size for marker in board.markers)
    bottom = max(marker.y + marker.size for marker in board.markers)
    return right - left, bottom - top


def lattice_size(board: Board) -> tuple[float, float]:
    """Width and height of a halo's lattice: the rims, and half a wall beyond the outer ones."""
    xs = [lane.x + side * lane.width / 2 for lane in board.lanes for side in (-1, 1)]
    ys = [lane.y + side * lane.height / 2 for lane in board.lanes for side in (-1, 1)]
    return max(xs) - min(xs) + 2 * WALL_MM, max(ys) - min(ys) + 2 * WALL_MM


def wire_mm(led_map: LedMap) -> float:
    """The wire that joins LEDs which were cut from their strip, one after the other."""
    return sum(hypot(b.x - a.x, b.y - a.y) + WIRE_SLACK_MM for a, b in pairwise(led_map.leds))


def rails_of(board: Board, led_map: LedMap) -> list[tuple[float, float, float]]:
    """Where the rails lie, in mm: middle and width of each; one that serves a larger board is longer."""
    found = []
    for lane in board.lanes:
        at = [led.x for led in led_map.leds if led.y == lane.y]
        left = min(lane.x - lane.width / 2, min(at) - PITCH_MM / 2)
        right = max(lane.x + lane.width / 2, max(at) + PITCH_MM / 2)
        found.append(((left + right) / 2, lane.y, right - left))
    return found


def clips_of(board: Board, led_map: LedMap) -> list[tuple[float, float, float, float]]:
    """Where clips hold the ends of the rails, in mm: middle, width and height of each."""
    high = RAIL_MM + CLIP_SLACK_MM + 2 * CLIP_WALL_MM
    return [
        (x + side * (width + CLIP_MM) / 2, y, CLIP_MM, high)
        for x, y, width in rails_of(board, led_map)
        for side in (-1, 1)
    ]


def parts_text(title: str, board: Board, led_map: LedMap, profile: int = 0) -> str:
    """The list of parts, with cost and current, as text."""
    is_strip = led_map.build not in SCREENS
    rows = parts(board, led_map, profile)
    lines = [f"{title}: {led_map.build}" + (f", {len(led_map.leds)} LEDs" if is_strip else ""), ""]
    for number, what, length, euros in rows:
        size = "" if length is None else f", {length:.0f} mm"
        lines.append(f"{number:4} × {what}{size}: about {euros:.0f} €")
    lines += ["", f"About {sum(row.euros for row in rows):.0f} € in all, without Pi and camera.", ""]
    if is_strip:
        lines += [f"{words}: {amperes:.1f} A" for words, amperes in current_rows(led_map)]
        lines.append(f"supply_ma = {supply_a(led_map) * 800}    # 80 % of the supply, for [lights]")
    return "\n".join(lines) + "\n"


def leds_csv(board: Board, led_map: LedMap) -> str:
    """Every LED in the order of the strip: its number, where it lies in mm, and the places that it lights."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(("led", "x_mm", "y_mm", "places"))
    for number, led in enumerate(led_map.leds):
        names = " ".join(board.places[cell].name for cell, _ in led.cells)
        writer.writerow((number, f"{led.x:.1f}", f"{led.y:.1f}", names))
    return table.getvalue()


# Drawings at 1:1 -----------------------------------------------------------------------------------


def leds_drawing(board: Board, led_map: LedMap) -> Drawing:
    """The strip on the board: places, rails or rims to cut along, and the number of every LED."""
    shapes = _sheet(board)
    for lane in board.lanes:
        at = lane.x - board.width / 2, lane.y - board.height / 2
        shapes += placed([_outline(lane.width, lane.height, _CUT)], *at)
    if led_map.build == "rails":
        for x, y, width, height in clips_of(board, led_map):
            shapes += placed([_outline(width, height, _GREY)], x - board.width / 2, y - board.height / 2)
    way = tuple((led.x - board.width / 2, led.y - board.height / 2) for led in led_map.leds)
    shapes.append(Stroke(way, 0.4, _FLAME))
    for number, (x, y) in enumerate(way):
        shapes += [
            Disc(x, y, 2.4, "#ffffff"),
            Disc(x, y, 2.1, _FLAME),
            Word(str(number), x, y, 2.2, "#ffffff"),
        ]
    return _page(board, shapes)


def drill_drawing(board: Board) -> Drawing:
    """A hole of 3 mm for the switch under the middle of every place, with the place's name."""
    shapes = _sheet(board)
    for place in board.places:
        x, y = place.x - board.width / 2, place.y - board.height / 2
        shapes += [line(x - 5, y, x + 5, y, 0.2, _CUT), line(x, y - 5, x, y + 5, 0.2, _CUT)]
        shapes += [Disc(x, y, 1.5, _CUT), Word(place.name, x, y + 8, 4, _GREY)]
    return _page(board, shapes)


def _sheet(board: Board) -> list[Shape]:
    """The board's outline, its places, and a ruler of 100 mm to check the print by."""
    shapes: list[Shape] = [_outline(board.width, board.height, _INK)]
    for place in board.places:
        at = place.x - board.width / 2, place.y - board.height / 2
        shapes += placed([_outline(place.width, place.height, _GREY)], *at)
    left, below = -board.width / 2, board.height / 2 + 6
    shapes.append(line(left, below, left + RULER_MM, below, 0.3, _INK))
    shapes += [
        line(left + mm, below, left + mm, below + (3 if mm % 50 == 0 else 1.5), 0.2, _INK)
        for mm in range(0, int(RULER_MM) + 1, 10)
    ]
    shapes.append(Word("100 mm", left + RULER_MM + 10, below, 4, _INK))
    return shapes


def _page(board: Board, shapes: Sequence[Shape]) -> Drawing:
    return Drawing(board.width + 2 * MARGIN_MM, board.height + 2 * MARGIN_MM, tuple(shapes))


def _outline(width: float, height: float, colour: str) -> Stroke:
    w, h = width / 2, height / 2
    return Stroke(((-w, -h), (w, -h), (w, h), (-w, h), (-w, -h)), 0.2, colour)


# Solids --------------------------------------------------------------------------------------------

Triangle = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]


def solid(
    xs: Sequence[float],
    ys: Sequence[float],
    zs: Sequence[float],
    is_solid: Callable[[float, float, float], bool],
) -> list[Triangle]:
    """The closed surface of a body made of boxes between the given planes; asked at their middles."""
    cuts = [sorted(set(values)) for values in (xs, ys, zs)]
    middles = [[(a + b) / 2 for a, b in pairwise(values)] for values in cuts]
    filled = {
        (i, j, k)
        for i, x in enumerate(middles[0])
        for j, y in enumerate(middles[1])
        for k, z in enumerate(middles[2])
        if is_solid(x, y, z)
    }
    triangles: list[Triangle] = []
    for at in filled:
        for axis in range(3):
            for side in (0, 1):
                beside = list(at)
                beside[axis] += 2 * side - 1
                if tuple(beside) not in filled:
                    triangles += _face(cuts, at, axis, side)
    return triangles


def _face(cuts: Sequence[Sequence[float]], at: tuple[int, int, int], axis: int, side: int) -> list[Triangle]:
    """Two triangles of a box's side, seen from outside against the clock."""
    u, v = (axis + 1) % 3, (axis + 2) % 3
    corners = []
    for du, dv in ((0, 0), (1, 0), (1, 1), (0, 1)):
        index = list(at)
        index[axis] += side
        index[u] += du
        index[v] += dv
        corners.append((cuts[0][index[0]], cuts[1][index[1]], cuts[2][index[2]]))
    a, b, c, d = corners if side else corners[::-1]
    return [(a, b, c), (a, c, d)]


def clip() -> list[Triangle]:
    """A clip that holds the end of a rail of `RAIL_MM` on a board: a trough with two lips."""
    wall, floor, high, lip = CLIP_WALL_MM, 2.0, 9.0, 1.0
    wide = RAIL_MM + CLIP_SLACK_MM + 2 * wall

    def is_solid(x: float, y: float, z: float) -> bool:
        beside = min(x, wide - x)
        return z < floor or beside < wall or (z > high - lip and beside < wall + lip)

    xs = (0, wall, wall + lip, wide - wall - lip, wide - wall, wide)
    return solid(xs, (0, CLIP_MM), (0, floor, high - lip, high), is_solid)


def lattice(board: Board) -> list[Triangle]:
    """The upper left quarter of the halo's lattice: a floor, walls below tiles and between rims.

    It stands on its floor. The strip is wider than a rim, so it is cut into single LEDs that stand on edge,
    one in the middle of each rim.
    """
    thick, floor, high = 1.2, 1.2, LATTICE_MM
    field = sorted({cell for lane in board.lanes for cell in lane.cells})
    half = board.places[field[0]].width / 2
    rings = (half - thick, half, half + RIM_MM - WALL_MM, half + RIM_MM)
    xs = sorted({board.places[cell].x for cell in field})
    ys = sorted({board.places[cell].y for cell in field})
    across, down = xs[: (len(xs) + 1) // 2], ys[: (len(ys) + 1) // 2]

    def is_solid(x: float, y: float, z: float) -> bool:
        far = max(min(abs(x - middle) for middle in across), min(abs(y - middle) for middle in down))
        return z < floor or rings[0] < far < rings[1] or far > rings[2]

    def cuts(middles: Sequence[float]) -> list[float]:
        # Neighbours share a plane; rounded, so that it is one plane and not two that almost meet.
        return [round(middle + side * ring, 4) for middle in middles for ring in rings for side in (-1, 1)]

    return solid(cuts(across), cuts(down), (0.0, floor, high), is_solid)


def stl(triangles: Sequence[Triangle], name: str) -> bytes:
    """Triangles as a binary STL file, in millimetres."""
    content = bytearray(name.encode("ascii")[:80].ljust(80, b"\0") + struct.pack("<I", len(triangles)))
    for triangle in triangles:
        content += struct.pack("<12fH", 0.0, 0.0, 0.0, *(value for point in triangle for value in point), 0)
    return bytes(content)


# Files ---------------------------------------------------------------------------------------------


def write_parts(title: str, board: Board, led_map: LedMap, folder: Path, profile: int = 0) -> list[str]:
    """Writes everything to make into a folder; returns the names of the files."""
    folder.mkdir(parents=True, exist_ok=True)
    drawings = {"drill.svg": drill_drawing(board)}
    texts = {"parts.txt": parts_text(title, board, led_map, profile)}
    if led_map.build not in SCREENS:
        drawings["leds.svg"], texts["leds.csv"] = leds_drawing(board, led_map), leds_csv(board, led_map)
    for name, drawing in drawings.items():
        (folder / name).write_text(svg_page(drawing.width, drawing.height, svg(drawing)), "utf-8")
    for name, told in texts.items():
        (folder / name).write_text(told, "utf-8")
    solids = {"rails": ("clip.stl", clip), "halo": ("lattice.stl", lambda: lattice(board))}
    written = [*drawings, *texts]
    if led_map.build in solids:
        name, make = solids[led_map.build]
        (folder / name).write_bytes(stl(make(), name))
        written.append(name)
    return written
