"""The mutation runner on a toy project: which faults it makes, what becomes of them, and that it goes on."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from mutation_faults import faults
from mutation_run import Kept, Project, Unusable, game_project, place, report, run, sample, survivors

RULES = '''"""A toy rule."""


def is_full(count: int) -> bool:
    return count >= 3
'''
TESTS = """from toy.rules import is_full


def test_three_are_full():
    assert is_full(3)


def test_one_is_not():
    assert not is_full(1)
"""


def toy(root: Path, rules: str = RULES, tests: str = TESTS) -> Project:
    (root / "toy").mkdir()
    (root / "toy" / "rules.py").write_text(rules, "utf-8")
    (root / "toy_tests").mkdir()
    (root / "toy_tests" / "test_toy.py").write_text(tests, "utf-8")
    return Project(root, {"toy.rules": root / "toy" / "rules.py"}, ["toy_tests"], [root / "toy_tests"])


def changes(line: str) -> set[str]:
    """What the faults make of a line in a `can_` of its own."""
    text = f"def can_play(a, b):\n    {line}\n    return a\n"
    return {fault.lines(text)[1] for fault in faults(text) if fault.line == 2}


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("x = a < b", {"x = a <= b", "x = a >= b"}),
        ("x = (a) not in (b)", {"x = (a) in (b)"}),
        ("x = a is None", {"x = a is not None"}),
        ("x = a and b", {"x = a or b"}),
        ("x = not (a or b)", {"x = (a or b)", "x = not (a and b)"}),
        ("x = True", {"x = False"}),
        ("x = min(a, b)", {"x = max(a, b)"}),
        ("x = range(a, b)", {"x = range(a, b + 1)", "x = range(a, b - 1)"}),
        ("x = range(5)", {"x = range(6)", "x = range(4)"}),
        ("self.x += a", {"pass"}),
        ("if a: return b", {"if a: pass", "if a: return None"}),
        ("assert a < b", set()),
        ("x: Literal[1] = a", set()),
        ('x = f"{a + 1}"', set()),
        ('x = "ящик" if a == b else a', {'x = "ящик" if a != b else a'}),
    ],
)
def test_faults_of_a_line(line, changed):
    assert changes(line) == changed


@pytest.mark.parametrize("game", ["onirim", "night_cage"])
def test_every_fault_is_a_program_other_than_the_rules(game):
    project = game_project(game)
    for mutant in sample(project.mutants(), 40, seed=1):
        text = project.texts[mutant.module]
        changed = ast.parse(mutant.fault.applied(text))
        assert ast.dump(changed) != ast.dump(ast.parse(text)), mutant


def test_rules_are_found_and_words_and_pictures_are_not():
    found = {module.rpartition(".")[2] for module in game_project("onirim").modules}
    assert {"draw", "play", "nightmare"} <= found
    assert not {"text", "art", "scene", "view", "bots", "mind", "box", "__init__"} & found


def test_only_tests_of_bots_are_left_out():
    words = game_project("onirim").arguments
    wanted = words[words.index("-k") + 1].split(" and ")
    left_out = [word.removeprefix("not ") for word in wanted if word.startswith("not ")]
    assert wanted[0] == "onirim" and left_out == ["bots", "_bot_"], "`both` and `bottom` are no bots"


def test_an_unknown_game_is_named_with_the_known_ones():
    with pytest.raises(Unusable, match=r"'chess'; there are bad_bones, .*onirim"):
        game_project("chess")


def test_the_same_seed_gives_the_same_sample():
    mutants = game_project("onirim").mutants()
    assert sample(mutants, 20, seed=7) == sample(mutants, 20, seed=7)
    assert sample(mutants, 20, seed=7) != sample(mutants, 20, seed=8)


def test_exactly_the_fault_that_no_test_notices_survives_and_nothing_is_tried_twice(tmp_path):
    project, file = toy(tmp_path), tmp_path / "kept.jsonl"
    mutants = project.mutants()

    tried = run(project, mutants, kept := Kept(project, file), jobs=2)

    assert tried == len(mutants) == 5
    assert [mutant.fault.new for mutant in survivors(mutants, kept)] == ["2"]
    assert report(project, mutants, kept).splitlines() == [
        "toy/rules.py:5: number",
        "  - return count >= 3",
        "  + return count >= 2",
        "4 of 5 killed (80.0 %): 4 by a test, 0 by timeout, 0 at import; 1 survived",
    ]
    assert project.modules["toy.rules"].read_text("utf-8") == RULES
    assert run(project, mutants, Kept(project, file), jobs=2) == 0

    # A run that was stopped while it wrote: the line that was cut short is tried again, no other.
    file.write_text(file.read_text("utf-8")[:-20], "utf-8")
    assert run(project, mutants, Kept(project, file), jobs=2) == 1

    # A new test: the survivor is tried again, and dies.
    more = TESTS + "\n\ndef test_two_are_not():\n    assert not is_full(2)\n"
    (tmp_path / "toy_tests" / "test_toy.py").write_text(more, "utf-8")
    assert run(project, mutants, kept := Kept(project, file), jobs=2) == 1
    assert survivors(mutants, kept) == []


def test_endless_loops_and_broken_imports_are_counted_apart(tmp_path):
    rules = "def left(n):\n    while n > 0:\n        n -= 1\n    return n\n\n\nSIZE = [7][0]\n"
    tests = "from toy.rules import left\n\n\ndef test_nothing_is_left():\n    assert left(2) == 0\n"
    project, file = toy(tmp_path, rules, tests), tmp_path / "kept.jsonl"
    mutants = [m for m in project.mutants() if (m.fault.line, m.fault.new) in {(3, "pass"), (7, "1")}]

    run(project, mutants, Kept(project, file), jobs=2)

    records = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert {record["line"]: record["fate"] for record in records} == {3: "timeout", 7: "import"}


def test_a_fault_knows_its_function_and_statement():
    text = (
        "SIZE = 3\n\n\nclass Board:\n    def size(self, n=1):\n        if n:\n            return SIZE + 2\n"
        "        return 0\n"
    )
    found = {(fault.line, fault.kind): place(text, fault) for fault in faults(text)}
    assert found[1, "number"] is None and found[5, "number"] is None, "made at import"
    assert found[7, "number"] == ("Board.size", 7) and found[8, "number"] == ("Board.size", 8)


def test_what_was_worked_out_before_the_fault_is_forgotten(tmp_path):
    rules = (
        "from functools import cache\n\n\n@cache\ndef size(n):\n    return n + 1\n\n\nclass Board:\n"
        "    def __init__(self):\n        self.size = size(4)\n"
    )
    tests = (
        "from toy.rules import Board, size\n\nsize(4)\n\n\ndef test_size():\n    assert Board().size == 5\n"
    )
    project = toy(tmp_path, rules, tests)
    mutants = project.mutants()
    run(project, mutants, kept := Kept(project, None), jobs=1)
    assert survivors(mutants, kept) == []


def test_rules_that_fail_unchanged_are_not_tried(tmp_path):
    project = toy(tmp_path, tests="def test_never():\n    assert False\n")
    with pytest.raises(Unusable, match=r"the unchanged rules fail .*test_never"):
        run(project, project.mutants(), Kept(project, None), jobs=1)


def test_the_seed_is_kept_with_the_results(tmp_path):
    project, file = toy(tmp_path), tmp_path / "kept.jsonl"
    Kept(project, file).begin(41)
    assert Kept(project, file).seed == 41
