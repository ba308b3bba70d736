"""What can be agreed before a game of Whisper."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations

from companion.engine.action import Seat
from companion.engine.options import Option, Options, switch
from companion.engine.state import Reason
from companion.games.whisper.data import Box, load
from companion.games.whisper.pieces import IN_PLAY, KILLERS, SURVIVORS
from companion.games.whisper.readings import READINGS

_TEAMS = tuple("+".join(team) for team in combinations(SURVIVORS, IN_PLAY))

OPTIONS = (
    Option("players", (2, 3, 4), 2, "WW-TURN-03"),
    Option("deck", ("digital", "mixed", "physical"), "digital", "WW-SETUP-15"),
    Option("killer", ("free", *KILLERS), "free", "WW-SETUP-03"),
    Option("survivors", ("free", *_TEAMS), "free", "WW-SETUP-03"),
    Option("skills", ("off", "easy", "normal", "hard", "deadly", "custom"), "off", "WW-VAR1-02"),
    Option("survivor_skills", ("0/0", "1/1", "2/1", "3/1", "4/2"), "2/1", "WW-VAR1-06"),
    Option("killer_skills", ("0/0", "1/1", "2/1", "3/2", "4/2", "5/3", "6/3"), "2/1", "WW-VAR1-06"),
    switch("crossroads", False, "WW-VAR2-01"),
    switch("plans", False, "WW-VAR3-01"),
    Option("level_trigger", ("on_empty", "on_need"), "on_empty", "WW-BOOK-02"),
    Option("exchange", ("before", "anytime"), "before", "WW-BOOK-03"),
    switch("trade_keys", True, "WW-BOOK-05"),
    switch("private", False, "AMB-36"),
    switch("tell_hand", False, "WW-DRAW-07"),
    switch("deduction", False, "WW-DEDUCT-01"),
    switch("notes", False, "WW-DEDUCT-01"),
    switch("confirm", False, "WW-COMM-11"),
    *(switch(f"alt_{name}", False, rule) for name, (rule, _) in READINGS.items()),
)


def seats(options: Options) -> tuple[str, ...]:
    """The killer and the survivors' players."""
    return ("killer", *(f"survivor{i}" for i in range(1, int(options["players"]))))


def side(options: Options, seat: Seat) -> Seat:
    """The players of the survivors decide together, at the crossroads each alone."""
    return seat if options["crossroads"] else min(seat, 1)


def conflict(options: Options) -> Reason | None:
    """At the crossroads every survivor needs a player of their own (WW-VAR2-01)."""
    if options["crossroads"] and options["players"] != 4:
        return Reason("four-players", (), "WW-VAR2-01")
    return None


def at_table(options: Options) -> frozenset[str]:
    """The verbs of chance that real cards and dice decide."""
    if options["deck"] == "digital":
        return frozenset()
    mixed = {"find", "unpack", "roll", "deal", "first"}
    return frozenset(mixed if options["deck"] == "mixed" else mixed | {"draw", "mill", "learn"})


@dataclass(frozen=True, slots=True)
class Setup:
    """What was agreed before the game, as the rules ask for it; never changes."""

    readings: frozenset[str]
    box: Box = field(compare=False, repr=False)
    players: int
    solo: bool
    """Variant 2: every survivor plays alone."""
    killer: int
    cast: tuple[int, ...]
    skills: tuple[int, int, int, int] | None
    """Variant 1: drawn and kept per survivor, drawn and kept by the killer."""
    plans: bool
    on_empty: bool
    exchange_anytime: bool
    """The looser reading of the order of steps (WW-BOOK-03)."""
    trade_keys: bool
    """Variant 2: own keys may be exchanged as other item cards (WW-BOOK-05)."""
    private: bool
    tell_hand: bool
    deduction: bool
    notes: bool
    confirm: bool

    @property
    def team(self) -> range:
        """The seats of the survivors' players."""
        return range(1, self.players)


def agreed(options: Options) -> Setup:
    """Translates the options of a game."""
    readings = frozenset(name for name in READINGS if options[f"alt_{name}"])
    box = load(readings)
    cast = () if options["survivors"] == "free" else str(options["survivors"]).split("+")
    return Setup(
        readings,
        box,
        players=int(options["players"]),
        solo=bool(options["crossroads"]),
        killer=-1 if options["killer"] == "free" else KILLERS.index(str(options["killer"])),
        cast=tuple(SURVIVORS.index(who) for who in cast),
        skills=_skills(options, box),
        plans=bool(options["plans"]),
        on_empty=options["level_trigger"] == "on_empty",
        exchange_anytime=options["exchange"] == "anytime",
        trade_keys=bool(options["trade_keys"]),
        private=bool(options["private"]),
        tell_hand=bool(options["tell_hand"]),
        deduction=bool(options["deduction"]),
        notes=bool(options["notes"]),
        confirm=bool(options["confirm"]),
    )


def _skills(options: Options, box: Box) -> tuple[int, int, int, int] | None:
    """How many skill cards each side draws and keeps (WW-VAR1-02, 06)."""
    chosen = str(options["skills"])
    if chosen == "off":
        return None
    if chosen != "custom":
        return box.difficulty[chosen]
    drawn, kept = map(int, str(options["survivor_skills"]).split("/"))
    killer_drawn, killer_kept = map(int, str(options["killer_skills"]).split("/"))
    return drawn, kept, killer_drawn, killer_kept
