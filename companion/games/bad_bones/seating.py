"""Where the players sit: the one source of neighbours and of the boards' places (BB-SETUP-13, BB-BOOK-01).

Seats are numbered clockwise, so the next one sits to the left. The boards lie side by side, three to a row,
as their owners see them: what leaves a board over its left edge comes to the board on its left. From the end
of a row it comes to the other end of the next one, and from the last board to the first.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.engine.action import Seat
from companion.games.bad_bones.pieces import MAX_PLAYERS

ROW = 3
"""The boards of a row."""


class Seating(NamedTuple):
    """The places of the boards, by seat, and the neighbours that follow from them."""

    slots: tuple[tuple[int, int], ...]
    """Row and column of each seat's board, from the upper left."""
    left: tuple[Seat, ...]
    right: tuple[Seat, ...]
    """Each seat's neighbours; alone, the player himself (BB-SOLO-03)."""


def seating(players: int) -> Seating:
    """Seats the players: rows are filled from the right to the left; of two, each is the other's neighbour
    on both sides, and the first one lies left.
    """
    slots = tuple((seat // ROW, ROW - 1 - seat % ROW) for seat in range(players))
    if players < ROW:
        slots = tuple((0, seat) for seat in range(players))
    ring = sorted(range(players), key=lambda seat: (slots[seat][0], -slots[seat][1]))
    left = {seat: ring[(i + 1) % players] for i, seat in enumerate(ring)}
    right = {neighbour: seat for seat, neighbour in left.items()}
    seats = range(players)
    return Seating(slots, tuple(left[seat] for seat in seats), tuple(right[seat] for seat in seats))


SEATINGS = {players: seating(players) for players in range(1, MAX_PLAYERS + 1)}
