"""What the workshop has found out, in files beside the journal: lens, cards, LEDs, switches, faces."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from companion.engine.action import Cell
from companion.engine.errors import ConfigError
from companion.engine.layout import At, Board
from companion.engine.parts import lay, seated
from companion.settings.config import CameraSettings
from companion.settings.state_file import StateFile, json_object
from hardware import ledmap
from hardware.ledmap import LedMap
from hardware.projector import Screen
from vision.calibrate import read_lens, write_lens
from vision.find import Finder
from vision.pose import Lens
from vision.table_map import TableMap, read_table, write_table
from vision.teach import FaceLibrary

TEACH_BYTES = 32 * 1024 * 1024


def lens_file(folder: Path) -> Path:
    """Where the measured lens is kept."""
    return folder / "lens.json"


def teach_file(folder: Path, game: str) -> Path:
    """Where the faces of a game that were taught are kept."""
    return folder / "teach" / f"{game}.teach"


def map_file(folder: Path, board: Board) -> Path:
    """Where the LEDs under a board are noted."""
    return folder / f"leds-{board.key}.json"


def switches_file(folder: Path, board: Board) -> Path:
    """Where it is noted which switch lies under which place of a board."""
    return folder / f"switches-{board.key}.json"


def screens_file(folder: Path) -> Path:
    """Where it is kept how each board lies on the projector's screen."""
    return folder / "projector.json"


def corners_file(folder: Path) -> Path:
    """Where corners are kept that people have set by hand."""
    return folder / "corners.json"


def cards_file(folder: Path) -> Path:
    """Where the places of the marker cards, and of the boards among them, are kept."""
    return folder / "cards.json"


def parts_file(folder: Path) -> Path:
    """Where it is kept how boards lie that each lie by themselves."""
    return folder / "boards.json"


Corners = tuple[list[list[float]], int, int]
"""Four corners that were set by hand, with the width and height of the picture."""


def state_files(folder: Path) -> list[StateFile[Any]]:
    """Every file that the workshop has written into a folder."""
    return [
        _lens(lens_file(folder)),
        _corners(folder),
        _cards(folder),
        _parts(folder),
        _screens(folder),
        *(_led_map(path) for path in sorted(folder.glob("leds-*.json"))),
        *(_switches(path) for path in sorted(folder.glob("switches-*.json"))),
        *(_taught(path) for path in sorted((folder / "teach").glob("*.teach"))),
    ]


def _lens(path: Path) -> StateFile[Lens]:
    return StateFile(path, lambda content: read_lens(content.decode("utf-8")))


def _corners(folder: Path) -> StateFile[dict[str, Corners]]:
    return StateFile(corners_file(folder), _read_corners)


def _cards(folder: Path) -> StateFile[TableMap]:
    return StateFile(cards_file(folder), lambda content: read_table(content.decode("utf-8")))


def _led_map(path: Path) -> StateFile[LedMap]:
    return StateFile(path, ledmap.read)


def _switches(path: Path) -> StateFile[dict[int, str]]:
    return StateFile(path, _read_switches)


def _read_switches(content: bytes) -> dict[int, str]:
    return {int(number): str(name) for number, name in json_object(content).items()}


def kept_switches(folder: Path, board: Board) -> dict[int, Cell] | None:
    """Which switch lies under which place of a board, as it was found by touch; None where it was not."""
    kept = _switches(switches_file(folder, board)).load()
    if kept is None:
        return None
    cells = {place.name: cell for cell, place in enumerate(board.places)}
    return {number: cells[name] for number, name in kept.items() if name in cells}


def keep_switches(folder: Path, board: Board, places: Mapping[int, Cell]) -> None:
    """Keeps which switch lies under which place of a board."""
    named = {str(number): board.places[cell].name for number, cell in sorted(places.items())}
    _switches(switches_file(folder, board)).save(json.dumps(named, indent=1).encode("utf-8"))


def _screens(folder: Path) -> StateFile[dict[str, list[list[float]]]]:
    return StateFile(screens_file(folder), _read_screens)


def _read_screens(content: bytes) -> dict[str, list[list[float]]]:
    found = {}
    for key, rows in json_object(content).items():
        matrix = [[float(value) for value in row] for row in rows]
        if [len(row) for row in matrix] != [3, 3, 3] or not all(map(isfinite, chain(*matrix))):
            raise ValueError(f"how {key} lies on the screen is no homography")
        found[key] = matrix
    return found


def kept_screen(folder: Path, board: Board) -> Screen:
    """The projector's screen as it was found for a board; without a matrix where it was not."""
    kept = (_screens(folder).load() or {}).get(board.key)
    return Screen(board, matrix=None if kept is None else np.array(kept))


def keep_screen(folder: Path, board: Board, screen: Screen) -> None:
    """Keeps how a board lies on the projector's screen."""
    assert screen.matrix is not None
    file = _screens(folder)
    kept = (file.load() or {}) | {board.key: screen.matrix.tolist()}
    file.save(json.dumps(kept, indent=1).encode("utf-8"))


