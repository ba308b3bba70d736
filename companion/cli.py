"""The command line: `gloam COMMAND …`.

Commands of the rules live here; commands of other packages are named in `ELSEWHERE` and loaded when called,
so this file needs the standard library alone and starts at once.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from random import Random

from companion import doctor
from companion.action import Seat
from companion.errors import ConfigError, GloamError
from companion.games import REGISTRY, load
from companion.home import data_folder
from companion.journal import Journal
from companion.play import find_bot, simulate, walk
from companion.record import read_record, replay, write_record
from companion.session import Session

ELSEWHERE = {
    "run": ("companion.app:run", "serve the table: the virtual one, or the real parts of a config"),
    "demo": ("companion.app:demo", "serve the table with bots playing a GAME"),
    "print": ("hardware.printing:command", "make printable markers, kits and sheets of a GAME"),
    "teach": ("vision.commands:teach", "learn the faces of a GAME from photographs"),
    "see": ("vision.commands:see", "read one photograph of a GAME's board"),
    "watch": ("vision.watch:watch", "read a camera, a video or a folder of images continuously"),
    "lights": ("hardware.commands:lights", "show a scene or a test pattern on the strip, or as a picture"),
    "flash": ("hardware.commands:flash", "put the firmware onto the microcontroller"),
    "trust": ("companion.room.trust:command", "play games on the virtual table with slips and count errors"),
    "bench": ("companion.bench:command", "measure speed as ratios to known peers"),
}
"""Commands of other packages: where they are, and what they do."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command; returns the exit code."""
    args = list(sys.argv[1:] if argv is None else argv)
    try:
        if args and args[0] in ELSEWHERE:
            return _elsewhere(args[0], args[1:])
        return _own(args)
    except GloamError as error:
        print(f"gloam: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"gloam: {error.filename or ''}: {error.strerror or error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _elsewhere(name: str, args: list[str]) -> int:
    module, _, function = ELSEWHERE[name][0].partition(":")
    code: int = getattr(import_module(module), function)(args)
    return code


def _own(args: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="gloam",
        description="A table that plays along.",
        epilog="\n".join(f"  {name:<9} {about}" for name, (_, about) in ELSEWHERE.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    one = _game_command(commands, "play", "play one game headless with a digital deck", _play)
    one.add_argument("--seed", type=int, help="the same seed gives the same game")
    one.add_argument("--bot", default="random", help="who plays: random or careful")
    one.add_argument("--record", metavar="FILE", help="write the record there instead of printing it")

    one = commands.add_parser("replay", help="replay a record through the rules, or a kept evening")
    one.add_argument("file", help="a record, or a folder that `--keep-evening` has written")
    one.set_defaults(command=_replay)

    one = _game_command(commands, "simulate", "play many games and check the rules' invariants", _simulate)
    one.add_argument("-n", type=int, default=100, metavar="N", help="how many games")
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--bot", default="random", help="who plays: random or careful")
    one.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="J", help="processes")

    _game_command(commands, "layout", "print the board in mm, its markers and faces as JSON", _layout)

    one = commands.add_parser("saved", help="list, export or import stored games")
    one.add_argument("--journal", default=None, metavar="FILE")
    one.add_argument("--export", type=int, metavar="N", help="print the record of stored game N")
    one.add_argument("--import", dest="imported", metavar="FILE", help="store the game of a record")
    one.set_defaults(command=_saved)

    one = commands.add_parser("doctor", help="check every part and say what is wrong")
    doctor.add_arguments(one)
    one.set_defaults(command=doctor.command)

    parsed = parser.parse_args(args)
    code: int = parsed.command(parsed)
    return code


def _game_command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, about: str, function: object
) -> argparse.ArgumentParser:
    one = commands.add_parser(name, help=about)
    one.add_argument("game", metavar="GAME", help=", ".join(REGISTRY))
    one.add_argument("--option", action="append", default=[], metavar="K=V", help="an option of the game")
    one.set_defaults(command=function)
    return one


def _options(pairs: Sequence[str]) -> dict[str, str]:
    options: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise ConfigError(f"--option {pair!r}: write it as name=value")
        options[name] = value
    return options


def _play(args: argparse.Namespace) -> int:
    game = load(args.game)
    options = game.resolve(_options(args.option))
    seed = secrets.randbelow(2**32) if args.seed is None else args.seed
    lines: list[tuple[Seat, str]] = []
    outcome = None
    for step in walk(game, options, Random(seed), find_bot(game, args.bot)):
        lines.append((step.seat, step.state.notation.text(step.action)))
        outcome = step.state.outcome()
    record = write_record(game, options, lines, outcome)
    if args.record:
        Path(args.record).write_text(record, "utf-8")
    else:
        print(record, end="")
    assert outcome is not None
    said = game.texts.say(f"outcome.{outcome.code}", "en")
    print(f"{game.key}, seed {seed}: {said} ({outcome.rule}, {len(lines)} actions)", file=sys.stderr)
    return 0


def _replay(args: argparse.Namespace) -> int:
    if Path(args.file).is_dir():
        code: int = import_module("companion.room.evening").replay(Path(args.file))
        return code
    try:
        text = Path(args.file).read_text("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{args.file} is no text: {error.reason} at byte {error.start}") from error
    record = read_record(text)
    state, played = replay(record)
    outcome = state.outcome()
    ending = "not finished" if outcome is None else f"{outcome.code} ({outcome.rule})"
    print(f"{record.game.key}: {len(played)} actions, {ending}")
    return 0


def _simulate(args: argparse.Namespace) -> int:
    if args.n < 1 or args.jobs < 1:
        raise ConfigError(f"-n {args.n} --jobs {args.jobs}: both must be 1 or more")

    def progress(done: int) -> None:
        if sys.stderr.isatty():
            filled = 40 * done // args.n
            print(f"\r[{'#' * filled}{'.' * (40 - filled)}] {done}/{args.n}", end="", file=sys.stderr)

    given = _options(args.option)
    tally = simulate(args.game, given, args.n, args.seed, args.bot, args.jobs, progress)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    print(f"{args.game}: {tally.games} games, bot {args.bot}, seed {args.seed}")
    for code, n in tally.outcomes.most_common():
        print(f"  {code:<12} {n:>7}  {n / tally.games:7.2%}")
    for seat, n in sorted(tally.winners.items()):
        print(f"  won by {seat:<12} {n / tally.games:7.2%}")
    print(f"  {tally.actions / tally.games:.1f} actions a game, {tally.games / tally.seconds:.1f} games/s")
    if tally.broken:
        print(f"  INVARIANT BROKEN in {len(tally.broken)} games; first: {tally.broken[0]}")
        return 1
    print("  no invariant broken")
    return 0


def _layout(args: argparse.Namespace) -> int:
    game = load(args.game)
    options = game.resolve(_options(args.option))
    print(json.dumps(game.board(options).json(), indent=1, ensure_ascii=False))
    return 0


def _saved(args: argparse.Namespace) -> int:
    journal = Journal(args.journal or data_folder() / "gloam.db")
    if args.imported:
        record = read_record(Path(args.imported).read_text("utf-8"))
        print(f"stored as game {Session.restore(journal, record).number}")
    elif args.export is not None:
        session = Session(journal, args.export)
        print(write_record(session.game, session.options, session.lines(), session.state().outcome()), end="")
    else:
        for stored in journal.games():
            options = " ".join(f"{name}={value}" for name, value in stored.options.items())
            print(f"{stored.id:>4}  {stored.started}  {stored.game:<11} {stored.lines:>5} lines  {options}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
