"""`gloam teach` and `gloam see`, from photographs to JSON, and every way they can fail."""

import dataclasses
import json
import subprocess
import sys

import cv2
import numpy as np
import pytest

from companion.engine.layout import Piece
from companion.games import load
from companion.service.cli import main
from vision.lab.paint import Painter
from vision.lab.paint_art import Style
from vision.lab.trials import teach_from
from vision.teach import FaceLibrary

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


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_debug_picture_is_written(table, capsys):
    assert see(table, "board.png", "--debug", str(table[0] / "debug.png")) == 0
    assert cv2.imread(str(table[0] / "debug.png")).shape == cv2.imread(str(table[0] / "board.png")).shape


def _bare_wall(image):
    return np.full_like(image, 128)


def _half(image):
    return image[:, : image.shape[1] // 2]


def _upside_down(image):
    return cv2.rotate(image, cv2.ROTATE_180)


def _other_game(image):
    game = load("onirim")
    painter = Painter(game.board(game.resolve({})), Style(SEED, "cards"))
    return painter.photograph({}, 1, np.random.default_rng(SEED)).image


def _black(image):
    return image * 0


def _ten_megapixels(image):
    return cv2.resize(image, (4216, 2372), interpolation=cv2.INTER_CUBIC)


def see_in_a_shell(table, image):
    """`gloam see` in a process of its own: exit code, output, what was said."""
    command = [sys.executable, "-m", "companion.service.cli", "see", str(table[0] / image)]
    command += ["--game", "night_cage", "--teach", str(table[0] / "my.teach")]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_bare_wall, "No board in the picture"),
        (_half, "move the camera until the whole frame is in view"),
        (_other_game, "the frame of onirim"),
        (_black, "The picture is black"),
    ],
)
def test_a_photograph_without_the_whole_board_is_refused_in_one_sentence(table, spoil, said):
    cv2.imwrite(str(table[0] / "spoilt.png"), spoil(cv2.imread(str(table[0] / "board.png"))))
    code, out, err = see_in_a_shell(table, "spoilt.png")
    assert (code, out) == (1, "")
    assert err.startswith("gloam: ") and err.count("\n") == 1
    assert said.lower() in err.lower()


@pytest.mark.slow
def test_a_file_torn_in_the_middle_is_refused_without_a_traceback(table):
    coded = cv2.imencode(".png", cv2.imread(str(table[0] / "board.png")))[1].tobytes()
    (table[0] / "half.png").write_bytes(coded[: len(coded) // 3])
    code, out, err = see_in_a_shell(table, "half.png")
    assert (code, out) == (1, "")
    assert "gloam: " in err and "Traceback" not in err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "said"),
    [(_upside_down, "turn the camera or the picture around"), (_ten_megapixels, "take it at 1920 × 1080")],
)
def test_an_upside_down_or_huge_photograph_is_read_and_its_sentence_said(table, change, said):
    _, board, layout = table
    cv2.imwrite(str(table[0] / "changed.png"), change(cv2.imread(str(table[0] / "board.png"))))
    code, out, err = see_in_a_shell(table, "changed.png")
    assert code == 1
    assert err.startswith("gloam: ") and err.count("\n") == 1 and said in err
    cells = {cell["name"]: cell for cell in json.loads(out)["cells"]}
    read = [(n, cells[p.name]) for n, p in enumerate(board.places) if cells[p.name]["state"] != "unsure"]
    assert len(read) > 0.85 * len(board.places)
    assert all(cell["face"] == (layout[n][0].face if n in layout else None) for n, cell in read)


@pytest.mark.slow
@pytest.mark.parametrize("turn", [None, cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_90_COUNTERCLOCKWISE])
def test_nothing_is_said_of_a_board_seen_upright_or_from_the_side(table, capsys, turn):
    image = cv2.imread(str(table[0] / "board.png"))
    cv2.imwrite(str(table[0] / "side.png"), image if turn is None else cv2.rotate(image, turn))
    assert see(table, "side.png") == 0
    assert capsys.readouterr().err == ""


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


