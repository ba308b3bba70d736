"""The journal and the session: durable, replayable, honest about damage."""

from __future__ import annotations

import sqlite3
import threading
from random import Random

import pytest

from companion.engine.action import PUBLIC, TABLE
from companion.engine.chance import Scripted
from companion.engine.errors import JournalError, NotationError, NotYourSeat, Refused, StaleVersion
from companion.games import load
from companion.table.journal import Journal, Line, salvage
from companion.table.session import QUEUE, Session

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


# Undo, sides and notes -----------------------------------------------------------------------------

WHISPER = load("whisper")
KILLER, SURVIVORS = 0, 1


def hunt(journal, seed=5, sample="maniac"):
    """A game of Whisper in the survivors' first turn, with the killer's notes."""
    session = Session.start(journal, WHISPER, {**WHISPER.samples[sample], "notes": True}, seed=seed)
    rng = Random(seed)
    for _ in range(200):
        if any(text.startswith("wake") for text in session.actions(SURVIVORS)):
            return session
        seat = rng.choice([need.seat for need in session.state().needs()])
        wanted = [text for text in session.actions(seat) if not text.startswith(("note", "guess"))]
        if wanted:
            session.submit(seat, rng.choice(wanted))
    raise AssertionError("nobody may act")


def note(session):
    """The killer puts a note somewhere else."""
    session.submit(KILLER, next(text for text in session.actions(KILLER) if text.startswith("note")))


def answer(session, seat):
    """How the table answers an undo: the code of the refusal, or nothing."""
    try:
        session.undo(seat)
    except Refused as refused:
        return refused.refusal.code
    return None


def test_a_note_and_an_undo_do_not_tell_the_killer_whether_somebody_acted(journal):
    """Twins that differ in the journal: in one of them a survivor has acted in secret."""
    still, acted = hunt(journal), hunt(journal)
    acted.submit(SURVIVORS, acted.actions(SURVIVORS)[0])
    answers, views = [], []
    for session in (still, acted):
        note(session)
        answers.append(answer(session, KILLER))
        views.append(session.update(KILLER))
    assert answers[0] == answers[1] == "undo-nothing"
    assert views[0] == views[1] and still.history(KILLER) == acted.history(KILLER)


def test_a_note_does_not_stand_in_the_way_of_the_survivors_undo_and_stays(journal):
    session = hunt(journal)
    before = session.update(SURVIVORS).view
    session.submit(SURVIVORS, session.actions(SURVIVORS)[0])
    note(session)
    killers = session.update(KILLER)
    session.undo(SURVIVORS)
    assert session.update(SURVIVORS).view == before
    assert session.update(KILLER) == killers, "the killer sees neither the move nor that it was taken back"
    again = Session(journal, session.number)
    assert again.lines() == session.lines() and again.update(KILLER) == killers


def test_an_undo_is_refused_alike_whether_or_not_the_other_side_has_acted_in_secret(journal):
    """Once the killer must act, the survivors learn nothing from trying."""
    session = hunt(journal)
    rng = Random(1)
    answers = set()
    for _ in range(400):
        if not session.state().needs():
            break
        shown = {who for who, _ in session.update(SURVIVORS).view["needs"]}
        if shown == {KILLER}:
            answers.add(answer(session, SURVIVORS))
        seat = rng.choice([need.seat for need in session.state().needs()])
        session.submit(seat, rng.choice(session.actions(seat)))
    assert answers == {"undo-nothing"}


@pytest.mark.parametrize(
    ("key", "sample"), [("whisper", "crossroads"), ("dark_cave", "five"), ("bad_bones", "commanders")]
)
def test_what_a_seat_has_done_is_not_taken_back_once_another_side_must_act(journal, key, sample):
    """Yes or no would tell whether that one has acted, which may be hidden."""
    game, rng, asked = load(key), Random(4), 0
    options = game.resolve(game.samples[sample])
    session = Session.start(journal, game, options, seed=4)
    for _ in range(200):
        needs = session.state().needs()
        if not needs:
            break
        last = session.lines()[-1][0] if session.lines() else TABLE
        others = {who for who, _ in session.update(last).view["needs"]} - {TABLE} if last != TABLE else ()
        if any(game.side(options, who) != game.side(options, last) for who in others):
            assert answer(session, last) == "undo-nothing"
            asked += 1
        seat = rng.choice(needs).seat
        if seat == TABLE:
            draw = rng.choice(session.state().outcomes())[0]
            session.submit(TABLE, session.state().notation.text(draw))
        else:
            offered = [text for text in session.actions(seat) if text != "concede"]
            session.submit(seat, rng.choice(offered or session.actions(seat)))
    assert asked > 9, "hardly anybody had to wait for another side"


