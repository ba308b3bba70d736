"""The Night Cage's tiles and pawns as we draw them: pale corridors through dark stone."""

from __future__ import annotations

from companion.engine.drawing import (
    Area,
    Disc,
    Drawing,
    Shape,
    box,
    crack,
    eye,
    flame,
    grain,
    key,
    line,
    placed,
    polygon,
    ring,
    skull,
    star,
)
from companion.games.night_cage.layout import DIRGE_PIT, PAWN_MM, PIT, TILE_MM
from companion.games.night_cage.pieces import IN_BOX, NAMES, OPENINGS, PRISONERS

_STONE, _DARK, _PATH, _EDGE = "#26292e", "#15171a", "#b9ab8c", "#6d6350"
_WIDE = 20.0
_FALLS = ("start", "straight", "cracked-tee", "key", "fiend")
"""Tiles that crumble show cracks."""
COLOURS = {"red": "#d2342f", "blue": "#2f6fd2", "green": "#2fa04a", "yellow": "#e6c12f", "purple": "#8b3fb5"}


def draw(face: str) -> Drawing:
    """Draws a tile or a pawn by the name of its face."""
    if face in PRISONERS:
        return Drawing(PAWN_MM, PAWN_MM, tuple(_pawn(face)))
    if face in (PIT, DIRGE_PIT):
        return Drawing(TILE_MM, TILE_MM, tuple(_pit(face)))
    return Drawing(TILE_MM, TILE_MM, tuple(_tile(face)))


def _tile(face: str) -> list[Shape]:
    shapes: list[Shape] = [box(TILE_MM, TILE_MM, _STONE)]
    shapes += grain(face, TILE_MM, TILE_MM, (_DARK, "#34383f", "#2d3138"), 120, 1.8)
    openings = OPENINGS[NAMES.index(face)]
    for width, colour in ((_WIDE + 3, _EDGE), (_WIDE, _PATH)):
        if openings and face != "pathless":
            shapes.append(Disc(0, 0, width / 2, colour))
        for side in range(4):
            if side in openings and face != "pathless":
                arm = Area(
                    ((-width / 2, -TILE_MM / 2), (width / 2, -TILE_MM / 2), (width / 2, 0), (-width / 2, 0)),
                    colour,
                )
                shapes += placed([arm], turn=90 * side)
    shapes += grain(face + "floor", 16, 16, ("#a3967a", "#cabd9f"), 24, 0.6)
    if face in _FALLS:
        shapes += crack(face, "#4a4337", 14, 0.7)
    return [*shapes, *_picture(face)]


def _picture(face: str) -> list[Shape]:
    """What stands in the middle of a tile."""
    if face == "start":
        return [
            Disc(0, 0, 9, "#8c7f63"),
            ring(9, 1.2, "#4a4337"),
            *placed([star(8, "#4a4337", 0.5)], scale=5),
        ]
    if face == "key":
        return [Disc(0, 0, 10.5, "#efe0a8"), *placed(key("#7a5a12"), y=-4, scale=6.5)]
    if face == "gate":
        bars = [line(x, -9, x, 9, 1.6, "#2b2620") for x in (-8, -4, 0, 4, 8)]
        return [
            box(23, 21, "#d8c38b"),
            *bars,
            line(-10, -4, 10, -4, 1.4, "#2b2620"),
            line(-10, 4, 10, 4, 1.4, "#2b2620"),
        ]
    if face == "wax":
        return [
            Disc(0, 0, 12, "#e8dcc0"),
            *placed(eye("#c9b27a", "#b3302a"), scale=9),
            *_drips("#e8dcc0", 12),
        ]
    if face == "keeper":
        return [
            Disc(0, 0, 12.5, "#4d5a3a"),
            *placed(key("#efe0a8"), y=-9, scale=3.6),
            *placed([Area(((-8, 2), (8, 2), (5, 9), (-5, 9)), "#a02323")]),
            *(line(x, 2.5, x, 5, 1.0, "#f2ead2") for x in (-5, -2, 1, 4)),
        ]
    if face == "fiend":
        return [*placed([star(9, "#5c1f1f", 0.55)], scale=14), *placed(skull("#d9c7c0", "#2a0d0d"), scale=8)]
    if face == "pathless":
        faces = [
            shape
            for side in range(4)
            for shape in placed(placed(skull("#cfc9bd", "#1a1a1a"), y=-20, scale=7.5), turn=90 * side)
        ]
        return [polygon(8, "#3a2e4a", 13, -67.5), *faces]
    if face == "omen":
        return [*placed(flame("#e0762c", "#ffe08a"), y=4, scale=12), ring(17, 1.4, "#e0762c")]
    return []


def _drips(colour: str, radius: float) -> list[Shape]:
    return [line(x, radius - 3, x, radius + y, 2.4, colour) for x, y in ((-7, 3), (-2, 6), (4, 4), (8, 1))]


def _pit(face: str) -> list[Shape]:
    inner = "#000000" if face == PIT else "#2a1030"
    shapes: list[Shape] = [box(TILE_MM, TILE_MM, "#3b3a36")]
    shapes += grain(face, TILE_MM, TILE_MM, ("#2d2c29", "#4b4943", "#565247"), 130, 1.6)
    shapes += placed([star(11, "#1c1b19", 0.82)], scale=27)
    shapes += [Disc(0, 0, 21, inner)]
    if face == DIRGE_PIT:
        shapes += [ring(24, 1.6, "#9a5fc4"), *placed(skull("#9a5fc4", "#2a1030"), scale=11)]
    return shapes


def _pawn(face: str) -> list[Shape]:
    colour = COLOURS[face]
    return [
        Disc(0, 0, PAWN_MM / 2, colour),
        ring(PAWN_MM / 2 - 1.6, 1.4, "#101010"),
        *placed(flame("#fff3c4", "#ffb02e"), scale=6),
    ]


KIT = (
    *((NAMES[kind], PIT, n) for kind, n in enumerate(IN_BOX)),
    (DIRGE_PIT, "", 9),
    *((name, "", 1) for name in PRISONERS),
)
"""What to print: front, back, and how many."""
