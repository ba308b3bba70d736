"""`gloam print`: frames, boards, pieces of our own art and sheets for reference, exact in millimetres.

Every page is a list of drawings and words at places in mm, written as PDF (fpdf2) or SVG. Each page carries a
ruler of 100 mm: measure it before you cut.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import chain, repeat
from math import ceil, cos, radians, sin
from pathlib import Path
from typing import Any, NamedTuple

import cv2

from companion.engine.drawing import (
    Area,
    Disc,
    Drawing,
    Print,
    Shape,
    Stroke,
    Word,
    box,
    line,
    lines_of,
    placed,
    scaled,
    svg,
    svg_page,
)
from companion.engine.errors import ConfigError
from companion.engine.game import Game
from companion.engine.layout import (
    CALIBRATION,
    DICTIONARY,
    MARKER_SIZE,
    MARKERS,
    At,
    Board,
    Marker,
    Place,
    built,
)
from companion.engine.marker_cards import CARD_MM, CARDS, CardPlace
from companion.engine.options import from_pairs
from companion.engine.parts import cards_at, move_parts
from companion.engine.text import LANGUAGES, Texts
from companion.games import REGISTRY, load_art, load_paper
from companion.settings.data_folder import data_folder
from companion.table.boxes import Boxes, doubtful, doubtful_pieces
from hardware.themes import GLOAM

A4 = (210.0, 297.0)
MARGIN = 8.0
SMALL = 22.0
"""The size of a piece on a reference sheet."""
EDGE = 6.0
"""The margin of pieces: small, so that three tiles of 66 mm fit side by side. They share their cuts."""
MOST_BLEED = 5.0
"""How far the art of a printed piece may go on beyond its cut."""
FONT = Path(__file__).with_name("fonts") / "DejaVuSans.ttf"
SPARE = MARKERS * CALIBRATION
"""The first marker number of the calibration sheet: no board has it."""
_SAY = {
    "ruler": ("100 mm: measure before you cut", "100 мм: измерьте, прежде чем резать"),
    "calibration": ("Calibration sheet", "Калибровочный лист"),
    "check": (
        "Measure both rulers and the square: 100 mm each, half a millimetre more or less is fine.",
        "Измерьте обе линейки и квадрат: по 100 мм, допустимо полмиллиметра в любую сторону.",
    ),
    "remedy": (
        "If not: print at 100 %, without “fit to page”. Still not: scale by 100 divided by what you measure.",
        "Если нет: печатайте в масштабе 100 %, без «по размеру листа», или масштаб 100 / измеренное.",
    ),
    "tints": (
        "The lights' colours, to compare with print and camera",
        "Цвета подсветки: сравните печать и камеру",
    ),
    "frame": ("{board}: frame, part {part} of {parts}", "{board}: рамка, часть {part} из {parts}"),
    "cards": (
        "Marker cards for all games: cut, lay flat around the board, all in the camera's view",
        "Карточки с метками для всех игр: разрежьте, положите ровно вокруг поля, в поле зрения камеры",
    ),
    "kit": ("{board}: pieces, page {part} of {parts}", "{board}: компоненты, лист {part} из {parts}"),
    "backs": ("{board}: backs of page {part}", "{board}: обороты листа {part}"),
    "sheet": ("{board}: reference", "{board}: памятка"),
    "unchecked": (
        "{n} facts about these pieces are not checked with a real box: see the page “My box”.",
        "Не сверено с настоящей коробкой: {n}. Смотрите страницу «Моя коробка».",
    ),
}


class PrintItem(NamedTuple):
    """A drawing on a page, its upper left corner at (x, y) mm."""

    drawing: Drawing
    x: float
    y: float


class Page(NamedTuple):
    """A page of a print."""

    width: float
    height: float
    items: tuple[PrintItem, ...]


def command(argv: list[str]) -> int:
    """`gloam print markers|board|kit|sheet GAME --out F`, `… parts GAME --out DIR`, `… cards|calibration`."""
    parser = argparse.ArgumentParser(prog="gloam print", description="Makes printable parts, exact in mm.")
    parser.add_argument("what", choices=("cards", "calibration", "markers", "board", "kit", "sheet", "parts"))
    names = f"{', '.join(REGISTRY)}; not for cards and calibration"
    parser.add_argument("game", metavar="GAME", nargs="?", help=names)
    kinds = "a .pdf, or a .svg (one file per page); for parts a folder"
    parser.add_argument("--out", required=True, metavar="F.pdf", help=kinds)
    parser.add_argument("--option", action="append", default=[], metavar="K=V", help="an option of the game")
    parser.add_argument(
        "--paper", choices=("a4", "board"), default="a4", help="board: one page as large as the frame"
    )
    parser.add_argument("--language", choices=LANGUAGES, default="en")
    parser.add_argument(
        "--bleed", type=float, default=0.0, metavar="MM", help="for kit: art beyond each cut, up to 5 mm"
    )
    parser.add_argument(
        "--map", help="the lights that pieces are laid apart for: rails, halo, glass; for parts rails"
    )
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="for parts: take [lights] of these settings, as the driver does",
    )
    args = parser.parse_args(argv)
    if args.what == "parts":
        return _parts(args)
    written = write(pages := _pages(args), Path(args.out))
    print(f"{len(pages)} pages written to {', '.join(written)}; print at 100 %, not fitted to the page")
    return 0


def _parts(args: argparse.Namespace) -> int:
    """Writes what a maker of lights needs, from the map that the driver will use."""
    from hardware.making import write_parts
    from hardware.wiring import LightSettings, build_of, led_map_for, load

    if args.game is None:
        raise ConfigError(f"gloam print parts: name the game: {', '.join(REGISTRY)}")
    lights = load(args.config).lights if args.config else LightSettings(map="rails")
    if args.map:
        lights = replace(lights, map=args.map)
    game = Boxes(data_folder()).load(args.game)
    board = built(game.board(game.resolve(from_pairs(args.option))), build_of(lights))
    title = game.texts.say("game.title", args.language)
    led_map = led_map_for(lights, board)
    written = write_parts(title, board, led_map, Path(args.out), lights.profile_leds)
    print(f"{', '.join(written)} written to {args.out}; cut and drill at 1:1: the ruler is 100 mm")
    return 0


def _pages(args: argparse.Namespace) -> list[Page]:
    if args.what == "cards":
        return card_pages(args.language)
    if args.what == "calibration":
        return calibration_pages(args.language)
    if args.game is None:
        raise ConfigError(f"gloam print {args.what}: name the game: {', '.join(REGISTRY)}")
    game = Boxes(data_folder()).load(args.game)
    options = game.resolve(from_pairs(args.option))
    if args.what == "kit":
        if not 0 <= args.bleed <= MOST_BLEED:
            raise ConfigError(f"gloam print kit --bleed {args.bleed:g}: 0 to {MOST_BLEED:g} mm are possible")
        return kit_pages(game, args.language, args.bleed)
    if args.what == "sheet":
        return sheet_pages(game, args.language)
    board = game.board(options)
    if args.map:
        board = built(board, args.map)
    title = game.texts.say("game.title", args.language)
    if args.what == "board" and board.parts:
        return [
            page
            for part in part_boards(board)
            for page in marker_pages(
                part,
                f"{title}, {part.name}",
                args.paper,
                args.language,
                place_items(part, game.texts, args.language),
            )
        ]
    places = board_items(game, board, args.language) if args.what == "board" else []
    return marker_pages(board, title, args.paper, args.language, places)


# Pages -----------------------------------------------------------------------------------------


def calibration_pages(language: str) -> list[Page]:
    """One page that shows whether printer and camera are true: rulers, a square, markers, colours."""
    x, y = 40.0, 70.0
    square = ((-50, -50), (50, -50), (50, 50), (-50, 50), (-50, -50))
    items = [
        PrintItem(_label(_say("calibration", language), 5), MARGIN, MARGIN),
        PrintItem(_label(_say("check", language), 1.9, 190), MARGIN, 24),
        PrintItem(_label(_say("remedy", language), 1.9, 190), MARGIN, 30),
        PrintItem(_ruler(), x - 0.5, y - 12),
        PrintItem(_turned(_ruler()), x - 18, y - 0.5),
        PrintItem(Drawing(101, 101, (Stroke(square, 0.3, "#000000"),)), x - 0.5, y - 0.5),
    ]
    # Ten millimetres inside the square: their outer corners are 80 mm apart.
    near, far = 10.0, 90.0 - MARKER_SIZE
    for marker in (
        Marker(SPARE, x + near, y + near, MARKER_SIZE),
        Marker(SPARE + 1, x + far, y + far, MARKER_SIZE),
    ):
        items.append(PrintItem(marker_drawing(marker), marker.x, marker.y))
    items.append(PrintItem(_label(_say("tints", language), 1.9, 190), MARGIN, 196))
    for i, colour in enumerate(GLOAM.tints.values()):
        items.append(PrintItem(_cut(Drawing(18, 18, (box(18, 18, colour),))), MARGIN + 21 * i, 204))
    for i in range(9):
        grey = "#" + f"{i * 255 // 8:02x}" * 3
        items.append(PrintItem(_cut(Drawing(18, 18, (box(18, 18, grey),))), MARGIN + 21 * i, 226))
    return [Page(*A4, (*items, *_foot(_say("calibration", language), *A4, language)))]


def card_pages(language: str) -> list[Page]:
    """The one page of marker cards, two side by side."""
    wide, high = CARD_MM
    left, top = (A4[0] - 2 * wide) / 2, MARGIN
    items = []
    for number in range(1, CARDS + 1):
        row, column = divmod(number - 1, 2)
        x, y = left + column * wide, top + row * high
        items.append(PrintItem(_cut(_card(number)), x, y))
    return [Page(*A4, (*items, *_foot(_say("cards", language), *A4, language)))]


def _card(number: int) -> Drawing:
    """A card: its two markers on white, its number at its right end, where it disturbs neither."""
    wide, high = CARD_MM
    shapes: list[Shape] = [box(wide, high, "#ffffff")]
    for marker in CardPlace(number, 0, 0, 0).markers():
        x, y = marker.middle()
        shapes += placed(marker_drawing(marker).shapes, x, y)
    shapes.append(Word(str(number), wide / 2 - 3, high / 2 - 4, 2.2, "#000000"))
    return Drawing(wide, high, tuple(shapes))


def part_boards(board: Board) -> list[Board]:
    """Boards that lie by themselves, each for itself, with its cards' markers where the cards would lie."""
    alone = []
    for part in board.parts:
        straight = move_parts(board, [At(0.0, 0.0) if one is part else one.at for one in board.parts])
        places = straight.places[part.first : part.first + part.cells]
        markers = tuple(upright(marker) for card in cards_at(part) for marker in card.markers())
        if markers:
            alone.append(Board(part.name, part.width, part.height, places, board.faces, markers))
    return alone


