"""The careful dwarf: better than chance, and as blind as a person."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from dark_cave_tables import do, table

from companion.engine.action import TABLE
from companion.engine.chance import weighted
from companion.engine.game import turn_for
from companion.games.dark_cave import GAME
from companion.games.dark_cave.agenda import DarkCave


def play(players: int, seed: int, bots: list[str]) -> DarkCave:
    rng = Random(seed)
    state = GAME.start(GAME.resolve({"players": players}))
    assert isinstance(state, DarkCave)
    while needs := state.needs():
        seat = needs[0].seat
        if seat == TABLE:
            state.apply(TABLE, weighted(state.outcomes(), rng))
        else:
            state.apply(seat, GAME.bots[bots[seat]](turn_for(GAME, state, seat, rng)))
    return state


@pytest.mark.slow
def test_a_careful_dwarf_beats_a_random_one() -> None:
    won: Counter[str] = Counter()
    for seed in range(16):
        bots = ["random", "random"]
        bots[seed % 2] = "careful"
        outcome = play(2, seed, bots).outcome()
        assert outcome is not None
        won.update(bots[seat] for seat in outcome.winners)
    assert won["careful"] >= 5 and won["random"] <= 1, won


@pytest.mark.slow
def test_careful_dwarves_find_the_exit_far_more_often_than_random_ones() -> None:
    careful = sum(len(play(4, seed, ["careful"] * 4).left) for seed in range(8))
    random = sum(len(play(4, seed, ["random"] * 4).left) for seed in range(8))
    assert careful >= 5 + 3 * random, (careful, random)


@pytest.mark.parametrize("players", [2, 5])
def test_a_bot_acts_alike_whatever_is_hidden_from_it(players: int) -> None:
    rng = Random(players)
    state = GAME.start(GAME.resolve({"players": players}))
    compared = 0
    while needs := state.needs():
        seat = needs[0].seat
        if seat == TABLE:
            state.apply(TABLE, weighted(state.outcomes(), rng))
            continue
        turn = turn_for(GAME, state, seat, Random(1))
        other = turn_for(GAME, GAME.disguise(state, seat, rng), seat, Random(1))
        action = GAME.bots["careful"](turn)
        assert GAME.bots["careful"](other) == action, f"seed {players}"
        compared += 1
        state.apply(seat, action)
    assert compared > 50


def choice(state: DarkCave) -> str:
    seat = state.needs()[0].seat
    return state.notation.text(GAME.bots["careful"](turn_for(GAME, state, seat, Random(1))))


def test_a_careful_dwarf_walks_to_the_open_exit() -> None:
    state = table(2, {"4,-4": "G-EXIT", "3,-4": "T1-08"}, at={0: "3,-4.a"}, phase="move")
    assert choice(state) == "step 4,-4 w"
    do(state, "step 4,-4 w")
    assert choice(state) == "step 4,-4 c"


def test_a_careful_dwarf_uses_boots_and_axes_for_itself() -> None:
    assert choice(table(2, hands={0: ["boots-1", "T1-11"]})) == "boots boots-1 p1"
    state = table(2, {"1,0": "T1-12"}, creatures={"goblin": ("1,0.a", 1)}, front={0: ["axe-1"]}, phase="move")
    do(state, "step 1,0 a")
    assert choice(state) == "strike"


def test_a_careful_dwarf_sends_a_creature_at_a_rival() -> None:
    lay = {"1,0": "T1-12", "2,0": "T1-08", "3,0": "T1-02"}
    state = table(2, lay, at={0: "0,0.a", 1: "3,0.a"}, hands={0: ["goblin-2"]})
    assert choice(state) == "call goblin-2 1,0 a"
    do(state, "call goblin-2 1,0 a")
    assert choice(state) == "crawl 2,0 a"


def test_a_careful_dwarf_does_not_end_the_game_early() -> None:
    state = table(2, {"4,4": "G-EXIT"})
    do(state, "propose")
    assert choice(state) == "decline"
