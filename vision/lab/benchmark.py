"""How fast the eyes are, beside OpenCV's own marker search on the full frame in the same run, on one core."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np

from companion.engine.layout import UPRIGHT_KINDS, Board, Layout, Piece
from companion.engine.marker_cards import among, cards_around
from companion.games import load
from vision.embed import SIDE, embed
from vision.find import Finder, find
from vision.images import Image, Rng
from vision.lab.paint import Painter
from vision.lab.trials import style_of, teach_from
from vision.marker import DICTIONARY
from vision.read import Reader
from vision.rectify import stack
from vision.settle import Settle
from vision.teach import FaceLibrary

FRAMES = 10_000
"""How many frames memory is watched over."""
_ROUNDS = 15


def measures() -> dict[str, float]:
    """The figures that `gloam bench` reports for the eyes.

    `track`, `find`, `look`: processor time as a multiple of OpenCV's own marker search on the full frame.
    `read52`, `read178`, `learn52`, `learn178`: the same for a first look at all places of the Night Cage and
    of the Dark Cave, and for learning their faces. `cards`: finding by eight marker cards, as a multiple of
    finding by a frame. `classify49_ms`: milliseconds for 49 crops. `memory_mb`: how much memory grows over
    `FRAMES` frames.
    """
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        return _measures()
    finally:
        cv2.setNumThreads(threads)


def _measures() -> dict[str, float]:
    board, frames, library = _table()
    reader = Reader(library, board)
    finder = Finder(board)
    pose = finder.look(frames[0]).pose
    peer = cv2.aruco.ArucoDetector(DICTIONARY)

    def theirs(image: Image) -> object:
        return peer.detectMarkers(image)

    def track(image: Image) -> object:
        return reader.read(image, finder.look(image).pose)

    crops = stack(frames[0], pose, board.places[:49], SIDE)
    whole = {
        f"{what}{number}": ratio
        for key, number in (("night_cage", 52), ("dark_cave", 178))
        for what, ratio in zip(("read", "learn"), _whole(key, number), strict=True)
    }
    return whole | {
        "track": _ratio(track, theirs, frames),
        "find": _ratio(lambda image: find(image, board), theirs, frames),
        "cards": _cards(board, frames),
        "look": _ratio(finder.look, theirs, frames),
        "classify49_ms": 1000 * _seconds(lambda _: embed(crops), frames),
        "memory_mb": _growth_mb(board, frames),
    }


def _cards(board: Board, frames: Sequence[Image]) -> float:
    """What finding by eight marker cards costs, beside finding by a frame; in turns, the middle of three."""
    rng = np.random.default_rng(3)
    laid = among(board, cards_around(board))
    tiles = [face.name for face in board.faces if face.kind == "tile"]
    layout: Layout = {cell: (Piece(tiles[cell % len(tiles)]),) for cell in range(49)}
    image = Painter(laid, style_of(2)).photograph(layout, 1, rng).image
    ratios = [
        _seconds(lambda one: find(one, laid), [image]) / _seconds(lambda one: find(one, board), frames)
        for _ in range(3)
    ]
    return sorted(ratios)[1]


def _whole(key: str, number: int) -> tuple[float, float]:
    """What reading a whole board of a game costs, and learning the faces, beside a search for markers."""
    game = load(key)
    board = game.board(game.resolve({}))
    assert len(board.places) == number
    rng = np.random.default_rng(2)
    painter = Painter(board, style_of(2))
    image = painter.photograph(_anything(board, rng), 1, rng).image
    library, pose = teach_from(painter, key, rng), Finder(board).look(image).pose
    peer = cv2.aruco.ArucoDetector(DICTIONARY)
    theirs = _seconds(lambda one: peer.detectMarkers(one), [image])
    learn = _seconds(lambda _: Reader(library, board), [image], 3)
    fresh = [Reader(library, board) for _ in range(3)]
    read = _seconds(lambda one: fresh.pop().read(one, pose), [image], len(fresh))
    return read / theirs, learn / theirs


def _anything(board: Board, rng: Rng) -> Layout:
    """A piece that fits on most places, turned anyhow, and some standing pieces."""
    layout: dict[int, tuple[Piece, ...]] = {}
    flat = [face for face in board.faces if face.kind not in (*UPRIGHT_KINDS, "die")]
    for cell, place in enumerate(board.places):
        fitting = [face for face in flat if face.width <= place.width and face.height <= place.height]
        if fitting and rng.random() < 0.7:
            face = fitting[int(rng.integers(len(fitting)))]
            turns = range(0, 360, 360 // face.turns)
            layout[cell] = (Piece(face.name, int(rng.choice(turns))),)
    for face in [face for face in board.faces if face.kind in UPRIGHT_KINDS][:6]:
        cell = int(rng.integers(len(board.places)))
        layout[cell] = (*layout.get(cell, ()), Piece(face.name))
    return layout


def _table() -> tuple[Board, list[Image], FaceLibrary]:
    """A board of 49 tiles, frames of it that differ by noise only, and the library of its faces."""
    game = load("night_cage")
    board = game.board(game.resolve({"players": 5}))
    rng = np.random.default_rng(1)
    painter = Painter(board, style_of(2))
    tiles = [face.name for face in board.faces if face.kind == "tile"]
    layout: Layout = {cell: (Piece(tiles[cell % len(tiles)]),) for cell in range(49)}
    painted = painter.photograph(layout, 1, rng).image.astype(np.float32)
    noisy = [painted + rng.normal(0, 2, painted.shape) for _ in range(4)]
    frames = [np.clip(image, 0, 255).astype(np.uint8) for image in noisy]
    return board, frames, teach_from(painter, game.key, rng)


def _seconds(work: Callable[[Image], object], frames: Sequence[Image], rounds: int = _ROUNDS) -> float:
    """The middle time of one piece of work; processor time, since other work must not count."""
    times = []
    for i in range(rounds):
        began = time.process_time()
        work(frames[i % len(frames)])
        times.append(time.process_time() - began)
    return sorted(times)[rounds // 2]


def _ratio(
    ours: Callable[[Image], object], theirs: Callable[[Image], object], frames: Sequence[Image]
) -> float:
    ours(frames[0])
    ratios = sorted(_seconds(ours, frames) / _seconds(theirs, frames) for _ in range(3))
    return ratios[1]


def _growth_mb(board: Board, frames: Sequence[Image]) -> float:
    """By how much memory grows while a camera is followed, bumps and hands included."""
    finder, settle = Finder(board), Settle()
    covered = frames[0].copy()
    covered[covered.shape[0] // 2 :, covered.shape[1] // 3 : covered.shape[1] // 2] = (120, 150, 210)
    bumped = np.roll(frames[0], 9, axis=1)
    start = 0.0
    for i in range(FRAMES):
        image = bumped if i % 500 > 490 else covered if i % 100 > 90 else frames[i % len(frames)]
        sight = finder.look(image)
        settle.look(image, sight, i / 30)
        if i % 10 == 0:
            stack(image, sight.pose, board.places, SIDE, 0.2)
        if i == FRAMES // 10:
            start = _memory_mb()
    return max(0.0, _memory_mb() - start)


def _memory_mb() -> float:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
