"""Art of imaginary publishers: pictures of tiles, tokens and cards, all from a seed.

A `Style` is one publisher. Its family says how it draws (corridors, icons, glyphs, fields of noise …);
palette, border, line width, texture and everything else come from its seed. The families named in `HELD_OUT`
are never used for training, so that measuring on them shows how the eyes do on art drawn by somebody else.

>>> Style(7).art(0).shape
(128, 128, 3)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from vision.images import Canvas, Rng

SIZE = 128
"""Side of a face in pixels as it is drawn, before the camera makes it smaller."""

Colour = tuple[float, float, float]


# --- colours and fields ---------------------------------------------------------------------------------


def colour(
    rng: Rng, light: tuple[float, float] = (0.1, 0.95), vivid: tuple[float, float] = (0, 0.9)
) -> Colour:
    """Picks a colour (blue, green, red; 0–255) of a given lightness and vividness."""
    hue, strength, value = rng.uniform(0, 6), rng.uniform(*vivid), rng.uniform(*light)
    rgb = np.clip(np.abs((hue + np.array([0, 4, 2])) % 6 - 3) - 1, 0, 1)
    b, g, r = (value * (1 - strength + strength * rgb) * 255)[::-1]
    return float(b), float(g), float(r)


def field(rng: Rng, coarse: int, octaves: int = 4, fall: float = 0.55, size: int = SIZE) -> Canvas:
    """A cloud of values 0–1: the sum of random grids, each finer and weaker than the one before."""
    total = np.zeros((size, size), np.float32)
    weight = 1.0
    for i in range(octaves):
        n = min(size, coarse << i)
        grid = rng.standard_normal((n, n)).astype(np.float32)
        total += weight * cv2.resize(grid, (size, size), interpolation=cv2.INTER_CUBIC)
        weight *= fall
    low, high = float(total.min()), float(total.max())
    return (total - low) / (high - low + 1e-6)


def blend(low: Colour, high: Colour, amount: Canvas) -> Canvas:
    """Mixes two colours by a picture of amounts."""
    a = amount[..., None].astype(np.float32)
    return np.asarray(low, np.float32) * (1 - a) + np.asarray(high, np.float32) * a


def paper(rng: Rng, base: Colour, strength: float) -> Canvas:
    """A sheet of one colour with grain, fibres, planks, weave or a gradient."""
    kind = rng.integers(6)
    if kind == 0:
        amount = field(rng, 3, 5)
    elif kind == 1:
        amount = cv2.resize(field(rng, 8, 4), (SIZE, SIZE * 6), interpolation=cv2.INTER_LINEAR)[:SIZE]
    elif kind == 2:
        angle = rng.uniform(0, 2 * np.pi)
        y, x = np.mgrid[0:SIZE, 0:SIZE] / SIZE - 0.5
        amount = (np.cos(angle) * x + np.sin(angle) * y + 0.7) / 1.4
    elif kind == 3:
        y, x = np.mgrid[0:SIZE, 0:SIZE]
        amount = 0.5 + 0.25 * (np.sin(x * rng.uniform(0.4, 1.5)) + np.sin(y * rng.uniform(0.4, 1.5)))
    elif kind == 4:
        amount = rng.random((SIZE, SIZE)).astype(np.float32)
    else:
        y, x = np.mgrid[0:SIZE, 0:SIZE] / SIZE - 0.5
        amount = np.clip(1 - 1.5 * np.hypot(x, y), 0, 1)
    b, g, r = np.clip(np.asarray(base) + rng.uniform(-1, 1, 3) * 255 * strength, 0, 255)
    return np.clip(blend(base, (b, g, r), np.asarray(amount, np.float32)), 0, 255).astype(np.uint8)


def picture(rng: Rng) -> Canvas:
    """Something like a photograph: several fields of colour, blobs and edges, light and shade."""
    layers = [blend(colour(rng), colour(rng), field(rng, int(rng.integers(2, 6)), 5, rng.uniform(0.4, 0.75)))]
    for _ in range(rng.integers(1, 4)):
        edge = field(rng, int(rng.integers(2, 5)), 3)
        mask = 1 / (1 + np.exp(-(edge - rng.uniform(0.35, 0.65)) * rng.uniform(15, 90)))
        layers.append(
            layers[-1] * (1 - mask[..., None])
            + mask[..., None] * blend(colour(rng), colour(rng), field(rng, 4, 4))
        )
    return np.clip(layers[-1], 0, 255).astype(np.uint8)


# --- shapes ---------------------------------------------------------------------------------------------


def polygon(
    image: Canvas, points: Any, fill: Colour | None, line: Colour | None = None, width: int = 2
) -> None:
    """Draws a closed outline; points are in units of the picture's side, from -0.5 to 0.5."""
    xy = np.round((np.asarray(points, float) + 0.5) * image.shape[0] * 16).astype(np.int32)
    if fill is not None:
        cv2.fillPoly(image, [xy], fill, cv2.LINE_AA, 4)
    if line is not None:
        cv2.polylines(image, [xy], True, line, width, cv2.LINE_AA, 4)


