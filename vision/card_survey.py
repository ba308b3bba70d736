"""Where marker cards lie: the places of all cards, the plane, its scale and the lens, solved at once.

`CardSurvey` takes in a few looks. Looks of a camera that stood still are averaged; those from other sides
each have a pose of their own. Unknown are these poses, two values of the lens, by how much blur makes markers
smaller, and for each card its place and turn on the table; known is the size of a card. The first card of the
survey is where the table's millimetres begin.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import cv2
import numpy as np

from companion.engine.errors import DeviceError
from companion.engine.marker_cards import ENOUGH, CardPlace, card_markers, card_of
from vision.images import Doubles, Image
from vision.pose import Lens, plain_lens, rigid
from vision.search import Corners, check_picture, search_markers

_CARD = {marker: np.array(corners) for marker, corners in card_markers().items()}
"""The corners of every marker in the millimetres of its card."""
_STILL_PX = 1.5
"""Looks whose markers differ by less are of a camera that stood still."""
_FOCAL_PRIOR, _BEND_PRIOR = 0.25, 0.12
"""How far the focal length (as a share) and the bend of a lens may be from an ordinary one: one sigma."""
_SHRINK_PRIOR_PX = 0.5
_NOISE_PX = 0.1
_WORST_PX = 2.5
"""A card whose corners lie off by more is bent, or no card."""
_BAD_MM = 3.0
"""A survey that may be off by more is refused."""


class CardLook(NamedTuple):
    """What came of one picture: whether it counts, the cards in it by number, what to do next."""

    taken: bool
    cards: tuple[int, ...]
    text: str


class CardMap(NamedTuple):
    """The places of the cards in the table's millimetres, and how well they agree."""

    cards: tuple[CardPlace, ...]
    lens: Lens
    """The lens as it was known, or as the cards tell it."""
    error_mm: float
    """The two-sigma error of the distance between two cards."""


class CardSurvey:
    """Collects looks at the cards and works out where they lie."""

    def __init__(self, lens: Lens | None = None) -> None:
        self._lens = lens
        self._size: tuple[int, int] | None = None
        self._views: list[list[Corners]] = []

    def add(self, image: Image) -> CardLook:
        """Takes one picture, or says why not."""
        try:
            image = check_picture(image)
        except DeviceError as error:
            return CardLook(False, (), str(error))
        size = (image.shape[1], image.shape[0])
        if self._size not in (None, size):
            return CardLook(False, (), "This picture has another size than the first: begin again.")
        found = search_markers(image, set(_CARD), enough=2 * ENOUGH)
        cards = tuple(sorted({number for i in found if (number := card_of(i)) is not None}))
        if len(cards) < ENOUGH:
            return CardLook(
                False,
                cards,
                f"{len(cards)} of the marker cards can be made out, at least {ENOUGH} are needed: lay them "
                f"flat around the board, wholly in the picture.",
            )
        self._size = size
        if not (self._views and _apart_px(self._views[-1][-1], found) < _STILL_PX):
            self._views.append([])
        self._views[-1].append(found)
        return CardLook(True, cards, "")

    @property
    def last(self) -> Corners:
        """The markers of the newest view, over all its looks."""
        return _mean(self._views[-1]) if self._views else {}

    @property
    def looks(self) -> int:
        """How many pictures were taken."""
        return sum(map(len, self._views))

    def solve(self) -> CardMap:
        """Works out the places of all cards; raises `DeviceError` where they do not lie flat and still."""
        if self._size is None:
            raise DeviceError(f"No picture shows {ENOUGH} marker cards yet.")
        return solve_cards([_mean(looks) for looks in self._views], *self._size, self._lens)


def _apart_px(a: Corners, b: Corners) -> float:
    both = a.keys() & b.keys()
    return float(np.median([np.abs(a[i] - b[i]).max() for i in both])) if both else np.inf


def _mean(looks: Sequence[Corners]) -> Corners:
    """The middle of every marker's corners over some looks; markers seen in less than half are left out."""
    ids = {i for look in looks for i in look}
    return {
        i: np.median(seen, axis=0)
        for i in ids
        if 2 * len(seen := [look[i] for look in looks if i in look]) >= len(looks)
    }


