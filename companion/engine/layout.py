"""Where things lie: the places of a game's board in millimetres, and what should be seen on them.

A `Board` never changes during a game: places, printed markers, faces that can be taught.
A `Layout` is what the camera should see now: pieces on places.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import cos, radians, sin
from typing import Any, NamedTuple

from companion.engine.action import Cell
from companion.engine.errors import ConfigError

DICTIONARY = "DICT_4X4_250"
"""The ArUco dictionary of the printed markers; its first fifty are those of DICT_4X4_50."""
MARKERS = 8
"""Markers around a board."""
FRAMES = 250 // MARKERS
"""Frames that the dictionary has markers for."""
ELSEWHERE = 16
"""Games of other distributions number their frames from here on, so that ours never take theirs."""
CALIBRATION = 6
"""The frame whose markers are on the calibration sheet: no board has it."""
CARD_FRAMES = (13, 14, 15)
"""The frames whose markers are on the marker cards: no board has them."""

COVERED, RIM = 0.6, 1.12
"""A face covered by more than the share COVERED counts as hidden; a piece hides RIM times its width."""
STANDING_KINDS = ("pawn", "figure", "die")
"""Kinds of pieces that stand beside each other on what lies below; all others cover it."""
UPRIGHT_KINDS = ("pawn", "figure")
"""Kinds of pieces that rise above the table, so that a camera sees some of the table around them."""


class Place(NamedTuple):
    """A place on the board, in millimetres from the board's upper left corner to its centre.

    A `Cell` is the index of a place. `zone` groups places: "field", "row 1", "deck".
    """

    name: str
    x: float
    y: float
    width: float
    height: float
    zone: str = "field"
    turn: float = 0.0
    is_transient: bool = False
    """Whether what was laid here may be taken up again at any time."""
    any_turn: bool = False
    """Whether it means nothing how what lies here is turned: beside the board, on a pile."""

    def across(self, x: float, y: float) -> tuple[float, float]:
        """How far a point is from its middle, along its own sides."""
        c, s = cos(radians(self.turn)), sin(radians(self.turn))
        dx, dy = x - self.x, y - self.y
        return dx * c + dy * s, dy * c - dx * s


class Face(NamedTuple):
    """One side of a piece as the camera knows it.

    `turns` counts the quarter turns that the game tells apart: 4 for a tile with openings,
    2 for a card upright or reversed, 1 where the turn means nothing.
    """

    name: str
    kind: str
    """tile | card | token | trap | pawn | figure | die | marker"""
    width: float
    height: float
    turns: int = 1
    back: str = ""
    """The face on the other side, if that is always the same one."""

    def turn_of(self, angle: float) -> int:
        """An angle as far as the game tells turns apart: 0, 90, 180 or 270."""
        quarters = round(angle / 90) % 4
        if self.turns == 4:
            return 90 * quarters
        if self.turns == 2:
            # A square with two turns looks the same after a half turn; a card lies upright or reversed.
            return 90 * (quarters % 2) if self.width == self.height else 180 * (quarters // 2)
        return 0


def covers(top: tuple[float, float], below: tuple[float, float]) -> bool:
    """Whether a piece of one size upon one of another leaves too little of it to be told, both in mm."""
    (wide, high), (width, height) = top, below
    if wide >= width and high >= height:
        return True
    return wide < width and high < height and RIM * wide / width * RIM * high / height > COVERED


class Marker(NamedTuple):
    """A printed square that the camera finds: number in `DICTIONARY`, its own upper left corner, size in mm.

    `turn` turns it clockwise about that corner, in degrees.
    """

    id: int
    x: float
    y: float
    size: float
    turn: float = 0.0

    def corners(self) -> list[list[float]]:
        """The four corners clockwise from the upper left, as the detector lists them."""
        x, y = self.x, self.y
        if not self.turn:
            far_x, far_y = x + self.size, y + self.size
            return [[x, y], [far_x, y], [far_x, far_y], [x, far_y]]
        c, s = self.size * cos(radians(self.turn)), self.size * sin(radians(self.turn))
        return [[x, y], [x + c, y + s], [x + c - s, y + s + c], [x - s, y + c]]

    def middle(self) -> tuple[float, float]:
        """Its middle in mm."""
        (ax, ay), _, (cx, cy), _ = self.corners()
        return (ax + cx) / 2, (ay + cy) / 2


class Rail(NamedTuple):
    """A row of places that a rail of light may lie below: from where to where it reaches, in mm."""

    left: float
    right: float
    cells: tuple[Cell, ...]


class Lane(NamedTuple):
    """A bar beside places from which light leaves: its middle and size in mm, and the places it speaks of."""

    x: float
    y: float
    width: float
    height: float
    cells: tuple[Cell, ...]


class Piece(NamedTuple):
    """A piece that lies somewhere: its face, its turn clockwise in degrees, how many lie stacked."""

    face: str
    turn: int = 0
    stack: int = 1


class At(NamedTuple):
    """Where something flat lies: its upper left corner in mm, its turn clockwise in degrees."""

    x: float
    y: float
    turn: float = 0.0

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of it lies, given in its own mm."""
        c, s = cos(radians(self.turn)), sin(radians(self.turn))
        return self.x + x * c - y * s, self.y + x * s + y * c

    def inverse(self) -> At:
        """Where that upon which it lies would be, seen from it."""
        c, s = cos(radians(self.turn)), sin(radians(self.turn))
        return At(-self.x * c - self.y * s, self.x * s - self.y * c, -self.turn % 360)

    def then(self, other: At) -> At:
        """Where it lies on what `other` lays down."""
        return At(*other.point(self.x, self.y), (self.turn + other.turn) % 360)


