"""The workshop's routes: the host's alone, honest about parts, and nothing lost by backup and restore."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any
from urllib.request import urlopen

import pytest
from web_tools import ORIGIN, Room, Visitor

from companion.service.app import _parser, _serving
from companion.service.workshop import Workshop
from companion.settings.config import SECTIONS, MqttSettings, open_config
from companion.settings.state_file import good_copy, troubles
from companion.table.backup import BackupError, opened, write_backup
from companion.table.backup import restore as restore_all
from companion.table.journal import NOTICE, Journal, Line
from companion.table.people import SETUP, People
from companion.table.table import Table
from hardware.clock import SystemClock
from hardware.wiring import SCHEMA
from web.app import create_app
from web.context import Web
from web.text import TEXTS

SEED = int(os.environ.get("GLOAM_SEED", "2026"))
LOOKS = ("state", "picture.jpg", "sight", "lesson", "photograph.jpg", "leds", "test", "switches")
LOOKS += ("sheet.pdf?game=onirim", "cards.pdf")
CARE = ("health", "report", "backup", "saved")


def finished(room: Room) -> None:
    """Leaves a finished game on the table and an unfinished one in the journal."""
    room.table.start("night_cage", {"players": 2}, seed=1)
    session = room.table.start("onirim", {}, seed=3)
    for _ in range(2000):
        if not session.state().needs():
            return
        session.submit(0, session.actions(0)[0])
    raise AssertionError("the game never ended")


def moves(room: Room) -> dict[int, list[Line]]:
    """The lines of all stored games but for the notices that a backup leaves."""
    stored = [one.id for one in room.journal.games()]
    return {number: [one for one in room.journal.read(number) if one.seat != NOTICE] for number in stored}


def restore(host: Visitor, content: bytes, kind: str = "application/zip") -> Any:
    return host.client.post(
        "/api/restore",
        base_url=ORIGIN,
        data=content,
        content_type=kind,
        headers={"Origin": ORIGIN, "X-Gloam-Token": host.token},
        environ_base={"REMOTE_ADDR": host.address},
    )


# Who may --------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("path", [*(f"workshop/{name}" for name in LOOKS), *CARE])
def test_a_stranger_sees_nothing_of_the_workshop(room: Room, path: str) -> None:
    room.host()
    answer = room.visitor().get(f"/api/{path}")
    assert (answer.status_code, answer.json["code"]) == (403, "not-host")


def test_every_look_into_the_workshop_is_walked_here(room: Room) -> None:
    ours = {rule.rule for rule in room.app.url_map.iter_rules() if rule.rule.startswith("/api/workshop/")}
    looks = {
        rule
        for rule in ours
        if "GET" in next(r.methods for r in room.app.url_map.iter_rules() if r.rule == rule)
    }
    assert looks == {f"/api/workshop/{name.split('?')[0]}" for name in LOOKS}


def test_a_stranger_restores_nothing(room: Room) -> None:
    room.host()
    assert restore(room.visitor(), b"PK").status_code == 403


def test_a_restore_takes_a_backup_file_and_nothing_that_a_form_can_send(room: Room) -> None:
    host = room.host()
    for kind in ("multipart/form-data", "text/plain", "application/json"):
        assert restore(host, b"PK", kind).status_code == 415


@pytest.mark.parametrize(
    "path", [f"workshop/{name}" for name in LOOKS if name != "state" and ".pdf" not in name]
)
def test_a_game_on_the_table_keeps_its_parts(room: Room, path: str) -> None:
    host = room.host()
    room.table.start("onirim", {}, seed=1)
    answer = host.get(f"/api/{path}")
    assert (answer.status_code, answer.json["code"]) == (409, "table-busy")


# Settings -------------------------------------------------------------------------------------------


def test_settings_are_written_into_the_commented_file(room: Room, tmp_path: Path) -> None:
    host = room.host()
    changes = {"camera": {"source": "usb:0"}, "table": {"language": "ru"}, "lights": {"supply_ma": 4000}}
    assert host.post("/api/workshop/settings", changes=changes).status_code == 200
    text = (tmp_path / "gloam.toml").read_text()
    assert 'source = "usb:0"' in text and "supply_ma = 4000" in text and text.count("# ") > 40
    assert host.get("/api/workshop/state").json["camera"]["source"] == "usb:0"


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes",
    [
        {"web": {"port": 1}},
        {"lights": {"map": "/etc/passwd", "spi": "0.1"}},
        {"camera": {"source": "/etc/passwd"}},
        {"camera": {"lens": "/etc/passwd"}},
        {"lights": {"driver": "laser"}},
        {"lights": {"supply_ma": 10_000_000}},
        {"mqtt": {"password_file": "x"}},
    ],
)
def test_what_a_page_may_not_set_is_not_written(room: Room, tmp_path: Path, changes: dict) -> None:
    answer = room.host().post("/api/workshop/settings", changes=changes)
    assert answer.status_code == 400
    assert not (tmp_path / "gloam.toml").exists()


@pytest.mark.parametrize("content", [b"\xff\xfe\0", b"[[[", b"[web]\nprot = 1\n"])
def test_settings_that_cannot_be_read_are_not_written_over(
    room: Room, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "gloam.toml").write_bytes(content)
    answer = room.host().post("/api/workshop/settings", changes={"table": {"name": "Ours"}})
    assert (answer.status_code, answer.json["code"]) == (400, "bad-options")
    assert (tmp_path / "gloam.toml").read_bytes() == content


def test_a_new_device_reads_the_tables_language(room: Room) -> None:
    host = room.host()
    host.post("/api/workshop/settings", changes={"table": {"language": "ru"}})
    assert '<html lang="ru"' in room.visitor().get("/", headers={"Accept-Language": "en"}).text


# Broken settings ------------------------------------------------------------------------------------

BROKEN = {
    "empty bracket": b"[web\n",
    "no value": b"[web]\nport =\n",
    "unknown key": b"[web]\nprot = 80\n",
    "unknown section": b"[wbe]\nport = 80\n",
    "wrong kind": b'[web]\nport = "80"\n',
    "out of range": b"[web]\nport = 700000\n",
    "not allowed": b'[lights]\ndriver = "laser"\n',
    "twice": b"[web]\n[web]\n",
    "no network": b'[web]\nnetworks = ["home"]\n',
    "no text": b"\xff\xfe\x00\x01[web]",
    "nothing but zeros": bytes(4096),
    "cut off": b'[web]\nnames = ["table.exa',
    "a number for a section": b"web = 1\n",
    "far too long": b"# x\n" * 100_000,
    "a picture": b"\x89PNG\r\n\x1a\n\x00\x00",
}


def boot(folder: Path) -> tuple[Table, Any]:
    """What `gloam run` builds from a settings file, up to the pages."""
    argv = ["--config", str(folder / "gloam.toml"), "--journal", str(folder / "gloam.db")]
    place = _serving(_parser("run", "").parse_args(argv))
    table = Table(Journal(place.journal), People(folder / "people.json"))
    workbench = Workshop(place.config, folder, SystemClock())
    app = create_app(Web(table, place.policy, workshop=workbench))
    app.testing = True
    return table, app


@pytest.mark.slow
@pytest.mark.parametrize("last_good", [True, False])
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_settings_file_leaves_the_panel_reachable(
    tmp_path: Path, name: str, last_good: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "gloam.toml"
    path.write_bytes(BROKEN[name])
    if last_good:
        good_copy(path).write_text("[web]\nmax_streams = 40\n")
    table, app = boot(tmp_path)
    assert str(path) in capsys.readouterr().err
    host = Visitor(app.test_client(), "192.168.7.10")
    assert host.post("/api/setup", code=table.people.codes.offer(SETUP, 60).short).status_code == 200
    line = next(one for one in host.get("/api/health?lang=en").json if one["part"] == "Settings")
    assert line["state"] == ("watch" if last_good else "bad")
    assert line["detail"] and line["fix"]
    assert host.post("/api/start", game="onirim").status_code == 200
    table.session.close()
    table.journal.close()


def test_a_folder_in_the_place_of_the_file_leaves_the_panel_reachable(tmp_path: Path) -> None:
    (tmp_path / "gloam.toml").mkdir()
    table, app = boot(tmp_path)
    assert Visitor(app.test_client(), "192.168.7.10").get("/").status_code == 200
    table.journal.close()


def test_in_safe_mode_no_part_is_opened(tmp_path: Path) -> None:
    (tmp_path / "gloam.toml").write_text('[camera]\nsource = "usb:0"\n[lights]\ndriver = 5\n')
    table, app = boot(tmp_path)
    host = Visitor(app.test_client(), "192.168.7.10")
    host.post("/api/setup", code=table.people.codes.offer(SETUP, 60).short)
    answer = host.post("/api/workshop/open", game="onirim")
    assert answer.status_code == 400
    assert "line 4: [lights] driver = 5" in answer.json["detail"]
    table.journal.close()


# Parts that are not there ---------------------------------------------------------------------------


def card(room: Room, settings: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The health card while the bench is open with these settings."""
    for module in ("spidev", "neopixel", "board"):
        monkeypatch.setitem(sys.modules, module, None)  # as on a machine without them
    (tmp_path / "gloam.toml").write_text(settings)
    room.workbench.use_again()
    host = room.host()
    assert host.post("/api/workshop/open", game="onirim").status_code == 200
    host.get("/api/workshop/picture.jpg")  # waits until a device has answered, or has not
    return {line["part"]: line for line in host.get("/api/health?lang=en").json}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "part", "said"),
    [
        ('[camera]\nsource = "/dev/video77"\n', "Camera", "/dev/video77"),
        ('[camera]\nsource = "no/such/film.mp4"\n', "Camera", "no such file or folder"),
        ('[camera]\nlens = "no/such/lens.json"\nsource = "pi"\n', "Camera", "lens.json"),
        ('[lights]\ndriver = "spi"\n', "Lights", "sudo apt install python3-spidev"),
        ('[lights]\ndriver = "neopixel"\n', "Lights", "pip install 'gloam[pi]' rpi_ws281x"),
        ('[lights]\ndriver = "chip"\nport = "/dev/ttyNOPE"\n', "Lights", "/dev/ttyNOPE cannot be opened"),
        (
            '[lights]\ndriver = "chip"\nport = "/dev/ttyNOPE"\n',
            "Microcontroller",
            "/dev/ttyNOPE cannot be opened",
        ),
    ],
)
def test_a_missing_part_is_said_with_what_helps(
    room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: str, part: str, said: str
) -> None:
    line = card(room, settings, tmp_path, monkeypatch)[part]
    assert line["state"] == "bad"
    assert said in line["detail"]
    assert line["fix"]