def upright(marker: Marker) -> Marker:
    """A marker that is turned by quarters, with the upper left corner of the square that it covers."""
    xs, ys = zip(*marker.corners(), strict=True)
    return marker._replace(x=min(xs), y=min(ys))


def marker_pages(
    board: Board, title: str, paper: str, language: str, places: Sequence[PrintItem] = ()
) -> list[Page]:
    """The frame around a board: its markers where they belong, and the board's outline to lay it on.

    With its places on it, it is a board to play on.
    """
    left = min(marker.x for marker in board.markers) - MARGIN
    top = min(marker.y for marker in board.markers) - MARGIN
    width = max(marker.x + marker.size for marker in board.markers) + MARGIN - left
    height = max(marker.y + marker.size for marker in board.markers) + MARGIN - top
    items = [
        PrintItem(_quartered(marker_drawing(marker), marker.turn), marker.x - left, marker.y - top)
        for marker in board.markers
    ]
    items.append(PrintItem(_outline(board), -left, -top))
    items += [item._replace(x=item.x - left, y=item.y - top) for item in places]
    name = f"{title} {board.width:.0f} × {board.height:.0f}"
    if paper == "board":
        text = _say("frame", language, board=name, part=1, parts=1)
        return [Page(width, height, (*items, *_foot(text, width, height, language)))]
    # Pages overlap by more than a marker, so that each marker is whole on one of them.
    overlap = board.markers[0].size + 2
    inner_w, inner_h = A4[0] - 2 * MARGIN, A4[1] - 2 * MARGIN - 8
    ys, xs = _steps(height, inner_h, overlap), _steps(width, inner_w, overlap)
    markers = items[: len(board.markers)]
    # A cross at each corner of each page, drawn on all pages that hold the spot: lay cross on cross.
    corners = {(x + dx - 3, y + dy - 3) for y in ys for x in xs for dx in (0, inner_w) for dy in (0, inner_h)}
    crosses = [PrintItem(_cross(), *corner) for corner in sorted(corners)]
    items += [cross for cross in crosses if not any(_is_on(marker, *cross[1:], 6, 6) for marker in markers)]
    sheets = [
        [
            item._replace(x=item.x - x + MARGIN, y=item.y - y + MARGIN)
            for item in items
            if _is_on(item, x, y, inner_w, inner_h)
        ]
        for y in ys
        for x in xs
    ]
    return [
        Page(
            *A4,
            (
                *sheet,
                *_foot(_say("frame", language, board=name, part=i, parts=len(sheets)), *A4, language),
            ),
        )
        for i, sheet in enumerate(sheets, 1)
    ]


