"""Whisper's cards, boards and tokens that no camera reads, with the words of the data files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.art import (
    CARD_MM,
    Drawing,
    Print,
    Shape,
    box,
    card,
    card_back,
    eye,
    flame,
    key,
    line,
    placed,
    polygon,
    ring,
    skull,
    star,
    token,
)
from companion.games.whisper.art import SURVIVOR_COLOURS, draw
from companion.games.whisper.data import read
from companion.games.whisper.text import TEXTS
from companion.text import LANGUAGES

_DECKS: dict[str, tuple[tuple[str, str], str]] = {
    "equipment": (("Equipment", "Экипировка"), "#3c5a3a"),
    "search": (("Search", "Поиск"), "#22201c"),
    "start": (("Starting item", "Стартовый предмет"), "#5a4a1e"),
    "butcher": (("Butcher", "Мясник"), "#5a1414"),
    "specter": (("Specter", "Призрак"), "#1d4a4f"),
    "maniac": (("Maniac", "Маньяк"), "#3d3d14"),
    "survivor": (("Survivor's skill", "Навык жертвы"), "#2f4f7a"),
    "killer": (("Killer's skill", "Навык убийцы"), "#4b1f3a"),
    "plan": (("Plan", "План"), "#4b3f66"),
}
"""What is on the backs: the deck's name and its colour."""
_SIGNS: dict[str, list[Shape]] = {
    "equipment": [ring(0.6, 0.18, "#1b1612"), line(0.45, 0.45, 0.95, 0.95, 0.24, "#1b1612")],
    "search": placed(key("#8a6a1e"), y=-0.4, scale=0.8),
    "start": [star(5, "#d9a81d")],
    "survivor": placed(flame("#e0762c", "#ffe08a"), scale=0.9),
    "killer": placed(skull("#4b1f3a", "#f4ead6"), scale=0.9),
    "plan": [polygon(6, "#8f7fc0")],
}
_LEVEL = ("Level {n}: {words}", "Уровень {n}: {words}")
_STRENGTH = ("Strength {n}", "Сила {n}")
_COST = ("Discard first: {n}", "Сначала сбросьте: {n}")
_NOISE = ("Noise when drawn", "Шум при взятии")
_BOARD, _PLAN = (80.0, 110.0), (58.0, 80.0)


def prints(language: str) -> list[Print]:
    """The pieces to print that no camera reads."""
    i, raw = LANGUAGES.index(language), read()
    return [*_cards(raw, i), *_boards(raw, i), *_tokens(raw)]


def _cards(raw: dict[str, Any], i: int) -> Iterator[Print]:
    for item in raw["items"]["items"]:
        words = [item[_key("text", i)], *([_NOISE[i]] if item["noise_icon"] else [])]
        for deck, n in item["count"].items():
            if n:
                yield _card(deck, item[LANGUAGES[i]], words, n, i)
    for one in raw["killer_cards"]["cards"]:
        words = [one[_key("text", i)], *([_COST[i].format(n=one["cost"])] if one["cost"] else [])]
        yield _card(one["killer"], one[LANGUAGES[i]], words, one["count"], i)
    for one in raw["skills"]["skills"]:
        yield _card(one["side"], one[LANGUAGES[i]], [one[_key("text", i)]], 1, i)
    for one in raw["plans"]["plans"]:
        steps = [f"{n}. {TEXTS.say(f'word.{step}', LANGUAGES[i])}" for n, step in enumerate(one["steps"], 1)]
        yield _card("plan", one[LANGUAGES[i]], [*steps, one[_key("text", i)]], 1, i, _PLAN)


def _card(
    deck: str, title: str, words: list[str], n: int, i: int, size: tuple[float, float] = CARD_MM
) -> Print:
    names, colour = _DECKS[deck]
    sign = _SIGNS.get(deck) or placed(skull(colour, "#f4ead6"), scale=0.9)
    front = card(title, words, colour, sign if deck != "plan" else (), size)
    return Print(front, card_back(names[i], colour, sign, size), n)


def _boards(raw: dict[str, Any], i: int) -> Iterator[Print]:
    """A board for each survivor and each killer."""
    for one in raw["survivors"]["survivors"]:
        words = [f"{power[LANGUAGES[i]]}. {power[_key('text', i)]}" for power in one["advantages"]]
        colour = SURVIVOR_COLOURS[one["id"]]
        yield Print(card(one[LANGUAGES[i]], words, colour, placed(flame(colour, "#f4ead6")), _BOARD))
        yield Print(_state(colour, True), _state(colour, False))
    for one in raw["killers"]["killers"]:
        words = [
            _STRENGTH[i].format(n=one["start_strength"]),
            *(_LEVEL[i].format(n=level["level"], words=level[_key("text", i)]) for level in one["levels"]),
        ]
        colour = _DECKS[one["id"]][1]
        yield Print(card(one[LANGUAGES[i]], words, colour, skull(colour, "#f4ead6"), _BOARD))


def _state(colour: str, is_well: bool) -> Drawing:
    """A survivor's state: well on the front, wounded on the back."""
    shapes: list[Shape] = [box(25, 25, colour), box(21, 21, "#f4ead6" if is_well else "#5a1414")]
    wound = [line(-6, -6, 6, 6, 2, "#e8c0b0"), line(-6, 6, 6, -6, 2, "#e8c0b0")]
    return Drawing(25, 25, (*shapes, *(placed(flame(colour, "#f4ead6"), scale=8) if is_well else wound)))


def _tokens(raw: dict[str, Any]) -> Iterator[Print]:
    yield Print(token("#7b6fa0", placed(eye("#f4ead6", "#4b1f3a"), scale=1.1)), n=6)  # fear
    yield from (Print(token("#e8ddc4", label=str(n))) for n in range(1, 12))  # the killer's deductions
    yield Print(token("#2e8b45", [star(4, "#f4ead6", 0.4)]))  # rescue
    for colour in ("#c0342f", "#d9a81d", "#8f979e"):  # level, strength, repair
        yield Print(token(colour, [polygon(4, "#1b1612", 0.7)]))
    yield Print(token("#2f62ad", [star(5, "#f4ead6")], size=30))  # the first player's
    yield Print(_die(raw["dice"]["faces"]), n=raw["dice"]["count"])


def _die(faces: list[int]) -> Drawing:
    """The net of a die: cut out along the cross, fold, glue around a cube of 16 mm."""
    places = ((0, -1), (-1, 0), (0, 0), (1, 0), (2, 0), (0, 1))
    shapes: list[Shape] = []
    for (x, y), face in zip(places, faces, strict=True):
        shapes += placed(draw(f"die_{face}").shapes, 16 * x - 8, 16 * y)
    return Drawing(64, 48, tuple(shapes))


def _key(name: str, i: int) -> str:
    return f"{name}_{LANGUAGES[i]}"
