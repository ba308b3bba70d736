"""Short statements that fail when a rule is changed a little: found by changing it."""

from __future__ import annotations

from random import Random

import pytest
from dark_cave_tables import (
    GAME,
    at,
    border,
    cell,
    do,
    draw_due,
    hand,
    kinds,
    legal,
    pass_turn,
    phase,
    refusal,
    table,
    where,
    why,
)

from companion.engine.action import TABLE
from companion.engine.state import Refusal
from companion.games.dark_cave.agenda import DarkCave
from companion.games.dark_cave.ending import treasure
from companion.games.dark_cave.spread import ON_TABLE, on_table
from companion.table.play import walk

NO_REASON = Refusal("")
ROW = {"1,0": "T1-12", "2,0": "T1-01"}
EXIT = {"4,-4": "G-EXIT"}


def count_up(state: DarkCave) -> DarkCave:
    while state.needs():
        state.apply(TABLE, state.outcomes()[0][0])
    return state


# Walls and webs ----------------------------------------------------------------------------------


@pytest.mark.rule("DC-MOVE-05")
def test_a_goal_that_does_not_fit_is_not_entered_through_its_wall() -> None:
    lay = {"2,4": "T1-01", "3,4": "T1-02", "4,4": "G-GOLD"}
    state = table(2, lay, at={0: "3,4.a"}, phase="move")
    assert legal(state, "step") == {"2,4 a"}
    assert why(state, "step 4,4 e") == ("wall", ["3,4", "4,4"], "DC-MOVE-05")


@pytest.mark.rule("DC-AXE-05")
def test_a_web_may_be_cut_before_a_card_is_played() -> None:
    state = table(2, ROW, front={0: ["axe-1"]}, webs={"circle": ("0,0 east", 2, 1)})
    assert phase(state) == "play" and legal(state, "cut") == {"0,0 east"}


# The gold ----------------------------------------------------------------------------------------


@pytest.mark.rule("DC-SCORE-08")
@pytest.mark.parametrize(("first", "clan"), [(0, "yellow"), (1, "blue")])
def test_a_tie_goes_to_the_clan_of_the_first_dwarf_out(first: int, clan: str) -> None:
    state = table(2, hands={0: ["T1-09"], 1: []}, out=[first, 1 - first], deck=False)
    do(state, "pass T1-09")
    count_up(state)
    assert [row["value"] for row in treasure(state)] == [3, 3]
    assert state.outcome().code == f"{clan}-won"


@pytest.mark.rule("DC-SCORE-08")
def test_in_a_tie_a_saboteur_out_first_wins_for_the_other_clan() -> None:
    clans = ["yellow-saboteur", "blue-loyal", "yellow-loyal", "yellow-loyal", "blue-loyal"]
    gold = {0: 3, 2: 2}
    state = table(5, clans=clans, gold=gold, hands=EMPTY | {4: ["T1-09"]}, out=[0, 2], deck=False, turn=4)
    do(state, "pass T1-09")
    count_up(state)
    assert [row["value"] for row in treasure(state)] == [2 * 3, 3 * 2]
    assert state.outcome().code == "blue-won"


EMPTY = {0: [], 1: [], 2: [], 3: []}


@pytest.mark.rule("DC-SCORE-02")
def test_who_is_still_inside_saves_nothing() -> None:
    state = table(2, hands={0: ["T1-09"], 1: []}, out=[1], gold={0: 9, 1: 1}, deck=False)
    do(state, "pass T1-09")
    count_up(state)
    assert state.outcome().code == "blue-won" and state.gold == [0, 1]
    state.check()


# Creatures ---------------------------------------------------------------------------------------


@pytest.mark.rule("DC-CRE-09")
def test_a_creature_attacks_the_dwarf_of_its_own_player() -> None:
    walked = table(2, ROW, at={0: "2,0.a"}, hands={0: ["goblin-2", "T1-07"]})
    events = do(walked, "call goblin-2 1,0 a", "crawl 2,0 a")
    assert walked.gold == [2, 3] and "attacked" in kinds(events)
    placed = table(2, ROW, at={0: "1,0.a"}, hands={0: ["goblin-2", "T1-07"]})
    do(placed, "call goblin-2 1,0 a")
    assert placed.gold == [2, 3]


