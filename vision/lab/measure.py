"""Measures reading: `python -m vision.measure` prints wrong and unsure cells per level and kind of piece.

Every style is a publisher that training never saw: half of them belong to families of art that were held out
altogether. Each is taught with three photographs per face at level 1, then read at every level.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import cv2
import numpy as np

from companion.engine.layout import Board, Face, Layout, Piece, Place
from vision.faces import Look
from vision.images import Doubles, Image, Rng
from vision.lab.paint import FRAME_OF_CARDS, Painted, Painter, board_of
from vision.lab.paint_art import FAMILIES, HELD_OUT, Style
from vision.read import CONFIDENCE, Model, Reader, white_at
from vision.rectify import stack
from vision.teach import PIXELS, FaceLibrary

KINDS = ("tile", "card", "token")
COLOURS = ("red", "blue", "green", "yellow", "purple")
SEED = 900_000_000
"""Styles for measuring start here, far from those of training."""


class Trial(NamedTuple):
    """One photograph of one style, and the face library of the style."""

    board: Board
    library: FaceLibrary
    painted: Painted
    level: int
    kind: str


def style_of(number: int) -> Style:
    """The style with this number: every second one of a family that training never saw."""
    families = HELD_OUT if number % 2 else tuple(f for f in FAMILIES if f not in HELD_OUT)
    return Style(SEED + number, families[number // 2 % len(families)])


def board_for(kind: str, rng: Rng) -> Board:
    """A board on which pieces of this kind lie."""
    if kind == "card":
        faces = [Face(f"card{i}", "card", 63, 88, 2) for i in range(14)]
        places = [Place(f"p{i}", 40 + 70 * (i % 7), 52 + 95 * (i // 7), 63, 88) for i in range(21)]
        return Board("cards", 500, 300, tuple(places), tuple(faces), FRAME_OF_CARDS)
    side = float(rng.uniform(43, 49)) if kind == "tile" else float(rng.uniform(26, 34))
    faces = [Face(f"{kind}{i}", kind, side, side, 4 if i % 4 else 1) for i in range(12)]
    if kind == "tile":
        faces += [Face(f"pawn_{colour}", "pawn", 17, 17) for colour in COLOURS]
    return board_of(faces, 7 if kind == "tile" else 6)


def teach_from(painter: Painter, game: str, rng: Rng, level: int = 1, shots: int = 3) -> FaceLibrary:
    """Photographs every face alone in the middle of the board and cuts it out, as an owner would."""
    board = painter.board
    pictures: dict[str, list[Image]] = {face.name: [] for face in board.faces}
    flat = [f.name for f in board.faces if f.kind != "pawn"]
    standing = [f.name for f in board.faces if f.kind == "pawn"]
    names = [*flat, *standing] * shots
    for start in range(0, len(names), len(board.places)):
        some = names[start : start + len(board.places)]
        layout = {cell: (Piece(name),) for cell, name in enumerate(some)}
        painted = painter.photograph(layout, level, rng)
        for cell, name in enumerate(some):
            place, face = board.places[cell], painter.faces[name]
            wide = 1.6 if name in standing else 1.0
            spot = place._replace(width=face.width * wide, height=face.height * wide)
            pictures[name].append(stack(painted.image, painted.camera, [spot], PIXELS)[0])
    return FaceLibrary(game, {name: np.stack(some) for name, some in pictures.items()})


def layout_for(board: Board, kind: str, rng: Rng) -> Layout:
    """Pieces anyhow: a fifth of the places bare, some tiles with pawns on them."""
    flat = [f for f in board.faces if f.kind == kind]
    pawns = [f.name for f in board.faces if f.kind == "pawn"]
    layout: dict[int, tuple[Piece, ...]] = {}
    for cell in range(len(board.places)):
        if rng.random() < 0.2:
            continue
        face = flat[int(rng.integers(len(flat)))]
        turn = int(rng.choice({4: (0, 90, 180, 270), 2: (0, 180)}.get(face.turns, (0,))))
        layout[cell] = (Piece(face.name, turn),)
    for name in pawns:
        cell = int(rng.integers(len(board.places)))
        layout[cell] = (*layout.get(cell, ()), Piece(name))
    return layout


def trials(numbers: Sequence[int], levels: Sequence[int], kinds: Sequence[str] = KINDS) -> Iterator[Trial]:
    """Paints every style with every level; the kind of piece goes around."""
    for number in numbers:
        rng = np.random.default_rng([SEED, number])
        kind = kinds[number // 2 % len(kinds)]
        painter = Painter(board_for(kind, rng), style_of(number))
        library = teach_from(painter, "measure", rng)
        for level in levels:
            painted = painter.photograph(layout_for(painter.board, kind, rng), level, rng)
            yield Trial(painter.board, library, painted, level, kind)


# Fitting confidence ----------------------------------------------------------------------------------------


def fit(found: Sequence[Trial]) -> dict[str, list[float]]:
    """Fits the logistic models of `vision.read.Model` on trials whose truth is known."""
    piece: list[tuple[float, ...]] = []
    stands: list[tuple[float, ...]] = []
    anything: list[tuple[float, ...]] = []
    unfitted = Model((0, 0, 0, 0), (0, 0, 0), (0, 0, 0), 0.5)
    for trial in found:
        reader = Reader(trial.library, trial.board, unfitted)
        image, pose = trial.painted.image, trial.painted.camera
        white = white_at(image, pose, trial.board)
        every = range(len(trial.board.places))
        for cell, looks in reader.look(image, pose, white, every).items():
            look = max(looks, key=Look.top)
            paper = None if white is None else white[cell]
            ranked = reader.rank_answers(cell, look, paper, reader.hidden_mask(look, paper))
            _, likeness, agreement = ranked.features()
            pieces = trial.painted.layout.get(cell, ())
            flat = [p for p in pieces if not p.face.startswith("pawn")]
            piece.append((likeness, agreement, look.bare, bool(flat)))
            lies = ranked.order[0] if flat else None
            traces = reader.traces(look, ranked.scores.crop, paper, lies)
            for face, trace in zip(
                reader.standing.faces if reader.standing else (), traces[:-1], strict=True
            ):
                stands.append((trace.area, trace.heat, Piece(face.name) in pieces))
            if flat and traces:
                anything.append((traces[-1].area, traces[-1].heat, len(pieces) > len(flat)))
    found_rows = {"piece": piece, "stands": stands, "anything": anything}
    return {name: logistic(np.array(rows, float)) for name, rows in found_rows.items()}


def logistic(rows: Doubles, decay: float = 0.5) -> list[float]:
    """Fits a logistic model by Newton's method; the last column is the truth, the constant comes first."""
    middle, spread = rows[:, :-1].mean(0), rows[:, :-1].std(0) + 1e-6
    x = np.column_stack([np.ones(len(rows)), (rows[:, :-1] - middle) / spread])
    y = rows[:, -1]
    shrink = decay * np.eye(x.shape[1])
    shrink[0, 0] = 1e-3

    def cost(values: Doubles) -> float:
        z = x @ values
        return float((np.logaddexp(0, z) - y * z).sum() + values @ shrink @ values / 2)

    values: Doubles = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(x @ values, -30, 30)))
        slope = x.T @ (p - y) + shrink @ values
        step = np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + shrink, slope)
        size = 1.0
        while cost(values - size * step) > cost(values) and size > 1e-6:
            size /= 2
        values = values - size * step
    weights = values[1:] / spread
    return [round(float(v), 3) for v in (values[0] - weights @ middle, *weights)]


