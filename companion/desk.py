"""The physical side of the table: camera, eyes, lights and buttons of the game that is on it.

`Desk` follows the table with two threads. One looks and lays: frames become actions, and on the virtual table
the players' hands lay what was tapped. The other refreshes the lights and hears the buttons. A lost part is
said in a sentence and never stops the game. Belongs to the composition root: it knows every package.
"""

from __future__ import annotations

import json
import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np

from companion.action import Action, Cell, Seat
from companion.config import CameraSettings, Config, write_whole
from companion.errors import ConfigError, DeviceError, GloamError, Refused
from companion.game import Game
from companion.games import load_art
from companion.layout import Board, Layout, Piece
from companion.loop import ASKS, QUIET, Loop, Word
from companion.options import Options
from companion.people import Hands, Step
from companion.seeing import Match, NoChange, Observation, Played
from companion.session import Session
from companion.state import State
from companion.world import Slop, World
from hardware.clock import SystemClock
from hardware.fakes import VirtualStrip
from hardware.guard import Channels
from hardware.lights import FRAME_S, Lights
from hardware.ports import Clock
from hardware.wiring import Parts, Settings, build, settings_of
from vision.calibrate import read_lens
from vision.camera import Camera, Live, open_camera
from vision.debug import draw
from vision.eyes import AGREEING, NO_PRIOR, Eyes, Glance, Reads
from vision.find import Finder, Pose
from vision.match import match
from vision.read import Prior, Reader
from vision.teach import Teach
from vision.virtual import Glow, VirtualCamera, taught
from web.table import Table

log = logging.getLogger(__name__)

LOOK_S = 0.2
"""Between two looks while something may be happening."""
IDLE_S = 30.0
"""A virtual table on which nothing happens is looked at so seldom; anything that happens wakes the eyes."""
LOST_S = 1.0
"""A lost camera is asked for so often."""
AWAKE_S = 8.0
"""So long after the last change the eyes go on looking."""
WATCHED_S = 4.0
"""So long after somebody asked for a picture the camera goes on taking some."""
PATIENCE_S = 12.0
"""So long virtual players wait for the eyes to follow their hands."""
HAND_S = 0.45
"""So long a virtual hand is over a place."""
VIRTUAL_FRAME_S = 1 / 20
"""Lights that only a page can see are refreshed less often."""
SLOP = Slop(0.7, 1.2)
THROUGH = 0.2
"""How much of an LED's light comes through the board from below, as the virtual camera sees it."""
WIDE_PX = 960
ENDS = ("end", "pass", "done", "rest", "wait", "decline")
"""What the button `end-turn` does, the first of these that may be done."""
FAULTS = ("unplugged", "frozen", "dark", "glare", "hand", "small", "late")
"""What can be wrong with the virtual camera; a panel sets these."""


class Unread:
    """Reads nothing: for eyes that do not know the pieces yet."""

    def read(self, image: Any, pose: Pose, prior: Prior = NO_PRIOR) -> Observation:
        return Observation({})


class VirtualDevice:
    """The virtual camera as a device that is watched like a real one; `late` holds its pictures back."""

    HELD = 8

    def __init__(self, camera: VirtualCamera, clock: Clock) -> None:
        self._camera, self._clock = camera, clock
        self._held: deque[tuple[Any, float]] = deque(maxlen=self.HELD)
        self.late = False

    def grab(self) -> tuple[Any, float | None]:
        """Takes a picture; raises `DeviceError` while the camera is unplugged."""
        now = self._clock.now()
        taken = self._camera(), now
        if not self.late:
            self._held.clear()
        self._held.append(taken)
        return self._held[0]

    def close(self) -> None:
        self._held.clear()


class Watch:
    """Eyes whose last glance can be shown, and that know what should lie there."""

    def __init__(self, eyes: Eyes, expected: Callable[[], Layout]) -> None:
        self.eyes = eyes
        self._expected = expected
        self.glance: Glance | None = None
        self.seen: Observation | None = None
        """What was read of the table as it is; None while something moves."""

    def step(self) -> Glance | None:
        try:
            self.glance = glance = self.eyes.step(self._expected())
        except DeviceError:
            self.glance = self.seen = None
            raise
        if not self.eyes.looks:
            self.seen = None
        elif glance is not None and glance.observation is not None:
            self.seen = glance.observation
        return glance

    def judge(self, game: Game, state: State, options: Options) -> Match | None:
        return self.eyes.judge(game, state, options)

    def compare(self, game: Game, state: State, options: Options) -> Match | None:
        """How the table differs from a position, whatever may be played next."""
        looks = self.eyes.looks
        return match(looks, game, state, options, depth=0) if len(looks) >= AGREEING else None


