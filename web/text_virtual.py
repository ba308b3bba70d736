"""The words of the eyes' questions and of the virtual table, in English and Russian."""

from __future__ import annotations

from collections.abc import Mapping

VIRTUAL: Mapping[str, tuple[str, str]] = {
    "virtual": ("Virtual table", "Виртуальный стол"),
    "virtual.none": (
        "Nothing is on the table. Start a game, and its board lies here.",
        "На столе ничего нет. Начните игру, и поле появится здесь.",
    ),
    "virtual.real": (
        "This table has a real camera: move the real pieces.",
        "У этого стола настоящая камера: двигайте настоящие компоненты.",
    ),
    "virtual.other-board": (
        "The camera looks at a board that not everybody may see. Open this page from the seat that may.",
        "Камера видит поле, которое открыто не всем. Откройте эту страницу с места, которому оно видно.",
    ),
    "virtual.help": (
        "Drag pieces as you would by hand: the camera sees it, and the table answers. With the keyboard: "
        "choose a piece, move it with the arrows, turn it with R, take it away with Delete.",
        "Двигайте компоненты, как руками: камера увидит, стол ответит. С клавиатуры: выберите компонент, "
        "двигайте стрелками, поворачивайте клавишей R, убирайте клавишей Delete.",
    ),
    "virtual.board": ("The board from above", "Поле сверху"),
    "virtual.tray": ("Beside the board", "Рядом с полем"),
    "virtual.tray.text": (
        "Drag a piece onto the board; drag one here to take it away.",
        "Перетащите компонент на поле; чтобы убрать — перетащите сюда.",
    ),
    "virtual.piece": ("{name} at {place}", "{name}: {place}"),
    "virtual.beside": ("beside the board", "рядом с полем"),
    "virtual.take": ("Take {name}", "Взять: {name}"),
    "virtual.chosen": ("Chosen: {name}", "Выбрано: {name}"),
    "virtual.turn-left": ("Turn left", "Влево"),
    "virtual.turn-right": ("Turn right", "Вправо"),
    "virtual.away": ("Take away", "Убрать"),
    "virtual.side": ("Other side", "Другая сторона"),
    "virtual.camera": ("What the camera sees", "Что видит камера"),
    "virtual.camera.alt": ("The camera's picture of the board", "Снимок поля с камеры"),
    "virtual.camera.none": ("There is no picture.", "Снимка нет."),
    "virtual.overlay": ("Draw what was recognised", "Показать распознанное"),
    "virtual.buttons": ("Buttons of the table", "Кнопки стола"),
    "virtual.button.end-turn": ("End turn", "Конец хода"),
    "virtual.button.undo": ("Undo", "Отменить"),
    "virtual.button.next": ("Next", "Дальше"),
    "virtual.button.left": ("Dimmer", "Тусклее"),
    "virtual.button.right": ("Brighter", "Ярче"),
    "virtual.faults": ("What can go wrong", "Что может пойти не так"),
    "virtual.fault.unplugged": ("camera unplugged", "камера отключена"),
    "virtual.fault.frozen": ("picture frozen", "снимок застыл"),
    "virtual.fault.dark": ("lamp out", "свет погас"),
    "virtual.fault.glare": ("glare", "блик"),
    "virtual.fault.hand": ("a hand over the board", "рука над полем"),
    "virtual.fault.covered": ("camera covered", "камера закрыта"),
    "virtual.fault.small": ("wrong resolution", "не то разрешение"),
    "virtual.fault.late": ("late pictures", "снимки опаздывают"),
    "virtual.switches": ("Switches under the places", "Датчики под местами"),
    "virtual.switch.place": ("Place", "Место"),
    "virtual.switch.fault": ("What is wrong with it", "Что с ним не так"),
    "virtual.switch.other": ("Swapped with", "Перепутан с"),
    "virtual.switch.break": ("Break it", "Сломать"),
    "virtual.switch.mend": ("Mend {place}: {fault}", "Починить {place}: {fault}"),
    "virtual.switch.stuck-open": ("never closes", "не замыкается"),
    "virtual.switch.stuck-closed": ("never opens", "не размыкается"),
    "virtual.switch.bouncing": ("bounces", "дребезжит"),
    "virtual.switch.swapped": ("swapped with another", "перепутан с другим"),
    "virtual.lay": ("Lay it out for me", "Разложить за меня"),
    "virtual.helps": ("Hands lay what is tapped", "Руки выкладывают то, что выбрано на экране"),
    "virtual.parts": ("Parts", "Устройства"),
    "virtual.parts.fine": ("Everything works.", "Всё работает."),
    # The eyes' questions
    "eyes.head": ("The table sees", "Стол видит"),
    "eyes.should": (
        "{place}: {expected} belongs here, {seen} lies here",
        "{place}: нужно {expected}, лежит {seen}",
    ),
    "eyes.nothing": ("nothing", "ничего"),
    "eyes.meant": ("We meant that", "Так и задумано"),
    "eyes.overlook": ("Go on like this", "Играть дальше так"),
    "eyes.go-on": ("Go on without it", "Продолжить без этого"),
    "error.no-way": (
        "No legal moves lead to what lies there. Put it right, or tap the move.",
        "Никакие ходы по правилам к этому не ведут. Поправьте поле или укажите ход на экране.",
    ),
    "error.no-desk": (
        "This table has no camera and no virtual table.",
        "У этого стола нет ни камеры, ни виртуального поля.",
    ),
    "error.other-board": (
        "The camera looks at a board that this page may not see.",
        "Камера видит поле, которое этой странице не открыто.",
    ),
    "notice.button-refused": (
        "The button can do nothing here: use the screen.",
        "Кнопка здесь не поможет: сделайте это на экране.",
    ),
    "error.no-piece": ("That piece is not there any more.", "Этого компонента здесь уже нет."),
}
"""The texts of `static/js/virtual.js` and `static/js/eyes.js`."""