def strokes(image: Canvas, points: Any, ink: Colour, width: int, closed: bool = False) -> None:
    """Draws a line through points given in units of the picture's side."""
    xy = np.round((np.asarray(points, float) + 0.5) * image.shape[0] * 16).astype(np.int32)
    cv2.polylines(image, [xy], closed, ink, width, cv2.LINE_AA, 4)


def ring_of(n: int, radius: float, start: float = 0.0) -> Canvas:
    """The corners of a regular polygon."""
    t = start + np.arange(n) * 2 * np.pi / n
    return np.stack([np.sin(t), -np.cos(t)], 1) * radius


def icon(rng: Rng, kind: int) -> list[tuple[str, Canvas]]:
    """The parts of a small picture: (fill | hole | line, points within -1 … 1)."""
    u = rng.uniform
    box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    if kind == 0:  # star
        n = int(rng.integers(3, 9))
        radii = np.tile([1, u(0.3, 0.65)], n)
        return [("fill", ring_of(2 * n, 1.0) * radii[:, None])]
    if kind == 1:  # key
        parts = [
            ("fill", ring_of(16, 0.42) + np.array([0, -0.5])),
            ("hole", ring_of(16, 0.2) + np.array([0, -0.5])),
        ]
        parts.append(("fill", box * [0.1, 0.5] + [0, 0.4]))
        for i in range(int(rng.integers(1, 4))):
            parts.append(("fill", box * [0.16, 0.06] + [0.22, 0.8 - 0.22 * i]))
        return parts
    if kind == 2:  # gate
        arch = np.vstack(
            [[[-0.7, 0.9]], ring_of(24, 0.7, -np.pi / 2)[:13] + np.array([0, -0.2]), [[0.7, 0.9]]]
        )
        bars = [
            ("hole", box * [0.06, 0.7] + [x, 0.2]) for x in np.linspace(-0.4, 0.4, int(rng.integers(2, 5)))
        ]
        return [("fill", arch), *bars]
    if kind == 3:  # eye
        t = np.linspace(0, np.pi, 14)
        lid = np.stack([-np.cos(t), -np.sin(t) * u(0.4, 0.7)], 1)
        return [("fill", np.vstack([lid, -lid])), ("hole", ring_of(16, 0.36)), ("fill", ring_of(12, 0.16))]
    if kind == 4:  # skull
        eyes = [("hole", ring_of(10, 0.2) + np.array([x, -0.2])) for x in (-0.33, 0.33)]
        return [
            ("fill", ring_of(20, 0.75) + np.array([0, -0.2])),
            ("fill", box * [0.4, 0.3] + [0, 0.6]),
            *eyes,
        ]
    if kind == 5:  # arrow
        return [
            (
                "fill",
                np.array(
                    [[0, -1], [0.7, -0.1], [0.25, -0.1], [0.25, 1], [-0.25, 1], [-0.25, -0.1], [-0.7, -0.1]]
                )
                * [u(0.6, 1.2), 1],
            )
        ]
    if kind == 6:  # crescent
        t = np.linspace(-2.2, 2.2, 20)
        outer, inner = (
            np.stack([np.cos(t), np.sin(t)], 1),
            np.stack([0.35 + 0.7 * np.cos(t), 0.75 * np.sin(t)], 1),
        )
        return [("fill", np.vstack([-outer, -inner[::-1]]))]
    if kind == 7:  # drop or flame
        t = np.linspace(0, 2 * np.pi, 28)
        return [
            ("fill", np.stack([np.sin(t) * (0.5 - 0.5 * np.cos(t)) * 0.9, np.cos(t)], 1)),
            ("hole", ring_of(12, u(0.1, 0.3)) + np.array([0, -0.5])),
        ]
    if kind == 8:  # spiral
        t = np.linspace(0, u(3, 6) * np.pi, 50)
        return [("line", np.stack([np.cos(t), np.sin(t)], 1) * (t / t[-1])[:, None])]
    if kind == 9:  # gear or sun
        n = int(rng.integers(6, 13))
        return [
            ("fill", ring_of(4 * n, 1.0) * np.repeat(np.tile([1, 0.75], n), 2)[:, None]),
            ("hole", ring_of(14, u(0.2, 0.45))),
        ]
    if kind == 10:  # cross
        w = u(0.15, 0.4)
        return [("fill", box * [w, 1]), ("fill", box * [u(0.5, 1), w] + [0, u(-0.4, 0)])]
    if kind == 11:  # crown or teeth
        n = int(rng.integers(2, 6))
        x = np.linspace(-1, 1, 2 * n + 1)
        return [
            (
                "fill",
                np.vstack(
                    [np.stack([x, np.where(np.arange(2 * n + 1) % 2, 0.2, -0.8)], 1), [[1, 0.8], [-1, 0.8]]]
                ),
            )
        ]
    if kind == 12:  # spider or sun rays
        legs = [("line", np.stack([p * 0.3, p])) for p in ring_of(int(rng.integers(5, 10)), 1.0, u(0, 1))]
        return [("fill", ring_of(14, 0.4)), *legs]
    if kind == 13:  # figure
        return [
            ("fill", ring_of(14, 0.3) + np.array([0, -0.65])),
            ("fill", np.array([[-0.25, -0.3], [0.25, -0.3], [0.6, u(0.7, 1)], [-u(0.3, 0.6), 1]])),
            ("line", np.array([[-0.8, u(-0.4, 0.4)], [0, -0.1], [0.8, u(-0.4, 0.4)]])),
        ]
    if kind == 14:  # a blob, its two halves alike
        n = 7
        radii = u(0.35, 1.0, n)
        return [
            ("fill", ring_of(2 * n, 1.0) * np.concatenate([radii, radii[::-1]])[:, None]),
            ("hole", ring_of(8, u(0.05, 0.25)) + np.array([0, u(-0.3, 0.3)])),
        ]
    if kind == 15:  # a rune: a few straight strokes
        return [
            ("line", rng.uniform(-1, 1, (int(rng.integers(2, 5)), 2))) for _ in range(int(rng.integers(1, 4)))
        ]
    n = int(rng.integers(3, 8))  # any polygon, sometimes with a hole
    corner = ring_of(n, 1.0, u(0, 1)) * u(0.5, 1.0, (n, 1))
    return [("fill", corner), ("hole", corner * u(0.3, 0.7))] if u() < 0.5 else [("fill", corner)]


