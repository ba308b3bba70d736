"""After the game: the move that threw a Door away is named, and nobody is told before."""

from __future__ import annotations

from random import Random

import pytest
from web_tools import Room

from companion.engine.action import TABLE
from companion.engine.search import Budget, compare
from companion.games import load


@pytest.fixture
def room(tmp_path):
    room = Room(tmp_path)
    yield room
    room.close()


def test_a_move_that_throws_a_door_away_is_worse_than_what_the_careful_dreamer_does() -> None:
    game = load("onirim")
    state = game.start(game.resolve({"players": 1}))
    lines = ("shuffle", "draw Rs", "draw Rm", "draw Bk", "draw Rs", "draw Wm")
    for line in (*lines, "play Rs", "draw Gs", "play Rm", "draw Ws"):
        state.apply(TABLE if state.is_chance() else 0, state.notation.parse(line))
    thrown = state.notation.parse("discard Rs")
    both = compare(game, state, 0, thrown, Random(1), Budget(3000))
    assert both is not None
    chosen, better = both
    assert (chosen.action, state.notation.text(better.action)) == (thrown, "play Rs")
    assert better.value > chosen.value
    assert compare(game, state, 0, better.action, Random(1), Budget(3000)) is None


def test_what_cost_most_is_told_when_the_game_is_over_and_not_before(room, monkeypatch) -> None:
    monkeypatch.setattr("companion.table.costs.EACH_S", 0.05)
    monkeypatch.setattr("companion.table.costs.ALL_S", 1.0)
    host = room.host()
    session = room.table.start("onirim", {"players": 1}, seed=3)
    assert host.get("/api/costs").json["code"] == "not-over"
    pick = Random(2)
    while session.state().outcome() is None:
        session.submit(0, pick.choice([one for one in session.actions(0) if one != "concede"]))
    told = host.get("/api/costs?lang=ru").json
    assert len(told) <= 3
    for one in told:
        assert 1 <= one["step"] <= len(session.lines()) and "из 100" in one["text"]
