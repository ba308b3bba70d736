"""What the lights say can be read from pictures of the table under opaque pieces, by who knows the legend."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from light_decoder import AroundDecoder, Decoder, Position, Watched, positions, truth

ROOMS = {"ordinary": 1, "dim": 2}
RIGHT = 0.995
"""The share of cells of which everything is told right: whose candles, and all that happens there."""


def some_positions(count: int, games: range) -> list[Position]:
    """Positions from all over whole games."""
    found = [position for seed in games for position in positions(seed)]
    return Random(5).sample(found, count)


def share_right(build: str, room: str, watched: list[Position]) -> float:
    table = Watched(build, ROOMS[room])
    decoder = Decoder(table)
    wrong = Counter()
    for number, position in enumerate(watched):
        told, wanted = decoder.tell(*table.film(position)), truth(position.scene, 36)
        for cell, (said, right) in enumerate(zip(told, wanted, strict=True)):
            wrong[said == right] += 1
            if said != right:
                print(f"position {number}, {table.board.places[cell].name}: said {said}, right is {right}")
    return wrong[True] / wrong.total()


@pytest.mark.slow
@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("build", ["rails", "halo", "projector"])
def test_the_lights_of_the_richest_position_are_read(build: str, room: str) -> None:
    richest = max(positions(0), key=lambda one: len({glow.meaning for glow in one.scene.glows}))
    assert share_right(build, room, [richest]) == 1.0


@pytest.mark.long
@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("build", ["rails", "halo", "projector"])
def test_the_lights_of_whole_games_are_read(build: str, room: str) -> None:
    watched = some_positions(100, range(20))
    assert share_right(build, room, watched) >= RIGHT


def around_counts(watched: list[Position], room: str) -> tuple[Counter[str], Counter[str]]:
    """How often a strip around the board tells a thing, and how often it should."""
    table = Watched("around", ROOMS[room])
    decoder = AroundDecoder(table)
    told, due = Counter[str](), Counter[str]()
    for position in watched:
        said = decoder.tell(*table.film(position))
        for (_, found), (candles, right) in zip(said, truth(position.scene, 36), strict=True):
            due.update(["lit"] * len(candles) + sorted(right))
            told.update(found & right)
            told.update(f"false {one}" for one in found - right)
    return told, due


@pytest.mark.slow
def test_a_strip_around_the_board_names_what_lies_wrong_and_nothing_that_is_crowded() -> None:
    watched = [one for one in positions(0) if any(g.meaning == "wrong" for g in one.scene.glows)][5:50:12]
    told, due = around_counts(watched, "ordinary")
    assert told["wrong"] == due["wrong"] > 0
    assert due["lit"] > 0 and told["lit"] == 0, "candles it does not show at all"
    assert not [one for one in told if one.startswith("false")]
