"""Lays a taught picture over a crop: moved, bent and lit until it explains as much of the crop as it can.

What is left unexplained tells whether something stands there; and where two faces are almost alike, the few
pixels in which they differ tell which of them it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.embed import SIDE
from vision.rectify import largest

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

_STOP = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 8, 1e-3)
_FARTHEST = 7.0
"""Pixels by which a corner may move; what asks for more does not fit."""
_MOST_BENT = 0.05
"""How far perspective may change the length of a side."""
_STRANGE = 0.1
"""A pixel that neither face explains this well counts little."""
_DOUBT = 250.0
"""A difference must be so many times stronger, in all, than what is unexplained of a pixel."""
_UNIT = np.eye(2, 3, dtype=np.float32)
_CAUTION = np.diag([0.1, 0.3, 0.3, 1000.0]).astype(np.float32)
_EXPECTED = np.array([[0.1], [0], [0], [0]], np.float32)
"""Where a crop says little about its light, the light is as it was when the picture was taken."""
_CORNERS = np.array([[0, 0, 1], [SIDE, 0, 1], [0, SIDE, 1], [SIDE, SIDE, 1]], np.float32)


class Laid(NamedTuple):
    """A picture as it would look in the place and the light of a crop; values 0 to 1."""

    surface: Floats
    shown: Mask
    """Where the picture reaches and nothing was hidden."""


def lay(picture: Image, crop: Image, hidden: Mask | None = None) -> Laid:
    """Lays one picture over a crop of the same size; what is `hidden` in the crop has no say."""
    tone = _telling_tone(picture)
    matrix = _fit(_grey(picture, tone), _grey(crop, tone), hidden)
    flags = cv2.INTER_LINEAR
    moved = cv2.warpAffine(picture, matrix, (SIDE, SIDE), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    reach = cv2.warpAffine(np.full((SIDE, SIDE), 255, np.uint8), matrix, (SIDE, SIDE)) > 200
    shown = reach if hidden is None else reach & ~hidden
    return Laid(_lit(moved.astype(np.float32) / 255, crop.astype(np.float32) / 255, shown), shown)


def unexplained(laid: Laid, crop: Image) -> Floats:
    """How far every pixel is from what the picture explains; edges may lie half a pixel off."""
    seen = cv2.blur(crop.astype(np.float32) / 255, (2, 2))
    surface = cv2.blur(laid.surface, (2, 2))
    slope = np.abs(cv2.Sobel(surface, cv2.CV_32F, 1, 0)) + np.abs(cv2.Sobel(surface, cv2.CV_32F, 0, 1))
    return largest(np.maximum(np.abs(seen - surface) - 0.12 * slope, 0))


def mean_of(pictures: Sequence[Image], crop: Image, hidden: Mask | None = None) -> Laid:
    """Lays several pictures of one face over a crop and takes their mean."""
    some = [lay(picture, crop, hidden) for picture in pictures]
    surface = np.mean([one.surface for one in some], axis=0)
    return Laid(_soft(surface), np.logical_and.reduce([one.shown for one in some]))


def telling(crop: Image, first: Laid, second: Laid) -> float:
    """What the pixels say in which two faces differ: near 1 for the first, near -1 for the second."""
    seen = _soft(crop.astype(np.float32) / 255)
    way = first.surface - second.surface
    rest = largest(np.minimum(np.abs(seen - first.surface), np.abs(seen - second.surface)))
    weight = ((first.shown & second.shown) / (1 + (rest / _STRANGE) ** 2))[..., None]
    noise = float((weight[..., 0] * rest * rest).sum() / (weight.sum() + 1e-6))
    power = float((weight * way * way).sum()) + _DOUBT * noise + 0.02
    return float(2 * (weight * (seen - (first.surface + second.surface) / 2) * way).sum() / power)


# On arm64 numpy says of ordinary products of matrices that they overflow or divide by zero.
_calmly = np.errstate(divide="ignore", over="ignore", invalid="ignore")


@_calmly
def _telling_tone(picture: Image) -> Floats:
    """The mixture of colours in which a picture shows most."""
    flat = picture.reshape(-1, 3)[::3].astype(np.float32)
    flat = flat - flat.mean(0)
    return np.asarray(np.linalg.eigh(flat.T @ flat)[1][:, -1], np.float32)


def _grey(picture: Image, tone: Floats) -> Floats:
    return np.asarray(cv2.GaussianBlur(picture.astype(np.float32) @ tone, (5, 5), 1.0), np.float32)


def _fit(picture: Floats, crop: Floats, hidden: Mask | None) -> Floats:
    """How the picture must be moved and turned and, where all of it is seen, bent."""
    mask = None if hidden is None else (~hidden).astype(np.uint8)
    matrix = _UNIT
    for freedom in (cv2.MOTION_EUCLIDEAN, cv2.MOTION_AFFINE)[: 1 if hidden is not None else 2]:
        try:
            _, found = cv2.findTransformECC(picture, crop, matrix.copy(), freedom, _STOP, mask, 1)
        except cv2.error:  # it does not settle on anything
            break
        found = np.asarray(found, np.float32)
        moved = _CORNERS @ found.T - _CORNERS[:, :2]
        (a, b), (c, d) = found[:, :2]
        # Sum and difference of the singular values.
        both, apart = np.hypot(a + d, b - c), np.hypot(a - d, b + c)
        bent = max(abs((both + apart) / 2 - 1), abs((both - apart) / 2 - 1))
        if np.abs(moved).max() > _FARTHEST or bent > _MOST_BENT:
            break
        matrix = found
    return matrix


@cache
def _ramps() -> Floats:
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32) / (SIDE - 1) - 0.5
    return np.stack([np.ones_like(x), x, y], -1).reshape(1, -1, 3)


@_calmly
def _lit(moved: Floats, seen: Floats, shown: Mask) -> Floats:
    """The moved picture in the light of what is seen: brighter, darker, tinted, from one side, in haze."""
    sample = np.flatnonzero(shown)[::4]
    if len(sample) < 60:
        return moved
    flat = moved.reshape(-1, 3).T
    goal = seen.reshape(-1, 3)[sample].T
    terms = np.ones((3, len(sample), 4), np.float32)
    terms[..., :3] = flat[:, sample, None] * _ramps()[:, sample]
    most = int(0.7 * len(sample))
    known = terms.transpose(0, 2, 1)
    kept = known
    for _ in range(3):
        values = np.linalg.solve(kept @ terms + _CAUTION, kept @ goal[..., None] + _EXPECTED)
        rest = np.abs(goal - (terms @ values)[..., 0]).max(0)
        kept = known * (rest <= np.partition(rest, most)[most])
    gain = (_ramps() @ values[:, :3])[..., 0]
    return np.asarray((flat * gain + values[:, 3]).T.reshape(moved.shape), np.float32)


def _soft(values: Floats) -> Floats:
    return np.asarray(cv2.GaussianBlur(np.asarray(values, np.float32), (3, 3), 0.8), np.float32)
