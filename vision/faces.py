"""Taught faces as the reader compares with them, and the closer looks that it takes at a place.

Two witnesses speak for a face: the likeness of codes (`embed`), and the agreement of pixels with the taught
pictures once the crop lies as they do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from companion.engine.layout import UPRIGHT_KINDS, Face, Piece
from vision.colours import log_colours
from vision.embed import SIDE, embed
from vision.images import Floats, Image, Mask
from vision.overlay import Overlay, Template, overlay
from vision.reading_limits import LIMITS
from vision.teach import FaceLibrary

WIDE = 96
MARGIN = 0.2
"""Places are cut at this size with this share of their surroundings; closer looks are taken from that."""
MAX_COMPARED = 4
"""How many answers are compared pixel by pixel with the taught pictures."""
_MAX_ANSWERS_HIDDEN, _MAX_ANSWERS_ALL_PICTURES = 30, 8
"""How many answers are considered where part of a place is hidden: by one picture each, then by all."""
PRINT = 32
_SLACK = 3
"""Pixels of a print, and how far it may be shifted when it is compared."""
_EPSILON = 1e-6
"""Added to the power of both prints that are compared, so that a blank print agrees with nothing."""


class Size:
    """The taught faces of one size: they are looked for at the same spots.

    A class is a face in one of its turns; an answer is what the game makes of it (it may ignore the turn).
    """

    def __init__(
        self, width: float, height: float, shapes: Sequence[tuple[Face, int]], library: FaceLibrary
    ) -> None:
        self.width, self.height = width, height
        classes = sorted((Piece(f.name, f.turn_of(90 * quarter)), quarter) for f, quarter in shapes)
        self.answers = sorted({answer for answer, _ in classes})
        tall = {face.name for face, _ in shapes if face.kind in UPRIGHT_KINDS}
        self.leans = np.array([answer.face in tall for answer in self.answers])
        """The answers that are the top of something tall, which a camera does not see where it stands."""
        self._answer = np.array([self.answers.index(answer) for answer, _ in classes])
        self._classes_of = classes
        upright = {face.name: _small(library.pictures[face.name]) for face, _ in shapes}
        self._templates = {name: Template.of(pictures) for name, pictures in upright.items()}
        self._colours = {
            name: np.mean([log_colours(one) for one in pictures], axis=0)
            for name, pictures in upright.items()
        }
        self._pictures = [np.rot90(upright[one.face], -quarter, (1, 2)) for one, quarter in classes]
        self._prints = np.stack([_inner(_print(one)).ravel() for some in self._pictures for one in some])
        self._power = (self._prints**2).reshape(len(self._prints), -1, 3).sum(2)
        """The power of the prints, pixel by pixel."""
        self._first = np.searchsorted(self._answer, np.arange(len(self.answers) + 1))
        """The first class of each answer, and their number."""
        self._start = np.cumsum([0, *map(len, self._pictures)])
        """The first picture of each class, and their number."""
        seen = embed(np.concatenate(self._pictures)).code
        self._codes = _unit(np.add.reduceat(seen, self._start[:-1]))

    def codes_hiding(self, hidden: Mask, likely: Floats, code: Floats) -> Floats:
        """The codes of the classes with the same part hidden in the taught pictures as in some crops.

        The likeliest answers by `likely` are worked out from a picture each, and those of them that are most
        like the codes of the crops then from all their pictures; the others get no code.
        """
        codes = np.zeros_like(self._codes)
        some = np.flatnonzero(np.isin(self._answer, np.argsort(-likely)[:_MAX_ANSWERS_HIDDEN]))
        codes[some] = embed(np.stack([self._pictures[one][0] for one in some]), None, hidden).code
        like = self.likeness(code, codes).max(0)
        some = np.flatnonzero(np.isin(self._answer, np.argsort(-like)[:_MAX_ANSWERS_ALL_PICTURES]))
        more = [self._pictures[one][1:] for one in some]
        owner = np.repeat(some, [len(pictures) for pictures in more])
        np.add.at(codes, owner, embed(np.concatenate(more), None, hidden).code)
        codes[some] = _unit(codes[some])
        return codes

    def likeness(self, code: Floats, taught: Floats | None = None) -> Floats:
        """How like the taught faces some codes are: rows × answers, the best turn of each answer."""
        by_class = code @ (self._codes if taught is None else taught).T
        return np.asarray(np.maximum.reduceat(by_class, self._first[:-1], axis=1), np.float32)

    def agreement(self, crop: Image, answers: Sequence[int], hidden: Mask | None = None) -> Floats:
        """How well a crop agrees, pixel by pixel, with the pictures of some answers: at best 1."""
        classes = [one for answer in answers for one in self._classes(answer)]
        first = np.cumsum([0, *(len(self._classes(answer)) for answer in answers)])[:-1]
        return np.asarray(np.maximum.reduceat(self._agreements(crop, classes, hidden), first), np.float32)

    def template(self, answer: int, quarter: int) -> Template:
        """What the taught pictures of an answer have in common, turned clockwise by quarters."""
        return self._templates[self.answers[answer].face].turned(quarter)

    def colours(self, answer: int, quarter: int) -> Floats:
        """The colours of the taught pictures of an answer, turned clockwise by quarters."""
        return np.rot90(self._colours[self.answers[answer].face], -quarter)

    def quarter(self, crop: Image, answer: int, hidden: Mask | None) -> int:
        """By how many quarters an answer is turned in a crop; some look the same to the game in any turn."""
        classes = self._classes(answer)
        best = int(self._agreements(crop, classes, hidden).argmax()) if len(classes) > 1 else 0
        return self._classes_of[classes[best]][1]

    def _classes(self, answer: int) -> range:
        """The classes that make an answer."""
        return range(self._first[answer], self._first[answer + 1])

    def _agreements(self, crop: Image, classes: Sequence[int], hidden: Mask | None) -> Floats:
        """How well a crop agrees with some classes, shifted as suits each best."""
        seen = _print(crop)
        pictures = [range(self._start[one], self._start[one + 1]) for one in classes]
        first = np.cumsum([0, *map(len, pictures)])[:-1]
        some = np.concatenate(pictures)
        power = np.einsum("ijk,ijk->ij", seen, seen)
        if hidden is None:
            powers = _sums(power)[:, None] * self._power[some].sum(1)
        else:
            shown = cv2.resize((~hidden).astype(np.float32), (PRINT, PRINT), interpolation=cv2.INTER_AREA)
            weight = shown * shown
            powers = _sums(weight * power)[:, None] * (_windows(weight) @ self._power[some].T)
            seen *= weight[..., None]
        best = (_windows(seen) @ self._prints[some].T / np.sqrt(powers + _EPSILON)).max(0)
        return np.asarray(np.maximum.reduceat(best, first), np.float32)


def sizes(flat: Sequence[Face], library: FaceLibrary) -> list[Size]:
    """Groups faces by the size of their outline as it lies; oblong faces on their side are another size."""
    shapes: dict[tuple[float, float], list[tuple[Face, int]]] = {}
    for face in flat:
        square = abs(face.width - face.height) < 0.5
        for quarter in range(4):
            if quarter % 2 and face.turns < 4 and not square:
                continue
            outline = (face.height, face.width) if quarter % 2 else (face.width, face.height)
            shapes.setdefault(outline, []).append((face, quarter))
    return [Size(width, height, some, library) for (width, height), some in shapes.items()]


def _unit(code: Floats) -> Floats:
    return np.asarray(code / (np.linalg.norm(code, axis=-1, keepdims=True) + 1e-9), np.float32)


def _small(pictures: Image) -> Image:
    return np.stack([cv2.resize(one, (SIDE, SIDE), interpolation=cv2.INTER_AREA) for one in pictures])


def _print(crop: Image) -> Floats:
    """Detail without the light that falls on it: what is left when a strong blur is taken away."""
    small = cv2.resize(np.ascontiguousarray(crop), (PRINT, PRINT), interpolation=cv2.INTER_AREA)
    fine = np.asarray(cv2.GaussianBlur(small.astype(np.float32), (3, 3), 0.6), np.float32)
    fine -= 0.7 * cv2.blur(fine, (11, 11))
    return np.asarray(fine - fine.mean((0, 1)), np.float32)


def _inner(some: Floats) -> Floats:
    """A print without the rim by which it may be shifted."""
    return some[_SLACK:-_SLACK, _SLACK:-_SLACK]


def _windows(some: Floats) -> Floats:
    """A print, or one value for each of its pixels, in all its shifts: one a row, as large as `_inner`."""
    inner, deep = PRINT - 2 * _SLACK, some.size // PRINT**2
    flat = sliding_window_view(some.reshape(PRINT, -1), (inner, deep * inner))[:, ::deep]
    return flat.reshape(-1, deep * inner * inner)


def _sums(some: Floats) -> Floats:
    """The sums over all windows of one value for each pixel of a print."""
    inner, whole = PRINT - 2 * _SLACK, cv2.integral(some)
    sums = whole[inner:, inner:] - whole[:-inner, inner:] - whole[inner:, :-inner] + whole[:-inner, :-inner]
    return np.asarray(sums.ravel(), np.float32)


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
    straight: Image
    """The middle of `wide`, neither shifted nor turned."""
    laid: dict[int, Overlay]
    """The answers that were overlaid on `straight`."""
    turned: dict[int, int]
    """By how many quarters answers are turned in `straight`."""

    @classmethod
    def at(cls, size: Size, code: Floats, likeness: Floats, bare: float, heat: Floats, wide: Image) -> Look:
        """A look at what `wide` shows in its middle."""
        return cls(size, code, likeness, bare, heat, wide, close_look(wide, STRAIGHT), {}, {})

    def overlay(self, answer: int, crop: Image, hidden: Mask | None = None) -> Overlay:
        """An answer, overlaid on a closer look at this place."""
        if crop is not self.straight or hidden is not None:
            return overlay(self.size.template(answer, self._quarter(answer, crop, hidden)), crop, hidden)
        if answer not in self.laid:
            quarter = self._quarter(answer, crop)
            self.laid[answer] = overlay(self.size.template(answer, quarter), crop)
        return self.laid[answer]

    def colours(self, answer: int, crop: Image, hidden: Mask | None = None) -> Floats:
        """The colours of the taught pictures of an answer, turned as it lies in a closer look."""
        return self.size.colours(answer, self._quarter(answer, crop, hidden))

    def _quarter(self, answer: int, crop: Image, hidden: Mask | None = None) -> int:
        if crop is not self.straight or hidden is not None:
            return self.size.quarter(crop, answer, hidden)
        if answer not in self.turned:
            self.turned[answer] = self.size.quarter(crop, answer, None)
        return self.turned[answer]

    def top(self) -> float:
        """The likeness of the best answer."""
        return float(self.likeness.max())

    def margin(self) -> float:
        """By how much the best answer is ahead of the second."""
        if len(self.likeness) < 2:
            return 1.0
        second, first = np.partition(self.likeness, -2)[-2:]
        return float(first - second)


class AnswerScores(NamedTuple):
    """How well each answer of a size explains a place."""

    likeness: Floats
    agreement: Floats
    """Pixel by pixel; -1 where it was not asked for."""
    crop: Image
    """The look that suits the best answer."""

    def score(self) -> Floats:
        """Both together."""
        return np.asarray(self.likeness + 0.5 * self.agreement, np.float32)


def close_look(wide: Image, view: View) -> Image:
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
    look = cv2.warpAffine(wide, matrix, (SIDE, SIDE), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(look, np.uint8)


def straight_look(look: Look) -> AnswerScores:
    """Scores the answers by the first look alone."""
    return _scores(look.size, [look.straight], look.likeness[None], None)


def refine(look: Look, white: Floats | None, hidden: Mask | None = None) -> AnswerScores:
    """Looks again, shifted, then turned, then a little of each; every answer keeps the look that suits it.

    Tall pieces are also looked for further away. The `hidden` part of the crop counts for nothing. It ends as
    soon as a look is like a face, or when none is after all larger steps, on a bare place after the first.
    """
    taught = None
    around, best_yet = STRAIGHT, -2.0
    crops: list[Image] = []
    rows: list[Floats] = []
    if hidden is None:
        crops, rows, best_yet = [look.straight], [look.likeness[None]], look.top()
    for steps, is_far, is_fine in _rounds(look.size, hidden is not None):
        is_hopeless = best_yet < LIMITS.hopeless_likeness and (is_fine or look.bare > LIMITS.bare_score)
        if best_yet > LIMITS.refined_likeness or (is_hopeless and len(rows) > 1):
            break
        views = [(around[0] + a, around[1] + b, around[2] + c, around[3] * d) for a, b, c, d in steps]
        some = np.stack([close_look(look.wide, view) for view in views])
        seen = embed(some, None if white is None else np.repeat(white[None], len(some), 0), hidden)
        if hidden is not None and taught is None:
            taught = look.size.codes_hiding(hidden, look.likeness, seen.code)
        found = look.size.likeness(seen.code, taught)
        if is_far:
            found = np.where(look.size.leans, found, np.float32(-1))
        crops.extend(some)
        rows.append(found)
        if found.max() > best_yet:
            best_yet, around = float(found.max()), views[int(found.max(1).argmax())]
    return _scores(look.size, crops, np.concatenate(rows), hidden)


def _rounds(size: Size, with_straight: bool) -> Iterator[tuple[Sequence[View], bool, bool]]:
    """The steps of closer looks, round by round; whether they are for tall pieces, whether they are small."""
    s = _SHIFT_MM / size.width
    shifts = [(dx, dy, 0.0, 1.0) for dx in (-s, 0, s) for dy in (-s, 0, s) if dx or dy]
    yield [STRAIGHT, *shifts] if with_straight else shifts, False, False
    if size.leans.any():
        yield [(2 * dx, 2 * dy, turn, scale) for dx, dy, turn, scale in shifts], True, False
    yield [(0, 0, turn, 1) for turn in (-2 * _TURN, -_TURN, _TURN, 2 * _TURN)], False, False
    fine: list[View] = [(dx, dy, 0, 1) for dx, dy in ((s / 2, 0), (-s / 2, 0), (0, s / 2), (0, -s / 2))]
    fine += [(0, 0, turn, 1) for turn in (-_TURN / 2, _TURN / 2)]
    yield [*fine, *((0.0, 0.0, 0.0, scale) for scale in (0.95, 1.05))], False, True


def _scores(size: Size, crops: Sequence[Image], likeness: Floats, hidden: Mask | None) -> AnswerScores:
    """Compares the likeliest answers pixel by pixel, each with the look that suits it."""
    best = likeness.max(0)
    agreement = np.full(len(best), -1, np.float32)
    likely = np.argsort(-best)[:MAX_COMPARED]
    suits = likeness[:, likely].argmax(0)
    for one in np.unique(suits):
        some = likely[suits == one]
        agreement[some] = size.agreement(crops[one], some, hidden)
    first = int((best + 0.5 * agreement).argmax())
    return AnswerScores(best, agreement, crops[int(likeness[:, first].argmax())])
