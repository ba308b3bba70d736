"""`gloam arena`: how well do bots play? Whole games by a strength, and by the careful bot on the same seeds.

Chance has a generator of its own, so both meet the same luck as long as they decide the same. With `--keep`
every game becomes a line of a file when it ends; the same command then plays only what is missing.
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from companion.engine.action import TABLE, Action, Seat
from companion.engine.chance import weighted
from companion.engine.errors import ConfigError
from companion.engine.game import Game, turn_for
from companion.engine.options import Options, from_pairs
from companion.engine.search import STRENGTHS, candidates, choose
from companion.engine.state import State
from companion.games import REGISTRY
from companion.settings.data_folder import data_folder
from companion.table.boxes import Boxes
from companion.table.play import LIMIT, find_bot

BESIDE = "careful"
Z95 = 1.959964


class PlayedGame(NamedTuple):
    """One game of the arena, as its file keeps it."""

    player: str
    seed: int
    seats: list[str]
    """The seats that the player held."""
    code: str
    won: bool
    share: float | None
    """The player's share of all points as a multiple of the fair one; None where nobody made points."""
    decisions: int
    seconds: float
    longest: float


class ArenaRun(NamedTuple):
    """What is played; games of another run cannot be added to its file."""

    game: str
    options: dict[str, Any]
    player: str
    against: str
    seats: str
    seed: int


def wilson(won: int, games: int) -> tuple[float, float]:
    """The 95 % interval of a rate.

    >>> tuple(round(end, 3) for end in wilson(50, 100))
    (0.404, 0.596)
    """
    if not games:
        return 0.0, 1.0
    rate, z2 = won / games, Z95 * Z95
    middle = (rate + z2 / (2 * games)) / (1 + z2 / games)
    half = Z95 / (1 + z2 / games) * sqrt(rate * (1 - rate) / games + z2 / (4 * games * games))
    return max(0.0, middle - half), min(1.0, middle + half)


def _decider(game: Game, name: str) -> Callable[[State, Seat, Random], Action]:
    if name in STRENGTHS:
        return lambda state, seat, rng: choose(game, state, seat, name, rng)
    bot = find_bot(game, name)

    def decide(state: State, seat: Seat, rng: Random) -> Action:
        return bot(turn_for(game, state, seat, rng)._replace(actions=candidates(game, state, seat)))

    return decide


def _held(game: Game, options: Options, run: ArenaRun, seed: int) -> list[Seat]:
    """The player's seats: those that were named, else the sides take turns."""
    names = game.seats(options)
    if run.seats:
        return [names.index(name) for name in run.seats.split(",")]
    sides = sorted({game.side(options, seat) for seat in range(len(names))})
    side = sides[seed % len(sides)]
    return [seat for seat in range(len(names)) if game.side(options, seat) == side]


def play_one(game: Game, options: Options, run: ArenaRun, player: str, seed: int) -> PlayedGame:
    """Plays one game to its end."""
    held = _held(game, options, run, seed)
    mine, theirs = _decider(game, player), _decider(game, run.against)
    luck, thought = Random(f"luck {seed}"), Random(f"thought {seed}")
    state = game.start(options)
    decisions, seconds, longest = 0, 0.0, 0.0
    for _ in range(LIMIT):
        needs = [need for need in state.needs() if not game.notes.issuperset(need.verbs)]
        if not needs:
            break
        if any(need.seat == TABLE for need in needs):
            state.apply(TABLE, weighted(state.outcomes(), luck))
            continue
        seat = needs[0].seat
        began = time.process_time()
        action = (mine if seat in held else theirs)(state, seat, thought)
        took = time.process_time() - began
        if seat in held and len(candidates(game, state, seat)) > 1:
            decisions, seconds, longest = decisions + 1, seconds + took, max(longest, took)
        state.apply(seat, action)
    outcome = state.outcome()
    assert outcome is not None, f"{game.key} did not end after {LIMIT} actions"
    names = game.seats(options)
    total = sum(outcome.points)
    share = sum(outcome.points[seat] for seat in held) * len(names) / len(held) / total if total else None
    won = any(seat in outcome.winners for seat in held)
    return PlayedGame(
        player, seed, [names[seat] for seat in held], outcome.code, won, share, decisions, seconds, longest
    )


class GamesFile:
    """The games of a run, one a line; the first line says which run."""

    def __init__(self, path: Path | None, run: ArenaRun) -> None:
        self.path = path
        self.games: list[PlayedGame] = []
        if path is None:
            return
        head = json.dumps(run._asdict(), sort_keys=True)
        if not path.exists():
            path.write_text(head + "\n", "utf-8")
            return
        written = path.read_text("utf-8").splitlines(keepends=True)
        whole = [line for line in written if line.endswith("\n")]
        if not whole or whole[0].strip() != head:
            raise ConfigError(f"{path} holds games of another run; name another file with --keep")
        self.games = [PlayedGame(**json.loads(line)) for line in whole[1:]]
        if whole != written:  # the last line was cut
            path.write_text("".join(whole), "utf-8")

    def add(self, played: PlayedGame) -> None:
        self.games.append(played)
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(played._asdict()) + "\n")


