"""Takes the pictures of `hardware/README.md`: builds of lights on the virtual table, opaque pieces and all.

`PYTHONPATH=. python tests/hardware/light_pictures.py` from the clone writes them anew.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import cv2
import numpy as np
from light_decoder import GAME, Position, Watched, positions

from companion.games import load_art
from companion.world.physical import Slop
from hardware.guard import Channels
from hardware.render import LightStyle, render
from vision.virtual import LedGlow, VirtualCamera

FOLDER = Path(__file__).parents[2] / "hardware" / "pictures"
SIZE = (1280, 960)
WIDTH = 560
EXPOSURES = {"rails": 0.16, "halo": 0.16, "projector": 0.5, "glass": 0.4, "around": 0.16}
BRIGHTNESS = {"projector": 1.0, "glass": 1.0}
TIME_S = 0.9


def richest() -> Position:
    """A position in which candles burn, tiles fade, a monster threatens and a piece lies wrong."""
    wanted = {"lit", "threat", "attack", "place", "wrong", "fading"}
    return max(
        positions(0), key=lambda one: (len({g.meaning for g in one.scene.glows} & wanted), len(one.layout))
    )


def take(build: str, position: Position) -> np.ndarray:
    """A photograph of the lit table from above."""
    table = Watched(build, 1)
    style = LightStyle("gloam", BRIGHTNESS.get(build, 0.2))
    frame = render(position.scene, table.map, TIME_S, style)
    light = (np.frombuffer(frame, np.uint8) / 255)[Channels.of(table.map).rgb]
    glows = [
        LedGlow(led.x, led.y, tuple(colour), led.width, led.height, table.map.way)
        for led, colour in zip(table.map.leds, light.tolist(), strict=True)
    ]
    table.world.set_up(position.layout, Random(1), Slop(0.7, 1.2))
    draw = load_art(GAME.key).draw
    camera = VirtualCamera(
        table.world, draw, level=0, seed=2, size=SIZE, leds=lambda: glows, exposure=EXPOSURES[build]
    )
    corners = camera.eye.pixels([corner for marker in table.board.markers for corner in marker.corners()])
    (left, top), (right, bottom) = corners.min(0).astype(int) - 12, corners.max(0).astype(int) + 12
    return camera()[max(0, top) : bottom, max(0, left) : right]


def main() -> None:
    position = richest()
    for build in EXPOSURES:
        picture = take(build, position)
        size = (WIDTH, WIDTH * picture.shape[0] // picture.shape[1])
        small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        path = FOLDER / f"lit_{build}.webp"
        cv2.imwrite(str(path), small, [cv2.IMWRITE_WEBP_QUALITY, 82])
        print(path.name, path.stat().st_size)


if __name__ == "__main__":
    main()