@lru_cache(maxsize=6)
def _taught(key: str, board: Board) -> Teach:
    return taught(key, World(board), load_art(key).draw)


class Sitting:
    """One game's physical side; made anew when another game comes onto the table."""

    def __init__(
        self,
        session: Session,
        config: Config,
        folder: Path,
        clock: Clock,
        tell: Callable[[Word], None],
        rng: Random,
    ) -> None:
        self.session = session
        self.board = session.game.board(session.options)
        self.clock = clock
        self.troubles: list[str] = []
        self._config, self._folder, self._tell, self._rng = config, folder, tell, rng
        self._settings = config.of(CameraSettings)
        self.parts = self._build()
        self.world: World | None = None
        self.device: VirtualDevice | None = None
        self.virtual: VirtualCamera | None = None
        self.camera = self._open()
        self.watch = None if self.camera is None else self._eyes(Unread())
        self.has_eyes = False
        """Whether the eyes know the pieces."""
        self._has_woken = self.camera is None
        self._laid: Layout = self.expected()
        was_left = self._set_up()
        self._is_led = self.world is None or was_left
        self.loop = Loop(session, Blind(), self.parts.lights, tell)
        if not self._has_woken:
            self.loop.say(Word("waking"))

    # Building ----------------------------------------------------------------------------------

    def _build(self) -> Parts:
        """The parts of the settings; what cannot be built is said, and its light is shown on the pages."""
        try:
            wanted = Settings() if self._config.is_safe else settings_of(self._config)
            return build(wanted, self.board, self.clock)
        except GloamError as error:
            self.troubles.append(str(error))
            return build(Settings(), self.board, self.clock)

    def _open(self) -> Camera | None:
        source = "none" if self._config.is_safe else self._settings.source
        if source == "virtual":
            world = self.world = World(self.board)
            art, leds = load_art(self.session.game.key).draw, _leds(self.parts.lights)
            self.virtual = VirtualCamera(world, art, leds=leds)
            device = self.device = VirtualDevice(self.virtual, self.clock)
            return Live(lambda: device, "the virtual camera", (1280, 720), self.clock.now)
        if source == "none":
            return None
        try:
            return open_camera(source, (self._settings.width, self._settings.height))
        except GloamError as error:
            self.troubles.append(str(error))
            return None

    def _eyes(self, reader: Reads) -> Watch:
        """Eyes that read by these means."""
        assert self.camera is not None
        lens = read_lens(Path(self._settings.lens).read_text("utf-8")) if self._settings.lens else None
        return Watch(Eyes(self.camera, Finder(self.board, lens), reader), self.expected)

    def wake(self) -> None:
        """Opens the eyes: learns or loads the faces of the game, which takes a while."""
        if self._has_woken:
            return
        self._has_woken = True
        key = self.session.game.key
        try:
            if self.world is not None:
                teach = _taught(key, self.board)
            else:
                teach = Teach.load(self._folder / "teach" / f"{key}.teach")
        except ConfigError as error:
            self.troubles.append(str(error))
            self.loop.say(Word("untaught"))
            return
        watch = self.watch = self._eyes(Reader(teach, self.board))
        self.has_eyes = True
        self.loop = Loop(
            self.session, watch, self.parts.lights, self._tell, watch.compare if self._is_led else None
        )
        self._tell(QUIET)

    def look(self) -> Match | None:
        """Takes one look; without knowing the pieces only at where the board is."""
        if self.has_eyes:
            return self.loop.step()
        if self.watch is not None:
            try:
                self.watch.step()
            except DeviceError as error:
                log.info("%s", error)
        return None

    def close(self) -> None:
        """Goes dark and lets go of every part."""
        self.parts.close()
        if self.camera is not None:
            self.camera.close()

    # The virtual table -------------------------------------------------------------------------

    def expected(self) -> Layout:
        """What should lie on the table now, with turns as the game tells them apart."""
        return self._layout(self.session.state())

    def _layout(self, state: State) -> dict[Cell, tuple[Piece, ...]]:
        game = self.session.game
        faces = {face.name: face for face in self.board.faces}
        laid = game.layout(game.view(state, game.camera(self.session.options)))
        return {
            cell: tuple(piece._replace(turn=faces[piece.face].turn_of(piece.turn)) for piece in pieces)
            for cell, pieces in laid.items()
            if pieces
        }

    def _file(self) -> Path:
        return self._folder / "virtual-table.json"

    def _set_up(self) -> bool:
        """Lays the virtual table as it was left, else as the game needs it; says whether it was left."""
        if self.world is None:
            return False
        try:
            left = json.loads(self._file().read_text("utf-8"))
            if (left["game"], left["board"]) == (self.session.number, self.board.name):
                for face, x, y, angle, stack in left["things"]:
                    if face in self.world.faces:
                        self.world.put(face, x, y, angle, stack)
                return True
        except (OSError, ValueError, KeyError, TypeError):
            pass  # nothing was left, or nothing that can be read: it is laid anew
        self.world.set_up(self._laid, self._rng, SLOP)
        return False

    def save(self) -> None:
        """Notes how the virtual table lies, as a real one would stay when the power is cut."""
        assert self.world is not None
        things = [list(thing[1:]) for thing in self.world.things()]
        left = {"game": self.session.number, "board": self.board.name, "things": things}
        write_whole(self._file(), json.dumps(left))

    def lay_what_was_tapped(self) -> bool:
        """Virtual hands lay what changed since the last time; says whether anything did."""
        wanted = self.expected()
        before, self._laid = self._laid, wanted
        if wanted == before or self.world is None:
            return wanted != before
        changed = {cell for cell in {*before, *wanted} if before.get(cell) != wanted.get(cell)}
        target = dict(self.world.layout()) | {cell: wanted.get(cell, ()) for cell in changed}
        for step in self._hands().put_right(target):
            step.act()
        return True

    def steps_of(self, seat: Seat, action: Action) -> list[Step]:
        """What hands do to carry an action out; nothing where it cannot be seen."""
        state = self.session.state()
        after = state.copy()
        after.apply(seat, action)
        return self._hands().carry_out(self._layout(state), self._layout(after))[0]

    def steps_to_put_right(self) -> list[Step]:
        """What hands do to lay the virtual table as it should be."""
        return [] if self.world is None else self._hands().put_right(self.expected())

    def _hands(self) -> Hands:
        assert self.world is not None
        return Hands(self.world, self._rng, SLOP)


