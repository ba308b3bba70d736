"""The worked scenarios of the ledger, with exactly its outcomes."""

from __future__ import annotations

from collections import Counter

import pytest
from bad_bones_boards import (
    GAME,
    bagged,
    begin,
    buried,
    do,
    legal,
    march,
    open_march,
    standing,
    supply,
    table,
    tiles,
    uncover,
    why,
)

from companion.engine.action import TABLE
from companion.engine.layout import Piece
from companion.games.bad_bones.agenda import BadBones
from companion.games.bad_bones.draw import enter
from companion.games.bad_bones.layout import placement_refusal
from companion.games.bad_bones.printed import KIND_NAMES
from companion.games.bad_bones.score import points

rule = pytest.mark.rule


def next_traps(state: BadBones) -> BadBones:
    """Goes straight to phase II of the next round: no draws, heroes stay."""
    state.round += 1
    return begin(state, "traps")


def case(
    name, skeletons, stand="", left="", sent=None, choices=(), tower=None, homes=None, rules=(), **setup
):
    """A march: who stands where afterwards, which tiles are left, who was sent where; the rest is bagged."""
    marks = [rule(one) for one in (name[: len("BB-SC-00")], *rules)]
    return pytest.param(
        skeletons, setup, choices, stand, left, sent or {}, tower, homes, id=name, marks=marks
    )