ICONS = 17


def put_icon(
    image: Canvas,
    parts: list[tuple[str, Canvas]],
    at: tuple[float, float],
    scale: float,
    turn: float,
    ink: Colour,
    ground: Colour,
    width: int,
) -> None:
    """Draws an icon, its holes in the colour of the ground."""
    c, s = np.cos(turn), np.sin(turn)
    for how, points in parts:
        xy = (np.asarray(points, float) * scale) @ np.array([[c, s], [-s, c]]) + np.asarray(at)
        if how == "line":
            strokes(image, xy, ink, width)
        else:
            polygon(image, xy, ink if how == "fill" else ground)


def cracks(image: Canvas, rng: Rng, ink: Colour, n: int, width: int) -> None:
    """Draws jagged lines that run outwards."""
    for _ in range(n):
        at, way = rng.uniform(-0.25, 0.25, 2), rng.uniform(0, 2 * np.pi)
        path = [at]
        for _ in range(int(rng.integers(3, 7))):
            way += rng.uniform(-0.9, 0.9)
            at = at + np.array([np.cos(way), np.sin(way)]) * rng.uniform(0.04, 0.11)
            path.append(at)
        strokes(image, path, ink, width)


def glyph(
    image: Canvas, text: str, at: tuple[float, float], height: float, ink: Colour, width: int, font: int
) -> None:
    """Writes a short text centred at a point."""
    scale = height * SIZE / 22
    (w, h), _ = cv2.getTextSize(text, font, scale, width)
    x, y = int((at[0] + 0.5) * SIZE - w / 2), int((at[1] + 0.5) * SIZE + h / 2)
    cv2.putText(image, text, (x, y), font, scale, ink, width, cv2.LINE_AA)


