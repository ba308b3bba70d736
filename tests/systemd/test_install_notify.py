"""What systemd hears from the table: ready when people can play, alive while it answers, then the end."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from http.client import HTTPConnection

import pytest

from companion.service.notify import Notifier, answers


@pytest.fixture
def systemd(tmp_path):
    """The socket that systemd would listen on."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(tmp_path / "notify"))
        line.settimeout(120)
        yield line


def environ(line, watchdog_usec=30_000_000):
    return {"NOTIFY_SOCKET": line.getsockname(), "WATCHDOG_USEC": str(watchdog_usec)}


def test_without_systemd_nothing_is_said_and_no_thread_runs():
    notifier = Notifier(lambda: True, {})
    notifier.ready("here")
    notifier.beat()
    notifier.stopping()
    assert not notifier._thread.is_alive()


def test_a_table_that_answers_is_alive(systemd):
    notifier = Notifier(lambda: True, environ(systemd))
    notifier.beat()
    assert systemd.recv(200) == b"WATCHDOG=1"


def test_a_table_that_does_not_answer_says_nothing(systemd):
    notifier = Notifier(lambda: False, environ(systemd))
    notifier.beat()
    systemd.setblocking(False)
    with pytest.raises(BlockingIOError):
        systemd.recv(200)


def test_three_beats_fit_into_what_systemd_waits(systemd):
    assert Notifier(lambda: True, environ(systemd, 30_000_000)).period_s == 10.0


@pytest.mark.parametrize("usec", ["", "x", "-5", "²", "9" * 5000])
def test_a_time_that_is_none_starts_no_watch(systemd, usec):
    notifier = Notifier(lambda: True, {**environ(systemd), "WATCHDOG_USEC": usec})
    notifier.ready("here")
    assert systemd.recv(200) == b"READY=1\nSTATUS=here"
    assert not notifier._thread.is_alive()


@pytest.mark.parametrize("name", ["/nonexistent/notify", "/" + "x" * 300, "@" + "x" * 300, "\udcff"])
def test_a_socket_that_cannot_be_told_hinders_nothing(name):
    notifier = Notifier(lambda: True, {"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "900000"})
    notifier.ready("here")
    notifier.beat()
    notifier.stopping()


def test_an_abstract_socket_is_found():
    name = f"gloam-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(f"\0{name}")
        line.settimeout(60)
        Notifier(lambda: True, {"NOTIFY_SOCKET": f"@{name}"}).ready("here")
        assert line.recv(200) == b"READY=1\nSTATUS=here"


def test_where_nobody_listens_there_is_no_answer():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert not answers("127.0.0.1", port)


@pytest.mark.slow
def test_the_service_says_ready_lives_and_ends_as_systemd_expects(systemd, tmp_path):
    table = subprocess.Popen(
        [sys.executable, "-m", "companion.service.cli", "run", "--host", "127.0.0.1", "--port", "0"],
        env={**os.environ, **environ(systemd, 900_000), "GLOAM_DATA": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        ready = systemd.recv(200).decode()
        port = int(ready.rstrip("/").rpartition(":")[2])
        alive = systemd.recv(200)
        connection = HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", "/")
        page = connection.getresponse().status
        table.send_signal(signal.SIGTERM)
        said = [systemd.recv(200)]
        while said[-1] == b"WATCHDOG=1":
            said.append(systemd.recv(200))
        printed, _ = table.communicate(timeout=60)
    finally:
        table.kill()
    assert ready.startswith("READY=1\nSTATUS=The table is at http://")
    assert (alive, page, said[-1]) == (b"WATCHDOG=1", 200, b"STOPPING=1")
    assert table.returncode == 0 and "Good night" in printed


def safe_mode(systemd, folder):
    """Serves in safe mode for a moment; returns what systemd heard and what was said."""
    table = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "companion.service.cli",
            "run",
            "--safe",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
        ],
        env={**os.environ, **environ(systemd), "GLOAM_DATA": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        ready = systemd.recv(200).decode()
        table.send_signal(signal.SIGTERM)
        _, words = table.communicate(timeout=60)
    finally:
        table.kill()
    return ready, words


@pytest.mark.slow
def test_safe_mode_serves_in_spite_of_broken_settings(systemd, tmp_path):
    (tmp_path / "gloam.toml").write_text("[web]\nport = 99999\n")
    ready, words = safe_mode(systemd, tmp_path)
    assert ready.startswith("READY=1")
    assert words.strip() == "Safe mode: no part is used, the pages can be reached."


@pytest.mark.slow
def test_safe_mode_serves_although_the_stored_games_are_damaged(systemd, tmp_path):
    (tmp_path / "gloam.db").write_bytes(b"no database" * 500)
    ready, words = safe_mode(systemd, tmp_path)
    assert ready.startswith("READY=1")
    assert "doctor --salvage" in words and "Until then games are not stored." in words
    assert (tmp_path / "gloam.db").read_bytes() == b"no database" * 500
