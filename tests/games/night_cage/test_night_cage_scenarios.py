"""The worked scenarios of the ledger (section 6), each with exactly its outcome.

Cells are named as on the board: column a to f, row 1 to 6; the ledger's (2,1) is c2.
"""

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
    laid,
    light_step,
    names,
    pay,
    phase,
    play,
    refusal,
    seen,
    table,
    tile,
    told,
    turn_of,
    where,
)

from companion.engine.options import resolve
from companion.games.night_cage.agenda import start
from companion.games.night_cage.light import sweep
from companion.games.night_cage.options import OPTIONS

rule = pytest.mark.rule


def new_game(**options):
    return start(resolve(OPTIONS, options))


@rule("NC-BOARD-02")
@rule("NC-SETUP-19")
def test_sc_01_exits_over_the_edge_light_the_far_side() -> None:
    game = new_game(players=4)
    play(game, "start f1 180")
    assert set(fill(game, "tee").split()) == {"f6", "a1"}


@rule("NC-SETUP-20")
@rule("NC-SETUP-21")
@rule("NC-LIGHT-02")
def test_sc_02_an_exit_that_faces_a_wall_draws_nothing() -> None:
    game = new_game(players=4)
    play(game, "start c3 270", "draw tee", "put d3 180", "draw cross", "put c4 0")
    play(game, "start e3 90")
    assert fill(game, "tee") == "e2"
    assert "d3" in names(game, game_lights(game, 0)) and "d3" in names(game, game_lights(game, 1))
    assert not game.are_joined(cell(game, "d3"), cell(game, "e3"))


def game_lights(game, prisoner):
    return seen(game)["prisoners"][prisoner]["lights"]


@rule("NC-SETUP-22")
@rule("NC-STAY-17")
@rule("NC-PIT-03")
def test_sc_03_a_walled_in_prisoner_must_stay_and_falls() -> None:
    game = table(
        """
        . . . . .
        . . . S:ES@g I:EW
        . . S:ES@r T:NSW S:NW@b
        . . X
        """,
        turn="b",
    )
    assert can(game) == {"stay"}
    play(game, "stay", "draw tee")
    assert game.nerve[1] == 2 and game.discard[2] == 1
    assert where(game, "b") == "" and phase(game) == "fall" and asked(game) == "b"
    row = game.copy()
    play(row, "fall row")
    play(game, "fall column")
    assert (row.lines[1], game.lines[1]) == (2, 6 + 4)


@rule("NC-SETUP-22")
def test_sc_03_a_walled_in_start_draws_no_tile() -> None:
    game = new_game(players=4)
    play(game, "start c3 270", "draw tee", "put d3 180", "draw cross", "put c4 0")
    play(game, "start d2 270", "draw straight", "put e2 0")
    play(game, "start e3 90")
    assert phase(game) == "start" and asked(game) == "y"


@rule("NC-LIGHT-01")
@rule("NC-LIGHT-04")
@rule("NC-LIGHT-13")
def test_sc_04_a_candle_lights_the_four_neighbours_one_tile_at_a_time() -> None:
    game = table(".\n.\n. . X@r")
    light_step(game)
    assert names(game, game_lights(game, 0)) == "b3 c2 c3 c4 d3"
    assert phase(game) == "draw-fill"
    play(game, "draw cross", "put c2 0")
    assert phase(game) == "draw-fill"
    assert set(fill(game).split()) == {"c4", "b3", "d3"}
    assert laid(game) == "b3 c2 c3 c4 d3"


@rule("NC-LIGHT-02")
@rule("NC-LIGHT-11")
@rule("NC-LIGHT-12")
def test_sc_05_a_lit_wall_stays_and_needs_no_tile() -> None:
    game = table(
        """
        .
        .  .  .   .     X
        .  .  X@r T:NES X@b X
        .  .  .   .     X
        """
    )
    light_step(game)
    assert set(fill(game).split()) == {"c2", "c4", "b3"}
    turn_of(game, "b")
    play(game, "move f3")
    assert {"e2", "e4"}.isdisjoint(laid(game).split())
    assert {"d3", "e3"} <= set(laid(game).split())
    assert set(fill(game).split()) == {"a3", "f2", "f4"}


@rule("NC-LIGHT-03")
@rule("NC-LIGHT-09")
def test_sc_06_a_closed_side_lights_nothing() -> None:
    game = table(
        """
        .
        .  .  X       .  X
        .  X  T:NSW@r X  X@b X
        .  .  X       .  X
        """,
        turn="b",
    )
    play(game, "move f3")
    assert laid(game) == "b3 c2 c3 c4 e3 f3"


@rule("NC-LIGHT-11")
@rule("NC-LIGHT-16")
@rule("NC-LIGHT-09")
def test_sc_07_a_way_back_shows_new_tiles() -> None:
    game = table(
        """
        .
        .  .  X
        .  X  X@r T:NSW
        .  .  X
        """
    )
    play(game, "move d3")
    assert laid(game) == "c3 d3"
    assert set(fill(game).split()) == {"d2", "d4"}
    end(game)
    discarded = sum(game.discard)
    play(game, "move c3")
    assert laid(game) == "c3 d3" and sum(game.discard) == discarded + 2
    assert set(fill(game).split()) == {"c2", "b3", "c4"}


@rule("NC-PIT-02")
@rule("NC-PIT-06")
def test_sc_08_a_pit_stays_while_it_is_lit() -> None:
    game = table(".\n.\n. X I:EW@r X")
    play(game, "move d3")
    assert tile(game, "c3") == "pit" and laid(game) == "c3 d3"
    assert set(fill(game).split()) == {"d2", "d4", "e3"}
    end(game)
    play(game, "move e3")
    assert laid(game) == "d3 e3"


