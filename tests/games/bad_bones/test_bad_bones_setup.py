"""Set-up, rounds, draws and the market (BB-SETUP, BB-ROUND, BB-NEW, BB-ADV)."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from bad_bones_boards import (
    GAME,
    buried,
    do,
    legal,
    march,
    standing,
    supply,
    table,
    tiles,
    told,
    uncover,
    why,
)

from companion.engine.action import PUBLIC, TABLE
from companion.engine.chance import weighted
from companion.engine.errors import ConfigError
from companion.engine.layout import Piece
from companion.games.bad_bones.agenda import BadBones
from companion.games.bad_bones.layout import placement_refusal
from companion.games.bad_bones.pieces import PLACES, TRAPS, WEAPONS
from companion.games.bad_bones.printed import KIND_NAMES, KINDS, PRINTED
from companion.games.bad_bones.score import points
from companion.games.bad_bones.tokens import KIND_OF, PLACE_OF
from companion.table.play import simulate, walk

rule = pytest.mark.rule


def start(**given) -> BadBones:
    return GAME.start(GAME.resolve(given))


def set_up(seed: int = 1, **given) -> BadBones:
    """A game after the set-up draws."""
    state, rng = start(**given), Random(seed)
    while state.phase() == "setup":
        state.apply(TABLE, weighted(state.outcomes(), rng))
    return state


def at_market(**given) -> BadBones:
    state = set_up(advanced=True, **given)
    if state.needs()[0].verbs == ("first",):
        do(state, "table: first p1")
    return state


@rule("BB-SETUP-01")
def test_one_player_cannot_play_together_and_seven_cannot_play() -> None:
    with pytest.raises(ConfigError, match=r"2 to 6.*BB-SETUP-01"):
        GAME.resolve({"players": 1, "coop": True})
    with pytest.raises(ConfigError, match="players"):
        GAME.resolve({"players": 7})
    for players in range(1, 7):
        for coop in (False, True) if players > 1 else (False,):
            for modules in ({}, {"advanced": True}, {"commanders": True}):
                assert start(players=players, coop=coop, **modules).needs()


@rule("BB-SETUP-02")
@rule("BB-CMD-01")
def test_the_bag_holds_180_and_with_commanders_199() -> None:
    assert start().bag.size == 180
    assert start().bag.counts == [12] * 15
    assert start(commanders=True).bag.size == 199
    abilities = Counter(kind.ability for kind in KINDS if kind.ability)
    assert sorted(abilities.values()) == [1, 3, 3, 3, 3, 3, 3]


@rule("BB-SETUP-03")
@rule("BB-SETUP-15")
@rule("BB-SOLO-02")
@rule("BB-COOP-01")
def test_sides_of_the_boards() -> None:
    base, solo, coop = (GAME.view(start(**given), PUBLIC) for given in ({}, {"players": 1}, {"coop": True}))
    assert (base["phase_board"], base["board_side"], base["marker"]) == ("normal", "standard", "white")
    assert (solo["phase_board"], solo["board_side"], solo["round"]) == ("green", "standard", 1)
    assert (coop["phase_board"], coop["board_side"], coop["round"]) == ("green", "coop", 1)


@rule("BB-SETUP-04")
@rule("BB-SETUP-05")
@rule("BB-SETUP-06")
def test_what_each_player_starts_with() -> None:
    state = set_up(players=3)
    for seat, field in enumerate(state.fields):
        assert (field.floors, field.houses, field.hero) == (4, 5, 12)
        assert field.towers == {12}
        assert supply(state, seat) == {"wall": 2, "catapult": 2, "dragon": 1, "treasure": 1}
        assert tiles(state, seat) == ""


@rule("BB-SETUP-07")
@rule("BB-SETUP-09")
@rule("BB-SETUP-17")
def test_four_different_symbols_without_red() -> None:
    for seed in range(30):
        state = set_up(seed, players=2, commanders=True, commanders_in_setup="redraw")
        for field in state.fields:
            symbols = sorted(KIND_NAMES[KIND_OF[s]][0] for s in field.tokens)
            assert symbols == ["B", "G", "P", "Y"]
        assert state.bag.size == 199 - 8
    state = start()
    do(state, "table: draw GL")
    assert why(state, "table: draw GT") == ("put-back", [], "BB-SETUP-09")
    loose = start(setup_distinct_symbols=False)
    do(loose, "table: draw GL")
    assert why(loose, "table: draw GT") is None
    assert why(loose, "table: draw RT") == ("put-back", [], "BB-SETUP-08")


@rule("BB-SETUP-10")
@rule("BB-SETUP-11")
def test_every_token_stands_on_its_own_spot_white_side_up() -> None:
    state = set_up(players=2)
    view = GAME.view(state, PUBLIC)
    layout = GAME.layout(view)
    for seat in range(2):
        for cell, _, _, colour, _ in view["skeletons"][seat]:
            assert colour == "white"
            assert placement_refusal(view, cell, layout[cell][-1]) is None
    assert len({PRINTED.standard.spots[t] for t in range(15)}) == 15


@rule("BB-SETUP-14")
def test_on_the_field_only_the_tip_matters() -> None:
    first, second = table(skeletons="BL@22R"), table(skeletons="BR@22R")
    march(first), march(second)
    assert standing(first)[2:] == standing(second)[2:]
    assert placement_refusal(GAME.view(first, 0), 26, Piece("BR-white", 90)).code == "lying"


@rule("BB-SETUP-16")
@rule("BB-TRAP-13")
def test_the_base_game_has_no_market() -> None:
    state = set_up()
    view = GAME.view(state, PUBLIC)
    assert view["coins"] == [] and view["offer"] == {} and view["weapons_offered"] == []
    assert view["phase"] == "hero"


@rule("BB-CMD-04")
def test_commanders_drawn_in_set_up_go_back() -> None:
    state = start(commanders=True, commanders_in_setup="redraw")
    assert why(state, "table: draw sapper-GL") == ("put-back", [], "BB-CMD-04")
    assert why(start(commanders=True), "table: draw sapper-GL") is None


# Rounds ------------------------------------------------------------------------------------------


@rule("BB-ROUND-01")
@rule("BB-ROUND-03")
def test_phases_follow_each_other_round_after_round() -> None:
    seen: list[str] = []
    for step in walk(GAME, GAME.resolve({"players": 3}), Random(4)):
        phase = GAME.view(step.state, PUBLIC)["phase"]
        if not seen or seen[-1] != phase:
            seen.append(phase)
    order = [phase for phase in seen if phase not in ("setup", "march", "over")]
    assert len(order) > 6
    assert order == (["hero", "trap", "draw"] * len(order))[: len(order)]


@rule("BB-ROUND-02")
def test_nobody_learns_a_choice_before_all_have_chosen() -> None:
    state = table("hero", players=3, skeletons="GL@44L")
    before = GAME.view(state, 1)
    events = do(state, "p1: step 1d4")
    assert GAME.view(state, 0)["hero"][0] == 18 and GAME.view(state, 0)["skeletons"][0] == []
    hidden = GAME.view(state, 1)
    assert hidden["hero"] == before["hero"] and hidden["skeletons"] == before["skeletons"]
    assert hidden["bag"] == before["bag"]
    assert [seat for seat, _ in hidden["needs"]] == [1, 2]
    assert not any(event.is_for(1) or event.is_for(PUBLIC) for event in events)
    do(state, "p2: step 2d4", "p3: step 3d4")
    assert GAME.view(state, 1)["hero"][0] == 24 and state.needs()[0].seat == TABLE
    shown = uncover(state)
    assert any(event.kind == "stepped" and event.is_for(1) and not event.is_for(0) for event in shown)
    assert GAME.view(state, 1)["hero"] == GAME.view(state, 0)["hero"] == [18, PLACES + 18, 2 * PLACES + 18]


@rule("BB-ROUND-02")
def test_together_all_is_open() -> None:
    state = table("hero", coop=True, hero="33")
    do(state, "p1: step 1b2")
    assert GAME.view(state, 1)["hero"][0] == 6


@rule("BB-ROUND-05")
@pytest.mark.parametrize("order", [(1, 2, 3), (3, 1, 2), (2, 3, 1)])
def test_the_order_of_seats_changes_nothing(order: tuple[int, ...]) -> None:
    boards = {
        1: {"skeletons": "GT@21U BT@42L", "traps": "dragon@32"},
        2: {"skeletons": "YT@21U PL@14R", "traps": "catapult@24"},
    }
    state = table(players=3, skeletons="GL@14L BL@52R YL@21U", boards=boards)
    march(state)
    lines = {1: ["send p2"], 2: ["send p1", "scatter up"], 3: ["send p1", "send p2"]}
    for seat in order:
        for line in lines[seat]:
            do(state, f"p{seat}: {line}")
    uncover(state)
    assert [buried(state, seat) for seat in range(3)] == [["GT", "YT"], ["GL", "PL", "YL"], ["BL"]]
    assert [standing(state, seat) for seat in range(3)] == ["", "BT@31U/b", ""]
    assert [tiles(state, seat) for seat in range(3)] == ["", "dragon@32*", "catapult@24*"]


@rule("BB-ROUND-06")
@rule("BB-ROUND-07")
@pytest.mark.parametrize(
    "given",
    [
        {"players": 4},
        {"players": 2, "commanders": True, "advanced": True},
        {"players": 3, "coop": True, "commanders": True, "advanced": True},
    ],
    ids=str,
)
def test_tokens_and_tiles_are_conserved(given: dict) -> None:
    total = 199 if given.get("commanders") else 180
    for seed in range(5):
        for step in walk(GAME, GAME.resolve(given), Random(seed)):
            state = step.state
            state.check()
            out = sum(len(f.tokens) + len(f.out) + len(f.slain) for f in state.fields)
            out += sum(map(len, state.cemetery))
            assert state.bag.size + out + len(state.boxed) == total


@pytest.mark.slow
@rule("BB-SETUP-01")
@rule("BB-ROUND-06")
@pytest.mark.parametrize("commanders", [False, True], ids=["plain", "commanders"])
@pytest.mark.parametrize("advanced", [False, True], ids=["base", "advanced"])
@pytest.mark.parametrize(
    ("players", "coop"), [(n, False) for n in range(1, 7)] + [(n, True) for n in range(2, 7)]
)
def test_every_combination_plays_to_its_end(players, coop, advanced, commanders) -> None:
    given = {"players": players, "coop": coop, "advanced": advanced, "commanders": commanders}
    tally = simulate("bad_bones", given, games=5, seed=40)
    assert tally.games == 5 and tally.broken == []


@rule("BB-ROUND-06")
def test_a_lost_token_is_noticed() -> None:
    state = table(skeletons="GL@11R")
    state.fields[0].tokens.clear()
    with pytest.raises(AssertionError, match="BB-ROUND-06"):
        state.check()


@rule("BB-ROUND-07")
def test_a_lost_tile_is_noticed() -> None:
    state = table(traps="wall/@11")
    state.fields[0].traps[0] = 0
    with pytest.raises(AssertionError, match="BB-ROUND-07"):
        state.check()


# New skeletons -----------------------------------------------------------------------------------


@rule("BB-NEW-06")
@rule("BB-NEW-08")
def test_draws_are_without_replacement_and_may_share_a_spot() -> None:
    state = table("draw", players=1)
    ways = dict(state.outcomes())
    gl = state.notation.parse("draw GL")
    assert ways[gl] == 12
    do(state, "draw GL")
    assert dict(state.outcomes())[gl] == 11
    do(state, "draw GL", "draw GL")
    assert standing(state) == "GL@L1R/w GL@L1R/w GL@L1R/w"
    empty = table("draw", players=1)
    empty.bag.counts[0] = 0
    assert why(empty, "draw GL") == ("not-drawn", [], "BB-NEW-08")


@rule("BB-NEW-05")
@rule("BB-FOREST-07")
def test_new_skeletons_wait_for_the_next_march() -> None:
    state = table("draw", players=1)
    do(state, "draw GL", "draw BL", "draw YL")
    assert {PLACE_OF[s] for s in state.fields[0].tokens} == {25, 26, 28}
    waiting = table(players=2, cemetery="GL")
    march(waiting)
    assert buried(waiting, 0) == ["GL"]


@rule("BB-NEW-03")
def test_red_tokens_are_placed_like_all_others() -> None:
    state = table("draw", players=1)
    do(state, "draw RL", "draw RT", "draw RR")
    assert standing(state) == "RL@L3R/w RT@T3D/w RR@R3L/w"


@rule("BB-MOVE-12")
def test_a_token_that_comes_back_shows_the_marker() -> None:
    state = table(players=1, skeletons="PT@12L")
    march(state)
    do(state, "draw GL", "draw BL", "draw YL")
    assert "PT@T1D/b" in standing(state) and GAME.view(state, 0)["marker"] == "black"


# Market ------------------------------------------------------------------------------------------


@rule("BB-ADV-01")
@rule("BB-ADV-02")
@rule("BB-ADV-03")
@rule("BB-ADV-15")
@pytest.mark.parametrize("players", range(1, 7))
def test_the_market_before_the_first_round(players: int) -> None:
    state = at_market(players=players)
    assert state.phase() == "market"
    assert state.coins == [20] * players
    for seat in range(players):
        assert supply(state, seat) == {"treasure": 1}
    table_of_the_book = {
        "dynamite": (1, 1, 2, 2, 3, 3),
        "dragon": (2, 3, 5, 6, 8, 9),
        "catapult": (2, 4, 6, 8, 10, 12),
        "hearse": (1, 1, 2, 2, 3, 3),
        "maze": (1, 1, 2, 2, 3, 3),
        "portal": (1, 1, 2, 2, 3, 3),
        "spring": (1, 1, 2, 2, 3, 3),
        "wall": (2, 4, 6, 8, 10, 12),
        "palisade": (1, 1, 2, 2, 3, 3),
    }
    view = GAME.view(state, PUBLIC)
    assert view["offer"] == {name: row[players - 1] for name, row in table_of_the_book.items()}
    assert view["weapons_offered"] == list(WEAPONS)
    assert why(state, "buy treasure") == ("not-for-sale", [], "BB-ADV-02")


@rule("BB-ADV-04")
@rule("BB-ADV-11")
def test_a_purchase_costs_its_price_and_is_intact_in_the_supply() -> None:
    state = at_market(players=2)
    do(state, "p1: buy dragon")
    assert state.coins[0] == 20 - PRINTED.prices[TRAPS.index("dragon")]
    assert supply(state)["dragon"] == 1
    do(state, "p2: pass", "p2: pass", "p1: pass")
    assert GAME.view(state, 0)["phase"] == "hero"
    assert state.box[TRAPS.index("dragon")] == 2 and sum(state.offer) == 0
    assert GAME.view(state, 0)["weapons_offered"] == []


@rule("BB-ADV-05")
def test_the_first_buyer_is_drawn() -> None:
    state = set_up(players=4, advanced=True)
    assert state.outcomes() == [(state.notation.parse(f"first p{i}"), 1) for i in (1, 2, 3, 4)]
    assert why(state, "table: first p5") == ("no-such-seat", [], "BB-ADV-05")


@rule("BB-ADV-07")
def test_what_is_sold_out_cannot_be_bought() -> None:
    state = at_market(players=2)
    do(state, "p1: buy spring")
    assert why(state, "p2: buy spring") == ("sold-out", [], "BB-ADV-07")


@rule("BB-ADV-08")
@rule("BB-ADV-12")
def test_who_cannot_afford_anything_passes_by_himself() -> None:
    state = at_market(players=2)
    state.coins = [20, 1]
    do(state, "p1: buy wall")
    assert state.needs()[0].seat == 0
    assert why(state, "p1: buy dragon") is None
    state.coins = [2, 1]
    refusal = state.refusal(0, state.notation.parse("buy dragon"))
    assert (refusal.code, refusal.rule) == ("too-dear", "BB-ADV-08")
    before = points(state.fields[0])
    do(state, "p1: pass")
    assert points(state.fields[0]) == before and GAME.view(state, 0)["phase"] == "hero"


@rule("BB-ADV-10")
def test_a_pass_is_not_final() -> None:
    state = at_market(players=2)
    do(state, "p1: pass", "p2: buy wall", "p2: pass")
    assert state.needs()[0].seat == 0
    assert "buy wall" in legal(state)
    do(state, "p1: buy wall", "p1: pass", "p2: pass")
    assert GAME.view(state, 0)["phase"] == "hero"


@rule("BB-ADV-13")
@rule("BB-ADV-14")
def test_bought_traps_are_laid_like_any_other() -> None:
    state = at_market(players=1)
    do(state, "buy maze", "buy portal", "pass")
    do(state, "step 1b2")
    assert "lay maze-black 1a1" in legal(state) and "lay portal 1a1" in legal(state)
    assert why(state, "lay portal 1c3") == ("tower-there", ["1c3"], "BB-TOWER-06")
    do(state, "lay portal 1a1")
    assert tiles(state).startswith("portal@11")


@rule("BB-COOP-27")
@rule("BB-COOP-28")
def test_a_team_buys_together() -> None:
    state = set_up(players=3, coop=True, advanced=True)
    do(state, "p1: post 1b2", "p2: post 2b2", "p3: post 3b2")
    assert state.coins == [36] and supply(state) == {"treasure": 1}
    assert [need.seat for need in state.needs()] == [0, 1, 2]
    do(state, "p3: buy dragon", "p3: buy crossbow", "p1: buy flail")
    assert supply(state, 0)["dragon"] == 1
    assert [field.weapon for field in state.fields] == [WEAPONS.index("flail"), -1, 0]
    assert why(state, "p3: buy rapier") == ("has-weapon", [], "BB-COOP-28")
    spent = sum(PRINTED.prices[i] for i in (2, len(TRAPS), len(TRAPS) + WEAPONS.index("flail")))
    assert state.coins == [36 - spent]
    do(state, "p1: pass", "p2: pass")
    assert state.phase() == "market"
    do(state, "p3: pass")
    assert GAME.view(state, 0)["phase"] == "hero"


@rule("BB-HEARSE-08")
def test_the_hearse_can_be_banned_alone_and_together() -> None:
    for given in ({"hearse_in_solo_coop": False}, {"edition": "pegasus"}):
        assert at_market(players=1, **given).offer[TRAPS.index("hearse")] == 0
        assert at_market(players=2, **given).offer[TRAPS.index("hearse")] == 1


@rule("BB-NEW-01")
def test_each_player_draws_three() -> None:
    state = table("draw", players=3)
    drawn = []
    while GAME.view(state, 0)["phase"] == "draw":
        drawn += told(do(state, "table: draw GL"), "drew")
    assert [one["seat"] for one in drawn] == [0, 0, 0, 1, 1, 1, 2, 2, 2]


def test_a_token_that_lies_wrong_is_named() -> None:
    state = set_up(players=2)
    view = GAME.view(state, 0)
    refusal = placement_refusal(view, 26, Piece("GL-white", 90))
    names = [place.name for place in GAME.board({"players": 2, "coop": False}).places]
    said = GAME.say("refusal", refusal, "en", cells=names)
    assert "1L2" in said and "1L1" in said
