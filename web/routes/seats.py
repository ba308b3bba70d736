"""The seats: who is here, who sits where, taking a seat and leaving it."""

from __future__ import annotations

from typing import Literal

from flask import Response, jsonify

from companion.engine.search import STRONG
from companion.table.bot_players import may_think
from companion.table.people import clean_name, same
from companion.table.table import KICKED, LEFT
from web import frames
from web.errors import RequestError
from web.routing import Body, NoPin, Routes, SeatNumber, SeatPin, Visit, done, host_only, rate_limit
from web.text import TEXTS

seats = Routes("seats")


class JoinBody(Body):
    name: str
    code: str = ""
    face: str = ""


class ClaimBody(Body):
    seat: SeatNumber
    code: str = ""
    pin: NoPin | SeatPin = ""


class MoveSeatBody(Body):
    seat: SeatNumber
    pin: SeatPin


class MoveAnswerBody(Body):
    seat: SeatNumber
    agree: bool


class BotBody(Body):
    seat: SeatNumber
    strength: Literal["beginner", "good", "strong"] = "good"


class SeatBody(Body):
    seat: SeatNumber


@seats.get("/api/me")
def me(visit: Visit) -> Response:
    """Who asks: the token for changes, the name, the seats, and what the table has."""
    table, people, workshop = visit.table, visit.people, visit.web.workshop
    return jsonify(
        {
            "token": people.header_token(visit.device),
            "name": people.name(visit.device),
            "face": people.face(visit.device),
            "host": people.is_host(visit.device),
            "owned": people.has_owner,
            "pin": people.has_owner_pin,
            "fresh": workshop is not None and workshop.config.source == "usual",
            "club": visit.web.club is not None,
            "seats": table.own_seats(visit.device),
            "number": 0 if table.session is None else table.session.number,
        }
    )


@seats.get("/api/room", query=("lang",))
def room(visit: Visit) -> Response:
    """Who sits where and what happened around the table: the same for everybody."""
    return jsonify(frames.room(visit.table, visit.language))


@seats.post("/api/join", JoinBody, rate_limit("join"))
def join(visit: Visit, asked: JoinBody) -> Response:
    """Says a name, with the invitation's code the first time."""
    people = visit.people
    name = clean_name(asked.name)
    if not name:
        raise RequestError("no-name", 400)
    known = bool(people.name(visit.device)) or people.is_host(visit.device)
    if people.is_locked and not known:
        raise RequestError("locked")
    if not known and not same(asked.code.strip().upper(), people.join_code):
        raise RequestError("wrong-code")
    people.call(visit.device, name, asked.face)
    visit.table.tell()
    return done(name=name)


@seats.post("/api/claim", ClaimBody, rate_limit("claim"))
def claim(visit: Visit, asked: ClaimBody) -> Response:
    """Takes a free seat; a secret one with its one-time code."""
    people, table = visit.people, visit.table
    if not people.name(visit.device):
        raise RequestError("no-name")
    if people.is_locked and not people.is_host(visit.device) and not table.own_seats(visit.device):
        raise RequestError("locked")
    table.claim(visit.device, asked.seat, pin=asked.pin, code=asked.code)
    return done(seat=asked.seat)


@seats.post("/api/move-seat", MoveSeatBody, rate_limit("pin"))
def move_seat(visit: Visit, asked: MoveSeatBody) -> Response:
    """Moves a held seat to this device by its PIN; for `left_s` seconds its phone is asked first."""
    if not visit.people.name(visit.device):
        raise RequestError("no-name")
    return done(seat=asked.seat, left_s=visit.table.move(visit.device, asked.seat, asked.pin))


@seats.post("/api/move-answer", MoveAnswerBody)
def move_answer(visit: Visit, asked: MoveAnswerBody) -> Response:
    """Says whether the device's own seat may move to the phone that asks for it."""
    visit.table.answer_move(visit.device, asked.seat, is_agreed=asked.agree)
    return done()


@seats.post("/api/stand-up", SeatBody)
def stand_up(visit: Visit, asked: SeatBody) -> Response:
    """Leaves the device's own seat."""
    visit.table.demand(visit.device, asked.seat)
    visit.table.free(asked.seat, LEFT)
    return done()


@seats.post("/api/bot", BotBody)
def seat_bot(visit: Visit, asked: BotBody) -> Response:
    """Lets a bot play a free seat (the host may) or the device's own, until a person claims it."""
    table = visit.table
    # A strong one thinks for about a second, which would tell of what it does in secret.
    if asked.strength == STRONG and not may_think(table.playing()):
        raise RequestError("no-strong-bot")
    if asked.seat in table.own_seats(visit.device):
        table.free(asked.seat, LEFT)
    elif not visit.people.is_host(visit.device):
        raise RequestError("not-host")
    name = TEXTS.say(f"bot.{asked.strength}", visit.language, {"n": asked.seat + 1})
    table.seat_bot(asked.seat, asked.strength, name)
    return done(seat=asked.seat)


@seats.post("/api/kick", SeatBody, host_only)
def kick(visit: Visit, asked: SeatBody) -> Response:
    """Frees somebody's seat."""
    visit.table.free(asked.seat, KICKED)
    return done()
