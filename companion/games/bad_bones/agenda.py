"""The round of Bad Bones as a table of steps, and the game that runs it (ledger BB).

A round is heroes, traps, march and draw. Each of the first three is one step that waits for everybody at
once; a choice inside it (a direction, a weapon) is a step that one board holds: see `phases`.
"""

from __future__ import annotations

from typing import ClassVar

from companion.engine.agenda import StepRule, draws, runs, waits
from companion.games.bad_bones import draw, hero, march, market, phases, rounds, setup, traps, weapons
from companion.games.bad_bones.phases import board_phase, uncovering
from companion.games.bad_bones.position import Position
from companion.games.bad_bones.verbs import VERBS

STEPS: dict[str, StepRule] = {
    # set-up
    "deal": draws("draw", outcomes=draw.deals, phase="setup"),
    "enter": runs(draw.enter),
    "post": waits(needs=setup.who_posts, lists=setup.list_post, phase="post"),
    # the market
    "market": runs(market.open_market),
    "first": draws("first", outcomes=market.firsts, phase="first"),
    "buyer": runs(market.call_buyer),
    "buy": waits("buy", "pass", lists=market.list_buy, phase="market"),
    "buyers": runs(market.call_buyers),
    "buy-together": waits(needs=market.who_buys, lists=market.list_buy, phase="market"),
    "close-market": runs(market.close_market),
    # phase I
    "round": runs(rounds.begin_round),
    "heroes": board_phase("hero", hero.list_step),
    "uncover-heroes": uncovering("hero"),
    "heroes-done": runs(rounds.end_heroes),
    # phase II
    "traps": board_phase("trap", traps.list_trap),
    "uncover-traps": uncovering("trap"),
    "traps-done": runs(rounds.end_traps),
    # phase III
    "marches": board_phase("march", march.list_march),
    "uncover-marches": uncovering("march"),
    "marches-done": runs(rounds.end_march),
    # phase IV, and on
    "begin-draw": runs(draw.begin_draw),
    "draw": draws("draw", outcomes=draw.draws, phase="draw"),
    "end-round": runs(rounds.end_round),
    "rest": waits("rest", "pursue", lists=rounds.list_rest, phase="rest"),
    # what one board waits for inside a phase
    "march": waits("march", "auto", lists=march.list_march),
    "scatter": waits("scatter", lists=march.list_scatter),
    "send": waits("send", lists=march.list_send),
    "give-up": waits("give-up", lists=march.list_give_up),
    "weapon": waits(needs=weapons.who_may_use, lists=weapons.list_weapon),
    "face": waits("face", lists=weapons.list_face),
}


class BadBones(Position):
    """A game of Bad Bones in progress."""

    __slots__ = ()

    verbs: ClassVar = VERBS
    steps = STEPS
    parts = (setup, market, phases, hero, traps, march, weapons, draw, rounds)
