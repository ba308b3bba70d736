"""Finds the board in a picture by its printed markers, and keeps track of it cheaply.

`find` searches a whole picture once. `Finder` follows a camera: it first asks only whether the markers still
look as they did, then searches small regions around them, and only then the whole picture.
Every failure is a `DeviceError` whose sentence tells the players what to do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

import cv2
import numpy as np

from companion.engine.errors import DeviceError
from companion.engine.layout import MARKERS, Board
from companion.games import frames
from vision.images import Doubles, Image
from vision.marker import DICTIONARY, recognise, sharpen, sharpen_all
from vision.pose import Lens, Pose, fit_pose, pose_from_corners

__all__ = ["Finder", "Lens", "Pose", "Sight", "check_picture", "doubts", "find", "pose_from_corners"]

Corners = dict[int, Doubles]
"""Marker numbers with their four corners in pixels, clockwise from the marker's upper left."""

WORST_MM = 4.0
"""A pose whose worst place may be off by more is no pose: ask for more markers."""
_LONG_SIDE = 1920
"""Bigger pictures are searched at this size; the corners are then refined in the full one."""
_TOO_MANY = 10_000_000
"""Pixels that a picture need not have."""


def find(image: Image, board: Board, lens: Lens | None = None, *, partial: bool = False) -> Pose:
    """Searches the whole picture; raises `DeviceError` when the board is not there, or not all of it.

    `partial` also accepts a board of which some places lie beyond the edge: `Pose.outside` lists them.
    """
    image = check_picture(image)
    height, width = image.shape[:2]
    found = _search(image, board)
    pose = fit_pose(board, found, width, height, lens)
    for _ in range(4):
        # Each marker that is made out tells better where the next ones must be.
        missing = [m.id for m in board.markers if pose is not None and m.id not in pose.markers]
        if pose is None or not missing:
            break
        more = _search_regions(image, pose, np.zeros(2), missing)
        better = fit_pose(board, {i: found[i] for i in pose.markers} | more, width, height, lens)
        if better is None or len(better.markers) <= len(pose.markers):
            break
        found, pose = found | more, better
    if pose is None or pose.error_mm > WORST_MM:
        raise DeviceError(_why_not_found(image, board, found))
    if not partial:
        _demand_whole(pose)
    return pose


def check_picture(image: object) -> Image:
    """Returns the picture with eight bits per colour; raises `DeviceError` when it is none, or black."""
    if not isinstance(image, np.ndarray) or image.ndim not in (2, 3) or min(image.shape[:2]) < 32:
        raise DeviceError("This is no picture that can be read: take another one.")
    if image.dtype == np.uint16:
        image = (image >> 8).astype(np.uint8)
    if image.dtype != np.uint8:
        raise DeviceError(f"Pictures with {image.dtype} pixels cannot be read: save it as PNG or JPEG.")
    if image.ndim == 3 and image.shape[2] == 4:
        image = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGRA2BGR), np.uint8)
    sample = cv2.resize(image, (45, 45), interpolation=cv2.INTER_AREA)  # means: noise alone is no light
    if np.percentile(sample, 99) < 10:
        raise DeviceError("The picture is black: take the cap off the lens or switch a lamp on.")
    if np.percentile(sample, 1) > 250:
        raise DeviceError("The picture is all white: lower the camera's exposure or turn the lamp away.")
    return image


class Sight(NamedTuple):
    """Where the board is in one frame."""

    pose: Pose
    hidden: tuple[int, ...]
    """Markers that should be in view and are not: something lies or reaches over them."""
    moved_mm: float
    """How far the picture shifted since the frame before; 0 while the camera stands still."""


