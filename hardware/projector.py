"""A projector above the table, or a screen below glass: where its picture falls, and what it shows.

Everything is drawn as quadrangles in the pixels of its screen. `Screen.find` shows markers before the camera
and works out how millimetres of the board lie on the screen; dots beside the board stay, so that a
projector that was bumped is noticed (`drift_mm`) and found again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import cv2
import numpy as np

from companion.engine.errors import DeviceError
from companion.engine.layout import Board
from hardware.arrays import Photo
from hardware.ledmap import LedMap

DICTIONARY = cv2.aruco.DICT_5X5_50
"""Another dictionary than that of the printed markers: nothing on the table is mistaken for these."""
BITS, QUIET = 5, 1
"""Bits of a marker across, and the white rim around it in bits; between them lies its black border."""
MODULES = BITS + 2 + 2 * QUIET
FIND_GRID = (4, 3)
"""Markers across and down while the screen is looked for."""
DOT_MM, DOT_OFF_MM, DOT_LIGHT = 14.0, 16.0, 0.9
"""The four dots that stay beside the board: size, how far their middles are from its edge, light."""
SEARCH_MM = 24
"""How far from its place a dot is looked for."""
MIN_LIKENESS = 0.5
"""How much like a bright square a dot must look."""
MIN_MARKERS = 4
BUMPED_MM = 4.0
"""Dots that are seen so far from where they should be: the projector was bumped."""
MIN_LIGHT = 8.0
"""By how many grey levels the projector must brighten a pixel before it counts."""

Point = tuple[float, float]
Millimetres = Callable[[Any], Any]
"""Where points of the camera's picture lie on the board, in mm."""
Pixels = Callable[[Any], Any]
"""Where points of the board, in mm, are in the camera's picture."""


class Quad(NamedTuple):
    """A part of the projector's picture: its corners in pixels of the screen, red, green and blue, 0 to 1."""

    corners: tuple[Point, Point, Point, Point]
    light: tuple[float, float, float]


@cache
def _bits(number: int) -> tuple[tuple[bool, ...], ...]:
    """The white and black bits of a marker, row by row, without its border."""
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    image = cv2.aruco.generateImageMarker(dictionary, number, BITS + 2)
    return tuple(tuple(bool(value) for value in row[1:-1]) for row in np.asarray(image)[1:-1])


def _square(x: float, y: float, size: float, light: float) -> Quad:
    corners = (x, y), (x + size, y), (x + size, y + size), (x, y + size)
    return Quad(corners, (light, light, light))


def marker(number: int, x: float, y: float, size: float, light: float = 1.0) -> Iterator[Quad]:
    """A marker with its white rim; (x, y) is the rim's upper left corner, size with the rim."""
    module = size / MODULES
    yield _square(x, y, size, light)
    yield _square(x + QUIET * module, y + QUIET * module, (BITS + 2) * module, 0.0)
    inset = (QUIET + 1) * module
    for row, bits in enumerate(_bits(number)):
        for column, is_white in enumerate(bits):
            if is_white:
                yield _square(x + inset + column * module, y + inset + row * module, module, light)


def _corners(x: float, y: float, size: float) -> list[Point]:
    """The corners of a marker without its rim, as the detector lists them."""
    module = size / MODULES
    a, b = QUIET * module, (QUIET + BITS + 2) * module
    return [(x + a, y + a), (x + b, y + a), (x + b, y + b), (x + a, y + b)]


def dots_of(board: Board) -> list[Point]:
    """Where the dots fall, between the markers of a board's frame, in mm."""
    return [
        (share * board.width, y) for y in (-DOT_OFF_MM, board.height + DOT_OFF_MM) for share in (0.25, 0.75)
    ]


