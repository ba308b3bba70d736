"""Short statements that fail when a rule is changed a little: found by changing it."""

from __future__ import annotations

from random import Random

import pytest
from night_cage_boards import (
    can,
    cell,
    choices,
    kinds,
    pay,
    phase,
    play,
    refusal,
    seen,
    table,
    tile,
    told,
    turn_of,
)

from companion.engine.errors import ConfigError
from companion.games.night_cage import GAME
from companion.games.night_cage.flickers import is_cut_off
from companion.games.night_cage.pieces import OMEN, open_box
from companion.table.play import walk

rule = pytest.mark.rule


def forecasts(game, verb: str) -> list[dict]:
    return [one for one in seen(game)["forecasts"] if one["verb"] == verb]


@rule("NC-PIT-03")
@rule("NC-STAY-14")
def test_the_tile_under_who_stays_is_a_pit_for_those_who_still_light_it() -> None:
    """«Если вы решили остаться на месте, вы сразу же падаете в яму»: the pit stays while it is lit."""
    game = table("S:ES@r X@b")
    events = play(game, "stay", "draw tee", "fall row")
    assert tile(game, "a1") == "pit" and told(events, "crumbled") == [{"cell": cell(game, "a1")}]


@rule("NC-KEY-06")
def test_who_falls_hands_over_no_key() -> None:
    """«…если во время хода одного из них они находятся на соседних соединённых фрагментах»"""
    game = table(".\n.\n.\n.\n.\n. . . . X@b X", turn="b", keys="r", falling={"r": "row 1"})
    assert "receive red" not in can(game)
    assert refusal(game, "receive red") == ("not-connected", "e6", "NC-KEY-06")


@rule("NC-TURN-08")
def test_the_marker_of_the_fourth_prisoner_goes_round_all_three() -> None:
    """«…в конце этого хода жетон 4-го узника передаётся по часовой стрелке»"""
    game = table("X@r\n.\n. X@b\n.\n. . X@g . X@y", turn="y", players=3, dark="y", nerve={"y": 2})
    holders = []
    for _ in range(3):
        game.nerve[3] = 1
        holders += [marker["seat"] for marker in told(play(game, "rest"), "marker")]
        turn_of(game, "y")
    assert holders == [1, 2, 0]


@rule("NC-BOOK-05")
@pytest.mark.parametrize("n", [2, 3, 4])
def test_every_prisoner_in_play_has_a_colour_of_its_own(n: int) -> None:
    """«Каждый игрок выбирает цвет…»: there is one figure of each."""
    with pytest.raises(ConfigError, match="chosen twice"):
        GAME.resolve({"players": 4, "colour_1": "green", f"colour_{n}": "green"})


@rule("NC-BOOK-05")
def test_a_colour_of_nobody_in_play_is_free() -> None:
    """«Каждый игрок выбирает цвет…»: of four prisoners there is no fifth."""
    assert GAME.resolve({"players": 4, "colour_1": "red", "colour_5": "red"})["colour_1"] == "red"


@rule("NC-BOSS-20")
def test_all_hear_where_the_dirge_has_settled() -> None:
    """«…переверните жетон Плакальщика стороной с ямой вверх, не меняя его расположение»"""
    game = table("X@r T:NEW", dirge=True, nerve={"r": 0})
    game.omens = 1
    play(game, "move b1", "draw omen", "put c1 90")
    events = play(game, "cover c1 0")
    covered = [cell(game, f"{column}{row}") for column in "cde" for row in "123"]
    assert [sorted(one["cells"]) for one in told(events, "dirge-settled")] == [sorted(covered)]


@rule("NC-BOSS-13")
def test_a_burned_omen_that_waits_is_seen_among_the_burnt_tiles() -> None:
    """«если вы раскрыли фрагмент со вторым предвестником во время атаки монстра, не сбрасывайте его»"""
    game = table("WE X@r X X@b\n. X", nerve={"b": 0}, deck="physical", dirge=True)
    game.omens = 1
    play(game, "move b2", "draw tee", "draw omen")
    assert game.burnt[-1] == OMEN and game.discard[OMEN] == 0


@rule("NC-ADV-28")
def test_who_leaves_a_monsters_sight_onto_a_fiend_is_attacked_once() -> None:
    """«Если же вы уходите с линии видимости монстра, вы также провоцируете его атаку»: one attack."""
    game = table("WE X@r PF X@b", nerve={"r": 1}, advanced=True)
    events = play(game, "charge c1")
    events += play(game, "fall row") if "fall row" in can(game) else []
    assert [one["cell"] for one in told(events, "attacked")] == [cell(game, "a1")]


