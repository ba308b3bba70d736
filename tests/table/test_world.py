"""The physical world and the people in it."""

from __future__ import annotations

from random import Random

import pytest

from companion.engine.layout import Board, Face, Piece, frame, square_places
from companion.games import REGISTRY, load
from companion.table.play import walk
from companion.table.prompt import Difference, guide
from companion.world.hands import SLIPS, Hands
from companion.world.loop import differences
from companion.world.physical import NEAT, Slop, World

FACES = (
    Face("tee", "tile", 50, 50, 4),
    Face("line", "tile", 50, 50, 2),
    Face("card", "card", 40, 50, 2),
    Face("red", "pawn", 15, 15),
)
BOARD = Board(
    "onirim",
    150,
    100,
    tuple(square_places(("a1", "b1", "c1", "a2", "b2", "c2"), 3, 50)),
    FACES,
    frame(3, 150, 100),
)
TEE, RED = Piece("tee", 90), Piece("red")


@pytest.fixture
def world():
    return World(BOARD)


def test_a_thing_lies_on_the_place_that_holds_its_middle(world):
    world.put("tee", 30, 20, 93)
    assert world.layout() == {0: (Piece("tee", 90),)}
    assert world.cell_at(500, 500) is None


@pytest.mark.parametrize(
    ("face", "angle", "turn"),
    [
        ("tee", 268, 270),
        ("line", 182, 0),
        ("line", 91, 90),
        ("card", 178, 180),
        ("card", 88, 0),
        ("red", 90, 0),
    ],
)
def test_angles_are_read_as_far_as_the_game_tells_turns_apart(world, face, angle, turn):
    world.put(face, 25, 25, angle)
    assert world.layout()[0][0].turn == turn


def test_moving_puts_on_top_and_taking_removes(world):
    low, high = world.put("tee", 25, 25), world.put("line", 75, 25)
    world.move(low.id, 75, 25)
    assert [piece.face for piece in world.layout()[1]] == ["line", "tee"]
    world.take(high.id)
    assert world.layout() == {1: (Piece("tee", 0),)}
    world.change(low.id, face="line")
    assert world.layout() == {1: (Piece("line", 0),)}


@pytest.mark.parametrize("key", REGISTRY)
def test_a_set_up_table_shows_the_layout_though_laid_carelessly(key):
    game = load(key)
    options = game.resolve({})
    world = World(game.board(options))
    for i, step in enumerate(walk(game, options, Random(2))):
        if i % 25 == 24:
            layout = game.layout(game.view(step.state, game.camera(options)))
            world.set_up(layout, Random(i), Slop(0.8, 2.0))
            assert world.layout() == {cell: world.sorted(pieces) for cell, pieces in layout.items() if pieces}
        if i > 150:
            break


def test_hands_carry_out_the_difference_between_two_layouts(world):
    before = {0: (TEE, RED), 1: (Piece("line"),)}
    after = {1: (Piece("line"), RED), 3: (Piece("card"),), 0: (TEE,)}
    world.set_up(before, Random(1))
    steps, slip = Hands(world, Random(1), NEAT).carry_out(before, after)
    for step in steps:
        step.act()
    assert slip == "" and world.layout() == after


def test_a_piece_is_shifted_onto_a_card_after_the_card_is_brought(world):
    before, after = {0: (Piece("line"),)}, {3: (Piece("card"), Piece("line"))}
    world.set_up(before, Random(1))
    for step in Hands(world, Random(1), NEAT).carry_out(before, after)[0]:
        step.act()
    assert world.layout() == after


def test_pieces_of_one_kind_are_turned_where_they_lie_and_not_exchanged(world):
    before = {0: (Piece("tee", 180), Piece("card")), 1: (Piece("tee", 180),)}
    after = {0: (Piece("tee", 0), Piece("card")), 1: (Piece("tee", 270),)}
    world.set_up(before, Random(1))
    for step in Hands(world, Random(1), NEAT).carry_out(before, after)[0]:
        step.act()
    assert world.layout() == after


def test_every_slip_can_happen_and_changes_the_table(world):
    seen = set()
    for seed in range(300):
        before = {0: (TEE, RED), 1: (Piece("line"),)}
        after = {0: (TEE,), 3: (Piece("tee", 180), RED)}
        world.set_up(before, Random(1))
        steps, slip = Hands(world, Random(seed), NEAT, slips=1.0).carry_out(before, after)
        for step in steps:
            step.act()
        if slip:
            seen.add(slip)
            assert world.layout() != after, slip
    assert seen == set(SLIPS)


def test_people_can_put_right_what_went_wrong(world):
    after = {0: (TEE,), 3: (Piece("tee", 180), RED)}
    world.set_up({0: (Piece("tee", 180),), 4: (RED,), 5: (Piece("card"),)}, Random(1))
    for step in Hands(world, Random(1), NEAT).put_right(after):
        step.act()
    assert world.layout() == after


def test_differences_lead_the_players_cell_by_cell():
    found = differences({0: (TEE,), 1: (RED,)}, {0: (RED,), 2: (TEE,)})
    assert found == [Difference(0, (TEE,), (RED,)), Difference(1, (RED,), ()), Difference(2, (), (TEE,))]
    assert [(glow.cell, glow.meaning) for glow in guide(found).glows] == [
        (2, "remove"),
        (0, "wrong"),
        (1, "place"),
    ]
    assert differences({0: (TEE, RED)}, {0: (RED, TEE)}) == []


def test_figures_stand_beside_each_other_and_beside_a_token():
    game = load("whisper")
    world = World(game.board(game.resolve({})))
    room = world.board.cell("C4")
    for face in ("sophia", "noise", "william", "johnson"):
        world.lay(room, Piece(face), Random(1))
    there = world.at(room)
    apart = [
        ((a.x - b.x) ** 2 + (a.y - b.y) ** 2) ** 0.5 for i, a in enumerate(there) for b in there[i + 1 :]
    ]
    assert len(there) == 4
    assert min(apart) > 15
