"""The turn machine: what is still to be done, who decides, and what runs by itself.

A position built on `Agenda` keeps its pending steps in `todo`, a list whose last entry comes first. A step is
a small tuple: its name, then the facts that it needs. The game's table `steps` says what each name means:

- `runs`: the rules do it by themselves. It may push more steps: an interruption goes on top, at any depth.
- `waits`: one seat, or several at once, must act with certain verbs; `lists` lists what they may do.
- `draws`: chance decides; `outcomes` lists what can come.

A decision's `do_<verb>` takes its step off the list with `take` when it has answered it, pushes what follows
and returns its events; `apply` then runs what needs nobody and notes in `waiting` who must act next. The
game is over when `result` is set.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, NamedTuple

from companion.engine.action import TABLE, Action, Seat
from companion.engine.errors import Refused
from companion.engine.fields import Fields
from companion.engine.state import Event, Need, Outcome, State

MOST_SEATS = 16
Step = tuple[Any, ...]
"""A pending step: its name, then the facts that it needs. Never changed in place."""


class StepRule(NamedTuple):
    """A row of a game's table of steps; made by `runs`, `waits` or `draws`."""

    run: Callable[..., None] | None = None
    """`run(state, events, *facts)` does the step and appends what happened."""
    place: int = 0
    """Where in the step the seat stands that must act; 0: `needs` finds it out; -1: chance."""
    needs: Any = None
    """Who must act while the step is on top: `needs[seat]`, `needs(state, step)`, or `needs` itself."""
    lists: Callable[..., list[Action]] | None = None
    """`lists(state, seat, *facts)`: what a seat may do."""
    outcomes: Callable[..., list[tuple[Action, int]]] | None = None
    """`outcomes(state, *facts)`: what chance can bring, each with its number of ways."""
    phase: str = ""
    """The name of the phase for people."""


@cache
def need(verbs: tuple[str, ...], *seats: Seat) -> tuple[Need, ...]:
    """The needs of seats that may all do the same; made once."""
    return tuple(Need(seat, verbs) for seat in seats)


def runs(run: Callable[..., None]) -> StepRule:
    """A step that the rules do by themselves."""
    return StepRule(run=run)


def waits(
    *verbs: str,
    lists: Callable[..., list[Action]],
    seat: Callable[..., Seat] | int = 1,
    needs: Callable[..., tuple[Need, ...]] | None = None,
    phase: str = "",
) -> StepRule:
    """A step that waits for a seat with these verbs.

    `seat` says where in the step the seat stands, or finds it as `seat(state, *facts)`. Several seats at
    once, or other verbs for each, come from `needs(state, step)` instead.
    """
    if needs is not None:
        return StepRule(needs=needs, lists=lists, phase=phase)
    each = tuple(need(verbs, one) for one in range(MOST_SEATS))
    if isinstance(seat, int):
        return StepRule(place=seat, needs=each, lists=lists, phase=phase)
    find = seat
    return StepRule(needs=lambda state, step: each[find(state, *step[1:])], lists=lists, phase=phase)


def draws(
    *verbs: str,
    outcomes: Callable[..., list[tuple[Action, int]]],
    needs: Callable[..., tuple[Need, ...]] | None = None,
    phase: str = "",
) -> StepRule:
    """A step that waits for chance: a draw, a roll, a shuffle; `needs` where its verbs depend on more."""
    if needs is not None:
        return StepRule(needs=needs, outcomes=outcomes, phase=phase)
    return StepRule(place=-1, needs=need(verbs, TABLE), outcomes=outcomes, phase=phase)


class Agenda(State):
    """A position that knows what is still to be done.

    A subclass must define `steps`, `declared`, `verbs` with their pairs, and `check`; its constructor sets
    `todo` and `result`, pushes the first steps and calls `settle`.
    """

    declared = Fields(shared=("result",), sliced=("todo",), derived=("waiting",))
    __slots__ = ("result", "todo", "waiting")

    steps: ClassVar[Mapping[str, StepRule]] = {}
    _table: ClassVar[dict[str, tuple[Callable[..., None] | None, int, Any]]] = {}
    _lists: ClassVar[dict[str, Callable[..., list[Action]]]] = {}
    _outcomes: ClassVar[dict[str, Callable[..., list[tuple[Action, int]]]]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._table = {name: (rule.run, rule.place, rule.needs) for name, rule in cls.steps.items()}
        cls._lists = {name: rule.lists for name, rule in cls.steps.items() if rule.lists is not None}
        cls._outcomes = {name: rule.outcomes for name, rule in cls.steps.items() if rule.outcomes is not None}

    todo: list[Step]
    """What is still to be done; the last step comes first."""
    waiting: tuple[Need, ...]
    """Who must act now, as `settle` found it."""
    result: Outcome | None
    """How the game ended, or None while it goes on."""

    def push(self, *steps: Step) -> None:
        """Puts steps on top of the list; the first of them comes first."""
        self.todo.extend(steps[::-1])

    def take(self) -> Step:
        """Takes the step on top off the list: it is answered."""
        return self.todo.pop()

    def settle(self, events: list[Event]) -> list[Event]:
        """Does what needs nobody, until somebody must act or the game is over."""
        todo, table = self.todo, self._table
        while self.result is None:
            step = todo[-1]
            run, place, needs = table[step[0]]
            if run is None:
                self.waiting = needs[step[place]] if place > 0 else needs if place else needs(self, step)
                return events
            todo.pop()
            # Spreading the facts of a step would take longer than most steps.
            if len(step) == 2:
                run(self, events, step[1])
            elif len(step) == 1:
                run(self, events)
            else:
                run(self, events, *step[1:])
        self.waiting = ()
        return events

    # What every game on an agenda gets -----------------------------------------------------------

    def apply(self, seat: Seat, action: Action) -> list[Event]:
        verb, args = action
        for who, verbs in self.waiting:
            if who == seat and verb in verbs:
                can, do = self._pairs[verb]
                if len(args) == 2:
                    one, other = args
                    refusal = can(self, seat, one, other)
                    if refusal is None:
                        return self.settle(do(self, seat, one, other))
                elif len(args) == 1:
                    (one,) = args
                    refusal = can(self, seat, one)
                    if refusal is None:
                        return self.settle(do(self, seat, one))
                else:
                    refusal = can(self, seat, *args)
                    if refusal is None:
                        return self.settle(do(self, seat, *args))
                raise Refused(refusal)
        out_of_turn = self.refusal(seat, action)
        assert out_of_turn is not None, action
        raise Refused(out_of_turn)

    def needs(self) -> tuple[Need, ...]:
        return self.waiting

    def actions(self, seat: Seat) -> list[Action]:
        if seat == TABLE:
            return [action for action, _ in self.outcomes()]
        for who, _ in self.waiting:
            if who == seat:
                step = self.todo[-1]
                lists = self._lists[step[0]]
                return lists(self, seat, step[1]) if len(step) == 2 else lists(self, seat, *step[1:])
        return []

    def outcomes(self) -> list[tuple[Action, int]]:
        if self.result is not None:
            return []
        step = self.todo[-1]
        outcomes = self._outcomes.get(step[0])
        return [] if outcomes is None else outcomes(self, *step[1:])

    def outcome(self) -> Outcome | None:
        return self.result

    def phase(self) -> str:
        """The name of the phase for people: that of the step on top."""
        return "over" if self.result is not None else self.steps[self.todo[-1][0]].phase


def choices(*actions: Action) -> Callable[..., list[Action]]:
    """Lists the same actions whenever the step comes."""
    fixed: Sequence[Action] = actions
    return lambda state, seat, *facts: list(fixed)
