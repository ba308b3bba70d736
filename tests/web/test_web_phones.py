"""Phones over plain HTTP in three engines: a film keeps the screen awake, the cover closes when it must."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from engines import EnginePage, claim, join, wait_until
from web_browser import House, Person

from companion.table.people import SETUP

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LATER = "sessionStorage.later_s = Number(sessionStorage.later_s ?? 0) + values[0];"
"""Sets the page's clock on by some seconds."""
PUT_AWAY = """Object.defineProperty(document, "visibilityState", { value: values[0], configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));"""
READ = "dispatchEvent(new PointerEvent('pointermove'));"
FILM = "document.querySelector('video.awake-film')"


def test_a_film_keeps_the_screen_awake_where_there_is_no_wake_lock(
    engine_page: EnginePage, house: House
) -> None:
    """An address in the house is no safe one, so no browser gives its wake lock there."""
    page = engine_page
    house.table.start("onirim", {"players": 1})
    join(page, house, 0)
    assert page.run("return [isSecureContext, 'wakeLock' in navigator];") == [False, False]
    page.tap("svg.board")
    page.until(f"document.documentElement.dataset.awake === 'yes' && {FILM} && !{FILM}.paused")
    page.until(f"{FILM}.currentTime > 0 && !{FILM}.muted")


def test_the_cover_closes_when_it_must_and_stays_open_under_a_reading_eye(
    engine_page: EnginePage, house: House
) -> None:
    page = engine_page
    house.table.start("whisper", {"players": 2})
    claim(page, house, 0)

    def reveal() -> None:
        page.tap(".cover", hold_s=0.8)
        page.wait_for(".panel")

    reveal()
    page.run("dispatchEvent(new Event('blur'));")
    assert not page.is_seen(".panel")
    reveal()
    page.run(PUT_AWAY, "hidden")
    assert not page.is_seen(".panel")
    page.run(PUT_AWAY, "visible")
    reveal()
    for _ in range(3):
        page.run(READ)
        page.run(LATER, 60)
        page.run(READ)
    assert page.is_seen(".panel"), "whoever reads is not covered"
    page.run(LATER, 100)
    page.until("document.querySelector('.panel').hidden")


def test_a_forgotten_owner_is_followed_by_another_during_a_game(
    engine_page: EnginePage, house: House
) -> None:
    """As after `run --new-owner`: the console's code is typed at a table on which a game lies."""
    page = engine_page
    house.table.start("onirim", {"players": 1})
    house.people.forget_owner()
    page.goto(f"{house.url}/#watch")
    page.wait_for("svg.board")
    page.tap("[data-key=setup]")
    page.fill("dialog #code", house.people.codes.offer(SETUP, 600).long)
    page.tap("dialog button.go")
    page.until("!document.querySelector('[data-key=setup]') && document.querySelector('svg.board')")
    wait_until(lambda: house.people.has_owner, "nobody owns the table")


def test_two_fingers_enlarge_the_board_until_something_happens(
    house: House, person: Callable[..., Person]
) -> None:
    """What lies between the fingers stays there, and nothing is taken up or let go."""
    phone = person()
    session = house.table.start("night_cage", {"players": 2}, seed=1)
    phone.join(house, "Ann", 0)
    fingers = phone.context.new_cdp_session(phone.page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        fingers.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]}
        )

    def place() -> dict[str, float]:
        return phone.page.locator(".tap[data-cell='14']").bounding_box()

    before = place()
    x, y = before["x"] + before["width"] / 2, before["y"] + before["height"] / 2
    touch("touchStart", (x - 20, y))
    touch("touchStart", (x - 20, y), (x + 20, y))
    for apart in (30, 40, 50, 60):
        touch("touchMove", (x - apart, y), (x + apart, y))
    touch("touchEnd")
    after = place()
    assert after["width"] == pytest.approx(3 * before["width"], rel=0.05)
    assert after["x"] + after["width"] / 2 == pytest.approx(x, abs=12)
    assert phone.page.locator("[data-confirm]").count() == 0
    assert phone.page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    session.submit(0, session.actions(0)[0])
    phone.see(session)
    assert place()["width"] < 2 * before["width"]
