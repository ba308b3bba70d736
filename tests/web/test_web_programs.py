"""Programs of others: tokens, what a spectator and a bot may do, and the examples at work."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest
from web_tools import ORIGIN, PHONE, Room, Visitor
from werkzeug.test import TestResponse

from companion.engine.errors import Refused
from companion.games import REGISTRY
from companion.table.programs import MOST, Programs
from web import openapi
from web.named import with_names
from web.server import Server
from web.text import TEXTS

SEED = int(os.environ.get("GLOAM_SEED", "22257"))
EXAMPLES = openapi.PATH.parent / "examples"
FILE = json.loads(openapi.PATH.read_text("utf-8"))


class Caller:
    """A program of somebody else's: no cookie, a token, perhaps a page of another site."""

    def __init__(self, room: Room, token: str = "") -> None:
        self._client = room.app.test_client(use_cookies=False)
        self.headers = {"Authorization": f"Bearer {token}", "Origin": "https://elsewhere.example"}

    def get(self, path: str) -> TestResponse:
        return self._client.get(f"/api/v1/{path}", **self._around())

    def post(self, path: str, **body: Any) -> TestResponse:
        return self._client.post(f"/api/v1/{path}", json=body, **self._around())

    def options(self, path: str) -> TestResponse:
        return self._client.options(f"/api/v1/{path}", **self._around())

    def _around(self) -> dict[str, Any]:
        return {"base_url": ORIGIN, "headers": self.headers, "environ_base": {"REMOTE_ADDR": PHONE}}


def admit(host: Visitor, kind: str, seat: int | None = None, name: str = "Robot") -> str:
    answer = host.post("/api/programs", kind=kind, name=name, **({} if seat is None else {"seat": seat}))
    assert answer.status_code == 200, answer.json
    return str(answer.json["token"])


@pytest.fixture
def host(room: Room) -> Visitor:
    return room.host()


# Who is let in ---------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["table", "board", "position", "stream"])
def test_nothing_is_told_without_a_token(room: Room, path: str) -> None:
    room.table.start("onirim", {"players": 1})
    answer = Caller(room, "guessed").get(path)
    assert (answer.status_code, answer.json["code"]) == (401, "no-program")


def test_guessing_tokens_is_slow(room: Room) -> None:
    codes = [Caller(room, "guessed").get("table").json["code"] for _ in range(20)]
    assert codes[0] == "no-program" and codes[-1] == "too-often"


def test_cookies_are_worth_nothing_to_programs_and_tokens_nothing_to_pages(room: Room, host: Visitor) -> None:
    room.table.start("onirim", {"players": 1})
    assert host.get("/api/v1/table").status_code == 401
    bearer = {"Authorization": f"Bearer {admit(host, 'bot', 0)}"}
    refused = host.client.post("/api/clear", json={}, base_url=ORIGIN, headers=bearer)
    assert refused.json["code"] == "wrong-origin"


def test_only_the_host_lets_programs_in(room: Room) -> None:
    refused = room.guest("Ann").post("/api/programs", kind="spectator", name="Eve")
    assert refused.json["code"] == "not-host"


def test_a_dismissed_program_is_unknown_and_its_seat_is_free(room: Room, host: Visitor) -> None:
    room.table.start("onirim", {"players": 1})
    caller = Caller(room, admit(host, "bot", 0))
    assert caller.get("position").status_code == 200
    (listed,) = host.get("/api/programs").json
    assert listed == {"number": 1, "kind": "bot", "name": "Robot", "seats": [0]}
    assert host.post("/api/programs/dismiss", number=1).status_code == 200
    assert caller.get("position").status_code == 401
    assert host.get("/api/room").json["seats"][0]["taken"] is False
    assert host.post("/api/programs/dismiss", number=1).status_code == 404


def test_a_bot_without_a_free_seat_leaves_nothing_behind(room: Room, host: Visitor) -> None:
    room.table.start("onirim", {"players": 2})
    room.table.claim("phone", 0)
    assert host.post("/api/programs", kind="bot", name="Robot", seat=0).json["code"] == "seat-taken"
    assert host.post("/api/programs", kind="bot", name="Robot", seat=9).status_code == 400
    assert host.post("/api/programs", kind="bot", name="Robot").status_code == 400
    assert host.post("/api/programs", kind="spectator", name="Robot", seat=1).status_code == 400
    assert host.get("/api/programs").json == []


def test_everybody_sees_that_a_bot_takes_a_secret_seat(room: Room, host: Visitor) -> None:
    session = room.table.start("whisper", {})
    seat = session.seats.index("killer")
    caller = Caller(room, admit(host, "bot", seat))
    assert caller.get("position").json["viewer"] == "killer"
    told = room.visitor().get("/api/room").json
    assert told["seats"][seat]["name"] == "Robot"
    assert [one["code"] for one in told["notices"]] == ["offered", "claimed"]


