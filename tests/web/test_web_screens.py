"""A phone is one screen and the table's screen never scrolls, over positions of random games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

import pytest
from test_web_random_play import counts
from test_web_stuck import ACTIONS, positions
from web_browser import House, Person

from companion.games import REGISTRY
from companion.table.session import Session

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PHONES = [(390, 844), (360, 740), (844, 390)]
EVERY = 9
"""Every how many positions one is looked at."""

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


LOST = """([actions, places]) => {
    if (document.querySelector('.row')) return [];
    document.querySelector('[data-key=more]')?.click();
    const offered = new Set();
    for (const one of document.querySelectorAll('[data-action], [data-confirm], [data-turn], [data-atom]')) {
        if (!one.checkVisibility() || one.disabled) continue;
        for (const name of ['action', 'confirm', 'turn', 'atom']) offered.add(one.dataset[name]);
    }
    for (const one of document.querySelectorAll('[data-row], [data-aside]')) {
        offered.add(`verb:${one.dataset.row ?? one.dataset.aside}`);
    }
    document.querySelector('dialog[open]')?.close();
    return actions.filter((text) => {
        const [verb, ...words] = text.split(' ');
        const ends = words.flatMap((word) => [word, ...word.split('-')]);
        const begins = [
            text, `verb:${verb}`,
            ...words.flatMap((word) => [`piece:${word}`, `seat:${word}`]),
            ...ends.map((word) => `place:${places[word]}`),
        ];
        return !begins.some((one) => offered.has(one));
    });
}"""
"""The legal actions to which nothing leads that can be touched on the first screen, or behind "More…"."""


def looked_at(session: Session, rng: Random, seat: int, every: int, most: int) -> Iterator[None]:
    """Positions in which the seat must act: the first ones of each phase, and one of `every`."""
    n, phases = 0, Counter[str]()
    for who in positions(session, rng, most):
        if who != seat:
            continue
        phase = session.update(seat).view["phase"]
        phases[phase] += 1
        n += 1
        if phases[phase] <= 2 or n % every == 0:
            yield
    print(f"{n} positions, phases: {dict(phases)}")


def look_at_phones(
    game: str, house: House, phone: Person, seed: int, *, every: int, most: int, players: int = 2
) -> None:
    """Plays at random; what may be done is in reach on each of the phones."""
    print(f"seed {seed}")
    session = house.table.start(game, {"players": players}, seed=seed)
    places = {place.name: i for i, place in enumerate(session.game.board(session.options).places)}
    seat = next(i for i, word in enumerate(session.seats) if word not in session.game.secret_seats)
    phone.join(house, "Константин", seat)
    looks = 0
    for _ in looked_at(session, Random(seed), seat, every, most):
        phone.see(session)
        for width, height in PHONES:
            phone.page.set_viewport_size({"width": width, "height": height})
            assert phone.page.evaluate(REACH) == [], (width, height, session.lines()[-3:])
            assert phone.page.evaluate(LOST, [session.actions(seat), places]) == [], (width, height)
            looks += 1
    assert looks > 5


@pytest.mark.parametrize("game", REGISTRY)
def test_a_phone_is_one_screen(game: str, house: House, person: Callable[..., Person]) -> None:
    look_at_phones(game, house, person(language="ru-RU"), 51, every=EVERY, most=ACTIONS)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("game", "players"), [(game, n) for game in REGISTRY for n in counts(game)])
def test_a_phone_is_one_screen_over_whole_games(
    game: str, players: int, seed: int, house: House, person: Callable[..., Person]
) -> None:
    look_at_phones(game, house, person(language="ru-RU"), seed, every=2, most=4000, players=players)


def test_a_phone_is_one_screen_with_type_of_twice_the_size(
    house: House, person: Callable[..., Person]
) -> None:
    """As people set it in their phones: the board keeps a sixth of the screen, and the bar its place."""
    seed = 54
    print(f"seed {seed}")
    session = house.table.start("whisper", {"players": 2}, seed=seed)
    killer, team = person(language="ru-RU"), person(language="ru-RU")
    killer.claim_secret(house, "Вера", 0)
    team.join(house, "Константин", 1)
    for n, who in enumerate(positions(session, Random(seed))):
        phone = (killer, team)[who]
        if n % 12:
            continue
        phone.see(session)
        phone.reveal()
        phone.page.evaluate("document.documentElement.style.fontSize = '32px'")
        for width, height in PHONES[:2]:
            phone.page.set_viewport_size({"width": width, "height": height})
            assert phone.page.evaluate(REACH) == [], (width, height, session.lines()[-3:])
            board = phone.page.locator(".stage").bounding_box()
            assert board and board["height"] > 0.17 * height


SMALL = """(least) => {
    const odd = new Set();
    const read = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = read.nextNode(); node; node = read.nextNode()) {
        const one = node.parentElement;
        const said = node.textContent.trim();
        // The small boards of the turning points are pictures; their words stand beside them.
        if (!said || !one.checkVisibility() || one.closest('.unseen, title, .turning-board')) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        if (!range.getBoundingClientRect().width) continue;
        let px = parseFloat(getComputedStyle(one).fontSize);
        const svg = one.closest('svg');
        if (svg) px *= svg.getScreenCTM().a;
        const kind = one.className?.baseVal ?? one.className;
        if (px < least - 0.1) odd.add(`${Math.round(px)} px: ${said.slice(0, 30)} (${kind})`);
    }
    const page = document.scrollingElement;
    if (page.scrollHeight > innerHeight + 1 || page.scrollWidth > innerWidth + 1) odd.add('the page scrolls');
    for (const box of document.querySelectorAll('.side, .task, .foot, .last, .players, .bar, .stage')) {
        if (box.scrollHeight > box.clientHeight + 2) odd.add(`cut off: ${box.className} ${box.scrollHeight}`);
    }
    return [...odd];
}"""


def test_shelf_lobby_and_end_are_read_from_the_sofa(house: House, person: Callable[..., Person]) -> None:
    """The shelf with games to go on with, seats that fill, and the end of a game with its turning points."""
    seed = 53
    print(f"seed {seed}")
    table, guest = person(phone=False, language="ru-RU", moves=True), person(language="ru-RU")
    table.page.set_viewport_size({"width": 1920, "height": 1080})
    table.page.goto(house.setup_url())
    table.page.locator(".offer").wait_for()
    assert table.page.evaluate(SMALL, 24) == [], "a first visit, with the wizard beside the box"
    for number in range(3):
        house.table.start("onirim", {"players": 1}, seed=number)
    house.table.clear()
    for width, height in ((1920, 1080), (1280, 720), (3840, 2160)):
        table.page.set_viewport_size({"width": width, "height": height})
        table.page.goto(house.url)
        table.page.locator(".shelf-foot").wait_for()
        assert table.page.locator(".offer").count() == 0, "whoever has played here knows the way"
        assert table.page.evaluate(SMALL, 24 * height / 1080) == [], (width, height)
    table.page.set_viewport_size({"width": 1920, "height": 1080})
    table.fill_form("whisper", players="4")
    guest.join(house, "Константин", 1)
    table.page.locator(".place-card.is-taken").wait_for()
    assert table.page.evaluate(SMALL, 24) == []
    table.tap("[data-key=begin]")
    session = house.table.start("night_cage", {"players": 4}, seed=seed)
    table.page.locator(".layout.game-night_cage").wait_for()
    for _ in positions(session, Random(seed), most=4000):
        pass
    table.page.locator(".turning").wait_for(state="attached")
    table.page.keyboard.press("Escape")  # the end is not waited for
    table.page.locator(".story-evenings").wait_for()
    assert table.page.evaluate(SMALL, 24) == []


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
        assert table.page.evaluate(SMALL, 24) == [], session.lines()[-3:]