def _steps(length: float, page: float, overlap: float) -> list[float]:
    """Where pages begin that cover a length evenly; the margins at both ends need no paper."""
    needed = length - 2 * MARGIN
    n = 1 + max(0, ceil((needed - page) / (page - overlap)))
    return [MARGIN + (i * (needed - page) / (n - 1) if n > 1 else 0.0) for i in range(n)]


def board_items(game: Game, board: Board, language: str) -> list[PrintItem]:
    """What is printed on a board: the game's own `ground`, where its art has one, and the places on it."""
    art = load_art(game.key, game.edition)
    ground = [PrintItem(art.ground(board), 0, 0)] if hasattr(art, "ground") else []
    return [*ground, *place_items(board, game.texts, language)]


def place_items(board: Board, texts: Texts, language: str) -> list[PrintItem]:
    """The places of a board with their names, and lines along its passages: to play without the box."""
    items = []
    middle = {place.name: (place.x, place.y) for place in board.places}
    for place in board.places:
        ends = place.name.split("-")
        if len(ends) == 2 and ends[0] in middle and ends[1] in middle:
            a, b = middle[ends[0]], middle[ends[1]]
            way = tuple((x - board.width / 2, y - board.height / 2) for x, y in (a, (place.x, place.y), b))
            items.append(PrintItem(Drawing(board.width, board.height, (Stroke(way, 1.2, "#c8c8c8"),)), 0, 0))
    for place in board.places:
        drawn = _place(place, _printed_on(place, texts, language))
        items.append(PrintItem(drawn, place.x - drawn.width / 2, place.y - drawn.height / 2))
    return items


