"""Turns of The Night Cage: staying, moving, pits, falls, keys, gates, nerve, the last flickers, the end."""

from __future__ import annotations

import pytest
from night_cage_boards import (
    asked,
    can,
    cell,
    choices,
    code,
    end,
    fill,
    is_lit,
    kinds,
    laid,
    pay,
    phase,
    play,
    refusal,
    refused,
    seen,
    table,
    tile,
    told,
    turn_of,
    where,
)

from companion.games.night_cage.dirge import settle_dirge
from companion.games.night_cage.flickers import is_cut_off
from companion.games.night_cage.pieces import GATE, WAX
from companion.games.night_cage.tiles import CRUMBLES, IS_GATE, OPEN, code_of

rule = pytest.mark.rule


# The frame of a turn ---------------------------------------------------------------------------


@rule("NC-TURN-02")
def test_a_turn_is_a_move_or_a_stay() -> None:
    assert can(table("X@r X")) == {"stay", "move b1"}


@rule("NC-TURN-03")
def test_only_the_one_who_leads_a_prisoner_decides() -> None:
    game = table("X@r X@b")
    assert refused(game, 1, "stay").code == "not-your-turn"
    assert refused(game, 1, "stay").rule == "NC-TURN-01"
    assert game.actions(1) == []


@rule("NC-TURN-04")
def test_the_order_of_a_turn() -> None:
    game = table("WE I:EW@r X\n. X")
    events = play(game, "move c1")
    assert kinds(events) == ["moved", "crumbled", "attacked", "vanished", "swept"]
    fill(game)
    assert phase(game) == "again"


@rule("NC-TURN-05")
@rule("NC-FALL-02")
@rule("NC-NERVE-07")
def test_a_fall_ends_the_turn_but_not_its_consequences() -> None:
    game = table("WE X@r pit\n.\n. X@b", nerve={"r": 2})
    events = play(game, "move c1", "fall row")
    assert "attacked" in kinds(events) and "swept" in kinds(events)
    assert seen(game)["turn"] == "blue" and where(game, "r") == ""


# Staying ---------------------------------------------------------------------------------------


@rule("NC-STAY-01")
@rule("NC-STAY-21")
@rule("NC-NERVE-07")
def test_staying_leaves_the_pawn_and_ends_the_turn() -> None:
    game = table("X@r X\n. X@b", nerve={"r": 1})
    play(game, "stay", "draw tee")
    fill(game)
    assert where(game, "r") == "a1" and seen(game)["turn"] == "blue"


@rule("NC-STAY-06")
def test_a_monster_may_replace_gates_keys_pits_and_tiles_with_prisoners() -> None:
    game = table(". G\nK X@r pit\n. X@b")
    play(game, "stay", "draw wax")
    assert choices(game, "replace") == "a2 b1 b3 c2"


@rule("NC-STAY-05")
def test_a_monster_is_replaced_only_when_there_is_nothing_else() -> None:
    game = table("WE X@r KP:E")
    play(game, "stay", "draw wax")
    assert choices(game, "replace") == "a1 c1"


@rule("NC-STAY-07")
@rule("NC-GATE-05")
@rule("NC-KEY-13")
@pytest.mark.parametrize(("word", "lost"), [("G", "gates"), ("K", "keys")])
def test_the_replaced_tile_is_lost(word: str, lost: str) -> None:
    game = table(f"X@r {word}")
    before = seen(game)[lost]
    play(game, "stay", "draw wax", "replace b1")
    assert seen(game)[lost] == before - 1 and sum(game.discard) == 1 and tile(game, "b1") == "wax"


@rule("NC-STAY-11")
@rule("NC-GATE-06")
def test_everybody_on_a_replaced_gate_is_hit_and_scrambles_in_turn() -> None:
    game = table("T:NEW@r G@bg", nerve={"b": 0, "g": 0, "r": 0})
    play(game, "stay", "draw wax", "replace b1")
    assert pay(game) == 9
    assert asked(game) == "b"
    play(game, "scramble c1", "draw tee", "put c1 90")
    assert asked(game) == "g"
    assert refusal(game, "scramble c1") == ("occupied", "b1 c1", "NC-SCR-03")


