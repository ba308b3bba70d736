"""`gloam doctor`: goes through the check-list of the build guide and says the line that fixes what is wrong.

The checks have the numbers of `hardware/BUILD.md`, section "When it does not work". They change nothing and
switch no part on: the doctor may look while the table is running.
"""

from __future__ import annotations

import argparse
import grp
import json
import os
import platform
import re
import shutil
import socket
import sqlite3
import sys
import zipfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from companion.engine.chance import AtTable
from companion.engine.errors import GloamError
from companion.games import REGISTRY
from companion.service.mqtt import state_file
from companion.settings.config import SECTIONS, CameraSettings, Config, MqttSettings, WebSettings, open_config
from companion.settings.data_folder import data_folder
from companion.settings.state_file import StateFile, troubles
from companion.table.boxes import Boxes
from companion.table.journal import Journal, Stored, salvage
from companion.table.people import read_people
from companion.table.programs import program_file
from companion.table.session import Session, older_games
from hardware.ddp import ask

GOOD, NOTE, BAD = "good", "note", "bad"
PACKAGES = ("flask", "waitress", "numpy", "opencv-python-headless", "pyserial", "gpiozero", "segno")
LOW_DISK_MB = 200
EYES_MB = 900
"""The least memory of a machine whose camera reads a table: the eyes take half of it, the system the rest."""
PATIENCE_S = 2.0
GROUPS = {"camera": "video", "link": "dialout", "spi": "spi"}
"""The group that may use a part's device on Raspberry Pi OS."""


PRIVATE = {"mqtt": ("host", "user", "password_file"), "lights": ("host",)}
"""Settings whose values stay out of a report."""
ADDRESS = re.compile(r"\b\d{1,3}(\.\d{1,3}){3}\b")


class Finding(NamedTuple):
    """One line of the report: how it is, what was looked at, what was found, and the fix if one is due."""

    level: str
    part: str
    found: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Patient:
    """What is looked at."""

    journal: Path
    config: Config
    root: Path = Path("/")
    """Where `/dev`, `/proc` and `/sys` are."""
    has_library: Callable[[str], bool] = lambda name: find_spec(name) is not None
    trial: PartTrial | None = None
    """Tries camera and lights for real; None where nothing is to be tried."""

    def devices(self, pattern: str) -> list[str]:
        """The devices of a kind, by name."""
        return sorted(f"/dev/{path.name}" for path in (self.root / "dev").glob(pattern))

    def has(self, device: str) -> bool:
        return (self.root / device.lstrip("/")).exists()

    @property
    def model(self) -> str:
        """Which Raspberry Pi this is, or nothing."""
        path = self.root / "proc/device-tree/model"
        return path.read_text().strip("\0") if path.exists() else ""

    @property
    def memory_mb(self) -> int | None:
        """How much memory there is; None where the system does not tell."""
        path = self.root / "proc/meminfo"
        told = re.search(r"MemTotal:\s+(\d+) kB", path.read_text()) if path.exists() else None
        return None if told is None else int(told[1]) // 1024

    @property
    def lights(self) -> Any:
        return self.config.sections["lights"]


class PartTrial(Protocol):
    """Tries the real parts; raises `GloamError` that says what is wrong."""

    def take_picture(self) -> str:
        """Takes a picture and says what is to be seen in it."""

    def light_led(self) -> tuple[str, str]:
        """Lights an LED; says how that went and what the camera saw of it."""


