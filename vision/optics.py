"""An imaginary camera: looks at a flat picture in millimetres through a lens, in good light or bad.

`LEVELS` is the damage scale that tests and reports name: 0 studio, 1 ordinary room, 2 dim room with LEDs,
3 dark, coloured and sloppy, 4 hostile.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike

from companion.engine.layout import MARKER_GAP, Board, Marker, marker_size
from vision.images import Doubles, Floats, Image, Rng
from vision.marker import DICTIONARY

Range = tuple[float, float]

PIXELS_PER_MM = 2.5
"""Pixels per millimetre of the flat picture that the camera looks at."""
TABLE_RIM_MM = 80.0
"""Millimetres of table around the board in that picture."""


@dataclass(frozen=True, slots=True)
class Damage:
    """What one level of damage allows; ranges are drawn from evenly."""

    tilt: Range
    shift_mm: float
    turn: float
    """How far pieces are misplaced: millimetres and degrees."""
    light: Range
    """Brightness of a white sheet, 1 where the sensor is full."""
    cast: Range
    """How strongly the light is coloured, 0 white."""
    gradient: Range
    """The darkest part of the board against the lightest."""
    leds: int
    electrons: float
    """Full well of a pixel: fewer mean more noise."""
    blur: Range
    motion: float
    jpeg: Range
    glare: float = 0.0
    shadow: float = 0.0


LEVELS = (
    Damage((0, 4), 0.5, 1.0, (0.75, 0.95), (0, 0.05), (0.9, 1), 0, 9000, (0, 0.4), 0, (93, 97)),
    Damage((2, 10), 1.2, 2.5, (0.5, 1.05), (0, 0.18), (0.75, 1), 2, 4000, (0.3, 0.8), 0, (88, 95), 0, 0.3),
    Damage(
        (4, 17),
        2.0,
        4.5,
        (0.28, 0.75),
        (0.1, 0.38),
        (0.55, 0.9),
        4,
        1600,
        (0.5, 1.2),
        1.5,
        (80, 92),
        0.1,
        0.4,
    ),
    Damage(
        (8, 25), 3.0, 8.0, (0.15, 1.5), (0.25, 0.62), (0.35, 0.75), 6, 700, (0.7, 1.7), 3, (70, 88), 0.5, 0.5
    ),
    Damage((12, 34), 4.0, 12.0, (0.1, 1.7), (0.4, 0.85), (0.2, 0.6), 8, 300, (1, 2.3), 5, (55, 80), 0.7, 0.6),
)
NAMES = ("studio", "ordinary room", "dim room with LEDs", "dark, coloured, sloppy", "hostile")

_LINEAR = np.power(np.arange(256) / 255, 2.2).astype(np.float32).reshape(1, 256)
_CODED = (np.power(np.minimum(np.arange(65536) / 4095, 1), 1 / 2.2) * 255 + 0.5).astype(np.uint8)
"""The tone curve: 4095 is white, and so is what is brighter."""
_WHITE = np.full(4, 4095.0)
_LOOKS_UP = int(cv2.__version__.split(".")[0]) >= 5
_NOISE = np.random.default_rng(0).standard_normal(1 << 22).astype(np.float32)
"""One bank of noise; every frame starts reading it somewhere else: much quicker than drawing anew."""


class PinholeCamera:
    """A pinhole with a lens above the board's plane; the board's millimetres lie at height zero."""

    def __init__(
        self, size: tuple[int, int], focal: float, lens: float, turn: Doubles, move: Doubles
    ) -> None:
        self.size = size
        self.matrix = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
        self.lens = np.array([lens, 0, 0, 0], float)
        self.turn, self.move = turn, move

    @classmethod
    def above(
        cls,
        rng: Rng,
        size: tuple[int, int],
        board: tuple[float, float],
        tilt: Range,
        lens: float = 0.06,
        rim: float | None = None,
    ) -> PinholeCamera:
        """Hangs a camera so that a board of this size with its rim fills the picture well.

        The rim is in mm; without one it is that of a frame of markers.
        """
        w, h = size
        focal = rng.uniform(0.85, 1.3) * max(w, h)
        lean, way, spin = (
            np.radians(rng.uniform(*tilt)),
            rng.uniform(0, 2 * np.pi),
            np.radians(rng.uniform(-4, 4)),
        )
        if (board[0] < board[1]) != (w < h):  # nobody hangs a camera across a long board
            spin += np.pi / 2
        axis = np.array([np.cos(way), np.sin(way), 0]) * lean
        turn = cv2.Rodrigues(axis)[0] @ cv2.Rodrigues(np.array([0, 0, spin]))[0]
        width, height = board
        middle = np.array([width / 2, height / 2, 0])
        rim = MARKER_GAP + marker_size(width, height) + 4 if rim is None else rim
        corners = np.array(
            [[-rim, -rim, 0], [width + rim, -rim, 0], [width + rim, height + rim, 0], [-rim, height + rim, 0]]
        )
        bend = rng.uniform(-lens, lens)
        fill = rng.uniform(0.9, 0.98)
        near, far = 0.3 * max(board), 20.0 * max(board)
        for _ in range(30):  # the nearest distance at which everything is still in the picture
            distance = (near + far) / 2
            camera = cls(size, focal, bend, turn, np.array([0, 0, distance]) - turn @ middle)
            xy = camera.project(corners)
            inside = (np.abs(xy - [w / 2, h / 2]) < np.array([w, h]) / 2 * fill).all()
            near, far = (near, distance) if inside else (distance, far)
        return cls(size, focal, bend, turn, np.array([0, 0, far]) - turn @ middle)

    def project(self, points: ArrayLike) -> Doubles:
        """Where points (x, y, height above the board in mm) appear in the picture."""
        x, y, z = self.turn @ (np.asarray(points, float).reshape(-1, 3) * [1, 1, -1]).T + self.move[:, None]
        x, y = x / z, y / z
        bent = 1 + self.lens[0] * (x * x + y * y)
        focal, across, along = self.matrix[0, 0], self.matrix[0, 2], self.matrix[1, 2]
        return np.stack([focal * bent * x + across, focal * bent * y + along], 1)

    def pixels(self, points_mm: ArrayLike) -> Doubles:
        """Where points of the board appear in the picture."""
        xy = np.asarray(points_mm, float).reshape(-1, 2)
        return self.project(np.column_stack([xy, np.zeros(len(xy))]))

    def board_of(self, pixels: ArrayLike) -> Doubles:
        """Which points of the board's plane appear at these pixels."""
        rays = cv2.undistortPoints(
            np.asarray(pixels, float).reshape(-1, 1, 2), self.matrix, self.lens
        ).reshape(-1, 2)
        plane = np.column_stack([self.turn[:, 0], self.turn[:, 1], self.move])
        xyw = np.column_stack([rays, np.ones(len(rays))]) @ np.linalg.inv(plane).T
        return np.asarray(xyw[:, :2] / xyw[:, 2:], np.float64)

    def maps(self, scale: float, origin: tuple[float, float]) -> Floats:
        """Where in a flat picture each pixel looks; `scale` and `origin` as for `look`."""
        w, h = self.size
        step = 20
        xs, ys = ((np.arange(-1, n // step + 2) + 0.5) * step - 0.5 for n in (w, h))
        grid = np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)
        coarse = ((self.board_of(grid) - origin) * scale).astype(np.float32).reshape(len(ys), len(xs), 2)
        size = (len(xs) * step, len(ys) * step)
        full = np.asarray(cv2.resize(coarse, size, interpolation=cv2.INTER_LINEAR), np.float32)
        return full[step : step + h, step : step + w] - np.float32(0.5)

    def look(self, flat: Image, scale: float, origin: tuple[float, float]) -> Image:
        """Photographs a flat picture: `scale` pixels per mm, its upper left corner at `origin` in mm."""
        soft = soften(flat, self.softness(scale))
        x, y = cv2.split(self.maps(scale, origin))
        return np.asarray(cv2.remap(soft, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)

    def softness(self, scale: float) -> float:
        """How much a flat picture must be blurred because the camera makes it smaller; 0 for not at all."""
        a, b = self.pixels([[0, 0], [100, 100]])
        shrink = scale * 141.4 / float(np.hypot(*(b - a)))
        return 0.4 * shrink if shrink > 1.1 else 0.0


def rim_of(board: Board) -> float:
    """How far the markers of a board reach beyond its edge, with a little room, in mm."""
    far = [
        max(-x, -y, x - board.width, y - board.height)
        for marker in board.markers
        for x, y in marker.corners()
    ]
    return max(far, default=MARKER_GAP) + 4


def paint_markers(flat: Image, board: Board) -> None:
    """Prints the frame or the cards of a board into a flat picture: white paper with markers."""
    for marker in board.markers:
        if marker.turn:
            _paint_turned(flat, marker)
            continue
        side = int(marker.size * PIXELS_PER_MM)
        x, y = int((marker.x + TABLE_RIM_MM) * PIXELS_PER_MM), int((marker.y + TABLE_RIM_MM) * PIXELS_PER_MM)
        quiet = int(4 * PIXELS_PER_MM)
        cv2.rectangle(flat, (x - quiet, y - quiet), (x + side + quiet, y + side + quiet), (245, 245, 245), -1)
        printed = cv2.aruco.generateImageMarker(DICTIONARY, marker.id, side)
        flat[y : y + side, x : x + side] = cv2.cvtColor(np.clip(printed, 18, 242), cv2.COLOR_GRAY2BGR)


def _paint_turned(flat: Image, marker: Marker) -> None:
    """Prints a marker that does not lie straight, with the white paper around it."""
    cell = 16
    printed = cv2.aruco.generateImageMarker(DICTIONARY, marker.id, 6 * cell)
    printed = np.pad(np.clip(printed, 18, 242), cell, constant_values=245)
    corners = np.array([[1, 1], [7, 1], [7, 7], [1, 7]], np.float32) * cell - 0.5
    spots = (np.array(marker.corners(), np.float32) + TABLE_RIM_MM) * PIXELS_PER_MM - 0.5
    fine = 3
    (left, top), (right, bottom) = np.floor(spots.min(0)) - 20, np.ceil(spots.max(0)) + 20
    left, top = max(0, int(left)), max(0, int(top))
    part = flat[top : int(bottom), left : int(right)]
    size = (part.shape[1] * fine, part.shape[0] * fine)
    large = (spots - (left, top) + 0.5) * fine - 0.5
    plane = cv2.getPerspectiveTransform(corners, large.astype(np.float32))
    laid = cv2.warpPerspective(printed, plane, size, flags=cv2.INTER_LINEAR)
    mask = cv2.warpPerspective(np.full_like(printed, 255), plane, size, flags=cv2.INTER_LINEAR)
    small = part.shape[1::-1]
    laid, mask = (cv2.resize(one, small, interpolation=cv2.INTER_AREA)[..., None] for one in (laid, mask))
    part[:] = (laid + part * (1 - mask / 255)).clip(0, 255).astype(np.uint8)


def soften(flat: Image, sigma: float) -> Image:
    """Blurs a picture before it is made smaller, so that lines do not flicker."""
    return np.asarray(cv2.GaussianBlur(flat, (0, 0), sigma), np.uint8) if sigma else flat


def illuminate(rng: Rng, size: tuple[int, int], damage: Damage, corners: Doubles) -> Floats:
    """The light that falls on every pixel, one value per colour; `corners` are the board's in pixels."""
    w, h = size
    small_w, small_h = w // 16, h // 16
    x, y = np.meshgrid((np.arange(small_w) + 0.5) * 16, (np.arange(small_h) + 0.5) * 16)
    low, high = corners.min(0), corners.max(0)
    way = rng.uniform(0, 2 * np.pi)
    along = ((x - low[0]) / (high[0] - low[0]) - 0.5) * np.cos(way) + (
        (y - low[1]) / (high[1] - low[1]) - 0.5
    ) * np.sin(way)
    ramp = 1 - (1 - rng.uniform(*damage.gradient)) * np.clip(along + 0.5, 0, 1)
    hue = rng.uniform(0, 2 * np.pi)
    tint = 1 + rng.uniform(*damage.cast) * np.cos(hue + np.array([0, 2.094, 4.189]))
    light = (
        rng.uniform(*damage.light)
        * ramp[..., None]
        * (tint / tint.max() if rng.random() < 0.5 else tint / tint.mean())
    )
    for _ in range(int(rng.integers(0, damage.leds + 1))):
        side, along_ = rng.integers(4), rng.random()
        a, b = corners[side], corners[(side + 1) % 4]
        spot = a + (b - a) * along_
        reach = rng.uniform(0.06, 0.3) * (high[0] - low[0])
        near = np.exp(-((x - spot[0]) ** 2 + (y - spot[1]) ** 2) / (2 * reach**2))
        glow = np.clip(np.cos(rng.uniform(0, 6.28) + np.array([0, 2.094, 4.189])) + 0.5, 0, 1)
        light = light + near[..., None] * glow * rng.uniform(0.05, 0.35) * float(np.mean(damage.light))
    if rng.random() < damage.shadow:
        edge = (x - rng.uniform(low[0], high[0])) * np.cos(way * 3) + (
            y - rng.uniform(low[1], high[1])
        ) * np.sin(way * 3)
        soft = 1 / (1 + np.exp(-edge / rng.uniform(4, 60)))
        light = light * (1 - rng.uniform(0.1, 0.5) * soft)[..., None]
    full = cv2.resize(light.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(full, np.float32)


def expose(rng: Rng, scene: Image, light: Floats, damage: Damage) -> Image:
    """Takes the photograph: reflected light, glare, blur, noise, tone curve, JPEG."""
    linear = reflect(scene, light)
    if rng.random() < damage.glare:
        linear += shine(rng, linear.shape)
    linear = focus(linear, rng.uniform(*damage.blur))
    linear = shake(rng, linear, damage)
    return develop(rng, linear, grain_of(linear, damage), damage)


def reflect(scene: Image, light: Floats) -> Floats:
    """The light that comes back from a scene, linear."""
    return np.asarray(cv2.LUT(scene, np.repeat(_LINEAR[..., None], 3, 2)) * light, np.float32)


def shine(rng: Rng, shape: tuple[int, ...]) -> Floats:
    """One or two spots where a lamp is mirrored."""
    h, w = shape[:2]
    light = np.zeros((h, w, 1), np.float32)
    for _ in range(int(rng.integers(1, 3))):
        spot = np.zeros((h // 8, w // 8), np.float32)
        at = (int(rng.uniform(0.2, 0.8) * w / 8), int(rng.uniform(0.2, 0.8) * h / 8))
        axes = (
            max(2, int(rng.uniform(0.01, 0.05) * w / 8)),
            max(2, int(rng.uniform(0.01, 0.05) * w / 8)),
        )
        cv2.ellipse(spot, at, axes, rng.uniform(0, 180), 0, 360, float(rng.uniform(0.2, 0.8)), -1)
        light += cv2.resize(cv2.GaussianBlur(spot, (0, 0), 2.0), (w, h))[..., None]
    return light


def focus(linear: Floats, blur: float) -> Floats:
    """Blurs as a lens does that is a little out of focus."""
    return np.asarray(cv2.GaussianBlur(linear, (0, 0), blur), np.float32) if blur > 0.25 else linear


def shake(rng: Rng, linear: Floats, damage: Damage) -> Floats:
    """Blurs as a camera does that moves a little."""
    motion = rng.uniform(0, damage.motion)
    if motion <= 1:
        return linear
    return np.asarray(cv2.filter2D(linear, -1, _streak(motion, rng.uniform(0, np.pi))), np.float32)


def grain_of(linear: Floats, damage: Damage) -> Floats:
    """How strong the noise is at every pixel."""
    variance = np.maximum(linear, 0) / damage.electrons + 4e-6 * 4000 / damage.electrons
    return np.asarray(np.sqrt(variance), np.float32)


def develop(rng: Rng, linear: Floats, grain: Floats, damage: Damage) -> Image:
    """Makes a picture of the light on the sensor: noise, tone curve, JPEG."""
    start = int(rng.integers(0, max(1, _NOISE.size - linear.size)))
    noise = np.resize(_NOISE[start : start + linear.size], linear.shape)
    noisy = cv2.add(linear, cv2.multiply(noise, grain, noise), noise)
    levels = cv2.multiply(noisy, _WHITE, dtype=cv2.CV_16U)
    # Before 5.0 OpenCV looked up bytes only.
    coded = cv2.LUT(levels, _CODED) if _LOOKS_UP else np.take(_CODED, np.asarray(levels, np.uint16))
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(*damage.jpeg))]
    return np.asarray(cv2.imdecode(cv2.imencode(".jpg", coded, quality)[1], cv2.IMREAD_COLOR), np.uint8)


def _streak(length: float, angle: float) -> Floats:
    n = int(np.ceil(length)) | 1
    kernel = np.zeros((n + 2, n + 2), np.float32)
    middle = (n + 1) / 2
    reach = np.array([np.cos(angle), np.sin(angle)]) * (length - 1) / 2
    a, b = np.round((middle - reach) * 16).astype(int), np.round((middle + reach) * 16).astype(int)
    cv2.line(kernel, tuple(map(int, a)), tuple(map(int, b)), 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(kernel / kernel.sum(), np.float32)
