"""Every legal action of every game is a few touches away, whatever the position."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from random import Random
from statistics import median

import pytest
from test_web_stuck import positions
from web_tools import Room

from companion.games import REGISTRY, load
from web import frames

JS = Path(__file__).parent / "js"
MOST = 3
"""The most touches that a move takes, turning the piece included."""
EXCEPT = {"dark_cave": 4}
"""A card that is tapped, its place, its turn and the confirm; dragged to its place they are three."""
LIST = 5


@pytest.mark.parametrize("key", REGISTRY)
def test_every_action_is_a_few_touches_away(key: str, room: Room, tmp_path: Path) -> None:
    seed = 41
    print(f"seed {seed}")
    games = []
    for sample, options in load(key).samples.items():
        session = room.table.start(key, options, seed=seed)
        seen = [
            frames.frame(room.table, session, seat, "en")
            for seat in positions(session, Random(f"{seed} {key} {sample}"))
        ]
        games.append({"game": frames.game_json(session, "en"), "frames": seen})
    path = tmp_path / "positions.json"
    path.write_text(json.dumps(games), "utf-8")
    command = ["node", "--import", str(JS / "resolve.mjs"), str(JS / "walk.mjs"), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    touches = found["touches"]
    print(
        f"{key}: {found['actions']} actions, touches: median {median(touches)}, worst {max(touches)}; "
        f"longest list {found['list']}; {found['rows']} orders and sets by dragging"
    )
    assert found["lost"] == []
    assert max(touches) <= EXCEPT.get(key, MOST)
    assert found["list"] <= LIST
