"""`gloam doctor`: checks every part and says the line that fixes what is wrong."""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import sqlite3
import sys
import zipfile
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from companion.errors import GloamError
from companion.games import REGISTRY, load
from companion.home import data_folder
from companion.journal import Journal, salvage
from companion.session import Session

GOOD, NOTE, BAD = "good", "note", "bad"
PACKAGES = ("flask", "waitress", "numpy", "opencv-python-headless", "pyserial", "gpiozero", "segno")
LOW_DISK_MB = 200


class Finding(NamedTuple):
    """One line of the report: how it is, what was looked at, what was found, and the fix if one is due."""

    level: str
    part: str
    found: str
    fix: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the options of the command."""
    parser.add_argument("--journal", default=None, metavar="FILE")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.add_argument("--bundle", metavar="F.zip", help="write a report that holds no secrets")
    parser.add_argument("--salvage", metavar="FILE", help="save the good part of a damaged journal")
    parser.add_argument("--out", metavar="FILE", help="with --salvage: the new journal")


def command(args: argparse.Namespace) -> int:
    """Runs the check-list; returns 1 when something is bad."""
    if args.salvage:
        return _salvage(args.salvage, args.out or f"{args.salvage}.saved.db")
    journal = Path(args.journal) if args.journal else data_folder() / "gloam.db"
    findings = [finding for check in CHECKS for finding in check(journal)]
    if args.json:
        print(json.dumps([finding._asdict() for finding in findings], indent=1))
    else:
        for level, part, found, fix in findings:
            mark = {GOOD: "ok  ", NOTE: "note", BAD: "BAD "}[level]
            print(f"{mark} {part:<12} {found}" + (f"\n                  fix: {fix}" if fix else ""))
    if args.bundle:
        _bundle(Path(args.bundle), findings)
        print(f"report written to {args.bundle}")
    return 1 if any(finding.level == BAD for finding in findings) else 0


def _python(journal: Path) -> list[Finding]:
    where = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {platform.machine()}"
    return [Finding(GOOD, "python", where)]


def _packages(journal: Path) -> list[Finding]:
    found, missing = [], []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        return [Finding(BAD, "packages", f"missing: {', '.join(missing)}", "run ./gloam from the clone once")]
    return [Finding(GOOD, "packages", ", ".join(found))]


def _games(journal: Path) -> list[Finding]:
    findings = []
    for key in REGISTRY:
        try:
            game = load(key)
            findings.append(Finding(GOOD, "game", f"{key}, rules version {game.rules_version}"))
        except GloamError as error:
            findings.append(Finding(BAD, "game", f"{key}: {error}", "correct the file that is named"))
    return findings


def _saves(journal: Path) -> list[Finding]:
    free_mb = shutil.disk_usage(journal.parent).free // 2**20
    findings = []
    if free_mb < LOW_DISK_MB:
        findings.append(Finding(BAD, "disk", f"{free_mb} MB free for saves", "make room on the disk"))
    if not os.access(journal.parent, os.W_OK):
        return [*findings, Finding(BAD, "saves", f"{journal.parent} cannot be written", "make it writable")]
    if not journal.exists():
        return [*findings, Finding(NOTE, "saves", f"no games stored yet ({journal.name})")]
    remedy = f"gloam doctor --salvage {journal}"
    try:
        opened = Journal(journal)
    except GloamError as error:
        return [*findings, Finding(BAD, "saves", str(error), remedy)]
    stored = opened.games()
    for game in stored:
        try:
            Session(opened, game.id).close()
        except GloamError as error:
            findings.append(Finding(BAD, "saves", str(error), remedy))
    opened.close()
    return [*findings, Finding(GOOD, "saves", f"{len(stored)} stored games in {journal.name}")]


def _devices(journal: Path) -> list[Finding]:
    findings = []
    model = Path("/proc/device-tree/model")
    name = model.read_text().strip("\0") if model.exists() else "no Raspberry Pi: the virtual table is used"
    findings.append(Finding(GOOD if model.exists() else NOTE, "board", name))
    for part, pattern, fix in (
        ("camera", "video*", "plug in a USB camera, or enable the Pi camera; play goes on by tapping"),
        ("link", "ttyACM*", "plug in the microcontroller; lights then show on the screen only"),
        ("spi", "spidev*", "for strips on the Pi itself: sudo raspi-config nonint do_spi 0"),
    ):
        devices = sorted(path.name for path in Path("/dev").glob(pattern))
        if devices:
            findings.append(Finding(GOOD, part, ", ".join(devices)))
        else:
            findings.append(Finding(NOTE, part, "none found", fix if model.exists() else ""))
    return findings


CHECKS: tuple[Callable[[Path], list[Finding]], ...] = (_python, _packages, _games, _saves, _devices)


def _bundle(path: Path, findings: list[Finding]) -> None:
    """Writes the findings; nothing of a game's course, no name, no token goes in."""
    home = str(Path.home())
    text = json.dumps([finding._asdict() for finding in findings], indent=1).replace(home, "~")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
        bundle.writestr("findings.json", text)


def _salvage(damaged: str, target: str) -> int:
    if Path(target).exists():
        print(f"gloam: {target} exists already; name another with --out", file=sys.stderr)
        return 1
    for stored, lines in salvage(damaged, target):
        print(f"saved game {stored.id} ({stored.game}): {lines} lines")
    print(f"written to {target}; {damaged} is unchanged")
    return 0
