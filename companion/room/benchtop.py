"""The parts of the table on the workbench: camera, lights and buttons for the board of one game.

They are those of the settings; what is virtual there is virtual here. What cannot be opened is said in words.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.config import CameraSettings, Config
from companion.errors import ConfigError, DeviceError, GloamError
from companion.games import load, load_art
from companion.layout import Board, Face, Place
from companion.options import Value
from companion.room.found import finder_for
from companion.world import World
from hardware import showcase
from hardware.guard import Channels, FlashGuard
from hardware.ledmap import LedMap
from hardware.ports import Clock
from hardware.render import current_ma
from hardware.wiring import Parts, build, led_map_path, settings_of
from vision.camera import Camera, Frame, Virtual, open_camera
from vision.find import Finder
from vision.virtual import Glow, VirtualCamera

Image = np.ndarray
WIDE_PX = 960
"""Pictures for the pages are made at most so wide."""


class NoPart(DeviceError):
    """A part is not there; the sentence says why and what helps."""


@cache
def boards(key: str) -> dict[str, dict[str, Value]]:
    """The boards of a game by their keys, each with the options that ask for it; the usual one first."""
    game = load(key)
    found: dict[str, dict[str, Value]] = {game.board(game.resolve({})).key: {}}
    single: list[dict[str, Value]] = [{one.name: value} for one in game.options for value in one.choices]
    for given in [*single, *(a | b for a, b in combinations(single, 2) if a.keys() != b.keys())]:
        try:
            board = game.board(game.resolve(given))
        except ConfigError:
            continue  # these options do not go together
        found.setdefault(board.key, given)
    return found


class Bench:
    """The parts for one game's board, open."""

    def __init__(self, config: Config, key: str, board: str, folder: Path, clock: Clock) -> None:
        self.key = key
        game = load(key)
        if board not in boards(key):
            raise ConfigError(f"{key} has no board {board!r}; it has {', '.join(boards(key))}")
        self.board: Board = game.board(game.resolve(boards(key)[board]))
        self.world = World(self.board)
        self.clock = clock
        self.camera: Camera | None = None
        self.parts: Parts | None = None
        self.camera_words = self.lights_words = ""
        self.pattern = "off"
        self.pressed: dict[str, float] = {}
        self.frame = b""
        settings = config.of(CameraSettings)
        self.finder = Finder(self.board)
        self.settings = settings_of(config)
        self.open_parts()
        try:
            self.finder = finder_for(folder, self.board, settings)
            self.camera = self._open_camera(settings)
        except (GloamError, OSError) as error:
            self.camera_words = str(error)
        self._times: deque[tuple[float, int]] = deque(maxlen=30)
        self._guard = None if self.led_map is None else FlashGuard(self.led_map)

    def _open_camera(self, settings: CameraSettings) -> Camera:
        if settings.source == "none":
            raise ConfigError('there is no camera:  source = "none"  in [camera]; play goes on by tapping')
        size = (settings.width, settings.height)
        if settings.source == "virtual":
            draw = load_art(self.key).draw
            return Virtual(VirtualCamera(self.world, draw, size=size, leds=self.glow), self.clock.now)
        return open_camera(settings.source, size, lock=settings.exposure_lock)

    def open_parts(self) -> None:
        """Makes the parts; a board whose LEDs were not mapped yet is shown with one LED in each cell."""
        lights = self.settings.lights
        path = led_map_path(lights, self.board)
        if path is not None and not path.exists():
            lights = replace(lights, map="cells")
        try:
            self.parts = build(self.settings._replace(lights=lights), self.board, self.clock)
        except GloamError as error:
            self.lights_words = str(error)

    def troubles(self) -> list[str]:
        """What could not be opened, and why."""
        return [words for words in (self.camera_words, self.lights_words) if words]

    @property
    def led_map(self) -> LedMap | None:
        return None if self.parts is None else self.parts.lights.led_map

    @property
    def is_virtual_camera(self) -> bool:
        return isinstance(self.camera, Virtual)

    def glow(self) -> list[Glow]:
        """The light of the strip as the virtual camera sees it."""
        if self.led_map is None or not self.frame:
            return []
        rgb = np.frombuffer(self.frame, np.uint8)[Channels.of(self.led_map).rgb] / 255
        return [
            (led.x, led.y, (float(r), float(g), float(b)))
            for led, (r, g, b) in zip(self.led_map.leds, rgb, strict=True)
        ]

    def shoot(self) -> Frame:
        """The newest picture; raises `DeviceError` that says what is wrong."""
        if self.camera is None:
            raise NoPart(self.camera_words)
        frame = self.camera.read()
        if frame is None:
            raise NoPart("the pictures are over: choose another source of pictures in the settings")
        self._times.append((frame.time_s, frame.number))
        return frame

    def fps(self) -> float:
        """Pictures a second, as far as they were asked for."""
        if len(self._times) < 2:
            return 0.0
        (then, first), (now, last) = self._times[0], self._times[-1]
        return (last - first) / max(now - then, 1e-3)

    def light(self, frame: bytes) -> None:
        """Shows bytes on the strip."""
        if self.parts is None:
            raise NoPart(self.lights_words)
        self.frame = frame
        self.parts.lights.strip.show(frame)

    def step(self) -> None:
        """Shows the pattern that was chosen and looks at the buttons."""
        if self.parts is None or self._guard is None:
            return
        now = self.clock.now()
        self.light(
            self._guard.calm(showcase.painted(self.pattern, self.parts.lights.led_map, now).frame, now)
        )
        if self.parts.buttons is not None:
            for press in self.parts.buttons.presses():
                self.pressed[press.name] = press.time_s

    def close(self) -> None:
        """Goes dark and lets go."""
        if self.parts is not None:
            self.parts.close()
        if self.camera is not None:
            self.camera.close()


def jpeg(image: Image) -> bytes:
    """A picture for a page."""
    height, width = image.shape[:2]
    if width > WIDE_PX:
        image = cv2.resize(image, (WIDE_PX, round(height * WIDE_PX / width)), interpolation=cv2.INTER_AREA)
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 82])[1].tobytes())


def spot(board: Board, face: Face) -> Place:
    """Where a face is laid to be photographed: the place nearest to the middle that is large enough."""
    middle = np.array([board.width / 2, board.height / 2])
    fitting = [p for p in board.places if p.width + 1 >= face.width and p.height + 1 >= face.height]
    return min(fitting or board.places, key=lambda p: float(np.hypot(*(np.array([p.x, p.y]) - middle))))


def is_convex(points: np.ndarray) -> bool:
    """Whether four points go around clockwise (in a picture, whose rows count downwards)."""
    if points.shape != (4, 2) or not np.isfinite(points).all():
        return False
    sides = np.roll(points, -1, axis=0) - points
    following = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
    return bool((turns > 1.0).all())


def square(place: Place) -> dict[str, Any]:
    """A place for a page to draw."""
    return {"name": place.name, "x": place.x, "y": place.y, "width": place.width, "height": place.height}


def current(frame: bytes, led_map: LedMap) -> float:
    """What all supplies give for a frame."""
    return sum(current_ma(frame, led_map, i) for i in range(len(led_map.supplies_ma))) if frame else 0.0


def colours(frame: bytes, led_map: LedMap) -> list[list[int]]:
    """Red, green and blue of each LED."""
    if not frame:
        return []
    return np.frombuffer(frame, np.uint8)[Channels.of(led_map).rgb].tolist()  # type: ignore[no-any-return]
