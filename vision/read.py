"""Reads a photograph of the board: which face lies where, how it is turned, what stands on it, how surely.

Every place is cut straight, turned into a code and compared with the codes of the taught faces in all their
turns. Where that is not clear at once, it is looked at again a little shifted, turned and scaled, since
people lay tiles askew. Where something stands, it is hidden in the crop and in the taught pictures alike, so
that only the rest of the face counts. A place that is not clear even then is unsure.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from math import exp, log
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from companion.engine.action import Cell
from companion.engine.layout import COVERED, RIM, UPRIGHT_KINDS, Board, Face, Layout, Piece, Place
from companion.engine.observation import Blur, Observation, Reading
from vision.colours import ColourLink, log_colours
from vision.embed import CODE, SIDE, Embedding, embed
from vision.faces import (
    MARGIN,
    WIDE,
    AnswerScores,
    Look,
    Size,
    refine,
    sizes,
    straight_look,
)
from vision.ground import UNLIKE_GROUND, BareGround, GroundMatch, Spot, SpotLook, ground_colours
from vision.images import Floats, Image, Mask
from vision.overlay import Template, discriminate, overlay
from vision.pose import PixelMap
from vision.reading_limits import LIMITS
from vision.rectify import stack
from vision.standing import StandingPieces, Trace
from vision.teach import AROUND, EMPTY, PIXELS, TRAY, FaceLibrary, codes

CONFIDENCE = Path(__file__).parent / "weights" / "confidence.json"
_MARGIN_PX = round(WIDE * MARGIN / (1 + 2 * MARGIN))


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

    `piece` says from (1, likeness, agreement, bareness) whether one of the taught faces lies there. `bare`
    says from these and `GroundMatch.features` whether nothing does, `bare_known` the same of a place that was
    seen bare before. What is neither is a face that was not taught, or covered. `stands` says from (1, area,
    heat) whether a certain pawn or figure stands there, `anything` whether any does.
    """

    piece: tuple[float, ...]
    bare: tuple[float, ...]
    bare_known: tuple[float, ...]
    stands: tuple[float, ...]
    anything: tuple[float, ...]
    sure: float
    """A reading of less confidence is unsure."""

    @classmethod
    def load(cls) -> Model:
        """Reads the fitted weights that belong to the network."""
        values = json.loads(CONFIDENCE.read_text(encoding="utf-8"))
        models = {name: tuple(values[name]) for name in cls._fields if name != "sure"}
        return cls(**models, sure=float(values["sure"]))


class RankedAnswers(NamedTuple):
    """All that speaks for the answers at one place."""

    look: Look
    total: Floats
    """The score of each answer, with what being expected adds."""
    scores: AnswerScores
    order: tuple[int, ...]
    """The answers, best first."""
    discrimination: float
    """What the pixels say in which the best answer differs from the others: 1 if they are clearly its own."""
    colour: float
    """How far the colours are from those of the best answer, see `ColourLink.distance`."""

    def features(self) -> tuple[float, float, float, float]:
        """What being right is judged by: discrimination, likeness, agreement, likeness in colour."""
        return self.discrimination, *self._of_best(), -self.colour

    def _of_best(self) -> tuple[float, float]:
        """Likeness and agreement of the best answer."""
        first = self.order[0]
        return float(self.scores.likeness[first]), float(self.scores.agreement[first])

    def piece_features(self) -> tuple[float, float, float]:
        """What it is judged by whether a taught face lies there at all: likeness, agreement, bareness.

        The first two as logarithms of what they lack, since the difference of 0.9 and 0.98 is a large one.
        """
        nearly, agreeing = (-log(max(1.02 - one, 0.01)) for one in self._of_best())
        return nearly, agreeing, min(max(self.look.bare, -8.0), 8.0)


class RoomView(NamedTuple):
    """A crop of a whole place and its surroundings, and where something seems to stand in it."""

    crop: Image
    heat: Floats
    mm: tuple[float, float]


class StandingEvidence(NamedTuple):
    """What speaks for standing pieces at one place."""

    odds: Floats
    """For each kind of standing piece that at least one is there."""
    anything: float
    """The chance that anything stands there, if a face lies below."""
    strange: float = 0.0
    """How much there is that no taught face or ground explains, as a share of a foot."""
    more: tuple[tuple[float, ...], ...] = ()
    """For each kind the chances that there are two of them if there is one, three if there are two, ..."""


class _PlaceSampler:
    """Where the places of a board are in the pictures of one pose."""

    _POINTS = 12
    _SHRINK = 4

    def __init__(self, image: Image, pose: PixelMap, board: Board) -> None:
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


class _ReadCache(NamedTuple):
    """The readings of the last frame, and the pose and prior that they hold for."""

    pose: PixelMap
    prior: Prior
    spots: _PlaceSampler
    signature: Floats
    readings: dict[Cell, Reading]
    tries: dict[Cell, int]


