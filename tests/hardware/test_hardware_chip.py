"""The conversation between the Pi and the real firmware, as plain Python on one clock."""

from __future__ import annotations

import gc
import sys
from random import Random

import pytest

from hardware import wire
from hardware.chip import Chip, ChipSettings
from hardware.fakes import DeskChip, FakeClock, NoisyLink

SETTINGS = ChipSettings(leds=8, budget_ma=5000)


class Table:
    """A host and a chip on one clock, with a cable that can be spoilt."""

    def __init__(self, seed: int = 0, settings: ChipSettings = SETTINGS) -> None:
        self.clock = FakeClock()
        self.desk = DeskChip(self.clock)
        self.rng = Random(seed)
        self.noise = 0
        self.faults = 0
        self.cable: NoisyLink | None = None
        self.felt: set[int] = set()
        self.chip = Chip(self._open, settings, self.clock)

    def _open(self) -> NoisyLink:
        if self.cable is not None:
            self.faults += self.cable.faults
        self.cable = NoisyLink(self.desk.open(), self.rng, self.noise)
        return self.cable

    def run(self, seconds: float, step_s: float = 0.01) -> None:
        for _ in range(round(seconds / step_s)):
            self.clock.sleep(step_s)
            self.chip.step()
            self.desk.run()

    def spoil(self, every: int) -> None:
        self.noise = every
        if self.cable is not None:
            self.cable.every = every

    @property
    def shown(self) -> bytes:
        return self.desk.frames[-1][1]


@pytest.fixture
def table():
    table = Table()
    table.run(0.2)
    return table


def picture(seed: int, leds: int = 8) -> bytes:
    return Random(seed).randbytes(3 * leds)


def test_link_comes_up_and_shows_the_last_picture(table):
    for seed in range(5):
        table.chip.show(picture(seed))
    table.run(0.2)
    assert table.chip.status.is_up
    assert table.shown == picture(4)


def test_a_small_change_travels_as_a_delta_and_arrives(table):
    table.chip.show(picture(1))
    table.run(0.2)
    changed = b"\x01\x02\x03" + picture(1)[3:]
    table.chip.show(changed)
    assert table.chip._flying[0] == wire.DELTA
    table.run(0.1)
    assert table.shown == changed


def test_delta_on_another_picture_is_refused_and_healed_by_a_keyframe(table):
    table.chip.show(picture(1))
    table.run(0.2)
    table.desk.node.picture_seq = 250  # as if the chip had seen something else
    changed = b"\x01\x02\x03" + picture(1)[3:]
    table.chip.show(changed)
    table.run(0.2)
    assert table.shown == changed


def test_chip_plays_a_scene_by_itself(table):
    scene = bytes((1, 10, 200, 30)) + bytes((8, 0, wire.BREATHE, 0))
    table.chip.play(scene)
    table.run(3.0)
    assert table.chip.is_settled()
    assert len({frame for time, frame in table.desk.frames if time > 1}) > 20


def test_silence_of_the_chip_is_declared_within_a_second(table):
    table.chip.show(picture(1))
    table.desk.exchange = lambda data: b""  # the chip hangs
    table.run(1.0)
    assert not table.chip.status.is_up
    assert "does not answer" in table.chip.status.words


def test_a_host_that_was_busy_elsewhere_does_not_take_it_for_silence(table):
    table.chip.show(picture(1))
    for _ in range(5):
        table.run(0.03)
        table.clock.sleep(1.5)  # a slow card, a long look
        table.chip.step()
        assert table.chip.status.is_up


def test_replugging_brings_the_picture_back(table):
    table.chip.show(picture(1))
    table.run(0.2)
    table.desk.unplug()
    table.run(0.1)
    assert "unplugged" in table.chip.status.words
    table.chip.show(picture(2))
    table.desk.reboot()
    table.desk.plug()
    table.run(1.5)
    assert table.chip.is_settled()
    assert table.shown == picture(2)


def test_a_chip_that_restarts_by_itself_is_set_up_again(table):
    table.chip.show(picture(1))
    table.run(0.2)
    table.desk.reboot()
    table.run(0.5)
    assert table.chip.is_settled()
    assert table.shown == picture(1)


def test_another_protocol_is_refused_with_both_numbers_and_the_remedy(table, monkeypatch):
    monkeypatch.setattr(wire, "MAJOR", 2)
    table.desk.reboot()
    table.run(0.3)
    words = table.chip.status.words
    assert "protocol 1.0" in words and "table 2.0" in words and "./gloam flash" in words


def test_left_alone_the_chip_fades_to_a_dim_glow_and_then_goes_dark(table):
    table.chip.show(b"\xff\x80\x40" * 8)
    table.run(0.2)
    start = table.clock.now()
    for _ in range(700):  # the host is killed: nobody steps it
        table.clock.sleep(0.1)
        table.desk.run()
    glow = [frame for time, frame in table.desk.frames if start + 3.2 < time < start + 50]
    assert all(max(frame) <= 24 for frame in glow) and any(max(frame) > 5 for frame in glow)
    assert not any(table.shown)


def test_events_come_in_order_each_once(table):
    order = [3, 1, 4, 15, 9, 2, 6]
    for cell in order:
        table.desk.cells.mask ^= 1 << cell
        table.run(0.05)
    sensed = table.chip.sensed()
    assert [(s.number, s.is_closed) for s in sensed] == [(cell, True) for cell in order]


