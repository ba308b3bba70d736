"""The table's screen in a real browser, whose time goes on only when a test lets it.

The session, the lamps, the page's timers and its animations all go by one clock. So what is seen at a moment
is the same however busy the machine is, and a second takes as many pictures as a test wants.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from PIL import Image
from playwright.sync_api import Browser
from web_browser import House, Person

from companion.table.session import Session

STEERED = """() => {
    const begun = new WeakMap(), all = new Set(), { animate } = Element.prototype;
    Element.prototype.animate = function (...given) {
        const shown = animate.apply(this, given);
        shown.pause();
        begun.set(shown, performance.now());
        all.add(shown);
        return shown;
    };
    Object.defineProperty(Animation.prototype, 'startTime', {
        get() { return begun.get(this) ?? null; },
        set(at) { begun.set(this, at); },
    });
    window.steer = () => {
        const now = performance.now();
        for (const shown of document.getAnimations()) if (!begun.has(shown)) {
            begun.set(shown, now);
            all.add(shown);
            shown.pause();
        }
        for (const shown of all) {
            if (!shown.effect?.target?.isConnected) all.delete(shown);
            else if (now - begun.get(shown) < shown.effect.getComputedTiming().endTime)
                shown.currentTime = now - begun.get(shown);
            else {
                shown.finish();
                all.delete(shown);
            }
        }
    };
}"""
"""Animations go by `performance.now`, which is the test's: by themselves they would go by the machine's."""
VERSION = "document.documentElement.dataset.version"


class SteppedPage:
    """A table's screen that shows a game of a house."""

    def __init__(self, browser: Browser, house: House, width: int = 1280, height: int = 720) -> None:
        self.house = house
        self.now_s = 1.0
        house.table.clock = lambda: self.now_s
        self.person = Person(browser, house.url, phone=False)
        self.page = self.person.page
        self.page.set_viewport_size({"width": width, "height": height})
        self._devtools = self.person.context.new_cdp_session(self.page)

    def open(self, *, calm: bool = False) -> None:
        """Opens the screen on the game that is on the table."""
        self.page.emulate_media(reduced_motion="reduce" if calm else "no-preference")
        self.page.clock.install(time=0)
        self.page.add_init_script(f"({STEERED})()")
        self.page.goto(self.house.setup_url())
        self.page.locator("svg.board").wait_for()
        self.page.evaluate("document.fonts.ready")
        self.page.clock.pause_at(20_000)
        # So long without a word from the table, the page asks it anew.
        self.page.locator("html[data-live=yes]").wait_for(state="attached")
        self.now_s = self.page.evaluate("performance.now()") / 1000

    def submit(self, session: Session, seat: int, text: str) -> None:
        """Takes an action and lets the page hear of it, while no time goes by."""
        before = self.page.evaluate(VERSION)
        session.submit(seat, text)
        version = str(session.update(-2).version)
        if version != before:
            self.page.wait_for_function(f"now => {VERSION} === now", arg=version)
            self.steer()

    def steer(self) -> None:
        self.page.evaluate("window.steer()")

    def step(self, seconds: float) -> None:
        """Lets some time go by for everybody."""
        self.now_s += seconds
        self.page.clock.run_for(round(1000 * seconds))
        self.steer()

    def picture(self) -> Image.Image:
        """What the screen shows now."""
        shot = self._devtools.send("Page.captureScreenshot", {"format": "jpeg", "quality": 92})
        return Image.open(BytesIO(base64.b64decode(shot["data"]))).convert("RGB")

    def film(self, seconds: float, rate: float) -> Iterator[Image.Image]:
        """Lets time go by, picture by picture."""
        for _ in range(round(seconds * rate)):
            self.step(1 / rate)
            yield self.picture()

    def look(self, question: str) -> Any:
        return self.page.evaluate(question)

    def close(self) -> None:
        self.person.close()
