"""What is in the box, as data: names, numbers and the places of one player's board.

A place is a whole number on one player's board: 0–24 the field row by row from the far left, then the forest
spots of the left, far (top), right and near (bottom) edge, 25–44, and the graves of the cemetery, 45–48. A
board cell is `seat * PLACES + place`; the capital's houses of the cooperative game follow the last board.
"""

from __future__ import annotations

from companion.engine.grid import EAST, NORTH, SOUTH, STEPS, WEST, Grid

MAX_PLAYERS = 6
GRID = Grid(5, 5)
FIELD = 25
EDGES = ("left", "top", "right", "bottom")
EDGE_LETTERS = "LTRB"
FIRST_SPOT = (25, 30, 35, 40)
CEMETERY = 45
GRAVES = 4
"""How many skeletons wait side by side; the next one lies on the first again, so each shows as a change."""
PLACES = CEMETERY + GRAVES

DIRECTIONS = ("up", "right", "down", "left")
DIRECTION_LETTERS = "URDL"
INWARD = (EAST, SOUTH, WEST, NORTH)
"""The direction that leads from each edge onto the field."""

SYMBOLS = "GBRYP"
RED = SYMBOLS.index("R")
TYPE_EDGES = "LTR"
"""The edges that the printings of a token stand upright on; T stands at the near edge in cooperative play."""
TYPES = tuple(symbol + edge for symbol in SYMBOLS for edge in TYPE_EDGES)

ABILITIES = (
    "none",
    "sapper",
    "necromancer",
    "peacemaker",
    "emperor",
    "ghost",
    "instructor",
    "saboteur",
)
NONE, SAPPER, NECROMANCER, PEACEMAKER, EMPEROR, GHOST, INSTRUCTOR, SABOTEUR = range(8)
COMMANDERS = {
    "sapper": 3,
    "necromancer": 3,
    "peacemaker": 3,
    "emperor": 1,
    "ghost": 3,
    "instructor": 3,
    "saboteur": 3,
}

TRAPS = (
    "wall",
    "catapult",
    "dragon",
    "treasure",
    "palisade",
    "hearse",
    "dynamite",
    "maze",
    "portal",
    "spring",
)
WALL, CATAPULT, DRAGON, TREASURE, PALISADE, HEARSE, DYNAMITE, MAZE, PORTAL, SPRING = range(10)

FORMS = (
    "wall/",
    "wall\\",
    "catapult",
    "dragon",
    "treasure",
    "palisade",
    "hearse",
    "dynamite",
    "maze-white",
    "maze-black",
    "portal",
    "spring",
)
"""The ways in which a trap can be laid."""
FORM_TRAP = (
    WALL,
    WALL,
    CATAPULT,
    DRAGON,
    TREASURE,
    PALISADE,
    HEARSE,
    DYNAMITE,
    MAZE,
    MAZE,
    PORTAL,
    SPRING,
)

# A cell of a field holds 0 or the code of a tile: 1 + 2 * form, plus 1 when its back side is up.
IS_WORN = (False, *(worn for _ in FORMS for worn in (False, True)))
TRAP_OF = (-1, *(FORM_TRAP[form] for form in range(len(FORMS)) for _ in range(2)))
FORM_OF = (-1, *(form for form in range(len(FORMS)) for _ in range(2)))
CRATER = 2 + 2 * FORMS.index("dynamite")
TREASURE_CODE = 1 + 2 * FORMS.index("treasure")
MAZE_COLOUR = {1 + 2 * FORMS.index("maze-white"): 0, 1 + 2 * FORMS.index("maze-black"): 1}
WHITE, BLACK = 0, 1
COLOURS = ("white", "black")


def code_of(form: int, worn: bool = False) -> int:
    """The code of a laid tile."""
    return 1 + 2 * form + worn


SLASH, BACKSLASH = (EAST, NORTH, WEST, SOUTH), (WEST, SOUTH, EAST, NORTH)
BOUNCE = {0: SLASH, 1: BACKSLASH}
"""The new direction after a wall, by its form and the direction of travel (BB-WALL-02)."""

WEAPONS = (
    "crossbow",
    "ice_wand",
    "death_wand",
    "teleport_wand",
    "two_handed_sword",
    "battle_axe",
    "flail",
    "rapier",
)
ITEMS = TRAPS + WEAPONS
WAKES_A_WEAPON = 3
"""How many the hero must destroy to use his weapon (BB-WEAPON-01)."""

BASE_SUPPLY = {WALL: 2, CATAPULT: 2, DRAGON: 1, TREASURE: 1}
COOP_SUPPLY = {WALL: 1, CATAPULT: 1, DRAGON: 1}
FLOORS = 4
HOUSES = 5
STARTING_SKELETONS = 4
DRAWS = 3

PLACE_NAMES = (
    *GRID.names,
    *(f"{letter}{i + 1}" for letter in EDGE_LETTERS for i in range(5)),
    "cemetery",
    *(f"cemetery{i}" for i in range(2, GRAVES + 1)),
)
CELL_NAMES = tuple(f"{seat + 1}{name}" for seat in range(MAX_PLAYERS) for name in PLACE_NAMES)

AROUND = tuple(
    tuple(
        other
        for other in range(FIELD)
        if other != cell and abs(other % 5 - cell % 5) <= 1 and abs(other // 5 - cell // 5) <= 1
    )
    for cell in range(FIELD)
)
"""The up to eight cells around each cell."""
BESIDE = tuple(tuple(other for other in GRID.beside[cell] if other >= 0) for cell in range(FIELD))
TOWARDS = {
    (cell, other): direction
    for cell in range(FIELD)
    for direction, other in enumerate(GRID.beside[cell])
    if other >= 0
}
"""The direction from a cell to a cell beside it."""


def spot(edge: int, index: int) -> int:
    """The forest spot of an edge, counted from the far or left end."""
    return FIRST_SPOT[edge] + index


def next_places() -> tuple[tuple[int, int, int, int], ...]:
    """The place that a step leads to, by place and direction; -1 beyond the field."""
    table = [tuple(GRID.beside[cell]) for cell in range(FIELD)]
    for edge in range(4):
        for i in range(5):
            x, y = ((0, i), (i, 0), (4, i), (i, 4))[edge]
            inside = [y * 5 + x if direction == INWARD[edge] else -1 for direction in range(len(STEPS))]
            table.append((inside[0], inside[1], inside[2], inside[3]))
    return tuple((a, b, c, d) for a, b, c, d in table)


NEXT = next_places()
