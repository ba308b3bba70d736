"""How the table goes on while one guest does all to spoil it: `gloam bench --only siege`.

A host and six seats ask for their positions and hold their streams. Meanwhile a guest, a process of its own
with one address, holds half-open connections, asks for streams, and tries codes. Quiet times and sieges take
turns, so whatever else the machine does hits both; what counts is the ratio. All stays on the loopback.
"""

from __future__ import annotations

import select
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from companion.table.journal import Journal
from companion.table.people import People
from companion.table.table import Table
from web.access import AccessPolicy
from web.benchmark import Listener, cookie
from web.context import Web
from web.server import Server

SEATS = 6
ROUNDS = 3
ROUND_S = 4.0
PAUSE_S = 0.05
"""Between two questions of a player."""
HALF_OPEN, STREAMS, TRIES_A_SECOND = 500, 200, 50
"""What the guest holds, asks for and tries."""
GUEST = "127.0.0.99"


class Siege(NamedTuple):
    """What a siege came to: 99th percentiles in seconds, and what the players lost."""

    idle_s: float
    siege_s: float
    failed: int
    """Questions of the host and the seats that were not answered with 200."""
    lost: int
    """Streams of the host and the seats that ended."""
    tries: int
    """How many tries of the guest were answered at all."""


class Player:
    """A host or a seat: asks for its position again and again, and notes how long each answer took."""

    def __init__(self, port: int, number: int, path: str) -> None:
        self.times: list[float] = []
        self.failed = 0
        self._port, self._number, self._path = port, number, path
        self._connection = self._connect()

    def _connect(self) -> HTTPConnection:
        source = (f"127.0.0.{10 + self._number}", 0)
        return HTTPConnection("127.0.0.1", self._port, timeout=30, source_address=source)

    def play(self, until_s: float) -> None:
        """Asks until the time is up."""
        while time.monotonic() < until_s:
            began = time.monotonic()
            try:
                self._connection.request(
                    "GET", self._path, headers={"Cookie": f"gloam={cookie(self._number)}"}
                )
                answer = self._connection.getresponse()
                answer.read()
                self.failed += answer.status != 200
            except (OSError, HTTPException):
                self.failed += 1
                self._connection.close()
                self._connection = self._connect()
            self.times.append(time.monotonic() - began)
            time.sleep(PAUSE_S)

    def close(self) -> None:
        self._connection.close()


def besiege(seconds: float = ROUND_S, rounds: int = ROUNDS) -> Siege:
    """Serves a table to its players, in turns quiet and besieged."""
    with TemporaryDirectory() as folder:
        journal = Journal(Path(folder) / "games.db")
        table = Table(journal, People())
        server = Server(Web(table, AccessPolicy()), "127.0.0.1", 0)
        server.start()
        session = table.start("dark_cave", {"players": SEATS}, seed=4)
        for seat in range(SEATS):
            table.people.sit(session.number, seat, table.people.device(cookie(seat)))
        table.people.make_host(table.people.device(cookie(SEATS)))
        queries = [*(f"lang=en&seat={seat}" for seat in range(SEATS)), "lang=en"]
        pages = [Listener("127.0.0.1", server.port, n, query=query) for n, query in enumerate(queries)]
        players = [Player(server.port, n, f"/api/frame?{query}") for n, query in enumerate(queries)]
        idle, siege, tries = list[float](), list[float](), 0
        try:
            _play(players, 1.0)  # what is made once is made
            for _ in range(rounds):
                idle += _play(players, seconds)
                with subprocess.Popen(
                    [sys.executable, "-m", "web.siege", str(server.port), str(seconds + 2)],
                    stdout=subprocess.PIPE,
                    text=True,
                ) as guest:
                    assert guest.stdout is not None
                    guest.stdout.readline()  # it has begun
                    siege += _play(players, seconds)
                    tries += int(guest.stdout.readline())
            lost = sum(not one._thread.is_alive() for one in pages)
        finally:
            for player in players:
                player.close()
            for page in pages:
                page.close()
            server.close()
            session.close()
            journal.close()
    return Siege(_p99(idle), _p99(siege), sum(player.failed for player in players), lost, tries)


def _play(players: list[Player], seconds: float) -> list[float]:
    """Lets all players ask at once; returns how long their answers took."""
    until_s = time.monotonic() + seconds
    threads = [threading.Thread(target=player.play, args=(until_s,)) for player in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    times = [one for player in players for one in player.times]
    for player in players:
        player.times.clear()
    return times


def _p99(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)]


# The guest ---------------------------------------------------------------------------------------


class Guest:
    """Holds as many connections as it is let, and tries codes; bounded in number and in time."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._held: list[socket.socket | None] = [None] * (HALF_OPEN + STREAMS)
        self.answered = 0

    def hold(self) -> None:
        """Opens every connection that is not open, or was closed by the table."""
        poll = select.poll()
        for held in self._held:
            if held is not None:
                poll.register(held, select.POLLIN | select.POLLHUP)
        ready = {handle for handle, _ in poll.poll(0)}
        for n, one in enumerate(self._held):
            if one is not None:
                if one.fileno() not in ready or not self._is_closed(one):
                    continue
                one.close()
            with suppress(OSError):
                self._held[n] = self._open(n)

    def _is_closed(self, one: socket.socket) -> bool:
        try:
            return one.recv(65536) == b""
        except OSError:
            return True

    def _open(self, n: int) -> socket.socket:
        one = self._connect()
        path, end = ("/", "") if n < HALF_OPEN else (f"/api/stream?page={n}", "\r\n")
        one.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n{end}".encode())
        return one

    def try_code(self) -> None:
        """Tries to join with a wrong code."""
        body = b'{"name": "Eve", "code": "AAAAAA"}'
        head = (
            f"POST /api/join HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nCookie: gloam={cookie(999)}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        try:
            with self._connect() as one:
                one.sendall(head.encode() + body)
                one.settimeout(0.2)
                self.answered += one.recv(100).startswith(b"HTTP/")
        except OSError:
            return

    def _connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self._port), timeout=1, source_address=(GUEST, 0))

    def run(self, seconds: float) -> None:
        """Goes on until the time is up."""
        self.hold()
        print("begun", flush=True)
        end_s = time.monotonic() + seconds
        while (now_s := time.monotonic()) < end_s:
            self.hold()
            for n in range(TRIES_A_SECOND):
                self.try_code()
                time.sleep(max(0.0, now_s + (n + 1) / TRIES_A_SECOND - time.monotonic()))
                if time.monotonic() > end_s:
                    break
        print(self.answered, flush=True)


def measures() -> dict[str, float]:
    """The numbers that `gloam bench` prints."""
    found = besiege()
    return {
        "idle_p99_ms": found.idle_s * 1000,
        "siege_p99_ms": found.siege_s * 1000,
        "ratio": found.siege_s / found.idle_s,
        "failed": found.failed,
        "lost": found.lost,
    }


if __name__ == "__main__":
    Guest(int(sys.argv[1])).run(float(sys.argv[2]))
