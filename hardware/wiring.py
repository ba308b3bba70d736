"""Chooses the parts by configuration. Nothing is guessed: what is missing is a `ConfigError` with its remedy.

```toml
[lights]
driver = "chip"          # virtual | chip | neopixel | spi | ddp
map = "rails"            # rails | halo | projector | glass | backlit | around | the path of a map file
supply_ma = 2000

[buttons]
driver = "chip"          # none | virtual | chip | gpio
```
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from companion.engine.errors import ConfigError
from companion.engine.layout import SPREAD_BUILDS, Board
from companion.settings import config as configs
from companion.settings.config import SECTIONS, Config, PowerSettings, Schema, section, setting
from companion.settings.state_file import StateFile
from hardware import ledmap
from hardware.blink import fitted
from hardware.chip import Chip, ChipSettings
from hardware.fakes import VirtualButtons, VirtualSensors, VirtualStrip
from hardware.ledmap import KINDS, LedMap
from hardware.lights import Lights, Split
from hardware.ports import Buttons, Clock, LedStrip, SensorPort
from hardware.power import Supply
from hardware.render import LightStyle
from hardware.themes import THEMES


@dataclass(frozen=True, slots=True)
class LightSettings:
    """The section `[lights]`."""

    driver: str = setting(
        "virtual", "What drives the strip.", choices=("virtual", "chip", "neopixel", "spi", "ddp")
    )
    map: str = setting(
        "cells",
        "Where the LEDs are: rails | halo | projector | glass | backlit | around | cells | groups | a map "
        "file, as leds-{board}.json.",
    )
    build: str = setting("flat", "How pieces lie where the map is a file.", choices=("flat", *SPREAD_BUILDS))
    across: int = setting(1, "LEDs across a cell, for the maps backlit and groups.", between=(1, 8))
    pitch_mm: float = setting(
        ledmap.PITCH_MM, "From one LED to the next, for rails and around.", between=(2.0, 200.0)
    )
    profile_leds: int = setting(
        0, "LEDs in each rail, where one set serves several games; 0 where cut for one.", between=(0, 1000)
    )
    order: str = setting("GRB", "The order of the colours in a LED's bytes.", choices=ledmap.ORDERS)
    kind: str = setting("WS2812B", "The kind of LEDs.", choices=tuple(KINDS))
    supply_ma: int = setting(ledmap.SUPPLY_MA, "What the supply of the LEDs gives.", between=(50, 60_000))
    brightness: float = setting(0.8, "How bright the lights are at most.", between=(0.01, 1.0))
    theme: str = setting("gloam", "How meanings look.", choices=tuple(THEMES))
    chip_animates: bool = setting(False, "Lets the microcontroller play scenes by itself, for slow lines.")
    port: str = setting(
        "auto", "The microcontroller's serial port; for several strips, several with commas between."
    )
    pin: str = setting("D10", "The pin for neopixel.")
    spi: str = setting("0.0", "Bus and device for spi.")
    host: str = setting("", "WLED's address for ddp; for several strips, several with commas between.")


@dataclass(frozen=True, slots=True)
class ButtonSettings:
    """The section `[buttons]`; pins are GPIO numbers of the Pi, -1 where there is no such button."""

    driver: str = setting("virtual", "Where the buttons hang.", choices=("none", "virtual", "chip", "gpio"))
    end_turn: int = setting(17, "The GPIO number of this button; -1 where there is none.", between=(-1, 27))
    undo: int = setting(27, "As above.", between=(-1, 27))
    next: int = setting(22, "As above.", between=(-1, 27))
    shutdown: int = setting(3, "As above; held for three seconds.", between=(-1, 27))
    knob_a: int = setting(-1, "The first line of the knob.", between=(-1, 27))
    knob_b: int = setting(-1, "The second line of the knob.", between=(-1, 27))


@dataclass(frozen=True, slots=True)
class SensorSettings:
    """The section `[sensors]`; pins are GPIO numbers of the Pi, for switches on a chain of 74HC165."""

    driver: str = setting("virtual", "Where the sensors hang.", choices=("none", "virtual", "chip", "gpio"))
    switches: int = setting(49, "How many switches there are under the board.", between=(1, 128))
    load: int = setting(5, "The GPIO number of the chain's load line.", between=(0, 27))
    clock: int = setting(6, "Of its clock line.", between=(0, 27))
    data: int = setting(13, "Of its data line.", between=(0, 27))
    beam: int = setting(-1, "Of the dice tower's beam; -1 where there is none.", between=(-1, 27))


class PartSettings(NamedTuple):
    """Everything about parts that a configuration file says."""

    lights: LightSettings = LightSettings()
    buttons: ButtonSettings = ButtonSettings()
    sensors: SensorSettings = SensorSettings()
    power: PowerSettings = PowerSettings()


PARTS: Schema = {
    "lights": LightSettings,
    "buttons": ButtonSettings,
    "sensors": SensorSettings,
    "power": PowerSettings,
}
SCHEMA: Schema = {**SECTIONS, **PARTS}
"""The whole configuration file."""


def settings_from(config: Mapping[str, Any]) -> PartSettings:
    """Reads the sections about parts; other sections are not ours.

    >>> settings_from({"lights": {"driver": "spi", "supply_ma": 4000}}).lights.supply_ma
    4000
    """
    found: list[tuple[Any, list[tuple[str, str]]]] = [
        section(name, kind, config.get(name, {})) for name, kind in PARTS.items()
    ]
    if wrong := [words for _, faults in found for _, words in faults]:
        raise ConfigError("\n".join(wrong))
    return PartSettings(*(value for value, _ in found))


def settings_of(config: Config) -> PartSettings:
    """The sections about parts of an open configuration."""
    return PartSettings(*(config.of(kind) for kind in PARTS.values()))


def load(path: Path) -> PartSettings:
    """Reads a configuration file; raises `ConfigError` with all that is wrong."""
    return settings_of(configs.load(path, SCHEMA))


class Parts(NamedTuple):
    """What hangs on the table."""

    lights: Lights
    buttons: Buttons | None
    sensors: SensorPort | None

    def close(self) -> None:
        """Goes dark and lets go of everything."""
        for part in self:
            if part is not None:
                part.close()


def build(settings: PartSettings, board: Board, clock: Clock) -> Parts:
    """Makes the parts that the settings name, for a board."""
    lights = settings.lights
    led_map = led_map_for(lights, board)
    look = LightStyle(lights.theme, lights.brightness)
    strips = [_strip(lights, led_map, i, look, clock) for i in range(len(led_map.strips))]
    strip = strips[0] if len(strips) == 1 else Split(strips)
    chip = next((s for s in strips if isinstance(s, Chip)), None)
    # What WLED drives, or nothing real, does not hang on the Pi.
    near = lights.driver in ("chip", "neopixel", "spi")
    supply = Supply(settings.power.low_voltage_ma, clock) if near else None
    return Parts(
        Lights(strip, led_map, look, clock, chip_animates=lights.chip_animates, supply=supply),
        _buttons(settings.buttons, chip, clock),
        _sensors(settings.sensors, chip, clock),
    )


def led_map_for(lights: LightSettings, board: Board) -> LedMap:
    """Makes or reads the map that the settings name."""
    order = lights.order
    if lights.driver == "ddp":
        # WLED turns the colours to the strip's own order; only whether there is white must be said.
        order = "RGBW" if "W" in order else "RGB"
    strip = {"supply_ma": lights.supply_ma, "order": order, "kind": lights.kind}
    builders: dict[str, Callable[[], LedMap]] = {
        "rails": lambda: ledmap.rails(board, lights.pitch_mm, lights.profile_leds, **strip),
        "halo": lambda: ledmap.halo(board, **strip),
        "projector": lambda: ledmap.projector(board),
        "glass": lambda: ledmap.glass(board),
        "backlit": lambda: ledmap.cells(board, lights.across, **strip),
        "cells": lambda: ledmap.cells(board, lights.across, **strip),
        "groups": lambda: ledmap.groups(board, lights.across, **strip),
        "around": lambda: ledmap.around(board, lights.pitch_mm, **strip),
    }
    if lights.map in builders:
        return builders[lights.map]()
    path = led_map_path(lights, board)
    assert path is not None
    # `Path.exists` raises for a name that is too long.
    if "{board}" in lights.map and not os.path.exists(path):
        raise ConfigError(
            f"LED map {path}: this board was not mapped yet; let its LEDs blink in the workshop, or set "
            f'map = "cells" in [lights]'
        )
    if "{board}" not in lights.map:
        return ledmap.load(path)  # somebody's own work: it is never set aside
    found = StateFile(path, ledmap.read).load()
    if found is None:
        raise ConfigError(
            f"LED map {path} was damaged and set aside; let the LEDs blink in the workshop again"
        )
    # Boards of one frame can have more or fewer places.
    return fitted(found, board)


def build_of(lights: LightSettings) -> str:
    """The build that pieces are laid for."""
    return lights.map if lights.map in ledmap.BUILDS else lights.build


def led_map_path(lights: LightSettings, board: Board) -> Path | None:
    """The file of the map for a board; `{board}` in its name stands for the board's own. None where built."""
    if lights.map in ledmap.BUILDS:
        return None
    return Path(lights.map.replace("{board}", board.key))


