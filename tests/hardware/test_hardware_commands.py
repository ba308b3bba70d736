"""`gloam lights` and `gloam flash`: pictures, patterns, blink-to-map by a virtual camera, flashing."""

from __future__ import annotations

import builtins
import contextlib
import io
from functools import partial
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from companion.engine.errors import ConfigError, DeviceError
from companion.engine.layout import Board, frame, square_places
from hardware import ledmap, showcase, wire
from hardware.blink import find_map, homography
from hardware.commands import flash, lights
from hardware.fakes import FakeClock, PtyChip
from hardware.flasher import Repl, files, install
from hardware.ledmap import StripSpec
from hardware.picture import LedPainter, save_gif
from hardware.render import render

MARKED = Board(
    "night_cage_6",
    420,
    420,
    tuple(square_places(map(str, range(36)), 6, 70)),
    (),
    frame(0, 420, 420),
)


# Pictures ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scene", showcase.SCENES)
def test_a_scene_is_written_as_a_picture(scene, tmp_path, capsys):
    out = tmp_path / "scene.png"
    assert lights([scene, "--out", str(out), "--width", "240"]) == 0
    picture = cv2.imread(str(out))
    assert picture.shape == (240, 240, 3)
    assert picture.max() > 120
    assert "Wrote" in capsys.readouterr().out


@pytest.mark.parametrize("build", ["rails", "halo", "glass", "projector"])
@pytest.mark.parametrize("what", ["chase", "candles"])
def test_lights_between_the_pieces_are_tried_as_the_guide_says(what, build, tmp_path):
    config, out = tmp_path / "gloam.toml", tmp_path / "tried.png"
    config.write_text(f'[lights]\nmap = "{build}"\nsupply_ma = 4000\n')
    assert lights([what, "--config", str(config), "--out", str(out), "--width", "240"]) == 0
    assert cv2.imread(str(out)).max() > 120


def test_a_picture_is_bright_where_the_light_is():
    led_map = ledmap.cells(showcase.BOARD)
    painter = LedPainter(showcase.BOARD, led_map, 480)
    picture = painter.paint(render(showcase.candles(), led_map, 0.0)).astype(int)
    scale = 480 / (420 + 60)

    def at(name: str) -> int:
        place = showcase.BOARD.places[showcase.BOARD.cell(name)]
        return int(picture[int((place.y + 30) * scale), int((place.x + 30) * scale)].sum())

    assert at("b2") > at("a2") > at("f6")


@pytest.mark.slow
def test_a_film_is_a_gif_that_opens_with_all_its_frames(tmp_path):
    out = tmp_path / "film.gif"
    assert lights(["attack", "--out", str(out), "--width", "120", "--seconds", "1"]) == 0
    film = cv2.VideoCapture(str(out))
    frames = []
    while (read := film.read())[0]:
        frames.append(read[1])
    assert len(frames) == 12
    assert max(np.abs(frames[0].astype(int) - other).max() for other in frames) > 60


def test_a_gif_keeps_the_colours(tmp_path):
    picture = np.zeros((40, 60, 3), np.uint8)
    picture[:, :30] = (200, 120, 40)
    picture[:20, 30:] = (20, 60, 180)
    save_gif([picture, picture], tmp_path / "two.gif", 0.1)
    read = cv2.VideoCapture(str(tmp_path / "two.gif")).read()[1][..., ::-1]
    assert np.abs(read.astype(int) - picture).max() <= 8


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["nonsense", "--out", "x.png"], "'nonsense' is no scene and no pattern; known: candles"),
        (["candles"], "no strip is configured"),
        (["candles", "--out", "x.jpg"], "write F.png for a picture or F.gif"),
        (["candles", "--width", "64", "--out", "no/such/folder/x.png"], "cannot be written"),
        (["candles", "--brightness", "7", "--out", "x.png"], "brightness = 7.0 is not between"),
        (["candles", "--width", "3", "--out", "x.png"], "--width 3"),
        (["candles", "--config", "no.toml"], "no.toml: No such file"),
    ],
)
def test_a_wrong_call_is_one_clear_sentence(argv, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match=words):
        lights(argv)


