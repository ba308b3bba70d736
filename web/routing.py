"""How a route is written: a function that gets the request and its checked body, in a table by subject.

A route declares what it reads (path, query, body) and what must hold before its body is read (checks), so the
same table serves requests and is written out as `openapi.json`. Everything from outside is parsed here, once,
into typed and bounded values: what does not fit is answered with 400 before a route sees it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from flask import Blueprint, Response, g, jsonify, request
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from werkzeug.routing import IntegerConverter

from companion.engine.action import PUBLIC, Viewer
from companion.table.people import Device, People
from companion.table.table import Table
from web.context import Web, language_of
from web.errors import RequestError

MAX_SEATS = 32
"""More seats than any table has; the table itself knows which of them are there."""
MAX_NUMBER = 2**31 - 1

SeatNumber = Annotated[int, Field(ge=0, lt=MAX_SEATS)]
ViewerNumber = Annotated[int, Field(ge=PUBLIC, lt=MAX_SEATS)]
"""A seat, `TABLE` or `PUBLIC`."""
Number = Annotated[int, Field(ge=-MAX_NUMBER, le=MAX_NUMBER)]
Coordinate = Annotated[float, Field(ge=-100_000.0, le=100_000.0)]
SeatPin = Annotated[str, Field(pattern=r"^[0-9]{4,8}$")]
NoPin = Literal[""]


class Body(BaseModel):
    """What a page may send; anything else is refused. A number has bounds, as `Number` and the like have."""

    model_config = ConfigDict(extra="forbid", str_max_length=2000, allow_inf_nan=False)


def _or_public(seat: object) -> object:
    return PUBLIC if seat in ("", "public") else seat


class Query(BaseModel):
    """What may stand behind the `?` of any path, each name with one meaning; other names are ignored."""

    model_config = ConfigDict(extra="ignore", str_max_length=200)

    seat: Annotated[ViewerNumber, BeforeValidator(_or_public)] = PUBLIC
    """Whose page asks."""
    acting: ViewerNumber | None = Field(None, alias="for")
    watched: ViewerNumber = Field(PUBLIC, alias="as")
    """Whose eyes a finished game is seen with."""
    cell: Number = -1
    line: Number = -1
    action: str = ""
    page: str = ""
    overlay: str = ""
    game: str = ""
    board: str = ""
    face: str = ""
    drawn: Number = 0
    """The number of the picture that a projector shows."""


class PathNumber(IntegerConverter):
    """A number in a path: nine digits at most."""

    regex = "[0-9]{1,9}"


@dataclass(frozen=True, slots=True)
class Visit:
    """One request: the parts of the app, the device that asks, the language that it reads, and its query."""

    web: Web
    device: Device
    language: str
    query: Query

    @property
    def table(self) -> Table:
        return self.web.table

    @property
    def people(self) -> People:
        return self.web.table.people

    def viewer(self) -> Viewer:
        """Whose page asks: a seat that the device holds, or the public one."""
        seat = self.query.seat
        if seat != PUBLIC:
            self.table.demand(self.device, seat)
        return seat


# Checks ---------------------------------------------------------------------------------------------

Check = Callable[[Visit], object]
"""Raises what becomes an answer where the request may not go on."""


def host_only(visit: Visit) -> None:
    """Demands that the device belongs to the table's owner."""
    if not visit.people.is_host(visit.device):
        raise RequestError("not-host")


class rate_limit:
    """Demands that this address, and all together, have not tried the same thing too often in a minute."""

    def __init__(self, what: str) -> None:
        self._what = what

    def __call__(self, visit: Visit) -> None:
        is_known = visit.people.is_host(visit.device) or bool(visit.people.name(visit.device))
        if not visit.web.limiter.allow(self._what, request.remote_addr or "", is_known=is_known):
            raise RequestError("too-often")


# Routes ---------------------------------------------------------------------------------------------

Answer = Callable[..., Response]
AnyAnswer = TypeVar("AnyAnswer", bound=Answer)
AnyBody = TypeVar("AnyBody", bound=Body)
BodyAnswer = Callable[[Visit, AnyBody], Response]


class Route(NamedTuple):
    """One path and method: what it reads, what it checks, who answers."""

    method: str
    path: str
    answer: Answer
    query: tuple[str, ...]
    checks: tuple[Check, ...]
    body: type[Body] | None
    upload: str
    """The media type of a body that is no JSON, or ""."""
    gives: str
    """The media type of the answer."""


class Routes:
    """The routes of one subject."""

    def __init__(self, subject: str) -> None:
        self.subject = subject
        self.table: list[Route] = []

    def get(
        self, path: str, *checks: Check, query: tuple[str, ...] = (), gives: str = "application/json"
    ) -> Callable[[AnyAnswer], AnyAnswer]:
        """Adds what is answered to a look; the query's names are for `openapi.json`."""

        def add(answer: AnyAnswer) -> AnyAnswer:
            self.table.append(Route("GET", path, answer, query, checks, None, "", gives))
            return answer

        return add

    def post(
        self, path: str, body: type[AnyBody], *checks: Check
    ) -> Callable[[BodyAnswer[AnyBody]], BodyAnswer[AnyBody]]:
        """Adds a change; its body is checked after the checks and before the answer."""

        def add(answer: BodyAnswer[AnyBody]) -> BodyAnswer[AnyBody]:
            self.table.append(Route("POST", path, answer, (), checks, body, "", "application/json"))
            return answer

        return add

    def upload(
        self, path: str, media: str, *checks: Check, query: tuple[str, ...] = ()
    ) -> Callable[[AnyAnswer], AnyAnswer]:
        """Adds a change whose body is a file."""

        def add(answer: AnyAnswer) -> AnyAnswer:
            self.table.append(Route("POST", path, answer, query, checks, None, media, "application/json"))
            return answer

        return add

    def blueprint(self, web: Web) -> Blueprint:
        """The routes as Flask serves them."""
        made = Blueprint(self.subject, __name__)
        for route in self.table:
            endpoint = f"{route.method} {route.path}".replace(".", "_")
            made.add_url_rule(route.path, endpoint, partial(_respond, web, route), methods=[route.method])
        return made


def _respond(web: Web, route: Route, **parts: Any) -> Response:
    visit = Visit(web, g.device, language_of(web), Query.model_validate(request.args.to_dict()))
    for check in route.checks:
        check(visit)
    if route.body is not None:
        return route.answer(visit, route.body.model_validate_json(request.get_data()), **parts)
    return route.answer(visit, **parts)


def done(**more: Any) -> Response:
    """Answers that all went well, with facts."""
    return jsonify({"ok": True, **more})
