"""The painter is honest: it paints what it says, where it says, and the same for the same seed."""

import cv2
import numpy as np
import pytest

from companion.engine.layout import Face, Piece
from vision.lab.paint import LEVELS, Painter, board_of, contrast, distinct
from vision.lab.paint_art import FAMILIES, HELD_OUT, TRAINING, Style

FACES = [Face(f"t{i}", "tile", 46, 46, 4) for i in range(4)] + [Face("pawn_red", "pawn", 17, 17)]


def photograph(level: int, seed: int = 5, **more):
    painter = Painter(board_of(FACES), Style(seed, "icons"), range(4))
    return painter.photograph(
        {0: (Piece("t1", 90), Piece("pawn_red"))}, level, np.random.default_rng(3), **more
    )


def test_the_same_seed_paints_the_same_picture():
    assert np.array_equal(photograph(2).image, photograph(2).image)


@pytest.mark.parametrize("level", range(len(LEVELS) - 2))
def test_markers_are_where_the_camera_says(level):
    painted = photograph(level)
    book = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(book).detectMarkers(painted.image)
    markers = {marker.id: marker for marker in board_of(FACES).markers}
    assert len(ids) >= 4
    for seen, number in zip(corners, ids.ravel(), strict=True):
        true = painted.camera.pixels(markers[int(number)].corners())
        assert np.abs(seen[0] - true).max() < 3.0


def test_more_damage_makes_a_darker_noisier_picture():
    neat, dark = photograph(0).image, photograph(3).image
    assert dark.mean() < neat.mean()


def test_what_stands_is_marked_as_covered():
    painted = photograph(0)
    x, y = painted.camera.pixels([(25.0, 25.0)])[0].astype(int)
    assert painted.covered[y, x] == 255
    assert painted.covered.mean() < 10


def test_a_hand_covers_part_of_the_board():
    assert photograph(1, hand=True).covered.mean() > 2 * photograph(1).covered.mean()


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_faces_that_are_picked_can_be_told_apart_in_every_turn(family):
    style = Style(11, family)
    arts = [
        cv2.resize(style.art(i), (24, 24), interpolation=cv2.INTER_AREA).astype(np.float32)
        for i in distinct(style, 4, [4] * 4)
    ]
    turned = [np.rot90(art, k) for art in arts for k in range(4)]
    assert all(contrast(a, b) > 1 for i, a in enumerate(turned) for b in turned[:i])


def test_training_never_sees_the_held_out_families():
    assert not set(HELD_OUT) & set(TRAINING)
