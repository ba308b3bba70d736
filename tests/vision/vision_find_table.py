"""Photographs of drawn boards for the tests of finding: a pinhole with a lens, light, noise and blur.

Deliberately simple and separate from the painter that reading is trained on.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from companion.engine.layout import Board, Face, Place, frame, square_places
from vision.pose import Lens

FULL_WELL = (9000, 4000, 1600, 700, 300)
TILT = ((0, 4), (2, 10), (4, 17), (8, 25), (12, 34))
LIGHT = ((0.75, 0.95), (0.5, 1.05), (0.28, 0.75), (0.15, 1.5), (0.1, 1.7))
CAST = ((0, 0.05), (0, 0.18), (0.1, 0.38), (0.25, 0.62), (0.4, 0.85))
GRADIENT = ((0.9, 1), (0.75, 1), (0.55, 0.9), (0.35, 0.75), (0.2, 0.6))
BLUR = ((0, 0.4), (0.3, 0.8), (0.5, 1.2), (0.7, 1.7), (1, 2.3))
MOTION = (0, 0, 1.5, 3, 5)
JPEG = ((93, 97), (88, 95), (80, 92), (70, 88), (55, 80))

MM = 4
"""Pixels per millimetre of the drawing."""
RIM = 60.0
"""Millimetres of table drawn around the board."""


class Photograph(NamedTuple):
    image: np.ndarray
    lens: Lens
    turn: np.ndarray
    shift: np.ndarray

    def truth(self, points_mm) -> np.ndarray:
        """Where points of the board really are, in pixels."""
        deep = np.column_stack([np.asarray(points_mm, np.float64), np.zeros(len(points_mm))])
        px, _ = cv2.projectPoints(
            deep, self.turn, self.shift, self.lens.matrix(), np.array(self.lens.distortion)
        )
        return px.reshape(-1, 2)


def small_board(name: str = "night_cage_6", number: int = 0, columns: int = 6, side: float = 50.0) -> Board:
    names = [f"{chr(97 + i % columns)}{i // columns + 1}" for i in range(columns * columns)]
    size = columns * side
    faces = (Face("tile", "tile", side, side, 4),)
    places = tuple(square_places(names, columns, side))
    return Board(name, size, size, places, faces, frame(number, size, size))


def card_board() -> Board:
    places = tuple(
        Place(f"card{i}", 40 + 70 * (i % 4), 55 + 100 * (i // 4), 60, 90, turn=float(10 * i))
        for i in range(8)
    )
    return Board("onirim", 290, 210, places, (Face("card", "card", 60, 90, 2),), frame(3, 290, 210))


_DRAWN: dict[str, np.ndarray] = {}


def _drawn(name: str, board: Board) -> np.ndarray:
    """One drawing per frame: drawing takes longer than photographing."""
    if name not in _DRAWN:
        _DRAWN[name] = drawing(board, np.random.default_rng(len(name)))
    return _DRAWN[name]


def drawing(board: Board, rng: np.random.Generator) -> np.ndarray:
    """The board from straight above: a table, white paper with markers, a random tile on every place."""
    width, height = (round((side + 2 * RIM) * MM) for side in (board.width, board.height))
    table = rng.integers(40, 110, 3)
    grain = cv2.resize(rng.normal(0, 6, (height // 4, width // 4, 3)), (width, height))
    picture = np.clip(table + grain, 0, 255).astype(np.uint8)
    inset = round((RIM - 36) * MM)
    picture[inset:-inset, inset:-inset] = 235
    at = lambda mm: round((mm + RIM) * MM)  # noqa: E731
    for marker in board.markers:
        side = round(marker.size * MM)
        drawn = cv2.aruco.generateImageMarker(
            cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), marker.id, side
        )
        x, y = at(marker.x), at(marker.y)
        picture[y : y + side, x : x + side] = np.clip(drawn[..., None], 18, 235)
    for place in board.places:
        box = cv2.boxPoints(
            ((at(place.x), at(place.y)), (place.width * MM - 6, place.height * MM - 6), place.turn)
        )
        cv2.fillConvexPoly(picture, box.astype(np.int32), [int(v) for v in rng.integers(20, 200, 3)])
        for _ in range(3):
            a, b = rng.integers(-12, 13, (2, 2))
            centre = np.array([at(place.x), at(place.y)])
            ink = [int(v) for v in rng.integers(0, 255, 3)]
            cv2.line(picture, (centre + a * MM).tolist(), (centre + b * MM).tolist(), ink, 8)
    return picture


def photograph(
    board: Board,
    seed: int,
    level: int = 1,
    size: tuple[int, int] = (1280, 720),
    *,
    roll: float | None = None,
    aside: tuple[float, float] = (0.0, 0.0),
    fill: float = 0.9,
    bend: float | None = None,
    picture: np.ndarray | None = None,
    noise_seed: int | None = None,
) -> Photograph:
    """One picture at a damage level; `aside` moves the board's middle by shares of the frame."""
    rng = np.random.default_rng(seed)
    drawn = _drawn(board.name, board) if picture is None else picture
    width, height = size
    focal = width * rng.uniform(0.8, 1.2)
    k1 = rng.uniform(-0.08, 0.03) if bend is None else bend
    lens = Lens(width, height, focal, focal, width / 2 - 0.5, height / 2 - 0.5, (k1, 0.0, 0.0, 0.0, 0.0))
    tilt, way = np.radians(rng.uniform(*TILT[level])), rng.uniform(0, 2 * np.pi)
    spin = np.radians(rng.uniform(-8, 8) if roll is None else roll)
    lean, _ = cv2.Rodrigues(tilt * np.array([np.cos(way), np.sin(way), 0]))
    around, _ = cv2.Rodrigues(np.array([0, 0, spin]))
    rotation = lean @ around
    span = (max(board.width, board.height) + 72) * (1 + 0.5 * np.sin(tilt))
    far = focal * span / (fill * min(size))
    middle = rotation @ np.array([board.width / 2, board.height / 2, 0])
    at = np.array([aside[0] * width / focal * far, aside[1] * height / focal * far, far])
    turn, shift = cv2.Rodrigues(rotation)[0].ravel(), at - middle
    image = _project(drawn, lens, rotation, shift)
    image = _spoil(image, rng if noise_seed is None else np.random.default_rng(noise_seed), level)
    return Photograph(image, lens, turn, shift)


