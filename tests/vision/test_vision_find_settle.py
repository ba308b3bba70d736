"""Waiting for a quiet table, judging several looks, and showing and saying what was seen."""

from __future__ import annotations

from contextlib import contextmanager
from random import Random

import cv2
import numpy as np
import pytest
from vision_find_table import drawing, photograph, small_board

from companion.engine.action import TABLE
from companion.engine.chance import weighted
from companion.engine.errors import DeviceError
from companion.engine.layout import Piece
from companion.engine.observation import (
    Mismatch,
    NoChange,
    Observation,
    Played,
    Reading,
)
from companion.games import load
from vision.camera import Frame
from vision.debug import draw
from vision.eyes import Eyes
from vision.find import Finder, find
from vision.settle import LEFT_S, LONG_S, STILL_S, Settle

BOARD = small_board()
PICTURE = drawing(BOARD, np.random.default_rng(1))
PHOTO = photograph(BOARD, 20, 2, picture=PICTURE, noise_seed=0)


def frame(noise: int, light: float = 1.0) -> np.ndarray:
    """The same table again, with other noise and maybe other light."""
    rng = np.random.default_rng(noise)
    spoiled = PHOTO.image * light + rng.normal(0, 3, PHOTO.image.shape)
    return np.clip(spoiled, 0, 255).astype(np.uint8)


def with_hand(image: np.ndarray, reach: float = 0.4) -> np.ndarray:
    """An arm that reaches in from the lower edge."""
    height, width = image.shape[:2]
    top, middle = int(height * (1 - reach)), width // 2 + 60
    arm = np.array([(middle - 70, height), (middle - 50, top), (middle + 50, top), (middle + 70, height)])
    return cv2.fillConvexPoly(image.copy(), arm, (120, 150, 210))


def with_tile(image: np.ndarray, name: str, colour) -> np.ndarray:
    """Another tile at a place."""
    place = BOARD.places[BOARD.cell(name)]
    square = [(place.x + dx, place.y + dy) for dx, dy in ((-22, -22), (22, -22), (22, 22), (-22, 22))]
    return cv2.fillConvexPoly(image.copy(), PHOTO.truth(square).astype(np.int32), colour)


def settle(*images, step_s=0.1):
    """The calm after frames a tenth of a second apart."""
    finder, watching, calm = Finder(BOARD), Settle(), None
    for i, image in enumerate(images):
        calm = watching.look(image, finder.look(image), i * step_s)
        if calm.is_settled():
            watching.accept()
    return calm


REST = [frame(i) for i in range(8)]


def test_noise_alone_is_stillness():
    assert settle(*REST).is_settled()


@pytest.mark.slow
def test_flickering_light_is_no_motion():
    lights = [frame(i, 1 + 0.25 * (i % 3 - 1)) for i in range(8)]
    assert settle(*lights).is_settled()


def test_a_tile_that_is_laid_breaks_the_stillness():
    laid = with_tile(REST[0], "c3", (250, 240, 230))
    calm = settle(*REST, laid)
    assert calm.still_s == 0


def test_even_a_pawn_breaks_the_stillness():
    x, y = PHOTO.truth([(BOARD.places[14].x, BOARD.places[14].y)])[0].astype(int)
    pawn = cv2.circle(
        REST[0].copy(), (int(x), int(y)), round(9 * find(PHOTO.image, BOARD).scale()), (30, 30, 220), -1
    )
    assert settle(*REST, pawn).still_s == 0


def test_a_laid_tile_is_no_hand():
    laid = with_tile(REST[0], "c3", (250, 240, 230))
    assert not settle(*REST, laid).hand


def test_a_resting_hand_keeps_the_table_unsettled():
    hand = with_hand(REST[0])
    calm = settle(*REST, *[hand] * 12)
    assert calm.hand
    assert calm.still_s > STILL_S
    assert not calm.is_settled()


