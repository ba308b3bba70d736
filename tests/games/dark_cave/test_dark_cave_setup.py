"""Setting up the Dark Cave, and clans."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from dark_cave_tables import at, do, draw_due, legal, pass_turn, refusal, table, where, why

from companion.engine.action import PUBLIC, TABLE
from companion.engine.chance import weighted
from companion.engine.errors import ConfigError
from companion.games.dark_cave import GAME, pieces
from companion.games.dark_cave.agenda import DarkCave
from companion.games.dark_cave.cards import CARDS
from companion.games.dark_cave.spread import CELL


def set_up(players: int, seed: int = 1, **options: object) -> DarkCave:
    """A game dealt at random, at the first turn."""
    state = DarkCave(GAME.resolve({"players": players, **options}))
    rng = Random(seed)
    while "lay" not in state.needs()[0].verbs:
        seat = state.needs()[0].seat
        action = weighted(state.outcomes(), rng) if seat == TABLE else rng.choice(state.actions(seat))
        state.apply(seat, action)
        state.check()
    return state


def levels(state: DarkCave, seat: int) -> list[int]:
    return sorted(CARDS.level[kind] + 1 for kind in state.hands[seat])


def deck(state: DarkCave) -> list[int]:
    return [pool.size for pool in state.pools]


@pytest.mark.rule("DC-SETUP-01")
@pytest.mark.parametrize("players", [1, 9])
def test_fewer_than_two_or_more_than_eight_players_are_refused(players: int) -> None:
    with pytest.raises(ConfigError, match=r"players.*choose one of 2, 3, 4, 5, 6, 7, 8"):
        GAME.resolve({"players": players})


@pytest.mark.rule("DC-SETUP-02")
@pytest.mark.rule("DC-SETUP-16")
def test_all_dwarves_stand_on_the_entrance_in_the_centre() -> None:
    state = set_up(5)
    assert state.cave.laid == {CELL[0, 0]: CARDS.starts[0]}
    assert {where(place) for place in state.at} == {"0,0.a"}


@pytest.mark.rule("DC-SETUP-05")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_up_to_five_players_use_the_wide_area(players: int) -> None:
    assert {*set_up(players).cave.closed} == {CELL[x, y] for x in (-4, 4) for y in (-4, 4)}


@pytest.mark.rule("DC-SETUP-06")
@pytest.mark.parametrize("players", [6, 7, 8])
def test_from_six_players_on_the_area_is_narrow(players: int) -> None:
    assert {*set_up(players).cave.closed} == {CELL[x, y] for x in (-3, 3) for y in (-3, 3)}


@pytest.mark.rule("DC-SETUP-04")
def test_goals_lie_face_down_and_nobody_knows_which_is_where() -> None:
    state = set_up(4)
    for viewer in GAME.viewers(GAME.resolve({"players": 4})):
        assert [goal["card"] for goal in GAME.view(state, viewer)["goals"]] == [""] * 4


@pytest.mark.rule("DC-SETUP-07")
@pytest.mark.rule("DC-CLAN-04")
def test_two_players_are_one_loyal_dwarf_of_each_clan() -> None:
    """DC-S03"""
    state = set_up(2)
    assert sorted(zip(state.colours, state.identity, strict=True)) == [(0, 0), (1, 0)]
    assert sum(state.clan_left) == 0 and sum(deck(state)) == 57


@pytest.mark.rule("DC-SETUP-08")
def test_three_or_four_players_are_dealt_two_loyal_and_two_saboteurs_of_one_clan() -> None:
    assert pieces.clan_pool(4, 0) == [2, 2, 0, 0] and pieces.clan_pool(3, 1) == [0, 0, 2, 2]
    state = set_up(4)
    assert len(set(state.colours)) == 1 and sorted(state.identity) == [0, 0, 1, 1]


@pytest.mark.rule("DC-SETUP-09")
def test_the_clan_of_three_players_is_chosen_or_drawn() -> None:
    chosen = DarkCave(GAME.resolve({"players": 3, "clan": "blue"}))
    assert {a.args[0] for a, _ in chosen.outcomes()} == {2, 3}, "blue cards only"
    drawn = DarkCave(GAME.resolve({"players": 3}))
    assert legal(drawn, "side") == {"yellow", "blue"}
    do(drawn, "side blue")
    assert {a.args[0] for a, _ in drawn.outcomes()} == {2, 3}


@pytest.mark.rule("DC-SETUP-10")
@pytest.mark.rule("DC-SETUP-14")
def test_five_or_more_players_are_dealt_from_three_loyal_and_one_saboteur_per_clan() -> None:
    state = DarkCave(GAME.resolve({"players": 5}))
    assert state.outcomes() == [
        (state.notation.parse(f"clan {name}"), ways)
        for name, ways in zip(pieces.CLAN_CARDS, (3, 1, 3, 1), strict=True)
    ]


@pytest.mark.rule("DC-SETUP-11")
def test_clan_cards_are_dealt_one_each_without_putting_back() -> None:
    state = DarkCave(GAME.resolve({"players": 5}))
    do(state, "clan yellow-saboteur")
    assert why(state, "clan yellow-saboteur") == ("not-drawn", [], "DC-SETUP-11")
    do(state, "clan blue-loyal", "clan blue-loyal", "clan blue-loyal")
    assert why(state, "clan blue-loyal") == ("not-drawn", [], "DC-SETUP-11")
    do(state, "clan yellow-loyal")
    assert state.needs()[0].verbs == ("take",)


@pytest.mark.rule("DC-SETUP-12")
@pytest.mark.rule("DC-CLAN-02")
def test_all_see_the_colour_of_a_clan_card_and_only_its_owner_the_front() -> None:
    state = table(5)
    for viewer in (*range(5), PUBLIC):
        dwarves = GAME.view(state, viewer)["dwarves"]
        assert [d["clan"] for d in dwarves] == ["yellow", "blue", "yellow", "blue", "yellow"]
        for seat, dwarf in enumerate(dwarves):
            assert bool(dwarf["card"]) == (seat == viewer)


@pytest.mark.rule("DC-SETUP-13")
@pytest.mark.parametrize(("players", "aside"), [(2, 0), (3, 1), (4, 0), (5, 3), (6, 2), (7, 1), (8, 0)])
def test_left_over_clan_cards_are_set_aside(players: int, aside: int) -> None:
    assert len(set_up(players).set_aside()) == aside


@pytest.mark.rule("DC-SETUP-15")
def test_everybody_takes_another_dwarf_of_the_own_clan() -> None:
    state = DarkCave(GAME.resolve({"players": 3, "clan": "yellow"}))
    do(state, "clan yellow-loyal", "clan yellow-loyal", "clan yellow-saboteur", "take yellow-2")
    assert why(state, "take yellow-2") == ("dwarf-taken", [], "DC-SETUP-15")
    assert why(state, "take blue-1") == ("other-clan", [], "DC-SETUP-15")
    assert legal(state, "take") == {"yellow-1", "yellow-3", "yellow-4"}


@pytest.mark.rule("DC-SETUP-17")
@pytest.mark.rule("DC-SETUP-24")
@pytest.mark.parametrize("players", range(2, 9))
def test_everybody_has_three_nuggets_and_the_rest_is_the_supply(players: int) -> None:
    state = set_up(players)
    assert state.gold == [3] * players and state.supply == 46 - 3 * players
    view = GAME.view(state, PUBLIC)
    assert view["webs"] == [] and all(c["at"] == "" for c in view["creatures"])


@pytest.mark.rule("DC-SETUP-18")
@pytest.mark.rule("DC-SETUP-19")
def test_five_cards_of_each_level_stay_in_the_box_unseen() -> None:
    state = DarkCave(GAME.resolve({"players": 2}))
    assert [(sum(p.counts), p.size, p.hidden) for p in state.pools] == [(29, 24, 5), (27, 22, 5), (26, 21, 5)]


@pytest.mark.rule("DC-SETUP-20")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_up_to_four_players_get_five_cards_of_level_one(players: int) -> None:
    state = set_up(players)
    assert all(levels(state, seat) == [1, 1, 1, 1, 1] for seat in range(players))


@pytest.mark.rule("DC-SETUP-21")
@pytest.mark.parametrize("players", [5, 6])
def test_five_or_six_players_get_four_and_one(players: int) -> None:
    state = set_up(players)
    assert all(levels(state, seat) == [1, 1, 1, 1, 2] for seat in range(players))


@pytest.mark.rule("DC-SETUP-22")
@pytest.mark.parametrize("players", [7, 8])
def test_seven_or_eight_players_get_three_and_two(players: int) -> None:
    state = set_up(players)
    assert all(levels(state, seat) == [1, 1, 1, 2, 2] for seat in range(players))


@pytest.mark.rule("DC-SETUP-23")
@pytest.mark.parametrize(
    ("players", "left"),
    [
        (2, [14, 22, 21]),
        (3, [9, 22, 21]),
        (4, [4, 22, 21]),
        (5, [4, 17, 21]),
        (6, [0, 16, 21]),
        (7, [3, 8, 21]),
        (8, [0, 6, 21]),
    ],
)
def test_the_deck_is_level_one_on_two_on_three(players: int, left: list[int]) -> None:
    state = set_up(players)
    assert deck(state) == left
    assert state.deck_level() == next(level for level in range(3) if left[level])


@pytest.mark.rule("DC-SETUP-25")
def test_the_first_player_is_chosen_or_drawn() -> None:
    assert set_up(4, first=3).turn == 2
    assert {set_up(4, seed).turn for seed in range(30)} == {0, 1, 2, 3}
    with pytest.raises(ConfigError, match="among the players"):
        GAME.resolve({"players": 4, "first": 5})


@pytest.mark.rule("DC-SETUP-26")
def test_play_goes_clockwise() -> None:
    state = table(3, turn=2, hands={2: ["T1-01", "T1-07"]})
    pass_turn(state)
    assert state.turn == 0
    pass_turn(state)
    assert state.turn == 1


@pytest.mark.rule("DC-SETUP-27")
def test_reference_cards_have_no_effect() -> None:
    assert not {"reference", "memo"} & set(GAME.start(GAME.resolve({})).notation.verbs)
    assert sum(CARDS.counts) == 82, "no reference card is in the deck"


def test_dc_s01_six_players() -> None:
    state = set_up(6)
    assert state.goal_cells == tuple(CELL[x, y] for y in (-3, 3) for x in (-3, 3))
    assert len(state.set_aside()) == 2
    assert all(levels(state, seat) == [1, 1, 1, 1, 2] for seat in range(6))
    assert deck(state) == [0, 16, 21] and state.supply == 28


def test_dc_s02_three_players_of_the_yellow_clan() -> None:
    state = set_up(3, clan="yellow")
    assert state.colours == (0, 0, 0) and len(state.set_aside()) == 1 and sum(deck(state)) == 52
    sides = [state.works_for(seat) for seat in range(3)]
    assert sorted((sides.count(0), sides.count(1))) == [1, 2]


def test_dc_s03_two_players() -> None:
    state = set_up(2)
    assert {(state.colours[s], state.identity[s]) for s in range(2)} == {(0, 0), (1, 0)}
    assert state.set_aside() == [] and sum(deck(state)) == 57


def test_dc_s04_eight_players() -> None:
    state = set_up(8)
    assert state.set_aside() == [] and sum(deck(state)) == 27 and state.supply == 22
    assert all(levels(state, seat) == [1, 1, 1, 2, 2] for seat in range(8))


@pytest.mark.rule("DC-CLAN-01")
def test_a_saboteur_works_for_the_other_clan() -> None:
    state = table(8)
    for seat in range(8):
        card = pieces.CLAN_CARDS[2 * state.colours[seat] + state.identity[seat]]
        expected = {"yellow-loyal": 0, "yellow-saboteur": 1, "blue-loyal": 1, "blue-saboteur": 0}[card]
        assert state.works_for(seat) == expected


@pytest.mark.rule("DC-CLAN-03")
def test_an_open_clan_card_stays_open() -> None:
    state = table(2, {"1,0": "T1-08", "2,0": "T2-17"}, at={0: "1,0.a"}, phase="move")
    do(state, "step 2,0 w", "stay", "gather", "open yellow-loyal")
    assert GAME.view(state, 1)["dwarves"][0]["card"] == "yellow-loyal"
    pass_turn(draw_due(state))
    assert GAME.view(state, 1)["dwarves"][0]["open"]


@pytest.mark.rule("DC-CLAN-05")
def test_with_one_clan_the_saboteurs_are_the_other_side() -> None:
    assert sorted(set_up(4).works_for(seat) for seat in range(4)) == [0, 0, 1, 1]
    for seed in range(20):
        sides = [set_up(3, seed).works_for(seat) for seat in range(3)]
        assert sides.count(0) in (1, 2)


@pytest.mark.rule("DC-CLAN-06")
@pytest.mark.parametrize("players", [5, 6, 7, 8])
def test_each_side_has_between_one_and_four_dwarves(players: int) -> None:
    pool = [0] * 3 + [1] + [1] * 3 + [0]
    sides = [dealt.count(0) for dealt in map(list, combinations(pool, players))]
    assert min(sides) >= 1 and max(sides) <= 4 and players - max(sides) >= 1


def test_a_dealt_position_starts_with_the_dwarf_at_the_entrance() -> None:
    state = table(2)
    assert at(state, 0) == "0,0.a" and refusal(state, "pass T1-11") is None
