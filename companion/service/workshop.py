"""The workbench: the parts of the table, one board at a time, while no game is on it.

What the pages of the workshop do goes through here: looking through the camera, finding the board or taking
its corners from people, measuring the lens, teaching faces, mapping LEDs by blinking, trying every part.
The parts are those of the settings; what is virtual there is virtual here, so all of it works on any machine.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from companion.engine.errors import ConfigError, DeviceError, GloamError
from companion.engine.layout import UPRIGHT_KINDS, Piece
from companion.engine.options import Value
from companion.games import load
from companion.service.calibration_files import (
    keep_corners,
    keep_faces,
    keep_lens,
    keep_map,
    taught_faces,
    teach_file,
)
from companion.service.camera_picture import jpeg
from companion.service.open_parts import NO_CAMERA, NoPart, OpenParts, PlainStrip, boards, camera_source
from companion.service.rig_service import RigService
from companion.service.workshop_parts import WorkshopParts, colours, current, is_convex, spot, square
from companion.settings.config import (
    Changes,
    Config,
    PowerSettings,
    open_config,
    save,
)
from companion.settings.state_file import troubles
from companion.table.health import HealthLine
from hardware import ledmap, printing
from hardware.blink import FoundLeds, find_map, homography
from hardware.fakes import VirtualButtons, VirtualStrip
from hardware.ports import BUTTONS, Clock
from hardware.power import Supply
from hardware.showcase import PATTERNS
from hardware.wiring import SCHEMA, LightSettings
from vision.calibrate import MIN_VIEWS, Calibration
from vision.camera import Frame, Live
from vision.find import Sight
from vision.pose import place_corners
from vision.rectify import stack
from vision.teach import PICTURES_PER_FACE, PIXELS, Problem, TeachingSession

STEP_S = 0.04
IDLE_S = 180.0
"""A bench that nobody asks anything lets go of its parts after so long."""


class Workshop:
    """What the workshop can do; safe to use from several threads, one thing at a time."""

    def __init__(self, config: Config, folder: Path, clock: Clock, desk: RigService | None = None) -> None:
        self.config = config
        self.folder = folder
        self.schema = SCHEMA
        self._desk = desk
        self._supply = Supply(config.of(PowerSettings).low_voltage_ma, clock)
        self._clock = clock
        self._lock = threading.RLock()
        self._bench: WorkshopParts | None = None
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._asked_s = 0.0
        self._sight: Sight | None = None
        self._size = (0, 0)
        self._trouble = ""
        self._calibration: Calibration | None = None
        self._lesson: TeachingSession | None = None
        self._blinking: threading.Thread | None = None
        self._blinked = (0, 0)
        self._found: FoundLeds | None = None
        self._blink_words = ""

    # The bench ---------------------------------------------------------------------------------

    def open(self, key: str, board: str = "") -> None:
        """Lays a game's board on the bench: the usual one, or another of its `boards`."""
        with self._lock:
            self._asked_s = self._clock.now()
            board = board or next(iter(boards(key)))
            if self._bench is not None and (self._bench.key, self._bench.board.key) == (key, board):
                return
            self.close()
            if self.config.is_safe:
                raise ConfigError(self.config.words())
            self._bench = WorkshopParts(self.config, key, board, self.folder, self._clock)
            self._stop = threading.Event()
            self._thread = threading.Thread(target=self._run, args=(self._bench, self._stop), daemon=True)
            self._thread.start()

    def _run(self, bench: WorkshopParts, stop: threading.Event) -> None:
        """Keeps the lights going until the bench is closed or nobody asks any more."""
        while not stop.wait(STEP_S):
            with self._lock:
                if self._bench is not bench:
                    return
                is_needed = self._desk is not None and self._desk.table.session is not None
                if is_needed or self._clock.now() - self._asked_s > IDLE_S:
                    self.close()
                    return
                if not self.is_blinking:
                    bench.step()

    def close(self) -> None:
        """Lets go of the parts: a game needs them, or nobody is here."""
        with self._lock:
            bench, self._bench = self._bench, None
            self._stop.set()
            self._sight = self._calibration = self._found = None
            self._trouble = ""
            self._blinked = (0, 0)
            if bench is not None:
                bench.close()

    @property
    def game(self) -> str:
        """The game whose board is on the bench."""
        return self._open().key

    def _open(self) -> WorkshopParts:
        if self._bench is None:
            raise NoPart("no board is on the workbench: choose a game first")
        self._asked_s = self._clock.now()
        return self._bench

    # Settings ----------------------------------------------------------------------------------

    def change(self, changes: Changes) -> None:
        """Writes settings and uses them from now on; raises `ConfigError` where they are not right."""
        with self._lock:
            assert self.config.path is not None
            self._use(save(self.config.path, changes, SCHEMA))

    def use_again(self) -> None:
        """Reads the settings anew."""
        with self._lock:
            assert self.config.path is not None
            self._lesson = None
            self._use(open_config(self.config.path, SCHEMA))

    def _use(self, config: Config) -> None:
        self.config = config
        self.close()
        if self._desk is not None:
            self._desk.config = config

    # Camera ------------------------------------------------------------------------------------

    def picture(self) -> bytes:
        """What the camera sees now, as JPEG; also looks for the board."""
        with self._lock:
            bench = self._open()
            try:
                frame = bench.shoot()
            except DeviceError as error:
                self._sight, self._trouble = None, str(error)
                raise
            self._look(bench, frame)
            return jpeg(frame.image)

    def _look(self, bench: WorkshopParts, frame: Frame) -> Sight | None:
        height, width = frame.image.shape[:2]
        self._size = (width, height)
        try:
            self._sight, self._trouble = bench.finder.look(frame.image), ""
        except DeviceError as error:
            self._sight, self._trouble = None, str(error)
        return self._sight

    def sight(self) -> dict[str, Any]:
        """Where the board was in the last picture, in its pixels; `trouble` says why it was not found."""
        with self._lock:
            bench = self._open()
            width, height = self._size
            seen: dict[str, Any] = {
                "width": width,
                "height": height,
                "found": self._sight is not None,
                "trouble": bench.lens_words or bench.camera_words or self._trouble,
                "markers": len(bench.board.markers),
                "virtual": bench.is_virtual_camera,
            }
            if self._sight is None:
                return seen
            pose, hidden, moved_mm = self._sight
            rim = [(0, 0), (bench.board.width, 0), (bench.board.width, bench.board.height)]
            corners = pose.pixels([*rim, (0, bench.board.height)])
            places = [pose.pixels(place_corners(place)) for place in bench.board.places]
            marks = [pose.pixels(marker.corners()) for marker in bench.board.markers]
            return seen | {
                "seen": len(pose.markers),
                "hidden": list(hidden),
                "by_hand": not pose.markers,
                "error_mm": round(pose.error_mm, 1),
                "moved_mm": round(moved_mm, 1),
                "turn": pose.turn(),
                "outside": len(pose.outside()),
                "corners": corners.round(1).tolist(),
                "places": [outline.round(1).tolist() for outline in places],
                "marks": [outline.round(1).tolist() for outline in marks],
            }

    def set_corners(self, corners: Sequence[Sequence[float]]) -> None:
        """Takes the board's corners from people and keeps them; raises `ConfigError` for what is no board."""
        with self._lock:
            bench = self._open()
            width, height = self._size
            points = np.asarray(corners, float)
            if not width or not is_convex(points):
                raise ConfigError(
                    "the four corners must go around the board, clockwise from its upper left one"
                )
            bench.finder.set_corners(points, width, height)
            keep_corners(self.folder, bench.board, points.tolist(), width, height)

    def forget_corners(self) -> None:
        """Finds the board by its markers again."""
        with self._lock:
            bench = self._open()
            bench.finder.forget()
            keep_corners(self.folder, bench.board, None, 0, 0)

    # Lens --------------------------------------------------------------------------------------

    def take_view(self) -> dict[str, Any]:
        """Takes one view for measuring the lens, or says why not."""
        with self._lock:
            bench = self._open()
            calibration = self._calibration = self._calibration or Calibration(bench.board)
            advice = calibration.add(bench.shoot().image)
            return {
                "taken": advice.taken,
                "views": advice.views,
                "enough": MIN_VIEWS,
                "ready": calibration.is_ready,
                "detail": advice.text,
            }

    def measure_lens(self) -> float:
        """Works out the lens, keeps it and uses it; returns the mean error in pixels."""
        with self._lock:
            if self._calibration is None:
                raise NoPart("no view was taken yet")
            lens, error = self._calibration.solve()
            path = keep_lens(self.folder, lens)
            self.change({("camera", "lens"): str(path)})
            return error

    def forget_views(self) -> None:
        """Begins measuring the lens anew."""
        with self._lock:
            self._calibration = None

    # Teaching ----------------------------------------------------------------------------------

    def lesson(self) -> dict[str, Any]:
        """How far teaching is: every face with its pictures and where to lay it, and the next one."""
        with self._lock:
            bench = self._open()
            lesson = self._begun(bench)
            order = lesson.order()
            return {
                "faces": [
                    {
                        "name": name,
                        "turns": face.turns,
                        "taken": len(lesson.taken.get(name, ())),
                        "cell": bench.board.places.index(spot(bench.board, face)),
                        "place": spot(bench.board, face).name,
                    }
                    for name, face in lesson.faces.items()
                ],
                "enough": PICTURES_PER_FACE,
                "next": order[0][0] if order else "",
                "kept": teach_file(self.folder, bench.key).exists(),
                "virtual": bench.is_virtual_camera,
            }

    def _begun(self, bench: WorkshopParts) -> TeachingSession:
        """The lesson of the game on the bench: as far as it was, or as it was kept."""
        if self._lesson is None or self._lesson.game != bench.key:
            self._lesson = TeachingSession(bench.key, bench.board)
            with suppress(ConfigError):  # nothing was taught yet, or nothing that can be read
                taught = taught_faces(self.folder, bench.key).pictures
                self._lesson.taken = {
                    name: list(some) for name, some in taught.items() if name in self._lesson.faces
                }
        return self._lesson

    def photograph(self, face: str, turn: int) -> list[Problem]:
        """Photographs a face that lies on its place and says what is wrong with the picture."""
        with self._lock:
            bench = self._open()
            lesson = self._begun(bench)
            if face not in lesson.faces:
                raise ConfigError(f"{bench.key} has no face {face!r}")
            known = lesson.faces[face]
            place = spot(bench.board, known)
            if bench.world is not None:
                bench.world.clear()
                number = len(lesson.taken.get(face, ()))
                cell = bench.board.places.index(place)
                bench.world.lay(cell, Piece(face, turn), Random(number))
            frame = bench.shoot()
            sight = self._look(bench, frame)
            if sight is None:
                raise NoPart(self._trouble)
            wide = 1.6 if known.kind in UPRIGHT_KINDS else 1.0
            cut = place._replace(width=known.width * wide, height=known.height * wide)
            return lesson.add(face, stack(frame.image, sight.pose, [cut], PIXELS)[0], turn)

    def taken(self, face: str) -> bytes:
        """The last picture of a face, as JPEG."""
        with self._lock:
            pictures = self._begun(self._open()).taken.get(face, [])
            if not pictures:
                raise NoPart(f"there is no picture of {face} yet")
            return jpeg(pictures[-1])

    def drop(self, face: str) -> None:
        """Takes back the last picture of a face."""
        with self._lock:
            lesson = self._begun(self._open())
            if lesson.taken.get(face):
                lesson.drop(face)

    def finish_lesson(self) -> list[Problem]:
        """Writes the teach file and says what is lacking or too alike."""
        with self._lock:
            bench = self._open()
            teach, problems = self._begun(bench).finish()
            if not teach.pictures:
                raise NoPart("no picture was taken yet")
            keep_faces(self.folder, teach)
            return problems

    # Lights ------------------------------------------------------------------------------------

    @property
    def is_blinking(self) -> bool:
        return self._blinking is not None and self._blinking.is_alive()

    def lights(self) -> dict[str, Any]:
        """The map of the LEDs on the board, and how far blinking is."""
        with self._lock:
            bench = self._open()
            led_map = bench.led_map if self._found is None else self._found.led_map
            missing = set() if self._found is None else set(self._found.missing)
            done, total = self._blinked
            return {
                "board": {"width": bench.board.width, "height": bench.board.height},
                "places": [square(place) for place in bench.board.places],
                "leds": [
                    {"x": led.x, "y": led.y, "cells": [cell for cell, _ in led.cells], "dead": i in missing}
                    for i, led in enumerate(led_map.leds)
                ],
                "missing": sorted(missing),
                "blinking": self.is_blinking,
                "done": done,
                "total": total,
                "fresh": self._found is not None,
                "trouble": bench.lights_words or self._blink_words,
            }

    def blink(self, leds: int) -> None:
        """Begins to blink so many LEDs before the camera, one after the other."""
        with self._lock:
            bench = self._open()
            if self.is_blinking:
                return
            bench.demand_lights()
            if len(bench.led_map.strips) > 1:
                raise ConfigError("blinking maps one strip; for several, join their maps by hand")
            if bench.world is not None:
                bench.world.clear()
            self._found, self._blink_words, self._blinked = None, "", (0, leds)
            self._blinking = threading.Thread(target=self._blink, args=(bench, leds), daemon=True)
            self._blinking.start()

    def _blink(self, bench: WorkshopParts, leds: int) -> None:
        lights = self.config.of(LightSettings)
        strip = ledmap.StripSpec(leds, lights.order, lights.kind)
        strip_size = bench.parts.lights.strip.size
        line: PlainStrip | None = None
        shown = 0

        def show(frame: bytes) -> None:
            nonlocal shown
            with self._lock:
                self._asked_s = self._clock.now()
                if self._bench is not bench:
                    raise NoPart("blinking was broken off")
                if line is not None:
                    line.show(frame)
                else:
                    bench.parts.lights.show_bytes(frame[:strip_size].ljust(strip_size, b"\0"))
            # The first frame is dark, and so is the last.
            self._blinked = (min(max(0, shown - 1), leds), leds)
            shown += 1

        def grab() -> np.ndarray:
            with self._lock:
                return bench.shoot().image

        try:
            if not isinstance(bench.parts.lights.strip, VirtualStrip):
                bench.close_lights()
                line = PlainStrip(lights, leds, self._clock)
            to_board = homography(grab(), bench.board)
            self._found = find_map(strip, lights.supply_ma, bench.board, show, grab, to_board)
        except GloamError as error:
            self._blink_words = str(error)
        finally:
            if line is not None:
                line.close()
                bench.reopen_lights()

    def keep_map(self) -> None:
        """Keeps the map that was found for this board."""
        with self._lock:
            bench = self._open()
            if self._found is None:
                raise NoPart("nothing was found yet: let the LEDs blink first")
            keep_map(self.folder, bench.board, self._found.led_map)
            self.change({("lights", "map"): str(self.folder / "leds-{board}.json")})

    def show(self, name: str) -> None:
        """Shows a test pattern."""
        if name not in PATTERNS:
            raise ConfigError(f"{name!r} is no pattern; known: {', '.join(PATTERNS)}")
        with self._lock:
            bench = self._open()
            bench.demand_lights()
            bench.pattern = name

    def press(self, name: str) -> None:
        """Presses a virtual button."""
        with self._lock:
            bench = self._open()
            buttons = None if bench.lights_words else bench.parts.buttons
            if not isinstance(buttons, VirtualButtons) or name not in BUTTONS:
                raise NoPart("this button is real: press it with a finger")
            buttons.press(name)

    def test(self) -> dict[str, Any]:
        """How every part does at the moment."""
        with self._lock:
            bench = self._open()
            now = self._clock.now()
            lights = bench.parts.lights
            buttons = None if bench.lights_words else bench.parts.buttons
            words = bench.lights_words or lights.status.words
            live = bench.camera if isinstance(bench.camera, Live) else None
            return {
                "pattern": bench.pattern,
                "leds": 0 if bench.lights_words else len(bench.led_map.leds),
                "lights": not bench.lights_words and lights.status.is_up,
                "lights_detail": words,
                "frame": [] if bench.lights_words else colours(lights.frame, bench.led_map),
                "current_ma": round(current(lights.frame, bench.led_map)),
                "supply_ma": self.config.of(LightSettings).supply_ma,
                "buttons": [] if buttons is None else list(BUTTONS),
                "virtual_buttons": isinstance(buttons, VirtualButtons),
                "pressed": {name: round(now - at, 1) for name, at in bench.pressed.items()},
                "camera": bench.camera is not None and not (live and live.trouble),
                "camera_detail": bench.lens_words
                or bench.camera_words
                or (live.trouble or live.note if live else "" if bench.camera else NO_CAMERA),
                "fps": round(bench.fps(), 1),
            }

    # Health ------------------------------------------------------------------------------------

    def health(self) -> list[HealthLine]:
        """How the settings, the camera, the lights, the link and the power are."""
        with self._lock:
            config, bench = self.config, self._bench
            sitting = None if self._desk is None else self._desk.sitting
            used = bench or sitting
            lines = [_config_health(config), _camera_health(config, used), _lights_health(config, used)]
            if config.of(LightSettings).driver == "chip":
                lines.append(lines[-1]._replace(part="link"))
            return [*lines, self._power_health(), *_files_health(self.folder), *_eyes_health(self._desk)]

    def _power_health(self) -> HealthLine:
        if not self._supply.is_known:
            return HealthLine("power", "good", "unknown")
        if self._supply.is_low():
            return HealthLine("power", "watch", "watch", detail=self._supply.words())
        return HealthLine("power", "good", "good")

    # Paper -------------------------------------------------------------------------------------

    def boards(self, key: str) -> dict[str, dict[str, Value]]:
        """The boards of a game, each with the options that ask for it."""
        return boards(key)

    def sheet(self, key: str, board: str, language: str) -> bytes:
        """The printable frame of a game's board, as PDF."""
        game = load(key)
        given = boards(key).get(board, {})
        title = game.texts.say("game.title", language)
        pages = printing.marker_pages(game.board(game.resolve(given)), title, "a4", language)
        with TemporaryDirectory() as folder:
            path = Path(folder) / "frame.pdf"
            printing.write(pages, path)
            return path.read_bytes()


