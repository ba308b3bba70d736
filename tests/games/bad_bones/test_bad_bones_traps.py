"""Heroes and traps (BB-HERO, BB-TRAP and the ten traps)."""

from __future__ import annotations

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

from companion.games.bad_bones.agenda import BadBones
from companion.games.bad_bones.pieces import BOUNCE, FORMS
from companion.games.bad_bones.score import points

rule = pytest.mark.rule


def next_traps(state: BadBones) -> BadBones:
    """Goes straight to phase II of the next round: no draws, heroes stay."""
    return begin(state, "traps")


# Heroes ------------------------------------------------------------------------------------------


@rule("BB-HERO-01")
@rule("BB-HERO-03")
@rule("BB-HERO-04")
@pytest.mark.parametrize(("hero", "n"), [("33", 8), ("11", 3), ("55", 3), ("31", 5), ("15", 3), ("24", 8)])
def test_a_hero_steps_one_cell_in_any_direction_on_the_field(hero: str, n: int) -> None:
    state = table("hero", hero=hero)
    assert len(legal(state)) == n
    assert hero != "24" or "step 1c3" in legal(state)


@rule("BB-HERO-01")
@rule("BB-HERO-02")
@rule("BB-HERO-03")
def test_a_hero_may_not_stay_jump_or_leave() -> None:
    state = table("hero", hero="11")
    assert why(state, "p1: step 1a1") == ("must-move", ["1a1"], "BB-HERO-02")
    assert why(state, "p1: step 1c1") == ("not-adjacent", ["1a1", "1c1"], "BB-HERO-01")
    assert why(state, "p1: step 1L1") == ("off-the-field", ["1L1"], "BB-HERO-03")
    assert why(state, "p1: step 2a2") == ("off-the-field", ["2a2"], "BB-HERO-03")
    assert "wait" not in {need for one in state.needs() for need in one.verbs}


@rule("BB-HERO-05")
@rule("BB-HERO-07")
@rule("BB-PALISADE-09")
@pytest.mark.parametrize("trap", [*(f"{form}@22" for form in FORMS), "wall/@22*", "dynamite@22*"])
def test_a_hero_walks_over_any_trap_without_waking_it(trap: str) -> None:
    state = table("hero", hero="11", traps=trap)
    do(state, "p1: step 1b2", "p2: step 2d4")
    uncover(state)
    assert state.fields[0].hero == 6 and tiles(state) == trap


@rule("BB-HERO-06")
def test_a_hero_destroys_all_on_his_cell_and_they_return_to_the_bag() -> None:
    state = table("hero", hero="11", skeletons="GL@22R BL@22L")
    do(state, "p1: step 1b2", "p2: step 2d4")
    uncover(state)
    assert standing(state) == "" and bagged(state, "GL", "BL")


@rule("BB-HERO-13")
def test_passing_beside_or_over_the_hero_is_safe() -> None:
    state = table(hero="32", skeletons="GL@21R BL@12R", traps="spring@22")
    march(state)
    assert sorted(standing(state).split()) == ["BL@42R/b", "GL@31D/b"]


@rule("BB-HERO-14")
def test_skeletons_never_harm_a_hero() -> None:
    state = table(hero="22", skeletons="GL@12R GL@12R GL@12R GL@12R GL@12R")
    march(state)
    assert state.fields[0].hero == 6 and standing(state) == ""


@rule("BB-HERO-15")
@rule("BB-COOP-18")
def test_a_hero_keeps_his_cell_when_the_tower_falls() -> None:
    state = table(hero="33", skeletons="GL@23R")
    march(state)
    assert (state.fields[0].hero, state.fields[0].floors) == (12, 3)
    coop = table(coop=True, hero="22", skeletons="GL@12R BL@12R YL@12R")
    open_march(coop)
    do(coop, "auto")
    field = coop.fields[0]
    assert (field.hero, field.floors) == (6, 3)
    assert standing(coop) == "" and bagged(coop, "GL", "BL", "YL")