def _strip(lights: LightSettings, led_map: LedMap, number: int, look: LightStyle, clock: Clock) -> LedStrip:
    count, order, kind, supply = led_map.strips[number]
    if lights.driver == "virtual":
        return VirtualStrip(count, order, clock)
    if lights.driver == "chip":
        from hardware.serial_link import SerialLink

        limits = KINDS[kind]
        chip_settings = ChipSettings(
            leds=count,
            order=order,
            budget_ma=min(65_535, led_map.supplies_ma[supply]),
            idle_ua=round(limits.idle_ma * 1000),
            channel_ua=round(limits.channel_ma * 1000),
            full=look.full,
        )
        return Chip(partial(SerialLink, _nth(lights.port, number, "port")), chip_settings, clock)
    if lights.driver == "ddp":
        from hardware.ddp import DdpStrip

        return DdpStrip(_nth(lights.host, number, "host"), count, order)
    if len(led_map.strips) > 1:
        raise ConfigError(f'[lights] driver = "{lights.driver}" drives one strip; the map has several')
    if lights.driver == "neopixel":
        from hardware.neopixel import NeoPixelStrip

        return NeoPixelStrip(lights.pin, count, order)
    from hardware.spi import open_spi

    return open_spi(lights.spi, led_map.size)


def _nth(names: str, number: int, key: str) -> str:
    """The name for a strip; several strips have several names with commas between."""
    each = [name.strip() for name in names.split(",")]
    if number >= len(each) or not each[number]:
        raise ConfigError(f"[lights] {key} = {names!r} names nothing for strip {number}")
    return each[number]


