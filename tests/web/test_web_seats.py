"""Seats: taking, losing, moving and keeping them."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from web_browser import House, Person
from web_tools import Room

from companion.games import load
from companion.table.people import MOST_NAMES, People, clean_name
from companion.table.table import ASK_S, Table
from web.stream import Stream, Streams


def start(room: Room, players: int = 2) -> None:
    room.table.start("onirim", {"players": players}, seed=7)


def test_scan_say_a_name_take_a_place(room: Room) -> None:
    room.host()
    start(room)
    ann = room.guest("Ann")
    assert ann.post("/api/claim", seat=1).status_code == 200
    assert ann.get("/api/me").json["seats"] == [1]
    assert [seat["name"] for seat in ann.get("/api/room").json["seats"]] == ["", "Ann"]


def test_joining_needs_the_code_of_the_table(room: Room) -> None:
    room.host()
    visitor = room.visitor()
    assert visitor.post("/api/join", name="Eve", code="AAAAAA").json["code"] == "wrong-code"
    old = room.people.join_code
    room.people.renew_join_code()
    assert visitor.post("/api/join", name="Eve", code=old).json["code"] == "wrong-code"


def test_a_locked_table_takes_nobody_new_and_keeps_who_is_there(room: Room) -> None:
    host = room.host()
    start(room)
    ann = room.guest("Ann")
    ann.post("/api/claim", seat=0)
    host.post("/api/lock", locked=True)
    late = room.visitor()
    assert late.post("/api/join", name="Late", code=room.people.join_code).json["code"] == "locked"
    assert ann.get("/api/frame?seat=0").status_code == 200


def test_a_taken_seat_is_refused_and_everybody_sees_it(room: Room) -> None:
    room.host()
    start(room)
    ann, eve = room.guest("Ann"), room.guest("Eve")
    ann.post("/api/claim", seat=0)
    answer = eve.post("/api/claim", seat=0)
    assert (answer.status_code, answer.json["code"]) == (409, "seat-taken")
    assert [n["code"] for n in ann.get("/api/room").json["notices"]] == ["claimed", "claim-refused"]


def test_a_seat_belongs_to_the_first_device_that_sits_down() -> None:
    people = People()
    assert people.sit(1, 0, "ann", "1234")
    assert not people.sit(1, 0, "bob", "9999")
    assert people.holders(1)[0].device == "ann" and people.is_seat_pin(1, 0, "1234")


def test_of_two_claims_at_once_one_wins(room: Room) -> None:
    room.host()
    start(room)
    guests = [room.guest(f"G{i}") for i in range(6)]
    gate = threading.Barrier(len(guests))
    answers: list[int] = []

    def claim(guest) -> None:
        gate.wait()
        answers.append(guest.post("/api/claim", seat=0).status_code)

    threads = [threading.Thread(target=claim, args=(guest,)) for guest in guests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200] + [409] * (len(guests) - 1)
    assert sum(guest.get("/api/frame?seat=0").status_code == 200 for guest in guests) == 1


def test_a_seat_survives_a_restart(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.host()
    start(room)
    ann = room.guest("Ann")
    ann.post("/api/claim", seat=1)
    before = ann.get("/api/frame?seat=1&lang=en").json
    cookie = ann.client.get_cookie("gloam", domain="192.168.7.5").value
    room.close()

    again = Room(tmp_path)
    again.table.resume_last()
    phone = again.visitor()
    phone.client.set_cookie("gloam", cookie, domain="192.168.7.5")
    assert phone.get("/api/me").json["seats"] == [1]
    assert phone.get("/api/frame?seat=1&lang=en").json == before
    again.close()


def test_a_game_begun_after_the_journal_is_lost_has_free_seats(tmp_path: Path) -> None:
    """Its number was another game's, whose killer must not find the seat kept, nor what it was called."""
    room = Room(tmp_path)
    ann = room.guest("Ann")
    old = room.table.start("whisper", {})
    room.table.claim(room.people.device(ann.cookie()), 0, code=room.table.offer(0).long, pin="271828")
    room.people.entitle(old.number, "Friday")
    kept = room.people.holders(old.number)
    room.close()
    for path in tmp_path.glob("games.db*"):
        path.unlink()

    again = Room(tmp_path)
    new = again.table.start("whisper", {})
    assert (again.people.holders(new.number), again.people.title(new.number)) == ({}, "")
    assert again.people.holders(old.number) == kept, "the lost journal may come back"
    other = again.table.open_record(RECORD.format(version=new.game.rules_version))
    assert other.number > new.number
    again.close()


