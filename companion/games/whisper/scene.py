"""What the lights of Whisper mean, and why a place is as it is (ledger section 8.2).

A scene is made from a view, so it can tell no more than its viewer knows: from the public view come the roof
and what both boards show, from a survivors' seat also that side's secrets. In stealth the killer's own board
shows the last known place only, whatever he does.
"""

from __future__ import annotations

from companion.engine.action import Cell
from companion.engine.game import View
from companion.engine.scene import Glow, Scene
from companion.engine.state import Reason
from companion.games.whisper.layout import CELL, board
from companion.games.whisper.pieces import BOX, FIRST_PASSAGE, KEYS, RADIO, RESCUE, SEARCHABLE, SECRET_ENDS, N

_TINT = {"purple": "violet", "yellow": "yellow", "white": "white", "orange": "orange", "black": "brown"}
_ZONE_TINT = ("red", "blue", "green")


def scene(view: View) -> Scene:
    """Lights for a view."""
    if view["killer"] is None:
        return Scene()
    glows = [*_roof(view), *_map(view)]
    if "gears" in view:
        glows += _survivors_board(view)
    outcome = view["outcome"]
    if outcome is not None:
        lost = 0 in outcome["winners"]
        meaning = "lost" if lost else "won"
        glows += [Glow(cell, meaning) for cell in range(N)]
        return Scene(tuple(glows), meaning)
    tense = view["encounter"] is not None or view["rescue"] is not None
    return Scene(tuple(glows), "tense" if tense else "")


def _roof(view: View) -> list[Glow]:
    """Whose turn, health and fear, keys, rescue, level and strength: public tracks."""
    killer = view["killer"]
    glows = [Glow(CELL[f"turn.{view['side']}"], "turn", "red" if view["side"] == "killer" else "green")]
    for i, tile in enumerate(view["survivors"]):
        tint = _TINT.get(tile["colour"], "")
        meaning = {"dead": "lost", "escaped": "won"}.get(
            tile["state"], "lit" if tile["health"] == 2 else "fading"
        )
        glows.append(Glow(CELL[f"tile{i + 1}"], meaning, tint))
        glows += [Glow(CELL[f"fear{i + 1}.{n + 1}"], "fear") for n in range(tile["fear"])]
    glows += [Glow(CELL[f"key{n + 1}"], "progress", "yellow") for n in range(min(KEYS, view["keys"]))]
    if view["rescue"] is not None:
        left = view["rescue"]
        glows.append(Glow(CELL[f"rescue{left}"], "progress", "blue", level=1 - left / (RESCUE + 1)))
    glows.append(Glow(CELL[f"level{killer['level']}"], "threat", "red"))
    glows.append(Glow(CELL[f"strength{killer['strength']}"], "threat", "orange"))
    return glows


def _map(view: View) -> list[Glow]:
    """What both boards show: noise all at once, barricades, the killer where he is known to be."""
    glows = [Glow(cell, "wrong", "brown") for cell in view["barricades"]]
    glows += [
        Glow(cell, "dim", "white", level=0.4) for cell in view["noise_last"] if cell not in view["noise"]
    ]
    noisy = range(N) if view["firecracker"] is not None else view["noise"]
    glows += [Glow(cell, "noise", "yellow") for cell in noisy]
    killer = view["killer"]
    if view["encounter"] is not None:
        glows.append(Glow(view["encounter"]["cell"], "attack", "red"))
    elif killer["hidden"]:
        glows.append(Glow(killer["last_cell"], "fading", "red"))
    else:
        glows.append(Glow(killer["cell"], "threat", "red"))
    return glows


def _survivors_board(view: View) -> list[Glow]:
    """What only the survivors' side shows: unreported noise, steps of whoever acts, gears."""
    glows = [Glow(cell, "noise", "orange", level=0.6) for cell in view["pending"]]
    glows += [Glow(cell, "legal", "green") for cell in view["reach"]]
    glows += [Glow(CELL[f"gear{n + 1}"], "progress", "blue") for n in range(view["gears"])]
    if view["equipment_left"] <= 6:
        glows.append(Glow(CELL["equipment"], "low", "red"))
    if view["phase"] == "rolling":
        glows += [Glow(CELL[f"die{n + 1}"], "choose") for n in range(view["encounter"]["to_roll"])]
    return glows


def explain(view: View, cell: Cell) -> list[Reason]:
    """Why a place is as it is."""
    if view["killer"] is None:
        return []
    place = board({}).places[cell]
    if place.zone == "map":
        return _room(view, cell)
    if place.zone == "passage":
        a, b = BOX.passages[cell - FIRST_PASSAGE]
        if cell in view["barricades"]:
            return [Reason("barricade", (cell, a, b), "WW-MOVE-03")]
        return [Reason("passage", (cell, a, b), "WW-MAP-03")]
    return _track(view, cell, place.name)


def _room(view: View, cell: Cell) -> list[Reason]:
    killer = view["killer"]
    reasons = []
    if killer["hidden"] and killer["last_cell"] == cell:
        reasons.append(Reason("last-seen", (cell,), "WW-STEALTH-02"))
    if killer["cell"] == cell:
        reasons.append(Reason("killer", (cell,), "WW-TURN-12", {"n": killer["strength"]}))
    if view["firecracker"] is not None:
        reasons.append(Reason("firecracker", (cell,), "WW-FIRE-03"))
    elif cell in view["noise"]:
        reasons.append(Reason("noise", (cell,), "WW-NOISE-08"))
    if cell in view.get("pending", ()):
        reasons.append(Reason("unreported-noise", (cell,), "WW-NOISE-07"))
    if cell == RADIO:
        reasons.append(Reason("radio", (cell,), "WW-MAP-06"))
    if SEARCHABLE >> cell & 1:
        reasons.append(Reason("searchable", (cell,), "WW-MAP-05"))
    if SECRET_ENDS >> cell & 1:
        other = next(b if a == cell else a for a, b in BOX.secret if cell in (a, b))
        reasons.append(Reason("secret-passage", (cell, other), "WW-MAP-08", {"cell": other}))
    if cell in (*BOX.special["main_entrance"], *BOX.special["secret_exit"]):
        reasons.append(Reason("exit", (cell,), "WW-MAP-07", {"n": view["keys"]}))
    return reasons


def _track(view: View, cell: Cell, name: str) -> list[Reason]:
    killer = view["killer"]
    if name == "stealth" and killer["hidden"]:
        return [Reason("stealth", (cell, killer["last_cell"]), "WW-STEALTH-05")]
    if name.startswith("rescue") and view["rescue"] is not None:
        return [Reason("rescue", (cell,), "WW-RESCUE-02", {"n": view["rescue"]})]
    if name.startswith("key"):
        return [Reason("keys", (cell,), "WW-WIN-01", {"n": view["keys"]})]
    if name == f"strength{killer['strength']}" or name == f"level{killer['level']}":
        blanks = {"n": killer["strength"], "level": killer["level"]}
        return [Reason("strength", (cell,), "WW-LEVEL-01", blanks)]
    if name.startswith("gear") and "gears" in view:
        return [Reason("gears", (cell,), "WW-RADIO-09", {"n": view["gears"]})]
    if name == "equipment" and "equipment_left" in view:
        return [Reason("equipment", (cell,), "WW-EQUIP-02", {"n": view["equipment_left"]})]
    if name == "search" and "search_left" in view:
        return [Reason("search-deck", (cell,), "WW-FIND-03", {"n": view["search_left"]})]
    return []
