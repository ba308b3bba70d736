"""Cues at the table: strip and pages play the same cue at the same time; every attack reaches the strip."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from desk_tools import Recording, settings

from companion.engine.action import PUBLIC
from companion.engine.cue import LEAST_LIT_S, MOST_BEHIND_S, TimedCue
from companion.engine.layout import Board, built
from companion.games import REGISTRY
from hardware import ledmap
from hardware.fakes import VirtualStrip
from hardware.guard import Channels
from hardware.ledmap import BARS, LedMap
from hardware.lights import Lights
from hardware.ports import Clock
from hardware.render import LightStyle
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


ATTACKS = {
    "night_cage": ("careful", 8),
    "bad_bones": ("random", 20),
    "onirim": ("random", 8),
    "whisper": ("careful", 4),
    "dark_cave": ("random", 2),
}
"""Whose games are looked at, and how many attacks of each."""


BRIGHT = 160
"""The least level of an attack's red: what only threatens never gets so bright."""
MAPS: Mapping[str, Callable[[Board], LedMap]] = {
    "rails": lambda board: ledmap.rails(built(board, "rails")),
    "halo": lambda board: ledmap.halo(built(board, "halo")),
    "projector": ledmap.projector,
    "backlit": lambda board: ledmap.cells(board, 2),
    "cells": ledmap.cells,
    "groups": ledmap.groups,
}
"""Every build but the strip around the board, which tells of no attack."""


def virtual_lights(board: Board, clock: Clock) -> dict[str, Lights]:
    """Lights of every build over a virtual strip each."""
    laid = [build for build in MAPS if build not in ("rails", "halo") or build in dict(board.builds)]
    made = {build: MAPS[build](board) for build in laid}
    return {
        build: Lights(VirtualStrip(len(one.leds), one.strips[0].order, clock), one, LightStyle(), clock)
        for build, one in made.items()
    }


def attacked(lights: Lights) -> set[int]:
    """The places that the bytes of a strip call attacked: bright red, a bar at both ends."""
    shown = lights.strip.frames[-1][1]
    light = np.frombuffer(shown, np.uint8)[Channels.of(lights.led_map).rgb].astype(int)
    is_red = (light[:, 0] >= BRIGHT) & (light[:, 1:].max(axis=1) * 8 < light[:, 0])
    leds: dict[int, list[tuple[float, int]]] = {}
    for i, led in enumerate(lights.led_map.leds):
        for cell, _ in led.cells:
            leds.setdefault(cell, []).append((led.dx, i))
    found = set()
    for cell, row in leds.items():
        own = [i for _, i in sorted(row)]
        if is_red[[own[0], own[-1]]].all() if lights.led_map.build in BARS else is_red[own].any():
            found.add(cell)
    return found


@pytest.mark.parametrize("key", REGISTRY)
def test_every_attack_runs_along_its_way_in_the_bytes_of_every_strip(recording: Recording, key: str) -> None:
    bot, wanted = ATTACKS[key]
    seen: Counter[str] = Counter()
    for _ in range(40):
        recording.start(key)
        strips = virtual_lights(recording.session.game.board(recording.session.options), recording.clock)
        mailbox = recording.session.subscribe(PUBLIC)
        while seen.total() < wanted and recording.tap(bot):
            while (update := mailbox.get(0)) is not None:
                attacks = [timed for timed in update.cues if timed.cue.light == "attack"]
                moments = read_cues(recording, attacks, strips) if attacks else []
                for timed in attacks:
                    read = [said for at_s, said in moments if timed.begin_s <= at_s < timed.dark_s]
                    way = {cell for path in timed.cue.ways for cell in path}
                    told = {build: set().union(*(said[build] for said in read)) for build in strips}
                    dark = {build: way - cells for build, cells in told.items() if way - cells}
                    assert way and not dark, timed
                    seen[timed.cue.kind] += 1
            recording.clock.sleep(MOST_BEHIND_S + LEAST_LIT_S)
            recording.desk.lamps.step()
        if seen.total() >= wanted:
            break
    print(f"{key}: seed 4, attacks read from the strips {', '.join(strips)}: {dict(seen)}")
    assert seen.total() >= wanted


