"""What can go wrong, as one family.

Each class is also the builtin that it means, so callers may catch either.
A reading of the camera is never an error: see `companion.engine.observation`.
"""

from __future__ import annotations

from companion.engine.reason import Refusal


class GloamError(Exception):
    """The base of everything that Gloam raises on purpose; its text is meant for people."""


class ConfigError(GloamError, ValueError):
    """A setting cannot be used: names the key, the value and what is allowed."""


class NotationError(GloamError, ValueError):
    """A text is no action."""


class Refused(GloamError, ValueError):
    """The rules say no; carries the `Refusal`."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.code} ({refusal.rule})")
        self.refusal = refusal


class StaleVersion(GloamError):
    """The phone saw an older position; it should look again and ask again."""


class NotYourSeat(GloamError, PermissionError):
    """The seat belongs to somebody else."""


class JournalError(GloamError, ValueError):
    """A stored game cannot be read; `line` names the place and `good` counts the actions before it."""

    def __init__(self, message: str, line: int = 0, good: int = 0) -> None:
        super().__init__(message)
        self.line = line
        self.good = good


class RecordError(GloamError, ValueError):
    """A record cannot be replayed; names the line."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {message}" if line else message)
        self.line = line


class DeviceError(GloamError, OSError):
    """A camera, strip, link or button does not answer; play goes on by tapping."""
