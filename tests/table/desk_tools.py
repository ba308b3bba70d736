"""A table with its physical side, on a clock that the test moves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

from companion.engine.action import TABLE
from companion.engine.chance import weighted
from companion.engine.game import turn_for
from companion.service.rig_service import RigService
from companion.settings.config import CameraSettings, Config
from companion.table.journal import Journal
from companion.table.people import People
from companion.table.table import Table
from hardware.fakes import FakeClock
from hardware.ports import Clock
from hardware.wiring import SCHEMA, LightSettings

FRAME_S = 0.3
"""Between two looks, as the fake clock has it."""


def settings(camera: str = "virtual", **lights: object) -> Config:
    """The usual settings with another camera or other lights."""
    sections = {name: kind() for name, kind in SCHEMA.items()}
    sections["camera"] = CameraSettings(source=camera)
    sections["lights"] = replace(LightSettings(), **lights)
    return Config(sections)


class Recording:
    """A table in a folder that may be opened again, as after a power cut."""

    def __init__(
        self, folder: Path, config: Config | None = None, seed: int = 1, clock: Clock | None = None
    ) -> None:
        self.clock = clock or FakeClock()
        self.table = Table(Journal(folder / "games.db"), People(), self.clock.now)
        self.desk = RigService(self.table, config or settings(), folder, self.clock)
        self.rng = Random(seed)

    def start(self, key: str, **options: object) -> Recording:
        self.table.start(key, options, seed=self.rng.randrange(1000))
        self.desk.follow()
        return self

    def resume(self) -> Recording:
        self.table.resume_last()
        self.desk.follow()
        return self

    @property
    def session(self):
        return self.table.session

    @property
    def sitting(self):
        return self.desk.sitting

    @property
    def world(self):
        return self.desk.sitting.world

    def look(self, *codes: str, most: int = 60) -> str:
        """Looks until the eyes say one of these words, or often enough; returns the last word."""
        for _ in range(most):
            self.clock.sleep(FRAME_S)
            self.desk.step()
            self.desk.lamps.step()
            if self.table.word.code in codes:
                break
        return self.table.word.code

    def decision(self, bot: str = "random"):
        """What a bot, or chance, does next: seat and action; None when the game is over."""
        state = self.session.state()
        needs = state.needs()
        if not needs:
            return None
        if needs[0].seat == TABLE:
            return TABLE, weighted(state.outcomes(), self.rng)
        return needs[0].seat, self.session.game.bots[bot](
            turn_for(self.session.game, state, needs[0].seat, self.rng)
        )

    def tap(self, bot: str = "random") -> bool:
        """Enters what a bot decides; False when the game is over."""
        decided = self.decision(bot)
        if decided is None:
            return False
        self.session.submit(decided[0], self.session.state().notation.text(decided[1]))
        return True

    def close(self) -> None:
        self.desk.close()
        if self.session is not None:
            self.session.close()
        self.table.journal.close()
