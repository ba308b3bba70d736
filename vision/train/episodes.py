"""Episodes for training: two photographs of the same imaginary publisher, one neat, one damaged.

The network must say which face of the neat picture each crop of the damaged one shows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import cv2
import numpy as np

from companion.layout import Face, Piece, Place
from vision.embed import SIDE
from vision.paint import Image, Painted, Painter, Rng, Style, board_of
from vision.rectify import stack

COLUMNS = 9
FACES = 12
PAWNS = 12
HEAT = 6
"""Standing pieces are located on a grid this fine."""


class Crops(NamedTuple):
    """Cells of one photograph."""

    pixels: Image
    """n × 48 × 48 × 3, as photographed."""
    white: Image
    """n × 3: a white sheet there, gamma-coded, its mean 1."""
    face: Image
    """n: the number of the face, -1 for a bare cell."""
    quarter: Image
    """n: quarter turns clockwise."""
    heat: Image
    """n × 6 × 6: the share that standing pieces cover."""


class Episode(NamedTuple):
    """A neat and a damaged picture, and which (face, turn) classes people could not tell apart."""

    neat: Crops
    damaged: Crops
    alike: Image
    """(faces × 4) × (faces × 4), true where two classes look the same."""


def episode(seed: int) -> Episode:
    """Paints one episode."""
    rng = np.random.default_rng([seed, 77])
    small = rng.random() < 0.2
    side = float(rng.uniform(24, 36)) if small else float(rng.uniform(41, 50))
    kind = "token" if small else "tile"
    faces = [Face(f"f{i}", kind, side, side, 4) for i in range(FACES)]
    wide = float(rng.uniform(0.25, 0.5)) * side
    pawns = [Face(f"p{i}", "pawn", wide, wide) for i in range(PAWNS)]
    board = board_of([*faces, *pawns], COLUMNS)
    painter = Painter(board, Style(seed), range(FACES))
    neat = painter.photograph(_spread(rng), int(rng.choice([0, 1, 1, 2])), rng, size=_size(rng))
    level = int(rng.choice([0, 1, 2, 3, 4], p=[0.1, 0.2, 0.3, 0.28, 0.12]))
    damaged = painter.photograph(_scatter(rng), level, rng, size=_size(rng))
    return Episode(_cut(neat, side, rng, painter), _cut(damaged, side, rng, painter), _alike(painter))


def paint_into(queue: Any, seed: int, count: int) -> None:
    """Paints episodes into a queue; runs in a process of its own."""
    cv2.setNumThreads(1)
    for number in range(count):
        queue.put(episode(seed * 1_000_000 + number))


def _size(rng: Rng) -> tuple[int, int]:
    side = int(rng.uniform(620, 980))
    return side, side


def _spread(rng: Rng) -> dict[int, tuple[Piece, ...]]:
    """Every face about equally often, upright, nothing standing."""
    order = rng.permutation(COLUMNS**2) % FACES
    return {cell: (Piece(f"f{face}"),) for cell, face in enumerate(order)}


def _scatter(rng: Rng) -> dict[int, tuple[Piece, ...]]:
    """Faces anyhow, some cells bare, some with pawns on them."""
    layout: dict[int, tuple[Piece, ...]] = {}
    for cell in range(COLUMNS**2):
        if rng.random() < 0.12:
            if rng.random() < 0.2:
                layout[cell] = (Piece(f"p{rng.integers(PAWNS)}"),)
            continue
        tile = Piece(f"f{rng.integers(FACES)}", int(rng.integers(4)) * 90)
        pawns = int(rng.choice([0, 1, 2, 3], p=[0.72, 0.22, 0.04, 0.02]))
        layout[cell] = (tile, *(Piece(f"p{i}") for i in rng.choice(PAWNS, pawns, replace=False)))
    return layout


def _cut(painted: Painted, side: float, rng: Rng, painter: Painter) -> Crops:
    """Cuts the cells, with the small errors that a found pose has."""
    off = rng.normal(0, 0.3, 2)
    stretch = rng.uniform(0.96, 1.04)
    places = [
        Place(p.name, p.x + off[0], p.y + off[1], side * stretch, side * stretch)
        for p in painter.board.places
    ]
    pixels = stack(painted.image, painted.camera, places, SIDE)  # type: ignore[arg-type]
    covered = stack(painted.covered, painted.camera, places, SIDE)  # type: ignore[arg-type]
    centres = painted.camera.pixels([(p.x, p.y) for p in places]).astype(int)
    light = painted.light[
        centres[:, 1].clip(0, painted.light.shape[0] - 1), centres[:, 0].clip(0, painted.light.shape[1] - 1)
    ]
    white = np.maximum(light, 1e-3) ** (1 / 2.2)
    face = np.full(len(places), -1)
    quarter = np.zeros(len(places), int)
    for cell, pieces in painted.layout.items():
        if pieces[0].face.startswith("f"):
            face[cell], quarter[cell] = int(pieces[0].face[1:]), pieces[0].turn // 90
    heat = np.stack([cv2.resize(one, (HEAT, HEAT), interpolation=cv2.INTER_AREA) for one in covered]) / 255
    return Crops(
        pixels,
        (white / white.mean(1, keepdims=True)).astype(np.float32),
        face,
        quarter,
        heat.astype(np.float32),
    )


def _alike(painter: Painter) -> Image:
    small = [
        np.rot90(cv2.resize(painter.arts[f"f{i}"], (24, 24), interpolation=cv2.INTER_AREA), -k).astype(
            np.float32
        )
        for i in range(FACES)
        for k in range(4)
    ]
    flat = np.stack(small)
    apart = np.abs(flat[:, None] - flat[None]).max(-1).reshape(len(small), len(small), -1)
    return np.partition(apart, -12, axis=-1)[..., -12] < 40
