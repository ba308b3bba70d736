"""Whisper (Terrorscape, «Шёпот за стеной»): one killer against three survivors (ledger WW)."""

from __future__ import annotations

from companion.engine.game import Game, random_bot
from companion.engine.mind import Mind
from companion.games.whisper.agenda import Whisper
from companion.games.whisper.bots import careful
from companion.games.whisper.cues import CUES
from companion.games.whisper.data import FACTS, open_box, read
from companion.games.whisper.disguise import disguise
from companion.games.whisper.layout import board, layout
from companion.games.whisper.lesson import LESSON
from companion.games.whisper.options import OPTIONS, at_table, conflict, seats, side
from companion.games.whisper.owner import EDITION
from companion.games.whisper.page_text import PAGE_TEXTS
from companion.games.whisper.paper import picture
from companion.games.whisper.samples import SAMPLES
from companion.games.whisper.scene import explain, scene
from companion.games.whisper.text import TEXTS
from companion.games.whisper.view import drawn_from, view

GAME = Game(
    key="whisper",
    ledger="WW",
    rules_version=2,
    replay_rule="",
    options=OPTIONS,
    seats=seats,
    start=Whisper,
    view=view,
    board=board,
    layout=layout,
    scene=scene,
    view_places=frozenset(
        {"at", "barricades", "noise", "noise_last", "pending", "places", "possible", "reach"}
    ),
    explain=explain,
    texts=TEXTS,
    bots={"random": random_bot, "careful": careful},
    mind=Mind(
        budget={"good": 4_000, "strong": 18_000},
        tells=("encounter-began", "wounded", "repelled", "died", "noise-reported", "found", "key-placed"),
    ),
    lesson=LESSON,
    disguise=disguise,
    samples=SAMPLES,
    at_table=at_table,
    conflict=conflict,
    camera=lambda options: 1,
    end_turn=("done", "decline"),
    by_hand=frozenset({"give", "swap", "play", "search"}),
    side=side,
    drawn_from_hidden=frozenset({"unpack"}),
    notes=frozenset({"note", "guess"}),
    own_events=frozenset({"woke", "rested", "moved", "gave", "swapped", "planned"}),
    drawn_from=drawn_from,
    secret_seats=frozenset({"killer"}),
    seats_apart=frozenset({"killer"}),
    printed={name: part for name, part in read().items() if name != "dice"},
    open_box=open_box,
    facts=FACTS,
    edition=EDITION,
    picture=picture,
    page_texts=PAGE_TEXTS,
    cues=CUES,
    minutes=60,
    age=14,
    shelf=40,
    bars={"playouts": 2.0, "copy": 0.8},
)