@pytest.mark.rule("DC-CRE-08")
def test_a_creature_attacks_all_on_the_segment_its_own_player_first() -> None:
    state = table(3, ROW, at=dict.fromkeys(range(3), "2,0.a"), hands={1: ["goblin-2", "T1-07"]}, turn=1)
    (attack,) = [e for e in do(state, "call goblin-2 1,0 a", "crawl 2,0 a") if e.kind == "attacked"]
    assert attack.data["seats"] == [1, 2, 0] and state.gold == [2, 2, 2]


@pytest.mark.rule("DC-CRE-15")
def test_a_dwarf_that_comes_to_a_creature_is_attacked_alone_though_it_is_its_own() -> None:
    state = table(3, ROW, at={1: "2,0.a", 2: "2,0.a"}, creatures={"goblin": ("2,0.a", 0)}, phase="move")
    do(state, "step 1,0 a", "step 2,0 a")
    assert state.gold == [2, 3, 3]


@pytest.mark.rule("DC-CRE-04")
@pytest.mark.parametrize(("beast", "steps"), [("rat-1", 3), ("lindworm-1", 4), ("goblin-2", 5)])
def test_each_creature_has_its_own_number_of_steps(beast: str, steps: int) -> None:
    state = table(2, ROW, at={0: "0,0.a", 1: "0,0.a"}, hands={0: [beast, "T1-07"]})
    do(state, f"call {beast} 1,0 a")
    for i in range(steps):
        assert phase(state) == "creep"
        do(state, "crawl 2,0 a" if i % 2 == 0 else "crawl 1,0 a")
    assert phase(state) == "move"


@pytest.mark.rule("DC-CRE-11")
def test_a_creature_leaves_at_its_players_turn_and_not_at_anothers() -> None:
    state = table(3, ROW, creatures={"goblin": ("2,0.a", 2)})
    do(state, f"pass {hand(state, 0)[0]}", "stay")
    draw_due(state)
    assert state.turn == 1 and where(state.creatures[2]) == "2,0.a"
    do(state, f"pass {hand(state, 1)[0]}", "stay")
    draw_due(state)
    assert state.turn == 2 and where(state.creatures[2]) == "" and state.front[2] == ()


@pytest.mark.rule("DC-LIN-04")
def test_a_dwarf_bitten_in_its_own_turn_rests_now_and_in_the_next_turn() -> None:
    state = table(2, ROW, creatures={"lindworm": ("1,0.a", 1)}, phase="move")
    do(state, "step 1,0 a")
    assert phase(state) == "draw" and state.lying == {0}
    draw_due(state)
    do(state, f"pass {hand(state, 1)[0]}", "stay")
    draw_due(state)
    do(state, f"pass {hand(state, 0)[0]}")
    assert phase(state) == "draw" and at(state, 0) == "1,0.a" and not state.lying


# Secrets -----------------------------------------------------------------------------------------


@pytest.mark.rule("DC-HID-05")
def test_a_second_peeker_leaves_the_first_ones_knowledge_of_a_goal() -> None:
    state = table(3, goals={"4,4": "G-GOLD"}, hands={0: ["info-1", "T1-07"], 1: ["info-1", "T1-09"]})
    do(state, "spy-goal info-1 4,4", "look G-GOLD")
    draw_due(state)
    do(state, "spy-goal info-1 4,4", "look G-GOLD")
    goal = state.goal_cells.index(cell("4,4"))
    seen = [GAME.view(state, seat)["goals"][goal]["card"] for seat in range(3)]
    assert seen == ["G-GOLD", "G-GOLD", ""] and GAME.view(state, 2)["goals"][goal]["seen_by"] == [0, 1]


