"""Moving a dwarf: segments, ladders, bridges, arched tunnels, gold veins."""

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

from companion.engine.action import TABLE
from companion.games.dark_cave import GAME
from companion.games.dark_cave.agenda import DarkCave
from companion.games.dark_cave.walk import dwarf_reach

ROW = {"1,0": "T1-08", "2,0": "T1-01", "3,0": "T1-02", "4,0": "T2-07"}


def reached(state: DarkCave) -> dict[str, int]:
    """Everywhere the active dwarf can get to, with the steps."""
    return {where(p): way.steps for p, way in dwarf_reach(state, state.turn, state.steps_left).items()}


@pytest.mark.rule("DC-MOVE-01")
def test_dc_s15_a_dwarf_moves_up_to_three_steps() -> None:
    state = table(2, ROW, phase="move")
    assert reached(state) == {"1,0.a": 1, "2,0.a": 2, "3,0.a": 3}
    do(state, "step 1,0 a", "step 2,0 a", "step 3,0 a")
    assert at(state, 0) == "3,0.a" and phase(state) == "draw"


@pytest.mark.rule("DC-MOVE-01")
def test_not_moving_is_allowed() -> None:
    state = table(2, ROW, phase="move")
    do(state, "stay")
    assert at(state, 0) == "0,0.a" and phase(state) == "draw"


@pytest.mark.rule("DC-MOVE-02")
@pytest.mark.rule("DC-BOOT-03")
def test_boots_give_a_fourth_step_in_every_turn() -> None:
    state = table(2, ROW, front={0: ["boots-1"]}, phase="move", at={1: "4,0.e"})
    do(state, "step 1,0 a", "step 2,0 a", "step 3,0 a", "step 4,0 w")
    assert at(state, 0) == "4,0.w"
    pass_turn(draw_due(state))
    do(state, f"pass {hand(state, 0)[0]}")
    assert state.steps_left == 4


@pytest.mark.rule("DC-MOVE-03")
def test_one_step_is_one_segment() -> None:
    state = table(2, {"1,0": "T2-07", "2,0": "T3-05"}, phase="move")
    assert legal(state, "step") == {"1,0 w"}
    assert why(state, "step 1,0 e") == ("not-adjacent", ["0,0", "1,0"], "DC-MOVE-03")
    do(state, "step 1,0 w")
    assert legal(state, "step") == {"1,0 e", "0,0 a"}


def test_dc_s16_cards_of_higher_levels_take_more_steps() -> None:
    lay = {"1,0": "T2-07", "2,0": "T3-05"}
    assert reached(table(2, lay, phase="move")) == {"1,0.w": 1, "1,0.e": 2, "2,0.w": 3}
    with_boots = reached(table(2, lay, phase="move", front={0: ["boots-1"]}))
    assert with_boots == {"1,0.w": 1, "1,0.e": 2, "2,0.w": 3, "2,0.c": 4}


@pytest.mark.rule("DC-MOVE-05")
def test_a_wall_stops_a_dwarf() -> None:
    state = table(2, {"1,0": "T1-08", "1,-1": "T2-07"}, phase="move", at={0: "1,0.a"})
    assert why(state, "step 1,-1 w") == ("wall", ["1,0", "1,-1"], "DC-MOVE-05")


@pytest.mark.rule("DC-MOVE-06")
def test_dwarves_share_segments_and_never_block() -> None:
    state = table(4, ROW, at={1: "1,0.a", 2: "1,0.a", 3: "2,0.a"}, phase="move")
    do(state, "step 1,0 a")
    assert {at(state, seat) for seat in (0, 1, 2)} == {"1,0.a"}
    do(state, "step 2,0 a", "step 3,0 a")
    assert at(state, 0) == "3,0.a"


@pytest.mark.rule("DC-MOVE-07")
def test_a_dwarf_may_turn_back_and_pays_again() -> None:
    state = table(2, {"1,0": "T1-17", "2,0": "T1-01"}, hands={0: ["T1-07", "T1-09", "T1-10"]}, phase="move")
    do(state, "step 1,0 a", "pick 1", "lose T1-07", "step 2,0 a", "step 1,0 a", "pick 2", "lose T1-09")
    assert at(state, 0) == "1,0.a" and hand(state, 0) == ["T1-10"]


