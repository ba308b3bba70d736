"""A fresh environment, outside the clone, with Gloam's wheel and the example beside it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "companion" / "examples"
NOT_SOURCE = shutil.ignore_patterns(
    *(".*", "__pycache__", "build", "dist", "node_modules", "screenshots", "*.egg-info", "*.db*")
)


def keys_of(example: Path) -> list[str]:
    """The games that an example brings."""
    project = tomllib.loads((example / "pyproject.toml").read_text("utf-8"))["project"]
    return list(project["entry-points"]["gloam.games"])


def copy_of_the_tree(to: Path) -> Path:
    """A copy of the source, so that building leaves nothing in the tree."""
    return shutil.copytree(ROOT, to, ignore=NOT_SOURCE)


class Home:
    """An environment into which wheels were installed by pip; commands run in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "elsewhere"
        self.folder.mkdir()
        venv.create(folder / "venv")
        self.python = folder / "venv" / "bin" / "python"
        tree = copy_of_the_tree(folder / "tree")
        examples = sorted((tree / "companion" / "examples").iterdir())
        for source in (tree, *examples):
            _pip("wheel", "--no-build-isolation", "--wheel-dir", str(folder / "wheels"), str(source))
        self.wheels = sorted((folder / "wheels").glob("*.whl"))
        _pip("--python", str(self.python), "install", *map(str, self.wheels))
        # What the wheels depend on is there already. Only a line of a .pth: an editable install in that
        # folder stays out of sight, and pip has no reason to touch anything there.
        site = Path(self.run("-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
        (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")

    def run(self, *words: str) -> str:
        """Runs Python in the environment; returns what it printed."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        done = subprocess.run(
            [self.python, *words],
            cwd=self.folder,
            env=clean,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def gloam(self, *words: str) -> str:
        return self.run("-m", "companion.service.cli", *words)


def _pip(*words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", *words, "--no-deps", "--no-index"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