def _config_health(config: Config) -> HealthLine:
    state = {"last-good": "watch", "safe": "bad"}.get(config.source, "good")
    return HealthLine("config", state, config.source, detail="\n".join(map(str, config.faults)))


def _files_health(folder: Path) -> list[HealthLine]:
    """What was damaged and set aside, where anything was."""
    found = troubles(folder)
    return [HealthLine("files", "watch", "watch", {"n": len(found)}, "\n".join(found))] if found else []


def _eyes_health(desk: RigService | None) -> list[HealthLine]:
    """Why the table does not follow the game, where it does not: untaught eyes, or a thread that fails."""
    if desk is None:
        return []
    sitting = desk.sitting
    lines = [HealthLine("eyes", "bad", "untaught", detail=sitting.faces_words)] if sitting else []
    lines = [line for line in lines if line.detail]
    if failures := desk.failures():
        lines.append(HealthLine("eyes", "bad", "failing", detail="\n".join(failures)))
    return lines


def _camera_health(config: Config, used: OpenParts | None) -> HealthLine:
    """Parts that nobody uses are not opened only to see whether they work."""
    source = camera_source(config)
    if source in ("virtual", "none"):
        return HealthLine("camera", "good", source)
    if used is None:
        return HealthLine("camera", "good", "rest")
    troubles = used.camera_troubles()
    if used.camera is None or troubles:
        return HealthLine("camera", "bad", "bad", detail="\n".join(troubles))
    if isinstance(used.camera, Live) and used.camera.note:
        return HealthLine("camera", "watch", "watch", detail=used.camera.note)
    return HealthLine("camera", "good", "good")


def _lights_health(config: Config, used: OpenParts | None) -> HealthLine:
    if config.of(LightSettings).driver == "virtual" or config.is_safe:
        return HealthLine("lights", "good", "virtual")
    if used is None:
        return HealthLine("lights", "good", "rest")
    lights = used.parts.lights
    if isinstance(lights.strip, VirtualStrip):
        return HealthLine("lights", "bad", "bad", detail="\n".join(used.troubles()))
    status = lights.status
    if status.words:
        text = "watch" if status.is_up else "bad"
        return HealthLine("lights", text, text, detail=status.words)
    return HealthLine("lights", "good", "good")
