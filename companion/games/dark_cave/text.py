"""What the Dark Cave says, in English and Russian (the words of the Russian edition)."""

from __future__ import annotations

from companion.engine.text import Texts
from companion.games.dark_cave import pieces
from companion.games.dark_cave.box import DEEDS
from companion.games.dark_cave.cards import CARDS, SOURCE
from companion.games.dark_cave.spread import NAMES, PRINTED

_ROMAN = ("I", "II", "III")
_SIDES = (("N", "С"), ("E", "В"), ("S", "Ю"), ("W", "З"))
_FEATURES = {
    "hole": ("dark hole", "тёмная дыра"),
    "ladder": ("ladder", "лестница"),
    "bridge": ("bridge", "мост"),
    "passage": ("arched tunnel", "дугообразный туннель"),
    "gold": ("gold vein", "золотая жила"),
    "exit": ("exit", "выход"),
}
_NAMES = SOURCE.get("names", {})
_DEEDS = {deed: (_NAMES.get(deed, said[0]), _NAMES.get(deed, said[1])) for deed, said in DEEDS.items()}
"""What the cards are called: by the owner's copy, where that has been entered."""
_SYMBOLS = {"triangle": "▲", "circle": "●", "diamond": "◆"}
_CLANS = {"yellow": ("Golden Axe", "Золотой топор"), "blue": ("Blue Moon", "Синяя луна")}


def _cards() -> dict[str, tuple[str, str]]:
    """Words for all cards, from the data file."""
    words: dict[str, tuple[str, str]] = {}
    for kind, name in enumerate(CARDS.kinds):
        level = _ROMAN[CARDS.level[kind]]
        if CARDS.shape[kind] >= 0:
            shape = CARDS.shapes[CARDS.shape[kind]]
            sides = [_SIDES[d] for d in shape.sides]
            extra = [_FEATURES[feature] for feature in dict.fromkeys(shape.feature.values())]
            said = [
                ", ".join([f"{level} {'-'.join(s[i] for s in sides)}", *(e[i] for e in extra)])
                for i in range(2)
            ]
            words[f"word.{name}"] = (f"tunnel {said[0]} ({name})", f"туннель {said[1]} ({name})")
        else:
            deed = CARDS.deed[kind]
            mark = _SYMBOLS[name[4:]] if deed == "web" else level
            words[f"word.{name}"] = (f"{_DEEDS[deed][0]} {mark}", f"{_DEEDS[deed][1]} {mark}")
    for number, roman in zip(pieces.LEVELS, _ROMAN, strict=True):
        words[f"word.back-{number}"] = (f"a card of level {roman}", f"карточка уровня {roman}")
    return words


def _clans() -> dict[str, tuple[str, str]]:
    words: dict[str, tuple[str, str]] = {}
    for clan, (english, russian) in _CLANS.items():
        words[f"word.{clan}"] = (english, russian)
        words[f"word.{clan}-loyal"] = (f"{english}, loyal", f"{russian}, верный гном")
        words[f"word.{clan}-saboteur"] = (f"{english}, saboteur", f"{russian}, вредитель")
        words[f"outcome.{clan}-won"] = (
            f"The dwarves working for the {english} have saved the greater treasure.",
            f"Гномы, работавшие на клан «{russian}», спасли больше сокровищ.",
        )
    for name in pieces.DWARVES:
        clan, number = name.split("-")
        english, russian = f"dwarf {number} ({_CLANS[clan][0]})", f"гном {number} ({_CLANS[clan][1]})"
        words[f"word.{name}"] = (english, russian)
        words[f"word.{name}-lying"] = (f"{english}, lying", f"{russian}, лежит")
        words[f"word.{name}-face"] = (f"{english}: card, seen from the front", f"{russian}: карточка, лицо")
        words[f"word.{name}-back"] = (f"{english}: card, seen from behind", f"{russian}: карточка, спина")
    return words