@pytest.mark.rule("DC-MOVE-08")
@pytest.mark.rule("DC-WEB-05")
def test_a_webbed_border_cannot_be_crossed() -> None:
    state = table(2, ROW, webs={"circle": ("0,0 east", 2, 1)}, phase="play", hands={0: ["T2-01", "T1-09"]})
    do(state, "pass T1-09")
    assert phase(state) == "draw", "there is no way on"
    state = table(2, ROW, webs={"circle": ("1,0 east", 2, 1)}, phase="move")
    do(state, "step 1,0 a")
    assert why(state, "step 2,0 a") == ("web", ["1,0", "2,0"], "DC-MOVE-08")
    assert reached(state) == {"0,0.a": 1}


@pytest.mark.rule("DC-MOVE-09")
@pytest.mark.rule("DC-CRE-15")
def test_entering_a_segment_with_a_creature_ends_the_movement() -> None:
    state = table(3, ROW, at={1: "2,0.a"}, creatures={"goblin": ("2,0.a", 2)}, phase="move")
    do(state, "step 1,0 a", "step 2,0 a")
    assert phase(state) == "draw" and at(state, 0) == "2,0.a"
    assert state.gold == [2, 3, 3], "only the dwarf that entered is attacked"


@pytest.mark.rule("DC-MOVE-10")
def test_entering_a_face_down_goal_takes_a_step_and_ends_the_movement() -> None:
    state = table(6, {"2,-3": "T2-07"}, at={0: "2,-3.e"}, goals={"3,-3": "G-EXIT"}, phase="move")
    assert reached(state)["3,-3.closed"] == 1
    do(state, "step 3,-3 closed", "reveal G-EXIT")
    assert phase(state) == "draw"


@pytest.mark.rule("DC-MOVE-11")
def test_only_the_own_dwarf_is_moved_in_the_own_turn() -> None:
    state = table(2, ROW, phase="move")
    assert why(state, "step 1,0 a", seat=1) == ("not-your-turn", [], "DC-TURN-01")
    do(state, "step 1,0 a")
    assert (at(state, 0), at(state, 1)) == ("1,0.a", "0,0.a")


@pytest.mark.rule("DC-MOVE-12")
def test_costs_come_before_creatures_and_creatures_before_the_vein() -> None:
    state = table(
        2,
        {"1,0": "T1-17"},
        hands={0: ["T1-07", "T1-09"], 1: ["T1-10"]},
        creatures={"goblin": ("1,0.a", 1)},
        front={0: ["axe-1"]},
        phase="move",
    )
    do(state, "step 1,0 a")
    assert phase(state) == "pick", "the bridge is paid first"
    do(state, "pick 1", "lose T1-07")
    assert phase(state) == "ask", "then the creature"
    vein = table(2, {"1,0": "T2-17"}, creatures={"goblin": ("1,0.w", 1)}, phase="move")
    events = do(vein, "step 1,0 w", "gather")
    assert kinds(events)[:4] == ["stepped", "attacked", "nugget-lost", "gold-taken"]


@pytest.mark.rule("DC-MOVE-12")
def test_a_dwarf_paralysed_on_the_exit_still_leaves() -> None:
    state = table(
        6,
        {"3,-3": "G-EXIT"},
        at={0: "3,-3.w"},
        creatures={"lindworm": ("3,-3.c", 1)},
        phase="move",
    )
    events = do(state, "step 3,-3 c")
    assert kinds(events)[:3] == ["stepped", "attacked", "left"] and state.lying == set()


@pytest.mark.rule("DC-MOVE-13")
def test_steps_left_over_are_lost() -> None:
    state = table(2, ROW, phase="move")
    do(state, "step 1,0 a", "stay")
    pass_turn(draw_due(state))
    do(state, f"pass {hand(state, 0)[0]}")
    assert state.steps_left == 3


@pytest.mark.rule("DC-MOVE-14")
@pytest.mark.rule("DC-LIN-02")
def test_a_lying_dwarf_stands_up_in_its_next_turn_and_does_not_move() -> None:
    state = table(2, ROW, lying=[1], at={1: "1,0.a"})
    pass_turn(state)
    assert state.turn == 1 and state.lying == set()
    do(state, f"pass {hand(state, 1)[0]}")
    assert phase(state) == "draw", "no movement is offered"


