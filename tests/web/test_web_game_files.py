"""What a game's folder brings to the pages, and a game that brings nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser
from web_browser import House, Person, play_to_the_end
from web_tools import Room

from companion.games import REGISTRY


@pytest.fixture
def without_drawings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes the drawings out of all games: what is left is what another package's game may bring."""
    empty = tmp_path / "no-drawing"
    empty.mkdir()
    monkeypatch.setattr("web.game_files.folder_of", lambda key: empty)


@pytest.mark.parametrize("key", REGISTRY)
def test_a_game_brings_its_drawing_and_its_style(key: str, room: Room) -> None:
    drawing, style = (room.visitor().get(f"/games/{key}/{name}") for name in ("page.js", "page.css"))
    assert (drawing.status_code, drawing.mimetype) == (200, "text/javascript")
    assert (style.status_code, style.mimetype) == (200, "text/css")
    assert "export default {" in drawing.text


def test_a_drawing_that_the_browser_has_is_not_sent_again(room: Room) -> None:
    visitor, path = room.visitor(), f"/games/{REGISTRY[0]}/page.js"
    known = {"If-None-Match": visitor.get(path).headers["ETag"]}
    assert visitor.get(path, headers=known).status_code == 304


@pytest.mark.parametrize("name", ["rules.py", "__init__.py", "page.py", "..%2f__init__.py", "../__init__.py"])
def test_nothing_else_of_a_games_folder_is_served(name: str, room: Room) -> None:
    assert room.visitor().get(f"/games/{REGISTRY[0]}/{name}").status_code == 404


def test_there_is_no_drawing_of_an_unknown_game(room: Room) -> None:
    assert room.visitor().get("/games/no_such_game/page.js").status_code == 404


@pytest.mark.usefixtures("without_drawings")
def test_a_game_without_a_drawing_is_no_error(room: Room) -> None:
    answer = room.visitor().get(f"/games/{REGISTRY[0]}/page.js")
    assert answer.status_code == 200
    assert "export default {};" in answer.text


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.usefixtures("without_drawings")
def test_a_game_without_a_drawing_is_played_to_its_end(house: House, person: Callable[..., Person]) -> None:
    seed = 3
    print(f"seed {seed}")
    table = person(phone=False)
    table.start(house, "onirim", players="1")
    assert table.page.locator(".place text").count() > 10
    assert table.page.locator(".piece.plain text").first.text_content()
    play_to_the_end({0: table}, house, Random(seed), skips=24)
    table.page.locator(".ending").wait_for()


@pytest.mark.browser
@pytest.mark.slow
def test_a_fault_in_one_games_drawing_stops_neither_the_shelf_nor_the_game(
    house: House, browser: Browser
) -> None:
    table = Person(browser, house.url, phone=False, moves=False)
    table.page.route(
        "**/games/*/page.js",
        lambda route: route.fulfill(body="export default {", content_type="text/javascript"),
    )
    table.start(house, "onirim", players="1")
    assert table.page.locator(".place text").count() > 10
    assert any("SyntaxError" in line for line in table.odd)
    table.close()
