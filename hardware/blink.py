"""Finds out where the LEDs are: lights one after the other and looks for it with a camera.

The camera is any function that returns a fresh picture, so this needs no eyes of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import cv2
import numpy as np

from companion.engine.errors import DeviceError
from companion.engine.layout import DICTIONARY, Board
from hardware.arrays import Photo
from hardware.ledmap import PITCH_MM, Led, LedMap, StripSpec, before

Grab = Callable[[], Photo]
LEVEL = 160
"""How bright a LED blinks."""
LANE_SLACK_MM = 6.0
"""How far beside a bar of light an LED may be seen and still belong to it."""


class FoundLeds(NamedTuple):
    """The map that was found, and the LEDs that nobody saw: dead, covered, or beyond the picture."""

    led_map: LedMap
    missing: tuple[int, ...]

    def words(self) -> str:
        """Says how it went."""
        seen = len(self.led_map.leds) - len(self.missing)
        text = f"{seen} of {len(self.led_map.leds)} LEDs found."
        if self.missing:
            numbers = ", ".join(map(str, self.missing))
            text += f" Not seen: {numbers} (counted from 0). If all after one are missing, its joint is open."
        return text


def find_spots(
    leds: int, size: int, show: Callable[[bytes], None], grab: Grab
) -> list[tuple[float, float] | None]:
    """Blinks each of `leds` LEDs of `size` bytes; returns where the camera saw it, in pixels, or None."""
    show(bytes(leds * size))
    darks = [_grey(grab()) for _ in range(4)]
    dark = np.median(darks, axis=0)
    noise = max(2.0, float(np.std(darks[-1] - dark)))
    spots: list[tuple[float, float] | None] = []
    for led in range(leds):
        frame = bytearray(leds * size)
        frame[led * size : led * size + 3] = bytes([LEVEL] * 3)
        show(bytes(frame))
        spots.append(_spot(_grey(grab()) - dark, noise))
    show(bytes(leds * size))
    return spots


def _grey(picture: Photo) -> Photo:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if picture.ndim == 3 else picture
    return cv2.GaussianBlur(grey, (0, 0), 1.5).astype(np.float32)


def _spot(change: Photo, noise: float) -> tuple[float, float] | None:
    """The middle of the brightest spot, or None when nothing stands out."""
    peak = float(change.max())
    if peak < max(10.0, 5 * noise):
        return None
    row, column = np.unravel_index(int(change.argmax()), change.shape)
    bright = (change > peak / 2).astype(np.uint8)
    _, labels = cv2.connectedComponents(bright)
    rows, columns = np.nonzero(labels == labels[row, column])
    weights = change[rows, columns]
    return float(np.average(columns, weights=weights)), float(np.average(rows, weights=weights))


def homography(picture: Photo, board: Board) -> Photo:
    """Finds how pixels lie on the board, in mm, by its printed markers."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY)))
    corners, ids, _ = detector.detectMarkers(picture)
    known = {marker.id: marker.corners() for marker in board.markers}
    pairs = [
        (corner.reshape(4, 2), known[int(number)])
        for corner, number in zip(corners, [] if ids is None else ids.ravel(), strict=True)
        if int(number) in known
    ]
    if not pairs:
        raise DeviceError(
            "the camera does not see the board's markers: light the room, or lay the printed frame into view"
        )
    matrix, _ = cv2.findHomography(np.vstack([p for p, _ in pairs]), np.vstack([m for _, m in pairs]))
    return np.asarray(matrix)


def find_map(
    strip: StripSpec,
    supply_ma: int,
    board: Board,
    show: Callable[[bytes], None],
    grab: Grab,
    to_board: Photo,
) -> FoundLeds:
    """Blinks a strip and makes its map: each LED belongs to the place that it lies under, or looks along."""
    spots = find_spots(strip.count, len(strip.order), show, grab)
    leds, missing = [], []
    for number, spot in enumerate(spots):
        if spot is None:
            missing.append(number)
            leds.append(Led(0.0, 0.0))
            continue
        x, y, w = to_board @ np.array([*spot, 1.0])
        leds.append(_led(board, round(float(x / w), 1), round(float(y / w), 1)))
    build = board.build or "cells"
    return FoundLeds(LedMap(tuple(leds), (strip._replace(supply=0),), (supply_ma,), build), tuple(missing))


def fitted(led_map: LedMap, board: Board) -> LedMap:
    """A map that was found, for another set of places in the same frame: only what the LEDs light changes."""
    leds = (led if led == Led(0.0, 0.0) else _led(board, led.x, led.y) for led in led_map.leds)
    return LedMap(tuple(leds), led_map.strips, led_map.supplies_ma, led_map.build)


def _led(board: Board, x: float, y: float) -> Led:
    if board.lanes:
        return _in_lane(board, x, y)
    for cell, place in enumerate(board.places):
        dx, dy = (x - place.x) / place.width, (y - place.y) / place.height
        if abs(dx) <= 0.5 and abs(dy) <= 0.5:
            # A single LED in the middle stays exactly there: shapes then leave it alone.
            dx, dy = (0.0, 0.0) if abs(dx) < 0.15 and abs(dy) < 0.15 else (round(dx, 2), round(dy, 2))
            return Led(x, y, ((cell, 1.0),), dx, dy)
    from_side = min(abs(x), abs(board.width - x))
    from_top = min(abs(y), abs(board.height - y))
    return Led(x, y, before(board, x, y, upright=from_top < from_side))


def _in_lane(board: Board, x: float, y: float) -> Led:
    """An LED that was seen in a bar of light; one that is seen elsewhere belongs to another game."""
    apart, lane = min(
        (max(abs(x - one.x) - one.width / 2, abs(y - one.y) - one.height / 2), one) for one in board.lanes
    )
    if apart > LANE_SLACK_MM:
        return Led(x, y)
    cell = min(lane.cells, key=lambda one: abs(board.places[one].x - x))
    place = board.places[cell]
    dx, dy = round((x - place.x) / place.width, 2), round((y - place.y) / place.height, 2)
    is_rail = lane.width > 2 * place.width
    return Led(x, y, ((cell, 1.0),), dx, dy, PITCH_MM if is_rail else lane.width, lane.height)
