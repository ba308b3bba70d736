"""Measures a lens with the printed frame itself: a few photographs from different sides are enough.

>>> from vision.pose import Lens
>>> lens = Lens(1280, 720, 1100.0, 1100.0, 639.5, 359.5, (-0.1, 0.0, 0.0, 0.0, 0.0))
>>> read_lens(write_lens(lens)) == lens
True
"""

from __future__ import annotations

import json
from typing import NamedTuple

import cv2
import numpy as np

from companion.engine.errors import ConfigError, DeviceError
from companion.engine.layout import Board
from vision.find import find
from vision.images import Doubles, Image
from vision.pose import Lens, Pose

MIN_VIEWS = 6
"""How many different views are asked for."""
_APART = 0.03
"""Views are different when the board's corners moved by this share of the picture's width."""
_TILTED = 0.1
"""A view is slanted when opposite edges of the board differ by this share of their length."""
_GOOD_PX = 1.0
"""A calibration with a larger mean error is refused."""


class Advice(NamedTuple):
    """What came of one photograph, and what to do next."""

    taken: bool
    text: str
    views: int


class Calibration:
    """Collects views of the board and works out the lens."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._size: tuple[int, int] | None = None
        self._views: list[tuple[Doubles, Doubles]] = []
        self._rims: list[Doubles] = []
        self._slanted = 0

    def add(self, image: Image) -> Advice:
        """Takes one photograph, or says why not."""
        try:
            pose = find(image, self.board, partial=True)
        except DeviceError as error:
            return self._advice(False, str(error))
        size = (pose.width, pose.height)
        if self._size not in (None, size):
            return self._advice(
                False, f"This picture has {size[0]}×{size[1]} pixels, the first had another size."
            )
        if sum(marker.id in pose.markers for marker in self.board.markers) < 5:  # marker cards are no frame
            return self._advice(False, "Fewer than five markers are in view: show more of the frame.")
        rim = self._rim(pose)
        if any(np.abs(rim - other).max() < _APART * pose.width for other in self._rims):
            return self._advice(False, "This view is like one before: tilt or move the camera or the frame.")
        self._size = size
        self._rims.append(rim)
        self._slanted += _slant(rim) > _TILTED
        self._views.append(self._points(image, pose))
        return self._advice(True, self._next())

    @property
    def is_ready(self) -> bool:
        """Whether the views are enough."""
        return len(self._views) >= MIN_VIEWS and self._slanted >= 3

    def solve(self) -> tuple[Lens, float]:
        """Works out the lens and its mean error in pixels; raises `DeviceError` when the views are bad."""
        if not self.is_ready or self._size is None:
            raise DeviceError(self._next())
        flat = [np.column_stack([mm, np.zeros(len(mm))]).astype(np.float32) for mm, _ in self._views]
        seen = [px.astype(np.float32).reshape(-1, 1, 2) for _, px in self._views]
        focal = float(max(self._size))
        guess = np.array([[focal, 0, self._size[0] / 2], [0, focal, self._size[1] / 2], [0, 0, 1.0]])
        flags = (
            cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_ZERO_TANGENT_DIST
        ) | cv2.CALIB_FIX_K3
        error, matrix, bend, _, _ = cv2.calibrateCamera(
            flat, seen, self._size, guess, np.zeros(5), flags=flags
        )
        fx, fy, cx, cy = (float(matrix[i]) for i in ((0, 0), (1, 1), (0, 2), (1, 2)))
        if not error < _GOOD_PX or not 0.3 * focal < fx < 5 * focal:
            raise DeviceError(
                f"The views do not agree (error {error:.1f} pixels): is the printed frame flat and whole, "
                f"and is the camera's focus fixed? Begin again."
            )
        lens = Lens(*self._size, fx, fy, cx, cy, tuple(float(k) for k in np.ravel(bend)[:5]))
        return lens, float(error)

    def _rim(self, pose: Pose) -> Doubles:
        w, h = self.board.width, self.board.height
        return pose.pixels([(0, 0), (w, 0), (w, h), (0, h)])

    def _points(self, image: Image, pose: Pose) -> tuple[Doubles, Doubles]:
        """The corners of the markers in millimetres and, exactly, in pixels."""
        mm = np.concatenate([np.array(m.corners()) for m in self.board.markers if m.id in pose.markers])
        gray = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        near = pose.pixels(mm).astype(np.float32).reshape(-1, 1, 2)
        window = max(2, round(2.5 * pose.scale()))
        stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 40, 0.01)
        exact = cv2.cornerSubPix(gray, near, (window, window), (-1, -1), stop)
        return mm, np.asarray(exact, np.float64).reshape(-1, 2)

    def _next(self) -> str:
        if self.is_ready:
            return "Enough views: the lens can be worked out."
        if self._slanted < 3 and len(self._views) >= 2:
            return "Good. Now look at the frame from a slant, from another side each time."
        return f"Good. {max(MIN_VIEWS - len(self._views), 1)} more, each from another side."

    def _advice(self, taken: bool, text: str) -> Advice:
        return Advice(taken, text, len(self._views))


def _slant(rim: Doubles) -> float:
    """By how much opposite edges of the board differ in length."""
    sides = np.linalg.norm(np.roll(rim, -1, axis=0) - rim, axis=1)
    return float(
        max(
            abs(sides[0] - sides[2]) / max(sides[0], sides[2]),
            abs(sides[1] - sides[3]) / max(sides[1], sides[3]),
        )
    )


def write_lens(lens: Lens) -> str:
    """Writes a lens as the text of a lens file."""
    return json.dumps({"version": 1, **lens._asdict()}, indent=1)


def read_lens(text: str) -> Lens:
    """Reads a lens file; raises `ConfigError` when it is none."""
    try:
        values = json.loads(text)
        if values.pop("version") != 1:
            raise ValueError("another version")
        numbers = {name: float(values[name]) for name in ("fx", "fy", "cx", "cy")}
        distortion = tuple(float(k) for k in values["distortion"])
        return Lens(int(values["width"]), int(values["height"]), **numbers, distortion=distortion)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise ConfigError(f"this is no lens file: {error!r}; measure the lens again") from error
