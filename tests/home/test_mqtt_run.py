"""`gloam run` with a broker in its settings, as a person starts it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.debian("mosquitto")]


@contextmanager
def gloam_run(folder: Path, settings: str) -> Iterator[subprocess.Popen[str]]:
    """Serves a table with these settings; at the end it is stopped as by Ctrl+C."""
    (folder / "gloam.toml").write_text(settings, "utf-8")
    command = [sys.executable, "-m", "companion.service.cli", "run", "--host", "127.0.0.1", "--port", "0"]
    process = subprocess.Popen(
        command,
        env={**os.environ, "GLOAM_DATA": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=90)


def test_the_table_appears_leaves_and_vanishes_with_its_settings(house, mosquitto, listener, tmp_path):
    on = f"[mqtt]\nenabled = true\nhost = '127.0.0.1'\nport = {mosquitto.port}\nname = 'Long table'\n"
    with gloam_run(tmp_path, on):
        now = listener.wait(lambda now: b"online" in now.values() and len(now) == 3, 90)
        config = next(payload for topic, payload in now.items() if topic.startswith("homeassistant/device/"))
        assert b'"Long table"' in config
    listener.wait(lambda now: b"offline" in now.values(), 90)
    with gloam_run(tmp_path, on.replace("true", "false")):
        listener.wait(lambda now: not now, 90)


def test_settings_that_cannot_work_hinder_nothing(house, tmp_path):
    with gloam_run(tmp_path, "[mqtt]\nenabled = true\n") as process:
        said = [process.stdout.readline() for _ in range(2)]
    assert "[mqtt] enabled = true needs the broker's address" in said[0]
    assert "First start" in said[1]
