"""The embedded server: enough threads that open streams never starve requests, and fair shares of the rest.

What a stranger sends is refused before it is stored, and connections that never ask for anything are closed.
"""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Callable
from copy import copy
from functools import partial
from typing import Any

from flask import Flask
from waitress.channel import HTTPChannel  # type: ignore[import-untyped]
from waitress.parser import HTTPRequestParser  # type: ignore[import-untyped]
from waitress.server import create_server  # type: ignore[import-untyped]
from waitress.utilities import RequestEntityTooLarge  # type: ignore[import-untyped]
from waitress.wasyncore import close_all, dispatcher  # type: ignore[import-untyped]
from werkzeug.http import parse_cookie

from companion.engine.errors import ConfigError
from web.access import COOKIE, neighbour
from web.app import MAX_BODY_BYTES, create_app
from web.context import Web
from web.routes import UPLOADS
from web.routes.care import MAX_BACKUP_BYTES
from web.tls import EitherSocket

REQUEST_THREADS = 8
REFUSED_A_TURN = 64
"""How many connections are refused before the others have their turn."""
REQUEST_S = 15.0
"""How long a request's head and body may take to arrive."""
UPLOAD_S = 120.0
MAX_HEAD_BYTES = 32 * 1024
"""How long the head of a request may be; browsers send some hundreds of bytes."""


def _parser(is_host: Callable[[str], bool]) -> type:
    """A parser that refuses a body by its head: only a host may send a file, and only where one is taken."""

    class FairParser(HTTPRequestParser):  # type: ignore[misc]
        limit = MAX_BODY_BYTES
        error: Any = None

        @property
        def is_upload(self) -> bool:
            return self.limit > MAX_BODY_BYTES

        def parse_header(self, header_plus: bytes) -> None:
            super().parse_header(header_plus)
            if getattr(self, "path", "") in UPLOADS and is_host(_cookie(self.headers.get("COOKIE", ""))):
                self.limit = MAX_BACKUP_BYTES

        def received(self, data: bytes) -> int:
            consumed: int = super().received(data)
            if self.error is None and max(self.content_length, self.body_bytes_received) > self.limit:
                self.error = RequestEntityTooLarge(f"exceeds max_body of {self.limit}")
                self.completed = True
            return consumed

    return FairParser


def _cookie(header: str) -> str:
    """What stands in our cookie. Python's own parser takes the square of the time for many backslashes."""
    return parse_cookie(header).get(COOKIE, "")


def _accept(
    server: Any, most: int, tls: ssl.SSLContext | None
) -> tuple[socket.socket | EitherSocket, Any] | None:
    """The next connection of an address that has not too many; others are closed before they cost more."""
    for _ in range(REFUSED_A_TURN):
        found: tuple[socket.socket, Any] | None = dispatcher.accept(server)
        if found is None:
            return None
        peer = neighbour(str(found[1][0]))
        if sum(one.peer == peer for one in server.active_channels.values()) < most:
            return found if tls is None else (EitherSocket(found[0], tls), found[1])
        found[0].close()
    return None


class FairChannel(HTTPChannel):  # type: ignore[misc]
    """A connection whose requests arrive in time."""

    def __init__(self, server: Any, sock: socket.socket, addr: Any, adj: Any, map: Any = None) -> None:
        self.peer = neighbour(str(addr[0]))
        self._since_s, self._is_safe = time.monotonic(), False
        self.adj: Any = adj
        super().__init__(server, sock, addr, adj, map=map)

    def handle_read(self) -> None:
        """Reads; of a connection by TLS only what is decrypted, and what comes there was asked by HTTPS."""
        if isinstance(self.socket, EitherSocket):
            if not self.socket.is_ready():
                return
            if self.socket.is_safe and not self._is_safe:
                self._is_safe, safe = True, copy(self.adj)
                safe.url_scheme = "https"
                self.adj = safe
        super().handle_read()

    def received(self, data: bytes) -> bool:
        if self.request is None:
            self._since_s = time.monotonic()
        return bool(super().received(data))

    def readable(self) -> bool:
        """Asked in every turn of the loop: also looks whether what is under way takes too long."""
        request = self.request
        has_begun = request is not None or not self.was_used
        limit_s = UPLOAD_S if request is not None and request.is_upload else REQUEST_S
        if has_begun and not self.requests and time.monotonic() - self._since_s > limit_s:
            self.will_close = True
        return bool(super().readable())

    @property
    def was_used(self) -> bool:
        """Whether anything was asked for: a browser keeps such a connection for its next question."""
        return bool(self.last_activity > self.creation_time)


class Server:
    """Serves an app until it is closed; with a certificate by HTTPS too, on the same port."""

    def __init__(self, web: Web, host: str, port: int, tls: ssl.SSLContext | None = None) -> None:
        self.app: Flask = create_app(web)
        self._streams = web.streams
        try:
            self._server = create_server(
                self.app,
                host=host,
                port=port,
                threads=REQUEST_THREADS + web.policy.max_streams,
                connection_limit=4 * web.policy.max_streams + 256,
                asyncore_use_poll=True,
                max_request_header_size=MAX_HEAD_BYTES,
                max_request_body_size=MAX_BACKUP_BYTES + 1,
                channel_timeout=60,
                ident=None,
                clear_untrusted_proxy_headers=True,
            )
        except (OSError, ValueError) as error:
            raise ConfigError(f"cannot serve on {host} port {port}: {error}") from error
        people = web.table.people

        class Channel(FairChannel):
            parser_class = _parser(lambda cookie: people.is_host(people.device(cookie)))

        self._server.channel_class = Channel
        self._server.accept = partial(_accept, self._server, web.policy.connections_each, tls)
        self.port: int = self._server.effective_port
        self._thread: threading.Thread | None = None

    def run(self) -> None:
        """Serves until interrupted."""
        try:
            self._loop()
        except KeyboardInterrupt:
            pass
        finally:
            self.close()

    def _loop(self) -> None:
        """The server's own loop. Waitress' `run` would wait for streams that nobody has ended yet."""
        server = self._server
        server.asyncore.loop(server.adj.asyncore_loop_timeout, server.adj.asyncore_use_poll, server._map)

    def start(self) -> None:
        """Serves in a thread of its own."""
        self._thread = threading.Thread(target=self._loop, name="web", daemon=True)
        self._thread.start()

    def is_turning(self, seconds: float) -> bool:
        """Whether the server's loop comes round within a time; asked from inside, whoever knocks outside."""
        turned = threading.Event()
        self._server.trigger.pull_trigger(turned.set)
        return turned.wait(seconds)

    def close(self) -> None:
        """Ends every stream and stops listening."""
        self._streams.close_all()
        self._streams.wait_until(0, 2.0)
        self._server.task_dispatcher.shutdown(timeout=2)
        if self._thread is None or not self._thread.is_alive():
            self._server.close()
            return
        called = threading.Event()

        def end() -> None:
            """In the loop's own thread: it must not be waiting for a socket that somebody closes."""
            called.wait(2)  # nor must its waker be closed while it is being called
            close_all(self._server._map, ignore_all=True)

        self._server.trigger.pull_trigger(end)
        called.set()
        self._thread.join(2)


def lan_address() -> str:
    """This machine's address in the local network, or "" where it has none.

    No packet is sent: the system is only asked which way it would send one.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 1))
        except OSError:
            return ""
        address: str = probe.getsockname()[0]
    return "" if address.startswith("127.") else address
