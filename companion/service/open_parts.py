"""The one way to open the parts of the table for a board: lights, buttons, camera, finder, faces.

They are those of the settings; what is virtual there is virtual here. What cannot be opened is said in words.
The game (`TableRig`), the workshop with its blink-to-map (`WorkshopParts`), `gloam trust` and the doctor's
`Trial` of single parts all open here.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from companion.engine.errors import ConfigError, DeviceError, GloamError
from companion.engine.layout import UPRIGHT_KINDS, Board, built, square_places
from companion.engine.marker_cards import among, card_of, cards_around
from companion.engine.options import Value
from companion.games import load, load_art
from companion.service.calibration_files import (
    as_measured,
    finder_for,
    keep_moved_cards,
    keep_parts,
    kept_screen,
    kept_switches,
)
from companion.settings.config import CameraSettings, Config
from companion.table.ports import LitLed
from companion.world.physical import Thing, World
from companion.world.switches import Switches
from hardware.fakes import VirtualButtons, VirtualSensors
from hardware.guard import Channels
from hardware.ledmap import SCREENS, Led, LedMap, projector
from hardware.lights import Lights
from hardware.ports import BEAM, Clock
from hardware.wiring import LightSettings, Parts, PartSettings, build, build_of, led_map_path, settings_of
from vision.camera import Camera, Live, open_camera
from vision.find import Finder
from vision.teach import FaceLibrary
from vision.virtual import LedGlow, VirtualCamera, learn_from_art

FAULTS = ("unplugged", "frozen", "dark", "glare", "hand", "covered", "small", "late")
"""What can be wrong with the virtual camera; a panel sets these."""
VIRTUAL_SIZE = (1280, 720)
"""The pictures of the virtual camera: larger ones would be painted too slowly."""
SWITCH_WORDS = {
    "stuck-open": "stuck open",
    "stuck-closed": "stuck closed",
    "bouncing": "bouncing",
    "swapped": "swapped with that of",
}
NO_CAMERA = 'there is no camera:  source = "none"  in [camera]; play goes on by tapping'


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


@lru_cache(maxsize=6)
def _kept_faces(key: str, board: Board, edition: str) -> list[FaceLibrary]:
    """Where the faces of a board are kept once they are learnt."""
    return []


def own_faces(
    key: str, board: Board, progress: Callable[[float], None] = lambda share: None, edition: str = ""
) -> FaceLibrary:
    """What the eyes know of our own art; learnt once, and `progress` hears which share of it is done."""
    board = board.framed or board  # pieces look alike, however the boards lie
    kept = _kept_faces(key, board, edition)
    if not kept:
        kept.append(learn_from_art(key, World(board), load_art(key, edition).draw, progress=progress))
    return kept[0]


def forget_own_faces() -> None:
    """Learns our own art anew the next time: for measuring how long that takes."""
    _kept_faces.cache_clear()


def virtual_camera(key: str, world: World, edition: str = "", **more: Any) -> VirtualCamera:
    """A camera above the virtual table of a game, on which our own art lies."""
    return VirtualCamera(world, load_art(key, edition).draw, **more)


def camera_source(config: Config) -> str:
    """Where pictures come from; safe mode uses no part."""
    return "none" if config.is_safe else config.of(CameraSettings).source


def real_camera(config: Config) -> Camera:
    """The camera of the settings."""
    settings = config.of(CameraSettings)
    size = (settings.width, settings.height)
    return open_camera(camera_source(config), size, lock=settings.exposure_lock)


class PlainStrip:
    """The strip of the settings with a given number of LEDs, whatever its map says."""

    def __init__(self, settings: LightSettings, leds: int, clock: Clock) -> None:
        self._clock = clock
        row = Board("row", 10.0 * leds, 10.0, tuple(square_places(map(str, range(leds)), leds, 10.0)), (), ())
        plain = replace(settings, map="cells", across=1)
        self._strip = build(PartSettings(lights=plain), row, clock).lights.strip
        self.size = self._strip.size

    def show(self, frame: bytes, for_s: float = 0.06) -> None:
        """Shows a frame until it is lit; raises `DeviceError` when it is not."""
        until = self._clock.now() + for_s
        while self._clock.now() < until:
            self._strip.show(frame)
            self._clock.sleep(0.01)
        status = self._strip.status
        if not status.is_up:
            raise DeviceError(status.words)

    def close(self) -> None:
        self._strip.close()


def led_light(lights: Lights) -> np.ndarray:
    """Red, green and blue of each LED as it is shown, 0 to 1."""
    at = Channels.of(lights.led_map)
    whites = np.flatnonzero(at.white >= 0)
    values = np.frombuffer(lights.frame, np.uint8) / 255
    light: np.ndarray = values[at.rgb]
    light[whites] += values[at.white[whites]][:, None]
    return light.clip(0, 1)


def led_glows(lights: Lights) -> list[LedGlow]:
    """The light of the LEDs as it leaves the virtual table."""
    way = lights.led_map.way
    return [
        LedGlow(
            led.x, led.y, (red, green, blue), led.width, led.height, way, led.corners() if led.turn else ()
        )
        for led, (red, green, blue) in zip(lights.led_map.leds, led_light(lights).tolist(), strict=True)
    ]


def reach_mm(led_map: LedMap, led: Led) -> float:
    """How far the light of an LED is seen around it."""
    return max(led.width, led.height) / 2 if led_map.way in ("lane", "walled", "glass", "rim") else 30.0


def is_covered(world: World, x: float, y: float) -> bool:
    """Whether a piece lies on a spot of the virtual table, so that no light gets out there."""
    for thing in world.things():
        face, angle = world.faces[thing.face], np.radians(thing.angle)
        across = (x - thing.x) * np.cos(angle) + (y - thing.y) * np.sin(angle)
        along = (y - thing.y) * np.cos(angle) - (x - thing.x) * np.sin(angle)
        if abs(across) < face.width / 2 and abs(along) < face.height / 2:
            return True
    return False


def feel_world(sensors: VirtualSensors, world: World) -> None:
    """Lays virtual switches under the places of the virtual table, and a beam into its dice tower."""

    def standing(*kinds: str) -> list[Thing]:
        return [thing for thing in world.things() if world.faces[thing.face].kind in kinds]

    def magnets() -> set[int]:
        cells = {world.cell_at(thing.x, thing.y) for thing in standing(*UPRIGHT_KINDS)}
        return {cell for cell in cells if cell is not None}

    sensors.magnets = magnets
    sensors.dice = lambda: tuple(standing("die"))


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


class OpenParts:
    """The open parts for one board of one game: lights and buttons at once, the camera with `open_camera`.

    Lights that cannot be made are virtual ones instead, and `lights_words` says why.
    """

    def __init__(
        self,
        config: Config,
        key: str,
        board: Board,
        folder: Path,
        clock: Clock,
        *,
        without_map: bool = False,
        edition: str = "",
    ) -> None:
        """`board` is the game's own, in an edition for its owner's box; the lights may want it spread.

        With `without_map` a board whose LEDs were not mapped yet is shown with one LED in each cell.
        """
        self.key, self.edition, self.clock = key, edition, clock
        self.config, self.folder = config, folder
        self._without_map = without_map
        self.camera_words = self.lens_words = self.lights_words = ""
        self.nominal = board
        """The board as the game has it, before anything was measured."""
        self.board, self.parts = self._build(board)
        """The board as it lies on this table, and the parts for it."""
        self.world = World(self._virtual_board()) if camera_source(config) == "virtual" else None
        """What lies on the virtual table; None where the camera is real."""
        self.switches = self._open_switches()
        """The switches under this board; None where there are none."""
        self.screen = kept_screen(folder, self.board) if self.led_map.build in SCREENS else None
        """The screen of a projector or below glass; None where light comes from elsewhere."""
        self.finder = Finder(self.board)
        self.camera: Camera | None = None
        self.device: VirtualDevice | None = None
        self.virtual: VirtualCamera | None = None

    # Opening and closing -----------------------------------------------------------------------

    def _build(self, board: Board) -> tuple[Board, Parts]:
        wanted = PartSettings() if self.config.is_safe else settings_of(self.config)
        try:
            self.nominal = built(board, build_of(wanted.lights))
            laid = self._as_it_lies(self.nominal)
            path = led_map_path(wanted.lights, laid)
            if self._without_map and path is not None and not os.path.exists(path):
                wanted = wanted._replace(lights=replace(wanted.lights, map=laid.build or "cells"))
            return laid, build(wanted, laid, self.clock)
        except GloamError as error:
            self.lights_words = str(error)
            laid = self._as_it_lies(board)
            return laid, build(PartSettings(), laid, self.clock)

    def _as_it_lies(self, board: Board) -> Board:
        """The board as it was measured; boards that no camera looks at lie side by side on the screens."""
        if board.parts and camera_source(self.config) == "none":
            return board
        return as_measured(self.folder, board)

    def _virtual_board(self) -> Board:
        """The board as it really lies on the virtual table, where it was measured among cards or not."""
        by_cards = any(card_of(marker.id) is not None for marker in self.board.markers)
        if self.board.parts or not by_cards:
            return self.board
        return among(self.board, cards_around(self.board))

    def lay_virtual_cards(self) -> None:
        """Virtual hands take the frame away and lay marker cards around the board; raises `NoPart`."""
        if self.world is None:
            raise NoPart("the camera is a real one: lay the cards yourself")
        if self.board.parts:
            raise NoPart("the cards of these boards lie at their edges already")
        self.close_camera()
        self.world = World(among(self.board, cards_around(self.board)))
        self.open_camera()

    def note_moved_cards(self) -> None:
        """Keeps where cards lie that were pushed and stay there, and boards where their cards are."""
        found = self.finder.board
        if found is self.board or found.markers == self.board.markers:
            return
        if not (found.parts or found.is_bare):
            self.board = found
            keep_moved_cards(self.folder, found)
        elif self.world is None:  # on the virtual table it is known where they lie
            self.lay(found)
            if found.parts:
                keep_parts(self.folder, found)

    def lay(self, board: Board) -> None:
        """The board lies so from now on: pages show it there, and a projector's light falls there."""
        if board is not self.board:
            self.board = board
            if self.led_map.build == "projector":
                self.parts.lights.lay(projector(board))

    def reopen_lights(self) -> None:
        """Makes lights and buttons anew, after somebody else had their line."""
        self.lights_words = ""
        self.board, self.parts = self._build(self.nominal)
        self.switches = self._open_switches()

    def _open_switches(self) -> Switches | None:
        """The switches of the settings; virtual ones feel what stands on the virtual table."""
        sensors = self.parts.sensors
        if sensors is None or (isinstance(sensors, VirtualSensors) and self.world is None):
            return None
        places = kept_switches(self.folder, self.board)
        if isinstance(sensors, VirtualSensors) and self.world is not None:
            feel_world(sensors, self.world)
            places = None
        return Switches(self.board, self.clock.now, places)

    def feel(self) -> bool:
        """Reads the sensors; says whether anything has changed. On the thread of the lights' line."""
        sensors, switches = self.parts.sensors, self.switches
        sensed = [] if sensors is None else sensors.sensed()
        if switches is not None:
            for number, is_closed, time_s in sensed:
                if number == BEAM:
                    switches.cross(is_closed, time_s)
                else:
                    self._heard(number, is_closed)
                    switches.feel(number, is_closed, time_s)
        return bool(sensed)

    def _heard(self, number: int, is_closed: bool) -> None:
        """A switch has moved, by its own number."""

    def open_camera(self) -> None:
        """Opens the camera and what finds the board in its pictures; what is wrong is said."""
        settings = self.config.of(CameraSettings)
        try:
            self.finder = finder_for(self.folder, self.board, settings)
        except (ConfigError, OSError) as error:
            self.lens_words = f"{settings.lens}: {error}"
        if self.world is not None:
            lights = self.parts.lights
            size = min((settings.width, settings.height), VIRTUAL_SIZE)
            self.virtual = virtual_camera(
                self.key, self.world, self.edition, size=size, leds=lambda: led_glows(lights)
            )
            device = self.device = VirtualDevice(self.virtual, self.clock)
            self.camera = Live(lambda: device, "the virtual camera", size, self.clock.now)
        elif camera_source(self.config) != "none":
            try:
                self.camera = real_camera(self.config)
            except GloamError as error:
                self.camera_words = str(error)

    def close_lights(self) -> None:
        """Goes dark and lets go of lights and buttons."""
        self.parts.close()

    def close_camera(self) -> None:
        """Lets go of the camera; only whoever reads its pictures may do this."""
        if self.camera is not None:
            self.camera.close()

    def close(self) -> None:
        """Lets go of everything."""
        self.close_lights()
        self.close_camera()

    # How they are ------------------------------------------------------------------------------

    @property
    def led_map(self) -> LedMap:
        return self.parts.lights.led_map

    @property
    def is_virtual_camera(self) -> bool:
        return self.world is not None

    def camera_troubles(self) -> list[str]:
        """What keeps the camera from being read, as sentences."""
        words = [self.lens_words, self.camera_words]
        if isinstance(self.camera, Live):
            words.append(self.camera.trouble)
        return [one for one in words if one]

    def troubles(self) -> list[str]:
        """What is wrong with the parts, as sentences."""
        note = self.camera.note if isinstance(self.camera, Live) else ""
        words = [self.lights_words, self.parts.lights.status.words, note]
        return [*self.camera_troubles(), *(one for one in words if one), *self.switch_troubles()]

    def switch_troubles(self) -> list[str]:
        """Which switches are not believed, and why, as sentences."""
        names = [place.name for place in self.board.places]
        faults = () if self.switches is None else self.switches.faults()
        return [
            f"The switch of {names[fault.cell]} is {SWITCH_WORDS[fault.kind]}"
            f"{'' if fault.other is None else ' ' + names[fault.other]}; it is not believed."
            for fault in faults
        ]

    def light(self) -> np.ndarray:
        """Red, green and blue of each LED as it is shown, 0 to 1."""
        return led_light(self.parts.lights)

    def leds(self) -> list[LitLed]:
        """Every LED with its place and its light, 0 to 1; on the virtual table dark below a piece."""
        led_map = self.led_map
        # What a projector sends down, nothing hides.
        world = None if led_map.way == "above" else self.world
        found = []
        for led, (red, green, blue) in zip(led_map.leds, self.light().tolist(), strict=True):
            is_dark = world is not None and max(red, green, blue) > 0 and is_covered(world, led.x, led.y)
            light = (0.0, 0.0, 0.0) if is_dark else (red, green, blue)
            found.append(LitLed(led.x, led.y, light, reach_mm(led_map, led)))
        return found

    def press(self, name: str) -> None:
        """Presses a virtual button; raises `ValueError` where it is real or unknown."""
        if not isinstance(self.parts.buttons, VirtualButtons):
            raise ValueError("the buttons are real")
        self.parts.buttons.press(name)

    def break_switch(self, cell: int, fault: str, other: int = 0) -> None:
        """Breaks or mends a virtual switch; raises `ValueError` where it is real or unknown."""
        sensors, places = self.parts.sensors, range(len(self.board.places))
        if not isinstance(sensors, VirtualSensors) or cell not in places or other not in places:
            raise ValueError("there is no such virtual switch")
        sensors.break_switch(cell, fault, other)

    def broken_switches(self) -> dict[int, str]:
        """The virtual switches that are broken on purpose."""
        sensors = self.parts.sensors
        return sensors.faults() if isinstance(sensors, VirtualSensors) else {}

    def felt(self) -> list[int]:
        """The places whose switches are closed now."""
        return [] if self.switches is None else sorted(self.switches.closed())

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
