"""The games on the shelf. A new game is a folder here and a line in `REGISTRY`."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from types import ModuleType

from companion.art import Print
from companion.errors import ConfigError
from companion.game import Game

REGISTRY = ("night_cage", "bad_bones", "onirim", "whisper", "dark_cave")
"""The keys of the games; each is a package here whose `GAME` is its record, loaded when asked for."""


def load(key: str) -> Game:
    """Takes a game from the shelf; raises `ConfigError` for an unknown one."""
    if key not in REGISTRY:
        near = get_close_matches(key, REGISTRY, 1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise ConfigError(f"unknown game {key!r}.{hint} Known: {', '.join(REGISTRY)}")
    game: Game = import_module(f"companion.games.{key}").GAME
    return game


def load_art(key: str) -> ModuleType:
    """The drawings of a game: `draw(face)` for each face of its board, and its `KIT` to print."""
    return import_module(f"companion.games.{load(key).key}.art")


def load_paper(key: str, language: str) -> list[Print]:
    """What else is in a game's box: pieces to print that no camera reads."""
    found: list[Print] = import_module(f"companion.games.{load(key).key}.paper").prints(language)
    return found
