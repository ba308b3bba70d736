"""Measuring a lens with the printed frame."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from vision_find_table import drawing, photograph, small_board, views_of_one_lens

from companion.engine.errors import ConfigError, DeviceError
from vision.calibrate import Calibration, read_lens
from vision.find import WORST_MM, find

BOARD = small_board()
PICTURE = drawing(BOARD, np.random.default_rng(2))
RIM = [(0, 0), (300, 0), (300, 300), (0, 300), (150, 150)]


@pytest.fixture(scope="module")
def views():
    return views_of_one_lens(BOARD, PICTURE, 8, seed=5, bend=-0.12)


@pytest.fixture(scope="module")
def measured(views):
    calibration = Calibration(BOARD)
    for photo in views[:7]:
        calibration.add(photo.image)
    return calibration.solve()


@pytest.mark.slow
def test_the_lens_is_measured_from_a_few_views(views, measured):
    lens, error = measured
    assert error < 0.5
    assert lens.fx == pytest.approx(views[0].lens.fx, rel=0.03)
    assert lens.distortion[0] == pytest.approx(-0.12, abs=0.04)


def test_a_measured_lens_makes_up_for_hidden_markers(views, measured):
    """Three markers of one side carry the whole board when the lens is known."""
    photo = views[7]
    image = photo.image.copy()
    for marker in BOARD.markers[3:]:
        cv2.fillConvexPoly(image, photo.truth(marker.corners()).astype(np.int32), (90, 120, 160))
    pose = find(image, BOARD, measured[0])
    away_mm = np.abs(pose.pixels(RIM) - photo.truth(RIM)).max() / pose.scale()
    assert away_mm < WORST_MM
    with pytest.raises(DeviceError, match="Only 3 of the 8 markers"):
        find(image, BOARD)


def test_the_same_view_twice_is_not_taken(views):
    calibration = Calibration(BOARD)
    photo = views[0]
    assert calibration.add(photo.image).taken
    advice = calibration.add(photo.image)
    assert not advice.taken and "like one before" in advice.text


def test_a_view_without_the_board_is_not_taken():
    advice = Calibration(BOARD).add(np.full((720, 1280, 3), 90, np.uint8))
    assert (advice.taken, advice.views) == (False, 0)
    assert "No board" in advice.text


def test_too_few_views_are_refused():
    with pytest.raises(DeviceError, match="more, each from another side"):
        Calibration(BOARD).solve()


def test_pictures_of_another_size_are_not_mixed(views):
    calibration = Calibration(BOARD)
    calibration.add(views[0].image)
    other = photograph(BOARD, 3, 1, (960, 720), picture=PICTURE)
    assert "another size" in calibration.add(other.image).text


@pytest.mark.parametrize("text", ["", "{}", '{"version": 2}', "[1]", '{"version": 1, "width": "x"}'])
def test_a_broken_lens_file_is_refused(text):
    with pytest.raises(ConfigError, match="no lens file"):
        read_lens(text)
