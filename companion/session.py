"""A game on the table: the only place where a state changes.

`submit` copies the state, applies the action, lets chance follow, writes the journal, and only then tells
anybody. Each viewer has a version of their own that moves only when what they may know has changed, so nobody
can count hidden actions.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from companion.action import TABLE, Action, Seat, Viewer
from companion.chance import Chance
from companion.errors import JournalError, NotationError, NotYourSeat, Refused, StaleVersion
from companion.game import Game, View, preview
from companion.games import REGISTRY, load
from companion.journal import UNDO, Journal, Line, Stored
from companion.options import Options
from companion.record import Record, replay
from companion.state import Event, Refusal, State

QUEUE = 64
"""Updates that wait for a slow subscriber before the oldest is dropped."""


class Update(NamedTuple):
    """What one viewer is told: the whole view, and what happened since the update before."""

    version: int
    view: View
    events: tuple[Event, ...]


class Subscription:
    """One viewer's stream of updates; never blocks the table.

    A slow reader loses old updates, never their order: every update holds the whole view.
    """

    def __init__(self, viewer: Viewer, first: Update) -> None:
        self.viewer = viewer
        self._waiting: deque[Update] = deque([first], maxlen=QUEUE)
        self._ready = threading.Condition()
        self._closed = False

    def put(self, update: Update) -> None:
        """Queues an update; called by the session."""
        with self._ready:
            self._waiting.append(update)
            self._ready.notify_all()

    def get(self, timeout_s: float | None = None) -> Update | None:
        """Waits for the next update; None when the time is up or the stream is closed."""
        with self._ready:
            self._ready.wait_for(lambda: self._waiting or self._closed, timeout_s)
            return self._waiting.popleft() if self._waiting else None

    @property
    def is_closed(self) -> bool:
        return self._closed

    def close(self) -> None:
        """Ends the stream and wakes its reader."""
        with self._ready:
            self._closed = True
            self._ready.notify_all()


class Done(NamedTuple):
    """One action that stands: who, what, and what it brought."""

    seat: Seat
    action: Action
    events: tuple[Event, ...]


class Session:
    """One game on the table, safe to use from several threads."""

    def __init__(
        self, journal: Journal, number: int, chance: Chance | None = None, *, seed: int | None = None
    ) -> None:
        """Opens a stored game by replaying it; raises `JournalError` where the rules refuse a line."""
        stored = journal.stored(number)
        self.number = number
        self.game: Game = load(stored.game)
        if stored.rules != self.game.rules_version:
            raise JournalError(
                f"stored game {number} was played with rules version {stored.rules} of {stored.game}; "
                f"this Gloam has version {self.game.rules_version}. Export it with the Gloam that played it"
            )
        self.options: Options = self.game.resolve(dict(stored.options))
        self.seats = self.game.seats(self.options)
        self.viewers = self.game.viewers(self.options)
        self._journal = journal
        self._chance = chance if chance is not None else self.game.chance(self.options, seed)
        self._lock = threading.RLock()
        self._subscriptions: list[Subscription] = []
        self._written = 0
        self._done: list[Done] = []
        self._state = self.game.start(self.options)
        versions = self._replay(journal.read(number))
        self._views = {viewer: self.game.view(self._state, viewer) for viewer in self.viewers}
        self._versions = dict(zip(self.viewers, versions or [0] * len(self.viewers), strict=True))
        with self._lock:
            self._settle(self._state.copy(), [])

    @classmethod
    def start(
        cls,
        journal: Journal,
        game: Game,
        options: Options,
        chance: Chance | None = None,
        *,
        seed: int | None = None,
    ) -> Session:
        """Begins a new stored game."""
        resolved = game.resolve(options)
        return cls(journal, journal.create(game.key, game.rules_version, resolved), chance, seed=seed)

    @classmethod
    def restore(cls, journal: Journal, record: Record) -> Session:
        """Stores the game of a record; raises `RecordError` where the rules refuse it."""
        _, played = replay(record)
        number = journal.create(record.game.key, record.game.rules_version, record.options)
        journal.append(number, 0, [Line(seat, text) for seat, text in played])
        return cls(journal, number)

    # Looking -----------------------------------------------------------------------------------

    def update(self, viewer: Viewer) -> Update:
        """What the viewer may know now."""
        with self._lock:
            return Update(self._versions[viewer], self._views[viewer], ())

    def actions(self, seat: Seat) -> list[str]:
        """What the seat may do now, in notation."""
        with self._lock:
            return [self._state.notation.text(action) for action in self._state.actions(seat)]

    def labels(self, seat: Seat, language: str) -> list[tuple[str, str]]:
        """What the seat may do now: notation and words for a button."""
        with self._lock:
            state = self._state
            return [
                (state.notation.text(action), self.game.label(state, action, language))
                for action in state.actions(seat)
            ]

    def preview(self, seat: Seat, text: str) -> tuple[View, list[Event]] | None:
        """What an action would bring, as far as the seat may know; None where it would reveal something.

        The end of a game opens everything, so an action that would end it is not shown either.
        """
        with self._lock:
            seen = preview(self.game, self._state, seat, seat, self._state.notation.parse(text))
            return None if seen is None or seen[0]["outcome"] is not None else seen

    def refusal(self, seat: Seat, text: str) -> Refusal | None:
        """Why the seat may not take an action now."""
        with self._lock:
            return self._state.refusal(seat, self._state.notation.parse(text))

    def history(self, viewer: Viewer) -> list[Event]:
        """Everything that happened, as far as the viewer may know."""
        with self._lock:
            return [event for done in self._done for event in done.events if event.is_for(viewer)]

    def lines(self) -> list[tuple[Seat, str]]:
        """The actions that stand. They hold every secret: only for the journal's export and the matcher."""
        with self._lock:
            return [(done.seat, self._state.notation.text(done.action)) for done in self._done]

    def state(self) -> State:
        """A copy of the whole truth: only for the matcher, never for a screen or a lamp."""
        with self._lock:
            return self._state.copy()

    # Changing ----------------------------------------------------------------------------------

    def submit(self, seat: Seat, text: str, version: int | None = None) -> Update:
        """Takes an action; when this returns, it is durable.

        Raises `NotationError`, `Refused`, or `StaleVersion` where the seat has seen an older position;
        then nothing has changed.
        """
        with self._lock:
            viewer = seat if seat in self._versions else self.viewers[-1]
            if version is not None and version != self._versions[viewer]:
                raise StaleVersion(f"seen version {version}, the table is at {self._versions[viewer]}")
            action = self._state.notation.parse(text)
            after = self._state.copy()
            events = after.apply(seat, action)
            self._settle(after, [Done(seat, action, tuple(events))])
            return self.update(viewer)

    def undo(self, seat: Seat | None = None, *, force: bool = False) -> None:
        """Takes back the last decision and what chance brought after it.

        A seat may take back only its own (None: the table may take back anybody's). Refused across a reveal
        or visible chance unless forced; what was taken back is announced to those whose view changes.
        """
        with self._lock:
            keep = len(self._done) - 1
            while keep >= 0 and self._done[keep].seat == TABLE:
                keep -= 1
            if keep < 0 or (seat is not None and self._done[keep].seat != seat):
                raise Refused(Refusal("undo-nothing"))
            if not force and any(self._reveals(done) for done in self._done[keep:]):
                raise Refused(Refusal("undo-reveals"))
            state = self.game.start(self.options)
            for done in self._done[:keep]:
                state.apply(done.seat, done.action)
            undone = Event("undone", {"actions": len(self._done) - keep})
            self._commit(state, [], keep, [undone])

    def _reveals(self, done: Done) -> bool:
        verb = self._state.notation.verbs[done.action.verb]
        return verb.reveals or (done.seat == TABLE and bool(done.action.args))

    def _settle(self, after: State, batch: list[Done]) -> None:
        """Lets chance follow as far as it can, then makes it all durable and tells everybody."""
        while after.is_chance():
            action = self._chance.pick(after.outcomes())
            if action is None:
                break
            batch.append(Done(TABLE, action, tuple(after.apply(TABLE, action))))
        if batch:
            self._commit(after, batch, None, [event for done in batch for event in done.events])

    def _commit(self, after: State, batch: list[Done], keep: int | None, events: list[Event]) -> None:
        views = {viewer: self.game.view(after, viewer) for viewer in self.viewers}
        heard = {viewer: tuple(e for e in events if e.is_for(viewer)) for viewer in self.viewers}
        changed = [v for v in self.viewers if views[v] != self._views[v] or (heard[v] and keep is None)]
        versions = {v: n + 1 if v in changed else n for v, n in self._versions.items()}
        counters = tuple(versions.values())
        text = self._state.notation.text
        lines = [Line(done.seat, text(done.action), counters) for done in batch]
        if keep is not None:
            lines.append(Line(UNDO, str(keep), counters))
        self._journal.append(self.number, self._written, lines)
        self._written += len(lines)
        if keep is not None:
            del self._done[keep:]
        self._done += batch
        self._state, self._views, self._versions = after, views, versions
        for subscription in self._subscriptions:
            viewer = subscription.viewer
            if viewer in changed:
                subscription.put(Update(versions[viewer], views[viewer], heard[viewer]))

    def _replay(self, lines: Iterable[Line]) -> tuple[int, ...]:
        versions: tuple[int, ...] = ()
        for number, line in enumerate(lines, 1):
            if line.seat == UNDO:
                del self._done[int(line.text) :]
                self._state = self.game.start(self.options)
                for done in self._done:
                    self._state.apply(done.seat, done.action)
            else:
                try:
                    action = self._state.notation.parse(line.text)
                    events = self._state.apply(line.seat, action)
                except (Refused, NotationError) as error:
                    raise JournalError(
                        f"stored game {self.number}: line {number} ({line.text!r}) is refused: {error}; "
                        f"the {number - 1} lines before it are good",
                        line=number,
                        good=number - 1,
                    ) from error
                self._done.append(Done(line.seat, action, tuple(events)))
            self._written = number
            versions = line.versions
        return versions

    # Telling -----------------------------------------------------------------------------------

    def subscribe(self, viewer: Viewer) -> Subscription:
        """Opens a viewer's stream; its first update is the position now."""
        if viewer not in self._versions:
            raise NotYourSeat(f"there is no seat {viewer} at this table")
        with self._lock:
            subscription = Subscription(viewer, self.update(viewer))
            self._subscriptions.append(subscription)
            return subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        """Closes a stream."""
        with self._lock:
            if subscription in self._subscriptions:
                self._subscriptions.remove(subscription)
        subscription.close()

    def close(self) -> None:
        """Closes all streams; the journal stays open for its owner."""
        with self._lock:
            subscriptions, self._subscriptions = self._subscriptions, []
        for subscription in subscriptions:
            subscription.close()


def older_games(journal: Journal) -> list[Stored]:
    """The stored games that this Gloam's rules do not continue."""
    return [
        one for one in journal.games() if one.game in REGISTRY and one.rules != load(one.game).rules_version
    ]