class Blind:
    """Eyes of a table without a camera."""

    def step(self) -> object | None:
        return None

    def judge(self, game: Game, state: State, options: Options) -> Match | None:
        return None


def _leds(lights: Lights) -> Callable[[], list[Glow]]:
    """The light of each LED as it is shown, for the virtual camera."""
    at = Channels.of(lights.led_map)
    whites = np.flatnonzero(at.white >= 0)

    def now() -> list[Glow]:
        values = np.frombuffer(lights.frame, np.uint8) * (THROUGH / 255)
        light = values[at.rgb]
        light[whites] += values[at.white[whites]][:, None]
        return [
            (led.x, led.y, (float(red), float(green), float(blue)))
            for led, (red, green, blue) in zip(lights.led_map.leds, light, strict=True)
        ]

    return now


class Desk:
    """Follows the table with eyes, lights and hands."""

    def __init__(
        self, table: Table, config: Config, folder: Path, clock: Clock | None = None, seed: int = 1
    ) -> None:
        self.table = table
        self.sitting: Sitting | None = None
        self.shut_down: Callable[[], None] = lambda: None
        """What the button `shutdown` does when it is held."""
        self._config, self._folder = config, folder
        self._clock = clock or SystemClock()
        self._rng = Random(seed)
        self._mailbox = table.listen()
        self._stopped = threading.Event()
        self._looked = threading.Condition()
        self._awake_until = self._watched_until = 0.0
        self._touched_s = self._right_s = self._judged_s = float("-inf")
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
                thread.join(10)
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
        self._follow()
        pace = self.step()
        self._mailbox.updates.get(pace)
        while self._mailbox.updates.get(0) is not None:
            pass

    def _follow(self) -> None:
        session = self.table.session
        if session is self._mailbox.session and (session is None or not self._mailbox.updates.is_closed):
            return
        camera = None if session is None else session.game.camera(session.options)
        viewer = camera if session is not None and camera in session.viewers else -2
        self._mailbox.follow(session, viewer)
        old, self.sitting = self.sitting, None
        if old is not None:
            old.close()
        if session is not None:
            self.sitting = Sitting(
                session, self._config, self._folder, self._clock, self.table.say, self._rng
            )
            self._touched_s = self._right_s = self._judged_s = float("-inf")
            self.wake()

    def step(self) -> float:
        """Does what is due and returns how long to wait."""
        sitting, now = self.sitting, self._clock.now()
        if sitting is None:
            return IDLE_S
        if sitting.lay_what_was_tapped():
            self._awake_until = now + AWAKE_S
        sitting.loop.show()
        if sitting.world is not None and (things := sitting.world.things()) != self._things:
            self._things = things
            self._awake_until = now + AWAKE_S
            sitting.save()
        sitting.wake()
        is_lost = sitting.loop.word.code == "lost"
        if sitting.camera is None or not (
            sitting.world is None or is_lost or now < max(self._awake_until, self._watched_until)
        ):
            sitting.parts.lights.hold(False)
            return IDLE_S
        self._note(sitting, sitting.look())
        return LOST_S if is_lost else LOOK_S

    def _note(self, sitting: Sitting, result: Match | None) -> None:
        """Keeps in mind up to when the table was judged, and asks nothing where nobody has moved a piece.

        While the eyes make up their mind the candles hold their breath: flicker would look like motion.
        """
        glance = None if sitting.watch is None else sitting.watch.glance
        calm = None if glance is None else glance.calm
        sitting.parts.lights.hold(sitting.has_eyes and result is None and calm is not None and not calm.hand)
        if result is not None and glance is not None:
            self._judged_s = glance.frame.time_s
            if isinstance(result, NoChange | Played):
                self._right_s = glance.frame.time_s
        loop = sitting.loop
        is_touched = sitting.world is None or self._touched_s >= self._right_s
        if not is_touched and loop.word.code in ASKS and not loop.is_leading:
            loop.overlook()
        with self._looked:
            self._looked.notify_all()

    def wake(self) -> None:
        """Makes the eyes look for a while: something has happened."""
        self._awake_until = self._clock.now() + AWAKE_S
        self._mailbox.wake()

    # Shining -----------------------------------------------------------------------------------

    def _shine_once(self) -> None:
        sitting = self.sitting
        is_virtual = sitting is None or isinstance(sitting.parts.lights.strip, VirtualStrip)
        if sitting is not None:
            sitting.parts.lights.step()
            if sitting.parts.buttons is not None:
                for press in sitting.parts.buttons.presses():
                    self._press(sitting, press.name)
        self._stopped.wait(VIRTUAL_FRAME_S if is_virtual else FRAME_S)

    def _press(self, sitting: Sitting, name: str) -> None:
        try:
            if name == "undo":
                sitting.session.undo()
            elif name == "next" and sitting.loop.word.code in ASKS:
                sitting.loop.overlook()
            elif name == "end-turn":
                self._end_turn(sitting.session)
            elif name == "shutdown":
                self.shut_down()
        except Refused:
            pass  # the button does nothing now, as a button may
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
        glance = None if watch is None else watch.glance
        if watch is None or glance is None:
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
        steps = sitting.steps_of(seat, action)
        if not steps or not self._carry_out(sitting, steps):
            return False
        until = self._clock.now() + PATIENCE_S
        while self._clock.now() < until and not self._stopped.is_set() and sitting is self.sitting:
            with self._looked:
                self._looked.wait(LOST_S)
            if len(sitting.session.lines()) > lines:
                return True
            if self._judged_s > self._touched_s or sitting.loop.word.code == "lost":
                return False
        return False

    def mend(self) -> bool:
        """Lets virtual hands put one thing right while the players are led; says whether there was any."""
        sitting = self.sitting
        if sitting is None or sitting.world is None or not sitting.loop.is_leading:
            return False
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
