"""Printed parts: measured in pixels of the rendered PDF."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import cv2
import numpy as np
import pypdfium2
import pytest
from fontTools.ttLib import TTFont
from fpdf import FPDF

from companion.engine.drawing import Word
from companion.games import REGISTRY, load, load_art, load_paper, load_with
from companion.service.cli import main
from companion.table.boxes import doubtful
from hardware.printing import (
    A4,
    EDGE,
    FONT,
    MARGIN,
    SPARE,
    kit_pages,
    marker_pages,
    place_items,
    sheet_pages,
    write,
)

PX = 6.0
"""Pixels per millimetre."""


def rendered(path, page=0):
    document = pypdfium2.PdfDocument(path)
    return np.asarray(document[page].render(scale=PX * 25.4 / 72).to_pil().convert("L"))


def found_markers(image):
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = detector.detectMarkers(image)
    return {} if ids is None else {int(i): c[0] / PX for i, c in zip(ids.ravel(), corners, strict=True)}


@pytest.mark.parametrize(
    "key",
    [key if key == "onirim" else pytest.param(key, marks=pytest.mark.slow) for key in REGISTRY],
)
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


@pytest.mark.parametrize("key", ["onirim", pytest.param("whisper", marks=pytest.mark.slow)])
def test_on_a4_every_marker_is_whole_on_some_page_and_has_its_size(tmp_path, key):
    game = load(key)
    board = game.board(game.resolve({}))
    pages = marker_pages(board, "Game", "a4", "en")
    path = tmp_path / "frame.pdf"
    write(pages, path)
    sizes = {}
    for i in range(len(pages)):
        for marker, corners in found_markers(rendered(path, i)).items():
            sizes[marker] = np.linalg.norm(corners[1] - corners[0])
    assert sorted(sizes) == [marker.id for marker in board.markers]
    assert all(size == pytest.approx(board.markers[0].size, abs=0.2) for size in sizes.values())


@pytest.mark.parametrize("key", REGISTRY)
def test_pages_that_overlap_share_crosses_to_lay_them_by(key):
    game = load(key)
    pages = marker_pages(game.board(game.resolve({})), "Game", "a4", "en")
    crosses = [sum(item.drawing.width == item.drawing.height == 6 for item in page.items) for page in pages]
    assert min(crosses) >= (6 if len(pages) > 1 else 0)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_calibration_sheet_is_true_to_the_millimetre(tmp_path, language):
    path = tmp_path / "calibration.pdf"
    assert main(["print", "calibration", "--language", language, "--out", str(path)]) == 0
    image = rendered(path)
    found = found_markers(image)
    assert sorted(found) == [SPARE, SPARE + 1]
    # From the first marker's upper left corner to the second's lower right one.
    assert found[SPARE + 1][2] - found[SPARE][0] == pytest.approx([80, 80], abs=0.25)
    assert np.ptp(dark_run(image[int(60 * PX)])) / PX == pytest.approx(100, abs=0.35)
    assert np.ptp(dark_run(image[int(60 * PX) : int(190 * PX), int(24 * PX)])) / PX == pytest.approx(
        100, abs=0.35
    )


def dark_run(pixels):
    """Where a line of pixels is dark."""
    return np.flatnonzero(pixels < 128)


@pytest.mark.slow
def test_every_page_as_svg_says_its_size_in_millimetres(tmp_path):
    assert main(["print", "board", "onirim", "--paper", "board", "--out", str(tmp_path / "one.svg")]) == 0
    assert main(["print", "kit", "onirim", "--out", str(tmp_path / "kit.svg")]) == 0
    game = load("onirim")
    board = game.board(game.resolve({}))
    wide = max(m.x + m.size for m in board.markers) - min(m.x for m in board.markers) + 2 * MARGIN
    root = ElementTree.parse(tmp_path / "one.svg").getroot()
    assert root.get("width") == f"{wide:g}mm"
    assert root.get("viewBox").split()[2] == f"{wide:g}"
    left, top = (min(marker[i] for marker in board.markers) - MARGIN for i in (1, 2))
    nested = root.findall("{http://www.w3.org/2000/svg}svg")[: len(board.markers)]
    for marker, drawn in zip(board.markers, nested, strict=True):
        found = [float(drawn.get(name)) for name in ("x", "y", "width", "height")]
        assert found == pytest.approx([marker.x - left, marker.y - top, marker.size, marker.size], abs=0.01)
    for path in tmp_path.glob("kit-*.svg"):
        root = ElementTree.parse(path).getroot()
        assert (root.get("width"), root.get("height"), root.get("viewBox")) == (
            "210mm",
            "297mm",
            "0 0 210 297",
        )
        card = root.find("{http://www.w3.org/2000/svg}svg")
        assert card.get("width") == f"{load_art('onirim').draw('back').width:g}"


@pytest.mark.slow
@pytest.mark.parametrize("key", REGISTRY)
def test_the_board_to_play_on_has_every_place_where_it_belongs(key):
    game = load(key)
    board = game.board(game.resolve({}))
    (page,) = marker_pages(board, "Game", "board", "en", place_items(board, game.texts, "en"))
    left, top = (min(marker[i] for marker in board.markers) - MARGIN for i in (1, 2))
    middles = [(item.x + item.drawing.width / 2, item.y + item.drawing.height / 2) for item in page.items]
    for place in board.places:
        wanted = (place.x - left, place.y - top)
        assert any(middle == pytest.approx(wanted) for middle in middles), place


@pytest.mark.parametrize("key", REGISTRY)
def test_the_board_to_play_on_has_coordinates_or_words_on_its_places(key):
    game = load(key)
    for options in map(game.resolve, ({}, *game.samples.values())):
        items = place_items(game.board(options), game.texts, "ru")
        said = {word.text for item in items for word in item.drawing.shapes if isinstance(word, Word)}
        assert [text for text in said if re.search("[a-z]{2}", text)] == []


@pytest.mark.parametrize("key", REGISTRY)
def test_the_kit_holds_every_piece_on_the_page(key):
    kit, paper = load_art(key).KIT, load_paper(key, "en")
    pages = kit_pages(load(key), "en")
    pieces = sum(n for _, _, n in kit) + sum(one.n for one in paper)
    backs = sum(n for _, back, n in kit if back) + sum(one.n for one in paper if one.back)
    # Three items of each page are its foot.
    assert sum(len(page.items) - 3 for page in pages) == pieces + backs
    faces = {face.name for face in load(key).board(load(key).resolve({})).faces}
    assert {front for front, _, _ in kit} | {back for _, back, _ in kit if back} <= faces
    for page in pages:
        for item in page.items:
            assert item.x >= 0 and item.x + item.drawing.width <= A4[0] + 0.01, item
            assert item.y >= 0 and item.y + item.drawing.height <= A4[1] + 0.01, item


@pytest.mark.parametrize(
    ("key", "in_box"),
    [
        # Tiles, the Dirge's pits, pawns, candles, nerve, keys, the fourth prisoner, the discard board.
        ("night_cage", 102 + 9 + 5 + 5 + 14 + 5 + 1 + 1),
        # Skeletons, chiefs, traps, floors, houses, heroes, weapons, coins, cemeteries, boards, markers.
        ("bad_bones", 180 + 19 + 57 + 24 + 30 + 6 + 8 + 77 + 6 + 2 + 2),
        ("onirim", 76),
        # Cards with the five reference cards, figures, nuggets, webs; a printed dwarf cannot be laid flat, so
        # there is one that lies for each.
        ("dark_cave", 110 + 8 + 3 + 46 + 3 + 8),
        # Figures, tokens and barricades on the boards; cards; boards and states; other tokens; dice;
        # levels, inventories, dossiers, aids, the crossroads.
        (
            "whisper",
            (5 + 6 + 12 + 2 + 1 + 5 + 2 + 1 + 14)
            + (45 + 39 + 40 + 16)
            + (5 + 5 + 3)
            + (6 + 11 + 1 + 3 + 1 + 4)
            + (1 + 3 + 5 + 2 + 1),
        ),
    ],
)
def test_the_kit_is_what_the_box_holds(key, in_box):
    assert sum(n for _, _, n in load_art(key).KIT) + sum(one.n for one in load_paper(key, "en")) == in_box


@pytest.mark.parametrize(
    ("key", "subject", "pieces"),
    [
        ("whisper", "killer_cards.butcher_sense", 2),
        ("whisper", "skills.s17", 1),
        # The killer's board and the figure, which stands on two boards.
        ("whisper", "killers.butcher", 3),
        # The survivor's dossier, board and figure.
        ("whisper", "survivors.marco", 3),
        ("dark_cave", "tunnels.T1-08", 1),
        ("dark_cave", "actions.rat-1", 2),
        ("dark_cave", "webs.circle", 1),
        ("bad_bones", "traps.maze", 3),
        ("bad_bones", "weapons.rapier", 1),
    ],
)
def test_a_printed_piece_bears_a_question_mark_until_somebody_has_checked_it(key, subject, pieces):
    def marks(game):
        return sum(word.text == "?" for page in kit_pages(game, "en") for word in words_of(page))

    checked = {fact.id: fact.value for fact in load(key).facts if fact.subject == subject and fact.plays}
    assert marks(load(key)) - marks(load_with(key, checked)) == pieces


@pytest.mark.parametrize("key", ["whisper", "dark_cave", "bad_bones"])
def test_the_foot_of_a_kit_says_how_much_nobody_has_checked(key):
    def feet(game):
        return [
            word.text for page in kit_pages(game, "en") for word in words_of(page) if "“My box”" in word.text
        ]

    assert feet(load(key)) and all(f"{doubtful(load(key))} facts" in foot for foot in feet(load(key)))
    checked = {fact.id: fact.value for fact in load(key).facts if fact.plays}
    assert feet(load_with(key, checked)) == []


def test_a_board_that_lies_beside_is_printed_true_to_the_millimetre(tmp_path):
    discards = max((one.front for one in load_paper("night_cage", "en")), key=lambda front: front.height)
    page = kit_pages(load("night_cage"), "en")[0]
    write([page], tmp_path / "kit.pdf")
    image = rendered(tmp_path / "kit.pdf")
    assert np.ptp(dark_run(image[int((EDGE + 1) * PX)])) / PX == pytest.approx(discards.width, abs=0.35)
    column = image[: int(284 * PX), int((EDGE + 0.5) * PX)]
    assert np.ptp(dark_run(column)) / PX == pytest.approx(discards.height, abs=0.35)


@pytest.mark.parametrize("key", REGISTRY)
def test_with_a_bleed_each_piece_keeps_its_size_and_lies_by_itself(key):
    bleed = 2.0
    plain, bled = (
        [item for page in kit_pages(load(key), "en", one) for item in page.items[:-3]] for one in (0.0, bleed)
    )
    sizes = [
        sorted((round(item.drawing.width - by, 6), round(item.drawing.height - by, 6)) for item in items)
        for items, by in ((plain, 0), (bled, 2 * bleed))
    ]
    assert sizes[0] == sizes[1]
    for page in kit_pages(load(key), "en", bleed):
        for item in page.items:
            assert item.x >= 0 and item.x + item.drawing.width <= A4[0] + 0.01, item
            assert item.y >= 0 and item.y + item.drawing.height <= A4[1] + 0.01, item


def test_the_art_goes_on_beyond_the_cut(tmp_path):
    """A millimetre outside of a card there is art as a millimetre inside; without a bleed it is white."""
    for bleed in (0.0, 2.0):
        page = kit_pages(load("onirim"), "en", bleed)[0]
        # Alone on its page: nothing of a neighbour lies beside it.
        item = page.items[0]._replace(x=40.0, y=40.0)
        write([page._replace(items=(item,))], tmp_path / "kit.pdf")
        image = rendered(tmp_path / "kit.pdf")
        left, row = int((40 + bleed) * PX), int((40 + item.drawing.height / 2) * PX)
        outside, inside = (float(image[row, left + int(by * PX)]) for by in (-1.0, 1.0))
        assert inside < 200
        assert (outside < 200) == bool(bleed)


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("key", REGISTRY)
def test_words_on_cards_stay_on_their_card(key, language):
    pdf = FPDF(unit="mm")
    pdf.add_font("gloam", "", str(FONT))
    for one in load_paper(key, language):
        for drawing in (one.front, one.back or one.front):
            for word in (shape for shape in drawing.shapes if isinstance(shape, Word)):
                pdf.set_font("gloam", size=word.size / 0.72 / 25.4 * 72)
                assert pdf.get_string_width(word.text) <= drawing.width - 1, word
                assert abs(word.y) + word.size <= drawing.height / 2, word


def test_backs_lie_behind_their_fronts_when_the_sheet_is_turned():
    fronts, backs = kit_pages(load("onirim"), "en")[:2]
    for front, back in zip(fronts.items[:-3], backs.items[:-3], strict=True):
        assert A4[0] - back.x - back.drawing.width == pytest.approx(front.x)
        assert back.y == front.y


@pytest.mark.parametrize("key", REGISTRY)
def test_sheets_call_the_pieces_what_players_call_them(key):
    faces = [face.name for face in load(key).board(load(key).resolve({})).faces]
    for language in ("en", "ru"):
        said = {shape.text for page in sheet_pages(load(key), language) for shape in words_of(page)}
        inner = {name for name in faces if not name.isalpha()}
        assert not [(text, name) for text in said for name in inner if name in text]
    # In Russian even an English word would be an inner name; levels and sides of cards are numerals.
    assert [text for text in said if re.search("[a-z]", text)] == []


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("key", REGISTRY)
def test_the_font_has_every_letter_and_sign_that_is_printed(key, language):
    pages = [*sheet_pages(load(key), language), *kit_pages(load(key), language)]
    letters = {letter for page in pages for word in words_of(page) for letter in word.text}
    assert letters - set(map(chr, TTFont(FONT).getBestCmap())) == set()


def words_of(page):
    return [shape for item in page.items for shape in item.drawing.shapes if isinstance(shape, Word)]


@pytest.mark.slow
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


def test_a_game_that_is_not_named_is_asked_for(tmp_path, capsys):
    assert main(["print", "kit", "--out", str(tmp_path / "k.pdf")]) == 1
    assert "name the game: night_cage" in capsys.readouterr().err
