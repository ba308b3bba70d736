"""Switches under the places: fused with the camera, followed while it is blind, named when faulty."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from companion.engine.layout import Piece
from companion.engine.observation import Observation, Reading
from companion.games import load
from companion.service.trust import Run, Trust, TrustGame, evenings
from companion.world.switches import Switches
from hardware.chip import Chip, ChipSettings
from hardware.fakes import DeskChip, FakeClock
from hardware.switches import ChainPins, GpioSensors

GAME = load("night_cage")
BOARD = GAME.board(GAME.resolve({}))
RED, CROSS = Piece("red"), Piece("cross")
COVERED = Run("night_cage", bot="careful", is_clear=True, has_switches=True, cover=3)
SEEDS = (742666, 20261118)
MORE = 10
"""Games of random seeds of each kind in a long run."""


def random_seeds(games: int = MORE) -> list[int]:
    seeds = [Random().randrange(10**6) for _ in range(games)]
    print(f"seeds {seeds}")
    return seeds


def switches(clock: FakeClock, *closed: int) -> Switches:
    made = Switches(BOARD, clock.now)
    for number in closed:
        made.feel(number, True, clock.now())
    clock.sleep(2.0)
    return made


# Fusion ---------------------------------------------------------------------------------------------


def weighed(pieces, guesses, *closed: int) -> Reading:
    sure = max(p for _, p in guesses)
    seen = Observation({3: Reading(pieces, sure, tuple(guesses))})
    return switches(FakeClock(), *closed).fused(seen).readings[3]


def test_a_switch_settles_what_the_camera_leaves_open():
    guesses = [((CROSS,), 0.5), ((CROSS, RED), 0.45)]
    assert weighed(None, guesses, 3).guesses[0][0] == (CROSS, RED)
    assert weighed(None, guesses).guesses[0][0] == (CROSS,)


def test_a_camera_that_is_sure_stays_likelier_than_a_switch_but_is_no_longer_sure():
    reading = weighed((CROSS,), [((CROSS,), 0.999)], 3)
    assert reading.pieces is None and 0.5 < reading.confidence < 0.99


def test_what_camera_and_switch_both_say_is_left_as_it_was_seen():
    seen = Reading((CROSS, RED), 0.98, (((CROSS, RED), 0.98),))
    assert weighed(seen.pieces, seen.guesses, 3) == seen


def test_a_switch_that_is_not_believed_changes_nothing():
    clock = FakeClock()
    felt = switches(clock, 3)
    felt.agree({}, 1)  # camera and rules say that nobody stands there
    seen = Observation({3: Reading((CROSS,), 0.9, (((CROSS,), 0.9),))})
    assert felt.fused(seen) is seen


# When to look ---------------------------------------------------------------------------------------


def test_a_lifted_pawn_holds_the_look_back_until_it_stands_again():
    clock = FakeClock()
    felt, layout = switches(clock, 3), {3: (CROSS, RED)}
    assert not felt.is_busy(layout)
    felt.feel(3, False, clock.now())
    clock.sleep(1.0)
    assert felt.is_busy(layout)
    felt.feel(4, True, clock.now())
    assert felt.is_busy(layout)  # it has only just been put down
    clock.sleep(1.0)
    assert not felt.is_busy(layout)


def test_a_pawn_that_stays_away_counts_as_taken_off_the_board():
    clock = FakeClock()
    felt = switches(clock, 3)
    felt.feel(3, False, clock.now())
    clock.sleep(5.0)
    assert not felt.is_busy({3: (CROSS, RED)})


def test_dice_that_have_just_left_the_tower_hold_the_look_back():
    clock = FakeClock()
    felt = switches(clock)
    felt.cross(True, clock.now())
    clock.sleep(0.2)
    felt.cross(False, clock.now())
    assert felt.is_busy({})
    clock.sleep(1.5)
    assert not felt.is_busy({})


def test_a_hand_in_the_beam_holds_the_look_back_but_a_dirty_beam_does_not_for_ever():
    clock = FakeClock()
    felt = switches(clock)
    felt.cross(True, clock.now())
    clock.sleep(4.0)
    assert felt.is_busy({})
    clock.sleep(6.0)
    assert not felt.is_busy({})


# Whole games ----------------------------------------------------------------------------------------


def check_followed(run: Run, seeds: Sequence[int]) -> None:
    total = Trust()
    for one in evenings(run, seeds):
        total.add(one)
    assert (total.wrong_commits, total.wrong_beliefs, total.missed) == (0, 0, 0)
    assert total.felt > 0 and total.read_later > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_pawns_are_followed_while_the_camera_is_covered_and_tiles_are_read_when_it_is_back(seed):
    check_followed(COVERED._replace(most=90), [seed])


@pytest.mark.long
@pytest.mark.parametrize("is_clear", [True, False])
def test_twenty_games_with_the_camera_covered_in_every_third_turn(is_clear):
    check_followed(COVERED._replace(is_clear=is_clear), random_seeds(20))


class FaultyGame(TrustGame):
    """A game in which a switch breaks once everybody stands on the board; notes when it is named."""

    BREAKS = 12

    def __init__(self, run: Run, seed: int, fault: str) -> None:
        super().__init__(run, seed)
        self.fault, self.place, self.other = fault, -1, -1
        self.touched = 0
        """Moves since then that the broken switch has a part in."""
        self.named_after: int | None = None

    def _move(self, session, loop):
        before = self.switches.occupied(self.world.layout())
        if self.place < 0 and len(before) > 1 and self.found.moves >= self.BREAKS:
            self.place, self.other = min(before), max(set(range(36)) - before)
            self.sensors.break_switch(self.place, self.fault, self.other)
        seat = super()._move(session, loop)
        if self.place >= 0 and self.named_after is None:
            self.touched += 1
            named = {fault.cell: fault.kind for fault in self.switches.faults()}
            if self.place in named:
                assert named[self.place] == self.fault
                assert not self.switches.is_believed(self.place)
                self.named_after = self.touched
        return seat


class ClosedForNobody(FaultyGame):
    """As above, with a switch on which nobody stands."""

    def _move(self, session, loop):
        if self.place < 0 and self.found.moves >= self.BREAKS:
            self.place = max(set(range(36)) - self.switches.occupied(self.world.layout()))
            self.sensors.break_switch(self.place, self.fault)
        return super()._move(session, loop)


FAULTS = {
    "stuck-open": FaultyGame,
    "bouncing": FaultyGame,
    "swapped": FaultyGame,
    "stuck-closed": ClosedForNobody,
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_switch_is_named_within_five_moves_and_believed_no_more(fault):
    check_named(fault, SEEDS[0])


@pytest.mark.long
@pytest.mark.parametrize("fault", FAULTS)
def test_faulty_switches_are_named_in_other_games_too(fault):
    for seed in random_seeds():
        check_named(fault, seed)


def check_named(fault: str, seed: int) -> None:
    # The camera is there for the first moves after the fault: what it never saw it cannot compare.
    game = FAULTS[fault](COVERED._replace(slips=0.0, most=60, cover=0), seed, fault)
    trust = game.play()
    assert game.named_after is not None and game.named_after <= 5, seed
    assert (trust.wrong_commits, trust.wrong_beliefs) == (0, 0), seed


# The same switches, by other wires --------------------------------------------------------------------


class Chain:
    """74HC165 chips in a chain on gpiozero's mocked pins: load takes the inputs, clock moves them on."""

    def __init__(self, factory, pins: ChainPins, inputs) -> None:
        self._inputs, self._held = inputs, []
        self._data = factory.pin(pins.data)
        self._load, self._clock = factory.pin(pins.load), factory.pin(pins.clock)
        self._load._set_state, was_load = self._on_load, self._load._set_state
        self._clock._set_state, was_clock = self._on_clock, self._clock._set_state
        self._was = was_load, was_clock

    def _on_load(self, value) -> None:
        self._was[0](value)
        if not value:
            self._held = list(self._inputs())
            self._show()

    def _on_clock(self, value) -> None:
        self._was[1](value)
        if value:
            self._held = [*self._held[1:], False]
            self._show()

    def _show(self) -> None:
        (self._data.drive_low if self._held and self._held[0] else self._data.drive_high)()


