"""Our own drawings of the pieces, as shapes in millimetres.

One drawing serves the printer (exact vectors), the virtual camera (pixels) and the browser (SVG). The
origin is the middle of a face, x to the right, y down. Each game draws its faces in `games/<game>/art.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import cos, pi, radians, sin
from random import Random
from textwrap import wrap
from typing import NamedTuple

Point = tuple[float, float]


class Area(NamedTuple):
    """A filled polygon."""

    points: tuple[Point, ...]
    fill: str


class Disc(NamedTuple):
    """A filled circle."""

    x: float
    y: float
    radius: float
    fill: str


class Stroke(NamedTuple):
    """A line with round ends through some points."""

    points: tuple[Point, ...]
    width: float
    colour: str


class Word(NamedTuple):
    """A short word, its middle (or its `start`) at (x, y); `size` is the height of a capital letter."""

    text: str
    x: float
    y: float
    size: float
    colour: str
    anchor: str = "middle"


Shape = Area | Disc | Stroke | Word


class Drawing(NamedTuple):
    """One face: its size and its shapes, the first lowest."""

    width: float
    height: float
    shapes: tuple[Shape, ...]


def placed(
    shapes: Iterable[Shape], x: float = 0, y: float = 0, scale: float = 1, turn: float = 0
) -> list[Shape]:
    """The same shapes at another place, larger, or turned clockwise by degrees."""
    c, s = cos(radians(turn)) * scale, sin(radians(turn)) * scale

    def at(point: Point) -> Point:
        return (x + c * point[0] - s * point[1], y + s * point[0] + c * point[1])

    found: list[Shape] = []
    for shape in shapes:
        if isinstance(shape, Area):
            found.append(Area(tuple(map(at, shape.points)), shape.fill))
        elif isinstance(shape, Stroke):
            found.append(Stroke(tuple(map(at, shape.points)), shape.width * scale, shape.colour))
        elif isinstance(shape, Disc):
            found.append(Disc(*at((shape.x, shape.y)), shape.radius * scale, shape.fill))
        else:
            found.append(Word(shape.text, *at((shape.x, shape.y)), shape.size * scale, *shape[4:]))
    return found


def scaled(drawing: Drawing, scale: float) -> Drawing:
    """The same face, larger or smaller."""
    return Drawing(drawing.width * scale, drawing.height * scale, tuple(placed(drawing.shapes, scale=scale)))


# Motifs: each fits a circle of radius 1 around the origin --------------------------------------


def box(width: float, height: float, fill: str) -> Area:
    """A rectangle around the origin."""
    w, h = width / 2, height / 2
    return Area(((-w, -h), (w, -h), (w, h), (-w, h)), fill)


def polygon(corners: int, fill: str, radius: float = 1.0, turn: float = -90) -> Area:
    """A regular polygon, its first corner up."""
    return Area(
        tuple(
            (
                radius * cos(radians(turn) + 2 * pi * i / corners),
                radius * sin(radians(turn) + 2 * pi * i / corners),
            )
            for i in range(corners)
        ),
        fill,
    )


def star(points: int, fill: str, inner: float = 0.5) -> Area:
    """A star with `points` points, one of them up."""
    return Area(
        tuple(
            ((r := 1.0 if i % 2 == 0 else inner) * sin(pi * i / points), -r * cos(pi * i / points))
            for i in range(2 * points)
        ),
        fill,
    )


def ring(radius: float, width: float, colour: str, begin: float = 0, end: float = 360) -> Stroke:
    """A circle or a part of one as a line; angles in degrees clockwise from the right."""
    steps = max(6, int((end - begin) / 10))
    angles = [radians(begin + (end - begin) * i / steps) for i in range(steps + 1)]
    return Stroke(tuple((radius * cos(a), radius * sin(a)) for a in angles), width, colour)


def line(x0: float, y0: float, x1: float, y1: float, width: float, colour: str) -> Stroke:
    return Stroke(((x0, y0), (x1, y1)), width, colour)


def sun(fill: str) -> list[Shape]:
    return [star(12, fill, 0.62), Disc(0, 0, 0.5, fill)]


def moon(fill: str, behind: str) -> list[Shape]:
    return [Disc(0, 0, 0.95, fill), Disc(0.42, -0.18, 0.78, behind)]


def key(colour: str) -> list[Shape]:
    return [
        ring(0.38, 0.2, colour),
        line(0.0, 0.38, 0.0, 1.15, 0.22, colour),
        line(0.0, 0.75, 0.4, 0.75, 0.2, colour),
        line(0.0, 1.1, 0.45, 1.1, 0.2, colour),
    ]


def arrow(fill: str) -> list[Shape]:
    """An arrow up."""
    return [
        Area(
            ((0, -1), (0.7, -0.1), (0.28, -0.1), (0.28, 0.9), (-0.28, 0.9), (-0.28, -0.1), (-0.7, -0.1)), fill
        )
    ]


def skull(fill: str, holes: str) -> list[Shape]:
    return [
        Disc(0, -0.2, 0.75, fill),
        Area(((-0.42, 0.2), (0.42, 0.2), (0.36, 0.85), (-0.36, 0.85)), fill),
        Disc(-0.3, -0.15, 0.2, holes),
        Disc(0.3, -0.15, 0.2, holes),
        Area(((0, 0.1), (0.12, 0.35), (-0.12, 0.35)), holes),
        *(line(x, 0.55, x, 0.85, 0.06, holes) for x in (-0.15, 0.0, 0.15)),
    ]


def flame(outer: str, inner: str) -> list[Shape]:
    return [
        Area(
            ((0, -1), (0.45, -0.2), (0.5, 0.35), (0.25, 0.8), (-0.25, 0.8), (-0.5, 0.35), (-0.3, -0.25)),
            outer,
        ),
        Area(((0, -0.3), (0.22, 0.2), (0.15, 0.65), (-0.15, 0.65), (-0.22, 0.2)), inner),
    ]


def eye(white: str, iris: str) -> list[Shape]:
    return [
        Area(
            ((-1, 0), (-0.5, -0.45), (0, -0.58), (0.5, -0.45), (1, 0), (0.5, 0.45), (0, 0.58), (-0.5, 0.45)),
            white,
        ),
        Disc(0, 0, 0.42, iris),
        Disc(0, 0, 0.18, "#000000"),
    ]


def grain(
    seed: str, width: float, height: float, fills: Sequence[str], many: int, size: float
) -> list[Shape]:
    """Specks that make a surface look like stone, wood or paper; the same seed gives the same specks."""
    rng = Random(seed)
    return [
        Disc(
            rng.uniform(-width / 2, width / 2) * 0.96,
            rng.uniform(-height / 2, height / 2) * 0.96,
            rng.uniform(0.25, 1.0) * size,
            rng.choice(fills),
        )
        for _ in range(many)
    ]


def crack(seed: str, colour: str, reach: float, width: float) -> list[Shape]:
    """Crooked lines from the middle outwards."""
    rng = Random(seed)
    found: list[Shape] = []
    for i in range(5):
        angle = 2 * pi * (i + rng.random() * 0.5) / 5
        points = [(0.0, 0.0)]
        for j in range(1, 5):
            bend = angle + rng.uniform(-0.5, 0.5)
            points.append((reach * j / 4 * cos(bend), reach * j / 4 * sin(bend)))
        found.append(Stroke(tuple(points), width, colour))
    return found


# Paper: what is in a box beside the board ------------------------------------------------------

CARD_MM = (44.0, 65.0)
"""Sixteen fit on a page."""
SPOT_MM = 23.0
"""From one place for a token to the next."""
_PAPER, _INK = "#f4ead6", "#1b1612"


class Print(NamedTuple):
    """A piece to print that no camera reads: its front, its back if it has one, and how many."""

    front: Drawing
    back: Drawing | None = None
    n: int = 1
    word: str = ""
    """What the game calls the piece, where it has a word for it."""


def card(
    title: str,
    words: Sequence[str],
    colour: str,
    sign: Sequence[Shape] = (),
    size: tuple[float, float] = CARD_MM,
) -> Drawing:
    """A card with a coloured head, a sign (a motif) and paragraphs of words."""
    width, height = size
    head = lines_of(title[:1].upper() + title[1:], 2.4, width - 8)
    band = 5 + 4.6 * len(head)
    shapes: list[Shape] = [box(width, height, _PAPER)]
    shapes += placed([box(width, band, colour)], y=(band - height) / 2)
    shapes += _column(head, -height / 2 + 4.8, 2.4, 4.6, "#ffffff")
    below = -height / 2 + band + 5
    if sign:
        shapes += placed(sign, y=below + 8, scale=9)
        below += 23
    for paragraph in words:
        rows = lines_of(paragraph, 1.7, width - 6)
        shapes += _column(rows, below, 1.7, 3.5, _INK)
        below += 3.5 * len(rows) + 1.5
    return Drawing(width, height, tuple(shapes))


def card_back(
    title: str, colour: str, sign: Sequence[Shape] = (), size: tuple[float, float] = CARD_MM
) -> Drawing:
    """The back of a deck: a frame, a sign and the deck's name."""
    width, height = size
    rows = lines_of(title, 2.4, width - 12)
    shapes: list[Shape] = [box(width, height, colour), box(width - 6, height - 6, _INK)]
    shapes += [box(width - 8, height - 8, colour), *placed(sign, y=-6, scale=11)]
    return Drawing(width, height, (*shapes, *_column(rows, 14, 2.4, 4.6, "#ffffff")))


