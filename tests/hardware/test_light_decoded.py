"""What the lights say can be read from pictures of the table under opaque pieces, by who knows the legend."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest
from light_decoder import (
    BRIGHTNESS,
    FAINT,
    AroundDecoder,
    Decoder,
    Position,
    Said,
    Traced,
    Watched,
    hue_of,
    positions,
    truth,
)

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
@pytest.mark.parametrize(("build", "lit"), [("rails", range(30, 35)), ("halo", range(56, 57))])
def test_light_leaves_the_virtual_table_as_another_renderer_traced_it(build: str, lit: range) -> None:
    traced = np.array(json.loads((TRACED / "outlets.json").read_text())[build])
    table = Watched(build, 0)
    light = np.zeros((len(table.map.leds), 3))
    light[list(lit)] = BRIGHTNESS
    led = table.map.leds[lit[len(lit) // 2]]
    across, along = np.meshgrid((np.arange(90) + 0.5) / 90 - 0.5, np.linspace(-0.3, 0.3, 7))
    at = table.pose.pixels(
        np.column_stack([led.x + across.ravel() * led.width, led.y + along.ravel() * led.height])
    )
    seen = np.mean([table.shoot(light) for _ in range(4)], 0) - table.dark()
    bar = (
        cv2.remap(seen, at.astype(np.float32), None, cv2.INTER_LINEAR)[:, 0, 1].reshape(across.shape).mean(0)
    )
    parts = bar.reshape(len(traced), -1).mean(1) / (table.exposure * BRIGHTNESS)
    assert parts.mean() == pytest.approx(traced.mean(), rel=0.2)
    if build == "halo":
        assert parts == pytest.approx(traced, rel=0.4), "bright in the middle of a rim, dim at its ends"


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(one.parent.name for one in TRACED.glob("*/truth.json")))
def test_the_same_decoder_reads_what_another_renderer_has_traced(name: str) -> None:
    build, _ = name.split("-")
    table = Traced(TRACED / name, build, SMALL)
    kept = json.loads((TRACED / name / "truth.json").read_text())["cells"]
    right = [(frozenset(candles), frozenset(told)) for candles, told in kept]
    assert len({thing for _, told in right for thing in told}) >= 4, "a position with much to tell"
    assert compare(Decoder(table).tell(*table.film()), right, name)[False] == 0


@pytest.mark.slow
def test_one_moment_of_a_halo_that_another_renderer_has_traced_is_told_rim_by_rim() -> None:
    table = Traced(TRACED / "halo-ordinary", "halo", SMALL)
    decoder = Decoder(table)
    dark, shots = table.film()
    sent, seen = table.sent(), decoder.measure(dark, shots[0])
    shines, is_dark = sent.max(1) > 0.1, sent.max(1) == 0
    assert shines.sum() > 30 and is_dark.sum() > 100
    assert seen[shines].max(1).min() > FAINT > 1.5 * seen[is_dark].max()
    for one, wanted in zip(seen[shines], sent[shines], strict=True):
        assert np.linalg.norm(hue_of(one) - hue_of(wanted)) < 0.3
    bars = [decoder.bars[cell] for cell in range(36)]
    said, right = ([decoder.cell(light[None, None, bar]) for bar in bars] for light in (seen, sent))
    # In a single moment a candle may flicker low; turn after turn it does not.
    assert compare(said, right, "halo")[False] <= 1


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