def test_every_state_of_a_part_has_its_words() -> None:
    states = {
        "config": ("usual", "file", "last-good", "safe"),
        "camera": ("good", "virtual", "none", "rest", "watch", "bad"),
        "lights": ("good", "virtual", "rest", "watch", "bad"),
        "link": ("good", "virtual", "rest", "watch", "bad"),
        "power": ("good", "unknown", "watch"),
        "disk": ("good", "bad"),
        "pages": ("good", "watch"),
        "owner": ("good", "watch"),
    }
    for part, some in states.items():
        for state in some:
            assert f"health.{part}.{state}" in TEXTS
            if state in ("bad", "safe", "last-good") or (state == "watch" and part != "link"):
                assert f"health.{part}.{state}.fix" in TEXTS


# The report -----------------------------------------------------------------------------------------


def test_the_report_holds_no_name_no_address_no_secret(room: Room, tmp_path: Path) -> None:
    host = room.host()
    host.post("/api/pin", pin="87654321")
    room.guest("Canary Ann")
    (tmp_path / "gloam.toml").write_text(
        '[web]\nnames = ["canary.example"]\nnetworks = ["203.0.113.0/24"]\n[table]\nname = "Canary home"\n'
        '[camera]\nsource = "http://canary:secret@192.168.1.9/video"\n[mqtt]\nhost = "canary-broker"\n'
        'user = "canary-user"\npassword_file = "canary-file"\nclub = "canary-club"\n'
        '[lights]\nhost = "canary-wled"\n'
    )
    room.workbench.use_again()
    room.table.start("onirim", {}, seed=1)
    answer = host.get("/api/report?lang=en")
    assert answer.status_code == 200
    text = answer.text.lower()
    for secret in ("canary", "secret@", "203.0.113", "87654321", room.people.join_code.lower(), host.token):
        assert secret not in text
    assert set(json.loads(answer.text)["settings"]) == set(SCHEMA) > set(SECTIONS)


