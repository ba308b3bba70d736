"""Action cards: secret information, rockfall, hand swap, webs, boots, axes."""

from __future__ import annotations

import pytest
from dark_cave_tables import (
    at,
    border,
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

from companion.engine.action import PUBLIC
from companion.games.dark_cave import GAME
from companion.games.dark_cave.position import NO_WEB

ROW = {"1,0": "T1-08", "2,0": "T1-01", "3,0": "T1-02"}


def kind(state, name: str) -> int:
    return state.cards.kind_of[name]


@pytest.mark.rule("DC-ACT-01")
def test_an_action_card_is_shown_and_discarded_face_down() -> None:
    state = table(2, ROW, hands={0: ["rockfall-1", "T1-07"]})
    events = do(state, "rockfall rockfall-1 3,0")
    assert events[0].data == {"seat": 0, "card": "rockfall-1"} and events[0].audience is None
    assert state.discards[kind(state, "rockfall-1")] == 1
    assert "discard" not in GAME.view(state, 1), "nobody sees the pile"


@pytest.mark.rule("DC-ACT-01")
def test_webs_items_and_creatures_stay_in_front() -> None:
    for card, line, owner in (
        ("web-circle", "web web-circle 1,0 east", 0),
        ("boots-1", "boots boots-1 p2", 1),
        ("axe-1", "axe axe-1 p1", 0),
        ("rat-1", "call rat-1 4,0 a", 0),
    ):
        state = table(2, ROW | {"4,0": "T1-12"}, hands={0: [card, "T1-07"]})
        do(state, line)
        assert GAME.view(state, PUBLIC)["dwarves"][owner]["front"] == [card]
        assert state.discards[kind(state, card)] == 0


@pytest.mark.rule("DC-ACT-02")
def test_a_card_without_a_target_cannot_be_played_but_discarded() -> None:
    state = table(2, hands={0: ["rockfall-1", "web-circle", "rat-1"]})
    assert {a.verb for a in state.actions(0)} == {"pass"}
    assert refusal(state, "pass rockfall-1") is None
    boots = table(2, hands={0: ["boots-2", "T1-07"], 1: ["T1-09"]}, front={0: ["boots-1"], 1: ["boots-1"]})
    assert legal(boots, "boots") == set()


@pytest.mark.rule("DC-ACT-03")
@pytest.mark.rule("DC-SWAP-05")
def test_cards_in_front_are_not_hand_cards() -> None:
    state = table(2, front={0: ["axe-1", "boots-1"]}, hands={0: ["swap-2", "T1-07"], 1: ["T1-09"]})
    assert why(state, "pass axe-1") == ("not-in-hand", [], "DC-TURN-04")
    assert len(GAME.view(state, 1)["dwarves"][0]["backs"]) == 2
    do(state, "swap swap-2 p2")
    assert state.front == [(kind(state, "axe-1"), kind(state, "boots-1")), ()]


@pytest.mark.rule("DC-ACT-04")
@pytest.mark.rule("DC-AXE-02")
def test_cards_leaving_the_front_go_to_the_discard_pile() -> None:
    state = table(2, ROW, front={0: ["axe-1"]}, webs={"circle": ("0,0 east", 2, 1)})
    do(state, "cut 0,0 east")
    assert state.front[0] == () and state.discards[kind(state, "axe-1")] == 1


def test_a_card_does_only_what_it_says() -> None:
    state = table(2, ROW, hands={0: ["boots-1", "axe-1"]})
    assert why(state, "rockfall boots-1 1,0") == ("other-card", [], "DC-ACT-05")
    assert why(state, "rouse boots-1") == ("other-card", [], "DC-ACT-05")
    assert why(state, "swap swap-2 p2") == ("not-in-hand", [], "DC-TURN-02")


# Secret information -----------------------------------------------------------------------------------


@pytest.mark.rule("DC-INFO-01")
@pytest.mark.rule("DC-INFO-02")
@pytest.mark.rule("DC-INFO-03")
@pytest.mark.rule("DC-HID-05")
def test_dc_s30_only_the_player_sees_what_secret_information_shows() -> None:
    state = table(3, hands={0: ["info-1", "info-2", "T1-07"]})
    events = do(state, "spy-clan info-1 p2", "look yellow-saboteur")
    assert [(e.kind, e.audience) for e in events] == [
        ("played", None),
        ("looked-at-clan", None),
        ("saw-clan", frozenset({0})),
    ]
    assert GAME.view(state, 0)["dwarves"][1]["card"] == "yellow-saboteur"
    for viewer in (2, PUBLIC):
        seen = GAME.view(state, viewer)["dwarves"][1]
        assert seen["card"] == "" and not seen["open"]
        assert GAME.view(state, viewer)["clan_seen"][1] == [0]
    draw_due(state)
    pass_turn(pass_turn(state))
    events = do(state, "spy-goal info-2 4,4", "look G-EXIT")
    assert events[-1].audience == frozenset({0}) and events[-1].data["goal"] == "G-EXIT"
    assert GAME.view(state, 1)["goals"][3] == {
        "card": "",
        "open": False,
        "seen_by": [0],
        "cell": cell("4,4"),
        "spot": "4,4",
    }
    assert GAME.view(state, 0)["goals"][3]["card"] == "G-EXIT"


@pytest.mark.rule("DC-INFO-04")
def test_open_cards_the_own_card_and_set_aside_cards_are_no_targets() -> None:
    state = table(3, {"4,4": "G-EXIT"}, hands={0: ["info-1", "T1-07"]}, opened=[1])
    assert why(state, "spy-clan info-1 p2") == ("clan-open", [], "DC-INFO-04")
    assert why(state, "spy-clan info-1 p1") == ("own-clan", [], "DC-INFO-04")
    assert why(state, "spy-goal info-1 4,4") == ("no-closed-goal", ["4,4"], "DC-INFO-04")
    assert why(state, "spy-clan info-1 p4") == ("no-player", [], "DC-INFO-01")
    assert legal(state, "spy-clan") == {"info-1 p3"}
    assert legal(state, "spy-goal") == {"info-1 -4,-4", "info-1 4,-4", "info-1 -4,4"}


# Rockfall ---------------------------------------------------------------------------------------------


@pytest.mark.rule("DC-ROCK-01")
def test_rockfall_needs_a_tunnel_card_without_figures() -> None:
    state = table(
        2, ROW, at={1: "1,0.a"}, creatures={"rat": ("2,0.a", 1)}, hands={0: ["rockfall-1", "T1-07"]}
    )
    assert why(state, "rockfall rockfall-1 1,0") == ("occupied", ["1,0"], "DC-ROCK-01")
    assert why(state, "rockfall rockfall-1 2,0") == ("occupied", ["2,0"], "DC-ROCK-01")
    assert why(state, "rockfall rockfall-1 4,0") == ("no-card", ["4,0"], "DC-ROCK-01")
    do(state, "rockfall rockfall-1 3,0")
    assert cell("3,0") not in state.cave.laid


@pytest.mark.rule("DC-ROCK-02")
def test_entrance_and_goals_cannot_fall() -> None:
    state = table(2, {"4,4": "G-EXIT", "1,0": "T1-08"}, hands={0: ["rockfall-1", "T1-07"]}, at={0: "1,0.a"})
    for spot in ("0,0", "4,4", "-4,4"):
        assert why(state, f"rockfall rockfall-1 {spot}") == ("no-rockfall-here", [spot], "DC-ROCK-02")


@pytest.mark.rule("DC-ROCK-03")
@pytest.mark.rule("DC-ROCK-04")
@pytest.mark.rule("DC-ROCK-06")
def test_dc_s31_a_fallen_vein_returns_its_nugget_and_its_web() -> None:
    state = table(
        3,
        {"1,0": "T2-17"},
        webs={"triangle": ("1,0 south", 2, 2)},
        hands={0: ["rockfall-1", "T1-07"]},
    )
    supply = state.supply
    do(state, "rockfall rockfall-1 1,0")
    assert state.discards[kind(state, "T2-17")] == 1
    assert state.supply == supply + 1 and state.veins == {}
    assert state.webs[0] == NO_WEB and state.front[2] == ()
    assert state.discards[kind(state, "web-triangle")] == 1


@pytest.mark.rule("DC-ROCK-05")
def test_dc_s32_a_web_between_two_cards_stays_on_the_other_one() -> None:
    state = table(2, ROW, webs={"circle": ("1,0 east", 2, 1)}, hands={0: ["rockfall-1", "T1-07"]})
    do(state, "rockfall rockfall-1 1,0")
    assert state.webs[1] == border("1,0 east") and state.web_left[1] == 2
    entrance = table(2, ROW, webs={"circle": ("0,0 east", 2, 1)}, hands={0: ["rockfall-1", "T1-07"]})
    do(entrance, "rockfall rockfall-1 1,0")
    assert entrance.webs[1] == border("0,0 east"), "also on the entrance"


@pytest.mark.rule("DC-ROCK-04")
def test_a_web_towards_a_face_down_goal_lies_on_an_open_end_and_falls() -> None:
    state = table(
        6, {"2,-3": "T1-08"}, webs={"circle": ("2,-3 east", 2, 1)}, hands={0: ["rockfall-1", "T1-07"]}
    )
    do(state, "rockfall rockfall-1 2,-3")
    assert state.webs[1] == NO_WEB


@pytest.mark.rule("DC-ROCK-07")
def test_an_emptied_cell_can_be_built_on_again() -> None:
    state = table(2, ROW, hands={0: ["rockfall-1", "T1-07"], 1: ["T2-07", "T1-09"]})
    do(state, "rockfall rockfall-1 1,0")
    end_turn(state)
    do(state, "lay T2-07 1,0 0")
    assert cell("1,0") in state.cave.laid


@pytest.mark.rule("DC-ROCK-08")
def test_cards_and_figures_that_are_cut_off_stay_and_may_move() -> None:
    state = table(2, ROW, at={1: "2,0.a"}, hands={0: ["rockfall-1", "T1-07"]})
    do(state, "rockfall rockfall-1 1,0")
    assert at(state, 1) == "2,0.a" and cell("3,0") in state.cave.laid
    end_turn(state)
    do(state, f"pass {hand(state, 1)[0]}", "step 3,0 a")
    assert at(state, 1) == "3,0.a"


# Hand swap --------------------------------------------------------------------------------------------


@pytest.mark.rule("DC-SWAP-01")
@pytest.mark.rule("DC-SWAP-02")
@pytest.mark.rule("DC-SWAP-03")
@pytest.mark.rule("DC-SWAP-04")
def test_dc_s33_hands_are_exchanged_and_the_other_player_draws() -> None:
    state = table(
        2,
        hands={0: ["swap-2", "T1-07", "T1-08", "T1-09", "T1-10"], 1: ["T1-11", "T1-03", "T1-05"]},
    )
    events = do(state, "swap swap-2 p2")
    assert hand(state, 0) == ["T1-03", "T1-05", "T1-11"]
    assert hand(state, 1) == ["T1-07", "T1-08", "T1-09", "T1-10"]
    private = [e.audience for e in events if e.kind == "new-hand"]
    assert private == [frozenset({0}), frozenset({1})]
    events = do(state, "draw T1-13")
    assert events[0].data == {"seat": 1, "level": 1}
    assert (len(state.hands[0]), len(state.hands[1])) == (3, 5) and state.turn == 1


@pytest.mark.rule("DC-SWAP-01")
@pytest.mark.rule("DC-SWAP-02")
def test_a_swap_needs_another_player_and_hands_may_be_empty() -> None:
    state = table(3, hands={0: ["swap-2"], 1: [], 2: ["T1-07"]})
    assert why(state, "swap swap-2 p1") == ("no-player", [], "DC-SWAP-01")
    assert legal(state, "swap") == {"swap-2 p2", "swap-2 p3"}
    do(state, "swap swap-2 p3")
    assert (hand(state, 0), hand(state, 2)) == (["T1-07"], [])


@pytest.mark.rule("DC-SWAP-06")
def test_players_who_left_may_swap_and_be_swapped_with() -> None:
    state = table(6, out=[0, 3], hands={0: ["swap-2", "T1-07"], 3: ["T1-09"]})
    assert refusal(state, "swap swap-2 p4") is None
    do(state, "swap swap-2 p4")
    assert hand(state, 0) == ["T1-09"]


# Webs -------------------------------------------------------------------------------------------------


@pytest.mark.rule("DC-WEB-01")
def test_a_web_card_lies_in_front_and_its_token_shows_two() -> None:
    state = table(2, ROW, hands={0: ["web-diamond", "T1-07"]})
    do(state, "web web-diamond 1,0 east")
    assert GAME.view(state, 1)["webs"] == [
        {"web": "diamond", "left": 2, "cells": [cell("1,0"), cell("2,0")], "spot": "1,0", "side": "east"}
    ]
    assert state.front[0] == (kind(state, "web-diamond"),)


@pytest.mark.rule("DC-WEB-02")
def test_a_web_lies_on_a_joint_or_an_open_end_of_a_tunnel_card() -> None:
    state = table(2, {"1,0": "T1-08", "1,1": "T2-07"}, hands={0: ["web-circle", "T1-07"]})
    # A joint with the entrance, and the open ends of the two tunnel cards; no end of the entrance itself.
    assert legal(state, "web") == {
        f"web-circle {b}" for b in ("0,0 east", "1,0 east", "0,1 east", "1,1 east")
    }
    assert why(state, "web web-circle 1,0 south") == ("no-joint-or-end", ["1,0", "1,1"], "DC-WEB-02")
    assert why(state, "web web-circle 0,0 south") == ("no-joint-or-end", ["0,0", "0,1"], "DC-WEB-02")


@pytest.mark.rule("DC-WEB-02")
def test_no_web_on_an_open_end_of_a_revealed_goal() -> None:
    state = table(6, {"3,-3": "G-EXIT", "2,-3": "T1-08"}, hands={0: ["web-circle", "T1-07"]})
    assert refusal(state, "web web-circle 2,-3 east") is None, "between two cards any card will do"
    assert why(state, "web web-circle 3,-3 south") == ("no-joint-or-end", ["3,-3", "3,-2"], "DC-WEB-02")


@pytest.mark.rule("DC-WEB-03")
def test_an_open_edge_towards_a_face_down_goal_is_an_open_end() -> None:
    state = table(6, {"2,-3": "T1-08"}, hands={0: ["web-circle", "T1-07"]})
    assert refusal(state, "web web-circle 2,-3 east") is None


@pytest.mark.rule("DC-WEB-04")
def test_no_place_holds_two_webs() -> None:
    state = table(2, ROW, webs={"triangle": ("1,0 east", 1, 1)}, hands={0: ["web-circle", "T1-07"]})
    assert why(state, "web web-circle 1,0 east") == ("web-there", ["1,0", "2,0"], "DC-WEB-04")


@pytest.mark.rule("DC-WEB-06")
@pytest.mark.rule("DC-WEB-07")
@pytest.mark.rule("DC-WEB-09")
def test_dc_s34_a_web_blocks_for_two_rounds() -> None:
    state = table(3, ROW, hands={0: ["web-diamond", "T1-07", "T1-09"]})
    do(state, "web web-diamond 0,0 east")
    draw_due(state)
    for _ in range(2):
        assert state.web_left[2] == 2 and state.next_places(state.at[state.turn]) == []
        pass_turn(state)
    assert state.turn == 0 and state.web_left[2] == 1
    for _ in range(3):
        assert state.next_places(state.at[state.turn]) == []
        pass_turn(state)
    assert state.turn == 0 and state.webs[2] == NO_WEB and state.front[0] == ()
    assert state.discards[kind(state, "web-diamond")] == 1


@pytest.mark.rule("DC-WEB-10")
def test_standing_beside_a_web_has_no_effect() -> None:
    state = table(2, ROW, at={0: "2,0.a"}, webs={"circle": ("1,0 east", 2, 1)}, phase="move")
    do(state, "step 3,0 a")
    assert at(state, 0) == "3,0.a" and state.lying == set()


@pytest.mark.rule("DC-WEB-11")
def test_the_owner_of_a_web_stays_after_a_hand_swap() -> None:
    state = table(
        2,
        ROW,
        webs={"circle": ("1,0 east", 2, 0)},
        hands={0: ["T1-09", "T1-07"], 1: ["swap-2", "T2-06"]},
        turn=1,
    )
    do(state, "swap swap-2 p1")
    end_turn(state)
    assert state.turn == 0 and state.web_left[1] == 1


# Boots ------------------------------------------------------------------------------------------------


@pytest.mark.rule("DC-BOOT-01")
@pytest.mark.rule("DC-BOOT-02")
@pytest.mark.rule("DC-BOOT-04")
def test_dc_s37_boots_go_before_anybody_who_has_none() -> None:
    state = table(3, ROW, front={0: ["boots-1"]}, hands={1: ["boots-1", "T1-07"]}, turn=1)
    assert why(state, "boots boots-1 p1") == ("has-boots", [], "DC-BOOT-02")
    assert legal(state, "boots") == {"boots-1 p2", "boots-1 p3"}
    do(state, "boots boots-1 p2")
    assert state.steps_left == 4, "they count in the same turn"
    other = table(3, ROW, hands={1: ["boots-1", "T1-07"]}, turn=1)
    do(other, "boots boots-1 p3")
    assert other.steps_left == 3 and other.has_boots(2)


@pytest.mark.rule("DC-BOOT-05")
def test_boots_stay_until_the_end() -> None:
    state = table(2, ROW, front={0: ["boots-1"]})
    while state.needs():
        seat = state.needs()[0].seat
        choice = [a for a in state.actions(seat) if a.verb in ("pass", "stay")] or state.actions(seat)
        state.apply(seat, choice[0])
    assert state.has_boots(0)


# Axes -------------------------------------------------------------------------------------------------


@pytest.mark.rule("DC-AXE-01")
def test_axes_go_before_anybody_without_limit() -> None:
    state = table(3, ROW, front={1: ["axe-1", "axe-2"]}, hands={0: ["axe-3", "T1-07"]})
    assert legal(state, "axe") == {"axe-3 p1", "axe-3 p2", "axe-3 p3"}
    do(state, "axe axe-3 p2")
    assert state.axes(1) == 3


@pytest.mark.rule("DC-AXE-03")
@pytest.mark.rule("DC-AXE-04")
@pytest.mark.rule("DC-AXE-12")
def test_dc_s35_one_axe_turns_a_web_and_a_second_removes_it() -> None:
    state = table(2, ROW, webs={"circle": ("0,0 east", 2, 0)}, front={1: ["axe-1", "axe-2"]}, turn=1)
    do(state, "cut 0,0 east")
    assert state.web_left[1] == 1 and state.next_places(state.at[1]) == [], "it still blocks"
    assert GAME.view(state, 0)["dwarves"][1]["front"] == ["axe-2"]
    do(state, f"pass {hand(state, 1)[0]}")
    assert phase(state) == "move", "a second axe can be used in phase 2"
    do(state, "cut 0,0 east", "step 1,0 a")
    assert state.webs[1] == NO_WEB and at(state, 1) == "1,0.a"


@pytest.mark.rule("DC-AXE-04")
def test_dc_s35_with_one_axe_the_web_goes_at_its_owners_next_turn() -> None:
    state = table(2, ROW, webs={"circle": ("0,0 east", 2, 0)}, front={1: ["axe-1"]}, turn=1)
    do(state, "cut 0,0 east")
    pass_turn(state)
    assert state.turn == 0 and state.webs[1] == NO_WEB


@pytest.mark.rule("DC-AXE-03")
def test_an_axe_may_be_used_after_the_last_step() -> None:
    state = table(2, ROW, webs={"circle": ("3,0 east", 2, 1)}, front={0: ["axe-1"]}, phase="move")
    do(state, "step 1,0 a", "step 2,0 a", "step 3,0 a", "cut 3,0 east")
    assert state.web_left[1] == 1 and phase(state) == "draw"


@pytest.mark.rule("DC-AXE-05")
def test_only_a_web_at_the_own_segment_is_beside_the_dwarf() -> None:
    state = table(
        2,
        {"1,0": "T2-07", "2,0": "T1-01"},
        webs={"circle": ("1,0 east", 2, 1)},
        front={0: ["axe-1"]},
        at={0: "1,0.w"},
    )
    assert why(state, "cut 1,0 east") == ("not-beside", ["1,0"], "DC-AXE-05")
    assert why(state, "cut 0,0 east") == ("no-web", ["0,0"], "DC-AXE-03")


@pytest.mark.rule("DC-AXE-10")
def test_dc_s36_an_axe_cannot_be_used_in_the_turn_it_is_laid() -> None:
    lay = {"webs": {"circle": ("1,0 east", 2, 1)}, "at": {0: "1,0.a"}, "hands": {0: ["axe-1", "T1-07"]}}
    state = table(2, ROW, **lay)
    assert why(state, "cut 1,0 east") == ("no-axe", ["1,0"], "DC-AXE-10"), "not from the hand"
    do(state, "axe axe-1 p1")
    assert why(state, "cut 1,0 east") == ("axe-fresh", ["1,0"], "DC-AXE-10")
    end_turn(state)
    pass_turn(state)
    assert state.turn == 0 and state.usable_axes(0) == 1
    switched = table(2, ROW, **lay, axe_same_turn=True)
    do(switched, "axe axe-1 p1")
    assert refusal(switched, "cut 1,0 east") is None


@pytest.mark.rule("DC-AXE-10")
def test_an_older_axe_may_be_used_in_the_turn_a_new_one_is_laid() -> None:
    state = table(
        2,
        ROW,
        front={0: ["axe-2"]},
        webs={"circle": ("1,0 east", 2, 1)},
        at={0: "1,0.a"},
        hands={0: ["axe-1", "T1-07"]},
    )
    do(state, "axe axe-1 p1", "cut 1,0 east")
    assert [state.cards.names[k] for k in state.front[0]] == ["axe-1"]
    assert why(state, "cut 1,0 east") == ("axe-fresh", ["1,0"], "DC-AXE-10")


def test_events_of_a_cut_name_the_web() -> None:
    state = table(2, ROW, webs={"circle": ("0,0 east", 1, 1)}, front={0: ["axe-1"]})
    events = do(state, "cut 0,0 east")
    assert kinds(events) == ["cut", "web-removed"] and events[1].data["web"] == "circle"
