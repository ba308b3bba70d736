"""A game on the table: the only place where a state changes.

`submit` copies the state, applies the action, lets chance follow, writes the journal, and only then tells
anybody. Each viewer has a version of their own that moves only when what they may know has changed, so nobody
can count hidden actions.
"""

from __future__ import annotations

import re
import threading
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from time import monotonic
from typing import NamedTuple

from companion.engine.action import PUBLIC, TABLE, Action, Seat, Viewer
from companion.engine.chance import Chance
from companion.engine.cue import Pace, TimedCue
from companion.engine.errors import (
    ConfigError,
    JournalError,
    NotationError,
    NotYourSeat,
    Refused,
    StaleVersion,
)
from companion.engine.game import Game, View, preview
from companion.engine.layout import Board
from companion.engine.options import Options
from companion.engine.state import Event, Refusal, State
from companion.games import REGISTRY, load
from companion.table.boxes import Boxes, is_same_box
from companion.table.journal import NOTICE, UNDO, Journal, Line, Stored
from companion.table.record import Record, replay

QUEUE = 64
"""Updates that wait for a slow subscriber before the oldest is dropped."""
FORCED = "undo-forced"
"""The standing notice of an undo that the rules of undo refuse and the host took by force."""


class Update(NamedTuple):
    """What one viewer is told: the whole view, and what happened since the update before."""

    version: int
    view: View
    events: tuple[Event, ...]
    cues: tuple[TimedCue, ...] = ()
    """How and when each of the events is played out."""
    heard: int = 0
    """How many events of the game that stands the viewer had heard of before these."""


class Subscription:
    """One viewer's stream of updates for one reader; never blocks the table.

    A slow reader loses old updates, never their order: every update holds the whole view.
    """

    def __init__(self, viewer: Viewer, first: Update) -> None:
        self.viewer = viewer
        self._waiting: deque[Update] = deque([first], maxlen=QUEUE)
        # A bare lock as the signal: it is held while there is nothing to hear of. A condition would do the
        # same in Python code, which is slow where many readers wake at once.
        self._signal = threading.Lock()
        self._closed = False

    def put(self, update: Update) -> None:
        """Queues an update; called by the session."""
        self._waiting.append(update)
        self._wake_reader()

    def _wake_reader(self) -> None:
        with suppress(RuntimeError):  # it was signalled already
            self._signal.release()

    def get(self, timeout_s: float | None = None) -> Update | None:
        """Waits for the next update; None when the time is up or the stream is closed."""
        end_s = None if timeout_s is None else monotonic() + timeout_s
        while not self._waiting:
            left_s = -1 if end_s is None else max(0.0, end_s - monotonic())
            if self._closed or not self._signal.acquire(timeout=left_s):
                return None
        return self._waiting.popleft()

    @property
    def is_closed(self) -> bool:
        return self._closed

    def close(self) -> None:
        """Ends the stream and wakes its reader."""
        self._closed = True
        self._wake_reader()


class Snapshot(NamedTuple):
    """The whole truth about one position: only for the matcher, never for a screen or a lamp."""

    number: int
    """Lines of the journal that led here, undone ones included: no two positions of a game share it."""
    state: State
    actions: int
    """How many actions stand."""


class Done(NamedTuple):
    """One action that stands: who, what, and what it brought."""

    seat: Seat
    action: Action
    events: tuple[Event, ...]
    source: Hashable = None
    """Where chance drew it from, as `Game.drawn_from` says."""


class OtherBox(JournalError):
    """The stored game was played with other card data than the owner's box holds now."""


class PastDraw(NamedTuple):
    """What chance has brought and an undo has taken back: it comes again with the next draw from there."""

    source: Hashable
    words: tuple[str, ...]


