"""Flash safety: an analyser that shares nothing with the guards looks at every effect and at storms."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from companion.engine.layout import Board, square_places
from companion.engine.scene import MEANINGS, MOODS, TINTS, Glow, Scene
from hardware import ledmap
from hardware.chip import Chip, ChipSettings
from hardware.fakes import DeskChip, FakeClock
from hardware.guard import FlashGuard
from hardware.render import LightStyle, compose, current_ma, render
from hardware.themes import THEMES

BOARD = Board("test", 210, 210, tuple(square_places(map(str, range(9)), 3, 70)), (), ())
LEDS = ledmap.cells(BOARD, 1, order="RGB", supply_ma=9000)


def most_flashes(values: list[float], times: list[float], step: float) -> int:
    """The largest number of rises of at least `step`, each after such a fall, in any second."""
    rises: list[float] = []
    low = high = values[0]
    rising = values[0] >= step
    for value, t in zip(values, times, strict=True):
        low, high = min(low, value), max(high, value)
        if rising and high - value >= step:
            rising, low = False, value
        elif not rising and value - low >= step:
            rising, high = True, value
            rises.append(t)
    return max((sum(t <= other < t + 0.999 for other in rises) for t in rises), default=0)


def worst(frames: list[tuple[float, bytes]], full: int = 255) -> int:
    """The most flashes in any second: of any LED or of the whole, of luminance or of saturated red."""
    times = [t for t, _ in frames]
    count, result, sums = len(frames[0][1]) // 3, 0, [0.0] * len(frames)
    for led in range(count):
        colours = [tuple(frame[3 * led : 3 * led + 3]) for _, frame in frames]
        bright = [(0.2126 * r + 0.7152 * g + 0.0722 * b) for r, g, b in colours]
        red = [float(max(0, r - g - b)) for r, g, b in colours]
        sums = [a + b for a, b in zip(sums, bright, strict=True)]
        # A rise of exactly the limit may round away in whole numbers: one level of grace.
        result = max(
            result, most_flashes(bright, times, 0.1 * full + 1), most_flashes(red, times, full / 16 + 1)
        )
    return max(result, most_flashes([s / count for s in sums], times, 0.1 * full + 1))


def test_the_analyser_counts_flashes():
    times = [i / 60 for i in range(120)]
    assert worst([(t, bytes((255, 255, 255) if int(t * 10) % 2 else (0, 0, 0))) for t in times]) == 5
    assert worst([(t, bytes((60, 0, 0) if int(t * 10) % 2 else (0, 0, 0))) for t in times]) == 5
    assert worst([(t, bytes((10, 10, 10) if int(t * 10) % 2 else (0, 0, 0))) for t in times]) == 0
    assert worst([(t, bytes((255, 255, 255) if int(t * 2) % 2 else (0, 0, 0))) for t in times]) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("theme", "meaning"), list(product(THEMES, MEANINGS)))
def test_no_effect_flashes_more_than_three_times_a_second_by_itself(theme, meaning):
    look = LightStyle(theme, 1.0)
    for tint in ("", "red", "white"):
        scene = Scene(tuple(Glow(cell, meaning, tint, cell) for cell in range(9)))
        frames = [(i / 60, render(scene, LEDS, i / 60, look)) for i in range(360)]
        assert worst(frames) <= 3, tint


def storm(rng: Random, seconds: float, fps: int = 60):
    """Scenes that change at any moment, some many times a second."""
    scene, t, until = Scene(), 0.0, 0.0
    while t < seconds:
        if t >= until:
            until = t + rng.choice((0.02, 0.05, 0.1, 0.3, 1.0))
            cells = rng.sample(range(9), rng.randrange(10))
            glows = [Glow(c, rng.choice(MEANINGS), rng.choice(TINTS), rng.randrange(6)) for c in cells]
            scene = Scene(tuple(glows), rng.choice(MOODS))
        yield t, scene
        t += 1 / fps


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_storms_of_events_never_flash_nor_overload(seed):
    print("seed", seed)
    rng = Random(seed)
    led_map = ledmap.cells(BOARD, 1, order="RGB", supply_ma=rng.choice((60, 200, 9000)))
    look = LightStyle(rng.choice(sorted(THEMES)), rng.choice((0.3, 1.0)))
    guard = FlashGuard(led_map, look.full)
    frames = [(t, guard.calm(compose(s, led_map, t, look).frame, t)) for t, s in storm(rng, 12)]
    assert worst(frames, look.full) <= 3
    assert all(current_ma(frame, led_map) <= led_map.supplies_ma[0] for _, frame in frames)
    assert len({frame for _, frame in frames}) > 100


@pytest.mark.parametrize("kind", ["strobe", "red", "parts", "noise"])
def test_the_worst_requests_are_held_back(kind):
    rng = Random(kind)
    guard = FlashGuard(LEDS)
    wild, calm = [], []
    for i in range(360):
        t, on = i / 60, i % 6 < 3
        frame = {
            "strobe": bytes([255 * on] * 27),
            "red": bytes([255 * on, 0, 0] * 9),
            "parts": bytes(255 * ((i // 3 + led // 3) % 3 == 0) for led in range(27)),
            "noise": rng.randbytes(27),
        }[kind]
        wild.append((t, frame))
        calm.append((t, guard.calm(frame, t)))
    assert worst(wild) > 3
    assert worst(calm) <= 3
    assert all(
        a >= b
        for (_, one), (_, other) in zip(wild, calm, strict=True)
        for a, b in zip(one, other, strict=True)
    )


def test_light_that_does_not_flash_passes_unchanged():
    guard = FlashGuard(LEDS)
    scene = Scene(tuple(Glow(cell, "lit") for cell in range(9)))
    for i in range(300):
        frame = render(scene, LEDS, i / 60)
        assert guard.calm(frame, i / 60) == frame


def test_what_was_held_back_comes_when_the_second_is_over():
    guard, white, black = FlashGuard(LEDS), bytes([255] * 27), bytes(27)
    for i in range(30):
        guard.calm(white if i % 4 < 2 else black, i / 60)
    last = [guard.calm(white, 0.5 + i / 60) for i in range(61)]
    assert last[0] != white
    assert last[-1] == white


# The chip's own guard and cap: it gets frames that no host of ours would send ------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("order", "kind"), list(product(("GRB", "RGBW"), ("strobe", "red", "noise"))))
def test_the_chip_flashes_no_more_and_draws_no_more_whatever_it_is_sent(order, kind):
    rng, clock = Random(kind), FakeClock()
    desk = DeskChip(clock)
    budget_ma = 250
    chip = Chip(desk.open, ChipSettings(leds=9, order=order, budget_ma=budget_ma), clock)
    size, i = 9 * len(order), 0
    while clock.now() < 8:
        on, i = i % 6 < 3, i + 1
        red = [255 * on * (colour == "R") for colour in order] * 9
        chip.show({"strobe": bytes([255 * on] * size), "red": bytes(red), "noise": rng.randbytes(size)}[kind])
        clock.sleep(1 / 60)
    frames = list(desk.frames)
    assert all(9 * 1.0 + sum(frame) * 20 / 255 <= budget_ma for _, frame in frames)
    places = [order.index(colour) for colour in "RGB"]
    if order == "GRB":
        rgb = [(t, bytes(f[i + p] for i in range(0, size, 3) for p in places)) for t, f in frames]
        assert worst(rgb) <= 3
    else:  # the white LED counts as much as the three others
        white = [
            (
                t,
                bytes(
                    (sum(w * f[i + p] for w, p in zip((54, 183, 19), places, strict=True)) + 256 * f[i + 3])
                    >> 9
                    for i in range(0, size, 4)
                    for _ in range(3)
                ),
            )
            for t, f in frames
        ]
        assert worst(white) <= 3
    assert any(any(frame) for _, frame in frames)
