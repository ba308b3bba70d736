"""Onirim: the base game for one and two players (ledger ON)."""

from __future__ import annotations

from companion.engine.game import Game, random_bot
from companion.engine.options import Option, Options, switch
from companion.games.onirim.agenda import Onirim
from companion.games.onirim.art import picture
from companion.games.onirim.bots import careful
from companion.games.onirim.cues import CUES
from companion.games.onirim.layout import board, layout
from companion.games.onirim.lesson import LESSON
from companion.games.onirim.mind import MIND
from companion.games.onirim.owner import EDITION
from companion.games.onirim.page_text import PAGE_TEXTS
from companion.games.onirim.pieces import FACTS, open_box
from companion.games.onirim.scene import explain, scene
from companion.games.onirim.text import TEXTS
from companion.games.onirim.view import disguise, view


def _seats(options: Options) -> tuple[str, ...]:
    return tuple(f"p{i + 1}" for i in range(int(options["players"])))


def _at_table(options: Options) -> frozenset[str]:
    """With cardboard every draw and shuffle happens at the table."""
    if options["deck"] == "digital":
        return frozenset()
    return frozenset({"shuffle", "draw", "draw-unseen", "look", "mill"})


GAME = Game(
    key="onirim",
    ledger="ON",
    rules_version=2,
    replay_rule="ON-INV-08",
    options=(
        Option("players", (1, 2), 1, "ON-2P-01"),
        Option("deck", ("digital", "physical"), "digital"),
        Option("openness", ("silent", "open"), "silent", "ON-VAR-04"),
        Option("hands", ("known", "unseen"), "known", "ON-2P-14"),
        switch("nightmare_door_any_player", False, "D-ON-12"),
        Option("coop_duplicate_door", ("allow", "limbo"), "allow", "D-ON-13"),
        Option("picks_first", ("p1", "p2"), "p1", "ON-BOOK-02", "who"),
        Option("begins", ("p1", "p2"), "p1", "ON-BOOK-02", "who"),
        Option("swap_order", ("before", "after"), "before", "ON-BOOK-03"),
    ),
    drawn_from_hidden=frozenset({"draw", "look", "mill"}),
    seats=_seats,
    start=Onirim,
    view=view,
    board=board,
    layout=layout,
    scene=scene,
    explain=explain,
    texts=TEXTS,
    bots={"random": random_bot, "careful": careful},
    mind=MIND,
    lesson=LESSON,
    disguise=disguise,
    samples={
        "solo": {"players": 1},
        "silent": {"players": 2, "picks_first": "p2"},
        "open": {
            "players": 2,
            "openness": "open",
            "nightmare_door_any_player": True,
            "begins": "p2",
            "swap_order": "after",
        },
        "unseen": {"players": 2, "deck": "physical", "hands": "unseen", "coop_duplicate_door": "limbo"},
    },
    at_table=_at_table,
    end_turn=("decline",),
    side=lambda options, seat: 0,
    is_open=lambda options: (
        options["players"] == 1 or options["openness"] == "open" or options["hands"] == "unseen"
    ),
    drawn_from=lambda state: "deck",
    open_box=open_box,
    facts=FACTS,
    edition=EDITION,
    picture=picture,
    page_texts=PAGE_TEXTS,
    cues=CUES,
    minutes=20,
    age=10,
    shelf=30,
    bars={"playouts": 4.0, "copy": 1.0},
)
