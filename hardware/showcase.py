"""Scenes to look at: what the lights can say, on a board of 6 × 6 and in test patterns."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from companion.engine.grid import Grid
from companion.engine.layout import Board, square_places
from companion.engine.scene import MEANINGS, Glow, Scene
from hardware.arrays import Light
from hardware.ledmap import LedMap
from hardware.render import Picture, limited

SIDE = 6
GRID = Grid(SIDE, SIDE)
BOARD = Board("showcase", 70.0 * SIDE, 70.0 * SIDE, tuple(square_places(GRID.names, SIDE, 70.0)), (), ())


def _cells(names: str) -> list[int]:
    return [GRID.cell(name) for name in names.split()]


def candles() -> Scene:
    """Three candles on a dark board; each lights its cell and what stands beside it."""
    glows: list[Glow] = []
    for name, tint in (("b2", "orange"), ("e3", ""), ("c5", "red")):
        cell = GRID.cell(name)
        beside = [near for near in GRID.beside[cell] if near >= 0]
        glows += [Glow(near, "lit", tint, level=0.28) for near in beside]
        glows.append(Glow(cell, "lit", tint))
    return Scene(tuple(glows))


def darkness() -> Scene:
    """A tile falls dark behind a prisoner, others are about to."""
    glows = [Glow(cell, "dim") for cell in _cells("a1 a2 b1 f6 e6 f5 a6")]
    glows += [
        Glow(cell, "lit", "", level=level)
        for cell, level in zip(_cells("c3 d3 c4"), (1.0, 0.4, 0.4), strict=True)
    ]
    glows += [Glow(cell, "fading") for cell in _cells("c2 b3 b4 d4")]
    glows += [Glow(cell, "pit") for cell in _cells("e2 c6")]
    return Scene(tuple(glows), "last-light")


def sight() -> Scene:
    """A monster at e2 sees along its row and column; a prisoner at b2 stands in it."""
    glows = [Glow(cell, "lit", "", level=0.3) for cell in _cells("b1 a2 c2 b3")]
    glows += [Glow(GRID.cell("b2"), "lit"), Glow(GRID.cell("d5"), "lit", "blue")]
    glows += [Glow(cell, "lit", "blue", level=0.3) for cell in _cells("d4 c5 e5 d6")]
    glows += [Glow(cell, "threat", level=0.7) for cell in _cells("d2 c2 b2 f2 e1 e3 e4")]
    glows.append(Glow(GRID.cell("e2"), "threat"))
    return Scene(tuple(glows), "tense")


def attack() -> Scene:
    """It strikes: along the path to the prisoner at b5."""
    glows = [Glow(cell, "lit", "", level=0.3) for cell in _cells("a5 b6 c5")]
    glows.append(Glow(GRID.cell("b5"), "lit"))
    path = _cells("e2 e3 e4 e5 d5 c5 b5")
    glows += [Glow(cell, "attack", order=step) for step, cell in enumerate(path)]
    return Scene(tuple(glows), "tense")


def meanings() -> Scene:
    """Every meaning once, in the order of the table of meanings."""
    return Scene(
        tuple(Glow(i + 6 * (i // 5) - 5 * (i // 5), meaning, order=i) for i, meaning in enumerate(MEANINGS))
    )


SCENES: Mapping[str, Callable[[], Scene]] = {
    "candles": candles,
    "darkness": darkness,
    "sight": sight,
    "attack": attack,
    "meanings": meanings,
}


# Test patterns: bytes, for finding wrong wires -----------------------------------------------------


def chase(led_map: LedMap, t: float) -> Light:
    """One white LED after the other, twenty a second: shows the route of the strip."""
    light = np.zeros((len(led_map.leds), 3))
    light[int(t * 20) % len(led_map.leds)] = 0.5
    return light


def colours(led_map: LedMap, t: float) -> Light:
    """All red, all green, all blue, two seconds each: shows a wrong order of bytes."""
    light = np.zeros((len(led_map.leds), 3))
    light[:, int(t / 2) % 3] = 0.3
    return light


def rainbow(led_map: LedMap, t: float) -> Light:
    """A slow rainbow along the strip: shows gaps."""
    hue = np.arange(len(led_map.leds))[:, None] / len(led_map.leds) + t / 10 + np.array([0, 1 / 3, 2 / 3])
    light: Light = 0.3 * (0.5 + 0.5 * np.cos(2 * np.pi * hue)) ** 2
    return light


def plain(red: float, green: float, blue: float) -> Callable[[LedMap, float], Light]:
    """All of one colour."""
    return lambda led_map, t: np.full((len(led_map.leds), 3), (red, green, blue))


PATTERNS: Mapping[str, Callable[[LedMap, float], Light]] = {
    "chase": chase,
    "colours": colours,
    "rainbow": rainbow,
    "red": plain(0.3, 0, 0),
    "green": plain(0, 0.3, 0),
    "blue": plain(0, 0, 0.3),
    "white": plain(0.3, 0.3, 0.3),
    "off": plain(0, 0, 0),
}


def painted(name: str, led_map: LedMap, t: float, brightness: float = 1.0) -> Picture:
    """The frame of a test pattern, within what the supplies give."""
    levels = np.zeros((len(led_map.leds), 4))
    levels[:, :3] = PATTERNS[name](led_map, t) * 255 * brightness
    return limited(levels.ravel()[led_map.slots].astype(np.uint8), led_map)