@rule("BB-HERO-16")
def test_hero_and_skeleton_never_share_a_cell() -> None:
    state = table(hero="22", skeletons="GL@12R")
    state.check()
    state.fields[0].hero = 5
    with pytest.raises(AssertionError, match="BB-HERO-16"):
        state.check()


# Laying and lifting --------------------------------------------------------------------------------


@rule("BB-TRAP-01")
@rule("BB-TRAP-02")
@rule("BB-TRAP-22")
def test_lay_one_lift_one_or_do_nothing() -> None:
    state = table(supply="wall", traps="catapult@11*")
    verbs = {line.split()[0] for line in legal(state)}
    assert verbs == {"wait", "lay", "lift"}
    do(state, "p1: lay wall/ 1b2")
    assert tiles(state) == "catapult@11* wall/@22" and supply(state) == {}
    assert all(need.seat != 0 for need in state.needs())
    bare = table(supply="wall")
    assert {line.split()[0] for line in legal(bare)} == {"wait", "lay"}
    empty = table(traps="wall/@11", supply="catapult")
    assert why(empty, "p1: lay wall/ 1b2") == ("none-in-supply", ["1b2"], "BB-TRAP-22")
    assert why(empty, "p1: lift 1b2") == ("no-trap", ["1b2"], "BB-TRAP-08")


@rule("BB-TRAP-03")
@rule("BB-TRAP-04")
@rule("BB-TRAP-23")
@rule("BB-TOWER-06")
def test_where_a_trap_may_not_lie() -> None:
    state = table(skeletons="GL@22R", traps="catapult@11")
    assert why(state, "p1: lay wall/ 1a1") == ("trap-there", ["1a1"], "BB-TRAP-03")
    assert why(state, "p1: lay dragon 1a1") == ("trap-there", ["1a1"], "BB-TRAP-03")
    assert why(state, "p1: lay wall/ 1b2") == ("skeletons-there", ["1b2"], "BB-TRAP-03")
    assert why(state, "p1: lay wall/ 1c3") == ("tower-there", ["1c3"], "BB-TOWER-06")
    assert why(state, "p1: lay dragon 1c3") == ("tower-there", ["1c3"], "BB-TOWER-06")
    assert why(state, "p1: lay wall/ 1L2") == ("not-on-own-field", ["1L2"], "BB-TRAP-04")
    assert why(state, "p1: lay wall/ 1B2") == ("not-on-own-field", ["1B2"], "BB-TRAP-04")
    assert why(state, "p1: lay wall/ 2b2") == ("not-on-own-field", ["2b2"], "BB-TRAP-04")


@rule("BB-TRAP-05")
@rule("BB-TRAP-09")
def test_a_trap_slides_under_the_hero_and_out_again() -> None:
    state = table(hero="44")
    do(state, "p1: lay dragon 1d4")
    march(state)
    next_traps(state)
    assert tiles(state) == "dragon@44"
    do(state, "p1: lift 1d4")
    assert tiles(state) == ""
    tower = table(hero="33")
    assert why(tower, "p1: lay dragon 1c3") == ("tower-there", ["1c3"], "BB-TOWER-06")


@rule("BB-TRAP-06")
@rule("BB-WALL-09")
@rule("BB-MAZE-01")
def test_walls_have_two_directions_and_mazes_two_sides() -> None:
    state = table(supply="wall maze catapult", advanced=True)
    on_a1 = [line for line in legal(state) if line.endswith(" 1a1")]
    forms = ("wall/", "wall\\", "catapult", "maze-white", "maze-black")
    assert on_a1 == [f"lay {form} 1a1" for form in forms]


@rule("BB-TRAP-07")
@rule("BB-TRAP-08")
@rule("BB-TRAP-10")
def test_a_trap_stays_until_lifted_and_is_intact_again() -> None:
    state = table(traps="wall/@22*", supply="catapult")
    march(state)
    assert tiles(state) == "wall/@22*"
    do(next_traps(state), "p1: lift 1b2")
    assert supply(state) == {"wall": 1, "catapult": 1}
    march(state)
    do(next_traps(state), "p1: lay wall\\ 1a1")
    assert tiles(state) == "wall\\@11"


