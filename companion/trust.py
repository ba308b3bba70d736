"""`gloam trust`: does the table understand us? Whole games played by hands in the physical world, with slips.

Bots decide, people carry it out on the virtual table and get some of it wrong, the virtual camera looks, the
eyes read, and the loop follows. Counted: positions believed wrongly, slips noticed and missed, alarms without
a reason, questions that were not needed. Belongs to the composition root: it knows every package.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from random import Random
from tempfile import TemporaryDirectory

from companion.action import TABLE, Action, Seat
from companion.chance import weighted
from companion.errors import ConfigError
from companion.game import Game, turn_for
from companion.games import load, load_art
from companion.journal import Journal
from companion.layout import Layout
from companion.loop import Loop, Sees
from companion.options import Options
from companion.people import Hands
from companion.play import find_bot
from companion.scene import Scene
from companion.seeing import Match, NoChange, Observation, Played, Reading
from companion.session import Session
from companion.state import State
from companion.world import Slop, World
from vision.camera import Virtual
from vision.eyes import Eyes
from vision.find import Finder
from vision.match import match
from vision.read import Reader
from vision.teach import Teach
from vision.virtual import VirtualCamera, taught

FRAME_S = 0.3
"""Virtual seconds between two frames."""
PATIENCE = 14
"""Looks at an unchanged table before people stop waiting for an answer."""
SLOPS = (Slop(0.3, 0.5), Slop(0.7, 1.2), Slop(1.2, 2.2), Slop(1.8, 4.0), Slop(2.4, 6.0))
"""How carelessly pieces are put down at each damage level."""


@dataclass
class Trust:
    """What came of some games."""

    games: int = 0
    moves: int = 0
    wrong_commits: int = 0
    slips: int = 0
    caught: int = 0
    missed: int = 0
    """Slips after which the table did not say that something is wrong."""
    other_moves: int = 0
    """Slips that happened to be another legal move, followed as such."""
    false_alarms: int = 0
    questions: int = 0
    """Right moves that the table could not follow by itself."""
    unfinished: int = 0
    by_slip: dict[str, int] = field(default_factory=dict)

    def add(self, other: Trust) -> None:
        for name, value in asdict(other).items():
            if isinstance(value, int):
                setattr(self, name, getattr(self, name) + value)
        for name, n in other.by_slip.items():
            self.by_slip[name] = self.by_slip.get(name, 0) + n


class Dark:
    """Lights that are not looked at."""

    def show(self, scene: Scene) -> None:
        pass


class ClearEyes:
    """Eyes that see the world as it is: for trying the loop and people's slips without pixels."""

    def __init__(self, world: World) -> None:
        self._world = world

    def step(self) -> object | None:
        return self

    def judge(self, game: Game, state: State, options: Options) -> Match | None:
        if self._world.hands:
            return None
        seen = self._world.layout()
        places = range(len(self._world.board.places))
        look = Observation({cell: Reading(seen.get(cell, ()), 0.999) for cell in places})
        return match(look, game, state, options)


class Evening:
    """One game on the virtual table, from the set-up to the end; without a teach file with `ClearEyes`."""

    def __init__(
        self, game: Game, options: Options, teach: Teach | None, seed: int, level: int, slips: float
    ) -> None:
        self.game, self.options = game, options
        self.rng = Random(seed)
        self.world = World(game.board(options))
        self.now_s = 0.0
        self.eyes: Sees = ClearEyes(self.world)
        if teach is not None:
            camera = VirtualCamera(self.world, load_art(game.key).draw, level=level, seed=seed)
            board = self.world.board
            self.eyes = Eyes(Virtual(camera, self._clock), Finder(board), Reader(teach, board))
        self.hands = Hands(self.world, self.rng, SLOPS[level], slips)
        self.neat = Hands(self.world, self.rng, SLOPS[level])
        self.slop = SLOPS[level]
        self.found = Trust(games=1)

    def _clock(self) -> float:
        self.now_s += FRAME_S
        return self.now_s

    def expected(self, state: State) -> Layout:
        """What should lie on the table."""
        return self.game.layout(self.game.view(state, self.game.camera(self.options)))

    def play(self, bot: str, most: int) -> Trust:
        """Plays until the game ends or so many moves were made."""
        with TemporaryDirectory() as folder:
            journal = Journal(f"{folder}/evening.db")
            session = Session.start(journal, self.game, self.options, seed=self.rng.randrange(2**31))
            loop = Loop(session, self.eyes, Dark())
            self.world.set_up(self.expected(session.state()), self.rng, self.slop)
            self._wait(loop, NoChange)
            while session.state().needs() and self.found.moves < most:
                self._turn(session, loop, bot)
            journal.close()
        return self.found

    def _decide(self, state: State, bot: str) -> tuple[Seat, Action]:
        needs = state.needs()
        if any(need.seat == TABLE for need in needs):
            return TABLE, weighted(state.outcomes(), self.rng)
        seat = self.rng.choice(needs).seat
        return seat, find_bot(self.game, bot)(turn_for(self.game, state, seat, self.rng))

    def _turn(self, session: Session, loop: Loop, bot: str) -> None:
        """One decision: carried out by hand where it can be seen, tapped where it cannot."""
        state = session.state()
        before = self.expected(state)
        seat, action = self._decide(state, bot)
        after = state.copy()
        after.apply(seat, action)
        target = self.expected(after)
        self.found.moves += 1
        if target == before:
            session.submit(seat, state.notation.text(action))
            return
        steps, slip = self.hands.carry_out(before, target)
        for step in steps:
            place = self.world.board.places[step.cell]
            self.world.hands = ((place.x, place.y),)
            loop.step()
            step.act()
        self.world.hands = ()
        lines = len(session.lines())
        self._wait(loop, Played, NoChange)
        self._judge(session, loop, state, (seat, action), slip, session.lines()[lines:])

    def _judge(
        self,
        session: Session,
        loop: Loop,
        before: State,
        meant: tuple[Seat, Action],
        slip: str,
        played: list[tuple[Seat, str]],
    ) -> None:
        """Compares what the table believes with what really lies there, and goes on from there."""
        found, has_moved = self.found, bool(played)
        fits = self._leads_to_the_table(before, played)
        if slip:
            found.slips += 1
            found.by_slip[slip] = found.by_slip.get(slip, 0) + 1
        if has_moved and not fits:
            found.wrong_commits += 1
        elif has_moved and slip:
            found.other_moves += 1
        elif slip and loop.word.code == "wrong":
            found.caught += 1
        elif slip and not fits and loop.word.code == "fine":
            found.missed += 1
        elif slip and not fits:
            found.caught += 1  # asked about instead of accepted
        elif not slip and not has_moved:
            if loop.word.code == "wrong":
                found.false_alarms += 1
            else:
                found.questions += 1
        if not has_moved:
            self._tap(session, meant)
        # People put the table right before they go on.
        for step in self.neat.put_right(self.expected(session.state())):
            step.act()
        self._wait(loop, NoChange)

    def _leads_to_the_table(self, state: State, played: list[tuple[Seat, str]]) -> bool:
        """Whether what was played leads to what lies there; a digital draw may have followed already."""
        truth = _seen(self.world, self.world.layout())
        if not played:
            return _seen(self.world, self.expected(state)) == truth
        after = state.copy()
        for seat, text in played:
            after.apply(seat, after.notation.parse(text))
            if _seen(self.world, self.expected(after)) == truth:
                return True
        return False

    def _tap(self, session: Session, meant: tuple[Seat, Action]) -> None:
        """The players enter what they meant by hand."""
        seat, action = meant
        text = session.state().notation.text(action)
        if session.refusal(seat, text) is None:
            session.submit(seat, text)

    def _wait(self, loop: Loop, *kinds: type) -> None:
        """Waits for the table's answer."""
        for _ in range(PATIENCE):
            result = loop.step()
            if isinstance(result, kinds) or (result is not None and loop.word.code != "fine"):
                return


