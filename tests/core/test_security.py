"""SECURITY.md: every promise is there, and every test that it names exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
POLICY = (ROOT / "SECURITY.md").read_text("utf-8")
PROMISES = 23


def test_every_promise_stands_in_the_policy_with_its_test() -> None:
    rows = re.findall(r"^\| (P\d+) \| (.+?) \| (.+) \|$", POLICY, re.MULTILINE)
    assert [number for number, _, _ in rows] == [f"P{n}" for n in range(1, PROMISES + 1)]
    assert [number for number, _, proof in rows if "::test_" not in proof and "not proved" not in proof] == []


def test_every_test_that_the_policy_names_exists() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", POLICY)
    assert len(named) > PROMISES
    missing = [f"{path}::{name}" for path, name in named if name not in functions(ROOT / path)]
    assert missing == []


def functions(path: Path) -> set[str]:
    """The functions of a module."""
    tree = ast.parse(path.read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
