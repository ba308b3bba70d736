"""The installer in a clean Debian: install, again, back, a broken release, a game going on, uninstall.

Runs as root, in systems of its own; in the last part with a running systemd.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest
from debian_root import DebianRoot

ROOT = Path(__file__).parents[2]
PARTS = (
    "pyproject.toml",
    "LICENSE",
    "README.md",
    "companion",
    "vision",
    "hardware",
    "web",
    "firmware",
    "systemd",
)
INSTALL = "/srv/gloam/systemd/install.sh"
BOOTED = """
exec 2>&1
say() { printf '\\n== %s\\n' "$1"; }
until_active() { for _ in $(seq 60); do systemctl is-active -q "$1" && return; sleep 0.5; done; }
pid() { systemctl show -P MainPID "$1"; }
page() {
    /opt/gloam/current/bin/python -c '
from companion.service.notify import answers
print(answers("127.0.0.1", 8000))'
}
mkdir -p /run/systemd/system/gloam.service.d
printf '[Service]\\nWatchdogSec=4s\\n' >/run/systemd/system/gloam.service.d/short.conf
systemctl daemon-reload
systemctl restart gloam

say started
systemctl is-active gloam
page
say confined
grep -E '^(CapEff|NoNewPrivs|Seccomp):' /proc/$(pid gloam)/status
stat -c %U /proc/$(pid gloam)
readlink /proc/$(pid gloam)/cwd

say siege
before=$(pid gloam)
/opt/gloam/current/bin/python /srv/attack.py
/opt/gloam/current/bin/python -m web.siege 8000 12 >/dev/null
sleep 5
[ "$(pid gloam)" = "$before" ] && page
systemctl show -P NRestarts gloam

say watchdog
before=$(pid gloam)
kill -STOP "$before"
for _ in $(seq 40); do [ "$(pid gloam)" = "$before" ] || break; sleep 0.5; done
until_active gloam
[ "$(pid gloam)" != "$before" ] && page

say ladder
systemctl restart gloam
for _ in 1 2 3 4 5; do
    until_active gloam
    systemctl kill -s KILL gloam 2>/dev/null
    sleep 0.5
    systemctl is-active -q gloam-safe && break
    systemctl is-failed -q gloam && break
done
until_active gloam-safe
systemctl is-failed gloam
systemctl is-active gloam-safe
page
systemctl reset-failed gloam
systemctl start gloam
systemctl is-active gloam gloam-safe

say rollback
readlink /opt/gloam/current
sed -i 's|^ExecStart=.*|ExecStart=/bin/false|' /opt/gloam/a/share/gloam/systemd/gloam.service
GLOAM_STAYS_UP_S=2 sh INSTALL --back
echo "code $?"
readlink /opt/gloam/current
systemctl is-active gloam
page

say back
cp /opt/gloam/b/share/gloam/systemd/gloam.service /opt/gloam/a/share/gloam/systemd/
GLOAM_STAYS_UP_S=2 sh INSTALL --back
echo "code $?"
readlink /opt/gloam/current

say gone
sh INSTALL --uninstall 2>/dev/null
find /proc -maxdepth 1 -user gloam
systemctl list-unit-files --no-legend 'gloam*'
ls /var/lib/gloam/gloam.db
"""

ATTACK = """
import json
import socket
from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, Request, build_opener

base = "http://127.0.0.1:8000"
opener = build_opener(HTTPCookieProcessor(CookieJar()))
opener.open(base + "/").read()
token = json.load(opener.open(base + "/api/me"))["token"]
code = json.load(open("/var/lib/gloam/gloam.people.json"))["join_code"]


def post(path, body):
    headers = {"Content-Type": "application/json", "Origin": base, "X-Gloam-Token": token}
    try:
        return opener.open(Request(base + path, json.dumps(body).encode(), headers)).status
    except HTTPError as error:
        return error.code


print(post("/api/join", {"name": "Eve", "code": code}), post("/api/move-seat", {"seat": 99, "pin": "0000"}))
print(opener.open(base + "/api/room").status)
head = "POST /api/restore HTTP/1.1\\r\\nHost: 127.0.0.1:8000\\r\\nContent-Type: application/zip\\r\\n"
with socket.create_connection(("127.0.0.1", 8000), timeout=20, source_address=("127.0.0.66", 0)) as guest:
    guest.sendall(f"{head}Content-Length: 943718400\\r\\n\\r\\n".encode())
    print(guest.recv(12).decode())