@rule("NC-STAY-12")
def test_a_monster_without_a_connected_tile_is_discarded() -> None:
    game = table("T:NEW@r T:NES")
    play(game, "stay", "draw wax")
    assert game.discard[WAX] == 1 and phase(game) != "swap"


@rule("NC-STAY-22")
def test_a_swapped_in_keeper_faces_the_stayer() -> None:
    game = table("X X@r\n. X")
    play(game, "stay", "draw keeper", "replace b2")
    assert game.tiles[cell(game, "b2")] == code("KP:S")
    assert refusal(game, "draw start")[0] == "not-drawn"


@rule("NC-STAY-23")
def test_a_swapped_in_pit_fiend_digs_at_once() -> None:
    game = table("X@r X@b\n.\n. . . X@g", keys="b")
    before = game.stack
    play(game, "stay", "draw fiend", "replace b1")
    assert asked(game) == "b" and phase(game) == "fall"
    play(game, "fall row")
    assert game.stack == before - 1 and is_lit(game, "b")


@rule("NC-STAY-17")
@rule("NC-MOVE-14")
def test_a_lit_prisoner_without_a_way_stays() -> None:
    game = table("T:NSW@r X\n")
    assert can(game) == {"stay"}
    assert refusal(game, "idle") == ("candle-burns", "a1", "NC-STAY-17")
    assert refusal(game, "rest") == ("candle-burns", "a1", "NC-NERVE-08")


@rule("NC-STAY-16")
def test_resting_on_a_crumbling_tile_still_falls() -> None:
    game = table("I:EW@r", dark="r")
    play(game, "rest")
    assert phase(game) == "fall" and game.nerve[0] == 0


@rule("NC-STAY-18")
@rule("NC-MOVE-14")
def test_waiting_is_only_for_those_who_can_do_nothing_else() -> None:
    game = table("X@r X", dark="r", nerve={"r": 0})
    assert refusal(game, "idle") == ("must-move", "a1", "NC-STAY-18")
    assert refusal(game, "rest") == ("no-nerve", "a1", "NC-STAY-16")
    game = table("I:EW@r T:NES . . . T:NSW", dark="r", nerve={"r": 0})
    assert can(game) == {"idle"}
    play(game, "idle")
    assert phase(game) == "fall"


# Moving ----------------------------------------------------------------------------------------


@rule("NC-MOVE-01")
def test_a_move_is_one_cell_long() -> None:
    game = table("X@r X X")
    assert refusal(game, "move c1") == ("not-adjacent", "a1 c1", "NC-BOARD-03")
    play(game, "move b1")
    assert where(game, "r") == "b1"


@rule("NC-MOVE-03")
@rule("NC-MON-20")
@pytest.mark.parametrize("monster", ["WE", "PL", "KP:E", "KP:N", "KP:S"])
def test_nobody_walks_onto_a_monster(monster: str) -> None:
    game = table(f"X@r {monster}")
    assert refusal(game, "move b1") == ("monster", "a1 b1", "NC-MOVE-03")


@rule("NC-MOVE-04")
@rule("NC-FALL-01")
def test_one_may_step_into_a_pit() -> None:
    game = table("X@r pit")
    play(game, "move b1")
    assert where(game, "r") == "" and phase(game) == "fall"
    game = table("T:NSW@r pit")
    assert refusal(game, "move b1") == ("wall", "a1 b1", "NC-TILE-03")


@rule("NC-MOVE-05")
def test_a_lit_prisoner_does_not_step_into_nothing() -> None:
    game = table("X@r G", stack=0)
    assert refusal(game, "move a2") == ("unlit", "a1 a2", "NC-MOVE-05")


@rule("NC-MOVE-06")
def test_a_dark_prisoner_uses_tiles_and_steps_blindly() -> None:
    game = table("T:NES@r T:NES\nX", dark="r", nerve={"r": 0})
    assert can(game) == {"move a2", "move a6"}


@rule("NC-MOVE-07")
def test_a_blind_step_needs_a_tile_and_a_connection() -> None:
    game = table("X@r G", dark="r", nerve={"r": 0}, stack=0)
    assert refusal(game, "move a2") == ("no-tile-left", "a1 a2", "NC-MOVE-07")
    game = table("X@r", dark="r", nerve={"r": 0})
    play(game, "move b1", "draw tee")
    assert can(game) == {"put b1 90", "put b1 180", "put b1 270"}
    assert refusal(game, "put a2 0") == ("cell-chosen", "a2 b1", "NC-MOVE-07")
    assert refusal(game, "put b1 0") == ("not-connected", "b1 a1", "NC-TILE-10")


