"""Straight pictures of places, cut from a photograph of the whole board.

All places are cut by one `cv2.remap` whose map is computed once per pose: a still camera pays for the
geometry once, then a millisecond per frame, whatever the lens and however the places lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.engine.action import Cell
from companion.engine.layout import Board, Place
from vision.images import Doubles, Floats, Image
from vision.pose import PixelMap, Pose, place_corners

_ROWS = 30_000
"""OpenCV's remap takes no taller picture."""


def crop(
    image: Image, pose: PixelMap, place: Place, pixels: int | tuple[int, int], margin: float = 0.0
) -> Image:
    """Cuts one place, upright as the board prints it, to `pixels` (a side, or width and height).

    `margin` adds that share of the place's size on every side. What lies beyond the picture repeats its edge.
    """
    return np.asarray(stack(image, pose, (place,), pixels, margin)[0])


def crops(
    image: Image, pose: Pose, board: Board, side_px: int | tuple[int, int], margin: float = 0.0
) -> dict[Cell, Image]:
    """Cuts every place of the board that lies within the picture, all to the same size in pixels."""
    every = stack(image, pose, board.places, side_px, margin)
    outside = set(pose.outside())
    return {cell: every[cell] for cell in range(len(board.places)) if cell not in outside}


def stack(
    image: Image, pose: PixelMap, places: Sequence[Place], pixels: int | tuple[int, int], margin: float = 0.0
) -> Image:
    """Cuts places into one array: place, row, column, and colour if the picture has any."""
    width, height = (pixels, pixels) if isinstance(pixels, int) else pixels
    parts = []
    for rows, columns, shrink, count in _maps(pose, tuple(places), width, height, margin):
        cut = cv2.remap(image, rows, columns, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        if shrink > 1:
            cut = cv2.resize(cut, (width, count * height), interpolation=cv2.INTER_AREA)
        parts.append(cut.reshape(count, height, width, *image.shape[2:]))
    return np.asarray(parts[0] if len(parts) == 1 else np.concatenate(parts), np.uint8)


@lru_cache(maxsize=16)
def _maps(
    pose: PixelMap, places: tuple[Place, ...], width: int, height: int, margin: float
) -> list[tuple[NDArray[np.int16], NDArray[np.uint16], int, int]]:
    """Where each pixel of the crops comes from, as OpenCV's fixed-point maps, in parts that it can take.

    A crop much smaller than its source is sampled finer and averaged, or noise and edges would alias.
    """
    shrink = _shrink(pose, places, width, height, margin)
    per_part = max(1, _ROWS // (height * shrink))
    across, along = _between(width * shrink), _between(height * shrink)
    parts = []
    for start in range(0, len(places), per_part):
        some = places[start : start + per_part]
        nodes = pose.pixels(np.concatenate([_nodes(place, margin) for place in some]))
        grid = nodes.reshape(len(some), _NODES, _NODES, 2).transpose(0, 3, 1, 2)
        source = along @ grid.astype(np.float32) @ across.T
        x, y = (np.ascontiguousarray(source[:, i]).reshape(-1, width * shrink) for i in range(2))
        rows, columns = cv2.convertMaps(x, y, cv2.CV_16SC2)
        parts.append((np.asarray(rows, np.int16), np.asarray(columns, np.uint16), shrink, len(some)))
    return parts


_NODES = 17
"""How many points along each side of a place are mapped exactly; between them it is nearly straight."""


def _nodes(place: Place, margin: float) -> Doubles:
    """The points in mm at which a place is mapped, row by row."""
    corner, right, _, down = place_corners(place, margin)
    share = np.linspace(0, 1, _NODES)
    across = share[None, :, None] * (right - corner)
    along = share[:, None, None] * (down - corner)
    return np.asarray((corner + across + along).reshape(-1, 2))


def _between(pixels: int) -> Floats:
    """How each pixel of a row of this length lies between the nodes: weights, pixels × nodes."""
    at = (np.arange(pixels) + 0.5) / pixels * (_NODES - 1)
    return np.asarray(np.maximum(0.0, 1 - np.abs(at[:, None] - np.arange(_NODES))), np.float32)


def _shrink(pose: PixelMap, places: Sequence[Place], width: int, height: int, margin: float) -> int:
    """How many source pixels, at the most, fall into one pixel of a crop, along one side."""
    corners = pose.pixels(np.concatenate([place_corners(place, margin) for place in places]))
    a, b, c, d = corners.reshape(-1, 4, 2).transpose(1, 0, 2)
    across = np.maximum(np.linalg.norm(b - a, axis=1), np.linalg.norm(c - d, axis=1)) / width
    along = np.maximum(np.linalg.norm(d - a, axis=1), np.linalg.norm(c - b, axis=1)) / height
    return min(4, max(1, round(float(np.minimum(across, along).max()))))


def largest(values: NDArray[np.floating]) -> Floats:
    """The largest of the channels, pixel by pixel; much faster than a maximum over an axis."""
    if values.ndim == 3:
        first, *others = (values[..., i] for i in range(values.shape[2]))
        for other in others:
            first = np.maximum(first, other)
        values = first
    return np.asarray(values, np.float32)