# --- families -------------------------------------------------------------------------------------------

FONTS = [
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_SCRIPT_SIMPLEX,
]
SIDES = np.array([[0, -0.5], [0.5, 0], [0, 0.5], [-0.5, 0]])
OPENINGS = (0b0101, 0b0011, 0b0111, 0b1111, 0b0001, 0b0101, 0b0111, 0b1111)


class Style:
    """One imaginary publisher: draws any number of faces that belong together."""

    def __init__(self, seed: int, family: str | None = None) -> None:
        self.seed = seed
        rng = np.random.default_rng([seed, 1])
        self.family = family or str(rng.choice(TRAINING))
        self.dark = bool(rng.random() < 0.5)
        low, high = ((0.03, 0.3), (0.6, 1.0)) if self.dark else ((0.55, 1.0), (0.0, 0.4))
        vivid = (0.0, 0.12) if rng.random() < 0.3 else (0.1, 0.9)
        self.ground = colour(rng, low, vivid)
        self.inks = [colour(rng, high, vivid) for _ in range(3)]
        self.accents = [colour(rng, (0.35, 1.0), (0.4, 1.0)) for _ in range(4)]
        self.width = int(rng.integers(1, 6))
        self.corridor = float(rng.uniform(0.14, 0.44))
        self.grain = float(rng.choice([0.0, 0.06, 0.15, 0.3]))
        self.shared_ground = bool(rng.random() < 0.6)
        self.border = int(rng.integers(5))
        self.border_at = float(rng.uniform(0.01, 0.07))
        self.font = int(rng.choice(FONTS))
        self.plate = int(rng.integers(4))
        self.wall = int(rng.integers(5))
        self.subtle = bool(rng.random() < 0.35)
        self.round = bool(rng.random() < 0.5)
        self.back = paper(rng, self.ground, self.grain)

    def art(self, index: int) -> Canvas:
        """Draws the face with this number, upright, as a square."""
        rng = np.random.default_rng([self.seed, 2, index])
        image = FAMILIES[self.family](self, rng, index)
        self._edge(image)
        return image

    def sheet(self, rng: Rng) -> Canvas:
        """The ground that faces are drawn on."""
        return self.back.copy() if self.shared_ground else paper(rng, self.ground, max(self.grain, 0.05))

    def ink(self, rng: Rng) -> Colour:
        """One of the inks, or an accent."""
        pool = self.inks if rng.random() < 0.6 else self.accents
        return pool[int(rng.integers(len(pool)))]

    def _edge(self, image: Canvas) -> None:
        a, b = self.border_at - 0.5, 0.5 - self.border_at
        frame = [[a, a], [b, a], [b, b], [a, b]]
        if self.border == 1:
            strokes(image, frame, self.inks[0], self.width, True)
        elif self.border == 2:
            strokes(
                image,
                [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]],
                self.accents[0],
                2 + 2 * self.width,
                True,
            )
        elif self.border == 3:
            strokes(image, frame, self.inks[1], 1, True)
            strokes(image, np.array(frame) * 0.9, self.inks[1], 1, True)


