"""The game on the table: looking at it, following it, acting in it."""

from __future__ import annotations

from flask import Response, jsonify, request

from companion.engine.action import PUBLIC, TABLE
from companion.engine.errors import NotYourSeat
from web import frames, shelf
from web.access import neighbour
from web.errors import RequestError
from web.routing import Body, Number, Routes, ViewerNumber, Visit, done, host_only
from web.stream import Stream

game = Routes("game")


class ActBody(Body):
    action: str
    version: Number
    seat: ViewerNumber
    page: ViewerNumber = PUBLIC
    """Whose page it was tapped on: the seat's own, or the table screen."""


class UndoBody(Body):
    seat: ViewerNumber = PUBLIC
    force: bool = False


@game.get("/api/games", query=("lang",))
def games(visit: Visit) -> Response:
    """The games to choose from, each with a form made from its options."""
    return jsonify(shelf.shelf(visit.table.boxes, visit.language))


@game.get("/api/game", query=("lang",))
def game_facts(visit: Visit) -> Response:
    """What never changes during a game: board, places, words, options, printed data."""
    return jsonify(frames.game_json(visit.table.playing(), visit.language))


@game.get("/api/frame", query=("seat", "lang"))
def frame(visit: Visit) -> Response:
    """The position now, as one viewer may see it, with what may be done."""
    viewer = visit.viewer()
    return jsonify(frames.frame(visit.table, visit.table.playing(), viewer, visit.language))


@game.get("/api/log", query=("seat", "lang"))
def log(visit: Visit) -> Response:
    """Everything that happened, as far as the viewer may know."""
    viewer = visit.viewer()
    session = visit.table.playing()
    teller = frames.Teller(visit.table, session, visit.language)
    return jsonify([teller.event(event) for event in session.history(viewer)])


@game.get("/api/say", query=("seat", "line", "lang"), gives="audio/wav")
def say(visit: Visit) -> Response:
    """A line of the viewer's own log, said by the table: for browsers without a voice."""
    viewer = visit.viewer()
    session, voice = visit.table.playing(), visit.web.voice
    history, line = session.history(viewer), visit.query.line
    if voice is None or not 0 <= line < len(history):
        raise RequestError("not-found")
    event = history[line]
    text = frames.Teller(visit.table, session, visit.language).event(event)["text"]
    said = voice.wav(text, visit.language, PUBLIC if event.is_for(PUBLIC) else viewer)
    if said is None:
        raise RequestError("not-found")
    return Response(said, mimetype="audio/wav")


@game.get("/api/why", query=("seat", "cell", "lang"))
def why(visit: Visit) -> Response:
    """Explains a place of the board: each reason with its rule."""
    viewer = visit.viewer()
    session = visit.table.playing()
    cell = visit.query.cell
    if not 0 <= cell < len(session.game.board(session.options).places):
        raise RequestError("bad-request")
    teller = frames.Teller(visit.table, session, visit.language)
    reasons = session.game.explain(session.update(viewer).view, cell)
    return jsonify([teller.reason("why", reason) for reason in reasons])


@game.get("/api/preview", query=("seat", "for", "action", "lang"))
def preview(visit: Visit) -> Response:
    """What an action would bring; `secret` where that would reveal something."""
    viewer = visit.viewer()
    session = visit.table.playing()
    seat = viewer if visit.query.acting is None else visit.query.acting
    if seat != viewer and not (viewer == PUBLIC and seat in visit.table.open_seats(session)):
        raise NotYourSeat("no preview of somebody else's actions")
    return jsonify(frames.preview(visit.table, session, viewer, seat, visit.query.action, visit.language))


@game.get("/api/stream", query=("seat", "page", "lang"), gives="text/event-stream")
def stream(visit: Visit) -> Response:
    """Server-sent events: `room` and `update` as things change, `beat` when idle, `gone` at the end."""
    viewer = visit.viewer()
    streams, page = visit.web.streams, visit.query.page[:40]
    one = Stream(
        visit.table, streams, visit.device, page, viewer, visit.language, neighbour(request.remote_addr or "")
    )
    if not streams.open(one):
        raise RequestError("too-many-streams")
    return Response(one, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})


@game.post("/api/act", ActBody)
def act(visit: Visit, asked: ActBody) -> Response:
    """Takes an action in notation, from a page that shows a version."""
    table = visit.table
    session = table.playing()
    if asked.page == PUBLIC:
        host_only(visit)
        if asked.seat != TABLE and asked.seat not in table.open_seats(session):
            raise NotYourSeat("the table screen may not act for this seat")
    else:
        table.demand(visit.device, asked.page)
        if asked.seat not in (asked.page, TABLE):
            raise NotYourSeat("this page acts for its own seat")
    if asked.seat == TABLE:
        verb = asked.action.split(" ", 1)[0]
        is_due = verb in frames.shown_needs(session.update(asked.page).view, TABLE)
        if not is_due or not frames.may_tell(session, asked.page):
            raise NotYourSeat("chance is not told from this page")
    return done(version=table.submit(asked.page, asked.seat, asked.action, asked.version))


@game.post("/api/undo", UndoBody)
def undo(visit: Visit, asked: UndoBody) -> Response:
    """Takes back the last decision: a seat its own, the host anybody's."""
    if asked.seat == PUBLIC:
        host_only(visit)
        visit.table.playing().undo(None, force=asked.force)
    else:
        visit.table.demand(visit.device, asked.seat)
        visit.table.playing().undo(asked.seat)
    return done()
