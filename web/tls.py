"""Pages by HTTPS on the port of the plain ones: the first byte of a connection says which of the two it is.

The server's loop never waits for a handshake: a socket that is not ready yet says so.
"""

from __future__ import annotations

import errno
import socket
import ssl
import threading
from typing import Any

from companion.engine.errors import ConfigError
from companion.settings.state_file import demand_file

HANDSHAKE = 0x16
"""The first byte of a TLS connection; a plain request begins with a letter."""
CHUNK = 65_536


def tls_context(certificate: str, key: str) -> ssl.SSLContext | None:
    """Reads the owner's certificate and key; None without one, `ConfigError` where it cannot be used."""
    if not certificate:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        demand_file(certificate)
        demand_file(key)
        context.load_cert_chain(certificate, key or None, password="")
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"[web] certificate = {certificate!r}: {error}; certificate and key are files in PEM, the key "
            "without a password"
        ) from error
    return context


class EitherSocket:
    """A socket of the server that speaks plain HTTP or TLS, as its client does.

    Reading is one thread's, writing may be another's; the lock keeps them apart, and neither ever waits.
    """

    def __init__(self, plain: socket.socket, context: ssl.SSLContext) -> None:
        self._socket: socket.socket | ssl.SSLSocket = plain
        self._context = context
        self._lock = threading.Lock()
        self._is_known = False
        self._read: bytes | None = b""
        """What was read and not fetched yet; None at the end."""
        plain.setblocking(False)

    @property
    def is_safe(self) -> bool:
        """Whether it speaks TLS."""
        return isinstance(self._socket, ssl.SSLSocket)

    def is_ready(self) -> bool:
        """Whether `recv` has something to give; asked when bytes have arrived."""
        with self._lock:
            try:
                if not self._is_known:
                    self._begin()
                self._read = self._take()
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError, BlockingIOError):
                return False
            except OSError:  # a handshake that came to nothing ends like a line that broke
                self._read = None
            return True

    def _begin(self) -> None:
        first = self._socket.recv(1, socket.MSG_PEEK)
        self._is_known = True
        if first and first[0] == HANDSHAKE:
            self._socket = self._context.wrap_socket(
                self._socket, server_side=True, do_handshake_on_connect=False
            )

    def _take(self) -> bytes | None:
        found = self._socket.recv(CHUNK)
        # What TLS has decrypted already would not wake the loop again.
        while isinstance(self._socket, ssl.SSLSocket) and self._socket.pending():
            found += self._socket.recv(CHUNK)
        return found or None

    def recv(self, most: int) -> bytes:
        """What `is_ready` has found."""
        found, self._read = self._read or b"", b""
        return found

    def send(self, data: Any) -> int:
        """Sends what goes without waiting."""
        with self._lock:
            try:
                return self._socket.send(data)
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError) as error:
                raise BlockingIOError(errno.EWOULDBLOCK, "not yet") from error
            except ssl.SSLError as error:
                raise ConnectionResetError(errno.ECONNRESET, str(error)) from error

    def __getattr__(self, name: str) -> Any:
        return getattr(self._socket, name)
