"""Twins: two tables that differ only in what one viewer may not know, in the position and in the journal.

A twin is made of a late position of a random game in up to three ways: hidden actions more (`longer`),
another hidden action or draw somewhere before (`changed`), or everything hidden dealt anew (`dealt`). What a
viewer gets of a table is sorted by channel; between twins not a byte of any channel may differ.
"""

from __future__ import annotations

import io
import json
import logging
import re
import shutil
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, NamedTuple

import numpy as np
from web_tools import HOST, PHONE, Room, Visitor
from werkzeug.test import TestResponse

from companion.engine.action import PUBLIC, TABLE, Viewer
from companion.engine.chance import AtTable
from companion.engine.game import Game
from companion.engine.options import Options
from companion.engine.state import Event, State
from companion.games import load
from companion.service import doctor
from companion.service.mqtt import MqttBridge, MqttState
from companion.service.rig_service import RigService
from companion.settings.config import Config, MqttSettings
from companion.table.journal import UNDO, Journal, Line
from companion.table.people import bot_device
from companion.table.play import walk
from companion.table.session import Session
from hardware.fakes import FakeClock
from hardware.wiring import SCHEMA, LightSettings
from web import frames, named, stream
from web.stream import Stream, Streams

SECRET_SAMPLES = {
    "bad_bones": ("base", "advanced", "commanders", "switches"),
    "onirim": ("silent",),
    "whisper": ("duel", "butcher", "specter", "maniac", "crossroads", "readings"),
    "dark_cave": ("two", "five", "eight", "three-strict", "six-mixed"),
}
"""The set-ups in which two viewers ever see different things."""
PER_GAME = 6
"""How many late positions of one random game are compared."""
BACK = 14
"""So far back an action is looked for that could have been another."""
TRIES = 8
PROBES = 4
PEOPLE, BOTS, NOBODY = "people", "bots", "nobody"
"""Who sits in the other seats."""
OWN_FILES = ("/web/", "/companion/table/")
"""Where steps are counted: the edge and the table; how rules compute is not theirs to tell."""


class Position(NamedTuple):
    """A late position: the lines that led there, with every viewer's counters, and the states before them."""

    game: Game
    options: Options
    lines: list[Line]
    states: list[State]

    @property
    def truth(self) -> State:
        return self.states[-1]

    @property
    def viewers(self) -> list[Viewer]:
        return self.game.viewers(self.options)


# Late positions ----------------------------------------------------------------------------------


