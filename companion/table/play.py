"""Playing without a table: one game by bots, or many."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import NamedTuple

from companion.engine.action import TABLE, Action, Seat
from companion.engine.chance import weighted
from companion.engine.errors import ConfigError
from companion.engine.game import Bot, Game, random_bot, turn_for
from companion.engine.options import Options, Value
from companion.engine.state import Event, State
from companion.table.boxes import Boxes

LIMIT = 100_000
"""No game takes this many actions: one that does would never end."""


class PlayedStep(NamedTuple):
    """One action of a game and the state after it."""

    state: State
    seat: Seat
    action: Action
    events: list[Event]


def find_bot(game: Game, name: str) -> Bot:
    """Finds a bot; raises `ConfigError` for an unknown one."""
    if name not in game.bots:
        raise ConfigError(f"{game.key} has no bot {name!r}; it has {', '.join(game.bots)}")
    return game.bots[name]


def walk(game: Game, options: Options, rng: Random, bot: Bot = random_bot) -> Iterator[PlayedStep]:
    """Plays a game to its end; the same generator state gives the same game."""
    state = game.start(options)
    for _ in range(LIMIT):
        needs = state.needs()
        if not needs:
            return
        if any(need.seat == TABLE for need in needs):
            seat, action = TABLE, weighted(state.outcomes(), rng)
        else:
            seat = needs[0].seat if len(needs) == 1 else rng.choice(needs).seat
            if bot is random_bot:
                action = rng.choice(state.actions(seat))
            else:
                action = bot(turn_for(game, state, seat, rng))
        yield PlayedStep(state, seat, action, state.apply(seat, action))
    raise AssertionError(f"{game.key} {options} did not end after {LIMIT} actions")


class Tally(NamedTuple):
    """What many games came to."""

    games: int
    actions: int
    outcomes: Counter[str]
    winners: Counter[str]
    broken: list[str]
    seconds: float

    def __add__(self, other: object) -> Tally:
        assert isinstance(other, Tally)
        return Tally(
            self.games + other.games,
            self.actions + other.actions,
            self.outcomes + other.outcomes,
            self.winners + other.winners,
            self.broken + other.broken,
            self.seconds + other.seconds,
        )


NOTHING = Tally(0, 0, Counter(), Counter(), [], 0.0)


def simulate(
    key: str,
    given: Mapping[str, Value],
    games: int,
    seed: int,
    bot: str = "random",
    jobs: int = 1,
    progress: Callable[[int], None] = lambda done: None,
    folder: Path | None = None,
) -> Tally:
    """Plays many games and checks the invariants after every action; the owner's boxes lie in a folder."""
    game = Boxes(folder).load(key)
    game.resolve(given)
    find_bot(game, bot)
    size = max(1, min(50, games // (4 * jobs) or 1))
    chunks = [(key, dict(given), seed + i, min(size, games - i), bot, folder) for i in range(0, games, size)]
    total = NOTHING
    began = time.perf_counter()
    if jobs == 1:
        for chunk in chunks:
            total += _chunk(chunk)
            progress(total.games)
    else:
        # Forked later on, a process could inherit a lock that a thread holds.
        with ProcessPoolExecutor(jobs, get_context("forkserver")) as pool:
            for tally in pool.map(_chunk, chunks):
                total += tally
                progress(total.games)
    return total._replace(seconds=time.perf_counter() - began)


def _chunk(chunk: tuple[str, dict[str, Value], int, int, str, Path | None]) -> Tally:
    key, given, seed, games, bot, folder = chunk
    total, game = NOTHING, Boxes(folder).load(key)
    for i in range(games):
        total += _one(game, given, seed + i, bot)
    return total


def _one(game: Game, given: Mapping[str, Value], seed: int, bot: str) -> Tally:
    options = game.resolve(given)
    state = None
    actions = 0
    try:
        for step in walk(game, options, Random(seed), find_bot(game, bot)):
            state = step.state
            state.check()
            actions += 1
        assert state is not None
        outcome = state.outcome()
        assert outcome is not None, "no needs, but no outcome either"
    except AssertionError as error:
        return Tally(
            1, actions, Counter(broken=1), Counter(), [f"seed {seed}, action {actions}: {error!r}"], 0.0
        )
    seats = game.seats(options)
    winners = Counter({seats[seat]: 1 for seat in outcome.winners})
    return Tally(1, actions, Counter({outcome.code: 1}), winners, [], 0.0)
