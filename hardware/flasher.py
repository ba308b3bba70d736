"""Puts the firmware onto a Pico that runs MicroPython, by its raw REPL as mpremote does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.engine.errors import ConfigError, DeviceError
from hardware import wire
from hardware.clock import SystemClock
from hardware.ports import Clock, Link

FIRMWARE = Path(__file__).resolve().parents[1] / "firmware"
WIRE = Path(__file__).with_name("wire.py")
"""The one file that host and chip share."""
CHUNK = 256
PROMPT = b"raw REPL; CTRL-B to exit\r\n>"
HELP = (
    "MicroPython does not answer. Put it onto the Pico first: hold BOOTSEL while plugging it in and drop "
    "MicroPython's .uf2 file onto the drive that appears; then run ./gloam flash again"
)


def files() -> dict[str, Path]:
    """The files of the firmware by their names on the chip, in the order in which they are copied.

    `main.py` comes last, so a broken copy never starts.
    """
    found = {path.name: path for path in sorted([*FIRMWARE.glob("*.py"), WIRE], key=_copied_in_order)}
    if "main.py" not in found:
        raise ConfigError(f"the firmware is missing from this installation: no main.py in {FIRMWARE}")
    return found


def _copied_in_order(path: Path) -> tuple[bool, str]:
    return path.name == "main.py", path.name


class Repl:
    """MicroPython's raw REPL over a link; `reopen` gives the link anew after the chip has restarted."""

    def __init__(self, reopen: Callable[[], Link], clock: Clock) -> None:
        self._reopen, self._clock = reopen, clock
        self._link = reopen()
        if not self._enter():
            self._stop_firmware()

    @staticmethod
    def open(port: str) -> Repl:
        """Opens a Pico's serial port."""
        from hardware.serial_link import SerialLink

        return Repl(lambda: SerialLink(port), SystemClock())

    def _enter(self) -> bool:
        self._link.read()
        self._link.write(b"\r\x03\x03")
        self._clock.sleep(0.05)
        self._link.write(b"\r\x01")
        return self._until(PROMPT, 1.0) is not None

    def _stop_firmware(self) -> None:
        """Our firmware does not hear Ctrl-C: it is asked to restart into the REPL."""
        for seq in range(3):
            self._link.write(wire.encode(wire.REPL, seq))
            self._clock.sleep(0.1)
        self._link.close()
        until = self._clock.now() + 10.0
        while self._clock.now() < until:
            self._clock.sleep(0.5)
            try:
                self._link = self._reopen()
            except DeviceError:
                continue
            if self._enter():
                return
            self._link.close()
        raise DeviceError(HELP)

    def _until(self, end: bytes, timeout_s: float) -> bytes | None:
        got = b""
        until = self._clock.now() + timeout_s
        while not got.endswith(end):
            got += self._link.read()
            if self._clock.now() > until:
                return None
            self._clock.sleep(0.005)
        return got

    def run(self, code: str) -> str:
        """Runs Python on the chip; returns what it printed."""
        data = code.encode()
        for start in range(0, len(data), CHUNK):
            self._link.write(data[start : start + CHUNK])
            self._clock.sleep(0.01)
        self._link.write(b"\x04")
        answer = self._until(b"\x04>", 10.0)
        if answer is None or not answer.startswith(b"OK"):
            raise DeviceError(f"the Pico answered {answer!r} instead of running the code")
        out, error = answer[2:-2].split(b"\x04")
        if error:
            raise DeviceError(f"the Pico says: {error.decode('utf-8', 'replace').strip().splitlines()[-1]}")
        return out.decode()

    def put(self, name: str, data: bytes) -> None:
        """Writes a file onto the chip and checks its size."""
        self.run(f"f = open({name!r}, 'wb')")
        for start in range(0, len(data), CHUNK):
            self.run(f"f.write({data[start : start + CHUNK]!r})")
        self.run("f.close()")
        size = self.run(f"import os\nprint(os.stat({name!r})[6])").strip()
        if size != str(len(data)):
            raise DeviceError(f"{name} arrived with {size} of {len(data)} bytes; run ./gloam flash again")

    def restart(self) -> None:
        """Starts the chip anew; it does not answer to that."""
        self._link.write(b"import machine\nmachine.reset()\n\x04")

    def close(self) -> None:
        self._link.close()


def install(repl: Repl, say: Callable[[str], object]) -> None:
    """Copies every file of the firmware and starts it."""
    version = repl.run("import sys\nprint(sys.implementation.name, sys.platform)").split()
    if version != ["micropython", "rp2"]:
        raise DeviceError(f"this is {' '.join(version) or 'something else'}, not MicroPython on a Pico")
    for name, path in files().items():
        repl.put(name, path.read_bytes())
        say(f"{name}")
    repl.restart()
