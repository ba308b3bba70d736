"""Invitations: the code that lets somebody join, and the one-time code of a secret seat; all the host's."""

from __future__ import annotations

from io import BytesIO

import segno
from flask import Response, jsonify, request

from companion.table.table import OFFER_S
from web.errors import RequestError
from web.routes.seats import SeatBody
from web.routing import Body, Routes, Visit, done, host_only

invite = Routes("invite")


@invite.get("/api/invite", host_only)
def invitation(visit: Visit) -> Response:
    """The address and the code with which somebody joins."""
    people = visit.people
    return jsonify({"url": _join_url(visit), "code": people.join_code, "locked": people.is_locked})


@invite.get("/api/invite.svg", host_only, gives="image/svg+xml")
def invitation_svg(visit: Visit) -> Response:
    """The invitation as a QR code."""
    return _qr(f"{_join_url(visit)}#code={visit.people.join_code}")


@invite.post("/api/new-code", Body, host_only)
def new_code(visit: Visit, asked: Body) -> Response:
    """Makes a new invitation; the old one is worth nothing from now on."""
    visit.people.renew_join_code()
    visit.table.notice("new-code", {})
    return done()


@invite.get("/api/offer", host_only, query=("seat",))
def offered(visit: Visit) -> Response:
    """The one-time code of a secret seat, to type, and how long it is good."""
    seat = visit.query.seat
    code = visit.table.offered(seat)
    left_s = int(visit.table.offered_left_s(seat))
    return jsonify({"short": code.short if code else "", "left_s": left_s, "of_s": int(OFFER_S)})


@invite.get("/api/offer.svg", host_only, query=("seat",), gives="image/svg+xml")
def offered_svg(visit: Visit) -> Response:
    """The one-time code of a secret seat as a QR code."""
    seat = visit.query.seat
    code = visit.table.offered(seat)
    if code is None:
        raise RequestError("not-found")
    return _qr(f"{_join_url(visit)}#code={visit.people.join_code}&seat={seat}&once={code.long}")


@invite.post("/api/offer", SeatBody, host_only)
def offer(visit: Visit, asked: SeatBody) -> Response:
    """Makes the one-time code of a secret seat."""
    code = visit.table.offer(asked.seat)
    return done(short=code.short, of_s=int(OFFER_S))


def _join_url(visit: Visit) -> str:
    """The join page at an address that other devices can reach."""
    asked, near = f"{request.scheme}://{request.host}", visit.web.address()
    is_local = request.host.rsplit(":", 1)[0] in ("localhost", "127.0.0.1", "[::1]")
    return f"{near if near.startswith('https') or (near and is_local) else asked}/join"


def _qr(text: str) -> Response:
    code = segno.make(text, error="m", micro=False)
    picture = BytesIO()
    code.save(picture, kind="svg", scale=8, border=3, dark="#14100c", light="#f4ead6", xmldecl=False)
    return Response(picture.getvalue(), mimetype="image/svg+xml")
