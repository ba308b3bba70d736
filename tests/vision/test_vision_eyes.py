"""Which looks are of the same table."""

from __future__ import annotations

import pytest

from companion.engine.layout import Piece
from companion.engine.observation import Observation, Reading
from vision.eyes import AcceptedDeviations, has_changed

TEE, WAX = (Piece("tee"),), (Piece("wax"),)
SURE_TEE, SURE_WAX = Reading(TEE, 0.99, ((TEE, 0.99),)), Reading(WAX, 0.99, ((WAX, 0.99),))


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
        (SURE_TEE, Reading(None, 0.3, (((*TEE, *WAX), 0.3),)), True),
        (unsure(wax=0.4, tee=0.3), Reading(None, 0.3, (((*TEE, *WAX), 0.3), (WAX, 0.1))), False),
        (unsure(wax=0.4, tee=0.3), Reading(None, 0.0, ()), False),
    ],
)
def test_a_look_that_denies_what_another_is_sure_of_is_of_another_table(
    one: Reading, other: Reading, is_another: bool
) -> None:
    for before, now in ((one, other), (other, one)):
        assert has_changed(Observation({3: before}), Observation({3: now})) is is_another


def test_a_place_that_only_one_look_saw_says_nothing() -> None:
    assert not has_changed(Observation({3: SURE_TEE}), Observation({4: SURE_WAX}))


@pytest.mark.parametrize(
    ("then", "now", "is_forgotten"),
    [
        (unsure(wax=0.4, tee=0.3), unsure(tee=0.3, wax=0.2), False),
        (unsure(wax=0.4, tee=0.3), unsure(key=0.6, tee=0.1), True),
        (unsure(wax=0.4, tee=0.3), SURE_WAX, True),
        (SURE_TEE, unsure(wax=0.8), False),
        (SURE_TEE, SURE_WAX, True),
        (SURE_TEE, SURE_TEE, False),
    ],
)
def test_an_accepted_place_is_forgotten_once_it_looks_otherwise(
    then: Reading, now: Reading, is_forgotten: bool
) -> None:
    accepted = AcceptedDeviations()
    accepted.note(Observation({3: then}), {3: WAX}, [3])
    seen = Observation({3: now})
    accepted.forget_changed(seen)
    assert (accepted.apply_to(seen) is seen) is is_forgotten


def test_only_the_places_that_were_asked_about_are_accepted() -> None:
    accepted = AcceptedDeviations()
    accepted.note(Observation({3: unsure(tee=0.5)}), {3: WAX}, [3])
    seen = Observation({3: unsure(tee=0.5), 4: SURE_TEE, 5: SURE_TEE})
    accepted.note(seen, {3: WAX, 4: WAX, 5: WAX}, [5])
    guesses = {cell: dict(accepted.apply_to(seen).readings[cell].guesses) for cell in (3, 5)}
    assert all(shares[WAX] > 2 * shares[TEE] > 0 for shares in guesses.values()), "it may still have changed"
    assert accepted.apply_to(seen).readings[4] == SURE_TEE


def test_what_players_say_may_stay_so_counts_as_right() -> None:
    accepted = AcceptedDeviations()
    seen = Observation({3: SURE_TEE, 4: SURE_TEE})
    accepted.note(seen, {3: WAX, 4: TEE})
    assert [accepted.apply_to(seen).readings[cell].pieces for cell in (3, 4)] == [WAX, TEE]
