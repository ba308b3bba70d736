"""The rules against a second model written from the rulebook: rows, Doors, Nightmares and the deck."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from onirim_oracle import Ask, Dream, Over

from companion.engine.action import TABLE
from companion.engine.game import turn_for
from companion.games.onirim import GAME, draw, nightmare, play, prophecy
from companion.games.onirim.agenda import Onirim
from companion.games.onirim.pieces import CARDS, SYMBOL
from companion.games.onirim.position import Position


def any_options(rng: Random) -> dict[str, str]:
    return {
        "openness": rng.choice(["silent", "open"]),
        "picks_first": rng.choice(["p1", "p2"]),
        "begins": rng.choice(["p1", "p2"]),
        "swap_order": rng.choice(["before", "after"]),
    }


def follow(seed: int, seen: Counter[str]) -> None:
    """Plays a game to its end beside the model, every second one with care, and counts what was compared."""
    rng = Random(seed)
    players, agreed = rng.choice([1, 2]), any_options(rng)
    is_careful = rng.random() < 0.5
    state = GAME.start(GAME.resolve({"players": players, **agreed}))
    assert isinstance(state, Onirim)
    dream = Dream(players, rng, **agreed)
    script, line = dream.play(), None
    try:
        while True:
            asked = script.send(line) if line is not None else next(script)
            compare(dream, state)
            if isinstance(asked, Ask):
                assert [need.seat for need in state.needs()] == [asked.seat], "whose turn it is"
                actions = state.actions(asked.seat)
                assert {state.notation.text(action) for action in actions} == asked.choices
                if is_careful:
                    action = GAME.bots["careful"](turn_for(GAME, state, asked.seat, rng))
                else:
                    verb = rng.choice(sorted({action.verb for action in actions}))
                    action = rng.choice([action for action in actions if action.verb == verb])
                line = state.notation.text(action)
                state.apply(asked.seat, action)
            else:
                could = {state.notation.text(action): ways for action, ways in state.outcomes()}
                assert could == asked.could, "what can come"
                line = asked.line
                state.apply(TABLE, state.notation.parse(line))
            seen[line.split()[0]] += 1
    except Over as over:
        compare(dream, state)
        seen[str(over)] += 1
        outcome = state.outcome()
        assert outcome is not None and outcome.code == str(over), f"seed {seed}: {outcome}, not {over}"
    except AssertionError as error:
        raise AssertionError(f"seed {seed}, {players} players, after {line!r}: {error}") from error


def compare(dream: Dream, state: Onirim) -> None:
    """Where every card is; a game that is over stops in the middle of things."""
    assert named(state.rows) == dream.rows, "rows"
    doors = [state.doors[4 * seat : 4 * seat + 4] for seat in range(dream.players)]
    assert doors == [[owned.count(f"{c}D") for c in "RBGW"] for owned in dream.doors], "Doors"
    if state.phase() in ("setup", "draft", "over", "prophecy") or state.outcome() is not None:
        return
    assert sorted(named([state.limbo])[0]) == sorted(dream.limbo), "Limbo"
    assert sorted(named([state.discard])[0]) == sorted(dream.discards), "discards"
    assert list(map(sorted, named(state.hands))) == list(map(sorted, dream.hands)), "hands"
    assert sorted(named([state.shared])[0]) == sorted(dream.common), "the shared cards"
    assert state.deck.size == len(dream.deck), "the deck"


def named(zones: Any) -> list[list[str]]:
    return [[CARDS[card] for card in zone] for zone in zones]


def follow_many(seeds: range) -> Counter[str]:
    seen: Counter[str] = Counter()
    for seed in seeds:
        follow(seed, seen)
    return seen


def test_60_games_agree_with_the_model_of_the_rulebook() -> None:
    seen = follow_many(range(60))
    assert seen["won"] and seen["lost"]
    assert min(seen[verb] for verb in ("take", "open", "swap", "foresee", "mill", "pay-door", "pay-hand")) > 5


@pytest.mark.long
def test_5000_games_agree_with_the_model_of_the_rulebook() -> None:
    seen = follow_many(range(1000, 6000))
    assert seen["won"] + seen["lost"] + seen["conceded"] == 5000 and sum(seen.values()) > 300_000


def always_different(symbols: tuple[int, ...]) -> tuple[int, ...]:
    """Symbols by which a Key may follow a Key."""
    return tuple(100 + kind if symbol == 2 else symbol for kind, symbol in enumerate(symbols))


FAULTS: dict[str, tuple[object, str, Any]] = {
    "a key follows a key": (play, "SYMBOL", always_different(SYMBOL)),
    "any third card is a series": (play, "run_length", len),
    "a nightmare opens four cards": (nightmare, "MILLED", 4),
    "a prophecy shows four cards": (prophecy, "SEEN", 4),
    "a hand of four is full": (draw, "HAND", 4),
    "a door in limbo is lost": (Position, "set_aside", lambda self, card: self.discard.append(card)),
    "all cards go to the hand": (Position, "fills_personal", lambda self, seat: True),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*FAULTS[fault])
    with pytest.raises(AssertionError, match="seed"):
        follow_many(range(20))
