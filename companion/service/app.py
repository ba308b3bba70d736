"""The composition root: builds every object once and starts the table.

The only module of `companion` that may import the web, the eyes and the hardware.
"""

from __future__ import annotations

import argparse
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory, mkdtemp

import segno

from companion.engine.action import TABLE
from companion.engine.errors import ConfigError, JournalError, Refused
from companion.engine.game import turn_for
from companion.engine.options import Value, from_pairs
from companion.games import load
from companion.service.home_commands import HomeCommands
from companion.service.mqtt import MqttBridge, MqttState, clear_retained
from companion.service.notify import PROBE_S, Notifier
from companion.service.rig_service import RigService
from companion.service.speech import Speech
from companion.service.workshop import Workshop
from companion.settings.config import (
    CameraSettings,
    Config,
    MqttSettings,
    PowerSettings,
    TableSettings,
    WebSettings,
    open_config,
)
from companion.settings.data_folder import data_folder
from companion.table.journal import MEMORY, DamagedJournal, Journal, NewerJournal, mend
from companion.table.people import SETUP, People
from companion.table.play import find_bot
from companion.table.programs import Programs
from companion.table.session import Session
from companion.table.table import Table
from hardware.clock import SystemClock
from hardware.wiring import SCHEMA
from web.access import AccessPolicy
from web.context import Web
from web.server import Server, lan_address
from web.tls import tls_context

SETUP_S = 24 * 3600.0
OFF_S = 4.0
"""Time for the lights to fade and for the page to say so."""


@dataclass(frozen=True, slots=True)
class Serving:
    """Where the table is served and where it keeps its games."""

    host: str
    port: int
    journal: Path
    policy: AccessPolicy
    config: Config


def run(argv: list[str]) -> int:
    """`gloam run`: serves the table until it is interrupted."""
    args = _parser("run", "Serves the table: open the printed address.").parse_args(argv)
    serving = _serving(args)
    people = People(serving.journal.with_suffix(".people.json"))
    if args.new_owner:
        people.forget_owner()
    table = Table(_journal(serving), people)
    table.resume_last()
    desk = RigService(table, serving.config, serving.journal.parent, keep=args.keep_evening).start()
    try:
        return _serve(table, serving, desk)
    finally:
        desk.close()
        _close(table)


def _journal(serving: Serving) -> Journal:
    """Opens the stored games; a damaged file is set aside, and what is good of it is used.

    Safe mode serves without them instead, and so does a Gloam that is older than the file.
    """
    try:
        return Journal(serving.journal)
    except DamagedJournal as error:
        print(error, file=sys.stderr)
        if not serving.config.is_safe:
            saved = mend(serving.journal)
            lines = sum(lines for _, lines in saved)
            print(f"It is set aside; {len(saved)} games with {lines} lines are saved.", file=sys.stderr)
            return Journal(serving.journal)
    except JournalError as error:
        if not serving.config.is_safe and not isinstance(error, NewerJournal):
            raise
        print(error, file=sys.stderr)
    print("Until then games are not stored.", file=sys.stderr)
    return Journal(MEMORY)


def demo(argv: list[str]) -> int:
    """`gloam demo GAME`: the table with bots that play slowly enough to watch.

    With a journal of its own it goes on with the game that was not finished.
    """
    parser = _parser("demo", "Serves the table with bots playing a game.")
    parser.add_argument("game", metavar="GAME", help="which game")
    parser.add_argument("--option", action="append", default=[], metavar="K=V", help="an option of the game")
    parser.add_argument("--bot", default="careful", help="who plays: random or careful")
    parser.add_argument("--pause", type=float, default=1.2, metavar="S", help="seconds between actions")
    parser.add_argument("--seed", type=int, help="the same seed gives the same games")
    args = parser.parse_args(argv)
    game = load(args.game)
    find_bot(game, args.bot)
    options = from_pairs(args.option)
    game.resolve(options)
    serving = _serving(args)
    with TemporaryDirectory() as folder:
        journal = args.journal or Path(folder) / "demo.db"
        table = Table(Journal(journal), People())
        table.resume_last()
        # Bots can only move the pieces of the virtual table.
        sections = {**serving.config.sections, "camera": CameraSettings()}
        serving = replace(
            serving,
            journal=journal,
            config=replace(serving.config, sections=sections, path=journal.parent / "gloam.toml"),
        )
        desk = RigService(table, serving.config, journal.parent, keep=args.keep_evening).start()
        bots = Bots(table, args.game, options, args.bot, args.pause, args.seed, desk=desk)
        bots.start()
        try:
            return _serve(table, serving, desk)
        finally:
            bots.stop()
            desk.close()
            _close(table)


