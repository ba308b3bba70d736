"""Words for people, in English and Russian. Names and card texts come from the data files."""

from __future__ import annotations

from typing import Any

from companion.engine.text import Texts
from companion.games.whisper.data import FILES, read
from companion.games.whisper.pieces import BOX, DICE, GEARS, IN_PLAY, KEYS, RESCUE, SURVIVORS
from companion.games.whisper.readings import READINGS

_GAME = {
    "game.title": ("Whisper (Terrorscape)", "Шёпот за стеной"),
    "game.about": (
        "A killer hunts three survivors in a mansion. Find five keys, or repair the radio and hold out.",
        "Убийца охотится на трёх жертв. Найдите пять ключей или почините передатчик и продержитесь.",
    ),
    "seat.killer": ("the killer", "убийца"),
    "seat.survivor1": ("survivors' player 1", "игрок за жертв 1"),
    "seat.survivor2": ("survivors' player 2", "игрок за жертв 2"),
    "seat.survivor3": ("survivors' player 3", "игрок за жертв 3"),
}

_EVENTS = {
    "chose-killer": ("You will hunt as {killer}.", "Вы играете за персонажа «{killer}»."),
    "chose-survivors": ("The survivors are {survivors}.", "Жертвы: {survivors}."),
    "announced": ("{killer} hunts {survivors}.", "{killer} охотится. Жертвы: {survivors}."),
    "learned": ("Skill drawn: {skill}.", "Вытянут навык: {skill}."),
    "mastered": ("Skill kept: {skill}.", "Выбран навык: {skill}."),
    "showed-skills": ("The killer's skills: {skills}.", "Навыки убийцы: {skills}."),
    "dealt-plan": ("Plan drawn: {plan}.", "Вытянут план: {plan}."),
    "token-passed": ("{survivor} has the first-player token.", "Жетон первого игрока: {survivor}."),
    "round-began": ("Round {round}: the survivors' turn.", "Раунд {round}: ход жертв."),
    "rescue-moved": ("The rescue token is on {n}.", "Жетон спасения на ячейке {n}."),
    "rescue-called": (
        "The radio works: the rescue token is on {n}.",
        "Передатчик работает: жетон спасения на ячейке {n}.",
    ),
    "escaped": ("{survivor} has escaped through {cell}.", "{survivor}: бегство через {cell@acc}."),
    "woke": ("{survivor} acts.", "Действует {survivor}."),
    "rested": ("{survivor} has finished.", "{survivor}: ход завершён."),
    "moved": ("{survivor}: {from_cell} to {cell}.", "{survivor}: {from_cell@from} {cell@to}."),
    "calmed": (
        "{survivor} has {n} {n#fear token|fear tokens} left.",
        "{survivor}: {n#остался|осталось|осталось} {n} {n#жетон|жетона|жетонов} страха.",
    ),
    "barricade-removed": ("The barricade {passage} is removed.", "Баррикада {passage} убрана."),
    "barricade-broken": ("The killer breaks the barricade {passage}.", "Убийца ломает баррикаду {passage}."),
    "barricade-stands": ("{passage} is barricaded already.", "Проход {passage} уже заблокирован."),
    "barricade-taken": (
        "The barricade {passage} is taken for another place.",
        "Баррикада {passage} переносится в другое место.",
    ),
    "barricaded": ("The passage {passage} is barricaded.", "Проход {passage} заблокирован."),
    "gave": ("{survivor} gives {item} to {other}.", "{survivor} передаёт «{item}»: {other}."),
    "offered": ("{survivor} offers {item} to {other}.", "{survivor} предлагает «{item}»: {other}."),
    "turned-down": (
        "{other} turns down {item} of {survivor}.",
        "{other} отказывается: «{item}», {survivor}.",
    ),
    "looted": ("{survivor} takes {item} from {other}.", "{survivor} забирает «{item}»: {other}."),
    "repaired": (
        "{survivor} places {placed} {placed#gear|gears}: {n} of 5.",
        "{survivor} ставит {placed} {placed#шестерёнку|шестерёнки|шестерёнок}: {n} из 5.",
    ),
    "made-noise": ("Noise in {cell}.", "Шум {cell@in}."),
    "searched-room": ("{survivor} searches {cell}.", "{survivor} ищет предметы {cell@in}."),
    "found": ("{survivor} finds {item}.", "{survivor} находит «{item}»."),
    "kept": ("{survivor} keeps {item}.", "{survivor} оставляет «{item}»."),
    "left": ("{survivor} discards {item}.", "{survivor} сбрасывает «{item}»."),
    "key-placed": ("A key is on the roof: {n}.", "Ключ выложен на крышу: {n}."),
    "key-hidden": ("{survivor} has {n} {n#key|keys}.", "{survivor}: {n} {n#ключ|ключа|ключей}."),
    "used": ("{survivor} uses {thing}.", "{survivor} применяет «{thing}»."),
    "healed": ("{survivor} is healed.", "{survivor}: лечение."),
    "placed": ("A token is put: {token} in {cell}.", "Выложен жетон: {token} {cell@in}."),
    "lit-firecracker": ("{survivor} lights the firecracker.", "{survivor} поджигает петарду."),
    "equipping": ("{survivor} gets the equipment.", "Экипировку получает {survivor}."),
    "unpacked": ("{survivor} draws {item}.", "{survivor} вытягивает «{item}»."),
    "hushed": ("{survivor} draws without a sound.", "{survivor}: шума от экипировки нет."),
    "planned": ("Plan {plan}: line {n} is done.", "План «{plan}»: строка {n} выполнена."),
    "plan-done": ("The plan {plan} is accomplished.", "План «{plan}» осуществлён."),
    "noise-reported": ("Noise in {cells}.", "Шум: {cells}."),
    "silence-reported": ("No noise.", "Шума нет."),
    "firecracker": ("A firecracker: noise everywhere.", "Петарда: шум повсюду."),
    "killer-began": ("The killer's turn.", "Ход убийцы."),
    "killer-waited": ("The killer skips this turn.", "Убийца пропускает ход."),
    "killer-draws": ("The killer draws {n} {n#card|cards}.", "Убийца берёт {n} {n#карту|карты|карт}."),
    "revealed": ("The killer reveals himself in {cell}.", "Убийца раскрывается {cell@in}."),
    "played-for-all": (
        "The killer plays {card} (cost: all other cards).",
        "Убийца разыгрывает «{card}» (стоимость: все остальные карты).",
    ),
    "played": ("The killer plays {card} (cost {cost}).", "Убийца разыгрывает «{card}» (стоимость {cost})."),
    "paid": ("You discard {card} as payment.", "В оплату сброшена карта «{card}»."),
    "accepted": ("The killer uses {offer} (cost {cost}).", "Убийца применяет «{offer}» (стоимость {cost})."),
    "killer-moved": (
        "The killer goes from {from_cell} to {cell}.",
        "Убийца идёт {from_cell@from} {cell@to}.",
    ),
    "vanished": ("The killer vanishes; last seen in {cell}.", "Убийца скрылся; последнее место: {cell}."),
    "sneaked": ("You are in {cell}, unseen.", "Вы тайно находитесь {cell@in}."),
    "asked-zone": ("The killer asks about the {zone} zone.", "Убийца спрашивает о зоне: {zone}."),
    "asked-places": ("The killer asks about {cells}.", "Убийца спрашивает о локациях: {cells}."),
    "sensed": ("Sense in {cells}: {survivors}.", "Чутьё ({cells}): {survivors}."),
    "exposed": ("{survivor} is in {cell}.", "{survivor} находится {cell@in}."),
    "nobody-exposed": ("Nobody has to tell the place.", "Называть место некому."),
    "searched": ("The killer searches {cell}: {survivors}.", "Убийца ищет {cell@in}: {survivors}."),
    "nobody-frightened": ("Nobody is frightened.", "Никто не испуган."),
    "frightened": (
        "{survivor} has {n} {n#fear token|fear tokens}.",
        "{survivor}: {n} {n#жетон|жетона|жетонов} страха.",
    ),
    "panicked": ("{survivor} panics in {cell}.", "{survivor}: приступ паники {cell@in}."),
    "nobody-wounded": ("Nobody is wounded.", "Никто не ранен."),
    "threatened": ("{survivor} is about to be wounded.", "{survivor} вот-вот получит ранение."),
    "wounded": ("{survivor} is wounded: {n} left.", "{survivor}: ранение, осталось здоровья: {n}."),
    "warded": ("{survivor} shows the amulet: no wound.", "{survivor} показывает амулет: ранения нет."),
    "died": ("{survivor} is dead.", "{survivor}: смерть."),
    "drew": ("You draw {card}.", "Вы берёте «{card}»."),
    "overflowed": ("Your hand is full: {card} is discarded.", "Рука полна: «{card}» уходит в сброс."),
    "milled": ("{card} goes from the deck to the discard pile.", "«{card}» уходит из колоды в сброс."),
    "discarded": ("You discard {card}.", "Вы сбрасываете «{card}»."),
    "level-rose": ("The killer reaches level {n}.", "Уровень убийцы: {n}."),
    "strength-changed": ("The killer's strength is {n}.", "Сила убийцы: {n}."),
    "unlocked": ("The killer gets {card}.", "Убийца получает карту «{card}»."),
    "reshuffled": ("Your discard pile is the new deck.", "Ваш сброс стал новой колодой."),
    "noted": ("Note {token} in {cell}.", "Пометка {token} {cell@in}."),
    "guessed": ("Your guess: {n} {n#gear|gears}.", "Ваша догадка: {n} {n#шестерёнка|шестерёнки|шестерёнок}."),
    "encounter-began": ("Encounter in {cell}: {survivors}.", "Столкновение {cell@in}: {survivors}."),
    "encounter-cancelled": ("The killer lets them go.", "Убийца отменяет столкновение."),
    "shielded": ("{survivor} shields the others.", "{survivor} прикрывает остальных."),
    "left-encounter": ("{survivor} gets away before the attack.", "{survivor} успевает уйти до атаки."),
    "faced": ("{survivor} defends against strength {n}.", "Защищается {survivor}, сила убийцы {n}."),
    "guarded": ("{survivor} uses {thing}.", "{survivor} применяет «{thing}»."),
    "threw": ("{survivor} throws {item}.", "{survivor} бросает «{item}»."),
    "bared": ("{survivor} uses no item.", "{survivor} не применяет предмет."),
    "rolled": (
        "{survivor} rolls {dice} (+{more}): {total} against {n}.",
        "{survivor} бросает {dice} (+{more}): {total} против {n}.",
    ),
    "trap-sprung": ("The trap in {cell} adds 2 for {survivor}.", "Капкан {cell@in}: плюс 2, {survivor}."),
    "repelled": (
        "{survivor} repels the killer, who loses {n} {n#card|cards}.",
        "{survivor} отражает атаку, убийца теряет {n} {n#карту|карты|карт}.",
    ),
    "hit": ("{survivor} is hit.", "{survivor} не отражает атаку."),
    "encounter-ended": (
        "The encounter is over; {survivors} may flee.",
        "Столкновение окончено; могут бежать: {survivors}.",
    ),
    "ended": ("The game is over. {outcome}", "Игра окончена. {outcome}"),
}

