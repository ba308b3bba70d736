"""What the game shows: lights, reasons, board; and whether the careful player is one."""

from __future__ import annotations

from random import Random

from nine_mens_morris import GAME
from nine_mens_morris.art import ground
from nine_mens_morris.layout import BOARD, STEP_MM
from nine_mens_morris.pieces import POINTS
from nine_mens_morris.rules import Morris

from companion.engine.action import PUBLIC, Action
from companion.engine.game import Turn, random_bot, turn_for
from companion.engine.layout import Piece


def after(*lines: str) -> Morris:
    state = Morris(GAME.resolve({}))
    for line in lines:
        state.apply(state.seat, state.notation.parse(line))
    return state


MILL = ("place a7", "place b6", "place d7", "place d6", "place g7")


def lit(state: Morris, meaning: str) -> set[str]:
    scene = GAME.scene(GAME.view(state, PUBLIC))
    return {POINTS[glow.cell] for glow in scene.glows if glow.meaning == meaning}


def test_empty_points_are_lit_while_men_are_placed() -> None:
    assert lit(after("place a7", "place b6"), "legal") == set(POINTS) - {"a7", "b6"}


def test_a_mill_is_lit_and_so_are_the_men_that_may_be_removed() -> None:
    state = after(*MILL)
    assert lit(state, "progress") == {"a7", "d7", "g7"}
    assert lit(state, "choose") == {"b6", "d6"}


def test_a_place_can_be_asked_why_it_is_as_it_is() -> None:
    view = GAME.view(after(*MILL), PUBLIC)
    said = [GAME.say("why", reason, "ru") for reason in GAME.explain(view, POINTS.index("b6"))]
    assert said == ["Эту фишку можно снять."]


def test_the_camera_should_see_the_men_where_they_stand() -> None:
    state = after("place a7", "place g1")
    assert GAME.expected(state, GAME.resolve({})) == {
        POINTS.index("a7"): (Piece("white"),),
        POINTS.index("g1"): (Piece("black"),),
    }
    assert BOARD.places[POINTS.index("g1")].x - BOARD.places[POINTS.index("a7")].x == 6 * STEP_MM


def test_the_printed_lines_run_from_point_to_point() -> None:
    ends = {
        (x + BOARD.width / 2, y + BOARD.height / 2)
        for stroke in ground(BOARD).shapes
        for x, y in stroke.points  # type: ignore[union-attr]
    }
    assert ends == {(place.x, place.y) for place in BOARD.places}


def test_the_careful_player_beats_one_who_plays_anything() -> None:
    wins = 0
    for seed in range(10):
        state, rng = Morris(GAME.resolve({})), Random(seed)
        careful = seed % 2
        while needs := state.needs():
            turn: Turn = turn_for(GAME, state, needs[0].seat, rng)
            action: Action = (GAME.bots["careful"] if turn.seat == careful else random_bot)(turn)
            state.apply(turn.seat, action)
        outcome = state.outcome()
        assert outcome is not None
        wins += outcome.winners == (careful,)
    assert wins >= 9
