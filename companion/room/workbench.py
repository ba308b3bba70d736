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

from companion.config import CameraSettings, Changes, Config, PowerSettings, open_config, save, write_whole
from companion.errors import ConfigError, DeviceError, GloamError
from companion.games import load
from companion.layout import Piece
from companion.options import Value
from companion.room.benchtop import (
    Bench,
    Image,
    NoPart,
    boards,
    colours,
    current,
    is_convex,
    jpeg,
    spot,
    square,
)
from companion.room.desk import Desk
from companion.room.found import keep_corners, lens_file, map_file, teach_file
from companion.room.sitting import Sitting
from hardware import ledmap, printing
from hardware.blink import Found, find_map, homography
from hardware.commands import LineOf
from hardware.fakes import VirtualButtons, VirtualStrip
from hardware.ports import BUTTONS, Clock
from hardware.power import Supply
from hardware.showcase import PATTERNS
from hardware.wiring import SCHEMA, LightSettings
from vision.calibrate import ENOUGH as ENOUGH_VIEWS
from vision.calibrate import Calibration, write_lens
from vision.camera import Frame, Live
from vision.find import Sight
from vision.pose import place_corners
from vision.rectify import stack
from vision.teach import ENOUGH, PIXELS, STANDING, Lesson, Problem, Teach
from web.health import Line

STEP_S = 0.04
IDLE_S = 180.0
"""A bench that nobody asks anything lets go of its parts after so long."""


