"""Pawns told by their colour: a patch of it may be a pawn, the edge of what lies beside is none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.engine.layout import Face
from vision.embed import SIDE
from vision.standing import StandingPieces
from vision.teach import PIXELS, FaceLibrary

GROUND, YELLOW, WHITE = (90, 88, 86), (30, 180, 220), np.full(3, 230.0, np.float32)
DWARF = Face("dwarf", "pawn", 14, 14)
CARD_MM = (56.0, 87.0)


def dwarf() -> np.ndarray:
    picture = np.full((PIXELS, PIXELS, 3), GROUND, np.uint8)
    cv2.circle(picture, (PIXELS // 2, PIXELS // 2), PIXELS // 4, YELLOW, -1)
    return picture


def place(draw) -> np.ndarray:
    crop = np.full((SIDE, SIDE, 3), GROUND, np.uint8)
    draw(crop)
    return crop


def stands(crop):
    cv2.ellipse(
        crop, (SIDE // 2, SIDE // 2), (round(SIDE * 7 / 56), round(SIDE * 7 / 87)), 0, 0, 360, YELLOW, -1
    )


def edge_beside(crop):
    crop[: SIDE // 16, : round(SIDE * 0.7)] = YELLOW


@pytest.mark.parametrize(("draw", "is_there"), [(stands, True), (edge_beside, False)])
def test_the_edge_of_what_lies_beside_is_no_pawn(draw, is_there):
    """As it happened: the golden edge of a goal card was a dwarf on the bare place below it."""
    standing = StandingPieces([DWARF], FaceLibrary("some", {"dwarf": np.stack([dwarf()] * 3)}))
    hot = np.full((12, 12), 2.0, np.float32)
    trace = standing.traces(place(draw), hot, WHITE, None, CARD_MM)[0]
    assert (trace.area > 0.5 and trace.heat > 0) is is_there
