"""Marker cards: one printed sheet that serves all games, laid anywhere flat around the play area.

A card has two markers. Blur makes every marker look a little smaller than it is, but leaves the distance
between two middles as it is: so a card tells true millimetres.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import cos, radians, sin
from typing import NamedTuple

from companion.engine.layout import CARD_FRAMES, MARKERS, Board, Marker

FIRST = MARKERS * CARD_FRAMES[0]
"""The marker number of the first card."""
CARDS = 12
"""Cards on the sheet."""
CARD_MM = (95.0, 45.0)
CARD_MARKER_MM = 33.0
APART_MM = 46.0
"""Between the middles of the two markers of a card."""
ENOUGH = 3
"""Cards that must be in view before their places are worked out."""


class CardPlace(NamedTuple):
    """Where a card lies on the table: its number, its middle in mm, its turn clockwise in degrees."""

    number: int
    x: float
    y: float
    turn: float

    def markers(self) -> tuple[Marker, ...]:
        """Its two markers, the left one first."""
        c, s = cos(radians(self.turn)), sin(radians(self.turn))
        half = CARD_MARKER_MM / 2
        first = FIRST + 2 * (self.number - 1)
        return tuple(
            Marker(
                first + i,
                self.x + (across - half) * c + half * s,
                self.y + (across - half) * s - half * c,
                CARD_MARKER_MM,
                self.turn,
            )
            for i, across in enumerate((-APART_MM / 2, APART_MM / 2))
        )

    def outline(self) -> list[tuple[float, float]]:
        """Its corners in mm, clockwise from its upper left."""
        c, s = cos(radians(self.turn)), sin(radians(self.turn))
        w, h = CARD_MM[0] / 2, CARD_MM[1] / 2
        return [
            (self.x + x * c - y * s, self.y + x * s + y * c) for x, y in ((-w, -h), (w, -h), (w, h), (-w, h))
        ]

    def seen_from(self, x: float, y: float, turn: float) -> CardPlace:
        """The same card in the millimetres of a board whose upper left corner lies at (x, y), turned so."""
        c, s = cos(radians(turn)), sin(radians(turn))
        dx, dy = self.x - x, self.y - y
        return self._replace(x=dx * c + dy * s, y=dy * c - dx * s, turn=(self.turn - turn) % 360)


def card_of(marker: int) -> int | None:
    """The number of the card that a marker is on; None for a marker of a frame."""
    return (marker - FIRST) // 2 + 1 if FIRST <= marker < FIRST + 2 * CARDS else None


def card_markers() -> dict[int, list[list[float]]]:
    """Every marker of the sheet with its corners in the millimetres of its own card."""
    return {m.id: m.corners() for number in range(1, CARDS + 1) for m in CardPlace(number, 0, 0, 0).markers()}


def among(board: Board, cards: Iterable[CardPlace]) -> Board:
    """The board, found by cards that lie around it instead of by its frame; in the board's millimetres."""
    return replace(board, markers=tuple(marker for card in cards for marker in card.markers()))


def cards_around(board: Board, n: int = 8) -> tuple[CardPlace, ...]:
    """Where people lay cards around a board: along its edges, none of them quite straight."""
    away = 12.0 + CARD_MM[1] / 2
    width, height = board.width, board.height
    spots = [
        (0.22 * width, -away, 4.0),
        (0.8 * width, -away, -6.0),
        (width + away, 0.25 * height, 85.0),
        (width + away, 0.76 * height, 97.0),
        (0.75 * width, height + away, 176.0),
        (0.25 * width, height + away, 5.0),
        (-away, 0.78 * height, 272.0),
        (-away, 0.2 * height, 264.0),
    ]
    return tuple(CardPlace(i + 1, *spot) for i, spot in enumerate(spots[:n]))
