"""One game's physical side: its board's parts, camera, eyes, and on the virtual table the pieces themselves.

What cannot be built is said in a sentence and left out; the game goes on by tapping. Belongs to the
composition root: it knows every package.
"""

from __future__ import annotations

import json
import logging
from collections import deque
from collections.abc import Callable, Collection
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from companion.action import Action, Cell, Seat
from companion.config import CameraSettings, Config, write_whole
from companion.errors import ConfigError, DeviceError, GloamError
from companion.game import Game
from companion.games import load_art
from companion.layout import Board, Layout
from companion.loop import QUIET, Loop, Word
from companion.options import Options
from companion.people import Hands, Step
from companion.room.found import finder_for, teach_file
from companion.seeing import Match, Observation
from companion.session import Session
from companion.state import State
from companion.world import Slop, World
from hardware.guard import Channels
from hardware.ports import Clock
from hardware.wiring import Parts, Settings, build, settings_of
from vision.camera import Camera, Live, open_camera
from vision.eyes import AGREEING, NO_PRIOR, Eyes, Glance, Reads
from vision.find import Finder, Pose
from vision.match import match
from vision.read import Prior, Reader
from vision.teach import Teach
from vision.virtual import Glow, VirtualCamera, taught

log = logging.getLogger(__name__)

SLOP = Slop(0.7, 1.2)
THROUGH = 0.2
"""How much of an LED's light comes through the board from below, as the virtual camera sees it."""
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
    """Eyes whose last glance can be shown.

    They are not told what should lie there: readings of places that have not changed are then used again.
    """

    def __init__(self, eyes: Eyes) -> None:
        self.eyes = eyes
        self.glance: Glance | None = None
        self.seen: Observation | None = None
        """What was read of the table as it is; None while something moves."""

    def step(self) -> Glance | None:
        try:
            self.glance = glance = self.eyes.step()
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

    def overlook(self, expected: Layout, cells: Collection[Cell] | None = None) -> None:
        self.eyes.overlook(expected, cells)

    def compare(self, game: Game, state: State, options: Options) -> Match | None:
        """How the table differs from a position, whatever may be played next."""
        looks = self.eyes.looks
        return match(looks, game, state, options, depth=0) if len(looks) >= AGREEING else None


@lru_cache(maxsize=6)
def own_faces(key: str, board: Board) -> Teach:
    """What the eyes know of our own art."""
    return taught(key, World(board), load_art(key).draw)


def expected_in(session: Session, state: State) -> Layout:
    """What should lie on the table in a position, with turns as the game tells them apart."""
    game, options = session.game, session.options
    faces = {face.name: face for face in game.board(options).faces}
    laid = game.expected(state, options)
    return {
        cell: tuple(piece._replace(turn=faces[piece.face].turn_of(piece.turn)) for piece in pieces)
        for cell, pieces in laid.items()
        if pieces
    }


