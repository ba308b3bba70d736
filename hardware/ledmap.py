"""Where the LEDs are and what they belong to, as data: rails between rows, rims, routes under a board.

A map is made by one of the builders, read from a file, or found by blinking (`hardware.blink`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, isfinite
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from companion.engine.action import Cell
from companion.engine.errors import ConfigError
from companion.engine.layout import At, Board, Lane, Place
from companion.engine.scene import MEANINGS
from companion.settings.state_file import json_object, write_whole
from hardware.arrays import Levels

MOST_LEDS = 20_000
PITCH_MM = 16.67
"""From one LED to the next on a strip with 60 LEDs a metre."""


class LedKind(NamedTuple):
    """What LEDs of a kind draw, by their data sheets: each one dark, and one channel at full."""

    idle_ma: float
    channel_ma: float


KINDS = {
    "WS2812B": LedKind(1.0, 20.0),
    "SK6812": LedKind(1.0, 20.0),
    "WS2812C": LedKind(0.3, 5.0),
    "WS2815": LedKind(2.0, 15.0),
}
ORDERS = ("RGB", "RBG", "GRB", "GBR", "BRG", "BGR", "RGBW", "GRBW")
SUPPLY_MA = 2000
"""What a supply gives when nobody says otherwise."""


def white_ma(leds: int, brightness: float = 1.0, kind: str = "WS2812B") -> float:
    """What a strip draws when all of it is white: the most that it can ask for.

    >>> white_ma(100)
    6100.0
    """
    idle_ma, channel_ma = KINDS[kind]
    return leds * (idle_ma + 3 * channel_ma * brightness)


class Led(NamedTuple):
    """One LED: its place in millimetres from the board's upper left corner, and the cells it lights.

    `cells` holds (cell, share): a share below 1 lets light of other cells through.
    `dx`, `dy` is its place within its cell, -0.5 to 0.5; beyond that for a bar beside the cell.
    `width`, `height` is the area that its light leaves from, in mm.
    """

    x: float
    y: float
    cells: tuple[tuple[Cell, float], ...] = ()
    dx: float = 0.0
    dy: float = 0.0
    width: float = 16.0
    height: float = 16.0
    turn: float = 0.0
    """How far that area is turned about its middle, clockwise in degrees."""

    def corners(self) -> tuple[tuple[float, float], ...]:
        """The corners of that area in mm."""
        at, w, h = At(self.x, self.y, self.turn), self.width / 2, self.height / 2
        return tuple(at.point(x, y) for x, y in ((-w, -h), (w, -h), (w, h), (-w, h)))


class Build(NamedTuple):
    """How the light of a map gets to the players' eyes, and what it can say there."""

    way: str
    """lane (bars beside the places) | walled (rims with walls between) | above (a projector) | glass (bars
    on a screen below) | under (through bare paper) | rim (around the board)."""
    meanings: frozenset[str]
    """What it shows so that nobody can mistake it for anything else."""
    note: str
    """What players must know of it, in a sentence."""


_ALL = frozenset(MEANINGS)
AROUND_ORDER = ("wrong", "remove", "place", "choose", "won", "lost", "turn")
"""What a strip around the board can say, the most urgent first: one thing at a time."""
_UNDER = Build(
    "under", _ALL, "seen only where no piece lies, through a board of paper; never the box's board"
)
BUILDS: Mapping[str, Build] = {
    "rails": Build("lane", _ALL, "the bar below a row speaks of the places above it"),
    "halo": Build("walled", _ALL, "the rim around a place speaks of it"),
    "projector": Build("above", _ALL, "the light falls on the pieces themselves"),
    "glass": Build("glass", _ALL, "the bar below a row, on a screen, speaks of the places above it"),
    "backlit": _UNDER,
    "cells": _UNDER,
    "groups": _UNDER,
    "around": Build("rim", frozenset(AROUND_ORDER), "one thing at a time: where its row and column cross"),
}
"""The builds, the first four of which show everything at once."""
SCREENS = ("projector", "glass")
"""Builds whose light is drawn by the page `/projector`."""
BARS = ("rails", "halo", *SCREENS)
"""Builds that draw each place as a bar: its middle for what is, its ends for what happens."""


class StripSpec(NamedTuple):
    """One chain of LEDs: how many, the order of their bytes, their kind, the supply that feeds them."""

    count: int  # type: ignore[assignment]  # hides `tuple.count`, which nobody calls
    order: str = "GRB"
    kind: str = "WS2812B"
    supply: int = 0


class Feed(NamedTuple):
    """A supply: what it gives, what its LEDs draw when dark, and its bytes with the current of one level."""

    limit_ma: float
    idle_ma: float
    spans: tuple[tuple[int, int, float], ...]


