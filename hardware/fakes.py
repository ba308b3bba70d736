"""Parts that need no hardware. They record what they were given and refuse what the real ones refuse."""

from __future__ import annotations

import contextlib
import importlib
import os
import select
import sys
import threading
import tty
from collections import deque
from collections.abc import Callable, Collection, Hashable
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from companion.engine.errors import DeviceError
from hardware.clock import SystemClock
from hardware.flasher import files
from hardware.ports import BEAM, BUTTONS, Clock, Link, Press, Sensed, Status, check_size


class FakeClock:
    """Time that passes only when told to.

    >>> clock = FakeClock()
    >>> clock.sleep(1.5)
    >>> clock.now()
    1.5
    """

    def __init__(self, now: float = 0.0) -> None:
        self._now = now

    def now(self) -> float:
        return self._now

    def sleep(self, delay_s: float) -> None:
        self._now += delay_s


class VirtualStrip:
    """A strip that exists on screen only: keeps the last frames with their times.

    >>> strip = VirtualStrip(2, "GRB", FakeClock())
    >>> strip.show(bytes(6))
    >>> strip.frames[-1]
    (0.0, b'\\x00\\x00\\x00\\x00\\x00\\x00')
    """

    def __init__(self, leds: int, order: str, clock: Clock, keep: int = 3600) -> None:
        self.size = leds * len(order)
        self.frames: deque[tuple[float, bytes]] = deque(maxlen=keep)
        self._clock = clock

    @property
    def status(self) -> Status:
        return Status(True)

    def show(self, frame: bytes) -> None:
        check_size(frame, self.size)
        self.frames.append((self._clock.now(), bytes(frame)))

    def close(self) -> None:
        self.show(bytes(self.size))


class VirtualButtons:
    """Buttons that the browser or a test presses."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._pressed: deque[Press] = deque(maxlen=256)

    def press(self, name: str) -> None:
        """Presses a button or turns the knob; `shutdown` counts as held."""
        if name not in (*BUTTONS, "left", "right"):
            raise ValueError(f"{name!r} is no button; known: {', '.join(BUTTONS)}, left, right")
        self._pressed.append(Press(name, self._clock.now()))

    def presses(self) -> list[Press]:
        pressed = list(self._pressed)
        self._pressed.clear()
        return pressed

    def close(self) -> None:
        self._pressed.clear()


SWITCH_FAULTS = ("stuck-open", "stuck-closed", "bouncing", "swapped")
"""What can be wrong with a virtual switch."""


class VirtualSensors:
    """Switches and beam of the virtual table: they feel the magnets that `magnets` names.

    A switch can be broken on purpose, as contacts break: it stays open or closed, it bounces while a magnet
    is near, or it is wired in the place of another.
    """

    def __init__(self, clock: Clock) -> None:
        self.magnets: Callable[[], Collection[int]] = tuple
        """The switches that a magnet stands on now."""
        self.dice: Callable[[], Hashable] = tuple
        """The dice on the table; others than before have come through the tower."""
        self._clock = clock
        self._told: set[int] = set()
        self._dice: Hashable = ()
        self._faults: dict[int, tuple[str, int]] = {}
        self._bounce = False

    def break_switch(self, number: int, fault: str, other: int = 0) -> None:
        """Breaks a switch; `other` is the one that it is swapped with. An empty fault mends it."""
        was, its_other = self._faults.pop(number, ("", 0))
        if was == "swapped":
            self._faults.pop(its_other, None)
        if fault not in ("", *SWITCH_FAULTS):
            raise ValueError(f"{fault!r} is no fault of a switch; known: {', '.join(SWITCH_FAULTS)}")
        if fault:
            self._faults[number] = fault, other
        if fault == "swapped":
            self._faults[other] = fault, number

    def faults(self) -> dict[int, str]:
        """The switches that are broken on purpose."""
        return {number: fault for number, (fault, _) in sorted(self._faults.items())}

    def sensed(self) -> list[Sensed]:
        now, closed = self._clock.now(), self._closed()
        sensed = [Sensed(number, number in closed, now) for number in sorted(closed ^ self._told)]
        self._told = closed
        dice, self._dice = self._dice, self.dice()
        if self._dice and self._dice != dice:
            sensed += [Sensed(BEAM, True, now), Sensed(BEAM, False, now)]
        return sensed

    def _closed(self) -> set[int]:
        self._bounce = not self._bounce
        magnets, faults = set(self.magnets()), self._faults
        closed = {faults[n][1] if faults.get(n, ("", 0))[0] == "swapped" else n for n in magnets}
        for number, (fault, _) in faults.items():
            if fault == "stuck-closed":
                closed.add(number)
            elif fault == "stuck-open" or (fault == "bouncing" and self._bounce):
                closed.discard(number)
        return closed

    def close(self) -> None:
        self._told.clear()


def firmware(*names: str) -> list[ModuleType]:
    """Imports modules of the real firmware as plain Python, without leaving their names behind."""
    modules = {path.stem: path for path in files().values()}
    finder = _FirmwareFinder(modules)
    sys.meta_path.insert(0, finder)
    try:
        return [importlib.import_module(name) for name in names]
    finally:
        sys.meta_path.remove(finder)
        for name in modules:
            sys.modules.pop(name, None)


class _FirmwareFinder(MetaPathFinder):
    """Finds the firmware's modules by the short names that they have on the chip."""

    def __init__(self, modules: dict[str, Path]) -> None:
        self._modules = modules

    def find_spec(self, name: str, path: Any, target: ModuleType | None = None) -> ModuleSpec | None:
        return spec_from_file_location(name, self._modules[name]) if name in self._modules else None


