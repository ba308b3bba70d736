"""Programs of others: the host lets them in and dismisses them; `/api/v1` is what they use."""

from __future__ import annotations

from typing import Annotated, Literal

from flask import Response, g, jsonify, request
from pydantic import Field

from companion.engine.action import PUBLIC, Viewer
from companion.engine.errors import GloamError, NotYourSeat
from companion.table.programs import BOT, Program
from companion.table.table import BOT_SAT, LEFT
from web import named
from web.access import neighbour
from web.errors import RequestError
from web.routing import Body, Number, Routes, SeatNumber, Visit, done, host_only

programs = Routes("programs")
v1 = Routes("v1")


class AdmitBody(Body):
    kind: Literal["spectator", "bot"]
    name: Annotated[str, Field(min_length=1, max_length=60)]
    seat: SeatNumber | None = None
    """Where a bot sits."""


class ProgramBody(Body):
    number: Number


class ProgramActBody(Body):
    action: str
    version: Number


# What the host does ------------------------------------------------------------------------------


@programs.get("/api/programs", host_only)
def listed(visit: Visit) -> Response:
    """The programs that were let in; never a token."""
    table = visit.table
    rows = [
        {"number": one.number, "kind": one.kind, "name": one.name, "seats": table.own_seats(one.device)}
        for one in visit.web.programs.all()
    ]
    return jsonify(rows)


@programs.post("/api/programs", AdmitBody, host_only)
def admit(visit: Visit, asked: AdmitBody) -> Response:
    """Lets a program in and tells its token, this once; everybody sees a bot sit down."""
    if (asked.kind == BOT) != (asked.seat is not None):
        raise RequestError("bad-request")
    table, programs = visit.table, visit.web.programs
    token, program = programs.admit(asked.kind, asked.name)
    if asked.seat is not None:
        try:
            session = table.at(asked.seat)
            code = table.offer(asked.seat).long if table.is_secret(session, asked.seat) else ""
            visit.people.call(program.device, program.name)
            table.mark_secrets(BOT_SAT)
            table.claim(program.device, asked.seat, code=code)
        except GloamError:
            programs.dismiss(program.number)
            raise
    return done(token=token, number=program.number)


@programs.post("/api/programs/dismiss", ProgramBody, host_only)
def dismiss(visit: Visit, asked: ProgramBody) -> Response:
    """Makes a program's token worthless and frees its seat."""
    gone = visit.web.programs.dismiss(asked.number)
    if gone is None:
        raise RequestError("not-found")
    for seat in visit.table.own_seats(gone.device):
        visit.table.free(seat, LEFT)
    return done()


# What a program does -------------------------------------------------------------------------------


def _viewer(visit: Visit) -> Viewer:
    """Whose eyes a program sees with: those of its seat, or everybody's."""
    program: Program = g.program
    if program.kind != BOT:
        return PUBLIC
    seats = visit.table.own_seats(program.device)
    if not seats:
        raise NotYourSeat("this bot has no seat in the game on the table")
    return seats[0]


@v1.get("/api/v1/table", query=("lang",))
def table(visit: Visit) -> Response:
    """Which game is on the table and who sits where."""
    return jsonify(named.table_json(visit.table, visit.language))


@v1.get("/api/v1/board", query=("lang",))
def board(visit: Visit) -> Response:
    """The places of the board in millimetres, with the names that people use."""
    return jsonify(named.board_json(visit.table.playing(), visit.language))


@v1.get("/api/v1/position", query=("lang",))
def position(visit: Visit) -> Response:
    """The position as the program may know it, and what it may do."""
    session = visit.table.playing()
    return jsonify(named.position_json(visit.table, session, _viewer(visit), visit.language))


@v1.get("/api/v1/stream", query=("lang",), gives="text/event-stream")
def stream(visit: Visit) -> Response:
    """Server-sent events: `table` and `position` as things change, `beat` when idle, `gone` at the end."""
    streams, peer = visit.web.streams, neighbour(request.remote_addr or "")
    viewer = _viewer(visit)
    one = named.NamedStream(visit.table, streams, visit.device, "v1", viewer, visit.language, peer)
    if not streams.open(one):
        raise RequestError("too-many-streams")
    return Response(one, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})


@v1.post("/api/v1/act", ProgramActBody)
def act(visit: Visit, asked: ProgramActBody) -> Response:
    """Takes an action of a bot's own seat, in notation, chosen from a version of the position."""
    seat = _viewer(visit)
    if seat == PUBLIC:
        raise NotYourSeat("a spectator only looks")
    return done(version=visit.table.submit(seat, seat, asked.action, asked.version))
