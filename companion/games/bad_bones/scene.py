"""What the lights mean (ledger 8.2), and why a place is as it is."""

from __future__ import annotations

from typing import Any

from companion.engine.action import Cell
from companion.engine.game import View
from companion.engine.scene import Glow, Scene
from companion.engine.state import Reason
from companion.games.bad_bones.forecast import fates
from companion.games.bad_bones.layout import capital_cell, house_place, spot_of
from companion.games.bad_bones.paths import ENDS, STAYS
from companion.games.bad_bones.pieces import (
    AROUND,
    CEMETERY,
    DIRECTIONS,
    FIELD,
    PLACES,
    TYPES,
)
from companion.games.bad_bones.printed import KIND_NAMES, PRINTED, SYMBOL
from companion.games.bad_bones.verbs import COLOUR_NAMES

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
    for seat in range(view["players"]):
        glows += _steps(view, seat)
        glows += _wear(view, seat)
        threats, deadly = _threats(view, seat)
        glows += threats
        tense |= deadly
        if view["phase"] == "hero" and seat in busy:
            glows += _reach(view, seat)
        elif view["phase"] == "post" and seat in busy:
            glows += [Glow(tower, "choose") for tower in view["towers"][seat]]
        ask = view["ask"][seat]
        if ask is not None and ask["cell"] >= 0:
            glows.append(Glow(ask["cell"], "choose", "blue"))
        for kind in view["cemetery"][seat]:
            glows.append(Glow(seat * PLACES + spot_of(kind, view["coop"]), "place", tint_of(kind)))
        if seat in busy:
            glows.append(Glow(seat * PLACES + CEMETERY, "turn"))
    return Scene(tuple(glows), "tense" if tense else "")


def _steps(view: View, seat: int) -> list[Glow]:
    """The next step of each skeleton as a chase from cell to cell."""
    return [
        Glow(cell, "path", tint_of(fate["skeleton"]), order)
        for fate in fates(view, seat)
        if fate["end"] != ENDS[STAYS]
        for order, cell in enumerate((fate["cell"], *fate["path"]))
    ]


def _wear(view: View, seat: int) -> list[Glow]:
    """Traps: dim, orange when damaged, fading when they will wear."""
    return [
        Glow(
            cell,
            "fading" if cell in view["triggered"][seat] else "dim",
            "orange" if worn else "",
            0,
            0.5 if worn else 1.0,
        )
        for cell, form, worn in view["traps"][seat]
        if not (form == "dynamite" and worn)
    ]


def _reach(view: View, seat: int) -> list[Glow]:
    """Where the hero can go; three skeletons there would make his weapon usable."""
    crowd: dict[int, int] = {}
    for cell, *_ in view["skeletons"][seat]:
        crowd[cell] = crowd.get(cell, 0) + 1
    armed = bool(view["weapon"][seat])
    reach = (seat * PLACES + place for place in AROUND[view["hero"][seat] % PLACES])
    return [Glow(cell, "choose" if armed and crowd.get(cell, 0) >= 3 else "legal", "white") for cell in reach]


def _threats(view: View, seat: int) -> tuple[list[Glow], bool]:
    """Floors and houses that the next march will cost, and whether that is the end of them."""
    glows = []
    ends = fates(view, seat)
    floors, houses = (sum(fate[what] for fate in ends) for what in ("floors", "houses"))
    standing, left = view["floors"][seat], view["capital"] if view["coop"] else view["houses"][seat]
    for fate in ends:
        if fate["floors"]:
            glows.append(Glow(fate["to"], "threat", "red", 0, min(1.0, floors / max(standing, 1))))
    for i in range(min(houses, left)):
        last = left - 1 - i
        cell = capital_cell(view, last) if view["coop"] else seat * PLACES + house_place(last)
        glows.append(Glow(cell, "threat", "red"))
    return glows, bool(floors and floors >= standing) or bool(houses and houses >= left)