@rule("NC-STAY-02")
@rule("NC-STAY-03")
@rule("NC-STAY-14")
@rule("NC-FALL-03")
@rule("NC-FALL-04")
def test_sc_09_staying_on_a_crumbling_tile_falls() -> None:
    game = table(".\n.\n. X I:EW@r X\n.\n.\n.  .  .  .  .  X@b", dark="b")
    play(game, "stay", "draw tee")
    assert game.nerve[0] == 2 and game.discard[2] == 1
    assert can(game) == {"fall row", "fall column"}
    play(game, "fall row")
    assert game.lines[0] == 2
    assert laid(game) == "f6" and seen(game)["turn"] == "blue"


@rule("NC-FALL-06")
@rule("NC-FALL-07")
@rule("NC-FALL-08")
def test_sc_10_a_faller_lands_in_its_line_and_goes_on() -> None:
    game = table(".\n.  I:EW@b X", falling={"r": "column c"})
    assert choices(game, "land") == "c1 c3 c4 c5 c6"
    assert refusal(game, "land c2") == ("cell-taken", "c2", "NC-FALL-06")
    assert refusal(game, "land d3") == ("other-line", "d3", "NC-FALL-03")
    play(game, "land c1", "draw tee")
    assert len(can(game)) == 4
    play(game, "put c1 90")
    assert set(fill(game).split()) == {"d1", "b1"}
    assert phase(game) == "act" and asked(game) == "r"


LANDING_ON_WAX = """
.
.  .  .  .  X
.  .  .  X  X@r
.  .  X
.  .  X@b
"""


def landed_on_wax(**options):
    game = table(LANDING_ON_WAX, turn="g", falling={"g": "column c"}, stack=40 + 20, **options)
    play(game, "land c3", "draw wax", "put c3 0")
    return game


@rule("NC-FALL-10")
@rule("NC-FALL-11")
@rule("NC-HIT-05")
@rule("NC-HIT-11")
@rule("NC-SCR-04")
def test_sc_11_landing_on_a_wax_eater_hits_all_it_sees() -> None:
    game = landed_on_wax()
    assert pay(game) == 9
    assert not any(is_lit(game, pawn) for pawn in "rbg")
    assert laid(game) == "c5 e3"
    assert phase(game) == "scramble" and choices(game, "scramble") == "b3 c2 c4 d3"
    play(game, "scramble c2", "draw tee", "put c2 0")
    assert where(game, "g") == "c2" and phase(game) == "act"
    assert "rest" in can(game) and "stay" not in can(game)


@rule("NC-NERVE-13")
@rule("NC-NERVE-09")
def test_sc_11_three_blocks_save_three_tiles() -> None:
    assert pay(landed_on_wax(), block="rbg") == 6


@rule("NC-MON-03")
@rule("NC-MON-05")
@rule("NC-MON-07")
@rule("NC-MON-10")
def test_sc_12_sight_goes_over_the_edge_and_stops_at_walls_pits_and_nothing() -> None:
    game = table(
        """
        .
        X
        T:ESW@y .  .  .  .    .
        WE      .  .  .  X@r  X
        pit
        X@g
        """
    )
    sight = {c for path in seen(game)["sight"][0]["paths"] for c in path}
    assert names(game, sight) == "a3 e4 f4"
    play(game, "move f4")
    assert pay(game) == 6
    assert not is_lit(game, "y") and not is_lit(game, "r") and is_lit(game, "g")
    assert tile(game, "a4") == ""


WAX_BESIDE_RED = """
.
.
.  WE T:ESW@r X
.  .  X
"""


@rule("NC-MON-10")
@rule("NC-CANDLE-02")
def test_sc_13_moving_along_the_line_is_hit() -> None:
    game = table(WAX_BESIDE_RED)
    play(game, "move d3")
    assert pay(game) == 3
    assert not is_lit(game, "r") and laid(game) == "d3" and phase(game) != "draw-fill"


@rule("NC-MON-11")
@rule("NC-MON-16")
@rule("NC-MON-18")
def test_sc_14_moving_out_of_the_line_wakes_but_is_not_hit() -> None:
    game = table(WAX_BESIDE_RED)
    before = game.stack
    events = play(game, "move c4")
    assert told(events, "attacked") and not told(events, "hit") and game.stack == before
    assert is_lit(game, "r") and laid(game) == "c3 c4"
    assert set(fill(game).split()) == {"b4", "d4", "c5"}


@rule("NC-MON-09")
@rule("NC-PIT-09")
@rule("NC-PIT-07")
def test_sc_15_a_pit_behind_the_mover_shields_it() -> None:
    game = table(".\n.\n.  WE I:EW@r X")
    events = play(game, "move d3")
    assert told(events, "attacked") and not told(events, "hit")
    assert laid(game) == "c3 d3" and tile(game, "c3") == "pit"
    assert set(fill(game).split()) == {"d2", "d4", "e3"}


@rule("NC-FALL-17")
@rule("NC-MON-13")
@pytest.mark.parametrize(
    ("board", "to"),
    [(".\n.  .  X@r\n.  WE pit", "c3"), (".\n.\n.  WE pit X@r", "c3")],
    ids=["sc_16a", "sc_16b"],
)
def test_sc_16_a_pit_out_of_sight_wakes_nobody(board: str, to: str) -> None:
    game = table(board)
    events = play(game, f"move {to}")
    assert not told(events, "attacked") and told(events, "fell")
    row = game.copy()
    play(row, "fall row")
    play(game, "fall column")
    assert (row.lines[0], game.lines[0]) == (2, 6 + 2)


