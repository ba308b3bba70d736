"""Damaged files beside the journal: the table starts, says what it did, and takes the last good copy."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, redirect_stdout
from pathlib import Path
from random import Random
from urllib.request import urlopen

import numpy as np
import pytest

from companion.engine.errors import ConfigError
from companion.engine.marker_cards import cards_around
from companion.engine.parts import seated
from companion.games import REGISTRY, load
from companion.service import calibration_files as files
from companion.service.cli import main
from companion.service.mqtt import MqttState
from companion.service.rig import left_things
from companion.service.rig_service import RigService
from companion.service.workshop import Workshop
from companion.settings.config import MqttSettings, open_config
from companion.settings.state_file import ANEW, MENDED, NotStored, StateFile, good_copy, json_object, troubles
from companion.table.boxes import Boxes
from companion.table.journal import DamagedJournal, Journal, Line, NewerJournal, mend
from companion.table.people import People
from companion.table.programs import Programs
from companion.table.table import Table
from hardware import ledmap
from hardware.clock import SystemClock
from hardware.projector import Screen
from hardware.wiring import SCHEMA, led_map_for, settings_of
from vision.pose import Lens
from vision.table_map import At, TableMap
from vision.teach import PIXELS, FaceLibrary
from web.health import health_card
from web.shelf import saved

SEED = int(os.environ.get("GLOAM_SEED", "2026"))
BOARD = load("onirim").board(load("onirim").resolve({}))
BONES = load("bad_bones").board(load("bad_bones").resolve({"players": 3}))
DEEP = b"[" * 100_000


def fill(folder: Path, *, has_box: bool = True) -> None:
    """A table that has been used: every file that it keeps beside the journal.

    An edition for the owner's box takes longer to read than all the rest.
    """
    people = People(folder / "gloam.people.json")
    people.make_host("a" * 64, "1234")
    people.call("a" * 64, "Ann")
    people.sit(1, 0, "a" * 64, "4321")
    Programs(folder / "gloam.programs.json").admit("bot", "Robot")
    MqttState(folder / "mqtt.json").keep(MqttSettings(enabled=True, host="broker"))
    files.keep_corners(folder, BOARD, [[0, 0], [90, 0], [90, 90], [0, 90]], 100, 100)
    lens = Lens(100, 100, 90.0, 90.0, 50.0, 50.0, distortion=(0.1, 0.0, 0.0, 0.0, 0.0))
    files.keep_lens(folder, lens)
    files.keep_table(folder, TableMap(cards_around(BOARD), lens, {BOARD.key: At(0.0, 0.0, 0.0)}, {}))
    files.keep_parts(folder, seated(BONES))
    files.keep_map(folder, BOARD, ledmap.cells(BOARD))
    files.keep_switches(folder, BOARD, {0: 3, 1: 4})
    files.keep_screen(folder, BOARD, Screen(BOARD, matrix=np.diag([2.0, 2.0, 1.0])))
    files.keep_faces(folder, FaceLibrary("onirim", {"Rs": np.full((1, PIXELS, PIXELS, 3), 90, np.uint8)}))
    sense = "killer_cards.butcher_sense"
    if has_box:
        Boxes(folder).enter("whisper", {f"{sense}.count": 3, f"{sense}.name": "Sense", f"{sense}.cost": 1})
    left = {"game": 1, "board": BOARD.name, "things": [["Rs", 1.0, 2.0, 0.0, 1]]}
    left_things(folder).save(json.dumps(left).encode())
    settings = f"[camera]\nlens = '{folder}/lens.json'\n[lights]\nmap = '{folder}/leds-{{board}}.json'\n"
    (folder / "gloam.toml").write_text(settings)
    open_config(folder / "gloam.toml", SCHEMA).keep()


NAMES = (
    "gloam.people.json",
    "gloam.programs.json",
    "mqtt.json",
    "corners.json",
    "lens.json",
    "cards.json",
    "boards.json",
    f"leds-{BOARD.key}.json",
    f"switches-{BOARD.key}.json",
    "projector.json",
    "teach/onirim.teach",
    "virtual-table.json",
)


BOX = "box/whisper.json"
"""Written by people too: one that is wrong is not set aside, but takes its own game off the shelf."""


def start(folder: Path) -> None:
    """Reads every file as a start and a game do; whatever is damaged, nothing but `ConfigError` comes out."""
    config = open_config(folder / "gloam.toml", SCHEMA)
    config.keep()
    People(folder / "gloam.people.json").holders(1)
    Programs(folder / "gloam.programs.json")
    MqttState(folder / "mqtt.json")
    left_things(folder).load()
    boxes = Boxes(folder)
    assert set(boxes.games()) | set(boxes.faults()) == set(REGISTRY)
    for read in (
        lambda: files.finder_for(folder, BOARD, config.sections["camera"]),
        lambda: led_map_for(settings_of(config).lights, BOARD),
        lambda: files.taught_faces(folder, "onirim"),
        lambda: files.kept_switches(folder, BOARD),
        lambda: files.kept_screen(folder, BOARD).dots(),
        lambda: files.as_measured(folder, BONES),
    ):
        try:
            read()
        except ConfigError:
            continue


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("damage", [b"", b"\xff\x00", DEEP, b"[]", b'{"seats": {"1": {"x": ["a", ""]}}}'])
def test_a_damaged_file_is_set_aside_and_said(tmp_path: Path, name: str, damage: bytes) -> None:
    fill(tmp_path, has_box=False)
    path = tmp_path / name
    path.write_bytes(damage)
    good_copy(path).unlink(missing_ok=True)
    start(tmp_path)
    assert path.with_name(path.name + ANEW).read_bytes() == damage
    (words,) = troubles(tmp_path)
    assert words.startswith(f"{name} was damaged and is begun anew")
    workshop = Workshop(open_config(tmp_path / "gloam.toml", SCHEMA), tmp_path, SystemClock())
    assert [line.detail for line in workshop.health() if line.part == "files"] == [words]
    assert words in findings(tmp_path)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "virtual-table.json"])
def test_the_last_good_copy_takes_the_place_of_a_damaged_file(tmp_path: Path, name: str) -> None:
    fill(tmp_path)
    path = tmp_path / name
    good = path.read_bytes()
    path.write_bytes(good[: len(good) // 2])
    assert f"{path.name} is damaged" in findings(tmp_path)
    start(tmp_path)
    assert path.read_bytes() == good
    assert path.with_name(path.name + MENDED).exists()
    assert f"{name} was damaged and its last good copy is used" in findings(tmp_path)
    assert People(tmp_path / "gloam.people.json").is_owner_pin("1234")


def test_a_table_that_is_whole_has_no_trouble(tmp_path: Path) -> None:
    fill(tmp_path)
    start(tmp_path)
    assert troubles(tmp_path) == []
    assert "damaged" not in findings(tmp_path)
    assert files.taught_faces(tmp_path, "onirim").pictures.keys() == {"Rs"}


def findings(folder: Path) -> str:
    """What the doctor says."""
    with redirect_stdout(io.StringIO()) as said:
        main(["doctor", "--journal", str(folder / "gloam.db"), "--config", str(folder / "gloam.toml")])
    return said.getvalue()


@pytest.mark.parametrize("name", ["gloam.people.json", "gloam.programs.json"])
def test_the_files_of_people_and_programs_and_their_copies_are_the_owners_alone(
    tmp_path: Path, name: str
) -> None:
    fill(tmp_path)
    for path in (tmp_path / name, good_copy(tmp_path / name)):
        assert path.stat().st_mode & 0o077 == 0


def test_a_forgotten_owner_does_not_come_back_with_the_copy(tmp_path: Path) -> None:
    fill(tmp_path)
    path = tmp_path / "gloam.people.json"
    People(path).forget_owner()
    path.write_bytes(b"")
    assert not People(path).has_owner


def test_a_file_of_a_newer_gloam_stays_where_it_is(tmp_path: Path) -> None:
    fill(tmp_path)
    path = files.teach_file(tmp_path, "onirim")
    about = json.dumps({"format": "gloam-teach", "version": 99, "game": "onirim", "faces": []})
    np.savez_compressed(path.with_suffix(".npz"), about=np.array(about))
    newer = path.with_suffix(".npz").read_bytes()
    path.write_bytes(newer)
    with pytest.raises(ConfigError, match="newer Gloam"):
        files.taught_faces(tmp_path, "onirim")
    assert path.read_bytes() == newer and troubles(tmp_path) == []


def test_a_teach_file_that_unpacks_to_too_much_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.teach.LARGEST", 100_000)
    with pytest.raises(ValueError, match="unpacks to more"):
        FaceLibrary.read(FaceLibrary("a", {"b": np.zeros((9, PIXELS, PIXELS, 3), np.uint8)}).content())


def test_settings_may_name_a_path_that_no_disk_can_have(tmp_path: Path) -> None:
    fill(tmp_path)
    far = "9" * 5000
    (tmp_path / "gloam.toml").write_text(
        f"[camera]\nlens = '/{far}/lens.json'\n[lights]\nmap = '/{far}/leds-{{board}}.json'\n"
    )
    start(tmp_path)


def test_what_cannot_be_set_aside_keeps_nothing_from_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "a.json").write_bytes(b"[")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "replace", refuse)
    assert StateFile(tmp_path / "a.json", json_object).load() is None
    assert "cannot be set aside (Permission denied)" in caplog.text


ODD: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "folder": Path.mkdir,
    "endless": lambda path: path.symlink_to("/dev/zero"),
    "loop": lambda path: path.symlink_to(path.name),
}
"""What may lie where a file should be."""


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("ending", ["", ".good", ".new"])
def test_what_is_no_file_is_neither_waited_for_nor_written_into(
    tmp_path: Path, ending: str, odd: str
) -> None:
    path = tmp_path / "a.json"
    ODD[odd](path.with_name(path.name + ending))
    file = StateFile(path, json_object)
    assert file.load() is None
    file.save(b'{"a": 1}')
    assert (StateFile(path, json_object).load(), good_copy(path).read_bytes()) == ({"a": 1}, b'{"a": 1}')
    assert path.is_file() and not path.is_symlink()


def test_more_than_could_be_read_again_is_not_stored(tmp_path: Path) -> None:
    file = StateFile(tmp_path / "a.json", json_object, largest=20)
    file.save(b'{"a": 1}')
    with pytest.raises(NotStored, match="more than"):
        file.save(b'{"a": "%s"}' % (b"b" * 20))
    assert StateFile(tmp_path / "a.json", json_object).load() == {"a": 1}


class Deaf:
    """An owner of a thread that always fails."""

    THREAD = "eyes"

    def __init__(self, service: RigService) -> None:
        self.service = service

    def run_once(self) -> None:
        self.service._stopped.set()
        raise RuntimeError("unforeseen")

    def stop(self) -> None: ...


def test_a_thread_that_fails_and_untaught_eyes_are_said_in_health(tmp_path: Path) -> None:
    fill(tmp_path)
    path = files.teach_file(tmp_path, "onirim")
    path.write_bytes(path.read_bytes().replace(b"PK", b"QK"))
    good_copy(path).unlink()
    config = open_config(tmp_path / "gloam.toml", SCHEMA)
    with closing(Journal(tmp_path / "gloam.db")) as journal:
        table = Table(journal, People())
        session = table.start("onirim", {}, seed=1)
        service = RigService(table, config, tmp_path)
        workshop = Workshop(config, tmp_path, SystemClock(), service)
        service._run(Deaf(service))
        service.sitting = rig = service._open(session)
        rig.world, said = None, []
        rig.loop.say = said.append
        rig.learn_faces()
        lines = [line for line in workshop.health() if line.part == "eyes"]
        assert [line.text for line in lines] == ["untaught", "failing"]
        assert "set aside" in lines[0].detail and "unforeseen" in lines[1].detail
        assert said[-1].code == "untaught"
        rig.close()


# A rollback to an older release ----------------------------------------------------------------


NEWER = [("chess", 1, {}), ("onirim", 999, {}), ("onirim", None, {"dragons": "7"}), ("onirim", None, {})]


@pytest.mark.parametrize(("key", "rules", "options"), NEWER)
def test_a_newest_game_that_this_release_cannot_resume_stays_on_the_list(
    tmp_path: Path, key: str, rules: int | None, options: dict[str, str]
) -> None:
    journal = Journal(tmp_path / "gloam.db")
    number = journal.create(key, rules if rules is not None else load("onirim").rules_version, options)
    journal.append(number, 0, [Line(0, "fly 9", (1, 2, 3, 4, 5, 6, 7, 8, 9))])
    table = Table(journal, People())
    table.resume_last()
    assert table.session is None
    (row,) = saved(table, "en")
    assert row["number"] == number
    if key == "chess" or rules or options:
        assert row["old_rules"]
    assert "BAD" in findings(tmp_path) or "cannot go on" in findings(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("safe", [[], ["--safe"]])
def test_gloam_run_serves_whatever_lies_beside_it(tmp_path: Path, safe: list[str]) -> None:
    fill(tmp_path)
    for name in NAMES:
        (tmp_path / name).write_bytes(DEEP)
        good_copy(tmp_path / name).unlink(missing_ok=True)
    journal = Journal(tmp_path / "gloam.db")
    journal.create("chess", 1, {"queen": "yes"})
    journal.close()
    said = served(tmp_path, *safe)
    assert "gloam.people.json is damaged" in said
    assert "the newest stored game cannot go on" in said


def served(folder: Path, *flags: str) -> str:
    """Starts the table, asks for its page and ends it; returns what it said."""
    command = [sys.executable, "-m", "companion.service.cli", "run", "--host", "127.0.0.1", "--port", "0"]
    process = subprocess.Popen(
        [*command, *flags],
        env={**os.environ, "GLOAM_DATA": str(folder), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    said = ""
    try:
        for line in process.stdout:
            said += line
            if "Stop with" in line:
                break
        port = re.search(r":(\d+)/", said)
        assert port, said
        with urlopen(f"http://127.0.0.1:{port[1]}/", timeout=60) as answer:
            assert answer.status == 200
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=90)
    return said


@pytest.mark.slow
def test_safe_mode_serves_where_there_is_no_folder_for_its_files(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    assert "a folder for this time only is used" in served(tmp_path / "file", "--safe")


def stored_games(folder: Path) -> Path:
    """A journal with two games, whose file is damaged in the middle."""
    path = folder / "gloam.db"
    with closing(Journal(path)) as journal:
        for game in range(2):
            number = journal.create("onirim", load("onirim").rules_version, {"players": 2})
            journal.append(number, 0, [Line(0, f"game {game}, line {n} {'x' * 60}") for n in range(400)])
        journal.verify()
    content = bytearray(path.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 4096] = bytes(4096)
    path.write_bytes(content)
    return path


def test_a_damaged_journal_is_set_aside_and_its_good_part_is_used(tmp_path: Path) -> None:
    path = stored_games(tmp_path)
    content = path.read_bytes()
    with pytest.raises(DamagedJournal):
        Journal(path)
    saved = mend(path)
    assert [stored.id for stored, _ in saved] == [1, 2], "seats are kept by the number of the game"
    assert 0 < sum(lines for _, lines in saved) < 800
    with closing(Journal(path)) as journal:
        assert [stored.lines for stored in reversed(journal.games())] == [lines for _, lines in saved]
        assert journal.create("onirim", 1, {}) == 3
    assert (tmp_path / "gloam.db.damaged-saved").read_bytes() == content
    assert "gloam.db was damaged and its good part is used" in findings(tmp_path)


@pytest.mark.parametrize(
    ("spoil", "kept"),
    [
        ("UPDATE games SET options = '{' WHERE id = 1", [2]),
        ("UPDATE games SET options = '{\"players\": 2}' WHERE id = 1", [2]),
        ("UPDATE games SET options = CAST(x'ff' AS TEXT) WHERE id = 1", [2]),
        ("UPDATE games SET game = CAST(x'ff' AS TEXT) WHERE id = 1", [1, 2]),
        ("UPDATE games SET rules = 'x' WHERE id = 2", [1]),
    ],
)
def test_a_damaged_row_costs_one_game_and_hides_no_other(tmp_path: Path, spoil: str, kept: list[int]) -> None:
    path = tmp_path / "gloam.db"
    with closing(Journal(path)) as journal:
        for _ in range(2):
            journal.create("onirim", load("onirim").rules_version, {"players": 2})
    with closing(sqlite3.connect(path)) as spoiler, spoiler:
        spoiler.execute(spoil)
    with pytest.raises(DamagedJournal):
        Journal(path)
    assert [stored.id for stored, _ in mend(path)] == kept
    with closing(Journal(path)) as journal:
        Table(journal, People()).start("onirim", {}, seed=1)


def test_a_journal_without_its_version_is_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "gloam.db"
    with closing(Journal(path)) as journal:
        journal.create("onirim", load("onirim").rules_version, {"players": 2})
    with closing(sqlite3.connect(path)) as flipped:
        flipped.execute("PRAGMA user_version=0")
    with closing(Journal(path)) as journal:
        assert len(journal.games()) == 1


def test_a_journal_of_which_the_last_page_is_cut_off_is_mended(tmp_path: Path) -> None:
    path = tmp_path / "gloam.db"
    with closing(Journal(path)) as journal:
        for _ in range(60):
            journal.create("onirim", load("onirim").rules_version, {"players": 2, "openness": "silent"})
        journal.verify()
    content = path.read_bytes()
    path.write_bytes(content[: (len(content) // 4096 - 1) * 4096 + 64])
    with pytest.raises(DamagedJournal):
        Journal(path)
    saved = mend(path)
    with closing(Journal(path)) as journal:
        assert 0 < len(saved) == len(journal.games()) < 60


def test_a_journal_of_which_nothing_can_be_read_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "gloam.db"
    path.write_bytes(b"no journal at all" * 999)
    assert mend(path) == []
    with closing(Journal(path)) as journal:
        assert journal.games() == []
    assert "gloam.db was damaged and is begun anew" in findings(tmp_path)


@pytest.mark.slow
def test_gloam_run_serves_with_a_damaged_journal_and_with_a_newer_one(tmp_path: Path) -> None:
    path = stored_games(tmp_path)
    assert "It is set aside; 2 games with " in served(tmp_path)
    with closing(sqlite3.connect(path)) as newer:
        newer.execute("PRAGMA user_version=99")
    before = path.read_bytes()
    said = served(tmp_path)
    assert "games are not stored" in said and "Nothing is stored" in said
    assert path.read_bytes() == before


def test_a_table_that_stores_nothing_says_so_in_health() -> None:
    with closing(Journal(":memory:")) as journal:
        card = health_card(Table(journal, People()), [], 0, 8, "en")
    assert [(line["state"], line["text"][:20]) for line in card if line["part"] == "Saves"] == [
        ("bad", "Games are not stored")
    ]


# Fuzz ------------------------------------------------------------------------------------------


def damaged(rng: Random, good: bytes) -> bytes:
    """A file after bad luck: cut, flipped, overwritten, doubled, or full of something else."""
    content = bytearray(good)
    at = rng.randrange(len(good) or 1)
    kind = rng.randrange(6)
    if kind == 0:
        return good[:at]
    if kind == 1:
        for _ in range(rng.choice([1, 3, 40])):
            content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    elif kind == 2:
        content[at : at + 64] = rng.randbytes(64)
    elif kind == 3:
        content[at : at + 512] = bytes(512)
    elif kind == 4:
        word = rng.choice([b"null", b"-1", b"1e999", b"NaN", b'"\\ud800"', b"{}", b"[[]]", b"9" * 5000])
        spots = [m.span() for m in re.finditer(rb'"[^"]*"|-?\d+(\.\d+)?|true|false', good[:20_000])]
        first, last = rng.choice(spots) if spots else (at, at)
        content[first:last] = word
    else:
        return rng.choice([b"", b"{", DEEP, b'{"a":' * 50_000, rng.randbytes(200), good + good])
    return bytes(content)


def fuzz(folder: Path, rounds: int) -> None:
    print(f"seed {SEED}")
    rng = Random(SEED)
    fill(folder)
    whole = {name: (folder / name).read_bytes() for name in (*NAMES, "gloam.toml", BOX)}
    aside = 0
    for number in range(rounds):
        name = rng.choice(list(whole))
        path = folder / name
        path.write_bytes(damaged(rng, whole[name]))
        has_copy = rng.random() < 0.5
        if not has_copy:
            good_copy(path).unlink(missing_ok=True)
        try:
            start(folder)
        except Exception as error:
            raise AssertionError(f"round {number}: {name} {path.read_bytes()[:300]!r}") from error
        found = troubles(folder)
        assert all(name in words for words in found), f"round {number}"
        aside += len(found) + len(Boxes(folder).faults())
        for one in (*folder.glob("*.damaged*"), *folder.glob("*/*.damaged*")):
            one.unlink()
        for each, content in whole.items():
            (folder / each).write_bytes(content)
            good_copy(folder / each).write_bytes(content)
    assert aside > rounds // 3, "hardly any damage was noticed"


def test_200_damaged_files_and_the_table_starts(tmp_path: Path) -> None:
    fuzz(tmp_path, 200)


@pytest.mark.long
def test_10_000_damaged_files_and_the_table_starts(tmp_path: Path) -> None:
    fuzz(tmp_path, 10_000)


def fuzz_journals(folder: Path, rounds: int) -> None:
    print(f"seed {SEED}")
    rng, path = Random(SEED), folder / "gloam.db"
    with closing(Journal(path)) as journal:
        table = Table(journal, People())
        for key in ("onirim", "night_cage", "whisper"):
            session = table.start(key, {}, seed=3)
            for _ in range(20):
                seats = [need.seat for need in session.state().needs() if need.seat >= 0]
                if seats and (actions := session.actions(seats[0])):
                    session.submit(seats[0], actions[0])
        journal.verify()
    good, mended = path.read_bytes(), 0
    for number in range(rounds):
        for one in folder.glob("gloam.db*"):
            one.unlink()
        path.write_bytes(damaged(rng, good))
        try:
            journal = Journal(path)
        except DamagedJournal:
            mend(path)
            journal, mended = Journal(path), mended + 1
        except NewerJournal:
            continue
        with closing(journal):
            table = Table(journal, People())
            table.resume_last()
            session = table.start("onirim", {}, seed=1)
            session.submit(0, session.actions(0)[0])
            assert saved(table, "en"), f"round {number}"
        assert len(troubles(folder)) <= 1
    assert mended > rounds // 4, "hardly any damage was noticed"


def test_60_damaged_journals_and_a_game_can_begin(tmp_path: Path) -> None:
    fuzz_journals(tmp_path, 60)


@pytest.mark.long
def test_2_000_damaged_journals_and_a_game_can_begin(tmp_path: Path) -> None:
    fuzz_journals(tmp_path, 2_000)


WRITER = """
import itertools, sys
from pathlib import Path
from companion.settings.state_file import write_bytes_whole
from companion.table.people import People
folder = Path(sys.argv[1])
people = People(folder / "gloam.people.json")
print("begun", flush=True)
for n in itertools.count():
    people.call("b" * 64, "B" * (1 + n % 20))
    people.sit(2, n % 4, "b" * 64)
    write_bytes_whole(folder / "gloam.toml", (folder / "gloam.toml").read_bytes())
"""
"""Writes the files beside the journal again and again."""


def kill_writers(folder: Path, kills: int) -> None:
    print(f"seed {SEED}")
    rng = Random(SEED)
    fill(folder)
    for number in range(kills):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(folder)], stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        assert writer.stdout.readline() == "begun\n"
        # One round takes some milliseconds: this hits any part of it.
        time.sleep(rng.random() * 0.02)
        writer.kill()
        writer.communicate()
        start(folder)
        assert troubles(folder) == [], f"kill {number}"
        assert People(folder / "gloam.people.json").is_owner_pin("1234"), f"kill {number}"


@pytest.mark.slow
def test_10_kills_while_files_are_written_and_all_are_whole(tmp_path: Path) -> None:
    kill_writers(tmp_path, 10)


@pytest.mark.long
def test_1_000_kills_while_files_are_written_and_all_are_whole(tmp_path: Path) -> None:
    kill_writers(tmp_path, 1_000)