@pytest.mark.rule("DC-MOVE-14")
def test_a_lying_dwarf_that_may_use_an_axe_still_cannot_move() -> None:
    state = table(
        2, ROW, lying=[0], at={0: "1,0.a"}, front={0: ["axe-1"]}, webs={"circle": ("1,0 east", 2, 1)}
    )
    do(state, f"pass {hand(state, 0)[0]}")
    assert legal(state, "cut") == {"1,0 east"} and legal(state, "step") == set()
    assert why(state, "step 0,0 a") == ("lying", ["1,0"], "DC-MOVE-14")


def test_without_steps_left_a_dwarf_cannot_move() -> None:
    state = table(2, ROW, front={0: ["axe-1"]}, webs={"circle": ("3,0 east", 2, 1)}, phase="move")
    do(state, "step 1,0 a", "step 2,0 a", "step 3,0 a")
    assert why(state, "step 2,0 a") == ("no-steps", ["3,0"], "DC-MOVE-01")


@pytest.mark.rule("DC-MOVE-15")
@pytest.mark.rule("DC-BRI-02")
def test_two_tunnels_of_one_card_are_not_neighbours() -> None:
    bridge = table(2, {"1,0": "T1-16"}, at={0: "1,0.b"}, phase="move")
    assert why(bridge, "step 1,0 a") == ("not-linked", ["1,0"], "DC-MOVE-15")
    curves = table(2, {"1,0": "T1-11"}, at={0: "1,0.b"}, phase="move")
    assert why(curves, "step 1,0 a") == ("not-linked", ["1,0"], "DC-MOVE-15")


def test_nobody_can_stand_where_no_segment_is() -> None:
    state = table(2, ROW, phase="move")
    assert why(state, "step 1,0 n") == ("no-place", ["1,0"], "DC-MOVE-03")
    assert why(state, "step 0,5 a") == ("no-place", ["0,5"], "DC-MOVE-03")


# Ladders ----------------------------------------------------------------------------------------------


@pytest.mark.rule("DC-LAD-01")
@pytest.mark.rule("DC-LAD-05")
def test_dc_s17_a_ladder_is_one_step_from_every_other() -> None:
    state = table(
        2,
        {"1,0": "T1-08", "2,0": "T1-15", "2,1": "T1-07"},
        webs={"triangle": ("0,0 east", 2, 1)},
        phase="move",
    )
    found = {where(p): way.steps for p, way in dwarf_reach(state, 0, 2).items()}
    assert found == {"2,0.a": 1, "2,1.a": 2, "1,0.a": 2}
    assert why(state, "step 1,0 a") == ("web", ["0,0", "1,0"], "DC-MOVE-08")


@pytest.mark.rule("DC-LAD-02")
def test_every_laid_ladder_is_one_step_from_the_entrance() -> None:
    state = table(2, {"5,5": "T1-15", "-5,2": "T2-13", "0,7": "T3-10"}, phase="move")
    assert legal(state, "step") == {"5,5 a", "-5,2 e", "0,7 c"}


@pytest.mark.rule("DC-LAD-03")
def test_the_ladder_of_a_goal_works_once_it_is_revealed() -> None:
    hidden = table(6, {"1,0": "T1-08"}, goals={"3,-3": "G-LADDER"}, phase="move")
    assert legal(hidden, "step") == {"1,0 a"}
    open_goal = table(6, {"1,0": "T1-08", "3,-3": "G-LADDER"}, phase="move")
    assert legal(open_goal, "step") == {"1,0 a", "3,-3 c"}


@pytest.mark.rule("DC-LAD-04")
def test_a_ladder_joins_ladder_segments_only() -> None:
    state = table(2, {"1,0": "T2-13"}, at={0: "1,0.w"}, phase="move")
    do(state, "step 0,0 a")
    assert legal(state, "step") == {"1,0 w", "1,0 e"}, "by the border, and by ladder to its own segment"
    away = table(2, {"2,0": "T2-13"}, at={0: "2,0.w"}, phase="move", ladder_from="section")
    assert legal(away, "step") == {"2,0 e"}