RECORD = "gloam record 1\ngame whisper\nrules {version}\n"


def test_a_seat_that_the_game_has_not_is_nobodys(room: Room) -> None:
    """As a backup may hold it, or a file of people that somebody has written into."""
    ann = room.guest("Ann")
    device = room.people.device(ann.cookie())
    number = room.table.start("dark_cave", {"players": 3}).number
    room.table.clear()
    room.people.replace_seats({"seats": {str(number): {"31": device, "1": device}}, "names": {}})
    room.table.resume(number)
    assert ann.get("/api/me").json["seats"] == [1]
    looks = [ann.get(f"/api/{path}seat=31") for path in ("frame?", "log?", "stream?", "why?cell=0&")]
    acts = [
        ann.post("/api/undo", seat=31),
        ann.post("/api/act", action="x", version=0, seat=31, page=31),
        ann.post("/api/stand-up", seat=31),
    ]
    assert {one.status_code for one in looks + acts} <= {400, 403}


def test_somebody_elses_seat_cannot_be_seen_or_played(room: Room) -> None:
    room.host()
    start(room)
    ann, eve = room.guest("Ann"), room.guest("Eve")
    ann.post("/api/claim", seat=0)
    eve.post("/api/claim", seat=1)
    for path in ("frame", "log", "why", "preview", "stream"):
        assert eve.get(f"/api/{path}?seat=0&cell=0&action=keep").status_code == 403
    action = ann.get("/api/frame?seat=0").json["moves"]
    text = action[0]["actions"][0][0] if action else "keep"
    assert eve.post("/api/act", action=text, version=0, seat=0, page=0).status_code == 403
    assert eve.post("/api/act", action=text, version=0, seat=0, page=1).status_code == 403
    assert eve.post("/api/undo", seat=0).status_code == 403


def test_the_table_screen_plays_only_seats_without_secrets(room: Room) -> None:
    host = room.host()
    start(room, players=1)
    solo = host.get("/api/frame").json["moves"]
    assert [one["seat"] for one in solo] == [0]
    start(room, players=2)
    assert host.get("/api/frame").json["moves"] == []
    text = room.table.session.actions(0)[0] if room.table.session.actions(0) else "keep"
    assert host.post("/api/act", action=text, version=0, seat=0, page=-2).status_code == 403


def test_standing_up_and_making_room_free_the_seat(room: Room) -> None:
    host = room.host()
    start(room)
    ann = room.guest("Ann")
    ann.post("/api/claim", seat=0)
    ann.post("/api/stand-up", seat=0)
    assert ann.get("/api/frame?seat=0").status_code == 403
    ann.post("/api/claim", seat=0)
    host.post("/api/kick", seat=0)
    assert ann.get("/api/frame?seat=0").status_code == 403


def test_an_old_version_is_refused(room: Room) -> None:
    host = room.host()
    start(room, players=1)
    frame = host.get("/api/frame").json
    text = frame["moves"][0]["actions"][0][0]
    body = {"action": text, "version": frame["version"], "seat": 0, "page": -2}
    assert host.post("/api/act", **body).status_code == 200
    answer = host.post("/api/act", **body)
    assert (answer.status_code, answer.json["code"]) == (409, "stale")


def test_a_refusal_names_rule_cells_and_words(room: Room) -> None:
    host = room.host()
    start(room, players=1)
    frame = host.get("/api/frame").json
    body = {"action": "take", "version": frame["version"], "seat": 0, "page": -2}
    answer = host.post("/api/act?lang=ru", **body)
    assert answer.status_code == 409
    assert set(answer.json) == {"code", "text", "cells", "rule"}
    assert answer.json["rule"].startswith("ON-")
    assert host.post("/api/act", **{**body, "action": "fly to the moon"}).status_code == 400


def test_undo_takes_back_and_asks_before_a_reveal(room: Room) -> None:
    host = room.host()
    start(room, players=1)
    first = host.get("/api/frame").json
    discard = next(text for text, _ in first["moves"][0]["actions"] if text.startswith("discard"))
    host.act(0, discard, page=-2)
    answer = host.post("/api/undo")
    assert answer.json["code"] == "undo-reveals"
    assert host.post("/api/undo", force=True).status_code == 200
    assert host.get("/api/frame").json["view"] == first["view"]