_WORDS: dict[str, tuple[str, str]] = {
    "word.G-EXIT": ("the exit", "выход"),
    "word.G-GOLD": ("a gold vein", "золотая жила"),
    "word.G-LADDER": ("a ladder", "лестница"),
    "word.G-HOLE": ("a dark hole", "тёмная дыра"),
    "word.START": ("the entrance", "вход в пещеру"),
    "word.START-2": ("the entrance, second side", "вход в пещеру, вторая сторона"),
    "word.goal-back": ("a face-down goal", "закрытая цель"),
    "word.nugget": ("a gold nugget", "золотой самородок"),
    **{
        f"word.web-{symbol}-{side}": (f"web {mark}, side {side}", f"паутина {mark}, сторона {side}")
        for symbol, mark in _SYMBOLS.items()
        for side in (1, 2)
    },
    "word.closed": ("the face-down goal", "закрытая цель"),
    "word.rat": ("the rat", "крыса"),
    "word.lindworm": ("the lindworm", "змий"),
    "word.goblin": ("the goblin", "гоблин"),
    "word.passage": ("the passage", "проход"),
    "word.triangle": ("▲", "▲"),
    "word.circle": ("●", "●"),
    "word.diamond": ("◆", "◆"),
    "word.east": ("east side", "восточная сторона"),
    "word.south": ("south side", "южная сторона"),
    "word.nobody": ("no clan yet", "ещё ни один клан"),
    "outcome.nobody-won": (
        "Nobody brought anything out: nobody wins.",
        "Никто ничего не спас: никто не победил.",
    ),
}

_OPTIONS: dict[str, tuple[str, str]] = {
    "game.title": ("Saboteur: The Dark Cave", "Гномы-вредители. Тёмная пещера"),
    "game.about": (
        "Dig, walk and steal your way out of a flooding cave; somebody in your clan works for the others.",
        "Прокладывайте туннели и спасайте золото из пещеры; кто-то в клане работает на соперников.",
    ),
    "option.clans": ("Clan cards", "Карточки кланов"),
    "option.clan": ("Clan with 3 or 4 players", "Клан для 3–4 игроков"),
    "choice.random": ("at random", "случайно"),
    "choice.yellow": ("Golden Axe", "Золотой топор"),
    "choice.blue": ("Blue Moon", "Синяя луна"),
    "option.first": ("Who begins (0: at random)", "Кто начинает (0: случайно)"),
    "option.entrance": ("Side of the entrance card", "Сторона карточки входа"),
    "choice.front": ("first", "первая"),
    "choice.back": ("second", "вторая"),
    "option.allow_half_turn": (
        "«All tunnel cards face the same way», long side to long side: a half turn is allowed",
        "«Все карточки ориентированы в одну и ту же сторону», длинная к длинной: можно повернуть на 180°",
    ),
    "option.ladder_counts_for_placement": (
        "«An unbroken way to the entrance»: ladders count, laid or being laid",
        "«Непрерывный путь до входа»: лестницы считаются, и лежащие, и выкладываемые",
    ),
    "option.ladder_from": (
        "«You may move from this card to any other card with a ladder»: from",
        "«С этой карточки на любую другую карточку с лестницей»: откуда",
    ),
    "choice.card": ("anywhere on the card", "с любого участка карточки"),
    "choice.section": ("the section with the ladder", "с участка с лестницей"),
    "option.creature_before_exit": (
        "«Reached the exit: at once remove the figure», «the creature attacks»: the creature comes first",
        "«Добрался до выхода: немедленно уберите фишку», «существо атакует»: сначала существо",
    ),
    "option.axe_same_turn": (
        "An axe may be used in the turn it is laid",
        "Топор можно применить в тот же ход",
    ),
    "option.attack_on_placement": (
        "A creature attacks where it appears",
        "Существо атакует там, где появилось",
    ),
    "option.finish_turn_on_last_card": (
        "«The game ends immediately»: but who plays the last card still moves",
        "«Игра немедленно заканчивается»: но сыгравший последнюю карточку ещё ходит",
    ),
    "option.early_end": ("All may agree to end early", "Можно договориться и закончить раньше"),
    "refusal.first-not-playing": (
        "The one who begins must be among the players.",
        "Первый игрок должен быть среди играющих.",
    ),
}

