"""Hints come from what the asker knows, name what would happen, and take the same time whatever is hidden."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from test_honesty import positions

from companion.engine.action import TABLE
from companion.engine.hint import HINTS, hints
from companion.engine.text import LANGUAGES
from companion.games import REGISTRY, load
from companion.games.onirim.agenda import Onirim
from companion.table.hints import ANSWER_S, hints_for
from companion.table.journal import Journal
from companion.table.session import Session

LONG = 1000.0
"""Seconds of thinking that are never used up, so that the same is compared."""
FEW = 3


def quick(game):
    """A game whose strong player tries out little, for tests that ask often."""
    return replace(game, mind=replace(game.mind, budget={"good": 100, "strong": 200}))


@pytest.mark.parametrize("key", REGISTRY)
def test_twins_that_differ_in_what_the_asker_may_not_know_get_equal_hints(key: str) -> None:
    game = quick(load(key))
    for _, (state, seat, number) in zip(
        range(FEW), positions(game, game.samples.get("silent", {}), 900), strict=False
    ):
        twin = game.disguise(state, seat, Random(number))
        told = [hints(game, one, seat, Random(5), LONG) for one in (state, twin)]
        assert told[0] == told[1], f"seed {number}, seat {seat}"


@pytest.mark.long
@pytest.mark.parametrize("key", REGISTRY)
def test_twins_get_equal_hints_over_whole_games(key: str) -> None:
    game = quick(load(key))
    for _, (state, seat, number) in zip(
        range(60), positions(game, game.samples.get("silent", {}), 3000), strict=False
    ):
        twin = game.disguise(state, seat, Random(number))
        told = [hints(game, one, seat, Random(5), LONG) for one in (state, twin)]
        assert told[0] == told[1], f"seed {number}, seat {seat}"


@pytest.mark.parametrize("key", REGISTRY)
def test_every_reason_of_a_game_has_words_in_both_languages(key: str) -> None:
    game = load(key)
    assert game.mind.tells
    for kind in game.mind.tells:
        assert f"event.{kind}" in game.texts, kind
        said = [game.texts.say(f"hint.{kind}", language) for language in LANGUAGES]
        assert all(said) and said[0] != said[1]


def dream() -> Onirim:
    """A solitary dreamer with two cards of a series laid and the third in hand."""
    game = load("onirim")
    state = game.start(game.resolve({"players": 1}))
    lines = ("shuffle", "draw Rs", "draw Rm", "draw Bk", "draw Rs", "draw Wm")
    for line in (*lines, "play Rs", "draw Gs", "play Rm", "draw Ws"):
        state.apply(TABLE if state.is_chance() else 0, state.notation.parse(line))
    assert isinstance(state, Onirim)
    return state


def test_the_best_hint_says_that_the_door_is_gained() -> None:
    state = dream()
    told = hints(load("onirim"), state, 0, Random(1), LONG)
    assert 2 <= len(told) <= HINTS
    best = told[0]
    assert state.notation.text(best.action) == "play Rs"
    assert best.chances >= max(one.chances for one in told)
    doors = next(one for one in best.reasons if one.kind == "door-gained")
    assert doors.times == 100 and doors.otherwise < doors.times


def test_what_was_hardly_tried_is_called_a_guess() -> None:
    told = hints(load("onirim"), dream(), 0, Random(1), 0.0)
    assert told and all(one.is_guess and not one.reasons for one in told)


def test_nobody_who_has_nothing_to_choose_gets_a_hint() -> None:
    game = load("onirim")
    state = game.start(game.resolve({"players": 1}))
    assert state.is_chance()
    assert hints(game, state, 0, Random(1), LONG) == []


@pytest.mark.parametrize(("thinking", "waited"), [(0.1, ANSWER_S - 0.1), (1.3, ANSWER_S - 1.3), (5.0, 0.0)])
def test_a_hint_comes_after_the_same_time_whatever_was_thought(tmp_path, thinking, waited) -> None:
    journal = Journal(tmp_path / "games.db")
    session = Session.start(journal, quick(load("onirim")), {"players": 1}, seed=3)
    now = iter((100.0, 100.0 + thinking))
    waits: list[float] = []
    assert hints_for(session, 0, lambda: next(now), waits.append)
    assert waits == [pytest.approx(waited)]
    journal.close()


def test_asking_twice_gives_the_same_hint(tmp_path) -> None:
    journal = Journal(tmp_path / "games.db")
    session = Session.start(journal, quick(load("onirim")), {"players": 1}, seed=3)
    first, second = (hints_for(session, 0, lambda: 0.0, lambda seconds: None) for _ in range(2))
    assert first == second
    journal.close()
