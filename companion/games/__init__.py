"""The shelf: the games in the folders here, and those that other distributions bring.

A game is a package whose `GAME` is its record; all that it brings lies in the package's folder. A folder here
is found by itself; another distribution names its package in the entry-point group `gloam.games`.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from importlib import import_module, resources
from importlib.metadata import entry_points
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import NamedTuple, overload

from companion.engine.drawing import Print
from companion.engine.errors import ConfigError
from companion.engine.facts import Values
from companion.engine.game import Game
from companion.engine.layout import CALIBRATION, CARD_FRAMES, ELSEWHERE, FRAMES
from companion.games import edition

log = logging.getLogger(__name__)

GROUP = "gloam.games"
"""The entry-point group: the name is the game's key, the value its package."""


class Source(NamedTuple):
    """Where a game comes from: its package, and the distribution that brings it ("" for ours)."""

    key: str
    package: str
    distribution: str = ""

    def __str__(self) -> str:
        return f"game {self.key!r} ({self.package}{self.distribution and f' of {self.distribution}'})"


class Shelf(Sequence[str]):
    """The keys of the games in the order in which they stand; games are imported when somebody first looks.

    A game that cannot be used is left out, and `faults` says why: the others stay.
    """

    @cached_property
    def sources(self) -> dict[str, Source]:
        """Every game that is found, whether it can be used or not; nothing is imported."""
        # Where two games have one key, ours stays.
        return {source.key: source for source in reversed(self._found)}

    @cached_property
    def _found(self) -> list[Source]:
        ours = [Source(one.name, f"{__name__}.{one.name}") for one in iter_modules(__path__) if one.ispkg]
        theirs = [
            Source(entry.name, entry.module, entry.dist.name if entry.dist else "unknown")
            for entry in entry_points(group=GROUP)
        ]
        return [*ours, *sorted(theirs)]

    @cached_property
    def games(self) -> dict[str, Game]:
        """The games that can be used, by key, in order."""
        return self._looked[0]

    @cached_property
    def faults(self) -> tuple[str, ...]:
        """A sentence for each game that is not on the shelf: its name and what is wrong."""
        return self._looked[1]

    @cached_property
    def _looked(self) -> tuple[dict[str, Game], tuple[str, ...]]:
        games: dict[str, Game] = {}
        faults = []
        for source in self._found:
            try:
                games[source.key] = _fitting(source, games)
            except ConfigError as error:
                faults.append(str(error))
                log.warning("%s", error)
        order = sorted(games, key=lambda key: (games[key].shelf, key))
        return {key: games[key] for key in order}, tuple(faults)

    def __contains__(self, key: object) -> bool:
        return key in self.sources and key in self.games

    def __iter__(self) -> Iterator[str]:
        return iter(self.games)

    def __len__(self) -> int:
        return len(self.games)

    @overload
    def __getitem__(self, i: int) -> str: ...
    @overload
    def __getitem__(self, i: slice) -> Sequence[str]: ...
    def __getitem__(self, i: int | slice) -> str | Sequence[str]:
        return tuple(self.games)[i]


REGISTRY = Shelf()
"""The games on the shelf."""


def _imported(source: Source) -> Game:
    """Imports a game; raises `ConfigError` that names it, whatever is wrong with it."""
    try:
        game = import_module(source.package).GAME
    except Exception as error:  # Somebody else's code may fail in any way.
        raise ConfigError(f"{source} cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(game, Game):
        raise ConfigError(f"{source}: its GAME is a {type(game).__name__}, not a Game")
    if game.key != source.key:
        raise ConfigError(f"{source} calls itself {game.key!r}: both names must be the same")
    return game


def _fitting(source: Source, others: Mapping[str, Game]) -> Game:
    """Imports a game that stands beside others; raises `ConfigError` where they could be mistaken."""
    if source.key in others:
        raise ConfigError(f"{source}: there is a game of this name already")
    game = _imported(source)
    try:
        frames = game.frames()
    except Exception as error:
        raise ConfigError(f"{source} has no board: {type(error).__name__}: {error}") from error
    taken = {number: other.key for other in others.values() for number in other.frames().values()}
    for number in frames.values():
        if number in taken:
            kept = {*taken, CALIBRATION, *CARD_FRAMES}
            free = set(range(ELSEWHERE if source.distribution else 0, FRAMES)) - kept
            hint = f"{min(free)} is free" if free else "no frame is free"
            raise ConfigError(f"{source}: frame {number} belongs to {taken[number]!r}; {hint}")
    for other in others.values():
        for name in frames.keys() & other.frames().keys():
            raise ConfigError(f"{source}: {other.key!r} has a board called {name!r} already")
    return game


def load(key: str) -> Game:
    """Takes a game from the shelf; raises `ConfigError` for an unknown one, or one that cannot be used."""
    source = _source(key)
    # Only a game from elsewhere is compared with the others: one of ours is loaded alone, in less time.
    if source.distribution and key not in REGISTRY.games:
        fault = next(fault for fault in REGISTRY.faults if fault.startswith(str(source)))
        raise ConfigError(fault)
    return _imported(source)


KEPT = 8
"""How many editions stay loaded; one that was dropped is made again when it is asked for."""
_EDITIONS: OrderedDict[str, Game] = OrderedDict()
_MAKING = threading.Lock()


def load_with(key: str, values: Values) -> Game:
    """Takes a game with what its owner has entered; raises `ConfigError` for what cannot be played."""
    load(key).open_box(values)
    source = _source(key)
    name = edition.make(source.package, values)
    if name == source.package:
        return load(key)
    with _MAKING:
        if name not in _EDITIONS:
            try:
                _EDITIONS[name] = _imported(source._replace(package=name))
            except ConfigError:
                edition.forget(name)
                raise
        _EDITIONS.move_to_end(name)
        while len(_EDITIONS) > KEPT:
            edition.forget(_EDITIONS.popitem(last=False)[0])
        return _EDITIONS[name]


def _source(key: str) -> Source:
    known = REGISTRY.sources
    if key in known:
        return known[key]
    near = get_close_matches(key, known, 1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise ConfigError(f"unknown game {key!r}.{hint} Known: {', '.join(REGISTRY)}")


def load_art(key: str, of: str = "") -> ModuleType:
    """The drawings of a game: `draw(face)` for each face of its board, its `KIT` to print.

    It may have a `ground(board)`: what is printed on the board beneath its places. `of` is the edition.
    """
    return import_module(f"{edition.edition_name(_source(key).package, of)}.art")


def load_paper(key: str, language: str, of: str = "") -> list[Print]:
    """What else is in a game's box: pieces to print that no camera reads; none where it has no `paper.py`."""
    name = f"{edition.edition_name(_source(key).package, of)}.paper"
    if find_spec(name) is None:
        return []
    found: list[Print] = import_module(name).prints(language)
    return found


def folder_of(key: str) -> Traversable:
    """The folder that holds all that a game brings."""
    return resources.files(_source(key).package)


def frames() -> dict[int, str]:
    """The printed frames of all games on the shelf: their names by their numbers."""
    return {number: name for game in REGISTRY.games.values() for name, number in game.frames().items()}
