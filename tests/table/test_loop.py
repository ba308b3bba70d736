"""The loop: clear moves are taken, doubtful ones never, and everything is said and lit."""

from __future__ import annotations

from random import Random
from typing import get_args

import pytest

from companion.engine.action import PUBLIC
from companion.engine.errors import DeviceError
from companion.engine.layout import Piece
from companion.engine.observation import Ambiguous, Looks, Mismatch, NoChange, Played, Unreadable, Why
from companion.engine.scene import Scene
from companion.engine.text import Texts
from companion.games import load
from companion.service.lamps import lit
from companion.service.trust import ClearEyes, Run, evenings
from companion.table.journal import Journal
from companion.table.prompt import ALL_RIGHT, with_prompt
from companion.table.session import Session
from companion.world.loop import TEXTS, Loop
from companion.world.physical import World

GAME = load("night_cage")
OPTIONS = GAME.resolve({"players": 2})


class Script:
    """Eyes that say what they are told to say."""

    def __init__(self, *said):
        self.said = list(said)

    def step(self):
        if self.said and isinstance(self.said[0], Exception):
            raise self.said.pop(0)
        return self

    def judge(self, game, state, options):
        return self.said.pop(0) if self.said else None

    compare = judge

    def explain(self, looks, game, state, options):
        return self.judge(game, state, options)

    def snapshot(self):
        return Looks()

    def accept_as_is(self, expected, cells=None, seen=None):
        self.overlooked = cells


@pytest.fixture
def session(tmp_path):
    journal = Journal(tmp_path / "t.db")
    session = Session.start(journal, GAME, OPTIONS, seed=4)
    yield session
    journal.close()


def first_move(session):
    state = session.state()
    seat = state.needs()[0].seat
    return seat, state.actions(seat)[0]


def test_a_clear_move_is_submitted_and_lit(session):
    move = first_move(session)
    loop = Loop(session, Script(Played((move,))))
    lines = len(session.lines())
    loop.step()
    assert session.lines()[lines] == (move[0], session.state().notation.text(move[1]))
    assert lit(session, session.update(PUBLIC).view, loop.prompt) == GAME.scene(session.update(PUBLIC).view)
    assert loop.prompt == ALL_RIGHT


def test_two_explanations_are_never_resolved_by_guessing(session):
    state = session.state()
    seat = state.needs()[0].seat
    one, other = state.actions(seat)[:2]
    loop = Loop(session, Script(Ambiguous((((seat, one),), ((seat, other),)), (3,))))
    lines = session.lines()
    loop.step()
    assert session.lines() == lines
    assert loop.prompt.code == "choose" and len(loop.prompt.choices) == 2
    loop.choose(loop.prompt.choices[1])
    assert session.lines()[len(lines)] == (seat, state.notation.text(other))


@pytest.mark.parametrize(
    ("said", "code", "meaning"),
    [
        (Mismatch({3: ()}, {3: ()}), "wrong", "wrong"),
        (Mismatch({3: (Piece("tee"),)}, {3: (Piece("cross"),)}), "wrong", "wrong"),
        (Unreadable((3,), "hidden"), "unsure", "choose"),
    ],
)
def test_what_does_not_fit_changes_nothing_and_is_lit(session, said, code, meaning):
    told = []
    loop = Loop(session, Script(said), told.append)
    lines = session.lines()
    loop.step()
    assert session.lines() == lines
    assert told[0].code == code and told[0].cells == (3,)
    assert lit(session, session.update(PUBLIC).view, loop.prompt).glows[-1][:2] == (3, meaning)


