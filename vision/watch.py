"""The command `gloam watch`: reads a camera, a video or a folder of pictures continuously.

Each line of output is a JSON object. A camera or video is read whenever the table has come to rest and looks
otherwise than before; of a folder every picture is read. Trouble is reported in a line of its own.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2

from companion.engine.errors import ConfigError, DeviceError
from companion.engine.layout import Board
from companion.engine.observation import Observation
from companion.games import REGISTRY
from vision.calibrate import read_lens
from vision.camera import Camera, Folder, Live, open_camera
from vision.commands import CARDS_HELP, among_cards, as_json, board_of
from vision.debug import draw
from vision.eyes import Eyes, Glance
from vision.find import Finder, Lens, doubts
from vision.pose import Pose
from vision.read import Reader
from vision.teach import FaceLibrary

Say = Callable[[dict[str, Any]], None]


def watch(argv: Sequence[str]) -> int:
    """Reads until the pictures are over; returns 1 when not one of them could be read without trouble."""
    given = _arguments().parse_args(argv)
    board, lens = among_cards(board_of(given.game, given.option), given.cards)
    learnt = FaceLibrary.load(given.teach)
    if learnt.game != given.game:
        raise ConfigError(f"{given.teach} was taught for {learnt.game}, not for {given.game}: teach again.")
    finder = Finder(board, _lens(given.lens) or lens)
    camera = open_camera(given.source, _size(given.size))
    watcher = _Watch(board, finder, Reader(learnt, board), _say, given.debug)
    try:
        if isinstance(camera, Folder):
            watcher.folder(camera)
        else:
            watcher.follow(camera, given.frames)
    except KeyboardInterrupt:
        return 0
    finally:
        camera.close()
    return 0 if watcher.read else 1


def _arguments() -> argparse.ArgumentParser:
    ask = argparse.ArgumentParser(prog="gloam watch", description="Reads a board continuously; JSON lines.")
    ask.add_argument(
        "source", metavar="SOURCE", help="usb:0, /dev/video0, pi, http://… (MJPEG), a video or a folder"
    )
    ask.add_argument("--game", required=True, metavar="GAME", help=", ".join(REGISTRY))
    ask.add_argument("--teach", required=True, metavar="TEACH", type=Path, help="written by `gloam teach`")
    ask.add_argument("--option", action="append", default=[], metavar="K=V", help="an option of the game")
    ask.add_argument("--size", default="1280x720", metavar="WxH", help="the size asked of a camera")
    ask.add_argument("--lens", metavar="F.json", type=Path, help="a measured lens")
    ask.add_argument("--cards", metavar="F.json", type=Path, help=CARDS_HELP)
    ask.add_argument("--frames", type=int, metavar="N", help="stop after N frames")
    ask.add_argument("--debug", metavar="DIR", type=Path, help="draw each reading over its picture, there")
    return ask


def _lens(path: Path | None) -> Lens | None:
    return None if path is None else read_lens(path.read_text("utf-8"))


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdigit() and height.isdigit()):
        raise ConfigError(f"--size {text!r}: write it as 1280x720")
    return int(width), int(height)


def _say(line: dict[str, Any]) -> None:
    print(json.dumps(line, ensure_ascii=False), flush=True)


class _Watch:
    """The state common to folders and cameras: the last reading and the last trouble reported."""

    def __init__(self, board: Board, finder: Finder, reader: Reader, say: Say, debug: Path | None) -> None:
        self.read = 0
        self._board = board
        self._finder = finder
        self._reader = reader
        self._say = say
        self._debug = debug
        self._last: object = None
        self._trouble = ""

    def folder(self, camera: Folder) -> None:
        """Reads every picture by itself."""
        while True:
            try:
                frame = camera.read()
                if frame is None:
                    return
                sight = self._finder.look(frame.image)
            except DeviceError as error:
                self._say({"picture": camera.name, "trouble": str(error)})
                continue
            self._reader.board = sight.pose.board
            seen = self._reader.read(frame.image, sight.pose)
            trouble = " ".join(doubts(frame.image, sight.pose, sight.strayed))
            head = {"picture": camera.name} | ({"trouble": trouble} if trouble else {})
            self._show(head, frame.image, sight.pose, seen)

    def follow(self, camera: Camera, frames: int | None) -> None:
        """Reads whenever the table rests, and says when that looks otherwise than before."""
        eyes = Eyes(camera, self._finder, self._reader)
        done = 0
        while frames is None or done < frames:
            done += 1
            try:
                glance = eyes.step()
            except DeviceError as error:
                self._complain(str(error))
                continue
            if glance is None:
                return
            trouble = glance.trouble or (camera.note if isinstance(camera, Live) else "")
            if not trouble and glance.sight is not None:
                trouble = " ".join(doubts(glance.frame.image, glance.sight.pose, glance.sight.strayed))
            self._complain(trouble)
            self._take(glance)

    def _take(self, glance: Glance) -> None:
        if glance.sight is None or glance.observation is None:
            return
        pieces = {cell: reading.pieces for cell, reading in glance.observation.readings.items()}
        if pieces != self._last:
            self._last = pieces
            frame = glance.frame
            head = {"frame": frame.number, "time_s": round(frame.time_s, 3)}
            self._show(head, frame.image, glance.sight.pose, glance.observation)

    def _complain(self, trouble: str) -> None:
        if trouble != self._trouble:
            self._trouble = trouble
            self._say({"trouble": trouble or None})

    def _show(self, head: dict[str, Any], image: Any, pose: Pose, seen: Observation) -> None:
        self.read += not doubts(image, pose)
        self._say(head | as_json(seen, self._board))
        if self._debug is not None:
            self._debug.mkdir(parents=True, exist_ok=True)
            name = str(head.get("picture", f"frame_{head.get('frame')}"))
            cv2.imwrite(str(self._debug / f"{Path(name).stem}.png"), draw(image, pose, seen))
