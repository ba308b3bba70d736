"""The table area of the Dark Cave and what lies on it.

13 × 13 card places around the entrance, 75 × 117 cm: two cards further than the goals of the wide spread in
every direction. The rules know no edge: cards beyond the area are followed by tapping alone, and the view
counts them as `off_table`. Cards before the players and the discard pile lie off the area.
"""

from __future__ import annotations

from functools import cache

from companion.engine.game import View
from companion.engine.layout import Board, Face, Layout, Piece, Place, frame
from companion.engine.options import Options
from companion.games.dark_cave import pieces
from companion.games.dark_cave.cards import CARDS
from companion.games.dark_cave.spread import COORDINATES, NAMES, ON_TABLE, TABLE_REACH
from companion.games.dark_cave.view import cell_of

FRAME = 5
"""The number of the printed frame."""
CARD_MM = (56.0, 87.0)
PITCH_MM = (58.0, 90.0)
LAMP_MM = 20.0
"""The strip along the upper and lower edge where the lamps of the seats are."""
_SIDE = 2 * TABLE_REACH + 1
_WIDTH, _HEIGHT = PITCH_MM[0] * _SIDE + CARD_MM[0] + 12.0, PITCH_MM[1] * _SIDE + 2 * LAMP_MM

TOKEN_MM, FIGURE_MM = 18.0, 20.0
GOAL_BACK = "goal-back"
Pieces = tuple[Piece, ...]


def _cards() -> list[Place]:
    return [
        Place(
            NAMES[cell],
            PITCH_MM[0] * (x + TABLE_REACH + 0.5),
            LAMP_MM + PITCH_MM[1] * (y + TABLE_REACH + 0.5),
            *CARD_MM,
        )
        for cell, (x, y) in enumerate(COORDINATES[:ON_TABLE])
    ]


def _lamps() -> list[Place]:
    """Clockwise: four seats along the upper edge, four along the lower one."""
    width = PITCH_MM[0] * _SIDE / 4
    spots = [(i, LAMP_MM / 2) for i in range(4)] + [(3 - i, _HEIGHT - LAMP_MM / 2) for i in range(4)]
    return [
        Place(f"p{seat + 1}", width * (column + 0.5), y, width - 4, LAMP_MM - 4, "seats")
        for seat, (column, y) in enumerate(spots)
    ]


_PLACES = (
    *_cards(),
    Place("deck", _WIDTH - CARD_MM[0] / 2 - 6, _HEIGHT / 2, *CARD_MM, "deck"),
    *_lamps(),
)
DECK = ON_TABLE
LAMP = DECK + 1
"""The place of the first seat's lamp; the others follow."""

_SHAPE_NAMES = [
    (CARDS.shapes[i].name, 1 if CARDS.symmetric[i] else 2) for i in range(0, len(CARDS.shapes), 2)
]
FACES = (
    *(Face(name, "card", *CARD_MM, turns=turns) for name, turns in _SHAPE_NAMES),
    *(Face(name, "card", *CARD_MM) for name in (GOAL_BACK, *(f"back-{level}" for level in pieces.LEVELS))),
    *(Face(name, "figure", FIGURE_MM, FIGURE_MM) for name in pieces.DWARVES),
    *(Face(f"{name}-lying", "figure", 1.6 * FIGURE_MM, FIGURE_MM) for name in pieces.DWARVES),
    *(Face(name, "figure", FIGURE_MM, FIGURE_MM) for name in pieces.CREATURES),
    *(
        Face(f"web-{symbol}-{left}", "token", TOKEN_MM, TOKEN_MM, turns=4)
        for symbol in pieces.SYMBOLS
        for left in (2, 1)
    ),
    Face("nugget", "token", TOKEN_MM, TOKEN_MM),
)
BOARD = Board("dark_cave", _WIDTH, _HEIGHT, _PLACES, FACES, frame(FRAME, _WIDTH, _HEIGHT), is_loose=True)


def board(options: Options) -> Board:
    """The same table area for every number of players."""
    return BOARD


def layout(view: View) -> Layout:
    """What the camera should see. A web lies on one of the cards that it joins, turned towards its side."""
    found = {card["cell"]: _one(card["card"], card["turn"]) for card in view["laid"]}
    found |= {goal["cell"]: _one(GOAL_BACK) for goal in view["goals"] if not goal["open"]}
    found.pop(-1, None)

    def put(cell: int, piece: Pieces) -> None:
        if cell >= 0:
            found[cell] = found.get(cell, ()) + piece

    for vein in view["veins"]:
        if vein["gold"]:
            put(vein["cell"], _one("nugget", stack=vein["gold"]))
    for web in view["webs"]:
        cell, turn = _web_place(view, web)
        put(cell, _one(f"web-{web['web']}-{web['left']}", turn))
    for dwarf in view["dwarves"]:
        if dwarf["figure"]:
            put(cell_of(dwarf["at"]), _one(dwarf["figure"] + ("-lying" if dwarf["lying"] else "")))
    for creature in view["creatures"]:
        put(cell_of(creature["at"]), _one(creature["creature"]))
    if view["deck"]["n"]:
        put(DECK, _one(f"back-{view['deck']['level']}"))
    return found


@cache
def _one(face: str, turn: int = 0, stack: int = 1) -> Pieces:
    return (Piece(face, turn, stack),)


def _web_place(view: View, web: View) -> tuple[int, int]:
    """The card to the west or north if one lies there, else the other, and the side as a turn."""
    turn = 90 if web["side"] == "east" else 180
    if any(card["spot"] == web["spot"] for card in view["laid"]):
        cell = next(card["cell"] for card in view["laid"] if card["spot"] == web["spot"])
        return cell, turn
    return (web["cells"][-1] if web["cells"] else -1), (turn + 180) % 360
