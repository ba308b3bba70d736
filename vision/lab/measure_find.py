"""Measures finding: `python -m vision.lab.measure_find` prints, per damage level, how often and how exactly.

Boards are painted in styles that nothing was tuned on; the camera of the painter knows the truth. The lens is
not calibrated.
"""

from __future__ import annotations

import argparse
import time
from typing import NamedTuple

import numpy as np

from companion.engine.errors import DeviceError
from companion.engine.layout import Board, Layout, Piece
from companion.games import load
from vision.find import find
from vision.lab.paint import Painter
from vision.lab.trials import style_of


class FindResult(NamedTuple):
    """What came of one picture: markers found (none: refused) and the error at the worst place's corner."""

    markers: int
    error_mm: float
    seconds: float


def trial(board: Board, level: int, number: int, size: tuple[int, int]) -> FindResult:
    """Paints one table and looks for its board."""
    rng = np.random.default_rng([level, number])
    tiles = [face.name for face in board.faces if face.kind == "tile"]
    layout: Layout = {cell: (Piece(str(rng.choice(tiles))),) for cell in range(36) if rng.random() < 0.6}
    painted = Painter(board, style_of(number)).photograph(layout, level, rng, size=size)
    began = time.process_time()
    try:
        pose = find(painted.image, board)
    except DeviceError:
        return FindResult(0, float("nan"), time.process_time() - began)
    seconds = time.process_time() - began
    corners = [
        (place.x + dx * place.width / 2, place.y + dy * place.height / 2)
        for place in board.places
        for dx in (-1, 1)
        for dy in (-1, 1)
    ]
    away = np.linalg.norm(pose.pixels(corners) - painted.camera.pixels(corners), axis=1)
    return FindResult(len(pose.markers), float(away.max()) / pose.scale(), seconds)


def main() -> None:
    """Prints a table: level, boards found, markers found, middle and worst error, time."""
    ask = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    ask.add_argument("-n", type=int, default=20, help="pictures per level")
    ask.add_argument("--size", type=int, nargs=2, default=(1280, 720), metavar=("W", "H"))
    given = ask.parse_args()
    game = load("night_cage")
    board = game.board(game.resolve({}))
    print("| level | boards found | markers | error mm, middle | worst | ms |\n|---|---|---|---|---|---|")
    for level in range(5):
        trials = [trial(board, level, number, tuple(given.size)) for number in range(given.n)]
        good = [one for one in trials if one.markers]
        errors = [one.error_mm for one in good] or [float("nan")]
        markers = sum(one.markers for one in good) / max(1, len(good))
        middle_ms = 1000 * float(np.median([one.seconds for one in trials]))
        print(
            f"| {level} | {len(good)} of {len(trials)} | {markers:.1f} of {len(board.markers)} "
            f"| {np.median(errors):.2f} | {max(errors):.2f} | {middle_ms:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