_REFUSALS = {
    "four-players": (
        "At the crossroads needs exactly four players.",
        "«На распутье» — только для четырёх игроков.",
    ),
    "same-survivor": ("Choose three different survivors.", "Выберите трёх разных персонажей."),
    "not-in-play": ("That survivor is not in the house.", "Этого персонажа нет в доме."),
    "not-your-survivor": ("That survivor is not yours.", "Это не ваш персонаж."),
    "activation-closed": ("That survivor has acted this turn.", "Этот персонаж уже действовал."),
    "main-action-due": ("The main action is still to be taken.", "Сначала выполните основное действие."),
    "main-action-done": ("The main action has been taken.", "Основное действие уже выполнено."),
    "walled-in": ("Every way out is barricaded.", "Все выходы заблокированы."),
    "barricade": ("A barricade is in the way.", "Путь преграждает баррикада."),
    "too-far": ("That is too far.", "Слишком далеко."),
    "not-here": ("That passage is not at this place.", "Этот проход не здесь."),
    "no-barricade": ("There is no barricade.", "Здесь нет баррикады."),
    "full": ("The inventory is full.", "Инвентарь полон."),
    "exchange-over": (
        "The exchange comes before the actions of the turn.",
        "Обмен проводится до действий этого хода.",
    ),
    "keys-stay": ("Keys are never exchanged.", "Ключами не обмениваются."),
    "no-item": ("{item} is not there.", "Нет предмета «{item}»."),
    "apart": ("They are not in the same place.", "Они в разных локациях."),
    "unseen-items": (
        "What the others hold is hidden: give instead.",
        "Чужие предметы скрыты: просто передайте свой.",
    ),
    "give-instead": ("A slot is free: simply give.", "Есть свободный слот: просто передайте."),
    "not-dead": ("Only from the dead.", "Только у погибших."),
    "no-radio": ("The radio is elsewhere.", "Передатчик не здесь."),
    "radio-works": ("The radio works already.", "Передатчик уже работает."),
    "killer-here": ("Not while the killer is here.", "Нельзя, пока здесь убийца."),
    "repaired": ("Gears have been placed this round.", "В этом раунде шестерёнки уже ставили."),
    "nothing-to-search": ("There is nothing to search here.", "Здесь нельзя искать предметы."),
    "search-deck-empty": ("The search deck is empty.", "Колода поиска пуста."),
    "not-yours": ("{thing} belongs to somebody else.", "«{thing}» принадлежит другому."),
    "used-up": ("{thing} is used up.", "«{thing}» уже использовано."),
    "not-an-action": ("{thing} cannot be used as an action.", "«{thing}» нельзя применить как действие."),
    "owner-only": ("Only {survivor} can use {item}.", "«{item}» может применить только {survivor}."),
    "plan-not-done": ("The plan {plan} is not accomplished.", "План «{plan}» не осуществлён."),
    "one-target": ("One target at most.", "Не больше одной цели."),
    "wrong-place": ("This must be done elsewhere.", "Это делается в другом месте."),
    "target-missing": ("A target is needed.", "Нужно указать цель."),
    "bad-target": ("That is no target for it.", "Это не подходящая цель."),
    "not-wounded": ("Nobody here needs it.", "Здесь это никому не нужно."),
    "no-passage": ("There is no secret passage here.", "Здесь нет тайного прохода."),
    "not-in-pile": ("It is not in the discard pile.", "В сбросе этого нет."),
    "alone": ("Nobody else is here.", "Здесь больше никого."),
    "one-card": ("Only one card was drawn.", "Вытянута всего одна карта."),
    "plan-not-dealt": ("{plan} is not one of your plans.", "«{plan}» — не ваш план."),
    "line-not-met": (
        "{plan}: the next line is not fulfilled ({step}).",
        "«{plan}»: следующее условие не выполнено ({step}).",
    ),
    "not-in-hand": ("{card} is not in your hand.", "«{card}» нет на руке."),
    "wrong-step": ("{card} is not for this step.", "«{card}» — не для этого шага."),
    "acted-already": (
        "After a basic action no boost card.",
        "После базового действия усиление разыграть нельзя.",
    ),
    "cannot-pay": (
        "{card} costs {n} other {n#card|cards}.",
        "«{card}»: нужно сбросить ещё {n} {n#карту|карты|карт}.",
    ),
    "not-offered": ("{offer} is not offered now.", "«{offer}» сейчас применить нельзя."),
    "not-adjacent": ("Those places are not adjacent.", "Эти локации не соседние."),
    "must-move": ("At least one step must be taken.", "Нужно сделать хотя бы один шаг."),
    "no-noise": ("There is no noise.", "Там нет шума."),
    "not-to-reuse": ("That barricade cannot be taken.", "Эту баррикаду взять нельзя."),
    "noted": ("It is there already.", "Уже отмечено."),
    "not-to-attack": ("That survivor is not to be attacked now.", "Этого персонажа сейчас не атакуют."),
    "no-defence": ("{thing} does not help in defence.", "«{thing}» не помогает в защите."),
    "needs-other": ("{item} needs {other}.", "Для «{item}» нужен предмет «{other}»."),
    "no-effect-alone": ("{item} does nothing by itself.", "«{item}» само по себе ничего не даёт."),
    "wrong-dice": (
        "Exactly {n} {n#die|dice} must be read.",
        "Нужно прочесть ровно {n} {n#кубик|кубика|кубиков}.",
    ),
    "no-such-face": ("No die has such a face.", "Такой грани на кубиках нет."),
}