_PHASES: dict[str, tuple[str, str]] = {
    "phase.setup": ("Set-up: clans and first player", "Подготовка: кланы и первый игрок"),
    "phase.figures": ("Everybody takes a dwarf of their clan", "Каждый берёт гнома своего клана"),
    "phase.deal": ("Set-up: deal five cards each", "Подготовка: раздайте по пять карточек"),
    "phase.play": (
        "1. Lay a tunnel, play an action, or discard one or two cards",
        "1. Выложите туннель, разыграйте действие или сбросьте 1–2 карточки",
    ),
    "phase.creep": ("Move the creature", "Передвиньте существо"),
    "phase.move": ("2. Move your dwarf, or stay", "2. Передвиньте гнома или останьтесь"),
    "phase.draw": ("3. Draw", "3. Возьмите карточки"),
    "phase.lose": (
        "The left neighbour draws a card unseen and discards it",
        "Сосед слева не глядя берёт карточку и сбрасывает её",
    ),
    "phase.pick": (
        "Pick a card of your right neighbour, unseen",
        "Не глядя возьмите карточку соседа справа",
    ),
    "phase.vein": ("Take the nugget of the vein?", "Взять самородок из жилы?"),
    "phase.ask": ("A creature attacks: use an axe?", "Существо нападает: применить топор?"),
    "phase.look": ("Secret information: look at the card", "Секретная информация: посмотрите карточку"),
    "phase.reveal": ("Turn the goal card over", "Переверните карточку цели"),
    "phase.fit": ("Choose how the goal card lies", "Выберите, как положить карточку цели"),
    "phase.open": ("Turn the clan card face up", "Откройте карточку клана"),
    "phase.announce": (
        "The first who left says whether all of one side are out",
        "Покинувший пещеру первым говорит, вышли ли все гномы одной стороны",
    ),
    "phase.vote": ("End the game early?", "Закончить игру досрочно?"),
    "phase.over": ("The gold is counted", "Золото подсчитано"),
}

_VERBS: dict[str, tuple[str, str]] = {
    "verb.side": ("Play with {clan}", "Играем кланом: {clan}"),
    "verb.clan": ("Dealt: {clan}", "Роздано: {clan}"),
    "verb.take": ("Take {dwarf}", "Взять: {dwarf}"),
    "verb.first": ("{seat} begins", "Начинает {seat}"),
    "verb.draw": ("Drawn: {card}", "Взято: {card}"),
    "verb.lay": ("Lay {card} at {cell}, turned {turn}°", "Выложить на {cell}: {card}, поворот {turn}°"),
    "verb.pass": ("Discard {rest}", "Сбросить: {rest}"),
    "verb.spy-goal": ("{card}: look at the goal {cell}", "{card}: посмотреть цель {cell}"),
    "verb.spy-clan": ("{card}: look at the clan card of {seat}", "{card}: посмотреть карточку клана, {seat}"),
    "verb.look": ("Seen: {sight}", "Увидено: {sight}"),
    "verb.rockfall": ("{card} on {cell}", "{card} на {cell}"),
    "verb.swap": ("{card} with {seat}", "{card}: {seat}"),
    "verb.web": ("{card} at {cell}, {side}", "{card} у {cell}, {side}"),
    "verb.boots": ("{card} for {seat}", "{card}: {seat}"),
    "verb.axe": ("{card} for {seat}", "{card}: {seat}"),
    "verb.call": ("{card} comes out at {cell} ({segment})", "{card} выходит на {cell} ({segment})"),
    "verb.rouse": ("{card}: move it on", "{card}: двигать дальше"),
    "verb.crawl": ("The creature goes to {cell} ({segment})", "Существо идёт на {cell} ({segment})"),
    "verb.halt": ("The creature stays", "Существо остаётся"),
    "verb.step": ("Go to {cell} ({segment})", "Шаг на {cell} ({segment})"),
    "verb.stay": ("Move no further", "Дальше не идти"),
    "verb.cut": ("Axe against the web at {cell}, {side}", "Топором по паутине у {cell}, {side}"),
    "verb.reveal": ("The goal is {goal}", "Цель: {goal}"),
    "verb.fit": ("Lay the goal turned {turn}°", "Положить цель с поворотом {turn}°"),
    "verb.strike": ("Use the axe", "Применить топор"),
    "verb.endure": ("Keep the axe", "Не применять топор"),
    "verb.pick": ("Pick card {place}", "Взять карточку {place}"),
    "verb.gather": ("Take the nugget, show the clan card", "Взять самородок и открыть карточку клана"),
    "verb.leave-it": ("Leave the nugget", "Оставить самородок"),
    "verb.lose": ("Lost: {card}", "Потеряно: {card}"),
    "verb.open": ("Clan card: {clan}", "Карточка клана: {clan}"),
    "verb.announce": ("All out: {clan}", "Все вышли: {clan}"),
    "verb.propose": ("Ask all to end the game", "Предложить закончить игру"),
    "verb.agree": ("Agree to end", "Согласиться закончить"),
    "verb.decline": ("Play on", "Играть дальше"),
}

