"""Light, candles and sight of The Night Cage."""

from __future__ import annotations

import pytest
from night_cage_boards import (
    Quiet6,
    asked,
    cell,
    code,
    fill,
    is_lit,
    laid,
    light_step,
    names,
    pay,
    phase,
    play,
    seen,
    table,
    told,
    turn_of,
    where,
)

from companion.engine.grid import cells_of
from companion.games.night_cage.agenda import NightCage6
from companion.games.night_cage.torus import BOARDS

rule = pytest.mark.rule


# Light -----------------------------------------------------------------------------------------


@rule("NC-LIGHT-06")
def test_a_cell_is_lit_while_anybody_lights_it() -> None:
    game = table("X@r X X@b\n. .")
    assert cell(game, "b1") in cells_of(game.lit_mask())
    game.candles &= ~1
    assert cell(game, "b1") in cells_of(game.lit_mask())
    game.candles = 0
    assert not game.lit_mask()


@rule("NC-LIGHT-07")
def test_the_tile_under_a_dark_prisoner_stays() -> None:
    game = table("X@r X", dark="r", nerve={"r": 1})
    play(game, "rest")
    assert laid(game) == "a1" and not game.lit_mask()


@rule("NC-LIGHT-08")
@rule("NC-FALL-05")
def test_a_falling_prisoner_lights_nothing_but_keeps_its_things() -> None:
    game = table("I:EW@r X\n.\n. . . X@b", keys="r", nerve={"r": 1})
    play(game, "stay", "draw tee", "fall row")
    red = seen(game)["prisoners"][0]
    assert red["lights"] == [] and red["candle"] and red["key"] and red["nerve"] == 2
    assert laid(game) == "d3"


@rule("NC-FALL-05")
def test_a_falling_prisoner_is_neither_hit_nor_relit_nor_given_keys() -> None:
    game = table("X@r X\n.\nWE X@g", falling={"b": "row 3"}, dark="b", keys="r", turn="r")
    assert not any("give" in line for line in map(game.notation.text, game.actions(0)))
    play(game, "move b1")
    fill(game)
    assert not is_lit(game, "b") and where(game, "b") == ""


@rule("NC-LIGHT-10")
@rule("NC-TURN-04")
def test_the_dark_sweeps_after_an_attack_before_any_draw() -> None:
    game = table("WE T:ESW@r X@b X\n. X")
    play(game, "move b2")
    assert pay(game) == 3
    assert phase(game) == "draw-fill" and laid(game) == "b1 b2 c1"


@rule("NC-LIGHT-10")
def test_the_dark_sweeps_once_more_after_drawing() -> None:
    game = table("X@r X\n. .")
    play(game, "move b1")
    fill(game, "fiend")
    assert not game.laid & ~(game.lit_mask() | game.occupied_mask())


@rule("NC-LIGHT-15")
@rule("NC-FLICKER-14")
def test_an_empty_stack_ends_the_drawing() -> None:
    game = table("X@r X", stack={"tee": 2}, nerve={"r": 0})
    play(game, "move b1")
    assert len(fill(game, "tee").split()) == 2
    assert laid(game).count(" ") == 3 and seen(game)["turn"] == "red"


@rule("NC-LIGHT-17")
@rule("NC-MON-01")
@rule("NC-BOSS-03")
@pytest.mark.parametrize("monster", ["wax", "keeper", "pathless"])
def test_a_lit_monster_does_not_attack_at_once(monster: str) -> None:
    game = table("X@r T:NEW")
    play(game, "move b1", f"draw {monster}")
    action = game.actions(0)[0]
    events = game.apply(0, action)
    assert not told(events, "attacked") and is_lit(game, "r")


@rule("NC-LIGHT-18")
def test_the_active_player_fills_what_others_light_after_their_own_cells() -> None:
    game = table("X@r T:NEW\n.\n.\n. X@b", fill_others=True)
    play(game, "move b1")
    assert asked(game) == "r" and seen(game)["turn"] == "red"
    placed = fill(game).split()
    assert set(placed[:2]) == {"b6", "c1"} and set(placed[2:]) == {"a4", "b3", "b5", "c4"}


# Candles ---------------------------------------------------------------------------------------


@rule("NC-CANDLE-01")
def test_the_candle_is_out_as_soon_as_one_is_hit() -> None:
    game = table("WE X@r X")
    play(game, "move c1")
    assert phase(game) == "block" and not is_lit(game, "r")


