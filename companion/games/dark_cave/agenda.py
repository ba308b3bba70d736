"""The turn of the Dark Cave as a table of steps, and the game that runs it (ledger DC, section 3).

A turn begins with `play`; what is played pushes phase 2 (`set-out`) and phase 3 (`refill`). Whatever
interrupts it (a lost card, an axe, a goal that is turned, a vote) is pushed on top and answered first.
"""

from __future__ import annotations

from typing import ClassVar

from companion.engine.agenda import StepRule, draws, runs, waits
from companion.games.dark_cave import (
    attacks,
    creatures,
    deeds,
    ending,
    goals,
    gold,
    hand,
    info,
    play,
    setup,
    turn,
    walk,
    webs,
)
from companion.games.dark_cave.position import Position
from companion.games.dark_cave.verbs import VERBS

STEPS: dict[str, StepRule] = {
    # set-up
    "begin": runs(setup.begin),
    "side": draws("side", outcomes=setup.sides, phase="setup"),
    "clan": draws("clan", outcomes=setup.clans, phase="setup"),
    "figure": waits("take", lists=setup.list_figure, phase="figures"),
    "deal": draws("draw", outcomes=hand.draws, phase="deal"),
    "hand-out": runs(setup.hand_out),
    "first": draws("first", outcomes=setup.firsts, phase="setup"),
    # phase 1
    "play": waits(
        *("lay", "pass", "spy-goal", "spy-clan", "rockfall", "swap", "web", "boots", "axe", "call", "rouse"),
        *("cut", "propose"),
        lists=play.list_play,
        phase="play",
    ),
    "look-goal": draws("look", outcomes=info.goal_looks, phase="look"),
    "look-clan": draws("look", outcomes=info.clan_looks, phase="look"),
    "creep": runs(creatures.creep),
    "crawl": waits("crawl", "halt", "cut", lists=creatures.list_crawl, phase="creep"),
    "vote": waits("agree", "decline", lists=ending.list_vote, phase="vote"),
    # phase 2
    "set-out": runs(walk.set_out),
    "move": runs(walk.move),
    "walk": waits("step", "stay", "cut", lists=walk.list_walk, phase="move"),
    "reveal": draws("reveal", outcomes=goals.reveals, phase="reveal"),
    "fit": waits("fit", lists=goals.list_fit, phase="fit"),
    "vein": waits("gather", "leave-it", lists=gold.list_vein, phase="vein"),
    # phase 3
    "refill": runs(hand.refill),
    "draw": draws("draw", outcomes=hand.draws, phase="draw"),
    "end-turn": runs(turn.end_turn),
    # an attack, a lost card
    "threaten": runs(attacks.threaten),
    "ask": waits("strike", "endure", lists=attacks.list_ask, phase="ask"),
    "hit": runs(attacks.hit),
    "rob": runs(hand.rob),
    "pick": waits("pick", lists=hand.list_pick, phase="pick"),
    "lose": draws("lose", outcomes=hand.losses, phase="lose"),
    # the end
    "leave": runs(ending.leave),
    "open": draws("open", outcomes=ending.opens, phase="open"),
    "announce": draws("announce", outcomes=ending.announcements, phase="announce"),
    "count": runs(ending.count),
}


class DarkCave(Position):
    """A game in the Dark Cave."""

    __slots__ = ()

    verbs: ClassVar = VERBS
    steps = STEPS
    parts = (setup, play, info, deeds, webs, creatures, attacks, walk, goals, gold, hand, ending)
