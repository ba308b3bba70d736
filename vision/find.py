"""Finds the board in a picture by its printed markers, and keeps track of it cheaply.

`find` searches a whole picture once. `Finder` follows a camera: it first asks only whether the markers still
look as they did, then searches small regions around them, and only then the whole picture.
Every failure is a `DeviceError` whose sentence tells the players what to do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np

from companion.engine.errors import DeviceError
from companion.engine.layout import MARKER_GAP, MARKERS, Board, marker_size
from companion.engine.marker_cards import APART_MM, CARD_MARKER_MM, ENOUGH, CardPlace, card_markers, card_of
from companion.engine.parts import seated
from companion.games import frames
from vision.card_survey import cards_at
from vision.images import Doubles, Image
from vision.parts import lay_bare, lay_bare_again, lay_by_cards
from vision.pose import Lens, Pose, fit_pose, marker_stretch, pose_from_corners
from vision.search import (
    LONG_SIDE,
    QUICK,
    Corners,
    check_picture,
    detect,
    evened,
    gray_of,
    scaled,
    search_markers,
    search_region,
)

__all__ = [
    "Corners",
    "Finder",
    "Lens",
    "Pose",
    "Sight",
    "check_picture",
    "doubts",
    "find",
    "pose_from_corners",
    "search_markers",
]

WORST_MM = 4.0
"""A pose whose worst place may be off by more is no pose: ask for more markers."""
_WRONG_SHAPE, _WRONG_SIZE = 0.045, 0.1
"""A frame is another board's if its markers are not square, or not as large, by these shares.

