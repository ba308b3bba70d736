"""Where pictures come from: one port for USB and Pi cameras, streams, videos, folders and the virtual table.

`open_camera` makes a camera from a short text. A live camera keeps only its newest frame, comes back by
itself after it was unplugged, and says what is wrong in a sentence for people.
"""

from __future__ import annotations

import logging
import os
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPException
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast
from urllib.request import urlopen

import cv2
import numpy as np

from companion.engine.errors import ConfigError, DeviceError
from vision.images import Image

Clock = Callable[[], float]
log = logging.getLogger(__name__)

PICTURES = (".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff")
VIDEOS = (".mp4", ".avi", ".mkv", ".mov", ".webm", ".mjpeg", ".mjpg")


class Frame(NamedTuple):
    """One picture: blue, green, red; when it was taken; its number, counting up."""

    image: Image
    time_s: float
    number: int


class Camera(Protocol):
    """Gives the newest frame."""

    def read(self, after_s: float = float("-inf")) -> Frame | None:
        """Waits for a frame that was not given before and was taken after a time, and returns it.

        None when the pictures of a file are over. Raises `DeviceError` when there is no frame to be had;
        asking again later is right.
        """

    def close(self) -> None:
        """Lets go of the device."""


def open_camera(spec: str, size: tuple[int, int] = (1280, 720), *, lock: bool = False) -> Camera:
    """Opens `usb:0`, `/dev/…`, `pi`, `http://…` (MJPEG), a video, a picture or a folder of pictures.

    The names in `/dev/v4l/by-id` stay the same when cameras are replugged. `lock` holds exposure and white
    balance of USB and Pi cameras as they are after `SETTLED` pictures.
    """
    if spec.startswith(("http://", "https://")):
        return Live(lambda: Mjpeg(spec), spec, size).start()
    if spec == "pi":
        return Live(lambda: PiCamera(size, lock), "the Pi camera", size).start()
    if spec.startswith(("usb:", "/dev/")):
        device = spec.replace("usb:", "/dev/video", 1)
        is_numbered = device.removeprefix("/dev/video").isdigit()
        if not is_numbered and not device.startswith("/dev/v4l/"):
            raise ConfigError(
                f"camera {spec!r}: expected usb:0, usb:1, …, /dev/video0, … or a name in /dev/v4l/by-id"
            )
        return Live(lambda: Usb(device, size, lock), f"camera {spec}", size).start()
    path = Path(spec)
    if path.is_dir():
        return Folder(path)
    if path.is_file():
        return Video(path) if path.suffix.lower() in VIDEOS else Folder(path)
    raise ConfigError(
        f"camera {spec!r}: no such file or folder; cameras are usb:0, /dev/video0, pi and http://…, "
        f"pictures come from a video file, a picture or a folder of pictures"
    )


def load_picture(path: Path | str) -> Image:
    """Loads a picture, upright as the camera meant it; raises `DeviceError` when it cannot be read."""
    try:
        content = np.frombuffer(Path(path).read_bytes(), np.uint8)
    except OSError as error:
        raise DeviceError(f"{path}: {error.strerror or error}") from error
    image = _decoded(content)
    if image is None:
        raise DeviceError(f"{path}: this file is no picture, or is damaged; take another photograph.")
    return image


def _decoded(content: Image) -> Image | None:
    try:
        image = cv2.imdecode(content, cv2.IMREAD_COLOR) if len(content) else None
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, np.uint8)


# Files -----------------------------------------------------------------------------------------------


class Folder:
    """The pictures of a folder in the order of their names, or one picture; a second apart."""

    def __init__(self, path: Path) -> None:
        names = sorted(p for p in path.iterdir() if p.suffix.lower() in PICTURES) if path.is_dir() else [path]
        if not names:
            raise DeviceError(f"{path}: no pictures there; known are {', '.join(PICTURES)}")
        self._names = names
        self.number = -1

    @property
    def name(self) -> str:
        """The picture that was read last."""
        return self._names[max(self.number, 0)].name

    def read(self, after_s: float = float("-inf")) -> Frame | None:
        """Reads the next picture; a damaged one raises `DeviceError` once and is passed over."""
        if self.number + 1 >= len(self._names):
            return None
        self.number += 1
        return Frame(load_picture(self._names[self.number]), float(self.number), self.number)

    def close(self) -> None:
        self.number = len(self._names)


