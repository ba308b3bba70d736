"""The page with all tables of a club, fed from a real broker."""

from __future__ import annotations

import pytest
from mosquitto_broker import free_port

from companion.games import load
from companion.table.health import HealthLine
from companion.table.table import Table
from web.app import create_app
from web.context import Web
from web.health import health_card
from web.routes.overview import broker_health

pytestmark = pytest.mark.debian("mosquitto")


def ask(table: Table, herald=None, language="en", what="overview"):
    app = create_app(Web(table, club=herald))
    return app.test_client().get(f"/api/{what}?lang={language}", base_url="http://127.0.0.1:8000").json


def test_without_a_broker_the_page_says_so(house):
    assert ask(house.table()) == {"on": False, "trouble": "", "tables": []}


def test_the_table_screen_leads_there_only_with_a_broker(house):
    assert ask(house.table(), what="me")["club"] is False
    table = house.table()
    assert ask(table, house.herald(table, free_port()), what="me")["club"] is True


@pytest.mark.parametrize("language", ["en", "ru"])
def test_any_table_shows_what_is_played_at_all_of_them(house, mosquitto, until, language):
    first, second = house.table(), house.table()
    herald = house.herald(first, mosquitto, memory="a", name="By the window", club="café")
    house.herald(second, mosquitto, memory="b", name="Corner", club="café")
    second.start("onirim", {"players": 2}, seed=3)
    until(lambda: [seen.facts.get("playing") for seen in herald.tables()] == [False, True])
    answer = ask(first, herald, language)
    assert (answer["on"], answer["trouble"]) == (True, "")
    free, playing = answer["tables"]
    assert (free["name"], free["there"], free["playing"], free["title"]) == ("By the window", True, False, "")
    assert (playing["name"], playing["playing"], playing["players"]) == ("Corner", True, 2)
    assert playing["title"] == load("onirim").texts.say("game.title", language)
    assert playing["turn"] and playing["phase"]


def test_a_broker_that_is_gone_is_said_on_the_page(house, mosquitto, until):
    table = house.table()
    herald = house.herald(table, mosquitto)
    until(lambda: not herald.trouble)
    mosquitto.kill()
    until(lambda: herald.trouble)
    assert "is gone; it is tried again" in ask(table, herald)["trouble"]


def test_the_health_card_says_how_the_broker_is(house, mosquitto, until):
    assert broker_health(None) == []
    herald = house.herald(house.table(), mosquitto)
    until(lambda: not herald.trouble)
    assert broker_health(herald) == [HealthLine("broker", "good", "good")]
    mosquitto.kill()
    until(lambda: herald.trouble)
    (line,) = health_card(herald._table, broker_health(herald), 0, 9, "en")[:1]
    assert "127.0.0.1" not in line["detail"]
    assert (line["state"], line["fix"]) == ("watch", "Is it on? Are host and port in [mqtt] right?")
