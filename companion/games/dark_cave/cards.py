"""The cards of the cave: read from `cards.json`, checked, and made into tables.

Cards with the same drawing and level are one *kind*: nobody can tell them apart. A `Shape` is a drawing as it
lies on the table, upright or turned by half. Segments are numbered by name over the whole file.
"""

from __future__ import annotations

import json
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any, TypeVar

from companion.engine.action import Action, Cell
from companion.engine.errors import ConfigError
from companion.games.dark_cave import pieces

FILE = Path(__file__).with_name("cards.json")

SIDES = "NESW"
SOURCES = ("rulebook", "public", "house")
CLOSED = 15
"""The one place on a goal card that lies face down, where a segment's number would stand."""
UP, HALF = 0, 1
"""How a card lies: upright, or turned by 180°."""

_DRAWING_KEYS = {"id", "edges", "segments", "links", "features", "source"}
_OPTIONAL_KEYS = {"gold", "marker", "image"}
_ACTION_KEYS = {"id", "level", "kind", "source"}


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
    three kinds after the last stand for a card of which only the back is known.
    """

    def __init__(self, source: Mapping[str, Any], name: str = FILE.name) -> None:
        _validate(source, name)
        tunnels: Sequence[Mapping[str, Any]] = source["tunnels"]
        self.segments = tuple(
            dict.fromkeys(s for e in [*tunnels, *source["goals"], *_entrance(source)] for s in e["segments"])
        )
        if len(self.segments) > CLOSED:
            raise ConfigError(f"{name}: {len(self.segments)} names of segments; at most {CLOSED} can be used")
        number = {s: i for i, s in enumerate(self.segments)}

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
            self.first.append(len(self.kinds))
            known: dict[str, int] = {}
            for entry in (e for e in tunnels if e["level"] == level):
                key = json.dumps([entry[k] for k in ("edges", "links", "features")] + [entry.get("gold", 1)])
                if key not in known:
                    known[key] = self._kind(entry["id"], level, "", self._draw(entry, number))
                self._count(known[key], entry["id"])
            for entry in (e for e in source["actions"] if e["level"] == level):
                key = f"web-{entry['symbol']}" if entry["kind"] == "web" else f"{entry['kind']}-{level}"
                if key not in known:
                    known[key] = self._kind(key, level, entry["kind"], -1)
                self._count(known[key], entry["id"])
        self.first.append(len(self.kinds))
        self.unknown = len(self.kinds)
        """The kind of a card of level I of which only the back is known; levels II and III follow."""
        self.names = (*self.kinds, *(f"back-{level}" for level in pieces.LEVELS))
        self.level += [0, 1, 2]
        self.deed += [""] * 3
        self.shape += [-1] * 3
        self.creature = [pieces.CREATURES.index(d) if d in pieces.CREATURES else -1 for d in self.deed]
        """The creature that a card calls, -1 for none."""

        self.tunnel_shapes = len(self.shapes)
        self.goals = tuple(self._draw(e, number) for e in source["goals"])
        self.goal_names = tuple(str(e["id"]) for e in source["goals"])
        self.start = self._draw(source["start"], number)
        self.starts = (self.start, self._draw(source["start_back"], number))
        """Both sides of the entrance card."""
        self.shape_named = {shape.name: i & ~1 for i, shape in enumerate(self.shapes)}
        self.kind_of_shape = {s: kind for kind, s in enumerate(self.shape) if s >= 0}
        self.boots = frozenset(kind for kind, deed in enumerate(self.deed) if deed == "boots")
        self.fits = Ready(lambda site: self._fits(site, False)), Ready(lambda site: self._fits(site, True))
        """Without and with ladders that join: the shapes of tunnel cards that fit a site of `Cave.sites`, as
        bits."""
        self.ways = tuple(tuple(self._ways(fits[site]) for site in range(256)) for fits in self.fits)
        """The same by site and kind of card: the *way* to lay it there, a number that says the card and how
        it fits."""
        self.lays = Ready(self._upright_lays), Ready(self._lays)
        """Without and with turned cards: by cell and way the actions that lay a card there."""
        self.draws = tuple(
            tuple(self._drawn(kind) for kind in range(self.first[level], self.first[level + 1]))
            for level in range(3)
        )
        """By level, kind and number left: the action that draws it, with that number; None for 0."""
        self.draws_unseen = tuple(Action("draw", (self.unknown + level,)) for level in range(3))
        """The actions that draw a card of which only the back is seen, by level."""

    def _drawn(self, kind: int) -> tuple[tuple[Action, int] | None, ...]:
        draw = Action("draw", (kind,))
        return (None, *((draw, left) for left in range(1, self.counts[kind] + 1)))

    def _fits(self, site: int, by_ladder: bool) -> int:
        shapes = enumerate(self.shapes[: self.tunnel_shapes])
        return sum(
            1 << i
            for i, shape in shapes
            if fits_site(shape.mask, site, shape.ladder_mask if by_ladder else 0)
        )

    def _ways(self, fits: int) -> tuple[int, ...]:
        """Empty where nothing fits. A card that looks the same turned by half is laid upright."""
        if not fits:
            return ()
        turns = [1 if self.symmetric[up] else 3 for up in self.shape]
        return tuple(
            0 if up < 0 else 2 * up | fits >> up & t for up, t in zip(self.shape, turns, strict=True)
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

    def _draw(self, entry: Mapping[str, Any], number: Mapping[str, int]) -> int:
        """Adds both shapes of a drawing; returns the upright one."""
        up, half = Shape(entry, UP, number), Shape(entry, HALF, number)
        self.shapes += [up, half]
        self.symmetric += [_same(up, half)] * 2
        return len(self.shapes) - 2


FREE, WALL, DEAD, LIVE = range(4)
"""What meets a side of an empty place: nothing, a wall, an open side cut off, one joined to the entrance."""

MARKS = tuple(
    tuple((LIVE if live >> d & 1 else DEAD if mask >> d & 1 else WALL) << 2 * (d ^ 2) for d in range(4))
    for mask in range(16)
    for live in range(16)
)
"""By `mask << 4 | live`: what a card with these open sides, and these joined to the entrance, adds to the
four sites beside it."""


def fits_site(mask: int, site: int, by_ladder: int = 0) -> bool:
    """Says whether a card with these open sides agrees with its neighbours and is joined to the entrance.

    The sides of `by_ladder` are joined by the card's own ladder: a tunnel that meets them is enough.
    """
    live = False
    for d in range(4):
        meets, is_open = site >> 2 * d & 3, mask >> d & 1
        if meets != FREE and is_open != (meets != WALL):
            return False
        live = live or meets == LIVE or (meets == DEAD and bool(by_ladder >> d & 1))
    return live


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


def _entrance(source: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Both sides of the entrance card."""
    return [source["start"], source["start_back"]]


