"""Light and line of sight once more, slow and obvious: sets of (column, row) and modulo, for comparison."""

from __future__ import annotations

STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
BACK = {"N": "S", "S": "N", "E": "W", "W": "E"}
CLOCKWISE = "NESW"
DRAWN = {
    "start": "SW",
    "straight": "EW",
    "tee": "NES",
    "cracked-tee": "NES",
    "cross": "NESW",
    "key": "NESW",
    "spent-key": "NESW",
    "gate": "NESW",
    "wax": "NESW",
    "keeper": "NESW",
    "pathless": "NESW",
    "fiend": "NESW",
    "omen": "S",
}

Tile = tuple[str, int, bool]
"""Name, quarter turns, whether it lies as a pit."""
Board = dict[tuple[int, int], Tile]


def turned(side: str, turns: int) -> str:
    return CLOCKWISE[(CLOCKWISE.index(side) + turns) % 4]


def openings(tile: Tile) -> set[str]:
    name, turns, _ = tile
    return {turned(side, turns) for side in DRAWN[name]}


def beside(place: tuple[int, int], side: str, size: int) -> tuple[int, int]:
    dx, dy = STEPS[side]
    return (place[0] + dx) % size, (place[1] + dy) % size


def lit(board: Board, size: int, candles: dict[tuple[int, int], bool]) -> set[tuple[int, int]]:
    """NC-LIGHT-01..07: what prisoners at these places light; the value says whether the candle burns."""
    found = set()
    for place, burns in candles.items():
        if burns:
            found.add(place)
            sides = set("NESW") if board[place][2] else openings(board[place])
            found |= {beside(place, side, size) for side in sides}
    return found


def sight(board: Board, size: int, monster: tuple[int, int], blocked: bool) -> set[tuple[int, int]]:
    """NC-MON-03..08, NC-ADV-07: what a monster sees."""
    found = set()
    name, turns, _ = board[monster]
    for side in "NESW":
        if name == "keeper" and side == turned("N", turns):
            continue
        here = monster
        while side in openings(board[here]):
            there = beside(here, side, size)
            if there == monster or there not in board or board[there][2]:
                break
            if BACK[side] not in openings(board[there]):
                break
            found.add(there)
            if blocked and board[there][0] in ("wax", "keeper", "pathless", "fiend", "omen"):
                break
            here = there
    return found


def swept(board: Board, size: int, candles: dict[tuple[int, int], bool]) -> set[tuple[int, int]]:
    """NC-LIGHT-09, NC-ADV-09: what the dark takes."""
    light = lit(board, size, candles)
    return {
        place
        for place, (name, _, pit) in board.items()
        if place not in light and place not in candles and not (name == "keeper" and not pit)
    }
