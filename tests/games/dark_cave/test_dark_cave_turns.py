"""Turns, drawing, the end of the game and the distribution of the gold."""

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
    refusal,
    table,
    why,
)

from companion.engine.action import PUBLIC, TABLE
from companion.engine.errors import Refused
from companion.games.dark_cave import GAME
from companion.games.dark_cave.agenda import DarkCave
from companion.games.dark_cave.cave import NOWHERE
from companion.games.dark_cave.ending import treasure
from companion.games.dark_cave.position import NO_WEB

ROW = {"1,0": "T1-08", "2,0": "T1-01", "3,0": "T1-02"}
EXIT = {"4,-4": "G-EXIT"}


def count_up(state: DarkCave) -> DarkCave:
    """Opens all clan cards after the end."""
    while state.needs() and state.needs()[0].verbs == ("open",):
        state.apply(TABLE, state.outcomes()[0][0])
        state.check()
    return state


@pytest.mark.rule("DC-TURN-01")
def test_a_turn_is_play_then_move_then_draw() -> None:
    state = table(2, ROW)
    assert phase(state) == "play"
    assert why(state, "step 1,0 a") == ("not-now", [], "DC-TURN-01")
    do(state, f"pass {hand(state, 0)[0]}")
    assert phase(state) == "move"
    assert why(state, f"pass {hand(state, 0)[0]}") == ("not-now", [], "DC-TURN-01")
    do(state, "stay")
    assert phase(state) == "draw"
    draw_due(state)
    assert (state.turn, phase(state)) == (1, "play")


@pytest.mark.rule("DC-TURN-02")
def test_exactly_one_card_is_played_in_a_turn() -> None:
    state = table(2, ROW, hands={0: ["boots-1", "axe-1"]})
    do(state, "boots boots-1 p1")
    assert why(state, "axe axe-1 p1") == ("not-now", [], "DC-TURN-01")
    assert hand(state, 0) == ["axe-1"]


@pytest.mark.rule("DC-TURN-03")
def test_a_player_may_discard_although_a_card_could_be_played() -> None:
    state = table(2, ROW, hands={0: ["boots-1", "T1-07"]})
    assert legal(state, "boots") and legal(state, "lay")
    assert refusal(state, "pass boots-1") is None


@pytest.mark.rule("DC-TURN-04")
def test_one_or_two_cards_are_discarded() -> None:
    state = table(2, ROW, hands={0: ["T1-07", "T1-09", "T1-10"]})
    assert legal(state, "pass") == {
        *("T1-07", "T1-09", "T1-10"),
        *("T1-07 T1-09", "T1-07 T1-10", "T1-09 T1-10"),
    }
    assert why(state, "pass") == ("one-or-two", [], "DC-TURN-04")
    assert why(state, "pass T1-07 T1-09 T1-10") == ("one-or-two", [], "DC-TURN-04")
    assert why(state, "pass T1-07 T1-07") == ("not-in-hand", [], "DC-TURN-04")
    assert why(state, "pass T1-09 T1-07") == ("card-order", [], "DC-TURN-04")
    assert legal(table(2, ROW, hands={0: ["T1-07"]}), "pass") == {"T1-07"}


@pytest.mark.rule("DC-TURN-05")
def test_nobody_sees_what_was_discarded() -> None:
    state = table(2, ROW, hands={0: ["T1-07", "T1-09", "T2-06"]})
    events = do(state, "pass T1-09 T2-06")
    assert events[0].data == {"seat": 0, "n": 2, "levels": [1, 2]} and events[0].audience is None
    assert all("T1-09" not in str(event.data) for event in events)


