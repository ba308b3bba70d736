"""Tells systemd that the table is ready and alive; says nothing where no systemd asks."""

from __future__ import annotations

import logging
import os
import re
import socket
import threading
from collections.abc import Callable, Mapping
from http.client import HTTPConnection, HTTPException

log = logging.getLogger(__name__)

PROBE_S = 8.0


class Notifier:
    """The service's line to systemd: `READY=1`, then `WATCHDOG=1` as long as the table is alive.

    `is_alive` is asked from a thread of its own; when it says no or does not come back, systemd hears nothing
    more and starts the table again. It looks from inside: a crowd at the door is no reason to start again.
    """

    def __init__(self, is_alive: Callable[[], bool], environ: Mapping[str, str] = os.environ) -> None:
        self._is_alive = is_alive
        self._address = _address(environ)
        self.period_s = _watched_s(environ) / 3
        """A third of what systemd waits, so that one late answer is forgiven; 0 where nobody waits."""
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)

    def ready(self, words: str) -> None:
        """Says that people can play, and begins to say that the table is alive."""
        self._tell(f"READY=1\nSTATUS={words}")
        if self._address and self.period_s:
            self._thread.start()

    def stopping(self) -> None:
        """Says that the end is meant."""
        self._stopped.set()
        self._tell("STOPPING=1")

    def beat(self) -> None:
        """Says that the table is alive, if it is."""
        if self._is_alive():
            self._tell("WATCHDOG=1")

    def _watch(self) -> None:
        while not self._stopped.wait(self.period_s):
            self.beat()

    def _tell(self, text: str) -> None:
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
                line.sendto(text.encode(), os.fsencode(self._address))
        except OSError as error:  # the next beat may come through; people play meanwhile
            log.warning("systemd cannot be told: %s", error)


def _watched_s(environ: Mapping[str, str]) -> float:
    """How long systemd waits for a sign of life; 0 where it does not, or says nothing sensible."""
    told = environ.get("WATCHDOG_USEC", "")
    return int(told) / 1e6 if re.fullmatch("[0-9]{1,12}", told) else 0.0


def _address(environ: Mapping[str, str]) -> str:
    """The socket that systemd listens on; `@` stands for an abstract one."""
    name = environ.get("NOTIFY_SOCKET", "")
    return f"\0{name[1:]}" if name.startswith("@") else name


def answers(host: str, port: int) -> bool:
    """Whether the table answers as a phone would ask it: who sits around it now."""
    connection = HTTPConnection("127.0.0.1" if host == "0.0.0.0" else host, port, timeout=PROBE_S)
    try:
        connection.request("GET", "/api/room")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()
