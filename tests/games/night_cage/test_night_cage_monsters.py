"""Monsters of The Night Cage: triggers, chains, hits, scrambles, Keepers, Pit Fiends, bosses."""

from __future__ import annotations

import pytest
from night_cage_boards import (
    asked,
    can,
    cell,
    choices,
    code,
    fill,
    is_lit,
    laid,
    names,
    pay,
    phase,
    play,
    refusal,
    seen,
    table,
    tile,
    told,
    where,
)

from companion.games.night_cage.dirge import settle_dirge
from companion.games.night_cage.pieces import OMEN, WAX
from companion.games.night_cage.torus import BOARDS

rule = pytest.mark.rule


def attackers(events) -> str:
    return " ".join(str(event["tile"]) for event in told(events, "attacked"))


# Triggers --------------------------------------------------------------------------------------


@rule("NC-MON-02")
@rule("NC-MON-14")
def test_what_does_not_wake_a_monster() -> None:
    game = table("WE X@r X@b", keys="r", dark="b")
    events = play(game, "give blue", "stay", "draw tee")
    while phase(game) in ("draw-fill", "put"):
        events += play(game, "draw cross") if phase(game) == "draw-fill" else play(game, sorted(can(game))[0])
    assert is_lit(game, "b") and not attackers(events)


@rule("NC-MON-02")
@rule("NC-MON-10")
@pytest.mark.parametrize(
    ("board", "to", "hit"),
    [
        ("WE X@r X", "c1", True),
        ("WE X X@r\n. X", "b1", True),
        ("WE X@r\n. X", "b2", False),
        ("WE . X@r X", "d1", False),
    ],
    ids=["along", "towards", "out", "unseen"],
)
def test_who_moves_in_sight_wakes(board: str, to: str, hit: bool) -> None:
    game = table(board)
    events = play(game, f"move {to}")
    assert bool(told(events, "hit")) is hit
    assert (attackers(events) == "wax") is (to != "d1")


@rule("NC-MON-10")
def test_stepping_into_a_line_of_sight_is_hit() -> None:
    game = table("WE X X\n. . X@r")
    play(game, "move c1")
    assert pay(game) == 3 and not is_lit(game, "r")


@rule("NC-MON-15")
def test_every_move_of_a_turn_is_a_trigger_of_its_own() -> None:
    game = table("X@r X", nerve={"r": 1})
    assert not attackers(play(game, "move b1"))
    play(game, "draw wax", "put c1 0", "draw tee", "put b2 270", "draw tee", "put b6 0")
    assert attackers(play(game, "again b2")) == "wax"


@rule("NC-MON-17")
@rule("NC-CHAIN-03")
def test_all_attacks_use_one_picture_of_the_board() -> None:
    game = table("WE X@r WE X@b\n. X", nerve={"b": 0})
    events = play(game, "move b2")
    assert attackers(events) == "wax wax"
    assert tile(game, "a1") == "wax" and tile(game, "c1") == "wax", "they leave when all is paid"
    assert pay(game) == 6
    assert tile(game, "a1") == "" and tile(game, "c1") == ""


@rule("NC-MON-19")
def test_a_monster_that_falls_dark_goes_quietly() -> None:
    game = table("X@r T:NEW\nT:NEW WE\n")
    events = play(game, "move b1")
    assert tile(game, "b2") == "" and game.discard[WAX] == 1
    assert is_lit(game, "r") and not attackers(events)


@rule("NC-MON-18")
@rule("NC-BOSS-09")
@pytest.mark.parametrize("monster", ["WE", "PL"])
def test_an_attacker_leaves_before_the_dark_sweeps(monster: str) -> None:
    game = table(f"{monster} X@r\n. X")
    events = play(game, "move b2")
    assert told(events, "vanished") == [{"cells": [0]}] and tile(game, "a1") == ""


# Chains ----------------------------------------------------------------------------------------


