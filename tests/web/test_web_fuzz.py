"""Every route is asked with every type of nonsense: no 500, no seat changed, the room is always told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
from web_tools import HOST, ORIGIN, Room, Visitor

from web.routes import SUBJECTS
from web.routing import Query, Route
from web.stream import Stream, Streams

ROUTES = [route for routes in SUBJECTS for route in routes.table]
SPARED = {"/api/stream", "/api/unplug", "/api/workshop/blink", "/api/workshop/sheet.pdf"}
"""What never ends or takes long: asked with bad values only."""
SEED = 20
NUMBERS = (
    "0",
    "1",
    "2",
    "99",
    "-1",
    "-2",
    "-3",
    "²",
    "٣",
    "1e3",
    "9" * 5000,
    "0x1",
    "1_0",
    "+1",
    "NaN",
    " 1 ",
)
TEXTS = (
    *("", "public", "x", "night_cage", "onirim", "board", "keep", "move c3", "../../etc/passwd", "%00", "\0"),
    *("\ud800", "Ю" * 300, "x" * 3000, "[" * 50, "{", "null", "\u202e", "en", "usb:0", "0000", "123456"),
)
RAW = (
    *(b"", b"null", b"1", b"[]", b'"x"', b"{", b"[" * 20_000, b'{"a":' * 20_000, b"\xff\xfe", b"\0"),
    *(b'{"seat": ' + b"9" * 5000 + b"}", b'{"seat": NaN}', b'{"seat": 1e999}', b'{"name": "\\ud800"}'),
)
HEADERS = (
    *(
        {},
        {"Cookie": "gloam=" + "x" * 5000},
        {"Cookie": "gloam=\xff; =; ;;"},
        {"Accept-Language": "²;q=²,,;;q="},
    ),
    *(
        {"Range": "bytes=-²"},
        {"If-None-Match": "\xff" * 90},
        {"Origin": "[[["},
        {"X-Gloam-Token": "\xff" * 64},
    ),
    *({"Host": "[::1"}, {"Host": "\xff"}, {"Host": "a" * 900}, {"X-Forwarded-For": "[" * 90}),
)


def some_value(rng: Random, depth: int = 0) -> Any:
    """A JSON value of any type."""
    kinds = 9 if depth < 3 else 7
    kind = rng.randrange(kinds)
    if kind < 2:
        return rng.choice([0, 1, 2, 99, -1, -2, -3, 2**31, 2**63, 10**400, 2**31 - 1])
    if kind < 5:
        return rng.choice(TEXTS)
    if kind == 5:
        return rng.choice([0.5, -0.0, 1e308, float("inf"), float("nan")])
    if kind == 6:
        return rng.choice([None, True, False])
    if kind == 7:
        return [some_value(rng, depth + 1) for _ in range(rng.randrange(5))]
    return {rng.choice(TEXTS): some_value(rng, depth + 1) for _ in range(rng.randrange(4))}


def some_value_of(kind: str, rng: Random) -> Any:
    """A value that often fits a field's type, so that some requests come further than its check."""
    if rng.random() < 0.3:
        return some_value(rng)
    if "Literal[" in kind:
        return rng.choice(["", "choose", "meant", "overlook", "put", "move", "take", "press", "lay", 90])
    if "int" in kind:
        return rng.randrange(-2, 4)
    return rng.random() < 0.5 if "bool" in kind else rng.choice(TEXTS)


def some_body(route: Route, rng: Random) -> bytes:
    """Raw nonsense, or an object whose fields have the right names and any type."""
    if route.body is None or rng.random() < 0.25:
        return rng.choice(RAW)
    names = [*route.body.model_fields, "extra"]
    if rng.random() < 0.7:
        names.remove("extra")
    kinds = {name: str(one.annotation) for name, one in route.body.model_fields.items()}
    chosen = [name for name in names if rng.random() < 0.9]
    return json.dumps({name: some_value_of(kinds.get(name, ""), rng) for name in chosen}).encode()


def some_path(route: Route, rng: Random) -> str:
    """The path with any parts and any query."""
    path = route.path
    for part in ("<int:number>", "<key>", "<name>"):
        path = path.replace(part, quote(rng.choice(NUMBERS + TEXTS).encode("utf-8", "replace"), safe=""))
    asked = {one.alias or name for name, one in Query.model_fields.items()} | {"lang", "as"}
    query = []
    for name in sorted(asked):
        if rng.random() < 0.3:
            query.append(f"{name}={quote(rng.choice(NUMBERS + TEXTS).encode('utf-8', 'replace'))}")
    return f"{path}?{'&'.join(query)}"