def load(path: Path = FILE) -> Cards:
    """Reads a data file; raises `ConfigError` naming the file, the entry, the value and what is allowed."""
    try:
        source = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path.name}: cannot be read: {error}") from None
    return Cards(source, path.name)


def _validate(source: Mapping[str, Any], name: str) -> None:
    _keys(source, {"strict", "tunnels", "goals", "start", "start_back", "actions"}, {"about"}, name)
    seen: set[str] = set()
    for entry in source["tunnels"]:
        _drawing(entry, name, {"level"})
        _allowed(entry, "level", pieces.LEVELS, name)
    for entry in [*source["goals"], *_entrance(source)]:
        _drawing(entry, name, set())
    for entry in source["goals"]:
        if not (set("NS") & set(entry["edges"]) and set("EW") & set(entry["edges"])):
            raise ConfigError(
                f"{name}: {entry['id']}: edges {sorted(entry['edges'])} cannot be joined from every side; "
                "a goal needs N or S, and E or W"
            )
    for entry in source["actions"]:
        _keys(entry, _ACTION_KEYS, {"symbol", "marker", "image"}, f"{name}: {entry.get('id', '?')}")
        _allowed(entry, "level", pieces.LEVELS, name)
        _allowed(entry, "kind", tuple(pieces.ACTION_CARDS), name)
        _allowed(entry, "source", SOURCES, name)
        if entry["kind"] == "web":
            _allowed(entry, "symbol", pieces.SYMBOLS, name)
    for entry in [*source["tunnels"], *source["goals"], *_entrance(source), *source["actions"]]:
        if entry["id"] in seen:
            raise ConfigError(f"{name}: {entry['id']} stands twice; every id must be different")
        seen.add(entry["id"])
    if len(source["goals"]) != 4:
        raise ConfigError(f"{name}: goals: {len(source['goals'])} cards; exactly 4 are needed")
    for complaint in _complaints(source):
        if source["strict"]:
            raise ConfigError(
                f"{name}: {complaint} (set strict to false to play with these cards all the same)"
            )
        warnings.warn(f"{name}: {complaint}", stacklevel=2)


