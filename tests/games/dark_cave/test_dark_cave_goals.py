"""Goals that are turned, and the exit."""

from __future__ import annotations

import json

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
    refusal,
    table,
    why,
)

from companion.engine.action import PUBLIC, TABLE
from companion.games.dark_cave import GAME
from companion.games.dark_cave.card_file import FILE
from companion.games.dark_cave.cards import Cards
from companion.games.dark_cave.cave import NOWHERE
from companion.games.dark_cave.goals import goal_turns
from companion.games.dark_cave.position import replaced

WEST = {"2,-3": "T2-07"}


@pytest.mark.rule("DC-GOAL-01")
@pytest.mark.rule("DC-GOAL-03")
@pytest.mark.rule("DC-GOAL-07")
def test_dc_s25_the_first_dwarf_turns_the_goal_so_that_its_tunnel_goes_on() -> None:
    state = table(6, WEST, at={0: "2,-3.w"}, goals={"3,-3": "G-LADDER"}, phase="move")
    do(state, "step 2,-3 e", "step 3,-3 closed")
    assert phase(state) == "reveal" and legal(state, "reveal", TABLE) == {"G-LADDER"}
    do(state, "reveal G-LADDER")
    shape = state.cave.card(cell("3,-3"))
    assert (shape.name, shape.turn, shape.mask) == ("G-LADDER", 1, 0b1001), "it opens west and north"
    assert at(state, 0) == "3,-3.e", "the arm that now points west"
    assert phase(state) == "draw", "the third step is lost"


@pytest.mark.rule("DC-GOAL-02")
def test_a_goal_is_entered_from_a_card_that_opens_towards_it() -> None:
    closed_side = table(6, {"2,-3": "T1-07"}, at={0: "2,-3.a"}, phase="move")
    assert phase(closed_side) == "draw", "a wall: there is no way on"
    webbed = table(
        6,
        {"2,-3": "T1-08"},
        at={0: "2,-3.a"},
        webs={"circle": ("2,-3 east", 2, 1)},
        front={0: ["axe-1"]},
        phase="move",
    )
    assert why(webbed, "step 3,-3 closed") == ("web", ["2,-3", "3,-3"], "DC-MOVE-08")
    open_side = table(6, {"2,-3": "T1-08"}, at={0: "2,-3.a"}, phase="move")
    assert legal(open_side, "step") == {"3,-3 closed"}


@pytest.mark.rule("DC-GOAL-04")
def test_a_goal_is_laid_upright_or_turned_by_half_and_keeps_its_cell() -> None:
    state = table(6, {"3,-2": "T1-01"}, at={0: "3,-2.a"}, goals={"3,-3": "G-HOLE"}, phase="move")
    do(state, "step 3,-3 closed", "reveal G-HOLE")
    assert phase(state) == "fit" and legal(state, "fit") == {"0", "180"}
    assert why(state, "fit 90") == ("quarter-turn", ["3,-3"], "DC-GOAL-04")
    do(state, "fit 180")
    assert state.cave.card(cell("3,-3")).mask == 0b1101


@pytest.mark.rule("DC-GOAL-05")
def test_a_position_that_agrees_with_all_neighbours_must_be_used() -> None:
    # From the south both positions of the hole join; only 0° agrees with the open card in the east.
    state = table(
        6, {"3,-2": "T1-01", "4,-3": "T1-08"}, at={0: "3,-2.a"}, goals={"3,-3": "G-HOLE"}, phase="move"
    )
    do(state, "step 3,-3 closed", "reveal G-HOLE")
    assert state.cave.card(cell("3,-3")).turn == 0
    choice = table(6, {"3,-2": "T1-01"}, at={0: "3,-2.a"}, goals={"3,-3": "G-HOLE"}, phase="move")
    do(choice, "step 3,-3 closed", "reveal G-HOLE")
    assert phase(choice) == "fit" and choice.needs()[0].seat == 0


