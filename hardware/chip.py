"""The microcontroller as a strip, buttons and sensors, over any `Link`.

`Chip` holds the whole conversation: it opens the link, greets, configures, sends the last picture, takes
events and starts again when the other side falls silent. It has no thread: every call of `show`, `presses`
or `sensed` moves the conversation on, so lights that are refreshed are lights that are connected.
"""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.engine.errors import ConfigError, DeviceError
from hardware import wire
from hardware.ports import BEAM, BUTTONS, HOLD_S, Clock, Link, Press, Sensed, Status, check_size

PING_S = 0.25
UNANSWERED_S = 0.65
"""How long a ping may stay unanswered before the link counts as down: with `PING_S`, within a second."""
RETOLD_S = 0.3
"""After a greeting, how long no switch is told before those that were not told again count as open."""
RESEND_S = 0.12
KEYFRAME_S = 2.0
REOPEN_S = 0.5
REFUSED_S = 5.0
MAX_EVENTS = 256


@dataclass(frozen=True, slots=True)
class ChipSettings:
    """The configuration sent to the chip: its strip, its limits, and what to do when the host is silent."""

    leds: int
    order: str = "GRB"
    budget_ma: int = 500
    idle_ua: int = 1000
    channel_ua: int = 20_000
    full: int = 255
    debounce_ms: int = 20
    silence_s: float = 1.0
    fade_s: float = 2.0
    dark_s: int = 60
    idle: tuple[int, int, int] = (24, 9, 1)
    """The glow when left alone, as red, green, blue."""

    def __post_init__(self) -> None:
        if not 0 < self.leds * len(self.order) <= wire.MAX_BODY or self.leds > 256:
            raise ConfigError(f"lights: {self.leds} LEDs are too many for the microcontroller; it drives 256")

    def config(self) -> bytes:
        """The body of `config`."""
        order = sum(self.order.index(colour) << 2 * i for i, colour in enumerate("RGB"))
        idle = bytes(dict(zip("RGBW", (*self.idle, 0), strict=True))[colour] for colour in self.order)
        silence, fade = round(self.silence_s * 1000), round(self.fade_s * 1000)
        return wire.pack(
            wire.CONFIG, self.leds, len(self.order), order, self.debounce_ms, silence, fade, self.dark_s, idle
        )

    def limit(self) -> bytes:
        """The body of `limit`."""
        return wire.pack(wire.LIMIT, self.budget_ma, self.idle_ua, self.channel_ua, self.full)


