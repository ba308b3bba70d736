"""A whole evening kept as files and looked at again: pictures, what was tapped, what was understood.

`gloam run --keep-evening FOLDER` writes a folder for each game: a header, a line for each look, and every
picture that differs from the one before. `gloam replay FOLDER` shows the same pictures to the eyes of today
and compares what they understand, so an evening on which something went wrong becomes a test. It holds every
secret of its game. Belongs to the composition root: it knows every package.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np

from companion.engine.action import Seat
from companion.engine.chance import AtTable
from companion.engine.errors import ConfigError
from companion.engine.observation import Match, Played
from companion.engine.options import write
from companion.service.open_parts import own_faces
from companion.settings.data_folder import data_folder
from companion.table.boxes import Boxes, is_same_box
from companion.table.journal import Journal
from companion.table.session import Session
from companion.world.loop import Loop
from vision.camera import Frame, load_picture
from vision.eyes import Eyes, Glance
from vision.find import Finder
from vision.read import Reader
from vision.teach import FaceLibrary

VERSION = 1
MOST_LOOKS = 20_000
"""The most looks that a recorded evening keeps."""
QUALITY = 85
ALIKE = 24
"""Pictures whose small copies differ nowhere by more, in levels of 255, count as the same one again."""
SeenMove = tuple[Seat, str]
"""Who did what, as the eyes made it out."""


class Recorder:
    """Keeps one game of an evening in a folder of its own."""

    def __init__(self, folder: Path, session: Session) -> None:
        name = f"{session.number}-{session.game.key}"
        tries = (folder / (name if n == 1 else f"{name}-{n}") for n in range(1, 1000))
        self.folder = next(path for path in tries if not path.exists())
        self.folder.mkdir(parents=True)
        self._session = session
        self._board = session.board
        self._lines = session.lines()
        self._looks = self._pictures = 0
        self._small: Any = None
        header = {
            "gloam-evening": VERSION,
            "game": session.game.key,
            "rules": session.game.rules_version,
            "box": session.game.box,
            "options": write(session.options),
            "lines": self._lines,
        }
        (self.folder / "evening.json").write_text(json.dumps(header, ensure_ascii=False, indent=1), "utf-8")

    def note(
        self,
        before: list[SeenMove],
        glance: Glance,
        result: Match | None,
        is_leading: bool,
        teach: FaceLibrary,
    ) -> None:
        """Keeps one look: what had been done before it, the picture, what came of it, what the eyes knew."""
        self._looks += 1
        if self._looks > MOST_LOOKS:
            return
        if self._looks == 1 and teach is not own_faces(
            self._session.game.key, self._board, edition=self._session.game.edition
        ):
            teach.save(self.folder / "faces.teach")
        stays = _common(self._lines, before)
        text = self._session.state().notation.text
        seen = [(seat, text(action)) for seat, action in result.line] if isinstance(result, Played) else []
        self._lines = [*before, *seen]
        look = {
            "time_s": round(glance.frame.time_s, 3),
            "picture": self._keep(glance.frame.image),
            "stays": stays,
            "told": before[stays:],
            "is_leading": is_leading,
            "result": type(result).__name__,
            "seen": seen,
        }
        with (self.folder / "looks.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(look, ensure_ascii=False) + "\n")

    def _keep(self, image: Any) -> int:
        """Writes a picture unless it looks like the last one; returns its number."""
        small = cv2.resize(image, (160, 90), interpolation=cv2.INTER_AREA).astype(np.int16)
        if self._small is None or int(np.abs(small - self._small).max()) > ALIKE:
            self._small = small
            self._pictures += 1
            path = self.folder / f"{self._pictures:05}.jpg"
            path.write_bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes())
        return self._pictures


def _common(one: list[SeenMove], other: list[SeenMove]) -> int:
    """How many actions at the beginning are the same."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if tuple(a) != tuple(b)), min(len(one), len(other)))


class RecordedCamera:
    """A camera that shows the picture it is told to."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.picture, self.time_s, self._number = 0, 0.0, 0

    def read(self, after_s: float = float("-inf")) -> Frame | None:
        self._number += 1
        return Frame(load_picture(self._folder / f"{self.picture:05}.jpg"), self.time_s, self._number)

    def close(self) -> None:
        pass


class Otherwise(NamedTuple):
    """A look of which more, less or something else was understood than on that evening."""

    look: int
    then: tuple[SeenMove, ...]
    now: tuple[SeenMove, ...]
    prompt: str
    """The code of what the eyes say now."""

    def __str__(self) -> str:
        then, now = (", ".join(text for _, text in lines) or "nothing" for lines in (self.then, self.now))
        return f"look {self.look}: then {then}, now {now} ({self.prompt})"


class Recording:
    """A kept game: its header and its looks. Raises `ConfigError` where the folder holds none."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            self.header = json.loads((folder / "evening.json").read_text("utf-8"))
            looks = (folder / "looks.jsonl").read_text("utf-8").splitlines()
            self.looks = [json.loads(line) for line in looks]
            version, game, options = (self.header[key] for key in ("gloam-evening", "game", "options"))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ConfigError(f"{folder} holds no kept evening: {error}") from error
        if version > VERSION:
            raise ConfigError(f"{folder} was kept by a newer Gloam (version {version}): update Gloam")
        self.game = Boxes(data_folder()).load(game)
        if not is_same_box(str(self.header.get("box", "")), self.game):
            raise ConfigError(
                f"{folder} was kept with other cards of {game} than your box has now: "
                "enter them on the page “My box” as they were"
            )
        self.options = self.game.resolve(options)

    def replay(self) -> list[Otherwise]:
        """Looks at every picture again; returns what is understood otherwise than on that evening."""
        journal = Journal(":memory:")
        try:
            return self._replay(Session.start(journal, self.game, self.options, AtTable()))
        finally:
            journal.close()

    def _replay(self, session: Session) -> list[Otherwise]:
        _tell(session, 0, self.header["lines"])
        board = self.game.board(self.options)
        faces = self.folder / "faces.teach"
        teach = (
            FaceLibrary.load(faces)
            if faces.exists()
            else own_faces(self.game.key, board, edition=self.game.edition)
        )
        camera = RecordedCamera(self.folder)
        loop = Loop(session, Eyes(camera, Finder(board), Reader(teach, board)), lead=True)
        found: list[Otherwise] = []
        for number, look in enumerate(self.looks, 1):
            _tell(session, look["stays"], look["told"])
            if loop.is_leading and not look["is_leading"]:
                loop.accept_as_is()
            camera.picture, camera.time_s = look["picture"], look["time_s"]
            done = len(session.lines())
            loop.step()
            then = tuple((seat, text) for seat, text in look["seen"])
            now = tuple(session.lines()[done:])
            if now != then:
                found.append(Otherwise(number, then, now, loop.prompt.code))
                _tell(session, done, then)
        return found


def _tell(session: Session, stays: int, lines: Sequence[SeenMove]) -> None:
    """Takes back what does not stay, and plays what was told."""
    while len(session.lines()) > stays:
        session.undo(force=True)
    for seat, text in lines:
        session.submit(seat, text)


def replay(folder: Path) -> int:
    """`gloam replay FOLDER`: says what is understood otherwise; returns 1 where anything is."""
    evening = Recording(folder)
    found = evening.replay()
    print(*found, sep="\n", end="\n" if found else "")
    moves = sum(len(look["seen"]) for look in evening.looks)
    print(f"{evening.game.key}: {len(evening.looks)} looks, {moves} actions seen, {len(found)} otherwise")
    return 1 if found else 0