@rule("NC-CHAIN-02")
def test_each_monster_attacks_once() -> None:
    game = table("WE X@r WE\nX X X\nWE . WE")
    assert attackers(play(game, "move b2")) == "wax wax wax wax"


@rule("NC-CHAIN-04")
def test_only_the_mover_may_escape() -> None:
    game = table("WE X@r X X@b\n. X", nerve={"r": 0, "b": 0})
    events = play(game, "move b2")
    assert [event["prisoner"] for event in told(events, "hit")] == ["blue"]


@rule("NC-CHAIN-05")
def test_the_mover_is_hit_by_a_chained_monster_that_sees_its_new_cell() -> None:
    game = table("WE X@r\nWE X", nerve={"r": 0})
    events = play(game, "move b2")
    assert attackers(events) == "wax wax"
    assert [event["prisoner"] for event in told(events, "hit")] == ["red"]


# Hits ------------------------------------------------------------------------------------------


@rule("NC-HIT-01")
@rule("NC-HIT-08")
@pytest.mark.parametrize("dark", ["", "r"])
def test_a_wax_eater_burns_three_and_takes_the_light(dark: str) -> None:
    game = table("WE X@r X", dark=dark, nerve={"r": 0})
    play(game, "move c1")
    assert pay(game) == 3 and not is_lit(game, "r")


@rule("NC-HIT-06")
def test_a_short_stack_burns_what_is_left() -> None:
    game = table("WE X@r X\n.\n. G@b", stack={"tee": 2}, nerve={"r": 0})
    play(game, "move c1")
    assert pay(game) == 2 and not is_lit(game, "r")


@rule("NC-HIT-07")
@rule("NC-ADV-30")
@pytest.mark.parametrize("burned", ["wax", "keeper", "fiend", "pathless", "key"])
def test_what_burns_has_no_effect(burned: str) -> None:
    game = table("WE X@r X", nerve={"r": 0})
    play(game, "move c1", f"draw {burned}")
    assert phase(game) == "draw-burn" and sum(game.discard) == 1


@rule("NC-HIT-09")
@pytest.mark.parametrize(
    ("board", "turn", "settled"),
    [("WE X@b X@g X@r X", "r", "rbg"), ("WE X@b X@r X@g X", "g", "grb"), ("WE X@r X@g X@b X", "b", "bgr")],
)
def test_hits_are_settled_in_turn_order_from_the_active_prisoner(board: str, turn: str, settled: str) -> None:
    game = table(board, turn=turn)
    play(game, "move e1")
    order = []
    while phase(game) == "block":
        order.append(asked(game))
        play(game, "block", "draw tee", "draw tee")
    assert order == list(settled)


@rule("NC-HIT-09")
def test_the_hits_of_one_prisoner_come_in_the_order_of_waking() -> None:
    game = table("X X@r X\nX PL X@b WE", nerve={"b": 0})
    events = play(game, "move c1")
    while phase(game) == "draw-burn":
        events += play(game, "draw tee")
    assert attackers(events) == "pathless wax"
    assert [event["tile"] for event in told(events, "hit")] == ["pathless", "wax"]


@rule("NC-HIT-13")
def test_a_hit_does_not_end_the_turn() -> None:
    game = table("WE X@r X", nerve={"r": 1})
    play(game, "move c1")
    pay(game)
    assert phase(game) == "again" and "again d1" in can(game)


# Scrambles -------------------------------------------------------------------------------------


@rule("NC-SCR-01")
@rule("NC-NERVE-10")
def test_a_scramble_is_free_and_not_the_move() -> None:
    game = table("X@r WE", nerve={"r": 2})
    play(game, "charge b1")
    pay(game)
    play(game, "scramble c1", "draw tee", "put c1 90")
    assert game.nerve[0] == 1 and where(game, "r") == "c1" and phase(game) == "again"


