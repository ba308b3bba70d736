"""What the lights mean (ledger 8.2), and why a place is as it is."""

from __future__ import annotations

from typing import Any

from companion.action import Cell
from companion.game import View
from companion.games.bad_bones.layout import capital_cell, house_place, spot_of
from companion.games.bad_bones.march import ENDS, STAYS
from companion.games.bad_bones.pieces import (
    AROUND,
    CEMETERY,
    DIRECTIONS,
    FIELD,
    PLACES,
    TYPES,
)
from companion.games.bad_bones.printed import KIND_NAMES, PRINTED, SYMBOL
from companion.games.bad_bones.words import COLOUR_NAMES
from companion.scene import Glow, Scene
from companion.state import Reason

SYMBOL_TINT = ("green", "blue", "red", "yellow", "violet")
TRAP_RULES = {
    "wall/": "BB-WALL-01",
    "wall\\": "BB-WALL-01",
    "catapult": "BB-CATAPULT-01",
    "dragon": "BB-DRAGON-01",
    "treasure": "BB-TREASURE-04",
    "palisade": "BB-PALISADE-01",
    "hearse": "BB-HEARSE-01",
    "dynamite": "BB-DYNAMITE-01",
    "maze-white": "BB-MAZE-03",
    "maze-black": "BB-MAZE-03",
    "portal": "BB-PORTAL-01",
    "spring": "BB-SPRING-01",
}


def tint_of(kind: str) -> str:
    """The colour of a skeleton's symbol."""
    return SYMBOL_TINT[SYMBOL[KIND_NAMES.index(kind)]]


def scene(view: View) -> Scene:
    """Lights for a view: next steps, threats, wear, and whose choice is where."""
    if view["outcome"] is not None:
        return _ending(view)
    glows: list[Glow] = []
    busy = {seat for seat, _ in view["needs"]}
    tense = False
    for seat, one in enumerate(view["boards"]):
        glows += _steps(one)
        glows += _wear(one)
        threats, deadly = _threats(view, seat, one)
        glows += threats
        tense |= deadly
        if view["phase"] == "hero" and seat in busy and one["hero"] >= 0:
            glows += _reach(seat, one)
        elif view["phase"] == "post" and seat in busy:
            glows += [Glow(tower, "choose") for tower in one["towers"]]
        if one["ask"] is not None and one["ask"]["cell"] >= 0:
            glows.append(Glow(one["ask"]["cell"], "choose", "blue"))
        for kind in one["cemetery"]:
            glows.append(Glow(seat * PLACES + spot_of(kind, view["coop"]), "place", tint_of(kind)))
        if seat in busy:
            glows.append(Glow(seat * PLACES + CEMETERY, "turn"))
    return Scene(tuple(glows), "tense" if tense else "")


def _steps(one: dict[str, Any]) -> list[Glow]:
    """The next step of each skeleton as a chase from cell to cell."""
    return [
        Glow(cell, "path", tint_of(entry["skeleton"]), order)
        for entry in one["forecast"]
        if entry["end"] != ENDS[STAYS]
        for order, cell in enumerate(entry["path"])
    ]


def _wear(one: dict[str, Any]) -> list[Glow]:
    return [
        Glow(
            cell,
            "fading" if cell in one["triggered"] else "dim",
            "orange" if worn else "",
            0,
            0.5 if worn else 1,
        )
        for cell, form, worn in one["traps"]
        if not (form == "dynamite" and worn)
    ]


def _reach(seat: int, one: dict[str, Any]) -> list[Glow]:
    """Where the hero can go; three skeletons there would make his weapon usable."""
    hero = one["hero"] % PLACES
    crowd: dict[int, int] = {}
    for cell, *_ in one["skeletons"]:
        crowd[cell] = crowd.get(cell, 0) + 1
    reach = [seat * PLACES + place for place in AROUND[hero]]
    return [
        Glow(cell, "choose" if one["weapon"] and crowd.get(cell, 0) >= 3 else "legal", "white")
        for cell in reach
    ]


def losses(one: dict[str, Any]) -> tuple[int, int]:
    """Floors and houses that the next march will cost a board."""
    return sum(e["floors"] for e in one["forecast"]), sum(e["houses"] for e in one["forecast"])


def _threats(view: View, seat: int, one: dict[str, Any]) -> tuple[list[Glow], bool]:
    floors, houses = losses(one)
    glows = []
    left = view["capital"] if view["coop"] else one["houses"]
    for entry in one["forecast"]:
        if entry["floors"]:
            level = min(1.0, floors / max(one["floors"], 1))
            glows.append(Glow(entry["to"], "threat", "red", 0, level))
    for i in range(min(houses, left)):
        cell = capital_cell(view, left - 1 - i) if view["coop"] else seat * PLACES + house_place(left - 1 - i)
        glows.append(Glow(cell, "threat", "red"))
    deadly = bool(floors and floors >= one["floors"]) or bool(houses and houses >= left)
    return glows, deadly