def _ending(view: View) -> Scene:
    winners = view["outcome"]["winners"]
    glows = []
    for seat in range(view["players"]):
        meaning = "won" if seat in winners else "lost"
        glows += [Glow(cell, meaning) for cell in view["towers"][seat] or [seat * PLACES + CEMETERY]]
    return Scene(tuple(glows), "won" if winners else "lost")


# Why ---------------------------------------------------------------------------------------------


def explain(view: View, cell: Cell) -> list[Reason]:
    """Why a place is as it is: what lies there, what its skeletons will do, what threatens it."""
    seat, place = divmod(cell, PLACES)
    if seat >= view["players"]:
        return [Reason("capital", (cell,), "BB-COOP-22", {"n": view["capital"]})]
    reasons = [*_printed(view, seat, place), *_lying(view, seat, cell)]
    rule = "BB-COOP-13" if view["coop"] else "BB-TOWER-01"
    for fate in fates(view, seat):
        if fate["cell"] == cell:
            reasons.append(_fate(fate))
        elif fate["to"] == cell and fate["floors"]:
            lost = {"skeleton": fate["skeleton"], "n": min(fate["floors"], view["floors"][seat])}
            reasons.append(Reason("tower-threat", (fate["cell"], cell), rule, lost))
    return reasons


def _printed(view: View, seat: int, place: int) -> list[Reason]:
    """The arrows of a cell, the symbol of a forest spot, the houses, the cemetery."""
    side = PRINTED.coop if view["coop"] else PRINTED.standard
    cell = seat * PLACES + place
    if place >= CEMETERY:
        names = view["cemetery"][seat]
        return [Reason("cemetery", (cell,), "BB-NEW-02", {"skeletons": names})]
    if place < FIELD:
        hides = {where for where, form, _ in view["traps"][seat] if form != "dynamite"}
        if cell in hides or cell in view["towers"][seat]:
            return []
        return [
            Reason(
                "arrow",
                (cell,),
                "BB-ARROW-01",
                {"direction": DIRECTIONS[into], "turned": DIRECTIONS[side.arrows[place * 4 + into]]},
            )
            for into in range(4)
            if side.arrows[place * 4 + into] != into
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
    return [Reason("village", (cell,), "BB-VILLAGE-01", {"n": view["houses"][seat]})]


def _lying(view: View, seat: int, cell: Cell) -> list[Reason]:
    """The tile, the tower or the hero on a cell."""
    reasons = []
    for where, form, worn in view["traps"][seat]:
        if where != cell:
            continue
        if form == "dynamite" and worn:
            reasons.append(Reason("crater", (cell,), "BB-DYNAMITE-06"))
            continue
        reasons.append(Reason("trap", (cell,), TRAP_RULES[form], {"trap": form}))
        if worn:
            reasons.append(Reason("damaged", (cell,), "BB-TRAP-17", {"trap": form}))
        if cell in view["triggered"][seat]:
            reasons.append(Reason("triggered", (cell,), "BB-TRAP-16", {"trap": form}))
    is_tower = cell in view["towers"][seat]
    if is_tower:
        n = 1 if view["coop"] else view["floors"][seat]
        reasons.append(Reason("tower", (cell,), "BB-COOP-04" if view["coop"] else "BB-TOWER-02", {"n": n}))
    if cell == view["hero"][seat]:
        in_tower = Reason("hero-in-tower", (cell,), "BB-HERO-12")
        reasons.append(in_tower if is_tower else Reason("hero-fights", (cell,), "BB-HERO-09"))
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


def _fate(fate: dict[str, Any]) -> Reason:
    code = fate["choice"] or fate["end"]
    path = [fate["cell"], *fate["path"]]
    data = {"skeleton": fate["skeleton"], "path_cells": path, "turned": fate["turned"]}
    return Reason(f"will-{code}", tuple(path), FATES[code], data)
