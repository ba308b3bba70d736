"""How fast news reach the phones while a whole evening listens."""

from __future__ import annotations

import socket
import threading
import time
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from companion.action import PUBLIC
from companion.journal import Journal
from companion.session import Session
from web.app import Web
from web.people import People
from web.server import Server, lan_address
from web.table import Table


class Load(NamedTuple):
    """What a loaded table came to: 99th percentiles in seconds, and the streams that missed the end."""

    push_s: float
    request_s: float
    lost: int


class Listener:
    """A phone that only listens: reads a stream and notes when each update came."""

    def __init__(self, host: str, port: int, number: int) -> None:
        self.times: dict[int, float] = {}
        self._socket = socket.create_connection((host, port), timeout=30)
        self._socket.sendall(
            f"GET /api/stream?lang=en&page=p{number} HTTP/1.1\r\nHost: {host}\r\n"
            f"Cookie: gloam=listener-number-{number:04}-at-this-table\r\n\r\n".encode()
        )
        self._lines = self._socket.makefile("r", encoding="utf-8")
        self.status = int(self._lines.readline().split()[1])
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        for line in self._lines:
            if line.startswith("id: "):
                self.times.setdefault(int(line[4:]), time.monotonic())

    def close(self) -> None:
        """Hangs up."""
        self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(5)
        self._socket.close()


def load(seconds: float, phones: int = 24, updates_a_second: int = 10) -> Load:
    """Serves a table to so many phones and its own screen while it changes all the time."""
    host = lan_address() or "127.0.0.1"
    with TemporaryDirectory() as folder:
        table = Table(Journal(Path(folder) / "games.db"), People())
        server = Server(Web(table), "0.0.0.0", 0)
        server.start()
        session = table.start("night_cage", {"players": 1}, seed=4)
        listeners = [Listener(host, server.port, n) for n in range(phones + 1)]
        stop, answered = threading.Event(), list[float]()
        asker = threading.Thread(target=_ask, args=(host, server.port, stop, answered), daemon=True)
        asker.start()
        try:
            made = _change(session, seconds, updates_a_second)
            last, end = max(made), time.monotonic() + 10
            while any(last not in one.times for one in listeners) and time.monotonic() < end:
                stop.wait(0.02)
        finally:
            stop.set()
            asker.join(10)
            for one in listeners:
                one.close()
            server.close()
            session.close()
            table.journal.close()
    delays = [
        one.times[version] - made[version] for one in listeners for version in made if version in one.times
    ]
    return Load(_p99(delays), _p99(answered), sum(last not in one.times for one in listeners))


def _change(session: Session, seconds: float, a_second: int) -> dict[int, float]:
    """Moves and takes back, so many times a second; returns when each version was made."""
    made: dict[int, float] = {}
    begin, never = time.monotonic(), threading.Event()
    for n in range(int(seconds * a_second)):
        never.wait(max(0.0, begin + n / a_second - time.monotonic()))
        if n % 2:
            session.undo(force=True)
        else:
            session.submit(0, session.actions(0)[0])
        made[session.update(PUBLIC).version] = time.monotonic()
    return made


def _ask(host: str, port: int, stop: threading.Event, answered: list[float]) -> None:
    while not stop.wait(0.2):
        begin = time.monotonic()
        connection = HTTPConnection(host, port, timeout=10)
        connection.request("GET", "/api/room")
        assert connection.getresponse().status == 200
        connection.close()
        answered.append(time.monotonic() - begin)


def _p99(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)] if times else 0.0


def measures() -> dict[str, float]:
    """The numbers that `gloam bench` prints, in milliseconds."""
    found = load(10)
    return {"push_p99_ms": found.push_s * 1000, "request_p99_ms": found.request_s * 1000, "lost": found.lost}
