"""A phone is one screen and the table's screen never scrolls, over positions of random games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest
from playwright.sync_api import Page
from test_web_stuck import positions
from web_browser import House, Person

from companion.games import REGISTRY
from companion.table.session import Session

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PHONES = [(390, 844), (360, 740), (844, 390)]
EVERY = 9
"""One of so many positions is looked at."""

REACH = """() => {
    const odd = [];
    const [w, h] = [innerWidth, innerHeight];
    const page = document.scrollingElement;
    if (page.scrollHeight > h + 1 || page.scrollWidth > w + 1) {
        odd.push(`the page scrolls: ${page.scrollWidth}x${page.scrollHeight}`);
    }
    const inside = (box) => box.left >= -1 && box.top >= -1 && box.right <= w + 1 && box.bottom <= h + 1;
    for (const one of document.querySelectorAll('.bar button, .bar a, #top button')) {
        const box = one.getBoundingClientRect();
        if (!inside(box)) odd.push(`outside: ${one.textContent} ${JSON.stringify(box)}`);
        if (one.closest('.bar') && box.height < 44) odd.push(`too small: ${one.textContent} ${box.height}`);
    }
    for (const rack of document.querySelectorAll('.rack:not([hidden])')) {
        const box = rack.getBoundingClientRect();
        if (!inside(box)) odd.push(`the pieces lie outside: ${JSON.stringify(box)}`);
        if (box.height < 40) odd.push(`the pieces are hidden: ${box.height}`);
    }
    for (const one of document.querySelectorAll('.tap.can')) {
        const box = one.getBoundingClientRect();
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
        const top = document.elementFromPoint(x, y);
        if (top !== one && !top?.closest('svg.board')) {
            odd.push(`covered: place ${one.dataset.cell} by ${top?.outerHTML.slice(0, 80)}`);
        }
    }
    return odd;
}"""


def looked_at(session: Session, rng: Random, seat: int) -> Iterator[None]:
    """Positions in which the seat must act, one of `EVERY`."""
    n = 0
    for who in positions(session, rng):
        if who == seat:
            n += 1
            if n % EVERY == 1:
                yield


def reach(page: Page) -> list[str]:
    """What cannot be reached on the first screen of a page."""
    return page.evaluate(REACH)


@pytest.mark.parametrize("game", REGISTRY)
def test_a_phone_is_one_screen(game: str, house: House, person: Callable[..., Person]) -> None:
    seed = 51
    print(f"seed {seed}")
    session = house.table.start(game, {"players": 2}, seed=seed)
    seat = 1 if game == "whisper" else 0
    phone = person(language="ru-RU")
    phone.join(house, "Константин", seat)
    looks = 0
    for _ in looked_at(session, Random(seed), seat):
        phone.see(session)
        for width, height in PHONES:
            phone.page.set_viewport_size({"width": width, "height": height})
            assert reach(phone.page) == [], (width, height, session.lines()[-3:])
            looks += 1
    assert looks > 5


SMALL = """() => {
    const odd = new Set();
    const read = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = read.nextNode(); node; node = read.nextNode()) {
        const one = node.parentElement;
        const said = node.textContent.trim();
        if (!said || !one.checkVisibility() || one.closest('.unseen, title')) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        if (!range.getBoundingClientRect().width) continue;
        let px = parseFloat(getComputedStyle(one).fontSize);
        const svg = one.closest('svg');
        if (svg) px *= svg.getScreenCTM().a;
        const kind = one.className?.baseVal ?? one.className;
        if (px < 23.9) odd.add(`${Math.round(px)} px: ${said.slice(0, 30)} (${kind})`);
    }
    const page = document.scrollingElement;
    if (page.scrollHeight > innerHeight + 1 || page.scrollWidth > innerWidth + 1) odd.add('the page scrolls');
    for (const box of document.querySelectorAll('.side, .task, .foot, .last, .players, .bar, .stage')) {
        if (box.scrollHeight > box.clientHeight + 2) odd.add(`cut off: ${box.className} ${box.scrollHeight}`);
    }
    return [...odd];
}"""


@pytest.mark.parametrize("game", REGISTRY)
def test_the_table_screen_is_read_from_the_sofa(
    game: str, house: House, person: Callable[..., Person]
) -> None:
    """Nothing that people read is smaller than 24 px at 1080p, and nothing scrolls or is cut off."""
    seed = 52
    print(f"seed {seed}")
    table = person(phone=False, language="ru-RU")
    table.page.set_viewport_size({"width": 1920, "height": 1080})
    table.start(house, game, players="2")
    session, rng = house.table.session, Random(seed)
    for n, _ in enumerate(positions(session, rng)):
        if n % EVERY:
            continue
        table.see(session)
        assert table.page.evaluate(SMALL) == [], session.lines()[-3:]