MARCHES = [
    case("BB-SC-03", "BL@22R", "BL@32D/b", rules=["BB-ARROW-01", "BB-ARROW-03", "BB-MOVE-05"]),
    case(
        "BB-SC-04",
        "YL@14R",
        "YL@23U/b",
        "wall/@24*",
        traps="wall/@24",
        rules=["BB-WALL-01", "BB-ARROW-02", "BB-ARROW-04", "BB-WALL-08", "BB-MOVE-11"],
    ),
    case(
        "BB-SC-05",
        "GL@41L BL@41L YL@41L PL@41L",
        "GL@31D/b BL@31D/b YL@31D/b PL@31D/b",
        rules=["BB-MOVE-08", "BB-MOVE-09"],
    ),
    case(
        "BB-SC-06",
        "GL@14L BL@52R YL@21U",
        sent={1: ["GL"], 3: ["BL"], 2: ["YL"]},
        choices=["send p3"],
        players=4,
        rules=["BB-FOREST-01", "BB-FOREST-02", "BB-FOREST-03", "BB-SETUP-13"],
    ),
    case("BB-SC-07", "GL@14L BL@52R YL@21U", sent={1: ["BL", "GL", "YL"]}, rules=["BB-FOREST-06"]),
    case(
        "BB-SC-09",
        "GL@15D BL@55D",
        hero="33",
        houses=3,
        homes=1,
        rules=["BB-VILLAGE-01", "BB-VILLAGE-02", "BB-VILLAGE-03"],
    ),
    case(
        "BB-SC-11",
        "GL@23R BL@32D",
        hero="33",
        floors=3,
        tower=1,
        rules=["BB-HERO-12", "BB-TOWER-01", "BB-TOWER-02", "BB-TOWER-04", "BB-TOWER-05"],
    ),
    case(
        "BB-SC-12",
        "GL@52L",
        "",
        "catapult@42",
        hero="42",
        traps="catapult@42",
        rules=["BB-HERO-09", "BB-HERO-10"],
    ),
    case(
        "BB-SC-13",
        "GL@12R BL@21D",
        "",
        "treasure@22",
        hero="22",
        traps="treasure@22",
        rules=["BB-HERO-11", "BB-TREASURE-14"],
    ),
    case(
        "BB-SC-15",
        "GL@54L BL@34R",
        "BL@43U/b GL@45D/b",
        "wall/@44*",
        traps="wall/@44",
        rules=["BB-WALL-02", "BB-WALL-04", "BB-TRAP-14", "BB-TRAP-15", "BB-WALL-05"],
    ),
    case(
        "BB-SC-16",
        "GL@54L BL@34R",
        "BL@43U/b GL@45D/b",
        "",
        traps="wall/@44*",
        rules=["BB-TRAP-17", "BB-TRAP-18"],
    ),
    case(
        "BB-SC-17",
        "BL@12R",
        "BL@11L/b",
        "wall\\@21* wall/@22*",
        traps="wall/@22 wall\\@21",
        rules=["BB-WALL-07"],
    ),
    case(
        "BB-SC-18",
        "GL@L1",
        "",
        "wall/@11*",
        sent={2: ["GL"]},
        choices=["send p3"],
        players=3,
        traps="wall/@11",
        rules=["BB-FOREST-10", "BB-WALL-06"],
    ),
    case("BB-SC-19", "GL@22R", "", "wall\\@32*", tower=3, traps="wall\\@32", rules=["BB-WALL-06"]),
    case("BB-SC-20", "GL@32R", "", "wall/@42*", hero="41", traps="wall/@42", rules=["BB-WALL-06"]),
    case(
        "BB-SC-21",
        "GL@12R BL@21D YL@23U",
        "",
        "catapult@22*",
        sent={3: ["BL", "GL", "YL"]},
        players=4,
        choices=["send p4"],
        traps="catapult@22",
        rules=["BB-CATAPULT-01", "BB-CATAPULT-02", "BB-CATAPULT-05"],
    ),
    case(
        "BB-SC-23",
        "BL@22R",
        "BL@32U/b",
        "treasure@31",
        traps="treasure@31",
        rules=["BB-TREASURE-04", "BB-TREASURE-05", "BB-ARROW-07", "BB-TREASURE-12"],
    ),
    case(
        "BB-SC-24",
        "GL@31R",
        "GL@41D/b",
        "wall/@41 treasure@42",
        traps="treasure@42 wall/@41",
        rules=["BB-TREASURE-06", "BB-WALL-03"],
    ),
    case(
        "BB-SC-25", "GL@21R", "GL@31R/b", "", traps="treasure@31", rules=["BB-TREASURE-07", "BB-TREASURE-08"]
    ),
    case(
        "BB-SC-26",
        "GL@23R",
        "",
        "treasure@34",
        tower=3,
        traps="treasure@34",
        rules=["BB-TOWER-08", "BB-MOVE-10"],
    ),
    case(
        "BB-SC-27",
        "GL@45U BL@54L YL@34R",
        "GL@54R/b BL@54R/b YL@45D/b",
        "dragon@44*",
        traps="dragon@44",
        choices=["scatter down", "scatter right", "scatter right"],
        rules=["BB-DRAGON-01", "BB-DRAGON-02", "BB-DRAGON-03", "BB-DRAGON-07", "BB-DRAGON-08"],
    ),
    case(
        "BB-SC-30",
        "GL@42R",
        "",
        "dragon@52*",
        sent={2: ["GL"]},
        players=3,
        traps="dragon@52",
        choices=["scatter right"],
        rules=["BB-DRAGON-04"],
    ),
    case(
        "BB-SC-38",
        "RL@13R",
        "RL@13R/b",
        "palisade@23*",
        hero="23",
        traps="palisade@23",
        rules=["BB-PALISADE-01", "BB-PALISADE-02", "BB-PALISADE-03", "BB-MOVE-13"],
    ),
    case("BB-SC-39", "GL@L1", "GL@L1R/b", "", traps="palisade@11*", rules=["BB-PALISADE-04"]),
    case(
        "BB-SC-40",
        "BL@12R",
        "BL@12R/b",
        "palisade@21* wall/@22*",
        traps="wall/@22 palisade@21",
        rules=["BB-PALISADE-05"],
    ),
    case(
        "BB-SC-46",
        "BL@12R",
        "BL@L2R/b",
        "portal@22*",
        traps="portal@22",
        rules=["BB-PORTAL-01", "BB-PORTAL-02", "BB-PORTAL-04", "BB-PORTAL-05"],
    ),
    case("BB-SC-47", "GT@22R", "GT@T5D/b", "portal@32*", traps="portal@32", rules=["BB-PORTAL-03"]),
    case(
        "BB-SC-48",
        "GL@11R",
        "GL@41R/b",
        "spring@21*",
        traps="spring@21",
        rules=["BB-SPRING-01", "BB-SPRING-04", "BB-SPRING-08", "BB-ARROW-06"],
    ),
    case("BB-SC-49", "BL@L2", "BL@32D/b", "spring@12*", traps="spring@12", rules=["BB-SPRING-03"]),
    case(
        "BB-SC-50",
        "BL@12R",
        "",
        "spring@22* palisade@42*",
        traps="spring@22 palisade@42",
        rules=["BB-SPRING-06", "BB-PALISADE-07"],
    ),
    case(
        "BB-SC-51-over",
        "RL@13R",
        "RL@43R/b",
        "spring@23*",
        tower=4,
        traps="spring@23",
        rules=["BB-SPRING-02"],
    ),
    case("BB-SC-51-into", "RL@L3", "", "spring@13*", tower=3, traps="spring@13", rules=["BB-SPRING-07"]),
    case(
        "BB-SC-52-right",
        "GL@34R",
        "",
        "spring@44*",
        sent={2: ["GL"]},
        players=3,
        traps="spring@44",
        rules=["BB-SPRING-05"],
    ),
    case(
        "BB-SC-52-down",
        "GL@53D",
        "",
        "spring@54*",
        homes=4,
        hero="33",
        traps="spring@54",
        rules=["BB-SPRING-05"],
    ),
    case("BB-SC-64-four", "sapper-GL@23R", floors=4, tower=2, rules=["BB-CMD-05"]),
    case("BB-SC-66-two", "peacemaker-BL@23R", floors=2, tower=3, rules=["BB-CMD-10"]),
    case("BB-SC-66-four", "peacemaker-BL@23R", floors=4, tower=4, rules=["BB-CMD-11"]),
    case(
        "BB-SC-68",
        "ghost-RL@23R",
        floors=3,
        tower=2,
        sent={0: ["ghost-RL"]},
        rules=["BB-CMD-20", "BB-CMD-21"],
    ),
    case(
        "BB-SC-69",
        "instructor-YL@14R PT@14U RR@14L",
        "PT@25D/b RR@25D/b instructor-YL@25D/b",
        "dragon@24*",
        traps="dragon@24",
        choices=["march 1a4 instructor-YL-right-white", "scatter down"],
        rules=["BB-CMD-24", "BB-CMD-25", "BB-CMD-26"],
    ),
    case(
        "BB-SC-70",
        "saboteur-GL@12R GL@12R",
        "",
        "",
        sent={2: ["GL"]},
        players=3,
        traps="catapult@22",
        choices=["send p3"],
        rules=["BB-CMD-32", "BB-CMD-33", "BB-CMD-36"],
    ),
    case("BB-SC-71", "saboteur-GL@12R", "", "dynamite@22*", traps="dynamite@22", rules=["BB-CMD-35"]),
]


