"""From a tap or a button to the LED bytes that answer it, whatever the eyes do: `gloam bench --only lamp`.

A whole rig runs with all its threads, as at a table with a real strip: 60 frames a second. A tap is timed
from `Session.submit` to the first frame of the scene that it leads to; buttons, the knob and, where it can
be taken back, `undo`, from the press. Three situations: nothing else happens; the faces are being learnt;
the eyes read whole boards one after the other.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from companion.engine.action import PUBLIC, TABLE
from companion.engine.chance import weighted
from companion.engine.game import turn_for
from companion.engine.observation import Match
from companion.engine.scene import Scene
from companion.service.lamps import lit
from companion.service.open_parts import forget_own_faces
from companion.service.rig import TableRig
from companion.service.rig_service import RigService
from companion.settings.config import CameraSettings, Config
from companion.table.journal import Journal
from companion.table.people import People
from companion.table.session import Session
from companion.table.table import Table
from hardware.fakes import VirtualButtons
from hardware.lights import FRAME_S, Lights
from hardware.ports import LedStrip, Status
from hardware.wiring import SCHEMA
from vision.read import Prior

SITUATIONS = ("idle", "learning", "reading")
TAPS = 24
"""Timed taps in each situation, and as many presses where they can be taken back."""
OPENING = 16
"""Actions before the first timed one, so that something lies on the table."""
PAUSE_S = (0.02, 0.09)
"""Between two taps."""
PATIENCE_S = 5.0
MOST_ROUNDS = 40
"""Games begun anew, at most, until enough taps were timed while the faces were learnt."""


class TimedStrip:
    """Any strip, with the time, scene and brightness of each frame that it is given."""

    def __init__(self, inner: LedStrip, lights: Lights) -> None:
        self.size = inner.size
        self.shown: deque[tuple[float, Scene, float]] = deque(maxlen=600)
        self._inner, self._lights = inner, lights

    @property
    def status(self) -> Status:
        return self._inner.status

    def show(self, frame: bytes) -> None:
        self._inner.show(frame)
        self.shown.append((time.perf_counter(), self._lights.scene, self._lights.brightness))

    def close(self) -> None:
        self._inner.close()

    def wait_for(self, since: float, is_it: Callable[[Scene, float], bool]) -> float:
        """Waits for a frame; returns when the first such one was given, in seconds since a time.

        `is_it` is given the scene without the cues that are played out on top of it, and the brightness.
        """
        until = time.perf_counter() + PATIENCE_S
        while time.perf_counter() < until:
            for at, scene, brightness in list(self.shown):
                if at >= since and is_it(_without_cues(scene), brightness):
                    return at - since
            time.sleep(0.001)
        raise TimeoutError(f"no such frame within {PATIENCE_S} s")


class Timing:
    """A rig in one situation, and how long taps and buttons took there, in seconds."""

    def __init__(self, folder: Path, key: str, situation: str, seed: int) -> None:
        self.taps: list[float] = []
        self.presses: list[float] = []
        self.key, self.situation = key, situation
        self._rng = Random(seed)
        sections = {name: kind() for name, kind in SCHEMA.items()}
        sections["camera"] = CameraSettings(source="none" if situation == "idle" else "virtual")
        # In memory: how fast a disk makes a move durable is the same whatever the eyes do.
        self.table = Table(Journal(":memory:"), People())
        self.service = RigService(self.table, Config(sections), folder, seed=seed)

    def run(self, taps: int) -> None:
        """Times a number of taps."""
        forget_own_faces()
        self.service.start()
        try:
            for _ in range(MOST_ROUNDS):
                rig, strip = self._begin()
                with self._busy(rig) as is_busy:
                    while len(self.taps) < taps and is_busy() and rig.session.state().needs():
                        self._tap(rig, strip)
                        time.sleep(self._rng.uniform(*PAUSE_S))
                if len(self.taps) >= taps:
                    return
        finally:
            self.service.close()
            if self.table.session is not None:
                self.table.session.close()
            self.table.journal.close()

    def _begin(self) -> tuple[TableRig, TimedStrip]:
        """Puts a game on the table that has gone on for a while, with a strip that is timed."""
        session = self.table.start(self.key, {}, seed=self._rng.randrange(1000))
        for _ in range(OPENING):
            self._submit(session)
        while (rig := self.service.sitting) is None or rig.session is not session:
            time.sleep(0.002)
        lights = rig.parts.lights
        self._full = lights.brightness
        strip = TimedStrip(lights.strip, lights)
        lights.strip = strip
        strip.wait_for(0.0, lambda scene, _: scene == self._lit(session))
        return rig, strip

    @contextmanager
    def _busy(self, rig: TableRig) -> Iterator[Callable[[], bool]]:
        """Makes the eyes busy as the situation wants it; yields whether they still are."""
        if self.situation == "idle":
            yield lambda: True
        elif self.situation == "learning":
            forget_own_faces()
            yield lambda: rig.faces is None
        else:
            _wait_until(lambda: rig.faces is not None)
            reading = WholeReads(rig, self.service.watcher.wake)
            rig.look = reading.look  # type: ignore[method-assign]
            self.service.watcher.wake()
            _wait_until(lambda: reading.number > 0)
            yield lambda: True

    def _lit(self, session: Session) -> Scene:
        """What the lights should show now."""
        return lit(session, session.update(PUBLIC).view, self.table.word)

    def _submit(self, session: Session) -> None:
        """Takes the action that a bot, or chance, decides on."""
        state = session.state()
        needs = state.needs()
        if not needs:
            return
        seat = needs[0].seat
        if seat == TABLE:
            action = weighted(state.outcomes(), self._rng)
        else:
            action = session.game.bots["random"](turn_for(session.game, state, seat, self._rng))
        session.submit(seat, state.notation.text(action))

    def _tap(self, rig: TableRig, strip: TimedStrip) -> None:
        """Times an action that changes the light, and taking it back by the button."""
        session, before = rig.session, _without_cues(rig.parts.lights.scene)
        since = time.perf_counter()
        self._submit(session)
        wanted = self._lit(session)
        if wanted == before:
            return
        self.taps.append(strip.wait_for(since, lambda scene, _: scene == wanted))
        buttons, notices = rig.parts.buttons, self.table.version
        assert isinstance(buttons, VirtualButtons)
        was = rig.parts.lights.brightness
        since = time.perf_counter()
        buttons.press("left" if was == self._full else "right")
        self.presses.append(strip.wait_for(since, lambda _, brightness: brightness != was))
        since = time.perf_counter()
        buttons.press("undo")
        _wait_until(lambda: self._lit(session) != wanted or self.table.version != notices)
        back = self._lit(session)
        if back != wanted:
            self.presses.append(strip.wait_for(since, lambda scene, _: scene == back))


class WholeReads:
    """Looks that read every place of the board anew each time, as after the camera was bumped."""

    def __init__(self, rig: TableRig, wake: Callable[[], None]) -> None:
        """`wake` keeps the eyes looking."""
        self._rig, self._wake = rig, wake
        self.number = 0
        self._layout: Mapping[int, tuple[()]] = {}

    def look(self) -> Match | None:
        """On the eyes' thread, in place of `TableRig.look`."""
        rig = self._rig
        assert rig.camera is not None and rig.faces is not None
        frame = rig.camera.read()
        assert frame is not None
        sight = rig.finder.look(frame.image)
        # Another prior than before: no reading of the look before is used again.
        rig.faces.reader.read(frame.image, sight.pose, Prior(None if self.number % 2 else self._layout))
        self.number += 1
        self._wake()
        return None


