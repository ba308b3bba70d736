"""Cues: each event of a game is played out, on places that are there, from what its viewer hears alone."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from contract_table import Table, params, tables

from companion.engine.cue import MOST_BEHIND_S, SHAPES, SOUNDS, Pace, TimedCue, glows_at
from companion.engine.scene import MEANINGS
from companion.engine.state import Event
from companion.games import REGISTRY, load
from companion.table.play import walk


@pytest.mark.parametrize("key", REGISTRY)
def test_each_kind_of_event_has_a_cue_and_no_other_has(key: str) -> None:
    game = load(key)
    told = {key.removeprefix("event.") for key in game.texts.table if key.startswith("event.")}
    assert set(game.cues) == told


@pytest.mark.parametrize("key", REGISTRY)
def test_a_cue_asks_for_lights_and_sounds_that_there_are(key: str) -> None:
    for kind, rule in load(key).cues.items():
        assert rule.sound in SOUNDS and rule.light in ("", *MEANINGS) and rule.shape in SHAPES, kind
        assert 0.0 <= rule.seconds <= MOST_BEHIND_S, kind
        assert rule.sound or not rule.seconds, f"{kind} is silent"


def is_beyond(event: Event) -> bool:
    """Whether an event names only places beyond the table, or says that there are none."""
    cells = [event.data[fact] for fact in ("cell", "cells", "to_cell") if fact in event.data]
    return bool(cells) and all(cell in (-1, [], ()) for cell in cells)


@pytest.mark.parametrize("table", params(tables()))
def test_each_event_of_a_game_is_played_on_places_of_the_board(table: Table) -> None:
    game, cells = table.game, range(len(table.game.board(table.options).places))
    played = 0
    for step in walk(game, table.options, Random(7), game.bots["random"]):
        for event in step.events:
            assert event.kind in game.cues, event
            cue = game.cue(event)
            assert all(cell in cells for way in cue.ways for cell in way), event
            assert not cue.light or cue.ways or is_beyond(event), f"{event} lights nothing"
            played += 1
    assert played


@pytest.mark.parametrize("n", [1, 3, 50, 1000])
def test_nothing_is_lost_and_play_is_never_far_ahead_when_many_events_come_at_once(n: int) -> None:
    pace, rng, now = Pace(), Random(n), 100.0
    for _ in range(5):
        wanted = [rng.choice([0.0, 0.4, 1.4]) for _ in range(n)]
        timed = pace.schedule(now, wanted)
        assert len(timed) == n
        assert timed[-1][0] + timed[-1][1] <= now + MOST_BEHIND_S + 1e-9
        assert all(begin + length == pytest.approx(after) for (begin, length), (after, _) in pairwise(timed))
        assert timed[0][0] >= now
        now += 0.2


def test_cues_follow_each_other_at_their_own_speed_when_there_is_time() -> None:
    pace = Pace()
    assert pace.schedule(5.0, [1.0, 0.5]) == [(5.0, 1.0), (6.0, 0.5)]
    assert pace.schedule(5.5, [0.4]) == [(6.5, 0.4)]
    assert pace.schedule(20.0, [0.4]) == [(20.0, 0.4)]


def test_a_way_is_lit_from_its_beginning_to_its_end() -> None:
    game = load("night_cage")
    event = next(
        event
        for seed in range(60)
        for step in walk(game, game.resolve({}), Random(seed), game.bots["random"])
        for event in step.events
        if event.kind == "attacked" and max(map(len, event.data["paths"]), default=0) >= 2
    )
    ways = game.cue(event).ways
    assert {cell for way in ways for cell in way} == {event.data["cell"], *event.data["cells"]}
    for way in ways:  # from the monster, each cell beside the one before
        assert way[0] == event.data["cell"]
        assert all((a - b) % 6 in (1, 5, 0) for a, b in pairwise(way)), way
    way = max(ways, key=len)
    timed = TimedCue(game.cue(event)._replace(ways=(way,)), 10.0, 1.0)
    lit = [[glow.cell for glow in glows_at(timed, 10.0 + t / 10)] for t in range(10)]
    assert lit[0] == [way[0]] and lit[-1] == list(way)
    assert all(later[: len(sooner)] == sooner for sooner, later in pairwise(lit))
    assert {glow.meaning for glow in glows_at(timed, 10.9)} == {"attack"}
    assert glows_at(timed, 9.99) == glows_at(timed, 11.0) == ()
