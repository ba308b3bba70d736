"""Bare ground: known from the board itself, and compared in colour and brightness."""

import numpy as np
import pytest

from vision.ground import BareGround, SpotLook, ground_colours

WHITE = np.full(3, 230, np.float32)
SPOT = (0, 50.0, 50.0)


def ground(colour=(90, 110, 120), light=1.0):
    """A place of one colour with a darker ring printed on it."""
    y, x = np.mgrid[0:68, 0:68] - 33.5
    ring = np.abs(np.hypot(x, y) - 20) < 4
    place = np.where(ring[..., None], 0.6, 1.0) * np.array(colour) * light
    return place.clip(0, 255).astype(np.uint8)


def colours(picture, light=1.0, hidden=None):
    return ground_colours(picture, WHITE * np.float32(light), hidden)


def look(picture):
    return SpotLook(colours(picture), picture, (25.0, 25.0))


@pytest.fixture
def known():
    """Ground that was seen bare once."""
    bare = BareGround()
    bare.remember({SPOT: look(ground())})
    return bare


def test_a_place_that_was_seen_bare_matches_itself_in_dimmer_light(known):
    found = known.match(SPOT, colours(ground(light=0.6), light=0.6))
    assert found.is_known
    assert max(found.pattern, found.brightness) < 0.03


def test_a_sheet_of_another_colour_is_no_ground(known):
    assert known.match(SPOT, colours(ground(colour=(120, 110, 90)))).pattern > 0.2


def test_a_sheet_of_another_shade_is_no_ground(known):
    assert known.match(SPOT, colours(ground(light=1.5))).brightness > 0.3


def test_what_is_hidden_does_not_count(known):
    place, hidden = ground(), np.zeros((48, 48), bool)
    place[30:60, 30:60] = (20, 20, 220)
    hidden[18:46, 18:46] = True
    assert known.match(SPOT, colours(place, hidden=hidden)).worst < 0.05
    assert known.match(SPOT, colours(place)).worst > 0.2


def test_without_a_bare_look_two_other_places_must_share_the_ground():
    bare = BareGround()
    bare.look([1, 2], {(1, 50.0, 50.0): look(ground()), (2, 50.0, 50.0): look(ground((200, 80, 80)))})
    alone = bare.match(SPOT, colours(ground()))
    bare.look([3], {(3, 50.0, 50.0): look(ground())})
    shared = bare.match(SPOT, colours(ground()))
    assert not shared.is_known
    assert shared.pattern < 0.03 < 0.2 < alone.pattern


def test_a_place_on_a_bare_table_that_moved_has_another_ground(known):
    assert known.match(SPOT, colours(ground()), (25.6, 25.0)).is_known
    assert not known.match(SPOT, colours(ground()), (28.0, 25.0)).is_known
