"""Light, sight and attacks once more, slow and obvious: written from the book, for comparison with the rules.

Places are (column, row), sets are sets, and the edges join by modulo.
"""

from __future__ import annotations

from typing import NamedTuple

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
Place = tuple[int, int]
Board = dict[Place, Tile]


MONSTERS = ("wax", "keeper", "pathless")
CRUMBLING = ("start", "straight", "cracked-tee", "key", "spent-key")


def turned(side: str, turns: int) -> str:
    return CLOCKWISE[(CLOCKWISE.index(side) + turns) % 4]


def openings(tile: Tile) -> set[str]:
    name, turns, _ = tile
    return {turned(side, turns) for side in DRAWN[name]}


def beside(place: Place, side: str, size: int) -> Place:
    dx, dy = STEPS[side]
    return (place[0] + dx) % size, (place[1] + dy) % size


def lit(board: Board, size: int, candles: dict[Place, bool]) -> set[Place]:
    """NC-LIGHT-01..07: what prisoners at these places light; the value says whether the candle burns."""
    found = set()
    for place, burns in candles.items():
        if burns:
            found.add(place)
            found |= {beside(place, side, size) for side in exits(board, place)}
    return found


def exits(board: Board, place: Place) -> set[str]:
    """The sides to which one can leave a place; a pit is open all round, an empty cell to no side."""
    if place not in board:
        return set()
    return set("NESW") if board[place][2] else openings(board[place])


def rear(tile: Tile) -> str:
    """The side behind a Keeper."""
    name, turns, _ = tile
    return turned("N", turns) if name == "keeper" else ""


def ray(board: Board, size: int, monster: Place, side: str, blocked: bool) -> list[Place]:
    """«…соединённому по прямой линии»: what a monster sees in one direction, round the edges."""
    found: list[Place] = []
    if side == rear(board[monster]):
        return found
    here = monster
    while side in openings(board[here]):
        there = beside(here, side, size)
        if there == monster or there not in board or board[there][2]:
            break
        if BACK[side] not in openings(board[there]):
            break
        found.append(there)
        if blocked and board[there][0] in ("wax", "keeper", "pathless", "fiend", "omen"):
            break
        here = there
    return found


def sight(board: Board, size: int, monster: Place, blocked: bool) -> set[Place]:
    """NC-MON-03..08, NC-ADV-07: what a monster sees."""
    return {place for side in "NESW" for place in ray(board, size, monster, side, blocked)}


def swept(board: Board, size: int, candles: dict[Place, bool]) -> set[Place]:
    """NC-LIGHT-09, NC-ADV-09: what the dark takes."""
    light = lit(board, size, candles)
    return {
        place
        for place, (name, _, pit) in board.items()
        if place not in light and place not in candles and not (name == "keeper" and not pit)
    }


# Who attacks, and whom -------------------------------------------------------------------------


def monsters(board: Board) -> list[Place]:
    return [place for place, (name, _, pit) in board.items() if name in MONSTERS and not pit]


def watchers(board: Board, size: int, place: Place, blocked: bool) -> set[Place]:
    """The monsters that see a place."""
    return {monster for monster in monsters(board) if place in sight(board, size, monster, blocked)}


