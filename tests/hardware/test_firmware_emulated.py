"""The whole firmware on real MicroPython in an emulated RP2040, spoken to by the production serial driver.

Run by `./gloam test --firmware`. Times are those of the chip.
"""

from __future__ import annotations

from hashlib import sha256
from itertools import pairwise

import pytest
from emulated_pico import BUILD, EmulatedPico, micropython

from companion.engine.layout import Board, built, square_places
from companion.engine.scene import Glow, Scene
from companion.games import load
from companion.service.trust import Run, TrustGame
from hardware import wire
from hardware.benchmark import busy_scene
from hardware.chip import Chip, ChipSettings
from hardware.flasher import Repl, files, install
from hardware.ledmap import cells
from hardware.making import supply_a
from hardware.render import render
from hardware.serial_link import SerialLink
from hardware.wiring import LightSettings, led_map_for

pytestmark = pytest.mark.firmware

GAME = load("night_cage")
ROWS, COLUMNS = tuple(range(2, 9)), tuple(range(15, 23))
"""Pins of a matrix of 56 switches."""
BOARD = Board("test", 490, 490, tuple(square_places(map(str, range(49)), 7, 70)), (), ())


@pytest.fixture(scope="module")
def flash():
    """The flash of a Pico that got MicroPython, then our files by `gloam flash`; kept while they stay."""
    whole = b"".join(path.read_bytes() for path in [micropython(), *files().values()])
    image = BUILD / "firmware" / f"flash-{sha256(whole).hexdigest()[:16]}.bin"
    if image.exists():
        return image
    pico = EmulatedPico(micropython())
    pico.sleep(1.0)
    install(Repl(lambda: SerialLink(pico.port), pico), print)
    pico.sleep(0.3)
    pico.save(image)
    pico.close()
    return image


@pytest.fixture(scope="module")
def pico(flash):
    pico = EmulatedPico(flash)
    pico.sleep(0.5)
    yield pico
    pico.close()


class Host:
    """The production driver with its clock set to the chip's time."""

    def __init__(self, pico: EmulatedPico, leds: int, **settings) -> None:
        self.pico = pico
        settings = {"budget_ma": 9000, **settings}
        self.chip = Chip(lambda: SerialLink(pico.port), ChipSettings(leds, **settings), pico)

    def until(self, done, limit_s: float = 4.0) -> None:
        end = self.pico.now() + limit_s
        while not done() and self.pico.now() < end:
            self.chip.step()
            self.pico.sleep(0.004)
        assert done(), self.chip.status

    def show(self, frame: bytes) -> dict:
        """Shows a frame; returns what the LEDs got once it has arrived."""
        self.chip.show(frame)
        self.until(self.chip.is_settled)
        seen = len(self.pico.frames)
        self.until(lambda: len(self.pico.frames) >= seen + 3)
        return self.pico.frames[-1]

    def close(self) -> None:
        self.chip._drop("closed by the test")


@pytest.fixture
def host(pico):
    host = Host(pico, 49)
    yield host
    host.close()


def test_the_chip_says_who_it_is(host):
    host.until(lambda: host.chip.status.is_up)
    assert host.chip.hello["major"] == wire.MAJOR
    assert host.chip.hello["leds"] == 256
    assert host.chip.hello["board"].rstrip(b"\0") == b"pico"


@pytest.mark.parametrize("build", ["groups", "rails"])
def test_what_render_asks_for_is_on_the_pin_byte_for_byte_and_in_time(pico, build):
    board, led_map = BOARD, cells(BOARD, 2, supply_ma=9000)
    if build == "rails":
        board = built(GAME.board(GAME.resolve({"players": 5})), "rails")
        led_map = led_map_for(LightSettings(map="rails", supply_ma=9000), board)
        assert len(led_map.leds) == 182
    host = Host(pico, len(led_map.leds))
    frame = render(busy_scene(board), led_map, 1.0)
    seen = host.show(frame)
    host.close()
    assert seen["frame"] == frame
    assert seen["bits"] == 8 * len(frame)
    assert 220 <= seen["zero_ns"][0] <= seen["zero_ns"][1] <= 380
    assert 580 <= seen["one_ns"][0] <= seen["one_ns"][1] <= 1000
    assert 1200 <= seen["period_ns"][0] <= seen["period_ns"][1] <= 1300
    assert all(one["gap_us"] >= 280 for one in pico.frames)


def test_deltas_arrive(host):
    first = bytes([20] * 147)
    host.show(first)
    changed = b"\x10\x30\x05" + first[3:]
    assert host.show(changed)["frame"] == changed


def test_the_chip_keeps_the_current_below_its_budget(pico):
    host = Host(pico, 49, budget_ma=400)
    seen = host.show(bytes([255] * 147))["frame"]
    host.close()
    assert 350 < 49 + sum(seen) * 20 / 255 <= 400


def test_182_white_leds_stay_within_the_supply_of_the_parts_list(pico):
    board = built(GAME.board(GAME.resolve({"players": 5})), "rails")
    supply = 800 * supply_a(led_map_for(LightSettings(map="rails"), board))
    host = Host(pico, 182, budget_ma=supply)
    seen = host.show(bytes([255] * 3 * 182))["frame"]
    host.close()
    assert 0.9 * supply < 182 + sum(seen) * 20 / 255 <= supply


