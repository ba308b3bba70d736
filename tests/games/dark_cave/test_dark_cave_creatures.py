"""Rat, lindworm and goblin."""

from __future__ import annotations

import pytest
from dark_cave_tables import (
    at,
    cell,
    do,
    draw_due,
    end_turn,
    hand,
    kinds,
    legal,
    pass_turn,
    phase,
    place,
    refusal,
    table,
    where,
    why,
)

from companion.games.dark_cave import GAME
from companion.games.dark_cave.cave import NOWHERE
from companion.games.dark_cave.creatures import creature_reach

ROW = {"1,0": "T1-12", "2,0": "T1-08", "3,0": "T1-02", "4,0": "T1-01"}
LONG = ROW | {"5,0": "T1-05", "6,0": "T1-06", "7,0": "T1-14"}
AWAY = dict.fromkeys(range(8), "1,0.a")


@pytest.mark.rule("DC-CRE-01")
@pytest.mark.rule("DC-CRE-02")
@pytest.mark.rule("DC-RAT-02")
def test_dc_s38_a_rat_comes_out_of_a_dark_hole_and_robs_a_card() -> None:
    state = table(2, ROW, at={1: "3,0.a"}, hands={0: ["rat-1", "T1-07"], 1: ["T1-09", "T1-10"]})
    do(state, "call rat-1 1,0 a", "crawl 2,0 a", "crawl 3,0 a")
    assert [state.cards.names[k] for k in state.front[0]] == ["rat-1"] and state.holders[0] == 0
    assert phase(state) == "pick" and state.needs()[0].seat == 0, "the left neighbour picks"
    do(state, "pick 1")
    assert phase(state) == "lose" and legal(state, "lose") == {"T1-09", "T1-10"}
    events = do(state, "lose T1-09")
    assert hand(state, 1) == ["T1-10"] and state.discards[state.cards.kind_of["T1-09"]] == 1
    assert [(e.kind, e.audience) for e in events] == [("card-lost", None), ("missed", frozenset({1}))]
    assert where(state.creatures[0]) == "3,0.a" and phase(state) == "move", "the third step is unused"


@pytest.mark.rule("DC-CRE-02")
def test_a_creature_is_placed_on_any_dark_hole_and_nowhere_else() -> None:
    state = table(2, ROW | {"5,0": "T1-14"}, hands={0: ["rat-1", "T1-07"]})
    assert legal(state, "call") == {"rat-1 1,0 a", "rat-1 5,0 a"}
    assert why(state, "call rat-1 2,0 a") == ("not-a-hole", ["2,0"], "DC-CRE-02")
    goal = table(6, {"3,-3": "G-HOLE"}, hands={0: ["rat-1", "T1-07"]})
    assert legal(goal, "call") == {"rat-1 3,-3 c"}


@pytest.mark.rule("DC-CRE-03")
@pytest.mark.rule("DC-CRE-19")
def test_dc_s39_without_a_dark_hole_only_a_creature_in_play_can_be_moved() -> None:
    lay = {"1,0": "T1-08", "2,0": "T1-01"}
    state = table(2, lay, hands={0: ["goblin-2", "T1-07"]})
    assert why(state, "call goblin-2 1,0 a") == ("no-hole", [], "DC-CRE-03")
    assert why(state, "rouse goblin-2") == ("creature-not-in-play", [], "DC-CRE-12")
    in_play = table(2, lay, hands={0: ["goblin-2", "T1-07"]}, creatures={"goblin": ("2,0.a", 1)})
    do(in_play, "rouse goblin-2", "crawl 1,0 a")
    assert where(in_play.creatures[2]) == "1,0.a"


@pytest.mark.rule("DC-CRE-04")
@pytest.mark.rule("DC-RAT-01")
@pytest.mark.rule("DC-LIN-01")
@pytest.mark.rule("DC-GOB-01")
@pytest.mark.parametrize(
    ("creature", "card", "limit"), [(0, "rat-1", 3), (1, "lindworm-1", 4), (2, "goblin-2", 5)]
)
def test_each_creature_has_its_limit_of_steps(creature: int, card: str, limit: int) -> None:
    state = table(2, LONG, hands={0: [card, "T1-07"]})
    do(state, f"call {card} 1,0 a")
    for i in range(limit):
        assert phase(state) == "creep"
        do(state, f"crawl {2 + i},0 a")
    assert phase(state) == "move" and where(state.creatures[creature]) == f"{1 + limit},0.a"