def test_stories_and_records_are_told_only_at_the_end(room: Room) -> None:
    host = room.host()
    start(room)
    for path in ("/api/story", "/api/story/3?as=1", "/api/record"):
        assert host.get(path).json["code"] == "not-over"
    assert host.get("/api/backup").json["code"] == "game-running"


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("  Ann  ", "Ann"),
        ("a\u202eb\u200bc\x00", "abc"),
        ("<b>Bob</b>", "<b>Bob</b>"),
        ("\n\t ", ""),
        ("Ю" * 60, "Ю" * 24),
    ],
)
def test_names_are_plain_visible_text(typed: str, name: str) -> None:
    assert clean_name(typed) == name


def test_codes_are_long_single_and_short_lived() -> None:
    now = [0.0]
    codes = People(None, lambda: now[0]).codes
    code = codes.offer("seat", 60)
    assert len(code.long) * 5 >= 128
    assert not codes.redeem("other", code.long)
    assert codes.redeem("seat", code.long)
    assert not codes.redeem("seat", code.long)
    late = codes.offer("seat", 60)
    now[0] += 61
    assert not codes.redeem("seat", late.short)


def test_what_real_cards_brought_is_told_from_any_page_that_waits_for_it(room: Room) -> None:
    host = room.host()
    session = room.table.start("onirim", {"deck": "physical"}, seed=7)
    frame = host.get("/api/frame").json
    assert [one["seat"] for one in frame["moves"]] == [-1]
    text = frame["moves"][0]["actions"][0][0]
    assert host.act(-1, text, page=-2).status_code == 200
    assert session.lines()[-1] == (-1, text)
    stranger = room.guest("Eve")
    assert stranger.act(-1, text, page=-2).json["code"] == "not-host"


def test_of_two_who_tell_one_draw_only_one_does(room: Room) -> None:
    host = room.host()
    session = room.table.start("onirim", {"deck": "physical"}, seed=7)
    for _ in range(3):
        host.act(-1, host.get("/api/frame").json["moves"][0]["actions"][0][0], page=-2)
    frame, before = host.get("/api/frame").json, len(session.lines())
    body = {"action": frame["moves"][0]["actions"][0][0], "version": frame["version"], "seat": -1, "page": -2}
    gate = threading.Barrier(4)
    answers: list[int] = []

    def tell() -> None:
        gate.wait()
        answers.append(host.post("/api/act", **body).status_code)

    threads = [threading.Thread(target=tell) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200, 409, 409, 409]
    assert len(session.lines()) == before + 1


def test_a_kept_record_comes_back_to_the_table(room: Room) -> None:
    host = room.host()
    session = room.table.start("onirim", {"players": 1}, seed=3)
    while (moves := host.get("/api/frame").json["moves"]) and session.state().outcome() is None:
        session.submit(0, moves[0]["actions"][-1][0])
    text = host.get("/api/record").text
    view = session.update(-2).view
    assert host.post("/api/open-record", text=text).status_code == 200
    assert room.table.session.number == session.number + 1
    assert room.table.session.update(-2).view == view


def test_a_changed_record_names_its_line(room: Room) -> None:
    host = room.host()
    text = f"gloam record 1\ngame onirim\nrules {load('onirim').rules_version}\np1: fly away\n"
    answer = host.post("/api/open-record", text=text)
    assert answer.status_code == 400
    assert "line 4" in answer.json["detail"]


@pytest.mark.parametrize("seat", [2, 31, 99, -1, 2**70])
def test_a_seat_that_is_not_at_the_table_is_refused_and_never_announced(room: Room, seat: int) -> None:
    host = room.host()
    start(room)
    ann = room.guest("Ann")
    told = room.table.version
    answers = [
        ann.post("/api/move-seat", seat=seat, pin="0000"),
        ann.post("/api/claim", seat=seat),
        host.post("/api/kick", seat=seat),
        host.post("/api/offer", seat=seat),
    ]
    assert [(one.status_code, one.json["code"]) for one in answers] == [(400, "bad-request")] * 4
    assert room.table.version == told
    assert ann.get("/api/room").status_code == 200


def test_what_was_announced_in_a_bigger_game_does_not_hinder_a_smaller_one(room: Room) -> None:
    start(room, players=2)
    late = room.table.notices
    room.table.notice("claim-refused", {"seat": 1, "name": "Ann"})
    kept = list(late)
    start(room, players=1)
    late.extend(kept)
    answer = room.visitor().get("/api/room")
    assert (answer.status_code, answer.json["notices"]) == (200, [])


