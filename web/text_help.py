"""The words of hints, of first games and of what explains a game, in English and Russian."""

from __future__ import annotations

HELP: dict[str, tuple[str, str]] = {
    # Hints
    "tool.hint": ("Hint", "Подсказка"),
    "hint.head": ("What could be done", "Что можно сделать"),
    "hint.thinking": ("Thinking it over…", "Обдумываю…"),
    "hint.none": ("There is nothing to choose now.", "Сейчас выбирать не из чего."),
    "hint.chances": ("about {n} in 100", "около {n} из 100"),
    "hint.best": ("the best that was found", "лучшее из найденного"),
    "hint.against": ("against {n}", "против {n}"),
    "hint.close": ("about as good", "почти так же хорошо"),
    "hint.text": (
        "Made from what you may know. The number is the prospects: 100 would be a sure success.",
        "Только из того, что вам можно знать. Число — виды на удачу: 100 значило бы верный успех.",
    ),
    "hint.reason": (
        "{what}: soon in {n} of 100 tries instead of {other}.",
        "{what}: вскоре в {n} пробах из 100, иначе в {other}.",
    ),
    "hint.alike": (
        "Soon the same happens either way; the difference comes later.",
        "Поначалу выходит одно и то же; разница скажется позже.",
    ),
    "hint.guess": (
        "a guess: there was too little time to compare",
        "догадка: времени сравнить было слишком мало",
    ),
    "hint.show": ("Show on the board", "Показать на поле"),
    "hint.off": ("No hints in this game", "Без подсказок в этой партии"),
    "hint.off.text": (
        "Everybody sees it, and it stays so until the game is over.",
        "Об этом узнают все, и так будет до конца партии.",
    ),
    # After the game
    "story.costs": ("What cost most?", "Что стоило дороже всего?"),
    "story.costs.none": (
        "No move cost so much that it could be told.",
        "Ни один ход не стоил столько, чтобы это было видно.",
    ),
    "story.cost": (
        "{name}: “{move}”, prospects about {n} in 100; with “{better}” about {other}.",
        "{name}: «{move}», виды около {n} из 100; при «{better}» — около {other}.",
    ),
    # Bots
    "bot.strong": ("Bot {n} (strong)", "Бот {n} (сильный)"),
    "seat.bot.strong": ("A strong bot", "Сильный бот"),
    "error.no-strong-bot": (
        "A strong bot plays only where nobody has a secret: the time that it thinks could tell one.",
        "Сильный бот играет лишь там, где ни у кого нет тайн: их могло бы выдать время раздумий.",
    ),
    # Options and rules
    "options.who": ("Who plays", "Кто играет"),
    "options.hard": ("How hard", "Насколько трудно"),
    "options.readings": ("Rule readings", "Как читать правила"),
    "options.readings.text": (
        "Where the book can be read in two ways. As it stands, it is played by the book.",
        "Там, где правила можно понять по-разному. Если не менять, играем по книге.",
    ),
    "tool.rules": ("Rules in short", "Правила коротко"),
    "rules.now": ("Now", "Сейчас"),
    # First games
    "lesson.teach": ("Teach us: a first game of {n} minutes", "Научите нас: первая партия на {n} минут"),
    "lesson.head": ("First game", "Первая партия"),
    "lesson.rule": ("rule {rule}", "правило {rule}"),
    "lesson.next": ("Go on", "Дальше"),
    "lesson.try": (
        "Your turn. Do what you like: nothing breaks, and “Undo” takes it back. One way: {label}.",
        "Ваш ход. Делайте что хотите: ничего не сломается, «Отменить» вернёт ход. Например: {label}.",
    ),
    "lesson.show": ("Show me", "Показать"),
    "lesson.other": (
        "You chose something else: that is allowed. “Undo” takes it back.",
        "Вы выбрали другое: так тоже можно. «Отменить» вернёт ход.",
    ),
    "lesson.wait": ("Watch what happens.", "Смотрите, что происходит."),
    "lesson.seat": (
        "This seat has cards that others must not see: take it over below, or scan the invitation.",
        "У этого места карты, которых не должны видеть другие: возьмите его ниже или по приглашению.",
    ),
    "standing.lesson": (
        "A first game: the table explains it as it goes.",
        "Первая партия: стол объясняет её по ходу.",
    ),
    "standing.hints-off": ("This game is played without hints.", "Эта партия идёт без подсказок."),
    "error.hints-off": ("This game is played without hints.", "Эта партия идёт без подсказок."),
}