class Part(NamedTuple):
    """One of several boards that each lie by themselves: its places, its size, where it lies now."""

    name: str
    first: Cell
    cells: int
    """Its places are as many as this, from the first on."""
    width: float
    height: float
    at: At
    seat: At
    """Where it lies before its player while nothing else is known."""
    cards: tuple[int, ...] = ()
    """The marker cards that lie at its left and right edge. What has none lies where all others open to."""

    def corners(self) -> list[tuple[float, float]]:
        """Its corners in mm of the table area, clockwise from its upper left one."""
        w, h = self.width, self.height
        return [self.at.point(x, y) for x, y in ((0, 0), (w, 0), (w, h), (0, h))]


Layout = Mapping[Cell, tuple[Piece, ...]]
"""What lies where, each place from the bottom piece to the top one; an empty place may be left out."""


@dataclass(frozen=True, slots=True)
class Board:
    """The unchanging geometry of a game with its options."""

    name: str
    """Names the printed frame: games or sizes with different frames have different names."""
    width: float
    height: float
    places: tuple[Place, ...]
    faces: tuple[Face, ...]
    markers: tuple[Marker, ...]
    rails: tuple[Rail, ...] = ()
    """The rows that can be laid between rails of light; empty where the game's own board cannot be spread."""
    builds: tuple[tuple[str, int], ...] = ()
    """The builds that spread it (see `built`), each with the number of its printed frame."""
    build: str = ""
    """The build that it is spread for."""
    lanes: tuple[Lane, ...] = ()
    """Where light leaves, once it is spread."""
    sheet: tuple[float, float] | None = None
    """The size of the box's own board where that is only the upper left part of the area."""
    parts: tuple[Part, ...] = ()
    """The boards that it is made of, where each lies by itself."""
    is_loose: bool = False
    """Whether it is made of cards that may lie on a bare table: then each place is where its card lies."""
    is_bare: bool = False
    """Whether it lies on a bare table now."""
    framed: Board | None = None
    """The same boards side by side within a printed frame, where they lie otherwise now."""

    @property
    def sheet_mm(self) -> tuple[float, float]:
        """The size of what people see as the board: its corners are those that they set by hand."""
        return self.sheet or (self.width, self.height)

    @property
    def key(self) -> str:
        """Names the frame and its size: what is measured of one board holds for all boards with this key."""
        if self.framed is not None:
            return self.framed.key
        return f"{self.name}-{round(self.width)}x{round(self.height)}"

    @property
    def frame(self) -> int:
        """The number of the printed frame; raises `ConfigError` for markers that are not those of one."""
        number = self.markers[0].id // MARKERS if self.markers else -1
        if [marker.id for marker in self.markers] != [m.id for m in frame(number, self.width, self.height)]:
            raise ConfigError(f"board {self.name!r}: its markers are not those of a frame; use `frame`")
        return number

    def cell(self, name: str) -> Cell:
        """Finds a place by its name."""
        return next(i for i, place in enumerate(self.places) if place.name == name)

    def json(self) -> dict[str, Any]:
        """Describes the board as `gloam layout` prints it."""
        return {
            "board": self.name,
            "size_mm": [self.width, self.height],
            "cells": [
                {
                    "name": p.name,
                    "zone": p.zone,
                    "centre_mm": [p.x, p.y],
                    "size_mm": [p.width, p.height],
                    "turn": p.turn,
                }
                for p in self.places
            ],
            "markers": {
                "dictionary": DICTIONARY,
                "list": [{"id": m.id, "size_mm": m.size, "corners_mm": m.corners()} for m in self.markers],
            },
            "faces": [f._asdict() for f in self.faces],
            **({"lanes": [lane._asdict() for lane in self.lanes]} if self.lanes else {}),
            **({"parts": [_told(part) for part in self.parts]} if self.parts else {}),
        }