def test_pins_of_a_seat_are_tried_ever_more_slowly_whoever_tries(room: Room) -> None:
    room.host()
    start(room)
    ann = room.guest("Ann")
    ann.post("/api/claim", seat=0, pin="9999")
    thieves = [room.visitor(f"192.168.7.{n}") for n in range(100, 140)]
    for n, thief in enumerate(thieves):
        room.people.call(room.people.device(thief.cookie()), f"T{n}")
    tried = 0
    for second in range(60):
        room.clock.now += 1
        answer = thieves[second % len(thieves)].post("/api/move-seat", seat=0, pin="0000")
        tried += answer.status_code == 403
        assert answer.status_code in (403, 429)
    assert tried <= 6, "at this pace all PINs of four digits take months"
    assert thieves[0].post("/api/move-seat", seat=0, pin="9999").json["code"] == "too-often"
    room.clock.now += 900
    assert thieves[0].post("/api/move-seat", seat=0, pin="9999").status_code == 200


def test_a_secret_seat_needs_six_digits_and_keeps_its_code_until_then(room: Room) -> None:
    room.host()
    session = room.table.start("whisper", {}, seed=7)
    killer = next(seat for seat in range(len(session.seats)) if room.table.is_secret(session, seat))
    vera, code = room.guest("Vera"), room.table.offer(killer).short
    answer = vera.post("/api/claim", seat=killer, code=code, pin="24680")
    assert (answer.status_code, answer.json["code"]) == (400, "short-pin")
    assert vera.post("/api/claim", seat=killer, code=code, pin="246801").status_code == 200


def test_what_the_system_refuses_is_answered_like_a_full_disk(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = room.host()
    start(room)

    def refused(table: Table) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Table, "clear", refused)
    answer = host.post("/api/clear")
    assert (answer.status_code, answer.json["code"]) == (507, "not-stored")