@pytest.mark.rule("DC-HID-05")
def test_a_second_peeker_leaves_the_first_ones_knowledge_of_a_clan_card() -> None:
    state = table(3, hands={0: ["info-1", "T1-07"], 1: ["info-1", "T1-09"]})
    do(state, "spy-clan info-1 p3", "look yellow-loyal")
    draw_due(state)
    do(state, "spy-clan info-1 p3", "look yellow-loyal")
    assert [GAME.view(state, seat)["dwarves"][2]["card"] for seat in (0, 1)] == ["yellow-loyal"] * 2
    assert GAME.view(state, -2)["dwarves"][2]["card"] == ""


# Rockfall ----------------------------------------------------------------------------------------


@pytest.mark.rule("DC-ROCK-08")
@pytest.mark.rule("DC-PLACE-12")
def test_a_part_whose_ladder_fell_in_is_joined_no_longer() -> None:
    lay = {"3,0": "T1-15", "4,0": "T1-08"}
    state = table(2, lay, hands={0: ["rockfall-1", "T1-09"], 1: ["T1-01", "T1-10"]})
    assert state.cave.live.get(cell("4,0"))
    do(state, "rockfall rockfall-1 3,0")
    assert not state.cave.live.get(cell("4,0"))
    draw_due(state)
    if phase(state) == "move":
        do(state, "stay")
        draw_due(state)
    assert why(state, "lay T1-01 5,0 0") == ("cut-off", ["5,0", "4,0"], "DC-PLACE-09")


@pytest.mark.rule("DC-ROCK-08")
@pytest.mark.rule("DC-LAD-01")
def test_nobody_climbs_a_ladder_that_fell_in() -> None:
    state = table(2, {"3,0": "T1-15", "-3,0": "T2-13"}, hands={0: ["rockfall-1", "T1-01"]})
    before = {where(place) for place in state.cave.near(state.at[0])}
    do(state, "rockfall rockfall-1 3,0")
    assert before == {"3,0.a", "-3,0.e"} and legal(state, "step") == {"-3,0 e"}


@pytest.mark.rule("DC-ROCK-04")
@pytest.mark.rule("DC-ROCK-05")
@pytest.mark.parametrize(("where_", "stays"), [("1,0 east", True), ("1,0 south", False)])
def test_a_web_stays_only_where_another_card_opens_to_it(where_: str, stays: bool) -> None:
    lay = {"1,0": "T1-01", "2,0": "T1-02"}
    state = table(2, lay, hands={0: ["rockfall-1", "T1-07"]}, webs={"circle": (where_, 2, 1)})
    do(state, "rockfall rockfall-1 1,0")
    assert (border(where_) in state.webs) == stays and bool(state.front[1]) == stays


# Axes, boots, webs -----------------------------------------------------------------------------------


@pytest.mark.rule("DC-MOVE-02")
@pytest.mark.parametrize(("front", "steps"), [([], 3), (["boots-1"], 4)])
def test_boots_give_one_step_more(front: list[str], steps: int) -> None:
    state = table(2, ROW, front={0: front}, phase="move")
    assert state.steps_left == steps


@pytest.mark.rule("DC-AXE-10")
def test_an_older_axe_may_be_used_though_a_new_one_was_laid() -> None:
    webs = {"circle": ("0,0 east", 2, 1)}
    one = table(2, ROW, hands={0: ["axe-1", "T1-07"]}, webs=webs)
    do(one, "axe axe-1 p1")
    assert phase(one) != "move", "the new one alone may not be used, and there is no way"
    two = table(2, ROW, hands={0: ["axe-1", "T1-07"]}, front={0: ["axe-2"]}, webs=webs)
    do(two, "axe axe-1 p1")
    assert phase(two) == "move" and refusal(two, "cut 0,0 east") is None
    events = do(two, "cut 0,0 east")
    assert two.web_left[1] == 1 and len(two.front[0]) == 1
    assert kinds(events) == ["cut", "web-turned"]


@pytest.mark.rule("DC-WEB-06")
@pytest.mark.rule("DC-WEB-07")
def test_a_web_lasts_two_turns_of_its_owner() -> None:
    state = table(2, ROW, hands={0: ["web-circle", "T1-07"]})
    do(state, "web web-circle 1,0 east")
    left = [state.web_left[1]]
    for _ in range(4):
        if phase(state) == "move":
            do(state, "stay")
        draw_due(state)
        left.append(state.web_left[1])
        do(state, f"pass {hand(state, state.turn)[0]}")
    assert left == [2, 2, 1, 1, 0]


