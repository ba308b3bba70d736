"""How the events of The Night Cage are played out in light and sound."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.engine.cue import CLOSE, OUT, RUN, WHOLE, CueRule, Way, apart


def _every_path(data: Mapping[str, Any]) -> tuple[Way, ...]:
    """An attack runs from the monster in several directions at once."""
    return tuple((data["cell"], *path) for path in data["paths"]) or ((data["cell"],),)


CUES: dict[str, CueRule] = {
    "turn": CueRule(0.6, "turn"),
    "marker": CueRule(0.2, "card"),
    "started": CueRule(0.5, "tile", "lit"),
    "put": CueRule(0.6, "tile", "lit"),
    "replaced": CueRule(0.7, "tile", "path"),
    "removed": CueRule(0.5, "stone", "lit", OUT),
    "moved": CueRule(0.8, "step", "path", RUN),
    "scrambled": CueRule(0.7, "step", "path", RUN),
    "stayed": CueRule(0.4, "breath"),
    "rested": CueRule(0.5, "breath"),
    "idled": CueRule(0.3, "breath"),
    "blocked": CueRule(0.6, "lock"),
    "crumbled": CueRule(0.9, "stone", "lit", OUT),
    "vanished": CueRule(0.9, "stone", "lit", OUT),
    "swept": CueRule(1.0, "stone", "lit", OUT),
    "attacked": CueRule(1.4, "creature", "attack", RUN, _every_path, CLOSE),
    "fiend": CueRule(1.4, "creature", "attack", RUN, apart("cell", "cells"), CLOSE),
    "hit": CueRule(1.0, "wax", "attack", OUT),
    "drew": CueRule(0.4, "card"),
    "falling": CueRule(1.0, "rise"),
    "fell": CueRule(1.4, "fall", "pit", OUT, show=WHOLE, about="prisoner"),
    "landed": CueRule(0.8, "step", "lit"),
    "relit": CueRule(1.0, "light", "lit"),
    "sustained": CueRule(0.6, "light"),
    "flickers": CueRule(1.2, "heart"),
    "took-key": CueRule(1.0, "key", "progress", show=CLOSE),
    "gave-key": CueRule(0.8, "key"),
    "opened": CueRule(1.2, "door", "safe", show=CLOSE),
    "dirge": CueRule(1.2, "creature", "threat"),
    "dirge-left": CueRule(0.8, "breath", "threat", OUT),
    "dirge-settled": CueRule(0.8, "creature", "threat"),
    "omen-aside": CueRule(0.6, "hush"),
    "over": CueRule(2.0, "end"),
}
