"""The whole truth about a game of Whisper, and the machine that runs it.

The game is a stack of frames, tuples that begin with a name. A frame with a `run_<name>` method is work that
the rules do by themselves; any other frame waits for somebody, and `needs` says for whom. Cards interrupt
each other at any depth (a panic inside a fear inside a level inside a draw), so what is still to be done is
pushed below what comes first. Frames never change, so copying the stack is copying a list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from companion.engine.action import TABLE, Action, Cell, Seat
from companion.engine.grid import cells_of
from companion.engine.state import Event, Need, Outcome, Refusal, State, only
from companion.games.whisper.clues import Clues
from companion.games.whisper.data import Box, Effects
from companion.games.whisper.pieces import (
    BARRICADES,
    HEALTH,
    IN_PLAY,
    ITEMS,
    KEY,
    STRENGTH_CAP,
    SURVIVORS,
    WITHIN,
    N,
)
from companion.games.whisper.readings import Json

Frame = tuple[Any, ...]
KILLER_SEAT: Seat = 0
KILLER_ONLY = only(KILLER_SEAT)

_ALL_THREE = (1 << IN_PLAY) - 1
_TEAM = tuple(frozenset(range(1, players)) for players in range(5))
_ALONE = tuple(only(1 + i) for i in range(IN_PLAY))

IN, DEAD, ESCAPED = range(3)
"""What became of a survivor."""

KILLER_WAITS: dict[str, tuple[str, ...]] = {
    "training": ("master",),
    "reveal": ("reveal",),
    "start": ("accept", "next"),
    "instant": ("play", "next"),
    "main": ("play", "go", "search", "next"),
    "planning": ("play", "next"),
    "ending": ("accept", "next"),
    "pay": ("pay",),
    "walk": ("go", "halt"),
    "sneak": ("sneak",),
    "ask": ("ask",),
    "ask-pair": ("ask-pair",),
    "ask-noise": ("ask-noise",),
    "block": ("block",),
    "reuse": ("reuse",),
    "frighten": ("frighten",),
    "discard": ("discard",),
    "offer": ("accept", "decline"),
    "strike": ("play", "next"),
}
OWNER_WAITS: dict[str, tuple[str, ...]] = {
    "mastery": ("master",),
    "active": ("move", "calm", "clear", "repair", "rummage", "use", "give", "swap", "loot", "done"),
    "found": ("keep", "leave"),
    "shed": ("shed",),
    "drawn": ("keep", "leave", "keep-both"),
    "hush": ("accept", "decline"),
    "agree": ("agree", "refuse"),
    "guard": ("guard", "throw", "bare"),
    "ward": ("ward", "endure"),
    "flee": ("flee", "stay"),
    "receive": ("equip",),
    "plan": ("advance", "next"),
    "share": ("equip",),
    "confirm": ("confirm",),
    "reporting": ("report",),
}
"""Frames whose second part is the survivor who decides; in the base game the whole team does."""
TABLE_WAITS = {
    "learning": "learn",
    "dealing": "deal",
    "token": "first",
    "drawing": "draw",
    "milling": "mill",
    "finding": "find",
    "unpacking": "unpack",
    "rolling": "roll",
}
HIDDEN_PHASES = frozenset(
    [
        "pick",
        "active",
        "found",
        "shed",
        "drawn",
        "hush",
        "agree",
        "receive",
        "plan",
        "share",
        "reporting",
        "finding",
        "unpacking",
    ]
)
"""Frames of the survivors' turn that the killer may not tell apart."""
PICK, FACE, HERO_WAIT = ("wake", "give", "swap"), ("face",), ("accept", "decline")


