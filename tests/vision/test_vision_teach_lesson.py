"""Teaching: photographs are checked at once, and the file keeps them."""

import json

import cv2
import numpy as np
import pytest

from companion.engine.errors import ConfigError
from companion.engine.layout import Face
from vision.lab.paint import board_of
from vision.lab.paint_art import Style
from vision.teach import EMPTY, FaceLibrary, TeachingSession, noted_turn, teach_folder

BOARD = board_of(
    [Face("gate", "tile", 50, 50, 4), Face("key", "tile", 50, 50, 4), Face("pit", "tile", 50, 50)]
)
STYLE = Style(21, "icons")
RNG = np.random.default_rng(4)


def photo(number: int, turn: int = 0):
    noisy = STYLE.art(number).astype(np.float32) + RNG.normal(0, 4, (128, 128, 3))
    return np.rot90(np.clip(noisy, 0, 255).astype(np.uint8), -turn // 90)


def codes_of(problems):
    return [problem.code for problem in problems]


def test_good_photographs_raise_no_problem():
    lesson = TeachingSession("night_cage", BOARD)
    problems = [
        p
        for n, name in enumerate(("gate", "key", "pit"))
        for _ in range(3)
        for p in lesson.add(name, photo(n))
    ]
    lesson.add(EMPTY, photo(3))
    assert [p for p in problems + lesson.finish()[1] if p.face != EMPTY] == []


def test_a_noted_turn_is_taken_back():
    lesson = TeachingSession("night_cage", BOARD)
    lesson.add("gate", photo(0))
    assert lesson.add("gate", photo(0, 90), turn=90) == []


def test_a_wrong_turn_is_noticed():
    lesson = TeachingSession("night_cage", BOARD)
    lesson.add("gate", photo(0))
    assert codes_of(lesson.add("gate", photo(0, 90), turn=0)) == ["turned"]


@pytest.mark.parametrize(("name", "number"), [("gate", 0), ("pit", 2)])
@pytest.mark.parametrize("turn", [90, 180, 270])
def test_photographs_are_turned_as_the_first_one_lies(name, number, turn):
    lesson = TeachingSession("night_cage", BOARD)
    lesson.add(name, photo(number))
    lesson.add(name, photo(number, turn))
    first, second = lesson.taken[name]
    assert np.abs(first.astype(int) - second).mean() < 6


@pytest.mark.parametrize("turn", [0, 180])
def test_a_card_whose_halves_differ_in_a_small_sign_is_turned_by_that(turn):
    card = np.full((128, 128, 3), (150, 190, 90), np.uint8)
    cv2.circle(card, (64, 64), 34, (40, 60, 200), -1)
    cv2.rectangle(card, (6, 6), (121, 121), (30, 30, 30), 3)
    cv2.rectangle(card, (14, 14), (24, 20), (30, 30, 30), -1)
    board = board_of([Face("clue", "card", 44, 68, 2)])
    lesson = TeachingSession("mine", board)
    lesson.add("clue", card)
    other = np.clip(card * 0.8 + RNG.normal(0, 5, card.shape), 0, 255).astype(np.uint8)
    said = lesson.add("clue", np.rot90(other, turn // 90))
    first, second = (one.astype(int) for one in lesson.taken["clue"])
    assert codes_of(said) == (["turned"] if turn else [])
    assert np.abs(0.8 * first - second).mean() < np.abs(0.8 * first[::-1, ::-1] - second).mean()


def test_another_print_under_the_same_name_is_noticed():
    lesson = TeachingSession("night_cage", BOARD)
    lesson.add("pit", photo(2))
    assert codes_of(lesson.add("pit", photo(1))) == ["different"]


def test_a_bare_place_that_was_not_taught_is_named():
    lesson = TeachingSession("night_cage", BOARD)
    lesson.add("gate", photo(0))
    assert ("bare", EMPTY) in [(p.code, p.face) for p in lesson.finish()[1]]


def test_a_blurred_photograph_is_noticed():
    lesson = TeachingSession("night_cage", BOARD)
    lesson.add("gate", photo(0))
    assert "blurred" in codes_of(lesson.add("gate", cv2.GaussianBlur(photo(0), (0, 0), 9)))


def test_a_black_photograph_is_noticed():
    assert codes_of(TeachingSession("night_cage", BOARD).add("gate", photo(0) // 40)) == ["dark"]


def test_two_faces_with_the_same_picture_are_too_alike():
    lesson = TeachingSession("night_cage", BOARD)
    for name in ("gate", "key"):
        for _ in range(3):
            lesson.add(name, photo(0))
    problems = lesson.finish()[1]
    assert ("alike", "gate") in [(p.code, p.face) for p in problems]


def test_faces_that_were_not_taught_are_named():
    lesson = TeachingSession("night_cage", BOARD)
    for _ in range(3):
        lesson.add("gate", photo(0))
    lesson.add(EMPTY, photo(3))
    missing = [(p.code, p.face) for p in lesson.finish()[1] if p.face != EMPTY]
    assert missing == [("missing", "key"), ("missing", "pit")]


def test_the_order_asks_for_what_is_lacking():
    lesson = TeachingSession("night_cage", BOARD)
    lesson.add("gate", photo(0))
    assert lesson.order() == [("gate", 2), ("key", 3), ("pit", 3)]


def test_an_unknown_face_is_refused_with_a_hint():
    with pytest.raises(ConfigError, match="did you mean 'gate'"):
        TeachingSession("night_cage", BOARD).add("gaet", photo(0))


def test_a_bare_place_can_be_taught_too():
    lesson = TeachingSession("night_cage", BOARD)
    lesson.add(EMPTY, photo(3))
    assert EMPTY in lesson.finish()[0].pictures


def test_a_teach_file_keeps_everything(tmp_path):
    lesson = TeachingSession("night_cage", BOARD)
    lesson.add("gate", photo(0))
    teach = lesson.finish()[0]
    teach.save(tmp_path / "my.teach")
    again = FaceLibrary.load(tmp_path / "my.teach")
    assert again.game == "night_cage"
    assert np.array_equal(again.pictures["gate"], teach.pictures["gate"])


def test_a_damaged_teach_file_is_refused(tmp_path):
    (tmp_path / "my.teach").write_bytes(b"PK\x03\x04 no longer whole")
    with pytest.raises(ConfigError, match="damaged"):
        FaceLibrary.load(tmp_path / "my.teach")


def test_a_missing_teach_file_says_how_to_make_one(tmp_path):
    with pytest.raises(ConfigError, match="gloam teach"):
        FaceLibrary.load(tmp_path / "my.teach")


def test_a_newer_teach_file_is_refused_with_both_versions(tmp_path):
    about = json.dumps({"version": 9, "game": "night_cage", "faces": []})
    with (tmp_path / "my.teach").open("wb") as file:
        np.savez(file, about=np.array(about))
    with pytest.raises(ConfigError, match=r"version 9.*up to 1"):
        FaceLibrary.load(tmp_path / "my.teach")


def test_a_folder_is_taught_with_the_turns_in_its_file_names(tmp_path):
    for name, number in (("gate", 0), ("key", 1), ("pit", 2)):
        (tmp_path / name).mkdir()
        for turn in (0, 90, 270):
            cv2.imwrite(str(tmp_path / name / f"p_r{turn}.png"), photo(number, turn))
    teach, problems = teach_folder("night_cage", BOARD, tmp_path)
    assert codes_of(problems) == ["bare"]
    assert len(teach.pictures["gate"]) == 3


def test_a_folder_without_pictures_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="no photographs"):
        teach_folder("night_cage", BOARD, tmp_path)


def test_only_quarter_turns_can_be_noted():
    with pytest.raises(ConfigError, match="r0, r90"):
        noted_turn("photo_r45")


def framed(picture, side=0.8, table=(90, 60, 40)):
    """The picture as if photographed with some table around it."""
    rim = round(len(picture) * (1 / side - 1) / 2)
    return cv2.copyMakeBorder(picture, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=table)


def test_the_table_around_photographed_tiles_is_found():
    lesson = TeachingSession("night_cage", BOARD)
    for number, name in enumerate(("gate", "key", "pit")):
        for _ in range(3):
            lesson.add(name, framed(Style(6, "fields").art(number)))
    trimmed = lesson.finish()[0].trimmed()
    tight = cv2.resize(Style(6, "fields").art(0), (96, 96), interpolation=cv2.INTER_AREA)
    assert np.abs(trimmed.pictures["gate"][0].astype(int) - tight).mean() < 12


def test_tight_photographs_are_left_as_they_are():
    lesson = TeachingSession("night_cage", BOARD)
    for number, name in enumerate(("gate", "key", "pit")):
        lesson.add(name, Style(6, "fields").art(number))
    assert lesson.finish()[0].trimmed() is None
