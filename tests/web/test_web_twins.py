"""Twins over every channel: nothing that gets out differs by a byte, and a planted leak is found.

The suite compares a few late positions of each game that has secrets; `gloam test --long` compares 500.
"""

from __future__ import annotations

import logging
import os
from binascii import crc32
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import flask
import pytest
from web_twins import CHANNELS, SECRET_SAMPLES, compare

from companion.engine.scene import Scene
from companion.engine.state import Refusal
from companion.service import doctor, mqtt, rig_service
from companion.service.lamps import Lamps
from companion.service.projector_page import ProjectorPage
from companion.table.session import Session, Update
from companion.table.table import Table
from web import errors, frames, named, shelf

care, game, virtual = (import_module(f"web.routes.{name}") for name in ("care", "game", "virtual"))

SEED = 7
FIRST_SEED = int(os.environ.get("GLOAM_SEED", "20"))
LONG_SEEDS = range(FIRST_SEED, FIRST_SEED + 10)
NOT_ASKED = {"bad_bones": {"camera", "virtual"}}
"""Its boards lie open: the camera sees as nobody at the table."""


def check(folder: Path, key: str, positions: int, seed: int) -> None:
    """Compares late positions of a game and prints what was compared."""
    done = compare(folder, key, positions, seed)
    print(
        f"{key}: seed {seed}, {done.positions} positions, twins {dict(done.twins)}, {done.hidden} differ; "
        f"in the other seats {dict(done.around)}"
    )
    print(f"compared by channel: {dict(done.heard)}; differences: {len(done.found)}")
    assert done.found == []
    assert done.hidden * 2 >= done.positions, "too little was hidden to prove anything"
    assert set(done.heard) == set(CHANNELS) - NOT_ASKED.get(key, set())


@pytest.mark.slow
@pytest.mark.parametrize("key", SECRET_SAMPLES)
def test_no_channel_tells_twins_apart(key: str, tmp_path: Path) -> None:
    check(tmp_path, key, 9, SEED)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("key", SECRET_SAMPLES)
def test_no_channel_tells_twins_apart_in_500_late_positions(key: str, tmp_path: Path) -> None:
    for seed in LONG_SEEDS:
        folder = tmp_path / str(seed)
        folder.mkdir()
        check(folder, key, 50, seed)


# Planted leaks -----------------------------------------------------------------------------------

Plant = Callable[[pytest.MonkeyPatch], None]


def secret(session: Session) -> str:
    """A number that follows from everything hidden: the whole position and the length of the journal."""
    views = [session.game.view(session._state, viewer) for viewer in session.viewers]
    return f"{crc32(repr((views, session._written)).encode()) % 1000:03}"


def plant_views(patch: pytest.MonkeyPatch) -> None:
    true = frames.frame
    patch.setattr(frames, "frame", lambda *given: {**true(*given), "leak": secret(given[1])})


def plant_undo(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Session, "_may_take_back", lambda session, viewer, keep: int(secret(session)) % 2 == 0)


def plant_preview(patch: pytest.MonkeyPatch) -> None:
    true = Session.preview

    def leaky(session: Session, *given: Any) -> Any:
        seen = true(session, *given)
        return seen and ({**seen[0], "leak": secret(session)}, seen[1])

    patch.setattr(Session, "preview", leaky)


