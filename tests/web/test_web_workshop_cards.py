"""Marker cards and the owner's own board on the workbench: measured once, checked, kept, used by games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest

from companion.engine.errors import ConfigError, DeviceError
from companion.engine.layout import Board
from companion.engine.parts import seated
from companion.games import load
from companion.service.calibration_files import as_measured, finder_for, keep_parts, kept_table
from companion.service.workshop import Workshop
from companion.settings.config import CameraSettings, open_config
from companion.world.physical import strewn
from hardware.clock import SystemClock
from hardware.wiring import SCHEMA

FEW = '[lights]\nmap = "around"\npitch_mm = 150.0\n'


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    """A bench with cards on it that were measured."""
    folder = tmp_path_factory.mktemp("bench")
    (folder / "gloam.toml").write_text(FEW)
    bench = Workshop(open_config(folder / "gloam.toml", SCHEMA), folder, SystemClock())
    bench.open("night_cage")
    bench.lay_cards()
    yield bench
    bench.close()


def test_cards_on_the_table_are_no_frame_to_measure_the_lens_by(tmp_path: Path) -> None:
    (tmp_path / "gloam.toml").write_text(FEW)
    bench = Workshop(open_config(tmp_path / "gloam.toml", SCHEMA), tmp_path, SystemClock())
    bench.open("onirim")
    bench.lay_cards()
    view = bench.take_view()
    bench.close()
    assert (view["taken"], view["detail"][:29]) == (False, "Fewer than five markers are i")


def truth(bench: Workshop, points: list[tuple[float, float]]) -> np.ndarray:
    camera = bench._open().virtual
    assert camera is not None
    return camera.eye.pixels(points)


def rim(board: Board) -> list[tuple[float, float]]:
    wide, high = board.sheet_mm
    return [(0, 0), (wide, 0), (wide, high), (0, high)]


def test_from_cards_on_the_table_to_a_board_that_is_found_by_them(bench: Workshop) -> None:
    bench.picture()
    sight = bench.sight()
    assert not sight["found"] and {card["number"] for card in sight["cards"]} == set(range(1, 9))
    assert bench.survey()["cards"] == list(range(1, 9))
    board = bench._open().board
    assert board.sheet_mm == (508, 508)  # the strip beside it is table
    found = bench.measure_board(np.round(truth(bench, rim(board))).tolist())
    assert abs(found["width"] - 508) <= 2 and abs(found["height"] - 508) <= 2
    bench.picture()
    sight = bench.sight()
    assert sight["found"] and sight["by_cards"] and sight["strayed"] == []
    outlines, pose = np.array(sight["places"]), bench._sight.pose
    middles = truth(bench, [(place.x, place.y) for place in board.places])
    assert np.linalg.norm(outlines.mean(axis=1) - middles, axis=1).max() / pose.scale() < 1.5


def test_games_find_the_board_as_it_was_measured(bench: Workshop) -> None:
    game = load("night_cage")
    board = as_measured(bench.folder, game.board(game.resolve({})))
    table = kept_table(bench.folder)
    assert table is not None and table.has(board) and len(board.markers) == 16
    finder = finder_for(bench.folder, board, CameraSettings())
    assert finder.lens == table.lens
    other = as_measured(bench.folder, game.board(game.resolve({"players": 5})))
    assert len(other.markers) == 8  # measured once per board: the larger one still has its frame


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ([(0, 0), (584, 0), (584, 508), (0, 508)], "measures 58. × 50. mm.*has 508 × 508"),
        ([(60, 60), (440, 60), (440, 440), (60, 440)], "measures 38. × 38. mm"),
        ([(0, 0), (508, 0), (560, 508), (52, 508)], "not square"),
        ([(0, 0), (0, 508), (508, 508), (508, 0)], "clockwise"),
    ],
)
def test_a_wrong_board_is_said_not_believed(
    bench: Workshop, points: list[tuple[float, float]], words: str
) -> None:
    before = kept_table(bench.folder)
    with pytest.raises(ConfigError, match=words):
        bench.measure_board(truth(bench, points).tolist())
    assert kept_table(bench.folder) == before


def test_a_grid_with_other_gaps_and_a_room_elsewhere_are_kept(bench: Workshop) -> None:
    bench.picture()
    field = [place for place in bench._open().nominal.places if place.zone == "field"]
    left, right = (min(p.x for p in field) - 36.0, max(p.x for p in field) + 36.0)
    bench.measure_zone(
        "field", truth(bench, [(left, left), (right, left), (right, right), (left, right)]).tolist()
    )
    bench.picture()
    board = bench._open().board
    pitch = board.places[1].x - board.places[0].x
    assert pitch == pytest.approx(63.5 * (right - left) / (6 * 63.5), abs=0.7)
    ((x, y),) = truth(bench, [(530.0, 40.0)])
    bench.measure_place("drawn", float(x), float(y))
    bench.picture()
    place = bench._open().board.places[board.cell("drawn")]
    assert (place.x, place.y) == pytest.approx((530, 40), abs=1.5)
    with pytest.raises(ConfigError, match="no place"):
        bench.measure_place("cellar", 1, 1)
    with pytest.raises(ConfigError, match="is no grid"):
        bench.measure_zone("cellar", [[0, 0]] * 4)


def test_boards_lie_where_they_were_found_last(tmp_path: Path) -> None:
    game = load("bad_bones")
    three, four = (game.board(game.resolve({"players": players})) for players in (3, 4))
    assert as_measured(tmp_path, three) == seated(three)
    laid = strewn(three, Random(1))
    keep_parts(tmp_path, laid)
    again = as_measured(tmp_path, three)
    assert [part.at for part in again.parts] == [pytest.approx(part.at, abs=0.01) for part in laid.parts]
    assert as_measured(tmp_path, four) == seated(four)


def test_frames_are_used_again_when_the_cards_are_forgotten(bench: Workshop) -> None:
    bench.forget_cards()
    bench.picture()
    assert bench.sight()["seen"] == 8 and not bench.sight()["by_cards"]
    with pytest.raises(DeviceError, match="measure the cards"):
        bench.measure_board([[0, 0], [9, 0], [9, 9], [0, 9]])
    with pytest.raises(DeviceError, match="0 of the marker cards"):
        bench.survey()
