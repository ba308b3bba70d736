"""Printed parts: measured in pixels of the rendered PDF."""

from __future__ import annotations

import cv2
import numpy as np
import pypdfium2
import pytest

from companion.cli import main
from companion.games import REGISTRY, load, load_art
from companion.layout import frame
from hardware.printing import A4, MARGIN, kit_pages, marker_pages, write

PX = 6.0
"""Pixels per millimetre."""


def rendered(path, page=0):
    document = pypdfium2.PdfDocument(path)
    return np.asarray(document[page].render(scale=PX * 25.4 / 72).to_pil().convert("L"))


def found_markers(image):
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = detector.detectMarkers(image)
    return {} if ids is None else {int(i): c[0] / PX for i, c in zip(ids.ravel(), corners, strict=True)}


@pytest.mark.parametrize("key", REGISTRY)
def test_the_detector_finds_the_printed_markers_at_the_right_millimetres(key, tmp_path):
    game = load(key)
    board = game.board(game.resolve({}))
    path = tmp_path / "frame.pdf"
    assert main(["print", "markers", key, "--paper", "board", "--out", str(path)]) == 0
    found = found_markers(rendered(path))
    assert sorted(found) == [marker.id for marker in board.markers]
    left = min(marker.x for marker in board.markers) - MARGIN
    top = min(marker.y for marker in board.markers) - MARGIN
    for marker in board.markers:
        wanted = np.array(marker.corners()) - (left, top)
        # A detected corner is the middle of its pixel: within a quarter of a millimetre is exact here.
        assert np.abs(found[marker.id] - wanted).max() < 0.25, marker


def test_on_a4_every_marker_is_whole_on_some_page_and_has_its_size(tmp_path):
    game = load("onirim")
    board = game.board(game.resolve({}))
    pages = marker_pages(board, "a4", "en")
    path = tmp_path / "frame.pdf"
    write(pages, path)
    sizes = {}
    for i in range(len(pages)):
        for marker, corners in found_markers(rendered(path, i)).items():
            sizes[marker] = np.linalg.norm(corners[1] - corners[0])
    assert sorted(sizes) == [marker.id for marker in frame("onirim", board.width, board.height)]
    assert all(size == pytest.approx(24.0, abs=0.2) for size in sizes.values())


@pytest.mark.parametrize("key", REGISTRY)
def test_the_kit_holds_every_piece_as_often_as_the_box(key):
    kit = load_art(key).KIT
    pages = kit_pages(key, "en")
    pieces = sum(n for _, _, n in kit)
    backs = sum(n for _, back, n in kit if back)
    # Three items of each page are its foot.
    assert sum(len(page.items) - 3 for page in pages) == pieces + backs
    faces = {face.name for face in load(key).board(load(key).resolve({})).faces}
    assert {front for front, _, _ in kit} | {back for _, back, _ in kit if back} <= faces
    for page in pages:
        for item in page.items:
            assert item.x >= 0 and item.x + item.drawing.width <= A4[0] + 0.01, item
            assert item.y >= 0 and item.y + item.drawing.height <= A4[1] + 0.01, item


def test_backs_lie_behind_their_fronts_when_the_sheet_is_turned():
    fronts, backs = kit_pages("onirim", "en")[:2]
    for front, back in zip(fronts.items[:-3], backs.items[:-3], strict=True):
        assert A4[0] - back.x - back.drawing.width == pytest.approx(front.x)
        assert back.y == front.y


@pytest.mark.parametrize("language", ["en", "ru"])
def test_sheets_are_written_in_both_languages_as_pdf_and_svg(tmp_path, language):
    for key in REGISTRY:
        path = tmp_path / f"{key}.svg"
        assert main(["print", "sheet", key, "--language", language, "--out", str(path)]) == 0
        text = min(tmp_path.glob(f"{key}*.svg")).read_text("utf-8")
        assert load(key).texts.say("game.title", language) in text
    assert main(["print", "sheet", "onirim", "--language", language, "--out", str(tmp_path / "s.pdf")]) == 0
    assert rendered(tmp_path / "s.pdf").min() < 40


def test_a_wrong_name_is_explained(tmp_path, capsys):
    assert main(["print", "sheet", "onirim", "--out", str(tmp_path / "s.docx")]) == 1
    assert "must end in .pdf or .svg" in capsys.readouterr().err
