"""What the buttons do, one press after the other, on a thread of its own."""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue

from companion.engine.errors import Refused
from companion.service.rig import TableRig
from companion.table.prompt import NEEDS_ANSWER
from companion.table.table import Table

KNOB = {"left": -1, "right": 1}
"""Which way the knob turns the brightness of the lights."""
IDLE_S = 30.0


class ButtonPresses:
    """Owner of the buttons' thread: a queue of presses, and what each button means."""

    THREAD = "buttons"

    def __init__(self, table: Table, wake: Callable[[], None]) -> None:
        """`wake` is called after each press: something may have happened on the table."""
        self.shut_down: Callable[[], object] = lambda: None
        """What the button `shutdown` does when it is held."""
        self._table, self._wake = table, wake
        self._queue: SimpleQueue[tuple[TableRig, str] | None] = SimpleQueue()
        self._meanings: dict[str, Callable[[TableRig], None]] = {
            "undo": lambda rig: rig.session.undo(),
            "next": self._go_on,
            "end-turn": self._end_turn,
            "left": lambda rig: rig.parts.lights.brighten(KNOB["left"]),
            "right": lambda rig: rig.parts.lights.brighten(KNOB["right"]),
            "shutdown": self._shut_down,
        }

    def put(self, rig: TableRig, name: str) -> None:
        """Queues a press; never waits."""
        self._queue.put((rig, name))

    def run_once(self) -> None:
        """Waits for the next press and does it."""
        try:
            press = self._queue.get(timeout=IDLE_S)
        except Empty:
            return
        if press is not None:
            self._do(*press)

    def run_all(self) -> None:
        """Does what waits in the queue."""
        while not self._queue.empty():
            self.run_once()

    def _do(self, rig: TableRig, name: str) -> None:
        if rig.session is not self._table.session:
            return  # pressed for the game before
        try:
            self._meanings[name](rig)
        except Refused:
            self._table.notice("button-refused", {})
        self._wake()

    @staticmethod
    def _go_on(rig: TableRig) -> None:
        if rig.loop.prompt.code in NEEDS_ANSWER:
            rig.loop.accept_as_is()

    def _shut_down(self, rig: TableRig) -> None:
        self.shut_down()

    def _end_turn(self, rig: TableRig) -> None:
        """Takes the first verb that ends a turn for the first seat that the table may play."""
        session = rig.session
        for seat in self._table.open_seats(session):
            actions = session.actions(seat)
            for verb in session.game.end_turn:
                if verb in actions:
                    session.submit(seat, verb)
                    return

    def stop(self) -> None:
        """Wakes the thread so that it can end."""
        self._queue.put(None)