def _unchanged(
    before: _ReadCache, signature: Floats, sure: float
) -> tuple[dict[Cell, Reading], dict[Cell, int]]:
    """The readings that still hold, and how often each unchanged place was looked at."""
    apart = np.abs(signature - before.signature)
    spots = np.sort(apart.max(2), axis=1)
    # A small sign that has changed shows at two spots, but clearly.
    is_small = (np.quantile(spots, 0.95, axis=1) < LIMITS.changed_patch) & (
        spots[:, -2] < LIMITS.changed_spot
    )
    still = (apart.mean(axis=(1, 2)) < LIMITS.changed_mean) & is_small
    tries = {cell: n for cell, n in before.tries.items() if still[cell]}
    kept = {
        cell: reading
        for cell, reading in before.readings.items()
        if cell in tries and (reading.confidence >= sure or tries[cell] >= LIMITS.unsure_retries)
    }
    return kept, tries


class Reader:
    """Reads photographs of one board by the faces of a library."""

    def __init__(self, library: FaceLibrary, board: Board, model: Model | None = None) -> None:
        self.board = board
        self.model = model or Model.load()
        widest = max(min(place.width, place.height) for place in board.places)
        known = [f for f in board.faces if f.name in library.pictures]
        upright = [f for f in known if f.kind in UPRIGHT_KINDS and f.width < LIMITS.upright_width * widest]
        self.standing = StandingPieces(upright, library) if upright else None
        lying = [f for f in known if f not in upright]
        self.sizes = self._sizes(lying, library)
        self.fits = [_fitting(size, board) for size in self.sizes]
        other = library.trimmed()
        self._trimmed_sizes = None if other is None else self._sizes(lying, other)
        empty = library.pictures.get(EMPTY)
        self._empty = None if empty is None else codes(empty, (0, 1, 2, 3)).reshape(-1, CODE)
        covered = {cell for cells in self.fits for cell in cells}
        self._roomy = {cell for cell in covered if self.standing is not None and self._is_roomy(cell)}
        """Places on which pieces stand beside what lies there."""
        self._cache: _ReadCache | None = None
        self._stands: dict[Cell, StandingEvidence] = {}
        self._ground = BareGround(empty)
        self._looked: dict[Spot, SpotLook] = {}
        """What the places looked like when they were read last."""
        self._link = ColourLink()
        self._pawns_only = [cell for cell in range(len(board.places)) if cell not in covered]

    def _sizes(self, faces: Sequence[Face], library: FaceLibrary) -> list[Size]:
        """The faces by their size, dice apart: they lie in the tray alone."""
        tall = {
            face.name: _without_surroundings(library.pictures[face.name])
            for face in faces
            if face.kind in UPRIGHT_KINDS
        }
        cut = FaceLibrary(library.game, {**library.pictures, **tall})
        dice = [face for face in faces if face.kind == "die"]
        return [*sizes([face for face in faces if face not in dice], cut), *sizes(dice, cut)]

    def read(
        self, image: Image, pose: PixelMap, prior: Prior = _NO_PRIOR, time_s: float = 0.0
    ) -> Observation:
        """Reads every place that lies within the picture.

        Seen again from the same pose, a place that has not changed keeps its reading; one that was unsure is
        looked at a few more times.
        """
        before = self._cache if self._cache and (pose, prior) == self._cache[:2] else None
        spots = before.spots if before else _PlaceSampler(image, pose, self.board)
        signature = spots.signature(image)
        if before is None:
            self._stands = {}
            self._ground.forget_looks()
            self._looked = {}
            self._link = ColourLink()
        kept, tries = ({}, {}) if before is None else _unchanged(before, signature, self.model.sure)
        fresh = [cell for cell in spots.inside if cell not in kept]
        readings = kept | self._read_places(image, pose, prior, fresh) if fresh else kept
        tries |= {cell: tries.get(cell, 0) + 1 for cell in fresh}
        self._cache = _ReadCache(pose, prior, spots, signature, readings, tries)
        readings = dict(sorted(readings.items()))
        unsure = [cell for cell, reading in readings.items() if reading.pieces is None]
        blurs = self._blurs(image, pose, {cell: readings[cell] for cell in unsure})
        if self.standing is None:
            return Observation(readings, time_s, blurs=blurs)
        return Observation(readings, time_s, self.standing.alike, self.standing.by_outline, blurs)

    def _blurs(self, image: Image, pose: PixelMap, unsure: Mapping[Cell, Reading]) -> dict[Cell, Blur]:
        """Why places could not be read, where that can be said."""
        if not unsure:
            return {}
        seen = stack(image, pose, tuple(self.board.places[cell] for cell in unsure), SIDE)
        found = {cell: _blur(crop, unsure[cell]) for cell, crop in zip(unsure, seen, strict=True)}
        return {cell: why for cell, why in found.items() if why is not None}

    def _can_stand(self, cell: Cell) -> bool:
        """Whether a place is large enough for any standing piece; others only lean over it."""
        place = self.board.places[cell]
        return self.standing is not None and any(
            min(face.width, face.height) <= LIMITS.fit_slack * min(place.width, place.height)
            for face in self.standing.faces
        )

    def _is_roomy(self, cell: Cell) -> bool:
        place = self.board.places[cell]
        fitting = [size for size, cells in zip(self.sizes, self.fits, strict=True) if cell in cells]
        return all(
            size.width < LIMITS.roomy_share * place.width and size.height < LIMITS.roomy_share * place.height
            for size in fitting
        )

    def _read_places(
        self, image: Image, pose: PixelMap, prior: Prior, cells: Collection[Cell]
    ) -> dict[Cell, Reading]:
        white = white_at(image, pose, self.board)
        looks = self.look(image, pose, white, cells)
        if self._trimmed_sizes is not None:
            looks = self._choose_pictures(looks, image, pose, white, cells)
        lying: dict[Cell, Reading] = {}
        stands = {cell: some for cell, some in self._stands.items() if cell not in cells}
        self.look_at_ground(looks, white, cells)
        self.link_colours(looks, white, cells)
        room_views = self._room_views(image, pose, white, cells)
        for cell, some in looks.items():
            paper = None if white is None else white[cell]
            if cell in room_views:
                lying[cell], traces = self._read_room(cell, some, paper, prior, room_views.pop(cell))
            else:
                lying[cell], traces = self._read_place(cell, some, paper, prior)
            stands[cell] = self._standing_evidence(traces if self._can_stand(cell) else [])
        for cell, room in room_views.items():
            assert self.standing is not None
            paper = None if white is None else white[cell]
            traces = self.standing.traces(room.crop, room.heat, paper, None, room.mm)
            lying[cell], stands[cell] = _NOTHING, self._standing_evidence(traces)
        self._stands = stands
        total = np.sum([one.odds for one in stands.values()], axis=0)
        return {cell: self._add_standing(stands[cell], total, reading) for cell, reading in lying.items()}

    def see_bare(self, image: Image, pose: PixelMap) -> None:
        """Remembers what the places look like on a board on which nothing lies."""
        white = white_at(image, pose, self.board)
        looks = self.look(image, pose, white, range(len(self.board.places)))
        self._ground.remember(self._spots(looks, white))

    def learn_bare(self, cells: Collection[Cell]) -> None:
        """Remembers what places looked like when they were read last, for nothing lies on them.

        Those of which that was not known, and which were unsure, are read anew.
        """
        bare = {spot: look for spot, look in self._looked.items() if spot[0] in cells}
        if self._cache is not None:
            for cell in {spot[0] for spot in bare if self._ground.known(spot, self._at(spot[0])) is None}:
                if self._cache.readings[cell].pieces is None:
                    self._cache.tries.pop(cell, None)
        self._ground.remember(bare)

    def link_colours(
        self, looks: Mapping[Cell, list[Look]], white: Floats | None, cells: Collection[Cell]
    ) -> None:
        """Notes how the colours differ from the taught ones where a face is made out clearly."""
        self._link.forget(cells)
        if white is None:
            return
        for cell, some in looks.items():
            look = max(some, key=Look.top)
            if look.top() > LIMITS.first_look_likeness and look.margin() > LIMITS.linked_margin:
                answer = int(look.likeness.argmax())
                seen = log_colours(look.straight, white[cell])
                taught = look.colours(answer, look.straight)
                self._link.note(cell, look.size.answers[answer].face, seen, taught)

    def look_at_ground(
        self, looks: Mapping[Cell, list[Look]], white: Floats | None, cells: Collection[Cell]
    ) -> None:
        """Notes the ground of places; those that are unlike any face may be bare."""
        found = self._spots(looks, white)
        kept = {spot: look for spot, look in self._looked.items() if spot[0] not in cells}
        self._looked = {**kept, **found}
        likeness = {cell: max(look.top() for look in some) for cell, some in looks.items()}
        unlike = {spot: one for spot, one in found.items() if likeness[spot[0]] < LIMITS.unlike_any_face}
        self._ground.look(cells, unlike)

    def _spots(self, looks: Mapping[Cell, list[Look]], white: Floats | None) -> dict[Spot, SpotLook]:
        """What places look like in all sizes in which they are looked at."""
        return {
            (cell, look.size.width, look.size.height): SpotLook(
                ground_colours(_middle(look.wide), None if white is None else white[cell]),
                look.straight,
                self.board.places[cell][1:3],
            )
            for cell, some in looks.items()
            for look in some
        }

    def _at(self, cell: Cell) -> tuple[float, float] | None:
        """Where a place lies, if its ground may be another than before."""
        return self.board.places[cell][1:3] if self.board.is_bare else None

    def look(
        self, image: Image, pose: PixelMap, white: Floats | None, cells: Collection[Cell]
    ) -> dict[Cell, list[Look]]:
        """Looks once at places, in every size that fits each."""
        found: dict[Cell, list[Look]] = {}
        for size, fits in zip(self.sizes, self.fits, strict=True):
            here = [cell for cell in fits if cell in cells]
            if not here:
                continue
            places = tuple(_resized(self.board.places[cell], size.width, size.height) for cell in here)
            wide = stack(image, pose, places, WIDE, MARGIN)
            middle = wide[:, _MARGIN_PX:-_MARGIN_PX, _MARGIN_PX:-_MARGIN_PX]
            crops = [cv2.resize(one, (SIDE, SIDE), interpolation=cv2.INTER_AREA) for one in middle]
            seen = embed(crops, None if white is None else white[here])
            likeness = size.likeness(seen.code)
            bare = self._bareness(seen, likeness)
            for i, cell in enumerate(here):
                look = Look.at(size, seen.code[i], likeness[i], float(bare[i]), seen.heat[i], wide[i])
                found.setdefault(cell, []).append(look)
        return found

    def _bareness(self, seen: Embedding, likeness: Floats) -> Floats:
        """How bare places look: as the network says, or by how much more they are like taught bare places."""
        if self._empty is None:
            return seen.bare
        taught = (seen.code @ self._empty.T).max(1)
        ahead = LIMITS.taught_bare_gain * (taught - np.maximum(likeness.max(1), LIMITS.unlike_any_face))
        return np.asarray(np.maximum(seen.bare, ahead), np.float32)

    def _choose_pictures(
        self,
        looks: dict[Cell, list[Look]],
        image: Image,
        pose: PixelMap,
        white: Floats | None,
        cells: Collection[Cell],
    ) -> dict[Cell, list[Look]]:
        """Tries the taught pictures whole and without their rim, and stays with what fits better."""
        assert self._trimmed_sizes is not None
        whole, self.sizes, self._trimmed_sizes = self.sizes, self._trimmed_sizes, None
        trimmed = self.look(image, pose, white, cells)
        if _total_fit(trimmed) > LIMITS.trimmed_gain * _total_fit(looks):
            return trimmed
        self.sizes = whole
        return looks

    def traces(
        self,
        look: Look,
        crop: Image,
        white: Floats | None,
        answer: int | None,
        known: Mask | None = None,
        bare: SpotLook | None = None,
    ) -> list[Trace]:
        """What speaks for each standing piece at a place on which this answer lies.

        Pixels that are `known` to be something else are no trace. Where nothing lies, what differs from the
        place as it looked `bare` is one, if that was seen.
        """
        if self.standing is None:
            return []
        below = None if answer is None else look.overlay(answer, crop)
        mm = (look.size.width, look.size.height)
        traces = self.standing.traces(crop, look.heat, white, below, mm, known)
        if answer is None and bare is not None and any(trace.area > LIMITS.trace_area for trace in traces):
            ground = overlay(Template.of(bare.picture[None]), crop)
            traces = self.standing.traces(crop, look.heat, white, ground, mm, known, is_ground=True)
        for i, face in enumerate(self.standing.faces):
            side = min(face.width, face.height)
            if traces[i].area > LIMITS.trace_area and side * side < LIMITS.tiny_share * mm[0] * mm[1]:
                part = _close_up(
                    look.wide,
                    traces[i].middle(),
                    (LIMITS.close_up_width * side / mm[0], LIMITS.close_up_width * side / mm[1]),
                )
                heat = embed(part[None], None if white is None else white[None]).heat[0, 1:-1, 1:-1]
                traces[i] = traces[i]._replace(heat=max(traces[i].heat, float(heat.max())))
        return traces

    def hidden_mask(self, look: Look, white: Floats | None) -> Mask | None:
        """What must be hidden because something may stand there: a mask of the crop, or None."""
        likely = int(look.likeness.argmax()) if look.top() > LIMITS.bare_likeness else None
        return _mask_standing(self.traces(look, look.straight, white, likely))

    def rank_answers(
        self, cell: Cell, look: Look, white: Floats | None, hidden: Mask | None, prior: Prior = _NO_PRIOR
    ) -> RankedAnswers:
        """Collects what speaks for each answer; looks again where the first look was not clear."""
        is_clear = look.top() > LIMITS.refined_likeness or (
            look.top() > LIMITS.first_look_likeness and look.margin() > LIMITS.first_look_margin
        )
        is_bare = look.top() < LIMITS.bare_likeness and look.bare > LIMITS.bare_score
        if hidden is None and (is_clear or is_bare):
            scores = straight_look(look)
        else:
            scores = refine(look, white, hidden)
        score = scores.score() + _bonus(cell, look.size, prior)
        order = [int(answer) for answer in np.argsort(-score)[:6]]
        rivals = [
            answer
            for answer in order[: LIMITS.max_rivals]
            if score[answer] > score[order[0]] - LIMITS.close_score
        ]
        if scores.likeness[order[0]] < LIMITS.compare_likeness:
            rivals = rivals[:1]
        best, told = _discriminate_rivals(look, scores.crop, rivals, hidden)
        order.remove(best)
        colour = 0.0
        if white is not None:
            seen, taught = log_colours(scores.crop, white), look.colours(best, scores.crop, hidden)
            colour = self._link.distance(look.size.answers[best].face, seen, taught, hidden)
        return RankedAnswers(look, score, scores, (best, *order), told, colour)

    def identify(self, picture: Image, kinds: Collection[str] = ("card",)) -> Reading:
        """Says which face a straightened picture of one loose piece shows."""
        names = {face.name for face in self.board.faces if face.kind in kinds}
        crop = np.asarray(cv2.resize(picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.uint8)
        inner = cv2.resize(
            picture, (WIDE - 2 * _MARGIN_PX, WIDE - 2 * _MARGIN_PX), interpolation=cv2.INTER_AREA
        )
        bordered = cv2.copyMakeBorder(
            inner, _MARGIN_PX, _MARGIN_PX, _MARGIN_PX, _MARGIN_PX, cv2.BORDER_REPLICATE
        )
        wide = np.asarray(bordered, np.uint8)
        seen = embed(crop[None])
        looks = [
            Look.at(size, seen.code[0], size.likeness(seen.code)[0], float(seen.bare[0]), seen.heat[0], wide)
            for size in self.sizes
            if any(answer.face in names for answer in size.answers)
        ]
        if not looks:
            return Reading(None, 0.0)
        best = max(looks, key=Look.top)
        return self._to_reading(self.rank_answers(-1, best, None, None, Prior(possible=names)))

    def _read_place(
        self, cell: Cell, looks: list[Look], white: Floats | None, prior: Prior
    ) -> tuple[Reading, list[Trace]]:
        """Reads what lies on a place, and looks for traces of what stands on it."""
        look = max(looks, key=Look.top)
        likely = int(look.likeness.argmax())
        below = likely if look.top() > LIMITS.bare_likeness else None
        bare = self._ground.known((cell, look.size.width, look.size.height), self._at(cell))
        traces = self.traces(look, look.straight, white, below, None, bare)
        top, known = self._token_on_top(cell, look, looks, traces, white, prior)
        if known is not None:
            traces = self.traces(look, look.straight, white, below, known, bare)
        hidden = _union(_mask_standing(traces), known)
        ranked = self.rank_answers(cell, look, white, hidden, prior)
        reading = self._to_reading(ranked, self.ground_match(cell, look, white, hidden, prior))
        if top is not None:
            reading = self._combined(reading, top.guesses)
        elif reading.pieces != ():
            larger = [one for one in looks if one.size.width > LIMITS.base_ratio * look.size.width]
            if larger:
                return self._read_base(cell, reading, look, max(larger, key=Look.top), white, prior, traces)
        lies = ranked.order[0] if reading.guesses[0][0] else None
        if lies != likely or ranked.scores.crop is not look.straight:
            traces = self.traces(look, ranked.scores.crop, white, lies, known, bare)
        return reading, traces

    def _token_on_top(
        self,
        cell: Cell,
        look: Look,
        looks: list[Look],
        traces: Sequence[Trace],
        white: Floats | None,
        prior: Prior,
    ) -> tuple[Reading | None, Mask | None]:
        """A small piece in the middle of a larger face that does not explain it, and what it hides.

        One that is hardly made out hides nothing: it may not be there.
        """
        smaller = [one for one in looks if LIMITS.base_ratio * one.size.width < look.size.width]
        if not smaller or not traces:
            return None, None
        small = max(smaller, key=Look.top)
        if look.top() < LIMITS.unlike_any_face and small.top() < LIMITS.token_likeness_without_face:
            return None, None
        cover = _cover(small.size, look.size)
        every = _union(traces[-1].where, traces[-1].others)
        assert every is not None
        seen = [trace for trace in traces[:-1] if trace.area > LIMITS.unexplained_area]
        may_stand = any(_overlap(trace.where, cover) > LIMITS.standing_overlap for trace in seen)
        if small.top() > LIMITS.token_likeness_coloured:
            seen = [
                trace
                for trace in seen
                if trace.area * _overlap(trace.where, cover) > LIMITS.whole_standing_area
            ]
        strange = every & ~_where_any(seen)
        if small.top() < LIMITS.token_likeness or strange[cover].mean() < LIMITS.token_fill:
            return None, None
        top = self._to_reading(self.rank_answers(cell, small, white, None, prior), UNLIKE_GROUND)
        if top.guesses[0][0] and top.confidence > (
            LIMITS.token_confidence_near_standing if may_stand else LIMITS.token_confidence
        ):
            return top, cover
        # What looks like one, and is not where anything stands, may be one that is hardly made out.
        return (None if may_stand or small.top() < LIMITS.token_likeness_coloured else _doubtful(top)), None

    def _read_room(
        self, cell: Cell, looks: list[Look], white: Floats | None, prior: Prior, room: RoomView
    ) -> tuple[Reading, list[Trace]]:
        """Reads a place that is larger than what lies in its middle, and looks for what stands beside it."""
        assert self.standing is not None
        look = max(looks, key=Look.top)
        across, along = look.size.width / room.mm[0], look.size.height / room.mm[1]
        ranked = self.rank_answers(cell, look, white, None, prior)
        reading = self._to_reading(ranked, self.ground_match(cell, look, white, None, prior))
        lies = _central_box(RIM * across, RIM * along) if reading.pieces else None
        traces = self.standing.traces(room.crop, room.heat, white, None, room.mm, lies)
        hidden = None if lies is not None else _inner(_mask_standing(traces), across, along)
        if hidden is None:
            return reading, traces
        if hidden.mean() > COVERED:
            return _NOTHING, traces
        ranked = self.rank_answers(cell, look, white, hidden, prior)
        return self._to_reading(ranked, self.ground_match(cell, look, white, hidden, prior)), traces

    def _standing_evidence(self, traces: Sequence[Trace]) -> StandingEvidence:
        if self.standing is None or not traces:
            kinds = 0 if self.standing is None else len(self.standing.faces)
            return StandingEvidence(np.zeros(kinds, np.float32), 0.0)
        chances = np.array(
            [
                _logistic(self.model.stands, trace.area, trace.heat) * self._outline_share(i, traces)
                if trace.area
                else 0.0
                for i, trace in enumerate(traces[:-1])
            ],
            np.float32,
        )
        odds = np.asarray(chances / np.maximum(1 - chances, 1e-9), np.float32)
        strange, heat, *_ = traces[-1]
        anything = _logistic(self.model.anything, strange, heat)
        more = tuple(
            tuple(_logistic(LIMITS.count_model, fill) for fill in trace.fills[1:]) for trace in traces[:-1]
        )
        return StandingEvidence(odds, anything, strange, more)

    def _outline_share(self, kind: int, traces: Sequence[Trace]) -> float:
        """The chance that a patch of a colour is this kind and not another of the same colour."""
        assert self.standing is not None
        rivals = self.standing.rivals(kind)
        if len(rivals) == 1:
            return 1.0
        apart = {i: abs(traces[i].long - self.standing.taught[i].long) for i in rivals}
        near = {i: float(np.exp(-((far / LIMITS.outline_spread) ** 2))) + 1e-3 for i, far in apart.items()}
        return near[kind] / sum(near.values())

    def _add_standing(self, here: StandingEvidence, total: Floats, below: Reading) -> Reading:
        """Adds the pieces that stand on what lies there; `total` are the odds of all places together.

        Where a game has several standing pieces each is there once, so places compete for it.
        """
        if self.standing is None:
            return below
        is_one = np.array(self.standing.counts) == 1 if len(self.standing.faces) > 1 else False
        chances = here.odds / (1 + np.where(is_one, total, here.odds))
        sets: list[tuple[tuple[Piece, ...], float]] = [((), 1.0)]
        for i, (face, chance) in enumerate(zip(self.standing.faces, chances, strict=True)):
            if chance < LIMITS.least_chance:
                continue
            numbers = _count_probabilities(float(chance), here.more[i] if here.more else ())
            some = [
                ((*pieces, *[Piece(face.name)] * n), p * q) for pieces, p in sets for n, q in numbers.items()
            ]
            sets = sorted((one for one in some if one[1] > LIMITS.least_chance), key=lambda one: -one[1])[
                : LIMITS.max_standing_sets
            ]
        if not sets[0][0] and (below.pieces or here.strange > LIMITS.unknown_area):
            sets = [(pieces, p if pieces else p * (1 - here.anything)) for pieces, p in sets]
        return self._combined(below, sets)

    def _read_base(
        self,
        cell: Cell,
        top: Reading,
        look: Look,
        below: Look,
        white: Floats | None,
        prior: Prior,
        traces: list[Trace],
    ) -> tuple[Reading, list[Trace]]:
        """Looks at what lies under a small piece, if enough shows: the rest is compared with larger faces."""
        hidden = _cover(look.size, below.size)
        if hidden.mean() > COVERED:
            return top, traces
        ranked = self.rank_answers(cell, below, white, hidden, prior._replace(possible=self._flat(prior)))
        base = self._to_reading(ranked)
        if base.guesses[0][0]:  # something may stand beside the small piece
            traces = self.traces(below, ranked.scores.crop, white, ranked.order[0], hidden)
            beside = _mask_standing(traces)
            if beside is not None:
                ranked = self.rank_answers(cell, below, white, hidden | beside, prior)
                base = self._to_reading(ranked)
        return self._combined(base, top.guesses), traces

    def _flat(self, prior: Prior) -> set[str]:
        """The faces that may lie under something else: nothing lies on a figure."""
        flat = {face.name for face in self.board.faces if face.kind not in UPRIGHT_KINDS}
        return flat if prior.possible is None else flat.intersection(prior.possible)

    def _combined(self, below: Reading, above: Sequence[tuple[tuple[Piece, ...], float]]) -> Reading:
        """A reading with further pieces on top: those of `above` that are likeliest, best first."""
        best, confidence = above[0]
        total = below.confidence * confidence
        guesses = sorted(
            (((*pieces, *more), p * q) for pieces, p in below.guesses for more, q in above),
            key=lambda guess: -guess[1],
        )
        named = tuple(guess for i, guess in enumerate(guesses) if i == 0 or guess[1] > 0.001)
        if below.pieces is None or total < (self.model.sure if best else LIMITS.sure_nothing_stands):
            return Reading(None, total, named)
        return Reading((*below.pieces, *best), total, named)

    def ground_match(
        self,
        cell: Cell,
        look: Look,
        white: Floats | None,
        hidden: Mask | None,
        prior: Prior = _NO_PRIOR,
    ) -> GroundMatch:
        """How far a place is from bare ground, as far as it is not hidden."""
        spot = (cell, look.size.width, look.size.height)
        colours = ground_colours(_middle(look.wide), white, hidden)
        found = self._ground.match(spot, colours, self._at(cell))
        return found._replace(is_expected=prior.expected is not None and not prior.expected.get(cell))

    def _to_reading(self, ranked: RankedAnswers, ground: GroundMatch | None = None) -> Reading:
        """Makes a reading of the evidence; without `ground`, what shows no known face is bare."""
        features = ranked.features()
        piece = _logistic(self.model.piece, *ranked.piece_features())
        bare = 1 - piece if ground is None else self._bareness_of(ranked, ground)
        # Each model weighs its answer against all others: their odds are of one and the same rest.
        odds = [one / max(1 - one, 1e-9) for one in (piece, bare)]
        piece, bare = (one / (1 + sum(odds)) for one in odds)
        right = piece
        for (steep, half), value in zip(LIMITS.right_models, features, strict=True):
            right *= _logistic((-steep * half, steep), value)
        score = ranked.total[list(ranked.order)]
        # The probability that the best answer does not get goes to the others, none of them above the best.
        others = np.exp(np.minimum(score[1:] - score[0], 0) / 0.03)
        others = others / (others.sum() + 1) * (piece - right)
        answers = [(ranked.look.size.answers[i],) for i in ranked.order]
        guesses: list[tuple[tuple[Piece, ...], float]] = [(answers[0], right), ((), bare)]
        guesses += zip(answers[1:], map(float, others), strict=True)
        (best, confidence), *rest = sorted(guesses, key=lambda guess: -guess[1])
        named = ((best, confidence), *(guess for guess in rest if guess[1] > 0.001))
        return Reading(best if confidence >= LIMITS.sure_nothing_stands else None, confidence, named)

    def _bareness_of(self, ranked: RankedAnswers, ground: GroundMatch) -> float:
        """The probability that nothing lies on a place."""
        constant, *slopes = self.model.bare_known if ground.is_known else self.model.bare
        if ground.is_expected and not ground.is_known:
            constant += LIMITS.expected_bare
        return _logistic((constant, *slopes), *ranked.piece_features(), *ground.features())

    def _room_views(
        self, image: Image, pose: PixelMap, white: Floats | None, fresh: Collection[Cell]
    ) -> dict[Cell, RoomView]:
        """Looks at the places on which nothing but pawns can be, and at roomy ones."""
        cells = [cell for cell in (*self._pawns_only, *sorted(self._roomy)) if cell in fresh]
        if not cells or self.standing is None:
            return {}
        widest = max(face.width for face in self.standing.faces)
        spots = []
        for cell in cells:
            place = self.board.places[cell]
            if cell in self._roomy:
                spots.append(
                    _resized(
                        place,
                        place.width + LIMITS.lean_width * widest,
                        place.height + LIMITS.lean_width * widest,
                    )
                )
            else:
                spots.append(_resized(place, LIMITS.close_up_width * widest, LIMITS.close_up_width * widest))
        crops = stack(image, pose, tuple(spots), SIDE)
        heat = embed(crops, None if white is None else white[cells]).heat
        return {
            cell: RoomView(crop, hot, (spot.width, spot.height))
            for cell, spot, crop, hot in zip(cells, spots, crops, heat, strict=True)
        }


def white_at(image: Image, pose: PixelMap, board: Board) -> Floats | None:
    """What a white sheet would look like at every place, from the paper of the markers; None if unknown."""
    paper = tuple(Place("", *m.middle(), m.size, m.size, turn=m.turn) for m in board.markers)
    if not paper:
        return None
    flat = stack(image, pose, paper, 16).reshape(len(paper), -1, 3).astype(np.float32)
    light, dark = np.percentile(flat, 85, axis=1), np.percentile(flat, 15, axis=1)
    clear = (light.mean(1) > 1.6 * dark.mean(1) + 6) & (light.mean(1) > 12)
    if clear.sum() < 2:
        return None
    at = np.array([(p.x, p.y) for p in paper])[clear]
    to = np.array([(p.x, p.y) for p in board.places])
    near = 1 / (((to[:, None] - at[None]) ** 2).sum(2) + 400)
    return np.asarray(near @ light[clear] / near.sum(1, keepdims=True), np.float32)


def _blur(crop: Image, reading: Reading) -> Blur | None:
    """Why a place could not be read: too dark, glare, or nothing that was taught explains it."""
    if float(np.quantile(crop, 0.9)) < LIMITS.dark:
        return "dark"
    if (crop.min(2) > LIMITS.glaring).mean() > LIMITS.glare_share:
        return "glare"
    named = sum(probability for _, probability in reading.guesses)
    return "unknown" if named < LIMITS.explained else None


def _middle(wide: Image) -> Image:
    """A crop without the surroundings of its place."""
    return wide[_MARGIN_PX:-_MARGIN_PX, _MARGIN_PX:-_MARGIN_PX]


def _close_up(wide: Image, middle: tuple[float, float], share: tuple[float, float]) -> Image:
    """Cuts a spot out of a place: its middle and its size as shares of the place."""
    inner = WIDE - 2 * _MARGIN_PX
    half = [inner * one / 2 for one in share]
    x, y = (_MARGIN_PX + inner * one for one in middle)
    matrix = np.array([[SIDE / half[0] / 2, 0, 0], [0, SIDE / half[1] / 2, 0]])
    matrix[:, 2] = (SIDE - 1) / 2 - matrix[:, :2] @ np.array([x - 0.5, y - 0.5])
    part = cv2.warpAffine(wide, matrix, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(part, np.uint8)


def _central_box(across: float, along: float) -> Mask:
    """A mask of the middle of a crop: these shares of its width and height."""
    y, x = np.abs(np.mgrid[0:SIDE, 0:SIDE] / (SIDE - 1) * 2 - 1)
    return np.asarray((x < across) & (y < along))


def _cover(small: Size, large: Size) -> Mask:
    """What a small piece in the middle of a larger one hides of it."""
    return _central_box(RIM * small.width / large.width, RIM * small.height / large.height)


def _union(one: Mask | None, other: Mask | None) -> Mask | None:
    """The union of two masks, either of which may be missing."""
    if one is None or other is None:
        return other if one is None else one
    return one | other


def _inner(mask: Mask | None, across: float, along: float) -> Mask | None:
    """The middle of a mask, these shares of its width and height, enlarged to a mask; None if it is empty."""
    if mask is None:
        return None
    x, y = (round(SIDE * (1 - share) / 2) for share in (across, along))
    part = mask[y : SIDE - y, x : SIDE - x].astype(np.uint8)
    inner = cv2.resize(part, (SIDE, SIDE), interpolation=cv2.INTER_NEAREST) > 0
    return inner if inner.any() else None


def _count_probabilities(chance: float, more: Sequence[float]) -> dict[int, float]:
    """How likely it is that none, one, two... are there."""
    numbers, left = {0: 1 - chance}, chance
    for n, further in enumerate((*more, 0.0), 1):
        numbers[n], left = left * (1 - further), left * further
    return numbers


def _doubtful(top: Reading) -> Reading:
    """A reading of a small piece that may as well be nothing."""
    some = [(pieces, p) for pieces, p in top.guesses if pieces]
    share = LIMITS.doubtful_token / max(sum(p for _, p in some), 1e-9)
    return Reading(
        None,
        1 - LIMITS.doubtful_token,
        (((), 1 - LIMITS.doubtful_token), *((pieces, p * share) for pieces, p in some)),
    )


def _overlap(part: Mask, whole: Mask) -> float:
    """How much of a mask lies within another."""
    return float((part & whole).sum() / max(part.sum(), 1))


def _where_any(traces: Sequence[Trace]) -> Mask:
    """Where any of these traces is."""
    return np.asarray(np.any([np.zeros((SIDE, SIDE), bool), *(trace.where for trace in traces)], axis=0))


def _mask_standing(traces: Sequence[Trace]) -> Mask | None:
    """What to hide of a crop: everything that may stand there."""
    masks = [t.where for t in traces[:-1] if t.area > LIMITS.trace_area or (t.area > 0.1 and t.heat > 0)]
    masks += [t.where for t in traces[-1:] if t.area > LIMITS.unexplained_area]
    masks = [mask for mask in masks if mask.mean() < LIMITS.max_hidden_share]
    if not masks:
        return None
    return cv2.dilate(np.any(masks, axis=0).astype(np.uint8), np.ones((7, 7), np.uint8)) > 0


def _discriminate_rivals(
    look: Look, crop: Image, rivals: Sequence[int], hidden: Mask | None
) -> tuple[int, float]:
    """Which of a few answers the pixels speak for in which they differ, and how clearly."""
    if len(rivals) < 2:
        return rivals[0], 1.0
    told = discriminate(crop, [look.overlay(one, crop, hidden) for one in rivals])
    best = int(told.argmax())
    seen = 1.0 if hidden is None else 1 - LIMITS.hidden_penalty * float(hidden.mean())
    return rivals[best], min(float(told[best]), 1.0) * seen * (LIMITS.overruled_factor if best else 1.0)


def _total_fit(looks: dict[Cell, list[Look]]) -> float:
    """How well the places that show a known face fit the taught pictures, in all."""
    return sum(max(0.0, max(look.top() for look in some) - 0.5) for some in looks.values())


def _logistic(weights: Sequence[float], *values: float) -> float:
    total = weights[0] + sum(w * v for w, v in zip(weights[1:], values, strict=True))
    return 1 / (1 + exp(-min(max(total, -30.0), 30.0)))


def _bonus(cell: Cell, size: Size, prior: Prior) -> Floats:
    bonus = np.zeros(len(size.answers), np.float32)
    if prior.possible is not None:
        bonus += [0 if answer.face in prior.possible else -9 for answer in size.answers]
    if prior.expected is not None:
        here = {piece[:2] for piece in prior.expected.get(cell, ())}
        bonus += [LIMITS.expected_bonus if answer[:2] in here else 0 for answer in size.answers]
    return bonus


def _fitting(size: Size, board: Board) -> list[Cell]:
    """The places that a face of this size can lie on; dice lie in the tray, and nothing else does."""
    dice = {face.name for face in board.faces if face.kind == "die"}
    is_die = size.answers[0].face in dice
    return [
        cell
        for cell, place in enumerate(board.places)
        if size.width <= LIMITS.fit_slack * place.width
        and size.height <= LIMITS.fit_slack * place.height
        and (place.zone == TRAY) == is_die
    ]


def _without_surroundings(pictures: Image) -> Image:
    """Pictures of a figure as large as its place without the table around it."""
    rim = round(PIXELS * (1 - 1 / AROUND) / 2)
    inner = [picture[rim:-rim, rim:-rim] for picture in pictures]
    return np.stack([cv2.resize(one, (PIXELS, PIXELS), interpolation=cv2.INTER_AREA) for one in inner])


def _resized(place: Place, width: float, height: float) -> Place:
    return place._replace(width=width, height=height)