@rule("NC-SCR-02")
@rule("NC-SCR-03")
@rule("NC-SCR-04")
def test_where_one_may_scramble() -> None:
    game = table("X@b\nX@g WE X@r", nerve={"r": 1, "g": 0, "b": 0})
    play(game, "charge b2")
    pay(game)
    for name, word in (("b1", "T:NEW"), ("b3", "pit"), ("c2", "WE")):
        game.lay(cell(game, name), code(word))
    assert choices(game, "scramble") == "b3"
    assert refusal(game, "scramble b1") == ("wall", "b2 b1", "NC-SCR-02")
    assert refusal(game, "scramble a2") == ("occupied", "b2 a2", "NC-SCR-03")
    assert refusal(game, "scramble c2") == ("monster", "b2 c2", "NC-SCR-03")
    assert refusal(game, "scramble e5") == ("not-adjacent", "b2 e5", "NC-SCR-01")
    game.lay(cell(game, "c2"), code("KP:W"))
    assert choices(game, "scramble") == "b3 c2", "a Keeper from its rear"
    play(game, "scramble b3")
    assert phase(game) == "fall" and asked(game) == "r"


@rule("NC-SCR-05")
@rule("NC-SCR-04")
def test_a_monster_drawn_while_scrambling_attacks_again() -> None:
    game = table("X@r WE", nerve={"r": 1})
    play(game, "charge b1")
    pay(game)
    play(game, "scramble c1", "draw wax")
    assert refusal(game, "put c2 0") == ("cell-chosen", "c2 c1", "NC-SCR-04")
    play(game, "put c1 0")
    assert pay(game) == 3 and phase(game) == "scramble" and where(game, "r") == "c1"


@rule("NC-SCR-07")
@pytest.mark.parametrize("switch", [True, False])
def test_scrambling_into_sight_wakes(switch: bool) -> None:
    game = table("X@r WE . \n. . .\n. . . . X@b", nerve={"r": 1}, scramble_triggers=switch)
    play(game, "charge b1")
    pay(game)
    game.lay(cell(game, "c1"), code("X"))
    game.lay(cell(game, "d1"), code("WE"))
    assert bool(attackers(play(game, "scramble c1"))) is switch


@rule("NC-FALL-11")
@pytest.mark.parametrize("switch", [True, False])
def test_the_turn_after_landing_on_a_monster(switch: bool) -> None:
    game = table("X@b", falling={"r": "row 3"}, turn_continues_after_landing_on_monster=switch)
    play(game, "land c3", "draw wax", "put c3 0")
    pay(game)
    play(game, "scramble c4", "draw tee", "put c4 0")
    assert seen(game)["turn"] == ("red" if switch else "blue")


@rule("NC-FALL-12")
def test_by_the_switch_landing_in_sight_wakes_nobody() -> None:
    game = table(".\n. X@b\nWE X", falling={"r": "row 3"}, landing_in_los_triggers=False)
    assert not attackers(play(game, "land c3", "draw cross", "put c3 0"))


# Keepers ---------------------------------------------------------------------------------------


@rule("NC-ADV-01")
def test_base_rules_hold_in_the_advanced_game() -> None:
    game = table("WE X@r X", advanced=True, nerve={"r": 0})
    play(game, "move c1")
    assert pay(game) == 3


@rule("NC-ADV-06")
def test_a_keeper_is_placed_with_its_mouth_to_the_prisoner() -> None:
    game = table("X@r X", advanced=True)
    play(game, "move b1", "draw keeper")
    assert can(game) == {"put c1 90", "put b2 180", "put b6 0"}
    assert refusal(game, "put c1 0") == ("mouth-away", "c1 b1", "NC-ADV-06")
    play(game, "put c1 90")
    assert game.tiles[cell(game, "c1")] == code("KP:E")


@rule("NC-ADV-06")
def test_who_lands_on_a_keeper_turns_it_freely() -> None:
    game = table("X@b", falling={"r": "row 3"}, advanced=True)
    play(game, "land c3", "draw keeper")
    assert len(can(game)) == 4
    play(game, "put c3 90")
    assert pay(game) == 3 and game.has_key(0) and phase(game) == "scramble"


