"""Kept evenings: what the camera saw is looked at again, and nothing else is understood than then."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from desk_tools import Recording as Table

from companion.engine.errors import ConfigError
from companion.service.cli import main
from companion.service.recording import Recorder, Recording

KEPT = Path(__file__).parent / "evening" / "1-night_cage"


@pytest.mark.slow
def test_the_kept_evening_is_understood_as_it_was():
    evening = Recording(KEPT)
    moves = {tuple(line) for look in evening.looks for line in look["seen"]}
    found = evening.replay()
    assert moves
    assert {line for one in found for line in one.now} <= moves, "no other move is believed"
    assert len([one for one in found if one.then]) < len(moves), [str(one) for one in found]


@pytest.mark.slow
def test_a_move_that_was_never_made_is_found_out(tmp_path, capsys):
    shutil.copytree(KEPT, tmp_path / "kept")
    path = tmp_path / "kept" / "looks.jsonl"
    looks = [json.loads(line) for line in path.read_text().splitlines()]
    first = next(i for i, look in enumerate(looks) if look["seen"])
    looks[first]["picture"] -= 1
    path.write_text("\n".join(json.dumps(look) for look in looks[: first + 1]))
    assert main(["replay", str(tmp_path / "kept")]) == 1
    assert f"look {first + 1}: then {looks[first]['seen'][0][1]}, now nothing" in capsys.readouterr().out


@pytest.mark.parametrize(
    "text", ["", "[]", '{"gloam-evening": 99, "game": "onirim", "options": {}}', "no JSON"]
)
def test_what_is_no_evening_is_said(tmp_path, text):
    (tmp_path / "evening.json").write_text(text)
    (tmp_path / "looks.jsonl").write_text("")
    with pytest.raises(ConfigError, match=str(tmp_path)):
        Recording(tmp_path)


def test_each_game_has_a_folder_of_its_own(tmp_path):
    one = Table(tmp_path).start("onirim", players=1)
    try:
        first, second = Recorder(tmp_path / "kept", one.session), Recorder(tmp_path / "kept", one.session)
        assert first.folder.name == "1-onirim" and second.folder.name == "1-onirim-2"
        header = json.loads((first.folder / "evening.json").read_text())
        assert header["game"] == "onirim" and header["options"]["players"] == "1"
    finally:
        one.close()
