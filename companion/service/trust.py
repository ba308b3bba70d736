"""`gloam trust`: does the table understand us? Whole games played by hands in the physical world, with slips.

Bots decide, people carry it out on the virtual table and get some of it wrong, the virtual camera looks, the
eyes read, and the loop follows. Counted: positions believed wrongly, slips noticed and missed, alarms without
a reason, questions that were not needed. Belongs to the composition root: it knows every package.
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

import cv2
import numpy as np

from companion.engine.action import PUBLIC, TABLE, Action, Cell, Seat
from companion.engine.bare import bare
from companion.engine.chance import weighted
from companion.engine.errors import ConfigError
from companion.engine.game import Game, turn_for
from companion.engine.layout import STANDING_KINDS, At, Board, Layout, built
from companion.engine.marker_cards import cards_around
from companion.engine.observation import Looks, Match, NoChange, Observation, Played, Reading
from companion.engine.options import Options, Value, from_pairs
from companion.engine.state import State
from companion.games import REGISTRY, load
from companion.service.lamps import lit
from companion.service.open_parts import feel_world, led_glows, own_faces, virtual_camera
from companion.table.hand_steps import steps_between, taken_and_laid
from companion.table.journal import Journal
from companion.table.play import find_bot
from companion.table.session import Session
from companion.world.hands import Hands
from companion.world.loop import Loop
from companion.world.physical import Slop, World, strewn
from companion.world.switches import Switches
from hardware.fakes import FakeClock, VirtualSensors
from hardware.ports import SensorPort
from hardware.wiring import LightSettings, PartSettings, build, build_of
from vision.camera import Virtual
from vision.card_survey import cards_at
from vision.evidence import Evidence
from vision.eyes import MIN_LOOKS, AcceptedDeviations, Eyes
from vision.find import Finder
from vision.match import match
from vision.read import Reader
from vision.successors import SuccessorCache, same
from vision.virtual import LedGlow, VirtualCamera

FRAME_S = 0.85
"""Virtual seconds between two frames: a slow camera, so that long runs take less time."""
POLLS = 4
"""How often the switches are asked in a look; a real line is read more often."""
PATIENCE = 10
"""Looks at an unchanged table before people stop waiting for an answer."""
MOMENT = 2
"""The least number of looks before people conclude that the table has noticed nothing."""
HANDS, LINGERS, BUMPS = 0.3, 0.03, 0.003
"""In which share of moves a frame shows the hand, it stays for a while, somebody bumps the camera."""
BUMP_MM = 6.0
PAUSES, TWO_AT_ONCE, SLEEVES = 0.3, 0.15, 0.05
"""In which share of moves of several pieces people pause in the middle; in which share of moves somebody
else's hand is over the board as well; a sleeve pushes a piece on its place."""
SLEEVE_MM, SLEEVE_DEGREES = 3.0, 5.0
SHOVES, SHOVE_MM, SHOVE_DEGREES = 0.03, 12.0, 2.0
"""How often and how far all cards on a bare table are pushed as a whole."""
TAKES_UP = 0.5
"""How often people take up what they may before they go on."""
FLUSH = Slop(0.4, 0.3)
"""How exactly people lay marker cards at the edge of a board."""
SIZES = {"720p": (1280, 720), "1080p": (1920, 1080)}
SLOPS = (Slop(0.3, 0.5), Slop(0.7, 1.2), Slop(1.2, 2.2), Slop(1.8, 4.0), Slop(2.4, 6.0))
"""How carelessly pieces are put down at each damage level."""