def cards_at(seen: Corners) -> list[CardPlace]:
    """The cards whose markers are at some corners in mm."""
    own = card_markers()
    places = []
    for number in sorted({card_of(i) or 0 for i in seen}):
        ids = [i for i in seen if card_of(i) == number]
        x, y, angle = rigid(np.concatenate([own[i] for i in ids]), np.concatenate([seen[i] for i in ids]))
        places.append(CardPlace(number, float(x), float(y), float(np.degrees(angle) % 360)))
    return places


# Solving -------------------------------------------------------------------------------------------


def solve_cards(views: Sequence[Corners], width: int, height: int, lens: Lens | None = None) -> CardMap:
    """The places of the cards from the corners of their markers in one or more views."""
    known = None if lens is None else lens.fit(width, height)
    views = [dict(view) for view in views]
    for _ in range(4):
        problem = _Problem(views, known or plain_lens(width, height), is_known=known is not None)
        off = problem.solve()
        worst = max(off, key=lambda one: off[one], default=None)
        if worst is None or off[worst] <= _WORST_PX:
            break
        # A false find, or a card that is not flat: which of its two markers is wrong cannot be told.
        view, marker = views[worst[0]], worst[1]
        views[worst[0]] = {i: px for i, px in view.items() if card_of(i) != card_of(marker)}
        if len({card_of(i) for i in views[worst[0]]}) < ENOUGH:
            raise DeviceError("The marker cards do not agree: press them flat, keep camera and table still.")
    else:
        raise DeviceError("The marker cards do not agree: press them flat, keep camera and table still.")
    error = problem.error_mm()
    if not error < _BAD_MM:
        raise DeviceError(
            "The marker cards are seen too small or too much in one line: lay them around the whole board."
        )
    return CardMap(tuple(problem.places()), problem.lens(), error)


