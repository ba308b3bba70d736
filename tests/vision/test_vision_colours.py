"""Colours of a photograph, linked to those of the taught pictures by the pieces that are made out clearly."""

import numpy as np

from vision.colours import ColourLink, log_colours

LIGHT = np.array([0.7, 0.9, 1.0])


def plain(colour, light=1.0):
    return np.full((48, 48, 3), np.array(colour) * light, np.uint8)


def linked(number=4):
    """A link by some faces that lie in dim, yellow light."""
    link = ColourLink()
    for i, colour in enumerate([(60, 60, 180), (160, 90, 60), (80, 150, 90), (200, 200, 210)][:number]):
        link.note(i, f"face{i}", log_colours(plain(colour, LIGHT)), log_colours(plain(colour)))
    return link


def test_a_plain_face_in_the_light_of_the_others_has_its_colour():
    taught, seen = log_colours(plain((120, 110, 110))), log_colours(plain((120, 110, 110), LIGHT))
    assert linked().distance("grey", seen, taught) < 1


def test_a_plain_face_of_another_colour_has_not():
    taught, seen = log_colours(plain((120, 110, 110))), log_colours(plain((160, 110, 90), LIGHT))
    assert linked().distance("grey", seen, taught) > 3


def test_few_faces_say_nothing_about_the_light():
    taught, seen = log_colours(plain((120, 110, 110))), log_colours(plain((160, 110, 90), LIGHT))
    assert linked(2).distance("grey", seen, taught) == 0
