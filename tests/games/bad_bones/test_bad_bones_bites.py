"""Short statements that fail when a rule is changed a little: found by changing it."""

from __future__ import annotations

import pytest
from bad_bones_boards import (
    GAME,
    bagged,
    buried,
    cell,
    do,
    legal,
    march,
    open_march,
    standing,
    table,
    tiles,
    told,
    uncover,
    why,
)

from companion.engine.action import TABLE
from companion.games.bad_bones.agenda import BadBones
from companion.games.bad_bones.pieces import ITEMS, PLACE_NAMES, WEAPONS
from companion.games.bad_bones.printed import KIND_NAMES, PRINTED
from companion.games.bad_bones.tokens import KIND_OF

rule = pytest.mark.rule
SABOTEUR = "saboteur-GL"


def copies(state, name: str) -> int:
    """Where a token is, counted over the whole table."""
    kind = KIND_NAMES.index(name)
    return (
        state.bag.counts[kind]
        + sum(KIND_OF[skeleton] == kind for field in state.fields for skeleton in field.tokens)
        + sum(graves.count(kind) for graves in state.cemetery)
        + state.boxed.count(kind)
    )


# Saboteurs -----------------------------------------------------------------------------------------


@rule("BB-CMD-33")
@rule("BB-ROUND-06")
@pytest.mark.parametrize(
    "trap", ["wall/@22", "catapult@22", "portal@22", "spring@22", "hearse@22", "maze-white@22", "palisade@22"]
)
def test_a_saboteur_that_met_a_trap_is_in_the_bag_once_and_nowhere_else(trap: str) -> None:
    state = table(skeletons=f"{SABOTEUR}@12R", traps=trap, advanced=True)
    march(state)
    assert copies(state, SABOTEUR) == 1 and bagged(state, SABOTEUR)
    assert tiles(state) == "" and standing(state) == "" and buried(state, 1) == []
    state.check()


@rule("BB-CMD-33")
def test_a_saboteur_that_the_hero_strikes_behind_a_wall_is_in_the_bag_once() -> None:
    state = table(skeletons=f"{SABOTEUR}@12R", traps="wall/@22", hero="21")
    march(state)
    assert copies(state, SABOTEUR) == 1 and bagged(state, SABOTEUR) and tiles(state) == ""
    state.check()


@rule("BB-CMD-32")
def test_a_saboteur_in_a_squad_wrecks_for_all_and_leaves_the_others() -> None:
    state = open_march(table(skeletons=f"instructor-YL@12R {SABOTEUR}@12U GT@12U", traps="wall/@22"))
    do(state, "march 1a2 instructor-YL-right-white")
    uncover(state)
    assert standing(state) == "GT@21U/b instructor-YL@21U/b" and tiles(state) == ""
    assert bagged(state, SABOTEUR)
    assert state.fields[0].squads == {KIND_NAMES.index("instructor-YL"): (KIND_NAMES.index("GT"),)}


@rule("BB-CMD-38")
def test_a_saboteur_wrecks_only_what_he_met() -> None:
    state = table(skeletons=f"{SABOTEUR}@12R GT@14R", traps="wall/@24")
    march(state)
    assert tiles(state) == "wall/@24*" and f"{SABOTEUR}@22R/b" in standing(state)


@rule("BB-CMD-35")
def test_dynamite_keeps_its_crater_after_a_saboteur() -> None:
    state = table(skeletons=f"{SABOTEUR}@12R GT@21D", traps="dynamite@22 wall/@44", advanced=True)
    march(state)
    assert tiles(state) == "dynamite@22* wall/@44" and bagged(state, SABOTEUR, "GT")
    state.check()


# Peacemakers and cooperative towers ------------------------------------------------------------------


@rule("BB-CMD-12")
def test_a_peacemaker_leaves_a_standing_tower_as_it_is() -> None:
    state = table(coop=True, skeletons="peacemaker-BL@12R", ruins="44")
    march(state)
    field = state.fields[0]
    assert field.floors == 3 and cell("22") in field.towers
    assert bagged(state, "peacemaker-BL") and standing(state) == ""


