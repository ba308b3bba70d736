"""The turn of The Night Cage as a table of steps, and the game that runs it on either board (ledger NC).

A turn is begun by `turn.begin_turn`; a move leads through `light` and `more`, staying through `collapse` and
`light`, to `end` and `close`. Whatever interrupts it (a tile that is drawn, an attack, a fall, the Dirge) is
pushed on top and answered first. A step that waits for a decision names the prisoner first: whoever leads it
decides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from companion.engine.action import Action
from companion.engine.agenda import StepRule, draws, need, runs, waits
from companion.engine.options import Options
from companion.games.night_cage import (
    attack,
    dirge,
    draw,
    falling,
    flickers,
    keys,
    landing,
    light,
    move,
    replace,
    scramble,
    setup,
    stay,
    turn,
)
from companion.games.night_cage.options import rules_from
from companion.games.night_cage.pieces import PRISONERS
from companion.games.night_cage.position import Position
from companion.games.night_cage.torus import BOARDS
from companion.games.night_cage.verbs import verbs_on


def asks(phase: str, *verbs: str, lists: Callable[..., list[Action]]) -> StepRule:
    """A step that waits for whoever leads the prisoner that it names."""
    each = tuple(need(verbs, seat) for seat in range(len(PRISONERS)))
    return waits(lists=lists, needs=lambda state, step: each[state.seats[step[1]]], phase=phase)


def takes_tile(why: str) -> StepRule:
    """A step that draws a tile."""
    return draws("draw", outcomes=draw.draws, phase=f"draw-{why}")


STEPS: dict[str, StepRule] = {
    # set-up
    "start": asks("start", "start", lists=setup.list_start),
    # the frame of a turn
    "turn": runs(turn.begin_turn),
    "choose": runs(turn.choose),
    "act": asks(
        "act",
        *("stay", "move", "charge", "rest", "idle", "give", "receive", "concede"),
        lists=turn.list_act,
    ),
    "collapse": runs(stay.collapse),
    "more": runs(turn.go_on),
    "again": asks("again", "again", "charge", "give", "receive", "end", lists=turn.list_again),
    "end": runs(turn.end),
    "flicker": asks("flicker", "remove", "sustain", lists=flickers.list_flicker),
    "close": runs(turn.close),
    # light
    "light": runs(light.light),
    "sweep": runs(light.sweep),
    "shine": runs(light.shine),
    # tiles of the stack
    "draw-fill": takes_tile("fill"),
    "draw-stay": takes_tile("stay"),
    "draw-burn": takes_tile("burn"),
    "draw-land": takes_tile("land"),
    "draw-blind": takes_tile("blind"),
    "draw-scramble": takes_tile("scramble"),
    "put": asks("put", "put", lists=draw.list_put),
    "swap": asks("swap", "replace", lists=replace.list_swap),
    # an attack
    "attack": runs(attack.attack),
    "hit": runs(attack.hit),
    "block": asks("block", "block", "suffer", lists=attack.list_block),
    "aftermath": runs(attack.aftermath),
    "handover": asks("handover", "give", "keep", lists=keys.list_handover),
    "unlock": runs(attack.unlock),
    "scrambling": runs(scramble.look_for_escape),
    "scramble": asks("scramble", "scramble", lists=scramble.list_scramble),
    # falling
    "fall": asks("fall", "fall", lists=falling.list_fall),
    "landing": runs(landing.look_for_landing),
    "land": asks("land", "land", lists=landing.list_land),
    # Omens and the Dirge
    "foretell": runs(replace.foretell),
    "omen": asks("omen", "replace", lists=replace.list_omen),
    "dirge": asks("dirge", "cover", lists=dirge.list_dirge),
    "drop": runs(dirge.drop_covered),
    "dirge-settles": runs(dirge.settle_dirge),
}

PARTS = (setup, turn, stay, move, keys, draw, attack, scramble, falling, landing, replace, dirge, flickers)


class NightCage6(Position):
    """The game of four prisoners."""

    __slots__ = ()

    torus = BOARDS[6]
    verbs: ClassVar = verbs_on(BOARDS[6])
    steps = STEPS
    parts = PARTS


class NightCage7(Position):
    """The game of five prisoners."""

    __slots__ = ()

    torus = BOARDS[7]
    verbs: ClassVar = verbs_on(BOARDS[7])
    steps = STEPS
    parts = PARTS


def start(options: Options) -> Position:
    """Begins a game: the stack is built, the prisoners choose their cells."""
    rules = rules_from(options)
    return NightCage7(rules) if rules.prisoners == 5 else NightCage6(rules)
