"""A whole Pico in software (`firmware/emulator/pico.mjs`) behind a pseudo-terminal, with its own time."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
import tty
from pathlib import Path
from typing import Any

from npm_package import npm

from hardware.flasher import FIRMWARE

BUILD = FIRMWARE.parent / "build"
PACKAGE, VERSION = "rp2040js", "1.4.1"
PATIENCE_S = 600.0
"""How long a test waits for the emulator before it gives up."""


def micropython() -> Path:
    """MicroPython for the Pico, built from Debian's sources on first use."""
    image = BUILD / "firmware" / "firmware.bin"
    if not image.exists():
        subprocess.run([str(FIRMWARE / "emulator" / "build")], check=True)
    return image


class EmulatedPico:
    """A Pico with the given flash. It is also the clock: a second is a second of the chip."""

    def __init__(self, flash: Path) -> None:
        self._ms = 0.0
        self.frames: list[dict[str, Any]] = []
        """What the LEDs were told: bytes and times as decoded from the data pin."""
        self._moved = threading.Condition()
        told_out, told_in = os.pipe()
        ask_out, ask_in = os.pipe()
        master, slave = os.openpty()
        tty.setraw(slave)
        self.port = os.ttyname(slave)
        script = FIRMWARE / "emulator" / "pico.mjs"
        self._process = subprocess.Popen(
            [
                "node",
                str(script),
                str(npm(PACKAGE, VERSION, "dist/esm/index.js")),
                str(flash),
                str(told_in),
                str(ask_out),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=(told_in, ask_out),
        )
        os.close(told_in)
        os.close(ask_out)
        self._master, self._slave, self._ask = master, slave, ask_in
        assert self._process.stdin and self._process.stdout
        self._pump(master, self._process.stdin.fileno())
        self._pump(self._process.stdout.fileno(), master)
        threading.Thread(target=self._listen, args=(told_out,), daemon=True).start()

    def _pump(self, source: int, sink: int) -> None:
        def run() -> None:
            try:
                while data := os.read(source, 4096):
                    while data:
                        data = data[os.write(sink, data) :]
            except OSError:
                return  # the other end is gone: so is the Pico

        threading.Thread(target=run, daemon=True).start()

    def _listen(self, told: int) -> None:
        with os.fdopen(told) as lines:
            for line in lines:
                report = json.loads(line)
                with self._moved:
                    self._ms = max(self._ms, report["ms"])
                    if "frame" in report:
                        self.frames.append({**report, "frame": bytes.fromhex(report["frame"])})
                    self._moved.notify_all()

    def now(self) -> float:
        return self._ms / 1000

    def sleep(self, delay_s: float) -> None:
        until = self._ms + delay_s * 1000
        deadline = time.monotonic() + PATIENCE_S
        with self._moved:
            while self._ms < until:
                assert self._process.poll() is None, "the emulator has stopped"
                assert time.monotonic() < deadline, "the emulator does not get on"
                self._moved.wait(1.0)

    def pin(self, number: int, level: int) -> None:
        """Moves an input pin."""
        os.write(self._ask, json.dumps({"pin": number, "level": level}).encode() + b"\n")

    def close_reeds(self, rows: tuple[int, ...], columns: tuple[int, ...], closed: set[int]) -> None:
        """Closes these switches of a matrix between pins, numbered row by row, and opens all others."""
        pairs = [(rows[number // len(columns)], columns[number % len(columns)]) for number in sorted(closed)]
        wired = {"rows": rows, "columns": columns, "closed": pairs}
        os.write(self._ask, json.dumps({"reeds": wired}).encode() + b"\n")

    def hang(self) -> None:
        """Stops the processor, as a bug would."""
        os.write(self._ask, b'{"hang": true}\n')

    def save(self, path: Path) -> None:
        """Keeps the flash in a file."""
        os.write(self._ask, json.dumps({"save": str(path)}).encode() + b"\n")
        self.sleep(0.02)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for handle in (self._master, self._slave, self._ask):
            os.close(handle)