@pytest.mark.rule("DC-TURN-06")
@pytest.mark.rule("DC-TURN-07")
@pytest.mark.rule("DC-WEB-06")
def test_dc_s23_without_cards_a_turn_is_skipped_but_its_upkeep_done() -> None:
    state = table(
        3,
        ROW,
        hands={0: ["T1-07", "T1-09"], 1: []},
        webs={"circle": ("1,0 east", 2, 1)},
        creatures={"rat": ("3,0.a", 1)},
        lying=[1],
    )
    size = sum(pool.size for pool in state.pools)
    pass_turn(state)
    assert state.turn == 2, "no action, no move, no draw"
    assert state.web_left[1] == 1 and state.creatures[0] == NOWHERE and state.lying == set()
    assert hand(state, 1) == [] and sum(pool.size for pool in state.pools) == size - 1


@pytest.mark.rule("DC-TURN-08")
def test_the_upkeep_goes_figure_then_creature_then_web() -> None:
    state = table(2, ROW, webs={"circle": ("1,0 east", 1, 1)}, creatures={"rat": ("3,0.a", 1)}, lying=[1])
    do(state, f"pass {hand(state, 0)[0]}", "stay")
    events = state.apply(TABLE, state.outcomes()[0][0])
    assert kinds(events)[2:] == ["turn", "stood-up", "creature-left", "web-removed"]
    assert state.barred, "it does not move this turn"


@pytest.mark.rule("DC-TURN-09")
def test_lost_cards_are_not_refilled() -> None:
    state = table(2, {"1,0": "T1-17"}, hands={0: ["T1-07", "T1-09", "T1-10"]}, at={}, phase="play")
    do(state, "pass T1-07", "step 1,0 a", "pick 1", "lose T1-09", "stay", "draw T1-13")
    assert hand(state, 0) == ["T1-10", "T1-13"]


@pytest.mark.rule("DC-TURN-09")
def test_there_is_no_hand_limit() -> None:
    cards = ["T1-07", "T1-08", "T1-09", "T1-10", "T1-11", "T1-13"]
    state = table(2, hands={0: [*cards, "boots-1"]})
    do(state, "boots boots-1 p1")
    draw_due(state)
    assert len(state.hands[0]) == 7


def test_dc_s24_discarding_two_cards_draws_two() -> None:
    state = table(2, ROW, hands={0: ["T1-07", "T1-09", "T1-10", "T1-11", "T1-13"]})
    do(state, "pass T1-07 T1-09")
    assert len(state.hands[0]) == 3
    do(state, "step 1,0 a", "stay", "draw T1-14", "draw T1-15")
    assert len(state.hands[0]) == 5 and state.turn == 1


# Drawing ----------------------------------------------------------------------------------------------


@pytest.mark.rule("DC-DRAW-01")
@pytest.mark.parametrize("line", ["lay T1-08 1,0 0", "boots boots-1 p1", "spy-goal info-1 4,4"])
def test_one_card_is_drawn_after_laying_or_playing(line: str) -> None:
    state = table(2, hands={0: ["T1-08", "boots-1", "info-1"]})
    do(state, line)
    while phase(state) == "look":
        state.apply(TABLE, state.outcomes()[0][0])
    end_turn(state)
    assert len(state.hands[0]) == 3 and state.turn == 1


@pytest.mark.rule("DC-DRAW-02")
@pytest.mark.parametrize(("line", "drawn"), [("pass T1-07", 1), ("pass T1-07 T1-09", 2)])
def test_as_many_cards_are_drawn_as_were_discarded(line: str, drawn: int) -> None:
    state = table(2, hands={0: ["T1-07", "T1-09", "T1-10"]})
    events = do(state, line)
    count = 0
    while phase(state) == "draw":
        events = state.apply(TABLE, state.outcomes()[0][0])
        count += kinds(events).count("drew")
    assert count == drawn


@pytest.mark.rule("DC-DRAW-03")
def test_drawing_cannot_be_declined() -> None:
    state = table(2, hands={0: ["T1-07", "T1-09"]})
    do(state, "pass T1-07")
    assert [need.seat for need in state.needs()] == [TABLE] and state.actions(0) == []


