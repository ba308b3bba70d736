"""Blinking finds the LEDs of rails and rims through the virtual camera, and what they speak of."""

from __future__ import annotations

import numpy as np
import pytest

from companion.engine.layout import built
from companion.games import load, load_art
from companion.world.physical import World
from hardware.blink import find_map, homography
from hardware.ledmap import StripSpec
from hardware.wiring import LightSettings, led_map_for
from vision.virtual import LedGlow, VirtualCamera

GAME = load("night_cage")
BLINKED = 28
"""LEDs at the beginning of the strip: of rails more than a row, of rims seven places."""


@pytest.mark.slow
@pytest.mark.parametrize("build", ["rails", "halo"])
def test_every_led_is_found_in_its_bar_and_speaks_of_the_right_place(build):
    board = built(GAME.board(GAME.resolve({})), build)
    led_map = led_map_for(LightSettings(map=build), board)
    truth, lit = led_map.leds[:BLINKED], []
    camera = VirtualCamera(World(board), load_art(GAME.key).draw, level=1, seed=4, leds=lambda: lit)
    to_board = homography(camera(), board)

    def show(frame: bytes) -> None:
        levels = np.frombuffer(frame, np.uint8).reshape(-1, 3) / 255
        lit[:] = [
            LedGlow(led.x, led.y, tuple(level), led.width, led.height, led_map.way)
            for led, level in zip(truth, levels.tolist(), strict=True)
            if max(level) > 0
        ]

    found = find_map(StripSpec(BLINKED), 2000, board, show, camera, to_board)
    assert found.missing == ()
    assert [led.cells for led in found.led_map.leds] == [led.cells for led in truth]
    apart = [
        np.hypot(led.x - real.x, led.y - real.y) for led, real in zip(found.led_map.leds, truth, strict=True)
    ]
    assert max(apart) < 8.0
