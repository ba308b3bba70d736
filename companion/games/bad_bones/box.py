"""What the owner of a box may check and correct: symbols, arrows, stars, prices, counts and names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.engine.facts import (
    BOOK,
    UNCHECKED,
    Fact,
    FactValue,
    Said,
    choice,
    name_of,
    number,
    yes_no,
)
from companion.games.bad_bones.pieces import DIRECTION_LETTERS, TYPES
from companion.games.bad_bones.words import COMMANDER_WORDS, ITEM_WORDS, SYMBOL_WORDS

Json = dict[str, Any]
FEWEST = 10
"""With fewer skeletons of each kind the bag could run empty in a long game."""
_SIDES: Mapping[str, Said] = {
    "standard": ("Board", "Поле"),
    "coop": ("Board, cooperative side", "Поле, кооперативная сторона"),
}
_EDGES: Mapping[str, Said] = {
    "left": ("Symbols at the left edge, from the far end", "Символы у левого края, от дальнего конца"),
    "top": ("Symbols at the far edge, from the left", "Символы у дальнего края, слева направо"),
    "right": ("Symbols at the right edge, from the far end", "Символы у правого края, от дальнего конца"),
    "bottom": ("Symbols at the near edge, from the left", "Символы у ближнего края, слева направо"),
}
_ARROWS: Mapping[str, Said] = {
    "U": ("up", "вверх"),
    "R": ("right", "вправо"),
    "D": ("down", "вниз"),
    "L": ("left", "влево"),
}
_TYPE_EDGE: Mapping[str, Said] = {
    "L": ("left edge", "левый край"),
    "T": ("top edge", "верхний край"),
    "R": ("right edge", "правый край"),
}
_COPIES = ("How many are in the box?", "Сколько их в коробке?")


def facts(document: Json) -> Iterator[Fact]:
    """The facts of the box, over the content of `printed.json`."""
    for side, about in _SIDES.items():
        yield from _edges(side, document["sides"][side]["edges"], about)
        for name in ("arrows", "ruin_arrows"):
            yield from _arrows(side, name, document["sides"][side][name], about)
    about = ("Skeletons", "Скелеты")
    yield _value("skeletons.each", document["copies_of_each_type"], about, _EACH, FEWEST, 20)
    yield from _commanders(document)
    for trap, entry in document["traps"].items():
        base, about = f"traps.{trap}", ITEM_WORDS[trap]
        yield _name(document, base, trap, about)
        yield _value(f"{base}.copies", entry["copies"], about, _COPIES, _in_market(document, trap), 20)
        for face, ask in _STARS.items():
            yield _value(f"{base}.{face}", entry["stars"][face], about, ask, 0, 9)
        yield _value(f"{base}.price", entry["price"], about, _PRICE, 0, 20)
    for weapon, entry in document["weapons"].items():
        yield _name(document, f"weapons.{weapon}", weapon, ITEM_WORDS[weapon])
        yield _value(f"weapons.{weapon}.price", entry["price"], ITEM_WORDS[weapon], _PRICE, 0, 20)


_EACH = ("How many of each kind?", "Сколько каждого вида?")
_STARS: Mapping[str, Said] = {
    "front": ("Stars on the front", "Звёзд на лицевой стороне"),
    "back": ("Stars on the back", "Звёзд на обороте"),
}
_PRICE = ("Price in the market", "Цена на рынке")


def _origin(entry: Json, key: str = "source") -> str:
    return BOOK if entry[key] == "rulebook" else UNCHECKED


def _value(name: str, entry: Json, about: Said, ask: Said, low: int, high: int) -> Fact:
    return number(name, entry, "value", about, ask, _origin(entry), low, high)


def _in_market(document: Json, trap: str) -> int:
    """No fewer copies than the market lays out."""
    row = document["market"]["tiles"].get(trap)
    return max(row["value"]) if row else 1


def _name(document: Json, base: str, piece: str, about: Said) -> Fact:
    def put(value: FactValue) -> None:
        document.setdefault("names", {})[piece] = value

    return name_of(f"{base}.name", about, put)


def _edges(side: str, edges: Json, about: Said) -> Iterator[Fact]:
    for edge, ask in _EDGES.items():
        symbols = edges[edge]["symbols"]
        if symbols["value"]:

            def put(value: FactValue, symbols: Json = symbols) -> None:
                symbols["value"] = str(value).split()

            name, order = f"{side}.{edge}", " ".join(symbols["value"])
            choices = tuple(SYMBOL_WORDS.items())
            yield Fact(name, "order", order, about, ask, _origin(symbols), put, choices=choices)


def _arrows(side: str, name: str, arrows: list[Json], about: Said) -> Iterator[Fact]:
    for arrow in arrows:
        cell, into = arrow["cell"], arrow["in"]
        base = f"{side}.{name}-{cell[0]}{cell[1]}{into}"
        where = (
            f"Column {cell[0]}, row {cell[1]}: who comes going {_ARROWS[into][0]}",
            f"Столбец {cell[0]}, ряд {cell[1]}: кто идёт {_ARROWS[into][1]}",
        )
        origin = UNCHECKED if UNCHECKED in (_origin(arrow), _origin(arrow, "in_source")) else BOOK
        ask = (f"{where[0]} is turned", f"{where[1]}, поворачивает")
        yield yes_no(f"{base}.turns", arrow, "enabled", about, ask, origin)
        ways = [
            (letter, _ARROWS[letter])
            for letter in DIRECTION_LETTERS
            if (DIRECTION_LETTERS.index(letter) + DIRECTION_LETTERS.index(into)) % 2
        ]

        def put(value: FactValue, arrow: Json = arrow) -> None:
            arrow["out"] = value

        ask = (f"{where[0]} turns", f"{where[1]}, поворачивает куда")
        yield choice(f"{base}.out", arrow["out"], about, ask, origin, ways, put)


def _commanders(document: Json) -> Iterator[Fact]:
    kinds = tuple(
        (name, tuple(f"{SYMBOL_WORDS[name[0]][i]}, {_TYPE_EDGE[name[1]][i]}" for i in (0, 1)))
        for name in TYPES
    )
    numbers: dict[str, int] = {}
    for entry in document["commanders"]:
        ability = entry["ability"]
        numbers[ability] = numbers.get(ability, 0) + 1
        said = COMMANDER_WORDS[ability]
        if numbers[ability] == 1:
            yield _name(document, f"commanders.{ability}", ability, said)
        n = numbers[ability]
        ask = (f"Symbol and edge of number {n}", f"Символ и край у номера {n}")

        def put(value: FactValue, entry: Json = entry) -> None:
            entry["type"] = value

        yield choice(
            f"commanders.{ability}.{n}",
            entry["type"],
            said,
            ask,
            _origin(entry),
            [(name, (words[0], words[1])) for name, words in kinds],
            put,
        )