Blur makes all markers a little smaller, but as much in width as in height.
"""
_WRONG_CARD = 0.25
"""Two markers that are elsewhere to each other than on their card, by this share of one, are no card."""
STRAY_MM = 3.0
"""A card that lies further from its place than this was moved."""
_SETTLED = 8
"""The looks after which a card that was moved and stays counts as lying there."""
_TOO_MANY = 10_000_000
"""Pixels that a picture need not have."""


def find(image: Image, board: Board, lens: Lens | None = None, *, partial: bool = False) -> Pose:
    """Searches the whole picture; raises `DeviceError` when the board is not there, or not all of it.

    `partial` also accepts a board of which some places lie beyond the edge: `Pose.outside` lists them.
    """
    image = check_picture(image)
    height, width = image.shape[:2]
    if board.parts:
        board, found = _find_parts(image, board, lens)
    elif board.is_loose and (board.is_bare or not _is_among_cards(board)):
        board, found = _find_bare(image, board, lens)
    else:
        found = _search(image, board)
    _demand_right_size(board, found)
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
    _demand_right_size(board, found)
    if pose is None or pose.error_mm > WORST_MM:
        raise DeviceError(_why_not_found(image, board, found if pose is None else pose.markers))
    if board.is_bare and not partial:
        raise DeviceError(
            "These cards lie on a bare table: only a game that goes on knows which place is where. Read the "
            "cards by themselves with --loose."
        )
    if not partial:
        _demand_whole(pose)
    return pose


def _find_parts(image: Image, board: Board, lens: Lens | None) -> tuple[Board, Corners]:
    """Boards that lie by themselves as they lie now, or side by side in their frame; and what was found."""
    framed, loose = board.framed or board, seated(board)
    frame, cards = _frame_and_cards(image, framed, lambda seen: _has_every_part(loose, seen))
    if len(frame) >= len(cards):
        return framed, frame
    height, width = image.shape[:2]
    pose = fit_pose(loose, cards, width, height, lens)
    ours = {m.id for m in loose.markers}.intersection(cards)
    lies_so = pose is not None and pose.error_mm <= WORST_MM and set(pose.markers) == ours
    if not (lies_so and _has_every_part(loose, ours)):
        loose = lay_by_cards(loose, cards, width, height, lens)
    return loose, cards


def _find_bare(image: Image, board: Board, lens: Lens | None) -> tuple[Board, Corners]:
    """Cards on a bare table among marker cards, or within their frame; and what was found."""
    framed = board.framed or board
    frame, cards = _frame_and_cards(image, framed, lambda seen: len(seen) >= 2 * ENOUGH)
    if len(frame) >= len(cards) or len(cards) < 2 * ENOUGH:
        return framed, frame
    height, width = image.shape[:2]
    pose = fit_pose(board, cards, width, height, lens) if board.is_bare else None
    if pose is None or set(pose.markers) != cards.keys():
        lay = lay_bare_again if board.is_bare else lay_bare
        board = lay(board, cards, width, height, lens)
    return board, cards


def _frame_and_cards(
    image: Image, framed: Board, is_enough: Callable[[Collection[int]], bool]
) -> tuple[Corners, Corners]:
    """The markers of a frame and those of cards, looked for patiently unless one of both is enough."""
    ids = {marker.id for marker in framed.markers}
    frame, cards = Corners(), Corners()
    for enough in (1, len(ids) + len(card_markers())):
        found = search_markers(image, ids | set(card_markers()), enough)
        frame, cards = {i: px for i, px in found.items() if i in ids}, _whole_cards(found)
        if len(frame) > len(cards):
            return _search(image, framed), cards
        if is_enough(cards):
            break
    return frame, cards


def _whole_cards(found: Corners) -> Corners:
    """The markers of cards of which both are seen, beside each other as they are printed."""
    whole: Corners = {}
    for i, left in found.items():
        right = found.get(i + 1)
        if card_of(i) is None or card_of(i) != card_of(i + 1) or right is None:
            continue
        across = (left[1] - left[0] + left[2] - left[3] + right[1] - right[0] + right[2] - right[3]) / 4
        apart = right.mean(axis=0) - left.mean(axis=0)
        if np.linalg.norm(apart - across * APART_MM / CARD_MARKER_MM) < _WRONG_CARD * np.linalg.norm(across):
            whole |= {i: left, i + 1: right}
    return whole


def _is_among_cards(board: Board) -> bool:
    """Whether it was measured among marker cards."""
    return any(card_of(marker.id) is not None for marker in board.markers)


def _has_every_part(board: Board, markers: Collection[int]) -> bool:
    """Whether each part has a card among these markers."""
    cards = {card_of(i) for i in markers}
    return all(cards.intersection(part.cards) for part in board.parts if part.cards)


class Sight(NamedTuple):
    """Where the board is in one frame."""

    pose: Pose
    hidden: tuple[int, ...]
    """Markers that should be in view and are not: something lies or reaches over them."""
    moved_mm: float
    """How far the picture shifted since the frame before; 0 while the camera stands still."""
    strayed: tuple[int, ...] = ()
    """Markers that lie elsewhere than where they were when their places were taken: their card was moved."""


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
        self._covered: frozenset[int] = frozenset()
        """The markers that the last search did not find."""
        self._strays: dict[int, list[CardPlace]] = {}
        """Cards that were moved, by number, with where they were seen since."""

    def set_corners(self, corners_px: object, width: int, height: int) -> Pose:
        """Takes the board's corners from people; they hold until `forget`, whatever the markers say."""
        self.board = self.board.framed or self.board
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
        if pose.board is not self.board:
            return self._find(image, pose)
        if self._manual:
            return Sight(pose, (), 0.0)
        shifts = {patch.marker: patch.compare(image) for patch in self._patches}
        visible = {marker: shift for marker, shift in shifts.items() if shift is not None}
        self._quiet += 1
        if len(visible) >= 3 and self._quiet < self._AGAIN and not self._is_doubtful(shifts):
            away = np.median([np.hypot(*shift) for shift in visible.values()])
            if away <= 1.0:
                return Sight(pose, tuple(sorted(shifts.keys() - visible.keys())), 0.0)
        return self._heal(image, pose, visible)

    @property
    def _has_cards(self) -> bool:
        return _is_among_cards(self.board)

    def _is_doubtful(self, shifts: Mapping[int, tuple[float, float] | None]) -> bool:
        """Whether a card may have been moved: it newly cannot be seen, or shifted otherwise than the rest."""
        if not self._has_cards:
            return False
        visible = np.array([shift for shift in shifts.values() if shift is not None])
        apart = np.abs(visible - np.median(visible, axis=0)).max()
        hidden = {marker for marker, shift in shifts.items() if shift is None}
        return bool(self._strays) or bool(hidden - self._covered) or float(apart) > 2

    def _heal(self, image: Image, pose: Pose, shifts: Mapping[int, tuple[float, float]]) -> Sight:
        """Searches around the markers' places; the whole picture when that is not enough."""
        shift = np.median(list(shifts.values()), axis=0) if shifts else np.zeros(2)
        found = _search_regions(image, pose, shift, (m.id for m in self.board.markers))
        missing = frozenset(m.id for m in self.board.markers if m.id not in found)
        if self._has_cards and missing - self._covered:
            found |= search_markers(image, set(missing), enough=0)  # a card may have been moved far away
        self._covered = missing
        fresh = fit_pose(self.board, found, pose.width, pose.height, self.lens)
        if fresh is None or len(fresh.markers) < 3 or fresh.error_mm > WORST_MM:
            return self._find(image, pose)
        moved = fresh.moved_mm(pose)
        strayed = self._follow_strays(fresh, found)
        found = {i: found[i] for i in fresh.markers}
        hidden = tuple(i for i in _hidden(fresh) if i not in strayed)
        if self._is_steady(found):
            self._average(found)
            better = fit_pose(self.board, self._corners, pose.width, pose.height, self.lens)
            gained = better is not None and (
                len(better.markers) > len(pose.markers) or better.moved_mm(pose) > 0.2
            )
            self._keep(image, better if gained and better is not None else pose, fresh.markers)
            return Sight(self._pose or pose, hidden, 0.0, strayed)
        self._corners, self._seen = found, dict.fromkeys(found, 1)
        self._keep(image, fresh, fresh.markers)
        return Sight(fresh, hidden, moved, strayed)

    def _follow_strays(self, pose: Pose, found: Corners) -> tuple[int, ...]:
        """The markers that lie elsewhere than they should; where a card stays there, that is its place."""
        expected = {m.id: np.array(m.corners()) for m in self.board.markers}
        seen = {i: pose.millimetres(px) for i, px in found.items() if i not in pose.markers}
        strayed = tuple(
            sorted(
                i
                for i, mm in seen.items()
                if np.linalg.norm((mm - expected[i]).mean(axis=0)) > STRAY_MM and card_of(i) is not None
            )
        )
        lying = {card.number: card for card in cards_at({i: seen[i] for i in strayed})}
        self._strays = {number: [*self._strays.get(number, []), card] for number, card in lying.items()}
        others = {card_of(i) for i in pose.markers}
        for looks in list(self._strays.values()):
            if len(looks) >= _SETTLED and len(others) >= ENOUGH and _is_steady_card(looks[-_SETTLED:]):
                self._settle_down(looks[-1], pose, found)
        return strayed

    def _settle_down(self, card: CardPlace, pose: Pose, found: Corners) -> None:
        """Takes the place where a card lies now for its own; a board that lies at its cards comes along."""
        if self.board.parts:
            with suppress(DeviceError):  # the card alone was pushed: its board stays where it was
                self.board = lay_by_cards(self.board, found, pose.width, pose.height, self.lens)
                self._strays = {}
                return
        fresh = {marker.id: marker for marker in card.markers()}
        self.board = replace(self.board, markers=tuple(fresh.get(m.id, m) for m in self.board.markers))
        self._strays = {}

    def _find(self, image: Image, before: Pose | None) -> Sight:
        pose = find(image, self.board, self.lens, partial=True)
        self.board = pose.board
        px = {m.id: pose.pixels(m.corners()) for m in self.board.markers if m.id in pose.markers}
        self._corners, self._seen = px, dict.fromkeys(px, 1)
        self._keep(image, pose, pose.markers)
        same = before is not None and (before.width, before.height) == (pose.width, pose.height)
        moved = pose.moved_mm(before) if same and before is not None else 0.0
        missing = {m.id for m in self.board.markers if m.id not in pose.markers}
        strayed: tuple[int, ...] = ()
        if self._has_cards and missing:
            strayed = self._follow_strays(pose, search_markers(image, missing, enough=0))
        self._covered = frozenset(missing.difference(strayed))
        return Sight(pose, tuple(i for i in _hidden(pose) if i not in strayed), moved, strayed)

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


