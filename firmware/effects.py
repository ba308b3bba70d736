"""Rhythms that the chip plays by itself: whole numbers only, so the Pi computes the very same levels.

A wave at k steps of 1/1024 per millisecond comes round at 2**18 ms for every k: time wraps there unseen.
"""

from math import cos, pi

from wire import BLINK, BREATHE, FLICKER, PULSE, RUN

WAVE = bytes([int(127.5 - 127.5 * cos(2 * pi * i / 256) + 0.5) for i in range(256)])
WRAP = 0x3FFFF


def level(effect: int, phase: int, t: int) -> int:
    """The brightness of a rhythm, 0 to 255, at `t` milliseconds; `phase` 0 to 255 sets places apart."""
    t &= WRAP
    if effect == FLICKER:  # three waves below 3 Hz, each cell with its own
        sway = WAVE[((t * (110 + (phase & 31)) >> 10) + 3 * phase) & 255]
        lick = WAVE[((t * (290 + (phase * 5 & 63)) >> 10) + 7 * phase) & 255]
        shimmer = WAVE[((t * (540 + (phase * 11 & 127)) >> 10) + 13 * phase) & 255]
        return 255 - (sway * 44 + lick * 26 + shimmer * 14 >> 8)
    if effect == BREATHE:
        return 96 + (WAVE[((t * 66 >> 10) + phase) & 255] * 159 >> 8)
    if effect == PULSE:
        return 40 + (WAVE[((t * 210 >> 10) + phase) & 255] * 215 >> 8)
    if effect == BLINK:
        return min(255, max(32, (WAVE[((t * 262 >> 10) + phase) & 255] - 96) * 4))
    if effect == RUN:  # a spark that leaves a tail
        behind = ((t * 164 >> 10) - phase) & 255
        return 255 if behind < 24 else max(64, 255 - (behind - 24) * 2)
    return 255


def parse(body: bytes, size: int) -> tuple:
    """Reads a scene into (colours, runs); raises ValueError when it does not add up."""
    if not body:
        raise ValueError("empty scene")
    runs = 1 + body[0] * size
    if runs > len(body) or (len(body) - runs) % 4:
        raise ValueError("scene of a wrong length")
    colours = [body[i : i + size] for i in range(1, runs, size)]
    parts = [tuple(body[i : i + 4]) for i in range(runs, len(body), 4)]
    for _, colour, _, _ in parts:
        if colour >= len(colours):
            raise ValueError("no such colour")
    return colours, parts


def paint(scene: tuple, out: bytearray, t: int) -> None:
    """Paints a scene at `t` milliseconds; LEDs beyond its runs stay dark."""
    colours, parts = scene
    at, end = 0, len(out)
    for count, colour, effect, phase in parts:
        bright = level(effect, phase, t)
        bright = bright * bright // 255
        one = bytes([c * bright // 255 for c in colours[colour]])
        stop = min(end, at + count * len(one))
        out[at:stop] = (one * count)[: stop - at]
        at = stop
    if at < end:
        out[at:] = bytes(end - at)
