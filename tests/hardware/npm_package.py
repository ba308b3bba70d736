"""Packages that tests take from npm by name, into a folder that git does not see."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path

from hardware.fakes import FIRMWARE

FOLDER = FIRMWARE.parent / "build" / "npm"


@cache
def npm(package: str, version: str, file: str) -> Path:
    """A file of a package, installed on first use; fails with a sentence where that cannot be."""
    found = FOLDER / "node_modules" / package / file
    if found.exists():
        return found
    program = shutil.which("npm")
    assert program and shutil.which("node"), "These tests need node and npm:  sudo apt-get install nodejs npm"
    FOLDER.mkdir(parents=True, exist_ok=True)
    command = [program, "install", "--no-audit", "--no-fund", "--prefix", str(FOLDER), f"{package}@{version}"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.exists(), f"npm could not install {package}: is there a network?\n{result.stderr[-800:]}"
    return found
