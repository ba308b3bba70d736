"""One suite over every strip: what is shown arrives, byte for byte, at the far end of the real driver."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from types import ModuleType

import pytest

from companion.engine.errors import ConfigError, DeviceError
from companion.engine.layout import Board, square_places
from companion.engine.scene import Glow, Scene
from hardware import ddp, spi
from hardware.chip import Chip, ChipSettings
from hardware.clock import SystemClock
from hardware.fake_wled import WledReceiver
from hardware.fakes import DeskChip, FakeClock, PtyChip, VirtualStrip
from hardware.ledmap import cells
from hardware.neopixel import NeoPixelStrip
from hardware.render import render
from hardware.serial_link import SerialLink

LEDS = 36
BOARD = Board("test", 420, 420, tuple(square_places(map(str, range(36)), 6, 70)), (), ())
SCENE = Scene((Glow(0, "lit", "red"), Glow(7, "attack"), Glow(20, "legal")), "tense")


class Bench:
    """A strip and the far end of its line."""

    order = "GRB"
    can_break = True

    def seen(self) -> bytes:
        """The last frame that arrived."""
        raise NotImplementedError

    def break_it(self) -> None:
        """Unplugs the line."""

    def close(self) -> None:
        """Clears up."""


class Virtual(Bench):
    can_break = False

    def __init__(self) -> None:
        self.strip = VirtualStrip(LEDS, "GRB", FakeClock())

    def seen(self) -> bytes:
        return self.strip.frames[-1][1]


class ChipOnDesk(Bench):
    def __init__(self) -> None:
        self.clock = FakeClock()
        self.desk = DeskChip(self.clock)
        self.strip = Chip(self.desk.open, ChipSettings(LEDS, budget_ma=9000), self.clock)

    def seen(self) -> bytes:
        for _ in range(30):
            self.clock.sleep(0.01)
            self.strip.step()
        self.desk.run()
        return self.desk.frames[-1][1]

    def break_it(self) -> None:
        self.desk.unplug()
        self.clock.sleep(1)


PATIENCE_S = 20.0
"""Real time: an emulated machine is slow."""


class ChipOverPty(Bench):
    """The production serial driver on a port, the real firmware behind it, real time."""

    def __init__(self) -> None:
        self.pty = PtyChip()
        settings = ChipSettings(LEDS, budget_ma=9000)
        self.strip = Chip(lambda: SerialLink(self.pty.port), settings, SystemClock())

    def seen(self) -> bytes:
        until = time.monotonic() + PATIENCE_S
        while not self.strip.is_settled() and self.strip._link and time.monotonic() < until:
            self.strip.step()
        count = len(self.pty.desk.frames)
        while len(self.pty.desk.frames) < count + 3 and time.monotonic() < until:
            self.strip.step()
        return self.pty.desk.frames[-1][1]

    def break_it(self) -> None:
        self.pty.close()

    def close(self) -> None:
        if not self.pty._stop.is_set():
            self.pty.close()


class RecordedBus:
    """A spidev that keeps what it is given."""

    def __init__(self) -> None:
        self.sent, self.is_broken = b"", False

    def writebytes2(self, data: bytes) -> None:
        if self.is_broken:
            raise OSError("bus error")
        self.sent = bytes(data)

    def close(self) -> None:
        return


class Spi(Bench):
    def __init__(self) -> None:
        self.bus = RecordedBus()
        self.strip = spi.SpiStrip(self.bus, 3 * LEDS, 4096)

    def seen(self) -> bytes:
        """Reads the line as an LED does: a long pulse is one, a short one nought."""
        bits = "".join(f"{byte:08b}" for byte in self.bus.sent)
        silence = round(280e-6 * self.bus.max_speed_hz)
        assert bits.startswith("0" * silence) and bits.endswith("0" * silence)
        pulses = [len(pulse) for pulse in bits.split("0") if pulse]
        return int("".join(str(n - 1) for n in pulses), 2).to_bytes(len(pulses) // 8, "big")

    def break_it(self) -> None:
        self.bus.is_broken = True


class Ddp(Bench):
    order = "RGB"

    def __init__(self) -> None:
        self.wled = WledReceiver(LEDS)
        self.strip = ddp.DdpStrip(self.wled.host, LEDS, "RGB", ask_s=0.1)

    def seen(self) -> bytes:
        return b"".join(bytes(pixel[:3]) for pixel in self.wled.settle().shown)

    def break_it(self) -> None:
        self.wled.close()

    def close(self) -> None:
        self.strip.close()
        self.wled.close()


class NeoPixel(Bench):
    """The modules of adafruit-circuitpython-neopixel as a Pi has them, up to the pin."""

    def __init__(self) -> None:
        self.sent, self.is_broken = b"", False
        board, neopixel = ModuleType("board"), ModuleType("neopixel")
        board.D10 = "pin 10"
        neopixel.neopixel_write = self._write
        neopixel.NeoPixel = self._make
        sys.modules.update(board=board, neopixel=neopixel)
        self.strip = NeoPixelStrip("D10", LEDS, "GRB")

    def _make(self, pin, n, *, bpp, auto_write, pixel_order):
        assert (n, bpp, auto_write, pixel_order) == (LEDS, 3, False, "GRB")
        pixels = ModuleType("pixels")
        pixels.pin = ModuleType(pin)
        pixels.pin.deinit = lambda: None
        return pixels

    def _write(self, pin, data) -> None:
        assert pin.__name__ == "pin 10"
        if self.is_broken:
            raise RuntimeError("ws2811_render failed")
        self.sent = bytes(data)

    def seen(self) -> bytes:
        return self.sent

    def break_it(self) -> None:
        self.is_broken = True

    def close(self) -> None:
        del sys.modules["board"], sys.modules["neopixel"]


@pytest.fixture(params=[Virtual, ChipOnDesk, ChipOverPty, Spi, Ddp, NeoPixel])
def bench(request):
    bench = request.param()
    yield bench
    bench.close()


def test_what_is_rendered_arrives_byte_for_byte(bench):
    frame = render(SCENE, cells(BOARD, order=bench.order), 0.3)
    bench.strip.show(frame)
    assert bench.seen() == frame


def test_the_last_frame_wins(bench):
    for level in (10, 20, 30):
        bench.strip.show(bytes([level] * 3 * LEDS))
    assert bench.seen() == bytes([30] * 3 * LEDS)


def test_a_frame_of_another_length_is_refused(bench):
    with pytest.raises(ValueError, match="a frame of 7 bytes for a strip of 108"):
        bench.strip.show(bytes(7))


def test_a_working_strip_says_so(bench):
    bench.strip.show(bytes(3 * LEDS))
    bench.seen()
    until = time.monotonic() + PATIENCE_S
    while isinstance(bench, ChipOverPty) and not bench.strip.status.is_up and time.monotonic() < until:
        bench.strip.step()  # a slow machine answers late, and is asked again
    assert bench.strip.status == (True, "")


def test_closing_goes_dark(bench):
    bench.strip.show(bytes([40] * 3 * LEDS))
    bench.seen()
    bench.strip.close()
    if isinstance(bench, ChipOverPty):
        until = time.monotonic() + PATIENCE_S
        while any(bench.pty.desk.frames[-1][1]) and time.monotonic() < until:
            bench.strip.step()
        assert not any(bench.pty.desk.frames[-1][1])
    else:
        assert not any(bench.seen())


def test_a_broken_line_is_told_and_raises_nothing(bench):
    bench.strip.show(bytes(3 * LEDS))
    bench.seen()
    if not bench.can_break:
        assert bench.strip.status.is_up
        return
    bench.break_it()
    until = time.monotonic() + 3
    while bench.strip.status.is_up and time.monotonic() < until:
        bench.strip.show(bytes(3 * LEDS))
    status = bench.strip.status
    assert not status.is_up
    assert status.words.endswith(".")


def test_a_line_that_works_again_is_up_again():
    bench = Spi()
    bench.bus.is_broken = True
    bench.strip.show(bytes(108))
    bench.bus.is_broken = False
    bench.strip.show(bytes(108))
    assert bench.strip.status.is_up


# What only one of them has ----------------------------------------------------------------------------


def test_a_killed_host_leaves_a_dim_glow():
    pty = PtyChip()
    code = f"""
        import time
        from hardware.chip import Chip, ChipSettings
        from hardware.serial_link import SerialLink
        from hardware.clock import SystemClock
        chip = Chip(lambda: SerialLink({pty.port!r}),
                    ChipSettings(4, budget_ma=9000, silence_s=0.3, fade_s=0.4), SystemClock())
        told = False
        while True:
            chip.show(bytes([200] * 12))
            time.sleep(0.005)
            if chip.is_settled() and not told:
                print("lit", flush=True)
                told = True
    """
    host = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE)
    try:
        assert host.stdout.readline() == b"lit\n"
        until = time.monotonic() + 2
        while max(pty.desk.frames[-1][1]) < 200 and time.monotonic() < until:
            time.sleep(0.01)
        assert max(pty.desk.frames[-1][1]) == 200
        os.kill(host.pid, signal.SIGKILL)
        killed = time.monotonic()
        while max(pty.desk.frames[-1][1]) > 24 and time.monotonic() < killed + 5:
            time.sleep(0.01)
        assert 0 < max(pty.desk.frames[-1][1]) <= 24
        assert time.monotonic() - killed < 3  # 0.7 s by its settings
    finally:
        host.kill()
        host.wait()
        host.stdout.close()
        pty.close()


def test_a_port_is_opened_by_one_host_only():
    pty = PtyChip()
    first = SerialLink(pty.port)
    with pytest.raises(DeviceError, match=r"cannot be opened .*systemctl stop gloam"):
        SerialLink(pty.port)
    first.close()
    pty.close()


def test_a_missing_port_is_named():
    with pytest.raises(DeviceError, match="/dev/no-such-port cannot be opened"):
        SerialLink("/dev/no-such-port")


def test_spi_pulses_are_as_long_as_the_leds_want():
    bit_ns = 1e9 / spi.SPEED_HZ
    assert 220 <= bit_ns <= 380  # nought: high for one bit
    assert 580 <= 2 * bit_ns <= 1000  # one: high for two
    assert spi.RESET_S >= 280e-6


def test_a_frame_too_long_for_the_spi_buffer_is_refused_with_the_remedy():
    with pytest.raises(ConfigError, match=r"spidev.bufsiz=32768"):
        spi.SpiStrip(RecordedBus(), 3 * 500, 4096)


def test_ddp_header_is_laid_out_as_written_down():
    first, second = ddp.packets(bytes(range(256)) * 6, "RGB")
    assert first[:10] == bytes((0x40, 0, 0x0B, 1, 0, 0, 0, 0, 0x05, 0xA0))  # version 1, 1440 bytes from 0
    assert second[:10] == bytes((0x41, 0, 0x0B, 1, 0, 0, 0x05, 0xA0, 0, 96))  # push, the last 96 bytes
    assert (len(first), len(second)) == (1450, 106)
