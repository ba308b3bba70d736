"""What Bad Bones says, in English and Russian."""

from __future__ import annotations

from companion.engine.text import Texts
from companion.games.bad_bones.pieces import (
    ABILITIES,
    COLOURS,
    DIRECTIONS,
    FLOORS,
    GRAVES,
    MAX_PLAYERS,
    SYMBOLS,
    TRAPS,
    TYPE_EDGES,
)
from companion.games.bad_bones.printed import DOCUMENT, KINDS
from companion.games.bad_bones.tokens import SKELETON_WORDS
from companion.games.bad_bones.words import COMMANDER_WORDS, ITEM_WORDS, SYMBOL_WORDS

_NAMES = DOCUMENT.get("names", {})
PIECES = {name: (_NAMES.get(name, en), _NAMES.get(name, ru)) for name, (en, ru) in ITEM_WORDS.items()}
COMMANDERS = {
    name: (_NAMES.get(name, en), _NAMES.get(name, ru)) for name, (en, ru) in COMMANDER_WORDS.items()
}
"""What pieces are called: by the owner's copy, where that has been entered."""

_EDGE = {"L": ("left", "левый"), "T": ("top", "верхний"), "R": ("right", "правый")}
_WORDS = {
    "up": ("up", "вверх"),
    "right": ("right", "вправо"),
    "down": ("down", "вниз"),
    "left": ("left", "влево"),
    "white": ("white", "белый"),
    "black": ("black", "чёрный"),
    "green": ("green", "зелёный"),
    "blue": ("blue", "синий"),
    "red": ("red", "красный"),
    "yellow": ("yellow", "жёлтый"),
    "purple": ("purple", "фиолетовый"),
    **PIECES,
    "wall/": ("wall /", "стена /"),
    "wall\\": ("wall \\", "стена \\"),
    "maze-white": ("white maze", "белый лабиринт"),
    "maze-black": ("black maze", "чёрный лабиринт"),
    "tower": ("the tower is hit", "удар по башне"),
    "no-tower": ("the tower has fallen", "башня разрушена"),
    "no-village": ("the village has burnt down", "деревня сожжена"),
    "stands": ("stands there", "встаёт там"),
    "stays": ("stays where it was", "остаётся на месте"),
    "goal": ("reaches the houses", "доходит до домов"),
    "gone": ("leaves the field", "уходит с поля"),
    "thrown": ("is thrown away by the catapult", "улетает из катапульты"),
    "loaded": ("is taken by the hearse", "уезжает на катафалке"),
    "slain": ("falls to the hero", "гибнет от руки героя"),
    "blown-up": ("is blown up", "взорван"),
    "impaled": ("is impaled", "насажен на колья"),
    "returned": ("is back in the forest", "вернулся в лес"),
    "hero": ("hero", "герой"),
    "trap": ("the traps", "ловушки"),
    "march": ("the march", "движение скелетов"),
}


