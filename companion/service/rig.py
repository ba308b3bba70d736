"""One game's physical side: its board's parts, its loop, and on the virtual table the pieces themselves.

What cannot be opened is said in a sentence and left out; the game goes on by tapping. Which thread may call
what is written in the README of this package, "From the camera to the lamp".
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Collection
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from companion.engine.action import Action, Cell, Seat
from companion.engine.errors import ConfigError, DeviceError
from companion.engine.layout import Board, Layout
from companion.engine.observation import Match, Observation
from companion.engine.state import State
from companion.service.calibration_files import keep_screen, taught_faces
from companion.service.open_parts import OpenParts, camera_source, own_faces
from companion.settings.config import Config
from companion.settings.state_file import StateFile, json_object
from companion.table.prompt import Prompt
from companion.table.session import Session
from companion.world.hands import Hands, HandStep
from companion.world.loop import Loop
from companion.world.physical import Slop
from hardware.ports import Clock
from hardware.projector import BUMPED_MM
from vision.eyes import NO_PRIOR, Eyes, Glance
from vision.find import Pose, moved_words
from vision.lattice import leaving_words
from vision.read import Prior, Reader
from vision.teach import FaceLibrary

log = logging.getLogger(__name__)

SLOP = Slop(0.7, 1.2)
SCREEN_S = 3.0
"""Between two looks at the projector's dots."""
MOST_THINGS = 2000
FAR = 10_000
"""No place, angle or height of a stack on the virtual table is so large."""
PHOTOGRAPHED = 0.8
"""The share of learning our own art that taking its pictures is; the rest is working out their codes."""
PERCENT_STEP = 5
"""The steps in which progress is told, in percent."""


class Superseded(Exception):
    """Learning was broken off: another game is on the table."""


class Faces(NamedTuple):
    """The faces of a game as they were learnt, and what reads them."""

    library: FaceLibrary
    reader: Reader


class ReadsNothing:
    """Reads nothing: for eyes that do not know the pieces yet."""

    board: Board

    def read(self, image: Any, pose: Pose, prior: Prior = NO_PRIOR) -> Observation:
        return Observation({})

    def learn_bare(self, cells: Collection[Cell]) -> None:
        pass


NOTHING = ReadsNothing()


class Left(NamedTuple):
    """How the virtual table was left: stored game, board, and face, x, y, angle, stack of each thing."""

    game: int
    board: str
    things: list[tuple[str, float, float, float, int]]


def left_things(folder: Path) -> StateFile[Left]:
    """The file of the virtual table; without it the table is laid anew, so it needs no copy."""
    return StateFile(folder / "virtual-table.json", _read_left, has_copy=False)


def _read_left(content: bytes) -> Left:
    told = json_object(content)
    things = [
        (str(face), float(x), float(y), float(angle), int(stack))
        for face, x, y, angle, stack in told["things"]
    ]
    if len(things) > MOST_THINGS or not all(abs(n) < FAR for thing in things for n in thing[1:]):
        raise ValueError("more things than a table holds, or beyond its edge")
    return Left(int(told["game"]), str(told["board"]), things)


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


