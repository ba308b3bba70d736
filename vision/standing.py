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
from vision.teach import Teach

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

_LIGHTNESS = 0.35
"""How much lightness counts against colour: shade must not make another pawn."""
_FAR = 28.0
"""A colour further away than this belongs to no taught piece."""
_DIFFERENT = 0.1
"""A pixel that differs from the face below by more than this is not part of it; white is 1."""
_DISC = np.ones((3, 3), np.uint8)


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
        """Looks for every piece in a crop of `mm` width and height.

        `below` are pictures of the face that lies there, in the crop's turn; none on a bare place.
        """
        seen = balanced(crop, white)
        away = _away(seen, self.colours)
        strange = _difference(seen, [balanced(picture, None) for picture in below]) > _DIFFERENT
        nearest = away.argmin(0)
        hot = cv2.resize(heat, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)
        traces = []
        for i, face in enumerate(self.faces):
            match = (strange & (nearest == i) & (away[i] < _FAR)).astype(np.uint8)
            match = cv2.morphologyEx(match, cv2.MORPH_OPEN, _DISC)
            foot = np.pi / 4 * face.width**2 / (mm[0] * mm[1]) * SIDE**2
            area = min(float(match.sum()) / foot, 1.5)
            traces.append(Trace(area, float(hot[match > 0].max(initial=-6.0)), match > 0))
        return traces


def balanced(crop: Image, white: Floats | None) -> Floats:
    """The crop as it would look in white light, a white sheet near 1."""
    paper = np.full(3, 230.0) if white is None else np.maximum(white, 8.0)
    soft = cv2.GaussianBlur(crop.astype(np.float32), (3, 3), 0.8)
    return np.clip(soft / paper * 0.95, 0, 1.2).astype(np.float32)


def _away(seen: Floats, colours: Sequence[Floats]) -> Floats:
    lab = cv2.cvtColor(np.clip(seen, 0, 1), cv2.COLOR_BGR2LAB)
    scale = np.array([_LIGHTNESS, 1, 1], np.float32)
    return np.stack([np.linalg.norm((lab - colour) * scale, axis=2) for colour in colours])


def _difference(seen: Floats, below: Sequence[Floats]) -> Floats:
    """By how much each pixel differs from the picture that explains most, or from the rim."""
    if not below:
        rim = np.concatenate([seen[:6].reshape(-1, 3), seen[-6:].reshape(-1, 3), seen[:, :6].reshape(-1, 3)])
        return np.asarray(np.abs(seen - np.median(rim, axis=0)).max(2), np.float32)
    return min((_beyond(seen, picture) for picture in below), key=lambda rest: float(rest.mean()))


def _beyond(seen: Floats, picture: Floats) -> Floats:
    """What is left when the picture is fitted in brightness and contrast and may lie two pixels off."""
    keep = np.ones(seen.shape[:2], bool)
    fitted = picture
    for _ in range(3):
        a, b = picture[keep], seen[keep]
        centre, spread = a.mean(0), a.var(0) + 1e-3
        gain = np.clip(((a - centre) * (b - b.mean(0))).mean(0) / spread, 0.3, 3.0)
        fitted = ((picture - centre) * gain + b.mean(0)).astype(np.float32)
        rest = np.abs(seen - fitted).max(2)
        keep = rest <= np.quantile(rest, 0.7)
    five = np.ones((5, 5), np.uint8)
    above, under = seen - cv2.dilate(fitted, five), cv2.erode(fitted, five) - seen
    return np.asarray(np.maximum(np.maximum(above, under), 0).max(2), np.float32)


def taught_colour(pictures: Image) -> Floats:
    """The colour of a standing piece (CIE Lab): what its pictures show in the middle and not at their rim."""
    colours = []
    for picture in pictures:
        lab = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
        n = len(picture)
        rim = np.concatenate([lab[0], lab[-1], lab[:, 0], lab[:, -1]])
        y, x = np.mgrid[0:n, 0:n] / (n - 1) - 0.5
        centre = np.exp(-(x * x + y * y) / (2 * 0.15**2))
        away = np.linalg.norm((lab - np.median(rim, axis=0)) * (0.5, 1, 1), axis=2)
        weight = (centre * np.minimum(away, 40)).ravel()
        best = lab.reshape(-1, 3)[weight >= np.quantile(weight, 0.85)]
        colours.append(np.median(best, axis=0))
    return np.asarray(np.mean(colours, axis=0), np.float32)
