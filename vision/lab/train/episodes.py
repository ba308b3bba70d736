"""Episodes for training: two photographs of the same imaginary publisher, one neat, one damaged.

The network must say which face of the neat picture each crop of the damaged one shows. To be quick, places
are painted side by side as they would look once straightened; light, blur and noise are those of
`vision.optics`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import cv2
import numpy as np

from vision.embed import SIDE
from vision.images import Canvas, Rng
from vision.lab.paint import PROFILES
from vision.lab.paint_art import ICONS, SIZE, TRAINING, Style, colour, icon, paper, put_icon, ring_of
from vision.optics import LEVELS, Damage, expose, illuminate

FACES = 12
HEAT = 6
"""Standing pieces are located on a grid this fine."""
NEAT, ASKED = 7, 9
"""Places along a side of the neat and of the damaged picture."""


class Crops(NamedTuple):
    """Cells of one photograph."""

    pixels: Canvas
    """n × 48 × 48 × 3, as photographed."""
    white: Canvas
    """n × 3: a white sheet there, gamma-coded, its mean 1."""
    face: Canvas
    """n: the number of the face, -1 for a bare cell."""
    quarter: Canvas
    """n: quarter turns clockwise."""
    heat: Canvas
    """n × 6 × 6: the share that standing pieces cover."""


class Episode(NamedTuple):
    """A neat and a damaged picture, and which (face, turn) classes people could not tell apart."""

    neat: Crops
    damaged: Crops
    alike: Canvas
    """(faces × 4) × (faces × 4), true where two classes look the same."""


def episode(seed: int) -> Episode:
    """Paints one episode."""
    rng = np.random.default_rng([seed, 77])
    box = PublisherBox(rng, seed)
    order = rng.permutation(NEAT**2) % FACES
    neat = box.photograph(rng, order, np.zeros(NEAT**2, int), int(rng.choice([0, 1, 1, 2])), False)
    level = int(rng.choice([0, 1, 2, 3, 4], p=[0.1, 0.25, 0.3, 0.25, 0.1]))
    n = ASKED**2
    face = np.where(rng.random(n) < 0.12, -1, rng.integers(FACES, size=n))
    return Episode(neat, box.photograph(rng, face, rng.integers(4, size=n), level, True), _alike(box.arts))


def paint_into(queue: Any, seed: int) -> None:
    """Paints episodes into a queue without end; runs in a process of its own."""
    cv2.setNumThreads(1)
    number = 0
    while True:
        queue.put(episode(seed * 1_000_000 + number))
        number += 1


class PublisherBox:
    """The faces, the board and the pawns of one imaginary publisher."""

    def __init__(self, rng: Rng, seed: int) -> None:
        self.arts = faces_of(rng, seed)
        self.mask = _outline(rng)
        self.side = float(rng.uniform(24, 36) if rng.random() < 0.25 else rng.uniform(41, 60))
        self.board = cv2.resize(
            paper(rng, colour(rng, (0.05, 0.95), (0, 0.6)), float(rng.choice([0.02, 0.1, 0.3]))), (512, 512)
        )
        self.line, self.ink, self.mark = int(rng.integers(3)), colour(rng), int(rng.integers(5))
        self.pawn = float(rng.uniform(0.22, 0.5))
        """Width of a pawn's foot as a share of the place."""
        self.shape = int(rng.integers(len(PROFILES)))

    def photograph(self, rng: Rng, face: Canvas, quarter: Canvas, level: int, stands: bool) -> Crops:
        """Lays faces on places side by side, each a little askew, and takes a picture of all."""
        damage = LEVELS[level]
        across = round(len(face) ** 0.5)
        px = int(rng.uniform(36, 100) if across == ASKED else rng.uniform(44, 110))
        small = [cv2.resize(art, (px, px), interpolation=cv2.INTER_AREA) for art in self.arts]
        mask = cv2.resize(self.mask, (px, px), interpolation=cv2.INTER_AREA)
        flat = np.empty((across * px, across * px, 3), np.uint8)
        covered = np.zeros(flat.shape[:2], np.uint8)
        off, stretch = rng.normal(0, 0.3, 2) / self.side, rng.uniform(0.96, 1.04)
        way, lean = rng.uniform(0, 2 * np.pi), np.tan(np.radians(rng.uniform(*damage.tilt)))
        for cell in range(len(face)):
            row, column = divmod(cell, across)
            at = slice(row * px, row * px + px), slice(column * px, column * px + px)
            window = flat[at]
            self._bare(rng, window)
            if face[cell] >= 0:
                self._lay(rng, window, small[face[cell]], mask, int(quarter[cell]), damage, off, stretch)
            n = int(rng.choice([0, 1, 2, 3], p=[0.7, 0.24, 0.04, 0.02])) if stands else 0
            if face[cell] < 0:
                n = min(n, 1)
            from_middle = np.array([column, row]) - across / 2
            for spot in _spots(rng, n, self.pawn):
                towards = lean * np.array([np.cos(way), np.sin(way)]) + 0.07 * from_middle
                self._stand(rng, window, covered[at], spot, towards)
        whole = (flat.shape[1], flat.shape[0])
        light = illuminate(rng, whole, damage, np.array([[0, 0], [whole[0], 0], whole, [0, whole[1]]], float))
        taken = expose(rng, flat, light, damage)
        return _cut(taken, light, covered, across, face, quarter)

    def _bare(self, rng: Rng, window: Canvas) -> None:
        """The board under one place, and what is printed there."""
        px = len(window)
        x, y = rng.integers(0, 512 - px, 2)
        window[:] = self.board[y : y + px, x : x + px]
        if self.line:
            cv2.rectangle(window, (0, 0), (px - 1, px - 1), self.ink, self.line)
        if self.mark == 0:
            cv2.circle(window, (px // 2, px // 2), px // 6, self.ink, 1, cv2.LINE_AA)
        elif self.mark == 1:
            cv2.drawMarker(window, (px // 2, px // 2), self.ink, cv2.MARKER_CROSS, px // 4, 1)

    def _lay(
        self,
        rng: Rng,
        window: Canvas,
        art: Canvas,
        mask: Canvas,
        quarter: int,
        damage: Damage,
        off: Canvas,
        stretch: float,
    ) -> None:
        px = len(window)
        turn = np.radians(90 * quarter + rng.uniform(-damage.turn, damage.turn))
        shift = (rng.uniform(-damage.shift_mm, damage.shift_mm, 2) * 0.7 / self.side + off) * px
        c, s = np.cos(turn) * stretch, np.sin(turn) * stretch
        to = np.array([[c, -s], [s, c]])
        middle = np.full(2, (px - 1) / 2)
        matrix = np.column_stack([to, middle + shift - to @ middle])
        laid = cv2.warpAffine(art, matrix, (px, px), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        where = np.asarray(cv2.warpAffine(mask, matrix, (px, px)), np.uint8)
        shade = cv2.blur(where, (5, 5))
        cv2.multiply(window, cv2.merge([255 - shade // 3] * 3), window, 1 / 255)
        cv2.copyTo(laid, where & 128, window)

    def _stand(self, rng: Rng, window: Canvas, covered: Canvas, spot: Canvas, towards: Canvas) -> None:
        """A pawn, seen from above and a little from the side; often of a colour that is there already."""
        px = len(window)
        at = (spot + 0.5) * px
        radius = self.pawn * px / 2 * rng.uniform(0.9, 1.1)
        if rng.random() < 0.4:
            x, y = np.clip(at + rng.normal(0, 0.2 * px, 2), 0, px - 1).astype(int)
            base = np.clip(window[y, x] + rng.normal(0, 18, 3), 0, 255)
        else:
            base = np.array(colour(rng, (0.1, 1.0), (0.0, 1.0)))
        slim, tall = PROFILES[self.shape if rng.random() < 0.8 else int(rng.integers(len(PROFILES)))]
        _shade(rng, window, at, radius)
        n, top = 7, 2 * radius * tall * rng.uniform(0.6, 1.2)
        corners, start = (24 if self.shape != 4 else int(rng.choice([4, 6]))), rng.uniform(0, 6)
        low = rng.uniform(0.45, 0.9)
        for i in range(n):
            r = radius * float(np.interp(i / (n - 1), np.linspace(0, 1, len(slim)), slim))
            edge = ring_of(corners, r, start) + at + towards * top * i / (n - 1)
            tone = tuple(map(float, np.clip(base * (low + (1.05 - low) * i / (n - 1)), 0, 255)))
            xy = np.round(edge * 16).astype(np.int32)
            cv2.fillConvexPoly(window, xy, tone, cv2.LINE_AA, 4)
            cv2.fillConvexPoly(covered, xy, 255.0, cv2.LINE_AA, 4)
        if rng.random() < 0.4:
            x, y = (at + towards * top + radius * rng.uniform(-0.3, 0.3, 2)).astype(int)
            cv2.circle(
                window,
                (int(x), int(y)),
                max(1, int(radius * 0.2)),
                tuple(map(float, np.clip(base + 70, 0, 255))),
                -1,
                cv2.LINE_AA,
            )


def faces_of(rng: Rng, seed: int) -> list[Canvas]:
    """Twelve faces: one style, or two mixed; in some boxes half of the faces are hardly changed copies."""
    style = Style(seed, str(rng.choice(TRAINING)))
    arts = [style.art(i) for i in range(FACES)]
    if rng.random() < 0.3:
        other = Style(seed + 500_000, str(rng.choice(TRAINING)))
        arts = [_mixed(rng, art, other.art(i)) for i, art in enumerate(arts)]
    if rng.random() < 0.4:
        half = FACES // 2
        arts[half:] = [_sibling(rng, art, arts, style) for art in arts[:half]]
    if rng.random() < 0.15:
        arts = [_two_headed(rng, art, style) for art in arts]
    tone = rng.random()
    if tone < 0.1:
        arts = [255 - art for art in arts]
    elif tone < 0.2:
        arts = [cv2.cvtColor(cv2.cvtColor(art, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR) for art in arts]
    elif tone < 0.35:
        low, high = rng.uniform(0, 90), rng.uniform(140, 255)
        arts = [np.clip(low + (high - low) * (art / 255.0), 0, 255).astype(np.uint8) for art in arts]
    return arts


def _mixed(rng: Rng, a: Canvas, b: Canvas) -> Canvas:
    how = int(rng.integers(3))
    if how == 0:
        return cv2.addWeighted(a, 0.6, b, 0.4, 0)
    if how == 1:
        return cv2.multiply(a, b, scale=1 / 255)
    inner = cv2.resize(b, (SIZE * 5 // 8, SIZE * 5 // 8), interpolation=cv2.INTER_AREA)
    a = a.copy()
    edge = (SIZE - len(inner)) // 2
    a[edge : edge + len(inner), edge : edge + len(inner)] = inner
    return a


def _sibling(rng: Rng, art: Canvas, arts: list[Canvas], style: Style) -> Canvas:
    """A face that differs from another in one thing only."""
    art, how = art.copy(), int(rng.integers(5))
    if how == 0:
        return art[:, ::-1].copy()
    if how == 1:
        return art[..., rng.permutation(3)].copy()
    if how == 2:
        spot = rng.uniform(-0.3, 0.3, 2)
        put_icon(
            art,
            icon(rng, int(rng.integers(ICONS))),
            (spot[0], spot[1]),
            rng.uniform(0.07, 0.16),
            0,
            style.ink(rng),
            style.ground,
            2,
        )
        return art
    n = int(rng.uniform(0.2, 0.5) * SIZE)
    x, y = rng.integers(0, SIZE - n, 2)
    source = arts[int(rng.integers(len(arts)))] if how == 3 else art[::-1, ::-1]
    art[y : y + n, x : x + n] = source[y : y + n, x : x + n]
    return art


def _two_headed(rng: Rng, art: Canvas, style: Style) -> Canvas:
    """A card whose lower half repeats the upper one, but for a small sign."""
    art = art.copy()
    art[SIZE // 2 :] = art[: SIZE // 2][::-1, ::-1]
    spot = rng.uniform(-0.35, 0.35, 2)
    put_icon(
        art,
        icon(rng, int(rng.integers(ICONS))),
        (spot[0], spot[1]),
        rng.uniform(0.07, 0.14),
        0,
        style.ink(rng),
        style.ground,
        2,
    )
    return art


def _outline(rng: Rng) -> Canvas:
    mask = np.zeros((SIZE, SIZE), np.uint8)
    look = int(rng.choice([0, 1, 2, 3, 3, 3, 3]))
    if look == 0:
        cv2.circle(mask, (SIZE // 2, SIZE // 2), SIZE // 2, 255, -1, cv2.LINE_AA)
    elif look == 1:
        cv2.fillPoly(mask, [((ring_of(6, 0.5) + 0.5) * SIZE).astype(np.int32)], 255, cv2.LINE_AA)
    else:
        mask[:] = 255
    if look == 2:
        for x in (0, SIZE - 1):
            for y in (0, SIZE - 1):
                cv2.circle(mask, (x, y), SIZE // 14, 0, -1, cv2.LINE_AA)
    return mask


def _spots(rng: Rng, n: int, wide: float) -> list[Canvas]:
    """Where pawns stand on one place, from its middle, in shares of its side."""
    start, away = rng.uniform(0, 2 * np.pi), 0.0 if n < 2 else 0.55 * wide / np.sin(np.pi / n)
    angles = start + 2 * np.pi * np.arange(n) / max(n, 1)
    return [min(away, 0.3) * np.array([np.cos(a), np.sin(a)]) + rng.uniform(-0.15, 0.15, 2) for a in angles]


def _shade(rng: Rng, window: Canvas, at: Canvas, radius: float) -> None:
    shade = np.zeros(window.shape[:2], np.float32)
    x, y = at + rng.uniform(-0.8, 0.8, 2) * radius
    cv2.circle(shade, (int(x), int(y)), int(radius * 1.1) + 1, float(rng.uniform(0.0, 0.6)), -1)
    soft = cv2.GaussianBlur(shade, (0, 0), max(0.5, radius * 0.25))
    window[:] = (window * (1 - soft[..., None])).astype(np.uint8)


def _cut(taken: Canvas, light: Canvas, covered: Canvas, across: int, face: Canvas, quarter: Canvas) -> Crops:
    px = len(taken) // across
    starts = [(row * px, column * px) for row in range(across) for column in range(across)]
    crops = [
        cv2.resize(taken[y : y + px, x : x + px], (SIDE, SIDE), interpolation=cv2.INTER_AREA)
        for y, x in starts
    ]
    heat = [
        cv2.resize(covered[y : y + px, x : x + px], (HEAT, HEAT), interpolation=cv2.INTER_AREA)
        for y, x in starts
    ]
    lit = np.stack([light[y + px // 2, x + px // 2] for y, x in starts])
    white = np.maximum(lit, 1e-3) ** (1 / 2.2)
    return Crops(
        np.stack(crops),
        (white / white.mean(1, keepdims=True)).astype(np.float32),
        face,
        np.where(face >= 0, quarter, 0),
        np.stack(heat).astype(np.float32) / 255,
    )


def _alike(arts: list[Canvas]) -> Canvas:
    small = np.stack([cv2.resize(art, (24, 24), interpolation=cv2.INTER_AREA) for art in arts]).astype(
        np.float32
    )
    alike = np.zeros((FACES, 4, FACES, 4), bool)
    for turn in range(4):
        turned = np.rot90(small, -turn, (1, 2))
        apart = np.abs(small[:, None] - turned[None]).max(-1).reshape(FACES, FACES, -1)
        same = np.partition(apart, -12, axis=-1)[..., -12] < 40
        for k in range(4):
            alike[:, k, :, (k + turn) % 4] = same
    return alike.reshape(FACES * 4, FACES * 4)
