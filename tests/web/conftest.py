from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from engines import ENGINES, FOREIGN, EnginePage, open_engine, watch
from playwright.sync_api import Browser, sync_playwright
from web_browser import ARGS, CHROMIUM, House, Person
from web_tools import Room


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    yield room
    room.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield browser
        browser.close()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    yield house
    house.close()


@pytest.fixture
def person(browser: Browser, house: House) -> Iterator[Callable[..., Person]]:
    """Brings people to the house; at the end nobody may have seen anything odd.

    Their pages stand still, unless a test is about movement.
    """
    people: list[Person] = []

    def bring(*, phone: bool = True, language: str = "en-GB", moves: bool = False) -> Person:
        people.append(Person(browser, house.url, phone=phone, language=language, moves=moves))
        return people[-1]

    yield bring
    odd = [line for one in people for line in one.odd]
    for one in people:
        one.close()
    assert odd == []


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EnginePage]:
    """A browser of each engine, started once for a file."""
    with open_engine(request.param, tmp_path_factory.mktemp(request.param)) as page:
        yield page


@pytest.fixture
def engine_page(engine: EnginePage, house: House) -> Iterator[EnginePage]:
    """A page in each engine that has never been here; at the end it may have seen nothing odd or foreign."""
    watch(house.server.app)
    yield engine
    odd, foreign = engine.odd(), engine.run(FOREIGN)
    engine.forget()
    assert (odd, foreign) == ([], [])
