"""The real firmware on the real MicroPython VM: the same modules, the same bytes, the same behaviour."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from vm_chip import VmChip

from companion.engine.layout import Board, square_places
from companion.engine.scene import MEANINGS, TINTS, Glow, Scene
from hardware.chip import Chip, ChipSettings
from hardware.fakes import DeskChip, FakeClock, firmware
from hardware.flasher import files
from hardware.ledmap import cells
from hardware.render import render

pytestmark = pytest.mark.debian("npm")

VECTORS = Path(__file__).with_name("wire_vectors.json")


class Twins:
    """The same host and the same events, once with plain Python and once with the VM behind."""

    def __init__(self, kind, leds: int = 36) -> None:
        self.clock = FakeClock()
        self.desk = kind(self.clock)
        self.chip = Chip(self.desk.open, ChipSettings(leds, budget_ma=1200, dark_s=6), self.clock)

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.02)):
            self.clock.sleep(0.02)
            self.chip.step()
        self.desk.run()


@pytest.fixture
def vm():
    twins = Twins(VmChip)
    yield twins
    twins.desk.close()


@pytest.mark.slow
def test_every_file_of_the_firmware_compiles(vm):
    names = sorted(files())
    code = f"for name in {names!r}:\n    compile(open('/' + name).read(), name, 'exec')\n    print(name)"
    assert vm.desk.python(code).split() == names
    assert {"main.py", "leds.py", "sensors.py", "effects.py", "wire.py"} <= set(names)


@pytest.mark.slow
def test_bytes_on_the_wire_are_those_written_down(vm):
    rows = json.loads(VECTORS.read_text())
    code = f"""
import wire
from binascii import hexlify, unhexlify
kinds = {{row[0]: kind for kind, row in wire.MESSAGES.items()}}
for message, seq, body, data in {[(r["message"], r["seq"], r["body"], r["wire"]) for r in rows]!r}:
    same = hexlify(wire.encode(kinds[message], seq, unhexlify(body))).decode() == data
    back = wire.Decoder().feed(unhexlify(data)) == [(kinds[message], seq, unhexlify(body))]
    print(same, back)
"""
    assert vm.desk.python(code).split() == ["True"] * 2 * len(rows)


def test_rhythms_are_the_same_numbers(vm):
    (effects,) = firmware("effects")
    asks = [
        (effect, phase, t) for effect in range(6) for phase in (0, 77, 255) for t in (0, 999, 262143, 10**7)
    ]
    got = vm.desk.python(f"import effects\nprint([effects.level(*ask) for ask in {asks!r}])")
    assert json.loads(got) == [effects.level(*ask) for ask in asks]


@pytest.mark.slow
def test_random_scenes_are_shown_as_plain_python_shows_them(vm):
    seed = 5
    print("seed", seed)
    plain = Twins(DeskChip)
    board = Board("test", 420, 420, tuple(square_places(map(str, range(36)), 6, 70)), (), ())
    led_map = cells(board)
    for twins in (vm, plain):
        rng = Random(seed)
        for _ in range(40):
            picked = rng.sample(range(36), 12)
            scene = Scene(tuple(Glow(c, rng.choice(MEANINGS), rng.choice(TINTS)) for c in picked))
            twins.chip.show(render(scene, led_map, twins.clock.now()))
            twins.run(rng.choice((0.02, 0.1, 0.4)))
    assert list(vm.desk.frames) == list(plain.desk.frames)
    assert len({frame for _, frame in vm.desk.frames}) > 30


@pytest.mark.slow
def test_current_stays_below_the_limit(vm):
    vm.chip.show(bytes([255] * 108))
    vm.run(0.5)
    frame = vm.desk.frames[-1][1]
    assert 1100 < 36 + sum(frame) * 20 / 255 <= 1200


@pytest.mark.slow
def test_a_strobe_is_held_back(vm):
    for i in range(100):
        vm.chip.show(bytes([60 * (i % 4 < 2)] * 108))
        vm.run(0.02)
    lit = [max(frame) > 25 for _, frame in vm.desk.frames]
    rises = sum(b and not a for a, b in pairwise(lit))
    assert 3 <= rises <= 7  # two seconds


@pytest.mark.slow
def test_left_alone_it_fades_to_a_dim_glow_and_goes_dark(vm):
    vm.chip.show(bytes([90] * 108))
    vm.run(0.5)
    vm.clock.sleep(4)
    vm.desk.run()
    assert 0 < max(vm.desk.frames[-1][1]) <= 24
    vm.clock.sleep(6)
    vm.desk.run()
    assert not any(vm.desk.frames[-1][1])


@pytest.mark.slow
def test_sensors_are_told_and_survive_a_pulled_plug(vm):
    vm.run(0.5)
    vm.desk.unplug()
    vm.desk.cells.mask = 1 << 40 | 1
    vm.run(0.3)
    vm.desk.plug()
    vm.run(1.5)
    assert {s.number for s in vm.chip.sensed()} == {0, 40}


@pytest.mark.slow
def test_a_restarted_chip_is_set_up_again(vm):
    vm.chip.show(bytes([50] * 108))
    vm.run(0.5)
    vm.desk.reboot()
    vm.run(1.0)
    assert vm.chip.is_settled()
    assert vm.desk.frames[-1][1] == bytes([50] * 108)


@pytest.mark.slow
def test_noise_breaks_nothing(vm):
    rng = Random(3)
    vm.run(0.3)
    for _ in range(60):
        vm.desk.exchange(rng.randbytes(rng.randrange(1, 200)))
    vm.chip.show(bytes([50] * 108))
    vm.run(1.0)
    assert vm.chip.is_settled()
    assert vm.desk.frames[-1][1] == bytes([50] * 108)
