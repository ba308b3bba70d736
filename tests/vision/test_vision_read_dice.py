"""Dice in painted trays."""

import numpy as np
import pytest

from vision.dice import find_dice, read_dice, straight
from vision.lab.paint_art import Style
from vision.lab.paint_dice import dice_of, symbol_dice, throw


def judged(tray, taught=None):
    """Right, unsure and wrong dice of a tray."""
    seen = read_dice(tray.image, taught)
    right = unsure = wrong = 0
    for face, centre in zip(tray.faces, tray.centres, strict=True):
        near = [die for die in seen if np.hypot(*(np.array(die.centre) - centre)) < 15]
        if not near or near[0].face is None:
            unsure += 1
        elif near[0].face == face:
            right += 1
        else:
            wrong += 1
    return right, unsure, wrong


@pytest.mark.slow
@pytest.mark.parametrize("level", [0, 1, 2])
def test_pips_are_counted_and_none_is_wrong(level):
    rngs = [np.random.default_rng([seed, level]) for seed in range(8)]
    _, unsure, wrong = np.sum([judged(throw(dice_of(rng), 4, level, rng)) for rng in rngs], axis=0)
    assert wrong == 0
    assert unsure <= 3


def test_special_faces_are_read_as_they_were_taught():
    rng = np.random.default_rng(8)
    sides = symbol_dice(Style(31, "icons"), ("zero", "one", "three"))
    taught = {name: np.stack([art] * 2) for name, art in sides.items()}
    right, _, wrong = judged(throw(sides, 4, 1, rng), taught)
    assert wrong == 0
    assert right >= 3


@pytest.mark.slow
@pytest.mark.parametrize("family", ["blocks", "fields", "patterns"])
def test_faces_that_are_much_alike_are_told_by_their_pixels(family):
    rng = np.random.default_rng(9)
    sides = symbol_dice(Style(5001, family), ("zero", "one", "two", "three"))
    taught = {name: [] for name in sides}
    while any(len(some) < 3 for some in taught.values()):
        tray = throw(sides, 4, 1, rng)
        for face, centre in zip(tray.faces, tray.centres, strict=True):
            taught[face] += [
                straight(tray.image, spot)
                for spot in find_dice(tray.image)
                if np.hypot(*(np.array(spot.centre) - centre)) < 15
            ]
    pictures = {name: np.stack(some[:3]) for name, some in taught.items()}
    _, unsure, wrong = np.sum([judged(throw(sides, 4, 1, rng), pictures) for _ in range(6)], axis=0)
    assert wrong == 0
    assert unsure <= 1


def test_an_empty_tray_has_no_dice():
    rng = np.random.default_rng(2)
    assert find_dice(throw(dice_of(rng), 0, 1, rng).image) == []


def test_dice_that_touch_are_unsure():
    rng = np.random.default_rng(5)
    tray = throw(dice_of(rng), 3, 0, rng)
    x, y = tray.centres[0].astype(int)
    image = tray.image.copy()
    other = image[y - 30 : y + 30, x - 30 : x + 30].copy()
    image[y - 30 : y + 30, x + 25 : x + 85] = other
    here = [die for die in read_dice(image) if abs(die.centre[1] - y) < 12 and -10 < die.centre[0] - x < 90]
    assert all(die.face in (None, tray.faces[0]) for die in here)