@dataclass
class Trust:
    """What came of some games."""

    games: int = 0
    turns: int = 0
    """Decisions of one seat in a row are one turn."""
    moves: int = 0
    not_visible: int = 0
    """Moves that leave the table as it was: no picture can show them, so people enter them by hand."""
    beliefs: int = 0
    """Moves followed by eye, after which the table's belief was compared with what lies there."""
    wrong_beliefs: int = 0
    wrong_commits: int = 0
    slips: int = 0
    caught: int = 0
    missed: int = 0
    """Slips after which the table did not say that something is wrong."""
    other_legal_moves: int = 0
    """Slips that happened to be another legal move, followed as such."""
    no_visible_change: int = 0
    """Slips that left the table as it was before the move: nothing to notice yet."""
    false_alarms: int = 0
    ambiguous: int = 0
    """Right moves that two legal explanations fit: the table must ask which."""
    unnecessary_questions: int = 0
    """Right moves that the table asked about though only one legal explanation fits."""
    pauses: int = 0
    """Looks at a move that is half done."""
    missing_said: int = 0
    """Of these: those in which the table said what is still to do."""
    missing_said_wrongly: int = 0
    """Of these: those that named steps which are not missing for the move that was meant."""
    commits_in_pauses: int = 0
    """Pauses in which what lay there was the end of a legal move already."""
    straightened: int = 0
    """Of the unnecessary questions and false alarms: those that straightening the pieces answered."""
    felt: int = 0
    """Moves followed by the switches alone, while the camera was covered."""
    read_later: int = 0
    """Moves under a covered camera that no switch can feel: read when the camera was back."""
    unfinished: int = 0
    by_slip: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    def add(self, other: Trust) -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


class Run(NamedTuple):
    """What is played: the game, its options, how bad the light is, how often people slip, who decides."""

    game: str
    given: tuple[tuple[str, Value], ...] = ()
    level: int = 1
    slips: float = 0.1
    bot: str = "random"
    most: int = 10_000
    """The move after which a game is broken off."""
    is_clear: bool = False
    """Whether the eyes see the world as it is, without pixels."""
    lights: str = ""
    """The LED map whose light shines on the table, its pieces laid apart for it; none if empty."""
    has_switches: bool = False
    cover: int = 0
    """Every how many turns the camera is covered for one; 0: never."""
    size: tuple[int, int] = (1280, 720)
    """The pictures of the camera."""
    is_bare: bool = False
    """Whether the cards lie on a bare table among marker cards, without frame or mat."""

    def options(self) -> Options:
        game = load(self.game)
        at_table = {"deck": "physical"} if any(option.name == "deck" for option in game.options) else {}
        return game.resolve(at_table | dict(self.given))


class ClearEyes:
    """Eyes that see the world as it is: for trying the loop and people's slips without pixels."""

    def __init__(self, world: World) -> None:
        self.is_blind = False
        self._world = world
        self._successors = SuccessorCache()
        self._accepted = AcceptedDeviations()

    def step(self) -> object | None:
        return self

    def judge(self, game: Game, state: State, options: Options) -> Match | None:
        if self._world.hands or self.is_blind:
            return None
        look = self._look()
        self._accepted.forget_changed(look)
        self._accepted.forget_outdated(game, state, options)
        return match(self._accepted.apply_to(look), game, state, options, successors=self._successors)

    def _look(self) -> Observation:
        seen = self._world.layout()
        places = range(len(self._world.board.places))
        return Observation({cell: Reading(seen.get(cell, ()), 0.999) for cell in places})

    def snapshot(self) -> Looks:
        look = self._look()
        return Looks(look, (self._accepted.apply_to(look),) * MIN_LOOKS)

    compare = judge
    explain = staticmethod(Eyes.explain)

    def accept_as_is(
        self, expected: Layout, cells: Collection[Cell] | None = None, seen: Observation | None = None
    ) -> None:
        self._accepted.note(self._look() if seen is None else seen, expected, cells)


class Meant(NamedTuple):
    """What somebody means to do, and the position after it."""

    seat: Seat
    action: Action
    after: State


