"""Our drivers over the real files of the libraries that a Pi has; only their lowest layer is pretended."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pypi_files import pi_libraries

from hardware.ports import BEAM

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def on_a_pi(name: str, *given: Any) -> Any:
    """Runs a part of `pi_machine` and returns what it prints."""
    paths = [HERE / "pi_stubs", pi_libraries(), ROOT]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))}
    command = [sys.executable, str(HERE / "pi_machine.py"), name, json.dumps(given)]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert result.returncode == 0, result.stderr[-2000:]
    return json.loads(result.stdout.splitlines()[-1])


@pytest.mark.slow
def test_sixty_frames_start_the_hardware_once() -> None:
    seen = on_a_pi("neopixel", 60)
    assert seen["inits"] == 1 and seen["words"] == ""
    assert seen["last"] == [59 << 16 | 2 << 8 | 3] * 4, "the bytes go out in the order of the strip"
    assert seen["all_inits"] == 1 and seen["dark"] in ([0] * 4, "fini")


@pytest.mark.slow
def test_what_we_pretend_of_the_c_side_satisfies_its_own_python_side() -> None:
    assert on_a_pi("ws281x")[:2] == ["init", [0, 1 << 16 | 2 << 8 | 3, 0]]


@pytest.mark.slow
def test_our_spi_makes_the_wave_of_neopixel_spi_and_of_the_data_sheet() -> None:
    frame = [0, 255, 0b10100101, 7, 128, 64]
    theirs, ours = on_a_pi("spi", frame)
    bits = [bit == "1" for byte in frame for bit in f"{byte:08b}"]
    assert len(ours) == len(theirs) == len(bits)
    for bit, high, wanted in zip(bits, ours, theirs, strict=True):
        assert abs(high - wanted) <= 1
        assert (580 <= high <= 1000) if bit else (220 <= high <= 380)


@pytest.mark.slow
def test_buttons_knob_switches_and_beam_are_heard_on_the_pins_of_a_pi() -> None:
    first, pressed, turned = on_a_pi("pins")
    assert first == [[], [[2, True], [11, True]]], "the switches that are closed at the start"
    assert pressed == [["undo"], [[BEAM, True], [2, False]]]
    assert turned == [["right"], [[BEAM, False]]]


@pytest.mark.slow
def test_a_pi_without_a_camera_is_said_in_words_and_asked_again() -> None:
    seen = on_a_pi("camera", "none")
    assert seen["frame"] is False
    assert "there is no Pi camera" in seen["words"] and "push its cable in" in seen["words"]
    assert seen["later"] is True and seen["words_later"] == "", "it was plugged in meanwhile"


@pytest.mark.slow
def test_a_simplejpeg_for_an_older_numpy_is_named_with_its_remedy() -> None:
    seen = on_a_pi("camera", "old simplejpeg")
    assert seen["frame"] is False
    assert "numpy.dtype size changed" in seen["words"] and "pip install --upgrade simplejpeg" in seen["words"]


@pytest.mark.slow
def test_the_whole_field_of_the_sensor_is_asked_for_and_the_focus_is_held() -> None:
    asked = on_a_pi("camera", "camera 3")
    assert asked["sensor"] == {"output_size": [2304, 1296], "bit_depth": 10}
    assert asked["size"] == [1920, 1080]
    assert asked["controls"] == [{"AfMode": 2}, {"AfMode": 0, "LensPosition": 1.7}]
