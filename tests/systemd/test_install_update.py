"""What is asked of a release before it comes into use: it works with what is stored, nobody is playing."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from companion.games import load
from companion.service.update import BROKEN, IDLE_LIMIT, PLAYING, game_going_on
from companion.table.journal import Journal
from companion.table.session import Session

ROOT = Path(__file__).parents[2]


@pytest.fixture
def journal(tmp_path):
    journal = Journal(tmp_path / "gloam.db")
    yield journal
    journal.close()


def begin(journal):
    session = Session.start(journal, load("onirim"), {}, seed=1)
    session.submit(0, session.actions(0)[0])
    return session


def last(journal):
    """When the table was last touched."""
    return max(at for _, at in journal.last_played())


def to_the_end(session):
    while needs := session.state().needs():
        session.submit(needs[0].seat, session.actions(needs[0].seat)[0])


def ask(saves, **environ):
    """Asks as the installer does."""
    command = [sys.executable, "-m", "companion.service.update", str(saves)]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environ}, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stderr


def test_a_game_of_a_moment_ago_is_going_on(journal):
    session = begin(journal)
    words = game_going_on(journal, last(journal) + timedelta(minutes=5))
    assert words == f"onirim, stored game {session.number}, was played 5 minutes ago and is not over"


def test_a_game_that_is_over_is_not_going_on(journal):
    to_the_end(begin(journal))
    assert game_going_on(journal, last(journal)) == ""


@pytest.mark.parametrize("moved", [IDLE_LIMIT, -IDLE_LIMIT])
def test_a_game_put_away_is_not_going_on_whatever_the_clock_says(journal, moved):
    begin(journal)
    assert game_going_on(journal, last(journal) + moved + moved / 10) == ""


def test_an_older_game_taken_up_again_is_going_on(journal):
    older = begin(journal)
    to_the_end(begin(journal))
    assert f"stored game {older.number}," in game_going_on(journal, last(journal))


def test_asking_changes_nothing_that_is_stored(journal, tmp_path):
    begin(journal)
    before = [journal.read(stored.id) for stored in journal.games()]
    code, words = ask(tmp_path)
    assert (code, words.startswith("gloam: not now: onirim")) == (PLAYING, True)
    assert [journal.read(stored.id) for stored in journal.games()] == before


@pytest.mark.slow
def test_a_release_that_works_with_what_is_stored_may_come_into_use(journal, tmp_path):
    to_the_end(begin(journal))
    assert ask(tmp_path) == (0, "")


@pytest.mark.slow
def test_a_release_that_cannot_start_is_found_out(tmp_path):
    (tmp_path / "waitress.py").write_text("raise ImportError('this wheel is broken')")
    code, words = ask(tmp_path / "saves", PYTHONPATH=str(tmp_path))
    assert code == BROKEN
    assert words.endswith("the table does not start: ImportError: this wheel is broken\n")