def test_list_names_scenes_and_patterns(capsys):
    lights(["list"])
    assert {"candles", "attack", "chase", "rainbow"} <= set(capsys.readouterr().out.split())


def test_patterns_are_shown_on_the_configured_strip(tmp_path):
    pty = PtyChip()
    config = tmp_path / "table.toml"
    config.write_text(f'[lights]\ndriver = "chip"\nport = "{pty.port}"\n')
    assert lights(["colours", "--config", str(config), "--seconds", "0.5"]) == 0
    reds = [frame for _, frame in pty.desk.frames if frame[1] > 40]
    pty.close()
    assert reds and all(frame[0] == frame[2] == 0 for frame in reds)


def test_a_strip_that_does_not_answer_is_told(tmp_path):
    config = tmp_path / "table.toml"
    config.write_text('[lights]\ndriver = "chip"\nport = "/dev/no-such-port"\n')
    with pytest.raises(DeviceError, match="no-such-port cannot be opened"):
        lights(["chase", "--config", str(config), "--seconds", "0.1"])


# Blink-to-map -----------------------------------------------------------------------------------------


class VirtualCamera:
    """Sees a strip at an angle in a dim room, with noise; some LEDs are dead."""

    def __init__(self, led_map: ledmap.LedMap, dead: set[int], seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._leds, self._dead = led_map.leds, dead
        self._frame = bytes(led_map.size)
        corners = np.float32([[-40, -40], [460, -40], [460, 460], [-40, 460]])
        seen = np.float32([[170, 40], [790, 60], [900, 700], [60, 680]])
        self.to_pixels = cv2.getPerspectiveTransform(corners, seen)
        paper = np.full((1000, 1000), 90, np.uint8)
        markers = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
        for marker in MARKED.markers:
            x, y = round(2 * (marker.x + 40)), round(2 * (marker.y + 40))
            paper[y - 8 : y + 56, x - 8 : x + 56] = 230
            paper[y : y + 48, x : x + 48] = cv2.aruco.generateImageMarker(markers, marker.id, 48)
        to_mm = np.array([[0.5, 0, -40], [0, 0.5, -40], [0, 0, 1.0]])
        self._room = cv2.warpPerspective(paper, self.to_pixels @ to_mm, (960, 720)).astype(np.float32)
        self._noise = self._rng.normal(0, 3, (3, 720, 960)).astype(np.float32)

    def show(self, frame: bytes) -> None:
        self._frame = frame

    def grab(self) -> np.ndarray:
        picture = self._room + self._noise[self._rng.integers(3)]
        for i, led in enumerate(self._leds):
            level = max(self._frame[3 * i : 3 * i + 3])
            if level and i not in self._dead:
                x, y, w = self.to_pixels @ np.array([led.x, led.y, 1.0])
                rows, columns = np.mgrid[int(y / w) - 15 : int(y / w) + 16, int(x / w) - 15 : int(x / w) + 16]
                away = (rows - y / w) ** 2 + (columns - x / w) ** 2
                picture[rows, columns] += 0.8 * level * np.exp(-away / 40)
        return np.repeat(picture.clip(0, 255).astype(np.uint8)[..., None], 3, axis=2)


@pytest.mark.slow
@pytest.mark.parametrize("builder", [ledmap.cells, partial(ledmap.around, pitch_mm=40)])
def test_a_camera_finds_every_led_and_its_cell(builder):
    truth = builder(MARKED)
    dead = {5, 17}
    camera = VirtualCamera(truth, dead, seed=3)
    to_board = homography(camera.grab(), MARKED)
    found = find_map(StripSpec(len(truth.leds)), 2000, MARKED, camera.show, camera.grab, to_board)
    assert set(found.missing) == dead
    assert "Not seen: 5, 17" in found.words()
    for i, (led, real) in enumerate(zip(found.led_map.leds, truth.leds, strict=True)):
        if i not in dead:
            assert np.hypot(led.x - real.x, led.y - real.y) < 4
            assert led.cells[-1] == real.cells[-1]


def test_without_markers_the_camera_says_what_to_do():
    with pytest.raises(DeviceError, match="does not see the board's markers"):
        homography(np.zeros((480, 640, 3), np.uint8), MARKED)


# Flashing ---------------------------------------------------------------------------------------------


class Pico:
    """A Pico with MicroPython's raw REPL; its files are in memory. `runs` is our firmware: deaf to Ctrl-C."""

    def __init__(self, runs: bool = False, platform: str = "rp2") -> None:
        self.files: dict[str, bytes] = {}
        self.runs, self.was_reset = runs, False
        self._out, self._code = b"", b""
        stat = SimpleNamespace(stat=lambda name: [0] * 6 + [len(self.files[name])])
        names = SimpleNamespace(implementation=SimpleNamespace(name="micropython"), platform=platform)
        modules = {"os": stat, "sys": names, "machine": SimpleNamespace(reset=self._reset)}
        own = {"open": self._open, "__import__": lambda name, *_: modules[name]}
        self._names: dict[str, object] = {"__builtins__": {**vars(builtins), **own}}

    def _reset(self) -> None:
        self.was_reset = True

    def _open(self, name: str, mode: str) -> io.BytesIO:
        files = self.files

        class File(io.BytesIO):
            def close(self) -> None:
                files[name] = self.getvalue()

        return File()

    def write(self, data: bytes) -> None:
        if self.runs:
            for kind, _, _ in wire.Decoder().feed(data):
                self.runs = kind != wire.REPL
            return
        for byte in data:
            if byte == 1:
                self._out += b"raw REPL; CTRL-B to exit\r\n>"
                self._code = b""
            elif byte == 4:
                self._run()
            elif byte != 3:
                self._code += bytes((byte,))

    def _run(self) -> None:
        code, self._code = self._code.decode().lstrip("\r"), b""
        printed, error = io.StringIO(), b""
        try:
            with contextlib.redirect_stdout(printed):
                exec(code, self._names)
        except Exception as problem:  # whatever the code does, the REPL prints it
            error = f"Traceback:\r\n{problem!r}\r\n".encode()
        self._out += b"OK" + printed.getvalue().encode() + b"\x04" + error + b"\x04>"

    def read(self) -> bytes:
        out, self._out = self._out, b""
        return out

    def close(self) -> None:
        return


@pytest.mark.parametrize("runs", [False, True])
def test_the_firmware_arrives_whole_on_a_pico_new_or_running(runs):
    pico = Pico(runs)
    install(Repl(lambda: pico, FakeClock()), lambda line: None)
    assert pico.files == {name: path.read_bytes() for name, path in files().items()}
    assert list(pico.files)[-1] == "main.py"
    assert pico.was_reset


def test_another_board_is_refused():
    with pytest.raises(DeviceError, match="this is micropython esp32, not MicroPython on a Pico"):
        install(Repl(lambda: Pico(platform="esp32"), FakeClock()), print)


def test_a_pico_without_micropython_is_explained():
    class Dumb(Pico):
        def write(self, data: bytes) -> None:
            return

    with pytest.raises(DeviceError, match="hold BOOTSEL while plugging it in"):
        Repl(lambda: Dumb(), FakeClock())


def test_flash_lists_what_it_would_copy(capsys):
    assert flash(["--list"]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in ("main.py", "wire.py", "leds.py", "sensors.py", "effects.py"))


def test_flash_without_a_pico_is_one_clear_sentence():
    with pytest.raises(DeviceError, match="/dev/no-such-port cannot be opened"):
        flash(["--port", "/dev/no-such-port"])
