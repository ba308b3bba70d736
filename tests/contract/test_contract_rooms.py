"""The same rooms in every game's folder, the table of them in the README, and no chain of classes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import companion
from companion.engine.state import State
from companion.games import folder_of, load

OURS = ("onirim", "night_cage", "bad_bones", "whisper", "dark_cave")
"""In the order of the README's columns."""
ROOMS = {
    *("pieces", "position", "verbs", "agenda", "setup", "view", "scene", "layout", "cues"),
    *("text", "page_text", "art", "bots"),
}
README = (Path(companion.__file__).parent / "README.md").read_text("utf-8")


def modules(key: str) -> set[str]:
    return {path.stem for path in folder_of(key).glob("*.py")} - {"__init__"}


@pytest.mark.parametrize("key", OURS)
def test_a_game_has_the_rooms_that_every_game_has(key: str) -> None:
    assert ROOMS - modules(key) == set()


@pytest.mark.parametrize("key", OURS)
def test_the_readme_shows_every_module_of_a_game(key: str) -> None:
    table = README[README.index("## The five games side by side") : README.index("## To add a rule")]
    rows = [row.split("|")[1:-1] for row in table.splitlines() if row.startswith("| ") and "`" in row]
    column = 1 + OURS.index(key)
    told = [name for row in rows for name in re.findall(r"`(\w+)`", row[0] + row[column])]
    assert len(told) == len(set(told)), "a module stands twice"
    assert set(told) == modules(key)


@pytest.mark.parametrize("key", OURS)
def test_no_class_lies_deeper_than_two_below_the_state(key: str) -> None:
    game = load(key)
    kinds = {type(game.start(game.resolve(sample))) for sample in game.samples.values()}
    for kind in kinds:
        below = [one for one in kind.__mro__ if issubclass(one, State) and one is not State]
        assert len(below) <= 2, below
