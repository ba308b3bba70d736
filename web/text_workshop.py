"""The words of the workshop, in English and Russian."""

from __future__ import annotations

from collections.abc import Mapping

WORKSHOP: Mapping[str, tuple[str, str]] = {
    "workshop": ("Workshop", "Мастерская"),
    "workshop.health": ("Health", "Состояние"),
    "workshop.wizard": ("Step by step", "Шаг за шагом"),
    "workshop.camera": ("Camera", "Камера"),
    "workshop.teach": ("Teach pieces", "Обучение"),
    "workshop.leds": ("LED map", "Карта ламп"),
    "workshop.switches": ("Switches", "Датчики"),
    "workshop.test": ("Try the parts", "Проверка"),
    "workshop.care": ("Keep safe", "Сохранность"),
    "workshop.programs": ("Programs", "Программы"),
    "programs.head": ("Let a program in", "Допустить программу"),
    "programs.text": (
        "A bot on a seat, or an overlay that only looks. Everybody sees who sits where.",
        "Бот на месте игрока или экран, который только смотрит. Все видят, кто где сидит.",
    ),
    "programs.name": ("Its name", "Её имя"),
    "programs.kind": ("What it may do", "Что ей можно"),
    "programs.spectator": ("look on, as a stranger would", "смотреть, как посторонний"),
    "programs.bot": ("play: {seat}", "играть: {seat}"),
    "programs.looks": ("looks on", "смотрит"),
    "programs.admit": ("Let it in", "Допустить"),
    "programs.token": ("Its token", "Её ключ"),
    "programs.once": (
        "Shown this once. Put it into the program; whoever has it is that program.",
        "Показан только сейчас. Введите его в программу: у кого ключ, тот и есть эта программа.",
    ),
    "programs.listed": ("Programs at this table", "Программы за этим столом"),
    "programs.none": ("None so far.", "Пока ни одной."),
    "programs.dismiss": ("Dismiss", "Отпустить"),
    "workshop.sections": ("Parts of the workshop", "Разделы мастерской"),
    "workshop.again": ("Try again", "Ещё раз"),
    # The bench
    "bench.game": ("The board of", "Поле игры"),
    "bench.board": ("Board", "Вариант поля"),
    "bench.usual": ("usual", "обычное"),
    "bench.opening": ("Getting the parts ready…", "Готовим оборудование…"),
    "bench.busy.head": ("A game is on the table", "На столе игра"),
    "bench.busy.text": (
        "It uses the camera and the lights. Put it away: it stays among the stored games.",
        "Ей нужны камера и лампы. Уберите её: она останется в сохранённых.",
    ),
    "bench.busy.go": ("Put it away", "Убрать"),
    "bench.simulated": (
        "Simulated: no part is needed.",
        "Имитация: оборудование не нужно.",
    ),
    "bench.safe": (
        "Safe mode: the settings file is broken, so no part is used. See Health.",
        "Безопасный режим: файл настроек повреждён, оборудование не используется. См. «Состояние».",
    ),
    # Camera
    "camera.view": ("What the camera sees", "Что видит камера"),
    "camera.found": (
        "The board is found: {seen} of {markers} markers, within {mm} mm.",
        "Поле найдено: меток {seen} из {markers}, точность {mm} мм.",
    ),
    "camera.by-hand": (
        "The corners are set by hand.",
        "Углы заданы вручную.",
    ),
    "camera.lost": (
        "The board is not found. Lay the printed frame into view, or set the corners by hand.",
        "Поле не найдено. Положите в кадр печатную рамку или задайте углы вручную.",
    ),
    "camera.outside": (
        "{n} {n#place lies|places lie} beyond the picture: move the camera back.",
        "{n} {n#клетка|клетки|клеток} за краем кадра: отодвиньте камеру.",
    ),
    "camera.turned": (
        "The board lies turned by {turn}°: that is fine.",
        "Поле повёрнуто на {turn}°: не страшно.",
    ),
    "camera.hand": ("Set the corners by hand", "Задать углы вручную"),
    "camera.hand.text": (
        "Drag the four corners onto the board's corners, or choose one and use the arrow keys.",
        "Перетащите четыре угла на углы поля или выберите угол и двигайте его стрелками.",
    ),
    "camera.hand.keep": ("Keep these corners", "Сохранить углы"),
    "camera.hand.cancel": ("Leave it", "Отмена"),
    "camera.markers": ("Find it by its markers again", "Снова искать по меткам"),
    "camera.corner.0": ("Upper left corner", "Верхний левый угол"),
    "camera.corner.1": ("Upper right corner", "Верхний правый угол"),
    "camera.corner.2": ("Lower right corner", "Нижний правый угол"),
    "camera.corner.3": ("Lower left corner", "Нижний левый угол"),
    "camera.kept": ("Kept.", "Сохранено."),
    "camera.sheet": ("Download the frame to print (PDF)", "Скачать рамку для печати (PDF)"),
    "camera.sheet.text": (
        "Print it at 100 %, lay it around the board, and it is found by itself.",
        "Напечатайте в масштабе 100 %, положите вокруг поля — дальше всё само.",
    ),
    "camera.strayed": (
        "Card {cards} was moved: lay it back, or leave it there.",
        "Карточка {cards} сдвинута: верните её на место или оставьте так.",
    ),
    "cards": ("Marker cards and your own board", "Карточки с метками и ваше поле"),
    "cards.text": (
        "One sheet for all games instead of a frame: print it at 100 %, cut it, lay four or more cards flat "
        "around the board. Measure them, then your board among them; both are kept.",
        "Один лист для всех игр вместо рамки: напечатайте в масштабе 100 %, разрежьте, положите четыре "
        "карточки или больше вокруг поля. Измерьте их, потом поле среди них; всё запомнится.",
    ),
    "cards.free": (
        "Bad Bones: two cards lie at each player's board, and nothing is measured. Onirim and The Dark Cave "
        "can be played on the bare table among the cards, without any frame.",
        "«Незваные кости»: по две карточки у поля каждого игрока, измерять ничего не нужно. В «Онирим» и "
        "«Тёмную пещеру» можно играть прямо на столе среди карточек, без рамки.",
    ),
    "cards.sheet": ("Download the cards (PDF)", "Скачать карточки (PDF)"),
    "cards.lay": ("Lay them on the virtual table", "Положить на виртуальный стол"),
    "cards.survey": ("Measure the cards", "Измерить карточки"),
    "cards.surveyed": (
        "{n} {n#card is|cards are} measured, {mm} mm off at most. Now set your board's corners.",
        "Измерено: {n} {n#карточка|карточки|карточек}, ошибка до {mm} мм. Теперь задайте углы поля.",
    ),
    "cards.seen": (
        "{n} marker {n#card|cards} in view; the board is not measured yet.",
        "В кадре {n} {n#карточка|карточки|карточек}; поле ещё не измерено.",
    ),
    "cards.board": ("Set my board's corners", "Задать углы моего поля"),
    "cards.board.text": (
        "Drag the corners onto those of your board, {width} × {height} mm, clockwise from its upper left.",
        "Перетащите углы на углы вашего поля, {width} × {height} мм, по часовой стрелке от левого верхнего.",
    ),
    "cards.board.keep": ("Measure my board", "Измерить моё поле"),
    "cards.board.done": (
        "Your board is kept: {width} × {height} mm.",
        "Поле запомнено: {width} × {height} мм.",
    ),
    "cards.alone": (
        "Nothing to measure: every board is found by its own two cards, wherever it lies. Cards 1 and 2 lie "
        "at the first player's, 3 and 4 at the next one's to the left: the odd card at the left edge, in "
        "line with the upper corner, the even one at the right edge, in line with the lower corner.",
        "Измерять нечего: каждое поле находится по двум своим карточкам, где бы ни лежало. Карточки 1 и 2 "
        "лежат у поля первого игрока, 3 и 4 у следующего слева: нечётная у левого края вровень с верхним "
        "углом, чётная у правого края вровень с нижним.",
    ),
    "cards.grid": ("Set its grid", "Задать сетку"),
    "cards.grid.text": (
        "Drag the corners onto the outer corners of the grid of places on your board.",
        "Перетащите углы на внешние углы сетки клеток вашего поля.",
    ),
    "cards.grid.keep": ("Keep this grid", "Сохранить сетку"),
    "cards.rooms": ("Tap its rooms", "Отметить места"),
    "cards.rooms.text": ("Choose a place and tap its middle:", "Выберите место и коснитесь его середины:"),
    "cards.rooms.done": ("Done", "Готово"),
    "cards.forget": ("Use frames again", "Снова с рамками"),
    "lens": ("Lens", "Объектив"),
    "lens.text": (
        "A wide lens bends the picture. Show the frame from six sides, three times at a slant, to mend it.",
        "Широкий объектив искажает. Покажите рамку с шести сторон, три раза наискось, и всё станет ровно.",
    ),
    "lens.known": ("The lens is measured.", "Объектив измерен."),
    "lens.take": ("Take a view", "Снять ракурс"),
    "lens.taken": ("Taken: {n} of {enough}.", "Снято: {n} из {enough}."),
    "lens.not-taken": ("Not taken: try another view.", "Не подошло: попробуйте другой ракурс."),
    "lens.measure": ("Measure the lens", "Измерить объектив"),
    "lens.again": ("Begin again", "Начать заново"),
    "lens.done": ("The lens is measured: {px} pixels off on average.", "Объектив измерен: ошибка {px} пикс."),
    # Teaching
    "teach.text": (
        "Show each piece of your own box a few times. Light as in the evening is best.",
        "Покажите каждый компонент вашей коробки несколько раз, лучше при вечернем свете.",
    ),
    "teach.place": ("Lay it on {place}, {how}.", "Положите на {place}, {how}."),
    "teach.how.0": ("upright", "прямо"),
    "teach.how.90": ("turned a quarter to the right", "повернув на четверть вправо"),
    "teach.how.180": ("upside down", "вверх ногами"),
    "teach.how.270": ("turned a quarter to the left", "повернув на четверть влево"),
    "teach.number": ("Picture {n} of {enough}", "Снимок {n} из {enough}"),
    "teach.take": ("Take the picture", "Снять"),
    "teach.back": ("Take it back", "Убрать снимок"),
    "teach.next": ("Next piece", "Следующий"),
    "teach.good": ("Good picture.", "Хороший снимок."),
    "teach.last": ("The last picture of {face}", "Последний снимок: {face}"),
    "teach.all": ("Pieces", "Компоненты"),
    "teach.done": ("Every piece has its pictures.", "Все компоненты сняты."),
    "teach.finish": ("Keep what was taught", "Сохранить"),
    "teach.kept": ("Kept: the table knows these pieces now.", "Сохранено: стол теперь знает эти компоненты."),
    "teach.known": ("This game was taught before.", "Эта игра уже изучена."),
    "teach.blurred": (
        "The picture of {face} is blurred: hold still and take it again.",
        "{face}: снимок смазан. Не двигайте и снимите ещё раз.",
    ),
    "teach.dark": (
        "The picture of {face} is almost black: more light.",
        "{face}: слишком темно, добавьте света.",
    ),
    "teach.turned": (
        "{face} was turned otherwise than asked: the picture was turned like the first.",
        "{face}: повёрнуто не так, как просили. Снимок повёрнут как первый.",
    ),
    "teach.different": (
        "{face} does not look like its other pictures: another print, or not this piece?",
        "{face}: не похоже на другие снимки. Это точно тот же компонент?",
    ),
    "teach.bare": (
        "No bare place was taught: show the table the empty board once before play.",
        "Пустое место не снято: перед игрой покажите столу пустое поле.",
    ),
    "teach.alike": (
        "{face} looks almost like another piece: the table will ask when in doubt.",
        "{face}: почти не отличить от другого компонента. При сомнении стол спросит.",
    ),
    "teach.few": ("{face} has few pictures: more read more surely.", "{face}: снимков мало, лучше добавить."),
    "teach.missing": (
        "{face} was not taught: it will not be recognised.",
        "{face}: нет снимков, узнать не получится.",
    ),
    # LEDs
    "projector.head": ("Projector", "Проектор"),
    "projector.text": (
        "Open /projector on the projector, full screen. Then let the table find the board on it, or "
        "press K on that page and pull the four corners onto the board's.",
        "Откройте /projector в браузере проектора на весь экран. Затем дайте столу найти поле или нажмите "
        "на той странице K и совместите четыре угла с углами поля.",
    ),
    "projector.find": ("Find the board", "Найти поле"),
    "projector.found": ("The board is found on the screen.", "Поле на экране найдено."),
    "projector.corner": ("Corner {n} of the board", "Угол поля {n}"),
    "projector.light": ("The light of the table", "Свет стола"),
    "switches.text": (
        "Put the magnet where it glows. When its switch closes, the next place glows.",
        "Поставьте магнит туда, где светится. Как только датчик сработает, засветится следующее место.",
    ),
    "switches.none": (
        "There are no switches: name where they hang in [sensors] of the settings file.",
        "Датчиков нет: укажите их в разделе [sensors] файла настроек.",
    ),
    "switches.start": ("Begin with the first place", "Начать с первого места"),
    "switches.skip": ("This place has no switch", "Здесь нет датчика"),
    "switches.put": ("Put the magnet there", "Поставить магнит"),
    "switches.keep": ("Keep this map", "Сохранить карту"),
    "switches.kept": ("The switches are known.", "Датчики запомнены."),
    "switches.next": ("Now: {place} ({n} found).", "Сейчас: {place} (найдено: {n})."),
    "switches.done": ("Found: {n}; without a switch: {skipped}.", "Найдено: {n}; без датчика: {skipped}."),
    "switches.again": (
        "Switch {n} closed a second time: two places share a wire, or a magnet was left lying.",
        "Датчик {n} сработал второй раз: два места на одном проводе или забыт магнит.",
    ),
    "switches.picture": ("The switches under the board", "Датчики под полем"),
    "switches.felt": ("Feels a magnet: {cells}", "Чувствуют магнит: {cells}"),
    "switches.quiet": ("No switch feels a magnet.", "Ни один датчик не чувствует магнита."),
    "leds.text": (
        "Every LED blinks once and the camera notes where it is. Clear the board and dim the room.",
        "Каждая лампа мигнёт, и камера запомнит её место. Освободите поле и приглушите свет.",
    ),
    "leds.count": ("How many LEDs the strip has", "Сколько ламп в ленте"),
    "leds.go": ("Let them blink", "Мигнуть всеми"),
    "leds.running": ("{n} of {total}", "{n} из {total}"),
    "leds.found": ("All {n} LEDs are found.", "Все лампы найдены: {n}."),
    "leds.dead": (
        "Not seen: {numbers} (counted from 0). If all after one are missing, its joint is open.",
        "Не видно: {numbers} (счёт с 0). Если пропали все после одной, обрыв у неё.",
    ),
    "leds.keep": ("Keep this map", "Сохранить карту"),
    "leds.kept": ("The map is kept.", "Карта сохранена."),
    "leds.picture": ("The LEDs on the board", "Лампы на поле"),
    # Trying
    "test.lights": ("Lights", "Лампы"),
    "test.lights.text": (
        "All must show the same colour. A wrong colour: change the order of the bytes in the settings.",
        "Цвет должен быть одинаков везде. Если цвет не тот, смените порядок байтов в настройках.",
    ),
    "test.off": ("Dark", "Темно"),
    "test.red": ("Red", "Красный"),
    "test.green": ("Green", "Зелёный"),
    "test.blue": ("Blue", "Синий"),
    "test.white": ("White", "Белый"),
    "test.chase": ("One by one", "По одной"),
    "test.rainbow": ("Rainbow", "Радуга"),
    "test.current": ("{ma} mA of {supply} mA, by the data sheets", "{ma} мА из {supply} мА по паспорту"),
    "test.buttons": ("Buttons", "Кнопки"),
    "test.buttons.text": (
        "Press each one: a tick shows that it was seen.",
        "Нажмите каждую: галочка — нажатие замечено.",
    ),
    "test.buttons.none": ("There are no buttons.", "Кнопок нет."),
    "test.press": ("Press", "Нажать"),
    "test.seen": ("seen", "замечено"),
    "test.unseen": ("not yet", "ещё нет"),
    "test.button.end-turn": ("End of turn", "Конец хода"),
    "test.button.undo": ("Undo", "Отменить"),
    "test.button.next": ("Next", "Дальше"),
    "test.button.shutdown": ("Switch off (hold)", "Выключить (держать)"),
    "test.camera": ("Camera", "Камера"),
    "test.fps": (
        "{n} pictures a second while this page looks",
        "{n} кадров в секунду, пока открыта страница",
    ),
    "test.works": ("works", "работает"),
    "test.fails": ("does not work", "не работает"),
    # Wizard
    "wizard.step": ("Step {n} of {of}", "Шаг {n} из {of}"),
    "wizard.back": ("Back", "Назад"),
    "wizard.next": ("Next", "Дальше"),
    "wizard.skip": ("Skip: simulate it", "Пропустить: имитация"),
    "wizard.later": ("Later", "Позже"),
    "wizard.try": ("Use it and try", "Применить и проверить"),
    "wizard.offer": (
        "Everything is simulated until you say otherwise, so any game can start right away. "
        "With a camera or lights at hand, set them up step by step.",
        "Пока всё имитируется, и любую игру можно начать сразу. "
        "Если есть камера или лампы, настройте их шаг за шагом.",
    ),
    "wizard.offer.go": ("Set up step by step", "Настроить шаг за шагом"),
    "wizard.language": ("Language", "Язык"),
    "wizard.language.text": (
        "What new devices read; everybody can change it for themselves.",
        "Язык новых устройств; каждый может сменить его у себя.",
    ),
    "wizard.pin": ("Owner's PIN", "PIN владельца"),
    "wizard.camera": ("Camera", "Камера"),
    "wizard.camera.text": ("It looks straight down at the board.", "Она смотрит на поле сверху."),
    "wizard.camera.virtual": ("No camera: simulate one", "Без камеры: имитация"),
    "wizard.camera.none": ("No camera: play by tapping alone", "Без камеры: только касания"),
    "wizard.camera.usb": ("USB camera {n}", "USB-камера {n}"),
    "wizard.camera.pi": ("The Raspberry Pi's own camera", "Камера Raspberry Pi"),
    "wizard.camera.net": ("A network camera or a phone (MJPEG)", "Сетевая камера или телефон (MJPEG)"),
    "wizard.camera.address": ("Its address", "Её адрес"),
    "wizard.lights": ("Lights", "Лампы"),
    "wizard.lights.text": ("Where the LED strip hangs.", "Куда подключена лента."),
    "wizard.lights.virtual": ("No lights: show them on the screen", "Без ламп: показывать на экране"),
    "wizard.lights.chip": ("A microcontroller on USB (Pico)", "Микроконтроллер по USB (Pico)"),
    "wizard.lights.spi": ("The Pi itself, SPI pin GPIO10", "Сам Pi, вывод SPI GPIO10"),
    "wizard.lights.neopixel": ("The Pi itself, NeoPixel library", "Сам Pi, библиотека NeoPixel"),
    "wizard.lights.ddp": ("WLED in the network", "WLED в сети"),
    "wizard.lights.host": ("WLED's address", "Адрес WLED"),
    "wizard.lights.wled": (
        "{name} (WLED {version}): {leds} LEDs, {white}; its own limit: {limit_ma} mA.",
        "{name} (WLED {version}): светодиодов: {leds}, {white}; собственный предел: {limit_ma} мА.",
    ),
    "wizard.lights.wled-open": (
        "{name} (WLED {version}): {leds} LEDs, {white}; it has no current limit of its own.",
        "{name} (WLED {version}): светодиодов: {leds}, {white}; собственного предела тока нет.",
    ),
    "wizard.lights.white": ("colours and white", "цветные с белым"),
    "wizard.lights.colours": ("colours", "цветные"),
    "wizard.lights.supply": ("What the LEDs' supply gives, in mA", "Ток блока питания ламп, мА"),
    "wizard.board": ("The board and its markers", "Поле и его метки"),
    "wizard.turn": ("Try a turn", "Пробный ход"),
    "wizard.phones.plain": (
        "Phones come to {address}. Over plain HTTP a small silent film keeps their screens awake, and a "
        "covered seat closes when the phone is put away or left alone. With a certificate of your own "
        "([web] certificate) phones also stay awake without the film, and a phone that is turned over "
        "closes.",
        "Телефоны заходят на {address}. По обычному HTTP экран не гаснет благодаря маленькому "
        "беззвучному ролику, а закрытое место прячется, когда телефон отложили. С собственным "
        "сертификатом ([web] certificate) ролик не нужен, и место прячется ещё и тогда, когда телефон "
        "перевернули.",
    ),
    "wizard.phones.safe": (
        "Phones come to {address}: over HTTPS they stay awake by themselves, and a covered seat also "
        "closes when the phone is turned over.",
        "Телефоны заходят на {address}: по HTTPS экран не гаснет сам, а закрытое место прячется и тогда, "
        "когда телефон перевернули.",
    ),
    "wizard.turn.text": (
        "Choose a game. Its pieces can be dragged on the virtual table, or tapped on this screen.",
        "Выберите игру. Компоненты можно двигать на виртуальном столе или касаться их здесь.",
    ),
    # Health
    "health": ("Health", "Состояние"),
    "health.report": ("Download the report", "Скачать отчёт"),
    "health.report.text": (
        "For asking for help. It holds no names, addresses, secrets or moves.",
        "Чтобы попросить помощи. В нём нет имён, адресов, тайн и ходов.",
    ),
    "health.good": ("good", "в порядке"),
    "health.watch": ("needs a look", "стоит взглянуть"),
    "health.bad": ("needs help", "нужна помощь"),
    "health.config": ("Settings", "Настройки"),
    "health.config.usual": (
        "There is no settings file yet: everything is simulated.",
        "Файла настроек пока нет: всё имитируется.",
    ),
    "health.config.file": ("The settings file is in use.", "Файл настроек используется."),
    "health.config.last-good": (
        "The settings file is broken; the last good one is used.",
        "Файл настроек повреждён; используется последний исправный.",
    ),
    "health.config.last-good.fix": (
        "Correct the lines named here and start again.",
        "Исправьте указанные строки и перезапустите стол.",
    ),
    "health.config.safe": (
        "The settings file is broken: safe mode, no part is used.",
        "Файл настроек повреждён: безопасный режим, оборудование не используется.",
    ),
    "health.config.safe.fix": (
        "Correct the lines named here and start again, or move the file away.",
        "Исправьте указанные строки и перезапустите стол или уберите файл.",
    ),
    "health.camera": ("Camera", "Камера"),
    "health.camera.good": ("It sends pictures.", "Камера даёт картинку."),
    "health.camera.virtual": ("Simulated.", "Имитация."),
    "health.camera.none": ("There is none: moves are tapped.", "Камеры нет: ходы вводятся касанием."),
    "health.camera.rest": ("It rests until a game starts.", "Ждёт начала игры."),
    "health.camera.watch": ("It works, but not as set.", "Работает, но не так, как задано."),
    "health.camera.watch.fix": ("Choose a size that it can give.", "Выберите размер, который она умеет."),
    "health.camera.bad": (
        "It sends no pictures; play goes on by tapping.",
        "Картинки нет; игра идёт касаниями.",
    ),
    "health.camera.bad.fix": (
        "Check its cable and that nobody else uses it; then try it under Try the parts.",
        "Проверьте кабель и не занята ли камера, затем попробуйте в разделе «Проверка».",
    ),
    "health.lights": ("Lights", "Лампы"),
    "health.lights.good": ("They shine.", "Лампы светят."),
    "health.lights.virtual": ("Shown on the screen only.", "Только на экране."),
    "health.lights.rest": ("They rest until a game starts.", "Ждут начала игры."),
    "health.lights.watch": ("They shine, but weaker than wanted.", "Светят слабее, чем нужно."),
    "health.lights.watch.fix": (
        "A stronger supply gives more light; set what it gives in the settings.",
        "Нужен блок питания мощнее; укажите его ток в настройках.",
    ),
    "health.lights.bad": (
        "They stay dark; the screen shows the lights.",
        "Не светят; свет показан на экране.",
    ),
    "health.lights.bad.fix": (
        "Check cable, port and library as named here; then try them under Try the parts.",
        "Проверьте кабель, порт и библиотеку, как указано, затем попробуйте в разделе «Проверка».",
    ),
    "health.link": ("Microcontroller", "Микроконтроллер"),
    "health.link.good": ("It answers.", "Отвечает."),
    "health.link.rest": ("It rests until a game starts.", "Ждёт начала игры."),
    "health.link.watch": ("It answers.", "Отвечает."),
    "health.link.bad": ("It does not answer.", "Не отвечает."),
    "health.link.bad.fix": (
        "Plug it in; name its port in the settings if there are several; flash it with: gloam flash",
        "Подключите его; если их несколько, укажите порт; прошивка: gloam flash",
    ),
    "health.link.virtual": ("It is not used.", "Не используется."),
    "health.power": ("Power", "Питание"),
    "health.power.good": ("The voltage holds.", "Напряжение в норме."),
    "health.power.unknown": ("This machine does not say.", "Эта машина о нём не сообщает."),
    "health.power.watch": (
        "The Pi's voltage is low: the lights get less.",
        "Напряжение Pi низкое: лампам даём меньше.",
    ),
    "health.power.watch.fix": (
        "Use the Pi's own supply, and another one for the LEDs.",
        "Возьмите фирменный блок для Pi и отдельный для ламп.",
    ),
    "health.journal": ("Saves", "Сохранения"),
    "health.journal.good": (
        "Readable; {n} {n#game is|games are} stored.",
        "Читаются; {n#сохранена|сохранены|сохранено} {n} {n#игра|игры|игр}.",
    ),
    "health.journal.bad": (
        "Games are not stored: the file with the stored games cannot be used.",
        "Игры не сохраняются: файл с сохранёнными играми нельзя использовать.",
    ),
    "health.journal.bad.fix": (
        "Run `gloam doctor` on the table's machine: it says why and what helps.",
        "Запустите `gloam doctor` на машине стола: он скажет причину и что поможет.",
    ),
    "health.disk": ("Free space", "Место на диске"),
    "health.disk.good": ("{mb} MB are free.", "Свободно {mb} МБ."),
    "health.disk.bad": ("Only {mb} MB are free.", "Свободно всего {mb} МБ."),
    "health.disk.bad.fix": (
        "Delete something, or moves can no longer be stored.",
        "Удалите лишнее, иначе ходы не сохранить.",
    ),
    "health.pages": ("Phones", "Телефоны"),
    "health.pages.good": ("{n} of {limit} pages are connected.", "Подключено страниц: {n} из {limit}."),
    "health.pages.watch": ("{n} of {limit} pages are connected.", "Подключено страниц: {n} из {limit}."),
    "health.pages.watch.fix": (
        "Close those that nobody looks at.",
        "Закройте те, на которые никто не смотрит.",
    ),
    "health.eyes": ("Eyes and lights at work", "Зрение и свет за работой"),
    "health.eyes.untaught": (
        "The eyes do not know the pieces of this game; play goes on by tapping.",
        "Стол не знает фигур этой игры; играйте касаниями.",
    ),
    "health.eyes.untaught.fix": ("Teach them in the workshop.", "Обучите его в мастерской."),
    "health.eyes.failing": (
        "A part of the table fails again and again; play goes on by tapping.",
        "Часть стола не работает; играйте касаниями.",
    ),
    "health.eyes.failing.fix": (
        "Start the table again; if that does not help, send the report.",
        "Перезапустите стол; если не поможет, отправьте отчёт.",
    ),
    "health.files": ("Kept files", "Файлы стола"),
    "health.files.watch": (
        "{n} {n#file was|files were} damaged and set aside.",
        "{n} {n#файл повреждён и отложен|файла повреждены и отложены|файлов повреждено и отложено}.",
    ),
    "health.files.watch.fix": (
        "Look whether something must be taught or measured again, then delete the files that were set aside.",
        "Проверьте, не нужно ли что-то обучить или измерить заново, и удалите отложенные файлы.",
    ),
    "health.owner": ("Owner", "Владелец"),
    "health.owner.good": ("The PIN is set.", "PIN задан."),
    "health.owner.watch": ("No PIN is set.", "PIN не задан."),
    "health.owner.watch.fix": (
        "Set one under Keep safe: if this device is lost, another can become the host.",
        "Задайте его в разделе «Сохранность»: при потере устройства хозяином станет другое.",
    ),
    # Care
    "backup": ("Backup", "Резервная копия"),
    "backup.text": (
        "One file with the stored games, the settings, what was taught and who sat where. "
        "It holds the games' secrets, so it is given only between games.",
        "Один файл: игры, настройки, обучение и места игроков. "
        "В нём тайны игр, поэтому он доступен только между играми.",
    ),
    "backup.go": ("Download", "Скачать"),
    "restore": ("Restore", "Восстановление"),
    "restore.text": (
        "A backup replaces all of that, and of the settings those that the workshop can change. It is "
        "checked first; what is here now is kept as before-restore.zip.",
        "Копия заменит всё это, а из настроек те, что меняются в мастерской. Сначала она проверяется; "
        "нынешнее останется в before-restore.zip.",
    ),
    "restore.file": ("Backup file", "Файл копии"),
    "restore.go": ("Restore", "Восстановить"),
    "restore.done": (
        "Restored: {n} stored {n#game|games}.",
        "Восстановлено: {n} {n#игра|игры|игр}.",
    ),
    "restore.left-out": (
        "Not taken from its settings, as only the settings file may change them: {keys}.",
        "Эти настройки не взяты: их меняют только в файле настроек: {keys}.",
    ),
    "unplug": ("Switch off", "Выключение"),
    "unplug.text": (
        "Everything is stored as it happens. This checks it once more and lets the table sleep.",
        "Всё сохраняется сразу. Здесь можно проверить это ещё раз и усыпить стол.",
    ),
    "unplug.go": ("Go to sleep", "Усыпить стол"),
    "unplug.done": ("All is safe. You may unplug now.", "Всё сохранено. Теперь можно выключать."),
    "record": ("Open a record", "Открыть запись"),
    "record.text": (
        "A game that was kept as a record comes back to the table: to watch, or to go on.",
        "Игра из записи вернётся на стол: посмотреть или продолжить.",
    ),
    "record.file": ("Record file", "Файл записи"),
    "record.go": ("Put it on the table", "На стол"),
    "error.table-busy": (
        "A game is on the table and uses the parts: put it away first.",
        "На столе игра, и оборудование занято: сначала уберите её.",
    ),
    "error.no-part": ("This part does not answer.", "Эта часть не отвечает."),
    "error.no-backup": (
        "This file cannot be restored; nothing was changed.",
        "Файл не подходит; ничего не изменено.",
    ),
}
