"""Taught pictures laid over crops: what they leave unexplained, and what tells two faces apart."""

import cv2
import numpy as np

from vision.embed import SIDE
from vision.lab.paint_art import Style
from vision.overlay import Template, discriminate, overlay, unexplained


def face(number, side=SIDE):
    art = Style(12, "corridors").art(number)
    return cv2.resize(art, (side, side), interpolation=cv2.INTER_AREA)


def askew(picture, turn=3.0, shift=1.5, light=0.6):
    """The picture as a camera may find it: turned, shifted, in dimmer light from one side."""
    matrix = cv2.getRotationMatrix2D((SIDE / 2, SIDE / 2), turn, 1.0)
    matrix[:, 2] += shift
    moved = cv2.warpAffine(picture, matrix, (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE)
    return (moved * light * np.linspace(1, 0.8, SIDE)[:, None, None]).astype(np.uint8)


def with_sign(picture, at):
    """The picture with one small sign more."""
    changed = picture.copy()
    cv2.circle(changed, at, 4, (60, 200, 250), -1)
    return changed


def laid_over(crop, *pictures, hidden=None):
    """A face that was taught with these pictures, overlaid on a crop."""
    return overlay(Template.of(np.stack(pictures)), crop, hidden)


def test_a_picture_explains_itself_askew_and_in_other_light():
    crop = askew(face(0))
    laid = laid_over(crop, face(0))
    assert np.quantile((unexplained(laid, crop) * laid.shown)[4:-4, 4:-4], 0.99) < 0.06


def test_what_stands_on_a_face_is_left_unexplained():
    crop = askew(face(0))
    cv2.circle(crop, (24, 20), 8, (30, 30, 190), -1)
    rest = unexplained(laid_over(crop, face(0)), crop)
    disc = np.hypot(*(np.mgrid[0:SIDE, 0:SIDE] - np.array([20, 24])[:, None, None])) < 6
    assert np.median(rest[disc]) > 0.15
    assert np.median(rest[~disc]) < 0.03


def test_faces_that_differ_in_a_small_sign_are_told_apart():
    one, other = with_sign(face(0), (12, 36)), with_sign(face(0), (36, 12))
    for turn in (-3.0, 0.0, 3.0):
        crop = askew(one, turn)
        a, b = laid_over(crop, one), laid_over(crop, other)
        for_one, for_other = discriminate(crop, [a, b])
        assert for_one > 0.6
        assert for_other < -0.6


def test_faces_that_are_the_same_are_not_told_apart():
    crop = askew(face(0))
    a, b = laid_over(crop, face(0)), laid_over(crop, face(0), face(0))
    assert abs(discriminate(crop, [a, b])[0]) < 0.2


def test_a_difference_that_is_hidden_tells_nothing():
    one, other = with_sign(face(0), (24, 24)), face(0)
    hidden = np.zeros((SIDE, SIDE), bool)
    hidden[12:36, 12:36] = True
    crop = askew(one, 0.0, 0.0)
    a, b = laid_over(crop, one, hidden=hidden), laid_over(crop, other, hidden=hidden)
    assert abs(discriminate(crop, [a, b])[0]) < 0.5


def test_pictures_of_one_face_that_lie_differently_are_averaged_as_the_first_lies():
    together = Template.of(np.stack([face(0), askew(face(0)), askew(face(0), -2.0, -1.0, 0.8)]))
    apart = np.abs(together.picture.astype(int) - face(0))[4:-4, 4:-4]
    assert np.quantile(apart, 0.95) < 16


def test_a_picture_that_cannot_be_laid_onto_the_first_makes_no_ghost_of_it():
    """As it happened: the top of a tower lay elsewhere in each photograph, and their mean was no tower."""
    first = face(0)
    leaning = [np.roll(first, way, axis=(0, 1)) for way in ((11, 9), (-10, 12))]
    crop = askew(first)
    laid = laid_over(crop, first, *leaning)
    assert np.quantile((unexplained(laid, crop) * laid.shown)[4:-4, 4:-4], 0.99) < 0.06
    assert np.array_equal(Template.of(np.stack([first, *leaning])).picture, first)
