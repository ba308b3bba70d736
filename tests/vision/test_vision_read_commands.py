"""`gloam teach` and `gloam see`, from photographs to JSON, and every way they can fail."""

import json

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.games import load
from companion.layout import Piece
from vision.measure import teach_from
from vision.paint import Painter, Style

SEED = 77


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A Night Cage of an unknown publisher: photographed faces, a photograph of the board, a teach file."""
    folder = tmp_path_factory.mktemp("table")
    game = load("night_cage")
    painter = Painter(game.board(game.resolve({})), Style(SEED, "dungeon"))
    rng = np.random.default_rng(SEED)
    names = [face.name for face in painter.board.faces if face.kind == "tile"]
    layout = {cell: (Piece(names[cell]),) for cell in range(10)}
    layout[3] = (*layout[3], Piece("red"))
    pictures = teach_from(painter, "night_cage", rng).pictures
    for name, some in pictures.items():
        (folder / "faces" / name).mkdir(parents=True)
        for i, picture in enumerate(some):
            cv2.imwrite(str(folder / "faces" / name / f"{i}.png"), picture)
    cv2.imwrite(str(folder / "board.png"), painter.photograph(layout, 1, rng).image)
    arguments = ["teach", "night_cage", "--faces", str(folder / "faces"), "--out", str(folder / "my.teach")]
    assert main(arguments) == 0
    return folder, painter.board, layout


def see(table, image, *more):
    folder = table[0]
    teach = folder / "my.teach"
    return main(["see", str(folder / image), "--game", "night_cage", "--teach", str(teach), *more])


def test_a_photograph_becomes_json_per_place(table, capsys):
    _, board, layout = table
    assert see(table, "board.png") == 0
    cells = {cell["name"]: cell for cell in json.loads(capsys.readouterr().out)["cells"]}
    assert len(cells) == len(board.places)
    for number, place in enumerate(board.places):
        cell = cells[place.name]
        pieces = layout.get(number, ())
        if cell["state"] == "unsure":
            assert cell["guesses"]
            continue
        assert cell["face"] == (pieces[0].face if pieces else None)
        assert cell["rotation"] == (0 if pieces else None)
        assert cell["pawns"] == [piece.face for piece in pieces[1:]]
        assert 0.5 < cell["confidence"] <= 1
    assert sum(cell["state"] == "unsure" for cell in cells.values()) <= 5


def test_a_debug_picture_is_written(table, capsys):
    assert see(table, "board.png", "--debug", str(table[0] / "debug.png")) == 0
    assert cv2.imread(str(table[0] / "debug.png")).shape == cv2.imread(str(table[0] / "board.png")).shape


def _black(image):
    return image * 0


def _half(image):
    return image[:, : image.shape[1] // 2]


def _bare_wall(image):
    return np.full_like(image, 128)


@pytest.mark.parametrize("spoil", [_black, _half, _bare_wall])
def test_a_photograph_without_the_whole_board_is_refused_in_one_sentence(table, capsys, spoil):
    cv2.imwrite(str(table[0] / "spoilt.png"), spoil(cv2.imread(str(table[0] / "board.png"))))
    assert see(table, "spoilt.png") != 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("gloam: ")
    assert err.count("\n") == 1


def test_a_damaged_picture_is_refused(table, capsys):
    whole = (table[0] / "board.png").read_bytes()
    (table[0] / "torn.png").write_bytes(b"no picture" + whole[:40])
    assert see(table, "torn.png") != 0
    assert "torn.png" in capsys.readouterr().err


def test_a_teach_file_of_another_game_is_refused(table, capsys):
    folder = table[0]
    arguments = ["see", str(folder / "board.png"), "--game", "onirim", "--teach", str(folder / "my.teach")]
    assert main(arguments) != 0
    assert "taught for night_cage, not for onirim" in capsys.readouterr().err


def test_teaching_from_a_missing_folder_is_refused(tmp_path, capsys):
    arguments = ["teach", "onirim", "--faces", str(tmp_path / "none"), "--out", str(tmp_path / "t")]
    assert main(arguments) != 0
    assert "There is no folder" in capsys.readouterr().err


def test_a_folder_for_an_unknown_face_is_refused(tmp_path, capsys):
    (tmp_path / "unicorn").mkdir()
    cv2.imwrite(str(tmp_path / "unicorn" / "1.png"), np.full((60, 60, 3), 128, np.uint8))
    assert main(["teach", "onirim", "--faces", str(tmp_path), "--out", str(tmp_path / "t")]) != 0
    assert "no face 'unicorn'" in capsys.readouterr().err