def _printed_on(place: Place, texts: Texts, language: str) -> str:
    """What stands on a place; a room shows its name, by which passages call it, and what it is called."""
    if f"board.{place.name}" in texts:
        return texts.say(f"board.{place.name}", language)
    if f"place.{place.name}" in texts:
        return f"{place.name} {texts.say(f'place.{place.name}', language)}"
    return place.name


def kit_pages(game: Game, language: str, bleed: float = 0.0) -> list[Page]:
    """All that is in the box; backs on the page after, mirrored for both sides of a sheet.

    Pieces share their cuts; with a bleed each lies by itself and its art goes on beyond its cut.
    """
    art = load_art(game.key, game.edition)
    wanted = [
        Print(art.draw(front), art.draw(back) if back else None, n, front) for front, back, n in art.KIT
    ]
    wanted += load_paper(game.key, language, game.edition)
    doubts = doubtful_pieces(game)
    wanted = [
        one._replace(front=_doubted(one.front)) if doubts & {one.word, one.word.partition("-")[0]} else one
        for one in wanted
    ]
    if bleed:
        wanted = [
            one._replace(front=_bled(one.front, bleed), back=_bled(one.back, bleed) if one.back else None)
            for one in wanted
        ]
    wanted.sort(key=lambda one: (-one.front.height, -one.front.width))
    sheets: list[list[tuple[Print, float, float]]] = []
    x = y = high = 0.0
    right, bottom = A4[0] - 2 * EDGE, A4[1] - EDGE - MARGIN - 4
    for piece in chain.from_iterable(repeat(one, one.n) for one in wanted):
        width, height, _ = piece.front
        if x + width > right:
            x, y, high = 0.0, y + high, 0.0
        if not sheets or y + height > bottom:
            sheets.append([])
            x = y = high = 0.0
        sheets[-1].append((piece, EDGE + x, EDGE + y))
        x, high = x + width, max(high, height)
    title = game.texts.say("game.title", language)
    note = _say("unchecked", language, n=n) if (n := doubtful(game)) else ""
    pages = []
    for part, sheet in enumerate(sheets, 1):
        text = _say("kit", language, board=title, part=part, parts=len(sheets))
        fronts = tuple(
            PrintItem(piece.front if bleed else _cut(piece.front), px, py) for piece, px, py in sheet
        )
        pages.append(Page(*A4, (*fronts, *_foot(text, *A4, language, note))))
        backs = [
            PrintItem(piece.back, A4[0] - px - piece.back.width, py) for piece, px, py in sheet if piece.back
        ]
        if backs:
            text = _say("backs", language, board=title, part=part)
            pages.append(Page(*A4, (*backs, *_foot(text, *A4, language))))
    return pages


