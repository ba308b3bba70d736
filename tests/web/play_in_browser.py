"""Plays a game to its end by tapping, on the table's screen and two phones: `python play_in_browser.py GAME`.

Run in the environment in which the game is installed; prints how the game ended.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright
from web_browser import ARGS, CHROMIUM, House, Person, play_to_the_end

SEED = 4


def main(game: str) -> None:
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        house = House(Path(folder))
        table = Person(browser, house.url, phone=False, moves=False)
        phones = [Person(browser, house.url, phone=True, language=one) for one in ("en-GB", "ru-RU")]
        table.start(house, game)
        for seat, (phone, name) in enumerate(zip(phones, ("Ann", "Борис"), strict=True)):
            phone.join(house, name, seat)
        play_to_the_end(dict(enumerate(phones)), house, Random(SEED))
        for person in (table, *phones):
            person.page.locator(".ending").wait_for()
        session = house.table.session
        assert session is not None
        print("ended by", session.update(-2).view["outcome"]["rule"])
        odd = [line for person in (table, *phones) for line in person.odd]
        assert odd == [], odd
        house.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
