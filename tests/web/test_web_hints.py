"""Hints on the pages: for the seat that asks alone, and for nobody where the host has switched them off."""

from __future__ import annotations

import time

import pytest
from web_tools import Room

from companion.engine.action import TABLE
from companion.table.hints import ANSWER_S


@pytest.fixture
def room(tmp_path):
    room = Room(tmp_path)
    yield room
    room.close()


@pytest.fixture
def asked(monkeypatch):
    """The answer's time has a test of its own; here nobody waits for it."""
    monkeypatch.setattr("companion.table.hints.ANSWER_S", 0.0)
    monkeypatch.setattr("companion.table.hints.THINK_S", 0.2)


def test_a_seat_gets_the_best_three_with_chances_and_reasons(room, asked):
    room.host()
    anna = room.guest("Anna")
    session = room.table.start("onirim", {"players": 1})
    anna.post("/api/claim", seat=0)
    for language in ("en", "ru"):
        told = anna.get(f"/api/hints?seat=0&lang={language}").json
        assert 1 <= len(told) <= 3
        for hint in told:
            assert hint["action"] in session.actions(0)
            assert 0 <= hint["chances"] <= 100 and hint["label"]
            assert all(reason.endswith(".") for reason in hint["reasons"])
        assert [one["chances"] for one in told] == sorted((one["chances"] for one in told), reverse=True)


def test_nobody_gets_a_hint_for_somebody_else(room, asked):
    host, anna, boris = room.host(), room.guest("Anna"), room.guest("Boris")
    room.table.start("onirim", {"players": 2})
    anna.post("/api/claim", seat=0)
    boris.post("/api/claim", seat=1)
    assert boris.get("/api/hints?seat=0").status_code == 403
    assert boris.get("/api/hints?seat=1&for=0").status_code == 403
    assert host.get("/api/hints?for=0").status_code == 403
    assert boris.get("/api/hints?for=0").json["code"] == "not-host"
    assert room.visitor().get("/api/hints?seat=0").status_code == 403


def test_the_table_screen_gets_hints_for_open_seats(room, asked):
    host = room.host()
    session = room.table.start("night_cage", {"players": 1})
    while session.state().is_chance():
        session.submit(TABLE, session.actions(TABLE)[0])
    seat = session.state().needs()[0].seat
    assert host.get(f"/api/hints?for={seat}").json


def test_the_host_switches_hints_off_until_the_game_is_over(room, asked, tmp_path):
    host, anna = room.host(), room.guest("Anna")
    room.table.start("onirim", {"players": 1})
    anna.post("/api/claim", seat=0)
    assert anna.post("/api/no-hints").json["code"] == "not-host"
    assert host.post("/api/no-hints").status_code == 200
    assert anna.get("/api/hints?seat=0").json["code"] == "hints-off"
    assert anna.get("/api/frame?seat=0&lang=en").json["standing"] == ["This game is played without hints."]
    number = room.table.session.number
    room.table.clear()
    room.table.resume(number)
    assert anna.get("/api/hints?seat=0").json["code"] == "hints-off"


@pytest.mark.slow
def test_a_hint_costs_at_most_two_seconds(room):
    room.host()
    anna = room.guest("Anna")
    room.table.start("onirim", {"players": 1})
    anna.post("/api/claim", seat=0)
    began = time.monotonic()
    assert anna.get("/api/hints?seat=0").json
    assert ANSWER_S - 0.05 <= time.monotonic() - began <= 2.0


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("language", ["en-GB", "ru-RU"])
def test_a_hint_is_shown_on_the_board_and_done_when_it_is_confirmed(language, house, person, asked):
    table = person(phone=False, language=language)
    table.start(house, "onirim", players="1")
    page, session = table.page, house.table.session
    page.locator("[data-key='tool.hint']").click()
    first = page.locator(".hint-list li").first
    first.wait_for(timeout=30_000)
    action = first.get_attribute("data-hint")
    assert action in session.actions(0)
    first.locator("button").click()
    confirm = page.locator("[data-confirm]:visible")
    assert confirm.get_attribute("data-confirm") == action
    confirm.click()
    page.wait_for_function("n => Number(document.documentElement.dataset.drawn) > n", arg=1)
    page.locator("[data-key='sheet-facts']").click()
    page.locator("[data-key='tool.rules']").click()
    page.locator(".rules-list li").first.wait_for()
    assert (0, action) in session.lines()
