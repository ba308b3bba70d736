"""Bots on seats: the host lets them play, people hand over to them and take their seats back."""

from __future__ import annotations

from random import Random

import pytest
from web_tools import Room

from companion.engine.action import TABLE
from companion.service.rig_service import RigService
from companion.settings.config import Config
from companion.table.bot_players import BEAT_S, BotPlayers
from companion.table.people import bot_strength
from hardware.wiring import SCHEMA


@pytest.fixture
def room(tmp_path):
    room = Room(tmp_path)
    yield room
    room.close()


def play_until(room, bots, is_so, limit=3000):
    """Lets the bots act until something is so."""
    for _ in range(limit):
        if is_so():
            return
        if not bots.step():
            return
    raise AssertionError("the bots go on for ever")


def is_over(room):
    return not room.table.session.state().needs()


@pytest.mark.parametrize(
    ("game", "options"), [("onirim", {"players": 2}), ("whisper", {}), ("dark_cave", {"players": 4})]
)
def test_bots_on_every_seat_play_a_game_to_its_end(room, game, options):
    host = room.host()
    session = room.table.start(game, options)
    for seat in range(len(session.seats)):
        assert host.post("/api/bot", seat=seat).status_code == 200
    play_until(room, BotPlayers(room.table, Random(5)), lambda: is_over(room))
    assert session.state().outcome() is not None


def test_a_bot_waits_for_the_person_beside_it(room):
    host = room.host()
    session = room.table.start("onirim", {"players": 2})
    host.post("/api/join", name="Anna")
    assert host.post("/api/claim", seat=0).status_code == 200
    assert host.post("/api/bot", seat=1).status_code == 200
    play_until(room, BotPlayers(room.table, Random(5)), lambda: False)
    assert {need.seat for need in session.state().needs()} <= {0, TABLE}


def test_a_person_hands_over_in_mid_game_and_takes_the_seat_back(room):
    room.host()
    anna = room.guest("Anna")
    session = room.table.start("onirim", {"players": 1})
    assert anna.post("/api/claim", seat=0).status_code == 200
    assert anna.post("/api/bot", seat=0, strength="beginner").status_code == 200
    before = len(session.lines())
    assert BotPlayers(room.table, Random(5)).step()
    assert len(session.lines()) > before
    assert anna.post("/api/claim", seat=0).status_code == 200
    assert anna.get("/api/me").json["seats"] == [0]
    assert not BotPlayers(room.table, Random(5)).step()


def test_a_strong_bot_thinks_and_sits_only_where_nobody_has_a_secret(room):
    host = room.host()
    session = room.table.start("onirim", {"players": 1}, seed=4)
    assert host.post("/api/bot", seat=0, strength="strong").status_code == 200
    bots = BotPlayers(room.table, Random(5))
    bots.stop()  # it is hurried: what is best so far is good enough here
    assert bots.step()
    assert len(session.lines()) > 0
    room.table.clear()
    room.table.start("whisper", {})
    assert host.post("/api/bot", seat=1, strength="strong").json["code"] == "no-strong-bot"


def test_only_the_host_gives_free_seats_to_bots_and_never_a_person_s(room):
    host, anna = room.host(), room.guest("Anna")
    room.table.start("onirim", {"players": 2})
    assert anna.post("/api/bot", seat=1).json["code"] == "not-host"
    anna.post("/api/claim", seat=0)
    assert host.post("/api/bot", seat=0).json["code"] == "seat-taken"
    assert host.post("/api/bot", seat=9).status_code in (400, 403, 404)


def test_the_killer_s_seat_is_taken_back_from_a_bot_with_its_code_alone(room):
    host, anna = room.host(), room.guest("Anna")
    session = room.table.start("whisper", {})
    killer = session.seats.index("killer")
    assert host.post("/api/bot", seat=killer).status_code == 200
    assert anna.post("/api/claim", seat=killer).status_code == 403
    code = host.post("/api/offer", seat=killer).json["short"]
    assert anna.post("/api/claim", seat=killer, code=code, pin="482913").status_code == 200


