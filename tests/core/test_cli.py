"""The command line: what it prints, and one clear sentence for every mistake."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from io import BytesIO, TextIOWrapper

import pytest

from companion import __version__
from companion.games import load
from companion.service.cli import ELSEWHERE, GROUPS, OWN, main
from companion.table.journal import Journal


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["play", "onirm"], "unknown game 'onirm'. Did you mean 'onirim'?"),
        (["play", "chess"], "unknown game 'chess'"),
        (["play", "onirim", "--option", "playrs=2"], "unknown option 'playrs'; did you mean 'players'?"),
        (["play", "onirim", "--option", "players=7"], "'7' is not allowed; choose one of 1, 2"),
        (["play", "onirim", "--option", "players"], "write it as name=value"),
        (["play", "onirim", "--bot", "genius"], "no bot 'genius'; it has random, careful"),
        (["simulate", "onirim", "-n", "0"], "must be 1 or more"),
        (
            ["simulate", "onirim", "--sample", "duo"],
            "no set-up 'duo'; it has all, solo, silent, open, unseen",
        ),
        (["layout", "nothing"], "unknown game"),
        (["print", "board", "onirim", "--out", "x.pdf", "--option", "players"], "write it as name=value"),
        (["trust", "onirim", "--option", "players"], "write it as name=value"),
        (["demo", "onirim", "--option", "players"], "write it as name=value"),
        (
            ["see", "x.png", "--game", "onirim", "--teach", "x", "--option", "players"],
            "write it as name=value",
        ),
        (["bench", "--only", "speed"], "--only speed: unknown measure; known: playouts, copy, view"),
        (["bench", "--only", "lights.nothing"], "unknown measure; known: lights.frame, lights.core"),
        (["simulat", "onirim"], "unknown command 'simulat'; did you mean 'simulate'?"),
        (["test", "--fast"], "run  ./gloam test  in a clone of Gloam"),
        (["replay", "/nowhere/at/all.txt"], "/nowhere/at/all.txt"),
        (["play", "onirim", "--record", "/nowhere/at/all.txt"], "/nowhere/at/all.txt"),
    ],
)
def test_mistakes_are_one_sentence_and_a_non_zero_exit(args, said, capsys):
    assert main(args) == 1
    error = capsys.readouterr().err
    assert said in error and "Traceback" not in error
    assert len(error.strip().splitlines()) == 1


def test_a_terminal_that_cannot_write_a_qr_code_ends_no_command(monkeypatch):
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(BytesIO(), encoding="ascii"))
    assert main(["--version"]) == 0
    print("▄█ «ночь»", flush=True)


def test_simulate_prints_the_rates_and_holds_the_invariants(capsys):
    assert main(["simulate", "onirim", "-n", "40", "--jobs", "2", "--seed", "5"]) == 0
    first = capsys.readouterr().out
    assert "onirim: 40 games" in first and "no invariant broken" in first and "games/s" in first
    assert main(["simulate", "onirim", "-n", "40", "--jobs", "1", "--seed", "5"]) == 0
    second = capsys.readouterr().out
    assert [line for line in first.splitlines() if "%" in line] == [
        line for line in second.splitlines() if "%" in line
    ]


def test_simulate_plays_every_named_set_up(capsys):
    assert main(["simulate", "onirim", "-n", "2", "--jobs", "1", "--sample", "all"]) == 0
    said = capsys.readouterr().out
    assert [line for line in said.splitlines() if ": 2 games" in line] == [
        f"onirim, {name}: 2 games, bot random, seed 1" for name in ("solo", "silent", "open", "unseen")
    ]
    assert said.count("no invariant broken") == 4


def test_layout_is_json_with_cells_markers_and_faces(capsys):
    assert main(["layout", "onirim", "--option", "players=2"]) == 0
    board = json.loads(capsys.readouterr().out)
    assert {"deck", "reveal", "row2.8"} <= {cell["name"] for cell in board["cells"]}
    assert len(board["markers"]["list"]) == 8 and board["markers"]["dictionary"] == "DICT_4X4_250"
    assert {"Rs", "WD", "NM", "back"} <= {face["name"] for face in board["faces"]}


def test_the_doctor_finds_a_broken_journal_and_writes_a_report(tmp_path, capsys):
    good, broken = tmp_path / "good.db", tmp_path / "broken.db"
    Journal(good).close()
    broken.write_text("no journal")
    assert main(["doctor", "--journal", str(good), "--bundle", str(tmp_path / "r.zip")]) == 0
    assert (tmp_path / "r.zip").exists()
    assert main(["doctor", "--journal", str(broken), "--json"]) == 1
    findings = json.loads(capsys.readouterr().out.split("report written to")[1].split("\n", 1)[1])
    bad = [finding for finding in findings if finding["level"] == "bad"]
    assert len(bad) == 1 and "broken.db" in bad[0]["found"] and "--salvage" in bad[0]["fix"]


def test_the_doctor_saves_what_is_good(tmp_path, capsys):
    journal = Journal(tmp_path / "games.db")
    journal.create("onirim", load("onirim").rules_version, {})
    journal.close()
    out = tmp_path / "saved.db"
    assert main(["doctor", "--salvage", str(tmp_path / "games.db"), "--out", str(out)]) == 0
    assert "saved game 1" in capsys.readouterr().out
    assert main(["doctor", "--salvage", str(tmp_path / "games.db"), "--out", str(out)]) == 1
    assert "exists already" in capsys.readouterr().err


def test_help_shows_every_command_in_its_group_with_the_main_ones_first(capsys):
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    names = [name for commands in GROUPS.values() for name in commands]
    assert set(names) == {*ELSEWHERE, *OWN, "test"} and names[:2] == ["run", "demo"]
    places = [shown.index(f"\n  {name} ") for name in names]
    assert places == sorted(places)
    assert shown.index("Play:") < shown.index("Make:") < shown.index("Check:")
    assert main([]) == 2 and "run " in capsys.readouterr().err


@pytest.mark.parametrize("name", OWN)
def test_every_command_explains_itself(name, capsys):
    with pytest.raises(SystemExit, match="0"):
        main([name, "--help"])
    assert f"usage: gloam {name}" in capsys.readouterr().out


def test_the_version_is_said(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"gloam {__version__}\n"


def test_commands_of_other_packages_exist():
    for place in ELSEWHERE.values():
        module, _, function = place.partition(":")
        assert callable(getattr(import_module(module), function)), place


def test_the_module_is_the_command():
    done = subprocess.run(
        [sys.executable, "-m", "companion.service.cli", "play", "onirm"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1 and done.stderr.startswith("gloam: unknown game")
