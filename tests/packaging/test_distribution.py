"""Wheel and source distribution, installed where there is no clone, do what a clone does."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tarfile
import urllib.request
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

import pytest

from companion import __version__

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
CHIP = """
import json
from hardware.chip import Chip, ChipSettings
from hardware.fakes import DeskChip, FakeClock
clock = FakeClock()
desk = DeskChip(clock)
chip = Chip(desk.open, ChipSettings(4), clock)
for _ in range(200):
    chip.show(bytes([9] * 12))
    clock.sleep(0.02)
desk.run()
print(json.dumps([chip.status.is_up, list(desk.frames[-1][1])]))
"""


class Built(NamedTuple):
    """The two files of a release."""

    sdist: Path
    wheel: Path


class Installed(NamedTuple):
    """An environment with nothing of ours but the distribution, and a folder to work in."""

    bin: Path
    folder: Path

    def run(self, *command: str) -> str:
        """Runs a command of the environment; returns what it printed."""
        done = subprocess.run(
            [self.bin / command[0], *command[1:]],
            cwd=self.folder,
            env=self.environ(),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def environ(self) -> dict[str, str]:
        own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return {**own, "HOME": str(self.folder), "GLOAM_DATA": str(self.folder / "data")}

    @contextmanager
    def serving(self, *command: str) -> Iterator[str]:
        """Serves a table; gives its address, and stops it as Ctrl+C does."""
        process = subprocess.Popen(
            [self.bin / "gloam", *command, "--host", "127.0.0.1", "--port", "0"],
            cwd=self.folder,
            env=self.environ(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        said = []
        try:
            assert process.stdout
            for line in process.stdout:
                said.append(line)
                if port := re.search(r"http://\S+:(\d+)/", line):
                    yield f"http://127.0.0.1:{port[1]}"
                    break
            else:
                raise AssertionError(f"it stopped and said: {''.join(said)}")
        finally:
            process.send_signal(signal.SIGINT)
            rest = process.communicate(timeout=120)[0]
        assert process.returncode == 0, "".join(said) + rest


def make_environment(folder: Path, distribution: Path) -> Path:
    """An environment that sees the packages we need, but neither our clone nor an installation of it."""
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))
    # A path in a .pth file is searched, but .pth files in it are not read: no editable installation is seen.
    (packages / "needed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-index", "--no-deps"]
    options = ["--no-build-isolation", "--force-reinstall", "--quiet", str(distribution)]
    subprocess.run([*install, *options], check=True, cwd=folder)
    return packages


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The release built from the files that git knows: first the source distribution, the wheel from that."""
    folder = tmp_path_factory.mktemp("release")
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.splitlines():
        if (ROOT / name).exists():
            (folder / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / "tree" / name, follow_symlinks=False)
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder / "dist"), "."],
        cwd=folder / "tree",
        check=True,
        capture_output=True,
    )
    (sdist,), (wheel,) = (folder / "dist").glob("*.tar.gz"), (folder / "dist").glob("*.whl")
    return Built(sdist, wheel)


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory):
    """The wheel, installed."""
    folder = tmp_path_factory.mktemp("installed")
    make_environment(folder / "venv", built.wheel)
    (folder / "elsewhere").mkdir()
    return Installed(folder / "venv" / "bin", folder / "elsewhere")


def test_neither_holds_a_symlink(built):
    with tarfile.open(built.sdist) as packed:
        assert [member.name for member in packed if member.issym() or member.islnk()] == []
    with ZipFile(built.wheel) as packed:
        assert [info.filename for info in packed.infolist() if info.external_attr >> 28 == 0xA] == []


def test_the_wheel_holds_the_packages_and_nothing_else(built):
    with ZipFile(built.wheel) as packed:
        names = packed.namelist()
    tops = {name.split("/")[0] for name in names}
    assert tops == {"companion", "vision", "hardware", "web", "firmware", f"gloam-{__version__}.dist-info"}
    assert {f"{package}/py.typed" for package in ("companion", "vision", "hardware", "web")} <= set(names)
    assert f"gloam-{__version__}.dist-info/licenses/LICENSE" in names
    assert not [name for name in names if name.startswith("companion/examples/")]


def test_the_source_distribution_holds_what_a_clone_holds(built):
    with tarfile.open(built.sdist) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    wanted = {"LICENSE", "CONTRIBUTING.md", "RELEASING.md", "CHANGELOG.md", "SECURITY.md", "gloam", ".ci/run"}
    wanted |= {"tests/conftest.py", "tests/weights.json", "systemd/install.sh", "firmware/emulator/build"}
    assert wanted <= names


def test_the_source_distribution_installs_the_same_files(built, installed, tmp_path):
    def ours(packages: Path) -> set[str]:
        found = (path.relative_to(packages) for path in packages.rglob("*") if path.is_file())
        return {str(path) for path in found if path.suffix != ".pyc" and "dist-info" not in path.parts[0]}

    from_wheel = next((installed.bin.parent / "lib").glob("python3*/site-packages"))
    from_source = make_environment(tmp_path / "venv", built.sdist)
    assert ours(from_source) == ours(from_wheel)


def test_nothing_comes_from_the_clone(installed):
    code = "import sys; print(*(__import__(name).__file__ for name in sys.argv[1:]))"
    for path in installed.run("python", "-c", code, "companion", "vision", "hardware", "web").split():
        assert Path(path).is_relative_to(installed.bin.parent)
    assert installed.run("gloam", "--version") == f"gloam {__version__}\n"


def test_a_table_is_served(installed):
    with installed.serving("run") as address, urllib.request.urlopen(address, timeout=60) as answer:
        assert answer.status == 200 and b"<html" in answer.read()


def test_bots_play_on_a_served_table(installed):
    with installed.serving("demo", "night_cage", "--pause", "0.05") as address:
        with urllib.request.urlopen(f"{address}/static/gloam.css", timeout=60) as answer:
            assert answer.status == 200
        with urllib.request.urlopen(address, timeout=60) as answer:
            assert b"<html" in answer.read()


def test_boards_are_printed(installed):
    installed.run("gloam", "print", "board", "onirim", "--out", "board.pdf", "--language", "ru")
    assert (installed.folder / "board.pdf").read_bytes().startswith(b"%PDF")


def test_lights_are_drawn(installed):
    installed.run("gloam", "lights", "candles", "--out", "candles.png")
    assert (installed.folder / "candles.png").read_bytes().startswith(b"\x89PNG")


def test_the_fake_of_the_chip_runs_the_firmware(installed):
    is_up, frame = json.loads(installed.run("python", "-c", CHIP))
    assert is_up and frame == [9] * 12


def test_flashing_would_copy_the_whole_firmware(installed):
    listed = installed.run("gloam", "flash", "--dry-run").split()
    on_disk = {path.name for path in (ROOT / "firmware").glob("*.py")} | {"wire.py"}
    assert {word for word in listed if word.endswith(".py")} == on_disk