"""
"""A joined phone asks for a seat that no table has; a guest announces 900 MB."""

pytestmark = [pytest.mark.slow, pytest.mark.root]


class Installed(NamedTuple):
    """A system after installing a release, the same again, and another; and what was seen on the way."""

    system: DebianRoot
    first: str
    """What the installer printed at first."""
    made: set[str]
    """The files that it made."""
    again: tuple[str, str, set[str]]
    """After the same release again: what was said, the slot in use, the files."""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    system = DebianRoot.clean(tmp_path_factory.mktemp("debian"))
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *PARTS]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.split():
        if (ROOT / name).exists():
            system.copy(ROOT / name, f"srv/gloam/{name}")
    before = files(system)
    first = install(system)
    made = files(system) - before
    again = install(system).stderr, in_use(system), files(system) - before
    system.put("srv/gloam/companion/another.py", '"""Another release."""\n')
    install(system)
    return Installed(system, first.stdout, made, again)


@pytest.fixture
def system(installed, tmp_path):
    """A system to be changed freely: slot b is in use, slot a is the release before."""
    return installed.system.fork(tmp_path / "system")


def install(system):
    done = system.run("sh", INSTALL)
    assert done.returncode == 0, done.stderr
    return done


def files(system):
    """Everything in the folders where the installer puts something."""
    return set(system.said("find", "/etc", "/usr/local", "!", "-type", "d").split())


def in_use(system):
    return system.said("readlink", "/opt/gloam/current")


def make_current(system, slot):
    system.said("ln", "-sfn", slot, "/opt/gloam/current")


def test_a_clean_debian_gets_a_service_that_starts_with_it(installed):
    assert {
        "/etc/systemd/system/gloam.service",
        "/etc/systemd/system/gloam.service.d/sandbox.conf",
        "/etc/systemd/system/multi-user.target.wants/gloam.service",
        "/etc/udev/rules.d/70-gloam.rules",
        "/etc/polkit-1/rules.d/50-gloam.rules",
        "/etc/avahi/services/gloam.service",
        "/usr/local/bin/gloam",
    } <= installed.made


def test_the_table_has_a_user_of_its_own_in_the_groups_of_its_parts(installed):
    groups = installed.system.said("id", "-nG", "gloam").split()
    assert set(groups) == {"gloam", "gpio", "spi", "video", "dialout"}


def test_the_installer_ends_with_the_address_and_its_qr_code(installed):
    assert "After the next boot the table is at\n\n  http://" in installed.first
    assert "▄" in installed.first


def test_the_same_release_again_changes_nothing(installed):
    said, slot, made = installed.again
    assert "this release is in use already, in slot a" in said
    assert (slot, made) == ("a", installed.made)


def test_another_release_goes_into_the_other_slot(installed):
    assert in_use(installed.system) == "b"


def test_the_command_plays_a_game_as_the_services_user(system):
    done = system.run("gloam", "play", "onirim", "--seed", "1")
    assert done.returncode == 0, done.stderr
    assert "game onirim" in done.stdout and "end " in done.stdout


def test_the_firmware_for_the_chip_is_installed_with_it(system):
    system.said(
        "/opt/gloam/current/bin/python",
        "-c",
        "from hardware.flasher import FIRMWARE; open(FIRMWARE / 'main.py')",
    )


def test_one_command_goes_back(system):
    done = system.run("sh", INSTALL, "--back")
    assert (done.returncode, in_use(system)) == (0, "a"), done.stderr


def test_a_release_that_cannot_start_never_comes_into_use(system):
    make_current(system, "a")
    system.said("sh", "-c", "rm -r /opt/gloam/b/lib/python3*/site-packages/waitress")
    done = system.run("sh", INSTALL, "--back")
    assert (done.returncode, in_use(system)) == (1, "a")
    assert "No module named 'waitress'" in done.stderr and "slot a stays in use" in done.stderr


def test_nothing_is_switched_while_a_game_is_going_on(system):
    begin = (
        "from companion.games import load; from companion.table.journal import Journal;"
        "from companion.table.session import Session;"
        "Session.start(Journal('/var/lib/gloam/gloam.db'), load('onirim'), {}, seed=1)"
    )
    system.said("runuser", "-u", "gloam", "--", "/opt/gloam/current/bin/python", "-c", begin)
    done = system.run("sh", INSTALL, "--back")
    assert (done.returncode, in_use(system)) == (1, "b")
    assert "not now: onirim, stored game 1, was played 0 minutes ago and is not over" in done.stderr


def test_uninstalling_leaves_the_saves_and_nothing_else(installed, system):
    system.said("runuser", "-u", "gloam", "--", "touch", "/var/lib/gloam/gloam.db")
    done = system.run("sh", INSTALL, "--uninstall")
    assert done.returncode == 0, done.stderr
    assert {name for name in installed.made & files(system) if "gloam" in name} == set()
    assert system.said("stat", "-c", "%U", "/var/lib/gloam/gloam.db") == "gloam"
    assert system.run("test", "-e", "/opt/gloam").returncode == 1


# With a running systemd --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def booted(installed, tmp_path_factory):
    """What happened in the system, started with its own systemd: the lines of each part by its name."""
    system = installed.system.fork(tmp_path_factory.mktemp("booted"))
    system.put("srv/attack.py", ATTACK)
    said = system.boot(BOOTED.replace("INSTALL", INSTALL))
    parts = dict(part.split("\n", 1) for part in said.split("\n== ")[1:])
    return {name: text.strip().splitlines() for name, text in parts.items()}


def test_the_service_is_active_when_the_table_answers(booted):
    assert booted["started"] == ["active", "True"]


def test_the_service_has_no_capability_and_runs_as_its_user_in_its_folder(booted):
    *rights, user, folder = booted["confined"]
    assert rights == ["CapEff:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"]
    assert (user, folder) == ("gloam", "/var/lib/gloam")


def test_no_attack_of_a_guest_leads_to_a_restart(booted):
    """A seat that is not there, a huge body, half-open connections, streams, tries; 4 s of watchdog."""
    assert booted["siege"] == ["200 400", "200", "HTTP/1.1 413", "True", "0"]


def test_a_table_that_hangs_is_started_again(booted):
    assert booted["watchdog"] == ["True"]


def test_repeated_falls_end_in_safe_mode_and_a_start_leaves_it(booted):
    assert booted["ladder"] == ["failed", "active", "True", "active", "inactive"]


def test_a_release_whose_service_does_not_stay_up_is_rolled_back_by_itself(booted):
    said = booted["rollback"]
    assert said[0] == "b" and said[-4:] == ["code 1", "b", "active", "True"], said
    assert "gloam: slot a does not stay up; going back to slot b" in said


def test_going_back_ends_with_the_address_and_its_qr_code(booted):
    said = booted["back"]
    assert said[-2:] == ["code 0", "a"], said
    assert any("http://" in line for line in said) and any("▄" in line for line in said)


def test_uninstalling_a_running_table_leaves_no_process_and_no_unit(booted):
    assert booted["gone"] == ["/var/lib/gloam/gloam.db"]
