"""Paints boards for tests, measuring and training: what the camera would see of a layout.

Nothing in the recogniser may depend on how this module draws: art comes from `paint_art` by seed, light, lens
and noise from `vision.optics` by damage level, and both are varied as widely as they can be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import cv2
import numpy as np

from companion.engine.action import Cell
from companion.engine.grid import Grid
from companion.engine.layout import UPRIGHT_KINDS, Board, Face, Layout, Piece, frame, square_places
from vision.images import Canvas, Rng
from vision.lab.paint_art import SIZE, Colour, colour, field, paper, ring_of
from vision.optics import (
    LEVELS,
    PIXELS_PER_MM,
    TABLE_RIM_MM,
    Damage,
    PinholeCamera,
    expose,
    illuminate,
    paint_markers,
    rim_of,
)

NAMED_COLOURS: Mapping[str, Colour] = {
    "red": (40, 40, 205),
    "blue": (200, 90, 30),
    "green": (60, 150, 40),
    "yellow": (40, 205, 235),
    "purple": (150, 50, 120),
    "violet": (150, 50, 120),
    "orange": (30, 120, 235),
    "white": (235, 235, 235),
    "black": (30, 30, 30),
    "grey": (128, 128, 128),
    "brown": (40, 70, 110),
    "pink": (180, 130, 240),
}


class Painted(NamedTuple):
    """A picture and what is true in it."""

    image: Canvas
    camera: PinholeCamera
    """Serves as the true pose."""
    layout: Layout
    light: Canvas
    """The light that fell on every pixel, linear, per colour."""
    covered: Canvas
    """Where something stands or reaches above the board: 255 there."""


class Publisher(Protocol):
    """Whoever draws the faces of a board."""

    seed: int
    round: bool
    """Whether the corners of its tiles are."""

    def art(self, index: int) -> Canvas:
        """The face with this number, 128 pixels a side."""
        ...


class Painter:
    """Paints one board in one style."""

    def __init__(self, board: Board, style: Publisher, faces: Sequence[int] | None = None) -> None:
        self.board, self.style = board, style
        flat = [face for face in board.faces if face.kind not in UPRIGHT_KINDS]
        self.masks = {face.name: self._mask(face) for face in flat}
        shown = self.masks[flat[-1].name] if flat else None
        numbers = faces or distinct(style, len(flat), [face.turns for face in flat], shown)
        self.arts = {face.name: style.art(n) for face, n in zip(flat, numbers, strict=False)}
        self.faces = {face.name: face for face in board.faces}
        rng = np.random.default_rng([style.seed, 9])
        self.colours = {f.name: pawn_colour(f.name, rng) for f in board.faces if f.kind in UPRIGHT_KINDS}
        self.shape = int(rng.integers(5))
        self._base = self._bare(rng)

    def picture(self, face: str, turn: int = 0) -> Canvas:
        """One face alone, upright or turned, as it was printed."""
        return np.rot90(self.arts[face], -turn // 90 % 4).copy()

    def photograph(
        self,
        layout: Layout,
        damage: Damage | int,
        rng: Rng,
        *,
        size: tuple[int, int] = (1280, 720),
        hand: bool = False,
        camera: PinholeCamera | None = None,
    ) -> Painted:
        """Lays the pieces a little askew and takes a picture."""
        damage = LEVELS[damage] if isinstance(damage, int) else damage
        camera = camera or PinholeCamera.above(
            rng, size, (self.board.width, self.board.height), damage.tilt, rim=rim_of(self.board)
        )
        flat = self._base.copy()
        standing = []
        for cell, pieces in layout.items():
            for piece in pieces:
                if self.faces[piece.face].kind in UPRIGHT_KINDS:
                    standing.append((cell, piece))
                else:
                    self._lay(flat, cell, piece, damage, rng)
        spots = self._spots(standing, rng)
        for x, y, face in spots:
            self._shade(flat, x, y, face.width, rng)
        scene = camera.look(flat, PIXELS_PER_MM, (-TABLE_RIM_MM, -TABLE_RIM_MM))
        covered = np.zeros(scene.shape[:2], np.uint8)
        for x, y, face in sorted(spots, key=lambda spot: spot[1]):
            self._stand(scene, covered, camera, x, y, face, rng)
        if hand:
            reach_in(scene, covered, camera, self.board, rng)
        far = self.board.width, self.board.height
        corners = camera.pixels([(0.0, 0.0), (far[0], 0.0), far, (0.0, far[1])])
        light = illuminate(rng, camera.size, damage, corners)
        return Painted(expose(rng, scene, light, damage), camera, layout, light, covered)

    def _mask(self, face: Face) -> Canvas:
        mask = np.zeros((SIZE, SIZE), np.uint8)
        look = self.style.seed % 3 if face.kind in ("token", "trap", "marker") else 3
        if look == 0:
            cv2.circle(mask, (SIZE // 2, SIZE // 2), SIZE // 2, 255, -1, cv2.LINE_AA)
        elif look == 1:
            corner = (ring_of(6, 0.5) + 0.5) * SIZE
            cv2.fillPoly(mask, [corner.astype(np.int32)], 255, cv2.LINE_AA)
        else:
            mask[:] = 255
            bite = SIZE // 16 if self.style.round else 0
            for x in (0, SIZE - 1):
                for y in (0, SIZE - 1):
                    cv2.circle(mask, (x, y), bite, 0, -1, cv2.LINE_AA)
        return mask

    def _bare(self, rng: Rng) -> Canvas:
        """The table, the board without pieces and the printed frame of markers."""
        board = self.board
        width, height = (
            int((side + 2 * TABLE_RIM_MM) * PIXELS_PER_MM) for side in (board.width, board.height)
        )
        flat = np.asarray(cv2.resize(paper(rng, colour(rng, (0.1, 0.8)), 0.3), (width, height)), np.uint8)
        ground = colour(rng, (0.05, 0.95), (0, 0.5))
        inner = cv2.resize(
            paper(rng, ground, float(rng.choice([0.02, 0.1, 0.3]))),
            (int(board.width * PIXELS_PER_MM), int(board.height * PIXELS_PER_MM)),
        )
        grain = field(rng, 64, 2, size=256)
        if rng.random() < 0.4:
            inner = np.clip(
                inner * (0.85 + 0.3 * cv2.resize(grain, inner.shape[1::-1])[..., None]), 0, 255
            ).astype(np.uint8)
        edge = int(TABLE_RIM_MM * PIXELS_PER_MM)
        flat[edge : edge + inner.shape[0], edge : edge + inner.shape[1]] = inner
        lines, mark = rng.integers(4), rng.integers(5)
        ink = colour(rng)
        for place in board.places:
            x, y = (place.x + TABLE_RIM_MM) * PIXELS_PER_MM, (place.y + TABLE_RIM_MM) * PIXELS_PER_MM
            a, b = place.width * PIXELS_PER_MM / 2, place.height * PIXELS_PER_MM / 2
            if lines:
                cv2.rectangle(
                    flat, (int(x - a), int(y - b)), (int(x + a), int(y + b)), ink, int(lines), cv2.LINE_AA
                )
            if mark == 0:
                cv2.circle(flat, (int(x), int(y)), int(a * 0.3), ink, 2, cv2.LINE_AA)
            elif mark == 1:
                cv2.drawMarker(flat, (int(x), int(y)), ink, cv2.MARKER_CROSS, int(a * 0.5), 2)
        paint_markers(flat, board)
        return flat

    def _lay(self, flat: Canvas, cell: Cell, piece: Piece, damage: Damage, rng: Rng) -> None:
        """Puts a flat piece on its place, shifted and turned as far as the damage allows."""
        place, face = self.board.places[cell], self.faces[piece.face]
        x, y = rng.uniform(-damage.shift_mm, damage.shift_mm, 2) * 0.7 + [place.x, place.y]
        turn = np.radians(piece.turn + place.turn + rng.uniform(-damage.turn, damage.turn))
        c, s = np.cos(turn), np.sin(turn)
        to_mm = np.array([[c, -s], [s, c]]) @ np.diag([face.width / SIZE, face.height / SIZE])
        matrix = np.column_stack([to_mm, np.array([x, y]) - to_mm @ [SIZE / 2, SIZE / 2]])
        reach = int((0.5 + 0.25 * abs(np.sin(2 * turn))) * max(face.width, face.height) * PIXELS_PER_MM) + 6
        px, py = int((x + TABLE_RIM_MM) * PIXELS_PER_MM), int((y + TABLE_RIM_MM) * PIXELS_PER_MM)
        left, top = max(0, px - reach), max(0, py - reach)
        window = flat[top : py + reach, left : px + reach]
        matrix = matrix * PIXELS_PER_MM
        matrix[:, 2] += np.array([TABLE_RIM_MM * PIXELS_PER_MM - left, TABLE_RIM_MM * PIXELS_PER_MM - top])
        size = (window.shape[1], window.shape[0])
        art = cv2.warpAffine(
            self.arts[face.name], matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        mask = np.asarray(cv2.warpAffine(self.masks[face.name], matrix, size), np.uint8)
        shade = cv2.blur(mask, (9, 9))
        cv2.multiply(window, cv2.merge([255 - shade // 3] * 3), window, 1 / 255)
        cv2.copyTo(art, mask & 128, window)

    def _spots(self, standing: list[tuple[Cell, Piece]], rng: Rng) -> list[tuple[float, float, Face]]:
        """Where standing pieces stand: about the middle of their place, side by side if several."""
        spots = []
        for cell in {cell for cell, _ in standing}:
            here = [piece for at, piece in standing if at == cell]
            place = self.board.places[cell]
            start = rng.uniform(0, 2 * np.pi)
            for i, piece in enumerate(here):
                face = self.faces[piece.face]
                away = (
                    0.0
                    if len(here) == 1
                    else min(0.55 * face.width / np.sin(np.pi / max(2, len(here))), 0.3 * place.width)
                )
                angle = start + 2 * np.pi * i / len(here)
                loose = rng.uniform(-0.1, 0.1, 2) * place.width
                spots.append(
                    (
                        place.x + away * np.cos(angle) + loose[0],
                        place.y + away * np.sin(angle) + loose[1],
                        face,
                    )
                )
        return spots

    def _shade(self, flat: Canvas, x: float, y: float, width: float, rng: Rng) -> None:
        reach = int(width * PIXELS_PER_MM * 1.5)
        px, py = int((x + TABLE_RIM_MM) * PIXELS_PER_MM), int((y + TABLE_RIM_MM) * PIXELS_PER_MM)
        window = flat[max(0, py - reach) : py + reach, max(0, px - reach) : px + reach]
        shade = np.zeros(window.shape[:2], np.float32)
        lean = rng.uniform(-0.4, 0.4, 2) * width * PIXELS_PER_MM
        cv2.circle(
            shade,
            (int(reach + lean[0]), int(reach + lean[1])),
            int(width * PIXELS_PER_MM * 0.55),
            float(rng.uniform(0.2, 0.6)),
            -1,
        )
        window[:] = (
            window * (1 - cv2.GaussianBlur(shade, (0, 0), width * PIXELS_PER_MM * 0.12)[..., None])
        ).astype(np.uint8)

    def _stand(
        self, scene: Canvas, covered: Canvas, camera: PinholeCamera, x: float, y: float, face: Face, rng: Rng
    ) -> None:
        """Draws a standing piece as a pile of slices, the upper ones lighter."""
        radius = face.width / 2
        slim, tall = PROFILES[self.shape]
        top = radius * 2 * tall
        base = np.asarray(self.colours[face.name])
        n = 9
        for i in range(n):
            r = radius * float(np.interp(i / (n - 1), np.linspace(0, 1, len(slim)), slim))
            ring = ring_of(24 if self.shape != 4 else 4, r, 0.785)
            outline = camera.project(
                np.column_stack([ring + np.array([x, y]), np.full(len(ring), top * i / (n - 1))])
            )
            shade = np.clip(base * (0.55 + 0.5 * i / (n - 1)), 0, 255)
            edge = np.round(outline * 16).astype(np.int32)
            cv2.fillConvexPoly(scene, edge, tuple(map(float, shade)), cv2.LINE_AA, 4)
            cv2.fillConvexPoly(covered, edge, 255.0, cv2.LINE_AA, 4)
        glint = camera.project([[x + radius * 0.2, y - radius * 0.2, top]])[0]
        wide = max(1, int(np.linalg.norm(outline[0] - outline[len(outline) // 2]) * 0.15))
        if rng.random() < 0.5:
            cv2.circle(
                scene,
                (int(glint[0]), int(glint[1])),
                wide,
                tuple(map(float, np.clip(base + 70, 0, 255))),
                -1,
                cv2.LINE_AA,
            )


PROFILES = (
    ((1, 1, 1), 0.3),
    ((1, 0.9, 0.5, 0.3, 0.5, 0.5, 0.1), 1.3),
    ((1, 0.95, 0.9, 0.9), 0.9),
    ((1, 0.3), 1.2),
    ((1, 1), 0.8),
)
"""Outlines of standing pieces: how wide from foot to head, and how tall for their width."""


def pawn_colour(name: str, rng: Rng) -> Colour:
    """The colour that a piece is named after, a little off, or any strong one."""
    for word, named in NAMED_COLOURS.items():
        if word in name.lower():
            b, g, r = np.clip(np.asarray(named) + rng.uniform(-25, 25, 3), 0, 255)
            return float(b), float(g), float(r)
    return colour(rng, (0.4, 1.0), (0.6, 1.0))


def reach_in(scene: Canvas, covered: Canvas, camera: PinholeCamera, board: Board, rng: Rng) -> None:
    """Draws a hand that reaches in from the lower edge."""
    h, w = scene.shape[:2]
    goal = camera.pixels([rng.uniform([0.2, 0.2], [0.8, 0.8]) * [board.width, board.height]])[0]
    start = np.array([rng.uniform(0.2, 0.8) * w, h * 1.1])
    skin = np.array([rng.uniform(90, 160), rng.uniform(110, 180), rng.uniform(150, 225)])
    along = (goal - start) / np.linalg.norm(goal - start)
    side = np.array([-along[1], along[0]])
    thick = int(0.09 * h)
    palm = goal - along * thick * 0.9
    for end, wide in (
        (palm, thick),
        *((goal + along * thick * 0.7 + side * k * thick * 0.28, thick // 4) for k in (-1.5, -0.5, 0.5, 1.5)),
    ):
        begin = start if wide == thick else palm
        tone = tuple(map(float, np.clip(skin * rng.uniform(0.85, 1.05), 0, 255)))
        cv2.line(scene, tuple(map(int, begin)), tuple(map(int, end)), tone, wide, cv2.LINE_AA)
        cv2.line(covered, tuple(map(int, begin)), tuple(map(int, end)), 255.0, wide, cv2.LINE_AA)


def distinct(style: Publisher, count: int, turns: Sequence[int], shown: Canvas | None = None) -> list[int]:
    """Picks the first faces of a style that people can tell apart, also when turned.

    A face whose turn matters must also differ from itself turned, and only what the outline shows counts.
    """
    visible = (
        1.0 if shown is None else cv2.resize(shown, (24, 24), interpolation=cv2.INTER_AREA)[..., None] / 255
    )
    chosen: list[int] = []
    kept: list[Canvas] = []
    number = 0
    while len(chosen) < count:
        small = visible * cv2.resize(style.art(number), (24, 24), interpolation=cv2.INTER_AREA).astype(
            np.float32
        )
        turned = [np.rot90(small, k) for k in range(4)]
        wanted = turns[len(chosen)]
        alone = all(contrast(small, turned[k]) > 1 for k in ({4: (1, 2, 3), 2: (2,)}.get(wanted, ())))
        if number > 60 * count or (alone and all(contrast(other, t) > 1 for other in kept for t in turned)):
            chosen.append(number)
            kept.append(small)
        number += 1
    return chosen


def contrast(a: Canvas, b: Canvas) -> float:
    """How far two small pictures differ; above 1 a person would see it at a glance."""
    apart = np.abs(a - b).max(2)
    return float(np.sort(apart.ravel())[-12] / 40)


def board_of(faces: Sequence[Face], columns: int = 7, side: float = 50.0) -> Board:
    """A square board for measuring."""
    grid = Grid(columns, columns)
    places = tuple(square_places(grid.names, columns, side))
    return Board(
        f"square_{columns}",
        columns * side,
        columns * side,
        places,
        tuple(faces),
        frame(0 if columns == 6 else 1, columns * side, columns * side),
    )


FRAME_OF_CARDS = frame(3, 500, 300)