@pytest.mark.rule("DC-LAD-06")
def test_a_ladder_card_must_be_laid_like_any_other() -> None:
    state = table(2, {"1,0": "T1-08"}, hands={0: ["T1-15", "T2-13"]})
    assert why(state, "lay T1-15 3,3 0") == ("touches-nothing", ["3,3"], "DC-PLACE-02")
    assert why(state, "lay T2-13 1,1 0") == ("no-joint", ["1,1"], "DC-PLACE-10")


# Bridges ----------------------------------------------------------------------------------------------


@pytest.mark.rule("DC-BRI-03")
@pytest.mark.rule("DC-BRI-04")
@pytest.mark.rule("DC-BRI-06")
@pytest.mark.rule("DC-BRI-07")
def test_dc_s18_each_crossing_of_a_bridge_costs_a_random_card() -> None:
    state = table(
        2,
        {"1,0": "T1-17", "2,0": "T1-01"},
        hands={0: ["T1-07", "T1-09", "T1-10", "T1-03", "T1-05"], 1: ["T1-08", "T2-06"]},
    )
    do(state, "pass T1-03", "step 1,0 a")
    assert phase(state) == "pick" and state.needs()[0].seat == 1
    do(state, "pick 4")
    assert phase(state) == "lose" and state.needs()[0].seat == TABLE
    assert legal(state, "lose", TABLE) == {"T1-05", "T1-07", "T1-09", "T1-10"}
    events = do(state, "lose T1-05")
    assert [(e.kind, e.audience) for e in events] == [("card-lost", None), ("missed", frozenset({0}))]
    assert len(state.hands[0]) == 3 and state.discards[state.cards.kind_of["T1-05"]] == 1
    do(state, "step 2,0 a", "stay", "draw T1-11")
    assert len(state.hands[0]) == 4
    end_turn(pass_turn(state))
    do(state, "pass T1-07", "step 1,0 a", "pick 1", "lose T1-09")
    assert len(state.hands[0]) == 2


@pytest.mark.rule("DC-BRI-04")
def test_the_lost_card_is_random_over_the_hand() -> None:
    state = table(2, {"1,0": "T1-17"}, hands={0: ["T1-01", "T1-02", "T1-09"]}, phase="move")
    do(state, "step 1,0 a", "pick 1")
    ways = {state.notation.text(action): n for action, n in state.outcomes()}
    assert ways == {"lose T1-01": 2, "lose T1-09": 1}


@pytest.mark.rule("DC-BRI-05")
def test_with_an_empty_hand_a_bridge_costs_nothing() -> None:
    state = table(2, {"1,0": "T1-17", "2,0": "T1-01"}, hands={0: []}, phase="move")
    do(state, "step 1,0 a", "step 2,0 a")
    assert at(state, 0) == "2,0.a"


@pytest.mark.rule("DC-BRI-06")
def test_dc_s19_the_tunnel_below_a_bridge_costs_nothing() -> None:
    state = table(2, {"1,0": "T1-16"}, phase="move")
    do(state, "step 1,0 b")
    assert at(state, 0) == "1,0.b" and len(state.hands[0]) == 2
    assert "1,0.a" not in reached(state)


# Arched tunnels ---------------------------------------------------------------------------------------


@pytest.mark.rule("DC-ARCH-02")
@pytest.mark.rule("DC-ARCH-04")
def test_dc_s20_entering_the_passage_costs_a_nugget() -> None:
    state = table(2, {"1,0": "T1-18"}, phase="move")
    supply = state.supply
    do(state, "step 1,0 b", "step 1,0 p")
    assert state.gold[0] == 2 and state.supply == supply + 1
    do(state, "step 1,0 a")
    assert state.gold[0] == 2 and at(state, 0) == "1,0.a"
    again = table(2, {"1,0": "T1-18"}, at={0: "1,0.p"}, phase="move")
    do(again, "step 1,0 a", "step 1,0 p")
    assert again.gold[0] == 2, "entering it again costs again"


@pytest.mark.rule("DC-ARCH-03")
def test_dc_s21_without_nuggets_the_passage_is_free() -> None:
    state = table(2, {"1,0": "T1-18"}, gold={0: 0}, phase="move")
    do(state, "step 1,0 b", "step 1,0 p", "step 1,0 a")
    assert state.gold[0] == 0 and at(state, 0) == "1,0.a"


