"""What lies beside the Night Cage's board: candles, nerve, keys."""

from __future__ import annotations

from companion.art import Drawing, Print, Shape, box, flame, key, line, placed, ring, token
from companion.games.night_cage.art import COLOURS

_CARD = (40.0, 60.0)


def prints(language: str) -> list[Print]:
    """The pieces to print that no camera reads; none of them has words."""
    return [
        *(Print(_candle(colour, True), _candle(colour, False)) for colour in COLOURS.values()),
        Print(token("#b9ab8c", [ring(0.8, 0.22, "#8c2f24"), ring(0.35, 0.22, "#8c2f24")]), n=14),
        Print(token("#8f979e", placed(key("#26292e"), y=-0.4, scale=0.9)), n=5),
        Print(token("#e8ddc4", label="4")),
    ]


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
