"""Switches under the places feel the magnets of pawns and figures: a second witness beside the camera.

A switch says one thing: something with a magnet stands here. That is fused with what the camera sees
(`Switches.fused`), holds a look back while a piece is in somebody's hand (`is_busy`), and is enough to follow
pawns while the camera is blind (`explain`). What the camera and the rules agree on is the measure of the
switches themselves (`agree`): one that sticks, bounces or is swapped with another is named and not believed.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

from companion.engine.action import TABLE, Action, Cell, Seat
from companion.engine.game import Game
from companion.engine.layout import UPRIGHT_KINDS, Board, Layout, Piece
from companion.engine.observation import Ambiguous, Match, Mismatch, NoChange, Observation, Played, Reading
from companion.engine.options import Options
from companion.engine.state import State

SETTLED_S = 0.6
"""How long the switches must have been at rest before a look counts."""
LIFTED_S = 4.0
"""How long a piece may be in somebody's hand before it counts as taken off the board."""
ROLLING_S = 1.0
"""How long dice roll after the last of them has left the tower."""
LEANING_S = 8.0
"""How long a hand may lie in the beam of the tower; a beam that is broken for longer is dirty, or off."""
FOLLOWED_S = 1.5
"""How long the switches must have been at rest before a move is played by them alone."""
WRONG_RATE = 0.02
"""How often a switch that is believed is wrong, for want of a better number: a pawn off the middle."""
BOUNCES, BOUNCE_S = 6, 3.0
"""A switch that changes this many times within this many seconds bounces."""
STRIKES = 2
"""After this many moves at which it was wrong a switch is named; it is not believed after the first."""
RIGHT_AGAIN = 3
"""How many right changes it takes until a switch that was named is believed again."""
DEPTH, MOST_POSITIONS = 3, 600
"""How many steps the longest line has that switches alone may follow, and how many positions are tried."""

LineOfPlay = tuple[tuple[Seat, Action], ...]
Kind = Literal["stuck-open", "stuck-closed", "bouncing", "swapped"]


class SwitchFault(NamedTuple):
    """What is wrong with the switch of a place; `other` is the place that it is swapped with."""

    cell: Cell
    kind: Kind
    other: Cell | None = None


