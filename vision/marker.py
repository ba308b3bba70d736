"""One printed marker at a time: exact corners, and recognition where a general search sees nothing.

A general search shrinks blurred markers by a pixel or more. Here the four outer edges, where black meets
white paper, are measured across, which blur does not shift. Where a marker must be is known from the others,
so that its picture can be compared with what is there even in light in which no outline can be traced.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from companion.engine import layout
from vision.images import Doubles, Floats, Image

DICTIONARY = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, layout.DICTIONARY))
CELLS = 6
"""Cells along the side of a marker, its black border included."""
ALIKE = 0.7
"""The correlation between a marker and what is seen from which on it is recognised."""
_SQUARE = np.array([[1, 1], [CELLS + 1, 1], [CELLS + 1, CELLS + 1], [1, CELLS + 1]], np.float32)
"""The corners of a marker within its pattern, in cells."""
_PAPER = 9
"""How many pixels to a cell the pattern is drawn with."""


@cache
def pattern(marker: int) -> Floats:
    """The cells of a marker, 0 or 1, with one cell of white paper around."""
    drawn = cv2.aruco.generateImageMarker(DICTIONARY, marker, CELLS)
    return np.pad(np.asarray(drawn, np.float32) / 255, 1, constant_values=1.0)


def sharpen(gray: Image, corners: Doubles) -> Doubles:
    """Moves corners to where the marker's edges cross; leaves them where there are no such edges."""
    return np.asarray(sharpen_all(gray, corners[None])[0])


def sharpen_all(gray: Image, corners: Doubles) -> Doubles:
    """The same for several markers at once: markers, corners, x and y."""
    for _ in range(2):
        start, end = _edges(gray, corners)
        found = _crossings(np.roll(start, 1, axis=1), np.roll(end, 1, axis=1), start, end)
        away = np.linalg.norm(found - corners, axis=2).max(axis=1)
        with np.errstate(invalid="ignore"):
            good = away <= 0.25 * _sides(corners) + 1
        corners = np.where(good[:, None, None], found, corners)
    return corners


def _sides(corners: Doubles) -> Doubles:
    """The mean side of each marker."""
    return np.asarray(np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2).mean(axis=1))


def _side(corners: Doubles) -> float:
    return float(_sides(corners[None])[0])


_SHARE = np.linspace(0.12, 0.88, 15)
"""The spots along an edge at which it is measured."""


