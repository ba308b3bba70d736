"""A strip on a pin of a Raspberry Pi, by adafruit-circuitpython-neopixel."""

from __future__ import annotations

from typing import Any

from companion.engine.errors import ConfigError
from hardware.ports import Status, check_size

INSTALL = "install it with:  .venv/bin/pip install 'gloam[pi]' rpi_ws281x  (on a Pi 5: 'gloam[pi,pi5]')"


class NeoPixelStrip:
    """A strip on a pin; frames go out as they are, in the strip's own order."""

    def __init__(self, pin: str, leds: int, order: str) -> None:
        """Takes the pin named as on the board: D10 needs no root, D18 does."""
        try:
            import board
            import neopixel
        except (ImportError, NotImplementedError, RuntimeError) as error:
            raise ConfigError(
                f'lights: driver "neopixel" cannot be used here ({error}); {INSTALL}'
            ) from error
        self.size = leds * len(order)
        # Blinka starts the hardware anew for every other buffer, so all frames go out in this one.
        self._buffer = bytearray(self.size)
        self._module: Any = neopixel
        self._problem = ""
        try:
            where = getattr(board, pin)
        except AttributeError as error:
            raise ConfigError(f"lights: this board has no pin {pin!r}; use D10, D12, D18 or D21") from error
        self._pixels = neopixel.NeoPixel(where, leds, bpp=len(order), auto_write=False, pixel_order=order)

    @property
    def status(self) -> Status:
        return Status(not self._problem, self._problem)

    def show(self, frame: bytes) -> None:
        check_size(frame, self.size)
        try:
            self._buffer[:] = frame
            self._module.neopixel_write(self._pixels.pin, self._buffer)
            self._problem = ""
        except (OSError, RuntimeError) as error:
            self._problem = f"The strip does not take light ({error})."

    def close(self) -> None:
        self.show(bytes(self.size))
        self._pixels.pin.deinit()
