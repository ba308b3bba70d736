"""What lies in a cardboard box, as facts that its owner can check and correct.

A game declares its facts once, as a table over its data files: what each is about, which values the rules
can play with, where our value comes from, and how a new one is put into the data. Whoever shows, asks,
stores or checks facts needs nothing else. A later fact may depend on an earlier one (the numbers of an effect
on which effect it is): a game's table is a generator, and each value is put before the next fact is made.

>>> cards = {"suns": 9}
>>> suns = number("suns", cards, "suns", ("Red", "Красные"), ("Suns", "Солнц"), UNCHECKED, 0, 20)
>>> settle([suns], {"suns": 8})[0].origin, cards
('owner', {'suns': 8})
>>> settle([suns], {"suns": 80})
Traceback (most recent call last):
companion.engine.errors.ConfigError: suns is 80; allowed: 0 to 20
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from hashlib import sha256
from typing import Any, NamedTuple

from companion.engine.errors import ConfigError

BOOK, OWNER, UNCHECKED = "book", "owner", "unchecked"
"""Where a value comes from: the rulebook, somebody who has looked into this box, or nobody knows."""
ORIGINS = (BOOK, OWNER, UNCHECKED)
SIDES = "NESW"
MAX_LETTERS = 300

FactValue = int | str
Values = Mapping[str, FactValue]
"""What an owner has entered: values by the ids of facts."""
Said = tuple[str, str]
"""Words for people in English and Russian."""
YES_NO: tuple[tuple[str, Said], ...] = (("yes", ("yes", "да")), ("no", ("no", "нет")))


class Fact(NamedTuple):
    """One thing that is printed in the box, or one number of pieces in it."""

    id: str
    """Its name in the owner's file: the parts are joined by dots, and all but the last name the subject."""
    kind: str
    """number | choice | sides (open edges, as `NES`) | order (all choices, in some order) | cells (rows of
    `#` and `.`) | text"""
    value: FactValue
    about: Said
    """The card, tile or board."""
    ask: Said
    """What is asked about it."""
    origin: str
    put: Callable[[FactValue], None]
    """Puts another value into the data."""
    low: int = 0
    high: int = 0
    choices: tuple[tuple[str, Said], ...] = ()
    plays: bool = True
    """Whether the rules look at it; names are only shown."""

    @property
    def subject(self) -> str:
        """What it is about, as the beginning of the id."""
        return ".".join(self.id.split(".")[:2])

    @property
    def is_doubtful(self) -> bool:
        """Says whether the game is played with a value that nobody has checked."""
        return self.plays and self.origin == UNCHECKED

    def demand(self, value: object) -> FactValue:
        """The value where it is allowed; raises `ConfigError` that names the fact and what is allowed."""
        found = _CHECKS[self.kind](self, value)
        if found is None:
            shown = repr(value) if len(repr(value)) < 80 else repr(value)[:80] + "…"
            raise ConfigError(f"{self.id} is {shown}; allowed: {self.allowed()}")
        return found

    def allowed(self) -> str:
        """The allowed values in words."""
        words = ", ".join(word for word, _ in self.choices)
        return {
            "number": f"{self.low} to {self.high}",
            "choice": words,
            "sides": "letters of N, E, S, W, each at most once",
            "order": f"each of {words} once",
            "cells": "rows of '#' and '.' of one length, joined by '/'",
            "text": f"1 to {self.high} letters",
        }[self.kind]


def _number(fact: Fact, value: object) -> FactValue | None:
    if isinstance(value, int) and not isinstance(value, bool) and fact.low <= value <= fact.high:
        return value
    return None


def _choice(fact: Fact, value: object) -> FactValue | None:
    return value if isinstance(value, str) and any(value == word for word, _ in fact.choices) else None


def _sides(fact: Fact, value: object) -> FactValue | None:
    if not isinstance(value, str) or len(set(value)) < len(value) or not set(value) <= set(SIDES):
        return None
    return "".join(side for side in SIDES if side in value)


def _order(fact: Fact, value: object) -> FactValue | None:
    if isinstance(value, str) and sorted(value.split()) == sorted(word for word, _ in fact.choices):
        return " ".join(value.split())
    return None


def _cells(fact: Fact, value: object) -> FactValue | None:
    if not isinstance(value, str) or not set(value) <= set("#./"):
        return None
    rows = value.split("/")
    return value if len({len(row) for row in rows}) == 1 and rows[0] else None


def _text(fact: Fact, value: object) -> FactValue | None:
    if not isinstance(value, str) or not value.isprintable():
        return None
    words = " ".join(value.split())
    # A brace would be a blank to fill in the texts of a game.
    return words if 0 < len(words) <= fact.high and not set(words) & set("{}") else None


_CHECKS: Mapping[str, Callable[[Fact, object], FactValue | None]] = {
    "number": _number,
    "choice": _choice,
    "sides": _sides,
    "order": _order,
    "cells": _cells,
    "text": _text,
}


# Making facts -----------------------------------------------------------------------------------------


def setter(holder: Any, key: Any) -> Callable[[FactValue], None]:
    """How a value is put into one entry of the data."""

    def put(value: FactValue) -> None:
        holder[key] = value

    return put


def number(
    name: str, holder: Any, key: Any, about: Said, ask: Said, origin: str, low: int, high: int
) -> Fact:
    """A number in an entry of the data."""
    return Fact(name, "number", holder[key], about, ask, origin, setter(holder, key), low, high)


def choice(
    name: str,
    value: str,
    about: Said,
    ask: Said,
    origin: str,
    choices: Sequence[tuple[str, Said]],
    put: Callable[[Any], None],
) -> Fact:
    """One of a closed list."""
    return Fact(name, "choice", value, about, ask, origin, put, choices=tuple(choices))


def yes_no(name: str, holder: Any, key: Any, about: Said, ask: Said, origin: str) -> Fact:
    """Something that is so or not."""

    def put(value: Any) -> None:
        holder[key] = value == "yes"

    return choice(name, "yes" if holder[key] else "no", about, ask, origin, YES_NO, put)


def text(name: str, about: Said, ask: Said, put: Callable[[Any], None], most: int) -> Fact:
    """Words on the owner's copy, in whichever language they are printed; none until they are entered."""
    return Fact(name, "text", "", about, ask, BOOK, put, 1, most, plays=False)


def name_of(name: str, about: Said, put: Callable[[Any], None]) -> Fact:
    """What the owner's copy calls a thing."""
    return text(name, about, ("Its name on your copy", "Название на вашей копии"), put, 60)


# Using facts ------------------------------------------------------------------------------------------


def settle(facts: Iterable[Fact], values: Values, *, strict: bool = True) -> tuple[Fact, ...]:
    """Puts what an owner has entered into the data and returns the facts as they are then.

    Raises `ConfigError` for a value that is not allowed, and where `strict` for an id that is no fact.
    """
    left = dict(values)
    found: list[Fact] = []
    for fact in facts:
        if fact.id in left:
            value = fact.demand(left.pop(fact.id))
            fact.put(value)
            fact = fact._replace(value=value, origin=OWNER)
        found.append(fact)
    if strict:
        for name in left:
            near = get_close_matches(name, [fact.id for fact in found], 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise ConfigError(f"{name!r} is no entry of this game{hint}")
    return tuple(found)


def fingerprint(facts: Iterable[Fact]) -> str:
    """A short code that differs wherever a game could be played differently; names do not count."""
    played = [[fact.id, fact.value] for fact in facts if fact.plays]
    return sha256(json.dumps(played, ensure_ascii=False).encode()).hexdigest()[:16]
