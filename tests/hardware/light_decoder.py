"""Reads the lights of a table from its pictures alone, as players do who know what each light means.

The decoder knows where bars and places are, what every meaning looks like on a bar (`themes.BAR_DRAWN`), and
a picture of the table with its lights off. Of the game it knows the legend, not the rules or the position.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple, Protocol

import cv2
import numpy as np

from companion.engine.action import PUBLIC
from companion.engine.layout import Board, Layout, built
from companion.engine.scene import Glow, Scene
from companion.games import load, load_art
from companion.table.play import walk
from companion.world.physical import Slop, World
from hardware.guard import Channels
from hardware.ledmap import AROUND_ORDER, LedMap
from hardware.render import TURN_S, LightStyle, linear, render
from hardware.themes import BAR_DRAWN, GLOAM
from hardware.wiring import LightSettings, led_map_for
from vision.find import find
from vision.pose import Pose
from vision.virtual import OUTLETS, PROJECTED, LedGlow, VirtualCamera

GAME = load("night_cage")
TOLD = ("fading", "threat", "attack", "place", "wrong")
"""What the decoder must tell of a cell, besides whose candles light it."""
LEGEND = (
    *("lit", "dim", "pit", "fading", "threat", "path", "attack", "place", "remove", "wrong"),
    *("legal", "choose", "turn", "won", "lost"),
)
"""What can glow in The Night Cage: a player knows its legend, not those of other games."""
TINTS = ("red", "blue", "green", "yellow", "violet")
TINTED = {"lit": TINTS, "path": TINTS, "turn": TINTS, "legal": ("", *TINTS), "choose": ("", *TINTS)}
"""Whose colours a thing takes on: a candle is always somebody's, what is not listed is nobody's."""
TURNS, WITHIN = 6, (0.3, 0.9)
"""The number of turns for which it looks, and the times after a turn's beginning, in seconds."""
BRIGHTNESS = 0.2
APART_MM = 60.0
"""The light of an LED reaches no further."""
FAINT, PALE = 0.045, 0.1
"""Light below FAINT is none; a bright colour further from all that are known than PALE says nothing."""


class Sight(NamedTuple):
    """How well colours are made out: none of light below `clear`; else by `noise` against its strength."""

    clear: float
    noise: float


ON_BARS, ON_PIECES = Sight(0.1, 0.015), Sight(0.1, 0.02)
"""Bars shine by themselves; a projector's light comes back from dark stone."""
DARK_STONE = 0.05
"""What reflects less of the room's light shows colours badly."""


class Position(NamedTuple):
    """A position of a game: what lies on the table, and what the lights should say."""

    board: Board
    layout: Layout
    scene: Scene


Said = tuple[frozenset[str], frozenset[str]]
"""What is told of a cell: whose candles light it, and which of `TOLD` hold."""


def things_told(scene: Scene, cell: int) -> tuple[set[object], set[object]]:
    """What the scene says a place is, and what happens there: those of a kind take turns on its bar."""
    here = [glow for glow in scene.glows if glow.cell == cell]
    grounds = {glow for glow in here if BAR_DRAWN[glow.meaning].slots == "ground"}
    return grounds, {(glow.meaning, glow.tint) for glow in here if glow not in grounds}


def blink_groups(led_map: LedMap) -> Iterator[list[int]]:
    """Every LED once, each with others that are far away, as blink-to-map lights them."""
    left = [i for i, led in enumerate(led_map.leds) if led.cells]
    while left:
        group: list[int] = []
        for i in left:
            led = led_map.leds[i]
            near = (led_map.leds[j] for j in group)
            if all(np.hypot(led.x - one.x, led.y - one.y) > 2 * APART_MM for one in near):
                group.append(i)
        left = [i for i in left if i not in group]
        yield group


class Table(Protocol):
    """What the decoder knows of a table before it looks at the lights of a game."""

    board: Board
    map: LedMap
    pose: Pose
    full: float
    """What the sensor gets of an LED at the brightness of the lights, or of a projector on white."""

    def bare(self) -> np.ndarray:
        """The table with nothing on it and its lights off."""

    def blink(self) -> Iterator[tuple[list[int], np.ndarray]]:
        """The bare table, every LED lit in one of the pictures."""


def positions(seed: int, players: int = 4) -> Iterator[Position]:
    """Every position of a whole game; in some of them the table asks to put a piece right."""
    options = GAME.resolve({"players": players})
    rng = Random(seed)
    for step in walk(GAME, options, Random(seed)):
        view = GAME.view(step.state, PUBLIC)
        scene, layout = GAME.scene(view), GAME.layout(view)
        cells = range(view["size"] ** 2)
        extra = [Glow(cell, "wrong") for cell in rng.sample(cells, rng.choice((0, 0, 1, 2)))]
        extra += [
            Glow(cell, "place", level=rng.choice((1.0, 0.25)))
            for cell in rng.sample(cells, rng.choice((0, 1)))
        ]
        yield Position(GAME.board(options), layout, scene._replace(glows=(*scene.glows, *extra)))


