"""First games at the table: what is to be said now, and what could be done now.

A first game is an ordinary stored game with a standing notice; bots hold the seats that the learners do not
take. What is said follows from what the learner may know, so a page that comes back finds its place again.
"""

from __future__ import annotations

from random import Random

from companion.engine.action import Seat, Viewer
from companion.engine.errors import ConfigError
from companion.engine.game import Game, turn_for
from companion.engine.hint import is_asked
from companion.engine.lesson import Lesson, LessonMoment
from companion.engine.search import candidates
from companion.table.session import Session
from companion.table.table import Table

LESSON = "lesson"
"""The standing notice of a first game."""
TEACHER = "careful"
"""The bot that says what could be done."""
RIVAL = "good"
"""How strong the bots on the other seats are."""


def lesson_of(game: Game) -> Lesson:
    """The first game of a game; raises `ConfigError` where it has none."""
    if game.lesson is None:
        raise ConfigError(f"{game.key} has no first game")
    return game.lesson


def begin_lesson(table: Table, key: str, bot_names: str) -> Session:
    """Puts a first game on the table; `bot_names` names the bots, with a blank for a number."""
    game = table.boxes.load(key)
    lesson = lesson_of(game)
    session = table.start(key, lesson.options, seed=lesson.seed)
    session.mark(LESSON)
    for seat, word in enumerate(session.seats):
        if word not in lesson.learners:
            table.people.stand_up(session.number, seat)
            table.seat_bot(seat, RIVAL, bot_names.format(n=seat + 1))
    table.tell()
    return session


def moment_of(session: Session, viewer: Viewer, seat: Seat) -> LessonMoment:
    """What a viewer knows now, who acts for a seat."""
    heard = frozenset(event.kind for event in session.history(viewer))
    return LessonMoment(session.update(viewer).view, seat, heard)


def advice(session: Session, seat: Seat) -> str:
    """What a careful player would do in that seat, by its own view; "" where nothing is asked of it."""
    state = session.state()
    if not is_asked(session.game, state, seat):
        return ""
    turn = turn_for(session.game, state, seat, Random(f"lesson {session.update(seat).version}"))
    action = session.game.bots[TEACHER](turn._replace(actions=candidates(session.game, state, seat)))
    return state.notation.text(action)