def plant_counts(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(shelf, "saved", lambda table, language: [one.lines for one in table.journal.games()])


def plant_versions(patch: pytest.MonkeyPatch) -> None:
    true = Session.update

    def update(self: Session, viewer: int) -> Update:
        return true(self, viewer)._replace(version=self._written)

    patch.setattr(Session, "update", update)


def plant_refusals(patch: pytest.MonkeyPatch) -> None:
    true = frames.Teller.reason

    def reason(self: Any, family: str, about: Any) -> Any:
        told = true(self, family, about)
        return {**told, "cells": [int(secret(self.session))]} if isinstance(about, Refusal) else told

    patch.setattr(frames.Teller, "reason", reason)


def plant_sizes(patch: pytest.MonkeyPatch) -> None:
    true, length = frames.frame, [0]

    def frame(table: Table, session: Session, viewer: int, language: str) -> Any:
        length[0] = int(secret(session)) % 7
        return true(table, session, viewer, language)

    def jsonify(*given: Any) -> Any:
        answer = flask.jsonify(*given)
        answer.headers["X-Padding"] = "x" * length[0]
        return answer

    patch.setattr(frames, "frame", frame)
    patch.setattr(game, "jsonify", jsonify)


def plant_steps(patch: pytest.MonkeyPatch) -> None:
    true = Session.actions

    def actions(self: Session, seat: int) -> list[str]:
        for _ in range(int(secret(self)) % 7):
            self.refusal(seat, true(self, seat)[0]) if true(self, seat) else self.lines()
        return true(self, seat)

    patch.setattr(Session, "actions", actions)


def plant_lights(patch: pytest.MonkeyPatch) -> None:
    true = Lamps.frame

    def frame(self: Lamps) -> None:
        true(self)
        lights = self._rig.parts.lights
        dim = bytes(max(0, level - int(secret(self._rig.session)) % 5) for level in lights.frame)
        lights.frame, lights.scene = dim, Scene(mood=secret(self._rig.session))

    patch.setattr(Lamps, "frame", frame)


def plant_broker(patch: pytest.MonkeyPatch) -> None:
    true = mqtt.MqttBridge._tell

    def tell(self: mqtt.MqttBridge, session: Session) -> bool:
        self.settings = replace(self.settings, name=secret(session))
        return true(self, session)

    patch.setattr(mqtt.MqttBridge, "_tell", tell)


def plant_logs(patch: pytest.MonkeyPatch) -> None:
    true = Session.actions

    def actions(self: Session, seat: int) -> list[str]:
        logging.getLogger("companion").debug("%s may act", secret(self))
        return true(self, seat)

    patch.setattr(Session, "actions", actions)


def plant_reports(patch: pytest.MonkeyPatch) -> None:
    true = care.health_card

    def card(table: Table, *given: Any) -> Any:
        return [*true(table, *given), {"part": "lines", "text": len(table.journal.read(1))}]

    patch.setattr(care, "health_card", card)


def plant_bundle(patch: pytest.MonkeyPatch) -> None:
    def lines(patient: doctor.Patient) -> Any:
        with doctor.closing(doctor.Journal(patient.journal)) as journal:
            yield doctor.GOOD, f"{len(journal.read(1))} lines"

    patch.setitem(doctor.CHECKS, "saves", lines)


def plant_camera(patch: pytest.MonkeyPatch) -> None:
    true = rig_service.RigService.picture

    def picture(self: rig_service.RigService, overlay: bool = True) -> bytes:
        return (true(self, overlay) or b"") + secret(self.table.playing()).encode()

    patch.setattr(rig_service.RigService, "picture", picture)


def plant_virtual(patch: pytest.MonkeyPatch) -> None:
    true = virtual._facts
    patch.setattr(virtual, "_facts", lambda rig: {**true(rig), "leak": secret(rig.session)})


def plant_errors(patch: pytest.MonkeyPatch) -> None:
    true = errors.error_answer

    def answer(web: Any, status: int, code: str, **more: Any) -> Any:
        session = web.table.session
        return true(web, status, code, **more, detail=secret(session) if session is not None else "")

    patch.setattr(errors, "error_answer", answer)


def plant_programs(patch: pytest.MonkeyPatch) -> None:
    true = named.position_json
    patch.setattr(named, "position_json", lambda *given: {**true(*given), "leak": secret(given[1])})


def plant_cues(patch: pytest.MonkeyPatch) -> None:
    true = Session._cues

    def cues(self: Session, viewer: int, events: Any) -> Any:
        sound = "hush" if int(secret(self)) % 2 else "step"
        return tuple(one._replace(cue=one.cue._replace(sound=sound)) for one in true(self, viewer, events))

    patch.setattr(Session, "_cues", cues)


def plant_lit_cues(patch: pytest.MonkeyPatch) -> None:
    true = Session._cues

    def cues(self: Session, viewer: int, events: Any) -> Any:
        way = ((int(secret(self)) % 20,),)
        return tuple(
            one._replace(cue=one.cue._replace(ways=way, light="path")) for one in true(self, viewer, events)
        )

    patch.setattr(Session, "_cues", cues)


def plant_speech(patch: pytest.MonkeyPatch) -> None:
    true = frames.Teller.event

    def event(self: Any, about: Any) -> Any:
        told = true(self, about)
        return {**told, "text": f"{told['text']} {secret(self.session)}"}

    patch.setattr(frames.Teller, "event", event)


def plant_projector(patch: pytest.MonkeyPatch) -> None:
    true = ProjectorPage.picture

    def picture(self: ProjectorPage, drawn: int) -> Any:
        rig = self._rig()
        return true(self, drawn)._replace(number=0 if rig is None else int(secret(rig.session)))

    patch.setattr(ProjectorPage, "picture", picture)


PLANTS: dict[str, tuple[str, Plant]] = {
    "views": ("views", plant_views),
    "undo": ("undo", plant_undo),
    "preview": ("preview", plant_preview),
    "counts": ("counts", plant_counts),
    "versions": ("versions", plant_versions),
    "refusals": ("refusals", plant_refusals),
    "sizes": ("sizes", plant_sizes),
    "steps": ("steps", plant_steps),
    "lights": ("lights", plant_lights),
    "broker": ("broker", plant_broker),
    "logs": ("logs", plant_logs),
    "reports": ("reports", plant_reports),
    "doctor's bundle": ("reports", plant_bundle),
    "camera": ("camera", plant_camera),
    "virtual": ("virtual", plant_virtual),
    "errors": ("errors", plant_errors),
    "programs": ("programs", plant_programs),
    "speech": ("speech", plant_speech),
    "projector": ("projector", plant_projector),
    "cues": ("cues", plant_cues),
    "lit cues": ("lit cues", plant_lit_cues),
}
"""A leak for every channel."""
ELSEWHERE = {"projector": "dark_cave"}
"""Where Whisper has not the channel: its projector is dark, for the public may not see the board."""


def test_every_channel_has_a_planted_leak() -> None:
    assert {channel for channel, _ in PLANTS.values()} == set(CHANNELS)


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANTS)
def test_a_leak_in_a_channel_is_found(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    channel, plant = PLANTS[name]
    plant(monkeypatch)
    done = compare(tmp_path, ELSEWHERE.get(name, "whisper"), 4, SEED, until=channel)
    assert channel in {one for one, _ in done.found}
