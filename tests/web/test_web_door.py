"""The door: who is let in at all, and what a change must carry."""

from __future__ import annotations

import hmac

import pytest
from web_tools import HOST, ORIGIN, Room

from web.access import AccessPolicy, RateLimiter

CHANGES = (
    *("setup", "host", "pin", "start", "resume", "clear", "join", "claim", "move-seat", "move-answer"),
    *("stand-up", "bot", "kick", "lock", "new-code", "offer", "act", "undo", "open-record", "word"),
    *("virtual", "restore", "unplug", "entitle", "delete", "programs", "programs/dismiss"),
    *("box", "box/forget", "box/photo", "workshop/wled"),
    *(
        f"workshop/{name}"
        for name in ("settings", "open", "corners", "forget-corners", "view", "forget-views")
    ),
    *(f"workshop/{name}" for name in ("lens", "photograph", "drop", "finish", "blink", "keep-map")),
    *(
        f"workshop/{name}"
        for name in ("show", "press", "touch", "screen", "lay-cards", "survey", "board", "zone", "place")
    ),
    *("workshop/forget-cards", "no-hints", "teach"),
)
"""Every route that changes something and is asked by a page."""
PROGRAMS = ("v1/act",)
"""Those that a program's token opens; `test_web_programs` tries them."""


def test_every_changing_route_is_walked_here(room: Room) -> None:
    routes = {rule.rule for rule in room.app.url_map.iter_rules() if rule.methods & {"POST", "PUT", "DELETE"}}
    assert routes == {f"/api/{name}" for name in (*CHANGES, *PROGRAMS)}


@pytest.mark.slow
@pytest.mark.parametrize("name", CHANGES)
def test_a_change_needs_a_known_device(room: Room, name: str) -> None:
    host = room.host()
    host.client.delete_cookie("gloam", domain=HOST.split(":")[0])
    answer = host.post(f"/api/{name}")
    assert (answer.status_code, answer.json["code"]) == (403, "no-cookie")


@pytest.mark.slow
@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize(
    "origin", ["", "null", "http://evil.example", f"https://{HOST}", "http://192.168.7.5"]
)
def test_a_change_needs_our_own_origin(room: Room, name: str, origin: str) -> None:
    host = room.host()
    answer = host.send(f"/api/{name}", {}, {"Origin": origin, "X-Gloam-Token": host.token})
    assert (answer.status_code, answer.json["code"]) == (403, "wrong-origin")


@pytest.mark.slow
@pytest.mark.parametrize("name", CHANGES)
def test_a_change_needs_the_token_of_this_device(room: Room, name: str) -> None:
    host, guest = room.host(), room.guest("Ann")
    for token in ("", "x", guest.token):
        answer = host.send(f"/api/{name}", {}, {"Origin": ORIGIN, "X-Gloam-Token": token})
        assert (answer.status_code, answer.json["code"]) == (403, "wrong-token")


@pytest.mark.parametrize("media", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_what_a_form_can_send_changes_nothing(room: Room, media: str) -> None:
    host = room.host()
    answer = host.client.post(
        "/api/lock",
        base_url=ORIGIN,
        data=b'{"locked": true}',
        content_type=media,
        headers={"Origin": ORIGIN, "X-Gloam-Token": host.token},
        environ_base={"REMOTE_ADDR": host.address},
    )
    assert (answer.status_code, answer.json["code"]) == (415, "not-json")
    assert not room.people.is_locked


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(CHANGES) - {"setup", "host", "join", "restore", "box/photo"}))
def test_a_stranger_changes_nothing(room: Room, name: str) -> None:
    room.host()
    session = room.table.start("onirim", {"players": 2})
    before = (session.update(-2), room.people.holders(session.number), room.people.join_code)
    bodies = {
        "pin": {"pin": "1234"},
        "start": {"game": "onirim"},
        "resume": {"number": 1},
        "entitle": {"number": 1, "title": "x"},
        "delete": {"number": 1},
        "claim": {"seat": 0},
        "move-seat": {"seat": 0, "pin": "1234"},
        "move-answer": {"seat": 0, "agree": True},
        "lock": {"locked": True},
        "open-record": {"text": "gloam record 1"},
        "act": {"action": "play Rs", "version": 0, "seat": 0, "page": 0},
    }
    answer = room.visitor().post(f"/api/{name}", **bodies.get(name, {"seat": 0} if name in SEATED else {}))
    assert answer.status_code == 403
    assert (session.update(-2), room.people.holders(session.number), room.people.join_code) == before
    assert room.table.session is session


