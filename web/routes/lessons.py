"""First games: the host puts one on the table, and its pages ask what is to be said now."""

from __future__ import annotations

from flask import Response, jsonify

from companion.engine.action import PUBLIC
from companion.engine.errors import NotYourSeat
from companion.engine.text import LANGUAGES
from companion.table.labels import SeatNames, seat_names, session_names
from companion.table.lessons import LESSON, advice, begin_lesson, lesson_of, moment_of
from web.errors import RequestError
from web.routing import Body, Routes, Visit, done, host_only
from web.text import TEXTS

lessons = Routes("lessons")


class TeachBody(Body):
    game: str


@lessons.post("/api/teach", TeachBody, host_only)
def teach(visit: Visit, asked: TeachBody) -> Response:
    """Puts the first game of a game on the table, which explains itself; bots take the other seats."""
    if visit.table.session is not None:
        raise RequestError("game-running")
    bot_names = TEXTS.table["bot.good"][LANGUAGES.index(visit.language)]
    session = begin_lesson(visit.table, asked.game, bot_names)
    return done(number=session.number)


@lessons.get("/api/lesson", query=("seat", "for", "lang"))
def lesson_now(visit: Visit) -> Response:
    """The steps of a first game that fit this moment, and what could be done now."""
    viewer, session = visit.viewer(), visit.table.playing()
    if LESSON not in session.standing:
        raise RequestError("not-found")
    seat = viewer if visit.query.acting is None else visit.query.acting
    is_own = seat == viewer or (viewer == PUBLIC and seat in visit.table.open_seats(session))
    if not is_own:
        raise NotYourSeat("no lesson for somebody else")
    moment, lesson = moment_of(session, viewer, seat), lesson_of(session.game)
    column = LANGUAGES.index(visit.language)
    text = advice(session, seat) if seat != PUBLIC else ""
    named = SeatNames(session, seat_names(visit.table, session, visit.language))
    return jsonify(
        {
            "steps": [
                {
                    "number": number,
                    "text": step.text[column],
                    "rule": step.rule,
                    "cells": list(step.cells(moment)),
                }
                for number, step in lesson.fitting(moment)
            ],
            "of": len(lesson.steps),
            "action": text,
            "label": named(session_names(session, visit.language).actions[text]) if text else "",
        }
    )