class Screen:
    """The projector's screen: its size in pixels, and how a board lies on it once that was found."""

    def __init__(
        self, board: Board, size: tuple[int, int] = (1920, 1080), matrix: Photo | None = None
    ) -> None:
        """`matrix` takes millimetres of the board to pixels of the screen."""
        self.size, self.matrix = size, matrix
        self._dots = dots_of(board)

    # Finding it --------------------------------------------------------------------------------

    def _grid(self) -> dict[int, tuple[float, float, float]]:
        """The markers to find the screen by: place and size of each."""
        (width, height), (across, down) = self.size, FIND_GRID
        size = 0.8 * min(width / across, height / down)
        return {
            row * across + column: (
                (column + 0.5) * width / across - size / 2,
                (row + 0.5) * height / down - size / 2,
                size,
            )
            for row in range(down)
            for column in range(across)
        }

    def white(self) -> list[Quad]:
        """The whole screen, white."""
        width, height = map(float, self.size)
        return [Quad(((0.0, 0.0), (width, 0.0), (width, height), (0.0, height)), (1.0, 1.0, 1.0))]

    def markers(self) -> list[Quad]:
        """The picture to find the screen by."""
        return [quad for number, at in self._grid().items() for quad in marker(number, *at)]

    def dots(self) -> list[Quad]:
        """The dots that stay beside the board; none before it was found."""
        if self.matrix is None:
            return []
        flat = [_square(x - DOT_MM / 2, y - DOT_MM / 2, DOT_MM, DOT_LIGHT) for x, y in self._dots]
        at = self.pixels([corner for quad in flat for corner in quad.corners]).reshape(-1, 4, 2).tolist()
        return [_quad(corners, quad.light) for quad, corners in zip(flat, at, strict=True)]

    def find(
        self, show: Callable[[Sequence[Quad]], None], grab: Callable[[], Photo], mm: Millimetres
    ) -> None:
        """Shows black, white and markers, and works out `matrix`; raises `DeviceError` where it is not seen.

        What the projector adds to the picture is set against what it can add there, so dark boards and pieces
        do not matter.
        """
        shots = []
        for picture in ([], self.white(), self.markers()):
            show(picture)
            shots.append(np.mean([grab().astype(np.float32) for _ in range(2)], axis=0).max(-1))
        show([])
        dark, white, marked = shots
        most = np.maximum(white - dark, MIN_LIGHT)
        share = np.clip((marked - dark) / most, 0, 1)
        found = self._seen((255 * share).astype(np.uint8), self._grid())
        if len(found) < MIN_MARKERS * 4:
            raise DeviceError(
                f"the camera sees {len(found) // 4} of the projector's markers: point it at the board, "
                "darken the room, or set the corners by hand"
            )
        self._fit(found, mm)

    def _fit(self, found: list[tuple[Point, Point]], mm: Millimetres) -> None:
        board = np.asarray(mm([pixel for pixel, _ in found]), float)
        matrix, _ = cv2.findHomography(board, np.array([spot for _, spot in found]), cv2.RANSAC, 4.0)
        if matrix is None:
            raise DeviceError("the projector's markers do not lie flat: clear the table and try again")
        self.matrix = np.asarray(matrix)

    @staticmethod
    def _seen(grey: Photo, known: dict[int, tuple[float, float, float]]) -> list[tuple[Point, Point]]:
        """Corners of markers in a picture, each with its place on the screen."""
        settings = cv2.aruco.DetectorParameters()
        settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
        detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), settings)
        corners, ids, _ = detector.detectMarkers(np.asarray(grey, np.uint8))
        return [
            ((float(x), float(y)), spot)
            for corner, number in zip(corners, [] if ids is None else ids.ravel(), strict=True)
            if int(number) in known
            for (x, y), spot in zip(corner.reshape(4, 2), _corners(*known[int(number)]), strict=True)
        ]

    def set_corners(self, corners: Sequence[Point], board: tuple[float, float]) -> None:
        """Keystone by hand: where the board's corners are on the screen, clockwise from the upper left."""
        width, height = board
        rim = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
        self.matrix = np.asarray(cv2.getPerspectiveTransform(rim, np.array(corners, np.float32)), float)

    # Keeping it --------------------------------------------------------------------------------

    def drift_mm(self, picture: Photo, px: Pixels) -> float | None:
        """How far the dots beside the board are from where they should be; None where none is seen."""
        moved = [spot for spot in self._moved(picture, px) if spot is not None]
        return float(np.median([np.hypot(dx, dy) for dx, dy in moved])) if moved else None

    def find_again(self, picture: Photo, px: Pixels) -> bool:
        """Follows the dots beside the board after a bump; False where not all of them are seen."""
        moved = self._moved(picture, px)
        seen = [(x + d[0], y + d[1]) for (x, y), d in zip(self._dots, moved, strict=True) if d is not None]
        if len(seen) < len(self._dots):
            return False
        there = np.asarray(self.pixels(self._dots), np.float32)
        self.matrix = np.asarray(cv2.getPerspectiveTransform(np.array(seen, np.float32), there), float)
        return True

    def _moved(self, picture: Photo, px: Pixels) -> list[Point | None]:
        """By how many mm each dot is off; None where it is not seen."""
        if self.matrix is None:
            return [None] * len(self._dots)
        grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        dot, rim = int(DOT_MM), 4
        square = np.zeros((dot + 2 * rim, dot + 2 * rim), np.float32)
        square[rim:-rim, rim:-rim] = 255
        like = cv2.GaussianBlur(square, (0, 0), 1.5)
        reach = SEARCH_MM + like.shape[0] // 2
        off = np.arange(-reach, reach + 1)
        found: list[Point | None] = []
        for x, y in self._dots:
            grid = np.stack(np.meshgrid(x + off, y + off), -1).reshape(-1, 2)
            at = np.asarray(px(grid), np.float32).reshape(len(off), len(off), 2)
            patch = cv2.remap(grey, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            score = cv2.matchTemplate(patch.astype(np.float32), like, cv2.TM_CCOEFF_NORMED)
            row, column = np.unravel_index(int(score.argmax()), score.shape)
            half = (score.shape[0] - 1) / 2
            is_seen = float(score.max()) >= MIN_LIKENESS
            found.append((float(column - half), float(row - half)) if is_seen else None)
        return found

    # Showing -----------------------------------------------------------------------------------

    def pixels(self, points_mm: Sequence[Point]) -> Photo:
        """Where points of the board are on the screen; the board must have been found."""
        assert self.matrix is not None
        return np.asarray(cv2.perspectiveTransform(np.array([points_mm], float), self.matrix)[0])

    def quads(self, led_map: LedMap, light: Sequence[Sequence[float]]) -> list[Quad]:
        """The lit parts of a map's places, on the very cells."""
        lit = [
            (led, (r, g, b)) for led, (r, g, b) in zip(led_map.leds, light, strict=True) if max(r, g, b) > 0
        ]
        if not lit or self.matrix is None:
            return []
        rims = [corner for led, _ in lit for corner in led.corners()]
        at = self.pixels(rims).reshape(-1, 4, 2).tolist()
        return [_quad(corners, colour) for corners, (_, colour) in zip(at, lit, strict=True)]


def _quad(corners: Sequence[Sequence[float]], light: tuple[float, float, float]) -> Quad:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    return Quad(((ax, ay), (bx, by), (cx, cy), (dx, dy)), light)
