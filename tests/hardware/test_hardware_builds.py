"""Builds that let light out between opaque pieces: spread boards, their LED maps, bars that take turns."""

from __future__ import annotations

import numpy as np
import pytest

from companion.engine.errors import ConfigError
from companion.engine.layout import Board, built
from companion.engine.scene import MEANINGS, Glow, Scene
from companion.games import REGISTRY, load
from hardware import ledmap
from hardware.guard import Channels
from hardware.ledmap import BUILDS, LedMap
from hardware.render import TURN_S, LightStyle, compose, current_ma, render
from hardware.themes import BAR_DRAWN, THEMES
from hardware.wiring import LightSettings, led_map_for


def board(key: str = "night_cage", build: str = "rails", **options: int) -> Board:
    game = load(key)
    return built(game.board(game.resolve(options)), build)


RAILS = ledmap.rails(board(), supply_ma=9000)


def lit(led_map: LedMap, *glows: Glow, turn: int = 0, mood: str = "") -> dict[int, tuple[int, ...]]:
    """The colour of each LED that is lit, in the middle of a turn."""
    frame = render(Scene(glows, mood), led_map, (turn + 0.5) * TURN_S, LightStyle(brightness=1.0))
    colours = np.frombuffer(frame, np.uint8)[Channels.of(led_map).rgb]
    return {i: tuple(map(int, colour)) for i, colour in enumerate(colours) if colour.any()}


def bar(led_map: LedMap, cell: int) -> list[int]:
    """The LEDs of a place from the left."""
    leds = [(led.dx, i) for i, led in enumerate(led_map.leds) if any(own == cell for own, _ in led.cells)]
    return [i for _, i in sorted(leds)]


@pytest.mark.parametrize(
    ("key", "players", "count"),
    [("night_cage", 4, 132), ("night_cage", 5, 182), ("onirim", 1, 114), ("onirim", 2, 190)],
)
def test_rails_have_as_many_leds_as_a_strip_of_sixty_a_metre(key: str, players: int, count: int) -> None:
    assert len(ledmap.rails(board(key, players=players)).leds) == count


