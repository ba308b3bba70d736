"""Cards on a bare table, without a frame."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.engine.errors import DeviceError
from vision.loose import find_cards

WIDTH, HEIGHT = 44.0, 67.0


def card_face(rng: np.random.Generator, light: bool) -> np.ndarray:
    """A face 176×268: a border, a printed frame inside, some art."""
    face = np.full((268, 176, 3), 235 if light else 30, np.uint8)
    cv2.rectangle(face, (14, 14), (161, 253), [int(v) for v in rng.integers(40, 210, 3)], -1)
    for _ in range(8):
        ink = [int(v) for v in rng.integers(0, 255, 3)]
        cv2.circle(face, tuple(int(v) for v in rng.integers(30, 140, 2)), int(rng.integers(8, 40)), ink, -1)
    return face


def table(seed: int, n: int, light: bool = True, slant: float = 0.0, noise: float = 4.0):
    """A table with cards strewn on a loose grid; returns the picture and the cards' true corners."""
    rng = np.random.default_rng(seed)
    ground = cv2.resize(
        rng.normal(0, 1, (90, 160)).astype(np.float32), (1280, 720), interpolation=cv2.INTER_CUBIC
    )
    base = rng.integers(50, 100, 3) if light else rng.integers(130, 190, 3)
    picture = np.clip(base + ground[..., None] * 7, 0, 255).astype(np.uint8)
    truth = []
    for i in range(n):
        x, y = 180 + 230 * (i % 5) + rng.uniform(-20, 20), 190 + 340 * (i // 5) + rng.uniform(-20, 20)
        a = np.radians(rng.uniform(-35, 35))
        turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
        corners = np.array([[-55, -84], [55, -84], [55, 84], [-55, 84.0]]) @ turn + (x, y)
        face = card_face(rng, light)
        frame = np.array([[0, 0], [176, 0], [176, 268], [0, 268]], np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(frame, corners.astype(np.float32))
        mask = cv2.warpPerspective(np.full(face.shape[:2], 255, np.uint8), warp, (1280, 720))
        drawn = cv2.warpPerspective(face, warp, (1280, 720), borderMode=cv2.BORDER_REPLICATE)
        picture = np.where(mask[..., None] > 127, drawn, picture)
        truth.append(corners)
    rim = np.array([[0, 0], [1280, 0], [1280, 720], [0, 720]], np.float32)
    leaning = rim + np.array(
        [[slant * 200, slant * 80], [-slant * 200, slant * 80], [0, 0], [0, 0]], np.float32
    )
    view = cv2.getPerspectiveTransform(rim, leaning)
    picture = cv2.warpPerspective(picture, view, (1280, 720), borderMode=cv2.BORDER_REPLICATE)
    picture = cv2.GaussianBlur(picture, (0, 0), 0.9) + rng.normal(0, noise, picture.shape)
    seen = [
        cv2.perspectiveTransform(c.reshape(-1, 1, 2), view.astype(np.float64)).reshape(4, 2) for c in truth
    ]
    return np.clip(picture, 0, 255).astype(np.uint8), seen


def away(card, truth):
    """The largest corner error to the nearest true card, whichever end is up."""
    return min(
        np.linalg.norm(np.roll(card.corners, k, axis=0) - corners, axis=1).max()
        for corners in truth
        for k in (0, 2)
    )


@pytest.mark.slow
@pytest.mark.parametrize("light", [True, False])
@pytest.mark.parametrize("slant", [0.0, 0.5])
def test_strewn_cards_are_all_found_and_nothing_else(light, slant):
    picture, truth = table(3, 9, light, slant)
    cards = find_cards(picture, WIDTH, HEIGHT)
    assert len(cards) == 9
    assert max(away(card, truth) for card in cards) < 4


@pytest.mark.slow
def test_cards_come_in_reading_order():
    picture, truth = table(4, 10)
    middles = [card.corners.mean(axis=0) for card in find_cards(picture, WIDTH, HEIGHT)]
    want = [corners.mean(axis=0) for corners in truth]
    assert np.abs(np.array(middles) - want).max() < 4


def test_a_found_card_is_cut_out_straight():
    picture, _ = table(5, 1)
    card = find_cards(picture, WIDTH, HEIGHT)[0]
    face = card.picture(picture, 88, 134)
    want = card_face_of(5)
    likeness = [np.corrcoef(np.rot90(face, k).ravel(), want.ravel())[0, 1] for k in (0, 2)]
    assert max(likeness) > 0.93


def card_face_of(seed: int) -> np.ndarray:
    """The face of the first card of a table, at the size of the cut."""
    rng = np.random.default_rng(seed)
    rng.normal(0, 1, (90, 160))
    rng.integers(50, 100, 3)
    rng.uniform(-20, 20), rng.uniform(-20, 20), rng.uniform(-35, 35)
    return cv2.resize(card_face(rng, True), (88, 134), interpolation=cv2.INTER_AREA)


def test_a_bare_table_has_no_cards():
    picture, _ = table(6, 0)
    assert find_cards(picture, WIDTH, HEIGHT) == []


def test_pieces_of_other_proportions_are_no_cards():
    picture, _ = table(7, 0)
    picture[100:220, 300:420] = 240
    picture[300:340, 300:700] = 240
    assert find_cards(picture, WIDTH, HEIGHT) == []


def test_a_black_picture_is_refused():
    with pytest.raises(DeviceError, match="black"):
        find_cards(np.zeros((720, 1280, 3), np.uint8), WIDTH, HEIGHT)