@rule("NC-MOVE-11")
@rule("NC-PIT-02")
@rule("NC-PIT-08")
@rule("NC-KEY-13")
def test_a_key_left_on_a_crumbling_tile_is_lost() -> None:
    game = table("K@r X", keys="r")
    before = game.sources
    events = play(game, "move b1")
    assert kinds(events)[:2] == ["moved", "crumbled"]
    assert tile(game, "a1") == "pit" and game.sources == before - 1


@rule("NC-MOVE-13")
def test_the_tile_just_left_stays_lit() -> None:
    game = table("X X@r T:NSW\n. X")
    play(game, "move b2")
    assert "b1" in laid(game).split()


# Pits ------------------------------------------------------------------------------------------


@rule("NC-PIT-01")
@rule("NC-PIT-04")
def test_a_crumbling_tile_holds_until_its_prisoner_acts() -> None:
    game = table("X@r I:EW\n.\n. X@b X")
    play(game, "move b1")
    fill(game)
    end(game)
    assert tile(game, "b1") == "straight"
    play(game, "move c3")
    fill(game)
    end(game)
    assert tile(game, "b1") == "straight" and asked(game) == "r"


@rule("NC-PIT-05")
def test_a_crumbling_tile_gives_way_in_the_turn_it_was_entered() -> None:
    game = table("X@r I:EW X", nerve={"r": 1})
    play(game, "move b1", "again c1")
    assert tile(game, "b1") == "pit"


@rule("NC-PIT-10")
def test_no_tile_is_drawn_for_a_pit_and_nobody_lands_there() -> None:
    game = table("X@r X pit")
    play(game, "move b1")
    assert set(fill(game).split()) == {"b2", "b6"}
    game = table("pit X@b", falling={"r": "row 1"})
    assert "a1" not in choices(game, "land").split()


# Falls -----------------------------------------------------------------------------------------


@rule("NC-FALL-01")
@rule("NC-SCR-06")
def test_who_cannot_leave_an_opened_keeper_falls() -> None:
    game = flickering("X@r KP:N\n.\n. . G@b")
    play(game, "charge b1")
    assert tile(game, "a1") == "" and where(game, "r") == ""
    assert game.outcome().code == "lost-in-the-fall", "there is no tile to land on"


@rule("NC-FALL-06")
def test_nobody_lands_on_a_lit_cell_even_if_it_is_bare() -> None:
    game = table(".\n. X@b", falling={"r": "column c"})
    assert choices(game, "land") == "c1 c3 c4 c5 c6"
    assert refusal(game, "land c2") == ("cell-taken", "c2", "NC-FALL-06")


@rule("NC-FALL-09")
def test_landing_on_a_key_or_a_gate_counts() -> None:
    game = table("X@b", falling={"r": "row 3"})
    play(game, "land c3", "draw key", "put c3 0")
    assert game.has_key(0)
    game = table(".\n.\n. . G@b", falling={"r": "row 3"}, keys="rb")
    for c in ("a3", "b3", "d3", "e3", "f3"):
        game.lay(cell(game, c), code("X"))
    turn_of(game, "r")
    play(game, "land c3")
    assert game.outcome().code == "escaped"


@rule("NC-FALL-16")
@pytest.mark.parametrize("switch", [True, False])
def test_any_fall_out_of_sight_wakes(switch: bool) -> None:
    game = table("X X@r X\n. . WE X@b", any_fall_out_of_los_triggers=switch, advanced=True)
    play(game, "stay", "draw fiend", "replace c1")
    assert phase(game) == "fall" and asked(game) == "b"
    assert bool(told(play(game, "fall row"), "attacked")) is switch


@rule("NC-FALL-19")
def test_several_fallers_choose_in_turn_order() -> None:
    game = table("X@b . X@r\n. X .\n. X@g X@y", turn="g", advanced=True)
    play(game, "stay", "draw fiend", "replace b2")
    order = []
    while phase(game) == "fall":
        order.append(asked(game))
        play(game, "fall row")
    assert order == ["y", "r", "b"]


