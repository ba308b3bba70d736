"""What lies beside the Night Cage's board: the discard board, candles, nerve, keys."""

from __future__ import annotations

from companion.engine.drawing import (
    Drawing,
    Print,
    Shape,
    Word,
    box,
    flame,
    key,
    line,
    lines_of,
    placed,
    ring,
    token,
)
from companion.engine.text import LANGUAGES
from companion.games.night_cage.art import COLOURS, draw
from companion.games.night_cage.layout import TILE_MM
from companion.games.night_cage.pieces import KINDS, NAMES, START, set_up
from companion.games.night_cage.text import TEXTS

_CARD = (40.0, 60.0)
_BAND = 12.0
_DISCARDS = {
    4: ("Discards: 4 prisoners", "Сброс: 4 узника"),
    5: ("Discards: 5 prisoners", "Сброс: 5 узников"),
}
_ALWAYS = ("{n} in the game", "в игре: {n}")
_BY_MODE = ("base game {n}, advanced {m}", "обычная игра: {n}, сложная: {m}")
_OPTIONAL = ("on request, up to {n}", "по желанию, до {n}")


def prints(language: str) -> list[Print]:
    """The pieces to print that no camera reads; only the discard board has words."""
    i = LANGUAGES.index(language)
    return [
        Print(_discards(4, i), _discards(5, i)),
        *(Print(_candle(colour, True), _candle(colour, False)) for colour in COLOURS.values()),
        Print(token("#b9ab8c", [ring(0.8, 0.22, "#8c2f24"), ring(0.35, 0.22, "#8c2f24")]), n=14),
        Print(token("#8f979e", placed(key("#26292e"), y=-0.4, scale=0.9)), n=5),
        Print(token("#e8ddc4", label="4")),
    ]


def _discards(prisoners: int, i: int) -> Drawing:
    """NC-SETUP-14: a place for each kind of tile, and how many of it such a game has."""
    width, height = 3 * TILE_MM, 4 * TILE_MM + _BAND
    shapes: list[Shape] = [box(width, height, "#15171a")]
    shapes.append(Word(_DISCARDS[prisoners][i], 0, (_BAND - height) / 2, 4, "#e8ddc4"))
    base, advanced, asked = (
        [upper + lower for upper, lower in zip(*one, strict=True)]
        for one in (
            set_up(prisoners),
            set_up(prisoners, advanced=True),
            set_up(prisoners, cracked_tees=True, pathless=3, dirge=True),
        )
    )
    base[START] = advanced[START] = prisoners
    for kind in range(KINDS):
        n, m = base[kind], advanced[kind]
        said = _BY_MODE[i] if n != m else _ALWAYS[i] if n else _OPTIONAL[i]
        name = TEXTS.say(f"word.{NAMES[kind]}", LANGUAGES[i])
        rows = lines_of(name[:1].upper() + name[1:], 2.2, TILE_MM - 6)
        place: list[Shape] = [box(TILE_MM - 2, TILE_MM - 2, "#26292e")]
        place += placed(draw(NAMES[kind]).shapes, y=-8, scale=0.62)
        place += [Word(row, 0, 17 + 4.4 * j, 2.2, "#e8ddc4") for j, row in enumerate(rows)]
        place.append(Word(said.format(n=n or asked[kind], m=m), 0, 28, 1.8, "#b9ab8c"))
        x, y = (kind % 3 - 1) * TILE_MM, _BAND / 2 + (kind // 3 - 1.5) * TILE_MM
        shapes += placed(place, x, y)
    return Drawing(width, height, tuple(shapes))


def _candle(colour: str, burns: bool) -> Drawing:
    """A prisoner's card: the candle burns on the front and is out on the back."""
    ground = "#26292e" if burns else "#15171a"
    shapes: list[Shape] = [box(*_CARD, colour), box(_CARD[0] - 5, _CARD[1] - 5, ground)]
    shapes += placed(
        [box(14, 28, "#e8ddc4" if burns else "#6d6350"), line(0, -14, 0, -18, 1, "#000000")], y=10
    )
    if burns:
        shapes += placed(flame("#ff9a2e", "#ffe08a"), y=-15, scale=9)
    return Drawing(*_CARD, tuple(shapes))
