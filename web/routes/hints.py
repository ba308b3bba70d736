"""Hints on demand, for the seat that asks alone; the host may switch them off for a game."""

from __future__ import annotations

from flask import Response, jsonify

from companion.engine.action import PUBLIC, Seat
from companion.engine.errors import NotYourSeat
from companion.engine.hint import Hint, Told
from companion.table.hints import OFF, hints_for
from companion.table.labels import SeatNames, seat_names, session_names
from companion.table.session import Session
from web import frames
from web.errors import RequestError
from web.routing import Body, Routes, Visit, done, host_only, rate_limit
from web.text import TEXTS

hints = Routes("hints")


class NoHintsBody(Body):
    pass


@hints.get("/api/hints", rate_limit("hint"), query=("seat", "for", "lang"))
def hints_now(visit: Visit) -> Response:
    """The best three things that a seat could do, why, and how good each is: from what it knows alone."""
    viewer, session = visit.viewer(), visit.table.playing()
    seat = viewer if visit.query.acting is None else visit.query.acting
    if viewer == PUBLIC:
        host_only(visit)
    if seat != viewer and not (viewer == PUBLIC and seat in visit.table.open_seats(session)):
        raise NotYourSeat("no hints for somebody else")
    if OFF in session.standing:
        raise RequestError("hints-off")
    found = hints_for(session, seat)
    return jsonify([_said(visit, session, seat, one) for one in found])


@hints.post("/api/no-hints", NoHintsBody, host_only)
def no_hints(visit: Visit, asked: NoHintsBody) -> Response:
    """Switches hints off until the game on the table is over; every screen says so."""
    visit.table.playing().mark(OFF)
    visit.table.tell()
    return done()


def _said(visit: Visit, session: Session, seat: Seat, hint: Hint) -> frames.Json:
    """A hint in words."""
    text = session.state().notation.text(hint.action)
    names = SeatNames(session, seat_names(visit.table, session, visit.language))
    return {
        "action": text,
        "seat": seat,
        "label": names(session_names(session, visit.language).actions[text]),
        "chances": hint.chances,
        "close": hint.is_close,
        "guess": hint.is_guess,
        "reasons": [_reason(visit, session, told) for told in hint.reasons],
    }


def _reason(visit: Visit, session: Session, told: Told) -> str:
    what = session.game.texts.say(f"hint.{told.kind}", visit.language)
    return TEXTS.say("hint.reason", visit.language, {"what": what, "n": told.times, "other": told.otherwise})
