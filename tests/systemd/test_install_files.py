"""The files that the installer puts into a system, checked by systemd's own tools where it has them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from companion.settings.config import WebSettings
from hardware.serial_link import PICO_VENDOR

ROOT = Path(__file__).parents[2]
SYSTEMD = ROOT / "systemd"
UNITS = ("gloam.service", "gloam-safe.service", "gloam-kiosk.service")
INSTALL = SYSTEMD / "install.sh"


@pytest.fixture
def system(tmp_path):
    """A system with nothing but our units in it and the programs that they start."""
    units = tmp_path / "etc/systemd/system"
    for unit in UNITS:
        units.mkdir(parents=True, exist_ok=True)
        shutil.copy(SYSTEMD / unit, units)
    for unit in ("gloam.service", "gloam-safe.service"):
        (units / f"{unit}.d").mkdir()
        shutil.copy(SYSTEMD / "sandbox.conf", units / f"{unit}.d")
    for program in ("opt/gloam/current/bin/gloam", "usr/bin/chvt", "bin/sh"):
        (tmp_path / program).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / program).write_text("#!/bin/sh\n")
        (tmp_path / program).chmod(0o755)
    return tmp_path


def analyze(system, *arguments):
    command = ["systemd-analyze", f"--root={system}", "--no-pager", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def verify(system, unit):
    return analyze(system, "verify", "--man=no", "--recursive-errors=no", unit)


def settings(text):
    """The settings of a unit file, the last of each key."""
    return dict(line.split("=", 1) for line in text.splitlines() if re.match(r"[A-Z]\w+=", line))


def install(*arguments, **environ):
    return subprocess.run(
        ["sh", str(INSTALL), *arguments],
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        check=False,
    )


# Units -----------------------------------------------------------------------------------------


@pytest.mark.debian("systemd")
@pytest.mark.parametrize("unit", UNITS)
def test_systemd_finds_nothing_wrong_in_a_unit(system, unit):
    done = verify(system, unit)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.debian("systemd")
def test_systemd_would_find_a_wrong_word(system):
    unit = system / "etc/systemd/system/gloam.service"
    unit.write_text(unit.read_text().replace("Type=notify", "Type=sometimes"))
    assert "sometimes" in verify(system, "gloam.service").stderr


@pytest.mark.debian("systemd")
@pytest.mark.parametrize("unit", ["gloam.service", "gloam-safe.service"])
def test_the_table_is_exposed_less_than_we_promise(system, unit):
    done = analyze(system, "security", "--offline=true", "--threshold=30", unit)
    assert done.returncode == 0, done.stdout


@pytest.mark.debian("systemd")
def test_without_its_sandbox_the_table_would_be_exposed(system):
    shutil.rmtree(system / "etc/systemd/system/gloam.service.d")
    done = analyze(system, "security", "--offline=true", "--threshold=30", "gloam.service")
    assert done.returncode != 0


def test_the_table_has_no_rights_beyond_its_user_and_the_groups_of_its_parts():
    sandbox = settings((SYSTEMD / "sandbox.conf").read_text())
    assert sandbox["User"] == "gloam" and sandbox["CapabilityBoundingSet"] == ""
    assert sandbox["SupplementaryGroups"].split() == ["gpio", "spi", "video", "dialout"]


def test_repeated_falls_end_in_safe_mode():
    table = settings((SYSTEMD / "gloam.service").read_text())
    safe = settings((SYSTEMD / "gloam-safe.service").read_text())
    assert table["OnFailure"] == "gloam-safe.service" and int(table["StartLimitBurst"]) > 1
    assert safe["ExecStart"] == f"{table['ExecStart']} --safe" and safe["Conflicts"] == "gloam.service"
    assert "OnFailure" not in safe


# Users, devices, names -------------------------------------------------------------------------


@pytest.mark.debian("systemd")
def test_the_users_and_groups_of_the_units_are_made(tmp_path):
    (tmp_path / "etc").mkdir()
    command = ["systemd-sysusers", f"--root={tmp_path}", str(SYSTEMD / "gloam.sysusers")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    groups = {line.split(":")[0]: line.split(":")[3] for line in (tmp_path / "etc/group").open()}
    users = {line.split(":")[0]: line.split(":") for line in (tmp_path / "etc/passwd").open()}
    assert done.returncode == 0, done.stderr
    for group in ("gpio", "spi", "video", "dialout"):
        assert groups[group].strip() == "gloam"
    assert users["gloam"][5:] == ["/var/lib/gloam", "/usr/sbin/nologin\n"]
    assert users["gloam-kiosk"][6] == "/usr/sbin/nologin\n"


def test_the_device_rule_is_about_the_chip_that_the_link_looks_for():
    """Debian 12 has no `udevadm verify`: here are the words that udev knows, and what each may do."""
    operators = {
        "SUBSYSTEM": "==",
        "ATTRS{idVendor}": "==",
        "GROUP": "=",
        "MODE": "=",
        "SYMLINK": "+=",
        "ENV{ID_MM_DEVICE_IGNORE}": "=",
    }
    (rule,) = [line for line in (SYSTEMD / "70-gloam.rules").open() if not line.startswith("#")]
    words = [re.fullmatch(r'([\w{}]+)(\+?==?|=)"([^"]+)"', word.strip()) for word in rule.split(",")]
    assert all(words), rule
    assert {word[1]: word[2] for word in words if word} == operators
    assert f'ATTRS{{idVendor}}=="{PICO_VENDOR:04x}"' in rule


def test_only_switching_off_is_allowed_beyond_the_sandbox():
    asked = ["power-off", "power-off-multiple-sessions", "reboot", "halt"]
    script = f"""
        let rule; const polkit = {{addRule: r => rule = r, Result: {{YES: "yes"}}}};
        {(SYSTEMD / "50-gloam.rules").read_text()}
        const ask = (id, user) => rule({{id: "org.freedesktop.login1." + id}}, {{user}}) || "no";
        console.log(["gloam", "gloam-kiosk"].flatMap(user => {asked}.map(id => ask(id, user))).join(" "));
    """
    done = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["yes", "yes", "no", "no"] + ["no"] * 4, done.stderr


def test_the_network_is_told_the_port_that_the_table_listens_on():
    service = ElementTree.parse(SYSTEMD / "gloam.avahi").getroot().find("service")
    assert service is not None
    assert (service.findtext("type"), service.findtext("port")) == ("_http._tcp", str(WebSettings().port))


# The installer ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cpuinfo", "backend"),
    [
        ("Revision\t: a02082\n", "pi4"),
        ("Revision\t: c03115\nModel\t\t: Raspberry Pi 4 Model B Rev 1.5\n", "pi4"),
        ("Revision\t: d04170\n", "pi5"),
        ("Revision\t: d04170\nModel\t\t: Raspberry Pi 5 Model B Rev 1.0\n", "pi5"),
        ("Revision\t: c04180\n", "pi5"),
        ("model name\t: Some other machine\n", "none"),
    ],
)
def test_the_pi_is_known_by_its_processor(tmp_path, cpuinfo, backend):
    (tmp_path / "cpuinfo").write_text(cpuinfo)
    fake = {"GLOAM_CPUINFO": str(tmp_path / "cpuinfo"), "GLOAM_DEVICE_TREE": str(tmp_path / "none")}
    assert install("--model", **fake).stdout.split()[0] == backend


def test_the_pi_is_known_by_its_device_tree(tmp_path):
    (tmp_path / "model").write_bytes(b"Raspberry Pi Compute Module 5 Rev 1.0\0")
    done = install("--model", GLOAM_DEVICE_TREE=str(tmp_path / "model"))
    assert done.stdout == "pi5 Raspberry Pi Compute Module 5 Rev 1.0\n"


def test_a_dry_run_names_the_back_end_of_the_pi_and_changes_nothing(tmp_path):
    (tmp_path / "model").write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    done = install("--dry-run", GLOAM_DEVICE_TREE=str(tmp_path / "model"))
    assert done.returncode == 0, done.stderr
    assert "pip install -q --disable-pip-version-check /opt/gloam/source[pi5]" in done.stdout
    assert all(line.startswith("would run: ") for line in done.stdout.splitlines())
    assert not Path("/opt/gloam/source").exists()


@pytest.mark.parametrize("backend", ["pi4", "pi5"])
def test_each_back_end_is_an_extra_of_the_package(backend):
    assert f"\n{backend} = [" in (ROOT / "pyproject.toml").read_text()


def test_a_word_that_the_installer_does_not_know_shows_how_it_is_used():
    done = install("--instal")
    assert done.returncode == 2 and "--uninstall" in done.stdout
