"""What the lights of the Dark Cave mean (ledger 9.2), and why a place is as it is."""

from __future__ import annotations

from collections.abc import Callable

from companion.engine.action import Cell
from companion.engine.game import View
from companion.engine.scene import Glow, Scene
from companion.engine.state import Reason
from companion.games.dark_cave import pieces
from companion.games.dark_cave.cards import CARDS
from companion.games.dark_cave.cave import Cave
from companion.games.dark_cave.layout import DECK, LAMP
from companion.games.dark_cave.spread import ON_TABLE
from companion.games.dark_cave.view import cave_of, cell_of

CREATURE_TINTS = {"rat": "white", "lindworm": "green", "goblin": "red"}


def scene(view: View) -> Scene:
    """Lights for a view. Nothing here depends on an identity that is not open."""
    glows: list[Glow] = []

    def glow(cell: Cell, meaning: str, tint: str = "", order: int = 0, level: float = 1.0) -> None:
        if cell >= 0:
            glows.append(Glow(cell, meaning, tint, order, level))

    for goal in view["goals"]:
        exit_found = goal["open"] and goal["card"] == "G-EXIT"
        glow(goal["cell"], "safe" if exit_found else "dim", "green" if exit_found else "white")
    for web in view["webs"]:
        for cell in web["cells"]:
            glow(cell, "threat", "white", level=web["left"] / 2)
    for vein in view["veins"]:
        if vein["gold"]:
            glow(vein["cell"], "progress", "yellow")
    if view["outcome"] is None:
        _seats(view, glow)
        _choices(view, glow)
    for creature in view["creatures"]:
        glow(cell_of(creature["at"]), "attack", CREATURE_TINTS[creature["creature"]])
    if view["outcome"] is None:
        return Scene(tuple(glows), "tense" if view["deck"]["n"] < 10 and view["phase"] != "setup" else "")
    for seat in range(view["players"]):
        won = seat in view["outcome"]["winners"]
        glow(LAMP + seat, "won" if won else "lost", _tint(view["outcome"]["code"]) if won else "")
    return Scene(tuple(glows), "won" if view["outcome"]["winners"] else "lost")


def _tint(code: str) -> str:
    clan = code.split("-")[0]
    return clan if clan in pieces.CLANS else ""


def _seats(view: View, glow: Callable[..., None]) -> None:
    acting = {seat for seat, _ in view["needs"]}
    for seat, dwarf in enumerate(view["dwarves"]):
        lamp = LAMP + seat
        if not dwarf["clan"]:
            continue
        if seat in view["left"]:
            glow(lamp, "safe", "yellow")
        if dwarf["lying"]:
            glow(lamp, "fading", "green")
        if seat in acting and seat != view["turn"]:
            glow(lamp, "choose", dwarf["clan"])
        elif seat in acting or (seat == view["turn"] and view["phase"] not in ("setup", "figures", "deal")):
            glow(lamp, "turn", dwarf["clan"], order=view["steps"])


def _choices(view: View, glow: Callable[..., None]) -> None:
    if view["phase"] == "play":
        cave = cave_of(view)
        for cell in cave.fitting:
            if cell < ON_TABLE and cave.is_beside_live(cell):
                glow(cell, "legal", level=0.4)
    for way in view["reach"]:
        glow(cell_of(way["at"]), "path", order=way["steps"])
    if view["phase"] in ("reveal", "fit"):
        for goal in view["goals"]:
            if not goal["open"] and goal["card"]:
                glow(goal["cell"], "choose", "white")
    if view["phase"] in ("draw", "deal"):
        glow(DECK, "remove")
    if view["deck"]["n"] < 10 and view["phase"] not in ("setup", "figures"):
        glow(DECK, "low", "orange")


# Why -----------------------------------------------------------------------------------------------

_FEATURES = {
    "ladder": "DC-LAD-01",
    "bridge": "DC-BRI-03",
    "passage": "DC-ARCH-02",
    "hole": "DC-CRE-02",
    "exit": "DC-EXIT-02",
}


def explain(view: View, cell: Cell) -> list[Reason]:
    """Why a place is as it is, and what may not be done there."""
    if cell == DECK:
        return [Reason("deck", (cell,), "DC-SETUP-23", {"n": view["deck"]["n"]})]
    if cell >= LAMP:
        return _about_seat(view, cell)
    cave = cave_of(view)
    if cell in cave.laid:
        reasons = _about_card(view, cave, cell)
    elif cell in cave.closed:
        reasons = _about_goal(view, cell)
    else:
        reasons = _about_site(view, cave, cell)
    return reasons + _about_figures(view, cell)