class Video:
    """A video file, frame by frame, with the times of the recording."""

    def __init__(self, path: Path) -> None:
        self._capture = cv2.VideoCapture(str(path))
        self._path = path
        self._number = -1
        if not self._capture.isOpened():
            raise DeviceError(f"{path}: this file is no video, or is damaged.")

    def read(self, after_s: float = float("-inf")) -> Frame | None:
        while True:
            time_s = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            good, image = self._capture.read()
            if not good:
                return None
            self._number += 1
            if time_s > after_s:
                return Frame(np.asarray(image, np.uint8), time_s, self._number)

    def close(self) -> None:
        self._capture.release()


class Virtual:
    """Any function that makes pictures, as the virtual table does."""

    def __init__(self, render: Callable[[], Image], clock: Clock = time.monotonic) -> None:
        self._render = render
        self._clock = clock
        self._numbers = count()

    def read(self, after_s: float = float("-inf")) -> Frame | None:
        return Frame(self._render(), self._clock(), next(self._numbers))

    def close(self) -> None:
        pass


# Devices -----------------------------------------------------------------------------------------------


class Device(Protocol):
    """An open device; anything that it raises as an `OSError` means that it is gone."""

    def grab(self) -> tuple[Image, float | None] | None:
        """Waits for the next picture and the time it was taken, if known; None when it failed."""

    def close(self) -> None:
        """Lets go of it."""


FOCUS_HELD, FOCUS_ALWAYS = 0, 2
"""libcamera's AfModeEnum: by hand, and all the time."""
SETTLED = 60
"""The number of pictures, about two seconds of them, after which a camera has found its exposure."""


class Usb:
    """A USB camera; the buffer of the driver is kept short, or pictures would be old."""

    def __init__(self, device: str, size: tuple[int, int], lock: bool = False) -> None:
        self._until_lock = SETTLED if lock else -1
        # A name in /dev/v4l/by-id points to another number after every replugging.
        number = os.path.realpath(device).removeprefix("/dev/video")
        capture = cv2.VideoCapture(int(number)) if number.isdigit() else None
        if capture is None or not capture.isOpened():
            raise DeviceError(f"no camera answers at {device}: plug it in, or choose another one")
        self._capture = capture
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def grab(self) -> tuple[Image, float | None] | None:
        good, image = self._capture.read()
        self._until_lock -= 1
        if self._until_lock == 0:
            self._hold()
        return (np.asarray(image, np.uint8), None) if good else None

    def _hold(self) -> None:
        """Keeps what the camera has found; 1 means "by hand" to the drivers of Linux."""
        exposure = self._capture.get(cv2.CAP_PROP_EXPOSURE)
        self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, 1)
        self._capture.set(cv2.CAP_PROP_EXPOSURE, exposure)
        self._capture.set(cv2.CAP_PROP_AUTO_WB, 0)

    def close(self) -> None:
        self._capture.release()