def _ending(view: View) -> Scene:
    winners = view["outcome"]["winners"]
    glows = []
    for seat, one in enumerate(view["boards"]):
        meaning = "won" if seat in winners else "lost"
        cells = one["towers"] or [seat * PLACES + CEMETERY]
        glows += [Glow(cell, meaning) for cell in cells]
    return Scene(tuple(glows), "won" if winners else "lost")


# Why ---------------------------------------------------------------------------------------------


def explain(view: View, cell: Cell) -> list[Reason]:
    """Why a place is as it is: what lies there, what its skeletons will do, what threatens it."""
    seat, place = divmod(cell, PLACES)
    if seat >= view["players"]:
        return [Reason("capital", (cell,), "BB-COOP-22", {"n": view["capital"]})]
    one = view["boards"][seat]
    reasons = [*_printed(view, seat, place), *_lying(view, one, cell)]
    for entry in one["forecast"]:
        if entry["cell"] == cell:
            reasons.append(_fate(entry))
        elif entry["to"] == cell and entry["floors"]:
            reasons.append(
                Reason(
                    "tower-threat",
                    (entry["cell"], cell),
                    "BB-COOP-13" if view["coop"] else "BB-TOWER-01",
                    {"skeleton": entry["skeleton"], "n": min(entry["floors"], one["floors"])},
                )
            )
    return reasons


def _printed(view: View, seat: int, place: int) -> list[Reason]:
    """The arrows of a cell, the symbol of a forest spot, the houses, the cemetery."""
    side = PRINTED.coop if view["coop"] else PRINTED.standard
    cell = seat * PLACES + place
    if place == CEMETERY:
        names = view["boards"][seat]["cemetery"]
        return [Reason("cemetery", (cell,), "BB-NEW-02", {"skeletons": names})]
    if place < FIELD:
        return [
            Reason(
                "arrow",
                (cell,),
                "BB-ARROW-01",
                {"direction": DIRECTIONS[into], "turned": DIRECTIONS[side.arrows[place * 4 + into]]},
            )
            for into in range(4)
            if side.arrows[place * 4 + into] != into and cell not in view["boards"][seat]["towers"]
        ]
    if place in side.spots:
        kind = side.spots.index(place)
        return [
            Reason(
                "spot", (cell,), "BB-SETUP-11", {"skeleton": TYPES[kind], "symbol": COLOUR_NAMES[kind // 3]}
            )
        ]
    if view["coop"]:
        return [Reason("capital", (cell,), "BB-COOP-19", {"n": view["capital"]})]
    return [Reason("village", (cell,), "BB-VILLAGE-01", {"n": view["boards"][seat]["houses"]})]


def _lying(view: View, one: dict[str, Any], cell: Cell) -> list[Reason]:
    """The tile, the tower or the hero on a cell."""
    reasons = []
    for where, form, worn in one["traps"]:
        if where != cell:
            continue
        if form == "dynamite" and worn:
            reasons.append(Reason("crater", (cell,), "BB-DYNAMITE-06"))
            continue
        reasons.append(Reason("trap", (cell,), TRAP_RULES[form], {"trap": form}))
        if worn and not form.startswith("maze"):
            reasons.append(Reason("damaged", (cell,), "BB-TRAP-17", {"trap": form}))
        if cell in one["triggered"]:
            reasons.append(Reason("triggered", (cell,), "BB-TRAP-16", {"trap": form}))
    if cell in one["towers"]:
        n = 1 if view["coop"] else one["floors"]
        reasons.append(Reason("tower", (cell,), "BB-COOP-04" if view["coop"] else "BB-TOWER-02", {"n": n}))
    if cell == one["hero"]:
        shields = cell not in one["towers"]
        reasons.append(
            Reason(
                "hero-fights" if shields else "hero-in-tower",
                (cell,),
                "BB-HERO-09" if shields else "BB-HERO-12",
            )
        )
    return reasons


FATES = {
    "stands": "BB-MOVE-02",
    "stays": "BB-MOVE-13",
    "tower": "BB-TOWER-01",
    "goal": "BB-VILLAGE-01",
    "gone": "BB-FOREST-01",
    "thrown": "BB-CATAPULT-01",
    "loaded": "BB-HEARSE-01",
    "slain": "BB-HERO-09",
    "blown-up": "BB-DYNAMITE-01",
    "impaled": "BB-SPRING-06",
    "returned": "BB-PORTAL-01",
    "scatter": "BB-DRAGON-01",
    "send": "BB-FOREST-03",
    "give-up": "BB-COOP-15",
}
"""The rule behind each end of a move, and behind each choice that a move can wait for."""


def _fate(entry: dict[str, Any]) -> Reason:
    code = entry["choice"] or entry["end"]
    data = {"skeleton": entry["skeleton"], "path_cells": entry["path"], "turned": entry["turned"]}
    return Reason(f"will-{code}", tuple(entry["path"]), FATES[code], data)
