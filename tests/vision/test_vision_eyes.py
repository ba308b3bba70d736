"""Which looks are of the same table."""

from __future__ import annotations

import pytest

from companion.layout import Piece
from companion.seeing import Observation, Reading
from vision.eyes import has_changed

TEE, WAX = (Piece("tee"),), (Piece("wax"),)
SURE_TEE, SURE_WAX = Reading(TEE, 0.99), Reading(WAX, 0.99)


def unsure(**guesses: float) -> Reading:
    named = tuple(((Piece(face),), p) for face, p in guesses.items())
    return Reading(None, named[0][1], named)


@pytest.mark.parametrize(
    ("one", "other", "is_another"),
    [
        (SURE_TEE, SURE_TEE, False),
        (SURE_TEE, SURE_WAX, True),
        (SURE_TEE, Reading((), 0.99), True),
        (SURE_TEE, unsure(wax=0.8), True),
        (SURE_TEE, unsure(wax=0.8, tee=0.1), False),
        (SURE_TEE, unsure(wax=0.3, key=0.3), False),
        (unsure(wax=0.8), unsure(tee=0.8), False),
    ],
)
def test_a_look_that_denies_what_another_is_sure_of_is_of_another_table(
    one: Reading, other: Reading, is_another: bool
) -> None:
    for before, now in ((one, other), (other, one)):
        assert has_changed(Observation({3: before}), Observation({3: now})) is is_another


def test_a_place_that_only_one_look_saw_says_nothing() -> None:
    assert not has_changed(Observation({3: SURE_TEE}), Observation({4: SURE_WAX}))
