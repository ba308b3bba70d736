"""A strip behind WLED, over the network by the Distributed Display Protocol.

A packet is a header of ten bytes and at most 480 LEDs: flags (version 1, push on the last packet), a
sequence number (0: not counted, because a receiver that remembers the numbers of a host that was restarted
drops its first frames), the type of the data (RGB or RGBW, eight bits each), the output (1), then offset and
length of the data, big-endian.

Nobody answers a datagram, so whether the light arrives is asked: WLED tells at `/json/info` what it drives
and whose light it shows.
"""

from __future__ import annotations

import json
import re
import socket
import struct
import threading
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from time import monotonic
from typing import Any, NamedTuple

from companion.engine.errors import ConfigError, DeviceError
from hardware.ports import Status, check_size

PORT, WEB_PORT = 4048, 80
CHUNK = 1440
VERSION_1, PUSH = 0x40, 0x01
TYPES = {"RGB": 0x0B, "RGBW": 0x1B}
OUTPUT, UNCOUNTED = 1, 0
PATIENCE_S = 2.0
"""How long WLED may take for its whole answer."""
ASK_S = 3.0
"""How often it is asked."""
TIMEOUT_S = 2.5
"""How long WLED shows a frame before it goes on with its own light, unless somebody has set it otherwise."""
MOST_BYTES = 16_384
HOST = re.compile(r"(?P<name>[\w.-]{1,100})(:(?P<port>\d{1,5}))?", re.ASCII)
MOST = 65_535
"""The most LEDs, and milliamperes, that are believed; also the last port that there is."""
WHITE = 2
"""The bit of WLED's light capabilities that says: it has white."""


def packets(frame: bytes, order: str) -> list[bytes]:
    """Cuts a frame into packets.

    >>> packets(bytes(3), "RGB")[0][:10].hex(" ")
    '41 00 0b 01 00 00 00 00 00 03'
    """
    starts = range(0, len(frame), CHUNK)
    return [
        struct.pack(
            ">BBBBIH",
            VERSION_1 | (PUSH if start == starts[-1] else 0),
            UNCOUNTED,
            TYPES[order],
            OUTPUT,
            start,
            len(frame[start : start + CHUNK]),
        )
        + frame[start : start + CHUNK]
        for start in starts
    ]


class Wled(NamedTuple):
    """What a WLED says of itself."""

    name: str
    version: str
    leds: int
    has_white: bool
    limit_ma: int
    """Its own current limit; 0 where it has none."""
    shows: str
    """Whose light it shows: "DDP" is ours, "" its own."""

    @property
    def order(self) -> str:
        """What `order` in the settings says of it; WLED turns the colours to the strip's own order."""
        return "GRBW" if self.has_white else "GRB"


def ask(host: str) -> Wled:
    """Asks a WLED at its address, perhaps with a port of its page, what it is; raises `DeviceError`."""
    name, port = _address(host)
    line = HTTPConnection(name, port, timeout=PATIENCE_S)
    limit = None
    try:
        line.connect()
        # Byte by byte an answer could take for ever: each of them comes in time.
        limit = threading.Timer(PATIENCE_S, _hang_up, [line.sock])
        limit.start()
        line.request("GET", "/json/info")
        answer = line.getresponse()
        told = json.loads(answer.read(MOST_BYTES))
        leds = told["leds"]
        return Wled(
            str(told["name"])[:60],
            str(told["ver"])[:30],
            _bounded(leds["count"]),
            bool(leds.get("lc", 0) & WHITE or leds.get("rgbw")),
            _bounded(leds.get("maxpwr", 0)),
            str(told.get("lm", ""))[:30] if told.get("live") else "",
        )
    except OSError as error:
        raise DeviceError(
            f"WLED at {host} does not answer ({error}): it must be on, and in this network"
        ) from error
    except (HTTPException, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise DeviceError(
            f"at {host} there is no WLED: it does not say what a WLED says of itself"
        ) from error
    finally:
        if limit is not None:
            limit.cancel()
        line.close()


def _hang_up(line: socket.socket) -> None:
    with suppress(OSError):  # it is closed already
        line.shutdown(socket.SHUT_RDWR)


def _bounded(value: Any) -> int:
    """A number that somebody in the network tells; raises `ValueError` for one that cannot be meant."""
    if not isinstance(value, int) or not 0 <= value <= MOST:
        raise ValueError(f"no number up to {MOST}")
    return value


def _address(host: str) -> tuple[str, int]:
    """The name and the port of WLED's page."""
    found = HOST.fullmatch(host)
    if found is None or int(found["port"] or WEB_PORT) > MOST:
        raise ConfigError(
            f"[lights] host = {host!r} is no address; write it as in 192.168.1.50 or wled.local"
        )
    return found["name"], int(found["port"] or WEB_PORT)


class DdpStrip:
    """A strip behind WLED at an address; WLED itself knows the order of the strip's bytes.

    A thread of its own asks how WLED does; showing a frame never waits for it.
    """

    def __init__(self, host: str, leds: int, order: str, ask_s: float = ASK_S) -> None:
        if order not in TYPES:
            raise ConfigError(
                f'lights: driver "ddp" sends RGB or RGBW, not {order}; WLED turns it to the strip\'s own'
            )
        self.size = leds * len(order)
        self._host, self._leds, self._order, self._ask_s = host, leds, order, ask_s
        self._sent_s: tuple[float, float] | None = None
        """Since when frames were sent without a pause, and when the last one was."""
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            self._socket.connect((_address(host)[0], PORT))
        except OSError as error:
            self._socket.close()
            raise DeviceError(f"WLED at {host!r} cannot be found ({error}); check [lights] host") from error
        self._status = self._asked()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="wled", daemon=True)
        self._thread.start()

    @property
    def status(self) -> Status:
        return self._status

    def show(self, frame: bytes) -> None:
        check_size(frame, self.size)
        sent_s, now = self._sent_s, monotonic()
        self._sent_s = (now if sent_s is None or now - sent_s[1] > TIMEOUT_S else sent_s[0]), now
        with suppress(OSError):  # what came of it is asked
            for packet in packets(frame, self._order):
                self._socket.send(packet)

    def close(self) -> None:
        self._closed.set()
        self.show(bytes(self.size))
        self._thread.join(PATIENCE_S)
        self._socket.close()

    def _watch(self) -> None:
        while not self._closed.wait(self._ask_s):
            self._status = self._asked()

    def _asked(self) -> Status:
        """How WLED does, by its own answer."""
        sent_s, now = self._sent_s, monotonic()
        try:
            told = ask(self._host)
        except DeviceError as error:
            return Status(False, f"{error}.")
        since_s, last_s = (now, now) if sent_s is None else sent_s
        is_due = last_s - since_s > TIMEOUT_S / 2 > now - last_s
        if is_due and told.shows != "DDP":
            whose = f"the light of {told.shows}" if told.shows else "its own light"
            return Status(
                False, f"WLED at {self._host} answers but shows {whose}: UDP port {PORT} does not reach it."
            )
        if told.leds < self._leds:
            words = f"WLED drives {told.leds} LEDs, the map has {self._leds}: set the length in WLED."
            return Status(True, words)
        if self._order == "RGBW" and not told.has_white:
            return Status(True, 'WLED drives a strip without white: choose  order = "GRB"  in [lights].')
        return Status(True)
