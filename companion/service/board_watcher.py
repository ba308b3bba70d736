"""Looks at the table: when there may be something to see, how often, and whether the candles may flicker.

On the eyes' thread alone. A look may take seconds; nobody waits for it, for it holds no lock, and its verdict
is dropped by `Loop.take` where it comes too late.
"""

from __future__ import annotations

import threading
from pathlib import Path

from companion.engine.observation import Match, NoChange, Played
from companion.service.recording import Recorder
from companion.service.rig import TableRig
from companion.table.prompt import ALL_RIGHT, NEEDS_ANSWER, Prompt
from companion.world.loop import Loop
from hardware.ports import Clock

LOOK_S = 0.2
"""Between two looks while something may be happening."""
IDLE_S = 30.0
"""Between two looks at a virtual table on which nothing happens; anything that happens wakes the eyes."""
LOST_S = 1.0
"""Between two tries to read a lost camera."""
AWAKE_S = 5.0
"""How long after the last change the eyes go on looking."""
BLIND_S = 2.0
"""How long a board must not be found before that is said; a hand or a passing shadow is not."""
WATCHED_S = 4.0
"""How long after somebody asked for a picture the camera goes on taking some."""
NEVER = float("-inf")


class BoardWatcher:
    """Owner of the eyes' thread: the camera and the eyes of the game on the table."""

    THREAD = "eyes"

    def __init__(self, clock: Clock, keep: Path | None) -> None:
        """`keep` is where whole evenings are kept, if they are to be."""
        self.looked = threading.Condition()
        """Told after each look."""
        self._clock, self._keep = clock, keep
        self._woken = threading.Event()
        self._wanted: TableRig | None = None
        self._rig: TableRig | None = None
        self._recorder: Recorder | None = None
        self._awake_until = self._watched_until = 0.0
        self._touched_s = self._right_s = self._judged_s = NEVER
        self._sighted_s = clock.now()

    # From any thread ---------------------------------------------------------------------------

    def use(self, rig: TableRig | None) -> None:
        """Looks at another game from now on."""
        self._wanted = rig
        self.wake()

    def wake(self) -> None:
        """Makes the eyes look for a while: something has happened."""
        self._awake_until = self._clock.now() + AWAKE_S
        self._woken.set()

    def touch(self) -> None:
        """Notes that somebody has moved a piece by hand."""
        self._touched_s = self._clock.now()
        self.wake()

    def forget_touch(self) -> None:
        """Whoever has moved pieces by hand will tap what it means: there is nothing to ask."""
        self._touched_s = NEVER

    def watch(self) -> None:
        """Somebody looks at the camera's pictures."""
        self._watched_until = self._clock.now() + WATCHED_S
        self._woken.set()

    @property
    def has_judged_touch(self) -> bool:
        """Whether the table was judged since somebody moved a piece."""
        return self._judged_s > self._touched_s

    # On the eyes' thread -----------------------------------------------------------------------

    def run_once(self) -> None:
        """Takes a look if there may be something to see, and waits."""
        self._woken.wait(self.step())
        self._woken.clear()

    def step(self) -> float:
        """Takes the look that is due; returns the time until the next one."""
        self._change_over()
        rig, now = self._rig, self._clock.now()
        if rig is None:
            return IDLE_S
        is_lost = rig.loop.prompt.code in ("lost", "blind")
        is_due = rig.world is None or is_lost or now < max(self._awake_until, self._watched_until)
        # A virtual table whose faces are not learnt yet is not rendered only to find its board.
        is_vain = rig.world is not None and rig.must_learn and now >= self._watched_until
        is_senseless = rig.camera is None and rig.switches is None
        if is_senseless or is_vain or not is_due:
            rig.parts.lights.hold(False)
            return IDLE_S
        before, is_leading, awake_until = rig.session.lines(), rig.loop.is_leading, self._awake_until
        result = rig.look()
        # A slow look, or a busy machine, must not make the eyes fall asleep before they have seen anything.
        self._awake_until = max(self._awake_until, awake_until + self._clock.now() - now)
        if self._recorder is not None and rig.faces is not None and rig.glance is not None:
            self._recorder.note(before, rig.glance, result, is_leading, rig.faces.library)
        self._note(rig, result)
        return LOST_S if is_lost else LOOK_S

    def _change_over(self) -> None:
        """Lets go of the camera of the game before."""
        rig = self._wanted
        if rig is self._rig:
            return
        if self._rig is not None:
            self._rig.close_camera()
        self._rig = rig
        self._recorder = None if rig is None or self._keep is None else Recorder(self._keep, rig.session)
        self._touched_s = self._right_s = self._judged_s = NEVER
        self._sighted_s = self._clock.now()

    def _note(self, rig: TableRig, result: Match | None) -> None:
        """Notes until when the table was judged, and asks nothing where nobody has moved a piece.

        While the eyes make up their mind the candles hold their breath: flicker would look like motion.
        """
        glance = rig.glance
        calm = None if glance is None else glance.calm
        rig.parts.lights.hold(rig.has_eyes and result is None and calm is not None and not calm.hand)
        if result is not None and glance is not None:
            self._judged_s = glance.frame.time_s
            if isinstance(result, NoChange | Played):
                self._right_s = glance.frame.time_s
        loop = rig.loop
        self._say_blind(loop, "" if glance is None else glance.trouble)
        is_touched = rig.world is None or not rig.helps or self._touched_s >= self._right_s
        if not is_touched and loop.prompt.code in NEEDS_ANSWER and not loop.is_leading:
            loop.accept_as_is()
        with self.looked:
            self.looked.notify_all()

    def _say_blind(self, loop: Loop, trouble: str) -> None:
        """Says that the board cannot be found once that has lasted, and takes it back at once."""
        now = self._clock.now()
        if not trouble:
            self._sighted_s = now
            if loop.prompt.code == "blind":
                loop.say(ALL_RIGHT)
        elif now - self._sighted_s >= BLIND_S:
            if loop.switches is None:
                loop.say(Prompt("blind"))
            elif loop.prompt.code not in NEEDS_ANSWER:  # the switches may have a question
                loop.say(Prompt("blind", why="felt"))

    def stop(self) -> None:
        """Wakes the thread so that it can end."""
        self._woken.set()

    def close(self) -> None:
        """Lets go of the camera; only when the thread has ended."""
        self._wanted = None
        self._change_over()
