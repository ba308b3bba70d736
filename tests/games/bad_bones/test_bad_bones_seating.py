"""Every board of Bad Bones lies before its player, any way up: places, capital, neighbours follow."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise
from math import hypot
from random import Random

import cv2
import numpy as np
import pytest
from bad_bones_boards import GAME

from companion.engine.layout import At, Board
from companion.engine.parts import around_the_table, laid_cards, lay, seated
from companion.games.bad_bones.layout import BOARD_MM
from companion.games.bad_bones.pieces import PLACES
from companion.games.bad_bones.seating import SEATINGS
from companion.world.physical import World, strewn

TABLES = [(players, coop) for coop in (False, True) for players in range(1 + coop, 7)]


def board(players: int, coop: bool) -> Board:
    return GAME.board({"players": players, "coop": coop})


def boards_of(laid: Board) -> list[np.ndarray]:
    return [np.array(part.corners(), np.float32) for part in laid.parts]


@pytest.mark.parametrize(("players", "coop"), TABLES)
def test_boards_and_cards_lie_apart_before_their_players(players: int, coop: bool) -> None:
    laid = seated(board(players, coop))
    things = boards_of(laid) + [np.array(card.outline(), np.float32) for card in laid_cards(laid)]
    for a, b in combinations(things, 2):
        assert cv2.intersectConvexConvex(a, b)[0] < 1.0
    assert {place.name for place in laid.places} == {place.name for place in board(players, coop).places}
    corners = np.concatenate(boards_of(laid))
    assert np.abs(corners.min(0)).max() < 1e-3 and np.allclose(corners.max(0), (laid.width, laid.height))
    assert laid.key == board(players, coop).key


@pytest.mark.rule("BB-BOOK-01")
@pytest.mark.parametrize(("players", "coop"), [one for one in TABLES if one[0] > 2])
def test_left_of_every_player_sits_the_next_one(players: int, coop: bool) -> None:
    ring = around_the_table(seated(board(players, coop)).parts)
    assert ring == list(range(players))
    assert [SEATINGS[players, coop].left[seat] for seat in ring] == [*ring[1:], 0]


def test_boards_that_lie_in_another_order_are_told_apart() -> None:
    laid = seated(board(4, False))
    one, two, three, four = laid.parts
    assert around_the_table((one, two._replace(at=three.at), three._replace(at=two.at), four)) == [0, 2, 1, 3]


@pytest.mark.rule("BB-BOOK-10")
@pytest.mark.parametrize("players", range(2, 7))
def test_together_the_open_edges_face_the_capital(players: int) -> None:
    laid = seated(board(players, True))
    middle = np.mean([(p.x, p.y) for p in laid.places if p.zone == "capital"], axis=0)
    for part in laid.parts[:-1]:
        top, bottom = (np.array(part.at.point(BOARD_MM / 2, y)) for y in (0.0, BOARD_MM))
        assert np.linalg.norm(top - middle) < np.linalg.norm(bottom - middle)


def test_a_cross_around_the_capital_has_it_in_its_middle() -> None:
    side, hole = BOARD_MM, 200.0
    at = [At(-side / 2, hole / 2).then(At(0, 0, turn)) for turn in (0, 90, 180, 270)]
    laid = lay(board(4, True), [*at, At(0, 0)])
    capital = [place for place in laid.places if place.zone == "capital"]
    assert np.mean([(p.x, p.y) for p in capital], axis=0) == pytest.approx((laid.width / 2, laid.height / 2))
    steps = [hypot(a.x - b.x, a.y - b.y) for a, b in pairwise(capital)]
    assert steps == pytest.approx([34] * 3)


def test_a_board_takes_its_places_along_wherever_it_lies() -> None:
    laid = strewn(board(3, False), Random(1))
    for seat, part in enumerate(laid.parts):
        first, last = (laid.places[seat * PLACES + cell] for cell in (0, 24))  # a1 and e5
        assert hypot(first.x - last.x, first.y - last.y) == pytest.approx(hypot(136, 136))
        assert (first.x, first.y) == pytest.approx(part.at.point(51, 51)) and first.turn == part.at.turn


def test_pieces_on_turned_boards_are_read_as_their_owner_sees_them() -> None:
    laid = strewn(board(4, False), Random(2))
    world, state = World(laid), GAME.start(GAME.resolve({"players": 4}))
    wanted = GAME.expected(state, GAME.resolve({"players": 4}))
    world.set_up(wanted, Random(3))
    assert world.layout() == {cell: world.sorted(pieces) for cell, pieces in wanted.items() if pieces}


def test_the_same_boards_still_lie_side_by_side_within_their_frame() -> None:
    framed = board(3, False)
    assert framed.frame == 2 and not any(place.turn for place in framed.places)
    assert seated(framed).framed is framed and seated(seated(framed)) == seated(framed)
    assert replace(seated(framed), framed=None).key != framed.key
