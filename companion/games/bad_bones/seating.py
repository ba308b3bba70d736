"""Where the players sit: the one source of neighbours and of the boards' places (BB-SETUP-13, BB-BOOK-01).

Seats are numbered clockwise, so the next one sits to the left. Every board lies before its player, any way
up; `sitting` is how they lie while nobody has looked. Together, the edges without forest face the middle with
the capital (BB-BOOK-10). Within a printed frame the boards lie side by side, three to a row: from the end of
a row a skeleton comes to the other end of the next one, and from the last board to the first.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.engine import parts
from companion.engine.action import Seat
from companion.games.bad_bones.pieces import MAX_PLAYERS

ROW = 3
"""The boards of a row."""


class Seating(NamedTuple):
    """The places of the boards, by seat, and the neighbours that follow from them."""

    slots: tuple[tuple[int, int], ...]
    """Row and column of each seat's board, from the upper left."""
    turned: tuple[bool, ...]
    """Whose board lies upside down, towards the opposite row."""
    left: tuple[Seat, ...]
    right: tuple[Seat, ...]
    """Each seat's neighbours; alone, the player himself (BB-SOLO-03)."""


def seating(players: int, coop: bool) -> Seating:
    """Seats the players: rows are filled from the right to the left; of two, each is the other's neighbour
    on both sides, and the first one lies left. Together, those beyond the first row sit opposite it.
    """
    slots = tuple((seat // ROW, ROW - 1 - seat % ROW) for seat in range(players))
    if players < ROW:
        slots = tuple((0, seat) for seat in range(players))
    faces_another_row = coop and players > ROW
    if faces_another_row:
        slots = tuple((1, ROW - 1 - seat) if seat < ROW else (0, seat - ROW) for seat in range(players))
    turned = tuple(faces_another_row and row == 0 for row, _ in slots)
    ring = sorted(range(players), key=lambda seat: (slots[seat][0], -slots[seat][1]))
    if faces_another_row:
        ring = list(range(players))
    left = {seat: ring[(i + 1) % players] for i, seat in enumerate(ring)}
    right = {neighbour: seat for seat, neighbour in left.items()}
    seats = range(players)
    return Seating(slots, turned, tuple(left[seat] for seat in seats), tuple(right[seat] for seat in seats))


SEATINGS = {
    (players, coop): seating(players, coop) for players in range(1, MAX_PLAYERS + 1) for coop in (False, True)
}

_RIVALS = {
    1: ((0, 0, 0),),
    2: ((0, 0, 90), (1, 0, 270)),
    3: ((1, 0, 0), (0, 0, 90), (2, 0, 270)),
    4: ((1, 1, 0), (0, 1, 90), (0, 0, 180), (1, 0, 270)),
    5: ((2, 1, 0), (1, 1, 0), (0, 1, 90), (0, 0, 180), (1, 0, 180)),
    6: ((2, 1, 0), (1, 1, 0), (0, 1, 90), (0, 0, 180), (1, 0, 180), (2, 0, 270)),
}
"""Column, row and turn of each rival's board."""


def sitting(players: int, coop: bool) -> tuple[parts.Sitting, ...]:
    """Where the boards lie before their players while nobody has looked."""
    if not coop:
        return tuple(parts.Sitting(*one) for one in _RIVALS[players])
    slots, turned, *_ = SEATINGS[players, coop]
    return tuple(
        parts.Sitting(column, row, 180 if is_turned else 0)
        for (row, column), is_turned in zip(slots, turned, strict=True)
    )
