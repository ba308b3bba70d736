"""Every rule of a registered game's ledger is named by a test.

The files beside this one list the rule IDs of the ledgers. `pytest tests/ledgers` is the report of what is
missing: each failure lists the rules that no `@pytest.mark.rule` names.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.games import REGISTRY, load

FOLDER = Path(__file__).parent
MARK = re.compile(r"""rule\(\s*["']([A-Z]+-[A-Z0-9]+-[0-9]+[a-z]?)["']""")


def ledger(key: str) -> set[str]:
    return set((FOLDER / f"{key}.txt").read_text("utf-8").split())


def named(key: str) -> set[str]:
    """The rule IDs that the game's tests mark."""
    folder = FOLDER.parent / "games" / key
    return {rule for path in folder.glob("test_*.py") for rule in MARK.findall(path.read_text("utf-8"))}


@pytest.mark.parametrize("key", REGISTRY)
def test_every_rule_is_named_by_a_test(key: str) -> None:
    missing = sorted(ledger(key) - named(key))
    assert not missing, f"{len(missing)} rules of {key} without a test: {' '.join(missing)}"


@pytest.mark.parametrize("key", REGISTRY)
def test_no_test_names_a_rule_that_does_not_exist(key: str) -> None:
    unknown = sorted(named(key) - ledger(key))
    assert not unknown, unknown


@pytest.mark.parametrize("key", REGISTRY)
def test_the_source_cites_only_rules_that_exist(key: str) -> None:
    folder = FOLDER.parents[1] / "companion" / "games" / key
    cited = {
        rule
        for path in folder.glob("*.py")
        for rule in re.findall(rf'"({load(key).ledger}-[A-Z0-9]+-[0-9]+[a-z]?)"', path.read_text("utf-8"))
    }
    assert not sorted(cited - ledger(key))