def test_what_was_only_taken_up_breaks_no_rule(session):
    """Somebody holds it: the move goes on, or it is put back."""
    lifted = Mismatch({3: (Piece("tee"), Piece("red"))}, {3: (Piece("tee"),)})
    loop = Loop(session, Script(lifted))
    loop.step()
    assert (loop.prompt.code, loop.prompt.text, loop.prompt.refusal) == ("finish", "eyes.finish-open", None)
    assert loop.prompt.found == ((3, lifted.expected[3], lifted.seen[3]),)


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(
    ("result", "text"),
    [
        (Mismatch({2: ()}, {2: (Piece("tee"),)}), "eyes.wrong"),
        (Unreadable((2,), "unsure"), "eyes.unsure"),
        (Unreadable((2,), "hidden"), "eyes.hidden"),
        (Unreadable((2,), "dark"), "eyes.dark"),
        (Unreadable((2,), "glare"), "eyes.glare"),
        (Unreadable((2,), "unknown"), "eyes.unknown"),
        (Unreadable((2,), "too-much"), "eyes.too-much"),
        (Unreadable((), "nothing-seen"), "eyes.blind"),
    ],
)
def test_every_reason_not_to_know_is_a_sentence_that_names_the_places(session, result, text, language):
    loop = Loop(session, Script(result))
    loop.step()
    assert loop.prompt.text == text
    said = Texts(TEXTS).say(loop.prompt.text, language, {"cells": ["c1"]})
    assert said.endswith(".") and ("c1" in said) == bool(loop.prompt.cells)


def test_the_eyes_name_no_reason_without_a_sentence(session):
    for why in get_args(Why):
        loop = Loop(session, Script(Unreadable(() if why == "nothing-seen" else (3,), why)))
        loop.step()
        assert loop.prompt.text in TEXTS


def test_every_sentence_is_there_in_both_languages():
    assert all(len(both) == 2 and all(both) for both in TEXTS.values())


def test_a_place_that_cannot_be_read_is_asked_about_once(session):
    """Players who were asked and tapped their move have told what lies there: it is accepted for now."""
    eyes = Script(*[Unreadable((3,), "unsure")] * 3, NoChange(), Unreadable((3,), "unsure"))
    loop = Loop(session, eyes)
    loop.step()
    loop.step()
    assert loop.prompt.code == "unsure", "nobody has tapped yet"
    session.submit(*tapped(session))
    loop.step()
    assert loop.prompt == ALL_RIGHT and eyes.overlooked == (3,)
    session.submit(*tapped(session))
    loop.step()
    loop.step()
    assert loop.prompt.code == "unsure", "it was read in between"


def test_another_place_that_cannot_be_read_is_asked_about_after_a_tap(session):
    loop = Loop(session, Script(Unreadable((3,), "unsure"), Unreadable((3, 4), "unsure")))
    loop.step()
    session.submit(*tapped(session))
    loop.step()
    assert loop.prompt.cells == (3, 4)


def tapped(session):
    seat, action = first_move(session)
    return seat, session.state().notation.text(action)


def test_a_lost_camera_is_said_and_the_game_goes_on(session):
    loop = Loop(session, Script(DeviceError("gone"), NoChange()))
    loop.step()
    assert loop.prompt.code == "lost"
    seat, action = first_move(session)
    session.submit(seat, session.state().notation.text(action))
    loop.step()
    assert loop.prompt == ALL_RIGHT


def test_an_illegal_move_is_explained_by_its_rule(tmp_path):
    game = load("night_cage")
    options = game.resolve({"players": 2})
    session = Session.start(Journal(tmp_path / "x.db"), game, options, seed=4)
    world = World(game.board(options))
    rng = Random(2)
    while session.state().needs() and not _can_move(session):
        seat = session.state().needs()[0].seat
        session.submit(seat, rng.choice(session.actions(seat)))
    world.set_up(game.layout(session.update(PUBLIC).view), rng)
    pawn = next(thing for thing in world.things() if world.faces[thing.face].kind == "pawn")
    far = world.board.places[(world.cell_at(pawn.x, pawn.y) + 14) % 36]
    world.move(pawn.id, far.x, far.y)
    loop = Loop(session, ClearEyes(world))
    loop.step()
    assert loop.prompt.code == "wrong"
    assert loop.prompt.refusal is not None and loop.prompt.refusal.rule.startswith("NC-")
    assert game.say("refusal", loop.prompt.refusal, "ru", cells=[p.name for p in world.board.places])