@pytest.mark.parametrize(("players", "count"), [(4, 144), (5, 196)])
def test_a_halo_has_four_leds_around_each_tile(players: int, count: int) -> None:
    led_map = ledmap.halo(board(build="halo", players=players))
    assert len(led_map.leds) == count
    assert all(len(bar(led_map, cell)) == 4 for cell in range(count // 4))


@pytest.mark.parametrize("build", ["rails", "halo"])
@pytest.mark.parametrize("players", [4, 5])
def test_no_lane_lies_below_a_place_or_another_lane(build: str, players: int) -> None:
    laid = board(build=build, players=players)
    boxes = [(one.x, one.y, one.width, one.height) for one in (*laid.places, *laid.lanes)]
    for i, (x, y, width, height) in enumerate(boxes[len(laid.places) :]):
        for j, (left, top, wide, high) in enumerate(boxes):
            apart = max(abs(x - left) - (width + wide) / 2, abs(y - top) - (height + high) / 2)
            assert apart > -0.01 or j == i + len(laid.places)
        assert x - width / 2 >= 0 and x + width / 2 <= laid.width and y + height / 2 <= laid.height


def test_a_spread_board_keeps_its_places_in_order_and_has_a_frame_of_its_own() -> None:
    game = load("night_cage")
    flat = game.board(game.resolve({}))
    for build in ("rails", "halo"):
        laid = built(flat, build)
        assert [place.name for place in laid.places] == [place.name for place in flat.places]
        assert laid.frame not in {number for key in REGISTRY for number in load(key).frames().values()}
        assert laid.key != flat.key and built(laid, build) is laid


def test_the_description_of_a_board_keeps_its_keys() -> None:
    usual = ["board", "size_mm", "cells", "markers", "faces"]
    assert list(board(build="flat").json()) == usual
    assert list(board().json()) == [*usual, "lanes"]


def test_a_board_that_cannot_be_spread_is_refused_in_words() -> None:
    with pytest.raises(ConfigError, match='"projector" or "around"'):
        board("whisper", "rails")


def test_one_set_of_rails_serves_several_games() -> None:
    small, large, mat = (
        ledmap.rails(laid, profile=26) for laid in (board(), board(players=5), board("onirim"))
    )
    assert [len(one.leds) for one in (small, large, mat)] == [6 * 26, 7 * 26, 3 * 52]
    assert [len(one.used()) for one in (small, large, mat)] == [132, 182, 114]
    # A shorter row lies in the middle of its rail, so that no end reaches far beyond the tiles.
    assert small.used()[:22] == tuple(range(2, 24)) and small.used()[22] == 26 + 2
    assert not lit(small, *(Glow(cell, "lit") for cell in range(36))).keys() - set(small.used())


@pytest.mark.parametrize("name", BUILDS)
def test_every_build_says_what_it_shows_and_survives_its_file(name: str) -> None:
    led_map = led_map_for(LightSettings(map=name, supply_ma=9000), board(build=name))
    again = LedMap.from_json(led_map.json())
    assert again.build == led_map.build and again.meanings == led_map.meanings
    assert [led[2:] for led in again.leds] == [led[2:] for led in led_map.leds]
    assert led_map.meanings <= set(MEANINGS) and (len(led_map.meanings) < len(MEANINGS)) == (name == "around")


def test_a_map_of_an_older_file_lies_below_the_cells() -> None:
    told = ledmap.cells(board(build="flat")).json()
    del told["build"]
    for led in told["leds"]:
        del led["size"]
    assert LedMap.from_json(told).way == "under"


@pytest.mark.parametrize("meaning", MEANINGS)
def test_a_bar_shows_every_meaning_at_its_own_place_alone(meaning: str) -> None:
    assert set(BAR_DRAWN) == set(MEANINGS)
    shown = lit(RAILS, Glow(14, meaning))
    assert shown and set(shown) <= set(bar(RAILS, 14))


def test_a_candle_fills_its_bar_and_leaves_the_ends_to_what_comes() -> None:
    leds = bar(RAILS, 14)
    candle = Glow(14, "lit", "blue")
    assert sorted(lit(RAILS, candle)) == sorted(leds)
    threatened = lit(RAILS, candle, Glow(14, "threat"))
    assert sorted(threatened) == sorted(leds[:-1]), "what comes is at the left end, the right end is free"
    assert threatened[leds[1]] == lit(RAILS, candle)[leds[1]]
    red, green, blue = threatened[leds[0]]
    assert red > 10 * max(green, blue, 1)


def test_things_at_one_place_take_turns_and_none_is_hidden() -> None:
    middle = bar(RAILS, 14)[1]
    candles = [Glow(14, "lit", tint) for tint in ("red", "blue", "green")]
    seen = [lit(RAILS, *candles, turn=turn)[middle] for turn in range(6)]
    assert [colour.index(max(colour)) for colour in seen] == [0, 2, 1, 0, 2, 1]
    signals = [Glow(14, meaning) for meaning in ("fading", "threat", "legal", "turn", "attack")]
    left, right = bar(RAILS, 14)[0], bar(RAILS, 14)[-1]
    ends = [
        (left in shown, right in shown)
        for shown in (lit(RAILS, *candles, *signals, turn=turn) for turn in range(5))
    ]
    assert ends == [(True, False), (True, False), (False, True), (False, True), (True, True)]


def test_a_path_jumps_rows_and_runs_along_its_order() -> None:
    way = [2, 8, 14, 15]
    glows = [Glow(cell, "attack", order=order) for order, cell in enumerate(way)]
    assert {RAILS.leds[i].cells[0][0] for i in lit(RAILS, *glows)} == set(way)
    peak = {}
    for step in range(60):
        frame = render(Scene(tuple(glows)), RAILS, step / 60 * 1.6, LightStyle(brightness=1.0))
        for cell in way:
            level = frame[3 * bar(RAILS, cell)[0] + 1]
            peak.setdefault(cell, []).append(level)
    firsts = [levels.index(max(levels)) for levels in peak.values()]
    assert sorted(firsts) == firsts and len(set(firsts)) == len(way)


def test_a_strip_around_says_one_thing_at_a_time() -> None:
    led_map = ledmap.around(board(build="flat"), supply_ma=9000)
    crowd = [Glow(cell, "lit", "red") for cell in range(12)] + [Glow(3, "threat"), Glow(20, "attack")]
    assert not lit(led_map, *crowd), "what it cannot say it does not show"
    wrong = lit(led_map, *crowd, Glow(14, "wrong"), Glow(5, "place"))
    assert wrong == lit(led_map, Glow(14, "wrong"))
    two = [lit(led_map, Glow(14, "place"), Glow(5, "place"), turn=turn) for turn in (0, 1)]
    assert two == [lit(led_map, Glow(cell, "place"), turn=turn) for turn, cell in enumerate((14, 5))]


@pytest.mark.parametrize("players", [4, 5])
def test_rails_stay_within_what_the_supply_gives(players: int) -> None:
    led_map = ledmap.rails(board(players=players), supply_ma=2400)
    white = Scene(tuple(Glow(cell, "turn", "white") for cell in range(len(led_map.leds))))
    picture = compose(white, led_map, 2.0, LightStyle(brightness=1.0))
    assert current_ma(picture.frame, led_map) <= 2400
    candles = Scene(tuple(Glow(cell, "lit") for cell in range(0, 36, 2)))
    assert compose(candles, led_map, 2.0, LightStyle(brightness=0.2)).asked_ma < 1000


@pytest.mark.parametrize("key", REGISTRY)
def test_no_supply_holds_a_projector_back(key: str) -> None:
    led_map = led_map_for(LightSettings(map="projector"), board(key, build="projector"))
    white = Scene(tuple(Glow(cell, "turn", "white") for cell in range(len(led_map.leds) // 3)))
    assert compose(white, led_map, 2.0, LightStyle(brightness=1.0)).scale == 1.0


def test_a_screen_below_glass_draws_between_the_rows_and_below_no_piece() -> None:
    laid = board(build="glass")
    assert (laid.name, laid.markers, laid.places) == (board().name, board().markers, board().places)
    led_map = led_map_for(LightSettings(map="glass"), laid)
    assert [len(bar(led_map, cell)) for cell in range(36)] == [3] * 36
    for led in led_map.leds:
        for place in laid.places:
            apart = (
                abs(led.x - place.x) - (led.width + place.width) / 2,
                abs(led.y - place.y) - 0.5 * (led.height + place.height),
            )
            assert max(apart) > -0.01, place.name
    candle = lit(led_map, Glow(14, "lit", "blue"), Glow(14, "threat"))
    assert set(candle) == set(bar(led_map, 14)[:2])


@pytest.mark.parametrize("theme", THEMES)
def test_every_theme_draws_bars(theme: str) -> None:
    scene = Scene((Glow(0, "lit", "red"), Glow(1, "wrong"), Glow(2, "place")))
    assert any(render(scene, RAILS, 0.9, LightStyle(theme)))
