"""Measures reading: `python -m vision.measure` prints wrong and unsure cells per level and kind of piece.

Every style is a publisher that training never saw: half of them belong to families of art that were held out
altogether. Each is taught with three photographs per face at level 1, then read at every level.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from companion.engine.layout import Board, Face, Layout, Piece, Place
from vision.faces import Look
from vision.images import Doubles, Image, Rng
from vision.lab.clip_art import ClipArt
from vision.lab.paint import FRAME_OF_CARDS, Painted, Painter, Publisher, board_of
from vision.lab.paint_art import FAMILIES, HELD_OUT, Style
from vision.read import CONFIDENCE, Model, Reader, white_at
from vision.rectify import stack
from vision.teach import PIXELS, FaceLibrary

KINDS = ("tile", "card", "token")
COLOURS = ("red", "blue", "green", "yellow", "purple")
SEED = 900_000_000
"""Styles for measuring start here, far from those of training."""


class TrialBoard(NamedTuple):
    """One photograph of one style, and the face library of the style."""

    board: Board
    library: FaceLibrary
    painted: Painted
    level: int
    kind: str
    bare: Painted
    """The board at set-up, before anything lies on it, in other light of the same level."""


def style_of(number: int) -> Style:
    """The style with this number: every second one of a family that training never saw."""
    families = HELD_OUT if number % 2 else tuple(f for f in FAMILIES if f not in HELD_OUT)
    return Style(SEED + number, families[number // 2 % len(families)])


def board_for(kind: str, rng: Rng, strange: int = 0) -> Board:
    """A board on which pieces of this kind lie; `strange` of them are never taught, nor are covers."""
    if kind == "card":
        faces = [Face(f"card{i}", "card", 63, 88, 2) for i in range(14)]
        faces += _untaught(faces[0], strange)
        places = [Place(f"p{i}", 40 + 70 * (i % 7), 52 + 95 * (i // 7), 63, 88) for i in range(21)]
        return Board("cards", 500, 300, tuple(places), tuple(faces), FRAME_OF_CARDS)
    side = float(rng.uniform(43, 49)) if kind == "tile" else float(rng.uniform(26, 34))
    faces = [Face(f"{kind}{i}", kind, side, side, 4 if i % 4 else 1) for i in range(12)]
    faces += _untaught(faces[0], strange)
    if kind == "tile":
        faces += [Face(f"pawn_{colour}", "pawn", 17, 17) for colour in COLOURS]
    return board_of(faces, 7 if kind == "tile" else 6)


def _untaught(like: Face, count: int) -> list[Face]:
    """Faces of the same size that are never taught, and larger things that cover a whole place."""
    faces = [like._replace(name=f"strange{i}", turns=1) for i in range(count)]
    covers = [Face(f"cover{i}", "card", like.width * 1.25, like.height * 1.25) for i in range(count)]
    return faces + covers


UNTAUGHT = ("strange", "cover")
STRANGE_WEIGHT = 0.25
"""How much they count when confidence is fitted: at a table they are rarer than in these pictures."""


def teach_from(painter: Painter, game: str, rng: Rng, level: int = 1, shots: int = 3) -> FaceLibrary:
    """Photographs every face alone in the middle of the board and cuts it out, as an owner would."""
    board = painter.board
    pictures: dict[str, list[Image]] = {}
    taught = [f for f in board.faces if not f.name.startswith(UNTAUGHT)]
    flat = [f.name for f in taught if f.kind != "pawn"]
    standing = [f.name for f in taught if f.kind == "pawn"]
    names = [*flat, *standing] * shots
    for start in range(0, len(names), len(board.places)):
        some = names[start : start + len(board.places)]
        layout = {cell: (Piece(name),) for cell, name in enumerate(some)}
        painted = painter.photograph(layout, level, rng)
        for cell, name in enumerate(some):
            place, face = board.places[cell], painter.faces[name]
            wide = 1.6 if name in standing else 1.0
            spot = place._replace(width=face.width * wide, height=face.height * wide)
            pictures.setdefault(name, []).append(stack(painted.image, painted.camera, [spot], PIXELS)[0])
    return FaceLibrary(game, {name: np.stack(some) for name, some in pictures.items()})


def layout_for(board: Board, kind: str, rng: Rng) -> Layout:
    """Pieces anyhow: a fifth of the places bare, some tiles with pawns on them."""
    flat = [f for f in board.faces if f.kind == kind and not f.name.startswith(UNTAUGHT)]
    pawns = [f.name for f in board.faces if f.kind == "pawn"]
    untaught = [f.name for f in board.faces if f.name.startswith(UNTAUGHT)]
    layout: dict[int, tuple[Piece, ...]] = {}
    for cell in range(len(board.places)):
        if rng.random() < 0.2:
            continue
        if untaught and rng.random() < 0.2:
            layout[cell] = (Piece(str(rng.choice(untaught))),)
            continue
        face = flat[int(rng.integers(len(flat)))]
        turn = int(rng.choice({4: (0, 90, 180, 270), 2: (0, 180)}.get(face.turns, (0,))))
        layout[cell] = (Piece(face.name, turn),)
    for name in pawns:
        cell = int(rng.integers(len(board.places)))
        if not any(piece.face.startswith(UNTAUGHT) for piece in layout.get(cell, ())):
            layout[cell] = (*layout.get(cell, ()), Piece(name))
    return layout


def trials(
    numbers: Sequence[int],
    levels: Sequence[int],
    publisher: Callable[[int], Publisher] = style_of,
    strange: int = 0,
) -> Iterator[TrialBoard]:
    """Paints every style with every level; the kind of piece goes around.

    With `strange` a sixth of the places shows faces that were not taught, or is covered by something.
    """
    for number in numbers:
        rng = np.random.default_rng([SEED, number])
        kind = KINDS[number // 2 % len(KINDS)]
        painter = Painter(board_for(kind, rng, strange), publisher(number))
        library = teach_from(painter, "measure", rng)
        for level in levels:
            painted = painter.photograph(layout_for(painter.board, kind, rng), level, rng)
            bare = painter.photograph({}, level, np.random.default_rng([SEED, number, level]))
            yield TrialBoard(painter.board, library, painted, level, kind, bare)


# Fitting confidence ----------------------------------------------------------------------------------------


def fit(found: Iterable[TrialBoard]) -> dict[str, list[float]]:
    """Fits the logistic models of `vision.read.Model` on trials whose truth is known."""
    rows: dict[str, list[tuple[float, ...]]] = {name: [] for name in Model._fields[:-1]}
    unfitted = Model((0,) * 4, (0,) * 7, (0,) * 7, (0,) * 3, (0,) * 3, 0.5)
    for trial in found:
        reader = Reader(trial.library, trial.board, unfitted)
        _fit_on(trial, reader, "", rows)
        reader.see_bare(trial.bare.image, trial.bare.camera)
        _fit_on(trial, reader, "_known", rows)
    return {name: logistic(np.array(some, float)) for name, some in rows.items()}


def _fit_on(trial: TrialBoard, reader: Reader, known: str, rows: dict[str, list[tuple[float, ...]]]) -> None:
    """Collects what the models judge by at each place of a trial, and what is true there."""
    image, pose = trial.painted.image, trial.painted.camera
    white = white_at(image, pose, trial.board)
    every = range(len(trial.board.places))
    looked = reader.look(image, pose, white, every)
    reader.look_at_ground(looked, white, every)
    for cell, looks in looked.items():
        look = max(looks, key=Look.top)
        paper = None if white is None else white[cell]
        hidden = reader.hidden_mask(look, paper)
        ranked = reader.rank_answers(cell, look, paper, hidden)
        values, ground = ranked.piece_features(), reader.ground_match(cell, look, paper, hidden)
        pieces = trial.painted.layout.get(cell, ())
        flat = [piece for piece in pieces if not piece.face.startswith("pawn")]
        taught = [piece for piece in flat if not piece.face.startswith(UNTAUGHT)]
        weight = 1.0 if taught or not flat else STRANGE_WEIGHT
        rows[f"bare{known}"].append((*values, *ground.features(), not flat, weight))
        if known:
            continue
        rows["piece"].append((*values, bool(taught), weight))
        traces = reader.traces(look, ranked.scores.crop, paper, ranked.order[0] if flat else None)
        for face, trace in zip(reader.standing.faces if reader.standing else (), traces[:-1], strict=True):
            rows["stands"].append((trace.area, trace.heat, Piece(face.name) in pieces, 1.0))
        if taught and traces:
            rows["anything"].append((traces[-1].area, traces[-1].heat, len(pieces) > len(flat), 1.0))


def logistic(rows: Doubles, decay: float = 0.5) -> list[float]:
    """Fits a logistic model by Newton's method, constant first.

    The last two columns are the truth and how much a row counts.
    """
    middle, spread = rows[:, :-2].mean(0), rows[:, :-2].std(0) + 1e-6
    x = np.column_stack([np.ones(len(rows)), (rows[:, :-2] - middle) / spread])
    y, weight = rows[:, -2], rows[:, -1]
    shrink = decay * np.eye(x.shape[1])
    shrink[0, 0] = 1e-3

    def cost(values: Doubles) -> float:
        z = x @ values
        return float(weight @ (np.logaddexp(0, z) - y * z) + values @ shrink @ values / 2)

    values: Doubles = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(x @ values, -30, 30)))
        slope = x.T @ (weight * (p - y)) + shrink @ values
        step = np.linalg.solve((x * (weight * p * (1 - p))[:, None]).T @ x + shrink, slope)
        size = 1.0
        while cost(values - size * step) > cost(values) and size > 1e-6:
            size /= 2
        values = values - size * step
    weights = values[1:] / spread
    return [round(float(v), 3) for v in (values[0] - weights @ middle, *weights)]


# Measuring --------------------------------------------------------------------------------------------------


def kind_at(trial: TrialBoard, cell: int) -> str:
    """What a place of a trial shows: the row of the report that it counts for."""
    pieces = trial.painted.layout.get(cell, ())
    if pieces and pieces[0].face.startswith(UNTAUGHT):
        return "covered" if pieces[0].face.startswith("cover") else f"{trial.kind} that was not taught"
    pawns = [p for p in pieces if p.face.startswith("pawn")]
    if len(pieces) == len(pawns):
        return "pawn on a bare place" if pawns else "bare place"
    return f"{trial.kind} under a pawn" if pawns else trial.kind


def measure(found: Iterator[TrialBoard] | Sequence[TrialBoard]) -> dict[tuple[int, str], Counter[str]]:
    """Reads every trial: per level and kind, how many places were right, unsure, wrong.

    The board is seen bare first, as at set-up.
    """
    counts: dict[tuple[int, str], Counter[str]] = {}
    reader: Reader | None = None
    taught: FaceLibrary | None = None
    for trial in found:
        if reader is None or trial.library is not taught:
            reader, taught = Reader(trial.library, trial.board), trial.library
        reader.see_bare(trial.bare.image, trial.bare.camera)
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
        "--art", type=Path, metavar="DIR", help="publishers that print the pictures below a folder"
    )
    ask.add_argument(
        "--strange", type=int, default=0, help="so many faces are not taught, so many things cover"
    )
    ask.add_argument(
        "--fit",
        action="store_true",
        help="fit the confidence on other numbers first, and keep it",
    )
    given = ask.parse_args()
    cv2.setNumThreads(1)
    art = None if given.art is None else partial(ClipArt, given.art)
    if given.fit:
        fit_numbers, levels = range(20_000, 20_000 + given.styles), (1, 2, 3)
        painted = trials(fit_numbers, levels, strange=max(1, given.strange))
        printed = () if art is None else trials(fit_numbers, levels, art, max(1, given.strange))
        values: dict[str, object] = {**fit(chain(painted, printed)), "sure": SURE}
        CONFIDENCE.write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")
    numbers = range(given.first, given.first + given.styles)
    print(f"publishers {numbers.start} to {numbers.stop - 1}, seed {SEED}, {given.art or 'painted'}")
    print(table(measure(trials(numbers, given.levels, art or style_of, given.strange))))


SURE = 0.92

if __name__ == "__main__":
    main()
