"""What a step would bring, without taking it: what it lights, darkens, wakes and costs."""

from __future__ import annotations

from typing import Any

from companion.engine.action import TABLE, Action
from companion.engine.grid import cells_of
from companion.engine.state import Event
from companion.games.night_cage.pieces import CROSS, STRAIGHT, TEE
from companion.games.night_cage.position import Position
from companion.games.night_cage.verbs import COLUMN, DRAW, ROW, SUFFER

FORESEEN = ("stay", "rest", "idle", "move", "again", "charge")
"""The verbs whose consequences are worth knowing beforehand."""


def forecast(state: Position, action: Action) -> dict[str, Any]:
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
        "ends": "" if after.result is None else after.result.code,
    }


def _pay(after: Position, events: list[Event]) -> None:
    """Goes on as long as nothing but penalties and lines is asked for: which tiles burn changes no board."""
    while after.waiting:
        seat, phase = after.waiting[0].seat, after.phase()
        if phase == "block":
            events += after.apply(seat, SUFFER)
        elif phase == "fall":
            events += after.apply(seat, _line(after))
        elif phase in ("draw-burn", "draw-stay"):
            possible = [action for action, _ in after.outcomes()]
            plain = [DRAW[kind] for kind in (TEE, CROSS, STRAIGHT) if DRAW[kind] in possible]
            if not plain:
                return
            events += after.apply(TABLE, plain[0])
        else:
            return


def _line(after: Position) -> Action:
    """The row, or the column where the row would end the game."""
    trial = after.copy()
    trial.apply(trial.waiting[0].seat, ROW)
    return ROW if trial.result is None else COLUMN


def _draws(after: Position) -> int:
    """How many tiles the active player draws next."""
    if not after.is_chance():
        return 0
    if after.phase() != "draw-fill":
        return 1
    return min((after.lit_mask() & ~after.laid).bit_count(), after.stack)