# Keys ------------------------------------------------------------------------------------------


@rule("NC-KEY-01")
@rule("NC-GATE-01")
@pytest.mark.parametrize("name", ["key", "gate"])
def test_keys_and_gates_are_placed_like_any_tile(name: str) -> None:
    game = table("X@r T:NEW")
    play(game, "move b1", f"draw {name}")
    assert can(game) == {"put b6 0", "put c1 0"}
    play(game, "put c1 0")
    assert tile(game, "c1") == name and OPEN[game.tiles[cell(game, "c1")]] == 15


@rule("NC-GATE-01")
def test_a_gate_does_not_crumble() -> None:
    assert not CRUMBLES[code_of(GATE)] and IS_GATE[code_of(GATE)]


@rule("NC-KEY-03")
@rule("NC-KEY-04")
def test_one_key_each_and_once_per_tile() -> None:
    game = table("X@r K@b", keys="r")
    assert refusal(game, "receive blue") == ("no-key", "b1 a1", "NC-KEY-05")
    game = table("X@r X@b", keys="rb")
    assert refusal(game, "give blue") == ("one-key-each", "a1 b1", "NC-KEY-04")
    game = table("X@r k")
    play(game, "move b1")
    assert not game.has_key(0)
    game = table("X@r K", keys="r")
    play(game, "move b1")
    assert tile(game, "b1") == "key"


@rule("NC-KEY-09")
def test_a_giver_takes_the_next_key_in_the_receivers_turn_too() -> None:
    game = table("X@r K@b", keys="b")
    play(game, "receive blue")
    assert game.keys == 0b11 and tile(game, "b1") == "spent-key"


@rule("NC-BOOK-03", "NC-KEY-08")
@pytest.mark.parametrize(
    ("board", "keys", "steps", "second"),
    [
        ("X@b X@r K X@g", "r", "move c1; give green", True),
        ("X@b X@r K X@g", "r", "give blue; receive blue; move c1; give green", True),
        ("X@b X@r K X@g", "b", "receive blue; move c1; give green", False),
        ("X@b X@r K X@g", "br", "move c1; give green", True),
        ("X@r K K X@g X@b", "", "move b1; again c1; give green", False),
    ],
)
def test_a_second_key_is_for_who_held_the_first_when_the_turn_began(board, keys, steps, second) -> None:
    """«Если вы отдаёте ключ (который у вас уже был в начале хода), стоя на фрагменте с ключом, можете
    сразу же подобрать ключ с этого фрагмента.»"""
    game = table(board, keys=keys)
    for step in steps.split("; "):
        play(game, step)
        fill(game)
    assert game.has_key(2) and game.has_key(0) == second


@rule("NC-BOOK-03")
def test_what_was_held_is_asked_anew_in_every_turn() -> None:
    """«Если вы отдаёте ключ (который у вас уже был в начале хода)…»"""
    game = table("X@r K K X@b", nerve={"r": 1, "b": 0})
    play(game, "move b1")
    fill(game)
    play(game, "again c1")
    fill(game)
    end(game)
    assert asked(game) == "b"
    play(game, "receive red")
    assert game.keys == 0b11, "Red held it when this turn began"


@rule("NC-KEY-02")
def test_a_key_reached_in_another_turn_waits_for_ones_own() -> None:
    game = table("X@r X\n. . K@b")
    assert not game.has_key(1)
    play(game, "move b1")
    fill(game)
    end(game)
    assert asked(game) == "b" and game.has_key(1)


@rule("NC-KEY-10")
def test_a_key_is_relayed_by_the_active_prisoner_only() -> None:
    game = table("X@r X@b X@g", keys="r", turn="b")
    play(game, "receive red", "give green")
    assert game.keys == 0b100
    game = table("X@r X@b X@g", keys="r", turn="r")
    play(game, "give blue")
    assert refusal(game, "give green") == ("no-key", "a1 c1", "NC-KEY-05")


