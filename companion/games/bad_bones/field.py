"""One player's board: what lies on it, and what its owner has done in the current phase.

A field is never changed while anybody else may hold it: the rules take a copy, change that and put it back.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from companion.engine.action import Seat
from companion.engine.fields import Copyable, Fields
from companion.engine.grid import mask_of
from companion.games.bad_bones.pieces import FIELD, TRAPS, TREASURE_CODE
from companion.games.bad_bones.tokens import PLACE_OF

BAG, BOX = 6, 7
"""Where a token can go besides the cemeteries 0–5."""

STANDING, NO_TOWER, NO_VILLAGE, CONQUERED = range(4)
"""How a player fell, if so."""


_NOTHING: frozenset[int] = frozenset()


class Ask(NamedTuple):
    """A step of one board inside a phase: a choice that its owner must make before he goes on."""

    verb: str
    """The name of the step in the table of steps."""
    seat: Seat
    options: tuple[int, ...] = ()
    cell: int = -1


class Field(Copyable):
    """One player's board and supply, and his deeds in this phase."""

    declared = Fields(
        shared=(
            *("hero", "towers", "floors", "houses", "weapon", "fallen", "squads"),
            *("asked", "used", "hits", "fresh", "wrecked", "met"),
            *("ask", "moving", "answers", "queue", "auto"),
        ),
        sliced=("tokens", "traps", "supply", "out", "slain"),
        copied=("targets",),
        forgotten={"memo": "None"},
    )
    __slots__ = declared.names

    def __init__(self, towers: frozenset[int], floors: int, houses: int, hero: int) -> None:
        self.tokens: list[int] = []
        self.traps = bytearray(FIELD)
        self.hero = hero
        """The hero's cell; -1 when he has left the game or has no place yet."""
        self.towers = towers
        """The cells of the standing towers; the one of the standard side never leaves it."""
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
        self.out: list[tuple[int, int]] = []
        """Tokens that left: where to, and which kind."""
        self.slain: list[int] = []
        """The kinds that the hero destroyed in this phase."""
        self.used = False
        self.hits = _NOTHING
        """Cells whose trap was triggered."""
        self.fresh = _NOTHING
        """Cells whose trap has worn already in this phase."""
        self.wrecked = _NOTHING
        """Cells whose trap a saboteur ran into."""
        self.met = _NOTHING
        """The kinds of the saboteurs that ran into a trap."""
        self.targets: dict[int, Seat] = {}
        """Where each catapult and hearse sends its load in this phase, by cell."""
        self.ask: Ask | None = None
        """The choice that the owner must make before his phase goes on."""
        self.moving: tuple[int, ...] = ()
        """Those whose move waits for a choice."""
        self.answers: tuple[int, ...] = ()
        """The choices made in that move so far."""
        self.queue: tuple[int, ...] = ()
        """Those who still flee from a new dragon, or are still to be turned."""
        self.auto = False
        """Whether the rest of the march goes in the default order."""
        self.memo: Any = None
        """The forecast, once it has been worked out."""

    def is_touched(self) -> bool:
        """Says whether there is anything to settle at the end of a phase."""
        return bool(self.out or self.slain or self.hits or self.fresh or self.used or self.targets)

    def treasure(self) -> int:
        """The cell of the treasure, or -1."""
        return self.traps.find(TREASURE_CODE)

    def on(self, place: int) -> list[int]:
        """The skeletons on a place."""
        return [skeleton for skeleton in self.tokens if PLACE_OF[skeleton] == place]

    def skeleton_mask(self) -> int:
        """The places where skeletons stand."""
        mask = 0
        for skeleton in self.tokens:
            mask |= 1 << PLACE_OF[skeleton]
        return mask

    def trap_mask(self) -> int:
        """The cells with a tile."""
        if not any(self.traps):
            return 0
        return mask_of([cell for cell, code in enumerate(self.traps) if code])
