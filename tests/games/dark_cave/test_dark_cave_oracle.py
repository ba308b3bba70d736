"""The rules against a second model written from the rulebook: tunnels, reach and gold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from dark_cave_oracle import Shadow

from companion.engine.action import PUBLIC, TABLE, Action
from companion.engine.chance import weighted
from companion.games.dark_cave import GAME, attacks, deeds, ending, goals, play, position, walk
from companion.games.dark_cave.agenda import DarkCave
from companion.games.dark_cave.cave import Cave, cell_at
from companion.games.dark_cave.position import Position
from companion.games.dark_cave.spread import distance

SWITCHES = [
    *("allow_half_turn", "ladder_counts_for_placement", "axe_same_turn", "attack_on_placement"),
    *("creature_before_exit", "finish_turn_on_last_card", "early_end"),
]

CELL_OF = {"lay": 1, "step": 0}
"""Which number of an action is its cell."""


def any_options(rng: Random) -> dict[str, int | str | bool]:
    """A digital game for any number of players; every second one as the book is read by default."""
    options: dict[str, int | str | bool] = {"players": rng.randrange(2, 9)}
    if rng.random() < 0.5:
        options |= {name: rng.random() < 0.5 for name in SWITCHES}
        options |= {"ladder_from": rng.choice(["card", "section"]), "entrance": rng.choice(["front", "back"])}
    return options


def choose(state: DarkCave, seat: int, rng: Random) -> Action:
    """A verb first, so that rare ones come often; who can walk mostly does, and mostly towards a goal."""
    if seat == TABLE:
        return weighted(state.outcomes(), rng)
    actions = state.actions(seat)
    verbs = sorted({action.verb for action in actions})
    for dull in ("stay", "halt", "propose", "pass", "swap"):
        if len(verbs) > 1 and dull in verbs and rng.random() < 0.8:
            verbs.remove(dull)
    verb = rng.choice(verbs)
    chosen = [action for action in actions if action.verb == verb]
    if verb in CELL_OF and rng.random() < 0.7:
        return min(chosen, key=lambda action: from_goals(state, action.args[CELL_OF[verb]]))
    return rng.choice(chosen)


def from_goals(state: DarkCave, cell: int) -> int:
    """How far a cell is from the nearest goal that lies face down, or from the exit when it is found."""
    exits = [cell_at(place) for place in state.cave.exits]
    return min(distance(cell, goal) for goal in exits or state.cave.closed or [cell])


def follow(seed: int, seen: Counter[str]) -> None:
    """Plays a game to its end beside the shadow, and counts what was compared."""
    rng = Random(seed)
    options = GAME.resolve(any_options(rng))
    state = GAME.start(options)
    assert isinstance(state, DarkCave)
    shadow = Shadow(options, GAME.view(state, PUBLIC))
    while True:
        needs = state.needs()
        seat = needs[0].seat if needs else PUBLIC
        hand = GAME.view(state, seat)["dwarves"][seat]["hand"] if seat >= 0 else None
        actions = [state.notation.text(action) for action in state.actions(seat)] if needs else []
        phase = state.phase()
        try:
            shadow.check(actions, hand)
            seen[phase] += 1
            if not needs:
                return
            action = choose(state, seat, rng)
            events = [(event.kind, event.data) for event in state.apply(seat, action)]
            shadow.follow(state.notation.text(action), events, GAME.view(state, PUBLIC))
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, phase {phase}: {error}") from error


def follow_many(seeds: range) -> Counter[str]:
    seen: Counter[str] = Counter()
    for seed in seeds:
        follow(seed, seen)
    return seen


def test_12_games_agree_with_the_model_of_the_rulebook() -> None:
    seen = follow_many(range(12))
    assert seen["over"] == 12 and min(seen[phase] for phase in ("play", "move", "creep", "vein")) > 5
    assert seen["reveal"] and seen["announce"], "goals are turned and dwarves leave"


@pytest.mark.long
def test_5000_games_agree_with_the_model_of_the_rulebook() -> None:
    seen = follow_many(range(1000, 6000))
    assert sum(seen.values()) > 1_000_000


def _no_way_back(self: Cave, known: Any, start: int, sides: int) -> dict[int, int]:
    return {**known, start: sides}


FAULTS: dict[str, tuple[object, str, Callable[..., Any]]] = {
    "a passage costs nothing": (walk, "lose_nugget", lambda state, seat, to, events: None),
    "a goblin takes nothing": (attacks, "lose_nugget", lambda state, seat, to, events: None),
    "a web stops nobody": (Position, "next_places", lambda self, place, back=-1: self.cave.near(place)),
    "a vein is laid empty": (play, "add_vein", lambda state, cell, events: None),
    "a vein that falls keeps its nugget": (deeds, "bury_vein", lambda state, cell, events: None),
    "a nugget is not offered": (walk, "end_walk", lambda state, seat: None),
    "what was cut off stays so": (Cave, "_trace", _no_way_back),
    "ladders are climbed from nowhere": (Cave, "_feet", lambda self, cell, shape: ()),
    "a goal lies upright": (goals, "goal_turns", lambda state, i, side: [0]),
    "yellow always wins": (ending, "winning_clan", lambda state: 0),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_the_rules_is_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*FAULTS[fault])
    position._empty_cave.cache_clear()
    try:
        with pytest.raises(AssertionError, match="seed"):
            follow_many(range(60))
    finally:
        position._empty_cave.cache_clear()