class TrustGame:
    """One game on the virtual table, from the set-up to the end."""

    def __init__(self, run: Run, seed: int) -> None:
        self.run, self.game, self.options = run, load(run.game), run.options()
        self.rng = Random(seed)
        settings = LightSettings(map=run.lights or "cells")
        board = built(self.game.board(self.options), build_of(settings))
        self.world = World(_on_a_table(board, run.is_bare, Random(seed)))
        self.clock = FakeClock()
        self.lights = build(PartSettings(lights=settings), board, self.clock).lights if run.lights else None
        virtual = VirtualSensors(self.clock)
        feel_world(virtual, self.world)
        self.sensors: SensorPort = virtual
        self.switches = Switches(board, self.clock.now) if run.has_switches else None
        self.camera: VirtualCamera | None = None
        self.eyes: Eyes | ClearEyes = ClearEyes(self.world)
        if not run.is_clear:
            self.camera = virtual_camera(
                run.game, self.world, level=run.level, seed=seed, leds=self._led_glows, size=run.size
            )
            reader = Reader(own_faces(run.game, board), board)
            witness = (lambda seen: seen) if self.switches is None else self.switches.fused
            camera = Virtual(self.camera, self._tick)
            self.eyes = Eyes(camera, Finder(board), reader, witness=witness, lies=self._lies)
        self.slop = SLOPS[run.level]
        self.hands = Hands(self.world, self.rng, self.slop, run.slips)
        self.found = Trust(games=1)
        self._session: Session | None = None
        self._taken_up: Layout = {}
        """What people took up where they may at any time."""

    def _lies(self) -> Layout:
        """What should lie on the table by what was played so far."""
        return {} if self._session is None else self._left(self.expected(self._session.state()))

    def _tick(self) -> float:
        self.clock.sleep(FRAME_S)
        return self.clock.now()

    def _led_glows(self) -> list[LedGlow]:
        return [] if self.lights is None else led_glows(self.lights)

    def _step(self, loop: Loop) -> Match | None:
        """One look, with the lights as they are then and what the switches feel."""
        if self.switches is not None:
            for number, is_closed, time_s in (one for _ in range(POLLS) for one in self.sensors.sensed()):
                self.switches.feel(number, is_closed, time_s)
        if self.lights is not None:
            session = loop.session
            self.lights.show(lit(session, session.game.view(session.state(), PUBLIC), loop.prompt))
            self.lights.step()
        if isinstance(self.eyes, ClearEyes):
            self._tick()
        result = loop.step()
        if self.lights is not None and isinstance(self.eyes, Eyes):
            glance = self.eyes.glance
            calm = None if glance is None else glance.calm
            self.lights.hold(result is None and calm is not None and not calm.hand)
        return result

    def _cover(self, is_covered: bool) -> None:
        """Hangs something before the lens, or takes it away."""
        if self.camera is not None:
            self.camera.faults.covered = is_covered
        elif isinstance(self.eyes, ClearEyes):
            self.eyes.is_blind = is_covered

    @property
    def _is_covered(self) -> bool:
        return self.eyes.is_blind if self.camera is None else self.camera.faults.covered

    def expected(self, state: State) -> Layout:
        """What should lie on the table."""
        return self.game.expected(state, self.options)

    def play(self) -> Trust:
        """Plays until the game ends or as many moves were made as the run allows."""
        began = time.perf_counter()
        with TemporaryDirectory() as folder:
            journal = Journal(f"{folder}/evening.db")
            session = Session.start(journal, self.game, self.options, seed=self.rng.randrange(2**31))
            session.board = self.world.board
            self._session = session
            loop = Loop(session, self.eyes, switches=self.switches)
            self.world.set_up(self.expected(session.state()), self.rng, self.slop)
            self._rest(session, loop)
            last: Seat | None = None
            while session.state().needs() and self.found.moves < self.run.most:
                seat = self._move(session, loop)
                if seat != TABLE and (seat != last or len(self.game.seats(self.options)) == 1):
                    self.found.turns += 1
                    last = seat
            self.found.unfinished = int(bool(session.state().needs()))
            journal.close()
        self.found.seconds = time.perf_counter() - began
        return self.found

    def _decide(self, state: State) -> Meant:
        needs = state.needs()
        if any(need.seat == TABLE for need in needs):
            seat, action = TABLE, weighted(state.outcomes(), self.rng)
        else:
            seat = self.rng.choice(needs).seat
            action = find_bot(self.game, self.run.bot)(turn_for(self.game, state, seat, self.rng))
        after = state.copy()
        after.apply(seat, action)
        return Meant(seat, action, after)

    def _move(self, session: Session, loop: Loop) -> Seat:
        """One decision: carried out by hand where it can be seen, tapped where it cannot."""
        self._take_up(session, loop)
        state, cover = session.state(), self.run.cover
        self._cover(bool(cover) and self.found.turns % cover == cover - 1)
        meant = self._decide(state)
        before, target = self._left(self.expected(state)), self._left(self.expected(meant.after))
        self.found.moves += 1
        if self._seen(target) == self._seen(before):
            self.found.not_visible += 1
            self._tap(session, meant)
            self._put_right(session)
            return meant.seat
        done = len(session.lines())
        steps, slip = self.hands.carry_out(before, target)
        rests_after = self.rng.randrange(len(steps) - 1) if self._happens(PAUSES, len(steps)) else -1
        for i, step in enumerate(steps):
            if i == len(steps) - 1:
                self._reach(loop, step.cell)
            step.act()
            if i == rests_after and self._pause(session, loop, state, meant, slip, done):
                return meant.seat
        self.world.hands = ()
        self._brush()
        if self.camera is not None and self.rng.random() < BUMPS:
            self.camera.faults.bump_mm = self.rng.uniform(-BUMP_MM, BUMP_MM)
        self._wait(loop, Played, NoChange)
        if self._is_covered and not self._follow_felt(session, loop, state, meant, done):
            self._cover(False)
            self._wait(loop, Played, NoChange)
        self._weigh(session, loop, state, meant, slip, done)
        return meant.seat

    def _happens(self, share: float, steps: int = 2) -> bool:
        return steps > 1 and self.rng.random() < share

    def _pause(self, session: Session, loop: Loop, before: State, meant: Meant, slip: str, done: int) -> bool:
        """People stop in the middle of a move; True where the table took it for another move, rightly."""
        found = self.found
        self.world.hands = ()
        found.pauses += 1
        self._wait(loop, Played)
        played = session.lines()[done:]
        if played and self._is_covered:
            return False  # the switches felt the pawn's part of it: weighed once the rest is carried out
        if played:
            if self._leads_to_the_table(before, played):
                found.commits_in_pauses += 1
            else:
                found.wrong_commits += 1
            self._put_right(session)
            self._rest(session, loop)
            return True
        if loop.prompt.code == "finish":
            found.missing_said += 1
            found.missing_said_wrongly += not slip and not self._is_true(loop, before, meant)
        elif not slip:
            found.false_alarms += loop.prompt.code == "wrong"
        return False

    def _is_true(self, loop: Loop, before: State, meant: Meant) -> bool:
        """Whether what the table says is missing is missing: for the move that was meant, if it is named."""
        seen = self._seen_pieces(self.world.layout())
        wanted = self._seen_pieces(self._left(self.expected(meant.after)))
        missing = steps_between(seen, wanted)
        text = (meant.seat, before.notation.text(meant.action))
        open_ones = [taken_and_laid(one.steps) for one in loop.prompt.begun if not one.line]
        its = [one for one in loop.prompt.begun if one.line == (text,)]
        return all(one <= taken_and_laid(missing) for one in open_ones) and all(
            Counter(one.steps) == Counter(missing) for one in its
        )

    def _seen_pieces(self, layout: Layout) -> Layout:
        """The pieces of a layout that can be seen: neither what is covered nor turns without meaning."""
        evidence = Evidence(self.world.board, [Observation({})])
        return {cell: evidence.visible(cell, pieces) for cell, pieces in layout.items()}

    def _brush(self) -> None:
        """Now and then a sleeve pushes something a little, on its own place."""
        if self.run.is_bare and self.rng.random() < SHOVES:
            self._shove()
        things = self.world.things()
        if things and self.rng.random() < SLEEVES:
            thing = self.rng.choice(things)
            x, y = (at + self.rng.uniform(-SLEEVE_MM, SLEEVE_MM) for at in (thing.x, thing.y))
            if self.world.cell_at(x, y) == self.world.cell_at(thing.x, thing.y):
                turn = self.rng.uniform(-SLEEVE_DEGREES, SLEEVE_DEGREES)
                self.world.move(thing.id, x, y, thing.angle + turn)

    def _shove(self) -> None:
        """All cards on a bare table are pushed as a whole, and where the next ones will be laid with them."""
        board, rng = self.world.board, self.rng
        middle = At(board.width / 2, board.height / 2)
        x, y, turn = (rng.uniform(-1, 1) for _ in range(3))
        turned = At(SHOVE_MM * x, SHOVE_MM * y, SHOVE_DEGREES * turn)
        way = middle.inverse().then(turned).then(middle)
        cards = cards_at({marker.id: np.array(marker.corners()) for marker in board.markers})
        for thing in self.world.things():
            self.world.move(thing.id, *way.point(thing.x, thing.y), thing.angle + way.turn)
        self.world.board = bare(board, cards, way)

    def _follow_felt(self, session: Session, loop: Loop, before: State, meant: Meant, done: int) -> bool:
        """Weighs what the switches alone have made of a move; False where the camera must see it.

        What they cannot feel, a slip with a tile among it, the camera finds when it is back.
        """
        played = session.lines()[done:]
        if not played:
            self.found.read_later += loop.prompt.code != "choose"
            return loop.prompt.code == "choose"
        self.found.felt += 1
        assert self.switches is not None
        after = before.copy()
        for seat, text in played:
            after.apply(seat, after.notation.parse(text))
        felt = self.switches.occupied(self.world.layout())
        is_right = (
            self._is_meant(before, played, meant) or self.switches.occupied(self.expected(after)) == felt
        )
        self.found.wrong_commits += not is_right
        return True

    def _reach(self, loop: Loop, cell: Cell) -> None:
        """A hand over a place, for as long as the camera happens to see it; perhaps somebody else's too."""
        chance, place = self.rng.random(), self.world.board.places[cell]
        self.world.hands = ((place.x, place.y),)
        if self._happens(TWO_AT_ONCE):
            other = self.rng.choice(self.world.board.places)
            self.world.hands += ((other.x, other.y),)
        for _ in range(4 if chance < LINGERS else 1 if chance < HANDS else 0):
            self._step(loop)

    def _take_up(self, session: Session, loop: Loop) -> None:
        """People take up what they may; the table must not mind."""
        places, world = self.world.board.places, self.world
        passing = {cell: pieces for cell, pieces in world.layout().items() if places[cell].is_transient}
        wanted = self.expected(session.state())
        self._taken_up = {cell: p for cell, p in self._taken_up.items() if wanted.get(cell) == p}
        if not passing or self.rng.random() >= TAKES_UP:
            return
        for cell in passing:
            for thing in world.at(cell):
                world.take(thing.id)
        self._taken_up = dict(self._taken_up) | {cell: wanted.get(cell, ()) for cell in passing}
        self._rest(session, loop)
        self.found.false_alarms += loop.prompt.code == "wrong"
        self.found.unnecessary_questions += loop.prompt.code in ("choose", "unsure")

    def _left(self, layout: Layout) -> Layout:
        """A layout without what people took up."""
        return {cell: pieces for cell, pieces in layout.items() if self._taken_up.get(cell) != pieces}

    def _weigh(self, session: Session, loop: Loop, before: State, meant: Meant, slip: str, done: int) -> None:
        """Compares what the table believes with what really lies there, and goes on from there."""
        found, played = self.found, session.lines()[done:]
        if self._is_covered and played:
            self._weigh_felt(session, loop, slip, done)
            return
        if slip:
            found.slips += 1
            found.by_slip[slip] += 1
            self._weigh_slip(loop, before, played)
        elif played:
            found.wrong_commits += not self._is_meant(before, played, meant)
        else:
            self._ask(session, loop, meant, done)
        if len(session.lines()) == done:
            self._tap(session, meant)
        is_right = not slip and bool(played)
        if is_right:
            found.beliefs += 1
            found.wrong_beliefs += not self._leads_to_the_table(before, played)
        # People put the table right before they go on.
        self._put_right(session)
        if not is_right:
            self._rest(session, loop)

    def _weigh_felt(self, session: Session, loop: Loop, slip: str, done: int) -> None:
        """A slip beside a pawn's move that was felt must be found when the camera is back."""
        if slip:
            self.found.slips += 1
            self.found.by_slip[slip] += 1
            self._cover(False)
            self._wait(loop, Played, NoChange)
            is_right = self._seen(self.world.layout()) == self._seen(self.expected(session.state()))
            if is_right:
                self.found.other_legal_moves += 1
            elif loop.prompt.code == "fine":
                self.found.missed += 1
            else:
                self.found.caught += 1
        self._put_right(session)
        if slip:
            self._rest(session, loop)

    def _weigh_slip(self, loop: Loop, before: State, played: list[tuple[Seat, str]]) -> None:
        found = self.found
        if played:
            if self._leads_to_the_table(before, played):
                found.other_legal_moves += 1
            else:
                found.wrong_commits += 1
        elif self._is_as_before(before):
            found.no_visible_change += 1
        elif loop.prompt.code == "fine":
            found.missed += 1
        else:
            found.caught += 1

    def _is_as_before(self, before: State) -> bool:
        """Whether the table lies as before the move, except for what people may take up at any time."""
        was, now = self._seen(self.expected(before)), self._seen(self.world.layout())
        places = self.world.board.places
        gone = {cell for cell in was.keys() - now.keys() if places[cell].is_transient}
        return {cell: shown for cell, shown in was.items() if cell not in gone} == now

    def _ask(self, session: Session, loop: Loop, meant: Meant, done: int) -> None:
        """The table asks about a right move: people help it to see, or choose, or tap."""
        text = (meant.seat, session.state().notation.text(meant.action))
        if loop.prompt.code == "choose" and (text,) in loop.prompt.choices:
            self.found.ambiguous += 1
            return
        if loop.prompt.code == "wrong":
            self.found.false_alarms += 1
        else:
            self.found.unnecessary_questions += 1
        self._turn_lamp(loop.prompt.cells)
        self._straighten(loop.prompt.cells)
        self._wait(loop, Played)
        played = session.lines()[done:]
        if played:
            self.found.straightened += 1
            before = self.game.start(self.options)
            for seat, line in session.lines()[:done]:
                before.apply(seat, before.notation.parse(line))
            self.found.wrong_commits += not self._is_meant(before, played, meant)

    def _turn_lamp(self, cells: tuple[Cell, ...]) -> None:
        """A lamp that is mirrored where the table cannot see is turned away."""
        places = [self.world.board.places[cell] for cell in cells]
        if self.camera is not None and any(self.camera.is_glaring(place.x, place.y) for place in places):
            self.camera.turn_lamp()

    def _straighten(self, cells: tuple[Cell, ...]) -> None:
        """Lifts the pieces on these places and puts them down again, what lies there in the middle."""
        rng, (mm, degrees) = self.rng, self.slop
        for cell in cells:
            place = self.world.board.places[cell]
            for thing in self.world.at(cell):
                stands = self.world.faces[thing.face].kind in STANDING_KINDS
                x, y = (thing.x, thing.y) if stands else (place.x, place.y)
                turn = 90 * round((thing.angle - place.turn) / 90) + place.turn
                self.world.move(
                    thing.id, x + rng.gauss(0, mm), y + rng.gauss(0, mm), turn + rng.gauss(0, degrees)
                )

    def _put_right(self, session: Session) -> None:
        for step in self.hands.put_right(self._left(self.expected(session.state()))):
            step.act()

    def _is_meant(self, before: State, played: list[tuple[Seat, str]], meant: Meant) -> bool:
        """Whether the meant position was reached; digital draws may have followed it."""
        after = before.copy()
        for seat, text in played:
            after.apply(seat, after.notation.parse(text))
            if same(after, meant.after):
                return True
        return False

    def _leads_to_the_table(self, state: State, played: list[tuple[Seat, str]]) -> bool:
        """Whether what was played leads to what lies there; a digital draw may have followed already."""
        truth = self._seen(self.world.layout())
        after = state.copy()
        for seat, text in played:
            after.apply(seat, after.notation.parse(text))
            # Where something was taken up its like may lie again: it looks as if it had stayed.
            expected = self.expected(after)
            still = {cell: pieces for cell, pieces in expected.items() if cell in truth}
            if self._seen({**still, **self._left(expected)}) == truth:
                return True
        return False

    def _tap(self, session: Session, meant: Meant) -> None:
        """The players enter what they meant by hand."""
        text = session.state().notation.text(meant.action)
        if session.refusal(meant.seat, text) is None:
            session.submit(meant.seat, text)

    def _wait(self, loop: Loop, *kinds: type) -> None:
        """Waits for the table's answer."""
        for i in range(PATIENCE):
            result = self._step(loop)
            if isinstance(result, NoChange) and i < MOMENT:
                continue  # the table may not have looked again yet
            if isinstance(result, kinds) or (result is not None and loop.prompt.code != "fine"):
                return

    def _rest(self, session: Session, loop: Loop) -> None:
        """Nobody does anything: whatever the table believes was played now is wrong."""
        done = len(session.lines())
        self._wait(loop, NoChange)
        if len(session.lines()) > done:
            self.found.wrong_commits += 1
            self._put_right(session)

    def _seen(self, layout: Layout) -> dict[Cell, tuple[object, ...]]:
        """A layout as far as a camera can tell: neither what is covered nor the height of a stack."""
        faces = self.world.faces
        seen: dict[Cell, tuple[object, ...]] = {}
        for cell, pieces in layout.items():
            lying = [p for p in pieces if faces[p.face].kind not in STANDING_KINDS]
            standing = sorted(p.face for p in pieces if p not in lying)
            top = lying[-1:]
            shown = (*((p.face, faces[p.face].turn_of(p.turn)) for p in top), *standing)
            if shown:
                seen[cell] = shown
        return seen


