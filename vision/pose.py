"""Where the board lies in the picture: a `Pose` maps millimetres of the board to pixels and back.

With a calibrated `Lens` the pose has the six freedoms of a rigid board. Without one it is a free plane map
with a single radial bend estimated along, held back by a prior, so that a wide lens does not spoil the rim.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import cv2
import numpy as np
from numpy.typing import ArrayLike

from companion.engine.action import Cell
from companion.engine.layout import Board, Place
from companion.engine.marker_cards import APART_MM, CARD_MARKER_MM, card_of
from vision.images import Doubles

_NOISE_PX = 0.25
"""A marker corner is never believed to be better than this."""
_SUSPECT_PX = 1.5
"""Corners of a marker that are off by more may be those of a card that was moved."""
_BEND_PRIOR = 0.12
"""How strongly unknown lenses bend (k1), as one standard deviation."""


class PixelMap(Hashable, Protocol):
    """Where points of the board are in a picture: all that cutting and reading ask of a pose."""

    def pixels(self, points_mm: ArrayLike) -> Doubles:
        """Maps points on the board to pixels, one row each."""
        ...


class Lens(NamedTuple):
    """How a camera bends the picture: focal lengths, centre and distortion for one frame size."""

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float
    distortion: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0, 0.0)

    def matrix(self) -> Doubles:
        """The camera matrix."""
        return np.array([[self.fx, 0, self.cx], [0, self.fy, self.cy], [0, 0, 1.0]])

    def fit(self, width: int, height: int) -> Lens | None:
        """The same lens at another resolution of the same shape, or None when the shape differs."""
        if abs(width * self.height - height * self.width) > 0.01 * width * self.height:
            return None
        s = width / self.width
        return Lens(width, height, self.fx * s, self.fy * s, self.cx * s, self.cy * s, self.distortion)

    def bend(self, ideal: Doubles) -> Doubles:
        """Moves pixels of an ideal pinhole to where this lens puts them."""
        rays = np.empty((len(ideal), 1, 3))
        rays[:, 0, 0] = (ideal[:, 0] - self.cx) / self.fx
        rays[:, 0, 1] = (ideal[:, 1] - self.cy) / self.fy
        rays[:, 0, 2] = 1.0
        zero = np.zeros(3)
        bent, _ = cv2.projectPoints(rays, zero, zero, self.matrix(), np.array(self.distortion))
        return np.asarray(bent, np.float64).reshape(-1, 2)

    def straighten(self, pixels: Doubles) -> Doubles:
        """Moves pixels of this lens to where an ideal pinhole would put them."""
        matrix = self.matrix()
        points = np.ascontiguousarray(pixels, np.float64).reshape(-1, 1, 2)
        straight = cv2.undistortPoints(points, matrix, np.array(self.distortion), P=matrix)
        return np.asarray(straight, np.float64).reshape(-1, 2)


def plain_lens(width: int, height: int, bend: float = 0.0) -> Lens:
    """A stand-in for an unknown camera: an ordinary angle of view and one radial bend."""
    focal = float(max(width, height))
    return Lens(width, height, focal, focal, (width - 1) / 2, (height - 1) / 2, (bend, 0.0, 0.0, 0.0, 0.0))


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """Maps one board to one camera's pixels. Compared by identity: maps computed from it can be cached."""

    board: Board
    width: int
    height: int
    """The size of the picture."""
    plane: Doubles
    """Millimetres to pixels of an ideal pinhole, 3×3."""
    lens: Lens
    markers: tuple[int, ...]
    """The markers that it was found by; none when people clicked the corners."""
    error_mm: float
    """The error to expect at the worst place of the board."""

    def pixels(self, points_mm: ArrayLike) -> Doubles:
        """Maps points on the board to pixels, one row each."""
        ideal = _project(self.plane, np.asarray(points_mm, np.float64).reshape(-1, 2))
        return self.lens.bend(ideal) if any(self.lens.distortion) else ideal

    def millimetres(self, points_px: ArrayLike) -> Doubles:
        """Maps pixels to points on the board's plane, one row each."""
        pixels = np.asarray(points_px, np.float64).reshape(-1, 2)
        ideal = self.lens.straighten(pixels) if any(self.lens.distortion) else pixels
        return _project(np.asarray(np.linalg.inv(self.plane), np.float64), ideal)

    def scale(self) -> float:
        """Pixels per millimetre in the middle of the board."""
        x, y = self.board.width / 2, self.board.height / 2
        a, b, c = self.pixels([(x, y), (x + 1, y), (x, y + 1)])
        return float(abs(np.cross(np.append(b - a, 0), np.append(c - a, 0))[2]) ** 0.5)

    def turn(self) -> int:
        """By how many degrees clockwise the board lies turned in the picture, to the nearest quarter."""
        x, y = self.board.width / 2, self.board.height / 2
        a, b = self.pixels([(x - 5, y), (x + 5, y)])
        return round(float(np.degrees(np.arctan2(b[1] - a[1], b[0] - a[0]))) / 90) % 4 * 90

    def outside(self) -> list[Cell]:
        """Lists the places that lie, wholly or partly, beyond the edge of the picture."""
        corners = np.concatenate([place_corners(place) for place in self.board.places])
        px = self.pixels(corners)
        inside = (
            (px[:, 0] >= -0.5)
            & (px[:, 1] >= -0.5)
            & (px[:, 0] <= self.width - 0.5)
            & (px[:, 1] <= self.height - 0.5)
        )
        return [cell for cell in range(len(self.board.places)) if not inside[4 * cell : 4 * cell + 4].all()]

    def moved_mm(self, other: Pose) -> float:
        """By how much the board's corners moved in the picture since another pose, at most, in mm."""
        rim = [(0, 0), (self.board.width, 0), (self.board.width, self.board.height), (0, self.board.height)]
        away = np.linalg.norm(self.pixels(rim) - other.pixels(rim), axis=1).max()
        return float(away / max(self.scale(), 1e-6))