@pytest.mark.parametrize(
    ("skeletons", "setup", "choices", "stand", "left", "sent", "tower", "homes"), MARCHES
)
def test_march(skeletons, setup, choices, stand, left, sent, tower, homes) -> None:
    state = table(skeletons=skeletons, **setup)
    march(state, *choices)
    assert sorted(standing(state).split()) == sorted(stand.split())
    assert tiles(state) == left
    assert {seat: buried(state, seat) for seat in range(state.mode.players) if buried(state, seat)} == sent
    if tower is not None:
        assert state.fields[0].floors == tower
    if homes is not None:
        assert state.fields[0].houses == homes
    kept = Counter(one.split("@")[0] for one in stand.split()) + Counter(
        name for names in sent.values() for name in names
    )
    for name, n in (Counter(one.split("@")[0] for one in skeletons.split()) - kept).items():
        assert state.bag.counts[KIND_NAMES.index(name)] >= n, f"{name} should be back in the bag"
    state.check()


MARCH_TABLE = {
    "GL": ("L1", "11R 21R 31D 32D", "tower"),
    "BL": ("L2", "12R 22R 32D", "tower"),
    "RL": ("L3", "13R 23R", "tower"),
    "YL": ("L4", "14R 24R 34U", "tower"),
    "PL": ("L5", "15R 25R 35D", "village"),
    "PT": ("T1", "11D 12D 13D 14D 15D", "village"),
    "YT": ("T2", "21D 22D 23R", "tower"),
    "RT": ("T3", "31D 32D", "tower"),
    "BT": ("T4", "41D 42D 43L", "tower"),
    "GT": ("T5", "51D 52D 53D 54D 55D", "village"),
    "PR": ("R1", "51L 41L 31D 32D", "tower"),
    "YR": ("R2", "52L 42L 32D", "tower"),
    "RR": ("R3", "53L 43L", "tower"),
    "BR": ("R4", "54L 44L 34U", "tower"),
    "GR": ("R5", "55L 45L 35D", "village"),
}


@rule("BB-SETUP-11")
@rule("BB-MOVE-02")
@rule("BB-MOVE-03")
@rule("BB-ARROW-01")
@pytest.mark.parametrize("name", MARCH_TABLE)
@rule("BB-SC-02")
def test_sc_02_undisturbed_march(name: str) -> None:
    spot, cells, target = MARCH_TABLE[name]
    state = table(hero="", cemetery=name)
    enter(state, [])
    assert standing(state).startswith(f"{name}@{spot}")
    for where in cells.split():
        march(state)
        assert standing(state)[:-2] == f"{name}@{where}"
        next_traps(state)
    march(state)
    assert standing(state) == ""
    field = state.fields[0]
    assert (field.floors, field.houses) == ((3, 5) if target == "tower" else (4, 4))


