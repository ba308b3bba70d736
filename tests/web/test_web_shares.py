"""Fair shares of the server: what a stranger sends or holds open never hinders the table."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path

import pytest
from web_tools import Room

from web import server as servers
from web.access import AccessPolicy
from web.server import Server
from web.siege import besiege

EACH = AccessPolicy().connections_each


@pytest.fixture
def served(room: Room) -> Iterator[Server]:
    server = Server(room.web, "127.0.0.1", 0)
    server.start()
    yield server
    server.close()


def knock(server: Server, head: str, source: str = "127.0.0.2") -> socket.socket:
    """Begins a request from an address of its own."""
    caller = socket.create_connection(("127.0.0.1", server.port), timeout=20, source_address=(source, 0))
    caller.sendall(f"{head}\r\nHost: 127.0.0.1:{server.port}\r\n".encode())
    return caller


@pytest.mark.parametrize("path", ["/api/join", "/api/restore"])
def test_a_stranger_s_big_body_is_refused_by_its_head(served: Server, path: str) -> None:
    with knock(served, f"POST {path} HTTP/1.1") as caller:
        caller.sendall(b"Content-Type: application/zip\r\nContent-Length: 60000000\r\n\r\n")
        assert caller.recv(200).startswith(b"HTTP/1.1 413 "), "not a byte of the body was sent"


def seconds(cookie: str) -> float:
    """How long the server's loop is held up by a cookie."""
    began = time.process_time()
    servers._cookie(cookie)
    return time.process_time() - began


def test_no_cookie_of_a_guest_holds_up_the_loop() -> None:
    for sign in ("\\", '\\"', "\\101", ";", "=", " "):
        short, long = (f'gloam="{sign * n}"' for n in (2_000, 16_000))
        assert min(seconds(long) for _ in range(5)) < 24 * max(min(seconds(short) for _ in range(5)), 1e-4)


def test_a_head_that_no_browser_sends_is_refused(served: Server) -> None:
    with knock(served, "POST /api/restore HTTP/1.1") as caller:
        caller.sendall(b"Cookie: gloam=" + b"x" * 40_000 + b"\r\n\r\n")
        assert b" 431 " in caller.recv(200)


def test_a_host_may_send_a_backup(served: Server, room: Room) -> None:
    host = room.host()
    parser = served._server.channel_class.parser_class(served._server.adj)
    head = f"POST /api/restore HTTP/1.1\r\nCookie: gloam={host.cookie()}\r\nContent-Length: 60000000\r\n\r\n"
    parser.received(head.encode())
    assert parser.error is None and not parser.completed


def test_half_open_requests_of_one_address_leave_room_for_others(served: Server) -> None:
    with ExitStack() as stack:
        for _ in range(EACH * 5):
            stack.enter_context(knock(served, "GET / HTTP/1.1"))
        connection = HTTPConnection("127.0.0.1", served.port, timeout=10)
        connection.request("GET", "/api/room")
        assert connection.getresponse().status == 200
        connection.close()
        there = [one.peer for one in served._server.active_channels.values()]
        assert there.count("127.0.0.2") <= EACH
        assert served.is_turning(5)


def test_a_request_that_never_ends_is_closed(served: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "REQUEST_S", 0.5)
    with (
        knock(served, "GET / HTTP/1.1") as caller,
        socket.create_connection(("127.0.0.1", served.port)) as idle,
    ):
        assert caller.recv(10) == b""
        idle.settimeout(20)
        assert idle.recv(10) == b"", "nor may one say nothing at all"


def test_the_loop_s_heartbeat_stops_with_the_loop(room: Room, tmp_path: Path) -> None:
    server = Server(room.web, "127.0.0.1", 0)
    assert not server.is_turning(0.2), "the loop has not begun"
    server.start()
    assert server.is_turning(10)
    server.close()


@pytest.mark.slow
def test_a_siege_by_one_guest_costs_the_players_no_answer_and_no_stream() -> None:
    """`gloam bench --only siege` says how long the answers take."""
    found = besiege(seconds=2.0, rounds=1)
    print(f"p99 idle {found.idle_s * 1000:.0f} ms, besieged {found.siege_s * 1000:.0f} ms")
    assert (found.failed, found.lost) == (0, 0)
