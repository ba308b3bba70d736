"""The wire between the Pi and the microcontroller: one file, the same on both sides.

A message is `COBS(kind, seq, body, crc32 big-endian) 0x00`, filled up with zeros to blocks of 32 bytes:
zeros are empty frames and cost nothing, and the chip reads blocks ten times faster than bytes.
"""

import struct
import sys
from binascii import crc32

if sys.implementation.name != "micropython":  # on the Pi, where Blinka brings another module of that name
    from typing import Any, TypeVar

    Function = TypeVar("Function")

    class micropython:
        """Stands in for the chip's module: functions stay as they are."""

        @staticmethod
        def viper(function: Function) -> Function:
            return function

    ptr8 = bytearray
else:
    import micropython  # type: ignore[no-redef]  # here `viper` makes machine code of a function

MAJOR, MINOR = 1, 0
"""The protocol: another major number is another language; a higher minor one only says more."""

BLOCK = 32
MAX_BODY = 1024
"""The longest body a side must accept: 256 LEDs of four channels."""

HELLO, ACK, NAK, CONFIG, LIMIT, KEYFRAME, DELTA, SCENE, EVENT, PING, STATS, REPL = range(1, 13)

MESSAGES = {
    # kind: (name, who sends it, layout of the fixed part, its fields)
    HELLO: ("hello", "both", ">BBBBHHHH8s", "major minor version revision boot leds sensors body board"),
    ACK: ("ack", "both", ">B", "kind"),
    NAK: ("nak", "chip", ">B", "reason"),
    CONFIG: ("config", "host", ">HBBBHHH4s", "leds size order debounce_ms silence_ms fade_ms dark_s idle"),
    LIMIT: ("limit", "host", ">HHHB", "budget_ma idle_ua channel_ua full"),
    KEYFRAME: ("keyframe", "host", "", ""),  # every byte as it goes to the strip
    DELTA: ("delta", "host", ">B", "base"),  # then (index u16, the LED's bytes)*
    SCENE: ("scene", "host", ">B", "colours"),  # then the colours, then (count, colour, effect, phase)*
    EVENT: ("event", "chip", ">BBI", "sensor state time_ms"),
    PING: ("ping", "host", ">I", "time_ms"),
    STATS: ("stats", "chip", ">IHHHHBI", "time_ms broken overrun lost loop_ms scale free"),
    REPL: ("repl", "host", "", ""),  # restart without the firmware, to be flashed
}
"""Every message. A `hello` is answered, what the host sends is acked, an `event` comes until it is acked."""

FIELDS = {kind: tuple(row[3].split()) for kind, row in MESSAGES.items()}

NOT_READY, WRONG_LENGTH, WRONG_BASE, UNKNOWN, WRONG_VERSION = range(1, 6)
"""Reasons of a `nak`: configure first; a length that cannot be; a delta on another picture; the last two."""

STEADY, FLICKER, BREATHE, PULSE, BLINK, RUN = range(6)
"""The rhythms that both sides can play."""

FIRST_CELL, FIRST_BUTTON, BEAM = 0, 128, 160
"""Numbers of sensors: places of the board from 0, buttons from 128, the beam of the dice tower."""


def pack(kind: int, *values: int | bytes) -> bytes:
    """Writes the fixed part of a body."""
    return struct.pack(MESSAGES[kind][2], *values)


def unpack(kind: int, body: bytes) -> dict[str, Any]:
    """Reads the fixed part of a body by the names of its fields; raises ValueError when it is too short."""
    layout = MESSAGES[kind][2]
    if len(body) < struct.calcsize(layout):
        raise ValueError("short body")
    return dict(zip(FIELDS[kind], struct.unpack(layout, body[: struct.calcsize(layout)])))  # noqa: B905


def stuff(data: bytes) -> bytes:
    """Takes the zeros out of data (COBS)."""
    out = bytearray()
    for piece in data.split(b"\0"):
        while len(piece) >= 254:
            out.append(255)
            out += piece[:254]
            piece = piece[254:]
        out.append(len(piece) + 1)
        out += piece
    return bytes(out)


@micropython.viper
def unstuff(buffer: ptr8, size: int) -> int:
    """Puts the zeros back, in place; returns the size, or -1 when this was no stuffed data."""
    read = 0
    write = 0
    while read < size:
        code = buffer[read]
        read += 1
        end = read + code - 1
        if code == 0 or end > size:
            return -1
        while read < end:
            buffer[write] = buffer[read]
            read += 1
            write += 1
        if code < 255 and read < size:
            buffer[write] = 0
            write += 1
    return write


def encode(kind: int, seq: int, body: bytes = b"") -> bytes:
    """Writes a message, ready for the wire."""
    data = bytes((kind, seq)) + body
    data = stuff(data + struct.pack(">I", crc32(data) & 0xFFFFFFFF)) + b"\0"
    return data + bytes(-len(data) % BLOCK)


class Decoder:
    """Cuts a stream of bytes into messages. What is broken or too long is counted and dropped."""

    def __init__(self, max_body: int = MAX_BODY) -> None:
        longest = max_body + 6
        self.buffer = bytearray(longest + longest // 254 + 2)
        self.size = 0
        self.broken = 0
        self.overrun = 0
        self.between = True
        """Whether the stream stands between two messages."""

    def feed(self, data: bytes) -> list[tuple[int, int, bytes]]:
        """Takes what arrived, in any portions; returns the whole messages in it as (kind, seq, body)."""
        messages = []
        start = 0
        while start < len(data):
            end = data.find(b"\0", start)
            stop = len(data) if end < 0 else end
            self._keep(data[start:stop])
            if end >= 0:
                message = self._finish()
                if message is not None:
                    messages.append(message)
            start = stop + 1
        return messages

    def _keep(self, piece: bytes) -> None:
        size = self.size + len(piece)
        if piece:
            self.between = False
        if size <= len(self.buffer):
            self.buffer[self.size : size] = piece
        self.size = size

    def _finish(self) -> tuple[int, int, bytes] | None:
        size, self.size = self.size, 0
        self.between = True
        if size == 0:
            return None
        if size > len(self.buffer):
            self.overrun += 1
            return None
        size = unstuff(self.buffer, size)
        if size >= 6:
            message = bytes(self.buffer[:size])
            if crc32(message[:-4]) & 0xFFFFFFFF == struct.unpack(">I", message[-4:])[0]:
                return message[0], message[1], message[2:-4]
        self.broken += 1
        return None
