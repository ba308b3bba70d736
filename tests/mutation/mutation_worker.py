"""Runs the tests against changed rules, in a process of its own; no file changes.

Reads one task as JSON line from the standard input and answers with JSON lines on the standard output:

- `measure` runs every test once on the unchanged rules and says which statements each of them reaches;
- `fresh` loads one module with a fault in it, as a fault outside functions needs;
- `serve` collects the tests once and then tries one fault after another: a copy of the process (a fork) puts
  the changed code into the living function and runs only the tests it is told.
"""

from __future__ import annotations

import ast
import builtins
import functools
import gc
import importlib
import importlib.util
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, FunctionType, ModuleType
from typing import IO, Any

import pytest

MEMORY = 4 << 30
"""Bytes that a fault may eat; an endless loop that fills a list ends there, not in the machine's swap."""
TIMES = 5
"""A test that takes this many times the processor time of the unchanged rules counts as an endless loop."""
PATIENCE = 200
"""Seconds on the clock for each second of processor time: other work on the machine must not kill a fault."""
OTHERS_S = 10.0
"""Processor time of a test that only a fault brings about."""
OUT_OF_TIME = (signal.SIGPROF, signal.SIGALRM, signal.SIGXCPU, signal.SIGKILL)
Task = dict[str, Any]
Fate = dict[str, str]


class Served(SourceFileLoader):
    """Loads a module from a text or a tree instead of its file, and leaves no bytecode behind."""

    def __init__(self, fullname: str, path: str, source: str | ast.Module) -> None:
        super().__init__(fullname, path)
        self._source = source

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._source, self.path, "exec", dont_inherit=True)


class Hook(MetaPathFinder):
    """Serves some modules, each from its path and source, and leaves all others to the usual imports."""

    def __init__(self, served: Mapping[str, tuple[str, str | ast.Module]]) -> None:
        self._served = served

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in self._served:
            return None
        file, source = self._served[fullname]
        return importlib.util.spec_from_file_location(fullname, file, loader=Served(fullname, file, source))


# Which statements a test reaches ------------------------------------------------------------------


