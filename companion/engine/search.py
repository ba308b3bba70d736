"""One player for every seat of every game: tries out what could happen, from what its seat may know.

The player thinks of positions that its seat may take for the true one (`Mind.sample`), plays each candidate
there, lets a quick player go on for all seats, and values what comes of it. All candidates meet the same
positions and the same luck, so that their differences are their own. Half of the candidates are dropped
after each round (sequential halving), and the quick player's own choice is given up only for a clearly
better one.

The true position is asked for two things: which actions the seat may take, and a sample. So a choice is a
function of what the seat knows, of the generator and of the budget.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from typing import NamedTuple

from companion.engine.action import TABLE, Action, Seat
from companion.engine.chance import weighted
from companion.engine.event import Need
from companion.engine.game import Game, random_bot, turn_for
from companion.engine.mind import Policy
from companion.engine.state import Event, State

BEGINNER, GOOD, STRONG = STRENGTHS = ("beginner", "good", "strong")
HINTS = 3
"""How many candidates are compared to the end: as many as a hint names."""
FEWEST_TRIES = 6
"""How often the budget must allow to try a candidate; with less, fewer candidates are compared."""
STRAY = 0.35
"""The share of a beginner's moves that are made without thinking."""
SOON = 12
"""What happens within so many actions of a try is told as a reason; later everything happens sometimes."""
FOREVER = 86_400.0
"""Seconds that nobody waits for."""


class Budget(NamedTuple):
    """How long may be thought: in actions tried out, and in seconds."""

    actions: int
    seconds: float = float("inf")


class Prospect(NamedTuple):
    """What a candidate promises."""

    action: Action
    value: float
    """The mean value of the tries for the seat, from 0 to 1."""
    error: float
    """The standard error of the difference to the best candidate."""
    tries: int
    tells: Counter[str]
    """In how many tries each kind of event that the game gives as a reason came up soon."""


class _Candidate:
    """An action and what its tries came to."""

    __slots__ = ("action", "tells", "values")

    def __init__(self, action: Action) -> None:
        self.action = action
        self.values: list[float] = []
        self.tells: Counter[str] = Counter()

    @property
    def mean(self) -> float:
        return sum(self.values) / len(self.values)


def choose(
    game: Game,
    state: State,
    seat: Seat,
    strength: str,
    rng: Random,
    is_hurried: Callable[[], bool] = lambda: False,
) -> Action:
    """Decides for a seat; one that is hurried takes what is best so far."""
    if strength == BEGINNER:
        actions = candidates(game, state, seat)
        if len(actions) == 1 or rng.random() < STRAY:
            return rng.choice(actions)
        return quick_choice(game, state, seat, rng)
    budget = Budget(game.mind.budget[strength])
    return think(game, state, seat, rng, budget, is_hurried)[0].action


def candidates(game: Game, state: State, seat: Seat) -> list[Action]:
    """What a seat may do, without notes and giving up, in an order that depends on nothing hidden."""
    verbs = state.notation.verbs
    actions = [
        action
        for action in state.actions(seat)
        if action.verb not in game.notes and not verbs[action.verb].held
    ]
    return sorted(actions or state.actions(seat))


def quick_choice(game: Game, state: State, seat: Seat, rng: Random) -> Action:
    """The quick player's choice, from a sample of what the seat knows."""
    return policy_of(game)(sample(game, state, seat, rng), seat, rng)


def sample(game: Game, state: State, seat: Seat, rng: Random) -> State:
    """A position that the seat may take for the true one."""
    return (game.mind.sample or game.disguise)(state, seat, rng)


def policy_of(game: Game) -> Policy:
    """The game's quick player; the careful bot where it brings none."""
    if game.mind.policy is not None:
        return game.mind.policy
    bot = game.bots.get("careful", random_bot)

    def by_view(state: State, seat: Seat, rng: Random) -> Action:
        turn = turn_for(game, state, seat, rng)
        return bot(turn._replace(actions=candidates(game, state, seat)))

    return by_view


def think(
    game: Game,
    state: State,
    seat: Seat,
    rng: Random,
    budget: Budget,
    is_hurried: Callable[[], bool] = lambda: False,
) -> list[Prospect]:
    """Compares what a seat may do; the best first."""
    seed = rng.getrandbits(64)
    actions = candidates(game, state, seat)
    if len(actions) == 1:
        value = game.mind.value(sample(game, state, seat, Random(seed)), seat)
        return [Prospect(actions[0], value, 0.0, 0, Counter())]
    return _Thinker(game, state, seat, seed, budget, is_hurried).ranked(actions)


def compare(
    game: Game, state: State, seat: Seat, action: Action, rng: Random, budget: Budget
) -> tuple[Prospect, Prospect] | None:
    """An action beside what the quick player would have done; None where that is the same."""
    thinker = _Thinker(game, state, seat, rng.getrandbits(64), budget, lambda: False)
    found = thinker.ranked([action])
    chosen = next((one for one in found if one.action == action), None)
    other = next((one for one in found if one.action != action), None)
    return None if chosen is None or other is None else (chosen, other)


