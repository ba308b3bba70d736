"""The eyes at work: frames in, and now and then a judgement of what was played.

`Eyes` follows a camera: finds the board, waits until the table rests, reads it a few times, and judges the
looks together. It changes nothing itself; whoever holds the game asks `judge` and submits what was played.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from companion.action import Cell
from companion.errors import DeviceError
from companion.game import Game
from companion.layout import Layout, Piece
from companion.options import Options
from companion.seeing import Match, NoChange, Observation, Played, Reading
from companion.state import State
from vision.camera import Camera, Frame
from vision.find import Finder, Pose, Sight
from vision.match import Ahead, could_go_on, match, same
from vision.read import Prior
from vision.settle import LONG_S, Calm, Settle

_Guess = TypeVar("_Guess", bound=Hashable)
NO_PRIOR = Prior()
LOOKS = 5
"""So many looks at one resting table are kept, the newest ones."""
AGREEING, ENOUGH = 2, 3
"""So many looks there must be before anything is said, and before an open question is asked."""
CLEAR, DENIED = 0.5, 0.05
"""A look is clear about a place if it thinks something likelier than this, and denies what it gives less."""
COMMON = 0.5
"""Unsure looks that have less of their guesses in common than this are of different pieces."""
LET_BE = 0.7
"""How likely the pieces that should be there count at a place that cannot be read and is let be."""
AGAIN_S = 1.0
"""A table that rests and was looked at often enough is looked at again so often."""


class Reads(Protocol):
    """What reading is to the eyes."""

    def read(self, image: NDArray[np.uint8], pose: Pose, prior: Prior = NO_PRIOR) -> Observation:
        """Reads every place of the board."""


class Glance(NamedTuple):
    """One frame and what came of it; `observation` only when the resting table was read."""

    frame: Frame
    sight: Sight | None
    calm: Calm | None
    observation: Observation | None
    trouble: str = ""
    """Why there is no board to be seen, as a sentence for people."""


def has_changed(before: Observation, now: Observation) -> bool:
    """Whether two looks cannot be of the same table.

    One is sure of what the other, clear too, denies, or they hardly ever name as many pieces.
    """
    for cell, new in now.readings.items():
        old = before.readings.get(cell)
        if old is None or old is new:  # a place that did not change keeps its reading
            continue
        if old.pieces != new.pieces and (_denies(old, new) or _denies(new, old)):
            return True
        if _common(_numbers(old), _numbers(new)) < DENIED:
            return True
    return False


def _denies(one: Reading, other: Reading) -> bool:
    if one.pieces is None or other.confidence < CLEAR:
        return False
    return other.pieces is not None or dict(other.guesses).get(one.pieces, 0.0) < DENIED


def _numbers(reading: Reading) -> dict[int, float]:
    """How likely a reading thinks how many pieces."""
    numbers: dict[int, float] = {}
    for pieces, p in reading.guesses:
        numbers[len(pieces)] = numbers.get(len(pieces), 0.0) + p
    return numbers


def _common(one: Mapping[_Guess, float], other: Mapping[_Guess, float]) -> float:
    """How much of what two readings think likely they have in common; all if one thinks nothing likely."""
    least = min(sum(one.values()), sum(other.values()))
    return sum(min(p, other.get(guess, 0.0)) for guess, p in one.items()) / least if least else 1.0


def _looks_otherwise(then: Reading, now: Reading) -> bool:
    """Whether a place has clearly changed: it is sure of something else, or guesses at other pieces."""
    if then.pieces is not None or now.pieces is not None:
        return now.pieces not in (None, then.pieces)
    return _common(dict(then.guesses), dict(now.guesses)) < COMMON


def _supposed(now: Reading | None, pieces: tuple[Piece, ...]) -> Reading:
    """A place that nobody could read, as it should look; it may have changed all the same."""
    guesses = {} if now is None else {other: p * (1 - LET_BE) for other, p in now.guesses}
    guesses[pieces] = guesses.get(pieces, 0.0) + LET_BE
    return Reading(None, guesses[pieces], tuple(guesses.items()))


class _Left(NamedTuple):
    """A place that is let be: how it looked, what should be there, whether players said that all is right."""

    then: Reading
    wanted: tuple[Piece, ...]
    is_said: bool


class LetBe:
    """Places that do not look as they should and that the players let be: they count as right.

    A place is heeded again as soon as it clearly looks otherwise.
    """

    def __init__(self) -> None:
        self._places: dict[Cell, _Left] = {}

    def note(self, seen: Observation, expected: Layout, cells: Collection[Cell] | None = None) -> None:
        """Lets be whatever does not look as expected now, on these places or on all."""
        kept = {} if cells is None else self._places
        self._places = kept | {
            cell: _Left(reading, tuple(expected.get(cell, ())), cells is None)
            for cell, reading in seen.readings.items()
            if (cells is None or cell in cells) and reading.pieces != expected.get(cell, ())
        }

    def heed(self, seen: Observation) -> None:
        """Forgets the places that have changed since."""
        for cell, left in list(self._places.items()):
            now = seen.readings.get(cell)
            if now is not None and _looks_otherwise(left.then, now):
                del self._places[cell]

    def expect(self, game: Game, state: State, options: Options) -> None:
        """Forgets the places on which something else should lie by now."""
        if self._places:
            expected = game.expected(state, options)
            for cell, left in list(self._places.items()):
                if expected.get(cell, ()) != left.wanted:
                    del self._places[cell]

    def applied(self, seen: Observation) -> Observation:
        """What was seen, with the places that are let be as they should look."""
        if not self._places:
            return seen
        right = {
            cell: Reading(left.wanted, 0.999)
            if left.is_said
            else _supposed(seen.readings.get(cell), left.wanted)
            for cell, left in self._places.items()
        }
        return seen._replace(readings={**seen.readings, **right})


class Eyes:
    """Looks at one table.

    `dim` may darken the lights of the table while it is entered: the reading frame is then taken inside it.
    """

    def __init__(
        self,
        camera: Camera,
        finder: Finder,
        reader: Reads,
        dim: Callable[[], AbstractContextManager[object]] = nullcontext,
    ) -> None:
        self._camera = camera
        self._finder = finder
        self._reader = reader
        self._dim = dim
        self._settle = Settle()
        self._looks: list[Observation] = []
        self._last = Observation({})
        self._let_be = LetBe()
        self._calm = Calm(0.0, False)
        self._ahead = Ahead()
        self._open: State | None = None
        """The position in which the first looks at the resting table did not settle what was played."""

    @property
    def looks(self) -> tuple[Observation, ...]:
        """The looks at the table since it came to rest."""
        return tuple(self._let_be.applied(look) for look in self._looks)

    def step(self, expected: Layout | None = None) -> Glance | None:
        """Takes in the next frame; None when the pictures are over, `DeviceError` when the camera is gone.

        `expected` is what lay there before, where the game is known: it helps to see what a pawn stands on.
        """
        frame = self._camera.read()
        if frame is None:
            return None
        try:
            sight = self._finder.look(frame.image)
        except DeviceError as error:
            self._looks.clear()
            return Glance(frame, None, None, None, str(error))
        calm = self._calm = self._settle.look(frame.image, sight, frame.time_s)
        if sight.moved_mm or not calm.is_settled():
            self._looks.clear()
            return Glance(frame, sight, calm, None)
        if len(self._looks) == LOOKS and frame.time_s - self._looks[-1].time_s < AGAIN_S:
            return Glance(frame, sight, calm, None)
        observation = self._last = self._read(frame, sight, Prior(expected))
        self._let_be.heed(observation)
        if any(has_changed(look, observation) for look in self._looks):
            self._looks.clear()  # a piece so small that the picture did not seem to move
        self._looks = [*self._looks[1 - LOOKS :], observation]
        self._settle.accept()
        return Glance(frame, sight, calm, observation)

    def _read(self, frame: Frame, sight: Sight, prior: Prior) -> Observation:
        if self._dim is not nullcontext:
            with self._dim():
                frame = self._camera.read(after_s=frame.time_s) or frame
        observation = self._reader.read(frame.image, sight.pose, prior)
        return observation._replace(time_s=frame.time_s)

    def overlook(self, expected: Layout, cells: Collection[Cell] | None = None) -> None:
        """Takes these places, or all, for what is expected as they lie now: right until they change."""
        self._let_be.note(self._last, expected, cells)

    def judge(self, game: Game, state: State, options: Options) -> Match | None:
        """Says what was played since `state`, or None while it is too early to tell.

        A move that may go on, and anything that is not clear, is given more time and more looks.
        """
        if len(self._looks) < AGREEING:
            self._open = None
            return None
        has_rested = self._calm.still_s >= LONG_S
        is_patient = has_rested and len(self._looks) >= ENOUGH
        if not has_rested and self._open is not None and same(self._open, state):
            return None
        self._let_be.expect(game, state, options)
        result = match(self.looks, game, state, options, ahead=self._ahead)
        if isinstance(result, Played):
            is_said = has_rested or not could_go_on(game, state, options, result.line)
        else:
            is_said = is_patient or isinstance(result, NoChange)
        if is_said:
            return result
        self._open = state
        return None
