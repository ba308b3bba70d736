"""The doctor: each trouble of the build guide is found and answered with the line that fixes it."""

from __future__ import annotations

import json
import os
import re
import socket
import zipfile
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.engine.errors import DeviceError
from companion.games import load
from companion.service import open_parts
from companion.service.cli import main
from companion.service.doctor import BAD, CHECKS, GOOD, NOTE, Patient, examine
from companion.service.part_trial import Trial
from companion.settings.config import open_config
from companion.table.journal import Journal, Line
from hardware.fake_wled import WledReceiver
from hardware.fakes import FakeClock, VirtualStrip
from hardware.ledmap import cells
from hardware.lights import Lights
from hardware.render import LightStyle
from hardware.wiring import SCHEMA, Parts
from vision.camera import Frame

GUIDE = Path(__file__).parents[2] / "hardware" / "BUILD.md"


@pytest.fixture
def patient(tmp_path):
    """Makes a table of settings and devices that are only files."""

    def make(settings: str = "", devices: tuple[str, ...] = ()) -> Patient:
        (tmp_path / "gloam.toml").write_text(settings, "utf-8")
        for device in devices:
            path = tmp_path / "root" / device.lstrip("/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        config = open_config(tmp_path / "gloam.toml", SCHEMA)
        return Patient(tmp_path / "gloam.db", config, tmp_path / "root")

    return make


def found(patient: Patient, part: str):
    """The first finding about a part."""
    return next(finding for finding in examine(patient, {part: CHECKS[part]}))


def test_the_guide_lists_the_same_checks_in_the_same_order():
    listed = re.findall(r"^### (\d+)\. .*\(`(\w+)`\)$", GUIDE.read_text("utf-8"), re.MULTILINE)
    assert listed == [(str(number), part) for number, part in enumerate(CHECKS, 1)]


def test_a_fresh_clone_has_nothing_bad(patient):
    assert [finding for finding in examine(patient()) if finding.level == BAD] == []


def test_a_config_error_names_file_line_and_key(patient):
    finding = found(patient("[lights]\ndirver = 'chip'\n"), "config")
    assert finding.level == BAD
    assert "gloam.toml: line 2: [lights] dirver is unknown; did you mean 'driver'?" in finding.found
    assert "gloam run --safe" in finding.fix


@pytest.mark.parametrize("source", ["usb:0", "/dev/video0"])
def test_a_missing_camera_is_named_with_those_that_are_there(patient, source):
    finding = found(patient(f"[camera]\nsource = '{source}'\n", ("/dev/video2",)), "camera")
    assert finding.level == BAD
    assert finding.found == "/dev/video0 is missing; there are /dev/video2"
    assert "[camera] source" in finding.fix and "tapping" in finding.fix


@pytest.mark.parametrize(("kilobytes", "level"), [(430_000, BAD), (1_900_000, GOOD)])
def test_a_machine_with_too_little_memory_for_the_eyes_is_named(patient, kilobytes, level):
    made = patient("[camera]\nsource = 'usb:0'\n", ("/dev/video0", "/proc/meminfo"))
    (made.root / "proc/meminfo").write_text(f"MemTotal:  {kilobytes} kB\nMemFree: 9 kB\n")
    finding = found(made, "camera")
    assert finding.level == level
    assert (level == GOOD) or ("419 MB" in finding.found and "2 GB" in finding.fix)


def test_a_camera_that_is_there_is_good(patient):
    assert found(patient("[camera]\nsource = 'usb:0'\n", ("/dev/video0",)), "camera").level == GOOD


@pytest.mark.parametrize(
    ("driver", "library", "fix"),
    [("neopixel", "neopixel", "gloam[pi]"), ("spi", "spidev", "sudo apt install python3-spidev")],
)
def test_a_missing_led_library_comes_with_the_line_that_installs_it(patient, driver, library, fix):
    without = replace(patient(f"[lights]\ndriver = '{driver}'\n"), has_library=lambda name: name != library)
    finding = found(without, "leds")
    assert finding.level == BAD
    assert f"needs the library {library}" in finding.found
    assert fix in finding.fix


class Tried:
    """Parts that were tried, and what came of it."""

    def __init__(
        self, picture, light=(GOOD, "the first LED was lit, the camera saw it at 3, 4 of its picture")
    ):
        self.picture, self.light = picture, light

    def take_picture(self):
        if isinstance(self.picture, Exception):
            raise self.picture
        return self.picture

    def light_led(self):
        return self.light


def test_a_camera_is_tried_and_what_it_saw_is_said(patient):
    looked = patient("[camera]\nsource = 'usb:0'\n", ("/dev/video0",))
    finding = found(replace(looked, trial=Tried("a picture of 1920 × 1080, 8 markers of a frame")), "camera")
    assert (finding.level, finding.found) == (
        GOOD,
        "/dev/video0: a picture of 1920 × 1080, 8 markers of a frame",
    )
    finding = found(replace(looked, trial=Tried(DeviceError("it is busy"))), "camera")
    assert finding.level == BAD and "it is busy" in finding.found and "systemctl stop gloam" in finding.fix


def test_an_led_is_lit_and_whether_the_camera_saw_it_is_said(patient):
    looked = replace(patient("[lights]\ndriver = 'chip'\n"), has_library=lambda name: True)
    tried = replace(looked, trial=Tried(""))
    assert [one.found for one in examine(tried, {"leds": CHECKS["leds"]})][-1].startswith(
        "the first LED was lit"
    )
    unseen = replace(looked, trial=Tried("", (NOTE, "the first LED was lit, the camera did not see it")))
    last = examine(unseen, {"leds": CHECKS["leds"]})[-1]
    assert last.level == NOTE and "look at the LED" in last.fix


def test_the_trial_takes_a_picture_and_sees_the_led_that_it_lights(patient, monkeypatch):
    settings = "[camera]\nsource = 'usb:0'\n[lights]\ndriver = 'chip'\n"
    clock, shown = FakeClock(), []

    class Strip(VirtualStrip):
        def show(self, frame):
            shown.append(frame)
            super().show(frame)

    class Spot:
        def read(self, after_s=0.0):
            image = np.full((480, 640, 3), 90, np.uint8)
            if shown and any(shown[-1]):
                cv2.circle(image, (200, 100), 6, (255, 255, 255), -1)
            return Frame(image, clock.now(), 0)

        def close(self):
            pass

    def parts(wanted, board, clock):
        strip = Strip(1, "GRB", clock)
        return Parts(Lights(strip, cells(board), LightStyle(), clock), None, None)

    monkeypatch.setattr(open_parts, "build", parts)
    monkeypatch.setattr(open_parts, "open_camera", lambda source, size, lock: Spot())
    trial = Trial(patient(settings).config, clock)
    assert trial.take_picture() == (
        "a picture of 640 × 480, it is not sharp: focus the lens, no marker of a frame is in it"
    )
    level, words = trial.light_led()
    assert level == GOOD and "saw it at 200, 100" in words
    assert not any(shown[-1]), "it is dark again"


def test_wled_without_an_address_is_bad(patient):
    assert found(patient("[lights]\ndriver = 'ddp'\n"), "leds").level == BAD


def test_a_wrong_serial_port_is_named_with_those_that_are_there(patient):
    settings = "[lights]\ndriver = 'chip'\nport = '/dev/ttyACM7'\n"
    finding = found(patient(settings, ("/dev/ttyACM0",)), "link")
    assert finding.level == BAD
    assert finding.found == "port /dev/ttyACM7 is not there; there are /dev/ttyACM0"
    assert '[lights] port = "auto"' in finding.fix


def test_a_microcontroller_that_is_not_plugged_in_is_said(patient):
    finding = found(patient("[lights]\ndriver = 'chip'\n"), "link")
    assert (finding.level, finding.found) == (BAD, "no microcontroller is plugged in")


def test_spi_that_is_off_comes_with_the_line_that_switches_it_on(patient):
    finding = found(patient("[lights]\ndriver = 'spi'\n"), "spi")
    assert finding.level == BAD
    assert "sudo raspi-config nonint do_spi 0" in finding.fix


def test_a_device_that_may_not_be_used_names_the_group(patient, tmp_path, monkeypatch):
    looked = patient("", ("/dev/video0",))
    closed = tmp_path / "root/dev/video0"
    # Root may use everything: say what anybody else would hear.
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != closed)
    finding = found(looked, "rights")
    assert finding.level == BAD
    assert finding.fix == "sudo usermod -aG video $USER, then log in again"


