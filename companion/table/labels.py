"""What seats and places are called in the reader's language: on pages, in messages, on the wire."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from companion.engine.game import Game
from companion.engine.options import Options
from companion.engine.text import CaseName, Texts
from companion.table.session import Session
from companion.table.table import Table

SEATS = {"seat.player": ("Player {n}", "Игрок {n}")}
"""The label of a seat that has no name of its own in a game, in English and Russian."""
_TEXTS = Texts(SEATS)
CASES = ("to", "in", "from", "acc")
"""The cases of a place, each but the last with its preposition: в сад, в саду, из сада, сад."""


def seat_label(game: Game, word: str, language: str) -> str:
    """What a seat is called before anybody sits there."""
    key = f"seat.{word}"
    if key in game.texts:
        return game.texts.say(key, language)
    if word[:1] == "p" and word[1:].isdigit():
        return _TEXTS.say("seat.player", language, {"n": int(word[1:])})
    return word


def place_label(game: Game, name: str, language: str) -> str:
    """What a place is called: its own name, the one that the board shows, or those that a passage joins."""
    for key in (f"place.{name}", f"board.{name}", f"word.{name}"):
        if key in game.texts:
            cased = {case: f"{key}@{case}" for case in CASES if f"{key}@{case}" in game.texts}
            return CaseName(
                game.texts.say(key, language),
                {case: game.texts.say(one, language) for case, one in cased.items()},
            )
    ends = name.split("-")
    if len(ends) == 2 and all(f"place.{end}" in game.texts for end in ends):
        return " – ".join(game.texts.say(f"place.{end}", language) for end in ends)
    return name


_PLAIN = re.compile(r"p[0-9]+").fullmatch


class PlaceNames:
    """Puts the names of places where a text has only their codes."""

    def __init__(self, game: Game, options: Options, language: str) -> None:
        codes = [place.name for place in game.board(options).places if f"place.{place.name}" in game.texts]
        self._labels = {code: place_label(game, code, language) for code in codes}
        self._pattern = re.compile(rf"\b({'|'.join(map(re.escape, codes))})\b") if codes else None

    def __call__(self, text: str) -> str:
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda found: self._labels[found[0]], text)


class ActionNames(dict[str, str]):
    """What actions are called on a button, by their notation; an action is called the same all game long."""

    def __init__(self, game: Game, options: Options, language: str, places: PlaceNames) -> None:
        self._game, self._language, self._places = game, language, places
        self._state = game.start(options)

    def __missing__(self, text: str) -> str:
        action = self._state.notation.parse(text)
        label = self._places(self._game.label(self._state, action, self._language))
        # A dash stands for an empty list at the end.
        name = self[text] = label.removesuffix("—").rstrip()
        return name


class SessionNames(NamedTuple):
    """What never changes its name during a game, in one language."""

    cells: list[str]
    """The places of the board, by cell."""
    places: PlaceNames
    actions: ActionNames


@lru_cache(maxsize=8)
def session_names(session: Session, language: str) -> SessionNames:
    """The names of a session's places and actions, made once."""
    game, options = session.game, session.options
    places = PlaceNames(game, options, language)
    cells = [place_label(game, place.name, language) for place in game.board(options).places]
    return SessionNames(cells, places, ActionNames(game, options, language, places))


def seat_names(table: Table, session: Session, language: str) -> list[str]:
    """What the seats are called: the name of who sits there, or the seat's own.

    The seat is told too where the name alone would not do: of a secret seat, and of two who are called alike.
    """
    holders = table.people.holders(session.number)
    own = [
        table.people.name(holders[seat].device) if seat in holders else ""
        for seat in range(len(session.seats))
    ]
    names = []
    for seat, word in enumerate(session.seats):
        label = seat_label(session.game, word, language)
        is_plain = own.count(own[seat]) == 1 and not table.is_secret(session, seat)
        names.append((own[seat] if is_plain else f"{label} ({own[seat]})") if own[seat] else label)
    return names


class SeatNames:
    """Puts the names of those who sit there where a text has only the words for seats: `p3`."""

    def __init__(self, session: Session, names: list[str]) -> None:
        self._names = {word: name for word, name in zip(session.seats, names, strict=True) if _PLAIN(word)}
        self._pattern = re.compile(rf"\b({'|'.join(self._names)})\b") if self._names else None

    def __call__(self, text: str) -> str:
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda found: self._names[found[0]], text)
