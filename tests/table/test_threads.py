"""Lamp, eye and button apart: nobody waits for anybody, and each thread touches only what is its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from itertools import pairwise
from pathlib import Path

import pytest
from desk_tools import Recording, settings

from companion.engine.action import PUBLIC
from companion.engine.errors import StaleVersion
from companion.engine.observation import Looks, Mismatch, NoChange, Played
from companion.engine.text import Texts
from companion.service.lamps import lit
from companion.service.open_parts import forget_own_faces
from companion.service.rig import TableRig
from companion.table.prompt import ALL_RIGHT, Prompt
from companion.world.loop import TEXTS, Loop
from hardware.clock import SystemClock
from hardware.fakes import VirtualButtons, VirtualSensors, VirtualStrip
from hardware.lights import Lights
from hardware.ports import BUTTONS
from vision.camera import Live

README = Path(__file__).resolve().parents[2] / "companion" / "README.md"
AT_ONCE_S = 3.0
APART_S = 0.25


@pytest.fixture
def running(tmp_path):
    """A table whose threads all run, on the real clock."""
    tables = []

    def make(key="onirim", camera="virtual", **options):
        one = Recording(tmp_path, settings(camera=camera), clock=SystemClock())
        tables.append(one)
        one.table.start(key, options, seed=3)
        one.desk.start()
        wait_until(lambda: one.sitting is not None and one.sitting.session is one.session)
        return one

    yield make
    for one in tables:
        one.close()


def wait_until(is_so, limit_s=60.0):
    until = time.monotonic() + limit_s
    while not is_so():
        assert time.monotonic() < until, "it has not come to that"
        time.sleep(0.005)


def threads_in_the_readme():
    """Thread → owner, and thread → parts, as the table of the README names them."""
    part = README.read_text("utf-8").split("## From the camera to the lamp")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \| (.+?) \|", part, re.M)
    return {name: owner for name, owner, _ in rows}, {
        name: re.findall(r"`(.+?)`", own) for name, _, own in rows
    }


def test_the_readme_names_every_thread_and_its_owner(running):
    before = set(threading.enumerate())
    one = running(camera="none", players=1)
    started = {thread.name for thread in set(threading.enumerate()) - before}
    owners, _ = threads_in_the_readme()
    assert started == set(owners)
    assert {owner.THREAD: type(owner).__name__ for owner in one.desk.owners()} == owners


TOUCHED = {
    "LedStrip.show": VirtualStrip,
    "Buttons.presses": VirtualButtons,
    "SensorPort.sensed": VirtualSensors,
    "Camera.read": Live,
    "Loop.look": Loop,
    "Lights.brighten": Lights,
    "TableRig.learn_faces": TableRig,
    "TableRig.lay_what_was_tapped": TableRig,
}
"""What the README gives to one thread alone, and the class that stands for it on the virtual table."""


def test_each_part_is_touched_by_the_thread_that_the_readme_names_alone(running, monkeypatch):
    """Every call of the parts is noted with its thread while a table is played for a while."""
    touched = {}

    def note(part, kind):
        method = part.split(".")[1]
        original = getattr(kind, method)

        def noted(*args, **more):
            touched.setdefault(part, set()).add(threading.current_thread().name)
            return original(*args, **more)

        monkeypatch.setattr(kind, method, noted)

    for part, kind in TOUCHED.items():
        note(part, kind)
    one = running(players=1)
    one.tap()
    one.sitting.parts.buttons.press("left")
    wait_until(lambda: len(touched) == len(TOUCHED))
    _, parts = threads_in_the_readme()
    assert touched == {part: {name} for name, own in parts.items() for part in own}


def test_a_tap_is_lit_though_the_eyes_are_blocked_for_ever(running):
    one = running("night_cage", players=2)
    with blocked_look(one):
        for _ in range(3):
            one.tap()
            wanted = lit(one.session, one.session.update(PUBLIC).view, one.table.word)
            wait_until(lambda wanted=wanted: one.sitting.parts.lights.scene == wanted, AT_ONCE_S)
        lines = len(one.session.lines())
        one.session.undo(force=True)
        assert len(one.session.lines()) < lines


class blocked_look:
    """While this is entered, the eyes are in the middle of a look that does not end."""

    def __init__(self, one):
        self.rig = one.sitting
        self.watcher = one.desk.watcher
        self.entered, self.go_on = threading.Event(), threading.Event()

    def __enter__(self):
        wait_until(lambda: self.rig.device is not None and self.rig.faces is not None)
        grab = self.rig.device.grab

        def blocked():
            self.entered.set()
            self.go_on.wait(60)
            return grab()

        self.rig.device.grab = blocked
        self.watcher.wake()
        assert self.entered.wait(60)
        return self

    def __exit__(self, *error):
        self.go_on.set()


def test_the_players_are_answered_at_once_during_a_look(running):
    one = running("night_cage", players=2)
    loop, session = one.sitting.loop, one.session
    with blocked_look(one):
        loop.say(Prompt("wrong", (3,)))
        began = time.monotonic()
        loop.accept_as_is()
        assert loop.prompt == one.table.word == ALL_RIGHT
        assert not loop.accept_board(), "nothing was read yet, so no way leads there"
        seat = session.state().needs()[0].seat
        line = ((seat, session.actions(seat)[0]),)
        loop.say(Prompt("choose", (3,), choices=(line, line)))
        loop.choose(line)
        assert session.lines()[-1] == line[0] or line[0] in session.lines()
        assert time.monotonic() - began < AT_ONCE_S


def test_the_buttons_work_during_a_look(running):
    one = running("night_cage", players=2)
    loop, parts = one.sitting.loop, one.sitting.parts
    with blocked_look(one):
        loop.say(Prompt("wrong", (3,)))
        parts.buttons.press("next")
        wait_until(lambda: loop.prompt == ALL_RIGHT, AT_ONCE_S)
        one.tap()
        before = len(one.session.lines())
        parts.buttons.press("undo")
        wait_until(lambda: len(one.session.lines()) < before or one.table.notices, AT_ONCE_S)


class MachineStall:
    """How long the machine itself has kept a process waiting meanwhile: nothing on a quiet one."""

    CONTROL = """