@rule("NC-FALL-15")
@rule("NC-MON-12")
def test_sc_16c_falling_out_of_sight_wakes_but_spares_the_faller() -> None:
    game = table(".\nX@b\nWE X@r pit")
    play(game, "move c3", "fall row")
    assert pay(game) == 3
    assert is_lit(game, "r") and not is_lit(game, "b") and tile(game, "a3") == ""


@rule("NC-CHAIN-01")
@rule("NC-CHAIN-06")
@rule("NC-MON-06")
@pytest.mark.parametrize(("mover", "to", "other"), [("b", "b2", "g"), ("g", "d2", "b")])
def test_sc_17_a_chain_hits_the_one_between_twice(mover: str, to: str, other: str) -> None:
    game = table(
        """
        .
        .  X       .  X
        .  T:NEW@b WE X@g
        .  .       X@r
        .  .       WE
        """,
        turn=mover,
    )
    events = play(game, f"move {to}")
    while phase(game) in ("block", "draw-burn"):
        events += play(game, "suffer" if phase(game) == "block" else "draw tee")
    hit = sorted(str(event["prisoner"]) for event in told(events, "hit"))
    assert hit == sorted([{"b": "blue", "g": "green"}[other], "red", "red"])
    assert tile(game, "c3") == "" and tile(game, "c5") == ""


@rule("NC-CHAIN-01")
def test_sc_17_nine_tiles_burn() -> None:
    game = table(".\n. X\n. T:NEW@b WE X@g\n. . X@r\n. . WE", turn="b")
    play(game, "move b2")
    assert pay(game) == 9


@rule("NC-CHAIN-06")
@rule("NC-HIT-05")
def test_sc_18_two_monsters_and_three_victims_burn_eighteen() -> None:
    game = table(
        """
        .  .  WE
        .  .  X@r X
        .  .  X@b
        .  .  WE
        .  .  X@g
        .  .  X@y
        """
    )
    play(game, "move d2")
    assert pay(game) == 18
    assert is_lit(game, "r") and not any(is_lit(game, pawn) for pawn in "bgy")


@rule("NC-CHAIN-07")
@rule("NC-MON-07")
def test_sc_19_a_closed_ring_hits_once() -> None:
    game = table(".\n.\nWE X X X@r X X@b", turn="b")
    play(game, "move e3")
    assert pay(game) == 6


@rule("NC-MOVE-07")
@rule("NC-MOVE-08")
@rule("NC-MOVE-09")
def test_sc_20_a_blind_step_draws_one_tile() -> None:
    game = table(".\n.\n.  .  X@r", dark="r", nerve={"r": 0})
    before = game.stack
    play(game, "move d3", "draw tee", "put d3 180")
    assert laid(game) == "d3" and game.stack == before - 1
    assert where(game, "r") == "d3" and not is_lit(game, "r")


@rule("NC-MOVE-10")
@rule("NC-HIT-10")
@rule("NC-NERVE-13")
@pytest.mark.parametrize(("block", "burned"), [("", 6), ("r", 5), ("rb", 4)])
def test_sc_21_a_blind_step_onto_a_wax_eater(block: str, burned: int) -> None:
    game = table(".\n.\n.  .  X@r .\n.  .  .   X\n.  .  .  X@b", dark="r")
    play(game, "move d3", "draw wax", "put d3 0")
    assert pay(game, block) == burned
    assert laid(game) == "d5" and choices(game, "scramble") == "c3 d2 d4 e3"


@rule("NC-CANDLE-05")
@rule("NC-CANDLE-07")
@rule("NC-CANDLE-08")
def test_sc_22_a_candle_is_lit_again() -> None:
    game = table(
        """
        .
        X
        X@r X T:ESW@b .  .  X
        X
        """,
        dark="b",
    )
    play(game, "move b3")
    assert laid(game) == "a3 b3 c3"
    assert fill(game).split() == ["b2", "b4", "d3", "c4"]
    assert is_lit(game, "b") and asked(game) == "r"


@rule("NC-STAY-03")
@rule("NC-STAY-13")
@rule("NC-NERVE-05")
def test_sc_23_staying_wakes_nobody_and_burns_a_gate() -> None:
    game = table(".\nWE . X\n. X X@r X\n. . X\n. . WE", nerve={"r": 2})
    gates = game.gates
    events = play(game, "stay", "draw gate")
    assert game.nerve[0] == 2 and game.gates == gates - 1 == 3
    assert not told(events, "attacked")


@rule("NC-STAY-04")
@rule("NC-STAY-05")
@rule("NC-STAY-08")
def test_sc_24_a_revealed_monster_replaces_a_connected_tile() -> None:
    game = table(".\n. . T:NEW\n. WE X@r X\n. . pit")
    play(game, "stay", "draw wax")
    assert choices(game, "replace") == "c4 d3"
    assert refusal(game, "replace b3") == ("monster", "c3 b3", "NC-STAY-05")
    assert refusal(game, "replace c2") == ("not-connected", "c3 c2", "NC-STAY-04")
    events = play(game, "replace d3")
    assert tile(game, "d3") == "wax" and not told(events, "attacked")


SWAP_UNDER_BLUE = """
.
.  .  T:NEW
.  WE T:NEW@r X@b
"""


