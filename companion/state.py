"""The position of a game and the only ways to change it.

A game is a set of verbs. For each verb its `State` has a `can_<verb>` that only looks and returns the
first reason against it, and a `do_<verb>` that only acts. `State.apply` always asks before it acts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple, Self

from companion.action import PUBLIC, TABLE, Action, Cell, Notation, Seat, Verb, Viewer
from companion.errors import Refused


class Reason(NamedTuple):
    """Why something is so: a code with a text in every language, the cells involved, the ledger rule.

    `data` fills the blanks of the text.
    """

    code: str
    cells: tuple[Cell, ...] = ()
    rule: str = ""
    data: dict[str, Any] = {}  # noqa: RUF012 (never changed: a missing filling)


Refusal = Reason
"""Why an action is not allowed now."""


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
    """The audience of the open part of a secret that `viewers` know whole, in a game of so many seats."""
    return frozenset(range(seats)).difference(viewers) | {PUBLIC}


class Outcome(NamedTuple):
    """How a game ended: the seats that won (none: all lost), the rule that ended it, points if any."""

    code: str
    winners: tuple[Seat, ...]
    rule: str
    points: tuple[int, ...] = ()


class State:
    """The whole truth about a game in progress.

    A subclass must define `verbs`, `turn_rule`, `over_rule`, a `can_`/`do_` pair per verb, `needs`,
    `actions`, `outcomes`, `outcome`, `copy` and `check`. A verb with a hyphen is spelled with an underscore
    in its pair. Rule code has no input or output, no clock, no random numbers and no text for people.
    """

    __slots__ = ()

    verbs: ClassVar[Mapping[str, Verb]] = {}
    turn_rule: ClassVar[str] = ""
    """The ledger rule that says whose turn it is and what may be done in it."""
    over_rule: ClassVar[str] = ""
    """The ledger rule that says a finished game takes no more actions."""
    notation: ClassVar[Notation] = Notation({})
    _pairs: ClassVar[dict[str, tuple[Callable[..., Refusal | None], Callable[..., list[Event]]]]] = {}

    def __init_subclass__(cls) -> None:
        cls.notation = Notation(cls.verbs)
        names = {verb: verb.replace("-", "_") for verb in cls.verbs}
        cls._pairs = {
            verb: (getattr(cls, f"can_{name}"), getattr(cls, f"do_{name}")) for verb, name in names.items()
        }

    # What a subclass defines -------------------------------------------------------------------

    def needs(self) -> tuple[Need, ...]:
        """Says who must act now; empty when the game is over. Chance that is due is a need of TABLE."""
        raise NotImplementedError

    def actions(self, seat: Seat) -> list[Action]:
        """Lists every action that `seat` may take now, and nothing else."""
        raise NotImplementedError

    def outcomes(self) -> list[tuple[Action, int]]:
        """Lists what chance can bring now, each with the number of ways it can."""
        raise NotImplementedError

    def outcome(self) -> Outcome | None:
        """Says how the game ended, or None while it goes on."""
        raise NotImplementedError

    def copy(self) -> Self:
        """Returns an independent copy; the rules call it often, so it is written by hand and fast."""
        raise NotImplementedError

    def check(self) -> None:
        """Asserts the ledger's invariants: pieces conserved, nothing impossible."""
        raise NotImplementedError

    # What every game gets ----------------------------------------------------------------------

    def refusal(self, seat: Seat, action: Action) -> Refusal | None:
        """Returns the first reason against the action, or None when it may be taken."""
        verb, args = action
        needs = self.needs()
        for who, verbs in needs:
            if who == seat and verb in verbs:
                return self._pairs[verb][0](self, seat, *args)
        if not needs:
            return Refusal("game-over", (), self.over_rule)
        if any(need.seat == seat for need in needs):
            return Refusal("not-now", (), self.turn_rule)
        return Refusal("not-your-turn", (), self.turn_rule)

    def apply(self, seat: Seat, action: Action) -> list[Event]:
        """Takes the action, or raises `Refused` and changes nothing."""
        verb, args = action
        for who, verbs in self.needs():
            if who == seat and verb in verbs:
                can, do = self._pairs[verb]
                # Nearly all actions have one or two arguments; spreading them would take twice as long.
                if len(args) == 2:
                    one, other = args
                    refusal = can(self, seat, one, other)
                    if refusal is None:
                        return do(self, seat, one, other)
                elif len(args) == 1:
                    (one,) = args
                    refusal = can(self, seat, one)
                    if refusal is None:
                        return do(self, seat, one)
                else:
                    refusal = can(self, seat, *args)
                    if refusal is None:
                        return do(self, seat, *args)
                raise Refused(refusal)
        out_of_turn = self.refusal(seat, action)
        assert out_of_turn is not None, action
        raise Refused(out_of_turn)

    def is_chance(self) -> bool:
        """Says whether a draw, roll or shuffle is due."""
        return any(need.seat == TABLE for need in self.needs())
