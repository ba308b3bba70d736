"""A voice from the table itself: sentences become sound by Debian's `espeak-ng`, where it is installed.

Pages play it where their browser has no voice of its own. What is said is always a line of the listener's own
log. Each listener's lines are said and kept apart, so that nobody hears by the time it takes what another was
told.
"""

from __future__ import annotations

import subprocess
import threading
from collections import defaultdict
from shutil import which

from companion.engine.action import Viewer

VOICES = {"en": "en-gb", "ru": "ru"}
KEPT = 64
"""How many sentences of each listener are kept: those for everybody are heard by many pages."""
LONGEST = 300
"""Letters of a sentence that are said."""
TIMEOUT_S = 5.0
PATIENCE_S = 0.4
"""Whoever waits longer than this for others goes without: the line is on the screen anyway."""
WAITING = 3
"""How many may wait for, or have, the same listener's sentence: more go without at once."""


class _Listener:
    """What is said to one viewer, one sentence after the other: a Pi has other things to do as well."""

    def __init__(self) -> None:
        self.made: dict[tuple[str, str], bytes] = {}
        self.one = threading.Lock()
        self.few = threading.BoundedSemaphore(WAITING)


class Speech:
    """Says sentences to the viewers of a table."""

    def __init__(self, program: str = "espeak-ng") -> None:
        self._program = which(program)
        self._listeners: dict[Viewer, _Listener] = defaultdict(_Listener)

    @property
    def is_there(self) -> bool:
        """Whether the table can speak."""
        return self._program is not None

    def wav(self, text: str, language: str, whose: Viewer) -> bytes | None:
        """A sentence of a viewer's log as a WAV file; None where nothing can say it."""
        if self._program is None:
            return None
        ours, key = self._listeners[whose], (text[:LONGEST], language)
        if key in ours.made:
            return ours.made[key]
        if not ours.few.acquire(blocking=False):
            return None
        try:
            if not ours.one.acquire(timeout=PATIENCE_S):
                return None
            try:
                made = ours.made.get(key) or self._say(self._program, *key)
                if made is not None:
                    ours.made = dict([*ours.made.items(), (key, made)][-KEPT:])
                return made
            finally:
                ours.one.release()
        finally:
            ours.few.release()

    def _say(self, program: str, text: str, language: str) -> bytes | None:
        command = [program, "-v", VOICES[language], "-s", "150", "--stdin", "--stdout"]
        try:
            said = subprocess.run(command, input=text.encode(), capture_output=True, timeout=TIMEOUT_S)
        except (OSError, subprocess.TimeoutExpired):
            return None
        return said.stdout if said.returncode == 0 and said.stdout[:4] == b"RIFF" else None