@pytest.mark.rule("DC-ARCH-05")
def test_the_ordinary_tunnels_of_an_arched_card_cost_no_gold() -> None:
    state = table(2, {"1,0": "T1-18", "1,1": "T1-01"}, phase="move")
    do(state, "step 1,0 b", "step 1,1 a", "stay")
    assert state.gold[0] == 3


# Gold veins -------------------------------------------------------------------------------------------


VEIN = {"1,0": "T2-17", "2,0": "T1-01"}


@pytest.mark.rule("DC-GOLD-02")
@pytest.mark.rule("DC-GOLD-03")
@pytest.mark.rule("DC-GOLD-05")
@pytest.mark.rule("DC-GOLD-08")
def test_dc_s22_who_ends_on_a_vein_takes_the_nugget_and_shows_the_clan_card() -> None:
    state = table(3, VEIN, phase="move")
    do(state, "step 1,0 w", "step 1,0 e", "step 2,0 a")
    assert state.gold[0] == 3 and state.veins == {cell("1,0"): 1}, "passing over takes nothing"
    draw_due(state)
    do(state, f"pass {hand(state, 1)[0]}", "step 1,0 w", "stay", "gather")
    assert state.gold[1] == 4 and state.veins == {cell("1,0"): 0}
    assert phase(state) == "open"
    do(state, "open yellow-saboteur")
    assert GAME.view(state, 2)["dwarves"][1]["card"] == "yellow-saboteur"
    draw_due(state)
    do(state, f"pass {hand(state, 2)[0]}", "step 1,0 w", "stay")
    assert state.gold[2] == 3, "an emptied vein gives nothing"


@pytest.mark.rule("DC-GOLD-04")
@pytest.mark.parametrize("segment", ["w", "e", "s"])
def test_any_segment_of_the_vein_card_counts(segment: str) -> None:
    start = {"w": "0,0.a", "e": "1,0.w", "s": "1,0.w"}[segment]
    state = table(2, VEIN, at={0: start}, phase="move")
    do(state, f"step 1,0 {segment}", "stay", "gather")
    assert state.gold[0] == 4


@pytest.mark.rule("DC-GOLD-06")
def test_a_movement_ended_by_a_creature_also_takes_the_nugget_after_the_attack() -> None:
    state = table(2, VEIN, creatures={"goblin": ("1,0.w", 1)}, gold={0: 1}, phase="move")
    events = do(state, "step 1,0 w", "gather")
    assert kinds(events) == ["stepped", "attacked", "nugget-lost", "gold-taken"]
    assert state.gold[0] == 1


@pytest.mark.rule("DC-GOLD-07")
def test_a_dwarf_that_did_not_move_takes_nothing() -> None:
    state = table(2, VEIN, at={0: "1,0.w"}, phase="move")
    do(state, "stay")
    assert state.gold[0] == 3 and state.veins == {cell("1,0"): 1}


@pytest.mark.rule("DC-GOLD-09")
def test_every_nugget_counts_one() -> None:
    state = table(2, VEIN, phase="move", gold={0: 0})
    do(state, "step 1,0 w", "stay", "gather")
    assert state.gold[0] == 1 and GAME.view(state, 0)["dwarves"][0]["gold"] == 1


def test_reach_names_costs_and_path() -> None:
    state = table(2, {"1,0": "T1-18"}, phase="move")
    way = dwarf_reach(state, 0, 3)[place("1,0.a")]
    assert (way.steps, way.gold, way.cards) == (3, 1, 0)
    assert [where(p) for p in way.path] == ["1,0.b", "1,0.p", "1,0.a"]
    view = GAME.view(state, 1)["reach"]
    entry = next(e for e in view if e["at"] == "1,0.a")
    assert (entry["steps"], entry["gold"], entry["cards"]) == (3, 1, 0)
    assert entry["path"] == ["1,0.b", "1,0.p", "1,0.a"]


def test_a_preview_of_a_step_changes_nothing() -> None:
    state = table(2, ROW, phase="move")
    before = GAME.view(state, 0)
    for action in state.actions(0):
        state.copy().apply(0, action)
    assert GAME.view(state, 0) == before and refusal(state, "step 1,0 a") is None