def place_corners(place: Place, margin: float = 0.0) -> Doubles:
    """The corners of a place in mm, clockwise from its upper left; `margin` widens it by that share."""
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1.0]])
    square *= (place.width * (0.5 + margin), place.height * (0.5 + margin))
    if place.turn:
        a = np.radians(place.turn)
        square = square @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    return np.asarray(square + np.array([place.x, place.y]), np.float64)


def fit_pose(
    board: Board, corners: Mapping[int, Doubles], width: int, height: int, lens: Lens | None
) -> Pose | None:
    """Fits the pose to marker corners in pixels; None when they contradict each other or are too few.

    Markers that do not agree with the others are left out: a false find in a carpet must not bend the board.
    """
    known = {m.id: np.array(m.corners()) for m in board.markers if m.id in corners}
    corners = _unshrunk(corners)
    agreeing = _agreeing(known, corners, width, height)
    here = lens.fit(width, height) if lens is not None else None

    def fitted(markers: list[int]) -> _Fit | None:
        mm = np.concatenate([known[i] for i in markers])
        px = np.concatenate([np.asarray(corners[i], np.float64) for i in markers])
        return _fit_rigid(mm, px, here) if here is not None else _fit_free(mm, px, width, height)

    while len(agreeing) >= 2:
        fit = fitted(agreeing)
        if fit is None:
            return None
        per_marker = np.linalg.norm(fit.residual.reshape(-1, 4, 2), axis=2).mean(axis=1)
        if per_marker.max() > _SUSPECT_PX:
            others = _without_moved_card(board, agreeing, fit, fitted)
            if others is not None:
                agreeing = others
                continue
        worst = int(per_marker.argmax())
        if per_marker[worst] > max(2.0, 3.5 * float(np.median(per_marker))) and len(agreeing) > 2:
            agreeing.pop(worst)
            continue
        pose = Pose(board, width, height, fit.plane, fit.lens, tuple(agreeing), 0.0)
        return replace(pose, error_mm=_expected_error_mm(pose, fit))
    return None