class Chip:
    """The host's side of the conversation; a `LedStrip`, `Buttons` and `SensorPort` in one."""

    def __init__(self, open_link: Callable[[], Link], settings: ChipSettings, clock: Clock) -> None:
        self.size = settings.leds * len(settings.order)
        self.stats: dict[str, int] = {}
        """What the chip told last: broken messages, lost events, its slowest loop, its scale, free memory."""
        self.hello: dict[str, int] = {}
        self._open_link = open_link
        self._settings = settings
        self._clock = clock
        self._link: Link | None = None
        self._problem = "not connected yet"
        self._is_closed = False
        self._open_at = clock.now()
        self._seq = 0
        self._last_event: tuple[int, int] | None = None
        self._held: dict[int, float] = {}
        self._sensed: deque[Sensed] = deque(maxlen=MAX_EVENTS)
        self._felt: set[int] = set()
        """The switches that were told as closed."""
        self._doubted: set[int] = set()
        """Those of them that the chip has not told again since it was greeted."""
        self._told_s = clock.now()
        self._pressed: deque[Press] = deque(maxlen=MAX_EVENTS)
        self._wanted: bytes | None = None
        self._scene: bytes | None = None
        self._forget()

    def _forget(self) -> None:
        """Starts the conversation anew."""
        self._decoder = wire.Decoder()
        self._pinged = self._clock.now()
        self._asked_s: float | None = None
        """When the first ping or greeting went out that nothing has answered yet."""
        self._to_do = [wire.CONFIG, wire.LIMIT]
        self._greeted = False
        self._flying: tuple[int, int, bytes, bytes | None] | None = None
        self._sent = -RESEND_S
        self._shown: bytes | None = None
        self._shown_scene: bytes | None = None
        self._shown_seq = 0
        self._keyframed = -KEYFRAME_S

    # The ports ---------------------------------------------------------------------------------

    @property
    def status(self) -> Status:
        """Up once the chip is greeted and configured, until it has been silent for a second."""
        self.step()
        return Status(self._is_up(), "" if self._is_up() else f"The microcontroller: {self._problem}.")

    def _is_up(self) -> bool:
        return self._link is not None and self._greeted and not self._to_do

    def show(self, frame: bytes) -> None:
        """Wants a picture shown."""
        check_size(frame, self.size)
        self._wanted, self._scene = bytes(frame), None
        self.step()

    def play(self, scene: bytes) -> None:
        """Wants a scene (`hardware.render.runs`) that the chip animates by itself."""
        self._wanted, self._scene = None, scene
        self.step()

    def is_settled(self) -> bool:
        """Whether the chip has acknowledged the wanted configuration."""
        shown = self._shown == self._wanted and self._shown_scene == self._scene
        return self._is_up() and self._flying is None and shown

    def presses(self) -> list[Press]:
        self.step()
        now = self._clock.now()
        for number, since in list(self._held.items()):
            if now - since >= HOLD_S:
                del self._held[number]
                self._pressed.append(Press("shutdown", now))
        return _drain(self._pressed)

    def sensed(self) -> list[Sensed]:
        self.step()
        return _drain(self._sensed)

    def close(self) -> None:
        """Goes dark as far as the line allows, and lets go."""
        if self._link is not None and self._is_up():
            self._transmit(wire.encode(wire.KEYFRAME, self._next_seq(), bytes(self.size)))
        self._drop("it is switched off")
        self._is_closed = True

    # The conversation --------------------------------------------------------------------------

    def step(self) -> None:
        """Moves on: opens, reads, sends what is due. Raises nothing."""
        now = self._clock.now()
        if self._link is None:
            if self._is_closed or now < self._open_at:
                return
            self._open_at = now + REOPEN_S
            try:
                self._link = self._open_link()
            except DeviceError as error:
                self._problem = str(error).rstrip(".")
                return
            self._forget()
            self._pinged = -PING_S
        self._listen(now)
        if self._asked_s is not None and now - self._asked_s > UNANSWERED_S:
            self._drop("it does not answer")
        if self._doubted and self._is_up() and now - self._told_s > RETOLD_S:
            self._open_doubted(now)
        if self._link is not None:
            self._speak(now)

    def _listen(self, now: float) -> None:
        assert self._link is not None
        try:
            data = self._link.read()
        except DeviceError as error:
            self._drop(str(error).rstrip("."))
            return
        for kind, seq, body in self._decoder.feed(data):
            try:
                self._hear(kind, seq, body, now)
            except ValueError:  # a message of a length that its kind cannot have
                continue
            self._asked_s = None
            if self._link is None:
                return

    def _hear(self, kind: int, seq: int, body: bytes, now: float) -> None:
        if kind == wire.HELLO:
            self._meet(wire.unpack(kind, body), now)
        elif kind == wire.EVENT:
            self._feel(seq, wire.unpack(kind, body), now)
        elif kind == wire.STATS:
            self.stats = wire.unpack(kind, body)
        elif self._flying is not None and seq == self._flying[1]:
            if kind == wire.ACK:
                self._acked()
            elif kind == wire.NAK:
                self._flying = None
                self._shown = self._shown_scene = None  # say it all again
                if wire.unpack(kind, body)["reason"] == wire.NOT_READY:
                    self._to_do = [wire.CONFIG, wire.LIMIT]

    def _meet(self, hello: dict[str, int], now: float) -> None:
        if hello["major"] != wire.MAJOR:
            self._drop(
                f"it speaks protocol {hello['major']}.{hello['minor']}, "
                f"this table {wire.MAJOR}.{wire.MINOR}; bring it up to date with: ./gloam flash"
            )
            self._open_at = now + REFUSED_S
            return
        if hello["boot"] != self.hello.get("boot"):
            self._last_event = None
            if self._greeted:  # it started again under our hands
                self._forget()
        if not self._greeted:  # it tells what is closed; what has opened meanwhile it may not know
            self._doubted, self._told_s = set(self._felt), now
        self.hello, self._greeted = hello, True

    def _feel(self, seq: int, event: dict[str, int], now: float) -> None:
        self._transmit(wire.encode(wire.ACK, seq, wire.pack(wire.ACK, wire.EVENT)))
        key = (seq, event["time_ms"])
        if key == self._last_event:  # our ack was lost
            return
        self._last_event = key
        sensor, is_closed = event["sensor"], bool(event["state"])
        if sensor < wire.FIRST_BUTTON:
            self._told_s = now
            self._doubted.discard(sensor)
            if is_closed != (sensor in self._felt):
                (self._felt.add if is_closed else self._felt.discard)(sensor)
                self._sensed.append(Sensed(sensor, is_closed, now))
        elif sensor == wire.BEAM:
            self._sensed.append(Sensed(BEAM, is_closed, now))
        elif sensor - wire.FIRST_BUTTON < len(BUTTONS):
            self._button(sensor - wire.FIRST_BUTTON, is_closed, now)

    def _open_doubted(self, now: float) -> None:
        """What was closed before the line was lost and was not told again has opened meanwhile."""
        self._sensed.extend(Sensed(number, False, now) for number in sorted(self._doubted))
        self._felt -= self._doubted
        self._doubted = set()

    def _button(self, number: int, is_closed: bool, now: float) -> None:
        if BUTTONS[number] == "shutdown":
            self._held.pop(number, None)
            if is_closed:
                self._held[number] = now
        elif is_closed:
            self._pressed.append(Press(BUTTONS[number], now))

    def _acked(self) -> None:
        assert self._flying is not None
        kind, seq, _, picture = self._flying
        self._flying = None
        if kind in self._to_do:
            self._to_do.remove(kind)
            self._told_s = self._clock.now()  # once it is configured it tells what is closed
        elif kind == wire.SCENE:
            self._shown, self._shown_scene, self._shown_seq = None, picture, seq
        else:
            self._shown, self._shown_scene, self._shown_seq = picture, None, seq

    def _speak(self, now: float) -> None:
        if now - self._pinged >= PING_S:
            self._pinged = now
            self._asked_s = now if self._asked_s is None else self._asked_s
            if not self._greeted:
                self._transmit(wire.encode(wire.HELLO, self._next_seq(), _GREETING))
                return
            time_ms = wire.pack(wire.PING, int(now * 1000) & 0xFFFFFFFF)
            self._transmit(wire.encode(wire.PING, self._next_seq(), time_ms))
        if not self._greeted:
            return
        if self._flying is None:
            self._flying = self._next_message(now)
        elif now - self._sent < RESEND_S:
            return
        if self._flying is not None:
            self._sent = now
            kind, seq, body, _ = self._flying
            self._transmit(wire.encode(kind, seq, body))

    def _next_message(self, now: float) -> tuple[int, int, bytes, bytes | None] | None:
        """Chooses what is due: (kind, seq, body, the picture it leads to)."""
        if self._to_do:
            kind = self._to_do[0]
            body = self._settings.config() if kind == wire.CONFIG else self._settings.limit()
            return kind, self._next_seq(), body, None
        is_due = now - self._keyframed >= KEYFRAME_S
        if self._scene is not None and (is_due or self._scene != self._shown_scene):
            self._keyframed = now
            return wire.SCENE, self._next_seq(), self._scene, self._scene
        if self._wanted is None or (self._wanted == self._shown and not is_due):
            return None
        delta = None if is_due or self._shown is None else self._delta(self._shown, self._wanted)
        if delta is not None:
            return wire.DELTA, self._next_seq(), delta, self._wanted
        self._keyframed = now
        return wire.KEYFRAME, self._next_seq(), self._wanted, self._wanted

    def _delta(self, old: bytes, new: bytes) -> bytes | None:
        """Writes the change from one picture to the next, or None when the whole is shorter."""
        size = len(self._settings.order)
        changed = [i for i in range(0, len(new), size) if old[i : i + size] != new[i : i + size]]
        if len(changed) * (size + 2) >= len(new):
            return None
        return bytes((self._shown_seq,)) + b"".join(
            struct.pack(">H", i // size) + new[i : i + size] for i in changed
        )

    def _transmit(self, data: bytes) -> None:
        if self._link is None:
            return
        try:
            self._link.write(data)
        except DeviceError as error:
            self._drop(str(error).rstrip("."))

    def _drop(self, problem: str) -> None:
        self._problem = problem
        if self._link is not None:
            self._link.close()
        self._link = None
        self._forget()
        self._open_at = self._clock.now() + REOPEN_S

    def _next_seq(self) -> int:
        self._seq = (self._seq + 1) & 255
        return self._seq


_GREETING = wire.pack(wire.HELLO, wire.MAJOR, wire.MINOR, 0, 0, 0, 0, 0, wire.MAX_BODY, b"gloam")


def _drain(queue: deque[Any]) -> list[Any]:
    items = list(queue)
    queue.clear()
    return items
