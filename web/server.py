"""The embedded server: enough threads that open streams can never starve requests."""

from __future__ import annotations

import socket
import threading

from flask import Flask
from waitress.server import create_server  # type: ignore[import-untyped]
from waitress.wasyncore import close_all  # type: ignore[import-untyped]

from companion.errors import ConfigError
from web.app import Web, create_app
from web.stream import Streams

REQUEST_THREADS = 8


class Server:
    """Serves an app until it is closed."""

    def __init__(self, web: Web, host: str, port: int) -> None:
        self.app: Flask = create_app(web)
        self._streams: Streams = self.app.extensions["gloam-streams"]
        try:
            self._server = create_server(
                self.app,
                host=host,
                port=port,
                threads=REQUEST_THREADS + web.door.max_streams,
                connection_limit=4 * web.door.max_streams + 64,
                channel_timeout=60,
                ident=None,
                clear_untrusted_proxy_headers=True,
            )
        except (OSError, ValueError) as error:
            raise ConfigError(f"cannot serve on {host} port {port}: {error}") from error
        self.port: int = self._server.effective_port
        self._thread: threading.Thread | None = None

    def run(self) -> None:
        """Serves until interrupted."""
        try:
            self._server.run()
        finally:
            self.close()

    def start(self) -> None:
        """Serves in a thread of its own."""
        self._thread = threading.Thread(target=self._server.run, name="web", daemon=True)
        self._thread.start()

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
