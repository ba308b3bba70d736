"""How the events of Onirim are played out in light and sound: its events name cards, not places."""

from __future__ import annotations

from companion.engine.cue import CueRule

CUES: dict[str, CueRule] = {
    "shuffled": CueRule(0.8, "card"),
    "dealt": CueRule(0.25, "card"),
    "picked": CueRule(0.5, "card"),
    "played": CueRule(0.6, "card"),
    "discarded": CueRule(0.5, "card"),
    "swapped": CueRule(0.6, "card"),
    "kept": CueRule(0.2),
    "declined": CueRule(0.2),
    "drew": CueRule(0.4, "card"),
    "drew-hidden": CueRule(0.4, "card"),
    "drew-shared": CueRule(0.4, "card"),
    "set-aside": CueRule(0.5, "hush"),
    "prophecy": CueRule(0.9, "hush"),
    "looked": CueRule(0.3, "card"),
    "looked-hidden": CueRule(0.3, "card"),
    "foresaw": CueRule(0.6, "card"),
    "door-drawn": CueRule(0.8, "door"),
    "opened": CueRule(0.9, "key"),
    "door-gained": CueRule(1.2, "door"),
    "nightmare": CueRule(1.4, "creature"),
    "paid-key": CueRule(0.7, "key"),
    "paid-door": CueRule(0.9, "lost"),
    "paid-deck": CueRule(0.6, "stone"),
    "paid-hand": CueRule(0.7, "stone"),
    "milled": CueRule(0.3, "card"),
    "no-door-left": CueRule(0.9, "lost"),
    "unwinnable": CueRule(1.0, "heart"),
    "conceded": CueRule(1.5, "lost"),
    "won": CueRule(2.0, "won"),
    "lost": CueRule(2.0, "lost"),
}
