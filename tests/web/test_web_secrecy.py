"""Nothing hidden leaves a seat: two games that differ only in what a viewer may not know look the same to it.

Compared is every byte that the viewer's pages can ask for and that the stream sends, in all samples.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from web_tools import Room, Visitor

from companion.action import PUBLIC, TABLE
from companion.chance import weighted
from companion.game import Game
from companion.games import REGISTRY, load
from companion.session import Session
from web.stream import Stream, Streams

SAMPLES = [(key, name) for key in REGISTRY for name in load(key).samples]


def play_on(session: Session, rng: Random, actions: int) -> None:
    """Takes random actions; chance that real cards would decide is decided here."""
    for _ in range(actions):
        state = session.state()
        needs = state.needs()
        if not needs:
            return
        need = rng.choice(needs)
        if any(need.seat == TABLE for need in needs):
            seat, action = TABLE, weighted(state.outcomes(), rng)
        else:
            wanted = [action for action in state.actions(need.seat) if action.verb != "concede"]
            seat, action = need.seat, rng.choice(wanted or state.actions(need.seat))
        session.submit(seat, state.notation.text(action))


def put(session: Session, game: Game, state) -> None:
    """Makes another state the truth of a session."""
    session._state = state
    session._views = {viewer: game.view(state, viewer) for viewer in session.viewers}


def heard(room: Room, visitor: Visitor, viewer: int) -> dict[str, bytes]:
    """All that the viewer's pages can get."""
    seat = "public" if viewer == PUBLIC else viewer
    session = room.table.session
    paths = ["/", "/join", "/seat", "/api/room", "/api/game", "/api/texts", "/api/games"]
    paths += [f"/api/{name}?seat={seat}" for name in ("frame", "log")]
    paths += ["/api/story", "/api/story/3?as=0", "/api/record", "/api/saved", "/api/invite"]
    cells = range(0, len(session.game.board(session.options).places), 17)
    paths += [f"/api/why?seat={seat}&cell={cell}" for cell in cells]
    frame = visitor.get(f"/api/frame?seat={seat}").json
    texts = [text for one in frame["moves"] if one["seat"] == viewer for text, _ in one["actions"]]
    paths += [f"/api/preview?seat={seat}&action={text}" for text in texts[::9]]
    for other in range(len(session.seats)):
        if other != viewer:
            paths += [f"/api/frame?seat={other}", f"/api/log?seat={other}"]
    return {path: visitor.get(path).data for path in paths}


def streamed(room: Room, viewer: int, device: str) -> list[str]:
    """What the stream sends first: the room and the position."""
    told = iter(Stream(room.table, Streams(4), device, "page", viewer, "en"))
    return [next(told) for _ in range(3)]


@pytest.mark.slow
@pytest.mark.parametrize(("key", "sample"), SAMPLES)
def test_no_byte_depends_on_what_a_viewer_may_not_know(key: str, sample: str, tmp_path: Path) -> None:
    seed = 20261116
    print(f"seed {seed}")
    rng = Random(f"{seed} {key} {sample}")
    room = Room(tmp_path)
    host = room.host()
    game = load(key)
    session = room.table.start(key, game.samples[sample], seed=rng.getrandbits(32))
    guests = {}
    for seat in range(len(session.seats)):
        guests[seat] = room.guest(f"G{seat}")
        code = room.table.offer(seat).long if room.table.is_secret(session, seat) else ""
        assert guests[seat].post("/api/claim", seat=seat, code=code).status_code == 200
        room.clock.now += 60
    compared = 0
    for most in (4, 24, 48):
        play_on(session, rng, rng.randrange(1, most))
        truth = session.state()
        if truth.outcome() is not None:
            break
        for viewer in session.viewers:
            visitor = host if viewer == PUBLIC else guests[viewer]
            device = room.people.holders(session.number)[viewer].device if viewer != PUBLIC else "nobody"
            asked, pushed = heard(room, visitor, viewer), streamed(room, viewer, device)
            put(session, game, game.disguise(truth, viewer, rng))
            again = heard(room, visitor, viewer)
            assert [path for path in asked if again.get(path) != asked[path]] == []
            assert streamed(room, viewer, device) == pushed
            put(session, game, truth.copy())
            compared += 1
    assert compared
    room.close()