class Bots:
    """Plays one game after another on a table, with a pause before each action.

    With a desk they move the pieces of the virtual table and let the eyes follow; what the eyes cannot see or
    ask about is tapped, so a game never stalls.
    """

    END_PAUSES = 20
    """The end is told in full before the next game begins, with its turning points."""

    def __init__(
        self,
        table: Table,
        game: str,
        options: dict[str, Value],
        bot: str = "careful",
        pause_s: float = 1.2,
        seed: int | None = None,
        wait: Callable[[threading.Event, float], bool] = threading.Event.wait,
        desk: RigService | None = None,
    ) -> None:
        self._table = table
        self._desk = desk
        self._game = load(game)
        self._options = options
        self._bot = bot
        self._pause_s = pause_s
        self._rng = Random(seed)
        self._wait = wait
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self.run, name="bots", daemon=True)

    def start(self) -> None:
        """Starts playing in a thread of its own; a game of this kind that is on the table goes on."""
        session = self._table.session
        if session is None or session.game.key != self._game.key or not session.state().needs():
            self._table.start(self._game.key, self._options, seed=self._rng.getrandbits(32))
        self._thread.start()

    def stop(self) -> None:
        """Stops after the action that is being taken."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(5)

    def run(self) -> None:
        """Plays until stopped; a host who puts another game on the table ends the demonstration."""
        session = self._table.session
        while session is not None and session is self._table.session:
            if self._wait(self._stopped, self._pause_s):
                return
            if self.play_one(session):
                continue
            if self._wait(self._stopped, self._pause_s * self.END_PAUSES):
                return
            if session is self._table.session:
                session = self._table.start(self._game.key, self._options, seed=self._rng.getrandbits(32))

    def play_one(self, session: Session) -> bool:
        """Takes one action, or puts one piece right that lies wrong; False when the game is over."""
        if self._desk is not None and self._desk.players.mend():
            return True
        state = session.state()
        needs = [need for need in state.needs() if need.seat != TABLE]
        if not state.needs():
            return False
        if not needs:
            action = self._rng.choice(state.outcomes())[0]
            seat = TABLE
        else:
            seat = self._rng.choice(needs).seat
            action = find_bot(session.game, self._bot)(turn_for(session.game, state, seat, self._rng))
        if self._desk is not None and self._desk.players.play(seat, action):
            return True
        try:
            session.submit(seat, state.notation.text(action))
        except Refused:
            return True  # the eyes or somebody at the table were faster
        return True


def _serve(table: Table, serving: Serving, desk: RigService) -> int:
    settings = serving.config.of(WebSettings)
    try:
        tls = tls_context(settings.certificate, settings.key)
    except ConfigError as error:
        print(f"gloam: {error}; the table is served without it", file=sys.stderr)
        tls = None
    workbench = Workshop(serving.config, serving.journal.parent, SystemClock(), desk)
    unplug = partial(_unplug, table, desk, serving.config.of(PowerSettings).unplug == "poweroff")
    club = _herald(table, serving, desk)
    web = Web(table, serving.policy, workshop=workbench, unplug=unplug, rig=desk, club=club)
    web.voice = Speech()
    web.programs = Programs(serving.journal.with_suffix(".programs.json"))
    server = Server(web, serving.host, serving.port, tls)
    web.address = partial(_address, serving.host, settings.names if tls else None, server.port)
    near = web.address()
    url = f"{near}/"
    people = table.people
    if not people.has_owner:
        code = people.codes.offer(SETUP, SETUP_S)
        url += f"#setup={code.long}"
        print(f"First start. Open this address on the table's screen:\n\n  {url}\n")
        print(f"or {near}/ and type the code {code.short}\n")
    else:
        print(f"The table is at\n\n  {url}\n")
    segno.make(url, error="l", micro=False).terminal(out=sys.stdout, compact=True)
    stored = "Every move is stored as soon as it is made." if table.journal.is_kept else "Nothing is stored."
    print(f"\nStop with Ctrl+C. {stored}", flush=True)
    desk.buttons.shut_down = unplug
    serving.config.keep()
    # Asked to end by systemd or by kill, the table ends as with Ctrl+C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    notifier = Notifier(lambda: server.is_turning(PROBE_S) and desk.is_turning())
    notifier.ready(f"The table is at {near}/")
    try:
        server.run()
    finally:
        notifier.stopping()
        workbench.close()
        if club is not None:
            club.stop()
    print("\nGood night." + " The game is stored." * table.journal.is_kept)
    return 0


EVERYWHERE = ("0.0.0.0", "::", "")
"""Who listens here listens on every address of the machine."""


def _address(host: str, certified: Sequence[str] | None, port: int) -> str:
    """Where phones find the table: a certificate is for a name, else what the table listens on will do."""
    near = (lan_address() or "localhost") if host in EVERYWHERE else f"[{host}]" if ":" in host else host
    if certified is None:
        return f"http://{near}:{port}"
    return f"https://{certified[0] if certified else near}:{port}"


def _herald(table: Table, serving: Serving, desk: RigService) -> MqttBridge | None:
    """Starts telling the house where that is wished; what cannot be done is said and hinders nothing."""
    config = serving.config
    if config.is_safe:
        return None
    settings, language = config.of(MqttSettings), config.of(TableSettings).language
    memory = MqttState(serving.journal.parent / "mqtt.json")
    try:
        left = clear_retained(memory, settings)
        if left:
            print(f"gloam: {left}", file=sys.stderr)
        if not settings.enabled:
            return None
        commands = HomeCommands(table, desk.lamps)
        herald = MqttBridge(table, settings, memory, "en" if language == "auto" else language, commands)
    except ConfigError as error:
        print(f"gloam: {error}; the table is served without", file=sys.stderr)
        return None
    herald.start()
    return herald


def _unplug(table: Table, desk: RigService, off: bool) -> None:
    """Checks that all is stored and lets the table sleep, or the whole machine where that is wished.

    Raises `JournalError`, and stays awake, where something is not stored.
    """
    table.journal.verify()
    desk.lamps.sleep()
    if off:
        threading.Timer(OFF_S, subprocess.run, [["systemctl", "poweroff"]]).start()


def _close(table: Table) -> None:
    if table.session is not None:
        table.session.close()
    table.journal.close()


def _parser(name: str, about: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"gloam {name}", description=about)
    parser.add_argument("--host", help="the address to listen on (default: all of this machine's)")
    parser.add_argument("--port", type=int, help="the port (default: 8000)")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="where games are stored")
    parser.add_argument(
        "--keep-evening", type=Path, metavar="FOLDER", help="keep what the camera sees, for `gloam replay`"
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="the settings file (default: gloam.toml)")
    parser.add_argument("--safe", action="store_true", help="use no settings and no parts")
    if name == "run":
        parser.add_argument("--new-owner", action="store_true", help="set the table up again")
    return parser


def _folder(args: argparse.Namespace) -> Path:
    """Where the table keeps its files; safe mode serves from an empty folder where it cannot be used."""
    try:
        return data_folder()
    except OSError as error:
        if not args.safe:
            raise
        print(f"{error.filename}: {error.strerror}; a folder for this time only is used", file=sys.stderr)
        return Path(mkdtemp(prefix="gloam-safe-"))


def _serving(args: argparse.Namespace) -> Serving:
    """Settings from the command line, then from the config, then the usual ones."""
    folder = _folder(args)
    path = args.config or folder / "gloam.toml"
    if args.safe:
        config = Config({name: kind() for name, kind in SCHEMA.items()}, path, "safe")
    else:
        config = open_config(path, SCHEMA, must_exist=args.config is not None)
    if config.words():
        print(config.words(), file=sys.stderr)
    web = config.of(WebSettings)
    port = args.port if args.port is not None else web.port
    if not 0 <= port < 65536:
        raise ConfigError(f"port: {port} is not allowed; choose 0 to 65535")
    host = socket.gethostname().lower()
    policy = AccessPolicy.of(
        [host, f"{host}.local", "gloam.local", *web.names], web.networks, web.max_streams
    )
    journal = args.journal if args.journal else folder / "gloam.db"
    return Serving(args.host or web.host, port, journal, policy, config)
