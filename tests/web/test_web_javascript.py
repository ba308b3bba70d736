"""The JavaScript of the pages: rules, format, and the tests of its pure parts, all by tools from npm."""

from __future__ import annotations

import fcntl
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games import REGISTRY

ROOT = Path(__file__).parents[2]
MODULES = ROOT / "node_modules"
NODE_TESTS = sorted((ROOT / "tests" / "web" / "js").glob("*.test.mjs"))


def is_installed() -> bool:
    """Whether the tools are there in the very versions that `package.json` names."""
    wanted = json.loads((ROOT / "package.json").read_text("utf-8"))["devDependencies"]
    manifests = {name: MODULES / name / "package.json" for name in wanted}
    return all(
        manifest.is_file() and json.loads(manifest.read_text("utf-8"))["version"] == wanted[name]
        for name, manifest in manifests.items()
    )


@pytest.fixture(scope="session")
def tools() -> Path:
    """The folder of the tools, installed on first use."""
    npm = shutil.which("npm")
    assert npm and shutil.which("node"), "These tests need node and npm:  sudo apt-get install nodejs npm"
    MODULES.mkdir(exist_ok=True)
    # Processes that run the tests side by side must not install into one folder at once.
    with (MODULES / ".gloam-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not is_installed():
            command = [npm, "install", "--no-audit", "--no-fund"]
            result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            assert is_installed(), f"npm could not install: is there a network?\n{result.stderr[-800:]}"
    return MODULES / ".bin"


def run(*command: object) -> None:
    """Runs a tool over the tree; what it has to say stands in the failure."""
    done = subprocess.run(map(str, command), cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


@pytest.mark.slow
def test_the_javascript_keeps_the_rules(tools: Path) -> None:
    run(tools / "eslint", "--max-warnings", "0", ".")


@pytest.mark.slow
def test_javascript_and_style_sheets_are_formatted(tools: Path) -> None:
    run(tools / "prettier", "--check", ".")


@pytest.mark.slow
@pytest.mark.parametrize("path", NODE_TESTS, ids=lambda path: path.name.removesuffix(".test.mjs"))
def test_the_pure_parts_do_what_they_should(path: Path) -> None:
    # Node alone is enough here: these tests need nothing from npm.
    run("node", "--import", ROOT / "tests" / "web" / "js" / "resolve.mjs", "--test", path)


def test_the_tools_have_exact_versions_and_no_lock_that_names_an_index() -> None:
    package = json.loads((ROOT / "package.json").read_text("utf-8"))
    assert "dependencies" not in package
    assert all(re.fullmatch(r"[\d.]+", version) for version in package["devDependencies"].values())
    assert not (ROOT / "package-lock.json").exists()


def sources() -> Iterator[Path]:
    """All of web but the benchmarks, whose figures are those of one game."""
    for pattern in ("**/*.py", "static/**/*.js", "static/**/*.css", "templates/*"):
        yield from (
            path for path in (ROOT / "web").glob(pattern) if path.name not in ("benchmark.py", "siege.py")
        )


def test_the_web_names_no_game() -> None:
    keys = re.compile("|".join(REGISTRY))
    named = {
        f"{path.relative_to(ROOT)}: {found}"
        for path in sources()
        for found in keys.findall(path.read_text("utf-8"))
    }
    assert named == set()