@pytest.mark.rule("DC-GOAL-06")
@pytest.mark.rule("DC-GOAL-09")
def test_dc_s26_if_no_position_fits_all_the_goal_joins_where_the_dwarf_came_from() -> None:
    state = table(6, {**WEST, "3,-2": "T2-06"}, at={0: "2,-3.w"}, goals={"3,-3": "G-LADDER"}, phase="move")
    do(state, "step 2,-3 e", "step 3,-3 closed", "reveal G-LADDER")
    shape = state.cave.card(cell("3,-3"))
    assert shape.turn == 1 and shape.mask >> 3 & 1 and not shape.mask >> 2 & 1
    below = table(6, {**WEST, "3,-2": "T2-06", "3,-3": "G-LADDER r180"}, at={0: "3,-2.n"}, phase="move")
    assert why(below, "step 3,-3 c") == ("wall", ["3,-2", "3,-3"], "DC-MOVE-05")


@pytest.mark.rule("DC-GOAL-08")
def test_a_revealed_goal_is_an_ordinary_card_that_never_falls() -> None:
    state = table(6, {"3,-3": "G-EXIT", "2,-3": "T1-08"}, hands={0: ["T1-01", "rockfall-1"]})
    assert why(state, "rockfall rockfall-1 3,-3") == ("no-rockfall-here", ["3,-3"], "DC-ROCK-02")
    joined = table(
        6,
        {"1,0": "T1-08", "2,0": "T1-01", "2,-1": "T2-06", "2,-2": "T3-04", "2,-3": "T1-13", "3,-3": "G-EXIT"},
        hands={0: ["T1-02", "rockfall-1"]},
    )
    assert refusal(joined, "lay T1-01 4,-3 0") is None, "building goes on behind it"


@pytest.mark.rule("DC-GOAL-10")
@pytest.mark.rule("DC-CRE-13")
def test_a_creature_does_not_reveal_a_goal() -> None:
    state = table(6, {"2,-3": "T1-12"}, hands={0: ["rat-1", "T1-07"]}, at={}, goals={"3,-3": "G-HOLE"})
    do(state, "call rat-1 2,-3 a", "crawl 3,-3 closed")
    assert cell("3,-3") in state.cave.closed
    assert legal(state, "crawl") == {"2,-3 a"}
    assert why(state, "crawl 3,-2 a") == ("only-back", ["3,-3"], "DC-CRE-13")


@pytest.mark.rule("DC-GOAL-11")
def test_secret_information_leaves_the_goal_face_down() -> None:
    state = table(6, hands={0: ["info-1", "T1-07"]})
    do(state, "spy-goal info-1 3,-3", "look G-GOLD")
    assert cell("3,-3") in state.cave.closed
    goal = state.goal_cells.index(cell("3,-3"))
    assert GAME.view(state, 0)["goals"][goal]["card"] == "G-GOLD"
    assert {GAME.view(state, v)["goals"][goal]["card"] for v in (1, 2, 3, 4, 5, PUBLIC)} == {""}


def test_a_goal_that_somebody_saw_is_still_that_goal_when_turned() -> None:
    state = table(6, {"2,-3": "T1-08"}, at={0: "2,-3.a"}, hands={0: ["info-1", "T1-07"]})
    do(state, "spy-goal info-1 3,-3", "look G-GOLD", "step 3,-3 closed")
    assert legal(state, "reveal", TABLE) == {"G-GOLD"}
    assert why(state, "reveal G-EXIT") == ("not-drawn", [], "DC-EXIT-01")


@pytest.mark.rule("DC-GOLD-01")
def test_a_revealed_vein_gets_its_nugget_and_the_finder_takes_it() -> None:
    state = table(6, WEST, at={0: "2,-3.e"}, goals={"3,-3": "G-GOLD"}, phase="move")
    events = do(state, "step 3,-3 closed", "reveal G-GOLD", "gather")
    assert kinds(events) == ["stepped", "goal-shown", "vein-found", "goal-laid", "gold-taken"]
    assert state.gold[0] == 4 and phase(state) == "open"


@pytest.mark.rule("DC-CRE-20")
def test_a_creature_on_a_goal_attacks_the_dwarf_that_reveals_it() -> None:
    state = table(
        6,
        WEST,
        at={0: "2,-3.e"},
        creatures={"goblin": ("3,-3.closed", 1)},
        goals={"3,-3": "G-EXIT"},
        phase="move",
    )
    do(state, "step 3,-3 closed", "reveal G-EXIT")
    assert state.creatures[2] == state.at[0] and at(state, 0) == "3,-3.w"
    assert state.gold[0] == 2


# The exit ---------------------------------------------------------------------------------------------