def late_positions(key: str, seed: int) -> Iterator[Position]:
    """Positions of the second halves of random games, without end."""
    game = load(key)
    for n in range(1_000_000):
        rng = Random(f"{seed} {key} {n}")
        options = game.resolve(game.samples[SECRET_SAMPLES[key][n % len(SECRET_SAMPLES[key])]])
        states, played = [game.start(options)], []
        for step in walk(game, options, rng):
            played.append((step.seat, step.state.notation.text(step.action)))
            states.append(step.state.copy())
        lines = list(numbered(game, options, played))
        late = [end for end in range(len(played) // 2, len(played)) if is_rest(game, options, states[end])]
        for end in sorted(rng.sample(late, min(PER_GAME, len(late)))):
            yield Position(game, options, lines[:end], states[: end + 1])


def is_rest(game: Game, options: Options, state: State) -> bool:
    """Whether a table ever shows the position: where chance decides by itself, none rests before a draw."""
    by_table = game.at_table(options)
    return not state.is_chance() or any(action.verb in by_table for action, _ in state.outcomes())


def numbered(game: Game, options: Options, played: list[tuple[int, str]]) -> Iterator[Line]:
    """The lines as a session stores them, with the counters of every viewer."""
    journal = Journal(":memory:")
    session = Session.start(journal, game, options, AtTable())
    for seat, text in played:
        session.submit(seat, text)
    yield from journal.read(session.number)
    journal.close()


# Twins -------------------------------------------------------------------------------------------


class Twin(NamedTuple):
    """Another table: lines that are stored with their counters, then actions that are taken, then a state."""

    kind: str
    stored: list[Line]
    taken: list[tuple[int, str]]
    state: State | None = None


def twins(position: Position, viewer: Viewer, rng: Random) -> list[Twin]:
    """The twins of a position for a viewer; the last one is always there."""
    made = [longer(position, viewer, rng), changed(position, viewer, rng)]
    # A line that takes nothing back changes no position, but the journal is longer by it.
    nothing = Line(UNDO, str(len(position.lines)), position.lines[-1].versions)
    state = position.game.disguise(position.truth, viewer, rng)
    dealt = Twin("dealt", [*position.lines, *[nothing] * rng.randrange(1, 9)], [], state)
    return [*(one for one in made if one is not None), dealt]


def watchers(viewer: Viewer) -> set[Viewer]:
    """Who must not notice: the viewer, and the screen that everybody sees."""
    return {viewer, PUBLIC}


def is_unnoticed(game: Game, before: State, after: State, events: list[Event], viewer: Viewer) -> bool:
    """Says whether a viewer neither hears nor sees of an action."""
    return not any(
        any(event.is_for(one) for event in events) or game.view(before, one) != game.view(after, one)
        for one in watchers(viewer)
    )


def longer(position: Position, viewer: Viewer, rng: Random) -> Twin | None:
    """Lets others act in ways that the viewer does not notice."""
    game, state, taken = position.game, position.truth.copy(), []
    for _ in range(3):
        offered = [
            (need.seat, action)
            for need in state.needs()
            if need.seat not in (TABLE, viewer)
            for action in state.actions(need.seat)
            if not state.notation.verbs[action.verb].reveals
        ]
        for seat, action in rng.sample(offered, min(TRIES, len(offered))):
            after = state.copy()
            events = after.apply(seat, action)
            if is_rest(game, position.options, after) and is_unnoticed(game, state, after, events, viewer):
                taken.append((seat, state.notation.text(action)))
                state = after
                break
    return Twin("longer", position.lines, taken) if taken else None


def changed(position: Position, viewer: Viewer, rng: Random) -> Twin | None:
    """Exchanges one of the last actions for another that looks the same to the viewer until now."""
    lines, states = position.lines, position.states
    for i in range(len(lines) - 1, max(0, len(lines) - BACK), -1):
        state, line = states[i], lines[i]
        if line.seat == viewer:
            continue
        if line.seat == TABLE:
            others = [action for action, _ in state.outcomes()]
        else:
            others = state.actions(line.seat)
        for action in rng.sample(others, min(TRIES, len(others))):
            text = state.notation.text(action)
            taken = [(line.seat, text), *((one.seat, one.text) for one in lines[i + 1 :])]
            if text != line.text and looks_alike(position, i, taken, viewer):
                return Twin("changed", lines[:i], taken)
    return None


def looks_alike(position: Position, i: int, taken: list[tuple[int, str]], viewer: Viewer) -> bool:
    """Says whether other actions from a place on give a viewer the same views and events, one by one."""
    game, state = position.game, position.states[i].copy()
    for n, (seat, text) in enumerate(taken, i):
        action = state.notation.parse(text)
        if state.refusal(seat, action) is not None:
            return False
        events, true = state.apply(seat, action), position.states[n].copy()
        line = position.lines[n]
        expected = true.apply(line.seat, true.notation.parse(line.text))
        for one in watchers(viewer):
            heard = [[event[:2] for event in some if event.is_for(one)] for some in (events, expected)]
            if heard[0] != heard[1] or game.view(state, one) != game.view(true, one):
                return False
    return True


# A table that is listened to ---------------------------------------------------------------------


def seat_people(folder: Path, seats: int) -> dict[Viewer, str]:
    """Writes a people file with a host and somebody in every seat; returns their cookies by viewer."""
    folder.mkdir()
    room = Room(folder)
    cookies = {PUBLIC: room.host().cookie()}
    for seat in range(seats):
        guest = room.guest(f"G{seat}")
        cookies[seat] = guest.cookie()
        room.people.sit(1, seat, room.people.device(guest.cookie()))
    room.close()
    return cookies


class Around(NamedTuple):
    """What is around the game on both sides: who holds the other seats, and where the light comes from."""

    viewer: Viewer
    others: str
    lights: str

    @classmethod
    def of(cls, position: Position, viewer: Viewer, rng: Random) -> Around:
        # Where only choices are hidden, the table screen makes those of free seats itself, so it knows them.
        others = (PEOPLE, BOTS) if position.game.hides_choices_only else (PEOPLE, BOTS, NOBODY)
        return cls(viewer, rng.choice(others), rng.choice(("rails", "projector")))

    def seat(self, room: Room, seats: int) -> None:
        """Has the other seats held by whom it is to be; one is always a person's."""
        kept = max(self.viewer, 0)
        for seat in range(seats):
            if seat != kept and self.others != PEOPLE:
                room.people.stand_up(1, seat)
                if self.others == BOTS:
                    room.people.sit(1, seat, bot_device("good", seat + 1))


class Spoken:
    """A voice whose sounds are the words, and for whom they were made."""

    def wav(self, text: str, language: str, whose: Viewer) -> bytes:
        return f"RIFF {language} {whose} {text}".encode()


class Side:
    """One of two twins, with its pages, lamps, camera and everything else that gets out."""

    def __init__(
        self, folder: Path, people: Path, cookies: dict[Viewer, str], position: Position, around: Around
    ) -> None:
        folder.mkdir()
        shutil.copy(people / "people.json", folder / "people.json")
        self.folder = folder
        self.room = Room(folder)
        self.room.web.voice = Spoken()
        around.seat(self.room, len(cookies) - 1)
        self._around, self._cookies = around, cookies
        self._game, self._options = position.game, position.options

    def begin(self, stored: list[Line]) -> Session:
        """Stores the lines of a game as number 1 and opens it."""
        journal = self.room.journal
        number = journal.create(self._game.key, self._game.rules_version, self._options)
        assert number == 1
        journal.append(number, 0, stored)
        self.clock = FakeClock(100.0)
        return Session(journal, number, AtTable(), clock=self.clock.now)

    def put(self, session: Session) -> None:
        """Puts a game on the table, with its lamps and its camera."""
        self.room.table._put(session)
        sections = {name: kind() for name, kind in SCHEMA.items()}
        config = Config({**sections, "lights": LightSettings(map=self._around.lights)})
        self.room.web.rig = self.rig = RigService(self.room.table, config, self.folder, self.clock)
        self.rig.follow()
        if self.rig.sitting.screen is not None:
            self.rig.sitting.screen.matrix = np.diag([2.0, 2.0, 1.0])  # as after it was found

    def play(self, twin: Twin) -> None:
        """Puts the twin's game on the table."""
        session = self.begin(twin.stored)
        for seat, text in twin.taken:
            session.submit(seat, text)
        if twin.state is not None:
            session._state = twin.state
            session._views = {viewer: self._game.view(twin.state, viewer) for viewer in session.viewers}
        self.put(session)

    def visitor(self, viewer: Viewer) -> Visitor:
        client = self.room.app.test_client()
        client.set_cookie("gloam", self._cookies[viewer], domain=HOST.split(":")[0])
        return Visitor(client, "192.168.7.10" if viewer == PUBLIC else PHONE)

    def close(self) -> None:
        self.rig.close()
        self.room.close()
        shutil.rmtree(self.folder)


Told = dict[str, list[Any]]
"""What got out by each channel."""
TIMES = re.compile(rb"\d{4}-\d\d-\d\d[T ][0-9:+.]*|\d+ MB|\d+ \xd0\x9c\xd0\x91")
"""Times of day, and how full the disk is."""


class Probes(NamedTuple):
    """What is asked of both twins."""

    actions: list[str]
    """All that the viewer may do."""
    previews: list[str]
    """Some of it, asked for as a page does."""
    refused: list[str]


def probes(position: Position, viewer: Viewer, rng: Random) -> Probes:
    """Chooses from what the viewer knows: actions to preview, and some that the rules refuse."""
    state = position.truth
    if viewer == PUBLIC:
        return Probes([], [], [])
    own = [state.notation.text(action) for action in state.actions(viewer)]
    known = [state.notation.text(action) for one in position.states[-40:] for action in one.actions(viewer)]
    refused = [text for text in known if state.refusal(viewer, state.notation.parse(text)) is not None]
    return Probes(
        own,
        rng.sample(own, min(PROBES, len(own))),
        rng.sample(sorted(set(refused)), min(PROBES, len(set(refused)))),
    )


class Ear:
    """Listens to one side as a viewer, and as the host on the public screen: whoever hosts may play too."""

    def __init__(self, side: Side, viewer: Viewer) -> None:
        self.side, self.viewer = side, viewer
        self.own, self.host = side.visitor(viewer), side.visitor(PUBLIC)
        self.seat = "public" if viewer == PUBLIC else str(viewer)
        self.told: Told = {}

    def note(self, channel: str, what: Any) -> None:
        self.told.setdefault(channel, []).append(what)

    def answer(self, channel: str, answer: TestResponse) -> None:
        """Notes an answer, its status and its size."""
        self.note(channel, (answer.status_code, self.timeless(answer.data)))
        self.note("sizes", (channel, [(name, len(value)) for name, value in answer.headers]))

    def timeless(self, content: bytes) -> bytes:
        return TIMES.sub(b"", content).replace(str(self.side.folder).encode(), b"")

    def listen(self, asked: Probes) -> Told:
        """All that gets out, undo last: it may change the game."""
        with self.logged():
            for look in (
                *(
                    self.views,
                    self.programs,
                    self.speech,
                    self.streams,
                    self.counts,
                    self.errors,
                    self.lights,
                    self.broker,
                ),
                *(self.broker, self.reports, self.pictures),
            ):
                look()
            self.previews(asked)
            self.refusals(asked)
            self.undo()
        return self.told

    # Channels --------------------------------------------------------------------------------------

    def views(self) -> None:
        for language in ("en", "ru"):
            with self.counted_steps():
                answer = self.own.get(f"/api/frame?seat={self.seat}&lang={language}")
            self.answer("views", answer)
            self.note("versions", answer.json["version"])
            self.answer("views", self.host.get(f"/api/frame?lang={language}"))
        for path in (f"/api/log?seat={self.seat}", "/api/room", "/api/game", "/", "/seat", "/api/games"):
            self.answer("views", self.own.get(path))
        session = self.side.room.table.playing()
        places = len(session.game.board(session.options).places)
        for cell in range(0, places, 1 + places // 6):
            self.answer("views", self.own.get(f"/api/why?seat={self.seat}&cell={cell}"))

    def programs(self) -> None:
        """What a bot on the seat is told, and a spectator: what their routes answer with."""
        table = self.side.room.table
        for viewer in (self.viewer, PUBLIC):
            told = named.position_json(table, table.playing(), viewer, "en")
            self.note("programs", json.dumps([told, named.table_json(table, "ru")]))

    def speech(self) -> None:
        """The last lines of the own log and of everybody's, said by the table, and one that is not there."""
        for visitor, seat in ((self.own, self.seat), (self.host, "public")):
            lines = len(visitor.get(f"/api/log?seat={seat}").json)
            for line in range(max(0, lines - 4), lines + 1):
                self.answer("speech", visitor.get(f"/api/say?seat={seat}&line={line}&lang=en"))

    def streams(self) -> None:
        room = self.side.room
        device = room.people.device(self.side._cookies[self.viewer])
        stream = Stream(room.table, Streams(4), device, "page", self.viewer, "en")
        told = iter(stream)
        events = [next(told) for _ in range(3)]
        told.close()
        self.note("views", events)
        self.note("versions", re.findall(r"id: \d+", "".join(events)))

    def counts(self) -> None:
        for path in ("/api/saved", "/api/story", "/api/story/3?as=0", "/api/record", "/api/backup"):
            self.answer("counts", self.host.get(path))
        self.answer("counts", self.host.post("/api/unplug"))
        self.note("counts", len(self.side.room.table.notices))

    def errors(self) -> None:
        seats = range(len(self.side.room.table.playing().seats))
        for other in (seat for seat in seats if seat != self.viewer):
            for path in (f"/api/frame?seat={other}", f"/api/log?seat={other}", f"/api/stream?seat={other}"):
                self.answer("errors", self.own.get(path))
            self.answer("errors", self.own.post("/api/act", action="x", version=0, seat=other, page=other))
        for path in (f"/api/frame?seat={len(seats)}", "/api/why?cell=99999", "/api/story/9999"):
            self.answer("errors", self.own.get(path))
        body = {"action": "no such thing", "version": 0, "seat": max(self.viewer, 0), "page": self.viewer}
        self.answer("errors", self.own.post("/api/act", **body))

    def previews(self, asked: Probes) -> None:
        """Previews every action, and some of them as a page asks."""
        table = self.side.room.table
        for text in asked.actions:
            seen = frames.preview(table, table.playing(), self.viewer, self.viewer, text, "en")
            self.note("preview", json.dumps(seen))
        for text in asked.previews:
            with self.counted_steps():
                answer = self.own.get("/api/preview", query_string={"seat": self.seat, "action": text})
            self.answer("preview", answer)
        for one in self.host.get("/api/frame").json["moves"]:
            for text, _ in one["actions"][:2]:
                query = {"for": one["seat"], "action": text}
                self.answer("preview", self.host.get("/api/preview", query_string=query))

    def refusals(self, asked: Probes) -> None:
        for text in asked.refused:
            version = self.own.get(f"/api/frame?seat={self.seat}").json["version"]
            body = {"action": text, "version": version, "seat": self.viewer, "page": self.viewer}
            with self.counted_steps():
                answer = self.own.post("/api/act", **body)
            self.answer("refusals", answer)

    def undo(self) -> None:
        tries = (
            [(self.host, {})]
            if self.viewer == PUBLIC
            else [(self.own, {"seat": self.viewer}), (self.host, {})]
        )
        for visitor, body in tries:
            with self.counted_steps() as steps:
                answer = visitor.post("/api/undo", **body)
            if answer.status_code == 200:
                steps.clear()  # everybody sees that it was done; whoever else sees a change is told of it too
            self.answer("undo", answer)
            after = self.own.get(f"/api/frame?seat={self.seat}&lang=en")
            self.answer("undo", after)
            self.note("versions", after.json["version"])

    def lights(self) -> None:
        rig = self.side.rig
        for _ in range(3):
            rig.lamps.step()
            lights = rig.sitting.parts.lights
            self.note("lights", (repr(lights.scene), lights.frame.hex()))
            self.answer("projector", self.own.get("/api/projector"))
            self.side.clock.sleep(0.4)

    def broker(self) -> None:
        memory = MqttState(self.side.folder / "mqtt.json")
        memory.table_id = "gloam-1"
        bridge = MqttBridge(self.side.room.table, MqttSettings(enabled=True, host="broker"), memory)
        bridge._client, bridge._is_up = Broker(self), True
        bridge._tell(self.side.room.table.playing())

    def reports(self) -> None:
        for path in ("/api/report", "/api/health"):
            self.answer("reports", self.host.get(path))
        bundle = self.side.folder / "bundle.zip"
        patient = doctor.Patient(self.side.folder / "games.db", self.side.room.workbench.config)
        findings = doctor.examine(patient)
        doctor._bundle(bundle, findings, patient.config)
        with zipfile.ZipFile(io.BytesIO(bundle.read_bytes())) as kept:
            self.note("reports", [(name, self.timeless(kept.read(name))) for name in kept.namelist()])

    def pictures(self) -> None:
        session = self.side.room.table.playing()
        if session.game.camera(session.options) not in session.viewers:
            return  # it looks at boards that lie open, however late their owners are told of on the pages
        self.side.rig.sitting.look()
        for visitor, seat in ((self.own, self.seat), (self.host, "public")):
            self.answer("virtual", visitor.get(f"/api/virtual?seat={seat}"))
            self.answer("camera", visitor.get(f"/api/virtual/picture?seat={seat}&overlay=yes"))

    # Steps and log lines -----------------------------------------------------------------------------

    @contextmanager
    def counted_steps(self) -> Iterator[Counter[str]]:
        """Counts which of the functions of the edge and of the table are called, and how often."""
        steps: Counter[str] = Counter()

        def count(frame: FrameType, event: str, argument: Any) -> None:
            code = frame.f_code
            if event == "call" and any(one in code.co_filename for one in OWN_FILES):
                steps[f"{code.co_filename.rpartition('/')[2]} {code.co_qualname}"] += 1

        sys.setprofile(count)
        try:
            yield steps
        finally:
            sys.setprofile(None)
        self.note("steps", steps)

    @contextmanager
    def logged(self) -> Iterator[None]:
        """Notes what is logged meanwhile, at every level."""
        handler, root = Lines(), logging.getLogger()
        level = root.level
        root.addHandler(handler)
        root.setLevel(logging.DEBUG)
        try:
            yield
        finally:
            root.removeHandler(handler)
            root.setLevel(level)
        self.note("logs", [self.timeless(line.encode()) for line in handler.lines])


class Lines(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.levelname} {record.name} {record.getMessage()}")


class Broker:
    """Notes what a broker is told."""

    def __init__(self, ear: Ear) -> None:
        self._ear = ear

    def want_write(self) -> bool:
        return False

    def publish(self, topic: str, payload: bytes, qos: int = 0, retain: bool = False) -> None:
        self._ear.note("broker", (topic, payload))


CHANNELS = (
    *("views", "undo", "preview", "counts", "versions", "refusals", "sizes", "steps", "lights", "broker"),
    *("logs", "reports", "camera", "virtual", "errors", "programs", "speech", "projector"),
    *("cues", "lit cues"),
)
"""Every way by which something gets out."""
LIT_STEPS, LIT_S = 6, 0.6
"""How often the lamps are looked at while events are played out, and how long after each other."""


class Compared(NamedTuple):
    """What comparing late positions came to."""

    positions: int
    twins: Counter[str]
    """How many twins of each kind."""
    hidden: int
    """In how many of them somebody else sees another position."""
    around: Counter[str]
    """How many with people, with bots and with nobody in the other seats."""
    found: list[tuple[str, str]]
    """The channels that differ, each with where."""
    heard: Counter[str]
    """How many things were compared by channel."""


def listen(
    folder: Path, cookies: dict[Viewer, str], position: Position, around: Around, asked: Probes, twin: Twin
) -> tuple[Told, str]:
    """Plays a twin and listens as one viewer; returns what got out, and what all viewers together see."""
    side = Side(folder / "table", folder / f"people-{len(cookies) - 1}", cookies, position, around)
    try:
        side.play(twin)
        session = side.room.table.playing()
        views = json.dumps([session.update(one).view for one in session.viewers])
        return Ear(side, around.viewer).listen(asked), views
    finally:
        side.close()


def listen_live(
    folder: Path, cookies: dict[Viewer, str], position: Position, around: Around, i: int, twin: Twin
) -> Told:
    """Takes a twin's actions from line `i` on while the streams of a viewer and of the host are open.

    Notes what they bring (log, sounds, voices, times) for pages and programs, and how the lamps play it out.
    """
    side = Side(folder / "table", folder / f"people-{len(cookies) - 1}", cookies, position, around)
    lines = [*twin.stored, *(Line(seat, text) for seat, text in twin.taken)]
    told: Told = {"cues": [], "lit cues": []}
    heartbeat, stream.HEARTBEAT_S = stream.HEARTBEAT_S, 0.0
    try:
        session = side.begin(position.lines[:i])
        side.put(session)
        side.rig.lamps.step()
        table, streams = side.room.table, Streams(9)
        open_ones = [
            iter(kind(table, streams, side.room.people.device(cookies[one]), "page", one, "en"))
            for one in (around.viewer, PUBLIC)
            for kind in (Stream, named.NamedStream)
        ]
        for one in open_ones:
            list(until_beat(one))
        for seat, text in ((line.seat, line.text) for line in lines[i:]):
            session.submit(seat, text)
            if is_rest(position.game, position.options, session.state()):
                told["cues"] += [(n, said) for n, one in enumerate(open_ones) for said in until_beat(one)]
        for _ in range(LIT_STEPS):
            side.rig.lamps.step()
            lights = side.rig.sitting.parts.lights
            told["lit cues"].append((repr(lights.scene), lights.frame.hex()))
            side.clock.sleep(LIT_S)
        for one in open_ones:
            one.close()
    finally:
        stream.HEARTBEAT_S = heartbeat
        side.close()
    return told


def until_beat(told: Iterator[str]) -> Iterator[str]:
    """What a stream has to say now."""
    for event in told:
        if event.startswith("event: beat"):
            return
        yield event


def compare(folder: Path, key: str, positions: int, seed: int, until: str = "") -> Compared:
    """Compares a number of late positions of a game with their twins, each for one viewer after another.

    It ends as soon as the channel `until` differs.
    """
    kinds, found, heard, hidden = Counter[str](), list[tuple[str, str]](), Counter[str](), 0
    sat = Counter[str]()
    people: dict[int, dict[Viewer, str]] = {}
    for n, position in zip(range(positions), late_positions(key, seed), strict=False):
        rng = Random(f"{seed} {n}")
        viewer = position.viewers[n % len(position.viewers)]
        seats = len(position.viewers) - 1
        if seats not in people:
            people[seats] = seat_people(folder / f"people-{seats}", seats)
        asked = probes(position, viewer, rng)
        around = Around.of(position, viewer, Random(f"around {seed} {n}"))
        sat[around.others] += 1
        told_by = partial(listen, folder, people[seats], position, around, asked)
        true, seen = told_by(Twin("true", position.lines, []))
        heard.update({channel: len(told) for channel, told in true.items()})
        for twin in twins(position, viewer, rng):
            other, also = told_by(twin)
            kinds[twin.kind] += 1
            hidden += also != seen
            where = f"{key} position {n}, viewer {viewer}, {around.others} beside, {twin.kind}"
            expected = true
            if twin.taken:
                live = partial(listen_live, folder, people[seats], position, around, len(twin.stored))
                played = live(Twin("true", position.lines, []))
                heard.update({channel: len(told) for channel, told in played.items()})
                expected, other = true | played, other | live(twin)
            found += [(one, where) for one in CHANNELS if expected.get(one) != other.get(one)]
            if any(one == until for one, _ in found):
                return Compared(n + 1, kinds, hidden, sat, found, heard)
    return Compared(positions, kinds, hidden, sat, found, heard)
