"""The open parts as the workshop tries them: a test pattern on the strip, presses, pictures by request."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Any

import numpy as np

from companion.engine.errors import ConfigError
from companion.engine.layout import Board, Face, Place
from companion.engine.scene import Glow, Scene
from companion.service.open_parts import NO_CAMERA, NoPart, OpenParts, boards
from companion.settings.config import Config
from companion.table.boxes import Boxes
from companion.world.switches import TouchMap
from hardware import showcase
from hardware.guard import Channels, FlashGuard
from hardware.ledmap import LedMap
from hardware.ports import Clock
from hardware.render import current_ma, render
from vision.camera import Frame


class WorkshopParts(OpenParts):
    """The open parts for one of the boards of a game."""

    def __init__(self, config: Config, key: str, board: str, folder: Path, clock: Clock) -> None:
        if board not in boards(key):
            raise ConfigError(f"{key} has no board {board!r}; it has {', '.join(boards(key))}")
        game = Boxes(folder).load(key)
        super().__init__(
            config,
            key,
            game.board(game.resolve(boards(key)[board])),
            folder,
            clock,
            without_map=True,
            edition=game.edition,
        )
        self.pattern = "off"
        self.pressed: dict[str, float] = {}
        self.touching: TouchMap | None = None
        """The map of the switches while it is being found by touch."""
        self._times: deque[tuple[float, int]] = deque(maxlen=30)
        self._guard = FlashGuard(self.led_map)
        self.open_camera()

    def shoot(self) -> Frame:
        """The newest picture; raises `DeviceError` that says what is wrong."""
        if self.camera is None:
            raise NoPart(self.camera_words or NO_CAMERA)
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

    def demand_lights(self) -> None:
        """Raises `NoPart` where the lights of the settings could not be made."""
        if self.lights_words:
            raise NoPart(self.lights_words)

    def step(self) -> None:
        """Shows the pattern that was chosen and looks at the buttons."""
        now, lights = self.clock.now(), self.parts.lights
        place = None if self.touching is None else self.touching.next
        if place is None:
            frame = showcase.painted(self.pattern, lights.led_map, now).frame
        else:
            frame = render(Scene((Glow(place, "place"),)), lights.led_map, now)
        lights.show_bytes(self._guard.calm(frame, now))
        self.feel()
        if self.parts.buttons is not None:
            for press in self.parts.buttons.presses():
                self.pressed[press.name] = press.time_s

    def _heard(self, number: int, is_closed: bool) -> None:
        if self.touching is not None:
            self.touching.feel(number, is_closed)


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
    return sum(current_ma(frame, led_map, i) for i in range(len(led_map.supplies_ma)))


def colours(frame: bytes, led_map: LedMap) -> list[list[int]]:
    """Red, green and blue of each LED."""
    return np.frombuffer(frame, np.uint8)[Channels.of(led_map).rgb].tolist()  # type: ignore[no-any-return]
