"""The journal and the session: durable, replayable, honest about damage."""

from __future__ import annotations

import sqlite3
import threading

import pytest

from companion.action import PUBLIC
from companion.chance import Scripted
from companion.errors import JournalError, NotationError, NotYourSeat, Refused, StaleVersion
from companion.games import load
from companion.journal import Journal, Line, salvage
from companion.session import QUEUE, Session

ONIRIM = load("onirim")


@pytest.fixture
def journal(tmp_path):
    journal = Journal(tmp_path / "games.db")
    yield journal
    journal.close()


def begin(journal, seed=3, **options):
    return Session.start(journal, ONIRIM, options, seed=seed)


def play(session, moves=12):
    """Takes the first action offered, several times."""
    for _ in range(moves):
        needs = session.state().needs()
        if not needs:
            return
        session.submit(needs[0].seat, session.actions(needs[0].seat)[0])


def test_the_journal_is_durable_by_its_settings(journal):
    (mode,) = journal._db.execute("PRAGMA journal_mode").fetchone()
    (level,) = journal._db.execute("PRAGMA synchronous").fetchone()
    assert (mode, level) == ("wal", 2)


def test_an_acknowledged_action_is_in_the_file(journal, tmp_path):
    session = begin(journal)
    session.submit(0, session.actions(0)[0])
    other = sqlite3.connect(tmp_path / "games.db")
    rows = other.execute("SELECT seat, text FROM lines ORDER BY line").fetchall()
    assert rows == session.lines()


def test_several_games_are_stored_and_reopened(journal):
    first, second = begin(journal), begin(journal, players=2)
    play(first), play(second)
    assert [stored.id for stored in journal.games()] == [second.number, first.number]
    for session in (first, second):
        again = Session(journal, session.number, seed=99)
        assert again.lines() == session.lines()
        for viewer in session.viewers:
            assert again.update(viewer) == session.update(viewer)


def test_a_refused_or_unreadable_action_changes_and_stores_nothing(journal):
    session = begin(journal)
    before = session.lines(), session.update(PUBLIC)
    with pytest.raises(Refused):
        session.submit(0, "take")
    with pytest.raises(NotationError, match="flies"):
        session.submit(0, "flies")
    assert (session.lines(), session.update(PUBLIC)) == before
    assert len(journal.read(session.number)) == len(before[0])


def test_a_late_phone_is_told_to_look_again(journal):
    session = begin(journal)
    seen = session.update(0).version
    session.submit(0, session.actions(0)[0], seen)
    with pytest.raises(StaleVersion, match=str(seen)):
        session.submit(0, session.actions(0)[0], seen)


def test_undo_takes_back_a_decision_with_what_followed_and_says_so(journal):
    session = begin(journal)
    stream = session.subscribe(PUBLIC)
    before = session.update(0)
    session.submit(0, session.actions(0)[0])
    with pytest.raises(Refused, match="undo-reveals"):
        session.undo()
    session.undo(force=True)
    after = session.update(0)
    assert after.view == before.view and after.version > before.version
    updates = [stream.get(0) for _ in range(3)]
    assert [event.kind for event in updates[-1].events] == ["undone"]
    assert Session(journal, session.number).lines() == session.lines()


def test_undo_without_a_reveal_needs_no_force(journal):
    session = begin(journal, players=2, deck="physical")
    play(session, 9)
    while session.state().needs()[0].seat == -1:
        session.submit(-1, session.actions(-1)[0])
    seat = session.state().needs()[0].seat
    length = len(session.lines())
    session.submit(seat, session.actions(seat)[0])
    session.undo(seat)
    assert len(session.lines()) == length


def test_a_seat_takes_back_only_its_own(journal):
    session = begin(journal, players=2)
    session.submit(0, session.actions(0)[0])
    with pytest.raises(Refused, match="undo-nothing"):
        session.undo(1, force=True)


def test_hidden_actions_move_nobody_elses_version(journal):
    """The partner cannot count what a Prophecy's owner does with it."""
    session = begin(journal, players=2, deck="physical")
    notation = session.state().notation
    script = [
        "shuffle",
        "draw Rk",
        "draw Rk",
        "draw Rs",
        "draw Rs",
        "draw Rs",
        "draw Rs",
        "draw Gs",
        "draw Gs",
    ]
    for line in script:
        session.submit(-1, line)
    for seat, pick in ((0, "Rk"), (1, "Rk"), (0, "Rs"), (1, "Rs"), (0, "Rs"), (1, "Rs")):
        session.submit(seat, f"pick {pick}")
    session.submit(0, "discard Rk")
    session.submit(0, "keep")
    before = session.update(1)
    session.submit(-1, "look NM")
    assert session.update(1).view["looked"] == {"n": 1, "cards": None}
    assert session.update(1).version == before.version + 1
    assert "NM" not in str(session.update(1).view["looked"])
    assert notation.parse("look NM")


def test_subscribers_get_every_change_in_order(journal):
    session = begin(journal)
    stream = session.subscribe(0)
    play(session, 5)
    versions = []
    while (update := stream.get(0)) is not None:
        versions.append(update.version)
    assert versions == sorted(versions) and versions[-1] == session.update(0).version


