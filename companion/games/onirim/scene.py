"""What the lights of Onirim mean (ledger 8.2)."""

from __future__ import annotations

from companion.engine.action import Cell
from companion.engine.game import View
from companion.engine.scene import Glow, Scene
from companion.engine.state import Reason
from companion.games.onirim.layout import BOARDS, piles, row_place
from companion.games.onirim.pieces import COLOURS, LETTERS

TINT = dict(zip(LETTERS, COLOURS, strict=True))


def scene(view: View) -> Scene:
    """Lights for a view."""
    mat = BOARDS[view["players"]]
    glows: list[Glow] = []

    def glow(place: str, meaning: str, tint: str = "", order: int = 0, level: float = 1.0) -> None:
        glows.append(Glow(mat.cell(place), meaning, tint, order, level))

    seat = view["seat"]
    for one in range(view["players"]):
        for letter, n in zip(LETTERS, view["doors"][one], strict=True):
            if n:
                glow(f"door{one + 1}.{letter}", "progress", TINT[letter], level=n / 2)
        row, run = view["rows"][one], view["runs"][one]
        for back in range((run - 1) % 3 + 1 if run else 0):
            glow(row_place(one, len(row) - 1 - back), "progress", TINT[row[-1][0]], order=back)
    if view["outcome"] is not None:
        won = view["outcome"]["code"] == "won"
        for one in range(view["players"]):
            for letter in LETTERS:
                glow(f"door{one + 1}.{letter}", "won" if won else "lost", TINT[letter] if won else "")
        return Scene(tuple(glows), "won" if won else "lost")
    if view["deck"] < 10:
        glow("deck", "low", "orange" if view["deck"] >= 5 else "red")
    phase = view["phase"]
    if phase != "setup":
        glow(f"seat{seat + 1}", "turn")
    if phase == "play":
        glow(row_place(seat, len(view["rows"][seat])), "legal")
    elif phase == "search":
        glow("deck", "choose", TINT[view["rows"][seat][-1][0]])
    elif phase in ("draw", "setup"):
        glow("deck", "place")
    elif phase == "door":
        glow("reveal", "choose", TINT[view["busy"][0]])
    elif phase == "nightmare":
        glow("reveal", "threat", "violet")
    elif phase == "prophecy":
        for i in range(view["looked"]["n"]):
            glow(f"strip{i + 1}", "choose")
    elif phase == "shuffle":
        glow("deck", "place", "white")
        for pile in piles("limbo", view["limbo"]):
            glow(pile, "remove", "white")
    return Scene(tuple(glows), "tense" if view["deck"] < 10 else "")


def explain(view: View, cell: Cell) -> list[Reason]:
    """Why a place is as it is."""
    mat = BOARDS[view["players"]]
    place = mat.places[cell]
    reasons: list[Reason] = []
    if place.name == "deck":
        reasons.append(Reason("deck", (cell,), "ON-END-04", {"n": view["deck"]}))
    elif place.zone == "limbo" and view["limbo"]:
        reasons.append(Reason("limbo", (cell,), "ON-LIMBO-01", {"cards": view["limbo"]}))
    elif place.name == "reveal" and view["busy"]:
        is_door = view["busy"] != "NM"
        rule = "ON-DRAW-03" if is_door else "ON-NIGHT-01"
        reasons.append(Reason("door" if is_door else "nightmare", (cell,), rule, {"card": view["busy"]}))
    elif place.zone in ("row1", "row2"):
        seat = int(place.zone[-1]) - 1
        row = view["rows"][seat]
        if row and place.name == row_place(seat, len(row)):
            reasons.append(Reason("golden-rule", (cell,), "ON-PLAY-03", {"card": row[-1]}))
        elif row and place.name == row_place(seat, len(row) - 1):
            run = view["runs"][seat]
            reasons.append(Reason("run", (cell,), "ON-SER-05", {"n": run, "card": row[-1]}))
    elif place.zone in ("door1", "door2"):
        seat = int(place.zone[-1]) - 1
        if view["doors"][seat][LETTERS.index(place.name[-1])]:
            reasons.append(Reason("door-gained", (cell,), "ON-END-01", {"n": sum(map(sum, view["doors"]))}))
    return reasons
