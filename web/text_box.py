"""The words of the page “My box”, in English and Russian."""

from __future__ import annotations

BOX: dict[str, tuple[str, str]] = {
    "box": ("My box", "Моя коробка"),
    "box.text": (
        "The rulebooks do not print every card. Compare these with your own copy: "
        "what you confirm or correct is what your games are played with.",
        "В правилах напечатаны не все карты. Сверьте их со своей копией: "
        "игры пойдут по тому, что вы подтвердите или исправите.",
    ),
    "box.checked": ("Checked", "Сверено"),
    "box.unchecked": (
        "{n} {n#fact|facts} not checked yet",
        "не {n#сверен|сверены|сверены} {n} {n#факт|факта|фактов}",
    ),
    "box.cards-left": (
        "{n} {n#thing|things} to compare",
        "осталось сверить: {n}",
    ),
    "box.all-checked": ("all is checked", "всё сверено"),
    "box.all": ("Everything in this box", "Всё в этой коробке"),
    "box.yes": ("As in my box ✓", "Как в моей коробке ✓"),
    "box.later": ("Later", "Позже"),
    "box.kept": ("Kept.", "Сохранено."),
    "box.forget": ("Back to what Gloam knows", "Вернуть, как знает Gloam"),
    "box.fault": (
        "This game is not on the shelf: its file has a mistake.",
        "Игры нет на полке: в её файле ошибка.",
    ),
    "box.aside": ("Set the file aside and begin anew", "Отложить файл и начать заново"),
    "box.origin.unchecked": (
        "Nobody has compared this with a real box yet.",
        "Этого ещё никто не сверил с настоящей коробкой.",
    ),
    "box.origin.owner": ("Checked by you", "Сверено вами"),
    "box.origin.book": ("From the rulebook", "Из правил"),
    "box.photo": ("Add a photograph", "Добавить фотографию"),
    "box.photo.again": ("Another photograph", "Другая фотография"),
    "box.photo.table": ("From the table's camera", "С камеры стола"),
    "box.photo.alt": ("Your photograph", "Ваша фотография"),
    "box.side.N": ("Top side is open", "Верхняя сторона открыта"),
    "box.side.E": ("Right side is open", "Правая сторона открыта"),
    "box.side.S": ("Bottom side is open", "Нижняя сторона открыта"),
    "box.side.W": ("Left side is open", "Левая сторона открыта"),
    "box.start": (
        "{n} {n#fact|facts} about the cards of this game nobody has compared with a box.",
        "{n} {n#факт|факта|фактов} о картах этой игры никто не сверил с коробкой.",
    ),
    "saved.other-box": (
        "played with other cards: enter them on “My box” as they were, or restore the backup with both",
        "сыграна с другими картами: введите их в «Моей коробке», как было, или восстановите резервную копию",
    ),
    "error.other-box": (
        "This game was played with other cards than your box has now. Enter them on “My box” as they were, "
        "or restore the backup that holds both.",
        "Эта партия сыграна с другими картами, чем теперь в вашей коробке. Введите их в «Моей коробке», "
        "как было, или восстановите резервную копию, где есть и то и другое.",
    ),
}
