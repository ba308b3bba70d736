"""Tries one fault: serves the changed text of one module to this process's imports, and runs pytest in it.

Reads the task as JSON from the standard input and writes what became of it as JSON to the standard output. No
file changes: other processes see the module as it is on disk.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import os
import resource
import sys
import time
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType

import pytest

MEMORY = 4 << 30
"""Bytes that a fault may eat; an endless loop that fills a list ends there, not in the machine's swap."""


class Served(SourceFileLoader):
    """Loads a module from a text instead of its file, and leaves no bytecode behind."""

    def __init__(self, fullname: str, path: str, text: str) -> None:
        super().__init__(fullname, path)
        self._text = text

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._text, self.path, "exec", dont_inherit=True)


class Hook(MetaPathFinder):
    """Serves one module, and leaves all others to the usual imports."""

    def __init__(self, module: str, path: str, text: str) -> None:
        self._module, self._path, self._text = module, path, text

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self._module:
            return None
        loader = Served(fullname, self._path, self._text)
        return importlib.util.spec_from_file_location(fullname, self._path, loader=loader)


class Witness:
    """Remembers the first test, or file of tests, that failed."""

    def __init__(self) -> None:
        self.failed = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid


def attempt(task: dict[str, object]) -> dict[str, object]:
    """What becomes of the fault: `import` (the module does not load), `killed` (by a test), or `survived`."""
    module, path, text = str(task["module"]), str(task["path"]), str(task["text"])
    sys.meta_path.insert(0, Hook(module, path, text))
    try:
        importlib.import_module(module)
    except Exception as error:
        return {"fate": "import", "by": f"{type(error).__name__}: {error}"}
    runs = task["runs"]
    assert isinstance(runs, list)
    for arguments in runs:
        witness = Witness()
        code = pytest.main(["-x", "-q", "-p", "no:cacheprovider", *arguments], plugins=[witness])
        if code != pytest.ExitCode.OK:
            return {"fate": "killed", "by": witness.failed or f"pytest {' '.join(arguments)}: {code!r}"}
    return {"fate": "survived", "by": ""}


def main() -> None:
    task = json.load(sys.stdin)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    if task["cpu_s"]:
        resource.setrlimit(resource.RLIMIT_CPU, (task["cpu_s"], task["cpu_s"] + 1))
    os.chdir(task["root"])
    sys.path[0] = task["root"]
    with contextlib.redirect_stdout(sys.stderr):
        result = attempt(task)
    print(json.dumps(result | {"cpu_s": round(time.process_time(), 2)}), flush=True)
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