class TableRig(OpenParts):
    """The open parts of one game, with its loop; made anew when another game comes onto the table."""

    def __init__(
        self,
        session: Session,
        config: Config,
        folder: Path,
        clock: Clock,
        tell: Callable[[Prompt], None],
        rng: Random,
        *,
        helps: bool = True,
    ) -> None:
        """With `helps`, virtual hands lay what the game needs and what is tapped."""
        board = session.game.board(session.options)
        super().__init__(config, session.game.key, board, folder, clock, edition=session.game.edition)
        self.session = session
        session.board = self.board
        self.helps = helps
        self.loop = Loop(session, tell=tell, switches=self.switches)
        self.faces: Faces | None = None
        """What the eyes know of the pieces; None until it is learnt."""
        self.glance: Glance | None = None
        """What the eyes saw last; None where there is no picture."""
        self.seen: Observation | None = None
        """What was read of the table as it is; None while something moves."""
        self._rng = rng
        self._faces_words = ""
        self._eyes: Eyes | None = None
        self._leaving_words = ""
        self._screen_words, self._screen_s = "", float("-inf")
        self._laid: Layout = self.expected()
        self._must_lead = not self._set_up()
        self._awaits_eyes = camera_source(config) != "none"

    def open_camera(self) -> None:
        super().open_camera()
        self._awaits_eyes = self.camera is not None

    # The faces' thread -------------------------------------------------------------------------

    @property
    def must_learn(self) -> bool:
        """Whether there are faces to be learnt."""
        return self.camera is not None and self.faces is None and not self._faces_words

    def learn_faces(self, is_wanted: Callable[[], bool] = lambda: True) -> None:
        """Learns or loads the faces of the game, which takes a while, and tells how far it is.

        Raises `Superseded` as soon as it is not wanted any more.
        """

        def progress(share: float) -> None:
            if not is_wanted():
                raise Superseded
            self.loop.say(Prompt("waking", percent=int(100 * share) // PERCENT_STEP * PERCENT_STEP))

        progress(0.0)
        try:
            if self.world is not None:
                library = own_faces(
                    self.key, self.board, lambda share: progress(PHOTOGRAPHED * share), self.edition
                )
            else:
                library = taught_faces(self.folder, self.key)
        except ConfigError as error:
            self._faces_words, self._awaits_eyes = str(error), False
            self.loop.say(Prompt("untaught"))
            return
        progress(PHOTOGRAPHED)
        self.faces = Faces(library, Reader(library, self.board))

    # The eyes' thread --------------------------------------------------------------------------

    @property
    def has_eyes(self) -> bool:
        """Whether the eyes know the pieces."""
        return self.faces is not None

    @property
    def will_lead(self) -> bool:
        """Whether the players will be led as soon as the eyes are open."""
        return self._must_lead and self._awaits_eyes

    def look(self) -> Match | None:
        """Takes one look; without knowing the pieces only at where the board is."""
        if self.camera is None:
            return None if self.switches is None else self.loop.step()
        if self._eyes is None:
            self._eyes = Eyes(self.camera, self.finder, NOTHING)
        if self.faces is not None and self._eyes.reader is not self.faces.reader:
            witness = (lambda seen: seen) if self.switches is None else self.switches.fused
            self._eyes = Eyes(
                self.camera, self.finder, self.faces.reader, witness=witness, lies=self.expected
            )
            self.loop.open_eyes(self._eyes, lead=self._must_lead)
            self._awaits_eyes = False
        eyes, result = self._eyes, None
        if self.faces is not None:
            result = self.loop.step()
        else:
            try:
                eyes.step()
            except DeviceError as error:
                log.info("%s", error)
        self.note_moved_cards()
        sight = None if eyes.glance is None else eyes.glance.sight
        if sight is not None and sight.pose.board.is_bare and self.world is None:
            self.lay(sight.pose.board)
        self._leaving_words = leaving_words(sight.pose, eyes.leaving) if sight and eyes.leaving else ""
        self.session.board = self.board
        looks, self.glance = eyes.snapshot(), eyes.glance
        self._watch_screen()
        has_read = eyes.reader is not NOTHING and bool(looks.at_rest) and eyes.glance is not None
        self.seen = looks.newest if has_read else None
        return result

    def _watch_screen(self) -> None:
        """Notices by the dots beside the board that the projector was bumped, and finds it again."""
        glance, screen, now = self.glance, self.screen, self.clock.now()
        if screen is None or self.world is not None or glance is None or glance.sight is None:
            return
        if now - self._screen_s < SCREEN_S:
            return
        self._screen_s = now
        image, to_pixels = glance.frame.image, glance.sight.pose.pixels
        drift_mm = screen.drift_mm(image, to_pixels)
        if drift_mm is None or drift_mm <= BUMPED_MM:
            self._screen_words = self._screen_words if drift_mm is None else ""
        elif screen.find_again(image, to_pixels):
            keep_screen(self.folder, self.board, screen)
            self._screen_words = ""
        else:
            self._screen_words = "The projector was bumped: find the board on it again in the workshop."

    # The virtual table -------------------------------------------------------------------------

    def expected(self) -> Layout:
        """What should lie on the table now."""
        return expected_in(self.session, self.session.state())

    def _set_up(self) -> bool:
        """Lays the virtual table as it was left, else as the game needs it; says whether it surely is so."""
        if self.world is None:
            return False
        left = left_things(self.folder).load()
        if left is not None and (left.game, left.board) == (self.session.number, self.board.name):
            for face, x, y, angle, stack in left.things:
                if face in self.world.faces:
                    self.world.put(face, x, y, angle, stack)
            return False
        if self.helps:
            self.world.set_up(self._laid, self._rng, SLOP)
        return self.helps

    def save(self) -> None:
        """Notes how the virtual table lies, as a real one would stay when the power is cut."""
        assert self.world is not None
        things = [list(thing[1:]) for thing in self.world.things()]
        left = {"game": self.session.number, "board": self.board.name, "things": things}
        left_things(self.folder).save(json.dumps(left).encode("utf-8"))

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

    def steps_of(self, seat: Seat, action: Action) -> list[HandStep]:
        """What hands do to carry an action out; nothing where it cannot be seen."""
        state = self.session.state()
        after = state.copy()
        after.apply(seat, action)
        return self._steps(expected_in(self.session, state), expected_in(self.session, after))

    def _steps(self, before: Layout, after: Layout) -> list[HandStep]:
        """What hands do at the places that change; what lies wrong elsewhere is left alone."""
        if self.world is None:
            return []
        changed = {cell for cell in {*before, *after} if before.get(cell) != after.get(cell)}
        target = dict(self.world.layout()) | {cell: after.get(cell, ()) for cell in changed}
        return self._hands().put_right(target)

    def steps_to_put_right(self) -> list[HandStep]:
        """What hands do to lay the virtual table as it should be."""
        return [] if self.world is None else self._hands().put_right(self.expected())

    def _hands(self) -> Hands:
        assert self.world is not None
        return Hands(self.world, self._rng, SLOP)

    # What the pages show -----------------------------------------------------------------------

    @property
    def faces_words(self) -> str:
        """Why the eyes do not know the pieces; empty when they do or will."""
        return self._faces_words

    def troubles(self) -> list[str]:
        """What is wrong with the parts, as sentences."""
        glance = self.glance
        words = [
            self._faces_words,
            self._screen_words,
            self._leaving_words,
            "" if glance is None else glance.trouble,
        ]
        if glance is not None and glance.sight is not None:
            words += moved_words(glance.sight.strayed)
        return [*super().troubles(), *(one for one in words if one)]