def _told(part: Part) -> dict[str, Any]:
    return {
        "name": part.name,
        "cells": [part.first, part.first + part.cells],
        "size_mm": [part.width, part.height],
        "corner_mm": [part.at.x, part.at.y],
        "turn": part.at.turn,
        "seat": {"corner_mm": [part.seat.x, part.seat.y], "turn": part.seat.turn},
        "cards": list(part.cards),
    }


MARKER_SIZE = 24.0
MARKER_GAP = 6.0
WIDE_MM = 640.0
"""Markers grow with boards larger than this, so that a camera sees them just as well."""


def marker_size(width: float, height: float) -> float:
    """How large the markers around a board are."""
    return float(round(MARKER_SIZE * max(1.0, width / WIDE_MM, height / WIDE_MM)))


def frame(number: int, width: float, height: float) -> tuple[Marker, ...]:
    """Lays the eight markers of a frame around a board: corners and middles, just outside its edge.

    Each frame has a number, so the camera also knows the game; raises `ConfigError` where there is none such.
    """
    if not 0 <= number < FRAMES or number in (CALIBRATION, *CARD_FRAMES):
        kept = f"{CALIBRATION}, which is the calibration sheet's, and those of the marker cards"
        free = f"0 to {FRAMES - 1}, except {kept}: {', '.join(map(str, CARD_FRAMES))}"
        raise ConfigError(f"frame {number}: there are no markers for it; frames are {free}")
    first = MARKERS * number
    size = marker_size(width, height)
    left, top = -MARKER_GAP - size, -MARKER_GAP - size
    right, bottom = width + MARKER_GAP, height + MARKER_GAP
    middle_x, middle_y = (width - size) / 2, (height - size) / 2
    spots = [
        (left, top),
        (middle_x, top),
        (right, top),
        (right, middle_y),
        (right, bottom),
        (middle_x, bottom),
        (left, bottom),
        (left, middle_y),
    ]
    return tuple(Marker(first + i, x, y, size) for i, (x, y) in enumerate(spots))