def _is_steady_card(looks: list[CardPlace]) -> bool:
    """Whether a card was seen at one place again and again."""
    return float(np.ptp([(card.x, card.y) for card in looks], axis=0).max()) < STRAY_MM / 2


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
    return gray_of(scaled(image, 1 / step))


# Searching ----------------------------------------------------------------------------------------


def _search(image: Image, board: Board) -> Corners:
    """Looks for the board's markers in the whole picture."""
    ours = {m.id for m in board.markers}
    return search_markers(image, ours, min(5, len(ours)))


def _search_regions(image: Image, pose: Pose, shift: Doubles, markers: Iterable[int]) -> Corners:
    """Detects markers in small regions around where the pose expects them."""
    squares = {m.id: m.corners() for m in pose.board.markers}
    found: Corners = {}
    for marker in markers:
        expected = pose.pixels(squares[marker]) + shift
        seen = search_region(image, expected, marker)
        if seen is not None:
            found[marker] = seen
    return found


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


def doubts(image: Image, pose: Pose | None, strayed: Iterable[int] = ()) -> list[str]:
    """What people should do otherwise although the picture can be read: a sentence each."""
    height, width = image.shape[:2]
    found = moved_words(strayed)
    if pose is not None and pose.turn() == 180:
        found.append("The board is upside down in the picture: turn the camera or the picture around.")
    if width * height >= _TOO_MANY:
        found.append(
            f"The picture is larger than is of use ({width} × {height} pixels) and slow to read: "
            f"take it at 1920 × 1080, for instance."
        )
    return found


