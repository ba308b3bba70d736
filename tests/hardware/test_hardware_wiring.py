"""The choice of parts: by configuration, never by guess."""

from __future__ import annotations

import sys

import pytest

from companion.engine.errors import ConfigError, DeviceError
from companion.engine.layout import Board, square_places
from companion.engine.scene import Glow, Scene
from hardware import ledmap
from hardware.chip import Chip
from hardware.fakes import FakeClock, VirtualStrip
from hardware.wiring import build, led_map_for, load, settings_from

BOARD = Board("test", 420, 420, tuple(square_places(map(str, range(36)), 6, 70)), (), ())


def parts(**sections):
    return build(settings_from(sections), BOARD, FakeClock())


def test_without_a_configuration_everything_is_virtual():
    table = parts()
    table.lights.show(Scene((Glow(3, "lit"),)))
    table.lights.step()
    assert isinstance(table.lights.strip, VirtualStrip)
    assert table.lights.strip.frames[-1][1] == table.lights.frame
    assert any(table.lights.frame)


def test_lights_of_the_chip_bring_its_buttons_and_sensors():
    chip = {"driver": "chip", "port": "/dev/no-such-port"}
    table = parts(lights=chip, buttons={"driver": "chip"}, sensors={"driver": "chip"})
    assert isinstance(table.buttons, Chip)
    assert table.buttons is table.sensors
    assert "/dev/no-such-port cannot be opened" in table.lights.status.words


@pytest.mark.parametrize(
    ("sections", "words"),
    [
        ({"lights": {"drivr": "spi"}}, r"\[lights\] drivr is unknown; did you mean 'driver'"),
        ({"lights": {"driver": "sip"}}, r"driver = 'sip' is none of virtual, chip, neopixel, spi, ddp"),
        ({"lights": {"supply_ma": "2 A"}}, r"supply_ma = '2 A' should be of the kind int"),
        ({"lights": {"brightness": 3}}, r"brightness = 3 is not between 0.01 and 1.0"),
        ({"lights": {"driver": "ddp", "order": "RGB"}}, r"host = '' names nothing for strip 0"),
        ({"lights": {"driver": "spi"}}, r"sudo apt install python3-spidev"),
        ({"lights": {"driver": "neopixel"}}, r"pip install 'gloam\[pi\]' rpi_ws281x"),
        ({"lights": {"map": "no/such/map.json"}}, r"LED map no/such/map.json"),
        ({"lights": {"supply_ma": 50, "across": 2}}, r"supply 0 gives 50 mA, but its LEDs draw 144 mA"),
        ({"buttons": {"driver": "chip"}}, r"\[buttons\] driver = \"chip\" needs the same in \[lights\]"),
        ({"lights": 5}, r"\[lights\] is a section, not 5"),
    ],
)
def test_what_cannot_be_used_is_named_with_its_remedy(sections, words, monkeypatch):
    for module in ("spidev", "neopixel", "board"):
        monkeypatch.setitem(sys.modules, module, None)  # as on a machine without them
    with pytest.raises(ConfigError, match=words):
        parts(**sections)


@pytest.mark.parametrize(("order", "sent"), [("GRB", "RGB"), ("RGB", "RGB"), ("GRBW", "RGBW")])
def test_wled_is_sent_the_colours_in_its_own_order_whatever_the_strips_is(order, sent):
    lights = settings_from({"lights": {"driver": "ddp", "host": "127.0.0.1", "order": order}}).lights
    assert {strip.order for strip in led_map_for(lights, BOARD).strips} == {sent}


def test_an_unknown_host_is_a_device_error():
    with pytest.raises(DeviceError, match=r"WLED at 'no.such.host.invalid' cannot be found"):
        parts(lights={"driver": "ddp", "order": "RGB", "host": "no.such.host.invalid"})


def test_a_file_is_read_and_its_errors_name_it(tmp_path):
    path = tmp_path / "table.toml"
    path.write_text('[lights]\nmap = "around"\n[web]\nport = 80\n')
    assert load(path).lights.map == "around"
    path.write_text("[lights\n")
    with pytest.raises(ConfigError, match=r"table.toml: .*line 1"):
        load(path)


def test_several_strips_share_one_scene(tmp_path):
    path = tmp_path / "leds.json"
    both = ledmap.joined(ledmap.cells(BOARD), ledmap.around(BOARD))
    ledmap.save(both, path)
    table = parts(lights={"map": str(path)})
    table.lights.show(Scene((Glow(0, "won"),)))
    table.lights.step()
    first, second = table.lights.strip._strips
    assert first.frames[-1][1] + second.frames[-1][1] == table.lights.frame
    assert any(first.frames[-1][1]) and any(second.frames[-1][1])


def test_a_map_that_was_found_fits_every_set_of_places_in_its_frame(tmp_path):
    fewer = Board("test", 420, 420, BOARD.places[:20], (), ())
    ledmap.save(ledmap.cells(fewer), tmp_path / f"leds-{BOARD.key}.json")
    lights = settings_from({"lights": {"map": str(tmp_path / "leds-{board}.json")}}).lights
    assert led_map_for(lights, fewer).leds == ledmap.cells(fewer).leds
    other = Board("test", 420, 420, BOARD.places[10:], (), ())
    lit = {cell for led in led_map_for(lights, other).leds[10:] for cell, _ in led.cells}
    assert lit >= set(range(10))


def test_a_board_that_was_not_mapped_yet_is_named_with_its_remedy(tmp_path):
    with pytest.raises(
        ConfigError, match=r"leds-test-420x420.json: this board was not mapped yet; .*workshop"
    ):
        parts(lights={"map": str(tmp_path / "leds-{board}.json")})


def test_a_chip_can_be_told_to_animate_by_itself():
    table = parts(lights={"driver": "chip", "port": "/dev/no-such-port", "chip_animates": True})
    table.lights.show(Scene((Glow(0, "lit"),)))
    table.lights.step()
    assert table.lights.strip._scene is not None


def test_closing_leaves_the_strip_dark():
    table = parts()
    table.lights.show(Scene((Glow(0, "won"),)))
    table.lights.step()
    table.close()
    assert not any(table.lights.strip.frames[-1][1])
