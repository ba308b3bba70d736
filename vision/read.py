"""Reads a photograph of the board: which face lies where, how it is turned, what stands on it, how surely.

Every place is cut straight, turned into a code and compared with the codes of the taught faces in all their
turns. Where that is not clear at once, it is looked at again a little shifted, turned and scaled, since
people lay tiles askew. Where something stands, it is hidden in the crop and in the taught pictures alike, so
that only what is around it counts. What is still not clear is unsure.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.action import Cell
from companion.layout import Board, Layout, Piece, Place
from companion.seeing import Observation, Reading
from vision.embed import CODE, SIDE, Seen, embed
from vision.faces import (
    MARGIN,
    STRAIGHT,
    WIDE,
    Floats,
    Image,
    Look,
    Mask,
    Size,
    Weighed,
    closer,
    refine,
    sizes,
)
from vision.lay import mean_of, telling
from vision.rectify import stack
from vision.standing import Standing, Trace, balanced
from vision.teach import EMPTY, STANDING, Teach, codes

CONFIDENCE = Path(__file__).parent / "weights" / "confidence.json"
EXPECTED_BONUS = 0.08
"""What being expected adds to a score."""
CLEAR_LIKENESS, CLEAR_MARGIN = 0.85, 0.35
"""A first look as good as this needs no second one."""
BARE_LIKENESS, BARE = 0.35, 2.0
"""Nor does a place as bare as this."""
_UNLIKE = 0.6
"""A place less like every taught face than this may be bare."""
_GROUND = 0.11
"""Places whose colours are closer than this share the same ground."""
_TAUGHT_BARE = 30.0
"""How quickly a place looks bare that is more like a taught bare place than like any face."""
_CLEARLY = 1.05
"""By how much pictures without their rim must fit better to be preferred."""
_TRIES = 3
"""A place that stays unsure and does not change is looked at so often."""
_TRACE, _STRANGE = 0.2, 0.4
"""So much of a standing piece, or of anything strange, must be seen before it is hidden for a closer look."""
_MOST = 0.45
"""But never more of the place than this: then it is the face that is mistaken."""
_RIM = round(WIDE * MARGIN / (1 + 2 * MARGIN))


class Maps(Protocol):
    """What reading asks of a pose."""

    def pixels(self, points_mm: ArrayLike) -> NDArray[np.float64]:
        """Maps points on the board to pixels."""


class Prior(NamedTuple):
    """What the rules know before looking."""

    expected: Layout | None = None
    """What should lie there, as far as nobody has moved anything."""
    possible: Collection[str] | None = None
    """The faces that can be on the table at all; others are not considered."""


_NO_PRIOR = Prior()
_NOTHING = Reading((), 0.998, (((), 0.998),))


class Model(NamedTuple):
    """How evidence becomes confidence: logistic models fitted on styles that were held out.

    `piece` says from (1, likeness, agreement, bareness) whether a piece lies there at all; `stands` from
    (1, area, heat) whether a certain pawn or figure stands there, `anything` whether any does.
    """

    piece: tuple[float, ...]
    stands: tuple[float, ...]
    anything: tuple[float, ...]
    sure: float
    """A reading of less confidence is unsure."""

    @classmethod
    def load(cls) -> Model:
        """Reads the fitted weights that belong to the network."""
        values = json.loads(CONFIDENCE.read_text(encoding="utf-8"))
        piece, stands, anything = (tuple(values[name]) for name in ("piece", "stands", "anything"))
        return cls(piece, stands, anything, float(values["sure"]))


RIGHT = ((16.0, 0.42), (30.0, 0.6), (20.0, 0.4))
"""How telling, likeness and agreement make the best answer the right one: steepness and half-way point each.

