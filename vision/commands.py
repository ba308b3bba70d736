"""The commands `gloam teach` and `gloam see`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.engine.errors import ConfigError, DeviceError
from companion.engine.layout import UPRIGHT_KINDS, Board, Place
from companion.engine.observation import Observation, Reading
from companion.engine.options import from_pairs
from companion.games import REGISTRY, load
from vision.camera import load_picture
from vision.debug import draw
from vision.dice import read_dice, taught_faces
from vision.find import doubts, find
from vision.images import Image
from vision.loose import find_cards
from vision.pose import Lens, Pose
from vision.read import Reader
from vision.rectify import crop
from vision.table_map import read_table
from vision.teach import FaceLibrary, teach_folder

CARDS_HELP = "the board lies among marker cards: where, as measured in the workshop (cards.json)"
_CARD = 96
"""Pixels across a card that is cut out of a photograph."""
_TRAY_RIM, _PER_MM = 4.0, 4.0
"""Millimetres around the places of a tray, and pixels per millimetre, when its dice are read."""


def teach(argv: Sequence[str]) -> int:
    """Learns the faces of a game from a folder of photographs."""
    ask = argparse.ArgumentParser(
        prog="gloam teach",
        description="Learns the faces of GAME from photographs: DIR/FACE/*.png, a turn noted as …_r90.png.",
    )
    ask.add_argument("game", metavar="GAME", help=", ".join(REGISTRY))
    ask.add_argument("--faces", required=True, metavar="DIR", type=Path, help="a folder per face")
    ask.add_argument("--out", required=True, metavar="TEACH", type=Path, help="the teach file to write")
    ask.add_argument("--option", action="append", default=[], metavar="K=V", help="an option of the game")
    given = ask.parse_args(argv)
    learnt, problems = teach_folder(given.game, board_of(given.game, given.option), given.faces)
    try:
        learnt.save(given.out)
    except OSError as error:
        raise ConfigError(f"{given.out} cannot be written: {error.strerror or error}") from None
    report = {
        "game": given.game,
        "teach": str(given.out),
        "faces": {name: len(pictures) for name, pictures in learnt.pictures.items()},
        "problems": [problem._asdict() for problem in problems],
    }
    print(json.dumps(report, indent=1, ensure_ascii=False))
    return 0


def see(argv: Sequence[str]) -> int:
    """Reads one photograph of a game's board; returns 1, too, when it was read but better taken otherwise."""
    ask = argparse.ArgumentParser(
        prog="gloam see", description="Reads one photograph: per place face, rotation, confidence, pawns."
    )
    ask.add_argument("image", metavar="IMAGE", type=Path)
    ask.add_argument("--game", required=True, metavar="GAME", help=", ".join(REGISTRY))
    ask.add_argument("--teach", required=True, metavar="TEACH", type=Path, help="written by `gloam teach`")
    ask.add_argument("--option", action="append", default=[], metavar="K=V", help="an option of the game")
    ask.add_argument("--debug", metavar="F.png", type=Path, help="draw what was seen over the photograph")
    ask.add_argument("--loose", action="store_true", help="cards on a bare table, without the printed frame")
    ask.add_argument("--cards", metavar="F.json", type=Path, help=CARDS_HELP)
    given = ask.parse_args(argv)
    board, lens = among_cards(board_of(given.game, given.option), given.cards)
    learnt = FaceLibrary.load(given.teach)
    if learnt.game != given.game:
        raise ConfigError(f"{given.teach} was taught for {learnt.game}, not for {given.game}: teach again.")
    image = load_picture(given.image)
    reader = Reader(learnt, board)
    pose = None
    if given.loose:
        found: dict[str, Any] = {"cards": _loose_cards(image, reader)}
    else:
        pose = find(image, board, lens)
        reader.board = pose.board
        seen = reader.read(image, pose)
        found = {**as_json(seen, board), **_dice(image, pose, learnt)}
        if given.debug is not None:
            _write(given.debug, draw(image, pose, seen))
    print(json.dumps({"game": given.game, **found}, indent=1, ensure_ascii=False))
    doubtful = doubts(image, pose)
    for sentence in doubtful:
        print(f"gloam: {sentence}", file=sys.stderr)
    return 1 if doubtful else 0


def board_of(key: str, pairs: Sequence[str]) -> Board:
    """The board of a game with options written as `name=value`."""
    game = load(key)
    return game.board(game.resolve(from_pairs(pairs)))


