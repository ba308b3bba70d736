"""`gloam print`: marker frames, pieces of our own art and reference sheets, exact in millimetres.

Every page is a list of drawings and words at places in mm, written as PDF (fpdf2) or SVG. Each page carries a
ruler of 100 mm: measure it before you cut.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from importlib import import_module
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

import cv2

from companion.art import Area, Disc, Drawing, Shape, Stroke, Word, box, line, placed, svg, svg_page
from companion.errors import ConfigError
from companion.games import REGISTRY, load, load_art
from companion.layout import Board, Marker

A4 = (210.0, 297.0)
MARGIN = 8.0
OVERLAP = 10.0
GAP = 2.0
FONT = Path(__file__).with_name("fonts") / "DejaVuSans.ttf"
LANGUAGES = ("en", "ru")
_SAY = {
    "ruler": ("100 mm: measure before you cut", "100 мм: измерьте, прежде чем резать"),
    "frame": ("{board}: frame, part {part} of {parts}", "{board}: рамка, часть {part} из {parts}"),
    "kit": ("{board}: pieces, page {part} of {parts}", "{board}: компоненты, лист {part} из {parts}"),
    "backs": ("{board}: backs of page {part}", "{board}: обороты листа {part}"),
    "sheet": ("{board}: reference", "{board}: памятка"),
}


class Item(NamedTuple):
    """A drawing on a page, its upper left corner at (x, y) mm."""

    drawing: Drawing
    x: float
    y: float


class Page(NamedTuple):
    """A page of a print."""

    width: float
    height: float
    items: tuple[Item, ...]


def command(argv: list[str]) -> int:
    """`gloam print markers|kit|sheet GAME --out F.pdf`."""
    parser = argparse.ArgumentParser(prog="gloam print", description="Makes printable parts, exact in mm.")
    parser.add_argument("what", choices=("markers", "kit", "sheet"))
    parser.add_argument("game", metavar="GAME", help=", ".join(REGISTRY))
    parser.add_argument("--out", required=True, metavar="F.pdf", help="a .pdf, or a .svg (one file per page)")
    parser.add_argument("--option", action="append", default=[], metavar="K=V", help="an option of the game")
    parser.add_argument(
        "--paper", choices=("a4", "board"), default="a4", help="board: one page as large as the frame"
    )
    parser.add_argument("--language", choices=LANGUAGES, default="en")
    args = parser.parse_args(argv)
    game = load(args.game)
    options = game.resolve(dict(pair.split("=", 1) if "=" in pair else (pair, "") for pair in args.option))
    board = game.board(options)
    if args.what == "markers":
        pages = marker_pages(board, args.paper, args.language)
    elif args.what == "kit":
        pages = kit_pages(args.game, args.language)
    else:
        pages = sheet_pages(args.game, args.language)
    written = write(pages, Path(args.out))
    print(f"{len(pages)} pages written to {', '.join(written)}; print at 100 %, not fitted to the page")
    return 0


# Pages -----------------------------------------------------------------------------------------


def marker_pages(board: Board, paper: str, language: str) -> list[Page]:
    """The frame around a board: its markers where they belong, and the board's outline to lay it on."""
    left = min(marker.x for marker in board.markers) - MARGIN
    top = min(marker.y for marker in board.markers) - MARGIN
    width = max(marker.x + marker.size for marker in board.markers) + MARGIN - left
    height = max(marker.y + marker.size for marker in board.markers) + MARGIN - top
    items = [Item(marker_drawing(marker), marker.x - left, marker.y - top) for marker in board.markers]
    items.append(Item(_outline(board), -left, -top))
    if paper == "board":
        text = _say("frame", language, board=board.name, part=1, parts=1)
        return [Page(width, height, (*items, *_foot(text, width, height, language)))]
    inner_w, inner_h = A4[0] - 2 * MARGIN, A4[1] - 2 * MARGIN - 8
    columns = ceil((width - OVERLAP) / (inner_w - OVERLAP))
    rows = ceil((height - OVERLAP) / (inner_h - OVERLAP))
    pages = []
    for row in range(rows):
        for column in range(columns):
            x, y = column * (inner_w - OVERLAP), row * (inner_h - OVERLAP)
            seen = [item for item in items if _is_on(item, x, y, inner_w, inner_h)]
            if not seen:
                continue
            moved = [item._replace(x=item.x - x + MARGIN, y=item.y - y + MARGIN) for item in seen]
            crosses = [
                Item(_cross(), MARGIN + dx - 3, MARGIN + dy - 3) for dx in (0, inner_w) for dy in (0, inner_h)
            ]
            pages.append((moved, crosses))
    return [
        Page(
            *A4,
            (
                *moved,
                *crosses,
                *_foot(_say("frame", language, board=board.name, part=i, parts=len(pages)), *A4, language),
            ),
        )
        for i, (moved, crosses) in enumerate(pages, 1)
    ]


