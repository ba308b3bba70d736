"""The journal: every action of every game, durable before anybody is told.

One SQLite file holds several games as append-only lines. A line is an action in the game's notation, an
undo that says how many actions stay, or a notice. A position is always the replay of its lines, so nothing
else is kept.
Each line carries a checksum: a damaged line is named, and the good part before it can be saved.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from binascii import crc32
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from companion.engine.action import Seat
from companion.engine.errors import JournalError
from companion.engine.options import Options, write
from companion.settings.state_file import ANEW, SAVED

SCHEMA_VERSION = 1
SCHEMA = """
CREATE TABLE games (
    id INTEGER PRIMARY KEY AUTOINCREMENT, game TEXT NOT NULL, rules INTEGER NOT NULL,
    options TEXT NOT NULL, started TEXT NOT NULL);
CREATE TABLE lines (
    game INTEGER NOT NULL REFERENCES games(id), line INTEGER NOT NULL, seat INTEGER NOT NULL,
    text TEXT NOT NULL, versions TEXT NOT NULL, at TEXT NOT NULL, checksum INTEGER NOT NULL,
    PRIMARY KEY (game, line)) WITHOUT ROWID;
"""

MEMORY = ":memory:"
"""The path of a journal that is gone when it is closed."""
SALVAGE = "Save its good part with `gloam doctor --salvage`"

UNDO: Seat = -3
"""The seat of a line that takes actions back; its text is the number of actions that stay."""
NOTICE: Seat = -4
"""The seat of a line that every screen shows until the game is over; its text is the notice's code."""


class DamagedJournal(JournalError):
    """The file is no journal any more, or only in part."""


class NewerJournal(JournalError):
    """The file was written by a newer Gloam."""


class Line(NamedTuple):
    """One line of a stored game; `versions` is what each viewer's counter stood at after it."""

    seat: Seat
    text: str
    versions: tuple[int, ...] = ()


class Stored(NamedTuple):
    """A stored game."""

    id: int
    game: str
    rules: int
    options: dict[str, str]
    started: str
    lines: int
    box: str = ""
    """The fingerprint of the card data that it was played with; "" where none was kept."""


BOX = "box"
"""Where the fingerprint stands: among the words that were agreed before the game."""


GAME_COLUMNS = "id, game, rules, options, started"
LINE_COLUMNS = "game, line, seat, text, versions, at, checksum"


def _stored(row: Sequence[Any]) -> Stored:
    """Reads the row of a game, perhaps with its number of lines; raises `ValueError` or `TypeError`."""
    number, game, rules, text, started, *lines = row
    try:
        options = json.loads(text)
    except RecursionError as error:
        raise ValueError(f"the options of game {number} are damaged") from error
    words = [game, started, *(options.values() if isinstance(options, dict) else [options])]
    if not isinstance(rules, int) or not all(isinstance(word, str) for word in words):
        raise ValueError(f"game {number} is damaged")
    box = options.pop(BOX, "")
    return Stored(number, game, rules, options, started, lines[0] if lines else 0, box)