SEATED = ("stand-up", "bot", "kick", "offer")


@pytest.mark.slow
@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "93.184.216.34", "192.168.7.5.evil.example", ""]
)
def test_a_foreign_host_name_is_refused(room: Room, host: str) -> None:
    answer = room.app.test_client().get(
        "/", headers={"Host": host}, environ_base={"REMOTE_ADDR": "192.168.7.20"}
    )
    assert answer.status_code == 400


@pytest.mark.parametrize(
    "host", ["localhost:8000", "127.0.0.1", "10.0.0.7:8000", "[::1]:8000", "[fd00::7]:8000"]
)
def test_our_own_names_are_known(room: Room, host: str) -> None:
    answer = room.app.test_client().get(
        "/", headers={"Host": host}, environ_base={"REMOTE_ADDR": "192.168.7.20"}
    )
    assert answer.status_code == 200


def test_a_public_address_is_refused_with_the_reason(room: Room) -> None:
    answer = room.app.test_client().get(
        "/api/room?lang=en", base_url=ORIGIN, environ_base={"REMOTE_ADDR": "93.184.216.34"}
    )
    assert answer.status_code == 403
    assert answer.json["text"].startswith("Gloam answers only inside its own network.")


def test_another_network_can_be_allowed() -> None:
    assert AccessPolicy.of([], ["93.184.216.0/24"]).allows_address("93.184.216.34")
    assert not AccessPolicy.of([]).allows_address("93.184.216.34")
    assert AccessPolicy.of([]).allows_address("::ffff:192.168.1.4")


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", ["/", "/join", "/seat", "/workshop", "/api/room", "/static/js/main.js", "/nowhere"]
)
def test_every_answer_is_sealed(room: Room, path: str) -> None:
    headers = room.visitor().get(path).headers
    assert headers["Content-Security-Policy"].startswith("default-src 'self'")
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Frame-Options"] == "DENY"


def test_the_cookie_cannot_be_read_by_scripts(room: Room) -> None:
    answer = room.app.test_client().get("/", base_url=ORIGIN, environ_base={"REMOTE_ADDR": "192.168.7.20"})
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie


def test_guessing_is_slow_for_one_and_for_all() -> None:
    clock = [0.0]
    limits = RateLimiter(lambda: clock[0])
    assert [limits.allow("pin", "a") for _ in range(RateLimiter.PER_ADDRESS + 1)] == [
        True
    ] * RateLimiter.PER_ADDRESS + [False]
    allowed = sum(limits.allow("pin", f"other {i}") for i in range(2000))
    assert allowed < RateLimiter.IN_ALL
    clock[0] += 60
    assert limits.allow("pin", "a")


def test_refused_tries_cost_the_sender_alone() -> None:
    limits = RateLimiter(lambda: 0.0)
    for _ in range(1000):
        limits.allow("join", "192.168.7.66")
    assert limits.allow("join", "192.168.7.20")
    addresses = [f"fd00::{n:x}" for n in range(1, 200)]
    assert sum(limits.allow("join", one) for one in addresses) == RateLimiter.PER_ADDRESS, (
        "one network, one share"
    )


def test_many_addresses_take_no_memory_and_win_no_tries() -> None:
    limiter = RateLimiter(lambda: 0.0)
    allowed = sum(limiter.allow("join", f"10.0.{n // 250}.{n % 250}") for n in range(3000))
    assert allowed == RateLimiter.IN_ALL
    assert len(limiter._tries) <= RateLimiter.MAX_ADDRESSES + 2


