"""Watches the Pi's own supply: when its voltage falls, the LEDs get less, before the Pi itself gives in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import ceil
from pathlib import Path

from hardware.ledmap import LedMap
from hardware.ports import Clock

HWMON = Path("/sys/class/hwmon")
LOOK_S = 1.0
HOLD_S = 60.0
"""Less light lifts the voltage again: without a pause, the lights would swing."""


class Supply:
    """The Pi's supply; `is_low` from a fall of its voltage until it has held for a minute.

    On anything but a Raspberry Pi there is no alarm to read, and it never is.
    """

    def __init__(self, low_ma: int, clock: Clock, hwmon: Path = HWMON) -> None:
        """Takes what all LEDs together may draw while the voltage is low."""
        self.low_ma = low_ma
        self._clock = clock
        self._alarm = next(_alarms(hwmon), None)
        self._looked_s = self._fell_s = float("-inf")

    @property
    def is_known(self) -> bool:
        """Whether this machine says anything about its voltage."""
        return self._alarm is not None

    def is_low(self) -> bool:
        """Looks at most once a second."""
        now = self._clock.now()
        if now - self._looked_s >= LOOK_S:
            self._looked_s = now
            if self._alarms():
                self._fell_s = now
        return now - self._fell_s < HOLD_S

    def words(self) -> str:
        """Says that light is held back and what helps."""
        return (
            f"The Pi's voltage is low: the lights get {self.low_ma / 1000:.1f} A. "
            "Use the Pi's own supply, and another one for the LEDs."
        )

    def held(self, led_map: LedMap) -> LedMap:
        """The same LEDs on what they may draw now, shared as their supplies are."""
        share = min(1.0, self.low_ma / sum(led_map.supplies_ma))
        limits = (
            max(ceil(led_map.idle_ma(i)) + 1, int(limit * share))
            for i, limit in enumerate(led_map.supplies_ma)
        )
        return replace(led_map, supplies_ma=tuple(limits))

    def _alarms(self) -> bool:
        try:
            return self._alarm is not None and self._alarm.read_text().strip() == "1"
        except OSError:
            return False


def _alarms(hwmon: Path) -> Iterator[Path]:
    """The files in which the Pi's firmware says that its voltage is low now."""
    for name in sorted(hwmon.glob("hwmon*/name")):
        if name.read_text().strip() == "rpi_volt":
            yield name.with_name("in0_lcrit_alarm")
