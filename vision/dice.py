"""Reads dice in a tray: finds them, straightens them, counts pips or names taught faces.

A die that cannot be read with certainty has no value: the players are asked, nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.engine.layout import Board
from vision.embed import SIDE, embed
from vision.images import Floats, Image, Mask
from vision.teach import FaceLibrary, codes

_SLACK, _CLOSER = 4, 3
"""How many pixels a die may be off; how many of its likeliest faces are compared by pixels."""
PIPS_SURE, PIPS_MARGIN = 0.42, 0.08
FACE_SURE, FACE_MARGIN = 0.45, 0.12
"""How well the best face must fit, and by how much better than the second."""
TOLD_BY_PIXELS = 0.2
"""By how much the best face must be ahead where its pixels are compared as well."""
_DARKEST = 14.0
"""Added to every grey level of 255: below it noise decides."""
_SHADE, _SHADE_SPREAD = 0.1, 0.22
"""Shade takes at least this much of the light, of no colour this much more than of another; logarithms."""
_BODY_SHARE, _MOST_IN_ONE = 0.25, 4
"""Dice are at least this share of themselves and their shadows; the most that shadows may join."""
Box = tuple[Sequence[float], Sequence[float], float]
"""Middle, sides and turn of a rectangle in a picture."""
_THIRDS = {
    "1": ("    x    ",),
    "2": ("x       x", "  x   x  "),
    "3": ("x   x   x", "  x x x  "),
    "4": ("x x   x x",),
    "5": ("x x x x x",),
    "6": ("x xx xx x", "xxx   xxx"),
}
"""Where pips can be, row by row, in every turn of a die."""


class Die(NamedTuple):
    """One die in the tray; no `face` where it could not be read."""

    face: str | None
    confidence: float
    centre: tuple[float, float]


class Spot(NamedTuple):
    """Where a die lies: its middle, side and turn in the picture; `single` unless several touch."""

    centre: tuple[float, float]
    side: float
    turn: float
    single: bool = True


def read_dice(
    tray: Image, taught: Mapping[str, Image] | None = None, side_px: float | None = None
) -> list[Die]:
    """Reads the dice in a picture of the tray alone: pips, or the faces that were `taught`.

    `side_px` is how large a die appears, if that is known.
    """
    spots = find_dice(tray, side_px)
    crops = [straight(tray, spot) for spot in spots]
    verdicts = _by_taught(crops, taught) if taught else [count_pips(crop) for crop in crops]
    return [
        Die(face if spot.single else None, confidence if spot.single else 0.0, spot.centre)
        for spot, (face, confidence) in zip(spots, verdicts, strict=True)
    ]


def taught_faces(library: FaceLibrary, board: Board) -> dict[str, Image]:
    """The pictures of a game's dice."""
    names = [face.name for face in board.faces if face.kind == "die"]
    return {name: library.pictures[name] for name in names if name in library.pictures}


def find_dice(tray: Image, side_px: float | None = None) -> list[Spot]:
    """Finds what lies on the even ground of a tray and is about square, whatever shadow it casts."""
    soft = cv2.GaussianBlur(tray, (5, 5), 0)
    lab = cv2.cvtColor(soft, cv2.COLOR_BGR2LAB).astype(np.float32)
    ground = _ground(lab)
    away = np.linalg.norm(lab - ground, axis=2)
    limit, _ = cv2.threshold(np.clip(away, 0, 255).astype(np.uint8), 0, 255, cv2.THRESH_OTSU)
    mask = (away > max(10.0, 0.7 * limit)).astype(np.uint8)
    n = max(3, min(tray.shape[:2]) // 60) | 1
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    closed = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((n, n), np.uint8)), np.uint8)
    lit = (mask > 0) & ~_is_shade(np.asarray(soft, np.uint8), ground)
    boxes = [box for outline in _solid(closed) for box in _bodies(outline, lit)]
    boxes = [box for box in boxes if not _touches_rim(box, tray)]
    square = [box for box in boxes if max(box[1]) < 1.3 * min(box[1])]
    if not square:
        return []
    usual = side_px or float(np.median([np.sqrt(box[1][0] * box[1][1]) for box in square]))
    spots = []
    for (x, y), (w, h), turn in boxes:
        side = float(np.sqrt(w * h))
        if side < 0.6 * usual:
            continue
        single = max(w, h) < 1.3 * min(w, h) and side < 1.3 * usual
        spots.append(Spot((float(x), float(y)), side, float(turn), single))
    return sorted(spots)


