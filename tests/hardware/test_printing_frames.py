"""Frames printed before: markers, sizes and places are byte for byte what they were."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.engine.drawing import Area, placed
from companion.engine.layout import DICTIONARY, Board, frame
from companion.engine.marker_cards import card_of
from companion.engine.parts import seated
from companion.games import load
from hardware.printing import marker_drawing, marker_pages, part_boards, write

PRINTED = [
    ("night_cage", {}, 0, "2cc306d1e99eb50bb54998a1fd1c16f533e3f30ada3c60c66dfbac7a20e8ccd4"),
    ("night_cage", {"players": 5}, 8, "15b3ef3e35dd0d466a41b82c59b3231f7a6f69a1c4e5358ac514815417cd623d"),
    ("bad_bones", {}, 16, "5e1f227675893cd7a1f62b813ddcae323069eb343e84e89c8880d3538ab2cb6f"),
    ("onirim", {}, 24, "233bf71688d6066d3e986445ea7b361267c1e355a9f5d1847c8f551b74a4c904"),
    ("whisper", {}, 32, "764b9e59107c0d12264cb4b9641081e177fff93ea4f992249f739e0f400547f5"),
    ("dark_cave", {}, 40, "3c9ac251fef1a4c60b6fe5a944cd2f341af9051590e3fc05a182739bc1988ef4"),
]
"""Each frame as it was printed with the markers of DICT_4X4_50: its first marker, the hash of its SVG."""


@pytest.mark.parametrize(("key", "options", "first", "digest"), PRINTED)
def test_a_frame_is_printed_as_it_always_was(
    key: str, options: dict[str, int], first: int, digest: str, tmp_path: Path
) -> None:
    game = load(key)
    board = game.board(game.resolve(options))
    assert [marker.id for marker in board.markers] == list(range(first, first + 8))
    write(marker_pages(board, "Frame", "board", "en"), tmp_path / "frame.svg")
    (page,) = tmp_path.glob("*.svg")
    assert sha256(page.read_bytes()).hexdigest() == digest


def test_the_larger_dictionary_begins_with_the_markers_of_the_smaller() -> None:
    small = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    large = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    assert np.array_equal(large.bytesList[:50], small.bytesList)
    assert (large.markerSize, large.maxCorrectionBits) == (small.markerSize, small.maxCorrectionBits)


@pytest.mark.parametrize("number", [7, 30])
def test_further_frames_have_markers_to_print(number: int) -> None:
    board = Board("new", 300, 200, (), (), frame(number, 300, 200))
    assert board.frame == number
    assert len({marker_drawing(marker).shapes for marker in board.markers}) == 8


def test_boards_that_lie_by_themselves_are_printed_with_their_cards_markers() -> None:
    game = load("bad_bones")
    board = game.board(game.resolve({"players": 3}))
    alone = part_boards(board)
    assert [len(one.places) for one in alone] == [49] * 3
    for one, part in zip(alone, board.parts, strict=True):
        assert {card_of(marker.id) for marker in one.markers} == set(part.cards)
        assert np.allclose([(p.x, p.y) for p in one.places], [(p.x, p.y) for p in alone[0].places])
        for page in marker_pages(one, "Board", "a4", "en"):
            assert (page.width, page.height) == (210.0, 297.0)


def test_a_printed_board_is_found_as_one_with_cards_at_its_edges() -> None:
    game = load("bad_bones")
    board = game.board(game.resolve({"players": 1}))
    (alone,) = part_boards(board)
    (page,) = marker_pages(alone, "Board", "board", "en")
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY)))
    picture = np.full((int(page.height * 3), int(page.width * 3)), 255, np.uint8)
    for item in page.items:
        for shape in placed(
            item.drawing.shapes, item.x + item.drawing.width / 2, item.y + item.drawing.height / 2
        ):
            if isinstance(shape, Area):
                points = np.round(np.array(shape.points) * 3).astype(np.int32)
                cv2.fillPoly(picture, [points], 0.0 if shape.fill == "#000000" else 255.0)
    corners, ids, _ = detector.detectMarkers(picture)
    seen = {int(i): px.reshape(4, 2) / 3 for i, px in zip(ids.ravel(), corners, strict=True)}
    lies = {m.id: np.array(m.corners()) for m in seated(board).markers}
    assert seen.keys() == lies.keys()
    shift = seen[104][0] - lies[104][0]
    assert max(np.abs(seen[i] - lies[i] - shift).max() for i in seen) < 0.8
