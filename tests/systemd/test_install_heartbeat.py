"""The watchdog looks from inside: it hears of a dead or stuck thread, and not of a crowd at the door."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from companion.service import rig_service
from companion.service.rig_service import RigService
from companion.settings.config import Config
from companion.table.journal import Journal
from companion.table.people import People
from companion.table.table import Table
from hardware.wiring import SCHEMA


@pytest.fixture
def desk(tmp_path: Path):
    journal = Journal(tmp_path / "games.db")
    config = Config({name: kind() for name, kind in SCHEMA.items()}, tmp_path / "gloam.toml", "safe")
    desk = RigService(Table(journal, People()), config, tmp_path)
    yield desk
    desk.close()
    journal.close()


def test_threads_that_come_round_are_alive(desk: RigService) -> None:
    assert not desk.is_turning(), "not begun"
    desk.start()
    assert desk.is_turning()


def test_a_thread_that_ended_is_heard_of(desk: RigService) -> None:
    desk.start()
    desk._threads.append(threading.Thread())
    assert not desk.is_turning()
    desk._threads.pop()


def test_a_thread_that_is_stuck_is_heard_of(desk: RigService, monkeypatch: pytest.MonkeyPatch) -> None:
    stuck, begun = threading.Event(), threading.Event()

    def hang() -> None:
        begun.set()
        stuck.wait(20)

    monkeypatch.setattr(desk.buttons, "run_once", hang)
    desk.start()
    assert begun.wait(10)
    real = rig_service.monotonic
    monkeypatch.setattr(rig_service, "monotonic", lambda: real() + rig_service.STUCK_S)
    assert not desk.is_turning()
    stuck.set()
