"""The survivors' board in millimetres, and what the camera should see on it.

Beside the map lie the cells of the gears, the tray of the dice, the stealth circle and the two decks. The
roof of the house is part of the board for the lights only: the camera does not look at it.
"""

from __future__ import annotations

from functools import lru_cache

from companion.engine.action import Cell
from companion.engine.game import View
from companion.engine.layout import Board, Face, Layout, Piece, Place, frame
from companion.engine.options import Options
from companion.games.whisper.data import read
from companion.games.whisper.pieces import (
    BOX,
    DICE,
    GEARS,
    IN_PLAY,
    KEYS,
    KILLERS,
    PASSAGES,
    RESCUE,
    SURVIVORS,
)

FRAME = 4
"""The number of the printed frame."""
WIDTH, HEIGHT = 640.0, 440.0
_ROOM = (62.0, 48.0)
_DOOR = (24.0, 14.0)
_CELL = 22.0


def _places() -> tuple[Place, ...]:
    world = read()["map"]
    places = [
        Place(place["id"], place["pos"][0] * WIDTH, place["pos"][1] * HEIGHT, *_ROOM, zone="map")
        for place in world["locations"]
    ]
    places += [
        Place(PASSAGES[i], way["pos"][0] * WIDTH, way["pos"][1] * HEIGHT, *_DOOR, zone="passage")
        for i, way in enumerate(world["passages"])
    ]
    places += [_cell(f"gear{i + 1}", 40.0, 120.0 + 30 * i, "gears") for i in range(GEARS)]
    places += [_cell(f"die{i + 1}", 560.0 + 30 * (i % 2), 330.0 + 30 * (i // 2), "tray") for i in range(DICE)]
    places += [
        Place("stealth", 570.0, 130.0, 44.0, 44.0, "stealth"),
        Place("equipment", 555.0, 220.0, 45.0, 64.0, "deck"),
        Place("search", 608.0, 220.0, 45.0, 64.0, "deck"),
    ]
    return (*places, *_roof())


def _roof() -> list[Place]:
    """The tracks on the roof, along the upper edge."""
    found = []
    for i in range(IN_PLAY):
        x = 30.0 + 75 * i
        found.append(_cell(f"tile{i + 1}", x, 15.0, "roof"))
        found += [_cell(f"fear{i + 1}.{n + 1}", x + 24 * (n + 1), 15.0, "roof") for n in range(2)]
    found += [_cell(f"key{i + 1}", 260.0 + 24 * i, 15.0, "roof") for i in range(KEYS)]
    found += [_cell(f"rescue{n}", 390.0 + 24 * (RESCUE - n), 15.0, "roof") for n in range(RESCUE, -1, -1)]
    found += [_cell(f"level{n}", 30.0 + 24 * (n - 1), 42.0, "roof") for n in range(1, 6)]
    found += [_cell(f"strength{n}", 170.0 + 24 * n, 42.0, "roof") for n in range(11)]
    found += [_cell("turn.killer", 540.0, 42.0, "roof"), _cell("turn.survivors", 570.0, 42.0, "roof")]
    return found


def _cell(name: str, x: float, y: float, zone: str) -> Place:
    return Place(name, x, y, _CELL, _CELL, zone)


def _faces() -> tuple[Face, ...]:
    return (
        *(Face(name, "figure", 25.0, 25.0) for name in (*SURVIVORS, *KILLERS)),
        *(Face(name, "token", 20.0, 20.0) for name in ("noise", "firecracker", "trap", "gear")),
        *(Face(name, "token", 20.0, 20.0) for name in ("stealth", "plan_marker")),
        Face("barricade", "token", 24.0, 12.0, turns=2),
        *(Face(f"die_{value}", "die", 16.0, 16.0) for value in sorted({0, 1, 3, *BOX.faces})),
    )


@lru_cache(maxsize=1)
def _board() -> Board:
    return Board("whisper", WIDTH, HEIGHT, _places(), _faces(), frame(FRAME, WIDTH, HEIGHT))


def board(options: Options) -> Board:
    """The survivors' board; options do not change it."""
    return _board()


CELL: dict[str, Cell] = {place.name: i for i, place in enumerate(_board().places)}


def layout(view: View) -> Layout:
    """What lies on the survivors' board, from the view of a survivors' seat."""
    found: dict[Cell, list[Piece]] = {}

    def put(cell: Cell, face: str) -> None:
        found.setdefault(cell, []).append(Piece(face))

    killer = view["killer"]
    if killer is None or "places" not in view:
        return {}
    for cell in view["barricades"]:
        put(cell, "barricade")
    for cell in sorted({*view["noise"], *view["pending"]}):
        put(cell, "noise")
    if view["firecracker"] is not None:
        put(view["firecracker"], "firecracker")
    elif view["firecracker_lit"]:
        put(killer["last_cell"], "firecracker")
    if view["trap"] is not None:
        put(view["trap"], "trap")
    if view["marker"] is not None:
        put(view["marker"], "plan_marker")
    for i in range(view["gears"]):
        put(CELL[f"gear{i + 1}"], "gear")
    for i, value in enumerate(view["roll"]):
        put(CELL[f"die{i + 1}"], f"die_{value}")
    if killer["hidden"]:
        put(killer["last_cell"], "stealth")
    for tile, cell in zip(view["survivors"], view["places"], strict=True):
        if tile["state"] != "escaped":
            put(cell, tile["id"])
    put(CELL["stealth"] if killer["hidden"] else killer["cell"], killer["id"])
    return {cell: tuple(pieces) for cell, pieces in found.items()}
