"""Taught faces as the reader compares with them, and the closer looks that it takes at a place.

Two witnesses speak for a face: the likeness of codes (`embed`), and the agreement of pixels with the taught
pictures once the crop lies as they do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.layout import Face, Piece
from vision.embed import SIDE, embed
from vision.teach import Teach

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

WIDE = 96
MARGIN = 0.2
"""Places are cut at this size with this share of their surroundings; closer looks are taken from that."""
CANDIDATES = 4
"""So many answers are compared pixel by pixel with the taught pictures."""
_HIDING = 30
"""So many answers are considered where part of a place is hidden."""
PRINT = 32
_SLACK = 3
"""Pixels of a print, and how far it may be shifted when it is compared."""


class Size:
    """The taught faces of one size: they are looked for at the same spots.

    A class is a face in one of its turns; an answer is what the game makes of it (it may ignore the turn).
    """

    def __init__(self, width: float, height: float, shapes: Sequence[tuple[Face, int]], teach: Teach) -> None:
        self.width, self.height = width, height
        answers = [Piece(face.name, face.turn_of(90 * quarter)) for face, quarter in shapes]
        self.answers = sorted(set(answers))
        self._answer = np.array([self.answers.index(answer) for answer in answers])
        self._pictures = [_turned(teach.pictures[face.name], quarter) for face, quarter in shapes]
        self._prints = [[_print(picture) for picture in some] for some in self._pictures]
        self._codes = _unit(self._means(embed(np.concatenate(self._pictures)).code))

    def _means(self, values: Floats) -> Floats:
        """One row per class: the mean over its pictures."""
        ends = np.cumsum([len(some) for some in self._pictures])[:-1]
        return np.stack([part.mean(0) for part in np.split(values, ends)]).astype(np.float32)

    def codes_hiding(self, hidden: Mask, likely: Floats) -> Floats:
        """The codes of the classes with the same part hidden in the taught pictures as in a crop.

        Only the answers that are likeliest by `likely` are worked out; the others get no code.
        """
        answers = set(np.argsort(-likely)[:_HIDING])
        some = [i for i, answer in enumerate(self._answer) if answer in answers]
        pictures = np.concatenate([self._pictures[i] for i in some])
        seen = embed(pictures, None, np.broadcast_to(hidden, pictures.shape[:3])).code
        ends = np.cumsum([len(self._pictures[i]) for i in some])[:-1]
        codes = np.zeros_like(self._codes)
        codes[some] = _unit(np.stack([part.mean(0) for part in np.split(seen, ends)]))
        return codes

    def likeness(self, code: Floats, taught: Floats | None = None) -> Floats:
        """How like the taught faces some codes are: rows × answers, the best turn of each answer."""
        by_class = code @ (self._codes if taught is None else taught).T
        best = np.full((len(code), len(self.answers)), -1, np.float32)
        for column, answer in enumerate(self._answer):
            np.maximum(best[:, answer], by_class[:, column], out=best[:, answer])
        return best

    def agreement(self, crop: Image, answer: int, hidden: Mask | None = None) -> float:
        """How well a crop agrees, pixel by pixel, with the pictures of an answer: at best 1."""
        return max(self._agreements(crop, answer, hidden).values())

    def pictures(self, crop: Image, answer: int, hidden: Mask | None = None) -> list[Image]:
        """The taught pictures of an answer, turned as it lies in a crop."""
        classes = [int(one) for one in np.flatnonzero(self._answer == answer)]
        if len(classes) > 1:
            agreed = self._agreements(crop, answer, hidden)
            classes = [max(agreed, key=lambda one: agreed[one])]
        return list(self._pictures[classes[0]])

    def _agreements(self, crop: Image, answer: int, hidden: Mask | None) -> dict[int, float]:
        """How well a crop agrees with each class of an answer."""
        small = _print(crop)[_SLACK:-_SLACK, _SLACK:-_SLACK]
        mask = None
        if hidden is not None:
            shown = cv2.resize((~hidden).astype(np.float32), (PRINT, PRINT), interpolation=cv2.INTER_AREA)
            mask = cv2.merge([shown[_SLACK:-_SLACK, _SLACK:-_SLACK]] * 3)
        best: dict[int, float] = {}
        for one in map(int, np.flatnonzero(self._answer == answer)):
            found = [
                cv2.matchTemplate(taught, small, cv2.TM_CCORR_NORMED, mask=mask)
                for taught in self._prints[one]
            ]
            best[one] = max(float(some[np.isfinite(some)].max(initial=-1)) for some in found)
        return best


def is_square(face: Face) -> bool:
    """Whether a face can lie on its side in the same outline."""
    return abs(face.width - face.height) < 0.5


def meant_turn(face: Face, quarter: int) -> int:
    """The turn that a game means by a face turned clockwise by quarters.

    Two turns of a card are upright and reversed; of a square tile along and across.

    >>> meant_turn(Face("straight", "tile", 60, 60, 2), 3), meant_turn(Face("card", "card", 60, 90, 2), 2)
    (90, 180)
    """
    if face.turns == 1:
        return 0
    return 90 * (quarter % 2 if face.turns == 2 and is_square(face) else quarter)


def sizes(flat: Sequence[Face], teach: Teach) -> list[Size]:
    """Groups faces by the size of their outline as it lies; oblong faces on their side are another size."""
    shapes: dict[tuple[float, float], list[tuple[Face, int]]] = {}
    for face in flat:
        square = abs(face.width - face.height) < 0.5
        for quarter in range(4):
            if quarter % 2 and face.turns < 4 and not square:
                continue
            outline = (face.height, face.width) if quarter % 2 else (face.width, face.height)
            shapes.setdefault(outline, []).append((face, quarter))
    return [Size(width, height, some, teach) for (width, height), some in shapes.items()]


def _unit(code: Floats) -> Floats:
    return np.asarray(code / (np.linalg.norm(code, axis=-1, keepdims=True) + 1e-9), np.float32)


def _turned(pictures: Image, quarter: int) -> Image:
    small = np.stack([cv2.resize(p, (SIDE, SIDE), interpolation=cv2.INTER_AREA) for p in pictures])
    return np.rot90(small, -quarter, (1, 2))


def _print(crop: Image) -> Floats:
    """Detail without the light that falls on it: what is left when a strong blur is taken away."""
    small = cv2.resize(np.ascontiguousarray(crop), (PRINT, PRINT), interpolation=cv2.INTER_AREA)
    fine = cv2.GaussianBlur(small.astype(np.float32), (3, 3), 0.6)
    fine -= 0.7 * cv2.blur(fine, (11, 11))
    return np.asarray(fine - fine.mean((0, 1)), np.float32)


# Closer looks ----------------------------------------------------------------------------------------------

View = tuple[float, float, float, float]
"""A closer look: shift right and down as shares of the size, turn in degrees, scale."""
STRAIGHT: View = (0.0, 0.0, 0.0, 1.0)
_SHIFT_MM, _TURN = 1.6, 4.0


class Look(NamedTuple):
    """What one size says about one place at first sight."""

    size: Size
    code: Floats
    likeness: Floats
    """Per answer of the size."""
    bare: float
    heat: Floats
    wide: Image

    def top(self) -> float:
        """The likeness of the best answer."""
        return float(self.likeness.max())

    def margin(self) -> float:
        """By how much the best answer is ahead of the second."""
        if len(self.likeness) < 2:
            return 1.0
        second, first = np.partition(self.likeness, -2)[-2:]
        return float(first - second)


class Weighed(NamedTuple):
    """How well each answer of a size explains a place."""

    likeness: Floats
    agreement: Floats
    """Pixel by pixel; -1 where it was not asked for."""
    crop: Image
    """The look that suits the best answer."""

    def score(self) -> Floats:
        """Both together."""
        return np.asarray(self.likeness + 0.5 * self.agreement, np.float32)


def closer(wide: Image, view: View) -> Image:
    """Takes one look, 48 pixels a side, out of a crop with its surroundings."""
    dx, dy, turn, scale = view
    per_pixel = WIDE / (1 + 2 * MARGIN) / SIDE * scale
    c, s = np.cos(np.radians(turn)) * per_pixel, np.sin(np.radians(turn)) * per_pixel
    middle = (WIDE - 1) / 2
    half = (SIDE - 1) / 2
    x = middle + dx * WIDE / (1 + 2 * MARGIN) - (c - s) * half
    y = middle + dy * WIDE / (1 + 2 * MARGIN) - (s + c) * half
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    matrix = np.array([[c, -s, x], [s, c, y]])
    return cv2.warpAffine(wide, matrix, (SIDE, SIDE), flags=flags, borderMode=cv2.BORDER_REPLICATE)


def refine(look: Look, white: Floats | None, hidden: Mask | None = None) -> Weighed:
    """Looks again, shifted, then turned, then a little of each; every answer keeps the look that suits it.

    With `hidden`, that part of the crop counts for nothing.
    """
    taught = None if hidden is None else look.size.codes_hiding(hidden, look.likeness)
    s = _SHIFT_MM / look.size.width
    rounds: tuple[tuple[View, ...], ...] = (
        tuple((dx, dy, 0, 1) for dx in (-s, 0, s) for dy in (-s, 0, s)),
        tuple((0, 0, turn, 1) for turn in (-2 * _TURN, -_TURN, _TURN, 2 * _TURN)),
        (
            *((dx, dy, 0, 1) for dx, dy in ((s / 2, 0), (-s / 2, 0), (0, s / 2), (0, -s / 2))),
            *((0, 0, turn, 1) for turn in (-_TURN / 2, _TURN / 2)),
            *((0, 0, 0, scale) for scale in (0.95, 1.05)),
        ),
    )
    around, best_yet = STRAIGHT, -2.0
    crops: list[Image] = []
    rows: list[Floats] = []
    for steps in rounds:
        views = [(around[0] + a, around[1] + b, around[2] + c, around[3] * d) for a, b, c, d in steps]
        some = np.stack([closer(look.wide, view) for view in views])
        masks = None if hidden is None else np.broadcast_to(hidden, some.shape[:3])
        seen = embed(some, None if white is None else np.repeat(white[None], len(some), 0), masks)
        found = look.size.likeness(seen.code, taught)
        crops.extend(some)
        rows.append(found)
        if found.max() > best_yet:
            best_yet, around = float(found.max()), views[int(found.max(1).argmax())]
    likeness = np.concatenate(rows)
    best = likeness.max(0)
    agreement = np.full(len(best), -1, np.float32)
    for answer in np.argsort(-best)[:CANDIDATES]:
        crop = crops[int(likeness[:, answer].argmax())]
        agreement[answer] = look.size.agreement(crop, int(answer), hidden)
    first = int((best + 0.5 * agreement).argmax())
    return Weighed(best, agreement, crops[int(likeness[:, first].argmax())])
