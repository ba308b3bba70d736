"""A plain camera for blink-to-map: each picture is taken after it was asked for."""

from __future__ import annotations

import os

import cv2
import numpy as np

from companion.engine.errors import DeviceError
from hardware.arrays import Photo

STALE = 3
"""Pictures that a USB camera may hold back: they are thrown away."""


class BlinkCamera:
    """A camera by its number, or a film or stream by its name."""

    def __init__(self, name: str) -> None:
        if name == "pi":
            raise DeviceError("the Pi camera maps LEDs in the workshop:  gloam run,  then /workshop, LED map")
        if name.startswith("/dev/"):
            name = os.path.realpath(name).removeprefix("/dev/video")
        self._capture = cv2.VideoCapture(int(name) if name.isdigit() else name)
        if not self._capture.isOpened():
            raise DeviceError(
                f"camera {name!r} cannot be opened; is it plugged in, and does nobody else use it?"
            )
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._stale = STALE if name.isdigit() else 0

    def grab(self) -> Photo:
        """Takes a picture now."""
        for _ in range(self._stale):
            self._capture.grab()
        is_there, picture = self._capture.read()
        if not is_there:
            raise DeviceError("the camera gives no pictures any more")
        return np.asarray(picture)

    def close(self) -> None:
        self._capture.release()
