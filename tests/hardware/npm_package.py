"""Packages that tests take from npm by name, into a folder that git does not see."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
from functools import cache
from pathlib import Path

from hardware.flasher import FIRMWARE

FOLDER = FIRMWARE.parent / "build" / "npm"


@cache
def npm(package: str, version: str, file: str) -> Path:
    """A file of a package, installed on first use; fails with a sentence where that cannot be."""
    found = FOLDER / "node_modules" / package / file
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:  # another process of the suite may be installing
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not found.exists():
            _install(f"{package}@{version}")
    assert found.exists(), f"npm installed {package} without {file}"
    return found


def _install(package: str) -> None:
    program = shutil.which("npm")
    assert program and shutil.which("node"), "These tests need node and npm:  sudo apt-get install nodejs npm"
    command = [program, "install", "--no-audit", "--no-fund", "--prefix", str(FOLDER), package]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, (
        f"npm could not install {package}: is there a network?\n{result.stderr[-800:]}"
    )
