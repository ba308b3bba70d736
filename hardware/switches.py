"""Switches under the board on pins of the Pi: a chain of 74HC165 and the dice tower's beam, by gpiozero."""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import Any, NamedTuple

from companion.engine.errors import ConfigError
from hardware.buttons import Debounced
from hardware.ports import BEAM, Clock, Sensed

SCAN_S = 0.02
"""Between two looks at the chain: a pawn that is put down rests for longer."""


class ChainPins(NamedTuple):
    """GPIO numbers of the chain's load, clock and data lines, and of the beam; -1 where there is no beam."""

    load: int
    clock: int
    data: int
    beam: int = -1


class GpioSensors:
    """Switches to ground on a chain of 74HC165, and a light barrier that pulls its pin to ground."""

    def __init__(self, count: int, pins: ChainPins, clock: Clock, factory: Any = None) -> None:
        import gpiozero

        self._clock = clock
        self._contacts = [Debounced() for _ in range(count)]
        self._crossed: deque[Sensed] = deque(maxlen=64)
        self._scanned_s = float("-inf")
        self._devices: list[Any] = []
        try:
            if factory is None:  # named outright, for gpiozero would quietly take another
                from gpiozero.pins.lgpio import LGPIOFactory

                factory = LGPIOFactory()
            self._load = self._keep(
                gpiozero.DigitalOutputDevice(pins.load, initial_value=True, pin_factory=factory)
            )
            self._tick = self._keep(gpiozero.DigitalOutputDevice(pins.clock, pin_factory=factory))
            self._data = self._keep(gpiozero.InputDevice(pins.data, pull_up=True, pin_factory=factory))
            if pins.beam >= 0:
                beam = self._keep(gpiozero.DigitalInputDevice(pins.beam, pull_up=True, pin_factory=factory))
                beam.when_activated = partial(self._cross, True)
                beam.when_deactivated = partial(self._cross, False)
        except (gpiozero.GPIOZeroError, ImportError, OSError) as error:
            self.close()
            raise ConfigError(
                f"sensors: the pins cannot be used ({error}); "
                "on a Pi, install their driver with:  sudo apt install python3-lgpio"
            ) from error

    def _keep(self, device: Any) -> Any:
        self._devices.append(device)
        return device

    def _cross(self, is_closed: bool) -> None:
        self._crossed.append(Sensed(BEAM, is_closed, self._clock.now()))

    def sensed(self) -> list[Sensed]:
        now = self._clock.now()
        sensed = [self._crossed.popleft() for _ in range(len(self._crossed))]
        if now - self._scanned_s < SCAN_S:
            return sensed
        self._scanned_s = now
        self._load.off()
        self._load.on()
        for number, contact in enumerate(self._contacts):
            contact.edge(bool(self._data.is_active), now)
            self._tick.on()
            self._tick.off()
            sensed += [Sensed(number, is_closed, now) for is_closed in contact.changes(now)]
        return sensed

    def close(self) -> None:
        for device in self._devices:
            device.close()
