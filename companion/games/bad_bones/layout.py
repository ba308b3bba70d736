"""The places of the players' boards in millimetres, and what lies on them.

Every player's board is a square of seven by seven places: the field, the forest spots (or houses) around it
and the graves of the cemetery in the corners: skeletons that wait are laid on them by turns, clockwise from
the near left. The boards lie as the players sit (see `seating`), the houses of the capital in a row above.
"""

from __future__ import annotations

from companion.engine.action import Cell
from companion.engine.game import View
from companion.engine.layout import Board, Face, Layout, Piece, Place, frame
from companion.engine.options import Options
from companion.engine.state import Refusal, no
from companion.games.bad_bones.pieces import (
    CELL_NAMES,
    CEMETERY,
    COLOURS,
    DIRECTIONS,
    EDGES,
    FIELD,
    FLOORS,
    FORM_TRAP,
    FORMS,
    GRAVES,
    HOUSES,
    INWARD,
    PLACES,
    TRAPS,
    TREASURE,
)
from companion.games.bad_bones.printed import KIND_NAMES, KINDS, PRINTED
from companion.games.bad_bones.seating import SEATINGS

FRAME = 2
"""The number of the printed frame."""
CELL_MM = 34.0
TOKEN_MM = 24.0
TRAP_MM = 32.0
GAP_MM = 20.0
BOARD_MM = 7 * CELL_MM
HOUSE, RUIN, HERO_FACE = "house", "house-burnt", "hero"


def _place(seat: int, slot: tuple[int, int], place: int, top: float, coop: bool) -> Place:
    if place < FIELD:
        x, y, zone = place % 5 + 1, place // 5 + 1, "field"
    elif place >= CEMETERY:
        x, y = ((0, 6), (0, 0), (6, 0), (6, 6))[place - CEMETERY]
        zone = "cemetery"
    else:
        edge, i = divmod(place - FIELD, 5)
        x, y = ((0, i + 1), (i + 1, 0), (6, i + 1), (i + 1, 6))[edge]
        zone = "forest"
        if EDGES[edge] == ("top" if coop else "bottom"):
            zone = "edge" if coop else "village"
    row, column = slot
    left = column * (BOARD_MM + GAP_MM)
    above = top + row * (BOARD_MM + GAP_MM)
    name = CELL_NAMES[seat * PLACES + place]
    return Place(name, left + (x + 0.5) * CELL_MM, above + (y + 0.5) * CELL_MM, CELL_MM, CELL_MM, zone)


def trap_face(form: str, worn: bool) -> str:
    """The face of a laid tile; the diagonal of a wall is its turn, the colour of a maze its side."""
    trap = TRAPS[FORM_TRAP[FORMS.index(form)]]
    if trap == "maze":
        return form
    if trap == "dynamite" and worn:
        return "crater"
    return f"{trap}-damaged" if worn else trap


def _faces() -> tuple[Face, ...]:
    tokens = [
        Face(f"{name}-{colour}", "token", TOKEN_MM, TOKEN_MM, 4) for name in KIND_NAMES for colour in COLOURS
    ]
    sides = {trap_face(form, False): form for form in FORMS}
    sides |= {trap_face(form, True): form for form in FORMS if FORM_TRAP[FORMS.index(form)] != TREASURE}
    tiles = [Face(side, "trap", TRAP_MM, TRAP_MM, 2 if side.startswith("wall") else 1) for side in sides]
    towers = [Face(f"tower-{n}", "figure", TRAP_MM, TRAP_MM) for n in range(1, FLOORS + 1)]
    houses = [Face(name, "tile", TRAP_MM, TRAP_MM) for name in (HOUSE, RUIN)]
    return (*tokens, *tiles, *towers, *houses, Face(HERO_FACE, "figure", 14.0, 14.0))


FACES = _faces()


