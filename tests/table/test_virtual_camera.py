"""The virtual camera: real pixels of the physical world."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from companion.engine.errors import DeviceError
from companion.engine.layout import Piece, Place, built
from companion.games import REGISTRY, load, load_art
from companion.world.physical import Slop, World
from vision.find import Finder, find
from vision.read import Reader
from vision.rectify import stack
from vision.settle import Settle
from vision.virtual import LedGlow, Tabletop, VirtualCamera, learn_from_art, raster


def table(key="onirim", **more):
    game = load(key)
    world = World(game.board(game.resolve({})))
    return world, VirtualCamera(world, load_art(key).draw, **more)


def shown(world, camera, cell):
    """What the camera shows of a place, straightened."""
    return stack(camera(), camera.eye, [world.board.places[cell]], 64)[0].astype(int)


@pytest.mark.slow
@pytest.mark.parametrize("key", REGISTRY)
def test_the_board_is_found_where_it_is(key):
    world, camera = table(key, level=1)
    pose = find(camera(), world.board)
    corners = [[0, 0], [world.board.width, world.board.height]]
    assert np.abs(pose.pixels(corners) - camera.eye.pixels(corners)).max() < 4


def test_a_piece_shows_its_art_where_it_lies_and_vanishes_when_taken():
    world, camera = table(level=0)
    bare = shown(world, camera, 5)
    card = world.lay(5, Piece("Bs"), Random(1))
    laid = shown(world, camera, 5)
    assert np.abs(laid - bare).mean() > 25
    assert laid[4:60, 4:60, 0].mean() > laid[4:60, 4:60, 2].mean() + 15, "a blue card is blue"
    world.take(card.id)
    assert np.abs(shown(world, camera, 5) - bare).mean() < 6


@pytest.mark.slow
def test_a_picture_mended_where_something_moved_is_the_picture_drawn_anew():
    world, camera = table("night_cage")
    rng = Random(5)
    for _ in range(6):
        world.lay(rng.randrange(36), Piece("straight", 90), rng, Slop(1.0, 3.0))
    mended, anew = (Tabletop(world, load_art("night_cage").draw, camera.eye, 1) for _ in range(2))
    for thing in world.things()[:3]:
        mended.picture()
        world.move(thing.id, thing.x + 70, thing.y + 30, 45)
    apart = np.abs(mended.picture().astype(int) - anew.picture())
    assert (apart > 4).mean() < 0.001


RED = (1.0, 0.1, 0.0)


def gain(world, leds, spot, *, level=2, key="onirim", exposure=1.0):
    """How much red and blue a spot gains when the LEDs are lit."""
    dark, lit = (
        VirtualCamera(
            world, load_art(key).draw, level=level, seed=3, leds=lambda on=on: on, exposure=exposure
        )
        for on in ([], leds)
    )
    before, after = (stack(camera(), camera.eye, [spot], 64)[0].astype(int) for camera in (dark, lit))
    blue, _, red = (after - before)[12:52, 12:52].reshape(-1, 3).mean(0)
    return red, blue


def test_no_light_comes_through_a_piece():
    world, _ = table()
    place = world.board.places[0]
    leds = [LedGlow(place.x, place.y, RED, way="under")]
    red, blue = gain(world, leds, place)
    assert red > 8 and red > blue + 5, "through bare paper it shows"
    world.lay(0, Piece("Ws"), Random(1))
    assert max(map(abs, gain(world, leds, place))) < 2


def test_the_light_of_a_projector_falls_on_the_pieces():
    world, _ = table()
    place = world.board.places[0]
    world.lay(0, Piece("Ws"), Random(1))
    red, blue = gain(world, [LedGlow(place.x, place.y, RED, 60.0, 80.0, "above")], place)
    assert red > 20 and red > blue + 10


def test_a_screen_below_glass_is_seen_between_the_rows_alone():
    game = load("night_cage")
    world = World(built(game.board(game.resolve({})), "glass"))
    lane, place = world.board.lanes[0], world.board.places[0]
    world.lay(0, Piece("cross"), Random(1))
    spot = Place("bar", place.x, lane.y, 50.0, 0.8 * lane.height)
    bright = [LedGlow(place.x, lane.y, RED, 60.0, lane.height, "glass")]
    below = [LedGlow(place.x, place.y, RED, 60.0, 60.0, "glass")]
    red, blue = gain(world, bright, spot, key="night_cage", exposure=0.2)
    assert red > 60 and red > blue + 30
    assert max(map(abs, gain(world, below, place, key="night_cage", exposure=0.2))) < 2


@pytest.mark.parametrize("build", ["rails", "halo"])
def test_light_leaves_a_lane_and_is_hidden_by_what_lies_on_it(build):
    game = load("night_cage")
    world = World(built(game.board(game.resolve({})), build))
    lane = world.board.lanes[0]
    spot = Place("bar", lane.x, lane.y, 0.8 * min(lane.width, 60.0), 0.8 * lane.height)
    leds = [LedGlow(lane.x, lane.y, RED, lane.width, lane.height, "lane")]
    red, blue = gain(world, leds, spot, key="night_cage", exposure=0.02)
    assert red > 60 and red > blue + 30
    beside = world.board.places[0]._replace(width=20.0, height=20.0)
    assert max(map(abs, gain(world, leds, beside, key="night_cage", exposure=0.02))) < 4
    world.put("pit", lane.x, lane.y, 0.0)
    assert max(map(abs, gain(world, leds, spot, key="night_cage", exposure=0.02))) < 2


def test_a_bar_gives_no_light_on_a_table_that_has_none():
    world, _ = table()
    place = world.board.places[0]
    assert max(map(abs, gain(world, [LedGlow(place.x, place.y, RED, 60.0, 12.0, "lane")], place))) < 2


@pytest.mark.slow
def test_a_lamp_that_is_mirrored_can_be_turned_away():
    world, camera = next(
        (world, camera)
        for world, camera in (table(level=3, seed=seed) for seed in range(20))
        if any(camera.is_glaring(place.x, place.y) for place in world.board.places)
    )
    spots = [i for i, place in enumerate(world.board.places) if camera.is_glaring(place.x, place.y)]
    before = [shown(world, camera, cell).mean() for cell in spots]
    camera.turn_lamp()
    assert not any(camera.is_glaring(place.x, place.y) for place in world.board.places)
    assert all(shown(world, camera, cell).mean() < was for cell, was in zip(spots, before, strict=True))


def test_faults_look_like_faults():
    world, camera = table()
    world.lay(0, Piece("Rs"), Random(1))
    usual = camera()
    camera.faults.frozen = True
    assert (camera() == camera()).all()
    camera.faults.frozen = False
    assert not (camera() == usual).all(), "a live picture has new noise"
    camera.faults.dark = True
    assert find(usual, world.board)
    with pytest.raises(DeviceError, match="black"):
        find(camera(), world.board)
    camera.faults.dark = False
    camera.faults.small = True
    assert camera().shape[:2] == (360, 640)
    camera.faults.small = False
    camera.faults.hand = True
    assert np.abs(camera().astype(int) - usual).mean() > 3
    camera.faults.unplugged = True
    with pytest.raises(DeviceError, match="unplugged"):
        camera()


def test_a_bump_moves_the_picture():
    world, camera = table(level=0)
    before = find(camera(), world.board).pixels([[0, 0]])
    camera.faults.bump_mm = 10.0
    after = find(camera(), world.board).pixels([[0, 0]])
    assert np.linalg.norm(after - before) > 5


def test_art_becomes_pixels_of_its_size_with_its_outline():
    picture, mask = raster(load_art("night_cage").draw("red"), 4.0)
    assert picture.shape == (100, 100, 3) and mask.shape == (100, 100)
    assert mask[0, 0] == 0 and mask[50, 50] == 255
    b, g, r = picture[50, 18].astype(int)
    assert r > b + 60 and r > g + 60


@pytest.mark.slow
def test_our_own_art_can_be_taught_from_the_virtual_table():
    world, _ = table()
    teach = learn_from_art("onirim", world, load_art("onirim").draw)
    assert set(teach.pictures) == {face.name for face in world.board.faces}
    assert all(len(pictures) == 3 for pictures in teach.pictures.values())


def test_a_bright_card_by_the_edge_is_no_hand_and_a_hand_is_one():
    world, camera = table("onirim", level=1)
    finder, watching = Finder(world.board), Settle()

    def calm(time_s):
        image = camera()
        return watching.look(image, finder.look(image), time_s)

    calm(0.0)
    watching.accept()
    world.lay(world.board.cell("strip5"), Piece("Bm"), Random(1))
    assert not calm(1.0).hand
    world.hands = ((200.0, 150.0),)
    assert calm(2.0).hand


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_survivors_who_stand_together_with_the_killer_are_all_seen(seed):
    world, camera = table("whisper", level=1, seed=seed)
    read = Reader(learn_from_art("whisper", world, load_art("whisper").draw), world.board).read
    together = {0: {"anna", "marco", "johnson"}, 7: {"sophia", "william", "specter"}}
    for cell, names in together.items():
        for name in sorted(names):
            world.lay(cell, Piece(name), Random(seed), Slop(0.7, 1.2))
    seen = read(camera(), find(camera(), world.board)).readings
    likeliest = {cell: {piece.face for piece in seen[cell].guesses[0][0]} for cell in together}
    assert likeliest == together