def _trial(config: Config) -> PartTrial | None:
    """What tries the parts; None without the packages that parts need."""
    try:
        trial: PartTrial = import_module("companion.service.part_trial").Trial(config)
    except ImportError:
        return None
    return trial


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the options of the command."""
    parser.add_argument("--journal", default=None, metavar="FILE")
    parser.add_argument("--config", default=None, metavar="FILE", help="the settings file")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.add_argument("--untouched", action="store_true", help="take no picture and light no LED")
    parser.add_argument("--bundle", metavar="F.zip", help="write a report that holds no secrets")
    parser.add_argument("--salvage", metavar="FILE", help="save the good part of a damaged journal")
    parser.add_argument("--put-away", action="store_true", help="move games of older rules into a file apart")
    parser.add_argument("--out", metavar="FILE", help="with --salvage or --put-away: the new journal")


def command(args: argparse.Namespace) -> int:
    """Runs the check-list; returns 1 when something is bad."""
    if args.salvage:
        return _salvage(args.salvage, args.out or f"{args.salvage}.saved.db")
    journal = Path(args.journal) if args.journal else data_folder() / "gloam.db"
    if args.put_away:
        return _put_away(journal, args.out)
    config = Path(args.config) if args.config else data_folder() / "gloam.toml"
    try:
        schema, checks = import_module("hardware.wiring").SCHEMA, CHECKS
    except ImportError:  # without its packages nothing about parts can be asked
        schema, checks = SECTIONS, {part: CHECKS[part] for part in ("python", "packages")}
    opened = open_config(config, schema, must_exist=bool(args.config))
    patient = Patient(journal, opened, trial=None if args.untouched else _trial(opened))
    findings = examine(patient, checks)
    if args.json:
        print(json.dumps([_row(finding) for finding in findings], indent=1))
    else:
        for level, part, found, fix in findings:
            mark = {GOOD: "ok  ", NOTE: "note", BAD: "BAD "}[level]
            print(f"{mark} {NUMBER[part]:>2} {part:<9} {found}" + (f"\n{' ' * 18}fix: {fix}" if fix else ""))
    if args.bundle:
        _bundle(Path(args.bundle), findings, patient.config)
        print(f"report written to {args.bundle}")
    return 1 if any(finding.level == BAD for finding in findings) else 0


Found = Iterable[tuple[str, str] | tuple[str, str, str]]
"""What a check has found: how it is, the words, and the fix if one is due."""


# The list, in the order of the guide -------------------------------------------------------------


def _python(patient: Patient) -> Found:
    where = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {platform.machine()}"
    yield GOOD, f"{where}, {patient.model or 'no Raspberry Pi: the virtual table is used'}"


def _packages(patient: Patient) -> Found:
    found, missing = [], []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        yield BAD, f"missing: {', '.join(missing)}", "run ./gloam from the clone once"
    else:
        yield GOOD, ", ".join(found)


def _games(patient: Patient) -> Found:
    for fault in REGISTRY.faults:
        yield BAD, fault, "correct the package that is named, or remove it"
    for fault in Boxes(patient.journal.parent).faults().values():
        yield BAD, fault, "correct the entry that is named, or set the file aside on the page “My box”"
    yield GOOD, ", ".join(f"{key} (rules {game.rules_version})" for key, game in REGISTRY.games.items())


def _config(patient: Patient) -> Found:
    config = patient.config
    for fault in config.faults:
        yield BAD, f"{config.path}: {fault}", "correct that line; `gloam run --safe` serves without settings"
    if config.source == "usual":
        yield NOTE, "no settings file: everything is virtual"
    elif not config.faults:
        yield GOOD, f"{config.path} is right"


def _saves(patient: Patient) -> Found:
    journal = patient.journal
    if not os.access(journal.parent, os.W_OK):
        yield BAD, f"{journal.parent} cannot be written", "make it writable for the user who runs Gloam"
        return
    yield from _kept_files(patient)
    if not journal.exists():
        yield NOTE, f"no games stored yet ({journal.name})"
        return
    remedy = f"gloam doctor --salvage {journal}"
    try:
        opened = Journal(journal)
    except GloamError as error:
        yield BAD, str(error), remedy
        return
    stored, older = opened.games(), older_games(opened)
    if older:
        yield NOTE, f"{_names(older)}: stored by another Gloam, cannot go on", "gloam doctor --put-away"
    for game in (one for one in stored if one not in older):
        try:
            Session(opened, game.id, AtTable()).close()  # draws nothing, so writes nothing
        except Exception as error:  # a damaged line may fail in any way in the rules
            yield BAD, f"game {game.id}: {error}", remedy
    opened.close()
    yield GOOD, f"{len(stored)} stored games in {journal.name}"


def _names(games: Iterable[Stored]) -> str:
    return ", ".join(f"game {one.id} ({one.game}, rules {one.rules})" for one in games)


def _kept_files(patient: Patient) -> Found:
    """The files beside the journal: what was set aside, and what the next start would set aside."""
    folder = patient.journal.parent
    again = "teach or measure again what is missing, then delete the file that was set aside"
    for words in troubles(folder):
        yield NOTE, words, again
    for file in [
        StateFile(patient.journal.with_suffix(".people.json"), read_people),
        program_file(patient.journal.with_suffix(".programs.json")),
        state_file(folder / "mqtt.json"),
        import_module("companion.service.rig").left_things(folder),
        *import_module("companion.service.calibration_files").state_files(folder),
    ]:
        if fault := file.fault():
            fix = "start the table: it is set aside, and its last good copy is used if there is one"
            yield BAD, f"{file.path.name} is damaged: {fault}", fix


def _disk(patient: Patient) -> Found:
    free_mb = shutil.disk_usage(patient.journal.parent).free // 2**20
    if free_mb < LOW_DISK_MB:
        yield BAD, f"{free_mb} MB free for saves", "make room on the disk"
    else:
        yield GOOD, f"{free_mb} MB free for saves"


def _camera(patient: Patient) -> Found:
    source = patient.config.of(CameraSettings).source
    found, memory_mb = patient.devices("video*"), patient.memory_mb
    if source not in ("virtual", "none") and memory_mb is not None and memory_mb < EYES_MB:
        few = f"this machine has {memory_mb} MB of memory; to read a table takes {EYES_MB}"
        yield BAD, few, 'use a Pi with 2 GB, or [camera] source = "none" and tap on the screens'
    there = f"there are {', '.join(found)}" if found else "there is none"
    if source in ("virtual", "none"):
        yield NOTE, f"{source}; {there}"
    elif source == "pi":
        if not patient.has_library("picamera2"):
            yield (
                BAD,
                "the Pi camera needs picamera2, which is not here",
                "sudo apt install python3-picamera2",
            )
        else:
            yield from _picture(patient, "the Pi camera")
    elif source.startswith(("usb:", "/dev/")):
        device = source.replace("usb:", "/dev/video")
        if patient.has(device):
            yield from _picture(patient, device)
        else:
            plug = "plug the camera in, or name another in [camera] source; play goes on by tapping"
            yield BAD, f"{device} is missing; {there}", plug
    else:
        yield from _picture(patient, source)


def _picture(patient: Patient, name: str) -> Found:
    """Takes a picture and says what is seen in it."""
    if patient.trial is None:
        yield GOOD, f"{name} is there"
        return
    try:
        yield GOOD, f"{name}: {patient.trial.take_picture()}"
    except GloamError as error:
        busy = "if the table is running, it has the camera: sudo systemctl stop gloam, then ask again"
        yield BAD, f"{name}: {error}", busy


def _leds(patient: Patient) -> Found:
    driver = patient.lights.driver
    needs = {
        "neopixel": (
            "neopixel",
            ".venv/bin/pip install 'gloam[pi]' rpi_ws281x  (on a Pi 5: 'gloam[pi,pi5]')",
        ),
        "spi": ("spidev", "sudo apt install python3-spidev"),
        "chip": ("serial", "run ./gloam from the clone once"),
    }
    if driver == "virtual":
        yield NOTE, "virtual: lights show on the screens"
    elif driver == "ddp":
        yield from _wled(patient.lights.host)
    elif not patient.has_library(needs[driver][0]):
        yield (
            BAD,
            f'driver "{driver}" needs the library {needs[driver][0]}, which is not here',
            needs[driver][1],
        )
    else:
        yield GOOD, f'driver "{driver}", library {needs[driver][0]}'
    if driver != "virtual" and patient.trial is not None:
        yield from _light(patient.trial)


def _wled(hosts: str) -> Found:
    """Asks each WLED what it drives."""
    if not hosts:
        yield BAD, "WLED has no address", '[lights] host = "192.168.1.50"'
    for host in filter(None, map(str.strip, hosts.split(","))):
        try:
            told = ask(host)
        except GloamError as error:
            yield BAD, str(error), "open that address in a browser; correct it in [lights] host"
            continue
        limit = f"its own limit is {told.limit_ma} mA" if told.limit_ma else "it has no limit of its own"
        white = "with white" if told.has_white else "without white"
        yield (
            GOOD,
            f"WLED {told.version} at {host} drives {told.leds} LEDs {white}; {limit}",
            "",
        )


def _light(trial: PartTrial) -> Found:
    """Lights the first LED and says whether the camera saw it."""
    try:
        level, words = trial.light_led()
    except GloamError as error:
        busy = "if the table is running, it has the lights: sudo systemctl stop gloam, then ask again"
        yield BAD, str(error), busy
        return
    yield level, words, "" if level == GOOD else "look at the LED: if it is dark, see the guide, the lights"


def _link(patient: Patient) -> Found:
    port, found = patient.lights.port, patient.devices("ttyACM*")
    there = f"there are {', '.join(found)}" if found else "no microcontroller is plugged in"
    if patient.lights.driver != "chip":
        yield NOTE, f"not used; {there}"
    elif port == "auto" and found:
        yield GOOD, found[0]
    elif port == "auto":
        yield BAD, there, "plug the Pico in by USB; no drive and no port: flash it, see the guide"
    else:
        for one in (part.strip() for part in port.split(",")):
            if patient.has(one):
                yield GOOD, one
            else:
                yield (
                    BAD,
                    f"port {one} is not there; {there}",
                    '[lights] port = "auto", or a port that is there',
                )


def _spi(patient: Patient) -> Found:
    device, found = f"/dev/spidev{patient.lights.spi}", patient.devices("spidev*")
    if patient.lights.driver != "spi":
        yield NOTE, f"not used; {', '.join(found) or 'off'}"
    elif device in found:
        yield GOOD, device
    else:
        there = ", ".join(found) or "SPI is off"
        yield BAD, f"{device} is missing; {there}", "sudo raspi-config nonint do_spi 0, then restart"


def _rights(patient: Patient) -> Found:
    used = {
        "camera": patient.devices("video*"),
        "link": patient.devices("ttyACM*") if patient.lights.driver == "chip" else [],
        "spi": patient.devices("spidev*") if patient.lights.driver == "spi" else [],
    }
    closed = {
        part: device
        for part, devices in used.items()
        for device in devices[:1]
        if not os.access(patient.root / device.lstrip("/"), os.R_OK | os.W_OK)
    }
    for part, device in closed.items():
        group = GROUPS[part]
        yield BAD, f"{device} may not be used", f"sudo usermod -aG {group} $USER, then log in again"
    if not closed:
        mine = {group.gr_name for group in map(_group, os.getgroups()) if group is not None}
        yield GOOD, f"groups: {', '.join(sorted(mine & set(GROUPS.values()))) or 'none needed'}"


def _group(number: int) -> grp.struct_group | None:
    try:
        return grp.getgrgid(number)
    except KeyError:
        return None


def _power(patient: Patient) -> Found:
    for name in sorted((patient.root / "sys/class/hwmon").glob("hwmon*/name")):
        if name.read_text().strip() != "rpi_volt":
            continue
        if name.with_name("in0_lcrit_alarm").read_text().strip() == "1":
            fix = "use the Pi's own supply and a short cable; give the LEDs a supply of their own"
            yield BAD, "the Pi's voltage is too low", fix
        else:
            yield GOOD, "the Pi's voltage holds"
        return
    yield NOTE, "this machine says nothing about its voltage"


def _network(patient: Patient) -> Found:
    web = patient.config.of(WebSettings)
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            one.bind((web.host, web.port))
            yield GOOD, f"port {web.port} is free"
        except OSError as error:
            fix = "the table is running already; if not: another [web] port"
            yield NOTE, f"port {web.port}: {error.strerror}", fix
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        try:
            one.connect(("192.0.2.1", 9))  # sends nothing; asks which address would be used
            yield GOOD, f"phones reach {one.getsockname()[0]}"
        except OSError:
            yield NOTE, "no network: phones cannot join", "join a Wi-Fi, or make the Pi a hotspot"


def _mqtt(patient: Patient) -> Found:
    mqtt = patient.config.of(MqttSettings)
    where = f"{mqtt.host}:{mqtt.port}"
    if not mqtt.enabled:
        yield GOOD, "off: the house is told nothing"
    elif not patient.has_library("paho"):
        yield BAD, "paho-mqtt is not here", ".venv/bin/pip install 'gloam[mqtt]'"
    elif mqtt.password_file and not os.access(mqtt.password_file, os.R_OK):
        yield BAD, f"{mqtt.password_file} cannot be read", "make it readable for the user who runs Gloam"
    else:
        try:
            socket.create_connection((mqtt.host, mqtt.port), PATIENCE_S).close()
            yield GOOD, f"the broker {where} answers"
        except OSError as error:
            fix = "start the broker, or correct host and port in [mqtt]; play goes on without"
            yield BAD, f"no broker at {where}: {error}", fix


CHECKS: dict[str, Callable[[Patient], Found]] = {
    "python": _python,
    "packages": _packages,
    "games": _games,
    "config": _config,
    "saves": _saves,
    "disk": _disk,
    "camera": _camera,
    "leds": _leds,
    "link": _link,
    "spi": _spi,
    "rights": _rights,
    "power": _power,
    "network": _network,
    "mqtt": _mqtt,
}
Checks = Mapping[str, Callable[[Patient], Found]]
NUMBER = {part: number for number, part in enumerate(CHECKS, 1)}
"""The numbers in the guide."""


def examine(patient: Patient, checks: Checks = CHECKS) -> list[Finding]:
    """Goes through the list."""
    return [Finding(one[0], part, *one[1:]) for part, check in checks.items() for one in check(patient)]


def _row(finding: Finding) -> dict[str, Any]:
    return {"number": NUMBER[finding.part], **finding._asdict()}


def _bundle(path: Path, findings: list[Finding], config: Config) -> None:
    """Writes the findings; nothing of a game's course, no name, no address, no token goes in."""
    # A version may look like an address.
    clean = [
        one if one.part == "packages" else one._replace(found=ADDRESS.sub("…", one.found)) for one in findings
    ]
    text = json.dumps([_row(finding) for finding in clean], indent=1, ensure_ascii=False)
    text = text.replace(str(Path.home()), "~")
    for section, keys in PRIVATE.items():
        for values in (getattr(config.sections.get(section), key, "") for key in keys):
            for value in filter(None, map(str.strip, values.split(","))):
                text = text.replace(value, "…")
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


def _put_away(path: Path, out: str | None) -> int:
    with closing(Journal(path)) as journal:
        older = older_games(journal)
        if not older:
            print("no stored game has other rules")
            return 0
        # A number is never used twice, so neither is this name.
        target = out or str(path.with_stem(f"{path.stem}-older-{older[0].id}"))
        journal.move_to(target, [one.id for one in older])
    print(f"{_names(older)}: moved to {target}")
    print(f"the Gloam that played them exports them: gloam saved --journal {target} --export {older[-1].id}")
    return 0
