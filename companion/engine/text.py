"""Words for people, in English and Russian.

A table maps a key to its text in every language. A text has blanks: `{card}` is filled with the word for it,
`{n#card|cards}` picks the form that fits the number n.

Key families: `refusal.CODE`, `why.CODE`, `event.KIND`, `verb.VERB`, `phase.NAME`, `outcome.CODE`,
`option.NAME`, `choice.VALUE`, `word.WORD`, `seat.NAME`, `place.NAME` (what a place is called), `board.NAME`
(what is printed on it, if that differs), `game.title`, `game.about`.

>>> texts = Texts({"event.drew": ("{n} {n#card|cards} left", "осталось {n} {n#карта|карты|карт}")})
>>> texts.say("event.drew", "ru", {"n": 22})
'осталось 22 карты'
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

LANGUAGES = ("en", "ru")
_BLANK = re.compile(r"\{(\w+)(?:#([^}]*))?\}")

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
    ) -> str:
        """Says the text of `key`; blanks called seat or cell are filled with the names given for them."""
        fill = blanks or {}
        text = self.table[key][LANGUAGES.index(language)]

        def blank(found: re.Match[str]) -> str:
            name, forms = found.groups()
            value = fill[name]
            if forms is not None:
                return str(forms.split("|")[plural(language, int(value))])
            return self._word(name, value, language, seats, cells)

        return _BLANK.sub(blank, text)

    def _word(self, name: str, value: Any, language: str, seats: Sequence[str], cells: Sequence[str]) -> str:
        if isinstance(value, (list, tuple)):
            return ", ".join(self._word(name, one, language, seats, cells) for one in value) or "—"
        if isinstance(value, str):
            key = f"word.{value}"
            return self.say(key, language) if key in self.table else value
        names = (
            seats if name.rstrip("s").endswith("seat") else cells if name.rstrip("s").endswith("cell") else ()
        )
        if isinstance(value, int) and not isinstance(value, bool):
            if value == -1 and names is seats and names:
                return self.say("seat.table", language)
            if 0 <= value < len(names):
                return names[value]
        return str(value)
