"""What places mean right now, for the lights: a game says the meaning, a theme gives it a look."""

from __future__ import annotations

from typing import NamedTuple

from companion.engine.action import Cell

MEANINGS = (
    "lit",  # a candle's light falls here
    "dim",  # known, present, resting
    "fading",  # about to go dark
    "pit",
    "threat",  # a monster sees this place, or something bad arrives next
    "attack",  # part of an attack path; `order` is the step
    "path",  # part of a way somebody may take; `order` is the step
    "legal",  # the acting player may choose it
    "choose",  # somebody must decide about this place
    "wrong",  # a piece lies here that should not
    "place",  # put a piece here
    "remove",  # take the piece away
    "turn",  # this seat acts
    "progress",  # a count towards a goal
    "low",  # a supply runs out
    "safe",  # protected, repaired, won ground
    "noise",
    "fear",
    "won",
    "lost",
)
"""The meanings a game may use; every theme draws all of them."""

TINTS = ("", "red", "orange", "yellow", "green", "blue", "violet", "white", "brown", "pink")
"""Whose or which: a player's colour, a door's colour; empty when the meaning alone says enough."""


class Glow(NamedTuple):
    """One meaning at one place."""

    cell: Cell
    meaning: str
    tint: str = ""
    order: int = 0
    """The step of a way; below 0 it is a step that is being taken right now."""
    level: float = 1.0
    """How strongly, 0 to 1: the number of candles, the wear of a trap."""


class Scene(NamedTuple):
    """All meanings at one moment; later glows lie above earlier ones."""

    glows: tuple[Glow, ...] = ()
    mood: str = ""
    """A hush for the whole table: "" | "tense" | "last-light" | "won" | "lost"."""


MOODS = ("", "tense", "last-light", "won", "lost")