@rule("BB-CMD-12")
def test_a_peacemaker_rebuilds_an_empty_ruin() -> None:
    state = table(coop=True, skeletons="peacemaker-BL@12R", ruins="22")
    march(state)
    field = state.fields[0]
    assert field.floors == 4 and cell("22") in field.towers and bagged(state, "peacemaker-BL")


@rule("BB-CMD-12")
@pytest.mark.parametrize(
    "given", [{"hero": "22"}, {"traps": "maze-white@22", "advanced": True}, {"skeletons": "GL@22R/done "}]
)
def test_a_ruin_where_anything_is_is_not_rebuilt(given: dict) -> None:
    given = dict(given)
    crew = given.pop("skeletons", "") + "peacemaker-BL@12R"
    state = table(coop=True, skeletons=crew, ruins="22", **({"hero": "55"} | given))
    march(state)
    assert state.fields[0].floors == 3 and cell("22") not in state.fields[0].towers


@rule("BB-CMD-12")
@rule("BB-COOP-15")
def test_a_tower_that_a_peacemaker_reached_still_stops_the_next_of_the_squad() -> None:
    state = open_march(table(coop=True, skeletons="instructor-YL@12R peacemaker-BL@12R GL@12R"))
    do(state, "march 1a2 instructor-YL-right-white", "give-up peacemaker-BL")
    assert legal(state) == ["give-up GL", "give-up instructor-YL"]
    do(state, "give-up GL")
    assert state.fields[0].floors == 3 and standing(state) == "instructor-YL@22U/b"
    assert bagged(state, "GL", "peacemaker-BL")


@rule("BB-CMD-12")
def test_the_capital_regains_one_house_and_no_more_than_it_had() -> None:
    burnt = table(coop=True, players=3, capital=1, skeletons="peacemaker-BL@11U")
    march(burnt)
    assert burnt.capital == 2
    whole = table(coop=True, players=3, skeletons="peacemaker-BL@11U")
    march(whole)
    assert whole.capital == 3 and bagged(whole, "peacemaker-BL")


@rule("BB-CMD-06")
def test_a_sapper_fells_one_cooperative_tower_and_burns_two_houses() -> None:
    state = table(coop=True, players=3, skeletons="sapper-GL@12R sapper-BT@11U", capital=3)
    march(state)
    assert state.fields[0].floors == 3 and state.capital == 1


# Squads ----------------------------------------------------------------------------------------------


@rule("BB-CMD-24")
def test_who_has_moved_does_not_join_a_squad() -> None:
    state = open_march(table(skeletons="instructor-YL@14R BL@14U GT@14L/done"))
    do(state, "auto")
    uncover(state)
    assert standing(state) == "GT@14L/b BL@24R/b instructor-YL@24R/b"


@rule("BB-CMD-24")
def test_in_the_forest_an_instructor_goes_alone_until_he_has_led_somebody() -> None:
    state = table(skeletons="instructor-YL@L4 YL@L4 YL@L4")
    march(state)
    assert state.fields[0].squads == {}
    assert standing(state) == "YL@14R/b YL@14R/b instructor-YL@14R/b"


@rule("BB-CMD-26")
def test_held_by_a_palisade_a_squad_faces_where_its_instructor_does() -> None:
    state = open_march(table(skeletons="instructor-YL@14R BL@14U", traps="palisade@24", advanced=True))
    do(state, "auto")
    uncover(state)
    assert standing(state) == "BL@14R/b instructor-YL@14R/b" and tiles(state) == "palisade@24*"


@rule("BB-CMD-28")
def test_a_squad_goes_on_without_a_member_who_fell() -> None:
    state = table(
        "hero",
        weapon="crossbow",
        advanced=True,
        hero="33",
        skeletons="GL@22R GL@22R GL@22R instructor-YL@14R BL@14R",
    )
    field = state.fields[0]
    field.squads = {KIND_NAMES.index("instructor-YL"): (KIND_NAMES.index("BL"),)}
    do(state, "p1: step 1b2", "shoot 1a4 BL-right-white")
    assert state.fields[0].squads == {} and standing(state) == "instructor-YL@14R/w"