def test_the_table_settles_after_the_hand_has_left():
    laid = with_tile(REST[0], "c3", (250, 240, 230))
    assert settle(*REST, *[with_hand(laid)] * 3, *[laid] * 8).is_settled()


def test_something_left_on_the_rim_is_accepted_in_the_end():
    hand = with_hand(REST[0], 0.15)
    assert settle(*REST, *[hand] * 12, step_s=LEFT_S / 10).is_settled()


def test_a_move_that_may_go_on_is_given_more_time():
    calm = settle(*REST)
    assert calm.is_settled() and not calm.is_settled(could_go_on=True)
    assert settle(*REST, step_s=LONG_S / 4).is_settled(could_go_on=True)


# Eyes ---------------------------------------------------------------------------------------------

GAME = load("night_cage")
OPTIONS = GAME.resolve({"deck": "physical"})


class Script:
    """A camera that plays prepared frames, a fifth of a second apart."""

    def __init__(self, *images) -> None:
        self.images, self.number = images, -1

    def read(self, after_s=float("-inf")):
        self.number += 1
        if self.number >= len(self.images):
            return None
        return Frame(self.images[self.number], self.number * 0.2, self.number)

    def close(self) -> None:
        pass


class Knows:
    """A reader that knows what lies on the table."""

    def __init__(self, layout) -> None:
        self.layout, self.frames = layout, 0
        self.learned = set()

    def read(self, image, pose, prior=None):
        self.frames += 1
        cells = range(len(GAME.board(OPTIONS).places))
        sure = {cell: tuple(self.layout.get(cell, ())) for cell in cells}
        return Observation({cell: Reading(p, 0.99, ((p, 0.99),)) for cell, p in sure.items()})

    def learn_bare(self, cells):
        self.learned.update(cells)


def positions():
    """A position in which a draw is due, and the one after it."""
    state, rng = GAME.start(OPTIONS), Random(3)
    while state.needs()[0].seat != TABLE:
        state.apply(state.needs()[0].seat, rng.choice(state.actions(state.needs()[0].seat)))
    after = state.copy()
    after.apply(TABLE, weighted(after.outcomes(), rng))
    return state, after


def layout_of(state):
    return GAME.layout(GAME.view(state, GAME.camera(OPTIONS)))


def run(eyes, steps):
    for _ in range(steps):
        eyes.step()


def test_eyes_say_nothing_before_the_table_rests():
    before, after = positions()
    eyes = Eyes(Script(*REST), Finder(BOARD), Knows(layout_of(after)))
    run(eyes, 3)
    assert eyes.judge(GAME, before, OPTIONS) is None


def test_eyes_say_what_was_played_after_two_looks():
    before, after = positions()
    eyes = Eyes(Script(*REST), Finder(BOARD), Knows(layout_of(after)))
    run(eyes, 5)
    assert len(eyes.looks) == 2
    result = eyes.judge(GAME, before, OPTIONS)
    assert isinstance(result, Played)
    assert result.line[0][0] == TABLE


def test_eyes_say_no_change_at_once():
    before, _ = positions()
    eyes = Eyes(Script(*REST), Finder(BOARD), Knows(layout_of(before)))
    run(eyes, 5)
    assert eyes.judge(GAME, before, OPTIONS) == NoChange()


def test_places_that_are_bare_by_the_rules_are_known_once_the_table_is_right():
    before, after = positions()
    lies = layout_of(before)
    reader = Knows(lies)
    eyes = Eyes(Script(*REST, *REST), Finder(BOARD), reader)
    run(eyes, 5)
    assert eyes.judge(GAME, before, OPTIONS) == NoChange()
    assert reader.learned == {cell for cell in eyes.looks[0].readings if not lies.get(cell)}
    reader.learned.clear()
    reader.layout = layout_of(after)
    run(eyes, 5)
    eyes.judge(GAME, before, OPTIONS)
    assert not reader.learned  # only where all lies as it should