class Journal:
    """An open journal file; safe to use from several threads."""

    def __init__(self, path: Path | str) -> None:
        self.path = str(path)
        self.folder = None if self.path == ":memory:" else Path(path).parent
        """Where the table keeps what belongs to it; None for a journal that is kept nowhere."""
        self._lock = threading.RLock()
        try:
            self._db = sqlite3.connect(self.path, check_same_thread=False, isolation_level=None, timeout=5)
            self._open()
        except UnicodeDecodeError as error:  # not even what SQLite says about the file can be read
            raise DamagedJournal(f"journal {self.path}: damaged. {SALVAGE}") from error
        except sqlite3.Error as error:
            kind = DamagedJournal if _is_damage(error) else JournalError
            raise kind(f"journal {self.path}: {error}. {_advice(error)}") from error

    @property
    def is_kept(self) -> bool:
        """Whether games are stored in a file; False where the table could not use its own."""
        return self.path != MEMORY

    def _create(self) -> None:
        """Makes the tables, unless another process was faster."""
        with self._transaction():
            there = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone() != (0,)
            for statement in () if there else SCHEMA.split(";"):
                self._db.execute(statement)
            self._db.execute(f"PRAGMA user_version={SCHEMA_VERSION}")

    def _open(self) -> None:
        # FULL: a move that was acknowledged survives a power cut; our write rate makes it free.
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")
        self._db.execute("PRAGMA foreign_keys=ON")
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version > SCHEMA_VERSION:
            raise NewerJournal(
                f"journal {self.path} has format {version}, this Gloam knows {SCHEMA_VERSION}: update Gloam"
            )
        if version == 0:
            self._create()
        (health,) = self._db.execute("PRAGMA quick_check(1)").fetchone()
        if health != "ok":
            raise sqlite3.DatabaseError(health)
        self._check_rows()

    def _check_rows(self) -> None:
        """Raises `sqlite3.DatabaseError` where a column is missing or a game's row is damaged.

        SQLite notices neither, and one such row would hide all games.
        """
        try:
            self._db.execute(f"SELECT {LINE_COLUMNS} FROM lines LIMIT 0")
            for row in self._db.execute(f"SELECT {GAME_COLUMNS} FROM games"):
                _stored(row)
        except (ValueError, TypeError) as error:
            raise sqlite3.DatabaseError(f"the row of a game is damaged ({error})") from error

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._db.close()

    def create(self, game: str, rules: int, options: Options, box: str = "") -> int:
        """Begins a stored game and returns its number."""
        agreed = _agreed(write(options), box)
        with self._guard(), self._transaction():
            cursor = self._db.execute(
                "INSERT INTO games (game, rules, options, started) VALUES (?, ?, ?, ?)",
                (game, rules, agreed, _now()),
            )
            assert cursor.lastrowid is not None
            return cursor.lastrowid

    def skip(self, number: int) -> None:
        """Gives the games that begin from now on numbers above this one."""
        with self._guard(), self._transaction():
            (last,) = self._db.execute(
                "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'games'"
            ).fetchone()
            if last < number:
                self._db.execute("DELETE FROM sqlite_sequence WHERE name = 'games'")
                self._db.execute("INSERT INTO sqlite_sequence VALUES ('games', ?)", (number,))

    def _take(self, stored: Stored, lines: Sequence[Line]) -> None:
        """Takes a game of another journal under the number that it has there: seats are kept by it."""
        with self._guard(), self._transaction():
            agreed = _agreed(stored.options, stored.box)
            row = (stored.id, stored.game, stored.rules, agreed, stored.started)
            self._db.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?)", row)
        self.append(stored.id, 0, lines)

    def games(self) -> list[Stored]:
        """Lists the stored games, newest first."""
        with self._guard(), self._lock:
            rows = self._db.execute(
                f"SELECT {GAME_COLUMNS},"
                " (SELECT count(*) FROM lines WHERE lines.game = games.id) FROM games ORDER BY id DESC"
            ).fetchall()
        try:
            return [_stored(row) for row in rows]
        except (ValueError, TypeError) as error:
            raise JournalError(f"journal {self.path}: {error}. {SALVAGE}") from error

    def stored(self, number: int) -> Stored:
        """Finds a stored game; raises `JournalError` where there is none."""
        for stored in self.games():
            if stored.id == number:
                return stored
        raise JournalError(f"journal {self.path}: there is no stored game {number}")

    def last_played(self) -> list[tuple[int, datetime]]:
        """The games that have lines, with the time of the last one."""
        with self._guard(), self._lock:
            rows = self._db.execute("SELECT game, max(at) FROM lines GROUP BY game").fetchall()
        return [(number, datetime.fromisoformat(at)) for number, at in rows]

    def append(self, number: int, first: int, lines: Sequence[Line]) -> None:
        """Writes lines after the `first` ones already there; returns when they are durable."""
        at = _now()
        rows = [
            (
                number,
                first + i,
                seat,
                text,
                json.dumps(versions),
                at,
                _checksum(number, first + i, seat, text),
            )
            for i, (seat, text, versions) in enumerate(lines)
        ]
        with self._guard(), self._transaction():
            self._db.executemany("INSERT INTO lines VALUES (?, ?, ?, ?, ?, ?, ?)", rows)

    def mark(self, code: str, but: int = 0) -> None:
        """Leaves a notice in every stored game that has lines and not this notice yet, `but` one."""
        with self._guard(), self._lock:
            rows = self._db.execute(
                "SELECT game, max(line), (SELECT versions FROM lines AS last WHERE last.game = lines.game"
                " ORDER BY line DESC LIMIT 1) FROM lines GROUP BY game"
                " HAVING NOT max(seat = ? AND text = ?)",
                (NOTICE, code),
            ).fetchall()
            for number, last, versions in rows:
                if number != but:
                    self.append(number, last + 1, [Line(NOTICE, code, _counters(versions) or ())])

    def read(self, number: int) -> list[Line]:
        """Reads the lines of a game; raises `JournalError` that names the first damaged one."""
        with self._guard(), self._lock:
            rows = self._db.execute(
                "SELECT line, seat, text, versions, checksum FROM lines WHERE game = ? ORDER BY line",
                (number,),
            ).fetchall()
        lines: list[Line] = []
        for line, seat, text, versions, checksum in rows:
            counters = _counters(versions)
            if line != len(lines) or checksum != _checksum(number, line, seat, text) or counters is None:
                raise JournalError(
                    f"journal {self.path}, game {number}: line {len(lines) + 1} is damaged; "
                    f"the {len(lines)} lines before it are good",
                    line=len(lines) + 1,
                    good=len(lines),
                )
            lines.append(Line(seat, text, counters))
        return lines

    def copy_to(self, path: Path | str) -> None:
        """Writes a whole copy, also while games go on."""
        with self._guard(), self._lock, closing(sqlite3.connect(path)) as target:
            self._db.backup(target)

    def replace_by(self, path: Path | str) -> None:
        """Takes everything from another journal file; what was here before is gone."""
        with self._guard(), self._lock, closing(sqlite3.connect(path)) as source:
            source.backup(self._db)

    def move_to(self, path: Path | str, numbers: Sequence[int]) -> None:
        """Moves games into a new journal file; they are whole there before they are gone from here."""
        if Path(path).exists():
            raise JournalError(f"{path} exists already; nothing was moved")
        self.copy_to(path)
        with closing(Journal(path)) as target:
            target._forget([stored.id for stored in target.games() if stored.id not in numbers])
        self._forget(numbers)

    def delete(self, number: int) -> None:
        """Deletes a stored game; raises `JournalError` where there is none."""
        self.stored(number)
        self._forget([number])

    def _forget(self, numbers: Sequence[int]) -> None:
        with self._guard(), self._transaction():
            for table, column in (("lines", "game"), ("games", "id")):
                self._db.executemany(f"DELETE FROM {table} WHERE {column} = ?", [(one,) for one in numbers])

    def verify(self) -> int:
        """Checks that what was acknowledged is on the disk and whole; returns the number of stored lines."""
        with self._guard(), self._lock:
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            (health,) = self._db.execute("PRAGMA integrity_check(1)").fetchone()
            if health != "ok":
                raise JournalError(f"journal {self.path}: {health}")
            (lines,) = self._db.execute("SELECT count(*) FROM lines").fetchone()
            for stored in self.games():
                self.read(stored.id)
            return int(lines)

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Turns what SQLite says into an error for people; nothing was written when it is raised."""
        try:
            yield
        except sqlite3.IntegrityError as error:
            raise JournalError(
                f"journal {self.path}: somebody else is writing this game ({error})"
            ) from error
        except sqlite3.Error as error:
            raise JournalError(f"journal {self.path}: {error}; the action was not stored") from error


def _agreed(options: dict[str, str], box: str) -> str:
    return json.dumps({**options, **({BOX: box} if box else {})}, sort_keys=True)


def salvage(damaged: Path | str, target: Path | str) -> list[tuple[Stored, int]]:
    """Copies what is good of a damaged journal into a new one: of each game the lines before the damage.

    Returns the games with the number of lines saved. The damaged file is only read.
    """
    source = sqlite3.connect(f"file:{damaged}?mode=ro", uri=True)
    source.text_factory = lambda content: content.decode("utf-8", "replace")
    fresh = Journal(target)
    saved: list[tuple[Stored, int]] = []
    try:
        for row in list(_readable(source, f"SELECT {GAME_COLUMNS} FROM games LIMIT {MOST_GAMES}")):
            try:
                stored = _stored(row)
                lines = _good_lines(source, stored.id)
                fresh._take(stored, lines)
            except (ValueError, TypeError):
                continue  # without its options a game cannot be played
            saved.append((stored._replace(lines=len(lines)), len(lines)))
    except sqlite3.Error as error:
        raise JournalError(f"journal {damaged}: nothing can be read: {error}") from error
    finally:
        source.close()
        fresh.close()
    return saved


def mend(path: Path) -> list[tuple[Stored, int]]:
    """Sets a damaged journal aside and puts what is good of it in its place; returns what was saved.

    Raises `OSError` where it cannot be set aside; then nothing has changed.
    """
    fresh = path.with_name(path.name + ".saved")
    for leftover in (fresh, *(Path(f"{fresh}{part}") for part in ("-wal", "-shm"))):
        leftover.unlink(missing_ok=True)
    try:
        saved = salvage(path, fresh)
    except (JournalError, sqlite3.Error, UnicodeDecodeError):  # nothing of it can be read
        saved = []
    aside = path.with_name(path.name + (SAVED if saved else ANEW))
    for part in ("-wal", "-shm", ""):
        if Path(f"{path}{part}").exists():
            Path(f"{path}{part}").replace(f"{aside}{part}")
    fresh.replace(path)
    return saved


MOST_STEPS, STEPS_AT_ONCE = 50_000_000, 10_000
"""How many instructions of SQLite's a query on a doubtful file may take: some seconds."""
MOST_GAMES, MOST_LINES, MOST_LETTERS = 5_000, 200_000, 20_000
LARGEST_NUMBER = 2**31
LARGEST_GAME = 100_000_000
"""The largest number of a game that is taken; seats are kept for numbers of nine digits."""


