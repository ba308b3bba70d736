"""Records: the same seed gives the same text, and any changed line is found."""

from __future__ import annotations

from random import Random
from time import process_time

import pytest

from companion.engine.errors import RecordError
from companion.games import load
from companion.service.cli import main
from companion.table.journal import Journal
from companion.table.record import _lines, read_record, replay, write_record
from companion.table.session import Session

RULES = load("onirim").rules_version


@pytest.fixture
def record(tmp_path):
    path = tmp_path / "g.txt"
    assert main(["play", "onirim", "--seed", "7", "--record", str(path)]) == 0
    return path


def test_the_same_seed_writes_the_same_record_and_it_replays(record, tmp_path, capsys):
    again = tmp_path / "h.txt"
    assert main(["play", "onirim", "--seed", "7", "--record", str(again)]) == 0
    assert again.read_text() == record.read_text()
    assert main(["replay", str(record)]) == 0
    assert "onirim" in capsys.readouterr().out


def test_every_changed_line_fails_with_its_number_and_a_rule(record):
    """Each action is replaced by another one that can be written; codes stay as they were."""
    rng = Random(1)
    lines = record.read_text().splitlines()
    for i, line in enumerate(lines):
        who, _, rest = line.partition(": ")
        if not rest:
            continue
        words, code = rest.split("#")
        cards = [card for card in ("Rs", "Bm", "Gk", "WD", "NM") if card not in words]
        if "shuffle" in words:
            changed = f"{who}: draw Rs #{code}"
        else:
            verb = words.split()[0]
            changed = f"{who}: {verb} {rng.choice(cards)} #{code}"
        with pytest.raises(RecordError) as error:
            replay(read_record("\n".join([*lines[:i], changed, *lines[i + 1 :]])))
        assert error.value.line == i + 1, changed
        assert "ON-" in str(error.value)


def test_swapped_dropped_and_doubled_lines_are_found(record):
    lines = record.read_text().splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("p1:"))
    for changed in (
        [*lines[:start], lines[start + 1], lines[start], *lines[start + 2 :]],
        [*lines[:start], *lines[start + 1 :]],
        [*lines[:start], lines[start], *lines[start:]],
    ):
        with pytest.raises(RecordError):
            replay(read_record("\n".join(changed)))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("gloam record 1", "gloam record 9", "line 1: this is no record"),
        ("game onirim", "game onirm", "line 2: unknown game"),
        (f"rules {RULES}", "rules 8", "line 3: this record was made with rules version 8"),
        ("option players=1", "option players=9", "players=9"),
        ("option players=1", "option playrs=1", "playrs"),
    ],
)
def test_a_changed_head_is_explained(record, old, new, said, capsys):
    record.write_text(record.read_text().replace(old, new, 1))
    assert main(["replay", str(record)]) == 1
    assert said in capsys.readouterr().err


def test_a_record_by_hand_needs_no_codes_and_may_have_comments():
    text = f"""
    gloam record 1
    game onirim
    # An evening in June
    rules {RULES}

    table: shuffle
    table: draw Rs   # what luck
    """
    _, played = replay(read_record(text))
    assert played == [(-1, "shuffle"), (-1, "draw Rs")]


def test_the_end_that_is_written_must_be_the_end_that_happened():
    text = f"gloam record 1\ngame onirim\nrules {RULES}\ntable: shuffle\nend won ON-END-01"
    with pytest.raises(RecordError, match=r"line 5: .*not over"):
        replay(read_record(text))


def test_export_and_import_keep_the_game(tmp_path, capsys):
    journal = str(tmp_path / "games.db")
    opened = Journal(journal)
    session = Session.start(opened, load("onirim"), {"players": 2}, seed=5)
    for _ in range(10):
        seat = session.state().needs()[0].seat
        session.submit(seat, session.actions(seat)[0])
    opened.close()
    assert main(["saved", "--journal", journal, "--export", str(session.number)]) == 0
    text = capsys.readouterr().out
    (tmp_path / "r.txt").write_text(text)
    assert main(["saved", "--journal", journal, "--import", str(tmp_path / "r.txt")]) == 0
    again = Session(Journal(journal), 2)
    assert again.lines() == session.lines()
    assert write_record(again.game, again.options, again.lines(), None) == text


def test_a_long_line_of_blanks_takes_no_longer_than_it_is_long():
    def seconds(blanks: int) -> float:
        began = process_time()
        assert _lines("p1: play" + " " * blanks + "Rs")[0].is_intact
        return process_time() - began

    long, short = (min(seconds(n) for _ in range(5)) for n in (32_000, 4_000))
    assert long < 24 * max(short, 1e-4)


def test_a_record_that_is_no_text_is_refused(tmp_path, capsys):
    path = tmp_path / "g.txt"
    path.write_bytes(b"\xff\xfe\x00\x81")
    assert main(["replay", str(path)]) == 1
    assert "is no text" in capsys.readouterr().err
    assert main(["replay", str(tmp_path / "missing.txt")]) == 1
    assert "missing.txt" in capsys.readouterr().err
