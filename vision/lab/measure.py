"""Measures reading: `python -m vision.measure` prints wrong and unsure cells per level and kind of piece.

The art is our painter's, that of a Debian package (`vision.lab.sources`), or that of the rendered pictures
kept with the tests (`vision.lab.rendered`).
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

import cv2

from companion.engine.layout import Piece
from vision.faces import Look
from vision.lab.clip_art import ClipArt, pictures_in
from vision.lab.fit import refit
from vision.lab.paint import Publisher
from vision.lab.rendered import FOLDER, load
from vision.lab.report import PlaceRead, beside_network, calibration, counted, curve, table
from vision.lab.sources import PARTS, SOURCES, pictures
from vision.lab.trials import SEED, UNTAUGHT, TrialBoard, style_of, trials
from vision.read import Reader, white_at
from vision.teach import FaceLibrary


def kind_at(trial: TrialBoard, cell: int) -> str:
    """What a place of a trial shows: the row of the report that it counts for."""
    pieces = trial.painted.layout.get(cell, ())
    share = trial.hidden.get(cell, 0.0)
    if share > 0.1:
        return "covered" if share > 0.5 else "partly covered"
    if pieces and pieces[0].face.startswith(UNTAUGHT):
        return "covered" if pieces[0].face.startswith("cover") else f"{trial.kind} that was not taught"
    pawns = [p for p in pieces if p.face.startswith("pawn")]
    if len(pieces) == len(pawns):
        return "pawn on a bare place" if pawns else "bare place"
    return f"{trial.kind} under a pawn" if pawns else trial.kind


def readings(found: Iterable[TrialBoard]) -> Iterator[PlaceRead]:
    """Reads every trial: what was said of each place, and what the network alone would have said.

    The board is seen bare first, as at set-up.
    """
    reader: Reader | None = None
    taught: FaceLibrary | None = None
    for trial in found:
        if reader is None or trial.library is not taught:
            reader, taught = Reader(trial.library, trial.board), trial.library
        reader.see_bare(trial.bare.image, trial.bare.camera)
        image, pose = trial.painted.image, trial.painted.camera
        seen = reader.read(image, pose)
        network = reader.look(image, pose, white_at(image, pose, trial.board), list(seen.readings))
        for cell, reading in seen.readings.items():
            truth = sorted(trial.painted.layout.get(cell, ()))
            alone, margin = _by_network(network[cell])
            yield PlaceRead(
                trial.level,
                kind_at(trial, cell),
                reading.confidence,
                sorted(reading.guesses[0][0]) == truth,
                reading.pieces is not None,
                reading.guesses[0][0] == () and truth != [],
                margin,
                [alone] == truth,
            )


def _by_network(looks: Sequence[Look]) -> tuple[Piece, float]:
    """The face whose code is most like that of a place, and by how much it is ahead."""
    best = max(looks, key=Look.top)
    return best.size.answers[int(best.likeness.argmax())], best.margin()


def measure(found: Iterable[TrialBoard]) -> dict[tuple[int, str], Counter[str]]:
    """Reads every trial: per level and kind, how many places were right, unsure, wrong."""
    return counted(readings(found))


def main() -> None:
    """Runs the command."""
    ask = argparse.ArgumentParser(prog="python -m vision.measure", description=__doc__)
    ask.add_argument("--styles", type=int, default=60, help="how many imaginary publishers")
    ask.add_argument("--first", type=int, default=0, help="the number of the first of them")
    ask.add_argument("--levels", type=int, nargs="+", default=[0, 1, 2, 3, 4])
    ask.add_argument(
        "--source",
        choices=("painter", *SOURCES, "rendered"),
        default="painter",
        help="whose art: our painter's, that of a Debian package, or the pictures rendered for the tests",
    )
    ask.add_argument("--part", choices=PARTS, default="judging", help="of art by other hands")
    ask.add_argument(
        "--art", type=Path, metavar="DIR", help="publishers that print the pictures below a folder"
    )
    ask.add_argument("--rendered", type=Path, metavar="DIR", help="rendered pictures that lie elsewhere")
    ask.add_argument("--strange", type=int, default=0, help="how many faces are not taught, and things cover")
    ask.add_argument("--turned", action="store_true", help="teach with photographs that lie anyhow")
    ask.add_argument(
        "--keep", type=Path, metavar="FILE", help="keep what was read of each place, as JSON lines"
    )
    ask.add_argument(
        "--curve", type=Path, metavar="PNG", help="draw errors by coverage, beside the network alone"
    )
    ask.add_argument(
        "--fit",
        action="store_true",
        help="fit the confidence on what is for fitting first, and keep it",
    )
    given = ask.parse_args()
    cv2.setNumThreads(1)
    if given.fit:
        refit(given.styles, given.rendered)
        return
    numbers = range(given.first, given.first + given.styles)
    some: Iterable[TrialBoard]
    if given.source == "rendered":
        print(f"rendered pictures, {given.rendered or 'those kept with the tests'}")
        some = load(given.rendered or FOLDER)
    else:
        publisher: Callable[[int], Publisher] = style_of
        if given.art is not None:
            publisher = partial(ClipArt, pictures_in(given.art))
        elif given.source != "painter":
            publisher = partial(ClipArt, pictures(given.source, given.part))
        print(f"publishers {numbers.start} to {numbers.stop - 1}, seed {SEED}, {given.art or given.source}")
        some = trials(numbers, given.levels, publisher, given.strange, given.turned)
    places = list(readings(some))
    if given.keep is not None:
        given.keep.write_text("".join(json.dumps(one) + "\n" for one in places), encoding="utf-8")
    print(table(counted(places)))
    print(calibration(places))
    print(beside_network(places))
    if given.curve is not None:
        cv2.imwrite(str(given.curve), curve(places))


if __name__ == "__main__":
    main()
