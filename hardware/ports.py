"""What the table asks of its parts. Each port has a fake in `hardware.fakes`; `hardware.wiring` chooses."""

from __future__ import annotations

from typing import NamedTuple, Protocol


class Clock(Protocol):
    """Tells time."""

    def now(self) -> float:
        """Seconds that never go back."""

    def sleep(self, delay_s: float) -> None:
        """Waits."""


class LedStrip(Protocol):
    """Shows frames: the bytes of every LED in the strip's own order. The last one wins.

    Once made, a strip raises nothing but `ValueError` for a frame of the wrong length: what is unplugged
    says so in `status` and comes back by itself.
    """

    size: int
    """The bytes of a frame."""

    @property
    def status(self) -> Status:
        """How it is."""

    def show(self, frame: bytes) -> None:
        """Shows a frame, soon and without waiting for it."""

    def close(self) -> None:
        """Goes dark and lets go."""


def check_size(frame: bytes, size: int) -> None:
    """Refuses a frame of the wrong length, as every strip does."""
    if len(frame) != size:
        raise ValueError(f"a frame of {len(frame)} bytes for a strip of {size}")


class Status(NamedTuple):
    """How a part is: whether it works, and a sentence for people when it does not."""

    is_up: bool
    words: str = ""


class Link(Protocol):
    """A line of bytes to another machine. Both raise `DeviceError` when it is broken."""

    def write(self, data: bytes) -> None:
        """Sends, or fails within a fraction of a second."""

    def read(self) -> bytes:
        """Returns what has arrived, without waiting."""

    def close(self) -> None:
        """Lets go."""


class Press(NamedTuple):
    """Somebody used a button or turned the knob."""

    name: str
    """end-turn | undo | next | shutdown | left | right"""
    time_s: float


class Sensed(NamedTuple):
    """A sensor changed: a switch under the board closed or opened, or a die crossed the beam."""

    number: int
    """The switch, counted from 0 as it is wired, or `BEAM` for the beam of the dice tower."""
    is_closed: bool
    time_s: float


BEAM = -1
"""The number of the dice tower's beam."""


class Buttons(Protocol):
    """Buttons and knob."""

    def presses(self) -> list[Press]:
        """Returns what was pressed since the last call."""

    def close(self) -> None:
        """Lets go."""


class SensorPort(Protocol):
    """Reed or hall switches under the board, the beam of the dice tower."""

    def sensed(self) -> list[Sensed]:
        """Returns what changed since the last call; the first call tells what is closed."""

    def close(self) -> None:
        """Lets go."""


BUTTONS = ("end-turn", "undo", "next", "shutdown")
"""The buttons in the order of their pins. `shutdown` counts only when held."""

HOLD_S = 3.0
"""How long `shutdown` must be held."""
