"""A careful player, who looks one action ahead. A bot is given what a person in its seat sees, no more."""

from __future__ import annotations

from companion.engine.action import Action
from companion.engine.game import Turn, View
from nine_mens_morris.pieces import LINES, POINTS, SIDES

_LINES = [[POINTS.index(point) for point in line] for line in LINES]
WON, MAN, MILL, THREAT, PAIR = 1000.0, 20.0, 30.0, 15.0, 2.0
"""What a win, a man, a mill to be used, the other side's open pair and one's own are worth."""


def careful(turn: Turn) -> Action:
    """Takes the action after which the position is worth most; between equals chance decides."""

    def worth_after(action: Action) -> float:
        after = turn.look(action)
        assert after is not None, "nothing in this game is hidden, so everything can be looked at"
        return worth(after, turn.seat) + turn.rng.random()

    return max(turn.actions, key=worth_after)


def worth(view: View, seat: int) -> float:
    """What a position is worth to a seat."""
    if view["outcome"] is not None:
        winners = view["outcome"]["winners"]
        return WON if seat in winners else -WON if winners else -MAN
    score: float = MAN * (view["taken"][1 - seat] - view["taken"][seat])
    if view["mill"]:
        score += MILL if view["seat"] == seat else -MILL
    own, other = SIDES[seat], SIDES[1 - seat]
    for line in _LINES:
        men = [view["men"][cell] for cell in line]
        if "" in men:
            score += PAIR * (men.count(own) == 2) - THREAT * (men.count(other) == 2)
    return score
