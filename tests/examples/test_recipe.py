"""The recipe for a new game in `companion/README.md`, carried out to the letter in a copy of the tree."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from installed_example import ROOT, copy_of_the_tree

RECIPE = (ROOT / "companion" / "README.md").read_text("utf-8").partition("## To add a game")[2]
COMMANDS = re.findall(r"^    (\S.*)$", RECIPE, re.MULTILINE)
FILES = sorted(set(re.findall(r"`(\w+\.(?:py|js|css|txt))`", RECIPE)))
"""The files of a game's folder that the recipe names."""


@pytest.mark.slow
def test_who_follows_the_recipe_has_a_new_game_on_the_shelf(tmp_path: Path) -> None:
    tree = copy_of_the_tree(tmp_path / "tree")
    # The launcher would make an environment first; everything else is as the reader has it.
    (tree / "gloam").write_text(f'#!/bin/sh\nexec {sys.executable} -m companion.service.cli "$@"\n')
    before = {path: path.read_bytes() for path in tree.rglob("*") if path.is_file()}

    def run(command: str) -> str:
        done = subprocess.run(
            ["bash", "-euc", command], cwd=tree, env=os.environ, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout

    said = [run(command) for command in COMMANDS]
    assert any("my_game: 3 games" in one for one in said)
    assert (tree / "my_game.pdf").read_bytes().startswith(b"%PDF")
    shelf = "from companion.games import REGISTRY; print(*REGISTRY, *REGISTRY.faults)"
    ours = ["night_cage", "bad_bones", "onirim", "my_game", "whisper", "dark_cave"]
    assert sorted(run(f"{sys.executable} -c '{shelf}'").split()) == sorted(ours)
    changed = [path for path, bytes in before.items() if "__pycache__" not in path.parts]
    assert [path for path in changed if path.read_bytes() != before[path]] == [], "nothing else is edited"


@pytest.mark.parametrize("name", FILES)
def test_the_files_that_the_recipe_names_exist(name: str) -> None:
    homes = (ROOT / "companion" / "games", *(ROOT / "companion" / "examples").iterdir())
    assert any(list(home.glob(f"*/{name}")) for home in homes), name
