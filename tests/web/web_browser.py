"""People with real browsers: the table's screen and phones, each watched for anything odd."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from shutil import which
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, TimeoutError
from web_tools import Dealt

from companion.engine.game import turn_for
from companion.service.rig_service import RigService
from companion.service.workshop import Workshop
from companion.settings.config import open_config
from companion.table.journal import Journal
from companion.table.people import SETUP, People
from companion.table.session import Session
from hardware.clock import SystemClock
from hardware.wiring import SCHEMA
from web.access import AccessPolicy, RateLimiter
from web.context import Web
from web.server import Server, lan_address

CHROMIUM = which("chromium") or which("chromium-browser")
"""The system's browser; where there is none, the one that Playwright has installed."""
ARGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)
SCREEN = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
CHANGED = """old => document.documentElement.dataset.version !== old
    || document.querySelector('.toast.bad') !== null"""
CHOICE = "dialog[open] .move"
MOVE = ".moves button:not(:disabled):visible, .killer-card[data-action]:not(:disabled):visible"


def attribute(name: str, value: str) -> str:
    """A selector for a value that may hold anything."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name}="{escaped}"]'


class House:
    """A served table in a temporary folder, at this machine's address in the network."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.journal = Journal(folder / "games.db")
        self.people = People(folder / "people.json")
        self.table = Dealt(self.journal, self.people)
        # People of this house tap faster than the limits on guessing allow; those have tests of their own.
        limiter = RateLimiter()
        limiter.PER_ADDRESS = limiter.IN_ALL = 10_000
        self.workbench = Workshop(open_config(folder / "gloam.toml", SCHEMA), folder, SystemClock())
        # Its threads are started by whoever wants the table to look and shine.
        self.desk = RigService(self.table, self.workbench.config, folder)
        # All phones of this house have one address; the limit of streams per address has tests of its own.
        policy = AccessPolicy(streams_each=32)
        self.web = web = Web(self.table, policy, limiter, rig=self.desk, workshop=self.workbench)
        self.host = lan_address() or "127.0.0.1"
        self.server = Server(web, "0.0.0.0", port)
        web.address = lambda: f"{self.host}:{self.server.port}"
        self.server.start()
        self.url = f"http://{self.host}:{self.server.port}"

    def setup_url(self) -> str:
        return f"{self.url}/#setup={self.people.codes.offer(SETUP, 600).long}"

    def close(self) -> None:
        self.server.close()
        self.desk.close()
        self.workbench.close()
        if self.table.session is not None:
            self.table.session.close()
        self.journal.close()