class Finder:
    """Follows the board of one camera from frame to frame.

    A pose object stays the same while the camera stands still, so that maps computed from it are kept.
    """

    _AGAIN = 30
    """After this many quiet frames all regions are searched again, for uncovered markers and for drift."""

    def __init__(self, board: Board, lens: Lens | None = None) -> None:
        self.board = board
        self.lens = lens
        self._pose: Pose | None = None
        self._manual = False
        self._patches: list[_Patch] = []
        self._corners: Corners = {}
        self._seen: dict[int, int] = {}
        self._quiet = 0

    def set_corners(self, corners_px: object, width: int, height: int) -> Pose:
        """Takes the board's corners from people; they hold until `forget`, whatever the markers say."""
        self._pose = pose_from_corners(self.board, np.asarray(corners_px), width, height, self.lens)
        self._manual = True
        return self._pose

    def forget(self) -> None:
        """Begins again with a search of the whole picture."""
        self._pose = None
        self._manual = False

    def look(self, image: Image) -> Sight:
        """Says where the board is now; raises `DeviceError` when it is not in the picture."""
        pose = self._pose
        if pose is None or image.dtype != np.uint8 or image.shape[2:] not in ((), (3,)):
            image = check_picture(image)
        if pose is None or image.shape[:2] != (pose.height, pose.width):
            return self._find(image, None)
        if self._manual:
            return Sight(pose, (), 0.0)
        shifts = {patch.marker: patch.compare(image) for patch in self._patches}
        visible = {marker: shift for marker, shift in shifts.items() if shift is not None}
        self._quiet += 1
        if len(visible) >= 3 and self._quiet < self._AGAIN:
            away = np.median([np.hypot(*shift) for shift in visible.values()])
            if away <= 1.0:
                return Sight(pose, tuple(sorted(shifts.keys() - visible.keys())), 0.0)
        return self._heal(image, pose, visible)

    def _heal(self, image: Image, pose: Pose, shifts: Mapping[int, tuple[float, float]]) -> Sight:
        """Searches around the markers' places; the whole picture when that is not enough."""
        shift = np.median(list(shifts.values()), axis=0) if shifts else np.zeros(2)
        found = _search_regions(image, pose, shift, (m.id for m in self.board.markers))
        fresh = fit_pose(self.board, found, pose.width, pose.height, self.lens)
        if fresh is None or len(fresh.markers) < 3 or fresh.error_mm > WORST_MM:
            return self._find(image, pose)
        moved = fresh.moved_mm(pose)
        found = {i: found[i] for i in fresh.markers}
        hidden = _hidden(fresh)
        if self._is_steady(found):
            self._average(found)
            better = fit_pose(self.board, self._corners, pose.width, pose.height, self.lens)
            gained = better is not None and (
                len(better.markers) > len(pose.markers) or better.moved_mm(pose) > 0.2
            )
            self._keep(image, better if gained and better is not None else pose, fresh.markers)
            return Sight(self._pose or pose, hidden, 0.0)
        self._corners, self._seen = found, dict.fromkeys(found, 1)
        self._keep(image, fresh, fresh.markers)
        return Sight(fresh, hidden, moved)

    def _find(self, image: Image, before: Pose | None) -> Sight:
        pose = find(image, self.board, self.lens, partial=True)
        px = {m.id: pose.pixels(m.corners()) for m in self.board.markers if m.id in pose.markers}
        self._corners, self._seen = px, dict.fromkeys(px, 1)
        self._keep(image, pose, pose.markers)
        same = before is not None and (before.width, before.height) == (pose.width, pose.height)
        return Sight(pose, _hidden(pose), pose.moved_mm(before) if same and before is not None else 0.0)

    def _keep(self, image: Image, pose: Pose, seen: Collection[int]) -> None:
        """Holds on to a pose and to the looks of its markers; those covered just now keep their old looks."""
        before = {patch.marker: patch for patch in self._patches}
        self._pose = pose
        self._quiet = 0
        cut = {i: _Patch.cut(image, i, pose.pixels(self._square(i))) for i in pose.markers if i in seen}
        kept = {i: before[i] for i in pose.markers if i not in seen and i in before}
        self._patches = [patch for patch in (cut | kept).values() if patch is not None]

    def _square(self, marker: int) -> list[list[float]]:
        return next(m for m in self.board.markers if m.id == marker).corners()

    def _is_steady(self, found: Corners) -> bool:
        """Whether the corners are where they were, but for noise."""
        both = found.keys() & self._corners.keys()
        if len(both) < 2:
            return False
        return float(np.median([np.linalg.norm(found[i] - self._corners[i], axis=1) for i in both])) < 1.0

    def _average(self, found: Corners) -> None:
        """Lets the corners settle over the last few searches."""
        for i, px in found.items():
            n = min(self._seen.get(i, 0), 7)
            self._corners[i] = px if n == 0 else (self._corners[i] * n + px) / (n + 1)
            self._seen[i] = n + 1