# Backup and restore ---------------------------------------------------------------------------------


def test_a_backup_comes_back_whole(room: Room, tmp_path: Path) -> None:
    host, ann = room.host(), room.guest("Ann")
    finished(room)
    ann.post("/api/claim", seat=0)
    (tmp_path / "gloam.toml").write_text("[table]\nname = 'Ours'\n")
    (tmp_path / "teach").mkdir()
    (tmp_path / "teach" / "onirim.teach").write_bytes(b"pictures")
    (tmp_path / "lens.json").write_text("{}")
    before = moves(room)
    seats = room.people.holders(2)
    content = host.get("/api/backup").data

    room.table.start("bad_bones", {}, seed=1)
    room.table.clear()
    ann.post("/api/join", name="Anna")
    (tmp_path / "gloam.toml").write_text("[table]\nname = 'Other'\n")
    (tmp_path / "lens.json").write_text("other")
    answer = restore(host, content)

    assert (answer.status_code, answer.json["games"]) == (200, 2)
    assert moves(room) == before
    assert room.people.holders(2) == seats
    assert (tmp_path / "lens.json").read_text() == "{}"
    assert room.workbench.config.sections["table"].name == "Ours"
    assert host.post("/api/resume", number=2).status_code == 200
    assert "before-restore.zip" in {path.name for path in tmp_path.iterdir()}


