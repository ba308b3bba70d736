"""The board of The Night Cage in millimetres and what lies on it.

Measured from pictures: a board of 20 inches, tiles of 2.5 inches in the middle, and to its right a strip
where a drawn tile is shown and burnt ones are laid out. Beside the rows (left) and columns (above) lie the
pawns of those who fall.
"""

from __future__ import annotations

from companion.engine.game import View
from companion.engine.layout import Board, Face, Layout, Piece, Place, Rail, frame, rows_of, square_places
from companion.engine.options import Options
from companion.games.night_cage.pieces import NAMES, OMEN, PRISONERS, TURNS
from companion.games.night_cage.torus import BOARDS

FRAMES = {6: 0, 7: 1}
"""The numbers of the printed frames, by the size of the board."""
BUILDS = {6: (("rails", 8), ("halo", 11)), 7: (("rails", 9), ("halo", 12))}
"""How the tiles can be laid apart to let light out between them, with the numbers of those frames."""
TILE_MM = 63.5
BOARD_MM = 508.0
STRIP_MM = 76.0
PAWN_MM = 25.0
BURNT = 3
"""How many burnt tiles lie side by side; the next one lies on the first again, so each shows as a change."""

PIT, DIRGE_PIT = "pit", "dirge"


def _board(size: int) -> Board:
    margin = (BOARD_MM - size * TILE_MM) / 2
    torus = BOARDS[size]
    middles = [margin + TILE_MM * (i + 0.5) for i in range(size)]
    places = square_places(torus.grid.names, size, TILE_MM, margin, margin)
    places += [Place(f"row-{i + 1}", margin / 2, y, margin, TILE_MM, "fall") for i, y in enumerate(middles)]
    places += [
        Place(f"column-{chr(97 + i)}", x, margin / 2, TILE_MM, margin, "fall") for i, x in enumerate(middles)
    ]
    x, y = BOARD_MM + STRIP_MM / 2, BOARD_MM / 2
    places.append(Place("drawn", x, y, TILE_MM, TILE_MM, "draw", any_turn=True))
    places += [
        Place(f"burnt-{i}", x, y + 1.1 * TILE_MM * i, TILE_MM, TILE_MM, "burnt", any_turn=True)
        for i in range(1, BURNT + 1)
    ]
    faces = [
        *(Face(NAMES[kind], "tile", TILE_MM, TILE_MM, TURNS[kind], PIT) for kind in range(OMEN + 1)),
        Face(PIT, "tile", TILE_MM, TILE_MM),
        Face(DIRGE_PIT, "tile", TILE_MM, TILE_MM),
        *(Face(name, "pawn", PAWN_MM, PAWN_MM) for name in PRISONERS),
    ]
    name, width = f"night_cage_{size}", BOARD_MM + STRIP_MM
    markers = frame(FRAMES[size], width, BOARD_MM)
    rails = tuple(Rail(margin, BOARD_MM - margin, row) for row in rows_of(places))
    sheet = (BOARD_MM, BOARD_MM)
    return Board(
        name, width, BOARD_MM, tuple(places), tuple(faces), markers, rails, BUILDS[size], sheet=sheet
    )


SIZES = {size: _board(size) for size in BOARDS}


def board(options: Options) -> Board:
    """The side of the board for that number of players (NC-BOARD-01)."""
    return SIZES[7 if options["players"] == 5 else 6]


def fall_place(size: int, line: int) -> int:
    """The place beside a row or column where a falling pawn lies."""
    return size * size + line


def layout(view: View) -> Layout:
    """What the camera should see."""
    size = view["size"]
    found: dict[int, list[Piece]] = {}
    for cell, word in enumerate(view["tiles"]):
        if word:
            found[cell] = [_piece(word)]
    strip = size * size + 2 * size
    if view["drawn"]:
        found[strip] = [Piece(view["drawn"])]
    for i, name in enumerate(view["burnt"]):
        found[strip + 1 + i % BURNT] = [Piece(name)]
    for prisoner in view["prisoners"]:
        pawn = Piece(prisoner["name"])
        if prisoner["cell"] is not None:
            found.setdefault(prisoner["cell"], []).append(pawn)
        elif prisoner["line"] is not None:
            found.setdefault(fall_place(size, prisoner["line"]), []).append(pawn)
    return {cell: tuple(pieces) for cell, pieces in found.items()}


def _piece(word: str) -> Piece:
    if word in (PIT, DIRGE_PIT):
        return Piece(word)
    name, turn = word.split()
    return Piece("key" if name == "spent-key" else name, int(turn))
