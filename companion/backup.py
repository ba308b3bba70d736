"""Backup and restore of everything that a table knows: one ZIP file.

It holds the stored games, the settings, what the workshop has found out and who sat where. Secrets of the
door (the owner's PIN, the key that knows devices) stay on the machine. A backup is checked whole before
anything is changed, and what was there before is kept beside it.
"""

from __future__ import annotations

import json
import re
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from companion.config import Schema, read
from companion.errors import GloamError
from companion.journal import Journal
from companion.session import Session, older_games

FORMAT = "gloam-backup"
VERSION = 1
LARGEST = 256 * 1024 * 1024
"""A backup that unpacks to more is refused."""
FOUND = re.compile(r"lens\.json|corners\.json|leds-[\w-]+\.json|teach/\w+\.teach")
"""The files of the workshop, in the folder of the journal."""
BEFORE = "before-restore.zip"


class BackupError(GloamError, ValueError):
    """A file is no backup, or a damaged one; nothing was changed."""


def write_backup(target: Path, journal: Journal, config: Path, folder: Path, seats: Any) -> None:
    """Writes a backup; `seats` is who sat where."""
    about = {"format": FORMAT, "version": VERSION}
    with TemporaryDirectory() as work, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as backup:
        copy = Path(work) / "gloam.db"
        journal.copy_to(copy)
        backup.writestr("about.json", json.dumps(about))
        backup.write(copy, "gloam.db")
        backup.writestr("seats.json", json.dumps(seats, ensure_ascii=False))
        if config.is_file():
            backup.write(config, "gloam.toml")
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if FOUND.fullmatch(name) and path.is_file():
                backup.write(path, name)


class Checked(NamedTuple):
    """A backup that is right as a whole, unpacked."""

    folder: Path
    seats: Any
    games: int


@contextmanager
def opened(source: Path, schema: Schema) -> Iterator[Checked]:
    """Opens a backup; raises `BackupError` where anything in it is not right."""
    with TemporaryDirectory() as work:
        unpacked = Path(work)
        _unpack(source, unpacked)
        settings = unpacked / "gloam.toml"
        if settings.exists():
            _, faults = read(_text(settings), schema)
            if faults:
                raise BackupError("the settings in it are not right: " + "; ".join(map(str, faults)))
        yield Checked(unpacked, _seats(unpacked / "seats.json"), _check_games(unpacked / "gloam.db"))


def restore(backup: Checked, journal: Journal, config: Path, folder: Path, seats: Any) -> None:
    """Takes games, settings and files from a backup; what was there is kept as `before-restore.zip`."""
    before = folder / (BEFORE + ".new")
    write_backup(before, journal, config, folder, seats)
    before.replace(folder / BEFORE)
    journal.replace_by(backup.folder / "gloam.db")
    for path in sorted(backup.folder.rglob("*")):
        name = path.relative_to(backup.folder).as_posix()
        if name == "gloam.toml":
            shutil.copyfile(path, config)
        elif FOUND.fullmatch(name) and path.is_file():
            (folder / name).parent.mkdir(exist_ok=True)
            shutil.copyfile(path, folder / name)


def _unpack(source: Path, target: Path) -> None:
    """Unpacks what belongs into a backup; names are never used as paths before they are known."""
    try:
        with zipfile.ZipFile(source) as backup:
            if sum(one.file_size for one in backup.infolist()) > LARGEST:
                raise BackupError(f"this unpacks to more than {LARGEST // 2**20} MB")
            known = {"about.json", "gloam.db", "seats.json", "gloam.toml"}
            for one in backup.infolist():
                if one.filename not in known and not FOUND.fullmatch(one.filename):
                    raise BackupError(f"{one.filename!r} does not belong into a backup")
                (target / one.filename).parent.mkdir(exist_ok=True)
                (target / one.filename).write_bytes(backup.read(one))
    except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        if isinstance(error, BackupError):
            raise
        raise BackupError(f"this is no backup, or a damaged one: {error}") from error
    about = _json(target / "about.json")
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise BackupError("this is no backup of Gloam")
    if about.get("version") != VERSION:
        raise BackupError(f"this backup has format {about.get('version')}, this Gloam reads {VERSION}")


def _check_games(path: Path) -> int:
    """Opens every stored game: each line must be there, and allowed where the rules are still the same."""
    if not path.exists():
        raise BackupError("there are no stored games in it")
    try:
        journal = Journal(path)
    except GloamError as error:
        raise BackupError(f"its stored games cannot be read: {error}") from error
    try:
        stored, older = journal.games(), older_games(journal)
        for game in stored:
            if game in older:
                journal.read(game.id)
            else:
                Session(journal, game.id).close()
    except (GloamError, ValueError, KeyError) as error:
        raise BackupError(f"a stored game in it is damaged: {error}") from error
    finally:
        journal.close()
    return len(stored)


def _seats(path: Path) -> Any:
    """Who sat where: game → seat → device, and the devices' names."""
    kept = _json(path)
    try:
        held = [device for seats in kept["seats"].values() for device in seats.values()]
        if not all(isinstance(one, str) for one in [*held, *kept["names"].values()]):
            raise TypeError("no text")
    except (KeyError, TypeError, AttributeError) as error:
        raise BackupError("seats.json in it is damaged") from error
    return kept


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BackupError(f"{path.name} in it is no text") from error


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BackupError(f"this is no backup of Gloam: {path.name} is missing or damaged") from error