def _about_seat(view: View, cell: Cell) -> list[Reason]:
    seat = cell - LAMP
    if seat >= view["players"]:
        return []
    dwarf = view["dwarves"][seat]
    reasons = [
        Reason("seat", (cell,), "DC-HID-04", {"seat": seat, "gold": dwarf["gold"], "n": len(dwarf["backs"])})
    ]
    if dwarf["open"]:
        reasons.append(Reason("clan-open", (cell,), "DC-CLAN-03", {"seat": seat, "card": dwarf["card"]}))
    if seat in view["left"]:
        reasons.append(Reason("left", (cell,), "DC-EXIT-04", {"seat": seat, "gold": dwarf["gold"]}))
    if dwarf["lying"]:
        reasons.append(Reason("lying", (cell,), "DC-LIN-02", {"seat": seat}))
    return reasons


def _about_card(view: View, cave: Cave, cell: Cell) -> list[Reason]:
    card = cave.card(cell)
    live = cave.live.get(cell, 0)
    if live:
        reasons = [Reason("joined", (cell,), "DC-PLACE-09", {"card": card.name})]
    else:
        reasons = [Reason("cut-off", (cell,), "DC-PLACE-09", {"card": card.name})]
    if live and live != card.mask:
        reasons.append(Reason("half-joined", (cell,), "DC-PLACE-11", {"card": card.name}))
    for feature in card.feature.values():
        if feature == "gold":
            gold = sum(vein["gold"] for vein in view["veins"] if vein["cell"] == cell)
            code, rule = ("vein", "DC-GOLD-02") if gold else ("vein-empty", "DC-GOLD-08")
            reasons.append(Reason(code, (cell,), rule))
        else:
            reasons.append(Reason(f"has-{feature}", (cell,), _FEATURES[feature]))
    reasons += _about_reach(view, cell)
    return reasons


def _about_goal(view: View, cell: Cell) -> list[Reason]:
    goal = next(goal for goal in view["goals"] if goal["cell"] == cell)
    reasons = [Reason("goal-hidden", (cell,), "DC-GOAL-01")]
    if goal["card"]:
        reasons.append(Reason("goal-known", (cell,), "DC-HID-05", {"goal": goal["card"]}))
    if goal["seen_by"]:
        reasons.append(Reason("goal-seen", (cell,), "DC-GOAL-11", {"seats": goal["seen_by"]}))
    return reasons + _about_reach(view, cell)


def _about_reach(view: View, cell: Cell) -> list[Reason]:
    if view["phase"] not in ("move", "creep"):
        return []
    rule = "DC-MOVE-01" if view["phase"] == "move" else "DC-CRE-04"
    ways = [way for way in view["reach"] if cell_of(way["at"]) == cell]
    if not ways:
        return [Reason("out-of-reach", (cell,), rule, {"n": view["steps"]})]
    way = min(ways, key=lambda way: int(way["steps"]))
    return [
        Reason(
            "in-reach", (cell,), rule, {"n": way["steps"], "lost_cards": way["cards"], "gold": way["gold"]}
        )
    ]


def _about_site(view: View, cave: Cave, cell: Cell) -> list[Reason]:
    """For each card of the hand that the view knows: whether it may be laid here, or why not."""
    hand = next((d["hand"] for d in view["dwarves"] if d["hand"] is not None), None)
    if hand is None:
        if cave.is_beside_live(cell):
            return [Reason("may-build", (cell,), "DC-PLACE-09")]
        return [Reason("no-building", (cell,), "DC-PLACE-09" if cell in cave.sites else "DC-PLACE-02")]
    reasons = []
    for name in dict.fromkeys(hand):
        shape = CARDS.shape_named.get(name, -1)
        if shape >= 0:
            turns = (0, 1) if view["half_turn"] and not CARDS.symmetric[shape] else (0,)
            against = [reason for turn in turns if (reason := cave.why_not(cell, shape + turn)) is not None]
            if len(against) < len(turns):
                reasons.append(Reason("may-lay", (cell,), "DC-PLACE-07", {"card": name}))
            else:
                reasons.append(against[0]._replace(data={"card": name}))
    return reasons


def _about_figures(view: View, cell: Cell) -> list[Reason]:
    reasons = []
    for seat, dwarf in enumerate(view["dwarves"]):
        if cell_of(dwarf["at"]) == cell and dwarf["lying"]:
            reasons.append(Reason("lying", (cell,), "DC-LIN-02", {"seat": seat}))
    for creature in view["creatures"]:
        if cell_of(creature["at"]) == cell:
            reasons.append(
                Reason(
                    "creature",
                    (cell,),
                    "DC-CRE-11",
                    {"creature": creature["creature"], "seat": creature["holder"]},
                )
            )
    for web in view["webs"]:
        if cell in web["cells"]:
            reasons.append(Reason("web", (cell,), "DC-WEB-05", {"web": web["web"], "n": web["left"]}))
    return reasons
