"""People with real browsers: the table's screen and phones, each watched for anything odd."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from shutil import which
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Error, Locator, Page, TimeoutError
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
STRETCH = 12
"""How many moves in a row are made by touching, where some are skipped."""
SCREEN = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
CHANGED = """old => document.documentElement.dataset.drawn !== old
    || document.querySelector('.toast.bad') !== null"""
DRAWN = "document.documentElement.dataset.drawn"
SENDS = ":is([data-confirm], [data-action]):not(:disabled):visible"
"""Buttons that send an action."""
OPENS = ":is([data-row], [data-aside], [data-key=more], [data-help], a[data-hand], button[data-hand]):visible"
"""Buttons that lead on."""
TOUCHES = f".tap.can, .item:not(:disabled):visible, {SENDS}, {OPENS}"


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
        # All phones of this house have one address; the limits per address have tests of their own.
        policy = AccessPolicy(streams_each=32, connections_each=400)
        self.web = web = Web(self.table, policy, limiter, rig=self.desk, workshop=self.workbench)
        self.host = lan_address() or "127.0.0.1"
        self.server = Server(web, "0.0.0.0", port)
        web.address = lambda: f"http://{self.host}:{self.server.port}"
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

    def __init__(
        self, browser: Browser, url: str, *, phone: bool, language: str = "en-GB", moves: bool | None = None
    ) -> None:
        """On a page that `moves` everything moves as for people; by itself the table's screen does."""
        self.url = url
        self.odd: list[str] = []
        self.touches = 0
        self.lists: list[int] = []
        """How many sentences stood side by side, at each touch."""
        self.places: dict[str, int] = {}
        # Without a graphics card every page that moves keeps a core busy.
        self.context: BrowserContext = browser.new_context(
            viewport=PHONE if phone else SCREEN,
            has_touch=phone,
            is_mobile=phone,
            locale=language,
            reduced_motion="no-preference" if (not phone if moves is None else moves) else "reduce",
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
        self.fill_form(game, **options)
        if len(house.table.session.seats) > 1:
            self.tap("[data-key=begin]")

    def fill_form(self, game: str, **options: str) -> None:
        """Chooses a game from the shelf, its options, and starts it."""
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
        """Touches anything that may be touched until an action is sent; False where there is nothing."""
        self.reveal()
        drawn = self.page.evaluate(DRAWN)
        if not self.page.locator(TOUCHES).count():
            return False
        try:
            for _ in range(12):
                sends = self.page.locator(SENDS)
                n, touches = sends.count(), self.page.locator(TOUCHES)
                if n and rng.random() < 0.6:
                    self.press(sends.nth(rng.randrange(n)), wait_ms=1500)
                    self.page.wait_for_function(CHANGED, arg=drawn, timeout=4000)
                    return True
                many = touches.count()
                if not many:
                    break
                self.press(touches.nth(rng.randrange(many)), force=True, wait_ms=1500)
        except Error:
            pass  # What was touched moved, went or was hidden under the finger: look again.
        self.page.keyboard.press("Escape")
        return True

    def press(self, button: Locator, *, force: bool = False, wait_ms: int = 8000) -> None:
        """Taps a button, or holds one that must be held."""
        is_held = "held" in (button.get_attribute("class", timeout=wait_ms) or "").split()
        button.click(timeout=wait_ms, delay=750 if is_held else 0, force=force)
        self.touches += 1

    def see(self, session: Session) -> None:
        """Waits until the page shows the position as it is now."""
        seat = self.page.evaluate("location.hash.slice(1)")
        version = session.update(int(seat) if seat else -2).version
        self.page.wait_for_function(
            "now => document.documentElement.dataset.version === now", arg=str(version)
        )

    def take(self, action: str) -> int:
        """Touches what leads to exactly one action; returns the number of touches. A drag is one."""
        self.reveal()
        drawn = self.page.evaluate(DRAWN)
        for tries in range(3):
            self.touches = 0
            try:
                self._touch(action)
                self.page.wait_for_function(CHANGED, arg=drawn, timeout=8000)
            except TimeoutError:
                # An update may have swept away what was chosen; then one begins anew.
                if tries == 2:
                    raise
                for _ in range(4):
                    self.page.keyboard.press("Escape")
            else:
                return self.touches
        raise AssertionError(action)

    def _touch(self, action: str) -> None:
        verb, *words = action.split()
        exact = f"{attribute('data-action', action)}:visible, {attribute('data-confirm', action)}:visible"
        for _ in range(12):
            self.lists.append(self.page.locator(".bar .move:visible, dialog[open] .move:visible").count())
            if self.page.locator(exact).count():
                self.press(self.page.locator(exact).first)
                return
            if self.page.locator(".row").count():
                self._arrange(words)
            elif self.page.locator(attribute("data-turn", action)).count():
                self.press(self.page.locator(attribute("data-turn", action)))
            elif not self._choose(verb, words):
                break
        raise TimeoutError(f"nothing on the page leads to {action!r}")

    def _choose(self, verb: str, words: list[str]) -> bool:
        """Touches the first piece, place or verb that belongs to the action and is not chosen yet."""
        page, names = self.page, self.places
        row = page.locator(f"{attribute('data-row', verb)}:visible")
        if row.count() and len(words) > 1:
            self.press(row.first)
            return True
        ends = {part for word in words for part in (word, *word.split("-"))}
        atoms = [f"place:{names[word]}" for word in ends if word in names]
        kinds = ("seat", "piece")
        items = [
            f".item:not(.chosen){attribute('data-atom', f'{kind}:{word}')}"
            for word in words
            for kind in kinds
        ]
        items += [f".item:not(.chosen){attribute('data-atom', f'verb:{verb}')}"]
        for selector in items:
            item = page.locator(f"{selector}:not(:disabled):visible")
            if item.count():
                if len(atoms) == 1:
                    self._drag(item.first, atoms[0])
                else:
                    self.press(item.first)
                return True
        for atom in atoms:
            place = page.locator(f".tap.can:not(.here){attribute('data-atom', atom)}")
            if place.count():
                self.press(place.first, force=True)
                return True
        for name in ("data-row", "data-aside"):
            if page.locator(f"{attribute(name, verb)}:visible").count():
                self.press(page.locator(f"{attribute(name, verb)}:visible").first)
                return True
        more = page.locator("[data-key=more]:visible")
        if more.count() and not page.locator("dialog[open]").count():
            self.press(more)
            return True
        return False

    def _drag(self, item: Locator, atom: str) -> None:
        """Drags a piece onto its place; where that does not glow, the piece is only taken up."""
        item.scroll_into_view_if_needed()
        mouse, start = self.page.mouse, item.bounding_box()
        mouse.move(start["x"] + start["width"] / 2, start["y"] + 20)
        mouse.down()
        mouse.move(start["x"] + start["width"] / 2, start["y"] - 20, steps=2)
        place = self.page.locator(f".tap.can{attribute('data-atom', atom)}")
        if place.count():
            end = place.first.bounding_box()
            mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=2)
        mouse.up()
        self.touches += 1

    def _arrange(self, words: list[str]) -> None:
        """Drags the cards of a row into their order, or marks the cards of a set."""
        if self.page.locator(".row.set").count():
            for word in words:
                self.press(self.page.locator(f".row .item:not(.in){attribute('data-word', word)}").first)
            return
        for i, word in enumerate(words):
            row = [one.get_attribute("data-word") for one in self.page.locator(".row .item").all()]
            if row[i] == word:
                continue
            mouse, items = self.page.mouse, self.page.locator(".row .item")
            items.nth(row.index(word, i)).scroll_into_view_if_needed()
            start, end = items.nth(row.index(word, i)).bounding_box(), items.nth(i).bounding_box()
            mouse.move(start["x"] + 20, start["y"] + 20)
            mouse.down()
            mouse.move(end["x"] + 25, end["y"] + 20, steps=3)
            mouse.up()
            self.touches += 1

    def is_over(self) -> bool:
        return self.page.locator(".ending").count() > 0

    def close(self) -> None:
        self.context.close()


def play_to_the_end(
    people: dict[int, Person], house: House, rng: Random, limit: int = 3000, skips: int = 0
) -> list[int]:
    """Lets careful players play until the game is over; returns the number of touches of each move.

    After every `STRETCH` moves by touching, `skips` moves are entered at the table, and the pages follow.
    """
    session = house.table.session
    game = session.game
    places = {place.name: i for i, place in enumerate(game.board(session.options).places)}
    for person in people.values():
        person.places = places
    touches: list[int] = []
    for move in range(limit):
        state = session.state()
        needs = [need for need in state.needs() if set(need.verbs) - {"note", "guess"}]
        if not needs:
            return touches
        need = rng.choice(needs)
        action = game.bots["careful"](turn_for(game, state, need.seat, rng))
        if move % (STRETCH + skips) >= STRETCH:
            session.submit(need.seat, state.notation.text(action))
            continue
        people[need.seat].see(session)
        before, person = len(session.lines()), people[need.seat]
        try:
            touches.append(person.take(state.notation.text(action)))
        except TimeoutError:
            # A busy machine may show what was sent later than anybody waits for it.
            if len(session.lines()) == before:
                raise
    raise AssertionError(f"not over after {limit} moves")
