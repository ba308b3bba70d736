"""The shelf: which games stand on it, what another distribution can bring, and what if that is broken."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.engine.errors import ConfigError
from companion.engine.layout import CALIBRATION, CARD_FRAMES, FRAMES, MARKERS, Board, Marker, frame
from companion.engine.marker_cards import card_markers
from companion.games import REGISTRY, Shelf, folder_of, frames, load

OURS = ["night_cage", "bad_bones", "onirim", "whisper", "dark_cave"]
OTHER = """
from dataclasses import replace
from companion.engine.layout import frame
from companion.games.onirim import GAME as ONIRIM

def board(options):
    ours = ONIRIM.board(options)
    return replace(ours, name="{board}", markers=frame({frame}, ours.width, ours.height))

GAME = replace(ONIRIM, key="{key}", board=board, shelf={shelf})
"""
"""A game of another distribution: Onirim under another name, in another frame."""

Bring = Callable[..., Shelf]


@pytest.fixture
def bring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bring]:
    """Puts a distribution onto the path that brings a game, and looks at the shelf."""
    monkeypatch.syspath_prepend(str(tmp_path))
    names = []

    def put(source: str, *, key: str = "other_game", package: str = "other_game") -> Shelf:
        names.append(package)
        (tmp_path / f"{package}.py").write_text(source, "utf-8")
        about = tmp_path / f"{package}_dist-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}-dist\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(f"[gloam.games]\n{key} = {package}\n")
        return Shelf()

    yield put
    for name in names:
        sys.modules.pop(name, None)


def other(key: str = "other_game", frame: int = 20, board: str = "other", shelf: int = 100) -> str:
    return OTHER.format(key=key, frame=frame, board=board, shelf=shelf)


def test_every_game_that_is_found_stands_on_the_shelf_in_its_order() -> None:
    assert [key for key in REGISTRY if not REGISTRY.sources[key].distribution] == OURS
    assert REGISTRY.faults == ()


@pytest.mark.parametrize("key", REGISTRY)
def test_a_game_brings_its_ledger_and_its_drawings_in_its_folder(key: str) -> None:
    for name in ("ledger.txt", "art.py"):
        assert (folder_of(key) / name).is_file(), name


@pytest.mark.parametrize("key", REGISTRY)
def test_secret_seats_and_seats_apart_are_seats_of_the_game(key: str) -> None:
    game = load(key)
    seats = {seat for given in game.samples.values() for seat in game.seats(game.resolve(given))}
    assert game.secret_seats | game.seats_apart <= seats


@pytest.mark.parametrize("key", OURS)
def test_the_button_that_ends_a_turn_does_something_in_each_of_ours(key: str) -> None:
    assert load(key).end_turn


def test_another_distribution_brings_a_game(bring: Bring) -> None:
    shelf = bring(other(shelf=25))
    assert list(shelf) == ["night_cage", "bad_bones", "other_game", "onirim", "whisper", "dark_cave"]
    assert shelf.faults == ()
    assert shelf.sources["other_game"].distribution == "other_game-dist"


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("import no_such_thing", "cannot be loaded: ModuleNotFoundError: No module named 'no_such_thing'"),
        ("1 / 0", "cannot be loaded: ZeroDivisionError"),
        ("GAME = ", "cannot be loaded: SyntaxError"),
        ("", "cannot be loaded: AttributeError"),
        ("GAME = 7", "its GAME is a int, not a Game"),
        (other(key="another"), "calls itself 'another'"),
        (other(frame=3), "frame 3 belongs to 'onirim'; 16 is free"),
        (other(board="onirim"), "'onirim' has a board called 'onirim' already"),
        (other(frame=31), "frame 31: there are no markers for it"),
        (other(frame=CALIBRATION), "which is the calibration sheet's"),
    ],
)
def test_a_broken_game_is_named_and_takes_only_itself_off_the_shelf(
    source: str, fault: str, bring: Bring
) -> None:
    shelf = bring(source)
    assert list(shelf) == OURS
    (said,) = shelf.faults
    assert said.startswith("game 'other_game' (other_game of other_game-dist)") and fault in said


def test_a_game_called_like_one_of_ours_gives_way(bring: Bring) -> None:
    shelf = bring(other(key="onirim"), key="onirim")
    assert list(shelf) == OURS and shelf.sources["onirim"].distribution == ""
    assert shelf.faults == (
        "game 'onirim' (other_game of other_game-dist): there is a game of this name already",
    )


def test_two_other_games_with_one_frame_are_told_apart(bring: Bring) -> None:
    bring(other())
    shelf = bring(other(key="third_game", board="third"), key="third_game", package="third_game")
    assert "other_game" in shelf and "third_game" not in shelf
    assert "frame 20 belongs to 'other_game'; 16 is free" in shelf.faults[0]


def test_an_unknown_game_is_explained() -> None:
    with pytest.raises(ConfigError, match=r"unknown game 'onirm'\. Did you mean 'onirim'"):
        load("onirm")


# Frames ----------------------------------------------------------------------------------------


def test_frames_printed_before_keep_their_numbers() -> None:
    names = ["night_cage_6", "night_cage_7", "bad_bones", "onirim", "whisper", "dark_cave"]
    assert [frames()[number] for number in range(6)] == names


def test_every_frame_but_those_of_the_sheets_has_markers_of_its_own() -> None:
    numbers = [number for number in range(FRAMES) if number not in (CALIBRATION, *CARD_FRAMES)]
    ids = [marker.id for number in numbers for marker in frame(number, 300, 200)]
    assert len(set(ids)) == MARKERS * 27 and max(ids) < 250
    assert not set(ids) & set(card_markers())


@pytest.mark.parametrize("number", [-1, CALIBRATION, *CARD_FRAMES, FRAMES, 1000])
def test_a_frame_without_markers_is_refused_in_words(number: int) -> None:
    with pytest.raises(ConfigError, match=f"frame {number}: there are no markers for it; frames are 0 to 30"):
        frame(number, 300, 200)


@pytest.mark.parametrize("ids", [(), (0, 1, 2), (0, 1, 2, 3, 4, 5, 6, 8), tuple(range(400, 408))])
def test_markers_that_are_no_frame_are_refused_in_words(ids: tuple[int, ...]) -> None:
    board = Board("odd", 300, 200, (), (), tuple(Marker(i, 0, 0, 24) for i in ids))
    with pytest.raises(ConfigError, match=r"no markers for it|not those of a frame"):
        _ = board.frame