def _on_a_table(board: Board, is_bare: bool, rng: Random) -> Board:
    """The board as it lies: before its players where it has several parts, on a bare table where asked."""
    if not is_bare:
        return strewn(board, rng, FLUSH)
    if not board.is_loose:
        raise ConfigError(f"{board.name} is no game of cards that lie on a bare table")
    way = At(rng.uniform(-15, 15), rng.uniform(-15, 15), rng.uniform(-4, 4))
    return bare(board, cards_around(board), way)


def evening(run: Run, seed: int) -> Trust:
    """Plays one game."""
    cv2.setNumThreads(1)
    return TrustGame(run, seed).play()


def evenings(run: Run, seeds: Sequence[int], jobs: int = 1) -> Iterator[Trust]:
    """Plays several games, some at a time, and tells of each in the order of their seeds."""
    if jobs == 1:
        for seed in seeds:
            yield evening(run, seed)
        return
    with ProcessPoolExecutor(jobs, get_context("forkserver")) as pool:
        yield from pool.map(evening, [run] * len(seeds), seeds)


class ResultsFile:
    """A file with a line of JSON for every game, so that a long run can be cut and taken up again."""

    def __init__(self, path: Path | None, run: Run) -> None:
        self._path, self._run = path, run
        self.found: dict[int, Trust] = {}
        """What came of the games of this run so far, by seed."""
        if path is None or not path.exists():
            return
        lines = [line for line in path.read_text().splitlines(keepends=True) if line.endswith("\n")]
        for number, line in enumerate(lines, 1):
            try:
                told = json.loads(line)
                seed, by_slip = told["run"].pop("seed"), Counter(told["found"].pop("by_slip"))
                trust = Trust(**told["found"], by_slip=by_slip)
            except (ValueError, TypeError, KeyError, AttributeError) as error:
                raise ConfigError(
                    f"{path}: line {number} is no game of a trust run; name another file with --keep"
                ) from error
            if told["run"] == json.loads(json.dumps(run._asdict())):
                self.found[seed] = trust
        path.write_text("".join(lines))  # without the game that was being written when the run was cut

    def add(self, seed: int, trust: Trust) -> None:
        self.found[seed] = trust
        if self._path is not None:
            with self._path.open("a") as file:
                print(json.dumps(_told(self._run, seed, trust)), file=file)


