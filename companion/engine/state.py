"""The position of a game and the only ways to change it.

A game is a set of verbs. For each verb its `State` has a `can_<verb>` that only looks and returns the
first reason against it, and a `do_<verb>` that only acts. `State.apply` always asks before it acts, and then
runs the steps that need nobody (`agenda.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, ClassVar

from companion.engine.action import TABLE, Action, Cell, Notation, Seat, Verb
from companion.engine.agenda import Step, StepRule
from companion.engine.errors import Refused
from companion.engine.event import Event as Event
from companion.engine.event import Need as Need
from companion.engine.event import Outcome as Outcome
from companion.engine.event import all_but as all_but
from companion.engine.event import only as only
from companion.engine.fields import Copyable, Fields
from companion.engine.reason import Reason as Reason
from companion.engine.reason import Refusal as Refusal


def no(code: str, rule: str, *cells: Cell, **data: Any) -> Refusal:
    """Makes a refusal: code, ledger rule, the cells involved, and what fills the blanks of its text."""
    return Refusal(code, cells, rule, data)


class State(Copyable):
    """The whole truth about a game in progress, and what is still to be done in it.

    A subclass must define `verbs` with a `can_`/`do_` pair each, `steps`, `turn_rule`, `over_rule`, `check`
    and, as `declared`, its fields: `copy`, equality, hashing and `dump` are made from them. Its constructor
    sets `todo` and `result`, pushes the first steps and calls `settle`. A verb with a hyphen is spelled with
    an underscore in its pair. Rule code has no input or output, no clock, no random numbers and no text for
    people.
    """

    declared = Fields(shared=("result",), sliced=("todo",), derived=("waiting",))
    __slots__ = ("result", "todo", "waiting")

    verbs: ClassVar[Mapping[str, Verb]] = {}
    turn_rule: ClassVar[str] = ""
    """The ledger rule that says whose turn it is and what may be done in it."""
    over_rule: ClassVar[str] = ""
    """The ledger rule that says a finished game takes no more actions."""
    parts: ClassVar[tuple[ModuleType, ...]] = ()
    """The modules that hold the pairs, one subject each; a pair takes the position as its first argument."""
    steps: ClassVar[Mapping[str, StepRule]] = {}
    """What each name of a pending step means."""
    notation: ClassVar[Notation] = Notation({})
    _pairs: ClassVar[dict[str, tuple[Callable[..., Refusal | None], Callable[..., list[Event]]]]] = {}
    _table: ClassVar[dict[str, tuple[Callable[..., None] | None, int, Any]]] = {}
    _lists: ClassVar[dict[str, Callable[..., list[Action]]]] = {}
    _outcomes: ClassVar[dict[str, Callable[..., list[tuple[Action, int]]]]] = {}

    todo: list[Step]
    """What is still to be done; the last step comes first."""
    waiting: tuple[Need, ...]
    """Who must act now, as `settle` found it."""
    result: Outcome | None
    """How the game ended, or None while it goes on."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.notation = Notation(cls.verbs)
        cls._pairs = {}
        for verb in cls.verbs:
            name = verb.replace("-", "_")
            home = next((part for part in cls.parts if hasattr(part, f"do_{name}")), cls)
            cls._pairs[verb] = getattr(home, f"can_{name}"), getattr(home, f"do_{name}")
        cls._table = {name: (rule.run, rule.place, rule.needs) for name, rule in cls.steps.items()}
        cls._lists = {name: rule.lists for name, rule in cls.steps.items() if rule.lists is not None}
        cls._outcomes = {name: rule.outcomes for name, rule in cls.steps.items() if rule.outcomes is not None}

    def check(self) -> None:
        """Asserts the ledger's invariants: pieces conserved, nothing impossible. A subclass defines it."""
        raise NotImplementedError

    # Looking -----------------------------------------------------------------------------------

    def needs(self) -> tuple[Need, ...]:
        """Says who must act now; empty when the game is over. Chance that is due is a need of TABLE."""
        return self.waiting

    def actions(self, seat: Seat) -> list[Action]:
        """Lists every action that `seat` may take now, and nothing else."""
        if seat == TABLE:
            return [action for action, _ in self.outcomes()]
        for who, _ in self.waiting:
            if who == seat:
                step = self.todo[-1]
                if len(step) == 2:
                    return self._lists[step[0]](self, seat, step[1])
                return self._lists[step[0]](self, seat, *step[1:])
        return []

    def outcomes(self) -> list[tuple[Action, int]]:
        """Lists what chance can bring now, each with the number of ways it can."""
        if self.result is not None:
            return []
        step = self.todo[-1]
        outcomes = self._outcomes.get(step[0])
        if outcomes is None:
            return []
        # As in `apply`: nearly all steps have one or two facts.
        if len(step) == 2:
            return outcomes(self, step[1])
        if len(step) == 3:
            return outcomes(self, step[1], step[2])
        return outcomes(self, *step[1:])

    def outcome(self) -> Outcome | None:
        """Says how the game ended, or None while it goes on."""
        return self.result

    def phase(self) -> str:
        """The name of the phase for people: that of the step on top."""
        return "over" if self.result is not None else self.steps[self.todo[-1][0]].phase

    def is_chance(self) -> bool:
        """Says whether a draw, roll or shuffle is due."""
        return any(need.seat == TABLE for need in self.needs())

    def refusal(self, seat: Seat, action: Action) -> Refusal | None:
        """Returns the first reason against the action, or None when it may be taken."""
        verb, args = action
        needs = self.needs()
        for who, verbs in needs:
            if who == seat and verb in verbs:
                return self._pairs[verb][0](self, seat, *args)
        if not needs:
            return no("game-over", self.over_rule)
        if any(need.seat == seat for need in needs):
            return no("not-now", self.turn_rule)
        return no("not-your-turn", self.turn_rule)

    # Acting ------------------------------------------------------------------------------------

    def apply(self, seat: Seat, action: Action) -> list[Event]:
        """Takes the action and does what follows by itself, or raises `Refused` and changes nothing."""
        verb, args = action
        for who, verbs in self.waiting:
            if who == seat and verb in verbs:
                can, do = self._pairs[verb]
                # Nearly all actions have one or two arguments; spreading them would take twice as long.
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
