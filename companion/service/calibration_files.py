"""What the workshop has found out, in files beside the journal: the lens, corners, LEDs, faces."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import Any

from companion.engine.errors import ConfigError
from companion.engine.layout import Board
from companion.settings.config import CameraSettings
from companion.settings.state_file import StateFile, json_object
from hardware import ledmap
from hardware.ledmap import LedMap
from vision.calibrate import read_lens, write_lens
from vision.find import Finder
from vision.pose import Lens
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


def corners_file(folder: Path) -> Path:
    """Where corners are kept that people have set by hand."""
    return folder / "corners.json"


Corners = tuple[list[list[float]], int, int]
"""Four corners that were set by hand, with the width and height of the picture."""


def state_files(folder: Path) -> list[StateFile[Any]]:
    """Every file that the workshop has written into a folder."""
    return [
        _lens(lens_file(folder)),
        _corners(folder),
        *(_led_map(path) for path in sorted(folder.glob("leds-*.json"))),
        *(_taught(path) for path in sorted((folder / "teach").glob("*.teach"))),
    ]


def _lens(path: Path) -> StateFile[Lens]:
    return StateFile(path, lambda content: read_lens(content.decode("utf-8")))


def _corners(folder: Path) -> StateFile[dict[str, Corners]]:
    return StateFile(corners_file(folder), _read_corners)


def _led_map(path: Path) -> StateFile[LedMap]:
    return StateFile(path, ledmap.read)


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
    path = teach_file(folder, library.game)
    path.parent.mkdir(exist_ok=True)
    _taught(path).save(library.content())


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


def finder_for(folder: Path, board: Board, camera: CameraSettings) -> Finder:
    """Finds the board as the workshop has set it: with the measured lens, by hand where that was needed.

    Raises `ConfigError` where the lens that the settings name cannot be read.
    """
    lens = _lens(Path(camera.lens)).load() if camera.lens else None
    if camera.lens and lens is None:
        raise ConfigError("it is not there, or was damaged and set aside; measure the lens again")
    finder = Finder(board, lens)
    if (kept := kept_corners(folder, board)) is not None:
        finder.set_corners(*kept)
    return finder
