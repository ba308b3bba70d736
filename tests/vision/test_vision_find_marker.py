"""Single markers: exact edges, and recognition where the general search sees nothing."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.marker import likeness, pattern, recognise, sharpen, sharpen_all

TRUE = np.array([[60.3, 52.1], [91.8, 55.4], [89.2, 86.7], [57.9, 83.0]])


def seen(marker: int, blur: float = 0.0, noise: float = 0.0, contrast: float = 1.0) -> np.ndarray:
    """A marker on white paper, drawn eight times finer than the picture."""
    fine = 8
    large = cv2.resize(pattern(marker), None, fx=40, fy=40, interpolation=cv2.INTER_NEAREST)
    inner = np.array([[40, 40], [280, 40], [280, 280], [40, 280]], np.float32) - 0.5
    target = ((TRUE + 0.5) * fine - 0.5).astype(np.float32)
    size = (150 * fine, 140 * fine)
    warp = cv2.getPerspectiveTransform(inner, target)
    drawn = cv2.warpPerspective(large, warp, size, borderMode=cv2.BORDER_CONSTANT, borderValue=1.0)
    gray = cv2.resize(drawn, (150, 140), interpolation=cv2.INTER_AREA)
    if blur:
        gray = cv2.GaussianBlur(gray, (0, 0), blur)
    gray = 60 + 130 * contrast * gray + np.random.default_rng(1).normal(0, noise, gray.shape)
    return np.clip(gray, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("blur", [0.5, 1.0, 1.5])
def test_blur_does_not_shift_the_edges(blur):
    shrunk = TRUE.mean(axis=0) + (TRUE - TRUE.mean(axis=0)) * 0.93
    assert np.abs(sharpen(seen(3, blur, 3), shrunk) - TRUE).max() < 0.4


def test_several_markers_at_once_are_the_same_as_each_alone():
    image = seen(3, 1.0, 2)
    starts = np.stack([TRUE + 0.8, TRUE - 0.6])
    together = sharpen_all(image, starts)
    assert np.allclose(together[0], sharpen(image, starts[0]), atol=0.05)


def test_corners_without_edges_stay_where_they_are():
    blank = np.full((140, 150), 128, np.uint8)
    assert np.abs(sharpen(blank, TRUE) - TRUE).max() < 1


def test_a_marker_in_bad_light_is_recognised_near_its_place():
    image = seen(5, blur=1.8, noise=7, contrast=0.25)
    found = recognise(image, TRUE + np.array([7, -6]), 5)
    assert found is not None
    assert np.abs(found - TRUE).max() < 1.2


def test_another_marker_is_not_taken_for_it():
    image = seen(5, blur=1.0, noise=3)
    assert recognise(image, TRUE, 5) is not None
    assert [i for i in range(50) if i != 5 and recognise(image, TRUE, i) is not None] == []


def test_a_covered_marker_is_not_recognised():
    image = seen(5)
    cv2.fillConvexPoly(image, np.round(TRUE).astype(np.int32), 90)
    assert recognise(image, TRUE, 5) is None
    assert likeness(image, TRUE, 5) < 0.5


def test_noise_is_no_marker():
    rng = np.random.default_rng(2)
    blotches = cv2.GaussianBlur(rng.normal(128, 120, (140, 150)).astype(np.float32), (0, 0), 2)
    image = np.clip(128 + (blotches - 128) * 4, 0, 255).astype(np.uint8)
    assert [i for i in range(50) if recognise(image, TRUE, i) is not None] == []
