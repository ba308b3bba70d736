"""The killer's levels, and what they change for good (ledger WW-LEVEL)."""

from __future__ import annotations

from companion.engine.agenda import Step
from companion.engine.grid import cells_of
from companion.engine.state import Event
from companion.games.whisper.data import Effect
from companion.games.whisper.parts import NOBODY
from companion.games.whisper.pieces import CARDS, HAND_LIMIT, LEVEL_OFFER, MAX_LEVEL
from companion.games.whisper.position import Position


def level_up(state: Position, events: list[Event], is_deck_empty: bool) -> None:
    """Marker, strength, unlock, other effects, skills, shuffle (WW-LEVEL-03, 04, 06)."""
    killer = state.killer
    steps: list[Step] = []
    if killer.level < MAX_LEVEL:
        killer.level += 1
        events.append(Event("level-rose", {"n": killer.level}))
        steps.append(("run", state.box.killers[killer.kind].gains[killer.level - 1], NOBODY, NOBODY))
        steps += _skills_of_level(state)
    if is_deck_empty:
        steps.append(("reshuffle",))
    state.push(*steps)


def _skills_of_level(state: Position) -> list[Step]:
    """What the killer's skills do when this level is reached."""
    steps: list[Step] = []
    for skill in cells_of(state.killer.skills):
        for trigger, effects in state.box.skills[skill].triggers:
            head, _, levels = trigger.partition(":")
            if head == "level_up" and (levels == "any" or str(state.killer.level) in levels.split(",")):
                steps.append(("run", effects, NOBODY, skill))
    return steps


def level_steps(state: Position, moment: str, about: int = NOBODY) -> list[Step]:
    """What the levels reached so far do at a moment."""
    return [
        ("run", effects, about, LEVEL_OFFER + level)
        for level, trigger, effects in state.box.killers[state.killer.kind].triggers
        if trigger == moment and state.killer.level >= level
    ]


def op_strength(state: Position, events: list[Event], effect: Effect, about: int, source: int) -> None:
    _, n, until = effect
    if until == "permanent":
        state.killer.base += n
    elif until == "turn_end":
        state.killer.turn_bonus += n
    else:
        state.killer.attack_bonus += n
    events.append(Event("strength-changed", {"n": state.strength()}))


def op_unlock(state: Position, events: list[Event], effect: Effect, about: int, source: int) -> None:
    """The locked card comes to hand; only now the killer chooses what to discard (WW-DRAW-05)."""
    state.killer.locked = False
    state.killer.hand.append(effect[1])
    events.append(Event("unlocked", {"card": CARDS[effect[1]]}))
    if len(state.killer.hand) > HAND_LIMIT:
        state.push(("discard",))


def op_retime(state: Position, events: list[Event], effect: Effect, about: int, source: int) -> None:
    state.killer.retimed |= 1 << effect[1]


def op_set_level(state: Position, events: list[Event], effect: Effect, about: int, source: int) -> None:
    state.push(*(("level-up", False) for _ in range(effect[1] - state.killer.level)))