@rule("NC-ADV-10")
@rule("NC-LIGHT-12")
def test_an_unlit_keeper_keeps_its_cell() -> None:
    game = table("X@r X KP:W\n.\n. . . . X@b", advanced=True)
    assert tile(game, "c1") == "keeper"
    play(game, "move b1")
    assert "c1" not in fill(game).split()
    game = table("KP:W . X@b", falling={"r": "row 1"}, advanced=True)
    assert "a1" not in choices(game, "land").split()


@rule("NC-ADV-08")
def test_behind_a_keeper_one_moves_unseen() -> None:
    game = table("X KP:W X\nX@r", advanced=True)
    assert not attackers(play(game, "move a1"))


@rule("NC-ADV-15")
def test_a_blind_step_onto_a_keeper_is_attacked() -> None:
    game = table("X@r", dark="r", nerve={"r": 0}, advanced=True)
    play(game, "move b1", "draw keeper")
    assert can(game) == {"put b1 90"}
    play(game, "put b1 90")
    assert pay(game) == 3 and game.has_key(0) and tile(game, "b1") == "pit"


@rule("NC-ADV-17")
def test_a_keeper_opens_even_for_one_who_has_a_key() -> None:
    game = table("X@r KP:W X", keys="r", advanced=True)
    before = game.sources
    play(game, "move b1")
    assert tile(game, "b1") == "pit" and game.sources == before - 1 and phase(game) == "scramble"


@rule("NC-ADV-19")
@pytest.mark.parametrize("answer", ["give blue", "keep"])
def test_a_key_may_be_passed_on_before_the_keeper_opens(answer: str) -> None:
    game = table("X@r KP:W X@b\n. . .", keys="r", advanced=True)
    play(game, "move b1")
    assert can(game) == {"give blue", "keep"} and tile(game, "b1") == "keeper"
    assert refusal(game, "give green") == ("nobody", "", "NC-KEY-05")
    play(game, answer)
    assert game.keys == (0b11 if answer == "give blue" else 0b01)
    assert tile(game, "b1") == "pit" and phase(game) == "scramble"


@rule("NC-ADV-20")
def test_with_an_attack_the_sweep_comes_before_the_scramble() -> None:
    game = table("X X@r KP:N", advanced=True)
    play(game, "charge c1")
    pay(game)
    assert laid(game) == "c1" and phase(game) == "scramble"


# Pit Fiends ------------------------------------------------------------------------------------


@rule("NC-ADV-23")
@rule("NC-ADV-24")
@rule("NC-ADV-27")
def test_a_pit_fiend_flips_everything() -> None:
    game = table("K . WE\n. X\nKP:N X@r G", advanced=True)
    keys, gates = game.sources, game.gates
    events = play(game, "stay", "draw fiend", "replace b2")
    assert names(game, told(events, "fiend")[0]["cells"]) == "a1 a3 c1 c3"
    assert (game.sources, game.gates) == (keys - 2, gates - 1)
    assert not attackers(events) and tile(game, "b2") == "pit"


@rule("NC-ADV-31")
def test_a_blind_step_onto_a_pit_fiend_falls() -> None:
    game = table("X@r\n.\n. . X@b", dark="r", nerve={"r": 0}, advanced=True)
    before = game.stack
    events = play(game, "move b1", "draw fiend", "put b1 0")
    assert [event["prisoner"] for event in told(events, "fell")] == ["red"]
    play(game, "fall column")
    assert game.lines[0] == 6 + 1 and game.stack == before - 1 and seen(game)["turn"] == "blue"


@rule("NC-ADV-31")
def test_a_scramble_onto_a_pit_fiend_falls() -> None:
    game = table("X@r WE", nerve={"r": 1}, advanced=True)
    play(game, "charge b1")
    pay(game)
    play(game, "scramble c1", "draw fiend", "put c1 0")
    assert phase(game) == "fall" and where(game, "r") == ""