def read_cues(
    recording: Recording, cues: Sequence[TimedCue], strips: Mapping[str, Lights]
) -> list[tuple[float, dict[str, set[int]]]]:
    """Which places each strip calls attacked while some cues are played, moment by moment."""
    told = []
    while recording.clock.now() < max(timed.dark_s for timed in cues):
        recording.desk.lamps.step()
        for lights in strips.values():
            lights.show(recording.sitting.parts.lights.scene)
            lights.step()
        told.append((recording.clock.now(), {build: attacked(lights) for build, lights in strips.items()}))
        recording.clock.sleep(TICK_S)
    return told


def test_the_lamps_are_as_before_when_a_cue_is_over(recording: Recording) -> None:
    recording.start("night_cage")
    for _ in range(30):
        recording.tap()
    lamps_for(recording, MOST_BEHIND_S + LEAST_LIT_S)
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
            told = json.loads(next(stream).split("data: ")[1])
            log = told["log"]
            assert told.get("now_s", at_s) == pytest.approx(at_s, abs=0.002)
            assert len(log) == len(update.cues) == len(update.events)
            for line, timed in zip(log, update.cues, strict=True):
                assert line["cue"]["begin_s"] == pytest.approx(timed.begin_s, abs=0.002)
                assert line["cue"]["seconds"] == pytest.approx(timed.seconds, abs=0.002)
                assert line["kind"] == timed.cue.kind
                assert timed.begin_s + timed.seconds <= at_s + MOST_BEHIND_S + 1e-6
                heard += 1
        recording.clock.sleep(0.3)
    assert heard > 5


TOGETHER_S = 0.05
CUES = 8


def test_the_strip_begins_every_cue_within_50_ms_of_the_table_s_clock(recording: Recording) -> None:
    """A frame waits no longer than until the next cue begins, and then the places of that are lit."""
    recording.start("night_cage")
    mailbox = recording.session.subscribe(PUBLIC)
    lamps = recording.desk.lamps
    looked_at = 0
    while looked_at < CUES and recording.tap():
        while (update := mailbox.get(0)) is not None:
            lamps.step()
            for one in update.cues:
                if not (one.cue.light and one.cue.ways and one.seconds):
                    continue
                recording.clock.sleep(max(0.0, one.begin_s - recording.clock.now() + 0.001))
                waits_s = lamps.patience_s()
                lamps.step()
                lit = {glow.cell for glow in recording.sitting.parts.lights.scene.glows if glow.order < 0}
                assert {way[0] for way in one.cue.ways} <= lit, one
                assert 0 < waits_s <= TOGETHER_S
                looked_at += 1
    assert looked_at >= CUES


PAUSE_S = 1.2
"""Between two actions of `gloam demo`."""


@pytest.mark.parametrize("key", REGISTRY)
def test_at_the_speed_of_a_demonstration_nothing_is_lost_or_late(recording: Recording, key: str) -> None:
    recording.start(key)
    mailbox = recording.session.subscribe(PUBLIC)
    before = len(recording.session.history(PUBLIC))
    played, behind_s, most = 0, 0.0, 0
    while recording.tap():
        at_s = recording.clock.now()
        while (update := mailbox.get(0)) is not None:
            assert len(update.cues) == len(update.events)
            assert [one.cue.kind for one in update.cues] == [event.kind for event in update.events]
            played, most = played + len(update.cues), max(most, len(update.cues))
            behind_s = max([behind_s, *(one.begin_s + one.seconds - at_s for one in update.cues)])
        recording.clock.sleep(PAUSE_S)
    print(f"{key}: {played} cues, {most} at once, never more than {behind_s:.2f} s behind")
    assert played == len(recording.session.history(PUBLIC)) - before
    assert behind_s <= MOST_BEHIND_S + 1e-6
