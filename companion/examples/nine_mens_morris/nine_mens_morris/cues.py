"""How the events are played out in light and sound."""

from __future__ import annotations

from companion.engine.cue import OUT, RUN, CueRule, along

CUES: dict[str, CueRule] = {
    "placed": CueRule(0.5, "tile", "place"),
    "moved": CueRule(0.8, "step", "path", RUN, along("cell", "to_cell")),
    "closed": CueRule(1.0, "lock", "safe"),
    "removed": CueRule(0.8, "blade", "attack", OUT),
    "ended": CueRule(2.0, "end"),
}
