"""The host: becoming one, putting a game on the table and taking it off, locking the door."""

from __future__ import annotations

from flask import Response, jsonify
from pydantic import ConfigDict, Field

from companion.table.people import SETUP, clean_name
from companion.table.table import BOT_SAT
from web import shelf
from web.errors import RequestError
from web.routing import Body, NoPin, Number, Routes, SeatPin, Visit, done, host_only, rate_limit

host = Routes("host")


class SetupBody(Body):
    code: str
    pin: NoPin | SeatPin = ""


class PinBody(Body):
    pin: SeatPin


class StartBody(Body):
    game: str
    options: dict[str, str] = Field(default_factory=dict, max_length=60)
    swap: bool = False


class NumberBody(Body):
    number: Number


class TitleBody(NumberBody):
    title: str = ""


class RecordBody(Body):
    model_config = ConfigDict(extra="forbid", str_max_length=400_000)
    text: str


class LockBody(Body):
    locked: bool


def no_owner_yet(visit: Visit) -> None:
    """Demands that nobody has set the table up."""
    if visit.people.has_owner:
        raise RequestError("not-found")


@host.post("/api/setup", SetupBody, no_owner_yet, rate_limit("setup"))
def setup(visit: Visit, asked: SetupBody) -> Response:
    """Makes the first device the host, with the code that the console shows."""
    if not visit.people.codes.redeem(SETUP, asked.code):
        raise RequestError("wrong-code")
    visit.people.make_host(visit.device, asked.pin)
    visit.table.tell()
    return done()


@host.post("/api/host", PinBody, rate_limit("pin"))
def become_host(visit: Visit, asked: PinBody) -> Response:
    """Makes this device another of the host's, with the owner's PIN."""
    if not visit.people.is_owner_pin(asked.pin):
        raise RequestError("wrong-pin")
    visit.people.make_host(visit.device)
    return done()


@host.post("/api/pin", PinBody, host_only)
def set_pin(visit: Visit, asked: PinBody) -> Response:
    """Sets the owner's PIN."""
    visit.people.make_host(visit.device, asked.pin)
    return done()


@host.get("/api/saved", host_only, query=("lang",))
def saved(visit: Visit) -> Response:
    """The stored games, newest first."""
    return jsonify(shelf.saved(visit.table, visit.language))


@host.post("/api/start", StartBody, host_only)
def start(visit: Visit, asked: StartBody) -> Response:
    """Puts a new game on the table."""
    table = visit.table
    session = table.start(asked.game, dict(asked.options), swap=asked.swap)
    if any(table.own_seats(program.device) for program in visit.web.programs.all()):
        table.mark_secrets(BOT_SAT)  # one that sat at the last game sits here again
    return done(number=session.number)


@host.post("/api/resume", NumberBody, host_only)
def resume(visit: Visit, asked: NumberBody) -> Response:
    """Puts a stored game back on the table."""
    visit.table.resume(asked.number)
    return done()


@host.post("/api/entitle", TitleBody, host_only)
def entitle(visit: Visit, asked: TitleBody) -> Response:
    """Gives a stored game a name of its own."""
    visit.table.journal.stored(asked.number)
    visit.people.entitle(asked.number, clean_name(asked.title))
    return done()


@host.post("/api/delete", NumberBody, host_only)
def delete(visit: Visit, asked: NumberBody) -> Response:
    """Deletes a stored game that is not on the table, with who sat at it."""
    visit.table.delete(asked.number)
    return done()


@host.post("/api/open-record", RecordBody, host_only)
def open_record(visit: Visit, asked: RecordBody) -> Response:
    """Puts a game that was kept as a record on the table."""
    visit.table.open_record(asked.text)
    return done()


@host.post("/api/clear", Body, host_only)
def clear(visit: Visit, asked: Body) -> Response:
    """Takes the game off the table; it stays stored."""
    visit.table.clear()
    return done()


@host.post("/api/lock", LockBody, host_only)
def lock(visit: Visit, asked: LockBody) -> Response:
    """Lets nobody new join, or somebody again."""
    visit.people.lock(asked.locked)
    visit.table.notice("locked" if visit.people.is_locked else "unlocked", {})
    return done()
