"""Trust: games played by hands before the virtual camera, with slips, and what is counted."""

from __future__ import annotations

import json

import pytest

from companion.engine.errors import ConfigError
from companion.games import REGISTRY
from companion.service.cli import main
from companion.service.trust import Run, Trust, evenings


def found(run, games=1, seed=1, jobs=1):
    total = Trust()
    for one in evenings(run, range(seed, seed + games), jobs):
        total.add(one)
    return total


@pytest.mark.slow
def test_every_move_and_every_slip_is_counted_once():
    trust = found(Run("night_cage", slips=0.5, most=40, is_clear=True), seed=3)
    noticed = (
        trust.caught + trust.missed + trust.other_legal_moves + trust.no_visible_change + trust.wrong_commits
    )
    asked = trust.ambiguous + trust.unnecessary_questions + trust.false_alarms
    assert trust.slips == noticed == sum(trust.by_slip.values()) > 5
    weighed = trust.not_visible + trust.slips + trust.beliefs + asked - trust.straightened
    assert trust.moves == weighed + trust.commits_in_pauses
    assert trust.missing_said > trust.missing_said_wrongly == 0


@pytest.mark.slow
def test_people_slip_as_often_as_the_run_says():
    trust = found(Run("night_cage", slips=1.0, most=30, is_clear=True), seed=2)
    assert trust.slips > 0.9 * (trust.moves - trust.not_visible)
    assert found(Run("night_cage", slips=0.0, most=30, is_clear=True), seed=2).slips == 0


@pytest.mark.slow
def test_games_played_side_by_side_come_to_the_same():
    run = Run("onirim", most=15, is_clear=True)
    one, two = found(run, games=2), found(run, games=2, jobs=2)
    one.seconds = two.seconds = 0.0
    assert one == two


@pytest.mark.slow
def test_the_command_prints_what_was_run_and_what_was_found(capsys):
    code = main(
        ["trust", "onirim", "-n", "1", "--moves", "8", "--eyes", "clear", "--bot", "random", "--json"]
    )
    said = json.loads(capsys.readouterr().out)
    assert (code, said["run"]["game"], said["found"]["games"]) == (0, "onirim", 1)
    assert said["found"]["moves"] <= 8


@pytest.mark.slow
def test_a_run_that_was_cut_goes_on_where_it_was(tmp_path, capsys):
    asked = ["trust", "onirim", "--moves", "8", "--eyes", "clear", "--bot", "random", "--json"]
    kept = tmp_path / "kept"
    main([*asked, "-n", "2", "--keep", str(kept)])
    capsys.readouterr()
    before = kept.read_text()
    kept.write_text(before + '{"run": {"game": "on')  # cut while a third one was written
    main([*asked, "-n", "3", "--keep", str(kept)])
    in_two = json.loads(capsys.readouterr().out)["found"]
    main([*asked, "-n", "3"])
    at_once = json.loads(capsys.readouterr().out)["found"]
    assert kept.read_text().startswith(before) and len(kept.read_text().splitlines()) == 3
    assert in_two | {"seconds": 0} == at_once | {"seconds": 0}


@pytest.mark.slow
def test_a_campaign_plays_every_game_at_two_levels_and_takes_up_its_own_seed(tmp_path, capsys):
    kept = tmp_path / "kept.jsonl"
    asked = ["trust", "all", "-n", "1", "--moves", "2", "--eyes", "clear", "--bot", "random"]
    asked += ["--keep", str(kept)]
    assert main(asked) == 0
    first, before = capsys.readouterr().out.splitlines()[0], kept.read_text()
    played = [json.loads(line)["run"] for line in before.splitlines()]
    both = {(game, level) for game in REGISTRY for level in (1, 2)}
    assert {(run["game"], run["level"]) for run in played} == both
    assert {f"seeds from {run['seed']}, drawn at random; kept in {kept}" for run in played} == {first}
    assert main(asked) == 0
    assert (capsys.readouterr().out.splitlines()[0], kept.read_text()) == (first, before)


def test_games_of_another_run_are_not_added(tmp_path, capsys):
    asked = ["trust", "onirim", "-n", "1", "--moves", "5", "--eyes", "clear", "--json", "--keep"]
    main([*asked, str(tmp_path / "kept"), "--slips", "1"])
    capsys.readouterr()
    main([*asked, str(tmp_path / "kept"), "--slips", "0"])
    assert json.loads(capsys.readouterr().out)["found"]["slips"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("level", [1, 2])
def test_before_the_camera_nothing_is_believed_wrongly_and_no_slip_is_missed(level):
    """A fixed part of a game of The Night Cage; `gloam trust` plays whole ones."""
    trust = found(Run("night_cage", level=level, slips=0.2, most=30), seed=3)
    assert trust.beliefs > 10 and trust.slips > 0
    assert (trust.wrong_commits, trust.wrong_beliefs, trust.missed) == (0, 0, 0), trust


@pytest.mark.slow
def test_a_covered_camera_leaves_pawns_to_the_switches():
    trust = found(Run("night_cage", slips=0.1, most=30, has_switches=True, cover=3), seed=4)
    assert trust.felt > 0 and trust.read_later > 0
    assert (trust.wrong_commits, trust.wrong_beliefs, trust.missed) == (0, 0, 0), trust


def test_a_file_that_holds_no_games_is_named_and_left_as_it_was(tmp_path, capsys):
    diary = tmp_path / "diary.txt"
    diary.write_text("Dear diary,\nno line end here")
    assert main(["trust", "onirim", "-n", "1", "--moves", "1", "--eyes", "clear", "--keep", str(diary)]) != 0
    assert "diary.txt: line 1 is no game" in capsys.readouterr().err
    assert diary.read_text() == "Dear diary,\nno line end here"


@pytest.mark.slow
def test_people_take_up_drawn_cards_and_the_table_does_not_mind():
    trust = found(Run("onirim", slips=0.0, bot="random", is_clear=True), seed=3)
    assert trust.beliefs > 50
    assert (trust.wrong_commits, trust.wrong_beliefs, trust.false_alarms) == (0, 0, 0)
    assert trust.not_visible < trust.moves / 10


@pytest.mark.slow
@pytest.mark.parametrize(("players", "coop"), [(3, False), (4, True)])
def test_boards_before_their_players_are_followed_wherever_they_lie(players, coop):
    run = Run("bad_bones", (("players", players), ("coop", coop)), slips=0.2, most=12, size=(1920, 1080))
    trust = found(run, seed=2)
    assert trust.moves == 12 and (trust.wrong_commits, trust.wrong_beliefs, trust.missed) == (0, 0, 0)


@pytest.mark.slow
def test_cards_on_a_bare_table_are_followed_though_they_are_pushed_together(monkeypatch):
    monkeypatch.setattr("companion.service.trust.SHOVES", 0.3)
    trust = found(Run("onirim", slips=0.2, most=14, is_bare=True), seed=2)
    assert trust.moves == 14 and trust.beliefs > 4
    assert (trust.wrong_commits, trust.wrong_beliefs, trust.missed) == (0, 0, 0)


def test_a_game_with_a_board_cannot_be_played_on_a_bare_table():
    with pytest.raises(ConfigError, match="no game of cards"):
        found(Run("night_cage", most=1, is_bare=True))
