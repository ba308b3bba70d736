"""The legal lines of play that come closest to a table that no line explains, and what is missing for each.

People move first and tidy later, so most of what fits no rule is a move that is not finished. Positions are
compared piece by piece: what lies on the table is *on the way* from the position on record to another one as
far as every change that was made belongs to the changes that the line makes. What is left is missing; what
does not belong was done in vain.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping
from itertools import count
from typing import NamedTuple

from companion.engine.action import TABLE, Cell
from companion.engine.observation import NearLine
from vision.evidence import Evidence, Pieces
from vision.successors import ReachablePosition, SuccessorCache

MAX_POSITIONS_NEAR = 1500
"""How many positions are compared with what lies there."""
MAX_LENGTH = 4
"""How many steps the longest line has that is still called near."""
PIECE = 2
"""What a piece counts that lies there or does not; one that is only turned otherwise counts as much."""
VAIN, STEP, DRAW = 3, 1, 2
"""What a change made in vain, a step of the line and a draw in it count; what is missing counts once."""


def apart(one: Pieces, other: Pieces) -> int:
    """How far two sets of pieces are apart, in halves of a piece put down or taken away."""
    missing, extra = Counter(one), Counter(other)
    missing, extra = missing - extra, extra - missing
    faces = Counter(piece.face for piece in missing.elements())
    turned = (faces & Counter(piece.face for piece in extra.elements())).total()
    return PIECE * (missing.total() + extra.total() - turned)


def done_of(before: Pieces, seen: Pieces, wanted: Pieces) -> int:
    """How much of the way from some pieces to others is done, each piece that left or came counting twice.

    What is only turned where it lies has not left; what came in another turn is half done.

    >>> from companion.engine.layout import Piece
    >>> tee, turned = Piece("tee"), Piece("tee", 90)
    >>> done_of((tee,), (turned,), ()), done_of((tee,), (), ()), done_of((), (turned,), (tee,))
    (0, 4, 2)
    """
    was, lies, then = (Counter(piece.face for piece in pieces) for pieces in (before, seen, wanted))
    gone = ((was - then) - (lies - then)).total()
    came = ((then - was) & (lies - was)).total()
    exactly = ((Counter(wanted) - Counter(before)) & Counter(seen)).total()
    return PIECE * (2 * gone + came + exactly)


class _Near(NamedTuple):
    """A position, and how it compares with what lies there."""

    position: ReachablePosition
    missing: int
    vain: int
    done: int
    """How much of what the line changes lies there already."""

    @property
    def cost(self) -> int:
        steps = sum(DRAW if seat == TABLE else STEP for seat, _ in self.position.line)
        return VAIN * self.vain + self.missing + steps


class NearestLines:
    """Finds the lines whose positions are nearest to what lies on the table."""

    def __init__(
        self,
        successors: SuccessorCache,
        start: ReachablePosition,
        evidence: Evidence,
        before: Mapping[Cell, Pieces],
    ) -> None:
        self._successors, self._start, self._evidence, self._before = successors, start, evidence, before
        self._off_at_start = {
            cell: off for cell in evidence.places if (off := self._off(cell, before.get(cell, ())))
        }

    def find(self) -> list[_Near]:
        """The nearest lines: some of what they change was done, and as little as possible in vain."""
        order, spent = count(), 0
        start = _Near(self._start, sum(self._off_at_start.values()), 2 * sum(self._off_at_start.values()), 0)
        waiting = [(0, next(order), start)]
        near: list[_Near] = []
        numbers = set()
        while waiting and spent < MAX_POSITIONS_NEAR:
            _, _, node = heapq.heappop(waiting)
            if len(node.position.line) >= MAX_LENGTH:
                continue
            for after in self._successors.after(node.position):
                spent += 1
                number = self._successors.number(after)
                if number in numbers:
                    continue
                numbers.add(number)
                found = self._compare(after)
                # Each step must explain something that was done, unless it changes nothing that can be seen.
                if found.done > max(0, node.done):
                    near.append(found)
                elif after.changed:
                    continue
                if found.vain:
                    heapq.heappush(waiting, (found.cost, next(order), found))
        if not near:
            return []
        # Of lines with as little in vain the shortest count: whatever they have in common is missing.
        best = min((one.vain, len(one.position.line)) for one in near)
        alike = [one for one in near if (one.vain, len(one.position.line)) == best]
        return sorted(alike, key=lambda one: one.cost)

    def _compare(self, position: ReachablePosition) -> _Near:
        missing = vain = done = 0
        left: Counter[str] = Counter()
        astray: Counter[str] = Counter()
        for cell in position.moved:
            if cell not in self._evidence.places:
                continue
            before, wanted = self._before.get(cell, ()), self._wanted(cell, position)
            off, far = self._off(cell, wanted), apart(before, wanted)
            was_off = self._off_at_start.get(cell, 0)
            missing += off
            vain += max(0, was_off + off - far)
            if was_off:
                done += done_of(before, self._evidence.likeliest(cell), wanted)
                self._note_faces(cell, before, wanted, left, astray)
        for cell, off in self._off_at_start.items():
            if cell not in position.moved:
                missing += off
                vain += 2 * off
                self._note_faces(cell, self._before.get(cell, ()), self._before.get(cell, ()), left, astray)
        # A piece that left its place rightly and was put down wrongly was not moved along this line.
        done -= 2 * PIECE * (left & astray).total()
        return _Near(position, missing, vain, done)

    def _note_faces(
        self, cell: Cell, before: Pieces, wanted: Pieces, left: Counter[str], astray: Counter[str]
    ) -> None:
        """Counts the faces that left this place as they should, and those that should not have come."""
        seen = Counter(piece.face for piece in self._evidence.likeliest(cell))
        was, then = Counter(p.face for p in before), Counter(p.face for p in wanted)
        left += (was - then) - seen
        astray += seen - (was | then)

    def _wanted(self, cell: Cell, position: ReachablePosition) -> Pieces:
        return self._evidence.visible(cell, position.layout.get(cell, ()))

    def _off(self, cell: Cell, pieces: Pieces) -> int:
        """How far what lies on a place is from these pieces; if it rather looks as before, it counts so."""
        evidence, before = self._evidence, self._before.get(cell, ())
        if evidence.contradicts(cell, pieces):
            return max(1, apart(evidence.likeliest(cell), pieces))
        if evidence.probability(cell, before) > evidence.probability(cell, pieces):
            return max(1, apart(before, pieces))
        return 0

    def unsure(self, one: _Near) -> set[Cell]:
        """The places that are neither as a line needs them nor as they were, and are not made out."""
        return {cell for cell in self._wrong(one.position) if self._lies(cell) is None}

    def _lies(self, cell: Cell) -> Pieces | None:
        """What lies there; a place that is not made out counts as it was where nothing speaks against it."""
        before = self._before.get(cell, ())
        is_as_it_was = not self._evidence.contradicts(cell, before)
        return self._evidence.certain.get(cell, before if is_as_it_was else None)

    def _wrong(self, position: ReachablePosition) -> list[Cell]:
        return [cell for cell in self._cells(position) if self._off(cell, self._wanted(cell, position))]

    def _cells(self, position: ReachablePosition) -> list[Cell]:
        """The places that a line changes, and those that look otherwise than at its start."""
        return sorted({*position.moved, *self._off_at_start} & self._evidence.places.keys())

    def told(self, one: _Near) -> NearLine | None:
        """A line with what lay, lies and should lie on its places; None where the looks are not sure."""
        if self.unsure(one):
            return None
        position = one.position
        cells, wrong = self._cells(position), self._wrong(position)
        wanted = {cell: self._wanted(cell, position) for cell in cells}
        seen = {cell: self._lies(cell) or () if cell in wrong else wanted[cell] for cell in cells}
        before = {cell: self._before.get(cell, ()) for cell in cells}
        return NearLine(position.line, before, seen, wanted)
