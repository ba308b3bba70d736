"""Words for people, in English and Russian.

A table maps a key to its text in every language. A text has blanks: `{card}` is filled with the word for it,
`{n#card|cards}` picks the form that fits the number n, `{cell@to}` the case of a name that has cases.

Key families: `refusal.CODE`, `why.CODE`, `event.KIND`, `verb.VERB`, `phase.NAME`, `outcome.CODE`,
`option.NAME`, `choice.VALUE`, `word.WORD`, `seat.NAME`, `place.NAME` (what a place is called), `board.NAME`
(what is printed on it, if that differs), `game.title`, `game.about`.

>>> texts = Texts({"event.drew": ("{n} {n#card|cards} left", "осталось {n} {n#карта|карты|карт}")})
>>> texts.say("event.drew", "ru", {"n": 22})
'осталось 22 карты'
>>> texts = Texts({"verb.go": ("Go to {place}", "Идти {place@to}"), "place.C4@to": ("", "в кладовую")})
>>> texts.say("verb.go", "ru", {"place": "C4"})
'Идти в кладовую'
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

LANGUAGES = ("en", "ru")
_BLANK = re.compile(r"\{(\w+)(?:@(\w+))?(?:#([^}]*))?\}")


class CaseName(str):
    """A name with its cases: "Кладовая", which is "в кладовую" for `to`."""

    __slots__ = ("cases",)
    cases: Mapping[str, str]

    def __new__(cls, name: str, cases: Mapping[str, str]) -> CaseName:
        made = super().__new__(cls, name)
        made.cases = cases
        return made


COMMON: Mapping[str, tuple[str, str]] = {
    "refusal.game-over": ("The game is over.", "Игра окончена."),
    "refusal.not-now": ("That cannot be done at this moment.", "Сейчас этого сделать нельзя."),
    "refusal.not-your-turn": ("It is somebody else's turn.", "Сейчас ход другого."),
    "refusal.not-drawn": (
        "No such piece can be left: look again.",
        "Такого компонента остаться не могло: посмотрите ещё раз.",
    ),
    "seat.table": ("the table", "стол"),
    "choice.yes": ("yes", "да"),
    "choice.no": ("no", "нет"),
    "choice.digital": ("on the screen", "на экране"),
    "choice.physical": ("cardboard", "картонная"),
    "option.players": ("Players", "Игроков"),
    "option.deck": ("Deck", "Колода"),
}
"""Texts that every game shares."""


def plural(language: str, n: int) -> int:
    """The index of the form for n: one/many in English, one/few/many in Russian."""
    n = abs(n)
    if language == "ru":
        if n % 10 == 1 and n % 100 != 11:
            return 0
        return 1 if 2 <= n % 10 <= 4 and not 12 <= n % 100 <= 14 else 2
    return 0 if n == 1 else 1


class Texts:
    """The texts of one game on top of the common ones."""

    __slots__ = ("table",)

    def __init__(self, *tables: Mapping[str, tuple[str, str]]) -> None:
        self.table: dict[str, tuple[str, str]] = dict(COMMON)
        for table in tables:
            self.table.update(table)

    def __contains__(self, key: str) -> bool:
        return key in self.table

    def say(
        self,
        key: str,
        language: str,
        blanks: Mapping[str, Any] | None = None,
        *,
        seats: Sequence[str] = (),
        cells: Sequence[str] = (),
        figures: Mapping[str, str] | None = None,
    ) -> str:
        """Says the text of `key`; blanks called seat or cell are filled with the names given for them.

        `figures` are words that stand for somebody at the table, with that person's name.
        """
        fill, persons = blanks or {}, figures or {}
        text = self.table[key][LANGUAGES.index(language)]

        def blank(found: re.Match[str]) -> str:
            name, case, forms = found.groups()
            value = fill[name]
            if forms is not None:
                return str(forms.split("|")[plural(language, int(value))])
            if isinstance(value, str) and value in persons:
                return persons[value]
            if isinstance(value, (list, tuple)):
                value = [CaseName(persons[one], {}) if one in persons else one for one in value]
            return self._word(name, value, language, seats, cells, case)

        return _BLANK.sub(blank, text)

    def _word(
        self,
        name: str,
        value: Any,
        language: str,
        seats: Sequence[str],
        cells: Sequence[str],
        case: str | None,
    ) -> str:
        if isinstance(value, (list, tuple)):
            return ", ".join(self._word(name, one, language, seats, cells, case) for one in value) or "—"
        if isinstance(value, CaseName):
            return value
        if isinstance(value, str):
            if f"place.{value}@{case}" in self.table:
                return self.say(f"place.{value}@{case}", language)
            key = f"word.{value}"
            return self.say(key, language) if key in self.table else value
        names = (
            seats if name.rstrip("s").endswith("seat") else cells if name.rstrip("s").endswith("cell") else ()
        )
        if isinstance(value, int) and not isinstance(value, bool):
            if value == -1 and names is seats and names:
                return self.say("seat.table", language)
            if 0 <= value < len(names):
                found = names[value]
                return found.cases.get(case, found) if case and isinstance(found, CaseName) else found
        return str(value)