_WHY = {
    "four-players": _REFUSALS["four-players"],
    "barricade": (
        "A barricade stops survivors; the killer breaks it.",
        "Баррикада не пускает жертв; убийца её ломает.",
    ),
    "passage": ("A passage that can be barricaded.", "Проход, который можно заблокировать."),
    "last-seen": (
        "The killer was last seen here; he is in stealth.",
        "Здесь убийцу видели в последний раз; он скрывается.",
    ),
    "killer": (
        "The killer is here, strength {n}: no repair, no search.",
        "Здесь убийца, сила {n}: ни починки, ни поиска.",
    ),
    "firecracker": ("A firecracker: every place counts as noisy.", "Петарда: шум считается повсюду."),
    "noise": ("Noise was reported here.", "Отсюда сообщили о шуме."),
    "unreported-noise": ("Noise here will be in the report.", "Об этом шуме придётся сообщить."),
    "radio": ("The radio: repair places gears.", "Передатчик: здесь ставят шестерёнки."),
    "searchable": ("Items can be searched for here.", "Здесь можно искать предметы."),
    "secret-passage": ("A secret passage leads to {cell}.", "Тайный проход ведёт {cell@to}."),
    "exit": ("An exit; keys on the roof: {n} of 5.", "Выход; ключей на крыше: {n} из 5."),
    "stealth": ("The killer hides until his next turn.", "Убийца скрывается до своего следующего хода."),
    "rescue": ("Rescue comes in {n} {n#round|rounds}.", "Помощь через {n} {n#раунд|раунда|раундов}."),
    "keys": ("{n} of 5 keys are on the roof.", "На крыше {n} из 5 ключей."),
    "strength": (
        "Level {level}, strength {n}: a defence needs that much.",
        "Уровень {level}, сила {n}: столько нужно для защиты.",
    ),
    "gears": ("{n} of 5 gears are placed.", "Поставлено {n} из 5 шестерёнок."),
    "equipment": (
        "{n} equipment cards are left; an empty deck loses.",
        "Карт экипировки осталось: {n}; пустая колода — поражение.",
    ),
    "search-deck": (
        "{n} search cards are left, the last is a key.",
        "Карт поиска осталось: {n}, последняя — ключ.",
    ),
}