@pytest.mark.rule("DC-CRE-04")
def test_a_creature_may_stay_where_it_is_placed() -> None:
    state = table(2, ROW, hands={0: ["rat-1", "T1-07"]})
    do(state, "call rat-1 1,0 a", "halt")
    assert where(state.creatures[0]) == "1,0.a" and phase(state) == "move"


@pytest.mark.rule("DC-CRE-05")
def test_a_creature_may_go_forward_and_back() -> None:
    state = table(2, ROW, hands={0: ["rat-1", "T1-07"]})
    do(state, "call rat-1 1,0 a", "crawl 2,0 a", "crawl 1,0 a", "crawl 2,0 a")
    assert where(state.creatures[0]) == "2,0.a"


@pytest.mark.rule("DC-CRE-06")
def test_creatures_use_ladders_bridges_and_passages_for_nothing() -> None:
    state = table(
        2,
        {"1,0": "T1-12", "2,0": "T1-17", "3,0": "T1-18", "-4,0": "T1-15"},
        hands={0: ["goblin-2", "T1-07"]},
        at={0: "-4,0.a", 1: "-4,0.a"},
    )
    do(state, "call goblin-2 1,0 a", "crawl 2,0 a", "crawl 3,0 b", "crawl 3,0 p")
    assert state.gold == [3, 3] and len(state.hands[0]) == 1
    ladder = table(
        2, {"1,0": "T1-15", "-4,3": "T2-13"}, creatures={"rat": ("1,0.a", 1)}, hands={0: ["rat-1"]}
    )
    do(ladder, "rouse rat-1", "crawl -4,3 e")
    assert where(ladder.creatures[0]) == "-4,3.e" and ladder.todo[-1] == ("crawl", 0, 0, 2)


@pytest.mark.rule("DC-CRE-07")
def test_dc_s46_a_web_stops_a_creature_but_not_its_ladder() -> None:
    state = table(
        2,
        {"1,0": "T1-15", "2,0": "T1-08"},
        creatures={"rat": ("1,0.a", 1)},
        webs={"circle": ("0,0 east", 2, 1), "diamond": ("1,0 east", 2, 1)},
        at={0: "2,0.a", 1: "2,0.a"},
        hands={0: ["rat-1", "T1-07"]},
    )
    do(state, "rouse rat-1")
    assert why(state, "crawl 2,0 a") == ("web", ["1,0", "2,0"], "DC-CRE-07")
    assert refusal(state, "crawl 0,0 a") is None, "by ladder, although the border is webbed"


@pytest.mark.rule("DC-CRE-08")
@pytest.mark.rule("DC-CRE-09")
@pytest.mark.rule("DC-GOB-02")
def test_a_creature_stops_at_dwarves_and_attacks_all_of_them() -> None:
    state = table(
        5, ROW, at={0: "2,0.a", 1: "2,0.a", 2: "2,0.a", 3: "3,0.a"}, hands={0: ["goblin-2", "T1-07"]}
    )
    do(state, "call goblin-2 1,0 a", "crawl 2,0 a")
    assert state.gold == [2, 2, 2, 3, 3], "its own player and clan too"
    assert phase(state) == "move", "it stops at once"


@pytest.mark.rule("DC-CRE-10")
def test_a_creature_placed_on_dwarves_attacks_at_once_and_does_not_move() -> None:
    state = table(2, ROW, at={1: "1,0.a"}, hands={0: ["goblin-2", "T1-07"]})
    do(state, "call goblin-2 1,0 a")
    assert state.gold == [3, 2] and phase(state) == "move"
    switched = table(2, ROW, at={1: "1,0.a"}, hands={0: ["goblin-2", "T1-07"]}, attack_on_placement=False)
    do(switched, "call goblin-2 1,0 a")
    assert switched.gold == [3, 3] and phase(switched) == "creep"