def test_what_was_there_before_a_restore_can_be_had_back(room: Room, tmp_path: Path) -> None:
    host = room.host()
    empty = host.get("/api/backup").data
    finished(room)
    restore(host, empty)
    assert room.journal.games() == []
    restore(host, (tmp_path / "before-restore.zip").read_bytes())
    assert len(room.journal.games()) == 2


def test_a_backup_with_a_game_of_older_rules_comes_back(room: Room) -> None:
    host = room.host()
    older = room.journal.create("onirim", 0, {})
    room.journal.append(older, 0, [Line(-1, "draw NM")])
    content = host.get("/api/backup").data
    finished(room)
    assert restore(host, content).status_code == 200
    assert moves(room) == {older: [Line(-1, "draw NM")]}
    assert len(room.journal.games()) == 1


def test_seats_of_other_games_are_not_held_after_a_restore(room: Room) -> None:
    host, ann = room.host(), room.guest("Ann")
    empty = host.get("/api/backup").data
    room.table.start("whisper", {}, seed=1)
    ann.post("/api/claim", seat=1)
    room.table.clear()
    restore(host, empty)
    room.table.start("whisper", {}, seed=2)
    assert room.people.holders(1) == {}


def test_seats_of_games_that_are_not_in_a_backup_are_not_taken(room: Room) -> None:
    """Or a game that begins later would find them held."""
    host = room.host()
    number = room.table.start("onirim", {}, seed=1).number
    room.table.clear()
    seats = {"seats": {str(n): {"0": "a" * 64} for n in (number, 7, 999_999_999)}, "names": {}}
    content = altered(host.get("/api/backup").data, **{"seats.json": json.dumps(seats).encode()})
    assert restore(host, content).status_code == 200
    assert room.people.seats()["seats"] == {str(number): {"0": "a" * 64}}


