"""You are somebody: a name, a face and a seat that every page shows; games that have names too."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from test_web_stuck import positions
from web_browser import House, Person
from web_tools import Room

from companion.table.people import FACES
from web import frames
from web.text import PAGES

ROOT = Path(__file__).parents[2]


def test_a_face_is_kept_and_everybody_sees_it(room: Room) -> None:
    room.host()
    ann = room.guest("Ann")
    ann.post("/api/join", name="Ann", face="fox")
    room.table.start("night_cage", {"players": 4}, seed=1)
    ann.post("/api/claim", seat=1)
    seats = room.visitor().get("/api/room").json["seats"]
    assert [(one["name"], one["face"]) for one in seats[:2]] == [("", ""), ("Ann", "fox")]
    ann.post("/api/join", name="Ann", face="<svg>")
    assert ann.get("/api/me").json["face"] == "fox"


def test_every_face_is_drawn_and_named() -> None:
    drawn = (ROOT / "web" / "static" / "js" / "faces.js").read_text("utf-8")
    assert [word for word in FACES if f"\n  {word}: () => [" not in drawn] == []
    assert [word for word in FACES if f"face.{word}" not in PAGES] == []


def test_the_log_and_the_buttons_say_names_instead_of_seats(room: Room) -> None:
    host, ann = room.host(), room.guest("Ann")
    room.table.start("night_cage", {"players": 4}, seed=1)
    ann.post("/api/claim", seat=0)
    host.post("/api/act", action="start a1 0", version=0, seat=0, page=-2)
    ann.post("/api/act", action="start a1 0", version=0, seat=0, page=0)
    said = [line["text"] for line in host.get("/api/log?lang=ru").json]
    assert any("Ann" in text for text in said)
    assert not any("Красный" in text for text in said)
    assert host.get("/api/room").json["names"][:2] == ["Ann", "Player 2"]


def test_two_who_are_called_alike_are_told_apart(room: Room) -> None:
    room.host()
    room.table.start("onirim", {"players": 2}, seed=1)
    for seat, guest in enumerate((room.guest("Ann"), room.guest("Ann"))):
        room.clock.now += 60
        guest.post("/api/claim", seat=seat)
    assert room.visitor().get("/api/room").json["names"] == ["Player 1 (Ann)", "Player 2 (Ann)"]


def test_no_button_names_a_seat_by_its_code(room: Room) -> None:
    seed = 73
    print(f"seed {seed}")
    for game in ("dark_cave", "bad_bones"):
        session = room.table.start(game, {"players": 4}, seed=seed)
        for seat in positions(session, Random(seed), most=60):
            for one in frames.moves(room.table, session, seat, "ru"):
                assert [label for _, label in one["actions"] if re.search(r"\bp\d\b", label)] == []


def test_a_stored_game_is_named_and_deleted(room: Room) -> None:
    host, ann = room.host(), room.guest("Ann")
    first = room.table.start("onirim", {"players": 2}, seed=1)
    ann.post("/api/claim", seat=0)
    room.table.start("onirim", {"players": 1}, seed=1)
    host.post("/api/entitle", number=first.number, title="  Grandma's\nevening ")
    games = {one["number"]: one for one in host.get("/api/saved").json}
    assert (games[1]["called"], games[1]["people"]) == ("Grandma's evening", [["Ann", ""]])
    assert host.post("/api/delete", number=2).status_code == 409, "it is on the table"
    assert ann.post("/api/delete", number=1).status_code == 403
    assert host.post("/api/delete", number=1).status_code == 200
    assert [one["number"] for one in host.get("/api/saved").json] == [2]
    assert room.people.holders(1) == {}


def test_the_shelf_says_how_many_how_long_and_how_old(room: Room) -> None:
    games = {one["key"]: one for one in room.visitor().get("/api/games").json}
    assert (games["onirim"]["players"], games["dark_cave"]["players"]) == ([1, 2], [2, 8])
    assert all(one["minutes"] and one["age"] for one in games.values())


def test_a_phone_can_keep_the_page_as_an_app(room: Room) -> None:
    visitor = room.visitor()
    told = visitor.get("/manifest.webmanifest?lang=ru")
    assert told.mimetype == "application/manifest+json"
    assert told.json["display"] == "fullscreen"
    for icon in told.json["icons"]:
        assert visitor.get(icon["src"]).status_code == 200
    assert 'rel="manifest"' in visitor.get("/").text


def test_the_end_tells_who_what_turned_it_and_the_evenings(room: Room) -> None:
    seed = 5
    print(f"seed {seed}")
    host, ann = room.host(), room.guest("Ann")
    for _ in range(2):
        session = room.table.start("night_cage", {"players": 4}, seed=seed)
        ann.post("/api/claim", seat=0)
        for _ in positions(session, Random(seed), most=4000):
            pass
    told = host.get("/api/story?lang=en").json
    assert sum(told["moves"]) == sum(1 for seat, _ in session.lines() if seat >= 0)
    steps = [step for step, _ in told["turning"]]
    assert len(steps) == 3
    assert steps == sorted(set(steps))
    assert all(text for _, text in told["turning"])
    assert told["evenings"]["games"] == 2
    assert told["evenings"]["people"] == [[0, 2, 2 * (0 in session.state().outcome().winners)]]


def test_seats_are_swapped_for_the_next_game(room: Room) -> None:
    host, ann, bob = room.host(), room.guest("Ann"), room.guest("Bob")
    room.table.start("night_cage", {"players": 2}, seed=1)
    ann.post("/api/claim", seat=0)
    room.clock.now += 60
    bob.post("/api/claim", seat=1)
    host.post("/api/start", game="night_cage", options={"players": "2"}, swap=True)
    assert (ann.get("/api/me").json["seats"], bob.get("/api/me").json["seats"]) == ([1], [0])


@pytest.mark.browser
def test_from_scanning_to_sitting_are_two_taps(house: House, person: Callable[..., Person]) -> None:
    """In the lobby the table's screen shows who sits down, with name and face; `Begin` opens the board."""
    table, guest = person(phone=False), person()
    table.page.goto(house.setup_url())
    table.tap("[data-game=night_cage]")
    table.tap("dialog button.go")
    table.page.locator(".lobby-qr").wait_for()
    taps = 0
    guest.page.goto(f"{house.url}/join#code={house.people.join_code}")
    guest.page.fill("#name", "Ann")
    for selector in ("button.go", "[data-take='2']"):
        guest.tap(selector)
        taps += 1
    guest.page.locator("svg.board").wait_for()
    assert taps == 2
    table.page.locator(".place-card.is-taken", has_text="Ann").wait_for()
    table.tap("[data-key=begin]")
    table.page.locator(".lobby").wait_for(state="detached")
    assert guest.page.locator("#top .face").count() == 1
