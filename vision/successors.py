"""The positions that legal steps lead to from the one on record, computed once and kept for the next look."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cache
from math import log
from operator import attrgetter
from typing import Any

from companion.engine.action import TABLE, Action, Cell, Seat
from companion.engine.fields import Copyable
from companion.engine.game import Game
from companion.engine.layout import Layout, Piece
from companion.engine.options import Options
from companion.engine.state import State

LineOfPlay = tuple[tuple[Seat, Action], ...]


class ReachablePosition:
    """A position that legal actions lead to, and what lies on the table then."""

    __slots__ = ("chance", "changed", "layout", "line", "moved", "next", "number", "state")

    def __init__(
        self,
        state: State,
        layout: Layout,
        line: LineOfPlay = (),
        chance: float = 0.0,
        before: ReachablePosition | None = None,
    ) -> None:
        self.state, self.line = state, line
        self.layout = (
            layout if all(layout.values()) else {c: pieces for c, pieces in layout.items() if pieces}
        )
        self.chance = chance
        """The logarithm of how likely the draws and rolls on the way were."""
        self.changed = frozenset() if before is None else frozenset(difference(before.layout, self.layout))
        """The places that the last step changed."""
        self.moved: frozenset[Cell] = self.changed if before is None else before.moved | self.changed
        """The places that any step of the line changed."""
        self.next: list[ReachablePosition] | None = None
        self.number: Hashable = None
        """The same for equal positions; None until `SuccessorCache.number` is called."""


class SuccessorCache:
    """Keeps the positions that legal steps lead to, so that they are computed once, not for every look."""

    def __init__(self) -> None:
        self._known: tuple[Game, Options] | None = None
        self._now: ReachablePosition | None = None
        self._numbers = ValueNumbers()

    def at(self, game: Game, options: Options, state: State) -> ReachablePosition:
        """The position on record, with the successors known so far if it is still the same position."""
        if self._known != (game, options):
            self._known, self._now = (game, options), None
            self._at_table = game.at_table(options)
        if self._now is None or not same(self._now.state, state):
            self._now = ReachablePosition(state, game.expected(state, options))
            self._numbers = ValueNumbers()
        return self._now

    def after(self, position: ReachablePosition) -> list[ReachablePosition]:
        """The positions one legal step on."""
        if position.next is None:
            position.next = list(self._after(position))
        return position.next

    def number(self, position: ReachablePosition) -> Hashable:
        """The same number for equal positions, whichever lines led to them."""
        if position.number is None:
            position.number = self._numbers.of(position.state)
        return position.number

    def _after(self, position: ReachablePosition) -> Iterable[ReachablePosition]:
        assert self._known is not None
        state, (game, options) = position.state, self._known
        for need in state.needs():
            if need.seat == TABLE:
                outcomes = [(a, ways) for a, ways in state.outcomes() if a.verb in self._at_table]
                total = sum(ways for _, ways in outcomes)
                choices = [(action, log(ways / total)) for action, ways in outcomes if ways]
            else:
                choices = [(action, 0.0) for action in state.actions(need.seat)]
            for action, chance in choices:
                after = state.copy()
                after.apply(need.seat, action)
                line = (*position.line, (need.seat, action))
                layout = game.expected(after, options)
                if action.verb in game.by_hand and layout == position.layout:
                    continue
                yield ReachablePosition(after, layout, line, position.chance + chance, position)


def difference(a: Mapping[Cell, tuple[Piece, ...]], b: Mapping[Cell, tuple[Piece, ...]]) -> set[Cell]:
    """The places on which two layouts, without empty places, differ."""
    return {cell for cell, pieces in b.items() if a.get(cell) != pieces} | (a.keys() - b.keys())


# Equal positions -----------------------------------------------------------------------------------


@cache
def _slots(kind: type) -> tuple[str, ...]:
    """The slots by which values of a class are compared; none where the class defines equality itself.

    Positions are compared by their declared fields. Where none are declared, all slots count but a `memo` and
    private ones, which are caches of values derived from the others.
    """
    if issubclass(kind, Copyable) and kind.holds.names:
        return kind.holds.compared
    kinds = [one for one in kind.__mro__[:-1] if one is not Copyable]
    if any("__eq__" in vars(one) for one in kinds):
        return ()
    return tuple(
        name for one in kinds for name in vars(one).get("__slots__", ()) if name[0] != "_" and name != "memo"
    )


@cache
def _held(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    """Gets what all slots of an object hold."""
    slots = _slots(kind)
    return attrgetter(*slots) if len(slots) > 1 else lambda value: (getattr(value, slots[0]),)


def same(a: Any, b: Any) -> bool:
    """Whether two values of the rules are equal, looking into objects that define no equality."""
    numbers = ValueNumbers()
    return a is b or numbers.of(a) == numbers.of(b)


class ValueNumbers:
    """Gives equal values of the rules the same number, looking into objects that define no equality."""

    PLAIN = frozenset({int, str, bool, bytes, float, type(None)})

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}
        self._unhashable: list[Any] = []
        self._kept: dict[int, tuple[Hashable, Any]] = {}
        """The numbers given so far, by identity: states share the values that no step changes."""

    def of(self, value: Any) -> Hashable:
        """A number, or another value that is equal for equal values and cheap to compare."""
        kind = value.__class__
        if kind in self.PLAIN:
            return value  # type: ignore[no-any-return]
        if kind is list:
            return self._of_all(value)
        if kind is bytearray:
            return bytes(value)
        if kind is dict:
            if self.PLAIN.issuperset(map(type, value.values())):
                return frozenset(value.items())
            return frozenset(zip(value, map(self.of, value.values()), strict=True))
        kept = self._kept.get(id(value))
        if kept is None:
            number = self._of_all(value) if kind is tuple else self._of_object(value)
            kept = self._kept[id(value)] = number, value
        return kept[0]

    def _of_all(self, values: Sequence[Any]) -> Hashable:
        if self.PLAIN.issuperset(map(type, values)):
            return tuple(values)
        return tuple([self.of(one) for one in values])

    def _of_object(self, value: Any) -> Hashable:
        slots = _slots(value.__class__)
        if not slots:
            return self._of_equal(value)
        try:
            held = _held(value.__class__)(value)
        except AttributeError:  # a slot that was never filled
            held = tuple([getattr(value, name, None) for name in slots])
        parts = (value.__class__, *[one if one.__class__ in self.PLAIN else self.of(one) for one in held])
        return self._numbers.setdefault(parts, len(self._numbers))

    def _of_equal(self, value: Any) -> Hashable:
        try:
            hash(value)
        except TypeError:
            if value not in self._unhashable:
                self._unhashable.append(value)
            return value.__class__, self._unhashable.index(value)
        return value  # type: ignore[no-any-return]
