"""One player's board: what lies on it, and what its owner has done in the current phase.

A skeleton is one number: place, kind, facing and status packed together, so that sorting a list of them gives
the default order of BB-MOVE-17. The face that a token shows follows from its status: a ready one shows the
colour of before the march, one that has moved (or will not move this round) the colour of after it.

A field is never changed while anybody else may hold it: the rules take a copy, change that and put it back.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from companion.engine.action import Seat
from companion.games.bad_bones.pieces import (
    COLOURS,
    DIRECTIONS,
    FIELD,
    TRAPS,
    TREASURE_CODE,
)
from companion.games.bad_bones.printed import KIND_NAMES

READY, DONE, LATE = range(3)
"""To move this round; not to move (any more) this round; frozen after its move, so not next round either."""

BAG, BOX = 6, 7
"""Where a token can go besides the cemeteries 0–5."""

STANDING, NO_TOWER, NO_VILLAGE, CONQUERED = range(4)
"""How a player fell, if so."""


def token(place: int, kind: int, facing: int, status: int = READY) -> int:
    """Packs a skeleton."""
    return place << 10 | kind << 4 | facing << 2 | status


def kind_of(skeleton: int) -> int:
    return skeleton >> 4 & 63


def face_of(skeleton: int, marching_to: int) -> int:
    """The colour that a token shows in a round whose march ends with `marching_to` (BB-MOVE-05, -06)."""
    return marching_to if skeleton & 3 == DONE else 1 - marching_to


def rested(skeletons: list[int]) -> list[int]:
    """The skeletons after a march: ready for the next one, unless frozen after their move (BB-WEAPON-12)."""
    return sorted([s & ~3 if s & 3 != LATE else s & ~3 | DONE for s in skeletons])


def stopped(skeletons: list[int]) -> list[int]:
    """The skeletons of a march that broke off: each shows the face that it showed, seen from the next one."""
    return sorted([s & ~3 | (READY if s & 3 == DONE else DONE) for s in skeletons])


def skeleton_word(kind: int, facing: int, face: int) -> int:
    """The index of a skeleton's word: kind, facing and face."""
    return (kind * 4 + facing) * 2 + face


SKELETON_WORDS = tuple(
    f"{name}-{direction}-{colour}" for name in KIND_NAMES for direction in DIRECTIONS for colour in COLOURS
)


class Ask(NamedTuple):
    """A choice that the owner must make before his phase goes on."""

    verb: str
    options: tuple[int, ...] = ()
    cell: int = -1


class Field:
    """One player's board and supply, and his deeds in this phase."""

    __slots__ = (
        "answers",
        "ask",
        "asked",
        "auto",
        "fallen",
        "floors",
        "fresh",
        "hero",
        "hits",
        "houses",
        "memo",
        "met",
        "moving",
        "out",
        "queue",
        "slain",
        "squads",
        "supply",
        "targets",
        "tokens",
        "towers",
        "traps",
        "used",
        "weapon",
        "wrecked",
    )

    def __init__(self, towers: int, floors: int, houses: int, hero: int) -> None:
        self.tokens: list[int] = []
        self.traps = bytearray(FIELD)
        self.hero = hero
        """The hero's cell; -1 when he has left the game or has no place yet."""
        self.towers = towers
        """The cells of the standing towers, as a mask; the one of the standard side never leaves it."""
        self.floors = floors
        self.houses = houses
        self.supply = bytearray(len(TRAPS))
        self.weapon = -1
        self.fallen = STANDING
        self.squads: dict[int, tuple[int, ...]] = {}
        """The kinds that follow each instructor, by his kind (see `squads`); replaced, never changed."""
        self.clear()

    def clear(self) -> None:
        """Forgets the deeds of a phase."""
        self.asked = False
        """Whether the owner had anything to choose in the march."""
        self.out: list[int] = []
        """Tokens that left: where to, and which kind, packed as `where * 64 + kind`."""
        self.slain: list[int] = []
        """The kinds that the hero destroyed in this phase."""
        self.used = False
        self.hits = 0
        """Cells whose trap was triggered, as a mask."""
        self.fresh = 0
        """Cells whose trap has worn already in this phase."""
        self.wrecked = 0
        """Cells whose trap a saboteur ran into."""
        self.met = 0
        """Saboteurs that ran into a trap, as a mask of kinds."""
        self.targets: dict[int, Seat] = {}
        """Where each catapult and hearse sends its load in this phase, by cell."""
        self.ask: Ask | None = None
        self.moving: tuple[int, ...] = ()
        self.answers: tuple[int, ...] = ()
        self.queue: tuple[int, ...] = ()
        self.auto = False
        self.memo: Any = None

    def copy(self) -> Field:
        """Returns an independent copy."""
        other = Field.__new__(Field)
        other.tokens = self.tokens[:]
        other.traps = self.traps[:]
        other.hero = self.hero
        other.towers = self.towers
        other.floors = self.floors
        other.houses = self.houses
        other.supply = self.supply[:]
        other.weapon = self.weapon
        other.fallen = self.fallen
        other.squads = self.squads
        other.asked = self.asked
        other.out = self.out[:]
        other.slain = self.slain[:]
        other.used = self.used
        other.hits = self.hits
        other.fresh = self.fresh
        other.wrecked = self.wrecked
        other.met = self.met
        other.targets = self.targets.copy()
        other.ask = self.ask
        other.moving = self.moving
        other.answers = self.answers
        other.queue = self.queue
        other.auto = self.auto
        other.memo = None
        return other

    def is_touched(self) -> bool:
        """Says whether there is anything to settle at the end of a phase."""
        return bool(self.out or self.slain or self.hits or self.fresh or self.used or self.targets)

    def treasure(self) -> int:
        """The cell of the treasure, or -1."""
        return self.traps.find(TREASURE_CODE)

    def on(self, place: int) -> list[int]:
        """The skeletons on a place."""
        return [skeleton for skeleton in self.tokens if skeleton >> 10 == place]

    def skeleton_mask(self) -> int:
        """The places where skeletons stand."""
        mask = 0
        for skeleton in self.tokens:
            mask |= 1 << (skeleton >> 10)
        return mask

    def trap_mask(self) -> int:
        """The cells with a tile."""
        mask = 0
        if any(self.traps):
            for cell, code in enumerate(self.traps):
                if code:
                    mask |= 1 << cell
        return mask
