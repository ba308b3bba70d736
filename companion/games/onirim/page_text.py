"""Words of the drawing of Onirim on the pages, in both languages."""

from __future__ import annotations

PAGE_TEXTS: dict[str, tuple[str, str]] = {
    "onirim.close.doors": ("Doors found: {n} of 8.", "Дверей найдено: {n} из 8."),
    "onirim.close.own": ("{n} {n#Door|Doors}", "{n} {n#Дверь|Двери|Дверей}"),
    "onirim.close.deck": (
        "{n} {n#card was|cards were} left.",
        "{n#Оставалась|Оставалось|Оставалось} {n} {n#карта|карты|карт}.",
    ),
    "onirim.deck": ("Deck", "Колода"),
    "onirim.limbo": ("Limbo", "Неизвестность"),
    "onirim.discard": ("Discard", "Сброс"),
    "onirim.reveal": ("Shown", "Открыто"),
    "onirim.strip": ("Drawn", "Взято"),
    "onirim.hand": ("Hand", "Рука"),
    "onirim.shared": ("Shared cards", "Общие карты"),
    "onirim.prophecy": ("The Prophecy shows", "Пророчество показывает"),
    "onirim.doors": ("Doors", "Двери"),
    "onirim.next-door": ("Next: a Door", "Следующая: Дверь"),
    "onirim.next-nightmare": ("Next: a Nightmare", "Следующая: Кошмар"),
    "onirim.odds": ("Chance for the next card", "Вероятность для следующей карты"),
    "onirim.left": ("Cards not seen yet", "Ещё не увиденные карты"),
}
