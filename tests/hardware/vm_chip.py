"""A `DeskChip` whose firmware runs on the real MicroPython VM, npm's WebAssembly build, under node."""

from __future__ import annotations

import json
import subprocess
from collections import deque
from pathlib import Path
from typing import Any

from npm_package import npm

from companion.engine.errors import DeviceError
from hardware.fakes import DeskReader, _DeskLink
from hardware.flasher import files
from hardware.ports import Clock, Link

PACKAGE, VERSION = "@micropython/micropython-webassembly-pyscript", "1.27.0"


class VmChip:
    """The firmware on the VM; the same to use as `hardware.fakes.DeskChip`."""

    def __init__(self, clock: Clock) -> None:
        script = Path(__file__).with_suffix(".mjs")
        self._process = subprocess.Popen(
            ["node", str(script), str(npm(PACKAGE, VERSION, "micropython.mjs")), *map(str, files().values())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._clock = clock
        self._is_plugged = True
        self._boots = 0
        self._said = b""
        self.frames: deque[tuple[float, bytes]] = deque(maxlen=3600)
        self.buttons, self.cells, self.beam = DeskReader(128, 4), DeskReader(0, 64), DeskReader(160, 1)
        self.reboot()

    def _ask(self, **ask: Any) -> dict[str, Any]:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps(ask).encode() + b"\n")
        self._process.stdin.flush()
        reply = json.loads(self._process.stdout.readline())
        assert "error" not in reply, reply["error"]
        return reply

    def _step(self, data: bytes | None = None, boot: int = 0) -> None:
        to = round(self._clock.now() * 1000) if self._boots else 0
        masks = [self.buttons.mask, self.cells.mask, self.beam.mask]
        reply = self._ask(to=0 if boot == 1 else to, data=data and data.hex(), masks=masks, boot=boot)
        self._said += bytes.fromhex(reply["said"])
        self.frames.extend((int(ms) / 1000, bytes.fromhex(frame)) for ms, frame in reply["frames"])

    def python(self, code: str) -> str:
        """Runs Python on the VM beside the firmware; returns what it printed."""
        return str(self._ask(run=code)["printed"])

    def reboot(self) -> None:
        self._boots += 1
        self._said = b""
        self._step(boot=self._boots)

    def run(self) -> None:
        self._step()

    def open(self) -> Link:
        if not self._is_plugged:
            raise DeviceError("no Pico is plugged in")
        return _DeskLink(self)  # type: ignore[arg-type]

    def unplug(self) -> None:
        self._is_plugged = False

    def plug(self) -> None:
        self._is_plugged = True

    def exchange(self, data: bytes | None) -> bytes:
        if not self._is_plugged:
            raise DeviceError("the Pico was unplugged")
        self._step(data)
        if data is not None:
            return b""
        said, self._said = self._said, b""
        return said

    def close(self) -> None:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