_VERBS = {
    "hunt": ("Hunt as {killer}", "Играть за: {killer}"),
    "cast": ("Play {first}, {second}, {third}", "Играть: {first}, {second}, {third}"),
    "learn": ("Skill drawn: {skill}", "Вытянут навык: {skill}"),
    "master": ("Keep {skill}", "Оставить: {skill}"),
    "deal": ("Plan drawn: {plan}", "Вытянут план: {plan}"),
    "first": ("First-player token: {survivor}", "Жетон первого игрока: {survivor}"),
    "wake": ("{survivor} acts", "Действует {survivor}"),
    "give": ("{survivor} gives {item} to {survivor2}", "{survivor} отдаёт «{item}»: {survivor2}"),
    "swap": (
        "{survivor}: {item} for {item2} of {survivor2}",
        "{survivor}: «{item}» на «{item2}», {survivor2}",
    ),
    "agree": ("Agree", "Согласиться"),
    "refuse": ("Refuse", "Отказаться"),
    "move": ("Go to {location}", "Идти {location@to}"),
    "calm": ("Calm down", "Убрать страх"),
    "clear": ("Remove the barricade {passage}", "Убрать баррикаду {passage}"),
    "repair": ("Repair the radio", "Чинить передатчик"),
    "rummage": ("Search for items", "Искать предметы"),
    "use": ("Use {thing}: {rest}", "Применить «{thing}»: {rest}"),
    "loot": ("Take {item} from {survivor}", "Забрать «{item}»: {survivor}"),
    "done": ("Finish", "Завершить ход персонажа"),
    "find": ("Found: {item}", "Найдено: {item}"),
    "keep": ("Keep {item}", "Оставить «{item}»"),
    "leave": ("Discard", "Сбросить"),
    "shed": ("Discard {item}", "Сбросить «{item}»"),
    "equip": ("Equipment for {survivor}", "Экипировка: {survivor}"),
    "unpack": ("Drawn: {item}", "Вытянуто: {item}"),
    "keep-both": ("Keep both", "Оставить обе"),
    "advance": ("Tick off a line of {plan}", "Отметить строку плана «{plan}»"),
    "report": ("Tell the killer the noise", "Сообщить убийце о шуме"),
    "confirm": ("Confirm the answer", "Подтвердить ответ"),
    "reveal": ("Reveal yourself", "Раскрыться"),
    "play": ("Play {card}", "Разыграть «{card}»"),
    "pay": ("Pay with {card}", "Оплатить картой «{card}»"),
    "go": ("Go to {location}", "Идти {location@to}"),
    "halt": ("Stop here", "Остановиться"),
    "search": ("Search here", "Искать здесь"),
    "sneak": ("Sneak to {location}", "Прокрасться {location@to}"),
    "ask": ("Ask about the {zone} zone", "Спросить о зоне: {zone}"),
    "ask-pair": ("Ask about {pair}", "Спросить о паре: {pair}"),
    "ask-noise": ("Ask about the noise in {location}", "Спросить о шуме {location@in}"),
    "block": ("Barricade {passage}", "Заблокировать {passage}"),
    "reuse": ("Take the barricade {passage}", "Взять баррикаду {passage}"),
    "frighten": ("Frighten {survivor}", "Напугать: {survivor}"),
    "discard": ("Discard {card}", "Сбросить «{card}»"),
    "draw": ("Drawn: {card}", "Вытянуто: {card}"),
    "mill": ("Discarded from the deck: {card}", "Сброшено из колоды: {card}"),
    "accept": ("Use {offer}", "Применить «{offer}»"),
    "decline": ("Do not", "Не применять"),
    "next": ("Go on", "Дальше"),
    "note": ("Note {token} in {location}", "Пометка {token} {location@in}"),
    "guess": ("Guess {guess} gears", "Догадка о шестерёнках: {guess}"),
    "face": ("{survivor} defends", "Защищается {survivor}"),
    "guard": ("Defend with {thing}", "Защититься: «{thing}»"),
    "throw": ("Throw a bottle (+2)", "Бросить бутылку (+2)"),
    "bare": ("Defend without an item", "Защищаться без предмета"),
    "roll": ("Dice: {roll}", "Кубики: {roll}"),
    "ward": ("Show the amulet", "Показать амулет"),
    "endure": ("Take the wound", "Принять ранение"),
    "flee": ("Flee to {location}", "Бежать {location@to}"),
    "stay": ("Stay", "Остаться"),
}