@pytest.mark.rule("DC-EXIT-02")
@pytest.mark.rule("DC-EXIT-03")
@pytest.mark.rule("DC-EXIT-04")
@pytest.mark.rule("DC-EXIT-05")
@pytest.mark.rule("DC-TURN-10")
def test_dc_s27_a_dwarf_on_the_exit_leaves_with_its_gold_and_goes_on_playing_cards() -> None:
    state = table(6, {"3,-3": "G-EXIT"}, at={0: "3,-3.w"}, gold={0: 2}, phase="move")
    do(state, "step 3,-3 c")
    assert state.at[0] == NOWHERE and phase(state) == "open"
    do(state, "open yellow-loyal", "announce nobody")
    assert phase(state) == "draw", "left-over steps are lost, drawing follows"
    assert state.gold[0] == 2 and state.left == (0,)
    assert GAME.view(state, 3)["dwarves"][0]["card"] == "yellow-loyal"
    draw_due(state)
    for _ in range(5):
        pass_turn(state)
    assert state.turn == 0 and phase(state) == "play"
    do(state, f"pass {hand(state, 0)[0]}")
    assert phase(state) == "draw", "no movement"


@pytest.mark.rule("DC-EXIT-06")
def test_dc_s29_the_first_who_leaves_alone_sees_the_set_aside_clan_cards() -> None:
    state = table(5, {"4,-4": "G-EXIT"}, at={0: "4,-4.w"}, phase="move")
    events = do(state, "step 4,-4 c")
    seen = [e for e in events if e.kind == "saw-aside"]
    assert [e.audience for e in seen] == [frozenset({0})]
    assert seen[0].data["cards"] == ["yellow-saboteur", "blue-loyal", "blue-saboteur"]
    assert GAME.view(state, 0)["set_aside"] == seen[0].data["cards"]
    assert all(GAME.view(state, viewer)["set_aside"] == [] for viewer in (1, 2, 3, 4, PUBLIC))


@pytest.mark.rule("DC-EXIT-06")
def test_the_second_who_leaves_sees_nothing() -> None:
    state = table(5, {"4,-4": "G-EXIT"}, at={0: "4,-4.w"}, out=[1], phase="move")
    events = do(state, "step 4,-4 c")
    assert "saw-aside" not in kinds(events) and GAME.view(state, 0)["set_aside"] == []


@pytest.mark.rule("DC-EXIT-07")
def test_a_dwarf_that_has_left_is_not_attacked_and_does_not_return() -> None:
    state = table(6, {"1,0": "T1-12"}, out=[0, 1], hands={0: ["goblin-2", "T1-07"]}, at={2: "0,0.a"})
    do(state, "call goblin-2 1,0 a", "crawl 0,0 a")
    assert state.gold == [3, 3, 2, 2, 2, 2]
    assert at(state, 0) == "" and phase(state) == "draw"


@pytest.mark.rule("DC-EXIT-08")
def test_dc_s28_an_exit_on_the_first_segment_is_left_in_the_same_move() -> None:
    source = json.loads(FILE.read_text("utf-8"))
    source["goals"][0]["features"] = dict.fromkeys(source["goals"][0]["segments"], "exit")
    state = table(6, WEST, at={0: "2,-3.e"}, goals={"3,-3": "G-EXIT"}, phase="move", cards=Cards(source))
    events = do(state, "step 3,-3 closed", "reveal G-EXIT")
    assert "left" in kinds(events) and state.left == (0,)


@pytest.mark.rule("DC-EXIT-09")
def test_the_order_of_leaving_is_recorded() -> None:
    state = table(6, {"3,-3": "G-EXIT"}, at={0: "3,-3.w", 1: "3,-3.w"}, phase="move")
    do(state, "step 3,-3 c", "open yellow-loyal", "announce nobody")
    draw_due(state)
    do(state, f"pass {hand(state, 1)[0]}", "step 3,-3 c", "open blue-loyal", "announce nobody")
    assert state.left == (0, 1) and GAME.view(state, PUBLIC)["left"] == [0, 1]
    end_turn(state)


@pytest.mark.parametrize("side", range(4))
def test_every_goal_can_be_joined_from_every_side(side: int) -> None:
    state = table(6)
    for goal in range(4):
        state.goal_at = replaced(state.goal_at, 1, goal)
        assert goal_turns(state, 1, side), (goal, side)
