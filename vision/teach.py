"""Learning the faces of the owner's own box from a few photographs each.

A `Lesson` collects photographs and says at once what is wrong with them: too blurred, turned otherwise than
noted, too like another face. A `Teach` is the result and can be kept in a file. It holds the photographs
themselves, small and upright, so that better eyes can learn from the same file later.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import ConfigError
from companion.layout import Board, Face
from vision.camera import load_picture
from vision.embed import SIDE, embed

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

VERSION = 1
PIXELS = 96
"""Side of the kept pictures; cards are stretched to squares."""
EMPTY = "empty"
"""The name under which a bare place may be taught, beside the faces of the game."""
STANDING = ("pawn", "figure")
AROUND = 1.6
"""Photographs of what stands show some of the table around: so many times its width."""
TRAY = "tray"
"""The zone of the places on which dice lie."""
ENOUGH = 3
"""Photographs per face that are asked for."""
SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp", ".webp")

_BLURRED = 0.35
_UNLIKE = 0.15
_ALIKE = 0.92


class Problem(NamedTuple):
    """Something about a photograph that its owner should know."""

    code: str
    """blurred | dark | turned | alike | few | missing"""
    face: str
    text: str


@dataclass(frozen=True)
class Teach:
    """What was taught about one game: face → upright square pictures, n × 96 × 96 × 3."""

    game: str
    pictures: Mapping[str, Image]

    def save(self, path: Path) -> None:
        """Writes a teach file."""
        about = {"format": "gloam-teach", "version": VERSION, "game": self.game, "faces": list(self.pictures)}
        arrays: dict[str, Any] = {f"face{i}": stack for i, stack in enumerate(self.pictures.values())}
        with path.open("wb") as file:
            np.savez_compressed(file, about=np.array(json.dumps(about)), **arrays)

    @classmethod
    def load(cls, path: Path) -> Teach:
        """Reads a teach file; raises `ConfigError` that says what is wrong with it."""
        try:
            with np.load(path, allow_pickle=False) as arrays:
                about = json.loads(str(arrays["about"]))
                pictures = {name: np.asarray(arrays[f"face{i}"]) for i, name in enumerate(about["faces"])}
        except FileNotFoundError:
            raise ConfigError(f"There is no teach file {path}: make one with `gloam teach`.") from None
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            raise ConfigError(f"{path} is no teach file, or a damaged one: teach again.") from None
        if about["version"] > VERSION:
            raise ConfigError(
                f"{path} was written by a newer Gloam (teach version {about['version']}, "
                f"this one reads up to {VERSION}): update Gloam or teach again."
            )
        good = (PIXELS, PIXELS, 3)
        if any(
            p.ndim != 4 or p.shape[1:] != good or p.dtype != np.uint8 or not len(p) for p in pictures.values()
        ):
            raise ConfigError(f"{path} is a damaged teach file: teach again.")
        return cls(about["game"], pictures)

    def trimmed(self) -> Teach | None:
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
        return Teach(self.game, pictures)


@dataclass
class Lesson:
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
        lacks = [(name, ENOUGH - len(self.taken.get(name, ()))) for name in self.faces]
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
        small = cv2.resize(upright, (PIXELS, PIXELS), interpolation=cv2.INTER_AREA)
        mine = self.taken.setdefault(name, [])
        mine.append(np.asarray(small, np.uint8))
        return [*self._clear(name, small), *self._upright(name)]

    def drop(self, name: str) -> None:
        """Takes back the last photograph of a face."""
        self.taken[name].pop()

    def finish(self) -> tuple[Teach, list[Problem]]:
        """Makes the teach file's content, and says what is lacking or too alike."""
        pictures = {name: np.stack(taken) for name, taken in self.taken.items() if taken}
        missing = [name for name in self.faces if name not in pictures]
        problems = [
            Problem("missing", n, f"{n} was not taught: it will never be recognised.") for n in missing
        ]
        problems += [
            Problem("few", n, f"{n} has {len(p)} picture(s); {ENOUGH} read more surely.")
            for n, p in pictures.items()
            if len(p) < ENOUGH
        ]
        teach = Teach(self.game, pictures)
        return teach, problems + self._alike(teach)

    def _clear(self, name: str, small: Image) -> Iterator[Problem]:
        if small.mean() < 12:
            yield Problem("dark", name, f"The picture of {name} is almost black: more light, please.")
            return
        sharp = sharpness(small)
        best = max(sharpness(other) for other in self.taken[name])
        if sharp < _BLURRED * best or sharp < 0.03:
            yield Problem("blurred", name, f"The picture of {name} is blurred: hold still and take it again.")

    def _upright(self, name: str) -> Iterator[Problem]:
        """Compares the newest picture with the ones before, in all four turns."""
        pictures = self.taken[name]
        if len(pictures) < 2 or name == EMPTY or self.faces[name].turns == 1:
            return
        before = codes(np.stack(pictures[:-1]), (0,))[:, 0].mean(0)
        likeness = codes(pictures[-1][None], (0, 1, 2, 3))[0] @ before
        if self.faces[name].turns == 2:
            same_as_noted = [2] if self.faces[name].width == self.faces[name].height else [1, 3]
            likeness[same_as_noted] = -1
        best = int(likeness.argmax())
        if best and likeness[best] > likeness[0] + _UNLIKE:
            wrong = 360 - 90 * best
            yield Problem("turned", name, f"The picture of {name} seems turned by {wrong}° more than noted.")

    def _alike(self, teach: Teach) -> list[Problem]:
        """Finds faces that the eyes could take for one another."""
        names = [n for n in teach.pictures if n != EMPTY and self.faces[n].kind not in STANDING]
        if len(names) < 2:
            return []
        mean = {n: _unit(codes(teach.pictures[n], (0, 1, 2, 3)).mean(0)) for n in names}
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
    matrix = cv2.getRotationMatrix2D((x, y), turn, 1 / side)
    matrix[:, 2] += (PIXELS - 1) / 2 - np.array([x, y])
    return np.asarray(cv2.warpAffine(picture, matrix, (PIXELS, PIXELS), borderMode=cv2.BORDER_REPLICATE))


