"""Turns what places mean into the bytes of a strip.

`render` is pure: the same scene, map and time give the same bytes. A scene is sorted into layers once; each
frame then costs a few array operations. Brightness, gamma and the current limit are applied here, once.
Only the flash guard (`hardware.guard`) comes after, because it must remember the frames before.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from companion.engine.scene import Glow, Scene
from hardware.arrays import Levels, Light
from hardware.ledmap import AROUND_ORDER, BARS, LedMap
from hardware.themes import BAR_DRAWN, DRAWN, THEMES, Theme
from hardware.wire import BLINK, BREATHE, FLICKER, PULSE, RUN, STEADY

GAMMA = 2.2
TAKES_TURNS = (*BARS, "around")
"""Builds on which several things take turns."""
TURN_S = 1.2
"""How long each of several things that take turns on one bar is shown."""
FAINTEST_SIGNAL = 0.4
"""What happens at a place is never shown fainter on its bar: it would be lost beside candles."""
TURNS = 60
"""The turns after which everything comes again, whether two, three, four, five or six things take turns."""
STEP_PHASE = 20
"""How far a running light is behind at the next step of a path: 1/256 of its round."""


@dataclass(frozen=True, slots=True)
class LightStyle:
    """How the lights are set: theme and master brightness."""

    theme: str = "gloam"
    brightness: float = 0.8

    @property
    def full(self) -> int:
        """The level that counts as full brightness."""
        return max(1, round(255 * self.brightness))


class Picture(NamedTuple):
    """A frame, and what the current limit did to it."""

    frame: bytes
    asked_ma: float
    """What the scene would draw."""
    scale: float
    """The share of it that the tightest supply gives; 1.0 when no supply is overloaded."""

    def words(self) -> str:
        """Says when light was held back, and by how much."""
        if self.scale == 1.0:
            return ""
        return f"Lights held to {self.scale:.0%}: the scene asks for {self.asked_ma / 1000:.1f} A."


def render(scene: Scene, led_map: LedMap, t: float, look: LightStyle = LightStyle()) -> bytes:
    """Renders a scene at a time in seconds into the bytes for the strips."""
    return compose(scene, led_map, t, look).frame


def compose(scene: Scene, led_map: LedMap, t: float, look: LightStyle) -> Picture:
    """Renders a scene into a frame, with the current that it asks for."""
    turn = int(t / TURN_S) % TURNS if led_map.build in TAKES_TURNS else 0
    light = _light(_stack(scene, led_map, look.theme, turn), t)
    light *= 255.0 * look.brightness
    colours = np.empty((len(led_map.leds), 4))
    colours[:, :3] = light
    if any(len(strip.order) == 4 for strip in led_map.strips):
        _whiten(colours, led_map)
    frame = (colours.ravel()[led_map.slots] + 0.5).astype(np.uint8)
    return limited(frame, led_map)


def _whiten(colours: Light, led_map: LedMap) -> None:
    """Moves what red, green and blue have in common to the white channel, where there is one."""
    first = 0
    for strip in led_map.strips:
        own = colours[first : first + strip.count]
        first += strip.count
        if len(strip.order) == 4:
            own[:, 3] = own[:, :3].min(axis=1)
            own[:, :3] -= own[:, 3:]


def limited(frame: Levels, led_map: LedMap) -> Picture:
    """Scales each supply's LEDs down to what it gives."""
    asked, tightest = 0.0, 1.0
    for limit_ma, idle_ma, spans in led_map.feeds:
        draws = sum(float(frame[a:b].sum()) * step_ma for a, b, step_ma in spans)
        asked += idle_ma + draws
        if idle_ma + draws > limit_ma:
            scale = (limit_ma - idle_ma) / draws
            for a, b, _ in spans:
                frame[a:b] = frame[a:b] * scale
            tightest = min(tightest, scale)
    return Picture(frame.tobytes(), asked, tightest)


