"""Onirim against the ledger's reference numbers (section 6): two fixed policies over many games."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from onirim_positions import game

from companion.engine.action import TABLE, Action
from companion.engine.chance import weighted
from companion.games.onirim.agenda import Onirim
from companion.games.onirim.pieces import COLOUR, DOORS, HALLS, IS_KEY, KEY, MOON, SUN, SYMBOL
from companion.games.onirim.position import run_length
from companion.games.onirim.verbs import DISCARD, OPEN, PAY_DECK, PAY_DOOR, PAY_HAND, PAY_KEY, PLAY, TAKE
from companion.table.play import simulate

pytestmark = pytest.mark.slow
GAMES = 4000
"""The games that the ledger's tolerances are made for; fewer games are allowed more."""
some_or_all = pytest.mark.parametrize("games", [400, pytest.param(GAMES, marks=pytest.mark.long)])


def policy_a(state: Onirim, rng: Random) -> Action:
    """The ledger's deterministic policy."""
    hand, row = state.hands[0], state.rows[0]
    verbs = state.needs()[0].verbs
    if "take" in verbs:
        return TAKE
    if "open" in verbs:
        return OPEN
    if "foresee" in verbs:
        seen = list(state.looked)
        if seen[-1] in DOORS:
            i = next((i for i, card in enumerate(seen) if card not in DOORS), None)
            if i is not None:
                seen[i], seen[-1] = seen[-1], seen[i]
        return Action("foresee", (seen[-1], *seen[:-1]))
    if "pay-deck" in verbs:
        keys = [card for card in hand if IS_KEY[card]]
        return PAY_KEY[max(keys, key=keys.count)] if keys else PAY_DECK
    last = row[-1] if row else None
    if last is not None:
        run = run_length(row) % 3
        for card in hand:
            fits = COLOUR[card] == COLOUR[last] and SYMBOL[card] != SYMBOL[last]
            if fits and (run == 2 or (run == 1 and SYMBOL[card] != KEY)):
                return PLAY[card]
    for colour in range(4):
        sun, moon = 3 * colour + SUN, 3 * colour + MOON
        if sun in hand and moon in hand:
            return PLAY[moon if last is not None and SYMBOL[last] == SUN else sun]
    for symbol in (SUN, KEY):
        for card in hand:
            if SYMBOL[card] == symbol:
                return DISCARD[card]
    return DISCARD[hand[0]]


def policy_r(state: Onirim, rng: Random) -> Action:
    """The ledger's uniform random policy."""
    hand, row = state.hands[0], state.rows[0]
    verbs = state.needs()[0].verbs
    if "take" in verbs:
        return TAKE
    if "open" in verbs:
        return rng.choice((OPEN, Action("leave")))
    if "foresee" in verbs:
        seen = rng.sample(state.looked, len(state.looked))
        return Action("foresee", (seen[-1], *seen[:-1]))
    if "pay-deck" in verbs:
        keys = {card for card in hand if IS_KEY[card]}
        doors = [door for door in DOORS if state.doors[door - HALLS]]
        return rng.choice([PAY_DECK, PAY_HAND, *(PAY_KEY[c] for c in keys), *(PAY_DOOR[d] for d in doors)])
    plays = [PLAY[card] for card in hand if not row or SYMBOL[card] != SYMBOL[row[-1]]]
    return rng.choice([*(DISCARD[card] for card in hand), *plays])


def played(policy):
    """Finished games under a policy."""
    rng = Random(2026)
    while True:
        state = game()
        while needs := state.needs():
            seat = needs[0].seat
            state.apply(seat, weighted(state.outcomes(), rng) if seat == TABLE else policy(state, rng))
        yield state


def near(value, tolerance, games):
    """What a mean may be: the tolerance is that of `GAMES`, and grows as the standard error does."""
    return pytest.approx(value, abs=tolerance * (GAMES / games) ** 0.5)


@some_or_all
def test_policy_a_meets_the_reference(games):
    ended = list(islice(played(policy_a), games))
    wins = sum(state.outcome().code == "won" for state in ended) / games
    turns = sum(state.turn for state in ended) / games
    doors = sum(sum(state.doors) for state in ended) / games
    # Four standard errors of 4,000 games around 4.17 %, 31.67 turns, 5.30 Doors.
    assert wins == near(0.0417, 0.0128, games)
    assert turns == near(31.67, 0.25, games)
    assert doors == near(5.30, 0.11, games)


@some_or_all
def test_policy_r_meets_the_reference(games):
    ended = list(islice(played(policy_r), games))
    assert not any(state.outcome().code == "won" for state in ended)
    assert sum(state.turn for state in ended) / games == near(30.03, 0.25, games)
    assert sum(sum(state.doors) for state in ended) / games == near(0.503, 0.05, games)


@pytest.mark.parametrize("games", [60, pytest.param(300, marks=pytest.mark.long)])
def test_the_careful_dreamer_wins_at_least_a_quarter(games):
    tally = simulate("onirim", {}, games, seed=77, bot="careful")
    assert not tally.broken
    assert tally.outcomes["won"] / tally.games >= 0.25