def moved_words(strayed: Iterable[int]) -> list[str]:
    """The sentence about cards that were moved, where any were."""
    cards = sorted({card for i in strayed if (card := card_of(i)) is not None})
    if not cards:
        return []
    which = f"card {cards[0]} was" if len(cards) == 1 else f"cards {', '.join(map(str, cards))} were"
    return [f"The marker {which} moved: lay it back, or leave it, and its new place is noted in a moment."]


def _why_not_found(image: Image, board: Board, found: Collection[int]) -> str:
    """The sentence for a picture without a usable board: what was seen, and what to do."""
    other = _other_frame(image, board)
    if other is not None:
        return (
            f"This is the frame of {other}, but the game needs the frame of {board.name}: "
            f"lay the right frame on the table or choose the other game."
        )
    total = len(board.markers)
    if _is_among_cards(board):
        seen = sorted({card for i in found if (card := card_of(i)) is not None})
        known = len({card_of(m.id) for m in board.markers})
        return (
            f"Only {len(seen)} of the {known} marker cards around {board.name} can be made out where they "
            f"should be, too few to be sure: take hands and pieces off them. If they were moved, measure "
            f"them again in the workshop."
        )
    if len(found) >= 1:
        return (
            f"Only {len(found)} of the {total} markers of {board.name} can be made out, too few to be sure: "
            f"take hands and pieces off the frame, or move the camera until the whole frame is in view."
        )
    if _search(np.ascontiguousarray(image[:, ::-1]), board):
        return "The picture is mirrored: switch off mirroring in the camera's settings."
    if board.parts:
        return (
            f"No board in the picture: lay each player's board with its two marker cards at its edges, cards "
            f"1 and 2 at the first one's, or the frame of {board.name} around all of them."
        )
    return (
        f"No board in the picture: none of the {total} printed markers of {board.name} was found. "
        f"Point the camera at the whole frame, give it more light, or mark the corners by hand."
    )


def _other_frame(image: Image, board: Board) -> str | None:
    """The printed frame in the picture when it is another game's: at least three of its markers agree."""
    scale = min(1.0, LONG_SIDE / max(image.shape[:2]))
    ours = {m.id for m in board.markers}
    names = frames()
    wanted = {i for number in names for i in range(MARKERS * number, MARKERS * (number + 1))} - ours
    seen = Counter(i // MARKERS for i in detect(QUICK, evened(scaled(image, scale)), wanted))
    return next((names[number] for number, n in seen.most_common(1) if n >= 3), None)


def _demand_right_size(board: Board, found: Corners) -> None:
    """Raises `DeviceError` when the frame is this board's by its numbers, but of another size."""
    is_frame = all(card_of(m.id) is None for m in board.markers)
    stretch = marker_stretch(board, found) if is_frame else None
    if stretch is None:
        return
    across, along = stretch
    if abs(across / along - 1) < _WRONG_SHAPE and abs((across * along) ** 0.5 - 1) < _WRONG_SIZE:
        return
    wide, high = _size_of_frame(board, across, along)
    raise DeviceError(
        f"The frame on the table is that of a board of about {wide:.0f} × {high:.0f} mm, but this game needs "
        f"{board.width:.0f} × {board.height:.0f} mm: lay the frame for this number of players, or choose the "
        f"number of players that the frame is for."
    )


def _size_of_frame(board: Board, across: float, along: float) -> tuple[float, float]:
    """The size of the board that a frame is for, by how its markers look against those of another board."""
    expected = marker_size(board.width, board.height)
    spans = [(side + 2 * MARKER_GAP + expected) / expected for side in (board.width, board.height)]
    wide, high = board.width, board.height
    for _ in range(5):  # markers grow with the board that they are around
        size = marker_size(wide, high)
        wide, high = (
            span / ratio * size - size - 2 * MARKER_GAP
            for span, ratio in zip(spans, (across, along), strict=True)
        )
    return wide, high


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
