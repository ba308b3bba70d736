"""Options of the whole suite, and the order that keeps every process busy until the end."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest

WEIGHTS = Path(__file__).with_name("weights.json")
"""Rough seconds of each file that takes long; only their order matters."""
LEAST_S = 2.0
"""Files that take less are not weighed: they fill the gaps at the end."""
collect_ignore = ["hardware/trace_light.py"]
"""What only runs beside Mitsuba, which is no dependency, is not looked at for examples."""
# As the table itself has it (`companion/service/__init__.py`), whatever a test imports first.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept-golden", action="store_true", help="write the golden playthroughs anew")
    parser.addoption("--weigh", action="store_true", help=f"write {WEIGHTS.name} anew from this run")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--weigh") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Scale(), "scale")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Heaviest files first: processes take whole files in this order, so the last ones are short."""
    weights = json.loads(WEIGHTS.read_text("utf-8"))
    items.sort(key=lambda item: -weights.get(_file(item.nodeid), 0.0))


def _file(nodeid: str) -> str:
    return nodeid.partition("::")[0]


class Scale:
    """Adds up the seconds of each file and writes them down when the run ends."""

    def __init__(self) -> None:
        self._seconds: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[_file(report.nodeid)] += report.duration  # type: ignore[assignment]

    def pytest_sessionfinish(self) -> None:
        heavy = {name: round(s, 1) for name, s in self._seconds.most_common() if s >= LEAST_S}
        WEIGHTS.write_text(json.dumps(heavy, indent=1) + "\n", "utf-8")
