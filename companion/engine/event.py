"""What a game tells: who must act, what has happened and who may know it, how it ended."""

from __future__ import annotations

from typing import Any, NamedTuple

from companion.engine.action import PUBLIC, Seat, Viewer


class Need(NamedTuple):
    """Who must act now, and with which verbs. Several needs at once are a simultaneous phase."""

    seat: Seat
    verbs: tuple[str, ...]


class Event(NamedTuple):
    """A fact in the past tense, for those who may know it (`None`: everyone).

    `data` holds only what JSON holds: whole numbers, words, lists of them. A fact with a secret part
    is two events with two audiences.
    """

    kind: str
    data: dict[str, Any]
    audience: frozenset[Viewer] | None = None

    def is_for(self, viewer: Viewer) -> bool:
        return self.audience is None or viewer in self.audience


def only(*viewers: Viewer) -> frozenset[Viewer]:
    """The audience of a secret."""
    return frozenset(viewers)


def all_but(seats: int, *viewers: Viewer) -> frozenset[Viewer]:
    """The audience of the open part of a secret that `viewers` know whole, in a game with `seats` seats."""
    return frozenset(range(seats)).difference(viewers) | {PUBLIC}


class Outcome(NamedTuple):
    """How a game ended: the seats that won (none: all lost), the rule that ended it, points if any."""

    code: str
    winners: tuple[Seat, ...]
    rule: str
    points: tuple[int, ...] = ()