@pytest.mark.rule("DC-CRE-11")
def test_dc_s45_a_creature_leaves_at_the_start_of_its_players_next_turn() -> None:
    state = table(2, ROW, creatures={"rat": ("3,0.a", 1)}, hands={0: ["T1-07", "T1-09"]})
    pass_turn(state)
    assert state.turn == 1 and phase(state) == "play"
    assert state.creatures[0] == NOWHERE and state.front[1] == ()
    assert state.discards[state.cards.kind_of["rat-3"]] == 1


@pytest.mark.rule("DC-CRE-12")
@pytest.mark.rule("DC-CRE-14")
def test_dc_s41_a_creature_in_play_gets_a_new_master() -> None:
    state = table(
        3, ROW, at={2: "3,0.a"}, creatures={"rat": ("3,0.a", 0)}, hands={1: ["rat-1", "T1-07"]}, turn=1
    )
    assert why(state, "call rat-1 1,0 a") == ("creature-in-play", ["3,0"], "DC-CRE-12")
    do(state, "rouse rat-1")
    assert state.front[0] == () and state.discards[state.cards.kind_of["rat-3"]] == 1
    assert state.holders[0] == 1 and phase(state) == "creep", "nobody is attacked where it starts"
    do(state, "crawl 4,0 a", "crawl 3,0 a")
    assert phase(state) == "pick", "who is met on the return is attacked"
    do(state, "pick 2")
    state.apply(-1, state.outcomes()[0][0])
    end_turn(state)
    pass_turn(state)
    assert state.turn == 0 and where(state.creatures[0]) == "3,0.a", "it stays until the new player's turn"
    pass_turn(state)
    assert state.turn == 1 and state.creatures[0] == NOWHERE


@pytest.mark.rule("DC-CRE-14")
def test_dc_s41_a_creature_that_does_not_move_attacks_nobody() -> None:
    state = table(
        3, ROW, at={2: "3,0.a"}, creatures={"rat": ("3,0.a", 0)}, hands={1: ["rat-1", "T1-07"]}, turn=1
    )
    do(state, "rouse rat-1", "halt")
    assert phase(state) == "move" and len(state.hands[2]) == 2


@pytest.mark.rule("DC-CRE-13")
def test_a_creature_on_a_face_down_goal_can_only_go_back() -> None:
    state = table(
        6, {"2,-3": "T1-12", "3,-2": "T1-01"}, hands={0: ["goblin-2", "T1-07"]}, goals={"3,-3": "G-EXIT"}
    )
    do(state, "call goblin-2 2,-3 a", "crawl 3,-3 closed")
    assert legal(state, "crawl") == {"2,-3 a"}, "not on to the open card in the south"
    do(state, "halt")
    assert where(state.creatures[2]) == "3,-3.closed" and cell("3,-3") in state.cave.closed


@pytest.mark.rule("DC-CRE-16")
def test_a_dwarf_that_starts_beside_a_creature_leaves_freely() -> None:
    state = table(2, ROW, at={0: "2,0.a"}, creatures={"goblin": ("2,0.a", 1)}, phase="move")
    do(state, "step 3,0 a")
    assert state.gold[0] == 3 and phase(state) == "move"


@pytest.mark.rule("DC-CRE-17")
def test_several_creatures_attack_in_order_and_one_axe_drives_off_one() -> None:
    state = table(
        2,
        ROW,
        creatures={"goblin": ("1,0.a", 1), "lindworm": ("1,0.a", 1)},
        front={0: ["axe-1"]},
        phase="move",
    )
    do(state, "step 1,0 a")
    assert phase(state) == "ask"
    events = do(state, "strike")
    assert events[0].data["creature"] == "lindworm", "before the goblin"
    assert state.gold[0] == 2 and state.lying == set()


@pytest.mark.rule("DC-CRE-18")
def test_axes_are_asked_for_in_turn_order_from_the_active_player_on() -> None:
    state = table(
        4,
        ROW,
        at={0: "2,0.a", 1: "2,0.a", 2: "2,0.a", 3: "3,0.a"},
        front={0: ["axe-1"], 1: ["axe-2"], 2: ["axe-3"]},
        hands={1: ["rat-1", "T1-07"]},
        turn=1,
    )
    do(state, "call rat-1 1,0 a", "crawl 2,0 a")
    asked = []
    while phase(state) == "ask":
        asked.append(state.needs()[0].seat)
        do(state, "endure")
    assert asked == [1, 2, 0]