@rule("NC-STAY-09")
@rule("NC-STAY-10")
@rule("NC-NERVE-04")
@rule("NC-CHAIN-01")
@pytest.mark.parametrize(("block", "burned"), [("", 12), ("b", 11), ("r", 12)])
def test_sc_25_a_monster_swapped_under_a_prisoner_attacks(block: str, burned: int) -> None:
    game = table(SWAP_UNDER_BLUE, nerve={"r": 0})
    play(game, "stay", "draw wax")
    assert choices(game, "replace") == "d3"
    play(game, "replace d3")
    assert pay(game, block) == burned
    assert tile(game, "b3") == "" and tile(game, "d3") == ""
    assert not is_lit(game, "r") and not is_lit(game, "b")
    assert phase(game) == "scramble" and asked(game) == "b"


@rule("NC-STAY-14")
@rule("NC-STAY-15")
def test_sc_26_falling_away_from_a_swapped_in_monster_wakes_it() -> None:
    game = table(".\n. . . . X\n. X I:EW@r X X@b")
    play(game, "stay", "draw wax")
    assert not told(play(game, "replace d3"), "attacked")
    play(game, "fall row")
    assert pay(game) == 3
    assert laid(game) == "e3" and is_lit(game, "r")


@rule("NC-KEY-02")
@rule("NC-KEY-03")
@rule("NC-PIT-02")
def test_sc_27_a_key_is_taken_and_its_tile_crumbles() -> None:
    game = table(".\n. . . X\n. . X@r K")
    play(game, "move d3")
    assert game.has_key(0) and tile(game, "d3") == "spent-key"
    fill(game)
    end(game)
    play(game, "move d2")
    assert tile(game, "d3") == "pit"


@rule("NC-KEY-05")
@rule("NC-KEY-06")
@pytest.mark.parametrize("turn", ["r", "y"])
def test_sc_28_a_key_passes_between_connected_prisoners_only(turn: str) -> None:
    game = table(".\n. . T:NEW@g\n. . X@r X@y", keys="r", turn=turn)
    if turn == "r":
        assert "give yellow" in can(game)
        assert refusal(game, "give green") == ("not-connected", "c3 c2", "NC-KEY-06")
        play(game, "give yellow")
    else:
        assert {line for line in can(game) if "receive" in line} == {"receive red"}
        play(game, "receive red")
    assert game.keys == 0b1000


@rule("NC-KEY-08")
@rule("NC-KEY-07")
def test_sc_29_who_gives_a_key_on_a_key_tile_takes_the_next() -> None:
    game = table(".\n. . WE\n. . K@r X@b", keys="r")
    events = play(game, "give blue")
    assert game.keys == 0b11 and tile(game, "c3") == "spent-key"
    assert not told(events, "attacked") and phase(game) == "act"


@rule("NC-GATE-03")
@rule("NC-TURN-06")
@rule("NC-END-11")
@rule("NC-END-01")
def test_sc_30_the_last_one_on_the_gate_wins_before_any_attack() -> None:
    game = table(". . . WE\n. . . X\n. . . X@y\n. . . G@rbg", keys="rbgy", turn="y")
    events = play(game, "move d4")
    assert game.outcome().code == "escaped" and game.outcome().winners == (0, 1, 2, 3)
    assert not told(events, "attacked")


def last_light(turn: str = "g"):
    game = table(
        """
        .
        .
        X    .  .  X
        X@g  X  X  G@rby X X
        X    .  .  X
        """,
        turn=turn,
        keys="rbgy",
        stack=0,
    )
    game.flickers = True
    return game


@rule("NC-FLICKER-03")
@rule("NC-FLICKER-10")
@rule("NC-STAY-19")
def test_sc_31_a_round_of_the_last_flickers() -> None:
    game = last_light()
    events = play(game, "move b4")
    assert told(events, "swept") == [{"cells": [cell(game, c) for c in ("a3", "f4", "a5")]}]
    end(game)
    assert choices(game, "remove") == "a4 c4 d3 d5 e4"
    play(game, "remove a4")
    for gone in ("e4", "d3", "d5"):
        play(game, "stay", f"remove {gone}")
    assert laid(game) == "b4 c4 d4" and game.nerve == [2, 2, 1, 2]


def after_the_round():
    """The board after SC-31: Green alone away from the gate."""
    game = table(".\n.\n.\n. X@g X G@rby", turn="g", keys="rbgy", stack=0, nerve={"r": 2, "b": 2, "y": 2})
    game.flickers = True
    return game


@rule("NC-FLICKER-09")
@rule("NC-NERVE-06")
def test_sc_31b_moving_twice_wins_before_any_removal() -> None:
    game = after_the_round()
    play(game, "move c4")
    assert phase(game) == "again"
    play(game, "again d4")
    assert game.outcome().code == "escaped"


@rule("NC-FLICKER-07")
@rule("NC-END-06")
def test_sc_31c_only_occupied_tiles_left_is_defeat() -> None:
    game = after_the_round()
    game.nerve = [0, 0, 1, 0]
    play(game, "move c4", "end", "remove b4", "stay")
    assert game.outcome().code == "swallowed" and game.outcome().rule == "NC-END-06"


@rule("NC-FLICKER-08")
@rule("NC-NERVE-05")
@rule("NC-NERVE-11")
def test_sc_31c_three_sustained_flames_save_the_game() -> None:
    game = after_the_round()
    play(game, "move c4", "end", "remove b4")
    for _ in range(3):
        play(game, "stay")
        assert can(game) == {"sustain"}
        play(game, "sustain")
    assert game.nerve == [1, 1, 1, 1] and asked(game) == "g"
    play(game, "move d4")
    assert game.outcome().code == "escaped"


@rule("NC-FALL-14")
@rule("NC-END-05")
@rule("NC-FLICKER-12")
def test_sc_32_a_fall_without_a_tile_is_defeat() -> None:
    game = table(".\n. X@b", falling={"r": "column e"}, stack=0)
    assert game.outcome().code == "lost-in-the-fall" and game.outcome().rule == "NC-END-05"


