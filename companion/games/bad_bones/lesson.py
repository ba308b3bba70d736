"""The first siege: one defender, six rounds."""

from __future__ import annotations

from companion.engine.lesson import Lesson, LessonStep, asked, happened

LESSON = Lesson(
    options={"players": 1, "rounds": 6},
    seed=3,
    learners=("p1",),
    minutes=15,
    steps=(
        LessonStep(
            "BB-SOLO-01",
            (
                "Skeletons march on your village. Your tower has one floor and your village one house: "
                "lose either and all is over. Hold out for six rounds.",
                "На вашу деревню идут скелеты. У башни один этаж, в деревне один дом: потеряете любой из "
                "них — всё кончено. Продержитесь шесть раундов.",
            ),
            asked("post", "step", "buy", "pass"),
        ),
        LessonStep(
            "BB-HERO-01",
            (
                "First your hero moves one space, in any direction: he may not stand still. Every "
                "skeleton on the space that he steps on is gone. Look for one that is about to reach a "
                "house.",
                "Сначала герой обязательно делает шаг на одну клетку в любую сторону. Все скелеты там, "
                "куда он ступает, исчезают. Ищите того, кто вот-вот дойдёт до дома.",
            ),
            asked("step"),
        ),
        LessonStep(
            "BB-TRAP-01",
            (
                "Then do one thing of three: lay a trap on a free space in a skeleton's way, lift one "
                "that lies there, or do nothing. Skeletons never look around: they walk into it.",
                "Затем одно из трёх: положить ловушку на свободную клетку на пути скелета, убрать лежащую "
                "или не делать ничего. Скелеты не смотрят по сторонам: они идут прямо в неё.",
            ),
            asked("lay"),
        ),
        LessonStep(
            "BB-MOVE-02",
            (
                "After that every skeleton goes one space the way its tip points. The board shows "
                "beforehand where each will be: look there before you lay anything.",
                "После этого каждый скелет проходит одну клетку туда, куда указывает его острый "
                "конец. Поле заранее показывает, где кто окажется: взгляните, прежде чем класть.",
            ),
            asked("lay"),
        ),
        LessonStep(
            "BB-ARROW-01",
            (
                "An arrow on a space turns a skeleton that comes along its tail; any other keeps its way. "
                "Whoever reads the arrows knows today where it strikes tomorrow.",
                "Стрелка поворачивает скелета, который пришёл с её начала; другие идут как шли. Кто "
                "читает стрелки, тот уже сегодня знает, куда скелет ударит завтра.",
            ),
            happened("walked", "marched"),
        ),
        LessonStep(
            "BB-HERO-06",
            (
                "Your hero has slain one. It goes back into the bag, so it may come again.",
                "Герой сразил скелета. Тот вернулся в мешок и может прийти снова.",
            ),
            happened("slain"),
        ),
        LessonStep(
            "BB-NEW-01",
            (
                "At the end of each round three new skeletons come out of the bag. Now you know it all: "
                "move, trap, march, draw. From here on it is a real game.",
                "В конце раунда из мешка приходят три новых скелета. Теперь вы знаете всё: герой, "
                "ловушка, марш, новые скелеты. Дальше это настоящая партия.",
            ),
            happened("entered", "drew"),
        ),
    ),
)
