"""The turn of Onirim as a table of steps, and the game that runs it (ledger ON, section 4).

A turn is four steps, pushed by `begin_turn`: choose, refill, tidy, and the next turn. Whatever interrupts it
(a search, a Prophecy, a Door, a Nightmare) is pushed on top and answered first.
"""

from __future__ import annotations

from typing import ClassVar

from companion.engine.agenda import StepRule, draws, runs, waits
from companion.games.onirim import draw, nightmare, play, prophecy, setup
from companion.games.onirim.position import Position
from companion.games.onirim.verbs import VERBS

STEPS: dict[str, StepRule] = {
    # set-up
    "begin": draws("shuffle", outcomes=setup.shuffles, phase="setup"),
    "shuffle": draws("shuffle", outcomes=setup.shuffles, phase="shuffle"),
    "deal": draws("draw", outcomes=draw.draws, phase="setup"),
    "draft": waits("pick", lists=setup.list_draft, phase="draft"),
    # phase 1
    "turn": runs(play.begin_turn),
    "choose": waits("play", "discard", "concede", lists=play.list_choose, phase="play"),
    "search": waits("take", "decline", lists=play.list_search, phase="search"),
    "offer-swap": runs(play.offer_swap),
    "swap": waits("swap", "keep", lists=play.list_swap, phase="swap"),
    "prophesy": runs(prophecy.prophesy),
    "look": draws("look", outcomes=prophecy.looks, phase="prophecy"),
    "foresee": waits("foresee", lists=prophecy.list_foresee, phase="prophecy"),
    "foretell": waits("foretell", lists=prophecy.list_foretell, phase="prophecy"),
    # phase 2
    "refill": runs(draw.refill),
    "draw": draws("draw", outcomes=draw.draws, needs=draw.who_draws, phase="draw"),
    "door": waits("open", "leave", lists=draw.list_door, phase="door"),
    "tidy": runs(draw.tidy),
    # a Nightmare
    "pay": waits(
        *("pay-key", "pay-door", "pay-deck", "pay-hand"), lists=nightmare.list_pay, phase="nightmare"
    ),
    "mill": draws("mill", outcomes=nightmare.mills, phase="nightmare"),
    "show": waits("show", lists=nightmare.list_show, phase="nightmare"),
    "draw-anew": runs(nightmare.draw_anew),
    "redraw": draws("draw", outcomes=draw.draws, needs=draw.who_draws, phase="nightmare"),
    "paid": runs(nightmare.paid),
}


class Onirim(Position):
    """A game of Onirim in progress."""

    __slots__ = ()

    verbs: ClassVar = VERBS
    steps = STEPS
    parts = (setup, play, prophecy, draw, nightmare)
