"""What Onirim says, in English and Russian."""

from __future__ import annotations

from companion.engine.text import Texts

_COLOUR = {
    "R": ("red", "красн", "обсерватории"),
    "B": ("blue", "син", "аквариума"),
    "G": ("green", "зелён", "сада"),
    "W": ("brown", "коричнев", "библиотеки"),
}
_SYMBOL = {"s": ("Sun", "Солнце"), "m": ("Moon", "Луна"), "k": ("Key", "Ключ")}
_ENDINGS = {
    "R": ("ая", "ый", "ое"),
    "B": ("яя", "ий", "ее"),
    "G": ("ая", "ый", "ое"),
    "W": ("ая", "ый", "ое"),
}


def _cards() -> dict[str, tuple[str, str]]:
    words = {"word.NM": ("Nightmare", "Кошмар"), "word.back": ("card back", "рубашка")}
    for letter, (english, russian, _) in _COLOUR.items():
        feminine, masculine, neuter = _ENDINGS[letter]
        for symbol, (name, имя) in _SYMBOL.items():
            ending = {"s": neuter, "m": feminine, "k": masculine}[symbol]
            words[f"word.{letter}{symbol}"] = (f"{english} {name}", f"{russian}{ending} {имя}")
        words[f"word.{letter}D"] = (f"{english} Door", f"{russian}{feminine} Дверь")
    return words


def _board() -> dict[str, tuple[str, str]]:
    """What is printed on the mat."""
    words = {
        "board.deck": ("deck", "колода"),
        "board.reveal": ("Door or Nightmare", "Дверь или Кошмар"),
    }
    for n in (1, 2):
        words[f"board.discard{n}"] = (f"discards {n}", f"сброс {n}")
    for n in range(1, 6):
        words[f"board.limbo{n}"] = (f"Limbo {n}", f"Неизвестность {n}")
        words[f"board.strip{n}"] = (f"drawn {n}", f"взято {n}")
    for player in (1, 2):
        words[f"board.seat{player}"] = (f"player {player}", f"игрок {player}")
        words[f"board.shared{player}"] = (f"shared {player}", f"общая карта {player}")
        for n in range(1, 9):
            words[f"board.row{player}.{n}"] = (f"row {player}/{n}", f"ряд {player}/{n}")
        for letter, (english, russian, _) in _COLOUR.items():
            words[f"board.door{player}.{letter}"] = (
                f"{english} Door {player}",
                f"{russian}{_ENDINGS[letter][0]} Дверь {player}",
            )
    return words


_HINTS = {
    "hint.door-gained": ("A Door is gained", "Получена Дверь"),
    "hint.nightmare": ("A Nightmare comes", "Приходит Кошмар"),
    "hint.prophecy": ("A Key gives a Prophecy", "Ключ даёт Пророчество"),
    "hint.paid-hand": ("The hand is lost to a Nightmare", "Рука уходит Кошмару"),
    "hint.paid-door": ("A Door is lost to a Nightmare", "Дверь уходит Кошмару"),
}
"""What may come up soon, as hints give it for a reason."""

