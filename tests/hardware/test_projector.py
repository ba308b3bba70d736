"""The projector before the virtual camera: found by its markers, noticed when it was bumped."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.engine.errors import DeviceError
from companion.games import load
from companion.service.open_parts import virtual_camera
from companion.world.physical import World
from hardware import ledmap
from hardware.projector import BUMPED_MM, Screen
from vision.find import Finder
from vision.virtual import LedGlow

SIZE = (1920, 1080)
GAME = load("night_cage")
BOARD = GAME.board(GAME.resolve({}))
THROWS = {
    "straight": [(-60, -40), (640, -40), (640, 550), (-60, 550)],
    "keystone": [(-90, -50), (670, -50), (610, 560), (-30, 560)],
    "askew": [(-70, -20), (630, -80), (680, 570), (-40, 520)],
}
"""Where the corners of the projector's picture fall, in mm on the board."""


class Beam:
    """A projector that throws its picture askew onto the virtual table, and the camera above it."""

    def __init__(self, throw, seed: int) -> None:
        self.throw(throw)
        self.shown = []
        self.world = World(BOARD)
        self.camera = virtual_camera("night_cage", self.world, seed=seed, size=(1920, 1080), leds=self.glows)
        self.sight = Finder(BOARD).look(self.camera())

    def throw(self, corners) -> None:
        width, height = SIZE
        screen = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
        self.matrix = cv2.getPerspectiveTransform(screen, np.array(corners, np.float32))

    def glows(self):
        if not self.shown:
            return []
        points = np.array([[corner for quad in self.shown for corner in quad.corners]], float)
        at = cv2.perspectiveTransform(points, self.matrix)[0].reshape(-1, 4, 2)
        return [
            LedGlow(0.0, 0.0, quad.light, way="above", corners=tuple(map(tuple, corners)))
            for quad, corners in zip(self.shown, at.tolist(), strict=True)
        ]

    def show(self, quads) -> None:
        self.shown = list(quads)

    def mm(self, points):
        return self.sight.pose.millimetres(points)

    def px(self, points):
        return self.sight.pose.pixels(points)

    def found(self) -> Screen:
        screen = Screen(BOARD, SIZE)
        screen.find(self.show, self.camera, self.mm)
        return screen

    def off_px(self, screen: Screen) -> float:
        """How far off the middles of the places are, in pixels of the screen."""
        places = [(place.x, place.y) for place in BOARD.places]
        truth = cv2.perspectiveTransform(np.array([places], float), np.linalg.inv(self.matrix))[0]
        return float(np.hypot(*(screen.pixels(places) - truth).T).max())


@pytest.mark.slow
@pytest.mark.parametrize("name", THROWS)
def test_the_board_is_found_on_the_screen_within_two_pixels(name):
    beam = Beam(THROWS[name], seed=len(name))
    assert beam.off_px(beam.found()) < 2.0


@pytest.mark.slow
def test_a_bump_is_noticed_and_healed():
    beam = Beam(THROWS["keystone"], seed=3)
    screen = beam.found()
    beam.show(screen.dots())
    assert screen.drift_mm(beam.camera(), beam.px) < BUMPED_MM
    beam.throw([(x + 12, y - 8) for x, y in THROWS["keystone"]])
    picture = beam.camera()
    assert screen.drift_mm(picture, beam.px) > BUMPED_MM
    assert screen.find_again(picture, beam.px)
    beam.show(screen.dots())
    assert screen.drift_mm(beam.camera(), beam.px) < BUMPED_MM


@pytest.mark.slow
def test_light_falls_on_the_very_cells():
    beam = Beam(THROWS["askew"], seed=5)
    screen, led_map = beam.found(), ledmap.projector(BOARD)
    light = [(0.0, 0.0, 0.0)] * len(led_map.leds)
    cell = BOARD.cell("c3")
    for i, led in enumerate(led_map.leds):
        if led.cells[0][0] == cell:
            light[i] = (1.0, 1.0, 1.0)
    beam.show([])
    dark = beam.camera().astype(float).sum(-1)
    beam.show(screen.quads(led_map, light))
    brighter = beam.camera().astype(float).sum(-1) - dark
    rows, columns = np.nonzero(brighter > brighter.max() / 2)
    x, y = beam.mm([(columns.mean(), rows.mean())])[0]
    assert np.hypot(x - BOARD.places[cell].x, y - BOARD.places[cell].y) < 3


def test_a_projector_that_nobody_sees_is_said():
    with pytest.raises(DeviceError, match="sees 0 of the projector's markers"):
        Screen(BOARD, SIZE).find(lambda quads: None, lambda: np.zeros((90, 160, 3), np.uint8), lambda px: px)


def test_corners_set_by_hand_are_a_keystone():
    screen = Screen(BOARD, SIZE)
    corners = [(100.0, 50.0), (1800.0, 90.0), (1700.0, 1000.0), (150.0, 980.0)]
    screen.set_corners(corners, (BOARD.width, BOARD.height))
    assert np.allclose(screen.pixels([(0.0, 0.0), (BOARD.width, BOARD.height)]), [corners[0], corners[2]])
