"""A table in a temporary folder and people who come to it, for the tests of the web."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.engine.options import Value
from companion.service.workshop import Workshop
from companion.settings.config import open_config
from companion.table.journal import Journal
from companion.table.people import SETUP, People
from companion.table.session import Session
from companion.table.table import Table
from hardware.clock import SystemClock
from hardware.wiring import SCHEMA
from web.access import AccessPolicy, RateLimiter
from web.app import create_app
from web.context import Web

HOST = "192.168.7.5:8000"
ORIGIN = f"http://{HOST}"
PHONE = "192.168.7.20"


class FakeClock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Dealt(Table):
    """A table whose games are all dealt from one seed, so that a test which fails fails again."""

    # The Dark Cave comes to a hand with one tunnel here, which the page does not ask for.
    SEED = 23

    def start(
        self, key: str, options: Mapping[str, Value], *, seed: int | None = SEED, swap: bool = False
    ) -> Session:
        return super().start(key, options, seed=seed, swap=swap)


class Room:
    """A table with its web app, in a folder that may be opened again as after a restart."""

    def __init__(self, folder: Path, clock: FakeClock | None = None) -> None:
        self.clock = clock or FakeClock()
        self.journal = Journal(folder / "games.db")
        self.people = People(folder / "people.json", self.clock)
        self.table = Dealt(self.journal, self.people)
        self.workbench = Workshop(open_config(folder / "gloam.toml", SCHEMA), folder, SystemClock())
        self.web = Web(
            self.table, AccessPolicy(), RateLimiter(self.clock), lambda: HOST, workshop=self.workbench
        )
        self.app = create_app(self.web)
        self.app.testing = True

    def visitor(self, address: str = PHONE) -> Visitor:
        return Visitor(self.app.test_client(), address)

    def host(self) -> Visitor:
        """Somebody who has set the table up with the console's code."""
        host = self.visitor("192.168.7.10")
        code = self.people.codes.offer(SETUP, 60)
        assert host.post("/api/setup", code=code.short).status_code == 200
        return host

    def guest(self, name: str) -> Visitor:
        """Somebody who has scanned the invitation and said a name."""
        guest = self.visitor()
        assert guest.post("/api/join", name=name, code=self.people.join_code).status_code == 200
        self.clock.now += 10
        return guest

    def close(self) -> None:
        self.workbench.close()
        if self.table.session is not None:
            self.table.session.close()
        self.journal.close()


class Visitor:
    """A browser: keeps its cookie and knows its token."""

    def __init__(self, client: FlaskClient, address: str) -> None:
        self.client = client
        self.address = address
        self.get("/")
        self.token = self.get("/api/me").json["token"]

    def get(self, path: str, **more: Any) -> TestResponse:
        return self.client.get(path, base_url=ORIGIN, environ_base={"REMOTE_ADDR": self.address}, **more)

    def post(self, path: str, **body: Any) -> TestResponse:
        return self.send(path, body, {"Origin": ORIGIN, "X-Gloam-Token": self.token})

    def send(self, path: str, body: Any, headers: dict[str, str], host: str = ORIGIN) -> TestResponse:
        return self.client.post(
            path,
            base_url=host,
            data=json.dumps(body),
            content_type="application/json",
            headers=headers,
            environ_base={"REMOTE_ADDR": self.address},
        )

    def cookie(self) -> str:
        kept = self.client.get_cookie("gloam", domain=HOST.split(":")[0])
        return "" if kept is None else kept.value

    def act(self, seat: int, text: str, page: int | None = None) -> TestResponse:
        """Takes an action as a page would: with the version that it shows."""
        page = seat if page is None else page
        frame = self.get(f"/api/frame?seat={'public' if page == -2 else page}").json
        return self.post("/api/act", action=text, version=frame["version"], seat=seat, page=page)