_EVENTS: dict[str, tuple[str, str]] = {
    "event.clan-chosen": ("This game is played with {clan}.", "В этой игре клан: {clan}."),
    "event.clan-dealt": ("{seat} belongs to {clan}.", "{seat}: клан {clan}."),
    "event.clan-own": ("Your clan card: {card}.", "Ваша карточка клана: {card}."),
    "event.dwarf-taken": (
        "{seat} takes {dwarf}; the dwarf card lies with the face up.",
        "{seat} берёт: {dwarf}; карточка гнома лежит лицом вверх.",
    ),
    "event.first": ("{seat} begins.", "Начинает {seat}."),
    "event.drew": ("{seat} draws a card of level {level}.", "{seat} берёт карточку уровня {level}."),
    "event.got": ("You drew {card}.", "Вы взяли: {card}."),
    "event.turn": ("The turn of {seat}.", "Ход: {seat}."),
    "event.stood-up": (
        "The dwarf of {seat} stands up and rests this turn.",
        "Гном игрока {seat} встаёт и в этот ход не двигается.",
    ),
    "event.skipped": ("{seat} has no cards and skips.", "{seat} без карточек и пропускает ход."),
    "event.clan-opened": ("{seat} shows: {card}.", "{seat} открывает: {card}."),
    "event.side-out": (
        "All dwarves working for {clan} are out.",
        "Все гномы, работающие на клан {clan}, вышли.",
    ),
    "event.ended": ("The game is over.", "Игра окончена."),
    "event.gold-drowned": (
        "{seat} is still inside and loses {gold} {gold#nugget|nuggets}.",
        "{seat} остаётся в пещере и теряет {gold} {gold#самородок|самородка|самородков}.",
    ),
    "event.treasure": (
        "{clan}: {gold} gold × {against} {against#rival|rivals} = {value}.",
        "{clan}: {gold} золота × {against} {against#соперник|соперника|соперников} = {value}.",
    ),
    "event.web-removed": (
        "The web {web} at {spot}, {side}, is gone.",
        "Паутина {web} у {spot}, {side}, убрана.",
    ),
    "event.web-turned": (
        "The web {web} at {spot}, {side}, now shows 1.",
        "Паутина {web} у {spot}, {side}, теперь 1.",
    ),
    "event.creature-left": ("{creature} leaves the cave at {spot}.", "{creature} уходит с {spot}."),
    "event.called": ("{seat} calls {creature} at {spot}.", "{seat} вызывает на {spot}: {creature}."),
    "event.roused": ("{seat} drives {creature} on.", "{seat} гонит дальше: {creature}."),
    "event.crawled": ("{creature} goes to {spot}.", "{creature} идёт на {spot}."),
    "event.struck": ("{seat} drives {creature} off with an axe.", "{seat} топором прогоняет: {creature}."),
    "event.attacked": ("{creature} attacks {seats}.", "{creature} атакует: {seats}."),
    "event.nugget-lost": ("{seat} loses a nugget to {to}.", "{seat} теряет самородок ({to})."),
    "event.card-lost": (
        "{seat} loses a card of level {level}, unseen.",
        "{seat} теряет карточку уровня {level}, не глядя.",
    ),
    "event.missed": ("You lost {card}.", "Вы потеряли: {card}."),
    "event.stepped": ("{seat} steps to {spot}.", "{seat} идёт на {spot}."),
    "event.gold-taken": (
        "{seat} takes a nugget from the vein at {spot}.",
        "{seat} берёт самородок из жилы на {spot}.",
    ),
    "event.gold-left": (
        "{seat} leaves the nugget of the vein at {spot}.",
        "{seat} оставляет самородок в жиле на {spot}.",
    ),
    "event.picked": (
        "{seat} picks a card of level {level} from {other_seat}.",
        "{seat} берёт карточку уровня {level}; её отдаёт {other_seat}.",
    ),
    "event.cut": ("{seat} strikes the web at {spot}, {side}.", "{seat} рубит паутину у {spot}, {side}."),
    "event.goal-shown": ("The goal at {spot} is {goal}.", "Цель на {spot}: {goal}."),
    "event.goal-laid": (
        "The goal at {spot} lies open, turned {turn}°.",
        "Цель на {spot} открыта, поворот {turn}°.",
    ),
    "event.vein-found": (
        "{gold} {gold#nugget|nuggets} on the vein at {spot}.",
        "В жиле на {spot} {gold} {gold#самородок|самородка|самородков}.",
    ),
    "event.left": (
        "{seat} leaves the cave with {gold} {gold#nugget|nuggets}!",
        "{seat} выходит из пещеры: {gold} {gold#самородок|самородка|самородков}!",
    ),
    "event.saw-aside": ("The clan cards set aside: {cards}.", "Отложенные карточки кланов: {cards}."),
    "event.laid": (
        "{seat} lays {card} at {spot}, turned {turn}°.",
        "{seat} выкладывает на {spot}: {card}, поворот {turn}°.",
    ),
    "event.passed": (
        "{seat} discards {n} {n#card|cards} (level {levels}).",
        "{seat} сбрасывает {n} {n#карточку|карточки|карточек} (уровень {levels}).",
    ),
    "event.played": ("{seat} plays {card}.", "{seat} разыгрывает: {card}."),
    "event.looked-at-goal": ("{seat} looks at the goal {spot}.", "{seat} смотрит цель {spot}."),
    "event.looked-at-clan": (
        "{seat} looks at the clan card of {other_seat}.",
        "{seat} смотрит карточку клана игрока {other_seat}.",
    ),
    "event.saw-clan": ("The clan card of {seat}: {card}.", "Карточка клана игрока {seat}: {card}."),
    "event.saw-goal": ("The goal {spot} is {goal}.", "Цель {spot}: {goal}."),
    "event.fell": ("{card} at {spot} falls in.", "Обвал на {spot}: {card}."),
    "event.vein-buried": (
        "{gold} {gold#nugget|nuggets} of the vein at {spot} go back.",
        "Из жилы на {spot} возвращается {gold} {gold#самородок|самородка|самородков}.",
    ),
    "event.swapped": ("{seat} and {other_seat} swap hands.", "{seat} и {other_seat} меняются карточками."),
    "event.new-hand": ("Your new hand: {cards}.", "Ваши новые карточки: {cards}."),
    "event.web-spun": ("Web {web} at {spot}, {side}.", "Паутина {web} у {spot}, {side}."),
    "event.boots-given": ("Boots for {other_seat} from {seat}.", "{seat} кладёт сапоги игроку {other_seat}."),
    "event.axe-given": ("An axe for {other_seat} from {seat}.", "{seat} кладёт топор игроку {other_seat}."),
    "event.end-proposed": ("{seat} asks to end the game.", "{seat} предлагает закончить игру."),
    "event.end-agreed": ("{seat} agrees to end.", "{seat} согласен закончить."),
    "event.end-declined": ("{seat} wants to play on.", "{seat} хочет играть дальше."),
}

