"""Server-sent events: one stream per page, capped, so that streams never starve requests."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

from companion.action import PUBLIC, Viewer
from companion.errors import NotYourSeat
from companion.session import Subscription
from web import frames
from web.people import Device
from web.table import WAKE, Mailbox, Table

HEARTBEAT_S = 5.0
"""The pause after which an idle stream says that it lives; it never depends on the game."""


def event(kind: str, data: Any, number: int | None = None) -> str:
    """Writes one server-sent event."""
    head = f"event: {kind}\n" if number is None else f"id: {number}\nevent: {kind}\n"
    return f"{head}data: {json.dumps(data, ensure_ascii=False, sort_keys=True)}\n\n"


class Streams:
    """The open streams: so many at most, and one per page."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._closing = False
        self._lock = threading.Condition()
        self._open: dict[tuple[Device, str], Stream] = {}

    def open(self, stream: Stream) -> bool:
        """Counts a stream in; a page that comes again replaces its old one. False where all are taken."""
        with self._lock:
            old = self._open.get(stream.key)
            if self._closing:
                return False
            if old is None and len(self._open) >= self.limit:
                return False
            self._open[stream.key] = stream
        if old is not None:
            old.close()
        return True

    def close(self, stream: Stream) -> None:
        """Counts a stream out."""
        with self._lock:
            if self._open.get(stream.key) is stream:
                del self._open[stream.key]
                self._lock.notify_all()

    def __len__(self) -> int:
        return len(self._open)

    def wait_until(self, n: int, seconds: float) -> bool:
        """Waits until no more than so many are open; False when the time is up."""
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
        self, table: Table, streams: Streams, device: Device, page: str, viewer: Viewer, language: str
    ) -> None:
        self.key = (device, page)
        self._table = table
        self._streams = streams
        self._device = device
        self._viewer = viewer
        self._language = language
        self._closed = False
        self._mailbox: Mailbox | None = None

    def close(self) -> None:
        """Ends the stream at its next breath."""
        self._closed = True
        if self._mailbox is not None:
            self._mailbox.wake()

    def __iter__(self) -> Iterator[str]:
        mailbox = self._mailbox = self._table.listen()
        try:
            yield "retry: 1000\n\n"
            yield from self._run(mailbox)
        finally:
            self._table.leave(mailbox)
            self._streams.close(self)

    def _run(self, mailbox: Mailbox) -> Iterator[str]:
        room = -1
        while not self._closed:
            session = self._table.session
            if self._viewer != PUBLIC and not self._may():
                yield event("gone", {})
                return
            if session is not mailbox.session:
                mailbox.follow(session, self._viewer)
            if self._table.version != room:
                told = frames.room(self._table, self._language)
                room = told["version"]
                yield event("room", told)
                if session is not None:
                    # Who may act from here can change with the seats.
                    yield self._update(())
            update = mailbox.updates.get(HEARTBEAT_S)
            if update is None:
                if mailbox.updates.is_closed:
                    mailbox.updates = Subscription(self._viewer, WAKE)
                    mailbox.session = None
                else:
                    yield event("beat", {})
            elif session is not None and self._viewer_may_see():
                events = list(update.events)
                fresh = update is not WAKE
                # A page that was slow gets one picture of all that it missed.
                while (more := mailbox.updates.get(0)) is not None:
                    events += more.events
                    fresh = fresh or more is not WAKE
                if fresh:
                    yield self._update(events)

    def _update(self, events: Any) -> str:
        session = self._table.session
        if session is None:
            return ": nothing on the table\n\n"
        told = frames.frame(self._table, session, self._viewer, self._language)
        teller = frames.Teller(self._table, session, self._language)
        told["log"] = [teller.event(one) for one in events]
        return event("update", told, told["version"])

    def _may(self) -> bool:
        try:
            self._table.demand(self._device, self._viewer)
        except NotYourSeat:
            return False
        return True

    def _viewer_may_see(self) -> bool:
        return self._viewer == PUBLIC or self._may()
