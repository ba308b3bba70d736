"""The words of the pages, in English and Russian; the browser gets the table of its language as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.engine.text import LANGUAGES, Texts
from companion.games import REGISTRY
from companion.table.labels import SEATS
from companion.world.loop import TEXTS as EYES
from web.text_virtual import VIRTUAL
from web.text_workshop import WORKSHOP

PAGES: Mapping[str, tuple[str, str]] = {
    **SEATS,
    **WORKSHOP,
    "title": ("Gloam", "Gloam"),
    "table": ("The table", "Стол"),
    "menu": ("Menu", "Меню"),
    "my-seat": ("My seat", "Моё место"),
    "old-news": ("Connecting… what you see may be old", "Соединяемся… данные могли устареть"),
    "seat.table": ("the table", "стол"),
    # Comfort
    "comfort": ("Comfort", "Удобство"),
    "comfort.size": ("Text", "Текст"),
    "comfort.size.normal": ("normal", "обычный"),
    "comfort.size.large": ("large", "крупный"),
    "comfort.size.huge": ("huge", "огромный"),
    "comfort.palette": ("Colours", "Цвета"),
    "comfort.palette.candle": ("candle light", "при свечах"),
    "comfort.palette.clear": ("for colour-blind eyes", "для дальтоников"),
    "comfort.palette.contrast": ("high contrast", "высокий контраст"),
    "comfort.calm": ("Calm: nothing moves by itself", "Спокойно: ничто не мерцает"),
    "comfort.calm.no": ("no", "нет"),
    "comfort.calm.yes": ("yes", "да"),
    "comfort.sound": ("Sound on this device", "Звук на этом устройстве"),
    "comfort.sound.off": ("off", "выключен"),
    "comfort.sound.night": ("quiet", "тихо"),
    "comfort.sound.on": ("on", "включён"),
    "comfort.voice": ("A voice that says what happens", "Голос, который говорит, что происходит"),
    "comfort.voice.off": ("off", "выключен"),
    "comfort.voice.on": ("on", "включён"),
    # All tables of a club
    "overview": ("All tables", "Все столы"),
    "overview.off": (
        "This table is at no broker. Set [mqtt] enabled and host in the settings file.",
        "Стол не подключён к брокеру. Задайте enabled и host в разделе [mqtt] файла настроек.",
    ),
    "overview.trouble": ("The broker is not reached.", "Брокер недоступен."),
    "overview.count": (
        "{n} {n#table|tables}, {playing} in a game",
        "{n} {n#стол|стола|столов}, играют: {playing}",
    ),
    "overview.players": ("{n} {n#player|players}", "{n} {n#игрок|игрока|игроков}"),
    "overview.away": ("switched off", "выключен"),
    "overview.free": ("free", "свободен"),
    "health.broker": ("The house", "Дом"),
    "health.broker.good": (
        "The broker is told what everybody may know.",
        "Брокер получает то, что знают все.",
    ),
    "health.broker.watch": (
        "The broker is not reached; play goes on without it.",
        "Брокер недоступен; игра идёт без него.",
    ),
    "health.broker.watch.fix": (
        "Is it on? Are host and port in [mqtt] right?",
        "Включён ли он? Верны ли host и port в разделе [mqtt]?",
    ),
    # First run and owner
    "setup.head": ("Welcome to Gloam", "Добро пожаловать в Gloam"),
    "setup.text": (
        "Type the code that the console shows, so that only somebody at the table can set it up.",
        "Введите код с консоли: так стол настроит только тот, кто рядом с ним.",
    ),
    "setup.code": ("Code", "Код"),
    "setup.pin": (
        "Owner's PIN, 4 to 8 digits (may stay empty)",
        "PIN владельца, 4–8 цифр (можно оставить пустым)",
    ),
    "setup.go": ("Begin", "Начать"),
    "waiting.head": ("Nothing is on the table yet", "На столе пока ничего нет"),
    "waiting.text": (
        "The host chooses a game; this page follows by itself.",
        "Игру выбирает хозяин стола; страница обновится сама.",
    ),
    "owner.pin": ("I am the owner: PIN", "Я владелец: PIN"),
    "owner.go": ("Host from this screen", "Вести с этого экрана"),
    "owner.head": ("Owner's PIN", "PIN владельца"),
    "owner.text": (
        "With the PIN another screen of yours can become a host. Without one, only this device is.",
        "По PIN хозяином станет и другой ваш экран. Без него — только это устройство.",
    ),
    "owner.new": ("New PIN, 4 to 8 digits", "Новый PIN, 4–8 цифр"),
    "owner.save": ("Save", "Сохранить"),
    "owner.saved": ("The PIN is set.", "PIN сохранён."),
    # Shelf
    "shelf.head": ("What shall we play?", "Во что сыграем?"),
    "more-options": (
        "{n} more {n#option|options}",
        "Ещё {n} {n#настройка|настройки|настроек}",
    ),
    "start": ("Start", "Начать игру"),
    "saved": ("Stored games", "Сохранённые игры"),
    "saved.none": ("No game is stored yet.", "Сохранённых игр пока нет."),
    "saved.old": ("made by another Gloam", "создана другой версией Gloam"),
    "saved.go": ("Go on", "Продолжить"),
    "saved.now": ("on the table", "на столе"),
    "other-game": ("Another game", "Другая игра"),
    "other-game.text": (
        "The game leaves the table and stays among the stored games. Seats are kept.",
        "Игра уйдёт со стола в сохранённые. Места останутся за игроками.",
    ),
    "other-game.go": ("Clear the table", "Убрать со стола"),
    # Joining
    "join.head": ("Take a seat", "Занять место"),
    "join.name": ("Your name", "Ваше имя"),
    "join.code": ("Code from the table", "Код со стола"),
    "join.go": ("Come in", "Войти"),
    "join.hello": ("Hello, {name}", "Здравствуйте, {name}"),
    "join.no-game": (
        "Nothing is on the table yet. Stay here: your place comes by itself.",
        "На столе пока ничего нет. Подождите: места появятся сами.",
    ),
    "join.pick": ("Choose your place:", "Выберите место:"),
    "join.yours": ("yours, open", "ваше, открыть"),
    "join.back": ("Back to my seat", "Вернуться на место"),
    "join.watch": ("Only watch", "Только смотреть"),
    "join.move": ("Move it here", "Перенести сюда"),
    "join.with-code": ("I have the code", "У меня есть код"),
    "secret.text": (
        "This seat keeps secrets. It is given once; choose a PIN so that it can move to another phone.",
        "Это место хранит тайны и даётся один раз. Придумайте PIN, чтобы перенести его на другой телефон.",
    ),
    "secret.code": ("One-time code", "Одноразовый код"),
    "secret.pin": ("PIN, 6 to 8 digits", "PIN, 6–8 цифр"),
    "secret.go": ("Take the secret seat", "Занять тайное место"),
    "move.pin": ("The seat's PIN", "PIN этого места"),
    "move.head": ("Another phone", "Другой телефон"),
    "move.asked": (
        "{name} wants to move {seat} to another phone. Is that right?",
        "{name} хочет перенести место {seat} на другой телефон. Разрешить?",
    ),
    "move.agree": ("Yes, move it", "Да, перенести"),
    "move.deny": ("No, it stays here", "Нет, оставить здесь"),
    "move.wait": (
        "The phone that holds the seat is asked. Wait {n} s at most.",
        "Спрашиваем телефон, который держит место. Ждать не дольше {n} с.",
    ),
    "invite": ("Invite", "Пригласить"),
    "invite.text": (
        "Scan with the phone's camera, or open the address and type the code.",
        "Наведите камеру телефона или откройте адрес и введите код.",
    ),
    "invite.alt": ("QR code to join the table", "QR-код, чтобы сесть за стол"),
    "invite.scan": ("Scan to sit down", "Наведите камеру и садитесь"),
    "invite.new": ("New code", "Новый код"),
    "invite.lock": ("Lock the table", "Закрыть стол"),
    "invite.unlock": ("Open the table", "Открыть стол"),
    "invite.here": ("Play a seat on this device", "Играть на этом устройстве"),
    "seats": ("Seats", "Места"),
    "seat.free": ("free", "свободно"),
    "seat.kick": ("Make room", "Освободить"),
    "seat.kick.text": (
        "{name} loses the seat; it can be taken again.",
        "{name} потеряет место; его можно будет занять снова.",
    ),
    "seat.offer": ("Show the code", "Показать код"),
    "seat.leave": ("Stand up", "Встать из-за стола"),
    "seat.gone": ("This device has no seat here", "У этого устройства здесь нет места"),
    "offer.head": ("Secret seat: {seat}", "Тайное место: {seat}"),
    "offer.text": (
        "Only this code gives the seat, once. Whoever scans it first has it, and everybody is told.",
        "Место даёт только этот код, один раз: тому, кто первым его отсканирует. Об этом узнают все.",
    ),
    "offer.alt": ("One-time QR code of the secret seat", "Одноразовый QR-код тайного места"),
    "offer.left": ("Good for", "Действует ещё"),
    "offer.seconds": ("s", "с"),
    # Playing
    "board": ("Board", "Поле"),
    "hand": ("Your panel", "Ваша панель"),
    "log": ("What happened", "Что произошло"),
    "log.all": ("Everything", "Всё"),
    "log.filter": ("Show in the log", "Показать в журнале"),
    "log.undone": ("The last move was taken back.", "Последний ход отменён."),
    "legend": ("What the lights mean", "Что значит свет"),
    "choose": ("Choose", "Выберите"),
    "touch.where": ("Touch where to.", "Укажите куда."),
    "touch.what": ("What now?", "Что дальше?"),
    "touch.glows": ("Touch what glows.", "Коснитесь того, что светится."),
    "touch.take": ("Take one of these.", "Возьмите одно из этого."),
    "touch.back": ("Back", "Назад"),
    "touch.turn": ("Turn it", "Повернуть"),
    "touch.confirm": ("Do it", "Готово"),
    "touch.more": ("More…", "Ещё…"),
    "touch.hold": ("Hold it", "Удерживайте"),
    "touch.order": ("Drag the cards into their order.", "Перетащите карты по порядку."),
    "touch.set": ("Touch the cards that you mean.", "Отметьте нужные карты."),
    "hand-over": ("Hand the screen to: {name}", "Передать экран: {name}"),
    "hand-over.cover": ("Only for {name}", "Только для игрока: {name}"),
    "hand-over.name": ("This screen", "Этот экран"),
    "sheet.log": ("Log", "Журнал"),
    "sheet.facts": ("Facts", "Сведения"),
    "sheet.menu": ("Menu", "Меню"),
    "sheet.seats": ("Seats", "Места"),
    "facts": ("Numbers", "Числа"),
    "choices": ("{n} {n#choice|choices}", "{n} {n#вариант|варианта|вариантов}"),
    "turn.yours": ("Your turn", "Ваш ход"),
    "turn.of": ("Turn: {name}", "Ход: {name}"),
    "turn.table": ("The table's turn: show what was drawn", "Ход стола: покажите, что вытянуто"),
    "turn.wait": ("One moment…", "Минуту…"),
    "wait.others": ("Nothing to do here right now.", "Сейчас делать ничего не нужно."),
    "wait.seat": (
        "This seat plays on its own phone: invite somebody, or play it on this device.",
        "Этим местом играют с телефона: пригласите игрока или займите его на этом устройстве.",
    ),
    "tool.why": ("Why?", "Почему?"),
    "tool.zoom": ("Close up", "Крупнее"),
    "tool.undo": ("Undo", "Отменить"),
    "why.nothing": ("Nothing special happens here.", "Здесь ничего особенного."),
    "undo.reveals": (
        "Somebody may have seen something since then. Take it back only if all agree: everybody is told.",
        "С тех пор кто-то мог что-то увидеть. Отменяйте, только если согласны все: об этом узнают все.",
    ),
    "undo.anyway": ("Take it back anyway", "Всё равно отменить"),
    "refusal.undo-nothing": ("There is nothing of yours to take back now.", "Сейчас отменять нечего."),
    "refusal.undo-reveals": (
        "This cannot be taken back just so: the host can, and everybody is told.",
        "Просто так это не отменить: может хозяин стола, и об этом узнают все.",
    ),
    "standing.undo-forced": (
        "In this game a move was taken back by force.",
        "В этой игре ход был отменён принудительно.",
    ),
    "standing.backup": (
        "A backup was made while this game was going on: it holds everybody's secrets.",
        "Во время этой игры сделана резервная копия: в ней секреты всех игроков.",
    ),
    "standing.restored": (
        "This game came back from a backup, which holds everybody's secrets.",
        "Эта игра восстановлена из резервной копии, в которой секреты всех игроков.",
    ),
    # Secret panel
    "shield.hold": ("Hold to reveal", "Удерживайте, чтобы открыть"),
    "shield.text": ("Turn the screen away from the others first.", "Сначала отвернитесь от остальных."),
    "shield.hide": ("Hide", "Скрыть"),
    # Story
    "story": ("The end", "Конец"),
    "story.winners": ("Won by: {names}", "Победа: {names}"),
    "story.lost": ("Nobody won this time.", "В этот раз никто не победил."),
    "story.again": ("Play again", "Сыграть ещё раз"),
    "story.watch": ("Watch it again", "Посмотреть снова"),
    "story.record": ("Keep the record", "Сохранить запись"),
    "story.play": ("Play", "Пуск"),
    "story.pause": ("Pause", "Пауза"),
    "story.step": ("Step of the game", "Шаг игры"),
    "story.as": ("Seen by", "Глазами"),
    "story.public": ("everybody at the table", "всех за столом"),
    "story.begin": ("The beginning", "Начало"),
    # Around the table
    "notice.claimed": ("{name} sits down: {seat}.", "{name} занимает место: {seat}."),
    "notice.claim-refused": (
        "{name} asked for the place {seat} and was refused.",
        "{name}: место {seat} не дано.",
    ),
    "notice.moved": (
        "{seat} moved to another phone: {name}.",
        "{seat}: теперь на другом телефоне, {name}.",
    ),
    "notice.move-refused": ("A wrong PIN was tried for {seat}.", "{seat}: введён неверный PIN."),
    "notice.move-asked": (
        "{name} asks to move {seat} to another phone.",
        "{name} просит перенести место {seat} на другой телефон.",
    ),
    "notice.move-denied": (
        "{seat} stays where it is: the phone that holds it said no.",
        "{seat} остаётся: телефон, который держит место, отказал.",
    ),
    "notice.left": ("{name} stood up: {seat} is free.", "{name} встаёт: место {seat} свободно."),
    "notice.kicked": ("The host freed the place {seat}.", "Хозяин освободил место {seat}."),
    "notice.offered": ("The one-time code for {seat} is shown.", "Показан одноразовый код: {seat}."),
    "notice.locked": ("The table is locked: nobody new can join.", "Стол закрыт: новых игроков не пускают."),
    "notice.unlocked": ("The table is open.", "Стол открыт."),
    "notice.new-code": ("The old invitation no longer works.", "Старое приглашение больше не действует."),
    # Errors
    "error.unknown-host": (
        "This name is not known here: open the address that the table shows.",
        "Это имя здесь неизвестно: откройте адрес, который показывает стол.",
    ),
    "error.no-program": (
        "This program is unknown: ask the host for a token.",
        "Эта программа неизвестна: попросите у хозяина стола ключ.",
    ),
    "error.too-many-programs": (
        "Too many programs are let in: dismiss one first.",
        "Допущено слишком много программ: сначала отпустите одну.",
    ),
    "error.public-address": (
        "Gloam answers only inside its own network. The owner can allow others in the settings (networks).",
        "Gloam отвечает только в своей сети. Владелец может разрешить другие в настройках (networks).",
    ),
    "error.offline": ("The table cannot be reached just now.", "Стол сейчас недоступен."),
    "error.no-cookie": ("Open the page first: this device is unknown.", "Сначала откройте страницу."),
    "error.wrong-origin": ("The request came from another site.", "Запрос пришёл с чужого сайта."),
    "error.wrong-token": ("The page is too old: load it again.", "Страница устарела: обновите её."),
    "error.not-json": ("Only JSON is understood here.", "Здесь понимают только JSON."),
    "error.bad-request": ("That request is not understood.", "Запрос непонятен."),
    "error.not-found": ("There is nothing here.", "Здесь ничего нет."),
    "error.not-host": ("Only the host may do this.", "Это может только хозяин стола."),
    "error.too-often": ("Too many tries: wait a minute.", "Слишком много попыток: подождите минуту."),
    "error.too-many-streams": (
        "Too many pages are open: close one and try again.",
        "Открыто слишком много страниц: закройте одну и попробуйте снова.",
    ),
    "error.wrong-code": ("The code is wrong, used or too old.", "Код неверен, использован или устарел."),
    "error.short-pin": (
        "A secret seat needs a PIN of six to eight digits.",
        "Для тайного места нужен PIN из 6–8 цифр.",
    ),
    "error.not-stored": (
        "This could not be stored, so nothing was changed. Is the disk full?",
        "Не удалось сохранить, ничего не изменилось. Нет места на диске?",
    ),
    "error.wrong-pin": ("The PIN is wrong.", "Неверный PIN."),
    "error.no-name": ("Say your name first.", "Сначала назовите себя."),
    "error.locked": ("The table is locked.", "Стол закрыт."),
    "error.seat-taken": ("Somebody was faster: the seat is taken.", "Место уже занято: кто-то успел раньше."),
    "error.other-side": (
        "This device sits on the other side: it would see too much.",
        "Это устройство играет за другую сторону и увидело бы лишнее.",
    ),
    "error.move-denied": (
        "The phone that holds the seat has said no.",
        "Телефон, который держит место, отказал.",
    ),
    "error.not-your-seat": ("This seat is not yours.", "Это не ваше место."),
    "error.no-game": ("Nothing is on the table.", "На столе ничего нет."),
    "error.stale": (
        "The table has changed meanwhile: look again.",
        "Положение изменилось: взгляните ещё раз.",
    ),
    "error.no-action": ("That is no action of this game.", "В этой игре нет такого действия."),
    "error.bad-options": ("These options do not go together.", "Эти настройки несовместимы."),
    "error.bad-journal": ("The stored game cannot be opened.", "Сохранённую игру не открыть."),
    "error.bad-record": ("The record cannot be replayed.", "Запись не воспроизводится."),
    "error.not-over": (
        "Only a finished game is told from all sides.",
        "Сначала игра должна окончиться.",
    ),
    "error.game-running": (
        "A game is on the table: finish it or clear the table first.",
        "На столе идёт игра: сначала закончите её или уберите со стола.",
    ),
    # Lights
    "meaning.lit": ("light", "свет"),
    "meaning.dim": ("at rest", "покой"),
    "meaning.fading": ("about to go dark", "вот-вот погаснет"),
    "meaning.pit": ("pit", "провал"),
    "meaning.threat": ("danger", "опасность"),
    "meaning.attack": ("attack", "атака"),
    "meaning.path": ("way", "путь"),
    "meaning.legal": ("possible", "можно"),
    "meaning.choose": ("decide here", "решите здесь"),
    "meaning.wrong": ("wrong piece", "не то лежит"),
    "meaning.place": ("put here", "положите сюда"),
    "meaning.remove": ("take away", "уберите"),
    "meaning.turn": ("acts now", "действует"),
    "meaning.progress": ("gained", "достигнуто"),
    "meaning.low": ("runs out", "на исходе"),
    "meaning.safe": ("safe", "безопасно"),
    "meaning.noise": ("noise", "шум"),
    "meaning.fear": ("fear", "страх"),
    "meaning.won": ("won", "победа"),
    "meaning.lost": ("lost", "поражение"),
}


class PageTexts(Texts):
    """The texts of the pages."""

    def of(self, language: str) -> dict[str, Any]:
        """The whole table in one language."""
        column = LANGUAGES.index(language)
        return {key: texts[column] for key, texts in self.table.items()}


TEXTS = PageTexts(*(game.page_texts for game in REGISTRY.games.values()), PAGES, VIRTUAL, EYES)