# Axes against creatures -------------------------------------------------------------------------------


@pytest.mark.rule("DC-AXE-06")
@pytest.mark.rule("DC-AXE-07")
@pytest.mark.rule("DC-AXE-08")
@pytest.mark.rule("DC-AXE-09")
def test_dc_s40_one_axe_saves_all_dwarves_on_the_segment() -> None:
    state = table(
        4,
        ROW,
        at={1: "2,0.a", 2: "2,0.a", 3: "2,0.a"},
        front={2: ["axe-1"]},
        hands={0: ["lindworm-1", "T1-07"]},
    )
    do(state, "call lindworm-1 1,0 a", "crawl 2,0 a")
    assert state.needs()[0].seat == 2, "in another player's turn"
    do(state, "strike")
    assert state.lying == set() and state.creatures[1] == NOWHERE
    assert state.front == [(), (), (), ()]
    assert state.discards[state.cards.kind_of["lindworm-1"]] == 1
    assert state.discards[state.cards.kind_of["axe-1"]] == 1


@pytest.mark.rule("DC-AXE-11")
def test_dc_s42_a_dwarf_that_met_a_creature_stays_there_even_with_an_axe() -> None:
    setup = {"creatures": {"goblin": ("2,0.a", 1)}, "at": {0: "1,0.a"}, "phase": "move"}
    state = table(2, ROW, front={0: ["axe-1"]}, **setup)
    do(state, "step 2,0 a", "strike")
    assert at(state, 0) == "2,0.a" and phase(state) == "draw" and state.gold[0] == 3
    unarmed = table(2, ROW, **setup)
    do(unarmed, "step 2,0 a")
    assert unarmed.gold[0] == 2 and phase(unarmed) == "draw"


@pytest.mark.rule("DC-AXE-10")
def test_an_axe_laid_this_turn_does_not_help_against_a_creature() -> None:
    state = table(2, ROW, creatures={"goblin": ("1,0.a", 1)}, hands={0: ["axe-1", "T1-07"]})
    do(state, "axe axe-1 p1", "step 1,0 a")
    assert state.gold[0] == 2 and state.axes(0) == 1


# Rat, lindworm, goblin --------------------------------------------------------------------------------


@pytest.mark.rule("DC-RAT-02")
def test_a_rat_takes_a_card_of_each_dwarf_it_meets() -> None:
    state = table(3, ROW, at={1: "2,0.a", 2: "2,0.a"}, hands={0: ["rat-1", "T1-07"]})
    do(state, "call rat-1 1,0 a", "crawl 2,0 a")
    lost = []
    while phase(state) == "pick":
        assert state.needs()[0].seat == (state.todo[-1][2] + 1) % 3
        do(state, "pick 1")
        lost.append(state.todo[-1][1])
        state.apply(-1, state.outcomes()[0][0])
    assert lost == [1, 2] and [len(h) for h in state.hands] == [1, 1, 1]


@pytest.mark.rule("DC-RAT-02")
def test_a_rat_takes_the_last_card_too() -> None:
    state = table(2, ROW, at={1: "2,0.a"}, hands={0: ["rat-1", "T1-07"], 1: ["T1-09"]})
    do(state, "call rat-1 1,0 a", "crawl 2,0 a", "lose T1-09")
    assert hand(state, 1) == []


@pytest.mark.rule("DC-RAT-03")
def test_a_rat_stops_at_an_empty_hand_and_takes_nothing() -> None:
    state = table(2, ROW, at={1: "2,0.a"}, hands={0: ["rat-1", "T1-07"], 1: []})
    do(state, "call rat-1 1,0 a", "crawl 2,0 a")
    assert phase(state) == "move" and where(state.creatures[0]) == "2,0.a"