class PiCamera:
    """The Raspberry Pi's own camera, by the system's picamera2."""

    def __init__(self, size: tuple[int, int], lock: bool = False) -> None:
        self._pictures, self._is_locked = 0, lock
        try:
            picamera2 = import_module("picamera2")
        except ImportError as error:
            raise DeviceError(
                "the Pi camera needs picamera2: sudo apt install python3-picamera2, and a virtual "
                "environment made with --system-site-packages"
            ) from error
        except ValueError as error:  # the system's simplejpeg was made for an older numpy than ours
            raise DeviceError(
                f"picamera2 cannot be loaded ({error}); .venv/bin/pip install --upgrade simplejpeg"
            ) from error
        try:
            self._camera: Any = picamera2.Picamera2()
        except (IndexError, RuntimeError) as error:  # as older and newer releases say it
            raise DeviceError(
                f"there is no Pi camera ({error}): switch the Pi off, push its cable in, and see what "
                f"rpicam-hello --list-cameras  says"
            ) from error
        try:
            self._start(size)
        except BaseException:
            self._camera.close()
            raise

    def _start(self, size: tuple[int, int]) -> None:
        """Takes pictures of the whole field of the sensor: left alone, picamera2 prefers a cropped mode."""
        camera = self._camera
        mode = full_field(camera.sensor_modes, size)
        sensor = {}
        if mode is not None:
            sensor = {"output_size": mode["size"], "bit_depth": mode["bit_depth"]}
            _, _, wide, high = mode["crop_limits"]
            size = size[0], round(size[0] * high / wide / 2) * 2
        # In picamera2 "RGB888" means blue first in memory, which is what OpenCV wants.
        camera.configure(
            camera.create_video_configuration(
                main={"size": size, "format": "RGB888"}, sensor=sensor, buffer_count=2
            )
        )
        self._has_focus = "AfMode" in camera.camera_controls
        camera.start()
        if self._has_focus:
            camera.set_controls({"AfMode": FOCUS_ALWAYS})

    def grab(self) -> tuple[Image, float | None] | None:
        request = self._camera.capture_request()
        try:
            image = np.asarray(request.make_array("main"), np.uint8)
            facts = request.get_metadata()
        finally:
            request.release()
        self._pictures += 1
        if self._pictures == SETTLED:
            self._hold(facts)
        taken = facts.get("SensorTimestamp")
        return image, None if taken is None else taken / 1e9

    def _hold(self, facts: dict[str, Any]) -> None:
        """Keeps the focus that was found, for a table does not move; exposure and white where wanted."""
        held: dict[str, Any] = {}
        if self._has_focus and "LensPosition" in facts:
            held |= {"AfMode": FOCUS_HELD, "LensPosition": facts["LensPosition"]}
        if self._is_locked:
            names = ("ExposureTime", "AnalogueGain", "ColourGains")
            held |= {"AeEnable": False, "AwbEnable": False}
            held |= {name: facts[name] for name in names if name in facts}
        if held:
            self._camera.set_controls(held)

    def close(self) -> None:
        self._camera.stop()
        self._camera.close()


def full_field(modes: list[dict[str, Any]], size: tuple[int, int]) -> dict[str, Any] | None:
    """The sensor mode that sees most, of those the smallest that is large enough; None where none is told."""

    def area(mode: dict[str, Any]) -> int:
        return int(mode["crop_limits"][2]) * int(mode["crop_limits"][3])

    known = [mode for mode in modes if "crop_limits" in mode]
    whole = [mode for mode in known if area(mode) >= 0.98 * max(map(area, known))]
    enough = [mode for mode in whole if mode["size"][0] >= size[0] and mode["size"][1] >= size[1]]
    return min(
        enough or whole[-1:],
        key=lambda mode: (mode["size"][0] * mode["size"][1], mode["bit_depth"]),
        default=None,
    )


class Mjpeg:
    """Motion JPEG over HTTP, as network cameras and phones send it."""

    LARGEST = 20_000_000

    def __init__(self, address: str, timeout_s: float = 5.0) -> None:
        self._stream = urlopen(address, timeout=timeout_s)
        self._pictures = self._split()

    def _split(self) -> Iterator[Image | None]:
        """Cuts the stream at the marks that begin and end a JPEG picture."""
        waiting = b""
        while chunk := self._stream.read1(65536):
            waiting += chunk
            while (end := waiting.find(b"\xff\xd9")) >= 0:
                begin = waiting.find(b"\xff\xd8", 0, end)
                if begin >= 0:
                    yield _decoded(np.frombuffer(waiting[begin : end + 2], np.uint8))
                waiting = waiting[end + 2 :]
            if len(waiting) > self.LARGEST:
                raise DeviceError("the stream holds no JPEG pictures: is this an MJPEG address?")

    def grab(self) -> tuple[Image, float | None] | None:
        try:
            image = next(self._pictures, None)
        except HTTPException as error:
            raise DeviceError(f"the stream broke off: {error!r}") from error
        return None if image is None else (image, None)

    def close(self) -> None:
        self._stream.close()