def test_a_preview_ends_where_no_plain_tile_can_come() -> None:
    game = table("X@r X", stack={"key": 3})
    (stay,) = forecasts(game, "stay")
    assert stay["burns"] == 1 and stay["ends"] == ""


def test_a_preview_of_a_step_that_lights_no_bare_cell_draws_nothing() -> None:
    game = table("X@r I:EW X", nerve={"r": 0})
    (step,) = forecasts(game, "move")
    assert step["draws"] == 0


def test_what_nobody_chooses_is_the_literal_reading() -> None:
    """«Это может случиться во время хода любого из этих узников»; the base game, and no reading unasked."""
    agreed = GAME.resolve({})
    literal = {
        "players": 4,
        "deck": "digital",
        "gates": 4,
        "fiends": 2,
        "adv5_wax_eaters": 2,
        "dirge_outline": "square",
        "landing_in_los_triggers": True,
        "any_fall_out_of_los_triggers": True,
        "flicker_first_removal": "next-turn",
        "scramble_triggers": True,
        "turn_continues_after_landing_on_monster": True,
        "order_of_two": "aabb",
        **{f"colour_{n}": "any" for n in range(1, 6)},
    }
    assert {name: agreed[name] for name in literal} == literal
    assert not any(agreed[name] for name in agreed.keys() - literal.keys())


SELDOM = {"flickers", "gave-key", "idled", "relit", "removed", "rested", "sustained"}
"""What random play brings now and then, or never."""


def test_what_random_play_brings_is_told() -> None:
    told = {
        event.kind
        for given in GAME.samples.values()
        for seed in range(4)
        for step in walk(GAME, GAME.resolve(given), Random(seed))
        for event in step.events
    }
    kinds = {name.removeprefix("event.") for name in GAME.texts.table if name.startswith("event.")}
    assert kinds - told <= SELDOM


@pytest.mark.parametrize(("outline", "said"), [("##/##", "nine '#'"), ("####/####/....", "nine '#'")])
def test_an_outline_that_is_none_is_refused(outline: str, said: str) -> None:
    with pytest.raises(ConfigError, match=f"dirge.outline is .*{said}"):
        open_box({"dirge.outline": outline})
    assert [fact.value for fact in open_box({"dirge.outline": "###/###/###"})] == ["###/###/###"]


FULL_COLUMN = ". . X .\n. X@b X .\n. . X .\n. . X@g .\n. . X .\n. . X@y ."


@rule("NC-FLICKER-05")
def test_somebody_falls_while_the_last_flickers_take_a_tile() -> None:
    """«…сбросьте 1 любой освещённый фрагмент, на котором никто не стоит»"""
    game = table(FULL_COLUMN, turn="b", falling={"r": "column c"}, stack=0, nerve={"b": 0})
    game.flickers = True
    play(game, "stay")
    assert phase(game) == "flicker" and "c2" in choices(game, "remove").split()
    assert "b2" not in choices(game, "remove").split()


@rule("NC-LIGHT-01")
@rule("NC-FALL-02")
def test_neither_the_dark_nor_those_who_fall_light_anything() -> None:
    game = table("X@b X\n.\n.\n.\n. . . . X@g\n. . . . X X", turn="g", dark="b", falling={"r": "row 2"})
    lights = {one["name"]: one["lights"] for one in seen(game)["prisoners"]}
    assert (lights["red"], lights["blue"]) == ([], []) and lights["green"]


@rule("NC-END-08")
def test_a_key_in_the_corner_that_nobody_reaches_saves_nobody() -> None:
    game = table("K . .\n. X@r X G@b", keys="r", stack=0)
    game.flickers = True
    assert is_cut_off(game)


@rule("NC-ADV-28")
@pytest.mark.parametrize(
    ("board", "step", "watcher"),
    [
        (". . .\n.\n. . PF X WE\n. . X@r", "c3", "e3"),
        (". . X@r\n.  . PF X WE", "c2", "e2"),
        ("X@r PF\n. X\n. WE", "b1", "b3"),
        (". PF X@r\n. X\n. WE", "b1", "b3"),
    ],
)
def test_whoever_steps_onto_a_fiend_falls_out_of_sight_of_what_looks_there(
    board: str, step: str, watcher: str
) -> None:
    """From all four sides: who has just stepped onto it counts as seen only where it came from."""
    game = table(board + "\n.\n. X@b", nerve={"r": 1}, advanced=True)
    assert cell(game, watcher) in game.watching(cell(game, step))
    events = play(game, f"charge {step}")
    events += play(game, "fall row") if phase(game) == "fall" else []
    assert told(events, "fiend") and not told(events, "attacked")


