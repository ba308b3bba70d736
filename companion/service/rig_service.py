"""The physical side of the table: follows the game that is on it with eyes, lights, buttons and hands.

Six threads, each with one owner, that never wait for each other: see "From the camera to the lamp" in the
README of this package. A lost part is said in a sentence and never stops the game.
"""

from __future__ import annotations

import logging
import sys
import threading
from functools import partial
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, Protocol

from companion.engine.action import PUBLIC
from companion.service.board_watcher import IDLE_S, LOST_S, BoardWatcher
from companion.service.button_presses import ButtonPresses
from companion.service.camera_picture import picture
from companion.service.face_learner import FaceLearner
from companion.service.lamps import Lamps
from companion.service.projector_page import ProjectorPage
from companion.service.rig import TableRig
from companion.service.virtual_players import VirtualPlayers
from companion.settings.config import Config
from companion.table.bot_players import BotPlayers
from companion.table.prompt import Prompt
from companion.table.session import Session
from companion.table.table import Table
from hardware.clock import SystemClock
from hardware.ports import Clock

log = logging.getLogger(__name__)

SWITCH_S = 0.001
"""How long a thread that computes in Python may keep the others waiting: lamps come before eyes."""


STUCK_S = 180.0
"""After how long a thread that has not come round is stuck: it may wait 30 s, or open parts slowly."""


class Owner(Protocol):
    """What one thread does: `run_once` again and again until it is stopped."""

    THREAD: str

    def run_once(self) -> None:
        """Does what is due and waits for more."""

    def stop(self) -> None:
        """Wakes the thread so that it can end."""


class RigService:
    """Owner of the table's thread: changes over to the game on the table, and lays what was tapped."""

    THREAD = "table"

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
        self.sitting: TableRig | None = None
        self.helps = True
        """Whether virtual hands lay what is tapped."""
        self.config = config
        """The settings for the next game."""
        self._folder = folder
        self._clock = clock or SystemClock()
        self._rng = Random(seed)
        self._mailbox = table.listen()
        self._stopped = threading.Event()
        self._things: list[Any] = []
        self._failures: dict[str, str] = {}
        self.watcher = BoardWatcher(self._clock, keep)
        self.learner = FaceLearner(self.watcher.wake)
        self.buttons = ButtonPresses(table, self.wake)
        self.lamps = Lamps(table, self.buttons.put, self.watcher.wake)
        self.players = VirtualPlayers(
            lambda: self.sitting, self.watcher, self.touch, self._clock, self._stopped
        )
        self.bots = BotPlayers(table)
        self.page = ProjectorPage(lambda: self.sitting)
        self.projected = self.page.picture
        self._turned_s = dict.fromkeys((owner.THREAD for owner in self.owners()), monotonic())
        self._threads = [
            threading.Thread(target=self._run, args=(owner,), name=owner.THREAD, daemon=True)
            for owner in self.owners()
        ]

    def owners(self) -> tuple[Owner, ...]:
        """Who owns which thread."""
        return self, self.lamps, self.buttons, self.learner, self.watcher, self.bots

    def start(self) -> RigService:
        """Begins to look and to shine."""
        sys.setswitchinterval(SWITCH_S)
        for thread in self._threads:
            thread.start()
        return self

    def close(self) -> None:
        """Stops every thread and lets go of every part."""
        self._stopped.set()
        for owner in self.owners():
            owner.stop()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(30)
        self.lamps.use(None)
        self.lamps.close()
        self.watcher.close()
        self.table.leave(self._mailbox)
        if self.sitting is not None:
            self.sitting.close_lights()

    def stop(self) -> None:
        """Wakes the table's thread so that it can end."""
        self._mailbox.wake()

    def _run(self, owner: Owner) -> None:
        """A top loop: whatever goes wrong is logged, and the table goes on."""
        while not self._stopped.is_set():
            self._turned_s[owner.THREAD] = monotonic()
            try:
                owner.run_once()
                self._failures.pop(owner.THREAD, None)
            except Exception as error:
                self._failures[owner.THREAD] = f"{owner.THREAD}: {type(error).__name__}: {error}"[:200]
                log.exception("the thread %s goes on after this", owner.THREAD)
                self._stopped.wait(LOST_S)

    def is_turning(self) -> bool:
        """Whether every thread lives, and those that never wait for a camera or for learning come round."""
        if not all(thread.is_alive() for thread in self._threads):
            return False
        steady = (self.THREAD, self.lamps.THREAD, self.buttons.THREAD)
        return all(monotonic() - self._turned_s[name] < STUCK_S for name in steady)

    def failures(self) -> list[str]:
        """What keeps a thread from its work at the moment, and which thread has ended, as sentences."""
        ended = [] if self._stopped.is_set() else [one for one in self._threads if one.ident]
        return [
            *self._failures.copy().values(),
            *(f"{one.name}: the thread has ended" for one in ended if not one.is_alive()),
        ]

    # The table's thread ------------------------------------------------------------------------

    def run_once(self) -> None:
        """Follows the table, lays what was tapped, and waits for news."""
        self.follow()
        self.lay()
        updates = self._mailbox.updates
        updates.get(IDLE_S)
        while updates.get(0) is not None:
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
        self.lamps.use(None)
        if old is not None:
            old.close_lights()
        rig = None if session is None else self._open(session)
        self.sitting = rig
        self.lamps.use(rig)
        if rig is not None:
            rig.open_camera()
        self.watcher.use(rig)
        self.learner.use(rig)

    def _open(self, session: Session) -> TableRig:
        tell = partial(self._tell, session)
        return TableRig(session, self.config, self._folder, self._clock, tell, self._rng, helps=self.helps)

    def _tell(self, session: Session, prompt: Prompt) -> None:
        """Tells the screens what the eyes say, unless it is about a game that is no more on the table."""
        if self.table.session is session:
            self.table.say(prompt)

    def lay(self) -> None:
        """Lets virtual hands lay what was tapped, and keeps how the virtual table lies."""
        rig = self.sitting
        if rig is None:
            return
        rig.helps = self.helps
        if rig.lay_what_was_tapped():
            self.watcher.wake()
        if rig.world is not None and (things := rig.world.things()) != self._things:
            self._things = things
            self.watcher.wake()
            rig.save()

    # From any thread ---------------------------------------------------------------------------

    def wake(self) -> None:
        """Makes the table and the eyes look around for a while: something has happened."""
        self.watcher.wake()
        self._mailbox.wake()

    def touch(self) -> None:
        """Notes that somebody has moved a piece by hand."""
        self.watcher.touch()
        self._mailbox.wake()

    def put_right(self) -> None:
        """Lays the virtual table as it should be, all at once."""
        if self.sitting is not None:
            for step in self.sitting.steps_to_put_right():
                step.act()
            self.wake()

    def picture(self, overlay: bool = True) -> bytes | None:
        """The camera's newest picture as JPEG, with what was recognised drawn over it; None where none is."""
        self.watcher.watch()
        rig = self.sitting
        glance = None if rig is None else rig.glance
        return None if rig is None or glance is None else picture(glance, rig.seen, overlay)

    # Without threads: one round of each, one after the other ------------------------------------

    def step(self) -> float:
        """Lays, learns and looks once; returns the time until the next look."""
        self.lay()
        self.learner.learn()
        return self.watcher.step()

    def shine(self) -> None:
        """Shows a frame and does what the buttons ask for."""
        self.lamps.step()
        self.buttons.run_all()
