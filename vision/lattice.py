"""Cards on a bare table: where each place is, by the cards that lie there.

The game says which places have a card now. `Lattice.follow` finds the outlines of these cards on the table,
at first anywhere, from then on near where they lay; every other place is beside its neighbours. So the
lattice begins with the first cards and grows with them: a card may lie askew or a little over its neighbour,
and all of them may be pushed as a whole.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.engine.action import Cell
from companion.engine.layout import Board, Layout, Place
from vision.images import Doubles, Floats, Image
from vision.loose import edge_strength, find_cards
from vision.pose import Pose, place_corners, rigid

PIXELS_PER_MM = 1.0
"""How finely the table is looked at: outlines are then told to about a third of a millimetre."""
NEAR_MM, STEP_MM = 7.0, 0.5
"""How far from where it lay a card is looked for, in which steps."""
ANGLES = np.arange(-5.0, 5.5, 1.0)
FAR_MM, FAR_STEP_MM = 60.0, 3.0
"""How far all cards together may have been pushed between two looks."""
MOST = 4.0
"""An edge counts for no more than this many times the noise of the picture."""
ACROSS = 2
"""Steps on either side of an edge between which the colours are compared."""
MOST_LEVELS = 25.0
"""What is printed near an edge differs by more than this, and says no more."""
CLEAR, CLEAR_LEVELS = 2.0, 1.0
"""Two opposite edges are seen where they differ from the table this many times more than lines beside them,
and by this many levels."""
ONE_SIDED = 0.1
"""How much an edge counts by itself, where the opposite one is covered by a neighbour."""
STRAYS_MM, SLANTED = 3.5, 0.6
"""How far single cards move: one standard deviation; how much less an edge counts at the last angle."""
LOST = 0.5
"""All cards were pushed together when less than this share of them is seen where they lay."""
ALIKE = 12.0
"""Pictures of which no part differs by more levels are of the same table."""
SAME_MM, SAME_DEGREES = 0.5, 0.4
"""Cards that moved by less are where they were."""
SLANT = 20.0
"""Cards that lie askew by more than this against the others are none: their edges are those of others."""
OWN_DEGREES, LAID_MM = 2.0, 2.0
"""How askew a card lies against the lattice, and how far from its place, as one standard deviation."""
MOVED_MM = 1.5
"""A card that is seen so far from where it lay was moved."""
MATCH_MM = 40.0
"""How far from where it should be by the others a card may lie when the table is first looked at."""
MARKER_CARD_MM = 40.0
"""What lies nearer to a marker is its own card, and no card of the game."""
_POINTS = np.linspace(-0.42, 0.42, 20)
"""The spots along an edge, as shares of its length: the corners of cards are round."""


class CardSpot(NamedTuple):
    """Where the middle of a card lies in mm, and its turn in degrees."""

    x: float
    y: float
    turn: float


class Lattice:
    """Follows the cards of one board on a bare table."""

    def __init__(self) -> None:
        self._nominal: tuple[Place, ...] = ()
        self._lying: dict[Cell, CardSpot] = {}
        """Where cards were seen last."""
        self._base: Pose | None = None
        self._shown: Pose | None = None
        self._seen: tuple[Pose, frozenset[Cell], Floats] | None = None
        """The pose, the cards and a small picture of the table that was looked at last."""

    def follow(self, image: Image, pose: Pose, expected: Layout) -> Pose:
        """The pose with the places where their cards lie; the same object while nothing has moved."""
        board = pose.board
        if not self._nominal:
            self._nominal = board.places
        cards = self._cards(board, expected)
        if not cards or self._is_unchanged(image, pose, cards):
            return self._show(pose)
        table = _Table(image, pose)
        known = {cell: spot for cell, spot in self._lying.items() if cell in cards}
        if not known:
            known = self._first(image, pose, table, cards)
        if known:
            found = table.near(self._predicted(cards, known))
            if len(found) < LOST * len(cards):
                shifted = table.shifted(self._predicted(cards, known))
                again = table.near(shifted)
                if len(again) > len(found):
                    known, found = {cell: spot for cell, (spot, _, _) in shifted.items()}, again
            self._lying = {**known, **{cell: _settled(known.get(cell), spot) for cell, spot in found.items()}}
        return self._show(pose)

    def _is_unchanged(self, image: Image, pose: Pose, cards: Collection[Cell]) -> bool:
        """Whether the same cards lie on a table that looks as it did."""
        small = np.asarray(cv2.resize(image, (160, 90), interpolation=cv2.INTER_AREA), np.float32)
        before, self._seen = self._seen, (pose, frozenset(cards), small)
        if before is None or not self._lying or before[:2] != self._seen[:2]:
            return False
        return float(np.abs(before[2] - small).max()) < ALIKE

    def leaving(self, pose: Pose, expected: Layout) -> list[Cell]:
        """The places beside cards that lie there, but beyond the edge of the picture."""
        outside = set(pose.outside())
        occupied = (
            [self._nominal[cell] for cell in self._cards(pose.board, expected)] if self._nominal else []
        )
        return [
            cell
            for cell in sorted(outside)
            if any(
                one.zone == self._nominal[cell].zone
                and abs(one.x - self._nominal[cell].x) < 1.3 * one.width
                and abs(one.y - self._nominal[cell].y) < 1.3 * one.height
                for one in occupied
            )
        ]

    def _cards(self, board: Board, expected: Layout) -> list[Cell]:
        """The places on which a card as large as the place should lie now."""
        kinds = {face.name: face.kind for face in board.faces}
        return [cell for cell, pieces in expected.items() if pieces and kinds[pieces[0].face] == "card"]

    # The first look ------------------------------------------------------------------------------

    def _first(
        self, image: Image, pose: Pose, table: _Table, cards: Collection[Cell]
    ) -> dict[Cell, CardSpot]:
        """Where cards lie of which nothing is known, by those that lie apart."""
        first = self._nominal[min(cards)]
        loose = [
            _spot(pose.millimetres(card.corners)) for card in find_cards(image, first.width, first.height)
        ]
        markers = np.array([marker.middle() for marker in pose.board.markers])
        loose = [spot for spot in loose if np.hypot(*(markers - spot[:2]).T).min() > MARKER_CARD_MM]
        best: dict[Cell, CardSpot] = {}
        if loose:
            turn = float(np.median([spot.turn for spot in loose]))
            loose = [spot for spot in loose if abs(spot.turn - turn) < SLANT]
            for cell in cards:
                for spot in loose:
                    matched = self._matched(cards, loose, cell, spot._replace(turn=turn))
                    if len(matched) > len(best):
                        best = matched
        if len(best) > len(cards) / 2:
            return best
        whole = {
            cell: (CardSpot(*self._nominal[cell][1:3], 0.0), *self._nominal[cell][3:5]) for cell in cards
        }
        found = table.near(table.shifted(whole, reach=300.0))
        return found if len(found) > len(best) else best

    def _matched(
        self, cards: Iterable[Cell], loose: list[CardSpot], cell: Cell, at: CardSpot
    ) -> dict[Cell, CardSpot]:
        """The loose cards that lie where they should if one of them lies on this place."""
        found: dict[Cell, CardSpot] = {}
        for other in cards:
            there = self._beside(other, cell, at)
            near = min(loose, key=lambda spot: np.hypot(spot.x - there.x, spot.y - there.y))
            if np.hypot(near.x - there.x, near.y - there.y) < MATCH_MM:
                found[other] = near
        return found

    # Where places are ----------------------------------------------------------------------------

    def _beside(self, cell: Cell, other: Cell, at: CardSpot) -> CardSpot:
        """Where a place is by another one whose card lies there."""
        one, two = self._nominal[cell], self._nominal[other]
        c, s = np.cos(np.radians(at.turn)), np.sin(np.radians(at.turn))
        dx, dy = one.x - two.x, one.y - two.y
        return CardSpot(float(at.x + dx * c - dy * s), float(at.y + dx * s + dy * c), at.turn)

    def _predicted(
        self, cells: Iterable[Cell], known: Mapping[Cell, CardSpot]
    ) -> dict[Cell, tuple[CardSpot, float, float]]:
        """Where places are, with their size: where their card lies, else beside the nearest cards."""
        ids = list(known)
        at = np.array([(self._nominal[cell].x, self._nominal[cell].y) for cell in ids])
        turn = _turn(at, list(known.values()))
        found = {}
        for cell in cells:
            place = self._nominal[cell]
            if cell in known:
                found[cell] = (known[cell], place.width, place.height)
                continue
            far = np.hypot(at[:, 0] - place.x, at[:, 1] - place.y)
            near = np.argsort(far)[:3]
            spots = [self._beside(cell, ids[i], known[ids[i]]._replace(turn=turn)) for i in near]
            weights = 1 / (far[near] + 1.0) ** 2
            x, y = (float(np.average([spot[axis] for spot in spots], weights=weights)) for axis in range(2))
            found[cell] = (CardSpot(x, y, turn), place.width, place.height)
        return found

    def _show(self, pose: Pose) -> Pose:
        """The pose with the places as they are known now."""
        if not self._lying:
            return pose
        predicted = self._predicted(range(len(self._nominal)), self._lying)
        places = tuple(
            place._replace(x=spot.x, y=spot.y, turn=(place.turn + spot.turn) % 360)
            for place, (spot, _, _) in zip(self._nominal, predicted.values(), strict=True)
        )
        if self._shown is not None and self._base is pose and _alike(self._shown.board.places, places):
            return self._shown
        if self._shown is not None and _alike(self._shown.board.places, places):
            places = self._shown.board.places
        self._base, self._shown = pose, replace(pose, board=replace(pose.board, places=places))
        return self._shown


def _turn(nominal: Doubles, spots: list[CardSpot]) -> float:
    """The turn of a lattice: by how its cards are turned, and by where they are as far as they are apart."""
    own = float(np.median([spot.turn for spot in spots]))
    spread = float(np.linalg.norm(nominal - nominal.mean(axis=0)))
    if not spread:
        return own
    _, _, angle = rigid(nominal, np.array([spot[:2] for spot in spots]))
    lying = float(np.degrees(angle))
    sure_own, sure_lying = len(spots) / OWN_DEGREES**2, (np.radians(1.0) * spread / LAID_MM) ** 2
    return float((own * sure_own + lying * sure_lying) / (sure_own + sure_lying))


def _settled(before: CardSpot | None, now: CardSpot) -> CardSpot:
    """Where a card lies, over what was seen of it while it lay there."""
    if before is None or np.hypot(now.x - before.x, now.y - before.y) > MOVED_MM:
        return now
    return CardSpot(*(float(a + b) / 2 for a, b in zip(before, now, strict=True)))


def _alike(one: tuple[Place, ...], other: tuple[Place, ...]) -> bool:
    """Whether places are where they were, but for noise."""
    a, b = (np.array([(p.x, p.y, p.turn) for p in places]) for places in (one, other))
    away = np.abs(a - b)
    turns = np.minimum(away[:, 2], 360 - away[:, 2])
    return bool(away[:, :2].max() < SAME_MM and turns.max() < SAME_DEGREES)


def _spot(corners: Doubles) -> CardSpot:
    """The middle and the turn of a card whose first edge is a short one, upright or upside down."""
    x, y = corners.mean(axis=0)
    dx, dy = (corners[1] - corners[0]) + (corners[2] - corners[3])
    turn = (float(np.degrees(np.arctan2(dy, dx))) + 90) % 180 - 90
    return CardSpot(float(x), float(y), turn)


Wanted = Mapping[Cell, tuple[CardSpot, float, float]]
"""Where cards are thought to lie, with their width and height."""


class _Table:
    """The table seen straight from above: its colours and edges, pixel by pixel."""

    def __init__(self, image: Image, pose: Pose) -> None:
        rim = np.array(
            [
                (x, y)
                for x in (0, pose.width / 2, pose.width - 1)
                for y in (0, pose.height / 2, pose.height - 1)
            ]
        )
        seen = pose.millimetres(rim)
        reach = np.array([pose.board.width, pose.board.height]) / 2
        low, high = np.maximum(seen.min(0), -reach), np.minimum(seen.max(0), 3 * reach)
        self._low = low
        size = np.ceil((high - low) * PIXELS_PER_MM).astype(int)
        step = 16
        nodes = [(np.arange(-1, n // step + 2) + 0.5) * step - 0.5 for n in size]
        grid = np.stack(np.meshgrid(*nodes), -1).reshape(-1, 2) / PIXELS_PER_MM + low
        coarse = pose.pixels(grid).astype(np.float32).reshape(len(nodes[1]), len(nodes[0]), 2)
        full = cv2.resize(
            coarse, (len(nodes[0]) * step, len(nodes[1]) * step), interpolation=cv2.INTER_LINEAR
        )
        x, y = cv2.split(np.ascontiguousarray(full[step : step + size[1], step : step + size[0]]))
        shrink = pose.scale() / PIXELS_PER_MM
        soft = cv2.GaussianBlur(image, (0, 0), 0.4 * shrink) if shrink > 1.2 else image
        straight = cv2.remap(soft, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        self._straight = np.asarray(straight, np.uint8)
        colours = straight if straight.ndim == 2 else cv2.cvtColor(straight, cv2.COLOR_BGR2LAB)
        self.colours = np.atleast_3d(np.asarray(cv2.GaussianBlur(colours, (0, 0), 0.7), np.float32))

    @cached_property
    def edges(self) -> Floats:
        """How strong edges are, pixel by pixel."""
        return np.asarray(np.minimum(edge_strength(self._straight), MOST), np.float32)

    def near(self, wanted: Wanted) -> dict[Cell, CardSpot]:
        """Where the outlines of cards are, close to where they are thought to lie; those that are seen."""
        if not wanted:
            return {}
        offsets = np.arange(-NEAR_MM - ACROSS * STEP_MM, NEAR_MM + (ACROSS + 0.5) * STEP_MM, STEP_MM)
        at = np.array([spot for spot, _, _ in wanted.values()])
        half = np.array([(width, height) for _, width, height in wanted.values()])[:, None] / 2
        angle = np.radians(at[:, None, 2] + ANGLES)
        across = np.stack([np.cos(angle), np.sin(angle)], -1)
        along = np.stack([-np.sin(angle), np.cos(angle)], -1)
        inner = slice(ACROSS, -ACROSS)
        likely = np.exp(-((offsets[inner] / STRAYS_MM) ** 2) / 2)
        found, pairs = {}, []
        for way, edge, side, length in (
            (across, along, half[..., 0], 2 * half[..., 1:]),
            (along, across, half[..., 1], 2 * half[..., :1]),
        ):
            sides = []
            for sign in (-1, 1):
                out = (sign * side)[..., None] + offsets
                middle = at[:, None, None, :2] + way[:, :, None] * out[..., None]
                points = middle[:, :, :, None] + (edge * length)[:, :, None, None] * _POINTS[:, None]
                colours = self._at(points)
                change = colours[:, :, 2 * ACROSS :] - colours[:, :, : -2 * ACROSS]
                # From the card to the table: the same at both edges, unlike where a neighbour's edge begins.
                sides.append(sign * np.clip(change, -MOST_LEVELS, MOST_LEVELS).mean(axis=3))
            pairs.append(_both(*sides))
        weighed = [pair * likely for pair in pairs]
        total = weighed[0].max(-1) + weighed[1].max(-1)
        total *= 1 - SLANTED * (ANGLES / ANGLES[-1]) ** 2
        for i, (cell, (spot, _, _)) in enumerate(wanted.items()):
            a = int(total[i].argmax())
            dx, dy = (int(pair[i, a].argmax()) for pair in weighed)
            if all(_is_clear(pair[i, a], d) for pair, d in zip(pairs, (dx, dy), strict=True)):
                steps = offsets[inner]
                x, y = at[i, :2] + across[i, a] * steps[dx] + along[i, a] * steps[dy]
                found[cell] = CardSpot(float(x), float(y), float(spot.turn + ANGLES[a]))
        return found

    def shifted(self, wanted: Wanted, reach: float = FAR_MM) -> Wanted:
        """All cards together where their outlines fit best within reach, shifted and turned as a whole."""
        step = round(FAR_STEP_MM * PIXELS_PER_MM)
        thick = np.asarray(cv2.dilate(self.edges, np.ones((step, step), np.uint8)), np.float32)
        small = thick[::step, ::step]
        most = round(reach / FAR_STEP_MM)
        outlines = np.concatenate([_outline(spot, *size) for spot, *size in wanted.values()])
        centre = outlines.mean(axis=0)
        shifts = np.arange(-most, most + 1)
        far = np.hypot(*np.meshgrid(shifts, shifts)) / most
        best: tuple[float, Doubles, float] = (-1.0, np.zeros(2), 0.0)
        for turn in np.arange(-10.0, 10.1, 2.0):
            c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
            points = (outlines - centre) @ np.array([[c, s], [-s, c]]) + centre
            at = np.round((points - self._low) / FAR_STEP_MM).astype(int)
            score = _overlaid(small, at, most) - 0.3 * far - 0.02 * abs(turn)
            y, x = np.unravel_index(int(score.argmax()), score.shape)
            if score[y, x] > best[0]:
                best = (float(score[y, x]), np.array([x - most, y - most]) * FAR_STEP_MM, float(turn))
        _, shift, turn = best
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        moved = {}
        for cell, (spot, width, height) in wanted.items():
            x, y = (np.array(spot[:2]) - centre) @ np.array([[c, s], [-s, c]]) + centre + shift
            moved[cell] = (CardSpot(float(x), float(y), spot.turn + turn), width, height)
        return moved

    def _at(self, points_mm: Doubles) -> Floats:
        """The colours at these points."""
        px = ((points_mm - self._low) * PIXELS_PER_MM).astype(np.float32)
        flat = px.reshape(len(px) * px.shape[1], -1, 2)
        seen = cv2.remap(
            self.colours, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(seen, np.float32).reshape(*points_mm.shape[:-1], -1)


def _both(one: Floats, other: Floats) -> Floats:
    """How much two opposite edges change alike: as much as the lesser of both, and a little of the other."""
    common = one + other
    length = np.linalg.norm(common, axis=-1)
    way = common / np.maximum(length, 1e-6)[..., None]
    lesser = np.minimum((one * way).sum(axis=-1), (other * way).sum(axis=-1))
    return np.asarray(np.maximum(lesser, 0.0) + ONE_SIDED * length, np.float32)


def _is_clear(pair: Floats, best: int) -> bool:
    """Whether two opposite edges stand out from the lines beside them."""
    return bool(pair[best] > max(CLEAR_LEVELS, CLEAR * float(np.median(pair))))


def _overlaid(edges: Floats, points: NDArray[np.int_], most: int) -> Floats:
    """How strong edges are below all points together, for every shift of at most `most` pixels."""
    low, high = points.min(0) - most, points.max(0) + most
    height, width = edges.shape[:2]
    above, before = max(0, -int(low[1])), max(0, -int(low[0]))
    below, behind = max(0, int(high[1]) + 1 - height), max(0, int(high[0]) + 1 - width)
    wide = np.pad(edges, ((above, below), (before, behind)))
    top, left = low[1] + above, low[0] + before
    part = wide[top : top + high[1] - low[1] + 1, left : left + high[0] - low[0] + 1]
    template = np.zeros((high[1] - low[1] + 1 - 2 * most, high[0] - low[0] + 1 - 2 * most), np.float32)
    np.add.at(template, (points[:, 1] - low[1] - most, points[:, 0] - low[0] - most), 1.0 / len(points))
    return np.asarray(cv2.matchTemplate(part.astype(np.float32), template, cv2.TM_CCORR), np.float32)


def _outline(spot: CardSpot, width: float, height: float) -> Doubles:
    """Points along the outline of a card."""
    a, b, c, d = place_corners(Place("", spot.x, spot.y, width, height, turn=spot.turn))
    share = np.linspace(0.1, 0.9, 10)[:, None]
    return np.concatenate([one + (two - one) * share for one, two in ((a, b), (b, c), (c, d), (d, a))])


def leaving_words(pose: Pose, cells: Collection[Cell]) -> str:
    """The sentence for cards that are about to leave the picture."""
    px = pose.pixels([(pose.board.places[cell].x, pose.board.places[cell].y) for cell in cells])
    beyond = {
        "left": (px[:, 0] < pose.width / 4).sum(),
        "right": (px[:, 0] > pose.width * 3 / 4).sum(),
        "upper": (px[:, 1] < pose.height / 4).sum(),
        "lower": (px[:, 1] > pose.height * 3 / 4).sum(),
    }
    side = max(beyond, key=lambda name: beyond[name])
    names = ", ".join(pose.board.places[cell].name for cell in list(cells)[:4])
    return (
        f"The cards are about to leave what the camera sees, over its {side} edge ({names}): push all of "
        f"them together the other way, or move the camera."
    )
