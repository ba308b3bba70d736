"""What each viewer may know. In this game everything is open, so all see the same.

A view is built up from nothing and holds what JSON holds: phones, lights and bots get it, never the state.
"""

from __future__ import annotations

from random import Random

from companion.engine.action import Viewer
from companion.engine.game import View, shared_view
from companion.engine.grid import cells_of
from nine_mens_morris.pieces import MEN, POINTS, SIDES
from nine_mens_morris.rules import Morris


def view(state: Morris, viewer: Viewer) -> View:
    """Builds what the viewer may know."""
    on_board = [men.bit_count() for men in state.men]
    return shared_view("nine_mens_morris", state) | {
        "phase": state.phase(),
        "seat": state.seat,
        "men": [_side(state, cell) for cell in range(len(POINTS))],
        "hand": state.hand[:],
        "taken": [MEN - state.hand[seat] - on_board[seat] for seat in range(2)],
        "mill": list(cells_of(state.mill)),
        "in_mills": list(cells_of(state.in_mills(0) | state.in_mills(1))),
        # The rules say what may be chosen; whoever shows it asks them and repeats nothing.
        "choices": sorted({action.args[0] for action in state.actions(state.seat)}),
        "quiet": state.quiet,
    }


def _side(state: Morris, cell: int) -> str:
    return next((SIDES[seat] for seat in range(2) if state.men[seat] >> cell & 1), "")


def disguise(state: Morris, viewer: Viewer, rng: Random) -> Morris:
    """Another state that differs in what the viewer may not know: there is no such thing here."""
    return state.copy()