@rule("NC-ADV-32")
def test_a_pit_fiend_never_reaches_the_one_it_is_lit_for() -> None:
    for torus in BOARDS.values():
        for at, beside in enumerate(torus.grid.beside):
            assert not any(torus.diagonals[cell_] >> at & 1 for cell_ in beside)


# Bosses ----------------------------------------------------------------------------------------


@rule("NC-BOSS-08")
def test_a_pathless_wakes_monsters_anywhere_in_its_row_and_column() -> None:
    game = table("PL X@r . WE\n. X . X@b", nerve={"b": 0})
    events = play(game, "move b2")
    assert attackers(events) == "pathless wax"


@rule("NC-BOSS-08")
@pytest.mark.parametrize(("rear", "joins"), [("W", False), ("E", True), ("N", True)])
def test_a_keeper_feels_a_pathless_unless_it_comes_from_its_rear(rear: str, joins: bool) -> None:
    game = table(f"PL X@r KP:{rear}\n. X", advanced=True)
    events = play(game, "move b2")
    assert ("keeper" in attackers(events)) is joins


@rule("NC-BOSS-12")
@rule("NC-BOSS-17")
def test_the_second_omen_is_placed_and_the_dirge_comes() -> None:
    game = table("X@r T:NEW", dirge=True, nerve={"r": 0})
    game.omens = 1
    play(game, "move b1", "draw omen")
    assert can(game) == {"put c1 90", "put b6 0"}
    play(game, "put c1 90")
    assert phase(game) == "dirge" and choices(game, "cover") == "a1 b1 c1"
    assert refusal(game, "cover e5 0") == ("off-board", "e5", "NC-BOSS-16")
    play(game, "cover b1 0")
    assert pay(game) == 3 and phase(game) == "fall", "over one's own pawn"


@rule("NC-BOSS-18")
def test_the_dirge_covers_the_first_cell_of_the_board_too() -> None:
    game = table("X@b X\nX X@r", turn="r", dirge=True, nerve={"b": 0, "r": 0})
    game.omens = 1
    play(game, "move b1", "draw omen", "put c1 90", "cover a1 0")
    pay(game)
    play(game, "fall row")
    assert pay(game) == 3 and not is_lit(game, "b") and where(game, "b") == ""


@rule("NC-BOSS-16")
def test_the_dirge_fits_the_larger_board() -> None:
    game = table(".\n.\n.\n.\n.\n.\n. . . . X@r X", size=7, dirge=True)
    game.omens = 1
    play(game, "move f7", "draw omen", "put g7 90")
    assert choices(game, "cover") == "e5"


@rule("NC-BOSS-14")
def test_a_second_omen_revealed_by_staying_is_swapped_in() -> None:
    game = table("X@r X\nX", dirge=True)
    game.omens = 1
    play(game, "stay", "draw omen")
    assert choices(game, "replace") == "a2 b1"
    play(game, "replace b1")
    assert phase(game) == "dirge" and game.discard[OMEN] == 0


@rule("NC-BOSS-14")
@rule("NC-BOSS-24")
def test_an_omen_never_just_vanishes() -> None:
    game = table("T:NEW@r T:NES", dirge=True)
    game.omens = 1
    play(game, "stay", "draw omen")
    assert phase(game) == "omen" and choices(game, "replace") == "b1"


@rule("NC-BOSS-15")
@pytest.mark.parametrize("how", ["landing", "blind", "scramble"])
def test_an_omen_underfoot_is_covered_with_its_prisoner(how: str) -> None:
    if how == "landing":
        game = table("X@b", falling={"r": "row 4"}, dirge=True, nerve={"r": 0})
        game.omens = 1
        play(game, "land d4", "draw omen", "put d4 0", "cover d4 0")
    elif how == "blind":
        game = table("X@r", dark="r", nerve={"r": 0}, dirge=True)
        game.omens = 1
        play(game, "move b1", "draw omen", "put b1 90", "cover b1 0")
    else:
        game = table("X@r WE", nerve={"r": 1}, dirge=True)
        game.omens = 1
        play(game, "charge b1")
        pay(game)
        play(game, "scramble c1", "draw omen", "put c1 90", "cover c1 0")
    pay(game)
    assert phase(game) == "fall" and asked(game) == "r" and where(game, "r") == ""


