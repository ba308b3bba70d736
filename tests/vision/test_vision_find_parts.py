"""Boards that each lie by themselves: found by their cards any way up, followed, refused with words."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from companion.engine.errors import DeviceError
from companion.engine.layout import Board
from companion.engine.marker_cards import among, card_of
from companion.engine.parts import laid_card, laid_cards, lay, move_parts, seated
from companion.games import load
from companion.service.open_parts import virtual_camera
from companion.world.physical import NEAT, Slop, World, strewn
from vision.card_survey import cards_at
from vision.find import Finder, find
from vision.images import Image
from vision.optics import PinholeCamera, rim_of
from vision.parts import lay_by_cards
from vision.pose import place_corners
from vision.virtual import VirtualCamera

SIZE = (1280, 720)
GAME = load("bad_bones")
FLUSH = Slop(0.4, 0.3)


def boards(players: int, coop: bool = False) -> Board:
    return GAME.board(GAME.resolve({"players": players, "coop": coop}))


def corners_of(laid: Board, seed: int) -> dict[int, np.ndarray]:
    """What a camera measures of the cards on a table."""
    rng = np.random.default_rng(seed)
    camera = PinholeCamera.above(rng, SIZE, (laid.width, laid.height), (3, 10), rim=rim_of(laid))
    return {m.id: camera.pixels(m.corners()) + rng.normal(0, 0.08, (4, 2)) for m in laid.markers}


def apart(one: Board, other: Board) -> float:
    """By how many mm places of two boards differ, whatever the millimetres begin with, at most."""
    a, b = (np.concatenate([place_corners(place) for place in board.places]) for board in (one, other))
    far = [np.linalg.norm(x[:, None] - x[None, ::37], axis=2) for x in (a, b)]
    return float(np.abs(far[0] - far[1]).max())


def camera_over(laid: Board, seed: int = 1, size: tuple[int, int] = SIZE) -> VirtualCamera:
    return virtual_camera("bad_bones", World(laid), level=1, seed=seed, size=size)


def off_mm(image: Image, found: Board, camera: VirtualCamera) -> np.ndarray:
    """How far the places' corners are from where they are."""
    pose = find(image, found)
    truth, seen = (
        np.concatenate([place_corners(place) for place in board.places])
        for board in (camera.world.board, pose.board)
    )
    return np.asarray(np.linalg.norm(pose.pixels(seen) - camera.eye.pixels(truth), axis=1) / pose.scale())


@pytest.mark.parametrize("players", range(2, 7))
def test_boards_are_laid_where_their_cards_are(players):
    for seed in range(3):
        truth = strewn(boards(players), Random(seed), NEAT)
        assert apart(lay_by_cards(seated(boards(players)), corners_of(truth, seed), *SIZE, None), truth) < 3.0


@pytest.mark.parametrize(("players", "coop"), [(3, False), (4, False), (4, True)])
def test_every_place_is_found_on_boards_before_their_players(players, coop):
    camera = camera_over(strewn(boards(players, coop), Random(players), FLUSH))
    away = off_mm(camera(), boards(players, coop), camera)
    assert np.median(away) < 1.0 and np.percentile(away, 95) < 2.5


def test_a_board_with_one_card_covered_is_found_by_the_other():
    truth = strewn(boards(3), Random(5), NEAT)
    corners = {i: px for i, px in corners_of(truth, 5).items() if card_of(i) != 3}
    assert apart(lay_by_cards(seated(boards(3)), corners, *SIZE, None), truth) < 3.0


def test_boards_in_a_printed_frame_are_found_as_ever():
    framed = boards(3)
    camera = camera_over(framed)
    for known in (framed, seated(framed)):
        pose = find(camera(), known)
        assert pose.board == framed and len(pose.markers) == 8


# What cannot be ------------------------------------------------------------------------------------


def refused(laid: Board, players: int = 3) -> str:
    with pytest.raises(DeviceError) as error:
        lay_by_cards(seated(boards(players)), corners_of(laid, 3), *SIZE, None)
    return str(error.value)


def test_too_few_boards_are_said():
    assert "The board with cards 5 and 6 is not seen" in refused(seated(boards(2)))


def test_a_board_too_many_is_said():
    assert "one board more than players: cards 7 and 8" in refused(seated(boards(4)))


def test_boards_in_the_wrong_order_are_said():
    laid = seated(boards(3))
    at = [part.at for part in laid.parts]
    assert "1 and 2, then 5 and 6, then 3 and 4" in refused(lay(laid, [at[0], at[2], at[1]]))


def test_cards_that_lie_elsewhere_are_said():
    laid = seated(boards(3))
    cards = [card._replace(x=card.x + 60 * (card.number == 4)) for card in laid_cards(laid)]
    assert "Cards 3 and 4 do not lie at one board" in refused(among(laid, cards))


def test_a_table_without_cards_says_what_to_lay():
    with pytest.raises(DeviceError, match="lay each player's board with its two marker cards at its edges"):
        find(np.full((720, 1280, 3), 120, np.uint8), boards(3))


# Following -----------------------------------------------------------------------------------------


def test_a_board_that_is_pushed_is_followed_and_a_bumped_camera_heals():
    truth = strewn(boards(3), Random(7), FLUSH)
    camera = camera_over(truth)
    finder = Finder(boards(3))
    finder.look(camera())
    pushed = truth.parts[1]
    moved = pushed.at._replace(x=pushed.at.x + 12)  # the camera hangs where it hung
    way = pushed.at.inverse().then(moved)
    cards = cards_at({m.id: np.array(m.corners()) for m in truth.markers})
    after = replace(
        among(truth, [laid_card(card, way) if card.number in pushed.cards else card for card in cards]),
        places=move_parts(truth, [moved if part is pushed else part.at for part in truth.parts]).places,
    )
    camera = camera_over(after)
    sights = [finder.look(camera()) for _ in range(3)]
    assert sights[0].moved_mm > 5 and sights[1].moved_mm == 0  # what was read before counts no longer
    assert sights[-1].strayed == () and apart(finder.board, after) < 3.0
    camera.faults.bump_mm = 15.0
    for _ in range(2):
        sight = finder.look(camera())
    assert sight.strayed == () and apart(finder.board, after) < 3.0