def _solid(mask: Image) -> list[NDArray[np.int32]]:
    """The outlines of what is filled; a square that is only printed on the ground is not."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    outlines = sorted(
        (one for one in outlines if cv2.contourArea(one) > 80), key=cv2.contourArea, reverse=True
    )
    taken = np.zeros_like(mask)
    solid = []
    for outline in outlines:
        inside = np.zeros_like(mask)
        cv2.drawContours(inside, [outline], -1, 1, -1)
        if mask[inside > 0].mean() > 0.6 and not (taken & inside).any():
            taken |= inside
            solid.append(np.asarray(outline, np.int32))
    return solid


def _is_shade(soft: Image, ground: Floats) -> Mask:
    """Where a picture is the ground in less light: all its colours are weaker by the same share."""
    bare = cv2.cvtColor(np.clip(ground, 0, 255).astype(np.uint8), cv2.COLOR_LAB2BGR).astype(np.float32)
    share = np.log((soft + _DARKEST) / (bare + _DARKEST))
    return np.asarray((share.mean(2) < -_SHADE) & (share.max(2) - share.min(2) < _SHADE_SPREAD))


def _bodies(outline: NDArray[np.int32], lit: Mask) -> list[Box]:
    """The dice within an outline without the shadow beside them; the outline itself if that is not clear."""
    inside = np.zeros(lit.shape, np.uint8)
    cv2.drawContours(inside, [outline], -1, 1, -1)
    part = cv2.morphologyEx((lit & (inside > 0)).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    found, _ = cv2.findContours(part, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    hulls = [cv2.convexHull(one) for one in found]
    least = max(
        _BODY_SHARE * cv2.contourArea(outline) / _MOST_IN_ONE,
        0.5 * max(map(cv2.contourArea, hulls), default=0.0),
    )
    filled = [hull for hull in hulls if cv2.contourArea(hull) > least]
    boxes: list[Box] = [cv2.minAreaRect(hull) for hull in filled]
    is_square = all(
        max(box[1]) < 1.25 * min(box[1]) and cv2.contourArea(hull) > 0.78 * box[1][0] * box[1][1]
        for box, hull in zip(boxes, filled, strict=True)
    )
    is_most = sum(map(cv2.contourArea, filled)) > _BODY_SHARE * cv2.contourArea(outline)
    return boxes if boxes and is_square and is_most else [cv2.minAreaRect(outline)]


def _touches_rim(box: Box, tray: Image) -> bool:
    corner = cv2.boxPoints(box)
    height, width = tray.shape[:2]
    return bool((corner < 1).any() or (corner > (width - 2, height - 2)).any())


def _ground(lab: Floats) -> Floats:
    """The ground of the tray without what lies on it: a smooth surface fitted to most pixels."""
    height, width = lab.shape[:2]
    step = max(1, min(height, width) // 80)
    y, x = np.mgrid[0:height:step, 0:width:step] / max(height, width)
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], -1).reshape(-1, 6)
    values = lab[::step, ::step].reshape(-1, 3)
    keep = np.linalg.norm(values - np.median(values, axis=0), axis=1) < 60
    fitted = values
    for _ in range(5):
        surface = np.linalg.lstsq(terms[keep], values[keep], rcond=None)[0]
        fitted = terms @ surface
        rest = np.linalg.norm(values - fitted, axis=1)
        keep = rest <= max(6.0, float(np.quantile(rest, 0.7)))
    small = fitted.reshape(*x.shape, 3).astype(np.float32)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def straight(tray: Image, spot: Spot) -> Image:
    """Cuts a die out of the picture, its sides upright."""
    scale = spot.side / SIDE
    c, s = np.cos(np.radians(spot.turn)) * scale, np.sin(np.radians(spot.turn)) * scale
    matrix = np.array([[c, -s, 0], [s, c, 0]])
    matrix[:, 2] = np.array(spot.centre) - matrix[:, :2] @ [(SIDE - 1) / 2, (SIDE - 1) / 2]
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    die = cv2.warpAffine(tray, matrix, (SIDE, SIDE), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(die, np.uint8)


def count_pips(crop: Image) -> tuple[str | None, float]:
    """Compares a straightened die with every number of pips, light on dark or dark on light."""
    grey = cv2.GaussianBlur(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), (3, 3), 0).astype(np.float32)
    inner = _even(grey[5:-5, 5:-5])
    fits = {face: max(_fit(inner, one) for one in some) for face, some in _pip_patterns().items()}
    return _verdict(fits, PIPS_SURE, PIPS_MARGIN)


def _even(grey: Floats) -> Floats:
    """Takes away a slope of light and brings the contrast to one."""
    flat = grey - cv2.blur(grey, (23, 23))
    flat = flat - flat.mean()
    return np.asarray(flat / (np.linalg.norm(flat) + 1e-6), np.float32)


def _fit(inner: Floats, pattern: Floats) -> float:
    found = cv2.matchTemplate(inner, pattern, cv2.TM_CCOEFF_NORMED)
    return float(np.abs(found).max())


def _pip_patterns() -> dict[str, list[Floats]]:
    patterns: dict[str, list[Floats]] = {}
    inner = SIDE - 10 - 2 * _SLACK
    for face, layouts in _THIRDS.items():
        for layout in layouts:
            for radius in (3.6, 4.8):
                for reach in (11.0, 13.0):
                    picture = np.zeros((inner, inner), np.float32)
                    y, x = np.mgrid[0:inner, 0:inner] - (inner - 1) / 2
                    for i, mark in enumerate(layout):
                        if mark == "x":
                            away = np.hypot(x - (i % 3 - 1) * reach, y - (i // 3 - 1) * reach)
                            picture = np.maximum(picture, np.clip(radius - away + 0.5, 0, 1))
                    patterns.setdefault(face, []).append(picture.astype(np.float32))
    return patterns


def _by_taught(crops: Sequence[Image], taught: Mapping[str, Image]) -> list[tuple[str | None, float]]:
    """Compares dice with taught faces in all four turns."""
    if not crops:
        return []
    names = list(taught)
    known = np.stack([codes(taught[name], (0, 1, 2, 3)).mean(0) for name in names])
    known /= np.linalg.norm(known, axis=-1, keepdims=True) + 1e-9
    likeness = np.einsum("nc,fqc->nfq", embed(np.stack(crops)).code, known).max(2)
    found = []
    for crop, row in zip(crops, likeness, strict=True):
        fits = dict(zip(names, map(float, row), strict=True))
        face, confidence = _verdict(fits, FACE_SURE, FACE_MARGIN)
        found.append(_told_by_pixels(crop, fits, taught) if face is None else (face, confidence))
    return found


def _told_by_pixels(
    crop: Image, fits: Mapping[str, float], taught: Mapping[str, Image]
) -> tuple[str | None, float]:
    """Looks closer at the likeliest faces; theirs must be the same verdict."""
    order = sorted(fits, key=lambda face: -fits[face])[:_CLOSER]
    pixels = {face: _pixels_fit(crop, taught[face]) for face in order}
    both = {face: fits[face] + pixels[face] for face in order}
    is_agreed = max(pixels, key=lambda face: pixels[face]) == order[0]
    face, confidence = _verdict(both, FACE_SURE + FACE_SURE, TOLD_BY_PIXELS)
    return (face if is_agreed else None), confidence


def _pixels_fit(crop: Image, pictures: Image) -> float:
    """How well the best of some pictures, in its best turn, fits a die, a few pixels to and fro."""
    inner = slice(_SLACK, -_SLACK)
    wanted = [cv2.resize(picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA) for picture in pictures]
    turned = [np.ascontiguousarray(np.rot90(one, turn)[inner, inner]) for one in wanted for turn in range(4)]
    return max(float(cv2.matchTemplate(crop, one, cv2.TM_CCOEFF_NORMED).max()) for one in turned)


def _verdict(fits: Mapping[str, float], sure: float, margin: float) -> tuple[str | None, float]:
    order = sorted(fits, key=lambda face: -fits[face])
    best = fits[order[0]]
    ahead = best - (fits[order[1]] if len(order) > 1 else 0.0)
    confidence = float(1 / (1 + np.exp(-(ahead / margin - 0.5) * 6))) * min(1.0, best / sure)
    return (order[0] if best >= sure and ahead >= margin else None), confidence
