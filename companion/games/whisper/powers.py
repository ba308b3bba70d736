"""The effects of killer cards, levels and skills, one after another in printed order (WW-CARD-03)."""

from __future__ import annotations

from collections.abc import Callable

from companion.engine.state import Event
from companion.games.whisper import barricades, deck, harm, levels, offers, questions, walking
from companion.games.whisper.data import Effect, Effects
from companion.games.whisper.killer import drop_turn
from companion.games.whisper.parts import NOBODY
from companion.games.whisper.position import Position


def carry_out(state: Position, events: list[Event], effects: Effects, about: int, source: int) -> None:
    """Carries out a list of effects, the first now (WW-CARD-03).

    `about` is the survivor a trigger speaks of, `source` the skill or level that offers something.
    """
    if len(effects) > 1:
        state.push(("run", effects[1:], about, source))
    if effects:
        effect = effects[0]
        _OPS[effect[0]](state, events, effect, about, source)


def op_repeat(state: Position, events: list[Event], effect: Effect, about: int, source: int) -> None:
    state.killer.broke = False
    state.push(("run", effect[2], about, source), ("again", effect))


def again(state: Position, events: list[Event], effect: Effect) -> None:
    """Brutal Rage goes on while its move broke a barricade; meeting somebody ended it (WW-CARD-10)."""
    if state.killer.broke:
        state.push(("run", (effect,), NOBODY, NOBODY))


def op_on_reveal(state: Position, events: list[Event], effect: Effect, about: int, source: int) -> None:
    state.killer.stored += effect[1]


def op_skip_turn(state: Position, events: list[Event], effect: Effect, about: int, source: int) -> None:
    state.killer.skip += effect[1]


def op_end_turn(state: Position, events: list[Event], effect: Effect, about: int, source: int) -> None:
    drop_turn(state)


def op_cancel_encounter(
    state: Position, events: list[Event], effect: Effect, about: int, source: int
) -> None:
    """The encounter does not take place (WW-VAR1-17); what the skill brings next stays."""
    rest = state.take()
    drop_turn(state)
    state.fight = state.fight._replace(met=0)
    state.push(rest)
    events.append(Event("encounter-cancelled", {}))


_OPS: dict[str, Callable[[Position, list[Event], Effect, int, int], None]] = {
    # his turn
    "may": offers.op_may,
    "repeat": op_repeat,
    "on_reveal": op_on_reveal,
    "skip_turn": op_skip_turn,
    "end_turn": op_end_turn,
    "cancel_encounter": op_cancel_encounter,
    # moving and asking
    "move": walking.op_move,
    "stealth": walking.op_stealth,
    "sense": questions.op_sense,
    "expose": questions.op_expose,
    "search": questions.op_search,
    # harm and barricades
    "fear": harm.op_fear,
    "wound": harm.op_wound,
    "kill": harm.op_kill,
    "barricade": barricades.op_barricade,
    # cards and levels
    "draw": deck.op_draw,
    "start_hand": deck.op_start_hand,
    "strength": levels.op_strength,
    "unlock": levels.op_unlock,
    "retime": levels.op_retime,
    "set_level": levels.op_set_level,
}
"""Every primitive of the data files that the killer can carry out."""