@rule("BB-TRAP-11")
def test_a_trap_may_be_lifted_under_skeletons() -> None:
    state = table(traps="maze-white@22", skeletons="BL@22R")
    do(state, "p1: lift 1b2")
    assert standing(state) == "BL@22R/w" and tiles(state) == ""
    march(state)
    assert standing(state) == "BL@32D/b"


@rule("BB-TRAP-15")
@rule("BB-TRAP-16")
@rule("BB-TRAP-19")
def test_a_trap_wears_once_when_all_have_moved() -> None:
    state = table(traps="catapult@22*", skeletons="GL@12R BL@21D YL@23U")
    march(state)
    assert buried(state, 1) == ["BL", "GL", "YL"], "the worn catapult works for all of them"
    assert tiles(state) == "" and supply(state)["catapult"] == 2
    seen = open_march(table(traps="dragon@22", skeletons="GL@12R BL@21D"))
    do(seen, "scatter down")
    assert tiles(seen) == "dragon@22"
    do(seen, "scatter down")
    uncover(seen)
    assert tiles(seen) == "dragon@22*"


@rule("BB-TRAP-20")
def test_wear_of_phase_two_is_settled_in_phase_two() -> None:
    state = table(skeletons="GL@22R PL@15R", traps="wall/@32 wall\\@25", supply="dragon")
    do(state, "p1: lay dragon 1b2", "scatter right")
    assert standing(state) == "GL@31U/b PL@15R/w" and tiles(state) == "dragon@22* wall/@32 wall\\@25"
    do(state, "p2: wait")
    uncover(state)
    assert "wall/@32*" in tiles(state) and "dragon@22*" in tiles(state)
    again = table(skeletons="GL@22R BL@42L", traps="wall/@32", supply="dragon")
    do(again, "p1: lay dragon 1b2", "scatter right")
    march(again)
    assert tiles(again) == "dragon@22*", "worn in phase II and again in phase III"


@rule("BB-TRAP-15")
@rule("BB-DRAGON-10")
def test_a_dragon_laid_on_skeletons_wears_only_once_in_that_phase() -> None:
    state = table(skeletons="GL@22R", traps="wall/@32 wall\\@31 wall/@21", supply="dragon")
    do(state, "p1: lay dragon 1b2", "scatter right", "scatter down", "p2: wait")
    assert standing(state) == "GL@23D/b"
    uncover(state)
    assert "dragon@22*" in tiles(state), "it met the same dragon again, but in the same phase"


@rule("BB-TRAP-21")
def test_a_tile_hides_the_arrows_but_dynamite_does_not() -> None:
    hidden = table(skeletons="BL@22R", traps="maze-white@32")
    march(hidden)
    assert standing(hidden) == "BL@32R/b"
    crater = table(skeletons="BL@22R", traps="dynamite@32*")
    march(crater)
    assert standing(crater) == "BL@32D/b"


# Walls -------------------------------------------------------------------------------------------


@rule("BB-WALL-02")
def test_reflections() -> None:
    letters = "URDL"
    slash = {letters[d]: letters[BOUNCE[0][d]] for d in range(4)}
    backslash = {letters[d]: letters[BOUNCE[1][d]] for d in range(4)}
    assert slash == {"R": "U", "U": "R", "L": "D", "D": "L"}
    assert backslash == {"R": "D", "D": "R", "L": "U", "U": "L"}


@rule("BB-WALL-03")
def test_nobody_stops_on_a_wall_except_for_hero_or_treasure() -> None:
    plain = table(skeletons="GL@12R", traps="wall/@22")
    march(plain)
    assert standing(plain) == "GL@21U/b"
    hero = table(skeletons="GL@12R", traps="wall/@22", hero="22")
    march(hero)
    assert standing(hero) == "" and tiles(hero) == "wall/@22"