def _led_from_json(value: dict[str, Any]) -> Led:
    x, y = map(float, value["mm"])
    dx, dy = map(float, value.get("in_cell", (0, 0)))
    size = tuple(map(float, value.get("size", (16, 16))))
    if len(size) != 2 or not all(map(isfinite, (x, y, dx, dy, *size))):
        raise ValueError("no place")
    return Led(x, y, tuple((int(cell), float(share)) for cell, share in value["cells"]), dx, dy, *size)


@dataclass(frozen=True, eq=False)
class LedMap:
    """All LEDs of a table in the order of their bytes, on one or more strips and supplies."""

    leds: tuple[Led, ...]
    strips: tuple[StripSpec, ...]
    supplies_ma: tuple[int, ...] = (SUPPLY_MA,)
    build: str = "cells"
    """One of `BUILDS`."""
    slots: Levels = field(init=False, repr=False)
    """For each byte of a frame, its place in a flat list of red, green, blue, white per LED."""
    spans: tuple[tuple[int, int], ...] = field(init=False, repr=False)
    """The bytes of each strip, as start and end."""
    feeds: tuple[Feed, ...] = field(init=False, repr=False)
    """What hangs on each supply."""

    def __post_init__(self) -> None:
        self._check()
        slots: list[int] = []
        spans, first = [], 0
        for strip in self.strips:
            start = len(slots)
            places = ["RGBW".index(colour) for colour in strip.order]
            slots += [4 * led + place for led in range(first, first + strip.count) for place in places]
            first += strip.count
            spans.append((start, len(slots)))
        object.__setattr__(self, "slots", np.array(slots, np.intp))
        object.__setattr__(self, "spans", tuple(spans))
        feeds = tuple(
            Feed(
                limit,
                self.idle_ma(i),
                tuple(
                    (*span, KINDS[strip.kind].channel_ma / 255)
                    for span, strip in zip(spans, self.strips, strict=True)
                    if strip.supply == i
                ),
            )
            for i, limit in enumerate(self.supplies_ma)
        )
        object.__setattr__(self, "feeds", feeds)

    def _check(self) -> None:
        if self.build not in BUILDS:
            raise ConfigError(f"LED map: build {self.build!r} is none of {', '.join(BUILDS)}")
        for i, strip in enumerate(self.strips):
            if type(strip.count) is not int or not 0 <= strip.count <= MOST_LEDS:
                raise ConfigError(f"LED map: strip {i}: {strip.count!r} is no number of LEDs")
            if strip.order not in ORDERS:
                allowed = ", ".join(ORDERS)
                raise ConfigError(f"LED map: strip {i}: order {strip.order!r} is none of {allowed}")
            if strip.kind not in KINDS:
                raise ConfigError(f"LED map: strip {i}: kind {strip.kind!r} is none of {', '.join(KINDS)}")
            if not 0 <= strip.supply < len(self.supplies_ma):
                raise ConfigError(f"LED map: strip {i} names supply {strip.supply}, which is not listed")
        if sum(strip.count for strip in self.strips) != len(self.leds):
            total = sum(strip.count for strip in self.strips)
            raise ConfigError(f"LED map: the strips have {total} LEDs, the map lists {len(self.leds)}")
        for i, limit in enumerate(self.supplies_ma):
            resting = self.idle_ma(i)
            if limit <= resting:
                raise ConfigError(
                    f"LED map: supply {i} gives {limit} mA, but its LEDs draw {resting:.0f} mA when dark"
                )

    def idle_ma(self, supply: int) -> float:
        """What a supply's LEDs draw when dark."""
        return sum(KINDS[s.kind].idle_ma * s.count for s in self.strips if s.supply == supply)

    @property
    def size(self) -> int:
        """The bytes of a frame."""
        return len(self.slots)

    @property
    def meanings(self) -> frozenset[str]:
        """The meanings that it shows so that nobody can mistake them."""
        return BUILDS[self.build].meanings

    @property
    def way(self) -> str:
        """How its light leaves: lane | walled | above | under | rim."""
        return BUILDS[self.build].way

    def used(self) -> tuple[int, ...]:
        """The LEDs that this board uses; the others of the strip belong to other games."""
        return tuple(i for i, led in enumerate(self.leds) if led.cells)

    def json(self) -> dict[str, Any]:
        """Describes the map as its file holds it."""
        return {
            "build": self.build,
            "supplies_ma": list(self.supplies_ma),
            "strips": [strip._asdict() for strip in self.strips],
            "leds": [
                {
                    "mm": [round(led.x, 1), round(led.y, 1)],
                    "cells": led.cells,
                    "in_cell": [led.dx, led.dy],
                    "size": [led.width, led.height],
                }
                for led in self.leds
            ],
        }

    @staticmethod
    def from_json(value: dict[str, Any]) -> LedMap:
        """Reads a map; raises `ConfigError` when something is missing or does not add up."""
        try:
            leds = tuple(map(_led_from_json, value["leds"]))
            strips = tuple(StripSpec(**strip) for strip in value["strips"])
            build = str(value.get("build", "cells"))
            return LedMap(leds, strips, tuple(map(int, value["supplies_ma"])), build)
        except ConfigError:
            raise
        except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
            raise ConfigError(f"LED map: {error!r} is missing or wrong") from error


