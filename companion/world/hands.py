"""People at the virtual table: they carry out a move with their hands, and sometimes get it wrong.

A move is the difference between two layouts: pieces to take away, to bring, to shift, to turn. People know
nothing of rules here; whether a slip is a mistake or another legal move, the companion must find out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from math import hypot
from random import Random
from typing import NamedTuple

from companion.engine.action import Cell
from companion.engine.layout import STANDING_KINDS, Layout, Piece
from companion.world.physical import Slop, World

SLIPS = ("turned", "elsewhere", "forgotten", "left lying", "one too many")
"""What people do wrong: a piece turned by a quarter (a wall to the passage), put on a place nearby (a pawn
through a wall), not put down at all, not taken away, or another piece put down besides (drawn twice)."""


Shift = tuple[Cell, Piece, Cell, Piece]
"""From which place a piece comes, to which it goes, and as what."""
FIRST = 6.0
"""How much likelier a standing piece is moved next than anything else: people move first and tidy later."""


class HandStep(NamedTuple):
    """One thing that a hand does; `takes_s` is how long people need for it."""

    act: Callable[[], None]
    cell: Cell
    takes_s: float


class _Task(NamedTuple):
    """A step with what must be done before it: its place, the kind of thing done there, whether it stands."""

    step: HandStep
    kind: str
    cell: Cell
    source: Cell
    stands: bool

    def must_wait_for(self, other: _Task) -> bool:
        """Pieces leave before what lies below them is changed, old ones go before new ones come, and what
        comes to lie upon something comes after it."""
        if other.kind == "shift" and other.source == self.cell and self.kind != "shift":
            return True
        if self.cell != other.cell:
            return False
        order = ("take", "bring", "shift")
        return order.index(other.kind) < order.index(self.kind)


class Hands:
    """The hands of the players: they move first and tidy later, in any order that is possible."""

    def __init__(self, world: World, rng: Random, slop: Slop, slips: float = 0.0) -> None:
        """`slips` is the share of moves in which something goes wrong."""
        self._world = world
        self._rng = rng
        self._slop = slop
        self._slips = slips

    def carry_out(self, before: Layout, after: Layout) -> tuple[list[HandStep], str]:
        """The steps from one layout to the other, and the slip among them ("" when all goes well)."""
        steps = list(self._steps(before, after))
        if steps and self._rng.random() < self._slips:
            for slip in self._rng.sample(SLIPS, len(SLIPS)):
                spoiled = self._spoil(slip, before, after, steps)
                if spoiled is not None:
                    return spoiled, slip
        return steps, ""

    def put_right(self, wanted: Layout) -> list[HandStep]:
        """The steps from what really lies there to what should."""
        return list(self._steps(self._world.layout(), wanted))

    def _steps(self, before: Layout, after: Layout) -> Iterator[HandStep]:
        """Shifts what can be shifted, takes away, brings the rest, shifts what goes on top of that."""
        gone: list[tuple[Cell, Piece]] = []
        new: list[tuple[Cell, Piece]] = []
        for cell in sorted({*before, *after}):
            old, now = Counter(before.get(cell, ())), Counter(after.get(cell, ()))
            if old != now or self._order(before, cell) != self._order(after, cell):
                # What lies under a changed piece is lifted with it where the order says so.
                keep = _common_bottom(before.get(cell, ()), after.get(cell, ()))
                gone += [(cell, piece) for piece in before.get(cell, ())[keep:]]
                new += [(cell, piece) for piece in after.get(cell, ())[keep:]]
        shifted: list[Shift] = []
        # What is only turned where it lies is not exchanged with its like elsewhere.
        stays = {(cell, piece.face) for cell, piece in gone} & {(cell, piece.face) for cell, piece in new}
        for cell, piece in list(gone):
            match = next(
                (
                    n
                    for n in new
                    if n[1].face == piece.face and not stays & {(cell, piece.face), (n[0], n[1].face)}
                ),
                None,
            )
            if match is not None:
                gone.remove((cell, piece))
                new.remove(match)
                shifted.append((cell, piece, *match))
        tasks = [_Task(self._shift(*s), "shift", s[2], s[0], self._stands(s[1])) for s in shifted]
        tasks += [
            _Task(self._remove(*one), "take", one[0], one[0], self._stands(one[1])) for one in reversed(gone)
        ]
        tasks += [_Task(self._bring(*one), "bring", one[0], one[0], self._stands(one[1])) for one in new]
        while tasks:
            ready = [
                one
                for i, one in enumerate(tasks)
                if not any(one.must_wait_for(other) for other in tasks if other is not one)
                and not any(one.kind == other.kind and one.cell == other.cell for other in tasks[:i])
            ]
            # Where pieces change places around a ring, somebody holds one meanwhile.
            weights = [FIRST if one.stands else 1.0 for one in ready]
            chosen = self._rng.choices(ready, weights)[0] if ready else tasks[0]
            tasks.remove(chosen)
            yield chosen.step

    def _stands(self, piece: Piece) -> bool:
        return self._world.faces[piece.face].kind in STANDING_KINDS

    def _order(self, layout: Layout, cell: Cell) -> tuple[Piece, ...]:
        return self._world.sorted(layout.get(cell, ()))

    def _find(self, cell: Cell, piece: Piece) -> int | None:
        """The uppermost such thing on a place."""
        for thing in reversed(self._world.at(cell)):
            if thing.face == piece.face:
                return thing.id
        return None

    def _remove(self, cell: Cell, piece: Piece) -> HandStep:
        def act() -> None:
            number = self._find(cell, piece)
            if number is not None:
                self._world.take(number)

        return HandStep(act, cell, self._time())

    def _bring(self, cell: Cell, piece: Piece) -> HandStep:
        return HandStep(lambda: self._put(cell, piece), cell, self._time())

    def _shift(self, source: Cell, piece: Piece, target: Cell, wanted: Piece) -> HandStep:
        def act() -> None:
            number = self._find(source, piece)
            if number is not None:
                self._world.take(number)
            self._put(target, wanted)

        return HandStep(act, target, self._time())

    def _put(self, cell: Cell, piece: Piece) -> None:
        if self._world.board.places[cell].any_turn and self._world.faces[piece.face].turns > 1:
            piece = piece._replace(turn=self._rng.choice((0, 90, 180, 270)))
        self._world.lay(cell, piece, self._rng, self._slop)

    def _time(self) -> float:
        return self._rng.uniform(0.4, 1.6)

    # Slips -------------------------------------------------------------------------------------

    def _spoil(
        self, slip: str, before: Layout, after: Layout, steps: list[HandStep]
    ) -> list[HandStep] | None:
        """The steps with something going wrong, or None where this slip is not possible."""
        rng, faces = self._rng, self._world.faces
        brought = [
            (cell, piece)
            for cell, pieces in after.items()
            for piece in pieces
            if piece not in before.get(cell, ())
        ]
        removed = [
            (cell, piece)
            for cell, pieces in before.items()
            for piece in pieces
            if piece not in after.get(cell, ())
        ]
        if slip == "turned":
            turnable = [(cell, piece) for cell, piece in brought if faces[piece.face].turns == 4]
            if not turnable:
                return None
            cell, piece = rng.choice(turnable)
            wrong = piece._replace(turn=(piece.turn + rng.choice((90, 180, 270))) % 360)
            return list(self._steps(before, _swapped(after, cell, piece, wrong)))
        if slip == "elsewhere":
            if not brought:
                return None
            cell, piece = rng.choice(brought)
            near = self._near(cell)
            if near is None:
                return None
            moved = _swapped(after, cell, piece, None)
            moved[near] = (*moved.get(near, ()), piece)
            return list(self._steps(before, moved))
        if slip == "forgotten":
            if not brought:
                return None
            cell, piece = rng.choice(brought)
            return list(self._steps(before, _swapped(after, cell, piece, None)))
        if slip == "left lying":
            lying = [(cell, piece) for cell, piece in removed if faces[piece.face].kind not in STANDING_KINDS]
            if not lying:
                return None
            cell, piece = rng.choice(lying)
            kept = dict(after)
            kept[cell] = (piece, *(p for p in after.get(cell, ()) if faces[p.face].kind in STANDING_KINDS))
            return list(self._steps(before, kept))
        # Of a pawn or a figure there is no second one in the box.
        several = [(cell, piece) for cell, piece in brought if faces[piece.face].kind not in STANDING_KINDS]
        if not several:
            return None
        cell, piece = rng.choice(several)
        near = self._near(cell)
        if near is None or after.get(near):
            return None
        return [*steps, self._bring(near, piece)]

    def _near(self, cell: Cell) -> Cell | None:
        """A place beside this one, of the same size."""
        places = self._world.board.places
        here = places[cell]
        near = [
            i
            for i, place in enumerate(places)
            if i != cell
            and place.zone == here.zone
            and hypot(place.x - here.x, place.y - here.y) < 1.2 * max(here.width, here.height)
        ]
        return self._rng.choice(near) if near else None


def _common_bottom(old: tuple[Piece, ...], new: tuple[Piece, ...]) -> int:
    """How many pieces at the bottom stay as they are."""
    same = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        same += 1
    return same


def _swapped(layout: Layout, cell: Cell, old: Piece, new: Piece | None) -> dict[Cell, tuple[Piece, ...]]:
    """The layout with one piece replaced or gone."""
    changed = dict(layout)
    pieces = list(layout[cell])
    i = pieces.index(old)
    pieces[i : i + 1] = [] if new is None else [new]
    changed[cell] = tuple(pieces)
    return changed
