"""The cards of the cave, made into tables.

Cards with the same drawing and level are one *kind*: nobody can tell them apart. A `Shape` is a drawing as it
lies on the table, upright or turned by half. Segments are numbered by name over the whole file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from itertools import permutations
from pathlib import Path
from typing import Any, TypeVar

from companion.engine.action import Action, Cell
from companion.engine.errors import ConfigError
from companion.engine.facts import Fact, Values
from companion.games.dark_cave import pieces
from companion.games.dark_cave.card_file import FILE, SIDES, entrance, read, validate, with_box
from companion.games.dark_cave.sites import fits

CLOSED = 15
"""The one place on a goal card that lies face down, where a segment's number would stand."""
UP, HALF = 0, 1
"""How a card lies: upright, or turned by 180°."""

Lays = tuple[Action, ...]
Made = TypeVar("Made")


class Ready(dict[int, Made]):
    """Actions, or tables of them, by what they are about: each made when first asked for."""

    def __init__(self, make: Callable[[int], Made]) -> None:
        self._make = make

    def __missing__(self, number: int) -> Made:
        made = self[number] = self._make(number)
        return made


class Shape:
    """A card as it lies: what is open, and how its segments join.

    `mask` holds the open sides as bits, `sides` lists them; `segment[side]` is the segment there or -1;
    `joined[side]` the open sides that hang together with that one, passages included; `exits[s]` the open
    sides of a segment; `links[s]` its neighbours on the card; `feature[s]` its feature; `ladder_tunnel` the
    segments that hang together with a ladder, `ladder_mask` their open sides.
    """

    __slots__ = (
        "exits",
        "feature",
        "gold",
        "holes",
        "joined",
        "ladder_mask",
        "ladder_tunnel",
        "ladders",
        "links",
        "mask",
        "name",
        "segment",
        "segments",
        "sides",
        "turn",
    )

    def __init__(self, entry: Mapping[str, Any], turn: int, number: Mapping[str, int]) -> None:
        self.name: str = entry["id"]
        self.turn = turn
        self.segments = tuple(number[s] for s in entry["segments"])
        self.feature = {number[s]: str(f) for s, f in entry["features"].items()}
        links: dict[int, list[int]] = {s: [] for s in self.segments}
        for one, other in entry["links"]:
            links[number[one]].append(number[other])
            links[number[other]].append(number[one])
        self.links = {s: tuple(others) for s, others in links.items()}
        sides = [-1] * 4
        for side, s in entry["edges"].items():
            sides[SIDES.index(side) ^ (2 * turn)] = number[s]
        self.segment = tuple(sides)
        self.sides = tuple(d for d in range(4) if sides[d] >= 0)
        self.mask = sum(1 << d for d in self.sides)
        self.exits = {s: tuple(d for d in range(4) if sides[d] == s) for s in self.segments}
        self.joined = tuple(self._sides_of(self._together(s)) if s >= 0 else 0 for s in sides)
        self.ladders = tuple(s for s, f in self.feature.items() if f == "ladder")
        self.ladder_tunnel = tuple(sorted({t for s in self.ladders for t in self._together(s)}))
        self.ladder_mask = self._sides_of(set(self.ladder_tunnel))
        self.holes = tuple(s for s, f in self.feature.items() if f == "hole")
        self.gold = int(entry.get("gold", 1)) if "gold" in self.feature.values() else 0

    def _together(self, start: int) -> set[int]:
        found, waiting = {start}, [start]
        while waiting:
            for other in self.links[waiting.pop()]:
                if other not in found:
                    found.add(other)
                    waiting.append(other)
        return found

    def _sides_of(self, segments: set[int]) -> int:
        return sum(1 << d for d in range(4) if self.segment[d] in segments)