class Live:
    """A device that is read all the time, so that its newest frame is at hand, and that comes back when lost.

    `trouble` says what is wrong now, or nothing; `note` says what works but not as it should.
    """

    REOPEN_S = 1.0
    """How long to wait before a lost device is opened again."""
    FROZEN_S = 3.0
    """A sensor has noise: a picture that stays identical for this long means that the camera hangs."""

    def __init__(
        self,
        open_device: Callable[[], Device],
        name: str,
        size: tuple[int, int] | None = None,
        clock: Clock = time.monotonic,
        patience_s: float = 3.0,
    ) -> None:
        self.name = name
        self.trouble = ""
        self.note = ""
        self._open = open_device
        self._size = size
        self._clock = clock
        self._patience_s = patience_s
        self._device: Device | None = None
        self._tried_s = float("-inf")
        self._newest: Frame | None = None
        self._given = -1
        self._print, self._changed_s = -1, 0.0
        self._ready = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    def start(self) -> Live:
        """Reads in the background from now on."""
        self._thread = threading.Thread(target=self._run, name=f"gloam {self.name}", daemon=True)
        self._thread.start()
        return self

    def _run(self) -> None:
        while not self._closed:
            if not self.pump():
                time.sleep(0.05)
        self._drop()

    def pump(self) -> bool:
        """Reads one frame, or tries to open the device; says whether there was a frame."""
        now = self._clock()
        if self._device is None and not self._reopen(now):
            return False
        try:
            got = cast(Device, self._device).grab()
        except Exception as error:  # a camera's library may fail in any way, and comes back all the same
            words = str(error) or type(error).__name__
            return self._lose(f"{self.name} broke off: {words}. Check its cable; play goes on by tapping.")
        if got is None:
            return self._lose(f"{self.name} sends no picture. Check its cable; play goes on by tapping.")
        image, taken_s = got
        if self._is_frozen(image, now):
            return self._lose(f"{self.name} hangs: it sends the same picture again and again. Replug it.")
        self._keep(image, now if taken_s is None else taken_s)
        return True

    def _reopen(self, now: float) -> bool:
        if now - self._tried_s < self.REOPEN_S:
            return False
        self._tried_s = now
        try:
            self._device = self._open()
        except Exception as error:  # a camera's library may fail in any way, and is asked again
            words = str(error) if isinstance(error, OSError) else f"{type(error).__name__}: {error}"
            return self._lose(f"{self.name}: {words}")
        return True

    def _lose(self, sentence: str) -> bool:
        if sentence != self.trouble:
            log.warning("%s", sentence)
        self.trouble = sentence
        self._drop()
        return False

    def _drop(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            try:
                device.close()
            except Exception as error:  # it is gone in any case
                log.info("%s: closing: %s", self.name, error)

    def _is_frozen(self, image: Image, now: float) -> bool:
        fingerprint = zlib.crc32(image[::7, ::5].tobytes())
        if fingerprint != self._print:
            self._print, self._changed_s = fingerprint, now
        return now - self._changed_s >= self.FROZEN_S

    def _keep(self, image: Image, time_s: float) -> None:
        if self.trouble:
            log.warning("%s is back", self.name)
        self.trouble = ""
        height, width = image.shape[:2]
        self.note = ""
        if self._size is not None and (width < self._size[0] or height < self._size[1]):
            self.note = (
                f"{self.name} gives {width}×{height} instead of {self._size[0]}×{self._size[1]}: "
                f"small pieces may be hard to read. Choose a size that it can give."
            )
        with self._ready:
            number = 0 if self._newest is None else self._newest.number + 1
            self._newest = Frame(image, time_s, number)
            self._ready.notify_all()

    def read(self, after_s: float = float("-inf")) -> Frame | None:
        if self._thread is None:
            self.pump()
        with self._ready:
            waits = self._patience_s if self._thread is not None else 0
            if not self._ready.wait_for(lambda: self._is_fresh(after_s), waits):
                raise DeviceError(self.trouble or f"{self.name} sends no new picture. Check its cable.")
            frame = cast(Frame, self._newest)
            self._given = frame.number
            return frame

    def _is_fresh(self, after_s: float) -> bool:
        newest = self._newest
        if newest is None or self.trouble:
            return False
        return newest.number > self._given and newest.time_s > after_s

    def close(self) -> None:
        self._closed = True
        if self._thread is None:
            self._drop()
        else:
            self._thread.join(timeout=2.0)


def frames(camera: Camera) -> Iterator[Frame]:
    """All frames of a camera until its pictures are over; closes it then."""
    with closing(camera):
        while (frame := camera.read()) is not None:
            yield frame