class Person:
    """One browser with its own cookies; anything odd that its page says is kept in `odd`."""

    def __init__(self, browser: Browser, url: str, *, phone: bool, language: str = "en-GB") -> None:
        self.url = url
        self.odd: list[str] = []
        self.context: BrowserContext = browser.new_context(
            viewport=PHONE if phone else SCREEN, has_touch=phone, is_mobile=phone, locale=language
        )
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(15_000)
        self.watch(self.page)

    def watch(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.odd.append(f"error: {error}"))
        page.on("console", lambda said: self._hear(said.type, said.text))
        page.on("request", lambda request: self._look(request.url))

    def _hear(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and "ERR_CONNECTION" not in text and "ERR_INCOMPLETE" not in text:
            self.odd.append(f"{kind}: {text}")

    def _look(self, url: str) -> None:
        if urlsplit(url).scheme in ("http", "https") and not url.startswith(self.url):
            self.odd.append(f"foreign request: {url}")

    def tap(self, selector: str) -> None:
        self.page.locator(selector).first.click()

    def start(self, house: House, game: str, **options: str) -> None:
        """Sets the table up and starts a game from its form."""
        self.page.goto(house.setup_url())
        self.tap(f"[data-game={game}]")
        for details in self.page.locator("dialog details").all():
            details.evaluate("one => { one.open = true }")
        for name, value in options.items():
            field = self.page.locator(f"#option-{name}")
            if field.get_attribute("type") == "checkbox":
                field.set_checked(value == "yes")
            else:
                field.select_option(value)
        self.tap("dialog button.go")
        self.page.locator("svg.board").wait_for()

    def join(self, house: House, name: str, seat: int) -> None:
        """Scans the invitation, says a name, takes a place."""
        self.page.goto(f"{self.url}/join#code={house.people.join_code}")
        self.page.fill("#name", name)
        self.tap("button.go")
        self.tap(f"[data-take='{seat}']")
        self.page.wait_for_url(re.compile("/seat"))
        self.page.locator("svg.board").wait_for()

    def claim_secret(self, house: House, name: str, seat: int, pin: str = "24682468") -> None:
        """Scans the one-time code of a secret seat."""
        code = house.table.offer(seat)
        self.page.goto(f"{self.url}/join#code={house.people.join_code}&seat={seat}&once={code.long}")
        self.page.fill("#secret-name", name)
        self.page.fill("#secret-pin", pin)
        self.tap("button.go")
        self.page.wait_for_url(re.compile("/seat"))

    def reveal(self) -> None:
        """Holds the cover until the panel shows."""
        cover = self.page.locator(".cover:visible")
        if cover.count():
            box = cover.bounding_box()
            self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            self.page.mouse.down()
            self.page.locator(".panel:visible").wait_for()
            self.page.mouse.up()

    def step(self, rng: Random) -> bool:
        """Taps one of the things that may be done, through every question; False where there is none."""
        self.reveal()
        moves = self.page.locator(MOVE)
        n = moves.count()
        if not n:
            return False
        version = self.page.evaluate("document.documentElement.dataset.version")
        try:
            moves.nth(rng.randrange(n)).click(timeout=1500)
            for _ in range(12):
                questions = self.page.locator(CHOICE)
                many = questions.count()
                if not many:
                    break
                questions.nth(rng.randrange(many)).click(timeout=1500)
            self.page.wait_for_function(
                CHANGED,
                arg=version,
                timeout=4000,
            )
        except TimeoutError:
            # The position changed under the finger: look again.
            self.page.keyboard.press("Escape")
        return True

    def see(self, session: Session) -> None:
        """Waits until the page shows the position as it is now."""
        seat = self.page.evaluate("location.hash.slice(1)")
        version = session.update(int(seat) if seat else -2).version
        self.page.wait_for_function(
            "now => document.documentElement.dataset.version === now", arg=str(version)
        )

    def take(self, action: str) -> None:
        """Taps exactly one action, through every question on the way to it."""
        self.reveal()
        version = self.page.evaluate("document.documentElement.dataset.version")
        verb, *words = action.split()
        exact = attribute("data-action", action)
        button = self.page.locator(f".panel {exact}:visible, .side {exact}:visible")
        if button.count():
            button.first.click()
        else:
            self._answer(verb, words, exact)
        self.page.wait_for_function(CHANGED, arg=version)

    def _answer(self, verb: str, words: list[str], exact: str, tries: int = 3) -> None:
        """Answers the questions of an action; an update may sweep a dialog away, then one taps again.

        A word that all actions still open have in common is not asked for.
        """
        said = [attribute("data-word", f"{at} {word}") for at, word in enumerate(words)]
        try:
            self.page.locator(f'[data-many="{verb}"]').click(timeout=5000)
            for _ in words:
                if self.page.locator(f"dialog[open] {exact}").count():
                    break
                self.page.locator(f"dialog[open] :is({', '.join(said)})").click(timeout=5000)
            self.page.locator(f"dialog[open] {exact}").click(timeout=5000)
        except TimeoutError:
            if tries == 1:
                raise
            self.page.keyboard.press("Escape")
            self._answer(verb, words, exact, tries - 1)

    def is_over(self) -> bool:
        return self.page.locator(".ending").count() > 0

    def close(self) -> None:
        self.context.close()


def play_to_the_end(people: dict[int, Person], house: House, rng: Random, limit: int = 3000) -> int:
    """Lets careful players tap until the game is over; returns the number of taps."""
    session = house.table.session
    game = session.game
    for taps in range(limit):
        state = session.state()
        needs = [need for need in state.needs() if set(need.verbs) - {"note", "guess"}]
        if not needs:
            return taps
        need = rng.choice(needs)
        action = game.bots["careful"](turn_for(game, state, need.seat, rng))
        people[need.seat].see(session)
        people[need.seat].take(state.notation.text(action))
    raise AssertionError(f"not over after {limit} taps")


def tap_at_random(people: list[Person], house: House, rng: Random, taps: int) -> None:
    """Lets everybody tap anything that may be tapped, so many times or until the game is over."""
    for _ in range(taps):
        if house.table.session.update(-2).view["outcome"] is not None:
            return
        acted = [person.step(rng) for person in people]
        if not any(acted):
            people[0].page.wait_for_timeout(50)