def token(colour: str, sign: Sequence[Shape] = (), label: str = "", size: float = 20.0) -> Drawing:
    """A round token with a rim, a sign (a motif) and a short label."""
    shapes: list[Shape] = [Disc(0, 0, size / 2, _INK), Disc(0, 0, size / 2 - 0.9, colour)]
    shapes += placed(sign, scale=size * 0.32)
    if label:
        shapes.append(Word(label, 0, 0, size * 0.3 if len(label) < 3 else size * 0.12, _INK))
    return Drawing(size, size, tuple(shapes))


def spots(labels: Sequence[str], x: float, y: float, colour: str) -> list[Shape]:
    """Round places for tokens of 20 mm, side by side to the right of the first at (x, y)."""
    found: list[Shape] = []
    for i, label in enumerate(labels):
        at = x + SPOT_MM * i
        found += [Disc(at, y, 10.8, colour), Disc(at, y, 10.2, _PAPER), Word(label, at, y, 5, colour)]
    return found


def lines_of(text: str, size: float, width: float) -> list[str]:
    """Breaks words into lines; a letter is taken as 0.86 of the height of a capital, a little too wide.

    >>> lines_of("The killer searches that location", 1.7, 30)
    ['The killer searches', 'that location']
    """
    return wrap(text, max(4, int(width / (size * 0.86))))