# Treasure ----------------------------------------------------------------------------------------


@rule("BB-TREASURE-03")
def test_diagonals_and_forest_are_not_lured() -> None:
    state = table(skeletons="GL@12R BL@L1 YL@11R PL@21R")
    do(state, "p1: lay treasure 1b2")
    assert sorted(standing(state).split()) == ["BL@L1R/w", "GL@12R/w", "PL@21D/w", "YL@11R/w"]


@rule("BB-TREASURE-13")
@rule("BB-TREASURE-12")
def test_the_treasure_can_be_taken_back() -> None:
    state = table(traps="treasure@22", skeletons="GL@11R", supply="wall")
    march(state)
    assert tiles(state) == "treasure@22" and standing(state) == "GL@21D/b"
    do(next_traps(state), "p1: lift 1b2")
    assert supply(state) == {"wall": 1, "treasure": 1}


@rule("BB-TREASURE-06")
def test_the_other_reading_of_the_lure() -> None:
    state = table(
        traps="treasure@42 wall/@41", skeletons="GL@31R", players=3, treasure_overrides_traps="facing_only"
    )
    march(state, "send p2")
    assert buried(state, 1) == ["GL"] and "wall/@41*" in tiles(state)


# Dragon ------------------------------------------------------------------------------------------


@rule("BB-DRAGON-05")
def test_a_dragon_may_not_scatter_into_village_or_palisade_but_into_the_tower() -> None:
    state = table(skeletons="GL@25R", traps="dragon@35 palisade@45", hero="55")
    open_march(state)
    assert legal(state) == ["scatter up", "scatter left"]
    assert why(state, "scatter down") == ("scatter-goal", ["1c5"], "BB-DRAGON-05")
    assert why(state, "scatter right") == ("scatter-palisade", ["1c5", "1d5"], "BB-DRAGON-05")
    tower = table(skeletons="GL@22R", traps="dragon@32")
    march(tower, "scatter down")
    assert tower.fields[0].floors == 3 and bagged(tower, "GL")


@rule("BB-DRAGON-06")
def test_the_cell_reached_by_scattering_acts() -> None:
    state = table(skeletons="GL@12R", traps="dragon@22", dragon_scatter_entry="full")
    march(state, "scatter right")
    assert standing(state) == "GL@32D/b"
    plain = table(skeletons="GL@12R", traps="dragon@22", dragon_scatter_entry="plain")
    march(plain, "scatter right")
    assert standing(plain) == "GL@32R/b"


@rule("BB-DRAGON-13")
def test_a_dragon_on_an_empty_cell_waits_intact() -> None:
    state = table(supply="dragon")
    do(state, "p1: lay dragon 1b2")
    march(state)
    assert tiles(state) == "dragon@22"


@rule("BB-DRAGON-14")
def test_a_dragon_does_not_scatter_the_same_way_twice() -> None:
    walls = "dragon@22 wall/@32 wall\\@31 wall/@21"
    state = open_march(table(skeletons="GL@12R", traps=walls, dragon_scatter_entry="full"))
    do(state, "scatter right")
    assert legal(state) == ["scatter up", "scatter down", "scatter left"]
    assert why(state, "scatter right") == ("scatter-again", ["1b2"], "BB-DRAGON-14")
    do(state, "scatter down")
    uncover(state)
    assert standing(state) == "GL@23R/b", "scattered down onto (2,3), where D turns to R"


@rule("BB-MOVE-15")
def test_a_loop_ends_where_it_closes() -> None:
    walls = "dragon@22 wall\\@21 wall/@11 wall\\@12"
    state = table(skeletons="GL@12R", traps=walls)
    march(state, "scatter up")
    assert standing(state) == "GL@22R/b"


# Palisade, spring, hearse, dynamite, maze, portal ---------------------------------------------------