@rule("BB-SETUP-08")
@rule("BB-SETUP-10")
@rule("BB-SETUP-12")
@rule("BB-SC-01")
def test_sc_01_set_up_is_checked() -> None:
    state = GAME.start(GAME.resolve({"players": 2}))
    assert why(state, "table: draw RL") == ("put-back", [], "BB-SETUP-08")
    do(state, "table: draw GL", "table: draw PR", "table: draw BT", "table: draw YL")
    view = GAME.view(state, 0)
    l1, l2, r1, t4 = 25, 26, 35, 33
    assert placement_refusal(view, l1, Piece("GL-white", 90)) is None
    assert placement_refusal(view, r1, Piece("PR-white", 270)) is None
    lying = placement_refusal(view, l2, Piece("BT-white", 90))
    assert lying is not None
    assert (lying.code, lying.cells, lying.rule) == ("lying", (l2, t4), "BB-SETUP-12")
    assert placement_refusal(view, t4, Piece("BT-white", 180)) is None
    wrong = placement_refusal(view, l2, Piece("GL-white", 90))
    assert wrong is not None and (wrong.code, wrong.cells) == ("wrong-spot", (l2, l1))
    black = placement_refusal(view, l1, Piece("GL-black", 90))
    assert black is not None and black.code == "wrong-side"


@rule("BB-FOREST-04")
@rule("BB-FOREST-05")
@rule("BB-SC-08")
def test_sc_08_two_over_the_top_two_choices() -> None:
    state = table(players=5, boards={2: {"skeletons": "GL@41U BL@41U"}})
    open_march(state)
    assert legal(state, 2) == ["send p1", "send p2", "send p4", "send p5"]
    assert why(state, "p3: send p3") == ("own-cemetery", ["3cemetery"], "BB-FOREST-04")
    do(state, "send p1", "send p5")
    uncover(state)
    assert (buried(state, 0), buried(state, 4)) == (["GL"], ["BL"])


@rule("BB-VILLAGE-04")
@rule("BB-VILLAGE-05")
@rule("BB-END-01")
@rule("BB-END-02")
@rule("BB-END-05")
@rule("BB-SC-10")
def test_sc_10_the_last_house() -> None:
    state = table(skeletons="GL@15D BL@45D", houses=1, hero="33")
    march(state)
    assert state.phase() == "over" and bagged(state, "GL", "BL")
    outcome = state.outcome()
    assert outcome.winners == (1,) and outcome.points[0] == 0


@rule("BB-HERO-06")
@rule("BB-HERO-07")
@rule("BB-HERO-08")
@rule("BB-MAZE-08")
@rule("BB-WEAPON-02")
@rule("BB-SC-14")
def test_sc_14_diagonal_step_into_a_maze() -> None:
    state = table(
        "hero",
        skeletons="GL@14R BL@14R YL@14R PL@13R RL@24R",
        traps="maze-white@14",
        hero="23",
        weapon="crossbow",
        advanced=True,
    )
    do(state, "p1: step 1a4")
    assert standing(state) == "PL@13R/w RL@24R/w"
    assert tiles(state) == "maze-white@14"
    assert state.needs()[0].verbs == ("shoot", "decline")
    do(state, "p1: decline", "p2: step 2d4")
    uncover(state)
    assert bagged(state, "GL", "BL", "YL")


@rule("BB-TREASURE-01")
@rule("BB-TREASURE-02")
@rule("BB-TREASURE-09")
@rule("BB-TREASURE-10")
@rule("BB-TREASURE-11")
@rule("BB-SC-22")
def test_sc_22_the_treasure_lures_three_away() -> None:
    state = table(skeletons="GL@23R BL@23R YL@23R")
    do(state, "p1: lay treasure 1a3")
    assert standing(state) == "GL@23L/w BL@23L/w YL@23L/w"
    march(state)
    assert standing(state) == "GL@13L/b BL@13L/b YL@13L/b"
    assert tiles(state) == ""
    march(next_traps(state))
    assert buried(state, 1) == ["BL", "GL", "YL"]
    assert "treasure" not in supply(state)


@rule("BB-ARROW-05")
@rule("BB-SC-25")
def test_sc_25_thieves_are_not_turned_by_uncovered_arrows() -> None:
    state = table(skeletons="GL@21R", traps="treasure@31")
    march(state)
    march(next_traps(state))
    assert standing(state) == "GL@41R/w"


