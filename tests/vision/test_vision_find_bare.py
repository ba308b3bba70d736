"""Cards on a bare table: a place is where its card lies, and the others are beside it."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from companion.engine.bare import bare
from companion.engine.errors import DeviceError
from companion.engine.layout import At, Board, Layout
from companion.engine.marker_cards import cards_around
from companion.games import load
from companion.service.open_parts import virtual_camera
from companion.table.play import walk
from companion.world.physical import Slop, World
from vision.find import Finder, find
from vision.lattice import Lattice, leaving_words
from vision.pose import Pose
from vision.virtual import VirtualCamera

SIZE, BIG = (1280, 720), (1920, 1080)
LAID = Slop(0.7, 1.2)


def position(key: str, moves: int, **given: int) -> tuple[Board, Layout]:
    """The board of a game and what lies there after some moves."""
    game = load(key)
    options = game.resolve({"deck": "physical", **given})
    steps = walk(game, options, Random(1))
    state = next(step.state for n, step in enumerate(steps) if n == moves)
    return game.board(options), game.expected(state, options)


def table(key: str, board: Board, layout: Layout, way: At, size: tuple[int, int]) -> VirtualCamera:
    """A camera above a bare table on which a layout lies, moved that way and not quite straight."""
    world = World(bare(board, cards_around(board), way))
    world.set_up(layout, Random(2), LAID)
    return virtual_camera(key, world, level=1, seed=3, size=size)


def off_mm(pose: Pose, camera: VirtualCamera, layout: Layout) -> np.ndarray:
    """How far the places of cards are from their cards."""
    world = camera.world
    lying = {cell: world.at(cell)[0] for cell in layout if layout[cell] and world.at(cell)}
    cards = [cell for cell, thing in lying.items() if world.faces[thing.face].kind == "card"]
    seen = pose.pixels([(pose.board.places[cell].x, pose.board.places[cell].y) for cell in cards])
    truth = camera.eye.pixels([(lying[cell].x, lying[cell].y) for cell in cards])
    return np.asarray(np.linalg.norm(seen - truth, axis=1) / pose.scale())


@pytest.mark.parametrize(
    ("key", "moves", "given", "size"),
    [("onirim", 8, {}, SIZE), ("dark_cave", 60, {"players": 4}, BIG)],
)
def test_places_are_where_the_cards_lie(key, moves, given, size):
    board, layout = position(key, moves, **given)
    camera = table(key, board, layout, At(12.0, -9.0, 3.0), size)
    image = camera()
    found = find(image, board, partial=True)
    assert found.board.is_bare and found.board.key != ""
    lattice = Lattice()
    pose = lattice.follow(image, found, layout)
    away = off_mm(pose, camera, layout)
    assert np.median(away) < 1.0 and np.percentile(away, 90) < 2.5, away.round(1)
    assert lattice.follow(camera(), found, layout) is pose  # nothing has moved


@pytest.mark.parametrize("seed", range(6))
def test_a_first_card_alone_is_not_taken_for_a_marker_card_beside_it(seed):
    """As it happened: the two squares of a marker card were the deck, and every place lay beside its card."""
    board, layout = position("onirim", 0)
    rng = Random(284_125 + seed)
    way = At(rng.uniform(-15, 15), rng.uniform(-15, 15), rng.uniform(-4, 4))
    camera = table("onirim", board, layout, way, SIZE)
    pose = Lattice().follow(camera(), find(camera(), board, partial=True), layout)
    assert off_mm(pose, camera, layout).max() < 2.5


def test_cards_that_are_pushed_as_a_whole_are_followed_and_the_next_one_is_expected_there():
    board, layout = position("onirim", 8)
    camera = table("onirim", board, layout, At(0.0, 0.0), SIZE)
    found, lattice = find(camera(), board, partial=True), Lattice()
    first = lattice.follow(camera(), found, layout)
    push = At(25.0, -14.0, 2.0)
    world = camera.world
    for thing in world.things():
        world.move(thing.id, *push.point(thing.x, thing.y), thing.angle + push.turn)
    world.board = bare(world.board, cards_around(board), push)
    second = lattice.follow(camera(), found, layout)
    assert second is not first and off_mm(second, camera, layout).max() < 2.5
    free = [cell for cell in range(len(board.places)) if not layout.get(cell)]
    places = [[(b.places[cell].x, b.places[cell].y) for cell in free] for b in (second.board, world.board)]
    away = np.linalg.norm(second.pixels(places[0]) - camera.eye.pixels(places[1]), axis=1) / second.scale()
    assert np.median(away) < 4.0


def test_cards_about_to_leave_the_picture_are_said():
    board, layout = position("dark_cave", 0, players=4)
    camera = table("dark_cave", board, layout, At(0.0, 0.0), BIG)
    found, lattice = find(camera(), board, partial=True), Lattice()
    pose = lattice.follow(camera(), found, layout)
    assert lattice.leaving(pose, layout) == []
    narrow = replace(pose, width=pose.width * 3 // 5)
    cells = lattice.leaving(narrow, layout)
    assert cells and all(board.places[cell].zone == "field" for cell in cells)
    assert "about to leave what the camera sees" in leaving_words(narrow, cells)


def test_a_bumped_camera_leaves_the_cards_where_they_are():
    board, layout = position("onirim", 8)
    camera = table("onirim", board, layout, At(0.0, 0.0), SIZE)
    finder, lattice = Finder(board), Lattice()
    before = lattice.follow(camera(), finder.look(camera()).pose, layout)
    camera.faults.bump_mm = 14.0
    for _ in range(2):
        pose = lattice.follow(camera(), finder.look(camera()).pose, layout)
    away = [
        np.hypot(a.x - b.x, a.y - b.y) for a, b in zip(pose.board.places, before.board.places, strict=True)
    ]
    assert max(away) < 2.5


def test_a_frame_around_the_same_cards_is_found_as_ever():
    board, layout = position("onirim", 8)
    world = World(board)
    world.set_up(layout, Random(2), LAID)
    camera = virtual_camera("onirim", world, level=1, seed=3)
    pose = find(camera(), board)
    assert pose.board is board and len(pose.markers) == 8


def test_a_photograph_of_a_bare_table_alone_names_no_places():
    board, layout = position("onirim", 8)
    with pytest.raises(DeviceError, match="--loose"):
        find(table("onirim", board, layout, At(0.0, 0.0), SIZE)(), board)
