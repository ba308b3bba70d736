"""First games teach themselves: played to their end in a browser by doing only what the page says."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from web_browser import House, Person
from web_tools import Room

from companion.engine.text import LANGUAGES
from companion.games import REGISTRY, folder_of, load
from companion.table.bot_players import BotPlayers
from companion.table.lessons import advice

LIMIT = 900
MINUTES = 15
SPOKEN = 130
"""Words that are read in a minute."""


@pytest.fixture
def room(tmp_path):
    room = Room(tmp_path)
    yield room
    room.close()


@pytest.mark.parametrize("key", REGISTRY)
def test_every_step_names_a_rule_of_the_ledger_in_both_languages(key: str) -> None:
    lesson = load(key).lesson
    assert lesson is not None and 6 <= len(lesson.steps) <= 14
    rules = set((folder_of(key) / "ledger.txt").read_text("utf-8").split())
    for step in lesson.steps:
        assert step.rule in rules, step.rule
        assert len(step.text) == len(LANGUAGES) and all(len(said.split()) > 5 for said in step.text)
    words = [sum(len(step.text[column].split()) for step in lesson.steps) for column in range(2)]
    print(f"{key}: {len(lesson.steps)} steps, words in English {words[0]}, in Russian {words[1]}")
    assert max(words) / SPOKEN < MINUTES / 3, "more is read than played"


@pytest.mark.parametrize("key", REGISTRY)
def test_the_lesson_is_said_step_by_step_until_the_game_is_over(room: Room, key: str) -> None:
    host = room.host()
    assert host.post("/api/teach", game=key).status_code == 200
    session = room.table.session
    lesson = load(key).lesson
    seat = session.seats.index(lesson.learners[0])
    host.post("/api/join", name="Anna")
    if seat not in room.table.open_seats(session):
        assert host.post("/api/claim", seat=seat).status_code == 200
    viewer = seat if seat in host.get("/api/me").json["seats"] else "public"
    bots, told, moves = BotPlayers(room.table, Random(5)), set(), 0
    for _ in range(LIMIT):
        if session.state().outcome() is not None:
            break
        if not advice(session, seat):
            assert bots.step()
            continue
        now = host.get(f"/api/lesson?seat={viewer}&for={seat}&lang=ru").json
        told |= {step["number"] for step in now["steps"]}
        assert now["action"] in session.actions(seat) and now["label"]
        moves += 1
        assert host.act(seat, now["action"], page=-2 if viewer == "public" else seat).status_code == 200
    assert session.state().outcome() is not None
    print(f"{key}: {moves} moves of the learner, steps said: {sorted(told)} of {len(lesson.steps)}")
    assert len(told) >= len(lesson.steps) - 2


def test_a_first_game_says_that_it_is_one_and_goes_on_after_a_restart(room: Room) -> None:
    host = room.host()
    host.post("/api/teach", game="onirim")
    number = room.table.session.number
    room.table.clear()
    room.table.resume(number)
    assert host.get("/api/frame?lang=en").json["standing"] == [
        "A first game: the table explains it as it goes."
    ]
    assert host.get("/api/lesson?for=0").json["steps"][0]["number"] == 0


def test_a_first_game_needs_an_empty_table_and_the_host(room: Room) -> None:
    host, anna = room.host(), room.guest("Anna")
    assert anna.post("/api/teach", game="onirim").json["code"] == "not-host"
    room.table.start("onirim", {"players": 1})
    assert host.post("/api/teach", game="onirim").json["code"] == "game-running"
    assert host.get("/api/lesson?for=0").status_code == 404


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("language", ["en-GB", "ru-RU"])
@pytest.mark.parametrize("key", REGISTRY)
def test_a_first_game_is_played_by_doing_only_what_the_page_says(
    key: str, language: str, house: House, person: Callable[..., Person]
) -> None:
    learner = person(phone=False, language=language)
    learner.page.goto(house.setup_url())
    learner.tap(f"[data-game={key}]")
    learner.tap("[data-key=teach]")
    learner.page.locator(".lesson").wait_for()
    bots = BotPlayers(house.table, Random(5))
    steps, taps, began = set[str](), 0, time.monotonic()
    page = learner.page
    for _ in range(LIMIT):
        session = house.table.session
        while bots.step():
            pass
        if session.state().outcome() is not None:
            break
        learner.reveal()
        if page.locator("[data-hand]:visible").count():
            handed_from = page.url
            try:
                page.locator("[data-hand]:visible").first.click(timeout=3000)
            except PlaywrightTimeout:
                continue  # the page has moved on: nothing is to be handed over any more
            page.wait_for_url(lambda url, before=handed_from: url != before)
            page.locator("[data-drawn], .cover").first.wait_for()
            continue
        learner.see(session)
        page.locator(
            f".lesson[data-version='{page.evaluate('document.documentElement.dataset.version')}']"
        ).wait_for()
        following = page.locator("[data-key=lesson-next]:visible")
        if following.count():
            steps.add(following.get_attribute("data-step"))
            following.click()
        elif page.locator("[data-key=lesson-show]:visible").count():
            page.locator("[data-key=lesson-show]:visible").click()
            before = len(session.lines())
            learner.press(page.locator("[data-confirm]:visible").first)
            _wait_for_lines(house, before + 1)
        taps += 1
    page.locator(".ending").wait_for()
    print(f"{key} {language}: {taps} taps, {len(steps)} steps, {time.monotonic() - began:.0f} s")
    assert len(steps) >= len(load(key).lesson.steps) - 3


def _wait_for_lines(house: House, n: int, seconds: float = 20.0) -> None:
    """Waits until so many actions stand."""
    until = time.monotonic() + seconds
    while len(house.table.session.lines()) < n:
        assert time.monotonic() < until
        time.sleep(0.02)