def _drawing(entry: Mapping[str, Any], name: str, more: set[str]) -> None:
    where = f"{name}: {entry.get('id', '?')}"
    _keys(entry, _DRAWING_KEYS | more, _OPTIONAL_KEYS, where)
    _allowed(entry, "source", SOURCES, name)
    segments = entry["segments"]
    if not segments or len(set(segments)) != len(segments):
        raise ConfigError(f"{where}: segments {segments!r} must be different names, at least one")
    for side, segment in entry["edges"].items():
        if side not in SIDES:
            raise ConfigError(f"{where}: edge {side!r} is unknown; allowed: N, E, S, W")
        _known(segment, segments, f"{where}: edge {side}")
    for link in entry["links"]:
        if len(link) != 2 or link[0] == link[1]:
            raise ConfigError(f"{where}: link {link!r} must name two different segments")
        for segment in link:
            _known(segment, segments, f"{where}: link {link!r}")
    for segment, feature in entry["features"].items():
        _known(segment, segments, f"{where}: feature {feature}")
        if feature not in pieces.FEATURES:
            raise ConfigError(
                f"{where}: feature {feature!r} is unknown; allowed: {', '.join(pieces.FEATURES)}"
            )


def _keys(entry: Mapping[str, Any], needed: set[str], optional: set[str], where: str) -> None:
    for key in sorted(needed - set(entry)):
        raise ConfigError(f"{where}: {key!r} is missing")
    for key in sorted(set(entry) - needed - optional):
        raise ConfigError(f"{where}: {key!r} is no key here; allowed: {', '.join(sorted(needed | optional))}")


def _allowed(entry: Mapping[str, Any], key: str, values: Sequence[Any], name: str) -> None:
    if entry.get(key) not in values:
        raise ConfigError(
            f"{name}: {entry['id']}: {key} {entry.get(key)!r} is not allowed; "
            f"choose one of {', '.join(map(str, values))}"
        )


def _known(segment: str, segments: Sequence[str], where: str) -> None:
    if segment not in segments:
        raise ConfigError(f"{where}: segment {segment!r} is not among {', '.join(segments)}")


def _complaints(source: Mapping[str, Any]) -> Iterable[str]:
    """Where the file differs from the counts of the rulebook (ledger sections 1.2 to 1.4)."""
    tunnels, actions = source["tunnels"], source["actions"]
    for level, tunnel_count, action_count in zip(
        pieces.LEVELS, pieces.TUNNELS_PER_LEVEL, pieces.ACTIONS_PER_LEVEL, strict=True
    ):
        for what, entries, count in (("tunnels", tunnels, tunnel_count), ("actions", actions, action_count)):
            found = sum(e["level"] == level for e in entries)
            if found != count:
                yield f"{what} of level {level}: {found} cards, the rulebook has {count}"
    for what, entries, counts in (
        ("tunnels", tunnels, pieces.TUNNEL_FEATURES),
        ("goals", source["goals"], pieces.GOAL_FEATURES),
    ):
        features = Counter(f for e in entries for f in set(e["features"].values()))
        for feature, count in counts.items():
            if features[feature] != count:
                yield f"{what} with {feature}: {features[feature]} cards, the rulebook has {count}"
    kinds = Counter(e["kind"] for e in actions)
    for kind, count in pieces.ACTION_CARDS.items():
        if kinds[kind] != count:
            yield f"actions of kind {kind}: {kinds[kind]} cards, the rulebook has {count}"
    symbols = Counter(e["symbol"] for e in actions if e["kind"] == "web")
    for symbol in pieces.SYMBOLS:
        if symbols[symbol] != 1:
            yield f"webs with {symbol}: {symbols[symbol]} cards, the rulebook has 1"