def _can_move(session):
    return any(text.startswith("move") for seat in (0, 1) for text in session.actions(seat))


def test_we_meant_that_goes_back_and_follows_the_board(session):
    state = session.state()
    seat = state.needs()[0].seat
    one, other = state.actions(seat)[:2]
    session.submit(seat, state.notation.text(one))
    loop = Loop(session, Script(None, Played(((seat, other),))))
    assert loop.accept_board()
    assert (seat, state.notation.text(other)) in session.lines()
    assert (seat, state.notation.text(one)) not in session.lines()
    assert any(line.seat == -3 for line in session._journal.read(session.number)), "the way back is journaled"
    assert not Loop(session, Script()).accept_board()


def test_a_quiet_word_adds_no_light():
    scene = Scene()
    assert with_prompt(scene, ALL_RIGHT) is scene


@pytest.mark.slow
@pytest.mark.parametrize("key", ["night_cage", "onirim", "dark_cave"])
def test_with_clear_eyes_no_slip_is_taken_for_a_move(key):
    """Whole games by hand with many slips: nothing is believed that does not lie there, no slip is missed."""
    (trust,) = evenings(Run(key, slips=0.3, most=40, is_clear=True), [5])
    assert trust.moves > 10
    assert (trust.wrong_commits, trust.missed, trust.false_alarms) == (0, 0, 0), trust


def test_what_may_stay_is_overlooked_and_play_is_followed_elsewhere(tmp_path):
    journal = Journal(tmp_path / "o.db")
    session = Session.start(journal, GAME, OPTIONS, seed=4)
    world = World(GAME.board(OPTIONS))
    loop = Loop(session, ClearEyes(world))

    def laid():
        return GAME.layout(GAME.view(session.state(), GAME.camera(OPTIONS)))

    world.set_up(laid(), Random(1))
    stray = next(cell for cell in range(len(world.board.places)) if cell not in laid())
    world.lay(stray, Piece("key"), Random(1))
    loop.step()
    assert loop.prompt.code == "wrong" and stray in loop.prompt.cells
    loop.accept_as_is()
    loop.step()
    assert loop.prompt == ALL_RIGHT, "it is not said again"
    seat, action = next(
        (seat, action)
        for seat, action in ((seat, a) for seat in range(4) for a in session.state().actions(seat))
        if stray not in after(session, seat, action)
    )
    target = after(session, seat, action)
    lines = len(session.lines())
    world.set_up({**target, stray: (Piece("key"),)}, Random(1))
    loop.step()
    assert session.lines()[lines:][:1] == [(seat, session.state().notation.text(action))]
    journal.close()


def after(session, seat, action):
    state = session.state().copy()
    state.apply(seat, action)
    return GAME.layout(GAME.view(state, GAME.camera(OPTIONS)))


def test_nothing_is_supposed_on_top_of_a_tap_before_it_is_laid(session):
    """As it happened: a figure that was called but not put down yet seemed to have come and gone."""
    seat, action = first_move(session)
    loop = Loop(session, Script(Played(((seat, action),)), NoChange()))
    session.submit(seat, session.actions(seat)[0])
    tapped = len(session.lines())
    assert loop.step() is None
    assert len(session.lines()) == tapped


def test_a_move_after_a_tap_that_is_laid_is_followed(session):
    seat, _ = first_move(session)
    session.submit(seat, session.actions(seat)[0])
    after, action = first_move(session)
    loop = Loop(session, Script(NoChange(), Played(((after, action),))))
    loop.step()
    tapped = len(session.lines())
    loop.step()
    assert len(session.lines()) > tapped