def copy_rows(source: Path, target: Path) -> None:
    """Takes the games of a file that may come from anybody into a new journal, row by row.

    Only rows are taken: triggers, views and whatever else the file holds have no effect. Raises
    `JournalError` where a table is not made as ours, or a value is none that we write.
    """
    wanted = [_statement(one) for one in SCHEMA.split(";")[:2]]
    try:
        with closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as old:
            old.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1_000_000)
            _bound_steps(old)
            old.execute("PRAGMA trusted_schema=OFF")
            (version,) = old.execute("PRAGMA user_version").fetchone()
            made = old.execute(
                "SELECT sql FROM sqlite_master"
                " WHERE type = 'table' AND name IN ('games', 'lines') ORDER BY name"
            ).fetchall()
            if version != SCHEMA_VERSION or [_statement(str(sql)) for (sql,) in made] != wanted:
                raise JournalError("its tables are not those of a journal")
            games = old.execute(f"SELECT * FROM games LIMIT {MOST_GAMES + 1}").fetchall()
            lines = old.execute(f"SELECT * FROM lines LIMIT {MOST_LINES + 1}").fetchall()
    except sqlite3.Error as error:
        raise JournalError(f"its rows cannot be read: {error}") from error
    if len(games) > MOST_GAMES or len(lines) > MOST_LINES:
        raise JournalError(f"it holds more than {MOST_GAMES} games or {MOST_LINES} lines")
    for row in games:
        _check_row(row, (int, str, int, str, str))
        if not all(isinstance(one, str) for pair in json.loads(row[3]).items() for one in pair):
            raise JournalError("the options of a game are no words")
    for row in lines:
        _check_row(row, (int, int, int, str, str, str, int))
        if datetime.fromisoformat(row[5]).tzinfo is None:
            raise JournalError("a line has no time")
    with closing(Journal(target)) as fresh, fresh._guard(), fresh._transaction():
        fresh._db.executemany("INSERT INTO games VALUES (?, ?, ?, ?, ?)", games)
        fresh._db.executemany("INSERT INTO lines VALUES (?, ?, ?, ?, ?, ?, ?)", lines)