def test_strangers_do_not_use_up_the_tries_of_players() -> None:
    limits = RateLimiter(lambda: 0.0)
    for n in range(500):
        limits.allow("claim", f"10.0.{n // 200}.{n % 200}")
    assert not limits.allow("claim", "10.9.9.9")
    assert limits.allow("claim", "10.9.9.9", is_known=True)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/join", {"name": "Eve", "code": "AAAAAA"}),
        ("/api/claim", {"seat": 0}),
        ("/api/move-seat", {"seat": 0, "pin": "0000"}),
        ("/api/host", {"pin": "0000"}),
    ],
)
def test_every_door_that_can_be_guessed_at_is_limited(room: Room, path: str, body: dict[str, object]) -> None:
    room.host()
    eve = room.visitor("192.168.7.66")
    codes = [eve.post(path, **body).status_code for _ in range(RateLimiter.PER_ADDRESS + 2)]
    assert codes == [403] * RateLimiter.PER_ADDRESS + [429] * 2


def test_secrets_are_compared_in_constant_time(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[bytes] = []
    real = hmac.compare_digest

    def spy(a: bytes, b: bytes) -> bool:
        compared.append(b if isinstance(b, bytes) else b.encode())
        return real(a, b)

    monkeypatch.setattr("hmac.compare_digest", spy)
    setup = room.people.codes.offer("setup", 60)
    host = room.visitor("192.168.7.10")
    host.post("/api/setup", code=setup.short, pin="4711")
    host.post("/api/host", pin="0000")
    room.visitor().post("/api/join", name="Eve", code="AAAAAA")
    assert {setup.short.encode(), room.people.join_code.encode(), host.token.encode()} <= set(compared)
    assert room.people._owner_pin.rpartition("$")[2].encode() in compared


@pytest.mark.parametrize("path", ["/", "/api/me", "/api/room", "/api/frame", "/api/invite", "/nowhere"])
def test_no_answer_is_kept_by_a_browser(room: Room, path: str) -> None:
    host = room.host()
    room.table.start("onirim", {})
    assert host.get(path).headers["Cache-Control"] == "no-store"


def test_the_setup_code_is_limited_single_and_ends_set_up(room: Room) -> None:
    code = room.people.codes.offer("setup", 60)
    visitor = room.visitor()
    tries = [visitor.post("/api/setup", code="WRONG").status_code for _ in range(9)]
    assert tries == [403] * 8 + [429]
    room.clock.now += 30
    assert visitor.post("/api/setup", code=code.short, pin="4711").status_code == 200
    assert visitor.post("/api/setup", code=code.short).status_code == 404
    assert room.visitor().post("/api/setup", code=code.long).status_code == 404


def test_there_is_no_owner_and_no_pin_until_somebody_sets_them(room: Room) -> None:
    visitor = room.visitor()
    for pin in ("0000", "1234", "12345678"):
        assert visitor.post("/api/host", pin=pin).json["code"] == "wrong-pin"
    assert visitor.post("/api/setup", code="").status_code == 403


@pytest.mark.slow
def test_pins_are_tried_only_so_often(room: Room) -> None:
    room.host().post("/api/pin", pin="4711")
    tried = 0
    for second in range(60):
        room.clock.now += 1
        thief = room.visitor(f"192.168.7.{100 + second % 40}")
        answer = thief.post("/api/host", pin=f"{second:04}")
        assert answer.status_code in (403, 429)
        tried += answer.status_code == 403
    assert tried <= 6, "at this pace all PINs of four digits take months, from however many addresses"
    owner = room.visitor("192.168.7.66")
    assert owner.post("/api/host", pin="4711").status_code == 429
    room.clock.now += 900
    assert owner.post("/api/host", pin="4711").status_code == 200


def test_too_much_is_refused(room: Room) -> None:
    guest = room.visitor()
    assert guest.post("/api/join", name="x" * 600_000, code="").status_code == 413
    assert guest.post("/api/join", name="Ann", code=room.people.join_code, extra=1).status_code == 400


def test_nothing_secret_stands_in_the_file_of_people(room: Room, tmp_path) -> None:
    host = room.host()
    host.post("/api/pin", pin="87654321")
    cookie = host.client.get_cookie("gloam", domain=HOST.split(":")[0]).value
    kept = (tmp_path / "people.json").read_text()
    assert "87654321" not in kept and cookie not in kept and host.token not in kept
    assert (tmp_path / "people.json").stat().st_mode & 0o077 == 0
