"""Short statements that fail when a rule is changed a little: found by changing it."""

from __future__ import annotations

from random import Random

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

from companion.engine.action import PUBLIC, TABLE
from companion.games.bad_bones.agenda import BadBones
from companion.games.bad_bones.forecast import fates
from companion.games.bad_bones.pieces import ITEMS, PLACE_NAMES, WEAPONS
from companion.games.bad_bones.printed import KIND_NAMES, PRINTED
from companion.games.bad_bones.seating import SEATINGS
from companion.games.bad_bones.tokens import KIND_OF
from companion.table.play import walk

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


# What is told, and to whom ---------------------------------------------------------------------------


@rule("BB-HERO-05")
def test_a_hero_in_the_first_corner_strikes_and_stays() -> None:
    state = table(skeletons="BL@12U", hero="11")
    events = march(state)
    assert told(events, "slain") and not told(events, "hero-lost") and state.fields[0].hero == 0


@rule("BB-CMD-14")
@pytest.mark.parametrize("emperor", ["emperor-RT@23R", "emperor-RT@15D"])
def test_all_hear_that_the_emperor_has_won(emperor: str) -> None:
    """«Если император приходит в башню или в деревню … вы сразу проигрываете»"""
    (news,) = told(march(table(skeletons=emperor)), "emperor-won")
    assert (news["seat"], news["skeleton"]) == (0, "emperor-RT")


@rule("BB-HEARSE-03")
def test_all_hear_to_whom_the_hearse_goes() -> None:
    state = table(skeletons="GL@12R", traps="hearse@22", advanced=True)
    assert [news["to_seat"] for news in told(march(state), "hearse-left")] == [1]


@rule("BB-ROUND-03")
@pytest.mark.parametrize("skeletons", ["BL@12R", "BL@12R BL@32L GL@21U GL@21U"])
def test_everybody_hears_each_deed_of_a_march_once(skeletons: str) -> None:
    state = table(skeletons=skeletons, hero="22")
    events = march(state)
    while state.phase() == "march":
        events += do(state, "auto")
        events += uncover(state)
    for viewer in (0, 1, PUBLIC):
        cells = [event.data["cell"] for event in events if event.kind == "slain" and event.is_for(viewer)]
        assert cells and len(cells) == skeletons.count("BL"), viewer


@rule("BB-ROUND-02")
def test_the_sixth_player_hears_of_a_choice_before_the_others() -> None:
    state = table("hero", players=6)
    events = do(state, "p6: step 6d5")
    assert events and all(event.is_for(5) and not event.is_for(0) for event in events)
    for seat in "12345":
        do(state, f"p{seat}: step {seat}d5")
    told_now = [event for event in uncover(state) if event.data.get("seat") == 5]
    assert told_now and all(event.is_for(0) and not event.is_for(5) for event in told_now)


@rule("BB-ADV-11")
def test_all_hear_that_the_market_is_closed() -> None:
    state = BadBones(GAME.resolve({"players": 2, "advanced": True}))
    kinds = []
    while "market-closed" not in kinds:
        need = state.needs()[0]
        choices = state.actions(need.seat)
        passing = [action for action in choices if action.verb == "pass"]
        kinds += [event.kind for event in state.apply(need.seat, (passing or choices)[0])]
    assert kinds.count("market-closed") == 1 and sum(state.offer) == 0


@rule("BB-SPRING-01")
@pytest.mark.parametrize(
    ("skeleton", "spring", "lands"),
    [("GL@41L", "spring@31", "GL@11L/b"), ("GL@14U", "spring@13", "GL@11U/b")],
)
def test_a_spring_throws_onto_the_first_corner(skeleton: str, spring: str, lands: str) -> None:
    state = table(skeletons=skeleton, traps=spring, advanced=True)
    march(state)
    assert standing(state) == lands


@rule("BB-SPRING-01")
@pytest.mark.parametrize(("skeleton", "spring"), [("GL@31L", "spring@21"), ("GL@13U", "spring@12")])
def test_a_spring_throws_over_the_first_corner_into_the_forest(skeleton: str, spring: str) -> None:
    state = table(players=3, skeletons=skeleton, traps=spring, advanced=True)
    march(state)
    if state.phase() == "march":
        do(state, "send p2")
        uncover(state)
    assert standing(state) == "" and [buried(state, 1), buried(state, 2)].count(["GL"]) == 1


SELDOM = {
    "banished",
    "emperor-won",
    "felled",
    "flung",
    "frozen",
    "held",
    "hero-lost",
    "house-repaired",
    "peacemaker-left",
    "pursued",
    "sabotaged",
    "teleported",
    "tower-repaired",
    "turned",
    "weapon-used",
}
"""What random play brings now and then, or never."""


def test_what_random_play_brings_is_told() -> None:
    told = {
        event.kind
        for given in GAME.samples.values()
        for seed in range(4)
        for step in walk(GAME, GAME.resolve(given), Random(seed))
        for event in step.events
    }
    kinds = {name.split(".")[1] for name in GAME.texts.table if name.startswith("event.")}
    assert kinds - told <= SELDOM