LOST = ("lost-in-the-fall", (), "NC-END-05", ())


@rule("NC-BOOK-04")
def test_who_falls_without_a_tile_is_asked_nothing_more() -> None:
    """«Если вы падаете, а в запасе не осталось фрагментов, вы навсегда проваливаетесь во тьму и партия
    завершается поражением игроков.»"""
    game = table("X@r pit\n.\n. . X@b", stack=0)
    events = play(game, "move b1")
    assert game.outcome() == LOST and game.needs() == ()
    assert told(events, "fell") and not told(events, "falling")


@rule("NC-BOOK-04")
@rule("NC-FALL-13")
@pytest.mark.parametrize(("line", "lost"), [("row", True), ("column", False)])
def test_a_full_line_still_catches_who_falls_without_a_tile(line: str, lost: bool) -> None:
    """«все возможные клетки на игровом поле уже заняты… вы приземляетесь на уже выложенный фрагмент»"""
    column = ". X@r {} .\n. . X@b .\n. . X .\n. . X@g .\n. . X .\n. . X@y ."
    game = table(column.format("pit"), stack=0)
    play(game, "move c1")
    assert can(game) == {"fall row", "fall column"}
    play(game, f"fall {line}")
    assert (game.outcome() == LOST) == lost
    if not lost:
        turn_of(game, "r")
        assert choices(game, "land") == "c1 c3 c5"


@rule("NC-BOOK-04")
def test_the_last_tile_burnt_is_the_end_for_who_falls() -> None:
    """«Если вы падаете, а в запасе не осталось фрагментов…»"""
    game = table("X@r T:NEW\n. .\n. .\n. . . X@g", falling={"b": "row 6"}, stack={"tee": 1})
    play(game, "stay", "draw tee")
    assert game.outcome() == LOST, "it is not yet Blue's turn"


@rule("NC-BOOK-04")
def test_a_last_tile_in_hand_may_still_fill_the_line() -> None:
    """«все возможные клетки на игровом поле уже заняты… вы приземляетесь на уже выложенный фрагмент»"""
    row = "T:NES@g X X X@y X ."
    game = table(row, turn="r", falling={"r": "row 1", "b": "row 1"}, stack={"straight": 1})
    assert choices(game, "land") == "f1"
    play(game, "land f1", "draw straight", "put f1 0")
    assert game.outcome() is None


@rule("NC-BOOK-04")
def test_a_line_of_bare_lit_cells_catches_nobody() -> None:
    """«вы навсегда проваливаетесь во тьму и партия завершается поражением»: there is no cell to land on."""
    game = table("X@b . X@g . X@y .", falling={"r": "row 1"}, stack=0)
    assert game.outcome() == LOST


KEEPER_ABOVE_RED = """
.
.  .  KP:N
.  X  X@r  X
.  .  X
"""


@rule("NC-ADV-07")
@rule("NC-ADV-09")
@rule("NC-ADV-11")
@rule("NC-HIT-02")
def test_sc_33_a_keeper_hits_along_its_line_and_stays() -> None:
    game = table(KEEPER_ABOVE_RED)
    play(game, "move c4")
    assert phase(game) == "draw-burn"
    assert pay(game) == 1
    assert not is_lit(game, "r") and laid(game) == "c2 c4" and tile(game, "c2") == "keeper"


@rule("NC-MON-11")
@rule("NC-ADV-09")
def test_sc_34_leaving_the_keepers_line_hits_nobody() -> None:
    game = table(KEEPER_ABOVE_RED)
    events = play(game, "move d3")
    assert told(events, "attacked") and not told(events, "hit")
    assert laid(game) == "c2 c3 d3"
    assert set(fill(game).split()) == {"d2", "d4", "e3"}


@rule("NC-ADV-14")
@rule("NC-ADV-16")
@rule("NC-ADV-17")
@rule("NC-ADV-18")
@rule("NC-SCR-09")
def test_sc_35_a_keeper_entered_from_its_rear_gives_its_key() -> None:
    game = table(". . X@b\n. . KP:N\n. . X@r", turn="b")
    events = play(game, "move c2")
    assert not told(events, "attacked") and is_lit(game, "r") and game.nerve[1] == 1
    assert game.has_key(1) and tile(game, "c2") == "pit" and is_lit(game, "b")
    assert choices(game, "scramble") == "b2 c1 d2"
    play(game, "scramble c1")
    assert where(game, "b") == "c1"
    assert set(fill(game).split()) == {"b1", "d1", "c6"}


@rule("NC-NERVE-10")
@rule("NC-ADV-15")
@rule("NC-ADV-20")
@rule("NC-NERVE-12")
@pytest.mark.parametrize(("block", "burned"), [("", 4), ("r", 3), ("b", 4)])
def test_sc_36_charging_a_keeper(block: str, burned: int) -> None:
    game = table(".\n. . KP:N X@b\n. . X@r", nerve={"r": 2})
    play(game, "charge c2")
    assert game.nerve[0] == 1
    assert pay(game, block) == burned
    assert not is_lit(game, "r") and not is_lit(game, "b")
    assert game.has_key(0) and tile(game, "c2") == "pit" and laid(game) == "c2 d2"
    assert phase(game) == "scramble" and asked(game) == "r"


@rule("NC-CHAIN-08")
@rule("NC-ADV-12")
@rule("NC-MON-06")
def test_sc_37_an_attack_from_the_rear_passes_through_a_keeper() -> None:
    game = table(". . X\n. . KP:N\n. . X@b\n.\n.\n. . WE X@r X")
    events = play(game, "move e6")
    assert [e["tile"] for e in told(events, "attacked")] == ["wax"]
    assert pay(game) == 6
    assert tile(game, "c2") == "keeper"