@rule("BB-CMD-27")
def test_the_crossbow_frees_a_squad_by_its_instructor() -> None:
    state = table(
        "hero",
        weapon="crossbow",
        advanced=True,
        hero="33",
        skeletons="GL@22R GL@22R GL@22R instructor-YL@14R BL@14R",
    )
    field = state.fields[0]
    field.squads = {KIND_NAMES.index("instructor-YL"): (KIND_NAMES.index("BL"),)}
    do(state, "p1: step 1b2", "shoot 1a4 instructor-YL-right-white")
    assert state.fields[0].squads == {} and standing(state) == "BL@14R/w"


@rule("BB-CMD-29")
def test_a_copy_of_a_led_skeleton_that_is_not_led_may_go_first() -> None:
    state = table(skeletons="instructor-YL@14R BL@14R BL@14R")
    state.fields[0].squads = {KIND_NAMES.index("instructor-YL"): (KIND_NAMES.index("BL"),)}
    state.shown = state.fields[:]
    open_march(state)
    assert "march 1a4 BL-right-white" in legal(state)
    do(state, "march 1a4 BL-right-white")
    assert "march 1a4 BL-right-white" not in legal(state), "the other one is led"


# Weapons ---------------------------------------------------------------------------------------------


@rule("BB-WEAPON-01")
@pytest.mark.parametrize(("n", "usable"), [(2, False), (3, True), (4, True)])
def test_three_at_once_make_a_weapon_usable(n: int, usable: bool) -> None:
    state = table("hero", weapon="crossbow", advanced=True, hero="33", skeletons="GL@22R " * n + "BL@44R")
    do(state, "p1: step 1b2")
    assert (0 in state.busy) == usable


@rule("BB-WEAPON-05")
def test_a_declined_weapon_may_be_used_at_the_next_kill_of_the_march() -> None:
    state = open_march(
        table(weapon="death_wand", advanced=True, hero="22", players=3, skeletons="BL@12R " * 5)
    )
    do(state, *["march 1a2 BL-right-white"] * 3, "decline")
    assert legal(state)[:1] == ["march 1a2 BL-right-white"]
    do(state, "march 1a2 BL-right-white", "banish p2")
    uncover(state)
    assert buried(state, 1) == ["BL"] * 4 and bagged(state) and state.fields[0].slain == []


@rule("BB-CMD-22")
def test_the_wand_of_death_sends_a_ghost_too() -> None:
    state = table(
        "hero", weapon="death_wand", advanced=True, hero="33", skeletons="ghost-RL@22R GL@22R GL@22R"
    )
    do(state, "p1: step 1b2", "banish p2")
    do(state, "p2: step 2d4")
    uncover(state)
    assert buried(state, 1) == ["GL", "GL", "ghost-RL"] and buried(state, 0) == []


@rule("BB-DRAGON-04")
def test_a_dragon_by_the_forest_may_send_over_each_forest_edge() -> None:
    state = open_march(table(skeletons="GL@12U", traps="dragon@11"))
    assert legal(state) == ["scatter up", "scatter right", "scatter down", "scatter left"]


# Small numbers and edges ---------------------------------------------------------------------------


def shop() -> BadBones:
    """Two players at the market, the first one to buy."""
    state = BadBones(GAME.resolve({"players": 2, "advanced": True}))
    while state.phase() == "setup":
        state.apply(TABLE, state.actions(TABLE)[0])
    do(state, "table: first p1")
    return state


@rule("BB-ADV-07")
def test_a_weapon_that_was_bought_is_not_on_offer_any_more() -> None:
    state = shop()
    do(state, "p1: buy crossbow")
    assert why(state, "p2: buy crossbow") == ("sold-out", [], "BB-ADV-07")


@rule("BB-ADV-09")
@pytest.mark.parametrize("second", ["crossbow", "rapier"])
def test_no_second_weapon_whichever_it_is(second: str) -> None:
    state = shop()
    do(state, "p1: buy flail", "p2: buy wall", "p2: buy wall")
    assert why(state, f"p1: buy {second}") == ("has-weapon", [], "BB-ADV-09")


@rule("BB-ADV-09")
def test_weapons_are_listed_until_one_is_bought() -> None:
    state = shop()
    weapons = {f"buy {weapon}" for weapon in WEAPONS}
    assert weapons <= set(legal(state))
    do(state, "p1: buy flail", "p2: buy wall", "p2: buy wall")
    assert weapons.isdisjoint(legal(state)) and "buy wall" in legal(state)


