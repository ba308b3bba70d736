"""Mutation testing of a game's rules: `./gloam test --mutate GAME`.

Puts small faults into the rule modules, one at a time, and runs the game's own tests and the contract's. What
no test notices is printed with its line: either a test is missing there, or the fault changes nothing
(an equivalent one). Golden games do not take part: they are records of play, and state no rule.

The runner is our own because of what it has to do: draw a sample by seed, try each fault in a process of its
own with the tests of one game alone, change no file while others work, and put faults also into the tables
that are made at import (for code outside functions mutmut 3 refers its users to mutmut 2). It is quick: the
tests are collected once, a fault in a function is put into a copy of that process, and only the tests that
reach its statement run, the quickest first.

With `--keep FILE` every result is written at once and not tried again: a killed fault while its module is the
same, a survivor while the tests are the same too. So add a test and run the same line once more: only the
survivors are tried.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any, NamedTuple

from mutation_faults import Fault, faults
from mutation_worker import OUT_OF_TIME, TIMES

ROOT = Path(__file__).parents[2]
WORKER = Path(__file__).with_name("mutation_worker.py")
NO_RULES = {
    *("__init__", "text", "page_text", "art", "paper", "layout", "scene", "cues", "view", "disguise"),
    *("bots", "mind", "samples", "printed", "card_file", "data", "box"),
}
"""Modules of a game that hold no rule: words, pictures, places, lights, sounds, views, aids of proofs, what
bots think with, named set-ups, and what reads or asks for the entries that an owner may edit."""
FRESH_S = 60
"""Processor seconds that a new process may take beyond those of its tests, for imports and collecting."""
FATES = ("killed", "timeout", "import", "survived")


class Unusable(Exception):
    """The run cannot begin; the message says why."""


class Mutant(NamedTuple):
    """A fault in a module."""

    module: str
    fault: Fault


@dataclass(frozen=True, slots=True)
class Project:
    """Where the rules are and which tests, by the arguments of pytest, judge them."""

    root: Path
    modules: dict[str, Path]
    arguments: list[str]
    tests: list[Path]
    texts: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        texts = {name: path.read_text("utf-8") for name, path in self.modules.items()}
        object.__setattr__(self, "texts", texts)

    def mutants(self) -> list[Mutant]:
        """Every fault of every module, always in the same order."""
        return [
            Mutant(module, fault) for module in sorted(self.texts) for fault in faults(self.texts[module])
        ]

    def rules_digest(self, module: str) -> str:
        return _digest([self.texts[module].encode()])

    def tests_digest(self) -> str:
        files = sorted(path for folder in self.tests for path in folder.rglob("*.py"))
        return _digest([*(path.read_bytes() for path in files), " ".join(self.arguments).encode()])


def _digest(parts: Iterable[bytes]) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:12]


def game_project(game: str, fast: bool = False, root: Path = ROOT) -> Project:
    """The rule modules of a game, its own tests and those of the contract; bots do not judge rules."""
    games = root / "companion" / "games"
    known = sorted(path.parent.name for path in games.glob("*/ledger.txt"))
    if game not in known:
        raise Unusable(f"no game {game!r}; there are {', '.join(known)}")
    modules = {
        f"companion.games.{game}.{path.stem}": path
        for path in (games / game).glob("*.py")
        if path.stem not in NO_RULES
    }
    tests = [f"tests/games/{game}", "tests/contract"]
    marks = "not slow and not long" if fast else "not long"
    arguments = [*tests, "-k", f"{game} and not bots and not _bot_", "-m", marks]
    return Project(root, modules, arguments, [root / name for name in tests])


def sample(mutants: list[Mutant], n: int, seed: int) -> list[Mutant]:
    """The same mutants for the same seed, as long as the rules are the same."""
    return random.Random(seed).sample(mutants, min(n, len(mutants)))


# Where a fault is ---------------------------------------------------------------------------------


class Place(NamedTuple):
    """The outermost function that a fault is in, and the first line of the innermost statement."""

    function: str
    line: int


def place(text: str, fault: Fault) -> Place | None:
    """Where a fault is, or None when it is code that runs at import."""
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def around(node: ast.stmt) -> bool:
        assert node.end_lineno is not None and node.end_col_offset is not None
        start = starts[node.lineno - 1] + node.col_offset
        return start <= fault.start < starts[node.end_lineno - 1] + node.end_col_offset

    def search(block: list[ast.stmt], names: tuple[str, ...]) -> Place | None:
        for node in block:
            if isinstance(node, ast.ClassDef) and around(node):
                return search(node.body, (*names, node.name))
            if isinstance(node, ast.FunctionDef) and any(around(inner) for inner in node.body):
                inside = [inner for inner in ast.walk(node) if isinstance(inner, ast.stmt) and around(inner)]
                return Place(".".join((*names, node.name)), max(inner.lineno for inner in inside))
        return None

    return search(ast.parse(text).body, ())


# Processes that try faults ------------------------------------------------------------------------


class Tests(NamedTuple):
    """What a run on the unchanged rules shows: the processor time of tests, and which reach a statement."""

    cpu_s: dict[str, float]
    reached: dict[str, list[str]]
    at_import: frozenset[str]

    def quickest_first(self, names: Iterable[str]) -> list[tuple[str, float]]:
        return sorted(((name, self.cpu_s[name]) for name in names), key=lambda test: test[1])


class Worker:
    """A process that was given a task and answers in lines."""

    def __init__(self, project: Project, printed: IO[str] | int, **task: object) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=printed,
            text=True,
            start_new_session=True,
            env=os.environ | {"PYTHONHASHSEED": "0"},
        )
        self.tell({"root": str(project.root), "arguments": project.arguments, **task})

    def tell(self, request: dict[str, object]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        """The next answer; a process that ended without one says how it ended."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if line:
            found: dict[str, Any] = json.loads(line)
            return found
        code = self._process.wait()
        if -code in OUT_OF_TIME:
            return {"fate": "timeout", "by": ""}
        return {"fate": "killed", "by": f"the process ended with {code}"}

    def close(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


def measured(project: Project) -> Tests:
    """Runs the tests on the unchanged rules, which must pass."""
    modules = {name: (str(path), project.texts[name]) for name, path in project.modules.items()}
    with tempfile.TemporaryFile("w+", encoding="utf-8") as printed:
        worker = Worker(project, printed, kind="measure", modules=modules)
        found = worker.answer()
        worker.close()
        if found.get("failed", "no tests ran"):
            printed.seek(0)
            why = found.get("failed") or found.get("by")
            raise Unusable(f"{printed.read()}\nthe unchanged rules fail ({why}): mend that first")
    reached: dict[str, list[str]] = defaultdict(list)
    for name, _, statements in found["tests"]:
        for statement in statements:
            reached[statement].append(name)
    cpu_s = {name: seconds for name, seconds, _ in found["tests"]}
    return Tests(cpu_s, dict(reached), frozenset(found["at_import"]))


class Judge:
    """Tries faults: those in functions in copies of processes that wait, all others in new processes."""

    def __init__(self, project: Project, tests: Tests, jobs: int) -> None:
        self._project, self._tests = project, tests
        self._waiting: SimpleQueue[Worker] = SimpleQueue()
        self._workers = [Worker(project, subprocess.DEVNULL, kind="serve") for _ in range(jobs)]
        for worker in self._workers:
            worker.answer()
            self._waiting.put(worker)

    def close(self) -> None:
        for worker in self._workers:
            worker.close()

    def fate(self, mutant: Mutant) -> dict[str, str]:
        text = self._project.texts[mutant.module]
        where = place(text, mutant.fault)
        changed = mutant.fault.applied(text)
        if where is None or f"{mutant.module}:{where.line}" in self._tests.at_import:
            return self._fresh(mutant.module, changed)
        names = self._tests.reached.get(f"{mutant.module}:{where.line}", [])
        worker = self._waiting.get()
        try:
            worker.tell(
                {
                    "module": mutant.module,
                    "function": where.function,
                    "path": str(self._project.modules[mutant.module]),
                    "text": changed,
                    "tests": self._tests.quickest_first(names),
                }
            )
            found = worker.answer()
        finally:
            self._waiting.put(worker)
        return found if found["fate"] else self._fresh(mutant.module, changed)

    def _fresh(self, module: str, text: str) -> dict[str, str]:
        worker = Worker(
            self._project,
            subprocess.DEVNULL,
            kind="fresh",
            module=module,
            path=str(self._project.modules[module]),
            text=text,
            tests=self._tests.quickest_first(self._tests.cpu_s),
            cpu_s=FRESH_S + int(TIMES * sum(self._tests.cpu_s.values())),
        )
        try:
            return worker.answer()
        finally:
            worker.close()


# Many mutants -------------------------------------------------------------------------------------


class Kept:
    """Results in a file of JSON lines, or in memory alone when no file is named."""

    def __init__(self, project: Project, file: Path | None) -> None:
        self._project, self._file = project, file
        self._tests = project.tests_digest()
        self.seed: int | None = None
        self._found: dict[tuple[object, ...], dict[str, object]] = {}
        for record in _records(file):
            if "seed" in record:
                self.seed = int(str(record["seed"]))
            else:
                self._found[tuple(record[name] for name in ("module", "rules", *Fault._fields))] = record

    def begin(self, seed: int) -> None:
        """Notes the seed, which a later run takes up when it is given none."""
        if self.seed != seed:
            self._append({"seed": seed})
        self.seed = seed

    def find(self, mutant: Mutant) -> dict[str, object] | None:
        found = self._found.get(self._key(mutant))
        if found is None or (found["fate"] == "survived" and found["tests"] != self._tests):
            return None
        return found

    def add(self, mutant: Mutant, result: Mapping[str, object]) -> None:
        key = self._key(mutant)
        names = ("module", "rules", *Fault._fields)
        record = dict(zip(names, key, strict=True)) | {"tests": self._tests, **result}
        self._found[key] = record
        self._append(record)

    def _key(self, mutant: Mutant) -> tuple[object, ...]:
        return (mutant.module, self._project.rules_digest(mutant.module), *mutant.fault)

    def _append(self, record: dict[str, object]) -> None:
        if self._file is not None:
            with self._file.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(record, ensure_ascii=False) + "\n")


