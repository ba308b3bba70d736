"""The fields of a position, declared once: how each is copied, compared and shown.

A position is copied far more often than anything else is done with it, so the copying function is written
from the declaration as source and compiled once, as `NamedTuple` does it: it is what one would write by hand.

>>> class Hand(Copyable):
...     declared = Fields(shared=("name",), sliced=("cards",))
...     __slots__ = declared.names
>>> one = Hand()
>>> one.name, one.cards = "left", [1, 2]
>>> other = one.copy()
>>> other == one
True
>>> other.cards.append(3)
>>> one.cards, other == one
([1, 2], False)
>>> print(other.dump())
name: left
cards: [1, 2, 3]
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, ClassVar, Self

_HOW = {
    "shared": "self.{0}",
    "sliced": "self.{0}[:]",
    "copied": "self.{0}.copy()",
    "lent": "self.{0}.lend()",
    "nested": "[part[:] for part in self.{0}]",
    "pieces": "[part.copy() for part in self.{0}]",
}
"""How the copy of a field is written, by the way it is declared."""


class Fields:
    """The fields of a class with slots, by the way in which a copy gets them.

    `shared` fields hold values that are never changed in place. `sliced` ones are lists or bytearrays of such
    values, `nested` ones lists of lists; `copied` ones have a `copy` of their own, `pieces` are lists of
    such things. `lent` ones are copied on write: `lend` says that one more position holds the thing, and who
    changes it after that takes a copy first.
    `derived` fields can be worked out from the others: a copy shares them, and they are not compared.
    `forgotten` ones are caches that a copy begins anew, with the empty value given for each.
    """

    __slots__ = ("_forgotten", "_how", "compared", "names")

    def __init__(
        self,
        *,
        shared: tuple[str, ...] = (),
        sliced: tuple[str, ...] = (),
        nested: tuple[str, ...] = (),
        copied: tuple[str, ...] = (),
        lent: tuple[str, ...] = (),
        pieces: tuple[str, ...] = (),
        derived: tuple[str, ...] = (),
        forgotten: Mapping[str, str] | None = None,
    ) -> None:
        """`forgotten` maps a field to the expression of its empty value, such as `{}`."""
        ways = {
            "shared": shared,
            "sliced": sliced,
            "nested": nested,
            "copied": copied,
            "lent": lent,
            "pieces": pieces,
        }
        self._how = {name: _HOW[way].format(name) for way, names in ways.items() for name in names}
        self.compared = tuple(self._how)
        self._how |= {name: _HOW["shared"].format(name) for name in derived}
        self._forgotten = dict(forgotten or {})
        self._how |= self._forgotten
        self.names = tuple(self._how)
        declared = sum(map(len, ways.values())) + len(derived) + len(self._forgotten)
        assert len(self.names) == declared, "a field is declared twice"

    def __add__(self, more: Fields) -> Fields:
        """The fields of a class that is built on another one."""
        both = Fields()
        assert not set(self.names) & set(more.names), "a field is declared twice"
        both._how = self._how | more._how
        both._forgotten = self._forgotten | more._forgotten
        both.compared = self.compared + more.compared
        both.names = self.names + more.names
        return both

    def copier(self) -> Callable[[Any], Any]:
        """Compiles the function that copies an object with these fields."""
        lines = ["def copy(self):", " other = new(self.__class__)"]
        lines += [f" other.{name} = {how}" for name, how in self._how.items()]
        lines.append(" return other")
        space: dict[str, Any] = {"new": object.__new__}
        exec("\n".join(lines), space)
        copy: Callable[[Any], Any] = space["copy"]
        return copy

    def frozen(self, thing: object) -> tuple[Hashable, ...]:
        """The compared fields as one value that can be hashed: equal for equal positions."""
        return tuple(_freeze(getattr(thing, name)) for name in self.compared)

    def dump(self, thing: object) -> str:
        """The compared fields as text, one a line, for a log or a failing test."""
        return "\n".join(f"{name}: {_plain(getattr(thing, name))}" for name in self.compared)


class Copyable:
    """Something that is copied, compared, hashed and dumped by its declared fields.

    A subclass says `declared = Fields(…)` and `__slots__ = declared.names`; `holds` are all its fields,
    inherited ones first.
    """

    __slots__ = ()

    declared: ClassVar[Fields] = Fields()
    holds: ClassVar[Fields] = Fields()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "declared" in cls.__dict__:
            cls.holds = cls.holds + cls.declared
            setattr(cls, "copy", cls.holds.copier())  # noqa: B010 (not a method that a type checker knows)

    def copy(self) -> Self:
        """Returns an independent copy."""
        raise NotImplementedError("no fields are declared")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Copyable) or type(self) is not type(other):
            return NotImplemented
        if self is other or not self.holds.names:
            return self is other
        return self.holds.frozen(self) == other.holds.frozen(other)

    def __hash__(self) -> int:
        return hash(self.holds.frozen(self))

    def dump(self) -> str:
        """The fields as text, one a line."""
        return self.holds.dump(self)


def _freeze(value: Any) -> Hashable:
    """A value that can be hashed and equals that of an equal field."""
    if isinstance(value, list | tuple):
        return tuple(map(_freeze, value))
    if isinstance(value, bytearray):
        return bytes(value)
    if isinstance(value, dict):
        return frozenset((key, _freeze(part)) for key, part in value.items())
    if isinstance(value, set):
        return frozenset(value)
    return value.holds.frozen(value) if isinstance(value, Copyable) else value


def _plain(value: object) -> object:
    if isinstance(value, Copyable):
        return {name: _plain(getattr(value, name)) for name in value.holds.compared}
    return list(map(_plain, value)) if isinstance(value, list) else value
