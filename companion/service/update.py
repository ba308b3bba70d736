"""Asked by `systemd/install.sh` before a release comes into use: does it work, and is nobody playing?

    python -m companion.service.update FOLDER

looks at a copy of the games stored in FOLDER, so that nothing there is changed, and serves the table from it,
without parts and on a port of its own.
"""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.engine.chance import AtTable
from companion.engine.errors import JournalError
from companion.service.notify import answers
from companion.table.journal import Journal
from companion.table.session import Session

IDLE_LIMIT = timedelta(hours=1)
"""After this time without a touch a game counts as put away, though it is not over."""
START_S = 120
"""How long the table may take to start, in seconds."""
BROKEN, PLAYING = 1, 75


def game_going_on(journal: Journal, now: datetime) -> str:
    """Says which game is being played now; nothing where none is.

    A Pi has no clock of its own, so a game far in the future is as old as one far in the past.
    """
    for number, at in journal.last_played():
        if abs(now - at) > IDLE_LIMIT:
            continue
        try:
            # Only looks: chance that waits for the table decides nothing.
            session = Session(journal, number, AtTable())
        except JournalError:
            continue
        if session.state().needs():
            minutes = max(0, round((now - at).total_seconds() / 60))
            return (
                f"{session.game.key}, stored game {number}, was played {minutes} minutes ago and is not over"
            )
    return ""


def try_to_serve(folder: Path) -> str:
    """Serves the table from a folder for a moment; says what went wrong, or nothing."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(folder / "notify"))
        line.settimeout(1)
        command = [
            sys.executable,
            "-m",
            "companion.service.cli",
            "run",
            "--safe",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
        ]
        environ = {**os.environ, "NOTIFY_SOCKET": str(folder / "notify"), "GLOAM_DATA": str(folder)}
        table = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            return _serves(table, line)
        finally:
            table.kill()
            table.wait()


def _serves(table: subprocess.Popen[bytes], line: socket.socket) -> str:
    said = ""
    for _ in range(START_S):
        if table.poll() is not None:
            assert table.stderr is not None
            words = table.stderr.read().decode("utf-8", "replace").strip().splitlines()
            return f"the table does not start: {words[-1] if words else f'exit code {table.returncode}'}"
        with suppress(TimeoutError):
            said = line.recv(500).decode()
            break
    else:
        return f"the table is not ready after {START_S} seconds"
    port = int(said.rstrip("/").rpartition(":")[2])
    if not answers("127.0.0.1", port):
        return "the table starts, but does not answer"
    table.send_signal(signal.SIGTERM)
    try:
        return "" if table.wait(30) == 0 else f"the table ends with exit code {table.returncode}"
    except subprocess.TimeoutExpired:
        return "the table does not end when it is asked to"


def copy_journal(source: Path, target: Path) -> None:
    """Copies a journal that may be in use; the copy is whole."""
    readable = f"file:{source}?mode=ro"
    with closing(sqlite3.connect(readable, uri=True)) as live, closing(sqlite3.connect(target)) as copy:
        live.backup(copy)


def main(saves: Path) -> int:
    """Returns 0 where the release may come into use, else says what stands against it."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        if (saves / "gloam.db").exists():
            copy_journal(saves / "gloam.db", folder / "gloam.db")
            with closing(Journal(folder / "gloam.db")) as journal:
                playing = game_going_on(journal, datetime.now(UTC))
            if playing:
                print(f"gloam: not now: {playing}", file=sys.stderr)
                return PLAYING
        wrong = try_to_serve(folder)
    if wrong:
        print(f"gloam: this release does not work here: {wrong}", file=sys.stderr)
        return BROKEN
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
