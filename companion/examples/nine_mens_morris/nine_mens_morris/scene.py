"""What the lights mean, and why a place is as it is. A game names meanings; a theme gives them their look."""

from __future__ import annotations

from companion.engine.action import Cell
from companion.engine.game import View
from companion.engine.scene import Glow, Scene
from companion.engine.state import Reason
from nine_mens_morris.pieces import SIDES

TINTS = ("white", "blue")
"""The colours of White's and Black's light: a lamp cannot shine black."""
MEANING = {"place": "legal", "move": "legal", "remove": "choose"}
"""What a place means that may be chosen in each phase."""


def scene(view: View) -> Scene:
    """Lights for a view; later glows lie above earlier ones."""
    if view["outcome"] is not None:
        return _ending(view)
    tint = TINTS[view["seat"]]
    glows = [Glow(cell, "progress", tint) for cell in view["mill"]]
    # A man that may be removed glows in its own colour, everything else in that of who acts.
    chosen = TINTS[1 - view["seat"]] if view["phase"] == "remove" else tint
    glows += [Glow(cell, MEANING[view["phase"]], chosen) for cell in view["choices"]]
    return Scene(tuple(glows), "tense" if max(view["taken"]) >= 6 else "")


def _ending(view: View) -> Scene:
    winners = view["outcome"]["winners"]
    if not winners:
        return Scene()
    glows = [
        Glow(cell, "won" if SIDES.index(side) in winners else "lost", TINTS[SIDES.index(side)])
        for cell, side in enumerate(view["men"])
        if side
    ]
    return Scene(tuple(glows), "won")


def explain(view: View, cell: Cell) -> list[Reason]:
    """Why a place is as it is; each code has a text `why.CODE`."""
    reasons = []
    if cell in view["mill"]:
        reasons.append(Reason("closed", (cell,), "NM-MILL-01", {"seat": view["seat"]}))
    elif cell in view["in_mills"]:
        reasons.append(Reason("in-a-mill", (cell,), "NM-REMOVE-02"))
    if view["phase"] == "remove" and cell in view["choices"]:
        reasons.append(Reason("may-be-removed", (cell,), "NM-REMOVE-01"))
    elif view["phase"] == "move" and view["men"][cell] == SIDES[view["seat"]]:
        code = "can-move" if cell in view["choices"] else "blocked"
        reasons.append(Reason(code, (cell,), "NM-MOVE-03"))
    return reasons
