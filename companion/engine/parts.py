"""Boards that lie by themselves: several boards of one game, each before its player, any way up.

Each part of a board has a pose of its own (`Part.at`), and its places follow it. A part is found by its two
marker cards: they lie flush at its left edge, upper end, and at its right edge, lower end. What has no cards
lies in the middle, where the upper edges of the others open to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import atan2, cos, pi, radians, sin
from typing import NamedTuple

from companion.engine.layout import At, Board, Part, Place
from companion.engine.marker_cards import CARD_MM, CardPlace, among

SEAT_GAP_MM = 64.0
"""Between boards that lie before their players: room for a card, and a finger beside it."""
OPEN_MM = 27.0
"""How far before the upper edge of a board lies what all of them open to."""


class Sitting(NamedTuple):
    """Where somebody's board lies by default: column and row of it on the table, and its turn."""

    column: float
    row: float
    turn: int


def seat_at(seat: Sitting, side: float, gap: float = SEAT_GAP_MM) -> At:
    """The pose of a square board in that seat."""
    x, y = (step * (side + gap) + side / 2 for step in (seat.column, seat.row))
    c, s = cos(radians(seat.turn)), sin(radians(seat.turn))
    half = side / 2
    return At(x - half * c + half * s, y - half * s - half * c, seat.turn % 360)


def cards_at(part: Part) -> tuple[CardPlace, ...]:
    """The places of its cards in the part's own mm: what a card touches with its long edge is the board."""
    if not part.cards:
        return ()
    wide, high = CARD_MM
    left, right = part.cards
    return (
        CardPlace(left, -high / 2, wide / 2, 90.0),
        CardPlace(right, part.width + high / 2, part.height - wide / 2, 90.0),
    )


def laid_cards(board: Board) -> tuple[CardPlace, ...]:
    """The cards of all parts where they lie, in mm of the table area."""
    return tuple(laid_card(card, part.at) for part in board.parts for card in cards_at(part))


def laid_card(card: CardPlace, at: At) -> CardPlace:
    """A card that is known in the millimetres of something that lies there."""
    return CardPlace(card.number, *at.point(card.x, card.y), (card.turn + at.turn) % 360)


def seated(board: Board) -> Board:
    """The board with every part before its player, found by cards; as it is where it has no parts."""
    if not board.parts or board.framed is not None:
        return board
    return lay(board, [part.seat for part in board.parts])


def lay(board: Board, at: Sequence[At], cards: Sequence[CardPlace] | None = None) -> Board:
    """The board with its parts where they lie, and the cards as they should lie there, or as they do.

    The millimetres of the area begin at the upper left corner of all that the parts cover.
    """
    parts = [part._replace(at=one) for part, one in zip(board.parts, at, strict=True)]
    parts = [part if part.cards else part._replace(at=_middle(part, parts)) for part in parts]
    corners = [corner for part in parts for corner in part.corners()]
    origin = At(min(x for x, _ in corners), min(y for _, y in corners)).inverse()
    width, height = (max(one) - min(one) for one in zip(*corners, strict=True))
    moved = [part._replace(at=part.at.then(origin)) for part in parts]
    laid = move_parts(board, [part.at for part in moved])
    lying = laid_cards(laid) if cards is None else [laid_card(card, origin) for card in cards]
    framed = board if board.framed is None else board.framed
    return replace(among(laid, lying), width=width, height=height, framed=framed)


def move_parts(board: Board, at: Sequence[At]) -> Board:
    """The board with its parts moved to these poses, its markers and its size as they are."""
    places = list(board.places)
    parts = []
    for part, now in zip(board.parts, at, strict=True):
        way = part.at.inverse().then(now)
        for cell in range(part.first, part.first + part.cells):
            places[cell] = _moved(places[cell], way)
        parts.append(part._replace(at=now))
    return replace(board, places=tuple(places), parts=tuple(parts))


def _moved(place: Place, way: At) -> Place:
    x, y = way.point(place.x, place.y)
    return place._replace(x=x, y=y, turn=(place.turn + way.turn) % 360)


def _middle(part: Part, parts: Sequence[Part]) -> At:
    """The pose in the middle of where the boards open to, turned as the first board is."""
    open_to = [one.at.point(one.width / 2, -OPEN_MM) for one in parts if one.cards]
    x, y = (sum(values) / len(open_to) for values in zip(*open_to, strict=True))
    turn = next(one.at.turn for one in parts if one.cards)
    c, s = cos(radians(turn)), sin(radians(turn))
    w, h = part.width / 2, part.height / 2
    return At(x - w * c + h * s, y - w * s - h * c, turn)


def around_the_table(parts: Sequence[Part]) -> list[int]:
    """The numbers of the parts with cards in clockwise order of who sits before them, the first one first.

    A player sits where the lower edge of the board is.
    """
    own = [i for i, part in enumerate(parts) if part.cards]
    middles = [parts[i].at.point(parts[i].width / 2, parts[i].height / 2) for i in own]
    x, y = (sum(values) / len(own) for values in zip(*middles, strict=True))

    def heading(i: int) -> float:
        sits_x, sits_y = parts[i].at.point(parts[i].width / 2, 1.5 * parts[i].height)
        return atan2(sits_y - y, sits_x - x) % (2 * pi)

    ring = sorted(own, key=heading)
    first = ring.index(own[0])
    return ring[first:] + ring[:first]