Of the few errors on held-out styles all were of faces that are almost alike, or had a likeness below 0.6
(glare, something in the way), so each of the three can make a reading unsure by itself.
"""


_APART = 0.2
"""Answers whose scores are further apart than this need not be told apart pixel by pixel."""
_RIVALS = 4
_HALF_SEEN = 0.3
"""How much less is told where part of the place is hidden: the difference may be there."""
_OVERRULED = 0.8
"""How much less is told where it speaks against the better score."""
_WORTH_TELLING = 0.5
"""Nor need answers be told apart that are all less like the place than this."""


class Evidence(NamedTuple):
    """All that speaks for the answers at one place."""

    look: Look
    score: Floats
    weighed: Weighed
    order: tuple[int, ...]
    """The answers, best first."""
    telling: float
    """What the pixels say in which the best answer differs from the others: 1 if they are clearly its own."""

    def features(self) -> tuple[float, float, float]:
        """What being right is judged by: telling, likeness, agreement."""
        first = self.order[0]
        return self.telling, float(self.weighed.likeness[first]), float(self.weighed.agreement[first])


class Stands(NamedTuple):
    """What speaks for standing pieces at one place."""

    odds: Floats
    """For each standing piece."""
    anything: float
    """The chance that anything stands there, if a face lies below."""


class _Spots:
    """Where the places of a board are in the pictures of one pose."""

    _POINTS = 12
    _SHRINK = 4

    def __init__(self, image: Image, pose: Maps, board: Board) -> None:
        height, width = image.shape[:2]
        steps = (np.arange(self._POINTS) + 0.5) / self._POINTS - 0.5
        grid = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2)
        sizes_mm = np.array([(place.width, place.height) for place in board.places])
        middles = np.array([(place.x, place.y) for place in board.places])
        points = middles[:, None] + sizes_mm[:, None] * grid[None]
        xy = pose.pixels(points.reshape(-1, 2)).reshape(len(board.places), -1, 2)
        good = ((xy >= 0) & (xy < (width, height))).all(axis=(1, 2))
        self.inside = [int(cell) for cell in np.flatnonzero(good)]
        at = (xy / self._SHRINK).astype(int)
        self._x = at[..., 0].clip(0, width // self._SHRINK - 1)
        self._y = at[..., 1].clip(0, height // self._SHRINK - 1)

    def signature(self, image: Image) -> Floats:
        """A coarse picture of every place, enough to see that nothing has changed."""
        size = (image.shape[1] // self._SHRINK, image.shape[0] // self._SHRINK)
        small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
        return np.asarray(small[self._y, self._x], np.float32)


class _Memory(NamedTuple):
    """What was read last, and from where."""

    pose: Maps
    prior: Prior
    spots: _Spots
    signature: Floats
    readings: dict[Cell, Reading]
    tries: dict[Cell, int]


def _unchanged(
    before: _Memory, signature: Floats, sure: float
) -> tuple[dict[Cell, Reading], dict[Cell, int]]:
    """The readings that still hold, and how often each unchanged place was looked at."""
    apart = np.abs(signature - before.signature)
    still = (apart.mean(axis=(1, 2)) < 3.0) & (np.quantile(apart.max(2), 0.95, axis=1) < 14.0)
    tries = {cell: n for cell, n in before.tries.items() if still[cell]}
    kept = {
        cell: reading
        for cell, reading in before.readings.items()
        if cell in tries and (reading.confidence >= sure or tries[cell] >= _TRIES)
    }
    return kept, tries


class Reader:
    """Reads photographs of one board with what was taught."""

    def __init__(self, teach: Teach, board: Board, model: Model | None = None) -> None:
        self.board = board
        self.model = model or Model.load()
        widest = max(min(place.width, place.height) for place in board.places)
        known = [f for f in board.faces if f.name in teach.pictures and f.kind != "die"]
        upright = [f for f in known if f.kind in STANDING and f.width < 0.6 * widest]
        self.standing = Standing(upright, teach) if upright else None
        lying = [f for f in known if f not in upright]
        self.sizes = sizes(lying, teach)
        self.fits = [_fitting(size, board) for size in self.sizes]
        other = teach.trimmed()
        self._other = None if other is None else sizes(lying, other)
        empty = teach.pictures.get(EMPTY)
        self._empty = None if empty is None else codes(empty, (0, 1, 2, 3)).reshape(-1, CODE)
        covered = {cell for cells in self.fits for cell in cells}
        self._memory: _Memory | None = None
        self._stands: dict[Cell, Stands] = {}
        self._bare: dict[Cell, Floats] = {}
        self._pawns_only = [cell for cell in range(len(board.places)) if cell not in covered]

    def read(self, image: Image, pose: Maps, prior: Prior = _NO_PRIOR, time_s: float = 0.0) -> Observation:
        """Reads every place that lies within the picture.

        Seen again from the same pose, a place that has not changed keeps its reading; one that was unsure is
        looked at a few more times.
        """
        before = self._memory if self._memory and (pose, prior) == self._memory[:2] else None
        spots = before.spots if before else _Spots(image, pose, self.board)
        signature = spots.signature(image)
        if before is None:
            self._stands, self._bare = {}, {}
        kept, tries = ({}, {}) if before is None else _unchanged(before, signature, self.model.sure)
        fresh = [cell for cell in spots.inside if cell not in kept]
        readings = kept | self._read_places(image, pose, prior, fresh) if fresh else kept
        tries |= {cell: tries.get(cell, 0) + 1 for cell in fresh}
        self._memory = _Memory(pose, prior, spots, signature, readings, tries)
        return Observation(dict(sorted(readings.items())), time_s)

    def _read_places(
        self, image: Image, pose: Maps, prior: Prior, cells: Collection[Cell]
    ) -> dict[Cell, Reading]:
        white = white_at(image, pose, self.board)
        looks = self.look(image, pose, white, cells)
        if self._other is not None:
            looks = self._choose_pictures(looks, image, pose, white, cells)
        lying: dict[Cell, Reading] = {}
        stands = {cell: some for cell, some in self._stands.items() if cell not in cells}
        self._bare = {cell: code for cell, code in self._bare.items() if cell not in cells}
        for cell, some in looks.items():
            if max(look.top() for look in some) < _UNLIKE:
                self._bare[cell] = _ground(some[0].wide, None if white is None else white[cell])
        for cell, some in looks.items():
            paper = None if white is None else white[cell]
            lying[cell], traces = self._read_place(cell, some, paper, prior)
            stands[cell] = self._stands_at(traces)
        for cell, traces in self._traces_alone(image, pose, white, cells).items():
            lying[cell], stands[cell] = _NOTHING, self._stands_at(traces)
        self._stands = stands
        return {cell: self._stood_on(cell, reading) for cell, reading in lying.items()}

    def look(
        self, image: Image, pose: Maps, white: Floats | None, cells: Collection[Cell]
    ) -> dict[Cell, list[Look]]:
        """Looks once at places, in every size that fits each."""
        found: dict[Cell, list[Look]] = {}
        for size, fits in zip(self.sizes, self.fits, strict=True):
            here = [cell for cell in fits if cell in cells]
            if not here:
                continue
            places = tuple(_spot(self.board.places[cell], size.width, size.height) for cell in here)
            wide = stack(image, pose, places, WIDE, MARGIN)  # type: ignore[arg-type]
            middle = wide[:, _RIM:-_RIM, _RIM:-_RIM]
            crops = [cv2.resize(one, (SIDE, SIDE), interpolation=cv2.INTER_AREA) for one in middle]
            seen = embed(crops, None if white is None else white[here])
            likeness = size.likeness(seen.code)
            bare = self._bare_looks(seen, likeness)
            for i, cell in enumerate(here):
                look = Look(size, seen.code[i], likeness[i], float(bare[i]), seen.heat[i], wide[i])
                found.setdefault(cell, []).append(look)
        return found

    def _bare_looks(self, seen: Seen, likeness: Floats) -> Floats:
        """How bare places look: as the network says, or by how much more they are like taught bare places."""
        if self._empty is None:
            return seen.bare
        taught = (seen.code @ self._empty.T).max(1)
        ahead = _TAUGHT_BARE * (taught - np.maximum(likeness.max(1), _UNLIKE))
        return np.asarray(np.maximum(seen.bare, ahead), np.float32)

    def _choose_pictures(
        self,
        looks: dict[Cell, list[Look]],
        image: Image,
        pose: Maps,
        white: Floats | None,
        cells: Collection[Cell],
    ) -> dict[Cell, list[Look]]:
        """Tries the taught pictures whole and without their rim, and stays with what fits better."""
        assert self._other is not None
        whole, self.sizes, self._other = self.sizes, self._other, None
        trimmed = self.look(image, pose, white, cells)
        if _fit(trimmed) > _CLEARLY * _fit(looks):
            return trimmed
        self.sizes = whole
        return looks

    def traces(self, look: Look, crop: Image, white: Floats | None, answer: int | None) -> list[Trace]:
        """What speaks for each standing piece at a place on which this answer lies."""
        if self.standing is None:
            return []
        below = [] if answer is None else look.size.pictures(crop, answer)
        return self.standing.traces(crop, look.heat, white, below, (look.size.width, look.size.height))

    def hidden_at(self, look: Look, white: Floats | None) -> Mask | None:
        """What must be hidden because something may stand there: a mask of the crop, or None."""
        likely = int(look.likeness.argmax()) if look.top() > BARE_LIKENESS else None
        return _masked(self.traces(look, closer(look.wide, STRAIGHT), white, likely))

    def weigh(
        self, cell: Cell, look: Look, white: Floats | None, hidden: Mask | None, prior: Prior = _NO_PRIOR
    ) -> Evidence:
        """Collects what speaks for each answer; looks again where the first look was not clear."""
        is_clear = look.top() > CLEAR_LIKENESS and look.margin() > CLEAR_MARGIN
        is_bare = look.top() < BARE_LIKENESS and look.bare > BARE
        if hidden is None and (is_clear or is_bare):
            crop = closer(look.wide, STRAIGHT)
            agreement = look.size.agreement(crop, int(look.likeness.argmax()))
            weighed = Weighed(look.likeness, np.full(len(look.likeness), agreement, np.float32), crop)
        else:
            weighed = refine(look, white, hidden)
        score = weighed.score() + _bonus(cell, look.size, prior)
        order = [int(answer) for answer in np.argsort(-score)[:6]]
        rivals = [answer for answer in order[:_RIVALS] if score[answer] > score[order[0]] - _APART]
        if weighed.likeness[order[0]] < _WORTH_TELLING:
            rivals = rivals[:1]
        best, told = _told_apart(look.size, weighed.crop, rivals, hidden)
        order.remove(best)
        return Evidence(look, score, weighed, (best, *order), told)

    def identify(self, picture: Image, kinds: Collection[str] = ("card",)) -> Reading:
        """Says which face a straightened picture of one loose piece shows."""
        names = {face.name for face in self.board.faces if face.kind in kinds}
        crop = cv2.resize(picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
        inner = cv2.resize(picture, (WIDE - 2 * _RIM, WIDE - 2 * _RIM), interpolation=cv2.INTER_AREA)
        wide = cv2.copyMakeBorder(inner, _RIM, _RIM, _RIM, _RIM, cv2.BORDER_REPLICATE)
        seen = embed(crop[None])
        looks = [
            Look(size, seen.code[0], size.likeness(seen.code)[0], float(seen.bare[0]), seen.heat[0], wide)
            for size in self.sizes
            if any(answer.face in names for answer in size.answers)
        ]
        if not looks:
            return Reading(None, 0.0)
        best = max(looks, key=Look.top)
        return self._conclude(self.weigh(-1, best, None, None, Prior(possible=names)))

    def _read_place(
        self, cell: Cell, looks: list[Look], white: Floats | None, prior: Prior
    ) -> tuple[Reading, list[Trace]]:
        """Reads what lies on a place, and looks for traces of what stands on it."""
        look = max(looks, key=Look.top)
        straight, likely = closer(look.wide, STRAIGHT), int(look.likeness.argmax())
        traces = self.traces(look, straight, white, likely if look.top() > BARE_LIKENESS else None)
        evidence = self.weigh(cell, look, white, _masked(traces), prior)
        reading = self._conclude(evidence, self._company(cell))
        if reading.pieces:
            reading = self._with_base(cell, reading, look, looks, white, prior)
        lies = None if reading.pieces == () else evidence.order[0]
        if lies != likely or not np.array_equal(evidence.weighed.crop, straight):
            traces = self.traces(look, evidence.weighed.crop, white, lies)
        return reading, traces

    def _stands_at(self, traces: Sequence[Trace]) -> Stands:
        chances = [_logistic(self.model.stands, trace.area, trace.heat) for trace in traces[:-1]]
        odds = np.array([p / max(1 - p, 1e-9) for p in chances], np.float32)
        anything = _logistic(self.model.anything, *traces[-1][:2]) if traces else 0.0
        return Stands(odds, anything)

    def _stood_on(self, cell: Cell, below: Reading) -> Reading:
        """Adds the pieces that stand on what lies there.

        Where a game has several standing pieces each is there once, so places compete for it.
        """
        if self.standing is None:
            return below
        here = self._stands[cell]
        total = sum(one.odds for one in self._stands.values()) if len(self.standing.faces) > 1 else here.odds
        chances = here.odds / (1 + total)
        standing = [Piece(f.name) for f, p in zip(self.standing.faces, chances, strict=True) if p > 0.5]
        confidence = float(np.prod(np.maximum(chances, 1 - chances)))
        if below.pieces and not standing:
            confidence *= 1 - here.anything
        return self._joined(below, tuple(standing), confidence)

    def _with_base(
        self, cell: Cell, top: Reading, look: Look, looks: list[Look], white: Floats | None, prior: Prior
    ) -> Reading:
        """Looks at what lies under a small piece: it is hidden, and the rest compared with larger faces."""
        larger = [one for one in looks if one.size.width > 1.15 * look.size.width]
        if not larger or top.pieces is None:
            return top
        below = max(larger, key=Look.top)
        across = 1.12 * look.size.width / below.size.width
        along = 1.12 * look.size.height / below.size.height
        y, x = np.abs(np.mgrid[0:SIDE, 0:SIDE] / (SIDE - 1) * 2 - 1)
        hidden = (x < across) & (y < along)
        if hidden.mean() > 0.8:
            return top
        base = self._conclude(self.weigh(cell, below, white, hidden, prior))
        return self._joined(base, top.pieces, top.confidence)

    def _joined(self, below: Reading, above: tuple[Piece, ...], confidence: float) -> Reading:
        """A reading with further pieces on top."""
        total = below.confidence * confidence
        guesses = tuple(((*pieces, *above), p * confidence) for pieces, p in below.guesses)
        if below.pieces is None or total < self.model.sure:
            return Reading(None, total, guesses)
        return Reading((*below.pieces, *above), total, guesses)

    def _company(self, cell: Cell) -> float:
        """Whether a place without a known face shares its ground with other such places: above 0 if so."""
        here = self._bare.get(cell)
        others = [] if here is None else [g for other, g in self._bare.items() if other != cell]
        if here is None or len(others) < 2:
            return -5.0
        return 5 * (1 - sorted(_apart(here, ground) for ground in others)[1] / _GROUND)

    def _conclude(self, evidence: Evidence, company: float | None = None) -> Reading:
        """Makes a reading of the evidence; without `company`, what shows no known face is bare."""
        features = evidence.features()
        constant, *slopes = self.model.piece
        bare = evidence.look.bare
        piece = _logistic((constant - max(company or 0.0, 0.0), *slopes), *features[1:], bare)
        bareness = 1.0 if company is None else _logistic((3.2, 1.5), max(bare, company))
        right = piece
        for (steep, half), value in zip(RIGHT, features, strict=True):
            right *= _logistic((-steep * half, steep), value)
        score = evidence.score[list(evidence.order)]
        # What is not told for the first speaks for the others at most as much as for the first.
        others = np.exp(np.minimum(score[1:] - score[0], 0) / 0.03)
        others = others / (others.sum() + 1) * (piece - right)
        answers = [(evidence.look.size.answers[i],) for i in evidence.order]
        guesses: list[tuple[tuple[Piece, ...], float]] = [(answers[0], right), ((), (1 - piece) * bareness)]
        guesses += zip(answers[1:], map(float, others), strict=True)
        (best, confidence), *rest = sorted(guesses, key=lambda guess: -guess[1])
        named = ((best, confidence), *(guess for guess in rest if guess[1] > 0.001))
        return Reading(best if confidence >= self.model.sure else None, confidence, named)

    def _traces_alone(
        self, image: Image, pose: Maps, white: Floats | None, fresh: Collection[Cell]
    ) -> dict[Cell, list[Trace]]:
        """Looks for traces on the places on which nothing but pawns can be."""
        cells = [cell for cell in self._pawns_only if cell in fresh]
        if not cells or self.standing is None:
            return {}
        side = 2.2 * max(face.width for face in self.standing.faces)
        places = tuple(_spot(self.board.places[cell], side, side) for cell in cells)
        crops = stack(image, pose, places, SIDE)  # type: ignore[arg-type]
        heat = embed(crops, None if white is None else white[cells]).heat
        papers = [None] * len(cells) if white is None else white[cells]
        return {
            cell: self.standing.traces(crop, hot, paper, (), (side, side))
            for cell, crop, hot, paper in zip(cells, crops, heat, papers, strict=True)
        }


def white_at(image: Image, pose: Maps, board: Board) -> Floats | None:
    """What a white sheet would look like at every place, from the paper of the markers; None if unknown."""
    paper = tuple(Place("", m.x + m.size / 2, m.y + m.size / 2, m.size, m.size) for m in board.markers)
    if not paper:
        return None
    flat = stack(image, pose, paper, 16).reshape(len(paper), -1, 3).astype(np.float32)  # type: ignore[arg-type]
    light, dark = np.percentile(flat, 85, axis=1), np.percentile(flat, 15, axis=1)
    clear = (light.mean(1) > 1.6 * dark.mean(1) + 6) & (light.mean(1) > 12)
    if clear.sum() < 2:
        return None
    at = np.array([(p.x, p.y) for p in paper])[clear]
    to = np.array([(p.x, p.y) for p in board.places])
    near = 1 / (((to[:, None] - at[None]) ** 2).sum(2) + 400)
    return np.asarray(near @ light[clear] / near.sum(1, keepdims=True), np.float32)


def _ground(wide: Image, white: Floats | None) -> Floats:
    """The colours of a place, coarse, whatever its brightness: bare places have them in common."""
    colours = cv2.resize(balanced(wide[_RIM:-_RIM, _RIM:-_RIM], white), (8, 8), interpolation=cv2.INTER_AREA)
    return np.asarray(colours / (np.median(colours) + 0.02), np.float32)


def _apart(one: Floats, other: Floats) -> float:
    """How far two places are apart in colour but for the quarter in which they differ most: a pawn, glare."""
    apart = np.sort(np.abs(one - other).max(2).ravel())
    return float(apart[: len(apart) * 3 // 4].mean())


def _masked(traces: Sequence[Trace]) -> Mask | None:
    """What to hide of a crop: everything that may stand there."""
    masks = [t.where for t in traces[:-1] if t.area > _TRACE or (t.area > 0.1 and t.heat > 0)]
    masks += [t.where for t in traces[-1:] if t.area > _STRANGE]
    masks = [mask for mask in masks if mask.mean() < _MOST]
    if not masks:
        return None
    return cv2.dilate(np.any(masks, axis=0).astype(np.uint8), np.ones((7, 7), np.uint8)) > 0


def _told_apart(size: Size, crop: Image, rivals: Sequence[int], hidden: Mask | None) -> tuple[int, float]:
    """Which of a few answers the pixels speak for in which they differ, and how clearly."""
    if len(rivals) < 2:
        return rivals[0], 1.0
    laid = {one: mean_of(size.pictures(crop, one, hidden), crop, hidden) for one in rivals}
    told = {
        one: min(telling(crop, laid[one], laid[other]) for other in rivals if other != one) for one in rivals
    }
    best = max(rivals, key=lambda one: told[one])
    seen = 1.0 if hidden is None else 1 - _HALF_SEEN * float(hidden.mean())
    return best, min(told[best], 1.0) * seen * (1.0 if best == rivals[0] else _OVERRULED)


def _fit(looks: dict[Cell, list[Look]]) -> float:
    """How well the places that show anything known fit what was taught."""
    return sum(max(0.0, max(look.top() for look in some) - 0.5) for some in looks.values())


def _logistic(weights: Sequence[float], *values: float) -> float:
    total = weights[0] + sum(w * v for w, v in zip(weights[1:], values, strict=True))
    return float(1 / (1 + np.exp(-np.clip(total, -30, 30))))


def _bonus(cell: Cell, size: Size, prior: Prior) -> Floats:
    bonus = np.zeros(len(size.answers), np.float32)
    if prior.possible is not None:
        bonus += [0 if answer.face in prior.possible else -9 for answer in size.answers]
    if prior.expected is not None:
        here = {piece[:2] for piece in prior.expected.get(cell, ())}
        bonus += [EXPECTED_BONUS if answer[:2] in here else 0 for answer in size.answers]
    return bonus


def _fitting(size: Size, board: Board) -> list[Cell]:
    """The places that a face of this size can lie on."""
    slack = 1.15
    return [
        cell
        for cell, place in enumerate(board.places)
        if size.width <= place.width * slack and size.height <= place.height * slack
    ]


def _spot(place: Place, width: float, height: float) -> Place:
    return place._replace(width=width, height=height)
