"""The command line: `gloam COMMAND …`.

`GROUPS` lists every command. Commands of the rules live here (`OWN`); those of other modules are named in
`ELSEWHERE` and imported when called, so this file needs the standard library alone and starts at once.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import sys
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from random import Random

from companion import __version__
from companion.engine.action import Seat
from companion.engine.errors import ConfigError, GloamError
from companion.engine.options import Value, from_pairs
from companion.games import REGISTRY
from companion.service import doctor
from companion.settings.data_folder import data_folder
from companion.table.boxes import Boxes
from companion.table.journal import Journal
from companion.table.play import find_bot, simulate, walk
from companion.table.record import read_record, replay, write_record
from companion.table.session import Session

GROUPS = {
    "Play": {
        "run": "serve the table: the virtual one, or the real parts of a settings file",
        "demo": "serve the table with bots playing a GAME",
        "saved": "list, export or import stored games",
        "replay": "replay a record through the rules, or a recorded evening",
    },
    "Make": {
        "print": "make printable frames, boards, boxes and sheets of a GAME",
        "teach": "learn the faces of a GAME from photographs",
        "lights": "show a scene or a test pattern on the strip, or as a picture",
        "flash": "put the firmware onto the microcontroller",
    },
    "Look": {
        "see": "read one photograph of a GAME's board",
        "watch": "read a camera, a video or a folder of images continuously",
        "layout": "print the board of a GAME in mm, its markers and faces as JSON",
    },
    "Check": {
        "doctor": "check every part and say what is wrong",
        "play": "play one game without a table, by bots with a digital deck",
        "simulate": "play many games and check the rules' invariants",
        "arena": "measure how well bots play a GAME",
        "trust": "play games on the virtual table with slips and count errors",
        "bench": "measure speed as ratios to known peers",
        "test": "run the tests; only as ./gloam test, in a clone",
    },
}
"""Every command with what it does, grouped by what people want; `gloam --help` shows this table."""

ELSEWHERE = {
    "run": "companion.service.app:run",
    "demo": "companion.service.app:demo",
    "print": "hardware.printing:command",
    "teach": "vision.commands:teach",
    "see": "vision.commands:see",
    "watch": "vision.watch:watch",
    "lights": "hardware.commands:lights",
    "flash": "hardware.commands:flash",
    "arena": "companion.service.arena:command",
    "trust": "companion.service.trust:command",
    "bench": "companion.service.benchmark:command",
}
"""Where the commands of other modules are; they are imported when called."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command; returns the exit code."""
    import_module("vision")  # sets the number of threads before numpy is imported
    args = list(sys.argv[1:] if argv is None else argv)
    for said in (sys.stdout, sys.stderr):
        if isinstance(said, TextIOWrapper):
            said.reconfigure(errors="replace")  # no QR code is worth a table that does not start
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
    module, _, function = ELSEWHERE[name].partition(":")
    code: int = getattr(import_module(module), function)(args)
    return code


def overview() -> str:
    """The help of the whole command line: the commands by group."""
    groups = [
        "\n".join([f"{title}:", *(f"  {name:<9} {about}" for name, about in commands.items())])
        for title, commands in GROUPS.items()
    ]
    return "\n\n".join(
        [
            "usage: gloam COMMAND …",
            "A table that plays along: cardboard games with a camera, lights and phones.",
            *groups,
            "`gloam COMMAND --help` says what a command takes. `gloam --version` says which release this is.",
        ]
    )