def test_what_nobody_chooses_is_the_literal_reading() -> None:
    """The base game for two by the Russian book: «уничтожение … разом», «на … пустую клетку», and no
    variant unasked."""
    literal = {
        "players": 2,
        "deck": "digital",
        "rounds": 10,
        "edition": "ru",
        "setup_distinct_symbols": True,
        "treasure_overrides_traps": "suppress",
        "dragon_scatter_entry": "plain",
        "hearse_in_solo_coop": True,
        "weapon_count_scope": "phase",
        "flail_target": "empty",
        "commanders_in_setup": "keep",
    }
    others = dict.fromkeys(("coop", "advanced", "commanders", "top_exit_allow_self"), False)
    assert GAME.resolve({}) == {**literal, **others}


@rule("BB-BOOK-01")
@rule("BB-BOOK-10")
@pytest.mark.parametrize(
    ("players", "coop", "slots", "turned"),
    [
        (2, False, [(0, 0), (0, 1)], 0),
        (3, False, [(0, 2), (0, 1), (0, 0)], 0),
        (5, False, [(0, 2), (0, 1), (0, 0), (1, 2), (1, 1)], 0),
        (2, True, [(0, 0), (0, 1)], 0),
        (3, True, [(0, 2), (0, 1), (0, 0)], 0),
        (4, True, [(1, 2), (1, 1), (1, 0), (0, 0)], 1),
        (6, True, [(1, 2), (1, 1), (1, 0), (0, 0), (0, 1), (0, 2)], 3),
    ],
)
def test_only_together_and_beyond_three_does_somebody_sit_opposite(
    players: int, coop: bool, slots: list[tuple[int, int]], turned: int
) -> None:
    """«Положите планшеты так, чтобы граница без леса была направлена в центр стола»: together alone."""
    found = SEATINGS[players, coop]
    assert list(found.slots) == slots
    assert found.turned == (False,) * (players - turned) + (True,) * turned


@rule("BB-ADV-05")
@pytest.mark.parametrize(("players", "asked"), [(1, [(0, ("buy", "pass"))]), (2, [(TABLE, ("first",))])])
def test_only_among_rivals_chance_says_who_buys_first(players: int, asked: list) -> None:
    """«Случайным образом выберите первого игрока.»"""
    state = BadBones(GAME.resolve({"players": players, "advanced": True}))
    while state.needs()[0].verbs == ("draw",):
        state.apply(TABLE, state.outcomes()[0][0])
    assert [(need.seat, need.verbs) for need in state.needs()] == asked


@rule("BB-CMD-05")
@rule("BB-CMD-10")
@rule("BB-CMD-14")
@pytest.mark.parametrize(
    ("skeleton", "damage"),
    [("BL", 1), ("sapper-{}", 2), ("peacemaker-{}", 0), ("emperor-{}", 9), ("ghost-{}", 1)],
)
def test_the_forecast_says_how_much_is_destroyed(skeleton: str, damage: int) -> None:
    """«он уничтожает 2 яруса башни/2 дома вместо одного»; a peacemaker none, the emperor all."""
    name = next(kind for kind in KIND_NAMES if kind.startswith(skeleton.format("")))
    at_tower, at_village = (table(skeletons=f"{name}@{where}") for where in ("23R", "15D"))
    (tower,), (village,) = (fates(GAME.view(state, 0), 0) for state in (at_tower, at_village))
    assert (tower["floors"], tower["houses"]) == (damage, 0)
    assert (village["floors"], village["houses"]) == (0, damage)


@rule("BB-SOLO-08")
def test_one_to_thirty_rounds_can_be_agreed_on() -> None:
    """«Чтобы изменить сложность игры, просто увеличьте или уменьшите количество необходимых для победы
    раундов.»"""
    (rounds,) = (option for option in GAME.options if option.name == "rounds")
    assert rounds.choices == tuple(range(1, 31))


@rule("BB-DRAGON-10")
@rule("BB-BOOK-03")
def test_two_instructors_under_a_dragon_flee_with_all_others_as_one_squad() -> None:
    """«все скелеты на одной клетке с ним (даже другие командиры) становятся одним отрядом»"""
    state = table(skeletons="instructor-YL@12R instructor-PT@12U BL@12L", supply="dragon")
    do(state, "p1: lay dragon 1a2", "scatter right")
    squad = {"instructor-YL@22R/b", "instructor-PT@22R/b", "BL@22R/b"}
    assert set(standing(state).split()) == squad


@rule("BB-DRAGON-05")
@rule("BB-BOOK-08")
@pytest.mark.parametrize("skeletons", ["GL@15R", "GL@15R BL@15R"])
def test_whoever_is_thrown_onto_a_dragon_that_is_shut_in_stays(skeletons: str) -> None:
    """«скелет остаётся на месте, а … считаются использованными»"""
    traps = "spring@25 dragon@45 palisade@35 palisade@55 palisade@44"
    state = table(skeletons=skeletons, traps=traps, advanced=True, players=6)
    march(state)
    assert standing(state).split() == [f"{one}/b" for one in skeletons.split()]
    assert "dragon@45*" in tiles(state) and "spring@25*" in tiles(state)


