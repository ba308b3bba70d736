"""Pawns and figures: recognised by their colour, whatever the light of the room.

Three things speak for a standing piece: the network says that something stands there, the place differs there
from the face that lies on it, and what differs has the colour of a taught piece, as seen against the white of
the markers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from companion.engine.layout import Face
from vision.embed import SIDE
from vision.images import Floats, Image, Mask
from vision.overlay import Overlay, unexplained
from vision.rectify import largest
from vision.teach import FaceLibrary

_LIGHTNESS_WEIGHT = 5.0
"""How much brightness counts against colour: shade must not make another pawn."""
_MAX_COLOUR_DISTANCE = 10.0
"""A colour further away than this belongs to no taught piece."""
_MIN_DIFFERENCE = 0.1
"""A pixel that differs from the face below by more than this is not part of it; white is 1."""
_MIN_TABLE_DISTANCE, _COLOUR_SPREAD = 6.0, 4.0
"""How far a taught piece is from its table, and how much one colour of it varies."""
_GRID, _FINE_GRID = 24, 48
"""Side in pixels at which traces are looked for: usually, and where pieces are small."""
_MIN_WIDTH_PX = 7.0
"""A piece that would be fewer pixels wide is small."""
_SMALL = np.ones((2, 2), np.uint8)


_SAME_COLOUR = 3.0
"""Colours closer than this are the same colour."""
_MIN_FILL = 0.4
"""A patch that fills less of a foot than this is a strip, not a piece."""
_STRIP_FILL, _STRIP_LENGTH = 0.7, 3.5
"""Neither is a patch on a bare place that fills less of a foot than this and is this many times as long as
the taught piece: it is the edge of something that lies beside the place."""
_MAX_COUNT = 8
"""No more pieces of one kind are looked for on one place."""


class Trace(NamedTuple):
    """What speaks for one kind of standing piece at one place."""

    area: float
    """Pixels of its colour that do not belong to the face below, as a share of the area of a taught piece."""
    heat: float
    """What the network says of these pixels, at most."""
    where: Mask
    fills: tuple[float, ...] = ()
    """How well one piece after the other, side by side, fills what has this colour: at best about 1."""
    long: float = 1.0
    """How many times longer than wide the patch is."""
    others: Mask | None = None
    """Smaller patches besides, where it matters."""

    def middle(self) -> tuple[float, float]:
        """The middle of the trace, as shares of the crop."""
        y, x = np.nonzero(self.where)
        return (float(x.mean() + 0.5) / SIDE, float(y.mean() + 0.5) / SIDE) if len(x) else (0.5, 0.5)


_NO_TRACE = Trace(0.0, -6.0, np.zeros((SIDE, SIDE), bool))


class StandingFace(NamedTuple):
    """The features by which a standing piece is recognised from above."""

    colour: Floats
    """The colour of it that stands out most."""
    share: float
    """How much of the piece has this colour."""
    long: float
    """How many times longer than wide it is."""


class StandingPieces:
    """The standing pieces of a game as they were taught.

    Pieces of one colour and outline look the same from above: all are read as the first of them.
    """

    def __init__(self, faces: Sequence[Face], library: FaceLibrary) -> None:
        self.faces: list[Face] = []
        """One face of each kind that can be distinguished."""
        self.alike: dict[str, str] = {}
        """The other pieces of the same kind, with the one that they are read as."""
        self.taught: list[StandingFace] = []
        for face in faces:
            taught = learn_standing(library.pictures[face.name])
            twin = self._twin(face, taught)
            if twin is None:
                self.faces.append(face)
                self.taught.append(taught)
            else:
                self.alike[face.name] = twin.name
        self.counts = [1 + list(self.alike.values()).count(face.name) for face in self.faces]
        colours = [taught.colour for taught in self.taught]
        self._first = np.array(
            [
                next(j for j, other in enumerate(colours) if colour_distance(one, other) < _SAME_COLOUR)
                for one in colours
            ]
        )
        """For every kind the first one of its colour."""
        self.by_outline = {
            face.name: self.faces[first].name
            for face, first in zip(self.faces, self._first, strict=True)
            if self.faces[first] is not face
        }
        """The kinds that differ only in outline from the first kind of their colour, with that kind."""

    def _twin(self, face: Face, taught: StandingFace) -> Face | None:
        for other, known in zip(self.faces, self.taught, strict=True):
            is_as_large = max(abs(face.width - other.width), abs(face.height - other.height)) < 0.5
            if is_as_large and colour_distance(taught.colour, known.colour) < _SAME_COLOUR:
                return other
        return None

    def rivals(self, kind: int) -> list[int]:
        """The kinds of the same colour, which differ only in outline, this one included."""
        return [i for i, first in enumerate(self._first) if first == self._first[kind]]

    def traces(
        self,
        crop: Image,
        heat: Floats,
        white: Floats | None,
        below: Overlay | None,
        mm: tuple[float, float],
        known: Mask | None = None,
        *,
        is_ground: bool = False,
    ) -> list[Trace]:
        """Looks for every kind in a crop of `mm` width and height, and last for anything of another colour.

        `below` is the face that lies there, overlaid on the crop, or, if it `is_ground`, the bare place; None
        on a bare place that was never seen bare. What is `known` to be something else is no trace.
        """
        narrowest = min(min(face.width, face.height) for face in self.faces)
        grid = _FINE_GRID if _GRID * narrowest / max(mm) < _MIN_WIDTH_PX else _GRID
        seen = balanced(crop, white, grid)
        strange = _difference(crop, seen, white, below) > _MIN_DIFFERENCE
        if known is not None:
            small = cv2.resize(known.astype(np.float32), (grid, grid), interpolation=cv2.INTER_AREA)
            strange &= small < 0.5
        away = _colour_distances(seen[strange], [taught.colour for taught in self.taught])
        nearest = self._first[away.argmin(0)]
        is_its = np.zeros((len(self.faces), grid, grid), bool)
        is_its[:, strange] = (nearest == self._first[:, None]) & (away < _MAX_COLOUR_DISTANCE)
        hot = np.asarray(cv2.resize(heat, (grid, grid), interpolation=cv2.INTER_LINEAR), np.float32)
        traces = []
        for i, (face, taught, mask) in enumerate(zip(self.faces, self.taught, is_its, strict=True)):
            trace = _trace(mask, _area(face, mm, grid) * taught.share, hot)
            if trace.area > 0.1:
                trace = _count_feet(trace, mask, _foot(face, mm, grid), min(self.counts[i], _MAX_COUNT))
                long, fill = _length(trace.where, mm), trace.fills[0]
                trace = trace._replace(long=long, area=trace.area * (fill if fill < _MIN_FILL else 1))
                if (below is None or is_ground) and fill < _STRIP_FILL and long > _STRIP_LENGTH * taught.long:
                    trace = _NO_TRACE
            traces.append(trace)
        anything = _trace(strange, min(_area(face, mm, grid) for face in self.faces), hot)
        every = cv2.resize(strange.astype(np.uint8), (SIDE, SIDE), interpolation=cv2.INTER_NEAREST) > 0
        return [*traces, anything._replace(others=every & ~anything.where)]


def _area(face: Face, mm: tuple[float, float], grid: int) -> float:
    """How many pixels of a crop a piece covers."""
    return float(np.pi / 4 * face.width * face.height / (mm[0] * mm[1]) * grid**2)


def _foot(face: Face, mm: tuple[float, float], grid: int) -> Mask:
    """The foot of a piece: an ellipse, for crops are square whatever they show."""
    side = min(face.width, face.height)
    across, along = (max(1.5, grid * side / length) / 2 for length in mm)
    y, x = np.mgrid[-int(along) : int(along) + 1, -int(across) : int(across) + 1]
    return np.asarray((x / across) ** 2 + (y / along) ** 2 <= 1)


def _trace(mask: Mask, foot: float, hot: Floats) -> Trace:
    if np.count_nonzero(mask) < _SMALL.size:
        return _NO_TRACE
    match = _largest(mask).astype(np.uint8)
    where = cv2.resize(match, (SIDE, SIDE), interpolation=cv2.INTER_NEAREST) > 0
    return Trace(min(float(match.sum()) / foot, 1.5), float(hot[match > 0].max(initial=-6.0)), where)


def _count_feet(trace: Trace, mask: Mask, foot: Mask, most: int) -> Trace:
    """Puts one foot after the other where it fits best on what has the colour and is not yet explained."""
    # The print on a piece must not leave holes in its patch.
    left = cv2.morphologyEx(mask.astype(np.float32), cv2.MORPH_CLOSE, foot.astype(np.uint8)[::2, ::2])
    tent = cv2.distanceTransform(cv2.copyMakeBorder(foot.astype(np.uint8), 1, 1, 1, 1, 0), cv2.DIST_L2, 3)
    where = trace.where.copy()
    fills: list[float] = []
    while len(fills) < most:
        at = cv2.filter2D(left, cv2.CV_32F, tent, borderType=cv2.BORDER_CONSTANT)
        y, x = np.unravel_index(int(at.argmax()), at.shape)
        spot = np.zeros(left.shape, np.uint8)
        spot[y, x] = 1
        here = np.asarray(cv2.dilate(spot, foot.astype(np.uint8)))
        fills.append(float((left * here).sum() / foot.sum()))
        if fills[-1] < 0.3:
            break
        left[here > 0] = 0
        if fills[-1] > 0.5:
            where |= cv2.resize(here, (SIDE, SIDE), interpolation=cv2.INTER_NEAREST) > 0
    return trace._replace(where=where, fills=tuple(fills))


def _length(mask: Mask, mm: tuple[float, float]) -> float:
    """How many times longer than wide a patch is."""
    y, x = np.nonzero(mask)
    if len(x) < 8:
        return 1.0
    points = np.stack([x * mm[0], y * mm[1]]) / SIDE
    small, large = np.linalg.eigvalsh(np.cov(points))
    return float(np.sqrt(large / max(small, 1e-6)))


def _largest(mask: Mask) -> Mask:
    """The largest patch of a mask, thin lines aside."""
    match = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, _SMALL)
    _, label, about, _ = cv2.connectedComponentsWithStats(match, connectivity=4)
    if len(about) < 2:
        return np.zeros_like(mask)
    return np.asarray(label == 1 + int(about[1:, cv2.CC_STAT_AREA].argmax()))


def balanced(crop: Image, white: Floats | None, grid: int = _GRID) -> Floats:
    """The crop, smaller, as it would look in white light, a white sheet near 1.

    What is nearer to the lamp, or shines, is brighter than the sheet and keeps its colour.
    """
    paper = np.full(3, 230.0) if white is None else np.maximum(white, 8.0)
    small = cv2.resize(np.ascontiguousarray(crop), (grid, grid), interpolation=cv2.INTER_AREA)
    return np.asarray(small / paper * 0.95, np.float32)


def _colour_distances(seen: Floats, colours: Sequence[Floats]) -> Floats:
    """How far every pixel is from each colour; brightness counts little, for photographs differ in it."""
    chroma, light = _chroma(seen)
    every = (slice(None), *[None] * light.ndim)
    wanted, its_light = (one[every] for one in _chroma(np.stack(colours)))
    apart = chroma - wanted
    by_chroma = np.sqrt(np.einsum("...c,...c->...", apart, apart))
    return np.asarray(100 * by_chroma + _LIGHTNESS_WEIGHT * np.abs(light - its_light), np.float32)


def _chroma(seen: Floats) -> tuple[Floats, Floats]:
    total = seen[..., 0] + seen[..., 1] + seen[..., 2] + np.float32(0.06)
    return np.asarray((seen + 0.02) / total[..., None], np.float32), np.log(total)


def _difference(crop: Image, seen: Floats, white: Floats | None, below: Overlay | None) -> Floats:
    """By how much each pixel differs from the face below, or else from the rim."""
    if below is None:
        rim = np.concatenate([seen[:3].reshape(-1, 3), seen[-3:].reshape(-1, 3), seen[:, :3].reshape(-1, 3)])
        return largest(np.abs(seen - np.median(rim, axis=0)))
    rest = unexplained(below, crop) * below.shown
    bright = 0.9 if white is None else max(float(white.mean()), 25.0) / 255
    return np.asarray(cv2.resize(rest, seen.shape[:2], interpolation=cv2.INTER_AREA) / bright, np.float32)


def colour_distance(one: Floats, other: Floats) -> float:
    """How far two colours are apart, as `_colour_distances` measures it."""
    return float(_colour_distances(one[None, None], [other])[0, 0, 0])


def learn_standing(pictures: Image) -> StandingFace:
    """Learns a standing piece: the most distinctive colour in the middle of its pictures.

    A figure may have several colours; the best has a large area and is far from the grey of tables.
    """
    y, x = np.mgrid[0:_GRID, 0:_GRID] / (_GRID - 1) - 0.5
    central = np.exp(-(x * x + y * y) / (2 * 0.2**2))
    seen = np.stack([balanced(picture, None) for picture in pictures])
    looks, weights, pieces = [], [], []
    for one in seen:
        chroma, light = _chroma(one)
        look = np.concatenate([100 * chroma, _LIGHTNESS_WEIGHT * light[..., None]], axis=2)
        rim = np.concatenate([look[0], look[-1], look[:, 0], look[:, -1]])
        away = np.linalg.norm(look - np.median(rim, axis=0), axis=2)
        looks.append(look.reshape(-1, 4))
        weights.append((central * np.minimum(away, 20)).ravel())
        pieces.append(_largest(away > _MIN_TABLE_DISTANCE))
    look, weight = np.concatenate(looks), np.concatenate(weights)
    some = np.argsort(-weight)[: len(weight) // 4]
    power = (look * look).sum(1)
    apart = np.maximum(power[some, None] + power - 2 * look[some] @ look.T, 0)
    near = np.exp(apart / np.float32(-2 * _COLOUR_SPREAD**2))
    density = near @ weight
    grey = np.linalg.norm(look[some][:, :3] - 100 / 3, axis=1)
    best = int((density * (_COLOUR_SPREAD + grey)).argmax())
    share_of_it = near[best] * weight
    colour = (share_of_it[:, None] * seen.reshape(-1, 3)).sum(0) / share_of_it.sum()
    piece = np.stack(pieces)
    its = (
        _colour_distances(seen.reshape(-1, _GRID, 3), [np.asarray(colour, np.float32)])[0].reshape(
            piece.shape
        )
        < _MAX_COLOUR_DISTANCE
    )
    share = float((its & piece).sum() / max(piece.sum(), 1))
    long = float(np.median([_length(one, (1.0, 1.0)) for one in its & piece]))
    return StandingFace(np.asarray(colour, np.float32), min(max(share, 0.25), 1.0), long)