def _own(args: list[str]) -> int:
    if not args or args[0] in ("-h", "--help"):
        print(overview(), file=sys.stdout if args else sys.stderr)
        return 0 if args else 2
    if args[0] == "--version":
        print(f"gloam {__version__}")
        return 0
    known = {name: about for commands in GROUPS.values() for name, about in commands.items()}
    if args[0] not in known:
        near = get_close_matches(args[0], known, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ConfigError(f"unknown command {args[0]!r}{hint} Known: {', '.join(known)}")
    if args[0] == "test":
        raise ConfigError("the tests are not part of an installation: run  ./gloam test  in a clone of Gloam")
    about = known[args[0]]
    parser = argparse.ArgumentParser(prog=f"gloam {args[0]}", description=f"{about[0].upper()}{about[1:]}.")
    OWN[args[0]](parser)
    parsed = parser.parse_args(args[1:])
    code: int = parsed.command(parsed)
    return code


def _declare_play(parser: argparse.ArgumentParser) -> None:
    _add_game(parser)
    parser.add_argument("--seed", type=int, help="the same seed gives the same game")
    parser.add_argument("--bot", default="random", help="who plays: random or careful")
    parser.add_argument("--record", metavar="FILE", help="write the record there instead of printing it")
    parser.set_defaults(command=_play)


def _declare_replay(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="a record, or a folder that `--keep-evening` has written")
    parser.set_defaults(command=_replay)


def _declare_simulate(parser: argparse.ArgumentParser) -> None:
    _add_game(parser)
    parser.add_argument("-n", type=int, default=100, metavar="N", help="how many games")
    sample = "a named set-up of the game; all: each of them, N games each"
    parser.add_argument("--sample", default="", metavar="NAME", help=sample)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bot", default="random", help="who plays: random or careful")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="J", help="processes")
    parser.set_defaults(command=_simulate)


def _declare_layout(parser: argparse.ArgumentParser) -> None:
    _add_game(parser)
    parser.set_defaults(command=_layout)


def _declare_saved(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--journal", default=None, metavar="FILE")
    parser.add_argument("--export", type=int, metavar="N", help="print the record of stored game N")
    parser.add_argument("--import", dest="imported", metavar="FILE", help="store the game of a record")
    parser.set_defaults(command=_saved)


def _declare_doctor(parser: argparse.ArgumentParser) -> None:
    doctor.add_arguments(parser)
    parser.set_defaults(command=doctor.command)


OWN: dict[str, Callable[[argparse.ArgumentParser], None]] = {
    "play": _declare_play,
    "replay": _declare_replay,
    "simulate": _declare_simulate,
    "layout": _declare_layout,
    "saved": _declare_saved,
    "doctor": _declare_doctor,
}
"""What each command of this file takes."""


def _add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help=", ".join(REGISTRY))
    parser.add_argument("--option", action="append", default=[], metavar="K=V", help="an option of the game")


def _play(args: argparse.Namespace) -> int:
    game = Boxes(data_folder()).load(args.game)
    options = game.resolve(from_pairs(args.option))
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
        code: int = import_module("companion.service.recording").replay(Path(args.file))
        return code
    try:
        text = Path(args.file).read_text("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{args.file} is no text: {error.reason} at byte {error.start}") from error
    record = read_record(text, Boxes(data_folder()))
    state, played = replay(record)
    outcome = state.outcome()
    ending = "not finished" if outcome is None else f"{outcome.code} ({outcome.rule})"
    print(f"{record.game.key}: {len(played)} actions, {ending}")
    return 0


def _simulate(args: argparse.Namespace) -> int:
    if args.n < 1 or args.jobs < 1:
        raise ConfigError(f"-n {args.n} --jobs {args.jobs}: both must be 1 or more")
    given = from_pairs(args.option)
    if not args.sample:
        return _simulate_one(args, args.game, given)
    samples = Boxes(data_folder()).load(args.game).samples
    if args.sample not in ("all", *samples):
        raise ConfigError(f"{args.game} has no set-up {args.sample!r}; it has all, {', '.join(samples)}")
    names = list(samples) if args.sample == "all" else [args.sample]
    return max([_simulate_one(args, f"{args.game}, {name}", {**samples[name], **given}) for name in names])


def _simulate_one(args: argparse.Namespace, title: str, given: Mapping[str, Value]) -> int:

    def progress(done: int) -> None:
        if sys.stderr.isatty():
            filled = 40 * done // args.n
            print(f"\r[{'#' * filled}{'.' * (40 - filled)}] {done}/{args.n}", end="", file=sys.stderr)

    tally = simulate(args.game, given, args.n, args.seed, args.bot, args.jobs, progress, data_folder())
    if sys.stderr.isatty():
        print(file=sys.stderr)
    print(f"{title}: {tally.games} games, bot {args.bot}, seed {args.seed}")
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
    game = Boxes(data_folder()).load(args.game)
    options = game.resolve(from_pairs(args.option))
    print(json.dumps(game.board(options).json(), indent=1, ensure_ascii=False))
    return 0


def _saved(args: argparse.Namespace) -> int:
    journal = Journal(args.journal or data_folder() / "gloam.db")
    if args.imported:
        record = read_record(Path(args.imported).read_text("utf-8"), Boxes(journal.folder))
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