@rule("NC-CHAIN-01")
@rule("NC-CHAIN-09")
@rule("NC-ADV-13")
def test_sc_38_a_keeper_joins_a_chain_through_its_mouth() -> None:
    game = table(
        """
        .
        .  .  KP:N X@b
        .  .  X
        .  .  X    X
        .  .  WE   X@r
        """
    )
    play(game, "move d4")
    assert pay(game) == 1
    assert not is_lit(game, "b") and tile(game, "c5") == "" and tile(game, "c2") == "keeper"
    assert tile(game, "c3") == "" and tile(game, "c4") == "cross"


def lay_before_the_draw():
    """SC-39: Blue on c4 came from c5 and has two bare lit cells; the far tiles are there all the same."""
    game = table(
        ".\n. . . . . T:NSW@g\n.\n. . T:ESW\n. . X@b",
        turn="b",
        advanced=True,
    )
    play(game, "move c4")
    game.lay(cell(game, "b2"), code("WE"))
    game.lay(cell(game, "e5"), code("G"))
    return game


@rule("NC-ADV-21")
@rule("NC-ADV-22")
@rule("NC-ADV-25")
@rule("NC-ADV-26")
@rule("NC-ADV-28")
@rule("NC-GATE-05")
def test_sc_39_a_pit_fiend_digs_along_its_diagonals() -> None:
    game = lay_before_the_draw()
    gates, before = game.gates, game.stack
    events = play(game, "draw fiend", "put d4 0")
    dug = told(events, "fiend")[0]["cells"]
    assert names(game, dug) == "b2 c5 e5 f2"
    assert asked(game) == "g" and can(game) == {"fall row", "fall column"}
    play(game, "fall row")
    assert game.lines[2] == 1 and is_lit(game, "g") and game.stack == before - 1
    assert game.gates == gates - 1 and tile(game, "d4") == "pit"
    assert fill(game) == "b4"


@rule("NC-ADV-29")
def test_sc_40_a_pit_fiend_elsewhere_digs_elsewhere() -> None:
    game = lay_before_the_draw()
    events = play(game, "draw fiend", "put b4 0")
    assert names(game, told(events, "fiend")[0]["cells"]) == "c5"
    assert where(game, "g") == "f2" and phase(game) == "draw-fill"


@rule("NC-ADV-22")
@rule("NC-LIGHT-13")
@pytest.mark.parametrize(("first", "left"), [((), {"c2", "c4"}), (("draw tee", "put c2 0"), {"c4"})])
def test_sc_41_the_order_of_placing_steers_a_pit_fiend(first, left) -> None:
    game = table(".\n.\n. X@b X", turn="b", advanced=True)
    play(game, "move c3", *first, "draw fiend", "put d3 0")
    if first:
        assert tile(game, "c2") == "pit"
    assert set(fill(game).split()) == left


PATHLESS = """
.
.  X  .  .  X
.  X@r PL . X@g
.  .  pit
.  .  X@y X
"""


@rule("NC-BOSS-04")
@rule("NC-BOSS-05")
@rule("NC-BOSS-06")
@rule("NC-BOSS-07")
@rule("NC-HIT-03")
def test_sc_42_a_pathless_strikes_its_whole_row_and_column() -> None:
    game = table(PATHLESS, nerve={"g": 2, "y": 2})
    play(game, "move b2")
    assert phase(game) == "draw-burn"
    assert pay(game, block="gy") == 10
    assert is_lit(game, "r") and not is_lit(game, "g") and not is_lit(game, "y")
    assert tile(game, "c3") == ""


@rule("NC-BOSS-04")
@pytest.mark.parametrize(("turn", "to"), [("g", "e2"), ("y", "d5")])
def test_sc_42_a_pathless_sees_neither_past_nothing_nor_past_a_pit(turn: str, to: str) -> None:
    game = table(PATHLESS, turn=turn)
    assert not told(play(game, f"move {to}"), "attacked")


def second_omen():
    """Red on c4 has just placed the second Omen on c3."""
    game = table(".\n. X@b . . . X@g\n.\n. X@r T:NEW", dirge=True)
    game.omens = 1
    play(game, "move c4", "draw omen", "put c3 0")
    return game


@rule("NC-BOSS-16")
@rule("NC-BOSS-18")
@rule("NC-BOSS-20")
@rule("NC-BOSS-21")
def test_sc_43_the_dirge_where_it_hits_nobody() -> None:
    game = second_omen()
    assert choices(game, "cover") == "a1 a2 a3 b1 b2 b3 c1 c2 c3"
    events = play(game, "cover c1 0")
    assert not told(events, "hit") and all(is_lit(game, pawn) for pawn in "rbg")
    pit = names(game, [c for c, word in enumerate(seen(game)["tiles"]) if word == "dirge"])
    assert pit == "c1 c2 c3 d1 d2 d3 e1 e2 e3"
    assert game.discard[11] == 1
    lit = [set(prisoner["lights"]) for prisoner in seen(game)["prisoners"]]
    assert cell(game, "c3") in lit[0] and cell(game, "c2") in lit[1] and cell(game, "e2") in lit[2]
    for pawn in range(2):
        game.candles &= ~(1 << pawn)
        sweep(game, [])
        assert tile(game, "d1") == "dirge"
    game.candles = 0
    sweep(game, [])
    assert tile(game, "d1") == "" and tile(game, "c3") == ""


