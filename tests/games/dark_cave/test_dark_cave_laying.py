"""Laying tunnel cards in the Dark Cave."""

from __future__ import annotations

import pytest
from dark_cave_tables import cell, do, legal, refusal, table, why

from companion.engine.action import TABLE
from companion.games.dark_cave.spread import COORDINATES, REACH


@pytest.mark.rule("DC-PLACE-01")
def test_a_tunnel_is_laid_on_an_empty_cell_that_is_no_goal() -> None:
    state = table(6, {"1,0": "T1-08", "3,-2": "T2-06"}, hands={0: ["T1-01", "T1-07"]})
    assert why(state, "lay T1-01 1,0 0") == ("taken", ["1,0"], "DC-PLACE-01")
    assert why(state, "lay T1-01 0,0 0") == ("taken", ["0,0"], "DC-PLACE-01")
    assert why(state, "lay T1-07 3,-3 0") == ("goal-cell", ["3,-3"], "DC-PLACE-01")


@pytest.mark.rule("DC-PLACE-02")
def test_dc_s06_a_tunnel_must_touch_a_laid_card() -> None:
    state = table(2, hands={0: ["T1-01", "T1-07"]})
    assert why(state, "lay T1-01 2,2 0") == ("touches-nothing", ["2,2"], "DC-PLACE-02")


@pytest.mark.rule("DC-PLACE-03")
def test_dc_s13_touching_only_a_face_down_goal_is_not_enough() -> None:
    state = table(6, hands={0: ["T2-06", "T1-07"]})
    assert why(state, "lay T2-06 3,-2 0") == ("only-goal", ["3,-2", "3,-3"], "DC-PLACE-03")


@pytest.mark.rule("DC-PLACE-04")
def test_touching_at_a_corner_does_not_count() -> None:
    state = table(2, hands={0: ["T1-01", "T1-07"]})
    assert why(state, "lay T1-01 1,1 0") == ("only-corner", ["1,1", "0,0"], "DC-PLACE-04")


@pytest.mark.rule("DC-PLACE-05")
@pytest.mark.rule("DC-PLACE-06")
def test_dc_s07_a_half_turn_is_allowed_and_a_quarter_turn_never() -> None:
    state = table(2, hands={0: ["T1-03", "T1-07"]})
    assert why(state, "lay T1-03 1,0 0") == ("edges-differ", ["1,0", "0,0"], "DC-PLACE-07")
    assert why(state, "lay T1-03 1,0 90") == ("quarter-turn", ["1,0"], "DC-PLACE-05")
    assert why(state, "lay T1-03 1,0 270") == ("quarter-turn", ["1,0"], "DC-PLACE-05")
    assert refusal(state, "lay T1-03 1,0 180") is None


@pytest.mark.rule("DC-PLACE-06")
def test_half_turns_can_be_switched_off() -> None:
    state = table(2, hands={0: ["T1-03", "T1-07"]}, allow_half_turn=False)
    assert why(state, "lay T1-03 1,0 180") == ("half-turn", ["1,0"], "DC-PLACE-06")
    assert not any(line.endswith("180") for line in legal(state, "lay"))


@pytest.mark.rule("DC-PLACE-06")
def test_a_card_that_looks_the_same_turned_is_laid_upright() -> None:
    state = table(2, hands={0: ["T1-08", "T1-07"]})
    assert why(state, "lay T1-08 1,0 180") == ("same-turned", ["1,0"], "DC-PLACE-06")


@pytest.mark.rule("DC-PLACE-07")
def test_dc_s05_edges_must_agree() -> None:
    state = table(2, hands={0: ["T1-08", "T1-07"]})
    assert refusal(state, "lay T1-08 1,0 0") is None
    assert why(state, "lay T1-08 0,-1 0") == ("edges-differ", ["0,-1", "0,0"], "DC-PLACE-07")