def corridors(style: Style, rng: Rng, index: int) -> Canvas:
    """Passages with openings, walls, plates, cracks and things standing in them."""
    order = np.random.default_rng([style.seed, 3]).permutation(len(OPENINGS))
    openings = OPENINGS[order[index % 5]] if style.subtle else OPENINGS[order[index % len(OPENINGS)]]
    image = style.sheet(rng)
    floor, wall, w = style.inks[0], style.inks[1], style.corridor / 2
    arms = [
        np.array([[-w, 0], [-w, -0.5], [w, -0.5], [w, 0]]) @ _turned(d) for d in range(4) if openings >> d & 1
    ]
    hub = np.array([[-w, -w], [w, -w], [w, w], [-w, w]]) if not style.round else ring_of(24, w * 1.15)
    if style.wall == 0:  # walls as lines, floor as the ground
        for shape in [*arms, hub]:
            polygon(image, shape, None, floor, style.width + 2)
        for shape in [*arms, hub]:
            polygon(image, shape, style.ground)
    elif style.wall == 1:  # filled floor
        for shape in [*arms, hub]:
            polygon(image, shape, floor)
    elif style.wall == 2:  # filled floor with walls
        for shape in [*arms, hub]:
            polygon(image, shape, None, wall, 2 * style.width + 3)
        for shape in [*arms, hub]:
            polygon(image, shape, floor)
    elif style.wall == 3:  # textured floor
        mask = np.zeros((SIZE, SIZE), np.uint8)
        for shape in [*arms, hub]:
            polygon(mask, shape, (255.0, 0.0, 0.0))
        texture = paper(np.random.default_rng([style.seed, 4]), floor, 0.5)
        image = np.where(mask[..., None] > 127, texture, image)
    else:  # a path of thick strokes
        for d in range(4):
            if openings >> d & 1:
                strokes(image, [[0, 0], SIDES[d]], floor, max(3, int(style.corridor * SIZE * 0.5)))
        polygon(image, ring_of(20, w), floor)
    if style.plate == 1 and index % 3 == 0:
        polygon(image, ring_of(20, w * 1.3), style.accents[0], style.inks[1], style.width)
    extra = index // 5 if style.subtle else int(rng.integers(4))
    if extra % 3 == 1:
        cracks(
            image,
            rng,
            style.inks[2] if style.wall == 0 else style.ground,
            int(rng.integers(4, 12)),
            max(1, style.width - 1),
        )
    if extra >= 2 or rng.random() < 0.25:
        turn = float(rng.choice([0, 0, rng.uniform(0, 6.28)]))
        put_icon(
            image,
            icon(rng, int(rng.integers(ICONS))),
            (0, 0),
            rng.uniform(0.1, 0.3),
            turn,
            style.ink(rng),
            style.ground,
            style.width,
        )
    return image


def _turned(quarter: int) -> Canvas:
    c, s = np.cos(quarter * np.pi / 2), np.sin(quarter * np.pi / 2)
    return np.array([[c, s], [-s, c]])