_PHASES = {
    "over": ("The game is over", "Игра окончена"),
    "setup": ("The table is being set up", "Идёт подготовка"),
    "survivors-act": ("The survivors act", "Ходят жертвы"),
    "killer-acts": ("The killer acts", "Ходит убийца"),
    "encounter": ("Encounter", "Столкновение"),
    "choose": (
        "Choose in secret who plays: drag them into the row",
        "Тайно выберите, кто играет: перетащите их в ряд",
    ),
    "learning": ("Skills are dealt", "Раздаются навыки"),
    "mastery": ("Choose a skill", "Выберите навык"),
    "training": ("Choose your skills", "Выберите свои навыки"),
    "dealing": ("Plans are dealt", "Раздаются планы"),
    "token": ("Who gets the first-player token?", "Кому жетон первого игрока?"),
    "pick": ("Who acts next?", "Кто действует следующим?"),
    "active": ("Walk, search or do something else", "Идите, ищите или сделайте что-то ещё"),
    "finding": ("Turn up a search card", "Откройте карту поиска"),
    "found": ("Keep or discard?", "Оставить или сбросить?"),
    "shed": ("Too many items: discard one", "Лишний предмет: сбросьте один"),
    "receive": ("Who gets the equipment?", "Кому экипировка?"),
    "unpacking": ("Draw equipment", "Возьмите карты экипировки"),
    "drawn": ("Keep one card at most", "Оставьте не больше одной карты"),
    "hush": ("Cancel the noise of the draw?", "Отменить шум от экипировки?"),
    "agree": ("Something is offered to you", "Вам что-то предлагают"),
    "plan": ("Is a line of a plan fulfilled?", "Выполнена ли строка плана?"),
    "share": ("Who draws the search card?", "Кто берёт карту поиска?"),
    "reporting": ("Report the noise", "Сообщите о шуме"),
    "confirm": ("Confirm the honest answer", "Подтвердите честный ответ"),
    "reveal": ("You must reveal yourself", "Вы должны раскрыться"),
    "start": ("Skills at the start of the turn", "Навыки в начале хода"),
    "instant": ("Play an instant card, or go on", "Сыграйте мгновенную карту или нажмите «Дальше»"),
    "main": (
        "Play a boost card or do two basic actions",
        "Сыграйте карту усиления или сделайте два базовых действия",
    ),
    "planning": ("Prepare a planning card, or go on", "Подготовьте карту планирования или нажмите «Дальше»"),
    "ending": ("Skills at the end of the turn", "Навыки в конце хода"),
    "pay": ("Pay the cost", "Оплатите стоимость"),
    "walk": ("Move", "Перемещение"),
    "sneak": ("Sneak in secret", "Тайное перемещение"),
    "ask": ("Which zone?", "Какая зона?"),
    "ask-pair": ("Which two adjacent places?", "Какие две соседние локации?"),
    "ask-noise": ("Which noise?", "Какой шум?"),
    "block": ("Which passage?", "Какой проход?"),
    "reuse": ("Which barricade is taken?", "Какую баррикаду взять?"),
    "frighten": ("Who is frightened?", "Кого напугать?"),
    "discard": ("Your hand is too full: discard one", "Лишняя карта на руке: сбросьте одну"),
    "offer": ("An option for you", "Вам доступна возможность"),
    "strike": ("Play an attack card?", "Сыграть карту атаки?"),
    "drawing": ("Draw a killer card", "Возьмите карту убийцы"),
    "milling": ("Discard the top killer card", "Сбросьте верхнюю карту убийцы"),
    "hero": ("Shield the others?", "Прикрыть остальных?"),
    "face": ("Who defends?", "Кто защищается?"),
    "guard": ("Use an item for the defence?", "Применить предмет для защиты?"),
    "rolling": ("Roll the dice", "Бросьте кубики"),
    "ward": ("A wound: react?", "Ранение: реакция?"),
    "flee": ("Flee or stay?", "Бежать или остаться?"),
}