class _Problem:
    """All unknown values in one vector: lens, shrinking, cards but the first, and the pose of each view."""

    def __init__(self, views: Sequence[Corners], lens: Lens, *, is_known: bool) -> None:
        self._lens, self._is_known = lens, is_known
        self._views = views
        self._numbers = sorted({number for view in views for i in view if (number := card_of(i)) is not None})
        self._at = {number: k for k, number in enumerate(self._numbers)}
        self._pieces = [
            (
                np.concatenate([_CARD[i] for i in view]),
                np.repeat([self._at[card_of(i) or 0] for i in view], 4),
                np.concatenate([view[i] for i in view]),
            )
            for view in views
        ]
        """Of every view: corners in mm of the card, the card of each, pixels."""
        self._cards = np.zeros((len(self._numbers), 3))
        self._poses = self._start()
        self._own = np.zeros(3)
        """The lens' focal length (logarithm against the ordinary), its bend, and the shrinking in pixels."""

    # Beginning: each card by itself, then all on one plane

    def _start(self) -> Doubles:
        matrix, bend = self._lens.matrix(), np.array(self._lens.distortion)
        placed: set[int] = set()
        poses = []
        for view in self._views:
            mm = {i: self._on_table(i) for i in view if self._at[card_of(i) or 0] in placed}
            if len(mm) >= 4:
                turn, shift = _pose(
                    np.concatenate([*mm.values()]), np.concatenate([view[i] for i in mm]), matrix, bend
                )
            else:
                turn, shift = self._plane_of(view, matrix, bend)
            poses.append(np.concatenate([turn, shift]))
            rotation, _ = cv2.Rodrigues(turn)
            plane = matrix @ np.column_stack([rotation[:, 0], rotation[:, 1], shift])
            back = np.asarray(np.linalg.inv(plane), np.float64)
            for number in {card_of(i) for i in view}:
                k = self._at[number or 0]
                if k not in placed:
                    ids = [i for i in view if card_of(i) == number]
                    ideal = self._lens.straighten(np.concatenate([view[i] for i in ids]))
                    table = _project(back, ideal)
                    self._cards[k] = rigid(np.concatenate([_CARD[i] for i in ids]), table)
                    placed.add(k)
        # The first card is where the table's millimetres begin.
        x, y, angle = self._cards[0]
        c, s = np.cos(angle), np.sin(angle)
        moved = (self._cards[:, :2] - (x, y)) @ np.array([[c, -s], [s, c]])
        self._cards = np.column_stack([moved, self._cards[:, 2] - angle])
        to_old = np.eye(4)
        to_old[:2, :2], to_old[:2, 3] = [[c, -s], [s, c]], (x, y)
        for pose in poses:
            rotation, _ = cv2.Rodrigues(pose[:3])
            pose[3:] += rotation @ to_old[:3, 3]
            pose[:3] = cv2.Rodrigues(rotation @ to_old[:3, :3])[0].ravel()
        return np.array(poses)

    def _on_table(self, marker: int) -> Doubles:
        x, y, angle = self._cards[self._at[card_of(marker) or 0]]
        c, s = np.cos(angle), np.sin(angle)
        return np.asarray(_CARD[marker] @ np.array([[c, s], [-s, c]]) + (x, y))

    def _plane_of(self, view: Corners, matrix: Doubles, bend: Doubles) -> tuple[Doubles, Doubles]:
        """The table from cards that each tell roughly how far away they are."""
        middles, normals = [], []
        for number in {card_of(i) for i in view}:
            ids = [i for i in view if card_of(i) == number]
            mm, px = np.concatenate([_CARD[i] for i in ids]), np.concatenate([view[i] for i in ids])
            turn, shift = _pose(mm, px, matrix, bend)
            rotation, _ = cv2.Rodrigues(turn)
            middles.append(rotation @ np.append(mm.mean(axis=0), 0) + shift)
            normals.append(rotation[:, 2])
        points = np.array(middles)
        centre = points.mean(axis=0)
        _, spread, axes = np.linalg.svd(points - centre)
        normal = axes[2] if spread[1] > 0.2 * spread[0] else np.mean(normals, axis=0)
        normal = normal / np.linalg.norm(normal) * np.sign(normal @ np.mean(normals, axis=0) or 1.0)
        across = np.cross(normal, [0, 1.0, 0])
        across = -across if across[0] < 0 else across
        across /= np.linalg.norm(across)
        rotation = np.column_stack([across, np.cross(normal, across), normal])
        return np.asarray(cv2.Rodrigues(rotation)[0], np.float64).ravel(), np.asarray(centre)

    # Refining

    def _values(self) -> Doubles:
        own = self._own[2:] if self._is_known else self._own
        return np.concatenate([own, self._cards[1:].ravel(), self._poses.ravel()])

    def _take(self, values: Doubles) -> None:
        n = 1 if self._is_known else 3
        self._own = np.concatenate([self._own[:2], values[:n]]) if self._is_known else values[:3]
        cards = 3 * (len(self._numbers) - 1)
        self._cards = np.vstack([np.zeros(3), values[n : n + cards].reshape(-1, 3)])
        self._poses = values[n + cards :].reshape(-1, 6)

    def _residuals(self) -> Doubles:
        """Pixels between what is and what should be seen, then how far the values are from ordinary ones."""
        scale, bend, shrink = np.exp(self._own[0]), self._own[1], self._own[2]
        parts = []
        for (mm, card, px), pose in zip(self._pieces, self._poses, strict=True):
            x, y, angle = self._cards[card].T
            c, s = np.cos(angle), np.sin(angle)
            solid = np.column_stack([mm[:, 0] * c - mm[:, 1] * s + x, mm[:, 0] * s + mm[:, 1] * c + y, 0 * x])
            lens = self._lens
            matrix = lens.matrix()
            matrix[0, 0], matrix[1, 1] = lens.fx * scale, lens.fy * scale
            distortion = np.array(lens.distortion)
            distortion[0] += bend
            seen = cv2.projectPoints(solid, pose[:3], pose[3:], matrix, distortion)[0].reshape(-1, 4, 2)
            inward = seen.mean(axis=1, keepdims=True) - seen
            inward /= np.maximum(np.linalg.norm(inward, axis=2, keepdims=True), 1e-9)
            parts.append((seen + shrink * inward - px.reshape(-1, 4, 2)).ravel() / _NOISE_PX)
        prior = np.array([shrink / _SHRINK_PRIOR_PX])
        if not self._is_known:
            prior = np.array([self._own[0] / _FOCAL_PRIOR, bend / _BEND_PRIOR, prior[0]])
        return np.concatenate([*parts, prior])

    def _slope(self, values: Doubles, base: Doubles) -> Doubles:
        columns = []
        for i in range(len(values)):
            step = 1e-5 * max(1.0, abs(float(values[i])))
            moved = values.copy()
            moved[i] += step
            self._take(moved)
            columns.append((self._residuals() - base) / step)
        self._take(values)
        return np.column_stack(columns)

    def solve(self) -> dict[tuple[int, int], float]:
        """Damped Gauss-Newton steps; returns the pixels by which each marker of each view is off."""
        values, damping = self._values(), 1e-3
        base = self._residuals()
        for _ in range(25):
            slope = self._slope(values, base)
            square = slope.T @ slope
            step = np.linalg.solve(square + damping * np.diag(np.diag(square) + 1e-9), slope.T @ base)
            self._take(values - step)
            fresh = self._residuals()
            if fresh @ fresh < base @ base:
                gain = 1 - (fresh @ fresh) / (base @ base)
                values, base, damping = values - step, fresh, damping / 8
                if gain < 1e-6:
                    break
            else:
                self._take(values)
                damping *= 10
                if damping > 1e6:
                    break
        slope = self._slope(values, base)
        noise = max(1.0, float(base @ base) / max(1, len(base) - len(values)))
        self._covariance = np.linalg.pinv(slope.T @ slope) * noise
        off: dict[tuple[int, int], float] = {}
        start = 0
        for k, view in enumerate(self._views):
            for i in view:
                one = base[start : start + 8].reshape(4, 2) * _NOISE_PX
                off[k, i] = float(np.linalg.norm(one, axis=1).mean())
                start += 8
        return off

    def lens(self) -> Lens:
        """The lens that fits best."""
        if self._is_known:
            return self._lens
        scale, bend = float(np.exp(self._own[0])), float(self._own[1])
        lens = self._lens
        return lens._replace(
            fx=lens.fx * scale,
            fy=lens.fy * scale,
            distortion=(lens.distortion[0] + bend, *lens.distortion[1:]),
        )

    def places(self) -> list[CardPlace]:
        """The cards in the table's millimetres."""
        return [
            CardPlace(number, float(x), float(y), float(np.degrees(angle) % 360))
            for number, (x, y, angle) in zip(self._numbers, self._cards, strict=True)
        ]

    def error_mm(self) -> float:
        """The two-sigma error of the distance between two cards, of those that are known worst."""
        n = 1 if self._is_known else 3
        free = 3 * (len(self._numbers) - 1)
        spread = np.zeros((free + 3, free + 3))
        spread[3:, 3:] = self._covariance[n : n + free, n : n + free]
        worst = 0.0
        for a, b in combinations(range(len(self._numbers)), 2):
            way = self._cards[b, :2] - self._cards[a, :2]
            way = way / max(float(np.linalg.norm(way)), 1e-9)
            slope = np.zeros(free + 3)
            slope[3 * a : 3 * a + 2], slope[3 * b : 3 * b + 2] = -way, way
            worst = max(worst, float(slope @ spread @ slope))
        return 2 * float(worst**0.5)


def _pose(mm: Doubles, px: Doubles, matrix: Doubles, bend: Doubles) -> tuple[Doubles, Doubles]:
    solid = np.column_stack([mm, np.zeros(len(mm))])
    _, turn, shift = cv2.solvePnP(solid, px, matrix, bend, flags=cv2.SOLVEPNP_IPPE)
    return np.ravel(turn).astype(np.float64), np.ravel(shift).astype(np.float64)


def _project(plane: Doubles, points: Doubles) -> Doubles:
    mapped = points @ plane[:, :2].T + plane[:, 2]
    return np.asarray(mapped[:, :2] / mapped[:, 2:], np.float64)
