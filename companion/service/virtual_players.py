"""Players without hands of flesh: they carry actions out on the virtual table and let the eyes follow."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from companion.engine.action import Action, Seat
from companion.engine.errors import Refused
from companion.service.board_watcher import LOST_S, BoardWatcher
from companion.service.rig import TableRig
from companion.world.hands import HandStep
from hardware.ports import Clock

PATIENCE_S, LEAST_PATIENCE_S = 12.0, 2.0
"""How long virtual players wait for the eyes to follow their hands: at first, and at least."""
HAND_S = 0.45
"""How long a virtual hand is over a place."""


class VirtualPlayers:
    """Carries actions out with virtual hands, on the thread of whoever asks."""

    def __init__(
        self,
        rig: Callable[[], TableRig | None],
        watcher: BoardWatcher,
        touch: Callable[[], None],
        clock: Clock,
        stopped: threading.Event,
    ) -> None:
        """`rig` gives the one on the table now; `touch` notes that a piece was moved."""
        self._rig, self._watcher, self._touch = rig, watcher, touch
        self._clock, self._stopped = clock, stopped
        self._patience_s = PATIENCE_S

    def play(self, seat: Seat, action: Action) -> bool:
        """Carries an action out and waits until the eyes have followed.

        False where it cannot be seen, or where the eyes ask: then it must be told by a tap.
        """
        rig = self._rig()
        if rig is None or rig.world is None or not rig.has_eyes:
            return False
        lines = len(rig.session.lines())
        try:
            steps = rig.steps_of(seat, action)
        except Refused:
            return False  # the game has gone on meanwhile
        if not steps or not self._carry_out(rig, steps):
            return False
        is_followed = self._wait_for_more(rig, lines)
        # Eyes that do not keep up are waited for less and less; hands that will tap leave nothing to ask.
        self._patience_s = PATIENCE_S if is_followed else max(LEAST_PATIENCE_S, self._patience_s / 2)
        if not is_followed:
            self._watcher.forget_touch()
        return is_followed

    def _wait_for_more(self, rig: TableRig, lines: int) -> bool:
        """Waits until more than `lines` actions stand; False when the eyes ask or take too long."""
        until = self._clock.now() + self._patience_s
        while self._clock.now() < until and not self._stopped.is_set() and rig is self._rig():
            with self._watcher.looked:
                self._watcher.looked.wait(LOST_S)
            if len(rig.session.lines()) > lines:
                return True
            if self._watcher.has_judged_touch or rig.loop.prompt.code in ("lost", "blind"):
                return False
        return False

    def mend(self) -> bool:
        """Puts one thing right while the players are led; says whether they still are."""
        rig = self._rig()
        if rig is None or rig.world is None:
            return False
        if not rig.loop.is_leading:
            return rig.will_lead
        steps = rig.steps_to_put_right()[:1]
        if not steps:
            rig.loop.accept_as_is()  # it lies as it should, and the eyes cannot tell
            return False
        return self._carry_out(rig, steps)

    def _carry_out(self, rig: TableRig, steps: Sequence[HandStep]) -> bool:
        """Moves a hand over each place in turn; False when the rig was closed meanwhile."""
        assert rig.world is not None
        for step in steps:
            place = rig.board.places[step.cell]
            rig.world.hands = ((place.x, place.y),)
            self._touch()
            if self._stopped.wait(HAND_S):
                return False
            step.act()
        rig.world.hands = ()
        self._touch()
        return True
