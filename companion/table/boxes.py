"""The owner's own boxes: what was entered about the cards, kept in the owner's folder, one file per game.

A file `box/GAME.json` lies beside the stored games and wins over what we ship. It holds the facts that
somebody has checked: people may read and edit it. A file that is wrong takes its own game off the shelf,
and no other. A game that is being played keeps the cards with which it was begun.
"""

from __future__ import annotations

import json
import logging
import threading
from pathlib import Path
from typing import Any

from companion.engine.errors import ConfigError
from companion.engine.facts import Fact, FactValue, Values, fingerprint
from companion.engine.game import Game
from companion.games import REGISTRY, load, load_with
from companion.settings.state_file import write_whole

log = logging.getLogger(__name__)

FOLDER = "box"
LARGEST = 256 * 1024
MOST_FACTS = 2_000
_ABOUT = (
    "What somebody has checked in this box, by the names of the facts. The page “My box” writes this file; "
    "it may also be edited by hand. Removing a line brings back what Gloam knows."
)
_WRITING = threading.Lock()


class Boxes:
    """The boxes in one folder; without a folder every box is as we ship it."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = None if folder is None else folder / FOLDER

    def values(self, key: str) -> Values:
        """What was entered about a game; raises `ConfigError` that names the file and what is wrong."""
        # A key may come from anybody: only one that is on the shelf is used as a name.
        if self.folder is None or key not in REGISTRY.sources or not (self.folder / f"{key}.json").is_file():
            return {}
        try:
            with (self.folder / f"{key}.json").open("rb") as file:
                content = file.read(LARGEST + 1)
        except OSError as error:
            raise ConfigError(f"{FOLDER}/{key}.json cannot be read: {error.strerror}") from error
        return parse(content, f"{FOLDER}/{key}.json")

    def facts(self, key: str, more: Values | None = None) -> tuple[Fact, ...]:
        """The facts of a game's box, with these values on top of those entered; raises `ConfigError`."""
        game = load(key)
        values = _merged(self.values(key), more or {})
        if not values:
            return game.facts
        try:
            return game.open_box(values)
        except ConfigError as error:
            raise ConfigError(f"{FOLDER}/{key}.json: {error}") from error

    def fingerprint(self, key: str) -> str:
        """The fingerprint of a game's box, "" for a game without one or a wrong file."""
        try:
            facts = self.facts(key)
        except ConfigError:
            return ""
        return fingerprint(facts) if facts else ""

    def load(self, key: str) -> Game:
        """Takes a game with its owner's box; raises `ConfigError` where it cannot be used."""
        values = self.values(key)
        if not values:
            return load(key)
        try:
            return load_with(key, values)
        except ConfigError as error:
            raise ConfigError(f"{FOLDER}/{key}.json: {error}") from error

    def games(self) -> dict[str, Game]:
        """The games that can be used, in the order of the shelf."""
        found = {}
        for key in REGISTRY:
            try:
                found[key] = self.load(key)
            except ConfigError as error:
                log.warning("%s is not on the shelf: %s", key, error)
        return found

    def faults(self) -> dict[str, str]:
        """What is wrong with the owner's files, by game."""
        found = {}
        for key in REGISTRY:
            try:
                self.facts(key)
            except ConfigError as error:
                found[key] = str(error)
        return found

    def enter(self, key: str, more: Values) -> None:
        """Keeps what was entered about a game; raises `ConfigError`, and keeps nothing, where it is wrong."""
        with _WRITING:
            if self.folder is None:
                raise ConfigError("this table keeps nothing: it has no folder for its stored games")
            self.facts(key, more)
            self._write(key, _merged(self.values(key), more))

    def forget(self, key: str, subject: str) -> None:
        """Brings back what Gloam knows about one subject of a game, "" for all; a wrong file is set aside."""
        with _WRITING:
            path = None if self.folder is None else self.folder / f"{key}.json"
            if path is None or not path.is_file():
                return
            try:
                values = self.values(key)
                kept = {
                    name: value
                    for name, value in values.items()
                    if subject and name != subject and not name.startswith(f"{subject}.")
                }
                load(key).open_box(kept if subject else values)
            except ConfigError:
                path.replace(path.with_name(f"{path.name}.wrong"))
                return
            self._write(key, kept)

    def _write(self, key: str, values: Values) -> None:
        assert self.folder is not None
        document = {"about": _ABOUT, "facts": dict(sorted(values.items()))}
        write_whole(self.folder / f"{key}.json", json.dumps(document, ensure_ascii=False, indent=1) + "\n")


def _merged(values: Values, more: Values) -> dict[str, FactValue]:
    """Values with others on top; what belonged to a value that is another now is left out.

    The numbers of an effect are named after it (`CARD.effect.1`).
    """
    changed = [name for name, value in more.items() if values.get(name, value) != value]
    kept = {
        name: value
        for name, value in values.items()
        if not any(name.startswith(f"{other}.") for other in changed)
    }
    return {**kept, **more}


def parse(content: bytes, name: str) -> dict[str, FactValue]:
    """Reads an owner's file; raises `ConfigError` that names the file, the line or the entry."""
    if len(content) > LARGEST:
        raise ConfigError(f"{name} has more than {LARGEST // 1024} kB")
    try:
        document: Any = json.loads(content.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise ConfigError(f"{name}, line {error.lineno}: {error.msg}") from error
    except (UnicodeDecodeError, RecursionError, ValueError) as error:
        raise ConfigError(f"{name} is no text that can be read: {error}") from error
    facts = document.get("facts") if isinstance(document, dict) else None
    if not isinstance(facts, dict) or set(document) - {"about", "facts"}:
        raise ConfigError(f'{name} must be {{"about": …, "facts": {{…}}}}')
    if len(facts) > MOST_FACTS:
        raise ConfigError(f"{name} has more than {MOST_FACTS} facts")
    for fact, value in facts.items():
        if not isinstance(value, int | str) or isinstance(value, bool):
            raise ConfigError(f"{name}: {fact} is {value!r:.80}; allowed: a whole number or a text")
    return facts


def doubtful(game: Game) -> int:
    """How many facts nobody has checked a game is played with."""
    return sum(fact.is_doubtful for fact in game.facts)


def doubtful_pieces(game: Game) -> frozenset[str]:
    """The pieces about which the rules use something that nobody has checked, by their words."""
    return frozenset(fact.subject.partition(".")[2] for fact in game.facts if fact.is_doubtful)


def is_same_box(box: str, game: Game) -> bool:
    """Says whether a game was played with the card data that it has now.

    Where no fingerprint was kept, it was played with the box as we ship it.
    """
    return game.box == (box or load(game.key).box)


SHIPPED = Boxes(None)
"""Every box as we ship it."""
