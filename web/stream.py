"""Server-sent events: one stream per page, capped, so that streams never starve requests."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from companion.engine.action import PUBLIC, Viewer
from companion.table.people import Device
from companion.table.session import Session, Subscription, Update
from companion.table.table import WAKE, Mailbox, Table
from web.frame_cache import FrameCache, to_json
from web.frames import asked_json
from web.frames import room as room_json

HEARTBEAT_S = 1.0
"""The pause after which an idle stream says that it lives; it never depends on the game."""


def server_sent_event(kind: str, text: str, number: int | None = None) -> str:
    """Writes one server-sent event around its JSON."""
    head = f"event: {kind}\n" if number is None else f"id: {number}\nevent: {kind}\n"
    return f"{head}data: {text}\n\n"


class Streams:
    """The open streams: one per page, limited per address and in all; the last are for host and seats."""

    KEPT = 8
    """How many streams only a host or who holds a seat may open."""

    def __init__(self, limit: int, each: int | None = None) -> None:
        self.limit = limit
        self._each = limit if each is None else each
        self._for_all = limit - min(self.KEPT, limit // 2)
        self.frames = FrameCache()
        self._closing = False
        self._lock = threading.Condition()
        self._open: dict[tuple[Device, str], Stream] = {}

    def open(self, stream: Stream) -> bool:
        """Counts a stream in; a page that comes again replaces its old one. False where all are taken."""
        with self._lock:
            old = self._open.get(stream.key)
            if self._closing:
                return False
            if old is None and not self._has_room(stream):
                return False
            self._open[stream.key] = stream
        if old is not None:
            old.close()
        return True

    def _has_room(self, stream: Stream) -> bool:
        if len(self._open) >= self.limit:
            return False
        if stream.is_seated:
            return sum(one.key[0] == stream.key[0] for one in self._open.values()) < self._each
        others = [one for one in self._open.values() if not one.is_seated]
        return len(others) < self._for_all and sum(one.peer == stream.peer for one in others) < self._each

    def close(self, stream: Stream) -> None:
        """Counts a stream out."""
        with self._lock:
            if self._open.get(stream.key) is stream:
                del self._open[stream.key]
                self._lock.notify_all()

    def __len__(self) -> int:
        return len(self._open)

    def wait_until(self, n: int, seconds: float) -> bool:
        """Waits until no more than `n` are open; False when the time is up."""
        with self._lock:
            return self._lock.wait_for(lambda: len(self._open) <= n, seconds)

    def close_all(self) -> None:
        """Ends every stream and opens no more, so that the server can stop."""
        with self._lock:
            self._closing = True
            streams = list(self._open.values())
        for stream in streams:
            stream.close()


class Stream:
    """What one page is told, as long as it listens and may."""

    def __init__(
        self,
        table: Table,
        streams: Streams,
        device: Device,
        page: str,
        viewer: Viewer,
        language: str,
        peer: str = "",
    ) -> None:
        self.key = (device, page)
        self.peer = peer
        self.is_seated = table.people.is_host(device) or bool(table.own_seats(device))
        self._table = table
        self._streams = streams
        self._device = device
        self._viewer = viewer
        self._language = language
        self._closed = False
        self._mailbox: Mailbox | None = None

    def close(self) -> None:
        """Ends the stream before its next event; one that nobody has begun to read is counted out here."""
        self._closed = True
        if self._mailbox is not None:
            self._mailbox.wake()
        else:
            self._streams.close(self)

    def __iter__(self) -> Iterator[str]:
        mailbox = self._mailbox = self._table.listen(self._device)
        try:
            yield "retry: 1000\n\n"
            yield from self._run(mailbox)
        finally:
            self._table.leave(mailbox)
            self._streams.close(self)

    def _run(self, mailbox: Mailbox) -> Iterator[str]:
        room, has_asked = -1, False
        while not self._closed:
            session = self._table.session
            if not self._may(session):
                yield server_sent_event("gone", "{}")
                return
            if session is not mailbox.session:
                mailbox.follow(session, self._viewer)
            if self._table.version != room:
                room, around = self._room()
                yield around
                questions = asked_json(self._table, self._device, self._language)
                if questions or has_asked:
                    yield server_sent_event("asked", to_json(questions))
                has_asked = bool(questions)
                if session is not None:
                    # Who may act from here can change with the seats; what waits comes with it, or before.
                    yield self._update(session, self._waiting() or [session.update(self._viewer)])
            update = mailbox.updates.get(HEARTBEAT_S)
            if update is None:
                if mailbox.updates.is_closed:
                    mailbox.updates = Subscription(self._viewer, WAKE)
                    mailbox.session = None
                else:
                    yield server_sent_event("beat", "{}")
            elif session is not None and self._may(session):
                # A page that was slow gets one picture of all that it missed.
                told = [one for one in (update, *self._waiting()) if one is not WAKE]
                if told:
                    yield self._update(session, told)

    def _room(self) -> tuple[int, str]:
        """The version of the room, and the event that tells who sits where."""
        around = room_json(self._table, self._language)
        return around["version"], server_sent_event("room", to_json(around))

    def _waiting(self) -> list[Update]:
        """What the session has told since, without waiting for more."""
        told = []
        while self._mailbox is not None and (update := self._mailbox.updates.get(0)) is not None:
            told.append(update)
        return [update for update in told if update is not WAKE]

    def _update(self, session: Session, told: list[Update]) -> str:
        """The newest frame, with the lines of the log for the events of one or several updates.

        `heard` is how many lines came before these: a page knows by it whether it has missed some.
        """
        cache, whose = self._streams.frames, (self._table, session, self._viewer, self._language)
        version, frame = cache.frame(*whose, told[-1].view)
        if told[-1].version < version:
            told += self._waiting()  # the frame is newer: what led there comes with it
        lines = [cache.log(*whose, one)[1:-1] for one in told if one.events]
        # Cues begin by the table's clock; what it shows now tells the page how soon, however late this comes.
        clock = f', "now_s": {session.now_s():.3f}' if lines else ""
        log = f'"heard": {told[0].heard}, "log": [{", ".join(lines)}]'
        return server_sent_event("update", f"{frame[:-1]}{clock}, {log}}}", version)

    def _may(self, session: Session | None) -> bool:
        """Says whether the device may still see what this viewer sees of a session."""
        if self._viewer == PUBLIC:
            return True
        holder = None if session is None else self._table.people.holders(session.number).get(self._viewer)
        return holder is not None and holder.device == self._device
