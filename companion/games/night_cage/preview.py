"""What a step would bring, without taking it: what it lights, darkens, wakes and costs."""

from __future__ import annotations

from typing import Any

from companion.engine.action import TABLE, Action
from companion.engine.grid import cells_of
from companion.engine.state import Event
from companion.games.night_cage.attacks import BURN, STAY, SUFFER
from companion.games.night_cage.light import OPEN
from companion.games.night_cage.pieces import CROSS, STRAIGHT, TEE
from companion.games.night_cage.rules import COLUMN, DRAW, ROW, NightCage

FORESEEN = ("stay", "rest", "idle", "move", "again", "charge")
"""The verbs whose consequences are worth knowing beforehand."""


def forecast(state: NightCage, action: Action) -> dict[str, Any]:
    """Tells what an action of the acting player would bring, as far as no new tile decides it."""
    after = state.copy()
    events = after.apply(after.needs()[0].seat, action)
    _pay(after, events)
    lit = state.lit_mask()
    hits = [[event.data["prisoner"], event.data["n"]] for event in events if event.kind == "hit"]
    burns = sum(n for _, n in hits) + (action.verb == "stay")
    return {
        "verb": action.verb,
        "cell": action.args[0] if action.args else state.cells[state.turn],
        "lights": list(cells_of(after.lit_mask() & ~lit)),
        "darkens": list(cells_of(state.laid & ~after.laid)),
        "wakes": [event.data["cell"] for event in events if event.kind == "attacked"],
        "hits": hits,
        "burns": min(burns, state.stack),
        "draws": _draws(after),
        "falls": [event.data["prisoner"] for event in events if event.kind == "fell"],
        "ends": "" if after.over is None else after.over.code,
    }


def _pay(after: NightCage, events: list[Event]) -> None:
    """Goes on as long as nothing but penalties and lines is asked for: which tiles burn changes no board."""
    while after.over is None:
        step = after.todo[-1]
        if step[0] == "block":
            events += after.apply(after.seats[step[1]], SUFFER)
        elif step[0] == "fall":
            events += after.apply(after.seats[step[1]], _line(after))
        elif step[0] == "draw" and step[2] in (BURN, STAY):
            possible = [action for action, _ in after.outcomes()]
            plain = [DRAW[kind] for kind in (TEE, CROSS, STRAIGHT) if DRAW[kind] in possible]
            if not plain:
                return
            events += after.apply(TABLE, plain[0])
        else:
            return


def _line(after: NightCage) -> Action:
    """The row, or the column where the row would end the game."""
    trial = after.copy()
    trial.apply(trial.seats[trial.todo[-1][1]], ROW)
    return ROW if trial.over is None else COLUMN


def _draws(after: NightCage) -> int:
    """How many tiles the active player draws next."""
    step = after.todo[-1] if after.over is None else ("over",)
    if step[0] != "draw":
        return 0
    if step[2] != "fill":
        return 1
    empty = 0
    for prisoner, cell in enumerate(after.cells):
        if cell >= 0 and after.is_lit(prisoner):
            empty |= after.torus.light[cell][OPEN[after.tiles[cell]]] & ~after.laid
    return min(empty.bit_count(), after.stack)