@pytest.mark.rule("DC-LIN-02")
@pytest.mark.rule("DC-LIN-03")
def test_dc_s44_a_dwarf_hit_by_the_lindworm_rests_in_its_next_turn() -> None:
    state = table(
        2, ROW, at={1: "2,0.a"}, hands={0: ["lindworm-1", "T1-07", "T1-09"], 1: ["T2-06", "T1-10", "T1-03"]}
    )
    do(state, "call lindworm-1 1,0 a", "crawl 2,0 a")
    assert GAME.view(state, 0)["dwarves"][1]["lying"]
    end_turn(state)
    assert state.turn == 1 and state.lying == set()
    do(state, "pass T1-03")
    assert phase(state) == "draw", "no movement"
    draw_due(state)
    assert len(state.hands[1]) == 3, "phases 1 and 3 as usual"
    pass_turn(state)
    do(state, "pass T1-10")
    assert phase(state) == "move" and state.steps_left == 3


@pytest.mark.rule("DC-LIN-04")
def test_a_dwarf_paralysed_in_its_own_turn_rests_now_and_in_its_next_turn() -> None:
    state = table(2, ROW, creatures={"lindworm": ("1,0.a", 1)}, phase="move")
    do(state, "step 1,0 a")
    assert phase(state) == "draw" and state.lying == {0}
    pass_turn(draw_due(state))
    assert state.turn == 0
    do(state, f"pass {hand(state, 0)[0]}")
    assert phase(state) == "draw"


@pytest.mark.rule("DC-LIN-04")
def test_a_player_paralysed_by_the_own_lindworm_does_not_walk() -> None:
    state = table(2, ROW, at={0: "2,0.a", 1: "2,0.a"}, hands={0: ["lindworm-1", "T1-07"]})
    do(state, "call lindworm-1 1,0 a", "crawl 2,0 a")
    assert phase(state) == "draw" and state.lying == {0, 1}


@pytest.mark.rule("DC-LIN-05")
def test_a_second_lindworm_attack_adds_nothing() -> None:
    state = table(2, ROW, at={1: "2,0.a"}, lying=[1], hands={0: ["lindworm-1", "T1-07"]})
    do(state, "call lindworm-1 1,0 a", "crawl 2,0 a")
    assert state.lying == {1}
    end_turn(state)
    do(state, f"pass {hand(state, 1)[0]}")
    pass_turn(draw_due(state))
    assert state.turn == 1 and not state.barred


@pytest.mark.rule("DC-LIN-06")
def test_a_lying_dwarf_can_still_be_robbed_and_may_use_an_axe() -> None:
    state = table(2, ROW, at={1: "2,0.a"}, lying=[1], front={1: ["axe-1"]}, hands={0: ["goblin-2", "T1-07"]})
    do(state, "call goblin-2 1,0 a", "crawl 2,0 a")
    assert phase(state) == "ask" and state.needs()[0].seat == 1
    do(state, "endure")
    assert state.gold[1] == 2


@pytest.mark.rule("DC-GOB-03")
def test_dc_s43_a_goblin_stops_at_a_dwarf_without_gold() -> None:
    state = table(2, ROW, at={1: "2,0.a"}, gold={1: 0}, hands={0: ["goblin-2", "T1-07"]})
    supply = state.supply
    events = do(state, "call goblin-2 1,0 a", "crawl 2,0 a")
    assert state.supply == supply and where(state.creatures[2]) == "2,0.a" and phase(state) == "move"
    assert "nugget-lost" not in kinds(events)


def test_an_axe_in_front_can_clear_the_way_for_the_own_creature() -> None:
    state = table(
        2,
        ROW,
        at={0: "2,0.a", 1: "3,0.a"},
        creatures={"goblin": ("2,0.a", 1)},
        webs={"circle": ("2,0 east", 1, 1)},
        front={0: ["axe-1"]},
        hands={0: ["goblin-2", "T1-07"]},
    )
    do(state, "rouse goblin-2")
    assert why(state, "crawl 3,0 a") == ("web", ["2,0", "3,0"], "DC-CRE-07")
    do(state, "cut 2,0 east", "crawl 3,0 a")
    assert state.gold == [3, 2]


def test_creature_reach_stops_at_dwarves() -> None:
    state = table(2, LONG, at={0: "0,0.a", 1: "3,0.a"}, hands={0: ["goblin-2", "T1-07"]})
    do(state, "call goblin-2 1,0 a")
    assert set(map(where, creature_reach(state, 2, 5))) == {"0,0.a", "2,0.a", "3,0.a"}
    assert place("1,0.a") == state.creatures[2]
