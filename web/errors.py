"""Errors as answers: one table from exceptions to a status and a code, whose text is `error.CODE`."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, NamedTuple

from flask import Flask, Response, jsonify, render_template, request
from pydantic import ValidationError
from werkzeug.exceptions import MethodNotAllowed, NotFound, RequestEntityTooLarge

from companion.engine.errors import (
    ConfigError,
    DeviceError,
    GloamError,
    JournalError,
    NotationError,
    NotYourSeat,
    RecordError,
    Refused,
    StaleVersion,
)
from companion.settings.state_file import NotStored
from companion.table.backup import BackupError
from companion.table.people import TooOften
from companion.table.programs import TooManyPrograms
from companion.table.session import OtherBox
from companion.table.table import Denied, NoGame, NoSeat, OtherSide, SeatTaken, ShortPin, WrongCode
from web.context import Web, language_of
from web.frames import Teller
from web.story import NotOver
from web.text import TEXTS

log = logging.getLogger(__name__)


class ErrorAnswer(NamedTuple):
    """How an exception is answered; with `has_detail` its own sentence is told too."""

    status: int
    code: str
    has_detail: bool = False


ERRORS: Mapping[type[Exception], ErrorAnswer] = {
    ValidationError: ErrorAnswer(400, "bad-request"),
    NotationError: ErrorAnswer(400, "no-action"),
    ConfigError: ErrorAnswer(400, "bad-options", has_detail=True),
    RecordError: ErrorAnswer(400, "bad-record", has_detail=True),
    BackupError: ErrorAnswer(400, "no-backup", has_detail=True),
    NoSeat: ErrorAnswer(400, "bad-request"),
    ShortPin: ErrorAnswer(400, "short-pin"),
    NotYourSeat: ErrorAnswer(403, "not-your-seat"),
    NoGame: ErrorAnswer(403, "no-game"),
    WrongCode: ErrorAnswer(403, "wrong-code"),
    OtherSide: ErrorAnswer(403, "other-side"),
    Denied: ErrorAnswer(403, "move-denied"),
    NotOver: ErrorAnswer(403, "not-over"),
    NotFound: ErrorAnswer(404, "not-found"),
    MethodNotAllowed: ErrorAnswer(405, "not-found"),
    StaleVersion: ErrorAnswer(409, "stale"),
    SeatTaken: ErrorAnswer(409, "seat-taken"),
    TooManyPrograms: ErrorAnswer(409, "too-many-programs"),
    JournalError: ErrorAnswer(409, "bad-journal", has_detail=True),
    OtherBox: ErrorAnswer(409, "other-box"),
    DeviceError: ErrorAnswer(409, "no-part", has_detail=True),
    RequestEntityTooLarge: ErrorAnswer(413, "bad-request"),
    TooOften: ErrorAnswer(429, "too-often"),
    NotStored: ErrorAnswer(507, "not-stored", has_detail=True),
    OSError: ErrorAnswer(507, "not-stored"),  # of the system itself: a disk that is full or cannot be written
}
"""Exceptions of the table and of the server. The nearest class of an exception's ancestors decides."""

REFUSED_STATUS = 409
"""The rules refuse: the answer is the game's own sentence, with the cells and the rule."""

REQUEST_ERRORS: Mapping[str, int] = {
    "unknown-host": 400,
    "bad-request": 400,
    "no-program": 401,
    "public-address": 403,
    "no-cookie": 403,
    "wrong-origin": 403,
    "wrong-token": 403,
    "not-host": 403,
    "wrong-code": 403,
    "wrong-pin": 403,
    "no-name": 403,
    "locked": 403,
    "hints-off": 403,
    "no-strong-bot": 409,
    "other-board": 403,
    "not-found": 404,
    "no-desk": 404,
    "stale": 409,
    "no-way": 409,
    "no-piece": 409,
    "table-busy": 409,
    "game-running": 409,
    "not-json": 415,
    "too-often": 429,
    "too-many-streams": 503,
}
"""What `RequestError` may say, with its usual status."""


class RequestError(GloamError):
    """The request may not do this."""

    def __init__(self, code: str, status: int | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.status = REQUEST_ERRORS[code] if status is None else status


def error_answer(web: Web, status: int, code: str, **more: Any) -> Response:
    """Answers with a code, its text in the reader's language, and more facts."""
    response = jsonify({"code": code, "text": TEXTS.say(f"error.{code}", language_of(web)), **more})
    response.status_code = status
    return response


def request_error_answer(web: Web, code: str) -> Response:
    """Answers with one of `REQUEST_ERRORS`."""
    return error_answer(web, REQUEST_ERRORS[code], code)


def add_error_answers(app: Flask, web: Web) -> None:
    """Makes the app answer every exception of the tables above."""

    def refused(error: Refused) -> Response:
        teller = Teller(web.table, web.table.playing(), language_of(web))
        response = jsonify(teller.reason("refusal", error.refusal))
        response.status_code = REFUSED_STATUS
        return response

    def known(error: Exception) -> Response:
        if isinstance(error, NotFound) and not request.path.startswith(("/api/", "/static/", "/games/")):
            title = TEXTS.say("title", language_of(web))
            text = render_template("page.html", page="lost", language=language_of(web), title=title)
            return Response(text, status=404, mimetype="text/html")
        found = next(kind for kind in type(error).__mro__ if kind in ERRORS)
        if found is OSError:
            log.exception("%s was answered as if the disk took nothing", request.path)
        status, code, has_detail = ERRORS[found]
        more: dict[str, Any] = {"detail": str(error)} if has_detail else {}
        if isinstance(error, ValidationError):
            more["fields"] = [".".join(str(part) for part in one["loc"]) for one in error.errors()]
        return error_answer(web, status, code, **more)

    def request_error(error: RequestError) -> Response:
        return error_answer(web, error.status, error.code)

    app.register_error_handler(Refused, refused)
    app.register_error_handler(RequestError, request_error)
    for kind in ERRORS:
        app.register_error_handler(kind, known)
