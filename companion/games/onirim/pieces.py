"""The cards of Onirim: 17 kinds, 76 cards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from companion.engine.errors import ConfigError

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

_TOTALS = {"red": 16, "blue": 15, "green": 14, "brown": 13}
_FILE = Path(__file__).with_name("cards.json")


def load_box(path: Path = _FILE) -> tuple[tuple[int, ...], tuple[float, float]]:
    """Reads how many cards of each kind are in the box (ON-COMP-01 to ON-COMP-09), and their size.

    Raises `ConfigError` for anything but the 76 cards of the base game.
    """
    try:
        box: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise ConfigError(f"{path.name}: {error}") from error
    _demand(path, "the file", sorted(box), ["about", "card_mm", "doors", "labyrinth", "nightmares"])
    _demand(path, "doors", box["doors"], dict.fromkeys(COLOURS, 2))
    _demand(path, "nightmares", box["nightmares"], 10)
    _demand(path, "labyrinth", sorted(box["labyrinth"]), sorted(COLOURS))
    counts: list[int] = []
    for colour in COLOURS:
        split = box["labyrinth"][colour]
        _demand(path, f"labyrinth.{colour}", sorted(split), sorted(SYMBOLS))
        numbers = [split[symbol] for symbol in SYMBOLS]
        if not all(isinstance(n, int) and n >= 0 for n in numbers):
            raise ConfigError(f"{path.name}: labyrinth.{colour} must hold whole numbers, not {numbers}")
        _demand(path, f"the sum of labyrinth.{colour}", sum(numbers), _TOTALS[colour])
        counts += numbers
    width, height = box["card_mm"]
    return (*counts, 2, 2, 2, 2, 10), (float(width), float(height))


def _demand(path: Path, what: str, found: object, wanted: object) -> None:
    if found != wanted:
        raise ConfigError(f"{path.name}: {what} must be {wanted}, not {found} (ON-COMP-09)")


COUNTS, CARD_MM = load_box()
"""How many cards of each kind the game has, and how large a card is."""
