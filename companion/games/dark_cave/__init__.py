"""Saboteur: The Dark Cave, for two to eight players (ledger DC)."""

from __future__ import annotations

from companion.engine.game import Game, random_bot
from companion.engine.options import Option, Options, switch
from companion.engine.state import Refusal, no
from companion.games.dark_cave import pieces
from companion.games.dark_cave.agenda import DarkCave
from companion.games.dark_cave.bots import careful
from companion.games.dark_cave.cards import FACTS, SOURCE, open_box
from companion.games.dark_cave.cues import CUES
from companion.games.dark_cave.disguise import disguise
from companion.games.dark_cave.layout import board, layout
from companion.games.dark_cave.lesson import LESSON
from companion.games.dark_cave.mind import MIND
from companion.games.dark_cave.owner import EDITION
from companion.games.dark_cave.page_text import PAGE_TEXTS
from companion.games.dark_cave.paper import picture
from companion.games.dark_cave.scene import explain, scene
from companion.games.dark_cave.text import TEXTS
from companion.games.dark_cave.view import drawn_from, on_table, view


def _seats(options: Options) -> tuple[str, ...]:
    return tuple(f"p{i + 1}" for i in range(int(options["players"])))


def _at_table(options: Options) -> frozenset[str]:
    """What real cards decide: hands and goals, clan cards, or both."""
    verbs: set[str] = set()
    if options["deck"] == "physical":
        verbs |= {"draw", "lose", "reveal"}
    if options["clans"] == "physical":
        verbs |= {"side", "clan", "open", "announce"}
    return frozenset(verbs)


def _conflict(options: Options) -> Refusal | None:
    if int(options["first"]) > int(options["players"]):
        return no("first-not-playing", "DC-SETUP-25")
    return None


GAME = Game(
    key="dark_cave",
    ledger="DC",
    rules_version=2,
    replay_rule="",
    options=(
        Option("players", tuple(range(pieces.MIN_PLAYERS, pieces.MAX_PLAYERS + 1)), 4, "DC-SETUP-01"),
        Option("deck", ("digital", "physical"), "digital"),
        Option("clans", ("digital", "physical"), "digital"),
        Option("clan", ("random", *pieces.CLANS), "random", "DC-SETUP-09"),
        Option("first", tuple(range(pieces.MAX_PLAYERS + 1)), 0, "DC-SETUP-25"),
        Option("entrance", pieces.SIDES, "front", "DC-BOOK-06"),
        switch("allow_half_turn", True, "D-DC-06"),
        switch("ladder_counts_for_placement", True, "D-DC-07"),
        Option("ladder_from", ("card", "section"), "card", "DC-BOOK-02"),
        switch("axe_same_turn", False, "D-DC-17"),
        switch("attack_on_placement", True, "D-DC-20"),
        switch("creature_before_exit", True, "DC-BOOK-05"),
        switch("finish_turn_on_last_card", False, "DC-BOOK-01"),
        switch("early_end", True, "D-DC-30"),
    ),
    seats=_seats,
    start=DarkCave,
    view=view,
    on_table=on_table,
    board=board,
    layout=layout,
    scene=scene,
    view_seats=frozenset({"clan_seen", "fresh_axe", "holder", "seen_by"}),
    explain=explain,
    texts=TEXTS,
    bots={"random": random_bot, "careful": careful},
    mind=MIND,
    lesson=LESSON,
    disguise=disguise,
    samples={
        "two": {"players": 2},
        "five": {"players": 5},
        "eight": {"players": 8},
        "three-strict": {
            "players": 3,
            "clan": "blue",
            "first": 2,
            "allow_half_turn": False,
            "ladder_counts_for_placement": False,
            "axe_same_turn": True,
            "attack_on_placement": False,
            "entrance": "back",
            "ladder_from": "section",
            "creature_before_exit": False,
            "finish_turn_on_last_card": True,
            "early_end": False,
        },
        "four-cardboard": {"players": 4, "deck": "physical", "clans": "physical"},
        "six-mixed": {"players": 6, "clans": "physical"},
    },
    at_table=_at_table,
    conflict=_conflict,
    end_turn=("pass", "decline"),
    is_open=lambda options: options["deck"] == options["clans"] == "physical",
    # Beyond the table area nothing of these is seen.
    by_hand=frozenset({"lay", "rockfall", "web", "call"}),
    drawn_from=drawn_from,
    printed={"cards": SOURCE},
    open_box=open_box,
    facts=FACTS,
    edition=EDITION,
    picture=picture,
    page_texts=PAGE_TEXTS,
    cues=CUES,
    minutes=45,
    age=10,
    shelf=50,
    bars={"playouts": 4.0, "copy": 0.8},
)
