"""Home Assistant itself: its PyPI release in a Debian 13 of its own, with all that we ship for it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any

import pytest
import yaml
from debian_root import DebianRoot
from mosquitto_broker import Mosquitto, free_port, play_on

from companion.engine.action import PUBLIC
from companion.games import load
from companion.service import home_facts
from companion.service.home_commands import COMMANDS, HomeCommands
from companion.service.mqtt import clear_retained
from companion.settings.config import MqttSettings

pytestmark = [pytest.mark.long, pytest.mark.root, pytest.mark.debian("mosquitto")]

PACKAGES = ("homeassistant==2026.2.3", "paho-mqtt==2.1.0")
DRIVER = Path(__file__).with_name("home_assistant_driver.py")
SHIPPED = Path(home_facts.__file__).parent / "home_assistant"
SOON_S = 60.0


class Hass:
    """Home Assistant's core, spoken to line by line."""

    def __init__(self, process: subprocess.Popen[str], said: Path) -> None:
        self._process, self._said = process, said
        assert self._line() == "ready"

    def ask(self, *what: Any) -> Any:
        assert self._process.stdin is not None
        print(json.dumps(what), file=self._process.stdin, flush=True)
        return self._line()

    def _line(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, self._said.read_text()[-3000:]
        return json.loads(line)

    def wait(self, **wanted: str) -> dict[str, str]:
        """The states once those named by the ends of their ids are so."""
        end = monotonic() + SOON_S
        while True:
            states: dict[str, tuple[str, Any]] = self.ask("states")
            found = {
                entity.partition("gloam_")[2].partition("_")[2]: one[0] for entity, one in states.items()
            }
            if all(found.get(key) == state for key, state in wanted.items()):
                return found
            assert monotonic() < end, (wanted, found)
            sleep(0.1)

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(60)


@pytest.fixture(scope="module")
def debian(tmp_path_factory: pytest.TempPathFactory) -> DebianRoot:
    root = DebianRoot.clean(tmp_path_factory.mktemp("hass"), "trixie")
    root.said("python3", "-m", "venv", "/hass")
    done = root.run("/hass/bin/pip", "install", "--quiet", *PACKAGES, timeout_s=3000)
    assert done.returncode == 0, done.stderr[-2000:]
    return root


@pytest.fixture
def hass(debian: DebianRoot, mosquitto: Mosquitto, house: Any, tmp_path: Path) -> Iterator[Hass]:
    memory = house.memory()
    memory.keep(None)
    table_id = memory.table_id.replace("-", "_")
    for name in ("automations.yaml", "room_follows_table.yaml"):
        text = (SHIPPED / name).read_text("utf-8").replace("gloam_1_", f"{table_id}_")
        if name == "automations.yaml":
            room = {"room": f"sensor.{table_id}_room", "lamps": {"entity_id": "light.lamp"}, "fade": 0}
            use = {"path": "gloam/room_follows_table.yaml", "input": room}
            text += yaml.safe_dump([{"alias": "Room", "use_blueprint": use}])
            debian.put(f"config/{name}", text)
        else:
            debian.put(f"config/blueprints/automation/gloam/{name}", text)
    debian.copy(DRIVER, "driver.py")
    command = ("/hass/bin/python", "/driver.py", "/config", str(mosquitto.port), str(free_port()))
    hass = Hass(debian.start(*command, stderr=tmp_path / "hass.log"), tmp_path / "hass.log")
    yield hass
    hass.close()


class Bulbs:
    """Lights as a house may turn them."""

    def __init__(self) -> None:
        self.level, self.slept = 1.0, False

    def dim(self, level: float) -> None:
        self.level = level

    def sleep(self) -> None:
        self.slept = True

    def wake(self) -> None:
        self.slept = False

    def sleeps_at(self, version: int) -> bool:
        return self.slept


def test_home_assistant_shows_the_table_asks_it_and_forgets_it(
    hass: Hass, house: Any, mosquitto: Any
) -> None:
    """Entities, ids and states in both languages, unknown, events, automations, commands, vanishing."""
    table, bulbs = house.table(), Bulbs()
    commands = HomeCommands(table, bulbs)
    english = house.herald(table, mosquitto, name="Long table", commands=commands)
    states = hass.wait(playing="off", mood="idle", game="unknown", turn_key="unknown", light_level="100")
    assert {*home_facts.SENSORS, *COMMANDS, "playing", "event"} <= states.keys()
    ids, devices = hass.ask("ids")
    assert devices == ["Long table"]
    table_id = house.memory().table_id
    ours = {one["default_entity_id"]: one["unique_id"] for one in shown(english.topics, commands=True)}
    assert ids == ours and all(one.startswith(table_id) for one in ids.values())

    # A game from its start to its end; the automations that we ship follow it.
    session = table.start("night_cage", {}, seed=5)
    states = hass.wait(
        playing="on", game=load("night_cage").texts.say("game.title", "en"), game_key="night_cage"
    )
    assert (
        states["turn_key"]
        == home_facts.facts(session.game, session.options, session.update(PUBLIC).view)["key"]["turn"]
    )
    rng = Random(5)
    while session.state().needs():
        play_on(session, rng, 5)
    result = session.update(PUBLIC).view["outcome"]["code"]
    hass.wait(playing="off", result_key=result)
    calls = hass.ask("calls")
    done = {f"{domain}.{service}" for domain, service, _ in calls}
    assert {"light.turn_on", "input_boolean.turn_on", "input_boolean.turn_off"} <= done
    colours = {
        tuple(data["rgb_color"]) for domain, _, data in calls if domain == "light" and "rgb_color" in data
    }
    assert colours & {rgb for rgb, _ in home_facts.ROOM.values()}

    # What the house asks.
    number, switch = f"number.{table_id}_light_level", f"switch.{table_id}_pause"
    number, switch = number.replace("-", "_"), switch.replace("-", "_")
    before = session.lines()
    hass.ask("call", "number", "set_value", {"entity_id": number, "value": 35})
    hass.wait(light_level="35")
    hass.ask("call", "switch", "turn_on", {"entity_id": switch})
    hass.wait(pause="on")
    button = switch.replace("switch", "button").replace("pause", "next_game")
    hass.ask("call", "button", "press", {"entity_id": button})
    assert (bulbs.level, bulbs.slept, session.lines()) == (0.35, True, before)

    # Another language changes words, and no key or id.
    house.leave(english)
    hass.wait(playing="unavailable")
    russian = house.herald(table, mosquitto, name="Long table", language="ru", commands=commands)
    states = hass.wait(game=load("night_cage").texts.say("game.title", "ru"), game_key="night_cage")
    assert (states["result_key"], hass.ask("ids")[0]) == (result, ids)

    # The switch off: what could be asked vanishes; then everything does.
    house.leave(russian)
    plain = house.herald(table, mosquitto, name="Long table", language="ru")
    hass.wait(playing="off")
    assert not {*COMMANDS} & hass.wait(game_key="night_cage").keys()
    house.leave(plain)
    assert clear_retained(house.memory(), MqttSettings()) == ""
    end = monotonic() + SOON_S
    while hass.ask("ids")[0]:
        assert monotonic() < end
        sleep(0.1)


def shown(where: home_facts.Topics, *, commands: bool) -> list[Any]:
    told = home_facts.discovery("T", where, commands=commands)["components"]
    return [one for one in told.values() if set(one) != {"platform"}]