_OUTCOMES = {
    "escape": ("The survivors escape through the main entrance.", "Жертвы бежали через главный вход."),
    "secret-exit": ("The survivors escape through the secret exit.", "Жертвы бежали через потайной выход."),
    "rescue": ("Rescue has come.", "Помощь прибыла."),
    "plan": ("The plan of the survivors works.", "План жертв сработал."),
    "killed": ("A survivor is dead: the killer wins.", "Жертва убита: победил убийца."),
    "deck-out": ("The equipment deck is empty: the killer wins.", "Колода экипировки пуста: победил убийца."),
    "invincible": ("All three are dead: the killer is invincible.", "Все трое мертвы: убийца непобедим."),
    "house-empty": ("Nobody is left in the house.", "В доме никого не осталось."),
}

_OPTIONS = {
    "killer": ("Killer", "Убийца"),
    "survivors": ("Survivors", "Жертвы"),
    "skills": ("Skill cards (variant 1)", "Карты навыков (вариант 1)"),
    "survivor_skills": ("Custom: skills drawn/kept per survivor", "Своё: навыков взять/оставить на жертву"),
    "killer_skills": ("Custom: skills drawn/kept by the killer", "Своё: навыков взять/оставить убийце"),
    "crossroads": ("At the crossroads (variant 2)", "На распутье (вариант 2)"),
    "plans": ("Have a plan! (variant 3)", "Есть план! (вариант 3)"),
    "level_trigger": (
        "The killer's level rises (the book: at once when the deck runs out)",
        "Уровень убийцы растёт (в книге: колода «заканчивается… немедленно»)",
    ),
    "exchange": (
        "Items are exchanged (the book lists the exchange before the actions)",
        "Обмен предметами (в книге шаг «Обмен предметами» стоит перед действиями)",
    ),
    "trade_keys": (
        "At the crossroads own keys may be exchanged (the book: “item cards”)",
        "На распутье можно обмениваться ключами (в книге: «картами предметов»)",
    ),
    "private": (
        "Crossroads: hide inventories from each other",
        "На распутье: скрывать инвентарь друг от друга",
    ),
    "tell_hand": ("Tell the killer's hand size (beginners)", "Сообщать число карт убийцы (для новичков)"),
    "deduction": ("Show the killer where survivors can be", "Показывать убийце, где могут быть жертвы"),
    "notes": ("Keep the killer's deduction tokens here", "Вести жетоны дедукции убийцы здесь"),
    "confirm": ("The team confirms every answer", "Команда подтверждает каждый ответ"),
    "alt_dice": ("Dice with one zero (check the box)", "Кубики с одним нулём (проверьте коробку)"),
    "alt_maniac": ("Maniac level 4: +2 strength", "Маньяк, уровень 4: +2 силы"),
    "alt_drain": ("Life Drain costs all other cards", "«Поглощение жизни» стоит все остальные карты"),
    "alt_longsword": ("Longsword +2", "Длинный меч +2"),
    "alt_adrenaline": ("Adrenaline: up to 4 steps", "Адреналин: до 4 шагов"),
    "alt_firecracker": ("Firecracker is a special action", "Петарда — особое действие"),
    "alt_info": ("Information source in K5", "Источник информации в К5"),
    "alt_william": ("William: only weapons cancel the bonus", "Уильям: бонус отменяет только оружие"),
    "alt_skills": ("Other reading of six skills", "Другое прочтение шести навыков"),
    "alt_plans": ("Other reading of two plans", "Другое прочтение двух планов"),
}

