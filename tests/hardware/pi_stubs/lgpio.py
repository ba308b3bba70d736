"""The kernel's pins as lgpio hands them on to gpiozero: what is outside pulls and watches them here."""

from __future__ import annotations

from collections.abc import Callable

SET_PULL_UP, SET_PULL_DOWN, SET_PULL_NONE = 32, 64, 128
RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3
OUTPUT = 2
"""Of a pin's mode."""
error = OSError

_modes: dict[int, int] = {}
_driven: dict[int, int] = {}
_watched: dict[int, Callable[[int, int, int, int], None]] = {}
wrote: list[Callable[[int, int], None]] = []
"""Called with pin and level whenever an output is set."""


def drive(pin: int, level: int) -> None:
    """Something outside pulls a pin to a level."""
    was, _driven[pin] = gpio_read(0, pin), level
    if level != was and pin in _watched:
        _watched[pin](0, pin, level, 0)


def gpiochip_open(chip: int) -> int:
    assert chip == 0, "the header of a Pi 4"
    return chip


def gpiochip_close(handle: int) -> None:
    _watched.clear()


def gpio_claim_input(handle: int, pin: int, flags: int = 0) -> None:
    _modes[pin] = flags


def gpio_claim_output(handle: int, pin: int, level: int = 0, flags: int = 0) -> None:
    _modes[pin] = OUTPUT
    gpio_write(handle, pin, level)


def gpio_claim_alert(handle: int, pin: int, edges: int, flags: int = 0) -> None:
    _modes[pin] = flags


def gpio_free(handle: int, pin: int) -> None:
    _modes.pop(pin)


def gpio_get_mode(handle: int, pin: int) -> int:
    return _modes[pin]


def gpio_set_debounce_micros(handle: int, pin: int, debounce: int) -> None:
    assert debounce == 0, "nobody asks for it"


def gpio_read(handle: int, pin: int) -> int:
    return _driven.get(pin, int(_modes.get(pin, 0) == SET_PULL_UP))


def gpio_write(handle: int, pin: int, level: int) -> None:
    assert _modes[pin] == OUTPUT, f"pin {pin} is an input"
    _driven[pin] = int(level)
    for tell in wrote:
        tell(pin, int(level))


class callback:  # as lgpio names it
    """Calls a function when a pin changes."""

    def __init__(self, handle: int, pin: int, edges: int, tell: Callable[[int, int, int, int], None]) -> None:
        self._pin = pin
        _watched[pin] = tell

    def cancel(self) -> None:
        _watched.pop(self._pin, None)