def _without_cues(scene: Scene) -> Scene:
    """What lasts of a scene, without the steps that are being taken right now."""
    return scene._replace(glows=tuple(glow for glow in scene.glows if glow.order >= 0))


def _wait_until(is_so: Callable[[], object], limit_s: float = 120.0) -> None:
    until = time.monotonic() + limit_s
    pause = threading.Event()
    while not is_so():
        if time.monotonic() > until:
            raise TimeoutError(f"not so after {limit_s} s")
        pause.wait(0.001)


def measures(key: str, taps: int = TAPS, seed: int = 4) -> dict[str, float]:
    """Of one game: `tap.idle` and `button.idle`, the median of what is usual in ms, and worst cases above it.

    `tap.learning`, `tap.reading`, `button.learning` and `button.reading` are the worst cases in frame times
    at 60 frames a second above idle; `….ms` are the worst cases themselves.
    """
    found: dict[str, float] = {}
    with TemporaryDirectory() as folder:
        for situation in SITUATIONS:
            timing = Timing(Path(folder), key, situation, seed)
            timing.run(taps)
            for name, times in (("tap", timing.taps), ("button", timing.presses)):
                if not times:
                    continue
                found[f"{name}.{situation}.ms"] = 1000 * max(times)
                if situation == "idle":
                    found[f"{name}.idle"] = 1000 * median(times)
                elif f"{name}.idle" in found:
                    above_s = max(times) - found[f"{name}.idle"] / 1000
                    found[f"{name}.{situation}"] = above_s / FRAME_S
    return found
