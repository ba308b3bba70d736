"""Backup and restore of everything that a table knows: one ZIP file.

It holds the stored games, the settings, what the workshop has found out, the owner's card data and who sat
where. Photographs of cards and the secrets of the door (the owner's PIN, the key that knows devices) stay on
the machine. A backup is checked whole before anything is changed, and what was there before is kept beside
it.

A backup may come from anybody, so nothing of it is used as it is: sizes are bounded before they are unpacked,
games are taken row by row into a journal of our own, and of the settings only what the workshop can edit.
"""

from __future__ import annotations

import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from companion.engine.chance import AtTable
from companion.engine.errors import ConfigError, GloamError
from companion.games import REGISTRY
from companion.settings.config import Changes, Schema, changed, read, template
from companion.settings.editable import is_editable
from companion.settings.state_file import good_copy, read_bounded, write_bytes_whole, write_whole
from companion.table.boxes import FOLDER as BOX_FOLDER
from companion.table.boxes import Boxes, is_same_box
from companion.table.journal import Journal, copy_rows
from companion.table.people import check_seats, clean_name
from companion.table.session import Session, older_games

FORMAT = "gloam-backup"
VERSION = 1
MB = 1024 * 1024
LARGEST = 96 * MB
"""A backup that unpacks to more is refused."""
MOST_FILES = 200
ENTRY = b"PK\x01\x02"
"""How each entry of a ZIP file's list begins; content has these four bytes by chance alone."""
SIZES = {"about.json": 4096, "seats.json": MB, "gloam.toml": 256 * 1024, "gloam.db": 64 * MB}
"""What a backup holds beside the files of the workshop, and how large each may be."""
FOUND_SIZE = 32 * MB
"""How large a file of the workshop may be."""
FOUND = re.compile(
    r"(lens|corners|cards|projector)\.json|(leds|switches)-[\w-]+\.json|teach/\w+\.teach|box/\w+\.json"
)
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
    settings: str
    """The settings file as it will be, or "" where the backup holds none."""
    left_out: tuple[str, ...]
    """The settings of the backup that differ from those here and are not taken, as `[section] key`."""


@contextmanager
def opened(source: Path, schema: Schema, config: Path) -> Iterator[Checked]:
    """Opens a backup for the settings file `config`; raises `BackupError` where anything is not right."""
    with TemporaryDirectory() as work:
        unpacked = Path(work)
        _unpack(source, unpacked)
        settings, left_out = _settings(unpacked / "gloam.toml", schema, config)
        _demand_boxes(unpacked)
        games = _import_games(unpacked)
        seats = _seats(unpacked / "seats.json", games)
        yield Checked(unpacked, seats, len(games), settings, left_out)


def restore(backup: Checked, journal: Journal, config: Path, folder: Path, seats: Any) -> None:
    """Takes games, settings and files from a backup; what was there is kept as `before-restore.zip`."""
    before = folder / (BEFORE + ".new")
    write_backup(before, journal, config, folder, seats)
    before.replace(folder / BEFORE)
    journal.replace_by(backup.folder / OURS)
    if backup.settings:
        write_whole(config, backup.settings)
    for path in sorted((folder / BOX_FOLDER).glob("*.json")):
        path.unlink()  # the games were played with the cards of the backup
    for path in sorted(backup.folder.rglob("*")):
        name = path.relative_to(backup.folder).as_posix()
        if FOUND.fullmatch(name) and path.is_file():
            # The copy of what was there before must not come back in place of this.
            good_copy(folder / name).unlink(missing_ok=True)
            write_bytes_whole(folder / name, path.read_bytes())


def _unpack(source: Path, target: Path) -> None:
    """Unpacks what belongs into a backup; names are never used as paths before they are known."""
    try:
        if source.read_bytes().count(ENTRY) > 2 * MOST_FILES:
            raise BackupError(f"it holds more than {MOST_FILES} files")
        with zipfile.ZipFile(source) as backup:
            files = backup.infolist()
            names = {one.filename for one in files}
            if len(files) > MOST_FILES or len(names) < len(files):
                raise BackupError(f"it holds more than {MOST_FILES} files, or one of them twice")
            if sum(one.file_size for one in files) > LARGEST:
                raise BackupError(f"this unpacks to more than {LARGEST // MB} MB")
            for one in files:
                if one.filename not in SIZES and not FOUND.fullmatch(one.filename):
                    raise BackupError(f"{one.filename[:80]!r} does not belong into a backup")
                content = _bounded(backup, one, SIZES.get(one.filename, FOUND_SIZE))
                (target / one.filename).parent.mkdir(exist_ok=True)
                (target / one.filename).write_bytes(content)
    except BackupError:
        raise
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError, ValueError, KeyError) as error:
        raise BackupError(f"this is no backup, or a damaged one: {error}") from error
    about = _json(target / "about.json")
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise BackupError("this is no backup of Gloam")
    if about.get("version") != VERSION:
        raise BackupError(f"this backup has another format, this Gloam reads {VERSION}")