def sharpness(picture: Image) -> float:
    """How much of a picture's contrast is in its fine detail."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    fine = grey - cv2.GaussianBlur(grey, (0, 0), 2.0)
    return float(fine.std() / (grey.std() + 4.0))


def codes(pictures: Image, quarters: tuple[int, ...]) -> Floats:
    """The codes of pictures turned clockwise by quarters: picture × quarter × code."""
    small = np.stack([cv2.resize(p, (SIDE, SIDE), interpolation=cv2.INTER_AREA) for p in pictures])
    turned = np.stack([np.rot90(small, -q, (1, 2)) for q in quarters], 1)
    code = embed(turned.reshape(-1, SIDE, SIDE, 3)).code
    return code.reshape(len(pictures), len(quarters), -1)


def _unit(code: Floats) -> Floats:
    return np.asarray(code / (np.linalg.norm(code, axis=-1, keepdims=True) + 1e-9), np.float32)


def teach_folder(game: str, board: Board, folder: Path) -> tuple[Teach, list[Problem]]:
    """Learns from a folder of folders: `face_name/*.png`, a turn noted as `…_r90.png`."""
    if not folder.is_dir():
        raise ConfigError(f"There is no folder {folder}: put the photographs into {folder}/FACE/*.png.")
    lesson = Lesson(game, board)
    problems: list[Problem] = []
    for inner in sorted(path for path in folder.iterdir() if path.is_dir()):
        for path in sorted(p for p in inner.iterdir() if p.suffix.lower() in SUFFIXES):
            problems += lesson.add(inner.name, load_picture(path), noted_turn(path.stem))
    if not lesson.taken:
        example = f"{folder}/{board.faces[0].name}/1.png"
        raise ConfigError(f"{folder} holds no photographs: expected one folder per face, as {example}.")
    teach, more = lesson.finish()
    return teach, problems + more


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
