"""What the lights of The Night Cage mean, and why a place is as it is (ledger 8.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.engine.action import Cell
from companion.engine.game import View
from companion.engine.grid import cells_of
from companion.engine.scene import Glow, Scene
from companion.engine.state import Reason
from companion.games.night_cage.layout import fall_place
from companion.games.night_cage.tiles import ENTERS
from companion.games.night_cage.torus import BOARDS
from companion.games.night_cage.view import code_from

TINT = {"red": "red", "blue": "blue", "green": "green", "yellow": "yellow", "purple": "violet"}

CHOICE = {
    "start": "legal",
    "put": "place",
    "move": "legal",
    "again": "legal",
    "charge": "threat",
    "land": "legal",
    "scramble": "legal",
    "replace": "choose",
    "cover": "choose",
    "remove": "remove",
}
"""What a cell means that somebody may choose with a verb."""


def scene(view: View) -> Scene:
    """Lights for a view."""
    glows = [*_candles(view), *_board(view), *_threats(view), *_fallers(view)]
    if view["outcome"] is not None:
        won = view["outcome"]["code"] == "escaped"
        meaning = "won" if won else "lost"
        cells = {prisoner["cell"] for prisoner in view["prisoners"]} - {None}
        glows += [Glow(cell, meaning) for cell in sorted(cells)]
        return Scene(tuple(glows), meaning)
    glows += [*_fading(view), *_choices(view), *_strikes(view), *_deciders(view)]
    mood = "last-light" if view["flickers"] else "tense" if view["strike"] or view["warnings"] else ""
    return Scene(tuple(glows), mood)


def _candles(view: View) -> Iterator[Glow]:
    """The light of each candle; a prisoner in the dark is only just seen."""
    for prisoner in view["prisoners"]:
        cell, tint = prisoner["cell"], TINT[prisoner["name"]]
        if cell is None:
            continue
        if not prisoner["candle"]:
            yield Glow(cell, "dim", tint, level=0.3)
        for lit in prisoner["lights"]:
            yield Glow(lit, "lit", tint, level=1.0 if lit == cell else 0.6)


def _board(view: View) -> Iterator[Glow]:
    lit = {cell for prisoner in view["prisoners"] for cell in prisoner["lights"]}
    for cell, word in enumerate(view["tiles"]):
        if word in ("pit", "dirge"):
            yield Glow(cell, "pit")
        elif word.startswith("keeper") and cell not in lit:
            yield Glow(cell, "dim", "orange", level=0.3)


def _threats(view: View) -> Iterator[Glow]:
    """Where monsters look."""
    for monster in view["sight"]:
        for cell in sorted({cell for path in monster["paths"] for cell in path}):
            yield Glow(cell, "threat", level=0.5)


def _strikes(view: View) -> Iterator[Glow]:
    """An attack runs outwards from the monster, cell by cell, through the edge of the board."""
    for monster in view["strike"]:
        yield Glow(monster["cell"], "attack")
        for path in monster["paths"]:
            for order, cell in enumerate(path, 1):
                yield Glow(cell, "attack", order=order)


def _fallers(view: View) -> Iterator[Glow]:
    """The row or column in which a falling prisoner will land."""
    size = view["size"]
    for prisoner in view["prisoners"]:
        if prisoner["line"] is not None:
            tint = TINT[prisoner["name"]]
            yield Glow(fall_place(size, prisoner["line"]), "turn", tint)
            for cell in cells_of(BOARDS[size].lines[prisoner["line"]]):
                yield Glow(cell, "path", tint, level=0.2)


def _fading(view: View) -> Iterator[Glow]:
    """Tiles that may go dark with the next step, the stronger the more steps darken them."""
    steps = [step["darkens"] for step in view["forecasts"]]
    for cell in sorted({cell for darkens in steps for cell in darkens}):
        share = sum(cell in darkens for darkens in steps) / len(steps)
        yield Glow(cell, "fading", level=round(share, 2))


def _choices(view: View) -> Iterator[Glow]:
    harm = {step["cell"]: step for step in view["forecasts"]}
    tint = TINT[view["decides"] or view["turn"]]
    for verb, cell in view["choices"]:
        hurts = verb in ("move", "again") and cell in harm and harm[cell]["hits"]
        yield Glow(cell, CHOICE[verb], "red" if hurts else "" if verb == "charge" else tint)


def _deciders(view: View) -> Iterator[Glow]:
    """The prisoner whose turn it is, and the one who must decide in it."""
    for prisoner in view["prisoners"]:
        if prisoner["name"] in (view["turn"], view["decides"]) and prisoner["cell"] is not None:
            yield Glow(prisoner["cell"], "turn", TINT[prisoner["name"]])


# Explanations ----------------------------------------------------------------------------------


def explain(view: View, cell: Cell) -> list[Reason]:
    """Why a cell is lit or dark, which monster sees it and how, what lies there."""
    size = view["size"]
    if cell >= size * size:
        return [*_explain_line(view, cell - size * size)]
    return [*_explain_light(view, cell), *_explain_sight(view, cell), *_explain_tile(view, cell)]


def _explain_line(view: View, line: int) -> Iterator[Reason]:
    for prisoner in view["prisoners"]:
        if prisoner["line"] is not None and prisoner["line"] == line:
            cells = tuple(cells_of(BOARDS[view["size"]].lines[line]))
            yield Reason("falls-here", cells, "NC-FALL-03", {"prisoner": prisoner["name"]})


def _explain_light(view: View, cell: Cell) -> Iterator[Reason]:
    torus = BOARDS[view["size"]]
    codes = [code_from(word) for word in view["tiles"]]
    lit = False
    for prisoner in view["prisoners"]:
        here, name = prisoner["cell"], {"prisoner": prisoner["name"]}
        if here is None:
            continue
        direction = torus.direction(here, cell)
        if cell in prisoner["lights"]:
            lit = True
            if here == cell:
                yield Reason("own-candle", (here,), "NC-LIGHT-01", name)
            elif view["tiles"][cell] and not ENTERS[direction][codes[cell]]:
                yield Reason("lit-wall", (here, cell), "NC-LIGHT-02", name)
            else:
                yield Reason("lit-by", (here, cell), "NC-LIGHT-01", name)
        elif here == cell:
            yield Reason("stands-in-the-dark", (here,), "NC-LIGHT-07", name)
        elif direction >= 0 and prisoner["candle"]:
            yield Reason("closed-side", (here, cell), "NC-LIGHT-03", name)
        elif direction >= 0:
            yield Reason("candle-is-out", (here, cell), "NC-CANDLE-02", name)
    if not lit:
        kept = view["tiles"][cell].startswith("keeper")
        yield Reason("keeper-stays", (cell,), "NC-ADV-09") if kept else Reason("dark", (cell,), "NC-LIGHT-09")


def _explain_sight(view: View, cell: Cell) -> Iterator[Reason]:
    """Which monster sees a cell, and along which cells."""
    torus = BOARDS[view["size"]]
    for monster in view["sight"]:
        at = monster["cell"]
        tile = view["tiles"][at].split()[0]
        for direction, path in enumerate(monster["paths"]):
            if cell in path:
                ray = torus.grid.rays[at][direction]
                way = (at, *ray[: ray.index(cell) + 1])
                yield Reason("seen-by", way, "NC-MON-03", {"tile": tile, "cell": at})
        if tile == "pathless" and cell != at and torus.cross[at] >> cell & 1:
            yield Reason("pathless-reach", (at, cell), "NC-BOSS-05", {"cell": at})
    for monster in view["strike"]:
        for path in monster["paths"]:
            if cell in path:
                way = (monster["cell"], *path[: path.index(cell) + 1])
                yield Reason("attacked-from", way, "NC-MON-17", {"cell": monster["cell"]})


TILE_REASONS: dict[str, tuple[str, str]] = {
    "pit": ("pit", "NC-PIT-06"),
    "dirge": ("dirge-pit", "NC-BOSS-21"),
    "gate": ("gate", "NC-GATE-03"),
    "key": ("key", "NC-KEY-02"),
    "spent-key": ("spent-key", "NC-KEY-03"),
    "keeper": ("keeper", "NC-ADV-07"),
    "wax": ("wax", "NC-MON-02"),
    "pathless": ("pathless", "NC-BOSS-04"),
    "start": ("crumbling", "NC-TILE-05"),
    "straight": ("crumbling", "NC-TILE-05"),
    "cracked-tee": ("crumbling", "NC-TILE-05"),
}


def _explain_tile(view: View, cell: Cell) -> Iterator[Reason]:
    word = view["tiles"][cell].split(" ")[0]
    if word in TILE_REASONS:
        code, rule = TILE_REASONS[word]
        yield Reason(code, (cell,), rule)
    for step in view["forecasts"]:
        if step["cell"] == cell and step["verb"] in ("move", "again", "charge"):
            yield Reason("step", (cell, *step["wakes"]), "NC-MON-09", _price(step))


def _price(step: dict[str, Any]) -> dict[str, Any]:
    return {"n": step["burns"], "draws": step["draws"], "prisoners": [name for name, _ in step["hits"]]}
