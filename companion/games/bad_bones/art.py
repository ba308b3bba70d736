"""Bad Bones as we draw it: tokens with a tip, traps, towers, houses, the hero."""

from __future__ import annotations

from companion.engine.drawing import (
    Area,
    Disc,
    Drawing,
    Shape,
    arrow,
    box,
    crack,
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
from companion.engine.facts import Values
from companion.games.bad_bones.layout import FACES
from companion.games.bad_bones.printed import KINDS

_SIZE = {face.name: face.width for face in FACES}
_INK = {"G": "#2e8b45", "B": "#2f62ad", "R": "#c0342f", "Y": "#d9a81d", "P": "#7b3fa0"}
_TIP = {"L": 90, "T": 180, "R": 270}
"""Where the tip points while the picture stands upright, in degrees clockwise from up."""
_WOOD, _DARKWOOD, _STEEL, _GRASS = "#9a6b3a", "#5f3f20", "#8f979e", "#5d7d3a"
_TOPS = ("#d9722c", "#2f4f9d", "#f1ede2", "#3f8a4a")
"""The colour of a tower's uppermost floor, by how many there are."""


def draw(face: str) -> Drawing:
    """Draws a piece by the name of its face."""
    size = _SIZE[face]
    name, *rest = face.split("-")
    if rest and rest[-1] in ("white", "black") and name != "maze":
        shapes = _token(face, name, rest)
    elif name in ("tower", "house", "hero"):
        shapes = _standing(face, size)
    else:
        shapes = _trap(face, name, rest, size)
    return Drawing(size, size, tuple(shapes))


def _token(face: str, name: str, rest: list[str]) -> list[Shape]:
    commander = name if len(rest) == 2 else ""
    kind, side = (rest[0] if commander else name), rest[-1]
    paper, ink = ("#f1ede2", "#26221d") if side == "white" else ("#2b2a2e", "#e9e4d6")
    colour = _INK[kind[0]]
    # The face's turn 0 has the tip up; the picture is turned against it.
    picture = placed(skull(ink, paper), y=0.5, scale=4.6, turn=-_TIP[kind[1]])
    mark = placed(_symbol(kind[0], colour), scale=3.1)
    shapes: list[Shape] = [Disc(0, 0, 12, "#e07a1f" if commander else "#7d766a"), Disc(0, 0, 10.6, paper)]
    shapes += [Area(((0, -12), (5.5, -5.6), (-5.5, -5.6)), colour)]
    shapes += [*picture, *placed(mark, y=7.6), *grain(face, 14, 14, (paper, colour), 6, 0.35)]
    if commander:
        shapes += placed(_badge(commander), x=-7.2, y=1.5, scale=2.6)
    return shapes


def _symbol(letter: str, fill: str) -> list[Shape]:
    if letter == "R":
        return [polygon(3, fill)]
    if letter == "Y":
        return [Disc(0, 0, 0.9, fill)]
    if letter == "G":
        return [polygon(4, fill)]
    if letter == "B":
        return [box(1.5, 1.5, fill)]
    return [star(5, fill, 0.45)]


def _badge(commander: str) -> list[Shape]:
    ink = "#e07a1f"
    if commander == "sapper":
        return [Disc(0, 0.2, 0.7, ink), line(0.3, -0.4, 0.7, -0.9, 0.25, ink)]
    if commander == "necromancer":
        return [ring(0.7, 0.3, ink), line(0, -1, 0, 1, 0.25, ink)]
    if commander == "peacemaker":
        return [line(-0.8, 0, 0.8, 0, 0.5, ink), line(0, -0.8, 0, 0.8, 0.5, ink)]
    if commander == "emperor":
        return [
            Area(
                ((-0.9, 0.7), (-0.9, -0.6), (-0.4, 0.1), (0, -0.9), (0.4, 0.1), (0.9, -0.6), (0.9, 0.7)), ink
            )
        ]
    if commander == "ghost":
        return [Disc(0, -0.2, 0.7, ink), box(1.4, 0.9, ink)]
    if commander == "instructor":
        return [*arrow(ink)]
    return [line(-0.8, -0.8, 0.8, 0.8, 0.4, ink), line(-0.8, 0.8, 0.8, -0.8, 0.4, ink)]


def _standing(face: str, size: float) -> list[Shape]:
    if face == "hero":
        return [
            Disc(0, 0, size / 2, "#5f1f40"),
            Disc(0, 0, size / 2 - 0.8, "#e0559a"),
            *placed([star(5, "#f6e6ee", 0.45)], scale=2.8),
        ]
    if face.startswith("tower"):
        # The hero hides the middle: colour and corners tell how high it is.
        floors = int(face[-1])
        top, far = _TOPS[floors - 1], size / 2 - 5
        corners = ((-far, -far), (far, far), (far, -far), (-far, far))[:floors]
        shapes: list[Shape] = [box(size, size, top), *grain(face, size, size, (top, "#6f6a61"), 40, 1.0)]
        for x, y in corners:
            shapes += placed([box(10, 10, "#26221d"), box(7.6, 7.6, "#f4c430")], x, y)
        return shapes
    burnt = face.endswith("burnt")
    wall, roof = ("#3a332d", "#191512") if burnt else ("#d9bf8f", "#a8432f")
    house: list[Shape] = [box(size, size, _GRASS), *grain(face, size, size, ("#4c6a2f", "#6f9147"), 50, 1.0)]
    house += placed([box(18, 13, wall)], y=5)
    house += [Area(((-12, -1), (0, -12), (12, -1)), roof), *placed([box(4.5, 7, "#4a3320")], y=8)]
    return [*house, *(placed(flame("#e0762c", "#ffe08a"), y=-6, scale=7) if burnt else [])]


def _trap(face: str, name: str, rest: list[str], size: float) -> list[Shape]:
    ground = "#b59a6a" if "damaged" not in rest else "#8a6f52"
    shapes: list[Shape] = [box(size, size, ground), *grain(face, size, size, ("#a58a5c", "#c6ac7d"), 60, 0.9)]
    shapes += placed(_machine(name, rest), scale=1.0)
    if "damaged" in rest:
        shapes += crack(face, "#2b1d10", 15, 1.1)
    return shapes


def _machine(name: str, rest: list[str]) -> list[Shape]:
    if name == "wall":
        bricks = [
            placed([box(8.4, 3.6, "#a8523a")], x, y)
            for y in (-5, 0, 5)
            for x in ((-9, 0, 9) if y else (-4.5, 4.5))
        ]
        return [shape for brick in bricks for shape in brick]
    if name == "catapult":
        return [
            line(-10, 9, 10, 9, 3, _DARKWOOD),
            line(-7, 8, 8, -9, 2.6, _WOOD),
            Disc(9, -10, 3.6, _STEEL),
            Disc(-8, 10, 3, "#2b1d10"),
            Disc(8, 10, 3, "#2b1d10"),
        ]
    if name == "dragon":
        return [
            *placed([star(7, "#3f7a3a", 0.6)], scale=13),
            Disc(-4, -3, 1.6, "#f4d35e"),
            Disc(4, -3, 1.6, "#f4d35e"),
            *placed(flame("#d9481c", "#ffd25e"), y=7, scale=6),
        ]
    if name == "treasure":
        return [
            box(21, 14, "#7a4a1e"),
            line(-10.5, -2, 10.5, -2, 1.6, "#e6c12f"),
            Disc(0, 1, 2.6, "#e6c12f"),
            *placed(key("#e6c12f"), y=-12, scale=3),
        ]
    if name == "palisade":
        return [
            Area(((x - 2, 11), (x - 2, -7), (x, -12), (x + 2, -7), (x + 2, 11)), _DARKWOOD)
            for x in (-10, -5, 0, 5, 10)
        ]
    if name == "hearse":
        return [
            box(22, 10, "#1f1b26"),
            Disc(-7, 8, 4, "#3a3342"),
            Disc(7, 8, 4, "#3a3342"),
            line(0, -4, 0, 4, 1.4, "#d8d0bf"),
            line(-3, -2, 3, -2, 1.4, "#d8d0bf"),
        ]
    if name == "dynamite":
        return [
            *(placed([box(4.4, 17, "#b3302a")], x)[0] for x in (-5.2, 0, 5.2)),
            line(0, -8.5, 4, -14, 1.1, "#20180f"),
            Disc(4.5, -14, 1.8, "#ffd25e"),
        ]
    if name == "crater":
        return [*placed([star(11, "#4a3a26", 0.8)], scale=14), Disc(0, 0, 9, "#1d150c")]
    if name == "maze":
        light = rest[0] == "white"
        paper, ink = ("#f1ede2", "#26221d") if light else ("#26221d", "#f1ede2")
        return [
            box(26, 26, paper),
            *(ring(r, 1.5, ink, b, b + 300) for r, b in ((11, 0), (8, 120), (5, 240))),
            Disc(0, 0, 1.8, ink),
        ]
    if name == "portal":
        return [
            Disc(0, 0, 13, "#3b2a6b"),
            *(ring(r, 1.6, "#8fd0ff", b, b + 250) for r, b in ((10, 0), (7, 100), (4, 200))),
        ]
    return [
        *(
            ring(3.4, 1.7, _STEEL),
            *placed([ring(3.4, 1.7, _STEEL)], y=-6),
            *placed([ring(3.4, 1.7, _STEEL)], y=6),
        ),
        line(-9, 12, 9, 12, 2.4, _DARKWOOD),
        *placed(arrow("#c0342f"), y=-9, scale=4),
    ]


_KINDS = tuple(
    face.removesuffix("-white") for face in _SIZE if face.endswith("-white") and face != "maze-white"
)
_TRAPS = (
    *(("wall", "wall-damaged", 12), ("catapult", "catapult-damaged", 12), ("dragon", "dragon-damaged", 9)),
    *(("treasure", "", 6), ("palisade", "palisade-damaged", 3), ("hearse", "hearse-damaged", 3)),
    *(("dynamite", "crater", 3), ("maze-white", "maze-black", 3), ("portal", "portal-damaged", 3)),
    ("spring", "spring-damaged", 3),
)
KIT = (
    *((f"{kind}-white", f"{kind}-black", 12) for kind in _KINDS if "-" not in kind),
    *((f"{kind}-white", f"{kind}-black", 1) for kind in _KINDS if "-" in kind),
    *_TRAPS,
    *((f"tower-{n}", "", 6) for n in range(1, 5)),
    ("house", "house-burnt", 30),
    ("hero", "", 6),
)
"""What to print: front, back, and how many."""


def picture(subject: str, language: str, values: Values) -> Drawing | None:
    """A trap or a commander of the box."""
    part, _, name = subject.partition(".")
    if part == "traps":
        return draw("maze-white" if name == "maze" else name)
    if part == "commanders":
        return draw(f"{next(kind.name for kind in KINDS if kind.name.startswith(name))}-white")
    return None