# The end -----------------------------------------------------------------------------------------


@pytest.mark.rule("DC-END-02")
def test_one_of_two_of_a_clan_outside_ends_nothing() -> None:
    clans = ["yellow-loyal", "yellow-saboteur", "yellow-loyal", "yellow-saboteur"]
    state = table(4, EXIT, clans=clans, at={0: "4,-4.w"}, phase="move")
    do(state, "step 4,-4 c", "open yellow-loyal", "announce nobody")
    assert state.outcome() is None and state.left == (0,)


@pytest.mark.rule("DC-TURN-10")
def test_who_has_left_still_plays_and_draws_but_does_not_move() -> None:
    state = table(2, ROW, out=[0], hands={0: ["T1-07", "T1-09"]})
    do(state, "pass T1-07")
    assert phase(state) == "draw" and state.needs()[0].seat == TABLE


# Turns begin anew ------------------------------------------------------------------------------------


@pytest.mark.rule("DC-END-06")
def test_each_player_may_ask_again_in_the_own_turn() -> None:
    state = table(3, ROW | {"4,4": "G-EXIT"})
    do(state, "propose", "decline", f"pass {hand(state, 0)[0]}", "stay")
    draw_due(state)
    assert state.turn == 1 and refusal(state, "propose") is None


@pytest.mark.rule("DC-GOLD-07")
def test_who_moved_in_the_last_turn_and_stays_now_is_not_asked_about_the_vein() -> None:
    state = table(2, {"1,0": "T2-17"}, hands={0: ["T1-07", "T1-09"]}, phase="move")
    do(state, "step 1,0 w", "stay", "leave-it")
    draw_due(state)
    do(state, f"pass {hand(state, 1)[0]}", "stay")
    draw_due(state)
    do(state, "pass T1-07", "stay")
    assert phase(state) == "draw"


# Real cards ------------------------------------------------------------------------------------------


@pytest.mark.rule("DC-SETUP-11")
def test_real_clan_cards_are_dealt_from_what_is_left_of_each_colour() -> None:
    state = GAME.start(GAME.resolve({"players": 5, "clans": "physical"}))

    def ways() -> dict[str, int]:
        return {state.notation.text(action): n for action, n in state.outcomes()}

    assert ways() == {"clan yellow": 4, "clan blue": 4}
    do(state, "clan blue")
    assert ways() == {"clan yellow": 4, "clan blue": 3}


@pytest.mark.rule("DC-END-02")
@pytest.mark.parametrize(
    ("players", "out", "clan", "inside"),
    [
        (3, 0, "yellow", {0: {"yellow-saboteur"}}),
        (5, 1, "blue", {0: {"yellow-loyal"}, 1: {"blue-saboteur"}}),
    ],
)
def test_when_a_side_is_announced_out_nobody_inside_works_for_it(
    players: int, out: int, clan: str, inside: dict[int, set[str]]
) -> None:
    """With real clan cards: what is opened at the end agrees with what the first one out has announced."""
    state = table(players, EXIT, real_clans=True, at={out: "4,-4.w"}, turn=out, phase="move")
    do(state, "step 4,-4 c", f"open {clan}-loyal", f"announce {clan}")
    found: dict[int, set[str]] = {}
    while state.needs():
        found.setdefault(state.colours[state.todo[-1][1]], set()).update(legal(state, "open"))
        state.apply(TABLE, state.outcomes()[0][0])
    assert found == inside


@pytest.mark.rule("DC-INV-01")
def test_a_real_card_of_level_two_of_which_none_is_left_is_not_played() -> None:
    state = GAME.start(GAME.resolve({"players": 6, "deck": "physical"}))
    while phase(state) in ("setup", "figures", "deal"):
        state.apply(state.needs()[0].seat, state.actions(state.needs()[0].seat)[0])
    kind = state.cards.kind_of["T2-06"]
    assert (refusal(state, "lay T2-06 1,0 0") or NO_REASON).code != "not-drawn"
    counts = state.pools[1].counts
    counts[kind - state.cards.first[1]] = 0
    assert why(state, "lay T2-06 1,0 0") == ("not-drawn", [], "DC-INV-01")