def _records(file: Path | None) -> Iterator[dict[str, object]]:
    """The records of a file; a last line that was cut short is taken off it."""
    if file is None or not file.exists():
        return
    text = file.read_text("utf-8")
    whole, _, cut = text.rpartition("\n")
    if cut:
        file.write_text(whole + "\n" if whole else "", "utf-8")
    for line in whole.splitlines():
        yield json.loads(line)


def run(project: Project, mutants: list[Mutant], kept: Kept, jobs: int) -> int:
    """Tries every mutant whose fate is not known yet; returns how many there were."""
    todo = [mutant for mutant in mutants if kept.find(mutant) is None]
    if not todo:
        return 0
    judge = Judge(project, measured(project), jobs)
    count = Counter(str(found["fate"]) for mutant in mutants if (found := kept.find(mutant)))
    with ThreadPoolExecutor(jobs) as pool:
        futures = {pool.submit(judge.fate, mutant): mutant for mutant in todo}
        try:
            for future in as_completed(futures):
                result = future.result()
                kept.add(futures[future], result)
                count[str(result["fate"])] += 1
                _progress(count, len(mutants))
        except KeyboardInterrupt:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
        finally:
            judge.close()
    return len(todo)


def _progress(count: Counter[str], n: int) -> None:
    """One line that is written over on a terminal; elsewhere a line for every ten."""
    done = count.total()
    line = f"{done}/{n}: " + ", ".join(f"{fate} {count[fate]}" for fate in FATES)
    if sys.stderr.isatty():
        print(f"\r{line}", end="\n" if done == n else "", file=sys.stderr, flush=True)
    elif done % 10 == 0 or done == n:
        print(line, file=sys.stderr, flush=True)