@rule("NC-BOSS-18")
@rule("NC-HIT-04")
@pytest.mark.parametrize(("block", "burned"), [("", 3), ("b", 2)])
def test_sc_43_the_dirge_over_blue(block: str, burned: int) -> None:
    game = second_omen()
    play(game, "cover a1 0")
    assert asked(game) == "b"
    assert pay(game, block) == burned
    assert not is_lit(game, "b") and where(game, "b") == "" and can(game) == {"fall row", "fall column"}


LANDING_IN_SIGHT = ".\n. X@b\nWE X"


@rule("NC-FALL-12")
def test_sc_44_landing_in_sight_is_hit_before_lighting() -> None:
    game = table(LANDING_IN_SIGHT, falling={"r": "row 3"})
    play(game, "land c3", "draw cross", "put c3 0")
    assert pay(game) == 3 and not is_lit(game, "r")
    assert tile(game, "a3") == "" and laid(game) == "b2 b3 c3"


@rule("NC-FALL-12")
def test_sc_44_landing_behind_a_wall_is_safe() -> None:
    game = table(LANDING_IN_SIGHT, falling={"r": "row 3"})
    events = play(game, "land c3", "draw tee", "put c3 0")
    assert not told(events, "attacked") and is_lit(game, "r")
    assert set(fill(game).split()) == {"c2", "d3", "c4"}


def full_column():
    return table(". . G\n. . X@b\n. . pit\n. . X\n. . WE\n. . X", falling={"r": "column c"})


@rule("NC-FALL-13")
def test_sc_45_a_full_line_offers_its_tiles() -> None:
    game = full_column()
    assert choices(game, "land") == "c1 c3 c4 c5 c6"
    assert refusal(game, "land c2") == ("occupied", "c2", "NC-FALL-13")
    before = game.stack
    pit, wax = game.copy(), game.copy()
    play(game, "land c4")
    assert where(game, "r") == "c4" and game.stack >= before - 4
    play(pit, "land c3")
    assert phase(pit) == "fall" and pit.stack == before
    play(wax, "land c5")
    pay(wax)
    assert phase(wax) == "scramble" and not is_lit(wax, "r")


@rule("NC-END-02")
@rule("NC-TURN-07")
@rule("NC-HIT-07")
def test_sc_46_burning_the_last_gate_loses_at_once() -> None:
    game = table(WAX_BESIDE_RED)
    game.gates = 1
    play(game, "move d3", "suffer", "draw gate")
    assert game.outcome().code == "no-gates" and game.outcome().rule == "NC-END-02"


@rule("NC-END-03")
@rule("NC-END-04")
@pytest.mark.parametrize(
    ("players", "advanced", "word", "ending"),
    [
        (4, False, "K", "NC-END-03"),
        (5, False, "K", "NC-END-03"),
        (4, True, "KP:N", "NC-END-04"),
        (5, True, "KP:N", "NC-END-04"),
    ],
)
def test_sc_47_the_third_lost_key_loses(players: int, advanced: bool, word: str, ending: str) -> None:
    game = new_game(players=players, advanced=advanced)
    for lost in range(3):
        assert game.outcome() is None, lost
        game.lay(0, code(word))
        game.clear(0)
    assert game.outcome().code == "no-keys" and game.outcome().rule == ending


HIT_BESIDE_A_LIGHT = """
.       .   X
.       X   X@g  X
WE  T:ESW@r X@b  X
.       X   X
"""


@rule("NC-CANDLE-08")
@rule("NC-CANDLE-10")
def test_sc_48_by_the_switch_who_is_hit_beside_a_light_is_lit_again_at_once() -> None:
    game = table(HIT_BESIDE_A_LIGHT, relight_state_based=True)
    play(game, "move b4")
    assert pay(game) == 3
    assert "d3" not in laid(game).split() and "c4" in laid(game).split()
    assert fill(game).split()[:2] in (["b5", "a4"], ["a4", "b5"])
    assert is_lit(game, "b") and tile(game, "d3") == "cross"


@rule("NC-BOOK-01", "NC-CANDLE-05")
def test_sc_48_a_candle_waits_for_a_turn_of_one_of_the_two() -> None:
    """«Это может случиться во время хода любого из этих узников.»"""
    game = table(HIT_BESIDE_A_LIGHT)
    play(game, "move b4")
    pay(game)
    fill(game)
    assert not is_lit(game, "b"), "it is the turn of a third prisoner"
    end(game)
    play(game, "rest")
    fill(game)
    assert is_lit(game, "b"), "its own turn"


@rule("NC-BOOK-01")
@pytest.mark.parametrize(("turn", "relit"), [("r", False), ("b", True), ("g", True)])
def test_a_candle_is_lit_in_the_turn_of_either_of_the_two(turn: str, relit: bool) -> None:
    """«Это может случиться во время хода любого из этих узников.»"""
    game = table("X@r X\n.\nX@b X@g", dark="b", turn=turn)
    light_step(game)
    fill(game)
    assert is_lit(game, "b") == relit


@rule("NC-CANDLE-09")
def test_sc_49_by_the_switch_light_spreads_from_one_to_the_next() -> None:
    game = table(".\n.\nX@r X X@b X@g", dark="bg", relight_state_based=True)
    play(game, "move b3")
    placed = fill(game).split()
    assert is_lit(game, "b") and is_lit(game, "g") and asked(game) == "r"
    assert set(placed) == {"b2", "b4", "c2", "c4", "d2", "d4", "e3"}


@rule("NC-NERVE-06")
@rule("NC-MOVE-12")
def test_sc_50_moving_again_comes_after_lighting() -> None:
    game = table(".\n.\n. . X@r X")
    play(game, "move d3")
    assert phase(game) == "draw-fill"
    assert set(fill(game).split()) == {"d2", "d4", "e3"}
    play(game, "again e3")
    assert game.nerve[0] == 0 and laid(game) == "d3 e3"


