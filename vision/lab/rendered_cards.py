"""Tables with marker cards, rendered: printed paper that is not quite flat, in light that is not ours."""

from __future__ import annotations

import cv2
import numpy as np

from companion.engine.layout import Board, Layout
from companion.engine.marker_cards import CARD_MM, CardPlace, among
from vision.images import Canvas, Image, Rng
from vision.lab.paint_art import SIZE, paper
from vision.lab.render import Sheet
from vision.lab.rendered import light_on, paper_light, printed_table, scene_of, webcam
from vision.marker import DICTIONARY
from vision.optics import LEVELS, PinholeCamera

_FINE = 8
"""Pixels for each millimetre of a card."""
_THICK_MM, _CURL_MM = 0.25, 0.8
"""Cards are that thick, and their middle stands up by this much at most."""


class RenderedCards:
    """A table with a board and marker cards that Mitsuba renders."""

    def __init__(self, board: Board, level: int, number: int, rng: Rng) -> None:
        self._board, self._level, self._rng = board, level, rng
        plain = among(board, ())  # the frame is not printed: cards lie around
        self._table = printed_table(plain, "judging", number, rng, is_thin=False)
        self._curl = {n: float(rng.uniform(0, _CURL_MM)) for n in range(1, 9)}

    def looks(
        self,
        cards: tuple[CardPlace, ...],
        layout: Layout,
        camera: PinholeCamera,
        count: int = 1,
        hidden: tuple[CardPlace, ...] = (),
    ) -> list[Image]:
        level, rng = self._level, self._rng
        scene = scene_of(self._table, layout, LEVELS[level], level, rng)
        printed = [self._sheet(card, print_card(card.number)) for card in cards]
        cloth = paper(rng, (60.0, 80.0, 90.0), 0.2)
        above = [self._sheet(card, np.asarray(cloth[:SIZE, :SIZE], np.uint8), 1.0) for card in hidden]
        light = light_on(scene._replace(grounds=(*scene.grounds, *printed, *above)), camera, level, rng)
        white = paper_light(light, camera, among(self._board, cards))
        return [webcam(light, white, level, rng) for _ in range(count)]

    def _sheet(self, card: CardPlace, picture: Image, above: float = 0.0) -> Sheet:
        flat = np.array(card.outline())
        corners = np.column_stack([flat, np.full(4, _THICK_MM + above)])
        return Sheet(corners, picture, self._curl[card.number])


def print_card(number: int) -> Canvas:
    """A card as it is printed: its two markers on white."""
    width, height = (round(side * _FINE) for side in CARD_MM)
    card = np.full((height, width, 3), 244, np.uint8)
    for marker in CardPlace(number, CARD_MM[0] / 2, CARD_MM[1] / 2, 0.0).markers():
        side = round(marker.size * _FINE)
        x, y = round(marker.x * _FINE), round(marker.y * _FINE)
        ink = np.clip(cv2.aruco.generateImageMarker(DICTIONARY, marker.id, side), 18, 244)
        card[y : y + side, x : x + side] = ink[..., None]
    return card