@pytest.mark.parametrize("key", [key for key in ("whisper", "dark_cave", "onirim") if key in REGISTRY])
def test_a_hidden_action_sends_nothing_to_those_who_may_not_know(key: str, room: Room) -> None:
    """Counts pushes: a viewer's version and stream move only when its view or its events do."""
    seed = 7
    print(f"seed {seed}")
    rng = Random(seed)
    options = {"players": 2}
    session = room.table.start(key, options, seed=seed)
    silent = 0
    for _ in range(120):
        before = {viewer: session.update(viewer) for viewer in session.viewers}
        boxes = {viewer: session.subscribe(viewer) for viewer in session.viewers}
        for box in boxes.values():
            box.get(0)
        play_on(session, rng, 1)
        for viewer, box in boxes.items():
            after, told = session.update(viewer), box.get(0)
            changed = after.view != before[viewer].view or bool(told and told.events)
            assert (after.version != before[viewer].version) == changed == (told is not None)
            silent += not changed
            session.unsubscribe(box)
        if session.state().outcome() is not None:
            break
    assert silent or key != "whisper"


def test_the_log_lines_of_the_server_hold_no_secret(room: Room, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    host = room.host()
    host.post("/api/pin", pin="97531864")
    code = room.people.join_code
    host.post("/api/start", game="onirim", options={"players": "2"})
    ann = room.guest("Ann")
    ann.post("/api/claim", seat=0, pin="86420975")
    hand = ann.get("/api/frame?seat=0").json["view"]["hands"][0]["cards"]
    text = caplog.text
    for secret in ("97531864", "86420975", code, ann.token, host.token, *(f'"{card}"' for card in hand)):
        assert secret not in text


def test_an_action_that_would_end_the_game_is_not_previewed(room: Room) -> None:
    """The end opens every hand, so its preview would too."""
    seed = 5
    print(f"seed {seed}")
    rng = Random(seed)
    for _ in range(40):
        session = room.table.start("onirim", {"players": 2}, seed=rng.getrandbits(32))
        while session.state().outcome() is None:
            for seat in range(2):
                if "concede" in session.actions(seat):
                    assert session.preview(seat, "concede") is None
                    return
            play_on(session, rng, 1)
    raise AssertionError("nobody could give up in any game")


def test_a_card_that_one_player_draws_is_told_by_that_player_or_the_host(room: Room) -> None:
    host, ann, ben = room.host(), room.guest("Ann"), room.guest("Ben")
    session = room.table.start("onirim", {"players": 2, "deck": "physical"}, seed=1)
    for visitor, seat in ((ann, 0), (ben, 1)):
        visitor.post("/api/claim", seat=seat)
        room.clock.now += 60
    drawn = {0: 0, 1: 0}
    for _ in range(400):
        state = session.state()
        if min(drawn.values()) >= 2 or not state.needs():
            break
        if not any(need.seat == TABLE for need in state.needs()):
            seat = state.needs()[0].seat
            session.submit(seat, session.actions(seat)[0])
            continue
        card = state.notation.text(state.outcomes()[0][0])
        told = {
            seat: any(one["seat"] == TABLE for one in visitor.get(f"/api/frame?seat={seat}").json["moves"])
            for visitor, seat in ((ann, 0), (ben, 1))
        }
        if sum(told.values()) == 1:
            owner = next(seat for seat, may in told.items() if may)
            other = ben if owner == 0 else ann
            answer = other.post(
                "/api/act",
                action=card,
                version=session.update(1 - owner).version,
                seat=TABLE,
                page=1 - owner,
            )
            assert answer.status_code == 403
            teller, page = ((ann, ben)[owner], owner) if drawn[owner] % 2 == 0 else (host, PUBLIC)
            drawn[owner] += 1
            body = {"action": card, "version": session.update(page).version, "seat": TABLE, "page": page}
            assert teller.post("/api/act", **body).status_code == 200
        else:
            session.submit(TABLE, card)
    assert min(drawn.values()) >= 2