_REFUSALS: dict[str, tuple[str, str]] = {
    "refusal.not-in-hand": ("That card is not in your hand.", "Этой карточки нет у вас в руке."),
    "refusal.unknown-card": (
        "Show the card: its back is not enough.",
        "Покажите карточку: рубашки недостаточно.",
    ),
    "refusal.other-card": ("That card does something else.", "Эта карточка делает другое."),
    "refusal.wrong-level": ("The top card has another level.", "Верхняя карточка другого уровня."),
    "refusal.other-clan": ("That dwarf belongs to the other clan.", "Этот гном из другого клана."),
    "refusal.dwarf-taken": ("That dwarf is taken.", "Этот гном уже занят."),
    "refusal.not-out": ("That does not fit the open clan cards.", "Это не сходится с открытыми карточками."),
    "refusal.no-tunnel": ("That is no tunnel card.", "Это не карточка туннеля."),
    "refusal.quarter-turn": (
        "Long sides meet long sides: no quarter turns.",
        "Длинная сторона к длинной: поворачивать на четверть нельзя.",
    ),
    "refusal.half-turn": (
        "Cards are not turned in this game.",
        "В этой игре карточки не поворачивают.",
    ),
    "refusal.same-turned": (
        "Turned by half this card is the same: lay it upright.",
        "Этот рисунок при повороте тот же: кладите прямо.",
    ),
    "refusal.goal-cell": (
        "A goal card lies at {cells}.",
        "На {cells} лежит карточка цели.",
    ),
    "refusal.taken": ("A card lies at {cells} already.", "На {cells} уже лежит карточка."),
    "refusal.touches-nothing": (
        "A tunnel must touch a card that lies already.",
        "Туннель должен касаться уже выложенной карточки.",
    ),
    "refusal.only-goal": (
        "Touching a face-down goal is not enough.",
        "Касаться только закрытой цели недостаточно.",
    ),
    "refusal.only-corner": ("Touching at a corner is not enough.", "Касания углом недостаточно."),
    "refusal.edges-differ": (
        "The tunnels do not meet: {cells}.",
        "Туннели не стыкуются: {cells}.",
    ),
    "refusal.no-joint": (
        "No tunnel of the card goes on: wall against wall only.",
        "Ни один туннель не продолжается: только стена к стене.",
    ),
    "refusal.cut-off": (
        "That part is cut off from the entrance: {cells}.",
        "Эта часть отрезана от входа: {cells}.",
    ),
    "refusal.other-tunnel": (
        "This tunnel of {cells} is not the one joined to the entrance.",
        "Этот туннель на {cells} не соединён со входом.",
    ),
    "refusal.one-or-two": ("Discard one or two cards.", "Сбросьте одну или две карточки."),
    "refusal.card-order": (
        "Name the cards in the order of the list.",
        "Назовите карточки по порядку списка.",
    ),
    "refusal.no-closed-goal": ("No face-down goal lies there.", "Там нет закрытой цели."),
    "refusal.own-clan": ("You know your own clan card.", "Свою карточку клана вы знаете."),
    "refusal.clan-open": ("That clan card lies open.", "Эта карточка клана уже открыта."),
    "refusal.no-player": ("Choose another player of this game.", "Выберите другого участника игры."),
    "refusal.no-rockfall-here": (
        "The entrance and the goals cannot fall in.",
        "Вход и карточки целей обвалить нельзя.",
    ),
    "refusal.no-card": ("No card lies there.", "Там нет карточки."),
    "refusal.occupied": ("Somebody stands on that card.", "На этой карточке кто-то стоит."),
    "refusal.web-there": ("A web lies there already.", "Там уже есть паутина."),
    "refusal.no-joint-or-end": (
        "A web needs a joint of two cards or an open end of a tunnel card.",
        "Паутине нужен стык двух карточек или открытый конец туннеля.",
    ),
    "refusal.has-boots": ("Boots lie there already.", "Сапоги там уже лежат."),
    "refusal.creature-in-play": (
        "The creature is in the cave already: move it on.",
        "Существо уже в пещере: двигайте его дальше.",
    ),
    "refusal.creature-not-in-play": (
        "The creature is not in the cave yet: call it to a dark hole.",
        "Существа ещё нет в пещере: вызовите его на тёмную дыру.",
    ),
    "refusal.no-hole": ("No dark hole lies open yet.", "Открытых тёмных дыр ещё нет."),
    "refusal.not-a-hole": ("That is no dark hole.", "Это не тёмная дыра."),
    "refusal.only-back": (
        "From a face-down goal the creature can only go back.",
        "С закрытой цели существо может только вернуться.",
    ),
    "refusal.no-steps": ("No steps are left.", "Шагов не осталось."),
    "refusal.lying": ("The dwarf cannot move this turn.", "В этот ход гном не двигается."),
    "refusal.no-place": ("Nobody can stand there.", "Там нельзя стоять."),
    "refusal.web": ("A web blocks the way: {cells}.", "Путь закрыт паутиной: {cells}."),
    "refusal.not-linked": (
        "These tunnels of the card are not joined.",
        "Эти туннели карточки не соединены.",
    ),
    "refusal.wall": ("A wall is in the way: {cells}.", "Мешает стена: {cells}."),
    "refusal.not-adjacent": ("That is more than one step.", "Это дальше одного шага."),
    "refusal.no-such-card": ("The hand has fewer cards.", "В руке меньше карточек."),
    "refusal.no-web": ("No web lies there.", "Там нет паутины."),
    "refusal.no-axe": ("No axe lies before you.", "Перед вами нет топора."),
    "refusal.axe-fresh": (
        "The axe was laid this turn: use it from the next one on.",
        "Топор выложен в этот ход: применять его можно позже.",
    ),
    "refusal.not-beside": (
        "Your dwarf does not stand beside that web.",
        "Ваш гном не рядом с этой паутиной.",
    ),
    "refusal.goal-does-not-fit": (
        "The goal must fit its neighbours where it can.",
        "Цель должна стыковаться с соседями, если это возможно.",
    ),
    "refusal.no-early-end": ("An early end is switched off.", "Досрочное окончание выключено."),
    "refusal.asked-already": ("That was asked this turn.", "Об этом в этот ход уже спрашивали."),
    "refusal.way-open": (
        "A dwarf may still get to the exit.",
        "Кто-то из гномов ещё может добраться до выхода.",
    ),
}

