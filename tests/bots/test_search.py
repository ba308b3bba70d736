"""The player that thinks finds what is plainly best, the same with the same seed, and stops when hurried."""

from __future__ import annotations

from random import Random

from companion.engine.action import TABLE
from companion.engine.search import Budget, choose, think
from companion.games import load
from companion.games.onirim.agenda import Onirim


def dream(*lines: str) -> Onirim:
    """A game for one dreamer after these draws and moves."""
    game = load("onirim")
    state = game.start(game.resolve({"players": 1}))
    assert isinstance(state, Onirim)
    for line in lines:
        action = state.notation.parse(line)
        seat = TABLE if state.is_chance() else 0
        state.apply(seat, action)
    return state


DEALT = ("shuffle", "draw Rs", "draw Rm", "draw Bk", "draw Rs", "draw Wm")
TWO_LAID = ("play Rs", "draw Gs", "play Rm", "draw Ws")


def test_the_third_card_of_a_series_is_laid() -> None:
    state = dream(*DEALT, *TWO_LAID)
    best = think(load("onirim"), state, 0, Random(1), Budget(6000))[0]
    assert state.notation.text(best.action) == "play Rs"


def test_the_same_seed_gives_the_same_thoughts() -> None:
    state = dream(*DEALT)
    first, second = (think(load("onirim"), state, 0, Random(9), Budget(3000)) for _ in range(2))
    assert first == second
    assert first[0].tries > 1


def test_thinking_changes_nothing_and_can_be_hurried() -> None:
    state = dream(*DEALT)
    before = state.copy()
    asked = []

    def is_hurried() -> bool:
        asked.append(True)
        return True

    action = choose(load("onirim"), state, 0, "strong", Random(2), is_hurried)
    assert state == before and state.refusal(0, action) is None
    assert len(asked) <= 5