def current_ma(frame: bytes, led_map: LedMap, supply: int = 0) -> float:
    """What a supply gives for a frame, by the data sheets."""
    feed = led_map.feeds[supply]
    return feed.idle_ma + sum(sum(frame[a:b]) * step_ma for a, b, step_ma in feed.spans)


# Rhythms: the same whole numbers as in the firmware's effects.py -------------------------------------

_WAVE: Levels = (127.5 - 127.5 * np.cos(2 * np.pi * np.arange(256) / 256) + 0.5).astype(np.int64)


def levels(rhythm: int, phase: Levels, ms: int) -> Levels:
    """The brightness of a rhythm at some phases, 0 to 255."""
    level: Levels = np.full(len(phase), 255)
    if rhythm == FLICKER:
        sway = _WAVE[(ms * (110 + (phase & 31)) >> 10) + 3 * phase & 255]
        lick = _WAVE[(ms * (290 + (phase * 5 & 63)) >> 10) + 7 * phase & 255]
        shimmer = _WAVE[(ms * (540 + (phase * 11 & 127)) >> 10) + 13 * phase & 255]
        level = 255 - (sway * 44 + lick * 26 + shimmer * 14 >> 8)
    elif rhythm == BREATHE:
        level = 96 + (_WAVE[(ms * 66 >> 10) + phase & 255] * 159 >> 8)
    elif rhythm == PULSE:
        level = 40 + (_WAVE[(ms * 210 >> 10) + phase & 255] * 215 >> 8)
    elif rhythm == BLINK:
        level = np.clip((_WAVE[(ms * 262 >> 10) + phase & 255] - 96) * 4, 32, 255)
    elif rhythm == RUN:
        behind = (ms * 164 >> 10) - phase & 255
        level = np.where(behind < 24, 255, np.maximum(64, 255 - (behind - 24) * 2))
    return level


def _light(stack: _Stack, t: float) -> Light:
    """The linear light of each LED at a time, 0 to 1."""
    ms = int(t * 1000) & 0x3FFFF
    bright = np.empty(len(stack.phase))
    for rhythm, where in stack.rhythms:
        level = levels(rhythm, stack.phase[where], ms)
        bright[where] = level * level
    shown = stack.colour * (bright / 65025.0)[:, None]
    light = np.zeros((stack.leds, 3))
    for start, end, leds, left in stack.passes:
        light[leds] = light[leds] * left + shown[start:end]
    return light


# Layers ----------------------------------------------------------------------------------------------


class _Stack(NamedTuple):
    """A scene sorted for one map: entries in passes, at most one entry per LED in each."""

    leds: int
    colour: Light
    phase: Levels
    rhythms: tuple[tuple[int, Levels], ...]
    passes: tuple[tuple[int, int, Levels, Light], ...]


class _Entry(NamedTuple):
    led: int
    colour: tuple[float, float, float]
    rhythm: int
    phase: int
    cover: float


def linear(colour: str) -> Light:
    """Makes light, 0 to 1, of a colour as screens write it.

    >>> [round(float(c), 2) for c in linear("#ff8000")]
    [1.0, 0.22, 0.0]
    """
    return (np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255.0) ** GAMMA