@pytest.mark.rule("DC-DRAW-04")
def test_what_is_left_of_the_deck_is_drawn() -> None:
    state = table(2, hands={0: ["T1-07", "T1-09", "T1-10"]}, deck=False)
    do(state, "pass T1-07 T1-09")
    assert state.turn == 1 and len(state.hands[0]) == 1, "an empty deck gives nothing"
    last = table(2, hands={0: ["T1-07", "T1-09", "T1-10"]}, deck=False)
    last.discards[last.cards.kind_of["T3-01"]] -= 1
    last.pools[2].put_back(last.cards.kind_of["T3-01"] - last.cards.first[2])
    do(last, "pass T1-07 T1-09", "draw T3-01")
    assert last.turn == 1 and hand(last, 0) == ["T1-10", "T3-01"]


@pytest.mark.rule("DC-DRAW-05")
def test_the_discard_pile_is_never_reshuffled() -> None:
    state = table(2, hands={0: ["T1-07", "T1-09"], 1: ["T1-10"]}, deck=False)
    do(state, "pass T1-07", "pass T1-10")
    assert sum(pool.size for pool in state.pools) == 0 and state.discards[state.cards.kind_of["T1-07"]] == 1


# The end ----------------------------------------------------------------------------------------------


@pytest.mark.rule("DC-END-01")
@pytest.mark.rule("DC-END-04")
def test_dc_s51_the_player_of_the_very_last_card_may_still_move_and_leave_by_a_switch() -> None:
    state = table(
        2,
        EXIT,
        hands={0: ["T1-08"], 1: []},
        at={0: "4,-4.w", 1: "0,0.a"},
        deck=False,
        finish_turn_on_last_card=True,
    )
    do(state, "pass T1-08")
    assert phase(state) == "move" and state.needs()
    do(state, "step 4,-4 c", "open yellow-loyal")
    assert state.left == (0,)
    moved = table(2, ROW, hands={0: ["T2-07"], 1: []}, deck=False, finish_turn_on_last_card=True)
    do(moved, "pass T2-07", "step 1,0 a", "stay")
    count_up(moved)
    assert moved.outcome() is not None and moved.outcome().rule == "DC-END-01"


@pytest.mark.rule("DC-END-04")
def test_the_turn_of_the_last_card_is_cut_short() -> None:
    state = table(2, ROW, hands={0: ["T2-07"], 1: []}, deck=False)
    do(state, "pass T2-07")
    count_up(state)
    assert state.outcome() is not None and at(state, 0) == "0,0.a"


@pytest.mark.rule("DC-END-01")
def test_the_game_goes_on_while_anybody_holds_a_card() -> None:
    state = table(2, ROW, hands={0: ["T2-07"], 1: ["T1-09"]}, deck=False)
    do(state, "pass T2-07", "stay")
    assert state.turn == 1 and phase(state) == "play"


@pytest.mark.rule("DC-END-02")
@pytest.mark.rule("DC-END-07")
def test_dc_s53_the_game_ends_at_once_when_all_of_one_side_are_out() -> None:
    state = table(
        4,
        EXIT,
        at={0: "4,-4.w", 1: "4,-4.w", 2: "4,-4.w"},
        clans=["yellow-loyal", "yellow-saboteur", "yellow-loyal", "yellow-saboteur"],
    )
    do(state, f"pass {hand(state, 0)[0]}", "step 4,-4 c", "open yellow-loyal", "announce nobody")
    draw_due(state)
    do(state, f"pass {hand(state, 1)[0]}", "step 4,-4 c", "open yellow-saboteur", "announce nobody")
    draw_due(state)
    before = len(state.hands[2])
    do(state, f"pass {hand(state, 2)[0]}", "step 4,-4 c", "open yellow-loyal", "announce yellow")
    count_up(state)
    assert state.outcome() is not None and state.outcome().rule == "DC-END-02"
    assert len(state.hands[2]) == before - 1, "the running turn is not finished"


