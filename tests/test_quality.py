"""Habits that a machine can check: imports point one way, style, types, nothing of one machine."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("companion", "vision", "hardware", "web")
OUTSIDE_THE_WALL = ("companion/app.py", "companion/bench.py", "companion/room/")
"""The composition root and what it alone starts: the only files here that know the other packages."""


def imports(path: Path) -> set[str]:
    """The top-level modules that a file imports anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            assert node.module is not None
            found.add(node.module.split(".")[0])
    return found


def files(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def test_the_rules_import_only_the_standard_library():
    allowed = set(sys.stdlib_module_names) | {"companion"}
    for path in files("companion"):
        if not path.relative_to(ROOT).as_posix().startswith(OUTSIDE_THE_WALL):
            assert imports(path) <= allowed, f"{path.relative_to(ROOT)}: {imports(path) - allowed}"


@pytest.mark.parametrize("package", ["vision", "hardware", "web"])
def test_the_other_packages_do_not_import_each_other(package):
    others = set(PACKAGES) - {package, "companion"}
    for path in files(package):
        assert not imports(path) & others, path.relative_to(ROOT)


def test_tests_of_one_name_stand_once():
    names = [path.name for path in (ROOT / "tests").rglob("*.py") if path.name != "conftest.py"]
    assert len(names) == len(set(names)), sorted(name for name in set(names) if names.count(name) > 1)


@pytest.mark.parametrize("package", PACKAGES)
def test_each_package_says_on_one_screen_what_it_is_for(package):
    assert len((ROOT / package / "README.md").read_text("utf-8")) > 400


def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return listed.stdout.split()


def test_nothing_of_one_machine_is_in_the_tree():
    # Spelled in parts, so that this file does not find itself.
    machine = re.compile(
        "|".join(["/" + "work/", "/" + "root/", "pypi" + r"\.org", "npmjs" + r"\.(org|com)"])
    )
    for name in tracked():
        path = ROOT / name
        if (
            path.suffix in (".py", ".md", ".toml", ".sh", ".js", ".json", ".txt", ".html", ".css", "")
            and path.is_file()
        ):
            try:
                text = path.read_text("utf-8")
            except UnicodeDecodeError:
                continue
            assert not machine.search(text), f"{name}: {machine.search(text)}"


def run(*command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_style():
    run("ruff", "check", "--no-cache", ".")
    run("ruff", "format", "--no-cache", "--check", ".")


@pytest.mark.slow
def test_types_of_the_rules():
    run("mypy")