def truth(scene: Scene, cells: int) -> list[Said]:
    """What the scene says of each cell."""
    return [
        (
            frozenset(g.tint for g in scene.glows if g.cell == cell and g.meaning == "lit"),
            frozenset(g.meaning for g in scene.glows if g.cell == cell and g.meaning in TOLD),
        )
        for cell in range(cells)
    ]


class Watched:
    """A table of one build in a room, and the pictures that are taken of it."""

    def __init__(self, build: str, level: int, players: int = 4, seed: int = 1) -> None:
        flat = GAME.board(GAME.resolve({"players": players}))
        settings = LightSettings(map=build, supply_ma=20_000)
        self.board = built(flat, build)
        self.map = led_map_for(settings, self.board)
        self.fields = sum(place.zone == "field" for place in self.board.places)
        """The number of its cells."""
        self.world = World(self.board)
        is_above = self.map.way == "above"
        self._style = LightStyle("gloam", 1.0 if is_above else BRIGHTNESS)
        exposure, self.full = 0.6, PROJECTED
        """What the sensor gets of an LED at full, on white where the light comes from above."""
        if not is_above:
            outlet = OUTLETS[self.map.way]
            parts = (np.linspace(-0.3, 0.3, 9) + 0.5) * len(outlet.along)
            uneven = max(outlet.along) / np.mean([outlet.along[int(part)] for part in parts])
            self.full = 0.8 / uneven  # its brightest part must not blind the sensor
            exposure = 0.8 / (outlet.bright * max(outlet.along) * BRIGHTNESS)
        self.exposure = exposure
        self._lit: list[LedGlow] = []
        draw = load_art(GAME.key).draw
        self._camera = VirtualCamera(
            self.world, draw, level=level, seed=seed, leds=lambda: self._lit, exposure=exposure
        )
        usual = VirtualCamera(self.world, draw, level=level, seed=seed)
        self.pose = find(usual(), self.board)
        self._rng = Random(seed)

    def shoot(self, light: np.ndarray) -> np.ndarray:
        """A picture of the table with this light of its LEDs."""
        self._lit = [
            LedGlow(led.x, led.y, tuple(colour), led.width, led.height, self.map.way)
            for led, colour in zip(self.map.leds, light.tolist(), strict=True)
        ]
        return _light(self._camera())

    def film(self, position: Position) -> tuple[np.ndarray, list[np.ndarray]]:
        """A picture with the lights off, and the pictures of several turns with the lights on."""
        self.world.set_up(position.layout, self._rng, Slop(0.7, 1.2))
        dark = self.dark()
        times = [turn * TURN_S + within_s for turn in range(TURNS) for within_s in WITHIN]
        frames = [render(position.scene, self.map, t, self._style) for t in times]
        channels = Channels.of(self.map).rgb
        return dark, [self.shoot((np.frombuffer(frame, np.uint8) / 255)[channels]) for frame in frames]

    def dark(self) -> np.ndarray:
        """The table with its lights off."""
        off = np.zeros((len(self.map.leds), 3))
        return np.mean([self.shoot(off) for _ in range(2)], axis=0)

    def bare(self) -> np.ndarray:
        self.world.clear()
        return self.dark()

    def blink(self) -> Iterator[tuple[list[int], np.ndarray]]:
        self.world.clear()
        for group in blink_groups(self.map):
            light = np.zeros((len(self.map.leds), 3))
            light[group] = self._style.brightness
            yield group, self.shoot(light)


class Traced:
    """A table whose pictures another renderer made (`trace_light.py`)."""

    full = 0.3
    """Around an LED; its middle is twice or three times as bright, and must not blind the sensor."""

    def __init__(self, folder: Path, build: str, players: int) -> None:
        self.board = built(GAME.board(GAME.resolve({"players": players})), build)
        self.map = led_map_for(LightSettings(map=build, supply_ma=20_000), self.board)
        self._folder = folder
        self.pose = find(self._picture("found"), self.board)

    def _picture(self, name: str) -> np.ndarray:
        picture = cv2.imread(str(self._folder / f"{name}.webp"))
        assert picture is not None, f"{self._folder / name}.webp is missing"
        return picture

    def bare(self) -> np.ndarray:
        return _light(self._picture("bare"))

    def blink(self) -> Iterator[tuple[list[int], np.ndarray]]:
        for number, group in enumerate(blink_groups(self.map)):
            yield group, _light(self._picture(f"blink-{number:02}"))

    def film(self) -> tuple[np.ndarray, list[np.ndarray]]:
        """The pictures of the one position, first with the lights off."""
        lit = sorted(path.stem for path in self._folder.glob("lit-*.webp"))
        return _light(self._picture("dark")), [_light(self._picture(name)) for name in lit]

    def sent(self) -> np.ndarray:
        """The light of each LED in the first of them, 1 where it is full."""
        levels = json.loads((self._folder / "lit-00.json").read_text())
        return np.array(levels) / 255 / BRIGHTNESS


