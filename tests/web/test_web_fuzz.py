"""Every route is asked with every type of nonsense: no 500, no seat changed, the room is always told."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
from web_tools import HOST, ORIGIN, Room, Visitor

from companion.service.mqtt import MqttBridge, MqttState
from companion.service.rig_service import RigService
from companion.settings.config import Config, MqttSettings
from companion.table.bot_players import BotPlayers
from companion.table.journal import UNDO, Line
from companion.table.people import bot_device
from companion.table.programs import BOT, SPECTATOR
from hardware import fakes as clocks
from hardware.wiring import SCHEMA
from web.routes import SUBJECTS
from web.routing import Query, Route, host_only
from web.stream import Stream, Streams
from web.text import TEXTS as WORDS

ROUTES = [route for routes in SUBJECTS for route in routes.table]
BENCH = [route for route in ROUTES if route.path.startswith("/api/workshop/")]
SPARED = {"/api/workshop/sheet.pdf"}
"""What takes long: asked with bad values only."""
METHODS = ("HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "POST", "GET")
SEED = int(os.environ.get("GLOAM_SEED", "20"))
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


SQUARE = [[0.0, 0.0], [90.0, 0.0], [90.0, 90.0], [0.0, 90.0]]
FIELDS: dict[str, tuple[Any, ...]] = {
    "game": ("onirim", "night_cage", "whisper", "dark_cave"),
    "options": ({}, {"players": "2"}),
    "values": ({"nightmares.all": 11}, {"killer_cards.butcher_sense.count": 3}),
    "subject": ("", "nightmares"),
    "changes": (
        {"table": {"name": "Ours"}},
        {"camera": {"source": "virtual"}},
        {"lights": {"brightness": 0.5}},
    ),
    "corners": (SQUARE, SQUARE[::-1], SQUARE[:1] * 4),
    "face": ("NM", "start", "Rs", "fox"),
    "pattern": ("places", "white", "off"),
    "name": ("Ann", "left", "confirm", "camera"),
    "kind": ("spectator", "bot"),
    "zone": ("board", "grid"),
    "place": ("a1", "kitchen"),
    "code": ("", "AAAAAA"),
    "pin": ("", "271828"),
    "do": ("start", "skip", "keep", "put", "move", "take", "turn-over", "press", "fault", "lay", "help"),
    "number": (1, 2, 3),
    "leds": (3,),
    "board": ("",),
    "host": ("127.0.0.1:1", "127.0.0.1:99999", "a..b", "ü" * 70, "127.0.0.1:1,[::1"),
}
"""What stands in the fields of a page's body."""


def some_body(route: Route, rng: Random, files: Sequence[bytes] = RAW) -> bytes:
    """Raw nonsense, or an object whose fields have the right names and any type; `files` are uploaded."""
    if route.upload:
        return rng.choice(files)
    if route.body is None or rng.random() < 0.25:
        return rng.choice(RAW)
    names = [*route.body.model_fields, "extra"]
    if rng.random() < 0.7:
        names.remove("extra")
    kinds = {name: str(one.annotation) for name, one in route.body.model_fields.items()}
    chosen = [name for name in names if rng.random() < 0.9]
    if rng.random() < 0.5:
        told = {name: rng.choice(FIELDS[name]) for name in kinds if name in FIELDS}
        more = {
            name: some_value_of(kinds[name], rng) for name in chosen if name in kinds and name not in told
        }
        return json.dumps(told | more).encode()
    return json.dumps({name: some_value_of(kinds.get(name, ""), rng) for name in chosen}).encode()