def test_a_backup_holds_nothing_that_opens_the_door(room: Room, tmp_path: Path) -> None:
    host = room.host()
    host.post("/api/pin", pin="87654321")
    kept = json.loads((tmp_path / "people.json").read_text())
    with zipfile.ZipFile(io.BytesIO(host.get("/api/backup").data)) as backup:
        assert backup.testzip() is None
        whole = b"".join(backup.read(name) for name in backup.namelist())
    for secret in (kept["secret"], kept["owner_pin"], kept["join_code"], host.token, "87654321"):
        assert secret.encode() not in whole


@pytest.mark.parametrize("path", ["backup", "restore"])
def test_a_running_game_is_neither_copied_nor_replaced(room: Room, path: str) -> None:
    host = room.host()
    content = host.get("/api/backup").data
    session = room.table.start("onirim", {}, seed=1)
    answer = host.get("/api/backup") if path == "backup" else restore(host, content)
    assert (answer.status_code, answer.json["code"]) == (409, "game-running")
    assert room.table.session is session


def altered(content: bytes, **files: bytes | None) -> bytes:
    """A backup with other files in it; None leaves one out."""
    fresh = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(fresh, "w") as new:
        for name in old.namelist():
            if name not in files:
                new.writestr(name, old.read(name))
        for name, data in files.items():
            if data is not None:
                new.writestr(name, data)
    return fresh.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize(
    "spoil",
    [
        lambda good: b"",
        lambda good: b"no zip at all",
        lambda good: good[: len(good) // 2],
        lambda good: altered(good, **{"about.json": None}),
        lambda good: altered(good, **{"about.json": b'{"format": "other"}'}),
        lambda good: altered(good, **{"about.json": b'{"format": "gloam-backup", "version": 99}'}),
        lambda good: altered(good, **{"gloam.db": None}),
        lambda good: altered(good, **{"gloam.db": b"no database"}),
        lambda good: altered(good, **{"gloam.toml": b"[web]\nprot = 1\n"}),
        lambda good: altered(good, **{"gloam.toml": b"\xff\xfe"}),
        lambda good: altered(good, **{"seats.json": b"{"}),
        lambda good: altered(good, **{"seats.json": b"[]"}),
        lambda good: altered(good, **{"../../evil": b"x"}),
        lambda good: altered(good, **{"/etc/passwd": b"x"}),
        lambda good: altered(good, **{"teach/../../evil.teach": b"x"}),
        lambda good: altered(good, **{"program.py": b"x"}),
    ],
)
def test_what_is_no_whole_backup_changes_nothing(room: Room, tmp_path: Path, spoil: Any) -> None:
    host = room.host()
    finished(room)
    content = spoil(host.get("/api/backup").data)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.suffix == ".json"}
    answer = restore(host, content)
    assert (answer.status_code, answer.json["code"]) == (400, "no-backup")
    assert len(room.journal.games()) == 2
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.suffix == ".json"} == before
    assert not (tmp_path.parent / "evil").exists()


def database(content: bytes, tmp_path: Path, *statements: str) -> bytes:
    """A backup in whose database somebody has run SQL."""
    path = tmp_path / "hostile.db"
    with zipfile.ZipFile(io.BytesIO(content)) as backup:
        path.write_bytes(backup.read("gloam.db"))
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)
    return altered(content, **{"gloam.db": path.read_bytes()})