@rule("BB-PALISADE-06")
def test_several_walls_before_a_palisade() -> None:
    state = table(skeletons="BL@12R", traps="wall/@22 wall\\@21 palisade@11")
    march(state)
    assert standing(state) == "BL@12R/b"
    assert tiles(state) == "palisade@11* wall\\@21* wall/@22*"


@rule("BB-PALISADE-08")
def test_nobody_stands_on_a_palisade() -> None:
    state = table(skeletons="GL@12R", traps="palisade@22")
    march(state)
    state.check()
    state.fields[0].traps[5] = state.fields[0].traps[6]
    with pytest.raises(AssertionError, match="BB-PALISADE-08"):
        state.check()


@rule("BB-SPRING-09")
def test_a_spring_may_land_on_the_next_trap() -> None:
    state = table(skeletons="GL@11R", traps="spring@21 wall\\@41")
    march(state)
    assert standing(state) == "GL@42D/b" and tiles(state) == "spring@21* wall\\@41*"


@rule("BB-HEARSE-05")
@rule("BB-HEARSE-07")
@rule("BB-SCORE-10")
def test_a_hearse_is_never_worn_and_scores_for_its_last_owner() -> None:
    state = table(skeletons="GL@12R", traps="hearse@22", supply="wall", boards={1: {"supply": "wall"}})
    before = points(state.fields[0]), points(state.fields[1])
    march(state)
    assert tiles(state) == "" and supply(state, 1) == {"wall": 1, "hearse": 1}
    assert (points(state.fields[0]), points(state.fields[1])) == (before[0] - 1, before[1] + 1)


@rule("BB-HEARSE-08")
@rule("BB-SOLO-04")
def test_hearse_and_catapult_alone_and_together() -> None:
    solo = table(players=1, skeletons="GL@12R", traps="hearse@22", supply="wall")
    march(solo)
    assert buried(solo, 0) == ["GL"] and supply(solo) == {"wall": 1, "hearse": 1}
    thrown = table(players=1, skeletons="GL@12R", traps="catapult@22")
    march(thrown)
    assert buried(thrown, 0) == ["GL"]
    coop = table(coop=True, players=3, skeletons="GL@21R", traps="hearse@31", supply="wall")
    march(coop, "send p3")
    assert buried(coop, 2) == ["GL"] and supply(coop) == {"wall": 1, "hearse": 1}


@rule("BB-DYNAMITE-01")
@rule("BB-DYNAMITE-02")
@rule("BB-DYNAMITE-03")
def test_dynamite_destroys_all_who_enter_in_a_phase() -> None:
    state = table(skeletons="GL@12R BL@21D YL@23U", traps="dynamite@22")
    march(state)
    assert standing(state) == "" and bagged(state, "GL", "BL", "YL")
    assert tiles(state) == "dynamite@22*"


@rule("BB-DYNAMITE-09")
@rule("BB-DYNAMITE-10")
def test_intact_dynamite_can_be_lifted_and_sleeps_under_the_hero() -> None:
    state = table(skeletons="GL@12R", traps="dynamite@22", hero="22", supply="wall")
    march(state)
    assert tiles(state) == "dynamite@22" and bagged(state, "GL")
    do(next_traps(state), "p1: lift 1b2")
    assert supply(state) == {"wall": 1, "dynamite": 1}


@rule("BB-DYNAMITE-04")
def test_only_dragon_and_dynamite_may_be_laid_on_skeletons() -> None:
    state = table(
        skeletons="GL@22R", supply="wall catapult dragon treasure palisade hearse dynamite maze portal spring"
    )
    on_it = [line for line in legal(state) if line.endswith(" 1b2")]
    assert on_it == ["lay dragon 1b2", "lay dynamite 1b2"]


@rule("BB-MAZE-10")
def test_a_treasure_turns_those_in_a_maze_but_does_not_free_them() -> None:
    state = table(skeletons="GL@22R", traps="maze-black@22")
    do(state, "p1: lay treasure 1b1")
    assert standing(state) == "GL@22U/w"
    march(state)
    assert standing(state) == "GL@22U/b" and "treasure@21" in tiles(state)


