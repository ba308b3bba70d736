"""More frames than before, and no marker mistaken for another because of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, combinations, islice
from random import Random

import cv2
import numpy as np
import pytest

from companion.engine.errors import DeviceError
from companion.engine.layout import MARKERS, Piece, frame
from companion.games import load, load_art
from companion.world.physical import World
from vision.find import find
from vision.marker import DICTIONARY
from vision.virtual import VirtualCamera

BEFORE = 6 * MARKERS
"""Markers of the frames that were printed with the smaller dictionary."""


def table(number: int) -> tuple[World, VirtualCamera]:
    """Onirim's mat in another frame, with some cards on it."""
    game = load("onirim")
    mat = game.board(game.resolve({}))
    world = World(replace(mat, name="new", markers=frame(number, mat.width, mat.height)))
    for cell in range(0, 18, 3):
        world.lay(cell, Piece("Bs"), Random(cell))
    return world, VirtualCamera(world, load_art("onirim").draw, level=1)


@pytest.mark.parametrize("number", [7, 16, 30])
def test_a_seventh_frame_and_more_are_found(number: int) -> None:
    world, camera = table(number)
    pose = find(camera(), world.board)
    corners = [[0, 0], [world.board.width, world.board.height]]
    assert len(pose.markers) == MARKERS
    assert np.abs(pose.pixels(corners) - camera.eye.pixels(corners)).max() < 4


def test_a_frame_that_no_game_on_the_shelf_has_is_nobodys() -> None:
    _, camera = table(29)
    game = load("night_cage")
    with pytest.raises(DeviceError, match="No board in the picture"):
        find(camera(), game.board(game.resolve({})))


def identified(dictionary: cv2.aruco.Dictionary, bits: np.ndarray) -> int:
    """The printed marker that a pattern is taken for, corrected as far as patient searches correct; or -1."""
    found, marker, _ = dictionary.identify(bits, 1.0)
    return int(marker) if found and marker < BEFORE else -1


def near(marker: int, flips: int) -> Iterator[np.ndarray]:
    """The cells of a marker with some of them misread."""
    drawn = cv2.aruco.generateImageMarker(DICTIONARY, marker, 6)[1:5, 1:5] // 255
    for cells in combinations(range(16), flips):
        bits = drawn.copy()
        bits.flat[list(cells)] ^= 1
        yield bits


def test_no_pattern_is_taken_for_a_printed_marker_that_was_not_before() -> None:
    """One misread cell is corrected, so only patterns next to a marker can be taken for it."""
    small = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for marker in range(BEFORE):
        for bits in chain(near(marker, 0), near(marker, 1)):
            assert identified(small, bits) == identified(DICTIONARY, bits) == marker
        for bits in islice(near(marker, 2), marker % 7, None, 7):
            assert identified(small, bits) == identified(DICTIONARY, bits) == -1