def _column(rows: Sequence[str], top: float, size: float, step: float, colour: str) -> list[Shape]:
    return [Word(row, 0, top + step * i, size, colour) for i, row in enumerate(rows)]


# Writing ---------------------------------------------------------------------------------------


def svg(drawing: Drawing, x: float = 0.0, y: float = 0.0) -> str:
    """The face as an SVG element that cuts off what lies beyond its edge; its upper left corner at (x, y)."""
    w, h = drawing.width, drawing.height
    body = "".join(_element(shape) for shape in drawing.shapes)
    view = f"{-w / 2:g} {-h / 2:g} {w:g} {h:g}"
    return f'<svg x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" viewBox="{view}">{body}</svg>'


def svg_page(width: float, height: float, body: str) -> str:
    """A whole SVG document whose units are millimetres."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}">{body}</svg>\n'
    )


def _element(shape: Shape) -> str:
    if isinstance(shape, Area):
        return f'<polygon points="{_points(shape.points)}" fill="{shape.fill}"/>'
    if isinstance(shape, Disc):
        return f'<circle cx="{shape.x:.3g}" cy="{shape.y:.3g}" r="{shape.radius:.3g}" fill="{shape.fill}"/>'
    if isinstance(shape, Stroke):
        return (
            f'<polyline points="{_points(shape.points)}" fill="none" stroke="{shape.colour}" '
            f'stroke-width="{shape.width:.3g}" stroke-linecap="round" stroke-linejoin="round"/>'
        )
    # A capital letter is about 0.72 of the font's size.
    return (
        f'<text x="{shape.x:.3g}" y="{shape.y + shape.size / 2:.3g}" font-size="{shape.size / 0.72:.3g}" '
        f'font-family="sans-serif" text-anchor="{shape.anchor}" fill="{shape.colour}">'
        f"{escape(shape.text)}</text>"
    )


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{x:.4g},{y:.4g}" for x, y in points)