def _light(picture: np.ndarray) -> np.ndarray:
    """The light that a picture shows, red first."""
    return np.power(picture[..., ::-1] / np.float32(255), 2.2)


def spots(led_map: LedMap) -> np.ndarray:
    """Where the light of each LED is looked for: 81 spots of the board in mm for each, around its middle."""
    high = 0.46 if led_map.way == "above" else 0.25
    across, along = np.meshgrid(np.linspace(-0.3, 0.3, 9), np.linspace(-high, high, 9))
    around = list(zip(across.ravel(), along.ravel(), strict=True))
    return np.array(
        [(led.x + u * led.width, led.y + v * led.height) for led in led_map.leds for u, v in around]
    )


class Decoder:
    """Tells from pictures what the lights of a table say."""

    def __init__(self, table: Table) -> None:
        self._table = table
        leds = table.map.leds
        self._at = table.pose.pixels(spots(table.map)).astype(np.float32).reshape(len(leds), 81, 2)
        self._unmix = np.eye(len(leds))
        if table.map.way != "above":
            self._unmix = np.linalg.inv(self._mixing())
        paper = [(m.x - 2.0, m.y + m.size / 2) for m in table.board.markers]
        self._paper = table.pose.pixels(paper).astype(np.float32).reshape(1, -1, 2)
        self.bars = _bars(table.map)
        self._sight = ON_PIECES if table.map.way == "above" else ON_BARS

    def tell(self, dark: np.ndarray, shots: list[np.ndarray]) -> list[Said]:
        """What the lights say of each cell; every turn was shot at the times `WITHIN`."""
        seen = np.array([self.measure(dark, shot) for shot in shots])
        turns = seen.reshape(-1, len(WITHIN), *seen.shape[1:])
        cells = [place for place in self._table.board.places if place.zone == "field"]
        darkness = self._darkness(dark)
        bars = [list(self.bars[cell]) for cell in range(len(cells))]
        return [self.cell(turns[:, :, bar], float(darkness[bar].max())) for bar in bars]

    def measure(self, dark: np.ndarray, shot: np.ndarray) -> np.ndarray:
        """Red, green and blue of each LED, 1 where it is full."""
        off, on = (cv2.remap(one, self._at, None, cv2.INTER_LINEAR) for one in (dark, shot))
        told = (on.max(-1) < 0.95)[..., None]  # what is white tells no colour
        off, on = ((one * told).sum(1) / np.maximum(told.sum(1), 1) for one in (off, on))
        if self._table.map.way == "above":
            # The light of the room shows how much a surface reflects.
            light = (on - off) / np.maximum(off / self._room(dark), 1e-3) / self._table.full
        else:
            light = (on - off) / self._table.full
        return self._unmix @ light

    def _room(self, dark: np.ndarray) -> np.ndarray:
        """The light of the room: white paper shows its colour."""
        return np.asarray(cv2.remap(dark, self._paper, None, cv2.INTER_LINEAR)[0].mean(0) / 0.9)

    def _darkness(self, dark: np.ndarray) -> np.ndarray:
        """How many times less than usual is seen of each LED's light: a projector's falls on dark stone."""
        if self._table.map.way != "above":
            return np.ones(len(self._table.map.leds))
        reflected = cv2.remap(dark, self._at, None, cv2.INTER_LINEAR).mean(1) / self._room(dark)
        return np.maximum(1.0, DARK_STONE / np.maximum(reflected.max(1), 1e-3))

    def _mixing(self) -> np.ndarray:
        """How much of each LED's light is seen at each, measured by blinking."""
        leds = self._table.map.leds
        mixing = np.eye(len(leds))
        dark = self._table.bare()
        for group, shot in self._table.blink():
            seen = self.measure(dark, shot).mean(1)
            for i, led in enumerate(leds):
                nearest = min(group, key=lambda j: np.hypot(leds[j].x - led.x, leds[j].y - led.y))
                if np.hypot(leds[nearest].x - led.x, leds[nearest].y - led.y) < APART_MM:
                    mixing[i, nearest] = seen[i]
        return mixing

    def cell(self, turns: np.ndarray, darkness: float = 1.0) -> Said:
        """What the bar of a cell says, from its LEDs in the pictures of every turn, the left one first."""
        noise = self._sight.noise * darkness
        candles: set[str] = set()
        told: set[str] = set()
        for shots in turns:
            parts = shots[:, 0], shots[:, 1:-1].mean(1), shots[:, -1]
            # Whether it shines is told when it is brightest; its colour, by all pictures of the turn.
            left_on, middle_on, right_on = (float(part.max()) for part in parts)
            left, middle, right = (part.mean(0) for part in parts)
            # The middle may fill the bar; then all of it tells its colour.
            is_filled = min(left_on, middle_on, right_on) > FAINT and all(
                _is_alike(end, middle, noise) for end in (left, right)
            )
            if middle_on > self._sight.clear:
                ground = shots.mean((0, 1)) if is_filled else middle
                kind, tint = self._nearest(ground, middle_on, "ground")
                if kind == "lit":
                    candles.add(tint)
            if is_filled:
                continue
            ends = (left_on > FAINT, right_on > FAINT)
            slots = {(True, True): "ends", (True, False): "left", (False, True): "right"}.get(ends)
            said, strength = (left, left_on) if left_on > FAINT else (right, right_on)
            if slots is not None and strength > self._sight.clear:
                told.add(self._nearest(said, strength, slots)[0])
        return frozenset(candles), frozenset(told & set(TOLD))

    def _nearest(self, light: np.ndarray, strength: float, slots: str) -> tuple[str, str]:
        """The meaning, and the tint, whose colour is nearest: a dark one cannot shine brightly.

        The fainter the light, the less its hue is known.
        """
        hue = hue_of(light)
        apart, best = min(
            ((float(np.linalg.norm(hue - one.hue)), one) for one in _known(slots) if strength < 2 * one.most),
            key=lambda found: found[0],
        )
        return (best.meaning, best.tint) if apart < PALE + self._sight.noise / strength else ("", "")