def _bounded(backup: zipfile.ZipFile, one: zipfile.ZipInfo, most: int) -> bytes:
    """The content of one file; what it declares about its size is not believed."""
    if one.file_size <= most:
        with backup.open(one) as file:
            content = file.read(most + 1)
        if len(content) <= most:
            return content
    raise BackupError(f"{one.filename} in it is larger than {most // 1024} kB")


def _settings(path: Path, schema: Schema, config: Path) -> tuple[str, tuple[str, ...]]:
    """The settings file with what may be taken from a backup's, and the names of the rest."""
    if not path.exists():
        return "", ()
    theirs, faults = read(_text(path), schema)
    if faults:
        raise BackupError("the settings in it are not right: " + "; ".join(map(str, faults)))
    try:
        text = read_bounded(config, SIZES["gloam.toml"]).decode("utf-8-sig")
    except (OSError, ValueError):
        text = template(schema)
    ours, faults = read(text, schema)
    if faults:  # what is here cannot be used anyway; it goes into `before-restore.zip`
        text = template(schema)
        ours, _ = read(text, schema)
    other = [
        (name, key)
        for name, section in theirs.items()
        for key in section.__dataclass_fields__
        if getattr(section, key) != getattr(ours[name], key)
    ]
    taken: Changes = {
        (name, key): value
        for name, key in other
        if is_editable(name, key, value := getattr(theirs[name], key))
    }
    try:
        fresh = changed(text, taken)
    except ConfigError as error:
        raise BackupError(f"its settings cannot be put into {config.name}: {error}") from error
    return fresh, tuple(f"[{name}] {key}" for name, key in other if (name, key) not in taken)


OURS = "imported.db"
"""The journal of our own into which the rows of a backup are taken."""


def _demand_boxes(folder: Path) -> None:
    """What an owner has entered about the cards must be such that it can be played with.

    A game that is not on this shelf cannot be asked, so its file is not taken.
    """
    boxes = Boxes(folder)
    for path in sorted((folder / BOX_FOLDER).glob("*.json")):
        if path.stem not in REGISTRY:
            path.unlink()
            continue
        try:
            boxes.facts(path.stem)
        except ConfigError as error:
            raise BackupError(f"the cards in it are not right: {error}") from error


def _import_games(folder: Path) -> list[int]:
    """Takes every stored game: each line must be there, and allowed where the rules are still the same.

    Returns their numbers.
    """
    if not (folder / "gloam.db").exists():
        raise BackupError("there are no stored games in it")
    try:
        copy_rows(folder / "gloam.db", folder / OURS)
        with closing(Journal(folder / OURS)) as journal:
            stored, older = journal.games(), older_games(journal)
            for game in stored:
                journal.read(game.id)
                if game not in older and is_same_box(game.box, Boxes(folder).load(game.game)):
                    Session(journal, game.id, AtTable()).close()  # draws nothing, so writes nothing
    except Exception as error:  # lines that somebody made up may fail in any way in the rules
        raise BackupError(f"a stored game in it is damaged: {error}") from error
    return [game.id for game in stored]


def _seats(path: Path, games: Iterable[int]) -> Any:
    """Who sat where at these games: game → seat → device, and the devices' names."""
    kept = _json(path)
    try:
        check_seats(kept["seats"])
        names = {str(device)[:64]: clean_name(str(name)) for device, name in kept["names"].items()}
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise BackupError("seats.json in it is damaged") from error
    known = set(map(str, games))
    seats = {number: held for number, held in kept["seats"].items() if number in known}
    return {"seats": seats, "names": names}


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BackupError(f"{path.name} in it is no text") from error


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BackupError(f"this is no backup of Gloam: {path.name} is missing or damaged") from error
