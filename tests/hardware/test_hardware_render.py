"""The renderer: every meaning is drawn, same input same bytes, the supply is never overloaded."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine.errors import ConfigError
from companion.engine.layout import Board, square_places
from companion.engine.scene import MEANINGS, MOODS, TINTS, Glow, Scene
from hardware import ledmap, render, wire
from hardware.chip import Chip, ChipSettings
from hardware.fakes import DeskChip, FakeClock, firmware
from hardware.ledmap import LedMap, StripSpec
from hardware.render import LightStyle, compose, current_ma, levels, linear, runs
from hardware.themes import DRAWN, THEMES

BOARD = Board("test", 420, 420, tuple(square_places(map(str, range(36)), 6, 70)), (), ())
ONE = ledmap.cells(BOARD, 1)
FOUR = ledmap.groups(BOARD, 2)

glows = st.builds(
    Glow,
    st.integers(0, 35),
    st.sampled_from(MEANINGS),
    st.sampled_from(TINTS),
    st.integers(0, 9),
    st.floats(0, 1),
)
scenes = st.builds(Scene, st.lists(glows, max_size=60).map(tuple), st.sampled_from(MOODS))
times = st.floats(0, 1000)
looks = st.builds(LightStyle, st.sampled_from(sorted(THEMES)), st.floats(0.05, 1))


@pytest.mark.parametrize("name", THEMES)
def test_every_theme_draws_every_meaning_tint_and_mood(name):
    theme = THEMES[name]
    assert set(theme.looks) == set(DRAWN) == set(MEANINGS)
    assert set(theme.tints) == set(TINTS) - {""}
    assert set(theme.moods) == set(MOODS) - {""}


@pytest.mark.parametrize(("theme", "meaning"), list(product(THEMES, MEANINGS)))
def test_a_meaning_lights_its_cell_and_no_other(theme, meaning):
    scene = Scene((Glow(7, meaning),))
    frames = [render.render(scene, ONE, t / 10, LightStyle(theme)) for t in range(20)]
    lit = {led for frame in frames for led in range(36) if any(frame[3 * led : 3 * led + 3])}
    assert lit == ledmap.reach(ONE, [7])


@given(scenes, times, looks)
@settings(max_examples=60, deadline=None)
def test_same_scene_and_time_give_the_same_bytes(scene, t, look):
    first = render.render(scene, FOUR, t, look)
    render._stack.cache_clear()
    render._entries.cache_clear()
    assert render.render(scene, FOUR, t, look) == first


@given(scenes, times, looks, st.integers(200, 4000))
@settings(max_examples=100, deadline=None)
@pytest.mark.slow
def test_current_never_exceeds_what_the_supply_gives(scene, t, look, supply_ma):
    led_map = ledmap.groups(BOARD, 2, supply_ma=supply_ma)
    picture = compose(scene, led_map, t, look)
    assert current_ma(picture.frame, led_map) <= supply_ma
    if picture.scale == 1.0:
        assert picture.asked_ma <= supply_ma + 0.01
        assert not picture.words()


def test_it_says_when_it_limits_and_by_how_much():
    white = Scene(tuple(Glow(cell, "turn", "white") for cell in range(36)))
    picture = max(
        (compose(white, ONE, t, LightStyle(brightness=1.0)) for t in range(5)), key=lambda p: p.asked_ma
    )
    assert 1900 < picture.asked_ma < 2200  # 36 white LEDs: 36 × 61 mA
    tight = ledmap.cells(BOARD, 1, supply_ma=500)
    limited = max(
        (compose(white, tight, t, LightStyle(brightness=1.0)) for t in range(5)), key=lambda p: p.asked_ma
    )
    assert limited.scale == pytest.approx((500 - 36) / (limited.asked_ma - 36), abs=0.01)
    assert limited.words() == f"Lights held to {limited.scale:.0%}: the scene asks for 2.2 A."


def test_each_supply_is_limited_by_itself():
    weak, strong = ledmap.cells(BOARD, 1, supply_ma=300), ledmap.around(BOARD, supply_ma=9000)
    both = ledmap.joined(weak, strong)
    white = Scene(tuple(Glow(cell, "turn", "white") for cell in range(36)))
    frame = compose(white, both, 2.0, LightStyle(brightness=1.0)).frame
    assert 280 < current_ma(frame, both, 0) <= 300
    assert current_ma(frame, both, 1) > 2000


@pytest.mark.parametrize("rhythm", range(6))
def test_host_and_chip_play_the_same_rhythms(rhythm):
    (effects,) = firmware("effects")
    phases = np.arange(256)
    for ms in range(0, 300_000, 7919):
        expected = [effects.level(rhythm, phase, ms) for phase in range(256)]
        assert levels(rhythm, phases, ms & 0x3FFFF).tolist() == expected


def test_the_chip_animates_a_scene_as_the_host_would():
    # one layer, so the chip's picture is the whole one
    scene = Scene((Glow(0, "lit"), Glow(1, "path", order=3), Glow(2, "choose"), Glow(9, "wrong")))
    clock, look = FakeClock(), LightStyle(brightness=1.0)
    desk = DeskChip(clock)
    chip = Chip(desk.open, ChipSettings(leds=36, budget_ma=9000), clock)
    led_map = ledmap.cells(BOARD, 1, supply_ma=9000)
    while clock.now() < 2.0:
        chip.play(runs(scene, led_map, look))
        clock.sleep(0.01)
    time, frame = desk.frames[-1]
    host = np.frombuffer(render.render(scene, led_map, time, look), np.uint8).astype(int)
    assert np.abs(host - np.frombuffer(frame, np.uint8)).max() <= 4


def test_a_candle_lives_and_no_two_flicker_alike():
    scene = Scene((Glow(0, "lit"), Glow(1, "lit")))
    frames = np.array([list(render.render(scene, ONE, t / 30)) for t in range(90)])
    first, second = frames[:, 1], frames[:, 4]  # red of the first two LEDs
    assert np.ptp(first) > 0.2 * first.max()
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.9


def test_an_attack_runs_along_its_path():
    scene = Scene(tuple(Glow(cell, "attack", order=cell) for cell in range(5)))
    peaks = []
    for t in range(160):
        frame = render.render(scene, ONE, t / 100)
        reds = [frame[3 * led + 1] for led in range(5)]
        if max(reds) > 1.4 * min(reds):
            peaks.append(int(np.argmax(reds)))
    assert [p for i, p in enumerate(peaks) if not i or p != peaks[i - 1]][-5:] == [0, 1, 2, 3, 4]


def test_higher_layers_cover_lower_ones_whatever_the_order():
    below, above = Glow(3, "lit"), Glow(3, "wrong")
    assert render.render(Scene((below, above)), ONE, 0.5) == render.render(Scene((above, below)), ONE, 0.5)
    assert render.render(Scene((above,)), ONE, 0.5) == render.render(Scene((below, above)), ONE, 0.5)


def test_within_a_layer_the_later_glow_lies_above():
    red, blue = Glow(3, "lit", "red"), Glow(3, "lit", "blue")
    assert render.render(Scene((red, blue)), ONE, 0.5) == render.render(Scene((blue,)), ONE, 0.5)


def test_level_makes_a_glow_stronger():
    weak = sum(render.render(Scene((Glow(0, "lit", level=0.2),)), ONE, 0))
    assert weak < 0.6 * sum(render.render(Scene((Glow(0, "lit"),)), ONE, 0))


def test_a_bar_lights_half_of_the_leds_of_a_cell():
    frame = render.render(Scene((Glow(0, "legal"),)), FOUR, 0.5)
    assert [any(frame[3 * i : 3 * i + 3]) for i in range(4)] == [True, True, False, False]


# Colour-blind safety ------------------------------------------------------------------------------

# How eyes without one kind of cone mix linear red, green and blue (Machado, Oliveira, Fernandes 2009).
BLIND = {
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(colour: str, blindness: str) -> np.ndarray:
    """The colour as such eyes see it, in CIELAB."""
    seen = np.clip(np.array(BLIND[blindness]) @ linear(colour), 0, 1)
    xyz = XYZ @ seen / (XYZ @ np.ones(3))
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


SAFE = [("red-green-safe", "protan"), ("red-green-safe", "deutan"), ("blue-yellow-safe", "tritan")]


@pytest.mark.parametrize(("theme", "blindness"), SAFE)
def test_colour_blind_eyes_tell_meanings_apart_by_colour_or_rhythm(theme, blindness):
    looks = THEMES[theme].looks
    for (one, (colour, rhythm)), (other, (colour2, rhythm2)) in combinations(looks.items(), 2):
        distance = np.linalg.norm(lab(colour, blindness) - lab(colour2, blindness))
        assert rhythm != rhythm2 or distance >= 15, (one, other, distance)


@pytest.mark.parametrize(("theme", "blindness"), SAFE)
def test_colour_blind_eyes_tell_players_apart(theme, blindness):
    for (one, colour), (other, colour2) in combinations(THEMES[theme].tints.items(), 2):
        distance = np.linalg.norm(lab(colour, blindness) - lab(colour2, blindness))
        assert distance >= 15, (one, other, distance)


def test_calm_has_nothing_faster_than_a_breath():
    assert {rhythm for _, rhythm in THEMES["calm"].looks.values()} <= {
        wire.STEADY,
        wire.FLICKER,
        wire.BREATHE,
    }


# Maps -----------------------------------------------------------------------------------------------


def test_a_serpentine_turns_at_every_row():
    cells = [led.cells[0][0] for led in ONE.leds]
    assert cells[:6] == [0, 1, 2, 3, 4, 5]
    assert cells[6:12] == [11, 10, 9, 8, 7, 6]
    steps = [np.hypot(a.x - b.x, a.y - b.y) for a, b in zip(ONE.leds, ONE.leds[1:], strict=False)]
    assert set(steps) == {70.0}


def test_a_group_fills_its_cell_before_the_next():
    assert [led.cells[0][0] for led in FOUR.leds[:12]] == [0] * 4 + [1] * 4 + [2] * 4


def test_a_strip_around_the_board_shows_every_cell():
    frame = ledmap.around(BOARD)
    assert all(ledmap.reach(frame, [cell]) for cell in range(36))
    corner, far = Scene((Glow(0, "place"),)), Scene((Glow(14, "place"),))
    first = render.render(corner, frame, 0)
    assert sum(first[:9]) > sum(render.render(far, frame, 0)[:9])


def test_bytes_come_in_the_order_of_each_strip():
    leds = tuple(ledmap.Led(0, 0, ((i, 1.0),)) for i in range(3))
    led_map = LedMap(leds, (StripSpec(1, "RGB"), StripSpec(1, "BGR"), StripSpec(1, "GRBW")))
    scene = Scene(tuple(Glow(i, "attack", order=0) for i in range(3)))
    frame = render.render(scene, led_map, 0.1, LightStyle(brightness=1.0))
    red, green, blue = frame[:3]
    white = min(red, green, blue)
    assert red > green
    assert frame[3:6] == bytes((blue, green, red))
    assert frame[6:] == pytest.approx((green - white, red - white, blue - white, white), abs=1)


@given(st.sampled_from(["cells", "groups", "around"]), st.sampled_from(ledmap.ORDERS), st.integers(300, 5000))
@settings(max_examples=20, deadline=None)
def test_a_map_survives_its_file(tmp_path_factory, builder, order, supply_ma):
    led_map = getattr(ledmap, builder)(BOARD, supply_ma=supply_ma, order=order)
    path = tmp_path_factory.mktemp("map") / "leds.json"
    ledmap.save(led_map, path)
    again = ledmap.load(path)
    assert again.json() == led_map.json()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"strips": [{"count": 35}]}, "the strips have 35 LEDs, the map lists 36"),
        ({"strips": [{"count": 36, "order": "GXB"}]}, "order 'GXB' is none of"),
        ({"strips": [{"count": 36, "kind": "WS9"}]}, "kind 'WS9' is none of"),
        ({"strips": [{"count": 36, "supply": 3}]}, "supply 3"),
        ({"supplies_ma": [30]}, "supply 0 gives 30 mA, but its LEDs draw 36 mA when dark"),
        ({"leds": [{}]}, "'mm'"),
    ],
)
def test_a_wrong_map_is_named(change, words):
    with pytest.raises(ConfigError, match=words):
        LedMap.from_json({**ONE.json(), **change})
