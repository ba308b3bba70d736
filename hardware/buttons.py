"""Buttons and a knob on pins of the Pi, by gpiozero."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from functools import partial
from typing import Any

from companion.engine.errors import ConfigError
from hardware.ports import BUTTONS, HOLD_S, Clock, Press

BOUNCE_S = 0.02
"""How long a contact must rest before it counts."""


class Debounced:
    """A contact as it should be: a change counts once it has lasted."""

    def __init__(self) -> None:
        self._is_closed = False
        self._raw = False
        self._since = 0.0
        self._changes: deque[bool] = deque(maxlen=16)

    def edge(self, is_closed: bool, t: float) -> None:
        """Tells that the contact closed or opened."""
        if is_closed != self._raw:
            self._settle(t)
            self._raw, self._since = is_closed, t

    def changes(self, t: float) -> list[bool]:
        """Returns the changes that lasted since the last call: closed or opened."""
        self._settle(t)
        return [self._changes.popleft() for _ in range(len(self._changes))]

    def _settle(self, t: float) -> None:
        if self._raw != self._is_closed and t - self._since >= BOUNCE_S:
            self._is_closed = self._raw
            self._changes.append(self._raw)


class GpioButtons:
    """Buttons from pins to ground, and a rotary encoder. Pin numbers are GPIO numbers.

    A button counts when it is pressed, `shutdown` when it has been held for three seconds.
    """

    def __init__(
        self, pins: Mapping[str, int], clock: Clock, knob: tuple[int, int] | None = None, factory: Any = None
    ) -> None:
        unknown = set(pins) - set(BUTTONS)
        if unknown:
            raise ConfigError(
                f"buttons: {', '.join(sorted(unknown))} is no button; known: {', '.join(BUTTONS)}"
            )
        import gpiozero

        self._clock = clock
        self._contacts = {name: Debounced() for name in pins}
        self._held: float | None = None
        self._turned: deque[Press] = deque(maxlen=256)
        self._devices: list[Any] = []
        try:
            if factory is None:  # named outright, for gpiozero would quietly take another
                from gpiozero.pins.lgpio import LGPIOFactory

                factory = LGPIOFactory()
            for name, pin in pins.items():
                # Not a Button: that keeps a thread for holding, and we count time by our own clock.
                button = gpiozero.DigitalInputDevice(pin, pull_up=True, pin_factory=factory)
                button.when_activated = partial(self._edge, name, True)
                button.when_deactivated = partial(self._edge, name, False)
                self._devices.append(button)
                self._edge(name, button.is_active)
            if knob is not None:
                encoder = gpiozero.RotaryEncoder(*knob, max_steps=0, pin_factory=factory)
                encoder.when_rotated_clockwise = partial(self._turn, "right")
                encoder.when_rotated_counter_clockwise = partial(self._turn, "left")
                self._devices.append(encoder)
        except (gpiozero.GPIOZeroError, ImportError, OSError) as error:
            self.close()
            raise ConfigError(
                f"buttons: the pins cannot be used ({error}); "
                "on a Pi, install their driver with:  sudo apt install python3-lgpio"
            ) from error

    def _edge(self, name: str, is_closed: bool) -> None:
        self._contacts[name].edge(is_closed, self._clock.now())

    def _turn(self, name: str) -> None:
        self._turned.append(Press(name, self._clock.now()))

    def presses(self) -> list[Press]:
        now = self._clock.now()
        pressed = [self._turned.popleft() for _ in range(len(self._turned))]
        for name, contact in self._contacts.items():
            for is_closed in contact.changes(now):
                if name == "shutdown":
                    self._held = now if is_closed else None
                elif is_closed:
                    pressed.append(Press(name, now))
        if self._held is not None and now - self._held >= HOLD_S:
            self._held = None
            pressed.append(Press("shutdown", now))
        return pressed

    def close(self) -> None:
        for device in self._devices:
            device.close()
