"""From a camera frame to the LED frame that answers it, stage by stage: for `gloam bench`.

A bot's moves are laid on the virtual table; the frame that shows each is taken through every stage by itself.
Belongs to the composition root: it knows every package.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from companion.engine.action import PUBLIC, TABLE, Action, Seat
from companion.engine.chance import weighted
from companion.engine.game import turn_for
from companion.engine.observation import Played
from companion.games import load
from companion.service.open_parts import own_faces, virtual_camera
from companion.table.journal import Journal
from companion.table.session import Session
from companion.world.hands import Hands
from companion.world.physical import Slop, World
from hardware import wire
from hardware.fakes import FakeClock
from hardware.wiring import PartSettings, build
from vision.find import Finder
from vision.match import match
from vision.read import Reader
from vision.settle import STILL_S, Settle

STAGES = ("find", "settle", "read", "match", "submit", "scene", "render", "wire")
"""Finding the board, watching for motion, reading every place, comparing with the rules, making the move
durable, what it means for the lights, their bytes, and the message for the microcontroller."""


class Stopwatch:
    """Times of each stage, in milliseconds."""

    def __init__(self) -> None:
        self.ms: dict[str, list[float]] = {stage: [] for stage in STAGES}

    def time(self, stage: str, work: Callable[..., Any], *args: Any) -> Any:
        """Does the work and notes how long it took."""
        began = time.perf_counter()
        done = work(*args)
        self.ms[stage].append((time.perf_counter() - began) * 1000)
        return done


def measures(moves: int = 8, seed: int = 4) -> dict[str, float]:
    """The middle time of each stage in ms, their sum as `total`, and the rest before reading as `rest`."""
    watch = Stopwatch()
    with TemporaryDirectory() as folder:
        journal = Journal(Path(folder) / "bench.db")
        _play(journal, watch, moves, Random(seed))
        journal.close()
    found = {stage: median(times) for stage, times in watch.ms.items()}
    return found | {"total": sum(found.values()), "rest": STILL_S * 1000}


def _play(journal: Journal, watch: Stopwatch, moves: int, rng: Random) -> None:
    game = load("night_cage")
    options = game.resolve({"players": 2})
    session = Session.start(journal, game, options, seed=rng.randrange(1000))
    board = game.board(options)
    world = World(board)
    camera = virtual_camera(game.key, world)
    finder, settle, reader = Finder(board), Settle(), Reader(own_faces(game.key, board), board)
    lights = build(PartSettings(), board, FakeClock(1.0)).lights
    hands = Hands(world, rng, Slop())
    # The first look reads every place; from then on only what has changed is read, as at a real table.
    image = camera()
    reader.read(image, finder.look(image).pose)
    measured = 0
    while measured < moves and (needs := session.state().needs()):
        state = session.state()
        seat = needs[0].seat
        if seat == TABLE:
            action = weighted(state.outcomes(), rng)
        else:
            action = game.bots["random"](turn_for(game, state, seat, rng))
        after = state.copy()
        after.apply(seat, action)
        before, target = game.layout(game.view(state, PUBLIC)), game.layout(game.view(after, PUBLIC))
        line: tuple[tuple[Seat, Action], ...] = ((seat, action),)
        if before != target:
            for step in hands.put_right(target):
                step.act()
            image = camera()
            sight = watch.time("find", finder.look, image)
            watch.time("settle", settle.look, image, sight, float(measured))
            look = watch.time("read", reader.read, image, sight.pose)
            result = watch.time("match", match, look, game, state, options)
            line = result.line if isinstance(result, Played) else line
            measured += 1
        for who, what in line:
            watch.time("submit", session.submit, who, state.notation.text(what))
        lights.show(watch.time("scene", game.scene, session.update(PUBLIC).view))
        watch.time("render", lights.step)
        watch.time("wire", wire.encode, wire.KEYFRAME, 1, lights.frame)
