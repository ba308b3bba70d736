"""How the events of Bad Bones are played out in light and sound."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.engine.cue import CLOSE, OUT, RUN, WHOLE, CueRule, Way, along


def _every_walk(data: Mapping[str, Any]) -> tuple[Way, ...]:
    """A march moves many skeletons at once, each by a way of its own."""
    return tuple((begin, end) for _, begin, end, _ in data["walks"])


CUES: dict[str, CueRule] = {
    "round-began": CueRule(0.8, "turn"),
    "began": CueRule(0.3, "turn"),
    "stepped": CueRule(0.7, "step", "path", RUN),
    "waited": CueRule(0.3, "breath"),
    "posted": CueRule(0.4, "step", "path"),
    "passed": CueRule(0.3, "breath"),
    "laid": CueRule(0.6, "lock", "place"),
    "lifted": CueRule(0.5, "tile", "remove"),
    "stolen": CueRule(0.8, "coin", "remove"),
    "worn": CueRule(0.5, "tile", "low"),
    "destroyed": CueRule(0.8, "stone", "wrong", OUT),
    "cratered": CueRule(1.0, "blast", "pit"),
    "exploded": CueRule(1.2, "blast", "attack"),
    "sabotaged": CueRule(0.9, "stone", "wrong"),
    "hearse-left": CueRule(0.6, "bone", "remove"),
    "drew": CueRule(0.4, "bone"),
    "entered": CueRule(0.8, "bone", "threat"),
    "necromancer": CueRule(1.2, "creature", show=WHOLE, about="skeleton"),
    "marched": CueRule(1.4, "bone", "threat", RUN, _every_walk, CLOSE),
    "walked": CueRule(0.8, "bone", "threat", RUN),
    "pursued": CueRule(0.8, "rise"),
    "turned": CueRule(0.5, "bone", "threat"),
    "lured": CueRule(0.8, "bone", "path", RUN),
    "flung": CueRule(0.8, "bone", "path", RUN, along("cell", "to_cell")),
    "teleported": CueRule(0.8, "hush", "path", RUN),
    "sent": CueRule(0.7, "bone"),
    "held": CueRule(0.5, "lock", "choose"),
    "frozen": CueRule(0.8, "light", "safe"),
    "banished": CueRule(0.8, "hush", "safe"),
    "slain": CueRule(0.8, "blade", "attack"),
    "felled": CueRule(0.8, "blade", "attack"),
    "weapon-used": CueRule(0.7, "blade"),
    "tower-hit": CueRule(1.0, "stone", "attack", show=CLOSE),
    "tower-repaired": CueRule(0.7, "tile", "safe"),
    "house-burnt": CueRule(1.0, "blast", "attack", show=CLOSE),
    "house-repaired": CueRule(0.7, "tile"),
    "peacemaker-left": CueRule(0.5, "breath"),
    "bought": CueRule(0.6, "coin"),
    "market-closed": CueRule(0.4, "door"),
    "marker-turned": CueRule(0.4, "card"),
    "hero-lost": CueRule(1.4, "lost", "lost", OUT),
    "fell": CueRule(1.4, "lost", "lost"),
    "emperor-won": CueRule(2.0, "lost"),
    "ended": CueRule(2.0, "end"),
}
