"""The eyes at work: frames in, and now and then a judgement of what was played.

`Eyes` follows a camera: finds the board, waits until the table rests, reads it a few times, and judges the
looks together. It changes nothing itself; whoever holds the game asks `judge` and submits what was played.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple, Protocol, TypeVar

from companion.engine.action import Cell
from companion.engine.errors import DeviceError
from companion.engine.game import Game
from companion.engine.layout import Board, Layout, Piece
from companion.engine.observation import Looks, Match, NoChange, Observation, Played, Reading
from companion.engine.options import Options
from companion.engine.state import State
from vision.camera import Camera, Frame
from vision.find import Finder, Pose, Sight
from vision.images import Image
from vision.lattice import Lattice
from vision.match import DEPTH, could_go_on, match
from vision.read import Prior
from vision.settle import LONG_S, Calm, Settle
from vision.successors import SuccessorCache, same

_Guess = TypeVar("_Guess", bound=Hashable)
NO_PRIOR = Prior()
MAX_LOOKS = 5
"""How many looks at one resting table are kept, the newest ones."""
MIN_LOOKS, MIN_LOOKS_TO_ASK = 2, 3
"""The number of looks before any verdict, and before the players are asked anything."""
CLEAR_CONFIDENCE, DENIED_BELOW = 0.5, 0.05
"""A look is clear about a place if it thinks something likelier than this, and denies what it gives less."""
MIN_COMMON_SHARE = 0.5
"""Unsure looks that have less of their guesses in common than this are of different pieces."""
ACCEPTED = 0.7
"""How likely the pieces that should be there count at an accepted place that cannot be read."""
LOOK_AGAIN_S = 1.0
"""How long after its last look a resting table is looked at again, once it has been `MAX_LOOKS` times."""


class Reads(Protocol):
    """What reading is to the eyes."""

    board: Board
    """The board whose places are read: as it was found, wherever its parts lie."""

    def read(self, image: Image, pose: Pose, prior: Prior = NO_PRIOR) -> Observation:
        """Reads every place of the board."""

    def learn_bare(self, cells: Collection[Cell]) -> None:
        """Remembers what places looked like when they were read last, for nothing lies on them."""


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
        if _common(_numbers(old), _numbers(new)) < DENIED_BELOW:
            return True
    return False


def _denies(one: Reading, other: Reading) -> bool:
    if one.pieces is None or other.confidence < CLEAR_CONFIDENCE:
        return False
    return other.pieces is not None or dict(other.guesses).get(one.pieces, 0.0) < DENIED_BELOW


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
    return _common(dict(then.guesses), dict(now.guesses)) < MIN_COMMON_SHARE


def _supposed(now: Reading | None, pieces: tuple[Piece, ...]) -> Reading:
    """A place that nobody could read, as it should look; it may have changed all the same."""
    guesses = {} if now is None else {other: p * (1 - ACCEPTED) for other, p in now.guesses}
    guesses[pieces] = guesses.get(pieces, 0.0) + ACCEPTED
    return Reading(None, guesses[pieces], tuple(guesses.items()))


class _Accepted(NamedTuple):
    """An accepted place: its reading then, the pieces that belong there, whether the players said so."""

    then: Reading
    wanted: tuple[Piece, ...]
    is_said: bool


class AcceptedDeviations:
    """Places that do not look as they should and that the players have accepted: they count as right.

    An acceptance ends as soon as its place clearly looks otherwise, or other pieces belong there.
    """

    def __init__(self) -> None:
        self._places: dict[Cell, _Accepted] = {}

    def note(self, seen: Observation, expected: Layout, cells: Collection[Cell] | None = None) -> None:
        """Accepts whatever does not look as expected, on these places or on all."""
        kept = {} if cells is None else self._places
        self._places = kept | {
            cell: _Accepted(reading, tuple(expected.get(cell, ())), cells is None)
            for cell, reading in seen.readings.items()
            if (cells is None or cell in cells) and reading.pieces != expected.get(cell, ())
        }

    def has(self, cell: Cell) -> bool:
        """Whether a place is accepted as it looks."""
        return cell in self._places

    def forget_changed(self, seen: Observation) -> None:
        """Forgets the places that look otherwise than when they were accepted."""
        for cell, accepted in list(self._places.items()):
            now = seen.readings.get(cell)
            if now is not None and _looks_otherwise(accepted.then, now):
                del self._places[cell]

    def forget_outdated(self, game: Game, state: State, options: Options) -> None:
        """Forgets the places on which other pieces belong by now."""
        if self._places:
            expected = game.expected(state, options)
            for cell, accepted in list(self._places.items()):
                if expected.get(cell, ()) != accepted.wanted:
                    del self._places[cell]

    def apply_to(self, seen: Observation) -> Observation:
        """The observation with the accepted places as they should look."""
        if not self._places:
            return seen
        right = {
            cell: Reading(accepted.wanted, 0.999)
            if accepted.is_said
            else _supposed(seen.readings.get(cell), accepted.wanted)
            for cell, accepted in self._places.items()
        }
        return seen._replace(readings={**seen.readings, **right})


class Eyes:
    """Looks at one table.

    `dim` may darken the lights of the table while it is entered: the reading frame is then taken inside it.
    `witness` weighs each look with what somebody else knows of the table, as switches under the places do.
    `lies` says what should lie on the table: on a bare one the places are where those cards lie.
    """

    def __init__(
        self,
        camera: Camera,
        finder: Finder,
        reader: Reads,
        dim: Callable[[], AbstractContextManager[object]] = nullcontext,
        witness: Callable[[Observation], Observation] = lambda seen: seen,
        lies: Callable[[], Layout] = dict,
    ) -> None:
        self._camera = camera
        self._finder = finder
        self.reader = reader
        self._dim = dim
        self._witness = witness
        self._lies = lies
        self._lattice = Lattice()
        self.leaving: tuple[Cell, ...] = ()
        """The places beside cards on a bare table that the camera does not see."""
        self.glance: Glance | None = None
        """What came of the last frame; None where there was none."""
        self._settle = Settle()
        self._looks: list[Observation] = []
        self._last = Observation({})
        self._accepted = AcceptedDeviations()
        self._calm = Calm(0.0, False)
        self._successors = SuccessorCache()
        self._open: State | None = None
        """The position in which the first looks at the resting table did not settle what was played."""

    @property
    def looks(self) -> tuple[Observation, ...]:
        """The looks at the table since it came to rest."""
        return tuple(self._accepted.apply_to(self._witness(look)) for look in self._looks)

    @property
    def is_blind(self) -> bool:
        """Whether the last frame shows no board."""
        return self.glance is not None and bool(self.glance.trouble)

    def snapshot(self) -> Looks:
        """What was read so far, for other threads."""
        return Looks(self._last, self.looks)

    def step(self, expected: Layout | None = None) -> Glance | None:
        """Takes in the next frame; None when the pictures are over, `DeviceError` when the camera is gone.

        `expected` is what lay there before, where the game is known: it helps to see what a pawn stands on.
        """
        self.glance = None
        self.glance = self._take_in(expected)
        return self.glance

    def _take_in(self, expected: Layout | None) -> Glance | None:
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
        if sight.pose.board.is_bare:
            expected_now = self._lies()
            sight = sight._replace(pose=self._lattice.follow(frame.image, sight.pose, expected_now))
            self.leaving = tuple(self._lattice.leaving(sight.pose, expected_now))
        if len(self._looks) == MAX_LOOKS and frame.time_s - self._looks[-1].time_s < LOOK_AGAIN_S:
            return Glance(frame, sight, calm, None)
        observation = self._last = self._read(frame, sight, Prior(expected))
        self._accepted.forget_changed(observation)
        if any(has_changed(look, observation) for look in self._looks):
            self._looks.clear()  # a piece so small that the picture did not seem to move
        self._looks = [*self._looks[1 - MAX_LOOKS :], observation]
        self._settle.accept()
        return Glance(frame, sight, calm, observation)

    def _read(self, frame: Frame, sight: Sight, prior: Prior) -> Observation:
        if self._dim is not nullcontext:
            with self._dim():
                frame = self._camera.read(after_s=frame.time_s) or frame
        self.reader.board = sight.pose.board
        observation = self.reader.read(frame.image, sight.pose, prior)
        return observation._replace(time_s=frame.time_s)

    def accept_as_is(
        self, expected: Layout, cells: Collection[Cell] | None = None, seen: Observation | None = None
    ) -> None:
        """Takes these places, or all, as they were seen for what is expected: right until they change."""
        self._accepted.note(self._last if seen is None else seen, expected, cells)

    def compare(self, game: Game, state: State, options: Options) -> Match | None:
        """Says how the table differs from a position, whatever may be played next; None while too early."""
        result = self.explain(self.snapshot(), game, state, options, depth=0)
        if isinstance(result, NoChange):
            self._learn_bare(game.expected(state, options))
        return result

    @staticmethod
    def explain(looks: Looks, game: Game, state: State, options: Options, depth: int = DEPTH) -> Match | None:
        """Says by looks alone what was played since `state`; None where there are too few. For any thread."""
        if len(looks.at_rest) < MIN_LOOKS:
            return None
        return match(looks.at_rest, game, state, options, depth=depth)

    def _learn_bare(self, lies: Layout) -> None:
        """All lies as it should: places on which nothing does, and which look so, are known from now on."""
        self.reader.learn_bare(
            [
                cell
                for cell, reading in self._last.readings.items()
                if not (lies.get(cell) or reading.guesses[0][0] or self._accepted.has(cell))
            ]
        )

    def judge(self, game: Game, state: State, options: Options) -> Match | None:
        """Says what was played since `state`, or None while it is too early to tell.

        A move that may go on, and anything that is not clear, is given more time and more looks.
        """
        if len(self._looks) < MIN_LOOKS:
            self._open = None
            return None
        has_rested = self._calm.still_s >= LONG_S
        is_patient = has_rested and len(self._looks) >= MIN_LOOKS_TO_ASK
        if not has_rested and self._open is not None and same(self._open, state):
            return None
        self._accepted.forget_outdated(game, state, options)
        result = match(self.looks, game, state, options, successors=self._successors)
        if isinstance(result, Played):
            is_said = has_rested or not could_go_on(game, state, options, result.line)
        else:
            is_said = is_patient or isinstance(result, NoChange)
        if isinstance(result, NoChange):
            self._learn_bare(game.expected(state, options))
        if is_said:
            return result
        self._open = state
        return None