def test_a_full_disk_gives_and_takes_no_seat(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    host = room.host()
    start(room)
    ann, bob = room.guest("Ann"), room.guest("Bob")
    bob.post("/api/claim", seat=1, pin="2718")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    before = room.people.seats()
    answers = [
        ann.post("/api/claim", seat=0),
        ann.post("/api/move-seat", seat=1, pin="2718"),
        host.post("/api/kick", seat=1),
        ann.post("/api/join", name="Anna"),
        host.post("/api/lock", locked=True),
    ]
    assert [(one.status_code, one.json["code"]) for one in answers] == [(507, "not-stored")] * 5
    assert all("cannot be written: No space left on device" in one.json["detail"] for one in answers)
    assert room.people.seats() == before and not room.people.is_locked
    assert ann.get("/api/room").status_code == 200
    monkeypatch.undo()
    assert ann.post("/api/claim", seat=0).status_code == 200


def test_a_crowd_of_names_is_forgotten_before_anybody_who_plays() -> None:
    people = People()
    people.make_host("host")
    for device in ("host", "Ann's", "Eve's"):
        people.call(device, "One", "fox")
    people.sit(1, 0, "Ann's")
    for n in range(MOST_NAMES):
        people.call(f"crowd-{n}", "Crowd")
    assert len(people._names) == MOST_NAMES
    assert [people.name(device) for device in ("host", "Ann's", "Eve's")] == ["One", "One", ""]
    assert people.name(f"crowd-{MOST_NAMES - 1}") == "Crowd" and set(people._faces) == {"host", "Ann's"}


# A seat that moves while its phone is alive ----------------------------------------------------


class Held:
    """Ann's phone holds a seat and listens; Eve knows its PIN."""

    def __init__(self, room: Room) -> None:
        self.room = room
        room.host()
        start(room)
        self.ann, self.eve = room.guest("Ann"), room.guest("Eve")
        self.ann.post("/api/claim", seat=0, pin="2718")
        self.device = room.people.device(self.ann.cookie())
        self.told = iter(Stream(room.table, Streams(4), self.device, "page", 0, "ru"))
        self.hear("room")

    def hear(self, kind: str) -> str:
        """The next event of a kind that the phone's page gets."""
        return next(one for one in self.told if one.startswith(f"event: {kind}\n"))

    def ask(self, **body: object):
        self.room.clock.now += 10
        return self.eve.post("/api/move-seat", **{"seat": 0, "pin": "2718", **body})

    def holder(self) -> str:
        return "Ann" if self.ann.get("/api/me").json["seats"] == [0] else "Eve"

    def notices(self) -> list[str]:
        return [notice["code"] for notice in self.eve.get("/api/room").json["notices"]]


@pytest.fixture
def held(room: Room) -> Held:
    return Held(room)


def test_the_phone_that_holds_a_seat_is_asked_while_it_is_alive(held: Held) -> None:
    answer = held.ask()
    assert (answer.status_code, answer.json["left_s"], held.holder()) == (200, ASK_S, "Ann")
    (question,) = json.loads(held.hear("asked").split("data: ")[1])
    assert question["seat"] == 0 and question["left_s"] == ASK_S
    assert question["text"].startswith("Eve хочет перенести место")
    assert held.notices()[-1] == "move-asked"


def test_nobody_else_is_asked(held: Held) -> None:
    held.ask()
    others = iter(Stream(held.room.table, Streams(4), "somebody", "page", -2, "en"))
    assert not any("event: asked" in next(others) for _ in range(3))
    assert held.eve.post("/api/move-answer", seat=0, agree=True).status_code == 403
    assert held.holder() == "Ann"


def test_a_seat_moves_at_once_when_its_phone_agrees(held: Held) -> None:
    held.ask()
    assert held.ann.post("/api/move-answer", seat=0, agree=True).status_code == 200
    assert (held.holder(), held.notices()[-1]) == ("Eve", "moved")
    assert held.ask().json["left_s"] == 0, "whoever has it already need not wait"


def test_a_seat_stays_when_its_phone_says_no(held: Held) -> None:
    held.ask()
    assert held.ann.post("/api/move-answer", seat=0, agree=False).status_code == 200
    for _ in range(3):
        answer = held.ask()
        assert (answer.status_code, answer.json["code"], held.holder()) == (403, "move-denied", "Ann")
    assert held.notices()[-1] == "move-denied"
    assert held.ask().json["left_s"] == ASK_S, "after a while it may be asked again"


def test_a_phone_that_keeps_silent_loses_the_seat_to_the_pin_when_the_time_is_up(held: Held) -> None:
    held.ask()
    assert held.ask().json["left_s"] == ASK_S - 10, "asking again does not begin anew"
    assert held.notices().count("move-asked") == 1
    assert held.ask().json["left_s"] == 0
    assert held.holder() == "Eve"
    assert held.ann.post("/api/move-answer", seat=0, agree=False).status_code == 403


def test_an_answer_after_the_time_is_too_late(held: Held) -> None:
    held.ask()
    held.room.clock.now += ASK_S
    answer = held.ann.post("/api/move-answer", seat=0, agree=True)
    assert (answer.status_code, answer.json["code"]) == (409, "stale")
    assert held.ann.post("/api/move-answer", seat=1, agree=True).status_code == 403


def test_a_phone_that_is_gone_is_not_asked(held: Held) -> None:
    held.told.close()
    assert held.ask().json["left_s"] == 0
    assert held.holder() == "Eve"


def test_a_wrong_pin_asks_nobody(held: Held) -> None:
    assert held.ask(pin="2719").json["code"] == "wrong-code"
    assert held.room.table.asked_of(held.device) == {}


def test_the_question_ends_with_the_seat_and_with_the_game(held: Held) -> None:
    held.ask()
    held.ann.post("/api/stand-up", seat=0)
    assert held.ann.post("/api/claim", seat=0).status_code == 200
    assert held.room.table.asked_of(held.device) == {}
    start(held.room)
    assert held.room.table.asked_of(held.device) == {}


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("agrees", [True, False])
def test_the_question_stands_on_the_page_of_the_phone_that_holds_the_seat(
    house: House, person: Callable[..., Person], agrees: bool
) -> None:
    house.table.start("onirim", {"players": 2}, seed=7)
    ann, eve = person(), person(language="ru-RU")
    ann.join(house, "Ann", 0)
    device = house.people.holders(house.table.session.number)[0].device
    house.people.sit(house.table.session.number, 0, device, "2718")
    eve.join(house, "Eve", 1)
    eve.page.goto(f"{house.url}/join")
    eve.tap("[data-key='move-0']")
    eve.page.fill("#move-pin", "2718")
    eve.tap("form button.go")
    ann.page.get_by_text("Eve wants to move").wait_for()
    ann.tap(f"[data-key=move-{'agree' if agrees else 'deny'}]")
    if agrees:
        ann.page.locator("a[href='/join'].go").wait_for()
    eve.page.locator(".toast").first.wait_for()
    holder = house.people.holders(house.table.session.number)[0].device
    assert (holder != device) == agrees
