"""Games without a grid: their cards lie on a bare table, and a place is where its card lies.

Marker cards around the play area tell the plane and its millimetres; where the cards of the game lie on it
the eyes find out (`vision.lattice`), and follow.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.engine.layout import At, Board
from companion.engine.marker_cards import CardPlace, among

STRAIGHT = At(0.0, 0.0)


def bare(board: Board, cards: Iterable[CardPlace], way: At = STRAIGHT) -> Board:
    """The board on a bare table among marker cards, its places moved that way and following their cards."""
    places = []
    for place in board.places:
        x, y = way.point(place.x, place.y)
        places.append(place._replace(x=x, y=y, turn=(place.turn + way.turn) % 360))
    framed = board if board.framed is None else board.framed
    return replace(among(board, cards), places=tuple(places), framed=framed, is_bare=True)
