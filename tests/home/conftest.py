from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mosquitto_broker import Listener, Mosquitto

from companion.service.home_commands import HomeCommands
from companion.service.mqtt import MqttBridge, MqttState
from companion.settings.config import MqttSettings
from companion.table.journal import Journal
from companion.table.people import People
from companion.table.table import Table

sys.path.append(str(Path(__file__).parents[1] / "systemd"))


class House:
    """A broker, tables that tell it about themselves, and listeners; all leave when the test ends."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._made: list[Any] = []

    def mosquitto(self, name: str = "broker", **settings: Any) -> Mosquitto:
        broker = Mosquitto(self.folder / name, **settings)
        self._made.append(broker.kill)
        return broker

    def listener(self, broker: Mosquitto, **settings: Any) -> Listener:
        listener = Listener(broker.port, **settings)
        self._made.append(listener.close)
        return listener

    def table(self) -> Table:
        table = Table(Journal(":memory:"), People())
        self._made.append(table.journal.close)
        return table

    def settings(self, broker: Mosquitto | int, **settings: Any) -> MqttSettings:
        port = broker if isinstance(broker, int) else broker.port
        return MqttSettings(enabled=True, host="127.0.0.1", port=port, **settings)

    def memory(self, name: str = "mqtt") -> MqttState:
        return MqttState(self.folder / f"{name}.json")

    def herald(
        self,
        table: Table,
        broker: Mosquitto | int,
        *,
        memory: str = "mqtt",
        language: str = "en",
        commands: HomeCommands | None = None,
        **settings: Any,
    ) -> MqttBridge:
        """A table that tells; one with another name of its memory is another table."""
        allowed = self.settings(broker, commands=commands is not None, **settings)
        herald = MqttBridge(table, allowed, self.memory(memory), language, commands)
        herald.start()
        self._made.append(herald.stop)
        return herald

    def leave(self, herald: MqttBridge) -> None:
        """Lets a table say goodbye before the test ends."""
        self._made.remove(herald.stop)
        herald.stop()

    def close(self) -> None:
        for leave in reversed(self._made):
            leave()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    yield house
    house.close()


@pytest.fixture
def mosquitto(house: House) -> Mosquitto:
    return house.mosquitto()


@pytest.fixture
def listener(house: House, mosquitto: Mosquitto) -> Listener:
    return house.listener(mosquitto)


@pytest.fixture
def until() -> Callable[[Callable[[], object]], None]:
    """Waits until it is so, looking often."""
    from time import monotonic, sleep

    def wait(is_so: Callable[[], object]) -> None:
        deadline = monotonic() + 60
        while not is_so():
            assert monotonic() < deadline, "it never happened"
            sleep(0.02)

    return wait