def icons(style: Style, rng: Rng, index: int) -> Canvas:
    """One or a few icons on a plain or grained ground."""
    image = style.sheet(rng)
    if style.plate == 2:
        polygon(image, ring_of(30, 0.4), style.accents[1])
    b, g, r = (float(v) for v in image[SIZE // 2, SIZE // 2])
    ground = b, g, r
    put_icon(
        image,
        icon(rng, int(rng.integers(ICONS))),
        (0, rng.uniform(-0.08, 0.08)),
        rng.uniform(0.18, 0.4),
        0,
        style.ink(rng),
        ground,
        style.width + 1,
    )
    for _ in range(int(rng.integers(0, 3))):
        spot = rng.uniform(-0.36, 0.36, 2)
        put_icon(
            image,
            icon(rng, int(rng.integers(ICONS))),
            (spot[0], spot[1]),
            rng.uniform(0.05, 0.1),
            0,
            style.ink(rng),
            ground,
            2,
        )
    return image


def arrows(style: Style, rng: Rng, index: int) -> Canvas:
    """A coloured sign and arrows that point somewhere: tokens that march."""
    image = style.sheet(rng)
    shape = ring_of([3, 4, 5, 6, 24][index % 5], 0.3, (index % 2) * 0.6)
    polygon(image, shape, style.accents[index % 4], style.inks[0], style.width)
    way = int(rng.integers(4))
    reach = (SIDES[way][0] * 0.68, SIDES[way][1] * 0.68)
    arrow_ = [("fill", np.array([[0, -1], [0.9, 0.6], [-0.9, 0.6]]))]
    put_icon(image, arrow_, reach, 0.11, way * np.pi / 2, style.inks[0], style.ground, 2)
    put_icon(
        image, icon(rng, int(rng.integers(ICONS))), (0, 0), 0.17, 0, style.inks[0], style.ground, style.width
    )
    return image


def glyphs(style: Style, rng: Rng, index: int) -> Canvas:
    """Letters, numbers and words, large in the middle or small in the corners."""
    image = style.sheet(rng)
    letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789?!&#"
    text = "".join(letters[int(i)] for i in rng.integers(len(letters), size=int(rng.integers(1, 3))))
    ink = style.ink(rng)
    if style.plate != 1:
        glyph(
            image, text, (0, 0), rng.uniform(0.35, 0.6) / len(text) ** 0.6, ink, style.width + 1, style.font
        )
    if style.plate <= 1:
        for corner in ((-0.34, -0.34), (0.34, 0.34)):
            glyph(image, text, corner, 0.16, ink, max(1, style.width - 1), style.font)
        if style.plate == 1:
            put_icon(image, icon(rng, int(rng.integers(ICONS))), (0, 0), 0.2, 0, ink, style.ground, 2)
    return image


def fields(style: Style, rng: Rng, index: int) -> Canvas:
    """Photographs' textures: every face another field of colour."""
    image = picture(rng)
    if style.subtle:
        image = cv2.addWeighted(
            image, 0.5, cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), 0.5, 0
        )
    return image


def patterns(style: Style, rng: Rng, index: int) -> Canvas:
    """Stripes, checks, rings, dots, waves in two or three colours."""
    y, x = np.mgrid[0:SIZE, 0:SIZE] / SIZE - 0.5
    angle = float(rng.choice([0, np.pi / 4, np.pi / 2, rng.uniform(0, np.pi)]))
    u, v = np.cos(angle) * x + np.sin(angle) * y, np.cos(angle) * y - np.sin(angle) * x
    f = rng.uniform(8, 40)
    kind = int(rng.integers(6))
    waves = [
        np.sin(u * f),
        np.sin(u * f) * np.sin(v * f),
        np.sin(np.hypot(x - rng.uniform(-0.3, 0.3), y - rng.uniform(-0.3, 0.3)) * f * 1.5),
        np.sin(u * f + rng.uniform(1, 3) * np.sin(v * f / 2)),
        np.sin(
            np.arctan2(y, x + 1e-6) * int(rng.integers(2, 9)) + np.hypot(x, y) * f * int(rng.integers(0, 2))
        ),
        np.abs(u) - np.abs(v) + 0.1 * np.sin(f * u),
    ]
    amount = 1 / (1 + np.exp(-(waves[kind] - rng.uniform(-0.5, 0.5)) * rng.choice([3, 30])))
    image = np.clip(blend(style.ground, style.ink(rng), amount), 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        put_icon(
            image,
            icon(rng, int(rng.integers(ICONS))),
            (0, 0),
            rng.uniform(0.1, 0.3),
            0,
            style.ink(rng),
            style.ground,
            style.width,
        )
    return image


def cards(style: Style, rng: Rng, index: int) -> Canvas:
    """A frame, a title bar, a picture with a figure and corner marks."""
    image = style.sheet(rng)
    top, foot = rng.uniform(-0.42, -0.3), rng.uniform(0.2, 0.42)
    scene = cv2.resize(picture(rng), (int(0.84 * SIZE), int((foot - top) * SIZE)))
    y, x = int((top + 0.5) * SIZE), int(0.08 * SIZE)
    image[y : y + scene.shape[0], x : x + scene.shape[1]] = scene
    put_icon(
        image,
        icon(rng, int(rng.integers(ICONS))),
        (rng.uniform(-0.15, 0.15), (top + foot) / 2),
        rng.uniform(0.12, 0.25),
        0,
        style.ink(rng),
        style.ground,
        style.width,
    )
    band = style.accents[index % 4]
    polygon(image, [[-0.45, -0.47], [0.45, -0.47], [0.45, top], [-0.45, top]], band)
    for i in range(int(rng.integers(0, 4))):
        strokes(
            image,
            [[-0.38, foot + 0.04 + 0.04 * i], [rng.uniform(0, 0.4), foot + 0.04 + 0.04 * i]],
            style.inks[0],
            1,
        )
    if style.plate:
        put_icon(
            image,
            icon(rng, int(rng.integers(ICONS))),
            (-0.34, top / 2 - 0.25),
            0.05,
            0,
            style.inks[0],
            band,
            1,
        )
    return image


def blocks(style: Style, rng: Rng, index: int) -> Canvas:
    """Large flat shapes of strong colours, as on a poster."""
    image = style.sheet(rng)
    for _ in range(int(rng.integers(2, 6))):
        corner = rng.uniform(-0.6, 0.6, (int(rng.integers(3, 6)), 2))
        polygon(image, corner, style.ink(rng))
    return image


def dungeon(style: Style, rng: Rng, index: int) -> Canvas:
    """Rooms of stones: a grid of floor stones, thick walls with doors in some sides."""
    image = style.sheet(rng)
    n = int(np.random.default_rng([style.seed, 5]).integers(4, 9))
    for i in range(n):
        for j in range(n):
            x, y, s = -0.5 + i / n, -0.5 + j / n, 0.92 / n
            shade = np.clip(np.asarray(style.inks[0]) * rng.uniform(0.75, 1.1), 0, 255)
            polygon(image, [[x, y], [x + s, y], [x + s, y + s], [x, y + s]], tuple(float(v) for v in shade))  # type: ignore[arg-type]
    openings = OPENINGS[index % len(OPENINGS)]
    thick = 0.1
    for d in range(4):
        wall = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, thick - 0.5], [-0.5, thick - 0.5]]) @ _turned(d)
        polygon(image, wall, style.inks[1])
        if openings >> d & 1:
            door = np.array(
                [[-0.15, -0.5], [0.15, -0.5], [0.15, thick - 0.5], [-0.15, thick - 0.5]]
            ) @ _turned(d)
            polygon(image, door, style.accents[1])
    if index >= 5 or rng.random() < 0.4:
        put_icon(
            image,
            icon(rng, int(rng.integers(ICONS))),
            (0, 0),
            rng.uniform(0.12, 0.25),
            0,
            style.ink(rng),
            style.ground,
            style.width,
        )
    return image


