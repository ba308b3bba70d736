"""The workbench: the parts of the table, one board at a time, while no game is on it.

What the pages of the workshop do goes through here: looking through the camera, finding the board or taking
its corners from people, measuring the lens, teaching faces, mapping LEDs by blinking, trying every part.
The parts are those of the settings; what is virtual there is virtual here, so all of it works on any machine.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from companion.engine.errors import ConfigError, DeviceError, GloamError
from companion.engine.layout import UPRIGHT_KINDS, At, Piece, built
from companion.engine.marker_cards import ENOUGH, card_markers, card_of
from companion.engine.options import Value
from companion.games import load
from companion.service.calibration_files import (
    keep_corners,
    keep_faces,
    keep_lens,
    keep_map,
    keep_screen,
    keep_switches,
    keep_table,
    kept_table,
    taught_faces,
    teach_file,
)
from companion.service.camera_picture import jpeg
from companion.service.open_parts import NO_CAMERA, NoPart, OpenParts, PlainStrip, boards, camera_source
from companion.service.rig_service import RigService
from companion.service.workshop_parts import WorkshopParts, colours, current, is_convex, spot, square
from companion.settings.config import (
    CameraSettings,
    Changes,
    Config,
    PowerSettings,
    open_config,
    save,
)
from companion.settings.state_file import troubles
from companion.table.health import HealthLine
from companion.world.switches import TouchMap
from hardware import ledmap, printing
from hardware.blink import FoundLeds, find_map, homography
from hardware.ddp import ask
from hardware.fakes import VirtualButtons, VirtualSensors, VirtualStrip
from hardware.ports import BUTTONS, Clock
from hardware.power import Supply
from hardware.showcase import PATTERNS
from hardware.wiring import SCHEMA, LightSettings, build_of
from vision.calibrate import MIN_VIEWS, Calibration
from vision.camera import Frame, Live
from vision.card_survey import CardSurvey
from vision.find import Corners, Sight, search_markers
from vision.pose import Pose, place_corners
from vision.rectify import stack
from vision.table_map import PlaceSpot, TableMap, place_board, pose_by_cards, spots_of_zone, wrong_board
from vision.teach import PICTURES_PER_FACE, PIXELS, Problem, TeachingSession

STEP_S = 0.04
SURVEY_LOOKS = 5
"""Pictures from which the places of the cards are worked out."""
NO_SCREEN = 'light comes from a strip: choose  map = "projector"  or  map = "glass"  in [lights]'
SETTLE_S = 0.3
"""How long a projector and the camera's exposure take to show what a page has drawn."""
IDLE_S = 180.0
"""The time without a request after which the workshop closes its parts."""


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
        self._cards: Corners = {}
        """Cards that were seen in the last picture while the board was not found."""
        self._bench_board = ""
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
            self._bench_board = board
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
        bench.note_moved_cards()
        self._cards = {}
        if self._sight is None:
            self._cards = search_markers(frame.image, set(card_markers()), enough=0)
        return self._sight

    def sight(self) -> dict[str, Any]:
        """Where the board was in the last picture, in its pixels; `trouble` says why it was not found."""
        with self._lock:
            bench = self._open()
            width, height = self._size
            zones = Counter(place.zone for place in bench.board.places)
            seen: dict[str, Any] = {
                "width": width,
                "height": height,
                "found": self._sight is not None,
                "trouble": bench.lens_words or bench.camera_words or self._trouble,
                "markers": len(bench.board.markers),
                "virtual": bench.is_virtual_camera,
                "sheet": list(bench.board.sheet_mm),
                "names": [place.name for place in bench.board.places],
                "zones": [zone for zone, n in zones.items() if n >= 4],
                "alone": sum(bool(part.cards) for part in bench.board.parts),
            }
            if self._sight is None:
                table = kept_table(self.folder)
                return seen | {
                    "cards": [
                        {"number": card_of(i), "outline": px.round(1).tolist()}
                        for i, px in sorted(self._cards.items())
                    ],
                    "surveyed": 0 if table is None else len(table.cards),
                }
            pose, hidden, moved_mm, strayed = self._sight
            board = pose.board
            rim = [(0, 0), (board.width, 0), (board.width, board.height), (0, board.height)]
            corners = pose.pixels(rim)
            places = [pose.pixels(place_corners(place)) for place in board.places]
            marks = [pose.pixels(marker.corners()) for marker in board.markers]
            parts = [pose.pixels(part.corners()) for part in board.parts]
            return seen | {
                "seen": len(pose.markers),
                "hidden": list(hidden),
                "strayed": sorted({card for i in strayed if (card := card_of(i)) is not None}),
                "by_hand": not pose.markers,
                "by_cards": any(card_of(i) is not None for i in pose.markers),
                "error_mm": round(pose.error_mm, 1),
                "moved_mm": round(moved_mm, 1),
                "turn": pose.turn(),
                "outside": len(pose.outside()),
                "corners": corners.round(1).tolist(),
                "places": [outline.round(1).tolist() for outline in places],
                "marks": [outline.round(1).tolist() for outline in marks],
                "parts": [outline.round(1).tolist() for outline in parts],
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

    # Marker cards and boards among them ----------------------------------------------------------

    def lay_cards(self) -> None:
        """Lays marker cards around the board of the virtual table; raises `NoPart` where it is real."""
        with self._lock:
            self._open().lay_virtual_cards()

    def survey(self) -> dict[str, Any]:
        """Measures where the cards lie, from a few looks, and keeps it; boards are to be measured anew."""
        with self._lock:
            bench = self._open()
            survey = CardSurvey(bench.finder.lens if self.config.of(CameraSettings).lens else None)
            for _ in range(SURVEY_LOOKS):
                look = survey.add(bench.shoot().image)
                if not look.taken:
                    raise NoPart(look.text)
            found = survey.solve()
            keep_table(self.folder, TableMap(found.cards, found.lens, {}, {}))
            return {"cards": [card.number for card in found.cards], "error_mm": round(found.error_mm, 1)}

    def measure_board(self, corners: Sequence[Sequence[float]]) -> dict[str, Any]:
        """Lays the board among the cards, by its corners in the last picture, and keeps it.

        Raises `ConfigError` where what they go around is not square, or not of the board's size.
        """
        with self._lock:
            bench = self._open()
            if bench.board.parts:
                raise NoPart("each of these boards is found by the two cards at its edges: lay them there")
            points = np.asarray(corners, float)
            if not is_convex(points):
                raise ConfigError(
                    "the four corners must go around the board, clockwise from its upper left one"
                )
            table, pose = self._table_in_view(bench)
            laid = place_board(pose.millimetres(points), *bench.board.sheet_mm)
            wrong = wrong_board(laid, *bench.board.sheet_mm)
            if wrong:
                raise ConfigError(wrong)
            at = At(laid.x, laid.y, laid.turn)
            self._keep_and_reopen(table._replace(boards={**table.boards, bench.board.key: at}))
            return {"width": round(laid.width), "height": round(laid.height), "off_mm": round(laid.off_mm, 1)}

    def measure_zone(self, zone: str, corners: Sequence[Sequence[float]]) -> None:
        """Takes the outer corners of a grid of places from people: the owner's board may have other gaps."""
        with self._lock:
            bench, pose = self._measured()
            nominal = [place for place in bench.nominal.places if place.zone == zone]
            if len(nominal) < 4:
                raise ConfigError(f"{zone!r} is no grid of places")
            spots = spots_of_zone(nominal, pose.millimetres(np.asarray(corners, float)))
            self._keep_spots(bench, spots)

    def measure_place(self, name: str, x: float, y: float) -> None:
        """Takes the middle of one place, a room for instance, from people."""
        with self._lock:
            bench, pose = self._measured()
            place = next((one for one in bench.board.places if one.name == name), None)
            if place is None:
                raise ConfigError(f"{bench.key} has no place {name!r}")
            at = pose.millimetres([(x, y)])[0]
            if not (0 <= at[0] <= bench.board.width and 0 <= at[1] <= bench.board.height):
                raise ConfigError(f"this is not on the board: {name} must lie within its edges")
            self._keep_spots(bench, {name: PlaceSpot(float(at[0]), float(at[1]), place.width, place.height)})

    def forget_cards(self) -> None:
        """Finds every board by its frame again."""
        with self._lock:
            table = kept_table(self.folder)
            if table is not None:
                self._keep_and_reopen(TableMap((), table.lens, {}, {}))

    def _measured(self) -> tuple[WorkshopParts, Pose]:
        """The bench and the pose of a board that was measured; raises `NoPart` where it was not."""
        bench = self._open()
        table = kept_table(self.folder)
        if table is None or not table.has(bench.board) or self._sight is None:
            raise NoPart("measure the cards and the board's corners first")
        return bench, self._sight.pose

    def _table_in_view(self, bench: WorkshopParts) -> tuple[TableMap, Pose]:
        """What was surveyed, and where it is in the picture; raises `NoPart` where it was not."""
        table = kept_table(self.folder)
        if table is None or not table.cards:
            raise NoPart("measure the cards first")
        image = bench.shoot().image
        found = search_markers(image, set(card_markers()), enough=2 * ENOUGH)
        return table, pose_by_cards(found, table.cards, image.shape[1], image.shape[0], table.lens)

    def _keep_spots(self, bench: WorkshopParts, spots: Mapping[str, PlaceSpot]) -> None:
        table = kept_table(self.folder)
        assert table is not None
        known = table.spots.get(bench.board.key, {})
        self._keep_and_reopen(table._replace(spots={**table.spots, bench.board.key: {**known, **spots}}))

    def _keep_and_reopen(self, table: TableMap) -> None:
        """Keeps what was measured and lays the board on the bench as it is known now."""
        keep_table(self.folder, table)
        bench = self._open()
        key, board = bench.key, self._bench_board
        self.close()
        self.open(key, board)

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

    def wled(self, host: str) -> list[dict[str, Any]]:
        """What each WLED at these addresses, with commas between, says of itself."""
        return [
            {
                "host": one,
                "name": told.name,
                "version": told.version,
                "leds": told.leds,
                "order": told.order,
                "limit_ma": told.limit_ma,
            }
            for one in map(str.strip, host.split(","))
            for told in (ask(one),)
        ]

    def blink(self, leds: int) -> None:
        """Begins to blink that number of LEDs before the camera, one after the other."""
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

    # Projector ---------------------------------------------------------------------------------

    def find_screen(self) -> None:
        """Finds by the camera how the board lies on the projector's screen, and keeps it."""
        with self._lock:
            bench = self._open()
            if bench.screen is None or self._desk is None:
                raise NoPart(NO_SCREEN)
            if bench.world is not None:
                raise NoPart("the camera is simulated, and so is where the projector's light falls")
            frame = bench.shoot()
            sight, page = self._look(bench, frame), self._desk.page
            if sight is None:
                raise NoPart(self._trouble)
            try:
                bench.screen.find(page.show, self._fresh(bench), sight.pose.millimetres)
            finally:
                page.release()
            keep_screen(self.folder, bench.board, bench.screen)

    def _fresh(self, bench: WorkshopParts) -> Callable[[], np.ndarray]:
        """Pictures taken well after a page has drawn something."""

        def grab() -> np.ndarray:
            until = self._clock.now() + SETTLE_S
            while self._clock.now() < until:
                bench.shoot()
            return bench.shoot().image

        return grab

    def set_screen(self, corners: Sequence[tuple[float, float]]) -> None:
        """Takes from people where the board's corners are on the projector's screen, and keeps it."""
        with self._lock:
            bench = self._open()
            if bench.screen is None:
                raise NoPart(NO_SCREEN)
            if not is_convex(np.asarray(corners, float)):
                raise ConfigError(
                    "the four corners must go around the board, clockwise from its upper left one"
                )
            bench.screen.set_corners(corners, (bench.board.width, bench.board.height))
            keep_screen(self.folder, bench.board, bench.screen)

    # Switches ----------------------------------------------------------------------------------

    def switches(self) -> dict[str, Any]:
        """What the switches under the board feel, which of them are faulty, and how far mapping is."""
        with self._lock:
            bench = self._open()
            touching = bench.touching
            return {
                "there": bench.switches is not None,
                "virtual": isinstance(bench.parts.sensors, VirtualSensors),
                "places": [square(place) for place in bench.board.places],
                "board": {"width": bench.board.width, "height": bench.board.height},
                "closed": bench.felt(),
                "troubles": bench.switch_troubles(),
                "next": -1 if touching is None or touching.next is None else touching.next,
                "found": {} if touching is None else touching.places,
                "skipped": [] if touching is None else touching.skipped,
                "again": None if touching is None else touching.again,
                "fresh": touching is not None and touching.next is None and bool(touching.places),
            }

    def touch(self, do: str) -> None:
        """Maps the switches by touch: `start`, `skip` a place, `keep` the map; `put` a virtual magnet."""
        with self._lock:
            bench = self._open()
            if bench.switches is None:
                raise NoPart("there are no switches: name where they hang in [sensors]")
            if do == "start":
                if bench.world is not None:
                    bench.world.clear()
                bench.feel()
                # Whatever the map was, every switch counts by its own number until this one is kept.
                bench.touching = TouchMap(range(len(bench.board.places)))
                return
            touching = bench.touching
            if touching is None:
                raise NoPart("begin with the first place")
            if do == "skip":
                touching.skip()
            elif do == "keep":
                keep_switches(self.folder, bench.board, touching.places)
                self._use(self.config)
            elif do == "put" and bench.world is not None and touching.next is not None:
                pawn = next(face for face in bench.board.faces if face.kind in UPRIGHT_KINDS)
                bench.world.clear()
                bench.world.lay(touching.next, Piece(pawn.name), Random(1))

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
                "switches": None if bench.switches is None else bench.felt(),
                "switches_detail": bench.switch_troubles(),
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

    def card_sheet(self, language: str) -> bytes:
        """The printable marker cards, as PDF."""
        return self._pdf(printing.card_pages(language))

    def sheet(self, key: str, board: str, language: str) -> bytes:
        """The printable frame of a game's board, as PDF."""
        game = load(key)
        given = boards(key).get(board, {})
        title = game.texts.say("game.title", language)
        laid = game.board(game.resolve(given))
        with suppress(ConfigError):  # a game that cannot be laid for these lights is laid as ever
            laid = built(laid, build_of(self.config.of(LightSettings)))
        return self._pdf(printing.marker_pages(laid, title, "a4", language))

    @staticmethod
    def _pdf(pages: list[printing.Page]) -> bytes:
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
