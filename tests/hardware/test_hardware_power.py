"""Low voltage of the Pi: the lights get less, say so, and do not swing."""

from __future__ import annotations

import pytest

from companion.engine.scene import Glow, Scene
from hardware.fakes import FakeClock, VirtualStrip
from hardware.ledmap import cells
from hardware.lights import Lights
from hardware.power import HOLD_S, Supply
from hardware.render import LightStyle, current_ma
from hardware.showcase import BOARD

WHITE = Scene(tuple(Glow(cell, "turn", "white") for cell in range(36)))
LED_MAP = cells(BOARD, supply_ma=2000)


@pytest.fixture
def alarm(tmp_path):
    """What the Pi's firmware says about its voltage, behind another sensor that is not meant."""
    for number, name in ((0, "cpu_thermal"), (1, "rpi_volt")):
        folder = tmp_path / f"hwmon{number}"
        folder.mkdir()
        (folder / "name").write_text(f"{name}\n")
        (folder / "in0_lcrit_alarm").write_text("1\n" if name == "cpu_thermal" else "0\n")
    return tmp_path / "hwmon1" / "in0_lcrit_alarm"


def table(clock, supply):
    lights = Lights(VirtualStrip(36, "GRB", clock), LED_MAP, LightStyle(brightness=1.0), clock, supply=supply)
    lights.show(WHITE)
    return lights


def drawn(lights, clock, wait_s=3.0):
    clock.sleep(wait_s)
    lights.step()
    return current_ma(lights.frame, LED_MAP)


def test_low_voltage_lowers_the_current_and_says_so(alarm):
    clock = FakeClock()
    lights = table(clock, Supply(500, clock, alarm.parents[1]))
    before = drawn(lights, clock)
    alarm.write_text("1\n")
    assert before > 1000 and drawn(lights, clock) <= 500
    assert lights.status.words.startswith("The Pi's voltage is low: the lights get 0.5 A.")


def test_the_light_comes_back_after_a_minute_of_good_voltage_and_not_before(alarm):
    clock = FakeClock()
    lights = table(clock, Supply(500, clock, alarm.parents[1]))
    alarm.write_text("1\n")
    drawn(lights, clock)
    alarm.write_text("0\n")
    assert drawn(lights, clock, HOLD_S - 1) <= 500
    breath = [drawn(lights, clock, 0.5) for _ in range(12)]
    assert max(breath) > 1000
    assert "voltage" not in lights.status.words


def test_where_no_alarm_can_be_read_nothing_is_held_back(tmp_path):
    clock = FakeClock()
    lights = table(clock, Supply(500, clock, tmp_path))
    assert max(drawn(lights, clock, 0.5) for _ in range(12)) > 1000


def test_even_nothing_leaves_what_dark_leds_draw(alarm):
    supply = Supply(0, FakeClock(), alarm.parents[1])
    (limit,) = supply.held(LED_MAP).supplies_ma
    assert LED_MAP.idle_ma(0) < limit <= LED_MAP.idle_ma(0) + 2
