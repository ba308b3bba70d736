"""An evening around the table: one language at a time, seats that stay, nothing lost by one tap."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Page
from test_web_stuck import positions
from web_browser import CHANGED, DRAWN, House, Person
from web_tools import Room

from companion.games import REGISTRY

browser_test = pytest.mark.browser

SAID = """() => {
    const said = [];
    const read = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = read.nextNode(); node; node = read.nextNode()) {
        const one = node.parentElement;
        if (!one.closest('script, noscript, style, [data-key=language]')) said.push(node.textContent);
    }
    for (const one of document.querySelectorAll('[aria-label], [title]')) {
        said.push(one.getAttribute('aria-label') || '', one.getAttribute('title') || '');
    }
    return said.map((text) => text.trim()).filter(Boolean);
}"""
KNOWN = {"Gloam", "English", "PIN", "Whisper", "Terrorscape", "III", "VII"}
"""Words that are the same in both languages."""


def foreign(page: Page, language: str) -> list[str]:
    """What a page says in the other language."""
    other = re.compile("[А-Яа-яЁё]" if language == "en" else r"\b[A-Za-z]{3,}\b")
    return [text for text in page.evaluate(SAID) if set(other.findall(text)) - KNOWN]


PICTURES_ARE_DRAWN = (
    "() => [...document.querySelectorAll('.turning-board')].every((one) => one.childElementCount)"
)
NO_ADDRESS = "for (const one of document.querySelectorAll('.url, .code')) one.remove()"
"""Addresses and codes have no language."""


def switch(person: Person, language: str) -> None:
    """Changes the language of a page by its button."""
    if person.page.locator("[data-key=sheet-menu]").count():
        person.tap("[data-key=sheet-menu]")
    person.tap("[data-key=language]")
    person.page.locator(f"html[lang={language}] svg.board").wait_for()


@browser_test
@pytest.mark.slow
@pytest.mark.parametrize("game", REGISTRY)
def test_a_language_that_is_switched_leaves_no_word_of_the_other(
    game: str, house: House, person: Callable[..., Person]
) -> None:
    """Also what comes by the stream afterwards is said in the new language, on the same page."""
    seed = 61
    print(f"seed {seed}")
    table, phone = person(phone=False, language="ru-RU"), person(language="ru-RU")
    table.start(house, game, players="2")
    seat = 1 if game == "whisper" else 0
    phone.join(house, "007", seat)
    session = house.table.session
    going = positions(session, Random(seed))
    for language in ("en", "ru"):
        for one in (table, phone):
            switch(one, language)
        for _ in range(12):
            next(going, None)
        for one, last in ((table, "seats"), (phone, "menu")):
            one.see(session)
            for sheet in ("log", "facts", last):
                one.tap(f"[data-key=sheet-{sheet}]")
                assert foreign(one.page, language) == [], sheet
                one.page.keyboard.press("Escape")


@browser_test
@pytest.mark.slow
def test_shelf_form_lobby_and_end_change_their_language_whole(
    house: House, person: Callable[..., Person]
) -> None:
    seed = 62
    print(f"seed {seed}")
    table, language = person(phone=False, language="ru-RU", moves=True), "ru"

    def look(shown: str) -> None:
        """Looks at a page in its language, switches, and looks again."""
        nonlocal language
        for turn in range(2):
            table.page.locator(f"html[lang={language}] {shown}").first.wait_for()
            # Addresses and codes have no language.
            for _ in range(50):
                table.page.evaluate(
                    "for (const one of document.querySelectorAll('.url, .code')) one.remove()"
                )
                if not foreign(table.page, language):
                    break
                table.page.wait_for_timeout(100)  # the stream brings the page anew
            assert foreign(table.page, language) == [], (shown, language)
            if not turn:
                language = "en" if language == "ru" else "ru"
                table.tap("[data-key=language]")

    table.page.goto(house.setup_url())
    look(".shelf-foot")
    table.tap("[data-game=night_cage]")
    assert foreign(table.page, language) == []
    table.page.keyboard.press("Escape")
    table.fill_form("night_cage", players="2")
    look(".place-card")
    table.tap("[data-key=begin]")
    for _ in positions(house.table.session, Random(seed), most=4000):
        pass
    table.page.locator(".turning").wait_for()
    table.page.keyboard.press("Escape")
    look(".story-evenings")


@browser_test
def test_giving_up_is_held_and_not_tapped(house: House, person: Callable[..., Person]) -> None:
    table = person(phone=False)
    table.start(house, "onirim", players="1")
    session = house.table.session
    for _ in positions(session, Random(0), most=600):
        if "concede" in session.actions(0):
            break
    table.see(session)
    if table.page.locator("[data-key=more]").count():
        table.tap("[data-key=more]")
    button, before = table.page.locator("[data-action=concede]"), table.page.evaluate(DRAWN)
    button.click()
    table.page.wait_for_timeout(300)
    assert "concede" in session.actions(0)
    button.click(delay=750)
    table.page.wait_for_function(CHANGED, arg=before)
    assert session.update(-2).view["outcome"]["code"] == "conceded"


@browser_test
def test_after_the_end_all_play_again_in_their_seats(house: House, person: Callable[..., Person]) -> None:
    table, ann, bob = person(phone=False, moves=True), person(), person()
    table.start(house, "night_cage", players="2")
    ann.join(house, "Ann", 0)
    bob.join(house, "Bob", 1)
    session = house.table.session
    for _ in positions(session, Random(3), most=2000):
        pass
    for one in (table, ann, bob):
        one.page.locator(".story-evenings").wait_for()
        one.page.wait_for_function(PICTURES_ARE_DRAWN)
        one.page.wait_for_timeout(2000)  # the table's theatre fetches its positions
    table.tap("[data-key=again]")
    for one, seat in ((ann, 0), (bob, 1)):
        one.page.wait_for_function("() => !document.querySelector('.ending')")
        assert one.page.url.endswith(f"/seat#{seat}")
    assert house.table.session.number == session.number + 1


def test_those_who_sat_at_the_last_game_sit_at_the_next(room: Room) -> None:
    host, ann, bob = room.host(), room.guest("Ann"), room.guest("Bob")
    room.table.start("night_cage", {"players": 3}, seed=1)
    ann.post("/api/claim", seat=0)
    room.clock.now += 60
    bob.post("/api/claim", seat=2)
    host.post("/api/clear")
    room.table.start("whisper", {"players": 4}, seed=1)
    assert ann.get("/api/me").json["seats"] == [1], "the killer's seat is given by its code alone"
    assert bob.get("/api/me").json["seats"] == [2]


@browser_test
def test_a_guest_at_the_bare_address_comes_to_the_seats(house: House, person: Callable[..., Person]) -> None:
    table, guest = person(phone=False), person()
    table.start(house, "onirim", players="2")
    guest.page.goto(house.url)
    guest.page.wait_for_url(re.compile("/join"))
    guest.page.goto(f"{house.url}/#watch")
    guest.page.locator("svg.board").wait_for()


def test_an_address_with_nothing_is_a_page_for_people_and_json_for_programs(room: Room) -> None:
    anybody = room.visitor()
    page, api = anybody.get("/nothing-here"), anybody.get("/api/nothing-here")
    assert (page.status_code, page.mimetype) == (404, "text/html")
    assert (api.status_code, api.mimetype) == (404, "application/json")


@browser_test
@pytest.mark.slow
def test_one_screen_is_handed_from_seat_to_seat(house: House, person: Callable[..., Person]) -> None:
    """With no phone a seat with secrets is played on the table's screen, under a cover."""
    table = person(phone=False)
    table.start(house, "dark_cave", players="2")
    session = house.table.session
    for seat in positions(session, Random(2)):
        if seat not in house.table.open_seats(session):
            break
    table.see(session)
    table.tap(f"[data-hand='{seat}']")
    table.page.wait_for_url(re.compile(f"/seat#{seat}"))
    table.page.locator(".item").first.wait_for(state="attached")
    table.page.goto(f"{house.url}/")
    other = 1 - seat
    house.table.claim(house.people.holders(session.number)[seat].device, other)
    table.page.goto(f"{house.url}/seat#{seat}")
    table.page.locator(".cover").wait_for()
    assert not table.page.locator(".panel").is_visible()