@rule("NC-BOSS-19")
@rule("NC-GATE-05")
def test_what_the_dirge_covers_is_lost_without_a_fight() -> None:
    game = table("X@r T:NEW .\n. . WE", dirge=True, nerve={"r": 0})
    game.omens = 1
    play(game, "move b1")
    for name, word in (("d1", "G"), ("d2", "K"), ("d3", "KP:N"), ("c2", "WE")):
        game.lay(cell(game, name), code(word))
    gates, keys = game.gates, game.sources
    events = play(game, "draw omen", "put c1 90", "cover c1 0")
    assert (game.gates, game.sources) == (gates - 1, keys - 2)
    assert game.discard[OMEN] == 1 and not attackers(events)


@rule("NC-BOSS-22")
def test_the_great_pit_is_a_pit() -> None:
    game = table("X@r T:NEW\n. WE", dirge=True, nerve={"r": 0})
    game.omens = 1
    play(game, "move b1", "draw omen", "put c1 90", "cover c1 0")
    assert fill(game).split() == ["b6"], "no tile is drawn for its cells"
    assert tile(game, "c1") == "dirge" and "move c1" in can(game)
    game.lay(cell(game, "f1"), code("WE"))
    game.lay(cell(game, "a1"), code("X"))
    assert not game.looks(cell(game, "f1"))[3], "it blocks sight"
    play(game, "move c1")
    assert phase(game) == "fall"


@rule("NC-BOSS-22")
def test_nobody_lands_on_the_great_pit_while_there_is_room() -> None:
    game = table(". X@b", falling={"r": "row 1"}, dirge=True)
    settle_dirge(game, [], game.rules.placements[cell(game, "c1"), 0], ())
    game.todo = [("land", 0)]
    game.settle([])
    assert "c1" not in choices(game, "land").split()


@rule("NC-BOSS-11")
@rule("NC-BOSS-23")
@pytest.mark.parametrize("how", ["burn", "stay", "blind", "landing"])
def test_the_first_omen_is_replaced_however_it_comes(how: str) -> None:
    if how == "burn":
        game = table("WE X@r X", nerve={"r": 0}, dirge=True)
        before = game.stack
        play(game, "move c1", "draw omen")
        assert pay(game) == 3 and game.stack == before - 4
    elif how == "stay":
        game = table("X@r X", dirge=True)
        play(game, "stay", "draw omen")
        assert phase(game) == "draw-stay"
        play(game, "draw gate")
        assert game.discard[OMEN] == 0 and sum(game.discard) == 1
    elif how == "blind":
        game = table("X@r", dark="r", nerve={"r": 0}, dirge=True)
        play(game, "move b1", "draw omen", "draw tee", "put b1 90")
        assert where(game, "r") == "b1"
    else:
        game = table("X@b", falling={"r": "row 3"}, dirge=True)
        play(game, "land c3", "draw omen", "draw tee", "put c3 0")
        assert where(game, "r") == "c3"
    assert game.omens == 1 and not game.dirge


@rule("NC-BOSS-11")
@pytest.mark.parametrize("how", ["blind", "landing", "scramble"])
def test_a_first_omen_as_the_last_tile_leaves_nothing_to_draw(how: str) -> None:
    if how == "blind":
        game = table("X@r G", dark="r", nerve={"r": 0}, stack={"omen": 1})
        play(game, "move a2", "draw omen")
        assert phase(game) == "act" and can(game) == {"move b1"}
    elif how == "landing":
        game = table("X@b", falling={"r": "row 3"}, stack={"omen": 1})
        play(game, "land c3", "draw omen")
        assert game.outcome().code == "lost-in-the-fall"
    else:
        game = table("X@r WE\n. .\n. . G@b", nerve={"r": 1}, stack={"tee": 3, "omen": 1})
        play(game, "charge b1")
        pay(game)
        play(game, "scramble c1", "draw omen")
        assert game.outcome().code == "lost-in-the-fall", "nothing is left to step or to land on"