@rule("BB-DRAGON-09")
@rule("BB-DRAGON-10")
@rule("BB-DRAGON-11")
@rule("BB-DRAGON-12")
@rule("BB-SC-28")
@rule("BB-SC-29")
def test_sc_28_and_29_a_dragon_laid_on_skeletons() -> None:
    state = table(skeletons="GL@32D BL@32D YL@32D YT@31D", supply="dragon")
    do(state, "p1: lay dragon 1c2", "scatter left", "scatter left", "scatter right")
    assert tiles(state) == "dragon@32*"
    assert standing(state) == "YT@31D/w GL@22L/b BL@22L/b YL@42R/b"
    march(state, "scatter up")
    assert standing(state) == "YT@31U/b GL@22L/b BL@22L/b YL@42R/b"
    assert tiles(state) == "" and supply(state) == {}


@rule("BB-NEW-01")
@rule("BB-NEW-02")
@rule("BB-NEW-03")
@rule("BB-NEW-04")
@rule("BB-NEW-05")
@rule("BB-FOREST-08")
@rule("BB-FOREST-09")
@rule("BB-SC-31")
def test_sc_31_new_skeletons_line_up() -> None:
    state = table("draw", cemetery="YL", hero="33", boards={1: {"hero": "33"}})
    state.marching_to = 0  # the marker shows black
    do(state, "table: draw GT", "table: draw RL", "table: draw PR")
    assert buried(state, 0) == ["GT", "PR", "RL", "YL"]
    do(state, "table: draw GL", "table: draw GL", "table: draw GL")
    assert standing(state) == "RL@L3R/b YL@L4R/b GT@T5D/b PR@R1L/b"
    assert buried(state, 0) == []


def survivor(**changes) -> dict:
    return {"floors": 2, "houses": 2, "traps": "dragon@44* catapult@42*", "supply": "wall"} | changes


@rule("BB-SCORE-01")
@rule("BB-SCORE-02")
@rule("BB-SCORE-03")
@rule("BB-SCORE-04")
@rule("BB-SCORE-05")
@rule("BB-SCORE-11")
@rule("BB-SC-32")
def test_sc_32_nineteen_points() -> None:
    assert points(table(**survivor()).fields[0]) == 19


def three_ways(second: dict, third: dict) -> BadBones:
    state = table(players=3, **survivor(), boards={1: second, 2: third})
    march(state)
    return state


@rule("BB-SCORE-06")
@rule("BB-SCORE-07")
@rule("BB-SCORE-08")
@rule("BB-SC-33")
def test_sc_33_ties() -> None:
    fallen = {"skeletons": "GL@23R", "floors": 1, "houses": 8}
    taller = {"floors": 3, "houses": 1, "traps": "", "supply": "wall wall"}
    state = three_ways(taller, fallen)
    assert points(state.fields[1]) == 19 and points(state.fields[2]) >= 24
    assert state.outcome()[:3] == ("won", (1,), "BB-SCORE-07")
    equal = survivor(traps="dragon@11* catapult@12*")
    assert three_ways(equal, fallen).outcome()[:3] == ("shared", (0, 1), "BB-SCORE-08")
    best = survivor(houses=3)
    assert three_ways(best, fallen).outcome()[:3] == ("won", (1,), "BB-SCORE-06")


@rule("BB-END-03")
@rule("BB-END-06")
@rule("BB-SC-34")
def test_sc_34_several_fall_together() -> None:
    fallen = {"skeletons": "GL@23R", "floors": 1}
    assert three_ways(fallen, fallen).outcome()[:2] == ("won", (0,))
    state = table(players=3, **fallen, boards={1: fallen, 2: fallen})
    march(state)
    assert state.outcome()[:3] == ("all-fell", (), "BB-END-06")


@rule("BB-SOLO-03")
@rule("BB-SOLO-05")
@rule("BB-SC-35")
def test_sc_35_alone_everything_comes_back() -> None:
    state = table(players=1, skeletons="PT@12L", round=4)
    march(state)
    assert buried(state, 0) == ["PT"]
    do(state, "draw GL", "draw BL", "draw YL")
    assert standing(state) == "GL@L1R/b BL@L2R/b YL@L4R/b PT@T1D/b"


@rule("BB-SOLO-07")
@rule("BB-SOLO-09")
@rule("BB-SOLO-12")
@rule("BB-ROUND-04")
@rule("BB-SC-36")
def test_sc_36_alone_ten_rounds() -> None:
    field = "GL@11R BL@12R YL@14R PL@15R GT@51D BT@41D PT@11D"
    state = table(players=1, skeletons=field, round=10)
    march(state)
    do(state, "draw GL", "draw BL", "draw YL")
    assert state.phase() == "rest"
    assert legal(state) == ["rest", "pursue"]
    won = state.copy()
    do(won, "rest")
    assert won.outcome()[:3] == ("held", (0,), "BB-SOLO-07")
    do(state, "pursue")
    assert state.round == 11 and state.heroic
    before = len(state.fields[0].tokens)
    do(state, "step 1d4", "wait")
    assert state.phase() != "draw" and len(state.fields[0].tokens) <= before