class Workbench:
    """What the workshop can do; safe to use from several threads, one thing at a time."""

    def __init__(self, config: Config, folder: Path, clock: Clock, desk: Desk | None = None) -> None:
        self.config = config
        self.folder = folder
        self.schema = SCHEMA
        self._desk = desk
        self._supply = Supply(config.of(PowerSettings).low_voltage_ma, clock)
        self._clock = clock
        self._lock = threading.RLock()
        self._bench: Bench | None = None
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._asked_s = 0.0
        self._sight: Sight | None = None
        self._size = (0, 0)
        self._trouble = ""
        self._calibration: Calibration | None = None
        self._lesson: Lesson | None = None
        self._blinking: threading.Thread | None = None
        self._blinked = (0, 0)
        self._found: Found | None = None
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
            self._bench = Bench(self.config, key, board, self.folder, self._clock)
            self._stop = threading.Event()
            self._thread = threading.Thread(target=self._run, args=(self._bench, self._stop), daemon=True)
            self._thread.start()

    def _run(self, bench: Bench, stop: threading.Event) -> None:
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

    def _open(self) -> Bench:
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

    def _look(self, bench: Bench, frame: Frame) -> Sight | None:
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
                "trouble": bench.camera_words or self._trouble,
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
                "enough": ENOUGH_VIEWS,
                "ready": calibration.is_ready,
                "detail": advice.text,
            }

    def measure_lens(self) -> float:
        """Works out the lens, keeps it and uses it; returns the mean error in pixels."""
        with self._lock:
            if self._calibration is None:
                raise NoPart("no view was taken yet")
            lens, error = self._calibration.solve()
            path = lens_file(self.folder)
            write_whole(path, write_lens(lens))
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
                "enough": ENOUGH,
                "next": order[0][0] if order else "",
                "kept": teach_file(self.folder, bench.key).exists(),
                "virtual": bench.is_virtual_camera,
            }

    def _begun(self, bench: Bench) -> Lesson:
        """The lesson of the game on the bench: as far as it was, or as it was kept."""
        if self._lesson is None or self._lesson.game != bench.key:
            self._lesson = Lesson(bench.key, bench.board)
            path = teach_file(self.folder, bench.key)
            with suppress(ConfigError):  # nothing was taught yet, or nothing that can be read
                taught = Teach.load(path).pictures
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
            if bench.is_virtual_camera:
                bench.world.clear()
                number = len(lesson.taken.get(face, ()))
                cell = bench.board.places.index(place)
                bench.world.lay(cell, Piece(face, turn), Random(number))
            frame = bench.shoot()
            sight = self._look(bench, frame)
            if sight is None:
                raise NoPart(self._trouble)
            wide = 1.6 if known.kind in STANDING else 1.0
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
            path = teach_file(self.folder, bench.key)
            path.parent.mkdir(exist_ok=True)
            fresh = path.with_name(path.name + ".new")
            teach.save(fresh)
            fresh.replace(path)
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
                "leds": []
                if led_map is None
                else [
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
            if bench.parts is None:
                raise NoPart(bench.lights_words)
            if len(bench.parts.lights.led_map.strips) > 1:
                raise ConfigError("blinking maps one strip; for several, join their maps by hand")
            bench.world.clear()
            self._found, self._blink_words, self._blinked = None, "", (0, leds)
            self._blinking = threading.Thread(target=self._blink, args=(bench, leds), daemon=True)
            self._blinking.start()

    def _blink(self, bench: Bench, leds: int) -> None:
        assert bench.parts is not None
        lights = self.config.of(LightSettings)
        strip = ledmap.Strip(leds, lights.order, lights.kind)
        strip_size = bench.parts.lights.strip.size
        line: LineOf | None = None
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
                    bench.light(frame[:strip_size].ljust(strip_size, b"\0"))
            # The first frame is dark, and so is the last.
            self._blinked = (min(max(0, shown - 1), leds), leds)
            shown += 1

        def grab() -> Image:
            with self._lock:
                return bench.shoot().image

        try:
            if not isinstance(bench.parts.lights.strip, VirtualStrip):
                bench.parts.close()
                line = LineOf(lights, leds)
            to_board = homography(grab(), bench.board)
            self._found = find_map(strip, lights.supply_ma, bench.board, show, grab, to_board)
        except GloamError as error:
            self._blink_words = str(error)
        finally:
            if line is not None:
                line.close()
                bench.open_parts()

    def keep_map(self) -> None:
        """Keeps the map that was found for this board."""
        with self._lock:
            bench = self._open()
            if self._found is None:
                raise NoPart("nothing was found yet: let the LEDs blink first")
            ledmap.save(self._found.led_map, map_file(self.folder, bench.board))
            self.change({("lights", "map"): str(self.folder / "leds-{board}.json")})

    def show(self, name: str) -> None:
        """Shows a test pattern."""
        if name not in PATTERNS:
            raise ConfigError(f"{name!r} is no pattern; known: {', '.join(PATTERNS)}")
        with self._lock:
            bench = self._open()
            if bench.parts is None:
                raise NoPart(bench.lights_words)
            bench.pattern = name

    def press(self, name: str) -> None:
        """Presses a virtual button."""
        with self._lock:
            bench = self._open()
            buttons = None if bench.parts is None else bench.parts.buttons
            if not isinstance(buttons, VirtualButtons) or name not in BUTTONS:
                raise NoPart("this button is real: press it with a finger")
            buttons.press(name)

    def test(self) -> dict[str, Any]:
        """How every part does at the moment."""
        with self._lock:
            bench = self._open()
            now = self._clock.now()
            parts = bench.parts
            buttons = None if parts is None else parts.buttons
            status = None if parts is None else parts.lights.status
            live = bench.camera if isinstance(bench.camera, Live) else None
            return {
                "pattern": bench.pattern,
                "leds": 0 if bench.led_map is None else len(bench.led_map.leds),
                "lights": status is not None and status.is_up,
                "lights_detail": bench.lights_words if status is None else status.words,
                "frame": [] if bench.led_map is None else colours(bench.frame, bench.led_map),
                "current_ma": 0 if bench.led_map is None else round(current(bench.frame, bench.led_map)),
                "supply_ma": self.config.of(LightSettings).supply_ma,
                "buttons": [] if buttons is None else list(BUTTONS),
                "virtual_buttons": isinstance(buttons, VirtualButtons),
                "pressed": {name: round(now - at, 1) for name, at in bench.pressed.items()},
                "camera": bench.camera is not None and not (live and live.trouble),
                "camera_detail": bench.camera_words or (live.trouble or live.note if live else ""),
                "fps": round(bench.fps(), 1),
            }

    # Health ------------------------------------------------------------------------------------

    def health(self) -> list[Line]:
        """How the settings, the camera, the lights, the link and the power are."""
        with self._lock:
            config, bench = self.config, self._bench
            sitting = None if self._desk is None else self._desk.sitting
            used = bench or sitting
            lines = [_config_health(config), _camera_health(config, used), _lights_health(config, used)]
            if config.of(LightSettings).driver == "chip":
                lines.append(lines[-1]._replace(part="link"))
            return [*lines, self._power_health()]

    def _power_health(self) -> Line:
        if not self._supply.is_known:
            return Line("power", "good", "unknown")
        if self._supply.is_low():
            return Line("power", "watch", "watch", detail=self._supply.words())
        return Line("power", "good", "good")

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


def _config_health(config: Config) -> Line:
    state = {"last-good": "watch", "safe": "bad"}.get(config.source, "good")
    return Line("config", state, config.source, detail="\n".join(map(str, config.faults)))


def _camera_health(config: Config, used: Bench | Sitting | None) -> Line:
    """Parts that nobody uses are not opened only to see whether they work."""
    source = "none" if config.is_safe else config.of(CameraSettings).source
    if source in ("virtual", "none"):
        return Line("camera", "good", source)
    if used is None:
        return Line("camera", "good", "rest")
    live = used.camera if isinstance(used.camera, Live) else None
    if used.camera is None or (live is not None and live.trouble):
        return Line("camera", "bad", "bad", detail=live.trouble if live else "\n".join(used.troubles()))
    if live is not None and live.note:
        return Line("camera", "watch", "watch", detail=live.note)
    return Line("camera", "good", "good")


def _lights_health(config: Config, used: Bench | Sitting | None) -> Line:
    if config.of(LightSettings).driver == "virtual" or config.is_safe:
        return Line("lights", "good", "virtual")
    if used is None:
        return Line("lights", "good", "rest")
    lights = None if used.parts is None else used.parts.lights
    if lights is None or isinstance(lights.strip, VirtualStrip):
        return Line("lights", "bad", "bad", detail="\n".join(used.troubles()))
    status = lights.status
    if status.words:
        text = "watch" if status.is_up else "bad"
        return Line("lights", text, text, detail=status.words)
    return Line("lights", "good", "good")