_SIDE, _REACH = 24, 4
"""The side of a remembered marker and how far it is searched for, in thinned-out pixels."""


class _Patch(NamedTuple):
    """How a marker looked when the pose was taken: enough to ask whether it still lies there."""

    marker: int
    x: int
    y: int
    step: int
    gray: Image

    @classmethod
    def cut(cls, image: Image, marker: int, corners: Doubles) -> _Patch | None:
        """Remembers a marker, thinned out to about 24×24 pixels; None at the edge of the picture."""
        (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
        step = max(1, int(max(right - left, bottom - top) / _SIDE))
        x, y = int(left), int(top)
        width, height = int(right - left) // step * step, int(bottom - top) // step * step
        reach = _REACH * step
        if min(width, height) < 8 * step or min(x, y) < reach:
            return None
        if x + width + reach > image.shape[1] or y + height + reach > image.shape[0]:
            return None
        gray = _thin(image[y : y + height, x : x + width], step)
        return None if gray.std() < 2 else cls(marker, x, y, step, gray)

    def compare(self, image: Image) -> tuple[float, float] | None:
        """Returns by how many pixels the marker shifted, or None when it cannot be seen there."""
        reach = _REACH * self.step
        height, width = (side * self.step for side in self.gray.shape)
        around = image[self.y - reach : self.y + height + reach, self.x - reach : self.x + width + reach]
        likeness = cv2.matchTemplate(_thin(around, self.step), self.gray, cv2.TM_CCOEFF_NORMED)
        _, best, _, (x, y) = cv2.minMaxLoc(likeness)
        if best < 0.6:
            return None
        return (x - _REACH) * float(self.step), (y - _REACH) * float(self.step)


def _thin(image: Image, step: int) -> Image:
    """A gray picture with every side divided by `step`."""
    return _gray(_scaled(image, 1 / step))


def _gray(image: Image) -> Image:
    return image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def _scaled(image: Image, scale: float) -> Image:
    if scale == 1:
        return image
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=how), np.uint8)


# Searching -----------------------------------------------------------------------------------------


def _parameters(windows: tuple[int, int, int], **more: float) -> cv2.aruco.DetectorParameters:
    """Detection that forgives blur, slant and dim light; the plane fit throws false finds out."""
    p = cv2.aruco.DetectorParameters()
    p.adaptiveThreshWinSizeMin, p.adaptiveThreshWinSizeMax, p.adaptiveThreshWinSizeStep = windows
    p.perspectiveRemovePixelPerCell = 8
    p.perspectiveRemoveIgnoredMarginPerCell = 0.2
    p.polygonalApproxAccuracyRate = 0.06
    p.maxErroneousBitsInBorderRate = 0.5
    p.minMarkerPerimeterRate = 0.02
    for name, value in more.items():
        setattr(p, name, value)
    return p


_FORGIVING = {"adaptiveThreshConstant": 4.0, "errorCorrectionRate": 1.0, "polygonalApproxAccuracyRate": 0.08}
_QUICK = cv2.aruco.ArucoDetector(DICTIONARY, _parameters((19, 19, 10)))
_PATIENT = cv2.aruco.ArucoDetector(DICTIONARY, _parameters((9, 49, 20), **_FORGIVING))
_REGION = cv2.aruco.ArucoDetector(
    DICTIONARY, _parameters((19, 19, 10), minMarkerPerimeterRate=0.3, **_FORGIVING)
)