def _taught(path: Path) -> StateFile[FaceLibrary]:
    return StateFile(path, FaceLibrary.read, largest=TEACH_BYTES)


def taught_faces(folder: Path, game: str) -> FaceLibrary:
    """The faces of a game that were taught; raises `ConfigError` where there are none."""
    path = teach_file(folder, game)
    found = _taught(path).load()
    if found is None:
        raise ConfigError(f"{path} is not there, or was damaged and set aside: teach in the workshop.")
    return found


def keep_faces(folder: Path, library: FaceLibrary) -> None:
    """Keeps the faces of a game."""
    _taught(teach_file(folder, library.game)).save(library.content())


def keep_lens(folder: Path, lens: Lens) -> Path:
    """Keeps the measured lens; returns its file."""
    _lens(lens_file(folder)).save(write_lens(lens).encode("utf-8"))
    return lens_file(folder)


def keep_map(folder: Path, board: Board, led_map: LedMap) -> None:
    """Keeps the LEDs that were found under a board."""
    _led_map(map_file(folder, board)).save(ledmap.text(led_map).encode("utf-8"))


def _read_corners(content: bytes) -> dict[str, Corners]:
    found = {}
    for key, kept in json_object(content).items():
        corners = [[float(x), float(y)] for x, y in kept["corners"]]
        width, height = int(kept["width"]), int(kept["height"])
        if len(corners) != 4 or width <= 0 or height <= 0 or not all(map(isfinite, chain(*corners))):
            raise ValueError(f"the corners of {key} are no corners")
        found[key] = corners, width, height
    return found


def kept_corners(folder: Path, board: Board) -> Corners | None:
    """The corners of a board that were set by hand, with the picture's size; None where there are none."""
    return (_corners(folder).load() or {}).get(board.key)


def keep_corners(
    folder: Path, board: Board, corners: Sequence[Sequence[float]] | None, width: int, height: int
) -> None:
    """Keeps corners that were set by hand, or forgets them."""
    file = _corners(folder)
    kept = file.load() or {}
    kept.pop(board.key, None)
    if corners is not None:
        kept[board.key] = [list(one) for one in corners], width, height
    said = {key: {"corners": c, "width": w, "height": h} for key, (c, w, h) in kept.items()}
    file.save(json.dumps(said, indent=1).encode("utf-8"))


def kept_table(folder: Path) -> TableMap | None:
    """The cards and boards that were measured; None where there are none."""
    return _cards(folder).load()


def keep_table(folder: Path, table: TableMap) -> None:
    """Keeps the cards and the boards that were measured among them."""
    _cards(folder).save(write_table(table).encode("utf-8"))


def keep_moved_cards(folder: Path, board: Board) -> None:
    """Keeps the places of cards as a finder has followed them around a board."""
    table = kept_table(folder)
    if table is not None and table.has(board):
        keep_table(folder, table.moved(board))


def _parts(folder: Path) -> StateFile[dict[str, list[At]]]:
    return StateFile(parts_file(folder), _read_parts)


def _read_parts(content: bytes) -> dict[str, list[At]]:
    found = {}
    for key, parts in json_object(content).items():
        found[key] = [At(*(float(value) for value in at)) for at in parts]
        if not all(map(isfinite, chain(*found[key]))):
            raise ValueError(f"a board of {key} lies nowhere")
    return found


def keep_parts(folder: Path, board: Board) -> None:
    """Keeps where each of several boards lies."""
    file = _parts(folder)
    kept = (file.load() or {}) | {board.key: [part.at for part in board.parts]}
    said = {key: [[round(value, 2) for value in at] for at in some] for key, some in kept.items()}
    file.save(json.dumps(said, indent=1).encode("utf-8"))


def as_measured(folder: Path, board: Board) -> Board:
    """The board as it was measured on this table: its own places, found by cards; else as it is.

    Boards that lie by themselves lie as they were found last, or before their players.
    """
    if board.parts:
        at = (_parts(folder).load() or {}).get(board.key, [])
        return lay(board, at) if len(at) == len(board.parts) else seated(board)
    table = kept_table(folder)
    return board if table is None else table.lay(board)


def finder_for(folder: Path, board: Board, camera: CameraSettings) -> Finder:
    """Finds the board as the workshop has set it: with the measured lens, by hand where that was needed.

    Raises `ConfigError` where the lens that the settings name cannot be read.
    """
    lens = _lens(Path(camera.lens)).load() if camera.lens else None
    if camera.lens and lens is None:
        raise ConfigError("it is not there, or was damaged and set aside; measure the lens again")
    table = kept_table(folder)
    if lens is None and table is not None and (board.parts or table.has(board)):
        lens = table.lens
    finder = Finder(board, lens)
    if (kept := kept_corners(folder, board)) is not None:
        finder.set_corners(*kept)
    return finder
