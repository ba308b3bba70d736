"""Tries camera and lights for `gloam doctor`: takes a picture, lights an LED, and says what was seen."""

from __future__ import annotations

from contextlib import closing

import cv2
import numpy as np

from companion.engine.errors import DeviceError
from companion.service.doctor import GOOD, NOTE
from companion.service.open_parts import PlainStrip, camera_source, real_camera
from companion.settings.config import Config
from hardware.clock import SystemClock
from hardware.ports import Clock
from hardware.wiring import settings_of
from vision.camera import Camera
from vision.images import Image
from vision.marker import DICTIONARY

PATIENCE_S = 8.0
"""How long a camera may take to give its first picture."""
WARM_UP = 12
"""Pictures that a camera throws away while it finds its exposure."""
DARK, BLURRED = 12.0, 15.0
"""A picture whose mean is below DARK is black; one whose edges are below BLURRED is out of focus."""
LIT = 12.0
"""By how much an LED must brighten a spot of the picture."""
LED_LEVEL = 120
HELLO_S = 1.5
"""How long a frame is shown: a microcontroller says hello first."""


class Trial:
    """The parts of a configuration, each opened for its own trial and let go of at once."""

    def __init__(self, config: Config, clock: Clock | None = None) -> None:
        self._config = config
        self._clock = clock or SystemClock()

    def take_picture(self) -> str:
        """Takes a picture and says its size, its light, its sharpness and the markers that are seen."""
        with closing(real_camera(self._config)) as camera:
            return describe(self._settled(camera))

    def light_led(self) -> tuple[str, str]:
        """Lights the first LED of the strip between two pictures."""
        with closing(PlainStrip(settings_of(self._config).lights, 1, self._clock)) as strip:
            lit = bytes([LED_LEVEL] * strip.size)
            if camera_source(self._config) in ("virtual", "none"):
                strip.show(lit, HELLO_S)
                return NOTE, "the first LED should shine white now; there is no camera to see it"
            with closing(real_camera(self._config)) as camera:
                strip.show(bytes(strip.size), HELLO_S)
                before = self._settled(camera)
                strip.show(lit, HELLO_S)
                return seen_light(before, self._settled(camera, 3))

    def _settled(self, camera: Camera, pictures: int = WARM_UP) -> Image:
        """A picture after the camera has found its exposure; raises the camera's words when none comes."""
        until, image, words = self._clock.now() + PATIENCE_S, None, ""
        while pictures and self._clock.now() < until:
            try:
                frame = camera.read()
            except DeviceError as error:
                words = str(error)
                self._clock.sleep(0.2)
                continue
            if frame is None:
                break
            image, pictures = frame.image, pictures - 1
        if image is None:
            raise DeviceError(words or "it gives no picture")
        return image


def describe(image: Image) -> str:
    """What a picture shows, in words: size, light, sharpness, markers."""
    height, width = image.shape[:2]
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    light = float(grey.mean())
    edges = float(cv2.Laplacian(grey, cv2.CV_64F).var())
    found = cv2.aruco.ArucoDetector(DICTIONARY).detectMarkers(image)[1]
    markers = 0 if found is None else len(found)
    words = [f"a picture of {width} × {height}"]
    if light < DARK:
        words.append("it is black: light the room, take the cap off")
    elif edges < BLURRED:
        words.append("it is not sharp: focus the lens")
    words.append(f"{markers} markers of a frame" if markers else "no marker of a frame is in it")
    return ", ".join(words)


def seen_light(before: Image, after: Image) -> tuple[str, str]:
    """What changed when an LED was lit, and where in the picture."""
    change = cv2.GaussianBlur(after, (0, 0), 2).astype(np.float32).max(-1)
    change -= cv2.GaussianBlur(before, (0, 0), 2).astype(np.float32).max(-1)
    change -= float(np.median(change))  # the camera's exposure may have moved
    row, column = np.unravel_index(int(change.argmax()), change.shape)
    if float(change.max()) < LIT:
        return NOTE, "the first LED was lit, the camera did not see it"
    return GOOD, f"the first LED was lit, the camera saw it at {int(column)}, {int(row)} of its picture"