def _search(image: Image, board: Board) -> Corners:
    """Looks for the board's markers in the whole picture, quickly first, then patiently."""
    ours = {m.id for m in board.markers}
    scale = min(1.0, _LONG_SIDE / max(image.shape[:2]))
    gray = _evened(_scaled(image, scale))
    found = _detect(_QUICK, gray, ours)
    if len(found) < min(5, len(ours)):
        found = _detect(_PATIENT, gray, ours) | found
    if len(found) < min(5, len(ours)) and max(gray.shape) <= _LONG_SIDE * 0.7:
        twice = _detect(_PATIENT, _scaled(gray, 2.0), ours)
        found = {i: (px + 0.5) / 2 - 0.5 for i, px in twice.items()} | found
    if scale < 1:
        found = {i: (px + 0.5) / scale - 0.5 for i, px in found.items()}
        gray = _evened(image)
    if not found:
        return {}
    return dict(zip(found, sharpen_all(gray, np.stack(list(found.values()))), strict=True))


def _detect(detector: cv2.aruco.ArucoDetector, gray: Image, wanted: set[int]) -> Corners:
    corners, ids, _ = detector.detectMarkers(gray)
    if ids is None:
        return {}
    return {
        int(i): np.asarray(px, np.float64).reshape(4, 2)
        for i, px in zip(np.ravel(ids), corners, strict=True)
        if int(i) in wanted
    }


def _evened(image: Image) -> Image:
    """Makes a gray picture that uses the whole range, also in dim or coloured light.

    The colours are added as the light sends them: under a blue lamp luminance alone would see night.
    """
    if image.ndim == 2:
        bright = float(np.percentile(image[::4, ::4], 99.7)) + 1
        return np.asarray(cv2.convertScaleAbs(image, alpha=min(215 / bright, 12)), np.uint8)
    whites = np.percentile(image[::4, ::4].reshape(-1, 3), 99.7, axis=0) + 1
    weights = np.minimum(whites / (whites @ whites) * 215, 4).astype(np.float32)
    return np.asarray(cv2.transform(image, weights.reshape(1, 3)), np.uint8)


def _search_regions(image: Image, pose: Pose, shift: Doubles, markers: Iterable[int]) -> Corners:
    """Detects markers in small regions around where the pose expects them."""
    squares = {m.id: m.corners() for m in pose.board.markers}
    found: Corners = {}
    for marker in markers:
        expected = pose.pixels(squares[marker]) + shift
        seen = _search_region(image, expected, marker)
        if seen is not None:
            found[marker] = seen
    return found


def _search_region(image: Image, expected: Doubles, marker: int) -> Doubles | None:
    """Detects one marker near its expected corners."""
    side = float(np.linalg.norm(np.diff(expected, axis=0), axis=1).max())
    if not 6 <= side <= max(image.shape[:2]):
        return None
    reach = 0.45 * side + 4
    left, top = np.floor(expected.min(axis=0) - reach).astype(int)
    right, bottom = np.ceil(expected.max(axis=0) + reach).astype(int)
    left, top = max(0, left), max(0, top)
    region = image[top : max(top, bottom), left : max(left, right)]
    if min(region.shape[:2]) < side / 2:
        return None
    gray = _evened_region(region)
    inside = expected - (left, top)
    scale = float(np.clip(40 / side, 0.25, 3.0))
    if 0.7 < scale < 1.6:
        scale = 1.0
    gray = _scaled(gray, scale)
    seen = _detect(_REGION, gray, {marker}).get(marker)
    near = (inside + 0.5) * scale - 0.5
    exact = recognise(gray, near, marker) if seen is None else sharpen(gray, seen)
    if exact is None:
        return None
    px = (exact + 0.5) / scale - 0.5 - inside
    return expected + px if np.linalg.norm(px, axis=1).max() < reach + 0.5 * side else None


