"""Actions: everything that happens at the table, and how people write it down.

An action is a verb and whole numbers; what a number means is declared once per verb by `Words`,
so rules compute with numbers while records, phones and tests use the players' words.

>>> card = Words("card", ("Rs", "Rm", "NM"))
>>> notation = Notation({"play": Verb(card), "foresee": Verb(card, rest=card)})
>>> notation.parse("foresee NM Rs")
Action(verb='foresee', args=(2, 0))
>>> notation.text(Action("play", (1,)))
'play Rm'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from companion.engine.errors import NotationError

Seat = int
Viewer = int
Cell = int

TABLE: Seat = -1
"""The seat of chance: deck, bag, dice."""
PUBLIC: Viewer = -2
"""The viewer who sees what a stranger at the table sees."""


class Action(NamedTuple):
    """One thing that a seat does."""

    verb: str
    args: tuple[int, ...] = ()


ROLES: Mapping[str, str] = {
    **dict.fromkeys(("cell", "location", "passage"), "place"),
    "target": "target",
    "pair": "pair",
    **dict.fromkeys(("turn", "direction", "side", "segment"), "turn"),
    **dict.fromkeys(("seat", "prisoner", "survivor"), "seat"),
    **dict.fromkeys(("line", "zone", "phase", "offer", "place", "owner", "clan"), "choice"),
}
"""What a hand does with an argument, by the name of its kind; all other kinds are pieces to take up.

`place`: tapped on the board. `pair`: two places joined by a hyphen. `target`: a place where the board has one
of that name, otherwise a piece. `turn`: how a piece lies, turned by tapping it. `seat`: somebody, chosen by
figure or name. `choice`: one of a few words.
"""


class Words:
    """A kind of argument: the value `i` is written `words[i]`."""

    __slots__ = ("index", "name", "words")

    def __init__(self, name: str, words: Iterable[str]) -> None:
        self.name = name
        self.words = tuple(words)
        self.index = {word: i for i, word in enumerate(self.words)}
        assert len(self.index) == len(self.words), f"{name}: a word stands twice"
        assert all(word and not any(c.isspace() for c in word) for word in self.words), name

    def __len__(self) -> int:
        return len(self.words)

    @property
    def role(self) -> str:
        """What a hand does with it: one of the values of `ROLES`, or `piece`."""
        return ROLES.get(self.name, "piece")

    def __repr__(self) -> str:
        return f"Words({self.name!r}, {self.words!r})"


def numbers(name: str, stop: int) -> Words:
    """Makes the kind of argument that counts from 0 to `stop` - 1."""
    return Words(name, map(str, range(stop)))


class Verb:
    """What a verb takes: fixed kinds of arguments, then any number of `rest`.

    `reveals` marks a verb after which somebody knows more than before: it is never previewed,
    and undo asks before going back across it. Chance reveals unless it says otherwise. `held` marks a verb
    that loses something for good: a page asks to hold its button, not to tap it.
    """

    __slots__ = ("held", "kinds", "rest", "reveals")

    def __init__(
        self, *kinds: Words, rest: Words | None = None, reveals: bool = False, held: bool = False
    ) -> None:
        self.kinds = kinds
        self.rest = rest
        self.reveals = reveals
        self.held = held


class Notation:
    """Writes and reads the actions of one game; the two round-trip."""

    __slots__ = ("verbs",)

    def __init__(self, verbs: Mapping[str, Verb]) -> None:
        self.verbs = dict(verbs)

    def text(self, action: Action) -> str:
        """Writes an action in the players' words."""
        verb = self.verbs[action.verb]
        words = [action.verb]
        for i, value in enumerate(action.args):
            kind = verb.kinds[i] if i < len(verb.kinds) else verb.rest
            assert kind is not None, action
            words.append(kind.words[value])
        return " ".join(words)

    def parse(self, text: str) -> Action:
        """Reads an action; raises `NotationError` that names the word and what was expected."""
        words = text.split()
        if not words:
            raise NotationError("an action is missing: the line is empty")
        name, given = words[0], words[1:]
        verb = self.verbs.get(name)
        if verb is None:
            raise NotationError(f"{name!r} is no action here; known: {', '.join(sorted(self.verbs))}")
        if len(given) < len(verb.kinds) or (verb.rest is None and len(given) > len(verb.kinds)):
            raise NotationError(f"{text!r}: expected {self.form(name)!r}")
        values = []
        for i, word in enumerate(given):
            kind = verb.kinds[i] if i < len(verb.kinds) else verb.rest
            assert kind is not None
            value = kind.index.get(word)
            if value is None:
                raise NotationError(f"{text!r}: {word!r} is no {kind.name}; expected {self.form(name)!r}")
            values.append(value)
        return Action(name, tuple(values))

    def form(self, name: str) -> str:
        """Describes how the verb is written, as `play CARD`."""
        verb = self.verbs[name]
        parts = [name, *(kind.name.upper() for kind in verb.kinds)]
        if verb.rest is not None:
            parts.append(f"{verb.rest.name.upper()}…")
        return " ".join(parts)
