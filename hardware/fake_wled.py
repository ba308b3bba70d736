"""A WLED in the network, for trying: it does what WLED 0.15 does with DDP, foreign light and `/json/info`.

It takes DDP on port 4048 of a loopback address of its own, refuses late packets as WLED does where "skip
out-of-sequence packets" is on, shows pixels when a packet pushes, lets go of foreign light after 2.5 s, and
tells of itself at `/json/info`.
"""

from __future__ import annotations

import json
import socket
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import SystemRandom
from threading import Event, Thread
from time import monotonic
from typing import Any

DDP_PORT = 4048
FLAG_PUSH, FLAG_TIMECODE = 0x01, 0x10
REALTIME_TIMEOUT_S = 2.5


class WledReceiver:
    """One WLED with a strip; as a context manager it is switched on and off."""

    def __init__(self, leds: int = 60, *, has_white: bool = False, limit_ma: int = 850, name: str = "Table"):
        self.leds, self.has_white, self.limit_ma, self.name = leds, has_white, limit_ma, name
        self.is_deaf = False
        """Whether packets get lost on the way: a firewall, another network."""
        self.pixels = [(0, 0, 0, 0)] * leds
        """What is in its memory; what it shows is `shown`."""
        self.shown = list(self.pixels)
        self.frames: list[list[tuple[int, int, int, int]]] = []
        self.taken = self.dropped = 0
        self._last_push = 0
        self._has_seen_push = False
        self._live_until = 0.0
        self._sender = ""
        self._settled = Event()
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.address = self._bind()
        self._http = ThreadingHTTPServer((self.address, 0), self._page())
        self.host = f"{self.address}:{self._http.server_port}"
        """What people type as its address; a real one is found at port 80."""
        self._threads = [Thread(target=self._listen, daemon=True)]
        self._threads.append(Thread(target=self._http.serve_forever, args=(0.05,), daemon=True))
        for thread in self._threads:
            thread.start()

    def _bind(self) -> str:
        rng = SystemRandom()
        for _ in range(50):
            address = f"127.{rng.randrange(1, 255)}.{rng.randrange(256)}.{rng.randrange(1, 255)}"
            try:
                self._udp.bind((address, DDP_PORT))
            except OSError:
                continue
            return address
        raise AssertionError("no loopback address is free")

    def __enter__(self) -> WledReceiver:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._udp.fileno() < 0:
            return
        self._http.shutdown()
        self._http.server_close()
        self.settle(b"")
        self._threads[0].join(5)
        self._udp.close()

    def settle(self, last: bytes = b"?") -> WledReceiver:
        """Waits until every packet that was sent before has been taken."""
        self._settled.clear()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.sendto(last, (self.address, DDP_PORT))
        assert self._settled.wait(5)
        return self

    # Light --------------------------------------------------------------------------------------

    def _listen(self) -> None:
        while True:
            packet, sender = self._udp.recvfrom(2000)
            if len(packet) < 2:
                self._settled.set()
                if not packet:
                    return
            elif not self.is_deaf:
                self._sender = sender[0]
                self._take(packet)

    def _take(self, packet: bytes) -> None:
        flags, number, kind = packet[0], packet[1] & 0x0F, packet[2]
        offset, length = int.from_bytes(packet[4:8], "big"), int.from_bytes(packet[8:10], "big")
        if self._is_late(number):
            self.dropped += 1
            return
        channels = 4 if (kind & 0b00111000) >> 3 == 0b011 else 3
        start, count = offset // channels, length // channels
        data = packet[14:] if flags & FLAG_TIMECODE else packet[10:]
        if count * channels > len(data):
            self.dropped += 1
            return
        now = monotonic()
        if now > self._live_until:
            self._has_seen_push = False
            self.pixels = [(0, 0, 0, 0)] * self.leds
        self._live_until = now + REALTIME_TIMEOUT_S
        for i in range(start, min(start + count, self.leds)):
            red, green, blue, *white = data[(i - start) * channels : (i - start + 1) * channels]
            self.pixels[i] = (red, green, blue, white[0] if white else 0)
        push = bool(flags & FLAG_PUSH)
        self._has_seen_push = self._has_seen_push or push
        self.taken += 1
        if push or not self._has_seen_push:
            self.shown = list(self.pixels)
            self.frames.append(self.shown)
            if number:
                self._last_push = number

    def _is_late(self, number: int) -> bool:
        last = self._last_push
        if not last or not number:
            return False
        if last > 5:
            return last - 5 < number < last
        return number > 10 + last or number < last

    # What it tells ------------------------------------------------------------------------------

    def info(self) -> dict[str, Any]:
        is_live = monotonic() < self._live_until
        return {
            "ver": "0.15.1",
            "vid": 2507020,
            "leds": {
                "count": self.leds,
                "pwr": 120 if self.limit_ma else 0,
                "fps": 60,
                "maxpwr": self.limit_ma,
                "maxseg": 32,
                "seglc": [3 if self.has_white else 1],
                "lc": 3 if self.has_white else 1,
                "rgbw": self.has_white,
                "wv": 2 if self.has_white else 0,
                "cct": 0,
            },
            "name": self.name,
            "udpport": 21324,
            "live": is_live,
            "liveseg": -1,
            "lm": "DDP" if is_live else "",
            "lip": self._sender if is_live else "",
            "arch": "esp32",
            "brand": "WLED",
            "product": "FOSS",
            "mac": "a1b2c3d4e5f6",
            "ip": self.address,
        }

    def _page(self) -> type[BaseHTTPRequestHandler]:
        wled = self

        class Page(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                content = json.dumps(wled.info()).encode() if self.path == "/json/info" else b""
                self.send_response(200 if content else 501)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                pass

        return Page