def load(path: Path) -> LedMap:
    """Reads a map from a file."""
    try:
        return read(path.read_bytes())
    except ConfigError:
        raise
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"LED map {path}: {error}") from error


def read(content: bytes) -> LedMap:
    """Reads a map from what a file holds; raises `ConfigError`, or what a damaged file leads to."""
    return LedMap.from_json(json_object(content))


def text(led_map: LedMap) -> str:
    """A map as its file holds it, for people to read and edit."""
    return json.dumps(led_map.json(), ensure_ascii=False).replace('{"mm"', '\n{"mm"') + "\n"


def save(led_map: LedMap, path: Path) -> None:
    """Writes a map to a file."""
    write_whole(path, text(led_map))


# Builders ------------------------------------------------------------------------------------------


def _rows(board: Board) -> list[list[tuple[Cell, Place]]]:
    """The places of a board as rows from the top, each from the left."""
    rows: list[list[tuple[Cell, Place]]] = []
    for cell, place in sorted(enumerate(board.places), key=lambda item: (item[1].y, item[1].x)):
        if rows and abs(rows[-1][0][1].y - place.y) < place.height / 2:
            rows[-1].append((cell, place))
        else:
            rows.append([(cell, place)])
    return [sorted(row, key=lambda item: item[1].x) for row in rows]


def cells(board: Board, across: int = 1, **strip: Any) -> LedMap:
    """A strip in a serpentine under the board, `across` × `across` LEDs in each cell.

    The strip runs from the upper left corner to the right, the next row back, and so on.
    """
    offsets = [(i + 0.5) / across - 0.5 for i in range(across)]
    leds: list[Led] = []
    forth = True
    for row in _rows(board):
        for dy in offsets:
            line = [
                Led(p.x + dx * p.width, p.y + dy * p.height, ((cell, 1.0),), dx, dy)
                for cell, p in row
                for dx in offsets
            ]
            leds += line if forth else line[::-1]
            forth = not forth
    return _one(leds, "cells", **strip)


def groups(board: Board, across: int = 2, **strip: Any) -> LedMap:
    """A strip that fills one cell after the other with `across` × `across` LEDs before it goes on."""
    leds: list[Led] = []
    for i, row in enumerate(_rows(board)):
        for cell, place in row[:: -1 if i % 2 else 1]:
            one = Board("", place.width, place.height, (place,), (), ())
            leds += [led._replace(cells=((cell, 1.0),)) for led in cells(one, across).leds]
    return _one(leds, "groups", **strip)


def around(board: Board, pitch_mm: float = PITCH_MM, **strip: Any) -> LedMap:
    """A strip around the board, clockwise from the upper left corner; 16.67 mm is a strip of 60 LEDs/m.

    An LED shows what lies before it in its row or column: the nearest cell strongest.
    """
    width, height = board.width, board.height
    leds: list[Led] = []
    sides: tuple[tuple[float, Callable[[float], tuple[float, float]]], ...] = (
        (width, lambda s: (s, 0.0)),
        (height, lambda s: (width, s)),
        (width, lambda s: (width - s, height)),
        (height, lambda s: (0.0, height - s)),
    )
    for side, (length, point) in enumerate(sides):
        count = max(1, int(length / pitch_mm))
        for i in range(count):
            x, y = point((i + 0.5) * length / count)
            leds.append(Led(x, y, before(board, x, y, upright=side % 2 == 0)))
    return _one(leds, "around", **strip)