def marked(module: str, text: str) -> ast.Module:
    """The module with a call before each statement of its functions that says the statement is reached."""
    tree = ast.parse(text)
    for node in list(ast.walk(tree)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            _mark(module, node)
    return ast.fix_missing_locations(tree)


def _mark(module: str, node: ast.AST) -> None:
    """Marks the blocks of a function; functions and classes inside it are reached in a walk of their own."""
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        block = getattr(node, name, None)
        if not isinstance(block, list):
            continue
        lines: list[ast.AST] = []
        for child in block:
            if isinstance(child, ast.stmt):
                lines += ast.parse(f"__reached__({f'{module}:{child.lineno}'!r})").body
            lines.append(child)
            if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                _mark(module, child)
        block[:] = lines


# A fault in a living function ---------------------------------------------------------------------


class Living:
    """The functions and caches of a process in which everything is imported."""

    def __init__(self) -> None:
        things = gc.get_objects()
        self._functions = [thing for thing in things if isinstance(thing, FunctionType)]
        self._caches = [thing for thing in things if isinstance(thing, functools._lru_cache_wrapper)]

    def forget(self) -> None:
        """Empties every cache: what was worked out before the fault, or in another test, proves nothing."""
        for cache in self._caches:
            cache.cache_clear()

    def put_in(self, request: Task) -> bool:
        """Gives the changed code to the function it belongs to; False when that needs a new process."""
        changed = compile(request["text"], request["path"], "exec", dont_inherit=True)
        name = request["function"]
        codes = {code.co_firstlineno: code for code in _codes(changed) if code.co_qualname == name}
        functions = [
            function
            for function in self._functions
            if function.__module__ == request["module"] and function.__code__.co_qualname == name
        ]
        if not functions or any(function.__code__.co_firstlineno not in codes for function in functions):
            return False
        try:
            for function in functions:
                function.__code__ = codes[function.__code__.co_firstlineno]
        except ValueError:
            return False
        self.forget()
        return True


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


# Tests --------------------------------------------------------------------------------------------


class Bench:
    """Takes the collected tests over from pytest, runs those it is asked to and sees which fail."""

    def __init__(self, task: Task, answers: IO[str], requests: IO[str]) -> None:
        self._task, self._answers, self._requests = task, answers, requests
        self._failed = ""
        self._reached: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed = self._failed or report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._failed = self._failed or report.nodeid

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        getattr(self, f"_{self._task['kind']}")({item.nodeid: item for item in session.items})
        return True

    def answer(self, **found: object) -> None:
        self._answers.write(json.dumps(found) + "\n")
        self._answers.flush()

    def trace(self) -> None:
        """Counts what is reached from now on."""
        builtins.__reached__ = self._reached.add  # type: ignore[attr-defined]

    def _measure(self, items: dict[str, pytest.Item]) -> None:
        at_import, tests, living = sorted(self._reached), [], Living()
        for nodeid, item in items.items():
            if self._failed:
                break
            living.forget()
            self._reached.clear()
            start = time.process_time()
            _run(item)
            tests.append((nodeid, time.process_time() - start, sorted(self._reached)))
        self.answer(failed=self._failed, at_import=at_import, tests=tests)

    def _fresh(self, items: dict[str, pytest.Item]) -> None:
        """All tests: a fault in a table can also change which ones there are."""
        tests = [(nodeid, cpu_s) for nodeid, cpu_s in self._task["tests"] if nodeid in items]
        others = items.keys() - {nodeid for nodeid, _ in tests}
        self.answer(**self._judged(items, tests + [(nodeid, OTHERS_S) for nodeid in sorted(others)]))

    def _judged(self, items: dict[str, pytest.Item], tests: list[tuple[str, float]]) -> Fate:
        """Runs tests one by one, each within its time, until one fails."""
        for nodeid, cpu_s in tests:
            if self._failed:
                break
            limit = 1 + TIMES * cpu_s
            signal.setitimer(signal.ITIMER_PROF, limit)
            signal.setitimer(signal.ITIMER_REAL, PATIENCE * limit)
            _run(items[nodeid])
        return {"fate": "killed" if self._failed else "survived", "by": self._failed}

    def _serve(self, items: dict[str, pytest.Item]) -> None:
        living = Living()
        gc.freeze()
        self.answer(failed=self._failed)
        for line in self._requests:
            self.answer(**self._forked(items, living, json.loads(line)))

    def _forked(self, items: dict[str, pytest.Item], living: Living, request: Task) -> Fate:
        """What becomes of one fault in a copy of this process."""
        inlet, outlet = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(inlet)
            is_in = living.put_in(request)
            fate = self._judged(items, request["tests"]) if is_in else {"fate": "", "by": ""}
            os.write(outlet, json.dumps(fate).encode())
            os._exit(0)
        os.close(outlet)
        with os.fdopen(inlet, "rb") as said:
            words = said.read()
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) in OUT_OF_TIME:
            return {"fate": "timeout", "by": ""}
        if status or not words:
            return {"fate": "killed", "by": f"the process ended with {status}"}
        found: Fate = json.loads(words)
        return found


def _run(item: pytest.Item) -> None:
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)


# A process ----------------------------------------------------------------------------------------


def work(task: Task, answers: IO[str], requests: IO[str]) -> None:
    bench = Bench(task, answers, requests)
    if task["kind"] == "measure":
        bench.trace()
        served = {name: (path, marked(name, text)) for name, (path, text) in task["modules"].items()}
        sys.meta_path.insert(0, Hook(served))
    elif task["kind"] == "fresh":
        if task["cpu_s"]:
            resource.setrlimit(resource.RLIMIT_CPU, (task["cpu_s"], task["cpu_s"] + 1))
        sys.meta_path.insert(0, Hook({task["module"]: (task["path"], task["text"])}))
        try:
            importlib.import_module(task["module"])
        except Exception as error:
            bench.answer(fate="import", by=f"{type(error).__name__}: {error}")
            return
    pytest.main(["-q", "-p", "no:cacheprovider", *task["arguments"]], plugins=[bench])


def main() -> None:
    requests, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    task = json.loads(requests.readline())
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.chdir(task["root"])
    sys.path[0] = task["root"]
    work(task, answers, requests)
    answers.flush()
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
