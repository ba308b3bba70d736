"""The workbench on the virtual table: what the workshop finds out is right, kept, and used by games."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest

from companion.engine.errors import ConfigError, DeviceError
from companion.games import REGISTRY, load
from companion.service.calibration_files import (
    finder_for,
    kept_corners,
    kept_switches,
    map_file,
    teach_file,
)
from companion.service.open_parts import NoPart
from companion.service.rig_service import RigService
from companion.service.workshop import Workshop
from companion.service.workshop_parts import is_convex, spot
from companion.settings.config import CameraSettings, open_config
from companion.table.journal import Journal
from companion.table.people import People
from companion.table.table import Table
from hardware.clock import SystemClock
from hardware.fakes import FakeClock
from hardware.ledmap import load as load_map
from hardware.showcase import painted
from hardware.wiring import SCHEMA
from vision.teach import FaceLibrary

FEW = '[lights]\nmap = "around"\npitch_mm = 150.0\n'
"""A strip of few LEDs, so that blinking is quick."""


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workshop]:
    (tmp_path / "gloam.toml").write_text(FEW)
    bench = Workshop(open_config(tmp_path / "gloam.toml", SCHEMA), tmp_path, SystemClock())
    bench.open("bad_bones")
    yield bench
    bench.close()


def test_the_board_is_found_in_the_picture(bench: Workshop) -> None:
    picture = cv2.imdecode(np.frombuffer(bench.picture(), np.uint8), cv2.IMREAD_COLOR)
    sight = bench.sight()
    assert picture.shape[1] == 960
    assert (sight["found"], sight["seen"], sight["by_hand"]) == (True, 8, False)
    assert sight["error_mm"] < 1


def test_corners_set_by_hand_hold_and_are_kept_for_games(bench: Workshop, tmp_path: Path) -> None:
    bench.picture()
    corners = [[300.0, 120.0], [900.0, 110.0], [930.0, 620.0], [280.0, 600.0]]
    bench.set_corners(corners)
    bench.picture()
    assert bench.sight()["by_hand"] and np.allclose(bench.sight()["corners"], corners, atol=1)
    board = bench._open().board
    assert kept_corners(tmp_path, board) == (corners, 1280, 720)
    finder = finder_for(tmp_path, board, CameraSettings())
    sight = finder.look(np.full((720, 1280, 3), 90, np.uint8))
    assert np.allclose(sight.pose.pixels([(0, 0)])[0], corners[0], atol=1)

    bench.forget_corners()
    bench.picture()
    assert not bench.sight()["by_hand"]
    assert kept_corners(tmp_path, board) is None


@pytest.mark.parametrize(
    "corners",
    [
        [[0, 0], [0, 9], [9, 9], [9, 0]],
        [[0, 0], [9, 9], [9, 0], [0, 9]],
        [[5, 5], [5, 5], [5, 5], [5, 5]],
        [[0, 0], [4, 4], [8, 8], [12, 12]],
        [[0, 0], [float("nan"), 0], [9, 9], [0, 9]],
    ],
    ids=["counter-clockwise", "crossed", "one point", "a line", "no number"],
)
def test_what_is_no_board_is_refused(corners: list[list[float]]) -> None:
    assert not is_convex(np.array(corners))
    assert is_convex(np.array([[0, 0], [9, 0], [9, 9], [0, 9]]))


def test_a_broken_file_of_corners_hinders_nothing(bench: Workshop, tmp_path: Path) -> None:
    (tmp_path / "corners.json").write_text("{")
    assert kept_corners(tmp_path, bench._open().board) is None


def test_the_lens_needs_different_views(bench: Workshop) -> None:
    first, again = bench.take_view(), bench.take_view()
    assert (first["taken"], first["views"], first["ready"]) == (True, 1, False)
    assert (again["taken"], again["views"]) == (False, 1)
    with pytest.raises(DeviceError):
        bench.measure_lens()


@pytest.mark.slow
def test_faces_are_taught_in_order_and_checked_on_the_spot(bench: Workshop, tmp_path: Path) -> None:
    face = bench.lesson()["next"]
    assert bench.photograph(face, 0) == []
    assert bench.photograph(face, 0) == []
    assert bench.photograph(face, 0) == []
    lesson = bench.lesson()
    assert next(one for one in lesson["faces"] if one["name"] == face)["taken"] == 3
    assert lesson["next"] != face
    assert bench.taken(face)[:2] == b"\xff\xd8"
    bench.drop(face)
    assert bench.lesson()["next"] == face
    problems = bench.finish_lesson()
    assert {problem.code for problem in problems} >= {"missing", "few"}
    assert list(FaceLibrary.load(teach_file(tmp_path, "bad_bones")).pictures) == [face]


@pytest.mark.slow
def test_a_lesson_goes_on_where_it_was(bench: Workshop, tmp_path: Path) -> None:
    first = bench.lesson()["next"]
    bench.photograph(first, 0)
    bench.close()
    bench.open("bad_bones")
    assert next(one for one in bench.lesson()["faces"] if one["name"] == first)["taken"] == 1
    bench.finish_lesson()

    later = Workshop(bench.config, tmp_path, SystemClock())
    later.open("bad_bones")
    second = later.lesson()["faces"][1]["name"]
    later.photograph(second, 0)
    later.finish_lesson()
    later.close()
    assert set(FaceLibrary.load(teach_file(tmp_path, "bad_bones")).pictures) == {first, second}


@pytest.mark.slow
def test_a_face_that_is_laid_otherwise_than_asked_is_noticed(bench: Workshop) -> None:
    lesson = bench.lesson()
    face = next(one["name"] for one in lesson["faces"] if one["turns"] == 4)
    bench.photograph(face, 0)
    bench.photograph(face, 0)
    # The virtual hand lays it as asked; this one is then noted wrongly.
    cut = bench._lesson.taken[face][-1]
    assert [problem.code for problem in bench._lesson.add(face, np.rot90(cut), 0)] == ["turned"]


def test_a_lost_camera_and_an_unknown_face_are_said_in_words(bench: Workshop) -> None:
    with pytest.raises(ConfigError, match="has no face 'dragonfly'"):
        bench.photograph("dragonfly", 0)
    bench._open().fault("unplugged", True)
    with pytest.raises(DeviceError, match="unplugged"):
        bench.photograph(bench.lesson()["next"], 0)


@pytest.mark.slow
def test_blinking_maps_every_led_and_names_the_dead_ones(bench: Workshop, tmp_path: Path) -> None:
    truth = bench._open().led_map.leds
    bench.blink(len(truth) + 2)
    bench._blinking.join(120)
    found = bench.lights()
    assert found["missing"] == [len(truth), len(truth) + 1]
    assert (found["trouble"], found["done"]) == ("", len(truth) + 2)
    for led, real in zip(found["leds"], truth, strict=False):
        # Light at the edge of the board shines brighter on the paler table beside it.
        assert np.hypot(led["x"] - real.x, led["y"] - real.y) < 16
    bench.keep_map()
    bench.open("bad_bones")
    kept = load_map(map_file(tmp_path, bench._open().board))
    assert bench._open().led_map.leds == kept.leds
    bench.open("onirim")
    assert bench._open().lights_words == "", "a board that was not mapped yet can be opened and mapped"


def test_patterns_show_their_colour_within_the_supply(bench: Workshop) -> None:
    led_map = bench._open().led_map
    for name, byte in (("green", 0), ("red", 1), ("blue", 2)):
        frame = np.frombuffer(painted(name, led_map, 0.0).frame, np.uint8).reshape(-1, 3)
        assert frame[:, byte].min() > 50 and np.delete(frame, byte, 1).max() == 0
    bench.show("white")
    bench._open().step()
    now = bench.test()
    assert 0 < now["current_ma"] <= now["supply_ma"] and now["lights"]
    with pytest.raises(ConfigError, match="no pattern"):
        bench.show("purple")


def test_each_button_is_seen(bench: Workshop) -> None:
    for name in ("end-turn", "undo", "next", "shutdown"):
        bench.press(name)
    bench._open().step()
    assert set(bench.test()["pressed"]) == {"end-turn", "undo", "next", "shutdown"}
    with pytest.raises(NoPart):
        bench.press("doorbell")


def test_switches_are_mapped_by_touch_and_games_use_the_map(bench: Workshop, tmp_path: Path) -> None:
    parts = bench._open()
    with suppress(NoPart):
        bench.touch("skip")
    bench.touch("start")
    wired = Random(5).sample(range(100), len(parts.board.places))
    for cell, number in enumerate(wired[:-1]):
        assert bench.switches()["next"] == cell
        parts._heard(number, True)
        parts._heard(number, False)
        parts._heard(wired[0], True)  # the magnet was left on the first place
        assert bench.switches()["again"] == wired[0]
    bench.touch("skip")
    now = bench.switches()
    assert now["fresh"] and now["skipped"] == [len(wired) - 1]
    bench.touch("keep")
    assert kept_switches(tmp_path, parts.board) == dict(zip(wired[:-1], range(100), strict=False))


def test_a_virtual_magnet_closes_the_switch_that_glows(bench: Workshop) -> None:
    bench.touch("start")
    bench.touch("put")
    until = time.monotonic() + 60
    while not bench.switches()["found"] and time.monotonic() < until:
        time.sleep(0.02)
    assert bench.switches()["found"] == {0: 0} and bench.test()["switches"] == [0]


def test_the_frame_to_print_is_a_pdf(bench: Workshop) -> None:
    assert bench.sheet("onirim", "", "ru")[:5] == b"%PDF-"


def test_nothing_is_done_without_a_board(tmp_path: Path) -> None:
    bench = Workshop(open_config(tmp_path / "gloam.toml", SCHEMA), tmp_path, SystemClock())
    with pytest.raises(NoPart, match="choose a game first"):
        bench.picture()


def test_a_bench_that_nobody_uses_lets_go(tmp_path: Path) -> None:
    clock = FakeClock()
    bench = Workshop(open_config(tmp_path / "gloam.toml", SCHEMA), tmp_path, clock)
    bench.open("onirim")
    thread = bench._thread
    clock.sleep(1000)
    thread.join(20)
    assert not thread.is_alive() and bench._bench is None


def test_a_game_that_starts_gets_the_parts_and_the_new_settings(tmp_path: Path) -> None:
    table = Table(Journal(tmp_path / "games.db"), People())
    config = open_config(tmp_path / "gloam.toml", SCHEMA)
    desk = RigService(table, config, tmp_path)
    bench = Workshop(config, tmp_path, SystemClock(), desk)
    bench.change({("lights", "brightness"): 0.3})
    assert desk.config.sections["lights"].brightness == 0.3
    bench.open("onirim")
    thread = bench._thread
    table.start("onirim", {}, seed=1)
    thread.join(20)
    assert not thread.is_alive() and bench._bench is None
    desk.close()
    table.session.close()
    table.journal.close()


def test_a_table_that_sleeps_shows_one_soft_dot_until_somebody_acts(tmp_path: Path) -> None:
    table = Table(Journal(tmp_path / "games.db"), People())
    clock = FakeClock()
    desk = RigService(table, open_config(tmp_path / "gloam.toml", SCHEMA), tmp_path, clock)
    session = table.start("onirim", {}, seed=1)
    desk.follow()

    def lit(seconds: int) -> int:
        for _ in range(seconds):
            clock.sleep(1)
            desk.shine()
        return np.count_nonzero(np.frombuffer(desk.sitting.parts.lights.frame, np.uint8))

    assert lit(1) > 3
    desk.lamps.sleep()
    assert 0 < lit(10) <= 3
    session.submit(0, session.actions(0)[0])
    assert lit(5) > 3
    desk.close()
    session.close()
    table.journal.close()


def test_a_camera_that_is_gone_is_said_and_comes_back(bench: Workshop) -> None:
    bench._open().fault("unplugged", True)
    with pytest.raises(DeviceError):
        bench.picture()
    assert "unplugged" in bench.sight()["trouble"] and not bench.sight()["found"]
    bench._open().fault("unplugged", False)
    until = time.monotonic() + 10
    while not bench.sight()["found"] and time.monotonic() < until:
        with suppress(DeviceError):  # it is tried again once a second, as a real one
            bench.picture()
        time.sleep(0.05)
    assert bench.sight()["found"]


def test_every_board_of_a_game_can_be_laid_on_the_bench(bench: Workshop) -> None:
    for key in REGISTRY:
        game = load(key)
        for name, given in bench.boards(key).items():
            assert game.board(game.resolve(given)).key == name
    other = list(bench.boards("bad_bones"))[1]
    bench.open("bad_bones", other)
    assert bench._open().board.key == other
    with pytest.raises(ConfigError, match="has no board 'chess'"):
        bench.open("bad_bones", "chess")


def test_pieces_are_photographed_where_they_fit(bench: Workshop) -> None:
    board = bench._open().board
    for face in board.faces:
        place = spot(board, face)
        assert place.width + 1 >= face.width and place.height + 1 >= face.height


def test_the_file_of_corners_can_be_read_by_people(bench: Workshop, tmp_path: Path) -> None:
    bench.picture()
    bench.set_corners([[300, 120], [900, 110], [930, 620], [280, 600]])
    kept = json.loads((tmp_path / "corners.json").read_text())
    assert kept[bench._open().board.key]["width"] == 1280