def _unshrunk(corners: Mapping[int, Doubles]) -> Mapping[int, Doubles]:
    """The corners of cards' markers as they would be without blur: it makes markers smaller, not closer."""
    ratios = []
    for i, first in corners.items():
        second = corners.get(i + 1)
        if card_of(i) is not None and card_of(i) == card_of(i + 1) and second is not None:
            apart = float(np.linalg.norm(np.mean(second, axis=0) - np.mean(first, axis=0)))
            # The sides along the line between the two: perspective changes them alike.
            sides = [
                np.linalg.norm(one[1] - one[0]) + np.linalg.norm(one[2] - one[3]) for one in (first, second)
            ]
            ratios.append(float(np.mean(sides)) / 2 / max(apart, 1e-9) * APART_MM / CARD_MARKER_MM)
    if not ratios:
        return corners
    size = float(np.clip(np.median(ratios), 0.9, 1.1))
    return {
        i: px if card_of(i) is None else px.mean(axis=0) + (px - px.mean(axis=0)) / size
        for i, px in corners.items()
    }


def _without_moved_card(
    board: Board, markers: list[int], fit: _Fit, fitted: Callable[[list[int]], _Fit | None]
) -> list[int] | None:
    """The markers without those of the one card whose absence makes all others agree; None if there is none.

    A card that was moved bends the fit of all: the worst residual need not be its own. Two cards move at once
    where they lie at a board that was.
    """
    cards = {card for i in markers if (card := card_of(i)) is not None}
    if len(cards) < 3:
        return None
    trials = []
    for moved in [{card} for card in cards] + [set(part.cards) for part in board.parts if part.cards]:
        others = [i for i in markers if card_of(i) not in moved]
        without = fitted(others) if len({card_of(i) for i in others}) > 1 else None
        if without is not None:
            trials.append((float((without.residual**2).mean()), others))
    if not trials:
        return None
    left, others = min(trials)
    return others if left < 0.25 * float((fit.residual**2).mean()) else None


def marker_stretch(board: Board, corners: Mapping[int, Doubles]) -> tuple[float, float] | None:
    """How wide and how high markers are, against what they should be if their middles lie as on this board.

    Both are 1 on the right board, whatever the camera; None where too few markers tell, or too close ones.
    """
    known = {m.id: np.array(m.corners()) for m in board.markers if m.id in corners}
    if len(known) < 5:
        return None
    middles = np.array([known[i].mean(axis=0) for i in known])
    seen = np.array([_crossing(np.asarray(corners[i], np.float64)) for i in known])
    slack = 0.05 * float(np.ptp(seen, axis=0).max())
    plane, fits = cv2.findHomography(middles, seen, cv2.RANSAC, slack, maxIters=500, confidence=0.999)
    if plane is None or np.linalg.matrix_rank(plane) < 3 or fits.sum() < 5:
        return None
    held = cv2.convexHull(middles[np.ravel(fits) > 0].astype(np.float32))
    if cv2.contourArea(held) < 0.4 * board.width * board.height:
        return None
    back = np.asarray(np.linalg.inv(plane), np.float64)
    ratios = []
    for i, fit in zip(known, np.ravel(fits), strict=True):
        if fit:
            should, (a, b, c, d) = known[i], _project(back, np.asarray(corners[i], np.float64))
            side = float(np.linalg.norm(should[1] - should[0]))
            across, along = (np.abs(b - a) + np.abs(c - d)) / 2, (np.abs(d - a) + np.abs(c - b)) / 2
            ratios.append((np.linalg.norm(across) / side, np.linalg.norm(along) / side))
    wide, high = np.median(ratios, axis=0)
    return float(wide), float(high)