@pytest.mark.parametrize(("alarm", "level"), [("1\n", BAD), ("0\n", GOOD)])
def test_low_voltage_is_bad(patient, tmp_path, alarm, level):
    looked = patient("", ("/sys/class/hwmon/hwmon1/name", "/sys/class/hwmon/hwmon1/in0_lcrit_alarm"))
    (tmp_path / "root/sys/class/hwmon/hwmon1/name").write_text("rpi_volt\n")
    (tmp_path / "root/sys/class/hwmon/hwmon1/in0_lcrit_alarm").write_text(alarm)
    assert found(looked, "power").level == level


def test_a_port_that_is_taken_is_said(patient):
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        port = taken.getsockname()[1]
        finding = found(patient(f"[web]\nport = {port}\n"), "network")
    assert finding.level == NOTE
    assert f"port {port}: Address already in use" in finding.found


def test_a_broker_that_does_not_answer_is_bad(patient):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    finding = found(patient(f"[mqtt]\nenabled = true\nhost = '127.0.0.1'\nport = {port}\n"), "mqtt")
    assert finding.level == BAD
    assert f"no broker at 127.0.0.1:{port}" in finding.found


def test_a_password_that_cannot_be_read_is_bad(patient):
    finding = found(patient("[mqtt]\nenabled = true\nhost = 'h'\npassword_file = '/nowhere'\n"), "mqtt")
    assert (finding.level, finding.found) == (BAD, "/nowhere cannot be read")