_WHY: dict[str, tuple[str, str]] = {
    "why.goal-cell": ("{card}: a goal card lies here.", "{card}: здесь лежит карточка цели."),
    "why.taken": ("{card}: a card lies here already.", "{card}: здесь уже лежит карточка."),
    "why.touches-nothing": ("{card}: touches no laid card.", "{card}: не касается выложенных карточек."),
    "why.only-goal": (
        "{card}: touches only a face-down goal.",
        "{card}: касается только закрытой цели.",
    ),
    "why.only-corner": ("{card}: touches only at a corner.", "{card}: касается только углом."),
    "why.edges-differ": ("{card}: the tunnels do not meet.", "{card}: туннели не стыкуются."),
    "why.no-joint": ("{card}: wall against wall only.", "{card}: только стена к стене."),
    "why.cut-off": ("{card}: cut off from the entrance.", "{card}: отрезано от входа."),
    "why.other-tunnel": (
        "{card}: the tunnel here is not the one joined to the entrance.",
        "{card}: этот туннель не соединён со входом.",
    ),
    "why.may-lay": ("{card} may be laid here.", "{card} можно выложить сюда."),
    "why.may-build": ("A tunnel can be built on here.", "Отсюда можно строить дальше."),
    "why.no-building": (
        "Nothing joined to the entrance opens to this place.",
        "Сюда не выходит ни один туннель, соединённый со входом.",
    ),
    "why.joined": ("{card}: joined to the entrance.", "{card}: соединено со входом."),
    "why.half-joined": (
        "{card}: only one of its tunnels is joined to the entrance.",
        "{card}: со входом соединён только один из туннелей.",
    ),
    "why.has-ladder": (
        "Ladder: one step to any other ladder.",
        "Лестница: один шаг до любой другой лестницы.",
    ),
    "why.has-bridge": (
        "Bridge: whoever walks over it loses a hand card.",
        "Мост: прошедший по нему теряет карточку с руки.",
    ),
    "why.has-passage": (
        "Secret passage: entering it costs a nugget.",
        "Тайный проход: вход стоит самородка.",
    ),
    "why.has-hole": ("Dark hole: creatures come out here.", "Тёмная дыра: отсюда выходят существа."),
    "why.has-exit": ("The exit: whoever gets here leaves.", "Выход: кто дошёл, покидает пещеру."),
    "why.vein": (
        "Gold vein: who ends the move here may take the nugget, and then shows the clan card.",
        "Золотая жила: закончивший здесь ход может взять самородок и тогда открывает карточку клана.",
    ),
    "why.vein-empty": ("Gold vein: nothing is left.", "Золотая жила: пусто."),
    "why.goal-hidden": (
        "A face-down goal: the first dwarf here turns it.",
        "Закрытая цель: её откроет первый дошедший гном.",
    ),
    "why.goal-known": ("You have seen it: {goal}.", "Вы видели: {goal}."),
    "why.goal-seen": ("Looked at by {seats}.", "Смотрели: {seats}."),
    "why.in-reach": (
        "In reach with {n} {n#step|steps}; lost on the way: cards {lost_cards}, nuggets {gold}.",
        "Достижимо за {n} {n#шаг|шага|шагов}; потери: карточки {lost_cards}, самородки {gold}.",
    ),
    "why.out-of-reach": (
        "Out of reach with {n} {n#step|steps}.",
        "Не достать за {n} {n#шаг|шага|шагов}.",
    ),
    "why.creature": (
        "{creature} stays until the next turn of {seat}; who comes here is attacked.",
        "{creature} остаётся до следующего хода игрока {seat} и атакует вошедшего.",
    ),
    "why.web": (
        "Web {web}: nobody passes; it shows {n}.",
        "Паутина {web}: никто не пройдёт; на ней {n}.",
    ),
    "why.lying": (
        "The dwarf of {seat} is paralysed and rests in its next turn.",
        "Гном игрока {seat} парализован и в следующий ход не двигается.",
    ),
    "why.deck": (
        "{n} {n#card|cards} left to draw.",
        "Осталось {n} {n#карточка|карточки|карточек}.",
    ),
    "why.seat": (
        "{seat}: {gold} {gold#nugget|nuggets}, {n} {n#card|cards}.",
        "{seat}: {gold} {gold#самородок|самородка|самородков}, {n} {n#карточка|карточки|карточек}.",
    ),
    "why.clan-open": ("{seat} has shown: {card}.", "{seat} открыл: {card}."),
    "why.left": (
        "{seat} is out with {gold} {gold#nugget|nuggets}.",
        "{seat} вышел: {gold} {gold#самородок|самородка|самородков}.",
    ),
}

_BOARD = {
    "board.deck": ("deck", "колода"),
    **{f"word.{name}": (said, said) for name, said in zip(NAMES, PRINTED, strict=False)},
    **{f"board.p{n}": (f"player {n}", f"игрок {n}") for n in range(1, 9)},
}

_HINTS = {
    "hint.gold-taken": ("Gold is taken", "Кто-то берёт золото"),
    "hint.attacked": ("A creature attacks", "Чудовище нападает"),
    "hint.vein-found": ("A vein of gold is found", "Найдена золотая жила"),
    "hint.nugget-lost": ("Somebody loses a nugget", "Кто-то теряет самородок"),
    "hint.left": ("Somebody leaves the cave", "Кто-то выходит из пещеры"),
}
"""What may come up soon, as hints give it for a reason."""

TEXTS = Texts(_HINTS, _cards(), _clans(), _WORDS, _BOARD, _OPTIONS, _PHASES, _VERBS, _EVENTS, _REFUSALS, _WHY)
