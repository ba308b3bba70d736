"""Streams: one per page, bounded, never starving requests; a killed server comes back to everybody."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from random import Random

import pytest
from web_browser import House, Person

from companion.engine.action import PUBLIC
from web import frames
from web.benchmark import Listener, load
from web.server import lan_address
from web.stream import Stream, Streams


@pytest.fixture
def listeners(house: House) -> Iterator[Callable[[int], list[Listener]]]:
    opened: list[Listener] = []

    def listen(n: int) -> list[Listener]:
        opened.extend(Listener(house.host, house.server.port, len(opened)) for _ in range(n))
        return opened

    yield listen
    for one in opened:
        one.close()


def test_streams_beyond_the_cap_are_refused_and_requests_are_answered(
    house: House, listeners: Callable[[int], list[Listener]]
) -> None:
    free = house.web.streams.limit - Streams.KEPT
    opened = listeners(free + 1)
    assert [one.status for one in opened] == [200] * free + [503]
    connection = HTTPConnection(house.host, house.server.port, timeout=5)
    connection.request("GET", "/api/room")
    assert connection.getresponse().status == 200


def test_a_page_that_comes_again_replaces_its_old_stream(house: House) -> None:
    streams = Streams(1)
    first = Stream(house.table, streams, "device", "page", -2, "en")
    second = Stream(house.table, streams, "device", "page", -2, "en")
    other = Stream(house.table, streams, "device", "another", -2, "en")
    assert streams.open(first) and streams.open(second)
    assert not streams.open(other)
    assert list(first)[1:] == []


def test_strangers_cannot_take_the_streams_of_the_host_and_the_seats(house: House) -> None:
    streams = Streams(32, 8)
    house.people.make_host("screen")
    house.table.start("onirim", {"players": 2}, seed=2)
    house.table.claim("phone", 0)

    def is_open(device: str, page: str = "page", peer: str = "") -> bool:
        return streams.open(Stream(house.table, streams, device, page, -2, "en", peer))

    assert [is_open(f"a{n}", peer="a") for n in range(9)] == [True] * 8 + [False]
    assert sum(is_open(f"{n}", peer=f"{n % 20}") for n in range(200)) == 16
    assert is_open("screen") and is_open("phone", "seat"), "host and seats have room of their own"
    assert [is_open("phone", f"{n}") for n in range(20)].count(True) <= 7
    streams = Streams(32, 4)
    assert [is_open("screen", f"{n}") for n in range(20)].count(True) == 4, "nor does one of them take it all"


def test_a_stream_begins_with_the_room_and_the_whole_position(house: House) -> None:
    house.table.start("onirim", {}, seed=2)
    told = iter(Stream(house.table, Streams(1), "device", "page", -2, "en"))
    assert next(told).startswith("retry:")
    room = json.loads(next(told).split("data: ")[1])
    update = next(told)
    assert room["game"] == "onirim"
    data = json.loads(update.split("data: ")[1])
    assert update.startswith(f"id: {data['version']}\n")
    assert data["view"] == house.table.session.update(-2).view


def test_every_line_is_told_with_its_number_while_the_room_changes_and_several_actions_come_at_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = house.table.start("onirim", {"players": 2}, seed=2)
    told = iter(Stream(house.table, Streams(1), "device", "page", PUBLIC, "en"))
    for _ in range(3):
        next(told)
    lines = [event.kind for event in session.history(PUBLIC)]
    rng, shown = Random(2), session.update(PUBLIC).version

    def act(n: int) -> None:
        for _ in range(n):
            seat = session.state().needs()[0].seat
            session.submit(seat, rng.choice(session.actions(seat)))

    true = frames.frame
    for n in range(12):
        if n % 3 == 1:
            house.table.version += 1
        act(1 + n % 2)
        with monkeypatch.context() as patch:
            if n % 2:  # another action is taken while the frame is being made
                patch.setattr(frames, "frame", lambda *given: (act(1), true(*given))[1])
            newest = next(one for one in told if one.startswith("id:"))
        said = json.loads(newest.split("data: ")[1])
        assert said["version"] > shown and said["heard"] == len(lines), (
            "nothing is missed, nothing comes twice"
        )
        shown = said["version"]
        lines += [line["kind"] for line in said["log"]]
    assert lines == [event.kind for event in session.history(PUBLIC)]


def test_a_stream_ends_when_its_seat_is_lost(house: House) -> None:
    session = house.table.start("onirim", {"players": 2}, seed=2)
    house.people.call("phone", "Ann")
    house.table.claim("phone", 0)
    told = iter(Stream(house.table, Streams(1), "phone", "page", 0, "en"))
    for _ in range(3):
        next(told)
    house.table.free(0, "kicked")
    assert any(one.startswith("event: gone") for one in told)
    assert session.number == house.table.session.number


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [15, pytest.param(60, marks=pytest.mark.long)])
def test_24_phones_and_the_table_get_ten_updates_a_second(seconds: int) -> None:
    found = load(seconds)
    print(f"p99 push {found.push_s * 1000:.0f} ms, p99 request {found.request_s * 1000:.0f} ms")
    assert found.lost == 0
    assert found.push_s < 2.0
    assert found.request_s < 2.0


class Process:
    """`gloam run` as a process of its own, which can be killed."""

    def __init__(self, folder: Path, port: int) -> None:
        self.port = port
        self._command = [
            *(
                sys.executable,
                "-c",
                "import sys; from companion.service.app import run; sys.exit(run(sys.argv[1:]))",
            ),
            *("--port", str(port), "--journal", str(folder / "games.db")),
        ]
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(
            self._command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
        )
        self.printed = ""
        for line in self._process.stdout:
            self.printed += line
            if "Ctrl+C" in line:
                break

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self._process.stdout.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("", 0))
        return int(probe.getsockname()[1])


@pytest.mark.browser
@pytest.mark.slow
def test_after_a_kill_all_pages_return_to_their_seats_without_a_tap(browser, tmp_path: Path) -> None:
    process = Process(tmp_path, free_port())
    url = f"http://{lan_address() or 'localhost'}:{process.port}"
    people = [Person(browser, url, phone=phone, moves=False) for phone in (False, True, True)]
    table, ann, bob = people
    table.page.goto(re.search(r"http://\S+#setup=\w+", process.printed)[0])
    table.tap("[data-game=onirim]")
    table.page.locator("#option-players").select_option("2")
    table.tap("dialog button.go")
    table.page.locator("svg.board").wait_for()
    code = table.page.evaluate("fetch('/api/invite').then((answer) => answer.json())")["code"]
    for seat, (one, name) in enumerate([(ann, "Ann"), (bob, "Bob")]):
        one.page.goto(f"{url}/join#code={code}")
        one.page.fill("#name", name)
        one.tap("button.go")
        one.tap(f"[data-take='{seat}']")
        one.page.locator("svg.board").wait_for()
    read = """fetch(`/api/frame?seat=${location.hash.slice(1) || "public"}`)
        .then((answer) => answer.json()).then((frame) => JSON.stringify(frame.view))"""
    before = [one.page.evaluate(read) for one in people]

    process.kill()
    for one in people:
        one.page.locator("html[data-live=no]").wait_for()
    process.start()
    for one in people:
        one.page.locator("html[data-live=yes]").wait_for()

    assert [one.page.evaluate(read) for one in people] == before
    assert [one.page.url for one in people] == [f"{url}/", f"{url}/seat#0", f"{url}/seat#1"]
    assert "setup" not in process.printed
    process.kill()
    for one in people:
        one.close()


@pytest.mark.slow
def test_a_table_that_is_stopped_ends_its_streams_at_once(tmp_path: Path) -> None:
    """As by Ctrl+C or systemd, with pages open: every thread has ended when it says good night."""
    command = [sys.executable, "-m", "companion.service.cli", "run", "--host", "127.0.0.1", "--port"]
    port = free_port()
    table = subprocess.Popen(
        [*command, str(port)],
        env={**os.environ, "GLOAM_DATA": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert table.stdout is not None
    assert any(line.startswith("Stop with") for line in table.stdout)
    pages = [HTTPConnection("127.0.0.1", port, timeout=30) for _ in range(5)]
    for i, page in enumerate(pages):
        page.request("GET", f"/api/stream?seat=public&page=p{i}")
        assert page.getresponse().status == 200
    table.send_signal(signal.SIGTERM)
    said, _ = table.communicate(timeout=60)
    assert "still running" not in said and "Good night." in said
    assert table.returncode == 0


def test_a_closed_server_leaves_no_thread_and_no_open_connection(house: House) -> None:
    port = house.server.port
    thread = next(thread for thread in threading.enumerate() if thread.name == "web")
    with socket.create_connection((house.host, port), timeout=5) as caller:
        caller.sendall(f"GET /health HTTP/1.1\r\nHost: {house.host}:{port}\r\n\r\n".encode())
        assert caller.recv(4096).startswith(b"HTTP/1.1 "), "answered, and kept open for more"
        house.server.close()
        assert not thread.is_alive()
        while caller.recv(4096):
            pass  # what is left of the answer; then the connection ends
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((house.host, port), timeout=5)