@rule("NC-NERVE-10")
@rule("NC-SCR-08")
def test_sc_51_charging_a_wax_eater() -> None:
    game = table(
        """
        .
        .  .  X
        .  X  X@r WE
        .  .  X   X
        .  .  .   X@b
        """
    )
    play(game, "charge d3")
    assert game.nerve[0] == 0
    assert pay(game) == 6
    assert laid(game) == "d5" and not is_lit(game, "r") and not is_lit(game, "b")
    assert choices(game, "scramble") == "c3 d2 d4 e3"


@rule("NC-STAY-18")
def test_sc_52_stuck_in_the_dark_without_nerve_one_waits() -> None:
    game = table(".\n. . X@b\n. T:NSW T:NEW@r WE X@g", dark="rb", nerve={"r": 0})
    assert refusal(game, "stay")[0] == "candle-out"
    before = game.stack
    assert can(game) == {"idle"}
    play(game, "idle")
    assert game.nerve[0] == 0 and game.stack == before


@rule("NC-STAY-16")
def test_sc_53_staying_in_the_dark_costs_nerve() -> None:
    game = table(".\n.\n. . X@r", dark="r")
    before = game.stack
    play(game, "rest")
    assert game.nerve[0] == 0 and game.stack == before and not is_lit(game, "r")


@rule("NC-BOSS-13")
def test_sc_54_a_burned_second_omen_comes_onto_the_board() -> None:
    game = table(".\n.\n. WE X@r X@b X\n. . X . X@g", dirge=True)
    game.omens = 1
    before = game.stack
    play(game, "move c4", "suffer", "draw tee", "draw omen", "draw key")
    assert before - game.stack == 3 and game.discard[2] == 1 and game.discard[5] == 1
    assert game.discard[11] == 0
    assert phase(game) == "omen" and asked(game) == "b"
    assert refusal(game, "replace c4") == ("not-adjacent", "d3 c4", "NC-BOSS-13")
    play(game, "replace e3")
    assert phase(game) == "dirge" and asked(game) == "b"
    assert refusal(game, "cover a1 0") == ("omen-bare", "a1 e3", "NC-BOSS-16")
    assert choices(game, "cover") == "c1 c2 c3 d1 d2 d3"


@rule("NC-BOSS-11")
def test_sc_55_the_first_omen_is_laid_aside_and_replaced() -> None:
    game = table(".\n.\n. . X@r T:NEW\n", dirge=True)
    play(game, "move d3", "draw omen")
    assert phase(game) == "draw-fill" and seen(game)["omens"] == 1
    play(game, "draw tee")
    assert phase(game) == "put"


@rule("NC-MON-06")
@rule("NC-CHAIN-06")
@pytest.mark.parametrize(("blocks", "burned"), [(False, 6), (True, 3)])
def test_sc_56_monsters_in_one_line(blocks: bool, burned: int) -> None:
    game = table(".\nX\nX@r WE WE X@b", monster_blocks_ray=blocks)
    play(game, "move a2")
    assert pay(game) == burned


@rule("NC-FALL-18")
@rule("NC-ADV-26")
def test_sc_57_landing_on_a_pit_fiend() -> None:
    game = table(".\n. X@b\n.\n. . . G", falling={"r": "row 3"}, advanced=True)
    before, gates = game.stack, game.gates
    play(game, "land c3", "draw fiend", "put c3 0")
    assert asked(game) == "r" and can(game) == {"fall row", "fall column"}
    play(game, "fall row")
    assert asked(game) == "b"
    play(game, "fall column")
    assert game.lines[:2] == [2, 6 + 1] and game.stack == before - 1 and game.gates == gates - 1
    assert is_lit(game, "r") and is_lit(game, "b") and seen(game)["turn"] == "blue"


@rule("NC-BOARD-01")
@rule("NC-BOARD-02")
def test_sc_58_the_larger_board_joins_its_edges_too() -> None:
    game = table(".\n.\n.\nX . . . . . X@r", size=7)
    play(game, "move a4")
    assert where(game, "r") == "a4"
    assert names(game, seen(game)["prisoners"][0]["lights"]) == "a3 a4 a5 b4 g4"


@rule("NC-KEY-02")
@rule("NC-HIT-12")
@rule("NC-MON-10")
def test_sc_59_a_key_taken_in_sight_is_kept() -> None:
    game = table(".\n. . X@r\nWE X K")
    play(game, "move c3")
    assert pay(game) == 3
    assert game.has_key(0) and not is_lit(game, "r") and laid(game) == "c3"


@rule("NC-TURN-08")
@rule("NC-TURN-09")
def test_sc_60_the_marker_of_the_fourth_prisoner_is_passed_on() -> None:
    game = table(". X@r\n.\n. . . X@b\n. . . . X@g\n.\n. X X@y WE", turn="y", players=3, nerve={"y": 2})
    assert game.seats == (0, 1, 2, 0)
    play(game, "move b6")
    pay(game)
    fill(game)
    end(game)
    assert game.seats == (0, 1, 2, 1)
    game.todo.append(("block", 3, 7))
    game.settle([])
    assert game.needs()[0].seat == 1


@rule("NC-TURN-08")
def test_all_hear_who_gets_the_marker_of_the_fourth_prisoner() -> None:
    game = table("X@r\n.\n. X@b\n.\n. . X@g . X@y", turn="y", players=3, dark="y", nerve={"y": 1})
    assert told(play(game, "rest"), "marker") == [{"seat": 1}]