# Measuring --------------------------------------------------------------------------------------------------


def kind_at(trial: Trial, cell: int) -> str:
    """What a place of a trial shows: the row of the report that it counts for."""
    pieces = trial.painted.layout.get(cell, ())
    pawns = [p for p in pieces if p.face.startswith("pawn")]
    if len(pieces) == len(pawns):
        return "pawn on a bare place" if pawns else "bare place"
    return f"{trial.kind} under a pawn" if pawns else trial.kind


def measure(found: Iterator[Trial] | Sequence[Trial]) -> dict[tuple[int, str], Counter[str]]:
    """Reads every trial: per level and kind, how many places were right, unsure, wrong."""
    counts: dict[tuple[int, str], Counter[str]] = {}
    reader: Reader | None = None
    taught: FaceLibrary | None = None
    for trial in found:
        if reader is None or trial.library is not taught:
            reader, taught = Reader(trial.library, trial.board), trial.library
        seen = reader.read(trial.painted.image, trial.painted.camera)
        for cell, reading in seen.readings.items():
            truth = sorted(trial.painted.layout.get(cell, ()))
            verdict = (
                "unsure"
                if reading.pieces is None
                else "right"
                if sorted(reading.pieces) == truth
                else "wrong"
            )
            counts.setdefault((trial.level, kind_at(trial, cell)), Counter())[verdict] += 1
    return counts


def table(counts: dict[tuple[int, str], Counter[str]]) -> str:
    """The report as a Markdown table."""
    lines = ["| level | kind | places | wrong | unsure |", "|---|---|---|---|---|"]
    for level in sorted({level for level, _ in counts}):
        rows = {kind: c for (at, kind), c in counts.items() if at == level}
        total: Counter[str] = sum(rows.values(), Counter())
        for kind, c in [*sorted(rows.items()), ("**all**", total)]:
            n = c.total()
            wrong, unsure = 100 * c["wrong"] / n, 100 * c["unsure"] / n
            lines.append(f"| {level} | {kind} | {n} | {wrong:.2f} % ({c['wrong']}) | {unsure:.1f} % |")
    return "\n".join(lines)


def main() -> None:
    """Runs the command."""
    ask = argparse.ArgumentParser(prog="python -m vision.measure", description=__doc__)
    ask.add_argument("--styles", type=int, default=60, help="how many imaginary publishers")
    ask.add_argument("--first", type=int, default=0, help="the number of the first of them")
    ask.add_argument("--levels", type=int, nargs="+", default=[0, 1, 2, 3, 4])
    ask.add_argument(
        "--fit", action="store_true", help="fit the confidence on other styles first, and keep it"
    )
    given = ask.parse_args()
    cv2.setNumThreads(2)
    if given.fit:
        first = 20_000
        values: dict[str, object] = {**fit(list(trials(range(first, first + given.styles), [0, 1, 2, 3])))}
        values["sure"] = SURE
        CONFIDENCE.write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")
    print(table(measure(trials(range(given.first, given.first + given.styles), given.levels))))


SURE = 0.92

if __name__ == "__main__":
    main()