@rule("NC-BOSS-24")
def test_after_both_omens_no_other_dirge_can_come() -> None:
    game = table("X@r T:NEW", dirge=True, stack={"tee": 9, "omen": 2})
    play(game, "move b1", "draw omen", "draw omen", "put c1 90", "cover c1 0")
    assert game.omens == 2 and not any(action.args == (OMEN,) for action, _ in game.outcomes())


@rule("NC-BOSS-18")
@rule("NC-FALL-16")
def test_a_monster_outside_the_dirge_sees_its_victim_fall() -> None:
    game = table("WE X@b . .\n. . X X@r", dirge=True, nerve={"r": 0, "b": 0})
    game.omens = 1
    play(game, "move c2", "draw omen", "put c1 0")
    events = play(game, "cover b1 0")
    while phase(game) in ("draw-burn", "fall"):
        events += play(game, "draw tee" if phase(game) == "draw-burn" else "fall row")
    assert [event["prisoner"] for event in told(events, "fell")] == ["red", "blue"]
    assert attackers(events) == "wax" and game.discard[WAX] == 1


# Small faults that nothing else would see ---------------------------------------------------------


@rule("NC-FALL-10")
@rule("NC-BOSS-06")
def test_who_falls_onto_a_pathless_burns_five() -> None:
    """«Узники, попавшие под атаку Неотвратимого, сбрасывают по 5 фрагментов из запаса… Вы не можете потратить
    жетон решимости на уклонение»"""
    game = table("X@b", falling={"r": "row 3"}, nerve={"r": 2}, stack={"pathless": 1, "tee": 20})
    play(game, "land d3", "draw pathless", "put d3 0")
    assert phase(game) == "draw-burn" and pay(game) == 5
    assert not is_lit(game, "r")


@rule("NC-BOSS-06")
def test_who_charges_a_pathless_burns_five() -> None:
    """«Узники, попавшие под атаку Неотвратимого, сбрасывают по 5 фрагментов из запаса»"""
    game = table("X@r PL", nerve={"r": 2}, stack={"tee": 20})
    play(game, "charge b1")
    assert phase(game) == "draw-burn" and pay(game) == 5


@rule("NC-NERVE-15")
@pytest.mark.parametrize("nerve", [1, 2])
def test_a_charge_may_be_the_only_way_on(nerve: int) -> None:
    """With two tokens an extra move onto a monster is offered though there is no other."""
    game = table("X@r I:EW KP:N\n.\n. . . G@b", dark="r", nerve={"r": nerve}, stack=0)
    play(game, "move b1")
    assert (phase(game) == "again") == (nerve == 2)
    if nerve == 2:
        assert can(game) == {"end", "charge c1"}


@rule("NC-ADV-16")
@rule("NC-ADV-19")
@pytest.mark.parametrize(("keys", "then"), [("b", "scramble"), ("bg", "handover")])
def test_nobody_gives_a_key_away_while_somebody_on_the_keeper_lacks_one(keys: str, then: str) -> None:
    game = table("X@r G@bg", keys=keys)
    play(game, "stay", "draw keeper", "replace b1")
    pay(game)
    assert phase(game) == then and asked(game) == "b"
    assert game.has_key(2), "green has the Keeper's key, or its own"


@rule("NC-SCR-01")
def test_one_scrambles_off_the_first_cell_of_the_board_too() -> None:
    game = table("WE X@r X", nerve={"r": 1})
    play(game, "charge a1")
    pay(game)
    assert phase(game) == "scramble" and where(game, "r") == "a1"
