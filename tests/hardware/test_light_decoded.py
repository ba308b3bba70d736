"""What the lights say can be read from pictures of the table under opaque pieces, by who knows the legend."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from light_decoder import AroundDecoder, Decoder, Position, Said, Traced, Watched, positions, truth

ROOMS = {"ordinary": 1, "dim": 2}
RIGHT = 0.995
"""The share of cells of which everything is told right: whose candles, and all that happens there."""
BUILDS = ("rails", "halo", "projector", "glass")
TRACED = Path(__file__).with_name("traced")
SMALL, LARGE = 4, 5
"""Players: up to four play on 6 × 6 tiles, more on 7 × 7."""


def some_positions(count: int, games: range, players: int = SMALL) -> list[Position]:
    """Positions from all over whole games."""
    found = [position for seed in games for position in positions(seed, players)]
    return Random(5).sample(found, count)


def compare(told: Sequence[Said], right: Sequence[Said], where: str) -> Counter[bool]:
    """How many cells are told right and wrong; the wrong ones are printed."""
    for cell, (said, wanted) in enumerate(zip(told, right, strict=True)):
        if said != wanted:
            print(f"{where}, cell {cell}: said {said}, right is {wanted}")
    return Counter(said == wanted for said, wanted in zip(told, right, strict=True))


def share_right(build: str, room: str, watched: list[Position], players: int = SMALL) -> float:
    table = Watched(build, ROOMS[room], players)
    decoder = Decoder(table)
    found = Counter[bool]()
    for number, position in enumerate(watched):
        right = truth(position.scene, table.fields)
        found += compare(decoder.tell(*table.film(position)), right, f"position {number}")
    return found[True] / found.total()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("build", "room", "players"),
    [
        ("rails", "ordinary", SMALL),
        ("rails", "dim", LARGE),
        ("halo", "ordinary", SMALL),
        ("halo", "dim", SMALL),
        ("projector", "ordinary", LARGE),
        ("projector", "dim", SMALL),
        ("glass", "ordinary", SMALL),
    ],
)
def test_the_lights_of_the_richest_position_are_read(build: str, room: str, players: int) -> None:
    richest = max(positions(0, players), key=lambda one: len({glow.meaning for glow in one.scene.glows}))
    assert share_right(build, room, [richest], players) == 1.0


@pytest.mark.long
@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("players", [SMALL, LARGE])
@pytest.mark.parametrize("build", BUILDS)
def test_the_lights_of_whole_games_are_read(build: str, players: int, room: str) -> None:
    watched = some_positions(50, range(20), players)
    assert share_right(build, room, watched, players) >= RIGHT


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(folder.name for folder in TRACED.iterdir()))
def test_the_same_decoder_reads_what_another_renderer_has_traced(name: str) -> None:
    build, _ = name.split("-")
    table = Traced(TRACED / name, build, SMALL)
    kept = json.loads((TRACED / name / "truth.json").read_text())["cells"]
    right = [(frozenset(candles), frozenset(told)) for candles, told in kept]
    assert len({thing for _, told in right for thing in told}) >= 4, "a position with much to tell"
    assert compare(Decoder(table).tell(*table.film()), right, name)[False] == 0


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
