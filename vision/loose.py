"""Cards on a bare table: found without any printed frame, and straightened.

A card is a light or dark, flat or patterned rectangle of known proportions that differs from the table along
its whole outline. Outlines are collected in several ways; each must then prove itself along its four edges.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Doubles, Floats, Image
from vision.search import check_picture

_LONG_SIDE = 960
_SMALLEST, _LARGEST = 0.001, 0.5
"""The area of a card as a share of the picture."""
_PROPORTIONS = 0.3
"""How far perspective may change the proportions of a card."""
_PROVED = 0.72
"""The share of the outline that must be an edge."""


class LooseCard(NamedTuple):
    """A card on the table: its corners in pixels, clockwise, the first edge a short one.

    Which of the two short edges is the upper one only the face can tell.
    """

    corners: Doubles
    proof: float
    """The share of its outline that is an edge in the picture."""

    def picture(self, image: Image, width: int, height: int, margin: float = 0.0) -> Image:
        """Cuts the card out, straight."""
        edge = np.array([width, height]) * margin
        inner = np.array([[0, 0], [width, 0], [width, height], [0, height]]) * (1 - 2 * margin)
        target = (inner + edge - 0.5).astype(np.float32)
        straight = cv2.getPerspectiveTransform(self.corners.astype(np.float32), target)
        cut = cv2.warpPerspective(
            image, straight, (width, height), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(cut, np.uint8)


def find_cards(image: Image, width_mm: float, height_mm: float) -> list[LooseCard]:
    """Finds cards of one size that lie apart on a table, row by row as people read.

    Cards may be turned and seen at a slant; cards that overlap are not told apart.
    """
    image = check_picture(image)
    scale = min(1.0, _LONG_SIDE / max(image.shape[:2]))
    small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    proportions = min(width_mm, height_mm) / max(width_mm, height_mm)
    edges = edge_strength(small)
    cards = [
        LooseCard(corners, proof)
        for corners in _outlines(small, edges)
        if _has_proportions(corners, proportions) and (proof := _proof(edges, corners)) >= _PROVED
    ]
    cards = _of_one_size(_apart(cards))
    refined = [
        LooseCard(_refined(image, (card.corners + 0.5) / scale - 0.5, scale), card.proof) for card in cards
    ]
    return sorted(refined, key=lambda card: _reading_order(card, refined))


def edge_strength(image: Image) -> Floats:
    """How strongly brightness or colour changes at every pixel, in units of the picture's own noise."""
    lab = image[..., None] if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
    smooth = cv2.GaussianBlur(np.asarray(lab, np.float32), (0, 0), 1.2)
    layers = smooth[..., None] if smooth.ndim == 2 else smooth
    strength = np.zeros(layers.shape[:2], np.float32)
    for i in range(layers.shape[2]):
        dx = cv2.Sobel(layers[..., i], cv2.CV_32F, 1, 0)
        dy = cv2.Sobel(layers[..., i], cv2.CV_32F, 0, 1)
        strength = np.maximum(strength, cv2.magnitude(dx, dy))
    return np.asarray(strength / max(float(np.median(strength)), 2.0), np.float32)


