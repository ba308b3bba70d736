"""What the contract tests share: every registered game in every sample set-up."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from math import prod
from random import Random
from typing import Any, NamedTuple

import pytest

from companion.engine.action import PUBLIC, TABLE, Action, Notation, Seat, Viewer
from companion.engine.game import Game
from companion.engine.options import Options
from companion.engine.state import State
from companion.games import REGISTRY, load
from companion.table.play import PlayedStep, walk


class Table(NamedTuple):
    """A game in one of its sample set-ups."""

    game: Game
    sample: str
    options: Options

    def walk(self, seed: int) -> Iterator[PlayedStep]:
        return walk(self.game, self.options, Random(seed))

    def views(self, state: State) -> dict[Viewer, Any]:
        return {viewer: self.game.view(state, viewer) for viewer in self.game.viewers(self.options)}


def tables() -> list[Table]:
    return [
        Table(game, sample, game.resolve(given))
        for game in map(load, REGISTRY)
        for sample, given in game.samples.items()
    ]


def params(chosen: list[Table]) -> list[Any]:
    """Tables for parametrized tests: of each game the first is in the inner loop, the others are slow."""
    first = {table.game.key: table.sample for table in reversed(chosen)}
    marked = ((table, () if table.sample == first[table.game.key] else pytest.mark.slow) for table in chosen)
    return [pytest.param(table, id=name(table), marks=marks) for table, marks in marked]


def name(table: Table) -> str:
    return f"{table.game.key}-{table.sample}"


def positions(table: Table, seed: int, every: int, most: int = 10_000) -> Iterator[State]:
    """Copies of states along a random game: the beginning, then one at a fixed distance."""
    yield table.game.start(table.options)
    for i, step in enumerate(table.walk(seed)):
        if i > most:
            return
        if i % every == 0:
            yield step.state.copy()


def random_action(notation: Notation, rng: Random) -> Action:
    """Any action that can be written, legal or not."""
    verb = rng.choice(sorted(notation.verbs))
    takes = notation.verbs[verb]
    args = [rng.randrange(len(kind)) for kind in takes.kinds]
    if takes.rest is not None:
        args += [rng.randrange(len(takes.rest)) for _ in range(rng.choice((0, 0, 1, 1, 2, 3, 4)))]
    return Action(verb, tuple(args))


def near_actions(state: State, legal: list[Action], rng: Random, n: int) -> list[Action]:
    """Actions around the legal ones: one argument changed, dropped or swapped, and some at random."""
    found = []
    for _ in range(n):
        if legal and rng.random() < 0.7:
            verb, args = rng.choice(legal)
            takes = state.notation.verbs[verb]
            changed = list(args)
            if changed and rng.random() < 0.8:
                i = rng.randrange(len(changed))
                kind = takes.kinds[i] if i < len(takes.kinds) else takes.rest
                assert kind is not None
                changed[i] = rng.randrange(len(kind))
            elif takes.rest is not None and len(changed) > len(takes.kinds):
                changed.pop()
            found.append(Action(verb, tuple(changed)))
        else:
            found.append(random_action(state.notation, rng))
    return found


def written(notation: Notation, verb: str, rng: Random, most: int) -> Iterator[Action]:
    """All actions of a verb that can be written, or that many of them at random."""
    takes = notation.verbs[verb]
    sizes = [len(kind) for kind in takes.kinds]
    if takes.rest is None and prod(sizes) <= most:
        for args in product(*map(range, sizes)):
            yield Action(verb, args)
        return
    for _ in range(most):
        more = [len(takes.rest)] * rng.randrange(4) if takes.rest is not None else []
        yield Action(verb, tuple(rng.randrange(size) for size in [*sizes, *more]))


def seats_and_table(table: Table) -> list[Seat]:
    return [*range(len(table.game.seats(table.options))), TABLE]


def plain(thing: Any) -> Any:
    """What arrives at the other end when a thing is sent as JSON."""
    return json.loads(json.dumps(thing))


__all__ = [
    "PUBLIC",
    "Table",
    "name",
    "near_actions",
    "plain",
    "positions",
    "seats_and_table",
    "tables",
    "written",
]