@rule("NC-CANDLE-03")
@rule("NC-CANDLE-04")
@rule("NC-NERVE-08")
def test_in_the_dark_one_moves_or_pays() -> None:
    game = table("X@r X", dark="r")
    lines = {game.notation.text(a) for a in game.actions(0)}
    assert "stay" not in lines and "rest" in lines and "move b1" in lines
    game = table("X@r X", dark="r", nerve={"r": 0})
    assert not {"stay", "rest", "idle"} & {game.notation.text(a) for a in game.actions(0)}


@rule("NC-CANDLE-06")
@rule("NC-STAY-20")
def test_staying_relights_too() -> None:
    game = table("X@r X@b\n.", dark="b")
    play(game, "stay", "draw tee")
    fill(game)
    assert is_lit(game, "b")


@rule("NC-CANDLE-06")
@rule("NC-FALL-20")
@rule("NC-CANDLE-13")
def test_a_dark_prisoner_who_lands_on_a_joined_tile_has_light_again() -> None:
    game = table(". X@b X\n. X X\n. X X\n. X X\n. X X\n. X X", falling={"r": "column c"}, dark="r")
    play(game, "land c2")
    assert not is_lit(game, "r")
    game = table(". X@b X\n. X X\n. X X\n. X X\n. X X\n. X X", falling={"r": "column c"}, dark="r")
    play(game, "land c1")
    assert is_lit(game, "r") and phase(game) == "draw-fill"
    fill(game)
    assert phase(game) == "act"


@rule("NC-CANDLE-11")
@rule("NC-KEY-11")
@rule("NC-GATE-02")
def test_who_shares_a_gate_shares_light_and_keys() -> None:
    game = table("X G@rb", dark="b", keys="r")
    assert "give blue" in {game.notation.text(a) for a in game.actions(0)}
    play(game, "stay", "draw tee")
    fill(game)
    assert is_lit(game, "b")


@rule("NC-CANDLE-12")
def test_with_an_empty_stack_candles_relight_without_draws() -> None:
    game = table("X@r X X@b G", dark="b", stack=0)
    play(game, "move b1")
    assert is_lit(game, "b") and phase(game) != "draw-fill"


@rule("NC-CANDLE-13")
@rule("NC-CANDLE-14")
@pytest.mark.parametrize("monster", ["keeper", "wax"])
def test_a_monster_drawn_for_a_relit_prisoner_faces_it_and_waits(monster: str) -> None:
    game = table("X@r X T:ESW@b", dark="b")
    play(game, "move b1")
    play(game, "draw tee", "put b6 0", "draw tee", "put b2 0")
    assert is_lit(game, "b")
    events = play(game, f"draw {monster}")
    lines = {game.notation.text(a) for a in game.actions(0)}
    if monster == "keeper":
        assert lines == {"put d1 90", "put c2 180"}
    events += play(game, sorted(lines)[0])
    assert not told(events, "attacked") and is_lit(game, "b")


@rule("NC-CANDLE-13")
def test_nothing_but_a_lit_neighbour_relights() -> None:
    game = table("X@r X\n.\n. G@b", dark="r", keys="r", nerve={"r": 1})
    play(game, "move b1")
    assert not is_lit(game, "r")
    turn_of(game, "r")
    play(game, "rest")
    assert not is_lit(game, "r")


# Sight -----------------------------------------------------------------------------------------


@rule("NC-MON-04")
def test_who_looks_where() -> None:
    game = table("X X X\nX WE X\nX X X\n. . . X@r")
    for word, cells in (
        ("WE", "a2 b1 b3 c2"),
        ("PL", "a2 b1 b3 c2"),
        ("KP:N", "a2 b3 c2"),
        ("KP:E", "a2 b1 b3"),
    ):
        game.lay(cell(game, "b2"), code(word))
        masks = game.looks(cell(game, "b2"))
        assert names(game, cells_of(masks[0] | masks[1] | masks[2] | masks[3])) == cells


@rule("NC-MON-08")
@rule("NC-ADV-08")
def test_sight_needs_no_light() -> None:
    game = table(". . KP:N\n. . X@r X", dark="r", nerve={"r": 0})
    events = play(game, "move d2")
    assert told(events, "attacked"), "an unlit Keeper sees a dark prisoner"
    game = table(". . KP:S\n. . X@r X", dark="r", nerve={"r": 0})
    assert not told(play(game, "move d2"), "attacked"), "behind a Keeper nothing wakes it"


def test_the_quiet_board_of_the_tests_plays_the_real_rules() -> None:
    game = table("X@r X")
    assert isinstance(game, Quiet6) and isinstance(game, NightCage6)
    light_step(game)
    assert phase(game) == "draw-fill"
    assert BOARDS[6].size == 6
