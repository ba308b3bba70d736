"""The first night in the house: the learners are the survivors, a bot is the killer."""

from __future__ import annotations

from companion.engine.lesson import Lesson, LessonStep, asked, happened

LESSON = Lesson(
    options={"players": 2, "killer": "butcher", "survivors": "sophia+marco+william"},
    seed=1,
    learners=("survivor1",),
    minutes=15,
    steps=(
        LessonStep(
            "WW-WIN-01",
            (
                "Three survivors are locked in with a killer. Find five keys and bring everybody into the "
                "hall; or call for help by the radio. A bot plays the killer.",
                "Трое выживших заперты в доме с убийцей. Найдите пять ключей и соберите всех в холле — "
                "или вызовите помощь по передатчику. За убийцу играет бот.",
            ),
            asked("wake", "move", "rummage"),
        ),
        LessonStep(
            "WW-TURN-06",
            (
                "You choose who acts next. Each survivor acts once in your turn, in any order.",
                "Вы сами выбираете, кто действует следующим. За ваш ход каждый выживший действует один "
                "раз, в любом порядке.",
            ),
            asked("wake"),
        ),
        LessonStep(
            "WW-TURN-04",
            (
                "One main action each: walk one or two rooms, search, repair the radio, calm down, and so "
                "on. It cannot be left out.",
                "У каждого одно главное действие: пройти одну-две комнаты, обыскать, починить передатчик, "
                "успокоиться и так далее. Пропустить его нельзя.",
            ),
            asked("move", "rummage", "calm"),
        ),
        LessonStep(
            "WW-FIND-01",
            (
                "Search where the magnifier is: gallery, larder, greenhouse. That is where the keys are.",
                "Обыскивать можно там, где лупа: в галерее, кладовой, оранжерее. Там и ключи.",
            ),
            asked("move", "rummage"),
        ),
        LessonStep(
            "WW-NOISE-08",
            (
                "Some cards make noise. At the end of your turn the killer is told where it was, but not "
                "who made it. Move on before he comes.",
                "Некоторые карты шумят. В конце хода убийце сообщают, где был шум, но не кто шумел. "
                "Уходите, пока он не пришёл.",
            ),
            happened("made-noise", "noise-reported"),
        ),
        LessonStep(
            "WW-EQUIP-05",
            (
                "At the end of the turn one survivor gets equipment: two cards are drawn, one may be "
                "kept. Weapons help in an encounter.",
                "В конце хода один выживший получает экипировку: берут две карты, одну можно оставить. "
                "Оружие поможет при столкновении.",
            ),
            asked("equip", "keep"),
        ),
        LessonStep(
            "WW-KILLER-03",
            (
                "Now the killer acts: he walks and searches, or plays a stronger card. Where he is known "
                "to be is marked on the board.",
                "Теперь действует убийца: ходит и ищет или играет карту посильнее. Где он, насколько "
                "известно, отмечено на поле.",
            ),
            happened("killer-began"),
        ),
        LessonStep(
            "WW-DICE-01",
            (
                "He found somebody. Whoever defends rolls four dice, one less for each fear. Beat his "
                "strength and he is driven off; else somebody is wounded.",
                "Он кого-то нашёл. Кто защищается, бросает четыре кубика, на один меньше за каждый страх. "
                "Превзойдёте его силу — отобьётесь; иначе будет рана.",
            ),
            happened("encounter-began"),
        ),
        LessonStep(
            "WW-WIN-04",
            (
                "A round is over, and you have seen it all. Keys first, then everybody into the hall: it "
                "counts when your next turn begins. From here on it is a real game.",
                "Раунд прошёл, и вы видели всё. Сначала ключи, потом все в холл: засчитывается в начале "
                "вашего хода. Дальше это настоящая партия.",
            ),
            lambda moment: bool(happened("killer-began")(moment) and asked("wake", "move")(moment)),
        ),
    ),
)