def _skeletons() -> dict[str, tuple[str, str]]:
    words = {}
    for kind in KINDS:
        symbol, edge = SYMBOL_WORDS[SYMBOLS[kind.type // 3]], _EDGE[TYPE_EDGES[kind.type % 3]]
        name = COMMANDERS.get(ABILITIES[kind.ability], ("skeleton", "скелет"))
        if kind.ability:
            said = (f"{name[0]} ({symbol[0]}, {edge[0]} edge)", f"{name[1]} ({symbol[1]}, {edge[1]} край)")
        else:
            said = (f"{symbol[0]} skeleton ({edge[0]} edge)", f"{symbol[1]} скелет ({edge[1]} край)")
        words[f"word.{kind.name}"] = said
        words[f"word.{kind.name}-white"] = (f"{said[0]}, white side", f"{said[1]}, белая сторона")
        words[f"word.{kind.name}-black"] = (f"{said[0]}, black side", f"{said[1]}, чёрная сторона")
        for direction in DIRECTIONS:
            for colour in COLOURS:
                token = f"{kind.name}-{direction}-{colour}"
                assert token in SKELETON_WORDS
                words[f"word.{token}"] = (
                    f"{said[0]} facing {_WORDS[direction][0]}, {_WORDS[colour][0]} side",
                    f"{said[1]}, смотрит {_WORDS[direction][1]}, {_WORDS[colour][1]} цвет",
                )
    return words


def _faces() -> dict[str, tuple[str, str]]:
    """What the faces on the boards are called."""
    words = {
        "word.crater": ("crater", "воронка"),
        "word.house": ("house", "дом"),
        "word.house-burnt": ("house, ruined side", "дом, разрушенная сторона"),
    }
    for trap in TRAPS:
        english, russian = _WORDS[trap]
        words[f"word.{trap}-damaged"] = (f"{english}, damaged side", f"{russian}, повреждённая сторона")
    for n in range(1, FLOORS + 1):
        words[f"word.tower-{n}"] = (f"tower, floors: {n}", f"башня, ярусов: {n}")
    return words


_HINTS = {
    "hint.tower-hit": ("A tower loses a floor", "Башня теряет этаж"),
    "hint.house-burnt": ("A house burns", "Горит дом"),
    "hint.slain": ("The hero slays a skeleton", "Герой сражает скелета"),
    "hint.felled": ("A weapon or trap fells a skeleton", "Скелет гибнет от оружия или ловушки"),
    "hint.fell": ("Somebody is out", "Кто-то выбывает"),
}
"""What may come up soon, as hints give it for a reason."""

TEXTS = Texts(
    _HINTS,
    _skeletons(),
    _faces(),
    # A forest spot stands at the end of a line of the field, on one side of it.
    {
        f"word.{n}{edge}{i}": (f"{n}{arrow}{line(i)}",) * 2
        for n in range(1, MAX_PLAYERS + 1)
        for edge, arrow, line in (
            ("T", "↑", lambda i: "abcde"[i - 1]),
            ("B", "↓", lambda i: "abcde"[i - 1]),
            ("L", "←", str),
            ("R", "→", str),
        )
        for i in range(1, 6)
    },
    {f"board.{n}cemetery": (f"cemetery {n}", f"кладбище {n}") for n in range(1, MAX_PLAYERS + 1)},
    {
        f"board.{n}cemetery{i}": (f"cemetery {n}/{i}", f"кладбище {n}/{i}")
        for n in range(1, MAX_PLAYERS + 1)
        for i in range(2, GRAVES + 1)
    },
    {f"board.capital{n}": (f"capital {n}", f"столица {n}") for n in range(1, MAX_PLAYERS + 1)},
    {f"word.{word}": said for word, said in _WORDS.items()},
    {
        "game.title": ("Bad Bones", "Незваные кости"),
        "game.about": (
            "Skeletons march on your tower and village: bend their paths, outlive the neighbours.",
            "Скелеты идут на вашу башню и деревню: ловушками меняйте их путь и продержитесь дольше соседей.",
        ),
        # Options
        "option.deck": ("Bag of skeletons", "Мешок со скелетами"),
        "choice.physical": ("the real bag", "настоящий"),
        "option.coop": ("Play together", "Кооперативная игра"),
        "option.advanced": (
            "Advanced game: market, new traps, weapons",
            "Для опытных: рынок, новые ловушки, оружие",
        ),
        "option.commanders": ("Skeleton commanders", "Командиры скелетов"),
        "option.rounds": ("Rounds to hold out (alone, together)", "Раундов до победы (соло, кооператив)"),
        "option.edition": ("Edition of the weapons", "Издание (правила оружия)"),
        "choice.ru": ("Russian", "русское"),
        "choice.pegasus": ("German (Pegasus)", "немецкое (Pegasus)"),
        "option.setup_distinct_symbols": (
            "Set-up: all symbols different",
            "Подготовка: все символы разные",
        ),
        "option.top_exit_allow_self": (
            "Open edge: the own cemetery may be chosen",
            "Через дальний край можно отправить и к себе",
        ),
        "option.treasure_overrides_traps": (
            "A trap beside the treasure",
            "Ловушка рядом с сокровищем",
        ),
        "choice.suppress": ("sleeps", "не срабатывает"),
        "choice.facing_only": ("works, the lure only turns", "срабатывает, приманка только поворачивает"),
        "option.dragon_scatter_entry": (
            "Dragon, «turn them in the direction opposite to the dragon»: a printed arrow there",
            "Дракон, «разверните их в противоположном от дракона направлении»: стрелка на клетке",
        ),
        "choice.plain": ("does not turn them", "не поворачивает"),
        "choice.full": ("turns them", "поворачивает"),
        "option.hearse_in_solo_coop": ("Hearse alone and together", "Катафалк в соло и кооперативе"),
        "option.weapon_count_scope": ("Three kills for a weapon count", "Три скелета для оружия считаются"),
        "choice.phase": ("over the phase", "за фазу"),
        "choice.move": ("in one move", "за один ход"),
        "option.flail_target": ("The flail moves skeletons to", "Кистень перемещает на"),
        "choice.empty": ("an empty cell", "пустую клетку"),
        "choice.no_trap": ("a cell without a trap", "клетку без ловушки"),
        "option.commanders_in_setup": (
            "Commanders drawn in set-up (a necromancer: «draw three more at once»)",
            "Командиры при подготовке (некромант: «немедленно достаньте ещё три»)",
        ),
        "choice.redraw": ("go back", "возвращаются в мешок"),
        "choice.keep": ("stay", "остаются"),
        # Phases
        "phase.setup": ("Set-up: draw the first skeletons", "Подготовка: достаньте первых скелетов"),
        "phase.post": ("Put your hero on one of your towers", "Поставьте героя на одну из своих башен"),
        "phase.first": ("Who goes to market first?", "Кто первый на рынке?"),
        "phase.market": ("Market: buy traps and weapons", "Рынок: покупайте ловушки и оружие"),
        "phase.hero": ("I. Move your hero", "I. Передвиньте героя"),
        "phase.trap": ("II. Lay or lift a trap", "II. Выложите или уберите ловушку"),
        "phase.march": ("III. The skeletons march", "III. Передвиньте скелетов"),
        "phase.draw": ("IV. Draw new skeletons", "IV. Добавьте новых скелетов"),
        "phase.rest": ("You held out! Go on for a heroic victory?", "Вы выстояли! Героическая победа?"),
        "phase.over": ("The game is over", "Игра окончена"),
        # Verbs
        "verb.draw": ("Draw: {skeleton}", "Из мешка: {skeleton}"),
        "verb.first": ("{seat} begins", "Начинает {seat}"),
        "verb.reveal": ("Uncover: {phase}", "Открыть: {phase}"),
        "verb.post": ("Hero to {cell}", "Герой на {cell}"),
        "verb.buy": ("Buy {item}", "Купить: {item}"),
        "verb.pass": ("Pass", "Пас"),
        "verb.step": ("Hero to {cell}", "Герой на {cell}"),
        "verb.lay": ("Lay {trap} on {cell}", "Выложить на {cell}: {trap}"),
        "verb.lift": ("Lift the trap on {cell}", "Убрать ловушку с {cell}"),
        "verb.wait": ("No trap", "Ничего не делать"),
        "verb.march": ("Move {token} on {cell}", "Передвинуть с {cell}: {token}"),
        "verb.auto": ("Move the rest in order", "Остальных по порядку"),
        "verb.scatter": ("Chase it {direction}", "Прогнать {direction}"),
        "verb.send": ("Send it to {seat}", "Отправить: {seat}"),
        "verb.give-up": ("The tower stops {skeleton}", "Башня остановит: {skeleton}"),
        "verb.decline": ("Leave the weapon", "Не применять оружие"),
        "verb.shoot": ("Shoot {token} on {cell}", "Застрелить на {cell}: {token}"),
        "verb.freeze": ("Freeze {cell}", "Заморозить {cell}"),
        "verb.freeze-all": ("Freeze the whole field", "Заморозить всё поле"),
        "verb.banish": ("Send the slain to {seat}", "Убитых на кладбище: {seat}"),
        "verb.teleport": ("Teleport to {cell}", "Телепорт на {cell}"),
        "verb.strike": ("One more move to {cell}", "Ещё ход на {cell}"),
        "verb.hew": ("Hew down all {symbol}", "Зарубить всех: {symbol}"),
        "verb.fling": ("Fling those on {cell} to {cell2}", "Перебросить с {cell} на {cell2}"),
        "verb.aim": ("Turn those on {cell}", "Повернуть стоящих на {cell}"),
        "verb.face": ("Face it {direction}", "Повернуть {direction}"),
        "verb.rest": ("Be content with the victory", "Довольствоваться победой"),
        "verb.pursue": ("Hunt down the rest", "Добить остальных"),
        # Outcomes
        "outcome.won": ("The strongest survivor wins.", "Побеждает сильнейший из уцелевших."),
        "outcome.shared": ("The victory is shared.", "Победа разделена."),
        "outcome.all-fell": ("Everybody fell: nobody wins.", "Пали все: победителя нет."),
        "outcome.fell": ("Tower or house is lost.", "Башня или дом потеряны."),
        "outcome.held": ("You held out!", "Вы выстояли!"),
        "outcome.heroic": ("A heroic victory: not a bone is left!", "Героическая победа: ни косточки!"),
        "outcome.held-not-heroic": (
            "You held out, but the hunt failed.",
            "Вы выстояли, но героической победы нет.",
        ),
        "outcome.capital-held": ("The capital stands: you all win!", "Столица устояла: вы победили!"),
        "outcome.capital-burnt": ("The capital has burnt down.", "Столица сожжена."),
        "outcome.towers-lost": ("A player has lost all towers.", "Один из игроков потерял все башни."),
        "outcome.emperor": ("The Emperor has conquered you.", "Император вас покорил."),
        # Events
        "event.drew": ("{seat} draws: {skeleton}.", "{seat} достаёт: {skeleton}."),
        "event.necromancer": (
            "A necromancer! {n} more {n#draw|draws} for {seat}.",
            "Некромант! {seat}: ещё {n} {n#жетон|жетона|жетонов}.",
        ),
        "event.entered": ("{seat}: {skeletons} wait at {cells}.", "{seat}: {skeletons} ждут на {cells}."),
        "event.posted": ("{seat} posts the hero on {cell}.", "{seat} ставит героя на {cell}."),
        "event.began": ("{seat} buys first.", "Первым покупает {seat}."),
        "event.bought": (
            "{seat} buys {item} for {n} {n#coin|coins}.",
            "{seat} покупает: {item}, {n} {n#монета|монеты|монет}.",
        ),
        "event.passed": ("{seat} passes.", "{seat} пасует."),
        "event.market-closed": ("The market closes.", "Рынок закрывается."),
        "event.round-began": ("Round {n}.", "Раунд {n}."),
        "event.stepped": (
            "{seat}: the hero goes from {from_cell} to {cell}.",
            "{seat}: герой идёт с {from_cell} на {cell}.",
        ),
        "event.slain": (
            "{seat}: the hero on {cell} destroys {n} {n#skeleton|skeletons}: {skeletons}.",
            "{seat}: герой на {cell} уничтожает {n} {n#скелет|скелета|скелетов}: {skeletons}.",
        ),
        "event.hero-lost": (
            "{seat}: the Emperor takes the hero on {cell} with him.",
            "{seat}: император уносит с собой героя с {cell}.",
        ),
        "event.weapon-used": ("{seat} uses: {weapon}.", "{seat} применяет оружие: {weapon}."),
        "event.felled": (
            "{seat}: destroyed at {cell}: {skeletons}.",
            "{seat}: уничтожены у {cell}: {skeletons}.",
        ),
        "event.frozen": (
            "{seat}: frozen on {cells}: turn these tokens over.",
            "{seat}: заморожены на {cells}: переверните эти жетоны.",
        ),
        "event.banished": (
            "{seat} sends the slain to the cemetery of {to_seat}.",
            "{seat} отправляет убитых на кладбище игрока {to_seat}.",
        ),
        "event.teleported": ("{seat}: the hero appears on {cell}.", "{seat}: герой появляется на {cell}."),
        "event.flung": (
            "{seat}: the skeletons of {cell} land on {to_cell}.",
            "{seat}: скелеты с {cell} переброшены на {to_cell}.",
        ),
        "event.turned": (
            "{seat}: turned on {cell}: {skeletons}.",
            "{seat}: повёрнуты на {cell}: {skeletons}.",
        ),
        "event.waited": ("{seat} does nothing.", "{seat} ничего не делает."),
        "event.laid": ("{seat} lays on {cell}: {trap}.", "{seat} выкладывает на {cell}: {trap}."),
        "event.lifted": ("{seat} lifts from {cell}: {trap}.", "{seat} убирает с {cell}: {trap}."),
        "event.lured": (
            "{seat}: the treasure on {cell} turns the skeletons on {cells}.",
            "{seat}: сокровище на {cell} поворачивает скелетов на {cells}.",
        ),
        "event.exploded": (
            "{seat}: the dynamite on {cell} destroys {skeletons}.",
            "{seat}: динамит на {cell} уничтожает: {skeletons}.",
        ),
        "event.marker-turned": ("The marker turns: {colour}.", "Маркер перевёрнут: {colour}."),
        "event.marched": (
            "{seat}: {n} {n#skeleton walks|skeletons walk} one cell.",
            "{seat}: {n} {n#скелет идёт|скелета идут|скелетов идут} на клетку вперёд.",
        ),
        "event.walked": (
            "{seat}: {skeletons} over {cells}: {end}.",
            "{seat}: {skeletons} по {cells}: {end}.",
        ),
        "event.sent": (
            "{seat}: {skeletons} to the cemetery of {to_seats}.",
            "{seat}: {skeletons} на кладбище: {to_seats}.",
        ),
        "event.tower-hit": (
            "{seat}: {skeleton} breaks the tower on {cell}; {floors} {floors#floor is|floors are} left.",
            "{seat}: {skeleton} ломает башню на {cell}; {floors#остался|осталось|осталось} {floors}"
            " {floors#ярус|яруса|ярусов}.",
        ),
        "event.tower-repaired": (
            "{seat}: {skeleton} repairs the tower on {cell}: {floors} {floors#floor|floors}.",
            "{seat}: {skeleton} чинит башню на {cell}: {floors} {floors#ярус|яруса|ярусов}.",
        ),
        "event.house-burnt": (
            "{seat}: {skeleton} burns a house; {houses} {houses#is|are} left.",
            "{seat}: {skeleton} сжигает дом; осталось {houses} {houses#дом|дома|домов}.",
        ),
        "event.house-repaired": (
            "{seat}: {skeleton} rebuilds a house: {houses} {houses#stands|stand}.",
            "{seat}: {skeleton} отстраивает дом: теперь {houses} {houses#дом|дома|домов}.",
        ),
        "event.peacemaker-left": (
            "{seat}: {skeleton} at {cell} finds nothing to repair.",
            "{seat}: {skeleton} на {cell}: чинить нечего.",
        ),
        "event.emperor-won": (
            "{seat}: {skeleton} conquers at {cell}!",
            "{seat}: {skeleton} побеждает на {cell}!",
        ),
        "event.fell": ("{seat} is out at {cell}: {how}.", "{seat} выбывает у {cell}: {how}."),
        "event.worn": ("{seat}: flip the trap on {cell}: {trap}.", "{seat}: переверните на {cell}: {trap}."),
        "event.destroyed": (
            "{seat}: the trap on {cell} goes to the box: {trap}.",
            "{seat}: ловушка с {cell} уходит в коробку: {trap}.",
        ),
        "event.cratered": (
            "{seat}: a crater remains on {cell} of the {trap}.",
            "{seat}: на {cell} остаётся воронка ({trap}).",
        ),
        "event.sabotaged": (
            "{seat}: the saboteur destroys on {cell}: {trap}.",
            "{seat}: диверсант уничтожает на {cell}: {trap}.",
        ),
        "event.stolen": (
            "{seat}: the treasure on {cell} is stolen.",
            "{seat}: сокровище на {cell} похищено.",
        ),
        "event.hearse-left": (
            "{seat}: the {trap} on {cell} drives to {to_seat}.",
            "{seat}: {trap} с {cell} уезжает: {to_seat}.",
        ),
        "event.held": (
            "Tower and house stand after {n} {n#round|rounds}.",
            "Башня и дом целы после {n} {n#раунда|раундов|раундов}.",
        ),
        "event.pursued": ("{seat} goes on for the heroic victory.", "{seat} идёт к героической победе."),
        "event.ended": ("The game is over.", "Игра окончена."),
        # Refusals
        "refusal.coop-alone": (
            "The cooperative game needs 2 to 6 players.",
            "Для кооперативной игры нужно от 2 до 6 игроков.",
        ),
        "refusal.put-back": (
            "This token goes back into the bag: draw another one.",
            "Этот жетон возвращается в мешок: достаньте другой.",
        ),
        "refusal.no-own-tower": ("Choose one of your own towers.", "Выберите одну из своих башен."),
        "refusal.no-such-seat": ("Nobody sits there.", "Там никто не сидит."),
        "refusal.no-such-target": ("Choose another player.", "Выберите другого игрока."),
        "refusal.not-for-sale": ("The treasure is not for sale.", "Сокровище не продаётся."),
        "refusal.has-weapon": ("You have a weapon already.", "У вас уже есть оружие."),
        "refusal.sold-out": ("That is sold out.", "Этого больше нет."),
        "refusal.too-dear": ("Not enough coins: it costs {n}.", "Не хватает монет: цена {n}."),
        "refusal.off-the-field": (
            "The hero stays on the 25 cells of his own field.",
            "Герой остаётся на 25 клетках своего поля.",
        ),
        "refusal.must-move": ("The hero may not stay where he is.", "Герой не может оставаться на месте."),
        "refusal.not-adjacent": (
            "The hero goes exactly one cell in any direction.",
            "Герой идёт ровно на одну клетку в любую сторону.",
        ),
        "refusal.not-on-own-field": (
            "That is not a cell of your own field.",
            "Это не клетка вашего поля.",
        ),
        "refusal.none-in-supply": ("None left in the supply.", "В запасе такой нет."),
        "refusal.just-lifted": (
            "It was lifted just now: next round.",
            "Её только что убрали: в следующем раунде.",
        ),
        "refusal.tower-there": ("A tower stands there.", "Там стоит башня."),
        "refusal.trap-there": ("There is a trap already.", "Там уже есть ловушка."),
        "refusal.crater-there": ("Nothing may be laid on a crater.", "На воронку ничего нельзя выложить."),
        "refusal.crater-stays": ("A crater stays to the end.", "Воронка остаётся до конца игры."),
        "refusal.skeletons-there": (
            "Skeletons stand there: only a dragon or dynamite may be laid on them.",
            "Там скелеты: на них можно выложить только дракона или динамит.",
        ),
        "refusal.no-trap": ("There is no trap there.", "Там нет ловушки."),
        "refusal.not-own-board": ("Move your own skeletons.", "Двигайте своих скелетов."),
        "refusal.has-moved": ("{token} has moved already.", "{token}: уже ходил."),
        "refusal.no-such-skeleton": ("It is not there: {token}.", "Там нет такого: {token}."),
        "refusal.follows-another": (
            "It belongs to a squad: move its instructor.",
            "Он в отряде: передвиньте инструктора, который его ведёт.",
        ),
        "refusal.nowhere-to-flee": (
            "The skeletons there could not flee from the dragon in any direction.",
            "Скелетам оттуда некуда бежать от дракона.",
        ),
        "refusal.scatter-goal": (
            "The dragon may not chase it {direction}, to the houses.",
            "Дракон не может гнать {direction}, к домам.",
        ),
        "refusal.scatter-palisade": ("A palisade is in the way.", "Мешает частокол."),
        "refusal.scatter-again": (
            "It was chased {direction} from here already in this move.",
            "Отсюда {direction} его уже гнали в этот ход.",
        ),
        "refusal.own-cemetery": ("Not to your own cemetery.", "Не на своё кладбище."),
        "refusal.not-in-squad": ("It is not in this squad.", "Его нет в этом отряде."),
        "refusal.no-skeletons": ("No skeletons there.", "Там нет скелетов."),
        "refusal.no-such-symbol": (
            "No skeleton of that symbol is beside the hero.",
            "Рядом с героем нет скелетов с этим символом.",
        ),
        "refusal.already-there": ("The hero is there already.", "Герой уже там."),
        "refusal.no-standing-tower": ("No tower stands there.", "Там нет целой башни."),
        "refusal.not-around-hero": ("Choose a cell around the hero.", "Выберите клетку вокруг героя."),
        "refusal.not-empty": ("That cell is not empty.", "Эта клетка не пуста."),
        "refusal.wrong-spot": (
            "{skeleton} does not belong on {cell}: put it on {to_cell}.",
            "{skeleton}: место не на {cell}, а на {to_cell}.",
        ),
        "refusal.lying": (
            "{skeleton} on {cell} must stand upright, tip to the field, on {to_cell}.",
            "{skeleton} на {cell} должен стоять на ногах, стрелкой к полю, на {to_cell}.",
        ),
        "refusal.wrong-side": (
            "{skeleton} on {cell}: {colour} side up.",
            "{skeleton} на {cell}: цвет вверх — {colour}.",
        ),
        # Why
        "why.arrow": (
            "A printed arrow: who comes going {direction} turns {turned}.",
            "Стрелка на поле: идущий {direction} поворачивает {turned}.",
        ),
        "why.spot": (
            "The forest spot of the {symbol} symbol: {skeleton}.",
            "Место в лесу для символа «{symbol}»: {skeleton}.",
        ),
        "why.cemetery": ("Waiting to enter the forest: {skeletons}.", "Ждут выхода в лес: {skeletons}."),
        "why.village": (
            "The village: {n} {n#house stands|houses stand}.",
            "Деревня: {n#цел|целы|целы} {n} {n#дом|дома|домов}.",
        ),
        "why.capital": (
            "The capital: {n} {n#house stands|houses stand}.",
            "Столица: {n#цел|целы|целы} {n} {n#дом|дома|домов}.",
        ),
        "why.tower": ("A tower with {n} {n#floor|floors}.", "Башня: {n} {n#ярус|яруса|ярусов}."),
        "why.tower-threat": (
            "{skeleton} will take {n} {n#floor|floors} of this tower.",
            "{skeleton} снесёт {n} {n#ярус|яруса|ярусов} этой башни.",
        ),
        "why.hero-fights": (
            "The hero destroys whoever enters here.",
            "Герой уничтожает каждого, кто сюда войдёт.",
        ),
        "why.hero-in-tower": (
            "In the tower the hero protects nothing.",
            "В башне герой никого не защищает.",
        ),
        "why.crater": (
            "A crater: a plain cell for ever; no trap may be laid.",
            "Воронка: теперь обычная клетка, ловушки класть нельзя.",
        ),
        "why.trap": ("Here lies: {trap}.", "Здесь лежит: {trap}."),
        "why.damaged": (
            "It is damaged: the next use sends it to the box ({trap}).",
            "Повреждена: после следующего срабатывания уйдёт в коробку ({trap}).",
        ),
        "why.triggered": (
            "It was triggered: it wears when all have moved ({trap}).",
            "Сработала: изменится, когда все закончат движение ({trap}).",
        ),
        "why.will-stands": (
            "{skeleton} will walk {path_cells} and face {turned}.",
            "{skeleton} пройдёт {path_cells} и будет смотреть {turned}.",
        ),
        "why.will-stays": (
            "{skeleton} stays on {path_cells}, facing {turned}.",
            "{skeleton} остаётся на {path_cells}, смотрит {turned}.",
        ),
        "why.will-tower": (
            "{skeleton} will hit the tower: {path_cells}.",
            "{skeleton} ударит по башне: {path_cells}.",
        ),
        "why.will-goal": (
            "{skeleton} will reach the houses over {path_cells}.",
            "{skeleton} дойдёт до домов по {path_cells}.",
        ),
        "why.will-gone": (
            "{skeleton} will leave into the forest over {path_cells}.",
            "{skeleton} уйдёт в лес по {path_cells}.",
        ),
        "why.will-thrown": (
            "{skeleton} will be thrown by the catapult: {path_cells}.",
            "{skeleton} попадёт в катапульту: {path_cells}.",
        ),
        "why.will-loaded": (
            "{skeleton} will be taken by the hearse: {path_cells}.",
            "{skeleton} уедет на катафалке: {path_cells}.",
        ),
        "why.will-slain": (
            "{skeleton} will fall to the hero: {path_cells}.",
            "{skeleton} погибнет от руки героя: {path_cells}.",
        ),
        "why.will-blown-up": (
            "{skeleton} will be blown up: {path_cells}.",
            "{skeleton} взорвётся: {path_cells}.",
        ),
        "why.will-impaled": (
            "{skeleton} will be impaled on the palisade: {path_cells}.",
            "{skeleton} будет насажен на частокол: {path_cells}.",
        ),
        "why.will-returned": (
            "{skeleton} will go back to its forest spot: {path_cells}.",
            "{skeleton} вернётся на своё место в лесу: {path_cells}.",
        ),
        "why.will-scatter": (
            "{skeleton} will meet the dragon over {path_cells}: you choose where it flees.",
            "{skeleton} встретит дракона по {path_cells}: вы решите, куда бежать.",
        ),
        "why.will-send": (
            "{skeleton} will leave over {path_cells}: you choose to whom.",
            "{skeleton} уйдёт по {path_cells}: вы решите, к кому.",
        ),
        "why.will-give-up": (
            "A squad with {skeleton} will reach a tower over {path_cells}: you choose whom it stops.",
            "Отряд ({skeleton}) дойдёт до башни по {path_cells}: вы решите, кого она остановит.",
        ),
    },
)
