"""The physical side of the table: follows the game that is on it with eyes, lights, buttons and hands.

Two threads. One looks and lays: frames become actions, and on the virtual table the players' hands lay what
was tapped. The other refreshes the lights and hears the buttons. A lost part is said in a sentence and never
stops the game. Belongs to the composition root: it knows every package.
"""

from __future__ import annotations

import gc
import logging
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import cv2

from companion.action import PUBLIC, Action, Seat
from companion.config import Config
from companion.errors import Refused
from companion.loop import ASKS, QUIET, Loop, Word
from companion.people import Step
from companion.room.evening import Keeper
from companion.room.sitting import Sitting
from companion.seeing import Match, NoChange, Played
from companion.session import Session
from hardware.clock import SystemClock
from hardware.fakes import VirtualStrip
from hardware.lights import FRAME_S
from hardware.ports import Clock
from vision.debug import draw
from web.table import Table

log = logging.getLogger(__name__)

LOOK_S = 0.2
"""Between two looks while something may be happening."""
IDLE_S = 30.0
"""A virtual table on which nothing happens is looked at so seldom; anything that happens wakes the eyes."""
LOST_S = 1.0
"""A lost camera is asked for so often."""
AWAKE_S = 5.0
"""So long after the last change the eyes go on looking."""
BLIND_S = 2.0
"""A board that cannot be found for so long is said; a hand or a passing shadow is not."""
WATCHED_S = 4.0
"""So long after somebody asked for a picture the camera goes on taking some."""
PATIENCE_S, LEAST_PATIENCE_S = 12.0, 2.0
"""So long virtual players wait for the eyes to follow their hands: at first, and at least."""
HAND_S = 0.45
"""So long a virtual hand is over a place."""
VIRTUAL_FRAME_S = 1 / 20
"""Lights that only a page can see are refreshed less often."""
WIDE_PX = 960
KNOB = {"left": -1, "right": 1}
"""Which way the knob turns the brightness of the lights."""
ENDS = ("end", "pass", "done", "rest", "wait", "decline")
"""What the button `end-turn` does, the first of these that may be done."""