@dataclass(frozen=True, slots=True)
class Setup:
    """What was agreed before the game; never changes."""

    box: Box
    players: int = 2
    solo: bool = False
    """Variant 2: every survivor plays alone."""
    killer: int = -1
    cast: tuple[int, ...] = ()
    skills: tuple[int, int, int, int] | None = None
    """Variant 1: drawn and kept per survivor, drawn and kept by the killer."""
    plans: bool = False
    on_empty: bool = True
    exchange_anytime: bool = False
    """The looser reading of the order of steps (WW-BOOK-03)."""
    trade_keys: bool = True
    """Variant 2: own keys may be exchanged as other item cards (WW-BOOK-05)."""
    private: bool = False
    tell_hand: bool = False
    deduction: bool = False
    notes: bool = False
    confirm: bool = False
    waits: dict[Any, tuple[Need, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        waits = self.waits
        for name, verb in TABLE_WAITS.items():
            waits[name] = (Need(TABLE, (verb,)),)
        for name, verbs in KILLER_WAITS.items():
            waits[name] = (Need(KILLER_SEAT, verbs),)
        for name, verbs in (*OWNER_WAITS.items(), ("face", FACE), ("hero", HERO_WAIT), ("pick", PICK)):
            waits[name] = tuple(Need(seat, verbs) for seat in self.team)
            for i in range(IN_PLAY):
                waits[name, i] = (Need(1 + i, verbs),)
        if self.notes:
            for key, needs in waits.items():
                waits[key] = self.with_notes(needs)

    @property
    def team(self) -> range:
        """The seats of the survivors' players."""
        return range(1, self.players)

    def with_notes(self, needs: tuple[Need, ...]) -> tuple[Need, ...]:
        """Adds the killer's notes, which may be moved at any time (WW-DEDUCT-01)."""
        if not self.notes:
            return needs
        own = next((need.verbs for need in needs if need.seat == KILLER_SEAT), ())
        others = tuple(need for need in needs if need.seat != KILLER_SEAT)
        return (*others, Need(KILLER_SEAT, (*own, "note", "guess")))


class Base(State):
    """The position of a game of Whisper; the subclasses add the verbs, each for one part of the turn."""

    __slots__ = (
        *("setup", "box", "stack", "waiting", "ended", "clues", "notes", "guess"),
        # the killer
        *("killer", "level", "base", "turn_bonus", "attack_bonus", "at", "hidden", "known", "stored"),
        *("stealth_card", "hand", "deck", "deck_size", "spent", "locked", "playing", "retimed", "skip"),
        *("path", "broke", "asked", "named", "encounter", "quiet", "opened", "killer_turn"),
        # the survivors
        *("cast", "places", "health", "fear", "bags", "gone", "own_keys", "mods", "acted", "active"),
        *("main_done", "keys", "first"),
        # the board
        *("round", "barricades", "barred", "noise", "pending", "last_noise", "cracker", "cracker_set"),
        *("trap", "gears", "repaired", "rescue", "equipment", "equipment_size", "search", "search_size"),
        *("bottom", "pile", "drawn"),
        # an encounter
        *("met", "attacked", "defender", "defence", "guards", "thrown", "dice", "trap_used"),
        # variants
        *("skills", "killer_skills", "used", "round_used", "shown", "dealt"),
        *("plans", "plan", "line", "plan_done", "plan_used", "marker"),
    )
    _run: ClassVar[dict[str, Callable[..., None]]] = {}
    turn_rule = "WW-TURN-02"
    over_rule = "WW-WIN-09"

    setup: Setup
    box: Box
    stack: list[Frame]
    waiting: tuple[Need, ...]
    ended: Outcome | None
    clues: Clues | None
    notes: list[int]
    guess: int
    killer: int
    level: int
    base: int
    turn_bonus: int
    attack_bonus: int
    at: Cell
    hidden: bool
    known: Cell
    stored: Effects
    stealth_card: int
    hand: list[int]
    deck: list[int]
    deck_size: int
    spent: list[int]
    locked: bool
    playing: int
    retimed: int
    skip: int
    path: int
    broke: bool
    asked: int
    named: int
    encounter: bool
    quiet: bool
    opened: bool
    killer_turn: bool
    cast: tuple[int, ...]
    places: list[int]
    health: list[int]
    fear: list[int]
    bags: list[list[int]]
    gone: list[int]
    own_keys: list[int]
    mods: list[tuple[Json, ...]]
    acted: int
    active: int
    main_done: bool
    keys: int
    first: int
    round: int
    barricades: int
    barred: int
    noise: int
    pending: int
    last_noise: int
    cracker: int
    cracker_set: bool
    trap: int
    gears: int
    repaired: bool
    rescue: int
    equipment: list[int]
    equipment_size: int
    search: list[int]
    search_size: int
    bottom: bool
    pile: list[int]
    drawn: list[int]
    met: int
    attacked: int
    defender: int
    defence: int
    guards: int
    thrown: bool
    dice: tuple[int, ...]
    trap_used: bool
    skills: list[int]
    killer_skills: int
    used: int
    round_used: int
    shown: bool
    dealt: list[int]
    plans: list[int]
    plan: int
    line: int
    plan_done: bool
    plan_used: int
    marker: int

    def __init__(self, setup: Setup) -> None:
        self.setup, self.box = setup, setup.box
        self.stack, self.waiting, self.ended = [], (), None
        self.clues = None
        self.notes, self.guess = [-1] * 11, 0
        self.killer, self.level, self.base, self.turn_bonus, self.attack_bonus = setup.killer, 1, 0, 0, 0
        self.at = self.known = self.box.killer_start
        self.hidden, self.stored, self.stealth_card = False, (), -1
        self.hand, self.deck, self.deck_size, self.spent = [], [0] * len(self.box.cards), 0, []
        self.locked, self.playing, self.retimed, self.skip = True, -1, 0, 0
        self.path, self.broke, self.asked, self.named = 0, False, 0, 0
        self.encounter, self.quiet, self.opened, self.killer_turn = False, False, False, False
        self.cast = setup.cast
        self.places = [self.box.survivors_start] * IN_PLAY
        self.health, self.fear = [HEALTH] * IN_PLAY, [0] * IN_PLAY
        self.bags, self.gone, self.own_keys = [[] for _ in range(IN_PLAY)], [IN] * IN_PLAY, [0] * IN_PLAY
        self.mods = [()] * IN_PLAY
        self.acted, self.active, self.main_done, self.keys, self.first = 0, -1, False, 0, -1
        self.round = self.barricades = self.barred = self.noise = self.pending = self.last_noise = 0
        self.cracker, self.cracker_set, self.trap = -1, False, -1
        self.gears, self.repaired, self.rescue = 0, False, -1
        self.equipment = [item.copies[0] for item in self.box.items]
        self.search = [item.copies[1] for item in self.box.items]
        self.search[KEY] -= 1
        self.equipment_size, self.search_size = sum(self.equipment), sum(self.search)
        self.bottom, self.pile, self.drawn = True, [], []
        self.met = self.attacked = 0
        self.defender, self.defence, self.guards, self.thrown = -1, 0, -1, False
        self.dice, self.trap_used = (), False
        self.skills, self.killer_skills, self.used, self.round_used = [0] * IN_PLAY, 0, 0, 0
        self.shown, self.dealt = False, []
        self.plans, self.plan, self.line, self.plan_done, self.plan_used = [], -1, 0, False, 0
        self.marker = -1

    def copy(self) -> Self:
        other = object.__new__(type(self))
        other.setup, other.box, other.stack = self.setup, self.box, self.stack[:]
        other.waiting, other.ended = self.waiting, self.ended
        other.clues, other.notes, other.guess = self.clues, self.notes[:], self.guess
        other.killer, other.level, other.base = self.killer, self.level, self.base
        other.turn_bonus, other.attack_bonus = self.turn_bonus, self.attack_bonus
        other.at, other.hidden, other.known, other.stored = self.at, self.hidden, self.known, self.stored
        other.stealth_card, other.hand, other.deck = self.stealth_card, self.hand[:], self.deck[:]
        other.deck_size, other.spent, other.locked = self.deck_size, self.spent[:], self.locked
        other.playing, other.retimed, other.skip = self.playing, self.retimed, self.skip
        other.path, other.broke, other.asked, other.named = self.path, self.broke, self.asked, self.named
        other.encounter, other.quiet, other.opened = self.encounter, self.quiet, self.opened
        other.killer_turn, other.cast, other.places = self.killer_turn, self.cast, self.places[:]
        other.health, other.fear = self.health[:], self.fear[:]
        one, two, three = self.bags
        other.bags = [one[:], two[:], three[:]]
        other.gone, other.own_keys, other.mods = self.gone[:], self.own_keys[:], self.mods[:]
        other.acted, other.active, other.main_done = self.acted, self.active, self.main_done
        other.keys, other.first, other.round = self.keys, self.first, self.round
        other.barricades, other.barred, other.noise = self.barricades, self.barred, self.noise
        other.pending, other.last_noise = self.pending, self.last_noise
        other.cracker, other.cracker_set, other.trap = self.cracker, self.cracker_set, self.trap
        other.gears, other.repaired, other.rescue = self.gears, self.repaired, self.rescue
        other.equipment, other.equipment_size = self.equipment[:], self.equipment_size
        other.search, other.search_size, other.bottom = self.search[:], self.search_size, self.bottom
        other.pile, other.drawn = self.pile[:], self.drawn[:]
        other.met, other.attacked, other.defender = self.met, self.attacked, self.defender
        other.defence, other.guards, other.thrown = self.defence, self.guards, self.thrown
        other.dice, other.trap_used = self.dice, self.trap_used
        other.skills, other.killer_skills, other.used = self.skills[:], self.killer_skills, self.used
        other.round_used, other.shown, other.dealt = self.round_used, self.shown, self.dealt[:]
        other.plans, other.plan, other.line = self.plans[:], self.plan, self.line
        other.plan_done, other.plan_used, other.marker = self.plan_done, self.plan_used, self.marker
        return other

    # The machine -------------------------------------------------------------------------------

    def needs(self) -> tuple[Need, ...]:
        return self.waiting

    def outcome(self) -> Outcome | None:
        return self.ended

    def settle(self, events: list[Event]) -> list[Event]:
        """Does all work that waits for nobody, then says whom the rest waits for."""
        stack, run = self.stack, self._run
        while stack:
            work = run.get(stack[-1][0])
            if work is None:
                self.waiting = self._whom(stack[-1])
                return events
            work(self, stack.pop(), events)
        self.waiting = ()
        return events

    def push(self, *frames: Frame) -> None:
        """Puts frames on the stack so that the first of them comes first."""
        self.stack.extend(reversed(frames))

    def _whom(self, frame: Frame) -> tuple[Need, ...]:
        setup, name = self.setup, frame[0]
        if name == "choose":
            return setup.with_notes(self._choosers())
        if not setup.solo or name in KILLER_WAITS or name in TABLE_WAITS:
            return setup.waits[name]
        if name == "pick":
            return setup.with_notes(self._pickers())
        if name == "face":
            return setup.with_notes(
                tuple(Need(1 + i, FACE) for i in cells_of(self.met & ~self.attacked & self.living()))
            )
        return setup.waits[name, frame[1]]

    def _pickers(self) -> tuple[Need, ...]:
        """Variant 2: whoever is still to act, then those who have acted and can still give something."""
        here = [i for i in range(IN_PLAY) if self.gone[i] == IN]
        fresh = [Need(1 + i, PICK) for i in here if not self.acted >> i & 1]
        return (
            *fresh,
            *(Need(1 + i, PICK[1:]) for i in here if self.acted >> i & 1 and self.trades(1 + i)),
        )

    def _choosers(self) -> tuple[Need, ...]:
        """Both sides choose at the same time, in secret (WW-SETUP-03)."""
        killer = (Need(KILLER_SEAT, ("hunt",)),) if self.killer < 0 else ()
        team = tuple(Need(seat, ("cast",)) for seat in self.setup.team) if not self.cast else ()
        return killer + team

    def trades(self, seat: Seat) -> list[Action]:
        """All exchanges that a seat may make now."""
        raise NotImplementedError

    def finish(self, code: str, winners: Iterable[Seat], rule: str, events: list[Event]) -> None:
        """Ends the game; nothing else is resolved (WW-WIN-09)."""
        self.ended = Outcome(code, tuple(winners), rule)
        self.stack.clear()
        events.append(Event("ended", {"outcome": code, "winners": list(self.ended.winners)}))

    # Who is who --------------------------------------------------------------------------------

    def name(self, i: int) -> str:
        """The name of the survivor in place i of the row of state tiles."""
        return SURVIVORS[self.cast[i]]

    def names(self, mask: int) -> list[str]:
        """The names of some survivors in tile order."""
        return [SURVIVORS[self.cast[i]] for i in cells_of(mask)]

    def slot(self, who: int) -> int:
        """The place in the row of a survivor, or -1 for one who is not in play."""
        return self.cast.index(who) if who in self.cast else -1

    def living(self) -> int:
        """The survivors still in the house, as a mask; in the base game a death ends it."""
        if not self.setup.solo:
            return _ALL_THREE
        return sum(1 << i for i in range(IN_PLAY) if self.gone[i] == IN)

    def those(self, area: int) -> int:
        """The survivors in an area, as a mask of the row."""
        one, two, three = self.places
        found = area >> one & 1 | (area >> two & 1) << 1 | (area >> three & 1) << 2
        return found & self.living()

    def team_only(self, i: int = -1) -> frozenset[int]:
        """Who hears what the survivors keep to themselves; in variant 2 what one of them keeps."""
        return _ALONE[i] if self.setup.solo and i >= 0 else _TEAM[self.setup.players]

    # Small rules used everywhere ---------------------------------------------------------------

    def strength(self) -> int:
        """The killer's strength as the marker shows it (WW-LEVEL-02)."""
        return max(0, min(STRENGTH_CAP, self.base + self.turn_bonus + self.attack_bonus))

    def open_at(self) -> Cell:
        """Where the killer openly is, or -1: in stealth he counts as nowhere (WW-STEALTH-06)."""
        return -1 if self.hidden else self.at

    def is_near(self, i: int, steps: int) -> bool:
        """Says whether the killer openly is within so many steps of a survivor."""
        return not self.hidden and bool(WITHIN[steps][self.at] >> self.places[i] & 1)

    def mod(self, i: int, name: str) -> int:
        """Adds up a number that advantages, skills and plans give a survivor."""
        return sum(
            mod["n"]
            for mod in self.mods[i]
            if mod["mod"] == name and (mod.get("if") != "killer_within_1" or self.is_near(i, 1))
        )

    def has_mod(self, i: int, name: str) -> bool:
        """Says whether a survivor has a property."""
        return any(mod["mod"] == name for mod in self.mods[i])

    def slots(self, i: int) -> int:
        """How many items a survivor can carry (WW-ITEM-03)."""
        return self.box.survivors[self.cast[i]].slots

    def supply(self) -> int:
        """Barricade tokens not on the board (WW-BARR-03)."""
        return BARRICADES - self.barricades.bit_count()

    def noisy(self) -> int:
        """The locations that count as having noise: all of them under a firecracker (WW-FIRE-03)."""
        return (1 << N) - 1 if self.cracker >= 0 else self.noise

    def gather_mods(self) -> None:
        """Collects what advantages, skills and an accomplished plan change for each survivor."""
        shared = self.box.plans[self.plan].mods if self.plan_done else ()
        self.mods = [
            (
                *self.box.survivors[who].mods,
                *(mod for skill in cells_of(self.skills[i]) for mod in self.box.skills[skill].mods),
                *shared,
            )
            for i, who in enumerate(self.cast)
        ]

    def has_skill(self, i: int, skill: int) -> bool:
        """Says whether a survivor owns a skill that is not used up (WW-VAR1-09, 11)."""
        return bool((self.skills[i] & ~self.used) >> skill & 1)

    def put_away(self, item: int) -> None:
        """Puts an item on the survivors' common discard pile (WW-ITEM-07)."""
        self.pile.append(item)

    def frame(self) -> Frame:
        """What the game waits for now."""
        return self.stack[-1]

    # Invariants --------------------------------------------------------------------------------

    def check(self) -> None:
        assert (self.ended is None) == bool(self.waiting), "somebody acts until the game ends"
        if self.killer < 0 or not self.cast:
            return
        cards = [card.copies if card.killer == self.killer else 0 for card in self.box.cards]
        held = [self.deck[c] + self.hand.count(c) + self.spent.count(c) for c in range(len(cards))]
        if self.locked:
            held[self.box.killers[self.killer].locked] += 1
        if self.playing >= 0:
            held[self.playing] += 1
        if self.round or self.deck_size or self.hand:
            assert held == cards, f"killer cards: {held} instead of {cards}"
        assert sum(self.deck) == self.deck_size
        items = [sum(item.copies[:2]) for item in self.box.items]
        for who in self.cast:
            for item in self.box.survivors[who].start:
                items[item] += 1
        have = [self.equipment[i] + self.search[i] + self.pile.count(i) for i in range(len(ITEMS))]
        for item in (*self.drawn, *(item for bag in self.bags for item in bag)):
            have[item] += 1
        have[KEY] += self.keys + sum(self.own_keys) + self.bottom
        if self.round:
            assert have == items, f"item cards: {have} instead of {items}"
        assert sum(self.equipment) == self.equipment_size and sum(self.search) == self.search_size
        assert all(KEY not in bag for bag in self.bags), "a key takes no slot"
        assert self.barricades.bit_count() <= BARRICADES
        assert all(0 <= fear <= 2 for fear in self.fear) and all(0 <= h <= HEALTH for h in self.health)
        assert 0 <= self.gears <= 5 and (self.gears < 5 or self.rescue >= 0)
        assert 1 <= self.level <= 5 and -1 <= self.rescue <= 5
        assert all(0 <= place < N for place in (*self.places, self.at, self.known))
        waits = self.stack[-1][0] if self.stack else ""
        for i in range(IN_PLAY):
            spare = sum(frame[0] == "shed" and frame[1] == i for frame in self.stack)
            assert len(self.bags[i]) <= self.slots(i) + (2 if spare else 0), "an inventory is too full"
            assert (self.health[i] == 0) == (self.gone[i] == DEAD) or self.ended, "the dead are marked"
        assert len(self.hand) <= 5 or waits == "discard" or any(f[0] == "discard" for f in self.stack)
        if self.clues is not None:
            assert self.clues.holds(self.places, self.gone) or self.ended, "the deduction lost the truth"


def too_many(mask: int) -> bool:
    """Says whether a mask has more than one member."""
    return bool(mask & (mask - 1))


def refuse(code: str, rule: str, *cells: Cell, **blanks: Any) -> Refusal:
    """Makes a refusal."""
    return Refusal(code, cells, rule, blanks)
