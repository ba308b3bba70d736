"""Words of the drawing of The Dark Cave on the pages, in both languages."""

from __future__ import annotations

PAGE_TEXTS: dict[str, tuple[str, str]] = {
    "cave.deck": ("Deck", "Колода"),
    "cave.level": ("Level", "Уровень"),
    "cave.supply": ("Nuggets left", "Самородков"),
    "cave.steps": ("Steps left", "Шагов"),
    "cave.off": ("Cards beyond the table area", "Карт за краем стола"),
    "cave.hand": ("Your hand", "Ваша рука"),
    "cave.clan": ("Your clan card: hold to view", "Ваша карта клана: удерживайте"),
    "cave.gold": ("{n} {n#nugget|nuggets}", "{n} {n#самородок|самородка|самородков}"),
    "cave.cards": ("{n} {n#card|cards}", "{n} {n#карта|карты|карт}"),
    "cave.lying": ("paralysed", "парализован"),
    "cave.out": ("out of the cave", "вышел"),
    "cave.close": (
        "Most gold: {name}, {n} {n#nugget|nuggets}; left in the supply: {left}.",
        "Больше всех золота: {name}, {n} {n#самородок|самородка|самородков}; в запасе: {left}.",
    ),
    "cave.set-aside": ("Set aside", "Отложены"),
}
