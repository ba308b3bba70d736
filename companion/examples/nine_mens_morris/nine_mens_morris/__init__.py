"""Nine Men's Morris, for two players (ledger NM).

`GAME` is everything that Gloam knows about the game. Read on in `pieces`, `rules`, `view`, `layout`, `scene`.
"""

from __future__ import annotations

from companion.engine.game import Game, random_bot
from companion.engine.options import Option, switch
from nine_mens_morris.bots import careful
from nine_mens_morris.cues import CUES
from nine_mens_morris.layout import board, layout
from nine_mens_morris.pieces import LINES, SIDES
from nine_mens_morris.rules import Morris
from nine_mens_morris.scene import explain, scene
from nine_mens_morris.text import PAGE_TEXTS, TEXTS
from nine_mens_morris.view import disguise, view

GAME = Game(
    key="nine_mens_morris",
    ledger="NM",
    rules_version=1,
    replay_rule="",
    options=(
        switch("flying", True, "NM-FLY-02"),
        Option("draws", ("both", "repetition", "fifty"), "both", "NM-DRAW-03"),
    ),
    seats=lambda options: SIDES,
    start=Morris,
    view=view,
    board=board,
    layout=layout,
    scene=scene,
    explain=explain,
    texts=TEXTS,
    cues=CUES,
    bots={"random": random_bot, "careful": careful},
    disguise=disguise,
    samples={
        "usual": {},
        "on-foot": {"flying": False, "draws": "fifty"},
        "until-repeated": {"draws": "repetition"},
    },
    is_open=lambda options: True,
    printed={"board": {"lines": LINES}},
    page_texts=PAGE_TEXTS,
)