@lru_cache(maxsize=32)
def _entries(scene: Scene, led_map: LedMap, theme_name: str, turn: int) -> list[list[_Entry]]:
    """What each LED shows, from the bottom to the top; what is hidden is left out."""
    theme = THEMES[theme_name]
    stacks: list[list[_Entry]] = [[] for _ in led_map.leds]
    mood = theme.moods.get(scene.mood)
    if mood is not None and led_map.build not in BARS:
        backdrop = _light_of(linear(mood.colour))
        for led, stack in enumerate(stacks):
            phase = _seed(led) if mood.rhythm == FLICKER else 0
            stack.append(_Entry(led, backdrop, mood.rhythm, phase, 1.0))
    if led_map.build in BARS:
        _draw_bars(stacks, scene, led_map, theme, turn)
        return stacks
    if led_map.build == "around":
        scene = _one_thing(scene, turn)
    by_cell: dict[int, list[tuple[int, float, float, float]]] = {}
    for led, one in enumerate(led_map.leds):
        for cell, share in one.cells:
            by_cell.setdefault(cell, []).append((led, share, one.dx, one.dy))
    gain = mood.gain if mood is not None else 1.0
    # What happens right now lies above all that stands, even above how the game ended.
    for glow in sorted(scene.glows, key=lambda glow: (glow.order < 0, DRAWN[glow.meaning].layer)):
        drawn = DRAWN[glow.meaning]
        colour, rhythm = _coloured(theme, glow, drawn.tint)
        strength = (0.12 + 0.88 * glow.level) * (gain if drawn.layer <= 1 and glow.meaning != "lit" else 1.0)
        rgb = _light_of(colour * strength)
        phase = glow.order * STEP_PHASE if rhythm == RUN else _seed(glow.cell) if rhythm == FLICKER else 0
        for led, share, dx, dy in by_cell.get(glow.cell, ()):
            cover = drawn.cover * share * _shape(drawn.shape, dx, dy)
            if cover >= 0.999:
                stacks[led].clear()
            if cover > 0:
                stacks[led].append(_Entry(led, rgb, rhythm, phase & 255, cover))
    return stacks


def _draw_bars(stacks: list[list[_Entry]], scene: Scene, led_map: LedMap, theme: Theme, turn: int) -> None:
    """Draws every place as a bar: of its grounds and of its signals one each, as it is their turn."""
    grounds: dict[int, dict[Glow, None]] = {}
    signals: dict[int, dict[tuple[str, str], Glow]] = {}
    for glow in scene.glows:
        if BAR_DRAWN[glow.meaning].slots == "ground":
            grounds.setdefault(glow.cell, {})[glow] = None
        else:
            signals.setdefault(glow.cell, {})[glow.meaning, glow.tint] = glow
    for cell, bar in _bars(led_map).items():
        own, said = list(grounds.get(cell, ())), list(signals.get(cell, {}).values())
        shown: list[tuple[Glow, tuple[int, ...]]] = []
        if own:
            ground = _due(own, turn)
            shown.append((ground, bar.middle if said else (*bar.left, *bar.middle, *bar.right)))
        if said:
            signal = _due(said, turn)
            shown.append((signal, bar.ends(BAR_DRAWN[signal.meaning].slots)))
        for glow, leds in shown:
            instead = theme.bars.get(glow.meaning, "")
            light, rhythm = _coloured(theme, glow, BAR_DRAWN[glow.meaning].tint, instead)
            least = 0.12 if BAR_DRAWN[glow.meaning].slots == "ground" else FAINTEST_SIGNAL
            colour = _light_of(light * (least + (1 - least) * glow.level))
            phase = glow.order * STEP_PHASE if rhythm == RUN else _seed(glow.cell) if rhythm == FLICKER else 0
            for led in leds:
                stacks[led].append(_Entry(led, colour, rhythm, phase & 255, 1.0))


def _due(glows: list[Glow], turn: int) -> Glow:
    """Which of several things is shown: what happens right now, else they take turns."""
    played = [glow for glow in glows if glow.order < 0]
    return max(played, key=lambda glow: DRAWN[glow.meaning].layer) if played else glows[turn % len(glows)]


class _Slots(NamedTuple):
    """The LEDs of the bar of one place."""

    left: tuple[int, ...]
    middle: tuple[int, ...]
    right: tuple[int, ...]

    def ends(self, slots: str) -> tuple[int, ...]:
        """The LEDs of one end or of both."""
        return {"left": self.left, "right": self.right}.get(slots, (*self.left, *self.right))