def _check_row(row: Sequence[Any], kinds: Sequence[type]) -> None:
    for value, kind in zip(row, kinds, strict=True):
        if type(value) is not kind:
            raise JournalError(f"{str(value)[:40]!r} is of another kind than what we write")
        if isinstance(value, int) and abs(value) > 2 * LARGEST_NUMBER:
            raise JournalError(f"the number {value} is too large")
        if isinstance(value, str) and len(value) > MOST_LETTERS:
            raise JournalError("a text is too long")
    if not 0 < row[0] < LARGEST_GAME:
        raise JournalError(f"a game cannot have the number {row[0]}")


def _statement(sql: str) -> str:
    return " ".join(sql.split())


def _good_lines(source: sqlite3.Connection, number: int) -> list[Line]:
    """The lines of a game before the first that is damaged."""
    lines: list[Line] = []
    query = f"SELECT line, seat, text, checksum FROM lines WHERE game = {number} ORDER BY line"
    with suppress(sqlite3.Error):  # not even its first line can be read
        for line, seat, text, checksum in _readable(source, query):
            if line != len(lines) or checksum != _checksum(number, line, seat, text):
                break
            lines.append(Line(seat, text))
    return lines


def _readable(source: sqlite3.Connection, query: str) -> Iterator[tuple[Any, ...]]:
    """Yields rows until the first that cannot be read; raises only where not even one could.

    Pages of a damaged file may point at each other in a circle, so the steps that SQLite takes are bounded.
    """
    _bound_steps(source)
    rows = source.execute(query)
    while True:
        try:
            row = rows.fetchone()
        except sqlite3.Error:
            return
        if row is None:
            return
        yield row