@rule("BB-ADV-05")
@rule("BB-ADV-06")
@rule("BB-ADV-07")
@rule("BB-ADV-09")
@rule("BB-SC-37")
def test_sc_37_the_market_goes_round_and_back() -> None:
    state = GAME.start(GAME.resolve({"players": 3, "advanced": True}))
    while state.needs()[0].verbs == ("draw",):
        state.apply(TABLE, state.actions(TABLE)[0])
    do(state, "table: first p2")
    order = []
    for item in ("flail", "rapier", "crossbow", "wall", "wall", "wall", "spring", "palisade", "maze"):
        seat = state.needs()[0].seat
        order.append(seat)
        if len(order) == 4:
            assert why(state, "buy battle_axe") == ("has-weapon", [], "BB-ADV-09")
        do(state, f"buy {item}")
    assert order == [1, 2, 0, 0, 2, 1, 1, 2, 0]


@rule("BB-HEARSE-01")
@rule("BB-HEARSE-02")
@rule("BB-HEARSE-03")
@rule("BB-HEARSE-04")
@rule("BB-HEARSE-06")
@rule("BB-SC-41")
def test_sc_41_the_hearse_drives_on() -> None:
    state = table(players=4, skeletons="GL@14R BL@25U", traps="hearse@24")
    march(state, "send p3")
    assert buried(state, 2) == ["BL", "GL"]
    assert tiles(state) == "" and "hearse" not in supply(state) and supply(state, 2)["hearse"] == 1
    while state.phase() == "draw":
        do(state, "table: draw YL")
    assert len(state.fields[2].tokens) == 5


@rule("BB-DYNAMITE-04")
@rule("BB-DYNAMITE-05")
@rule("BB-DYNAMITE-06")
@rule("BB-DYNAMITE-07")
@rule("BB-DYNAMITE-08")
@rule("BB-TRAP-12")
@rule("BB-SC-42")
def test_sc_42_dynamite_laid_on_skeletons() -> None:
    state = table(skeletons="GL@32D YL@32D PL@32D BL@22R", supply="dynamite wall", advanced=True)
    do(state, "p1: lay dynamite 1c2")
    march(state)
    assert bagged(state, "GL", "YL", "PL")
    assert standing(state) == "BL@32D/b" and tiles(state) == "dynamite@32*"
    next_traps(state)
    assert why(state, "p1: lay wall/ 1c2") == ("crater-there", ["1c2"], "BB-DYNAMITE-06")
    assert why(state, "p1: lift 1c2") == ("crater-stays", ["1c2"], "BB-TRAP-12")


def black_marker_next(**setup) -> BadBones:
    """Tokens show black and will end the march white."""
    state = table(**setup)
    state.marching_to = 0
    return state


@rule("BB-MAZE-03")
@rule("BB-MAZE-04")
@rule("BB-MAZE-09")
@rule("BB-SC-43")
@rule("BB-SC-44")
def test_sc_43_and_44_black_skeleton_in_a_maze() -> None:
    held = black_marker_next(skeletons="BL@22R", traps="maze-white@22")
    march(held)
    assert standing(held) == "BL@22R/w"
    free = black_marker_next(skeletons="BL@22R", traps="maze-black@22")
    march(free)
    assert standing(free) == "BL@32D/w"


@rule("BB-MAZE-02")
@rule("BB-MAZE-05")
@rule("BB-MAZE-06")
@rule("BB-MAZE-07")
@rule("BB-SC-45")
def test_sc_45_a_maze_holds_for_one_round_at_most() -> None:
    white = table(skeletons="BL@12R", traps="maze-white@22")
    seen = []
    for _ in range(3):
        march(white)
        seen.append(standing(white))
        next_traps(white)
    assert seen == ["BL@22R/b", "BL@22R/w", "BL@32D/b"]
    assert tiles(white) == "maze-white@22"
    black = table(skeletons="BL@12R", traps="maze-black@22")
    march(black)
    march(next_traps(black))
    assert standing(black) == "BL@32D/w"


def armed(weapon: str, **setup) -> BadBones:
    return table("hero", weapon=weapon, advanced=True, **setup)