def test_a_trigger_in_a_backup_has_no_effect(room: Room, tmp_path: Path) -> None:
    host = room.host()
    finished(room)
    eats = "CREATE TRIGGER eat AFTER INSERT ON lines BEGIN DELETE FROM lines WHERE line = NEW.line; END"
    content = database(host.get("/api/backup").data, tmp_path, eats, "CREATE VIEW odd AS SELECT 1")
    assert restore(host, content).status_code == 200
    made = room.journal._db.execute("SELECT name FROM sqlite_master WHERE type IN ('trigger', 'view')")
    assert made.fetchall() == []
    session = room.table.start("onirim", {}, seed=1)
    session.submit(0, session.actions(0)[0])
    assert room.journal.read(session.number) != []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games SET id = 9223372036854775807 WHERE id = 1",
        "UPDATE games SET id = 1234567890 WHERE id = 1",
        "UPDATE games SET options = '[' WHERE id = 1",
        "UPDATE games SET game = x'00' WHERE id = 1",
        "UPDATE lines SET at = '2026-01-01'",
        "UPDATE lines SET text = 'fly' WHERE line = 1",
        "ALTER TABLE lines ADD COLUMN more TEXT",
        "PRAGMA user_version = 2",
    ],
)
def test_rows_that_we_never_write_are_refused(room: Room, tmp_path: Path, statement: str) -> None:
    host = room.host()
    finished(room)
    content = database(host.get("/api/backup").data, tmp_path, "PRAGMA foreign_keys=OFF", statement)
    assert restore(host, content).json["code"] == "no-backup"
    assert len(room.journal.games()) == 2


def test_a_view_in_place_of_a_table_is_never_asked(room: Room, tmp_path: Path) -> None:
    host = room.host()
    endless = (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, 'x', 1, '{}', '' FROM n"
    )
    content = database(
        host.get("/api/backup").data, tmp_path, "DROP TABLE games", f"CREATE VIEW games AS {endless}"
    )
    assert restore(host, content).json["code"] == "no-backup"


def test_a_backup_changes_only_settings_that_the_workshop_can_edit(room: Room, tmp_path: Path) -> None:
    host = room.host()
    (tmp_path / "gloam.toml").write_text("[web]\nport = 8123  # ours\n[table]\nname = 'Ours'\n")
    theirs = """
    [table]
    name = "Theirs"
    [web]
    networks = ["0.0.0.0/0"]
    names = ["evil.example"]
    [camera]
    source = "/etc/passwd"
    [mqtt]
    enabled = true
    host = "evil.example"
    password_file = "/etc/shadow"
    """
    answer = restore(host, altered(host.get("/api/backup").data, **{"gloam.toml": theirs.encode()}))
    assert answer.status_code == 200
    config = open_config(tmp_path / "gloam.toml", SCHEMA)
    assert config.sections["table"].name == "Theirs"
    assert config.sections["web"].port == 8123 and "# ours" in (tmp_path / "gloam.toml").read_text()
    assert config.sections["web"].networks == config.sections["web"].names == ()
    assert config.sections["mqtt"] == MqttSettings()
    assert config.sections["camera"].source == "virtual"
    assert set(answer.json["left_out"]) == {
        *("[web] port", "[web] networks", "[web] names", "[camera] source"),
        *("[mqtt] enabled", "[mqtt] host", "[mqtt] password_file"),
    }


@pytest.mark.parametrize(
    "seats",
    [
        {"seats": {"1": {"x": "a"}}, "names": {}},
        {"seats": {"x": {"1": "a"}}, "names": {}},
        {"seats": {"1": {"-1": "a"}}, "names": {}},
        {"seats": {"1": {"²": "a"}}, "names": {}},
        {"seats": {"1": {"9" * 5000: "a"}}, "names": {}},
        {"seats": {"1": {"0": 7}}, "names": {}},
        {"seats": {"1": {"0": ""}}, "names": {}},
        {"seats": {}, "names": []},
    ],
)
def test_seats_that_are_none_are_refused(room: Room, seats: Any) -> None:
    host = room.host()
    content = altered(host.get("/api/backup").data, **{"seats.json": json.dumps(seats).encode()})
    assert restore(host, content).json["code"] == "no-backup"
    room.table.start("onirim", {}, seed=1)
    assert host.get("/api/room").status_code == 200


