"""What the workshop has found out, in files beside the journal: the lens, corners, LEDs, faces."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from companion.config import CameraSettings, write_whole
from companion.layout import Board
from vision.calibrate import read_lens
from vision.find import Finder


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


def kept_corners(folder: Path, board: Board) -> tuple[list[list[float]], int, int] | None:
    """The corners of a board that were set by hand, with the picture's size; None where there are none."""
    try:
        kept = json.loads(corners_file(folder).read_text("utf-8"))[board.key]
        return [[float(x), float(y)] for x, y in kept["corners"]], int(kept["width"]), int(kept["height"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep_corners(
    folder: Path, board: Board, corners: Sequence[Sequence[float]] | None, width: int, height: int
) -> None:
    """Keeps corners that were set by hand, or forgets them."""
    path = corners_file(folder)
    try:
        kept = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        kept = {}
    kept.pop(board.key, None)
    if corners is not None:
        kept[board.key] = {"corners": [list(one) for one in corners], "width": width, "height": height}
    write_whole(path, json.dumps(kept, indent=1))


def finder_for(folder: Path, board: Board, camera: CameraSettings) -> Finder:
    """Finds the board as the workshop has set it: with the measured lens, by hand where that was needed."""
    lens = read_lens(Path(camera.lens).read_text("utf-8")) if camera.lens else None
    finder = Finder(board, lens)
    if (kept := kept_corners(folder, board)) is not None:
        finder.set_corners(*kept)
    return finder
