"""Nothing hidden leaves a seat: two games that differ only in what a viewer may not know look the same to it.

Compared is every byte that the viewer's pages can ask for and that the stream sends, in all samples.
"""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest
from web_tools import ORIGIN, Room, Visitor

from companion.engine.action import PUBLIC, TABLE
from companion.engine.chance import AtTable, weighted
from companion.engine.cue import TimedCue
from companion.engine.game import Game, View
from companion.games import REGISTRY, load
from companion.table.play import walk
from companion.table.prompt import Prompt
from companion.table.record import write_record
from companion.table.session import Session, Update
from companion.table.table import Table
from web import frames, shelf
from web.frame_cache import FrameCache, to_json
from web.frames import frame
from web.stream import Stream, Streams
from web.text import TEXTS

care = import_module("web.routes.care")
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
def test_frames_that_pages_share_are_never_shared_between_viewers(key: str, room: Room) -> None:
    """Pages of all viewers and languages ask one cache in any order; each gets what it would get alone."""
    seed = 11
    print(f"seed {seed}")
    rng = Random(seed)
    session = room.table.start(key, {"players": 2}, seed=seed)
    shared = FrameCache()
    for _ in range(30):
        asked = [(viewer, language) for viewer in session.viewers for language in ("en", "ru")] * 2
        rng.shuffle(asked)
        for viewer, language in asked:
            view = session.update(viewer).view
            told = shared.frame(room.table, session, viewer, language, view)
            assert json.loads(told.text) == json.loads(to_json(frame(room.table, session, viewer, language)))
            events = tuple(session.history(viewer)[-3:])
            cues = tuple(TimedCue(session.game.cue(event), 0.0, 1.0) for event in events)
            update = Update(0, view, events, cues)
            alone = FrameCache().log(room.table, session, viewer, language, update)
            assert shared.log(room.table, session, viewer, language, update) == alone
        play_on(session, rng, 1)


def test_a_shared_frame_is_made_once_and_again_when_anything_behind_it_changes(room: Room) -> None:
    session = room.table.start("onirim", {"players": 2}, seed=3)
    shared = FrameCache()

    def ask() -> str:
        return shared.frame(room.table, session, 0, "en", session.update(0).view).text

    first = ask()
    assert ask() is first
    room.table.say(Prompt("wrong", (1,)))
    asking = ask()
    assert asking != first and ask() is asking
    room.people.call("phone", "Ann")
    room.table.claim("phone", 1)
    assert ask() is not asking
    put(session, session.game, session.state())
    assert ask() is not asking
    session.submit(0, session.actions(0)[0])
    assert json.loads(ask())["version"] == session.update(0).version


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


# The host who plays ------------------------------------------------------------------------------


CARDBOARD = [
    ("onirim", "silent", {"deck": "physical"}),
    ("whisper", "crossroads", {"deck": "mixed"}),
    ("whisper", "duel", {"deck": "physical"}),
    ("dark_cave", "five", {"deck": "physical"}),
    ("bad_bones", "advanced", {"deck": "physical"}),
]
"""Games with secrets in which real cards are drawn at the table."""


@pytest.mark.parametrize(("key", "sample", "deck"), CARDBOARD)
def test_what_may_be_drawn_of_real_cards_tells_no_hand(
    key: str, sample: str, deck: dict[str, str], room: Room
) -> None:
    seed = 11
    print(f"seed {seed}")
    game, rng = load(key), Random(seed)
    options = game.resolve({**game.samples[sample], **deck})
    session = Session.start(room.journal, game, options, AtTable())
    room.table._put(session)
    for seat in range(len(session.seats)):
        room.people.sit(session.number, seat, f"device-{seat}")
    walked = [step.state.copy() for step in walk(game, options, rng)]
    by_table = game.at_table(options)
    draws = [s for s in walked if s.is_chance() and any(a.verb in by_table for a, _ in s.outcomes())]
    compared = 0
    for state in rng.sample(draws, min(12, len(draws))):
        for viewer in session.viewers:
            told = []
            for one in (state, game.disguise(state, viewer, rng)):
                put(session, game, one)
                told.append(frames.frame(room.table, session, viewer, "en"))
            assert told[0] == told[1], f"viewer {viewer}"
            compared += bool(told[0]["moves"])
    assert compared, "nothing was ever offered"