def _bound_steps(source: sqlite3.Connection) -> None:
    """Lets SQLite take `MOST_STEPS` steps from now on, and then fail."""
    taken = count()
    source.set_progress_handler(lambda: next(taken) > MOST_STEPS // STEPS_AT_ONCE, STEPS_AT_ONCE)


def _counters(text: str) -> tuple[int, ...] | None:
    """Reads the versions of a line; None where they are damaged."""
    try:
        return tuple(int(n) for n in json.loads(text))
    except (ValueError, TypeError):
        return None


def _is_damage(error: sqlite3.Error) -> bool:
    """Says whether the file itself is at fault, not who uses it or where it lies.

    Our own statements are right, so a plain error means that a table, a column or the format is damaged.
    """
    name = getattr(error, "sqlite_errorname", "SQLITE_CORRUPT")
    is_at_fault = name == "SQLITE_ERROR" or name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB"))
    return isinstance(error, sqlite3.DatabaseError) and is_at_fault


def _advice(error: sqlite3.Error) -> str:
    """What helps when a journal cannot be opened."""
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_FULL", "SQLITE_IOERR")):
        return "The games in it are not touched: make the folder writable, or make room on the disk"
    return f"Move the file away to start afresh, or s{SALVAGE[1:]}"


def _checksum(number: int, line: int, seat: Seat, text: str) -> int:
    return crc32(f"{number} {line} {seat} {text}".encode())


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