GOOD = {
    "<int:number>": ("0", "3"),
    "<key>": ("onirim", "night_cage", "dark_cave"),
    "<name>": ("page.js", "NM"),
    "lang": ("en", "ru"),
    "seat": ("public", "0", "1"),
    "for": ("0",),
    "cell": ("0", "3"),
    "overlay": ("yes",),
    "game": ("onirim", "whisper", "dark_cave"),
    "line": ("0", "1", "2"),
    "as": ("0",),
}
"""What stands in a path or a query when a page asks."""
GAMES: tuple[tuple[str, dict[str, int]], ...] = (
    *(("onirim", {"players": 2}), ("dark_cave", {"players": 3}), ("whisper", {})),
    *(("night_cage", {"players": 3}), ("bad_bones", {"players": 2})),
)
WORKSHOP, OVER = "workshop", "over"
PHASES = (*GAMES, (WORKSHOP, {}), (OVER, {"players": 2}))
"""What is on the table, one after the other: games, nothing but the parts, a game that is over."""
ROUNDS = 2
"""After how many questions of every route the next of them comes."""


def some_path(route: Route, rng: Random) -> str:
    """The path with any parts and any query, or as a page asks."""
    path, is_good = route.path, rng.random() < 0.6
    for part in ("<int:number>", "<key>", "<name>"):
        words = GOOD[part] if is_good else NUMBERS + TEXTS
        path = path.replace(part, quote(rng.choice(words).encode("utf-8", "replace"), safe=""))
    if is_good:
        return (
            f"{path}?{'&'.join(f'{name}={rng.choice(GOOD[name])}' for name in route.query if name in GOOD)}"
        )
    asked = {one.alias or name for name, one in Query.model_fields.items()} | {"lang", "as"}
    query = []
    for name in sorted(asked):
        if rng.random() < 0.3:
            query.append(f"{name}={quote(rng.choice(NUMBERS + TEXTS).encode('utf-8', 'replace'))}")
    return f"{path}?{'&'.join(query)}"


class Spoken:
    """A voice that says everything."""

    def wav(self, text: str, language: str, whose: int) -> bytes:
        return b"RIFF" + text.encode()


