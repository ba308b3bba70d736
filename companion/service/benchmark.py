"""`gloam bench`: how fast Gloam is, as ratios to known peers measured in the same run on one core.

Like all of `companion.service` it may import the peers and the other packages.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any, NamedTuple

from companion.engine.action import PUBLIC, TABLE
from companion.engine.chance import weighted
from companion.engine.errors import ConfigError
from companion.engine.game import Game
from companion.engine.grid import cells_of
from companion.engine.options import Options
from companion.engine.state import State
from companion.games import REGISTRY, load
from companion.table.play import walk

SECONDS = 1.5
ABOVE_IDLE_FRAMES = 3.0
"""How much longer than usual a lamp may take to answer, whatever the eyes do, on a quiet machine."""
ROUNDS = 3
"""How often each pair is measured in turns; the median ratio counts, because other work slows both."""


class Measure(NamedTuple):
    """One line of the report: the number, and the bar it must reach (or stay under), if there is one."""

    name: str
    value: float
    unit: str
    bar: float | None = None
    is_ceiling: bool = False

    @property
    def is_met(self) -> bool:
        if self.bar is None:
            return True
        return self.value <= self.bar if self.is_ceiling else self.value >= self.bar


Suite = Callable[[], list[Measure]]


def command(argv: list[str]) -> int:
    """Runs the suite; returns 1 when a promise is not kept."""
    parser = argparse.ArgumentParser(prog="gloam bench", description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    parser.add_argument(
        "--only", metavar="NAME", default="", help="a suite, or one of its measures: web, web.push"
    )
    args = parser.parse_args(argv)
    measures, others = [], []
    for suite in _chosen(args.only):
        for measure in suite():
            if not measure.name.startswith(args.only):
                others.append(measure.name)
                continue
            measures.append(measure)
            if not args.json:
                print(_line(measure), flush=True)
    if not measures:
        raise ConfigError(f"bench --only {args.only}: unknown measure; known: {', '.join(others)}")
    if args.json:
        print(json.dumps([measure._asdict() | {"met": measure.is_met} for measure in measures], indent=1))
    return 0 if all(measure.is_met for measure in measures) else 1


def _chosen(only: str) -> list[Suite]:
    """The suites that hold the measures asked for: all, or the one that is named before the dot."""
    suites = _suites()
    name = only.partition(".")[0]
    if not name:
        return list(suites.values())
    if name not in suites:
        raise ConfigError(f"bench --only {only}: unknown measure; known: {', '.join(suites)}")
    return [suites[name]]


def _line(measure: Measure) -> str:
    bar = (
        "" if measure.bar is None else f"   {'at most' if measure.is_ceiling else 'at least'} {measure.bar:g}"
    )
    verdict = "" if measure.is_met else "   NOT MET"
    return f"{measure.name:<34} {measure.value:>10.3g} {measure.unit:<24}{bar}{verdict}"


def _suites() -> dict[str, Suite]:
    return {
        "playouts": _playouts,
        "copy": _copies,
        "view": _views,
        "sight": _sight,
        "lights": _lights,
        "vision": _vision,
        "web": _web,
        "siege": _siege,
        "loop": _loop,
        "lamp": _lamp,
    }


def _lights() -> list[Measure]:
    found = import_module("hardware.benchmark").measures()
    return [
        Measure("lights.frame", found["frame_to_wire"], "× wire time of 196 LEDs", 0.1, True),
        Measure("lights.core", found["core_at_60_fps"], "of a core at 60 fps", 0.1, True),
    ]


def _web() -> list[Measure]:
    found = import_module("web.benchmark").measures()
    return [
        Measure("web.push", found["push_p99_ms"], "ms, p99 to 25 pages"),
        Measure("web.bare", found["bare_p99_ms"], "ms, p99 of bare events of the same sizes"),
        Measure("web.push_ratio", found["push_over_bare"], "× bare events", 2.0, True),
        Measure("web.request", found["request_p99_ms"], "ms, p99 meanwhile"),
        Measure("web.lost", found["lost"], "streams", 0.0, True),
    ]


def _siege() -> list[Measure]:
    """One guest against the table: what the host and six seats notice of it."""
    found = import_module("web.siege").measures()
    return [
        Measure("siege.idle", found["idle_p99_ms"], "ms, p99 of a request"),
        Measure("siege.besieged", found["siege_p99_ms"], "ms, p99 of a request"),
        Measure("siege.ratio", found["ratio"], "× idle", 3.0, True),
        Measure("siege.failed", found["failed"], "requests", 0.0, True),
        Measure("siege.lost", found["lost"], "streams", 0.0, True),
    ]


def _lamp() -> list[Measure]:
    """Taps and buttons while the eyes are busy: the worst case in frame times above the usual one."""
    measures = []
    for key in REGISTRY:
        found = import_module("companion.service.lamp_benchmark").measures(key)
        for name, value in found.items():
            is_frames = not name.endswith((".ms", ".idle"))
            unit = "frames above idle" if is_frames else "ms, worst" if name.endswith(".ms") else "ms"
            bar = ABOVE_IDLE_FRAMES if is_frames else None
            measures.append(Measure(f"lamp.{key}.{name}", value, unit, bar, is_frames))
    return measures


def _loop() -> list[Measure]:
    found = import_module("companion.service.latency").measures()
    return [Measure(f"loop.{stage}", ms, "ms") for stage, ms in found.items()]


def _vision() -> list[Measure]:
    benchmark = import_module("vision.lab.benchmark")
    found = benchmark.measures()
    aruco, memory = "× full-frame aruco", f"MB over {benchmark.FRAMES} frames"
    return [
        Measure("vision.track", found["track"], aruco, 0.5, True),
        Measure("vision.find", found["find"], aruco, 3, True),
        Measure("vision.cards", found["cards"], "× finding by a frame", 1.5, True),
        Measure("vision.look", found["look"], aruco),
        Measure("vision.read52", found["read52"], aruco, 25, True),
        Measure("vision.read178", found["read178"], aruco, 60, True),
        Measure("vision.learn52", found["learn52"], aruco, 40, True),
        Measure("vision.learn178", found["learn178"], aruco, 40, True),
        Measure("vision.classify49", found["classify49_ms"], "ms", 5, True),
        Measure("vision.memory", found["memory_mb"], memory, 8, True),
    ]


def _chess() -> Any:
    try:
        return import_module("chess")
    except ImportError as error:
        raise ConfigError(
            "gloam bench needs python-chess: pip install chess, or start it as ./gloam bench"
        ) from error


def playout(state: State, rng: Random) -> int:
    """Plays to the end at random; returns the number of actions, chance included: all are checked."""
    actions = 0
    while needs := state.needs():
        seat = needs[0].seat if len(needs) == 1 else rng.choice(needs).seat
        action = weighted(state.outcomes(), rng) if seat == TABLE else rng.choice(state.actions(seat))
        state.apply(seat, action)
        actions += 1
    return actions


def chess_playout(chess: Any, rng: Random) -> int:
    """The same for python-chess, with a lean end test: no legal move, dead material, or 75 quiet moves."""
    board = chess.Board()
    moves = 0
    while board.halfmove_clock < 150 and not board.is_insufficient_material():
        legal = list(board.legal_moves)
        if not legal:
            break
        board.push(rng.choice(legal))
        moves += 1
    return moves


def _rate(work: Callable[[], int], seconds: float) -> float:
    """Units of work a second of the processor: what else the machine does meanwhile counts for nothing."""
    done = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        done += work()
    return done / (time.process_time() - began)


def _ratio(ours: Callable[[], int], theirs: Callable[[], int], seconds: float = SECONDS) -> float:
    """The middle ratio of rates over several turns."""
    ratios = sorted(_rate(ours, seconds) / _rate(theirs, seconds) for _ in range(ROUNDS))
    return ratios[ROUNDS // 2]


def _playouts() -> list[Measure]:
    chess = _chess()
    measures = []
    for key in REGISTRY:
        game = load(key)
        options = game.resolve({})
        rng, peer = Random(1), Random(1)

        def ours(game: Game = game, options: Options = options, rng: Random = rng) -> int:
            return playout(game.start(options), rng)

        def theirs(peer: Random = peer) -> int:
            return chess_playout(chess, peer)

        bar = game.bars.get("playouts")
        measures.append(Measure(f"playouts.{key}", _ratio(ours, theirs), "× python-chess", bar))
    return measures


def _middle(game: Game) -> State:
    """A state in the middle of a random game."""
    options = game.resolve({})
    rng = Random(5)
    states = [game.start(options)]
    while needs := states[-1].needs():
        state = states[-1].copy()
        seat = needs[0].seat
        state.apply(
            seat, weighted(state.outcomes(), rng) if seat == TABLE else rng.choice(state.actions(seat))
        )
        states.append(state)
    return states[len(states) // 2]


def _repeat(work: Callable[[], object]) -> Callable[[], int]:
    def many() -> int:
        for _ in range(200):
            work()
        return 200

    return many


def _copies() -> list[Measure]:
    board = _chess().Board()
    measures = []
    for key in REGISTRY:
        game = load(key)
        state = _middle(game)
        ratio = _ratio(_repeat(state.copy), _repeat(lambda: board.copy(stack=False)), 0.3)
        measures.append(Measure(f"copy.{key}", ratio, "× python-chess copy()", game.bars.get("copy")))
    return measures


def _views() -> list[Measure]:
    chess = _chess()
    board = chess.Board()
    measures = []
    for key in REGISTRY:
        game = load(key)
        state = _middle(game)

        def show(game: Game = game, state: State = state) -> object:
            return game.scene(game.view(state, PUBLIC))

        ratio = _ratio(_repeat(show), _repeat(lambda: list(board.legal_moves)), 0.3)
        measures.append(Measure(f"view.{key}", ratio, "× python-chess moves"))
    return measures


def _sight() -> list[Measure]:
    """Light and every monster's sight on the fullest board of an advanced game for five."""
    game = load("night_cage")
    options = game.resolve({"players": 5, "advanced": True})
    states: list[Any] = [step.state.copy() for seed in range(5) for step in walk(game, options, Random(seed))]
    state = max(states, key=lambda state: (state.monsters.bit_count(), state.laid.bit_count()))

    def look() -> None:
        state.lit_mask()
        for monster in cells_of(state.monsters):
            state.looks(monster)

    board = _chess().Board()
    ratio = _ratio(_repeat(look), _repeat(lambda: list(board.legal_moves)), 0.3)
    return [Measure("sight.night_cage", ratio, "× python-chess moves", 1.0)]


if __name__ == "__main__":
    sys.exit(command(sys.argv[1:]))
