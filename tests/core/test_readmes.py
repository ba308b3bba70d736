"""Whatever a README names is there: files, classes with their methods, functions."""

from __future__ import annotations

import ast
import re
import subprocess
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MADE_UP = {"yours.py", "hardware/yours.py", "your_game.py"}
"""Names of files that a recipe asks the reader to write."""


@cache
def tracked() -> list[str]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.splitlines() if (ROOT / name).exists()]


@cache
def definitions() -> tuple[set[str], dict[str, set[str]]]:
    """Every function of the tree, and every class with what it defines or inherits from our classes."""
    functions: set[str] = set()
    members: dict[str, set[str]] = defaultdict(set)
    bases: dict[str, set[str]] = defaultdict(set)
    for name in tracked():
        if name.endswith(".js"):
            # Called, or looked up in an object that a page exports.
            functions |= set(re.findall(r"\w+(?=\()|(?<=\.)\w+", (ROOT / name).read_text("utf-8")))
        if not name.endswith(".py") or name.startswith("tests/"):
            continue
        for node in ast.walk(ast.parse((ROOT / name).read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                functions.add(node.name)
            elif isinstance(node, ast.ClassDef):
                members[node.name] |= set(_members(node))
                bases[node.name] |= {base.id for base in node.bases if isinstance(base, ast.Name)}
    return functions, {name: _inherited(name, members, bases) for name in members}


def _members(node: ast.ClassDef) -> list[str]:
    """Methods, fields, and the attributes that methods give to `self`."""
    found = []
    for inner in ast.walk(node):
        if isinstance(inner, ast.FunctionDef):
            found.append(inner.name)
        elif isinstance(inner, ast.AnnAssign) and isinstance(inner.target, ast.Name):
            found.append(inner.target.id)
        elif isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Store):
            found.append(inner.attr)
        elif isinstance(inner, ast.Assign):
            found += [target.id for target in inner.targets if isinstance(target, ast.Name)]
    return found


def _inherited(name: str, members: dict[str, set[str]], bases: dict[str, set[str]]) -> set[str]:
    found = set(members[name])
    for base in bases[name] & members.keys() - {name}:
        found |= _inherited(base, members, bases)
    return found


def quoted(path: Path) -> list[str]:
    """What stands between backticks in a document, blocks of code left out."""
    text = re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.M | re.S)
    return re.findall(r"`([^`\n]+)`", text)


def missing(name: str, document: str) -> str | None:
    """What a quoted name promises that is not in the tree."""
    functions, classes = definitions()
    if re.fullmatch(r"[\w/]+\.(py|sh|mjs)", name):
        folder = Path(document).parent.as_posix()
        places = {name, f"{folder}/{name}"} if folder != "." else {name}
        is_there = any(one in places or one.endswith(f"/{name}") for one in tracked())
        return None if is_there or name in MADE_UP else "file"
    if found := re.fullmatch(r"([A-Z][a-z]\w*)\.(\w+)(\(.*\))?", name):
        known = classes.get(found[1])
        return None if known is None or found[2] in known else f"member of {found[1]}"
    if found := re.fullmatch(r"([a-z_]\w*)\(.*\)", name):
        return None if found[1] in functions or found[1] in dir(__builtins__) else "function"
    return None


DOCUMENTS = [name for name in tracked() if name.endswith(".md") and not name.startswith("CHANGELOG")]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_document_names_only_what_is_there(document):
    wrong = {name: problem for name in quoted(ROOT / document) if (problem := missing(name, document))}
    assert not wrong


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("companion/nowhere.py", "file"),
        ("Session.vanish", "member of Session"),
        ("make_everything_right(now)", "function"),
        ("companion/service/cli.py", None),
        ("Session.submit", None),
        ("DeskChip.reboot", None),
    ],
)
def test_a_name_that_is_nowhere_is_found_out(name, problem):
    assert missing(name, "README.md") == problem
