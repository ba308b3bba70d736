"""What a house may ask of the table where its owner allows it: light, a pause, a reminder. Never a move."""

from __future__ import annotations

import re
from collections.abc import Callable
from time import monotonic
from typing import Protocol

from companion.table.table import Table

COMMANDS = ("light_level", "pause", "next_game")
DIMMEST, BRIGHTEST = 5, 100
"""The light's level in per cent of what the settings allow; no house turns it off."""
PERCENT = re.compile(rb"\d{1,3}(\.\d{1,3})?")
REST_S = 10.0
"""The least time between two sentences that a house puts on the screens."""


class LampPort(Protocol):
    """The lights as far as a house may turn them."""

    level: float

    def dim(self, level: float) -> None:
        """Sets the share of the light that the settings allow."""

    def sleep(self) -> None:
        """Fades to one soft dot, until something happens that all may see."""

    def wake(self) -> None:
        """Shows the game again."""

    def sleeps_at(self, version: int) -> bool:
        """Whether the lights have slept since this version of the game."""


class HomeCommands:
    """Takes commands of a house; what is none of them is dropped."""

    def __init__(self, table: Table, lamps: LampPort, now: Callable[[], float] = monotonic) -> None:
        self._table, self._lamps, self._now = table, lamps, now
        self._said_s = -REST_S

    def states(self, version: int) -> dict[str, object]:
        """How the things are that a house may change, at this version of the game."""
        return {"light_level": round(100 * self._lamps.level), "pause": self._lamps.sleeps_at(version)}

    def take(self, what: str, payload: bytes) -> None:
        """Does what a message asks."""
        if what == "light_level" and PERCENT.fullmatch(payload):
            self._lamps.dim(min(max(float(payload), DIMMEST), BRIGHTEST) / 100)
        elif what == "pause" and payload in (b"ON", b"OFF"):
            if payload == b"ON":
                self._lamps.sleep()
                self._say("house-pause")
            else:
                self._lamps.wake()
        elif what == "next_game" and payload == b"PRESS":
            self._say("house-next")

    def _say(self, code: str) -> None:
        """Puts a sentence on every screen of a game; a house that says too much is not heard."""
        now = self._now()
        if self._table.session is not None and now - self._said_s >= REST_S:
            self._said_s = now
            self._table.notice(code, {})