def square_places(
    names: Iterable[str], columns: int, side: float, x: float = 0.0, y: float = 0.0
) -> list[Place]:
    """Lays named square places in rows, the upper left corner of the first at (x, y)."""
    return [
        Place(name, x + side * (i % columns + 0.5), y + side * (i // columns + 0.5), side, side)
        for i, name in enumerate(names)
    ]


# Builds: boards that are spread so that light gets out between opaque pieces ---------------------------

RAIL_MM = 12.0
"""The width of a rail: an LED profile with its opal cover."""
RIM_MM = 5.0
"""The room for a rim of light at each side of a place of the halo lattice, with half of a wall of 2 mm."""
WALL_MM = 1.0
SPREAD_BUILDS = ("rails", "halo", "glass")
"""The builds that need room between the places."""
_Cuts = list[tuple[float, float]]
"""Where a board is cut, in mm, and how many mm are put in there."""


def built(board: Board, build: str) -> Board:
    """The board as a build lays it; raises `ConfigError` where the game cannot be laid so.

    `rails` cuts it below each row, and so does `glass`, whose bars are drawn by a screen below; `halo` cuts
    around each place. Other builds leave it as it is.
    """
    if build not in SPREAD_BUILDS or board.build == build:
        return board
    number = dict(board.builds).get("rails" if build == "glass" else build)
    if number is None:
        raise ConfigError(
            f'board {board.name!r} cannot be laid for  map = "{build}"; "projector" or "around" can'
        )
    return _haloed(board, number) if build == "halo" else replace(_railed(board, number), build=build)


def _railed(board: Board, number: int) -> Board:
    cuts: _Cuts = []
    for rail in board.rails:
        bottom = max(_bottom(board.places[cell]) for cell in rail.cells)
        below = [_top(place) for place in board.places if _top(place) > bottom - 1 and _meets(place, rail)]
        cuts.append((bottom, max(0.0, RAIL_MM - (min(below, default=board.height) - bottom))))
    spread = _spread(board, "rails", number, [], cuts)
    lanes = []
    for rail in board.rails:
        bottom = max(_bottom(spread.places[cell]) for cell in rail.cells)
        middle = (rail.left + rail.right) / 2
        lanes.append(Lane(middle, bottom + RAIL_MM / 2, rail.right - rail.left, RAIL_MM, rail.cells))
    return replace(spread, lanes=tuple(lanes))


def _haloed(board: Board, number: int) -> Board:
    cells = [cell for rail in board.rails for cell in rail.cells]
    columns = _edges([(board.places[cell].x, board.places[cell].width) for cell in cells])
    rows = _edges([(board.places[cell].y, board.places[cell].height) for cell in cells])
    spread = _spread(board, "halo", number, columns, rows)
    lanes = []
    for cell in cells:
        p = spread.places[cell]
        rim = RIM_MM - WALL_MM
        beside, above = (p.width + rim) / 2, (p.height + rim) / 2
        lanes += [
            Lane(p.x, p.y - above, p.width, rim, (cell,)),
            Lane(p.x + beside, p.y, rim, p.height, (cell,)),
            Lane(p.x, p.y + above, p.width, rim, (cell,)),
            Lane(p.x - beside, p.y, rim, p.height, (cell,)),
        ]
    return replace(spread, lanes=tuple(lanes))


def _edges(spans: list[tuple[float, float]]) -> _Cuts:
    """Room for a rim at both sides of every row or column, given by middles and widths."""
    found: _Cuts = []
    for middle, size in sorted(set(spans)):
        found += [(middle - size / 2, RIM_MM), (middle + size / 2, RIM_MM)]
    return found


def _spread(board: Board, build: str, number: int, xs: _Cuts, ys: _Cuts) -> Board:
    """Cuts a board at some places and draws the parts asunder; the frame grows with it."""

    def moved(at: float, cuts: _Cuts) -> float:
        return at + sum(room for cut, room in cuts if cut < at)

    places = tuple(place._replace(x=moved(place.x, xs), y=moved(place.y, ys)) for place in board.places)
    width, height = moved(board.width + 1, xs) - 1, moved(board.height + 1, ys) - 1
    name, markers = f"{board.name}_{build}", frame(number, width, height)
    board = replace(board, name=name, width=width, height=height, places=places, markers=markers)
    return replace(board, build=build, sheet=None)


def _top(place: Place) -> float:
    return place.y - place.height / 2


def _bottom(place: Place) -> float:
    return place.y + place.height / 2


def _meets(place: Place, rail: Rail) -> bool:
    """Whether a place lies in the columns that a rail reaches along."""
    return place.x + place.width / 2 > rail.left + 1 and place.x - place.width / 2 < rail.right - 1


def rows_of(places: Iterable[Place], zone: str = "field") -> list[tuple[Cell, ...]]:
    """The places of a zone as rows from the top, each from the left."""
    rows: dict[float, list[tuple[float, Cell]]] = {}
    for cell, place in enumerate(places):
        if place.zone == zone:
            rows.setdefault(round(place.y, 1), []).append((place.x, cell))
    return [tuple(cell for _, cell in sorted(rows[y])) for y in sorted(rows)]