@rule("BB-WEAPON-18")
@rule("BB-WEAPON-21")
@rule("BB-SC-53")
def test_sc_53_flail() -> None:
    state = armed("flail", hero="33", skeletons="GL@22R BL@22R YL@22R PL@32L RL@32L")
    do(state, "p1: step 1b2", "fling 1c2 1a1")
    assert standing(state) == "RL@11L/w PL@11L/w"
    do(state, "p2: step 2d4")
    uncover(state)
    assert bagged(state, "GL", "BL", "YL")
    march(state)
    assert buried(state, 1) == ["PL", "RL"]


@rule("BB-WEAPON-10")
@rule("BB-WEAPON-11")
@rule("BB-SC-54")
def test_sc_54_ice_in_phase_one() -> None:
    state = armed("ice_wand", hero="33", skeletons="GL@22R BL@22R YL@22R PL@42L RL@42L")
    do(state, "p1: step 1b2", "freeze 1d2")
    assert standing(state) == "RL@42L/b PL@42L/b"
    do(state, "p2: step 2d4")
    uncover(state)
    march(state)
    assert standing(state) == "RL@42L/b PL@42L/b"
    march(next_traps(state))
    assert standing(state) == "RL@32D/w PL@32D/w"


@rule("BB-WEAPON-12")
@rule("BB-WEAPON-16")
@rule("BB-MOVE-07")
@rule("BB-SC-55")
def test_sc_55_ice_in_phase_three() -> None:
    state = table(weapon="ice_wand", advanced=True, hero="25", skeletons="BL@15R BL@15R BL@15R GL@51L YL@41L")
    open_march(state)
    do(state, "march 1e1 GL-left-white", *["march 1a5 BL-right-white"] * 3, "freeze 1d1")
    uncover(state)
    assert sorted(standing(state).split()) == ["GL@41L/w", "YL@41L/b"]
    march(next_traps(state))
    assert standing(state) == "YL@31D/w GL@41L/w"


@rule("BB-WEAPON-13")
@rule("BB-SC-56")
def test_sc_56_wand_of_death() -> None:
    state = armed("death_wand", players=4, hero="33", skeletons="GL@22R BL@22R YL@22R PL@22R")
    do(state, "p1: step 1b2", "banish p4", "p2: step 2d4", "p3: step 3d4", "p4: step 4d4")
    uncover(state)
    assert buried(state, 3) == ["BL", "GL", "PL", "YL"]
    march(state)
    while state.phase() == "draw":
        do(state, "table: draw GT")
    assert len(state.fields[3].tokens) == 7


@rule("BB-WEAPON-15")
@rule("BB-WEAPON-07")
@rule("BB-SC-57")
def test_sc_57_two_handed_sword() -> None:
    state = armed("two_handed_sword", hero="33", skeletons="GL@22R BL@22R YL@22R PL@11R GT@11R BT@11R YT@11R")
    do(state, "p1: step 1b2", "strike 1a1", "p2: step 2d4")
    uncover(state)
    assert standing(state) == "" and state.phase() == "trap"
    assert bagged(state, "GL", "BL", "YL", "PL", "GT", "BT", "YT")


@rule("BB-WEAPON-17")
@rule("BB-SC-58")
def test_sc_58_battle_axe() -> None:
    state = armed(
        "battle_axe", hero="33", skeletons="GL@22R GL@22R GL@22R YL@21R BL@21R YT@12D RL@32R YR@11L"
    )
    do(state, "p1: step 1b2", "hew yellow")
    assert standing(state) == "YR@11L/w BL@21R/w RL@32R/w"


@rule("BB-COOP-01")
@rule("BB-COOP-03")
@rule("BB-COOP-04")
@rule("BB-COOP-05")
@rule("BB-COOP-07")
@rule("BB-COOP-08")
@rule("BB-COOP-09")
@rule("BB-SC-59")
def test_sc_59_cooperative_set_up() -> None:
    state = GAME.start(GAME.resolve({"players": 4, "coop": True}))
    assert why(state, "table: draw RT") is None
    for _ in range(4):
        do(state, "table: draw RT", "table: draw GT", "table: draw BL", "table: draw PR")
    assert state.capital == 4
    assert sum(len(GAME.view(state, 0)["towers"][seat]) for seat in range(4)) == 16
    assert supply(state) == {"wall": 4, "catapult": 4, "dragon": 4, "treasure": 1}
    assert state.round == 1
    assert standing(state) == "BL@L2R/w PR@R1L/w GT@B1U/w RT@B3U/w"
    assert legal(state, 2) == ["post 3b2", "post 3d2", "post 3b4", "post 3d4"]
    assert why(state, "p1: post 1c3") == ("no-own-tower", ["1c3"], "BB-COOP-08")
    do(state, "p1: post 1b2", "p2: post 2d4", "p3: post 3b4", "p4: post 4d2")
    assert [field.hero for field in state.fields] == [6, 18, 16, 8]