def summary(games: Sequence[PlayedGame]) -> dict[str, Any]:
    """What the games of one player came to."""
    won, n = sum(one.won for one in games), len(games)
    low, high = wilson(won, n)
    shares = [one.share for one in games if one.share is not None]
    mean = sum(shares) / len(shares) if shares else None
    spread = 0.0
    if mean is not None and len(shares) > 1:
        spread = Z95 * sqrt(sum((one - mean) ** 2 for one in shares) / (len(shares) - 1) / len(shares))
    decisions = sum(one.decisions for one in games)
    return {
        "games": n,
        "won": won,
        "rate": won / n if n else 0.0,
        "low": low,
        "high": high,
        "points_share": mean,
        "points_share_error": spread,
        "decisions": decisions,
        "cpu_ms_a_decision": 1000 * sum(one.seconds for one in games) / max(1, decisions),
        "cpu_ms_longest": 1000 * max((one.longest for one in games), default=0.0),
        "outcomes": dict(Counter(one.code for one in games)),
    }


def _missing(run: ArenaRun, games: int, kept: GamesFile, beside: bool) -> Iterator[tuple[str, int]]:
    done = {(one.player, one.seed) for one in kept.games}
    players = dict.fromkeys((run.player, BESIDE) if beside else (run.player,))
    for seed in range(run.seed, run.seed + games):
        yield from ((player, seed) for player in players if (player, seed) not in done)


def _line(player: str, found: dict[str, Any]) -> str:
    text = (
        f"  {player:<9} {found['won']:>4} of {found['games']:<4} {found['rate']:6.1%}"
        f"  95 %: {found['low']:.1%} to {found['high']:.1%}"
        f"  CPU {found['cpu_ms_a_decision']:.1f} ms a decision, longest {found['cpu_ms_longest']:.0f} ms"
    )
    if found["points_share"] is not None:
        text += f"  points {found['points_share']:.2f} ± {found['points_share_error']:.2f} of the fair share"
    return text


def _arguments(args: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="gloam arena", description="Measure how well bots play a GAME.")
    parser.add_argument("game", metavar="GAME", help=", ".join(REGISTRY))
    parser.add_argument("--option", action="append", default=[], metavar="K=V", help="an option of the game")
    parser.add_argument("--player", default="strong", help=f"{', '.join(STRENGTHS)}, or a bot of the game")
    parser.add_argument("--against", default=BESIDE, help="who plays the other seats")
    parser.add_argument(
        "--seats", default="", metavar="A,B", help="the player's seats; else sides take turns"
    )
    parser.add_argument("--games", type=int, default=20, metavar="N")
    parser.add_argument("--seed", type=int, help="the first game's; the next has the next one")
    parser.add_argument(
        "--keep", type=Path, metavar="FILE", help="keep every game there, play what is missing"
    )
    parser.add_argument("--alone", action="store_true", help=f"do not play {BESIDE} on the same seeds")
    parser.add_argument("--json", action="store_true", help="print everything that was counted")
    return parser.parse_args(args)


def command(args: Sequence[str]) -> int:
    """Runs `gloam arena`."""
    asked = _arguments(args)
    if asked.games < 1:
        raise ConfigError(f"--games {asked.games}: must be 1 or more")
    game = Boxes(data_folder()).load(asked.game)
    options = game.resolve(from_pairs(asked.option))
    for name in (asked.player, asked.against):
        if name not in STRENGTHS:
            find_bot(game, name)
    unknown = [seat for seat in asked.seats.split(",") if seat and seat not in game.seats(options)]
    if unknown:
        raise ConfigError(f"--seats: no seat {unknown[0]!r}; there are {', '.join(game.seats(options))}")
    if asked.keep is not None and asked.seed is None:
        raise ConfigError("--keep needs --seed: the same command must name the same games")
    seed = secrets.randbelow(2**31) if asked.seed is None else asked.seed
    run = ArenaRun(game.key, dict(options), asked.player, asked.against, asked.seats, seed)
    kept = GamesFile(asked.keep, run)
    missing = list(_missing(run, asked.games, kept, not asked.alone))
    for number, (player, one) in enumerate(missing, 1):
        kept.add(play_one(game, options, run, player, one))
        _progress(number, len(missing))
    seeds = range(seed, seed + asked.games)
    found = {
        player: summary([one for one in kept.games if one.player == player and one.seed in seeds])
        for player in dict.fromkeys(one.player for one in kept.games)
    }
    if asked.json:
        print(json.dumps({"run": run._asdict(), "games": asked.games, "players": found}, indent=1))
        return 0
    print(f"{game.key}: {asked.games} games, seed {seed}, against {asked.against}")
    for player, counted in found.items():
        print(_line(player, counted))
    return 0


def _progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        filled = 40 * done // total
        end = "\n" if done == total else ""
        print(f"\r[{'#' * filled}{'.' * (40 - filled)}] {done}/{total}", end=end, file=sys.stderr)