class DeskReader:
    """Sensors of a `DeskChip`: a mask that a test sets."""

    def __init__(self, first: int, count: int) -> None:
        self.first, self.count, self.mask = first, count, 0

    def read(self) -> int:
        return self.mask


class DeskChip:
    """The real firmware as plain Python, on the desk: its strip records frames, its sensors are masks.

    The chip's time is that of the clock, in steps of 4 ms. `open` is what a `Chip` opens its link with;
    `unplug` and `plug` do what they say, `reboot` is a power cut of the chip.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._is_plugged = True
        self._now = round(clock.now() * 1000)
        self._boots = 0
        self.frames: deque[tuple[float, bytes]] = deque(maxlen=3600)
        self.cells = DeskReader(0, 64)
        self.buttons = DeskReader(128, 4)
        self.beam = DeskReader(160, 1)
        self.reboot()

    def reboot(self) -> None:
        """Starts the firmware anew, with nothing remembered."""
        sensors, node = firmware("sensors", "node")
        self._boots += 1
        self._out = bytearray()
        self._start = self._now
        readers = [self.buttons, self.cells, self.beam]
        self.node: Any = node.Node(self, sensors.Sensors(readers), self._out.extend, self._boots)
        self.node.greet()

    def ready(self) -> bool:
        """The firmware asks whether the strip can take a frame."""
        return True

    def show(self, frame: bytes) -> None:
        """The firmware lights its strip."""
        self.frames.append((self._now / 1000, bytes(frame)))

    def run(self) -> None:
        """Lets the firmware run up to the clock's time."""
        now = round(self._clock.now() * 1000)
        while self._now + 4 <= now:
            self._now += 4
            self.node.tick(self._now - self._start)

    def open(self) -> Link:
        """Opens the line to the chip."""
        if not self._is_plugged:
            raise DeviceError("no Pico is plugged in")
        return _DeskLink(self)

    def unplug(self) -> None:
        self._is_plugged = False

    def plug(self) -> None:
        self._is_plugged = True

    def exchange(self, data: bytes | None) -> bytes:
        """Gives the firmware bytes, or takes what it said."""
        if not self._is_plugged:
            raise DeviceError("the Pico was unplugged")
        self.run()
        if data is not None:
            self.node.receive(data, self._now - self._start)
            return b""
        said = bytes(self._out)
        self._out.clear()
        return said


class _DeskLink:
    """The line to a `DeskChip`."""

    def __init__(self, chip: DeskChip) -> None:
        self._chip = chip

    def write(self, data: bytes) -> None:
        self._chip.exchange(data)

    def read(self) -> bytes:
        return self._chip.exchange(None)

    def close(self) -> None:
        return


class PtyChip:
    """The real firmware as plain Python behind a pseudo-terminal: `port` opens as a serial port does."""

    def __init__(self) -> None:
        master, slave = os.openpty()
        tty.setraw(slave)
        self.port = os.ttyname(slave)
        self._master, self._slave = master, slave
        os.set_blocking(master, False)
        self.desk = DeskChip(SystemClock())
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        link = self.desk.open()
        while not self._stop.is_set():
            if select.select([self._master], [], [], 0.004)[0]:
                link.write(os.read(self._master, 4096))
            said = link.read()
            if said:
                with contextlib.suppress(BlockingIOError):  # nobody reads; a chip drops it too
                    os.write(self._master, said)

    def close(self) -> None:
        """Stops the firmware: the port is gone, as when unplugged."""
        self._stop.set()
        self._thread.join()
        os.close(self._slave)
        os.close(self._master)


class NoisyLink:
    """A bad cable: flips, drops, doubles and inserts bytes, about one in every `every` bytes."""

    def __init__(self, link: Link, rng: Random, every: int) -> None:
        self._link, self._rng, self.every = link, rng, every
        self.faults = 0

    def write(self, data: bytes) -> None:
        self._link.write(self._spoil(data))

    def read(self) -> bytes:
        return self._spoil(self._link.read())

    def close(self) -> None:
        self._link.close()

    def _spoil(self, data: bytes) -> bytes:
        if not self.every or not data:
            return data
        rng, out = self._rng, bytearray(data)
        count = int(len(data) / self.every + rng.random())
        self.faults += count
        for _ in range(count):
            at = rng.randrange(len(out) + 1)
            kind = rng.randrange(4)
            if kind == 0:
                out[at : at + 1] = bytes(b ^ 1 << rng.randrange(8) for b in out[at : at + 1])
            elif kind == 1:
                del out[at : at + rng.randrange(1, 4)]
            elif kind == 2:
                out[at:at] = out[at : at + rng.randrange(1, 40)]
            else:
                out[at:at] = rng.randbytes(rng.randrange(1, 4))
        return bytes(out)
