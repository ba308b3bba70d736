"""The file `cards.json`: read, and checked against what the rules need and the rulebook counts."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.engine.errors import ConfigError
from companion.engine.facts import Fact, Values, settle
from companion.games.dark_cave import pieces
from companion.games.dark_cave.box import demand_playable, facts
from companion.games.dark_cave.owner import VALUES

FILE = Path(__file__).with_name("cards.json")

SIDES = "NESW"
SOURCES = ("rulebook", "public", "house")

_DRAWING_KEYS = {"id", "edges", "segments", "links", "features", "source"}
_OPTIONAL_KEYS = {"gold", "marker", "image"}
_ACTION_KEYS = {"id", "level", "kind", "source"}


def read(path: Path = FILE) -> Mapping[str, Any]:
    """Reads a data file; raises `ConfigError` naming the file and the fault."""
    try:
        source: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path.name}: cannot be read: {error}") from None
    return source


def with_box(source: Any, values: Values = VALUES) -> tuple[Fact, ...]:
    """Puts what an owner has entered into the content of the file; other counts are then the owner's."""
    found = settle(facts(source), values)
    if values:
        demand_playable(source, found)
        source["strict"] = None
    return found


def entrance(source: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Both sides of the entrance card."""
    return [source["start"], source["start_back"]]


def validate(source: Mapping[str, Any], name: str) -> None:
    """Raises `ConfigError` naming the file, the entry, the value and what is allowed."""
    _keys(source, {"strict", "tunnels", "goals", "start", "start_back", "actions"}, {"about", "names"}, name)
    for entry in source["tunnels"]:
        _drawing(entry, name, {"level"})
        _allowed(entry, "level", pieces.LEVELS, name)
    for entry in [*source["goals"], *entrance(source)]:
        _drawing(entry, name, set())
    for entry in source["goals"]:
        _joinable(entry, name)
    for entry in source["actions"]:
        _action(entry, name)
    _different(source, name)
    if len(source["goals"]) != 4:
        raise ConfigError(f"{name}: goals: {len(source['goals'])} cards; exactly 4 are needed")
    for complaint in _complaints(source) if source["strict"] is not None else ():
        if source["strict"]:
            raise ConfigError(
                f"{name}: {complaint} (set strict to false to play with these cards all the same)"
            )
        warnings.warn(f"{name}: {complaint}", stacklevel=3)


def _joinable(goal: Mapping[str, Any], name: str) -> None:
    if not (set("NS") & set(goal["edges"]) and set("EW") & set(goal["edges"])):
        raise ConfigError(
            f"{name}: {goal['id']}: edges {sorted(goal['edges'])} cannot be joined from every side; "
            "a goal needs N or S, and E or W"
        )


def _action(entry: Mapping[str, Any], name: str) -> None:
    _keys(entry, _ACTION_KEYS, {"symbol", "marker", "image"}, f"{name}: {entry.get('id', '?')}")
    _allowed(entry, "level", pieces.LEVELS, name)
    _allowed(entry, "kind", tuple(pieces.ACTION_CARDS), name)
    _allowed(entry, "source", SOURCES, name)
    if entry["kind"] == "web":
        _allowed(entry, "symbol", pieces.SYMBOLS, name)


def _different(source: Mapping[str, Any], name: str) -> None:
    seen: set[str] = set()
    for entry in [*source["tunnels"], *source["goals"], *entrance(source), *source["actions"]]:
        if entry["id"] in seen:
            raise ConfigError(f"{name}: {entry['id']} stands twice; every id must be different")
        seen.add(entry["id"])


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