def _crossing(square: Doubles) -> Doubles:
    """Where the diagonals cross: the middle of a square, however slanted it is seen."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = square
    across = (cx - ax) * (dy - by) - (cy - ay) * (dx - bx)
    share = ((bx - ax) * (dy - by) - (by - ay) * (dx - bx)) / across if abs(across) > 1e-9 else 0.5
    return np.array([ax + share * (cx - ax), ay + share * (cy - ay)])


def pose_from_corners(
    board: Board, corners_px: ArrayLike, width: int, height: int, lens: Lens | None = None
) -> Pose:
    """Makes a pose from the four corners of the board that people clicked, clockwise from the upper left.

    The upper left corner is the board's own, however it lies in the picture.
    """
    rim = np.array([(0, 0), (board.width, 0), (board.width, board.height), (0, board.height)], np.float32)
    clicked = np.asarray(corners_px, np.float64).reshape(4, 2)
    here = (lens.fit(width, height) if lens is not None else None) or plain_lens(width, height)
    ideal = here.straighten(clicked) if any(here.distortion) else clicked
    plane = cv2.getPerspectiveTransform(rim, ideal.astype(np.float32))
    side = np.linalg.norm(np.diff(np.vstack([clicked, clicked[:1]]), axis=0), axis=1).mean()
    mm_per_px = (board.width + board.height) / 2 / max(float(side), 1.0)
    return Pose(board, width, height, np.asarray(plane, np.float64), here, (), 2.0 * mm_per_px)


def rigid(mm: Doubles, seen: Doubles) -> Doubles:
    """Place and angle, in radians, of something flat whose points `mm` are seen at the points `seen`."""
    a, b = mm - mm.mean(axis=0), seen - seen.mean(axis=0)
    angle = np.arctan2((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum(), (a * b).sum())
    c, s = np.cos(angle), np.sin(angle)
    x, y = seen.mean(axis=0) - mm.mean(axis=0) @ np.array([[c, s], [-s, c]])
    return np.array([x, y, angle])


def _project(plane: Doubles, points: Doubles) -> Doubles:
    mapped = points @ plane[:, :2].T + plane[:, 2]
    return np.asarray(mapped[:, :2] / mapped[:, 2:], np.float64)


def _agreeing(
    known: Mapping[int, Doubles], corners: Mapping[int, Doubles], width: int, height: int
) -> list[int]:
    """The markers whose four corners fit one plane map; generous, since the lens is not undone yet."""
    ids = sorted(known)
    if len(ids) < 2:
        return []
    mm = np.concatenate([known[i] for i in ids])
    px = np.concatenate([np.asarray(corners[i], np.float64) for i in ids])
    slack = 0.015 * max(width, height)
    plane, inliers = cv2.findHomography(mm, px, cv2.RANSAC, slack, maxIters=500, confidence=0.999)
    if plane is None:
        return []
    fits = [bool(one.all()) for one in inliers.reshape(-1, 4)]
    agreeing = [i for i, fit in zip(ids, fits, strict=True) if fit]
    if len(agreeing) < 2 or not _is_seen_from_above(np.asarray(plane, np.float64), known, agreeing):
        return []
    return agreeing


def _is_seen_from_above(plane: Doubles, known: Mapping[int, Doubles], ids: list[int]) -> bool:
    """No map that turns the board inside out: every marker keeps its sense of rotation."""
    for i in ids:
        a, b, c, d = _project(plane, known[i])
        u, v = c - a, d - b
        if u[0] * v[1] - u[1] * v[0] <= 0:
            return False
    return True


class _Fit(NamedTuple):
    """A fitted map: how it maps, what is left over, and how sure its values are."""

    plane: Doubles
    lens: Lens
    residual: Doubles
    values: Doubles
    covariance: Doubles
    project: Callable[[Doubles, Doubles], Doubles]


def _fit_rigid(mm: Doubles, px: Doubles, lens: Lens) -> _Fit | None:
    """Six freedoms: the board is flat and rigid and the lens is known."""
    solid = np.column_stack([mm, np.zeros(len(mm))])
    matrix, distortion = lens.matrix(), np.array(lens.distortion)
    found, turns, shifts, *_ = cv2.solvePnPGeneric(solid, px, matrix, distortion, flags=cv2.SOLVEPNP_IPPE)
    if not found:
        return None

    def project(values: Doubles, points: Doubles) -> Doubles:
        deep = np.column_stack([points, np.zeros(len(points))])
        seen, _ = cv2.projectPoints(deep, values[:3], values[3:], matrix, distortion)
        return np.asarray(seen, np.float64).reshape(-1, 2)

    refined = [
        np.concatenate([np.ravel(part) for part in cv2.solvePnPRefineLM(solid, px, matrix, distortion, *one)])
        for one in zip(turns, shifts, strict=True)
    ]  # a plane seen from afar fits almost as well tilted the other way: only refined do the two differ
    start = min(refined, key=lambda values: float(((project(values, mm) - px) ** 2).sum()))
    residual = project(start, mm) - px
    rotation, _ = cv2.Rodrigues(start[:3])
    plane = matrix @ np.column_stack([rotation[:, 0], rotation[:, 1], start[3:]])
    slope = _slope(lambda values: project(values, mm), start)
    covariance = np.asarray(np.linalg.pinv(slope.T @ slope), np.float64)
    return _Fit(plane / plane[2, 2], lens, residual, start, covariance, project)


def _fit_free(mm: Doubles, px: Doubles, width: int, height: int) -> _Fit | None:
    """Eight freedoms of a plane map and one radial bend, by a few damped Gauss-Newton steps."""
    centre, spread = mm.mean(axis=0), float(mm.std()) or 1.0
    plain = plain_lens(width, height)
    middle, focal = np.array([plain.cx, plain.cy]), plain.fx
    first, _ = cv2.findHomography((mm - centre) / spread, (px - middle) / focal, 0)
    if first is None or abs(first[2, 2]) < 1e-9:
        return None
    values = np.append((first / first[2, 2]).ravel()[:8], 0.0)

    def project(values: Doubles, points: Doubles) -> Doubles:
        ideal = _project(np.append(values[:8], 1.0).reshape(3, 3), (points - centre) / spread)
        r2 = (ideal**2).sum(axis=1, keepdims=True)
        return np.asarray(ideal * (1 + values[8] * r2) * focal + middle, np.float64)

    prior = _NOISE_PX / _BEND_PRIOR
    slope = np.zeros((0, 9))
    for _ in range(4):
        slope = _slope(lambda v: project(v, mm), values)
        residual = (project(values, mm) - px).ravel()
        whole = np.vstack([slope, np.append(np.zeros(8), prior)])
        step = np.linalg.lstsq(whole, np.append(residual, prior * values[8]), rcond=None)[0]
        values = values - step
        if not np.isfinite(values).all() or abs(values[8]) > 0.6:
            return None
        if np.abs(step).max() < 1e-7:
            break
    residual = project(values, mm) - px
    weighed = slope.T @ slope + np.diag(np.append(np.zeros(8), prior**2))
    covariance = np.asarray(np.linalg.pinv(weighed), np.float64)
    to_unit = np.array(
        [[1 / spread, 0, -centre[0] / spread], [0, 1 / spread, -centre[1] / spread], [0, 0, 1]]
    )
    to_pixel = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1]])
    plane = to_pixel @ np.append(values[:8], 1.0).reshape(3, 3) @ to_unit
    lens = plain_lens(width, height, float(values[8]))
    return _Fit(plane / plane[2, 2], lens, residual, values, covariance, project)


def _slope(project: Callable[[Doubles], Doubles], values: Doubles) -> Doubles:
    """The change of every pixel coordinate per change of every value."""
    base = project(values).ravel()
    columns = []
    for i in range(len(values)):
        step = 1e-6 * max(1.0, abs(float(values[i])))
        moved = values.copy()
        moved[i] += step
        columns.append((project(moved).ravel() - base) / step)
    return np.column_stack(columns)


def _expected_error_mm(pose: Pose, fit: _Fit) -> float:
    """The two-sigma error of the worst place, from the noise of the corners and their geometry."""
    points = np.array([(place.x, place.y) for place in pose.board.places])
    noise = max(_NOISE_PX**2, float((fit.residual**2).sum()) / max(fit.residual.size - len(fit.values), 1))
    slope = _slope(lambda v: fit.project(v, points), fit.values).reshape(len(points), 2, -1)
    spread = np.einsum("pij,jk,pik->p", slope, fit.covariance, slope) * noise
    return 2 * float(np.sqrt(max(spread.max(), 0.0))) / max(pose.scale(), 1e-6)