def teach_file(painter, game, folder, rng):
    """A teach file as an owner would make it, and the painted photographs it comes from."""
    path = folder / f"{game}.teach"
    teach_from(painter, game, rng).save(path)
    return path


@pytest.mark.slow
def test_cards_on_a_bare_table_are_read_without_a_frame(tmp_path, capsys):
    game = load("dark_cave")
    board = game.board(game.resolve({}))
    some = [face for face in board.faces if face.kind == "card"][:6]
    painter = Painter(dataclasses.replace(board, faces=tuple(some)), Style(SEED, "scenery"))
    teach = FaceLibrary(
        "dark_cave", {f.name: np.stack([cv2.resize(painter.picture(f.name), (96, 96))] * 3) for f in some}
    )
    teach.save(tmp_path / "cave.teach")
    table = np.full((720, 1280, 3), (60, 80, 70), np.uint8)
    for i, face in enumerate(some):
        upright = cv2.resize(painter.picture(face.name), (112, 174), interpolation=cv2.INTER_AREA)
        table[100 : 100 + 174, 80 + 190 * i : 80 + 190 * i + 112] = upright if i % 2 else upright[::-1, ::-1]
    cv2.imwrite(str(tmp_path / "table.png"), table)
    arguments = ["--game", "dark_cave", "--teach", str(tmp_path / "cave.teach"), "--loose"]
    assert main(["see", str(tmp_path / "table.png"), *arguments]) == 0
    cards = json.loads(capsys.readouterr().out)["cards"]
    assert len(cards) == len(some)
    read = {card["face"]: card["rotation"] for card in cards if card["state"] == "read"}
    turned = {face.name: 0 if i % 2 else 180 for i, face in enumerate(some)}
    assert len(read) >= 5
    assert {name: turn and round(turn, -1) % 360 for name, turn in read.items()} == {
        face.name: turned[face.name] if face.turns > 1 else None for face in some if face.name in read
    }


def test_a_bare_table_without_cards_is_refused(table, tmp_path, capsys):
    cv2.imwrite(str(tmp_path / "bare.png"), np.full((720, 1280, 3), (60, 80, 70), np.uint8))
    FaceLibrary("onirim", {"Rs": np.full((1, 96, 96, 3), 90, np.uint8)}).save(tmp_path / "t")
    arguments = ["--game", "onirim", "--teach", str(tmp_path / "t"), "--loose"]
    assert main(["see", str(tmp_path / "bare.png"), *arguments]) != 0
    assert "No card is seen" in capsys.readouterr().err


@pytest.fixture(scope="module")
def whisper(tmp_path_factory):
    """A map with figures, tokens, and dice in the tray."""
    game = load("whisper")
    painter = Painter(game.board(game.resolve({})), Style(SEED, "icons"))
    rng = np.random.default_rng(SEED)
    names = {place.name: cell for cell, place in enumerate(painter.board.places)}
    layout = {names["K1"]: (Piece("anna"),), names["K2"]: (Piece("noise"),), names["die1"]: (Piece("die_3"),)}
    folder = tmp_path_factory.mktemp("whisper")
    cv2.imwrite(str(folder / "map.png"), painter.photograph(layout, 1, rng).image)
    return folder, teach_file(painter, "whisper", folder, rng)


@pytest.mark.slow
def test_figures_tokens_and_dice_of_the_map_are_seen(whisper, capsys):
    folder, teach = whisper
    assert main(["see", str(folder / "map.png"), "--game", "whisper", "--teach", str(teach)]) == 0
    seen = json.loads(capsys.readouterr().out)
    cells = {cell["name"]: cell for cell in seen["cells"]}
    assert cells["K1"]["state"] == "unsure" or cells["K1"]["pawns"] == ["anna"]
    assert cells["K2"]["state"] == "unsure" or cells["K2"]["face"] == "noise"
    assert [die["face"] for die in seen["dice"]] == ["die_3"]