# Steps and their cost --------------------------------------------------------------------------------


@pytest.mark.rule("DC-MOVE-03")
def test_the_other_tunnel_of_a_card_is_no_wall_but_too_far() -> None:
    state = table(2, {"1,0": "T1-11", "1,-1": "T1-07"}, at={0: "1,0.a"}, phase="move")
    assert why(state, "step 0,0 a") == ("not-adjacent", ["1,0", "0,0"], "DC-MOVE-03")


@pytest.mark.rule("DC-CRE-06")
def test_a_creatures_reach_costs_nothing() -> None:
    lay = {"1,0": "T1-12", "2,0": "T1-17", "3,0": "T1-18"}
    state = table(2, lay, hands={0: ["goblin-2", "T1-07"]})
    do(state, "call goblin-2 1,0 a")
    assert {(way["cards"], way["gold"]) for way in GAME.view(state, 0)["reach"]} == {(0, 0)}


@pytest.mark.rule("DC-WEB-02")
def test_a_web_lies_on_a_joint_or_an_open_end_and_nowhere_else() -> None:
    lay = {"2,4": "T1-01", "3,4": "T1-02", "4,4": "G-GOLD"}
    state = table(2, lay)
    places = state.cave.web_places()
    assert len(places) == len(set(places)), "a joint is one place"
    assert border("2,4 east") in places and border("3,4 east") not in places, "a goal's wall"


@pytest.mark.rule("DC-INFO-02")
def test_only_what_can_lie_there_is_seen() -> None:
    state = table(2, {"4,-4": "G-EXIT"}, hands={0: ["info-1", "T1-07"]})
    do(state, "spy-goal info-1 4,4")
    assert why(state, "look G-EXIT", TABLE) == ("not-drawn", [], "DC-INFO-02")
    assert refusal(state, "look G-GOLD", TABLE) is None


@pytest.mark.rule("DC-BOOK-06")
def test_the_neighbour_may_pick_any_card_of_the_largest_hand() -> None:
    """«Игрок слева от вас берёт 1 случайную карточку из вашей руки…»"""
    cards = ["T1-07", "T1-09", "T1-10", "T2-01", "T2-02"]
    state = table(2, {"1,0": "T1-17"}, hands={0: cards}, phase="move")
    do(state, "step 1,0 a")
    assert legal(state, "pick") == {"1", "2", "3", "4", "5"}


@pytest.mark.rule("DC-BOOT-01")
@pytest.mark.rule("DC-AXE-01")
@pytest.mark.parametrize(("verb", "card", "rule"), [("boots", "boots-1", "BOOT"), ("axe", "axe-1", "AXE")])
def test_an_item_is_laid_before_somebody_who_plays(verb: str, card: str, rule: str) -> None:
    state = table(2, hands={0: [card, "T1-07"]})
    assert why(state, f"{verb} {card} p3") == ("no-player", [], f"DC-{rule}-01")
    assert refusal(state, f"{verb} {card} p2") is None


@pytest.mark.rule("DC-PLACE-07")
@pytest.mark.parametrize("lay", [{"1,0": "T1-03"}, {"0,1": "T1-08"}])
def test_the_invariants_notice_a_tunnel_that_ends_at_a_wall(lay: dict[str, str]) -> None:
    """«При этом туннели должны переходить в туннели.»"""
    with pytest.raises(AssertionError, match="'0,0', "):
        table(2, lay)


def test_a_refusal_names_the_cells_that_the_table_has() -> None:
    assert on_table(-1, 0, ON_TABLE - 1, ON_TABLE) == (0, ON_TABLE - 1)


@pytest.mark.rule("DC-AXE-05")
def test_who_has_left_the_cave_cuts_no_web() -> None:
    state = table(3, ROW, out=[0], front={0: ["axe-1"]}, webs={"circle": ("0,0 east", 2, 1)})
    assert legal(state, "cut") == set()


