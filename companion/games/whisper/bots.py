"""Careful players for both sides; they look at their view alone, as people would.

The survivors search where the killer is not, carry toolboxes to the radio, keep away from him and defend with
what they hold. The killer goes where noise was reported, else where survivors must come sooner or later, and
searches there.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.engine.action import Action
from companion.engine.game import Turn, View
from companion.engine.grid import cells_of
from companion.games.whisper.agenda import Whisper
from companion.games.whisper.pieces import (
    BOX,
    CARDS,
    ENTRANCE,
    EXIT,
    GRAPH,
    ITEMS,
    KEYS,
    LOCATIONS,
    RADIO,
    SEARCHABLE,
    SURVIVORS,
    TARGETS,
    THINGS,
    N,
)

Score = Callable[[View, Action], float]
_DISTANCE = GRAPH.distance
_WORTH = {
    "key": 99,
    "toolbox": 9,
    "amulet": 7,
    "longsword": 8,
    "building_plan": 3,
    "revolver": 5,
    "ammo": 5,
    "fertilizer": 6,
    "shortsword": 5,
    "hatchet": 4,
    "herbs": 5,
    "medkit": 6,
    "sedative": 4,
    "adrenaline": 4,
    "whiskey": 2,
    "firecracker": 3,
    "trap": 3,
    "flashlight": 2,
    "camera": 1,
}
"""What an item is worth to the team."""
_DEFENCE = {"longsword": 3, "ammo": 4, "fertilizer": 2, "shortsword": 1, "hatchet": 1, "s17": 4}
_KEEP = {
    "butcher_rage": 9,
    "butcher_chainsaw": 7,
    "butcher_madness": 3,
    "butcher_stay": 2,
    "specter_drain": 9,
    "specter_whizz": 7,
    "specter_scream": 6,
    "specter_vanish": 4,
    "specter_trail": 5,
    "maniac_blossom": 9,
    "maniac_notice": 4,
    "maniac_stalk": 6,
    "maniac_deduction": 3,
    "maniac_lurk": 4,
}
"""What a killer card is worth in hand; senses and pursuits are cheap."""


def careful(turn: Turn) -> Action:
    """Plays for whichever side the seat belongs to."""
    if len(turn.actions) == 1:
        return turn.actions[0]
    score = _killer if turn.seat == 0 else _team
    best = max((score(turn.view, action), turn.rng.random(), i) for i, action in enumerate(turn.actions))
    return turn.actions[best[2]]


def _text(action: Action) -> str:
    return Whisper.notation.text(action)


# The survivors ----------------------------------------------------------------------------------


def _danger(view: View, cell: int) -> float:
    """How near the killer is or may be."""
    killer = view["killer"]
    if killer["hidden"]:
        return 0.6 * max(0, 3 - _DISTANCE[cell][int(killer["last_cell"])])
    return float(max(0, 3 - _DISTANCE[cell][int(killer["cell"])]))


def _team(view: View, action: Action) -> float:
    verb, args = action.verb, action.args
    if verb in _TEAM:
        return _TEAM[verb](view, action)
    if verb in ("keep", "shed"):
        worth = _WORTH.get(ITEMS[args[0]], 0)
        return float(worth if verb == "keep" else -worth)
    if verb in ("equip", "wake"):
        i = _slot(view, args[0])
        return _wakes(view, i) if verb == "wake" else _receives(view, i)
    if verb == "face":
        return _defends(view, _slot(view, args[0]))
    return {"ward": 9, "accept": 5, "advance": 5, "report": 5, "throw": 4, "done": 0.5, "loot": 3}.get(
        verb, 0.0
    )


def _slot(view: View, who: int) -> int:
    return [tile["id"] for tile in view["survivors"]].index(SURVIVORS[who])


def _acting(view: View) -> int:
    name = view["asked"] or view["active"]
    return [tile["id"] for tile in view["survivors"]].index(name)


def _wakes(view: View, i: int) -> float:
    """Whoever can use the place acts first: a search may hold what the next one needs."""
    return 3.0 if SEARCHABLE >> view["places"][i] & 1 else 2.0


def _receives(view: View, i: int) -> float:
    bag = view["bags"][i] or []
    room = float(view["survivors"][i]["slots"] - len(bag))
    return 0.4 * room - 2 * _danger(view, view["places"][i])


def _defends(view: View, i: int) -> float:
    tile = view["survivors"][i]
    best = max((_DEFENCE.get(item, 0) for item in view["bags"][i] or ()), default=0)
    return float(4 * tile["health"] - tile["fear"] + best)


def _goal(view: View, i: int) -> list[int]:
    """Where a survivor wants to be."""
    bag = view["bags"][i] or []
    if view["keys"] >= KEYS or view["own_keys"][i] >= 3:
        plan = any("building_plan" in (other or ()) for other in view["bags"])
        near_exit = plan and sum(_DISTANCE[cell][EXIT] for cell in view["places"]) < 4
        return [EXIT if near_exit else ENTRANCE]
    if view["rescue"] is not None:
        return []
    if view["gears"] < 5 and ("toolbox" in bag or (i == 0 and view["search_left"] <= 3)):
        return [RADIO]
    return list(cells_of(SEARCHABLE)) if view["search_left"] else [RADIO]


def _stand(view: View, i: int, cell: int) -> float:
    """What standing at a place promises for the next turn."""
    goal = _goal(view, i)
    way = min((_DISTANCE[cell][to] for to in goal), default=0)
    tile = view["survivors"][i]
    fear = (3.5 if tile["health"] == 1 else 2.2) * _danger(view, cell)
    noisy = 1.5 if cell in view["pending"] and view["keys"] < KEYS else 0.0
    return -1.6 * way - fear - noisy


def _moves(view: View, action: Action) -> float:
    return 6.0 + _stand(view, _acting(view), action.args[0])


def _works(view: View, action: Action) -> float:
    """Searching and repairing: worth the noise unless the killer is next door."""
    i = _acting(view)
    here = view["places"][i]
    wanted = here in _goal(view, i)
    return 6.0 + (5.0 if wanted else 0.5) - 1.5 * _danger(view, here)


def _calms(view: View, action: Action) -> float:
    i = _acting(view)
    fear: int = view["survivors"][i]["fear"]
    return 5.5 + _stand(view, i, view["places"][i]) + 1.8 * fear


_ENDLESS = -100.0
"""What is free and may be done again and again is worth less than the worst main action."""


def _uses(view: View, action: Action) -> float:
    i = _acting(view)
    thing = THINGS[action.args[0]]
    target = TARGETS[action.args[1]] if len(action.args) > 1 else ""
    here = view["places"][i]
    if thing == "toolbox":
        return 14.0 - 1.5 * _danger(view, here)
    if thing in ("herbs", "medkit", "mystic_herbs", "s08"):
        other = [tile["id"] for tile in view["survivors"]].index(target)
        return 12.0 if view["survivors"][other]["health"] == 1 else -1.0
    if thing in ("sedative", "s10"):
        return 7.0 if view["survivors"][i]["fear"] == 2 else -1.0
    if thing == "firecracker":
        return 3.0 if len(view["pending"]) > 1 else -1.0
    if thing in ("observant", "flashlight", "sprint", "tunnels", "s01") and target:
        loud = 2.5 if thing in ("sprint", "s01") else 0.2
        there = _stand(view, i, LOCATIONS.index(target))
        if thing == "observant" and "flashlight" in (view["bags"][i] or ()):
            # As an extra action it may be done again and again: only for a better place.
            return 6.0 - loud + there if there > _stand(view, i, here) else _ENDLESS
        return 6.0 - loud + there
    if thing in ("adrenaline", "s20", "site_study") and target:
        gain = _stand(view, i, LOCATIONS.index(target)) - _stand(view, i, here)
        return 8.0 if gain > 3.0 else -1.0
    if thing in ("whiskey", "s13", "buzzer") and target in LOCATIONS:
        away = min(_DISTANCE[LOCATIONS.index(target)][cell] for cell in view["places"])
        return 2.0 if away >= 2 else -1.0
    if thing in ("skeleton_key", "ancient_chest", "diy_radio"):
        return 13.0
    return -1.0


def _clears(view: View, action: Action) -> float:
    i = _acting(view)
    return 5.0 + _stand(view, i, view["places"][i]) + (4.0 if not view["reach"] else 0.0)


def _guards(view: View, action: Action) -> float:
    bonus = _DEFENCE.get(THINGS[action.args[0]], 0)
    need = view["killer"]["strength"] - (view["encounter"]["to_roll"] or 0)
    return bonus if need > 0 or bonus == 1 else -1.0


def _flees(view: View, action: Action) -> float:
    i = _acting(view)
    return _stand(view, i, action.args[0]) - 2 * _danger(view, action.args[0])


def _stays(view: View, action: Action) -> float:
    i = _acting(view)
    here = view["places"][i]
    return _stand(view, i, here) - 2 * _danger(view, here)


_TEAM: dict[str, Score] = {
    "move": _moves,
    "rummage": _works,
    "repair": _works,
    "calm": _calms,
    "use": _uses,
    "clear": _clears,
    "guard": _guards,
    "flee": _flees,
    "stay": _stays,
    "give": lambda view, action: _ENDLESS,
    "swap": lambda view, action: _ENDLESS,
    "leave": lambda view, action: -1.0,
}


# The killer -------------------------------------------------------------------------------------


def _heat(view: View, cell: int) -> float:
    """How likely somebody is at a place: noise, what survivors need, what the clues allow."""
    heat = 0.0
    if view["firecracker"] is None:
        heat += 4.0 * (cell in view["noise"]) + 1.0 * (cell in view["noise_last"])
        heat += sum(0.7 for near in GRAPH.beside[cell] if near in view["noise"])
    heat += 0.8 * (SEARCHABLE >> cell & 1) + 0.6 * (cell == RADIO) + (0.5 if view["round"] == 1 else 0.0)
    asked = view["question"]
    if asked is not None and view["side"] == "killer" and cell in asked["cells"]:
        heat += 2.5 * len(asked["survivors"]) / len(asked["cells"]) if asked["survivors"] else -0.8
    if view["keys"] >= KEYS:
        heat += 3.0 * (cell == ENTRANCE)
    if view["possible"] is not None:
        for cells in view["possible"]:
            if cell in cells:
                heat += 3.0 / len(cells)
    return heat


def _lure(view: View, cell: int, reach: int = 6) -> float:
    """How good a place is to stand at: heat near by counts more."""
    return max(_heat(view, to) - 0.9 * _DISTANCE[cell][to] for to in range(N) if _DISTANCE[cell][to] <= reach)


def _killer(view: View, action: Action) -> float:
    verb, args = action.verb, action.args
    if verb in _KILLER:
        return _KILLER[verb](view, action)
    if verb in ("pay", "discard"):
        return -_KEEP.get(CARDS[args[0]], 1.0)
    if verb in ("go", "sneak"):
        return 1.0 + _lure(view, args[0])
    if verb == "frighten":
        return float(view["survivors"][_slot(view, args[0])]["fear"])
    if verb == "ask":
        return sum(_heat(view, cell) for cell in BOX.zones[args[0]])
    return {"accept": 3.0, "hunt": 1.0, "note": -9.0, "guess": -9.0}.get(verb, 0.0)


def _searches(view: View, action: Action) -> float:
    """Searching pays where somebody may be; else walking on does."""
    return 1.2 + 1.2 * _heat(view, view["at"]) + 0.3


def _halts(view: View, action: Action) -> float:
    return 1.1 + _lure(view, view["at"])


def _plays(view: View, action: Action) -> float:
    card = CARDS[action.args[0]]
    kind = card.split("_")[1]
    near = max(_heat(view, cell) for cell in range(N) if _DISTANCE[view["at"]][cell] <= 1)
    if kind in ("sense", "notice", "trail", "drain", "rage"):
        return 6.0
    if kind == "pursue":
        best = max(_lure(view, cell) for cell in GRAPH.beside[view["at"]])
        return 3.0 if best > _lure(view, view["at"]) + 0.3 else -1.0
    if kind in ("chainsaw", "scream"):
        return 7.0 if near >= 3 else -1.0
    if kind == "whizz":
        return 8.0
    if kind == "stalk":
        return 2.0
    if kind in ("vanish", "lurk", "blossom", "barricade"):
        return 1.0
    return -1.0


def _pairs(view: View, action: Action) -> float:
    codes = _text(action).split()[1].split("-")
    return sum(_heat(view, LOCATIONS.index(code)) for code in codes)


_KILLER: dict[str, Score] = {
    "search": _searches,
    "halt": _halts,
    "play": _plays,
    "ask-pair": _pairs,
    "ask-noise": lambda view, action: _heat(view, action.args[0]),
}
