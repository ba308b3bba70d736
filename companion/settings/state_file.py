"""Files in which the table keeps what it has found out: read as doubtful, written whole.

A power cut or a flipped bit may damage any of them, and none may keep the table from starting. `StateFile`
is the one way in and out: a file that cannot be read is set aside under another name, and the last good copy
takes its place; where there is none, whoever reads it begins anew. The name under which a file was set aside
says which of the two happened, so that health card and doctor can tell it long afterwards.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder:
...     path = Path(folder) / "corners.json"
...     _ = path.write_text("[[[")
...     StateFile(path, json_object).load(), troubles(Path(folder))
(None, ['corners.json was damaged and is begun anew; the damaged file is kept as corners.json.damaged'])
"""

from __future__ import annotations

import json
import logging
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Generic, TypeVar

from companion.engine.errors import ConfigError, GloamError

log = logging.getLogger(__name__)

LARGEST = 4 * 1024 * 1024
ANEW, MENDED, SAVED = ".damaged", ".damaged-mended", ".damaged-saved"
"""How the name of a file ends that was set aside: begun anew, taken from its good copy, or saved in part."""
INSTEAD = {ANEW: "is begun anew", MENDED: "its last good copy is used", SAVED: "its good part is used"}
_T = TypeVar("_T")


class NotStored(GloamError, OSError):
    """What should be kept could not be written, and so it is not so."""


class NewerFile(ConfigError):
    """A newer Gloam wrote the file: it is not damaged and stays where it is."""


class StateFile(Generic[_T]):
    """One file and how its content becomes a value.

    `parse` may raise anything: a damaged file fails in ways that nobody can list. `NewerFile` alone is handed
    on. With `has_copy` the content is kept twice.
    """

    def __init__(
        self,
        path: Path,
        parse: Callable[[bytes], _T],
        *,
        largest: int = LARGEST,
        mode: int = 0o644,
        has_copy: bool = True,
    ) -> None:
        self.path = path
        self._parse = parse
        self._largest = largest
        self._mode = mode
        self._has_copy = has_copy

    def load(self) -> _T | None:
        """The value; None where there is no file, or none that can be read, which is then set aside."""
        if not os.path.exists(self.path):  # `Path.exists` raises for a name that is too long
            return None
        try:
            value, content = self._read(self.path)
        except NewerFile:
            raise
        except Exception as error:
            return self._mend(error)
        self._copy(content)
        return value

    def fault(self) -> str:
        """What is wrong with the file, or nothing; changes nothing."""
        if not os.path.exists(self.path):  # `Path.exists` raises for a name that is too long
            return ""
        try:
            self._read(self.path)
        except Exception as error:
            return _words(error)
        return ""

    def save(self, content: bytes) -> None:
        """Keeps new content: a power cut leaves the old one or the new one.

        Raises `NotStored`, also for more than could be read again.
        """
        if len(content) > self._largest:
            raise NotStored(f"{self.path.name} would have more than {self._largest // 1024} kB")
        if self._has_copy:
            write_bytes_whole(good_copy(self.path), content, self._mode)
        write_bytes_whole(self.path, content, self._mode)

    def _read(self, path: Path) -> tuple[_T, bytes]:
        content = read_bounded(path, self._largest)
        return self._parse(content), content

    def _mend(self, error: Exception) -> _T | None:
        """Sets the file aside and takes the last good copy, if there is one."""
        value, content = None, None
        with suppress(Exception):  # the copy may be as damaged as the file
            value, content = self._read(good_copy(self.path))
        aside = self.path.with_name(self.path.name + (ANEW if content is None else MENDED))
        instead = "begun anew" if content is None else "the last good copy is used"
        try:
            self.path.replace(aside)
            if content is not None:
                write_bytes_whole(self.path, content, self._mode)
        except OSError as refused:
            instead += f", but it cannot be set aside ({refused.strerror or refused})"
        log.warning("%s is damaged (%s): %s", self.path, _words(error), instead)
        return value

    def _copy(self, content: bytes) -> None:
        """Notes that this content was good."""
        good = good_copy(self.path)
        with suppress(OSError):  # on a disk that cannot be written nothing is damaged by writing either
            if self._has_copy and not holds(good, content):
                write_bytes_whole(good, content, self._mode)


def read_bounded(path: Path, most: int) -> bytes:
    """The content of a file; raises `ValueError` for more than that, or for what is no file at all.

    A pipe that nobody writes into would be waited for for ever.
    """
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise ValueError("this is no file")
        content = file.read(most + 1)
    if len(content) > most:
        raise ValueError(f"it has more than {most // 1024} kB")
    return content


def demand_file(path: str) -> None:
    """Raises `ValueError` for what is there and no file: others' code would wait for a pipe for ever."""
    if path and Path(path).exists() and not Path(path).is_file():
        raise ValueError("this is no file")


def holds(path: Path, content: bytes) -> bool:
    """Whether a file is there and has this content."""
    try:
        return read_bounded(path, len(content)) == content
    except (OSError, ValueError):
        return False


def good_copy(path: Path) -> Path:
    """Where the last good copy of a file is kept."""
    return path.with_name(path.name + ".good")


def troubles(folder: Path) -> list[str]:
    """A sentence for each file in a folder that was set aside, until somebody removes it."""
    found = []
    for path in sorted(folder.glob("*.damaged*")) + sorted(folder.glob("*/*.damaged*")):
        name = path.relative_to(folder).as_posix()
        for ending, instead in INSTEAD.items():
            if name.endswith(ending):
                plain = name.removesuffix(ending)
                found.append(f"{plain} was damaged and {instead}; the damaged file is kept as {name}")
    return found


def json_object(content: bytes) -> dict[str, Any]:
    """The content of a JSON file that holds one object."""
    value = json.loads(content.decode("utf-8"))
    if not isinstance(value, dict):
        raise ValueError("it holds no object")
    return value


def write_whole(path: Path, text: str) -> None:
    """Writes a text file whole: a power cut leaves the old one or the new one."""
    write_bytes_whole(path, text.encode("utf-8"))


def write_bytes_whole(path: Path, content: bytes, mode: int = 0o644) -> None:
    """Writes a file whole, and its folder where there is none: a power cut leaves the old one or the new one.

    Raises `NotStored`, as where the disk is full.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, content, mode)
    except OSError as error:
        raise NotStored(f"{path.name} cannot be written: {error.strerror}") from error


def _write(path: Path, content: bytes, mode: int) -> None:
    fresh = path.with_name(path.name + ".new")
    for one in (fresh, path):
        if one.is_dir() and not one.is_symlink():
            one.replace(one.with_name(one.name + ANEW))
    fresh.unlink(missing_ok=True)  # a link or a pipe would be written into
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:200]
