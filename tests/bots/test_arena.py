"""`gloam arena` plays what is missing, keeps every game, and counts honestly."""

from __future__ import annotations

import json

import pytest

from companion.service.arena import wilson
from companion.service.cli import main

RUN = ["arena", "onirim", "--player", "beginner", "--seed", "5"]


def test_the_interval_is_that_of_wilson() -> None:
    # 8 of 10, as Agresti and Coull (1998) give the score interval
    low, high = wilson(8, 10)
    assert (round(low, 2), round(high, 2)) == (0.49, 0.94)
    assert wilson(0, 20)[0] == 0.0 and wilson(20, 20)[1] == 1.0


def test_a_run_that_was_cut_goes_on(tmp_path, capsys) -> None:
    kept = tmp_path / "games.jsonl"
    assert main([*RUN, "--games", "2", "--keep", str(kept)]) == 0
    before = kept.read_text("utf-8")
    kept.write_text(before + '{"player": "begi', "utf-8")  # the power went off in the middle of a line
    assert main([*RUN, "--games", "3", "--keep", str(kept), "--json"]) == 0
    assert kept.read_text("utf-8").startswith(before)
    found = json.loads(capsys.readouterr().out.split("\n", 3)[-1])
    assert {name: one["games"] for name, one in found["players"].items()} == {"beginner": 3, "careful": 3}


def test_games_of_another_run_are_not_counted(tmp_path, capsys) -> None:
    kept = tmp_path / "games.jsonl"
    main([*RUN, "--games", "1", "--keep", str(kept)])
    assert main(["arena", "onirim", "--seed", "6", "--games", "1", "--keep", str(kept)]) == 1
    assert "another run" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "said"),
    [(["--player", "nobody"], "no bot"), (["--games", "0"], "1 or more"), (["--seats", "p9"], "no seat")],
)
def test_what_cannot_be_played_is_said(more: list[str], said: str, capsys) -> None:
    assert main(["arena", "onirim", *more]) == 1
    assert said in capsys.readouterr().err