class Storm:
    """Random requests of a host, a seated player, a guest and a stranger over one table."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.rng = Random(seed)
        self.room = Room(folder)
        self.room.app.testing = False
        self.seated = self.room.guest("Ann")
        others = [self.room.host(), self.room.guest("Bob"), self.room.visitor()]
        self.visitors: list[Visitor] = [self.seated, *others]
        self.play()

    def play(self) -> None:
        """Puts a game on the table whose first seat is held."""
        self.room.table.start("onirim", {"players": 2}, seed=7)
        self.room.people.lock(False)
        assert self.seated.post("/api/claim", seat=0, pin="271828").status_code == 200
        device = self.room.people.device(self.seated.cookie())
        self.stream = iter(Stream(self.room.table, Streams(4), device, "page", 0, "en"))
        self.hears()

    def hears(self) -> bool:
        """Whether the stream of the seated player brings the room when something changes."""
        self.room.table.tell()
        return any(one.startswith("event: room") for one in islice(self.stream, 4))

    def send(self, route: Route) -> tuple[str, int]:
        """Sends one request; returns what was sent and the status."""
        rng, visitor = self.rng, self.rng.choice(self.visitors)
        path, headers = some_path(route, rng), dict(rng.choice(HEADERS) if rng.random() < 0.3 else {})
        more: dict[str, Any] = {}
        if route.method == "POST":
            more = {
                "data": some_body(route, rng),
                "content_type": route.upload or "application/json",
            }
            headers = {"Origin": ORIGIN, "X-Gloam-Token": visitor.token, **headers}
        elif route.path in SPARED:
            path += "&seat=" + quote("²")
        self.room.clock.now += 10
        answer = visitor.client.open(
            path,
            method=route.method,
            base_url=ORIGIN,
            headers=headers,
            environ_base={"REMOTE_ADDR": visitor.address},
            **more,
        )
        answer.close()
        return f"{route.method} {path[:200]} {headers} {more.get('data', b'')[:200]!r}", answer.status_code

    def run(self, n: int) -> Iterator[str]:
        """Sends so many requests, every route in turn; yields each after which something is wrong."""
        people = self.room.people
        for i in range(n):
            before = people.seats()["seats"]
            sent, status = self.send(ROUTES[i % len(ROUTES)])
            if status == 500 or (status != 200 and people.seats()["seats"] != before):
                yield f"{status} to {sent}"
            if i % len(ROUTES) == 0:
                around = self.seated.get("/api/room").status_code
                if around != 200:
                    yield f"the room is answered with {around} after {sent}"
                if not self.room.table.own_seats(self.room.people.device(self.seated.cookie())):
                    self.play()
                elif not self.hears():
                    yield f"the stream of a seat is lost after {sent}"


def storm(folder: Path, n: int) -> None:
    print(f"seed {SEED}")
    storm = Storm(folder, SEED)
    found = list(storm.run(n))
    assert not found, f"{len(found)} of {n} with seed {SEED}, first:\n" + "\n".join(found[:5])
    storm.room.close()


@pytest.mark.slow
def test_no_request_of_any_type_is_answered_with_500(tmp_path: Path) -> None:
    storm(tmp_path, 1500)


@pytest.mark.long
@pytest.mark.slow
def test_100_000_requests_of_any_type(tmp_path: Path) -> None:
    storm(tmp_path, 100_000)


@pytest.mark.parametrize(
    "path",
    [
        *(f"/api/frame?seat={text}" for text in ("²", "9" * 5000, "-3", "99999", "1.5", "x")),
        *("/api/why?cell=" + "9" * 5000, "/api/preview?for=x", "/api/offer?seat=-7"),
    ],
)
def test_a_bad_query_is_answered_with_400(room: Room, path: str) -> None:
    host = room.host()
    room.table.start("onirim", {"players": 2})
    answer = host.get(path)
    assert (answer.status_code, answer.json["code"]) == (400, "bad-request")


@pytest.mark.parametrize("body", RAW)
def test_a_bad_body_is_answered_with_400(room: Room, body: bytes) -> None:
    guest = room.guest("Ann")
    answer = guest.client.post(
        "/api/claim",
        base_url=ORIGIN,
        data=body,
        content_type="application/json",
        headers={"Origin": ORIGIN, "X-Gloam-Token": guest.token},
        environ_base={"REMOTE_ADDR": guest.address},
    )
    assert (answer.status_code, answer.json["code"]) == (400, "bad-request")


def test_a_number_of_many_digits_in_a_path_is_not_found(room: Room) -> None:
    assert room.host().get("/api/story/" + "9" * 5000).status_code == 404


def test_a_cookie_that_is_not_ours_makes_a_new_device(room: Room) -> None:
    for cookie in ("x" * 31, "x" * 5000, "x" * 31 + "²"):
        visitor = room.visitor()
        visitor.client.set_cookie("gloam", cookie, domain=HOST.split(":")[0])
        assert "Set-Cookie" in visitor.get("/").headers


def numbers_without_bounds(schema: Any) -> Iterator[Any]:
    """The parts of a JSON schema that allow any number."""
    if isinstance(schema, dict):
        if schema.get("type") in ("integer", "number") and not {"minimum", "exclusiveMinimum"} & set(schema):
            yield schema
        for part in schema.values():
            yield from numbers_without_bounds(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from numbers_without_bounds(part)


@pytest.mark.parametrize("model", [Query, *sorted({route.body for route in ROUTES if route.body}, key=str)])
def test_every_number_from_outside_has_bounds(model: Any) -> None:
    free = [one for one in numbers_without_bounds(model.model_json_schema()) if "enum" not in one]
    assert free == []