def _bars(led_map: LedMap) -> dict[int, list[int]]:
    found: dict[int, list[tuple[float, int]]] = {}
    for i, led in enumerate(led_map.leds):
        for cell, _ in led.cells:
            found.setdefault(cell, []).append((led.dx, i))
    return {cell: [i for _, i in sorted(leds)] for cell, leds in found.items()}


def hue_of(light: np.ndarray) -> np.ndarray:
    positive = np.maximum(light, 0)
    return positive / max(positive.sum(), 1e-6)


def _is_alike(end: np.ndarray, middle: np.ndarray, noise: float) -> bool:
    """Whether an end glows as the middle does."""
    apart = float(np.linalg.norm(hue_of(end) - hue_of(middle)))
    return apart < PALE / 2 + noise / middle.max() and 0.5 < end.max() / middle.max() < 2


class Known(NamedTuple):
    """What can glow at some part of a bar."""

    meaning: str
    tint: str
    hue: np.ndarray
    most: float
    """How bright it is at full."""


@cache
def _known(slots: str) -> list[Known]:
    """What the legend of the game says can glow at some part of a bar."""
    found = []
    for meaning in LEGEND:
        where, share = BAR_DRAWN[meaning]
        if where == slots:
            own = linear(GLOAM.bars.get(meaning, GLOAM.looks[meaning][0]))
            for tint in TINTED.get(meaning, ("",)):
                light = own * (1 - share) + linear(GLOAM.tints[tint]) * share if tint else own
                found.append(Known(meaning, tint, hue_of(light), float(light.max())))
    return found


class AroundDecoder:
    """Tells from pictures what a strip around the board says: one thing at a time, where two lines cross."""

    def __init__(self, table: Watched) -> None:
        self._table = table
        leds = table.map.leds
        self._at = table.pose.pixels([(led.x, led.y) for led in leds]).astype(np.float32).reshape(-1, 1, 2)
        self._reach = [
            {i for i, led in enumerate(leds) if any(own == cell for own, _ in led.cells)}
            for cell in range(len(table.board.places))
        ]
        self._fields = table.fields

    def tell(self, dark: np.ndarray, shots: list[np.ndarray]) -> list[Said]:
        """What the strip says of each cell: most of them are never spoken of."""
        told: list[set[str]] = [set() for _ in self._reach]
        for shot in shots:
            off, on = (cv2.remap(one, self._at, None, cv2.INTER_LINEAR)[:, 0] for one in (dark, shot))
            light = (on - off) / self._table.full
            lit = {int(i) for i in np.flatnonzero(light.max(1) > FAINT)}
            fits = [len(lit & own) / len(lit | own) if lit and own else 0.0 for own in self._reach]
            cell = int(np.argmax(fits))
            if fits[cell] > 0.6:
                hue = hue_of(light[sorted(lit)].sum(0))
                told[cell].add(min(AROUND_ORDER, key=lambda one: _apart_from(hue, one)))
        return [(frozenset(), frozenset(one & set(TOLD))) for one in told[: self._fields]]


def _apart_from(hue: np.ndarray, meaning: str) -> float:
    return float(np.linalg.norm(hue - hue_of(linear(GLOAM.looks[meaning][0]))))
