"""Pawns told by their colour: a patch of it may be a pawn, the edge of what lies beside is none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.engine.layout import Face
from vision.embed import SIDE
from vision.overlay import Template, overlay
from vision.standing import StandingPieces
from vision.teach import PIXELS, FaceLibrary

GROUND, YELLOW, PINK, WHITE = (90, 88, 86), (30, 180, 220), (140, 80, 215), np.full(3, 230.0, np.float32)
DWARF = Face("dwarf", "pawn", 14, 14)
CARD_MM = (56.0, 87.0)


def dwarf(colour=YELLOW) -> np.ndarray:
    picture = np.full((PIXELS, PIXELS, 3), GROUND, np.uint8)
    cv2.circle(picture, (PIXELS // 2, PIXELS // 2), PIXELS // 4, colour, -1)
    return picture


def place(draw) -> np.ndarray:
    crop = np.full((SIDE, SIDE, 3), GROUND, np.uint8)
    draw(crop)
    return crop


def stands(crop, colour=YELLOW):
    foot = (round(SIDE * 7 / 56), round(SIDE * 7 / 87))
    cv2.ellipse(crop, (SIDE // 2, SIDE // 2), foot, 0, 0, 360, colour, -1)


def edge_beside(crop):
    crop[: SIDE // 16, : round(SIDE * 0.7)] = YELLOW


@pytest.mark.parametrize(("draw", "is_there"), [(stands, True), (edge_beside, False)])
def test_the_edge_of_what_lies_beside_is_no_pawn(draw, is_there):
    """As it happened: the golden edge of a goal card was a dwarf on the bare place below it."""
    standing = StandingPieces([DWARF], FaceLibrary("some", {"dwarf": np.stack([dwarf()] * 3)}))
    hot = np.full((12, 12), 2.0, np.float32)
    trace = standing.traces(place(draw), hot, WHITE, None, CARD_MM)[0]
    assert (trace.area > 0.5 and trace.heat > 0) is is_there


def test_a_piece_that_is_brighter_than_the_paper_of_the_markers_keeps_its_colour():
    """As it happened: heroes nearer to the lamp than the paper were of no colour that was taught."""
    standing = StandingPieces([DWARF], FaceLibrary("some", {"dwarf": np.stack([dwarf(PINK)] * 3)}))
    hot = np.full((12, 12), 2.0, np.float32)
    paper = np.full(3, 100.0, np.float32)
    trace = standing.traces(place(lambda crop: stands(crop, PINK)), hot, paper, None, CARD_MM)[0]
    assert trace.area > 0.5


def test_on_a_place_that_was_seen_bare_what_is_printed_there_does_not_stand():
    standing = StandingPieces([DWARF], FaceLibrary("some", {"dwarf": np.stack([dwarf()] * 3)}))
    cold = np.full((12, 12), -3.0, np.float32)
    printed = place(lambda crop: cv2.circle(crop, (SIDE // 2, SIDE // 2), SIDE // 4, (20, 60, 20), -1))
    unknown = standing.traces(printed, cold, WHITE, None, CARD_MM)[-1]
    ground = overlay(Template.of(printed[None]), printed)
    known = standing.traces(printed, cold, WHITE, ground, CARD_MM, is_ground=True)[-1]
    assert unknown.area > 1 and known.area < 0.1
