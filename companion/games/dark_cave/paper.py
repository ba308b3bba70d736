"""The Dark Cave's cards that are held in hands or lie before players: actions, clans, dwarves, reminders."""

from __future__ import annotations

from companion.engine.drawing import (
    Drawing,
    Print,
    Shape,
    arrow,
    card,
    card_back,
    eye,
    line,
    placed,
    polygon,
    star,
)
from companion.engine.facts import Values
from companion.engine.text import LANGUAGES
from companion.games.dark_cave.art import CLAN_COLOURS, draw
from companion.games.dark_cave.box import DEEDS
from companion.games.dark_cave.cards import CARDS
from companion.games.dark_cave.layout import CARD_MM
from companion.games.dark_cave.text import TEXTS

_DEEDS: dict[str, tuple[str, str]] = {
    "info": (
        "Look at one closed goal or at another player's clan card. Keep it to yourself.",
        "Посмотрите закрытую цель или карту клана другого игрока. Никому не говорите.",
    ),
    "rockfall": (
        "Remove a tunnel card without dwarf or creature. Not the entrance, not a goal.",
        "Уберите туннель без гнома и существа. Не вход и не цель.",
    ),
    "swap": (
        "Exchange your whole hand with another player; that player draws a card, you do not.",
        "Обменяйтесь всей рукой с другим игроком; карту добирает он, а не вы.",
    ),
    "web": (
        "Lay before you. Put the web of this symbol, side 2 up, on a border: nobody crosses it.",
        "Положите перед собой. Паутину с этим символом — на границу стороной 2: пройти нельзя.",
    ),
    "boots": (
        "Lay before any player: one more step in each of their turns.",
        "Положите перед любым игроком: +1 шаг в каждый его ход.",
    ),
    "axe": (
        "Lay before any player. Discard it to cut a web or to drive a creature off.",
        "Положите перед любым игроком. Сбросьте, чтобы рубить паутину или прогнать существо.",
    ),
    "creature": (
        "Lay before you: the creature comes into the cave and moves in your turns.",
        "Положите перед собой: существо входит в пещеру и ходит в ваши ходы.",
    ),
}
_WOOD, _STEEL = "#7a4a1e", "#8f979e"
_SIGNS: dict[str, list[Shape]] = {
    "info": eye("#ffffff", "#2f62ad"),
    "rockfall": [
        shape
        for x, y, size in ((-0.45, 0.35, 0.5), (0.4, 0.45, 0.42), (0, -0.4, 0.46))
        for shape in placed([polygon(6, "#5f554a")], x, y, size)
    ],
    "swap": [
        *placed(arrow(_WOOD), -0.4, scale=0.9),
        *placed(arrow(_STEEL), 0.4, scale=0.9, turn=180),
    ],
    "boots": [line(-0.2, -0.8, -0.2, 0.6, 0.5, _WOOD), line(-0.2, 0.6, 0.55, 0.6, 0.45, _WOOD)],
    "axe": [
        line(0, -0.8, 0, 0.95, 0.18, _WOOD),
        *placed([star(2, _STEEL, 0.9)], y=-0.45, scale=0.75, turn=90),
    ],
}
_TURN = (
    (
        "1. Lay a tunnel, play an action, or discard 1 or 2 cards face down.",
        "2. Move your dwarf up to 3 steps, with boots 4. A step is one segment.",
        "3. Draw 1 card, or as many as you discarded.",
        "No hand: no turn. All dwarves of one side out, or no cards left: the game ends.",
        "Value: the clan's gold × the dwarves who work for the other clan.",
    ),
    (
        "1. Выложите туннель, разыграйте действие или сбросьте 1–2 карточки закрытыми.",
        "2. Передвиньте гнома: до 3 шагов, в сапогах 4. Шаг — один участок.",
        "3. Возьмите 1 карточку или столько, сколько сбросили.",
        "Без карточек ход пропускается. Все гномы одной стороны вышли или карточек нет — конец.",
        "Ценность: золото клана × число гномов, работающих на другой.",
    ),
)
"""DC-TURN-01, DC-MOVE-01, -02, DC-DRAW-01, -02, DC-TURN-06, DC-END-01, -02, DC-SCORE-05."""
_CAVE = (
    (
        "Ladder: 1 step to any other ladder.",
        "Bridge: lose a card of your hand.",
        "Arched passage: lose a nugget.",
        "Gold vein: end there, take the nugget, show your clan.",
        "Dark hole: creatures come from here.",
        "Rat, 3 steps: takes a card.",
        "Lindworm, 4: the dwarf misses the next move.",
        "Goblin, 5: takes a nugget.",
    ),
    (
        "Лестница: 1 шаг до любой другой лестницы.",
        "Мост: потеряйте карточку с руки.",
        "Дугообразный проход: потеряйте самородок.",
        "Золотая жила: остановитесь, возьмите самородок, откройте клан.",
        "Тёмная дыра: отсюда выходят существа.",
        "Крыса, 3 шага: отнимает карточку.",
        "Змий, 4: гном пропускает передвижение.",
        "Гоблин, 5: отнимает самородок.",
    ),
)
"""DC-LAD-01, DC-BRI-03, DC-ARCH-02, DC-GOLD-02, -05, DC-CRE-02, DC-RAT-02, DC-LIN-02, DC-GOB-02."""
_REMINDERS = (("Your turn", "Ваш ход"), ("The cave", "Пещера"))
_CLAN_DECK = ("Clan", "Клан")
_DWARF_DECK = ("Dwarf", "Гном")
_ROLES = (("loyal", 3), ("saboteur", 2))


