"""A camera's exposure can be held, so that the table's own lights do not change how the pieces look."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from vision.camera import SETTLED, PiCamera, Usb

PICTURE = np.zeros((4, 4, 3), np.uint8)


class Capture:
    """A driver's side of a USB camera."""

    def __init__(self, number: int) -> None:
        self.set_to: dict[int, float] = {}

    def isOpened(self) -> bool:
        return True

    def read(self) -> tuple[bool, Any]:
        return True, PICTURE

    def get(self, what: int) -> float:
        return 157.0 if what == cv2.CAP_PROP_EXPOSURE else 0.0

    def set(self, what: int, value: float) -> None:
        self.set_to[what] = value


@pytest.mark.parametrize("lock", [True, False])
def test_a_usb_camera_keeps_the_exposure_that_it_has_found(
    monkeypatch: pytest.MonkeyPatch, lock: bool
) -> None:
    monkeypatch.setattr(cv2, "VideoCapture", Capture)
    camera = Usb("/dev/video0", (1280, 720), lock)
    for _ in range(SETTLED - 1):
        camera.grab()
    assert cv2.CAP_PROP_EXPOSURE not in camera._capture.set_to
    camera.grab()
    held = {cv2.CAP_PROP_AUTO_EXPOSURE: 1, cv2.CAP_PROP_EXPOSURE: 157.0, cv2.CAP_PROP_AUTO_WB: 0}
    assert {what: value for what, value in camera._capture.set_to.items() if what in held} == (
        held if lock else {}
    )


class FakePicamera2:
    """The system's camera library, as far as it is used; its camera has no focus."""

    sensor_modes: tuple[Any, ...] = ()
    camera_controls: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.controls: dict[str, Any] = {}
        self.facts = {
            "SensorTimestamp": 5,
            "ExposureTime": 9000,
            "AnalogueGain": 2.0,
            "ColourGains": (1.5, 2.1),
        }

    def create_video_configuration(self, **wanted: Any) -> None:
        pass

    def configure(self, wanted: None) -> None:
        pass

    def start(self) -> None:
        pass

    def capture_request(self) -> Any:
        return SimpleNamespace(
            make_array=lambda name: PICTURE, get_metadata=lambda: self.facts, release=lambda: None
        )

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.controls = controls


def test_a_pi_camera_keeps_exposure_and_white_balance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=FakePicamera2))
    camera = PiCamera((1280, 720), lock=True)
    for _ in range(SETTLED):
        camera.grab()
    assert camera._camera.controls == {
        "AeEnable": False,
        "AwbEnable": False,
        "ExposureTime": 9000,
        "AnalogueGain": 2.0,
        "ColourGains": (1.5, 2.1),
    }
