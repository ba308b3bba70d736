"""Runs our drivers over the real files of a Pi's libraries, in a process of its own; prints what came out.

Only the lowest layer is pretended: what the kernel tells of the machine, the C extension that drives pins,
the bus, and libcamera.
"""

from __future__ import annotations

import builtins
import io
import json
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

CPU = "Hardware\t: BCM2835\nRevision\t: c03115\nModel\t\t: Raspberry Pi 4 Model B Rev 1.5\n"
WHOLE = (0, 0, 4608, 2592)
MODES = {(1536, 864): (768, 432, 3072, 1728), (2304, 1296): WHOLE, (4608, 2592): WHOLE}
"""What a Camera 3 offers: the sizes of its pictures, and which part of the sensor each of them shows."""


def be_a_pi() -> None:
    """The kernel's words of a Raspberry Pi 4."""
    opened, globbed = builtins.open, Path.glob

    def open_(path: Any, *more: Any, **named: Any) -> Any:
        return io.StringIO(CPU) if str(path) == "/proc/cpuinfo" else opened(path, *more, **named)

    def glob(self: Path, pattern: str, **named: Any) -> Any:
        is_chip = str(self) == "/dev" and pattern == "gpiochip*"
        return iter([Path("/dev/gpiochip0")]) if is_chip else globbed(self, pattern, **named)

    builtins.open = io.open = open_  # type: ignore[assignment]
    Path.glob = glob  # type: ignore[method-assign, assignment]


def neopixel(frames: int) -> Any:
    """Frames through Blinka and neopixel to the C side."""
    be_a_pi()
    import _rpi_ws281x as ws

    from hardware.neopixel import NeoPixelStrip

    strip = NeoPixelStrip("D10", 4, "GRB")
    for number in range(frames):
        strip.show(bytes([number, 2, 3] * 4))
    shown = {"inits": ws.calls.count("init"), "last": ws.calls[-1], "words": strip.status.words}
    strip.close()
    return {**shown, "dark": ws.calls[-1], "all_inits": ws.calls.count("init")}


def ws281x() -> Any:
    """The C side that we pretend, driven by rpi_ws281x's own Python side."""
    import _rpi_ws281x as ws
    from rpi_ws281x import Color, PixelStrip

    strip = PixelStrip(3, 18)
    strip.begin()
    strip.setPixelColor(1, Color(1, 2, 3))
    strip.show()
    return ws.calls


def pins() -> Any:
    """What gpiozero on the pins of a Pi tells of buttons, a knob, a chain of switches and a beam."""
    be_a_pi()
    import lgpio

    from hardware.buttons import GpioButtons
    from hardware.fakes import FakeClock
    from hardware.switches import ChainPins, GpioSensors

    clock, chain, closed = FakeClock(), ChainPins(5, 6, 13, 19), {2, 11}
    held: list[int] = []

    def shift(pin: int, level: int) -> None:
        """74HC165 chips: load takes the inputs, each rising clock moves them on."""
        if pin == chain.load and not level:
            held[:] = [int(number not in closed) for number in range(16)]
        elif pin == chain.clock and level:
            held[:] = [*held[1:], 1]
        if held:
            lgpio.drive(chain.data, held[0])

    lgpio.wrote.append(shift)
    buttons = GpioButtons({"undo": 27, "next": 22}, clock, (20, 21))
    sensors = GpioSensors(16, chain, clock)

    def wait(seconds: float = 0.1) -> tuple[list[str], list[tuple[int, bool]]]:
        clock.sleep(seconds)
        told = [one for _ in range(3) for one in (clock.sleep(0.03), *sensors.sensed()) if one is not None]
        return [press.name for press in buttons.presses()], [one[:2] for one in told]

    seen = [wait()]
    lgpio.drive(27, 0)
    lgpio.drive(chain.beam, 0)
    closed.discard(2)
    seen.append(wait())
    lgpio.drive(27, 1)
    lgpio.drive(chain.beam, 1)
    for pin, level in ((20, 0), (21, 0), (20, 1), (21, 1)):
        lgpio.drive(pin, level)
    seen.append(wait())
    buttons.close()
    sensors.close()
    return seen