def test_events_survive_a_cable_that_is_out_for_a_while(table):
    table.desk.unplug()
    for cell in (5, 6, 7):
        table.desk.cells.mask |= 1 << cell
        table.run(0.1)
    table.desk.plug()
    table.run(1.5)
    assert closed(table) == {5, 6, 7}


def test_what_opened_while_the_cable_was_out_is_not_taken_for_closed(table):
    table.desk.cells.mask = 0b11
    table.run(0.2)
    felt = closed(table)
    table.desk.unplug()
    table.run(1.5)
    table.desk.reboot()  # it forgets what it has told
    table.desk.cells.mask = 0b10
    table.desk.plug()
    table.run(2.5)
    assert (felt, closed(table, felt)) == ({0, 1}, {1})


def test_what_stayed_closed_while_the_cable_was_out_is_not_told_again(table):
    table.desk.cells.mask = 0b11
    table.run(0.2)
    felt = closed(table)
    table.desk.unplug()
    table.run(1.5)
    table.desk.plug()
    table.run(2.5)
    assert felt == {0, 1} and table.chip.status.is_up
    assert table.chip.sensed() == []


def closed(table, before=frozenset()):
    felt = set(before)
    for number, is_closed, _ in table.chip.sensed():
        (felt.add if is_closed else felt.discard)(number)
    return felt


def test_a_bouncing_reed_tells_once(table):
    for _ in range(9):
        table.desk.cells.mask ^= 1
        table.run(0.008, 0.004)
    table.run(0.2)
    assert len(table.chip.sensed()) == 1


def test_buttons_and_beam(table):
    table.desk.buttons.mask = 0b0010
    table.desk.beam.mask = 1
    table.run(0.1)
    assert [press.name for press in table.chip.presses()] == ["undo"]
    assert [(s.number, s.is_closed) for s in table.chip.sensed()] == [(-1, True)]


def test_shutdown_counts_only_after_three_seconds(table):
    table.desk.buttons.mask = 0b1000
    table.run(2.5)
    table.desk.buttons.mask = 0
    table.run(1.0)
    assert table.chip.presses() == []
    table.desk.buttons.mask = 0b1000
    table.run(3.2)
    assert [press.name for press in table.chip.presses()] == ["shutdown"]


def test_a_host_that_is_new_learns_which_reeds_are_closed():
    table = Table()
    table.desk.cells.mask = 0b101
    table.run(0.5)
    assert {s.number for s in table.chip.sensed()} == {0, 2}


def test_frame_of_the_wrong_length_is_refused(table):
    with pytest.raises(ValueError, match="25 bytes for a strip of 24"):
        table.chip.show(bytes(25))


def fuzz(table: Table, faults: int) -> None:
    """Storms of noise with calm between; after each calm the chip shows what the host wants."""
    rng, wanted = table.rng, b""
    heard_s, hear = table.clock.now(), table.chip._hear

    def note(*message) -> None:
        nonlocal heard_s
        hear(*message)
        heard_s = table.clock.now()

    table.chip._hear = note
    while table.faults + table.cable.faults < faults:
        table.spoil(rng.choice((6, 12, 25, 60)))
        for _ in range(rng.randrange(20, 400)):
            wanted = rng.randbytes(24) if rng.random() < 0.3 else wanted or bytes(24)
            table.chip.show(wanted)
            if rng.random() < 0.05:
                table.desk.cells.mask ^= 1 << rng.randrange(64)
            table.clock.sleep(0.01)
            table.desk.run()
            table.felt = closed(table, table.felt)
            # either the host hears the chip, or it says within a second that it does not
            assert not table.chip._is_up() or table.clock.now() - heard_s <= 1.0
        table.spoil(0)
        table.run(1.7)
        assert table.chip.is_settled()
        assert table.shown == wanted
        table.felt = closed(table, table.felt)
        assert sum(1 << cell for cell in table.felt) == table.desk.cells.mask


@pytest.mark.slow
def test_noise_never_changes_what_is_meant():
    seed = 20261116
    print("seed", seed)
    table = Table(seed, ChipSettings(leds=8, budget_ma=5000, full=255))
    table.run(0.2)
    table.desk.node.guard.calm = lambda frame, full, ticks: None  # random pictures flash; judged elsewhere
    fuzz(table, 20_000)


@pytest.mark.slow
@pytest.mark.parametrize("faults", [40_000, pytest.param(1_000_000, marks=pytest.mark.long)])
def test_faults_end_equal_or_declared_down_with_memory_flat(faults):
    seed = 7
    print("seed", seed)
    table = Table(seed)
    table.run(0.2)
    table.desk.node.guard.calm = lambda frame, full, ticks: None
    fuzz(table, faults // 4)
    gc.collect()
    before = sys.getallocatedblocks()
    fuzz(table, faults)
    gc.collect()
    assert sys.getallocatedblocks() - before < 5_000


@pytest.mark.parametrize("order", [0b111111, 0b000011, 0b110000])
def test_a_colour_order_that_cannot_be_is_refused(table, order):
    table.chip.show(picture(1))
    table.run(0.2)
    settings = wire.pack(wire.CONFIG, 8, 3, order, 10, 1000, 1000, 6, bytes(4))
    with pytest.raises(ValueError, match="order"):
        table.desk.node._configure(1, settings, 0)
    table.chip.show(picture(2))
    table.run(0.2)
    assert table.shown == picture(2)