@rule("BB-ADV-08")
def test_what_costs_the_last_coin_is_listed_and_what_costs_more_is_not() -> None:
    state = shop()
    prices = {f"buy {item}": price for item, price in zip(ITEMS, PRINTED.prices, strict=True)}
    del prices["buy treasure"]
    for coins in range(max(prices.values()) + 2):
        state.coins[0] = coins
        assert legal(state)[:-1] == [line for line, price in prices.items() if price <= coins]


@rule("BB-SETUP-02")
def test_without_commanders_none_is_drawn() -> None:
    state = BadBones(GAME.resolve({"players": 2}))
    assert why(state, "table: draw sapper-GL") == ("not-drawn", [], "BB-NEW-08")


@rule("BB-TREASURE-04")
def test_a_treasure_in_the_first_corner_lures_too() -> None:
    state = table(skeletons="GL@22L BL@22U", traps="treasure@11")
    march(state)
    assert standing(state) == "BL@21L/b GL@12U/b"


@rule("BB-DRAGON-05")
def test_a_palisade_in_the_first_corner_is_named_as_one() -> None:
    state = open_march(table(skeletons="GL@22U", traps="dragon@21 palisade@11", advanced=True))
    assert why(state, "p1: scatter left") == ("scatter-palisade", ["1b1", "1a1"], "BB-DRAGON-05")


@rule("BB-CMD-18")
def test_the_owner_says_whether_the_emperor_meets_the_hero_first() -> None:
    state = open_march(table(skeletons="emperor-RT@12R GL@32L", hero="22"))
    assert legal(state) == ["march 1a2 emperor-RT-right-white", "march 1c2 GL-left-white", "auto"]
    do(state, "march 1a2 emperor-RT-right-white")
    assert standing(state) == "GL@22L/b" and state.fields[0].hero == -1
    alone = table(skeletons="sapper-GL@12R GL@32L", hero="22")
    march(alone)
    assert alone.phase() != "march", "without him nobody is asked"


@rule("BB-HERO-01")
def test_what_is_told_of_the_second_board_names_its_cells() -> None:
    hero = table("hero", boards={1: {"hero": "33"}})
    assert why(hero, "p2: step 2a1") == ("not-adjacent", ["2c3", "2a1"], "BB-HERO-01")
    state = table(coop=True, boards={1: {"skeletons": "peacemaker-BL@12R GL@14L", "ruins": "22"}})
    events = march(state)
    base = len(PLACE_NAMES)
    assert [e["cells"] for e in told(events, "walked") if e["skeletons"] == ["peacemaker-BL"]] == [
        [base + cell("12"), base + cell("22")]
    ]
    assert [e["cell"] for e in told(events, "tower-repaired")] == [base + cell("22")]


@rule("BB-ROUND-02")
def test_uncovering_a_phase_leaves_earlier_copies_alone() -> None:
    state = table("hero", hero="33", skeletons="GL@22R")
    do(state, "p1: step 1b2", "p2: step 2d4")
    before = state.copy()
    uncover(state)
    assert before.fields[0].slain == [KIND_NAMES.index("GL")] and state.fields[0].slain == []
    before.check()


@rule("BB-BOOK-08")
def test_a_palisade_in_the_first_corner_bars_a_flight_round_a_wall() -> None:
    state = table(skeletons="GL@22R", supply="dragon", traps="wall\\@21 palisade@11", advanced=True)
    do(state, "p1: lay dragon 1b2")
    assert legal(state) == ["scatter right", "scatter down", "scatter left"]


@rule("BB-MOVE-02")
def test_those_who_only_step_onto_plain_cells_are_told_together() -> None:
    events = march(table(skeletons="GL@14R BL@44R"))
    assert [fact["n"] for fact in told(events, "marched")] == [2] and not told(events, "walked")


@rule("BB-ROUND-01")
def test_after_set_up_the_draw_begins_anew_with_the_first_seat() -> None:
    state = BadBones(GAME.resolve({"players": 2}))
    while state.phase() == "setup":
        state.apply(TABLE, state.actions(TABLE)[0])
    assert GAME.view(state, 0)["seat"] == 0
