"""What hands have still to do on a table, said piece by piece: take, lay, move, turn, exchange."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from companion.engine.action import Cell
from companion.engine.layout import Piece

Places = Mapping[Cell, tuple[Piece, ...]]
At = tuple[Cell, Piece]
"""A piece and where it lies."""
NOWHERE: Cell = -1


class Step(NamedTuple):
    """One thing to do with one piece: `kind` is take, lay, move, turn, stack or exchange.

    `target` is where a moved piece goes; `other` is what a piece is exchanged for, or as what it lies then.
    """

    kind: str
    cell: Cell
    piece: Piece
    target: Cell = NOWHERE
    other: Piece | None = None

    @property
    def cells(self) -> tuple[Cell, ...]:
        return (self.cell,) if self.target == NOWHERE else (self.cell, self.target)


def steps_between(seen: Places, wanted: Places) -> tuple[Step, ...]:
    """The fewest steps from what lies there to what should.

    What is only turned where it lies stays; what is gone from one place and due at another moves there; what
    lies where another piece is due is exchanged.
    """
    gone: list[At] = []
    due: list[At] = []
    for cell in sorted({*seen, *wanted}):
        lies, should = list(seen.get(cell, ())), list(wanted.get(cell, ()))
        for piece in list(lies):
            if piece in should:
                lies.remove(piece)
                should.remove(piece)
        gone += [(cell, piece) for piece in lies]
        due += [(cell, piece) for piece in should]
    steps: list[Step] = []

    def pair(kind: str, is_pair: Callable[[At, At], bool]) -> None:
        for one in list(gone):
            other = next((new for new in due if is_pair(one, new)), None)
            if other is None:
                continue
            gone.remove(one)
            due.remove(other)
            (cell, piece), (target, then) = one, other
            if kind == "turn" and piece.turn == then.turn:
                steps.append(Step("stack", cell, piece, other=then))
            elif cell == target:
                steps.append(Step(kind, cell, piece, other=then))
            else:
                steps.append(Step(kind, cell, piece, target, then))

    pair("turn", lambda a, b: a[0] == b[0] and a[1].face == b[1].face)
    pair("move", lambda a, b: a[1].face == b[1].face)
    pair("exchange", lambda a, b: a[0] == b[0])
    steps += [Step("take", cell, piece) for cell, piece in gone]
    steps += [Step("lay", cell, piece) for cell, piece in due]
    return tuple(sorted(steps, key=lambda step: (step.cell, step.kind)))


def taken_and_laid(steps: Sequence[Step]) -> Counter[tuple[Cell, Piece, bool]]:
    """Which pieces some steps lift from where, and which they put where, however they are said."""
    found: Counter[tuple[Cell, Piece, bool]] = Counter()
    for step in steps:
        if step.kind != "lay":
            found[step.cell, step.piece, False] += 1
        if step.kind != "take":
            cell = step.cell if step.target == NOWHERE else step.target
            found[cell, step.other or step.piece, True] += 1
    return found


def carried_out(seen: Places, steps: Sequence[Step]) -> dict[Cell, tuple[Piece, ...]]:
    """What lies there after some steps, whatever their order."""
    after = {cell: list(pieces) for cell, pieces in seen.items()}
    for step in steps:
        if step.kind != "lay":
            after[step.cell].remove(step.piece)
    for step in steps:
        if step.kind != "take":
            cell = step.cell if step.target == NOWHERE else step.target
            after.setdefault(cell, []).append(step.other or step.piece)
    return {cell: tuple(pieces) for cell, pieces in after.items()}
