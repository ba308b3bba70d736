"""The killer's seat: given once, seen by all, moved only with its PIN, never by the public code."""

from __future__ import annotations

import threading

import pytest
from web_tools import Room, Visitor

KILLER, TEAM = 0, 1


@pytest.fixture
def host(room: Room) -> Visitor:
    host = room.host()
    room.table.start("whisper", {"players": 3}, seed=1)
    return host


def test_the_public_code_never_gives_it(room: Room, host: Visitor) -> None:
    eve = room.guest("Eve")
    for code in ("", room.people.join_code):
        answer = eve.post("/api/claim", seat=KILLER, code=code, pin="12341234")
        assert (answer.status_code, answer.json["code"]) == (403, "wrong-code")
    assert room.people.join_code not in host.get(f"/api/offer?seat={KILLER}").text
    assert room.people.holders(1) == {}


def test_the_one_time_code_gives_it_once(room: Room, host: Visitor) -> None:
    code = host.post("/api/offer", seat=KILLER).json["short"]
    vera, eve = room.guest("Vera"), room.guest("Eve")
    assert vera.post("/api/claim", seat=KILLER, code=code, pin="24682468").status_code == 200
    assert eve.post("/api/claim", seat=KILLER, code=code, pin="13571357").status_code == 409
    assert host.post("/api/offer", seat=KILLER).json["code"] == "seat-taken"
    assert eve.get("/api/frame?seat=0").status_code == 403


def test_the_code_ends_after_a_minute(room: Room, host: Visitor) -> None:
    code = host.post("/api/offer", seat=KILLER).json["short"]
    vera = room.guest("Vera")
    room.clock.now += 61
    assert vera.post("/api/claim", seat=KILLER, code=code, pin="24682468").json["code"] == "wrong-code"


def test_of_two_who_scan_it_one_wins_and_everybody_sees_both(room: Room, host: Visitor) -> None:
    code = room.table.offer(KILLER).long
    guests = [room.guest("Vera"), room.guest("Eve")]
    gate = threading.Barrier(2)
    answers: list[int] = []

    def claim(guest: Visitor) -> None:
        gate.wait()
        answers.append(guest.post("/api/claim", seat=KILLER, code=code, pin="24682468").status_code)

    threads = [threading.Thread(target=claim, args=(guest,)) for guest in guests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200, 409]
    notices = [notice["code"] for notice in room.visitor().get("/api/room").json["notices"]]
    assert notices == ["offered", "claimed", "claim-refused"]


@pytest.mark.slow
def test_it_moves_to_another_phone_only_with_its_pin(room: Room, host: Visitor) -> None:
    vera, eve = room.guest("Vera"), room.guest("Eve")
    vera.post("/api/claim", seat=KILLER, code=room.table.offer(KILLER).short, pin="24682468")
    assert eve.post("/api/move-seat", seat=KILLER, pin="0000").json["code"] == "wrong-code"
    assert vera.get("/api/frame?seat=0").status_code == 200
    room.clock.now += 60
    assert eve.post("/api/move-seat", seat=KILLER, pin="24682468").status_code == 200
    assert vera.get("/api/frame?seat=0").status_code == 403
    assert eve.get("/api/frame?seat=0").status_code == 200
    notices = [notice["code"] for notice in host.get("/api/room").json["notices"]]
    assert notices[-2:] == ["move-refused", "moved"]


def test_nobody_sits_on_both_sides(room: Room, host: Visitor) -> None:
    vera, ann = room.guest("Vera"), room.guest("Ann")
    vera.post("/api/claim", seat=KILLER, code=room.table.offer(KILLER).short, pin="24682468")
    assert vera.post("/api/claim", seat=TEAM).json["code"] == "other-side"
    assert ann.post("/api/claim", seat=TEAM).status_code == 200
    assert ann.post("/api/move-seat", seat=KILLER, pin="24682468").json["code"] == "other-side"
    assert ann.post("/api/claim", seat=TEAM + 1).status_code == 200


def test_the_table_screen_cannot_play_either_side(room: Room, host: Visitor) -> None:
    assert [one["seat"] for one in host.get("/api/frame").json["moves"]] == []
    for seat in (KILLER, TEAM):
        text = room.table.session.actions(seat)[0]
        answer = host.post("/api/act", action=text, version=0, seat=seat, page=-2)
        assert answer.status_code == 403


def test_only_the_owner_shows_the_code(room: Room, host: Visitor) -> None:
    eve = room.guest("Eve")
    assert eve.post("/api/offer", seat=KILLER).status_code == 403
    host.post("/api/offer", seat=KILLER)
    assert eve.get("/api/offer?seat=0").status_code == 403
    assert eve.get("/api/offer.svg?seat=0").status_code == 403
    assert host.get("/api/offer.svg?seat=0").mimetype == "image/svg+xml"
    assert host.get("/api/invite.svg").mimetype == "image/svg+xml"