class Switches:
    """The switches of one board: what they feel, and how far they are believed. Safe from any thread."""

    def __init__(
        self, board: Board, now: Callable[[], float], places: Mapping[int, Cell] | None = None
    ) -> None:
        """`places` says which switch lies under which place; without it switch n lies under place n."""
        self._now = now
        self._magnets = frozenset(face.name for face in board.faces if face.kind in UPRIGHT_KINDS)
        self._places = dict(enumerate(range(len(board.places)))) if places is None else dict(places)
        self.cells = frozenset(self._places.values())
        """The places that have a switch."""
        self._lock = threading.RLock()
        self._closed: set[Cell] = set()
        self._changed_s = self._crossed_s = float("-inf")
        self._is_beam_broken = False
        self._recent: dict[Cell, deque[float]] = {}
        self._changes: Counter[Cell] = Counter()
        """How often each switch has changed since the last agreement."""
        self._strikes: Counter[Cell] = Counter()
        self._rights: Counter[Cell] = Counter()
        self._pairs: Counter[tuple[Cell, Cell]] = Counter()
        self._faults: dict[Cell, SwitchFault] = {}
        self._agreed: int | None = None

    # What they feel ------------------------------------------------------------------------------

    def feel(self, number: int, is_closed: bool, time_s: float) -> None:
        """A switch has closed or opened; a number that lies under no place is not ours."""
        cell = self._places.get(number)
        with self._lock:
            if cell is None or is_closed == (cell in self._closed):
                return
            (self._closed.add if is_closed else self._closed.discard)(cell)
            self._changes[cell] += 1
            recent = self._recent.setdefault(cell, deque(maxlen=BOUNCES))
            recent.append(time_s)
            if len(recent) == BOUNCES and time_s - recent[0] <= BOUNCE_S:
                self._faults[cell] = SwitchFault(cell, "bouncing")
                self._rights[cell] = 0
            if self.is_believed(cell):
                self._changed_s = time_s

    def cross(self, is_broken: bool, time_s: float) -> None:
        """A die has crossed the beam of the dice tower, a hand lies in it, or it is free again."""
        self._is_beam_broken, self._crossed_s = is_broken, time_s

    def closed(self) -> frozenset[Cell]:
        """The places whose switches are closed now."""
        with self._lock:
            return frozenset(self._closed)

    def occupied(self, layout: Layout) -> frozenset[Cell]:
        """The places of a layout on which something with a magnet stands."""
        return frozenset(cell for cell, pieces in layout.items() if self._is_felt(pieces))

    def _is_felt(self, pieces: tuple[Piece, ...]) -> bool:
        return any(piece.face in self._magnets for piece in pieces)

    # How far they are believed -------------------------------------------------------------------

    def is_believed(self, cell: Cell) -> bool:
        """Whether the switch of a place counts."""
        return cell in self.cells and cell not in self._faults and not self._strikes[cell]

    def faults(self) -> tuple[SwitchFault, ...]:
        """The switches that are named as faulty, by place."""
        with self._lock:
            return tuple(self._faults[cell] for cell in sorted(self._faults))

    def agree(self, layout: Layout, move: int) -> None:
        """Camera and rules agree that this lies on the table after so many moves: are the switches right?

        A move is counted once, and only when the switches have come to rest.
        """
        with self._lock:
            if move == self._agreed or self._now() - self._changed_s < SETTLED_S:
                return
            self._agreed = move
            expected = self.occupied(layout)
            wrong = {cell for cell in self.cells if (cell in expected) != (cell in self._closed)}
            self._pair_up(wrong, expected)
            for cell in wrong:
                self._strike(cell, cell in expected)
            for cell, changes in self._changes.items():
                if cell not in wrong and changes <= 2:
                    self._trust_again(cell)
            self._changes.clear()

    def _pair_up(self, wrong: set[Cell], expected: frozenset[Cell]) -> None:
        """One switch closed where another should have, in the same move: perhaps they are swapped."""
        fresh = [cell for cell in wrong if not self._strikes[cell] and cell not in self._faults]
        silent = [cell for cell in fresh if cell in expected]
        noisy = [cell for cell in fresh if cell not in expected and self._changes[cell]]
        if len(silent) == len(noisy) == 1:
            self._pairs[min(*silent, *noisy), max(*silent, *noisy)] += 1

    def _strike(self, cell: Cell, should_be_closed: bool) -> None:
        self._strikes[cell] += 1
        self._rights[cell] = 0
        if cell in self._faults or self._strikes[cell] < STRIKES:
            return
        for a, b in self._pairs:
            if cell in (a, b):
                self._faults[a], self._faults[b] = SwitchFault(a, "swapped", b), SwitchFault(b, "swapped", a)
                return
        self._faults[cell] = SwitchFault(cell, "stuck-open" if should_be_closed else "stuck-closed")

    def _trust_again(self, cell: Cell) -> None:
        if not self._strikes[cell] and cell not in self._faults:
            return
        self._rights[cell] += 1
        if self._rights[cell] >= RIGHT_AGAIN:
            self._faults.pop(cell, None)
            self._strikes[cell] = self._rights[cell] = 0
            self._pairs = Counter({pair: n for pair, n in self._pairs.items() if cell not in pair})

    # With the camera -----------------------------------------------------------------------------

    def is_busy(self, layout: Layout) -> bool:
        """Whether a look should wait: a switch has just moved, the beam was crossed, a piece is lifted."""
        now = self._now()
        with self._lock:
            still_s = now - self._changed_s
            crossing_s = LEANING_S if self._is_beam_broken else ROLLING_S
            if still_s < SETTLED_S or now - self._crossed_s < crossing_s:
                return True
            if still_s >= LIFTED_S:
                return False
            left, come = self._moved(self.occupied(layout))
            return len(left) > len(come)

    def _moved(self, expected: frozenset[Cell]) -> tuple[frozenset[Cell], frozenset[Cell]]:
        """The believed places that something has left, and those that something has come to."""
        believed = frozenset(filter(self.is_believed, expected | self._closed))
        return believed & (expected - self._closed), believed & (self._closed - expected)

    def fused(self, seen: Observation) -> Observation:
        """What was seen, weighed with what the switches feel."""
        with self._lock:
            felt = {cell: cell in self._closed for cell in seen.readings if self.is_believed(cell)}
        if not felt:
            return seen
        both = {cell: self._weigh(seen.readings[cell], is_closed) for cell, is_closed in felt.items()}
        return seen._replace(readings={**seen.readings, **both})

    def _weigh(self, reading: Reading, is_closed: bool) -> Reading:
        guesses = reading.guesses
        if reading.pieces is not None and all(pieces != reading.pieces for pieces, _ in guesses):
            guesses = ((reading.pieces, reading.confidence), *guesses)
        if all(self._is_felt(pieces) == is_closed for pieces, _ in guesses):
            return reading
        weighed = [
            (pieces, p * (1 - WRONG_RATE if self._is_felt(pieces) == is_closed else WRONG_RATE))
            for pieces, p in guesses
        ]
        unnamed = max(0.0, 1 - sum(p for _, p in guesses)) * (1 - WRONG_RATE)
        total = sum(p for _, p in weighed) + unnamed
        if total <= 0:
            return reading
        ranked = tuple(sorted(((pieces, p / total) for pieces, p in weighed), key=lambda one: -one[1]))
        best, confidence = ranked[0]
        is_sure = best == reading.pieces and self._is_felt(best) == is_closed
        return Reading(best if is_sure else None, confidence, ranked)

    # Without the camera --------------------------------------------------------------------------

    def explain(self, game: Game, state: State, options: Options) -> Match | None:
        """Says by the switches alone what was played since `state`; None while it is too early to tell.

        A move counts only where a switch that is believed has closed: a piece that has only left its place
        may be in somebody's hand. What has no magnet cannot be felt: no line goes beyond a draw, and where
        moves differ in what they lay, the camera must see it.
        """
        with self._lock:
            if self._now() - self._changed_s < FOLLOWED_S:
                return None
            layout = game.expected(state, options)
            left, come = self._moved(self.occupied(layout))
            if not left and not come:
                return NoChange()
            if not come and self._now() - self._changed_s < LIFTED_S:
                return None
            lines = self._lines(game, state, options)
        if lines is None:
            return None
        if not lines:
            cells = sorted(left | come)
            return Mismatch(
                {cell: layout.get(cell, ()) for cell in cells},
                {cell: () for cell in cells if cell in left},
            )
        if len(lines) == 1 and come:
            return Played(lines[0])
        if any(self._lays(game, state, options, line) for line in lines):
            return None
        return Ambiguous(tuple(lines), tuple(sorted(left | come)))

    def _lays(self, game: Game, state: State, options: Options, line: LineOfPlay) -> bool:
        """Whether something comes onto the table by a line that no switch feels."""
        after = state.copy()
        for seat, action in line:
            after.apply(seat, action)
        before = game.expected(state, options)
        return any(
            piece.face not in self._magnets and piece not in before.get(cell, ())
            for cell, pieces in game.expected(after, options).items()
            for piece in pieces
        )

    def _lines(self, game: Game, state: State, options: Options) -> list[LineOfPlay] | None:
        """The shortest lines of players' actions that lead to what is felt; None where there are too many."""
        waiting: list[tuple[State, LineOfPlay]] = [(state, ())]
        tried = 0
        for _ in range(DEPTH):
            found: list[LineOfPlay] = []
            further = []
            for position, line in waiting:
                for need in position.needs():
                    if need.seat == TABLE:
                        continue
                    for action in position.actions(need.seat):
                        tried += 1
                        if tried > MOST_POSITIONS:
                            return None
                        after = position.copy()
                        after.apply(need.seat, action)
                        longer = (*line, (need.seat, action))
                        further.append((after, longer))
                        if not any(self._moved(self.occupied(game.expected(after, options)))):
                            found.append(longer)
            if found:
                return found
            waiting = further
        return []


class TouchMap:
    """Finds by touch which switch lies under which place: the next place glows until a switch closes."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self.places: dict[int, Cell] = {}
        """The places that were found, by switch."""
        self.skipped: list[Cell] = []
        """The places whose switch did not close: dead, or there is none."""
        self.again: int | None = None
        """A switch that closed though it was found elsewhere: its wire is shared, or a magnet lies."""
        self._waiting = list(cells)

    @property
    def next(self) -> Cell | None:
        """Where the magnet should be put; None when all is done."""
        return self._waiting[0] if self._waiting else None

    def feel(self, number: int, is_closed: bool) -> None:
        """A switch has moved; the first that closes is that of the place that glows."""
        if not is_closed or not self._waiting:
            return
        self.again = number if number in self.places else None
        if self.again is None:
            self.places[number] = self._waiting.pop(0)

    def skip(self) -> None:
        """Goes on without a switch for the place that glows."""
        if self._waiting:
            self.again = None
            self.skipped.append(self._waiting.pop(0))
