"""The installer in a clean Debian: install, again, back, a broken release, a game going on, uninstall.

Runs as root, in roots of its own; systemd is installed there, but not running.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from debian_root import DebianRoot

ROOT = Path(__file__).parents[2]
PARTS = ("pyproject.toml", "README.md", "companion", "vision", "hardware", "web", "firmware", "systemd")
INSTALL = "/srv/gloam/systemd/install.sh"
SYSTEMCTL = """#!/bin/sh
# A systemd in which slot b never comes up.
case $1 in
restart) [ "$(readlink /opt/gloam/current)" != b ] ;;
show) echo 0 ;;
esac
"""

pytestmark = [pytest.mark.slow, pytest.mark.root]


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A system after installing twice; with what the installer said, and its files after each time."""
    system = DebianRoot.clean(tmp_path_factory.mktemp("debian"))
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *PARTS]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.split():
        if (ROOT / name).exists():
            system.copy(ROOT / name, f"srv/gloam/{name}")
    before = files(system)
    first = system.run("sh", INSTALL)
    assert first.returncode == 0, first.stderr
    after_first = files(system)
    second = system.run("sh", INSTALL)
    assert second.returncode == 0, second.stderr
    return system, first, after_first - before, files(system) - before


@pytest.fixture
def system(installed, tmp_path):
    """A system after installing twice, to be changed freely: slot b is in use, slot a is the one before."""
    return installed[0].fork(tmp_path / "system")


def files(system):
    """Everything in the folders where the installer puts something."""
    return set(system.said("find", "/etc", "/usr/local", "!", "-type", "d").split())


def in_use(system):
    return system.said("readlink", "/opt/gloam/current")


def make_current(system, slot):
    system.said("ln", "-sfn", slot, "/opt/gloam/current")


def test_a_clean_debian_gets_a_service_that_starts_with_it(installed):
    system, first, made, _ = installed
    assert {
        "/etc/systemd/system/gloam.service",
        "/etc/systemd/system/gloam.service.d/sandbox.conf",
        "/etc/systemd/system/multi-user.target.wants/gloam.service",
        "/etc/udev/rules.d/70-gloam.rules",
        "/etc/polkit-1/rules.d/50-gloam.rules",
        "/etc/avahi/services/gloam.service",
        "/usr/local/bin/gloam",
    } <= made
    assert set(system.said("id", "-nG", "gloam").split()) == {"gloam", "gpio", "spi", "video", "dialout"}
    assert "After the next boot the table is at\n\n  http://" in first.stdout and "▄" in first.stdout


def test_installing_again_changes_only_the_slot(installed):
    system, _, after_first, after_second = installed
    assert after_first == after_second
    assert in_use(system) == "b"


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


def test_a_release_that_does_not_stay_up_is_rolled_back_by_itself(system):
    make_current(system, "a")
    system.put("usr/local/sbin/systemctl", SYSTEMCTL, 0o755)
    system.put("usr/local/sbin/udevadm", "#!/bin/sh\n", 0o755)
    system.said("mkdir", "-p", "/run/systemd/system")
    done = system.run("sh", INSTALL, "--back", GLOAM_STAYS_UP_S="1")
    assert (done.returncode, in_use(system)) == (1, "a")
    assert "slot b does not stay up; going back to slot a" in done.stderr
    assert "slot a is in use again" in done.stderr


def test_nothing_is_switched_while_a_game_is_going_on(system):
    begin = (
        "from companion.games import load; from companion.journal import Journal;"
        "from companion.session import Session;"
        "Session.start(Journal('/var/lib/gloam/gloam.db'), load('onirim'), {}, seed=1)"
    )
    system.said("runuser", "-u", "gloam", "--", "/opt/gloam/current/bin/python", "-c", begin)
    done = system.run("sh", INSTALL, "--back")
    assert (done.returncode, in_use(system)) == (1, "b")
    assert "not now: onirim, stored game 1, was played 0 minutes ago and is not over" in done.stderr


def test_uninstalling_leaves_the_saves_and_nothing_else(installed, system):
    _, _, _, made = installed
    system.said("runuser", "-u", "gloam", "--", "touch", "/var/lib/gloam/gloam.db")
    done = system.run("sh", INSTALL, "--uninstall")
    assert done.returncode == 0, done.stderr
    ours = {name for name in made if "gloam" in name} & files(system)
    assert ours == set()
    assert system.said("stat", "-c", "%U", "/var/lib/gloam/gloam.db") == "gloam"
    assert system.run("test", "-e", "/opt/gloam").returncode == 1
