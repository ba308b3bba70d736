"""Waits until the table is still and no hand is in view.

Each frame is compared, small and evened out, with the one before (does anything move?) and with the table as
it was last read (does something reach in from outside?). Flickering lamps and candles are no motion.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from vision.find import Sight
from vision.images import Floats, Image
from vision.pose import Pose
from vision.rectify import largest

STILL_S, LONG_S = 0.5, 1.6
"""How long a table must rest before it is read: usually, and while the rules say that the move may go on."""
LEFT_S = 8.0
"""Something that lies still for this long is no hand: it was left there."""
_WIDTH = 192
_CHANGED, _NOISE = 0.12, 8.0
"""The change of a spot that is more than noise: at least this, and this multiple of the median change."""
_MOVING = 0.001
"""The share of the board that must change between two frames to count as motion."""
_HAND = 0.006
"""The share of the board and its rim that something reaching in from outside covers at least."""


class Calm(NamedTuple):
    """How quiet the table is."""

    still_s: float
    """For how long nothing has moved."""
    hand: bool
    """Whether something reaches over the board from outside."""

    def is_settled(self, could_go_on: bool = False) -> bool:
        """Whether the table may be read; `could_go_on` is the rules' word that the move may not be over."""
        return not self.hand and self.still_s >= (LONG_S if could_go_on else STILL_S)


class Settle:
    """Follows the motion on one board."""

    def __init__(self) -> None:
        self._before: _Small | None = None
        self._rest: _Small | None = None
        self._rest_hidden: frozenset[int] = frozenset()
        self._since_s = 0.0
        self._pose: Pose | None = None
        self._area: Image = np.zeros((1, 1), np.uint8)
        self._field: Image = np.zeros((1, 1), np.uint8)
        self._edge: Image = np.zeros((1, 1), np.uint8)
        self._hidden: frozenset[int] = frozenset()

    def look(self, image: Image, sight: Sight, time_s: float) -> Calm:
        """Takes in one frame."""
        small = _small(image)
        if sight.pose is not self._pose:
            self._forget(sight.pose, small.levels.shape, time_s)
        self._hidden = frozenset(sight.hidden)
        if self._before is None or self._is_moving(small):
            self._since_s = time_s
        self._before = small
        still_s = time_s - self._since_s
        hand = self._has_hand(small)
        if hand and still_s >= LEFT_S:
            self.accept()
            hand = False
        return Calm(still_s, hand)

    def accept(self) -> None:
        """Takes the table as it is for the state of rest that later frames are compared with."""
        self._rest = self._before
        self._rest_hidden = self._hidden

    def _forget(self, pose: Pose, shape: tuple[int, ...], time_s: float) -> None:
        """A new pose means that the camera moved: earlier frames cannot be compared any more."""
        self._pose = pose
        self._before = self._rest = None
        self._rest_hidden = frozenset()
        self._since_s = time_s
        self._area, self._field, self._edge = _areas(pose, shape)

    def _is_moving(self, small: _Small) -> bool:
        assert self._before is not None
        changed = _changed(small.evened, self._before.evened) & self._field
        return int(np.count_nonzero(changed)) > _MOVING * int(np.count_nonzero(self._field))

    def _has_hand(self, small: _Small) -> bool:
        if self._hidden - self._rest_hidden:
            return True
        if self._rest is None:
            return False
        changed = _changed(small.evened, self._rest.evened) & self._area
        large = _HAND * int(np.count_nonzero(self._area))
        if np.count_nonzero(changed) <= large:
            return False
        # A bright card by the edge changes the local contrast around it, not the light.
        changed &= _lit_otherwise(small, self._rest)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(changed, connectivity=8)
        at_edge = set(np.unique(labels[self._edge > 0])) - {0}
        return any(i in at_edge and stats[i, cv2.CC_STAT_AREA] > large for i in range(1, count))


class _Small(NamedTuple):
    """A small picture, and the same with only local contrast left, so that changing light hardly shows."""

    levels: Floats
    evened: Floats


def _small(image: Image) -> _Small:
    step = max(1, image.shape[1] // _WIDTH)
    height, width = image.shape[0] // step, image.shape[1] // step
    # A whole step is averaged much faster than a fraction.
    whole = image[: height * step, : width * step]
    levels = cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32)
    return _Small(levels, np.asarray(levels / (cv2.blur(levels, (25, 25)) + 20), np.float32))


def _lit_otherwise(a: _Small, b: _Small) -> Image:
    """The spots that are lighter or darker, the whole picture's change of light left out."""
    ratio = (a.levels + 20) / (b.levels + 20)
    ratio = np.abs(ratio / np.median(ratio) - 1)
    return np.asarray(largest(ratio) > _CHANGED, np.uint8)


def _changed(a: Floats, b: Floats) -> Image:
    """The spots that differ by more than noise, single ones left out."""
    away = largest(np.asarray(cv2.blur(cv2.absdiff(a, b), (3, 3)), np.float32))
    return np.asarray(away > max(_CHANGED, _NOISE * float(np.median(away))), np.uint8)


def _areas(pose: Pose, shape: tuple[int, ...]) -> tuple[Image, Image, Image]:
    """Masks of the small picture: the board with its printed rim, the same without the markers, its edge.

    The markers are left out of motion: their hard contrast answers to the least change of focus.
    """
    board = pose.board
    printed = [(0.0, 0.0), (board.width, board.height), *(c for m in board.markers for c in m.corners())]
    (left, top), (right, bottom) = np.min(printed, axis=0), np.max(printed, axis=0)
    small = shape[1] / pose.width

    def filled(corners: list[tuple[float, float]]) -> Image:
        mask = np.zeros(shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(pose.pixels(corners) * small).astype(np.int32), 1)
        return mask

    area = filled([(left, top), (right, top), (right, bottom), (left, bottom)])
    field = area.copy()
    for marker in board.markers:
        x, y = marker.middle()
        grown = [(x + 1.5 * (a - x), y + 1.5 * (b - y)) for a, b in marker.corners()]
        field[filled(grown) > 0] = 0
    inner = cv2.erode(area, np.ones((5, 5), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return area, field, np.asarray(area - inner, np.uint8)
