"""Options of a game: declared once, as data, for the command line, the start form and the check."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from companion.engine.errors import ConfigError

Value = int | str | bool
Options = Mapping[str, Value]

GROUPS = ("who", "hard", "readings")
"""Who plays, how hard it is, and how the players read rules that can be read in two ways."""
_READING = re.compile(r"D-|DEC-|AMB-|[A-Z]+-BOOK-").match
"""The IDs of decisions about the book, in every ledger."""


class Option(NamedTuple):
    """One choice made before the game; the first of `choices` is not special, `default` is."""

    name: str
    choices: tuple[Value, ...]
    default: Value
    rule: str = ""
    """The ledger rule or decision that offers the choice."""
    kind: str = ""
    """One of `GROUPS`, where the rule does not tell it."""

    @property
    def group(self) -> str:
        """What the option is about: who plays and with what, how hard it is, or how a rule is read.

        >>> Option("gates", (3, 4), 4, "NC-DIFF-02").group, Option("flicker", (0, 1), 0, "D-29").group
        ('hard', 'readings')
        """
        if self.kind:
            return self.kind
        if self.name == "players" or not self.rule or "-SETUP-" in self.rule:
            return "who"
        return "readings" if _READING(self.rule) else "hard"


def switch(name: str, default: bool, rule: str = "") -> Option:
    """Declares a yes-or-no option."""
    return Option(name, (False, True), default, rule)


def from_pairs(pairs: Sequence[str]) -> dict[str, Value]:
    """Reads options written as `name=value`, as every command takes them after `--option`.

    >>> from_pairs(["players=2", "deck=physical"])
    {'players': '2', 'deck': 'physical'}
    """
    split = [pair.partition("=") for pair in pairs]
    for pair, (_, equals, _) in zip(pairs, split, strict=True):
        if not equals:
            raise ConfigError(f"--option {pair!r}: write it as name=value")
    return {name: value for name, _, value in split}


def resolve(declared: Sequence[Option], given: Mapping[str, Value]) -> dict[str, Value]:
    """Completes the given options with defaults; raises `ConfigError` for an unknown key or value.

    >>> resolve((Option("players", (1, 2), 1),), {"players": "2"})
    {'players': 2}
    """
    known = {option.name: option for option in declared}
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise ConfigError(f"unknown option {name!r}{hint} Known: {', '.join(known) or 'none'}")
    return {
        name: _choice(option, given[name]) if name in given else option.default
        for name, option in known.items()
    }


def _choice(option: Option, value: Value) -> Value:
    text = _word(value)
    for choice in option.choices:
        if _word(choice) == text:
            return choice
    allowed = ", ".join(_word(choice) for choice in option.choices)
    raise ConfigError(f"option {option.name}: {text!r} is not allowed; choose one of {allowed}")


def _word(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return {"true": "yes", "on": "yes", "false": "no", "off": "no"}.get(str(value).lower(), str(value))


def write(options: Options) -> dict[str, str]:
    """Writes options as the words that `resolve` reads back."""
    return {name: _word(value) for name, value in options.items()}
