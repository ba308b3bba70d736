"""`gloam watch` on folders, videos and bad pictures."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from companion.engine.layout import Piece
from companion.games import load
from companion.service.cli import main
from vision.lab.paint import Painter
from vision.lab.trials import style_of, teach_from

GAME = load("night_cage")
BOARD = GAME.board(GAME.resolve({}))
LAYOUT = {
    0: (Piece("tee", 90),),
    7: (Piece("cross"),),
    14: (Piece("gate"),),
    21: (Piece("wax"),),
    28: (Piece("start", 180),),
}


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A teach file, one photograph of a known layout and an empty folder beside it."""
    folder = tmp_path_factory.mktemp("watch")
    rng = np.random.default_rng(8)
    painter = Painter(BOARD, style_of(2))
    teach_from(painter, "night_cage", rng).save(folder / "box.teach")
    return folder, painter.photograph(LAYOUT, 0, rng, size=(1920, 1080)).image


def lines(capsys):
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def read_cells(line):
    return {
        c["name"]: (c["face"], c["rotation"]) for c in line["cells"] if c["state"] == "read" and c["face"]
    }


@pytest.mark.slow
def test_a_folder_is_read_picture_by_picture(table, tmp_path, capsys):
    folder, image = table
    cv2.imwrite(str(tmp_path / "a.png"), image)
    cv2.imwrite(str(tmp_path / "b.png"), np.zeros_like(image))
    (tmp_path / "c.png").write_bytes(b"no picture")
    code = main(["watch", str(tmp_path), "--game", "night_cage", "--teach", str(folder / "box.teach")])
    good, black, broken = lines(capsys)
    assert code == 0
    assert read_cells(good) == {
        "a1": ("tee", 90),
        "b2": ("cross", 0),
        "c3": ("gate", 0),
        "d4": ("wax", 0),
    } | ({"e5": ("start", 180)})
    assert "black" in black["trouble"]
    assert "c.png" in broken["trouble"]


@pytest.mark.slow
def test_a_video_is_read_once_when_the_table_rests(table, tmp_path, capsys):
    folder, image = table
    path = tmp_path / "v.avi"
    small = cv2.resize(image, (1280, 720), interpolation=cv2.INTER_AREA)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5, (1280, 720))
    rng = np.random.default_rng(1)
    for _ in range(8):
        writer.write(np.clip(small + rng.normal(0, 2, small.shape), 0, 255).astype(np.uint8))
    writer.release()
    debug = tmp_path / "debug"
    args = ["--game", "night_cage", "--teach", str(folder / "box.teach"), "--debug", str(debug)]
    assert main(["watch", str(path), *args]) == 0
    first = lines(capsys)[0]
    assert first["time_s"] >= 0.5
    assert read_cells(first)["b2"] == ("cross", 0)
    assert cv2.imread(str(next(debug.iterdir()))).shape == (720, 1280, 3)


@pytest.mark.slow
def test_nothing_readable_is_an_error(table, tmp_path, capsys):
    folder, image = table
    cv2.imwrite(str(tmp_path / "a.png"), np.full_like(image, 90))
    code = main(["watch", str(tmp_path), "--game", "night_cage", "--teach", str(folder / "box.teach")])
    assert code == 1
    assert "No board" in lines(capsys)[0]["trouble"]


@pytest.mark.slow
def test_an_upside_down_picture_is_read_and_named_as_trouble(table, tmp_path, capsys):
    folder, image = table
    cv2.imwrite(str(tmp_path / "a.png"), cv2.rotate(image, cv2.ROTATE_180))
    code = main(["watch", str(tmp_path), "--game", "night_cage", "--teach", str(folder / "box.teach")])
    (line,) = lines(capsys)
    assert code == 1
    assert "upside down" in line["trouble"]
    assert read_cells(line)["b2"] == ("cross", 0)


def test_a_teach_file_of_another_game_is_refused(table, tmp_path, capsys):
    folder, _ = table
    code = main(["watch", str(tmp_path), "--game", "onirim", "--teach", str(folder / "box.teach")])
    assert code == 1
    assert "taught for night_cage" in capsys.readouterr().err