class Storm:
    """Random requests of a host, a seated player, a guest and a stranger over one table."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.rng = Random(seed)
        self.statuses, self.deep = Counter[int](), Counter[str]()
        self.room = Room(folder)
        self.room.app.testing = False
        self.seated = self.room.guest("Ann")
        others = [self.room.host(), self.room.guest("Bob"), self.room.visitor()]
        self.visitors: list[Visitor] = [self.seated, *others]
        config = Config({name: kind() for name, kind in SCHEMA.items()})
        self.rig = self.room.web.rig = RigService(self.room.table, config, folder, clocks.FakeClock(1.0))
        memory = MqttState(folder / "mqtt.json")
        self.room.web.club = MqttBridge(self.room.table, MqttSettings(enabled=True, host="broker"), memory)
        self.room.web.voice = Spoken()
        self.bots = BotPlayers(self.room.table, self.rng, lambda stopped, seconds: False, lambda: 0.0)
        self.files = [*RAW[:4], self.backup(others[0]), b"\xff\xd8\xff" + bytes(99)]
        self.played = 0
        self.play()

    def backup(self, host: Visitor) -> bytes:
        """A true backup; restoring it goes on with the same people."""
        answer = host.get("/api/backup")
        assert answer.status_code == 200
        return answer.data

    def play(self) -> None:
        """Begins the next phase; a game has a phone on its first seat, a program and bots on the others."""
        table = self.room.table
        self.phase, options = PHASES[self.played % len(PHASES)]
        self.played += 1
        for program in self.room.web.programs.all():
            self.room.web.programs.dismiss(program.number)
        if self.phase == WORKSHOP:
            table.clear()
            self.rig.follow()
            self.room.workbench.open("night_cage")
            return
        session = table.start("onirim" if self.phase == OVER else self.phase, options, seed=7)
        while self.phase == OVER and session.state().needs():
            seat = session.state().needs()[0].seat
            session.submit(seat, session.actions(seat)[-1])
        for seat in range(len(session.seats)):  # whoever sat at the game before
            table.free(seat, "left")
        self.room.people.lock(False)
        code = table.offer(0).long if table.is_secret(session, 0) else ""
        assert self.seated.post("/api/claim", seat=0, pin="271828", code=code).status_code == 200
        for seat in range(2, len(session.seats)):
            self.room.people.sit(session.number, seat, bot_device("good", seat))
        programs = self.room.web.programs
        (looks, _), (plays, bot) = programs.admit(SPECTATOR, "Eve"), programs.admit(BOT, "Robot")
        self.tokens = (looks, plays)
        self.room.people.sit(self.room.table.playing().number, 1, bot.device)
        self.rig.follow()
        device = self.room.people.device(self.seated.cookie())
        self.stream = iter(Stream(self.room.table, Streams(4), device, "page", 0, "en"))
        self.hears()

    def act(self) -> bytes:
        """Something that the seated player may really do."""
        session = self.room.table.session
        if session is None or not (actions := session.actions(0)):
            return b"{}"
        version = session.update(0).version
        body = {"action": self.rng.choice(actions), "version": version, "seat": 0, "page": 0}
        return json.dumps(body).encode()

    def hears(self) -> bool:
        """Whether the stream of the seated player brings the room when something changes."""
        self.room.table.tell()
        return any(one.startswith("event: room") for one in islice(self.stream, 4))

    def send(self, route: Route) -> tuple[str, int]:
        """Sends one request; returns what was sent and the status."""
        rng, visitor = self.rng, self.rng.choice(self.visitors)
        path, headers = some_path(route, rng), dict(rng.choice(HEADERS) if rng.random() < 0.3 else {})
        more: dict[str, Any] = {}
        if rng.random() < 0.4 and any(check is host_only for check in route.checks):
            visitor = self.visitors[1]
        if route.method == "POST":
            more = {
                "data": self.act()
                if route.path == "/api/act" and rng.random() < 0.5
                else some_body(route, rng, self.files),
                "content_type": route.upload or "application/json",
            }
            headers = {"Origin": ORIGIN, "X-Gloam-Token": visitor.token, **headers}
        elif route.path in SPARED:
            path += "&seat=" + quote("²")
        if route.path.startswith("/api/v1/") and rng.random() < 0.9:
            headers = {"Authorization": f"Bearer {rng.choice(self.tokens)}", **headers}
        method = route.method if rng.random() < 0.95 else rng.choice(METHODS)
        self.room.clock.now += 10
        answer = visitor.client.open(
            path,
            method=method,
            base_url=ORIGIN,
            headers=headers,
            environ_base={"REMOTE_ADDR": visitor.address},
            **more,
        )
        answer.close()
        self.statuses[answer.status_code] += 1
        self.deep[route.path] += answer.status_code in (200, 204)
        return f"{method} {path[:200]} {headers} {more.get('data', b'')[:200]!r}", answer.status_code

    def run(self, n: int) -> Iterator[str]:
        """Sends a number of requests, every route in turn; yields each after which something is wrong."""
        people = self.room.people
        for i in range(n):
            before = people.seats()["seats"]
            is_bench = self.phase == WORKSHOP and self.rng.random() < 0.7
            sent, status = self.send(self.rng.choice(BENCH) if is_bench else ROUTES[i % len(ROUTES)])
            if status in (500, 507) or (status != 200 and people.seats()["seats"] != before):
                yield f"{status} to {sent}"
            if i % len(ROUTES) == 0:
                around = self.seated.get("/api/room").status_code
                if around != 200:
                    yield f"the room is answered with {around} after {sent}"
                has_seat = 0 in self.room.table.own_seats(self.room.people.device(self.seated.cookie()))
                if i % (ROUNDS * len(ROUTES)) == 0 or (self.phase != WORKSHOP and not has_seat):
                    self.play()
                elif self.phase != WORKSHOP and not self.hears():
                    yield f"the stream of a seat is lost after {sent}"
                self.bots.run_once()
                self.rig.follow()
                if self.rig.sitting is not None and self.rng.random() < 0.1:
                    self.rig.sitting.look()
                if len(self.room.web.streams) > 8:
                    yield f"{len(self.room.web.streams)} streams are counted that nobody reads"


def storm(folder: Path, n: int) -> None:
    print(f"seed {SEED}")
    storm = Storm(folder, SEED)
    found = list(storm.run(n))
    never = sorted({route.path for route in ROUTES} - {path for path, times in storm.deep.items() if times})
    print(f"{n} requests over {len(ROUTES)} routes: {dict(storm.statuses)}; never with success: {never}")
    assert not found, f"{len(found)} of {n} with seed {SEED}, first:\n" + "\n".join(found[:5])
    storm.rig.close()
    storm.room.close()


@pytest.mark.slow
def test_no_request_of_any_type_is_answered_with_500(tmp_path: Path) -> None:
    storm(tmp_path, 1500)


def storm_on_a_full_disk(folder: Path, n: int) -> None:
    """Sends requests while not a byte can be written; prints how they were answered, then what was wrong."""
    storm = Storm(folder, SEED)
    storm.room.people.make_host(storm.room.people.device(storm.visitors[1].cookie()), "31415926")
    before, found = storm.room.people.seats(), []
    for i in range(n):
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        sent, status = storm.send(ROUTES[i % len(ROUTES)])
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        if status == 500 or storm.room.people.seats() != before:
            found.append(f"{status} to {sent}")
        if storm.room.table.session is None:
            storm.play()
            before = storm.room.people.seats()
    storm.room.close()
    print(json.dumps([storm.statuses, found[:9]]))


FULL_DISK = """
import sys
from pathlib import Path
sys.path[:0] = {paths!r}
from test_web_fuzz import storm_on_a_full_disk
storm_on_a_full_disk(Path({folder!r}), {n})
"""


def full_disk(folder: Path, n: int) -> None:
    here = Path(__file__).parent
    script = FULL_DISK.format(paths=[str(here), str(here.parents[1])], folder=str(folder), n=n)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    statuses, found = json.loads(done.stdout.splitlines()[-1])
    print(f"seed {SEED}, {n} requests on a full disk: {statuses}")
    assert found == [], done.stderr[-3000:]
    assert statuses["507"], "nothing that is stored was tried"


@pytest.mark.slow
def test_on_a_full_disk_every_request_is_answered_in_words_and_no_seat_changes(tmp_path: Path) -> None:
    full_disk(tmp_path, 600)


@pytest.mark.long
@pytest.mark.slow
def test_10_000_requests_on_a_full_disk(tmp_path: Path) -> None:
    full_disk(tmp_path, 10_000)


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


def test_asking_for_the_head_of_a_stream_takes_no_stream(room: Room) -> None:
    visitor = room.visitor()
    for n in range(40):
        answer = visitor.client.head(
            f"/api/stream?page={n}", base_url=ORIGIN, environ_base={"REMOTE_ADDR": visitor.address}
        )
        answer.close()
        assert answer.status_code == 200
    assert len(room.web.streams) == 0


def test_a_notice_of_another_release_makes_no_page_fail(room: Room) -> None:
    host, session = room.host(), room.table.start("onirim", {"players": 2})
    session.mark("from-tomorrow")
    room.table.resume(session.number)
    told = {language: host.get(f"/api/frame?lang={language}").json["standing"] for language in ("en", "ru")}
    assert told == {language: [WORDS.say("standing.other", language)] for language in ("en", "ru")}


@pytest.mark.parametrize(
    "line", [Line(UNDO, "x"), Line(UNDO, "9" * 5000), Line(UNDO, "-1"), Line(7, "leave"), Line(-9, "x")]
)
def test_a_line_that_no_rule_allows_is_named_and_the_game_stays_stored(room: Room, line: Line) -> None:
    host, session = room.host(), room.table.start("onirim", {"players": 2})
    room.journal.append(session.number, session._written, [line])
    answer = host.post("/api/resume", number=session.number)
    assert (answer.status_code, answer.json["code"]) == (409, "bad-journal")


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