def test_looking_at_stored_games_changes_nothing(patient, tmp_path):
    journal = Journal(tmp_path / "gloam.db")
    journal.create("onirim", load("onirim").rules_version, {})
    journal.close()
    before = (tmp_path / "gloam.db").read_bytes()
    assert found(patient(), "saves").level == GOOD
    assert (tmp_path / "gloam.db").read_bytes() == before


def test_games_of_older_rules_are_put_away_by_the_command_that_is_named(patient, tmp_path, capsys):
    journal = Journal(tmp_path / "gloam.db")
    today = journal.create("onirim", load("onirim").rules_version, {})
    older = journal.create("onirim", 0, {})
    journal.append(older, 0, [Line(-1, "draw NM")])
    finding = found(patient(), "saves")
    assert (finding.level, finding.fix) == (NOTE, "gloam doctor --put-away")
    assert "game 2 (onirim, rules 0)" in finding.found
    assert main([*finding.fix.split()[1:], "--journal", str(tmp_path / "gloam.db")]) == 0
    apart = Journal(tmp_path / "gloam-older-2.db")
    assert [game.id for game in journal.games()] == [today]
    assert [game.id for game in apart.games()] == [older]
    assert apart.read(older) == [Line(-1, "draw NM")]
    assert found(patient(), "saves").level == GOOD
    assert main(["doctor", "--put-away", "--journal", str(tmp_path / "gloam.db")]) == 0
    assert "no stored game has other rules" in capsys.readouterr().out


def test_what_is_put_away_never_covers_a_file(tmp_path, capsys):
    journal = Journal(tmp_path / "gloam.db")
    journal.create("onirim", 0, {})
    there = tmp_path / "mine.db"
    there.write_text("mine")
    assert main(["doctor", "--put-away", "--journal", str(journal.path), "--out", str(there)]) == 1
    assert "exists already" in capsys.readouterr().err
    assert (len(journal.games()), there.read_text()) == (1, "mine")


def test_the_report_holds_no_address_and_no_secret(tmp_path):
    (tmp_path / "canary-password").write_text("canary-secret")
    settings = tmp_path / "gloam.toml"
    settings.write_text(
        "[mqtt]\nenabled = true\nhost = 'canary-broker.invalid'\nuser = 'canary-user'\n"
        f"password_file = '{tmp_path}/canary-password'\n[lights]\ndriver = 'ddp'\nhost = '10.9.8.7'\n"
    )
    bundle = tmp_path / "report.zip"
    main(["doctor", "--journal", str(tmp_path / "g.db"), "--config", str(settings), "--bundle", str(bundle)])
    text = zipfile.ZipFile(bundle).read("findings.json").decode()
    assert "no broker at" in text
    assert "canary" not in text
    others = [one["found"] for one in json.loads(text) if one["part"] != "packages"]
    assert not re.search(r"\d+\.\d+\.\d+\.\d+", " ".join(others))


def test_the_report_has_the_guides_numbers_and_nobodys_folder(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("HOME", str(tmp_path))
    settings = tmp_path / "gloam.toml"
    settings.write_text("[lights]\ndirver = 'chip'\n")
    bundle = tmp_path / "report.zip"
    journal = tmp_path / "gloam.db"
    options = ["--journal", str(journal), "--config", str(settings), "--bundle", str(bundle)]
    assert main(["doctor", *options]) == 1
    assert re.search(r"^BAD +4 config +.*line 2", capsys.readouterr().out, re.MULTILINE)
    findings = json.loads(zipfile.ZipFile(bundle).read("findings.json"))
    assert [finding["number"] for finding in findings] == sorted(finding["number"] for finding in findings)
    assert str(tmp_path) not in json.dumps(findings)


def test_each_wled_is_asked_and_one_that_is_off_is_named(patient):
    with WledReceiver(132, has_white=True, limit_ma=0) as wled:
        asked = patient(f"[lights]\ndriver = 'ddp'\nhost = '{wled.host},127.0.0.1:1'\n")
        first, second = examine(asked, {"leds": CHECKS["leds"]})
    assert (first.level, second.level) == (GOOD, BAD)
    assert first.found.endswith("drives 132 LEDs with white; it has no limit of its own")
    assert "127.0.0.1:1 does not answer" in second.found and "[lights] host" in second.fix
