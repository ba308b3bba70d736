"""Whisper's cards, boards and tokens that no camera reads, with the words of the data files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.engine.drawing import (
    CARD_MM,
    Drawing,
    Print,
    Shape,
    Word,
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
    scaled,
    skull,
    spots,
    star,
    token,
)
from companion.engine.facts import Values
from companion.engine.text import LANGUAGES
from companion.games.whisper.art import SURVIVOR_COLOURS, draw
from companion.games.whisper.data import read
from companion.games.whisper.readings import Json
from companion.games.whisper.text import TEXTS

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
    "dossier": (("Dossier", "Досье"), "#4a3b2a"),
}
"""What is on the backs: the deck's name and its colour."""
_SIGNS: dict[str, list[Shape]] = {
    "equipment": [ring(0.6, 0.18, "#1b1612"), line(0.45, 0.45, 0.95, 0.95, 0.24, "#1b1612")],
    "search": placed(key("#8a6a1e"), y=-0.4, scale=0.8),
    "start": [star(5, "#d9a81d")],
    "survivor": placed(flame("#e0762c", "#ffe08a"), scale=0.9),
    "killer": placed(skull("#4b1f3a", "#f4ead6"), scale=0.9),
    "plan": [polygon(6, "#8f7fc0")],
    "dossier": eye("#c9b48c", "#4a3b2a"),
}
_LEVEL = ("Level {n}: {words}", "Уровень {n}: {words}")
_STRENGTH = ("Strength {n}", "Сила {n}")
_COST = ("Discard first: {n}", "Сначала сбросьте: {n}")
_NOISE = ("Noise when drawn", "Шум при взятии")
_LEVELS, _STRENGTHS = ("Killer's level", "Уровень убийцы"), ("Killer's strength", "Сила убийцы")
_INVENTORY = ("Inventory", "Инвентарь")
_SIX = ("{name}: up to {n} items", "{name}: до {n} предметов")
_SLOTS = ("Items: up to {n}", "Предметов: до {n}")
_AIDS: tuple[tuple[tuple[str, str], str, tuple[tuple[str, ...], tuple[str, ...]]], ...] = (
    (
        ("Survivors' turn", "Ход жертв"),
        "survivor",
        (
            (
                "A. Take the noise away. Move the rescue token, then see whether you have won.",
                "B. Exchange items in one place.",
                "C. Each survivor: one main action, extra actions before and after it.",
                "Main actions: move 1 or 2; remove your fear; a special action; remove a barricade; repair; "
                "search. No repair and no search in the killer's place.",
                "D. Equipment.  E. Report the noise.",
                "You win: all in K1 with five keys on the roof; all in Z5 with five keys and the plan; "
                "or the rescue comes.",
            ),
            (
                "А. Уберите шум. Передвиньте жетон спасения и проверьте победу.",
                "Б. Обмен предметами в одной локации.",
                "В. Каждая жертва: одно основное действие, до и после него дополнительные.",
                "Основные: перемещение на 1–2; убрать свой страх; особое действие; убрать баррикаду; ремонт; "
                "поиск. В локации убийцы нельзя ремонтировать и искать.",
                "Г. Экипировка.  Д. Сообщите о шуме.",
                "Победа: все в K1 и пять ключей на крыше; все в Z5, пять ключей и план здания; "
                "или пришло спасение.",
            ),
        ),
    ),
    (
        ("Killer's turn", "Ход убийцы"),
        "killer",
        (
            (
                "1. Reveal yourself if you are in stealth.",
                "2. Any number of instant cards.",
                "3. One boost card, or up to two basic actions: move 1, search.",
                "4. A planning card, if there was no encounter.",
                "5. Draw three cards; never more than five in hand.",
                "The deck runs out: one level up, the new level works at once, shuffle the discards.",
                "You win when a survivor is dead.",
            ),
            (
                "1. Раскройтесь, если вы скрыты.",
                "2. Любое число карт мгновенного действия.",
                "3. Карта усиления или до двух базовых действий: перемещение на 1, поиск.",
                "4. Карта долгосрочного планирования, если столкновения не было.",
                "5. Возьмите три карты; на руке не больше пяти.",
                "Колода кончилась: уровень +1, его эффект сразу, сброс перемешайте в колоду.",
                "Победа, если жертва убита.",
            ),
        ),
    ),
)
"""WW-TURN-02, -05, -12, WW-WIN-01 to -03, -07, WW-KILLER-01 to -07, WW-DRAW-01, -02, WW-LEVEL-03."""
_CROSSROADS = ("At the crossroads", "На распутье")
_ALONE = (
    "Everybody for themselves: keys lie under your own inventory board.",
    "Каждый за себя: ключи лежат под вашим планшетом инвентаря.",
)
_BOARD, _PLAN = (80.0, 110.0), (58.0, 80.0)


def prints(language: str) -> list[Print]:
    """The pieces to print that no camera reads."""
    i, raw = LANGUAGES.index(language), read()
    return [*_cards(raw, i), *_boards(raw, i), *_tables(raw, i), *_tokens(raw)]


def picture(subject: str, language: str, values: Values) -> Drawing | None:
    """The front of a card or board of the box, with what its owner has entered."""
    i, raw = LANGUAGES.index(language), read(values)
    file, _, name = subject.partition(".")
    if file not in ("killer_cards", "items", "skills", "plans", "killers", "survivors"):
        return None
    part = "cards" if file == "killer_cards" else file
    only: dict[str, Any] = {key: {key: [], "cards": []} for key in raw}
    only[file][part] = [one for one in raw[file][part] if one["id"] == name]
    return next((one.front for one in (*_cards(only, i), *_boards(only, i))), None)


