"""Named set-ups of The Night Cage."""

from __future__ import annotations

from collections.abc import Mapping

from companion.engine.options import Value

SAMPLES: Mapping[str, Mapping[str, Value]] = {
    "solo": {"players": 1},
    "advanced": {"players": 3, "advanced": True, "fiends": 3, "silent": True},
    "bosses": {
        "players": 2,
        "order_of_two": "abba",
        "colour_1": "purple",
        "colour_3": "blue",
        "pathless": 3,
        "dirge": True,
        "deck": "physical",
        "cracked_tees": True,
    },
    "five": {"players": 5, "advanced": True, "pathless": 2, "dirge": True},
    "switched": {
        "players": 4,
        "advanced": True,
        "keys": -1,
        "gates": 3,
        "dirge": True,
        "dirge_outline": "measured",
        "concede_any_turn": False,
        "monster_blocks_ray": True,
        "landing_in_los_triggers": False,
        "any_fall_out_of_los_triggers": False,
        "flicker_first_removal": "same-turn",
        "flicker_unlit_keeper_removable": True,
        "scramble_triggers": False,
        "turn_continues_after_landing_on_monster": False,
        "relight_state_based": True,
    },
}
