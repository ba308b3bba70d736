"""The lights of the table: a scene in, light out, refreshed as often as `step` is called."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.engine.scene import Scene
from hardware.chip import Chip
from hardware.guard import FlashGuard
from hardware.ledmap import LedMap
from hardware.ports import Clock, LedStrip, Status, check_size
from hardware.power import Supply
from hardware.render import LightStyle, compose, runs

FRAME_S = 1 / 60
FADE_S = 2.5
"""How long the lights take to fall asleep."""
DOT = (14, 7, 1)
"""The light of a table that sleeps: red, green and blue of its first LED."""
READING = 0.35
"""The share of the light that stays while the eyes read the table: bright bars would dazzle the camera."""
NOTCH = 1.25
"""By how much a notch of the knob changes the brightness."""
DIMMEST = 0.04
"""The knob never turns the lights off: a dark table looks like a broken one."""


class Lights:
    """Shows the current scene on a strip.

    One thread calls `show` and `step`; `hold`, `brighten`, `dim`, `sleep` and `wake` may come from others.
    With `chip_animates` a microcontroller gets the scene itself and plays it: for slow lines. With a `supply`
    the lights get less while its voltage is low; then the frames come from here.
    """

    def __init__(
        self,
        strip: LedStrip,
        led_map: LedMap,
        look: LightStyle,
        clock: Clock,
        *,
        chip_animates: bool = False,
        supply: Supply | None = None,
    ) -> None:
        self.scene = Scene()
        self.frame = bytes(led_map.size)
        """What is shown now, byte for byte."""
        self.led_map = led_map
        self.strip, self._look, self._clock = strip, look, clock
        self._most = look.brightness
        self._guard = FlashGuard(led_map, look.full)
        self._limit_words = ""
        self._held: tuple[float | None, float] = None, 0.0
        """Since when nothing flickers, and how far the flicker is behind the clock by then."""
        self._chip = strip if chip_animates and isinstance(strip, Chip) else None
        self._played: Scene | None = None
        self._asleep_s: float | None = None
        self._supply = supply
        self._held_map = led_map if supply is None else supply.held(led_map)

    def lay(self, led_map: LedMap) -> None:
        """The same LEDs lie elsewhere from now on, as a projector's light does when boards are moved."""
        self.led_map = led_map
        self._held_map = led_map if self._supply is None else self._supply.held(led_map)

    def show(self, scene: Scene) -> None:
        """Changes the scene; it is seen with the next step."""
        self.scene = scene

    def sleep(self) -> None:
        """Fades to one soft dot: everything is stored, and the power may be cut."""
        self._asleep_s = self._clock.now()

    def wake(self) -> None:
        """Shows the scene again."""
        self._asleep_s = None

    @property
    def brightness(self) -> float:
        """How bright the lights are, as the knob has set them."""
        return self._look.brightness

    def brighten(self, notches: int) -> None:
        """Turns the brightness up (or down, below 0); never above what is set in the config."""
        wanted = self._look.brightness * NOTCH**notches
        self._look = replace(self._look, brightness=max(min(DIMMEST, self._most), min(wanted, self._most)))
        self._played = None  # a chip gets the scene anew

    def dim(self, level: float) -> None:
        """Sets the brightness to a share of what is set in the config."""
        wanted = self._most * level
        self._look = replace(self._look, brightness=max(min(DIMMEST, self._most), min(wanted, self._most)))
        self._played = None

    def hold(self, is_held: bool) -> None:
        """Dims the lights and lets nothing flicker while the eyes read; then all goes on where it was."""
        now, (held_s, behind_s) = self._clock.now(), self._held
        if is_held and held_s is None:
            self._held = now, behind_s
        elif not is_held and held_s is not None:
            self._held = None, behind_s + now - held_s

    @property
    def is_held(self) -> bool:
        """Whether nothing may move because the eyes read the table."""
        return self._held[0] is not None

    def step(self) -> None:
        """Renders and shows the frame that is due."""
        now, (held_s, behind_s), asleep_s = self._clock.now(), self._held, self._asleep_s
        shown_s = (now if held_s is None else held_s) - behind_s
        is_low = self._supply is not None and self._supply.is_low()
        look = self._look
        if held_s is not None:
            look = replace(look, brightness=look.brightness * READING)
        picture = compose(self.scene, self._held_map if is_low else self.led_map, shown_s, look)
        self._limit_words = self._supply.words() if self._supply and is_low else picture.words()
        frame = picture.frame if asleep_s is None else self._drowsy(picture.frame, now - asleep_s)
        self.frame = self._guard.calm(frame, now)
        if self._chip is None or is_low or asleep_s is not None:
            self._played = None
            self.strip.show(self.frame)
        elif self.scene is self._played:
            self._chip.step()
        else:
            self._played = self.scene
            self._chip.play(runs(self.scene, self.led_map, self._look))

    def show_bytes(self, frame: bytes) -> None:
        """Shows bytes instead of the scene, until the next step: for trying a strip."""
        self.frame = frame
        self.strip.show(frame)

    def _drowsy(self, frame: bytes, asleep_s: float) -> bytes:
        """A frame that fades away, and the dot that stays."""
        levels = np.frombuffer(frame, np.uint8) * max(0.0, 1 - asleep_s / FADE_S)
        dot = np.zeros((len(self.led_map.leds), 4))
        dot[0, :3] = DOT
        faded: bytes = np.maximum(levels, dot.ravel()[self.led_map.slots]).astype(np.uint8).tobytes()
        return faded

    @property
    def status(self) -> Status:
        """How the strip is; its words also tell when the supply holds light back."""
        strip = self.strip.status
        return Status(strip.is_up, strip.words or self._limit_words)

    def close(self) -> None:
        """Goes dark and lets go."""
        self.strip.close()


class Split:
    """Several strips as one: each gets its part of the frame."""

    def __init__(self, strips: list[LedStrip]) -> None:
        self._strips = strips
        self.size = sum(strip.size for strip in strips)

    @property
    def status(self) -> Status:
        all_of_them = [strip.status for strip in self._strips]
        words = " ".join(status.words for status in all_of_them if status.words)
        return Status(all(status.is_up for status in all_of_them), words)

    def show(self, frame: bytes) -> None:
        check_size(frame, self.size)
        start = 0
        for strip in self._strips:
            strip.show(frame[start : start + strip.size])
            start += strip.size

    def close(self) -> None:
        for strip in self._strips:
            strip.close()