def _evened_region(region: Image) -> Image:
    """A gray region stretched between its own dark and bright."""
    gray = _evened(region)
    low, high = (float(v) for v in np.percentile(gray[::2, ::2], (2, 98)))
    gain = 230 / max(8.0, high - low)
    levels = np.clip((np.arange(256) - low) * gain, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(gray, levels), np.uint8)


def _hidden(pose: Pose) -> tuple[int, ...]:
    """The markers that lie within the picture but were not found."""
    missing = []
    for m in pose.board.markers:
        px = pose.pixels(m.corners())
        inside = (px > 2).all() and (px[:, 0] < pose.width - 3).all() and (px[:, 1] < pose.height - 3).all()
        if inside and m.id not in pose.markers:
            missing.append(m.id)
    return tuple(missing)


# Saying what is wrong --------------------------------------------------------------------------------


def doubts(image: Image, pose: Pose | None) -> list[str]:
    """What people should do otherwise although the picture can be read: a sentence each."""
    height, width = image.shape[:2]
    found = []
    if pose is not None and pose.turn() == 180:
        found.append("The board is upside down in the picture: turn the camera or the picture around.")
    if width * height >= _TOO_MANY:
        found.append(
            f"The picture is larger than is of use ({width} × {height} pixels) and slow to read: "
            f"take it at 1920 × 1080, for instance."
        )
    return found


def _why_not_found(image: Image, board: Board, found: Corners) -> str:
    """The sentence for a picture without a usable board: what was seen, and what to do."""
    other = _other_frame(image, board)
    if other is not None:
        return (
            f"This is the frame of {other}, but the game needs the frame of {board.name}: "
            f"lay the right frame on the table or choose the other game."
        )
    total = len(board.markers)
    if len(found) >= 1:
        return (
            f"Only {len(found)} of the {total} markers of {board.name} can be made out, too few to be sure: "
            f"take hands and pieces off the frame, or move the camera until the whole frame is in view."
        )
    if _search(np.ascontiguousarray(image[:, ::-1]), board):
        return "The picture is mirrored: switch off mirroring in the camera's settings."
    return (
        f"No board in the picture: none of the {total} printed markers of {board.name} was found. "
        f"Point the camera at the whole frame, give it more light, or mark the corners by hand."
    )


def _other_frame(image: Image, board: Board) -> str | None:
    """The printed frame in the picture when it is another game's: at least three of its markers agree."""
    scale = min(1.0, _LONG_SIDE / max(image.shape[:2]))
    ours = {m.id for m in board.markers}
    names = frames()
    wanted = {i for number in names for i in range(MARKERS * number, MARKERS * (number + 1))} - ours
    seen = Counter(i // MARKERS for i in _detect(_QUICK, _evened(_scaled(image, scale)), wanted))
    return next((names[number] for number, n in seen.most_common(1) if n >= 3), None)


def _demand_whole(pose: Pose) -> None:
    """Raises `DeviceError` when places lie beyond the edge of the picture."""
    outside = pose.outside()
    if not outside:
        return
    places = pose.board.places
    px = pose.pixels([(places[cell].x, places[cell].y) for cell in outside]).mean(axis=0)
    gaps = {
        "left": pose.width / 2 - px[0],
        "right": px[0] - pose.width / 2,
        "top": pose.height / 2 - px[1],
        "bottom": px[1] - pose.height / 2,
    }
    side = max(gaps, key=lambda name: gaps[name])
    names = ", ".join(places[cell].name for cell in outside[:4]) + (", …" if len(outside) > 4 else "")
    raise DeviceError(
        f"Only part of the board is in the picture: {len(outside)} of {len(places)} places lie beyond its "
        f"{side} edge ({names}). Move the camera until the whole frame is in view."
    )
