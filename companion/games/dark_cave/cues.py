"""How the events of The Dark Cave are played out in light and sound."""

from __future__ import annotations

from companion.engine.cue import CLOSE, OUT, RUN, WHOLE, CueRule, apart

CUES: dict[str, CueRule] = {
    # set-up
    "clan-chosen": CueRule(0.4, "card"),
    "clan-dealt": CueRule(0.3, "card"),
    "clan-own": CueRule(0.4, "hush"),
    "dwarf-taken": CueRule(0.3, "tile"),
    "goal-laid": CueRule(0.4, "card", "lit"),
    "first": CueRule(0.5, "turn"),
    "got": CueRule(0.3, "card"),
    "new-hand": CueRule(0.3, "card"),
    # a turn
    "turn": CueRule(0.6, "turn"),
    "drew": CueRule(0.4, "card"),
    "picked": CueRule(0.4, "card"),
    "passed": CueRule(0.4, "card"),
    "missed": CueRule(0.3, "card"),
    "skipped": CueRule(0.4, "breath"),
    "played": CueRule(0.6, "card"),
    "laid": CueRule(0.7, "stone", "lit"),
    "stepped": CueRule(0.6, "step", "path", RUN),
    "stood-up": CueRule(0.5, "breath"),
    "left": CueRule(0.9, "door", "safe"),
    "goal-shown": CueRule(1.0, "door", "lit", show=CLOSE),
    "looked-at-goal": CueRule(0.7, "hush", "choose"),
    "looked-at-clan": CueRule(0.7, "hush"),
    "saw-goal": CueRule(0.6, "hush", "choose"),
    "saw-clan": CueRule(0.6, "hush"),
    "saw-aside": CueRule(0.6, "hush"),
    "clan-opened": CueRule(0.9, "card", show=WHOLE, about="card"),
    "swapped": CueRule(0.7, "card"),
    "axe-given": CueRule(0.6, "tile"),
    "boots-given": CueRule(0.6, "tile"),
    "card-lost": CueRule(0.5, "stone"),
    # gold
    "vein-found": CueRule(0.9, "coin", "progress", show=CLOSE),
    "vein-buried": CueRule(0.8, "stone", "progress", OUT),
    "gold-taken": CueRule(0.8, "coin", "progress"),
    "gold-left": CueRule(0.6, "coin", "low"),
    "gold-drowned": CueRule(0.8, "stone"),
    "nugget-lost": CueRule(0.8, "coin"),
    "treasure": CueRule(0.8, "coin"),
    # what lives there
    "fell": CueRule(1.1, "stone", "attack", OUT),
    "web-spun": CueRule(0.7, "hush", "threat"),
    "web-turned": CueRule(0.5, "hush", "threat"),
    "web-removed": CueRule(0.6, "blade", "threat", OUT),
    "cut": CueRule(0.6, "blade", "safe"),
    "called": CueRule(1.4, "creature", "threat", show=WHOLE, about="creature"),
    "roused": CueRule(1.0, "creature", "threat"),
    "crawled": CueRule(0.7, "creature", "threat", RUN),
    "creature-left": CueRule(0.6, "breath", "threat", OUT),
    "attacked": CueRule(1.4, "creature", "attack", RUN, apart("cell", "cells"), WHOLE, "creature"),
    "struck": CueRule(0.9, "blade", "safe"),
    # the end
    "end-proposed": CueRule(0.6, "turn"),
    "end-agreed": CueRule(0.4, "card"),
    "end-declined": CueRule(0.4, "card"),
    "side-out": CueRule(1.0, "door"),
    "ended": CueRule(2.0, "end"),
}
