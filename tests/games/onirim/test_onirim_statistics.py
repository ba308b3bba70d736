"""Onirim against the ledger's reference numbers (section 6): two fixed policies over many games."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from onirim_positions import game

from companion.action import TABLE, Action
from companion.chance import weighted
from companion.games.onirim.pieces import COLOUR, DOORS, HALLS, IS_KEY, KEY, MOON, SUN, SYMBOL
from companion.games.onirim.rules import (
    DISCARD,
    OPEN,
    PAY_DECK,
    PAY_DOOR,
    PAY_HAND,
    PAY_KEY,
    PLAY,
    TAKE,
    Onirim,
    run_length,
)
from companion.play import simulate

pytestmark = pytest.mark.slow
GAMES = 4000


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


def test_policy_a_meets_the_reference():
    games = list(islice(played(policy_a), GAMES))
    wins = sum(state.outcome().code == "won" for state in games) / GAMES
    turns = sum(state.turn for state in games) / GAMES
    doors = sum(sum(state.doors) for state in games) / GAMES
    # Four standard errors of 4,000 games around 4.17 %, 31.67 turns, 5.30 Doors.
    assert wins == pytest.approx(0.0417, abs=0.0128)
    assert turns == pytest.approx(31.67, abs=0.25)
    assert doors == pytest.approx(5.30, abs=0.11)


def test_policy_r_meets_the_reference():
    games = list(islice(played(policy_r), GAMES))
    assert not any(state.outcome().code == "won" for state in games)
    assert sum(state.turn for state in games) / GAMES == pytest.approx(30.03, abs=0.25)
    assert sum(sum(state.doors) for state in games) / GAMES == pytest.approx(0.503, abs=0.05)


def test_the_careful_dreamer_wins_at_least_a_quarter():
    tally = simulate("onirim", {}, 300, seed=77, bot="careful")
    assert not tally.broken
    assert tally.outcomes["won"] / tally.games >= 0.25
