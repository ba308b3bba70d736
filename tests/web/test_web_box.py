"""My box: who may enter what over the web, and the whole story in a real browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect
from test_web_pages import serious
from web_browser import House, Person
from web_tools import ORIGIN, Room, Visitor

from companion.engine.action import TABLE
from companion.games import REGISTRY, load
from companion.table.session import OtherBox
from web.routes.box import MAX_PHOTO_BYTES

SENSE = "killer_cards.butcher_sense"
SLOW_MS = 60_000
"""A game with another box is made when it is first asked for, which takes its time on a busy machine."""


def photograph() -> bytes:
    return cv2.imencode(".jpg", np.full((60, 40, 3), 120, np.uint8))[1].tobytes()


# Over the wire ----------------------------------------------------------------------------------


def send_photo(visitor: Visitor, content: bytes, face: str = SENSE, game: str = "whisper") -> Any:
    return visitor.client.post(
        f"/api/box/photo?game={game}&face={face}",
        base_url=ORIGIN,
        data=content,
        content_type="image/jpeg",
        headers={"Origin": ORIGIN, "X-Gloam-Token": visitor.token},
        environ_base={"REMOTE_ADDR": visitor.address},
    )


def test_only_the_host_looks_into_the_box(room: Room) -> None:
    room.host()
    guest = room.guest("Ann")
    for path in ("/api/box", "/api/box/facts?game=onirim", "/api/box/picture.svg?game=onirim&face=x"):
        assert guest.get(path).status_code == 403
    assert guest.post("/api/box", game="onirim", values={"nightmares.all": 11}).status_code == 403
    assert guest.post("/api/box/forget", game="onirim").status_code == 403
    assert send_photo(guest, photograph()).status_code == 403


def test_what_is_entered_is_shown_and_a_wrong_entry_says_what_is_allowed(room: Room) -> None:
    host = room.host()
    before = {box["key"]: box["unchecked"] for box in host.get("/api/box").json}
    assert host.post("/api/box", game="onirim", values={"labyrinth.red.sun": 8}).status_code == 200
    after = {box["key"]: box["unchecked"] for box in host.get("/api/box").json}
    assert before["onirim"] - after["onirim"] == 1 and before["whisper"] == after["whisper"]
    found = host.get("/api/box/facts?game=onirim").json["subjects"][0]["facts"][0]
    assert (found["value"], found["origin"]) == (8, "owner")
    wrong = host.post("/api/box", game="onirim", values={"labyrinth.red.sun": 99})
    assert wrong.status_code == 400 and "allowed: 0 to 20" in wrong.json["detail"]
    assert host.post("/api/box", game="no_game", values={"x.y": 1}).status_code == 404
    assert host.post("/api/box", game="onirim", values={"labyrinth.red.sun": True}).status_code == 400


def test_cards_do_not_change_under_a_game_that_goes_on(room: Room) -> None:
    host = room.host()
    room.table.start("onirim", {})
    assert host.post("/api/box", game="onirim", values={"nightmares.all": 11}).status_code == 409
    assert host.post("/api/box", game="onirim", values={"nightmares.all": 10}).status_code == 200
    assert host.post("/api/box", game="whisper", values={f"{SENSE}.count": 3}).status_code == 200


@pytest.mark.parametrize(
    ("content", "face", "game"),
    [
        (b"<svg onload=alert(1)>", SENSE, "whisper"),
        (photograph() + b"\0" * MAX_PHOTO_BYTES, SENSE, "whisper"),
        (photograph(), "../../people", "whisper"),
        (photograph(), SENSE, "../whisper"),
    ],
)
def test_a_photograph_is_a_small_picture_of_something_in_the_box(
    room: Room, tmp_path: Path, content: bytes, face: str, game: str
) -> None:
    host = room.host()
    assert send_photo(host, content, face, game).status_code in (400, 404)
    assert not list(tmp_path.rglob("*.jpg"))


def test_so_many_photographs_and_no_more(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    host = room.host()
    monkeypatch.setattr(import_module("web.routes.box"), "MOST_PHOTOS", 1)
    answers = [send_photo(host, photograph(), face).status_code for face in (SENSE, SENSE, "clue.other")]
    assert answers == [200, 200, 400]


def test_a_photograph_is_kept_beside_the_data(room: Room, tmp_path: Path) -> None:
    host = room.host()
    assert send_photo(host, photograph()).status_code == 200
    assert [path.parent.name for path in tmp_path.rglob("*.jpg")] == ["whisper.photos"]
    answer = host.get(f"/api/box/photo.jpg?game=whisper&face={SENSE}")
    assert answer.data == photograph() and answer.mimetype == "image/jpeg"


# In a real browser ------------------------------------------------------------------------------


def key(name: str) -> str:
    return f"[data-key='{name}']"


def entered(house: House, game: str) -> dict[str, Any]:
    assert house.table.boxes.folder is not None
    path = house.table.boxes.folder / f"{game}.json"
    return json.loads(path.read_text("utf-8"))["facts"] if path.exists() else {}


def open_subject(host: Person, house: House, game: str, subject: str) -> None:
    host.page.goto(f"{house.url}/box#{game}/{subject}")
    host.page.reload()
    host.page.locator(f"[data-subject='{subject}']").wait_for()


def confirm(host: Person, subject: str) -> None:
    """Says that it is as in the box, and waits for the next question."""
    host.tap(key("as-in-my-box"))
    expect(host.page.locator(f"[data-subject='{subject}']")).to_have_count(0, timeout=SLOW_MS)


@pytest.mark.browser
@pytest.mark.parametrize(("phone", "language"), [(False, "en-GB"), (True, "ru-RU")])
def test_the_page_is_open_to_everybody(
    phone: bool, language: str, house: House, person: Callable[..., Person]
) -> None:
    host = person(phone=phone, language=language)
    host.page.goto(house.setup_url())
    host.tap(key("my-box"))
    host.page.locator("[data-box]").first.wait_for()
    assert serious(host.page) == []
    for game, subject in (
        ("whisper", SENSE),
        ("dark_cave", "tunnels.T1-07"),
        ("night_cage", "dirge.outline"),
        ("bad_bones", "standard.left"),
    ):
        open_subject(host, house, game, subject)
        assert serious(host.page) == []
        width = host.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert width <= 0, game


@pytest.mark.browser
def test_a_box_of_another_language_is_entered_played_stored_restored_and_guarded(
    house: House, person: Callable[..., Person], tmp_path: Path
) -> None:
    host = person(phone=False)
    host.page.goto(house.setup_url())
    host.tap(key("my-box"))
    host.tap("[data-box=whisper]")

    # Another name, another count, another effect; then the page asks about the next card.
    host.page.locator(f"[data-subject='{SENSE}']").wait_for()
    host.page.fill(f"[id='fact-{SENSE}.name']", "Witterung")
    host.tap(f"[data-step='{SENSE}.count+']")
    host.tap(f"[data-step='{SENSE}.count+']")
    expect(host.page.locator(f"output[data-fact='{SENSE}.count']")).to_have_text("4")
    host.page.select_option(f"[id='fact-{SENSE}.effect']", "butcher_pursue")
    photo = tmp_path / "card.jpg"
    photo.write_bytes(photograph())
    host.page.set_input_files("#box-photo", photo)
    host.page.locator(".box-photo img").wait_for()
    confirm(host, SENSE)
    assert entered(house, "whisper") == {
        f"{SENSE}.name": "Witterung",
        f"{SENSE}.count": 4,
        f"{SENSE}.cost": 0,
        f"{SENSE}.effect": "butcher_pursue",
    }

    # A tunnel's openings are tapped.
    open_subject(host, house, "dark_cave", "tunnels.T1-07")
    host.tap("[data-side=E]")
    expect(host.page.locator("[data-side=E]")).to_have_attribute("aria-pressed", "true")
    confirm(host, "tunnels.T1-07")
    assert entered(house, "dark_cave")["tunnels.T1-07.open"] == "NES"

    # Played with these cards, and stored.
    host.page.goto(house.url)
    host.page.locator("[data-game=whisper]").wait_for(timeout=SLOW_MS)
    host.tap("[data-game=whisper]")
    host.page.locator("#option-killer").select_option("butcher")
    expect(host.page.locator("dialog .doubt")).to_be_visible()
    host.tap("dialog button.go")
    host.page.locator("svg.board").wait_for(timeout=SLOW_MS)
    session = house.table.session
    assert session is not None
    number, game = session.number, session.game
    assert game.texts.say("word.butcher_sense", "en") == "Witterung"
    sense = next(i for i, card in enumerate(session.state().setup.box.cards) if card.id == "butcher_sense")
    card = session.state().setup.box.cards[sense]
    assert card.copies == 4 and card.effects == session.state().setup.box.cards[sense + 1].effects
    play(session, Random(5), 40)
    lines = len(session.lines())
    house.table.clear()
    backup = tmp_path / "backup.zip"
    backup.write_bytes(host.page.request.get(f"{house.url}/api/backup").body())

    # The data change under the stored game: it is refused, and says what to do.
    open_subject(host, house, "whisper", SENSE)
    host.tap(f"[data-step='{SENSE}.count+']")
    confirm(host, SENSE)
    host.page.goto(house.url)
    saved = host.page.locator("ul.saved li").first
    saved.wait_for(timeout=SLOW_MS)
    expect(saved).to_contain_text("played with other cards: enter them on “My box”")
    expect(saved.locator("[data-number]")).to_have_count(0)
    with pytest.raises(OtherBox):
        house.table.resume(number)

    # The backup brings both back.
    host.page.goto(f"{house.url}/workshop#care")
    host.page.set_input_files("#backup-file", backup)
    host.tap(key("restore"))
    host.page.locator(".toast").first.wait_for()
    assert entered(house, "whisper")[f"{SENSE}.count"] == 4
    host.page.goto(house.url)
    host.tap(f"[data-number='{number}']")
    host.page.locator("svg.board").wait_for(timeout=SLOW_MS)
    assert house.table.session is not None and len(house.table.session.lines()) >= lines


@pytest.mark.browser
def test_a_hand_shows_which_cards_nobody_has_compared_with_a_box(
    house: House, person: Callable[..., Person]
) -> None:
    tunnels = {
        fact.id: fact.value
        for fact in load("dark_cave").facts
        if fact.subject.startswith("tunnels.") and fact.plays
    }
    house.table.boxes.enter("dark_cave", tunnels)
    session = house.table.start("dark_cave", {"players": 2, "first": 1})
    play(session, Random(1), 2)
    player = person()
    player.join(house, "Ann", 0)
    player.reveal()
    hand = session.update(0).view["dwarves"][0]["hand"]
    checked = [card for card in hand if card.startswith("T")]
    assert 0 < len(checked) < len(hand), hand
    for card in hand:
        item = player.page.locator(f".item[data-atom='piece:{card}'], .item[data-look='piece:{card}']").first
        expect(item.locator(".doubt")).to_have_count(0 if card in checked else 1)


def play(session: Any, rng: Random, actions: int) -> None:
    """Plays on at random."""
    for _ in range(actions):
        state = session.state()
        need = next((need for need in state.needs() if need.seat != TABLE), None)
        if need is None:
            return
        session.submit(need.seat, state.notation.text(rng.choice(state.actions(need.seat))))


@pytest.mark.browser
def test_a_typo_in_one_file_leaves_the_other_games_on_the_shelf(
    house: House, person: Callable[..., Person]
) -> None:
    host = person(phone=False)
    assert house.table.boxes.folder is not None
    house.table.boxes.folder.mkdir()
    (house.table.boxes.folder / "onirim.json").write_text('{"facts": {"labyrinth.red.sun": 99}}')
    host.page.goto(house.setup_url())
    host.page.locator("[data-game]").first.wait_for(timeout=SLOW_MS)
    expect(host.page.locator("[data-game]")).to_have_count(len(REGISTRY) - 1)
    expect(host.page.locator("[data-game=onirim]")).to_have_count(0)
    expect(host.page.locator("[data-fault=onirim]")).to_contain_text(
        "box/onirim.json: labyrinth.red.sun is 99; allowed: 0 to 20"
    )
    host.tap(key("my-box"))
    host.tap(key("aside-onirim"))
    host.page.locator("[data-box=onirim]").wait_for()
    host.page.goto(house.url)
    expect(host.page.locator("[data-game]")).to_have_count(len(REGISTRY), timeout=SLOW_MS)