class Session:
    """One game on the table, safe to use from several threads."""

    def __init__(
        self,
        journal: Journal,
        number: int,
        chance: Chance | None = None,
        *,
        seed: int | None = None,
        clock: Callable[[], float] = monotonic,
        game: Game | None = None,
    ) -> None:
        """Opens a stored game by replaying it; raises `JournalError` where the rules refuse a line.

        The game is the one on the owner's shelf, with the owner's box, unless it is given.
        """
        stored = journal.stored(number)
        self.number = number
        self.game: Game = game or Boxes(journal.folder).load(stored.game)
        if stored.rules != self.game.rules_version:
            raise JournalError(
                f"stored game {number} was played with rules version {stored.rules} of {stored.game}; "
                f"this Gloam has version {self.game.rules_version}. Export it with the Gloam that played it"
            )
        if not is_same_box(stored.box, self.game):
            raise OtherBox(
                f"stored game {number} was played with other cards of {stored.game} than your box has now. "
                "Enter them on the page “My box” as they were, or restore the backup that holds both"
            )
        self.options: Options = self.game.resolve(dict(stored.options))
        self.board: Board = self.game.board(self.options)
        """The board as it lies on this table: the parts may spread it."""
        self.seats = self.game.seats(self.options)
        self.viewers = self.game.viewers(self.options)
        self._journal = journal
        self._chance = chance if chance is not None else self.game.chance(self.options, seed)
        self._lock = threading.RLock()
        self._subscriptions: list[Subscription] = []
        self._clock = clock
        self._paces = {viewer: Pace() for viewer in self.viewers}
        self._written = 0
        self._done: list[Done] = []
        self._drawn: tuple[PastDraw, ...] = ()
        self._by_table = self.game.at_table(self.options)
        self.standing: tuple[str, ...] = ()
        """The notices that every screen shows until the game is over."""
        self._state = self.game.start(self.options)
        versions = self._replay(journal.read(number))
        self._views = {viewer: self.game.view(self._state, viewer) for viewer in self.viewers}
        self._versions = dict(zip(self.viewers, versions or [0] * len(self.viewers), strict=True))
        self._heard = {viewer: len(self.history(viewer)) for viewer in self.viewers}
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
        clock: Callable[[], float] = monotonic,
    ) -> Session:
        """Begins a new stored game."""
        number = journal.create(game.key, game.rules_version, game.resolve(options), game.box)
        return cls(journal, number, chance, seed=seed, clock=clock, game=game)

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
            return Update(self._versions[viewer], self._views[viewer], (), heard=self._heard[viewer])

    def actions(self, seat: Seat) -> list[str]:
        """What the seat may do now, in notation."""
        with self._lock:
            return [self._state.notation.text(action) for action in self._state.actions(seat)]

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

    def snapshot(self) -> Snapshot:
        """A copy of the position with its number, for a thread that will act on it later."""
        with self._lock:
            return Snapshot(self._written, self._state.copy(), len(self._done))

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
            self._settle(after, [self._apply(after, seat, action)])
            return self.update(viewer)

    def play(
        self, line: Sequence[tuple[Seat, str]], number: int | None = None, keep: int | None = None
    ) -> None:
        """Takes several actions while nobody else can act, after taking back all but the first `keep` ones.

        Raises `StaleVersion`, and changes nothing, where `number` is not that of the position any more;
        `Refused` at the first action that the rules refuse, and those before it stand.
        """
        with self._lock:
            if number is not None and number != self._written:
                raise StaleVersion(f"made for line {number} of the journal, the table is at {self._written}")
            while keep is not None and len(self._done) > keep:
                self.undo(force=True)
            for seat, text in line:
                self.submit(seat, text)

    def undo(self, seat: Seat | None = None, *, force: bool = False) -> None:
        """Takes back the last decision and what chance brought after it; notes stay.

        A seat may take back only its own (None: the table screen, that of a seat without secrets), and only
        until the other side must act. Yes or no follows from what the seat knows, and there is one refusal.
        The table screen may force it: then everybody is told and goes on being told. What chance brought
        comes again with the next draw from the same place.
        """
        with self._lock:
            keep = self._last_decision()
            is_forced = not self._may_take_back(PUBLIC if seat is None else seat, keep)
            if is_forced and (seat is not None or keep < 0 or not force):
                code = "undo-reveals" if seat is None and not force else "undo-nothing"
                raise Refused(Refusal(code))
            state = self.game.start(self.options)
            for done in self._done[:keep]:
                state.apply(done.seat, done.action)
            notes = [done for done in self._done[keep:] if self._is_note(done)]
            notes = [
                self._apply(state, done.seat, done.action)
                for done in notes
                if state.refusal(done.seat, done.action) is None
            ]
            self._commit(state, notes, self._taken_back(keep), keep, FORCED if is_forced else "")

    def _is_note(self, done: Done) -> bool:
        return done.action.verb in self.game.notes

    def _last_decision(self) -> int:
        """The place of the last action that is neither chance nor a note, or -1."""
        i = len(self._done) - 1
        while i >= 0 and (self._done[i].seat == TABLE or self._is_note(self._done[i])):
            i -= 1
        return i

    def _may_take_back(self, viewer: Viewer, keep: int) -> bool:
        """Says whether a viewer may take back a decision: its own, revealing nothing, and before the others'.

        While the viewer is shown that another side with secrets must act, the answer is no: otherwise yes or
        no would tell whether that one has acted.
        """
        seats = set(range(len(self.seats)))
        # Not asked of the views: whether one differs from the public one now can be a secret itself.
        without_secrets = seats if self.game.is_open(self.options) else set()
        harmless = {TABLE} | without_secrets
        if viewer != PUBLIC:
            side = self.game.side(self.options, viewer)
            harmless |= {seat for seat in seats if self.game.side(self.options, seat) == side}
        needs = self._views[viewer]["needs"]
        if not needs or any(who not in harmless for who, _ in needs):
            return False
        own = without_secrets if viewer == PUBLIC else {viewer}
        if keep < 0 or self._done[keep].seat not in own:
            return False
        return not any(self._reveals(done) for done in self._done[keep:])

    def _reveals(self, done: Done) -> bool:
        verb = self._state.notation.verbs[done.action.verb]
        return verb.reveals or (done.seat == TABLE and bool(done.action.args))

    def mark(self, code: str) -> None:
        """Leaves a notice that every screen shows until the game is over."""
        with self._lock:
            if code in self.standing:
                return
            self._journal.append(
                self.number, self._written, [Line(NOTICE, code, tuple(self._versions.values()))]
            )
            self._written += 1
            self.standing = (*self.standing, code)

    # Chance --------------------------------------------------------------------------------------

    def _apply(self, state: State, seat: Seat, action: Action) -> Done:
        source = self.game.drawn_from(state) if seat == TABLE else None
        return Done(seat, action, tuple(state.apply(seat, action)), source)

    def _draw(self, action: Action, source: Hashable) -> PastDraw:
        words = tuple(self._state.notation.text(action).split()[1:])
        return PastDraw(action.verb if source is None else source, words)

    def _pick(self, state: State, drawn: tuple[PastDraw, ...]) -> Action | None:
        """Lets chance decide; what was drawn from there before and taken back comes again."""
        source = self.game.drawn_from(state)
        outcomes = state.outcomes()
        possible = {
            self._draw(action, source): action
            for action, _ in outcomes
            if drawn and action.verb not in self._by_table
        }
        for one in drawn:
            if one in possible:
                return possible[one]
        if source is not None:
            elsewhere = {one.words for one in drawn}
            rest = [(a, ways) for a, ways in outcomes if self._draw(a, source).words not in elsewhere]
            outcomes = rest if drawn and rest else outcomes
        return self._chance.pick(outcomes)

    def _less(self, drawn: tuple[PastDraw, ...], done: Done) -> tuple[PastDraw, ...]:
        """What is still to come again after an action of chance."""
        if not drawn or done.seat != TABLE or not done.action.args:
            return drawn
        one = self._draw(done.action, done.source)
        if one not in drawn:
            return tuple(other for other in drawn if other.source != one.source)
        i = drawn.index(one)
        return drawn[:i] + drawn[i + 1 :]

    def _taken_back(self, keep: int) -> tuple[PastDraw, ...]:
        """What comes again once all but the first `keep` actions are taken back."""
        back = [
            self._draw(done.action, done.source)
            for done in self._done[keep:]
            if done.seat == TABLE and done.action.args and done.action.verb not in self._by_table
        ]
        return (*back, *self._drawn)

    def _settle(self, after: State, batch: list[Done]) -> None:
        """Lets chance follow as far as it can, then makes it all durable and tells everybody."""
        drawn = self._drawn
        for done in batch:
            drawn = self._less(drawn, done)
        while after.is_chance():
            action = self._pick(after, drawn)
            if action is None:
                break
            batch.append(self._apply(after, TABLE, action))
            drawn = self._less(drawn, batch[-1])
        if batch:
            self._commit(after, batch, drawn)

    def _commit(
        self,
        after: State,
        batch: list[Done],
        drawn: tuple[PastDraw, ...],
        keep: int | None = None,
        mark: str = "",
    ) -> None:
        """Writes what was taken back (`keep`), what was done and what stays on the screens; then tells it."""
        views = {viewer: self.game.view(after, viewer) for viewer in self.viewers}
        if keep is None:
            told = [event for done in batch for event in done.events]
            heard = {viewer: tuple(e for e in told if e.is_for(viewer)) for viewer in self.viewers}
        else:
            gone = [e for done in self._done[keep:] if not self._is_note(done) for e in done.events]
            heard = {
                viewer: (Event("undone", {}),)
                if mark or views[viewer] != self._views[viewer] or any(e.is_for(viewer) for e in gone)
                else ()
                for viewer in self.viewers
            }
        changed = [v for v in self.viewers if heard[v] or views[v] != self._views[v]]
        versions = {v: n + 1 if v in changed else n for v, n in self._versions.items()}
        counters = tuple(versions.values())
        text = self._state.notation.text
        lines = [] if keep is None else [Line(UNDO, str(keep), counters)]
        lines += [Line(done.seat, text(done.action), counters) for done in batch]
        if mark and mark not in self.standing:
            lines.append(Line(NOTICE, mark, counters))
        self._journal.append(self.number, self._written, lines)
        self._written += len(lines)
        if keep is not None:
            del self._done[keep:]
        if mark and mark not in self.standing:
            self.standing = (*self.standing, mark)
        self._done += batch
        self._drawn = drawn
        self._state, self._views, self._versions = after, views, versions
        cues = {viewer: self._cues(viewer, heard[viewer]) for viewer in changed}
        if keep is None:
            before = self._heard
            self._heard = {viewer: before[viewer] + len(heard[viewer]) for viewer in self.viewers}
        else:
            before = self._heard = {viewer: len(self.history(viewer)) for viewer in self.viewers}
        for subscription in self._subscriptions:
            viewer = subscription.viewer
            if viewer in changed:
                told_now = heard[viewer], cues[viewer], before[viewer]
                subscription.put(Update(versions[viewer], views[viewer], *told_now))

    def _cues(self, viewer: Viewer, events: tuple[Event, ...]) -> tuple[TimedCue, ...]:
        """How and when a viewer's events are played out: by these events and those before them alone."""
        return self._paces[viewer].play(self._clock(), [self.game.cue(event) for event in events])

    def now_s(self) -> float:
        """The time by the clock that cues are played by."""
        return self._clock()

    def _replay(self, lines: Iterable[Line]) -> tuple[int, ...]:
        versions: tuple[int, ...] = ()
        for number, line in enumerate(lines, 1):
            try:
                self._replay_line(line)
            except (Refused, NotationError) as error:
                raise JournalError(
                    f"stored game {self.number}: line {number} ({line.text!r}) is refused: {error}; "
                    f"the {number - 1} lines before it are good",
                    line=number,
                    good=number - 1,
                ) from error
            self._written = number
            versions = line.versions
            if versions and len(versions) != len(self.viewers):
                raise JournalError(f"stored game {self.number}: line {number} is for other viewers")
        return versions

    def _replay_line(self, line: Line) -> None:
        """Does what a stored line says; raises `Refused` or `NotationError` where that cannot be."""
        if line.seat == NOTICE:
            self.standing = (*self.standing, line.text)
        elif line.seat == UNDO:
            keep = int(line.text) if re.fullmatch("[0-9]{1,9}", line.text) else -1
            if not 0 <= keep <= len(self._done):
                raise NotationError(f"{line.text[:40]!r} of {len(self._done)} actions cannot stay")
            self._drawn = self._taken_back(keep)
            del self._done[keep:]
            self._state = self.game.start(self.options)
            for stays in self._done:
                self._state.apply(stays.seat, stays.action)
        elif line.seat != TABLE and not 0 <= line.seat < len(self.seats):
            raise NotationError(f"there is no seat {line.seat} at this table")
        else:
            done = self._apply(self._state, line.seat, self._state.notation.parse(line.text))
            self._done.append(done)
            self._drawn = self._less(self._drawn, done)

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
    """The stored games that this Gloam cannot continue: other rules, or a game or option that it lacks."""
    return [one for one in journal.games() if not can_continue(one)]


def can_continue(stored: Stored) -> bool:
    """Says whether this Gloam has the game, its options and its rules."""
    if stored.game not in REGISTRY or stored.rules != load(stored.game).rules_version:
        return False
    try:
        load(stored.game).resolve(dict(stored.options))
    except ConfigError:
        return False
    return True
