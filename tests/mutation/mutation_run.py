"""Mutation testing of a game's rules: `./gloam test --mutate GAME`.

Puts small faults into the rule modules, one at a time, and runs the game's own tests and the contract's. What
no test notices is printed with its line: either a test is missing there, or the fault changes nothing
(an equivalent one). Golden games do not take part: they are records of play, and state no rule.

The runner is our own because of what it has to do: draw a sample by seed, try each fault within seconds in a
process of its own with the tests of one game alone, change no file while others work, and put faults also
into the tables that are made at import (for code outside functions mutmut 3 refers its users to mutmut 2).

With `--keep FILE` every result is written at once and not tried again: a killed fault while its module is the
same, a survivor while the tests are the same too. So add a test and run the same line once more: only the
survivors are tried.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from mutation_faults import Fault, faults

ROOT = Path(__file__).parents[2]
WORKER = Path(__file__).with_name("mutation_worker.py")
NO_RULES = {
    *("__init__", "text", "page_text", "art", "paper", "layout", "scene", "view", "bots"),
    "disguise",
}
"""Modules of a game that hold no rule: words, pictures, places, lights, views, aids of proofs."""
TIMES = 5
"""A fault that takes this many times the processor time of the unchanged rules counts as an endless loop."""
PATIENCE = 20
"""Seconds on the clock for each second of processor time: other work on the machine must not kill a fault."""
FATES = ("killed", "timeout", "import", "survived")


class Unusable(Exception):
    """The run cannot begin; the message says why."""


class Mutant(NamedTuple):
    """A fault in a module."""

    module: str
    fault: Fault


@dataclass(frozen=True, slots=True)
class Project:
    """Where the rules are and which runs of pytest, by their arguments, judge them."""

    root: Path
    modules: dict[str, Path]
    runs: list[list[str]]
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
        return _digest(path.read_bytes() for path in files)


def _digest(parts: Iterable[bytes]) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:12]


def game_project(game: str, root: Path = ROOT) -> Project:
    """The rule modules of a game, its own tests and those of the contract."""
    games = root / "companion" / "games"
    known = sorted(path.parent.name for path in games.glob("*/ledger.txt"))
    if game not in known:
        raise Unusable(f"no game {game!r}; there are {', '.join(known)}")
    modules = {
        f"companion.games.{game}.{path.stem}": path
        for path in (games / game).glob("*.py")
        if path.stem not in NO_RULES
    }
    marks = ["-m", "not slow and not long"]
    runs = [[f"tests/games/{game}", *marks], ["tests/contract", "-k", game, *marks]]
    return Project(root, modules, runs, [root / "tests" / "games" / game, root / "tests" / "contract"])


def sample(mutants: list[Mutant], n: int, seed: int) -> list[Mutant]:
    """The same mutants for the same seed, as long as the rules are the same."""
    return random.Random(seed).sample(mutants, min(n, len(mutants)))


# One mutant ---------------------------------------------------------------------------------------


def attempt(project: Project, module: str, text: str, cpu_s: int) -> tuple[dict[str, object], str]:
    """What becomes of the project's tests when a module has this text, and what pytest printed."""
    task = {
        "root": str(project.root),
        "module": module,
        "path": str(project.modules[module]),
        "text": text,
        "runs": project.runs,
        "cpu_s": cpu_s,
    }
    worker = subprocess.Popen(
        [sys.executable, str(WORKER)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | {"PYTHONHASHSEED": "0"},
    )
    try:
        out, printed = worker.communicate(json.dumps(task), timeout=PATIENCE * cpu_s or None)
    except subprocess.TimeoutExpired:
        os.killpg(worker.pid, signal.SIGKILL)
        worker.communicate()
        return {"fate": "timeout", "by": ""}, ""
    if worker.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return {"fate": "timeout", "by": ""}, printed
    if worker.returncode != 0 or not out:
        return {"fate": "killed", "by": f"the process ended with {worker.returncode}"}, printed
    return json.loads(out), printed


def processor_limit(project: Project) -> int:
    """The seconds that a mutant may take; the unchanged rules must pass first, served by the same hook."""
    module = min(project.modules)
    result, printed = attempt(project, module, project.texts[module], 0)
    if result["fate"] != "survived":
        raise Unusable(f"{printed}\nthe unchanged rules fail ({result['by']}): mend that first")
    return 1 + int(TIMES * float(str(result["cpu_s"])))


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

    def add(self, mutant: Mutant, result: dict[str, object]) -> None:
        key = self._key(mutant)
        names = ("module", "rules", *Fault._fields)
        record = dict(zip(names, key, strict=True)) | {"tests": self._tests} | result
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
    cpu_s = processor_limit(project)
    count = Counter(str(found["fate"]) for mutant in mutants if (found := kept.find(mutant)))

    def one(mutant: Mutant) -> dict[str, object]:
        text = mutant.fault.applied(project.texts[mutant.module])
        return attempt(project, mutant.module, text, cpu_s)[0]

    with ThreadPoolExecutor(jobs) as pool:
        futures = {pool.submit(one, mutant): mutant for mutant in todo}
        try:
            for future in as_completed(futures):
                result = future.result()
                kept.add(futures[future], result)
                count[str(result["fate"])] += 1
                _progress(count, len(mutants))
        except KeyboardInterrupt:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
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
    parser.add_argument(
        "--seed", type=int, help="which faults; the file's own or a random one when not given"
    )
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep results there and go on from them")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time (one per core)"
    )
    chosen = parser.parse_args(arguments)
    try:
        project = game_project(chosen.game)
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
