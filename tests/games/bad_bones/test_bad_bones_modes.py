"""Marching, weapons, and the solo, cooperative and commander games."""

from __future__ import annotations

from random import Random

import pytest
from bad_bones_boards import (
    GAME,
    bagged,
    begin,
    buried,
    do,
    kinds,
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

from companion.engine.action import PUBLIC, TABLE
from companion.engine.chance import weighted
from companion.engine.game import turn_for
from companion.games.bad_bones.agenda import BadBones
from companion.games.bad_bones.pieces import PLACES
from companion.games.bad_bones.printed import KIND_NAMES
from companion.games.bad_bones.score import points
from companion.games.bad_bones.tokens import KIND_OF
from companion.table.play import walk

rule = pytest.mark.rule


def next_traps(state: BadBones) -> BadBones:
    """Goes straight to phase II of the next round: no draws, heroes stay."""
    return begin(state, "traps")


def armed(weapon: str, **setup) -> BadBones:
    """Seat 0 may use its weapon: its hero has just killed three on (2,2)."""
    crowd = "GL@22R GL@22R GL@22R"
    setup["skeletons"] = f"{crowd} {setup.get('skeletons', '')}"
    state = table("hero", weapon=weapon, advanced=True, hero="33", **setup)
    do(state, "p1: step 1b2")
    return state


def finish_heroes(state: BadBones) -> BadBones:
    for seat in range(1, state.mode.players):
        if seat in state.busy:
            do(state, f"p{seat + 1}: step {seat + 1}d4")
    uncover(state)
    return state


# March -------------------------------------------------------------------------------------------


@rule("BB-MOVE-01")
def test_the_marker_turns_with_the_march() -> None:
    state = table(players=3, skeletons="GL@21U")
    assert GAME.view(state, 0)["marker"] == "white"
    open_march(state)
    assert GAME.view(state, 0)["marker"] == "black"
    march(state, "send p2")
    assert GAME.view(state, 0)["marker"] == "black"


@rule("BB-MOVE-06")
@rule("BB-MOVE-04")
def test_only_unmoved_skeletons_of_the_own_board_move() -> None:
    state = table(
        coop=True, skeletons="GL@12R BL@32L PL@11R/done", boards={1: {"skeletons": "YL@12R YL@12R"}}
    )
    open_march(state)
    assert legal(state) == ["march 1a2 GL-right-white", "march 1c2 BL-left-white", "auto"]
    assert why(state, "p1: march 1a1 PL-right-black") == ("has-moved", ["1a1"], "BB-MOVE-06")
    assert why(state, "p1: march 1a1 YL-right-white") == ("no-such-skeleton", ["1a1"], "BB-MOVE-02")
    assert why(state, "p1: march 2a2 YL-right-white") == ("not-own-board", ["2a2"], "BB-MOVE-04")
    do(state, "p1: march 1c2 BL-left-white")
    assert standing(state) == "PL@11R/b GL@22U/b", "the chosen one fell the tower, the other finds a ruin"


@rule("BB-MOVE-16")
def test_the_destroyed_can_be_drawn_in_the_same_round() -> None:
    state = table(hero="22", skeletons="sapper-GL@12R")
    march(state)
    assert state.phase() == "draw" and why(state, "table: draw sapper-GL") is None


@rule("BB-MOVE-17")
def test_the_default_order_is_row_by_row_then_the_forest() -> None:
    state = table(players=3, skeletons="GL@R1 BL@41U YL@11U PL@T2 PT@L1", traps="catapult@21 catapult@51")
    open_march(state)
    asked = []
    while state.phase() == "march" and state.busy:
        asked.append(standing_next(state))
        do(state, "send p2")
    assert asked == ["YL", "BL", "PL", "GL"]


def standing_next(state: BadBones) -> str:
    return KIND_NAMES[KIND_OF[state.fields[0].moving[0]]]


# Weapons -----------------------------------------------------------------------------------------


@rule("BB-WEAPON-01")
@rule("BB-WEAPON-04")
@rule("BB-WEAPON-05")
def test_three_kills_make_the_weapon_usable_every_time() -> None:
    state = armed("crossbow", skeletons="BL@44R")
    assert state.needs()[0].verbs == ("shoot", "decline")
    do(state, "decline")
    finish_heroes(state)
    assert state.phase() == "trap"
    two = table("hero", weapon="crossbow", advanced=True, hero="33", skeletons="GL@22R GL@22R")
    do(two, "p1: step 1b2")
    assert all(need.seat != 0 for need in two.needs())
    used = armed("crossbow", skeletons="BL@44R")
    do(used, "shoot 1d4 BL-right-white")
    assert 0 not in used.busy and used.fields[0].used
    finish_heroes(used)
    assert not used.fields[0].used, "usable again in the next phase"


@rule("BB-WEAPON-03")
@rule("BB-WEAPON-05")
@rule("BB-WEAPON-22")
def test_the_third_kill_of_the_march_makes_it_usable_once() -> None:
    kill = "BL@12R BL@12R BL@12R BL@12R BL@12R"
    state = table(weapon="crossbow", advanced=True, hero="22", skeletons=f"{kill} YL@44R")
    open_march(state)
    do(state, *["march 1a2 BL-right-white"] * 2)
    assert state.needs()[0].verbs == ("march", "auto")
    do(state, "march 1a2 BL-right-white")
    assert state.needs()[0].verbs == ("shoot", "decline")
    do(state, "decline", "march 1a2 BL-right-white")
    assert state.needs()[0].verbs == ("shoot", "decline"), "asked again at the fourth"
    do(state, "shoot 1d4 YL-right-white")
    assert state.phase() == "draw" or 0 not in state.busy
    uncover(state)
    assert standing(state) == "" and state.phase() == "draw"


@rule("BB-WEAPON-03")
def test_kills_may_have_to_come_in_one_move() -> None:
    kill = "BL@12R BL@12R BL@12R BL@12R"
    state = table(weapon="crossbow", advanced=True, hero="22", skeletons=kill, weapon_count_scope="move")
    march(state)
    while state.phase() == "march":
        assert "shoot" not in state.needs()[0].verbs
        do(state, "auto")
        uncover(state)
    assert state.phase() == "draw"


@rule("BB-WEAPON-06")
@rule("BB-WEAPON-09")
def test_the_crossbow_shoots_one_on_the_own_field() -> None:
    state = armed("crossbow", skeletons="BL@44R BL@44R YL@L4", boards={1: {"skeletons": "PL@11R"}})
    assert legal(state) == ["shoot 1d4 BL-right-white", "decline"]
    assert why(state, "p1: shoot 1L4 YL-right-white") == ("not-on-own-field", ["1L4"], "BB-WEAPON-06")
    assert why(state, "p1: shoot 2a1 PL-right-white") == ("not-on-own-field", ["2a1"], "BB-WEAPON-06")
    assert why(state, "p1: shoot 1d4 PL-right-white") == ("no-such-skeleton", ["1d4"], "BB-WEAPON-09")
    do(state, "shoot 1d4 BL-right-white")
    assert standing(state) == "BL@44R/w YL@L4R/w"
    ice = armed("ice_wand", skeletons="YL@L4 BL@44R")
    assert why(ice, "p1: freeze 1L4") == ("not-on-own-field", ["1L4"], "BB-WEAPON-06")
    assert why(ice, "p1: freeze 1a1") == ("no-skeletons", ["1a1"], "BB-WEAPON-10")


@rule("BB-WEAPON-08")
def test_kills_of_phase_two_and_of_traps_do_not_count() -> None:
    state = table(
        weapon="crossbow", advanced=True, hero="22", supply="dragon", skeletons="BL@12R BL@12R BL@12R YL@44R"
    )
    do(state, "p1: lay dragon 1a2", *["p1: scatter right"] * 3)
    assert 0 not in state.busy and standing(state) == "YL@44R/w"
    blown = table(weapon="crossbow", advanced=True, traps="dynamite@22", skeletons="BL@12R BL@12R BL@12R")
    march(blown)
    assert blown.phase() == "draw"


@rule("BB-WEAPON-14")
def test_teleport_to_a_standing_tower() -> None:
    state = armed("teleport_wand")
    assert legal(state) == ["teleport 1c3", "decline"]
    do(state, "teleport 1c3")
    assert state.fields[0].hero == 12
    coop = table(
        "hero",
        weapon="teleport_wand",
        advanced=True,
        coop=True,
        hero="11",
        skeletons="GL@12R GL@12R GL@12R",
        ruins="22 44",
    )
    do(coop, "p1: step 1a2")
    assert legal(coop) == ["teleport 1d2", "teleport 1b4", "decline"]
    assert why(coop, "p1: teleport 1b2") == ("no-standing-tower", ["1b2"], "BB-WEAPON-14")
    german = armed("teleport_wand", edition="pegasus", skeletons="BL@44R")
    assert "teleport 1a1" in legal(german) and "teleport 1d4" not in legal(german)
    assert why(german, "p1: teleport 1b2") == ("already-there", ["1b2"], "BB-WEAPON-14")


@rule("BB-WEAPON-19")
@rule("BB-WEAPON-18")
def test_where_the_flail_may_put_skeletons() -> None:
    given = {"skeletons": "BL@32L YL@21R", "traps": "wall/@11 dynamite@12*"}
    state = armed("flail", **given)
    assert why(state, "p1: fling 1c2 1a1") == ("not-empty", ["1a1"], "BB-WEAPON-19")
    assert why(state, "p1: fling 1c2 1a2") == ("not-empty", ["1a2"], "BB-WEAPON-19")
    assert why(state, "p1: fling 1c2 1b1") == ("not-empty", ["1b1"], "BB-WEAPON-19")
    assert why(state, "p1: fling 1c2 1c3") == ("not-empty", ["1c3"], "BB-WEAPON-19")
    assert why(state, "p1: fling 1c2 1e5") == ("not-around-hero", ["1e5"], "BB-WEAPON-18")
    assert why(state, "p1: fling 1a3 1c2") == ("no-skeletons", ["1a3"], "BB-WEAPON-18")
    loose = armed("flail", flail_target="no_trap", **given)
    assert why(loose, "p1: fling 1c2 1b1") is None
    do(state, "fling 1b1 1c1")
    assert "YL@31R/w" in standing(state), "the arrow there does not turn it"


@rule("BB-WEAPON-20")
@rule("BB-WEAPON-21")
def test_the_german_rapier_turns_each_skeleton_of_a_cell() -> None:
    state = armed("rapier", skeletons="BL@32D YL@32D PL@44R", edition="pegasus")
    assert legal(state) == ["aim 1c2", "decline"]
    assert why(state, "p1: aim 1d4") == ("not-around-hero", ["1d4"], "BB-WEAPON-20")
    do(state, "aim 1c2", "face up", "face left")
    assert standing(state) == "BL@32U/w YL@32L/w PL@44R/w"
    assert 0 not in state.busy


@rule("BB-WEAPON-17")
def test_the_axe_needs_a_symbol_beside_the_hero() -> None:
    state = armed("battle_axe", skeletons="BL@32D YL@11D")
    assert legal(state) == ["hew blue", "decline"]
    assert why(state, "p1: hew yellow")[0::2] == ("no-such-symbol", "BB-WEAPON-17")


@rule("BB-WEAPON-13")
def test_the_wand_of_death_takes_the_kills_that_woke_it() -> None:
    kill = "BL@12R BL@12R BL@12R BL@12R"
    state = table(weapon="death_wand", advanced=True, hero="22", players=3, skeletons=kill)
    open_march(state)
    do(state, *["march 1a2 BL-right-white"] * 3, "banish p3")
    uncover(state)
    assert buried(state, 2) == ["BL"] * 3
    assert why(armed("death_wand"), "p1: banish p1")[0::2] == ("no-such-target", "BB-WEAPON-13")


@rule("BB-WEAPON-10")
def test_the_german_wand_freezes_the_whole_field() -> None:
    state = armed("ice_wand", edition="pegasus", skeletons="BL@32D YL@11D")
    assert legal(state) == ["freeze-all", "decline"]
    do(state, "freeze-all")
    march(finish_heroes(state))
    assert standing(state) == "YL@11D/b BL@32D/b"


# Alone -------------------------------------------------------------------------------------------


@rule("BB-SOLO-01")
def test_alone_one_house_and_one_floor() -> None:
    state = GAME.start(GAME.resolve({"players": 1}))
    assert (state.fields[0].houses, state.fields[0].floors) == (1, 1)


@rule("BB-SOLO-06")
@rule("BB-SOLO-11")
@pytest.mark.parametrize("skeleton", ["GL@23R", "GL@15D"])
def test_alone_the_floor_or_the_house_is_enough_to_lose(skeleton: str) -> None:
    state = table(players=1, skeletons=skeleton, floors=1, houses=1)
    march(state)
    outcome = state.outcome()
    assert outcome[:3] == ("fell", (), "BB-SOLO-06")
    assert outcome.points == (points(state.fields[0]),)


@rule("BB-SOLO-08")
def test_alone_the_number_of_rounds_is_a_choice() -> None:
    state = table(players=1, rounds=2, round=2)
    march(state)
    do(state, "draw GL", "draw GL", "draw GL")
    assert GAME.view(state, 0)["phase"] == "rest"
    assert GAME.view(table(players=2), 0)["rounds"] == 0


@rule("BB-SOLO-09")
@rule("BB-SOLO-10")
def test_heroic_victory_and_failure() -> None:
    won = table(players=1, rounds=1, skeletons="", hero="12")
    march(won)
    do(won, "draw GL", "draw GL", "draw GL", "pursue")
    assert won.phase() == "hero" and won.round == 2
    do(won, "step 1a1", "wait")
    assert won.outcome()[:3] == ("heroic", (0,), "BB-SOLO-09")
    lost = table(players=1, rounds=1, hero="55", floors=1, houses=1)
    march(lost)
    do(lost, "draw RL", "draw RL", "draw RL", "pursue")
    while lost.outcome() is None:
        do(lost, legal(lost)[0] if lost.phase() == "hero" else "wait")
    assert lost.outcome()[:3] == ("held-not-heroic", (0,), "BB-SOLO-10")


# Together ----------------------------------------------------------------------------------------


@rule("BB-COOP-02")
@rule("BB-COOP-21")
@rule("BB-COOP-29")
def test_together_the_top_opens_to_the_capital_and_the_sides_to_neighbours() -> None:
    state = table(coop=True, players=3, skeletons="GL@13L BL@53R YL@21R", traps="catapult@31")
    open_march(state)
    assert legal(state) == ["send p2", "send p3"]
    assert why(state, "send p1") == ("own-cemetery", ["1cemetery"], "BB-CATAPULT-04")
    do(state, "send p3")
    assert (buried(state, 1), buried(state, 2)) == (["GL"], ["BL", "YL"])
    places = GAME.board({"players": 3, "coop": True}).places
    top = [place for place in places[:PLACES] if place.zone == "edge"]
    capital = [place for place in places if place.zone == "capital"]
    assert len(top) == 5 and all(place.y < top[0].y for place in capital)


@rule("BB-COOP-06")
def test_together_the_four_symbols_differ() -> None:
    state = GAME.start(GAME.resolve({"players": 2, "coop": True}))
    do(state, "table: draw RL")
    assert why(state, "table: draw RT") == ("put-back", [], "BB-COOP-06")


@rule("BB-COOP-10")
@rule("BB-COOP-12")
def test_the_common_supply_goes_to_who_is_first() -> None:
    state = table(coop=True, supply="wall")
    assert "lay wall/ 1a1" in legal(state, 0) and "lay wall/ 2a1" in legal(state, 1)
    do(state, "p2: lay wall/ 2a1")
    assert why(state, "p1: lay wall/ 1a1") == ("none-in-supply", ["1a1"], "BB-TRAP-22")
    do(state, "p1: wait")
    assert supply(state) == {}


@rule("BB-COOP-17")
def test_ruins_are_plain_cells() -> None:
    state = table(coop=True, ruins="22", supply="wall", skeletons="GL@12R")
    assert why(state, "p1: lay wall/ 1b2") is None
    do(state, "p1: lay wall\\ 1b2")
    march(state)
    assert standing(state) == "GL@23D/b", "the wall covers the arrows of the ruin"
    hero = table("hero", coop=True, ruins="22", hero="11")
    assert "step 1b2" in legal(hero)


@rule("BB-COOP-22")
@rule("BB-COOP-19")
def test_the_capital_burns_down() -> None:
    state = table(coop=True, capital=1, skeletons="GL@31U")
    march(state)
    assert state.outcome()[:3] == ("capital-burnt", (), "BB-COOP-22")


@rule("BB-COOP-23")
@rule("BB-COOP-24")
def test_holding_out_ten_rounds_together() -> None:
    state = table(coop=True, round=9)
    march(state)
    while state.phase() == "draw":
        do(state, "table: draw GL")
    assert state.round == 10
    late = table(coop=True, round=10)
    march(late)
    while late.phase() == "draw":
        do(late, "table: draw GL")
    assert late.outcome()[:3] == ("capital-held", (0, 1), "BB-COOP-23")


@rule("BB-COOP-26")
def test_together_the_other_rules_hold() -> None:
    state = table(coop=True, hero="13", skeletons="GL@21R BL@53L YL@12D", traps="spring@31")
    march(state)
    assert standing(state) == "GL@51R/b BL@43L/b" and bagged(state, "YL")


# Commanders --------------------------------------------------------------------------------------


@rule("BB-CMD-02")
def test_commanders_move_like_others() -> None:
    state = table(skeletons="sapper-GL@22R necromancer-PL@14R", traps="wall/@24")
    march(state)
    assert standing(state) == "sapper-GL@32D/b necromancer-PL@23U/b" and tiles(state) == "wall/@24*"


@rule("BB-CMD-03")
def test_a_commander_lies_on_top() -> None:
    state = table(skeletons="sapper-GL@22R YL@22R GL@22R")
    pieces = GAME.layout(GAME.view(state, PUBLIC))[6]
    assert [piece.face for piece in pieces] == ["GL-white", "YL-white", "sapper-GL-white"]


@rule("BB-CMD-05")
def test_a_sapper_burns_two_houses() -> None:
    state = table(skeletons="sapper-GL@15D", houses=5)
    march(state)
    assert state.fields[0].houses == 3


@rule("BB-CMD-06")
def test_a_sapper_together_fells_one_tower_and_burns_two_houses() -> None:
    state = table(coop=True, players=4, skeletons="sapper-GL@12R sapper-BT@31U")
    march(state)
    assert state.fields[0].floors == 3 and state.capital == 2


@rule("BB-CMD-09")
def test_a_received_necromancer_does_nothing() -> None:
    state = table("draw", players=2, cemetery="necromancer-PL")
    do(state, *["table: draw GL"] * 6)
    assert state.phase() != "draw" and len(state.fields[0].tokens) == 4


@rule("BB-CMD-10")
@rule("BB-CMD-11")
def test_a_peacemaker_in_the_village() -> None:
    state = table(skeletons="peacemaker-BL@15D", houses=3)
    march(state)
    assert state.fields[0].houses == 4 and bagged(state, "peacemaker-BL")
    whole = table(skeletons="peacemaker-BL@15D", houses=5)
    assert "peacemaker-left" in kinds(march(whole))
    assert whole.fields[0].houses == 5 and bagged(whole, "peacemaker-BL")


@rule("BB-CMD-12")
def test_a_peacemaker_together() -> None:
    standing_tower = table(coop=True, skeletons="peacemaker-BL@12R")
    march(standing_tower)
    assert standing_tower.fields[0].floors == 4 and bagged(standing_tower, "peacemaker-BL")
    ruin = table(coop=True, skeletons="peacemaker-BL@12R", ruins="22")
    march(ruin)
    assert ruin.fields[0].floors == 4 and 6 in ruin.fields[0].towers
    taken = table(coop=True, skeletons="peacemaker-BL@12R GL@22R/done", ruins="22")
    march(taken)
    assert taken.fields[0].floors == 3 and "peacemaker-BL@22U/b" in standing(taken)
    capital = table(coop=True, players=3, capital=1, skeletons="peacemaker-BL@31U")
    march(capital)
    assert capital.capital == 2


@rule("BB-CMD-13")
@rule("BB-END-04")
def test_a_repair_comes_too_late() -> None:
    state = table(skeletons="GL@23R peacemaker-BL@32D", floors=1)
    open_march(state)
    do(state, "march 1b3 GL-right-white")
    uncover(state)
    assert state.fields[0].floors == 1 and state.outcome().winners == (1,)
    early = table(skeletons="GL@23R peacemaker-BL@32D", floors=1)
    open_march(early)
    do(early, "march 1c2 peacemaker-BL-down-white")
    uncover(early)
    assert early.outcome() is None and early.fields[0].floors == 1


@rule("BB-CMD-14")
@rule("BB-CMD-15")
@pytest.mark.parametrize("emperor", ["emperor-RT@23R", "emperor-RT@15D"])
def test_the_emperor_conquers(emperor: str) -> None:
    state = table(players=3, skeletons=emperor, boards={1: {"skeletons": "GL@11R"}, 2: {"floors": 1}})
    march(state)
    assert state.phase() == "over" and state.outcome().winners == (1,)
    assert standing(state, 1) == "GL@11R/w", "the others do not finish the march"
    team = table(coop=True, skeletons="emperor-RT@12R")
    march(team)
    assert team.outcome()[:3] == ("emperor", (), "BB-CMD-14")


@rule("BB-CMD-17")
def test_the_emperor_destroyed_otherwise_returns_to_the_bag() -> None:
    state = table(skeletons="emperor-RT@12R", traps="dynamite@22")
    march(state)
    assert bagged(state, "emperor-RT") and state.boxed == [] and state.fields[0].hero == 24


@rule("BB-CMD-19")
def test_without_a_hero_phase_one_is_skipped() -> None:
    state = table(players=1, hero="", round=1)
    march(state)
    do(state, "draw GL", "draw BL", "draw YL")
    assert state.phase() == "trap" and state.round == 2
    both = table(
        "hero", weapon="crossbow", advanced=True, hero="33", skeletons="GL@22R GL@22R GL@22R emperor-RT@22R"
    )
    do(both, "p1: step 1b2")
    assert 0 not in both.busy and both.fields[0].hero == -1


@rule("BB-CMD-22")
@rule("BB-CMD-23")
def test_a_ghost_is_immortal_and_counts() -> None:
    blown = table(skeletons="ghost-RL@12R", traps="dynamite@22")
    march(blown)
    assert buried(blown, 0) == ["ghost-RL"]
    state = table(
        "hero", weapon="death_wand", advanced=True, hero="33", skeletons="GL@22R BL@22R ghost-RL@22R"
    )
    do(state, "p1: step 1b2", "banish p2")
    finish_heroes(state)
    assert buried(state, 1) == ["BL", "GL", "ghost-RL"]
    struck = table("hero", hero="33", skeletons="ghost-RL@22R")
    do(struck, "p1: step 1b2")
    finish_heroes(struck)
    assert buried(struck, 0) == ["ghost-RL"]


@rule("BB-CMD-24")
def test_only_unmoved_skeletons_join_a_squad() -> None:
    state = table(skeletons="instructor-YL@14R PT@14U/done RR@14L")
    open_march(state)
    do(state, "march 1a4 instructor-YL-right-white")
    uncover(state)
    assert sorted(standing(state).split()) == ["PT@14U/b", "RR@24R/b", "instructor-YL@24R/b"]


@rule("BB-CMD-25")
def test_a_squad_is_not_split_by_portal_dragon_or_rapier() -> None:
    portal = table(skeletons="instructor-YL@12R GT@12R", traps="portal@22")
    open_march(portal)
    do(portal, "march 1a2 instructor-YL-right-white")
    uncover(portal)
    assert standing(portal) == "GT@L4R/b instructor-YL@L4R/b"
    laid = table(skeletons="instructor-YL@12R GT@12D", supply="dragon")
    do(laid, "p1: lay dragon 1a2", "scatter right")
    assert standing(laid) == "GT@22R/b instructor-YL@22R/b"
    rapier = armed("rapier", skeletons="instructor-YL@32D BT@32D")
    do(rapier, "aim 1c2", "face up")
    assert standing(rapier) == "BT@32U/w instructor-YL@32U/w" and 0 not in rapier.busy


@rule("BB-CMD-26")
def test_a_squad_takes_the_facing_of_its_instructor() -> None:
    state = table(skeletons="instructor-YL@22R GT@22L")
    open_march(state)
    do(state, "march 1b2 instructor-YL-right-white")
    uncover(state)
    assert standing(state) == "GT@32D/b instructor-YL@32D/b"


@rule("BB-CMD-27")
@rule("BB-CMD-28")
def test_without_its_instructor_a_squad_goes_on_as_individuals() -> None:
    state = armed("crossbow", skeletons="instructor-YL@44U GT@44U BT@44U")
    do(state, "shoot 1d4 instructor-YL-up-white")
    march(finish_heroes(state))
    assert standing(state) == "GT@43U/b BT@43U/b"
    member = armed("crossbow", skeletons="instructor-YL@44U GT@44U BT@44U")
    do(member, "shoot 1d4 GT-up-white")
    assert "GT" not in standing(member) and "instructor-YL@44U/w" in standing(member)


@rule("BB-CMD-28")
@rule("BB-COOP-15")
def test_a_tower_stops_one_of_a_squad_and_the_owner_names_it() -> None:
    state = table(coop=True, skeletons="instructor-YL@12R GT@12R BT@12R")
    open_march(state)
    do(state, "march 1a2 instructor-YL-right-white")
    assert legal(state) == ["give-up GT", "give-up BT", "give-up instructor-YL"]
    assert why(state, "give-up GL") == ("not-in-squad", ["1b2"], "BB-COOP-15")
    do(state, "give-up BT")
    assert standing(state) == "GT@22U/b instructor-YL@22U/b" and state.fields[0].floors == 3


@rule("BB-CMD-29")
def test_of_two_instructors_the_chosen_one_leads_from_now_on() -> None:
    state = table(skeletons="instructor-YL@14R instructor-PT@14U")
    open_march(state)
    do(state, "march 1a4 instructor-PT-up-white")
    uncover(state)
    assert standing(state) == "instructor-YL@13U/b instructor-PT@13U/b"
    open_march(next_traps(state))
    assert legal(state) == ["march 1a3 instructor-PT-up-black", "auto"]
    assert why(state, "p1: march 1a3 instructor-YL-up-black") == ("follows-another", ["1a3"], "BB-CMD-29")
    do(state, "auto")
    uncover(state)
    field = state.fields[0]
    led = {KIND_NAMES.index("instructor-PT"): (KIND_NAMES.index("instructor-YL"),)}
    assert field.squads == led, "the same one leads when all go by themselves"


@rule("BB-CMD-30")
def test_a_squad_dissolves_when_it_leaves() -> None:
    state = table(players=3, skeletons="instructor-YL@21U GT@21U")
    open_march(state)
    do(state, "march 1b1 instructor-YL-up-white", "send p2", "send p3")
    uncover(state)
    assert (buried(state, 1), buried(state, 2)) == (["instructor-YL"], ["GT"])


@rule("BB-CMD-31")
def test_every_member_of_a_squad_does_its_own_damage() -> None:
    state = table(skeletons="instructor-YL@23R GT@23U sapper-GL@23L", floors=4)
    open_march(state)
    do(state, "march 1b3 instructor-YL-right-white")
    uncover(state)
    assert state.fields[0].floors == 0


@rule("BB-CMD-34")
@pytest.mark.parametrize("trap", ["maze-white@22", "hearse@22", "palisade@22", "wall/@22", "treasure@22"])
def test_a_saboteur_destroys_any_trap(trap: str) -> None:
    state = table(skeletons="saboteur-GL@12R", traps=trap, supply="wall")
    march(state)
    assert tiles(state) == "" and bagged(state, "saboteur-GL")
    assert supply(state) == {"wall": 1} and "hearse" not in supply(state, 1)


@rule("BB-CMD-33")
def test_a_saboteur_thrown_away_returns_to_the_bag() -> None:
    state = table(skeletons="saboteur-GL@12R", traps="hearse@22")
    march(state)
    assert buried(state, 1) == [] and bagged(state, "saboteur-GL")


@rule("BB-CMD-37")
def test_a_saboteur_killed_by_the_hero_has_not_met_the_trap() -> None:
    state = table(skeletons="saboteur-GL@12R", traps="catapult@22", hero="22")
    march(state)
    assert tiles(state) == "catapult@22" and bagged(state, "saboteur-GL")


@rule("BB-CMD-38")
def test_a_saboteur_that_met_no_trap_stays() -> None:
    state = table(skeletons="saboteur-GL@12R", traps="catapult@44")
    march(state)
    assert standing(state) == "saboteur-GL@22R/b" and tiles(state) == "catapult@44"


@pytest.mark.slow
def test_careful_beats_random() -> None:
    options = GAME.resolve({"players": 2})
    won = 0
    for seed in range(8):
        state, rng, mine = GAME.start(options), Random(seed), seed % 2
        while needs := state.needs():
            seat = rng.choice(needs).seat
            if seat == TABLE:
                action = weighted(state.outcomes(), rng)
            elif seat == mine:
                action = GAME.bots["careful"](turn_for(GAME, state, seat, rng))
            else:
                action = rng.choice(state.actions(seat))
            state.apply(seat, action)
        won += state.outcome().winners == (mine,)
    assert won >= 7, won


@pytest.mark.slow
def test_careful_holds_out_alone_in_some_games() -> None:
    options = GAME.resolve({"players": 1})
    held = 0
    for seed in range(6, 16):
        *_, last = walk(GAME, options, Random(seed), GAME.bots["careful"])
        held += last.state.outcome().code == "held"
    assert held >= 3, f"seeds 6 to 15: {held}"