def rails(board: Board, pitch_mm: float = PITCH_MM, profile: int = 0, **strip: Any) -> LedMap:
    """A strip in a serpentine through the rails of a board (`layout.built`), first to the right.

    `profile` is the number of LEDs in each rail where one set of rails serves several games: a lane that is
    longer takes several rails in a line. A shorter one lies in the middle of its rail, and the LEDs beyond
    its ends belong to no place. 0 for rails that were cut for this board.
    """
    leds: list[Led] = []
    for number, lane in enumerate(_lanes(board, "rails")):
        needed = max(1, int(lane.width / pitch_mm))
        total = -(-needed // profile) * profile if profile else needed
        beyond = (total - needed) // 2
        first = lane.x - ((needed - 1) / 2 + beyond) * pitch_mm
        line = []
        for i in range(total):
            x = first + i * pitch_mm
            cell = min(lane.cells, key=lambda cell: abs(board.places[cell].x - x))
            place = board.places[cell]
            dx, dy = round((x - place.x) / place.width, 3), round((lane.y - place.y) / place.height, 3)
            cells = ((cell, 1.0),) if 0 <= i - beyond < needed else ()
            line.append(Led(round(x, 2), lane.y, cells, dx, dy, pitch_mm, lane.height))
        leds += line[:: -1 if number % 2 else 1]
    return _one(leds, "rails", **strip)


def halo(board: Board, **strip: Any) -> LedMap:
    """A strip through the lattice, place by place: above, right, below, left of each, in the rims' order."""
    leds = []
    for lane in _lanes(board, "halo"):
        place = board.places[lane.cells[0]]
        dx, dy = (lane.x - place.x) / place.width, (lane.y - place.y) / place.height
        cells = ((lane.cells[0], 1.0),)
        leds.append(Led(lane.x, lane.y, cells, round(dx, 3), round(dy, 3), lane.width, lane.height))
    return _one(leds, "halo", **strip)


_THIRDS = (-1 / 3, 0.0, 1 / 3)


def projector(board: Board) -> LedMap:
    """A projector's picture as if it were LEDs: a left, a middle and a right part of each place."""
    leds = [
        Led(
            *At(p.x, p.y, p.turn).point(dx * p.width, 0.0),
            ((cell, 1.0),),
            round(dx, 3),
            0.0,
            p.width / 3,
            p.height,
            p.turn,
        )
        for cell, p in enumerate(board.places)
        for dx in _THIRDS
    ]
    return _drawn(leds, "projector")


def glass(board: Board) -> LedMap:
    """The picture of a screen below glass, between the rows of pieces where rails would be."""
    leds = []
    for lane in _lanes(board, "glass"):
        for cell in lane.cells:
            p = board.places[cell]
            dy = round((lane.y - p.y) / p.height, 3)
            leds += [
                Led(p.x + dx * p.width, lane.y, ((cell, 1.0),), round(dx, 3), dy, p.width / 3, lane.height)
                for dx in _THIRDS
            ]
    return _drawn(leds, "glass")


def _drawn(leds: Sequence[Led], build: str) -> LedMap:
    """What a screen draws hangs on no supply of ours: nothing holds it back."""
    return _one(leds, build, supply_ma=ceil(white_ma(len(leds))))


def _lanes(board: Board, build: str) -> tuple[Lane, ...]:
    if board.build != build:
        raise ConfigError(f'LED map: board {board.name!r} is not laid for  map = "{build}"')
    return board.lanes


def before(board: Board, x: float, y: float, upright: bool) -> tuple[tuple[Cell, float], ...]:
    """The cells of the column or row that an LED at the frame looks along, the farthest first."""
    found = [
        (abs(y - p.y) if upright else abs(x - p.x), cell)
        for cell, p in enumerate(board.places)
        if (abs(x - p.x) <= p.width / 2 if upright else abs(y - p.y) <= p.height / 2)
    ]
    found.sort(reverse=True)
    count = len(found)
    return tuple((cell, round(0.85 ** (count - 1 - i), 3)) for i, (_, cell) in enumerate(found))


def joined(*maps: LedMap) -> LedMap:
    """Several maps as one, each keeping its strips and supplies."""
    strips: list[StripSpec] = []
    supplies: list[int] = []
    for one in maps:
        strips += [strip._replace(supply=strip.supply + len(supplies)) for strip in one.strips]
        supplies += one.supplies_ma
    leds = tuple(led for one in maps for led in one.leds)
    return LedMap(leds, tuple(strips), tuple(supplies), maps[0].build)


def _one(
    leds: Sequence[Led], build: str, supply_ma: int = SUPPLY_MA, order: str = "GRB", kind: str = "WS2812B"
) -> LedMap:
    return LedMap(tuple(leds), (StripSpec(len(leds), order, kind),), (supply_ma,), build)


def reach(led_map: LedMap, lit: Iterable[Cell]) -> set[int]:
    """The LEDs that show something of these cells."""
    wanted = set(lit)
    return {i for i, led in enumerate(led_map.leds) if any(cell in wanted for cell, _ in led.cells)}
