"""Lights that fall asleep: one soft dot stays until they are woken."""

from __future__ import annotations

from companion.engine.layout import Board, square_places
from companion.engine.scene import Glow, Scene
from hardware.fakes import FakeClock
from hardware.lights import FADE_S, Lights
from hardware.wiring import build, settings_from

BOARD = Board("test", 420, 420, tuple(square_places(map(str, range(36)), 6, 70)), (), ())
SCENE = Scene(tuple(Glow(cell, "won") for cell in range(36)))


def asleep() -> tuple[Lights, FakeClock]:
    clock = FakeClock()
    lights = build(settings_from({}), BOARD, clock).lights
    lights.show(SCENE)
    lights.step()
    assert sum(lights.frame) > 2000
    lights.sleep()
    return lights, clock


def test_the_strip_fades_to_one_soft_dot() -> None:
    lights, clock = asleep()
    seen = []
    for _ in range(12):
        clock.sleep(FADE_S / 10)
        lights.show(SCENE)  # the table goes on saying what it shows
        lights.step()
        seen.append(sum(lights.frame))
    assert seen == sorted(seen, reverse=True)
    assert 0 < max(lights.frame[:3]) < 40
    assert not any(lights.frame[3:])


def test_lights_that_wake_show_their_scene_again() -> None:
    lights, clock = asleep()
    clock.sleep(10)
    lights.step()
    lights.wake()
    clock.sleep(1)
    lights.step()
    assert any(lights.frame[3:])
