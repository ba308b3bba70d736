"""Frames for streams: each is made and written once for all pages that show the same thing.

Twenty pages that watch one table would otherwise list and name the same moves twenty times at the same
moment. A frame is shared among pages of one viewer and one language alone, never between viewers.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from operator import is_
from typing import Any, Generic, NamedTuple, TypeVar

from companion.engine.action import Viewer
from companion.engine.game import View
from companion.table.session import Session, Update
from companion.table.table import Table
from web import frames


def to_json(value: Any) -> str:
    """Writes a value as pages read it."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


class FrameText(NamedTuple):
    """A frame as JSON, and its version."""

    version: int
    text: str


T = TypeVar("T")


class _Made(Generic[T]):
    """A value and what it was made from, held so that no other object gets the address of one of these."""

    def __init__(self, room: int, sources: tuple[object, ...], value: T) -> None:
        self.value = value
        self._room = room
        self._sources = sources

    def is_of(self, room: int, sources: tuple[object, ...]) -> bool:
        return self._room == room and all(map(is_, self._sources, sources))


class _Newest(Generic[T]):
    """The newest value made from certain sources; who comes while it is being made waits for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: _Made[T] | None = None

    def get(self, room: int, sources: tuple[object, ...], make: Callable[[], T]) -> T:
        """The value for a version of the room and sources that are the same objects."""
        if (made := self._made) is not None and made.is_of(room, sources):
            return made.value  # most pages come when it is there, and need not wait for each other
        with self._lock:
            if (made := self._made) is None or not made.is_of(room, sources):
                made = self._made = _Made(room, sources, make())
            return made.value


class FrameCache:
    """The newest frame and the newest lines of the log, by viewer and language."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._frames: dict[tuple[Viewer, str], _Newest[FrameText]] = {}
        self._logs: dict[tuple[Viewer, str], _Newest[str]] = {}

    def frame(self, table: Table, session: Session, viewer: Viewer, language: str, view: View) -> FrameText:
        """What `frames.frame` gives, as JSON; made anew whenever anything that it is made from is another.

        `view` is the newest that the page knows of: asking the session for it would make all pages wait for
        the one lock that the move they are told of still holds.
        """

        def make() -> FrameText:
            told = frames.frame(table, session, viewer, language)
            return FrameText(told["version"], to_json(told))

        # Every commit of the session makes new views, so a view stands for the whole position behind it;
        # the table's version stands for the seats.
        room, sources = table.version, (session, view, table.word)
        with self._lock:
            newest = self._frames.setdefault((viewer, language), _Newest())
        return newest.get(room, sources, make)

    def log(self, table: Table, session: Session, viewer: Viewer, language: str, update: Update) -> str:
        """The lines of the log that a viewer's update brings, with their cues, as a JSON list."""
        events = update.events
        if not events:
            return "[]"

        def make() -> str:
            return to_json(frames.Teller(table, session, language).played(events, update.cues))

        with self._lock:
            newest = self._logs.setdefault((viewer, language), _Newest())
        return newest.get(table.version, (session, events), make)