@rule("NC-BOOK-02")
@pytest.mark.parametrize("turn", ["r", "b"])
def test_a_key_goes_to_and_fro_in_one_turn(turn: str) -> None:
    """«узник МОЖЕТ отдать свой ключ другому узнику, если во время хода одного из них…»"""
    game = table("X@r X@b", keys="r", turn=turn)
    there, back = ("give blue", "receive blue") if turn == "r" else ("receive red", "give red")
    play(game, there, back)
    assert game.keys == 0b01 and there in can(game)
    play(game, there, back, there)
    assert game.keys == 0b10 and back in can(game)


@rule("NC-BOOK-02")
def test_a_key_passes_after_the_move_as_often_as_before_it() -> None:
    """«узник МОЖЕТ отдать свой ключ другому узнику, если во время хода одного из них…»"""
    game = table("X@r X X@b", keys="r", nerve={"r": 0})
    play(game, "move b1")
    fill(game)
    assert can(game) == {"end", "give blue"}
    play(game, "give blue", "receive blue")
    assert can(game) == {"end", "give blue"}


@rule("NC-KEY-05")
def test_a_key_goes_to_others_who_are_in_the_game() -> None:
    game = table("X@r X@b", keys="r")
    assert refusal(game, "give red") == ("nobody", "", "NC-KEY-05")
    assert refusal(game, "receive purple") == ("nobody", "", "NC-KEY-05")


@rule("NC-KEY-12")
def test_dark_prisoners_take_and_pass_keys() -> None:
    game = table("X@r K X@b", dark="rb", nerve={"r": 1})
    play(game, "move b1")
    assert game.has_key(0)
    play(game, "give blue")
    assert game.has_key(1)


@rule("NC-KEY-07")
@rule("NC-MON-14")
def test_passing_a_key_costs_nothing_and_wakes_nobody() -> None:
    game = table("WE X@r X@b", keys="r")
    events = play(game, "give blue")
    assert not told(events, "attacked") and phase(game) == "act" and game.nerve == [1, 1]


@rule("NC-GATE-04")
def test_prisoners_in_the_dark_win_too() -> None:
    game = table("G@bgy X@r", dark="rbgy", keys="rbgy")
    play(game, "move a1")
    assert game.outcome().code == "escaped"


@rule("NC-GATE-03")
@pytest.mark.parametrize(("keys", "board"), [("bgy", "G@bgy X@r"), ("rbgy", "G@bg X@r\n.\n. . X@y")])
def test_all_prisoners_and_all_keys_are_needed(keys: str, board: str) -> None:
    game = table(board, keys=keys)
    play(game, "move a1")
    assert game.outcome() is None


@rule("NC-GATE-03")
@rule("NC-TURN-06")
def test_the_last_key_taken_on_the_way_wins_on_the_gate() -> None:
    game = table("G@rb X@g K", keys="rb", turn="g")
    play(game, "move c1")
    assert game.has_key(2) and game.outcome() is None
    game = table("G@rb K@g", keys="rb", turn="g")
    play(game, "move a1")
    assert game.outcome().code == "escaped"


# Nerve -----------------------------------------------------------------------------------------


@rule("NC-NERVE-01")
@rule("NC-NERVE-02")
@rule("NC-STAY-02")
def test_nerve_comes_from_staying_with_light_up_to_two() -> None:
    game = table("X@r X", nerve={"r": 0})
    for n in (1, 2, 2):
        play(game, "stay", "draw tee")
        fill(game)
        assert game.nerve[0] == n


@rule("NC-NERVE-03")
@rule("NC-NERVE-06")
def test_both_tokens_may_go_in_one_turn() -> None:
    game = table("X@r X X X", nerve={"r": 2})
    play(game, "move b1")
    fill(game)
    play(game, "again c1")
    fill(game)
    play(game, "again d1")
    assert game.nerve[0] == 0 and where(game, "r") == "d1"
    fill(game)
    assert phase(game) == "act", "no third extra move: the next turn has begun"


@rule("NC-NERVE-06")
def test_moving_again_needs_nerve() -> None:
    game = table("X@r X X@b", keys="b", nerve={"r": 0})
    play(game, "move b1")
    fill(game)
    assert refusal(game, "again a1") == ("no-nerve", "b1", "NC-NERVE-06")
    assert can(game) == {"end", "receive blue"}
    play(game, "receive blue")
    assert can(game) == {"end", "give blue"}
    game = table("X@r X X@b", nerve={"r": 0})
    play(game, "move b1")
    fill(game)
    assert seen(game)["turn"] == "blue", "nothing is left to ask Red"


