"""Onirim's cards as we draw them."""

from __future__ import annotations

from companion.engine.drawing import (
    Disc,
    Drawing,
    Shape,
    Stroke,
    box,
    eye,
    grain,
    key,
    line,
    moon,
    placed,
    ring,
    star,
    sun,
)
from companion.engine.facts import Values
from companion.games.onirim.pieces import CARD_MM, CARDS, COLOURS, COUNTS, LETTERS

_COLOURS = {
    "R": ("#8f1d24", "#e9b9a4", "#b5373c"),
    "B": ("#1b3f7d", "#b9d3ee", "#2f62ad"),
    "G": ("#1f5b33", "#c4e0b4", "#3a8450"),
    "W": ("#5a3b20", "#e2cda8", "#81592f"),
}
"""Deep, light and middle tone of each place."""
_WIDTH, _HEIGHT = CARD_MM


def draw(face: str) -> Drawing:
    """Draws a card by the name of its face."""
    if face == "back":
        shapes = _back()
    elif face == "NM":
        shapes = _nightmare()
    elif face[1] == "D":
        shapes = _door(face[0])
    else:
        shapes = _hall(face[0], face[1])
    return Drawing(_WIDTH, _HEIGHT, tuple(shapes))


def _paper(face: str, deep: str, light: str, middle: str) -> list[Shape]:
    return [
        box(_WIDTH, _HEIGHT, deep),
        box(_WIDTH - 6, _HEIGHT - 6, light),
        *grain(face, _WIDTH - 10, _HEIGHT - 10, (middle, light), 60, 0.7),
    ]


def _symbol(symbol: str, ink: str, paper: str) -> list[Shape]:
    if symbol == "s":
        return sun(ink)
    if symbol == "m":
        return moon(ink, paper)
    return placed(key(ink), y=-0.4)


def _hall(letter: str, symbol: str) -> list[Shape]:
    deep, light, middle = _COLOURS[letter]
    shapes = _paper(letter + symbol, deep, light, middle)
    shapes += [Disc(0, 0, 21, middle), Disc(0, 0, 18.5, light)]
    shapes += placed(_symbol(symbol, deep, light), scale=14)
    # The corner stays readable where cards overlap, whichever way up.
    for turn in (0, 180):
        corner = [Disc(0, 0, 6, deep), *placed(_symbol(symbol, light, deep), scale=4)]
        shapes += placed(placed(corner, x=-_WIDTH / 2 + 10, y=-_HEIGHT / 2 + 11), turn=turn)
    return [*shapes, *_place(letter, middle)]


def _place(letter: str, ink: str) -> list[Shape]:
    """A sign of the place: telescope, waves, leaves, books."""
    y = _HEIGHT / 2 - 13
    if letter == "R":
        return [
            line(-9, y + 4, 8, y - 5, 3, ink),
            line(-3, y, -6, y + 8, 1.4, ink),
            line(-3, y, 1, y + 8, 1.4, ink),
        ]
    if letter == "B":
        return [
            Stroke(tuple((x, y + d + (1.8 if x % 6 else -1.8)) for x in range(-12, 13, 3)), 1.3, ink)
            for d in (-3, 2)
        ]
    if letter == "G":
        return [shape for x in (-8, 0, 8) for shape in placed([star(5, ink, 0.4)], x, y, 4.5)]
    return [line(x, y - 5, x, y + 5, 2.6, ink) for x in (-9, -5.5, -2, 1.5, 5, 8.5)]


def _door(letter: str) -> list[Shape]:
    deep, light, middle = _COLOURS[letter]
    shapes = [box(_WIDTH, _HEIGHT, light), *grain(letter + "D", _WIDTH - 6, _HEIGHT - 6, (middle,), 40, 0.6)]
    shapes += [Disc(0, -14, 20, deep), *placed([box(40, 46, deep)], y=9)]
    shapes += [Disc(0, -14, 15.5, middle), *placed([box(31, 46, middle)], y=9)]
    shapes += [line(0, -29, 0, 31, 0.9, deep), Disc(4, 8, 2.2, light), Disc(-4, 8, 2.2, light)]
    shapes += [line(-13, y, 13, y, 0.9, deep) for y in (-12, 0, 20)]
    return [*shapes, *placed(key(deep), x=-_WIDTH / 2 + 8, y=-_HEIGHT / 2 + 8, scale=4)]


def _nightmare() -> list[Shape]:
    shapes: list[Shape] = [box(_WIDTH, _HEIGHT, "#15101f")]
    shapes += grain("NM", _WIDTH, _HEIGHT, ("#3a2a55", "#241a38", "#5b3f86"), 130, 1.6)
    shapes += placed(eye("#d9cfe8", "#a3202b"), y=-12, scale=20)
    shapes += [line(x, 10, x + (x % 5) - 2, 34, 1.6, "#8d6bc4") for x in range(-21, 22, 6)]
    return [*shapes, ring(27, 1.2, "#8d6bc4")]


def _back() -> list[Shape]:
    shapes: list[Shape] = [box(_WIDTH, _HEIGHT, "#202a44"), box(_WIDTH - 8, _HEIGHT - 8, "#2d3a5e")]
    for radius in (24, 18, 12, 6):
        shapes.append(ring(radius, 1.2, "#c7b37b"))
    return [*shapes, *placed([star(8, "#c7b37b", 0.4)], scale=5)]


KIT = tuple((name, "back", n) for name, n in zip(CARDS, COUNTS, strict=True))
"""What to print: front, back, and how many."""


def picture(subject: str, language: str, values: Values) -> Drawing | None:
    """A card of the box: the Sun of a colour, or the Nightmare."""
    colour = subject.partition(".")[2]
    return draw(f"{LETTERS[COLOURS.index(colour)]}s" if colour in COLOURS else "NM")