@rule("NC-CANDLE-05")
def test_all_hear_whose_candle_burns_again() -> None:
    """«Повторное зажигание…»: it is told who has light again."""
    game = table("X@r X\n.\nX X@g\nX@b", dark="b", turn="b", nerve={"b": 0})
    events = play(game, "move a3")
    assert told(events, "relit") == [{"prisoner": "blue", "cell": cell(game, "a3")}]


@rule("NC-BOOK-04")
def test_one_who_falls_for_ever_is_enough() -> None:
    """«Если вы падаете, а в запасе не осталось фрагментов… партия завершается поражением игроков.»"""
    full = "X@g X X X@y X X"
    game = table(full, turn="g", falling={"r": "row 1"}, stack=0)
    assert game.outcome() is None, "the line is full"
    game = table(full, turn="g", falling={"r": "row 1", "b": "row 6"}, stack=0)
    assert game.outcome().code == "lost-in-the-fall"


@rule("NC-FALL-14")
@rule("NC-BOSS-11")
def test_a_first_omen_as_last_tile_lets_whoever_lands_fall_for_ever() -> None:
    game = table("X@b", falling={"r": "row 3"}, stack={"omen": 1}, dirge=True)
    events = play(game, "land c3", "draw omen")
    assert game.outcome().code == "lost-in-the-fall" and not told(events, "turn")


@rule("NC-ADV-17")
def test_of_several_on_a_keeper_the_first_in_turn_order_takes_the_key() -> None:
    game = table("T:NEW@r G@bg", nerve={"b": 0, "g": 0, "r": 0}, advanced=True)
    play(game, "stay", "draw keeper", "replace b1")
    pay(game)
    assert game.keys == 0b010


@rule("NC-KEY-02")
def test_who_flees_onto_a_key_in_anothers_turn_takes_it_in_the_own_one() -> None:
    """«Вы можете подобрать ключ в любой момент своего хода.»"""
    game = table("T:NES@r X@b\n. K X@g", nerve={"r": 0, "b": 0, "g": 0})
    play(game, "stay", "draw wax", "replace b1")
    pay(game)
    events = kinds(play(game, "scramble b2"))
    assert game.has_key(1) and events.index("turn") < events.index("took-key")


@rule("NC-BOSS-13")
def test_a_burned_omen_comes_beside_where_its_victim_has_fled() -> None:
    """«…замените один из соседних с вашим местоположением фрагментов на этот фрагмент с предвестником.»"""
    game = table("X@r WE", nerve={"r": 1}, dirge=True)
    game.omens = 1
    play(game, "charge b1", "draw tee", "draw omen", "draw tee")
    play(game, "scramble c1", "draw tee", "put c1 90")
    assert phase(game) == "omen" and choices(game, "replace") == "b1 c2 c6 d1"


@rule("NC-ADV-19")
def test_before_a_keeper_opens_a_key_passes_only_in_the_turn_of_one_of_the_two() -> None:
    """«…если во время хода одного из них они находятся на соседних соединённых фрагментах»"""
    game = table("T:NEW@r X@b X@g", keys="rb", nerve={"r": 0, "b": 0, "g": 0}, advanced=True)
    play(game, "stay", "draw keeper", "replace b1")
    pay(game)
    assert phase(game) == "scramble" and not game.has_key(2)


@rule("NC-FALL-16")
def test_by_the_switch_the_own_fall_out_of_sight_still_wakes() -> None:
    """«…равноценно уходу с линии видимости монстра. В этом случае монстр атакует»"""
    board = ".\n.\n. . . WE X@b"
    game = table(board, falling={"r": "row 3"}, any_fall_out_of_los_triggers=False, advanced=True)
    events = play(game, "land c3", "draw fiend", "put c3 0", "fall row")
    assert [attack["cell"] for attack in told(events, "attacked")] == [cell(game, "d3")]


@rule("NC-BOSS-18")
@rule("NC-SCR-01")
def test_whom_the_dirge_took_before_the_scramble_does_not_scramble() -> None:
    game = table("T:NEW@r G@bg", nerve={"r": 0, "b": 0, "g": 0}, dirge=True)
    game.omens = 1
    play(game, "stay", "draw wax", "replace b1")
    pay(game)
    play(game, "scramble c1", "draw omen", "put c1 90", "cover b1 0")
    pay(game)
    play(game, "fall row")
    pay(game)
    play(game, "fall row")
    assert phase(game) != "scramble" and game.cells[1:3] == [-1, -1]
