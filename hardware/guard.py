"""Keeps every strip from flashing: never more than three flashes in any second, whatever games ask for.

A flash is a rise of luminance by a tenth of full brightness after as large a fall, or such a rise of redness
(R - G - B) by a sixteenth: WCAG 2.3.1, taken strictly. It is counted for every LED and for the mean of all.
The guard only ever makes light weaker: once three rises are spent, an LED stays near its low until the
oldest of them is a second old. So it can come after the current limit and never break it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hardware.arrays import Levels
from hardware.ledmap import LedMap

RISES = 3
"""Flashes that are allowed in any second."""


class Channels(NamedTuple):
    """Where the colours of each LED are in a frame; `white` is -1 where there is none."""

    rgb: Levels
    white: Levels

    @staticmethod
    def of(led_map: LedMap) -> Channels:
        table = np.full((len(led_map.leds), 4), -1, np.intp)
        table[led_map.slots // 4, led_map.slots % 4] = np.arange(led_map.size)
        return Channels(table[:, :3].copy(), table[:, 3].copy())


WEIGHTS = np.array([54, 183, 19])
"""What red, green and blue add to the luminance, in 1/256."""


class FlashGuard:
    """Holds back what would flash; remembers the frames before.

    It follows one row of signals: the luminance of every LED, the redness of every LED, the mean luminance.
    """

    def __init__(self, led_map: LedMap, full: int = 255) -> None:
        self._at = Channels.of(led_map)
        self._whites = np.flatnonzero(self._at.white >= 0)
        self._leds = n = len(led_map.leds)
        step, red_step = max(1, full // 10), max(1, full // 16)
        self._step = np.array([step] * n + [red_step] * n + [step])
        self._value = np.zeros(2 * n + 1, np.int64)
        self._edge = np.zeros(2 * n + 1, np.int64)
        """Where each signal last turned, or how far it has come since."""
        self._is_rising = np.zeros(2 * n + 1, bool)
        self._rises = np.full((RISES, 2 * n + 1), -np.inf)
        """When each signal last rose, the oldest first."""

    def calm(self, frame: bytes, t: float) -> bytes:
        """Returns the frame, weaker where it would flash at time t."""
        n, at = self._leds, self._at
        out = np.frombuffer(frame, np.uint8).astype(np.int64)
        spent = (t - self._rises[0] < 1.0) & ~self._is_rising
        value = self._measure(out)
        if spent.any():
            limit = np.where(spent, self._edge + self._step - 1, 255)
            if value[-1] > limit[-1]:
                out = out * limit[-1] // (value[-1] + 1)
                value = self._measure(out)
            over = np.flatnonzero(value[:n] > limit[:n])
            if len(over):
                self._weaken(out, over, limit, value)
            reds, others = at.rgb[:, 0], at.rgb[:, 1:]
            out[reds] = np.minimum(out[reds], limit[n:-1] + out[others].sum(axis=1))
            value = self._measure(out)
        self._note(value, t)
        return out.astype(np.uint8).tobytes()

    def _measure(self, out: Levels) -> Levels:
        """The signals of a frame, whole numbers as on the chip."""
        n, value = self._leds, self._value
        rgb = out[self._at.rgb]
        bright = rgb @ WEIGHTS
        if len(self._whites):
            own = self._whites
            bright[own] = bright[own] + 256 * out[self._at.white[own]] >> 1
        value[:n] = bright >> 8
        np.maximum(2 * rgb[:, 0] - rgb.sum(axis=1), 0, out=value[n:-1])
        value[-1] = value[:n].sum() // n
        return value

    def _weaken(self, out: Levels, over: Levels, limit: Levels, value: Levels) -> None:
        """Scales single LEDs down to their limit of luminance."""
        share, whole = limit[over], value[over] + 1
        places = self._at.rgb[over]
        out[places] = out[places] * share[:, None] // whole[:, None]
        white = self._at.white[over]
        has = white >= 0
        out[white[has]] = out[white[has]] * share[has] // whole[has]

    def _note(self, value: Levels, t: float) -> None:
        """Notes where the signals turned. A rise is as old as its top: the next ones keep their distance."""
        rising, edge = self._is_rising, self._edge
        beyond = value - edge
        up = ~rising & (beyond >= self._step)
        down = rising & (-beyond >= self._step)
        higher = rising & (beyond > 0)
        moved = up | down | higher | ~rising & (beyond < 0)
        np.copyto(edge, value, where=moved)
        self._is_rising = rising ^ (up | down)
        if up.any():
            self._rises[:-1, up] = self._rises[1:, up]
        self._rises[-1, up | higher] = t
