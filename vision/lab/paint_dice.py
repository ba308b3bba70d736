"""Paints trays with dice: pips or printed faces, thrown anyhow."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from vision.images import Canvas, Doubles, Rng
from vision.lab.paint_art import SIZE, Colour, Style, colour, paper, polygon, ring_of
from vision.optics import LEVELS, PinholeCamera, expose, illuminate

TRAY_MM = (160.0, 100.0)
DIE_MM = 16.0
_SCALE = 5.0
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    5: ((-1, -1), (1, -1), (1, 1), (-1, 1), (0, 0)),
    6: ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, 0), (1, 0)),
}


class Tray(NamedTuple):
    """A picture of a tray, the faces in it and where their middles are in pixels."""

    image: Canvas
    faces: tuple[str, ...]
    centres: Canvas


def pip_face(value: int, body: Colour, ink: Colour, rng: Rng) -> Canvas:
    """One side of an ordinary die."""
    image = np.full((SIZE, SIZE, 3), body, np.uint8)
    radius = float(rng.uniform(0.07, 0.11))
    for x, y in PIPS[value]:
        polygon(image, ring_of(16, radius) + np.array([x, y]) * 0.26, ink)
    return image


def dice_of(rng: Rng) -> dict[str, Canvas]:
    """The six sides of a die of some maker."""
    dark = rng.random() < 0.5
    body = colour(rng, (0.1, 0.45) if dark else (0.75, 1.0), (0, 0.8) if dark else (0, 0.4))
    ink = colour(rng, (0.85, 1.0), (0, 0.2)) if dark else colour(rng, (0.0, 0.2), (0, 0.5))
    return {str(value): pip_face(value, body, ink, rng) for value in PIPS}


def symbol_dice(style: Style, names: tuple[str, ...]) -> dict[str, Canvas]:
    """A die with pictures on its sides."""
    return {name: style.art(i) for i, name in enumerate(names)}


def throw(
    sides: dict[str, Canvas],
    count: int,
    level: int,
    rng: Rng,
    size: tuple[int, int] = (640, 400),
    side_light: float = 0.0,
) -> Tray:
    """Throws dice into a tray and photographs it.

    A lamp from the side takes `side_light` of the light away where a die casts its shadow, up to a die long.
    """
    damage = LEVELS[level]
    body = next(iter(sides.values())).reshape(-1, 3).mean(0)
    ground = colour(rng, (0.1, 0.8), (0, 0.8))
    while np.abs(np.asarray(ground) - body).max() < 70:
        ground = colour(rng, (0.1, 0.8), (0, 0.8))
    width, height = (int(side * _SCALE) for side in TRAY_MM)
    rim = int(34 * _SCALE)
    sheet = cv2.resize(paper(rng, ground, 0.06), (width + 2 * rim, height + 2 * rim))
    flat = np.asarray(sheet, np.uint8)
    way, reach = rng.uniform(0, 2 * np.pi), rng.uniform(0.4, 1.1) * DIE_MM * _SCALE if side_light else 0.0
    cast = np.array([np.cos(way), np.sin(way)]) * reach
    faces: list[str] = []
    spots: list[Doubles] = []
    while len(spots) < count:
        spot = rng.uniform([DIE_MM, DIE_MM], np.array(TRAY_MM) - DIE_MM)
        if any(np.hypot(*(spot - other)) < 1.6 * DIE_MM for other in spots):
            continue
        spots.append(spot)
        faces.append(str(rng.choice(list(sides))))
        _lay(flat, sides[faces[-1]], spot * _SCALE + rim, rng.uniform(0, 2 * np.pi), cast, side_light)
    camera = PinholeCamera.above(rng, size, TRAY_MM, (damage.tilt[0] / 2, damage.tilt[1] / 2))
    scene = camera.look(flat, _SCALE, (-34.0, -34.0))
    corners = camera.pixels([(0, 0), (TRAY_MM[0], 0), TRAY_MM, (0, TRAY_MM[1])])
    light = illuminate(rng, size, damage, corners)
    return Tray(expose(rng, scene, light, damage), tuple(faces), camera.pixels(np.array(spots)))


def _lay(flat: Canvas, art: Canvas, at: Canvas, turn: float, cast: Doubles, side_light: float) -> None:
    scale = DIE_MM * _SCALE / SIZE
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    matrix = np.array([[c, -s, 0], [s, c, 0]])
    matrix[:, 2] = at - matrix[:, :2] @ [SIZE / 2, SIZE / 2]
    mask = np.zeros((SIZE, SIZE), np.uint8)
    bite = SIZE // 8
    cv2.rectangle(mask, (bite, 0), (SIZE - bite, SIZE), 255, -1)
    cv2.rectangle(mask, (0, bite), (SIZE, SIZE - bite), 255, -1)
    for x in (bite, SIZE - 1 - bite):
        for y in (bite, SIZE - 1 - bite):
            cv2.circle(mask, (x, y), bite, 255, -1)
    size = (flat.shape[1], flat.shape[0])
    over = np.asarray(cv2.warpAffine(mask, matrix, size), np.uint8)
    shadow = cv2.warpAffine(mask, matrix + np.array([[0, 0, 4], [0, 0, 5]]), size)
    shade = 255 - cv2.GaussianBlur(shadow, (0, 0), 4) // 3
    cv2.multiply(flat, cv2.merge([shade] * 3), flat, 1 / 255)
    if side_light:
        moved = [matrix + np.column_stack([np.zeros((2, 2)), cast * t]) for t in np.linspace(0, 1, 24)]
        long = np.max([cv2.warpAffine(mask, one, size) for one in moved], axis=0)
        dark = 255 - (side_light * cv2.GaussianBlur(long, (0, 0), 2).astype(np.float32)).astype(np.uint8)
        cv2.multiply(flat, cv2.merge([dark] * 3), flat, 1 / 255)
    cv2.copyTo(cv2.warpAffine(art, matrix, size, borderMode=cv2.BORDER_REPLICATE), over & 128, flat)
