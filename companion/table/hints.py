"""Hints at the table: on demand, for a seat that must decide, answered after the same time each time.

The thoughts are seeded by what the seat knows (its own version of the position), so asking twice gives the
same hint, and two positions that differ only in what the seat may not know give equal ones.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import monotonic, sleep

from companion.engine.action import Seat
from companion.engine.hint import Hint, hints
from companion.table.session import Session

OFF = "hints-off"
"""The standing notice of a game without hints."""
THINK_S = 1.2
ANSWER_S = 1.8
"""Seconds after which a hint comes, however long the thinking took: its time tells nothing."""


def hints_for(
    session: Session,
    seat: Seat,
    clock: Callable[[], float] = monotonic,
    wait: Callable[[float], None] = sleep,
) -> list[Hint]:
    """The best that a seat could do; empty where it has nothing to choose or hints are switched off."""
    asked = clock()
    found: list[Hint] = []
    if OFF not in session.standing:
        known = f"hint {session.number} {seat} {session.update(seat).version}"
        found = hints(session.game, session.state(), seat, Random(known), THINK_S)
    wait(max(0.0, asked + ANSWER_S - clock()))
    return found
