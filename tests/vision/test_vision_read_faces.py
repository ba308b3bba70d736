"""Closer looks at taught faces: how pixels agree with them, and where they are looked for."""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np
import pytest

from companion.engine.layout import Face
from vision.embed import embed
from vision.faces import (
    _EPSILON,
    _SLACK,
    MARGIN,
    PRINT,
    STRAIGHT,
    WIDE,
    Look,
    _print,
    close_look,
    refine,
    sizes,
)
from vision.lab.paint_art import Style
from vision.teach import PIXELS, FaceLibrary

MM = 32
STYLE = Style(9, "icons")


def art(number):
    return cv2.resize(STYLE.art(number), (PIXELS, PIXELS), interpolation=cv2.INTER_AREA)


def size_of(kind):
    faces = [Face(f"face{i}", kind, MM, MM) for i in range(4)]
    (size,) = sizes(
        faces, FaceLibrary("mine", {face.name: np.stack([art(i)] * 2) for i, face in enumerate(faces)})
    )
    return size


def look_at(size, off_mm):
    """A look at the first face, which lies so far to the right of where it should."""
    whole = round(WIDE / (1 + 2 * MARGIN))
    wide = np.full((WIDE, WIDE, 3), 90, np.uint8)
    left = round((WIDE - whole) / 2 + off_mm * whole / MM)
    top = (WIDE - whole) // 2
    wide[top : top + whole, left : left + whole] = cv2.resize(
        art(0), (whole, whole), interpolation=cv2.INTER_AREA
    )
    seen = embed(close_look(wide, STRAIGHT)[None])
    return Look.at(size, seen.code[0], size.likeness(seen.code)[0], float(seen.bare[0]), seen.heat[0], wide)


@pytest.mark.slow
@pytest.mark.parametrize("is_hidden", [False, True])
def test_pixels_agree_as_they_do_at_the_best_shift(is_hidden):
    size, crop = size_of("trap"), close_look(look_at(size_of("trap"), 1.5).wide, STRAIGHT)
    hidden = np.zeros(crop.shape[:2], bool)
    hidden[10:30, 5:25] = is_hidden
    shown = cv2.resize((~hidden).astype(np.float32), (PRINT, PRINT), interpolation=cv2.INTER_AREA)
    seen, inner, best = _print(crop), PRINT - 2 * _SLACK, -1.0
    for quarter, x, y in product(range(4), range(2 * _SLACK + 1), range(2 * _SLACK + 1)):
        picture = np.rot90(cv2.resize(art(0), crop.shape[:2], interpolation=cv2.INTER_AREA), -quarter)
        taught = _print(picture)[_SLACK:-_SLACK, _SLACK:-_SLACK]
        here, weight = seen[y : y + inner, x : x + inner], shown[y : y + inner, x : x + inner, None] ** 2
        power = (weight * here**2).sum() * (weight * taught**2).sum()
        best = max(best, float((weight * here * taught).sum() / np.sqrt(power + _EPSILON)))
    assert size.agreement(crop, [0], hidden if is_hidden else None)[0] == pytest.approx(best, abs=1e-4)


def test_the_top_of_something_tall_is_looked_for_further_from_where_it_stands():
    flat, tall = (refine(look_at(size_of(kind), 4.5), None) for kind in ("trap", "figure"))
    assert int(tall.score().argmax()) == 0
    assert tall.score()[0] > flat.score()[0] + 0.1