def test_the_chip_holds_a_strobe_back(pico):
    host = Host(pico, 9)
    host.show(bytes(27))
    start, begun = len(pico.frames), pico.now()
    while pico.now() < begun + 1.5:
        on = int((pico.now() - begun) * 20) % 2
        host.chip.show(bytes([200 * on] * 27))
        pico.sleep(0.008)
    host.close()
    lit = [max(one["frame"]) > 60 for one in pico.frames[start:]]
    rises = sum(after and not before for before, after in pairwise(lit))
    assert 3 <= rises <= 6


def test_the_chip_plays_scenes_by_itself(host):
    host.chip.play(bytes((1, 60, 120, 20)) + bytes((49, 0, wire.PULSE, 0)))
    host.until(host.chip.is_settled)
    start = len(host.pico.frames)
    host.until(lambda: len(host.pico.frames) > start + 60)  # most of a pulse: near its dark only few differ
    assert len({one["frame"] for one in host.pico.frames[start:]}) > 15


def test_buttons_and_the_dice_beam_are_told(host):
    host.until(lambda: host.chip.status.is_up)
    presses, sensed = [], []

    def look() -> bool:
        presses.extend(host.chip.presses())
        sensed.extend(host.chip.sensed())
        return bool(presses) and bool(sensed)

    host.pico.pin(11, 0)
    host.pico.pin(14, 0)  # a die falls through
    host.pico.sleep(0.004)
    host.pico.pin(14, 1)
    host.until(look)
    host.pico.pin(11, 1)
    assert [press.name for press in presses] == ["undo"]
    assert [(one.number, one.is_closed) for one in sensed] == [(-1, True)]


def test_stray_bytes_do_no_harm(host):
    host.show(bytes([20] * 147))
    host.chip._link.write(b"\x05\x01stray")
    frame = bytes([40, 20, 10] * 49)
    assert host.show(frame)["frame"] == frame


def test_left_alone_in_the_middle_of_a_block_it_still_fades_to_a_dim_glow(pico):
    host = Host(pico, 9, silence_s=0.3, fade_s=0.3)
    host.show(bytes([90] * 27))
    host.chip._link.write(b"\x07\x01half")  # the host dies here
    pico.sleep(1.2)
    host.close()
    assert 0 < max(pico.frames[-1]["frame"]) <= 24


def test_the_loop_is_fast_enough_and_memory_is_left(host):
    scene = Scene(tuple(Glow(cell, "lit") for cell in range(49)))
    led_map = cells(BOARD, supply_ma=9000)
    for _ in range(2):  # the first answer still tells of the time before
        host.chip.stats.clear()
        begun = host.pico.now()
        while host.pico.now() < begun + 0.3:
            host.chip.show(render(scene, led_map, host.pico.now()))
            host.pico.sleep(0.016)
        host.until(lambda: host.chip.stats)
    print("stats", host.chip.stats)
    assert host.chip.stats["free"] > 50_000
    assert host.chip.stats["loop_ms"] < 60


def test_a_chip_that_hangs_is_restarted_by_its_watchdog_and_set_up_again(pico):
    host = Host(pico, 9)
    host.show(bytes([30] * 27))
    pico.hang()  # nothing but a restart ends this
    host.until(lambda: not host.chip.status.is_up, 2.0)
    host.until(lambda: host.chip.status.is_up, 12.0)
    frame = host.show(bytes([50] * 27))["frame"]
    host.close()
    assert frame == bytes([50] * 27)


def test_a_running_chip_lets_itself_be_flashed_again(flash):
    pico = EmulatedPico(flash)
    pico.sleep(0.5)
    repl = Repl(lambda: SerialLink(pico.port), pico)
    names = repl.run("import os\nprint(sorted(os.listdir()))")
    pico.close()
    assert all(repr(name) in names for name in files())


class ReedGame(TrustGame):
    """A game whose pawns close switches of an emulated Pico; what they say comes through the real wire."""

    def __init__(self, run: Run, seed: int, pico: EmulatedPico) -> None:
        super().__init__(run, seed)
        self.pico, self.host = pico, Host(pico, 9)
        self.host.until(lambda: self.host.chip.status.is_up)
        self._closed: frozenset[int] | None = None

    def _step(self, loop):
        closed = self.switches.occupied(self.world.layout())
        if closed != self._closed:
            self._closed = closed
            self.pico.close_reeds(ROWS, COLUMNS, set(closed))
            end = self.pico.now() + 0.15
            while self.pico.now() < end:
                for number, is_closed, _ in self.host.chip.sensed():
                    self.switches.feel(number, is_closed, self.clock.now())
                self.pico.sleep(0.008)
        return super()._step(loop)


def test_pawns_are_followed_through_the_switches_of_the_chip(flash):
    image = flash.with_name("flash-reeds.bin")
    pico = EmulatedPico(flash)
    pico.sleep(0.5)
    wired = f"ROWS = {ROWS}\nCOLUMNS = {COLUMNS}\n"
    Repl(lambda: SerialLink(pico.port), pico).run(f"f = open('pins.py', 'a')\nf.write({wired!r})\nf.close()")
    pico.save(image)
    pico.close()
    pico = EmulatedPico(image)
    pico.sleep(0.5)
    run = Run("night_cage", bot="careful", slips=0.0, most=30, is_clear=True, has_switches=True, cover=2)
    game = ReedGame(run, 5, pico)
    trust = game.play()
    game.host.close()
    pico.close()
    assert trust.felt > 0
    assert (trust.wrong_commits, trust.wrong_beliefs, game.switches.faults()) == (0, 0, ())