def test_a_backup_of_an_unfinished_game_is_told_on_every_screen_until_it_is_over(room: Room) -> None:
    """Clear, backup, resume: whoever did that has read every secret, and everybody sees that."""
    host, ann = room.host(), room.guest("Ann")
    session = room.table.start("onirim", {"players": 2}, seed=1)
    ann.post("/api/claim", seat=0)
    assert host.get("/api/frame").json["standing"] == []
    host.post("/api/clear")
    assert host.get("/api/backup").status_code == 200
    host.post("/api/resume", number=session.number)
    for _ in range(2):
        for path in ("/api/frame", "/api/frame?seat=0"):
            (said,) = (ann if "seat" in path else host).get(path).json["standing"]
            assert "backup" in said
        host.post("/api/clear")
        host.post("/api/resume", number=session.number)
    session = room.table.playing()
    while not session.update(PUBLIC).view["outcome"]:
        seat = session.state().needs()[0].seat
        session.submit(seat, "concede" if "concede" in session.actions(seat) else session.actions(seat)[0])
    assert host.get("/api/frame").json["standing"] == []


def test_a_game_that_begins_while_a_backup_is_made_says_so(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host asks for a backup of an empty table, and has dealt before it is written."""
    host, write = room.host(), care.write_backup

    def write_later(*given: Any) -> None:
        room.table.start("dark_cave", {"players": 3})
        write(*given)

    monkeypatch.setattr(care, "write_backup", write_later)
    assert host.get("/api/backup").status_code == 200
    assert host.get("/api/frame?lang=en").json["standing"] == [TEXTS.say("standing.backup", "en")]


def test_a_restored_game_says_so(room: Room) -> None:
    host = room.host()
    session = room.table.start("onirim", {"players": 2}, seed=1)
    host.post("/api/clear")
    kept = host.get("/api/backup").data
    kind = "application/zip"
    answer = host.client.post(
        "/api/restore",
        base_url=ORIGIN,
        data=kept,
        content_type=kind,
        headers={"Origin": ORIGIN, "X-Gloam-Token": host.token},
    )
    assert answer.status_code == 200
    host.post("/api/resume", number=session.number)
    assert len(host.get("/api/frame").json["standing"]) == 2


def test_a_game_from_a_record_says_so(room: Room) -> None:
    """Whoever brings it knows every hand that was dealt: it may have been written by hand."""
    host = room.host()
    session = room.table.start("dark_cave", {"players": 3})
    text = write_record(session.game, session.options, session.lines(), None)
    assert host.post("/api/open-record", text=text).status_code == 200
    expected = [TEXTS.say("standing.record", "en")]
    for _ in range(2):
        assert room.visitor().get("/api/frame?lang=en").json["standing"] == expected
        room.table.resume(room.table.playing().number)


@pytest.mark.parametrize(
    ("way", "path", "body"),
    [
        ("kicked", "kick", {"seat": 0}),
        ("bot", "programs", {"kind": "bot", "name": "Ann", "seat": 1}),
        ("left", "stand-up", {"seat": 2}),
        ("left", "bot", {"seat": 2}),
    ],
)
def test_who_looks_through_another_seat_is_told_on_every_screen(
    room: Room, way: str, path: str, body: dict[str, object]
) -> None:
    """Freed by the host, taken by a program, or left again: as when a bot's seat is taken only to look."""
    host, ann = room.host(), room.guest("Ann")
    session = room.table.start("dark_cave", {"players": 3})
    assert ann.post("/api/claim", seat=0).status_code == 200
    host.post("/api/join", name="Hal")
    assert host.post("/api/bot", seat=2).status_code == 200
    assert host.post("/api/claim", seat=2).status_code == 200
    assert room.visitor().get("/api/frame").json["standing"] == [], "who sits there is seen by all"
    assert host.post(f"/api/{path}", **body).status_code == 200
    for _ in range(20):  # however much else happens around the table
        host.post("/api/lock", locked=True)
    room.table.resume(session.number)
    expected = [TEXTS.say(f"standing.{way}", "en")]
    assert room.visitor().get("/api/frame?lang=en").json["standing"] == expected


@pytest.mark.parametrize("name", ["Ann", "Bob"])
def test_a_seat_that_moves_to_another_person_is_told_on_every_screen(room: Room, name: str) -> None:
    """Ann has looked at a hand and hands it on by its PIN; to a phone of her own it only moves."""
    ann, other = room.guest("Ann"), room.guest(name)
    room.table.start("dark_cave", {"players": 3})
    assert ann.post("/api/claim", seat=1, pin="1234").status_code == 200
    assert other.post("/api/move-seat", seat=1, pin="1234").status_code == 200
    expected = [] if name == "Ann" else [TEXTS.say("standing.left", "en")]
    assert room.visitor().get("/api/frame?lang=en").json["standing"] == expected


def test_making_room_in_a_game_without_secrets_is_no_matter(room: Room) -> None:
    host, ann = room.host(), room.guest("Ann")
    room.table.start("night_cage", {"players": 2})
    ann.post("/api/claim", seat=0)
    host.post("/api/kick", seat=0)
    assert host.get("/api/frame").json["standing"] == []


def test_a_forced_undo_is_told_on_every_screen(room: Room) -> None:
    host, ann = room.host(), room.guest("Ann")
    session = room.table.start("onirim", {"players": 2}, seed=1)
    ann.post("/api/claim", seat=0)
    play_on(session, Random(1), 6)
    assert host.post("/api/undo").json["code"] == "undo-reveals"
    assert host.post("/api/undo", force=True).status_code == 200
    for visitor, path in ((host, "/api/frame"), (ann, "/api/frame?seat=0")):
        assert len(visitor.get(path).json["standing"]) == 1


# Twins that differ in the journal ------------------------------------------------------------------


def twins(tmp_path: Path, seed: int) -> list[tuple[Room, Visitor, Visitor]]:
    """Two tables with the same game of Whisper: room, host, and the killer's phone."""
    made = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        room = Room(tmp_path / name)
        host, killer = room.host(), room.guest("Kim")
        session = room.table.start("whisper", {"notes": True, "killer": "maniac"}, seed=seed)
        killer.post("/api/claim", seat=0, code=room.table.offer(0).long)
        play_to_the_survivors(session, Random(seed), 10 + 15 * seed)
        session.submit(0, next(text for text in session.actions(0) if text.startswith("note")))
        made.append((room, host, killer))
    return made


def play_to_the_survivors(session: Session, rng: Random, actions: int) -> None:
    """Takes a number of random actions but no notes, and goes on until a survivor may act in secret."""
    for i in range(actions + 500):
        may = session.actions(1)
        if session.state().outcome() is not None or (i >= actions and any(t.startswith("wake") for t in may)):
            return
        seats = [need.seat for need in session.state().needs()]
        offered = [(seat, text) for seat in seats for text in session.actions(seat)]
        session.submit(*rng.choice([one for one in offered if not one[1].startswith(("note", "guess"))]))


def hide(session: Session, rng: Random, most: int = 3) -> int:
    """Lets the survivors act in ways that the killer and the table screen do not notice."""
    done = 0
    for text in session.actions(1) * 3:
        before = [session.update(viewer) for viewer in (0, PUBLIC)]
        trial = session.state()
        action = trial.notation.parse(text)
        if done == most or trial.refusal(1, action) is not None or trial.notation.verbs[action.verb].reveals:
            continue
        events = trial.apply(1, action)
        seen = [session.game.view(trial, viewer) for viewer in (0, PUBLIC)]
        is_heard = any(event.is_for(0) or event.is_for(PUBLIC) for event in events)
        if trial.is_chance() or is_heard or seen != [one.view for one in before]:
            continue
        session.submit(1, text)
        done += 1
    return done


def side_doors(room: Room, host: Visitor, killer: Visitor) -> list[tuple[str, int, bytes]]:
    """What numbers, versions, refusals and undo tell the killer, also where the host plays that seat."""
    told = []

    def ask(what: str, answer) -> None:
        told.append((what, answer.status_code, answer.data))

    session = room.table.playing()
    note = next(text for text in session.actions(0) if text.startswith("note"))
    for visitor, who in ((killer, "killer"), (host, "host")):
        for path in ("/api/room", "/api/saved", "/api/story", "/api/record", "/api/backup", "/api/log"):
            ask(f"{who} {path}", visitor.get(path))
    ask("frame", killer.get("/api/frame?seat=0"))
    ask("log", killer.get("/api/log?seat=0"))
    ask("public frame", host.get("/api/frame"))
    ask("unplug", host.post("/api/unplug"))
    ask("undo", killer.post("/api/undo", seat=0))
    ask("host's undo", host.post("/api/undo"))
    ask("refusal", killer.act(0, "go kitchen", page=0))
    ask("note", killer.act(0, note, page=0))
    ask("undo after a note", killer.post("/api/undo", seat=0))
    ask("host's undo after a note", host.post("/api/undo"))
    ask("frame after", killer.get("/api/frame?seat=0"))
    ask("public frame after", host.get("/api/frame"))
    return told


def differences(tmp_path: Path, seed: int) -> tuple[int, list[str]]:
    """How much was hidden in one twin, and which side doors tell it."""
    (one, host, killer), (two, other_host, other_killer) = twins(tmp_path, seed)
    hidden = hide(two.table.playing(), Random(seed))
    told = side_doors(one, host, killer), side_doors(two, other_host, other_killer)
    one.close(), two.close()
    return hidden, [what for (what, *a), (_, *b) in zip(*told, strict=True) if timeless(a) != timeless(b)]


def timeless(answer: list) -> list:
    """An answer without the times of day in it."""
    return [answer[0], re.sub(rb"\d{4}-\d\d-\d\dT[0-9:+.]*", b"", answer[1])]


SEEDS = range(4)


def test_no_side_door_counts_what_was_done_in_secret(tmp_path: Path) -> None:
    hidden = 0
    for seed in SEEDS:
        (tmp_path / str(seed)).mkdir()
        found, told = differences(tmp_path / str(seed), seed)
        assert told == [], f"seed {seed}"
        hidden += found
    assert hidden >= 4, "too little was hidden to prove anything"


def own_last(session: Session, viewer: int, keep: int) -> bool:
    """The rule of undo that told: whoever did the last thing may take it back."""
    return session._done[-1].seat == viewer


def all_open(session: Session, viewer: int, keep: int) -> bool:
    """The rule of the table screen that told: whatever reveals nothing may be taken back."""
    return viewer == PUBLIC and not session._reveals(session._done[keep])


def counted(session: Session, viewer: int) -> Update:
    """A version that counts every action."""
    return Update(len(session._done), session._views[viewer], ())


def counted_games(table: Table, language: str) -> list[int]:
    """The stored games with their lines."""
    return [stored.lines for stored in table.journal.games()]


def counted_lines(session: Session, view: View, language: str) -> list[str]:
    """A notice that counts the journal."""
    return [str(session.snapshot().number)]


@pytest.mark.parametrize(
    ("door", "where", "name", "leak"),
    [
        ("undo", Session, "_may_take_back", own_last),
        ("host's undo", Session, "_may_take_back", all_open),
        ("frame", Session, "update", counted),
        ("host /api/saved", shelf, "saved", counted_games),
        ("public frame", frames, "standing", counted_lines),
    ],
)
def test_a_side_door_that_counts_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, door: str, where: object, name: str, leak: object
) -> None:
    monkeypatch.setattr(where, name, leak)
    found: set[str] = set()
    for seed in SEEDS:
        (tmp_path / str(seed)).mkdir()
        found.update(differences(tmp_path / str(seed), seed)[1])
    assert door in found
