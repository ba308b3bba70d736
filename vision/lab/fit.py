"""Fits confidence: `python -m vision.measure --fit` works out the models of `weights/confidence.json`.

What is fitted on never judges: painted publishers from number 20 000 on, and the fitting part of art by other
hands. Places that show something that was not taught, or are covered, count less than they are many.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np

from companion.engine.layout import Piece
from vision.faces import Look
from vision.images import Doubles
from vision.lab.clip_art import ClipArt
from vision.lab.rendered import load
from vision.lab.sources import pictures
from vision.lab.trials import UNTAUGHT, TrialBoard, trials
from vision.read import CONFIDENCE, Model, Reader, white_at

STRANGE_WEIGHT = 0.25
"""How much they count when confidence is fitted: at a table they are rarer than in these pictures."""


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


SURE = 0.92


def refit(styles: int, rendered: Path | None = None) -> None:
    """Fits on painted publishers, clip art and rendered boards that are for fitting; keeps the result."""
    numbers, levels = range(20_000, 20_000 + styles), (1, 2, 3)
    clip_art = partial(ClipArt, pictures("clip_art", "fitting"))
    found = [trials(numbers, levels, strange=1), trials(numbers, levels, clip_art, strange=1)]
    if rendered is not None:
        found.append(load(rendered))
    values: dict[str, object] = {**fit(chain.from_iterable(found)), "sure": SURE}
    CONFIDENCE.write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")
