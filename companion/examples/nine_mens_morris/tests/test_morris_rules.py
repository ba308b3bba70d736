"""Every rule of the ledger, one test each: given, when, then."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from nine_mens_morris import GAME
from nine_mens_morris.pieces import BESIDE, LINES, MEN, MILLS_OF, POINTS, SIDES
from nine_mens_morris.rules import QUIET_MOVES, Morris

from companion.engine.errors import Refused
from companion.engine.grid import mask_of
from companion.engine.state import Refusal

WHITE, BLACK = range(2)


def cells(points: str) -> tuple[int, ...]:
    return tuple(POINTS.index(point) for point in points.split())


def position(white: str, black: str, *, hand: tuple[int, int] = (0, 0), **options: str | bool) -> Morris:
    """A position in which White acts."""
    state = Morris(GAME.resolve(options))
    state.men = [mask_of(cells(white)), mask_of(cells(black))]
    state.hand = list(hand)
    state.todo = [("turn", WHITE)]
    state.settle([])
    state.check()
    return state


def play(state: Morris, *lines: str) -> Morris:
    """Lets whoever must act take these actions."""
    for line in lines:
        state.apply(state.seat, state.notation.parse(line))
        state.check()
    return state


def refused(state: Morris, line: str) -> Refusal | None:
    return state.refusal(state.seat, state.notation.parse(line))


def listed(state: Morris) -> set[str]:
    return {state.notation.text(action) for action in state.actions(state.seat)}


@pytest.mark.rule("NM-COMP-01")
def test_the_board_has_24_points_and_each_lies_on_two_of_16_lines() -> None:
    assert (len(POINTS), len(LINES)) == (24, 16)
    assert all(len(mills) == 2 for mills in MILLS_OF)
    assert BESIDE[POINTS.index("d6")] == mask_of(cells("d7 b6 f6 d5"))
    assert BESIDE[POINTS.index("a1")] == mask_of(cells("a4 d1"))


@pytest.mark.rule("NM-COMP-02")
def test_each_side_has_nine_men() -> None:
    assert Morris(GAME.resolve({})).hand == [MEN, MEN] == [9, 9]


@pytest.mark.rule("NM-SETUP-01")
def test_the_board_is_empty_and_white_begins() -> None:
    state = Morris(GAME.resolve({}))
    assert state.men == [0, 0]
    assert SIDES[state.needs()[0].seat] == "white"


@pytest.mark.rule("NM-TURN-01")
def test_the_sides_take_turns() -> None:
    state = play(Morris(GAME.resolve({})), "place d6")
    assert state.seat == BLACK
    assert state.refusal(WHITE, state.notation.parse("place d7")) == Refusal(
        "not-your-turn", (), "NM-TURN-01"
    )


@pytest.mark.rule("NM-PLACE-01")
def test_a_man_is_placed_on_an_empty_point() -> None:
    state = play(Morris(GAME.resolve({})), "place d6")
    assert refused(state, "place d6") == Refusal("occupied", cells("d6"), "NM-PLACE-01")
    assert refused(state, "place d7") is None


@pytest.mark.rule("NM-PLACE-02")
def test_nobody_moves_before_all_own_men_are_placed() -> None:
    state = position("a7 b6 c5", "g7 f6 e5", hand=(1, 1))
    assert refused(state, "move a7 d7") == Refusal("not-now", (), "NM-TURN-01")
    play(state, "place a1", "place g1")
    assert refused(state, "move a7 d7") is None


@pytest.mark.rule("NM-MOVE-01")
def test_only_own_men_are_moved() -> None:
    state = position("a7 b6 c5 d3", "g7 f6 e5 d2")
    assert refused(state, "move g7 g4") == Refusal("not-yours", cells("g7"), "NM-MOVE-01")


@pytest.mark.rule("NM-MOVE-02")
def test_a_man_moves_to_an_empty_point() -> None:
    state = position("a7 d7 c5 d3", "g7 f6 e5 a4")
    assert refused(state, "move a7 a4") == Refusal("occupied", cells("a4"), "NM-MOVE-02")


@pytest.mark.rule("NM-MOVE-03")
def test_a_man_moves_to_the_next_point_of_a_line() -> None:
    state = position("a7 b6 c5 d3", "g7 f6 e5 d2")
    assert refused(state, "move a7 a1") == Refusal("not-beside", cells("a7 a1"), "NM-MOVE-03")
    assert play(state, "move a7 a4").men[WHITE] == mask_of(cells("a4 b6 c5 d3"))


@pytest.mark.rule("NM-FLY-01")
def test_with_three_men_left_one_flies_to_any_empty_point() -> None:
    state = position("a7 b6 c5", "g7 f6 e5 d2")
    assert refused(state, "move a7 d1") is None
    assert len(listed(state)) == 3 * (24 - 7)


@pytest.mark.rule("NM-FLY-02")
def test_players_may_agree_not_to_fly() -> None:
    state = position("a7 b6 c5", "g7 f6 e5 d2", flying=False)
    assert refused(state, "move a7 d1") == Refusal("not-beside", cells("a7 d1"), "NM-MOVE-03")


@pytest.mark.rule("NM-MILL-01")
def test_whoever_closes_a_mill_removes_a_man_at_once() -> None:
    state = play(position("a7 d7 g4 c3", "b6 f6 c5 e3"), "move g4 g7")
    assert (state.seat, state.phase()) == (WHITE, "remove")
    play(state, "remove c5")
    assert (state.seat, state.men[BLACK]) == (BLACK, mask_of(cells("b6 f6 e3")))


@pytest.mark.rule("NM-MILL-02")
def test_two_mills_closed_at_once_remove_one_man() -> None:
    state = play(position("a7 d7 g4 g1", "b6 f6 c5 e3", hand=(1, 1)), "place g7")
    assert state.mill == mask_of(cells("a7 d7 g7 g4 g1"))
    assert play(state, "remove c5").seat == BLACK


@pytest.mark.rule("NM-MILL-03")
def test_a_mill_that_is_opened_and_closed_again_counts_anew() -> None:
    state = position("a7 d7 g7 c3", "b6 f6 c5 e3")
    play(state, "move g7 g4", "move e3 e4")
    assert play(state, "move g4 g7").phase() == "remove"


@pytest.mark.rule("NM-REMOVE-01")
def test_only_a_man_of_the_other_side_is_removed() -> None:
    state = play(position("a7 d7 g4 c3", "b6 f6 c5 e3"), "move g4 g7")
    assert refused(state, "remove c3") == Refusal("not-theirs", cells("c3"), "NM-REMOVE-01")
    assert refused(state, "remove a1") == Refusal("not-theirs", cells("a1"), "NM-REMOVE-01")


@pytest.mark.rule("NM-REMOVE-02")
def test_a_man_in_a_mill_is_removed_only_when_there_is_no_other() -> None:
    state = play(position("a7 d7 g4 c3", "b6 d6 f6 e3"), "move g4 g7")
    assert refused(state, "remove d6") == Refusal("in-a-mill", cells("d6"), "NM-REMOVE-02")
    assert listed(state) == {"remove e3"}
    all_in_mills = play(position("a7 d7 g4 c3", "b6 d6 f6"), "move g4 g7")
    assert listed(all_in_mills) == {"remove b6", "remove d6", "remove f6"}


@pytest.mark.rule("NM-REMOVE-03")
def test_a_man_that_was_removed_stays_out_of_the_game() -> None:
    state = play(position("a7 d7 g4 c3", "b6 f6 c5 e3"), "move g4 g7", "remove c5")
    assert GAME.view(state, WHITE)["taken"] == [5, 6]
    assert state.phase() == "move"


@pytest.mark.rule("NM-END-01")
def test_a_side_with_two_men_has_lost() -> None:
    state = play(position("a7 d7 g4 c3", "b6 f6 c5"), "move g4 g7", "remove c5")
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.code, outcome.winners, outcome.rule) == ("few-men", (WHITE,), "NM-END-01")


@pytest.mark.rule("NM-END-01")
def test_men_in_hand_count() -> None:
    state = play(position("a7 d7", "b6 f6", hand=(1, 7)), "place g7", "remove f6")
    assert state.outcome() is None


@pytest.mark.rule("NM-END-02")
def test_a_side_that_cannot_move_has_lost() -> None:
    state = play(position("d7 b6 d5 g4 a1", "a7 d6 f6 g7"), "move a1 a4")
    assert state.outcome() is None, "f6 can still go to f4"
    state = play(position("d7 b6 d5 f4 g4 a1", "a7 d6 f6 g7"), "move a1 a4")
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.code, outcome.winners, outcome.rule) == ("no-move", (WHITE,), "NM-END-02")


@pytest.mark.rule("NM-END-03")
def test_a_finished_game_takes_no_more_actions() -> None:
    state = play(position("a7 d7 g4 c3", "b6 f6 c5"), "move g4 g7", "remove c5")
    assert (state.needs(), state.actions(BLACK)) == ((), [])
    with pytest.raises(Refused, match="NM-END-03"):
        state.apply(BLACK, state.notation.parse("move b6 b4"))


def shuffle_about(state: Morris, moves: int) -> Morris:
    """Both sides move a man to and fro."""
    there = ("move a7 a4", "move g7 g4", "move a4 a7", "move g4 g7")
    for i in range(moves):
        assert state.outcome() is None, i
        play(state, there[i % 4])
    return state


@pytest.mark.rule("NM-DRAW-01")
def test_the_third_repetition_is_a_draw() -> None:
    state = shuffle_about(position("a7 b6 c5 d3", "g7 f6 e5 d2"), 8)
    outcome = state.outcome()
    assert outcome is not None and (outcome.code, outcome.winners) == ("repeated", ())


@pytest.mark.rule("NM-DRAW-02")
def test_fifty_moves_without_a_mill_are_a_draw() -> None:
    state = shuffle_about(position("a7 b6 c5 d3", "g7 f6 e5 d2", draws="fifty"), QUIET_MOVES)
    outcome = state.outcome()
    assert outcome is not None and (outcome.code, outcome.winners) == ("quiet", ())


@pytest.mark.rule("NM-DRAW-03")
def test_players_agree_which_draws_count() -> None:
    state = shuffle_about(position("a7 b6 c5 d3", "g7 f6 e5 d2", draws="fifty"), 20)
    assert state.outcome() is None, "repetition does not count"
    state = position("a7 b6 c5 d3", "g7 f6 e5 d2", draws="repetition")
    state.quiet = QUIET_MOVES
    assert play(state, "move a7 a4").outcome() is None, "quiet moves do not count"


def test_every_rule_of_the_ledger_is_named_by_a_test() -> None:
    import nine_mens_morris

    ledger = Path(nine_mens_morris.__file__).with_name("ledger.txt").read_text("utf-8").split()
    named = re.findall(r'mark\.rule\("([\w-]+)"\)', Path(__file__).read_text("utf-8"))
    assert list(dict.fromkeys(named)) == ledger
