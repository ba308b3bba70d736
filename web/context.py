"""What the routes work with: the parts that the app is built from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from flask import request

from companion.engine.text import LANGUAGES
from companion.settings.config import TableSettings
from companion.table.ports import Club, PhysicalTable, Voice, WorkshopPort
from companion.table.programs import Programs
from companion.table.table import Table
from web.access import AccessPolicy, RateLimiter
from web.stream import Streams


@dataclass(slots=True)
class Web:
    """What the app is built from; every part is given."""

    table: Table
    policy: AccessPolicy = field(default_factory=AccessPolicy)
    limiter: RateLimiter = field(default_factory=RateLimiter)
    address: Callable[[], str] = lambda: ""
    """Where phones find this table, for QR codes: `https://NAME:PORT` with a certificate, else `http://…`."""
    rig: PhysicalTable | None = None
    """The physical side: it takes the players' answers, and the virtual table lies on it."""
    workshop: WorkshopPort | None = None
    """The parts and settings, for the workshop's pages."""
    unplug: Callable[[], object] | None = None
    """Checks that all is stored and lets the table sleep; returns the number of stored lines."""
    club: Club | None = None
    """The other tables at the broker."""
    programs: Programs = field(default_factory=Programs)
    """The programs of others that were let in."""
    voice: Voice | None = None
    """What says sentences where a browser has no voice of its own."""
    streams: Streams = field(init=False)

    def __post_init__(self) -> None:
        self.streams = Streams(self.policy.max_streams, self.policy.streams_each)


def language_of(web: Web) -> str:
    """The language that the page reads: as it asks, else as the table is set, else as the browser asks."""
    asked = request.args.get("lang", "")
    if asked not in LANGUAGES and web.workshop is not None:
        asked = web.workshop.config.of(TableSettings).language
    return asked if asked in LANGUAGES else (request.accept_languages.best_match(LANGUAGES) or "en")