def _edges(gray: Image, corners: Doubles) -> tuple[Doubles, Doubles]:
    """Two points on each outer edge, by the steps from black out to white across it."""
    reach = np.clip(0.15 * _sides(corners), 1.5, 12)  # each its own: a large false find must not blur others
    offsets = np.linspace(-1, 1, 2 * int(np.ceil(2 * reach.max())) + 1) * reach[:, None]
    along = np.roll(corners, -1, axis=1) - corners
    unit = along / np.maximum(np.linalg.norm(along, axis=2, keepdims=True), 1e-9)
    outward = np.stack([unit[..., 1], -unit[..., 0]], axis=-1)
    base = corners[:, :, None] + along[:, :, None] * _SHARE[:, None]
    at = base[:, :, :, None] + offsets[:, None, None, :, None] * outward[:, :, None, None]
    flat = at.reshape(-1, offsets.shape[1], 2).astype(np.float32)
    seen = cv2.remap(gray, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    levels = np.asarray(seen, np.float64)
    step = np.maximum(levels[:, 2:] - levels[:, :-2], 0) ** 2
    weight = step.sum(axis=1) + 1e-9
    inner = np.repeat(offsets[:, 1:-1], len(step) // len(offsets), axis=0)
    offset = ((step * inner).sum(axis=1) / weight).reshape(*corners.shape[:2], -1)
    first, last = _lines(offset, np.sqrt(weight).reshape(offset.shape))
    return corners + first[..., None] * outward, corners + along + last[..., None] * outward


def _lines(offset: Doubles, weight: Doubles) -> tuple[Doubles, Doubles]:
    """Straight lines through the offsets along each edge, those that lie off left out: at its two ends."""
    for _ in range(2):
        total = weight.sum(axis=-1)
        middle = (weight * _SHARE).sum(axis=-1) / total
        level = (weight * offset).sum(axis=-1) / total
        away = _SHARE - middle[..., None]
        slope = (weight * away * offset).sum(axis=-1) / (weight * away**2).sum(axis=-1)
        off = np.abs(offset - level[..., None] - slope[..., None] * away)
        limit = 2.5 * np.median(off, axis=-1, keepdims=True) + 0.1
        weight = np.where(off > limit, weight * 1e-3, weight)
    return level - slope * middle, level + slope * (1 - middle)


def _crossings(a: Doubles, b: Doubles, c: Doubles, d: Doubles) -> Doubles:
    """Where the lines through a, b and through c, d cross."""
    u, v, w = b - a, d - c, c - a
    across = u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (w[..., 0] * v[..., 1] - w[..., 1] * v[..., 0]) / across
    return np.asarray(a + share[..., None] * u)


def likeness(gray: Image, corners: Doubles, marker: int) -> float:
    """The correlation of a marker's cells with what lies between corners; a plain square has none."""
    to_pixels = cv2.getPerspectiveTransform(_SQUARE, corners.astype(np.float32))
    fine = 3
    spots = (np.arange(CELLS * fine) + 0.5) / fine + 1
    grid = np.stack(np.meshgrid(spots, spots), axis=-1).reshape(-1, 1, 2).astype(np.float32)
    at = cv2.perspectiveTransform(grid, to_pixels).reshape(CELLS * fine, CELLS * fine, 2)
    seen = cv2.remap(gray, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cells = np.asarray(seen, np.float64).reshape(CELLS, fine, CELLS, fine).mean(axis=(1, 3))
    if cells.std() < 1e-6:
        return 0.0
    return float(np.corrcoef(cells.ravel(), pattern(marker)[1:-1, 1:-1].ravel())[0, 1])


def recognise(gray: Image, expected: Doubles, marker: int) -> Doubles | None:
    """Looks for one marker near where its corners are expected; returns them exactly, or None.

    `gray` is a region around it, with `expected` in its pixels.
    """
    side = _side(expected)
    reach = 0.5 * side + 3
    low = np.floor(expected.min(axis=0) - 0.12 * side).astype(int)
    high = np.ceil(expected.max(axis=0) + 0.12 * side).astype(int)
    drawn = _drawn(expected - low, marker, tuple(high - low))
    left, top = np.maximum(low - int(reach), 0)
    region = gray[top : high[1] + int(reach), left : high[0] + int(reach)]
    if region.shape[0] < drawn.shape[0] or region.shape[1] < drawn.shape[1]:
        return None
    alike = cv2.matchTemplate(region, drawn, cv2.TM_CCOEFF_NORMED)
    _, best, _, (x, y) = cv2.minMaxLoc(alike)
    if best < 0.45:
        return None
    shift = np.array([left + x - low[0], top + y - low[1]], np.float64)
    corners = sharpen(gray, expected + shift)
    return corners if likeness(gray, corners, marker) >= ALIKE else None


def _drawn(corners: Doubles, marker: int, size: tuple[int, int]) -> Image:
    """A marker as a somewhat unsharp camera sees it at these corners."""
    large = cv2.resize(pattern(marker), None, fx=_PAPER, fy=_PAPER, interpolation=cv2.INTER_NEAREST)
    flat = cv2.getPerspectiveTransform(
        (_SQUARE * _PAPER - 0.5).astype(np.float32), corners.astype(np.float32)
    )
    seen = cv2.warpPerspective(
        large,
        flat,
        (int(size[0]), int(size[1])),
        flags=cv2.INTER_AREA,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=1.0,
    )
    blurred = cv2.GaussianBlur(seen, (0, 0), max(0.8, _side(corners) / 25))
    return np.asarray(blurred * 255, np.uint8)
