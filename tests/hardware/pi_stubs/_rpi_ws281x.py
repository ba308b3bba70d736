"""The C side of rpi_ws281x, which drives the pins of a Pi: here it remembers what it is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

WS2811_SUCCESS = 0
WS2811_STRIP_RGB = WS2811_STRIP_GRB = 0x100800
SK6812_STRIP_RGBW = 0x18100800

calls: list[Any] = []
"""`init`, `fini`, and the LEDs of every picture that was sent."""


class _Strip:
    def __init__(self) -> None:
        self.channels: list[dict[str, Any]] = [{"leds": {}} for _ in range(2)]


def new_ws2811_t() -> _Strip:
    return _Strip()


def delete_ws2811_t(strip: _Strip) -> None:
    strip.channels.clear()


def ws2811_channel_get(strip: _Strip, number: int) -> dict[str, Any]:
    return strip.channels[number]


def ws2811_init(strip: _Strip) -> int:
    calls.append("init")
    return WS2811_SUCCESS


def ws2811_fini(strip: _Strip) -> None:
    calls.append("fini")


def ws2811_led_set(channel: dict[str, Any], number: int, colour: int) -> None:
    channel["leds"][number] = colour


def ws2811_led_get(channel: dict[str, Any], number: int) -> int:
    return int(channel["leds"].get(number, 0))


def ws2811_render(strip: _Strip) -> int:
    channel = strip.channels[0]
    calls.append([ws2811_led_get(channel, i) for i in range(channel["count"])])
    return WS2811_SUCCESS


def __getattr__(name: str) -> Callable[..., Any]:
    """The accessors of the C structures, which SWIG makes for every field."""
    field, _, kind = name.removeprefix("ws2811_channel_t_").rpartition("_")
    if name.startswith("ws2811_channel_t_") and kind == "set":
        return lambda channel, value: channel.__setitem__(field, value)
    if name.startswith("ws2811_channel_t_") and kind == "get":
        return lambda channel: channel[field]
    if name.startswith("ws2811_t_"):
        return lambda *given: None
    raise AttributeError(name)
