"""The first descent: two dwarves, one of them a bot; who is who is known with two."""

from __future__ import annotations

from companion.engine.lesson import Lesson, LessonStep, asked, happened

LESSON = Lesson(
    options={"players": 2},
    seed=1,
    learners=("p1",),
    minutes=15,
    steps=(
        LessonStep(
            "DC-SCORE-07",
            (
                "Two clans dig for gold. Bring nuggets out through the exit: the clan whose gold is worth "
                "more in the end wins. The other dwarf is a bot, and your rival.",
                "Два клана ищут золото. Вынесите самородки через выход: побеждает клан, чьё золото в "
                "конце дороже. Второй гном — бот, ваш соперник.",
            ),
            asked("lay", "pass"),
        ),
        LessonStep(
            "DC-TURN-02",
            (
                "First you lay a tunnel, or play an action, or discard one or two cards that you do not "
                "need. Take up a card: its places glow.",
                "Сначала вы кладёте тоннель, или разыгрываете действие, или сбрасываете одну-две ненужные "
                "карточки. Возьмите карточку: её места засветятся.",
            ),
            asked("lay", "pass"),
        ),
        LessonStep(
            "DC-PLACE-02",
            (
                "A tunnel touches what lies already, and its edges must fit: open to open, wall to wall. "
                "Tap the ghost to turn it by half.",
                "Тоннель прикладывают к лежащему так, чтобы края сошлись: проход к проходу, стена к "
                "стене. Коснитесь призрака, чтобы перевернуть его.",
            ),
            asked("lay"),
        ),
        LessonStep(
            "DC-MOVE-01",
            (
                "Then your dwarf walks up to three steps, or stays. Each part of a tunnel is one step, so "
                "long straight tunnels are quick.",
                "Затем гном проходит до трёх шагов или стоит. Каждый участок тоннеля — шаг, поэтому "
                "прямые тоннели быстрее.",
            ),
            asked("step", "stay"),
        ),
        LessonStep(
            "DC-GOAL-01",
            (
                "Four goals lie face down; one of them is the exit. Whoever steps onto one first turns it "
                "over. Dig towards the nearest.",
                "Четыре цели лежат лицом вниз, одна из них — выход. Кто первым ступит на цель, открывает "
                "её. Копайте к ближайшей.",
            ),
            happened("stepped"),
        ),
        LessonStep(
            "DC-GOLD-02",
            (
                "A vein holds a nugget. End your walk on it to take it; walking through gives nothing.",
                "В жиле лежит самородок. Закончите на ней движение, чтобы взять его; пройти мимо — не взять.",
            ),
            happened("vein-found", "gold-taken"),
        ),
        LessonStep(
            "DC-CRE-15",
            (
                "A creature is in the cave. Where it meets a dwarf it attacks, and that costs gold or "
                "cards. An axe drives it off.",
                "В пещере чудовище. Встретив гнома, оно нападает, и это стоит золота или карточек. Топор "
                "его прогоняет.",
            ),
            happened("called", "attacked"),
        ),
        LessonStep(
            "DC-DRAW-01",
            (
                "At the end of the turn you draw a card. The deck is the time that is left: whoever is "
                "still inside when it ends loses the gold. From here on it is a real game.",
                "В конце хода вы берёте карточку. Колода — оставшееся время: кто к концу не вышел, теряет "
                "золото. Дальше это настоящая партия.",
            ),
            happened("got"),
        ),
        LessonStep(
            "DC-EXIT-04",
            (
                "Who reaches the exit leaves, and keeps the nuggets. Leave too early and you find no "
                "more; too late and all is lost.",
                "Кто дошёл до выхода, уходит и сохраняет самородки. Уйти рано — больше не найти; уйти "
                "поздно — потерять всё.",
            ),
            happened("goal-shown", "left"),
        ),
    ),
)
