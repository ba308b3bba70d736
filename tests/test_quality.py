"""Habits that a machine can check: imports point one way, style, types, nothing of one machine."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("companion", "vision", "hardware", "web")
EXAMPLES = ROOT / "companion" / "examples"
COMPOSITION_ROOT = "companion/service/"
"""The one folder of `companion` that knows the other packages."""


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
    """The modules of a package; an example is a distribution of its own."""
    return [path for path in sorted((ROOT / package).rglob("*.py")) if EXAMPLES not in path.parents]


def test_the_rules_import_only_the_standard_library():
    allowed = set(sys.stdlib_module_names) | {"companion"}
    for path in files("companion"):
        if not path.relative_to(ROOT).as_posix().startswith(COMPOSITION_ROOT):
            assert imports(path) <= allowed, f"{path.relative_to(ROOT)}: {imports(path) - allowed}"


@pytest.mark.parametrize("package", ["vision", "hardware", "web"])
def test_the_other_packages_do_not_import_each_other(package):
    others = set(PACKAGES) - {package, "companion"}
    for path in files(package):
        assert not imports(path) & others, path.relative_to(ROOT)


def modules(path: Path) -> set[str]:
    """The full names of the modules that a file imports anywhere in it, also of those imported by `from`."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


# Folders and modules ------------------------------------------------------------------------------

MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for package in PACKAGES
    for path in files(package)
}


def ours(path: Path) -> set[str]:
    """The modules of this project that a file imports anywhere in it, under TYPE_CHECKING too."""
    found = {name if name in MODULES else name.rpartition(".")[0] for name in modules(path)}
    return found & set(MODULES)


def folder(module: str) -> str:
    """The folder that a module counts to: those of `companion` one by one, the other packages whole."""
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] == "companion" else parts[0]


def layers(graph: dict[str, set[str]]) -> list[set[str]]:
    """Takes away what depends on nothing that is left, again and again; fails where a circle remains."""
    found, left = [], {name: needs - {name} for name, needs in graph.items()}
    while left:
        free = {name for name, needs in left.items() if not needs & set(left)}
        assert free, f"these import each other in a circle: {sorted(left)}"
        found.append(free)
        left = {name: needs for name, needs in left.items() if name not in free}
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_nobody_imports_the_composition_root(package):
    for path in files(package):
        if not path.relative_to(ROOT).as_posix().startswith(COMPOSITION_ROOT):
            service = {name for name in modules(path) if name.startswith("companion.service")}
            assert not service, f"{path.relative_to(ROOT)}: {service}"


def test_folders_depend_on_each_other_one_way():
    graph: dict[str, set[str]] = {}
    for module, path in MODULES.items():
        graph.setdefault(folder(module), set()).update(map(folder, ours(path)))
    order = layers(graph)
    rank = {name: i for i, names in enumerate(order) for name in names}
    chain = ["engine", "games", "table", "world", "service"]
    assert [rank[f"companion.{name}"] for name in chain] == sorted(
        {rank[f"companion.{name}"] for name in chain}
    )
    assert order[-1] == {"companion.service"}


def test_modules_import_each_other_in_no_circle():
    graph = {module: ours(path) - {module} for module, path in MODULES.items()}
    assert sum(map(len, layers(graph))) == len(MODULES)


LAB = "vision/lab/"
"""Painted boards, measuring, training and speed: tools of developers, not needed at the table."""
LAB_COMMAND = "vision/measure.py"
"""The one file outside that starts the lab: `python -m vision.measure`."""


def test_what_runs_at_the_table_does_not_import_the_lab():
    table = [path for path in files("vision") if LAB not in path.relative_to(ROOT).as_posix()]
    for path in table:
        if path.relative_to(ROOT).as_posix() != LAB_COMMAND:
            assert not [name for name in modules(path) if name.startswith("vision.lab")], path


ROOMS = {"Position"}
"""Names that every game has, because its folder has the same rooms."""


def test_a_class_name_means_one_thing():
    names = Counter(
        node.name
        for package in PACKAGES
        for path in files(package)
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert {name for name, times in names.items() if times > 1} == ROOMS


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