@pytest.mark.rule("DC-END-03")
def test_dc_s50_real_identities_count() -> None:
    state = table(
        3,
        EXIT,
        at={2: "4,-4.w"},
        gold={2: 1},
        clans=["yellow-loyal", "yellow-loyal", "yellow-saboteur"],
        turn=2,
        phase="move",
    )
    do(state, "step 4,-4 c", "open yellow-saboteur")
    assert legal(state, "announce", TABLE) == {"blue"}
    assert why(state, "announce nobody") == ("not-out", [], "DC-END-02")
    do(state, "announce blue")
    outcome = count_up(state).outcome()
    assert outcome is not None and outcome.winners == (2,) and outcome.code == "blue-won"
    assert [row["value"] for row in treasure(state)] == [0, 2]


@pytest.mark.rule("DC-END-05")
def test_the_game_ends_when_no_player_has_a_card_although_the_deck_has() -> None:
    empty = table(2, {"1,0": "T1-17"}, hands={0: [], 1: []}, phase="move")
    empty.todo.remove(("refill", 0))
    do(empty, "stay")
    count_up(empty)
    assert empty.outcome() is not None and empty.outcome().rule == "DC-END-05"


@pytest.mark.rule("DC-END-06")
def test_all_players_may_agree_to_end_early() -> None:
    state = table(3, ROW | {"4,4": "G-EXIT"})
    do(state, "propose")
    assert state.needs()[0].seat == 1 and phase(state) == "vote"
    do(state, "agree")
    assert state.needs()[0].seat == 2
    do(state, "agree")
    count_up(state)
    assert state.outcome() is not None and state.outcome().rule == "DC-END-06"


@pytest.mark.rule("DC-END-06")
def test_one_player_who_wants_to_play_on_is_enough() -> None:
    state = table(3, ROW | {"4,4": "G-EXIT"})
    do(state, "propose", "decline")
    assert (state.turn, phase(state)) == (0, "play")
    assert why(state, "propose") == ("asked-already", [], "DC-END-06")


@pytest.mark.rule("DC-END-06")
def test_nobody_asks_for_an_early_end_while_a_dwarf_can_walk_to_the_exit() -> None:
    state = table(2, EXIT, at={1: "4,-4.w"})
    assert why(state, "propose") == ("way-open", [], "DC-END-06")
    cut_off = table(2, EXIT)
    assert refusal(cut_off, "propose") is None
    assert why(table(2, early_end=False), "propose") == ("no-early-end", [], "DC-END-06")


# The gold ---------------------------------------------------------------------------------------------


def ended(state: DarkCave) -> DarkCave:
    """Ends a game by the last card."""
    do(state, f"pass {hand(state, state.turn)[0]}")
    if phase(state) == "move":
        do(state, "stay")
    return count_up(state)


BOOK = {
    "clans": ["yellow-loyal", "yellow-loyal", "yellow-saboteur", "blue-loyal", "blue-loyal"],
    "gold": {0: 2, 1: 2, 2: 3, 3: 2, 4: 5},
    "hands": {0: [], 1: [], 2: [], 3: [], 4: ["T1-07"]},
    "turn": 4,
    "deck": False,
}


@pytest.mark.rule("DC-SCORE-01")
@pytest.mark.rule("DC-SCORE-02")
@pytest.mark.rule("DC-SCORE-03")
@pytest.mark.rule("DC-SCORE-04")
@pytest.mark.rule("DC-SCORE-05")
@pytest.mark.rule("DC-SCORE-06")
@pytest.mark.rule("DC-SCORE-07")
def test_dc_s47_twelve_against_ten() -> None:
    """The rulebook's example. As in the book nobody stops the game although all of yellow are out."""
    state = table(5, out=[0, 1, 2, 3], **BOOK)
    ended(state)
    assert treasure(state) == [
        {"gold": 4, "against": 3, "value": 12},
        {"gold": 5, "against": 2, "value": 10},
    ]
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.code, outcome.winners) == ("yellow-won", (0, 1))
    assert outcome.points == (12, 12, 10, 10, 10)
    assert state.gold[4] == 0, "the dwarf left inside lost its gold"
    assert state.opened == {0, 1, 2, 3, 4}
    assert GAME.view(state, PUBLIC)["treasure"][0] == {"gold": 4, "against": 3, "value": 12}