def spi(frame: bytes) -> Any:
    """The wave of a frame by neopixel_spi and by our own driver: for each bit how long it is high, in ns."""
    be_a_pi()
    import neopixel_spi

    from hardware.spi import SpiStrip

    class Bus:
        def __init__(self) -> None:
            self.sent: list[tuple[int, bytes]] = []
            self.frequency = self.max_speed_hz = 0

        def try_lock(self) -> bool:
            return True

        def unlock(self) -> None:
            pass

        def configure(self, baudrate: int, **more: Any) -> None:
            self.frequency = baudrate

        def write(self, data: bytes) -> None:
            self.sent.append((self.frequency, bytes(data)))

        def writebytes2(self, data: bytes) -> None:
            self.sent.append((self.max_speed_hz, bytes(data)))

    theirs, ours = Bus(), Bus()
    pixels = neopixel_spi.NeoPixel_SPI(theirs, len(frame) // 3, auto_write=False, pixel_order="RGB")
    for i in range(len(frame) // 3):
        pixels[i] = tuple(frame[3 * i : 3 * i + 3])
    pixels.show()
    SpiStrip(ours, len(frame), 1 << 16).show(frame)
    return [_highs(bus.sent[-1]) for bus in (theirs, ours)]


def _highs(sent: tuple[int, bytes]) -> list[int]:
    hertz, stream = sent
    bits = "".join(f"{byte:08b}" for byte in stream)
    return [round(len(part) * 1e9 / hertz) for part in bits.split("0") if part]


class _Absent(MetaPathFinder, Loader):
    """Whatever picamera2 loads that is not here: libcamera, and what it records films with."""

    NAMES = (
        *("libcamera", "simplejpeg", "videodev2", "prctl", "piexif", "jsonschema", "av", "OpenGL", "pidng"),
        *("PIL", "pykms", "kms", "PyQt5", "PyQt6", "OpenEXR"),
    )

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        return ModuleSpec(name, self, is_package=True) if name.split(".")[0] in self.NAMES else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = MagicMock(name=spec.name)
        module.__spec__, module.__path__, module.__all__ = spec, [], []
        module.Rectangle, module.Size = type("Rectangle", (), {}), type("Size", (), {})
        return module

    def exec_module(self, module: ModuleType) -> None:
        pass


class _ForOlderNumpy(_Absent):
    """The system's simplejpeg, made for numpy 1."""

    def exec_module(self, module: ModuleType) -> None:
        if module.__name__ == "simplejpeg":
            raise ValueError("numpy.dtype size changed, may indicate binary incompatibility")


def camera(kind: str) -> Any:
    """What is said of a Pi without a camera or with a simplejpeg too old; what is asked of a Camera 3."""
    from vision.camera import SETTLED, Live, PiCamera

    now = [0.0]
    live = Live(lambda: PiCamera((1920, 1080)), "the Pi camera", clock=lambda: now[0])
    if kind == "old simplejpeg":
        sys.meta_path.append(_ForOlderNumpy())
        return {"frame": live.pump(), "words": live.trouble}
    sys.meta_path.append(_Absent())
    import picamera2
    import picamera2.picamera2 as library

    asked: dict[str, Any] = {"controls": []}

    class Camera3(library.Picamera2):  # type: ignore[misc]
        """The real class from the configuration on; libcamera behind it is pretended."""

        def __init__(self) -> None:
            self._reset_flags()
            self.camera, self.is_open, self._preview = MagicMock(), False, None
            self.camera_properties_ = {"Model": "imx708", "ColorFilterArrangement": 0}
            self.sensor_format = "SBGGR10_CSI2P"
            self._raw_stream_ignore_list = ["bit_depth", "crop_limits", "exposure_limits", "fps", "unpacked"]
            self.camera_ctrl_info = {
                "AfMode": (MagicMock(), MagicMock(min=0, max=3, default=0)),
                "FrameDurationLimits": (MagicMock(), MagicMock(min=1, max=9, default=5)),
            }
            self.sensor_modes_ = [
                {"size": size, "bit_depth": 10, "crop_limits": crop} for size, crop in MODES.items()
            ]

        def configure(self, config: Any = "preview") -> None:
            asked["size"] = config["main"]["size"]
            asked["sensor"] = config["sensor"]

        def start(self, *more: Any, **named: Any) -> None:
            pass

        def set_controls(self, wanted: Any) -> None:
            asked["controls"].append(wanted)

        def capture_request(self, *more: Any, **named: Any) -> Any:
            request = MagicMock()
            request.make_array.return_value = [[[1, 2, 3]]]
            request.get_metadata.return_value = {"LensPosition": 1.7, "SensorTimestamp": 5_000_000_000}
            return request

    if kind == "none":
        library.Picamera2._cm.cms.cameras = []
        found = {"frame": live.pump(), "words": live.trouble}
        picamera2.Picamera2 = Camera3  # somebody plugs it in
        now[0] += Live.REOPEN_S
        return {**found, "later": live.pump(), "words_later": live.trouble}

    picamera2.Picamera2 = Camera3
    device = PiCamera((1920, 1080))
    for _ in range(SETTLED):
        device.grab()
    return asked


def main() -> None:
    name, given = sys.argv[1], json.loads(sys.argv[2])
    runs = {"neopixel": neopixel, "ws281x": ws281x, "pins": pins, "camera": camera}
    runs["spi"] = lambda given: spi(bytes(given))
    print(json.dumps(runs[name](*given)))


if __name__ == "__main__":
    main()
