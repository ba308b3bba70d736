"""The position of a game and the only ways to change it.

A game is a set of verbs. For each verb its `State` has a `can_<verb>` that only looks and returns the
first reason against it, and a `do_<verb>` that only acts. `State.apply` always asks before it acts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, ClassVar, NamedTuple

from companion.engine.action import PUBLIC, TABLE, Action, Cell, Notation, Seat, Verb, Viewer
from companion.engine.errors import Refused
from companion.engine.fields import Copyable
from companion.engine.reason import Reason as Reason
from companion.engine.reason import Refusal as Refusal


def no(code: str, rule: str, *cells: Cell, **data: Any) -> Refusal:
    """Makes a refusal: code, ledger rule, the cells involved, and what fills the blanks of its text."""
    return Refusal(code, cells, rule, data)


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


class State(Copyable):
    """The whole truth about a game in progress.

    A subclass must define `verbs`, `turn_rule`, `over_rule`, a `can_`/`do_` pair per verb, `needs`,
    `actions`, `outcomes`, `outcome`, `check` and, as `declared`, its fields: `copy`, equality, hashing and
    `dump` are made from them. A verb with a hyphen is spelled with an underscore in its pair. Rule code has
    no input or output, no clock, no random numbers and no text for people.
    """

    __slots__ = ()

    verbs: ClassVar[Mapping[str, Verb]] = {}
    turn_rule: ClassVar[str] = ""
    """The ledger rule that says whose turn it is and what may be done in it."""
    over_rule: ClassVar[str] = ""
    """The ledger rule that says a finished game takes no more actions."""
    parts: ClassVar[tuple[ModuleType, ...]] = ()
    """The modules that hold the pairs, one subject each; a pair takes the position as its first argument."""
    notation: ClassVar[Notation] = Notation({})
    _pairs: ClassVar[dict[str, tuple[Callable[..., Refusal | None], Callable[..., list[Event]]]]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.notation = Notation(cls.verbs)
        cls._pairs = {}
        for verb in cls.verbs:
            name = verb.replace("-", "_")
            home = next((part for part in cls.parts if hasattr(part, f"do_{name}")), cls)
            cls._pairs[verb] = getattr(home, f"can_{name}"), getattr(home, f"do_{name}")

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
