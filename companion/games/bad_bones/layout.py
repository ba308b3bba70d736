"""The places of the players' boards in millimetres, and what lies on them.

Every player's board is a square of seven by seven places: the field, the forest spots (or houses) around it
and the graves of the cemetery in the corners: skeletons that wait are laid on them by turns, clockwise from
the near left. Each board is a part that lies by itself before its player (see `seating`); together, each
turns its edge without forest to the houses of the capital in the middle. Within the printed frame they lie
side by side, in two rows opposite each other where more than three play together.
"""

from __future__ import annotations

from itertools import permutations

from companion.engine.action import Cell
from companion.engine.game import View
from companion.engine.layout import At, Board, Face, Layout, Part, Piece, Place, frame
from companion.engine.options import Options
from companion.engine.parts import seat_at
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
from companion.games.bad_bones.seating import SEATINGS, sitting

FRAME = 2
"""The number of the printed frame."""
CELL_MM = 34.0
TOKEN_MM = 24.0
TRAP_MM = 32.0
GAP_MM = 20.0
BOARD_MM = 7 * CELL_MM
HOUSE, RUIN, HERO_FACE = "house", "house-burnt", "hero"


def _place(seat: int, place: int, at: At, coop: bool) -> Place:
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
    middle = at.point((x + 0.5) * CELL_MM, (y + 0.5) * CELL_MM)
    name, is_grave = CELL_NAMES[seat * PLACES + place], zone == "cemetery"
    return Place(name, *middle, CELL_MM, CELL_MM, zone, at.turn, any_turn=is_grave)


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
        Face(f"{name}-{colour}", "token", TOKEN_MM, TOKEN_MM, 4, f"{name}-{other}")
        for name in KIND_NAMES
        for colour, other in permutations(COLOURS)
    ]
    sides = {trap_face(form, False): form for form in FORMS}
    sides |= {trap_face(form, True): form for form in FORMS if FORM_TRAP[FORMS.index(form)] != TREASURE}
    backs = {trap_face(form, False): trap_face(form, True) for form in FORMS}
    backs |= {"treasure": "", "maze-white": "maze-black", "maze-black": "maze-white"}
    tiles = [
        Face(side, "trap", TRAP_MM, TRAP_MM, 2 if side.startswith("wall") else 1, backs.get(side, ""))
        for side in sides
    ]
    towers = [Face(f"tower-{n}", "figure", TRAP_MM, TRAP_MM) for n in range(1, FLOORS + 1)]
    houses = [Face(HOUSE, "tile", TRAP_MM, TRAP_MM, back=RUIN), Face(RUIN, "tile", TRAP_MM, TRAP_MM)]
    return (*tokens, *tiles, *towers, *houses, Face(HERO_FACE, "figure", 14.0, 14.0))


FACES = _faces()


def make_board(players: int, coop: bool) -> Board:
    """The boards of all players on one frame, and where each of them lies before its player without one."""
    slots, turned = SEATINGS[players, coop][:2]
    seats = sitting(players, coop)
    rows, columns = (1 + max(numbers) for numbers in zip(*slots, strict=True))
    step = BOARD_MM + GAP_MM
    strip = CELL_MM + GAP_MM if coop else 0.0
    above_capital = (rows - 1) * step if coop else 0.0
    width = max(columns * step - GAP_MM, players * CELL_MM if coop else 0.0)
    height = strip + rows * step - GAP_MM
    places: list[Place] = []
    parts: list[Part] = []
    for seat, (row, column) in enumerate(slots):
        corner = At(column * step, row * step + (0.0 if turned[seat] else strip))
        if turned[seat]:
            corner = At(corner.x + BOARD_MM, corner.y + BOARD_MM, 180.0)
        cards = (2 * seat + 1, 2 * seat + 2)
        before = seat_at(seats[seat], BOARD_MM)
        name = f"board{seat + 1}"
        parts.append(Part(name, len(places), PLACES, BOARD_MM, BOARD_MM, corner, before, cards))
        places += [_place(seat, place, corner, coop) for place in range(PLACES)]
    if coop:
        size = (players * CELL_MM, CELL_MM)
        corner = At(width / 2 - size[0] / 2, above_capital)
        parts.append(Part("capital", len(places), players, *size, corner, corner))
        for i in range(players):
            x, y = corner.point((i + 0.5) * CELL_MM, CELL_MM / 2)
            places.append(Place(f"capital{i + 1}", x, y, CELL_MM, CELL_MM, "capital"))
    markers = frame(FRAME, width, height)
    return Board("bad_bones", width, height, tuple(places), FACES, markers, parts=tuple(parts))


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
    inward = token_turn(DIRECTIONS[INWARD[edge]])
    if (place - FIELD) // 5 != edge or piece.turn != inward:
        return no("lying", "BB-SETUP-12", *cells, **data)
    if place != right:
        return no("wrong-spot", "BB-SETUP-10", *cells, **data)
    if colour != view["marker"]:
        return no("wrong-side", "BB-NEW-04", cell, **data)
    return None
