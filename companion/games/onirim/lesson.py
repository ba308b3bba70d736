"""The first dream: one dreamer, a deal in which the first Doors come early."""

from __future__ import annotations

from companion.engine.lesson import Lesson, LessonStep, asked, happened

LESSON = Lesson(
    options={"players": 1},
    seed=26,
    learners=("p1",),
    minutes=15,
    steps=(
        LessonStep(
            "ON-END-01",
            (
                "You walk through a dream and look for eight Doors, two of each colour. All eight before "
                "you: you have won. The deck is your time: when it is empty and you must draw, you are "
                "lost.",
                "Вы бродите во сне и ищете восемь Дверей, по две каждого цвета. Все восемь перед вами — "
                "победа. Колода — ваше время: если она пуста, а брать карту надо, вы проиграли.",
            ),
            asked("play"),
        ),
        LessonStep(
            "ON-TURN-02",
            (
                "Each turn you do one thing with one card of your hand: play it into your row, or discard "
                "it. Then you draw until you hold five again.",
                "За ход вы делаете одно с одной картой с руки: играете её в свой ряд или сбрасываете. "
                "Потом берёте карты, пока снова не станет пять.",
            ),
            asked("play"),
        ),
        LessonStep(
            "ON-PLAY-03",
            (
                "One thing is forbidden: two equal symbols side by side in the row. Sun, Moon and Key "
                "must change from card to card; the colour may be any. Try it: a wrong card only says no.",
                "Запрещено одно: два одинаковых символа рядом. Солнце, луна и ключ должны чередоваться; "
                "цвет любой. Попробуйте: неверная карта просто не ляжет, это ничем не грозит.",
            ),
            happened("played"),
        ),
        LessonStep(
            "ON-SER-01",
            (
                "Three cards of one colour in a row open a Door of that colour: it comes out of the deck "
                "by itself. So collect one colour, and keep the symbols changing.",
                "Три карты одного цвета подряд открывают Дверь этого цвета: она сама приходит из колоды. "
                "Поэтому собирайте один цвет и следите, чтобы символы чередовались.",
            ),
            happened("played"),
        ),
        LessonStep(
            "ON-DRAW-03",
            (
                "You drew a Door. Whoever holds a Key of its colour may give it up and take the Door at "
                "once. Without the Key it goes back into the deck later. That is why Keys are worth "
                "keeping.",
                "Вам попалась Дверь. Если у вас есть ключ её цвета, его можно отдать и сразу взять Дверь. "
                "Без ключа она позже вернётся в колоду. Поэтому ключи стоит беречь.",
            ),
            happened("door-drawn"),
        ),
        LessonStep(
            "ON-NIGHT-03",
            (
                "A Nightmare! It wants a price: a Key, a Door, five cards of the deck, or your whole "
                "hand. The hand is often the cheapest while the deck is still thick. You choose.",
                "Кошмар! Он требует плату: ключ, Дверь, пять карт колоды или всю вашу руку. Пока колода "
                "толстая, рука часто дешевле всего. Решать вам.",
            ),
            asked("pay-key", "pay-door", "pay-deck", "pay-hand"),
        ),
        LessonStep(
            "ON-DISC-03",
            (
                "Discarding a Key gives a Prophecy: you see the next five cards, throw one away and put "
                "the others back in any order. It is the way to be rid of a Nightmare.",
                "Сброшенный ключ даёт Пророчество: вы видите пять следующих карт, одну выбрасываете, "
                "остальные кладёте обратно в любом порядке. Так избавляются от Кошмаров.",
            ),
            asked("foresee"),
        ),
        LessonStep(
            "ON-SER-01",
            (
                "The first Door is yours. From here on it is a real game: nothing is new any more, only "
                "the deck runs out. “Hint” helps when you hesitate.",
                "Первая Дверь ваша. Дальше это настоящая партия: нового больше не будет, только колода "
                "тает. Если сомневаетесь, поможет «Подсказка».",
            ),
            happened("door-gained", "opened"),
        ),
    ),
)