@pytest.mark.rule("DC-SCORE-02")
def test_gold_of_dwarves_inside_goes_back_to_the_supply() -> None:
    state = table(2, hands={0: ["T1-07"], 1: []}, gold={0: 5, 1: 2}, deck=False)
    supply = state.supply
    ended(state)
    assert state.supply == supply + 7 and state.gold == [0, 0]


@pytest.mark.rule("DC-SCORE-03")
def test_a_saboteurs_gold_counts_for_the_other_clan() -> None:
    state = table(5, out=[2], **BOOK)
    ended(state)
    assert [row["gold"] for row in treasure(state)] == [0, 3]


@pytest.mark.rule("DC-SCORE-06")
def test_the_multiplier_counts_dwarves_that_stayed_inside_too() -> None:
    state = table(5, out=[0], **BOOK)
    ended(state)
    assert treasure(state)[0] == {"gold": 2, "against": 3, "value": 6}


@pytest.mark.rule("DC-SCORE-08")
def test_dc_s48_a_tie_goes_to_the_clan_the_first_leaver_worked_for() -> None:
    state = table(
        6,
        clans=[
            "blue-saboteur",
            "yellow-loyal",
            "yellow-loyal",
            "blue-loyal",
            "blue-loyal",
            "yellow-saboteur",
        ],
        gold={0: 1, 1: 1, 3: 2},
        out=[0, 3, 1],
        hands={0: [], 1: [], 2: [], 3: [], 4: [], 5: ["T1-07"]},
        turn=5,
        deck=False,
    )
    ended(state)
    assert [row["value"] for row in treasure(state)] == [6, 6]
    outcome = state.outcome()
    assert outcome is not None and outcome.code == "yellow-won" and outcome.winners == (0, 1, 2)


@pytest.mark.rule("DC-SCORE-08")
def test_dc_s49_zero_to_zero_goes_to_the_first_who_left() -> None:
    state = table(2, EXIT, at={0: "4,-4.w"}, gold={0: 0, 1: 4}, phase="move")
    do(state, "step 4,-4 c", "open yellow-loyal", "announce yellow")
    outcome = count_up(state).outcome()
    assert outcome is not None and (outcome.code, outcome.rule) == ("yellow-won", "DC-END-02")
    assert [row["value"] for row in treasure(state)] == [0, 0]


@pytest.mark.rule("DC-SCORE-09")
def test_dc_s52_if_nobody_left_nobody_wins() -> None:
    state = table(2, hands={0: ["T1-07"], 1: []}, deck=False)
    outcome = ended(state).outcome()
    assert outcome is not None and (outcome.code, outcome.winners) == ("nobody-won", ())


@pytest.mark.rule("DC-SCORE-10")
def test_nuggets_on_veins_count_for_nobody() -> None:
    state = table(2, {"1,0": "T2-17"}, hands={0: ["T1-07"], 1: []}, out=[1], gold={1: 1}, deck=False)
    ended(state)
    assert state.veins == {cell("1,0"): 1}
    assert [row["gold"] for row in treasure(state)] == [0, 1]


@pytest.mark.rule("DC-INV-09")
def test_after_the_end_nothing_is_accepted() -> None:
    state = ended(table(2, ROW, hands={0: ["T2-07"], 1: []}, deck=False))
    assert state.needs() == () and state.actions(0) == []
    for line in ("pass T1-07", "step 1,0 a", "draw T1-07"):
        for seat in (0, 1, TABLE):
            assert why(state, line, seat) == ("game-over", [], "DC-INV-09")
    with pytest.raises(Refused):
        state.apply(0, state.notation.parse("stay"))
    assert state.webs == (NO_WEB,) * 3