@pytest.mark.rule("DC-PLACE-07")
def test_dc_s08_edges_must_agree_with_every_neighbour() -> None:
    state = table(2, {"1,0": "T1-08", "0,1": "T1-03"}, hands={0: ["T1-01", "T1-05"]})
    assert why(state, "lay T1-01 1,1 0") == ("edges-differ", ["1,1", "1,0"], "DC-PLACE-07")
    assert refusal(state, "lay T1-05 1,1 0") is None


@pytest.mark.rule("DC-PLACE-08")
def test_edges_towards_empty_cells_and_face_down_goals_are_free() -> None:
    state = table(
        6,
        {"1,0": "T1-08", "2,0": "T1-01", "3,0": "T1-02", "3,-1": "T1-07"},
        hands={0: ["T2-02", "T2-06"]},
    )
    assert refusal(state, "lay T2-06 3,-2 0") is None, "open towards the goal"
    assert refusal(state, "lay T2-02 3,-2 0") is None, "open towards the goal and the empty east"


@pytest.mark.rule("DC-PLACE-09")
def test_dc_s10_a_part_cut_off_by_a_rockfall_cannot_be_built_on() -> None:
    state = table(2, {"1,0": "T1-08", "2,0": "T1-01"}, hands={0: ["T1-07", "rockfall-1"], 1: ["T1-09"]})
    assert refusal(state, "lay T1-07 2,-1 0") is None
    do(state, "rockfall rockfall-1 1,0")
    assert state.cave.why_not(cell("2,-1"), state.cards.shape_named["T1-07"]) == (
        "cut-off",
        (cell("2,-1"), cell("2,0")),
        "DC-PLACE-09",
        {},
    )


@pytest.mark.rule("DC-PLACE-10")
def test_dc_s09_wall_to_wall_contact_alone_is_not_enough() -> None:
    state = table(2, {"1,0": "T1-08"}, hands={0: ["T2-07", "T1-07"]})
    assert why(state, "lay T2-07 1,1 0") == ("no-joint", ["1,1"], "DC-PLACE-10")


@pytest.mark.rule("DC-PLACE-11")
def test_dc_s12_joining_the_unconnected_tunnel_of_a_bridge_is_refused() -> None:
    state = table(2, {"1,0": "T1-16"}, hands={0: ["T1-07", "T1-08"]})
    assert why(state, "lay T1-07 1,-1 0") == ("other-tunnel", ["1,-1", "1,0"], "DC-PLACE-11")
    assert refusal(state, "lay T1-08 2,0 0") is None


@pytest.mark.rule("DC-PLACE-11")
def test_a_cut_off_tunnel_can_be_built_on_once_a_card_joins_it() -> None:
    state = table(2, {"1,0": "T1-16", "0,-1": "T1-10"}, hands={0: ["T1-07", "T1-09"]})
    assert why(state, "lay T1-07 1,1 0") == ("other-tunnel", ["1,1", "1,0"], "DC-PLACE-11")
    do(state, "lay T1-09 1,-1 180")
    assert state.cave.why_not(cell("1,1"), state.cards.shape_named["T1-07"]) is None


@pytest.mark.rule("DC-PLACE-12")
def test_dc_s11_a_ladder_keeps_a_cut_off_part_connected() -> None:
    lay = {"2,0": "T1-15"}
    assert refusal(table(2, lay, hands={0: ["T1-07", "T1-08"]}), "lay T1-07 2,1 0") is None
    without = table(2, lay, hands={0: ["T1-07", "T1-08"]}, ladder_counts_for_placement=False)
    assert why(without, "lay T1-07 2,1 0") == ("cut-off", ["2,1", "2,0"], "DC-PLACE-09")


@pytest.mark.rule("DC-PLACE-13")
@pytest.mark.rule("DC-WEB-08")
def test_a_card_may_be_joined_at_a_webbed_open_end() -> None:
    state = table(2, {"1,0": "T1-08"}, hands={0: ["T1-01", "T1-07"]}, webs={"triangle": ("1,0 east", 2, 1)})
    do(state, "lay T1-01 2,0 0")
    do(state, "step 1,0 a")
    assert why(state, "step 2,0 a") == ("web", ["1,0", "2,0"], "DC-MOVE-08")


