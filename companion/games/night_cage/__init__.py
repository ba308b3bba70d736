"""The Night Cage: base and advanced game, bosses, one to five players (ledger NC)."""

from __future__ import annotations

from companion.engine.game import Game, random_bot
from companion.games.night_cage.agenda import start
from companion.games.night_cage.bots import careful
from companion.games.night_cage.cues import CUES
from companion.games.night_cage.layout import board, layout
from companion.games.night_cage.lesson import LESSON
from companion.games.night_cage.mind import MIND
from companion.games.night_cage.options import OPTIONS, at_table, conflict, figures, seats
from companion.games.night_cage.owner import EDITION
from companion.games.night_cage.page_text import PAGE_TEXTS
from companion.games.night_cage.pieces import FACTS, open_box
from companion.games.night_cage.samples import SAMPLES
from companion.games.night_cage.scene import explain, scene
from companion.games.night_cage.text import TEXTS
from companion.games.night_cage.view import disguise, on_table, view

GAME = Game(
    key="night_cage",
    ledger="NC",
    rules_version=2,
    replay_rule="",
    options=OPTIONS,
    seats=seats,
    start=start,
    view=view,
    on_table=on_table,
    board=board,
    layout=layout,
    scene=scene,
    view_places=frozenset({"choices", "darkens", "lights", "paths", "wakes"}),
    explain=explain,
    texts=TEXTS,
    bots={"random": random_bot, "careful": careful},
    mind=MIND,
    lesson=LESSON,
    disguise=disguise,
    samples=SAMPLES,
    at_table=at_table,
    conflict=conflict,
    end_turn=("end", "rest"),
    is_open=lambda options: True,
    open_box=open_box,
    facts=FACTS,
    edition=EDITION,
    page_texts=PAGE_TEXTS,
    cues=CUES,
    figures=figures,
    minutes=60,
    age=14,
    shelf=10,
    bars={"playouts": 4.0},
)