def _seen(world: World, layout: Layout) -> dict[int, tuple[object, ...]]:
    """A layout as far as a camera can tell: neither what is covered nor the height of a stack."""
    seen: dict[int, tuple[object, ...]] = {}
    for cell, pieces in layout.items():
        lying = [p for p in pieces if world.faces[p.face].kind not in ("pawn", "figure", "die")]
        standing = sorted(p.face for p in pieces if p not in lying)
        top = lying[-1:]
        shown = tuple((p.face, world.faces[p.face].turn_of(p.turn)) for p in top) + tuple(standing)
        if shown:
            seen[cell] = shown
    return seen


def evenings(
    game: Game,
    options: Options,
    games: int,
    *,
    seed: int = 1,
    level: int = 1,
    slips: float = 0.1,
    bot: str = "random",
    most: int = 10_000,
    is_clear: bool = False,
) -> Iterator[Trust]:
    """Plays several games, one after the other."""
    world = World(game.board(options))
    teach = None if is_clear else taught(game.key, world, load_art(game.key).draw)
    for i in range(games):
        yield Evening(game, options, teach, seed + i, level, slips).play(bot, most)


def command(argv: list[str]) -> int:
    """Runs the games and prints what came of them; returns 1 when a position was believed wrongly."""
    parser = argparse.ArgumentParser(prog="gloam trust", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--option", action="append", default=[], metavar="K=V")
    parser.add_argument("-n", type=int, default=5, metavar="N", help="how many games")
    parser.add_argument("--moves", type=int, default=10_000, help="stop a game after so many moves")
    parser.add_argument(
        "--slips", type=float, default=0.1, help="share of moves in which something goes wrong"
    )
    parser.add_argument("--level", type=int, default=1, choices=range(5), help="how bad light and camera are")
    parser.add_argument("--eyes", choices=("camera", "clear"), default="camera", help="clear: no pixels")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bot", default="careful")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    args = parser.parse_args(argv)
    if any("=" not in pair for pair in args.option):
        raise ConfigError("--option: write it as name=value")
    game = load(args.game)
    given = {"deck": "physical"} if any(option.name == "deck" for option in game.options) else {}
    options = game.resolve(given | dict(pair.split("=", 1) for pair in args.option))
    total = Trust()
    began = time.perf_counter()
    runs = evenings(
        game,
        options,
        args.n,
        seed=args.seed,
        level=args.level,
        slips=args.slips,
        bot=args.bot,
        most=args.moves,
        is_clear=args.eyes == "clear",
    )
    for done, trust in enumerate(runs, 1):
        total.add(trust)
        if sys.stderr.isatty():
            filled = 40 * done // args.n
            print(f"\r[{'#' * filled}{'.' * (40 - filled)}] {done}/{args.n}", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    if args.json:
        print(
            json.dumps(
                asdict(total) | {"game": game.key, "level": args.level, "slip_rate": args.slips}, indent=1
            )
        )
    else:
        print(f"{game.key}: {total.games} games, {total.moves} moves, {time.perf_counter() - began:.0f} s")
        for name, value in asdict(total).items():
            if name not in ("games", "moves", "by_slip"):
                print(f"  {name.replace('_', ' '):<14} {value}")
        print(f"  slips by kind: {total.by_slip}")
    return 1 if total.wrong_commits else 0
