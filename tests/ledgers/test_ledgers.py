"""Every rule of a registered game's ledger is named by a test.

Each game's folder lists the rule IDs of its ledger. `pytest tests/ledgers` is the report of what is missing:
each failure lists the rules that no `@pytest.mark.rule` names.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from companion.games import REGISTRY, folder_of, load

ROOT = Path(__file__).parents[2]


class Listing:
    """Prints the rules that the tests found by pytest are marked with."""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            for mark in item.iter_markers("rule"):
                print("marked", *mark.args)


def ledger(key: str) -> set[str]:
    return set((folder_of(key) / "ledger.txt").read_text("utf-8").split())


@cache
def named(key: str) -> set[str]:
    """The rule IDs that the game's tests are marked with, as pytest collects them."""
    listed = subprocess.run(
        [sys.executable, __file__, str(ROOT / "tests" / "games" / key)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [line.split() for line in listed.stdout.splitlines() if line.startswith("marked ")]
    return {rule for line in lines for rule in line[1:]}


@pytest.mark.slow
@pytest.mark.parametrize("key", REGISTRY)
def test_every_rule_is_named_by_a_test(key: str) -> None:
    missing = sorted(ledger(key) - named(key))
    assert not missing, f"{len(missing)} rules of {key} without a test: {' '.join(missing)}"


@pytest.mark.slow
@pytest.mark.parametrize("key", REGISTRY)
def test_no_test_names_a_rule_that_does_not_exist(key: str) -> None:
    unknown = sorted(named(key) - ledger(key))
    assert not unknown, unknown


@pytest.mark.parametrize("key", REGISTRY)
def test_the_source_cites_only_rules_that_exist(key: str) -> None:
    cited = {
        rule
        for path in Path(str(folder_of(key))).glob("*.py")
        for rule in re.findall(rf'"({load(key).ledger}-[A-Z0-9]+-[0-9]+[a-z]?)"', path.read_text("utf-8"))
    }
    assert not sorted(cited - ledger(key))


if __name__ == "__main__":
    sys.exit(pytest.main(["--collect-only", "-q", *sys.argv[1:]], plugins=[Listing()]))
