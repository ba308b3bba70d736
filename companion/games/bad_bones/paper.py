"""What lies beside the boards of Bad Bones: weapons, coins, cemeteries, the boards of phases and rounds."""

from __future__ import annotations

from companion.engine.drawing import (
    Area,
    Disc,
    Drawing,
    Print,
    Shape,
    Word,
    box,
    card,
    card_back,
    grain,
    line,
    lines_of,
    placed,
    spots,
    star,
    token,
)
from companion.engine.text import LANGUAGES
from companion.games.bad_bones.art import draw
from companion.games.bad_bones.text import TEXTS

_WEAPONS: dict[str, tuple[str, str]] = {
    "crossbow": (
        "Destroy one skeleton on any cell of your field.",
        "Уничтожьте одного скелета на любой клетке своего поля.",
    ),
    "ice_wand": (
        "Choose a cell: its skeletons are turned over and do not move for one round.",
        "Выберите клетку: скелеты на ней переворачиваются и раунд не двигаются.",
    ),
    "death_wand": (
        "The skeletons that made the weapon work go to another player's cemetery.",
        "Скелеты, позволившие применить оружие, уходят на кладбище соперника.",
    ),
    "teleport_wand": ("The hero goes to the tower at once.", "Герой сразу переносится в башню."),
    "two_handed_sword": ("The hero makes one more move.", "Герой делает ещё один ход."),
    "battle_axe": (
        "Choose a symbol: skeletons with it on the four cells beside the hero are destroyed.",
        "Выберите символ: скелеты с ним на четырёх соседних с героем клетках уничтожены.",
    ),
    "flail": (
        "Move all skeletons of one cell around the hero to an empty cell around him.",
        "Переместите всех скелетов с одной клетки вокруг героя на пустую клетку вокруг него.",
    ),
    "rapier": (
        "Turn each skeleton on one cell around the hero as you like.",
        "Поверните каждого скелета на одной клетке вокруг героя как угодно.",
    ),
}
_WHEN = (
    "When your hero destroys three skeletons at once. At most once a phase.",
    "Когда герой разом уничтожил трёх скелетов. Не чаще раза за фазу.",
)
_FLIP = (
    "First turn the marker over. At the end all skeletons show its colour.",
    "Сначала переверните маркер. В конце все скелеты лежат этой стороной вверх.",
)
_NEXT_ROUND = ("V. Move the round marker", "V. Передвиньте маркер раундов")
_ROUNDS = ("Rounds", "Раунды")
_PHASES = (150.0, 146.0)
_STEPS = (
    ("hero", ("", ""), "hero"),
    ("trap", ("", ""), "catapult"),
    ("march", _FLIP, "GL-black"),
    ("draw", ("", ""), "RT-white"),
)
"""The phases, what to mind, and a piece to know them by."""
_DECK = ("Weapons", "Оружие")
_SWORD: list[Shape] = [line(0, -0.9, 0, 0.7, 0.22, "#8f979e"), line(-0.45, 0.35, 0.45, 0.35, 0.2, "#b58a3c")]


def prints(language: str) -> list[Print]:
    """The pieces to print that no camera reads."""
    i = LANGUAGES.index(language)
    back = card_back(_DECK[i], "#5f3f20", _SWORD)
    return [
        *(
            Print(
                card(TEXTS.say(f"word.{name}", language), (words[i], _WHEN[i]), "#5f3f20", _SWORD),
                back,
                word=name,
            )
            for name, words in _WEAPONS.items()
        ),
        Print(token("#d9a81d", label="2"), token("#d9a81d", label="2"), 54),
        Print(token("#b8bcc2", label="1"), token("#b8bcc2", label="1"), 23),
        Print(_cemetery(), n=6),
        Print(_phases(language, False), _phases(language, True)),
        Print(_rounds(i)),
        Print(token("#f1ede2", [star(5, "#26221d")]), token("#2b2a2e", [star(5, "#e9e4d6")])),
        Print(token("#c0342f", [star(5, "#f1ede2")])),
    ]


def _phases(language: str, has_rounds: bool) -> Drawing:
    """BB-SETUP-03, BB-ROUND-04: where the marker stands; alone and together the side with the green frame."""
    i = LANGUAGES.index(language)
    width, height = _PHASES
    rows = [(TEXTS.say(f"phase.{phase}", language), more, face) for phase, more, face in _STEPS]
    if has_rounds:
        rows.append((_NEXT_ROUND[i], ("", ""), ""))
    shapes: list[Shape] = [box(width, height, "#3f7a3a" if has_rounds else "#26221d")]
    shapes.append(box(width - 8, height - 8, "#e9e4d6"))
    for j, (title, more, face) in enumerate(rows):
        y = (j - (len(rows) - 1) / 2) * (height - 12) / len(rows)
        shapes += spots(("",), 20 - width / 2, y, "#26221d")
        words = [(title, 2.4), *((row, 1.8) for row in lines_of(more[i], 1.8, width - 70))]
        for k, (word, size) in enumerate(words):
            at = y + 5 * (k - (len(words) - 1) / 2)
            shapes.append(Word(word, 35 - width / 2, at, size, "#26221d", "start"))
        if face:
            shapes += placed(draw(face).shapes, width / 2 - 20, y, 24 / draw(face).width)
    return Drawing(width, height, tuple(shapes))


def _rounds(i: int) -> Drawing:
    """BB-SOLO-07, BB-COOP-23: ten rounds."""
    shapes: list[Shape] = [box(130, 66, "#3f7a3a"), box(122, 58, "#e9e4d6")]
    shapes.append(Word(_ROUNDS[i], 0, -23, 2.6, "#26221d"))
    for row in range(2):
        shapes += spots([str(5 * row + n) for n in range(1, 6)], -46, -7 + 23 * row, "#26221d")
    return Drawing(130, 66, tuple(shapes))


def _cemetery() -> Drawing:
    """Where skeletons wait that a neighbour has sent."""
    shapes: list[Shape] = [
        box(60, 60, "#3c4a34"),
        *grain("cemetery", 60, 60, ("#33402c", "#46553c"), 90, 1.6),
    ]
    for x, y in ((-15, -10), (13, -14), (0, 12)):
        stone: list[Shape] = [
            Disc(0, -4, 5, "#8f979e"),
            Area(((-5, -4), (5, -4), (5, 8), (-5, 8)), "#8f979e"),
        ]
        cross: list[Shape] = [line(0, -5, 0, 2, 1, "#3c4a34"), line(-2.4, -3, 2.4, -3, 1, "#3c4a34")]
        shapes += placed([*stone, *cross], x, y)
    return Drawing(60, 60, tuple(shapes))