TEXTS = Texts(
    _HINTS,
    _cards(),
    _board(),
    {
        "game.title": ("Onirim", "Онирим"),
        "game.about": (
            "Find all eight Doors of the dream labyrinth before the deck runs out.",
            "Найдите все восемь Дверей лабиринта снов, пока не кончилась колода.",
        ),
        # Options
        "option.openness": ("Personal cards", "Личные карты"),
        "choice.silent": ("hidden, in silence", "скрыты, играем молча"),
        "choice.open": ("open, talk freely", "открыты, говорим свободно"),
        "option.hands": ("The companion knows hidden cards", "Компаньон знает скрытые карты"),
        "choice.known": ("yes, each phone shows its own", "да, каждый видит свои на телефоне"),
        "choice.unseen": ("no, it only counts them", "нет, только считает их"),
        "option.nightmare_door_any_player": (
            "A Nightmare may take the partner's Door",
            "Кошмару можно отдать Дверь напарника",
        ),
        "option.coop_duplicate_door": ("A second Door of one colour", "Вторая Дверь того же цвета"),
        "option.picks_first": (
            "Two players: who picks the first of the eight cards (the book does not say)",
            "Вдвоём: кто первым берёт одну из восьми карт (в книге не сказано)",
        ),
        "option.begins": (
            "Two players: who begins (the book does not say)",
            "Вдвоём: кто ходит первым (в книге не сказано)",
        ),
        "choice.p1": ("player 1", "игрок 1"),
        "choice.p2": ("player 2", "игрок 2"),
        "option.swap_order": (
            "Two players discard a Key: the exchange comes … the Prophecy (the book: «тут же», at once)",
            "Вдвоём сброшен Ключ: обмен картами … Пророчества (в книге: «может тут же поменять»)",
        ),
        "choice.before": ("before", "до"),
        "choice.after": ("after", "после"),
        "choice.allow": ("may be gained", "разрешена"),
        "choice.limbo": ("goes to Limbo", "уходит в Неизвестность"),
        # Phases
        "phase.setup": ("Set-up: deal the first cards", "Подготовка: раздайте первые карты"),
        "phase.draft": ("Share out the cards in turn", "Разберите карты по очереди"),
        "phase.play": ("1. Play or discard one card", "1. Сыграйте или сбросьте одну карту"),
        "phase.search": ("A series! Take the Door from the deck?", "Серия! Взять Дверь из колоды?"),
        "phase.swap": ("Exchange a card with the shared ones?", "Обменять карту с общими?"),
        "phase.prophecy": (
            "Prophecy: discard one card, order the rest",
            "Пророчество: сбросьте одну, остальные по порядку",
        ),
        "phase.draw": ("2. Draw until the hand is complete", "2. Доберите руку"),
        "phase.door": ("A Door! Open it with a Key?", "Дверь! Открыть её Ключом?"),
        "phase.nightmare": ("A Nightmare: choose the payment", "Кошмар: выберите расплату"),
        "phase.shuffle": ("3. Shuffle the deck", "3. Перемешайте колоду"),
        "phase.over": ("The dream is over", "Сон окончен"),
        # Actions
        "verb.shuffle": ("Shuffled", "Перемешано"),
        "verb.draw": ("Drawn: {card}", "Взята карта: {card}"),
        "verb.draw-unseen": ("A Labyrinth card, kept secret", "Карта Лабиринта, втайне"),
        "verb.look": ("Seen: {card}", "Увидена: {card}"),
        "verb.mill": ("Turned up: {card}", "Открыта: {card}"),
        "verb.pick": ("Take {card}", "Взять: {card}"),
        "verb.play": ("Play {card} {rest}", "Сыграть: {card} {rest}"),
        "verb.discard": ("Discard {card} {rest}", "Сбросить: {card} {rest}"),
        "verb.concede": ("Give up: a Door is lost", "Сдаться: Дверь потеряна"),
        "verb.take": ("Take the Door", "Взять Дверь"),
        "verb.decline": ("Leave it", "Не брать"),
        "verb.swap": ("Give {card} for {card2}", "Отдать: {card}, взять: {card2}"),
        "verb.keep": ("No exchange", "Без обмена"),
        "verb.foresee": ("Discard {card}, then {rest}", "Сбросить: {card}; затем {rest}"),
        "verb.foretell": ("Discard {card}", "Сбросить: {card}"),
        "verb.open": ("Open it with the Key {rest}", "Открыть Ключом {rest}"),
        "verb.leave": ("To Limbo", "В Неизвестность"),
        "verb.pay-key": ("Pay with {card} {rest}", "Отдать: {card} {rest}"),
        "verb.pay-door": ("Give up {card} {rest}", "Отдать: {card} {rest}"),
        "verb.pay-deck": ("Turn up five cards", "Открыть пять карт"),
        "verb.pay-hand": ("Discard the whole hand", "Сбросить всю руку"),
        "verb.show": ("Show {card}", "Показать: {card}"),
        "word.shared": ("(shared)", "(общая)"),
        "word.partner": ("(the partner's)", "(напарника)"),
        # Events
        "event.shuffled": (
            "The deck was shuffled; returned: {cards}.",
            "Колода перемешана; вернулись: {cards}.",
        ),
        "event.dealt": ("Dealt: {card}.", "Сдана карта: {card}."),
        "event.set-aside": ("{card} went to Limbo.", "В Неизвестность: {card}."),
        "event.picked": ("{seat} took {card}.", "{seat} берёт: {card}."),
        "event.played": ("{seat} played {card}.", "{seat} играет: {card}."),
        "event.no-door-left": ("No {door} is left in the deck.", "{door}: в колоде больше нет."),
        "event.declined": ("{seat} left the Door in the deck.", "{seat}: Дверь оставлена в колоде."),
        "event.discarded": ("{seat} discarded {card}.", "{seat} сбрасывает: {card}."),
        "event.swapped": ("{seat} gave {given} for {taken}.", "{seat} отдаёт: {given}, берёт: {taken}."),
        "event.kept": ("{seat} exchanged nothing.", "{seat}: без обмена."),
        "event.prophecy": (
            "{seat} looks at {n} {n#card|cards} of the deck.",
            "{seat} смотрит {n} {n#карту|карты|карт} колоды.",
        ),
        "event.looked": ("The Prophecy shows {card}.", "Пророчество показывает: {card}."),
        "event.looked-hidden": ("{seat} looked at a card.", "{seat} смотрит карту."),
        "event.foresaw": (
            "{seat} discarded {card} by the Prophecy.",
            "{seat} сбрасывает по Пророчеству: {card}.",
        ),
        "event.unwinnable": (
            "{door} is lost for good: the game can no longer be won. You may give up.",
            "{door} потеряна навсегда: победить больше нельзя. Можно сдаться.",
        ),
        "event.drew": ("{seat} drew {card}.", "{seat} берёт: {card}."),
        "event.drew-hidden": ("{seat} drew a card.", "{seat} берёт карту."),
        "event.drew-shared": ("{card} joined the shared cards.", "К общим картам: {card}."),
        "event.door-drawn": ("{seat} met the {door}.", "{seat}: встречена {door}."),
        "event.opened": ("{seat} opened the {door} with the {key}.", "{seat}: {door} открыта, отдан {key}."),
        "event.door-gained": ("{seat} gained the {door}.", "{seat}: получена {door}."),
        "event.nightmare": ("{seat} drew a Nightmare!", "{seat}: Кошмар!"),
        "event.paid-key": ("{seat} paid with the {card}.", "{seat}: Кошмару отдан {card}."),
        "event.paid-door": ("{seat} gave up the {card}.", "{seat}: Кошмару отдана {card}."),
        "event.paid-deck": (
            "{seat} turns up {n} {n#card|cards}.",
            "{seat} открывает {n} {n#карту|карты|карт}.",
        ),
        "event.paid-hand": ("{seat} discarded the hand: {cards}.", "{seat} сбрасывает всю руку: {cards}."),
        "event.milled": ("{card} was lost.", "Сброшено: {card}."),
        "event.won": (
            "All eight Doors are found, after {turns} {turns#turn|turns}.",
            "Все восемь Дверей найдены за {turns} {turns#ход|хода|ходов}.",
        ),
        "event.lost": (
            "The deck is empty: lost with {doors} {doors#Door|Doors}.",
            "Колода пуста: поражение, найдено Дверей: {doors}.",
        ),
        "event.conceded": ("The dreamers gave up.", "Игроки сдались."),
        # Refusals
        "refusal.no-such-card": ("That card is not there.", "Такой карты там нет."),
        "refusal.same-symbol": (
            "{card} has the same symbol as {last}, the last card of the row.",
            "{card}: тот же символ, что у последней карты ряда ({last}).",
        ),
        "refusal.kept-unseen": (
            "This card is kept secret: the table only counts it.",
            "Эта карта остаётся тайной: стол только считает её.",
        ),
        "refusal.no-key": ("The Key for this is missing: {card}.", "Нужного Ключа нет: {card}."),
        "refusal.no-door": ("There is no {card} to give up.", "Нет карты, которую можно отдать: {card}."),
        "refusal.not-your-door": ("A Nightmare takes your own Door.", "Кошмару отдают свою Дверь."),
        "refusal.not-those-cards": (
            "Name exactly the cards that were seen: {cards}.",
            "Назовите ровно увиденные карты: {cards}.",
        ),
        "refusal.still-winnable": (
            "No Door is lost: the game can still be won.",
            "Ни одна Дверь не потеряна: ещё можно победить.",
        ),
        # Reasons
        "why.deck": (
            "{n} {n#card is|cards are} left; a draw from the empty deck loses the game.",
            "В колоде {n} {n#карта|карты|карт}; взять из пустой — поражение.",
        ),
        "why.limbo": (
            "{cards} wait in Limbo and are shuffled in at the end of the turn.",
            "В Неизвестности: {cards}; их замешают в конце хода.",
        ),
        "why.door": (
            "A drawn Door can be opened at once with a Key of its colour: {card}.",
            "Взятую Дверь можно сразу открыть Ключом её цвета: {card}.",
        ),
        "why.nightmare": (
            "A Nightmare must be paid: a Key, a Door, five cards, or the hand.",
            "Кошмару надо отдать Ключ, Дверь, пять карт колоды или руку.",
        ),
        "why.golden-rule": (
            "The next card goes here; its symbol must differ from {card}.",
            "Сюда кладут следующую карту; не с тем же символом: {card}.",
        ),
        "why.run": (
            "{n} {n#card|cards} of one colour in a row; every third earns a Door.",
            "Подряд одного цвета: {n}; каждая третья даёт Дверь.",
        ),
        "why.door-gained": ("Doors found: {n} of 8.", "Найдено Дверей: {n} из 8."),
        # Endings
        "outcome.won": ("All Doors found!", "Все Двери найдены!"),
        "outcome.lost": ("The deck ran out.", "Колода кончилась."),
        "outcome.conceded": ("You gave up.", "Вы сдались."),
    },
)
