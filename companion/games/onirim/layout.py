"""The mat of Onirim and what lies on it.

Rows are laid in eight places side by side and go on over their own beginning: the last card is always on top.
"""

from __future__ import annotations

from companion.game import View
from companion.games.onirim.pieces import CARD_MM, CARDS, LETTERS
from companion.layout import Board, Face, Layout, Piece, Place, frame
from companion.options import Options

ROW = 8
_GAP = 7.0
_STEP_X, _STEP_Y = CARD_MM[0] + _GAP, CARD_MM[1] + _GAP

_LINES = (
    ("deck", "reveal", "limbo", "discard", *(f"prophecy{i + 1}" for i in range(5))),
    (*(f"row1.{i + 1}" for i in range(ROW)), "seat1"),
    (*(f"door1.{colour}" for colour in LETTERS), "shared1", "shared2"),
    (*(f"row2.{i + 1}" for i in range(ROW)), "seat2"),
    tuple(f"door2.{colour}" for colour in LETTERS),
)
BACK = "back"


def _places(players: int) -> tuple[Place, ...]:
    return tuple(
        Place(
            name,
            _GAP + _STEP_X * column + CARD_MM[0] / 2,
            _GAP + _STEP_Y * line + CARD_MM[1] / 2,
            *CARD_MM,
            zone=name.split(".")[0].rstrip("12345") if "." not in name else name.split(".")[0],
        )
        for line, names in enumerate(_LINES)
        for column, name in enumerate(names)
        if players == 2 or (line < 3 and not name.startswith("shared"))
    )


_FACES = tuple(Face(name, "card", *CARD_MM) for name in (*CARDS, BACK))
_LINES_USED = {1: 3, 2: 5}
BOARDS = {
    players: Board(
        "onirim",
        _GAP + _STEP_X * 9,
        _GAP + _STEP_Y * lines,
        _places(players),
        _FACES,
        frame("onirim", _GAP + _STEP_X * 9, _GAP + _STEP_Y * lines),
    )
    for players, lines in _LINES_USED.items()
}


def board(options: Options) -> Board:
    """The mat for one or two players."""
    return BOARDS[int(options["players"])]


def row_place(row: int, i: int) -> str:
    """Names the place of the i-th card of a row."""
    return f"row{row + 1}.{i % ROW + 1}"


def layout(view: View) -> Layout:
    """What the camera should see."""
    mat = BOARDS[view["players"]]
    found: dict[str, tuple[Piece, ...]] = {}
    if view["deck"]:
        found["deck"] = (Piece(BACK),)
    if view["busy"]:
        found["reveal"] = (Piece(view["busy"]),)
    for zone in ("limbo", "discard"):
        if view[zone]:
            found[zone] = (Piece(view[zone][-1]),)
    for i, card in enumerate(view["looked"]["cards"] or [BACK] * view["looked"]["n"]):
        found[f"prophecy{i + 1}"] = (Piece(card),)
    for i, card in enumerate(view["shared"]):
        found[f"shared{i + 1}"] = (Piece(card),)
    for seat in range(view["players"]):
        for i, card in enumerate(view["rows"][seat]):
            found[row_place(seat, i)] = (Piece(card),)
        for letter, n in zip(LETTERS, view["doors"][seat], strict=True):
            if n:
                found[f"door{seat + 1}.{letter}"] = (Piece(f"{letter}D", stack=n),)
    return {mat.cell(name): pieces for name, pieces in found.items()}
