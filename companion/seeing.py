"""What the camera reports, as values: a reading is never an error and never a guess."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from companion.action import Action, Cell, Seat
from companion.layout import Piece


class Reading(NamedTuple):
    """What was seen at one place; `pieces` is None where the eyes are unsure.

    `guesses` holds the likeliest pieces with their probability, best first, also when unsure.
    """

    pieces: tuple[Piece, ...] | None
    confidence: float
    guesses: tuple[tuple[tuple[Piece, ...], float], ...] = ()


class Observation(NamedTuple):
    """One look at the whole board: a reading per place that could be seen, and the time of the frame."""

    readings: Mapping[Cell, Reading]
    time_s: float = 0.0
    alike: Mapping[str, str] = MappingProxyType({})
    """Faces that these eyes cannot tell from another, each with the face that it is read as."""
    by_outline: Mapping[str, str] = MappingProxyType({})
    """Standing faces that only their outline tells from another: not where several stand together."""


class Played(NamedTuple):
    """Exactly one line of legal actions explains what is on the table."""

    line: tuple[tuple[Seat, Action], ...]


class Ambiguous(NamedTuple):
    """Several lines explain it equally well; the players must say which."""

    lines: tuple[tuple[tuple[Seat, Action], ...], ...]
    cells: tuple[Cell, ...]


class Mismatch(NamedTuple):
    """No legal action explains it: what should lie at these cells, and what does."""

    expected: Mapping[Cell, tuple[Piece, ...]]
    seen: Mapping[Cell, tuple[Piece, ...]]


class Unreadable(NamedTuple):
    """The eyes cannot tell at these cells, or at all when `cells` is empty; `why` is a text code."""

    cells: tuple[Cell, ...]
    why: str


class NoChange(NamedTuple):
    """The table looks as it should."""


Match = Played | Ambiguous | Mismatch | Unreadable | NoChange