@rule("NC-NERVE-14")
@pytest.mark.parametrize(("nerve", "burned"), [(0, 6), (1, 5), (2, 4)])
def test_each_hit_is_blocked_on_its_own(nerve: int, burned: int) -> None:
    game = table("WE X@r X@b WE\n. X", nerve={"b": nerve})
    play(game, "move b2")
    assert pay(game, block="bb") == burned and game.nerve[1] == 0


@rule("NC-NERVE-15")
@pytest.mark.parametrize("nerve", [1, 2])
def test_a_charge_as_an_extra_move_costs_both_tokens(nerve: int) -> None:
    game = table("X@r T:NEW", nerve={"r": nerve})
    play(game, "move b1", "draw wax", "put c1 0", "draw tee", "put b6 0")
    if nerve == 1:
        assert refusal(game, "charge c1") == ("no-nerve", "b1", "NC-NERVE-10")
    else:
        play(game, "charge c1")
        assert game.nerve[0] == 0


@rule("NC-NERVE-16")
@pytest.mark.parametrize(
    ("monster", "legal"),
    [("WE", True), ("PL", True), ("KP:N", True), ("KP:S", True), ("KP:E", True), ("KP:W", False)],
)
def test_what_may_be_charged(monster: str, legal: bool) -> None:
    game = table(f"X@r {monster}")
    assert ("charge b1" in can(game)) is legal
    assert ("move b1" in can(game)) is not legal


@rule("NC-NERVE-10")
def test_a_charge_needs_nerve_and_a_monster() -> None:
    game = table("X@r WE", nerve={"r": 0})
    assert refusal(game, "charge b1") == ("no-nerve", "a1", "NC-NERVE-10")
    game = table("X@r X")
    assert refusal(game, "charge b1") == ("no-charge", "a1 b1", "NC-NERVE-16")
    assert refusal(game, "charge c3") == ("not-adjacent", "a1 c3", "NC-BOARD-03")


# The last flickers -----------------------------------------------------------------------------


def flickering(board: str, **more):
    game = table(board, stack=0, **more)
    game.flickers = True
    return game


@rule("NC-FLICKER-01")
@rule("NC-FLICKER-04")
@pytest.mark.parametrize("how", ["drawn", "burned"])
def test_the_flickers_begin_at_the_end_of_the_turn_of_the_last_tile(how: str) -> None:
    stack = {"tee": 1}
    if how == "drawn":
        game = table("X@r X@b G\nT:NES", stack=stack, nerve={"r": 0, "b": 0}, keys="rb")
        play(game, "move a2", "draw tee")
        assert not seen(game)["flickers"]
        events = play(game, sorted(can(game))[0])
    else:
        game = table("X@r X@b G", stack=stack, nerve={"r": 0, "b": 0}, keys="rb")
        events = play(game, "stay", "draw tee")
    assert told(events, "flickers") == [{}] and seen(game)["flickers"]
    assert phase(game) == "act" and seen(game)["turn"] == "blue", "no removal in this turn"
    play(game, "stay")
    assert phase(game) == "flicker" and asked(game) == "b"


@rule("NC-FLICKER-04")
def test_by_the_switch_the_first_removal_comes_at_once() -> None:
    game = table("X@r X@b G", stack={"tee": 1}, flicker_first_removal="same-turn")
    play(game, "stay", "draw tee")
    assert phase(game) == "flicker" and asked(game) == "r"


@rule("NC-FLICKER-02")
def test_no_tile_comes_any_more() -> None:
    game = flickering("X@r X X G@b")
    play(game, "move b1")
    assert phase(game) == "again" and laid(game) == "a1 b1 c1 d1"


@rule("NC-FLICKER-05")
def test_what_may_be_removed() -> None:
    game = flickering("X@r G@b X\npit WE K")
    play(game, "stay")
    assert choices(game, "remove") == "a2 b2 c1"
    assert refusal(game, "remove b1") == ("occupied", "b1", "NC-FLICKER-05")
    assert refusal(game, "remove d4") == ("not-removable", "d4", "NC-FLICKER-06")


