"""Cues at the table: strip and pages play the same cue at the same time; every attack reaches the strip."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from desk_tools import Recording, settings

from companion.engine.action import PUBLIC
from companion.engine.cue import MOST_BEHIND_S
from companion.games import REGISTRY
from web.stream import Stream, Streams

TICK_S = 0.02


@pytest.fixture
def recording(tmp_path: Path):
    made = Recording(tmp_path, settings(camera="none"), seed=4)
    yield made
    made.close()


def lamps_for(recording: Recording, seconds: float) -> list[tuple[float, list]]:
    """Lets the lamps go on; what they show, with the time, whenever it changes."""
    shown: list[tuple[float, list]] = []
    end_s = recording.clock.now() + seconds
    while recording.clock.now() < end_s:
        recording.desk.lamps.step()
        lights = recording.sitting.parts.lights
        now = [lights.frame, lights.scene]
        if not shown or shown[-1][1] != now:
            shown.append((recording.clock.now(), now))
        recording.clock.sleep(TICK_S)
    return shown


def play_until(recording: Recording, moment_s: float) -> None:
    while recording.clock.now() < moment_s:
        recording.desk.lamps.step()
        recording.clock.sleep(TICK_S)
    recording.desk.lamps.step()


def test_every_attack_runs_along_its_way_on_the_strip(recording: Recording) -> None:
    attacks = 0
    while attacks < 5:
        recording.start("night_cage")
        mailbox, lights = recording.session.subscribe(PUBLIC), recording.sitting.parts.lights
        leds = [{cell for cell, _ in led.cells} for led in lights.led_map.leds]
        mailbox.get(0)
        while recording.tap() and attacks < 5:
            for timed in mailbox.get(0).cues:
                if timed.cue.kind == "attacked":
                    way = {cell for path in timed.cue.ways for cell in path}
                    play_until(recording, timed.begin_s + 0.95 * timed.seconds)
                    lit = {glow.cell for glow in lights.scene.glows if glow.meaning == "attack"}
                    assert way <= lit
                    dark = [way_cell for way_cell in way if not is_bright(lights.frame, leds, way_cell)]
                    assert dark == []
                    attacks += 1
            recording.clock.sleep(MOST_BEHIND_S)
            recording.desk.lamps.step()


def is_bright(frame: bytes, leds: list[set[int]], cell: int) -> bool:
    """Whether the bytes of the strip make a cell shine."""
    own = [i for i, lit in enumerate(leds) if cell in lit]
    return any(any(frame[3 * i : 3 * i + 3]) for i in own)


def test_the_lamps_are_as_before_when_a_cue_is_over(recording: Recording) -> None:
    recording.start("night_cage")
    for _ in range(30):
        recording.tap()
    lamps_for(recording, MOST_BEHIND_S + 0.1)
    lights = recording.sitting.parts.lights
    view = recording.session.update(PUBLIC).view
    assert lights.scene == recording.session.game.scene(view)


def test_lamps_stand_still_while_the_eyes_read(recording: Recording) -> None:
    recording.start("night_cage")
    for _ in range(12):
        recording.tap()
    lamps_for(recording, 3 * TICK_S)
    lights = recording.sitting.parts.lights
    lights.hold(True)
    held = lights.scene
    assert {id(scene) for _, (_, scene) in lamps_for(recording, 1.0)} == {id(held)}
    lights.hold(False)
    assert len({id(scene) for _, (_, scene) in lamps_for(recording, 1.0)}) > 1


@pytest.mark.parametrize("key", REGISTRY)
def test_strip_and_pages_begin_a_cue_at_the_same_time(recording: Recording, key: str) -> None:
    """One clock: what a page is told to wait is when the lamps begin."""
    recording.start(key)
    mailbox = recording.session.subscribe(PUBLIC)
    stream = iter(Stream(recording.table, Streams(4), "device", "page", PUBLIC, "en"))
    for _ in range(3):
        next(stream)
    mailbox.get(0)
    heard = 0
    for _ in range(40):
        at_s = recording.clock.now()
        if not recording.tap():
            break
        while (update := mailbox.get(0)) is not None:
            log = json.loads(next(stream).split("data: ")[1])["log"]
            assert len(log) == len(update.cues) == len(update.events)
            for line, timed in zip(log, update.cues, strict=True):
                assert at_s + line["cue"]["wait_s"] == pytest.approx(timed.begin_s, abs=0.002)
                assert line["cue"]["seconds"] == pytest.approx(timed.seconds, abs=0.002)
                assert line["kind"] == timed.cue.kind
                assert timed.begin_s + timed.seconds <= at_s + MOST_BEHIND_S + 1e-6
                heard += 1
        recording.clock.sleep(0.3)
    assert heard > 5