def engraving(style: Style, rng: Rng, index: int) -> Canvas:
    """A drawing in ink: curves and hatching, one colour."""
    image = style.sheet(rng)
    ink = style.inks[0]
    t = np.linspace(0, 1, 24)[:, None]
    for _ in range(int(rng.integers(5, 14))):
        a, b, c, d = rng.uniform(-0.45, 0.45, (4, 2))
        curve = a * (1 - t) ** 3 + 3 * b * t * (1 - t) ** 2 + 3 * c * t**2 * (1 - t) + d * t**3
        strokes(image, curve, ink, int(rng.integers(1, 3)))
    for _ in range(int(rng.integers(0, 4))):
        at, way = rng.uniform(-0.35, 0.35, 2), rng.uniform(-0.1, 0.1, 2)
        for k in range(int(rng.integers(4, 10))):
            start = at + np.array([-way[1], way[0]]) * 0.3 * k
            strokes(image, [start, start + way], ink, 1)
    return image


def mosaic(style: Style, rng: Rng, index: int) -> Canvas:
    """A coarse grid of squares, its halves alike, as on old screens and carpets."""
    n = int(np.random.default_rng([style.seed, 5]).integers(5, 10))
    pick = rng.integers(0, 4, (n, n))
    pick[:, n - n // 2 :] = pick[:, : n // 2][:, ::-1]
    table = np.array([style.ground, style.ground, style.inks[0], style.ink(rng)])
    return cv2.resize(table[pick].astype(np.uint8), (SIZE, SIZE), interpolation=cv2.INTER_NEAREST)


def scenery(style: Style, rng: Rng, index: int) -> Canvas:
    """A view: sky, hills, a light, trees or towers, all in haze."""
    sky, low = colour(rng), colour(rng)
    image = np.clip(blend(sky, low, np.repeat(np.linspace(0, 1, SIZE)[:, None], SIZE, 1)), 0, 255).astype(
        np.uint8
    )
    polygon(
        image,
        ring_of(20, rng.uniform(0.05, 0.15)) + rng.uniform([-0.4, -0.4], [0.4, 0]),
        colour(rng, (0.7, 1)),
    )
    for i in range(int(rng.integers(2, 5))):
        x = np.linspace(-0.5, 0.5, 20)
        y = -0.1 + 0.15 * i + 0.12 * np.cumsum(rng.normal(0, 0.4, 20)) / 4
        polygon(image, np.vstack([np.stack([x, y], 1), [[0.5, 0.5], [-0.5, 0.5]]]), colour(rng, (0.1, 0.8)))
    for at in rng.uniform(-0.45, 0.45, int(rng.integers(1, 6))):
        h, w, foot = rng.uniform(0.1, 0.45), rng.uniform(0.03, 0.1), rng.uniform(0.1, 0.45)
        top = (
            [[at - w, foot], [at, foot - h], [at + w, foot]]
            if rng.random() < 0.5
            else [[at - w, foot], [at - w, foot - h], [at + w, foot - h], [at + w, foot]]
        )
        polygon(image, top, colour(rng, (0.05, 0.6)))
    return image


FAMILIES: dict[str, Callable[[Style, Rng, int], Canvas]] = {
    "corridors": corridors,
    "icons": icons,
    "arrows": arrows,
    "glyphs": glyphs,
    "fields": fields,
    "patterns": patterns,
    "cards": cards,
    "blocks": blocks,
    "dungeon": dungeon,
    "engraving": engraving,
    "mosaic": mosaic,
    "scenery": scenery,
}
HELD_OUT = ("dungeon", "engraving", "mosaic", "scenery")
"""Families that training never sees."""
TRAINING = (*(name for name in FAMILIES if name not in HELD_OUT), "corridors", "corridors", "icons")