def _cards(raw: dict[str, Any], i: int) -> Iterator[Print]:
    for item in raw["items"]["items"]:
        words = [item[_key("text", i)], *([_NOISE[i]] if item["noise_icon"] else [])]
        for deck, n in item["count"].items():
            if n:
                yield _card(deck, item, words, n, i)
    for one in raw["killer_cards"]["cards"]:
        words = [one[_key("text", i)], *([_COST[i].format(n=one["cost"])] if one["cost"] else [])]
        yield _card(one["killer"], one, words, one["count"], i)
    for one in raw["skills"]["skills"]:
        yield _card(one["side"], one, [one[_key("text", i)]], 1, i)
    for one in raw["plans"]["plans"]:
        steps = [f"{n}. {TEXTS.say(f'word.{step}', LANGUAGES[i])}" for n, step in enumerate(one["steps"], 1)]
        words = [*steps, one[_key("text", i)]]
        yield _card("plan", one, words, 1, i, _PLAN)


def _card(
    deck: str, entry: Json, words: list[str], n: int, i: int, size: tuple[float, float] = CARD_MM
) -> Print:
    names, colour = _DECKS[deck]
    sign = _SIGNS.get(deck) or placed(skull(colour, "#f4ead6"), scale=0.9)
    front = card(entry[LANGUAGES[i]], words, colour, sign if deck != "plan" else (), size)
    return Print(front, card_back(names[i], colour, sign, size), n, entry["id"])


def _boards(raw: dict[str, Any], i: int) -> Iterator[Print]:
    """A board for each survivor and each killer."""
    for one in raw["survivors"]["survivors"]:
        words = [f"{power[LANGUAGES[i]]}. {power[_key('text', i)]}" for power in one["advantages"]]
        colour = SURVIVOR_COLOURS[one["id"]]
        front = card(one[LANGUAGES[i]], words, colour, placed(flame(colour, "#f4ead6")), _BOARD)
        yield Print(front, word=one["id"])
        yield Print(_state(colour, True), _state(colour, False))
    for one in raw["killers"]["killers"]:
        words = [
            _STRENGTH[i].format(n=one["start_strength"]),
            *(_LEVEL[i].format(n=level["level"], words=level[_key("text", i)]) for level in one["levels"]),
        ]
        colour = _DECKS[one["id"]][1]
        front = card(one[LANGUAGES[i]], words, colour, skull(colour, "#f4ead6"), _BOARD)
        yield Print(front, word=one["id"])


def _tables(raw: dict[str, Any], i: int) -> Iterator[Print]:
    """What else lies before the players: level and strength, inventories, dossiers, aids, the crossroads."""
    yield Print(_levels(i))
    survivors = raw["survivors"]["survivors"]
    yield Print(_inventory(survivors, i), n=3)
    for one in survivors:
        words = [f"{power[LANGUAGES[i]]}. {power[_key('text', i)]}" for power in one["advantages"]]
        words.append(_SLOTS[i].format(n=one["inventory_limit"]))
        yield _card("dossier", one, words, 1, i, _PLAN)
    for title, side, steps in _AIDS:
        yield Print(scaled(card(title[i], steps[i], _DECKS[side][1], size=(64.0, 88.0)), 1.25))
    yield Print(card(_CROSSROADS[i], [_ALONE[i]], _DECKS["plan"][1], placed(key("#8a6a1e"), y=-0.4), _PLAN))


def _levels(i: int) -> Drawing:
    """WW-LEVEL-01, -02: the killer's level and strength, open to all."""
    shapes: list[Shape] = [box(154, 104, "#4b1f3a"), box(146, 96, "#f4ead6")]
    shapes.append(Word(_LEVELS[i], 0, -42, 2.6, "#4b1f3a"))
    shapes += spots([str(n) for n in range(1, 6)], -46, -26, "#8c2f24")
    shapes.append(Word(_STRENGTHS[i], 0, -8, 2.6, "#4b1f3a"))
    shapes += spots([str(n) for n in range(6)], -57.5, 8, "#8a6a1e")
    shapes += spots([str(n) for n in range(6, 11)], -57.5, 32, "#8a6a1e")
    return Drawing(154, 104, tuple(shapes))


def _inventory(survivors: list[dict[str, Any]], i: int) -> Drawing:
    """WW-ITEM-03: three places for items."""
    width, height = 3 * CARD_MM[0] + 14, CARD_MM[1] + 18
    shapes: list[Shape] = [box(width, height, "#3c5a3a")]
    shapes.append(Word(_INVENTORY[i], 0, 5 - height / 2, 2.6, "#f4ead6"))
    for x in (-1, 0, 1):
        shapes += placed([box(CARD_MM[0] + 1, CARD_MM[1] + 1, "#f4ead6")], x * (CARD_MM[0] + 3))
        shapes += placed(_SIGNS["equipment"], x * (CARD_MM[0] + 3), scale=9)
    more = [
        _SIX[i].format(name=one[LANGUAGES[i]], n=one["inventory_limit"])
        for one in survivors
        if one["inventory_limit"] > 3
    ]
    shapes.append(Word("; ".join(more), 0, height / 2 - 4.5, 1.8, "#f4ead6"))
    return Drawing(width, height, tuple(shapes))


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