@rule("NC-FLICKER-06")
@pytest.mark.parametrize("switch", [False, True])
def test_an_unlit_keeper_is_removed_only_by_the_switch(switch: bool) -> None:
    game = flickering("X@r G@b X\n.\n. . . KP:N\n", flicker_unlit_keeper_removable=switch, advanced=True)
    play(game, "stay")
    assert ("d3" in choices(game, "remove").split()) is switch


@rule("NC-FLICKER-06")
def test_the_great_pit_is_not_removed() -> None:
    game = flickering("X@r G@b X", dirge=True)
    settle_dirge(game, [], game.rules.placements[cell(game, "a2"), 0], ())
    game.todo = [("act", 0)]
    game.settle([])
    play(game, "stay")
    assert choices(game, "remove") == "c1"


@rule("NC-FLICKER-11")
@rule("NC-HIT-06")
def test_attacks_still_put_candles_out() -> None:
    game = flickering("WE X@r X G@b")
    events = play(game, "move c1")
    assert told(events, "hit") and phase(game) in ("block", "again")
    assert pay(game) == 0 and not is_lit(game, "r")


@rule("NC-FLICKER-13")
def test_a_removal_wakes_nobody() -> None:
    game = flickering("WE X@r G@b")
    play(game, "stay")
    assert not told(play(game, "remove a1"), "attacked")


@rule("NC-FLICKER-15")
def test_removing_the_last_gate_loses() -> None:
    game = flickering("X@r G X@b")
    game.gates = 1
    play(game, "stay", "remove b1")
    assert game.outcome().code == "no-gates"


@rule("NC-FLICKER-08")
@rule("NC-NERVE-04")
@rule("NC-NERVE-11")
def test_fresh_or_missing_nerve_sustains_nothing() -> None:
    game = flickering("X@r G@b X", nerve={"r": 1})
    play(game, "stay")
    assert refusal(game, "sustain") == ("nerve-is-fresh", "", "NC-NERVE-04")
    game = flickering("X@r X G@b", nerve={"r": 0})
    play(game, "move b1")
    assert refusal(game, "sustain") == ("no-nerve", "", "NC-NERVE-11")


# The end ---------------------------------------------------------------------------------------


@rule("NC-END-07")
@rule("NC-END-08")
def test_who_cannot_reach_a_gate_is_cut_off() -> None:
    game = flickering("X@r X X G@b . X", keys="rb")
    play(game, "stay", "remove c1")
    assert game.outcome().code == "cut-off" and game.outcome().rule == "NC-END-07"


@rule("NC-END-08")
@pytest.mark.parametrize(
    ("board", "keys", "lost"),
    [
        ("X@r X G@b", "rb", False),
        ("X@r WE G@b", "rb", False),
        ("X@r pit G@b", "rb", True),
        ("X@r T:NES G@b", "rb", True),
        ("X@r X G@b", "r", True),
        ("X@r K G@b", "r", False),
        ("X@r X X@b", "rb", True),
        ("X@r pit X X X G@b", "rb", False),
        ("G@rb", "r", True),
        ("G@rb K", "r", False),
    ],
)
def test_when_the_way_is_cut_off(board: str, keys: str, lost: bool) -> None:
    assert is_cut_off(flickering(board, keys=keys)) is lost


@rule("NC-END-08")
def test_nothing_is_said_while_somebody_falls() -> None:
    game = table("X@b", falling={"r": "row 3"}, stack=0)
    game.result = None
    assert is_cut_off(game) is False


@rule("NC-END-09")
def test_giving_up() -> None:
    game = table("X@r X")
    assert refusal(game, "concede") == ("too-early", "", "NC-END-09")
    game = table("X@r X", concede_any_turn=True)
    play(game, "concede")
    assert game.outcome().code == "conceded" and game.outcome().winners == ()
    game = flickering("X@r G@b")
    assert "concede" in can(game)
    assert refused(play_on(game), 0, "stay").code == "game-over"


def play_on(game):
    play(game, "concede")
    return game


@rule("NC-END-10")
def test_the_game_goes_on_in_full_darkness() -> None:
    game = table("X@r X\n.\n. X@b", dark="rb", nerve={"r": 0})
    play(game, "move b1")
    assert game.outcome() is None and not game.candles
