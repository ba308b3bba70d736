"""Prints how smoothly the table's screen plays what happens: `measure_frames.py [GAME…]`.

Chromium's processor is slowed down to stand for a Pi's; bots play at the speed of `gloam demo`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from make_film import actions
from playwright.sync_api import Browser, sync_playwright
from web_browser import ARGS, CHROMIUM, House, Person

from companion.games import REGISTRY

SLOWER = (1, 4)
ACTIONS, PAUSE_MS, LATE_MS = 12, 1200, 25
COUNT = """() => {
    window.gaps = [];
    let before = performance.now();
    const tick = (now) => { window.gaps.push(now - before); before = now; requestAnimationFrame(tick); };
    requestAnimationFrame(tick);
}"""


def gaps_of(browser: Browser, game: str, slower: int) -> list[float]:
    """The times between two frames while some actions are played out, in ms."""
    with TemporaryDirectory() as folder:
        house = House(Path(folder))
        session = house.table.start(game, {}, seed=1)
        table = Person(browser, house.url, phone=False)
        table.page.goto(house.setup_url())
        table.page.locator("svg.board").wait_for()
        devtools = table.context.new_cdp_session(table.page)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        table.page.evaluate(COUNT)
        for n, (seat, text) in enumerate(actions(session, Random(1))):
            if n == ACTIONS:
                break
            session.submit(seat, text)
            table.page.wait_for_timeout(PAUSE_MS)
        gaps: list[float] = table.page.evaluate("window.gaps")
        table.close()
        house.close()
        return gaps


def main(games: list[str]) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        for game in games or REGISTRY:
            for slower in SLOWER:
                gaps = sorted(gaps_of(browser, game, slower))
                late = sum(gap > LATE_MS for gap in gaps) / len(gaps)
                print(
                    f"{game}, processor {slower} times slower: {1000 * len(gaps) / sum(gaps):.0f} frames/s, "
                    f"median {gaps[len(gaps) // 2]:.1f} ms, {late:.0%} of the frames late",
                    flush=True,
                )
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