def test_a_program_that_stays_for_the_next_game_is_told_there_too(room: Room, host: Visitor) -> None:
    """Whoever has its token sees the hand of its seat in every game that it sits at."""
    host.post("/api/start", game="dark_cave", options={"players": "3"})
    admit(host, "bot", 1)
    host.post("/api/start", game="dark_cave", options={"players": "3"})
    assert [one["name"] for one in host.get("/api/room").json["seats"]].count("Robot") == 1
    assert host.get("/api/frame?lang=en").json["standing"] == [TEXTS.say("standing.bot", "en")]


def test_as_many_programs_as_the_table_takes_and_no_more(host: Visitor) -> None:
    for _ in range(MOST):
        admit(host, "spectator")
    assert host.post("/api/programs", kind="spectator", name="x").json["code"] == "too-many-programs"


def test_tokens_hold_after_a_restart_and_are_not_kept_in_clear(tmp_path: Path) -> None:
    path = tmp_path / "table.programs.json"
    token, program = Programs(path).admit("spectator", "Overlay")
    assert token not in path.read_text()
    assert Programs(path).find(token) == program
    path.write_text('{"programs": [{"number"')
    assert Programs(path).find(token) == program, "the last good copy"


# What is told ----------------------------------------------------------------------------------


def test_pages_of_other_sites_may_read_what_a_token_gets_and_nothing_else(room: Room, host: Visitor) -> None:
    room.table.start("onirim", {"players": 1})
    caller = Caller(room, admit(host, "spectator"))
    asked = caller.options("act")
    assert asked.status_code == 200 and "Authorization" in asked.headers["Access-Control-Allow-Headers"]
    answer = caller.get("position")
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer.headers and "Set-Cookie" not in answer.headers
    for path in ("/", "/api/frame", "/api/me", "/api/room"):
        assert "Access-Control-Allow-Origin" not in host.get(path).headers


@pytest.mark.parametrize("path", openapi.PROGRAM_ANSWERS)
def test_a_described_answer_has_the_names_that_it_says(room: Room, host: Visitor, path: str) -> None:
    room.table.start("night_cage", {})
    answer = Caller(room, admit(host, "spectator")).get(path.removeprefix("/api/v1/")).json
    demand_names(answer, FILE["components"]["schemas"][openapi.PROGRAM_ANSWERS[path]])


def demand_names(told: Any, schema: dict[str, Any]) -> None:
    if schema.get("type") == "array":
        for one in told:
            demand_names(one, schema["items"])
    elif schema.get("type") == "object" and "required" in schema:
        assert set(told) == set(schema["properties"]) == set(schema["required"])
        for name, part in schema["properties"].items():
            demand_names(told[name], part)


def test_actions_are_told_with_their_words(room: Room, host: Visitor) -> None:
    room.table.start("onirim", {"players": 1})
    told = Caller(room, admit(host, "bot", 0)).get("position?lang=en").json
    first = next(one for one in told["actions"] if one["verb"] == "play")
    (word,) = first["words"]
    assert word["kind"] == "card" and first["action"] == f"play {word['word']}" and first["seat"] == "p1"
    assert told["turn"] == [{"seat": "p1", "verbs": ["play", "discard", "concede"]}]


def test_places_have_names(room: Room, host: Visitor) -> None:
    session = room.table.start("onirim", {"players": 1})
    session.submit(0, next(text for text in session.actions(0) if text.startswith("play")))
    caller = Caller(room, admit(host, "spectator"))
    told = caller.get("position").json
    places = {one["place"] for one in caller.get("board").json["places"]}
    assert told["pieces"] and {one["place"] for one in told["pieces"]} <= places
    assert {one["place"] for one in told["lights"]["glows"]} <= places


@pytest.mark.parametrize("key", REGISTRY)
def test_seats_and_places_have_names_in_views_and_logs(room: Room, key: str) -> None:
    """Over a random game: what a key calls a place or a seat is a word."""
    seed = SEED
    print("seed", seed)
    session, rng = room.table.start(key, {}, seed=seed), Random(seed)
    named = session.game.view_places | session.game.view_seats | {"cell", "cells", "seat", "winners"}
    told: list[Any] = []
    while len(told) < 60 and (seats := [s for s in range(len(session.seats)) if session.actions(s)]):
        seat = rng.choice(seats)
        told.append(session.update(seat).view)
        session.submit(seat, rng.choice(session.actions(seat)))
    told += [event.data for event in session.history(-2)]
    values = [value for one in told for value in told_under(named, with_names(session, one), "")]
    assert [value for value in values if type(value) is int] == []
    assert any(isinstance(value, str) for value in values)


