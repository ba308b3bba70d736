"""Named set-ups of Whisper."""

from __future__ import annotations

from companion.games.whisper.readings import READINGS

SAMPLES: dict[str, dict[str, int | str | bool]] = {
    "duel": {},
    "butcher": {"killer": "butcher", "survivors": "sophia+marco+william", "deduction": True},
    "specter": {"killer": "specter", "players": 3, "plans": True, "confirm": True},
    "maniac": {
        "killer": "maniac",
        "players": 4,
        "skills": "deadly",
        "tell_hand": True,
    },
    "crossroads": {"crossroads": True, "players": 4, "skills": "normal", "plans": True, "private": True},
    "readings": {
        "skills": "hard",
        "plans": True,
        "level_trigger": "on_need",
        "exchange": "anytime",
        **{f"alt_{name}": True for name in READINGS},
    },
}
"""Between them every killer, every variant, every way of sharing the survivors and both readings."""