def kit_pages(key: str, language: str) -> list[Page]:
    """All pieces that lie on the table; their backs on the page after, mirrored for both sides of a sheet."""
    art = load_art(key)
    wanted = [(front, back) for front, back, n in art.KIT for _ in range(n)]
    sheets: list[list[tuple[str, str, float, float]]] = []
    x = y = high = 0.0
    right, bottom = A4[0] - 2 * MARGIN, A4[1] - 2 * MARGIN - 8
    for front, back in wanted:
        drawing = art.draw(front)
        if x + drawing.width > right:
            x, y, high = 0.0, y + high + GAP, 0.0
        if not sheets or y + drawing.height > bottom:
            sheets.append([])
            x = y = high = 0.0
        sheets[-1].append((front, back, MARGIN + x, MARGIN + y))
        x, high = x + drawing.width + GAP, max(high, drawing.height)
    pages = []
    for part, sheet in enumerate(sheets, 1):
        text = _say("kit", language, board=key, part=part, parts=len(sheets))
        fronts = tuple(Item(_cut(art.draw(front)), px, py) for front, _, px, py in sheet)
        pages.append(Page(*A4, (*fronts, *_foot(text, *A4, language))))
        backs = [
            Item(art.draw(back), A4[0] - px - art.draw(back).width, py) for _, back, px, py in sheet if back
        ]
        if backs:
            text = _say("backs", language, board=key, part=part)
            pages.append(Page(*A4, (*backs, *_foot(text, *A4, language))))
    return pages


def sheet_pages(key: str, language: str) -> list[Page]:
    """A reference sheet: the phases of a turn, and what the pieces are called."""
    game, art = load(key), load_art(key)
    texts = game.texts
    x, y = MARGIN, MARGIN + 8
    items = [Item(_label(texts.say("game.title", language), 7), x, MARGIN)]
    y += 6
    for name in [name for name in texts.table if name.startswith("phase.")]:
        items.append(Item(_label(texts.say(name, language), 2.6), x, y))
        y += 6
    y += 4
    pages: list[Page] = []
    high = 0.0
    for face in game.board(game.resolve({})).faces:
        drawing = art.draw(face.name)
        scale = min(1.0, 24 / max(drawing.width, drawing.height))
        small = Drawing(
            drawing.width * scale, drawing.height * scale, tuple(placed(drawing.shapes, scale=scale))
        )
        if x + 30 > A4[0] - MARGIN:
            x, y, high = MARGIN, y + high + 8, 0.0
        if y + small.height + 8 > A4[1] - MARGIN - 8:
            pages.append(Page(*A4, (*items, *_foot(_say("sheet", language, board=key), *A4, language))))
            items, x, y, high = [], MARGIN, MARGIN, 0.0
        items.append(Item(small, x, y))
        word = texts.say(f"word.{face.name}", language) if f"word.{face.name}" in texts else face.name
        items.append(Item(_label(word[:18], 1.6, 28), x, y + small.height + 1))
        x, high = x + 31, max(high, small.height)
    return [*pages, Page(*A4, (*items, *_foot(_say("sheet", language, board=key), *A4, language)))]


def marker_drawing(marker: Marker) -> Drawing:
    """A marker as exact squares: six by six cells, the outer ones black."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    bits = cv2.aruco.generateImageMarker(dictionary, marker.id, 6)
    cell = marker.size / 6
    shapes: list[Shape] = [box(marker.size, marker.size, "#000000")]
    for row in range(6):
        for column in range(6):
            if bits[row, column]:
                shapes += placed([box(cell, cell, "#ffffff")], (column - 2.5) * cell, (row - 2.5) * cell)
    return Drawing(marker.size, marker.size, tuple(shapes))


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


def _cross() -> Drawing:
    """A mark where pages meet."""
    return Drawing(6, 6, (line(-3, 0, 3, 0, 0.2, "#808080"), line(0, -3, 0, 3, 0.2, "#808080")))


def _label(text: str, size: float, width: float = 180.0) -> Drawing:
    return Drawing(width, size * 2, (Word(text, -width / 2, 0, size, "#000000", "start"),))


def _foot(text: str, width: float, height: float, language: str) -> Iterator[Item]:
    """The ruler and what the page is."""
    marks: list[Shape] = [line(-50, 0, 50, 0, 0.3, "#000000")]
    marks += [line(x, -1.5, x, 1.5, 0.3, "#000000") for x in range(-50, 51, 10)]
    yield Item(Drawing(101, 4, tuple(marks)), MARGIN - 0.5, height - MARGIN)
    yield Item(_label(_say("ruler", language), 1.8, 80), MARGIN + 2, height - MARGIN + 3)
    yield Item(_label(text, 1.8, 70), min(width - 78, MARGIN + 108), height - MARGIN)


def _is_on(item: Item, x: float, y: float, width: float, height: float) -> bool:
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
