"""Buttons and knob: real gpiozero devices on its mock pins."""

from __future__ import annotations

import sys

import pytest
from gpiozero.pins.mock import MockFactory

from companion.engine.errors import ConfigError
from hardware.buttons import GpioButtons
from hardware.fakes import FakeClock, VirtualButtons, VirtualSensors
from hardware.ports import Press, Sensed

PINS = {"end-turn": 17, "undo": 27, "next": 22, "shutdown": 3}


class Panel:
    def __init__(self) -> None:
        self.clock = FakeClock()
        self.factory = MockFactory()
        self.buttons = GpioButtons(PINS, self.clock, (5, 6), self.factory)

    def press(self, name: str, seconds: float) -> None:
        self.factory.pin(PINS[name]).drive_low()
        self.clock.sleep(seconds)

    def release(self, name: str) -> None:
        self.factory.pin(PINS[name]).drive_high()

    def names(self) -> list[str]:
        return [press.name for press in self.buttons.presses()]


@pytest.fixture
def panel():
    panel = Panel()
    yield panel
    panel.buttons.close()
    panel.factory.reset()


@pytest.mark.parametrize("name", ["end-turn", "undo", "next"])
def test_a_press_is_told_once(panel, name):
    panel.press(name, 0.05)
    assert panel.names() == [name]
    panel.clock.sleep(1)
    assert panel.names() == []


def test_a_bouncing_contact_is_one_press(panel):
    for _ in range(6):
        panel.press("undo", 0.003)
        panel.release("undo")
        panel.clock.sleep(0.002)
    panel.press("undo", 0.05)
    assert panel.names() == ["undo"]


def test_a_spike_is_no_press(panel):
    panel.press("undo", 0.004)
    panel.release("undo")
    panel.clock.sleep(1)
    assert panel.names() == []


def test_a_press_between_two_looks_is_not_lost(panel):
    panel.press("next", 0.08)
    panel.release("next")
    panel.clock.sleep(0.5)
    assert panel.names() == ["next"]


def test_shutdown_must_be_held_for_three_seconds(panel):
    panel.press("shutdown", 0.03)
    assert panel.names() == []
    panel.clock.sleep(2.9)
    assert panel.names() == []
    panel.clock.sleep(0.2)
    assert panel.names() == ["shutdown"]
    panel.clock.sleep(5)
    assert panel.names() == []


def test_letting_go_early_does_not_shut_down(panel):
    panel.press("shutdown", 0.03)
    panel.names()
    panel.clock.sleep(2)
    panel.release("shutdown")
    panel.clock.sleep(0.03)
    panel.names()
    panel.clock.sleep(5)
    assert panel.names() == []


def test_the_knob_turns_both_ways(panel):
    a, b = panel.factory.pin(5), panel.factory.pin(6)
    for step in (a.drive_low, b.drive_low, a.drive_high, b.drive_high):
        step()
    right = panel.names()
    for step in (b.drive_low, a.drive_low, b.drive_high, a.drive_high):
        step()
    assert [right, panel.names()] == [["right"], ["left"]]


def test_an_unknown_button_is_named():
    with pytest.raises(ConfigError, match="jump is no button; known: end-turn"):
        GpioButtons({"jump": 4}, FakeClock(), factory=MockFactory())


def test_without_pins_the_remedy_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "lgpio", None)  # as on a machine without it
    with pytest.raises(ConfigError, match="sudo apt install python3-lgpio"):
        GpioButtons({"undo": 4}, FakeClock())


def test_virtual_buttons_and_sensors_tell_what_they_are_told():
    clock = FakeClock(7.0)
    buttons, sensors = VirtualButtons(clock), VirtualSensors(clock)
    buttons.press("undo")
    sensors.magnets = lambda: {12}
    assert buttons.presses() == [Press("undo", 7.0)]
    assert sensors.sensed() == [Sensed(12, True, 7.0)]
    with pytest.raises(ValueError, match="'jump' is no button"):
        buttons.press("jump")