def _buttons(buttons: ButtonSettings, chip: Chip | None, clock: Clock) -> Buttons | None:
    if buttons.driver == "virtual":
        return VirtualButtons(clock)
    if buttons.driver == "chip":
        return _needed(chip, "buttons")
    if buttons.driver == "gpio":
        from hardware.buttons import GpioButtons

        names = {"end-turn": buttons.end_turn, "undo": buttons.undo, "next": buttons.next}
        names["shutdown"] = buttons.shutdown
        pins = {name: pin for name, pin in names.items() if pin >= 0}
        knob = (buttons.knob_a, buttons.knob_b)
        return GpioButtons(pins, clock, knob if min(knob) >= 0 else None)
    return None


def _sensors(sensors: SensorSettings, chip: Chip | None, clock: Clock) -> SensorPort | None:
    if sensors.driver == "virtual":
        return VirtualSensors(clock)
    if sensors.driver == "gpio":
        from hardware.switches import ChainPins, GpioSensors

        pins = ChainPins(sensors.load, sensors.clock, sensors.data, sensors.beam)
        return GpioSensors(sensors.switches, pins, clock)
    return _needed(chip, "sensors") if sensors.driver == "chip" else None


def _needed(chip: Chip | None, section: str) -> Chip:
    if chip is None:
        raise ConfigError(f'[{section}] driver = "chip" needs the same in [lights]:  driver = "chip"')
    return chip