def test_a_forced_undo_is_told_to_everybody_until_the_game_is_over(journal):
    session = hunt(journal)
    session.submit(SURVIVORS, session.actions(SURVIVORS)[0])
    streams = [session.subscribe(viewer) for viewer in session.viewers]
    for stream in streams:
        stream.get(0)
    assert session.standing == ()
    with pytest.raises(Refused, match="undo-reveals"):
        session.undo()
    session.undo(force=True)
    for stream in streams:
        assert [event.kind for event in stream.get(0).events] == ["undone"], stream.viewer
    assert session.standing == Session(journal, session.number).standing == ("undo-forced",)


@pytest.mark.parametrize("reopen", [False, True])
@pytest.mark.parametrize("key", ["onirim", "night_cage", "whisper", "dark_cave"])
def test_what_was_drawn_stays_drawn_after_a_forced_undo(journal, key, reopen):
    """The same action after an undo brings the same cards and dice, also after a restart."""
    game = load(key)
    session = Session.start(journal, game, {}, seed=4)
    rng = Random(4)
    compared = 0
    for _ in range(300):
        needs = session.state().needs()
        if compared >= 12 or not needs:
            break
        seat = rng.choice(needs).seat
        text = rng.choice([one for one in session.actions(seat) if one != "concede"] or ["concede"])
        before = len(session.lines())
        session.submit(seat, text)
        brought = session.lines()[before:]
        if text.split()[0] in game.notes or not any(one == -1 and " " in word for one, word in brought):
            continue
        for _ in range(3):
            session.undo(force=True)
            session = Session(journal, session.number, seed=rng.random()) if reopen else session
            session.submit(seat, text)
            assert session.lines()[before:] == brought
        compared += 1
    assert compared >= 5


def test_a_card_taken_back_comes_with_another_action_too(journal):
    """Undo, then another way to the same deck: the card that lay on top still does."""
    session = begin(journal)
    discards = [text for text in session.actions(0) if text.startswith("discard")]
    session.submit(0, next(text for text in discards if not text.endswith("k")))
    drawn = [text for seat, text in session.lines() if seat == -1][-1]
    session.undo(force=True)
    other = next(text for text in session.actions(0) if text.startswith("play"))
    session.submit(0, other)
    assert drawn in [text for seat, text in session.lines()[-3:] if seat == -1]


def test_a_notice_is_left_in_every_stored_game_once(journal):
    one, two = begin(journal), begin(journal)
    for _ in range(2):
        journal.mark("backup", but=two.number)
        two.mark("backup")
    two.submit(0, two.actions(0)[0])
    for session in (one, two):
        again = Session(journal, session.number)
        assert again.standing == ("backup",)
        assert again.lines() == session.lines() and again.update(0) == session.update(0)


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
    number = journal.create("onirim", ONIRIM.rules_version, ONIRIM.resolve({}))
    journal.append(number, 0, [Line(-1, "shuffle"), Line(0, "take")])
    with pytest.raises(JournalError, match=r"line 2 \('take'\) is refused") as error:
        Session(journal, number)
    assert error.value.good == 1


@pytest.mark.parametrize("key", ["night_cage", "onirim", "bad_bones", "whisper", "dark_cave"])
def test_a_game_of_other_rules_is_not_replayed(journal, key):
    game = load(key)
    number = journal.create(key, 1, game.resolve({}))
    said = f"rules version 1 of {key}; this Gloam has version {game.rules_version}"
    assert game.rules_version > 1
    with pytest.raises(JournalError, match=said):
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


def test_a_journal_that_another_process_has_just_made_is_used(tmp_path):
    """Two that open a new file both see that it is empty; the second finds the tables when its turn comes."""
    journal = Journal(tmp_path / "new.db")
    number = journal.create("onirim", 2, {})
    journal._create()
    assert [stored.id for stored in journal.games()] == [number]
    journal.close()
