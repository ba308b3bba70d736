"""How fast news reach the pages while a whole evening listens, beside bare server-sent events.

Twenty-five pages follow a game that changes ten times a second: its seats, spectators in two languages, and
the table's screen. As many clients of the same server, in the same process, get an event of the same size
that nobody has to make. The two take turns, so whatever else the machine does hits both.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from http.client import HTTPConnection
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import NamedTuple

from flask import Response

from companion.table.journal import Journal, Line
from companion.table.people import People
from companion.table.session import Session
from companion.table.table import Table
from web.access import AccessPolicy
from web.context import Web
from web.server import Server, lan_address
from web.stream import server_sent_event

PLAYERS = 4
BARE_PATH = "/bare"


class Load(NamedTuple):
    """What a loaded table came to: 99th percentiles in seconds, and the streams that missed the end."""

    push_s: float
    bare_s: float
    """The same for bare events."""
    request_s: float
    lost: int


class Listener:
    """A client that only listens: reads a stream and notes when each event came, and how long it was."""

    def __init__(
        self, host: str, port: int, number: int, path: str = "/api/stream", query: str = "lang=en"
    ) -> None:
        """`number` tells the clients apart; they come from several addresses, as phones do."""
        self.times: dict[int, float] = {}
        self.size = 0
        """Characters of the newest event."""
        source = (f"127.0.0.{2 + number % 8}", 0)
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=30, source_address=source)
        self._socket.sendall(
            f"GET {path}?page=p{number}&{query} HTTP/1.1\r\nHost: {host}\r\n"
            f"Cookie: gloam={cookie(number)}\r\n\r\n".encode()
        )
        self._lines = self._socket.makefile("r", encoding="utf-8")
        self.status = int(self._lines.readline().split()[1])
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        number = -1
        for line in self._lines:
            if line.startswith("id: "):
                number = int(line[4:])
            elif line.startswith("data: ") and number >= 0:
                # A page has an event when all of it is there.
                self.times.setdefault(number, time.monotonic())
                self.size, number = len(line), -1

    def close(self) -> None:
        """Hangs up."""
        self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(5)
        self._socket.close()


def cookie(number: int) -> str:
    """The cookie of a listener."""
    return f"listener-number-{number:04}-at-this-table"


class TimedJournal(Journal):
    """Notes when a move was durable: from then on it is pushed."""

    appended_s = 0.0

    def append(self, number: int, first: int, lines: Sequence[Line]) -> None:
        super().append(number, first, lines)
        self.appended_s = time.monotonic()


class BareFeed:
    """Server-sent events with nothing behind them: a queue per client."""

    def __init__(self) -> None:
        self._queues: list[SimpleQueue[str]] = []
        self.sent: dict[int, float] = {}

    def stream(self) -> Response:
        """Opens a client's stream."""
        queue: SimpleQueue[str] = SimpleQueue()
        self._queues.append(queue)
        return Response(self._texts(queue), mimetype="text/event-stream")

    def _texts(self, queue: SimpleQueue[str]) -> Iterator[str]:
        yield "retry: 1000\n\n"
        while text := queue.get():
            yield text

    def send(self, number: int, sizes: list[int]) -> None:
        """Sends every client an event of its size."""
        texts = [server_sent_event("update", "x" * size, number) for size in sizes]
        self.sent[number] = time.monotonic()
        for queue, text in zip(self._queues, texts, strict=True):
            queue.put(text)

    def close(self) -> None:
        """Ends every stream."""
        for queue in self._queues:
            queue.put("")


def load(seconds: float, phones: int = 24, updates_a_second: int = 10) -> Load:
    """Serves a table to phones and its own screen while it changes all the time."""
    host = lan_address() or "127.0.0.1"
    with TemporaryDirectory() as folder:
        journal = TimedJournal(Path(folder) / "games.db")
        table = Table(journal, People())
        server = Server(
            Web(table, AccessPolicy(max_streams=2 * phones + 24, streams_each=2 * phones + 24)), "0.0.0.0", 0
        )
        bare = BareFeed()
        server.app.add_url_rule(BARE_PATH, "bare", bare.stream)
        server.start()
        session = table.start("night_cage", {"players": PLAYERS}, seed=4)
        for seat in range(PLAYERS):
            table.people.sit(session.number, seat, table.people.device(cookie(seat)))
        queries = [f"lang=en&seat={seat}" for seat in range(PLAYERS)]
        queries += [f"lang={'ru' if n % 4 == 0 else 'en'}" for n in range(phones + 1 - PLAYERS)]
        pages = [Listener(host, server.port, n, query=query) for n, query in enumerate(queries)]
        others = [Listener(host, server.port, n, BARE_PATH) for n in range(len(pages))]
        stop, answered = threading.Event(), list[float]()
        asker = threading.Thread(target=_ask, args=(host, server.port, stop, answered), daemon=True)
        asker.start()
        try:
            made = _change(
                session,
                journal,
                seconds,
                updates_a_second,
                lambda n: bare.send(n, [page.size for page in pages]),
            )
            last, end = max(made), time.monotonic() + 10
            while any(last not in one.times for one in pages) and time.monotonic() < end:
                stop.wait(0.02)
        finally:
            stop.set()
            asker.join(10)
            bare.close()
            for one in [*pages, *others]:
                one.close()
            server.close()
            session.close()
            journal.close()
    return Load(
        _p99(_delays(pages, made)),
        _p99(_delays(others, bare.sent)),
        _p99(answered),
        sum(last not in one.times for one in pages),
    )


def _delays(listeners: list[Listener], sent: dict[int, float]) -> list[float]:
    return [one.times[n] - sent[n] for one in listeners for n in sent if n in one.times]


def _change(
    session: Session,
    journal: TimedJournal,
    seconds: float,
    a_second: int,
    send_bare: Callable[[int], None],
) -> dict[int, float]:
    """Moves and takes back, `a_second` times, each with a bare event half a pause later.

    Returns when each version was made.
    """
    made: dict[int, float] = {}
    begin, never = time.monotonic(), threading.Event()
    for n in range(int(seconds * a_second)):
        never.wait(max(0.0, begin + n / a_second - time.monotonic()))
        if n % 2:
            session.undo(force=True)
        else:
            session.submit(0, session.actions(0)[0])
        # Everybody sees everything in this game, so all viewers have the same versions.
        made[session.update(0).version] = journal.appended_s
        never.wait(max(0.0, begin + (n + 0.5) / a_second - time.monotonic()))
        send_bare(n)
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
    """The numbers that `gloam bench` prints: milliseconds, and pushes as a multiple of bare events."""
    found = load(10)
    return {
        "push_p99_ms": found.push_s * 1000,
        "bare_p99_ms": found.bare_s * 1000,
        "push_over_bare": found.push_s / found.bare_s,
        "request_p99_ms": found.request_s * 1000,
        "lost": found.lost,
    }