def told_under(keys: frozenset[str], told: Any, key: str) -> Iterator[Any]:
    """All that stands below one of these keys."""
    if isinstance(told, dict):
        for name, part in told.items():
            yield from told_under(keys, part, name)
    elif isinstance(told, list):
        for part in told:
            yield from told_under(keys, part, key)
    elif key in keys:
        yield told


def test_a_spectator_gets_what_the_public_gets_and_may_not_act(room: Room, host: Visitor) -> None:
    session = room.table.start("whisper", {})
    caller = Caller(room, admit(host, "spectator"))
    told = caller.get("position").json
    public = with_names(session, session.update(-2).view)
    assert told["view"] == json.loads(json.dumps(public))
    assert caller.post("act", action="pass", version=told["version"]).json["code"] == "not-your-seat"


def test_a_bot_acts_for_its_own_seat_alone(room: Room, host: Visitor) -> None:
    room.table.start("onirim", {"players": 2, "openness": "silent"})
    first, second = (Caller(room, admit(host, "bot", seat)) for seat in (0, 1))
    told = first.get("position").json
    (acting,) = {one["seat"] for one in told["turn"]}
    able, idle = (first, second) if acting == "p1" else (second, first)
    seen = able.get("position").json
    assert idle.get("position").json["actions"] == []
    action = seen["actions"][0]["action"]
    refused = idle.post("act", action=action, version=idle.get("position").json["version"])
    assert refused.status_code == 409 and refused.json["rule"]
    assert able.post("act", action=action, version=seen["version"] - 1).json["code"] == "stale"
    assert able.post("act", action=action, version=seen["version"]).status_code == 200
    assert able.post("act", action="fly", version=0).json["code"] in ("stale", "no-action")


# The examples ----------------------------------------------------------------------------------


@pytest.fixture
def served(room: Room) -> Iterator[str]:
    server = Server(room.web, "127.0.0.1", 0)
    server.start()
    yield f"127.0.0.1:{server.port}"
    server.close()


def run_bot(address: str, token: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(EXAMPLES / "bot.py"), address, token],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_example_bot_has_fifty_lines() -> None:
    lines = [line for line in (EXAMPLES / "bot.py").read_text().splitlines() if line.strip()]
    assert len(lines) <= 50


def test_the_example_bot_plays_a_whole_onirim(room: Room, host: Visitor, served: str) -> None:
    session = room.table.start("onirim", {"players": 1})
    done = run_bot(served, admit(host, "bot", 0))
    assert done.returncode == 0, done.stderr
    assert session.update(0).view["outcome"] is not None
    assert len(done.stdout.splitlines()) > 20


def test_the_example_bot_plays_the_killer_for_a_whole_evening(room: Room, host: Visitor, served: str) -> None:
    """The survivors are played at random by the table; everything the killer does comes through the API."""
    session = room.table.start("whisper", {})
    killer = session.seats.index("killer")
    token = admit(host, "bot", killer)
    survivors = Thread(target=play_the_others, args=(session, killer), daemon=True)
    survivors.start()
    done = run_bot(served, token)
    survivors.join(30)
    assert done.returncode == 0, done.stderr
    assert session.update(-2).view["outcome"] is not None
    assert 5 < sum(seat == killer for seat, _ in session.lines()) <= len(done.stdout.splitlines())


def play_the_others(session: Any, killer: int) -> None:
    rng, mailbox = Random(5), session.subscribe(-2)
    while session.update(-2).view["outcome"] is None:
        offered = [(seat, session.actions(seat)) for seat in range(len(session.seats)) if seat != killer]
        able = [(seat, actions) for seat, actions in offered if actions]
        if able:
            seat, actions = rng.choice(able)
            # The killer may have acted meanwhile, and nothing be asked of this seat any more.
            with suppress(Refused):
                session.submit(seat, rng.choice(actions))
        else:
            mailbox.get(0.05)
    session.unsubscribe(mailbox)


@pytest.mark.browser
def test_the_overlay_of_another_site_shows_what_a_stranger_sees(
    room: Room, host: Visitor, served: str, browser: Any
) -> None:
    session = room.table.start("onirim", {"players": 2, "openness": "silent"})
    token = admit(host, "spectator")
    elsewhere = ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(EXAMPLES))
    )
    Thread(target=elsewhere.serve_forever, daemon=True).start()
    page = browser.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    try:
        page.goto(f"http://localhost:{elsewhere.server_port}/overlay.html#http://{served}/{token}")
        page.locator("#title", has_text="Onirim").wait_for()
        assert re.search("Player [12]", page.locator("#turn").inner_text())
        seat = session.update(-2).view["needs"][0][0]
        session.submit(seat, session.actions(seat)[0])
        page.locator("#last", has_text=re.compile(r"\w")).wait_for()
    finally:
        page.close()
        elsewhere.shutdown()
        elsewhere.server_close()
    assert wrong == []