def test_eyes_complain_only_after_patience():
    before, _ = positions()
    wrong = dict(layout_of(before)) | {0: (Piece("gate"),), 35: (Piece("gate"),)}
    eyes = Eyes(Script(*REST, *REST), Finder(BOARD), Knows(wrong))
    run(eyes, 5)
    assert eyes.judge(GAME, before, OPTIONS) is None
    run(eyes, 8)
    assert isinstance(eyes.judge(GAME, before, OPTIONS), Mismatch)


def test_a_resting_table_is_not_read_all_the_time():
    before, _ = positions()
    reader = Knows(layout_of(before))
    eyes = Eyes(Script(*REST, *REST), Finder(BOARD), reader)
    run(eyes, 16)
    assert reader.frames < 9
    assert len(eyes.looks) == 5


def test_motion_forgets_the_looks():
    before, _ = positions()
    moved = with_tile(REST[0], "d4", (250, 240, 230))
    eyes = Eyes(Script(*REST, moved), Finder(BOARD), Knows(layout_of(before)))
    run(eyes, 9)
    assert eyes.looks == ()


class Turns:
    """A reader that sees one place otherwise each time; what comes last stays so."""

    def __init__(self, cell, *readings) -> None:
        self.cell, self.readings = cell, list(readings)

    def read(self, image, pose, prior=None):
        now = self.readings.pop(0) if len(self.readings) > 1 else self.readings[0]
        return Observation({self.cell: now})

    def learn_bare(self, cells):
        pass


def test_a_piece_laid_while_a_look_was_blurred_forgets_the_looks_before_it():
    """As it happened: a nugget, half in the picture and then wholly, was outvoted by the looks before it."""
    bare, half, laid = Reading((), 0.99), Reading(None, 0.03), Reading((Piece("key"),), 0.99)
    eyes = Eyes(Script(*REST, *REST), Finder(BOARD), Turns(0, bare, bare, half, laid))
    run(eyes, 8)
    assert {look.readings[0] for look in eyes.looks} == {laid}


def test_a_frame_without_a_board_is_a_sentence_not_an_error():
    eyes = Eyes(Script(np.full_like(REST[0], 90)), Finder(BOARD), Knows({}))
    assert "No board" in eyes.step().trouble
    assert eyes.step() is None


def test_the_lights_are_dimmed_for_the_reading_frame_only():
    dimmed = []

    @contextmanager
    def dim():
        dimmed.append(camera.number)
        yield

    camera = Script(*REST)
    reader = Knows({})
    eyes = Eyes(camera, Finder(BOARD), reader, dim)
    run(eyes, 4)
    assert dimmed == [3]
    assert eyes.looks[0].time_s == pytest.approx(0.8)


# Showing and saying -------------------------------------------------------------------------------


def test_the_debug_picture_marks_what_was_seen():
    pose = find(PHOTO.image, BOARD)
    tile = (Piece("tile", 90),)
    seen = Observation({0: Reading(tile, 0.98), 1: Reading(None, 0.4, ((tile, 0.4),)), 2: Reading((), 0.99)})
    picture = draw(PHOTO.image, pose, seen, "test")
    assert picture.shape == PHOTO.image.shape
    inside = [pose.pixels([(BOARD.places[c].x, BOARD.places[c].y)])[0].astype(int) for c in (0, 1, 35)]
    changed = [
        np.abs(picture.astype(int) - PHOTO.image).max(axis=2)[y - 40 : y + 40, x - 40 : x + 40]
        for x, y in inside
    ]
    assert (changed[0] > 40).sum() > (changed[2] > 40).sum()


def test_a_lost_camera_reaches_whoever_asked():
    class Gone:
        def read(self, after_s=0.0):
            raise DeviceError("camera usb:0 sends no picture")

    with pytest.raises(DeviceError, match="no picture"):
        Eyes(Gone(), Finder(BOARD), Knows({})).step()