class _Thinker:
    """One decision in the making."""

    def __init__(
        self,
        game: Game,
        state: State,
        seat: Seat,
        seed: int,
        budget: Budget,
        is_hurried: Callable[[], bool],
    ) -> None:
        self.game, self.mind, self.policy = game, game.mind, policy_of(game)
        self.state, self.seat, self.seed = state, seat, seed
        self.budget = budget
        self.seconds = min(budget.seconds, FOREVER)
        self.ends_at = time.monotonic() + self.seconds
        self.is_hurried = is_hurried
        self.used = 0
        self.tells = frozenset(game.mind.tells)
        self.notes = game.notes

    def ranked(self, actions: Sequence[Action]) -> list[Prospect]:
        field, usual = self._field(actions)
        live, dropped = field, list[_Candidate]()
        rounds = max(1, (len(field) - 1).bit_length())
        worlds = 1
        for number in range(1, rounds + 1):
            worlds = self._round(live, worlds, self.budget.actions * number // rounds)
            live = sorted(live, key=lambda one: -one.mean)
            keep = max(HINTS, (len(live) + 1) // 2)
            dropped = live[keep:] + dropped
            live = live[:keep]
            if usual not in live:
                dropped.remove(usual)
                live.append(usual)
        order = sorted(live, key=lambda one: -one.mean)
        gap, error = _gap(order[0], usual)
        if gap <= self.mind.margin * error or len(usual.values) < FEWEST_TRIES:
            order.remove(usual)
            order.insert(0, usual)
        return [self._prospect(one, order[0]) for one in (*order, *dropped)]

    def _field(self, actions: Sequence[Action]) -> tuple[list[_Candidate], _Candidate]:
        """As many candidates as the budget allows, that of the quick player first; each tried once."""
        rng = Random(self.seed)
        world = sample(self.game, self.state, self.seat, rng)
        usual = _Candidate(self.policy(world.copy(), self.seat, rng))
        self._try(usual, world.copy(), Random(self.seed))
        widest = min(self.mind.widest, self.budget.actions // (FEWEST_TRIES * self.used))
        listed = list(actions)
        if len(listed) > widest:
            rng.shuffle(listed)
        listed = [one for one in self.mind.shortlist(world, self.seat, listed) if one != usual.action]
        field = [usual]
        for action in listed[: max(0, widest - 1)]:
            # Where little time is given, half of it is left for a closer look.
            if len(field) >= HINTS and time.monotonic() > self.ends_at - self.seconds / 2:
                break
            field.append(_Candidate(action))
            self._try(field[-1], world.copy(), Random(self.seed))
        return field, usual

    def _round(self, live: Sequence[_Candidate], worlds: int, until: int) -> int:
        """Tries the candidates in one position after the other until the round's share is used."""
        while len(live) > 1 and self.used < until:
            if self.is_hurried() or time.monotonic() > self.ends_at:
                break
            seed = self.seed + worlds
            world = sample(self.game, self.state, self.seat, Random(seed))
            for one in live:
                self._try(one, world.copy(), Random(seed))
            worlds += 1
        return worlds

    def _try(self, one: _Candidate, world: State, rng: Random) -> None:
        events = world.apply(self.seat, one.action)
        soon = self._play_on(world, rng, events)
        one.values.append(self.mind.value(world, self.seat))
        if self.tells:
            one.tells.update({event.kind for event in events[:soon]} & self.tells)

    def _play_on(self, world: State, rng: Random, events: list[Event]) -> int:
        """Lets the quick player go on for everybody until the position may be valued.

        Returns how many of the events came soon.
        """
        left, policy, is_quiet = self.mind.horizon, self.policy, self.mind.is_quiet
        used = soon = 0
        while world.result is None and (used < left or not is_quiet(world)):
            if used < SOON:
                soon = len(events)
            seat = self._next_seat(world.waiting)
            action = weighted(world.outcomes(), rng) if seat == TABLE else policy(world, seat, rng)
            events += world.apply(seat, action)
            used += 1
        self.used += used + 1
        return len(events) if used < SOON else soon

    def _next_seat(self, needs: tuple[Need, ...]) -> Seat:
        """Who acts next: chance first, and nobody who may only make notes."""
        found = needs[0].seat
        if len(needs) == 1:
            return found
        due = [need.seat for need in needs if not self.notes.issuperset(need.verbs)]
        return TABLE if TABLE in due else due[0]

    def _prospect(self, one: _Candidate, best: _Candidate) -> Prospect:
        return Prospect(one.action, one.mean, _gap(best, one)[1], len(one.values), one.tells)


def _gap(one: _Candidate, other: _Candidate) -> tuple[float, float]:
    """By how much a candidate is better in the positions that both met, and the standard error of that."""
    gaps = [a - b for a, b in zip(one.values, other.values, strict=False)]
    n = len(gaps)
    mean = sum(gaps) / n
    if n < 2:
        return mean, 0.0
    return mean, sqrt(sum((gap - mean) ** 2 for gap in gaps) / (n - 1) / n)
