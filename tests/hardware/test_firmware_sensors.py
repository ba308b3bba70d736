"""The chip's sensors as plain Python, on pins that behave like the parts behind them."""

from __future__ import annotations

import pytest

from hardware.fakes import firmware

(sensors,) = firmware("sensors")


class Pin:
    """A pin that is asked and told."""

    def __init__(self, ask=lambda: 1, tell=lambda level: None) -> None:
        self._ask, self._tell = ask, tell

    def value(self, level=None):
        if level is None:
            return self._ask()
        return self._tell(level)


class Reeds:
    """A matrix of switches with diodes: a column is low while a row with a closed switch in it is."""

    def __init__(self, rows: int, columns: int) -> None:
        self.closed: set[tuple[int, int]] = set()
        self._low: set[int] = set()
        self.rows = [Pin(tell=lambda level, r=r: self._drive(r, level)) for r in range(rows)]
        self.columns = [Pin(lambda c=c: self._sense(c)) for c in range(columns)]

    def _drive(self, row: int, level: int) -> None:
        (self._low.discard if level else self._low.add)(row)

    def _sense(self, column: int) -> int:
        return 0 if any((row, column) in self.closed for row in self._low) else 1


class Chain:
    """74HC165 chips in a chain: load takes the inputs, each rising clock moves them on."""

    def __init__(self, count: int) -> None:
        self.inputs = [1] * count
        self._held = list(self.inputs)
        self._clock = 0
        self.load = Pin(tell=lambda level: level == 0 and self._take())
        self.clock = Pin(tell=self._tick)
        self.data = Pin(lambda: self._held[0])

    def _take(self) -> None:
        self._held = list(self.inputs)

    def _tick(self, level: int) -> None:
        if level and not self._clock:
            self._held = [*self._held[1:], 1]
        self._clock = level


def test_switches_on_pins_close_to_ground():
    levels = [1, 0, 1, 0]
    reader = sensors.Pins(128, [Pin(lambda i=i: levels[i]) for i in range(4)])
    assert (reader.first, reader.count, reader.read()) == (128, 4, 0b1010)


@pytest.mark.parametrize("closed", [[], [(0, 0)], [(6, 6)], [(0, 1), (1, 0), (1, 1), (3, 5)]])
def test_a_matrix_reads_every_closed_reed_and_no_other(closed):
    reeds = Reeds(7, 7)
    reeds.closed = set(closed)
    reader = sensors.Matrix(0, reeds.rows, reeds.columns)
    assert reader.count == 49
    assert reader.read() == sum(1 << (7 * row + column) for row, column in closed)
    assert not reeds._low  # every row is let go again


@pytest.mark.parametrize("closed", [[], [0], [48], [3, 17, 30]])
def test_a_chain_of_shift_registers_reads_every_closed_switch(closed):
    chain = Chain(56)
    for i in closed:
        chain.inputs[i] = 0
    reader = sensors.Shift(0, 49, chain.load, chain.clock, chain.data)
    assert reader.read() == sum(1 << i for i in closed)
    assert reader.read() == sum(1 << i for i in closed)


def test_a_die_that_crosses_the_beam_for_a_moment_is_caught():
    now = [1000]
    beam = sensors.Beam(160, lambda: now[0])
    told = sensors.Sensors([beam])
    assert told.scan(now[0]) == []
    beam.caught(None)  # the interrupt; the pin is high again long before anybody looks
    events = []
    for now[0] in range(1000, 1400, 5):
        events += told.scan(now[0])
    assert events == [(160, 1), (160, 0)]


def test_a_handful_of_dice_is_one_roll():
    now = [0]
    beam = sensors.Beam(160, lambda: now[0])
    told = sensors.Sensors([beam])
    events = []
    for now[0] in range(0, 900, 5):
        if now[0] in (50, 90, 180, 300):
            beam.caught(None)
        events += told.scan(now[0])
    assert events == [(160, 1), (160, 0)]


@pytest.mark.parametrize(("bounce_ms", "told"), [(8, []), (30, [(0, 1)])])
def test_only_what_lasts_is_told(bounce_ms, told):
    level = [1]
    reader = sensors.Sensors([sensors.Pins(0, [Pin(lambda: level[0])])])
    events = []
    for now in range(0, bounce_ms, 2):
        level[0] = 0
        events += reader.scan(now)
    level[0] = 1
    events += reader.scan(bounce_ms)
    assert events == told