def test_a_bot_is_shown_as_one_and_keeps_its_seat_over_a_restart(room, tmp_path):
    host = room.host()
    number = room.table.start("onirim", {"players": 2}).number
    host.post("/api/bot", seat=1)
    assert [seat["bot"] for seat in host.get("/api/room").json["seats"]] == [False, True]
    room.close()
    again = Room(tmp_path)
    assert bot_strength(again.people.holders(number)[1].device) == "good"
    again.close()


def test_a_bot_makes_no_notes_while_others_move(room):
    host = room.host()
    session = room.table.start("whisper", {})
    host.post("/api/bot", seat=session.seats.index("killer"))
    play_until(room, BotPlayers(room.table, Random(5)), lambda: False, limit=40)
    assert not any(line.split(" ")[0] in session.game.notes for _, line in session.lines())


class Beats:
    """A clock that only waiting moves, and thinking by a random time below a beat."""

    def __init__(self, rng):
        self.now, self.rng = 0.0, rng

    def __call__(self):
        return self.now

    def wait(self, stopped, seconds):
        self.now += seconds
        return stopped.is_set()


def test_what_others_notice_of_a_bot_falls_on_a_beat_whatever_it_did_in_secret(room):
    host = room.host()
    session = room.table.start("whisper", {"killer": "maniac"}, seed=3)
    for seat in range(len(session.seats)):
        assert host.post("/api/bot", seat=seat, strength="beginner").status_code == 200
    clock = Beats(Random(4))
    bots = BotPlayers(room.table, Random(5), clock.wait, clock)
    hidden, since = 0, None
    for _ in range(400):
        if is_over(room):
            break
        before, done = versions(session), len(session.lines())
        clock.now += clock.rng.random() * BEAT_S / 50  # thinking
        bots.run_once()
        after, lines = versions(session), session.lines()[done:]
        if all(after[one] == before[one] for one in after if one != lines[0][0]):
            hidden += 1
            continue
        assert abs(clock.now / BEAT_S - round(clock.now / BEAT_S)) < 1e-9
        assert since is None or abs(clock.now - since - BEAT_S) < 1e-9, "each move on the next beat"
        since = clock.now
    assert hidden > 5, "the bots did hardly anything in secret"


def versions(session):
    return {viewer: session.update(viewer).version for viewer in session.viewers}


def test_a_bot_that_fails_is_said_and_nothing_of_what_it_knows(room, tmp_path, monkeypatch, caplog):
    caplog.set_level("DEBUG")
    host = room.host()
    room.table.start("onirim", {"players": 2})
    host.post("/api/bot", seat=0)
    config = Config({name: kind() for name, kind in SCHEMA.items()})
    service = RigService(room.table, config, tmp_path)
    monkeypatch.setattr("companion.table.bot_players.turn_for", failing_turn)
    monkeypatch.setattr(service._stopped, "wait", lambda seconds: service._stopped.set())
    service._run(service.bots)
    (words,) = service.failures()
    assert words.startswith("bots: BotFailed: KeyError in ")
    assert "Rs" not in words + caplog.text
    service.close()


def test_the_table_has_a_thread_that_plays_for_bots(room, tmp_path, monkeypatch):
    monkeypatch.setattr("companion.table.bot_players.BEAT_S", 0.01)
    host = room.host()
    session = room.table.start("onirim", {"players": 1})
    host.post("/api/bot", seat=0)
    follower = session.subscribe(0)
    follower.get(0)
    config = Config({name: kind() for name, kind in SCHEMA.items()})
    service = RigService(room.table, config, tmp_path).start()
    try:
        assert follower.get(30) is not None
    finally:
        service.close()


def failing_turn(game, state, seat, rng):
    raise KeyError("the hand is Rs")


def test_a_bot_s_move_that_comes_too_late_is_not_told_in_the_log(room, caplog):
    caplog.set_level("DEBUG")
    host = room.host()
    session = room.table.start("onirim", {"players": 2})
    host.post("/api/bot", seat=0)
    bots = BotPlayers(room.table, Random(5), lambda stopped, seconds: session.submit(0, first), lambda: 0.0)
    first = session.actions(0)[0]
    bots.run_once()
    assert "too late: StaleVersion" in caplog.text
    assert len([line for line in session.lines() if line[0] == 0]) == 1