class WiredGame(TrustGame):
    """A game whose switches are read through other parts; `feel` closes what magnets stand on."""

    def magnets(self) -> list[bool]:
        closed = self.switches.occupied(self.world.layout())
        return [cell in closed for cell in range(len(self.world.board.places))]


class PinsGame(WiredGame):
    def __init__(self, run: Run, seed: int) -> None:
        from gpiozero.pins.mock import MockFactory

        super().__init__(run, seed)
        pins, factory = ChainPins(5, 6, 13), MockFactory()
        self.sensors = GpioSensors(len(self.world.board.places), pins, self.clock, factory)
        Chain(factory, pins, self.magnets)


class ChipGame(WiredGame):
    """Through the firmware as plain Python and the wire between."""

    def __init__(self, run: Run, seed: int) -> None:
        super().__init__(run, seed)
        self.desk = DeskChip(self.clock)
        self.sensors = Chip(self.desk.open, ChipSettings(leds=1), self.clock)

    def _step(self, loop):
        self.desk.cells.mask = sum(1 << i for i, is_closed in enumerate(self.magnets()) if is_closed)
        for _ in range(10):  # the line is read sixty times a second, not once in a look
            self.clock.sleep(0.016)
            for number, is_closed, time_s in self.sensors.sensed():
                self.switches.feel(number, is_closed, time_s)
        return super()._step(loop)


WIRES = pytest.mark.parametrize("kind", [PinsGame, ChipGame])


def check_wired(kind: type[WiredGame], seed: int) -> None:
    trust = kind(COVERED._replace(most=60, slips=0.05), seed).play()
    assert (trust.wrong_commits, trust.wrong_beliefs, trust.missed) == (0, 0, 0), seed
    assert trust.felt > 0, seed


@pytest.mark.slow
@WIRES
def test_a_game_is_followed_through_pins_and_through_the_chip(kind):
    check_wired(kind, SEEDS[0])


@pytest.mark.long
@WIRES
def test_other_games_are_followed_through_pins_and_through_the_chip_too(kind):
    for seed in random_seeds():
        check_wired(kind, seed)
