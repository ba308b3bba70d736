"""Trials for measuring and fitting: boards with pieces laid anyhow, the library of their faces, the truth.

Every style is a publisher that training never saw: half of them belong to families of art that were held out
altogether. Each is taught with three photographs per face at level 1, then photographed at every level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import cv2
import numpy as np

from companion.engine.action import Cell
from companion.engine.layout import Board, Face, Layout, Piece, Place
from vision.images import Image, Rng
from vision.lab.paint import FRAME_OF_CARDS, Painted, Painter, Publisher, board_of
from vision.lab.paint_art import FAMILIES, HELD_OUT, Style
from vision.rectify import stack
from vision.teach import PIXELS, FaceLibrary, TeachingSession

KINDS = ("tile", "card", "token")
COLOURS = ("red", "blue", "green", "yellow", "purple")
SEED = 900_000_000
"""Styles for measuring start here, far from those of training."""


class TrialBoard(NamedTuple):
    """One photograph of one style, and the face library of the style."""

    board: Board
    library: FaceLibrary
    painted: Painted
    level: int
    kind: str
    bare: Painted
    """The board at set-up, before anything lies on it, in other light of the same level."""
    hidden: Mapping[Cell, float] = MappingProxyType({})
    """How much of a place an arm hides; none of those that are not named."""


def style_of(number: int) -> Style:
    """The style with this number: every second one of a family that training never saw."""
    families = HELD_OUT if number % 2 else tuple(f for f in FAMILIES if f not in HELD_OUT)
    return Style(SEED + number, families[number // 2 % len(families)])


def board_for(kind: str, rng: Rng, strange: int = 0) -> Board:
    """A board on which pieces of this kind lie; `strange` of them are never taught, nor are covers."""
    if kind == "card":
        faces = [Face(f"card{i}", "card", 63, 88, 2) for i in range(14)]
        return board_of_kind(kind, faces + _untaught(faces[0], strange))
    side = float(rng.uniform(43, 49)) if kind == "tile" else float(rng.uniform(26, 34))
    faces = [Face(f"{kind}{i}", kind, side, side, 4 if i % 4 else 1) for i in range(12)]
    faces += _untaught(faces[0], strange)
    if kind == "tile":
        faces += [Face(f"pawn_{colour}", "pawn", 17, 17) for colour in COLOURS]
    return board_of_kind(kind, faces)


def board_of_kind(kind: str, faces: Sequence[Face]) -> Board:
    """A board of the size that this kind of piece is measured on."""
    if kind != "card":
        return board_of(faces, 7 if kind == "tile" else 6)
    places = [Place(f"p{i}", 40 + 70 * (i % 7), 52 + 95 * (i // 7), 63, 88) for i in range(21)]
    return Board("cards", 500, 300, tuple(places), tuple(faces), FRAME_OF_CARDS)


def _untaught(like: Face, count: int) -> list[Face]:
    """Faces of the same size that are never taught, and larger things that cover a whole place."""
    faces = [like._replace(name=f"strange{i}", turns=1) for i in range(count)]
    covers = [Face(f"cover{i}", "card", like.width * 1.25, like.height * 1.25) for i in range(count)]
    return faces + covers


UNTAUGHT = ("strange", "cover")


def teach_from(painter: Painter, game: str, rng: Rng, level: int = 1, shots: int = 3) -> FaceLibrary:
    """Photographs every face alone in the middle of the board and cuts it out, as an owner would."""
    board = painter.board
    pictures: dict[str, list[Image]] = {}
    taught = [f for f in board.faces if not f.name.startswith(UNTAUGHT)]
    flat = [f.name for f in taught if f.kind != "pawn"]
    standing = [f.name for f in taught if f.kind == "pawn"]
    names = [*flat, *standing] * shots
    for start in range(0, len(names), len(board.places)):
        some = names[start : start + len(board.places)]
        layout = {cell: (Piece(name),) for cell, name in enumerate(some)}
        painted = painter.photograph(layout, level, rng)
        for cell, name in enumerate(some):
            place, face = board.places[cell], painter.faces[name]
            wide = 1.6 if name in standing else 1.0
            spot = place._replace(width=face.width * wide, height=face.height * wide)
            pictures.setdefault(name, []).append(stack(painted.image, painted.camera, [spot], PIXELS)[0])
    return FaceLibrary(game, {name: np.stack(some) for name, some in pictures.items()})


def taught_in_turns(library: FaceLibrary, board: Board, rng: Rng) -> FaceLibrary:
    """The same photographs, all but the first of each face turned anyhow, as a lesson takes them in."""
    lesson = TeachingSession(library.game, board)
    faces = {face.name: face for face in board.faces}
    for name, taken in library.pictures.items():
        is_square = abs(faces[name].width - faces[name].height) < 0.5
        for i, picture in enumerate(taken):
            step = 90 if is_square else 180
            turn = float(rng.integers(360 // step) * step + rng.uniform(-4, 4))
            if is_square and faces[name].turns == 1:
                turn = float(rng.uniform(0, 360))
            lesson.add(name, _turned(picture, turn) if i else picture)
    return lesson.finish()[0]


def _turned(picture: Image, degrees: float) -> Image:
    middle = ((PIXELS - 1) / 2, (PIXELS - 1) / 2)
    matrix = cv2.getRotationMatrix2D(middle, -degrees, 1.0)
    size = (PIXELS, PIXELS)
    return np.asarray(cv2.warpAffine(picture, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def layout_for(board: Board, kind: str, rng: Rng) -> Layout:
    """Pieces anyhow: a fifth of the places bare, some tiles with pawns on them."""
    flat = [f for f in board.faces if f.kind == kind and not f.name.startswith(UNTAUGHT)]
    pawns = [f.name for f in board.faces if f.kind == "pawn"]
    untaught = [f.name for f in board.faces if f.name.startswith(UNTAUGHT)]
    layout: dict[int, tuple[Piece, ...]] = {}
    for cell in range(len(board.places)):
        if rng.random() < 0.2:
            continue
        if untaught and rng.random() < 0.2:
            layout[cell] = (Piece(str(rng.choice(untaught))),)
            continue
        face = flat[int(rng.integers(len(flat)))]
        turn = int(rng.choice({4: (0, 90, 180, 270), 2: (0, 180)}.get(face.turns, (0,))))
        layout[cell] = (Piece(face.name, turn),)
    for name in pawns:
        cell = int(rng.integers(len(board.places)))
        if not any(piece.face.startswith(UNTAUGHT) for piece in layout.get(cell, ())):
            layout[cell] = (*layout.get(cell, ()), Piece(name))
    return layout


def trials(
    numbers: Sequence[int],
    levels: Sequence[int],
    publisher: Callable[[int], Publisher] = style_of,
    strange: int = 0,
    in_turns: bool = False,
) -> Iterator[TrialBoard]:
    """Paints every style with every level; the kind of piece goes around.

    With `strange` a sixth of the places shows faces that were not taught, or is covered by something.
    Photographs for teaching lie upright, or `in_turns` anyhow.
    """
    for number in numbers:
        rng = np.random.default_rng([SEED, number])
        kind = KINDS[number // 2 % len(KINDS)]
        painter = Painter(board_for(kind, rng, strange), publisher(number))
        library = teach_from(painter, "measure", rng)
        if in_turns:
            library = taught_in_turns(library, painter.board, np.random.default_rng([SEED, number, 9]))
        for level in levels:
            painted = painter.photograph(layout_for(painter.board, kind, rng), level, rng)
            bare = painter.photograph({}, level, np.random.default_rng([SEED, number, level]))
            yield TrialBoard(painter.board, library, painted, level, kind, bare)
