"""Whoever must answer is asked on a page that can act: over whole random games of every kind."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from web_tools import Room, Visitor

from companion.engine.action import PUBLIC, TABLE, Seat
from companion.engine.chance import weighted
from companion.games import REGISTRY, load
from companion.table.session import Session
from companion.table.table import Table
from web import frames

SAMPLES = [(key, name) for key in REGISTRY for name in load(key).samples]
ACTIONS = 120


def positions(session: Session, rng: Random, most: int = ACTIONS) -> Iterator[Seat]:
    """Plays at random; before each decision gives a seat that must take it."""
    for _ in range(most):
        state = session.state()
        needs = [need for need in state.needs() if set(need.verbs) - session.game.notes]
        if not needs:
            return
        need = rng.choice(needs)
        if state.is_chance():
            session.submit(TABLE, state.notation.text(weighted(state.outcomes(), rng)))
            continue
        yield need.seat
        wanted = [action for action in state.actions(need.seat) if action.verb != "concede"]
        session.submit(need.seat, state.notation.text(rng.choice(wanted or state.actions(need.seat))))


def asked(table: Table, session: Session, viewer: int) -> set[str]:
    """What a viewer's page offers, as notation of the seats that it plays."""
    offered = frames.moves(table, session, viewer, "en")
    return {f"{one['seat']} {text}" for one in offered for text, _ in one["actions"]}


def all_of(session: Session, seat: Seat) -> set[str]:
    return {f"{seat} {text}" for text in session.actions(seat)}


@pytest.mark.parametrize(("key", "sample"), SAMPLES)
def test_without_phones_the_table_screen_asks_or_is_handed_over(key: str, sample: str, room: Room) -> None:
    """The table screen plays a seat that has no secrets, and takes one that has: then its page asks."""
    seed = 31
    print(f"seed {seed}")
    host = room.host()
    host.post("/api/join", name="Table")
    session = room.table.start(key, load(key).samples[sample], seed=seed)
    held: dict[Seat, Visitor] = {}
    phone = room.guest("Killer")
    for seat in positions(session, Random(f"{seed} {key} {sample}")):
        if seat in room.table.open_seats(session):
            assert all_of(session, seat) <= asked(room.table, session, PUBLIC)
            continue
        if seat not in held:
            is_secret = room.table.is_secret(session, seat)
            held[seat] = phone if is_secret else host
            room.clock.now += 60
            code = room.table.offer(seat).long if is_secret else ""
            assert held[seat].post("/api/claim", seat=seat, code=code).status_code == 200
        assert all_of(session, seat) <= asked(room.table, session, seat)


@pytest.mark.parametrize(("key", "sample"), SAMPLES)
def test_on_its_own_phone_every_seat_is_asked(key: str, sample: str, room: Room) -> None:
    seed = 32
    print(f"seed {seed}")
    session = room.table.start(key, load(key).samples[sample], seed=seed)
    for seat in positions(session, Random(f"{seed} {key} {sample}")):
        assert all_of(session, seat) <= asked(room.table, session, seat)


@pytest.mark.parametrize("players", [2, 4])
def test_what_is_decided_under_cover_is_decided_to_the_end_on_one_screen(players: int, room: Room) -> None:
    """A dragon laid onto a skeleton asks where it flees to, before the others see any of it."""
    seed = 7
    print(f"seed {seed}")
    rng, host, questions = Random(seed), room.host(), 0
    session = room.table.start("bad_bones", {"players": players}, seed=seed)
    for _ in range(150):
        frame = host.get("/api/frame").json
        if frame["view"]["outcome"] is not None:
            break
        one = rng.choice(frame["moves"])
        text = rng.choice(one["actions"])[0]
        questions += text.split()[0] in ("scatter", "send")
        answer = host.post("/api/act", action=text, version=frame["version"], seat=one["seat"], page=PUBLIC)
        assert answer.status_code == 200, text
    assert questions
    assert session.update(PUBLIC).view["outcome"] is not None or len(session.lines()) > 100
