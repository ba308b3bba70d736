"""How the colours of a photograph are linked to those of the taught pictures.

Codes and overlays take the light away, and with it whether a plain piece is grey or blue. But all pieces of
a board lie in the same light, so those that are made out clearly show by how much it differs from the light
in which they were taught; a face whose colours would differ by something else is another one.
"""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np

from companion.engine.action import Cell
from vision.images import Floats, Image, Mask
from vision.standing import balanced

_GRID = 6
_DARKEST = 0.04
"""Added to every colour, white is 1: below it noise decides."""
_MIN_FACES = 3
"""The least number of other recognised faces before colours are linked."""
_CHROMA, _BRIGHTNESS = 0.05, 0.15
"""By how much, in logarithms, pieces may differ from their pictures once colours are linked. Of 1581 pieces
with clip art that were read rightly at levels 1 to 3, 98 % differed by less than twice as much."""


def log_colours(picture: Image, white: Floats | None = None) -> Floats:
    """The colours of a picture, coarse, as logarithms."""
    return np.asarray(np.log(balanced(picture, white, _GRID) + _DARKEST), np.float32)


class ColourLink:
    """By how much the colours at each place differ from those of the face that lies there, logarithms all."""

    def __init__(self) -> None:
        self._offsets: dict[Cell, tuple[str, Floats]] = {}

    def forget(self, cells: Collection[Cell]) -> None:
        """Drops what was noted at these places."""
        self._offsets = {cell: one for cell, one in self._offsets.items() if cell not in cells}

    def note(self, cell: Cell, face: str, seen: Floats, taught: Floats) -> None:
        """Notes that a face lies clearly at a place."""
        self._offsets[cell] = face, np.median((seen - taught).reshape(-1, 3), axis=0)

    def distance(self, face: str, seen: Floats, taught: Floats, hidden: Mask | None = None) -> float:
        """How far the colours at a place are from those that a face would have there; about 1 at usual.

        It is 0 where that cannot be said.
        """
        others = {other: offset for other, offset in self._offsets.values() if other != face}
        if len(others) < _MIN_FACES:
            return 0.0
        apart = seen - taught
        if hidden is not None:
            share = cv2.resize(hidden.astype(np.float32), (_GRID, _GRID), interpolation=cv2.INTER_AREA)
            apart = apart[share < 0.1]
            if len(apart) < _GRID:
                return 0.0
        rest = np.median(apart.reshape(-1, 3), axis=0) - np.median(np.stack(list(others.values())), axis=0)
        chroma = np.abs(rest - rest.mean()).max()
        return float(max(chroma / _CHROMA, abs(rest.mean()) / _BRIGHTNESS))