@rule("BB-PORTAL-06")
def test_together_a_portal_leads_to_the_near_edge() -> None:
    state = table(coop=True, skeletons="GT@21R", traps="portal@31")
    march(state)
    assert standing(state) == "GT@B1U/b"


@rule("BB-CATAPULT-03")
@rule("BB-CATAPULT-04")
def test_two_catapults_may_throw_to_different_players_never_to_oneself() -> None:
    state = open_march(table(players=3, skeletons="GL@12R BL@14R", traps="catapult@22 catapult@24"))
    assert why(state, "send p1") == ("own-cemetery", ["1cemetery"], "BB-CATAPULT-04")
    do(state, "send p2", "send p3")
    uncover(state)
    assert (buried(state, 1), buried(state, 2)) == (["GL"], ["BL"])


@rule("BB-FOREST-04")
def test_over_the_top_never_to_oneself_also_after_a_wall() -> None:
    state = open_march(table(players=3, skeletons="GL@L1", traps="wall/@11"))
    assert why(state, "send p1") == ("own-cemetery", ["1cemetery"], "BB-FOREST-04")
    assert why(state, "send p4") == ("no-such-seat", [], "BB-FOREST-04")


@rule("BB-FOREST-04")
def test_the_top_edge_may_be_opened_to_the_own_cemetery() -> None:
    """«…на кладбище любого игрока по вашему выбору»"""
    state = open_march(table(players=3, skeletons="GL@21U", top_exit_allow_self=True))
    assert legal(state) == ["send p1", "send p2", "send p3"]


@rule("BB-FOREST-06")
def test_of_two_nobody_sends_to_himself() -> None:
    """«При игре вдвоём все скелеты, покидающие ваше поле через лес… попадают на кладбище вашего единственного
    соперника.»
    """
    state = table(players=2, skeletons="GL@21U", top_exit_allow_self=True)
    march(state)
    assert buried(state, 1) == ["GL"]


@rule("BB-COOP-20")
def test_together_nobody_sends_to_himself() -> None:
    """«…через нижний край поля, положите его на кладбище другого игрока (по вашему выбору)»"""
    given = {"coop": True, "players": 3, "hero": "12"}
    state = open_march(table(skeletons="GL@35D", top_exit_allow_self=True, **given))
    assert legal(state) == ["send p2", "send p3"]


# Tower, end ----------------------------------------------------------------------------------------


@rule("BB-TOWER-03")
@rule("BB-TOWER-07")
@rule("BB-END-01")
def test_the_last_floor() -> None:
    state = table(skeletons="GL@23R BL@32D YL@34U", floors=2)
    march(state)
    assert state.phase() == "over" and state.fields[0].floors == 0
    assert bagged(state, "GL", "BL", "YL") and state.outcome().winners == (1,)


@rule("BB-END-07")
def test_falling_in_phase_two_ends_the_game_after_the_march() -> None:
    state = table(skeletons="GL@32R PL@14R", floors=1, supply="dragon", boards={1: {"skeletons": "GL@11R"}})
    do(state, "p1: lay dragon 1c2", "scatter down", "p2: wait")
    assert state.outcome() is None and state.fields[0].fallen
    uncover(state)
    assert state.phase() == "over" and state.outcome().winners == (1,)
    assert standing(state, 1) == "GL@21R/b", "all boards finish the march"


@rule("BB-SCORE-09")
def test_weapons_and_craters_are_worth_nothing() -> None:
    bare = table(supply="wall")
    rich = table(supply="wall", weapon="crossbow", traps="dynamite@22*", advanced=True)
    assert points(bare.fields[0]) == points(rich.fields[0])


@rule("BB-ARROW-08")
def test_arrows_do_not_touch_heroes() -> None:
    state = table("hero", hero="22")
    do(state, "p1: step 1c2", "p2: step 2d4")
    uncover(state)
    assert GAME.view(state, 0)["hero"][0] == 7
