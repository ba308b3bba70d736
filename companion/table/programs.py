"""Programs that were let in: each has a token of its own, a kind that says what it may do, and a name.

A spectator sees what a stranger at the table sees. A bot sits on one seat and is a device like a phone, so
what holds for seats holds for it. Only the hash of a token is kept; whoever loses one asks for another.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import threading
from pathlib import Path
from typing import NamedTuple

from companion.engine.errors import GloamError
from companion.settings.state_file import StateFile, json_object
from companion.table.people import Device, clean_name

SPECTATOR, BOT = "spectator", "bot"
KINDS = (SPECTATOR, BOT)
MOST = 16


class TooManyPrograms(GloamError, ValueError):
    """As many programs have been let in as the table takes."""


class Program(NamedTuple):
    """One program that was let in."""

    number: int
    kind: str
    name: str
    device: Device
    """What it is among the people: the hash of its token."""


def read_programs(content: bytes) -> dict[Device, Program]:
    """Reads the file of the programs; raises `ValueError`, or what a damaged file leads to."""
    found: dict[Device, Program] = {}
    for row in json_object(content)["programs"][:MOST]:
        program = Program(int(row["number"]), row["kind"], clean_name(row["name"]), row["device"])
        if program.kind not in KINDS or len(bytes.fromhex(program.device)) != 32:
            raise ValueError(f"no program: {row!r}")
        found[program.device] = program
    return found


def program_file(path: Path) -> StateFile[dict[Device, Program]]:
    """The file in which the programs are kept."""
    return StateFile(path, read_programs, mode=0o600)


class Programs:
    """The programs that may use the table, kept across restarts; safe to use from several threads."""

    def __init__(self, path: Path | None = None) -> None:
        self._file = None if path is None else program_file(path)
        self._lock = threading.Lock()
        self._programs = (self._file.load() if self._file is not None else None) or {}

    def admit(self, kind: str, name: str) -> tuple[str, Program]:
        """Lets a program in; its token is told this once. Raises `TooManyPrograms` or `NotStored`."""
        assert kind in KINDS, kind
        with self._lock:
            if len(self._programs) >= MOST:
                raise TooManyPrograms(f"{MOST} programs are let in already; dismiss one")
            token = secrets.token_urlsafe(24)
            number = 1 + max((one.number for one in self._programs.values()), default=0)
            program = Program(number, kind, clean_name(name), _device(token))
            self._keep({**self._programs, program.device: program})
        return token, program

    def find(self, token: str) -> Program | None:
        """The program with this token. Looked up by the token's hash, so the time it takes tells nothing."""
        return self._programs.get(_device(token))

    def all(self) -> list[Program]:
        """The programs, by their numbers."""
        return sorted(self._programs.values())

    def dismiss(self, number: int) -> Program | None:
        """Makes a program's token worthless."""
        with self._lock:
            gone = next((one for one in self._programs.values() if one.number == number), None)
            if gone is not None:
                self._keep({device: one for device, one in self._programs.items() if one != gone})
            return gone

    def _keep(self, programs: dict[Device, Program]) -> None:
        """Writes the file, and only then takes over what is new."""
        if self._file is not None:
            rows = [one._asdict() for one in programs.values()]
            self._file.save(json.dumps({"programs": rows}, ensure_ascii=False).encode("utf-8"))
        self._programs = programs


def _device(token: str) -> Device:
    return hashlib.sha256(b"program " + token.encode("utf-8", "surrogatepass")).hexdigest()