import sys, threading, time
done, worst = threading.Event(), 0.0
threading.Thread(target=lambda: (sys.stdin.read(), done.set()), daemon=True).start()
while not done.is_set():
    began = time.monotonic()
    time.sleep(0.02)
    worst = max(worst, time.monotonic() - began - 0.02)
print(worst)
"""

    def __enter__(self):
        self.seconds = 0.0
        pipe = subprocess.PIPE
        self._control = subprocess.Popen([sys.executable, "-c", self.CONTROL], stdin=pipe, stdout=pipe)
        return self

    def __exit__(self, *error):
        self.seconds = float(self._control.communicate()[0])


def longest_gap(strip, since):
    times = [since, *(at for at, _ in list(strip.frames) if at >= since), time.monotonic()]
    return max(b - a for a, b in pairwise(times))


@pytest.mark.slow
@pytest.mark.parametrize(
    "apart_s", [pytest.param(APART_S, marks=pytest.mark.long), pytest.param(4.0, id="beside-other-tests")]
)
def test_frames_go_on_whatever_the_eyes_and_the_buttons_do(running, apart_s):
    """Whole boards are read, the camera is bumped, every button is pressed: no frame comes late.

    Beside other tests the machine itself stalls, so there the bar only tells lamps that wait for the eyes.
    """
    one = running("night_cage", players=2)
    rig = one.sitting
    strip, buttons = rig.parts.lights.strip, rig.parts.buttons
    for _ in range(12):
        one.tap()
    wait_until(lambda: rig.seen is not None, 120)
    one.desk.buttons.shut_down = lambda: time.sleep(1.0)
    since, reads, read = time.monotonic(), [], rig.faces.reader.read

    def counted(*args, **more):
        reads.append(1)
        return read(*args, **more)

    rig.faces.reader.read = counted
    with MachineStall() as machine:
        for number in range(6):
            rig.virtual.faults.bump_mm = 4.0 if number % 2 else -4.0  # another pose: every place is read anew
            one.desk.touch()
            before = len(reads)
            for name in (*BUTTONS, "left", "right"):
                buttons.press(name)
                time.sleep(0.05)
            wait_until(lambda before=before: len(reads) > before, 120)
        gap = longest_gap(strip, since)
    assert gap < apart_s + machine.seconds


def test_frames_go_on_while_a_move_is_written_to_the_disk(running):
    one = running("night_cage", camera="none", players=2)
    append, go_on = one.table.journal.append, threading.Event()

    def slow(*args):
        go_on.wait(30)
        append(*args)

    one.table.journal.append = slow
    tapping = threading.Thread(target=one.tap)
    tapping.start()
    since = time.monotonic()
    with MachineStall() as machine:
        time.sleep(4 * APART_S)
        gap = longest_gap(one.sitting.parts.lights.strip, since)
    go_on.set()
    tapping.join()
    assert gap < APART_S + machine.seconds


def test_what_a_button_does_for_ever_stops_no_frame(running):
    one = running(camera="none", players=1)
    go_on = threading.Event()
    one.desk.buttons.shut_down = lambda: go_on.wait(30)
    since = time.monotonic()
    one.sitting.parts.buttons.press("shutdown")
    with MachineStall() as machine:
        time.sleep(4 * APART_S)
        gap = longest_gap(one.sitting.parts.lights.strip, since)
    go_on.set()
    assert gap < APART_S + machine.seconds


# Verdicts ----------------------------------------------------------------------------------------


class Script:
    """Eyes that judge as they are told to."""

    def __init__(self, *said):
        self.said = list(said)
        self.accepted = []

    def step(self):
        return self

    def snapshot(self):
        return Looks()

    def judge(self, game, state, options):
        return self.said.pop(0) if self.said else None

    compare = judge

    def explain(self, looks, game, state, options):
        return None

    def accept_as_is(self, expected, cells=None, seen=None):
        self.accepted.append(cells)


@pytest.fixture
def session(tmp_path):
    one = Recording(tmp_path, settings(camera="none"))
    one.start("night_cage", players=2)
    yield one.session
    one.close()


def first_move(session):
    state = session.state()
    seat = state.needs()[0].seat
    return seat, state.actions(seat)[0]


def test_a_verdict_about_an_older_position_is_dropped(session):
    move = first_move(session)
    loop = Loop(session, Script(Played((move,)), Mismatch({3: ()}, {3: ()})))
    late, later = loop.look(), loop.look()
    seat = move[0]
    session.submit(seat, session.actions(seat)[-1])
    lines = session.lines()
    assert not loop.take(late) and not loop.take(later)
    assert session.lines() == lines and loop.prompt == ALL_RIGHT


def test_a_position_that_was_left_and_reached_again_is_another_one(session):
    loop = Loop(session, Script(Mismatch({3: ()}, {3: ()})))
    verdict = loop.look()
    seat, _ = first_move(session)
    session.submit(seat, session.actions(seat)[0])
    session.undo(force=True)
    assert not loop.take(verdict)


def test_a_verdict_from_before_the_players_answered_is_dropped(session):
    eyes = Script(Mismatch({3: ()}, {3: ()}), NoChange())
    loop = Loop(session, eyes)
    verdict = loop.look()
    loop.accept_as_is()
    assert not loop.take(verdict) and loop.prompt == ALL_RIGHT
    assert eyes.accepted == [], "only the eyes' thread tells the eyes"
    loop.step()
    assert eyes.accepted == [None]


def test_a_choice_that_is_not_offered_any_more_is_refused(session):
    loop = Loop(session, Script())
    seat, _ = first_move(session)
    line = ((seat, session.actions(seat)[0]),)
    lines = session.lines()
    with pytest.raises(StaleVersion):
        loop.choose(line)
    assert session.lines() == lines


def test_a_verdict_never_changes(session):
    verdict = Loop(session, Script(NoChange())).look()
    with pytest.raises(AttributeError):
        verdict.result = None
    assert verdict.position.number == session.snapshot().number


# Learning ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "ru"])
def test_learning_says_how_far_it_is(tmp_path, language):
    forget_own_faces()
    one = Recording(tmp_path)
    told = []
    say = one.table.say
    one.table.say = lambda prompt: told.append(prompt) or say(prompt)
    try:
        one.start("onirim", players=1)
        one.desk.learner.learn()
        percents = [prompt.percent for prompt in told if prompt.code == "waking"]
        assert percents[0] == 0 and percents == sorted(set(percents)) and len(percents) > 2
        said = Texts(TEXTS).say(told[1].text, language, {"percent": told[1].percent})
        assert f"{told[1].percent} %" in said
    finally:
        one.close()


def test_learning_for_a_game_that_is_gone_is_broken_off(tmp_path):
    forget_own_faces()
    one = Recording(tmp_path)
    try:
        one.start("onirim", players=1)
        first = one.sitting
        say = one.table.say

        def and_another_game(prompt):
            say(prompt)
            if prompt.percent and one.table.session is first.session:
                one.start("night_cage", players=2)

        one.table.say = and_another_game
        one.desk.learner.learn()
        assert first.faces is None and one.sitting is not first
    finally:
        one.close()


MULTIPLIED = """
import {module}
import numpy, pathlib
numpy.ones((600, 600)) @ numpy.ones((600, 600))
print(len(list(pathlib.Path("/proc/self/task").iterdir())))
"""


@pytest.mark.parametrize("module", ["companion.service.app", "companion.service.trust", "vision.read"])
def test_products_of_matrices_stay_on_the_thread_that_wants_them(module):
    """Threads of OpenBLAS wait for each other by spinning, and take the cores from lamps and pages."""
    environ = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    command = [sys.executable, "-c", MULTIPLIED.format(module=module)]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1"