class Desk:
    """Follows the table with eyes, lights and hands."""

    def __init__(
        self,
        table: Table,
        config: Config,
        folder: Path,
        clock: Clock | None = None,
        seed: int = 1,
        keep: Path | None = None,
    ) -> None:
        """`keep` is where whole evenings are kept, if they are to be."""
        self.table = table
        self.sitting: Sitting | None = None
        self.shut_down: Callable[[], object] = lambda: None
        """What the button `shutdown` does when it is held."""
        self.helps = True
        """Whether virtual hands lay what is tapped."""
        self._slept_at: int | None = None
        self.config = config
        """The settings for the next game."""
        self._folder, self._keep = folder, keep
        self._keeper: Keeper | None = None
        self._clock = clock or SystemClock()
        self._rng = Random(seed)
        self._mailbox = table.listen()
        self._stopped = threading.Event()
        self._looked = threading.Condition()
        self._awake_until = self._watched_until = 0.0
        self._patience_s = PATIENCE_S
        self._touched_s = self._right_s = self._judged_s = float("-inf")
        self._sighted_s = self._clock.now()
        self._things: list[Any] = []
        self._threads = [
            threading.Thread(target=self._run, args=(work,), name=name, daemon=True)
            for name, work in (("eyes", self._look_once), ("lights", self._shine_once))
        ]

    def start(self) -> Desk:
        """Begins to look and to shine."""
        for thread in self._threads:
            thread.start()
        return self

    def close(self) -> None:
        """Stops both threads and lets go of every part."""
        self._stopped.set()
        self._mailbox.wake()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(30)
        self.table.leave(self._mailbox)
        if self.sitting is not None:
            self.sitting.close()

    def _run(self, work: Callable[[], None]) -> None:
        """A top loop: whatever goes wrong is logged, and the table goes on."""
        while not self._stopped.is_set():
            try:
                work()
            except Exception:
                log.exception("the desk goes on after this")
                self._stopped.wait(LOST_S)

    # Looking -----------------------------------------------------------------------------------

    def _look_once(self) -> None:
        """Follows the table, lays what was tapped, takes a look if there may be something to see, waits."""
        self.follow()
        pace = self.step()
        self._mailbox.updates.get(pace)
        while self._mailbox.updates.get(0) is not None:
            pass

    def follow(self) -> None:
        """Changes over to the game that is on the table now, if it is another."""
        session = self.table.session
        if session is self._mailbox.session and (session is None or not self._mailbox.updates.is_closed):
            return
        camera = None if session is None else session.game.camera(session.options)
        viewer = camera if session is not None and camera in session.viewers else PUBLIC
        self._mailbox.follow(session, viewer)
        old, self.sitting = self.sitting, None
        if old is not None:
            old.close()
            del old
            gc.collect()  # its camera and eyes know each other in a circle, and their pictures are large
        if session is not None:
            self.sitting = Sitting(
                session,
                self.config,
                self._folder,
                self._clock,
                partial(self._tell, session),
                self._rng,
                helps=self.helps,
            )
            self._keeper = None if self._keep is None else Keeper(self._keep, session)
            self._touched_s = self._right_s = self._judged_s = float("-inf")
            self.wake()

    def _tell(self, session: Session, word: Word) -> None:
        """Tells the screens what the eyes say, unless it is about a game that is no more on the table."""
        if self.table.session is session:
            self.table.say(word)

    def step(self) -> float:
        """Does what is due and returns how long to wait."""
        sitting, now = self.sitting, self._clock.now()
        if sitting is None:
            return IDLE_S
        sitting.helps = self.helps
        if sitting.lay_what_was_tapped():
            self._awake_until = now + AWAKE_S
        sitting.loop.show()
        if sitting.world is not None and (things := sitting.world.things()) != self._things:
            self._things = things
            self._awake_until = now + AWAKE_S
            sitting.save()
        sitting.wake()
        is_lost = sitting.loop.word.code in ("lost", "blind")
        if sitting.camera is None or not (
            sitting.world is None or is_lost or now < max(self._awake_until, self._watched_until)
        ):
            sitting.parts.lights.hold(False)
            return IDLE_S
        before, is_leading = sitting.session.lines(), sitting.loop.is_leading
        result = sitting.look()
        if self._keeper is not None and sitting.teach is not None and sitting.glance is not None:
            self._keeper.note(before, sitting.glance, result, is_leading, sitting.teach)
        self._note(sitting, result)
        return LOST_S if is_lost else LOOK_S

    def _note(self, sitting: Sitting, result: Match | None) -> None:
        """Keeps in mind up to when the table was judged, and asks nothing where nobody has moved a piece.

        While the eyes make up their mind the candles hold their breath: flicker would look like motion.
        """
        glance = sitting.glance
        calm = None if glance is None else glance.calm
        sitting.parts.lights.hold(sitting.has_eyes and result is None and calm is not None and not calm.hand)
        if result is not None and glance is not None:
            self._judged_s = glance.frame.time_s
            if isinstance(result, NoChange | Played):
                self._right_s = glance.frame.time_s
        loop = sitting.loop
        self._say_blind(loop, "" if glance is None else glance.trouble)
        is_touched = sitting.world is None or not self.helps or self._touched_s >= self._right_s
        if not is_touched and loop.word.code in ASKS and not loop.is_leading:
            loop.overlook()
        with self._looked:
            self._looked.notify_all()

    def _say_blind(self, loop: Loop, trouble: str) -> None:
        """Says that the board cannot be found once that has lasted, and takes it back at once."""
        now = self._clock.now()
        if not trouble:
            self._sighted_s = now
            if loop.word.code == "blind":
                loop.say(QUIET)
        elif now - self._sighted_s >= BLIND_S:
            loop.say(Word("blind"))

    def wake(self) -> None:
        """Makes the eyes look for a while: something has happened."""
        self._awake_until = self._clock.now() + AWAKE_S
        self._mailbox.wake()

    # Shining -----------------------------------------------------------------------------------

    def _shine_once(self) -> None:
        self.shine()
        sitting = self.sitting
        is_virtual = sitting is None or isinstance(sitting.parts.lights.strip, VirtualStrip)
        self._stopped.wait(VIRTUAL_FRAME_S if is_virtual else FRAME_S)

    def shine(self) -> None:
        """Refreshes the lights and does what the buttons ask for."""
        sitting = self.sitting
        if sitting is not None:
            if self._slept_at not in (None, sitting.session.update(PUBLIC).version):
                self._slept_at = None
                sitting.parts.lights.wake()
            sitting.parts.lights.step()
            if sitting.parts.buttons is not None:
                for press in sitting.parts.buttons.presses():
                    self._press(sitting, press.name)

    def sleep(self) -> None:
        """Lets the lights fade to one soft dot, until something happens that all may see."""
        if self.sitting is not None:
            self._slept_at = self.sitting.session.update(PUBLIC).version
            self.sitting.parts.lights.sleep()

    def _press(self, sitting: Sitting, name: str) -> None:
        try:
            if name == "undo":
                sitting.session.undo()
            elif name == "next" and sitting.loop.word.code in ASKS:
                sitting.loop.overlook()
            elif name == "end-turn":
                self._end_turn(sitting.session)
            elif name in KNOB:
                sitting.parts.lights.brighten(KNOB[name])
            elif name == "shutdown":
                self.shut_down()
        except Refused:
            self.table.notice("button-refused", {})
        self.wake()

    def _end_turn(self, session: Session) -> None:
        for seat in self.table.open_seats(session):
            actions = session.actions(seat)
            for verb in ENDS:
                if verb in actions:
                    session.submit(seat, verb)
                    return

    # The virtual table's page and players ------------------------------------------------------

    def picture(self, overlay: bool = True) -> bytes | None:
        """The camera's newest picture as JPEG, with what was recognised drawn over it; None where none is."""
        self._watched_until = self._clock.now() + WATCHED_S
        self._mailbox.wake()
        watch = None if self.sitting is None else self.sitting.watch
        if watch is None or (glance := watch.glance) is None:
            return None
        image: Any = glance.frame.image
        if overlay and glance.sight is not None:
            image = draw(image, glance.sight.pose, watch.seen)
        if image.shape[1] > WIDE_PX:
            size = (WIDE_PX, round(image.shape[0] * WIDE_PX / image.shape[1]))
            image = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
        return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 82])[1].tobytes()

    def touch(self) -> None:
        """Notes that somebody has moved a piece by hand."""
        self._touched_s = self._clock.now()
        self.wake()

    def play(self, seat: Seat, action: Action) -> bool:
        """Carries an action out with virtual hands and waits until the eyes have followed.

        False where it cannot be seen, or where the eyes ask: then it must be told by a tap.
        """
        sitting = self.sitting
        if sitting is None or sitting.world is None or not sitting.has_eyes:
            return False
        lines = len(sitting.session.lines())
        try:
            steps = sitting.steps_of(seat, action)
        except Refused:
            return False  # the game has gone on meanwhile
        if not steps or not self._carry_out(sitting, steps):
            return False
        is_followed = self._wait_for_more(sitting, lines)
        # Eyes that do not keep up are waited for less and less; hands that will tap leave nothing to ask.
        self._patience_s = PATIENCE_S if is_followed else max(LEAST_PATIENCE_S, self._patience_s / 2)
        if not is_followed:
            self._touched_s = float("-inf")
        return is_followed

    def _wait_for_more(self, sitting: Sitting, lines: int) -> bool:
        """Waits until there are more actions than so many; False when the eyes ask or take too long."""
        until = self._clock.now() + self._patience_s
        while self._clock.now() < until and not self._stopped.is_set() and sitting is self.sitting:
            with self._looked:
                self._looked.wait(LOST_S)
            if len(sitting.session.lines()) > lines:
                return True
            if self._judged_s > self._touched_s or sitting.loop.word.code in ("lost", "blind"):
                return False
        return False

    def mend(self) -> bool:
        """Lets virtual hands put one thing right while the players are led; says whether they still are."""
        sitting = self.sitting
        if sitting is None or sitting.world is None:
            return False
        if not sitting.loop.is_leading:
            return sitting.will_lead
        steps = sitting.steps_to_put_right()[:1]
        if not steps:
            sitting.loop.overlook()  # it lies as it should, and the eyes cannot tell
            return False
        return self._carry_out(sitting, steps)

    def put_right(self) -> None:
        """Lays the virtual table as it should be, all at once."""
        if self.sitting is not None:
            for step in self.sitting.steps_to_put_right():
                step.act()
            self.wake()

    def _carry_out(self, sitting: Sitting, steps: Sequence[Step]) -> bool:
        """Moves a hand over each place in turn; False when the desk was closed meanwhile."""
        assert sitting.world is not None
        for step in steps:
            place = sitting.board.places[step.cell]
            sitting.world.hands = ((place.x, place.y),)
            self.touch()
            if self._stopped.wait(HAND_S):
                return False
            step.act()
        sitting.world.hands = ()
        self.touch()
        return True
