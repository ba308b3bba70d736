"""The same bytes reach a strip on the screen and a strip behind a serial line, whatever game is played."""

from __future__ import annotations

import threading
from random import Random

import pytest

from companion.engine.action import PUBLIC, TABLE
from companion.engine.chance import weighted
from companion.games import REGISTRY, load
from hardware.fakes import FakeClock, PtyChip
from hardware.wiring import LightSettings, PartSettings, build

SCENES = 5


@pytest.fixture
def chip():
    chip = PtyChip()
    yield chip
    chip.close()


def scenes(key, seed=3):
    """What the lights mean along a random game."""
    game = load(key)
    state, rng = game.start(game.resolve({})), Random(seed)
    for _ in range(SCENES):
        yield game.scene(game.view(state, PUBLIC))
        for _ in range(4):
            if needs := state.needs():
                seat = needs[0].seat
                pick = weighted(state.outcomes(), rng) if seat == TABLE else rng.choice(state.actions(seat))
                state.apply(seat, pick)


@pytest.mark.slow
@pytest.mark.parametrize("key", REGISTRY)
def test_the_same_bytes_reach_both_strips(chip, key):
    game, clock = load(key), FakeClock(1.0)
    board = game.board(game.resolve({}))
    screen = build(PartSettings(), board, clock)
    serial = build(PartSettings(LightSettings(driver="chip", port=chip.port)), board, clock)
    pause, frames = threading.Event(), set()
    try:
        for scene in scenes(key):
            screen.lights.show(scene)
            serial.lights.show(scene)
            clock.sleep(1.0)
            for parts in (screen, serial):
                parts.lights.step()
            shown = screen.lights.strip.frames[-1][1]
            # The firmware runs in real time, and its own guard lets a sudden change through only by and by.
            for _ in range(1000):
                if chip.desk.frames and chip.desk.frames[-1][1] == shown:
                    break
                clock.sleep(0.004)
                serial.lights.strip.step()
                pause.wait(0.004)
            assert chip.desk.frames[-1][1] == shown
            frames.add(shown)
        assert len(frames) > 2, "the game did shine"
    finally:
        serial.close()
        screen.close()