@rule("BB-WEAPON-01")
def test_all_hear_that_a_weapon_was_used() -> None:
    """«Эффект вашего оружия применяется, как только ваш герой уничтожает как минимум три скелета разом»"""
    state = table(weapon="crossbow", advanced=True, hero="22", skeletons="GL@12R " * 3 + "BL@44R")
    open_march(state)
    do(state, *["march 1a2 GL-right-white"] * 3, "shoot 1d4 BL-right-white")
    assert told(uncover(state), "weapon-used") == [{"seat": 0, "weapon": "crossbow"}]


@rule("BB-WEAPON-15")
@pytest.mark.parametrize("to", ["1d4", "1b2", "1b5"])
def test_the_sword_gives_one_more_step_and_no_leap(to: str) -> None:
    """«Ваш герой может сделать ещё один ход.»"""
    state = table(
        "hero", weapon="two_handed_sword", advanced=True, hero="33", skeletons="GL@22R GL@22R GL@22R"
    )
    do(state, "p1: step 1b2")
    beside = {f"strike 1{cell}" for cell in ("a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3")}
    assert set(legal(state)) == beside | {"decline"}
    assert why(state, f"p1: strike {to}") is not None


@rule("BB-COOP-03")
def test_together_there_are_the_houses_of_the_capital_and_no_others() -> None:
    """«Возьмите тайлы с домами по количеству игроков…; это общая столица»"""
    seen = GAME.view(table(players=3, coop=True), PUBLIC)
    assert (seen["houses"], seen["capital"]) == ([0, 0, 0], 3)
    rivals = GAME.view(table(players=3), PUBLIC)
    assert (rivals["houses"], rivals["capital"]) == ([5, 5, 5], 0)


@rule("BB-SPRING-09")
@rule("BB-PALISADE-05")
def test_whom_a_wall_turns_after_a_spring_walks_and_is_held_by_a_palisade() -> None:
    """«…если стена направляет скелет прямо на частокол, то скелет остаётся на месте»: only who is thrown upon
    the stakes is impaled.
    """
    state = table(
        skeletons="BL@15R", traps="spring@25 wall/@45 palisade@44", advanced=True, players=3, hero="11"
    )
    march(state)
    assert standing(state) == "BL@15R/b" and tiles(state) == "palisade@44* spring@25* wall/@45*"


@rule("BB-COOP-14")
@rule("BB-TREASURE-04")
def test_whom_a_fallen_tower_lets_through_turns_to_the_treasure() -> None:
    """«Соблазн поживы преобладает над действием любых ловушек и стрелок на поле.»"""
    state = open_march(table(coop=True, skeletons="instructor-YL@12R GL@12U", traps="treasure@23"))
    do(state, "march 1a2 instructor-YL-right-white", "give-up GL")
    uncover(state)
    assert standing(state) == "instructor-YL@22D/b"


@rule("BB-CMD-16")
@rule("BB-CMD-18")
@pytest.mark.parametrize("coop", [False, True])
def test_an_emperor_that_the_hero_kills_goes_to_the_box_and_takes_him_along(coop: bool) -> None:
    """«Если император умирает от руки героя, он убирается в коробку, а не в мешок. Однако и герой покидает
    игру.»
    """
    state = table(coop=coop, skeletons="emperor-RT@11R", hero="21")
    march(state)
    assert [KIND_NAMES[kind] for kind in state.boxed] == ["emperor-RT"] and state.fields[0].hero == -1
    assert state.outcome() is None


@rule("BB-COOP-22")
@rule("BB-CMD-13")
def test_a_peacemaker_comes_too_late_to_a_capital_that_has_burnt() -> None:
    """«Игра заканчивается, если все дома вашей столицы будут сожжены…»"""
    state = open_march(table(coop=True, capital=1, skeletons="GL@31U peacemaker-BL@31U"))
    do(state, "march 1c1 GL-up-white")
    assert state.outcome() is not None and state.outcome().code == "capital-burnt"


@rule("BB-VILLAGE-04")
def test_with_a_single_house_a_village_still_stands() -> None:
    """«Если скелет сжигает последний дом вашей деревни, игра заканчивается»: the last one, no other."""
    state = table(skeletons="GL@45D", houses=2)
    march(state)
    assert state.fields[0].houses == 1 and state.outcome() is None


@rule("BB-TREASURE-01")
def test_a_treasure_laid_under_the_hero_lures_at_once_too() -> None:
    """«Когда на поле выкладывается сокровище, все скелеты на соседних с ним клетках…»"""
    state = table(skeletons="GL@12R BL@23L", hero="22", supply="treasure")
    do(state, "p1: lay treasure 1b2")
    uncover(state)
    assert standing(state) == "GL@12R/w BL@23U/w"
