"""Files of packages that only a Raspberry Pi can use, taken from PyPI into a folder that git does not see."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from hardware.flasher import FIRMWARE

FOLDER = FIRMWARE.parent / "build" / "pypi"
PACKAGES = (
    "adafruit-blinka==10.0.0",
    "adafruit-platformdetect==3.89.1",
    "adafruit-circuitpython-neopixel==6.4.2",
    "adafruit-circuitpython-neopixel-spi==1.0.16",
    "adafruit-circuitpython-pixelbuf==2.1.0",
    "adafruit-circuitpython-busdevice==5.2.16",
    "adafruit-circuitpython-typing==1.13.0",
    "picamera2==0.3.38",
)
SOURCES = ("rpi_ws281x==5.0.0",)
"""Packages without a wheel: only their Python files are used."""


@cache
def pi_libraries() -> Path:
    """The folder of the packages, fetched on first use; fails with a sentence where that cannot be."""
    found = FOLDER / "libraries"
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:  # another process of the suite may be fetching
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not found.exists():
            _fetch(FOLDER / "files")
            _unpack(FOLDER / "files", FOLDER / "unpacked")
            (FOLDER / "unpacked").rename(found)
    return found


def _fetch(into: Path) -> None:
    for packages, how in ((PACKAGES, ["--only-binary=:all:"]), (SOURCES, ["--no-binary=:all:"])):
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *how, "-d", str(into)]
        # Without building: an sdist is only unpacked.
        result = subprocess.run(
            [*command, "--no-build-isolation", *packages], capture_output=True, text=True, check=False
        )
        assert result.returncode == 0, (
            f"pip could not fetch {', '.join(packages)}: is there a network?\n{result.stderr[-800:]}"
        )


def _unpack(files: Path, into: Path) -> None:
    shutil.rmtree(into, ignore_errors=True)
    for path in files.iterdir():
        if path.suffix == ".whl":
            shutil.unpack_archive(path, into, "zip")
        else:
            shutil.unpack_archive(path, into / "sources")
            for package in (into / "sources").glob("rpi_ws281x-*/rpi_ws281x"):
                shutil.copytree(package, into / "rpi_ws281x", dirs_exist_ok=True)
