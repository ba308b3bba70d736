"""Bad Bones: base, solo, advanced, cooperative, commanders (ledger BB)."""

from __future__ import annotations

from companion.engine.game import Game, random_bot
from companion.engine.options import Options
from companion.games.bad_bones.agenda import BadBones
from companion.games.bad_bones.art import picture
from companion.games.bad_bones.bots import careful
from companion.games.bad_bones.cues import CUES
from companion.games.bad_bones.layout import board, layout
from companion.games.bad_bones.lesson import LESSON
from companion.games.bad_bones.mind import MIND
from companion.games.bad_bones.modes import OPTIONS, conflict
from companion.games.bad_bones.owner import EDITION
from companion.games.bad_bones.page_text import PAGE_TEXTS
from companion.games.bad_bones.printed import DOCUMENT, FACTS, open_box
from companion.games.bad_bones.scene import explain, scene
from companion.games.bad_bones.text import TEXTS
from companion.games.bad_bones.view import CAMERA, disguise, on_table, view


def _seats(options: Options) -> tuple[str, ...]:
    return tuple(f"p{i + 1}" for i in range(int(options["players"])))


def _at_table(options: Options) -> frozenset[str]:
    """With the real bag the draws and the first buyer are decided at the table."""
    return frozenset({"draw", "first"}) if options["deck"] == "physical" else frozenset()


GAME = Game(
    key="bad_bones",
    ledger="BB",
    rules_version=2,
    replay_rule="",
    options=OPTIONS,
    seats=_seats,
    start=BadBones,
    view=view,
    on_table=on_table,
    board=board,
    layout=layout,
    scene=scene,
    view_places=frozenset({"hero", "path", "skeletons", "to", "towers", "traps", "triggered"}),
    explain=explain,
    texts=TEXTS,
    bots={"random": random_bot, "careful": careful},
    mind=MIND,
    lesson=LESSON,
    disguise=disguise,
    samples={
        "base": {"players": 2},
        "solo": {"players": 1, "advanced": True, "rounds": 4},
        "advanced": {"players": 4, "advanced": True},
        "coop": {"players": 3, "coop": True, "advanced": True, "commanders": True},
        "commanders": {"players": 3, "commanders": True, "advanced": True, "deck": "physical"},
        "switches": {
            "players": 3,
            "advanced": True,
            "commanders": True,
            "edition": "pegasus",
            "setup_distinct_symbols": False,
            "top_exit_allow_self": True,
            "treasure_overrides_traps": "facing_only",
            "dragon_scatter_entry": "full",
            "weapon_count_scope": "move",
            "flail_target": "no_trap",
            "commanders_in_setup": "redraw",
        },
    },
    at_table=_at_table,
    conflict=conflict,
    camera=lambda options: CAMERA,
    end_turn=("pass", "rest", "wait", "decline"),
    is_open=lambda options: bool(options["coop"]) or options["players"] == 1,
    printed={"printed": DOCUMENT},
    open_box=open_box,
    facts=FACTS,
    edition=EDITION,
    picture=picture,
    page_texts=PAGE_TEXTS,
    # While choices are covered, a player's own deeds are told to that player alone and hold nothing else.
    own_events=frozenset(key.removeprefix("event.") for key in TEXTS.table if key.startswith("event.")),
    cues=CUES,
    minutes=30,
    age=8,
    shelf=20,
    bars={"playouts": 2.0},
)