def _told(run: Run, seed: int, trust: Trust) -> dict[str, object]:
    return {"run": run._asdict() | {"seed": seed}, "found": vars(trust)}


CAMPAIGN = ((1, 100), (2, 50))
"""The levels of light and camera that a campaign plays every game at, and how many games at each."""


def _campaign(args: argparse.Namespace) -> int:
    """Plays all games at all levels of `CAMPAIGN`; what was played before is not played again."""
    if args.keep is None:
        raise ConfigError("a campaign takes days: name a file with --keep, so that it can be taken up again")
    seed = _seed_kept(args.keep) or secrets.randbelow(1_000_000) + 1
    print(f"seeds from {seed}, drawn at random; kept in {args.keep}", flush=True)
    worst = 0
    for level, count in CAMPAIGN:
        for game in REGISTRY:
            told = [game, f"--level={level}", f"-n={min(count, args.n or count)}", f"--seed={seed}"]
            told += [f"--keep={args.keep}", f"--bot={args.bot}", f"--jobs={args.jobs}", f"--eyes={args.eyes}"]
            told += [f"--moves={args.moves}", f"--slips={args.slips}", *(["--json"] if args.json else [])]
            worst = max(worst, command(told))
    return worst


def _seed_kept(path: Path) -> int | None:
    """The first seed of a campaign that was begun; None of a new one."""
    if not path.exists():
        return None
    lines = [line for line in path.read_text().splitlines(keepends=True) if line.endswith("\n")]
    seeds = [int(json.loads(line)["run"]["seed"]) for line in lines]
    return min(seeds, default=None)