def prints(language: str) -> list[Print]:
    """The pieces to print that no camera reads."""
    i = LANGUAGES.index(language)
    found = []
    for kind, name in enumerate(CARDS.kinds):
        if CARDS.shape[kind] < 0:
            deed = CARDS.deed[kind]
            words = _DEEDS.get(deed, _DEEDS["creature"])[i]
            # The symbol of a web is in its picture.
            title = TEXTS.say(f"word.{name}", language).rstrip(" ▲●◆")
            front = card(title, (words,), "#6d5a36", _sign(name, deed), CARD_MM)
            back = draw(f"back-{CARDS.level[kind] + 1}")
            found.append(Print(front, back, CARDS.counts[kind], name.removeprefix("web-")))
    for clan, colour in CLAN_COLOURS.items():
        sign = placed([polygon(6, colour)])
        back = card_back(_CLAN_DECK[i], "#3a2f14", sign, CARD_MM)
        for role, n in _ROLES:
            title = TEXTS.say(f"word.{clan}-{role}", language)
            found.append(Print(card(title, (), "#3a2f14", sign, CARD_MM), back, n))
        for number in range(1, 5):
            title = TEXTS.say(f"word.{clan}-{number}", language)
            # The front shows the dwarf's face, the back the same dwarf from behind (DC-SETUP-15).
            back = card_back(f"{_DWARF_DECK[i]} {number}", "#28323a", sign, CARD_MM)
            found.append(Print(card(title, (), "#28323a", sign, CARD_MM), back))
    front, back = (
        card(title[i], words[i], "#3c4a34", size=CARD_MM)
        for title, words in zip(_REMINDERS, (_TURN, _CAVE), strict=True)
    )
    return [*found, Print(front, back, 5)]


def picture(subject: str, language: str, values: Values) -> Drawing | None:
    """An action card of the box; a tunnel card is drawn by the page, where its sides are tapped."""
    deck, _, name = subject.partition(".")
    deed = f"web-{name}" if deck == "webs" else name.rpartition("-")[0]
    if deck not in ("actions", "webs"):
        return None
    i, kind = LANGUAGES.index(language), "web" if deck == "webs" else deed
    words = _DEEDS.get(kind, _DEEDS["creature"])[i]
    return card(DEEDS[kind][i], (words,), "#6d5a36", _sign(deed, kind), CARD_MM)


def _sign(name: str, deed: str) -> list[Shape]:
    if deed in _SIGNS:
        return _SIGNS[deed]
    face = draw(f"{name}-2" if deed == "web" else deed)
    return placed(face.shapes, scale=2 / face.width)