SELDOM = {
    "clan-chosen",
    "cut",
    "goal-laid",
    "goal-shown",
    "gold-left",
    "left",
    "roused",
    "saw-aside",
    "side-out",
    "struck",
    "vein-buried",
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
    """«Игра немедленно заканчивается», «с этой карточки», «немедленно уберите фишку»: as the book is read."""
    assert GAME.resolve({}) == {
        "players": 4,
        "deck": "digital",
        "clans": "digital",
        "clan": "random",
        "first": 0,
        "entrance": "front",
        "allow_half_turn": True,
        "ladder_counts_for_placement": True,
        "ladder_from": "card",
        "axe_same_turn": False,
        "attack_on_placement": True,
        "creature_before_exit": True,
        "finish_turn_on_last_card": False,
        "early_end": True,
    }


@pytest.mark.rule("DC-PLACE-06")
def test_all_hear_which_way_a_card_was_laid() -> None:
    """«Все карточки туннелей должны быть ориентированы в одну и ту же сторону.»"""
    told = set()
    for line in legal(table(2, hands={0: ["T1-03", "T1-05", "T1-07", "T1-11"]}), "lay"):
        state = table(2, hands={0: ["T1-03", "T1-05", "T1-07", "T1-11"]})
        (laid,) = (event for event in do(state, f"lay {line}") if event.kind == "laid")
        told.add((int(line.split()[-1]), laid.data["turn"]))
    assert told == {(0, 0), (180, 180)}


@pytest.mark.rule("DC-CRE-11")
def test_anothers_turn_leaves_a_creature_where_it_is_whatever_lies_before_him() -> None:
    """«Уберите существо в начале вашего следующего хода…»"""
    state = table(2, ROW, creatures={"rat": ("2,0.a", 0)}, front={1: ["boots-1"]})
    pass_turn(state)
    assert state.turn == 1 and where(state.creatures[0]) == "2,0.a"


@pytest.mark.rule("DC-LIN-02")
def test_a_second_victim_does_not_set_the_first_one_up() -> None:
    """«…он парализует вас на один раунд… В ваш следующий ход поставьте фишку снова вертикально»"""
    state = table(3, ROW, at={2: "2,0.a"}, lying=[1], hands={0: ["lindworm-1", "T1-07"]})
    do(state, "call lindworm-1 1,0 a", "crawl 2,0 a")
    assert state.lying == {1, 2}


@pytest.mark.rule("DC-AXE-10")
def test_an_axe_laid_before_another_takes_nothing_from_the_own_one() -> None:
    """«Вы не можете разыграть карточку из руки и сразу же применить её эффект»: that card, no other."""
    state = table(2, ROW, hands={0: ["axe-1", "T1-07"]}, front={0: ["axe-2"]})
    do(state, "axe axe-1 p2")
    assert state.usable_axes(0) == 1 and state.usable_axes(1) == 0


@pytest.mark.rule("DC-AXE-08")
def test_a_creature_that_was_driven_off_asks_nobody_else_for_an_axe() -> None:
    """«Если какой-то гном отгоняет существо боевым топором, то все гномы, которые находятся вместе с ним,
    спасаются от атаки.»
    """
    both = {1: "2,0.a", 2: "2,0.a"}
    state = table(3, ROW, at=both, front={1: ["axe-1"], 2: ["axe-2"]}, hands={0: ["goblin-2", "T1-07"]})
    do(state, "call goblin-2 1,0 a", "crawl 2,0 a", "strike")
    assert phase(state) == "move" and state.axes(2) == 1 and state.gold == [3, 3, 3]


@pytest.mark.rule("DC-SETUP-09")
@pytest.mark.parametrize(("players", "drawn"), [(2, False), (3, True), (4, True), (5, False)])
def test_with_three_or_four_it_is_drawn_which_clan_they_are_of(players: int, drawn: bool) -> None:
    """«3–4 игрока: возьмите все карточки одного любого клана»"""
    state = DarkCave(GAME.resolve({"players": players}))
    assert (state.needs()[0].verbs == ("side",)) == drawn
