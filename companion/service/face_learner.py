"""Learns the faces of the game on the table, on a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.service.rig import Superseded, TableRig


class FaceLearner:
    """Owner of the faces' thread: learns for the newest rig and breaks off what nobody waits for."""

    THREAD = "faces"

    def __init__(self, wake: Callable[[], None]) -> None:
        """`wake` is called when the faces are learnt: the eyes can open."""
        self._wake = wake
        self._rig: TableRig | None = None
        self._asked = threading.Event()
        self._is_stopped = False

    def use(self, rig: TableRig | None) -> None:
        """Learns for another game from now on."""
        self._rig = rig
        self._asked.set()

    def run_once(self) -> None:
        """Waits until there is something to learn, and learns it."""
        self._asked.wait()
        self._asked.clear()
        self.learn()

    def learn(self) -> None:
        """Learns what the game on the table needs, if it is not known yet."""
        rig = self._rig
        if rig is None or not rig.must_learn or self._is_stopped:
            return
        try:
            rig.learn_faces(lambda: self._rig is rig and not self._is_stopped)
        except Superseded:
            return
        self._wake()

    def stop(self) -> None:
        """Breaks off and wakes the thread so that it can end."""
        self._is_stopped = True
        self._asked.set()
