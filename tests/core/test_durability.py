"""What disks, clocks and power cuts do: nothing acknowledged is lost, and no wrong game is ever shown."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from companion.engine.errors import JournalError
from companion.games import REGISTRY, load
from companion.table.journal import Journal, salvage
from companion.table.session import Session

SEED = 2026


def begin(journal, key="onirim", seed=5):
    game = load(key)
    return Session.start(journal, game, next(iter(game.samples.values())), seed=seed)


def play(session, moves, rng):
    for _ in range(moves):
        needs = session.state().needs()
        if not needs:
            return
        seat = rng.choice(needs).seat
        session.submit(seat, rng.choice(session.actions(seat)))


def games_of_all_kinds(path, moves=30):
    """A journal with a game of each kind, still open, and what each game was."""
    journal = Journal(path)
    rng = Random(SEED)
    sessions = [begin(journal, key) for key in REGISTRY for _ in range(2)]
    for session in sessions:
        play(session, moves, rng)
    return journal, {session.number: session.lines() for session in sessions}


# A full disk -----------------------------------------------------------------------------------


@contextmanager
def files_end_at(size):
    """No file can grow beyond this, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_disk_that_fills_up_stops_the_game_and_loses_nothing(tmp_path):
    journal = Journal(tmp_path / "games.db")
    session = begin(journal)
    acknowledged = session.lines()
    with files_end_at((tmp_path / "games.db-wal").stat().st_size + 20_000):
        with pytest.raises(JournalError, match="the action was not stored"):
            for _ in range(500):
                session.submit(0, session.actions(0)[0])
                session.undo(force=True)
                acknowledged = session.lines()
        kept = session.lines()
        assert kept[: len(acknowledged)] == acknowledged
    journal.close()
    assert Session(Journal(tmp_path / "games.db"), session.number).lines() == kept


def test_play_goes_on_when_there_is_room_again(tmp_path):
    journal = Journal(tmp_path / "games.db")
    session = begin(journal)
    with files_end_at((tmp_path / "games.db-wal").stat().st_size), pytest.raises(JournalError):
        session.submit(0, session.actions(0)[0])
    before = len(session.lines())
    session.submit(0, session.actions(0)[0])
    assert len(session.lines()) > before
    assert Session(journal, session.number).lines() == session.lines()


# A disk that cannot be written -----------------------------------------------------------------


def test_a_journal_that_cannot_be_written_says_so_and_gives_the_right_advice(tmp_path):
    with pytest.raises(JournalError, match="make the folder writable") as error:
        Journal(tmp_path / "missing" / "games.db")
    assert "salvage" not in str(error.value)


@pytest.mark.slow
@pytest.mark.root
def test_a_read_only_disk_is_named_and_nothing_on_it_is_touched(tmp_path):
    journal, _ = games_of_all_kinds(tmp_path / "games.db", moves=3)
    journal.close()
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    read_only = 'mount --bind "$0" "$0"; mount -o remount,bind,ro "$0"; exec "$@"'
    command = [
        sys.executable,
        "-m",
        "companion.service.cli",
        "saved",
        "--journal",
        str(tmp_path / "games.db"),
    ]
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-ec", read_only, str(tmp_path), *command],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1 and "make the folder writable" in done.stderr, done.stderr
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


# Clocks ----------------------------------------------------------------------------------------


def test_a_clock_that_jumps_changes_no_order(tmp_path):
    """A Pi has no clock of its own: it wakes up in the past and jumps when the network tells the time."""
    journal, games = games_of_all_kinds(tmp_path / "games.db")
    jump = "UPDATE lines SET at = printf('%d-01-01T00:00:00+00:00', 2026 - 20 * (line % 3))"
    journal._db.execute(jump)
    journal._db.execute("UPDATE games SET started = printf('%d-01-01T00:00:00+00:00', 2030 - id)")
    assert [stored.id for stored in journal.games()] == sorted(games, reverse=True)
    for number, lines in games.items():
        assert Session(journal, number).lines()[: len(lines)] == lines


# Damaged files ---------------------------------------------------------------------------------


def readable(path):
    """What a journal says about each game: its lines, or nothing where it says that they are damaged."""
    try:
        journal = Journal(path)
    except JournalError:
        return {}
    found = {}
    try:
        for stored in journal.games():
            try:
                found[stored.id] = [line[:2] for line in journal.read(stored.id)]
            except JournalError:
                continue
    except JournalError:
        return {}
    finally:
        journal.close()
    return found


@pytest.mark.slow
def test_a_damaged_page_never_gives_a_wrong_game(tmp_path):
    journal, games = games_of_all_kinds(tmp_path / "games.db")
    journal.close()
    whole = (tmp_path / "games.db").read_bytes()
    rng = Random(SEED)
    print(f"seed {SEED}")
    unread = 0
    for round_ in range(60):
        page = rng.randrange(len(whole) // 4096)
        start = 4096 * page + rng.randrange(4000)
        noise = rng.randbytes(rng.choice([1, 16, 96]))
        path = tmp_path / f"damaged{round_}.db"
        path.write_bytes(whole[:start] + noise + whole[start + len(noise) :])
        found = readable(path)
        unread += len(games) - len(found)
        for number, lines in found.items():
            assert lines == games[number], (
                f"round {round_}: game {number} changed by {len(noise)} bytes at {start}"
            )
    assert unread, "no damage was ever noticed"


def test_the_good_part_of_a_damaged_journal_is_saved(tmp_path):
    journal, games = games_of_all_kinds(tmp_path / "games.db")
    journal.close()
    whole = bytearray((tmp_path / "games.db").read_bytes())
    rng = Random(SEED)
    print(f"seed {SEED}")
    last = len(whole) // 4096 - 1
    for _ in range(3):
        start = 4096 * rng.randrange(3, last) + 200
        whole[start : start + 64] = rng.randbytes(64)
    (tmp_path / "games.db").write_bytes(whole)
    saved = salvage(tmp_path / "games.db", tmp_path / "saved.db")
    fresh = Journal(tmp_path / "saved.db")
    for stored, n in saved:
        assert [line[:2] for line in fresh.read(stored.id)] == games[stored.id][:n]
    assert sum(n for _, n in saved) > sum(map(len, games.values())) // 4


def test_a_torn_write_ahead_log_opens_as_the_position_before_the_tear(tmp_path):
    journal, games = games_of_all_kinds(tmp_path / "games.db", moves=12)
    log = (tmp_path / "games.db-wal").read_bytes()
    rng = Random(SEED)
    print(f"seed {SEED}")
    earlier = 0
    for round_ in range(25):
        cut = rng.randrange(len(log))
        torn = tmp_path / f"torn{round_}.db"
        shutil.copy(tmp_path / "games.db", torn)
        torn.with_name(f"{torn.name}-wal").write_bytes(log[:cut])
        found = readable(torn)
        earlier += 0 < sum(map(len, found.values())) < sum(map(len, games.values()))
        for number, lines in found.items():
            assert lines == games[number][: len(lines)], f"cut at {cut}: game {number} is no earlier position"
    assert earlier > 10, "hardly any cut gave an earlier position"
    assert readable(tmp_path / "games.db") == games
    journal.close()
