"""What the game says, in English and Russian: tables keyed by code, no logic."""

from __future__ import annotations

from companion.engine.text import Texts

PAGE_TEXTS = {
    "morris.hand": ("{name}: to be placed", "{name}: осталось поставить"),
    "morris.taken": ("{name}: lost", "{name}: потеряно"),
}
"""What `page.js` says."""

TEXTS = Texts(
    {
        "game.title": ("Nine Men's Morris", "Мельница"),
        "game.about": (
            "Close mills of three, remove men, leave the other side with two or with no move.",
            "Стройте мельницы из трёх фишек, снимайте фишки соперника: оставьте ему две или ни одного хода.",
        ),
        # Pieces and seats
        "word.white": ("white man", "белая фишка"),
        "word.black": ("black man", "чёрная фишка"),
        "seat.white": ("White", "Белые"),
        "seat.black": ("Black", "Чёрные"),
        # Options
        "option.flying": ("With three men left one may fly", "С тремя фишками можно летать"),
        "option.draws": ("A draw", "Ничья"),
        "choice.both": (
            "at the third repetition, or after 50 moves without a mill",
            "при третьем повторении или после 50 ходов без мельницы",
        ),
        "choice.repetition": ("at the third repetition", "при третьем повторении"),
        "choice.fifty": ("after 50 moves without a mill", "после 50 ходов без мельницы"),
        # Phases
        "phase.place": ("Place a man on an empty point.", "Поставьте фишку на свободную точку."),
        "phase.move": ("Move a man along a line.", "Передвиньте фишку по линии."),
        "phase.remove": ("A mill: remove a man of the other side.", "Мельница: снимите фишку соперника."),
        "phase.over": ("The game is over.", "Игра окончена."),
        # Actions
        "verb.place": ("Place on {point}", "Поставить на {point}"),
        "verb.move": ("Move {point} to {point2}", "Передвинуть {point} на {point2}"),
        "verb.remove": ("Remove from {point}", "Снять с {point}"),
        # Refusals
        "refusal.occupied": ("{cells} is taken.", "Точка {cells} занята."),
        "refusal.not-yours": ("No man of yours is on {cells}.", "На {cells} нет вашей фишки."),
        "refusal.not-beside": ("No line joins {cells} directly.", "Точки {cells} не соседние."),
        "refusal.not-theirs": ("No man of the other side is on {cells}.", "На {cells} нет фишки соперника."),
        "refusal.in-a-mill": (
            "The man on {cells} stands in a mill; others do not.",
            "Фишка на {cells} стоит в мельнице, а есть и другие.",
        ),
        # Events
        "event.placed": ("{seat} places a man on {cell}.", "{seat} ставят фишку на {cell}."),
        "event.moved": ("{seat} moves from {cell} to {to_cell}.", "{seat} идут с {cell} на {to_cell}."),
        "event.closed": ("{seat} closes a mill: {cells}.", "{seat} закрывают мельницу: {cells}."),
        "event.removed": ("{seat} removes the man on {cell}.", "{seat} снимают фишку с {cell}."),
        "event.ended": ("The game is over.", "Игра окончена."),
        # Why a place is as it is
        "why.closed": ("{seat} has just closed this mill.", "{seat} только что закрыли эту мельницу."),
        "why.in-a-mill": (
            "A man in a mill is removed only when there is no other.",
            "Фишку в мельнице снимают, только если других нет.",
        ),
        "why.may-be-removed": ("This man may be removed.", "Эту фишку можно снять."),
        "why.can-move": ("This man can move.", "Этой фишкой можно ходить."),
        "why.blocked": ("This man cannot move.", "Эта фишка заперта."),
        # Endings
        "outcome.few-men": ("One side has only two men left.", "У одной стороны осталось две фишки."),
        "outcome.no-move": ("One side cannot move.", "Одной стороне некуда ходить."),
        "outcome.repeated": (
            "A draw: the same position for the third time.",
            "Ничья: позиция повторилась в третий раз.",
        ),
        "outcome.quiet": ("A draw: 50 moves without a mill.", "Ничья: 50 ходов без мельницы."),
    }
)
