"""What light costs, for `gloam bench`: measured against the time that the strip itself needs."""

from __future__ import annotations

from random import Random
from time import process_time

from companion.engine.layout import Board, square_places
from companion.engine.scene import MEANINGS, TINTS, Glow, Scene
from hardware import wire
from hardware.guard import FlashGuard
from hardware.ledmap import cells
from hardware.render import LightStyle, compose

LEDS = 196
WIRE_S = LEDS * 30e-6
"""A WS2812 takes 30 µs for its 24 bits."""


def busy_scene(board: Board, seed: int = 1) -> Scene:
    """A scene with something at every cell and a second layer over half of them."""
    rng = Random(seed)
    every = range(len(board.places))
    glows = [Glow(cell, "lit", rng.choice(TINTS), 0, rng.random()) for cell in every]
    glows += [
        Glow(c, rng.choice(MEANINGS), rng.choice(TINTS), i) for i, c in enumerate(every) if rng.random() < 0.5
    ]
    return Scene(tuple(glows), "tense")


def measures(frames: int = 600) -> dict[str, float]:
    """Renders, guards and encodes a 196-LED frame many times; costs are processor time.

    `frame_to_wire`: its cost as a share of its wire time (bar: below 0.1).
    `core_at_60_fps`: the share of one core that 60 frames a second take (bar: below 0.1).
    """
    board = Board("bench", 490, 490, tuple(square_places(map(str, range(49)), 7, 70)), (), ())
    led_map = cells(board, 2, supply_ma=4000)
    scene, look = busy_scene(board), LightStyle()
    guard = FlashGuard(led_map, look.full)

    def one(i: int) -> None:
        frame = guard.calm(compose(scene, led_map, i / 60, look).frame, i / 60)
        wire.encode(wire.KEYFRAME, i & 255, frame)

    one(0)
    start = process_time()
    for i in range(1, frames + 1):
        one(i)
    cost_s = (process_time() - start) / frames
    return {"frame_to_wire": cost_s / WIRE_S, "core_at_60_fps": cost_s * 60}