class Cards:
    """All tables made from one data file.

    Kinds are numbered level by level; `first[level]` is the first kind of a level (levels count from 0). The
    three kinds after the last stand for a card of which only the back is known. A drawing has two shapes, one
    after the other: upright, and turned by half.
    """

    def __init__(self, source: Mapping[str, Any], name: str = FILE.name) -> None:
        validate(source, name)
        self.file = name
        drawings = [*source["tunnels"], *source["goals"], *entrance(source)]
        self.segments = tuple(dict.fromkeys(s for drawing in drawings for s in drawing["segments"]))
        if len(self.segments) > CLOSED:
            raise ConfigError(f"{name}: {len(self.segments)} names of segments; at most {CLOSED} can be used")
        self._name_kinds(source)
        self._name_goals(source)
        self._tabulate()

    def _name_kinds(self, source: Mapping[str, Any]) -> None:
        self.kinds: list[str] = []
        self.level: list[int] = []
        self.counts: list[int] = []
        self.deed: list[str] = []
        """What an action card does, "" for a tunnel card."""
        self.shape: list[int] = []
        """The upright shape of a tunnel card, -1 for an action card."""
        self.shapes: list[Shape] = []
        self.symmetric: list[bool] = []
        """By shape: whether the card looks the same turned by half."""
        self.first: list[int] = []
        self.kind_of: dict[str, int] = {}
        """The kind of every card, by its own id and by the name of its kind."""
        for level in pieces.LEVELS:
            self._name_level(level, source)
        self.first.append(len(self.kinds))
        self.unknown = len(self.kinds)
        """The kind of a card of level I of which only the back is known; levels II and III follow."""
        self.names = (*self.kinds, *(f"back-{level}" for level in pieces.LEVELS))
        self.level += [0, 1, 2]
        self.deed += [""] * 3
        self.shape += [-1] * 3

    def _name_level(self, level: int, source: Mapping[str, Any]) -> None:
        self.first.append(len(self.kinds))
        known: dict[str, int] = {}
        for entry in (e for e in source["tunnels"] if e["level"] == level):
            key = json.dumps([entry[k] for k in ("edges", "links", "features")] + [entry.get("gold", 1)])
            if key not in known:
                known[key] = self._kind(entry["id"], level, "", self._draw(entry))
            self._count(known[key], entry["id"])
        for entry in (e for e in source["actions"] if e["level"] == level):
            key = f"web-{entry['symbol']}" if entry["kind"] == "web" else f"{entry['kind']}-{level}"
            if key not in known:
                known[key] = self._kind(key, level, entry["kind"], -1)
            self._count(known[key], entry["id"])

    def _name_goals(self, source: Mapping[str, Any]) -> None:
        self.tunnel_shapes = len(self.shapes)
        self.goals = tuple(self._draw(e) for e in source["goals"])
        self.goal_names = tuple(str(e["id"]) for e in source["goals"])
        self.starts = tuple(self._draw(e) for e in entrance(source))
        """Both sides of the entrance card."""

    def _tabulate(self) -> None:
        self.creature = [pieces.CREATURES.index(d) if d in pieces.CREATURES else -1 for d in self.deed]
        """The creature that a card calls, -1 for none."""
        self.shape_named = {shape.name: i & ~1 for i, shape in enumerate(self.shapes)}
        self.kind_of_shape = {
            s + turn: kind for kind, s in enumerate(self.shape) if s >= 0 for turn in (UP, HALF)
        }
        """The kind of a tunnel card, by either of its shapes."""
        self.boots = frozenset(kind for kind, deed in enumerate(self.deed) if deed == "boots")
        self.web_symbol = {
            kind: pieces.SYMBOLS.index(self.names[kind].removeprefix("web-"))
            for kind, deed in enumerate(self.deed)
            if deed == "web"
        }
        """The symbol of a web card, by its kind."""
        self._fitting = (
            Ready(lambda site: self._fits(site, False)),
            Ready(lambda site: self._fits(site, True)),
        )
        """Without and with ladders that join: the shapes of tunnel cards that fit a site, as bits."""
        self.ways = tuple(
            tuple(self._ways(fitting[site]) for site in range(256)) for fitting in self._fitting
        )
        """The same by site and kind of card: the *way* to lay it there, a number that says the card and how
        it fits."""
        self.lays = Ready(self._upright_lays), Ready(self._lays)
        """Without and with turned cards: by cell and way the actions that lay a card there."""
        self.draws = tuple(self._drawn(kind) for kind in range(self.unknown))
        """By kind and number left: the action that draws it, with that number; None for 0."""
        self.draws_unseen = tuple(Action("draw", (self.unknown + level,)) for level in range(3))
        """The actions that draw a card of which only the back is seen, by level."""

    def __repr__(self) -> str:
        return f"<cards of {self.file}>"

    def does_fit(self, shape: int, site: int, by_ladder: bool) -> bool:
        """Says whether a card that lies so may be laid on a site."""
        return bool(self._fitting[by_ladder][site] >> shape & 1)

    def _drawn(self, kind: int) -> tuple[tuple[Action, int] | None, ...]:
        draw = Action("draw", (kind,))
        return (None, *((draw, left) for left in range(1, self.counts[kind] + 1)))

    def _fits(self, site: int, by_ladder: bool) -> int:
        shapes = enumerate(self.shapes[: self.tunnel_shapes])
        return sum(
            1 << i for i, shape in shapes if fits(shape.mask, site, shape.ladder_mask if by_ladder else 0)
        )

    def _ways(self, fitting: int) -> tuple[int, ...]:
        """Empty where nothing fits. A card that looks the same turned by half is laid upright."""
        if not fitting:
            return ()
        turns = [1 if self.symmetric[up] else 3 for up in self.shape]
        return tuple(
            0 if up < 0 else 2 * up | fitting >> up & t for up, t in zip(self.shape, turns, strict=True)
        )

    def _lays(self, cell: Cell) -> tuple[Lays, ...]:
        lays: list[Lays] = []
        for shape in range(0, self.tunnel_shapes, 2):
            kind = self.kind_of_shape[shape]
            up, turned = Action("lay", (kind, cell, 0)), Action("lay", (kind, cell, 2))
            lays += [(), (up,), (turned,), (turned, up)]
        return tuple(lays)

    def _upright_lays(self, cell: Cell) -> tuple[Lays, ...]:
        return tuple(lays[-1:] if way & 1 else () for way, lays in enumerate(self._lays(cell)))

    def _kind(self, name: str, level: int, deed: str, shape: int) -> int:
        self.kinds.append(name)
        self.level.append(level - 1)
        self.counts.append(0)
        self.deed.append(deed)
        self.shape.append(shape)
        self.kind_of[name] = len(self.kinds) - 1
        return len(self.kinds) - 1

    def _count(self, kind: int, card: str) -> None:
        self.counts[kind] += 1
        self.kind_of[card] = kind

    def _draw(self, entry: Mapping[str, Any]) -> int:
        """Adds both shapes of a drawing; returns the upright one."""
        number = {s: i for i, s in enumerate(self.segments)}
        up, half = Shape(entry, UP, number), Shape(entry, HALF, number)
        self.shapes += [up, half]
        self.symmetric += [_same(up, half)] * 2
        return len(self.shapes) - 2


def _same(up: Shape, half: Shape) -> bool:
    """Says whether renaming segments makes one shape the other."""
    if up.mask != half.mask:
        return False
    for names in permutations(up.segments):
        rename = dict(zip(up.segments, names, strict=True))
        if (
            all(rename.get(s, -1) == t for s, t in zip(up.segment, half.segment, strict=True))
            and all({rename[t] for t in up.links[s]} == set(half.links[rename[s]]) for s in up.segments)
            and all(up.feature.get(s) == half.feature.get(rename[s]) for s in up.segments)
        ):
            return True
    return False


def load(path: Path = FILE) -> Cards:
    """Reads a data file; raises `ConfigError` naming the file, the entry, the value and what is allowed."""
    return Cards(read(path), path.name)


def open_box(values: Values) -> tuple[Fact, ...]:
    """The facts of the box with these values; raises `ConfigError` for what cannot be played."""
    source = read()
    found = with_box(source, values)
    Cards(source)
    return found


SOURCE = read()
"""The content of the data file, with what the owner of the box has entered."""
FACTS = with_box(SOURCE)
CARDS = Cards(SOURCE)
"""The cards of this box."""
