"""The chip's side of the talk: takes pictures and scenes, tells what it feels, glows when left alone."""

import effects
import wire
from guard import Guard, blend, cap

VERSION, REVISION = 1, 0
"""The firmware."""

MAX_LEDS = 256
MAX_EVENTS = 64
FRAME_MS = 16
RESEND_MS = 60
BOARD = b"pico"


class Node:
    """One chip at the table.

    `strip.show(bytes)` lights, `strip.ready()` says whether it can; `sensors` is a `Sensors`;
    `send(bytes)` writes to the host; `boot` is a number that differs from start to start;
    `free()` tells the free memory. Times are milliseconds that never wrap.
    """

    def __init__(self, strip, sensors, send, boot: int, free=lambda: 0):
        self.strip = strip
        self.sensors = sensors
        self.send = send
        self.boot = boot & 0xFFFF
        self.free = free
        self.decoder = wire.Decoder()
        self.config = None
        self.limit = {"budget_ma": 500, "idle_ua": 1000, "channel_ua": 20000, "full": 255}
        self.guard = None
        self.picture = bytearray()
        self.scene = None
        self.picture_seq = -1
        self.out = bytearray()
        self.events = []
        self.event_seq = 0
        self.event_sent = None
        self.lost = 0
        self.greeted = False
        self.is_stopped = False
        self.heard = 0
        self.drawn = 0
        self.drawn_ticks = 0
        self.loop_ms = 0
        self.scale = 255

    # Listening ---------------------------------------------------------------------------------

    def receive(self, data: bytes, now: int) -> None:
        """Takes bytes from the host."""
        for kind, seq, body in self.decoder.feed(data):
            self.heard = now
            reason = self._obey(kind, seq, body, now)
            if reason:
                self.send(wire.encode(wire.NAK, seq, wire.pack(wire.NAK, reason)))
            elif kind not in (wire.HELLO, wire.ACK, wire.PING):
                self.send(wire.encode(wire.ACK, seq, wire.pack(wire.ACK, kind)))

    def _obey(self, kind: int, seq: int, body: bytes, now: int) -> int:
        """Does what a message says; returns the reason why not, or 0."""
        act = {
            wire.HELLO: self._hello,
            wire.ACK: self._ack,
            wire.CONFIG: self._configure,
            wire.LIMIT: self._limit,
            wire.KEYFRAME: self._keyframe,
            wire.DELTA: self._delta,
            wire.SCENE: self._scene,
            wire.PING: self._ping,
            wire.REPL: self._stop,
        }.get(kind)
        if act is None:
            return wire.UNKNOWN
        if kind in (wire.KEYFRAME, wire.DELTA, wire.SCENE) and self.config is None:
            return wire.NOT_READY
        try:
            return act(seq, body, now) or 0
        except ValueError:
            return wire.WRONG_LENGTH

    def _hello(self, seq: int, body: bytes, now: int) -> int:
        major = wire.unpack(wire.HELLO, body)["major"]
        self.greet(seq)
        self.greeted = True
        return 0 if major == wire.MAJOR else wire.WRONG_VERSION

    def greet(self, seq: int = 0) -> None:
        """Says who this is."""
        count = sum([reader.count for reader in self.sensors.readers])
        versions = (wire.MAJOR, wire.MINOR, VERSION, REVISION)
        body = wire.pack(wire.HELLO, *versions, self.boot, MAX_LEDS, count, wire.MAX_BODY, BOARD)
        self.send(wire.encode(wire.HELLO, seq, body))

    def _ack(self, seq: int, body: bytes, now: int) -> None:
        if self.events and wire.unpack(wire.ACK, body)["kind"] == wire.EVENT and self.events[0][0] == seq:
            self.events.pop(0)
            self.event_sent = None

    def _configure(self, seq: int, body: bytes, now: int) -> None:
        config = wire.unpack(wire.CONFIG, body)
        leds, size = config["leds"], config["size"]
        if not 0 < leds <= MAX_LEDS or size not in (3, 4):
            raise ValueError("strip")
        order = config["order"]
        if max(order & 3, order >> 2 & 3, order >> 4 & 3) >= size:  # a colour beyond the bytes of an LED
            raise ValueError("order")
        if self.config is None or (leds, size) != (self.config["leds"], self.config["size"]):
            self.picture = bytearray(leds * size)
            self.out = bytearray(leds * size)
            self.scene = None
            self.picture_seq = -1
            form = size | (order & 3) << 3 | (order >> 2 & 3) << 6 | (order >> 4 & 3) << 9
            self.guard = Guard(leds, form)
        self.config = config
        self.sensors.debounce_ms = config["debounce_ms"]
        if self.greeted:  # a host that is new here learns what is closed
            self.greeted = False
            for sensor in self.sensors.closed():
                self._tell(sensor, 1, now)

    def _limit(self, seq: int, body: bytes, now: int) -> None:
        limit = wire.unpack(wire.LIMIT, body)
        if not limit["channel_ua"] or not limit["full"]:
            raise ValueError("limit")
        self.limit = limit

    def _keyframe(self, seq: int, body: bytes, now: int) -> None:
        if len(body) != len(self.picture):
            raise ValueError("picture")
        self.picture[:] = body
        self.scene = None
        self.picture_seq = seq

    def _delta(self, seq: int, body: bytes, now: int) -> int:
        size = self.config["size"]
        if seq == self.picture_seq:  # our ack was lost: done already
            return 0
        if not body or (len(body) - 1) % (2 + size):
            return wire.WRONG_LENGTH
        if body[0] != self.picture_seq or self.scene is not None:
            return wire.WRONG_BASE
        for i in range(1, len(body), 2 + size):
            if (body[i] << 8 | body[i + 1]) >= self.config["leds"]:
                return wire.WRONG_LENGTH
        for i in range(1, len(body), 2 + size):
            at = (body[i] << 8 | body[i + 1]) * size
            self.picture[at : at + size] = body[i + 2 : i + 2 + size]
        self.picture_seq = seq
        return 0

    def _scene(self, seq: int, body: bytes, now: int) -> None:
        self.scene = effects.parse(body, self.config["size"])
        self.picture_seq = seq

    def _ping(self, seq: int, body: bytes, now: int) -> None:
        time_ms = wire.unpack(wire.PING, body)["time_ms"]
        broken, overrun = self.decoder.broken & 0xFFFF, self.decoder.overrun & 0xFFFF
        loop_ms, self.loop_ms = min(self.loop_ms, 0xFFFF), 0
        body = wire.pack(
            wire.STATS, time_ms, broken, overrun, self.lost & 0xFFFF, loop_ms, self.scale, self.free()
        )
        self.send(wire.encode(wire.STATS, seq, body))

    def _stop(self, seq: int, body: bytes, now: int) -> None:
        self.is_stopped = True

    # Telling -----------------------------------------------------------------------------------

    def _tell(self, sensor: int, state: int, now: int) -> None:
        if len(self.events) >= MAX_EVENTS:
            self.events.pop(0)
            self.event_sent = None
            self.lost += 1
        self.event_seq = self.event_seq + 1 & 255
        self.events.append((self.event_seq, sensor, state, now))

    def tick(self, now: int) -> None:
        """Feels, tells, draws; to be called every few milliseconds."""
        for sensor, state in self.sensors.scan(now):
            self._tell(sensor, state, now)
        if self.events and (self.event_sent is None or now - self.event_sent >= RESEND_MS):
            seq, sensor, state, then = self.events[0]
            self.event_sent = now
            self.send(wire.encode(wire.EVENT, seq, wire.pack(wire.EVENT, sensor, state, then & 0xFFFFFFFF)))
        if self.config is None or now - self.drawn < FRAME_MS or not self.strip.ready():
            return
        self.loop_ms = max(self.loop_ms, now - self.drawn)
        self.drawn = now
        self._draw(now)

    # Drawing -----------------------------------------------------------------------------------

    def _draw(self, now: int) -> None:
        config, limit, out = self.config, self.limit, self.out
        if self.scene is not None:
            effects.paint(self.scene, out, now)
        else:
            out[:] = self.picture
        alone = now - self.heard - config["silence_ms"]
        if alone > 0:
            self._idle(alone, now)
        self.scale = cap(out, config["leds"], limit["budget_ma"], limit["idle_ua"], limit["channel_ua"])
        ticks = now // 4 - self.drawn_ticks
        self.drawn_ticks = now // 4
        self.guard.calm(out, limit["full"], ticks)
        self.strip.show(out)

    def _idle(self, alone: int, now: int) -> None:
        """Left alone: what was shown fades into a dim glow, and that goes out in the end."""
        config, out = self.config, self.out
        glow = b""
        for i in range(8):
            bright = 0 if alone > config["dark_s"] * 1000 else effects.level(wire.FLICKER, i * 37, now)
            glow += bytes([c * bright // 255 for c in config["idle"][: config["size"]]])
        glow = (glow * (config["leds"] // 8 + 1))[: len(out)]
        blend(out, glow, len(out), min(255, alone * 255 // max(1, config["fade_ms"])))