def among_cards(board: Board, path: Path | None) -> tuple[Board, Lens | None]:
    """A board as it was measured among marker cards, and the lens; as it is where no file is given.

    Raises `ConfigError` for a file that knows nothing of this board.
    """
    if path is None:
        return board, None
    try:
        table = read_table(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"--cards {path}: {error}") from None
    if not table.has(board):
        known = ", ".join(table.boards) or "none"
        raise ConfigError(f"{path}: the board {board.key} was not measured there, but {known}")
    return table.lay(board), table.lens


def as_json(seen: Observation, board: Board) -> dict[str, Any]:
    """An observation as `gloam see` prints it: a place is `read`, `empty` or `unsure`."""
    kinds = {face.name: face.kind for face in board.faces}
    cells = [
        {"name": board.places[cell].name, **_place_json(reading, kinds)}
        for cell, reading in sorted(seen.readings.items())
    ]
    return {"board": board.name, "cells": cells}


def _place_json(reading: Reading, kinds: dict[str, str]) -> dict[str, Any]:
    pieces = reading.pieces or ()
    flat = [piece for piece in pieces if kinds[piece.face] not in UPRIGHT_KINDS]
    pawns = [piece.face for piece in pieces if kinds[piece.face] in UPRIGHT_KINDS]
    found: dict[str, Any] = {
        "state": "unsure" if reading.pieces is None else "read" if pieces else "empty",
        "face": flat[-1].face if flat else None,
        "rotation": flat[-1].turn if flat else None,
        "confidence": round(reading.confidence, 4),
        "pawns": pawns,
    }
    if len(flat) > 1:
        found["below"] = [{"face": piece.face, "rotation": piece.turn} for piece in flat[:-1]]
    if reading.pieces is None:
        found["guesses"] = [
            {
                "pieces": [{"face": piece.face, "rotation": piece.turn} for piece in guess],
                "confidence": round(p, 4),
            }
            for guess, p in reading.guesses[:3]
        ]
    return found


def _loose_cards(image: Image, reader: Reader) -> list[dict[str, Any]]:
    """The cards on a bare table: where each lies, how it is turned in the picture, what it shows."""
    turns = {face.name: face.turns for face in reader.board.faces}
    sizes = sorted({(face.width, face.height) for face in reader.board.faces if face.kind == "card"})
    if not sizes:
        raise ConfigError(f"{reader.board.name} has no cards: leave --loose out.")
    cards = []
    for width, height in sizes:
        for card in find_cards(image, width, height):
            reading = reader.identify(card.picture(image, _CARD, round(_CARD * height / width)))
            across = card.corners[1] - card.corners[0]
            angle = round(float(np.degrees(np.arctan2(across[1], across[0]))))
            told = _place_json(reading, {face.name: face.kind for face in reader.board.faces})
            if told["rotation"] is not None:
                has_top = turns[told["face"]] > 1
                told["rotation"] = (told["rotation"] + angle) % 360 if has_top else None
            corners = [[round(float(v), 1) for v in corner] for corner in card.corners]
            cards.append({"corners_px": corners, **told})
    if not cards:
        raise DeviceError("No card is seen: lay the cards apart, on a table of another colour.")
    return cards


def _dice(image: Image, pose: Pose, learnt: FaceLibrary) -> dict[str, Any]:
    """The dice in the tray of a board, if it has one and its dice were taught."""
    tray = [place for place in pose.board.places if place.zone == "tray"]
    taught = taught_faces(learnt, pose.board)
    if not tray or not taught:
        return {}
    low = np.min([(p.x - p.width / 2, p.y - p.height / 2) for p in tray], axis=0) - _TRAY_RIM
    high = np.max([(p.x + p.width / 2, p.y + p.height / 2) for p in tray], axis=0) + _TRAY_RIM
    middle, size = (low + high) / 2, high - low
    whole = Place("tray", middle[0], middle[1], size[0], size[1])
    picture = crop(image, pose, whole, (round(size[0] * _PER_MM), round(size[1] * _PER_MM)))
    side_px = _PER_MM * max(face.width for face in pose.board.faces if face.kind == "die")
    return {
        "dice": [
            {
                "face": die.face,
                "confidence": round(die.confidence, 4),
                "centre_mm": [round(float(v), 1) for v in low + np.array(die.centre) / _PER_MM],
            }
            for die in read_dice(picture, taught, side_px)
        ]
    }


def _write(path: Path, picture: Any) -> None:
    good, coded = cv2.imencode(path.suffix or ".png", picture)
    if not good:
        raise ConfigError(f"{path}: the debug picture must end in .png or .jpg.")
    path.write_bytes(coded.tobytes())
