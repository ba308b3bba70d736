"""Pawns and figures: told apart by colour, seen in the light of the room.

Three things speak for a standing piece: the network says that something stands there, the place differs there
from the face that lies on it, and what differs has the colour of a taught piece, as seen against the white of
the markers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.layout import Face
from vision.embed import SIDE
from vision.lay import lay, unexplained
from vision.teach import Teach

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

_LIGHTNESS = 5.0
"""How much brightness counts against colour: shade must not make another pawn."""
_FAR = 10.0
"""A colour further away than this belongs to no taught piece."""
_DIFFERENT = 0.1
"""A pixel that differs from the face below by more than this is not part of it; white is 1."""
_GRID = 24
"""Side in pixels at which traces are looked for."""
_SMALL = np.ones((2, 2), np.uint8)


class Trace(NamedTuple):
    """What speaks for one standing piece at one place."""

    area: float
    """Pixels of its colour that do not belong to the face below, as a share of its foot."""
    heat: float
    """What the network says of these pixels, at most."""
    where: Mask


class Standing:
    """The standing pieces of a game as they were taught."""

    def __init__(self, faces: Sequence[Face], teach: Teach) -> None:
        self.faces = tuple(faces)
        self.colours = [taught_colour(teach.pictures[face.name]) for face in faces]

    def traces(
        self, crop: Image, heat: Floats, white: Floats | None, below: Sequence[Image], mm: tuple[float, float]
    ) -> list[Trace]:
        """Looks for every piece in a crop of `mm` width and height, and last for anything of another colour.

        `below` are pictures of the face that lies there, in the crop's turn; none on a bare place.
        """
        seen = balanced(crop, white)
        away = _away(seen, self.colours)
        strange = _difference(crop, seen, white, below) > _DIFFERENT
        nearest = away.argmin(0)
        hot = cv2.resize(heat, (_GRID, _GRID), interpolation=cv2.INTER_LINEAR)
        feet = [np.pi / 4 * face.width**2 / (mm[0] * mm[1]) * _GRID**2 for face in self.faces]
        known = [strange & (nearest == i) & (away[i] < _FAR) for i in range(len(self.faces))]
        traces = [_trace(mask, foot, hot) for mask, foot in zip(known, feet, strict=True)]
        return [*traces, _trace(strange, min(feet), hot)]


def _trace(mask: Mask, foot: float, hot: Floats) -> Trace:
    match = _largest(mask).astype(np.uint8)
    where = cv2.resize(match, (SIDE, SIDE), interpolation=cv2.INTER_NEAREST) > 0
    return Trace(min(float(match.sum()) / foot, 1.5), float(hot[match > 0].max(initial=-6.0)), where)


def _largest(mask: Mask) -> Mask:
    """The largest patch of a mask, thin lines aside."""
    match = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, _SMALL)
    _, label, about, _ = cv2.connectedComponentsWithStats(match, connectivity=4)
    if len(about) < 2:
        return np.zeros_like(mask)
    return np.asarray(label == 1 + int(about[1:, cv2.CC_STAT_AREA].argmax()))


def balanced(crop: Image, white: Floats | None) -> Floats:
    """The crop, smaller, as it would look in white light, a white sheet near 1."""
    paper = np.full(3, 230.0) if white is None else np.maximum(white, 8.0)
    small = cv2.resize(np.ascontiguousarray(crop), (_GRID, _GRID), interpolation=cv2.INTER_AREA)
    return np.clip(small / paper * 0.95, 0, 1.2).astype(np.float32)


def _away(seen: Floats, colours: Sequence[Floats]) -> Floats:
    """How far every pixel is from each colour; brightness counts little, for photographs differ in it."""
    chroma, light = _chroma(seen)
    apart = []
    for colour in colours:
        wanted, its_light = _chroma(colour[None, None])
        apart.append(100 * np.linalg.norm(chroma - wanted, axis=2) + _LIGHTNESS * np.abs(light - its_light))
    return np.stack(apart)


def _chroma(seen: Floats) -> tuple[Floats, Floats]:
    total = seen.sum(2) + 0.06
    return np.asarray((seen + 0.02) / total[..., None], np.float32), np.log(total)


def _difference(crop: Image, seen: Floats, white: Floats | None, below: Sequence[Image]) -> Floats:
    """By how much each pixel differs from the picture that explains most, or else from the rim."""
    if not below:
        rim = np.concatenate([seen[:3].reshape(-1, 3), seen[-3:].reshape(-1, 3), seen[:, :3].reshape(-1, 3)])
        return np.asarray(np.abs(seen - np.median(rim, axis=0)).max(2), np.float32)
    flat = np.stack(below).reshape(len(below), -1).astype(np.float32)
    flat -= flat.mean(1, keepdims=True)
    fit = flat @ (crop.ravel() - crop.mean()) / (np.linalg.norm(flat, axis=1) + 1e-6)
    laid = lay(below[int(fit.argmax())], crop)
    rest = unexplained(laid, crop) * laid.shown
    bright = 0.9 if white is None else max(float(white.mean()), 25.0) / 255
    return np.asarray(cv2.resize(rest, (_GRID, _GRID), interpolation=cv2.INTER_AREA) / bright, np.float32)


def taught_colour(pictures: Image) -> Floats:
    """The colour of a standing piece: what its pictures show in the middle and not at their rim."""
    colours = []
    y, x = np.mgrid[0:_GRID, 0:_GRID] / (_GRID - 1) - 0.5
    central = np.exp(-(x * x + y * y) / (2 * 0.15**2))
    for picture in pictures:
        seen = balanced(picture, None)
        chroma, light = _chroma(seen)
        look = np.concatenate([100 * chroma, _LIGHTNESS * light[..., None]], axis=2)
        rim = np.concatenate([look[0], look[-1], look[:, 0], look[:, -1]])
        away = np.linalg.norm(look - np.median(rim, axis=0), axis=2)
        weight = (central * np.minimum(away + 2, 20)).ravel()
        best = seen.reshape(-1, 3)[weight >= np.quantile(weight, 0.88)]
        colours.append(np.median(best, axis=0))
    return np.asarray(np.mean(colours, axis=0), np.float32)
