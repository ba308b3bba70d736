"""The mat of Onirim and what lies on it.

Rows are laid in eight places side by side and go on over their own beginning: the last card is always on top.
Limbo and discards are several piles each: a card is laid on the next one that does not show its like, so that
every card that comes is seen. Cards that come into an open hand are laid in the strip first and taken up
whenever the player likes; a Prophecy lies there too.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine.game import View
from companion.engine.layout import Board, Face, Layout, Piece, Place, Rail, frame
from companion.engine.options import Options
from companion.games.onirim.pieces import CARD_MM, CARDS, LETTERS

FRAME = 3
"""The number of the printed frame."""
RAILS_FRAME = 10
"""The number of the frame where the lines of cards lie between rails of light."""
ROW = 8
STRIP = 5
PILES = {"limbo": 5, "discard": 2}
_GAP = 7.0
_STEP_X, _STEP_Y = CARD_MM[0] + _GAP, CARD_MM[1] + _GAP


def _numbered(name: str, n: int) -> tuple[str, ...]:
    return tuple(f"{name}{i + 1}" for i in range(n))


def _doors(player: int) -> tuple[str, ...]:
    return tuple(f"door{player}.{colour}" for colour in LETTERS)


_TOP = ("deck", "reveal", *_numbered("discard", PILES["discard"]), *_numbered("strip", STRIP))
_LIMBO = _numbered("limbo", PILES["limbo"])
_ROWS = [(*_numbered(f"row{player}.", ROW), f"seat{player}") for player in (1, 2)]
_LINES = {
    1: (_TOP, _ROWS[0], (*_doors(1), *_LIMBO)),
    2: (_TOP, _ROWS[0], (*_doors(1), "shared1", "shared2"), _ROWS[1], (*_doors(2), *_LIMBO)),
}
BACK = "back"


def _places(players: int) -> tuple[Place, ...]:
    return tuple(
        Place(
            name,
            _GAP + _STEP_X * column + CARD_MM[0] / 2,
            _GAP + _STEP_Y * line + CARD_MM[1] / 2,
            *CARD_MM,
            zone=name.split(".")[0].rstrip("12345") if "." not in name else name.split(".")[0],
            is_transient=name.startswith("strip"),
        )
        for line, names in enumerate(_LINES[players])
        for column, name in enumerate(names)
    )


_FACES = tuple(Face(name, "card", *CARD_MM) for name in (*CARDS, BACK))
_WIDTH = _GAP + _STEP_X * 9


def _rails(players: int) -> tuple[Rail, ...]:
    """One rail below each line of cards, as long as the mat is wide."""
    found, first = [], 0
    for names in _LINES[players]:
        found.append(Rail(0.0, _WIDTH, tuple(range(first, first + len(names)))))
        first += len(names)
    return tuple(found)


BOARDS = {
    players: Board(
        "onirim",
        _WIDTH,
        _GAP + _STEP_Y * len(lines),
        _places(players),
        _FACES,
        frame(FRAME, _WIDTH, _GAP + _STEP_Y * len(lines)),
        _rails(players),
        (("rails", RAILS_FRAME),),
        is_loose=True,
    )
    for players, lines in _LINES.items()
}


def board(options: Options) -> Board:
    """The mat for one or two players."""
    return BOARDS[int(options["players"])]


def row_place(row: int, i: int) -> str:
    """Names the place of the i-th card of a row."""
    return f"row{row + 1}.{i % ROW + 1}"


def piles(zone: str, cards: Sequence[str]) -> dict[str, str]:
    """What the piles of Limbo or the discards show."""
    shown = [""] * PILES[zone]
    pile = 0
    for card in cards:
        if shown[pile] == card:
            others = [(pile + i) % len(shown) for i in range(1, len(shown))]
            pile = next((other for other in others if shown[other] != card), pile)
        shown[pile] = card
        pile = (pile + 1) % len(shown)
    return {f"{zone}{i + 1}": card for i, card in enumerate(shown) if card}


def layout(view: View) -> Layout:
    """What the camera should see."""
    mat = BOARDS[view["players"]]
    found: dict[str, tuple[Piece, ...]] = {}
    if view["deck"]:
        found["deck"] = (Piece(BACK),)
    if view["busy"]:
        found["reveal"] = (Piece(view["busy"]),)
    for zone in PILES:
        for name, card in piles(zone, view[zone]).items():
            found[name] = (Piece(card),)
    looked = view["looked"]["cards"] or [BACK] * view["looked"]["n"]
    for i, card in enumerate(looked or view["drawn"]):
        found[f"strip{i + 1}"] = (Piece(card),)
    for i, card in enumerate(view["shared"]):
        found[f"shared{i + 1}"] = (Piece(card),)
    for seat in range(view["players"]):
        for i, card in enumerate(view["rows"][seat]):
            found[row_place(seat, i)] = (Piece(card),)
        for letter, n in zip(LETTERS, view["doors"][seat], strict=True):
            if n:
                found[f"door{seat + 1}.{letter}"] = (Piece(f"{letter}D", stack=n),)
    return {mat.cell(name): pieces for name, pieces in found.items()}