def test_a_slow_subscriber_loses_old_updates_but_not_the_order(journal):
    session = begin(journal)
    stream = session.subscribe(0)
    for _ in range(QUEUE):
        session.submit(0, session.actions(0)[0]) if session.state().needs() else None
        session.undo(force=True) if session.state().needs() else None
    versions = []
    while (update := stream.get(0)) is not None:
        versions.append(update.version)
    assert len(versions) == QUEUE and versions == sorted(versions)
    assert versions[-1] == session.update(0).version


def test_a_reader_that_waits_never_blocks_the_table(journal):
    session = begin(journal)
    stream = session.subscribe(0)
    stream.get(0)
    heard = []
    reader = threading.Thread(target=lambda: heard.append(stream.get(10)))
    reader.start()
    session.submit(0, session.actions(0)[0])
    reader.join(10)
    assert heard[0].version == session.update(0).version
    session.unsubscribe(stream)
    assert stream.get(0) is None and stream.is_closed


def test_only_seats_of_the_table_can_listen(journal):
    with pytest.raises(NotYourSeat):
        begin(journal).subscribe(7)


def test_scripted_chance_gives_the_written_game(journal):
    notation = ONIRIM.start(ONIRIM.resolve({})).notation
    deal = ["shuffle", "draw Rs", "draw Rm", "draw Rk", "draw Bs", "draw Gs"]
    session = Session.start(journal, ONIRIM, {}, Scripted(notation, deal))
    assert session.update(0).view["hands"][0]["cards"] == ["Rs", "Rm", "Rk", "Bs", "Gs"]


# Damage ----------------------------------------------------------------------------------------


def test_a_damaged_line_is_named_and_the_good_part_can_be_saved(journal, tmp_path):
    session = begin(journal)
    play(session)
    good = session.lines()[:8]
    journal._db.execute("UPDATE lines SET text = 'draw NM' WHERE line = 8")
    with pytest.raises(JournalError, match="line 9 is damaged; the 8 lines before it are good") as error:
        Session(journal, session.number)
    assert (error.value.line, error.value.good) == (9, 8)
    journal.close()
    saved = salvage(tmp_path / "games.db", tmp_path / "saved.db")
    assert [(stored.game, lines) for stored, lines in saved] == [("onirim", 8)]
    assert [line[:2] for line in Journal(tmp_path / "saved.db").read(1)] == good


def test_a_missing_line_is_noticed(journal):
    session = begin(journal)
    play(session)
    journal._db.execute("DELETE FROM lines WHERE line = 4")
    with pytest.raises(JournalError, match="line 5 is damaged"):
        journal.read(session.number)


def test_a_stored_line_that_the_rules_refuse_is_named(journal):
    number = journal.create("onirim", 1, ONIRIM.resolve({}))
    journal.append(number, 0, [Line(-1, "shuffle"), Line(0, "take")])
    with pytest.raises(JournalError, match=r"line 2 \('take'\) is refused") as error:
        Session(journal, number)
    assert error.value.good == 1


def test_a_game_of_other_rules_is_not_replayed(journal):
    number = journal.create("onirim", 999, ONIRIM.resolve({}))
    with pytest.raises(JournalError, match="rules version 999"):
        Session(journal, number)


@pytest.mark.parametrize(
    "content", [b"this is no database at all" * 100, b"SQLite format 3\0" + b"\1" * 4000]
)
def test_a_file_that_is_no_journal_is_refused_and_left_alone(tmp_path, content):
    path = tmp_path / "games.db"
    path.write_bytes(content)
    with pytest.raises(JournalError, match=r"games\.db"):
        Journal(path)
    assert path.read_bytes() == content


def test_a_truncated_journal_is_refused_with_the_way_out(tmp_path):
    journal = Journal(tmp_path / "games.db")
    for _ in range(30):
        play(begin(journal))
    journal.close()
    path = tmp_path / "games.db"
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 2 // 3])
    with pytest.raises(JournalError, match="doctor --salvage"):
        Journal(path)


def test_a_journal_of_the_future_is_not_touched(tmp_path):
    Journal(tmp_path / "games.db").close()
    db = sqlite3.connect(tmp_path / "games.db")
    db.execute("PRAGMA user_version=99")
    db.close()
    with pytest.raises(JournalError, match="format 99"):
        Journal(tmp_path / "games.db")


def test_two_tables_cannot_write_the_same_game(journal):
    one = begin(journal)
    two = Session(journal, one.number, seed=4)
    one.submit(0, one.actions(0)[0])
    with pytest.raises(JournalError, match="somebody else"):
        two.submit(0, two.actions(0)[0])
    assert Session(journal, one.number).lines() == one.lines()


def test_a_full_disk_loses_nothing_that_was_acknowledged(journal):
    session = begin(journal)
    (pages,) = journal._db.execute("PRAGMA page_count").fetchone()
    journal._db.execute(f"PRAGMA max_page_count={pages}")
    acknowledged = session.lines()
    with pytest.raises(JournalError, match="full"):
        for _ in range(500):
            session.submit(0, session.actions(0)[0])
            session.undo(force=True)
            acknowledged = session.lines()
    reopened = Session(journal, session.number)
    assert reopened.lines()[: len(acknowledged)] == acknowledged
    assert reopened.lines() == session.lines()
