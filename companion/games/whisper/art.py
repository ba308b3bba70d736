"""Terrorscape's figures, tokens and dice as we draw them, seen from above."""

from __future__ import annotations

from companion.engine.drawing import (
    Disc,
    Drawing,
    Shape,
    Word,
    box,
    flame,
    grain,
    line,
    placed,
    polygon,
    ring,
    skull,
    star,
)
from companion.games.whisper.layout import board

_SIZE = {face.name: (face.width, face.height) for face in board({}).faces}
SURVIVOR_COLOURS = {
    "sophia": "#d9a81d",
    "anna": "#c0342f",
    "marco": "#2f62ad",
    "johnson": "#2e8b45",
    "william": "#7b3fa0",
}
"""The colour of each survivor's base."""
_KILLERS = {"butcher": "#d9702a", "specter": "#35a8b0", "maniac": "#d98fae"}
"""The base of a killer has a colour that no survivor has, so that a camera above can tell."""


def draw(face: str) -> Drawing:
    """Draws a figure's base, a token or a side of a die by the name of its face."""
    width, height = _SIZE[face]
    if face in SURVIVOR_COLOURS:
        shapes = _survivor(face)
    elif face in _KILLERS:
        shapes = _killer(face)
    elif face.startswith("die_"):
        shapes = _die(int(face[4:]))
    else:
        shapes = _token(face, width, height)
    return Drawing(width, height, tuple(shapes))


def _survivor(face: str) -> list[Shape]:
    colour = SURVIVOR_COLOURS[face]
    return [
        Disc(0, 0, 12.5, colour),
        line(-4.6, 0, 4.6, 0, 3.6, "#2b2926"),
        Disc(0, 0, 2.7, "#2b2926"),
        Word(face[0].upper(), 0, 7.6, 4, "#101010"),
    ]


def _killer(face: str) -> list[Shape]:
    return [
        Disc(0, 0, 12.5, _KILLERS[face]),
        *placed([star(9, "#0d0d0d", 0.7)], scale=8.6),
        *placed(skull("#e9e4d6", "#0d0d0d"), scale=5.4),
        Word(face[0].upper(), 0, 10.2, 3.2, "#0d0d0d"),
    ]


def _token(face: str, width: float, height: float) -> list[Shape]:
    if face == "barricade":
        planks = [line(-10, y, 10, y * -0.6, 2.6, "#8a5a2b") for y in (-3.2, 0.4, 3.4)]
        return [box(width, height, "#3a2a1a"), *planks, *(Disc(x, 0, 0.7, "#c9c9c9") for x in (-8, 8))]
    paper = {"noise": "#e6c12f", "firecracker": "#d9481c", "trap": "#6d7278", "gear": "#a8b4bd"}.get(
        face, "#4b3f66"
    )
    shapes: list[Shape] = [
        Disc(0, 0, 10, "#141414"),
        Disc(0, 0, 9.1, paper),
        *grain(face, 12, 12, (paper,), 4, 0.4),
    ]
    if face == "noise":
        return [
            *shapes,
            Disc(-3.5, 0, 2, "#141414"),
            *(ring(r, 1.2, "#141414", -50, 50) for r in (3, 5.4, 7.6)),
        ]
    if face == "firecracker":
        return [*shapes, *placed([star(8, "#ffe08a", 0.4)], scale=7), Disc(0, 0, 2, "#d9481c")]
    if face == "trap":
        return [*shapes, ring(5.5, 1.4, "#141414"), *placed([star(10, "#141414", 0.6)], scale=3.6)]
    if face == "gear":
        return [*shapes, *placed([star(10, "#3a4046", 0.75)], scale=7.4), Disc(0, 0, 3, paper)]
    if face == "stealth":
        return [*shapes, *placed([polygon(3, "#d8ccf0")], scale=6), Disc(0, 0.6, 1.6, "#141414")]
    return [*shapes, *placed(flame("#d8ccf0", paper), scale=6.5)]


def _die(value: int) -> list[Shape]:
    shapes: list[Shape] = [box(16, 16, "#a01f24"), box(13.4, 13.4, "#b92b30")]
    spots = {0: [], 1: [(0.0, 0.0)], 2: [(-3.5, -3.5), (3.5, 3.5)], 3: [(-4.0, -4.0), (0.0, 0.0), (4.0, 4.0)]}
    return [*shapes, *(Disc(x, y, 1.9, "#f6efe0") for x, y in spots.get(value, spots[3]))]


KIT = (
    *((name, "", 1) for name in SURVIVOR_COLOURS),
    *((name, "", 2) for name in _KILLERS),
    *(("noise", "", 12), ("firecracker", "", 2), ("trap", "", 1), ("gear", "", 5)),
    *(("stealth", "", 2), ("plan_marker", "", 1), ("barricade", "", 14)),
)
"""What to print: front, back, and how many. Dice cannot be printed flat."""
