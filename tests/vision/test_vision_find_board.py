"""Finding the board: by markers in good and bad light, in parts, turned, bumped, and not at all."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from vision_find_table import card_board, drawing, photograph, small_board

from companion.engine.errors import DeviceError
from companion.engine.layout import Place
from vision.find import Finder, find, pose_from_corners
from vision.rectify import crop, crops

BOARD = small_board()


def corners_of(board):
    return [
        (p.x + i * p.width / 2, p.y + j * p.height / 2)
        for p in board.places
        for i in (-1, 1)
        for j in (-1, 1)
    ]


def error_mm(pose, photo):
    points = corners_of(pose.board)
    return np.linalg.norm(pose.pixels(points) - photo.truth(points), axis=1).max() / pose.scale()


@pytest.mark.slow
@pytest.mark.parametrize(("level", "bound_mm"), [(0, 0.4), (1, 0.5), (2, 0.9), (3, 1.5)])
def test_every_place_is_found_without_a_calibrated_lens(level, bound_mm):
    for seed in range(3):
        photo = photograph(BOARD, 40 + seed, level)
        assert error_mm(find(photo.image, BOARD), photo) < bound_mm, f"seed {40 + seed}"


@pytest.mark.slow
def test_a_calibrated_lens_makes_it_better():
    photos = [photograph(BOARD, seed, 2, bend=-0.1) for seed in range(60, 64)]
    free = [error_mm(find(p.image, BOARD), p) for p in photos]
    calibrated = [error_mm(find(p.image, BOARD, p.lens), p) for p in photos]
    assert max(calibrated) < 0.4
    assert np.mean(calibrated) < np.mean(free)


@pytest.mark.slow
def test_the_expected_error_is_honest():
    ratios = []
    for seed in range(70, 78):
        photo = photograph(BOARD, seed, 2)
        pose = find(photo.image, BOARD)
        ratios.append(error_mm(pose, photo) / pose.error_mm)
    assert np.mean(ratios) < 1.2


@pytest.mark.slow
@pytest.mark.parametrize("roll", [90, 180, 270])
def test_a_turned_board_keeps_its_names(roll):
    photo = photograph(BOARD, 5, 1, roll=roll)
    pose = find(photo.image, BOARD)
    assert pose.turn() == roll
    assert error_mm(pose, photo) < 0.5


def test_pixels_and_millimetres_are_each_others_inverse():
    pose = find(photograph(BOARD, 6, 1).image, BOARD)
    points = np.array(corners_of(BOARD))
    assert np.abs(pose.millimetres(pose.pixels(points)) - points).max() < 0.01


def test_hidden_markers_leave_the_others():
    photo = photograph(BOARD, 7, 1)
    for marker in BOARD.markers[:4]:
        cv2.fillConvexPoly(photo.image, photo.truth(marker.corners()).astype(np.int32), (90, 120, 160))
    pose = find(photo.image, BOARD)
    assert set(pose.markers) == {m.id for m in BOARD.markers[4:]}
    assert error_mm(pose, photo) < 2


def test_false_markers_do_not_bend_the_board():
    photo = photograph(BOARD, 8, 1)
    stray = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), 2, 60)
    corner = photo.truth(BOARD.markers[2].corners()).astype(np.int32)
    cv2.fillConvexPoly(photo.image, corner, (90, 120, 160))
    photo.image[10:90, 10:90] = 255
    photo.image[20:80, 20:80] = stray[..., None]
    pose = find(photo.image, BOARD)
    assert 2 not in pose.markers
    assert error_mm(pose, photo) < 1


@pytest.mark.slow
def test_a_ten_megapixel_picture_is_read():
    photo = photograph(BOARD, 9, 1, (3648, 2736))
    assert error_mm(find(photo.image, BOARD), photo) < 0.3


def test_a_gray_picture_is_read():
    photo = photograph(BOARD, 10, 1)
    assert error_mm(find(cv2.cvtColor(photo.image, cv2.COLOR_BGR2GRAY), BOARD), photo) < 0.5


@pytest.mark.parametrize(
    ("picture", "sentence"),
    [
        (np.zeros((720, 1280, 3), np.uint8), "black"),
        (np.full((720, 1280, 3), 255, np.uint8), "white"),
        (np.full((720, 1280, 3), 120, np.uint8), "No board in the picture"),
        (np.zeros((4, 4), np.uint8), "no picture"),
        (None, "no picture"),
        (np.zeros((720, 1280, 3), np.float32), "float32"),
    ],
)
def test_a_useless_picture_is_refused_with_a_sentence(picture, sentence):
    with pytest.raises(DeviceError, match=sentence):
        find(picture, BOARD)


def test_half_a_board_is_refused_and_says_which_side():
    photo = photograph(BOARD, 11, 1, aside=(0.0, 0.4))
    with pytest.raises(DeviceError, match="beyond its bottom edge"):
        find(photo.image, BOARD)


def test_half_a_board_is_enough_when_asked_for():
    photo = photograph(BOARD, 11, 1, aside=(0.0, 0.4))
    pose = find(photo.image, BOARD, partial=True)
    assert 0 < len(pose.outside()) < len(BOARD.places)
    assert set(crops(photo.image, pose, BOARD, 16)) == set(range(36)) - set(pose.outside())


@pytest.mark.slow
def test_another_games_frame_is_named():
    photo = photograph(small_board("bad_bones", number=2), 12, 1)
    with pytest.raises(DeviceError, match="frame of bad_bones, but the game needs the frame of night_cage_6"):
        find(photo.image, BOARD)


@pytest.mark.slow
def test_a_mirrored_picture_is_named():
    photo = photograph(BOARD, 13, 1)
    with pytest.raises(DeviceError, match="mirrored"):
        find(np.ascontiguousarray(photo.image[:, ::-1]), BOARD)


def test_clicked_corners_replace_the_markers():
    photo = photograph(BOARD, 14, 1, bend=0.0)
    pose = pose_from_corners(BOARD, photo.truth([(0, 0), (300, 0), (300, 300), (0, 300)]), 1280, 720)
    assert error_mm(pose, photo) < 0.1


# Following a camera -------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_still_camera_keeps_one_pose():
    picture = drawing(BOARD, np.random.default_rng(1))
    finder = Finder(BOARD)
    frames = [photograph(BOARD, 20, 2, picture=picture, noise_seed=i) for i in range(6)]
    poses = {id(finder.look(frame.image).pose) for frame in frames}
    assert len(poses) == 1


@pytest.mark.slow
def test_a_bumped_camera_is_noticed_and_healed():
    picture = drawing(BOARD, np.random.default_rng(1))
    finder = Finder(BOARD)
    finder.look(photograph(BOARD, 21, 1, picture=picture).image)
    bumped = photograph(BOARD, 21, 1, picture=picture, aside=(0.008, 0.004))
    sight = finder.look(bumped.image)
    assert sight.moved_mm > 3
    assert error_mm(sight.pose, bumped) < 0.5


@pytest.mark.slow
def test_a_camera_turned_far_away_is_found_again():
    picture = drawing(BOARD, np.random.default_rng(1))
    finder = Finder(BOARD)
    finder.look(photograph(BOARD, 22, 1, picture=picture).image)
    turned = photograph(BOARD, 22, 1, picture=picture, roll=25)
    sight = finder.look(turned.image)
    assert sight.moved_mm > 20
    assert error_mm(sight.pose, turned) < 0.5


def test_a_hand_over_markers_is_reported_and_the_pose_stays():
    photo = photograph(BOARD, 23, 1)
    finder = Finder(BOARD)
    pose = finder.look(photo.image).pose
    for marker in BOARD.markers[:2]:
        cv2.fillConvexPoly(photo.image, photo.truth(marker.corners()).astype(np.int32), (140, 170, 220))
    sight = finder.look(photo.image)
    assert sight.pose is pose
    assert sight.hidden == (0, 1)


def test_a_hand_that_stays_long_is_not_taken_for_the_marker():
    photo = photograph(BOARD, 23, 1)
    covered = photo.image.copy()
    cv2.fillConvexPoly(covered, photo.truth(BOARD.markers[0].corners()).astype(np.int32), (140, 170, 220))
    finder = Finder(BOARD)
    finder.look(photo.image)
    for _ in range(35):
        assert finder.look(covered).hidden == (0,)
    assert finder.look(photo.image).hidden == ()


def test_markers_that_come_back_join_the_pose():
    photo = photograph(BOARD, 24, 1)
    covered = photo.image.copy()
    for marker in BOARD.markers[:3]:
        cv2.fillConvexPoly(covered, photo.truth(marker.corners()).astype(np.int32), (140, 170, 220))
    finder = Finder(BOARD)
    assert len(finder.look(covered).pose.markers) == 5
    for _ in range(40):
        sight = finder.look(photo.image)
    assert len(sight.pose.markers) == 8
    assert sight.hidden == ()


def test_a_lost_board_is_said_and_comes_back():
    photo = photograph(BOARD, 25, 1)
    finder = Finder(BOARD)
    finder.look(photo.image)
    with pytest.raises(DeviceError, match="No board"):
        finder.look(np.full_like(photo.image, 90))
    assert error_mm(finder.look(photo.image).pose, photo) < 0.5


def test_clicked_corners_hold_until_forgotten():
    photo = photograph(BOARD, 26, 1)
    finder = Finder(BOARD)
    by_hand = finder.set_corners([(100, 100), (500, 100), (500, 500), (100, 500)], 1280, 720)
    assert finder.look(photo.image).pose is by_hand
    finder.forget()
    assert error_mm(finder.look(photo.image).pose, photo) < 0.5


# Cutting places out -------------------------------------------------------------------------------


def test_crops_show_what_was_drawn_there():
    board = card_board()
    picture = drawing(board, np.random.default_rng(3))
    photo = photograph(board, 30, 0, roll=0, picture=picture)
    pose = find(photo.image, board)
    for cell, cut in crops(photo.image, pose, board, (40, 60)).items():
        place = board.places[cell]
        straight = cv2.warpAffine(
            picture,
            cv2.getRotationMatrix2D(((place.x + 60) * 4, (place.y + 60) * 4), place.turn, 1.0),
            (picture.shape[1], picture.shape[0]),
        )
        x, y = round((place.x + 60 - 30) * 4), round((place.y + 60 - 45) * 4)
        want = cv2.resize(straight[y : y + 360, x : x + 240], (40, 60), interpolation=cv2.INTER_AREA)
        likeness = np.corrcoef(want.ravel(), cut.ravel())[0, 1]
        assert likeness > 0.97, place


def test_a_crop_equals_its_part_of_the_whole():
    photo = photograph(BOARD, 31, 1)
    pose = find(photo.image, BOARD)
    one = crop(photo.image, pose, BOARD.places[7], 32, margin=0.1)
    assert (crops(photo.image, pose, BOARD, 32, 0.1)[7] == one).all()


def test_the_straightened_board_shows_its_markers_where_they_are_printed():
    photo = photograph(BOARD, 32, 0)
    width, height = BOARD.width + 2 * 36, BOARD.height + 2 * 36
    whole = Place("board", BOARD.width / 2, BOARD.height / 2, width, height)
    flat = crop(photo.image, find(photo.image, BOARD), whole, (round(3 * width), round(3 * height)))
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    found, ids, _ = detector.detectMarkers(flat)
    assert sorted(np.ravel(ids)) == list(range(8))
    for px, i in zip(found, np.ravel(ids), strict=True):
        want = (np.array(BOARD.markers[i].corners()) + 36) * 3
        assert np.abs(px[0] - want).max() < 3