def sheet_pages(game: Game, language: str) -> list[Page]:
    """A reference sheet: the phases of the game in two columns, and what the pieces are called."""
    art = load_art(game.key, game.edition)
    texts = game.texts
    title = texts.say("game.title", language)
    items = [PrintItem(_label(title, 7), MARGIN, MARGIN)]
    phases = []
    for name in texts.table:
        if name.startswith("phase.") and name != "phase.over":
            first, *more = lines_of(texts.say(name, language), 2.0, 94)
            phases += [first, *(f"    {row}" for row in more)]
    rows = ceil(len(phases) / 2)
    for i, phase in enumerate(phases):
        x = MARGIN + 98 * (i // rows)
        items.append(PrintItem(_label(phase, 2.0, 96), x, MARGIN + 18 + 5 * (i % rows)))
    pages: list[Page] = []
    x, y = MARGIN, MARGIN + 24.0 + 5 * rows
    foot = _say("sheet", language, board=title)
    for face in game.board(game.resolve({})).faces:
        if y + SMALL + 13 > A4[1] - MARGIN - 4:
            pages.append(Page(*A4, (*items, *_foot(foot, *A4, language))))
            items, x, y = [], MARGIN, MARGIN
        drawing = art.draw(face.name)
        scale = min(1.0, SMALL / max(drawing.width, drawing.height))
        items.append(PrintItem(scaled(drawing, scale), x, y))
        # Where two cards read alike their number stands behind; here the picture tells them apart.
        word = texts.say(f"word.{face.name}", language).removesuffix(f" ({face.name})")
        for i, row in enumerate(lines_of(word, 1.5, 30)):
            items.append(PrintItem(_label(row, 1.5, 31), x, y + SMALL + 1 + 3.4 * i))
        x += 32
        if x + 30 > A4[0] - MARGIN:
            x, y = MARGIN, y + SMALL + 13
    return [*pages, Page(*A4, (*items, *_foot(foot, *A4, language)))]


def marker_drawing(marker: Marker) -> Drawing:
    """A marker as exact squares: six by six cells, the outer ones black."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    bits = cv2.aruco.generateImageMarker(dictionary, marker.id, 6)
    cell = marker.size / 6
    shapes: list[Shape] = [box(marker.size, marker.size, "#000000")]
    for row in range(6):
        for column in range(6):
            if bits[row, column]:
                shapes += placed([box(cell, cell, "#ffffff")], (column - 2.5) * cell, (row - 2.5) * cell)
    return Drawing(marker.size, marker.size, tuple(shapes))


def _quartered(drawing: Drawing, turn: float) -> Drawing:
    """A square drawing, turned by quarters."""
    return drawing._replace(shapes=tuple(placed(drawing.shapes, turn=turn))) if turn else drawing


def _place(place: Place, name: str) -> Drawing:
    """A place of the board: its edge and its name."""
    w, h = place.width / 2, place.height / 2
    edge = Stroke(((-w, -h), (w, -h), (w, h), (-w, h), (-w, -h)), 0.25, "#9a9a9a")
    shapes = placed([box(place.width, place.height, "#ffffff"), edge], turn=place.turn)
    c, s = abs(cos(radians(place.turn))), abs(sin(radians(place.turn)))
    width, height = 2 * (w * c + h * s) + 0.3, 2 * (w * s + h * c) + 0.3  # the line's outer half too
    rows = lines_of(name, 1.8, width - 2)
    shapes += [Word(row, 0, 3.6 * (i - (len(rows) - 1) / 2), 1.8, "#909090") for i, row in enumerate(rows)]
    return Drawing(width, height, tuple(shapes))


def _outline(board: Board) -> Drawing:
    """Corners of the board, to lay it into the frame."""
    w, h, reach = board.width / 2, board.height / 2, 15.0
    shapes = []
    for sx in (-1, 1):
        for sy in (-1, 1):
            corner = ((sx * (w - reach), sy * h), (sx * w, sy * h), (sx * w, sy * (h - reach)))
            shapes.append(Stroke(corner, 0.3, "#808080"))
    return Drawing(board.width, board.height, tuple(shapes))


def _cut(drawing: Drawing) -> Drawing:
    """A drawing with a thin line along its edge to cut by."""
    w, h = drawing.width / 2, drawing.height / 2
    edge = ((-w, -h), (w, -h), (w, h), (-w, h), (-w, -h))
    return drawing._replace(shapes=(*drawing.shapes, Stroke(edge, 0.2, "#a0a0a0")))


def _doubted(drawing: Drawing) -> Drawing:
    """A drawing with a small question mark in its corner: nobody has compared the piece with a box."""
    x, y = drawing.width / 2 - 2.4, 2.4 - drawing.height / 2
    mark = (Disc(x, y, 1.6, "#5f554a"), Word("?", x, y, 1.7, "#ffffff"))
    return drawing._replace(shapes=(*drawing.shapes, *mark))


def _bled(drawing: Drawing, bleed: float) -> Drawing:
    """A drawing whose art goes on beyond its edge, with marks where to cut.

    What lies beyond is the same art, a little larger, under the piece itself.
    """
    width, height, shapes = drawing
    w, h = width / 2, height / 2
    art = [shape for shape in shapes if not isinstance(shape, Word)]
    larger = placed(art, scale=max((width + 2 * bleed) / width, (height + 2 * bleed) / height))
    marks: list[Shape] = []
    for sx in (-1, 1):
        for sy in (-1, 1):
            x, y = sx * w, sy * h
            marks.append(line(x + sx * bleed * 0.4, y, x + sx * bleed, y, 0.15, "#000000"))
            marks.append(line(x, y + sy * bleed * 0.4, x, y + sy * bleed, 0.15, "#000000"))
    return Drawing(width + 2 * bleed, height + 2 * bleed, (*larger, *shapes, *marks))


def _cross() -> Drawing:
    """A mark where pages meet."""
    return Drawing(6, 6, (line(-3, 0, 3, 0, 0.2, "#808080"), line(0, -3, 0, 3, 0.2, "#808080")))


def _label(text: str, size: float, width: float = 180.0) -> Drawing:
    return Drawing(width, size * 2, (Word(text, -width / 2, 0, size, "#000000", "start"),))


def _ruler() -> Drawing:
    """100 mm with a mark each 10; half a millimetre of paper beyond both ends."""
    marks: list[Shape] = [line(-50, 0, 50, 0, 0.3, "#000000")]
    marks += [line(x, -1.5, x, 1.5, 0.3, "#000000") for x in range(-50, 51, 10)]
    return Drawing(101, 4, tuple(marks))


def _turned(drawing: Drawing) -> Drawing:
    """The same, standing upright."""
    return Drawing(drawing.height, drawing.width, tuple(placed(drawing.shapes, turn=90)))


def _foot(text: str, width: float, height: float, language: str, note: str = "") -> Iterator[PrintItem]:
    """The ruler, what the page is, and a note below."""
    yield PrintItem(_ruler(), MARGIN - 0.5, height - MARGIN)
    yield PrintItem(_label(_say("ruler", language), 1.8, 80), MARGIN + 2, height - MARGIN + 4.2)
    label = _label(text, 1.6, 92)
    if note:
        label = Drawing(
            92, 6.4, (*placed(label.shapes, y=-1.6), *placed(_label(note, 1.4, 92).shapes, y=1.6))
        )
    yield PrintItem(label, min(width - 94, MARGIN + 104), height - MARGIN)


def _is_on(item: PrintItem, x: float, y: float, width: float, height: float) -> bool:
    d = item.drawing
    return item.x < x + width and item.x + d.width > x and item.y < y + height and item.y + d.height > y


def _say(key: str, language: str, **blanks: Any) -> str:
    return _SAY[key][LANGUAGES.index(language)].format(**blanks)


# Writing ---------------------------------------------------------------------------------------


def write(pages: list[Page], path: Path) -> list[str]:
    """Writes the pages; returns the names of the files."""
    if path.suffix == ".pdf":
        _write_pdf(pages, path)
        return [str(path)]
    if path.suffix != ".svg":
        raise ConfigError(f"--out {path}: the name must end in .pdf or .svg")
    names = []
    for i, page in enumerate(pages, 1):
        one = path if len(pages) == 1 else path.with_stem(f"{path.stem}-{i}")
        body = "".join(svg(item.drawing, item.x, item.y) for item in page.items)
        one.write_text(svg_page(page.width, page.height, body), "utf-8")
        names.append(str(one))
    return names


def _write_pdf(pages: list[Page], path: Path) -> None:
    try:
        fpdf = import_module("fpdf")
    except ImportError as error:
        raise ConfigError(
            "PDF needs the package fpdf2: pip install 'gloam[print]', or write a .svg"
        ) from error
    pdf = fpdf.FPDF(unit="mm")
    pdf.set_auto_page_break(False)
    pdf.add_font("gloam", "", str(FONT))
    for page in pages:
        pdf.add_page(format=(page.width, page.height))
        for item in page.items:
            d = item.drawing
            with pdf.local_context(), pdf.rect_clip(item.x, item.y, d.width, d.height):
                for shape in placed(d.shapes, item.x + d.width / 2, item.y + d.height / 2):
                    _paint(pdf, shape)
    pdf.output(str(path))


def _paint(pdf: Any, shape: Shape) -> None:
    if isinstance(shape, Area):
        pdf.set_fill_color(shape.fill)
        pdf.polygon(shape.points, style="F")
    elif isinstance(shape, Disc):
        pdf.set_fill_color(shape.fill)
        pdf.circle(shape.x, shape.y, shape.radius, style="F")
    elif isinstance(shape, Stroke):
        pdf.set_draw_color(shape.colour)
        pdf.set_line_width(shape.width)
        pdf.polyline(shape.points)
        if shape.width > 0.5:
            pdf.set_fill_color(shape.colour)  # round ends and corners
            for x, y in shape.points:
                pdf.circle(x, y, shape.width / 2, style="F")
    else:
        pdf.set_text_color(shape.colour)
        pdf.set_font("gloam", size=shape.size / 0.72 / 25.4 * 72)
        left = shape.x - (pdf.get_string_width(shape.text) / 2 if shape.anchor == "middle" else 0)
        pdf.text(left, shape.y + shape.size / 2, shape.text)
