"""The first night: four prisoners, two keys more than usual."""

from __future__ import annotations

from companion.engine.lesson import Lesson, LessonMoment, LessonStep, asked, happened


def _gates(moment: LessonMoment) -> list[int]:
    return [cell for cell, word in enumerate(moment.view["tiles"]) if word.startswith("gate")]


def _keys(moment: LessonMoment) -> list[int]:
    return [cell for cell, word in enumerate(moment.view["tiles"]) if word.startswith("key")]


def _monsters(moment: LessonMoment) -> list[int]:
    return [one["cell"] for one in moment.view["sight"]]


LESSON = Lesson(
    options={"players": 1, "keys": 2},
    seed=12,
    learners=("p1",),
    minutes=15,
    steps=(
        LessonStep(
            "NC-GATE-03",
            (
                "Four prisoners wander in the dark. Each must find a key, then all must stand on one "
                "gate: that is the way out. You play together, against the dark alone.",
                "Четыре узника бродят в темноте. Каждому нужен ключ, потом все должны встать на одни "
                "врата: это выход. Вы играете вместе, против одной лишь тьмы.",
            ),
            asked("start"),
        ),
        LessonStep(
            "NC-SETUP-17",
            (
                "Choose a free cell for the starting tile and turn it: tap the same cell again. Stand "
                "near each other, but not in one line.",
                "Выберите свободную клетку для стартового фрагмента и поверните его: коснитесь той же "
                "клетки ещё раз. Держитесь рядом, но не на одной линии.",
            ),
            asked("start"),
        ),
        LessonStep(
            "NC-LIGHT-01",
            (
                "A candle lights its own tile and the neighbours through open sides only. For every lit "
                "empty cell a tile is drawn: lay it where it glows.",
                "Свеча освещает свой фрагмент и соседние клетки, но только через проходы. Для каждой "
                "освещённой пустой клетки берётся фрагмент: положите его туда, где светится.",
            ),
            asked("put"),
        ),
        LessonStep(
            "NC-TURN-02",
            (
                "In a turn a prisoner moves one tile or stays. Moving shows new tiles; but what nobody "
                "lights any more is gone for good.",
                "В свой ход узник переходит на соседний фрагмент или остаётся. Движение открывает новое, "
                "но то, что больше никто не освещает, пропадает навсегда.",
            ),
            asked("move", "stay"),
        ),
        LessonStep(
            "NC-STAY-03",
            (
                "Staying burns the top tile of the stack, which is your time, and gives a token of nerve: "
                "one more step later, or a hit that hurts less.",
                "Кто остаётся, сжигает верхний фрагмент запаса — это ваше время — и получает жетон "
                "решимости: лишний шаг потом или более слабый удар.",
            ),
            asked("stay"),
        ),
        LessonStep(
            "NC-PIT-02",
            (
                "A crumbling tile falls in behind you and becomes a pit. Whoever stays on it falls, and "
                "lands elsewhere in the row or column of the pit.",
                "Разрушающийся фрагмент обваливается за вами и становится ямой. Кто на нём остаётся, "
                "падает и приземляется в том же ряду или столбце.",
            ),
            happened("crumbled", "fell"),
        ),
        LessonStep(
            "NC-KEY-02",
            (
                "A key lies on the board. Whoever stands on it takes it, without spending anything. One "
                "key for each prisoner.",
                "На поле лежит ключ. Кто на него встал, берёт его даром. Каждому узнику — по одному.",
            ),
            lambda moment: bool(_keys(moment)),
            _keys,
        ),
        LessonStep(
            "NC-MON-02",
            (
                "A monster lies there. It sleeps until somebody moves where it can see: then it strikes "
                "along the whole line. Standing still does not wake it.",
                "Здесь монстр. Он ждёт, пока кто-нибудь не двинется у него на виду: тогда он бьёт по всей "
                "линии. Если стоять, он не нападёт.",
            ),
            lambda moment: bool(_monsters(moment)),
            _monsters,
        ),
        LessonStep(
            "NC-CANDLE-05",
            (
                "A hit puts the candle out and burns tiles. In the dark one must move; beside a prisoner "
                "with light the candle burns again.",
                "От удара гаснет свеча и сгорают фрагменты. В темноте нужно двигаться; рядом с узником, у "
                "которого свет есть, свеча загорается снова.",
            ),
            happened("hit"),
        ),
        LessonStep(
            "NC-GATE-01",
            (
                "A gate! Keep it in the light: all must meet here with their keys. Now you know enough; "
                "from here on it is a real game.",
                "Врата! Держите их в свете: здесь должны сойтись все с ключами. Теперь вы знаете "
                "достаточно: дальше это настоящая партия.",
            ),
            lambda moment: bool(_gates(moment)),
            _gates,
        ),
        LessonStep(
            "NC-FLICKER-03",
            (
                "The stack is empty: the last flickers begin. After each turn a tile is taken from the "
                "board. Go to the gate by the shortest way.",
                "Запас пуст: начинается последнее мерцание. После каждого хода с поля уходит фрагмент. "
                "Идите к вратам кратчайшим путём.",
            ),
            happened("flickers"),
        ),
    ),
)
