"""Bots know what their seat knows: twins that differ in what is hidden give the same thoughts, exactly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random

import pytest

from companion.engine.action import TABLE, Seat
from companion.engine.game import Game
from companion.engine.options import Value
from companion.engine.search import Budget, candidates, sample, think
from companion.engine.state import State
from companion.games import REGISTRY, load
from companion.table.play import walk

FEW, MANY = 12, 200


def positions(game: Game, given: Mapping[str, Value], seed: int) -> Iterator[tuple[State, Seat, int]]:
    """Decisions of whole games, each with the seat that must decide."""
    for number in range(seed, seed + 1000):
        pick = Random(number)
        last: State | None = None
        for step in walk(game, game.resolve(given), Random(number)):
            if last is not None and pick.random() < 0.15:
                for need in last.needs():
                    if need.seat != TABLE and not game.notes.issuperset(need.verbs):
                        yield last, need.seat, number
            last = step.state.copy()


SAMPLES = [(key, name) for key in REGISTRY for name in load(key).samples]


def differences(game: Game, given: Mapping[str, Value], most: int, seed: int) -> tuple[list[str], int]:
    """Where a twin gives another sample or other candidates; and how many positions were compared."""
    found, compared = [], 0
    for state, seat, number in positions(game, given, seed):
        twin = game.disguise(state, seat, Random(number))
        rngs = Random(7), Random(7)
        if candidates(game, state, seat) != candidates(game, twin, seat):
            found.append(f"seed {number}: other actions for seat {seat} in {state.phase()}")
        elif sample(game, state, seat, rngs[0]) != sample(game, twin, seat, rngs[1]):
            found.append(f"seed {number}: another sample for seat {seat} in {state.phase()}")
        compared += 1
        if compared >= most:
            break
    return found, compared


@pytest.mark.parametrize(("key", "name"), SAMPLES)
def test_what_a_bot_imagines_depends_on_nothing_hidden(key: str, name: str) -> None:
    game = load(key)
    found, compared = differences(game, game.samples[name], FEW, 1)
    assert found == [] and compared == FEW


@pytest.mark.long
@pytest.mark.parametrize(("key", "name"), SAMPLES)
def test_what_a_bot_imagines_depends_on_nothing_hidden_over_whole_games(key: str, name: str) -> None:
    game = load(key)
    found, compared = differences(game, game.samples[name], MANY, 100)
    assert found == [] and compared == MANY


@pytest.mark.parametrize("key", REGISTRY)
def test_twins_get_the_same_choice(key: str) -> None:
    game = load(key)
    given = game.samples.get("silent", {})
    for _, (state, seat, number) in zip(range(3), positions(game, given, 50), strict=False):
        twin = game.disguise(state, seat, Random(number))
        thoughts = [think(game, one, seat, Random(3), Budget(400)) for one in (state, twin)]
        assert thoughts[0] == thoughts[1]


@pytest.mark.parametrize(("key", "given"), [("onirim", {"players": 2}), ("dark_cave", {}), ("whisper", {})])
def test_a_peek_is_found(key: str, given: Mapping[str, Value]) -> None:
    game = load(key)
    peeking = replace(game, mind=replace(game.mind, sample=lambda state, seat, rng: state.copy()))
    assert differences(peeking, given, FEW, 1)[0]
