"""Learning the faces of the owner's own box from a few photographs each.

A `TeachingSession` collects photographs, turns each as the first of its face lies, and reports at once what
is wrong with it: too blurred, turned otherwise than noted, another print. Its result is a `FaceLibrary`,
which is kept in a file. The file holds the photographs themselves, small and upright, so that a later network
can learn from the same file.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np

from companion.engine.errors import ConfigError
from companion.engine.layout import UPRIGHT_KINDS, Board, Face
from companion.settings.state_file import NewerFile, write_bytes_whole
from vision.camera import load_picture
from vision.embed import SIDE, embed
from vision.images import Floats, Image, Mask
from vision.overlay import Template, discriminate, overlay

VERSION = 1
LARGEST = 128 * 1024 * 1024
"""A teach file that unpacks to more is none."""
PIXELS = 96
"""Side of the kept pictures; cards are stretched to squares."""
EMPTY = "empty"
"""The name under which a bare place may be taught, beside the faces of the game."""
AROUND = 1.6
"""Photographs of upright pieces show the table around them: this many times their width in all."""
TRAY = "tray"
"""The zone of the places on which dice lie."""
PICTURES_PER_FACE = 3
"""Photographs per face that are asked for."""
SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp", ".webp")

_BLURRED = 0.35
"""A picture with less than this share of the sharpness of the sharpest one of its face is blurred."""
_TURNED_BY = 0.15
"""How much more like the earlier pictures another turn must be before a picture counts as turned."""
_CLOSE = 0.3
"""Turns that are less like the earlier pictures than the best by more than this are not considered."""
_STEP = 15
"""Degrees between the turns that are tried for faces that lie in any turn."""
_DIFFERENT = 0.6
"""A picture that is less like the earlier ones of its face, in every turn, shows another print."""
_ALIKE = 0.92
"""Two faces whose mean codes are more like each other than this look almost the same."""


class Problem(NamedTuple):
    """Something about a photograph that its owner should know."""

    code: str
    """blurred | dark | turned | different | alike | few | missing | bare"""
    face: str
    text: str


@dataclass(frozen=True)
class FaceLibrary:
    """The taught pictures of one game: face → upright square pictures, n × 96 × 96 × 3."""

    game: str
    pictures: Mapping[str, Image]

    def save(self, path: Path) -> None:
        """Writes a teach file."""
        write_bytes_whole(path, self.content())

    def content(self) -> bytes:
        """What a teach file holds."""
        about = {"format": "gloam-teach", "version": VERSION, "game": self.game, "faces": list(self.pictures)}
        arrays: dict[str, Any] = {f"face{i}": stack for i, stack in enumerate(self.pictures.values())}
        file = BytesIO()
        np.savez_compressed(file, about=np.array(json.dumps(about)), **arrays)
        return file.getvalue()

    @classmethod
    def load(cls, path: Path) -> FaceLibrary:
        """Reads a teach file; raises `ConfigError` that says what is wrong with it."""
        try:
            return cls.read(path.read_bytes())
        except FileNotFoundError:
            raise ConfigError(f"There is no teach file {path}: make one with `gloam teach`.") from None
        except NewerFile as error:
            raise ConfigError(f"{path} {error}") from None
        except Exception:  # archives, arrays and JSON that are damaged fail in ways that nobody can list
            raise ConfigError(f"{path} is no teach file, or a damaged one: teach again.") from None

    @classmethod
    def read(cls, content: bytes) -> FaceLibrary:
        """Reads what a teach file holds; raises `NewerFile`, or whatever a damaged one leads to."""
        with zipfile.ZipFile(BytesIO(content)) as archive:
            if sum(one.file_size for one in archive.infolist()) > LARGEST:
                raise ValueError(f"it unpacks to more than {LARGEST // 2**20} MB")
        with np.load(BytesIO(content), allow_pickle=False) as arrays:
            about = json.loads(str(arrays["about"]))
            if about["version"] > VERSION:
                raise NewerFile(
                    f"was written by a newer Gloam (teach version {about['version']}, "
                    f"this one reads up to {VERSION}): update Gloam or teach again."
                )
            pictures = {str(name): np.asarray(arrays[f"face{i}"]) for i, name in enumerate(about["faces"])}
        good = (PIXELS, PIXELS, 3)
        for taken in pictures.values():
            if taken.ndim != 4 or taken.shape[1:] != good or taken.dtype != np.uint8 or not len(taken):
                raise ValueError("its pictures have a wrong size")
        return cls(str(about["game"]), pictures)

    def trimmed(self) -> FaceLibrary | None:
        """The same pictures without the table around the pieces, if they all seem to show some.

        A printed frame can look like the edge of a piece, so this is only a second opinion: the reader tries
        both and keeps what fits the board.
        """
        found = {
            name: [outline(one) for one in some] for name, some in self.pictures.items() if name != EMPTY
        }
        boxes = [box for some in found.values() for box in some]
        sides = [box[1] for box in boxes if box is not None]
        if not sides or len(sides) < 0.7 * len(boxes) or float(np.std(sides)) > 0.06:
            return None
        usual: Outline = ((PIXELS - 1) / 2, (PIXELS - 1) / 2), float(np.median(sides)), 0.0
        pictures = dict(self.pictures)
        for name, some in found.items():
            cut = [_cut(one, box or usual) for one, box in zip(self.pictures[name], some, strict=True)]
            pictures[name] = np.stack(cut)
        return FaceLibrary(self.game, pictures)


@dataclass
class TeachingSession:
    """Teaching in progress."""

    game: str
    board: Board
    taken: dict[str, list[Image]] = field(default_factory=dict)

    @cached_property
    def faces(self) -> dict[str, Face]:
        """The faces that can be taught, by name."""
        return {face.name: face for face in self.board.faces}

    def order(self) -> list[tuple[str, int]]:
        """What to photograph next: faces with the number of pictures that they still lack."""
        lacks = [(name, PICTURES_PER_FACE - len(self.taken.get(name, ()))) for name in self.faces]
        return [(name, n) for name, n in lacks if n > 0]

    def add(self, name: str, photograph: Image, turn: int = 0) -> list[Problem]:
        """Takes a photograph of a face, turned clockwise by `turn` degrees, and says what is wrong with it.

        The photograph is kept all the same; `drop` takes it back.
        """
        if name != EMPTY and name not in self.faces:
            near = get_close_matches(name, [*self.faces, EMPTY], 1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; known: {', '.join(self.faces)}"
            raise ConfigError(f"{self.game} has no face {name!r}{hint}")
        upright = np.rot90(photograph, turn // 90 % 4)
        small = np.asarray(cv2.resize(upright, (PIXELS, PIXELS), interpolation=cv2.INTER_AREA), np.uint8)
        before = self.taken.setdefault(name, [])
        small, turned = self._aligned(name, small) if before and name != EMPTY else (small, ())
        before.append(small)
        return [*self._clear(name, small), *turned]

    def drop(self, name: str) -> None:
        """Takes back the last photograph of a face."""
        self.taken[name].pop()

    def finish(self) -> tuple[FaceLibrary, list[Problem]]:
        """Makes the teach file's content, and says what is lacking or too alike."""
        pictures = {name: np.stack(taken) for name, taken in self.taken.items() if taken}
        missing = [name for name in self.faces if name not in pictures]
        problems = [
            Problem("missing", n, f"{n} was not taught: it will never be recognised.") for n in missing
        ]
        problems += [
            Problem("few", n, f"{n} has {len(p)} picture(s); {PICTURES_PER_FACE} read more surely.")
            for n, p in pictures.items()
            if len(p) < PICTURES_PER_FACE
        ]
        if pictures and EMPTY not in pictures:
            problems.append(Problem("bare", EMPTY, "No bare place was taught: lay out the board bare once."))
        library = FaceLibrary(self.game, pictures)
        return library, problems + self._alike(library)

    def _clear(self, name: str, small: Image) -> Iterator[Problem]:
        if small.mean() < 12:
            yield Problem("dark", name, f"The picture of {name} is almost black: more light, please.")
            return
        sharp = sharpness(small)
        best = max(sharpness(other) for other in self.taken[name])
        if sharp < _BLURRED * best or sharp < 0.03:
            yield Problem("blurred", name, f"The picture of {name} is blurred: hold still and take it again.")

    def _aligned(self, name: str, picture: Image) -> tuple[Image, list[Problem]]:
        """Turns a picture as the earlier ones of its face lie, and says what is odd about it."""
        face = self.faces[name]
        if face.kind in UPRIGHT_KINDS:
            return picture, []
        turns = self._turns(face)
        turned = _in_turns(picture, turns)
        hidden = _outside_disc() if face.turns == 1 else None
        before = _unit(embed(_small(np.stack(self.taken[name])), None, hidden).code.mean(0))
        likeness = embed(_small(turned), None, hidden).code @ before
        best = int(likeness.argmax())
        if likeness[best] < _DIFFERENT:
            text = f"The picture of {name} does not look like the others: another print, or not this piece?"
            return picture, [Problem("different", name, text)]
        if face.turns == 1 and likeness[best] < likeness[0] + _TURNED_BY:
            return picture, []
        if face.turns == 1:
            return np.asarray(turned[best], np.uint8), []
        best = self._told_by_pixels(name, picture, turns, likeness)
        if best == 0:
            return picture, []
        text = f"The picture of {name} was turned otherwise than noted: it was turned like the first."
        return np.asarray(turned[best], np.uint8), [Problem("turned", name, text)]

    def _told_by_pixels(self, name: str, picture: Image, turns: Sequence[int], likeness: Floats) -> int:
        """Which of the turns it is; those of nearly the same likeness by the pixels in which they differ."""
        order = np.argsort(-likeness)
        rivals = [int(one) for one in order if likeness[one] > likeness[order[0]] - _CLOSE]
        if len(rivals) == 1:
            return rivals[0]
        crop, before = _small(picture[None])[0], Template.of(_small(np.stack(self.taken[name])))
        laid = [overlay(before.turned(-turns[one] // 90), crop) for one in rivals]
        return rivals[int(discriminate(crop, laid).argmax())]

    def _turns(self, face: Face) -> Sequence[int]:
        """The turns in degrees in which a face may have been photographed without that being noted."""
        is_square = abs(face.width - face.height) < 0.5
        if not is_square:
            return (0, 180)
        if face.turns == 2:
            return (0, 90, 270)
        return range(0, 360, _STEP if face.turns == 1 else 90)

    def _alike(self, library: FaceLibrary) -> list[Problem]:
        """Finds faces that the eyes could take for one another."""
        names = [n for n in library.pictures if n != EMPTY and self.faces[n].kind not in UPRIGHT_KINDS]
        if len(names) < 2:
            return []
        mean = {n: _unit(codes(library.pictures[n], (0, 1, 2, 3)).mean(0)) for n in names}
        problems = []
        for i, a in enumerate(names):
            for b in names[i + 1 :]:
                if self.faces[a][2:4] == self.faces[b][2:4] and float((mean[a] @ mean[b][0]).max()) > _ALIKE:
                    text = f"{a} and {b} look almost the same: they may be read as unsure."
                    problems.append(Problem("alike", a, text))
        return problems


Outline = tuple[tuple[float, float], float, float]
"""A square in a picture: its middle in pixels, its side as a share of the picture's, its turn in degrees."""


def outline(picture: Image) -> Outline | None:
    """Finds the piece in a picture with a plain table around it; None where there is no such rim."""
    lab = cv2.cvtColor(cv2.GaussianBlur(picture, (3, 3), 0).astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    rim = np.concatenate([lab[:3].reshape(-1, 3), lab[-3:].reshape(-1, 3), lab[:, :3].reshape(-1, 3)])
    table = np.median(rim, axis=0)
    uneven = float(np.median(np.linalg.norm(rim - table, axis=1)))
    if uneven > 10:
        return None
    mask = (np.linalg.norm(lab - table, axis=2) > max(12.0, 4 * uneven)).astype(np.uint8)
    found, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not found:
        return None
    hull = cv2.convexHull(np.concatenate([one for one in found if cv2.contourArea(one) > 20] or found))
    middle, (w, h), turn = cv2.minAreaRect(hull)
    side, lean = float(np.sqrt(w * h)) / PIXELS, (turn + 45) % 90 - 45
    if cv2.contourArea(hull) < 0.9 * w * h:  # round: its outline has no direction
        lean = 0.0
    is_square = min(w, h) > 0.88 * max(w, h) and cv2.contourArea(hull) > 0.75 * w * h
    is_central = np.hypot(*(np.array(middle) - (PIXELS - 1) / 2)) < 0.12 * PIXELS
    if not (is_square and is_central and 0.5 < side < 0.96 and abs(lean) < 15):
        return None
    return (float(middle[0]), float(middle[1])), side, float(lean)


def _cut(picture: Image, box: Outline) -> Image:
    (x, y), side, turn = box
    matrix = np.asarray(cv2.getRotationMatrix2D((x, y), turn, 1 / side), np.float64)
    matrix[:, 2] += (PIXELS - 1) / 2 - np.array([x, y])
    return np.asarray(cv2.warpAffine(picture, matrix, (PIXELS, PIXELS), borderMode=cv2.BORDER_REPLICATE))


def sharpness(picture: Image) -> float:
    """How much of a picture's contrast is in its fine detail."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    fine = grey - cv2.GaussianBlur(grey, (0, 0), 2.0)
    return float(fine.std() / (grey.std() + 4.0))


def _in_turns(picture: Image, turns: Sequence[int]) -> Image:
    """A picture turned clockwise by each of these angles in degrees."""
    middle = ((PIXELS - 1) / 2, (PIXELS - 1) / 2)
    matrices = [cv2.getRotationMatrix2D(middle, -turn, 1.0) for turn in turns]
    return np.stack(
        [cv2.warpAffine(picture, m, (PIXELS, PIXELS), borderMode=cv2.BORDER_REPLICATE) for m in matrices]
    )


def _outside_disc() -> Mask:
    """What of a picture is seen in some turns only."""
    y, x = np.mgrid[0:SIDE, 0:SIDE] - (SIDE - 1) / 2
    return np.asarray(np.hypot(x, y) > SIDE / 2)


def _small(pictures: Image) -> Image:
    return np.stack([cv2.resize(one, (SIDE, SIDE), interpolation=cv2.INTER_AREA) for one in pictures])


def codes(pictures: Image, quarters: tuple[int, ...]) -> Floats:
    """The codes of pictures turned clockwise by quarters: picture × quarter × code."""
    small = _small(pictures)
    turned = np.stack([np.rot90(small, -q, (1, 2)) for q in quarters], 1)
    code = embed(turned.reshape(-1, SIDE, SIDE, 3)).code
    return code.reshape(len(pictures), len(quarters), -1)


def _unit(code: Floats) -> Floats:
    return np.asarray(code / (np.linalg.norm(code, axis=-1, keepdims=True) + 1e-9), np.float32)


def teach_folder(game: str, board: Board, folder: Path) -> tuple[FaceLibrary, list[Problem]]:
    """Learns from a folder of folders: `face_name/*.png`, a turn noted as `…_r90.png`."""
    if not folder.is_dir():
        raise ConfigError(f"There is no folder {folder}: put the photographs into {folder}/FACE/*.png.")
    session = TeachingSession(game, board)
    problems: list[Problem] = []
    for inner in sorted(path for path in folder.iterdir() if path.is_dir()):
        for path in sorted(p for p in inner.iterdir() if p.suffix.lower() in SUFFIXES):
            problems += session.add(inner.name, load_picture(path), noted_turn(path.stem))
    if not session.taken:
        example = f"{folder}/{board.faces[0].name}/1.png"
        raise ConfigError(f"{folder} holds no photographs: expected one folder per face, as {example}.")
    library, more = session.finish()
    return library, problems + more


def noted_turn(stem: str) -> int:
    """The turn noted at the end of a file name.

    >>> noted_turn("photo3_r90"), noted_turn("photo3")
    (90, 0)
    """
    noted = re.search(r"(?:^|[_-])r(\d+)$", stem)
    turn = int(noted[1]) if noted else 0
    if turn % 90:
        raise ConfigError(f"{stem}: a turn must be r0, r90, r180 or r270.")
    return turn % 360