_CHOICES = {
    "free": ("choose in secret", "тайный выбор"),
    "mixed": ("survivors' cards and dice cardboard", "карты жертв и кубики картонные"),
    "off": ("off", "нет"),
    "easy": ("easy", "лёгкий"),
    "normal": ("normal", "нормальный"),
    "hard": ("hard", "сложный"),
    "deadly": ("deadly", "убийственный"),
    "custom": ("custom", "своё"),
    "before": ("before anybody acts", "до действий жертв"),
    "anytime": ("at any time of the survivors' turn", "в любой момент хода жертв"),
    "on_need": ("when a card is needed", "когда нужна карта"),
    "on_empty": ("when the deck runs out", "когда колода кончилась"),
    **{f"{n}/{k}": (f"{n}, keep {k}", f"{n}, оставить {k}") for n in range(7) for k in range(4) if k <= n},
}

_WORDS = {
    "red": ("red", "красная"),
    "blue": ("blue", "синяя"),
    "green": ("green", "зелёная"),
    "trap": ("trap", "капкан"),
    "noise": ("noise", "шум"),
    "gear": ("gear", "шестерёнка"),
    "stealth": ("stealth", "скрытность"),
    "barricade": ("barricade", "баррикада"),
    **{f"die_{n}": (f"die: {n}", f"кубик: {n}") for n in {0, 1, 3, *BOX.faces}},
    "plan_marker": ("the plan's marker", "маркер плана"),
    **{f"level{n}": (f"the power of level {n}", f"способность уровня {n}") for n in range(1, 6)},
    **{f"unknown{n}": (f"question mark {n}", f"знак вопроса {n}") for n in range(1, 7)},
    "at_info": ("somebody at the information source", "кто-то у источника информации"),
    "at_tools": ("somebody at the tool store", "кто-то у склада инструментов"),
    "at_spirits": ("somebody at the spirits' abode", "кто-то в обители духов"),
    "at_radio": ("somebody at the radio", "кто-то у передатчика"),
    "at_secret_exit": ("somebody at the secret exit", "кто-то у потайного выхода"),
    "at_killer": ("somebody with the killer", "кто-то рядом с убийцей"),
    "all_together": ("all in one place", "все в одной локации"),
    "all_apart": ("all in different places", "все в разных локациях"),
}

_BOARD = {
    **{f"gear{n}": (f"gear {n}", f"шестерёнка {n}") for n in range(1, GEARS + 1)},
    **{f"die{n}": (f"die {n}", f"кубик {n}") for n in range(1, DICE + 1)},
    "stealth": ("stealth", "скрытность"),
    "equipment": ("equipment", "экипировка"),
    "search": ("search", "поиск"),
    **{f"tile{n}": (f"survivor {n}", f"жертва {n}") for n in range(1, IN_PLAY + 1)},
    **{f"fear{i}.{n}": (f"fear {i}/{n}", f"страх {i}/{n}") for i in range(1, IN_PLAY + 1) for n in (1, 2)},
    **{f"key{n}": (f"key {n}", f"ключ {n}") for n in range(1, KEYS + 1)},
    **{f"rescue{n}": (f"rescue {n}", f"спасение {n}") for n in range(1, RESCUE + 1)},
    "rescue0": ("exit", "выход"),
    **{f"level{n}": (f"level {n}", f"уровень {n}") for n in range(1, 6)},
    **{f"strength{n}": (f"strength {n}", f"сила {n}") for n in range(11)},
    "turn.killer": ("killer's turn", "ход убийцы"),
    "turn.survivors": ("survivors' turn", "ход жертв"),
}