def command(argv: list[str]) -> int:
    """Runs the games and prints what came of them; returns 1 when a position was believed wrongly."""
    args = _arguments().parse_args(argv)
    if args.game == "all":
        return _campaign(args)
    args.n = 5 if args.n is None else args.n
    given = tuple(from_pairs(args.option).items())
    run = Run(
        args.game,
        given,
        args.level,
        args.slips,
        args.bot,
        args.moves,
        args.eyes == "clear",
        args.lights,
        args.switches or bool(args.cover),
        args.cover,
        SIZES[args.size],
        args.bare,
    )
    find_bot(load(run.game), run.bot)
    seeds, kept, total = range(args.seed, args.seed + args.n), ResultsFile(args.keep, run), Trust()
    missing = [seed for seed in seeds if seed not in kept.found]
    for seed, trust in zip(missing, evenings(run, missing, args.jobs), strict=True):
        kept.add(seed, trust)
        if sys.stderr.isatty():
            done = sum(seed in kept.found for seed in seeds)
            filled = 40 * done // args.n
            print(f"\r[{'#' * filled}{'.' * (40 - filled)}] {done}/{args.n}", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    for seed in seeds:
        total.add(kept.found[seed])
    if args.json:
        print(json.dumps(_told(run, args.seed, total), indent=1))
    else:
        print(f"{run.game}: {total.games} games, {total.moves} moves, {total.seconds:.0f} s")
        for name, value in vars(total).items():
            if name not in ("games", "moves", "by_slip", "seconds"):
                print(f"  {name.replace('_', ' '):<22} {value}")
        print(f"  slips by kind: {dict(total.by_slip)}")
    return 1 if total.wrong_commits else 0


def _arguments() -> argparse.ArgumentParser:
    ask = argparse.ArgumentParser(prog="gloam trust", description=(__doc__ or "").splitlines()[0])
    ask.add_argument("game", metavar="GAME", help="or all: a campaign of every game")
    ask.add_argument("--option", action="append", default=[], metavar="K=V")
    ask.add_argument("-n", type=int, metavar="N", help="how many games; 5 if not said")
    ask.add_argument("--moves", type=int, default=10_000, help="the most moves of a game")
    ask.add_argument("--slips", type=float, default=0.1, help="share of moves in which something goes wrong")
    ask.add_argument("--level", type=int, default=1, choices=range(5), help="how bad light and camera are")
    ask.add_argument("--eyes", choices=("camera", "clear"), default="camera", help="clear: no pixels")
    ask.add_argument("--lights", default="", metavar="MAP", help="with light on the table: rails, halo, …")
    ask.add_argument("--switches", action="store_true", help="switches under the places feel the pawns")
    ask.add_argument("--cover", type=int, default=0, metavar="N", help="cover the camera in every Nth turn")
    ask.add_argument("--bare", action="store_true", help="cards on a bare table, among marker cards")
    ask.add_argument("--size", choices=SIZES, default="720p", help="the pictures of the camera")
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--bot", default="careful")
    ask.add_argument("--jobs", type=int, default=1, metavar="J", help="games played at the same time")
    ask.add_argument(
        "--keep", type=Path, metavar="FILE", help="keep every game there, play only what is missing"
    )
    ask.add_argument("--json", action="store_true", help="print the result as JSON")
    return ask
