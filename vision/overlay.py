"""Overlays a taught picture on a crop: moved, bent and lit until it explains as much of the crop as it can.

The pixels that stay unexplained show whether something stands there. Where two faces are almost alike, the
pixels in which they differ decide which of them it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import cv2
import numpy as np

from vision.embed import SIDE
from vision.images import Canvas, Floats, Image, Mask
from vision.rectify import largest

_STOP = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 8, 1e-3)
_MAX_SHIFT_PX = 7.0
"""How far a corner may move, in pixels; a picture that needs more does not fit."""
_MAX_STRETCH = 0.05
"""How far perspective may change the length of a side."""
_OUTLIER = 0.1
"""A pixel that both faces miss by more than this counts little."""
_MOST_MISSED = 0.15
"""Pictures of one face explain each other but for a few pixels; those of a tall piece that leans otherwise
miss a third and more."""
_NOISE_WEIGHT = 250.0
"""How many times the unexplained power of a pixel counts against the whole difference of two faces."""
_SAMPLED = 6
"""Every which pixel says how the light of a crop differs from that of a picture."""
_UNIT: Floats = np.eye(2, 3, dtype=np.float32)
_RIDGE = np.diag([0.1, 0.3, 0.3, 1000.0]).astype(np.float32)
_RIDGE_CENTRE = np.array([[0.1], [0], [0], [0]], np.float32)
"""Where a crop says little about its light, the light is as it was when the picture was taken."""
_CORNERS = np.array([[0, 0, 1], [SIDE, 0, 1], [0, SIDE, 1], [SIDE, SIDE, 1]], np.float32)


class Overlay(NamedTuple):
    """A picture as it would look in the place and the light of a crop; values 0 to 1."""

    surface: Floats
    shown: Mask
    """Where the picture reaches and nothing was hidden."""


class Template(NamedTuple):
    """What the taught pictures of a face have in common, ready to be overlaid on crops."""

    picture: Image
    tone: Floats
    """The mixture of colours in which it shows most."""
    grey: Floats
    """The picture in that mixture."""

    @classmethod
    def of(cls, pictures: Image) -> Template:
        """The mean of pictures of one face, the others moved and lit like the first.

        One that cannot be laid onto the first is left out: of a tall piece that leans otherwise, say.
        """
        first = cls._alone(pictures[0])
        if len(pictures) == 1:
            return first
        laid = [overlay(cls._alone(one), pictures[0]) for one in pictures[1:]]
        fitting = [one.surface for one in laid if _missed(one, pictures[0]) < _MOST_MISSED]
        mean = np.mean([_share_of_white(pictures[0]), *fitting], axis=0)
        return cls._alone(np.clip(mean * 255 + 0.5, 0, 255).astype(np.uint8))

    @classmethod
    def _alone(cls, picture: Image) -> Template:
        tone = _principal_colour(picture)
        return cls(picture, tone, _grey(picture, tone))

    def turned(self, quarter: int) -> Template:
        """The same, turned clockwise by quarters."""
        picture, grey = np.rot90(self.picture, -quarter), np.rot90(self.grey, -quarter)
        return Template(np.ascontiguousarray(picture), self.tone, np.ascontiguousarray(grey))


def overlay(face: Template, crop: Image, hidden: Mask | None = None) -> Overlay:
    """Overlays a face on a crop of the same size; the `hidden` part of the crop has no say."""
    matrix = _align(face.grey, _grey(crop, face.tone), hidden)
    flags = cv2.INTER_LINEAR
    moved = cv2.warpAffine(face.picture, matrix, (SIDE, SIDE), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    reach = cv2.warpAffine(np.full((SIDE, SIDE), 255, np.uint8), matrix, (SIDE, SIDE)) > 200
    shown = reach if hidden is None else reach & ~hidden
    return Overlay(_relit(_share_of_white(moved), _share_of_white(crop), shown), shown)


def _missed(laid: Overlay, crop: Image) -> float:
    """The share of a crop that a picture does not explain."""
    return float((unexplained(laid, crop) > _OUTLIER)[laid.shown].mean())


def unexplained(laid: Overlay, crop: Image) -> Floats:
    """How far every pixel is from what the picture explains; edges may lie half a pixel off."""
    seen = cv2.blur(crop.astype(np.float32) / 255, (2, 2))
    surface = cv2.blur(laid.surface, (2, 2))
    slope = np.abs(cv2.Sobel(surface, cv2.CV_32F, 1, 0)) + np.abs(cv2.Sobel(surface, cv2.CV_32F, 0, 1))
    return largest(np.maximum(np.abs(seen - surface) - 0.12 * slope, 0))


def discriminate(crop: Image, laid: Sequence[Overlay]) -> Floats:
    """Which of some faces the pixels speak for in which they differ, two at a time.

    For each face the least that speaks for it against another: near 1 it is this one, near -1 another.
    """
    seen = _blurred(_share_of_white(crop))
    soft = [one._replace(surface=_blurred(one.surface)) for one in laid]
    told = np.full((len(laid), len(laid)), np.inf, np.float32)
    for i, first in enumerate(soft):
        for j, second in enumerate(soft[:i]):
            told[i, j] = _discriminate(seen, first, second)
            told[j, i] = -told[i, j]
    return np.asarray(told.min(1), np.float32)


def _discriminate(seen: Floats, first: Overlay, second: Overlay) -> float:
    one, other = first.surface, second.surface
    way = one - other
    rest = largest(np.minimum(np.abs(seen - one), np.abs(seen - other)))
    weight = ((first.shown & second.shown) / (1 + (rest / _OUTLIER) ** 2))[..., None]
    noise = float((weight[..., 0] * rest * rest).sum() / (weight.sum() + 1e-6))
    power = float((weight * way * way).sum()) + _NOISE_WEIGHT * noise + 0.02
    return float(2 * (weight * (seen - (one + other) / 2) * way).sum() / power)


# On arm64 numpy says of ordinary products of matrices that they overflow or divide by zero.
_without_warnings = np.errstate(divide="ignore", over="ignore", invalid="ignore")


@_without_warnings
def _principal_colour(picture: Image) -> Floats:
    """The mixture of colours in which a picture shows most."""
    flat = picture.reshape(-1, 3)[::3].astype(np.float32)
    flat = flat - flat.mean(0)
    return np.asarray(np.linalg.eigh(flat.T @ flat)[1][:, -1], np.float32)


def _grey(picture: Image, tone: Floats) -> Floats:
    return np.asarray(cv2.GaussianBlur(picture.astype(np.float32) @ tone, (5, 5), 1.0), np.float32)


def _align(picture: Floats, crop: Floats, hidden: Mask | None) -> Floats:
    """How the picture must be moved and turned and, where all of it is seen, bent."""
    mask = np.ones(crop.shape, np.uint8) if hidden is None else (~hidden).astype(np.uint8)
    matrix = _UNIT
    for freedom in (cv2.MOTION_EUCLIDEAN, cv2.MOTION_AFFINE)[: 1 if hidden is not None else 2]:
        try:
            _, warp = cv2.findTransformECC(picture, crop, matrix.copy(), freedom, _STOP, mask, 1)
        except cv2.error:  # it does not settle on anything
            break
        found = np.asarray(warp, np.float32)
        moved = _CORNERS @ found.T - _CORNERS[:, :2]
        (a, b), (c, d) = found[:, :2]
        # Sum and difference of the singular values.
        both, apart = np.hypot(a + d, b - c), np.hypot(a - d, b + c)
        bent = max(abs((both + apart) / 2 - 1), abs((both - apart) / 2 - 1))
        if np.abs(moved).max() > _MAX_SHIFT_PX or bent > _MAX_STRETCH:
            break
        matrix = found
    return matrix


@cache
def _ramps() -> Floats:
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32) / (SIDE - 1) - 0.5
    return np.stack([np.ones_like(x), x, y], -1).reshape(1, -1, 3)


@_without_warnings
def _relit(moved: Floats, seen: Floats, shown: Mask) -> Floats:
    """The moved picture in the light of the crop: brighter, darker, tinted, from one side, in haze."""
    sample = np.flatnonzero(shown)[::_SAMPLED]
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
        values = np.linalg.solve(kept @ terms + _RIDGE, kept @ goal[..., None] + _RIDGE_CENTRE)
        rest = np.abs(goal - (terms @ values)[..., 0]).max(0)
        kept = known * (rest <= np.partition(rest, most)[most])
    gain = (_ramps() @ values[:, :3])[..., 0]
    return np.asarray((flat * gain + values[:, 3]).T.reshape(moved.shape), np.float32)


def _share_of_white(picture: Canvas) -> Floats:
    """Bytes as values from 0 to 1."""
    return np.asarray(picture.astype(np.float32) / 255, np.float32)


def _blurred(values: Floats) -> Floats:
    return np.asarray(cv2.GaussianBlur(np.asarray(values, np.float32), (3, 3), 0.8), np.float32)
