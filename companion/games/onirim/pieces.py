"""The cards of Onirim: 17 kinds, 76 cards in the box as we know it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.engine.errors import ConfigError
from companion.engine.facts import BOOK, UNCHECKED, Fact, Values, number, settle
from companion.games.onirim.owner import VALUES

COLOURS = ("red", "blue", "green", "brown")
LETTERS = "RBGW"
SYMBOLS = ("sun", "moon", "key")
SUN, MOON, KEY = range(3)

CARDS = (
    *(f"{colour}{symbol}" for colour in LETTERS for symbol in "smk"),
    *(f"{colour}D" for colour in LETTERS),
    "NM",
)
"""The kinds of cards: twelve Labyrinth cards, then the Doors, then the Nightmare."""
HALLS = 12
"""Kinds below this are Labyrinth cards."""
DOORS = range(12, 16)
NIGHTMARE = 16

COLOUR = (*(kind // 3 for kind in range(HALLS)), 0, 1, 2, 3, -1)
SYMBOL = (*(kind % 3 for kind in range(HALLS)), -1, -1, -1, -1, -1)
IS_KEY = tuple(symbol == KEY for symbol in SYMBOL)
KEY_OF = tuple(3 * colour + KEY for colour in range(4))
DOOR_OF = tuple(HALLS + colour for colour in range(4))

HAND = 5
PERSONAL = 3
SHARED = 2

_FILE = Path(__file__).with_name("cards.json")
_SYMBOL_WORDS = (("Suns", "Солнц"), ("Moons", "Лун"), ("Keys", "Ключей"))
_COLOUR_WORDS = {
    "red": ("Red cards", "Красные карты"),
    "blue": ("Blue cards", "Синие карты"),
    "green": ("Green cards", "Зелёные карты"),
    "brown": ("Brown cards", "Коричневые карты"),
}


def facts(box: dict[str, Any]) -> Iterator[Fact]:
    """What the owner of the box may check and correct: how many cards of each kind there are."""
    for colour, about in _COLOUR_WORDS.items():
        for symbol, ask in zip(SYMBOLS, _SYMBOL_WORDS, strict=True):
            name = f"labyrinth.{colour}.{symbol}"
            yield number(name, box["labyrinth"][colour], symbol, about, ask, UNCHECKED, 0, 20)
    about = ("Nightmares", "Кошмары")
    ask = ("How many are in the box?", "Сколько их в коробке?")
    yield number("nightmares.all", box, "nightmares", about, ask, BOOK, 1, 20)


def read(path: Path = _FILE) -> dict[str, Any]:
    """Reads the data file; raises `ConfigError` where it is not as it should be."""
    try:
        box: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise ConfigError(f"{path.name}: {error}") from error
    _demand(path, "the file", sorted(box), ["about", "card_mm", "doors", "labyrinth", "nightmares"])
    _demand(path, "doors", box["doors"], dict.fromkeys(COLOURS, 2))
    _demand(path, "labyrinth", sorted(box["labyrinth"]), sorted(COLOURS))
    for colour in COLOURS:
        _demand(path, f"labyrinth.{colour}", sorted(box["labyrinth"][colour]), sorted(SYMBOLS))
    try:
        for fact in facts(box):
            fact.demand(fact.value)
    except ConfigError as error:
        raise ConfigError(f"{path.name}: {error} (ON-COMP-09)") from error
    return box


def open_box(values: Values) -> tuple[Fact, ...]:
    """The facts of the box with these values; raises `ConfigError` for what cannot be played."""
    box = read()
    found = settle(facts(box), values)
    if sum(counts_of(box)[:HALLS]) < FEWEST:
        raise ConfigError(f"labyrinth has {sum(counts_of(box)[:HALLS])} cards; allowed: at least {FEWEST}")
    return found


def counts_of(box: dict[str, Any]) -> tuple[int, ...]:
    """How many cards of each kind there are (ON-COMP-01 to ON-COMP-09)."""
    halls = [box["labyrinth"][colour][symbol] for colour in COLOURS for symbol in SYMBOLS]
    return (*halls, 2, 2, 2, 2, box["nightmares"])


def _demand(path: Path, what: str, found: object, wanted: object) -> None:
    if found != wanted:
        raise ConfigError(f"{path.name}: {what} must be {wanted}, not {found} (ON-COMP-09)")


FEWEST = 20
"""The smallest number of Labyrinth cards with which everybody is dealt a hand."""
_BOX = read()
FACTS = settle(facts(_BOX), VALUES)
COUNTS, CARD_MM = counts_of(_BOX), (float(_BOX["card_mm"][0]), float(_BOX["card_mm"][1]))
"""How many cards of each kind the game has, and how large a card is."""
