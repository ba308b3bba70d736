"""The desk: the physical side follows the game, and no lost part stops it."""

from __future__ import annotations

import threading

import pytest
from desk_tools import Recording, settings

from companion.games import REGISTRY
from companion.table.prompt import ALL_RIGHT, Prompt
from hardware.fakes import PtyChip


@pytest.fixture
def evening(tmp_path, request):
    evenings = []

    def make(**more):
        evenings.append(Recording(tmp_path, **more))
        return evenings[-1]

    yield make
    for one in evenings:
        one.close()


def as_it_should_be(one):
    """What lies on the virtual table, and what should."""
    lies = {cell: sorted(pieces) for cell, pieces in one.world.layout().items() if pieces}
    return lies == {cell: sorted(pieces) for cell, pieces in one.sitting.expected().items()}


@pytest.mark.slow
@pytest.mark.parametrize("key", REGISTRY)
def test_virtual_hands_lay_what_is_tapped(evening, key):
    one = evening().start(key)
    assert as_it_should_be(one), "a new game is laid out"
    for _ in range(40):
        one.tap()
        one.sitting.lay_what_was_tapped()
        assert as_it_should_be(one)


def test_hands_take_back_what_is_undone(evening):
    one = evening().start("night_cage", players=2)
    before = one.world.layout()
    one.tap()
    one.sitting.lay_what_was_tapped()
    one.session.undo(force=True)
    one.sitting.lay_what_was_tapped()
    assert one.world.layout() == before


def test_hands_leave_alone_what_lies_wrong_elsewhere(evening):
    one = evening().start("onirim", players=1)
    lost = one.world.put("Rs", -20.0, -20.0)
    one.tap()
    one.sitting.lay_what_was_tapped()
    assert one.world.thing(lost.id) == lost


@pytest.mark.slow
def test_without_help_nothing_is_laid(evening):
    one = evening()
    one.desk.helps = False
    one.start("dark_cave", players=3)
    assert one.world.things() == []
    assert one.sitting.expected(), "and yet something should lie there"


@pytest.mark.slow
def test_the_desk_follows_another_game_and_lets_go_of_the_old_one(evening):
    one = evening().start("onirim", players=1)
    first = one.sitting
    one.start("night_cage", players=2)
    assert one.sitting is not first and one.sitting.board.name == "night_cage_6"
    assert not any(first.parts.lights.strip.frames[-1][1]), "the old strip is dark"
    one.table.clear()
    one.desk.follow()
    assert one.sitting is None


@pytest.mark.slow
def test_a_word_about_the_game_before_is_not_told(evening):
    one = evening().start("night_cage", players=2)
    before = one.sitting.loop
    one.start("onirim", players=1)
    said = one.table.word
    before.say(Prompt("wrong", (40,)))
    assert one.table.word == said


@pytest.mark.slow
def test_an_idle_virtual_table_costs_nothing(evening):
    one = evening().start("onirim", players=1)
    shots = []
    grab = one.sitting.device.grab
    one.sitting.device.grab = lambda: shots.append(1) or grab()
    for _ in range(40):
        one.clock.sleep(0.3)
        one.desk.step()
    assert 0 < len(shots) < 25, "looked at first, then left alone"
    seen = len(shots)
    one.desk.picture()
    one.desk.step()
    assert len(shots) == seen + 1, "looked at again while somebody watches"


def test_a_table_without_a_camera_shines_and_is_played_by_tapping(evening):
    one = evening(config=settings(camera="none")).start("night_cage", players=2)
    assert one.world is None
    one.tap()
    one.desk.step()
    one.desk.lamps.step()
    assert any(one.sitting.parts.lights.frame)
    assert one.table.word == ALL_RIGHT


def test_a_camera_that_cannot_be_opened_is_said_and_play_goes_on(evening):
    one = evening(config=settings(camera="no-such-file.mp4")).start("onirim", players=1)
    while one.tap():
        one.desk.step()
    assert any("no-such-file.mp4" in line for line in one.sitting.troubles())
    assert one.session.state().outcome() is not None


def test_pieces_that_were_never_taught_are_said(evening, tmp_path):
    (tmp_path / "pictures").mkdir()
    one = evening(config=settings(camera=str(tmp_path / "pictures"))).start("onirim", players=1)
    assert one.sitting.camera is None, "an empty folder is no camera"
    assert one.sitting.troubles()


@pytest.mark.slow
def test_a_pico_that_is_plugged_in_later_comes_up_by_itself(evening, tmp_path):
    port = tmp_path / "pico"
    one = evening(config=settings(driver="chip", port=str(port))).start("night_cage", players=2)
    lights = one.sitting.parts.lights
    for _ in range(5):
        one.tap()
        one.desk.step()
        one.clock.sleep(0.5)
        lights.step()
    assert not lights.status.is_up and one.sitting.troubles(), "it is said, and the game has gone on"
    chip = PtyChip()
    try:
        port.symlink_to(chip.port)
        stop = threading.Event()
        for _ in range(400):
            one.clock.sleep(0.05)
            lights.step()
            if lights.status.is_up:
                break
            stop.wait(0.005)
        assert lights.status.is_up
    finally:
        chip.close()


def decisions(one):
    return [line for line in one.session.lines() if line[0] >= 0]


@pytest.mark.parametrize(("key", "taken"), [("night_cage", {0, 1}), ("bad_bones", {0})])
def test_the_undo_button_takes_back_or_says_that_it_cannot(evening, key, taken):
    """Where choices are covered the button takes nothing back: that would tell who has chosen."""
    one = evening().start(key, players=2)
    outcomes = set()
    for _ in range(30):
        one.tap()
        before = decisions(one)
        one.sitting.parts.buttons.press("undo")
        one.desk.shine()
        outcomes.add(len(before) - len(decisions(one)))
    assert outcomes == taken
    assert (0 in outcomes) == any(notice.code == "button-refused" for notice in one.table.notices)


@pytest.mark.slow
def test_the_next_button_overlooks_what_is_wrong(evening):
    one = evening().start("night_cage", players=2)
    one.sitting.loop.say(Prompt("wrong", (3,)))
    one.sitting.parts.buttons.press("next")
    one.desk.shine()
    assert one.table.word == ALL_RIGHT


def test_the_end_turn_button_ends_a_turn(evening):
    one = evening().start("night_cage", players=2)
    while "end" not in {text for seat in (0, 1) for text in one.session.actions(seat)}:
        assert one.tap()
    one.sitting.parts.buttons.press("end-turn")
    one.desk.shine()
    assert "end" in [text for _, text in one.session.lines()[-4:]]


def test_the_knob_dims_the_lights_and_never_beyond_the_config(evening):
    one = evening().start("night_cage", players=2)
    lights, buttons = one.sitting.parts.lights, one.sitting.parts.buttons

    def brightness_after(*turns):
        for turn in turns:
            buttons.press(turn)
        one.desk.shine()
        one.desk.shine()
        return sum(lights.frame)

    full = brightness_after()
    dim = brightness_after("left", "left", "left")
    dimmest = brightness_after(*["left"] * 50)
    assert full > dim > dimmest > 0
    assert brightness_after(*["right"] * 50) == pytest.approx(full, rel=0.2)  # candles flicker


def test_both_threads_end_when_the_desk_is_closed(tmp_path):
    before = set(threading.enumerate())
    one = Recording(tmp_path, settings(camera="none"))
    one.desk.start()
    one.table.start("onirim", {"players": 1})
    one.close()
    assert set(threading.enumerate()) == before