def _outlines(image: Image, edges: Floats) -> Iterator[Doubles]:
    """Four-cornered outlines, from edges of several strengths and from what differs from the table."""
    area = image.shape[0] * image.shape[1]
    kernel = np.ones((3, 3), np.uint8)
    masks = [cv2.dilate(np.asarray(edges > level, np.uint8), kernel) for level in (3, 5, 8, 13, 21)]
    masks += _unlike_table(image)
    for mask in masks:
        contours, _ = cv2.findContours(np.asarray(mask, np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            hull = cv2.convexHull(contour)
            if _SMALLEST * area < cv2.contourArea(hull) < _LARGEST * area:
                corners = _four_corners(hull)
                if corners is not None:
                    yield corners


def _unlike_table(image: Image) -> list[Image]:
    """What differs in colour from the rim of the picture, where the table shows."""
    lab = image[..., None] if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
    smooth = np.asarray(cv2.GaussianBlur(lab, (0, 0), 2), np.float32).reshape(*image.shape[:2], -1)
    rim = np.concatenate([smooth[:8].reshape(-1, smooth.shape[2]), smooth[-8:].reshape(-1, smooth.shape[2])])
    table = np.median(rim, axis=0)
    spread = np.median(np.abs(rim - table), axis=0) * 1.5 + 4
    away = np.clip(np.sqrt((((smooth - table) / spread) ** 2).sum(axis=2)) * 12, 0, 255).astype(np.uint8)
    level, _ = cv2.threshold(away, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    kernel = np.ones((5, 5), np.uint8)
    return [
        np.asarray(cv2.morphologyEx(np.asarray(away > one, np.uint8), cv2.MORPH_OPEN, kernel), np.uint8)
        for one in (level * 0.6, level)
    ]


def _four_corners(hull: NDArray[Any]) -> Doubles | None:
    """The corners of an outline that is nearly a quadrilateral, clockwise, the first edge a short one."""
    length = cv2.arcLength(hull, True)
    for share in (0.02, 0.035, 0.05):
        corners = cv2.approxPolyDP(hull, share * length, True).reshape(-1, 2).astype(np.float64)
        if len(corners) == 4:
            break
    else:
        corners = np.asarray(cv2.boxPoints(cv2.minAreaRect(hull)), np.float64)
    filled = cv2.contourArea(hull) / max(cv2.contourArea(corners.astype(np.float32)), 1.0)
    if not 0.85 < filled < 1.2:
        return None
    a, b, _, d = corners
    if (b[0] - a[0]) * (d[1] - a[1]) - (b[1] - a[1]) * (d[0] - a[0]) < 0:
        corners = corners[::-1]
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return np.roll(corners, -int(sides[0] + sides[2] > sides[1] + sides[3]), axis=0)


def _has_proportions(corners: Doubles, proportions: float) -> bool:
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    short, long = sides[0] + sides[2], sides[1] + sides[3]
    even = min(sides[0], sides[2]) > 0.7 * max(sides[0], sides[2]) and min(sides[1], sides[3]) > 0.7 * max(
        sides[1], sides[3]
    )
    return bool(even and abs(short / max(long, 1e-6) / proportions - 1) < _PROPORTIONS)


def _proof(edges: Floats, corners: Doubles) -> float:
    """The share of the outline along which the picture has an edge within two pixels."""
    near = cv2.dilate(edges, np.ones((5, 5), np.uint8))
    along = np.linspace(0.08, 0.92, 24)[:, None]
    hits = []
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        points = np.round(a + (b - a) * along).astype(int)
        x = np.clip(points[:, 0], 0, edges.shape[1] - 1)
        y = np.clip(points[:, 1], 0, edges.shape[0] - 1)
        hits.append(float((near[y, x] > 3).mean()))
    # One bare side is enough to doubt an outline.
    return min(float(np.mean(hits)), min(hits) + 0.25)


def _apart(cards: list[LooseCard]) -> list[LooseCard]:
    """Keeps the outermost of outlines that lie over each other: inner ones are printed on the card."""
    kept: list[LooseCard] = []
    for card in sorted(cards, key=lambda card: -_area(card)):
        if all(_overlap(card, other) < 0.3 for other in kept):
            kept.append(card)
    return kept


def _overlap(a: LooseCard, b: LooseCard) -> float:
    """The share of the smaller card that lies within the other."""
    shared, _ = cv2.intersectConvexConvex(a.corners.astype(np.float32), b.corners.astype(np.float32))
    return float(shared / max(min(_area(a), _area(b)), 1.0))


def _area(card: LooseCard) -> float:
    return float(cv2.contourArea(card.corners.astype(np.float32)))


def _of_one_size(cards: list[LooseCard]) -> list[LooseCard]:
    """Leaves out what is much smaller or larger than most: all cards of a game are of one size."""
    if not cards:
        return []
    usual = float(np.median([_area(card) for card in cards]))
    return [card for card in cards if 0.5 * usual < _area(card) < 2 * usual]


def _refined(image: Image, corners: Doubles, scale: float) -> Doubles:
    """Fits each edge anew in the full picture and crosses neighbours: rounded corners do not matter."""
    gray = np.asarray(image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    for reach in (7 / scale, 4 / scale, 2 / scale):
        ends = zip(corners, np.roll(corners, -1, axis=0), strict=True)
        lines = [_edge_line(gray, a, b, max(2.0, reach)) for a, b in ends]
        crossed = [np.cross(lines[i - 1], lines[i]) for i in range(4)]
        if any(abs(point[2]) < 1e-9 for point in crossed):
            break
        found = np.array([point[:2] / point[2] for point in crossed])
        if np.abs(found - corners).max() > 2 * reach:
            break
        corners = found
    return corners


def _edge_line(gray: Image, a: Doubles, b: Doubles, reach: float) -> Doubles:
    """The line through the outermost clear steps of brightness beside the segment from a to b."""
    along = (b - a) / max(float(np.linalg.norm(b - a)), 1e-6)
    normal = np.array([-along[1], along[0]])
    offsets = np.linspace(-reach, reach, 4 * int(reach) + 1)
    at = a + (b - a) * np.linspace(0.1, 0.9, 40)[:, None]
    samples = (at[:, None] + offsets[None, :, None] * normal).astype(np.float32)
    profile = cv2.remap(gray, samples[..., 0], samples[..., 1], cv2.INTER_LINEAR).astype(np.float32)
    smooth = cv2.blur(profile, (3, 3))
    step = np.abs(smooth[:, 2:] - smooth[:, :-2])
    peak = step == cv2.dilate(step, np.ones((1, 5), np.uint8))
    largest = step.max(axis=1, keepdims=True)
    # The corners run clockwise, so the first offsets lie outside the card.
    best = (peak & (step > 0.5 * largest)).argmax(axis=1) + 1
    strong = largest[:, 0] > 0.5 * np.median(largest)
    points = at[strong] + offsets[best[strong]][:, None] * normal
    if len(points) < 6:
        points = np.stack([a, b])
    vx, vy, x, y = np.ravel(cv2.fitLine(points.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01))
    return np.cross([x, y, 1.0], [x + vx, y + vy, 1.0])


def _reading_order(card: LooseCard, cards: list[LooseCard]) -> tuple[int, float]:
    """Rows from above, within a row from the left."""
    height = float(np.median([np.ptp(other.corners[:, 1]) for other in cards]))
    x, y = card.corners.mean(axis=0)
    top = min(float(other.corners.mean(axis=0)[1]) for other in cards)
    return round((y - top) / max(height, 1.0)), float(x)
