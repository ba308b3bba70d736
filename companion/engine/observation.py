"""What the camera reports, as values: a reading is never an error and never a guess."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from companion.engine.action import Action, Cell, Seat
from companion.engine.layout import Piece


class Reading(NamedTuple):
    """What was seen at one place; `pieces` is None where the eyes are unsure.

    `guesses` holds the likeliest pieces with their probability, best first, also when unsure.
    """

    pieces: tuple[Piece, ...] | None
    confidence: float
    guesses: tuple[tuple[tuple[Piece, ...], float], ...] = ()


Blur = Literal["dark", "glare", "unknown"]
"""Why a place cannot be read: too little light, a lamp mirrored in it, nothing that was taught or covered."""


class Observation(NamedTuple):
    """One look at the whole board: a reading per place that could be seen, and the time of the frame."""

    readings: Mapping[Cell, Reading]
    time_s: float = 0.0
    alike: Mapping[str, str] = MappingProxyType({})
    """Faces that these eyes cannot tell from another, each with the face that it is read as."""
    by_outline: Mapping[str, str] = MappingProxyType({})
    """Standing faces that only their outline tells from another: not where several stand together."""
    blurs: Mapping[Cell, Blur] = MappingProxyType({})
    """Why places could not be read, where that can be said."""


class Looks(NamedTuple):
    """What the eyes have read of the table, as one value that can be handed to another thread."""

    newest: Observation = Observation({})
    """The last reading, as it was read."""
    at_rest: tuple[Observation, ...] = ()
    """The readings since the table came to rest; places that the players accepted look as they should."""


class Played(NamedTuple):
    """Exactly one line of legal actions explains what is on the table."""

    line: tuple[tuple[Seat, Action], ...]


class Ambiguous(NamedTuple):
    """Several lines explain it equally well; the players must say which."""

    lines: tuple[tuple[tuple[Seat, Action], ...], ...]
    cells: tuple[Cell, ...]


class NearLine(NamedTuple):
    """A line of legal actions that is not carried out yet: what lay, lies and should lie on its places."""

    line: tuple[tuple[Seat, Action], ...]
    before: Mapping[Cell, tuple[Piece, ...]]
    seen: Mapping[Cell, tuple[Piece, ...]]
    expected: Mapping[Cell, tuple[Piece, ...]]


class Mismatch(NamedTuple):
    """No legal action explains it: what should lie at these cells, and what does.

    That is for the likeliest of the lines that come near, which are all listed; where none does, for the
    position on record.
    """

    expected: Mapping[Cell, tuple[Piece, ...]]
    seen: Mapping[Cell, tuple[Piece, ...]]
    lines: tuple[NearLine, ...] = ()


Why = Literal["unsure", "hidden", "too-much", "nothing-seen", Blur]
"""Why the eyes cannot tell: a faint or askew piece, something in the way, too much at once, no board, or as
for a place."""


class Unreadable(NamedTuple):
    """The eyes cannot tell at these cells, or at all when `cells` is empty; `why` has a sentence."""

    cells: tuple[Cell, ...]
    why: Why


class NoChange(NamedTuple):
    """The table looks as it should."""


Match = Played | Ambiguous | Mismatch | Unreadable | NoChange
