"""What is lit: the public view and the prompt become LED frames, on the lights' thread alone."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.engine.action import PUBLIC
from companion.engine.cue import TimedCue, glows_at
from companion.engine.game import View
from companion.engine.scene import Glow, Scene
from companion.service.rig import TableRig
from companion.table.prompt import Prompt, with_prompt
from companion.table.session import Session, Update
from companion.table.table import WAKE, Table, sees_board
from hardware.fakes import VirtualStrip
from hardware.lights import FRAME_S

VIRTUAL_FRAME_S = 1 / 20
"""Between two frames of lights that only a page can see; what the session tells is shown at once."""


def lit(session: Session, view: View, prompt: Prompt, cues: tuple[Glow, ...] = ()) -> Scene:
    """What the lights should show: what the public sees, what is being played out, and the prompt.

    The prompt is left out where the public does not see the board.
    """
    scene = session.game.scene(view)
    scene = scene._replace(glows=(*scene.glows, *cues))
    return with_prompt(scene, prompt) if sees_board(session, PUBLIC) else scene


class Lamps:
    """Owner of the lights' thread: hears the session, renders frames, and reads the buttons' line.

    The session is never asked anything here, for it may be writing to the disk: all that is lit comes from
    its updates. The buttons may hang on the same line as the lights, so their presses are read here; what a
    press does is done on another thread. The lock is held for one frame, so that nobody closes lights that
    are being shown.
    """

    THREAD = "lights"

    def __init__(
        self, table: Table, press: Callable[[TableRig, str], None], felt: Callable[[], None] = lambda: None
    ) -> None:
        """`press` is called with every press that was read, `felt` when a sensor moved; neither may wait."""
        self._table = table
        self._press = press
        self._felt = felt
        self._mailbox = table.listen()
        self._lock = threading.Lock()
        self._rig: TableRig | None = None
        self._shown: tuple[Update, Prompt, tuple[Glow, ...]] | None = None
        self._cues: list[TimedCue] = []
        """What is being played out, or will be."""
        self._update: Update | None = None
        """The newest of the session's updates."""
        self._slept_at: int | None = None
        self.level = 1.0
        """The share of the light that the settings allow, as the house has set it."""

    def use(self, rig: TableRig | None) -> None:
        """Shows another game from now on, or nothing; when this returns, the lights before are not used."""
        with self._lock:
            self._rig = rig
            self._mailbox.follow(None if rig is None else rig.session, PUBLIC)
            self._update = None if rig is None else self._mailbox.updates.get(0)
            self._shown = self._slept_at = None
            self._cues = []
            if rig is not None and self.level < 1.0:
                rig.parts.lights.dim(self.level)

    def run_once(self) -> None:
        """Shows a frame and waits for the next one to be due, or for something to have changed."""
        self.frame()
        self._hear(self.patience_s())

    def patience_s(self) -> float:
        """How long the frame that is shown now stays: a cue begins on time, not with the next frame."""
        rig = self._rig
        is_virtual = rig is None or isinstance(rig.parts.lights.strip, VirtualStrip)
        patience_s = VIRTUAL_FRAME_S if is_virtual else FRAME_S
        if rig is not None:
            now_s = rig.session.now_s()
            soon = [one.begin_s - now_s for one in self._cues if one.begin_s > now_s]
            patience_s = min([patience_s, *soon])
        return patience_s

    def _hear(self, patience_s: float) -> None:
        """Waits for the session's next update; of several that wait already the newest counts."""
        updates = self._mailbox.updates
        update = updates.get(patience_s)
        while update is not None:
            with self._lock:
                if update is not WAKE and updates is self._mailbox.updates:
                    self._update = update
                    self._cues += update.cues
            update = updates.get(0)

    def frame(self) -> None:
        """Shows the frame that is due and passes the buttons' presses on."""
        with self._lock:
            rig = self._rig
            if rig is None:
                return
            lights, update, prompt = rig.parts.lights, self._update, self._table.word
            playing = self._playing(rig)
            if update is not None and (update, prompt, playing) != self._shown:
                self._shown = update, prompt, playing
                lights.show(lit(rig.session, update.view, prompt, playing))
                if self._slept_at not in (None, update.version):
                    self._slept_at = None
                    lights.wake()
            lights.step()
            presses = [] if rig.parts.buttons is None else rig.parts.buttons.presses()
            is_felt = rig.feel()
        if is_felt:
            self._felt()
        for press in presses:
            self._press(rig, press.name)

    def _playing(self, rig: TableRig) -> tuple[Glow, ...]:
        """The lights of the cue that is due; they stand still while the eyes read."""
        if self._shown is not None and rig.parts.lights.is_held:
            return self._shown[2]
        now_s = rig.session.now_s()
        self._cues = [one for one in self._cues if now_s < one.dark_s]
        return tuple(glow for one in self._cues for glow in glows_at(one, now_s))

    def step(self) -> None:
        """Shows a frame with all that has changed, without waiting for more."""
        self._hear(0)
        self.frame()

    def sleep(self) -> None:
        """Lets the lights fade to one soft dot, until something happens that all may see."""
        rig, update = self._rig, self._update
        if rig is not None:
            self._slept_at = None if update is None else update.version
            rig.parts.lights.sleep()

    def wake(self) -> None:
        """Shows the game again."""
        rig, self._slept_at = self._rig, None
        if rig is not None:
            rig.parts.lights.wake()

    def sleeps_at(self, version: int) -> bool:
        """Whether the lights have slept since this version of the game."""
        return self._slept_at == version

    def dim(self, level: float) -> None:
        """Sets the share of the light that the settings allow, for this game and the next."""
        rig, self.level = self._rig, level
        if rig is not None:
            rig.parts.lights.dim(level)

    def stop(self) -> None:
        """Wakes the thread so that it can end."""
        self._mailbox.wake()

    def close(self) -> None:
        self._table.leave(self._mailbox)