@pytest.mark.rule("DC-PLACE-14")
def test_figures_do_not_matter_for_placement() -> None:
    lay = {"1,0": "T1-12"}
    empty = table(2, lay, hands={0: ["T1-01", "T1-07"]})
    crowded = table(
        2,
        lay,
        hands={0: ["T1-01", "T1-07"]},
        at={0: "1,0.a", 1: "1,0.a"},
        creatures={"goblin": ("1,0.a", 1)},
    )
    assert legal(empty, "lay") == legal(crowded, "lay") != set()


@pytest.mark.rule("DC-PLACE-15")
def test_a_player_may_build_far_from_the_own_dwarf() -> None:
    state = table(2, {"1,0": "T1-08", "2,0": "T1-01", "3,0": "T1-02"}, hands={0: ["T2-07", "T1-07"]})
    assert refusal(state, "lay T2-07 4,0 0") is None


@pytest.mark.rule("DC-PLACE-16")
def test_the_network_may_grow_beyond_the_area() -> None:
    row = ["T1-08", "T1-01", "T1-02", "T1-12", "T1-05", "T1-06", "T1-14", "T2-07"]
    state = table(2, {f"{x},0": name for x, name in enumerate(row, 1)}, hands={0: ["T2-01", "T3-05"]})
    assert refusal(state, "lay T2-01 9,0 0") is None
    do(state, "lay T2-01 9,0 0", "stay", "draw T1-07")
    assert max(x for x, _ in (COORDINATES[c] for c in state.cave.laid)) == 9
    assert REACH > 50 + 4, "no chain of cards can reach the edge of the grid"


@pytest.mark.rule("DC-PLACE-17")
def test_a_laid_card_is_never_covered() -> None:
    state = table(2, {"1,0": "T1-08"}, hands={0: ["T1-01", "T1-07"]})
    assert not any(line.split()[1] in ("1,0", "0,0") for line in legal(state, "lay"))


@pytest.mark.rule("DC-PLACE-18")
@pytest.mark.rule("DC-GOLD-01")
def test_dc_s14_laying_a_vein_puts_a_nugget_on_it() -> None:
    state = table(2, hands={0: ["T2-17", "T1-07"]})
    supply = state.supply
    do(state, "lay T2-17 1,0 0")
    assert state.supply == supply - 1 and state.veins == {cell("1,0"): 1}
    assert state.gold == [3, 3] and state.opened == set()


@pytest.mark.rule("DC-PLACE-19")
def test_laying_beside_a_goal_does_not_reveal_it() -> None:
    state = table(
        6,
        {"1,0": "T1-08", "2,0": "T1-01", "2,-1": "T2-06", "2,-2": "T3-04"},
        hands={0: ["T1-13", "T1-07"]},
    )
    do(state, "lay T1-13 2,-3 0")
    assert cell("3,-3") in state.cave.closed


@pytest.mark.rule("DC-PLACE-20")
def test_without_a_playable_card_only_discarding_remains() -> None:
    state = table(2, hands={0: ["rat-1", "lindworm-1"]}, early_end=False)
    assert {action.verb for action in state.actions(0)} == {"pass"}


def test_a_card_must_be_in_the_hand_and_a_tunnel() -> None:
    state = table(2, hands={0: ["T1-07", "boots-1"]})
    assert why(state, "lay T1-01 1,0 0") == ("not-in-hand", [], "DC-TURN-02")
    assert why(state, "lay boots-1 1,0 0") == ("no-tunnel", [], "DC-TURN-02")
    assert why(state, "lay back-1 1,0 0") == ("unknown-card", [], "DC-ACT-01")


def test_nobody_else_lays_a_card() -> None:
    state = table(2, hands={0: ["T1-07", "boots-1"], 1: ["T1-08"]})
    assert why(state, "lay T1-08 1,0 0", seat=1) == ("not-your-turn", [], "DC-TURN-01")
    assert why(state, "draw T1-08", seat=TABLE) == ("not-your-turn", [], "DC-TURN-01")