@rule("BB-COOP-13")
@rule("BB-COOP-14")
@rule("BB-COOP-15")
@rule("BB-COOP-16")
@rule("BB-SC-60")
def test_sc_60_a_cooperative_tower_stops_one() -> None:
    state = table(coop=True, hero="55", skeletons="GL@12R BL@23U YL@32L")
    open_march(state)
    do(state, "march 1a2 GL-right-white")
    assert standing(state) == "BL@22U/b YL@22U/b"
    assert state.fields[0].floors == 3 and bagged(state, "GL")


@rule("BB-COOP-11")
@rule("BB-SC-61")
def test_sc_61_a_lifted_trap_rests_for_the_phase() -> None:
    state = table(coop=True, traps="wall/@12", supply="catapult")
    do(state, "p1: lift 1a2")
    assert why(state, "p2: lay wall/ 2a2") == ("just-lifted", ["2a2"], "BB-COOP-11")
    do(state, "p2: wait")
    assert supply(state)["wall"] == 1
    next_traps(state)
    assert why(state, "p2: lay wall/ 2a2") is None


@rule("BB-COOP-19")
@rule("BB-COOP-20")
@rule("BB-SC-62")
def test_sc_62_cooperative_exits() -> None:
    state = table(coop=True, players=3, skeletons="GL@31U BL@45D")
    open_march(state)
    assert legal(state) == ["send p2", "send p3"]
    do(state, "send p3")
    assert state.capital == 2 and bagged(state, "GL")
    assert buried(state, 2) == ["BL"]


@rule("BB-COOP-22")
@rule("BB-COOP-25")
@rule("BB-SC-63")
def test_sc_63_a_fourth_tower_lost() -> None:
    board = {"skeletons": "GL@12R", "ruins": "42 24 44"}
    state = table(coop=True, players=3, boards={2: board}, capital=3)
    march(state)
    assert state.outcome()[:3] == ("towers-lost", (), "BB-COOP-22")


@rule("BB-CMD-05")
@rule("BB-SC-64")
def test_sc_64_a_sapper_at_the_last_floor() -> None:
    state = table(skeletons="sapper-GL@23R", floors=1)
    march(state)
    assert state.fields[0].floors == 0 and state.outcome().winners == (1,)
    assert bagged(state, "sapper-GL")


@rule("BB-CMD-07")
@rule("BB-CMD-08")
@rule("BB-SC-65")
def test_sc_65_necromancers_add_up() -> None:
    state = table("draw", players=1)
    drawn = ["necromancer-PL", "GL", "BL", "YL", "necromancer-RT", "PL", "GT", "BT", "YT"]
    for i, name in enumerate(drawn):
        assert state.phase() == "draw", f"only {i} draws"
        do(state, f"table: draw {name}")
    assert state.phase() != "draw" and len(state.fields[0].tokens) == 9


@rule("BB-CMD-16")
@rule("BB-CMD-18")
@rule("BB-CMD-19")
@rule("BB-SC-67")
def test_sc_67_the_emperor_takes_the_hero_along() -> None:
    state = table(hero="22", weapon="crossbow", advanced=True, skeletons="GL@12R BL@12R emperor-RT@21D")
    open_march(state)
    do(
        state,
        "march 1a2 GL-right-white",
        "march 1a2 BL-right-white",
    )
    uncover(state)
    assert state.phase() == "draw" and state.fields[0].hero == -1
    assert state.boxed == [KIND_NAMES.index("emperor-RT")] and bagged(state, "GL", "BL")
    while state.phase() == "draw":
        do(state, "table: draw GT")
    assert [need.seat for need in state.needs()] == [1]


@rule("BB-CMD-20")
@rule("BB-SC-68")
def test_sc_68_the_ghost_returns_to_its_spot() -> None:
    state = table(skeletons="ghost-RL@23R", floors=3)
    march(state)
    while state.phase() == "draw":
        do(state, "table: draw GT")
    assert "ghost-RL@L3R/b" in standing(state)


@rule("BB-NEW-07")
@rule("BB-SC-72")
def test_sc_72_the_bag_runs_empty() -> None:
    state = table("draw", players=3)
    state.bag.counts = [2 if name == "GL" else 0 for name in KIND_NAMES]
    state.bag.size = 2
    do(state, "table: draw GL", "table: draw GL")
    assert [len(field.tokens) for field in state.fields] == [2, 0, 0]
    assert state.round == 2 and state.needs()
