"""The sheet of marker cards: one page of A4, measured in pixels of the rendered PDF."""

from __future__ import annotations

import cv2
import numpy as np
import pypdfium2
import pytest

from companion.engine.layout import DICTIONARY
from companion.engine.marker_cards import APART_MM, CARD_MARKER_MM, CARDS, card_markers, card_of
from companion.service.cli import main

PX = 6.0
"""Pixels per millimetre."""


def test_all_cards_are_on_one_page_with_markers_as_large_and_as_far_apart_as_the_eyes_believe(tmp_path):
    path = tmp_path / "cards.pdf"
    assert main(["print", "cards", "--language", "ru", "--out", str(path)]) == 0
    document = pypdfium2.PdfDocument(path)
    assert len(document) == 1 and document[0].get_size() == pytest.approx((595, 842), abs=1)
    image = np.asarray(document[0].render(scale=PX * 25.4 / 72).to_pil().convert("L"))
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(image)
    found = {int(i): c[0] / PX for i, c in zip(ids.ravel(), corners, strict=True)}
    assert sorted(found) == sorted(card_markers()) and len(found) == 2 * CARDS
    for marker, seen in found.items():
        sides = np.linalg.norm(np.roll(seen, -1, axis=0) - seen, axis=1)
        assert sides == pytest.approx([CARD_MARKER_MM] * 4, abs=0.3)
        if card_of(marker + 1) == card_of(marker):
            away = found[marker + 1].mean(axis=0) - seen.mean(axis=0)
            assert away == pytest.approx([APART_MM, 0], abs=0.1)
