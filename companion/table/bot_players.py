"""Bots on seats of the table: each decides from what its own seat may know, as a person there would.

A bot is a device among the people, so what holds for seats holds for it: everybody sees it sit down, it keeps
its seat over a restart, and its moves go through `Table.submit`. On a physical table they are shown like
moves that somebody tapped: lights and page say what to lay, people's hands do it, and the camera checks it.

What others notice of a bot falls on a beat, however many hidden actions lie before it: nobody counts them by
the time that the bot took.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from random import Random
from time import monotonic
from traceback import extract_tb
from typing import NamedTuple

from companion.engine.action import TABLE, Action, Seat
from companion.engine.chance import weighted
from companion.engine.errors import NotYourSeat, Refused, StaleVersion
from companion.engine.game import Turn, random_bot, turn_for
from companion.engine.search import STRONG, choose
from companion.table.people import bot_strength
from companion.table.session import Session
from companion.table.table import Table

log = logging.getLogger(__name__)

BEAT_S = 1.2
"""Seconds between what others notice of bots, or a multiple of them: people can follow."""
DRAWS_TRIED = 3
"""How many of the draws that may follow an action are looked at."""
STRAY = {"beginner": 0.35, "good": 0.0, "strong": 0.0}
"""How strong a bot may be, with the share of its moves that are made without thinking."""


class BotFailed(RuntimeError):
    """A bot could not decide; says where, and nothing of what the bot knows."""


class Decision(NamedTuple):
    """What a bot is about to do, and the version of the position for which it decided."""

    session: Session
    seat: Seat
    action: Action
    version: int
    is_noticed: bool
    """Whether anybody else will notice."""


class BotPlayers:
    """Owner of the thread `bots`: takes one action after the other for the seats that bots hold."""

    THREAD = "bots"

    def __init__(
        self,
        table: Table,
        rng: Random | None = None,
        wait: Callable[[threading.Event, float], bool] = threading.Event.wait,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._table = table
        self._rng = rng or Random()
        self._wait = wait
        self._clock = clock
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Stops after the action that is being taken."""
        self._stopped.set()

    def run_once(self) -> None:
        """Decides for a bot that must act; what others will notice, and looking again, waits for the beat.

        Raises `BotFailed` where a bot does not work.
        """
        try:
            due = self._decide()
            if due is None or due.is_noticed:
                self._wait(self._stopped, BEAT_S - self._clock() % BEAT_S)
            if due is not None and not self._stopped.is_set():
                self._take(due)
        except (StaleVersion, NotYourSeat, Refused) as error:
            # A person was faster, or the game has left the table; its words may tell what the bot knows.
            log.info("a bot's move came too late: %s", type(error).__name__)
        except Exception as error:
            at = extract_tb(error.__traceback__)[-1]
            raise BotFailed(f"{type(error).__name__} in {at.filename}, line {at.lineno}") from None

    def step(self) -> bool:
        """Takes one action for one bot that must act; False where none must."""
        due = self._decide()
        if due is not None:
            self._take(due)
        return due is not None

    def _take(self, due: Decision) -> None:
        text = due.session.state().notation.text(due.action)
        self._table.submit(due.seat, due.seat, text, due.version)

    def _decide(self) -> Decision | None:
        """What a bot that must act will do; None where none must."""
        session = self._table.session
        found = None if session is None else self._due(session)
        if session is None or found is None:
            return None
        seat, strength = found
        version = session.update(seat).version
        action = self._action(session, seat, strength)
        return Decision(session, seat, action, version, is_noticed(session, seat, action, self._rng))

    def _action(self, session: Session, seat: Seat, strength: str) -> Action:
        """What a bot of a strength does in its seat; one that is stopped takes what is best so far."""
        state = session.state()
        if strength == STRONG and may_think(session):
            return choose(session.game, state, seat, STRONG, self._rng, self._stopped.is_set)
        turn = turn_for(session.game, state, seat, self._rng)
        strays = self._rng.random() < STRAY.get(strength, 0.0)
        return (random_bot if strays else session.game.bots["careful"])(_without_notes(session, turn))

    def _due(self, session: Session) -> tuple[Seat, str] | None:
        """A seat that must act, and the strength of its bot; nobody waits for notes."""
        holders = self._table.people.holders(session.number)
        notes = session.game.notes
        for need in session.state().needs():
            holder = holders.get(need.seat)
            if holder is not None and not notes.issuperset(need.verbs) and bot_strength(holder.device):
                return need.seat, bot_strength(holder.device)
        return None


def may_think(session: Session) -> bool:
    """Says whether a bot may think long: where all see everything, so that its time tells nobody a secret."""
    return session.game.is_open(session.options)


def _without_notes(session: Session, turn: Turn) -> Turn:
    return turn._replace(actions=[one for one in turn.actions if one.verb not in session.game.notes])


def is_noticed(session: Session, seat: Seat, action: Action, rng: Random) -> bool:
    """Says whether anybody else sees or hears of an action, or of what chance may bring after it."""
    for _ in range(DRAWS_TRIED):
        after = session.state()
        events = after.apply(seat, action)
        while after.is_chance():
            events += after.apply(TABLE, weighted(after.outcomes(), rng))
        for viewer in session.viewers:
            is_heard = any(event.is_for(viewer) for event in events)
            if viewer != seat and (
                is_heard or session.game.view(after, viewer) != session.update(viewer).view
            ):
                return True
    return False