# The report ---------------------------------------------------------------------------------------


def survivors(mutants: list[Mutant], kept: Kept) -> list[Mutant]:
    """The mutants that no test noticed, in the order of the text."""
    return sorted(
        mutant for mutant in mutants if (found := kept.find(mutant)) and found["fate"] == "survived"
    )


def report(project: Project, mutants: list[Mutant], kept: Kept) -> str:
    """The survivors with place, line before and line after, then how many were killed and how."""
    lines = []
    for mutant in survivors(mutants, kept):
        before, after = mutant.fault.lines(project.texts[mutant.module])
        path = project.modules[mutant.module].relative_to(project.root)
        lines += [f"{path}:{mutant.fault.line}: {mutant.fault.kind}", f"  - {before}", f"  + {after}"]
    count = Counter(str(found["fate"]) for mutant in mutants if (found := kept.find(mutant)))
    n = count.total()
    dead = n - count["survived"]
    share = f" ({100 * dead / n:.1f} %)" if n else ""
    how = f"{count['killed']} by a test, {count['timeout']} by timeout, {count['import']} at import"
    return "\n".join([*lines, f"{dead} of {n} killed{share}: {how}; {count['survived']} survived"])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="gloam test --mutate",
        description="puts faults into a game's rules and names those no test notices",
    )
    parser.add_argument("game")
    parser.add_argument("-n", type=int, default=150, help="how many faults (150)")
    parser.add_argument("--fast", action="store_true", help="leave out the tests that are marked slow")
    parser.add_argument(
        "--seed", type=int, help="which faults; the file's own or a random one when not given"
    )
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep results there and go on from them")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time (one per core)"
    )
    chosen = parser.parse_args(arguments)
    try:
        project = game_project(chosen.game, chosen.fast)
        kept = Kept(project, chosen.keep)
        seed = next((s for s in (chosen.seed, kept.seed) if s is not None), random.randrange(10**6))
        everything = project.mutants()
        mutants = sample(everything, chosen.n, seed)
        print(f"{chosen.game}: {len(mutants)} of {len(everything)} faults, seed {seed}", flush=True)
        kept.begin(seed)
        run(project, mutants, kept, chosen.jobs)
    except Unusable as error:
        print(f"gloam test --mutate: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130
    print(report(project, mutants, kept))
    return 0


if __name__ == "__main__":
    sys.exit(main())