def blows(board: Board, size: int, monster: Place, blocked: bool) -> dict[str, set[Place]]:
    """The places that an attack reaches, by the direction in which it travels.

    A Pathless reaches its row and column, whatever lies there, from the nearer side or from both.
    """
    if board[monster][0] != "pathless":
        return {side: set(ray(board, size, monster, side, blocked)) for side in "NESW"}
    found: dict[str, set[Place]] = {}
    for side in "NESW":
        here, found[side] = monster, set()
        for _ in range(size // 2):
            here = beside(here, side, size)
            found[side].add(here)
    return found


def attackers(board: Board, size: int, woken: set[Place], blocked: bool) -> set[Place]:
    """«Цепные реакции»: all monsters that attack; what strikes a Keeper from behind does not wake it."""
    found = set(woken)
    while True:
        struck = {
            other
            for monster in found
            for side, places in blows(board, size, monster, blocked).items()
            for other in monsters(board)
            if other in places and BACK[side] != rear(board[other])
        }
        if struck <= found:
            return found
        found |= struck


def burn(name: str, melee: bool) -> int:
    return {"wax": 3, "pathless": 5, "keeper": 3 if melee else 1}[name]


class Hit(NamedTuple):
    prisoner: int
    name: str
    burn: int


def hits(board: Board, size: int, at: dict[int, Place], striking: set[Place], blocked: bool) -> list[Hit]:
    """«…каждый узник, попавший под атаку каждого активированного монстра»: once for each such pair."""
    found = []
    for prisoner, place in at.items():
        for monster in striking:
            reached = set().union(*blows(board, size, monster, blocked).values())
            if place == monster or place in reached:
                name = board[monster][0]
                found.append(Hit(prisoner, name, burn(name, place == monster)))
    return sorted(found)


# One step and what it brings -------------------------------------------------------------------


class Scene(NamedTuple):
    """A position: the tiles, where each prisoner on the board stands, whose candles burn."""

    board: Board
    size: int
    at: dict[int, Place]
    burning: set[int]
    blocked: bool
    """Whether monsters stop the sight of monsters."""


class After(NamedTuple):
    """What a step has brought, when all penalties are paid and the dark has swept."""

    attackers: set[Place]
    hits: list[Hit]
    falls: bool
    burning: set[int]
    board: Board


def ways(scene: Scene, mover: int) -> tuple[set[Place], set[Place]]:
    """Where a prisoner can move, and where only a charge leads."""
    moves, charges = set(), set()
    here = scene.at[mover]
    for side in exits(scene.board, here):
        there = beside(here, side, scene.size)
        is_taken = there in scene.at.values()
        if there not in scene.board:
            if mover not in scene.burning and not is_taken:
                moves.add(there)
            continue
        tile = scene.board[there]
        if BACK[side] not in exits(scene.board, there) or (is_taken and (tile[0] != "gate" or tile[2])):
            continue
        is_monster = tile[0] in MONSTERS and not tile[2]
        (charges if is_monster and rear(tile) != BACK[side] else moves).add(there)
    return moves, charges


def step(scene: Scene, mover: int, to: Place) -> After:
    """A move or a charge from tile to tile: who saw it leave or sees it arrive attacks."""
    board, here = dict(scene.board), scene.at[mover]
    woken = watchers(board, scene.size, here, scene.blocked)
    crumble(board, here)
    if board[to][2]:
        return aftermath(scene._replace(board=board, at=without(scene.at, mover)), woken, falls=True)
    woken |= watchers(board, scene.size, to, scene.blocked)
    side = next(side for side in "NESW" if beside(here, side, scene.size) == to)
    if to in monsters(board) and rear(board[to]) != BACK[side]:
        woken.add(to)
    return aftermath(scene._replace(board=board, at=scene.at | {mover: to}), woken)


def stay(scene: Scene, mover: int) -> After:
    """Staying wakes nobody; but a crumbling tile breaks, and to fall is to leave the line of sight."""
    board, here = dict(scene.board), scene.at[mover]
    if board[here][0] not in CRUMBLING:
        return aftermath(scene, set())
    woken = watchers(board, scene.size, here, scene.blocked)
    crumble(board, here)
    return aftermath(scene._replace(board=board, at=without(scene.at, mover)), woken, falls=True)


def land(scene: Scene, mover: int, to: Place, tile: Tile) -> After:
    """Landing on a drawn tile: a monster there attacks, and so do those who see it (D-16)."""
    board = scene.board | {to: tile}
    woken = watchers(board, scene.size, to, scene.blocked) | ({to} & set(monsters(board)))
    return aftermath(scene._replace(board=board, at=scene.at | {mover: to}), woken)


def crumble(board: Board, place: Place) -> None:
    name, turns, _ = board[place]
    if name in CRUMBLING:
        board[place] = name, turns, True


def without(at: dict[int, Place], prisoner: int) -> dict[int, Place]:
    return {other: place for other, place in at.items() if other != prisoner}


def aftermath(scene: Scene, woken: set[Place], *, falls: bool = False) -> After:
    """Attackers but Keepers leave, Keepers underfoot become pits, candles go out, the dark sweeps."""
    board, size, at, burning, blocked = scene
    striking = attackers(board, size, woken, blocked)
    struck = hits(board, size, at, striking, blocked)
    burning = burning - {hit.prisoner for hit in struck}
    left: Board = {}
    for place, tile in board.items():
        if place in striking and tile[0] != "keeper":
            continue
        is_open = tile[0] == "keeper" and place in at.values()
        left[place] = (*tile[:2], True) if is_open else tile
    candles = dict.fromkeys(at.values(), False) | {at[prisoner]: True for prisoner in burning & set(at)}
    for place in swept(left, size, candles):
        del left[place]
    return After(striking, struck, falls, burning, left)