_CASES = {
    "K1": ("в холл", "в холле", "из холла"),
    "K2": ("в галерею", "в галерее", "из галереи"),
    "K3": ("в коридор", "в коридоре", "из коридора"),
    "K4": ("в кабинет", "в кабинете", "из кабинета"),
    "K5": ("в библиотеку", "в библиотеке", "из библиотеки"),
    "C1": ("в гостиную", "в гостиной", "из гостиной"),
    "C2": ("в столовую", "в столовой", "из столовой"),
    "C3": ("на кухню", "на кухне", "с кухни"),
    "C4": ("в кладовую", "в кладовой", "из кладовой"),
    "C5": ("на веранду", "на веранде", "с веранды"),
    "Z1": ("на тропинку", "на тропинке", "с тропинки"),
    "Z2": ("на кладбище", "на кладбище", "с кладбища"),
    "Z3": ("в сарай", "в сарае", "из сарая"),
    "Z4": ("в оранжерею", "в оранжерее", "из оранжереи"),
    "Z5": ("в сад", "в саду", "из сада"),
}
"""Where to, where and where from, as Russian says it of each place."""


def _cases(places: dict[str, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """The cases of the places: English uses the name itself."""
    found = {}
    for code, (to, inside, out) in _CASES.items():
        if f"place.{code}" not in places:
            continue
        english = places[f"place.{code}"][0]
        for case, russian in zip(
            ("to", "in", "from", "acc"), (to, inside, out, to.split(" ", 1)[1]), strict=True
        ):
            found[f"place.{code}@{case}"] = (english, russian)
    return found


def _names() -> dict[str, tuple[str, str]]:
    """Names and texts of everything in the data files."""
    raw = read()
    found: dict[str, tuple[str, str]] = {}
    lists = {"map": "locations", "killer_cards": "cards"}
    for file in FILES:
        entries: list[dict[str, Any]] = raw[file].get(lists.get(file, file), [])
        for entry in entries if file != "dice" else ():
            if file != "map":
                found[f"word.{entry['id']}"] = (entry["en"], entry["ru"])
            else:
                found[f"place.{entry['id']}"] = (entry["en"], entry["ru"])
            if "text_en" in entry:
                found[f"text.{entry['id']}"] = (entry["text_en"], entry["text_ru"])
            for advantage in entry.get("advantages", ()):
                found[f"word.{advantage['id']}"] = (advantage["en"], advantage["ru"])
                found[f"text.{advantage['id']}"] = (advantage["text_en"], advantage["text_ru"])
    return found


def _teams(names: dict[str, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """The choices of the options `killer` and `survivors`."""
    from companion.games.whisper.options import OPTIONS

    found = {}
    for option in OPTIONS:
        if option.name in ("killer", "survivors"):
            for choice in map(str, option.choices[1:]):
                parts = [names[f"word.{part}"] for part in choice.split("+")]
                found[choice] = (", ".join(en for en, _ in parts), ", ".join(ru for _, ru in parts))
    return found


_NAMES = _names()
_HINTS = {
    "hint.encounter-began": ("The killer meets somebody", "Убийца на кого-то наткнётся"),
    "hint.wounded": ("Somebody is wounded", "Кто-то ранен"),
    "hint.repelled": ("The killer is driven off", "Убийца отброшен"),
    "hint.died": ("Somebody dies", "Кто-то погибает"),
    "hint.noise-reported": ("Noise is reported", "Объявлен шум"),
    "hint.found": ("Something is found", "Что-то найдено"),
    "hint.key-placed": ("A key is laid on the roof", "Ключ выложен на крышу"),
}
"""What may come up soon, as hints give it for a reason."""

TEXTS = Texts(
    _HINTS,
    _GAME,
    _NAMES,
    _cases(_NAMES),
    *(
        {f"{family}.{code}": said for code, said in table.items()}
        for family, table in {
            "event": _EVENTS,
            "refusal": _REFUSALS,
            "why": _WHY,
            "verb": _VERBS,
            "phase": _PHASES,
            "outcome": _OUTCOMES,
            "option": _OPTIONS,
            "choice": {**_CHOICES, **_teams(_NAMES)},
            "word": {**_WORDS, **_OUTCOMES},
            "board": _BOARD,
        }.items()
    ),
)

assert set(READINGS) == {name[4:] for name in _OPTIONS if name.startswith("alt_")}
assert all(f"word.{who}" in TEXTS for who in SURVIVORS)
