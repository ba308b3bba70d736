"""Faces made from pictures that nobody here drew: a folder of clip art becomes imaginary publishers.

Each publisher takes some pictures of the folder and a way to print them: on one ground or on many, full
bleed, with a border. Some of its faces are nearly plain, as grass and water are on real tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from vision.images import Canvas, Rng
from vision.lab.paint_art import SIZE, colour, paper

_SMALLEST = 40
"""Pictures with fewer pixels a side are icons that show nothing when they are enlarged."""


@lru_cache(maxsize=4)
def pictures_in(folder: Path) -> tuple[Path, ...]:
    """All pictures below a folder, in an order that does not depend on the machine."""
    return tuple(sorted(folder.rglob("*.png")))


class ClipArt:
    """One imaginary publisher that prints some of these pictures."""

    def __init__(self, paths: Sequence[Path], seed: int) -> None:
        self.seed = seed
        rng = np.random.default_rng([seed, 3])
        self._paths = [paths[i] for i in rng.permutation(len(paths))[:400]]
        self._ground = colour(rng, (0.1, 1.0), (0.0, 0.7))
        self._grain = float(rng.choice([0.02, 0.1, 0.25]))
        self._way = int(rng.integers(4))
        """0 one ground for all, 1 a ground for each face, 2 one colour with other grain, 3 full bleed."""
        self._plain = float(rng.choice([0.0, 0.1, 0.25]))
        self._border = int(rng.integers(0, 6)) if rng.random() < 0.5 else 0
        self._ink = colour(rng)
        self.round = bool(rng.random() < 0.5)
        self._common = paper(rng, self._ground, self._grain)

    def art(self, index: int) -> Canvas:
        """The face with this number, 128 pixels a side."""
        rng = np.random.default_rng([self.seed, 4, index])
        face = self._back(rng)
        if rng.random() >= self._plain:
            picture = _read(self._paths[index % len(self._paths)])
            if picture is not None:
                share = rng.uniform(1.0, 1.4) if self._way == 3 else rng.uniform(0.55, 0.92)
                face = _printed(face, picture, float(share))
        if self._border:
            cv2.rectangle(face, (2, 2), (SIZE - 3, SIZE - 3), self._ink, self._border, cv2.LINE_AA)
        return face

    def _back(self, rng: Rng) -> Canvas:
        if self._way == 0:
            return self._common.copy()
        ground = colour(rng, (0.1, 1.0), (0.0, 0.9)) if self._way != 2 else self._ground
        return paper(rng, ground, self._grain)


def _read(path: Path) -> Canvas | None:
    """A picture with its transparency, not larger than a face; None if it shows nothing."""
    found = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if found is None or found.dtype != np.uint8 or min(found.shape[:2]) < _SMALLEST:
        return None
    if found.ndim == 2:
        found = cv2.cvtColor(found, cv2.COLOR_GRAY2BGR)
    if found.shape[2] == 3:
        found = np.dstack([found, np.full(found.shape[:2], 255, np.uint8)])
    ys, xs = np.nonzero(found[..., 3] > 40)
    if len(xs) < _SMALLEST**2 // 4:
        return None
    return np.asarray(found[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1], np.uint8)


def _printed(face: Canvas, picture: Canvas, share: float) -> Canvas:
    """Prints a picture in the middle of a face, its longer side this share of the face's."""
    scale = share * SIZE / max(picture.shape[:2])
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    canvas = np.zeros((2 * SIZE, 2 * SIZE, 4), np.uint8)
    y, x = (2 * SIZE - small.shape[0]) // 2, (2 * SIZE - small.shape[1]) // 2
    canvas[y : y + small.shape[0], x : x + small.shape[1]] = small
    inner = canvas[SIZE // 2 : -SIZE // 2, SIZE // 2 : -SIZE // 2].astype(np.float32)
    cover = inner[..., 3:] / 255
    return np.asarray(face * (1 - cover) + inner[..., :3] * cover, np.float32).clip(0, 255).astype(np.uint8)