def views_of_one_lens(board: Board, picture: np.ndarray, n: int, seed: int, bend: float) -> list[Photograph]:
    """Clean pictures by one camera from different sides and slants."""
    rng = np.random.default_rng(seed)
    width, height, focal = 1280, 720, 1150.0
    lens = Lens(width, height, focal, focal, width / 2 - 0.5, height / 2 - 0.5, (bend, 0.0, 0.0, 0.0, 0.0))
    photos = []
    for i in range(n):
        way, tilt = 2 * np.pi * i / n, np.radians(rng.uniform(15, 32))
        rotation, _ = cv2.Rodrigues(tilt * np.array([np.cos(way), np.sin(way), 0]))
        far = focal * (board.width + 100) / height * rng.uniform(1.05, 1.3)
        at = np.array([rng.uniform(-0.12, 0.12) * far, rng.uniform(-0.03, 0.03) * far, far])
        shift = at - rotation @ np.array([board.width / 2, board.height / 2, 0])
        image = _spoil(_project(picture, lens, rotation, shift), rng, 0)
        photos.append(Photograph(image, lens, cv2.Rodrigues(rotation)[0].ravel(), shift))
    return photos


def _project(drawn: np.ndarray, lens: Lens, rotation: np.ndarray, shift: np.ndarray) -> np.ndarray:
    """What the lens sees of the drawing: every pixel looks up its point on the table."""
    coarse = 8
    xs, ys = np.arange(0, lens.width + coarse, coarse), np.arange(0, lens.height + coarse, coarse)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2).astype(np.float64)
    ideal = lens.straighten(grid)
    plane = lens.matrix() @ np.column_stack([rotation[:, 0], rotation[:, 1], shift])
    mapped = np.column_stack([ideal, np.ones(len(ideal))]) @ np.linalg.inv(plane).T
    mm = (mapped[:, :2] / mapped[:, 2:]).reshape(len(ys), len(xs), 2)
    source = ((mm + RIM) * MM - 0.5).astype(np.float32)
    x, y = np.meshgrid(
        np.arange(lens.width, dtype=np.float32) / coarse, np.arange(lens.height, dtype=np.float32) / coarse
    )
    fine = cv2.remap(source, x, y, cv2.INTER_LINEAR)
    blurred = cv2.GaussianBlur(drawn, (0, 0), 0.8)
    return cv2.remap(blurred, fine[..., 0], fine[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


_NOISE = np.random.default_rng(0).standard_normal(1 << 21, dtype=np.float32)


def _noise(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Noise out of one bank, begun anywhere: much faster than drawing it anew."""
    wanted, start = int(np.prod(shape)), int(rng.integers(1 << 20))
    times = -(-(wanted + start) // len(_NOISE))
    return np.tile(_NOISE, times)[start : start + wanted].reshape(shape)


def _spoil(image: np.ndarray, rng: np.random.Generator, level: int) -> np.ndarray:
    height, width = image.shape[:2]
    light = image.astype(np.float32) / 255
    light = light**2.2
    cast = rng.uniform(*CAST[level])
    light *= 1 - cast * rng.random(3).astype(np.float32)
    low, way = rng.uniform(*GRADIENT[level]), rng.uniform(0, 2 * np.pi)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    slope = (np.cos(way) * (x / width - 0.5) + np.sin(way) * (y / height - 0.5)) + 0.5
    light *= (low + (1 - low) * np.clip(slope, 0, 1))[..., None]
    light *= rng.uniform(*LIGHT[level])
    sigma = rng.uniform(*BLUR[level]) * width / 1280
    if sigma > 0.1:
        light = cv2.GaussianBlur(light, (0, 0), sigma)
    if MOTION[level]:
        length = max(1, round(rng.uniform(0, MOTION[level]) * width / 1280))
        kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
        angle = rng.uniform(0, np.pi)
        for t in np.linspace(-length / 2, length / 2, 16):
            kernel[round(length + t * np.sin(angle)), round(length + t * np.cos(angle))] += 1
        light = cv2.filter2D(light, -1, kernel / kernel.sum())
    well = FULL_WELL[level]
    light += _noise(rng, light.shape) * np.sqrt(np.maximum(light, 0.001) / well)
    encoded = (np.clip(light, 0, 1) ** (1 / 2.2) * 255).astype(np.uint8)
    quality = int(rng.integers(*JPEG[level]))
    _, data = cv2.imencode(".jpg", encoded, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return cv2.imdecode(data, cv2.IMREAD_COLOR)
