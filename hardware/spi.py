"""A WS2812 strip on the data line of an SPI bus: works on every Pi, also the 5, and needs no root.

Each bit of light becomes four bits of SPI at 3.2 MHz: `1100` for one, 625 ns high, `1000` for nought, 313 ns
high; the data sheet asks for 580 to 1000 and 220 to 380. A frame must go out in one piece, so the kernel's
buffer has to hold all of it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from companion.engine.errors import ConfigError, DeviceError
from hardware.ports import Status, check_size

SPEED_HZ = 3_200_000
RESET_S = 300e-6
"""Silence that latches a frame; current parts want 280 µs."""
_RESET = bytes(round(RESET_S * SPEED_HZ / 8) + 1)
_BUFFER = Path("/sys/module/spidev/parameters/bufsiz")
_CODES = np.array(
    [
        list(int("".join("1100" if b == "1" else "1000" for b in f"{v:08b}"), 2).to_bytes(4, "big"))
        for v in range(256)
    ],
    np.uint8,
)


def encode(frame: bytes) -> bytes:
    """Writes a frame as SPI bytes, with the reset before and after it.

    >>> encode(b"\\x80")[len(_RESET):][:4].hex()
    'c8888888'
    """
    return _RESET + _CODES[np.frombuffer(frame, np.uint8)].tobytes() + _RESET


class SpiStrip:
    """A strip on `/dev/spidevBUS.DEVICE`; `bus` is an opened spidev."""

    def __init__(self, bus: Any, size: int, buffer_size: int) -> None:
        self.size = size
        self._bus = bus
        self._problem = ""
        bus.max_speed_hz, bus.mode = SPEED_HZ, 0
        needed = len(encode(bytes(size)))
        if needed > buffer_size:
            raise ConfigError(
                f"lights: a frame takes {needed} bytes, the SPI buffer has {buffer_size}; "
                "add  spidev.bufsiz=32768  to the line in /boot/firmware/cmdline.txt and restart"
            )

    @property
    def status(self) -> Status:
        return Status(not self._problem, self._problem)

    def show(self, frame: bytes) -> None:
        check_size(frame, self.size)
        try:
            self._bus.writebytes2(encode(frame))
            self._problem = ""
        except OSError as error:
            self._problem = f"The SPI bus does not take light ({error})."

    def close(self) -> None:
        self.show(bytes(self.size))
        self._bus.close()


def open_spi(name: str, size: int) -> SpiStrip:
    """Opens a bus named as "0.0"."""
    try:
        import spidev
    except ImportError as error:
        raise ConfigError(
            'lights: driver "spi" needs spidev; install it with:  sudo apt install python3-spidev'
        ) from error
    bus = spidev.SpiDev()
    try:
        bus.open(*map(int, name.split(".")))
    except (OSError, TypeError, ValueError) as error:
        raise DeviceError(
            f"SPI bus {name} cannot be opened ({error}); "
            "switch it on with:  sudo raspi-config nonint do_spi 0"
        ) from error
    return SpiStrip(bus, size, int(_BUFFER.read_text()) if _BUFFER.exists() else 4096)