def make_board(players: int, coop: bool) -> Board:
    """The boards of so many players on one frame."""
    top = CELL_MM + GAP_MM if coop else 0.0
    slots = SEATINGS[players].slots
    rows, columns = (1 + max(numbers) for numbers in zip(*slots, strict=True))
    width = max(columns * (BOARD_MM + GAP_MM) - GAP_MM, players * CELL_MM if coop else 0.0)
    height = top + rows * (BOARD_MM + GAP_MM) - GAP_MM
    places = [
        _place(seat, slot, place, top, coop) for seat, slot in enumerate(slots) for place in range(PLACES)
    ]
    for i in range(players if coop else 0):
        x = width / 2 + (i - (players - 1) / 2) * CELL_MM
        places.append(Place(f"capital{i + 1}", x, CELL_MM / 2, CELL_MM, CELL_MM, "capital"))
    return Board("bad_bones", width, height, tuple(places), FACES, frame(FRAME, width, height))


BOARDS = {(players, coop): make_board(players, coop) for players in range(1, 7) for coop in (False, True)}


def board(options: Options) -> Board:
    """The boards for the players of this game."""
    return BOARDS[int(options["players"]), bool(options["coop"])]


def token_turn(facing: str) -> int:
    """How far a token is turned, in degrees clockwise: its tip points up at 0."""
    return DIRECTIONS.index(facing) * 90


def layout(view: View) -> Layout:
    """What the camera should see: on each place tile, tower, skeletons with commanders on top, hero."""
    found: dict[int, list[Piece]] = {}
    for seat in range(view["players"]):
        for cell, form, worn in view["traps"][seat]:
            turn = 90 if form == "wall\\" else 0
            found.setdefault(cell, []).append(Piece(trap_face(form, worn), turn))
        height = 1 if view["coop"] else view["floors"][seat]
        for tower in view["towers"][seat] if height else ():
            found.setdefault(tower, []).append(Piece(f"tower-{height}"))
        for cell, kind, facing, colour, _ in view["skeletons"][seat]:
            _stack(found.setdefault(cell, []), Piece(f"{kind}-{colour}", token_turn(facing)))
        for i, kind in enumerate(view["cemetery"][seat]):
            pile = found.setdefault(seat * PLACES + CEMETERY + i % GRAVES, [])
            _stack(pile, Piece(f"{kind}-{view['marker']}"))
        if view["hero"][seat] >= 0:
            found.setdefault(view["hero"][seat], []).append(Piece(HERO_FACE))
        for i in range(0 if view["coop"] else 1 if view["players"] == 1 else HOUSES):
            face = HOUSE if i < view["houses"][seat] else RUIN
            found[seat * PLACES + house_place(i)] = [Piece(face)]
    for i in range(view["players"] if view["coop"] else 0):
        found[capital_cell(view, i)] = [Piece(HOUSE if i < view["capital"] else RUIN)]
    return {cell: tuple(pieces) for cell, pieces in found.items()}


def house_place(i: int) -> int:
    """The place of a village house on its board."""
    return FIELD + 15 + i


def capital_cell(view: View, i: int) -> int:
    """The cell of a house of the capital."""
    return int(view["players"]) * PLACES + i


def _stack(pieces: list[Piece], piece: Piece) -> None:
    if pieces and pieces[-1][:2] == piece[:2]:
        piece = piece._replace(stack=pieces.pop().stack + 1)
    pieces.append(piece)


def spot_of(kind: str, coop: bool) -> int:
    """The one forest spot of a token (BB-SETUP-11)."""
    side = PRINTED.coop if coop else PRINTED.standard
    return side.spots[KINDS[KIND_NAMES.index(kind)].type]


def placement_refusal(view: View, cell: Cell, piece: Piece) -> Refusal | None:
    """Why a token seen on a forest spot may not lie so: picture and tip, symbol, colour (BB-SETUP-10…12).

    A token whose tip points inward on an edge that is not its own has its picture on its side.
    """
    kind, _, colour = piece.face.rpartition("-")
    seat, place = divmod(cell, PLACES)
    right = spot_of(kind, view["coop"])
    edge = (right - FIELD) // 5
    cells = (cell, seat * PLACES + right)
    data = {"skeleton": kind, "cell": cell, "to_cell": cells[1], "colour": view["marker"]}
    if (place - FIELD) // 5 != edge or piece.turn != token_turn(DIRECTIONS[INWARD[edge]]):
        return no("lying", "BB-SETUP-12", *cells, **data)
    if place != right:
        return no("wrong-spot", "BB-SETUP-10", *cells, **data)
    if colour != view["marker"]:
        return no("wrong-side", "BB-NEW-04", cell, **data)
    return None
