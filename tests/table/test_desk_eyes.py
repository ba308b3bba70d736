"""The whole loop through real pixels: pieces move on the virtual table, and the table answers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from desk_tools import Recording

from companion.table.journal import Journal

pytestmark = pytest.mark.slow


@pytest.fixture
def evening(tmp_path):
    evenings = []

    def make():
        evenings.append(Recording(tmp_path, seed=4))
        return evenings[-1]

    yield make
    for one in evenings:
        one.close()


def played(one, taps=9):
    """A Night Cage that has gone on for a while, seen and found right."""
    one.start("night_cage", players=2)
    for _ in range(taps):
        one.tap()
    assert one.look("fine") == "fine"
    one.look(most=8)
    return one


def tile(one):
    """A tile on which nobody stands."""
    return next(
        thing
        for thing in one.world.things()
        if len(one.world.at(one.world.cell_at(thing.x, thing.y))) == 1
        and one.world.faces[thing.face].kind == "tile"
    )


def empty_cell(one):
    """A cell of the board where nothing lies, far from everything."""
    return next(cell for cell in range(35, -1, -1) if not one.world.at(cell))


def move(one, thing, cell):
    place = one.world.board.places[cell]
    one.world.move(thing.id, place.x, place.y)
    one.desk.touch()


def test_a_move_by_hand_is_seen_and_played(evening):
    one = played(evening())
    followed = 0
    for _ in range(4):
        decided = one.decision()
        steps = one.sitting.steps_of(*decided)
        if not steps:
            one.tap()
            continue
        meant = (decided[0], one.session.state().notation.text(decided[1]))
        lines = len(one.session.lines())
        for step in steps:
            step.act()
        one.desk.touch()
        for _ in range(14):
            one.look(most=1)
            if len(one.session.lines()) > lines:
                break
        if len(one.session.lines()) > lines:
            assert one.session.lines()[lines] == meant
            followed += 1
        else:
            one.session.submit(*meant)
        one.look(most=4)
    assert followed > 0


def test_what_does_not_fit_is_said_with_what_is_to_be_put_back_and_lit(evening):
    one = played(evening())
    lines = one.session.lines()
    pawn = next(thing for thing in one.world.things() if one.world.faces[thing.face].kind == "pawn")
    away, to = one.world.cell_at(pawn.x, pawn.y), empty_cell(one)
    move(one, pawn, to)
    assert one.look("wrong", "unsure") in ("wrong", "unsure")
    word = one.table.word
    assert {away, to} & set(word.cells) and one.session.lines() == lines
    assert word.code == "unsure" or {one.cell for one in word.found} == set(word.cells)
    assert {glow.cell for glow in one.sitting.parts.lights.scene.glows[-len(word.cells) :]} == set(word.cells)
    one.sitting.loop.accept_as_is()
    one.look(most=6)
    assert one.table.word.code == "fine", "what the players let be is not said again"
    move(one, one.world.thing(pawn.id), empty_cell(one))
    assert one.look("wrong", "unsure") in ("wrong", "unsure"), "what changes once more is said"


def test_the_board_is_put_right_by_light_cell_by_cell(evening):
    one = played(evening())
    expected = one.sitting.expected()
    assert len(expected) > 3
    one.world.clear()
    one.sitting.save()
    one.close()

    again = evening().resume()
    assert again.look("lay") == "lay"
    missing = [len(again.table.word.found)]
    first = again.table.word.found[0]
    glow = next(g for g in again.sitting.parts.lights.scene.glows if g.cell == first.cell)
    assert (glow.meaning, glow.level) == ("place", 1.0), "the next place glows brightest"
    for _ in range(3):
        again.sitting.steps_to_put_right()[0].act()
        again.desk.touch()
        again.look(most=8)
        missing.append(len(again.table.word.found))
    assert missing == sorted(missing, reverse=True) and missing[-1] < missing[0], "the camera ticks off"
    again.desk.put_right()
    assert again.look("fine") == "fine"
    assert not again.sitting.loop.is_leading


def test_we_meant_that_corrects_what_the_table_believes(evening):
    one = played(evening())
    while len(moves := [text for text in one.session.actions(who(one)) if text.startswith("move")]) < 2:
        one.tap()
    one.look(most=8)
    state, seat = one.session.state(), who(one)
    first, second = map(state.notation.parse, moves[:2])
    steps = one.sitting.steps_of(seat, second)
    one.desk.helps = False
    one.session.submit(seat, state.notation.text(first))
    one.desk.step()
    for step in steps:
        step.act()
    one.desk.touch()
    one.look("wrong", "unsure", "choose")
    one.look(most=6)
    assert one.sitting.loop.accept_board()
    texts = [text for _, text in one.session.lines()]
    assert state.notation.text(second) in texts


def who(one):
    """The seat that acts now."""
    return one.session.state().needs()[0].seat


def lines_in(path):
    """The actions that were acknowledged, if there is a journal yet."""
    if not path.exists():
        return []
    journal = Journal(path)
    try:
        return journal.read(1) if journal.games() else []
    finally:
        journal.close()


def test_after_a_power_cut_the_altered_board_is_put_right_and_the_game_goes_on(evening, tmp_path):
    path = tmp_path / "games.db"
    command = [sys.executable, "-m", "companion.service.cli", "demo", "night_cage", "--journal", str(path)]
    demo = subprocess.Popen(
        [*command, "--host", "127.0.0.1", "--port", "0", "--pause", "0.5", "--seed", "3"],
        stdout=subprocess.DEVNULL,
        env=os.environ | {"GLOAM_DATA": str(tmp_path)},
    )
    try:
        wait, until = threading.Event(), time.monotonic() + 120
        table = tmp_path / "virtual-table.json"
        while not (len(lines_in(path)) >= 12 and table.exists()) and time.monotonic() < until:
            wait.wait(0.05)
    finally:
        demo.send_signal(signal.SIGKILL)
        demo.wait()
    acknowledged = lines_in(path)
    assert len(acknowledged) >= 12

    left = json.loads(table.read_text())
    one = evening().resume()
    lost, moved = 0, 1
    cells = {one.world.cell_at(*left["things"][lost][1:3])}
    to = empty_cell(one)
    cells |= {one.world.cell_at(*left["things"][moved][1:3]), to}
    left["things"][moved][1:3] = one.world.board.places[to].x, one.world.board.places[to].y
    del left["things"][lost]
    table.write_text(json.dumps(left))
    one.close()

    again = evening().resume()
    assert [(line.seat, line.text) for line in acknowledged] == again.session.lines(), "nothing is lost"
    assert again.look("lay") == "lay"
    again.look(most=6)
    found = {difference.cell for difference in again.table.word.found}
    assert found & cells, "what was altered is listed"
    lit = {glow.cell for glow in again.sitting.parts.lights.scene.glows}
    assert found == lit, "and lit, and nothing else"
    again.desk.put_right()
    assert again.look("fine") == "fine"
    assert again.tap() and len(again.session.lines()) > len(acknowledged), "the game goes on"
