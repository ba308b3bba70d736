"""A strip behind WLED, over the network by the Distributed Display Protocol.

A packet is a header of ten bytes and at most 480 LEDs: flags (version 1, push on the last packet), a
sequence number 1 to 15, the type of the data (RGB or RGBW, eight bits each), the output (1), then offset
and length of the data, big-endian.
"""

from __future__ import annotations

import socket
import struct

from companion.engine.errors import ConfigError, DeviceError
from hardware.ports import Status, check_size

PORT = 4048
CHUNK = 1440
VERSION_1, PUSH = 0x40, 0x01
TYPES = {"RGB": 0x0B, "RGBW": 0x1B}
OUTPUT = 1


def packets(frame: bytes, order: str, sequence: int) -> list[bytes]:
    """Cuts a frame into packets.

    >>> packets(bytes(3), "RGB", 1)[0][:10].hex(" ")
    '41 01 0b 01 00 00 00 00 00 03'
    """
    starts = range(0, len(frame), CHUNK)
    return [
        struct.pack(
            ">BBBBIH",
            VERSION_1 | (PUSH if start == starts[-1] else 0),
            sequence,
            TYPES[order],
            OUTPUT,
            start,
            len(frame[start : start + CHUNK]),
        )
        + frame[start : start + CHUNK]
        for start in starts
    ]


class DdpStrip:
    """A strip behind WLED at an address; WLED itself knows the order of the strip's bytes."""

    def __init__(self, host: str, leds: int, order: str, port: int = PORT) -> None:
        if order not in TYPES:
            raise ConfigError(
                f'lights: driver "ddp" sends RGB or RGBW, not {order}; WLED turns it to the strip\'s own'
            )
        self.size = leds * len(order)
        self._order = order
        self._sequence = 0
        self._problem = ""
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            self._socket.connect((host, port))
        except OSError as error:
            self._socket.close()
            raise DeviceError(f"WLED at {host!r} cannot be found ({error}); check [lights] host") from error

    @property
    def status(self) -> Status:
        return Status(not self._problem, self._problem)

    def show(self, frame: bytes) -> None:
        check_size(frame, self.size)
        self._sequence = self._sequence % 15 + 1
        try:
            for packet in packets(frame, self._order, self._sequence):
                self._socket.send(packet)
            self._problem = ""
        except OSError as error:
            self._problem = f"WLED does not take light ({error})."

    def close(self) -> None:
        self.show(bytes(self.size))
        self._socket.close()