def packed(**files: bytes) -> bytes:
    fresh = io.BytesIO()
    with zipfile.ZipFile(fresh, "w", zipfile.ZIP_DEFLATED) as new:
        for name, data in files.items():
            new.writestr(name, data)
    return fresh.getvalue()


@pytest.mark.parametrize(
    "bomb",
    [
        {"about.json": b" " * 100_000},
        {"gloam.db": bytes(70 * 2**20)},
        {"lens.json": bytes(40 * 2**20)},
        {f"leds-{i}.json": b" " * 100 for i in range(300)},
        {"about.json": b"[" * 4000},
        dict.fromkeys((f"leds-{i}.json" for i in range(4)), bytes(25 * 2**20)),
    ],
)
def test_sizes_are_bounded_before_anything_is_unpacked(
    tmp_path: Path, bomb: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bomb.zip").write_bytes(packed(**bomb))
    written: list[int] = []
    write = Path.write_bytes
    monkeypatch.setattr(
        Path, "write_bytes", lambda path, data: written.append(len(data)) or write(path, data)
    )
    with pytest.raises(BackupError), opened(tmp_path / "bomb.zip", SCHEMA, tmp_path / "gloam.toml"):
        raise AssertionError("it was opened")
    assert sum(written) <= 4096


def test_a_size_that_is_declared_too_small_is_not_believed(tmp_path: Path) -> None:
    content = packed(**{"about.json": b" " * 100_000})
    lie = content.replace((100_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    (tmp_path / "lie.zip").write_bytes(lie)
    with pytest.raises(BackupError), opened(tmp_path / "lie.zip", SCHEMA, tmp_path / "gloam.toml"):
        raise AssertionError("it was opened")


def test_a_list_of_very_many_files_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python makes an object of each: the largest upload would fill a small Pi."""
    packed_ones = packed(**{f"{i}": b"" for i in range(2000)})
    (tmp_path / "many.zip").write_bytes(packed_ones)
    made: list[str] = []
    info = zipfile.ZipInfo.__init__
    monkeypatch.setattr(
        zipfile.ZipInfo, "__init__", lambda self, *given: made.append(given[0]) or info(self, *given)
    )
    with pytest.raises(BackupError), opened(tmp_path / "many.zip", SCHEMA, tmp_path / "gloam.toml"):
        raise AssertionError("it was opened")
    assert len(made) <= 400


def test_a_file_that_is_there_twice_makes_no_backup(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "twice.zip", "w") as new, pytest.warns(UserWarning, match="Duplicate"):
        for about in (b"{}", b'{"format": "gloam-backup", "version": 1}'):
            new.writestr("about.json", about)
    with (
        pytest.raises(BackupError, match="twice"),
        opened(tmp_path / "twice.zip", SCHEMA, tmp_path / "gloam.toml"),
    ):
        raise AssertionError("it was opened")


def fuzz_backups(room: Room, tmp_path: Path, rounds: int) -> None:
    """Restores damaged backups: each is taken or refused in words, and the table goes on."""
    print(f"seed {SEED}")
    rng = Random(SEED)
    room.table.start("onirim", {}, seed=3)
    room.table.clear()
    (tmp_path / "gloam.toml").write_text("[table]\nname = 'Ours'\n")
    good = tmp_path / "good.zip"
    write_backup(good, room.journal, tmp_path / "gloam.toml", tmp_path, room.people.seats())
    with zipfile.ZipFile(good) as backup:
        files = {name: backup.read(name) for name in backup.namelist()}
    refused = 0
    for number in range(rounds):
        name = rng.choice(list(files))
        spoilt = bytearray(files[name])
        for _ in range(rng.choice([1, 4, 60])):
            spoilt[rng.randrange(len(spoilt))] = rng.randrange(256)
        content = packed(**(files | {name: bytes(spoilt)}))
        if rng.random() < 0.3:
            torn = bytearray(good.read_bytes())
            torn[rng.randrange(len(torn))] ^= 1 << rng.randrange(8)
            content = bytes(torn)[: rng.choice([len(torn), rng.randrange(len(torn))])]
        (tmp_path / "spoilt.zip").write_bytes(content)
        try:
            with opened(tmp_path / "spoilt.zip", SCHEMA, tmp_path / "gloam.toml") as found:
                restore_all(found, room.journal, tmp_path / "gloam.toml", tmp_path, room.people.seats())
            room.people.replace_seats(found.seats)
        except BackupError:
            refused += 1
        room.people.holders(1)
        assert room.journal.verify() >= 0, f"round {number}"
        assert not open_config(tmp_path / "gloam.toml", SCHEMA).faults, f"round {number}"
        People(tmp_path / "people.json")
        assert troubles(tmp_path) == [], f"round {number}"
    assert rounds // 3 < refused


def test_60_damaged_backups_and_the_table_goes_on(room: Room, tmp_path: Path) -> None:
    fuzz_backups(room, tmp_path, 60)


@pytest.mark.long
def test_2_000_damaged_backups_and_the_table_goes_on(room: Room, tmp_path: Path) -> None:
    fuzz_backups(room, tmp_path, 2000)


# Sleep ----------------------------------------------------------------------------------------------


def test_the_table_may_be_unplugged_when_all_is_stored(room: Room) -> None:
    host = room.host()
    session = room.table.start("onirim", {}, seed=1)
    session.submit(0, session.actions(0)[0])
    answer = host.post("/api/unplug")
    assert (answer.status_code, set(answer.json)) == (200, set(host.post("/api/lock", locked=False).json))


def test_a_damaged_save_is_said_before_anybody_unplugs(room: Room) -> None:
    host = room.host()
    session = room.table.start("onirim", {}, seed=1)
    session.submit(0, session.actions(0)[0])
    room.journal._db.execute("UPDATE lines SET text = 'draw nothing' WHERE line = 0")
    answer = host.post("/api/unplug")
    assert (answer.status_code, answer.json["code"]) == (409, "bad-journal")


def test_settings_of_a_workshop_are_those_that_the_next_start_reads(room: Room, tmp_path: Path) -> None:
    room.host().post("/api/workshop/settings", changes={"lights": {"driver": "virtual", "brightness": 0.5}})
    assert open_config(tmp_path / "gloam.toml", SCHEMA).sections["lights"].brightness == 0.5


# The real thing -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_gloam_run_serves_with_a_broken_settings_file(tmp_path: Path) -> None:
    (tmp_path / "gloam.toml").write_text("[web]\nhost = '127.0.0.1'\nport = 0\n[lights]\ndriver = 'laser'\n")
    command = [sys.executable, "-m", "companion.service.cli", "run", "--host", "127.0.0.1", "--port", "0"]
    environment = {**os.environ, "GLOAM_DATA": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        said = ""
        for line in process.stdout:
            said += line
            if "Stop with" in line:
                break
        port = re.search(r":(\d+)/", said)[1]
        with urlopen(f"http://127.0.0.1:{port}/workshop", timeout=20) as answer:
            assert answer.status == 200
    finally:
        process.send_signal(signal.SIGTERM)
        rest, _ = process.communicate(timeout=60)
    assert "line 5: [lights] driver = 'laser' is none of virtual, chip, neopixel, spi, ddp" in said
    assert "Safe mode: no part is used, the pages can be reached." in said
    assert "Good night" in rest