def expected_now(session: Session) -> Layout:
    """What should lie on the table now."""
    return expected_in(session, session.state())


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
        *,
        helps: bool = True,
    ) -> None:
        """With `helps`, virtual hands lay what the game needs and what is tapped."""
        self.session = session
        self.board = session.game.board(session.options)
        self.clock = clock
        self.helps = helps
        self._troubles: list[str] = []
        self._config, self._folder, self._tell, self._rng = config, folder, tell, rng
        self._settings = config.of(CameraSettings)
        self.parts = self._build()
        self.world: World | None = None
        self.device: VirtualDevice | None = None
        self.virtual: VirtualCamera | None = None
        self.camera = self._open()
        self.watch = None if self.camera is None else self._eyes(Unread())
        self.teach: Teach | None = None
        """What the eyes know of the pieces; None while they know nothing."""
        self._has_woken = self.camera is None
        self._laid: Layout = self.expected()
        self._is_led = not self._set_up()
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
            self._troubles.append(str(error))
            return build(Settings(), self.board, self.clock)

    def _open(self) -> Camera | None:
        source = "none" if self._config.is_safe else self._settings.source
        if source == "virtual":
            world = self.world = World(self.board)
            self.virtual = VirtualCamera(world, load_art(self.session.game.key).draw, leds=self._glows)
            device = self.device = VirtualDevice(self.virtual, self.clock)
            return Live(lambda: device, "the virtual camera", (1280, 720), self.clock.now)
        if source == "none":
            return None
        try:
            size = (self._settings.width, self._settings.height)
            return open_camera(source, size, lock=self._settings.exposure_lock)
        except GloamError as error:
            self._troubles.append(str(error))
            return None

    def _eyes(self, reader: Reads) -> Watch:
        """Eyes that read by these means."""
        assert self.camera is not None
        return Watch(Eyes(self.camera, self._finder(), reader))

    def _finder(self) -> Finder:
        """Finds the board as the workshop has set it; a lens file that is gone or damaged is said."""
        try:
            return finder_for(self._folder, self.board, self._settings)
        except (ConfigError, OSError) as error:
            self._troubles.append(f"{self._settings.lens}: {error}")
            return Finder(self.board)

    def wake(self) -> None:
        """Opens the eyes: learns or loads the faces of the game, which takes a while."""
        if self._has_woken:
            return
        key = self.session.game.key
        try:
            if self.world is not None:
                teach = own_faces(key, self.board)
            else:
                teach = Teach.load(teach_file(self._folder, key))
        except ConfigError as error:
            self._has_woken = True
            self._troubles.append(str(error))
            self.loop.say(Word("untaught"))
            return
        watch = self.watch = self._eyes(Reader(teach, self.board))
        self.teach = teach
        self.loop = Loop(
            self.session, watch, self.parts.lights, self._tell, watch.compare if self._is_led else None
        )
        self._has_woken = True
        self._tell(QUIET)

    @property
    def has_eyes(self) -> bool:
        """Whether the eyes know the pieces."""
        return self.teach is not None

    @property
    def will_lead(self) -> bool:
        """Whether the players will be led as soon as the eyes are open."""
        return self._is_led and not self._has_woken

    @property
    def glance(self) -> Glance | None:
        """What the eyes saw last; None where there is no picture."""
        return None if self.watch is None else self.watch.glance

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
        """What should lie on the table now."""
        return expected_now(self.session)

    def _file(self) -> Path:
        return self._folder / "virtual-table.json"

    def _set_up(self) -> bool:
        """Lays the virtual table as it was left, else as the game needs it; says whether it surely is so."""
        if self.world is None:
            return False
        try:
            left = json.loads(self._file().read_text("utf-8"))
            if (left["game"], left["board"]) == (self.session.number, self.board.name):
                for face, x, y, angle, stack in left["things"]:
                    if face in self.world.faces:
                        self.world.put(face, x, y, angle, stack)
                return False
        except (OSError, ValueError, KeyError, TypeError):
            pass  # nothing was left, or nothing that can be read: it is laid anew
        if self.helps:
            self.world.set_up(self._laid, self._rng, SLOP)
        return self.helps

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
        if wanted == before:
            return False
        if self.helps:
            for step in self._steps(before, wanted):
                step.act()
        return True

    def steps_of(self, seat: Seat, action: Action) -> list[Step]:
        """What hands do to carry an action out; nothing where it cannot be seen."""
        state = self.session.state()
        after = state.copy()
        after.apply(seat, action)
        return self._steps(expected_in(self.session, state), expected_in(self.session, after))

    def _steps(self, before: Layout, after: Layout) -> list[Step]:
        """What hands do at the places that change; what lies wrong elsewhere is left alone."""
        if self.world is None:
            return []
        changed = {cell for cell in {*before, *after} if before.get(cell) != after.get(cell)}
        target = dict(self.world.layout()) | {cell: after.get(cell, ()) for cell in changed}
        return self._hands().put_right(target)

    def steps_to_put_right(self) -> list[Step]:
        """What hands do to lay the virtual table as it should be."""
        return [] if self.world is None else self._hands().put_right(self.expected())

    def _hands(self) -> Hands:
        assert self.world is not None
        return Hands(self.world, self._rng, SLOP)

    # What the pages show -----------------------------------------------------------------------

    def troubles(self) -> list[str]:
        """What is wrong with the parts, as sentences."""
        words = [*self._troubles, self.parts.lights.status.words]
        if isinstance(self.camera, Live):
            words += [self.camera.trouble, self.camera.note]
        if self.glance is not None:
            words.append(self.glance.trouble)
        return [one for one in words if one]

    def light(self) -> np.ndarray:
        """Red, green and blue of each LED as it is shown, 0 to 1."""
        lights = self.parts.lights
        at = Channels.of(lights.led_map)
        whites = np.flatnonzero(at.white >= 0)
        values = np.frombuffer(lights.frame, np.uint8) / 255
        light: np.ndarray = values[at.rgb]
        light[whites] += values[at.white[whites]][:, None]
        return light.clip(0, 1)

    def _glows(self) -> list[Glow]:
        """The light of the LEDs as the virtual camera sees it."""
        leds = self.parts.lights.led_map.leds
        return [
            (led.x, led.y, (float(red), float(green), float(blue)))
            for led, (red, green, blue) in zip(leds, self.light() * THROUGH, strict=True)
        ]

    def fault(self, name: str, is_on: bool) -> None:
        """Breaks or mends the virtual camera."""
        if name not in FAULTS:
            raise ValueError(f"{name!r} is no fault; known: {', '.join(FAULTS)}")
        if self.virtual is not None and self.device is not None:
            setattr(self.device if name == "late" else self.virtual.faults, name, is_on)

    def faults(self) -> list[str]:
        """What is wrong with the virtual camera on purpose."""
        if self.virtual is None or self.device is None:
            return []
        return [
            name for name in FAULTS if getattr(self.device if name == "late" else self.virtual.faults, name)
        ]


class Blind:
    """Eyes of a table without a camera."""

    def step(self) -> object | None:
        return None

    def judge(self, game: Game, state: State, options: Options) -> Match | None:
        return None

    def overlook(self, expected: Layout, cells: Collection[Cell] | None = None) -> None:
        pass