@lru_cache(maxsize=8)
def _bars(led_map: LedMap) -> dict[int, _Slots]:
    """The bars of a map, by cell: the first LED from the left, the last, and those between."""
    found: dict[int, list[tuple[float, int]]] = {}
    for led, one in enumerate(led_map.leds):
        for cell, _ in one.cells:
            found.setdefault(cell, []).append((one.dx, led))
    bars = {}
    for cell, row in found.items():
        leds = tuple(led for _, led in sorted(row))
        bars[cell] = _Slots(leds[:1], leds[1:-1] or leds[:1], leds[-1:])
    return bars


def _one_thing(scene: Scene, turn: int) -> Scene:
    """The most urgent thing that a strip around the board can say; several places take turns."""
    for meaning in AROUND_ORDER:
        found = [glow for glow in scene.glows if glow.meaning == meaning]
        if found:
            return Scene((found[turn % len(found)],), scene.mood)
    return Scene((), scene.mood)


def _light_of(colour: Light) -> tuple[float, float, float]:
    red, green, blue = map(float, colour)
    return red, green, blue


def _coloured(theme: Theme, glow: Glow, share: float, instead: str = "") -> tuple[Light, int]:
    """The light and the rhythm of a glow, with a share of its tint; `instead` is another colour for it.

    What happens right now shines steadily: its moment must not fall into the dark of a rhythm.
    """
    colour, rhythm = theme.looks[glow.meaning]
    light = linear(instead or colour)
    if glow.tint:
        light = light * (1 - share) + linear(theme.tints[glow.tint]) * share
    return light, STEADY if glow.order < 0 else rhythm


def _shape(shape: str, dx: float, dy: float) -> float:
    """How much an LED takes part in a shape, by its place in the cell; a single LED always does."""
    if shape == "full" or dx == dy == 0.0:
        return 1.0
    if shape == "bar":
        return 1.0 if dy <= 0 else 0.0
    return 1.0 if dx * dy >= 0 else 0.0


def _seed(cell: int) -> int:
    """A phase for each cell that looks like chance."""
    return (cell * 167 + 41) * (cell + 7) & 255


@lru_cache(maxsize=32)
def _stack(scene: Scene, led_map: LedMap, theme: str, turn: int) -> _Stack:
    stacks = _entries(scene, led_map, theme, turn)
    depth = max(map(len, stacks), default=0)
    entries: list[_Entry] = []
    passes = []
    for k in range(depth):
        row = [stack[k] for stack in stacks if len(stack) > k]
        start, end = len(entries), len(entries) + len(row)
        left = np.array([[1.0 - entry.cover] for entry in row])
        passes.append((start, end, np.array([entry.led for entry in row], np.intp), left))
        entries += row
    rhythm = np.array([entry.rhythm for entry in entries], np.intp)
    rhythms = tuple((int(r), np.flatnonzero(rhythm == r)) for r in np.unique(rhythm))
    colour = np.array([[c * entry.cover for c in entry.colour] for entry in entries]).reshape(-1, 3)
    phase = np.array([entry.phase for entry in entries], np.int64)
    return _Stack(len(stacks), colour, phase, rhythms, tuple(passes))


def runs(scene: Scene, led_map: LedMap, look: LightStyle) -> bytes:
    """Writes a scene for the microcontroller to animate: for each LED, what lies on top."""
    assert len(led_map.strips) == 1, "a microcontroller drives one strip"
    order = led_map.strips[0].order
    colours: list[bytes] = []
    parts: list[list[int]] = []
    for stack in _entries(scene, led_map, look.theme, 0):
        top = stack[-1] if stack else _Entry(0, (0.0, 0.0, 0.0), STEADY, 0, 1.0)
        rgbw = [round(255 * look.brightness * c * top.cover) for c in top.colour] + [0]
        one = bytes(rgbw["RGBW".index(channel)] for channel in order)
        if one not in colours:
            colours.append(one)
        part = [colours.index(one), top.rhythm, top.phase]
        if parts and parts[-1][1:] == part and parts[-1][0] < 255:
            parts[-1][0] += 1
        else:
            parts.append([1, *part])
    return bytes((len(colours),)) + b"".join(colours) + b"".join(map(bytes, parts))
